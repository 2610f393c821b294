// With separate-casts, large contractions read 16-bit operands as they are in memory: casts are in kernels of their own, once for all readers.
// RUN: amp-opt %s --amp-form-kernels | FileCheck %s --check-prefix=TOGETHER
// RUN: amp-opt %s --amp-form-kernels=separate-casts=true | FileCheck %s
// RUN: amp-opt %s --amp-form-kernels=separate-casts=true --remarks-filter=amp --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// REMARK: FusionMissed | {{.*}}Function=cast_feeds_one{{.*}}the contraction reads its operands as they are in memory

#id = affine_map<(r, c) -> (r, c)>

// TOGETHER-LABEL: func.func @cast_feeds_one(
// TOGETHER-COUNT-1: amp.launch
// TOGETHER-NOT: amp.launch
// TOGETHER-LABEL: func.func @cast_feeds_two(
// CHECK-LABEL: func.func @cast_feeds_one(
// CHECK: %[[CAST:.*]] = amp.launch {{.*}} ins(%{{.*}} : tensor<64x128xf32>) {{.*}} -> tensor<64x128xf16>
// CHECK: amp.launch {{.*}} ins(%[[CAST]], %{{.*}} : tensor<64x128xf16>, tensor<128x96xf16>)
// CHECK-NOT: amp.launch
func.func @cast_feeds_one(%x: tensor<64x128xf32>, %w: tensor<128x96xf16>) -> tensor<64x96xf32> {
  %e = tensor.empty() : tensor<64x128xf16>
  %h = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x128xf32>) outs(%e : tensor<64x128xf16>) {
  ^bb0(%a: f32, %o: f16):
    %t = arith.truncf %a : f32 to f16
    linalg.yield %t : f16
  } -> tensor<64x128xf16>
  %z = arith.constant 0.0 : f32
  %e1 = tensor.empty() : tensor<64x96xf32>
  %f = linalg.fill ins(%z : f32) outs(%e1 : tensor<64x96xf32>) -> tensor<64x96xf32>
  %y = linalg.matmul ins(%h, %w : tensor<64x128xf16>, tensor<128x96xf16>) outs(%f : tensor<64x96xf32>) -> tensor<64x96xf32>
  return %y : tensor<64x96xf32>
}

// The cast of an operand that two contractions read is computed once.
// CHECK-LABEL: func.func @cast_feeds_two(
// CHECK: %[[CAST:.*]] = amp.launch {{.*}} ins(%{{.*}} : tensor<64x128xf32>) {{.*}} -> tensor<64x128xf16>
// CHECK: amp.launch {{.*}} ins(%[[CAST]],
// CHECK: amp.launch {{.*}} ins(%[[CAST]],
// CHECK-NOT: amp.launch
func.func @cast_feeds_two(%x: tensor<64x128xf32>, %w: tensor<128x96xf16>, %v: tensor<128x64xf16>) -> (tensor<64x96xf32>, tensor<64x64xf32>) {
  %e = tensor.empty() : tensor<64x128xf16>
  %h = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x128xf32>) outs(%e : tensor<64x128xf16>) {
  ^bb0(%a: f32, %o: f16):
    %t = arith.truncf %a : f32 to f16
    linalg.yield %t : f16
  } -> tensor<64x128xf16>
  %z = arith.constant 0.0 : f32
  %e1 = tensor.empty() : tensor<64x96xf32>
  %f = linalg.fill ins(%z : f32) outs(%e1 : tensor<64x96xf32>) -> tensor<64x96xf32>
  %y = linalg.matmul ins(%h, %w : tensor<64x128xf16>, tensor<128x96xf16>) outs(%f : tensor<64x96xf32>) -> tensor<64x96xf32>
  %e2 = tensor.empty() : tensor<64x64xf32>
  %g = linalg.fill ins(%z : f32) outs(%e2 : tensor<64x64xf32>) -> tensor<64x64xf32>
  %u = linalg.matmul ins(%h, %v : tensor<64x128xf16>, tensor<128x64xf16>) outs(%g : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %y, %u : tensor<64x96xf32>, tensor<64x64xf32>
}

// What only moves elements stays: operands may be transposed. So does the cast of a result of few rows.
// CHECK-LABEL: func.func @transposed(
// CHECK-COUNT-1: amp.launch
// CHECK-NOT: amp.launch
func.func @transposed(%x: tensor<128x64xf16>, %w: tensor<128x96xf16>) -> tensor<64x96xf32> {
  %e = tensor.empty() : tensor<64x128xf16>
  %h = linalg.transpose ins(%x : tensor<128x64xf16>) outs(%e : tensor<64x128xf16>) permutation = [1, 0]
  %z = arith.constant 0.0 : f32
  %e1 = tensor.empty() : tensor<64x96xf32>
  %f = linalg.fill ins(%z : f32) outs(%e1 : tensor<64x96xf32>) -> tensor<64x96xf32>
  %y = linalg.matmul ins(%h, %w : tensor<64x128xf16>, tensor<128x96xf16>) outs(%f : tensor<64x96xf32>) -> tensor<64x96xf32>
  return %y : tensor<64x96xf32>
}

// CHECK-LABEL: func.func @few_rows(
// CHECK-COUNT-1: amp.launch
// CHECK-NOT: amp.launch
func.func @few_rows(%x: tensor<16x128xf32>, %w: tensor<128x96xf16>) -> tensor<16x96xf32> {
  %e = tensor.empty() : tensor<16x128xf16>
  %h = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<16x128xf32>) outs(%e : tensor<16x128xf16>) {
  ^bb0(%a: f32, %o: f16):
    %t = arith.truncf %a : f32 to f16
    linalg.yield %t : f16
  } -> tensor<16x128xf16>
  %z = arith.constant 0.0 : f32
  %e1 = tensor.empty() : tensor<16x96xf32>
  %f = linalg.fill ins(%z : f32) outs(%e1 : tensor<16x96xf32>) -> tensor<16x96xf32>
  %y = linalg.matmul ins(%h, %w : tensor<16x128xf16>, tensor<128x96xf16>) outs(%f : tensor<16x96xf32>) -> tensor<16x96xf32>
  return %y : tensor<16x96xf32>
}
