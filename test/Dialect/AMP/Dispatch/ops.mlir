// The text of overload sets and dispatches, through the generic form and
// bytecode.
//
// RUN: amp-opt %s --allow-unregistered-dialect | amp-opt --allow-unregistered-dialect | FileCheck %s
// RUN: amp-opt %s --allow-unregistered-dialect --mlir-print-op-generic | amp-opt --allow-unregistered-dialect | FileCheck %s
// RUN: amp-opt %s --allow-unregistered-dialect --emit-bytecode | amp-opt --allow-unregistered-dialect | FileCheck %s

// CHECK: amp.overload_set private @sdpa keeps_type ties(first) attributes {note.text = "x"} {
// CHECK-NEXT: amp.overload "float_mask" emits "onnx.Sdpa"(query : T, key : T, mask : T?) with (dropout_p : f32 = 0.000000e+00, is_causal : i1 = false, scale : f32?) -> T where T in [f16, f32]
// CHECK-NEXT: amp.overload "bool_mask" emits "onnx.SdpaBool"(query : T, key : T, mask : i1?) with (mode : string == "math", dtype : type, axes : array = [1, 2]) -> T where T in [f16, f32] priority -2 {note.n = 1 : i64}
// CHECK-NEXT: }
amp.overload_set private @sdpa keeps_type ties(first) attributes {note.text = "x"} {
  amp.overload "float_mask" emits "onnx.Sdpa"(query : T, key : T, mask : T?) with (dropout_p : f32 = 0.0, is_causal : i1 = false, scale : f32?) -> T where T in [f16, f32]
  amp.overload "bool_mask" emits "onnx.SdpaBool"(query : T, key : T, mask : i1?) with (mode : string == "math", dtype : type, axes : array = [1, 2]) -> T where T in [f16, f32] priority -2 {note.n = 1 : i64}
}

// CHECK: amp.overload_set @topk {
// CHECK-NEXT: amp.overload "real" calls @topk_f32(self : [f32], k : S) -> (f32, i64) where S in [i64]
// CHECK-NEXT: amp.overload "other" emits "onnx.TopK"(self : [bf16, f16], k : i64) -> (bf16, i64)
amp.overload_set @topk ties(error) {
  amp.overload "real" calls @topk_f32(self : [f32], k : S) -> (f32, i64) where S in [i64]
  amp.overload "other" emits "onnx.TopK"(self : [bf16, f16], k : i64) -> (bf16, i64)
}
func.func private @topk_f32(tensor<?xf32>, i64) -> (tensor<?xf32>, tensor<?xi64>)

// CHECK: amp.overload_set @sink {
// CHECK-NEXT: amp.overload "all" emits "onnx.Sink"() -> ()
amp.overload_set @sink {
  amp.overload "all" emits "onnx.Sink"() -> ()
}

// CHECK-LABEL: func @dispatches
func.func @dispatches(%a: tensor<4xf32>, %m: tensor<4xi1>, %k: i64) {
  // CHECK: amp.dispatch @sdpa(%{{.*}}, %{{.*}}, none) {amp.name = "x", scale = 5.000000e-01 : f32} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %0 = amp.dispatch @sdpa(%a, %a, none) {scale = 0.5 : f32, amp.name = "x"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // CHECK: amp.dispatch @sdpa(%{{.*}}, %{{.*}}, %{{.*}}) : (tensor<4xf32>, tensor<4xf32>, tensor<4xi1>) -> tensor<4xf32>
  %1 = amp.dispatch @sdpa(%a, %a, %m) : (tensor<4xf32>, tensor<4xf32>, tensor<4xi1>) -> tensor<4xf32>
  // CHECK: amp.dispatch @topk(%{{.*}}, %{{.*}}) {largest = none} : (tensor<4xf32>, i64) -> (tensor<2xf32>, tensor<2xi64>)
  %2:2 = amp.dispatch @topk(%a, %k) {largest = none} : (tensor<4xf32>, i64) -> (tensor<2xf32>, tensor<2xi64>)
  // CHECK: amp.dispatch @sink() : () -> ()
  amp.dispatch @sink() : () -> ()
  return
}
