// What can be wrong with a policy file, and with the options beside it. The
// errors stand in the file, where it is the file that is wrong.
//
// RUN: split-file %s %t
// RUN: not amp-opt %t/model.mlir --amp-decide-precision=policy-file=%t/none.mlir 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not amp-opt %t/model.mlir --amp-decide-precision=policy-file=%t/syntax.mlir 2>&1 | FileCheck %s --check-prefix=SYNTAX
// RUN: not amp-opt %t/model.mlir --amp-decide-precision=policy-file=%t/policy.mlir 2>&1 | FileCheck %s --check-prefix=POLICY
// RUN: not amp-opt %t/model.mlir --amp-decide-precision=policy-file=%t/other-op.mlir 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: not amp-opt %t/model.mlir --amp-decide-precision=policy-file=%t/empty.mlir 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not amp-opt %t/model.mlir --amp-decide-precision=policy-file=%t/same-name.mlir 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: not amp-opt %t/model.mlir --amp-decide-precision=policy-file=%t/two.mlir 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: amp-opt %t/model.mlir --amp-decide-precision="policy-file=%t/two.mlir policy=first" | FileCheck %s --check-prefix=CHOSEN
// RUN: not amp-opt %t/model.mlir --amp-decide-precision="policy-file=%t/two.mlir policy=first,second" 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: not amp-opt %t/model.mlir --amp-decide-precision="policy-file=%t/two.mlir policy=@fist" 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not amp-opt %t/model.mlir --amp-decide-precision=policy-file=%t/cycle.mlir 2>&1 | FileCheck %s --check-prefix=CYCLE
// RUN: amp-opt %t/model.mlir --amp-decide-precision=policy-file=%t/device.mlir 2>&1 | FileCheck %s --check-prefix=DEVICE
// RUN: not amp-opt %t/model.mlir --amp-decide-precision=unknown-op=warn 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// NONE: error: [AMP-P008] the policy file cannot be read: cannot open input file '{{.*}}none.mlir': No such file or directory
// SYNTAX: syntax.mlir:2:27: error: expected '"' in string literal
// SYNTAX: error: [AMP-P008] the policy file '{{.*}}syntax.mlir' has the errors reported above
// POLICY: policy.mlir:3:24: error: {{.*}}unknown policy 'fp61'; did you mean 'fp32'?
// OTHER: other-op.mlir:2:1: error: [AMP-P008] a policy file holds nothing but amp.policy_set, but this is a 'func.func'
// EMPTY: empty.mlir:1:1: error: [AMP-P008] the policy file holds no policy set
// SAME: same-name.mlir:1:1: error: [AMP-P009] the module has a policy set @model_set too: rename one of the two
// SAME: model.mlir:1:1: note: the one in the module
// TWO: error: [AMP-P009] policy sets @first and @second are both for device "cuda": name by the option 'policy' the one that scopes without a set of their own use
// TWO: two.mlir:2:1: note: @second is defined here
// CHOSEN: amp.autocast
// BOTH: error: [AMP-P009] policy sets @first and @second are both for device "cuda"
// NAME: error: [AMP-P007] option 'policy' names @fist, but there is no policy set of this name; did you mean @first?
// CYCLE: cycle.mlir:1:1: error: {{.*}}extends itself, through @b
// DEVICE: device.mlir:2:1: warning: [AMP-P013] no scope uses a policy set of this file, whose sets are for device "cpu", "xpu"
// UNKNOWN: error: [AMP-O001] amp-decide-precision: option 'unknown-op' is 'warn', but expected 'keep', 'error' or 'follow'

//--- model.mlir
amp.policy_set @model_set device("cuda") {}
func.func @f(%a: tensor<4xf32>) {
  amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<4xf32>) {
    amp.yield
  }
  return
}
//--- syntax.mlir
amp.policy_set @mine device("cuda") {
  amp.policy "aten.mm fp32
}
//--- policy.mlir
amp.policy_set @mine device("cuda") {
  amp.policy "aten.mm" fp32
  amp.policy "aten.mv" fp61
}
//--- other-op.mlir
amp.policy_set @mine device("cuda") {}
func.func private @g()
//--- empty.mlir
// Nothing here.
//--- same-name.mlir
amp.policy_set @model_set device("cuda") {}
//--- two.mlir
amp.policy_set @first device("cuda") {}
amp.policy_set @second device("cuda") {}
//--- device.mlir
// The scope is on cuda.
amp.policy_set @mine device("cpu") {}
amp.policy_set @other device("xpu") {}
//--- cycle.mlir
amp.policy_set @a device("cuda") extends @b {}
amp.policy_set @b device("cuda") extends @a {}
