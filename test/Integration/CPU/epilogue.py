# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s "amp-lower-to-cpu{no-scalar-fallback}" | FileCheck %s
# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s "amp-lower-to-cpu{cpu=generic no-scalar-fallback}" | FileCheck %s
# What follows a contraction is computed on its tiles. Oracle: f64 on the same inputs, integers exactly. Bounds: 1e-5 of the largest sum for f32,
# one unit of bf16 (2^-8) where the result is bf16, one unit of i8 for a quantised result (a tie may round either way after an f32 sum).
# CHECK-NOT: FAILED
# CHECK: all passed
import math

import numpy as np
from harness import Suite, from_bf16, narrow, tensor, to_bf16

rng = np.random.default_rng(11)
suite = Suite()
erf = np.vectorize(math.erf, otypes=[np.float64])
# One block of k, several, odd sizes, less than a tile, few columns, none of k.
SHAPES = [(64, 64, 64), (127, 333, 65), (61, 100, 1500), (9, 40, 700), (150, 5, 90), (40, 1, 33), (30, 33, 0), (0, 33, 60)]
ROW, ALL, COLUMN = "affine_map<(i, j) -> (j)>", "affine_map<(i, j) -> (i, j)>", "affine_map<(i, j) -> (i)>"


def shapes(dynamic, *list_of):
    return [[-1] * len(s) if dynamic else s for s in list_of]


def start(tc, dynamic, like):
    """An accumulator of zeros."""
    if not dynamic:
        return f"%e = tensor.empty() : {tc}\n %z = arith.constant 0.0 : f32\n %c = linalg.fill ins(%z : f32) outs(%e : {tc}) -> {tc}"
    return f"""%c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %m = tensor.dim {like}, %c0 : {tc.replace('xf32', 'xbf16')}
      %n = tensor.dim {like}, %c1 : {tc.replace('xf32', 'xbf16')}
      %e = tensor.empty(%m, %n) : {tc}
      %z = arith.constant 0.0 : f32
      %c = linalg.fill ins(%z : f32) outs(%e : {tc}) -> {tc}"""


def gelu(m, n, k, element, dynamic):
    """matmul, bias, gelu, residual, cast; the value before gelu is a result too."""
    name = f"gelu_{element}_{m}_{n}_{k}" + ("_dynamic" if dynamic else "")
    a, b = (narrow(rng.uniform(-1, 1, s), element) for s in ((m, k), (k, n)))
    bias, residual = rng.uniform(-1, 1, n).astype(np.float32), to_bf16(rng.uniform(-1, 1, (m, n)))
    sa, sb, sc, sv = shapes(dynamic, (m, k), (k, n), (m, n), (n,))
    ta, tb, tc, tv, tr = tensor(sa, element), tensor(sb, element), tensor(sc, "f32"), tensor(sv, "f32"), tensor(sc, "bf16")
    size = "(%m, %n)" if dynamic else "()"
    source = f"""func.func @{name}(%a: {ta}, %b: {tb}, %bias: {tv}, %res: {tr}) -> ({tc}, {tr}) {{
      {start(tc, dynamic, "%res")}
      %r = linalg.matmul ins(%a, %b : {ta}, {tb}) outs(%c : {tc}) -> {tc}
      %h = linalg.generic {{indexing_maps = [{ALL}, {ROW}, {ALL}], iterator_types = ["parallel", "parallel"]}} ins(%r, %bias : {tc}, {tv}) outs(%e : {tc}) {{
      ^bb0(%x: f32, %y: f32, %o: f32):
        %1 = arith.addf %x, %y : f32
        linalg.yield %1 : f32 }} -> {tc}
      %w = tensor.empty{size} : {tr}
      %g = linalg.generic {{indexing_maps = [{ALL}, {ALL}, {ALL}], iterator_types = ["parallel", "parallel"]}} ins(%h, %res : {tc}, {tr}) outs(%w : {tr}) {{
      ^bb0(%x: f32, %y: bf16, %o: bf16):
        %half = arith.constant 0.5 : f32
        %root = arith.constant 0.70710678118 : f32
        %one = arith.constant 1.0 : f32
        %1 = arith.mulf %x, %root : f32
        %2 = math.erf %1 : f32
        %3 = arith.addf %2, %one : f32
        %4 = arith.mulf %x, %half : f32
        %5 = arith.mulf %4, %3 : f32
        %6 = arith.extf %y : bf16 to f32
        %7 = arith.addf %5, %6 : f32
        %8 = arith.truncf %7 : f32 to bf16
        linalg.yield %8 : bf16 }} -> {tr}
      return %h, %g : {tc}, {tr} }}"""
    wide = lambda x: from_bf16(x).astype(np.float64) if x.dtype == np.uint16 else x.astype(np.float64)
    h = wide(a) @ wide(b) + bias
    g = h * 0.5 * (1 + erf(h / math.sqrt(2))) + wide(residual)
    suite.add(name, source, [a, b, bias, residual], [("f32", 2), ("bf16", 2)], [h, g],
              lambda got, want: np.isclose(got, want, rtol=2**-8, atol=1e-5 * max(1, k / 8)))


for m, n, k in SHAPES:
    for dynamic in (False, True):
        gelu(m, n, k, "f32", dynamic)
gelu(127, 333, 65, "bf16", True)
gelu(61, 100, 1500, "f16", False)


def quantised(m, n, k):
    """i8 x i8 into i32, a scale per column, rounding, saturation, i8; and the sums."""
    a, b = (rng.integers(-128, 128, s, np.int8) for s in ((m, k), (k, n)))
    scale = rng.uniform(1e-4, 1e-3, n).astype(np.float32)
    name = f"quantised_{m}_{n}_{k}"
    ta, tb, tc, tv, tq = tensor((m, k), "i8"), tensor((k, n), "i8"), tensor((m, n), "i32"), tensor((n,), "f32"), tensor((m, n), "i8")
    source = f"""func.func @{name}(%a: {ta}, %b: {tb}, %s: {tv}) -> ({tc}, {tq}) {{
      %z = arith.constant 3 : i32
      %e = tensor.empty() : {tc}
      %c = linalg.fill ins(%z : i32) outs(%e : {tc}) -> {tc}
      %r = linalg.matmul ins(%a, %b : {ta}, {tb}) outs(%c : {tc}) -> {tc}
      %w = tensor.empty() : {tq}
      %q = linalg.generic {{indexing_maps = [{ALL}, {ROW}, {ALL}], iterator_types = ["parallel", "parallel"]}} ins(%r, %s : {tc}, {tv}) outs(%w : {tq}) {{
      ^bb0(%x: i32, %y: f32, %o: i8):
        %lo = arith.constant -128.0 : f32
        %hi = arith.constant 127.0 : f32
        %1 = arith.sitofp %x : i32 to f32
        %2 = arith.mulf %1, %y : f32
        %3 = math.roundeven %2 : f32
        %4 = arith.maximumf %3, %lo : f32
        %5 = arith.minimumf %4, %hi : f32
        %6 = arith.fptosi %5 : f32 to i8
        linalg.yield %6 : i8 }} -> {tq}
      return %r, %q : {tc}, {tq} }}"""
    sums = a.astype(np.int64) @ b.astype(np.int64) + 3
    want = np.clip(np.rint(sums * scale.astype(np.float64)), -128, 127)
    suite.add(name, source, [a, b, scale], [("i32", 2), ("i8", 2)], [sums, want],
              lambda got, want: np.abs(got - want) <= (1 if np.abs(want).max(initial=0) <= 128 else 0))


quantised(64, 64, 64)
quantised(127, 333, 65)
quantised(31, 70, 3001)


def begun(name, m, n, k, map_, shape, element="f32"):
    """Sums that start from a broadcast, with a row of scales behind; nasty values pass through."""
    acc = "i32" if element == "i8" else "f32"
    if element == "i8":
        a, b = (rng.integers(-128, 128, s, np.int8) for s in ((m, k), (k, n)))
        bias, exact = rng.integers(-1000, 1000, shape, np.int32), np.int64
    else:
        a, b = (rng.uniform(-1, 1, s).astype(np.float32) for s in ((m, k), (k, n)))
        a.flat[0], a.flat[5], b.flat[-1] = np.inf, np.nan, -np.inf
        bias, exact = rng.uniform(-1, 1, shape).astype(np.float32), np.float64
    ta, tb, tc, tv = tensor((m, k), element), tensor((k, n), element), tensor((m, n), acc), tensor(shape, acc)
    source = f"""func.func @{name}(%a: {ta}, %b: {tb}, %v: {tv}) -> {tc} {{
      %e = tensor.empty() : {tc}
      %c = linalg.generic {{indexing_maps = [{map_}, {ALL}], iterator_types = ["parallel", "parallel"]}} ins(%v : {tv}) outs(%e : {tc}) {{
      ^bb0(%x: {acc}, %o: {acc}):
        linalg.yield %x : {acc} }} -> {tc}
      %r = linalg.matmul ins(%a, %b : {ta}, {tb}) outs(%c : {tc}) -> {tc}
      return %r : {tc} }}"""
    with np.errstate(invalid="ignore"):
        want = a.astype(exact) @ b.astype(exact) + (bias[:, None] if map_ == COLUMN else bias)
    suite.add(name, source, [a, b, bias], [(acc, 2)], [want], 0 if acc == "i32" else 1e-5 * max(1, k / 8))


begun("row", 37, 70, 65, ROW, (70,))
begun("row_long", 37, 70, 1500, ROW, (70,))
begun("column", 37, 70, 65, COLUMN, (37,))
begun("row_i8", 37, 70, 2001, ROW, (70,), "i8")
begun("column_i8", 37, 70, 65, COLUMN, (37,), "i8")



def layers(m, n, k, heads, dynamic, given=False):
    """Two products with a bias, a square and a rounding to bf16 between them; rows as heads, and these first, for a third, batched one."""
    name = f"layers_{m}_{n}_{k}_{heads}" + ("_dynamic" if dynamic else "") + ("_given" if given else "")
    a, b, w = (to_bf16(rng.uniform(-1, 1, s)) for s in ((m, k), (k, n), (n, n)))
    h = to_bf16(rng.uniform(-1, 1, (heads, n // heads, 19)))
    bias = rng.uniform(-1, 1, n).astype(np.float32)
    rows = "?" if dynamic else m
    t = lambda *shape, e="f32": f"tensor<{'x'.join(map(str, shape))}x{e}>"
    size = "(%m)" if dynamic else "()"
    x, c, cn, p = t(rows, k, e="bf16"), t(rows, n), t(rows, n, e="bf16"), t(heads, rows, 19)
    s, f, fn = t(rows, heads, n // heads), t(heads, rows, n // heads), t(heads, rows, n // heads, e="bf16")
    # A cast of a tensor takes its size from its operand, one with a result to write to from the program.
    narrowed = f"%8 = arith.truncf %7 : {f} to {fn}"
    if given:
        same = "affine_map<(h, i, j) -> (h, i, j)>"
        narrowed = f"""%n = tensor.empty{size} : {fn}
      %8 = linalg.generic {{indexing_maps = [{same}, {same}], iterator_types = ["parallel", "parallel", "parallel"]}} ins(%7 : {f}) outs(%n : {fn}) {{
      ^bb0(%x: f32, %o: bf16):
        %r = arith.truncf %x : f32 to bf16
        linalg.yield %r : bf16 }} -> {fn}"""
    source = f"""func.func @{name}(%a: {x}, %b: {t(k, n, e="bf16")}, %bias: {t(n)}, %w: {t(n, n, e="bf16")}, %h: {t(heads, n // heads, 19, e="bf16")}) -> {p} {{
      %c0 = arith.constant 0 : index
      %m = {f"tensor.dim %a, %c0 : {x}" if dynamic else f"arith.constant {m} : index"}
      %z = arith.constant 0.0 : f32
      %e = tensor.empty{size} : {c}
      %0 = linalg.fill ins(%z : f32) outs(%e : {c}) -> {c}
      %1 = linalg.matmul ins(%a, %b : {x}, {t(k, n, e="bf16")}) outs(%0 : {c}) -> {c}
      %2 = linalg.generic {{indexing_maps = [{ALL}, {ROW}, {ALL}], iterator_types = ["parallel", "parallel"]}} ins(%1, %bias : {c}, {t(n)}) outs(%e : {c}) {{
      ^bb0(%x: f32, %y: f32, %o: f32):
        %r = arith.addf %x, %y : f32
        %q = arith.mulf %r, %r : f32
        linalg.yield %q : f32 }} -> {c}
      %3 = arith.truncf %2 : {c} to {cn}
      %4 = linalg.matmul ins(%3, %w : {cn}, {t(n, n, e="bf16")}) outs(%0 : {c}) -> {c}
      %5 = tensor.expand_shape %4 [[0], [1, 2]] output_shape [%m, {heads}, {n // heads}] : {c} into {s}
      %6 = tensor.empty{size} : {f}
      %7 = linalg.transpose ins(%5 : {s}) outs(%6 : {f}) permutation = [1, 0, 2]
      {narrowed}
      %9 = tensor.empty{size} : {p}
      %10 = linalg.fill ins(%z : f32) outs(%9 : {p}) -> {p}
      %11 = linalg.batch_matmul ins(%8, %h : {fn}, {t(heads, n // heads, 19, e="bf16")}) outs(%10 : {p}) -> {p}
      return %11 : {p} }}"""
    if not dynamic:
        source = source.replace(f"output_shape [%m, {heads}", f"output_shape [{m}, {heads}")
    wide = lambda v: from_bf16(v).astype(np.float64)
    # Rounded as the program does: a sum that is close to a tie may round either way.
    first = wide(to_bf16(((wide(a) @ wide(b) + bias)**2).astype(np.float32)))
    second = wide(to_bf16((first @ wide(w)).astype(np.float32)))
    want = second.reshape(m, heads, -1).transpose(1, 0, 2) @ wide(h)
    scale = np.abs(second).max() * n // heads
    suite.add(name, source, [a, b, bias, w, h], [("f32", 3)], [want], lambda got, oracle: np.abs(got - oracle) <= 2**-8 * scale)


for dynamic in (False, True):
    layers(128, 64, 300, 4, dynamic)
    layers(37, 96, 65, 8, dynamic)
    layers(37, 96, 65, 8, dynamic, given=True)


def merged(m, heads, d, n, dynamic):
    """A batched product whose rows are put side by side, rounded and multiplied again: what attention ends with."""
    name = f"merged_{m}_{heads}_{d}_{n}" + ("_dynamic" if dynamic else "")
    a, b, w = (to_bf16(rng.uniform(-1, 1, s)) for s in ((heads, m, m), (heads, m, d), (heads * d, n)))
    rows = "?" if dynamic else m
    t = lambda *shape, e="f32": f"tensor<{'x'.join(map(str, shape))}x{e}>"
    size = "(%m)" if dynamic else "()"
    ta, tb, tw = t(heads, rows, rows, e="bf16"), t(heads, rows, d, e="bf16"), t(heads * d, n, e="bf16")
    h, s, f, c = t(heads, rows, d), t(rows, heads, d), t(rows, heads * d), t(rows, n)
    fn = t(rows, heads * d, e="bf16")
    source = f"""func.func @{name}(%a: {ta}, %b: {tb}, %w: {tw}) -> {c} {{
      %c1 = arith.constant 1 : index
      %m = tensor.dim %a, %c1 : {ta}
      %z = arith.constant 0.0 : f32
      %e = tensor.empty{size} : {h}
      %0 = linalg.fill ins(%z : f32) outs(%e : {h}) -> {h}
      %1 = linalg.batch_matmul ins(%a, %b : {ta}, {tb}) outs(%0 : {h}) -> {h}
      %2 = tensor.empty{size} : {s}
      %3 = linalg.transpose ins(%1 : {h}) outs(%2 : {s}) permutation = [1, 0, 2]
      %4 = tensor.collapse_shape %3 [[0], [1, 2]] : {s} into {f}
      %5 = arith.truncf %4 : {f} to {fn}
      %6 = tensor.empty{size} : {c}
      %7 = linalg.fill ins(%z : f32) outs(%6 : {c}) -> {c}
      %8 = linalg.matmul ins(%5, %w : {fn}, {tw}) outs(%7 : {c}) -> {c}
      return %8 : {c} }}"""
    wide = lambda v: from_bf16(v).astype(np.float64)
    first = wide(to_bf16((wide(a) @ wide(b)).transpose(1, 0, 2).reshape(m, heads * d).astype(np.float32)))
    scale = np.abs(first).max() * heads * d
    suite.add(name, source, [a, b, w], [("f32", 2)], [first @ wide(w)], lambda got, oracle: np.abs(got - oracle) <= 2**-8 * scale)


for dynamic in (False, True):
    merged(70, 4, 16, 33, dynamic)
    merged(37, 3, 20, 50, dynamic)

# A residual that is the accumulator of the next product; a transposed result behind a product; a user in between.
x, y = (rng.uniform(-1, 1, (70, 70)).astype(np.float32) for _ in range(2))
t = "tensor<70x70xf32>"
suite.add("mixed", f"""func.func @mixed(%a: {t}, %b: {t}) -> ({t}, {t}, tensor<70xf32>) {{
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : {t}
  %v = tensor.empty() : tensor<70xf32>
  %c = linalg.fill ins(%z : f32) outs(%e : {t}) -> {t}
  %d = linalg.fill ins(%z : f32) outs(%v : tensor<70xf32>) -> tensor<70xf32>
  %0 = linalg.matmul ins(%a, %b : {t}, {t}) outs(%c : {t}) -> {t}
  %s = linalg.reduce {{ arith.addf }} ins(%0 : {t}) outs(%d : tensor<70xf32>) dimensions = [1]
  %1 = arith.addf %0, %a : {t}
  %2 = linalg.matmul ins(%1, %b : {t}, {t}) outs(%1 : {t}) -> {t}
  %3 = arith.mulf %2, %1 : {t}
  %4 = linalg.transpose ins(%3 : {t}) outs(%e : {t}) permutation = [1, 0]
  return %4, %3, %s : {t}, {t}, tensor<70xf32> }}""", [x, y], [("f32", 2), ("f32", 2), ("f32", 1)], (lambda p: [
    ((((p + x) @ y.astype(np.float64)) + p + x) * (p + x)).T, (((p + x) @ y.astype(np.float64)) + p + x) * (p + x), p.sum(1)])(
        x.astype(np.float64) @ y.astype(np.float64)), 1e-3)
# Rows in two loops, a bias of the outer one, and one that both have.
xb = rng.uniform(-1, 1, (3, 21, 40)).astype(np.float32)
yb = rng.uniform(-1, 1, (40, 50)).astype(np.float32)
vb = rng.uniform(-1, 1, (3, 50)).astype(np.float32)
suite.add("batched", """func.func @batched(%a: tensor<3x21x40xf32>, %b: tensor<40x50xf32>, %v: tensor<3x50xf32>) -> tensor<3x21x50xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x21x50xf32>
  %c = linalg.fill ins(%z : f32) outs(%e : tensor<3x21x50xf32>) -> tensor<3x21x50xf32>
  %0 = linalg.contract indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>]
    ins(%a, %b : tensor<3x21x40xf32>, tensor<40x50xf32>) outs(%c : tensor<3x21x50xf32>) -> tensor<3x21x50xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, j)>, affine_map<(b, i, j) -> (b, i, j)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%0, %v : tensor<3x21x50xf32>, tensor<3x50xf32>) outs(%e : tensor<3x21x50xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<3x21x50xf32>
  return %1 : tensor<3x21x50xf32>
}""", [xb, yb, vb], [("f32", 3)], [xb.astype(np.float64) @ yb + vb[:, None]], 1e-5)
suite.run()
