"""Attention programs in linalg, as front ends write them, with an f64 oracle.

`Attention(...)` describes one; `source(name)` is a function on tensors, `inputs(rng)` its arguments, `oracle(arrays)` its
results in f64, and `bound(arrays)` how far a kernel with weights of 16 bits and sums in f32 may be off, element by element.
"""
from dataclasses import dataclass

import numpy as np

TYPES = {"f16": 2.0**-11, "bf16": 2.0**-8}


@dataclass
class Attention:
    rows: int
    keys: int
    depth: int
    columns: int = 0  # depth
    batch: tuple = (1,)  # outer loops; the last `shared` of them have the same keys and values
    shared: int = 0
    element: str = "f16"
    result: str = ""  # element
    scale: float = 0.0  # depth^-0.5
    divide: bool = False
    rounds: bool = False  # scores to `element` and back, as under autocast
    upper: int = None  # key <= row + upper
    lower: int = None  # key >= row + lower
    flipped: bool = False  # the mask says what is hidden
    sentinel: str = "-inf"
    additive: str = ""  # loops of a mask that is added, such as "ij"
    boolean: str = ""  # loops of a mask that selects
    maskElement: str = "f32"
    lengths: str = ""  # loops of a number of keys that are seen
    named: bool = True  # linalg.softmax
    reciprocal: bool = False
    lse: bool = False
    out: str = ""  # the order of the dimensions of the result
    q: str = ""  # of the operands
    k: str = ""
    v: str = ""
    dynamic: str = ""  # loops whose sizes are not known
    amplify: float = 1.0  # the size of queries

    def __post_init__(self):
        self.columns = self.columns or self.depth
        self.scale = self.scale or self.depth**-0.5
        self.result = self.result or self.element
        self.heads = "xyz"[: len(self.batch)]
        own = self.heads[: len(self.heads) - self.shared]
        self.q = self.q or self.heads + "id"
        self.k = self.k or own + "jd"
        self.v = self.v or own + "je"
        self.out = self.out or self.heads + "ie"
        self.sizes = dict(zip(self.heads, self.batch), i=self.rows, j=self.keys, d=self.depth, e=self.columns)

    def shape(self, letters):
        return [self.sizes[c] for c in letters]

    def tensor(self, letters, element):
        return "tensor<" + "".join(("?" if c in self.dynamic else str(self.sizes[c])) + "x" for c in letters) + element + ">"

    def arguments(self):
        """(name, loops, element) of each argument."""
        yield "q", self.q, self.element
        yield "k", self.k, self.element
        yield "v", self.v, self.element
        if self.additive:
            yield "bias", self.additive, self.maskElement
        if self.boolean:
            yield "mask", self.boolean, "i1"
        if self.lengths:
            yield "lengths", self.lengths, "i32"

    def source(self, name):
        lines = []
        emit = lines.append
        count = [0]
        scores = self.heads + "ij"

        def fresh():
            count[0] += 1
            return f"%t{count[0]}"

        # Sizes that are not known come from the arguments.
        dims = {}
        for c in self.dynamic:
            argument, letters, _ = next(a for a in self.arguments() if c in a[1])
            emit(f"%dim{c} = arith.constant {letters.index(c)} : index")
            emit(f"%size{c} = tensor.dim %{argument}, %dim{c} : {self.tensor(letters, dict((a[0], a[2]) for a in self.arguments())[argument])}")
            dims[c] = f"%size{c}"

        def empty(letters, element):
            value = fresh()
            emit(f"{value} = tensor.empty({', '.join(dims[c] for c in letters if c in dims)}) : {self.tensor(letters, element)}")
            return value

        def filled(letters, number, element="f32"):
            value, start = fresh(), empty(letters, element)
            emit(f"{value}c = arith.constant {number} : {element}")
            emit(f"{value} = linalg.fill ins({value}c : {element}) outs({start} : {self.tensor(letters, element)}) -> {self.tensor(letters, element)}")
            return value

        def generic(loops, inputs, out, element, init, body, reduced=""):
            """`inputs`: (value, letters, element); `body` yields with %a, %b.. and %o."""
            value = fresh()
            maps = ", ".join(f"affine_map<({', '.join(loops)}) -> ({', '.join(x)})>" for x in [i[1] for i in inputs] + [out])
            kinds = ", ".join('"reduction"' if c in reduced else '"parallel"' for c in loops)
            names = ", ".join(f"%{chr(97 + n)}: {i[2]}" for n, i in enumerate(inputs))
            emit(f"{value} = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}} ins("
                 f"{', '.join(i[0] for i in inputs)} : {', '.join(self.tensor(i[1], i[2]) for i in inputs)}) outs({init} : {self.tensor(out, element)}) {{")
            emit(f"^bb0({names}, %o: {element}):")
            for line in body[:-1]:
                emit("  " + line)
            emit(f"  linalg.yield {body[-1]} : {element}")
            emit(f"}} -> {self.tensor(out, element)}")
            return value

        def contract(loops, left, right, out, reduced):
            return generic(loops, [left, right], out, "f32", filled(out, "0.0"),
                           [f"%aw = arith.extf %a : {left[2]} to f32", f"%bw = arith.extf %b : {right[2]} to f32",
                            "%p = arith.mulf %aw, %bw : f32", "%s = arith.addf %p, %o : f32", "%s"], reduced)

        def elementwise(inputs, element, body, loops=scores):
            return generic(loops, inputs, loops, element, empty(loops, element), body)

        e = self.element
        s = contract(self.heads + "ijd", ("%q", self.q, e), ("%k", self.k, e), scores, "d")
        op = "divf" if self.divide else "mulf"
        s = elementwise([(s, scores, "f32")], "f32",
                        [f"%c = arith.constant {float(np.float32(1 / self.scale if self.divide else self.scale))!r} : f32", f"%r = arith.{op} %a, %c : f32", "%r"])
        if self.rounds:
            s = elementwise([(s, scores, "f32")], e, [f"%r = arith.truncf %a : f32 to {e}", "%r"])
            s = elementwise([(s, scores, e)], "f32", [f"%r = arith.extf %a : {e} to f32", "%r"])
        hidden = {"-inf": "0xFF800000"}.get(self.sentinel, self.sentinel)
        if self.upper is not None or self.lower is not None:
            i, j = len(self.heads), len(self.heads) + 1
            body = [f"%i = linalg.index {i} : index", f"%j = linalg.index {j} : index", f"%n = arith.constant {hidden} : f32"]
            conditions = []
            less, more = ("sgt", "slt") if self.flipped else ("sle", "sge")
            for limit, predicate in ((self.upper, less), (self.lower, more)):
                if limit is None:
                    continue
                n = len(conditions)
                body += [f"%c{n} = arith.constant {limit} : index", f"%l{n} = arith.addi %i, %c{n} : index",
                         f"%m{n} = arith.cmpi {predicate}, %j, %l{n} : index"]
                conditions.append(f"%m{n}")
            if len(conditions) > 1:
                body.append(f"%m = arith.{'ori' if self.flipped else 'andi'} %m0, %m1 : i1")
                conditions = ["%m"]
            picked = "%n, %a" if self.flipped else "%a, %n"
            s = elementwise([(s, scores, "f32")], "f32", body + [f"%r = arith.select {conditions[0]}, {picked} : f32", "%r"])
        if self.additive:
            widen = [f"%w = arith.extf %b : {self.maskElement} to f32"] if self.maskElement != "f32" else []
            s = elementwise([(s, scores, "f32"), ("%bias", self.additive, self.maskElement)], "f32",
                            widen + [f"%r = arith.addf %a, {'%w' if widen else '%b'} : f32", "%r"])
        if self.boolean:
            s = elementwise([(s, scores, "f32"), ("%mask", self.boolean, "i1")], "f32",
                            [f"%n = arith.constant {hidden} : f32", "%r = arith.select %b, %a, %n : f32", "%r"])
        if self.lengths:
            s = elementwise([(s, scores, "f32"), ("%lengths", self.lengths, "i32")], "f32",
                            [f"%j = linalg.index {len(self.heads) + 1} : index", f"%n = arith.constant {hidden} : f32", "%l = arith.index_cast %b : i32 to index",
                             "%m = arith.cmpi slt, %j, %l : index", "%r = arith.select %m, %a, %n : f32", "%r"])
        row = self.heads + "i"
        if self.named:
            p = fresh()
            start = empty(scores, "f32")
            emit(f"{p} = linalg.softmax dimension({len(scores) - 1}) ins({s} : {self.tensor(scores, 'f32')}) "
                 f"outs({start} : {self.tensor(scores, 'f32')}) -> {self.tensor(scores, 'f32')}")
            p = elementwise([(p, scores, "f32")], e, [f"%r = arith.truncf %a : f32 to {e}", "%r"])
        else:
            m = generic(scores, [(s, scores, "f32")], row, "f32", filled(row, "0xFF800000"), ["%r = arith.maximumf %a, %o : f32", "%r"], "j")
            w = elementwise([(s, scores, "f32"), (m, row, "f32")], "f32", ["%x = arith.subf %a, %b : f32", "%r = math.exp %x : f32", "%r"])
            l = generic(scores, [(w, scores, "f32")], row, "f32", filled(row, "0.0"), ["%r = arith.addf %a, %o : f32", "%r"], "j")
            if self.reciprocal:
                y = generic(row, [(l, row, "f32")], row, "f32", empty(row, "f32"),
                            ["%c = arith.constant 1.0 : f32", "%r = arith.divf %c, %a : f32", "%r"])
                share = ["%x = arith.mulf %a, %b : f32"]
            else:
                y, share = l, ["%x = arith.divf %a, %b : f32"]
            p = elementwise([(w, scores, "f32"), (y, row, "f32")], e, share + [f"%r = arith.truncf %x : f32 to {e}", "%r"])
        o = contract(self.heads + "iej", (p, scores, e), ("%v", self.v, e), self.heads + "ie", "j")
        body = ["%a"] if self.result == "f32" else [f"%r = arith.truncf %a : f32 to {self.result}", "%r"]
        if self.result != "f32" or self.out != self.heads + "ie":
            o = generic(self.heads + "ie", [(o, self.heads + "ie", "f32")], self.out, self.result, empty(self.out, self.result), body)
        results, types = [o], [self.tensor(self.out, self.result)]
        if self.lse:
            results.append(generic(row, [(m, row, "f32"), (l, row, "f32")], row, "f32", empty(row, "f32"),
                                   ["%g = math.log %b : f32", "%r = arith.addf %a, %g : f32", "%r"]))
            types.append(self.tensor(row, "f32"))
        arguments = ", ".join(f"%{n}: {self.tensor(letters, t)}" for n, letters, t in self.arguments())
        body = "\n  ".join(lines)
        return (f"func.func @{name}({arguments}) -> ({', '.join(types)}) {{\n  {body}\n"
                f"  return {', '.join(results)} : {', '.join(types)}\n}}")

    def inputs(self, rng):
        """f64 arrays of values that the element types have."""
        arrays = {}
        for name, letters, element in self.arguments():
            if element == "i1":
                arrays[name] = rng.random(self.shape(letters)) < 0.7
                continue
            if element == "i32":
                # None, and more than there are.
                arrays[name] = rng.integers(0, self.keys + 20, self.shape(letters))
                continue
            x = rng.standard_normal(self.shape(letters)) * (self.amplify if name == "q" else 1)
            arrays[name] = round_to(x, element)
        return arrays

    def scores(self, n):
        own = self.heads[: len(self.heads) - self.shared]
        q = np.einsum(f"{self.q}->{self.heads}id", n["q"])
        k = np.einsum(f"{self.k}->{own}jd", n["k"])
        s = np.einsum(f"{self.heads}id,{own}jd->{self.heads}ij", q, k) * self.scale
        size = np.einsum(f"{self.heads}id,{own}jd->{self.heads}ij", abs(q), abs(k)) * self.scale
        i, j = np.ogrid[: self.rows, : self.keys]
        hidden = float(self.sentinel)
        if self.upper is not None:
            s = np.where(j <= i + self.upper, s, hidden)
        if self.lower is not None:
            s = np.where(j >= i + self.lower, s, hidden)
        full = self.heads + "ij"

        def spread(x, letters):
            return x.reshape([self.sizes[c] if c in letters else 1 for c in full])
        if self.additive:
            s = s + spread(n["bias"], self.additive)
        if self.boolean:
            s = np.where(spread(n["mask"], self.boolean), s, hidden)
        if self.lengths:
            s = np.where(j < spread(n["lengths"], self.lengths), s, hidden)
        return s, size

    def oracle(self, n):
        """The results in f64, and how far each element may be off."""
        own = self.heads[: len(self.heads) - self.shared]
        with np.errstate(all="ignore"):
            s, size = self.scores(n)
            m = s.max(-1, keepdims=True)
            w = np.exp(s - m)
            l = w.sum(-1, keepdims=True)
            p = w / l
        v = np.einsum(f"{self.v}->{own}je", n["v"])
        u = TYPES[self.element]
        o = np.einsum(f"{self.heads}ij,{own}je->{self.heads}ie", p, v)
        # A score is off by the rounding of the sum of its products and of its multiples, and so is, relatively, its weight; a
        # weight is rounded to 16 bits (below 2^-14 of f16 by up to 2^-25), the result to its type.
        shift = 2.0**-22 * (size.max(-1, keepdims=True) + 16)
        if self.additive:
            shift = shift + 2.0**-22 * abs(np.where(np.isfinite(s), s, 0)).max(-1, keepdims=True)
        if self.rounds:  # a program may round its scores, a fused kernel need not
            shift = shift + u * abs(np.where(np.isfinite(s), s, 0)).max(-1, keepdims=True)
        absolute = np.einsum(f"{self.heads}ij,{own}je->{self.heads}ie", p * (u + shift), abs(v))
        absolute = absolute + self.keys * 2.0**-25 * abs(v).max(axis=-2).reshape(v.shape[:-2] + (1,) * self.shared + (1, -1))
        bound = 1.1 * absolute + abs(o) * (TYPES[self.result] if self.result in TYPES else 2.0**-22)
        move = f"{self.heads}ie->{self.out}"
        results, bounds = [np.einsum(move, o)], [np.einsum(move, bound)]
        if self.lse:
            lse = (m + np.log(l))[..., 0]
            results.append(lse)
            bounds.append(2 * shift[..., 0] + 2.0**-22 * abs(lse))
        return results, bounds


class Repeated(Attention):
    """Heads (loop y) that share keys and values, which the program repeats in memory, as exports of torch do: a broadcast, and
    a reshape that joins the new dimension with the heads."""

    groups = 2

    def source(self, name):
        text = super().source(name)
        heads = self.sizes["y"] // self.groups
        lines = []
        for x, inner in (("k", self.depth), ("v", self.columns)):
            few, one, many = (f"tensor<{self.sizes['x']}x{h}x{self.keys}x{inner}x{self.element}>" for h in (heads, f"{heads}x1", f"{heads}x{self.groups}"))
            text = text.replace(f"%{x}: {self.tensor('xyj' + ('d' if x == 'k' else 'e'), self.element)}", f"%{x}s: {few}", 1)
            value, kind, source = f"%{x}s", few, "a, b, d, e"
            if x == "v":  # with a dimension of one element, as unsqueeze gives
                lines.append(f"%vu = tensor.expand_shape %vs [[0], [1, 2], [3], [4]] output_shape [{self.sizes['x']}, {heads}, 1, {self.keys}, {inner}] : {few} into {one}")
                value, kind, source = "%vu", one, "a, b, 0, d, e"
            lines.append(f"%{x}e = tensor.empty() : {many}")
            lines.append(f"%{x}b = linalg.generic {{indexing_maps = [affine_map<(a, b, c, d, e) -> ({source})>, affine_map<(a, b, c, d, e) -> (a, b, c, d, e)>], "
                         f"iterator_types = [{', '.join(5 * [chr(34) + 'parallel' + chr(34)])}]}} ins({value} : {kind}) outs(%{x}e : {many}) {{\n"
                         f"^bb0(%a: {self.element}, %o: {self.element}):\n  linalg.yield %a : {self.element}\n}} -> {many}")
            lines.append(f"%{x} = tensor.collapse_shape %{x}b [[0], [1, 2], [3], [4]] : {many} into {self.tensor('xyj' + ('d' if x == 'k' else 'e'), self.element)}")
        return text.replace("{\n", "{\n  " + "\n  ".join(lines) + "\n", 1)

    def inputs(self, rng):
        arrays = super().inputs(rng)
        return arrays | {x: arrays[x][:, :: self.groups] for x in "kv"}

    def oracle(self, n):
        return super().oracle(n | {x: np.repeat(n[x], self.groups, axis=1) for x in "kv"})


def round_to(x, element):
    if element == "f16":
        return x.astype(np.float16).astype(np.float64)
    if element == "bf16":
        bits = np.asarray(x, np.float32).view(np.uint32).astype(np.uint64)
        bits = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16
        return (bits.astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    return x.astype(np.float32).astype(np.float64)


def programs():
    """Programs, small enough for the simulator, that together have every part of the schedule."""
    for element in TYPES:
        for depth in (64, 96, 128, 256):
            yield f"head{depth}_{element}", Attention(129, 200, depth, element=element)
    # Large tiles of keys, where there are many of them.
    yield "many_keys", Attention(130, 1024, 128)
    # Tiles of three warpgroups need many blocks.
    yield "many_heads", Attention(136, 264, 64, batch=(133,), upper=200)
    # Sizes of one tile, less, and odd ones, with one mask and with two at the end.
    yield "causal", Attention(256, 256, 64, upper=0)
    yield "causal_tail", Attention(193, 193, 128, batch=(2,), upper=0, element="bf16", lse=True, named=False)
    yield "causal_longer", Attention(130, 333, 64, upper=333 - 130, flipped=True)
    yield "causal_shorter", Attention(300, 100, 64, upper=0, sentinel="-1.0e9")
    yield "causal_large", Attention(200, 200, 256, upper=0)
    yield "short", Attention(2, 3, 64)
    yield "window", Attention(400, 400, 64, upper=0, lower=-100)
    yield "window_around", Attention(260, 260, 128, upper=40, lower=-40, flipped=True, sentinel="-65504.0")
    # Heads of queries share keys and values; results with the heads inside.
    yield "grouped", Attention(150, 170, 64, batch=(2, 2, 3), shared=1, upper=20, out="xiyze")
    yield "shared", Attention(70, 140, 128, batch=(4,), shared=1, lse=True, named=False, reciprocal=True)
    yield "repeated", Repeated(150, 170, 64, batch=(2, 4), upper=20, lse=True, named=False)
    yield "repeated_bias", Repeated(100, 131, 128, batch=(1, 4), additive="yij", out="xiye", element="bf16")
    # Masks in memory.
    yield "bias", Attention(140, 260, 64, batch=(2, 2), additive="yij")
    yield "bias16", Attention(100, 131, 128, additive="ij", maskElement="f16", upper=31, rounds=True)
    yield "mask", Attention(130, 140, 64, batch=(2,), boolean="xj", sentinel="-1.0e9")
    yield "no_keys", Attention(140, 150, 64, boolean="ij", sentinel="-1.0e9")
    yield "none", Attention(140, 150, 64, lower=100, upper=200)
    # Numbers for -inf, and rows whose visible scores lie near them and below: see attention.py. The last one is below all that products of f16 can be.
    yield "sentinel_1e4", Attention(140, 300, 64, upper=0, sentinel="-1.0e4")
    yield "sentinel_f16", Attention(140, 300, 64, upper=0, sentinel="-65504.0", rounds=True)
    yield "sentinel_bf16", Attention(140, 300, 64, lower=-50, upper=3, sentinel="-1.0e9", element="bf16")
    yield "sentinel_min", Attention(140, 300, 64, upper=0, sentinel="-3.4028235e+38")
    # The lowest numbers of bf16 and f32, of which the distance to others is no number of f32; the first rows see nothing, and so are the mean.
    yield "lowest_bf16", Attention(140, 300, 64, upper=-3, sentinel="-3.3895314e+38", element="bf16")
    yield "lowest_f32", Attention(140, 300, 64, upper=-3, sentinel="-3.4028235e+38")
    # Rows that see no key, of -inf: NaN as in the program, log-sum-exp too.
    yield "hidden_rows", Attention(300, 140, 64, upper=-129, lse=True, named=False)
    # Numbers of keys in memory.
    yield "lengths", Attention(150, 400, 64, batch=(4, 2), shared=1, lengths="x")
    yield "lengths_causal", Attention(200, 300, 128, batch=(2,), lengths="xi", upper=60, element="bf16")
    # Forms of operands, results and scores.
    yield "keys_contiguous", Attention(136, 136, 64, q="xdi", k="xdj", v="xej", batch=(2,), divide=True)
    yield "heads_inside", Attention(130, 136, 64, q="xiyd", k="xjyd", v="xjye", out="xiye", batch=(2, 3), rounds=True)
    yield "wide", Attention(130, 136, 64, columns=192, result="f32")
    yield "small", Attention(100, 120, 40, columns=24)
    yield "nasty", Attention(130, 140, 64, amplify=64.0)
    yield "dynamic", Attention(133, 150, 64, batch=(2,), dynamic="xij", upper=20)
    # Few rows and long keys: in parts. Some rows see nothing of a part, or nothing at all: see attention.py.
    yield "few", Attention(4, 2048, 64, batch=(2, 2))
    yield "few_causal", Attention(16, 1536, 128, batch=(2,), upper=1520, element="bf16", lse=True, named=False)
    yield "few_bias", Attention(64, 1024, 64, batch=(1, 2), additive="yij", maskElement="f16", lse=True, named=False, reciprocal=True)
    yield "few_hidden", Attention(33, 1040, 64, boolean="ij", lse=True, named=False, k="xdj", v="xej")
    yield "few_mean", Attention(33, 1040, 64, boolean="ij", sentinel="-1.0e9", element="bf16")
    yield "few_lengths", Attention(7, 1024, 96, batch=(4, 2, 2), shared=1, lengths="x", result="f32")
    yield "few_inside", Attention(5, 1024, 64, q="xiyd", k="xjyd", v="xjye", out="xiye", batch=(2, 3), rounds=True)
    yield "few_repeated", Repeated(3, 1024, 64, batch=(1, 4), upper=1021, lse=True, named=False)
    # Windows, in which parts would compute what no row sees, and keys that have no parts.
    yield "few_window", Attention(4, 2048, 64, upper=2044, lower=1700)
    yield "few_odd", Attention(4, 1031, 64)
    # Sizes that are not known: batches of few rows; keys, in parts and a rest (attention-growing.py has more numbers of them).
    yield "few_batches", Attention(4, 1024, 64, batch=(2, 2), dynamic="x", upper=1020, lse=True, named=False)
    yield "few_growing_part", Attention(4, 512, 64, batch=(2,), dynamic="xj", k="jxd", v="jxe", element="bf16")
    yield "few_growing", Attention(3, 1031, 128, batch=(1, 2, 2), shared=1, dynamic="xj", out="xiyze", additive="xij")
    yield "few_growing_lengths", Attention(5, 1100, 64, batch=(4,), dynamic="j", lengths="x", result="f32")
    # Decoding: one query for each head, and heads that share keys.
    yield "decode", Attention(1, 1024, 64, batch=(2, 3), upper=1023, lse=True, named=False)
    yield "decode_short", Attention(1, 200, 128, batch=(2, 2), element="bf16", additive="xij")
    # Which are not fused: no loop over heads, and one of unknown number.
    yield "decode_one", Attention(1, 200, 64)
    yield "decode_dynamic", Attention(1, 200, 64, batch=(2,), dynamic="x")
    yield "decode_growing", Attention(1, 1030, 64, batch=(2, 3), dynamic="xj")
    yield "decode_grouped", Attention(1, 1024, 128, batch=(2, 2, 4), shared=1, element="bf16")
    yield "decode_repeated", Repeated(1, 2048, 64, batch=(1, 4), additive="xij", lse=True, named=False)
    # Heads that share keys and have few queries are rows of one tile: every size of heads, numbers of heads that are and are no power of two, queries of all in
    # one tile and in several, with tails.
    for depth, element in ((64, "f16"), (96, "bf16"), (128, "f16"), (128, "bf16"), (256, "f16")):
        yield f"packed{depth}_{element}", Attention(4, 200, depth, batch=(2, 4), shared=1, element=element, upper=196, lse=True, named=False)
    yield "packed_full", Attention(16, 256, 64, batch=(2, 8), shared=1, upper=240)
    yield "packed_pair", Attention(45, 140, 64, batch=(2, 2), shared=1, upper=95, out="xiye", q="xiyd")
    yield "packed_odd", Attention(7, 131, 128, batch=(2, 3), shared=1, element="bf16", upper=124)
    yield "packed_tiles", Attention(20, 131, 64, batch=(2, 7), shared=1, upper=111, out="xiye", lse=True, named=False)
    yield "packed_many", Attention(2, 140, 64, batch=(71,), shared=1, upper=138, lse=True, named=False)
    yield "packed_two", Attention(3, 140, 64, batch=(2, 2, 5), shared=2, upper=137)
    yield "packed_wide", Attention(6, 140, 64, columns=192, batch=(2, 3), shared=1, result="f32")
    yield "packed_small", Attention(9, 120, 40, columns=24, batch=(2, 6), shared=1)
    yield "packed_blocks", Attention(40, 264, 64, batch=(133, 4), shared=1)
    # Masks by places, of each head, and of none; numbers for -inf, and rows that see no key.
    yield "packed_window", Attention(12, 400, 64, batch=(2, 4), shared=1, upper=388, lower=200)
    yield "packed_around", Attention(40, 300, 128, batch=(1, 3), shared=1, upper=150, lower=-20, flipped=True, sentinel="-65504.0")
    yield "packed_hidden", Attention(40, 100, 64, batch=(2, 3), shared=1, upper=-7, lse=True, named=False)
    yield "packed_bias", Attention(5, 260, 64, batch=(2, 2, 6), shared=1, additive="yzij", maskElement="f16", rounds=True)
    yield "packed_mask", Attention(11, 140, 128, batch=(2, 4), shared=1, boolean="xyij", sentinel="-1.0e9", element="bf16")
    yield "packed_no_keys", Attention(13, 150, 64, batch=(2, 5), shared=1, boolean="yij", sentinel="-65504.0")
    yield "packed_sentinel", Attention(10, 300, 64, batch=(2, 4), shared=1, upper=290, sentinel="-65504.0", rounds=True)
    yield "packed_lowest", Attention(10, 140, 64, batch=(3,), shared=1, upper=-3, sentinel="-3.3895314e+38", element="bf16")
    yield "packed_lengths", Attention(9, 400, 64, batch=(4, 4), shared=1, lengths="x")
    yield "packed_head_lengths", Attention(9, 300, 64, batch=(2, 3), shared=1, lengths="xyi", upper=291, element="bf16")
    yield "packed_nasty", Attention(11, 140, 64, batch=(2, 4), shared=1, amplify=64.0)
    yield "packed_dynamic", Attention(13, 150, 64, batch=(2, 4), shared=1, dynamic="xij", upper=137, lse=True, named=False)
    yield "packed_repeated", Repeated(5, 170, 64, batch=(2, 8), upper=165, lse=True, named=False)
    # With keys in parts.
    yield "packed_parts", Attention(4, 1024, 64, batch=(2, 2, 4), shared=1, upper=1020, lse=True, named=False)
    yield "packed_parts_bias", Attention(3, 1040, 128, batch=(2, 3), shared=1, additive="xyij", element="bf16")
    # Which stay apart: as many tiles either way, heads of unknown number, queries that are no rows of memory, and more heads than rows.
    yield "apart", Attention(128, 140, 64, batch=(2, 4), shared=1)
    yield "apart_odd", Attention(33, 140, 64, batch=(1, 3), shared=1, dynamic="i")
    yield "apart_dynamic", Attention(5, 140, 64, batch=(2, 4), shared=1, dynamic="y")
    yield "apart_columns", Attention(16, 136, 64, batch=(2, 4), shared=1, q="xydi")
    yield "apart_more", Attention(2, 140, 64, batch=(130,), shared=1)


PROGRAMS = dict(programs())

if __name__ == "__main__":
    import sys

    print("\n".join(PROGRAMS[name].source(name) for name in sys.argv[1:] or PROGRAMS))
