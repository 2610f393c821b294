// RUN: amp-opt %s --allow-unregistered-dialect --amp-materialize-policies=sets=torch_cpu,@torchscript | FileCheck %s
// RUN: amp-opt %s --allow-unregistered-dialect --amp-materialize-policies=sets=torch_cpu --amp-decide-precision | FileCheck %s --check-prefix=LINES
// RUN: not amp-opt %s --allow-unregistered-dialect --amp-materialize-policies=sets=torch_tpu 2>&1 | FileCheck %s --check-prefix=UNKNOWN
//
// What is decided does not change, apart from the line.
// RUN: amp-opt %s --allow-unregistered-dialect --amp-autocast > %t.builtin
// RUN: amp-opt %s --allow-unregistered-dialect --amp-materialize-policies=sets=torch_cpu --amp-autocast | diff %t.builtin -

// CHECK: amp.policy_set @torch_cpu device("cpu") {
// CHECK-NEXT: amp.policy class("contraction") lower_precision_fp
// CHECK-NEXT: amp.policy class("convolution") lower_precision_fp
// CHECK-NEXT: amp.policy "aten._addmm_activation" lower_precision_fp
// CHECK: amp.policy "tensor.concat" promote
// CHECK: amp.policy_set @torchscript device("cuda") {
// CHECK: amp.policy "aten.softmax.*" fp32_set_opt_dtype
// CHECK: amp.policy_set @torchscript_cpu device("cpu") {
// CHECK-NOT: aten.softmax

// LINES: "aten.mm"{{.*}}<lower_precision_fp, {{.*}} by @torch_cpu at #loc
// UNKNOWN: error: amp-materialize-policies: there is no built-in policy set 'torch_tpu'; the sets are torch_cuda, torch_cpu, torch_xpu, torch_mps, torchscript
func.func @f(%a: tensor<4x4xf32>) {
  amp.autocast device("cpu") dtype(bf16) (%x = %a : tensor<4x4xf32>) {
    %0 = "aten.mm"(%x, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %1 = "aten.prod"(%0) : (tensor<4x4xf32>) -> tensor<f32>
    amp.yield
  }
  return
}
