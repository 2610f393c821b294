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
    return "tensor<" + "".join(f"{n}x" for n in shape) + dtype + ">"


def forward(name, op, shapes, types, natural, result, attributes="", gradient=""):
    """Text of function `name` over one ATen op."""
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
         ("conv1d", "conv1d", [(2, 2, 9), (3, 2, 3)], (2, 3, 4), "{stride = [2]}")]
for name, op, shapes, result, attributes in FORMS:
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
FUNCTIONS += ["square", "contract"]
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
    differences(name, "f64_" + name, arrays, result, 1e-5 if name == "divide" else 1e-8)
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
print("all passed" if failures == 0 else f"{failures} failed")
sys.exit(failures != 0)
