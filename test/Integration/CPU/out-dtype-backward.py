# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s | FileCheck %s
# Gradients of amp.out_dtype. Float forms: central differences of the forward function itself, in f64 (the step 1e-3; these functions are bilinear, so
# differences of products and sums are exact up to 1e-9; a quotient within 1e-5), and the adjoint identity <g, f'(d)> = <f'^T(g), d>. Integer forms: the float
# formula in NumPy's f64, on data that f32 sums exactly (equality). Narrow floats: the f64 gradient of the same values, within the rounding of the type.
# CHECK-NOT: FAILED
# CHECK: all passed
import sys

import numpy as np
from harness import Module, from_bf16, to_bf16

rng = np.random.default_rng(3)
SOURCES, FUNCTIONS = [], []


def tensor(shape, dtype):
    return "tensor<" + "".join(f"{n or '?'}x" for n in shape) + dtype + ">"


def forward(name, op, shapes, types, natural, result, attributes="", gradient=""):
    """Text of function `name` over one ATen op; sizes of None are dynamic."""
    args = [tensor(s, t) for s, t in zip(shapes, types)]
    signature = ", ".join(f"%a{i}: {t}" for i, t in enumerate(args))
    captures = ", ".join(f"%x{i} = %a{i} : {t}" for i, t in enumerate(args))
    names = ", ".join(f"%x{i}" for i in range(len(args)))
    out, inner = tensor(result[0], result[1]), tensor(result[0], natural)
    SOURCES.append(f"""func.func @{name}({signature}) -> {out} {{
  %0 = amp.out_dtype {gradient} ({captures}) -> {out} {{
    %1 = "aten.{op}"({names}) {attributes} : ({", ".join(args)}) -> {inner}
    amp.yield %1 : {inner}
  }}
  return %0 : {out}
}}""")
    FUNCTIONS.append(name)


# name, op, operand shapes, result shape, attributes
FORMS = [("mm", "mm", [(3, 5), (5, 4)], (3, 4), ""), ("bmm", "bmm", [(2, 3, 5), (2, 5, 4)], (2, 3, 4), ""),
         ("linear", "linear", [(2, 3, 5), (4, 5), (4,)], (2, 3, 4), ""), ("mul", "mul.Tensor", [(3, 4), (3, 4)], (3, 4), ""),
         ("mul_spread", "mul.Tensor", [(3, 1, 4), (5, 1)], (3, 5, 4), ""), ("divide", "div.Tensor", [(3, 4), (4,)], (3, 4), ""),
         ("conv", "conv2d", [(2, 3, 6, 5), (4, 3, 3, 2), (4,)], (2, 4, 3, 4), "{stride = [2, 1], padding = [1, 0]}"),
         ("conv_dilated", "conv2d", [(1, 2, 7, 7), (3, 2, 3, 3)], (1, 3, 3, 7), "{stride = [1, 1], padding = [0, 2], dilation = [2, 2]}"),
         ("conv1d", "conv1d", [(2, 2, 9), (3, 2, 3)], (2, 3, 4), "{stride = [2]}"),
         ("conv3d", "conv3d", [(1, 2, 3, 4, 5), (2, 2, 2, 1, 3)], (1, 2, 2, 4, 3), ""),
         ("groups", "conv2d", [(2, 4, 6, 5), (6, 2, 3, 2), (6,)], (2, 6, 3, 4), "{stride = [2, 1], padding = [1, 0], groups = 2 : i64}"),
         ("groups1d", "conv1d", [(2, 6, 7), (3, 2, 3)], (2, 3, 3), "{dilation = [2], groups = 3 : i64}"),
         ("depthwise", "conv2d", [(2, 3, 5, 5), (6, 1, 3, 2), (6,)], (2, 6, 3, 4), "{stride = [2, 1], padding = [1, 0], groups = 3 : i64}"),
         ("depthwise_1", "conv2d", [(1, 3, 4, 5), (3, 1, 3, 3)], (1, 3, 4, 5), "{padding = [1, 1], groups = 3 : i64}"),
         ("general", "convolution", [(1, 4, 6), (4, 2, 2)], (1, 4, 5),
          "{stride = [1], padding = [0], dilation = [1], transposed = false, output_padding = [0], groups = 2 : i64}"),
         ("transposed", "convolution", [(2, 4, 5, 4), (4, 3, 3, 2), (3,)], (2, 3, 10, 6),
          "{transposed = true, stride = [2, 1], padding = [1, 0], dilation = [1, 2], output_padding = [1, 0]}"),
         ("transposed_groups", "convolution", [(1, 4, 4), (4, 3, 3)], (1, 6, 8), "{transposed = true, stride = [2], padding = [1], output_padding = [1], groups = 2 : i64}"),
         ("transposed_cut", "convolution", [(1, 2, 6, 7), (2, 3, 1, 2)], (1, 3, 4, 18),
          "{transposed = true, stride = [1, 3], padding = [1, 2], output_padding = [0, 2]}"),
         # Windows side by side, all used, or with a row and columns left over.
         ("patches", "conv2d", [(2, 3, 4, 6), (5, 3, 2, 3)], (2, 5, 2, 2), "{stride = [2, 3]}"),
         ("patches_rest", "conv2d", [(1, 2, 5, 8), (3, 2, 2, 3)], (1, 3, 2, 2), "{stride = [2, 3]}"),
         ("pointwise", "conv2d", [(2, 3, 5, 4), (4, 3, 1, 1)], (2, 4, 3, 2), "{stride = [2, 2]}")]


def dynamic(name, shapes, result):
    """The shapes with every size dynamic that an op of that form allows so."""
    if name in CONVOLUTIONS:
        some = lambda shape: (None, shape[1]) + (None,) * (len(shape) - 2)
        return [some(shapes[0])] + shapes[1:], some(result)
    # A dimension of size 1 is spread if its type says so.
    return [tuple(n if n == 1 else None for n in shape) for shape in shapes], (None,) * len(result)


CONVOLUTIONS = [name for name, op, _, _, _ in FORMS if "conv" in op]
for name, op, shapes, result, attributes in FORMS:
    dynamic_shapes, dynamic_result = dynamic(name, shapes, result)
    forward("dynamic_" + name, op, dynamic_shapes, ["f64"] * len(shapes), "f64", (dynamic_result, "f64"), attributes)
    forward("f64_" + name, op, shapes, ["f64"] * len(shapes), "f64", (result, "f64"), attributes)
    ints = ["i8", "i8", "i32"][:len(shapes)]
    out = "f32" if name == "divide" else "i32"
    forward("int_" + name, op, shapes, ints, out, (result, out), attributes, "gradient(f32)")
    forward("bf16_" + name, op, shapes, ["bf16"] * len(shapes), "bf16", (result, "f32"), attributes)
forward("int_f64", "mm", [(3, 5), (5, 4)], ["i8", "i8"], "i8", ((3, 4), "i32"), "", "gradient(f64)")
SOURCES.append("""func.func @square(%a: tensor<4x4xf64>) -> tensor<4x4xf64> {
  %0 = amp.out_dtype (%x = %a : tensor<4x4xf64>) -> tensor<4x4xf64> {
    %1 = "aten.mm"(%x, %x) : (tensor<4x4xf64>, tensor<4x4xf64>) -> tensor<4x4xf64>
    amp.yield %1 : tensor<4x4xf64>
  }
  return %0 : tensor<4x4xf64>
}
func.func @contract(%a: tensor<5x3xf64>, %b: tensor<4x5xf64>, %c: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %0 = amp.out_dtype (%x = %a : tensor<5x3xf64>, %y = %b : tensor<4x5xf64>, %z = %c : tensor<3x4xf64>) -> tensor<3x4xf64> {
    %1 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>] ins(%x, %y : tensor<5x3xf64>, tensor<4x5xf64>) outs(%z : tensor<3x4xf64>) -> tensor<3x4xf64>
    amp.yield %1 : tensor<3x4xf64>
  }
  return %0 : tensor<3x4xf64>
}""")
# Other dialects' depthwise convolutions: of the channels' two dimensions, and of one that interleaves them.
SOURCES.append("""func.func @linalg_depthwise(%a: tensor<1x5x6x3xf64>, %b: tensor<3x2x3x2xf64>, %c: tensor<1x2x5x3x2xf64>) -> tensor<1x2x5x3x2xf64> {
  %0 = amp.out_dtype (%x = %a : tensor<1x5x6x3xf64>, %y = %b : tensor<3x2x3x2xf64>, %z = %c : tensor<1x2x5x3x2xf64>) -> tensor<1x2x5x3x2xf64> {
    %1 = linalg.depthwise_conv_2d_nhwc_hwcm {strides = dense<[2, 1]> : tensor<2xi64>} ins(%x, %y : tensor<1x5x6x3xf64>, tensor<3x2x3x2xf64>) outs(%z : tensor<1x2x5x3x2xf64>) -> tensor<1x2x5x3x2xf64>
    amp.yield %1 : tensor<1x2x5x3x2xf64>
  }
  return %0 : tensor<1x2x5x3x2xf64>
}
func.func @linalg_groups(%a: tensor<2x2x3x6x5xf64>, %b: tensor<2x4x3x3x2xf64>, %c: tensor<2x2x4x4x4xf64>) -> tensor<2x2x4x4x4xf64> {
  %0 = amp.out_dtype (%x = %a : tensor<2x2x3x6x5xf64>, %y = %b : tensor<2x4x3x3x2xf64>, %z = %c : tensor<2x2x4x4x4xf64>) -> tensor<2x2x4x4x4xf64> {
    %1 = linalg.conv_2d_ngchw_gfchw ins(%x, %y : tensor<2x2x3x6x5xf64>, tensor<2x4x3x3x2xf64>) outs(%z : tensor<2x2x4x4x4xf64>) -> tensor<2x2x4x4x4xf64>
    amp.yield %1 : tensor<2x2x4x4x4xf64>
  }
  return %0 : tensor<2x2x4x4x4xf64>
}
func.func @tosa_depthwise(%a: tensor<2x5x5x3xi8>, %b: tensor<3x2x3x2xi8>, %c: tensor<6xi32>) -> tensor<2x3x4x6xi32> {
  %two = "tosa.const"() <{values = dense<2> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = amp.out_dtype gradient(f32) (%x = %a : tensor<2x5x5x3xi8>, %y = %b : tensor<3x2x3x2xi8>, %z = %c : tensor<6xi32>, %i = %two : tensor<1xi8>,
                                    %j = %zero : tensor<1xi8>) -> tensor<2x3x4x6xi32> {
    %1 = tosa.depthwise_conv2d %x, %y, %z, %i, %j {acc_type = i32, pad = array<i64: 1, 1, 0, 0>, stride = array<i64: 2, 1>, dilation = array<i64: 1, 1>} : (tensor<2x5x5x3xi8>, tensor<3x2x3x2xi8>, tensor<6xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<2x3x4x6xi32>
    amp.yield %1 : tensor<2x3x4x6xi32>
  }
  return %0 : tensor<2x3x4x6xi32>
}""")
FUNCTIONS += ["square", "contract", "linalg_depthwise", "linalg_groups", "tosa_depthwise"]
pipeline = ",".join(f"amp-out-dtype-backward{{function={f}}}" for f in FUNCTIONS) + ",amp-lower-to-linalg,amp-lower-to-cpu"
module = Module("\n".join(SOURCES), pipeline)
failures = 0


def check(name, good, text):
    global failures
    if not good:
        print(f"{name}: FAILED: {text}")
        failures += 1


def differences(name, function, arrays, shape, tolerance):
    """Compares function_backward with central differences of `function`."""
    call = lambda values: module(function, values, [("f64", len(shape))])[0]
    g = rng.standard_normal(shape)
    found = module(function + "_backward", arrays + [g], [("f64", a.ndim) for a in arrays])
    for i, (gradient, array) in enumerate(zip(found, arrays)):
        want = np.zeros_like(array)
        for index in np.ndindex(*array.shape):
            high, low = [a.copy() for a in arrays], [a.copy() for a in arrays]
            high[i][index] += 1e-3
            low[i][index] -= 1e-3
            want[index] = np.sum(g * (call(high) - call(low))) / 2e-3
        check(name, np.allclose(gradient, want, rtol=tolerance, atol=tolerance),
              f"operand {i}: off by {np.abs(gradient - want).max()}")


def oracle(op, shapes, attributes, values, g):
    """The gradients in f64, from the forward function's own, which differences have checked."""
    return module("f64_" + op + "_backward", [v.astype(np.float64) for v in values] + [g.astype(np.float64)], [("f64", len(s)) for s in shapes])


for name, op, shapes, result, attributes in FORMS:
    arrays = [rng.standard_normal(s) for s in shapes]
    if name == "divide":
        arrays[1] = np.sign(arrays[1]) * (1 + np.abs(arrays[1]))
    for kind in ["f64_", "dynamic_"]:
        differences(kind + name, kind + name, arrays, result, 1e-5 if name == "divide" else 1e-8)
    ints = [rng.integers(1, 9, s).astype(np.int8) * rng.choice([-1, 1], s).astype(np.int8) for s in shapes[:2]]
    ints += [rng.integers(-99, 99, s).astype(np.int32) for s in shapes[2:]]
    if name == "divide":
        ints[1] = np.array([1, -2, 4, 8], np.int8)
    g = rng.integers(-8, 9, result) / 4.0
    found = module(f"int_{name}_backward", ints + [g.astype(np.float32)], [("f32", len(s)) for s in shapes])
    for i, (a, b) in enumerate(zip(found, oracle(name, shapes, attributes, ints, g))):
        check("int_" + name, np.array_equal(a.astype(np.float64), b), f"operand {i}: {np.abs(a - b).max()}")
    bits = [to_bf16(a) for a in arrays]
    found = module(f"bf16_{name}_backward", bits + [g.astype(np.float32)], [("bf16", len(s)) for s in shapes])
    for i, (a, b) in enumerate(zip(found, oracle(name, shapes, attributes, [from_bf16(x) for x in bits], g))):
        # One rounding of the f32 sums, whose own error is far less.
        error = np.abs(from_bf16(a).astype(np.float64) - b)
        check("bf16_" + name, np.all(error <= 2.0**-8 * np.abs(b) + 1e-5), f"operand {i}: {error.max()}")
a, b, g = rng.integers(-128, 128, (3, 5)).astype(np.int8), rng.integers(-128, 128, (5, 4)).astype(np.int8), rng.standard_normal((3, 4))
found = module("int_f64_backward", [a, b, g], [("f64", 2), ("f64", 2)])
check("int_f64", np.allclose(found[0], g @ b.T.astype(np.float64), rtol=1e-14) and np.allclose(found[1], a.T.astype(np.float64) @ g, rtol=1e-14), "differs")
differences("square", "square", [rng.standard_normal((4, 4))], (4, 4), 1e-8)
differences("contract", "contract", [rng.standard_normal((5, 3)), rng.standard_normal((4, 5)), rng.standard_normal((3, 4))], (3, 4), 1e-8)
differences("linalg_depthwise", "linalg_depthwise", [rng.standard_normal(s) for s in [(1, 5, 6, 3), (3, 2, 3, 2), (1, 2, 5, 3, 2)]], (1, 2, 5, 3, 2), 1e-8)
differences("linalg_groups", "linalg_groups", [rng.standard_normal(s) for s in [(2, 2, 3, 6, 5), (2, 4, 3, 3, 2), (2, 2, 4, 4, 4)]], (2, 2, 4, 4, 4), 1e-8)

# tosa's against ATen's, whose channels come second, and whose weights are f, 1, h, w; the input's zero point is 2, and padding is of that value.
a, w = rng.integers(-20, 20, (2, 5, 5, 3)).astype(np.int8), rng.integers(-20, 20, (3, 2, 3, 2)).astype(np.int8)
g = rng.integers(-8, 9, (2, 3, 4, 6)) / 4.0
found = module("tosa_depthwise_backward", [a, w, np.zeros(6, np.int32), g.astype(np.float32)], [("f32", 4), ("f32", 4), ("f32", 1)])
want = oracle("depthwise", [(2, 3, 5, 5), (6, 1, 3, 2), (6,)], "",
              [(a.astype(np.int64) - 2).transpose(0, 3, 1, 2).copy(), w.transpose(2, 3, 0, 1).reshape(6, 1, 3, 2).copy(), np.zeros(6)],
              g.transpose(0, 3, 1, 2).copy())
want = [want[0].transpose(0, 2, 3, 1), want[1].reshape(3, 2, 3, 2).transpose(2, 3, 0, 1), want[2]]
for i, (x, y) in enumerate(zip(found, want)):
    check("tosa_depthwise", np.array_equal(x.astype(np.float64), y), f"operand {i}: {np.abs(x - y).max()}")
print("all passed" if failures == 0 else f"{failures} failed")
sys.exit(failures != 0)
