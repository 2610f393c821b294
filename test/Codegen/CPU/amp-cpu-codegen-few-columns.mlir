// Products of many rows by a few columns are the transposed products, and convolutions with a few filters vectors along channels: neither packs an operand.
// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=x86-64-v4}))' | FileCheck %s
// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=sapphirerapids}))' | FileCheck %s --check-prefix=TILES

// A is read along k where it is, for ten rows of the transposed B, whose sums make the transposed result; a last loop turns that.
// CHECK-LABEL: func.func @head(
// CHECK-SAME: %[[A:[^:]*]]: tensor<256x512xf32>, %[[B:[^:]*]]: tensor<512x10xf32>
// CHECK: tensor<10x512xf32>
// CHECK: vector.transfer_read %[[A]][%{{.*}}], %{{.*}} : tensor<256x512xf32>, vector<16xf32>
// CHECK: tensor<10x256xf32>
// CHECK: return %{{.*}} : tensor<256x10xf32>
func.func @head(%a: tensor<256x512xf32>, %b: tensor<512x10xf32>) -> tensor<256x10xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<256x10xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<256x10xf32>) -> tensor<256x10xf32>
  %r = linalg.matmul ins(%a, %b : tensor<256x512xf32>, tensor<512x10xf32>) outs(%f : tensor<256x10xf32>) -> tensor<256x10xf32>
  return %r : tensor<256x10xf32>
}

// -----

// Thirteen columns fill most of a register.
// CHECK-LABEL: func.func @more(
// CHECK-NOT: tensor<13x
// CHECK: return
func.func @more(%a: tensor<256x512xf32>, %b: tensor<512x13xf32>) -> tensor<256x13xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<256x13xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<256x13xf32>) -> tensor<256x13xf32>
  %r = linalg.matmul ins(%a, %b : tensor<256x512xf32>, tensor<512x13xf32>) outs(%f : tensor<256x13xf32>) -> tensor<256x13xf32>
  return %r : tensor<256x13xf32>
}

// -----

// Tiles take any number of columns as well.
// TILES-LABEL: func.func @tiles(
// TILES-NOT: tensor<4x512xbf16>
// TILES: return
func.func @tiles(%a: tensor<256x512xbf16>, %b: tensor<512x4xbf16>) -> tensor<256x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<256x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<256x4xf32>) -> tensor<256x4xf32>
  %r = linalg.matmul ins(%a, %b : tensor<256x512xbf16>, tensor<512x4xbf16>) outs(%f : tensor<256x4xf32>) -> tensor<256x4xf32>
  return %r : tensor<256x4xf32>
}

// -----

// CHECK-LABEL: func.func @filters(
// CHECK-SAME: %[[X:[^:]*]]: tensor<1x58x58x64xf32>
// CHECK: tensor<3x3x3x64xf32>
// CHECK: vector.transfer_read %[[X]][%{{.*}}], %{{.*}} : tensor<1x58x58x64xf32>, vector<
// CHECK: vector.reduction <add>
func.func @filters(%x: tensor<1x58x58x64xf32>, %w: tensor<3x3x64x3xf32>) -> tensor<1x56x56x3xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x56x56x3xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x56x56x3xf32>) -> tensor<1x56x56x3xf32>
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x58x58x64xf32>, tensor<3x3x64x3xf32>) outs(%f : tensor<1x56x56x3xf32>) -> tensor<1x56x56x3xf32>
  return %r : tensor<1x56x56x3xf32>
}

// -----

// One channel and one filter: vectors of pixels.
// CHECK-LABEL: func.func @blur(
// CHECK: vector.transfer_read %{{.*}} : tensor<130x130xf32>, vector<128xf32>
// CHECK-NOT: vector.reduction
// CHECK: return
func.func @blur(%x: tensor<1x130x130x1xf32>, %w: tensor<3x3x1x1xf32>) -> tensor<1x128x128x1xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x128x128x1xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x128x128x1xf32>) -> tensor<1x128x128x1xf32>
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x130x130x1xf32>, tensor<3x3x1x1xf32>) outs(%f : tensor<1x128x128x1xf32>) -> tensor<1x128x128x1xf32>
  return %r : tensor<1x128x128x1xf32>
}

// -----

// A constant that is transposed is one.
// CHECK-LABEL: func.func @constant(
// CHECK: arith.constant dense<{{\[\[}}1.000000e+00, 3.000000e+00, 1.000000e+00, {{.*}}], [2.000000e+00, 4.000000e+00, {{.*}}> : tensor<2x32xf32>
// CHECK: return
func.func @constant(%a: tensor<512x32xf32>) -> tensor<512x2xf32> {
  %b = arith.constant dense<[
    [1.0, 2.0], [3.0, 4.0], [1.0, 2.0], [3.0, 4.0], [1.0, 2.0], [3.0, 4.0], [1.0, 2.0], [3.0, 4.0],
    [1.0, 2.0], [3.0, 4.0], [1.0, 2.0], [3.0, 4.0], [1.0, 2.0], [3.0, 4.0], [1.0, 2.0], [3.0, 4.0],
    [1.0, 2.0], [3.0, 4.0], [1.0, 2.0], [3.0, 4.0], [1.0, 2.0], [3.0, 4.0], [1.0, 2.0], [3.0, 4.0],
    [1.0, 2.0], [3.0, 4.0], [1.0, 2.0], [3.0, 4.0], [1.0, 2.0], [3.0, 4.0], [1.0, 2.0], [3.0, 4.0]]> : tensor<32x2xf32>
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<512x2xf32>
  %g = linalg.fill ins(%z : f32) outs(%e : tensor<512x2xf32>) -> tensor<512x2xf32>
  %r = linalg.matmul ins(%a, %b : tensor<512x32xf32>, tensor<32x2xf32>) outs(%g : tensor<512x2xf32>) -> tensor<512x2xf32>
  return %r : tensor<512x2xf32>
}
