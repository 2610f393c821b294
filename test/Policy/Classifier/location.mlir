// Rules for ops at a place in a file, written with or without its folders.
//
// RUN: amp-opt %s --allow-unregistered-dialect --amp-decide-precision 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=WARN < %t
// RUN: amp-opt %s --allow-unregistered-dialect | amp-opt --allow-unregistered-dialect | FileCheck %s --check-prefix=ROUND
// ROUND: amp.rule exclude op("aten.mm") location("model.mlir:3:5")
// ROUND: amp.rule exclude location("folder/model.mlir:4:5")

amp.policy_set @places device("cuda") extends @torch_cuda {
  amp.rule exclude location("model.mlir:3:5") op("aten.mm")
  amp.rule exclude location("folder/model.mlir:4:5")
  // Not the end of another name.
  // WARN: location.mlir:[[@LINE+1]]:3: warning: [AMP-R005] this rule matches nothing: no op that the rules judge is at 'odel.mlir:5:5'
  amp.rule exclude location("odel.mlir:5:5")
}

// CHECK-LABEL: func.func @ops
func.func @ops(%a: tensor<4x4xf32>) {
  amp.autocast device("cuda") dtype(f16) policy(@places) (%x = %a : tensor<4x4xf32>) {
    // CHECK: "aten.mm"{{.*}}#amp.decision<fp32,
    %0 = "aten.mm"(%x, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32> loc("/a/folder/model.mlir":3:5)
    // Another op of the same line.
    // CHECK: "aten.bmm"{{.*}}#amp.decision<lower_precision_fp,
    %1 = "aten.bmm"(%x, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32> loc("/a/folder/model.mlir":3:5)
    // CHECK: "aten.mm"{{.*}}#amp.decision<fp32,
    %2 = "aten.mm"(%x, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32> loc("name"("/a/folder/model.mlir":4:5))
    // CHECK: "aten.mm"{{.*}}#amp.decision<lower_precision_fp,
    %3 = "aten.mm"(%x, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32> loc("/a/other/model.mlir":4:5)
    // CHECK: "aten.mm"{{.*}}#amp.decision<lower_precision_fp,
    %4 = "aten.mm"(%x, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32> loc("/a/folder/model.mlir":5:5)
    amp.yield
  }
  return
}
