// Every named pooling that adds: f32 accumulates.
//
// RUN: amp-opt %s -test-amp-precision-interface -o /dev/null 2>&1 | FileCheck %s --check-prefix=MODEL
// RUN: amp-opt %s -test-amp-precision-retype=to=f16 | FileCheck %s -D$TYPE=f16 -D$ACC=f32
// RUN: amp-opt %s -test-amp-precision-retype=to=bf16 | FileCheck %s -D$TYPE=bf16 -D$ACC=f32
// RUN: amp-opt %s -test-amp-precision-retype=to=f32 | FileCheck %s -D$TYPE=f32 -D$ACC=f32
// RUN: amp-opt %s -test-amp-precision-retype=to=f8E4M3FN | FileCheck %s -D$TYPE=f8E4M3FN -D$ACC=f32

// CHECK-LABEL: func.func @pooling_nhwc_sum(
// CHECK: linalg.pooling_nhwc_sum {{.*}}ins({{.*}} : tensor<1x8x8x2x[[$TYPE]]>, tensor<3x3x[[$TYPE]]>) outs({{.*}} : tensor<1x6x6x2x[[$ACC]]>)
// MODEL: remark: linalg.pooling_nhwc_sum: pooling (input, input, accumulator)
func.func @pooling_nhwc_sum(%a0: tensor<1x8x8x2xf32>, %a1: tensor<3x3xf32>, %o: tensor<1x6x6x2xf32>) -> tensor<1x6x6x2xf32> {
  %0 = linalg.pooling_nhwc_sum {test.retype} ins(%a0, %a1 : tensor<1x8x8x2xf32>, tensor<3x3xf32>) outs(%o : tensor<1x6x6x2xf32>) -> tensor<1x6x6x2xf32>
  return %0 : tensor<1x6x6x2xf32>
}

// CHECK-LABEL: func.func @pooling_nwc_sum(
// CHECK: linalg.pooling_nwc_sum {{.*}}ins({{.*}} : tensor<1x8x2x[[$TYPE]]>, tensor<3x[[$TYPE]]>) outs({{.*}} : tensor<1x6x2x[[$ACC]]>)
// MODEL: remark: linalg.pooling_nwc_sum: pooling (input, input, accumulator)
func.func @pooling_nwc_sum(%a0: tensor<1x8x2xf32>, %a1: tensor<3xf32>, %o: tensor<1x6x2xf32>) -> tensor<1x6x2xf32> {
  %0 = linalg.pooling_nwc_sum {test.retype} ins(%a0, %a1 : tensor<1x8x2xf32>, tensor<3xf32>) outs(%o : tensor<1x6x2xf32>) -> tensor<1x6x2xf32>
  return %0 : tensor<1x6x2xf32>
}

// CHECK-LABEL: func.func @pooling_ndhwc_sum(
// CHECK: linalg.pooling_ndhwc_sum {{.*}}ins({{.*}} : tensor<1x8x8x8x2x[[$TYPE]]>, tensor<3x3x3x[[$TYPE]]>) outs({{.*}} : tensor<1x6x6x6x2x[[$ACC]]>)
// MODEL: remark: linalg.pooling_ndhwc_sum: pooling (input, input, accumulator)
func.func @pooling_ndhwc_sum(%a0: tensor<1x8x8x8x2xf32>, %a1: tensor<3x3x3xf32>, %o: tensor<1x6x6x6x2xf32>) -> tensor<1x6x6x6x2xf32> {
  %0 = linalg.pooling_ndhwc_sum {test.retype} ins(%a0, %a1 : tensor<1x8x8x8x2xf32>, tensor<3x3x3xf32>) outs(%o : tensor<1x6x6x6x2xf32>) -> tensor<1x6x6x6x2xf32>
  return %0 : tensor<1x6x6x6x2xf32>
}

// CHECK-LABEL: func.func @pooling_nchw_sum(
// CHECK: linalg.pooling_nchw_sum {{.*}}ins({{.*}} : tensor<1x2x8x8x[[$TYPE]]>, tensor<3x3x[[$TYPE]]>) outs({{.*}} : tensor<1x2x6x6x[[$ACC]]>)
// MODEL: remark: linalg.pooling_nchw_sum: pooling (input, input, accumulator)
func.func @pooling_nchw_sum(%a0: tensor<1x2x8x8xf32>, %a1: tensor<3x3xf32>, %o: tensor<1x2x6x6xf32>) -> tensor<1x2x6x6xf32> {
  %0 = linalg.pooling_nchw_sum {test.retype} ins(%a0, %a1 : tensor<1x2x8x8xf32>, tensor<3x3xf32>) outs(%o : tensor<1x2x6x6xf32>) -> tensor<1x2x6x6xf32>
  return %0 : tensor<1x2x6x6xf32>
}

// CHECK-LABEL: func.func @pooling_ncw_sum(
// CHECK: linalg.pooling_ncw_sum {{.*}}ins({{.*}} : tensor<1x2x8x[[$TYPE]]>, tensor<3x[[$TYPE]]>) outs({{.*}} : tensor<1x2x6x[[$ACC]]>)
// MODEL: remark: linalg.pooling_ncw_sum: pooling (input, input, accumulator)
func.func @pooling_ncw_sum(%a0: tensor<1x2x8xf32>, %a1: tensor<3xf32>, %o: tensor<1x2x6xf32>) -> tensor<1x2x6xf32> {
  %0 = linalg.pooling_ncw_sum {test.retype} ins(%a0, %a1 : tensor<1x2x8xf32>, tensor<3xf32>) outs(%o : tensor<1x2x6xf32>) -> tensor<1x2x6xf32>
  return %0 : tensor<1x2x6xf32>
}

