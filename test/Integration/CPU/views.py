# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx %python %s | FileCheck %s
# Tensors that are computed inside a larger one, a padded one or one that they are a slice of, and are returned, or go through a call, beside it: each result is a
# buffer of its own, and readers see no gaps.
# CHECK-NOT: FAILED
# CHECK: all passed
import numpy as np
from harness import Suite, tensor

M, N = 20, 33
suite = Suite()
a = np.random.default_rng(0).standard_normal((M, N)).astype(np.float32)
turned = 2.0 * a.astype(np.float64).T


def add(name, dynamic, low, high, swap):
    """The operand of a pad and the padded tensor: through a call, and as they are."""
    wide = (N + low[0] + high[0], M + low[1] + high[1])
    size = lambda shape: [-1] * 2 if dynamic else list(shape)
    x, y, p = tensor(size((M, N)), "f32"), tensor(size((N, M)), "f32"), tensor(size(wide), "f32")
    body = f"""  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %two = arith.constant 2.0 : f32
  %m = tensor.dim %a, %c0 : {x}
  %n = tensor.dim %a, %c1 : {x}
  %e = tensor.empty({"%n, %m" if dynamic else ""}) : {y}
  %r = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}} ins(%a : {x}) outs(%e : {y}) {{
  ^bb0(%v: f32, %o: f32):
    %s = arith.addf %v, %v : f32
    linalg.yield %s : f32
  }} -> {y}
  %p = tensor.pad %r low[{low[0]}, {low[1]}] high[{high[0]}, {high[1]}] {{
  ^bb0(%i: index, %j: index):
    tensor.yield %two : f32
  }} : {y} to {p}
"""
    types, values = (f"{p}, {y}", "%p, %r") if swap else (f"{y}, {p}", "%r, %p")
    padded = np.pad(turned, list(zip(low, high)), constant_values=2)
    want = [padded, turned] if swap else [turned, padded]
    suite.add(name, f"func.func @{name}(%a: {x}) -> ({types}) {{\n{body}  return {values} : {types}\n}}\n", [a], [("f32", 2)] * 2, want, 1e-6)
    inner = 1 if swap else 0
    suite.add(f"{name}_call", f"""func.func private @{name}_callee(%a: {x}) -> ({types}) attributes {{no_inline}} {{
{body}  return {values} : {types}
}}
func.func @{name}_call(%a: {x}) -> ({types}, {y}) {{
  %k:2 = call @{name}_callee(%a) : ({x}) -> ({types})
  %e = math.absf %k#{inner} : {y}
  return %k#0, %k#1, %e : {types}, {y}
}}
""", [a], [("f32", 2)] * 3, want + [np.abs(turned)], 1e-6)


for dynamic in (True, False):
    for swap in (True, False):
        add(f"columns_{dynamic}_{swap}", dynamic, (0, 0), (0, 1), swap)
        add(f"rows_{dynamic}_{swap}", dynamic, (0, 0), (3, 0), swap)
        add(f"before_{dynamic}_{swap}", dynamic, (2, 1), (0, 0), swap)

# A slice of columns as the argument of a call, and as a result.
any2 = tensor((-1, -1), "f32")
suite.add("slice", f"""func.func private @slice_callee(%a: {any2}) -> {any2} attributes {{no_inline}} {{
  %e = math.absf %a : {any2}
  return %e : {any2}
}}
func.func @slice(%a: {any2}, %n: index) -> ({any2}, {any2}) {{
  %c0 = arith.constant 0 : index
  %m = tensor.dim %a, %c0 : {any2}
  %b = arith.addf %a, %a : {any2}
  %q = tensor.extract_slice %b[0, 3] [%m, %n] [1, 1] : {any2} to {any2}
  %r = call @slice_callee(%q) : ({any2}) -> {any2}
  return %r, %q : {any2}, {any2}
}}
""", [a, 15], [("f32", 2)] * 2, [np.abs(2.0 * a[:, 3:18]), 2.0 * a[:, 3:18]], 1e-6)
suite.run()
