// Section I of the conformance list: torch.ops.out_dtype. Values are those that torch gives.
// RUN: amp-opt %s --allow-unregistered-dialect | FileCheck %s --check-prefix=KEEP
// RUN: amp-opt %s --allow-unregistered-dialect --amp-lower-out-dtype | FileCheck %s --check-prefix=LOWER
// RUN: amp-run %s --entry scalar_whole | FileCheck %s --check-prefix=SCALAR-WHOLE
// RUN: amp-run %s --entry product_wide | FileCheck %s --check-prefix=PRODUCT-WIDE
// RUN: amp-run %s --entry product_wraps | FileCheck %s --check-prefix=PRODUCT-WRAPS
// RUN: amp-run %s --entry scalar_float | FileCheck %s --check-prefix=SCALAR-FLOAT
// RUN: amp-run %s --entry truncates | FileCheck %s --check-prefix=TRUNCATES
// RUN: amp-run %s --entry once | FileCheck %s --check-prefix=ONCE
// RUN: amp-run %s --entry bf16_to_f16 | FileCheck %s --check-prefix=BF16-TO-F16
// RUN: amp-run %s --entry mixed | FileCheck %s --check-prefix=MIXED
// RUN: amp-run %s --entry rank_0 | FileCheck %s --check-prefix=RANK-0
// RUN: amp-run %s --entry int_mm | FileCheck %s --check-prefix=INT-MM
// RUN: amp-run %s --entry linear | FileCheck %s --check-prefix=LINEAR
// RUN: amp-run %s --entry conv2d | FileCheck %s --check-prefix=CONV2D
// RUN: amp-run %s --entry convolution | FileCheck %s --check-prefix=CONVOLUTION

// 356, 357, 366: the op stays what it is until it is lowered: the result is i32, the operands are i8, and so in the op that it becomes, which is the
// integer product of 365.
// KEEP-LABEL: func.func @kept
// KEEP: amp.out_dtype (%[[X:.*]] = %{{.*}} : tensor<5x5xi8>, %[[W:.*]] = %{{.*}} : tensor<5x5xi8>) -> tensor<5x5xi32> {
// KEEP: "aten.mm"(%[[X]], %[[W]]) : (tensor<5x5xi8>, tensor<5x5xi8>) -> tensor<5x5xi8>
// LOWER-LABEL: func.func @kept
// LOWER-SAME: (%[[X:.*]]: tensor<5x5xi8>, %[[W:.*]]: tensor<5x5xi8>) -> tensor<5x5xi32>
// LOWER: linalg.matmul ins(%[[X]], %[[W]] : tensor<5x5xi8>, tensor<5x5xi8>) outs(%{{.*}} : tensor<5x5xi32>)
func.func @kept(%x: tensor<5x5xi8>, %w: tensor<5x5xi8>) -> tensor<5x5xi32> {
  %0 = amp.out_dtype (%p = %x : tensor<5x5xi8>, %q = %w : tensor<5x5xi8>) -> tensor<5x5xi32> {
    %1 = "aten.mm"(%p, %q) : (tensor<5x5xi8>, tensor<5x5xi8>) -> tensor<5x5xi8>
    amp.yield %1 : tensor<5x5xi8>
  }
  return %0 : tensor<5x5xi32>
}

// 363: floats to i32; what torch leaves open is the gradient (amp-out-dtype-backward.mlir).
// LOWER-LABEL: func.func @float_to_int
// LOWER: linalg.matmul {{.*}} outs(%{{.*}} : tensor<4x4xf32>)
// LOWER: amp.cast %{{.*}} : tensor<4x4xf32> to tensor<4x4xi32>
func.func @float_to_int(%x: tensor<4x4xf32>) -> tensor<4x4xi32> {
  %0 = amp.out_dtype (%p = %x : tensor<4x4xf32>) -> tensor<4x4xi32> {
    %1 = "aten.mm"(%p, %p) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    amp.yield %1 : tensor<4x4xf32>
  }
  return %0 : tensor<4x4xi32>
}

// 360, 359: mul.Scalar(i8, 3.0) to i32 equals the integer product
// SCALAR-WHOLE: result result0: shape=3 type=i32 min=-6 max=300 mean=99
func.func @scalar_whole() -> tensor<3xi32> {
  %c0 = arith.constant dense<[1, -2, 100]> : tensor<3xi8>
  %0 = amp.out_dtype (%x0 = %c0 : tensor<3xi8>) -> tensor<3xi32> {
    %1 = "aten.mul.Scalar"(%x0) {other = 3.0 : f64} : (tensor<3xi8>) -> tensor<3xf32>
    amp.yield %1 : tensor<3xf32>
  }
  return %0 : tensor<3xi32>
}

// 373: 100 * 100 to i32 is 10000
// PRODUCT-WIDE: result result0: shape=1 type=i32 min=10000 max=10000
func.func @product_wide() -> tensor<1xi32> {
  %c0 = arith.constant dense<100> : tensor<1xi8>
  %c1 = arith.constant dense<100> : tensor<1xi8>
  %0 = amp.out_dtype (%x0 = %c0 : tensor<1xi8>, %x1 = %c1 : tensor<1xi8>) -> tensor<1xi32> {
    %1 = "aten.mul.Tensor"(%x0, %x1)  : (tensor<1xi8>, tensor<1xi8>) -> tensor<1xi8>
    amp.yield %1 : tensor<1xi8>
  }
  return %0 : tensor<1xi32>
}

// 373: 100 * 100 to i8 wraps to 16
// PRODUCT-WRAPS: result result0: shape=1 type=i8 min=16 max=16
func.func @product_wraps() -> tensor<1xi8> {
  %c0 = arith.constant dense<100> : tensor<1xi8>
  %c1 = arith.constant dense<100> : tensor<1xi8>
  %0 = amp.out_dtype (%x0 = %c0 : tensor<1xi8>, %x1 = %c1 : tensor<1xi8>) -> tensor<1xi8> {
    %1 = "aten.mul.Tensor"(%x0, %x1)  : (tensor<1xi8>, tensor<1xi8>) -> tensor<1xi8>
    amp.yield %1 : tensor<1xi8>
  }
  return %0 : tensor<1xi8>
}

// 374: [1, 2, 3] * 2.7 to i32 is [2, 5, 8]: computed in f32, then truncated
// SCALAR-FLOAT: result result0: shape=3 type=i32 min=2 max=8 mean=5
func.func @scalar_float() -> tensor<3xi32> {
  %c0 = arith.constant dense<[1, 2, 3]> : tensor<3xi8>
  %0 = amp.out_dtype (%x0 = %c0 : tensor<3xi8>) -> tensor<3xi32> {
    %1 = "aten.mul.Scalar"(%x0) {other = 2.7 : f64} : (tensor<3xi8>) -> tensor<3xf32>
    amp.yield %1 : tensor<3xf32>
  }
  return %0 : tensor<3xi32>
}

// 375: 30.7 * 1.0 to i8 is 30
// TRUNCATES: result result0: shape=1 type=i8 min=30 max=30
func.func @truncates() -> tensor<1xi8> {
  %c0 = arith.constant dense<30.7> : tensor<1xf32>
  %c1 = arith.constant dense<1.0> : tensor<1xf32>
  %0 = amp.out_dtype (%x0 = %c0 : tensor<1xf32>, %x1 = %c1 : tensor<1xf32>) -> tensor<1xi8> {
    %1 = "aten.mul.Tensor"(%x0, %x1)  : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    amp.yield %1 : tensor<1xf32>
  }
  return %0 : tensor<1xi8>
}

// 376: a product of f16 matrices to f16 sums in f32 and rounds once: 2048 + 1 + 1 is 2050, which sums in f16 never reach
// ONCE: result result0: shape=1x1 type=f16 min=2050 max=2050
func.func @once() -> tensor<1x1xf16> {
  %c0 = arith.constant dense<[[2048.0, 1.0, 1.0]]> : tensor<1x3xf16>
  %c1 = arith.constant dense<1.0> : tensor<3x1xf16>
  %0 = amp.out_dtype (%x0 = %c0 : tensor<1x3xf16>, %x1 = %c1 : tensor<3x1xf16>) -> tensor<1x1xf16> {
    %1 = "aten.mm"(%x0, %x1)  : (tensor<1x3xf16>, tensor<3x1xf16>) -> tensor<1x1xf16>
    amp.yield %1 : tensor<1x1xf16>
  }
  return %0 : tensor<1x1xf16>
}

// 377: bf16 by bf16 to f16: 256 + 1 + 1 is 258, which bf16 sums never reach
// BF16-TO-F16: result result0: shape=1x1 type=f16 min=258 max=258
func.func @bf16_to_f16() -> tensor<1x1xf16> {
  %c0 = arith.constant dense<[[256.0, 1.0, 1.0]]> : tensor<1x3xbf16>
  %c1 = arith.constant dense<1.0> : tensor<3x1xbf16>
  %0 = amp.out_dtype (%x0 = %c0 : tensor<1x3xbf16>, %x1 = %c1 : tensor<3x1xbf16>) -> tensor<1x1xf16> {
    %1 = "aten.mm"(%x0, %x1)  : (tensor<1x3xbf16>, tensor<3x1xbf16>) -> tensor<1x1xbf16>
    amp.yield %1 : tensor<1x1xbf16>
  }
  return %0 : tensor<1x1xf16>
}

// 377: f16 by f32 to f16: operands of two types meet in f32
// MIXED: result result0: shape=1x1 type=f16 min=2050 max=2050
func.func @mixed() -> tensor<1x1xf16> {
  %c0 = arith.constant dense<[[2048.0, 1.0, 1.0]]> : tensor<1x3xf16>
  %c1 = arith.constant dense<1.0> : tensor<3x1xf32>
  %0 = amp.out_dtype (%x0 = %c0 : tensor<1x3xf16>, %x1 = %c1 : tensor<3x1xf32>) -> tensor<1x1xf16> {
    %1 = "aten.mm"(%x0, %x1)  : (tensor<1x3xf16>, tensor<3x1xf32>) -> tensor<1x1xf32>
    amp.yield %1 : tensor<1x1xf32>
  }
  return %0 : tensor<1x1xf16>
}

// 378: an f32 tensor without dimensions, 2.5, times i8 to i32: computed in f32, truncated
// RANK-0: result result0: shape=2 type=i32 min=-7 max=7 mean=0
func.func @rank_0() -> tensor<2xi32> {
  %c0 = arith.constant dense<2.5> : tensor<f32>
  %c1 = arith.constant dense<[3, -3]> : tensor<2xi8>
  %0 = amp.out_dtype (%x0 = %c0 : tensor<f32>, %x1 = %c1 : tensor<2xi8>) -> tensor<2xi32> {
    %1 = "aten.mul.Tensor"(%x0, %x1)  : (tensor<f32>, tensor<2xi8>) -> tensor<2xf32>
    amp.yield %1 : tensor<2xf32>
  }
  return %0 : tensor<2xi32>
}

// 364: a product of i8 matrices, 32 by 32, to i32
// INT-MM: result result0: shape=32x32 type=i32 min=524288 max=524288
func.func @int_mm() -> tensor<32x32xi32> {
  %c0 = arith.constant dense<-128> : tensor<32x32xi8>
  %c1 = arith.constant dense<-128> : tensor<32x32xi8>
  %0 = amp.out_dtype (%x0 = %c0 : tensor<32x32xi8>, %x1 = %c1 : tensor<32x32xi8>) -> tensor<32x32xi32> {
    %1 = "aten.mm"(%x0, %x1)  : (tensor<32x32xi8>, tensor<32x32xi8>) -> tensor<32x32xi8>
    amp.yield %1 : tensor<32x32xi8>
  }
  return %0 : tensor<32x32xi32>
}

// 379: linear of i8 and i8 with a bias of i32 to i32
// LINEAR: result result0: shape=1x2 type=i32 min=30000 max=1.03e+06
func.func @linear() -> tensor<1x2xi32> {
  %c0 = arith.constant dense<100> : tensor<1x3xi8>
  %c1 = arith.constant dense<100> : tensor<2x3xi8>
  %c2 = arith.constant dense<[1000000, 0]> : tensor<2xi32>
  %0 = amp.out_dtype (%x0 = %c0 : tensor<1x3xi8>, %x1 = %c1 : tensor<2x3xi8>, %x2 = %c2 : tensor<2xi32>) -> tensor<1x2xi32> {
    %1 = "aten.linear"(%x0, %x1, %x2)  : (tensor<1x3xi8>, tensor<2x3xi8>, tensor<2xi32>) -> tensor<1x2xi32>
    amp.yield %1 : tensor<1x2xi32>
  }
  return %0 : tensor<1x2xi32>
}

// 379: conv2d of i8 to i32
// CONV2D: result result0: shape=1x1x2x2 type=i32 min=180000 max=180000
func.func @conv2d() -> tensor<1x1x2x2xi32> {
  %c0 = arith.constant dense<100> : tensor<1x2x4x4xi8>
  %c1 = arith.constant dense<100> : tensor<1x2x3x3xi8>
  %0 = amp.out_dtype (%x0 = %c0 : tensor<1x2x4x4xi8>, %x1 = %c1 : tensor<1x2x3x3xi8>) -> tensor<1x1x2x2xi32> {
    %1 = "aten.conv2d"(%x0, %x1)  : (tensor<1x2x4x4xi8>, tensor<1x2x3x3xi8>) -> tensor<1x1x2x2xi8>
    amp.yield %1 : tensor<1x1x2x2xi8>
  }
  return %0 : tensor<1x1x2x2xi32>
}

// 379: convolution of i8 to i32
// CONVOLUTION: result result0: shape=1x1x2x2 type=i32 min=180000 max=180000
func.func @convolution() -> tensor<1x1x2x2xi32> {
  %c0 = arith.constant dense<100> : tensor<1x2x4x4xi8>
  %c1 = arith.constant dense<100> : tensor<1x2x3x3xi8>
  %0 = amp.out_dtype (%x0 = %c0 : tensor<1x2x4x4xi8>, %x1 = %c1 : tensor<1x2x3x3xi8>) -> tensor<1x1x2x2xi32> {
    %1 = "aten.convolution"(%x0, %x1) {stride = [1, 1], padding = [0, 0], dilation = [1, 1], transposed = false, output_padding = [0, 0], groups = 1 : i64} : (tensor<1x2x4x4xi8>, tensor<1x2x3x3xi8>) -> tensor<1x1x2x2xi8>
    amp.yield %1 : tensor<1x1x2x2xi8>
  }
  return %0 : tensor<1x1x2x2xi32>
}
