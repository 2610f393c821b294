// RUN: amp-opt %s --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{triple=x86_64-linux-gnu cpu=haswell no-scalar-fallback}))' | FileCheck %s

// What rows share (a filter) is more than half of the first cache: blocks of channels, of which it has no more than that.
// CHECK-LABEL: func.func @even
// CHECK: scf.for {{.*}} = %c0 to %c2048 step %c1024
// CHECK: scf.for {{.*}} = %c0 to %c1020 step %c6
// CHECK: scf.for {{.*}} = %c0 to %c1024 step %c16
// CHECK: scf.for {{.*}} = %c0 to %c4 step %c1
// CHECK: } {loop_annotation = {{.*}}, parallel_grain = 3 : i64}
func.func @even(%x: tensor<1x1027x2048xf32>, %w: tensor<4x2048xf32>, %o: tensor<1x1024x2048xf32>) -> tensor<1x1024x2048xf32> {
  %r = linalg.depthwise_conv_1d_nwc_wc ins(%x, %w : tensor<1x1027x2048xf32>, tensor<4x2048xf32>) outs(%o : tensor<1x1024x2048xf32>) -> tensor<1x1024x2048xf32>
  return %r : tensor<1x1024x2048xf32>
}

// No blocks of one size have all channels: the rest has loops of its own.
// CHECK-LABEL: func.func @rest
// CHECK: scf.for {{.*}} = %c0 to %c672 step %c336
// CHECK: scf.for {{.*}} = %c0 to %dim step %c1
// CHECK: scf.for {{.*}} = %c0 to %c336 step %c16
// CHECK: scf.for {{.*}} = %c0 to %dim step %c1
// CHECK: scf.for {{.*}} = %c0 to %c320 step %c16
func.func @rest(%x: tensor<?x16x16x1000xf32>, %w: tensor<3x3x1000xf32>, %o: tensor<?x14x14x1000xf32>) -> tensor<?x14x14x1000xf32> {
  %r = linalg.depthwise_conv_2d_nhwc_hwc ins(%x, %w : tensor<?x16x16x1000xf32>, tensor<3x3x1000xf32>) outs(%o : tensor<?x14x14x1000xf32>) -> tensor<?x14x14x1000xf32>
  return %r : tensor<?x14x14x1000xf32>
}

// Enough blocks for threads.
// CHECK-LABEL: func.func @many
// CHECK: scf.for {{.*}} = %c0 to %c1152 step %c144
// CHECK-NOT: parallel_grain
// CHECK: } {loop_annotation = {{.*}}, parallel_grain = 1 : i64}
// CHECK-NEXT: return
func.func @many(%x: tensor<4x18x18x1152xf32>, %w: tensor<5x5x1152xf32>, %o: tensor<4x14x14x1152xf32>) -> tensor<4x14x14x1152xf32> {
  %r = linalg.depthwise_conv_2d_nhwc_hwc ins(%x, %w : tensor<4x18x18x1152xf32>, tensor<5x5x1152xf32>) outs(%o : tensor<4x14x14x1152xf32>) -> tensor<4x14x14x1152xf32>
  return %r : tensor<4x14x14x1152xf32>
}

// The whole filter fits.
// CHECK-LABEL: func.func @fits
// CHECK: scf.for {{.*}} = %c0 to %c4 step %c1
// CHECK: scf.for {{.*}} = %c0 to %c14 step %c1
// CHECK: scf.for {{.*}} = %c0 to %c10 step %c5
// CHECK: scf.for {{.*}} = %c0 to %c64 step %c16
func.func @fits(%x: tensor<4x16x16x64xf32>, %w: tensor<3x3x64xf32>, %o: tensor<4x14x14x64xf32>) -> tensor<4x14x14x64xf32> {
  %r = linalg.depthwise_conv_2d_nhwc_hwc ins(%x, %w : tensor<4x16x16x64xf32>, tensor<3x3x64xf32>) outs(%o : tensor<4x14x14x64xf32>) -> tensor<4x14x14x64xf32>
  return %r : tensor<4x14x14x64xf32>
}
