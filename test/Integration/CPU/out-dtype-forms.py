# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s | FileCheck %s
# amp.out_dtype over ATen, tosa and linalg ops, for integers of 1 to 64 bits and all narrow floats. Oracle: exact arithmetic (int64, or f64 on data whose
# sums f64 and f32 hold exactly), rounded once to the result's type by the format's own definition. The bound is equality of bits.
# CHECK-NOT: FAILED
# CHECK: all passed
import sys

import numpy as np
from harness import NUMPY, compile_module, to_bf16

rng = np.random.default_rng(5)
NUMPY.update({"ui8": np.uint8, "i4": np.int8, "ui16": np.uint16, "f8E4M3": np.uint8})
# mantissa bits, exponent of the smallest normal number, largest finite code, has infinity
F8 = {"f8E4M3FN": (3, -6, 0x7E, False), "f8E5M2": (2, -14, 0x7B, True)}


def f8_values(name):
    """The values of the non-negative finite codes."""
    mantissa, exponent, largest, _ = F8[name]
    codes = np.arange(largest + 1)
    field, fraction = codes >> mantissa, codes & ((1 << mantissa) - 1)
    normal = np.ldexp(1 + fraction / 2.0**mantissa, field - 1 + exponent)
    return np.where(field == 0, np.ldexp(fraction / 2.0**mantissa, exponent), normal)


def to_f8(x, name):
    """Codes of exact values `x`, to nearest even; overflow as the format has it."""
    values, (_, _, largest, infinity) = f8_values(name), F8[name]
    a = np.abs(x)
    low = np.clip(np.searchsorted(values, a, side="right") - 1, 0, largest)
    step = values[-1] - values[-2]
    above = np.append(values, values[-1] + step)[low + 1]
    below = values[low]
    middle = (below + above) / 2
    code = low + ((a > middle) | ((a == middle) & (low % 2 == 1)))
    code = np.where(code > largest, largest + 1, code)
    return (code + 0x80 * np.signbit(x)).astype(np.uint8)


def to_type(x, dtype):
    """Exact values (int64 or f64) in `dtype`, as amp.cast rounds them."""
    x = np.asarray(x)
    if dtype in F8:
        return to_f8(x.astype(np.float64), dtype)
    if dtype == "bf16":
        # f64 to bf16 in one rounding: these sums are exact in f32.
        assert np.all(x.astype(np.float32).astype(np.float64) == x)
        return to_bf16(x)
    if dtype == "i1":
        return x != 0
    if NUMPY[dtype] in (np.float32, np.float16, np.float64):
        with np.errstate(over="ignore"):
            return x.astype(np.float64).astype(NUMPY[dtype])
    return np.trunc(x).astype(np.int64).astype(NUMPY[dtype])


def draw(shape, dtype):
    """(array as passed, exact values)."""
    if dtype in F8:
        values = f8_values(dtype)
        codes = rng.choice(np.flatnonzero((values <= 4) & (values * 64 == np.round(values * 64))), shape)
        sign = rng.integers(0, 2, shape)
        return (codes + 0x80 * sign).astype(np.uint8), values[codes] * (1 - 2 * sign)
    if dtype in ("f16", "bf16", "f32", "f64"):
        x = rng.integers(-32, 33, shape) / 8.0
        return (to_bf16(x) if dtype == "bf16" else x.astype(NUMPY[dtype])), x
    if dtype == "i1":
        x = rng.integers(0, 2, shape)
        return x.astype(np.bool_), x
    width = int(dtype.lstrip("uisx"))
    low, high = (0, 2**width) if dtype.startswith("u") else (-(2 ** (width - 1)), 2 ** (width - 1))
    if width > 16:
        low, high = -(2**15), 2**15
    x = rng.integers(low, high, shape)
    return x.astype(NUMPY[dtype]), x


def tensor(shape, dtype):
    return "tensor<" + "".join(("?" if n < 0 else str(n)) + "x" for n in shape) + dtype + ">"


CASES, SOURCE = [], []


def add(name, operands, natural, result, body, exact, shape, attributes=""):
    """`operands`: (type text, array). `body` uses %x0, %x1, ...; `exact` is the value before rounding to `result`."""
    arguments = ", ".join(f"%a{i}: {text}" for i, (text, _) in enumerate(operands))
    captures = ", ".join(f"%x{i} = %a{i} : {text}" for i, (text, _) in enumerate(operands))
    natural, to = tensor(shape, natural), tensor(shape, result)
    SOURCE.append(f"""func.func @{name}({arguments}) -> {to} {{
  %0 = amp.out_dtype ({captures}) -> {to} {{
    %1 = {body} -> {natural}
    amp.yield %1 : {natural}
  }}
  return %0 : {to}
}}""")
    CASES.append((name, [array for _, array in operands], result, len(shape), to_type(exact, result)))


def aten(op, types, attributes=""):
    names = ", ".join(f"%x{i}" for i in range(len(types)))
    return f'"aten.{op}"({names}) {attributes} : ({", ".join(types)})'


# Products of matrices: operand types, natural type, result types.
MATRICES = [("i8", "i8", "i8", ["i32", "i8", "i16", "i64", "f16", "f32", "i1"]), ("ui8", "ui8", "ui8", ["i32", "f32"]), ("ui8", "i8", "i16", ["i32"]),
            ("i8", "ui8", "i16", ["i32"]), ("i16", "i16", "i16", ["i32", "f32", "i64"]), ("i4", "i4", "i4", ["i32", "i8"]), ("i1", "i8", "i8", ["i32"]),
            ("f16", "f16", "f16", ["f32", "f16", "bf16", "i32", "f64"]), ("bf16", "bf16", "bf16", ["f32", "bf16", "f16"]),
            ("f8E4M3FN", "f8E4M3FN", "f8E4M3FN", ["f16", "bf16", "f32", "f8E4M3FN"]), ("f8E5M2", "f8E5M2", "f8E5M2", ["f16", "bf16", "f32"]),
            ("f8E4M3FN", "f8E5M2", "f16", ["f32"]), ("f16", "bf16", "f32", ["f32", "f16"]), ("f32", "f32", "f32", ["i32", "f16", "f64"]),
            ("i8", "f32", "f32", ["f32", "i32"]), ("f64", "f64", "f64", ["f32"])]
for a, b, natural, results in MATRICES:
    for result in results:
        m, n, k = (19, 35, 48) if result != "f8E4M3FN" else (5, 7, 6)
        (x, xe), (y, ye) = draw((m, k), a), draw((k, n), b)
        if result in ("i8", "f16") and a == "i16":
            continue
        types = [tensor((m, k), a), tensor((k, n), b)]
        exact = xe @ ye
        add(f"mm_{a}_{b}_{result}", [(types[0], x), (types[1], y)], natural, result, aten("mm", types), exact, (m, n))
# Larger ones go another way in the code generator.
for a, b, result in (("i8", "i8", "i32"), ("ui8", "i8", "i32"), ("ui8", "ui8", "i32"), ("i8", "ui8", "i32"), ("bf16", "bf16", "f32"), ("f8E5M2", "f8E5M2", "f32")):
    for m, n, k in ((65, 130, 71), (64, 64, 256)):
        (x, xe), (y, ye) = draw((m, k), a), draw((k, n), b)
        types = [tensor((m, k), a), tensor((k, n), b)]
        natural = "i32" if a.endswith("i8") else "f32"
        add(f"large_{a}_{b}_{result}_{k}", [(types[0], x), (types[1], y)], natural, result, aten("mm", types), xe @ ye, (m, n))
# Extreme values of i8: -128 * -128, K of all sign combinations.
for a, xv in (("i8", -128), ("i8", 127), ("ui8", 255)):
    for b, yv in (("i8", -128), ("i8", 127), ("ui8", 255)):
        x, y = np.full((16, 264), xv, NUMPY[a]), np.full((264, 40), yv, NUMPY[b])
        types = [tensor(x.shape, a), tensor(y.shape, b)]
        add(f"extreme_{a}{abs(xv)}_{b}{abs(yv)}", [(types[0], x), (types[1], y)], "i32", "i32", aten("mm", types),
            x.astype(np.int64) @ y.astype(np.int64), (16, 40))

(x, xe), (y, ye) = draw((3, 5, 16), "i8"), draw((3, 16, 7), "i8")
types = [tensor(x.shape, "i8"), tensor(y.shape, "i8")]
add("bmm", [(types[0], x), (types[1], y)], "i8", "i32", aten("bmm", types), xe @ ye, (3, 5, 7))
(w, we), (bias, be) = draw((9, 16), "i8"), (np.arange(9, dtype=np.int32) * 1000 - 4000, np.arange(9) * 1000 - 4000)
types = [tensor(x.shape, "i8"), tensor(w.shape, "i8"), tensor((9,), "i32")]
add("linear", [(types[0], x), (types[1], w), (types[2], bias)], "i32", "i32", aten("linear", types), xe @ we.T + be, (3, 5, 9))
dynamic = [tensor((-1, 5, 16), "i8"), tensor((-1, 16), "i8")]
add("linear_dynamic", [(dynamic[0], x), (dynamic[1], w)], "i32", "i32", aten("linear", dynamic), xe @ we.T, (-1, 5, -1))


def convolve(x, w, stride, padding, dilation, groups):
    """Exact convolution of any rank: x (n, c, ...), w (f, c / groups, ...)."""
    space = x.ndim - 2
    x = np.pad(x, [(0, 0), (0, 0)] + [(p, p) for p in padding])
    size = [(x.shape[2 + s] - 1 - dilation[s] * (w.shape[2 + s] - 1)) // stride[s] + 1 for s in range(space)]
    out = np.zeros([x.shape[0], w.shape[0]] + size, x.dtype)
    per = w.shape[0] // groups
    for f in range(w.shape[0]):
        g = f // per
        part = x[:, g * w.shape[1]:(g + 1) * w.shape[1]]
        for window in np.ndindex(*w.shape[2:]):
            where = tuple(slice(k * d, k * d + (n - 1) * t + 1, t) for k, d, n, t in zip(window, dilation, size, stride))
            values = part[(slice(None), slice(None)) + where]
            out[:, f] += np.einsum("nc...,c->n...", values, w[(f, slice(None)) + window])
    return out


for name, op, a, result, xs, ws, stride, padding, dilation, groups, has_bias in (
        ("conv2d", "conv2d", "i8", "i32", (2, 4, 9, 8), (6, 4, 3, 2), (2, 1), (1, 0), (1, 2), 1, True),
        ("conv2d_plain", "conv2d", "i8", "i32", (1, 3, 6, 6), (4, 3, 3, 3), (1, 1), (0, 0), (1, 1), 1, False),
        ("conv2d_groups", "conv2d", "i8", "i32", (2, 4, 6, 7), (6, 2, 3, 3), (1, 1), (1, 1), (1, 1), 2, True),
        ("conv2d_f8", "conv2d", "f8E4M3FN", "bf16", (1, 2, 5, 5), (3, 2, 3, 3), (1, 1), (1, 1), (1, 1), 1, False),
        ("conv2d_u8", "conv2d", "ui8", "i32", (1, 3, 6, 6), (4, 3, 3, 3), (1, 1), (1, 1), (1, 1), 1, False),
        ("conv1d", "conv1d", "bf16", "f32", (2, 3, 11), (4, 3, 3), (2,), (1,), (1,), 1, False),
        ("conv3d", "conv3d", "i8", "i32", (1, 2, 4, 5, 5), (3, 2, 2, 3, 3), (1, 2, 1), (0, 1, 1), (1, 1, 1), 1, False),
        ("convolution", "convolution", "i8", "i32", (1, 4, 6, 6), (4, 1, 3, 3), (1, 1), (1, 1), (1, 1), 4, True)):
    (x, xe), (w, we) = draw(xs, a), draw(ws, a)
    exact = convolve(xe, we, stride, padding, dilation, groups)
    operands = [(tensor(xs, a), x), (tensor(ws, a), w)]
    if has_bias:
        bias = np.arange(ws[0], dtype=np.int32) * 77 - 100
        exact = exact + bias.reshape((1, -1) + (1,) * (len(xs) - 2))
        operands.append((tensor((ws[0],), "i32"), bias))
    text = f"{{stride = {list(stride)}, padding = {list(padding)}, dilation = {list(dilation)}, groups = {groups}"
    text += ", transposed = false, output_padding = [0, 0]}" if op == "convolution" else "}"
    add(name, operands, "i32" if a.endswith("i8") else "f32", result, aten(op, [t for t, _ in operands], text), exact, exact.shape)


def convolve_transposed(x, w, stride, padding, dilation, extra, groups):
    """Exact transposed convolution, scattered: x (n, c, ...), w (c, f / groups, ...)."""
    space, per, each = x.ndim - 2, w.shape[1], x.shape[1] // groups
    whole = [(x.shape[2 + s] - 1) * stride[s] + dilation[s] * (w.shape[2 + s] - 1) + extra[s] + 1 for s in range(space)]
    out = np.zeros([x.shape[0], per * groups] + whole, x.dtype)
    for window in np.ndindex(*w.shape[2:]):
        where = tuple(slice(k * d, k * d + (n - 1) * t + 1, t) for k, d, n, t in zip(window, dilation, x.shape[2:], stride))
        for g in range(groups):
            part = (slice(None), slice(g * per, (g + 1) * per)) + where
            channels = slice(g * each, (g + 1) * each)
            out[part] += np.einsum("nc...,cf->nf...", x[:, channels], w[(channels, slice(None)) + window])
    return out[(slice(None), slice(None)) + tuple(slice(p, n - p) for p, n in zip(padding, whole))]


for name, a, result, xs, ws, stride, padding, dilation, extra, groups in (
        ("transposed", "i8", "i32", (2, 4, 5, 4), (4, 3, 3, 2), (2, 1), (1, 0), (1, 2), (1, 0), 1),
        ("transposed_groups", "i8", "i32", (1, 4, 4, 3), (4, 3, 3, 3), (2, 2), (1, 1), (1, 1), (0, 1), 2),
        ("transposed_depthwise", "ui8", "i32", (1, 3, 4, 3), (3, 1, 2, 2), (1, 2), (0, 0), (1, 1), (0, 0), 3),
        ("transposed_cut", "i8", "i16", (1, 2, 6, 7), (2, 3, 1, 2), (1, 3), (1, 2), (1, 1), (0, 2), 1),
        ("transposed_1d", "bf16", "f32", (2, 3, 6), (3, 4, 3), (2,), (0,), (2,), (1,), 1),
        ("transposed_3d", "f8E5M2", "f32", (1, 2, 3, 2, 3), (2, 2, 2, 1, 3), (1, 2, 1), (0, 0, 1), (1, 1, 1), (0, 1, 0), 1)):
    (x, xe), (w, we) = draw(xs, a), draw(ws, a)
    exact = convolve_transposed(xe, we, stride, padding, dilation, extra, groups)
    features = ws[1] * groups
    bias = np.arange(features) * 7 - 10
    operands = [(tensor(xs, a), x), (tensor(ws, a), w)]
    if a.endswith("i8"):
        operands.append((tensor((features,), "i32"), bias.astype(np.int32)))
        exact = exact + bias.reshape((1, -1) + (1,) * (len(xs) - 2))
    text = (f"{{stride = {list(stride)}, padding = {list(padding)}, dilation = {list(dilation)}, transposed = true, "
            f"output_padding = {list(extra)}, groups = {groups} : i64}}")
    natural = "i32" if a.endswith("i8") else "f32"
    add(name, operands, natural, result, aten("convolution", [t for t, _ in operands], text), exact, exact.shape)
    # Of any size, but for channels and windows.
    some = lambda shape: shape[:1] + (shape[1],) + (-1,) * (len(shape) - 2)
    operands[0] = (tensor(some(xs), a), x)
    add(name + "_dynamic", operands, natural, result, aten("convolution", [t for t, _ in operands], text), exact, some(exact.shape))

# Elementwise: torch's cases of section I, and mixed signs and ranks.
i8 = np.array([1, 2, 3, 100, -100, 127, -128], np.int8)
t7 = tensor((7,), "i8")
add("scalar", [(t7, i8)], "f32", "i32", aten("mul.Scalar", [t7], "{other = 2.7 : f64}"), np.trunc((i8 * np.float32(2.7)).astype(np.float64)), (7,))
add("scalar_whole", [(t7, i8)], "i8", "i32", aten("mul.Scalar", [t7], "{other = 3 : i64}"), i8.astype(np.int64) * 3, (7,))
add("scalar_float", [(t7, i8)], "f32", "i32", aten("mul.Scalar", [t7], "{other = 3.0 : f64}"), i8.astype(np.int64) * 3, (7,))
add("mul_wide", [(t7, i8), (t7, i8)], "i8", "i32", aten("mul.Tensor", [t7, t7]), i8.astype(np.int64) ** 2, (7,))
add("mul_wrap", [(t7, i8), (t7, i8)], "i8", "i8", aten("mul.Tensor", [t7, t7]), i8.astype(np.int64) ** 2, (7,))
f0 = np.array(2.5, np.float32)
add("mul_rank0", [("tensor<f32>", f0), (t7, i8)], "f32", "i32", aten("mul.Tensor", ["tensor<f32>", t7]), 2.5 * i8, (7,))
d0 = np.array(2.5, np.float64)
add("mul_rank0_f64", [(tensor((7,), "f16"), i8.astype(np.float16)), ("tensor<f64>", d0)], "f16", "f32", aten("mul.Tensor", [tensor((7,), "f16"), "tensor<f64>"]),
    2.5 * i8, (7,))
half = np.array([30.7], np.float32)
add("toward_zero", [("tensor<1xf32>", half), ("tensor<1xf32>", np.ones(1, np.float32))], "f32", "i8", aten("mul.Tensor", ["tensor<1xf32>"] * 2), [30], (1,))
add("divide", [(t7, i8)], "f32", "f32", aten("div.Scalar", [t7], "{other = 4 : i64}"), i8 / 4.0, (7,))
add("divide_i32", [(t7, i8)], "f32", "i32", aten("div.Scalar", [t7], "{other = 4 : i64}"), np.trunc(i8 / 4.0), (7,))
(x, xe), (y, ye) = draw((3, 1, 5), "ui8"), draw((4, 1), "i8")
types = [tensor(x.shape, "ui8"), tensor(y.shape, "i8")]
add("broadcast", [(types[0], x), (types[1], y)], "i16", "i32", aten("mul.Tensor", types), xe * ye, (3, 4, 5))

# tosa: zero points are captures, so these are functions of their own.
(x, xe), (y, ye) = draw((2, 5, 16), "i8"), draw((2, 16, 7), "i8")
for result, exact in (("i64", (xe + 3) @ (ye - 5)), ("i8", (xe + 3) @ (ye - 5)), ("f32", (xe + 3) @ (ye - 5))):
    SOURCE.append(f"""func.func @tosa_matmul_{result}(%a: tensor<2x5x16xi8>, %b: tensor<2x16x7xi8>) -> tensor<2x5x7x{result}> {{
  %p = "tosa.const"() {{values = dense<-3> : tensor<1xi8>}} : () -> tensor<1xi8>
  %q = "tosa.const"() {{values = dense<5> : tensor<1xi8>}} : () -> tensor<1xi8>
  %0 = amp.out_dtype (%x = %a : tensor<2x5x16xi8>, %y = %b : tensor<2x16x7xi8>, %s = %p : tensor<1xi8>, %t = %q : tensor<1xi8>) -> tensor<2x5x7x{result}> {{
    %1 = tosa.matmul %x, %y, %s, %t : (tensor<2x5x16xi8>, tensor<2x16x7xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<2x5x7xi32>
    amp.yield %1 : tensor<2x5x7xi32>
  }}
  return %0 : tensor<2x5x7x{result}>
}}""")
    CASES.append((f"tosa_matmul_{result}", [x, y], result, 3, to_type(exact, result)))
(x, xe), (y, ye) = draw((1, 5, 16), "f8E4M3FN"), draw((1, 16, 7), "f8E4M3FN")
SOURCE.append("""func.func @tosa_matmul_f8(%a: tensor<1x5x16xf8E4M3FN>, %b: tensor<1x16x7xf8E4M3FN>) -> tensor<1x5x7xbf16> {
  %p = "tosa.const"() {values = dense<0.0> : tensor<1xf8E4M3FN>} : () -> tensor<1xf8E4M3FN>
  %0 = amp.out_dtype (%x = %a : tensor<1x5x16xf8E4M3FN>, %y = %b : tensor<1x16x7xf8E4M3FN>, %s = %p : tensor<1xf8E4M3FN>) -> tensor<1x5x7xbf16> {
    %1 = tosa.matmul %x, %y, %s, %s : (tensor<1x5x16xf8E4M3FN>, tensor<1x16x7xf8E4M3FN>, tensor<1xf8E4M3FN>, tensor<1xf8E4M3FN>) -> tensor<1x5x7xf16>
    amp.yield %1 : tensor<1x5x7xf16>
  }
  return %0 : tensor<1x5x7xbf16>
}""")
CASES.append(("tosa_matmul_f8", [x, y], "bf16", 3, to_type(xe @ ye, "bf16")))
for zero in (0, 7):
    (x, xe), (w, we) = draw((1, 6, 7, 3), "i8"), draw((4, 3, 3, 3), "i8")
    bias = np.arange(4, dtype=np.int32) * 1000
    nchw = convolve(np.moveaxis(xe - zero, 3, 1), np.moveaxis(we, 3, 1), (1, 2), (1, 1), (1, 1), 1)
    exact = np.moveaxis(nchw, 1, 3) + bias
    shape = tensor(exact.shape, "i32")
    SOURCE.append(f"""func.func @tosa_conv_{zero}(%a: tensor<1x6x7x3xi8>, %b: tensor<4x3x3x3xi8>, %c: tensor<4xi32>) -> {tensor(exact.shape, "i64")} {{
  %p = "tosa.const"() {{values = dense<{zero}> : tensor<1xi8>}} : () -> tensor<1xi8>
  %q = "tosa.const"() {{values = dense<0> : tensor<1xi8>}} : () -> tensor<1xi8>
  %0 = amp.out_dtype (%x = %a : tensor<1x6x7x3xi8>, %y = %b : tensor<4x3x3x3xi8>, %z = %c : tensor<4xi32>, %s = %p : tensor<1xi8>, %t = %q : tensor<1xi8>) -> {tensor(exact.shape, "i64")} {{
    %1 = tosa.conv2d %x, %y, %z, %s, %t {{acc_type = i32, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 2>, dilation = array<i64: 1, 1>}} : (tensor<1x6x7x3xi8>, tensor<4x3x3x3xi8>, tensor<4xi32>, tensor<1xi8>, tensor<1xi8>) -> {shape}
    amp.yield %1 : {shape}
  }}
  return %0 : {tensor(exact.shape, "i64")}
}}""")
    CASES.append((f"tosa_conv_{zero}", [x, w, bias], "i64", 4, to_type(exact, "i64")))
(x, xe), (w, we) = draw((1, 6, 7, 3), "i8"), draw((3, 3, 3, 2), "i8")
bias = np.zeros(6, np.int32)
grouped = np.moveaxis(we, (2, 3), (0, 1)).reshape(6, 1, 3, 3)
exact = np.moveaxis(convolve(np.moveaxis(xe, 3, 1), grouped, (1, 1), (1, 1), (1, 1), 3), 1, 3)
SOURCE.append(f"""func.func @tosa_depthwise(%a: tensor<1x6x7x3xi8>, %b: tensor<3x3x3x2xi8>, %c: tensor<6xi32>) -> {tensor(exact.shape, "i16")} {{
  %p = "tosa.const"() {{values = dense<0> : tensor<1xi8>}} : () -> tensor<1xi8>
  %0 = amp.out_dtype (%x = %a : tensor<1x6x7x3xi8>, %y = %b : tensor<3x3x3x2xi8>, %z = %c : tensor<6xi32>, %s = %p : tensor<1xi8>) -> {tensor(exact.shape, "i16")} {{
    %1 = tosa.depthwise_conv2d %x, %y, %z, %s, %s {{acc_type = i32, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}} : (tensor<1x6x7x3xi8>, tensor<3x3x3x2xi8>, tensor<6xi32>, tensor<1xi8>, tensor<1xi8>) -> {tensor(exact.shape, "i32")}
    amp.yield %1 : {tensor(exact.shape, "i32")}
  }}
  return %0 : {tensor(exact.shape, "i16")}
}}""")
CASES.append(("tosa_depthwise", [x, w, bias], "i16", 4, to_type(exact, "i16")))
(x, xe), (w, we) = draw((1, 4, 5, 3), "i8"), draw((2, 3, 3, 3), "i8")
bias = np.array([500, -500], np.int32)
# Of weights (out, window, in), and with rows put in front, which is less than nothing on one side.
whole = convolve_transposed(np.moveaxis(xe + 4, 3, 1), np.moveaxis(we, 3, 0), (2, 1), (0, 0), (1, 1), (0, 0), 1)
exact = np.moveaxis(np.pad(whole, [(0, 0), (0, 0), (1, 2), (0, 0)])[:, :, :, 1:], 1, 3) + bias
SOURCE.append(f"""func.func @tosa_transposed(%a: tensor<1x4x5x3xi8>, %b: tensor<2x3x3x3xi8>, %c: tensor<2xi32>) -> {tensor(exact.shape, "i64")} {{
  %p = "tosa.const"() {{values = dense<-4> : tensor<1xi8>}} : () -> tensor<1xi8>
  %q = "tosa.const"() {{values = dense<0> : tensor<1xi8>}} : () -> tensor<1xi8>
  %0 = amp.out_dtype (%x = %a : tensor<1x4x5x3xi8>, %y = %b : tensor<2x3x3x3xi8>, %z = %c : tensor<2xi32>, %s = %p : tensor<1xi8>, %t = %q : tensor<1xi8>) -> {tensor(exact.shape, "i64")} {{
    %1 = tosa.transpose_conv2d %x, %y, %z, %s, %t {{acc_type = i32, out_pad = array<i64: 1, 2, -1, 0>, stride = array<i64: 2, 1>}} : (tensor<1x4x5x3xi8>, tensor<2x3x3x3xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> {tensor(exact.shape, "i32")}
    amp.yield %1 : {tensor(exact.shape, "i32")}
  }}
  return %0 : {tensor(exact.shape, "i64")}
}}""")
CASES.append(("tosa_transposed", [x, w, bias], "i64", 4, to_type(exact, "i64")))
(x, xe), (y, ye) = draw((3, 4), "f16"), draw((1, 4), "f16")
SOURCE.append("""func.func @tosa_mul(%a: tensor<3x4xf16>, %b: tensor<1x4xf16>) -> tensor<3x4xf32> {
  %p = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %0 = amp.out_dtype (%x = %a : tensor<3x4xf16>, %y = %b : tensor<1x4xf16>, %s = %p : tensor<1xi8>) -> tensor<3x4xf32> {
    %1 = tosa.mul %x, %y, %s : (tensor<3x4xf16>, tensor<1x4xf16>, tensor<1xi8>) -> tensor<3x4xf16>
    amp.yield %1 : tensor<3x4xf16>
  }
  return %0 : tensor<3x4xf32>
}""")
CASES.append(("tosa_mul", [x, y], "f32", 2, to_type(xe * ye, "f32")))

# linalg: contract with transposed operands, unsigned, a batched one, and a generic contraction.
(x, xe), (y, ye) = draw((16, 5), "i8"), draw((7, 16), "i8")
for sign, wide in (("", lambda v: v), (" {cast = #linalg.type_fn<cast_unsigned>}", lambda v: v & 255)):
    name = "contract_unsigned" if sign else "contract"
    add(name, [(tensor(x.shape, "i8"), x), (tensor(y.shape, "i8"), y), (tensor((5, 7), "i8"), np.zeros((5, 7), np.int8))], "i8", "i32",
        "linalg.contract indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]" + sign +
        " ins(%x0, %x1 : tensor<16x5xi8>, tensor<7x16xi8>) outs(%x2 : tensor<5x7xi8>)", wide(xe).T @ wide(ye).T, (5, 7))

module = compile_module("\n".join(SOURCE), "amp-lower-to-linalg,amp-lower-to-cpu")
failures = 0
for name, args, result, rank, want in CASES:
    got = module(name, args, [(result, rank)])[0]
    want = np.asarray(want)
    same = got.shape == want.shape and got.tobytes() == want.astype(got.dtype).tobytes()
    if not same:
        bad = np.argwhere(got != want) if got.shape == want.shape else []
        print(f"{name}: FAILED: {len(bad)} differ; found {got.ravel()[:6]}, wanted {want.ravel()[:6]}")
        failures += 1
print("all passed" if failures == 0 else f"{failures} of {len(CASES)} failed")
sys.exit(failures != 0)
