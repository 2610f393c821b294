# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s "amp-lower-to-linalg,amp-lower-to-cpu" | FileCheck %s
# What quantised programs of TOSA have beside their products: scales (rescale, the mean of a pooling, a product with a shift), and ops with regions or an
# order of their own (cond_if, while_loop, scatter). Oracle: the pseudo-code of TOSA's specification on Python's integers; the bound is equality.
# CHECK-NOT: FAILED
# CHECK: all passed
import numpy as np
from harness import Suite

rng = np.random.default_rng(11)
suite = Suite()


def apply_scale(value, multiplier, shift, double):
    """apply_scale_32 of the specification, which apply_scale_16 equals without rounding twice."""
    add = 1 << (shift - 1)
    if double and shift > 31:
        add += (1 << 30) if value >= 0 else -(1 << 30)
    return (int(value) * int(multiplier) + add) >> shift


def rescale(name, source, result, rounding, channels, unsigned=False):
    """Per channel where there are several multipliers; 32-bit scales, zero points on both sides where the types have them."""
    limits = {"i8": np.iinfo(np.int8), "i32": np.iinfo(np.int32)}
    x = rng.integers(limits[source].min // 2, limits[source].max // 2, (5, 37), dtype=np.int64).astype({"i8": np.int8, "i32": np.int32}[source])
    x[0, :4] = limits[source].min, limits[source].max, 0, -1
    count = 37 if channels else 1
    multipliers = rng.integers(1 << 30, 1 << 31, count)
    shifts = rng.integers(*((29, 34) if source == "i8" else (40, 60)), count)
    before, after = (-3 if source == "i8" else 0), (5 if result == "i8" else 0)
    low, high = limits[result].min, limits[result].max
    double = rounding == "DOUBLE_ROUND"
    want = np.array([[min(max(apply_scale(int(v) - before, multipliers[j % count], int(shifts[j % count]), double) + after, low), high)
                      for j, v in enumerate(row)] for row in x])
    dense = lambda values: "dense<" + str([int(v) for v in values]) + ">"
    suite.add(name, f"""func.func @{name}(%x: tensor<5x37x{source}>) -> tensor<5x37x{result}> {{
      %m = "tosa.const"() <{{values = {dense(multipliers)} : tensor<{count}xi32>}}> : () -> tensor<{count}xi32>
      %s = "tosa.const"() <{{values = {dense(shifts)} : tensor<{count}xi8>}}> : () -> tensor<{count}xi8>
      %before = "tosa.const"() <{{values = dense<{before}> : tensor<1x{source}>}}> : () -> tensor<1x{source}>
      %after = "tosa.const"() <{{values = dense<{after}> : tensor<1x{result}>}}> : () -> tensor<1x{result}>
      %r = tosa.rescale %x, %m, %s, %before, %after {{scale32 = true, rounding_mode = {rounding}, per_channel = {'true' if channels else 'false'},
          input_unsigned = false, output_unsigned = false}}
        : (tensor<5x37x{source}>, tensor<{count}xi32>, tensor<{count}xi8>, tensor<1x{source}>, tensor<1x{result}>) -> tensor<5x37x{result}>
      return %r : tensor<5x37x{result}> }}""", [x], [(result, 2)], [want], 0)


for rounding in "SINGLE_ROUND", "DOUBLE_ROUND":
    for source, result in ("i32", "i8"), ("i8", "i8"), ("i8", "i32"), ("i32", "i32"):
        for channels in False, True:
            rescale(f"rescale_{rounding.lower()}_{source}_{result}_{'channels' if channels else 'one'}", source, result, rounding, channels)

# The mean of a window is a scale by the reciprocal of its number of elements (reciprocal_scale of the specification).
x = rng.integers(-128, 128, (1, 9, 9, 3)).astype(np.int8)
want = np.zeros((1, 5, 5, 3), np.int64)
for i in range(5):
    for j in range(5):
        window = x[0, max(0, 2 * i - 1):2 * i + 2, max(0, 2 * j - 1):2 * j + 2].astype(np.int64)
        count = window.shape[0] * window.shape[1]
        k = (count - 1).bit_length()
        multiplier = (((1 << 30) + 1) << k) // count
        for c in range(3):
            want[0, i, j, c] = min(max(apply_scale(int(window[..., c].sum()), multiplier, 30 + k, False), -128), 127)
suite.add("mean", """func.func @mean(%x: tensor<1x9x9x3xi8>) -> tensor<1x5x5x3xi8> {
  %z = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.avg_pool2d %x, %z, %z {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 2, 2>, acc_type = i32}
    : (tensor<1x9x9x3xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x5x5x3xi8>
  return %r : tensor<1x5x5x3xi8> }""", [x], [("i8", 4)], [want], 0)

a, b = (rng.integers(-(1 << 20), 1 << 20, (4, 33)).astype(np.int32) for _ in range(2))
suite.add("shifted", """func.func @shifted(%a: tensor<4x33xi32>, %b: tensor<4x33xi32>) -> tensor<4x33xi32> {
  %s = "tosa.const"() <{values = dense<15> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.mul %a, %b, %s : (tensor<4x33xi32>, tensor<4x33xi32>, tensor<1xi8>) -> tensor<4x33xi32>
  return %r : tensor<4x33xi32> }""", [a, b], [("i32", 2)],
          [np.vectorize(lambda v, w: apply_scale(v, w, 15, False))(a.astype(np.int64), b.astype(np.int64))], 0)

x, v = rng.standard_normal((2, 7, 5)).astype(np.float32), rng.standard_normal((2, 4, 5)).astype(np.float32)
indices = np.array([[6, 0, 3, 2], [1, 5, 4, 0]], np.int32)
want = x.copy()
for n in range(2):
    want[n, indices[n]] = v[n]
suite.add("scatter", """func.func @scatter(%x: tensor<2x7x5xf32>, %i: tensor<2x4xi32>, %v: tensor<2x4x5xf32>) -> tensor<2x7x5xf32> {
  %r = tosa.scatter %x, %i, %v : (tensor<2x7x5xf32>, tensor<2x4xi32>, tensor<2x4x5xf32>) -> tensor<2x7x5xf32>
  return %r : tensor<2x7x5xf32> }""", [x, indices, v], [("f32", 3)], [want], 0,
          scalar="rows go to computed places, one after another")

x = rng.standard_normal((3, 5)).astype(np.float32)
for value in False, True:
    suite.add(f"cond_{value}", f"""func.func @cond_{value}(%x: tensor<3x5xf32>, %c: tensor<i1>) -> tensor<3x5xf32> {{
      %r = tosa.cond_if %c (%y = %x) : tensor<i1> (tensor<3x5xf32>) -> tensor<3x5xf32> {{
      ^bb0(%y: tensor<3x5xf32>):
        tosa.yield %y : tensor<3x5xf32>
      }} else {{
      ^bb0(%y: tensor<3x5xf32>):
        %e = tosa.add %y, %y : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>
        tosa.yield %e : tensor<3x5xf32>
      }}
      return %r : tensor<3x5xf32> }}""", [x, np.array(value)], [("f32", 2)], [x if value else x + x], 0)
suite.add("loop", """func.func @loop(%x: tensor<3x5xf32>) -> (tensor<i32>, tensor<3x5xf32>) {
  %zero = "tosa.const"() <{values = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %r:2 = tosa.while_loop (%i = %zero, %y = %x) : (tensor<i32>, tensor<3x5xf32>) -> (tensor<i32>, tensor<3x5xf32>) {
    %end = "tosa.const"() <{values = dense<4> : tensor<i32>}> : () -> tensor<i32>
    %c = tosa.greater_equal %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %d = tosa.logical_not %c : (tensor<i1>) -> tensor<i1>
    tosa.yield %d : tensor<i1>
  } do {
  ^bb0(%i: tensor<i32>, %y: tensor<3x5xf32>):
    %one = "tosa.const"() <{values = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %j = tosa.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %e = tosa.add %y, %y : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>
    tosa.yield %j, %e : tensor<i32>, tensor<3x5xf32>
  }
  return %r#0, %r#1 : tensor<i32>, tensor<3x5xf32> }""", [x], [("i32", 0), ("f32", 2)], [np.array(4), 16 * x], 0)
suite.run()
