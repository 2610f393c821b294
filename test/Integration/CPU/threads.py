# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s | FileCheck %s
# Kernels on 1, 2, 3 and 7 threads give the same bits, and those are right: f64 oracle, 1e-4 for sums of up to 700 normal products, in proportion for more, 2e-6 for
# the polynomials, 2e-2 for bf16 outputs, equality for integers.
# CHECK-NOT: FAILED
# CHECK: all passed
import sys

import numpy as np
from harness import RUNTIME, Module, tensor, to_bf16, from_bf16, widen

rng = np.random.default_rng(0)
cases = []


def f(*shape):
    return rng.standard_normal(shape).astype(np.float32)


def add(name, source, args, result, want, tolerance):
    cases.append((name, source, args, result, want, tolerance))


def matmul(name, batch, m, n, k, element, acc, dynamic=False, transposed=False):
    op, lead = ("batch_matmul", (batch,)) if batch else ("matmul", ())
    shapes = [(*lead, m, k), (*lead, k, n), (*lead, m, n)]
    a, b, c = (tensor([-1] * len(s) if dynamic else s, t) for s, t in zip(shapes, (element, element, acc)))
    source = f"""func.func @{name}(%a: {a}, %b: {b}, %c: {c}) -> {c} {{
      %r = linalg.{op} ins(%a, %b : {a}, {b}) outs(%c : {c}) -> {c}
      return %r : {c} }}"""
    if transposed:
        b = tensor((n, k), element)
        maps = ", ".join(f"affine_map<(m, n, k) -> ({x})>" for x in ("m, k", "n, k", "m, n"))
        source = source.replace(f"%b: {tensor((k, n), element)}", f"%b: {b}").replace(f"{a}, {tensor((k, n), element)})", f"{a}, {b})").replace("linalg.matmul", f"linalg.matmul indexing_maps = [{maps}]")
    if element == "i8":
        x, y = (rng.integers(-128, 128, s, np.int8) for s in shapes[:2])
        z, exact = rng.integers(-9, 9, shapes[2], np.int32), np.int64
    else:
        x, y, z, exact = f(*shapes[0]), f(*shapes[1]), f(*shapes[2]), np.float64
    if element == "bf16":
        x, y = to_bf16(x), to_bf16(y)
    wide = lambda v: from_bf16(v).astype(exact) if element == "bf16" else v.astype(exact)
    stored = np.ascontiguousarray(y.T) if transposed else y
    add(name, source, [x, stored, z], (acc, len(lead) + 2), wide(x) @ wide(y) + z, 0 if element == "i8" else 1e-4 * max(1, k / 700))


matmul("mm_f32", 0, 500, 300, 700, "f32", "f32")
matmul("mm_dyn", 0, 501, 299, 333, "f32", "f32", dynamic=True)
matmul("mm_one", 0, 1, 65, 700, "f32", "f32", dynamic=True)
for m in (1, 7, 40):
    matmul(f"mm_any_rows_{m}", 0, m, 2050, 301, "f32", "f32", dynamic=True)
    matmul(f"mm_any_rows_i8_{m}", 0, m, 2050, 701, "i8", "i32", dynamic=True)
# Of sizes that are not known, blocks of rows and of columns are divided when they run.
for m, n, k in ((197, 700, 300), (31, 1030, 515), (127, 65, 333), (12, 600, 200)):
    for element, acc in (("f32", "f32"), ("bf16", "f32"), ("i8", "i32")):
        matmul(f"mm_any_{element}_{m}", 0, m, n, k, element, acc, dynamic=True)
matmul("mm_bf16", 0, 257, 300, 511, "bf16", "f32")
matmul("mm_i8", 0, 300, 400, 513, "i8", "i32")
matmul("mm_wide", 0, 16, 4000, 100, "f32", "f32")
matmul("mm_i8_row", 0, 1, 4001, 700, "i8", "i32")
matmul("mm_i8_t", 0, 5, 1100, 1030, "i8", "i32", transposed=True)
matmul("mm_bf16_t", 0, 8, 1001, 1100, "bf16", "f32", transposed=True)
matmul("mm_i8_nine", 0, 9, 4100, 515, "i8", "i32")
matmul("mm_row", 0, 1, 4000, 700, "f32", "f32")
matmul("mm_eight", 0, 8, 2100, 333, "bf16", "f32")
matmul("mm_columns", 0, 50, 500, 4100, "f32", "f32")
matmul("mm_small", 0, 127, 333, 129, "f32", "f32")
matmul("mm_bf16_small", 0, 200, 333, 129, "bf16", "f32")
matmul("mm_i8_small", 0, 127, 190, 129, "i8", "i32")
matmul("mm_batch", 12, 128, 64, 128, "f32", "f32")

x = f(700, 1000)
wide = x.astype(np.float64)
e = np.exp(wide - wide.max(1, keepdims=True))
for name, t in (("softmax", tensor((700, 1000), "f32")), ("softmax_dyn", tensor((-1, 1000), "f32"))):
    empty = f"tensor.empty() : {t}" if "?" not in t else f"tensor.empty(%m) : {t}"
    add(name, f"""func.func @{name}(%x: {t}) -> {t} {{
      %c0 = arith.constant 0 : index
      %m = tensor.dim %x, %c0 : {t}
      %e = {empty}
      %r = linalg.softmax dimension(1) ins(%x : {t}) outs(%e : {t}) -> {t}
      return %r : {t} }}""", [x], ("f32", 2), e / e.sum(1, keepdims=True), 2e-6)
add("chain", """func.func @chain(%x: tensor<700x1000xf32>, %y: tensor<1000xf32>) -> tensor<700x1000xbf16> {
  %e = tensor.empty() : tensor<700x1000xbf16>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<700x1000xf32>, tensor<1000xf32>) outs(%e : tensor<700x1000xbf16>) {
  ^bb0(%a: f32, %b: f32, %o: bf16):
    %1 = arith.addf %a, %b : f32
    %2 = math.tanh %1 : f32
    %3 = arith.truncf %2 : f32 to bf16
    linalg.yield %3 : bf16 } -> tensor<700x1000xbf16>
  return %r : tensor<700x1000xbf16> }""", [x, x[0].copy()], ("bf16", 2), np.tanh(wide + wide[0]), 2e-2)
flat = f(1000003)
add("flat", """func.func @flat(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = arith.addf %x, %x : tensor<?xf32>
  return %0 : tensor<?xf32> }""", [flat], ("f32", 1), 2.0 * flat.astype(np.float64), 0)
add("transpose", """func.func @transpose(%x: tensor<700x1000xf32>) -> tensor<1000x700xf32> {
  %e = tensor.empty() : tensor<1000x700xf32>
  %r = linalg.transpose ins(%x : tensor<700x1000xf32>) outs(%e : tensor<1000x700xf32>) permutation = [1, 0]
  return %r : tensor<1000x700xf32> }""", [x], ("f32", 2), wide.T, 0)
add("columns", """func.func @columns(%x: tensor<700x1000xf32>, %e: tensor<1000xf32>) -> tensor<1000xf32> {
  %r = linalg.reduce { arith.addf } ins(%x : tensor<700x1000xf32>) outs(%e : tensor<1000xf32>) dimensions = [0]
  return %r : tensor<1000xf32> }""", [x, np.zeros(1000, np.float32)], ("f32", 1), wide.sum(0), 1e-4)
# Copies: of known and of unknown size, and of what no cache holds.
big = f(4300, 1000)
for name, rows, static in (("copied", 700, True), ("copied_any", 700, False), ("copied_little", 3, False), ("copied_past", 4300, True)):
    t, o = tensor((rows if static else -1, 1000), "f32"), tensor((2 * rows if static else -1, 1000), "f32")
    add(name, f"""func.func @{name}(%x: {t}, %y: {t}) -> {o} {{
  %r = tensor.concat dim(0) %x, %y : ({t}, {t}) -> {o}
  return %r : {o} }}""", [big[:rows], -big[:rows]], ("f32", 2), np.concatenate([big[:rows], -big[:rows]]).astype(np.float64), 0)
# Few results of many elements, which are reduced in parts: all of a tensor, of known size and not, the statistics of a few channels, a dot product that starts from
# a tensor, and a maximum of bf16.
add("loss", """func.func @loss(%x: tensor<?x?xf32>, %e: tensor<f32>) -> tensor<f32> {
  %r = linalg.reduce { arith.addf } ins(%x : tensor<?x?xf32>) outs(%e : tensor<f32>) dimensions = [0, 1]
  return %r : tensor<f32> }""", [x, np.array(3.5, np.float32)], ("f32", 0), np.array(wide.sum() + 3.5), 1e-3)
add("dot", """func.func @dot(%x: tensor<1000003xf32>, %e: tensor<f32>) -> tensor<f32> {
  %r = linalg.dot ins(%x, %x : tensor<1000003xf32>, tensor<1000003xf32>) outs(%e : tensor<f32>) -> tensor<f32>
  return %r : tensor<f32> }""", [flat, np.array(-9, np.float32)], ("f32", 0), np.array((flat.astype(np.float64) ** 2).sum() - 9), 1e-5)
for n in (0, 1, 63, 131072, 131073, 900001):
    add(f"largest_{n}", f"""func.func @largest_{n}(%x: tensor<?xbf16>, %e: tensor<bf16>) -> tensor<bf16> {{
  %r = linalg.reduce {{ arith.maximumf }} ins(%x : tensor<?xbf16>) outs(%e : tensor<bf16>) dimensions = [0]
  return %r : tensor<bf16> }}""", [to_bf16(flat[:n]), to_bf16(np.float32([0.25])).reshape(())], ("bf16", 0), np.array(max([0.25, *from_bf16(to_bf16(flat[:n]))])), 0)
# Columns that no second cache holds: parts of eight rows at a time, and what is left of them; of any number of rows.
tall, other = f(1003, 1100), f(1003, 1100)
add("long_columns", """func.func @long_columns(%x: tensor<1003x1100xf32>, %y: tensor<1003x1100xf32>, %e: tensor<1100xf32>, %s: tensor<f32>) -> tensor<1100xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> ()>, affine_map<(m, n) -> (n)>], iterator_types = ["reduction", "parallel"]}
      ins(%x, %y, %s : tensor<1003x1100xf32>, tensor<1003x1100xf32>, tensor<f32>) outs(%e : tensor<1100xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %o: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.subf %0, %c : f32
    %2 = arith.addf %o, %1 : f32
    linalg.yield %2 : f32 } -> tensor<1100xf32>
  return %r : tensor<1100xf32> }""", [tall, other, np.full(1100, 7, np.float32), np.array(0.25, np.float32)], ("f32", 1),
    (tall.astype(np.float64) * other - 0.25).sum(0) + 7, 1e-4)
for n in (0, 1, 9, 131, 1003):
    add(f"largest_of_columns_{n}", f"""func.func @largest_of_columns_{n}(%x: tensor<?x1100xbf16>, %e: tensor<1100xbf16>) -> tensor<1100xbf16> {{
  %r = linalg.reduce {{ arith.maximumf }} ins(%x : tensor<?x1100xbf16>) outs(%e : tensor<1100xbf16>) dimensions = [0]
  return %r : tensor<1100xbf16> }}""", [to_bf16(tall[:n]), to_bf16(np.full(1100, 0.25, np.float32))], ("bf16", 1),
        np.maximum(from_bf16(to_bf16(tall[:n])).max(0, initial=-np.inf), 0.25), 0)
# Rows that are reduced within others, eight at a time: each by a thread, in parts where there are few, of any number, and with something made of the sums at once.
# One column has a NaN, one is all NaN.
COMBINERS = {"addf": np.add, "maximumf": np.maximum, "minnumf": np.fmin}
for name, shape, static in (("many", (9, 211, 300), (9, 211, 300)), ("few", (2, 701, 800), (2, 701, 800)), ("any", (3, 131, 600), (-1, -1, 600)),
                            ("none", (3, 0, 600), (-1, -1, 600)), ("one", (3, 1, 600), (-1, -1, 600)), ("few_any", (2, 75, 600), (2, -1, 600))):
    for combiner, function in COMBINERS.items():
        for element in ("f32", "bf16"):
            within, start = f(*shape), f(shape[0], shape[2])
            if shape[1]:
                within[:, shape[1] // 2, 5], within[:, :, 70] = np.nan, np.nan
            acc = "f32" if combiner == "addf" else element
            within, start = (to_bf16(v) if e == "bf16" else v for v, e in ((within, element), (start, acc)))
            t, o = tensor(static, element), tensor((static[0], static[2]), acc)
            widening, a = ("%w = arith.extf %a : bf16 to f32", "%w") if acc != element else ("", "%a")
            want = function(function.reduce(widen(within, element).astype(np.float64), axis=1, initial={"addf": 0, "maximumf": -np.inf, "minnumf": np.inf}[combiner]), widen(start, acc))
            add(f"{name}_{combiner}_{element}", f"""func.func @{name}_{combiner}_{element}(%x: {t}, %e: {o}) -> {o} {{
  %r = linalg.generic {{indexing_maps = [affine_map<(b, m, n) -> (b, m, n)>, affine_map<(b, m, n) -> (b, n)>], iterator_types = ["parallel", "reduction", "parallel"]}}
      ins(%x : {t}) outs(%e : {o}) {{
  ^bb0(%a: {element}, %o: {acc}):
    {widening}
    %0 = arith.{combiner} %o, {a} : {acc}
    linalg.yield %0 : {acc} }} -> {o}
  return %r : {o} }}""", [within, start], (acc, 2), want, 1e-4 if combiner == "addf" else 0)
tokens = f(9, 101, 700)
add("mean", """func.func @mean(%x: tensor<?x101x700xbf16>) -> tensor<?x700xbf16> {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %x, %c0 : tensor<?x101x700xbf16>
  %z = arith.constant 0.0 : f32
  %e = tensor.empty(%d) : tensor<?x700xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x700xf32>) -> tensor<?x700xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(b, m, n) -> (b, m, n)>, affine_map<(b, m, n) -> (b, n)>], iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%x : tensor<?x101x700xbf16>) outs(%f : tensor<?x700xf32>) {
  ^bb0(%a: bf16, %o: f32):
    %w = arith.extf %a : bf16 to f32
    %0 = arith.addf %o, %w : f32
    linalg.yield %0 : f32 } -> tensor<?x700xf32>
  %g = tensor.empty(%d) : tensor<?x700xbf16>
  %r = linalg.generic {indexing_maps = [affine_map<(b, n) -> (b, n)>, affine_map<(b, n) -> (b, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<?x700xf32>) outs(%g : tensor<?x700xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %k = arith.constant 101.0 : f32
    %0 = arith.divf %a, %k : f32
    %1 = arith.truncf %0 : f32 to bf16
    linalg.yield %1 : bf16 } -> tensor<?x700xbf16>
  return %r : tensor<?x700xbf16> }""", [to_bf16(tokens)], ("bf16", 2), from_bf16(to_bf16(tokens)).astype(np.float64).mean(1), 4e-3)
# What is computed once for each channel or place rather than for each pixel or head, in another type, too.
image_last, means, variances = f(5, 7, 9, 70), f(70), np.abs(f(70))
add("batch_norm_last", """func.func @batch_norm_last(%x: tensor<?x7x9x70xbf16>, %m: tensor<70xf32>, %v: tensor<70xbf16>, %o: tensor<?x7x9x70xf32>) -> tensor<?x7x9x70xf32> {
  %eps = arith.constant 1.0e-5 : f32
  %r = linalg.generic {indexing_maps = [affine_map<(n, h, w, c) -> (n, h, w, c)>, affine_map<(n, h, w, c) -> (c)>, affine_map<(n, h, w, c) -> (c)>, affine_map<(n, h, w, c) -> (n, h, w, c)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x, %m, %v : tensor<?x7x9x70xbf16>, tensor<70xf32>, tensor<70xbf16>) outs(%o : tensor<?x7x9x70xf32>) {
  ^bb0(%a: bf16, %mean: f32, %var: bf16, %out: f32):
    %w = arith.extf %a : bf16 to f32
    %u = arith.extf %var : bf16 to f32
    %0 = arith.subf %w, %mean : f32
    %1 = arith.addf %u, %eps : f32
    %2 = math.rsqrt %1 : f32
    %3 = arith.mulf %0, %2 : f32
    %4 = arith.divf %mean, %1 : f32
    %5 = arith.addf %3, %4 : f32
    %6 = arith.addf %5, %out : f32
    linalg.yield %6 : f32 } -> tensor<?x7x9x70xf32>
  return %r : tensor<?x7x9x70xf32> }""", [to_bf16(image_last), means, to_bf16(variances), np.ones((5, 7, 9, 70), np.float32)], ("f32", 4),
    (from_bf16(to_bf16(image_last)).astype(np.float64) - means) / np.sqrt(from_bf16(to_bf16(variances)).astype(np.float64) + 1e-5)
    + means / (from_bf16(to_bf16(variances)).astype(np.float64) + 1e-5) + 1, 2e-6)
places, rates, heads = np.arange(40, dtype=np.float32), np.abs(f(66)), f(6, 40, 66)
add("rotary", """func.func @rotary(%x: tensor<6x40x66xf32>, %p: tensor<40xf32>, %f: tensor<66xf32>, %o: tensor<6x40x66xf32>) -> tensor<6x40x66xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(h, s, d) -> (h, s, d)>, affine_map<(h, s, d) -> (s)>, affine_map<(h, s, d) -> (d)>, affine_map<(h, s, d) -> (h, s, d)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %p, %f : tensor<6x40x66xf32>, tensor<40xf32>, tensor<66xf32>) outs(%o : tensor<6x40x66xf32>) {
  ^bb0(%a: f32, %s: f32, %d: f32, %out: f32):
    %0 = arith.mulf %s, %d : f32
    %1 = math.cos %0 : f32
    %2 = math.sin %0 : f32
    %3 = arith.mulf %a, %1 : f32
    %4 = arith.addf %3, %2 : f32
    linalg.yield %4 : f32 } -> tensor<6x40x66xf32>
  return %r : tensor<6x40x66xf32> }""", [heads, places, rates, np.zeros((6, 40, 66), np.float32)], ("f32", 3),
    heads.astype(np.float64) * np.cos((places[:, None] * rates).astype(np.float64)) + np.sin((places[:, None] * rates).astype(np.float64)), 2e-6)
pixels = f(9, 41, 43, 48)
add("channels", """func.func @channels(%x: tensor<9x41x43x48xf32>, %e: tensor<48xf32>) -> tensor<48xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(n, h, w, c) -> (n, h, w, c)>, affine_map<(n, h, w, c) -> (c)>], iterator_types = ["reduction", "reduction", "reduction", "parallel"]}
      ins(%x : tensor<9x41x43x48xf32>) outs(%e : tensor<48xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.mulf %a, %a : f32
    %2 = arith.addf %o, %1 : f32
    linalg.yield %2 : f32 } -> tensor<48xf32>
  return %r : tensor<48xf32> }""", [pixels, np.ones(48, np.float32)], ("f32", 1), (pixels.astype(np.float64) ** 2).sum((0, 1, 2)) + 1, 1e-5)
image, kernel = f(2, 30, 30, 32), f(3, 3, 32, 64)
windows = np.lib.stride_tricks.sliding_window_view(image.astype(np.float64), (3, 3), (1, 2))
add("conv", """func.func @conv(%x: tensor<2x30x30x32xf32>, %w: tensor<3x3x32x64xf32>, %e: tensor<2x28x28x64xf32>) -> tensor<2x28x28x64xf32> {
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<2x30x30x32xf32>, tensor<3x3x32x64xf32>) outs(%e : tensor<2x28x28x64xf32>) -> tensor<2x28x28x64xf32>
  return %r : tensor<2x28x28x64xf32> }""", [image, kernel, np.zeros((2, 28, 28, 64), np.float32)], ("f32", 4),
    np.einsum("nyxcij,ijcf->nyxf", windows, kernel.astype(np.float64), optimize=True), 1e-4)
add("conv_first", """func.func @conv_first(%x: tensor<2x32x30x30xf32>, %w: tensor<64x32x3x3xf32>, %e: tensor<2x64x28x28xf32>) -> tensor<2x64x28x28xf32> {
  %r = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x32x30x30xf32>, tensor<64x32x3x3xf32>) outs(%e : tensor<2x64x28x28xf32>) -> tensor<2x64x28x28xf32>
  return %r : tensor<2x64x28x28xf32> }""", [np.ascontiguousarray(image.transpose(0, 3, 1, 2)), np.ascontiguousarray(kernel.transpose(3, 2, 0, 1)),
    np.zeros((2, 64, 28, 28), np.float32)], ("f32", 4), np.einsum("nyxcij,ijcf->nfyx", windows, kernel.astype(np.float64), optimize=True), 1e-4)

# An operand that is turned around for each iteration of a loop that threads divide: each has a place of its own for it. Threads that shared one were caught here
# in each run, in some of many products.
turned, by = rng.standard_normal((100, 3, 100, 8, 2)).astype(np.float32), rng.standard_normal((2, 100, 8)).astype(np.float32)
add("turned", """func.func @turned(%a: tensor<100x3x100x8x?xf32>, %b: tensor<?x100x8xf32>, %o: tensor<?x100x3xf32>) -> tensor<?x100x3xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(n, c, i, k, j) -> (i, j, k, c, n)>, affine_map<(n, c, i, k, j) -> (n, i, c)>, affine_map<(n, c, i, k, j) -> (n, i, j)>],
      iterator_types = ["parallel", "reduction", "parallel", "reduction", "parallel"]} ins(%a, %b : tensor<100x3x100x8x?xf32>, tensor<?x100x8xf32>) outs(%o : tensor<?x100x3xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<?x100x3xf32>
  return %r : tensor<?x100x3xf32> }""", [turned, by, np.zeros((2, 100, 3), np.float32)], ("f32", 3),
    np.einsum("ijkcn,nic->nij", turned.astype(np.float64), by.astype(np.float64)), 1e-3)

module = Module("\n".join(case[1] for case in cases), "amp-lower-to-cpu{no-scalar-fallback}")
failures = 0
for name, _, args, result, want, tolerance in cases:
    try:
        first = None
        for threads in (1, 2, 3, 7):
            RUNTIME.ampSetNumThreads(threads)
            got = module(name, args, [result])[0]
            if first is None:
                first = got
                value = widen(got, result[0])
                assert value.shape == want.shape, f"shape {value.shape} instead of {want.shape}"
                assert np.allclose(value, want, rtol=tolerance, atol=tolerance, equal_nan=True), f"off by {np.abs(value - want).max()}"
            assert got.tobytes() == first.tobytes(), f"{threads} threads give other bits"
        print(f"{name}: ok")
    except AssertionError as error:
        failures += 1
        print(f"{name}: FAILED: {error}")
print("all passed" if failures == 0 else f"{failures} failed")
sys.exit(failures != 0)
