// Rules in policy sets: amp.rule with each of its matchers, alone and together,
// in a set that extends torch's, and in one that extends @classifier.
//
// RUN: amp-opt %s --allow-unregistered-dialect --amp-decide-precision --split-input-file 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=WARN < %t
// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file | amp-opt --allow-unregistered-dialect --split-input-file | FileCheck %s --check-prefix=ROUND
// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file --mlir-print-op-generic | amp-opt --allow-unregistered-dialect --split-input-file | FileCheck %s --check-prefix=ROUND
// RUN: amp-opt %s --allow-unregistered-dialect --amp-decide-precision --split-input-file --remarks-filter=amp 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

// ROUND: amp.rule exclude name("^head") op("aten.linear")
// ROUND: amp.rule exclude op("aten.mm") depth(16)
// ROUND: amp.rule exclude init_max(1.000000e+03)
// ROUND: amp.rule exclude data_max underflow(5.000000e-01)
// ROUND: amp.rule exclude sensitive("variance")
// ROUND: amp.rule exclude sensitive
// ROUND: amp.rule exclude performance
// ROUND: amp.rule include name("^head.proj$")
amp.policy_set @rules device("cuda") extends @torch_cuda {
  amp.rule exclude name("^head") op("aten.linear")
  amp.rule exclude op("aten.mm") depth(16)
  amp.rule exclude init_max(1000.0)
  amp.rule exclude data_max underflow(0.5)
  amp.rule exclude sensitive("variance")
  amp.rule exclude sensitive
  amp.rule exclude performance
  amp.rule include name("^head.proj$")
  // WARN: rules.mlir:[[@LINE+1]]:3: warning: [AMP-R005] this rule matches nothing: no op that the rules judge has a name like '^nobody'
  amp.rule include name("^nobody")
}
// CHECK-LABEL: func.func @matchers
func.func @matchers(%a: tensor<8x8xf32>, %b: tensor<8x32xf32>, %c: tensor<32x8xf32>, %i: tensor<8x8xi64>) {
  amp.autocast device("cuda") dtype(f16) policy(@rules) (%x = %a : tensor<8x8xf32>, %y = %b : tensor<8x32xf32>, %z = %c : tensor<32x8xf32>, %n = %i : tensor<8x8xi64>) {
    // Name and op together.
    // CHECK: "aten.linear"{{.*}}#amp.decision<fp32, {{.*}}, op_rule
    // REMARK: Decision{{.*}}Op=aten.linear, Policy=fp32, Reason=op_rule
    %0 = "aten.linear"(%x, %x) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32> loc("head.fc")
    // CHECK: "aten.linear"{{.*}}#amp.decision<lower_precision_fp, {{.*}}, included
    // REMARK: Overruled{{.*}}Op=aten.linear, Reason="the exclusion by op_rule"
    %1 = "aten.linear"(%x, %x) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32> loc("head.proj")
    // CHECK: "aten.linear"{{.*}}#amp.decision<lower_precision_fp, {{.*}}, op_policy
    %2 = "aten.linear"(%x, %x) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32> loc("tail")
    // The depth of one op, and not of another.
    // CHECK: "aten.mm"{{.*}}#amp.decision<fp32, {{.*}}, reduction_depth
    // REMARK: Decision{{.*}}Detail="it reduces 32 elements, more than 16"{{.*}}Op=aten.mm
    %3 = "aten.mm"(%y, %z) : (tensor<8x32xf32>, tensor<32x8xf32>) -> tensor<8x8xf32>
    // CHECK: "aten.mm"{{.*}}#amp.decision<lower_precision_fp, {{.*}}, op_policy
    %4 = "aten.mm"(%x, %x) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    // CHECK: "aten.matmul"{{.*}}#amp.decision<lower_precision_fp, {{.*}}, op_policy
    %5 = "aten.matmul"(%y, %z) : (tensor<8x32xf32>, tensor<32x8xf32>) -> tensor<8x8xf32>
    // A constant.
    %k = arith.constant dense<2000.0> : tensor<8x8xf32>
    // CHECK: "aten.mm"{{.*}}#amp.decision<fp32, {{.*}}, init_range
    %6 = "aten.mm"(%x, %k) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    // Structure.
    // CHECK: "aten.mul.Tensor"{{.*}}#amp.decision<fp32, {{.*}}, variance
    %7 = "aten.mul.Tensor"(%4, %4) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    // CHECK: "aten.mean"{{.*}}#amp.decision<fp32, {{.*}}, variance
    %8 = "aten.mean"(%7) : (tensor<8x8xf32>) -> tensor<f32>
    // CHECK: "aten.add.Scalar"{{.*}}#amp.decision<fp32, {{.*}}, epsilon_division
    %9 = "aten.add.Scalar"(%4) {other = 1.0e-6 : f64} : (tensor<8x8xf32>) -> tensor<8x8xf32>
    // CHECK: "aten.reciprocal"{{.*}}#amp.decision<fp32, {{.*}}, epsilon_division
    %10 = "aten.reciprocal"(%9) : (tensor<8x8xf32>) -> tensor<8x8xf32>
    // CHECK: "aten.scatter_add"{{.*}}#amp.decision<fp32, {{.*}}, performance
    %11 = "aten.scatter_add"(%4, %n, %4) {dim = 0 : i64} : (tensor<8x8xf32>, tensor<8x8xi64>, tensor<8x8xf32>) -> tensor<8x8xf32>
    // The op's own attribute goes before all rules.
    // CHECK: "aten.linear"{{.*}}#amp.decision<lower_precision_fp, {{.*}}, op_attribute
    %12 = "aten.linear"(%x, %x) {amp.policy = #amp.policy<lower_precision_fp>} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32> loc("head.other")
    amp.yield
  }
  return
}

// -----

// Entries and rules on top of the classifier's default.
amp.policy_set @mine device("cpu") extends @classifier {
  amp.policy "aten.exp" fp32
  amp.rule exclude name("keep")
}
// CHECK-LABEL: func.func @extends_classifier
func.func @extends_classifier(%a: tensor<8x8xf32>) {
  amp.autocast device("cpu") dtype(bf16) policy(@mine) (%x = %a : tensor<8x8xf32>) {
    // CHECK: "aten.exp"{{.*}}#amp.decision<fp32, {{.*}}, op_policy by @mine
    %0 = "aten.exp"(%x) : (tensor<8x8xf32>) -> tensor<8x8xf32>
    // CHECK: "aten.tanh"{{.*}}#amp.decision<lower_precision_fp, {{.*}}, default_low
    %1 = "aten.tanh"(%x) : (tensor<8x8xf32>) -> tensor<8x8xf32>
    // CHECK: "aten.tanh"{{.*}}#amp.decision<fp32, {{.*}}, name_rule
    %2 = "aten.tanh"(%x) : (tensor<8x8xf32>) -> tensor<8x8xf32> loc("keep.it")
    // CHECK: "my.op"{{.*}}#amp.decision<keep, {{.*}}, unknown_op
    %3 = "my.op"(%1) : (tensor<8x8xf32>) -> tensor<8x8xf32>
    // CHECK: tensor.extract_slice{{.*}}#amp.decision<follow, {{.*}}to (bf16)
    %4 = tensor.extract_slice %1[0, 0] [2, 2] [1, 1] : tensor<8x8xf32> to tensor<2x2xf32>
    amp.yield
  }
  return
}
