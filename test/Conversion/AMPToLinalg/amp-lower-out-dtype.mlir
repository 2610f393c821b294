// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file --amp-lower-out-dtype | FileCheck %s
// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file --amp-lower-out-dtype --amp-lower-out-dtype | FileCheck %s

// Batched products stay batched, on f8 operands as they are, with one rounding
// of the f32 accumulator.
// CHECK-LABEL: func.func @bmm
// CHECK-SAME: (%[[A:.*]]: tensor<2x4x8xf8E4M3FN>, %[[B:.*]]: tensor<2x8x4xf8E4M3FN>)
func.func @bmm(%a: tensor<2x4x8xf8E4M3FN>, %b: tensor<2x8x4xf8E4M3FN>) -> tensor<2x4x4xbf16> {
  // CHECK: %[[M:.*]] = linalg.batch_matmul ins(%[[A]], %[[B]] : tensor<2x4x8xf8E4M3FN>, tensor<2x8x4xf8E4M3FN>) outs(%{{.*}} : tensor<2x4x4xf32>)
  // CHECK: %[[C:.*]] = amp.cast %[[M]] : tensor<2x4x4xf32> to tensor<2x4x4xbf16>
  // CHECK: return %[[C]]
  %0 = amp.out_dtype (%x = %a : tensor<2x4x8xf8E4M3FN>, %y = %b : tensor<2x8x4xf8E4M3FN>) -> tensor<2x4x4xbf16> {
    %1 = "aten.bmm"(%x, %y) : (tensor<2x4x8xf8E4M3FN>, tensor<2x8x4xf8E4M3FN>) -> tensor<2x4x4xf8E4M3FN>
    amp.yield %1 : tensor<2x4x4xf8E4M3FN>
  }
  return %0 : tensor<2x4x4xbf16>
}

// -----

// Unsigned operands: the same named op, which zero-extends.
// CHECK-LABEL: func.func @unsigned
func.func @unsigned(%a: tensor<?x8xui8>, %b: tensor<8x4xui8>) -> tensor<?x4xi32> {
  // CHECK-DAG: %[[A:.*]] = tensor.bitcast %{{.*}} : tensor<?x8xui8> to tensor<?x8xi8>
  // CHECK-DAG: %[[B:.*]] = tensor.bitcast %{{.*}} : tensor<8x4xui8> to tensor<8x4xi8>
  // CHECK: linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%[[A]], %[[B]] : tensor<?x8xi8>, tensor<8x4xi8>) outs(%{{.*}} : tensor<?x4xi32>)
  %0 = amp.out_dtype (%x = %a : tensor<?x8xui8>, %y = %b : tensor<8x4xui8>) -> tensor<?x4xi32> {
    %1 = "torch.aten.mm"(%x, %y) : (tensor<?x8xui8>, tensor<8x4xui8>) -> tensor<?x4xui8>
    amp.yield %1 : tensor<?x4xui8>
  }
  return %0 : tensor<?x4xi32>
}

// -----

// Signed by unsigned: no named op means that, so a generic does.
// CHECK-LABEL: func.func @signs
func.func @signs(%a: tensor<4x8xi8>, %b: tensor<8x4xui8>) -> tensor<4x4xi32> {
  // CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<4x8xi8>, tensor<8x4xi8>) outs(%{{.*}} : tensor<4x4xi32>)
  // CHECK: arith.extsi %{{.*}} : i8 to i32
  // CHECK: arith.extui %{{.*}} : i8 to i32
  %0 = amp.out_dtype (%x = %a : tensor<4x8xi8>, %y = %b : tensor<8x4xui8>) -> tensor<4x4xi32> {
    %1 = "aten.mm"(%x, %y) : (tensor<4x8xi8>, tensor<8x4xui8>) -> tensor<4x4xi16>
    amp.yield %1 : tensor<4x4xi16>
  }
  return %0 : tensor<4x4xi32>
}

// -----

// A linear layer of any rank, its bias in the accumulator from the start.
// CHECK-LABEL: func.func @linear
// CHECK-SAME: (%[[X:.*]]: tensor<2x3x8xi8>, %[[W:.*]]: tensor<5x8xi8>, %[[B:.*]]: tensor<5xi32>)
func.func @linear(%x: tensor<2x3x8xi8>, %w: tensor<5x8xi8>, %b: tensor<5xi32>) -> tensor<2x3x5xi32> {
  // CHECK: %[[I:.*]] = linalg.generic {{.*}} ins(%[[B]] : tensor<5xi32>) outs(%{{.*}} : tensor<2x3x5xi32>)
  // CHECK: linalg.contract {{.*}} ins(%[[X]], %[[W]] : tensor<2x3x8xi8>, tensor<5x8xi8>) outs(%[[I]] : tensor<2x3x5xi32>)
  %0 = amp.out_dtype (%p = %x : tensor<2x3x8xi8>, %q = %w : tensor<5x8xi8>, %r = %b : tensor<5xi32>) -> tensor<2x3x5xi32> {
    %1 = "aten.linear"(%p, %q, %r) : (tensor<2x3x8xi8>, tensor<5x8xi8>, tensor<5xi32>) -> tensor<2x3x5xi32>
    amp.yield %1 : tensor<2x3x5xi32>
  }
  return %0 : tensor<2x3x5xi32>
}

// -----

// A convolution: padded as it is, in i8.
// CHECK-LABEL: func.func @conv
func.func @conv(%x: tensor<1x3x8x8xi8>, %w: tensor<4x3x3x3xi8>) -> tensor<1x4x4x8xi32> {
  // CHECK: %[[P:.*]] = tensor.pad %{{.*}} low[0, 0, 1, 1] high[0, 0, 1, 1]
  // CHECK: tensor<1x3x8x8xi8> to tensor<1x3x10x10xi8>
  // CHECK: linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>} ins(%[[P]], %{{.*}} : tensor<1x3x10x10xi8>, tensor<4x3x3x3xi8>) outs(%{{.*}} : tensor<1x4x4x8xi32>)
  %0 = amp.out_dtype (%p = %x : tensor<1x3x8x8xi8>, %q = %w : tensor<4x3x3x3xi8>) -> tensor<1x4x4x8xi32> {
    %1 = "aten.conv2d"(%p, %q) {stride = [2, 1], padding = [1, 1]} : (tensor<1x3x8x8xi8>, tensor<4x3x3x3xi8>) -> tensor<1x4x4x8xi8>
    amp.yield %1 : tensor<1x4x4x8xi8>
  }
  return %0 : tensor<1x4x4x8xi32>
}

// -----

// A dynamic convolution: the size of the result follows from the operand's.
// CHECK: #[[$MAP:.*]] = affine_map<()[s0] -> ((s0 - 1) floordiv 2 + 1)>
// CHECK-LABEL: func.func @conv_dynamic
func.func @conv_dynamic(%x: tensor<?x3x?x8xf16>, %w: tensor<4x3x3x3xf16>) -> tensor<?x4x?x8xf32> {
  // CHECK: affine.apply #[[$MAP]]()[%{{.*}}]
  // CHECK: linalg.conv_2d_nchw_fchw {{.*}} outs(%{{.*}} : tensor<?x4x?x8xf32>)
  %0 = amp.out_dtype (%p = %x : tensor<?x3x?x8xf16>, %q = %w : tensor<4x3x3x3xf16>) -> tensor<?x4x?x8xf32> {
    %1 = "aten.conv2d"(%p, %q) {stride = array<i64: 2, 1>, padding = 1 : i64} : (tensor<?x3x?x8xf16>, tensor<4x3x3x3xf16>) -> tensor<?x4x?x8xf16>
    amp.yield %1 : tensor<?x4x?x8xf16>
  }
  return %0 : tensor<?x4x?x8xf32>
}

// -----

// A product widens in registers.
// CHECK-LABEL: func.func @mul
// CHECK-SAME: (%[[A:.*]]: tensor<4xi8>)
func.func @mul(%a: tensor<4xi8>) -> tensor<4xi32> {
  // CHECK: %[[S:.*]] = arith.constant 2.700000e+00 : f64
  // CHECK: linalg.generic {{.*}} ins(%[[A]], %[[S]] : tensor<4xi8>, f64) outs(%{{.*}} : tensor<4xf32>)
  // CHECK: arith.sitofp %{{.*}} : i8 to f32
  // CHECK: arith.truncf %{{.*}} : f64 to f32
  // CHECK: arith.mulf %{{.*}} : f32
  // CHECK: amp.cast %{{.*}} : tensor<4xf32> to tensor<4xi32>
  %0 = amp.out_dtype (%x = %a : tensor<4xi8>) -> tensor<4xi32> {
    %1 = "aten.mul.Scalar"(%x) {other = 2.7 : f64} : (tensor<4xi8>) -> tensor<4xf32>
    amp.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xi32>
}

// -----

// i16 by i16 to a float: the sums that i32 does not hold are kept in i64.
// CHECK-LABEL: func.func @wide
func.func @wide(%a: tensor<4x4xi16>, %c: tensor<4x4xi16>) -> tensor<4x4xf32> {
  // CHECK: linalg.matmul {{.*}} outs(%{{.*}} : tensor<4x4xi64>)
  %0 = amp.out_dtype (%x = %a : tensor<4x4xi16>, %z = %c : tensor<4x4xi16>) -> tensor<4x4xf32> {
    %1 = linalg.matmul ins(%x, %x : tensor<4x4xi16>, tensor<4x4xi16>) outs(%z : tensor<4x4xi16>) -> tensor<4x4xi16>
    amp.yield %1 : tensor<4x4xi16>
  }
  return %0 : tensor<4x4xf32>
}

// -----

// tosa's zero points are subtracted in registers, and are what pads.
// CHECK-LABEL: func.func @tosa
func.func @tosa(%a: tensor<1x4x4x2xi8>, %w: tensor<3x2x2x2xi8>, %b: tensor<3xi32>) -> tensor<1x4x4x3xi64> {
  // CHECK-DAG: %[[Z:.*]] = arith.constant 3 : i8
  // CHECK: tensor.pad %{{.*}} low[0, 1, 0, 0] high[0, 0, 1, 0]
  // CHECK: tensor.yield %[[Z]] : i8
  // CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<1x5x5x2xi8>, tensor<3x2x2x2xi8>) outs(%{{.*}} : tensor<1x4x4x3xi64>)
  // CHECK: arith.subi
  %p = "tosa.const"() {values = dense<3> : tensor<1xi8>} : () -> tensor<1xi8>
  %q = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %0 = amp.out_dtype (%x = %a : tensor<1x4x4x2xi8>, %y = %w : tensor<3x2x2x2xi8>, %z = %b : tensor<3xi32>, %s = %p : tensor<1xi8>, %t = %q : tensor<1xi8>) -> tensor<1x4x4x3xi64> {
    %1 = tosa.conv2d %x, %y, %z, %s, %t {acc_type = i32, pad = array<i64: 1, 0, 0, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x4x4x2xi8>, tensor<3x2x2x2xi8>, tensor<3xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x3xi32>
    amp.yield %1 : tensor<1x4x4x3xi32>
  }
  return %0 : tensor<1x4x4x3xi64>
}
