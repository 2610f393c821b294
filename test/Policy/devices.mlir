// The built-in sets differ by device: the same program under each.
//
// RUN: amp-opt %s --allow-unregistered-dialect --amp-decide-precision="scope=function device=cuda" | FileCheck %s --check-prefixes=CUDA
// RUN: amp-opt %s --allow-unregistered-dialect --amp-decide-precision="scope=function device=cpu" | FileCheck %s --check-prefixes=CPU
// RUN: amp-opt %s --allow-unregistered-dialect --amp-decide-precision="scope=function device=xpu" | FileCheck %s --check-prefixes=XPU
// RUN: amp-opt %s --allow-unregistered-dialect --amp-decide-precision="scope=function device=mps" | FileCheck %s --check-prefixes=MPS
// RUN: amp-opt %s --allow-unregistered-dialect --amp-decide-precision="scope=function device=mps policy=torch_mps_2_12" | FileCheck %s --check-prefixes=MPS12
// RUN: amp-opt %s --allow-unregistered-dialect --amp-decide-precision="scope=function device=cuda policy=@torchscript" | FileCheck %s --check-prefixes=TS
// RUN: amp-opt %s --allow-unregistered-dialect --amp-decide-precision="scope=function device=cpu policy=@torchscript" | FileCheck %s --check-prefixes=TSCPU

func.func @f(%a: tensor<4x4xf32>, %v: tensor<1x4x4x4x4xf32>) {
  // The default types: f16, and bf16 on the CPU.
  // CUDA: amp.autocast device("cuda") dtype(f16)
  // CPU: amp.autocast device("cpu") dtype(bf16)
  // XPU: amp.autocast device("xpu") dtype(f16)
  // MPS: amp.autocast device("mps") dtype(f16)

  // CUDA: "aten.mm"{{.*}}<lower_precision_fp, {{.*}} to (f16, f16), results (f16)
  // CPU: "aten.mm"{{.*}}<lower_precision_fp, {{.*}} to (bf16, bf16), results (bf16)
  // XPU: "aten.mm"{{.*}}<lower_precision_fp, {{.*}} to (f16, f16), results (f16)
  // MPS: "aten.mm"{{.*}}<lower_precision_fp, {{.*}} to (f16, f16), results (f16)
  // TS: "aten.mm"{{.*}}<lower_precision_fp
  // TSCPU: "aten.mm"{{.*}}<lower_precision_fp
  %mm = "aten.mm"(%a, %a) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>

  // softmax: told f32 on cuda and xpu, cast on mps, as it arrives on the CPU.
  // CUDA: "aten.softmax.int"{{.*}}<fp32_set_opt_dtype, from (f16), to (f16), results (f32)
  // CPU: "aten.softmax.int"{{.*}}<fallthrough, from (bf16), to (bf16), results (bf16)
  // XPU: "aten.softmax.int"{{.*}}<fp32_set_opt_dtype, from (f16), to (f16), results (f32)
  // MPS: "aten.softmax.int"{{.*}}<fp32, from (f16), to (f32), results (f32)
  // TS: "aten.softmax.int"{{.*}}<fp32_set_opt_dtype, from (f16), to (f16), results (f32)
  // TSCPU: "aten.softmax.int"{{.*}}<fallthrough, from (bf16), to (bf16), results (bf16)
  %so = "aten.softmax.int"(%mm) {dim = 1 : i64} : (tensor<4x4xf32>) -> tensor<4x4xf32>

  // An explicit dtype is honoured by the fp32 of mps too.
  // MPS: "aten.sum"{{.*}}<fp32, from (f16), to (f32), results (f16)
  %su = "aten.sum"(%mm) {dtype = f16} : (tensor<4x4xf32>) -> tensor<f16>

  // CUDA: "aten.prod"{{.*}}<fp32_set_opt_dtype, from (f16), to (f16), results (f32)
  // CPU: "aten.prod"{{.*}}<fp32, from (bf16), to (f32), results (f32)
  // MPS: "aten.prod"{{.*}}<fp32, from (f16), to (f32), results (f32)
  %pr = "aten.prod"(%mm) : (tensor<4x4xf32>) -> tensor<f32>

  // CUDA: "aten.cat"{{.*}}<fallthrough, from (f16, f32), to (f16, f32), results (f32)
  // CPU: "aten.cat"{{.*}}<promote, from (bf16, f32), to (f32, f32), results (f32)
  // MPS: "aten.cat"{{.*}}<fallthrough, from (f16, f32), to (f16, f32), results (f32)
  // TS: "aten.cat"{{.*}}<promote, from (f16, f32), to (f32, f32), results (f32)
  %ca = "aten.cat"(%mm, %a) {operandSegmentSizes = array<i32: 2>} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>

  // CUDA: "aten.vdot"{{.*}}<promote
  // MPS: "aten.vdot"{{.*}}<fallthrough
  %vd = "aten.vdot"(%mm, %mm) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<f32>

  // CUDA: "aten.batch_norm"{{.*}}<fallthrough, from (f16), to (f16), results (f16)
  // CPU: "aten.batch_norm"{{.*}}<fallthrough, from (bf16), to (bf16), results (bf16)
  // MPS: "aten.batch_norm"{{.*}}<fp32, from (f16), to (f32), results (f32)
  %bn = "aten.batch_norm"(%mm) {operandSegmentSizes = array<i32: 1, 0, 0, 0, 0>} : (tensor<4x4xf32>) -> tensor<4x4xf32>

  // CUDA: "aten.conv_transpose3d.input"{{.*}}<lower_precision_fp
  // MPS: "aten.conv_transpose3d.input"{{.*}}<lower_precision_fp
  // MPS12: "aten.conv_transpose3d.input"{{.*}}<fp32,
  %ct = "aten.conv_transpose3d.input"(%v, %v) : (tensor<1x4x4x4x4xf32>, tensor<1x4x4x4x4xf32>) -> tensor<1x4x7x7x7xf32>

  // CUDA: "aten.cudnn_convolution"{{.*}}<lower_precision_fp
  // XPU: "aten.cudnn_convolution"{{.*}}<fallthrough
  %cc = "aten.cudnn_convolution"(%v, %v) : (tensor<1x4x4x4x4xf32>, tensor<1x4x4x4x4xf32>) -> tensor<1x1x1x1x1xf32>

  // TorchScript promotes what eager leaves alone, and knows no upsampling.
  // CUDA: "aten.add.Tensor"{{.*}}<fallthrough, from (f16, f16), to (f16, f16), results (f16)
  // TS: "aten.add.Tensor"{{.*}}<promote
  %ad = "aten.add.Tensor"(%mm, %mm) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  // CUDA: "aten.gelu"{{.*}}<fallthrough
  // TS: "aten.gelu"{{.*}}<fp32, from (f16), to (f32), results (f32)
  %ge = "aten.gelu"(%mm) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  // CUDA: "aten.upsample_nearest1d"{{.*}}<fp32,
  // CPU: "aten.upsample_nearest1d"{{.*}}<fallthrough
  // TS: "aten.upsample_nearest1d"{{.*}}<fallthrough
  %up = "aten.upsample_nearest1d"(%mm) : (tensor<4x4xf32>) -> tensor<4x8xf32>
  return
}
