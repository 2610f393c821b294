// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=x86-64-v4 no-scalar-fallback}))' | FileCheck %s
// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=x86-64-v4}))' > %t.once
// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=x86-64-v4},amp-cpu-codegen{cpu=x86-64-v4}))' > %t.twice
// RUN: diff %t.once %t.twice
// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(amp-form-kernels,amp-inline-kernels,func.func(amp-cpu-codegen{cpu=x86-64-v4}))' | FileCheck %s --check-prefix=KERNELS

// Bias, activation, residual and cast work on the tiles of a matmul: the only tensors of its size are the residual and the result.
// CHECK-LABEL: func.func @chain
// CHECK-NOT: tensor<128x256xf32>
// CHECK: vector.fma
// CHECK: scf.if
// CHECK: vector.transfer_read %{{.*}} : tensor<256xf32>
// CHECK: scf.for
// CHECK: arith.maximumf
// CHECK: vector.transfer_read %{{.*}} : tensor<128x256xbf16>
// CHECK: %[[N:.*]] = arith.truncf {{.*}} : vector<16xf32> to vector<16xbf16>
// CHECK: vector.transfer_write %[[N]], %{{.*}} : vector<16xbf16>, tensor<128x256xbf16>
// CHECK-NOT: tensor<128x256xf32>
// CHECK: return
// The same after kernels were formed, and put back.
// KERNELS-LABEL: func.func @chain
// KERNELS-NOT: tensor<128x256xf32>
// KERNELS: vector.fma
// KERNELS: arith.truncf {{.*}} : vector<16xf32> to vector<16xbf16>
// KERNELS-NOT: tensor<128x256xf32>
// KERNELS: return
func.func @chain(%a: tensor<128x2048xf32>, %b: tensor<2048x256xf32>, %bias: tensor<256xf32>, %residual: tensor<128x256xbf16>) -> tensor<128x256xbf16> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x256xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<128x256xf32>) -> tensor<128x256xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<128x2048xf32>, tensor<2048x256xf32>) outs(%f : tensor<128x256xf32>) -> tensor<128x256xf32>
  %wide = linalg.broadcast ins(%bias : tensor<256xf32>) outs(%e : tensor<128x256xf32>) dimensions = [0]
  %1 = linalg.add ins(%0, %wide : tensor<128x256xf32>, tensor<128x256xf32>) outs(%e : tensor<128x256xf32>) -> tensor<128x256xf32>
  %zeros = arith.constant dense<0.0> : tensor<128x256xf32>
  %2 = arith.maximumf %1, %zeros : tensor<128x256xf32>
  %3 = arith.extf %residual : tensor<128x256xbf16> to tensor<128x256xf32>
  %4 = arith.addf %2, %3 : tensor<128x256xf32>
  %5 = arith.truncf %4 : tensor<128x256xf32> to tensor<128x256xbf16>
  return %5 : tensor<128x256xbf16>
}

// -----

// Several results: what the caller gets besides the last one is stored beside it.
// CHECK-LABEL: func.func @several
// CHECK: vector.fma
// CHECK: scf.for {{.*}} -> (tensor<?x?xf32>, tensor<?x?xbf16>)
// CHECK: vector.transfer_write {{.*}} : vector<16xf32>, tensor<?x?xf32>
// CHECK: vector.transfer_write {{.*}} : vector<16xbf16>, tensor<?x?xbf16>
// CHECK: return
func.func @several(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xbf16>) {
  %0 = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = arith.truncf %0 : tensor<?x?xf32> to tensor<?x?xbf16>
  return %0, %1 : tensor<?x?xf32>, tensor<?x?xbf16>
}

// -----

// A broadcast bias that the sums start from is read where it is.
// CHECK-LABEL: func.func @start
// CHECK-NOT: tensor<128x256xf32>, vector
// CHECK: vector.transfer_read %arg2
// CHECK: vector.fma
// CHECK: return
func.func @start(%a: tensor<128x64xf32>, %b: tensor<64x256xf32>, %bias: tensor<256xf32>) -> tensor<128x256xf32> {
  %e = tensor.empty() : tensor<128x256xf32>
  %c = linalg.broadcast ins(%bias : tensor<256xf32>) outs(%e : tensor<128x256xf32>) dimensions = [0]
  %0 = linalg.matmul ins(%a, %b : tensor<128x64xf32>, tensor<64x256xf32>) outs(%c : tensor<128x256xf32>) -> tensor<128x256xf32>
  return %0 : tensor<128x256xf32>
}

// -----

// What is read across the tile, or depends on all of the result, is no part of the nest.
// CHECK-LABEL: func.func @apart
// CHECK: %[[C:.*]] = scf.for {{.*}} -> (tensor<128x256xf32>)
// CHECK: vector.fma
// CHECK: arith.addf
// CHECK: math.exp
// CHECK: return
func.func @apart(%a: tensor<128x64xf32>, %b: tensor<64x256xf32>, %t: tensor<256x128xf32>) -> tensor<128x256xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x256xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<128x256xf32>) -> tensor<128x256xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<128x64xf32>, tensor<64x256xf32>) outs(%f : tensor<128x256xf32>) -> tensor<128x256xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%0, %t : tensor<128x256xf32>, tensor<256x128xf32>) outs(%e : tensor<128x256xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<128x256xf32>
  %2 = linalg.softmax dimension(1) ins(%1 : tensor<128x256xf32>) outs(%e : tensor<128x256xf32>) -> tensor<128x256xf32>
  return %2 : tensor<128x256xf32>
}

// -----

// What a product is rounded to for the next one is rounded where it is made: the tensor between them is of bf16, and the next product packs it as it is.
// CHECK-LABEL: func.func @narrow_between
// CHECK-NOT: tensor<128x256xf32>
// CHECK: arith.addf {{.*}} : vector<16xf32>
// CHECK-COUNT-16: vector.transfer_write %{{.*}} : vector<16xbf16>, tensor<128x256xbf16>
// CHECK-NOT: {{arith.truncf|tensor<128x256xf32>}}
// CHECK: return
func.func @narrow_between(%a: tensor<128x2048xf32>, %b: tensor<2048x256xf32>, %bias: tensor<256xf32>, %w: tensor<256x512xbf16>) -> tensor<128x512xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x256xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<128x256xf32>) -> tensor<128x256xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<128x2048xf32>, tensor<2048x256xf32>) outs(%f : tensor<128x256xf32>) -> tensor<128x256xf32>
  %wide = linalg.broadcast ins(%bias : tensor<256xf32>) outs(%e : tensor<128x256xf32>) dimensions = [0]
  %1 = arith.addf %0, %wide : tensor<128x256xf32>
  %2 = arith.truncf %1 : tensor<128x256xf32> to tensor<128x256xbf16>
  %e2 = tensor.empty() : tensor<128x512xf32>
  %f2 = linalg.fill ins(%z : f32) outs(%e2 : tensor<128x512xf32>) -> tensor<128x512xf32>
  %3 = linalg.matmul ins(%2, %w : tensor<128x256xbf16>, tensor<256x512xbf16>) outs(%f2 : tensor<128x512xf32>) -> tensor<128x512xf32>
  return %3 : tensor<128x512xf32>
}

// -----

// So it is where rows are split into heads, and these put first, in between.
// CHECK-LABEL: func.func @narrow_heads
// CHECK-NOT: tensor<128x{{256|4x64}}xf32>
// CHECK-COUNT-16: vector.transfer_write {{.*}} : vector<16xbf16>, tensor<128x256xbf16>
// CHECK-NOT: {{arith.truncf|tensor<128x(256|4x64)xf32>}}
// CHECK: return
func.func @narrow_heads(%a: tensor<128x2048xf32>, %b: tensor<2048x256xf32>, %w: tensor<4x64x96xbf16>) -> tensor<4x128x96xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x256xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<128x256xf32>) -> tensor<128x256xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<128x2048xf32>, tensor<2048x256xf32>) outs(%f : tensor<128x256xf32>) -> tensor<128x256xf32>
  %heads = tensor.expand_shape %0 [[0], [1, 2]] output_shape [128, 4, 64] : tensor<128x256xf32> into tensor<128x4x64xf32>
  %t = tensor.empty() : tensor<4x128x64xf32>
  %first = linalg.transpose ins(%heads : tensor<128x4x64xf32>) outs(%t : tensor<4x128x64xf32>) permutation = [1, 0, 2]
  %1 = arith.truncf %first : tensor<4x128x64xf32> to tensor<4x128x64xbf16>
  %e2 = tensor.empty() : tensor<4x128x96xf32>
  %f2 = linalg.fill ins(%z : f32) outs(%e2 : tensor<4x128x96xf32>) -> tensor<4x128x96xf32>
  %2 = linalg.batch_matmul ins(%1, %w : tensor<4x128x64xbf16>, tensor<4x64x96xbf16>) outs(%f2 : tensor<4x128x96xf32>) -> tensor<4x128x96xf32>
  return %2 : tensor<4x128x96xf32>
}

// -----

// With sizes that are known when it runs, wherever they are asked for: of the operand of the program, of what is moved, of the cast.
// Blocks for one row, for a few and for many all do.
// CHECK-LABEL: func.func @dynamic_heads
// CHECK-NOT: {{tensor<(\?x256|\?x4x64|4x\?x64)xf32>}}
// CHECK-COUNT-9: vector.transfer_write {{.*}} : vector<16xbf16>, tensor<?x256xbf16>
// CHECK-NOT: {{arith.truncf .* tensor|tensor<(\?x256|\?x4x64|4x\?x64)xf32>}}
// CHECK: return
func.func @dynamic_heads(%a: tensor<?x2048xf32>, %b: tensor<2048x256xf32>, %w: tensor<4x64x128xbf16>) -> tensor<4x?x128xf32> {
  %z = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %a, %c0 : tensor<?x2048xf32>
  %e = tensor.empty(%m) : tensor<?x256xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x256xf32>) -> tensor<?x256xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<?x2048xf32>, tensor<2048x256xf32>) outs(%f : tensor<?x256xf32>) -> tensor<?x256xf32>
  %heads = tensor.expand_shape %0 [[0], [1, 2]] output_shape [%m, 4, 64] : tensor<?x256xf32> into tensor<?x4x64xf32>
  %m1 = tensor.dim %heads, %c0 : tensor<?x4x64xf32>
  %t = tensor.empty(%m1) : tensor<4x?x64xf32>
  %first = linalg.transpose ins(%heads : tensor<?x4x64xf32>) outs(%t : tensor<4x?x64xf32>) permutation = [1, 0, 2]
  %1 = arith.truncf %first : tensor<4x?x64xf32> to tensor<4x?x64xbf16>
  %m2 = tensor.dim %1, %c1 : tensor<4x?x64xbf16>
  %e2 = tensor.empty(%m2) : tensor<4x?x128xf32>
  %f2 = linalg.fill ins(%z : f32) outs(%e2 : tensor<4x?x128xf32>) -> tensor<4x?x128xf32>
  %2 = linalg.batch_matmul ins(%1, %w : tensor<4x?x64xbf16>, tensor<4x64x128xbf16>) outs(%f2 : tensor<4x?x128xf32>) -> tensor<4x?x128xf32>
  return %2 : tensor<4x?x128xf32>
}

// -----

// The other way round: heads side by side again, for a product of rows.
// CHECK-LABEL: func.func @dynamic_rows
// CHECK-NOT: {{tensor<(\?x256|\?x4x64|4x\?x64)xf32>}}
// CHECK-COUNT-8: vector.transfer_write {{.*}} : vector<16xbf16>, tensor<?x4x64xbf16>
// CHECK-NOT: {{arith.truncf .* tensor|tensor<(\?x256|\?x4x64|4x\?x64)xf32>}}
// CHECK: return
func.func @dynamic_rows(%a: tensor<4x?x2048xf32>, %b: tensor<4x2048x64xf32>, %w: tensor<256x512xbf16>) -> tensor<?x512xf32> {
  %z = arith.constant 0.0 : f32
  %c1 = arith.constant 1 : index
  %m = tensor.dim %a, %c1 : tensor<4x?x2048xf32>
  %e = tensor.empty(%m) : tensor<4x?x64xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<4x?x64xf32>) -> tensor<4x?x64xf32>
  %0 = linalg.batch_matmul ins(%a, %b : tensor<4x?x2048xf32>, tensor<4x2048x64xf32>) outs(%f : tensor<4x?x64xf32>) -> tensor<4x?x64xf32>
  %t = tensor.empty(%m) : tensor<?x4x64xf32>
  %last = linalg.transpose ins(%0 : tensor<4x?x64xf32>) outs(%t : tensor<?x4x64xf32>) permutation = [1, 0, 2]
  %rows = tensor.collapse_shape %last [[0], [1, 2]] : tensor<?x4x64xf32> into tensor<?x256xf32>
  %1 = arith.truncf %rows : tensor<?x256xf32> to tensor<?x256xbf16>
  %e2 = tensor.empty(%m) : tensor<?x512xf32>
  %f2 = linalg.fill ins(%z : f32) outs(%e2 : tensor<?x512xf32>) -> tensor<?x512xf32>
  %2 = linalg.matmul ins(%1, %w : tensor<?x256xbf16>, tensor<256x512xbf16>) outs(%f2 : tensor<?x512xf32>) -> tensor<?x512xf32>
  return %2 : tensor<?x512xf32>
}

// -----

// What others read too is kept as it is, and rounded while it is packed.
// CHECK-LABEL: func.func @wide_between
// CHECK-NOT: tensor<128x256xbf16>
// CHECK: vector.transfer_write %{{.*}} : vector<16xf32>, tensor<128x256xf32>
// CHECK: arith.truncf
// CHECK-NOT: tensor<128x256xbf16>
// CHECK: return
func.func @wide_between(%a: tensor<128x2048xf32>, %b: tensor<2048x256xf32>, %w: tensor<256x512xbf16>) -> (tensor<128x512xf32>, tensor<128x256xf32>) {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x256xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<128x256xf32>) -> tensor<128x256xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<128x2048xf32>, tensor<2048x256xf32>) outs(%f : tensor<128x256xf32>) -> tensor<128x256xf32>
  %1 = arith.truncf %0 : tensor<128x256xf32> to tensor<128x256xbf16>
  %e2 = tensor.empty() : tensor<128x512xf32>
  %f2 = linalg.fill ins(%z : f32) outs(%e2 : tensor<128x512xf32>) -> tensor<128x512xf32>
  %2 = linalg.matmul ins(%1, %w : tensor<128x256xbf16>, tensor<256x512xbf16>) outs(%f2 : tensor<128x512xf32>) -> tensor<128x512xf32>
  return %2, %0 : tensor<128x512xf32>, tensor<128x256xf32>
}

// -----

// What is computed before a loop is not computed again in it: neither for the operand of a product, which is rounded while it is packed, nor for a sum.
// CHECK-LABEL: func.func @before_loop
// CHECK: math.exp
// CHECK-NOT: arith.truncf
// CHECK: scf.for %{{.*}} = %c0 to %arg3
// CHECK-NOT: math.exp
// CHECK: arith.truncf
// CHECK-NOT: math.exp
// CHECK: return
func.func @before_loop(%x: tensor<128x256xf32>, %w: tensor<256x64xbf16>, %c: tensor<128x64xf32>, %n: index) -> tensor<128x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = math.exp %x : tensor<128x256xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %c) -> (tensor<128x64xf32>) {
    %t = arith.truncf %y : tensor<128x256xf32> to tensor<128x256xbf16>
    %s = linalg.matmul ins(%t, %w : tensor<128x256xbf16>, tensor<256x64xbf16>) outs(%acc : tensor<128x64xf32>) -> tensor<128x64xf32>
    scf.yield %s : tensor<128x64xf32>
  }
  return %r : tensor<128x64xf32>
}

// -----

// CHECK-LABEL: func.func @sum_in_loop
// CHECK: math.exp
// CHECK: scf.for %{{.*}} = %c0 to %arg2
// CHECK-NOT: math.exp
// CHECK: return
func.func @sum_in_loop(%x: tensor<128x256xf32>, %c: tensor<128x256xf32>, %n: index) -> tensor<128x256xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = math.exp %x : tensor<128x256xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %c) -> (tensor<128x256xf32>) {
    %s = arith.addf %acc, %y : tensor<128x256xf32>
    scf.yield %s : tensor<128x256xf32>
  }
  return %r : tensor<128x256xf32>
}

// -----

// What follows a depthwise convolution is computed where its sums are, and stored alone.
// CHECK-LABEL: func.func @depthwise(
// CHECK-NOT: vector.transfer_write %{{.*}}xf32>
// CHECK: vector.fma
// CHECK: arith.addf %{{.*}} : vector<32xf32>
// CHECK: arith.maximumf %{{.*}} : vector<32xf32>
// CHECK: arith.truncf %{{.*}} : vector<32xf32> to vector<32xbf16>
// CHECK: vector.transfer_write %{{.*}} : vector<32xbf16>, tensor<1x56x56x32xbf16>
// CHECK-NOT: vector.transfer_read
// CHECK: return
func.func @depthwise(%x: tensor<1x58x58x32xf32>, %w: tensor<3x3x32x1xf32>, %bias: tensor<32xf32>) -> tensor<1x56x56x32xbf16> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x56x56x32x1xf32>
  %o = tensor.empty() : tensor<1x56x56x32xbf16>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x56x56x32x1xf32>) -> tensor<1x56x56x32x1xf32>
  // As tosa has it, with one feature for each channel.
  %r = linalg.depthwise_conv_2d_nhwc_hwcm ins(%x, %w : tensor<1x58x58x32xf32>, tensor<3x3x32x1xf32>) outs(%f : tensor<1x56x56x32x1xf32>) -> tensor<1x56x56x32x1xf32>
  %c = tensor.collapse_shape %r [[0], [1], [2], [3, 4]] : tensor<1x56x56x32x1xf32> into tensor<1x56x56x32xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(n, h, w, c) -> (n, h, w, c)>, affine_map<(n, h, w, c) -> (c)>, affine_map<(n, h, w, c) -> (n, h, w, c)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c, %bias : tensor<1x56x56x32xf32>, tensor<32xf32>) outs(%o : tensor<1x56x56x32xbf16>) {
  ^bb0(%a: f32, %b: f32, %out: bf16):
    %s = arith.addf %a, %b : f32
    %t = arith.maximumf %s, %zero : f32
    %n = arith.truncf %t : f32 to bf16
    linalg.yield %n : bf16
  } -> tensor<1x56x56x32xbf16>
  return %y : tensor<1x56x56x32xbf16>
}
