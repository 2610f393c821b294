// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=x86-64-v4 no-scalar-fallback}))' | FileCheck %s
// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=x86-64-v4}))' > %t.once
// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=x86-64-v4},amp-cpu-codegen{cpu=x86-64-v4}))' > %t.twice
// RUN: diff %t.once %t.twice

// With channels first, features are rows of a contraction and pixels its columns. What a panel's pixels of one row of the image are multiplied by is packed from there,
// step by step: 4 channels of 3 x 3 places. The sums start from the bias, and relu is done on their tiles.
// CHECK-LABEL: func.func @packed
// CHECK-SAME: %[[X:.*]]: tensor<2x4x16x18xf32>, %[[W:.*]]: tensor<32x4x3x3xf32>, %[[BIAS:.*]]: tensor<32xf32>
// CHECK-DAG: %[[STEPS:.*]] = arith.constant dense<[0, 1, 2, 18, 19, 20, 36, 37, 38, 288, 289, 290, 306, {{.*}}]> : tensor<36xindex>
// CHECK-DAG: %[[IMAGE:.*]] = tensor.collapse_shape %[[X]] {{\[}}[0], [1, 2, 3]] : tensor<2x4x16x18xf32> into tensor<2x1152xf32>
// CHECK-DAG: tensor.collapse_shape %[[W]] {{\[}}[0], [1, 2, 3]] : tensor<32x4x3x3xf32> into tensor<32x36xf32>
// CHECK: bufferization.alloc_tensor() : tensor<{{.*}}x36x{{.*}}xf32>
// CHECK: scf.if
// CHECK: %[[STEP:.*]] = tensor.extract %[[STEPS]]
// CHECK: %[[AT:.*]] = arith.addi {{.*}}, %[[STEP]]
// CHECK: vector.transfer_read %[[IMAGE]][%{{.*}}, %[[AT]]], {{.*}} {in_bounds = [true]} : tensor<2x1152xf32>, vector<16xf32>
// CHECK: else
// CHECK: %[[MASK:.*]] = vector.create_mask
// CHECK: vector.transfer_read %[[IMAGE]]{{.*}}, %[[MASK]] {in_bounds = [true]} : tensor<2x1152xf32>, vector<16xf32>
// CHECK: vector.transfer_write {{.*}}, %[[MASK]] {in_bounds = [true]}
// CHECK: separate}
// CHECK: tensor.extract %[[BIAS]]
// CHECK: vector.fma
// CHECK: arith.maximumf
// CHECK: vector.transfer_write {{.*}} tensor<2x32x224xf32>
// CHECK: tensor.expand_shape {{.*}} into tensor<2x32x14x16xf32>
// CHECK-NEXT: return
func.func @packed(%x: tensor<2x4x16x18xf32>, %w: tensor<32x4x3x3xf32>, %b: tensor<32xf32>) -> tensor<2x32x14x16xf32> {
  %zeros = arith.constant dense<0.0> : tensor<2x32x14x16xf32>
  %e = tensor.empty() : tensor<2x32x14x16xf32>
  %c = linalg.broadcast ins(%b : tensor<32xf32>) outs(%e : tensor<2x32x14x16xf32>) dimensions = [0, 2, 3]
  %r = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x4x16x18xf32>, tensor<32x4x3x3xf32>) outs(%c : tensor<2x32x14x16xf32>) -> tensor<2x32x14x16xf32>
  %y = arith.maximumf %r, %zeros : tensor<2x32x14x16xf32>
  return %y : tensor<2x32x14x16xf32>
}

// -----

// Of windows that are two apart, every other element of two vectors is read. The last of 16 columns ends them, so that nothing is masked; of 8, where a row ends, nothing behind
// the last one is read.
// CHECK-LABEL: func.func @strided
// CHECK: scf.if
// CHECK: %[[ROW:.*]] = vector.transfer_read {{.*}}[%{{.*}}, %[[AT:.*]]], %{{[^,]*}} {in_bounds = [true]} : tensor<1x1156xf32>, vector<16xf32>
// CHECK: %[[REST:.*]] = affine.apply {{.*}}()[%[[AT]]]
// CHECK: %[[NEXT:.*]] = vector.transfer_read {{.*}}[%{{.*}}, %[[REST]]], %{{[^,]*}} {in_bounds = [true]} : tensor<1x1156xf32>, vector<16xf32>
// CHECK: vector.shuffle %[[ROW]], %[[NEXT]] [0, 2, 4, 6, 8, 10, 12, 14, 17, 19, 21, 23, 25, 27, 29, 31] : vector<16xf32>, vector<16xf32>
// CHECK: else
// CHECK: %[[MASK:.*]] = vector.create_mask {{.*}} : vector<32xi1>
// CHECK: vector.transfer_read {{.*}}, %[[MASK]] {in_bounds = [true]} : tensor<1x1156xf32>, vector<32xf32>
// CHECK: vector.shuffle {{.*}} [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30] : vector<32xf32>, vector<32xf32>
// CHECK: vector.fma
func.func @strided(%x: tensor<1x4x17x17xf32>, %w: tensor<32x4x3x3xf32>) -> tensor<1x32x8x8xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x32x8x8xf32>
  %c = linalg.fill ins(%z : f32) outs(%e : tensor<1x32x8x8xf32>) -> tensor<1x32x8x8xf32>
  %r = linalg.conv_2d_nchw_fchw {strides = dense<2> : tensor<2xi64>} ins(%x, %w : tensor<1x4x17x17xf32>, tensor<32x4x3x3xf32>) outs(%c : tensor<1x32x8x8xf32>) -> tensor<1x32x8x8xf32>
  return %r : tensor<1x32x8x8xf32>
}

// -----

// Three apart, each of three vectors gives its part.
// CHECK-LABEL: func.func @apart
// CHECK: vector.shuffle {{.*}} [0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, -1, -1, -1, -1, -1] : vector<16xf32>, vector<16xf32>
// CHECK: vector.shuffle {{.*}} [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 19, 22, 25, 28, 31] : vector<16xf32>, vector<16xf32>
func.func @apart(%x: tensor<1x4x48x48xf32>, %w: tensor<32x4x3x3xf32>) -> tensor<1x32x16x16xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x32x16x16xf32>
  %c = linalg.fill ins(%z : f32) outs(%e : tensor<1x32x16x16xf32>) -> tensor<1x32x16x16xf32>
  %r = linalg.conv_2d_nchw_fchw {strides = dense<3> : tensor<2xi64>} ins(%x, %w : tensor<1x4x48x48xf32>, tensor<32x4x3x3xf32>) outs(%c : tensor<1x32x16x16xf32>) -> tensor<1x32x16x16xf32>
  return %r : tensor<1x32x16x16xf32>
}

// -----

// Windows of one pixel are the image as a matrix: nothing is looked up.
// CHECK-LABEL: func.func @point
// CHECK-SAME: %[[X:.*]]: tensor<2x64x14x15xf32>
// CHECK-NOT: tensor<64xindex>
// CHECK: tensor.collapse_shape %[[X]] {{\[}}[0], [1], [2, 3]] : tensor<2x64x14x15xf32> into tensor<2x64x210xf32>
// CHECK: vector.fma
// CHECK: tensor.expand_shape
func.func @point(%x: tensor<2x64x14x15xf32>, %w: tensor<96x64x1x1xf32>) -> tensor<2x96x14x15xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x96x14x15xf32>
  %c = linalg.fill ins(%z : f32) outs(%e : tensor<2x96x14x15xf32>) -> tensor<2x96x14x15xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x64x14x15xf32>, tensor<96x64x1x1xf32>) outs(%c : tensor<2x96x14x15xf32>) -> tensor<2x96x14x15xf32>
  return %r : tensor<2x96x14x15xf32>
}

// -----

// Small images of a batch are the columns of one product, [features][pixels of all images]: what the sums start from is no tensor, and what follows takes the batch to the front.
// CHECK-LABEL: func.func @batch
// CHECK-SAME: %[[X:.*]]: tensor<?x16x8x9xf32>, %[[W:.*]]: tensor<32x16x3x3xf32>, %[[BIAS:.*]]: tensor<32xf32>, %[[OTHER:.*]]: tensor<?x32x6x7xf32>
// CHECK-DAG: %[[IMAGES:.*]] = tensor.collapse_shape %[[X]] {{\[}}[0, 1, 2, 3]] : tensor<?x16x8x9xf32> into tensor<?xf32>
// CHECK: %[[EMPTY:.*]] = tensor.empty(%{{.*}}) : tensor<32x?xf32>
// CHECK: %[[PRODUCT:.*]] = scf.for {{.*}} = %[[EMPTY]])
// CHECK: vector.transfer_read %[[IMAGES]]
// CHECK: tensor.extract %[[BIAS]]
// CHECK: vector.fma
// CHECK: %[[RESULT:.*]] = tensor.expand_shape %[[PRODUCT]] {{\[}}[0], [1, 2]]
// CHECK: %[[A:.*]] = vector.transfer_read %[[RESULT]]{{.*}} : tensor<32x?x42xf32>
// CHECK: %[[B:.*]] = vector.transfer_read {{.*}} : tensor<?x32x42xf32>
// CHECK: arith.addf %[[A]], %[[B]]
// CHECK: tensor.expand_shape {{.*}} into tensor<?x32x6x7xf32>
// CHECK-NEXT: return
func.func @batch(%x: tensor<?x16x8x9xf32>, %w: tensor<32x16x3x3xf32>, %b: tensor<32xf32>, %s: tensor<?x32x6x7xf32>) -> tensor<?x32x6x7xf32> {
  %0 = arith.constant 0 : index
  %n = tensor.dim %x, %0 : tensor<?x16x8x9xf32>
  %e = tensor.empty(%n) : tensor<?x32x6x7xf32>
  %c = linalg.broadcast ins(%b : tensor<32xf32>) outs(%e : tensor<?x32x6x7xf32>) dimensions = [0, 2, 3]
  %r = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<?x16x8x9xf32>, tensor<32x16x3x3xf32>) outs(%c : tensor<?x32x6x7xf32>) -> tensor<?x32x6x7xf32>
  %y = linalg.add ins(%r, %s : tensor<?x32x6x7xf32>, tensor<?x32x6x7xf32>) outs(%e : tensor<?x32x6x7xf32>) -> tensor<?x32x6x7xf32>
  return %y : tensor<?x32x6x7xf32>
}

// -----

// Of windows that are far apart, each element is read alone: those between them would be more than are of use.
// CHECK-LABEL: func.func @patches
// CHECK-SAME: %[[X:.*]]: tensor<1x3x80x80xf32>
// CHECK: %[[ROW:.*]] = tensor.collapse_shape %[[X]]
// CHECK: scf.if
// CHECK-COUNT-16: tensor.extract %[[ROW]]
// CHECK: vector.from_elements
// CHECK: vector.fma
func.func @patches(%x: tensor<1x3x80x80xf32>, %w: tensor<32x3x16x16xf32>) -> tensor<1x32x5x5xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x32x5x5xf32>
  %c = linalg.fill ins(%z : f32) outs(%e : tensor<1x32x5x5xf32>) -> tensor<1x32x5x5xf32>
  %r = linalg.conv_2d_nchw_fchw {strides = dense<16> : tensor<2xi64>} ins(%x, %w : tensor<1x3x80x80xf32>, tensor<32x3x16x16xf32>) outs(%c : tensor<1x32x5x5xf32>) -> tensor<1x32x5x5xf32>
  return %r : tensor<1x32x5x5xf32>
}

// -----

// Neither do filters of their own for each channel make a product, nor do four features pay for packing.
// CHECK-LABEL: func.func @depthwise
// CHECK-NOT: collapse_shape %arg0
// CHECK-LABEL: func.func @few
// CHECK-NOT: collapse_shape %arg0
func.func @depthwise(%x: tensor<1x32x16x18xf32>, %w: tensor<32x3x3xf32>, %c: tensor<1x32x14x16xf32>) -> tensor<1x32x14x16xf32> {
  %r = linalg.depthwise_conv_2d_nchw_chw ins(%x, %w : tensor<1x32x16x18xf32>, tensor<32x3x3xf32>) outs(%c : tensor<1x32x14x16xf32>) -> tensor<1x32x14x16xf32>
  return %r : tensor<1x32x14x16xf32>
}
func.func @few(%x: tensor<1x4x16x18xf32>, %w: tensor<4x4x3x3xf32>, %c: tensor<1x4x14x16xf32>) -> tensor<1x4x14x16xf32> {
  %r = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x4x16x18xf32>, tensor<4x4x3x3xf32>) outs(%c : tensor<1x4x14x16xf32>) -> tensor<1x4x14x16xf32>
  return %r : tensor<1x4x14x16xf32>
}

// -----

// A depthwise convolution of an image of unknown height and width: eight pixels of a row at a time, four, and then the rest alone. What the sums start from is not
// made for the sake of its sizes.
// CHECK-LABEL: func.func @depthwise_any(
// CHECK-NOT: vector.transfer_write
// CHECK: scf.for %{{.*}} = %c0 to %[[EIGHTS:.*]] step %c8
// CHECK-COUNT-8: vector.transfer_write {{.*}} tensor<1x?x?x64xf32>
// CHECK: scf.for %{{.*}} = %[[EIGHTS]] to %[[FOURS:.*]] step %c4
// CHECK-COUNT-4: vector.transfer_write {{.*}} tensor<1x?x?x64xf32>
// CHECK: scf.for %{{.*}} = %[[FOURS]] to %{{.*}} step %c1
// CHECK-COUNT-1: vector.transfer_write {{.*}} tensor<1x?x?x64xf32>
// CHECK-NOT: vector.transfer_write
// CHECK: return
func.func @depthwise_any(%x: tensor<1x?x?x64xf32>, %w: tensor<3x3x64xf32>, %h: index, %v: index) -> tensor<1x?x?x64xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty(%h, %v) : tensor<1x?x?x64xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x?x?x64xf32>) -> tensor<1x?x?x64xf32>
  %r = linalg.depthwise_conv_2d_nhwc_hwc ins(%x, %w : tensor<1x?x?x64xf32>, tensor<3x3x64xf32>) outs(%f : tensor<1x?x?x64xf32>) -> tensor<1x?x?x64xf32>
  return %r : tensor<1x?x?x64xf32>
}

// -----

// A filter whose features are between its reductions, as in the gradient of an image, is copied with these last.
// CHECK-LABEL: func.func @gradient
// CHECK-SAME: %[[X:.*]]: tensor<1x32x16x18xbf16>, %[[W:.*]]: tensor<32x24x3x3xbf16>
// CHECK: %[[PLACES:.*]] = tensor.collapse_shape %[[W]] {{\[}}[0], [1], [2, 3]] : tensor<32x24x3x3xbf16> into tensor<32x24x9xbf16>
// CHECK: vector.transfer_read %[[PLACES]]
// CHECK: tensor.collapse_shape %{{.*}} {{\[}}[0], [1, 2]] : tensor<24x32x9xbf16> into tensor<24x288xbf16>
// CHECK: bufferization.alloc_tensor() : tensor<{{.*}}x288x{{.*}}>
func.func @gradient(%x: tensor<1x32x16x18xbf16>, %w: tensor<32x24x3x3xbf16>) -> tensor<1x24x14x16xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x24x14x16xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x24x14x16xf32>) -> tensor<1x24x14x16xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(n, f, y, x, c, i, j) -> (n, c, y + i, x + j)>, affine_map<(n, f, y, x, c, i, j) -> (c, f, i, j)>, affine_map<(n, f, y, x, c, i, j) -> (n, f, y, x)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x32x16x18xbf16>, tensor<32x24x3x3xbf16>) outs(%f : tensor<1x24x14x16xf32>) {
  ^bb0(%a: bf16, %b: bf16, %o: f32):
    %1 = arith.extf %a : bf16 to f32
    %2 = arith.extf %b : bf16 to f32
    %3 = arith.mulf %1, %2 : f32
    %4 = arith.addf %o, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<1x24x14x16xf32>
  return %r : tensor<1x24x14x16xf32>
}

// -----

// With AVX-512 one of f32 is not, with strides of one; nor is one for few pixels.
// CHECK-LABEL: func.func @as_it_is
// CHECK-NOT: into tensor<24x288x
// CHECK: return
func.func @as_it_is(%x: tensor<1x32x16x18xf32>, %w: tensor<32x24x3x3xf32>, %t: tensor<1x32x5x5xbf16>, %v: tensor<32x24x3x3xbf16>) -> (tensor<1x24x14x16xf32>, tensor<1x24x3x3xf32>) {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x24x14x16xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x24x14x16xf32>) -> tensor<1x24x14x16xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(n, f, y, x, c, i, j) -> (n, c, y + i, x + j)>, affine_map<(n, f, y, x, c, i, j) -> (c, f, i, j)>, affine_map<(n, f, y, x, c, i, j) -> (n, f, y, x)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x32x16x18xf32>, tensor<32x24x3x3xf32>) outs(%f : tensor<1x24x14x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %3 = arith.mulf %a, %b : f32
    %4 = arith.addf %o, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<1x24x14x16xf32>
  %d = tensor.empty() : tensor<1x24x3x3xf32>
  %g = linalg.fill ins(%z : f32) outs(%d : tensor<1x24x3x3xf32>) -> tensor<1x24x3x3xf32>
  %s = linalg.generic {
      indexing_maps = [affine_map<(n, f, y, x, c, i, j) -> (n, c, y + i, x + j)>, affine_map<(n, f, y, x, c, i, j) -> (c, f, i, j)>, affine_map<(n, f, y, x, c, i, j) -> (n, f, y, x)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%t, %v : tensor<1x32x5x5xbf16>, tensor<32x24x3x3xbf16>) outs(%g : tensor<1x24x3x3xf32>) {
  ^bb0(%a: bf16, %b: bf16, %o: f32):
    %1 = arith.extf %a : bf16 to f32
    %2 = arith.extf %b : bf16 to f32
    %3 = arith.mulf %1, %2 : f32
    %4 = arith.addf %o, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<1x24x3x3xf32>
  return %r, %s : tensor<1x24x14x16xf32>, tensor<1x24x3x3xf32>
}

// -----

// A constant filter is another one.
// CHECK-LABEL: func.func @constant
// CHECK: arith.constant dense<"0x0020406008284868103050701838587801214161092949691131517119395979022242620A2A4A6A123252721A3A5A7A032343630B2B4B6B133353731B3B5B7B042444640C2C4C6C143454741C3C5C7C052545650D2D4D6D153555751D3D5D7D062646660E2E4E6E163656761E3E5E7E072747670F2F4F6F173757771F3F5F7F"> : tensor<8x16xi8>
// CHECK-NOT: tensor<2x2x4x8xi8>
// CHECK: return
func.func @constant(%x: tensor<1x4x17x17xi8>) -> tensor<1x8x16x16xi32> {
  %w = arith.constant dense<"0x000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F202122232425262728292A2B2C2D2E2F303132333435363738393A3B3C3D3E3F404142434445464748494A4B4C4D4E4F505152535455565758595A5B5C5D5E5F606162636465666768696A6B6C6D6E6F707172737475767778797A7B7C7D7E7F"> : tensor<2x2x4x8xi8>
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x8x16x16xi32>
  %f = linalg.fill ins(%z : i32) outs(%e : tensor<1x8x16x16xi32>) -> tensor<1x8x16x16xi32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(n, f, y, x, c, i, j) -> (n, c, y + i, x + j)>, affine_map<(n, f, y, x, c, i, j) -> (i, j, c, f)>, affine_map<(n, f, y, x, c, i, j) -> (n, f, y, x)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x4x17x17xi8>, tensor<2x2x4x8xi8>) outs(%f : tensor<1x8x16x16xi32>) {
  ^bb0(%a: i8, %b: i8, %o: i32):
    %1 = arith.extsi %a : i8 to i32
    %2 = arith.extsi %b : i8 to i32
    %3 = arith.muli %1, %2 : i32
    %4 = arith.addi %o, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<1x8x16x16xi32>
  return %r : tensor<1x8x16x16xi32>
}
