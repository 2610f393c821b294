// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{triple=x86_64-linux-gnu cpu=haswell no-scalar-fallback}))' | FileCheck %s
// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{triple=x86_64-linux-gnu cpu=x86-64-v4 no-scalar-fallback}))' | FileCheck %s --check-prefix=MASKS

// With AVX2, as many pixels at a time as leave a row of the window short enough to be unrolled: 3 x 4 registers, and 5 x 2. With masks of its own AVX-512 takes a row of pixels whole.
// CHECK-LABEL: func.func @pool
// CHECK: vector.shuffle {{.*}} : vector<32xf32>, vector<32xf32>
// CHECK: arith.maximumf {{.*}} : vector<32xf32>
// MASKS-LABEL: func.func @pool
// MASKS: arith.maximumf {{.*}} : vector<64xf32>
func.func @pool(%x: tensor<8x64x113x113xf32>, %o: tensor<8x64x56x56xf32>) -> tensor<8x64x56x56xf32> {
  %w = tensor.empty() : tensor<3x3xf32>
  %r = linalg.pooling_nchw_max {strides = dense<2> : tensor<2xi64>} ins(%x, %w : tensor<8x64x113x113xf32>, tensor<3x3xf32>) outs(%o : tensor<8x64x56x56xf32>) -> tensor<8x64x56x56xf32>
  return %r : tensor<8x64x56x56xf32>
}

// CHECK-LABEL: func.func @depthwise
// CHECK: vector.shuffle {{.*}} : vector<16xf32>, vector<16xf32>
func.func @depthwise(%x: tensor<4x64x115x115xf32>, %w: tensor<64x5x5xf32>, %o: tensor<4x64x56x56xf32>) -> tensor<4x64x56x56xf32> {
  %r = linalg.depthwise_conv_2d_nchw_chw {strides = dense<2> : tensor<2xi64>} ins(%x, %w : tensor<4x64x115x115xf32>, tensor<64x5x5xf32>) outs(%o : tensor<4x64x56x56xf32>) -> tensor<4x64x56x56xf32>
  return %r : tensor<4x64x56x56xf32>
}

// Narrow elements have no masks there.
// CHECK-LABEL: func.func @narrow
// CHECK: vector.shuffle {{.*}} : vector<64xbf16>, vector<64xbf16>
func.func @narrow(%x: tensor<8x64x113x113xbf16>, %o: tensor<8x64x56x56xbf16>) -> tensor<8x64x56x56xbf16> {
  %w = tensor.empty() : tensor<3x3xbf16>
  %r = linalg.pooling_nchw_max {strides = dense<2> : tensor<2xi64>} ins(%x, %w : tensor<8x64x113x113xbf16>, tensor<3x3xbf16>) outs(%o : tensor<8x64x56x56xbf16>) -> tensor<8x64x56x56xbf16>
  return %r : tensor<8x64x56x56xbf16>
}

// CHECK-LABEL: func.func @neighbours
// CHECK: arith.maximumf {{.*}} : vector<32xf32>
func.func @neighbours(%x: tensor<8x64x58x58xf32>, %o: tensor<8x64x56x56xf32>) -> tensor<8x64x56x56xf32> {
  %w = tensor.empty() : tensor<3x3xf32>
  %r = linalg.pooling_nchw_max ins(%x, %w : tensor<8x64x58x58xf32>, tensor<3x3xf32>) outs(%o : tensor<8x64x56x56xf32>) -> tensor<8x64x56x56xf32>
  return %r : tensor<8x64x56x56xf32>
}
