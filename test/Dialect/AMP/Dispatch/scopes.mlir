// Policies decide first, then implementations are chosen by the final types.
//
// RUN: amp-opt %s --allow-unregistered-dialect --amp-autocast | FileCheck %s

amp.overload_set @relu keeps_type {
  amp.overload "int64" emits "onnx.ReluInt"(self : T) -> T where T in [i64]
  amp.overload "float" emits "onnx.Relu"(self : T) -> T where T in [f32]
}
// It keeps its declared type.
// CHECK-LABEL: func @keeps
func.func @keeps(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // CHECK: %[[MM:.*]] = "aten.mm"{{.*}} -> tensor<4x4xbf16>
  // CHECK: %[[WIDE:.*]] = amp.cast %[[MM]] {may_elide, origin = policy} : tensor<4x4xbf16> to tensor<4x4xf32>
  // CHECK: %[[RELU:.*]] = "onnx.Relu"(%[[WIDE]]) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  // CHECK: return %[[RELU]]
  %r = amp.autocast device("cuda") dtype(bf16) (%x = %a : tensor<4x4xf32>) -> tensor<4x4xf32> {
    %0 = "aten.mm"(%x, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %1 = amp.dispatch @relu(%0) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    amp.yield %1 : tensor<4x4xf32>
  }
  return %r : tensor<4x4xf32>
}

// It follows: the seed's case, by way of autocast.
// CHECK-LABEL: func @follows
func.func @follows(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // CHECK: %[[MM:.*]] = "aten.mm"{{.*}} -> tensor<4x4xbf16>
  // CHECK: %[[WIDE:.*]] = amp.cast %[[MM]] {may_elide, origin = legalization} : tensor<4x4xbf16> to tensor<4x4xf32>
  // CHECK: %[[RELU:.*]] = "onnx.Relu"(%[[WIDE]]) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  // CHECK: %[[BACK:.*]] = amp.cast %[[RELU]] {origin = legalization} : tensor<4x4xf32> to tensor<4x4xbf16>
  // CHECK: amp.cast %[[BACK]] {origin = boundary} : tensor<4x4xbf16> to tensor<4x4xf32>
  %r = amp.autocast device("cuda") dtype(bf16) (%x = %a : tensor<4x4xf32>) -> tensor<4x4xf32> {
    %0 = "aten.mm"(%x, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %1 = amp.dispatch @relu(%0) {amp.policy = #amp.policy<follow>} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    amp.yield %1 : tensor<4x4xf32>
  }
  return %r : tensor<4x4xf32>
}
