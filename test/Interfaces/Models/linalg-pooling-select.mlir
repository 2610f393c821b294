// Every named pooling that only selects, which is exact in any type.
//
// RUN: amp-opt %s -test-amp-precision-interface -o /dev/null 2>&1 | FileCheck %s --check-prefix=MODEL
// RUN: amp-opt %s -test-amp-precision-retype=to=f16 | FileCheck %s -D$TYPE=f16 -D$ACC=f16
// RUN: amp-opt %s -test-amp-precision-retype=to=bf16 | FileCheck %s -D$TYPE=bf16 -D$ACC=bf16
// RUN: amp-opt %s -test-amp-precision-retype=to=f32 | FileCheck %s -D$TYPE=f32 -D$ACC=f32

// CHECK-LABEL: func.func @pooling_nhwc_max(
// CHECK: linalg.pooling_nhwc_max {{.*}}ins({{.*}} : tensor<1x8x8x2x[[$TYPE]]>, tensor<3x3x[[$TYPE]]>) outs({{.*}} : tensor<1x6x6x2x[[$ACC]]>)
// MODEL: remark: linalg.pooling_nhwc_max: pooling (input, input, accumulator)
func.func @pooling_nhwc_max(%a0: tensor<1x8x8x2xf32>, %a1: tensor<3x3xf32>, %o: tensor<1x6x6x2xf32>) -> tensor<1x6x6x2xf32> {
  %0 = linalg.pooling_nhwc_max {test.retype} ins(%a0, %a1 : tensor<1x8x8x2xf32>, tensor<3x3xf32>) outs(%o : tensor<1x6x6x2xf32>) -> tensor<1x6x6x2xf32>
  return %0 : tensor<1x6x6x2xf32>
}

// CHECK-LABEL: func.func @pooling_nwc_max(
// CHECK: linalg.pooling_nwc_max {{.*}}ins({{.*}} : tensor<1x8x2x[[$TYPE]]>, tensor<3x[[$TYPE]]>) outs({{.*}} : tensor<1x6x2x[[$ACC]]>)
// MODEL: remark: linalg.pooling_nwc_max: pooling (input, input, accumulator)
func.func @pooling_nwc_max(%a0: tensor<1x8x2xf32>, %a1: tensor<3xf32>, %o: tensor<1x6x2xf32>) -> tensor<1x6x2xf32> {
  %0 = linalg.pooling_nwc_max {test.retype} ins(%a0, %a1 : tensor<1x8x2xf32>, tensor<3xf32>) outs(%o : tensor<1x6x2xf32>) -> tensor<1x6x2xf32>
  return %0 : tensor<1x6x2xf32>
}

// CHECK-LABEL: func.func @pooling_ndhwc_max(
// CHECK: linalg.pooling_ndhwc_max {{.*}}ins({{.*}} : tensor<1x8x8x8x2x[[$TYPE]]>, tensor<3x3x3x[[$TYPE]]>) outs({{.*}} : tensor<1x6x6x6x2x[[$ACC]]>)
// MODEL: remark: linalg.pooling_ndhwc_max: pooling (input, input, accumulator)
func.func @pooling_ndhwc_max(%a0: tensor<1x8x8x8x2xf32>, %a1: tensor<3x3x3xf32>, %o: tensor<1x6x6x6x2xf32>) -> tensor<1x6x6x6x2xf32> {
  %0 = linalg.pooling_ndhwc_max {test.retype} ins(%a0, %a1 : tensor<1x8x8x8x2xf32>, tensor<3x3x3xf32>) outs(%o : tensor<1x6x6x6x2xf32>) -> tensor<1x6x6x6x2xf32>
  return %0 : tensor<1x6x6x6x2xf32>
}

// CHECK-LABEL: func.func @pooling_nhwc_min(
// CHECK: linalg.pooling_nhwc_min {{.*}}ins({{.*}} : tensor<1x8x8x2x[[$TYPE]]>, tensor<3x3x[[$TYPE]]>) outs({{.*}} : tensor<1x6x6x2x[[$ACC]]>)
// MODEL: remark: linalg.pooling_nhwc_min: pooling (input, input, accumulator)
func.func @pooling_nhwc_min(%a0: tensor<1x8x8x2xf32>, %a1: tensor<3x3xf32>, %o: tensor<1x6x6x2xf32>) -> tensor<1x6x6x2xf32> {
  %0 = linalg.pooling_nhwc_min {test.retype} ins(%a0, %a1 : tensor<1x8x8x2xf32>, tensor<3x3xf32>) outs(%o : tensor<1x6x6x2xf32>) -> tensor<1x6x6x2xf32>
  return %0 : tensor<1x6x6x2xf32>
}

// CHECK-LABEL: func.func @pooling_nwc_min(
// CHECK: linalg.pooling_nwc_min {{.*}}ins({{.*}} : tensor<1x8x2x[[$TYPE]]>, tensor<3x[[$TYPE]]>) outs({{.*}} : tensor<1x6x2x[[$ACC]]>)
// MODEL: remark: linalg.pooling_nwc_min: pooling (input, input, accumulator)
func.func @pooling_nwc_min(%a0: tensor<1x8x2xf32>, %a1: tensor<3xf32>, %o: tensor<1x6x2xf32>) -> tensor<1x6x2xf32> {
  %0 = linalg.pooling_nwc_min {test.retype} ins(%a0, %a1 : tensor<1x8x2xf32>, tensor<3xf32>) outs(%o : tensor<1x6x2xf32>) -> tensor<1x6x2xf32>
  return %0 : tensor<1x6x2xf32>
}

// CHECK-LABEL: func.func @pooling_ndhwc_min(
// CHECK: linalg.pooling_ndhwc_min {{.*}}ins({{.*}} : tensor<1x8x8x8x2x[[$TYPE]]>, tensor<3x3x3x[[$TYPE]]>) outs({{.*}} : tensor<1x6x6x6x2x[[$ACC]]>)
// MODEL: remark: linalg.pooling_ndhwc_min: pooling (input, input, accumulator)
func.func @pooling_ndhwc_min(%a0: tensor<1x8x8x8x2xf32>, %a1: tensor<3x3x3xf32>, %o: tensor<1x6x6x6x2xf32>) -> tensor<1x6x6x6x2xf32> {
  %0 = linalg.pooling_ndhwc_min {test.retype} ins(%a0, %a1 : tensor<1x8x8x8x2xf32>, tensor<3x3x3xf32>) outs(%o : tensor<1x6x6x6x2xf32>) -> tensor<1x6x6x6x2xf32>
  return %0 : tensor<1x6x6x6x2xf32>
}

// CHECK-LABEL: func.func @pooling_nchw_max(
// CHECK: linalg.pooling_nchw_max {{.*}}ins({{.*}} : tensor<1x2x8x8x[[$TYPE]]>, tensor<3x3x[[$TYPE]]>) outs({{.*}} : tensor<1x2x6x6x[[$ACC]]>)
// MODEL: remark: linalg.pooling_nchw_max: pooling (input, input, accumulator)
func.func @pooling_nchw_max(%a0: tensor<1x2x8x8xf32>, %a1: tensor<3x3xf32>, %o: tensor<1x2x6x6xf32>) -> tensor<1x2x6x6xf32> {
  %0 = linalg.pooling_nchw_max {test.retype} ins(%a0, %a1 : tensor<1x2x8x8xf32>, tensor<3x3xf32>) outs(%o : tensor<1x2x6x6xf32>) -> tensor<1x2x6x6xf32>
  return %0 : tensor<1x2x6x6xf32>
}

// CHECK-LABEL: func.func @pooling_ncw_max(
// CHECK: linalg.pooling_ncw_max {{.*}}ins({{.*}} : tensor<1x2x8x[[$TYPE]]>, tensor<3x[[$TYPE]]>) outs({{.*}} : tensor<1x2x6x[[$ACC]]>)
// MODEL: remark: linalg.pooling_ncw_max: pooling (input, input, accumulator)
func.func @pooling_ncw_max(%a0: tensor<1x2x8xf32>, %a1: tensor<3xf32>, %o: tensor<1x2x6xf32>) -> tensor<1x2x6xf32> {
  %0 = linalg.pooling_ncw_max {test.retype} ins(%a0, %a1 : tensor<1x2x8xf32>, tensor<3xf32>) outs(%o : tensor<1x2x6xf32>) -> tensor<1x2x6xf32>
  return %0 : tensor<1x2x6xf32>
}

