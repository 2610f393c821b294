// RUN: amp-opt %s --amp-form-kernels --split-input-file | FileCheck %s

// Casts of the operands are prologues; bias, activation, residual and the cast
// of the result are one epilogue. The accumulator is f32.

// CHECK-LABEL: func.func @linear_matmul_0(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<32x64xf32>, %[[W:[a-z0-9]+]]: tensor<64x16xf32>, %[[B:[a-z0-9]+]]: tensor<16xf32>, %[[R:[a-z0-9]+]]: tensor<32x16xf32>, %[[D:[a-z0-9]+]]: tensor<32x16xf16> {amp.destination = 0 : i64})
// CHECK-DAG: linalg.generic {{.*}} ins(%[[X]] : tensor<32x64xf32>) outs(%{{.*}} : tensor<32x64xf16>)
// CHECK-DAG: linalg.generic {{.*}} ins(%[[W]] : tensor<64x16xf32>) outs(%{{.*}} : tensor<64x16xf16>)
// CHECK: %[[F:.*]] = linalg.fill {{.*}} -> tensor<32x16xf32>
// CHECK: %[[M:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]} {{.*}} outs(%[[F]] : tensor<32x16xf32>)
// CHECK: linalg.generic {{.*}} ins(%[[M]], %[[B]], %[[R]] : tensor<32x16xf32>, tensor<16xf32>, tensor<32x16xf32>) outs(%[[D]] : tensor<32x16xf16>)
// CHECK: arith.addf
// CHECK-NEXT: arith.maximumf
// CHECK-NEXT: arith.addf
// CHECK-NEXT: arith.truncf
// CHECK-NOT: linalg.generic
// CHECK-LABEL: func.func @linear(
// CHECK-COUNT-1: amp.launch
// CHECK-NOT: amp.launch
func.func @linear(%x: tensor<32x64xf32>, %w: tensor<64x16xf32>, %b: tensor<16xf32>, %r: tensor<32x16xf32>) -> tensor<32x16xf16> {
  %z = arith.constant 0.0 : f32
  %xh = arith.truncf %x : tensor<32x64xf32> to tensor<32x64xf16>
  %wh = arith.truncf %w : tensor<64x16xf32> to tensor<64x16xf16>
  %e = tensor.empty() : tensor<32x16xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<32x16xf32>) -> tensor<32x16xf32>
  %m = linalg.matmul ins(%xh, %wh : tensor<32x64xf16>, tensor<64x16xf16>) outs(%f : tensor<32x16xf32>) -> tensor<32x16xf32>
  %bb = linalg.broadcast ins(%b : tensor<16xf32>) outs(%e : tensor<32x16xf32>) dimensions = [0]
  %s = arith.addf %m, %bb : tensor<32x16xf32>
  %a = arith.maximumf %s, %f : tensor<32x16xf32>
  %t = arith.addf %a, %r : tensor<32x16xf32>
  %h = arith.truncf %t : tensor<32x16xf32> to tensor<32x16xf16>
  return %h : tensor<32x16xf16>
}

// -----

// What a contraction starts from is added by the epilogue. An attribute of the
// op goes to the kernel.

// CHECK-LABEL: func.func @accumulate_matmul_0(
// CHECK-SAME: %[[C:[a-z0-9]+]]: tensor<8x8xf32>, %[[D:[a-z0-9]+]]: tensor<8x8xf32> {amp.destination = 0 : i64})
// CHECK-SAME: amp.schedule = "simt"
// CHECK: linalg.fill
// CHECK: %[[M:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]}
// CHECK: linalg.generic {{.*}} ins(%[[M]], %[[C]] : {{.*}}) outs(%[[D]]
// CHECK: arith.addf
func.func @accumulate(%a: tensor<8x16xf32>, %b: tensor<16x8xf32>, %c: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = linalg.matmul {amp.schedule = "simt"} ins(%a, %b : tensor<8x16xf32>, tensor<16x8xf32>) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

// An expensive producer is computed once, and one with two readers as well; but
// it is no reason not to fuse the residual. No group is entered twice.

// CHECK-LABEL: func.func @diamond_exp_0(
// CHECK-LABEL: func.func @diamond_matmul_1(
// CHECK-NOT: math.exp
// CHECK: arith.addf
// CHECK: arith.addf
// CHECK-LABEL: func.func @diamond(
// CHECK: %[[X:.*]] = amp.launch @kernels::@diamond_exp_0
// CHECK: amp.launch @kernels::@diamond_matmul_1 ins(%[[X]]
// CHECK-NOT: amp.launch
func.func @diamond(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %z = arith.constant 0.0 : f32
  %x = math.exp %a : tensor<8x8xf32>
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %m = linalg.matmul ins(%x, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %r = arith.addf %x, %m : tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

// -----

// A padded image is part of its convolution.

// CHECK-LABEL: func.func @conv_conv_0(
// CHECK: tensor.pad
// CHECK: linalg.generic
// CHECK-LABEL: func.func @conv(
// CHECK-COUNT-1: amp.launch
// CHECK-NOT: amp.launch
func.func @conv(%x: tensor<2x8x8x4xf32>, %k: tensor<3x3x4x6xf32>) -> tensor<2x8x8x6xf32> {
  %z = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %z : f32
  } : tensor<2x8x8x4xf32> to tensor<2x10x10x4xf32>
  %e = tensor.empty() : tensor<2x8x8x6xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x8x8x6xf32>) -> tensor<2x8x8x6xf32>
  %r = linalg.conv_2d_nhwc_hwcf ins(%p, %k : tensor<2x10x10x4xf32>, tensor<3x3x4x6xf32>) outs(%f : tensor<2x8x8x6xf32>) -> tensor<2x8x8x6xf32>
  return %r : tensor<2x8x8x6xf32>
}

// -----

// The cast of a value that is reshaped and transposed is done where the value is
// computed.

// CHECK-LABEL: func.func @heads_matmul_0(
// CHECK-SAME: -> tensor<64x32xf16>
// CHECK-LABEL: func.func @heads_transpose_1(
// CHECK-SAME: %{{.*}}: tensor<64x4x8xf16>
func.func @heads(%x: tensor<64x16xf16>, %w: tensor<16x32xf16>) -> tensor<4x64x8xf16> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x32xf32>) -> tensor<64x32xf32>
  %m = linalg.matmul ins(%x, %w : tensor<64x16xf16>, tensor<16x32xf16>) outs(%f : tensor<64x32xf32>) -> tensor<64x32xf32>
  %s = tensor.expand_shape %m [[0], [1, 2]] output_shape [64, 4, 8] : tensor<64x32xf32> into tensor<64x4x8xf32>
  %et = tensor.empty() : tensor<4x64x8xf32>
  %t = linalg.transpose ins(%s : tensor<64x4x8xf32>) outs(%et : tensor<4x64x8xf32>) permutation = [1, 0, 2]
  %h = arith.truncf %t : tensor<4x64x8xf32> to tensor<4x64x8xf16>
  return %h : tensor<4x64x8xf16>
}

// -----

// What an activation is computed of leaves with it: one kernel of two results.

// CHECK-LABEL: func.func @both_matmul_0(
// CHECK-SAME: {amp.destination = 0 : i64}
// CHECK-SAME: {amp.destination = 1 : i64}
// CHECK-SAME: -> (tensor<64x32xf16>, tensor<64x32xf16>)
// CHECK-LABEL: func.func @both(
// CHECK: %[[R:.*]]:2 = amp.launch @kernels::@both_matmul_0
// CHECK-NEXT: return %[[R]]#0, %[[R]]#1
func.func @both(%x: tensor<64x16xf16>, %w: tensor<16x32xf16>) -> (tensor<64x32xf16>, tensor<64x32xf16>) {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x32xf32>) -> tensor<64x32xf32>
  %m = linalg.matmul ins(%x, %w : tensor<64x16xf16>, tensor<16x32xf16>) outs(%f : tensor<64x32xf32>) -> tensor<64x32xf32>
  %h = arith.truncf %m : tensor<64x32xf32> to tensor<64x32xf16>
  %c = arith.constant dense<0.0> : tensor<64x32xf16>
  %r = arith.maximumf %h, %c : tensor<64x32xf16>
  return %h, %r : tensor<64x32xf16>, tensor<64x32xf16>
}
