// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=x86-64-v4 no-scalar-fallback}))' | FileCheck %s
// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=x86-64-v4 features=+avx512bf16}))' | FileCheck %s --check-prefix=DOT
// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=x86-64-v4}))' > %t.once
// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=x86-64-v4},amp-cpu-codegen{cpu=x86-64-v4}))' > %t.twice
// RUN: diff %t.once %t.twice

// Rows of the output are rows of a contraction, whose k has a segment for each place in the filter. Padding is zeros written while packing: no padded image.
// CHECK-LABEL: func.func @padded
// CHECK-NOT: tensor.pad
// CHECK-NOT: tensor<1x16x16x32xbf16>
// CHECK: arith.cmpi ult, {{.*}}, %c14
// CHECK: scf.if
// CHECK: vector.transfer_read %arg0{{.*}} : tensor<1x14x14x32xbf16>, vector<{{[0-9]+}}xbf16>
// CHECK: else
// CHECK: vector.fma
// CHECK: arith.maximumf
// CHECK: vector.transfer_write {{.*}} tensor<196x64xf32>
// CHECK-NOT: tensor.pad
// CHECK: return
func.func @padded(%x: tensor<1x14x14x32xbf16>, %w: tensor<3x3x32x64xbf16>) -> tensor<1x14x14x64xf32> {
  %z = arith.constant 0.0 : f32
  %zero = arith.constant 0.0 : bf16
  %zeros = arith.constant dense<0.0> : tensor<1x14x14x64xf32>
  %e = tensor.empty() : tensor<1x14x14x64xf32>
  %c = linalg.fill ins(%z : f32) outs(%e : tensor<1x14x14x64xf32>) -> tensor<1x14x14x64xf32>
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : bf16
  } : tensor<1x14x14x32xbf16> to tensor<1x16x16x32xbf16>
  %r = linalg.conv_2d_nhwc_hwcf ins(%p, %w : tensor<1x16x16x32xbf16>, tensor<3x3x32x64xbf16>) outs(%c : tensor<1x14x14x64xf32>) -> tensor<1x14x14x64xf32>
  %y = arith.maximumf %r, %zeros : tensor<1x14x14x64xf32>
  return %y : tensor<1x14x14x64xf32>
}

// -----

// In f32 and with few filters, elements of the image are read where they are, of a padded copy: each place in the filter is a loop over its channels, on the
// same sums in registers.
// CHECK-LABEL: func.func @in_place
// CHECK: %[[IMAGE:.*]] = tensor.insert_slice %arg0 into {{.*}} : tensor<1x14x14x32xf32> into tensor<1x16x16x32xf32>
// CHECK: %{{[0-9]+}}:24 = scf.for %{{[a-z0-9]+}} = %c0 to %{{[0-9]+}} step %c1 iter_args
// CHECK: %{{[0-9]+}}:24 = scf.for %{{[a-z0-9]+}} = %c0 to %c32 step %c1 iter_args
// CHECK: tensor.extract %[[IMAGE]]
// CHECK: vector.fma
// CHECK: return
func.func @in_place(%x: tensor<1x14x14x32xf32>, %w: tensor<3x3x32x64xf32>) -> tensor<1x14x14x64xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x14x14x64xf32>
  %c = linalg.fill ins(%z : f32) outs(%e : tensor<1x14x14x64xf32>) -> tensor<1x14x14x64xf32>
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %z : f32
  } : tensor<1x14x14x32xf32> to tensor<1x16x16x32xf32>
  %r = linalg.conv_2d_nhwc_hwcf ins(%p, %w : tensor<1x16x16x32xf32>, tensor<3x3x32x64xf32>) outs(%c : tensor<1x14x14x64xf32>) -> tensor<1x14x14x64xf32>
  return %r : tensor<1x14x14x64xf32>
}

// -----

// The same of any size.
// CHECK-LABEL: func.func @dynamic
// CHECK-NOT: tensor.pad
// CHECK: vector.fma
// CHECK: return
func.func @dynamic(%x: tensor<?x?x?x?xf32>, %w: tensor<?x?x?x?xf32>, %c: tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32> {
  %z = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %z : f32
  } : tensor<?x?x?x?xf32> to tensor<?x?x?x?xf32>
  %r = linalg.conv_2d_nhwc_hwcf ins(%p, %w : tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>) outs(%c : tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>
  return %r : tensor<?x?x?x?xf32>
}

// -----

// Padding with something else, and of what others read too, is a copy.
// CHECK-LABEL: func.func @copied
// CHECK-NOT: tensor.pad
// CHECK: tensor.insert_slice
// CHECK: vector.fma
// CHECK: return
func.func @copied(%x: tensor<1x14x14x32xf32>, %w: tensor<3x3x32x64xf32>, %c: tensor<1x14x14x64xf32>) -> tensor<1x14x14x64xf32> {
  %one = arith.constant 1.0 : f32
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %one : f32
  } : tensor<1x14x14x32xf32> to tensor<1x16x16x32xf32>
  %r = linalg.conv_2d_nhwc_hwcf ins(%p, %w : tensor<1x16x16x32xf32>, tensor<3x3x32x64xf32>) outs(%c : tensor<1x14x14x64xf32>) -> tensor<1x14x14x64xf32>
  return %r : tensor<1x14x14x64xf32>
}

// -----

// A few channels and the columns of the window are one reduction, over rows of the image.
// CHECK-LABEL: func.func @first
// CHECK: tensor.collapse_shape %arg0 {{.*}} : tensor<1x230x230x3xf32> into tensor<1x230x690xf32>
// CHECK: tensor.collapse_shape %arg1 {{.*}} : tensor<7x7x3x64xf32> into tensor<7x21x64xf32>
// CHECK: vector.fma
// CHECK: return
func.func @first(%x: tensor<1x230x230x3xf32>, %w: tensor<7x7x3x64xf32>, %c: tensor<1x112x112x64xf32>) -> tensor<1x112x112x64xf32> {
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>} ins(%x, %w : tensor<1x230x230x3xf32>, tensor<7x7x3x64xf32>) outs(%c : tensor<1x112x112x64xf32>) -> tensor<1x112x112x64xf32>
  return %r : tensor<1x112x112x64xf32>
}

// -----

// A bias that sums start from, as tosa and torch-mlir write it, is read where it is: no image of it is made. All rows of a tile start alike, in registers.
// CHECK-LABEL: func.func @biased(
// CHECK-SAME: %{{[^:]*}}: tensor<2x58x58x64xf32>, %{{[^:]*}}: tensor<3x3x64x64xf32>, %[[BIAS:[^:]*]]: tensor<64xf32>
// CHECK: %[[RESULT:.*]] = tensor.empty() : tensor<6272x64xf32>
// CHECK-NOT: tensor.empty() : tensor<6272x64xf32>
// CHECK: %[[START:.*]] = vector.transfer_read %[[BIAS]][%{{.*}}], %{{.*}} : tensor<64xf32>, vector<16xf32>
// CHECK-NOT: vector.transfer_write %[[START]]
// CHECK: vector.fma
// CHECK: return
func.func @biased(%x: tensor<2x58x58x64xf32>, %w: tensor<3x3x64x64xf32>, %bias: tensor<64xf32>) -> tensor<2x56x56x64xf32> {
  %e = tensor.empty() : tensor<2x56x56x64xf32>
  %b = linalg.broadcast ins(%bias : tensor<64xf32>) outs(%e : tensor<2x56x56x64xf32>) dimensions = [0, 1, 2]
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<2x58x58x64xf32>, tensor<3x3x64x64xf32>) outs(%b : tensor<2x56x56x64xf32>) -> tensor<2x56x56x64xf32>
  return %r : tensor<2x56x56x64xf32>
}

// -----

// One in another type is converted once, not for each pixel.
// CHECK-LABEL: func.func @biased_bf16(
// CHECK-SAME: %[[BIAS:[^:]*]]: tensor<64xbf16>
// CHECK: vector.transfer_read %[[BIAS]]
// CHECK: %[[WIDE:.*]] = arith.extf {{.*}} : vector<64xbf16> to vector<64xf32>
// CHECK: vector.transfer_write %[[WIDE]], {{.*}} tensor<64xf32>
// CHECK-NOT: arith.extf
// CHECK: vector.transfer_read {{.*}} : tensor<64xf32>, vector<16xf32>
// CHECK: vector.fma
// CHECK: return
#row = affine_map<(n, y, x, f) -> (f)>
#all = affine_map<(n, y, x, f) -> (n, y, x, f)>
func.func @biased_bf16(%x: tensor<2x58x58x64xf32>, %w: tensor<3x3x64x64xf32>, %bias: tensor<64xbf16>) -> tensor<2x56x56x64xf32> {
  %e = tensor.empty() : tensor<2x56x56x64xf32>
  %b = linalg.generic {indexing_maps = [#row, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%bias : tensor<64xbf16>) outs(%e : tensor<2x56x56x64xf32>) {
  ^bb0(%v: bf16, %o: f32):
    %wide = arith.extf %v : bf16 to f32
    linalg.yield %wide : f32
  } -> tensor<2x56x56x64xf32>
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<2x58x58x64xf32>, tensor<3x3x64x64xf32>) outs(%b : tensor<2x56x56x64xf32>) -> tensor<2x56x56x64xf32>
  return %r : tensor<2x56x56x64xf32>
}

// -----

// The pixels of the result are one loop, and those of what follows, with any number of images: only the image takes their number apart.
// CHECK-LABEL: func.func @pixels(
// CHECK-SAME: %[[X:[^:]*]]: tensor<?x30x30x64xf32>, %{{[^:]*}}: tensor<3x3x64x64xf32>, %[[OTHER:[^:]*]]: tensor<?x28x28x64xf32>
// CHECK: %[[ROWS:.*]] = tensor.collapse_shape %[[OTHER]] {{\[}}[0, 1, 2], [3]{{\]}} : tensor<?x28x28x64xf32> into tensor<?x64xf32>
// CHECK: tensor.extract %[[X]][%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}] : tensor<?x30x30x64xf32>
// CHECK: vector.transfer_read %[[ROWS]][%[[PIXEL:[^,]*]], %c0]{{.*}} : tensor<?x64xf32>, vector<16xf32>
// CHECK: arith.addf
// CHECK: vector.transfer_write {{.*}}[%[[PIXEL]], %c0]{{.*}} : vector<16xf32>, tensor<?x64xf32>
// CHECK: tensor.expand_shape {{.*}} {{\[}}[0, 1, 2], [3]{{\]}} {{.*}} : tensor<?x64xf32> into tensor<?x28x28x64xf32>
// CHECK: return
func.func @pixels(%x: tensor<?x30x30x64xf32>, %w: tensor<3x3x64x64xf32>, %y: tensor<?x28x28x64xf32>) -> tensor<?x28x28x64xf32> {
  %z = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x30x30x64xf32>
  %e = tensor.empty(%n) : tensor<?x28x28x64xf32>
  %c = linalg.fill ins(%z : f32) outs(%e : tensor<?x28x28x64xf32>) -> tensor<?x28x28x64xf32>
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<?x30x30x64xf32>, tensor<3x3x64x64xf32>) outs(%c : tensor<?x28x28x64xf32>) -> tensor<?x28x28x64xf32>
  %s = arith.addf %r, %y : tensor<?x28x28x64xf32>
  return %s : tensor<?x28x28x64xf32>
}

// -----

// A tile's first row is divided into an image, a row and a column of it; the others are counted from there: at once, where an image's row is not shorter than
// a tile, and else one after the other. None is divided behind that.
// CHECK-LABEL: func.func @counted(
// CHECK: affine.apply
// CHECK: %[[BY:.*]] = arith.minui %{{.*}}, %c13
// CHECK-NEXT: %[[MOVED:.*]] = arith.addi %{{.*}}, %[[BY]]
// CHECK-NEXT: %[[PAST:.*]] = arith.cmpi uge, %[[MOVED]], %c224
// CHECK-NEXT: %[[LESS:.*]] = arith.subi %[[MOVED]], %c224
// CHECK-NEXT: arith.select %[[PAST]], %[[LESS]], %[[MOVED]]
// CHECK-NEXT: arith.index_castui %[[PAST]] : i1 to index
// CHECK: tensor.extract
func.func @counted(%x: tensor<?x226x226x3xf32>, %w: tensor<3x3x3x32xf32>) -> tensor<?x224x224x32xf32> {
  %z = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x226x226x3xf32>
  %e = tensor.empty(%n) : tensor<?x224x224x32xf32>
  %c = linalg.fill ins(%z : f32) outs(%e : tensor<?x224x224x32xf32>) -> tensor<?x224x224x32xf32>
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<?x226x226x3xf32>, tensor<3x3x3x32xf32>) outs(%c : tensor<?x224x224x32xf32>) -> tensor<?x224x224x32xf32>
  return %r : tensor<?x224x224x32xf32>
}

// -----

// CHECK-LABEL: func.func @counted_any(
// CHECK: arith.remui
// CHECK: arith.divui
// CHECK: arith.remui
// CHECK: arith.divui
// CHECK: arith.cmpi ugt, %{{.*}}, %c13
// CHECK-NOT: {{div|rem}}ui
// CHECK: vector.fma
// CHECK-NOT: {{div|rem}}ui
// CHECK: %{{.*}}:4 = scf.for
// CHECK: vector.transfer_write
// CHECK: return
func.func @counted_any(%x: tensor<?x?x?x3xf32>, %w: tensor<3x3x3x32xf32>, %c: tensor<?x?x?x32xf32>) -> tensor<?x?x?x32xf32> {
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<?x?x?x3xf32>, tensor<3x3x3x32xf32>) outs(%c : tensor<?x?x?x32xf32>) -> tensor<?x?x?x32xf32>
  return %r : tensor<?x?x?x32xf32>
}

// -----

// Not where what follows tells them apart, which then stays on the tiles.
// CHECK-LABEL: func.func @per_image(
// CHECK-NOT: tensor.collapse_shape
// CHECK: vector.fma
// CHECK: arith.addf
// CHECK: vector.transfer_write {{.*}} tensor<2x28x28x64xf32>
// CHECK: return
#image = affine_map<(n, y, x, f) -> (n, f)>
#all = affine_map<(n, y, x, f) -> (n, y, x, f)>
func.func @per_image(%x: tensor<2x30x30x64xf32>, %w: tensor<3x3x64x64xf32>, %y: tensor<2x64xf32>) -> tensor<2x28x28x64xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x28x28x64xf32>
  %c = linalg.fill ins(%z : f32) outs(%e : tensor<2x28x28x64xf32>) -> tensor<2x28x28x64xf32>
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<2x30x30x64xf32>, tensor<3x3x64x64xf32>) outs(%c : tensor<2x28x28x64xf32>) -> tensor<2x28x28x64xf32>
  %s = linalg.generic {indexing_maps = [#all, #image, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%r, %y : tensor<2x28x28x64xf32>, tensor<2x64xf32>) outs(%e : tensor<2x28x28x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %t = arith.addf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<2x28x28x64xf32>
  return %s : tensor<2x28x28x64xf32>
}

// -----

// Groups of bf16 may end behind a row of the window: what is there is not read.
// DOT-LABEL: func.func @short_rows(
// DOT: tensor.collapse_shape %{{.*}} : tensor<1x32x32x3xbf16> into tensor<1x32x96xbf16>
// DOT: %[[MASK:.*]] = vector.constant_mask [9] : vector<30xi1>
// DOT: vector.transfer_read {{.*}}, %[[MASK]] {{.*}} : tensor<1x32x96xbf16>, vector<30xbf16>
// DOT: return
func.func @short_rows(%x: tensor<1x32x32x3xbf16>, %w: tensor<3x3x3x64xbf16>) -> tensor<1x30x30x64xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x30x30x64xf32>
  %c = linalg.fill ins(%z : f32) outs(%e : tensor<1x30x30x64xf32>) -> tensor<1x30x30x64xf32>
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x32x32x3xbf16>, tensor<3x3x3x64xbf16>) outs(%c : tensor<1x30x30x64xf32>) -> tensor<1x30x30x64xf32>
  return %r : tensor<1x30x30x64xf32>
}

// -----

// An image of unknown height and width, whose rows are strided: a table of where the steps of k are is made, and panels are packed from the image, the part of
// one that is in a row of it at a time. One element of the windows' matrix is at (n / width) * move + n % width * 2 + step; that matrix is not made.
// DOT-LABEL: func.func @any_image(
// DOT-SAME: %[[X:[a-z0-9]+]]: tensor<1x16x?x?xbf16>
// DOT: %[[STEPS:.*]] = scf.for %{{.*}} = %c0 to %c144 step %c1 {{.*}} -> (tensor<144xindex>)
// DOT: tensor.insert
// DOT-NOT: linalg
// DOT: %[[FIRST:.*]] = arith.divui %{{.*}}, %[[WIDTH:.*]] : index
// DOT: %[[END:.*]] = arith.ceildivui %{{.*}}, %[[WIDTH]] : index
// DOT: scf.for %[[ROW:.*]] = %[[FIRST]] to %[[END]] step %c1
// DOT: arith.muli %[[ROW]], %[[WIDTH]]
// DOT: %[[START:.*]] = arith.muli %[[ROW]], %
// DOT: %[[STEP:.*]] = tensor.extract %[[STEPS]]
// DOT: vector.transfer_read %{{.*}}[%c0, %{{.*}}]{{.*}} : tensor<1x?xbf16>, vector<16xbf16>
// DOT: x86vector.avx512.dot
// DOT-NOT: linalg
// DOT: return
func.func @any_image(%x: tensor<1x16x?x?xbf16>, %w: tensor<24x16x3x3xbf16>, %c: tensor<1x24x?x?xf32>) -> tensor<1x24x?x?xf32> {
  %r = linalg.conv_2d_nchw_fchw {strides = dense<2> : tensor<2xi64>} ins(%x, %w : tensor<1x16x?x?xbf16>, tensor<24x16x3x3xbf16>) outs(%c : tensor<1x24x?x?xf32>) -> tensor<1x24x?x?xf32>
  return %r : tensor<1x24x?x?xf32>
}

// -----

// Of windows of one pixel the image is the matrix.
// CHECK-LABEL: func.func @any_image_point(
// CHECK: tensor.collapse_shape %{{.*}} {{\[}}[0], [1], [2, 3]] : tensor<1x64x?x?xf32> into tensor<1x64x?xf32>
// CHECK-NOT: xindex>
// CHECK: vector.fma
// CHECK: return
func.func @any_image_point(%x: tensor<1x64x?x?xf32>, %w: tensor<24x64x1x1xf32>, %c: tensor<1x24x?x?xf32>) -> tensor<1x24x?x?xf32> {
  %r = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x64x?x?xf32>, tensor<24x64x1x1xf32>) outs(%c : tensor<1x24x?x?xf32>) -> tensor<1x24x?x?xf32>
  return %r : tensor<1x24x?x?xf32>
}
