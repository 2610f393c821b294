// Case N16: a scope under a run-time flag, with the rules of the classifier inside:
// the program has both versions, and the flag chooses. Neither peer has such
// scopes (ONNX has none, and torch.autocast takes its flag when it is traced), so
// compat gives the answer of its rules in the version that is on.
//
// RUN: amp-opt %s --allow-unregistered-dialect --amp-autocast | FileCheck %s
// RUN: amp-opt %s --allow-unregistered-dialect --amp-autocast=compat=modelopt | FileCheck %s
// RUN: amp-opt %s --allow-unregistered-dialect --amp-autocast=compat=torch-trt | FileCheck %s

amp.policy_set @rules device("cuda") extends @classifier {
  amp.rule exclude name("^head")
}
// CHECK-LABEL: func.func @n16
// CHECK-SAME: %[[FLAG:[a-z0-9]+]]: i1
// CHECK: scf.if %[[FLAG]]
// CHECK: "aten.mm"{{.*}} -> tensor<4x4xf16>
// CHECK: "aten.mm"{{.*}} -> tensor<4x4xf32>
// CHECK: else
// CHECK: "aten.mm"{{.*}} -> tensor<4x4xf32>
// CHECK: "aten.mm"{{.*}} -> tensor<4x4xf32>
func.func @n16(%flag: i1, %a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = amp.autocast device("cuda") dtype(f16) if %flag policy(@rules) (%x = %a : tensor<4x4xf32>) -> tensor<4x4xf32> {
    %1 = "aten.mm"(%x, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %2 = "aten.mm"(%1, %1) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32> loc("head")
    amp.yield %2 : tensor<4x4xf32>
  }
  return %0 : tensor<4x4xf32>
}
