# RUN: %python %s %amp_src/examples/digits
"""The counts of the digits demo on a small module in generic form."""
import sys

sys.path.insert(0, sys.argv[1])
import ir_stats

MODULE = """
#map = affine_map<(d0, d1) -> (d0, d1)>
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "other"}> ({
    %0 = "amp.cast"(%1) : (tensor<9xf32>) -> tensor<9xf16>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<?x4xf32>, tensor<16xf32>) -> tensor<?x4xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<?x4xf32>, %arg1: tensor<16xf32>):
    %0 = "arith.constant"() <{value = 0.0 : f32}> : () -> f32
    %1 = "amp.cast"(%arg0) : (tensor<?x4xf32>) -> tensor<?x4xf16>
    %2 = "tensor.expand_shape"(%arg1) <{a = [[0, 1]]}> : (tensor<16xf32>) -> tensor<4x4xf32>
    %3 = "amp.cast"(%2) : (tensor<4x4xf32>) -> tensor<4x4xf16>
    %4 = "tensor.empty"() : () -> tensor<?x4xf32>
    %5 = "linalg.generic"(%1, %3, %4) <{indexing_maps = [#map]}> ({
    ^bb0(%arg2: f16, %arg3: f16, %arg4: f32):
      %9 = "arith.extf"(%arg2) : (f16) -> f32
      "linalg.yield"(%9) : (f32) -> ()
    }) {a = "x : (f32) -> f32"} : (tensor<?x4xf16>, tensor<4x4xf16>, tensor<?x4xf32>) -> tensor<?x4xf32>
    %6 = "amp.cast"(%5) : (tensor<?x4xf32>) -> tensor<?x4xf16>
    %7:2 = "amp.promote"(%6, %4) : (tensor<?x4xf16>, tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<?x4xf32>)
    "func.return"(%7#0) : (tensor<?x4xf32>) -> ()
  }) : () -> ()
}) : () -> ()
"""

casts, weights, activations = ir_stats.count(MODULE, {1}, 10)
# Three casts, and the first operand of the promote; its second keeps its type.
assert casts == 4, casts
# Only a cast reads the weight, through a view: 16 elements of two bytes.
assert weights == 32, weights
# 40 elements each: %1 in f16; %5 and %6 only through their casts; %7#0 and %7#1 in f32.
assert activations == 80 + 160 + 160, activations
assert ir_stats.bytes_of("tensor<2x?xi1>", 8) == 2
assert ir_stats.bytes_of("tensor<f64>", 1) == 8
assert ir_stats.bytes_of("tensor<4xf8E4M3FN>", 1) == 4
assert ir_stats.bytes_of("index", 1) == 0
try:
    ir_stats.count(MODULE, {1}, 10, entry="missing")
except ValueError as error:
    assert "@missing" in str(error)
else:
    raise AssertionError("a missing function went unnoticed")
