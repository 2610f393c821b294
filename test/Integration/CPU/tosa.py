# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s "amp-lower-to-linalg,amp-lower-to-cpu" | FileCheck %s
# What amp-lower-tosa lowers, of known and unknown sizes: resizes, means of windows, transposed convolutions, transforms, extrema, and ops whose types know less than
# their operands. Oracle: the pseudo-code of TOSA's specification in NumPy's f64, or on Python's integers. Bounds: equality where values are moved or integers;
# 4 units in the last place of the result's type times the largest value for interpolations and means, times the root of the number of products for convolutions; 1e-6 times the number of elements for transforms.
# CHECK-NOT: FAILED
# CHECK: all passed
import numpy as np
from harness import Suite, narrow, random_values, tensor, widen

rng = np.random.default_rng(13)
suite = Suite()
UNIT = {"f32": 2.0**-23, "f16": 2.0**-10, "bf16": 2.0**-7}
number = 0


def shape(values):
    global number
    number += 1
    return f"%s{number}", f"%s{number} = tosa.const_shape {{values = dense<{list(values)}> : tensor<{len(values)}xindex>}} : () -> !tosa.shape<{len(values)}>"


def constant(value, dtype):
    global number
    number += 1
    text = value if dtype[0] == "i" else float(value)
    return f"%s{number}", f'%s{number} = "tosa.const"() <{{values = dense<{text}> : tensor<1x{dtype}>}}> : () -> tensor<1x{dtype}>'


def add(name, args, types, op, operands, result, attributes, want, tolerance=0.0, scalar="", constants=()):
    """`op` on `operands` (names and types) that returns a tensor of `result`, which is a shape and a type."""
    types = [tensor(*t) for t in types]
    lines = "\n".join(line for _, line in constants)
    body = f'%r = "tosa.{op}"({", ".join(n for n, _ in operands)}) {attributes} : ({", ".join(t for _, t in operands)}) -> {tensor(*result)}'
    signature = ", ".join(f"%a{i}: {t}" for i, t in enumerate(types))
    suite.add(name, f"func.func @{name}({signature}) -> {tensor(*result)} {{\n{lines}\n{body}\nreturn %r : {tensor(*result)} }}", args, [(result[1], want.ndim)], [want], tolerance, scalar)


def resize(name, dtype, mode, image, scale, offset, known, scalar=""):
    """`scale`: y_n, y_d, x_n, x_d. The border is the least that the specification allows."""
    n, *extent, c = image
    border, out = [0, 0], [0, 0]
    for d in range(2):
        while ((extent[d] - 1) * scale[2 * d] - offset[d] + border[d]) % scale[2 * d + 1]:
            border[d] += 1
        out[d] = ((extent[d] - 1) * scale[2 * d] - offset[d] + border[d]) // scale[2 * d + 1] + 1
    x = random_values(rng, image, dtype)
    wide = widen(x, dtype)
    bilinear = mode == "BILINEAR"
    want = np.zeros((n, *out, c))
    for i in range(out[0]):
        for j in range(out[1]):
            (y, ry), (z, rz) = (divmod(k * scale[2 * d + 1] + offset[d], scale[2 * d]) for d, k in enumerate((i, j)))
            pick = lambda a, b: wide[:, min(max(a, 0), extent[0] - 1), min(max(b, 0), extent[1] - 1)]
            if bilinear:
                want[:, i, j] = (pick(y, z) * (scale[0] - ry) * (scale[2] - rz) + pick(y, z + 1) * (scale[0] - ry) * rz
                                 + pick(y + 1, z) * ry * (scale[2] - rz) + pick(y + 1, z + 1) * ry * rz)
            else:
                want[:, i, j] = pick(y + (2 * ry >= scale[0]), z + (2 * rz >= scale[2]))
    result = "i32" if bilinear and dtype == "i8" else dtype
    if dtype == "i8":
        want = want.astype(np.int64)
    elif bilinear:
        want /= scale[0] * scale[2]
    sizes = [shape(scale), shape(offset), shape(border)]
    of = lambda values: values if known else [-1, -1, -1, values[3]]
    add(name, [x], [(of(image), dtype)], "resize", [("%a0", tensor(of(image), dtype))] + [(s, f"!tosa.shape<{k}>") for (s, _), k in zip(sizes, (4, 2, 2))],
        (of([n, *out, c]), result), f"<{{mode = #tosa.resize_mode<{mode}>}}>", want, 4 * UNIT.get(result, 0) if bilinear else 0.0, scalar, sizes)


for dtype in "f32", "bf16", "f16", "i8":
    for mode in "BILINEAR", "NEAREST_NEIGHBOR":
        for known in True, False:
            tag = f"{dtype}_{mode[:3].lower()}_{'known' if known else 'any'}"
            resize(f"larger_{tag}", dtype, mode, (2, 5, 7, 16), (4, 2, 4, 2), (-1, -1), known)
            resize(f"other_{tag}", dtype, mode, (1, 6, 5, 17), (5, 3, 2, 3), (-4, 1), known)
            resize(f"corners_{tag}", dtype, mode, (1, 9, 1, 8), (3, 4, 2, 1), (0, -2), known)


def mean(name, dtype, image, kernel, stride, pad, zeros=(0, 0)):
    n, *extent, c = image
    x = random_values(rng, image, dtype)
    wide = widen(x, dtype)
    out = [(extent[d] + pad[2 * d] + pad[2 * d + 1] - kernel[d]) // stride[d] + 1 for d in range(2)]
    want = np.zeros((n, *out, c), np.int64 if dtype == "i8" else np.float64)
    for i in range(out[0]):
        for j in range(out[1]):
            begin = [i * stride[0] - pad[0], j * stride[1] - pad[2]]
            window = wide[:, max(begin[0], 0):begin[0] + kernel[0], max(begin[1], 0):begin[1] + kernel[1]]
            count = window.shape[1] * window.shape[2]
            total = window.sum((1, 2))
            if dtype != "i8":
                want[:, i, j] = total / count
                continue
            # reciprocal_scale and apply_scale_32.
            k = (count - 1).bit_length()
            multiplier = (((1 << 30) + 1) << k) // count
            for b, f in np.ndindex(n, c):
                value = (int(total[b, f]) - zeros[0] * count) * multiplier + (1 << (29 + k)) >> (30 + k)
                want[b, i, j, f] = min(max(value + zeros[1], -128), 127)
    z = [constant(zero, dtype) for zero in zeros]
    vector = lambda values: "array<i64: " + ", ".join(map(str, values)) + ">"
    add(name, [x], [([-1, -1, -1, c], dtype)], "avg_pool2d", [("%a0", tensor([-1, -1, -1, c], dtype))] + [(s, f"tensor<1x{dtype}>") for s, _ in z], ([-1, -1, -1, c], dtype),
        f"<{{acc_type = {'i32' if dtype == 'i8' else 'f32'}, kernel = {vector(kernel)}, stride = {vector(stride)}, pad = {vector(pad)}}}>", want, 4 * UNIT.get(dtype, 0), constants=z)


for dtype in "f32", "bf16", "f16", "i8":
    mean(f"mean_{dtype}", dtype, (2, 9, 8, 16), (3, 2), (2, 1), (1, 1, 0, 1), (7, -9) if dtype == "i8" else (0, 0))
    mean(f"mean_inside_{dtype}", dtype, (1, 6, 6, 5), (2, 3), (2, 3), (0, 0, 0, 0), (-3, 5) if dtype == "i8" else (0, 0))

def transposed(number, dtype, image, channels, kernel, stride, pad, zeros=(0, 0)):
    """`pad`: how much larger the result is on each side, which may be negative."""
    n, h, w, c = image
    out = [(extent - 1) * stride[d] + pad[2 * d] + pad[2 * d + 1] + kernel[d] for d, extent in enumerate((h, w))]
    x, f = random_values(rng, image, dtype), random_values(rng, (channels, *kernel, c), dtype)
    result = "i32" if dtype == "i8" else dtype
    bias = rng.integers(-1000, 1000, channels).astype(np.int32) if dtype == "i8" else random_values(rng, channels, dtype)
    wide, weights = widen(x, dtype) - zeros[0], widen(f, dtype) - zeros[1]
    want = np.zeros((n, *out, channels), wide.dtype) + widen(bias, result)
    for i, j, k, m in np.ndindex(h, w, *kernel):
        y, z = i * stride[0] + k + pad[0], j * stride[1] + m + pad[2]
        if 0 <= y < out[0] and 0 <= z < out[1]:
            want[:, y, z] += wide[:, i, j] @ weights[:, k, m].T
    z = [constant(zero, dtype) for zero in zeros]
    vector = lambda values: "array<i64: " + ", ".join(map(str, values)) + ">"
    add(f"transposed_{number}_{dtype}", [x, f, bias], [([-1, -1, -1, c], dtype), (f.shape, dtype), ([channels], result)], "transpose_conv2d",
        [("%a0", tensor([-1, -1, -1, c], dtype)), ("%a1", tensor(f.shape, dtype)), ("%a2", tensor([channels], result))] + [(s, f"tensor<1x{dtype}>") for s, _ in z],
        ([-1, -1, -1, channels], result), f"<{{acc_type = {'i32' if dtype == 'i8' else 'f32'}, out_pad = {vector(pad)}, stride = {vector(stride)}}}>", want,
        4 * UNIT.get(dtype, 0) * (1 + kernel[0] * kernel[1] * c) ** 0.5, constants=z)


for dtype in "f32", "bf16", "f16", "i8":
    for number, (image, kernel, stride, pad) in enumerate((((2, 5, 6, 16), (4, 4), (2, 2), (-1, -1, -1, -1)), ((1, 4, 3, 5), (3, 2), (2, 3), (2, 0, -1, 1)),
                                                           ((1, 1, 2, 8), (2, 5), (3, 2), (0, -1, -3, -3)), ((1, 3, 3, 4), (1, 1), (2, 2), (0, 1, 1, 0)))):
        transposed(number, dtype, image, 8, kernel, stride, pad, (3, -2) if dtype == "i8" else (0, 0))

# Transforms: one dimension, both, and a batch of unknown size.
for n, h, w in (1, 1, 16), (2, 8, 1), (3, 4, 8), (2, 64, 32), (1, 1, 1):
    x, y = (rng.uniform(-1, 1, (n, h, w)).astype(np.float32) for _ in range(2))
    t, half = tensor([-1, h, w], "f32"), tensor([-1, h, w // 2 + 1], "f32")
    real = np.fft.rfft2(x.astype(np.float64))
    suite.add(f"rfft_{n}_{h}_{w}", f"""func.func @rfft_{n}_{h}_{w}(%x: {t}) -> ({half}, {half}) {{
      %r:2 = tosa.rfft2d %x : ({t}) -> ({half}, {half})
      return %r#0, %r#1 : {half}, {half} }}""", [x], [("f32", 3)] * 2, [real.real, real.imag], 1e-6 * h * w)
    for inverse in False, True:
        z = x.astype(np.float64) + 1j * y
        both = np.fft.ifft2(z) * h * w if inverse else np.fft.fft2(z)
        name = f"{'inverse' if inverse else 'fft'}_{n}_{h}_{w}"
        suite.add(name, f"""func.func @{name}(%x: {t}, %y: {t}) -> ({t}, {t}) {{
          %r:2 = tosa.fft2d %x, %y {{inverse = {str(inverse).lower()}}} : ({t}, {t}) -> ({t}, {t})
          return %r#0, %r#1 : {t}, {t} }}""", [x, y], [("f32", 3)] * 2, [both.real, both.imag], 1e-6 * h * w)

# Extrema, also where all is infinite, or NaN, or beyond the image.
for dtype in "f32", "bf16", "f16":
    x = random_values(rng, (7, 40, 19), dtype)
    nan, inf = (narrow(np.float32(v), dtype) for v in (np.nan, np.inf))
    less = narrow(-np.float32(np.inf), dtype)
    x[0], x[1, :, 3], x[4, 7, :] = less, less, inf
    with_nan = x.copy()
    with_nan[rng.random(x.shape) < 0.3] = nan
    with_nan[2, :, 5], with_nan[3, 7, :] = nan, nan
    for mode, values, functions in ("IGNORE", with_nan, (np.fmax, np.fmin)), ("PROPAGATE", x, (np.maximum, np.minimum)), ("PROPAGATE", with_nan, (np.maximum, np.minimum)):
        wide = widen(values, dtype)
        kind = f"{dtype}_{mode.lower()}_{'nan' if values is with_nan else 'inf'}"
        for op, function in zip(("reduce_max", "reduce_min"), functions):
            for axis in range(3):
                result = [1 if d == axis else (-1 if d == 0 else n) for d, n in enumerate(x.shape)]
                add(f"{op}_{kind}_{axis}", [values], [([-1, 40, 19], dtype)], op, [("%a0", tensor([-1, 40, 19], dtype))], (result, dtype),
                    f"<{{axis = {axis} : i32, nan_mode = #tosa.nan_mode<{mode}>}}>", function.reduce(wide, axis, keepdims=True))
        image = values.reshape(7, 8, 5, 19)
        padded = np.pad(widen(image, dtype), ((0, 0), (1, 2), (0, 1), (0, 0)), constant_values=np.nan if mode == "IGNORE" else -np.inf)
        want = functions[0].reduce([padded[:, i:i + 9:2, j:j + 5] for i in range(3) for j in range(2)])
        for known in (True, False):
            place = (8, 5) if known else (-1, -1)
            out = want.shape[1:3] if known else (-1, -1)
            add(f"max_pool_{kind}_{known}", [image], [([-1, *place, 19], dtype)], "max_pool2d", [("%a0", tensor([-1, *place, 19], dtype))], ([-1, *out, 19], dtype),
                f"<{{kernel = array<i64: 3, 2>, stride = array<i64: 2, 1>, pad = array<i64: 1, 2, 0, 1>, nan_mode = #tosa.nan_mode<{mode}>}}>", want)

# Types that know less than others.
x = random_values(rng, (3, 4, 5), "f32")
multiples = shape([2, 1, 3])
add("tile", [x], [([-1, 4, -1], "f32")], "tile", [("%a0", "tensor<?x4x?xf32>"), (multiples[0], "!tosa.shape<3>")], ([-1, 4, -1], "f32"), "", np.tile(x, (2, 1, 3)), constants=[multiples])
picked = rng.integers(0, 4, (3, 6)).astype(np.int32)
add("gather", [x, picked], [([-1, 4, -1], "f32"), ([3, 6], "i32")], "gather", [("%a0", "tensor<?x4x?xf32>"), ("%a1", "tensor<3x6xi32>")], ([3, 6, 5], "f32"), "",
    np.stack([rows[i] for rows, i in zip(x, picked)]))
placed = np.stack([rng.permutation(4)[:2] for _ in range(3)]).astype(np.int32)
rows = random_values(rng, (3, 2, 5), "f32")
want = x.copy()
for b in range(3):
    want[b, placed[b]] = rows[b]
add("scatter", [x, placed, rows], [([3, -1, -1], "f32"), ([-1, 2], "i32"), ([3, 2, 5], "f32")], "scatter",
    [("%a0", "tensor<3x?x?xf32>"), ("%a1", "tensor<?x2xi32>"), ("%a2", "tensor<3x2x5xf32>")], ([3, -1, -1], "f32"), "", want, scalar="it inserts rows one by one")

# Every f16 rounds once to bf16, and every bf16 to f16.
bits = np.arange(1 << 16, dtype=np.uint16)
halves = bits.view(np.float16)
suite.add("to_bf16", """func.func @to_bf16(%x: tensor<65536xf16>) -> tensor<65536xbf16> {
  %r = tosa.cast %x : (tensor<65536xf16>) -> tensor<65536xbf16>
  return %r : tensor<65536xbf16> }""", [halves], [("bf16", 1)], [np.where(np.isnan(halves), np.nan, widen(narrow(halves.astype(np.float32), "bf16"), "bf16"))])
with np.errstate(over="ignore", invalid="ignore"):
    want = widen(bits, "bf16").astype(np.float16).astype(np.float64)
suite.add("to_f16", """func.func @to_f16(%x: tensor<65536xbf16>) -> tensor<65536xf16> {
  %r = tosa.cast %x : (tensor<65536xbf16>) -> tensor<65536xf16>
  return %r : tensor<65536xf16> }""", [bits], [("f16", 1)], [want])

# A filter of one pixel, padded: the bias alone is around it.
x, w = random_values(rng, (1, 4, 5, 8), "i8"), random_values(rng, (1, 1, 8, 2), "i8")
bias = rng.integers(-1000, 1000, 16).astype(np.int32)
want = np.pad((x.astype(np.int64) - 3)[..., None] * w[0, 0].astype(np.int64), ((0, 0), (1, 0), (0, 2), (0, 0), (0, 0))).reshape(1, 5, 7, 16) + bias
zero, weight = constant(3, "i8"), constant(0, "i8")
add("pointwise", [x, w, bias], [(x.shape, "i8"), (w.shape, "i8"), ((16,), "i32")], "depthwise_conv2d",
    [("%a0", tensor(x.shape, "i8")), ("%a1", tensor(w.shape, "i8")), ("%a2", "tensor<16xi32>"), (zero[0], "tensor<1xi8>"), (weight[0], "tensor<1xi8>")], ((1, 5, 7, 16), "i32"),
    "<{acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 0, 0, 2>, stride = array<i64: 1, 1>}>", want, constants=[zero, weight])

suite.run()
