# Products on mma.sync whose operands lie along k and are aligned, while the rows of the result, of a residual and of a bias may have any length: dynamic
# functions run for lengths that are multiples of a vector and for others, static ones have an odd length. On the simulator, which checks alignment.
# Oracle: NumPy in f64. Bound: each step of the f32 sum is off by 2^-24 of the sum of sizes at most, and the result is rounded once.
# UNSUPPORTED: sanitizer
# RUN: env AMP_TARGET=sim AMP_COMPILE=%amp_obj/bin/amp-compile AMP_CUDA_DRIVER=%amp_lib/libamp_cuda_simulator%shlibext \
# RUN:   AMP_SIM_WRITES=all PYTHONPATH=%amp_src/python:%S/../CPU/Inputs %python %s | FileCheck %s
# CHECK-NOT: FAILED
# CHECK: all passed
import numpy as np
from harness import Suite, narrow, tensor, widen

rng = np.random.default_rng(23)
suite = Suite()
UNIT = {"f16": 2.0**-11, "bf16": 2.0**-8, "f32": 2.0**-24}


def source(name, types, element, result):
    a, b, bias, residual, out = types
    wide = [f"    %{v}1 = arith.extf %{v} : {element} to f32\n" for v in "xy"]
    rounded = "%v" if result == "f32" else "%t"
    return f"""func.func @{name}(%a: {a}, %b: {b}, %bias: {bias}, %residual: {residual}) -> {out} {{
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %m = tensor.dim %a, %c0 : {a}
  %n = tensor.dim %b, %c0 : {b}
  %d = tensor.empty(%m, %n) : tensor<?x?xf32>
  %e = tensor.cast %d : tensor<?x?xf32> to {out.replace(result, "f32")}
  %f = linalg.fill ins(%z : f32) outs(%e : {out.replace(result, "f32")}) -> {out.replace(result, "f32")}
  %c = linalg.generic {{indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}} ins(%a, %b : {a}, {b}) outs(%f : {out.replace(result, "f32")}) {{
  ^bb0(%x: {element}, %y: {element}, %acc: f32):
{"".join(wide)}    %p = arith.mulf %x1, %y1 : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  }} -> {out.replace(result, "f32")}
  %g = tensor.empty(%m, %n) : tensor<?x?x{result}>
  %o = tensor.cast %g : tensor<?x?x{result}> to {out}
  %r = linalg.generic {{indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>],
      iterator_types = ["parallel", "parallel"]}} ins(%c, %bias, %residual : {out.replace(result, "f32")}, {bias}, {residual}) outs(%o : {out}) {{
  ^bb0(%x: f32, %y: {element}, %w: {element}, %q: {result}):
    %y1 = arith.extf %y : {element} to f32
    %w1 = arith.extf %w : {element} to f32
    %u = arith.addf %x, %y1 : f32
    %v = arith.addf %u, %w1 : f32
{f"    %t = arith.truncf %v : f32 to {result}" if result != "f32" else ""}
    linalg.yield {rounded} : {result}
  }} -> {out}
  return %r : {out}
}}"""


def product(m, n, k, element, result, static=False):
    size = n if static else -1
    name = f"nt_{element}_{result}_{k}_{size if static else 'any'}"
    types = [tensor((-1, k), element), tensor((size, k), element), tensor((size,), element), tensor((-1, size), element), tensor((-1, size), result)]
    a, b, bias, residual = (narrow(rng.standard_normal(s), element) for s in ((m, k), (n, k), (n,), (m, n)))
    x, y, z, w = (widen(v, element) for v in (a, b, bias, residual))
    want = x @ y.T + z + w
    sizes = abs(x) @ abs(y).T + abs(z) + abs(w)
    bound = (k + 2) * 2.0**-24 * sizes + UNIT[result] * (abs(want) + sizes * 2.0**-16)
    suite.add(name, source(name, types, element, result), [a, b, bias, residual], [(result, 2)], [want], lambda got, oracle: abs(got - oracle) <= bound)


for element, result in (("f16", "f16"), ("bf16", "f32"), ("f16", "f32")):
    for m, n in ((33, 128), (33, 127), (5, 1), (17, 9), (16, 8), (130, 68), (128, 70), (3, 257)):
        product(m, n, 64, element, result)
    product(19, 67, 72, element, result, static=True)
    product(40, 100, 40, element, result, static=True)
suite.run()
