// Ops of upstream's dialects get the policies of the ATen ops that they compute,
// on every device.
//
// RUN: amp-opt %s --amp-decide-precision="scope=function device=cuda" | FileCheck %s --check-prefixes=CUDA
// RUN: amp-opt %s --amp-decide-precision="scope=function device=cpu" | FileCheck %s --check-prefixes=CPU
// RUN: amp-opt %s --amp-decide-precision="scope=function device=xpu" | FileCheck %s --check-prefixes=CUDA
// RUN: amp-opt %s --amp-decide-precision="scope=function device=mps" | FileCheck %s --check-prefixes=MPS
// RUN: amp-opt %s --amp-decide-precision="scope=function device=cuda policy=torchscript" | FileCheck %s --check-prefixes=TS

func.func @f(%a: tensor<4x4xf32>, %b: tensor<1x4x4x2xf32>, %i: tensor<4xf32>) {
  %e = tensor.empty() : tensor<4x4xf32>
  // CUDA: math.exp {{.*}}<fp32,
  // CPU: math.exp {{.*}}<fallthrough,
  // MPS: math.exp {{.*}}<fp32,
  // TS: math.exp {{.*}}<fp32,
  %0 = math.exp %a : tensor<4x4xf32>
  // CUDA: math.atan2 {{.*}}<promote,
  // CPU: math.atan2 {{.*}}<fallthrough,
  // MPS: math.atan2 {{.*}}<promote,
  %1 = math.atan2 %a, %0 : tensor<4x4xf32>
  // CUDA: math.tanh {{.*}}<fallthrough,
  // TS: math.tanh {{.*}}<fallthrough,
  %2 = math.tanh %a : tensor<4x4xf32>
  // CUDA: arith.addf {{.*}}<fallthrough,
  // TS: arith.addf {{.*}}<promote,
  %3 = arith.addf %a, %0 : tensor<4x4xf32>
  // CUDA: linalg.matmul {{.*}}<lower_precision_fp,
  // CPU: linalg.matmul {{.*}}<lower_precision_fp,
  // MPS: linalg.matmul {{.*}}<lower_precision_fp,
  // TS: linalg.matmul {{.*}}<lower_precision_fp,
  %4 = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  // CUDA: linalg.softmax {{.*}}<fp32_set_opt_dtype,
  // CPU: linalg.softmax {{.*}}<fallthrough,
  // MPS: linalg.softmax {{.*}}<fp32,
  %5 = linalg.softmax dimension(1) ins(%a : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  // CUDA: linalg.reduce {{.*}}<fp32_set_opt_dtype,
  // CPU: linalg.reduce {{.*}}<fallthrough,
  // MPS: linalg.reduce {{.*}}<fp32,
  // TS: linalg.reduce {{.*}}<fp32_set_opt_dtype,
  %6 = linalg.reduce ins(%a : tensor<4x4xf32>) outs(%i : tensor<4xf32>) dimensions = [1] (%x: f32, %y: f32) {
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  }
  // CUDA: tensor.concat {{.*}}<follow,
  // CPU: tensor.concat {{.*}}<promote,
  // TS: tensor.concat {{.*}}<promote,
  %7 = tensor.concat dim(0) %a, %0 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  // CUDA: tosa.exp {{.*}}<fp32,
  // CPU: tosa.exp {{.*}}<fallthrough,
  %8 = tosa.exp %a : (tensor<4x4xf32>) -> tensor<4x4xf32>
  // CUDA: tosa.reduce_product {{.*}}<fp32_set_opt_dtype,
  // CPU: tosa.reduce_product {{.*}}<fp32,
  // MPS: tosa.reduce_product {{.*}}<fp32,
  %9 = tosa.reduce_product %a {axis = 0 : i32} : (tensor<4x4xf32>) -> tensor<1x4xf32>
  return
}
