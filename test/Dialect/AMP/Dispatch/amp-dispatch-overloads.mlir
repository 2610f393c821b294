// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file --amp-dispatch-overloads | FileCheck %s
// Nothing is left to do: the pass is idempotent.
// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file --amp-dispatch-overloads --amp-dispatch-overloads | FileCheck %s

// Casts of the nearest match, attributes and shapes.

// CHECK-NOT: amp.overload_set
amp.overload_set @add keeps_type {
  amp.overload "i64" calls @add_i64(self : T, other : T) with (alpha : i64 = 1) -> T where T in [i64]
  amp.overload "f32" calls @add_f32(self : T, other : T) with (alpha : f32 = 1.0) -> T where T in [f32]
  amp.overload "f64" calls @add_f64(self : T, other : T) with (alpha : f64 = 1.0) -> T where T in [f64]
}
func.func private @add_i64(tensor<?xi64>, tensor<?xi64>, i64) -> tensor<?xi64>
func.func private @add_f32(tensor<?xf32>, tensor<?xf32>, f32) -> tensor<?xf32>
func.func private @add_f64(tensor<?xf64>, tensor<?xf64>, f64) -> tensor<?xf64>

// CHECK-LABEL: func @exact
func.func @exact(%a: tensor<?xf64>) -> tensor<?xf64> {
  // CHECK: %[[ALPHA:.*]] = arith.constant 1.000000e+00 : f64
  // CHECK-NEXT: %[[SUM:.*]] = call @add_f64(%{{.*}}, %{{.*}}, %[[ALPHA]]) : (tensor<?xf64>, tensor<?xf64>, f64) -> tensor<?xf64>
  // CHECK-NEXT: return %[[SUM]]
  %0 = amp.dispatch @add(%a, %a) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return %0 : tensor<?xf64>
}

// f16 with bf16 is f32.
// CHECK-LABEL: func @promoted
// CHECK-SAME: (%[[A:.*]]: tensor<?xf16>, %[[B:.*]]: tensor<?xbf16>)
func.func @promoted(%a: tensor<?xf16>, %b: tensor<?xbf16>) -> tensor<?xf32> {
  // CHECK: %[[WIDE_A:.*]] = amp.cast %[[A]] {may_elide, origin = promotion} : tensor<?xf16> to tensor<?xf32>
  // CHECK: %[[WIDE_B:.*]] = amp.cast %[[B]] {may_elide, origin = promotion} : tensor<?xbf16> to tensor<?xf32>
  // CHECK: %[[SUM:.*]] = call @add_f32(%[[WIDE_A]], %[[WIDE_B]]
  // CHECK-NEXT: return %[[SUM]]
  %0 = amp.dispatch @add(%a, %b) : (tensor<?xf16>, tensor<?xbf16>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// i32 fits i64 and f64; i64 is of its category. The result is cast back, and
// the shapes are those of the function.
// CHECK-LABEL: func @nearest_category
// CHECK-SAME: (%[[A:.*]]: tensor<4xi32>)
func.func @nearest_category(%a: tensor<4xi32>) -> tensor<4xi32> {
  // CHECK: %[[WIDE:.*]] = amp.cast %[[A]] {may_elide, origin = legalization} : tensor<4xi32> to tensor<4xi64>
  // CHECK: %[[DYNAMIC:.*]] = tensor.cast %[[WIDE]] : tensor<4xi64> to tensor<?xi64>
  // CHECK: %[[SUM:.*]] = call @add_i64(%[[DYNAMIC]], %{{.*}}, %c3_i64)
  // CHECK: %[[STATIC:.*]] = tensor.cast %[[SUM]] : tensor<?xi64> to tensor<4xi64>
  // CHECK: %[[BACK:.*]] = amp.cast %[[STATIC]] {origin = legalization} : tensor<4xi64> to tensor<4xi32>
  // CHECK: return %[[BACK]]
  %0 = amp.dispatch @add(%a, %a) {alpha = 3 : i64} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// A parameter selects too: a float alpha is none of integers, and f64 holds i32.
// CHECK-LABEL: func @parameter_selects
func.func @parameter_selects(%a: tensor<?xi32>) -> tensor<?xi32> {
  // CHECK: call @add_f64(%{{.*}}, %{{.*}}, %cst) : (tensor<?xf64>, tensor<?xf64>, f64)
  // CHECK: amp.cast %{{.*}} {origin = legalization} : tensor<?xf64> to tensor<?xi32>
  %0 = amp.dispatch @add(%a, %a) {alpha = 1.5 : f64} : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  return %0 : tensor<?xi32>
}

// An integer alpha goes where a float is expected.
// CHECK-LABEL: func @integer_for_float
func.func @integer_for_float(%a: tensor<?xf32>) -> tensor<?xf32> {
  // CHECK: %[[ALPHA:.*]] = arith.constant 2.000000e+00 : f32
  // CHECK: call @add_f32(%{{.*}}, %{{.*}}, %[[ALPHA]])
  %0 = amp.dispatch @add(%a, %a) {alpha = 2 : i64} : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// Tensors, numbers and scalars as operands go to one implementation, as the
// Tensor and Scalar overloads of torch's add do.
amp.overload_set @add {
  amp.overload "f32" calls @aten_add(self : T, other : T) with (alpha : f32 = 1.0) -> T where T in [f32]
}
func.func private @aten_add(tensor<4xf32>, tensor<f32>, f32) -> tensor<4xf32>

// CHECK-LABEL: func @zero_dim
func.func @zero_dim(%a: tensor<4xf32>, %b: tensor<f32>) -> tensor<4xf32> {
  // CHECK: call @aten_add(%{{.*}}, %arg1, %{{.*}}) : (tensor<4xf32>, tensor<f32>, f32) -> tensor<4xf32>
  %0 = amp.dispatch @add(%a, %b) {alpha = 2.0 : f32} : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func @number
func.func @number(%a: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: %[[OTHER:.*]] = arith.constant dense<3.000000e+00> : tensor<f32>
  // CHECK: call @aten_add(%{{.*}}, %[[OTHER]], %{{.*}}) : (tensor<4xf32>, tensor<f32>, f32) -> tensor<4xf32>
  %0 = amp.dispatch @add(%a) {other = 3 : i64, alpha = 2.0 : f32} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func @scalar
func.func @scalar(%a: tensor<4xf32>, %b: f32) -> tensor<4xf32> {
  // CHECK: %[[OTHER:.*]] = tensor.from_elements %arg1 : tensor<f32>
  // CHECK: call @aten_add(%{{.*}}, %[[OTHER]], %{{.*}})
  %0 = amp.dispatch @add(%a, %b) : (tensor<4xf32>, f32) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// A scalar of another type promotes as torch's scalars do.
// CHECK-LABEL: func @promoted_scalar
func.func @promoted_scalar(%a: tensor<4xf32>, %b: f64) -> tensor<4xf32> {
  // CHECK: %[[NARROW:.*]] = amp.cast %arg1 {origin = promotion} : f64 to f32
  // CHECK: tensor.from_elements %[[NARROW]] : tensor<f32>
  %0 = amp.dispatch @add(%a, %b) : (tensor<4xf32>, f64) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Ops: absent operands by operandSegmentSizes, parameters as attributes, those
// of dialects stay.
amp.overload_set @linear {
  amp.overload "all" emits "onnx.Linear"(input : T, weight : T, bias : T?) with (mode : string = "fast", scale : f32?) -> T where T in [f16, f32]
}
// CHECK-LABEL: func @op
func.func @op(%a: tensor<4x4xf16>) -> (tensor<4x4xf16>, tensor<4x4xf16>) {
  // CHECK: "onnx.Linear"(%arg0, %arg0) {amp.name = "l", mode = "fast", operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<4x4xf16>, tensor<4x4xf16>) -> tensor<4x4xf16>
  %0 = amp.dispatch @linear(%a, %a) {amp.name = "l", scale = none} : (tensor<4x4xf16>, tensor<4x4xf16>) -> tensor<4x4xf16>
  // CHECK: "onnx.Linear"(%arg0, %arg0, %arg0) {mode = "slow", operandSegmentSizes = array<i32: 1, 1, 1>, scale = 5.000000e-01 : f32}
  %1 = amp.dispatch @linear(%a, %a, %a) {mode = "slow", scale = 0.5 : f64} : (tensor<4x4xf16>, tensor<4x4xf16>, tensor<4x4xf16>) -> tensor<4x4xf16>
  return %0, %1 : tensor<4x4xf16>, tensor<4x4xf16>
}

// -----

// Registered ops; without keeps_type a wider declared type is a widening cast.
amp.overload_set @exp {
  amp.overload "floats" emits "math.exp"(self : T) -> T where T in [f32, f64]
}
// CHECK-LABEL: func @registered
func.func @registered(%a: tensor<4xbf16>) -> tensor<4xf64> {
  // CHECK: %[[WIDE:.*]] = amp.cast %arg0 {may_elide, origin = legalization} : tensor<4xbf16> to tensor<4xf32>
  // CHECK: %[[EXP:.*]] = math.exp %[[WIDE]] : tensor<4xf32>
  // CHECK: amp.cast %[[EXP]] {may_elide, origin = legalization} : tensor<4xf32> to tensor<4xf64>
  %0 = amp.dispatch @exp(%a) : (tensor<4xbf16>) -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

// -----

// One is nearer for every operand: (f32, i64) is for (bf16, i32), though
// (f64, i64) comes first.
amp.overload_set @scale {
  amp.overload "wide" emits "onnx.Wide"(self : f64, times : i64) -> f64
  amp.overload "near" emits "onnx.Near"(self : f32, times : i64) -> f32
}
// CHECK-LABEL: func @nearer
func.func @nearer(%a: tensor<4xbf16>, %b: tensor<4xi32>) -> tensor<4xf32> {
  // CHECK: "onnx.Near"
  %0 = amp.dispatch @scale(%a, %b) : (tensor<4xbf16>, tensor<4xi32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// What promotion rounds is rounded before it is widened.
amp.overload_set @mul keeps_type {
  amp.overload "f64" emits "onnx.Mul"(self : T, other : T) -> T where T in [f64]
}
// CHECK-LABEL: func @promoted_then_widened
func.func @promoted_then_widened(%a: tensor<4xi64>, %b: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: %[[F32:.*]] = amp.cast %arg0 {origin = promotion} : tensor<4xi64> to tensor<4xf32>
  // CHECK: %[[F64:.*]] = amp.cast %[[F32]] {may_elide, origin = legalization} : tensor<4xf32> to tensor<4xf64>
  // CHECK: %[[OTHER:.*]] = amp.cast %arg1 {may_elide, origin = legalization} : tensor<4xf32> to tensor<4xf64>
  // CHECK: %[[MUL:.*]] = "onnx.Mul"(%[[F64]], %[[OTHER]])
  // CHECK: amp.cast %[[MUL]] {origin = legalization} : tensor<4xf64> to tensor<4xf32>
  %0 = amp.dispatch @mul(%a, %b) : (tensor<4xi64>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
