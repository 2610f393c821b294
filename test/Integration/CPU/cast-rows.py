# Products of f32 tensors that autocast rounds to bf16 or f16 on the way: few rows and many, both layouts of B, static, odd and dynamic sizes; what is not finite stays in its rows and columns.
# Oracle: the rounded operands in f64. Bound: 1e-6 times k / 8, at least 1e-6, for sums in f32.
# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s | FileCheck %s
# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s "amp-lower-to-cpu{cpu=x86-64-v3}" | FileCheck %s
# CHECK-NOT: FAILED
# CHECK: all passed
import numpy as np
from harness import Suite, narrow, tensor, widen

rng = np.random.default_rng(29)
suite = Suite()


def product(name, dtype, m, n, k, transposed=False, dynamic="", a=None, b=None):
    """`dynamic`: "rows", or "all" sizes are not known."""
    a = rng.uniform(-1, 1, (m, k)).astype(np.float32) if a is None else a
    b = rng.uniform(-1, 1, (n, k) if transposed else (k, n)).astype(np.float32) if b is None else b
    known = {"": lambda shape, rows: shape, "rows": lambda shape, rows: [-1] * rows + list(shape[rows:]), "all": lambda shape, rows: [-1] * 2}[dynamic]
    ta, tb, tc = (lambda t: [tensor(known(a.shape, 1), t), tensor(known(b.shape, 0), t), tensor(known((m, n), 1), "f32")])(dtype)
    fa, fb = tensor(known(a.shape, 1), "f32"), tensor(known(b.shape, 0), "f32")
    sizes = {"": [], "rows": ["%a, %c0"], "all": ["%a, %c0", f"%b, %c{0 if transposed else 1}"]}[dynamic]
    dims = "".join(f"  %d{i} = tensor.dim {at} : {fa if at.startswith('%a') else fb}\n" for i, at in enumerate(sizes))
    want = widen(narrow(a, dtype), dtype).astype(np.float64) @ (lambda y: y.T if transposed else y)(widen(narrow(b, dtype), dtype).astype(np.float64))
    suite.add(name, f"""func.func @{name}(%a: {fa}, %b: {fb}) -> {tc} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
{dims}  %z = arith.constant 0.0 : f32
  %e = tensor.empty({", ".join(f"%d{i}" for i in range(len(sizes)))}) : {tc}
  %c = linalg.fill ins(%z : f32) outs(%e : {tc}) -> {tc}
  %an = arith.truncf %a : {fa} to {ta}
  %bn = arith.truncf %b : {fb} to {tb}
  %r = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> ({"n, k" if transposed else "k, n"})>, affine_map<(m, n, k) -> (m, n)>]
      ins(%an, %bn : {ta}, {tb}) outs(%c : {tc}) -> {tc}
  return %r : {tc}
}}""", [a, b], [("f32", 2)], [want], 1e-6 * max(1.0, k / 8))


for dtype in ("bf16", "f16"):
    for m, n, k in ((1, 333, 129), (2, 64, 301), (4, 70, 1025), (7, 130, 66), (13, 257, 70), (40, 95, 515)):
        product(f"rows_{dtype}_{m}", dtype, m, n, k)
        product(f"rows_{dtype}_{m}_t", dtype, m, n, k, transposed=True)
    # Several blocks, and some that are not known.
    for m, n, k in ((1, 512, 256), (3, 200, 67), (8, 1000, 131)) if dtype == "bf16" else ((5, 37, 512),):
        product(f"blocks_{dtype}_{m}", dtype, m, n, k)
        product(f"blocks_{dtype}_{m}_dynamic", dtype, m, n, k, dynamic="rows")
        product(f"blocks_{dtype}_{m}_all", dtype, m, n, k, dynamic="all")
        product(f"blocks_{dtype}_{m}_t_dynamic", dtype, m, n, k, transposed=True, dynamic="rows")
    product(f"none_{dtype}", dtype, 0, 64, 300, dynamic="rows")
    # The last step of an odd k, past which there is none, and numbers that round to infinity.
    a, b = rng.uniform(0.5, 1, (4, 1001)).astype(np.float32), rng.uniform(0.5, 1, (1001, 90)).astype(np.float32)
    a[1, 1000], b[3, 7], b[1000, 89], b[5, 20] = np.inf, np.nan, -np.inf, 3.4e38
    for m in (1, 4):
        product(f"inf_{dtype}_{m}", dtype, m, 90, 1001, a=a[-m:], b=b)
        product(f"inf_{dtype}_{m}_t", dtype, m, 90, 1001, transposed=True, a=a[-m:], b=np.ascontiguousarray(b.T))
suite.run()
