# tosa on sizes that are known only when it runs: softmax and a norm with a residual, whose operands have the same sizes, and sums of tensors of which one may have a
# single row or column. Oracle: NumPy in f64.
# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s "amp-lower-to-linalg,amp-lower-to-cpu" | FileCheck %s
# CHECK-NOT: FAILED
# CHECK: all passed
import sys

import numpy as np
from harness import Suite

if len(sys.argv) == 1:
    sys.argv.append("amp-lower-to-linalg,amp-lower-to-cpu")
rng = np.random.default_rng(1)
suite = Suite()
T = "tensor<?x?xf32>"


def floats(*shape):
    return rng.standard_normal(shape).astype(np.float32)


for m, n in ((1, 1), (1, 7), (5, 1), (33, 100), (64, 64), (3, 1025), (0, 4)):
    x = floats(m, n)
    wide = x.astype(np.float64)
    for axis, column in ((0, "tensor<1x?xf32>"), (1, "tensor<?x1xf32>")):
        if m == 0 and axis == 0:
            continue
        exponents = np.exp(wide - wide.max(axis, keepdims=True)) if m else wide
        name = f"softmax_{m}_{n}_{axis}"
        suite.add(name, f"""func.func @{name}(%x: {T}) -> {T} {{
  %m = tosa.reduce_max %x {{axis = {axis} : i32}} : ({T}) -> {column}
  %s = tosa.sub %x, %m : ({T}, {column}) -> {T}
  %e = tosa.exp %s : ({T}) -> {T}
  %n = tosa.reduce_sum %e {{axis = {axis} : i32}} : ({T}) -> {column}
  %q = tosa.reciprocal %n : ({column}) -> {column}
  %shift = "tosa.const"() {{values = dense<0> : tensor<1xi8>}} : () -> tensor<1xi8>
  %p = tosa.mul %e, %q, %shift : ({T}, {column}, tensor<1xi8>) -> {T}
  return %p : {T} }}""", [x], [("f32", 2)], [exponents / exponents.sum(axis, keepdims=True)], 1e-6)
    squares = (wide * wide).sum(1, keepdims=True)
    name = f"residual_{m}_{n}"
    suite.add(name, f"""func.func @{name}(%x: {T}) -> {T} {{
  %shift = "tosa.const"() {{values = dense<0> : tensor<1xi8>}} : () -> tensor<1xi8>
  %one = "tosa.const"() {{values = dense<1.0> : tensor<1x1xf32>}} : () -> tensor<1x1xf32>
  %s = tosa.mul %x, %x, %shift : ({T}, {T}, tensor<1xi8>) -> {T}
  %n = tosa.reduce_sum %s {{axis = 1 : i32}} : ({T}) -> tensor<?x1xf32>
  %p = tosa.add %n, %one : (tensor<?x1xf32>, tensor<1x1xf32>) -> tensor<?x1xf32>
  %q = tosa.rsqrt %p : (tensor<?x1xf32>) -> tensor<?x1xf32>
  %y = tosa.mul %x, %q, %shift : ({T}, tensor<?x1xf32>, tensor<1xi8>) -> {T}
  %r = tosa.add %x, %y : ({T}, {T}) -> {T}
  return %r : {T} }}""", [x], [("f32", 2)], [wide + wide / np.sqrt(squares + 1)], 1e-5)

for left, right in (((5, 70), (5, 70)), ((1, 70), (5, 70)), ((5, 1), (5, 70)), ((5, 70), (1, 1)), ((1, 70), (5, 1)), ((1, 1), (1, 1)), ((0, 3), (1, 3))):
    x, y = floats(*left), floats(*right)
    name = f"sum_{'_'.join(map(str, left + right))}"
    suite.add(name, f"""func.func @{name}(%x: {T}, %y: {T}) -> {T} {{
  %r = tosa.add %x, %y : ({T}, {T}) -> {T}
  return %r : {T} }}""", [x, y], [("f32", 2)], [x + y])
suite.run()
