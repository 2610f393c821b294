"""Random functions on tensors, and what NumPy makes of them.

Sizes are symbols, some of which are known when the function runs. All values are small integers, in whatever type: each of them, and each sum, is exact, so that
results are equal in any order of sums. Every value has a bound, by which operations that would leave what a type holds exactly are clamped or left out.
"""
import ctypes

import numpy as np
from harness import narrow

# Integers of up to that size are exact.
LIMIT = {"f32": 1 << 22, "bf16": 256, "f16": 2048, "i8": 127, "i32": 1 << 29, "i1": 1}
WIDTH = {"f32": 32, "bf16": 16, "f16": 16, "i8": 8, "i32": 32, "i1": 1}
SIZES = [1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 24, 31, 32, 33, 40, 48, 64, 65, 100]
# What a size that is not known may be at most, and how many elements a tensor has.
LARGEST, MOST_ELEMENTS = 200, 60000
BINARY = {"add": (np.add, "addf", "addi"), "sub": (np.subtract, "subf", "subi"), "mul": (np.multiply, "mulf", "muli"),
          "max": (np.maximum, "maximumf", "maxsi"), "min": (np.minimum, "minimumf", "minsi")}


def is_float(dtype):
    return dtype in ("f32", "bf16", "f16")


class Size:
    """A size: `value` gives it for the sizes of a run; `ssa` names it where it is not known before."""

    def __init__(self, value, known, ssa=None):
        self.value, self.known, self.ssa = value, known, ssa

    @property
    def most(self):
        return LARGEST if self.known is None else self.known

    def __str__(self):
        return self.ssa if self.known is None else str(self.known)


class Tensor:
    """`function` gives its elements in a run, as int64; none of them is larger than `bound`."""

    def __init__(self, ssa, shape, dtype, bound, function=None):
        self.ssa, self.shape, self.dtype, self.bound, self.function, self.is_used = ssa, tuple(shape), dtype, bound, function, False

    def compute(self, run):
        if self.ssa not in run:
            run[self.ssa] = self.function(run)
        return run[self.ssa]

    @property
    def type(self):
        return "tensor<" + "".join(("?" if s.known is None else str(s.known)) + "x" for s in self.shape) + self.dtype + ">"


class Body:
    """The payload of a generic op: random arithmetic on its block arguments. A value is (name, type, bound, function of all arguments' elements)."""

    def __init__(self, rng, inputs):
        self.rng, self.lines, self.count = rng, [], 0
        self.values = [(f"%b{i}", t.dtype, t.bound, lambda a, i=i: a[i]) for i, t in enumerate(inputs)]

    def emit(self, text):
        self.count += 1
        self.lines.append(f"%x{self.count} = {text}")
        return f"%x{self.count}"

    def constant(self, dtype, value):
        return self.emit(f"arith.constant {float(value) if is_float(dtype) else value} : {dtype}")

    def pick(self, dtype):
        return self.converted(self.values[int(self.rng.integers(len(self.values)))], dtype)

    def clamped(self, value, bound):
        name, dtype, _, f = value
        kind = int(not is_float(dtype)) + 1
        low = self.emit(f"arith.{BINARY['max'][kind]} {name}, {self.constant(dtype, -bound)} : {dtype}")
        high = self.emit(f"arith.{BINARY['min'][kind]} {low}, {self.constant(dtype, bound)} : {dtype}")
        return high, dtype, bound, lambda a: np.clip(f(a), -bound, bound)

    def converted(self, value, to):
        name, dtype, bound, f = value
        if dtype == to:
            return value
        if to == "i1":
            zero = self.constant(dtype, 0)
            test = self.emit(f"arith.{'cmpf ogt' if is_float(dtype) else 'cmpi sgt'}, {name}, {zero} : {dtype}")
            return test, to, 1, lambda a: (f(a) > 0).astype(np.int64)
        if bound > LIMIT[to]:
            name, _, bound, f = self.clamped(value, 7)
        if is_float(dtype) and is_float(to) and WIDTH[dtype] == WIDTH[to]:
            name, dtype = self.emit(f"arith.extf {name} : {dtype} to f32"), "f32"
        if is_float(dtype) == is_float(to):
            up, down = ("extf", "truncf") if is_float(to) else ("extui" if dtype == "i1" else "extsi", "trunci")
            op = up if WIDTH[dtype] < WIDTH[to] else down
        else:
            op = "fptosi" if is_float(dtype) else "uitofp" if dtype == "i1" else "sitofp"
        return self.emit(f"arith.{op} {name} : {dtype} to {to}"), to, bound, f

    def step(self, dtype):
        op = str(self.rng.choice([*BINARY, "neg", "abs", "select", "constant"]))
        kind = int(not is_float(dtype)) + 1
        x = self.pick(dtype)
        if op in ("neg", "abs"):
            if op == "abs":
                name = self.emit(f"math.{'absf' if is_float(dtype) else 'absi'} {x[0]} : {dtype}")
            else:
                name = self.emit(f"arith.negf {x[0]} : {dtype}" if is_float(dtype) else f"arith.subi {self.constant(dtype, 0)}, {x[0]} : {dtype}")
            return name, dtype, x[2], lambda a: np.abs(x[3](a)) if op == "abs" else -x[3](a)
        if op == "constant":
            op, value = "add", int(self.rng.integers(-3, 4))
            y = self.constant(dtype, value), dtype, 3, lambda a: value
        else:
            y = self.pick(dtype)
        if op == "select":
            test = self.pick("i1")
            return (self.emit(f"arith.select {test[0]}, {x[0]}, {y[0]} : {dtype}"), dtype, max(x[2], y[2]),
                    lambda a: np.where(test[3](a) != 0, x[3](a), y[3](a)))
        bound = {"add": x[2] + y[2], "sub": x[2] + y[2], "mul": x[2] * y[2]}.get(op, max(x[2], y[2]))
        if bound > LIMIT[dtype]:
            x, y, bound = self.clamped(x, 7), self.clamped(y, 7), 49
        return (self.emit(f"arith.{BINARY[op][kind]} {x[0]}, {y[0]} : {dtype}"), dtype, bound, lambda a: BINARY[op][0](x[3](a), y[3](a)))

    def build(self, dtype):
        """Some steps, then the last value as `dtype`."""
        work = str(self.rng.choice(["f32", "f32", *[v[1] for v in self.values if v[1] != "i1"], *([dtype] if dtype != "i1" else [])]))
        for _ in range(int(self.rng.integers(0, 4))):
            self.values.append(self.step(work))
        return self.converted(self.values[-1], dtype)


class Graph:
    """A function `name` of `count` random operations. `source` is None if there is none to return."""

    def __init__(self, rng, name, count):
        self.rng, self.name, self.lines, self.number = rng, name, [], 0
        self.arguments, self.tensors = [], []
        is_dynamic = rng.random() < 0.6
        self.sizes = [Size(lambda run, i=i: run["sizes"][i], None if is_dynamic and rng.random() < 0.5 else int(rng.choice(SIZES)), f"%s{i}")
                      for i in range(int(rng.integers(3, 6)))]
        ops = [self.generic] * 6 + [self.reduction] * 4 + [self.contraction] * 4 + [self.transpose, self.extract_slice, self.pad, self.window] * 2 + [
            self.broadcast, self.concat, self.insert_slice, self.reshape]
        for _ in range(count):
            ops[int(rng.integers(len(ops)))]()
        self.results = [t for t in self.tensors if not t.is_used and not t.ssa.startswith("%a")][:8]
        self.carried = [i for i, s in enumerate(self.sizes) if s.known is None]
        parameters = [f"{t.ssa}: {t.type}" for t in self.arguments] + [f"%s{i}: index" for i in self.carried]
        types = ", ".join(t.type for t in self.results)
        self.source = f"func.func @{name}({', '.join(parameters)}) -> ({types}) {{\n" + "\n".join(self.lines) + f"\n  return {', '.join(t.ssa for t in self.results)} : {types}\n}}\n" if self.results else None

    def run(self, rng):
        """Arguments and wanted results for random values of the sizes that are not known."""
        run = {"sizes": [int(rng.choice(SIZES)) if s.known is None else s.known for s in self.sizes]}
        arguments = []
        for t in self.arguments:
            shape = [s.value(run) for s in t.shape]
            run[t.ssa] = rng.integers(0 if t.dtype == "i1" else -t.bound, t.bound + 1, shape)
            arguments.append(np.asarray(narrow(run[t.ssa], t.dtype)).reshape(shape))
        wanted = [t.compute(run) for t in self.results]
        return arguments + [ctypes.c_int64(run["sizes"][i]) for i in self.carried], wanted

    # Lines.

    def emit(self, text):
        self.number += 1
        self.lines.append(f"  %v{self.number} = {text}")
        return f"%v{self.number}"

    def add(self, text, shape, dtype, bound, compute):
        """A tensor that `text`, of its type, makes."""
        result = Tensor(f"%v{self.number + 1}", shape, dtype, bound, compute)
        self.emit(text.replace("$T", result.type))
        self.tensors.append(result)

    def type_of(self, shape, dtype):
        return Tensor("", shape, dtype, 0).type

    def empty(self, shape, dtype):
        return self.emit(f"tensor.empty({', '.join(s.ssa for s in shape if s.known is None)}) : {self.type_of(shape, dtype)}")

    def constant(self, dtype, value):
        return self.emit("arith.constant true" if dtype == "i1" else f"arith.constant {float(value) if is_float(dtype) else value} : {dtype}")

    def filled(self, shape, dtype, value):
        t = self.type_of(shape, dtype)
        return self.emit(f"linalg.fill ins({self.constant(dtype, value)} : {dtype}) outs({self.empty(shape, dtype)} : {t}) -> {t}")

    def derived(self, parts, function, *steps):
        """A size made of others: `steps` are ops on what the one before made and another size or number."""
        if all(p.known is not None for p in parts):
            return Size(lambda run: function(*[p.value(run) for p in parts]), function(*[p.known for p in parts]))
        index = lambda s: s.ssa if isinstance(s, Size) and s.known is None else self.emit(f"arith.constant {s} : index")
        at = index(parts[0])
        for op, other in steps:
            at = self.emit(f"arith.{op} {at}, {index(other)} : index")
        return Size(lambda run: function(*[p.value(run) for p in parts]), None, at)

    # Operands.

    def size(self):
        return self.sizes[int(self.rng.integers(len(self.sizes)))]

    def fits(self, shape):
        return np.prod([float(40 if s.known is None else s.known) for s in shape]) <= MOST_ELEMENTS

    def pick(self, shape=None, dtype=None, ranks=(1, 2, 2, 3, 3, 4)):
        """A tensor that is there, or a new argument."""
        found = [t for t in self.tensors if (shape is None or t.shape == tuple(shape)) and dtype in (None, t.dtype) and (shape is not None or len(t.shape) in ranks)]
        if found and self.rng.integers(5):
            picked = found[int(self.rng.integers(len(found), size=2).max())]
        else:
            if shape is None:
                shape = [self.size() for _ in range(int(self.rng.choice(ranks)))]
                while not self.fits(shape):
                    shape = shape[1:]
            dtype = dtype or str(self.rng.choice(["f32", "f32", "f32", "bf16", "f16", "i8", "i32", "i1"]))
            picked = Tensor(f"%a{len(self.arguments)}", shape, dtype, 1 if dtype == "i1" else 4)
            self.arguments.append(picked)
            self.tensors.append(picked)
        picked.is_used = True
        return picked

    # Operations.

    def generic(self, reduces=False):
        rng, first = self.rng, self.pick()
        shape, at = list(first.shape), list(range(len(first.shape)))
        if not shape:
            return
        if len(shape) < 4 and rng.integers(4) == 0:
            place = int(rng.integers(len(shape) + 1))
            shape.insert(place, self.size())
            at = [i + (i >= place) for i in at]
            if not self.fits(shape):
                return
        loops = len(shape)
        operands = [(first, at)]
        for _ in range(int(rng.integers(0, 3))):
            chosen = sorted(rng.choice(loops, int(rng.integers(0, loops + 1)) if rng.integers(2) else loops, replace=False).tolist())
            if rng.integers(4) == 0:
                chosen = rng.permutation(chosen).astype(int).tolist()
            operands.append((self.pick([shape[i] for i in chosen]), chosen))
        covered = sorted({i for _, at in operands for i in at})
        reduced = sorted(rng.choice(covered, int(rng.integers(1, min(len(covered), 3) + 1)), replace=False).tolist()) if reduces else []
        kept = [i for i in range(loops) if i not in reduced]
        if not reduces and rng.integers(4) == 0:
            kept = rng.permutation(kept).tolist()
        dtype = str(rng.choice(["f32", "f32", "i32"] if reduces else ["f32", "f32", "bf16", "f16", "i8", "i32", "i1"]))
        body = Body(rng, [t for t, _ in operands])
        name, _, bound, f = body.build(dtype)
        out = [shape[i] for i in kept]
        if reduces:
            count = int(np.prod([float(shape[i].most) for i in reduced]))
            kind = str(rng.choice(["add", "max", "min"]))
            start = None
            if rng.integers(3) == 0:
                start = self.pick(out, dtype)
            if kind == "add" and bound * count + (start.bound if start else 0) > LIMIT[dtype]:
                kind = "max"
            neutral = {"add": 0, "max": -100, "min": 100}[kind]
            init = start.ssa if start else self.filled(out, dtype, neutral)
            name = body.emit(f"arith.{BINARY[kind][1 + (not is_float(dtype))]} {name}, %o : {dtype}")
            bound = bound * count + (start.bound if start else 0) if kind == "add" else max(bound, start.bound if start else 100)
        else:
            init = self.empty(out, dtype)
        names = ", ".join(f"d{i}" for i in range(loops))
        maps = ", ".join(f"affine_map<({names}) -> ({', '.join(f'd{i}' for i in at)})>" for at in [at for _, at in operands] + [kept])
        kinds = ", ".join('"reduction"' if i in reduced else '"parallel"' for i in range(loops))

        def compute(run):
            sizes = [s.value(run) for s in shape]
            arrays = []
            for t, at in operands:
                a = np.transpose(t.compute(run), np.argsort(at)) if at else t.compute(run)
                arrays.append(np.broadcast_to(a.reshape([sizes[i] if i in at else 1 for i in range(loops)]), sizes))
            values = np.broadcast_to(f(arrays), sizes)
            if not reduces:
                return np.transpose(values, kept)
            function = BINARY[kind][0]
            total = function.reduce(values, axis=tuple(reduced), initial={"add": 0, "max": -(1 << 40), "min": 1 << 40}[kind])
            return function(total, start.compute(run) if start else neutral)
        arguments = ", ".join([f"%b{i}: {t.dtype}" for i, (t, _) in enumerate(operands)] + [f"%o: {dtype}"])
        lines = "".join(f"\n    {line}" for line in body.lines)
        self.add(f"linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}} ins({', '.join(t.ssa for t, _ in operands)} : {', '.join(t.type for t, _ in operands)}) outs({init} : $T) {{\n"
                 f"  ^bb0({arguments}):{lines}\n    linalg.yield {name} : {dtype}\n  }} -> $T", out, dtype, bound, compute)

    def reduction(self):
        self.generic(reduces=True)

    def contraction(self):
        a = self.pick(ranks=(2, 2, 3))
        if a.dtype not in ("f32", "bf16", "f16", "i8"):
            return
        *batch, m, k = a.shape
        n, is_turned, dtype = self.size(), self.rng.integers(3) == 0, "i32" if a.dtype == "i8" else "f32"
        b, out = self.pick([*batch, n, k] if is_turned else [*batch, k, n], a.dtype), [*batch, m, n]
        start = self.pick(out, dtype) if self.rng.integers(3) == 0 else None
        bound = a.bound * b.bound * k.most + (start.bound if start else 0)
        if bound > LIMIT[dtype] or not self.fits(out):
            return
        init = start.ssa if start else self.filled(out, dtype, 0)
        p = "b, " * len(batch)
        maps = ", ".join(f"affine_map<({p}m, n, k) -> ({p}{at})>" for at in ("m, k", "n, k" if is_turned else "k, n", "m, n"))
        self.add(f"linalg.contract indexing_maps = [{maps}] ins({a.ssa}, {b.ssa} : {a.type}, {b.type}) outs({init} : $T) -> $T", out, dtype, bound,
                 lambda run: a.compute(run) @ (np.swapaxes(b.compute(run), -1, -2) if is_turned else b.compute(run)) + (start.compute(run) if start else 0))

    def window(self):
        """Sums or maxima of windows along one dimension."""
        rng = self.rng
        out, width, stride = [self.size() for _ in range(int(rng.integers(1, 4)))], int(rng.choice([1, 2, 3, 5])), int(rng.choice([1, 1, 2, 3]))
        if not self.fits(out):
            return
        d, dtype = int(rng.integers(len(out))), str(rng.choice(["f32", "f32", "bf16", "i8", "i32"]))
        shape = list(out)
        shape[d] = self.derived([out[d]], lambda n: n * stride + width, ("muli", stride), ("addi", width))
        x = self.pick(shape, dtype)
        sums = rng.integers(2) == 0 and x.bound * width < LIMIT[dtype]
        init, window = self.filled(out, dtype, 0 if sums else -100), self.empty([Size(None, width)], dtype)
        loops = [f"d{i}" for i in range(len(out))]
        read = ", ".join((f"{n} * {stride} + w" if i == d else n) for i, n in enumerate(loops))
        maps = ", ".join(f"affine_map<({', '.join(loops)}, w) -> ({at})>" for at in (read, "w", ", ".join(loops)))
        op = BINARY["add" if sums else "max"][1 + (not is_float(dtype))]

        def compute(run):
            parts = [np.take(x.compute(run), np.arange(out[d].value(run)) * stride + i, axis=d) for i in range(width)]
            return np.sum(parts, 0) if sums else np.maximum(np.max(parts, 0), -100)
        kinds = '"parallel", ' * len(out) + '"reduction"'
        self.add(f"linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}} ins({x.ssa}, {window} : {x.type}, tensor<{width}x{dtype}>) outs({init} : $T) {{\n"
                 f"  ^bb0(%p: {dtype}, %q: {dtype}, %o: {dtype}):\n    %r = arith.{op} %p, %o : {dtype}\n    linalg.yield %r : {dtype}\n  }} -> $T",
                 out, dtype, x.bound * width if sums else max(x.bound, 100), compute)

    def transpose(self):
        x = self.pick(ranks=(2, 3, 4))
        order = self.rng.permutation(len(x.shape)).tolist()
        if len(order) < 2:
            return
        out = [x.shape[i] for i in order]
        init = self.empty(out, x.dtype)
        result = self.type_of(out, x.dtype)
        self.add(f"linalg.transpose ins({x.ssa} : {x.type}) outs({init} : {result}) permutation = {order}", out, x.dtype, x.bound,
                 lambda run: np.transpose(x.compute(run), order))

    def broadcast(self):
        x = self.pick(ranks=(1, 2, 3))
        place, out = int(self.rng.integers(len(x.shape) + 1)), list(x.shape)
        out.insert(place, self.size())
        if len(out) > 4 or not self.fits(out):
            return
        init, result = self.empty(out, x.dtype), self.type_of(out, x.dtype)
        self.add(f"linalg.broadcast ins({x.ssa} : {x.type}) outs({init} : {result}) dimensions = [{place}]", out, x.dtype, x.bound,
                 lambda run: np.broadcast_to(np.expand_dims(x.compute(run), place), [s.value(run) for s in out]))

    def extract_slice(self):
        """The first half of some dimensions, or every second element of them."""
        x = self.pick()
        out, strides = list(x.shape), [1] * len(x.shape)
        for i, s in enumerate(x.shape):
            if self.rng.integers(4) == 0:
                out[i], strides[i] = self.derived([s], lambda n: -(-n // 2), ("ceildivui", 2)), int(self.rng.choice([1, 1, 2]))
        self.add(f"tensor.extract_slice {x.ssa}[{', '.join(['0'] * len(out))}] [{', '.join(map(str, out))}] [{', '.join(map(str, strides))}] : {x.type} to $T", out, x.dtype, x.bound,
                 lambda run: x.compute(run)[tuple(slice(0, s.value(run) * t, t) for s, t in zip(out, strides))])

    def pad(self):
        x = self.pick()
        low, high = ([int(n) for n in self.rng.choice([0, 0, 1, 3], len(x.shape))] for _ in range(2))
        out = [self.derived([s], lambda n, l=l, h=h: n + l + h, ("addi", l + h)) if l + h else s for s, l, h in zip(x.shape, low, high)]
        indices = ", ".join(f"%i{i}: index" for i in range(len(out)))
        one = self.constant(x.dtype, 1)
        self.add(f"tensor.pad {x.ssa} low[{', '.join(map(str, low))}] high[{', '.join(map(str, high))}] {{\n  ^bb0({indices}):\n    tensor.yield {one} : {x.dtype}\n  }} : {x.type} to $T",
                 out, x.dtype, max(1, x.bound), lambda run: np.pad(x.compute(run), list(zip(low, high)), constant_values=1))

    def concat(self):
        x = self.pick()
        d, shape, out = int(self.rng.integers(len(x.shape))), list(x.shape), list(x.shape)
        if self.rng.integers(2):
            shape[d] = self.size()
        y = self.pick(shape, x.dtype)
        out[d] = self.derived([x.shape[d], shape[d]], lambda m, n: m + n, ("addi", shape[d]))
        self.add(f"tensor.concat dim({d}) {x.ssa}, {y.ssa} : ({x.type}, {y.type}) -> $T", out, x.dtype, max(x.bound, y.bound),
                 lambda run: np.concatenate([x.compute(run), y.compute(run)], d))

    def insert_slice(self):
        x = self.pick()
        d, out, offsets = int(self.rng.integers(len(x.shape))), list(x.shape), [0] * len(x.shape)
        out[d], offsets[d] = self.derived([x.shape[d]], lambda n: n + 3, ("addi", 3)), int(self.rng.integers(4))
        y = self.pick(out, x.dtype)

        def compute(run):
            values = y.compute(run).copy()
            values[tuple(slice(o, o + n) for o, n in zip(offsets, x.compute(run).shape))] = x.compute(run)
            return values
        self.add(f"tensor.insert_slice {x.ssa} into {y.ssa}[{', '.join(map(str, offsets))}] [{', '.join(map(str, x.shape))}] [{', '.join(['1'] * len(out))}] : {x.type} into $T",
                 out, x.dtype, max(x.bound, y.bound), compute)

    def reshape(self):
        """Two dimensions as one, and a copy of that as two again."""
        x = self.pick(ranks=(2, 3, 4))
        if len(x.shape) < 2:
            return
        d, rank = int(self.rng.integers(len(x.shape) - 1)), len(x.shape)
        m, n = x.shape[d], x.shape[d + 1]
        groups = [[i] for i in range(d)] + [[d, d + 1]] + [[i] for i in range(d + 2, rank)]
        flat = [*x.shape[:d], self.derived([m, n], lambda a, b: a * b, ("muli", n)), *x.shape[d + 2:]]
        self.add(f"tensor.collapse_shape {x.ssa} {groups} : {x.type} into $T", flat, x.dtype, x.bound,
                 lambda run: x.compute(run).reshape([s.value(run) for s in flat]))
        y = self.tensors[-1]
        y.is_used = True
        self.add(f"tensor.expand_shape {y.ssa} {groups} output_shape [{', '.join(map(str, x.shape))}] : {y.type} into $T", x.shape, x.dtype, x.bound,
                 lambda run: x.compute(run))
