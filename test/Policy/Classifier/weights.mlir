// Constants beyond the range of the lower type, infinities, NaN, and numbers
// that become zero: by default nothing is clamped (N2, N11, N12, N13).
//
// RUN: amp-opt %s --allow-unregistered-dialect --amp-decide-precision="scope=function classifier" 2>%t.warnings | FileCheck %s
// RUN: FileCheck %s --check-prefix=WARN < %t.warnings
// RUN: amp-opt %s --allow-unregistered-dialect --amp-decide-precision="scope=function low-precision-type=bf16" 2>/dev/null | FileCheck %s --check-prefix=BF16
// RUN: amp-opt %s --allow-unregistered-dialect --amp-decide-precision="scope=function classifier" --remarks-filter=amp 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK
// RUN: not amp-opt %s --allow-unregistered-dialect --amp-decide-precision="scope=function weight-overflow=error" 2>&1 >/dev/null | FileCheck %s --check-prefix=ERROR
// RUN: amp-opt %s --allow-unregistered-dialect --amp-decide-precision="scope=function weight-overflow=saturate" --amp-apply-precision --canonicalize 2>/dev/null | FileCheck %s --check-prefix=SATURATE
// RUN: amp-opt %s --allow-unregistered-dialect --amp-decide-precision="scope=function compat=modelopt init-max=inf" --amp-apply-precision --canonicalize 2>/dev/null | FileCheck %s --check-prefix=MODELOPT
// RUN: amp-opt %s --allow-unregistered-dialect --amp-decide-precision="scope=function compat=torch-trt" --amp-apply-precision --canonicalize 2>/dev/null | FileCheck %s --check-prefix=TORCHTRT

// Case N11: a mask of -3e38 keeps its op in f32, in bf16 for finfo(f32).min
// alone. The peers: ModelOpt clamps to -65504, Torch-TensorRT gets -Inf.
// CHECK-LABEL: func.func @mask
// CHECK: "aten.add.Tensor"{{.*}}#amp.decision<fp32, {{.*}}, mask_sentinel>
// CHECK: "aten.masked_fill.Scalar"{{.*}}#amp.decision<fp32, {{.*}}, mask_sentinel>
// CHECK: "aten.mm"{{.*}}#amp.decision<fp32, {{.*}}, init_range>
// BF16-LABEL: func.func @mask
// BF16: "aten.add.Tensor"{{.*}}#amp.decision<lower_precision_fp,
// BF16: "aten.masked_fill.Scalar"{{.*}}#amp.decision<fp32, {{.*}}, mask_sentinel>
// REMARK: Decision{{.*}}Detail="operand 1 is -3e+38, which is infinite beyond +-65504", {{.*}}Op=aten.add.Tensor, Policy=fp32, Reason=mask_sentinel
// ERROR: error: [AMP-R007] operand 1 is a constant of which 1 of 4 numbers are infinite in 'f16': keep the op in f32 by nodes-to-exclude or targets-to-exclude, or set weight-overflow to keep-f32 or saturate
// SATURATE-LABEL: func.func @mask
// SATURATE: arith.constant dense<{{.*}}-6.550400e+04{{.*}}> : tensor<2x2xf16>
// MODELOPT-LABEL: func.func @mask
// MODELOPT: arith.constant dense<{{.*}}-6.550400e+04{{.*}}> : tensor<2x2xf16>
// TORCHTRT-LABEL: func.func @mask
// TORCHTRT: arith.constant dense<{{.*}}0xFC00{{.*}}> : tensor<2x2xf16>
func.func @mask(%x: tensor<2x2xf32>, %m: tensor<2x2xi1>) -> tensor<2x2xf32> {
  %c = arith.constant dense<[[0.0, -3.0e38], [0.0, 0.0]]> : tensor<2x2xf32>
  %w = arith.constant dense<[[7.0e4, 1.0], [1.0, 1.0]]> : tensor<2x2xf32>
  %0 = "aten.add.Tensor"(%x, %c) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32> loc("add")
  %1 = "aten.masked_fill.Scalar"(%0, %m) {value = -3.4028234663852886e38 : f64} : (tensor<2x2xf32>, tensor<2x2xi1>) -> tensor<2x2xf32>
  %2 = "aten.mm"(%1, %w) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %2 : tensor<2x2xf32>
}

// Case N12: infinities are in every type, and stay. ModelOpt clamps them.
// CHECK-LABEL: func.func @infinite
// CHECK: "aten.add.Tensor"{{.*}}#amp.decision<lower_precision_fp, {{.*}}, default_low>
// SATURATE-LABEL: func.func @infinite
// SATURATE: arith.constant dense<[0.000000e+00, 0xFC00]> : tensor<2xf16>
// MODELOPT-LABEL: func.func @infinite
// MODELOPT: arith.constant dense<[0.000000e+00, -6.550400e+04]> : tensor<2xf16>
// TORCHTRT-LABEL: func.func @infinite
// TORCHTRT: arith.constant dense<[0.000000e+00, 0xFC00]> : tensor<2xf16>
func.func @infinite(%x: tensor<2xf32>) -> tensor<2xf32> {
  %c = arith.constant dense<[0.0, 0xFF800000]> : tensor<2xf32>
  %0 = "aten.add.Tensor"(%x, %c) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// Case N13: -1e-9 becomes -0 and is counted; for ModelOpt it is +6e-8.
// CHECK-LABEL: func.func @tiny
// CHECK: "aten.mul.Tensor"{{.*}}#amp.decision<lower_precision_fp, {{.*}}, default_low>
// REMARK: Constant{{.*}}BecomeInfinite=0, BecomeSubnormal=1, BecomeZero=1, Infinite=0, Numbers=3, Op=aten.mul.Tensor, Operand=1
// SATURATE-LABEL: func.func @tiny
// SATURATE: arith.constant dense<[-0.000000e+00, {{.*}}, 1.000000e+00]> : tensor<3xf16>
// MODELOPT-LABEL: func.func @tiny
// MODELOPT: arith.constant dense<[5.960460e-08, {{.*}}, 1.000000e+00]> : tensor<3xf16>
// TORCHTRT-LABEL: func.func @tiny
// TORCHTRT: arith.constant dense<[-0.000000e+00, {{.*}}, 1.000000e+00]> : tensor<3xf16>
func.func @tiny(%x: tensor<3xf32>) -> tensor<3xf32> {
  %c = arith.constant dense<[-1.0e-9, 3.0e-5, 1.0]> : tensor<3xf32>
  %0 = "aten.mul.Tensor"(%x, %c) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// Case N2: NaN keeps the op in f32, with a warning; the peers see nothing.
// CHECK-LABEL: func.func @nan
// CHECK: "aten.mul.Tensor"{{.*}}#amp.decision<fp32, {{.*}}, not_finite>
// WARN: [[@LINE+7]]:8: warning: [AMP-R008] 'aten.mul.Tensor' stays in f32: operand 1 is a constant with NaN: 1 of 2 numbers
// MODELOPT-LABEL: func.func @nan
// MODELOPT: "aten.mul.Tensor"{{.*}} -> tensor<2xf16>
// TORCHTRT-LABEL: func.func @nan
// TORCHTRT: "aten.mul.Tensor"{{.*}} -> tensor<2xf16>
func.func @nan(%x: tensor<2xf32>) -> tensor<2xf32> {
  %c = arith.constant dense<[1.0, 0x7FC00000]> : tensor<2xf32>
  %0 = "aten.mul.Tensor"(%x, %c) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// Splats and resources, through a reshape.
// CHECK-LABEL: func.func @forms
// CHECK: "aten.mm"{{.*}}#amp.decision<fp32, {{.*}}, init_range>
// CHECK: "aten.mm"{{.*}}#amp.decision<fp32, {{.*}}, init_range>
func.func @forms(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %s = arith.constant dense<-1.0e5> : tensor<2x2xf32>
  %r = arith.constant dense_resource<weights> : tensor<4xf32>
  %w = tensor.expand_shape %r [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
  %0 = "aten.mm"(%x, %s) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = "aten.mm"(%0, %w) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %1 : tensor<2x2xf32>
}

{-#
  dialect_resources: { builtin: { weights: "0x040000000000803F0000803F0000803F0000C0C7" } }
#-}
