// Text, generic form and bytecode of policy sets.
//
// RUN: amp-opt %s --allow-unregistered-dialect | amp-opt --allow-unregistered-dialect | FileCheck %s
// RUN: amp-opt %s --allow-unregistered-dialect --mlir-print-op-generic | amp-opt --allow-unregistered-dialect | FileCheck %s
// RUN: amp-opt %s --allow-unregistered-dialect --emit-bytecode | amp-opt --allow-unregistered-dialect | FileCheck %s

// CHECK: amp.policy_set @empty device("cpu") {
// CHECK-NEXT: }
amp.policy_set @empty device("cpu") {}

// CHECK: amp.policy_set private @mine device("cuda") extends @torch_cuda unknown_op(error) attributes {author = "me"} {
// CHECK-NEXT: amp.policy "aten.softmax.int" lower_precision_fp
// CHECK-NEXT: amp.policy "aten.pow.*" fp32
// CHECK-NEXT: amp.policy class("data_movement") keep {why = "test"}
// CHECK-NEXT: amp.rule exclude name("^conv2d$")
// CHECK-NEXT: amp.rule include name("^head") op("aten.linear")
// CHECK-NEXT: }
amp.policy_set private @mine device("cuda") extends @torch_cuda unknown_op(error) attributes {author = "me"} {
  amp.policy "aten.softmax.int" lower_precision_fp
  amp.policy "aten.pow.*" fp32
  amp.policy class("data_movement") keep {why = "test"}
  amp.rule exclude name("^conv2d$")
  amp.rule include op("aten.linear") name("^head")
}

// CHECK: amp.policy_set @derived device("cuda") extends @mine unknown_op(follow) {
amp.policy_set @derived device("cuda") extends @mine unknown_op(follow) {
}

// CHECK-LABEL: func.func @attributes
func.func @attributes(%a: tensor<4xf32>) {
  // CHECK: amp.policy = #amp.policy<fallthrough>
  "test.op"(%a) {amp.policy = #amp.policy<fallthrough>, amp.name = "block.0"} : (tensor<4xf32>) -> ()
  // CHECK: amp.decision = #amp.decision<fp32, from (f16), to (f32), results (), compute(none), op_policy by @mine at #loc{{.*}}>
  "test.op"(%a) {amp.decision = #amp.decision<fp32, from (f16), to (f32), results (), compute(none), op_policy by @mine at loc("policies.mlir":3:5)>} : (tensor<4xf32>) -> ()
  // CHECK: amp.decision = #amp.decision<keep, from (f32), to (f32), results (), compute(none), class_policy by @torch_cpu>
  "test.op"(%a) {amp.decision = #amp.decision<keep, from (f32), to (f32), results (), compute(none), class_policy by @torch_cpu>} : (tensor<4xf32>) -> ()
  return
}
