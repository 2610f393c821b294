// Ops whose operands cannot have different types, where what arrives differs.
//
// RUN: amp-opt %s --amp-autocast --split-input-file | FileCheck %s

// A value of another device is not cast, so the op runs in what arrives.
// CHECK-LABEL: func.func @other_device
// CHECK-SAME: (%[[A:[^:]*]]: tensor<4xf16> {{.*}}, %[[B:[^:]*]]: tensor<4xf16>
// CHECK-NOT: amp.cast
// CHECK: math.atan2 %[[A]], %[[B]] : tensor<4xf16>
func.func @other_device(%a: tensor<4xf16> {amp.device = "cuda"}, %b: tensor<4xf16> {amp.device = "cpu"}) -> tensor<4xf16> {
  %0 = amp.autocast device("cuda") dtype(bf16) (%x = %a : tensor<4xf16>, %y = %b : tensor<4xf16>) -> tensor<4xf16> {
    %1 = math.atan2 %x, %y : tensor<4xf16>
    amp.yield %1 : tensor<4xf16>
  }
  return %0 : tensor<4xf16>
}

// -----

// An f16 matmul whose initial value arrives in f32, the type in which it
// accumulates: the op follows although no operand is cast to another type.
// CHECK-LABEL: func.func @wide_accumulator
// CHECK: %[[S:.*]] = linalg.softmax dimension(1) ins(%{{.*}} : tensor<4x4xf32>) outs(%{{.*}} : tensor<4x4xf32>)
// CHECK: %[[R:.*]] = amp.cast %[[S]] {may_elide, origin = policy} : tensor<4x4xf32> to tensor<4x4xf16>
// CHECK: %[[I:.*]] = amp.cast %[[R]] {may_elide, origin = policy} : tensor<4x4xf16> to tensor<4x4xf32>
// CHECK: %[[M:.*]] = linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<4x4xf16>, tensor<4x4xf16>) outs(%[[I]] : tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK: amp.cast %[[M]] {may_elide, origin = policy} : tensor<4x4xf32> to tensor<4x4xf16>
func.func @wide_accumulator(%a: tensor<4x4xf16>) -> tensor<4x4xf16> {
  %0 = amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<4x4xf16>) -> tensor<4x4xf16> {
    %e = tensor.empty() : tensor<4x4xf16>
    %s = linalg.softmax dimension(1) ins(%x : tensor<4x4xf16>) outs(%e : tensor<4x4xf16>) -> tensor<4x4xf16>
    %m = linalg.matmul ins(%x, %x : tensor<4x4xf16>, tensor<4x4xf16>) outs(%s : tensor<4x4xf16>) -> tensor<4x4xf16>
    amp.yield %m : tensor<4x4xf16>
  }
  return %0 : tensor<4x4xf16>
}
