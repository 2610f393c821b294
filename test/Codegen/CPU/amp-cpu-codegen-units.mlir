// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=x86-64-v4 no-scalar-fallback}))' | FileCheck %s
// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=x86-64-v4 no-scalar-fallback}))' \
// RUN:   | amp-opt --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=x86-64-v4}))' | FileCheck %s

// A column is contiguous, but along no index: it becomes a vector, here and in what follows it.
// CHECK-LABEL: func.func @column
// CHECK-SAME: (%[[A:.*]]: tensor<64x512xf32>, %[[B:.*]]: tensor<512x1xf32>, %[[BIAS:.*]]: tensor<1xf32>)
// CHECK: %[[V:.*]] = tensor.collapse_shape %[[B]] {{\[}}[0, 1]] : tensor<512x1xf32> into tensor<512xf32>
// CHECK: vector.transfer_read %[[V]]
// CHECK: vector.reduction <add>
// CHECK: tensor.expand_shape %{{.*}} {{\[}}[0, 1]] output_shape [64, 1] : tensor<64xf32> into tensor<64x1xf32>
// CHECK-NOT: tensor.expand_shape
// CHECK: return
func.func @column(%a: tensor<64x512xf32>, %b: tensor<512x1xf32>, %bias: tensor<1xf32>) -> tensor<64x1xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x1xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x1xf32>) -> tensor<64x1xf32>
  %r = linalg.matmul ins(%a, %b : tensor<64x512xf32>, tensor<512x1xf32>) outs(%f : tensor<64x1xf32>) -> tensor<64x1xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%r, %bias : tensor<64x1xf32>, tensor<1xf32>) outs(%e : tensor<64x1xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %p = arith.addf %x, %y : f32
    linalg.yield %p : f32
  } -> tensor<64x1xf32>
  return %s : tensor<64x1xf32>
}

// -----

// The same of a size that is not known.
// CHECK-LABEL: func.func @dynamic_column
// CHECK: tensor.collapse_shape %{{.*}} {{\[}}[0, 1]] : tensor<?x1xf32> into tensor<?xf32>
// CHECK: vector.transfer_read %{{.*}} : tensor<?xf32>
func.func @dynamic_column(%x: tensor<?x1xf32>, %y: tensor<?xf32>, %o: tensor<?x1xf32>) -> tensor<?x1xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<?x1xf32>, tensor<?xf32>) outs(%o : tensor<?x1xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    linalg.yield %p : f32
  } -> tensor<?x1xf32>
  return %r : tensor<?x1xf32>
}

// -----

// Each share is of one element; no index but that of the columns moves.
// CHECK-LABEL: func.func @softmax_column
// CHECK-NOT: linalg.
// CHECK-NOT: tensor.extract %
// CHECK: vector.transfer_read
// CHECK: return
func.func @softmax_column(%x: tensor<40x1xf32>, %o: tensor<40x1xf32>) -> tensor<40x1xf32> {
  %r = linalg.softmax dimension(1) ins(%x : tensor<40x1xf32>) outs(%o : tensor<40x1xf32>) -> tensor<40x1xf32>
  return %r : tensor<40x1xf32>
}

// -----

// What goes in vectors keeps its shape: no reshape comes between ops.
// CHECK-LABEL: func.func @fine
// CHECK-NOT: tensor.{{collapse|expand}}_shape
// CHECK: return
func.func @fine(%a: tensor<1x256xf32>, %b: tensor<256x512xf32>, %c: tensor<1x512xf32>) -> tensor<1x512xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<1x256xf32>, tensor<256x512xf32>) outs(%c : tensor<1x512xf32>) -> tensor<1x512xf32>
  return %r : tensor<1x512xf32>
}

// -----

// A scalar that all elements take is read once, and rests go with a mask.
// CHECK-LABEL: func.func @scalar
// CHECK: vector.transfer_read %{{.*}} : tensor<21xf32>, vector<32xf32>
// CHECK: %[[S:.*]] = tensor.extract %{{.*}}[] : tensor<f32>
// CHECK: vector.broadcast %[[S]]
// CHECK-NOT: tensor.extract
// CHECK-NOT: vector.transfer_read
// CHECK: return
func.func @scalar(%a: tensor<f32>, %b: tensor<21xf32>, %c: tensor<21xf32>) -> tensor<21xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> ()>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%a, %b : tensor<f32>, tensor<21xf32>) outs(%c : tensor<21xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %p = arith.mulf %x, %y : f32
    linalg.yield %p : f32
  } -> tensor<21xf32>
  return %r : tensor<21xf32>
}

// -----

// One window for each feature, of 3 of the image's 7 columns. What follows has its one pixel dropped, and with it the convolution: no more of the filter is read than there is.
// CHECK-LABEL: func.func @one_window
// CHECK-SAME: %[[X:.*]]: tensor<1x4x3x7xf32>, %[[W:.*]]: tensor<8x4x3x3xf32>
// CHECK: tensor.extract_slice %[[X]][0, 0, 0, 0] [1, 4, 3, 3] [1, 1, 1, 1]
// CHECK-NOT: %[[X]]
// CHECK: return
func.func @one_window(%x: tensor<1x4x3x7xf32>, %w: tensor<8x4x3x3xf32>, %c: tensor<1x8x1x1xf32>, %d: tensor<1x8x1x1xf32>) -> tensor<1x8x1x1xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(n, f, u, v, c, x, y) -> (n, c, u + x, v * 7 + y)>, affine_map<(n, f, u, v, c, x, y) -> (f, c, x, y)>, affine_map<(n, f, u, v, c, x, y) -> (n, f, u, v)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x4x3x7xf32>, tensor<8x4x3x3xf32>) outs(%c : tensor<1x8x1x1xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<1x8x1x1xf32>
  %s = arith.addf %r, %d : tensor<1x8x1x1xf32>
  return %s : tensor<1x8x1x1xf32>
}
