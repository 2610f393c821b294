// Where policy sets come from, and which one a scope uses.
//
// RUN: amp-opt %s --allow-unregistered-dialect --amp-decide-precision | FileCheck %s --check-prefixes=CHECK,BUILTIN
// RUN: amp-opt %s --allow-unregistered-dialect --amp-decide-precision=policy-file=%S/Inputs/sets.mlir | FileCheck %s --check-prefixes=CHECK,TOP
// RUN: amp-opt %s --allow-unregistered-dialect --amp-decide-precision="policy-file=%S/Inputs/sets.mlir policy=@base" | FileCheck %s --check-prefixes=CHECK,BASE
// RUN: amp-opt %s --allow-unregistered-dialect --amp-decide-precision=policy=mine | FileCheck %s --check-prefixes=CHECK,MINE
// RUN: amp-opt %s --allow-unregistered-dialect --amp-decide-precision="policy-file=%S/Inputs/sets.mlir policy=top,other" | FileCheck %s --check-prefixes=CHECK,TOP,CPU
// RUN: amp-opt %s --allow-unregistered-dialect --amp-autocast=policy-file=%S/Inputs/sets.mlir | FileCheck %s --check-prefix=APPLIED

// BUILTIN-DAG: #[[$MINEMM:loc.*]] = loc({{.*}}policy-sets.mlir":[[# @LINE + 13]]:3)
// TOP-DAG: #[[$TOPEXP:loc.*]] = loc({{.*}}sets.mlir":7:3)
// TOP-DAG: #[[$BASEMM:loc.*]] = loc({{.*}}sets.mlir":3:3)
// BASE-DAG: #[[$EXP:loc.*]] = loc({{.*}}sets.mlir":4:3)
// BASE-DAG: #[[$BASEMM:loc.*]] = loc({{.*}}sets.mlir":3:3)
// CPU-DAG: #[[$OTHER:loc.*]] = loc({{.*}}sets.mlir":10:3)

// CHECK: amp.policy_set @mine
// Applying removes what has been applied.
// APPLIED-NOT: amp.policy_set
// APPLIED-LABEL: func.func @default_set
// APPLIED-NOT: amp.policy
amp.policy_set @mine device("cuda") extends @torch_cuda {
  amp.policy "aten.mm" keep
}

// CHECK-LABEL: func.func @default_set
func.func @default_set(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<4x4xf32>) -> tensor<4x4xf32> {
    // BUILTIN: "aten.mm"{{.*}} #amp.decision<lower_precision_fp, {{.*}}, op_policy by @torch_cuda>
    // TOP: "aten.mm"{{.*}} #amp.decision<fp32, {{.*}}, op_policy by @base at #[[$BASEMM]]>
    // BASE: "aten.mm"{{.*}} #amp.decision<fp32, {{.*}}, op_policy by @base at #[[$BASEMM]]>
    // MINE: "aten.mm"{{.*}} #amp.decision<keep, {{.*}}, op_policy by @mine at #{{.*}}>
    %1 = "aten.mm"(%x, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    // BUILTIN: "aten.exp"{{.*}} #amp.decision<fp32, {{.*}}, op_policy by @torch_cuda>
    // TOP: "aten.exp"{{.*}} #amp.decision<lower_precision_fp, {{.*}}, op_policy by @top at #[[$TOPEXP]]>
    // BASE: "aten.exp"{{.*}} #amp.decision<fallthrough, {{.*}}, op_policy by @base at #[[$EXP]]>
    // MINE: "aten.exp"{{.*}} #amp.decision<fp32, {{.*}}, op_policy by @torch_cuda>
    %2 = "aten.exp"(%1) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    amp.yield %2 : tensor<4x4xf32>
  }
  return %0 : tensor<4x4xf32>
}

// A scope that names its set uses that one, whatever the options say.
// CHECK-LABEL: func.func @own_set
func.func @own_set(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = amp.autocast device("cuda") dtype(f16) policy(@mine) (%x = %a : tensor<4x4xf32>) -> tensor<4x4xf32> {
    // BUILTIN: "aten.mm"{{.*}} #amp.decision<keep, {{.*}}, op_policy by @mine at #[[$MINEMM]]>
    // TOP: "aten.mm"{{.*}} #amp.decision<keep, {{.*}}, op_policy by @mine at #{{.*}}>
    // BASE: "aten.mm"{{.*}} #amp.decision<keep, {{.*}}, op_policy by @mine at #{{.*}}>
    %1 = "aten.mm"(%x, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    amp.yield %1 : tensor<4x4xf32>
  }
  return %0 : tensor<4x4xf32>
}

// Built-in sets have names too, and an op can have its own policy.
// CHECK-LABEL: func.func @builtin_by_name
func.func @builtin_by_name(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = amp.autocast device("cuda") dtype(f16) policy(@torch_cuda) (%x = %a : tensor<4x4xf32>) -> tensor<4x4xf32> {
    // CHECK: "aten.mm"{{.*}} #amp.decision<lower_precision_fp, {{.*}}, op_policy by @torch_cuda>
    %1 = "aten.mm"(%x, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    // CHECK: "aten.mm"{{.*}} #amp.decision<fp32, {{.*}}, op_attribute>
    %2 = "aten.mm"(%1, %1) {amp.policy = #amp.policy<fp32>} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    amp.yield %2 : tensor<4x4xf32>
  }
  return %0 : tensor<4x4xf32>
}

// CHECK-LABEL: func.func @other_device
func.func @other_device(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = amp.autocast device("cpu") dtype(bf16) (%x = %a : tensor<4x4xf32>) -> tensor<4x4xf32> {
    // BUILTIN: "aten.mm"{{.*}} #amp.decision<lower_precision_fp, {{.*}}, op_policy by @torch_cpu>
    // TOP: "aten.mm"{{.*}} #amp.decision<fp32, {{.*}}, op_policy by @other
    // CPU-SAME: at #[[$OTHER]]>
    // BASE: "aten.mm"{{.*}} #amp.decision<lower_precision_fp, {{.*}}, op_policy by @torch_cpu>
    %1 = "aten.mm"(%x, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    amp.yield %1 : tensor<4x4xf32>
  }
  return %0 : tensor<4x4xf32>
}
