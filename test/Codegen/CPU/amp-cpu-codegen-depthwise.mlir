// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=x86-64-v4 no-scalar-fallback}))' | FileCheck %s
// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=x86-64-v4}))' > %t.once
// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=x86-64-v4},amp-cpu-codegen{cpu=x86-64-v4}))' > %t.twice
// RUN: diff %t.once %t.twice

// A small filter stays in the cache: the loop over channels is the innermost one, in the order of memory. What the tile below reads first of a large image is
// asked for: two rows of two pixels for each of the result. LLVM unrolls none of the loops around.
// CHECK-LABEL: func.func @large
// CHECK: %[[IMAGE:.*]] = bufferization.to_buffer %arg0 read_only
// CHECK: scf.for %[[N:.*]] = %c0 to %c8 step
// CHECK: scf.for %[[Y:.*]] = %c0 to %c56 step
// CHECK: %[[BELOW:.*]] = affine.apply #{{.*}}()[%[[Y]]]
// CHECK: scf.for %[[X:.*]] = %c0 to %c56 step %c8
// CHECK: scf.for %[[C:.*]] = %c0 to %c96 step %c32
// CHECK: memref.prefetch %[[IMAGE]][%[[N]], %[[BELOW]], %{{.*}}, %[[C]]], read, locality<2>, data
// CHECK-COUNT-31: memref.prefetch
// CHECK-NOT: memref.prefetch
// CHECK: vector.fma
// CHECK-COUNT-3: loop_annotation
// CHECK: return
func.func @large(%x: tensor<8x113x113x96xf32>, %w: tensor<3x3x96xf32>) -> tensor<8x56x56x96xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x56x56x96xf32>
  %c = linalg.fill ins(%z : f32) outs(%e : tensor<8x56x56x96xf32>) -> tensor<8x56x56x96xf32>
  %r = linalg.depthwise_conv_2d_nhwc_hwc {strides = dense<2> : tensor<2xi64>} ins(%x, %w : tensor<8x113x113x96xf32>, tensor<3x3x96xf32>) outs(%c : tensor<8x56x56x96xf32>) -> tensor<8x56x56x96xf32>
  return %r : tensor<8x56x56x96xf32>
}

// -----

// What is converted is kept for the next column of the window: 14 pixels by 5 columns are 18 vectors (here LLVM has to see
// that four more are among them).
// CHECK-LABEL: func.func @converted
// CHECK-NOT: memref.prefetch
// CHECK: scf.for %{{.*}} = %c0 to %c5
// CHECK-NOT: scf.for
// CHECK-COUNT-22: vector.transfer_read %arg0
// CHECK-NOT: vector.transfer_read %arg0
// CHECK: return
func.func @converted(%x: tensor<1x32x32x32xbf16>, %w: tensor<5x5x32xbf16>) -> tensor<1x28x28x32xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x28x28x32xf32>
  %c = linalg.fill ins(%z : f32) outs(%e : tensor<1x28x28x32xf32>) -> tensor<1x28x28x32xf32>
  %r = linalg.depthwise_conv_2d_nhwc_hwc ins(%x, %w : tensor<1x32x32x32xbf16>, tensor<5x5x32xbf16>) outs(%c : tensor<1x28x28x32xf32>) -> tensor<1x28x28x32xf32>
  return %r : tensor<1x28x28x32xf32>
}
