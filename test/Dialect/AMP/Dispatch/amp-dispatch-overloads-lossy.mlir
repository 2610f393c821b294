// With allow-lossy, where nothing else matches; and remarks.
//
// RUN: amp-opt %s --allow-unregistered-dialect --amp-dispatch-overloads="allow-lossy" --remarks-filter=amp --remark-policy=all 2> %t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t
// RUN: not amp-opt %s --allow-unregistered-dialect --amp-dispatch-overloads="allow-lossy match=exact" 2>&1 | FileCheck %s --check-prefix=OPTION
// OPTION: error: 'amp-dispatch-overloads' has 'allow-lossy', which needs 'match=nearest'

amp.overload_set @relu keeps_type {
  amp.overload "i8" emits "onnx.ReluI8"(self : T) -> T where T in [i8]
  amp.overload "f16" emits "onnx.Relu"(self : T) -> T where T in [bf16, f16]
}
amp.overload_set @sum {
  amp.overload "f32" emits "onnx.Sum"(self : T, mask : T?) -> T where T in [f32]
  amp.overload "bool" emits "onnx.SumBool"(self : T, mask : i1?) -> T where T in [f32]
}

// f16 would lose range, bf16 loses precision only.
// CHECK-LABEL: func @integer
func.func @integer(%a: tensor<4xi32>) -> tensor<4xi32> {
  // CHECK: amp.cast %arg0 {origin = legalization} : tensor<4xi32> to tensor<4xbf16>
  // CHECK: amp.cast %{{.*}} {origin = legalization} : tensor<4xbf16> to tensor<4xi32>
  // REMARK: LossyOverload{{.*}} Overload=f16, Reason="it matches after conversions that lose values", Set=relu
  %0 = amp.dispatch @relu(%a) : (tensor<4xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// An exact match is taken all the same, and one that loses nothing too.
// CHECK-LABEL: func @exact
func.func @exact(%a: tensor<4xf16>, %b: tensor<4xf8E5M2>) -> (tensor<4xf16>, tensor<4xf8E5M2>) {
  // CHECK: "onnx.Relu"(%arg0) : (tensor<4xf16>) -> tensor<4xf16>
  %0 = amp.dispatch @relu(%a) : (tensor<4xf16>) -> tensor<4xf16>
  // CHECK: amp.cast %arg1 {may_elide, origin = legalization} : tensor<4xf8E5M2> to tensor<4xbf16>
  // REMARK: NearestOverload{{.*}} Overload=f16, Reason="it matches after conversions that keep every value", Set=relu
  %1 = amp.dispatch @relu(%b) : (tensor<4xf8E5M2>) -> tensor<4xf8E5M2>
  return %0, %1 : tensor<4xf16>, tensor<4xf8E5M2>
}

// CHECK-LABEL: func @absent
func.func @absent(%a: tensor<4xf32>) -> tensor<f32> {
  // CHECK: "onnx.Sum"(%arg0) {operandSegmentSizes = array<i32: 1, 0>} : (tensor<4xf32>) -> tensor<f32>
  // REMARK: TiedOverloads{{.*}} Overload=f32, Reason="several overloads match equally well; decided by the order of the set, as they differ in an absent operand", Set=sum
  %0 = amp.dispatch @sum(%a) : (tensor<4xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}
