# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s "amp-lower-to-cpu{no-scalar-fallback}" | FileCheck %s
# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s "amp-lower-to-cpu{cpu=generic no-scalar-fallback}" | FileCheck %s
# Contractions of every type, layout and odd size. Oracle: f64 (int64) on the same inputs. Bound: 1e-5 of the largest
# product sum for f32 accumulators (K <= 333, so a worst case of K * 2^-24 relative to sum |a b|), 1e-13 for f64, exact for i32.
# CHECK-NOT: FAILED
# CHECK: all passed
import numpy as np
from harness import Suite, narrow, tensor, widen

rng = np.random.default_rng(7)
suite = Suite()
SHAPES = [(127, 333, 65), (1, 1, 1), (64, 64, 64), (8, 16, 200), (0, 5, 7), (5, 0, 7), (5, 7, 0), (64, 65, 0), (3, 300, 100), (70, 9, 130)]


def values(shape, dtype):
    if dtype == "i8":
        return rng.integers(-128, 128, shape).astype(np.int8)
    return narrow(rng.uniform(-1, 1, shape), dtype)


def matmul(name, dtype, m, n, k, transpose_a=False, transpose_b=False, dynamic=False, batch=0, init=None):
    acc = {"f64": "f64", "i8": "i32"}.get(dtype, "f32")
    lead = (batch,) if batch else ()
    a = values(lead + ((k, m) if transpose_a else (m, k)), dtype)
    b = values(lead + ((n, k) if transpose_b else (k, n)), dtype)
    dims, pre = ("b, m, n, k", "b, ") if batch else ("m, n, k", "")
    maps = ", ".join(f"affine_map<({dims}) -> ({pre}{x})>"
                     for x in ("k, m" if transpose_a else "m, k", "n, k" if transpose_b else "k, n", "m, n"))
    static = lambda shape: [n if dynamic == "but rows" and n == m else -1 for n in shape] if dynamic else shape
    ta, tb, tc = tensor(static(a.shape), dtype), tensor(static(b.shape), dtype), tensor(static(lead + (m, n)), acc)
    start = rng.integers(-9, 9, lead + (m, n)).astype(np.int32 if acc == "i32" else np.float64 if acc == "f64" else np.float32)
    args, parameters = [a, b], f"%a: {ta}, %b: {tb}"
    if init or dynamic:
        args.append(start)
        parameters += f", %c: {tc}"
    filled = "" if init or dynamic else f"""%z = arith.constant {"0" if acc == "i32" else "0.0"} : {acc}
  %e = tensor.empty() : {tc}
  %c = linalg.fill ins(%z : {acc}) outs(%e : {tc}) -> {tc}"""
    wa, wb = widen(a, dtype), widen(b, dtype)
    want = (np.swapaxes(wa, -1, -2) if transpose_a else wa) @ (np.swapaxes(wb, -1, -2) if transpose_b else wb)
    if init or dynamic:
        want = want + start
    scale = 1.0 if acc == "i32" else max(1.0, k / 8)
    suite.add(name, f"""func.func @{name}({parameters}) -> {tc} {{
  {filled}
  %r = linalg.contract indexing_maps = [{maps}] ins(%a, %b : {ta}, {tb}) outs(%c : {tc}) -> {tc}
  return %r : {tc}
}}""", args, [(acc, 2 + (batch > 0))], [want], {"i32": 0, "f64": 1e-13}.get(acc, 1e-6 * scale))


for i, (m, n, k) in enumerate(SHAPES):
    matmul(f"f32_{i}", "f32", m, n, k)
    matmul(f"f32_dynamic_{i}", "f32", m, n, k, dynamic=True)
for dtype in ("f16", "bf16", "f64", "i8"):
    matmul(f"{dtype}_odd", dtype, 127, 333, 65)
    matmul(f"{dtype}_bt", dtype, 67, 129, 65, transpose_b=True, dynamic=True)
    matmul(f"{dtype}_at", dtype, 67, 129, 65, transpose_a=True, init=True)
matmul("long_k", "f32", 20, 40, 1500, transpose_b=True, init=True)
matmul("batch", "f32", 17, 19, 24, batch=3)
matmul("batch_bt", "bf16", 33, 47, 24, batch=3, transpose_b=True)
matmul("vecmat", "f32", 1, 1000, 100)
matmul("matvec", "f32", 100, 1, 1000)
matmul("vecmat_t", "bf16", 1, 100, 1000, transpose_b=True)
# A few rows, which read B where it is.
for dtype in ("f32", "f64", "bf16", "f16", "i8"):
    matmul(f"{dtype}_one_row", dtype, 1, 333, 301)
    matmul(f"{dtype}_eight_rows", dtype, 8, 1100, 77, init=True)
matmul("five_rows", "f32", 5, 2050, 40, batch=2)
# B larger than the second cache, whose rows are prefetched: the last ones of it ask for no more.
for dtype in ("f32", "f64", "f16"):
    matmul(f"{dtype}_large_b", dtype, 3, 1501, 1003)
matmul("large_b_row", "f32", 1, 3000, 501, init=True)
matmul("large_b_batch", "f32", 8, 1500, 1003, batch=2)
# A few rows and a transposed B of long k, both read where they are; k ends in a vector, and in the second of two blocks.
for m, n, k in ((2, 37, 512), (3, 41, 515), (5, 16, 8209), (8, 100, 2049), (12, 300, 700)):
    matmul(f"dot_{m}", "f32", m, n, k, transpose_b=True)
    matmul(f"dot_init_{m}", "bf16", m, n, k, transpose_b=True, init=True)
    matmul(f"dot_dynamic_{m}", "f32", m, n, k, transpose_b=True, dynamic="but rows")
matmul("dot_f64", "f64", 4, 21, 1001, transpose_b=True)
matmul("dot_f16", "f16", 4, 21, 1001, transpose_b=True)
matmul("dot_i8", "i8", 4, 21, 1001, transpose_b=True)
matmul("dot_batch", "f32", 6, 70, 640, transpose_b=True, batch=3)
# Few enough rows, of long enough k, for all of A to be packed once.
for dtype in ("f32", "bf16", "i8"):
    matmul(f"{dtype}_all_of_a", dtype, 37, 410, 4101)
    matmul(f"{dtype}_all_of_a_t", dtype, 19, 300, 4100, transpose_a=True, init=True)
    matmul(f"{dtype}_all_of_a_bt", dtype, 33, 290, 4099, transpose_b=True)
# Unsigned bytes, an odd number of pairs.
ua, ub = rng.integers(0, 256, (30, 77)).astype(np.uint8), rng.integers(0, 256, (77, 50)).astype(np.uint8)
suite.add("u8", """func.func @u8(%a: tensor<30x77xi8>, %b: tensor<77x50xi8>) -> tensor<30x50xi32> {
  %z = arith.constant 5 : i32
  %e = tensor.empty() : tensor<30x50xi32>
  %c = linalg.fill ins(%z : i32) outs(%e : tensor<30x50xi32>) -> tensor<30x50xi32>
  %r = linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%a, %b : tensor<30x77xi8>, tensor<77x50xi8>) outs(%c : tensor<30x50xi32>) -> tensor<30x50xi32>
  return %r : tensor<30x50xi32>
}""", [ua, ub], [("i32", 2)], [ua.astype(np.int64) @ ub.astype(np.int64) + 5])
# An infinity in the last row of an odd k meets no padding.
inf = narrow(np.where(np.arange(33)[:, None] == 32, np.inf, 1.0) * np.ones((33, 40)), "bf16")
one = narrow(np.ones((30, 33)), "bf16")
suite.add("bf16_inf", """func.func @bf16_inf(%a: tensor<30x33xbf16>, %b: tensor<33x40xbf16>, %c: tensor<30x40xf32>) -> tensor<30x40xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<30x33xbf16>, tensor<33x40xbf16>) outs(%c : tensor<30x40xf32>) -> tensor<30x40xf32>
  return %r : tensor<30x40xf32>
}""", [one, inf, np.zeros((30, 40), np.float32)], [("f32", 2)], [np.full((30, 40), np.inf)])
suite.run()
