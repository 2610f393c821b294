# Values at the borders, as device code on the simulator: zeros of both signs, subnormal and largest numbers, infinities and NaN through
# every function of math, reductions, softmax and conversions; integer types that say their sign; and products of 8-bit floats.
# Oracle: NumPy and libm in f64. Bounds: 4 units in the last place of f32 for functions, equality for what is exact; a NaN meets a NaN.
# UNSUPPORTED: sanitizer
# RUN: env AMP_TARGET=sim AMP_COMPILE=%amp_obj/bin/amp-compile AMP_CUDA_DRIVER=%amp_lib/libamp_cuda_simulator%shlibext \
# RUN:   PYTHONPATH=%amp_src/python:%S/../CPU/Inputs %python %s | FileCheck %s
# CHECK-NOT: FAILED
# CHECK: all passed
import math

import numpy as np
from harness import Suite, tensor

np.seterr(all="ignore")
rng = np.random.default_rng(11)
suite = Suite()
TINY = [0.0, -0.0, 2.0**-149, -(2.0**-149), 2.0**-127, 2.0**-126, -(2.0**-126)]
HUGE = [float(np.finfo(np.float32).max), -float(np.finfo(np.float32).max), math.inf, -math.inf, math.nan]
PLAIN = [0.5, -0.5, 1.0, -1.0, 1.5, 2.5, -2.5, 3.0, 10.0, -10.0, 80.0, -80.0, 100.0, -100.0, 1e-3, 1e-8, 3e8, -3e8, math.pi, math.pi / 2]
X = np.array(TINY + HUGE + PLAIN + list(rng.standard_normal(100) * np.exp2(rng.uniform(-20, 20, 100))), np.float32)


def each(function):
    def one(*values):
        try:
            return function(*map(float, values))
        except OverflowError:
            return math.inf
        except ValueError:
            return math.nan
    return np.frompyfunc(one, 1, 1)


def spacing(v):
    """The distance of neighbouring f32 numbers at `v`."""
    return np.maximum(np.spacing(np.abs(v).astype(np.float32)).astype(np.float64), 2.0**-149)


def within(units):
    """Whether a result is so many units in the last place of f32 away from an f64 value."""
    return lambda got, want: is_near(got, want, units)


def is_near(got, want, units):
    rounded = want.astype(np.float32).astype(np.float64)
    near = np.abs(got - want) <= units * np.where(np.isfinite(rounded), spacing(want), 0)
    # Beyond the largest number, or a unit before it.
    over = np.isinf(got) & (np.abs(want) >= (1 - 2.0**-21) * float(np.finfo(np.float32).max)) & (np.sign(got) == np.sign(want))
    return near | over | (got == rounded) | (np.isnan(got) & np.isnan(want))


FUNCTIONS = {"exp": np.exp, "exp2": np.exp2, "expm1": np.expm1, "log": np.log, "log2": np.log2, "log10": np.log10, "log1p": np.log1p,
             "sqrt": np.sqrt, "rsqrt": lambda v: 1 / np.sqrt(v), "cbrt": np.cbrt, "sin": np.sin, "cos": np.cos, "tan": np.tan, "asin": np.arcsin,
             "acos": np.arccos, "atan": np.arctan, "sinh": np.sinh, "cosh": np.cosh, "tanh": np.tanh, "asinh": np.arcsinh, "acosh": np.arccosh,
             "atanh": np.arctanh, "erf": each(math.erf), "erfc": each(math.erfc), "absf": np.abs, "ceil": np.ceil, "floor": np.floor,
             "trunc": np.trunc, "roundeven": np.rint, "round": lambda v: np.sign(v) * np.floor(np.abs(v) + 0.5)}
# Upstream's polynomials.
UNITS = {"atan": 16, "atan2": 32, "powf": 8}
EXACT = {"absf", "ceil", "floor", "trunc", "roundeven", "round"}
t = tensor(X.shape, "f32")
for name, function in FUNCTIONS.items():
    want = np.asarray(function(X.astype(np.float64)), np.float64)
    suite.add(name, f"""func.func @{name}(%x: {t}) -> {t} {{
  %0 = math.{name} %x : {t}
  return %0 : {t}
}}""", [X], [("f32", 1)], [want], within(0 if name in EXACT else UNITS.get(name, 4)))
Y = np.roll(X, 7)
BINARY = {"addf": np.add, "subf": np.subtract, "mulf": np.multiply, "divf": np.divide, "maximumf": np.maximum, "minimumf": np.minimum,
          "maxnumf": np.fmax, "minnumf": np.fmin, "remf": np.fmod}
for name, function in BINARY.items():
    want = function(X, Y).astype(np.float64)
    suite.add(name, f"""func.func @{name}(%x: {t}, %y: {t}) -> {t} {{
  %0 = arith.{name} %x, %y : {t}
  return %0 : {t}
}}""", [X, Y], [("f32", 1)], [want])
for name, function in {"powf": np.power, "atan2": np.arctan2, "copysign": np.copysign}.items():
    want = function(X.astype(np.float64), Y.astype(np.float64))
    suite.add(name, f"""func.func @{name}(%x: {t}, %y: {t}) -> {t} {{
  %0 = math.{name} %x, %y : {t}
  return %0 : {t}
}}""", [X, Y], [("f32", 1)], [want], within(UNITS.get(name, 4)))
CMPF = {"oeq": X == Y, "ogt": X > Y, "une": X != Y, "uno": np.isnan(X) | np.isnan(Y), "ult": ~(X >= Y)}
for name, want in CMPF.items():
    suite.add(name, f"""func.func @{name}(%x: {t}, %y: {t}) -> {tensor(X.shape, 'i1')} {{
  %0 = arith.cmpf {name}, %x, %y : {t}
  return %0 : {tensor(X.shape, 'i1')}
}}""", [X, Y], [("i1", 1)], [want])

# Reductions and softmax.
rows = rng.standard_normal((6, 70)).astype(np.float32)
rows[0, 3], rows[1, 69], rows[2], rows[3, 5], rows[4, :40] = np.nan, np.inf, -np.inf, -np.inf, -np.inf
r, k = tensor(rows.shape, "f32"), tensor((6,), "f32")
for name, op, want in (("max_rows", "maximumf", rows.max(1)), ("min_rows", "minimumf", rows.min(1)), ("maxnum_rows", "maxnumf", np.fmax.reduce(rows, 1))):
    start = "0x7F800000" if "min_" in name else "0xFF800000"
    suite.add(name, f"""func.func @{name}(%x: {r}) -> {k} {{
  %i = arith.constant {start} : f32
  %e = tensor.empty() : {k}
  %f = linalg.fill ins(%i : f32) outs(%e : {k}) -> {k}
  %0 = linalg.reduce {{arith.{op}}} ins(%x : {r}) outs(%f : {k}) dimensions = [1]
  return %0 : {k}
}}""", [rows], [("f32", 1)], [want.astype(np.float64)])
wide = rows.astype(np.float64)
e = np.exp(wide - wide.max(1, keepdims=True))
suite.add("softmax_rows", f"""func.func @softmax_rows(%x: {r}) -> {r} {{
  %e = tensor.empty() : {r}
  %0 = linalg.softmax dimension(1) ins(%x : {r}) outs(%e : {r}) -> {r}
  return %0 : {r}
}}""", [rows], [("f32", 2)], [e / e.sum(1, keepdims=True)], 1e-6)

# Conversions that docs/casts.md describes: float to integer, clamped, and integer to float.
for dtype, low, high in (("i8", -128, 127), ("i16", -2**15, 2**15 - 1), ("i32", -2**31, 2**31 - 1), ("i64", -2**63, 2**63 - 1), ("ui8", 0, 255), ("ui32", 0, 2**32 - 1)):
    edges = [s * v for v in (float(high), low - 1.0, low - 0.5, low, high + 0.5, high + 1.0, 127.5, 0.99) for s in (1.0, -1.0)]
    x = np.concatenate([X, np.array(edges, np.float32)])
    v = x.astype(np.float64)
    whole = [0 if math.isnan(f) else high if f >= high else low if f <= low else int(f) for f in v]
    signless = dtype.lstrip("u")
    bits = np.array([int(w) & (2 ** int(signless[1:]) - 1) for w in whole], np.uint64)
    got_type = {"i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64}[signless]
    a, b = tensor(x.shape, "f32"), tensor(x.shape, dtype)
    suite.add("clamp_" + dtype, f"""func.func @clamp_{dtype}(%x: {a}) -> {b} {{
  %0 = amp.cast %x {{overflow = saturate}} : {a} to {b}
  return %0 : {b}
}}""", [x], [(signless, 1)], [bits.astype({1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}[got_type().itemsize]).view(got_type).astype(np.int64)])
i = rng.integers(-2**63, 2**63 - 1, 60)
i[:4] = [2**24 + 1, -(2**24) - 1, 2**63 - 1, -(2**63)]
suite.add("i64_f32", f"""func.func @i64_f32(%x: {tensor(i.shape, 'i64')}) -> {tensor(i.shape, 'f32')} {{
  %0 = arith.sitofp %x : {tensor(i.shape, 'i64')} to {tensor(i.shape, 'f32')}
  return %0 : {tensor(i.shape, 'f32')}
}}""", [i], [("f32", 1)], [i.astype(np.float32).astype(np.float64)])

# Integers that say their sign.
u, w = rng.integers(0, 256, 65).astype(np.uint8), rng.integers(0, 256, 65).astype(np.uint8)
b, p = tensor((65,), "ui8"), tensor((65,), "i8")
suite.add("bytes", f"""func.func @bytes(%a: {b}, %b: {b}) -> ({b}, {tensor((65,), 'f32')}) {{
  %0 = tensor.bitcast %a : {b} to {p}
  %1 = tensor.bitcast %b : {b} to {p}
  %2 = arith.maxui %0, %1 : {p}
  %3 = tensor.bitcast %2 : {p} to {b}
  %4 = arith.uitofp %2 : {p} to {tensor((65,), 'f32')}
  return %3, %4 : {b}, {tensor((65,), 'f32')}
}}""", [u, w], [("i8", 1), ("f32", 1)], [np.maximum(u, w).view(np.int8).astype(np.int64), np.maximum(u, w).astype(np.float64)])

# Products of 8-bit floats, exact in f16: small integers, as their codes.
codes = {0: 0, 1: 0x38, 2: 0x40, 3: 0x44, -1: 0xB8, -2: 0xC0}
values = np.array(list(codes))
for name, m, n, depth in (("whole", 5, 7, 64), ("odd", 37, 18, 65)):
    l, q = rng.choice(values, (m, depth)), rng.choice(values, (depth, n))
    la, qa = (np.vectorize(codes.get)(x).astype(np.uint8) for x in (l, q))
    ta, tb, to = tensor((m, depth), "f8E4M3FN"), tensor((depth, n), "f8E4M3FN"), tensor((m, n), "f32")
    suite.add("f8_" + name, f"""func.func @f8_{name}(%a: {ta}, %b: {tb}) -> {to} {{
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : {to}
  %f = linalg.fill ins(%z : f32) outs(%e : {to}) -> {to}
  %0 = linalg.matmul ins(%a, %b : {ta}, {tb}) outs(%f : {to}) -> {to}
  return %0 : {to}
}}""", [la, qa], [("f32", 2)], [(l @ q).astype(np.float64)])
suite.run()
