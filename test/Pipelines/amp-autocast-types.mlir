// The pipeline resolves what torch promotes implicitly where asked to, and can be
// strict.
//
// RUN: amp-opt %s --allow-unregistered-dialect --amp-autocast=promote-types | FileCheck %s
// RUN: not amp-opt %s --allow-unregistered-dialect "--amp-autocast=promote-types strict" 2>&1 | FileCheck %s --check-prefix=STRICT

// CHECK-LABEL: func.func @stages
func.func @stages(%a: tensor<4x4xf32>, %i: tensor<4x4xi32>) -> tensor<4x4xf32> {
  // CHECK: %[[M:.*]] = "aten.mm"(%{{.*}}, %{{.*}}) : (tensor<4x4xf16>, tensor<4x4xf16>) -> tensor<4x4xf16>
  // CHECK: %[[I:.*]] = amp.cast %{{.*}} {origin = promotion} : tensor<4x4xi32> to tensor<4x4xf16>
  // CHECK: %[[S:.*]] = "aten.add.Tensor"(%[[M]], %[[I]]) : (tensor<4x4xf16>, tensor<4x4xf16>) -> tensor<4x4xf16>
  // CHECK: "aten.mm"(%{{.*}}, %{{.*}}) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %0 = amp.autocast device("cuda") dtype(f16) results(propagate) (%x = %a : tensor<4x4xf32>, %n = %i : tensor<4x4xi32>) -> tensor<4x4xf32> {
    %1 = "aten.mm"(%x, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %2 = "aten.add.Tensor"(%1, %n) : (tensor<4x4xf32>, tensor<4x4xi32>) -> tensor<4x4xf32>
    amp.yield %2 : tensor<4x4xf32>
  }
  // STRICT: error: [AMP-T002] 'aten.mm' takes operands of one element type, but found 'f16', 'f32'
  %3 = "aten.mm"(%0, %a) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %3 : tensor<4x4xf32>
}
