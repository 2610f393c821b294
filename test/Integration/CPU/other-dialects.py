# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx %python %s "amp-lower-to-cpu" | FileCheck %s
# Ops of complex, affine, ub and vector in programs on tensors. Complex numbers in bodies of linalg are computed by their parts, in vectors. Oracle: NumPy in f64.
# Bound: 32 units in the last place of the larger part, of f32 as of f64, for functions 64 (upstream's formulas, MLIR 22.1; tan 1e-4 of f32).
# CHECK-NOT: FAILED
# CHECK: all passed
import numpy as np
from harness import TARGET, Suite, tensor

rng = np.random.default_rng(31)
suite = Suite()
NUMPY = {"f32": np.float32, "f64": np.float64}
BINARY = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide, "pow": np.power}
UNARY = {"neg": np.negative, "conj": np.conj, "exp": np.exp, "expm1": lambda z: np.exp(z) - 1, "log": np.log, "log1p": lambda z: np.log(1 + z), "sqrt": np.sqrt, "rsqrt": lambda z: z ** -0.5,
         "sin": np.sin, "cos": np.cos, "tanh": np.tanh, "tan": np.tan, "sign": lambda z: z / np.abs(z)}
REAL = {"abs": np.abs, "angle": np.angle}


def add(name, dtype, line, function, count, real, bound):
    n = 203
    parts = [rng.uniform(0.25, 2, n).astype(NUMPY[dtype]) * rng.choice([-1, 1], n).astype(NUMPY[dtype]) for _ in range(2 * count)]
    values = [parts[2 * i].astype(np.float64) + 1j * parts[2 * i + 1].astype(np.float64) for i in range(count)]
    want = function(*values)
    t, c = tensor([n], dtype), f"complex<{dtype}>"
    arguments = ", ".join(f"%p{i}: {t}" for i in range(2 * count))
    body = "\n".join(f"%z{i} = complex.create %a{2 * i}, %a{2 * i + 1} : {c}" for i in range(count))
    maps = ", ".join(["affine_map<(i) -> (i)>"] * (2 * count + 2))
    ends = f"linalg.yield %w, %w : {dtype}, {dtype}" if real else f"%re = complex.re %w : {c}\n%im = complex.im %w : {c}\nlinalg.yield %re, %im : {dtype}, {dtype}"
    text = f"""func.func @{name}({arguments}) -> ({t}, {t}) {{
  %e = tensor.empty() : {t}
  %r:2 = linalg.generic {{indexing_maps = [{maps}], iterator_types = ["parallel"]}}
      ins({", ".join(f"%p{i}" for i in range(2 * count))} : {", ".join([t] * (2 * count))}) outs(%e, %e : {t}, {t}) {{
  ^bb0({", ".join(f"%a{i}: {dtype}" for i in range(2 * count))}, %o0: {dtype}, %o1: {dtype}):
    {body}
    {line.format(c=c)}
    {ends}
  }} -> ({t}, {t})
  return %r#0, %r#1 : {t}, {t} }}"""
    want = [want, want] if real else [want.real, want.imag]
    larger = np.maximum(np.abs(want[0]), np.abs(want[1]))
    check = lambda got, want: np.abs(got - want) <= bound * np.finfo(NUMPY[dtype]).eps * np.maximum(larger, 1)
    suite.add(name, text, parts, [(dtype, 1)] * 2, want, check)


for dtype in "f32", "f64":
    for op, function in BINARY.items():
        add(f"{op}_{dtype}", dtype, f"%w = complex.{op} %z0, %z1 : {{c}}", function, 2, False, 32 if op != "pow" else 512)
    for op, function in UNARY.items():
        add(f"{op}_{dtype}", dtype, f"%w = complex.{op} %z0 : {{c}}", function, 1, False, 1000 if op == "tan" else 64)
    for op, function in REAL.items():
        add(f"{op}_{dtype}", dtype, f"%w = complex.{op} %z0 : {{c}}", function, 1, True, 64)

# Sums of complex products, which loops carry by parts.
m, n = 7, 65
x, y, v, w = (rng.uniform(-1, 1, s).astype(np.float32) for s in ((m, n), (m, n), (n,), (n,)))
total = (x.astype(np.float64) + 1j * y) @ (v.astype(np.float64) + 1j * w)
suite.add("product", """func.func @product(%x: tensor<7x65xf32>, %y: tensor<7x65xf32>, %v: tensor<65xf32>, %w: tensor<65xf32>) -> (tensor<7xf32>, tensor<7xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<7xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<7xf32>) -> tensor<7xf32>
  %r:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (j)>,
                                          affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x, %y, %v, %w : tensor<7x65xf32>, tensor<7x65xf32>, tensor<65xf32>, tensor<65xf32>) outs(%f, %f : tensor<7xf32>, tensor<7xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %d: f32, %s: f32, %t: f32):
    %0 = complex.create %a, %b : complex<f32>
    %1 = complex.create %c, %d : complex<f32>
    %2 = complex.mul %0, %1 : complex<f32>
    %3 = complex.create %s, %t : complex<f32>
    %4 = complex.add %3, %2 : complex<f32>
    %5 = complex.re %4 : complex<f32>
    %6 = complex.im %4 : complex<f32>
    linalg.yield %5, %6 : f32, f32
  } -> (tensor<7xf32>, tensor<7xf32>)
  return %r#0, %r#1 : tensor<7xf32>, tensor<7xf32> }""", [x, y, v, w], [("f32", 1)] * 2, [total.real, total.imag], 1e-5)

# Loops and branches of affine, and what is poison where nothing reads it.
x = rng.uniform(-1, 1, (6, 40)).astype(np.float32)
for k, count in ("few", 2), ("many", 5):
    suite.add(f"affine_{k}", f"""func.func @affine_{k}(%x: tensor<6x40xf32>, %n: index) -> tensor<6x40xf32> {{
  %p = ub.poison : tensor<6x40xf32>
  %0 = linalg.copy ins(%x : tensor<6x40xf32>) outs(%p : tensor<6x40xf32>) -> tensor<6x40xf32>
  %1 = affine.for %i = 0 to %n iter_args(%t = %0) -> tensor<6x40xf32> {{
    %s = arith.addf %t, %x : tensor<6x40xf32>
    affine.yield %s : tensor<6x40xf32>
  }}
  %2 = affine.if affine_set<(d0) : (d0 - 3 >= 0)>(%n) -> tensor<6x40xf32> {{
    %s = arith.mulf %1, %x : tensor<6x40xf32>
    affine.yield %s : tensor<6x40xf32>
  }} else {{
    affine.yield %1 : tensor<6x40xf32>
  }}
  return %2 : tensor<6x40xf32> }}""", [x, count], [("f32", 2)], [(count + 1) * x.astype(np.float64) * (x if count >= 3 else 1)], 1e-6)

# Reductions of several dimensions of vectors, and scans. Devices have no vectors outside of kernels.
x = rng.uniform(-1, 1, (4, 8)).astype(np.float32)
if TARGET == "cpu":
    suite.add("vectors", """func.func @vectors(%x: tensor<4x8xf32>) -> (tensor<8xf32>, tensor<4x8xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : vector<4xf32>
  %ones = arith.constant dense<1.0> : vector<8xf32>
  %v = vector.transfer_read %x[%c0, %c0], %zero {in_bounds = [true, true]} : tensor<4x8xf32>, vector<4x8xf32>
  %0 = vector.multi_reduction <mul>, %v, %ones [0] : vector<4x8xf32> to vector<8xf32>
  %1:2 = vector.scan <add>, %v, %zeros {inclusive = true, reduction_dim = 1 : i64} : vector<4x8xf32>, vector<4xf32>
  %e = tensor.empty() : tensor<8xf32>
  %f = tensor.empty() : tensor<4x8xf32>
  %2 = vector.transfer_write %0, %e[%c0] {in_bounds = [true]} : vector<8xf32>, tensor<8xf32>
  %3 = vector.transfer_write %1#0, %f[%c0, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, tensor<4x8xf32>
  return %2, %3 : tensor<8xf32>, tensor<4x8xf32> }""", [x], [("f32", 1), ("f32", 2)], [np.prod(x.astype(np.float64), 0), np.cumsum(x.astype(np.float64), 1)], 1e-6)
suite.run()
