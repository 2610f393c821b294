# Slices of every second, third, ... element and row, at the beginning of tensors and within: copied, computed with, summed, multiplied, normalised, and the halves of
# a rotary embedding, which are also written so. Static, odd, dynamic and empty sizes; dimensions of one element with strides, that are kept or dropped, anywhere.
# Oracle: NumPy in f64.
# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx %python %s | FileCheck %s
# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s "amp-lower-to-cpu{cpu=x86-64}" | FileCheck %s
# CHECK-NOT: FAILED
# CHECK: all passed
import numpy as np
from harness import Suite, narrow, tensor, widen

rng = np.random.default_rng(3)
suite = Suite()
APART = "elements are too far apart, or written apart"


def slice_of(name, t, s, shape, offsets, strides, dynamic):
    """Lines that make %name, a slice of %x, and its shape."""
    sizes = [max(0, -(-(n - o) // k)) for n, o, k in zip(shape, offsets, strides)]
    lines = []
    if dynamic:
        for d, (o, k) in enumerate(zip(offsets, strides)):
            lines.append(f"""%{name}c{d} = arith.constant {d} : index
  %{name}s{d} = arith.constant {o} : index
  %{name}k{d} = arith.constant {k} : index
  %{name}d{d} = tensor.dim %x, %{name}c{d} : {t}
  %{name}r{d} = arith.subi %{name}d{d}, %{name}s{d} : index
  %{name}n{d} = arith.ceildivsi %{name}r{d}, %{name}k{d} : index""")
    counts = ", ".join(f"%{name}n{d}" if dynamic else str(n) for d, n in enumerate(sizes))
    lines.append(f"%{name} = tensor.extract_slice %x[{', '.join(map(str, offsets))}] [{counts}] [{', '.join(map(str, strides))}] : {t} to {s}")
    return "\n  ".join(lines), sizes


def part(x, offsets, strides):
    return x[tuple(slice(o, None, k) for o, k in zip(offsets, strides))]


for dtype in ("i8", "i64", "bf16", "f16", "f32", "f64"):
    for shape in ((5, 64), (4, 37), (3, 2), (7, 200), (6, 1)):
        value = rng.integers(-100, 100, shape)
        value = np.asarray(narrow(value if dtype[0] == "i" else value / 8, dtype)).reshape(shape)
        x = widen(value, dtype)
        for offsets, strides in (((0, 0), (1, 2)), ((1, 1), (2, 3)), ((0, 1), (3, 1)), ((0, 0), (1, 4)), ((2, 0), (1, 7))):
            if offsets[1] >= shape[1]:
                continue
            for dynamic in (False, True):
                t = tensor([-1] * 2 if dynamic else shape, dtype)
                sizes = [max(0, -(-(n - o) // k)) for n, o, k in zip(shape, offsets, strides)]
                s = tensor([-1] * 2 if dynamic else sizes, dtype)
                lines, _ = slice_of("a", t, s, shape, offsets, strides, dynamic)
                name = f"{dtype}_{shape[1]}_{offsets[0]}_{offsets[1]}_{strides[0]}_{strides[1]}{'_dynamic' if dynamic else ''}"
                op = "arith.addi" if dtype[0] == "i" else "arith.addf"
                suite.add(name, f"""func.func @{name}(%x: {t}) -> ({s}, {s}) {{
  {lines}
  %b = {op} %a, %a : {s}
  return %a, %b : {s}, {s} }}""", [value], [(dtype, 2)] * 2,
                          [part(x, offsets, strides), widen(narrow(2 * part(x, offsets, strides), dtype), dtype).reshape(sizes)],
                          scalar=APART if strides[1] > 4 or sizes[1] == 1 else "")

# By what reads each element several times, or in another order.
for shape in ((64, 128), (17, 75), (0, 30)):
    x, w = rng.standard_normal(shape).astype(np.float32), rng.standard_normal((400, 48)).astype(np.float32)
    for step in (2, 3):
        for dynamic in (False, True) if shape[0] else (True,):
            n = -(-(shape[1] - 1) // step)
            size = lambda *sizes: tensor([-1] * len(sizes) if dynamic else sizes, "f32")
            t, s, v, u, y = size(*shape), size(shape[0], n), size(shape[0]), size(n, 48), size(shape[0], 48)
            r = size(n, shape[0])
            lines, _ = slice_of("a", t, s, shape, (0, 1), (1, step), dynamic)
            name = f"readers_{shape[0]}_{step}{'_dynamic' if dynamic else ''}"
            rows = "%m" if dynamic else ""
            suite.add(name, f"""func.func @{name}(%x: {t}, %w: {u}) -> ({v}, {y}, {s}, {r}) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c48 = arith.constant 48 : index
  %zero = arith.constant 0.0 : f32
  {lines}
  %m = tensor.dim %a, %c0 : {s}
  %n = tensor.dim %a, %c1 : {s}
  %ve = tensor.empty({rows}) : {v}
  %vf = linalg.fill ins(%zero : f32) outs(%ve : {v}) -> {v}
  %sum = linalg.reduce ins(%a : {s}) outs(%vf : {v}) dimensions = [1] (%p: f32, %q: f32) {{
    %z = arith.addf %p, %q : f32
    linalg.yield %z : f32 }}
  %ye = tensor.empty({"%m, %c48" if dynamic else ""}) : {y}
  %yf = linalg.fill ins(%zero : f32) outs(%ye : {y}) -> {y}
  %product = linalg.matmul ins(%a, %w : {s}, {u}) outs(%yf : {y}) -> {y}
  %se = tensor.empty({"%m, %n" if dynamic else ""}) : {s}
  %soft = linalg.softmax dimension(1) ins(%a : {s}) outs(%se : {s}) -> {s}
  %te = tensor.empty({"%n, %m" if dynamic else ""}) : {r}
  %turned = linalg.transpose ins(%a : {s}) outs(%te : {r}) permutation = [1, 0]
  return %sum, %product, %soft, %turned : {v}, {y}, {s}, {r} }}""", [x, w[:n]], [("f32", 1)] + [("f32", 2)] * 3,
                      [(a := x[:, 1::step].astype(np.float64)).sum(1), a @ w[:n].astype(np.float64),
                       np.exp(a - (m := a.max(1, keepdims=True, initial=-9))) / np.exp(a - m).sum(1, keepdims=True), a.T], 1e-5)

# One column, one row of each matrix.
x = rng.standard_normal((9, 40, 12)).astype(np.float32)
suite.add("column", """func.func @column(%x: tensor<9x40x12xf32>) -> (tensor<9x40xf32>, tensor<9x12xf32>) {
  %a = tensor.extract_slice %x[0, 0, 5] [9, 40, 1] [1, 1, 1] : tensor<9x40x12xf32> to tensor<9x40xf32>
  %b = tensor.extract_slice %x[0, 7, 0] [9, 1, 12] [1, 1, 1] : tensor<9x40x12xf32> to tensor<9x12xf32>
  %c = arith.addf %a, %a : tensor<9x40xf32>
  %d = arith.addf %b, %b : tensor<9x12xf32>
  return %c, %d : tensor<9x40xf32>, tensor<9x12xf32> }""", [x], [("f32", 2)] * 2, [2 * x[:, :, 5], 2 * x[:, 7]], 0, scalar=APART)

# A rotary embedding of neighbours.
x, c, s = (rng.standard_normal(shape).astype(np.float32) for shape in ((3, 10, 64), (10, 32), (10, 32)))
even, odd = x[..., ::2].astype(np.float64), x[..., 1::2].astype(np.float64)
want = np.stack([even * c - odd * s, even * s + odd * c], -1).reshape(x.shape)
suite.add("rotary", """#whole = affine_map<(a, b, c) -> (a, b, c)>
#angle = affine_map<(a, b, c) -> (b, c)>
func.func @rotary(%x: tensor<3x10x64xf32>, %c: tensor<10x32xf32>, %s: tensor<10x32xf32>) -> tensor<3x10x64xf32> {
  %even = tensor.extract_slice %x[0, 0, 0] [3, 10, 32] [1, 1, 2] : tensor<3x10x64xf32> to tensor<3x10x32xf32>
  %odd = tensor.extract_slice %x[0, 0, 1] [3, 10, 32] [1, 1, 2] : tensor<3x10x64xf32> to tensor<3x10x32xf32>
  %e = tensor.empty() : tensor<3x10x32xf32>
  %r:2 = linalg.generic {indexing_maps = [#whole, #whole, #angle, #angle, #whole, #whole], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%even, %odd, %c, %s : tensor<3x10x32xf32>, tensor<3x10x32xf32>, tensor<10x32xf32>, tensor<10x32xf32>)
      outs(%e, %e : tensor<3x10x32xf32>, tensor<3x10x32xf32>) {
  ^bb0(%a: f32, %b: f32, %p: f32, %q: f32, %u: f32, %v: f32):
    %1 = arith.mulf %a, %p : f32
    %2 = arith.mulf %b, %q : f32
    %3 = arith.subf %1, %2 : f32
    %4 = arith.mulf %a, %q : f32
    %5 = arith.mulf %b, %p : f32
    %6 = arith.addf %4, %5 : f32
    linalg.yield %3, %6 : f32, f32
  } -> (tensor<3x10x32xf32>, tensor<3x10x32xf32>)
  %z = tensor.empty() : tensor<3x10x64xf32>
  %f = tensor.insert_slice %r#0 into %z[0, 0, 0] [3, 10, 32] [1, 1, 2] : tensor<3x10x32xf32> into tensor<3x10x64xf32>
  %g = tensor.insert_slice %r#1 into %f[0, 0, 1] [3, 10, 32] [1, 1, 2] : tensor<3x10x32xf32> into tensor<3x10x64xf32>
  return %g : tensor<3x10x64xf32> }""", [x, c, s], [("f32", 3)], [want], 1e-6, scalar=APART)
# A few elements behind each that is taken, and dimensions of one element, with strides, that are dropped or kept: as it is, computed with, put beside itself, and put back.
for number in range(96):
    dtype = ("f32", "bf16", "i8", "f16")[number % 4]
    shape = [*rng.choice((1, 2, 3, 5, 8, 17, 33), rng.integers(1, 4)), *rng.choice((1, 2, 3, 4), rng.integers(0, 3))]
    outer = len(shape) - int(rng.integers(0, 3))
    offsets = [int(rng.integers(0, n)) for n in shape]
    strides = [int(rng.choice((1, 1, 2, 3, 4))) for _ in shape]
    sizes = [1 if d >= outer or rng.random() < 0.2 else -(-(n - o) // k) for d, (n, o, k) in enumerate(zip(shape, offsets, strides))]
    kept = [n for n in sizes if n != 1 or rng.random() < 0.5] or [1]
    t, s = tensor([-1 if d < outer and rng.random() < 0.3 else n for d, n in enumerate(shape)], dtype), tensor(kept, dtype)
    place = tuple(slice(o, o + (n - 1) * k + 1, k) for o, n, k in zip(offsets, sizes, strides))
    value = np.asarray(narrow(rng.integers(-60, 60, shape), dtype)).reshape(shape)
    x, at = widen(value, dtype), f"[{', '.join(map(str, offsets))}] [{', '.join(map(str, sizes))}] [{', '.join(map(str, strides))}]"
    a = x[place].reshape(kept)
    back = x.copy()
    back[place] = (2 * a).reshape(sizes)
    axis = int(rng.integers(0, len(kept)))
    both = tensor([2 * n if d == axis else n for d, n in enumerate(kept)], dtype)
    suite.add(f"random{number}", f"""func.func @random{number}(%x: {t}) -> ({s}, {s}, {both}, {t}) {{
  %a = tensor.extract_slice %x{at} : {t} to {s}
  %b = {"arith.addi" if dtype == "i8" else "arith.addf"} %a, %a : {s}
  %c = tensor.concat dim({axis}) %a, %b : ({s}, {s}) -> {both}
  %d = tensor.insert_slice %b into %x{at} : {s} into {t}
  return %a, %b, %c, %d : {s}, {s}, {both}, {t} }}""", [value], [(dtype, len(kept))] * 3 + [(dtype, len(shape))], [a, 2 * a, np.concatenate([a, 2 * a], axis), back], scalar=APART)
suite.run()
