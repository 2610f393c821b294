"""Programs of amp.attention, with an f64 oracle that reads the definition of the op row by row.

`Named(...)` describes one and has what `attentions.Attention` has: `source`, `arguments`, `inputs` and `oracle`.
"""
from dataclasses import dataclass

import numpy as np

from attentions import TYPES, round_to

ROUNDING = {**TYPES, "f32": 2.0**-24, "f64": 2.0**-53}


@dataclass
class Named:
    rows: int
    keys: int
    depth: int
    columns: int = 0  # depth
    batch: tuple = ()  # dimensions before the heads
    heads: tuple = (1, 1)  # of queries and of keys; none for tensors of two dimensions
    element: str = "f16"
    result: str = ""  # element
    scale: float = 0.0  # depth^-0.5
    mask: tuple = ()  # its shape
    maskElement: str = "f32"
    offsets: tuple = ()  # of rows and of keys
    causal: bool = False
    window: tuple = ()
    last: bool = False
    lse: bool = False
    dynamic: bool = False  # rows, keys and offsets of unknown number
    amplify: float = 1.0

    def __post_init__(self):
        self.columns = self.columns or self.depth
        self.result = self.result or self.element
        self.wide = "f64" if self.element == "f64" else "f32"
        self.outer = [self.batch + h for h in ((self.heads[:1], self.heads[1:]) if self.heads else ((), ()))]
        self.out = self.outer[0] + (self.rows, self.columns)  # the harness asks for its rank
        self.boolean = self.maskElement == "i1" and bool(self.mask)

    def tensor(self, shape, element, unknown=()):
        unknown = [d % len(shape) for d in unknown] if self.dynamic else []
        return "tensor<" + "".join(("?" if d in unknown else str(n)) + "x" for d, n in enumerate(shape)) + element + ">"

    def operands(self):
        """(name, shape, element, dimensions that may be unknown) of each argument."""
        yield "q", self.outer[0] + (self.rows, self.depth), self.element, (-2,)
        yield "k", self.outer[1] + (self.keys, self.depth), self.element, (-2,)
        yield "v", self.outer[1] + (self.keys, self.columns), self.element, (-2,)
        if self.mask:
            unknown = [d for d in (-2, -1) if len(self.mask) >= -d and self.mask[d] != 1]
            yield "m", self.mask, self.maskElement, unknown
        for name, offsets in zip(("qo", "ko"), self.offsets):
            yield name, (len(offsets),), "i32", (0,)

    def arguments(self):
        for name, shape, element, _ in self.operands():
            yield name, shape, element

    def results(self):
        yield self.out, self.result
        if self.lse:
            yield self.out[:-1], self.wide

    def source(self, name):
        types = {n: self.tensor(shape, element, unknown) for n, shape, element, unknown in self.operands()}
        options = ""
        if self.mask:
            options += f" mask(%m : {types['m']})"
        if self.offsets:
            options += f" offsets(%qo, %ko : {types['qo']}, {types['ko']})"
        if self.scale:
            options += f" scale {self.scale!r}"
        options += " causal" if self.causal else ""
        options += f" window [{self.window[0]}, {self.window[1]}]" if self.window else ""
        options += " align_last" if self.last else ""
        results = [self.tensor(shape, element, (-2,) if i == 0 else (-1,)) for i, (shape, element) in enumerate(self.results())]
        values = ", ".join(f"%r#{i}" for i in range(len(results)))
        return (f"func.func @{name}({', '.join(f'%{n}: {t}' for n, t in types.items())}) -> ({', '.join(results)}) {{\n"
                f"  %r:{len(results)} = amp.attention %q, %k, %v{options} : {types['q']}, {types['k']}, {types['v']} -> {', '.join(results)}\n"
                f"  return {values} : {', '.join(results)}\n}}")

    def inputs(self, rng):
        arrays = {}
        for name, shape, element in self.arguments():
            if element == "i1":
                arrays[name] = rng.random(shape) < 0.7
            elif element == "i32":
                arrays[name] = np.array(self.offsets[name == "ko"], np.int32)
            else:
                arrays[name] = round_to(rng.standard_normal(shape) * (self.amplify if name == "q" else 1), element)
        return arrays

    def visible(self, rows, keys):
        """Which keys each row sees, by the definition."""
        sees = np.zeros((rows, keys), bool)
        sequences = list(zip(*(zip(o, o[1:]) for o in self.offsets))) if self.offsets else [((0, rows), (0, keys))]
        before, after = (self.window if self.window else (-1, -1))
        for (firstRow, endRow), (firstKey, endKey) in sequences:
            for row in range(firstRow, endRow):
                place = row - firstRow + (endKey - firstKey - (endRow - firstRow) if self.last else 0)
                for key in range(firstKey, endKey):
                    distance = key - firstKey - place
                    sees[row, key] = not ((self.causal and distance > 0) or (before >= 0 and distance < -before)
                                          or (after >= 0 and distance > after))
        return sees

    def oracle(self, n):
        """The results in f64, and how far each element may be off: see attentions.py."""
        groups = self.heads[0] // self.heads[1] if self.heads else 1
        q = n["q"]
        k, v = (np.repeat(n[x], groups, axis=-3) if groups > 1 else n[x] for x in "kv")
        scale = self.scale or self.depth**-0.5
        with np.errstate(all="ignore"):
            s = np.einsum("...id,...jd->...ij", q, k) * scale
            size = np.einsum("...id,...jd->...ij", abs(q), abs(k)) * abs(scale)
            if self.mask:
                s = np.where(n["m"], s, -np.inf) if self.boolean else s + n["m"]
            s = np.where(self.visible(self.rows, self.keys), s, -np.inf)
            m = s.max(-1, keepdims=True)
            w = np.exp(s - np.where(m == -np.inf, 0, m))
            l = w.sum(-1, keepdims=True)
            p = w / np.where(l == 0, 1, l)
            lse = (m + np.log(l))[..., 0]
        o = np.einsum("...ij,...je->...ie", p, v)
        u, sums = ROUNDING[self.element], 2.0**-22 if self.wide == "f32" else 2.0**-50
        finite = abs(np.where(np.isfinite(s), s, 0)).max(-1, keepdims=True)
        shift = sums * (size.max(-1, keepdims=True) + finite + 16)
        absolute = np.einsum("...ij,...je->...ie", p * (u + shift), abs(v))
        absolute = absolute + (self.keys * 2.0**-25 * abs(v).max(axis=-2)[..., None, :] if self.element == "f16" else 0)
        bound = 1.1 * absolute + abs(o) * max(ROUNDING[self.result], sums) + 2.0**-126
        if self.result == "f16":
            bound = bound + 2.0**-25
        results, bounds = [o], [bound]
        if self.lse:
            results.append(lse)
            bounds.append(2 * shift[..., 0] + sums * abs(np.where(np.isfinite(lse), lse, 0)))
        return results, bounds


def programs():
    yield "matrix", Named(130, 140, 64, heads=(), lse=True)
    yield "batches", Named(70, 90, 64, batch=(2,), heads=(3, 3), element="bf16", result="f32")
    yield "grouped", Named(100, 150, 64, batch=(2,), heads=(4, 2), causal=True, lse=True)
    yield "single_head", Named(65, 130, 128, heads=(3, 1), scale=0.25, result="f16")
    yield "causal_last", Named(100, 230, 64, heads=(2, 2), causal=True, last=True)
    # The first rows see nothing.
    yield "causal_short", Named(300, 140, 64, causal=True, last=True, lse=True)
    yield "window", Named(300, 300, 64, heads=(2, 1), window=(70, 3))
    yield "window_causal", Named(260, 260, 128, causal=True, window=(100, -1), element="bf16")
    yield "dynamic", Named(133, 150, 64, batch=(2,), heads=(2, 2), dynamic=True, causal=True, last=True)
    yield "bias", Named(100, 150, 64, batch=(2,), heads=(4, 2), mask=(4, 100, 150), maskElement="f16")
    yield "padding", Named(100, 150, 64, batch=(2,), heads=(2, 2), mask=(2, 1, 1, 150), maskElement="i1", causal=True)
    # Some rows of the mask hide all keys.
    yield "no_keys", Named(100, 150, 64, heads=(2, 2), mask=(100, 150), maskElement="i1", lse=True)
    # Few rows, keys in parts.
    yield "few", Named(4, 1024, 64, heads=(4, 2), causal=True, last=True, lse=True)
    yield "few_no_keys", Named(8, 1024, 64, heads=(2, 2), mask=(8, 1024), maskElement="i1", element="bf16", lse=True)
    yield "packed", Named(333, 333, 64, heads=(2, 2), offsets=((0, 50, 51, 250, 333),) * 2, causal=True, lse=True)
    yield "packed_cross", Named(200, 410, 64, heads=(4, 2), offsets=((0, 10, 10, 150, 190), (0, 200, 230, 230, 400)), element="bf16", lse=True)
    yield "packed_last", Named(200, 300, 128, offsets=((0, 70, 200), (0, 128, 300)), causal=True, last=True, dynamic=True)
    yield "packed_window", Named(500, 500, 64, offsets=((0, 256, 384, 500),) * 2, window=(40, 20), dynamic=True)
    # Queries of heads that share keys are rows of one tile.
    yield "heads_packed", Named(40, 300, 64, heads=(6, 2), offsets=((0, 5, 6, 25, 40), (0, 100, 130, 130, 300)), element="bf16", causal=True, last=True, lse=True)
    yield "heads_packed_dynamic", Named(33, 150, 128, heads=(4, 1), offsets=((0, 20, 33), (0, 64, 150)), window=(30, 10), last=True, dynamic=True)
    yield "heads_packed_bias", Named(19, 150, 64, batch=(2,), heads=(8, 2), mask=(8, 19, 150), maskElement="f16", causal=True, last=True)
    yield "packed_mask", Named(150, 150, 64, heads=(2, 2), offsets=((0, 64, 150),) * 2, mask=(1, 150), maskElement="f32")


def only_decomposed():
    """Types that tensor cores do not have, or not as one kernel."""
    yield "wide", Named(30, 40, 16, columns=24, element="f32", causal=True, lse=True)
    yield "widest", Named(20, 30, 8, element="f64", batch=(2,), heads=(2, 1), mask=(20, 30), maskElement="f64", lse=True)
    yield "narrowed", Named(20, 30, 12, columns=20, element="f32", result="f16", offsets=((0, 7, 20), (0, 20, 30)))
    yield "odd", Named(33, 35, 20, columns=4, element="f16", causal=True)


PROGRAMS = {**dict(programs()), **dict(only_decomposed())}

if __name__ == "__main__":
    import sys

    print("\n".join(PROGRAMS[name].source(name) for name in sys.argv[1:] or PROGRAMS))
