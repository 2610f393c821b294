"""Random programs on tensors, with what they compute and a bound of its error.

Each value of a program carries its elements in f64 (integers in 64 bits, wrapped to
their type) and, for each element, how far a correct program may be from that: the
error of its operands carried through the operation (first order, with the Lipschitz
constant of functions), plus the rounding of the operation itself. So any composition of
operations has a bound, and the oracle knows nothing of how amp fuses or tiles them.
"""

import random

import numpy as np
from harness import from_bf16, to_bf16

#: Unit roundoff, half of the smallest subnormal number, and the largest number.
FLOATS = {"f64": (2.0**-53, 0.0, 1e300), "f32": (2.0**-24, 2.0**-150, 1e30), "bf16": (2.0**-8, 2.0**-134, 1e30),
          "f16": (2.0**-11, 2.0**-25, 6e4), "f8E4M3FN": (2.0**-4, 2.0**-10, 440.0), "f8E5M2": (2.0**-3, 2.0**-17, 5e4)}
INTS = {"i8": 8, "i16": 16, "i32": 32}
SIZES = [1, 1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 24, 31, 32, 33, 40, 48, 63, 64, 65, 96, 100, 127, 128, 130, 200, 257]
MOST_ELEMENTS, MOST_WORK = 60_000, 4_000_000
#: Values are kept below this, so that no type overflows.
MOST = 300.0


class Dim:
    """A dimension: its size, and the SSA value that holds it where it is dynamic."""

    def __init__(self, size, ssa=None):
        self.size, self.ssa = size, ssa


class Value:
    def __init__(self, name, element, dims, exact, error):
        self.name, self.element, self.dims, self.exact, self.error = name, element, dims, exact, error

    @property
    def is_float(self):
        return self.element in FLOATS

    @property
    def type(self):
        return tensor_type(self.dims, self.element)

    @property
    def largest(self):
        return float(np.max(np.abs(self.exact) + self.error)) if self.exact.size else 0.0


def tensor_type(dims, element):
    return "tensor<" + "".join(("?" if d.ssa else str(d.size)) + "x" for d in dims) + element + ">"


def wrap(x, element):
    bits = INTS[element]
    return ((np.asarray(x, np.int64) + (1 << (bits - 1))) & ((1 << bits) - 1)) - (1 << (bits - 1))


def rounded(exact, error, element, ulps=1.0):
    """The error after a result is rounded to `element`."""
    unit, tiny, _ = FLOATS[element]
    return error + ulps * (unit * (np.abs(exact) + error) + tiny)


def f8_value(code, element):
    mantissa = 3 if element == "f8E4M3FN" else 2
    bias = 7 if mantissa == 3 else 15
    sign = np.where(code & 0x80, -1.0, 1.0)
    exponent, fraction = (code & 0x7F) >> mantissa, code & ((1 << mantissa) - 1)
    return sign * np.where(exponent == 0, fraction * 2.0**(1 - bias - mantissa),
                           (1 + fraction * 2.0**-mantissa) * 2.0**(exponent.astype(np.float64) - bias))


#: name: (lines of MLIR on %x with results %y and temporaries %0..., f64 function, Lipschitz constant, ulps).
UNARY = {
    "neg": ("%y = arith.negf %x : T", np.negative, 1, 0),
    "abs": ("%y = math.absf %x : T", np.abs, 1, 0),
    "tanh": ("%y = math.tanh %x : T", np.tanh, 1, 8),
    "relu": ("%0 = arith.constant 0.0 : T\n%y = arith.maximumf %x, %0 : T", lambda x: np.maximum(x, 0), 1, 0),
    "sine": ("%y = math.sin %x : T", np.sin, 1, 8),
    "root": ("%0 = math.absf %x : T\n%1 = arith.constant 1.0 : T\n%2 = arith.addf %0, %1 : T\n%y = math.sqrt %2 : T",
             lambda x: np.sqrt(np.abs(x) + 1), 0.5, 4),
    "rsqrt": ("%0 = math.absf %x : T\n%1 = arith.constant 1.0 : T\n%2 = arith.addf %0, %1 : T\n%y = math.rsqrt %2 : T",
              lambda x: 1 / np.sqrt(np.abs(x) + 1), 0.5, 6),
    "log": ("%0 = math.absf %x : T\n%1 = arith.constant 1.0 : T\n%2 = arith.addf %0, %1 : T\n%y = math.log %2 : T",
            lambda x: np.log(np.abs(x) + 1), 1, 8),
    "sigmoid": ("%0 = arith.negf %x : T\n%1 = math.exp %0 : T\n%2 = arith.constant 1.0 : T\n%3 = arith.addf %1, %2 : T\n"
                "%y = arith.divf %2, %3 : T", lambda x: 1 / (1 + np.exp(-x)), 0.25, 8),
}


class Program:
    """One function. `results` are its values, in order; `arguments` NumPy arrays in the types' representation."""

    def __init__(self, seed, length=None, ops=None):
        """`length`: no more than so many operations, the first ones."""
        self.random = random.Random(seed)
        self.rng = np.random.default_rng(seed)
        self.name = f"p{seed}"
        self.lines, self.parameters, self.arguments, self.values = [], [], [], []
        self.count = 0
        self.is_dynamic = self.chance(0.3)
        first = self.make_first()
        self.values.append(first)
        wanted = self.random.randint(1, 7)
        self.length = wanted if length is None else min(wanted, length)
        for _ in range(4 * wanted):
            if len(self.values) > self.length:
                break
            value = getattr(self, "make_" + self.random.choice(ops or OPS))(self.pick())
            if value is not None:
                self.values.append(value)
        last = self.values[-1]
        self.results = [last]
        others = [v for v in self.values[1:-1] if v is not last]
        if others and self.chance(0.4):
            self.results.append(self.random.choice(others))

    # Pieces.

    def chance(self, p):
        return self.random.random() < p

    def pick(self):
        return self.values[-1] if self.chance(0.75) else self.random.choice(self.values)

    def name_of(self, prefix="v"):
        self.count += 1
        return f"%{prefix}{self.count}"

    def emit(self, text):
        self.lines += text.split("\n")

    def dim(self, most=10**9):
        size = self.random.choice([s for s in SIZES if s <= most] or [1])
        return Dim(size, "?" if self.is_dynamic and self.chance(0.5) else None)

    def constant(self, text, element):
        name = self.name_of("c")
        self.emit(f"{name} = arith.constant {text} : {element}")
        return name

    def index(self, dim):
        """An SSA value of type index."""
        return dim.ssa or self.constant(str(dim.size), "index")

    def argument(self, dims, element):
        name = self.name_of("a")
        shape = tuple(d.size for d in dims)
        if element in INTS:
            bits = min(INTS[element], 8)
            exact = self.rng.integers(-(1 << (bits - 1)), 1 << (bits - 1), shape)
            array = exact.astype(getattr(np, element.replace("i", "int")))
        elif element.startswith("f8"):
            one = 0x38 if element == "f8E4M3FN" else 0x3C
            array = (self.rng.integers(0, one + 1, shape) | (self.rng.integers(0, 2, shape) << 7)).astype(np.uint8)
            exact = f8_value(array.astype(np.int64), element)
        else:
            exact = self.rng.uniform(-1, 1, shape)
            if element == "bf16":
                array = to_bf16(exact)
                exact = from_bf16(array).astype(np.float64)
            else:
                array = exact.astype({"f64": np.float64, "f32": np.float32, "f16": np.float16}[element])
                exact = array.astype(np.float64)
        value = Value(name, element, dims, np.asarray(exact), np.zeros(shape))
        array = np.ascontiguousarray(array).reshape(shape)
        self.parameters.append(f"{name}: {value.type}")
        self.arguments.append(array)
        for i, d in enumerate(dims):
            if d.ssa == "?":
                d.ssa = self.name_of("d")
                self.emit(f"{d.ssa}_i = arith.constant {i} : index\n{d.ssa} = tensor.dim {name}, {d.ssa}_i : {value.type}")
        return value

    def derived(self, dim, size, ssa):
        """A dimension computed from `dim`: `ssa` makes the value where that is dynamic."""
        return Dim(size, ssa() if dim.ssa else None)

    def empty(self, dims, element):
        name = self.name_of("e")
        self.emit(f"{name} = tensor.empty({', '.join(d.ssa for d in dims if d.ssa)}) : {tensor_type(dims, element)}")
        return name

    def filled(self, dims, element, text):
        constant = self.constant(text, element)
        e, name, t = self.empty(dims, element), self.name_of("f"), tensor_type(dims, element)
        self.emit(f"{name} = linalg.fill ins({constant} : {element}) outs({e} : {t}) -> {t}")
        return name

    def generic(self, loops, kinds, operands, out_map, out, init, element, body):
        """operands: (name, type, map). `body` sees %x0... and %o and ends in a line that defines %y."""
        name = self.name_of()
        # The result's type may know less than the operands'.
        less = [Dim(d.size, self.index(d)) if self.chance(0.5) else d for d in out] if self.chance(0.15) else out
        told, t = tensor_type(out, element), tensor_type(less, element)
        if t != told:
            init, known = self.name_of("e"), init
            self.emit(f"{init} = tensor.cast {known} : {told} to {t}" if self.chance(0.5) or "%o" in body else
                      f"{init} = tensor.empty({', '.join(d.ssa for d in less if d.ssa)}) : {t}")
        dims = ", ".join(f"d{i}" for i in range(loops))
        maps = ", ".join(f"affine_map<({dims}) -> ({m})>" for m in [*(o[2] for o in operands), out_map])
        iterators = ", ".join(f'"{k}"' for k in kinds)
        ins = f"ins({', '.join(o[0] for o in operands)} : {', '.join(o[1] for o in operands)}) " if operands else ""
        block = ", ".join([f"%x{i}: {o[1].rsplit('x', 1)[-1].rstrip('>').replace('tensor<', '')}" for i, o in enumerate(operands)] + [f"%o: {element}"])
        self.emit(f"{name} = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{iterators}]}} {ins}outs({init} : {t}) {{")
        self.emit(f"^bb0({block}):\n{body}\n  linalg.yield %y : {element}\n}} -> {t}")
        if t == told:
            return name
        self.emit(f"{name}_told = tensor.cast {name} : {t} to {told}")
        return f"{name}_told"

    def elements(self, dims):
        return int(np.prod([d.size for d in dims], dtype=np.int64))

    # Operations: each takes a value, and gives one, or None where it does not apply.

    def make_first(self):
        rank = self.random.choice([1, 2, 2, 2, 3, 3, 4])
        dims, left = [], MOST_ELEMENTS
        for _ in range(rank):
            dims.append(self.dim(left))
            left //= dims[-1].size
        return self.argument(dims, self.random.choice(["f32"] * 6 + ["bf16", "bf16", "f16", "f64", "i8", "i8", "i32", "f8E4M3FN", "f8E5M2"]))

    def make_unary(self, v):
        if not v.is_float or v.element == "f64" or v.element.startswith("f8"):
            return None
        kind = self.random.choice(sorted(UNARY))
        text, function, slope, ulps = UNARY[kind]
        if kind == "sigmoid" and v.largest > 20:
            return None
        exact = function(v.exact)
        # What is added to 1 is rounded before a function takes it, whose slope is 1 at most.
        inner = FLOATS[v.element][0] if ulps else 0
        error = rounded(exact, slope * v.error, v.element, ulps + 1 if ulps else 0) + inner
        body = text.replace("%x", "%x0").replace(": T", f": {v.element}")
        name = self.map(v, [v], [None], body, v.element)
        return Value(name, v.element, v.dims, exact, error)

    def map(self, v, operands, orders, body, element):
        """An elementwise op over the dims of `v`; an order names the dims that an operand has."""
        rank = len(v.dims)
        listed = [(o.name, o.type, ", ".join(f"d{i}" for i in (range(rank) if order is None else order)))
                  for o, order in zip(operands, orders)]
        init = self.empty(v.dims, element)
        return self.generic(rank, ["parallel"] * rank, listed, ", ".join(f"d{i}" for i in range(rank)), v.dims, init, element, body)

    def spread(self, value, order, rank):
        """Arrays of `value`, whose dims are `order` of `rank`, as they broadcast."""
        positions = sorted(range(len(order)), key=lambda i: order[i])
        shape = [1] * rank
        for i in order:
            shape[i] = value.dims[order.index(i)].size
        return [a.transpose(positions).reshape(shape) for a in (value.exact, value.error)]

    def make_binary(self, v):
        """With another value whose dims `v` has, else with a new argument, broadcast and transposed."""
        rank = len(v.dims)
        other, order = None, None
        fitting = [w for w in self.values if w is not v and w.is_float == v.is_float and w.dims and
                   all(any(d is e for e in v.dims) for d in w.dims)]
        if fitting and self.chance(0.6):
            other = self.random.choice(fitting)
            order = [next(i for i, e in enumerate(v.dims) if e is d) for d in other.dims]
            if len(set(order)) != len(order):
                return None
        else:
            order = self.random.sample(range(rank), self.random.randint(0 if self.chance(0.3) else min(1, rank), rank))
            if self.chance(0.6):
                order.sort()
            element = self.random.choice(["f32", "f32", "bf16", "f16", v.element]) if v.is_float else v.element
            other = self.argument([v.dims[i] for i in order], element)
        a, ea = v.exact, v.error
        b, eb = self.spread(other, order, rank)
        if not v.is_float:
            element = max(v.element, other.element, key=lambda e: INTS[e])
            op, function = self.random.choice([("addi", np.add), ("subi", np.subtract), ("muli", np.multiply), ("maxsi", np.maximum)])
            lines = [f"%w{i} = arith.extsi %x{i} : {o.element} to {element}" if o.element != element else "" for i, o in enumerate((v, other))]
            names = [f"%w{i}" if line else f"%x{i}" for i, line in enumerate(lines)]
            body = "\n".join(filter(None, lines)) + f"\n%y = arith.{op} {names[0]}, {names[1]} : {element}"
            exact = wrap(function(a, b), element)
            return Value(self.map(v, [v, other], [None, order], body, element), element, v.dims, exact, np.zeros(exact.shape))
        element = max([v.element, other.element, "f32"], key=lambda e: e == "f64")
        element = element if element == "f64" else "f32"
        lines = [f"%w{i} = arith.extf %x{i} : {o.element} to {element}" if o.element != element else "" for i, o in enumerate((v, other))]
        names = [f"%w{i}" if line else f"%x{i}" for i, line in enumerate(lines)]
        kind = self.random.choice(["addf", "subf", "mulf", "maximumf", "minimumf", "divf", "select"])
        if kind == "mulf":
            exact, error = a * b, np.abs(a) * eb + np.abs(b) * ea + ea * eb
        elif kind == "divf":
            exact, error = a / (np.abs(b) + 1), ea + (np.abs(a) + ea) * eb
        elif kind == "select":
            if np.any(eb):
                return None
            exact, error = np.where(b > 0, a, 0.0), np.where(b > 0, ea, 0.0)
        else:
            exact = {"addf": np.add, "subf": np.subtract, "maximumf": np.maximum, "minimumf": np.minimum}[kind](a, b)
            error = ea + eb
        shape = v.exact.shape
        exact, error = np.broadcast_to(exact, shape), np.broadcast_to(error, shape)
        if np.max(np.abs(exact) + error, initial=0) > MOST:
            return None
        if kind == "divf":
            last = f"%s = math.absf {names[1]} : T\n%t = arith.constant 1.0 : T\n%u = arith.addf %s, %t : T\n%y = arith.divf {names[0]}, %u : T"
        elif kind == "select":
            last = f"%t = arith.constant 0.0 : T\n%u = arith.cmpf ogt, {names[1]}, %t : T\n%y = arith.select %u, {names[0]}, %t : T"
        else:
            last = f"%y = arith.{kind} {names[0]}, {names[1]} : T"
        body = "\n".join([*filter(None, lines), last.replace(": T", ": " + element)])
        name = self.map(v, [v, other], [None, order], body, element)
        return Value(name, element, v.dims, exact, rounded(exact, error, element, 4))

    def make_cast(self, v):
        """Between floats, from integers to f32, and of integers to others."""
        if v.is_float:
            target = self.random.choice([e for e in FLOATS if e != v.element])
            if v.largest > FLOATS[target][2]:
                return None
            wider = FLOATS[target][0] < FLOATS[v.element][0]
            if {target, v.element} in ({"f16", "bf16"}, {"f8E4M3FN", "f8E5M2"}):
                return None
            op, exact = ("extf" if wider else "truncf"), v.exact
            error = v.error if wider else rounded(exact, v.error, target)
        else:
            target = self.random.choice([e for e in [*INTS, "f32", "f32"] if e != v.element])
            if target == "f32":
                op, exact, error = "sitofp", v.exact.astype(np.float64), rounded(v.exact.astype(np.float64), v.error, "f32")
                if v.largest > MOST:
                    scale = 2.0 ** -np.ceil(np.log2(v.largest))
                    body = f"%0 = arith.sitofp %x0 : {v.element} to f32\n%1 = arith.constant {scale:.20e} : f32\n%y = arith.mulf %0, %1 : f32"
                    return Value(self.map(v, [v], [None], body, "f32"), "f32", v.dims, exact * scale, error * scale)
            else:
                op = "extsi" if INTS[target] > INTS[v.element] else "trunci"
                exact, error = wrap(v.exact, target), v.error
        name = self.map(v, [v], [None], f"%y = arith.{op} %x0 : {v.element} to {target}", target)
        return Value(name, target, v.dims, exact, error)

    def sums(self, v, b, spec, loops, kinds, maps, out, extra=()):
        """A contraction of `v` and `b` by an einsum of their arrays; `extra` operands give sizes of loops."""
        acc = ("i32" if not v.is_float else "f64" if "f64" in (v.element, b.element) else "f32")
        widen = "extsi" if acc == "i32" else "extf"
        body = [f"%w{i} = arith.{widen} %x{i} : {o.element} to {acc}" for i, o in enumerate((v, b)) if o.element != acc]
        names = [f"%w{i}" if o.element != acc else f"%x{i}" for i, o in enumerate((v, b))]
        body += [f"%m = arith.{'muli' if acc == 'i32' else 'mulf'} {names[0]}, {names[1]} : {acc}",
                 f"%y = arith.{'addi' if acc == 'i32' else 'addf'} %o, %m : {acc}"]
        einsum = lambda x, y: np.einsum(spec, x, y, optimize=True)
        if acc == "i32":
            exact = einsum(v.exact.astype(np.float64), b.exact.astype(np.float64))
            if np.max(np.abs(exact), initial=0) > 2.0**52:
                return None
            exact, error = wrap(np.rint(exact), "i32"), np.zeros(exact.shape)
        else:
            exact, a = einsum(v.exact, b.exact), np.abs(v.exact)
            terms = max(1, int(self.work / max(1, exact.size)))
            error = einsum(v.error, np.abs(b.exact) + b.error) + einsum(a, b.error) + (terms + 8) * FLOATS[acc][0] * einsum(a, np.abs(b.exact))
        if acc != "i32" and np.max(np.abs(exact) + error, initial=0) > 10 * MOST:
            return None
        if self.chance(0.2):
            # What sums start from is rounded with each of them.
            c = self.argument(out, acc)
            init, exact = c.name, exact + c.exact if acc != "i32" else wrap(exact + c.exact, "i32")
            error = error if acc == "i32" else error + (terms + 8) * FLOATS[acc][0] * np.abs(c.exact)
        else:
            init = self.filled(out, acc, "0" if acc == "i32" else "0.0")
        operands = [(v.name, v.type, maps[0]), (b.name, b.type, maps[1]), *extra]
        name = self.generic(loops, kinds, operands, maps[2], out, init, acc, "\n".join(body))
        return Value(name, acc, out, exact, error)

    def partner(self, v):
        """An element type for the other operand of a contraction."""
        if not v.is_float:
            return self.random.choice([v.element, "i8"])
        return self.random.choice([v.element, v.element, "f32" if v.element != "f64" else "f64", "bf16", "f16"])

    def make_product(self, v):
        """v's dims are divided into batch, rows and k; the other operand has batch, k and columns in any order."""
        rank = len(v.dims)
        if rank == 0 or not (v.is_float or v.element in ("i8", "i32")):
            return None
        order = self.random.sample(range(rank), rank) if self.chance(0.3) else list(range(rank))
        batch = order[:1] if rank > 2 and self.chance(0.5) else []
        rest = order[len(batch):]
        k = rest[-(2 if len(rest) > 2 and self.chance(0.15) else 1):]
        rows = [i for i in rest if i not in k]
        done = self.elements([v.dims[i] for i in order])
        columns = [self.dim(min(MOST_WORK // max(1, done), MOST_ELEMENTS // max(1, self.elements([v.dims[i] for i in batch + k]))))
                   for _ in range(self.random.choice([0, 1, 1, 1, 1, 2]))]
        if done * self.elements(columns) > MOST_WORK or self.elements([v.dims[i] for i in batch + rows] + columns) > MOST_ELEMENTS:
            return None
        # Loops: v's dims by their place, then the columns.
        loops = rank + len(columns)
        dims = v.dims + columns
        other = batch + k + list(range(rank, loops))
        if self.chance(0.5):
            self.random.shuffle(other)
        if self.elements([dims[i] for i in other]) > MOST_ELEMENTS:
            return None
        out = batch + rows + list(range(rank, loops))
        if self.chance(0.25):
            self.random.shuffle(out)
        b = self.argument([dims[i] for i in other], self.partner(v))
        text = lambda places: ", ".join(f"d{i}" for i in places)
        letters = lambda places: "".join("abcdefgh"[i] for i in places)
        self.work = done * self.elements(columns)
        kinds = ["reduction" if i in k else "parallel" for i in range(loops)]
        return self.sums(v, b, f"{letters(range(rank))},{letters(other)}->{letters(out)}", loops, kinds,
                         (text(range(rank)), text(other), text(out)), [dims[i] for i in out])

    def windows(self, v, axes):
        """Sizes of windows along `axes`, the dims of what they give, and v's arrays by windows (at the end)."""
        sizes, exact, error, out, text = [], v.exact, v.error, {}, {}
        for n, axis in enumerate(axes):
            kernel = self.random.choice([1, 2, 3, 3, 3, 4, 5, 7])
            stride, dilation = self.random.choice([1, 1, 1, 2, 3]), self.random.choice([1, 1, 1, 2])
            reach = (kernel - 1) * dilation + 1
            dim = v.dims[axis]
            if dim.size < reach:
                return None
            size = (dim.size - reach) // stride + 1

            def make(dim=dim, reach=reach, stride=stride):
                r, s, one = (self.constant(str(x), "index") for x in (reach, stride, 1))
                a, b, c = self.name_of("d"), self.name_of("d"), self.name_of("d")
                self.emit(f"{a} = arith.subi {dim.ssa}, {r} : index\n{b} = arith.divsi {a}, {s} : index\n{c} = arith.addi {b}, {one} : index")
                return c
            out[axis] = self.derived(dim, size, make)
            taken = np.arange(size)[:, None] * stride + np.arange(kernel) * dilation
            exact, error = (np.moveaxis(np.take(x, taken, axis=axis), axis + 1, -1) for x in (exact, error))
            sizes.append(kernel)
            scaled = lambda d, by: d if by == 1 else f"{d} * {by}"
            # A window that is the whole dim may leave its place out.
            whole = dim.size == reach and not dim.ssa and self.chance(0.5)
            text[axis] = ("" if whole else f"{scaled(f'd{axis}', stride)} + ", lambda w, by=dilation: scaled(w, by))
        return sizes, out, exact, error, text

    def make_window(self, v):
        """A convolution (by channels or with channels summed) or pooling along one or two dims, maybe padded first."""
        rank = len(v.dims)
        if rank < 2 or not (v.is_float or v.element in ("i8", "i32")) or v.exact.size == 0:
            return None
        if self.chance(0.4):
            v = self.make_pad(v) or v
        axes = sorted(self.random.sample(range(rank), self.random.choice([1, 2, 2]) if rank > 2 else 1))
        found = self.windows(v, axes)
        if not found:
            return None
        sizes, out, exact, error, text = found
        pooling = self.chance(0.3)
        others = [i for i in range(rank) if i not in axes]
        channel = self.random.choice(others) if others and not pooling else None
        summed = channel is not None and self.chance(0.75)
        features = [] if pooling or (not summed and self.chance(0.7)) else [self.dim(128)]
        # Loops: v's dims, then those of the window, then features.
        dims = [out.get(i, v.dims[i]) for i in range(rank)] + [Dim(s) for s in sizes] + features
        loops = len(dims)
        self.work = self.elements(dims)
        if self.work > MOST_WORK:
            return None
        image = []
        for i in range(rank):
            image.append(f"{text[i][0]}{text[i][1](f'd{rank + axes.index(i)}')}" if i in axes else f"d{i}")
        result = [i for i in range(rank) if not (summed and i == channel)] + list(range(rank + len(sizes), loops))
        if self.chance(0.3):
            self.random.shuffle(result)
        kinds = ["reduction" if rank <= i < rank + len(sizes) or (summed and i == channel) else "parallel" for i in range(loops)]
        window = Value(v.name, v.element, v.dims, exact, error)
        letters = "abcdefghijkl"[:loops]
        spec = "".join(letters[i] for i in result)
        if pooling:
            if v.element == "i8":
                return None
            w = self.empty([Dim(s) for s in sizes], v.element)
            maximum = self.chance(0.5)
            axes_of = tuple(range(rank, rank + len(sizes)))
            if maximum:
                value, bound = exact.max(axis=axes_of), error.max(axis=axes_of)
            else:
                value, bound = exact.sum(axis=axes_of), error.sum(axis=axes_of)
                if v.is_float:
                    bound = bound + (np.prod(sizes) + 4) * FLOATS[v.element][0] * (np.abs(exact) + error).sum(axis=axes_of)
                else:
                    value = wrap(value, v.element)
            if v.is_float and np.max(np.abs(value) + bound, initial=0) > min(MOST * 10, FLOATS[v.element][2]):
                return None
            value, bound = (np.einsum(f"{letters[:rank]}->{spec}", x) for x in (value, bound))
            if v.is_float and v.element.startswith("f8"):
                return None
            op = ("maximumf" if maximum else "addf") if v.is_float else ("maxsi" if maximum else "addi")
            lowest = {"f32": "0xFF800000", "f64": "0xFFF0000000000000", "bf16": "0xFF80", "f16": "0xFC00"}.get(v.element, "-2147483648")
            dims_out = [dims[i] for i in result]
            init = self.filled(dims_out, v.element, lowest if maximum else "0.0" if v.is_float else "0")
            operands = [(v.name, v.type, ", ".join(image)), (w, tensor_type([Dim(s) for s in sizes], v.element), ", ".join(f"d{i}" for i in range(rank, rank + len(sizes))))]
            name = self.generic(loops, kinds, operands, ", ".join(f"d{i}" for i in result), dims_out, init, v.element,
                                f"%y = arith.{op} %o, %x0 : {v.element}")
            return Value(name, v.element, dims_out, value, bound)
        kernel = list(range(rank, loops)) + ([channel] if channel is not None else [])
        self.random.shuffle(kernel)
        if self.elements([dims[i] for i in kernel]) > MOST_ELEMENTS or self.elements([dims[i] for i in result]) > MOST_ELEMENTS:
            return None
        b = self.argument([dims[i] for i in kernel], self.partner(v))
        return self.sums(window, b, f"{letters[:rank + len(sizes)]},{''.join(letters[i] for i in kernel)}->{spec}", loops, kinds,
                         (", ".join(image), ", ".join(f"d{i}" for i in kernel), ", ".join(f"d{i}" for i in result)), [dims[i] for i in result])

    def make_reduce(self, v):
        rank = len(v.dims)
        if rank == 0 or v.exact.size == 0 or v.element in ("i8", "i16") or v.element.startswith("f8"):
            return None
        axes = [rank - 1] if self.chance(0.6) else sorted(self.random.sample(range(rank), self.random.randint(1, rank)))
        kept = [i for i in range(rank) if i not in axes]
        maximum = self.chance(0.4)
        if maximum:
            exact, error = v.exact.max(axis=tuple(axes)), v.error.max(axis=tuple(axes))
        else:
            count = v.exact.size // max(1, self.elements([v.dims[i] for i in kept]))
            acc_unit = FLOATS[v.element][0] if v.is_float else 0
            exact = v.exact.sum(axis=tuple(axes))
            error = v.error.sum(axis=tuple(axes)) + (count + 4) * acc_unit * (np.abs(v.exact) + v.error).sum(axis=tuple(axes))
            if not v.is_float:
                exact = wrap(exact, v.element)
        exact, error = np.asarray(exact), np.asarray(error)
        if v.is_float and np.max(np.abs(exact) + error, initial=0) > 10 * MOST:
            return None
        lowest = {"f32": "0xFF800000", "f64": "0xFFF0000000000000", "bf16": "0xFF80", "f16": "0xFC00"}.get(v.element, "-2147483648")
        out = [v.dims[i] for i in kept]
        init = self.filled(out, v.element, lowest if maximum else "0.0" if v.is_float else "0")
        op = ("maximumf" if maximum else "addf") if v.is_float else ("maxsi" if maximum else "addi")
        name = self.generic(rank, ["reduction" if i in axes else "parallel" for i in range(rank)],
                            [(v.name, v.type, ", ".join(f"d{i}" for i in range(rank)))], ", ".join(f"d{i}" for i in kept), out, init, v.element,
                            f"%y = arith.{op} %o, %x0 : {v.element}")
        return Value(name, v.element, out, exact, error)

    def make_mixed(self, v):
        """Reads `v`, and others or `v` again along other loops, and may reduce some of these: into what is there already, where that fits."""
        narrow = ("f32", "bf16", "f16")
        if v.element not in narrow or not v.dims:
            return None
        loops = list(v.dims)
        if len(loops) < 4 and self.chance(0.5):
            # A second loop of a size that v has lets v be read along that.
            loops.insert(self.random.randint(0, len(loops)), self.random.choice(v.dims))
        rank, unit = len(loops), FLOATS["f32"][0]
        if self.elements(loops) > MOST_WORK // 4:
            return None

        def places(value):
            """The loops along which `value` is read."""
            free, found = self.random.sample(range(rank), rank), []
            for d in value.dims:
                found.append(next((i for i in free if loops[i] is d), None))
                if found[-1] is None:
                    return None
                free.remove(found[-1])
            return found
        operands = [(v, places(v))]
        for _ in range(self.random.choice([0, 1, 1, 2])):
            w = v if self.chance(0.3) else self.random.choice(self.values)
            at = places(w) if w.element in narrow and self.chance(0.8) else None
            if at is None:
                at = self.random.sample(range(rank), self.random.randint(0, rank))
                if self.elements([loops[i] for i in at]) > MOST_ELEMENTS:
                    return None
                w = self.argument([loops[i] for i in at], self.random.choice(["f32", *narrow]))
            operands.append((w, at))
        body = [f"%w{i} = arith.extf %x{i} : {w.element} to f32" for i, (w, _) in enumerate(operands) if w.element != "f32"]
        name_of = lambda i: f"%x{i}" if operands[i][0].element == "f32" else f"%w{i}"
        last, (exact, error) = name_of(0), self.spread(*operands[0], rank)
        for i, (w, at) in enumerate(operands[1:], 1):
            op, (b, eb) = self.random.choice(["addf", "subf", "mulf", "maximumf"]), self.spread(w, at, rank)
            error = np.abs(exact) * eb + np.abs(b) * error + error * eb if op == "mulf" else error + eb
            exact = {"addf": np.add, "subf": np.subtract, "mulf": np.multiply, "maximumf": np.maximum}[op](exact, b)
            error = rounded(exact, error, "f32")
            body.append(f"%s{i} = arith.{op} {last}, {name_of(i)} : f32")
            last = f"%s{i}"
        exact, error = (np.broadcast_to(a, [d.size for d in loops]) for a in (exact, error))
        covered = sorted({i for _, at in operands for i in at})
        reduced = sorted(self.random.sample(covered, self.random.randint(1, len(covered)))) if self.chance(0.6) else []
        kept = [i for i in range(rank) if i not in reduced]
        if not reduced and self.chance(0.25):
            self.random.shuffle(kept)
        out = [loops[i] for i in kept]
        if self.elements(out) > MOST_ELEMENTS:
            return None
        if reduced:
            axes, count, maximum = tuple(reduced), self.elements([loops[i] for i in reduced]), self.chance(0.4)
            started = [w for w in self.values if w.element == "f32" and len(w.dims) == len(out) and all(d is e for d, e in zip(w.dims, out))]
            if maximum:
                exact, error = exact.max(axis=axes), error.max(axis=axes)
            else:
                error = error.sum(axis=axes) + (count + 8) * unit * (np.abs(exact) + error).sum(axis=axes)
                exact = exact.sum(axis=axes)
            if started and self.chance(0.6):
                start = self.random.choice(started)
                init, error = start.name, error + start.error + (count + 8) * unit * np.abs(start.exact)
                exact = np.maximum(exact, start.exact) if maximum else exact + start.exact
            else:
                init = self.filled(out, "f32", "0xFF800000" if maximum else "0.0")
            body.append(f"%y = arith.{'maximumf' if maximum else 'addf'} %o, {last} : f32")
        else:
            exact, error = exact.transpose(kept), error.transpose(kept)
            init = self.empty(out, "f32")
            body.append(f"%y = arith.addf {last}, {last} : f32")
            exact, error = 2 * exact, 2 * error
        if np.max(np.abs(exact) + error, initial=0) > 10 * MOST:
            return None
        text = lambda at: ", ".join(f"d{i}" for i in at)
        name = self.generic(rank, ["reduction" if i in reduced else "parallel" for i in range(rank)], [(w.name, w.type, text(at)) for w, at in operands],
                            text(kept), out, init, "f32", "\n".join(body))
        return Value(name, "f32", out, np.asarray(exact), np.asarray(error))

    def make_softmax(self, v):
        if v.element != "f32" or not v.dims or v.exact.size == 0 or v.largest > 30:
            return None
        rank, text = len(v.dims), ", ".join(f"d{i}" for i in range(len(v.dims)))
        name, e = self.name_of(), self.empty(v.dims, "f32")
        axis = self.random.randrange(rank) if self.chance(0.3) else rank - 1
        self.emit(f"{name} = linalg.softmax dimension({axis}) ins({v.name} : {v.type}) outs({e} : {v.type}) -> {v.type}")
        x = v.exact - v.exact.max(axis=axis, keepdims=True)
        exact = np.exp(x)
        exact /= exact.sum(axis=axis, keepdims=True)
        spread = 2 * v.error.max(axis=axis, keepdims=True)
        error = exact * (np.expm1(2 * spread) + (v.dims[axis].size + 16 + 4 * np.abs(x)) * 2.0**-24) + 1e-37
        return Value(name, "f32", v.dims, exact, error)

    def make_transpose(self, v):
        rank = len(v.dims)
        if rank < 2:
            return None
        order = self.random.sample(range(rank), rank)
        out = [v.dims[i] for i in order]
        name, e, t = self.name_of(), self.empty(out, v.element), tensor_type(out, v.element)
        self.emit(f"{name} = linalg.transpose ins({v.name} : {v.type}) outs({e} : {t}) permutation = {order}")
        return Value(name, v.element, out, v.exact.transpose(order), v.error.transpose(order))

    def make_pad(self, v):
        pads = [(self.random.choice([0, 0, 1, 2, 3]), self.random.choice([0, 0, 1, 2, 5])) for _ in v.dims]
        if not v.dims or self.elements(v.dims) * 4 > MOST_ELEMENTS:
            return None
        out = []
        for d, (low, high) in zip(v.dims, pads):
            def grow(d=d, by=low + high):
                c, s = self.constant(str(by), "index"), self.name_of("d")
                self.emit(f"{s} = arith.addi {d.ssa}, {c} : index")
                return s
            out.append(d if low + high == 0 else self.derived(d, d.size + low + high, grow))
        zero, name = self.constant("0.0" if v.is_float else "0", v.element), self.name_of()
        block = ", ".join(f"%i{n}: index" for n in range(len(pads)))
        self.emit(f"{name} = tensor.pad {v.name} low[{', '.join(str(p[0]) for p in pads)}] high[{', '.join(str(p[1]) for p in pads)}] {{\n"
                  f"^bb0({block}):\n  tensor.yield {zero} : {v.element}\n}} : {v.type} to {tensor_type(out, v.element)}")
        return Value(name, v.element, out, np.pad(v.exact, pads), np.pad(v.error, pads))

    def make_slice(self, v):
        """All of a dim, or a part of static size; one element may be no dim of the result."""
        if not v.dims or v.exact.size == 0:
            return None
        offsets, sizes, strides, out, cut, dropped = [], [], [], [], [], []
        for d in v.dims:
            if self.chance(0.5):
                if d.ssa:
                    offsets.append("0"), sizes.append(d.ssa), strides.append("1"), out.append(d), cut.append(slice(None))
                    continue
                offset, stride, size = 0, 1, d.size
            else:
                stride = self.random.choice([1, 1, 1, 2, 3])
                offset = self.random.randrange(d.size)
                size = self.random.choice([1, self.random.randint(1, (d.size - 1 - offset) // stride + 1)])
            offsets.append(str(offset)), sizes.append(str(size)), strides.append(str(stride))
            cut.append(slice(offset, offset + (size - 1) * stride + 1, stride))
            if size == 1 and self.chance(0.4) and len(dropped) + 1 < len(v.dims):
                dropped.append(len(cut) - 1)
            else:
                out.append(d if size == d.size and not d.ssa else Dim(size))
        name = self.name_of()
        self.emit(f"{name} = tensor.extract_slice {v.name}[{', '.join(offsets)}] [{', '.join(sizes)}] [{', '.join(strides)}] : {v.type} to {tensor_type(out, v.element)}")
        return Value(name, v.element, out, *(np.squeeze(x[tuple(cut)], tuple(dropped)) for x in (v.exact, v.error)))

    def make_insert(self, v):
        """Into a larger argument, which may have dims that it lacks."""
        if not v.dims or self.elements(v.dims) * 8 > MOST_ELEMENTS or any(d.ssa for d in v.dims):
            return None
        sizes = [d.size for d in v.dims]
        for _ in range(self.random.choice([0, 0, 1, 2]) if len(sizes) < 4 else 0):
            sizes.insert(self.random.randint(0, len(sizes)), 1)
        low = [self.random.choice([0, 0, 1, 3]) for _ in sizes]
        strides = [self.random.choice([1, 1, 1, 2]) for _ in sizes]
        dest = self.argument([Dim(max(0, n - 1) * k + min(n, 1) + o + self.random.choice([0, 0, 1, 4])) for n, o, k in zip(sizes, low, strides)], v.element)
        if self.elements(dest.dims) > MOST_ELEMENTS:
            return None
        name = self.name_of()
        self.emit(f"{name} = tensor.insert_slice {v.name} into {dest.name}[{', '.join(map(str, low))}] [{', '.join(map(str, sizes))}] "
                  f"[{', '.join(map(str, strides))}] : {v.type} into {dest.type}")
        exact, error = dest.exact.copy(), dest.error.copy()
        place = tuple(slice(o, o + max(0, n - 1) * k + min(n, 1), k) for n, o, k in zip(sizes, low, strides))
        exact[place], error[place] = v.exact.reshape(sizes), v.error.reshape(sizes)
        return Value(name, v.element, dest.dims, exact, error)

    def make_concat(self, v):
        if not v.dims or self.elements(v.dims) * 3 > MOST_ELEMENTS:
            return None
        axis = self.random.randrange(len(v.dims))
        if v.dims[axis].ssa:
            return None
        other = self.argument([d if i != axis else Dim(self.random.choice(SIZES[:12])) for i, d in enumerate(v.dims)], v.element)
        pair = [v, other] if self.chance(0.5) else [other, v]
        out = [d if i != axis else Dim(d.size + other.dims[i].size) for i, d in enumerate(v.dims)]
        name = self.name_of()
        self.emit(f"{name} = tensor.concat dim({axis}) {pair[0].name}, {pair[1].name} : ({pair[0].type}, {pair[1].type}) -> {tensor_type(out, v.element)}")
        return Value(name, v.element, out, *(np.concatenate([getattr(p, a) for p in pair], axis=axis) for a in ("exact", "error")))

    def make_collapse(self, v):
        if len(v.dims) < 2:
            return None
        at = self.random.randrange(len(v.dims) - 1)
        a, b = v.dims[at], v.dims[at + 1]

        def product():
            x, y, s = self.index(a), self.index(b), self.name_of("d")
            self.emit(f"{s} = arith.muli {x}, {y} : index")
            return s
        joined = Dim(a.size * b.size, product() if a.ssa or b.ssa else None)
        out = v.dims[:at] + [joined] + v.dims[at + 2:]
        groups = [[i] for i in range(at)] + [[at, at + 1]] + [[i] for i in range(at + 2, len(v.dims))]
        name = self.name_of()
        self.emit(f"{name} = tensor.collapse_shape {v.name} {groups} : {v.type} into {tensor_type(out, v.element)}")
        shape = [d.size for d in out]
        return Value(name, v.element, out, v.exact.reshape(shape), v.error.reshape(shape))

    def make_expand(self, v):
        places = [(i, f) for i, d in enumerate(v.dims) if not d.ssa for f in (1, 2, 3, 4, 5, 8, 16) if d.size % f == 0 and d.size > f]
        if not places or len(v.dims) > 4:
            return None
        at, factor = self.random.choice(places)
        parts = [Dim(factor), Dim(v.dims[at].size // factor)]
        out = v.dims[:at] + parts + v.dims[at + 1:]
        groups = [[i] for i in range(at)] + [[at, at + 1]] + [[i + 1] for i in range(at + 1, len(v.dims))]
        name = self.name_of()
        self.emit(f"{name} = tensor.expand_shape {v.name} {groups} output_shape [{', '.join(d.ssa or str(d.size) for d in out)}] : {v.type} into {tensor_type(out, v.element)}")
        shape = [d.size for d in out]
        return Value(name, v.element, out, v.exact.reshape(shape), v.error.reshape(shape))

    def make_broadcast(self, v):
        if len(v.dims) > 3:
            return None
        new = self.dim(MOST_ELEMENTS // max(1, self.elements(v.dims)))
        new.ssa = None
        at = self.random.randint(0, len(v.dims))
        out = v.dims[:at] + [new] + v.dims[at:]
        name, e, t = self.name_of(), self.empty(out, v.element), tensor_type(out, v.element)
        self.emit(f"{name} = linalg.broadcast ins({v.name} : {v.type}) outs({e} : {t}) dimensions = [{at}]")
        shape = [d.size for d in out]
        return Value(name, v.element, out, *(np.broadcast_to(np.expand_dims(x, at), shape) for x in (v.exact, v.error)))

    def text(self):
        returned = ", ".join(v.type for v in self.results)
        body = "\n".join("  " + line for line in self.lines)
        return (f"func.func @{self.name}({', '.join(self.parameters)}) -> ({returned}) {{\n{body}\n"
                f"  return {', '.join(v.name for v in self.results)} : {returned}\n}}\n")


#: Names of operations, as often as they are taken.
OPS = (["product"] * 6 + ["window"] * 4 + ["unary"] * 4 + ["binary"] * 8 + ["cast"] * 3 + ["reduce"] * 3 + ["mixed"] * 6 + ["softmax"] + ["transpose"] * 2 +
       ["pad", "slice", "insert", "concat", "collapse", "expand", "broadcast"])
