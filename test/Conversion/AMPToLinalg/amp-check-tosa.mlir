// RUN: amp-opt %s --split-input-file --verify-diagnostics --amp-check-tosa
// RUN: not amp-opt %s --split-input-file --amp-lower-to-linalg -o - 2>&1 | FileCheck %s --implicit-check-not='failed to legalize'
// What upstream's lowering of tosa refuses is told of in front of it, with what it needs. Each error is the only one.

// CHECK: error: 'tosa.conv2d' op cannot be lowered
func.func @filter(%x: tensor<1x8x8x4xf32>, %w: tensor<?x3x3x4xf32>, %b: tensor<?xf32>) -> tensor<1x6x6x?xf32> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  // expected-error @+1 {{'tosa.conv2d' op cannot be lowered with a filter of type 'tensor<?x3x3x4xf32>'; expected known sizes}}
  %0 = tosa.conv2d %x, %w, %b, %z, %z {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x8x8x4xf32>, tensor<?x3x3x4xf32>, tensor<?xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x6x6x?xf32>
  return %0 : tensor<1x6x6x?xf32>
}

// -----

// CHECK: error: 'tosa.depthwise_conv2d' op cannot be lowered
func.func @bias(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x4x1xf32>, %b: tensor<?xf32>) -> tensor<1x6x6x4xf32> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  // expected-error @+1 {{'tosa.depthwise_conv2d' op cannot be lowered with a bias of type 'tensor<?xf32>'; expected known sizes}}
  %0 = tosa.depthwise_conv2d %x, %w, %b, %z, %z {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x8x8x4xf32>, tensor<3x3x4x1xf32>, tensor<?xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x6x6x4xf32>
  return %0 : tensor<1x6x6x4xf32>
}

// -----

// CHECK: error: 'tosa.conv2d' op cannot be lowered
func.func @zero_point(%x: tensor<1x8x8x4xf32>, %w: tensor<8x3x3x4xf32>, %b: tensor<8xf32>,
    // expected-note @+1 {{the zero point}}
    %z: tensor<1xf32>) -> tensor<1x6x6x8xf32> {
  // expected-error @+1 {{'tosa.conv2d' op cannot be lowered with a zero point of its input that is computed; expected a 'tosa.const'}}
  %0 = tosa.conv2d %x, %w, %b, %z, %z {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x8x8x4xf32>, tensor<8x3x3x4xf32>, tensor<8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x6x6x8xf32>
  return %0 : tensor<1x6x6x8xf32>
}

// -----

// CHECK: error: 'tosa.matmul' op cannot be lowered
func.func @product(%x: tensor<1x?x?xf32>, %w: tensor<1x?x?xf32>,
    // expected-note @+1 {{the zero point}}
    %y: tensor<1xf32>) -> tensor<1x?x?xf32> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  // expected-error @+1 {{'tosa.matmul' op cannot be lowered with a zero point of its second operand that is computed; expected a 'tosa.const'}}
  %0 = tosa.matmul %x, %w, %z, %y : (tensor<1x?x?xf32>, tensor<1x?x?xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x?x?xf32>
  return %0 : tensor<1x?x?xf32>
}

// -----

// CHECK: error: 'tosa.avg_pool2d' op cannot be lowered
func.func @pool(%x: tensor<?x?x8x4xf32>,
    // expected-note @+1 {{the zero point}}
    %y: tensor<1xf32>) -> tensor<?x?x7x4xf32> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  // expected-error @+1 {{'tosa.avg_pool2d' op cannot be lowered with a zero point of its input that is computed; expected a 'tosa.const'}}
  %0 = tosa.avg_pool2d %x, %y, %z {acc_type = f32, kernel = array<i64: 2, 2>, stride = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>} : (tensor<?x?x8x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x?x7x4xf32>
  return %0 : tensor<?x?x7x4xf32>
}

// -----

// CHECK: error: 'tosa.transpose_conv2d' op cannot be lowered
func.func @transposed(%x: tensor<1x?x5x4xf32>, %w: tensor<8x?x2x4xf32>, %b: tensor<8xf32>) -> tensor<1x?x10x8xf32> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  // expected-error @+1 {{'tosa.transpose_conv2d' op cannot be lowered with a filter of type 'tensor<8x?x2x4xf32>'; expected known sizes}}
  %0 = tosa.transpose_conv2d %x, %w, %b, %z, %z {acc_type = f32, out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x?x5x4xf32>, tensor<8x?x2x4xf32>, tensor<8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x?x10x8xf32>
  return %0 : tensor<1x?x10x8xf32>
}

// -----

// All that is dynamic here has a form.
// CHECK-LABEL: func.func @any_size
// CHECK: linalg.conv_2d_nhwc_fhwc
func.func @any_size(%x: tensor<?x?x?x4xf32>, %w: tensor<8x3x3x4xf32>, %b: tensor<8xf32>) -> tensor<?x?x?x8xf32> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %0 = tosa.conv2d %x, %w, %b, %z, %z {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<?x?x?x4xf32>, tensor<8x3x3x4xf32>, tensor<8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x?x?x8xf32>
  %1 = tosa.max_pool2d %0 {kernel = array<i64: 1, 1>, stride = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>} : (tensor<?x?x?x8xf32>) -> tensor<?x?x?x8xf32>
  return %1 : tensor<?x?x?x8xf32>
}
