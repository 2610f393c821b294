// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-gpu-expand-math))' | FileCheck %s

// Two terms of x * log2(e), one instruction, and 2^n as bits.
// CHECK-LABEL: func.func @exp
// CHECK-NOT: math.exp %
// CHECK: math.exp2 %{{.*}} fastmath<afn> : vector<4xf32>
// CHECK: arith.shli
func.func @exp(%x: vector<4xf32>) -> vector<4xf32> {
  %0 = math.exp %x : vector<4xf32>
  return %0 : vector<4xf32>
}

// -----

// A result that is rounded to 16 bits or less needs one term.
// CHECK-LABEL: func.func @exp_f16
// CHECK-NEXT: %[[LOG2E:.*]] = arith.constant 1.44{{.*}} : f32
// CHECK-NEXT: %[[M:.*]] = arith.mulf %{{.*}}, %[[LOG2E]]
// CHECK-NEXT: %[[E:.*]] = math.exp2 %[[M]] fastmath<afn> : f32
// CHECK-NEXT: arith.truncf %[[E]] : f32 to f16
func.func @exp_f16(%x: f32) -> f16 {
  %0 = math.exp %x : f32
  %1 = arith.truncf %0 : f32 to f16
  return %1 : f16
}

// -----

// Where a division allows it, and one scalar divides, its reciprocal is shared; else division rounds correctly.
// CHECK-LABEL: func.func @reciprocal(
// CHECK-SAME: %[[X:.*]]: vector<4xf32>, %[[Y:.*]]: f32, %[[V:.*]]: vector<4xf32>
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1.0{{.*}} : f32
// CHECK-DAG: %[[R:.*]] = arith.divf %[[ONE]], %[[Y]] : f32
// CHECK-DAG: %[[B:.*]] = vector.broadcast %[[R]]
// CHECK: arith.mulf %[[X]], %[[B]] : vector<4xf32>
// CHECK: arith.divf %[[X]], %[[V]] fastmath<arcp> : vector<4xf32>
// CHECK: arith.divf %[[X]], %{{.*}} : vector<4xf32>
func.func @reciprocal(%x: vector<4xf32>, %y: f32, %v: vector<4xf32>) -> (vector<4xf32>, vector<4xf32>, vector<4xf32>) {
  %b = vector.broadcast %y : f32 to vector<4xf32>
  %0 = arith.divf %x, %b fastmath<arcp> : vector<4xf32>
  %1 = arith.divf %x, %v fastmath<arcp> : vector<4xf32>
  %2 = arith.divf %x, %b : vector<4xf32>
  return %0, %1, %2 : vector<4xf32>, vector<4xf32>, vector<4xf32>
}

// -----

// Any use of the wide value counts.
// CHECK-LABEL: func.func @exp_both
// CHECK: math.exp2 %{{.*}} fastmath<afn> : f32
// CHECK: arith.shli
func.func @exp_both(%x: f32) -> (f16, f32) {
  %0 = math.exp %x : f32
  %1 = arith.truncf %0 : f32 to f16
  return %1, %0 : f16, f32
}

// -----

// tanh.approx has 2^-10.9: enough for bf16, not for f16.
// CHECK-LABEL: func.func @tanh_bf16
// CHECK-NEXT: math.tanh %{{.*}} fastmath<afn> : f32
// CHECK-NEXT: arith.truncf
func.func @tanh_bf16(%x: f32) -> bf16 {
  %0 = math.tanh %x : f32
  %1 = arith.truncf %0 : f32 to bf16
  return %1 : bf16
}

// -----

// CHECK-LABEL: func.func @tanh_f16
// CHECK-NOT: math.tanh
// CHECK: math.exp2 %{{.*}} fastmath<afn>
// CHECK: arith.divf %{{.*}} fastmath<afn>
func.func @tanh_f16(%x: f32) -> f16 {
  %0 = math.tanh %x : f32
  %1 = arith.truncf %0 : f32 to f16
  return %1 : f16
}

// -----

// Large arguments take a branch, element by element.
// CHECK-LABEL: func.func @sin
// CHECK-COUNT-2: scf.if
// CHECK-NOT: scf.if
// CHECK: vector.from_elements
func.func @sin(%x: vector<2xf32>) -> vector<2xf32> {
  %0 = math.sin %x : vector<2xf32>
  return %0 : vector<2xf32>
}

// -----

// CHECK-LABEL: func.func @powers
// CHECK: arith.mulf %{{.*}}, %{{.*}} : f32
// CHECK: math.sqrt
// CHECK: math.powf
func.func @powers(%x: f32, %y: f32) -> (f32, f32, f32) {
  %two = arith.constant 2.0 : f32
  %half = arith.constant 0.5 : f32
  %0 = math.powf %x, %two : f32
  %1 = math.powf %x, %half : f32
  %2 = math.powf %x, %y : f32
  return %0, %1, %2 : f32, f32, f32
}

// -----

// Division and square roots round correctly; f64 is CUDA's library's.
// CHECK-LABEL: func.func @left_alone
// CHECK-NEXT: arith.divf %{{.*}}, %{{.*}} : f32
// CHECK-NEXT: math.sqrt %{{.*}} : f32
// CHECK-NEXT: math.exp %{{.*}} : f64
// CHECK-NEXT: math.tanh %{{.*}} : tensor<4xf32>
func.func @left_alone(%x: f32, %y: f64, %t: tensor<4xf32>) -> (f32, f64, tensor<4xf32>) {
  %0 = arith.divf %x, %x : f32
  %1 = math.sqrt %0 : f32
  %2 = math.exp %y : f64
  %3 = math.tanh %t : tensor<4xf32>
  return %1, %2, %3 : f32, f64, tensor<4xf32>
}
