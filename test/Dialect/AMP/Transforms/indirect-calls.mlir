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
// VERSION:       %[[N:.*]] = arith.select {{.*}} : index
// VERSION:       scf.index_switch %[[N]]
// VERSION:         call @one_cuda_f16
// VERSION:       default {
// VERSION:         call @two
// VERSION-NOT:   call_indirect
// KEEP:          call_indirect
// APPLIED-LABEL: func.func @chosen
// APPLIED:         scf.index_switch %{{.*}} -> tensor<4x4xf32>
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

// Through a branch, a switch inside of it, and the captures of two scopes: the
// number of the callee goes the same way.
// CHECK-LABEL: func.func @far
// VERSION:       %[[N:.*]]:2 = scf.if
// VERSION:         %[[M:.*]]:2 = scf.index_switch
// VERSION:         scf.yield %[[M]]#0, %[[M]]#1
// VERSION:       amp.autocast device("cuda") dtype(f16) {{.*}}, %[[X:.*]] = %[[N]]#1 : index)
// VERSION:         amp.autocast device("cuda") dtype(bf16) {{.*}}, %[[Y:.*]] = %[[X]] : index)
// VERSION:           scf.index_switch %[[Y]]
// VERSION:           case 0 {
// VERSION:             call @one_cuda_bf16
// VERSION:           case 1 {
// VERSION:             call @three
// VERSION:           default {
// VERSION:             call @two
// VERSION-NOT:   call_indirect
// KEEP:          call_indirect
func.func @far(%a: tensor<4x4xf32>, %c: i1, %i: index) -> tensor<4x4xf32> {
  %one = func.constant @one : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %f = scf.if %c -> ((tensor<4x4xf32>) -> tensor<4x4xf32>) {
    scf.yield %one : (tensor<4x4xf32>) -> tensor<4x4xf32>
  } else {
    %g = scf.index_switch %i -> (tensor<4x4xf32>) -> tensor<4x4xf32>
    case 3 {
      %two = func.constant @two : (tensor<4x4xf32>) -> tensor<4x4xf32>
      scf.yield %two : (tensor<4x4xf32>) -> tensor<4x4xf32>
    }
    default {
      %three = func.constant @three : (tensor<4x4xf32>) -> tensor<4x4xf32>
      scf.yield %three : (tensor<4x4xf32>) -> tensor<4x4xf32>
    }
    scf.yield %g : (tensor<4x4xf32>) -> tensor<4x4xf32>
  }
  %0 = amp.autocast device("cuda") dtype(f16) (%g = %f : (tensor<4x4xf32>) -> tensor<4x4xf32>, %x = %a : tensor<4x4xf32>) -> tensor<4x4xf32> {
    %1 = amp.autocast device("cuda") dtype(bf16) (%h = %g : (tensor<4x4xf32>) -> tensor<4x4xf32>, %y = %x : tensor<4x4xf32>) -> tensor<4x4xf32> {
      %2 = func.call_indirect %h(%y) : (tensor<4x4xf32>) -> tensor<4x4xf32>
      amp.yield %2 : tensor<4x4xf32>
    }
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
func.func private @three(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = math.tanh %a : tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
