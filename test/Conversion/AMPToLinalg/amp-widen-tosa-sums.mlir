// RUN: amp-opt %s --amp-widen-tosa-sums | FileCheck %s
// RUN: amp-opt %s --amp-widen-tosa-sums > %t.once
// RUN: amp-opt %s --amp-widen-tosa-sums --amp-widen-tosa-sums > %t.twice
// RUN: diff %t.once %t.twice
// RUN: amp-opt %s --amp-lower-to-linalg | FileCheck %s --check-prefix=LINALG

// CHECK-LABEL: func.func @depthwise
// CHECK-SAME: %[[X:.*]]: tensor<?x8x8x4xf16>, %[[W:.*]]: tensor<3x3x4x2xf16>, %[[B:.*]]: tensor<8xf16>
// CHECK: %[[BIAS:.*]] = tosa.cast %[[B]] : (tensor<8xf16>) -> tensor<8xf32>
// CHECK: %[[R:.*]] = tosa.depthwise_conv2d %[[X]], %[[W]], %[[BIAS]], %{{.*}}, %{{.*}} {acc_type = f32, amp.name = "features.3"{{.*}} -> tensor<?x6x6x8xf32>
// CHECK: %[[Y:.*]] = tosa.cast %[[R]] : (tensor<?x6x6x8xf32>) -> tensor<?x6x6x8xf16>
// CHECK: return %[[Y]]
// The bias is added to sums of f32, which are rounded once.
// LINALG-LABEL: func.func @depthwise
// LINALG: linalg.depthwise_conv_2d_nhwc_hwcm {{.*}} -> tensor<?x6x6x4x2xf32>
// LINALG-NOT: arith.truncf
// LINALG: arith.addf {{.*}} : f32
// LINALG: arith.truncf {{.*}} : f32 to f16
// LINALG-NOT: arith.addf
// LINALG: return
func.func @depthwise(%x: tensor<?x8x8x4xf16>, %w: tensor<3x3x4x2xf16>, %b: tensor<8xf16>) -> tensor<?x6x6x8xf16> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf16>} : () -> tensor<1xf16>
  %0 = tosa.depthwise_conv2d %x, %w, %b, %z, %z {acc_type = f32, amp.name = "features.3", dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<?x8x8x4xf16>, tensor<3x3x4x2xf16>, tensor<8xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<?x6x6x8xf16>
  return %0 : tensor<?x6x6x8xf16>
}

// CHECK-LABEL: func.func @transposed
// CHECK: tosa.cast {{.*}} -> tensor<8xf32>
// CHECK: tosa.transpose_conv2d {{.*}} -> tensor<1x10x10x8xf32>
// CHECK: tosa.cast {{.*}} -> tensor<1x10x10x8xbf16>
// LINALG-LABEL: func.func @transposed
// LINALG: arith.addf {{.*}} : f32
// LINALG: arith.truncf {{.*}} : f32 to bf16
// LINALG: return
func.func @transposed(%x: tensor<1x5x5x4xbf16>, %w: tensor<8x2x2x4xbf16>, %b: tensor<8xbf16>) -> tensor<1x10x10x8xbf16> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xbf16>} : () -> tensor<1xbf16>
  %0 = tosa.transpose_conv2d %x, %w, %b, %z, %z {acc_type = f32, out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x5x5x4xbf16>, tensor<8x2x2x4xbf16>, tensor<8xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x10x10x8xbf16>
  return %0 : tensor<1x10x10x8xbf16>
}

// What sums in its own type stays, as do integers and the convolution that adds its bias first.
// CHECK-LABEL: func.func @same
// CHECK-NOT: tosa.cast
// CHECK: return
func.func @same(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x4x1xf32>, %b: tensor<4xf32>, %xi: tensor<1x8x8x4xi8>, %wi: tensor<3x3x4x1xi8>, %bi: tensor<4xi32>,
                %xb: tensor<1x8x8x4xbf16>, %wb: tensor<6x3x3x4xbf16>, %bb: tensor<6xbf16>) -> (tensor<1x6x6x4xf32>, tensor<1x6x6x4xi32>, tensor<1x6x6x6xbf16>) {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %zi = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %zb = "tosa.const"() {values = dense<0.0> : tensor<1xbf16>} : () -> tensor<1xbf16>
  %0 = tosa.depthwise_conv2d %x, %w, %b, %z, %z {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x8x8x4xf32>, tensor<3x3x4x1xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x6x6x4xf32>
  %1 = tosa.depthwise_conv2d %xi, %wi, %bi, %zi, %zi {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x8x8x4xi8>, tensor<3x3x4x1xi8>, tensor<4xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x6x6x4xi32>
  %2 = tosa.conv2d %xb, %wb, %bb, %zb, %zb {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x8x8x4xbf16>, tensor<6x3x3x4xbf16>, tensor<6xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x6x6x6xbf16>
  return %0, %1, %2 : tensor<1x6x6x4xf32>, tensor<1x6x6x4xi32>, tensor<1x6x6x6xbf16>
}
