// Every named contraction: whatever the storage type, f32 accumulates.
//
// RUN: amp-opt %s -test-amp-precision-interface -o /dev/null 2>&1 | FileCheck %s --check-prefix=MODEL
// RUN: amp-opt %s -test-amp-precision-retype=to=f16 | FileCheck %s -D$TYPE=f16 -D$ACC=f32
// RUN: amp-opt %s -test-amp-precision-retype=to=bf16 | FileCheck %s -D$TYPE=bf16 -D$ACC=f32
// RUN: amp-opt %s -test-amp-precision-retype=to=f32 | FileCheck %s -D$TYPE=f32 -D$ACC=f32
// RUN: amp-opt %s -test-amp-precision-retype=to=f8E4M3FN | FileCheck %s -D$TYPE=f8E4M3FN -D$ACC=f32

// CHECK-LABEL: func.func @matmul(
// CHECK: linalg.matmul {{.*}}ins({{.*}} : tensor<2x3x[[$TYPE]]>, tensor<3x4x[[$TYPE]]>) outs({{.*}} : tensor<2x4x[[$ACC]]>)
// MODEL: remark: linalg.matmul: contraction (input, input, accumulator)
func.func @matmul(%a0: tensor<2x3xf32>, %a1: tensor<3x4xf32>, %o: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = linalg.matmul {test.retype} ins(%a0, %a1 : tensor<2x3xf32>, tensor<3x4xf32>) outs(%o : tensor<2x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @batch_matmul(
// CHECK: linalg.batch_matmul {{.*}}ins({{.*}} : tensor<5x2x3x[[$TYPE]]>, tensor<5x3x4x[[$TYPE]]>) outs({{.*}} : tensor<5x2x4x[[$ACC]]>)
// MODEL: remark: linalg.batch_matmul: contraction (input, input, accumulator)
func.func @batch_matmul(%a0: tensor<5x2x3xf32>, %a1: tensor<5x3x4xf32>, %o: tensor<5x2x4xf32>) -> tensor<5x2x4xf32> {
  %0 = linalg.batch_matmul {test.retype} ins(%a0, %a1 : tensor<5x2x3xf32>, tensor<5x3x4xf32>) outs(%o : tensor<5x2x4xf32>) -> tensor<5x2x4xf32>
  return %0 : tensor<5x2x4xf32>
}

// CHECK-LABEL: func.func @batch_reduce_matmul(
// CHECK: linalg.batch_reduce_matmul {{.*}}ins({{.*}} : tensor<5x2x3x[[$TYPE]]>, tensor<5x3x4x[[$TYPE]]>) outs({{.*}} : tensor<2x4x[[$ACC]]>)
// MODEL: remark: linalg.batch_reduce_matmul: contraction (input, input, accumulator)
func.func @batch_reduce_matmul(%a0: tensor<5x2x3xf32>, %a1: tensor<5x3x4xf32>, %o: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = linalg.batch_reduce_matmul {test.retype} ins(%a0, %a1 : tensor<5x2x3xf32>, tensor<5x3x4xf32>) outs(%o : tensor<2x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @matvec(
// CHECK: linalg.matvec {{.*}}ins({{.*}} : tensor<2x3x[[$TYPE]]>, tensor<3x[[$TYPE]]>) outs({{.*}} : tensor<2x[[$ACC]]>)
// MODEL: remark: linalg.matvec: contraction (input, input, accumulator)
func.func @matvec(%a0: tensor<2x3xf32>, %a1: tensor<3xf32>, %o: tensor<2xf32>) -> tensor<2xf32> {
  %0 = linalg.matvec {test.retype} ins(%a0, %a1 : tensor<2x3xf32>, tensor<3xf32>) outs(%o : tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @vecmat(
// CHECK: linalg.vecmat {{.*}}ins({{.*}} : tensor<3x[[$TYPE]]>, tensor<3x4x[[$TYPE]]>) outs({{.*}} : tensor<4x[[$ACC]]>)
// MODEL: remark: linalg.vecmat: contraction (input, input, accumulator)
func.func @vecmat(%a0: tensor<3xf32>, %a1: tensor<3x4xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.vecmat {test.retype} ins(%a0, %a1 : tensor<3xf32>, tensor<3x4xf32>) outs(%o : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @dot(
// CHECK: linalg.dot {{.*}}ins({{.*}} : tensor<3x[[$TYPE]]>, tensor<3x[[$TYPE]]>) outs({{.*}} : tensor<[[$ACC]]>)
// MODEL: remark: linalg.dot: contraction (input, input, accumulator)
func.func @dot(%a0: tensor<3xf32>, %a1: tensor<3xf32>, %o: tensor<f32>) -> tensor<f32> {
  %0 = linalg.dot {test.retype} ins(%a0, %a1 : tensor<3xf32>, tensor<3xf32>) outs(%o : tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @batch_matvec(
// CHECK: linalg.batch_matvec {{.*}}ins({{.*}} : tensor<5x2x3x[[$TYPE]]>, tensor<5x3x[[$TYPE]]>) outs({{.*}} : tensor<5x2x[[$ACC]]>)
// MODEL: remark: linalg.batch_matvec: contraction (input, input, accumulator)
func.func @batch_matvec(%a0: tensor<5x2x3xf32>, %a1: tensor<5x3xf32>, %o: tensor<5x2xf32>) -> tensor<5x2xf32> {
  %0 = linalg.batch_matvec {test.retype} ins(%a0, %a1 : tensor<5x2x3xf32>, tensor<5x3xf32>) outs(%o : tensor<5x2xf32>) -> tensor<5x2xf32>
  return %0 : tensor<5x2xf32>
}

// CHECK-LABEL: func.func @batch_vecmat(
// CHECK: linalg.batch_vecmat {{.*}}ins({{.*}} : tensor<5x3x[[$TYPE]]>, tensor<5x3x4x[[$TYPE]]>) outs({{.*}} : tensor<5x4x[[$ACC]]>)
// MODEL: remark: linalg.batch_vecmat: contraction (input, input, accumulator)
func.func @batch_vecmat(%a0: tensor<5x3xf32>, %a1: tensor<5x3x4xf32>, %o: tensor<5x4xf32>) -> tensor<5x4xf32> {
  %0 = linalg.batch_vecmat {test.retype} ins(%a0, %a1 : tensor<5x3xf32>, tensor<5x3x4xf32>) outs(%o : tensor<5x4xf32>) -> tensor<5x4xf32>
  return %0 : tensor<5x4xf32>
}

// CHECK-LABEL: func.func @mmt4d(
// CHECK: linalg.mmt4d {{.*}}ins({{.*}} : tensor<2x3x4x5x[[$TYPE]]>, tensor<6x3x7x5x[[$TYPE]]>) outs({{.*}} : tensor<2x6x4x7x[[$ACC]]>)
// MODEL: remark: linalg.mmt4d: contraction (input, input, accumulator)
func.func @mmt4d(%a0: tensor<2x3x4x5xf32>, %a1: tensor<6x3x7x5xf32>, %o: tensor<2x6x4x7xf32>) -> tensor<2x6x4x7xf32> {
  %0 = linalg.mmt4d {test.retype} ins(%a0, %a1 : tensor<2x3x4x5xf32>, tensor<6x3x7x5xf32>) outs(%o : tensor<2x6x4x7xf32>) -> tensor<2x6x4x7xf32>
  return %0 : tensor<2x6x4x7xf32>
}

// CHECK-LABEL: func.func @batch_mmt4d(
// CHECK: linalg.batch_mmt4d {{.*}}ins({{.*}} : tensor<9x2x3x4x5x[[$TYPE]]>, tensor<9x6x3x7x5x[[$TYPE]]>) outs({{.*}} : tensor<9x2x6x4x7x[[$ACC]]>)
// MODEL: remark: linalg.batch_mmt4d: contraction (input, input, accumulator)
func.func @batch_mmt4d(%a0: tensor<9x2x3x4x5xf32>, %a1: tensor<9x6x3x7x5xf32>, %o: tensor<9x2x6x4x7xf32>) -> tensor<9x2x6x4x7xf32> {
  %0 = linalg.batch_mmt4d {test.retype} ins(%a0, %a1 : tensor<9x2x3x4x5xf32>, tensor<9x6x3x7x5xf32>) outs(%o : tensor<9x2x6x4x7xf32>) -> tensor<9x2x6x4x7xf32>
  return %0 : tensor<9x2x6x4x7xf32>
}

