# RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
# RUN:   %python %s | FileCheck %s
# What a dispatch computes once its implementation is in place: bf16 and f16 through an f32 implementation and back, i64 through its own; attention by the
# type of its mask, inside an autocast region that gives f16; an add with alpha, whose other operand is a tensor or a number. Oracle: NumPy in f64; the
# bound is one rounding to the type of the result, and for attention 2^-7 (f16 operands, of magnitude 1).
# CHECK-NOT: FAILED
# CHECK: all passed
import sys

import numpy as np
from harness import Module, from_bf16, to_bf16

SOURCE = """
amp.overload_set @relu keeps_type {
  amp.overload "integers" calls @relu_i64(self : T) -> T where T in [i64]
  amp.overload "floats" calls @relu_f32(self : T) -> T where T in [f32]
}
func.func private @relu_i64(%a: tensor<?xi64>) -> tensor<?xi64> {
  %zero = arith.constant 0 : index
  %c = arith.constant 0 : i64
  %n = tensor.dim %a, %zero : tensor<?xi64>
  %s = tensor.splat %c[%n] : tensor<?xi64>
  %0 = arith.maxsi %a, %s : tensor<?xi64>
  return %0 : tensor<?xi64>
}
func.func private @relu_f32(%a: tensor<?xf32>) -> tensor<?xf32> {
  %zero = arith.constant 0 : index
  %c = arith.constant 0.0 : f32
  %n = tensor.dim %a, %zero : tensor<?xf32>
  %s = tensor.splat %c[%n] : tensor<?xf32>
  %0 = arith.maximumf %a, %s : tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @relu_all(%a: tensor<9xbf16>, %b: tensor<9xi64>, %c: tensor<9xf16>) -> (tensor<9xbf16>, tensor<9xi64>, tensor<9xf16>) {
  %0 = amp.dispatch @relu(%a) : (tensor<9xbf16>) -> tensor<9xbf16>
  %1 = amp.dispatch @relu(%b) : (tensor<9xi64>) -> tensor<9xi64>
  %2 = amp.dispatch @relu(%c) : (tensor<9xf16>) -> tensor<9xf16>
  return %0, %1, %2 : tensor<9xbf16>, tensor<9xi64>, tensor<9xf16>
}

amp.overload_set @scores {
  amp.overload "float_mask" calls @scores_float(query : T, key : T, mask : T) -> T where T in [f32]
  amp.overload "bool_mask" calls @scores_bool(query : T, key : T, mask : i1) -> T where T in [f32]
}
func.func private @scores_float(%q: tensor<4x8xf32>, %k: tensor<8x4xf32>, %m: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.matmul ins(%q, %k : tensor<4x8xf32>, tensor<8x4xf32>) outs(%m : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
func.func private @scores_bool(%q: tensor<4x8xf32>, %k: tensor<8x4xf32>, %m: tensor<4x4xi1>) -> tensor<4x4xf32> {
  %low = arith.constant dense<-1.0e4> : tensor<4x4xf32>
  %zero = arith.constant dense<0.0> : tensor<4x4xf32>
  %0 = linalg.matmul ins(%q, %k : tensor<4x8xf32>, tensor<8x4xf32>) outs(%zero : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = arith.select %m, %0, %low : tensor<4x4xi1>, tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}
func.func @attention(%q: tensor<4x8xf32>, %k: tensor<8x4xf32>, %f: tensor<4x4xf32>, %b: tensor<4x4xi1>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %0:2 = amp.autocast device("cpu") dtype(f16) (%q1 = %q : tensor<4x8xf32>, %k1 = %k : tensor<8x4xf32>, %f1 = %f : tensor<4x4xf32>, %b1 = %b : tensor<4x4xi1>)
      -> (tensor<4x4xf32>, tensor<4x4xf32>) {
    %1 = amp.dispatch @scores(%q1, %k1, %f1) : (tensor<4x8xf32>, tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %2 = amp.dispatch @scores(%q1, %k1, %b1) : (tensor<4x8xf32>, tensor<8x4xf32>, tensor<4x4xi1>) -> tensor<4x4xf32>
    amp.yield %1, %2 : tensor<4x4xf32>, tensor<4x4xf32>
  }
  return %0#0, %0#1 : tensor<4x4xf32>, tensor<4x4xf32>
}

amp.overload_set @add {
  amp.overload "real" calls @add_f32(self : T, other : T) with (alpha : f32 = 1.0) -> T where T in [f32]
}
func.func private @add_f32(%a: tensor<4xf32>, %b: tensor<f32>, %alpha: f32) -> tensor<4xf32> {
  %x = tensor.extract %b[] : tensor<f32>
  %y = arith.mulf %x, %alpha : f32
  %s = tensor.splat %y : tensor<4xf32>
  %0 = arith.addf %a, %s : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @adds(%a: tensor<4xf32>, %b: tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = amp.dispatch @add(%a, %b) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = amp.dispatch @add(%a) {other = 3 : i64, alpha = 2 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}
"""
module = Module(SOURCE, "amp-autocast,amp-lower-to-linalg,amp-lower-to-cpu")
failures = 0


def check(name, got, want, tolerance=0.0):
    global failures
    error = np.abs(got.astype(np.float64) - want).max()
    if not error <= tolerance:
        failures += 1
        print(f"{name}: FAILED, off by {error}")


rng = np.random.default_rng(7)
a = np.array([0.0, -0.0, 1.5, -1.5, 2.0**-126, -(2.0**-126), 1e38, -1e38, np.inf])
b = np.array([0, 1, -1, 2**53 + 1, -(2**53) - 1, 2**62 + 1, -(2**63), 2**63 - 1, 5])
c = rng.standard_normal(9).astype(np.float16)
x, y, z = module("relu_all", [to_bf16(a), b, c], [("bf16", 1), ("i64", 1), ("f16", 1)])
check("bf16", (x == to_bf16(np.maximum(from_bf16(to_bf16(a)), 0))).astype(int), 1)
check("i64", (y == np.maximum(b, 0)).astype(int), 1)
check("f16", z, np.maximum(c.astype(np.float64), 0))
q, k, f = rng.uniform(-1, 1, (4, 8)).astype(np.float32), rng.uniform(-1, 1, (8, 4)).astype(np.float32), rng.uniform(-1, 1, (4, 4)).astype(np.float32)
mask = rng.integers(0, 2, (4, 4)).astype(bool)
x, y = module("attention", [q, k, f, mask], [("f32", 2), ("f32", 2)])
product = q.astype(np.float64) @ k
check("float mask", x, product + f, 2.0**-7)
check("bool mask", y, np.where(mask, product, -1e4), 2.0**-7)
a, b = rng.standard_normal(4).astype(np.float32), np.array(1.25, np.float32)
x, y = module("adds", [a, b], [("f32", 1), ("f32", 1)])
check("tensor", x, (a + b).astype(np.float64))
check("number", y, (a + np.float32(6)).astype(np.float64))
print("all passed" if failures == 0 else f"{failures} failed")
sys.exit(failures != 0)
