# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s "amp-lower-to-cpu{no-scalar-fallback}" | FileCheck %s
# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx AMP_NUM_THREADS=2 \
# RUN:   %python %s "amp-lower-to-cpu{no-scalar-fallback}" | FileCheck %s
# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx AMP_NUM_THREADS=2 \
# RUN:   %python %s "amp-lower-to-cpu{no-scalar-fallback cpu=x86-64-v3}" | FileCheck %s
# Results above 8 MiB, of static and of dynamic shape, which bypass the caches where rows are a multiple of half a line, and where they are not. Elementwise
# ones are compared exactly with NumPy, on NaN, infinities, zeros of either sign and subnormal numbers too; softmax and layer norm with
# f64, within 3e-6 of the largest element.
# CHECK-NOT: FAILED
# CHECK: all passed
import numpy as np
from harness import Suite, narrow, tensor, widen

rng = np.random.default_rng(3)
suite = Suite()
NASTY = [np.nan, np.inf, -np.inf, 0.0, -0.0, 1e-45, -1e-45, 3.4028235e38, 1e-38]


def values(shape, dtype):
    x = rng.standard_normal(shape)
    flat = x.reshape(-1)
    flat[rng.integers(0, flat.size, 1000)] = rng.choice(NASTY, 1000)
    with np.errstate(over="ignore"):
        return narrow(x, dtype)


def same(got, want):
    return (got == want) & (np.signbit(got) == np.signbit(want)) | np.isnan(got) & np.isnan(want)


# -x of a matrix, then a second result of it that a later loop reads from memory.
for number, (shape, dtype) in enumerate([((2100, 1000), "f32"), ((2100, 1001), "f32"), ((3, 701, 1008), "f32"), ((2200003,), "f32"),
                                         ((4200, 1000), "bf16"), ((4200, 1024), "bf16"), ((4200, 1040), "f16"), ((1050, 1004), "f64")]):
    x = values(shape, dtype)
    with np.errstate(invalid="ignore"):
        w = widen(x, dtype)
    for known in (len(shape), len(shape) - 1, 0):
        t = tensor([-1] * (len(shape) - known) + list(shape[len(shape) - known:]), dtype)
        name = f"negate{number}_{known}"
        suite.add(name, f"""func.func @{name}(%x: {t}) -> ({t}, {t}) {{
          %y = arith.negf %x : {t}
          %z = math.absf %y : {t}
          return %y, %z : {t}, {t} }}""", [x], [(dtype, len(shape))] * 2, [-w, np.abs(w)], same)

for rows, columns in ((2100, 1000), (2100, 1008), (2100, 1001)):
    x = rng.standard_normal((rows, columns)).astype(np.float32)
    w = x.astype(np.float64)
    e = np.exp(w - w.max(1, keepdims=True))
    for name, t in (("rows", tensor((-1, columns), "f32")), ("all", tensor((-1, -1), "f32"))):
        suite.add(f"softmax_{name}_{columns}", f"""func.func @softmax_{name}_{columns}(%x: {t}) -> {t} {{
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %m = tensor.dim %x, %c0 : {t}
          %n = tensor.dim %x, %c1 : {t}
          %e = tensor.empty({"%m" if name == "rows" else "%m, %n"}) : {t}
          %r = linalg.softmax dimension(1) ins(%x : {t}) outs(%e : {t}) -> {t}
          return %r : {t} }}""", [x], [("f32", 2)], [e / e.sum(1, keepdims=True)], lambda got, want: np.abs(got - want) <= 3e-6 * want.max())

t, v = tensor((2100, 1000), "f32"), tensor((2100,), "f32")
x = rng.standard_normal((2100, 1000)).astype(np.float32)
w = x.astype(np.float64)
e = np.exp(w - w.max(1, keepdims=True))
suite.add("softmax", f"""func.func @softmax(%x: {t}) -> {t} {{
  %e = tensor.empty() : {t}
  %r = linalg.softmax dimension(1) ins(%x : {t}) outs(%e : {t}) -> {t}
  return %r : {t} }}""", [x], [("f32", 2)], [e / e.sum(1, keepdims=True)], lambda got, want: np.abs(got - want) <= 3e-6 * want.max())

maps = "affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>"
suite.add("rms", f"""func.func @rms(%x: {t}) -> {t} {{
  %z = arith.constant 0.0 : f32
  %n = arith.constant 1000.0 : f32
  %v = tensor.empty() : {v}
  %e = tensor.empty() : {t}
  %f = linalg.fill ins(%z : f32) outs(%v : {v}) -> {v}
  %s = linalg.generic {{indexing_maps = [{maps}], iterator_types = ["parallel", "reduction"]}} ins(%x : {t}) outs(%f : {v}) {{
  ^bb0(%a: f32, %q: f32):
    %1 = arith.mulf %a, %a : f32
    %2 = arith.addf %q, %1 : f32
    linalg.yield %2 : f32 }} -> {v}
  %r = linalg.generic {{indexing_maps = [{maps}, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}}
      ins(%x, %s : {t}, {v}) outs(%e : {t}) {{
  ^bb0(%a: f32, %q: f32, %o: f32):
    %1 = arith.divf %q, %n : f32
    %2 = math.rsqrt %1 : f32
    %3 = arith.mulf %a, %2 : f32
    linalg.yield %3 : f32 }} -> {t}
  return %r : {t} }}""", [x], [("f32", 2)], [w / np.sqrt((w * w).mean(1, keepdims=True))], lambda got, want: np.abs(got - want) <= 3e-6 * want.max())

suite.run()
