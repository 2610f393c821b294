// Contractions with maps of their own, and accumulators that the program wrote
// in another type than f32.
//
// RUN: amp-opt %s --split-input-file -test-amp-precision-interface -o /dev/null 2>&1 | FileCheck %s --check-prefix=MODEL
// RUN: amp-opt %s --split-input-file -test-amp-precision-retype=to=f16 | FileCheck %s -D$TYPE=f16 -D$ACC=f32
// RUN: amp-opt %s --split-input-file -test-amp-precision-retype=to=bf16 | FileCheck %s -D$TYPE=bf16 -D$ACC=f32
// RUN: amp-opt %s --split-input-file -test-amp-precision-retype=to=f32 | FileCheck %s -D$TYPE=f32 -D$ACC=f32
// RUN: amp-opt %s --split-input-file -test-amp-precision-retype=to=f64 | FileCheck %s -D$TYPE=f64 -D$ACC=f64

// MODEL: remark: linalg.contract: contraction (input, input, accumulator) payload arith.mulf, arith.addf free depth 3 flops 48 bytes 136
// CHECK-LABEL: func.func @contract(
// CHECK: %[[R:.*]] = linalg.contract indexing_maps = [#{{.*}}, #{{.*}}, #{{.*}}] ins(%{{.*}}, %{{.*}} : tensor<3x2x[[$TYPE]]>, tensor<3x4x[[$TYPE]]>) outs(%{{.*}} : tensor<4x2x[[$ACC]]>) -> tensor<4x2x[[$ACC]]>
func.func @contract(%a: tensor<3x2xf32>, %b: tensor<3x4xf32>, %o: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (n, m)>] {test.retype}
    ins(%a, %b : tensor<3x2xf32>, tensor<3x4xf32>) outs(%o : tensor<4x2xf32>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// -----

// The maps stay with the op.
// MODEL: remark: linalg.matmul: contraction (input, input, accumulator)
// CHECK-DAG: #[[$A:.*]] = affine_map<(d0, d1, d2) -> (d2, d0)>
// CHECK-DAG: #[[$B:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-DAG: #[[$C:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-LABEL: func.func @matmul_transposed(
// CHECK: linalg.matmul indexing_maps = [#[[$A]], #[[$B]], #[[$C]]] ins(%{{.*}}, %{{.*}} : tensor<3x2x[[$TYPE]]>, tensor<4x3x[[$TYPE]]>) outs(%{{.*}} : tensor<2x4x[[$ACC]]>)
func.func @matmul_transposed(%a: tensor<3x2xf32>, %b: tensor<4x3xf32>, %o: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>] {test.retype}
    ins(%a, %b : tensor<3x2xf32>, tensor<4x3xf32>) outs(%o : tensor<2x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

// An operand that is broadcast over the batch, and one that is transposed.
// MODEL: remark: linalg.batch_matmul: contraction (input, input, accumulator)
// CHECK-DAG: #[[$A:.*]] = affine_map<(d0, d1, d2, d3) -> (d1, d3)>
// CHECK-DAG: #[[$B:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
// CHECK-DAG: #[[$C:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
// CHECK-LABEL: func.func @batch_matmul_broadcast(
// CHECK: linalg.batch_matmul indexing_maps = [#[[$A]], #[[$B]], #[[$C]]] ins(%{{.*}}, %{{.*}} : tensor<2x3x[[$TYPE]]>, tensor<5x4x3x[[$TYPE]]>) outs(%{{.*}} : tensor<5x2x4x[[$ACC]]>)
func.func @batch_matmul_broadcast(%a: tensor<2x3xf32>, %b: tensor<5x4x3xf32>, %o: tensor<5x2x4xf32>) -> tensor<5x2x4xf32> {
  %0 = linalg.batch_matmul indexing_maps = [affine_map<(b, m, n, k) -> (m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>] {test.retype}
    ins(%a, %b : tensor<2x3xf32>, tensor<5x4x3xf32>) outs(%o : tensor<5x2x4xf32>) -> tensor<5x2x4xf32>
  return %0 : tensor<5x2x4xf32>
}

// -----

// What was written with a bf16 destination accumulates as wide as all others,
// and is rounded once, at the end.
// MODEL: remark: linalg.matmul: contraction (input, input, accumulator)
// CHECK-LABEL: func.func @bf16_destination(
// CHECK-SAME: %[[O:[^:]*]]: tensor<2x4xbf16>) -> tensor<2x4xbf16>
// CHECK: %[[ACC:.*]] = amp.cast %[[O]] : tensor<2x4xbf16> to tensor<2x4x[[$ACC]]>
// CHECK: %[[R:.*]] = linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<2x3x[[$TYPE]]>, tensor<3x4x[[$TYPE]]>) outs(%[[ACC]] : tensor<2x4x[[$ACC]]>)
// CHECK: %[[BACK:.*]] = amp.cast %[[R]] : tensor<2x4x[[$ACC]]> to tensor<2x4xbf16>
// CHECK: return %[[BACK]]
func.func @bf16_destination(%a: tensor<2x3xbf16>, %b: tensor<3x4xbf16>, %o: tensor<2x4xbf16>) -> tensor<2x4xbf16> {
  %0 = linalg.matmul {test.retype} ins(%a, %b : tensor<2x3xbf16>, tensor<3x4xbf16>) outs(%o : tensor<2x4xbf16>) -> tensor<2x4xbf16>
  return %0 : tensor<2x4xbf16>
}

// -----

// The cast attribute chooses between conversions of integers; it survives.
// MODEL: remark: linalg.matmul: contraction (ignored, input, accumulator)
// CHECK-LABEL: func.func @unsigned_integers(
// CHECK: linalg.matmul {{.*}}cast = #linalg.type_fn<cast_unsigned>{{.*}} ins(%{{.*}}, %{{.*}} : tensor<2x3xi8>, tensor<3x4x[[$TYPE]]>) outs(%{{.*}} : tensor<2x4x[[$ACC]]>)
func.func @unsigned_integers(%a: tensor<2x3xi8>, %b: tensor<3x4xf32>, %o: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = linalg.matmul {cast = #linalg.type_fn<cast_unsigned>, test.retype} ins(%a, %b : tensor<2x3xi8>, tensor<3x4xf32>) outs(%o : tensor<2x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
