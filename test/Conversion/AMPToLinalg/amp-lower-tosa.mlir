// RUN: amp-opt %s --amp-lower-tosa | FileCheck %s
// RUN: amp-opt %s --amp-lower-tosa > %t.once
// RUN: amp-opt %t.once --amp-lower-tosa | diff %t.once -
// RUN: amp-opt %s --amp-lower-to-linalg | FileCheck %s --check-prefix=LINALG --implicit-check-not=tosa.
// The results are compared in test/Integration/CPU/tosa.py.

// Two pixels in each dimension, in f32, rounded once. Where the place is in front of the first pixel both are that one.
// CHECK-LABEL: func.func @bilinear
// CHECK-SAME: %[[X:.*]]: tensor<?x?x16x3xbf16>
// CHECK: %[[H:.*]] = tensor.dim %[[X]], %c1
// CHECK: affine.apply
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "parallel", "parallel", "parallel"]
// CHECK: arith.maxsi
// CHECK: %[[Y:.*]] = arith.divui
// CHECK: arith.minui %[[Y]]
// CHECK-COUNT-4: tensor.extract %[[X]]
// CHECK-COUNT-6: arith.mulf {{.*}} : f32
// CHECK: arith.truncf {{.*}} : f32 to bf16
// LINALG-LABEL: func.func @bilinear
func.func @bilinear(%x: tensor<?x?x16x3xbf16>) -> tensor<?x?x32x3xbf16> {
  %s = tosa.const_shape {values = dense<[4, 2, 4, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %o = tosa.const_shape {values = dense<-1> : tensor<2xindex>} : () -> !tosa.shape<2>
  %b = tosa.const_shape {values = dense<1> : tensor<2xindex>} : () -> !tosa.shape<2>
  %0 = tosa.resize %x, %s, %o, %b {mode = BILINEAR} : (tensor<?x?x16x3xbf16>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<?x?x32x3xbf16>
  return %0 : tensor<?x?x32x3xbf16>
}

// Integers are weighed by integers.
// CHECK-LABEL: func.func @integers
// CHECK: arith.extsi {{.*}} : i8 to i32
// CHECK-COUNT-6: arith.muli {{.*}} : i32
// LINALG-LABEL: func.func @integers
func.func @integers(%x: tensor<1x4x4x3xi8>) -> tensor<1x8x8x3xi32> {
  %s = tosa.const_shape {values = dense<[4, 2, 4, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %o = tosa.const_shape {values = dense<-1> : tensor<2xindex>} : () -> !tosa.shape<2>
  %b = tosa.const_shape {values = dense<1> : tensor<2xindex>} : () -> !tosa.shape<2>
  %0 = tosa.resize %x, %s, %o, %b {mode = BILINEAR} : (tensor<1x4x4x3xi8>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x8x8x3xi32>
  return %0 : tensor<1x8x8x3xi32>
}

// CHECK-LABEL: func.func @nearest
// CHECK: arith.cmpi uge
// CHECK: arith.select
// CHECK-COUNT-1: tensor.extract
// CHECK-NOT: tensor.extract
// CHECK: return
// LINALG-LABEL: func.func @nearest
func.func @nearest(%x: tensor<1x4x4x3xf32>) -> tensor<1x8x8x3xf32> {
  %s = tosa.const_shape {values = dense<[4, 2, 4, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %o = tosa.const_shape {values = dense<-1> : tensor<2xindex>} : () -> !tosa.shape<2>
  %b = tosa.const_shape {values = dense<1> : tensor<2xindex>} : () -> !tosa.shape<2>
  %0 = tosa.resize %x, %s, %o, %b {mode = NEAREST_NEIGHBOR} : (tensor<1x4x4x3xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x8x8x3xf32>
  return %0 : tensor<1x8x8x3xf32>
}

// What is around the image is not counted.
// CHECK-LABEL: func.func @mean
// CHECK: tensor.pad
// CHECK: linalg.pooling_nhwc_sum
// CHECK: linalg.generic
// CHECK: arith.divf
// LINALG-LABEL: func.func @mean
func.func @mean(%x: tensor<1x?x?x4xf32>) -> tensor<1x?x?x4xf32> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %0 = tosa.avg_pool2d %x, %z, %z {acc_type = f32, kernel = array<i64: 3, 3>, stride = array<i64: 2, 2>, pad = array<i64: 1, 1, 1, 1>} : (tensor<1x?x?x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x?x?x4xf32>
  return %0 : tensor<1x?x?x4xf32>
}

// Of an image of known size upstream's lowering has a form.
// CHECK-LABEL: func.func @known_mean
// CHECK: tosa.avg_pool2d
// LINALG-LABEL: func.func @known_mean
func.func @known_mean(%x: tensor<?x8x8x4xf32>) -> tensor<?x4x4x4xf32> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %0 = tosa.avg_pool2d %x, %z, %z {acc_type = f32, kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>} : (tensor<?x8x8x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x4x4x4xf32>
  return %0 : tensor<?x4x4x4xf32>
}

// CHECK-LABEL: func.func @tile
// CHECK: linalg.generic
// CHECK: tensor.collapse_shape {{.*}} {{\[}}[0], [1, 2], [3, 4]]
// LINALG-LABEL: func.func @tile
func.func @tile(%x: tensor<4x?x?xf32>) -> tensor<4x?x?xf32> {
  %m = tosa.const_shape {values = dense<[1, 2, 3]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %0 = tosa.tile %x, %m : (tensor<4x?x?xf32>, !tosa.shape<3>) -> tensor<4x?x?xf32>
  return %0 : tensor<4x?x?xf32>
}

// CHECK-LABEL: func.func @gather
// CHECK: %[[X:.*]] = tensor.cast {{.*}} : tensor<?x8x4xf32> to tensor<2x8x4xf32>
// CHECK: tosa.gather %[[X]], {{.*}} -> tensor<2x5x4xf32>
// LINALG-LABEL: func.func @gather
func.func @gather(%x: tensor<?x8x4xf32>, %i: tensor<2x5xi32>) -> tensor<2x5x4xf32> {
  %0 = tosa.gather %x, %i : (tensor<?x8x4xf32>, tensor<2x5xi32>) -> tensor<2x5x4xf32>
  return %0 : tensor<2x5x4xf32>
}

// CHECK-LABEL: func.func @scatter
// CHECK: tensor.cast {{.*}} : tensor<?x8x4xf32> to tensor<2x8x4xf32>
// CHECK: tosa.scatter {{.*}} -> tensor<2x8x4xf32>
// LINALG-LABEL: func.func @scatter
func.func @scatter(%x: tensor<?x8x4xf32>, %i: tensor<2x5xi32>, %y: tensor<2x5x4xf32>) -> tensor<?x8x4xf32> {
  %0 = tosa.scatter %x, %i, %y : (tensor<?x8x4xf32>, tensor<2x5xi32>, tensor<2x5x4xf32>) -> tensor<?x8x4xf32>
  return %0 : tensor<?x8x4xf32>
}

// Sizes that a result's type leaves open, and its operands tell.
// CHECK-LABEL: func.func @refined
// CHECK: %[[R:.*]] = tosa.transpose_conv2d {{.*}} -> tensor<1x10x10x8xf32>
// CHECK: tensor.cast %[[R]] : tensor<1x10x10x8xf32> to tensor<1x?x10x8xf32>
// LINALG-LABEL: func.func @refined
func.func @refined(%x: tensor<1x5x5x4xf32>, %w: tensor<8x2x2x4xf32>, %b: tensor<8xf32>) -> tensor<1x?x10x8xf32> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %0 = tosa.transpose_conv2d %x, %w, %b, %z, %z {acc_type = f32, out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x5x5x4xf32>, tensor<8x2x2x4xf32>, tensor<8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x?x10x8xf32>
  return %0 : tensor<1x?x10x8xf32>
}

// Four phases of one or two rows and columns of the filter each. With a filter of one pixel the others are the bias.
// CHECK-LABEL: func.func @transposed
// CHECK-COUNT-4: tosa.conv2d {{.*}} pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>
// CHECK-NOT: tosa.conv2d
// CHECK-LABEL: func.func @sparse
// CHECK: linalg.generic {{.*}} ins({{.*}} : tensor<8xf32>)
// CHECK-COUNT-1: tosa.conv2d
// CHECK: tensor.insert_slice {{.*}}[0, 0, 0, 0] {{.*}} [1, 2, 2, 1]
// CHECK-NOT: tosa.conv2d
// CHECK: return
// LINALG-LABEL: func.func @transposed
func.func @transposed(%x: tensor<1x?x5x4xf32>, %w: tensor<8x3x3x4xf32>, %b: tensor<8xf32>) -> tensor<1x?x10x8xf32> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %0 = tosa.transpose_conv2d %x, %w, %b, %z, %z {acc_type = f32, out_pad = array<i64: 0, -1, 0, -1>, stride = array<i64: 2, 2>} : (tensor<1x?x5x4xf32>, tensor<8x3x3x4xf32>, tensor<8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x?x10x8xf32>
  return %0 : tensor<1x?x10x8xf32>
}
func.func @sparse(%x: tensor<1x?x?x4xf32>, %w: tensor<8x1x1x4xf32>, %b: tensor<8xf32>) -> tensor<1x?x?x8xf32> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %0 = tosa.transpose_conv2d %x, %w, %b, %z, %z {acc_type = f32, out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x?x?x4xf32>, tensor<8x1x1x4xf32>, tensor<8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x?x?x8xf32>
  return %0 : tensor<1x?x?x8xf32>
}

// CHECK-LABEL: func.func @casts
// CHECK: tosa.cast {{.*}} : (tensor<4xf16>) -> tensor<4xf32>
// CHECK: tosa.cast {{.*}} : (tensor<4xf32>) -> tensor<4xbf16>
// CHECK: tosa.cast {{.*}} : (tensor<4xbf16>) -> tensor<4xf32>
// CHECK: tosa.cast {{.*}} : (tensor<4xf32>) -> tensor<4xf16>
// LINALG-LABEL: func.func @casts
func.func @casts(%x: tensor<4xf16>) -> tensor<4xf16> {
  %0 = tosa.cast %x : (tensor<4xf16>) -> tensor<4xbf16>
  %1 = tosa.cast %0 : (tensor<4xbf16>) -> tensor<4xf16>
  return %1 : tensor<4xf16>
}

// From NaN, which every number replaces.
// CHECK-LABEL: func.func @largest_number
// CHECK: linalg.fill ins({{.*}} : f32)
// CHECK: linalg.reduce ins({{.*}} dimensions = [1]
// CHECK: arith.maxnumf
// CHECK: tensor.expand_shape {{.*}} {{\[}}[0, 1]]
// LINALG-LABEL: func.func @largest_number
func.func @largest_number(%x: tensor<4x9xf32>) -> tensor<4x1xf32> {
  %0 = tosa.reduce_max %x {axis = 1 : i32, nan_mode = IGNORE} : (tensor<4x9xf32>) -> tensor<4x1xf32>
  return %0 : tensor<4x1xf32>
}

// CHECK-LABEL: func.func @smallest_number
// CHECK: linalg.reduce ins({{.*}} dimensions = [0]
// CHECK: arith.minnumf
// CHECK: tensor.expand_shape {{.*}} []
// LINALG-LABEL: func.func @smallest_number
func.func @smallest_number(%x: tensor<9xbf16>) -> tensor<1xbf16> {
  %0 = tosa.reduce_min %x {axis = 0 : i32, nan_mode = IGNORE} : (tensor<9xbf16>) -> tensor<1xbf16>
  return %0 : tensor<1xbf16>
}

// Below all numbers is -inf, which a type without infinities has not.
// CHECK-LABEL: func.func @largest
// CHECK-DAG: %[[LOW:.*]] = arith.constant 0xFF80 : bf16
// CHECK-DAG: %[[FINITE:.*]] = arith.constant -4.480000e+02 : f8E4M3FN
// CHECK: linalg.fill ins(%[[LOW]] : bf16)
// CHECK: linalg.reduce
// CHECK: arith.maximumf
// CHECK: linalg.fill ins(%[[FINITE]] : f8E4M3FN)
// LINALG-LABEL: func.func @largest
func.func @largest(%x: tensor<4x9xbf16>, %y: tensor<1x4x4x8xf8E4M3FN>) -> (tensor<4x1xbf16>, tensor<1x2x2x8xf8E4M3FN>) {
  %0 = tosa.reduce_max %x {axis = 1 : i32} : (tensor<4x9xbf16>) -> tensor<4x1xbf16>
  %1 = tosa.max_pool2d %y {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>} : (tensor<1x4x4x8xf8E4M3FN>) -> tensor<1x2x2x8xf8E4M3FN>
  return %0, %1 : tensor<4x1xbf16>, tensor<1x2x2x8xf8E4M3FN>
}

// The image has -inf around it, or NaN where NaN is ignored.
// CHECK-LABEL: func.func @pool
// CHECK-DAG: %[[BELOW:.*]] = arith.constant 0xFF800000 : f32
// CHECK-DAG: %[[NAN:.*]] = arith.constant 0x7FC00000 : f32
// CHECK: affine.apply
// CHECK: tensor.pad
// CHECK: tensor.yield %[[BELOW]]
// CHECK: linalg.pooling_nhwc_max
// CHECK: tensor.pad
// CHECK: tensor.yield %[[NAN]]
// CHECK: arith.maxnumf
// LINALG-LABEL: func.func @pool
func.func @pool(%x: tensor<1x?x8x4xf32>) -> (tensor<1x?x4x4xf32>, tensor<1x?x4x4xf32>) {
  %0 = tosa.max_pool2d %x {kernel = array<i64: 3, 3>, stride = array<i64: 2, 2>, pad = array<i64: 1, 1, 1, 0>} : (tensor<1x?x8x4xf32>) -> tensor<1x?x4x4xf32>
  %1 = tosa.max_pool2d %x {kernel = array<i64: 3, 3>, stride = array<i64: 2, 2>, pad = array<i64: 1, 1, 1, 0>, nan_mode = IGNORE} : (tensor<1x?x8x4xf32>) -> tensor<1x?x4x4xf32>
  return %0, %1 : tensor<1x?x4x4xf32>, tensor<1x?x4x4xf32>
}

// CHECK-LABEL: func.func @pointwise
// CHECK: tosa.pad {{.*}} : (tensor<1x4x4x8xi8>, !tosa.shape<8>, tensor<1xi8>) -> tensor<1x6x7x8xi8>
// CHECK: tosa.depthwise_conv2d {{.*}} pad = array<i64: 0, 0, 0, 0>
// LINALG-LABEL: func.func @pointwise
func.func @pointwise(%x: tensor<1x4x4x8xi8>, %w: tensor<1x1x8x1xi8>, %b: tensor<8xi32>) -> tensor<1x6x7x8xi32> {
  %z = "tosa.const"() {values = dense<3> : tensor<1xi8>} : () -> tensor<1xi8>
  %0 = tosa.depthwise_conv2d %x, %w, %b, %z, %z {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 2>, stride = array<i64: 1, 1>} : (tensor<1x4x4x8xi8>, tensor<1x1x8x1xi8>, tensor<8xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x6x7x8xi32>
  return %0 : tensor<1x6x7x8xi32>
}

// Products with cosines and sines: one each along the width of what is real, two along the height.
// CHECK-LABEL: func.func @real_transform
// CHECK-NOT: math.
// CHECK-COUNT-6: linalg.generic
// CHECK-NOT: linalg.generic
// CHECK: return
// LINALG-LABEL: func.func @real_transform
func.func @real_transform(%x: tensor<?x4x8xf32>) -> (tensor<?x4x5xf32>, tensor<?x4x5xf32>) {
  %0:2 = tosa.rfft2d %x : (tensor<?x4x8xf32>) -> (tensor<?x4x5xf32>, tensor<?x4x5xf32>)
  return %0#0, %0#1 : tensor<?x4x5xf32>, tensor<?x4x5xf32>
}

// The matrices of larger ones would take too much memory.
// CHECK-LABEL: func.func @large_transform
// CHECK: tosa.fft2d
// LINALG-LABEL: func.func @large_transform
func.func @large_transform(%x: tensor<1x1x2048xf32>, %y: tensor<1x1x2048xf32>) -> (tensor<1x1x2048xf32>, tensor<1x1x2048xf32>) {
  %0:2 = tosa.fft2d %x, %y {inverse = true} : (tensor<1x1x2048xf32>, tensor<1x1x2048xf32>) -> (tensor<1x1x2048xf32>, tensor<1x1x2048xf32>)
  return %0#0, %0#1 : tensor<1x1x2048xf32>, tensor<1x1x2048xf32>
}
