// Indirect calls in scopes.
//
// RUN: amp-opt %s --amp-specialize-scopes=indirect-calls=version | FileCheck %s --check-prefixes=CHECK,VERSION
// RUN: amp-opt %s --amp-specialize-scopes=indirect-calls=keep | FileCheck %s --check-prefixes=CHECK,KEEP
// RUN: amp-opt %s --amp-specialize-scopes=indirect-calls=keep --remarks-filter=amp --remark-policy=all 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: not amp-opt %s --amp-autocast 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: amp-opt %s --amp-autocast=indirect-calls=version | FileCheck %s --check-prefix=APPLIED

// ERROR: error: [AMP-S022]
// REMARK: remark: [Missed] IndirectCall | Category:amp:scopes | Reason="the callee of an indirect call runs in the state that it is entered with from outside"

// A constant callee is a direct call, whatever the option.
// CHECK-LABEL: func.func @constant
// CHECK:         call @one_cuda_f16
func.func @constant(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %f = constant @one : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %0 = amp.autocast device("cuda") dtype(f16) (%g = %f : (tensor<4x4xf32>) -> tensor<4x4xf32>, %x = %a : tensor<4x4xf32>) -> tensor<4x4xf32> {
    %1 = func.call_indirect %g(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    amp.yield %1 : tensor<4x4xf32>
  }
  return %0 : tensor<4x4xf32>
}

// CHECK-LABEL: func.func @chosen
// VERSION:       scf.if
// VERSION:         call @one_cuda_f16
// VERSION:       } else {
// VERSION:         call @two
// VERSION-NOT:   call_indirect
// KEEP:          call_indirect
// APPLIED-LABEL: func.func @chosen
// APPLIED:         scf.if %{{.*}} -> (tensor<4x4xf32>)
func.func @chosen(%a: tensor<4x4xf32>, %c: i1) -> tensor<4x4xf32> {
  %0 = amp.autocast device("cuda") dtype(f16) (%d = %c : i1, %x = %a : tensor<4x4xf32>) -> tensor<4x4xf32> {
    %one = func.constant @one : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %two = func.constant @two : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %f = arith.select %d, %one, %two : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %1 = func.call_indirect %f(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    amp.yield %1 : tensor<4x4xf32>
  }
  return %0 : tensor<4x4xf32>
}
func.func @one(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %zero = arith.constant dense<0.0> : tensor<4x4xf32>
  %0 = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%zero : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
func.func private @two(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = math.exp %a : tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
