# Reductions that start from a tensor, on the simulator: many threads read where a result starts, and one writes it.
# Oracle: NumPy in f64; equality for integers and choices, 1e-5 for f32, and 2e-2 for f16, whose every step rounds.
# UNSUPPORTED: sanitizer
# RUN: env AMP_TARGET=sim AMP_COMPILE=%amp_obj/bin/amp-compile AMP_CUDA_DRIVER=%amp_lib/libamp_cuda_simulator%shlibext \
# RUN:   PYTHONPATH=%amp_src/python:%S/../CPU/Inputs %python %s | FileCheck %s
# CHECK-NOT: FAILED
# CHECK: all passed
import numpy as np
from harness import Suite, tensor

rng = np.random.default_rng(5)
suite = Suite()


def reduce(name, dtype, shape, dims, op, want, tolerance, start, x):
    kept = [d for d in range(len(shape)) if d not in dims]
    loops = ", ".join(f"d{i}" for i in range(len(shape)))
    ti, to = tensor(shape, dtype), tensor([shape[d] for d in kept], dtype)
    iterators = ", ".join('"reduction"' if i in dims else '"parallel"' for i in range(len(shape)))
    suite.add(name, f"""func.func @{name}(%x: {ti}, %s: {to}) -> {to} {{
  %r = linalg.generic {{indexing_maps = [affine_map<({loops}) -> ({loops})>, affine_map<({loops}) -> ({", ".join(f"d{d}" for d in kept)})>],
      iterator_types = [{iterators}]}} ins(%x : {ti}) outs(%s : {to}) {{
  ^bb0(%a: {dtype}, %b: {dtype}):
    %0 = {op} %a, %b : {dtype}
    linalg.yield %0 : {dtype}
  }} -> {to}
  return %r : {to}
}}""", [x, start], [(dtype, len(kept))], [want], tolerance)


# Rows that a warp, a block and several blocks reduce; columns; everything.
for i, (shape, dims) in enumerate([((4, 33), (1,)), ((3, 9033), (1,)), ((600, 33), (0,)), ((70, 33), (0, 1))]):
    kept = [n for d, n in enumerate(shape) if d not in dims]
    x, s = rng.integers(0, 2, shape).astype(bool), np.ones(kept, bool)
    reduce(f"and_{i}", "i1", shape, dims, "arith.andi", np.all(x, dims) & s, 0, s, x)
    x, s = rng.integers(-128, 128, shape).astype(np.int8), rng.integers(-128, 128, kept).astype(np.int8)
    wrapped = (x.astype(np.int64).sum(dims) + s).astype(np.int8)
    reduce(f"sum_i8_{i}", "i8", shape, dims, "arith.addi", wrapped.astype(np.int64), 0, s, x)
    reduce(f"max_i8_{i}", "i8", shape, dims, "arith.maxsi", np.maximum(x.max(dims), s).astype(np.int64), 0, s, x)
    x, s = (rng.uniform(0, 1, n).astype(np.float16) for n in (shape, kept))
    reduce(f"sum_f16_{i}", "f16", shape, dims, "arith.addf", x.astype(np.float64).sum(dims) + s, 2e-2, s, x)

# Several results, and a choice, which has no neutral element.
for rows, columns in ((60, 33), (2, 9033)):
    x = rng.standard_normal((rows, columns)).astype(np.float32)
    best, where = (rng.standard_normal(rows) + 1.5).astype(np.float32), np.full(rows, -1)
    t, u, v = tensor((rows, columns), "f32"), tensor((rows,), "f32"), tensor((rows,), "i64")
    maps = "indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = [\"parallel\", \"reduction\"]"
    wins = x.max(1) > best
    suite.add(f"argmax_{rows}", f"""func.func @argmax_{rows}(%x: {t}, %a: {u}, %b: {v}) -> ({u}, {v}) {{
  %r:2 = linalg.generic {{{maps}}} ins(%x : {t}) outs(%a, %b : {u}, {v}) {{
  ^bb0(%p: f32, %q: f32, %c: i64):
    %i = linalg.index 1 : index
    %n = arith.index_cast %i : index to i64
    %g = arith.cmpf ogt, %p, %q : f32
    %y = arith.select %g, %p, %q : f32
    %w = arith.select %g, %n, %c : i64
    linalg.yield %y, %w : f32, i64
  }} -> ({u}, {v})
  return %r#0, %r#1 : {u}, {v}
}}""", [x, best, where], [("f32", 1), ("i64", 1)], [np.maximum(x.max(1), best), np.where(wins, x.argmax(1), -1)])
    wide = x.astype(np.float64)
    suite.add(f"moments_{rows}", f"""func.func @moments_{rows}(%x: {t}, %a: {u}) -> ({u}, {u}) {{
  %r:2 = linalg.generic {{{maps}}} ins(%x : {t}) outs(%a, %a : {u}, {u}) {{
  ^bb0(%p: f32, %q: f32, %c: f32):
    %y = arith.addf %p, %q : f32
    %m = arith.mulf %p, %p : f32
    %w = arith.addf %m, %c : f32
    linalg.yield %y, %w : f32, f32
  }} -> ({u}, {u})
  return %r#0, %r#1 : {u}, {u}
}}""", [x, best], [("f32", 1), ("f32", 1)], [wide.sum(1) + best, (wide**2).sum(1) + best], 1e-4)
suite.run()
