// Ops of dialects that nobody knows: what the option says, else what the set says.
//
// RUN: amp-opt %s --allow-unregistered-dialect --amp-decide-precision | FileCheck %s --check-prefixes=CHECK,SET
// RUN: amp-opt %s --allow-unregistered-dialect --amp-decide-precision=unknown-op=keep | FileCheck %s --check-prefixes=CHECK,KEEP
// RUN: amp-opt %s --allow-unregistered-dialect --amp-decide-precision=unknown-op=follow | FileCheck %s --check-prefixes=CHECK,FOLLOW
// RUN: not amp-opt %s --allow-unregistered-dialect --amp-autocast=unknown-op=error 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: not amp-opt %s --allow-unregistered-dialect --amp-decide-precision=policy=strict_set 2>&1 | FileCheck %s --check-prefix=ERROR

amp.policy_set @follows device("cuda") extends @torch_cuda unknown_op(follow) {}
amp.policy_set @inherits device("cuda") extends @follows {
  amp.policy "my.known" fp32
}
amp.policy_set @strict_set device("cuda") extends @torch_cuda unknown_op(error) {}

// CHECK-LABEL: func.func @builtin_set
func.func @builtin_set(%a: tensor<4x4xf32>) {
  amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<4x4xf32>) {
    %0 = "aten.mm"(%x, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    // ERROR: unknown-op.mlir:[[# @LINE + 4]]:10: error: [AMP-P012] no policy names 'my.op', and amp does not know the op; give it one in a policy set (amp.policy "my.op" <policy>) or by the attribute 'amp.policy', or say by 'unknown-op' to keep its types or to follow its operands
    // SET: "my.op"{{.*}}<keep, from (f16), to (f32), results (f32), compute(none), unknown_op>
    // KEEP: "my.op"{{.*}}<keep, from (f16), to (f32), results (f32), compute(none), unknown_op>
    // FOLLOW: "my.op"{{.*}}<follow, from (f16), to (f16), results (f16), compute(none), unknown_op>
    %1 = "my.op"(%0) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    // ATen ops are never unknown.
    // CHECK: "aten.frobnicate"{{.*}}<fallthrough, from (f16), to (f16), results (f16), compute(none), unlisted>
    %2 = "aten.frobnicate"(%0) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    // The attribute says enough.
    // CHECK: "my.op"{{.*}}<fp32, from (f16), to (f32), results (f32), compute(none), op_attribute>
    %3 = "my.op"(%0) {amp.policy = #amp.policy<fp32>} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    amp.yield
  }
  return
}

// CHECK-LABEL: func.func @own_set
func.func @own_set(%a: tensor<4x4xf32>) {
  amp.autocast device("cuda") dtype(f16) policy(@inherits) (%x = %a : tensor<4x4xf32>) {
    %0 = "aten.mm"(%x, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    // SET: "my.op"{{.*}}<follow, from (f16, f32), to (f16, f32), results (f32), compute(none), unknown_op>
    // KEEP: "my.op"{{.*}}<keep, from (f16, f32), to (f32, f32), results (f32), compute(none), unknown_op>
    %1 = "my.op"(%0, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    // CHECK: "my.known"{{.*}}<fp32, from (f16), to (f32), results (f32), compute(none), op_policy by @inherits at {{.*}}>
    %2 = "my.known"(%0) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    amp.yield
  }
  return
}
