// linalg.elementwise: kinds of one, two and three operands, with maps that
// broadcast and transpose. Kinds and maps stay with the op, and the payload is
// built anew for the new type.
//
// RUN: amp-opt %s --split-input-file -test-amp-precision-interface -o /dev/null 2>&1 | FileCheck %s --check-prefix=MODEL
// RUN: amp-opt %s --split-input-file -test-amp-precision-retype=to=f16 | FileCheck %s -D$TYPE=f16
// RUN: amp-opt %s --split-input-file -test-amp-precision-retype=to=bf16 | FileCheck %s -D$TYPE=bf16
// RUN: amp-opt %s --split-input-file -test-amp-precision-retype=to=f64 | FileCheck %s -D$TYPE=f64
// RUN: amp-opt %s --split-input-file -test-amp-precision-retype=to=f16 --mlir-print-op-generic | FileCheck %s --check-prefix=PAYLOAD

// MODEL: remark: linalg.elementwise: elementwise (input, destination) payload math.exp flops 8 bytes 64
// CHECK-LABEL: func.func @exp(
// CHECK: linalg.elementwise kind=#linalg.elementwise_kind<exp> ins(%{{.*}} : tensor<2x4x[[$TYPE]]>) outs(%{{.*}} : tensor<2x4x[[$TYPE]]>)
// PAYLOAD: sym_name = "exp"
// PAYLOAD: ^bb0(%[[X:.*]]: f16, %{{.*}}: f16):
// PAYLOAD: %[[R:.*]] = "math.exp"(%[[X]]) {{.*}}: (f16) -> f16
// PAYLOAD: "linalg.yield"(%[[R]]) : (f16)
func.func @exp(%a: tensor<2x4xf32>, %o: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<exp> {test.retype} ins(%a : tensor<2x4xf32>) outs(%o : tensor<2x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

// MODEL: remark: linalg.elementwise: elementwise (input, input, destination) payload arith.addf flops 8 bytes 80
// CHECK-DAG: #[[$ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[$ROW:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-LABEL: func.func @add_broadcast(
// CHECK: linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#[[$ID]], #[[$ROW]], #[[$ID]]] ins(%{{.*}}, %{{.*}} : tensor<2x4x[[$TYPE]]>, tensor<4x[[$TYPE]]>) outs(%{{.*}} : tensor<2x4x[[$TYPE]]>)
// PAYLOAD: sym_name = "add_broadcast"
// PAYLOAD: "arith.addf"(%{{.*}}, %{{.*}}) {{.*}}: (f16, f16) -> f16
func.func @add_broadcast(%a: tensor<2x4xf32>, %b: tensor<4xf32>, %o: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>] {test.retype}
    ins(%a, %b : tensor<2x4xf32>, tensor<4xf32>) outs(%o : tensor<2x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

// MODEL: remark: linalg.elementwise: elementwise (input, input, destination) payload math.powf
// CHECK-DAG: #[[$ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[$T:.*]] = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-LABEL: func.func @powf_transposed(
// CHECK: linalg.elementwise kind=#linalg.elementwise_kind<powf> indexing_maps = [#[[$T]], #[[$ID]], #[[$ID]]] ins(%{{.*}}, %{{.*}} : tensor<4x2x[[$TYPE]]>, tensor<2x4x[[$TYPE]]>) outs(%{{.*}} : tensor<2x4x[[$TYPE]]>)
func.func @powf_transposed(%a: tensor<4x2xf32>, %b: tensor<2x4xf32>, %o: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<powf> indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>] {test.retype}
    ins(%a, %b : tensor<4x2xf32>, tensor<2x4xf32>) outs(%o : tensor<2x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

// The condition stays i1; a scalar operand is broadcast over all elements.
// MODEL: remark: linalg.elementwise: elementwise (ignored, input, input, destination) payload arith.select
// CHECK-LABEL: func.func @select(
// CHECK: linalg.elementwise kind=#linalg.elementwise_kind<select> indexing_maps = [{{.*}}] ins(%{{.*}}, %{{.*}}, %{{.*}} : tensor<2x4xi1>, tensor<2x4x[[$TYPE]]>, [[$TYPE]]) outs(%{{.*}} : tensor<2x4x[[$TYPE]]>)
// PAYLOAD: sym_name = "select"
// PAYLOAD: "arith.select"(%{{.*}}, %{{.*}}, %{{.*}}) : (i1, f16, f16) -> f16
func.func @select(%c: tensor<2x4xi1>, %a: tensor<2x4xf32>, %s: f32, %o: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<select> indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>, affine_map<(i, j) -> (i, j)>] {test.retype}
    ins(%c, %a, %s : tensor<2x4xi1>, tensor<2x4xf32>, f32) outs(%o : tensor<2x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
