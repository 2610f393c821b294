// Every named convolution of floats: whatever the storage type, f32 accumulates.
//
// RUN: amp-opt %s -test-amp-precision-interface -o /dev/null 2>&1 | FileCheck %s --check-prefix=MODEL
// RUN: amp-opt %s -test-amp-precision-retype=to=f16 | FileCheck %s -D$TYPE=f16 -D$ACC=f32
// RUN: amp-opt %s -test-amp-precision-retype=to=bf16 | FileCheck %s -D$TYPE=bf16 -D$ACC=f32
// RUN: amp-opt %s -test-amp-precision-retype=to=f32 | FileCheck %s -D$TYPE=f32 -D$ACC=f32
// RUN: amp-opt %s -test-amp-precision-retype=to=f8E4M3FN | FileCheck %s -D$TYPE=f8E4M3FN -D$ACC=f32

// CHECK-LABEL: func.func @conv_1d(
// CHECK: linalg.conv_1d {{.*}}ins({{.*}} : tensor<8x[[$TYPE]]>, tensor<3x[[$TYPE]]>) outs({{.*}} : tensor<6x[[$ACC]]>)
// MODEL: remark: linalg.conv_1d: convolution (input, input, accumulator)
func.func @conv_1d(%a0: tensor<8xf32>, %a1: tensor<3xf32>, %o: tensor<6xf32>) -> tensor<6xf32> {
  %0 = linalg.conv_1d {test.retype} ins(%a0, %a1 : tensor<8xf32>, tensor<3xf32>) outs(%o : tensor<6xf32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

// CHECK-LABEL: func.func @conv_2d(
// CHECK: linalg.conv_2d {{.*}}ins({{.*}} : tensor<8x8x[[$TYPE]]>, tensor<3x3x[[$TYPE]]>) outs({{.*}} : tensor<6x6x[[$ACC]]>)
// MODEL: remark: linalg.conv_2d: convolution (input, input, accumulator)
func.func @conv_2d(%a0: tensor<8x8xf32>, %a1: tensor<3x3xf32>, %o: tensor<6x6xf32>) -> tensor<6x6xf32> {
  %0 = linalg.conv_2d {test.retype} ins(%a0, %a1 : tensor<8x8xf32>, tensor<3x3xf32>) outs(%o : tensor<6x6xf32>) -> tensor<6x6xf32>
  return %0 : tensor<6x6xf32>
}

// CHECK-LABEL: func.func @conv_3d(
// CHECK: linalg.conv_3d {{.*}}ins({{.*}} : tensor<8x8x8x[[$TYPE]]>, tensor<3x3x3x[[$TYPE]]>) outs({{.*}} : tensor<6x6x6x[[$ACC]]>)
// MODEL: remark: linalg.conv_3d: convolution (input, input, accumulator)
func.func @conv_3d(%a0: tensor<8x8x8xf32>, %a1: tensor<3x3x3xf32>, %o: tensor<6x6x6xf32>) -> tensor<6x6x6xf32> {
  %0 = linalg.conv_3d {test.retype} ins(%a0, %a1 : tensor<8x8x8xf32>, tensor<3x3x3xf32>) outs(%o : tensor<6x6x6xf32>) -> tensor<6x6x6xf32>
  return %0 : tensor<6x6x6xf32>
}

// CHECK-LABEL: func.func @conv_1d_ncw_fcw(
// CHECK: linalg.conv_1d_ncw_fcw {{.*}}ins({{.*}} : tensor<1x2x8x[[$TYPE]]>, tensor<4x2x3x[[$TYPE]]>) outs({{.*}} : tensor<1x4x6x[[$ACC]]>)
// MODEL: remark: linalg.conv_1d_ncw_fcw: convolution (input, input, accumulator)
func.func @conv_1d_ncw_fcw(%a0: tensor<1x2x8xf32>, %a1: tensor<4x2x3xf32>, %o: tensor<1x4x6xf32>) -> tensor<1x4x6xf32> {
  %0 = linalg.conv_1d_ncw_fcw {test.retype} ins(%a0, %a1 : tensor<1x2x8xf32>, tensor<4x2x3xf32>) outs(%o : tensor<1x4x6xf32>) -> tensor<1x4x6xf32>
  return %0 : tensor<1x4x6xf32>
}

// CHECK-LABEL: func.func @conv_1d_nwc_wcf(
// CHECK: linalg.conv_1d_nwc_wcf {{.*}}ins({{.*}} : tensor<1x8x2x[[$TYPE]]>, tensor<3x2x4x[[$TYPE]]>) outs({{.*}} : tensor<1x6x4x[[$ACC]]>)
// MODEL: remark: linalg.conv_1d_nwc_wcf: convolution (input, input, accumulator)
func.func @conv_1d_nwc_wcf(%a0: tensor<1x8x2xf32>, %a1: tensor<3x2x4xf32>, %o: tensor<1x6x4xf32>) -> tensor<1x6x4xf32> {
  %0 = linalg.conv_1d_nwc_wcf {test.retype} ins(%a0, %a1 : tensor<1x8x2xf32>, tensor<3x2x4xf32>) outs(%o : tensor<1x6x4xf32>) -> tensor<1x6x4xf32>
  return %0 : tensor<1x6x4xf32>
}

// CHECK-LABEL: func.func @conv_2d_nchw_fchw(
// CHECK: linalg.conv_2d_nchw_fchw {{.*}}ins({{.*}} : tensor<1x2x8x8x[[$TYPE]]>, tensor<4x2x3x3x[[$TYPE]]>) outs({{.*}} : tensor<1x4x6x6x[[$ACC]]>)
// MODEL: remark: linalg.conv_2d_nchw_fchw: convolution (input, input, accumulator)
func.func @conv_2d_nchw_fchw(%a0: tensor<1x2x8x8xf32>, %a1: tensor<4x2x3x3xf32>, %o: tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32> {
  %0 = linalg.conv_2d_nchw_fchw {test.retype} ins(%a0, %a1 : tensor<1x2x8x8xf32>, tensor<4x2x3x3xf32>) outs(%o : tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32>
  return %0 : tensor<1x4x6x6xf32>
}

// CHECK-LABEL: func.func @conv_2d_nhwc_hwcf(
// CHECK: linalg.conv_2d_nhwc_hwcf {{.*}}ins({{.*}} : tensor<1x8x8x2x[[$TYPE]]>, tensor<3x3x2x4x[[$TYPE]]>) outs({{.*}} : tensor<1x6x6x4x[[$ACC]]>)
// MODEL: remark: linalg.conv_2d_nhwc_hwcf: convolution (input, input, accumulator)
func.func @conv_2d_nhwc_hwcf(%a0: tensor<1x8x8x2xf32>, %a1: tensor<3x3x2x4xf32>, %o: tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32> {
  %0 = linalg.conv_2d_nhwc_hwcf {test.retype} ins(%a0, %a1 : tensor<1x8x8x2xf32>, tensor<3x3x2x4xf32>) outs(%o : tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32>
  return %0 : tensor<1x6x6x4xf32>
}

// CHECK-LABEL: func.func @conv_2d_nhwc_fhwc(
// CHECK: linalg.conv_2d_nhwc_fhwc {{.*}}ins({{.*}} : tensor<1x8x8x2x[[$TYPE]]>, tensor<4x3x3x2x[[$TYPE]]>) outs({{.*}} : tensor<1x6x6x4x[[$ACC]]>)
// MODEL: remark: linalg.conv_2d_nhwc_fhwc: convolution (input, input, accumulator)
func.func @conv_2d_nhwc_fhwc(%a0: tensor<1x8x8x2xf32>, %a1: tensor<4x3x3x2xf32>, %o: tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32> {
  %0 = linalg.conv_2d_nhwc_fhwc {test.retype} ins(%a0, %a1 : tensor<1x8x8x2xf32>, tensor<4x3x3x2xf32>) outs(%o : tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32>
  return %0 : tensor<1x6x6x4xf32>
}

// CHECK-LABEL: func.func @conv_2d_ngchw_fgchw(
// CHECK: linalg.conv_2d_ngchw_fgchw {{.*}}ins({{.*}} : tensor<1x2x3x8x8x[[$TYPE]]>, tensor<4x2x3x3x3x[[$TYPE]]>) outs({{.*}} : tensor<1x2x4x6x6x[[$ACC]]>)
// MODEL: remark: linalg.conv_2d_ngchw_fgchw: convolution (input, input, accumulator)
func.func @conv_2d_ngchw_fgchw(%a0: tensor<1x2x3x8x8xf32>, %a1: tensor<4x2x3x3x3xf32>, %o: tensor<1x2x4x6x6xf32>) -> tensor<1x2x4x6x6xf32> {
  %0 = linalg.conv_2d_ngchw_fgchw {test.retype} ins(%a0, %a1 : tensor<1x2x3x8x8xf32>, tensor<4x2x3x3x3xf32>) outs(%o : tensor<1x2x4x6x6xf32>) -> tensor<1x2x4x6x6xf32>
  return %0 : tensor<1x2x4x6x6xf32>
}

// CHECK-LABEL: func.func @conv_2d_ngchw_gfchw(
// CHECK: linalg.conv_2d_ngchw_gfchw {{.*}}ins({{.*}} : tensor<1x2x3x8x8x[[$TYPE]]>, tensor<2x4x3x3x3x[[$TYPE]]>) outs({{.*}} : tensor<1x2x4x6x6x[[$ACC]]>)
// MODEL: remark: linalg.conv_2d_ngchw_gfchw: convolution (input, input, accumulator)
func.func @conv_2d_ngchw_gfchw(%a0: tensor<1x2x3x8x8xf32>, %a1: tensor<2x4x3x3x3xf32>, %o: tensor<1x2x4x6x6xf32>) -> tensor<1x2x4x6x6xf32> {
  %0 = linalg.conv_2d_ngchw_gfchw {test.retype} ins(%a0, %a1 : tensor<1x2x3x8x8xf32>, tensor<2x4x3x3x3xf32>) outs(%o : tensor<1x2x4x6x6xf32>) -> tensor<1x2x4x6x6xf32>
  return %0 : tensor<1x2x4x6x6xf32>
}

// CHECK-LABEL: func.func @conv_2d_nhwgc_gfhwc(
// CHECK: linalg.conv_2d_nhwgc_gfhwc {{.*}}ins({{.*}} : tensor<1x8x8x2x3x[[$TYPE]]>, tensor<2x4x3x3x3x[[$TYPE]]>) outs({{.*}} : tensor<1x6x6x2x4x[[$ACC]]>)
// MODEL: remark: linalg.conv_2d_nhwgc_gfhwc: convolution (input, input, accumulator)
func.func @conv_2d_nhwgc_gfhwc(%a0: tensor<1x8x8x2x3xf32>, %a1: tensor<2x4x3x3x3xf32>, %o: tensor<1x6x6x2x4xf32>) -> tensor<1x6x6x2x4xf32> {
  %0 = linalg.conv_2d_nhwgc_gfhwc {test.retype} ins(%a0, %a1 : tensor<1x8x8x2x3xf32>, tensor<2x4x3x3x3xf32>) outs(%o : tensor<1x6x6x2x4xf32>) -> tensor<1x6x6x2x4xf32>
  return %0 : tensor<1x6x6x2x4xf32>
}

// CHECK-LABEL: func.func @conv_3d_ncdhw_fcdhw(
// CHECK: linalg.conv_3d_ncdhw_fcdhw {{.*}}ins({{.*}} : tensor<1x2x8x8x8x[[$TYPE]]>, tensor<4x2x3x3x3x[[$TYPE]]>) outs({{.*}} : tensor<1x4x6x6x6x[[$ACC]]>)
// MODEL: remark: linalg.conv_3d_ncdhw_fcdhw: convolution (input, input, accumulator)
func.func @conv_3d_ncdhw_fcdhw(%a0: tensor<1x2x8x8x8xf32>, %a1: tensor<4x2x3x3x3xf32>, %o: tensor<1x4x6x6x6xf32>) -> tensor<1x4x6x6x6xf32> {
  %0 = linalg.conv_3d_ncdhw_fcdhw {test.retype} ins(%a0, %a1 : tensor<1x2x8x8x8xf32>, tensor<4x2x3x3x3xf32>) outs(%o : tensor<1x4x6x6x6xf32>) -> tensor<1x4x6x6x6xf32>
  return %0 : tensor<1x4x6x6x6xf32>
}

// CHECK-LABEL: func.func @conv_3d_ndhwc_dhwcf(
// CHECK: linalg.conv_3d_ndhwc_dhwcf {{.*}}ins({{.*}} : tensor<1x8x8x8x2x[[$TYPE]]>, tensor<3x3x3x2x4x[[$TYPE]]>) outs({{.*}} : tensor<1x6x6x6x4x[[$ACC]]>)
// MODEL: remark: linalg.conv_3d_ndhwc_dhwcf: convolution (input, input, accumulator)
func.func @conv_3d_ndhwc_dhwcf(%a0: tensor<1x8x8x8x2xf32>, %a1: tensor<3x3x3x2x4xf32>, %o: tensor<1x6x6x6x4xf32>) -> tensor<1x6x6x6x4xf32> {
  %0 = linalg.conv_3d_ndhwc_dhwcf {test.retype} ins(%a0, %a1 : tensor<1x8x8x8x2xf32>, tensor<3x3x3x2x4xf32>) outs(%o : tensor<1x6x6x6x4xf32>) -> tensor<1x6x6x6x4xf32>
  return %0 : tensor<1x6x6x6x4xf32>
}

// CHECK-LABEL: func.func @depthwise_conv_1d_ncw_cw(
// CHECK: linalg.depthwise_conv_1d_ncw_cw {{.*}}ins({{.*}} : tensor<1x2x8x[[$TYPE]]>, tensor<2x3x[[$TYPE]]>) outs({{.*}} : tensor<1x2x6x[[$ACC]]>)
// MODEL: remark: linalg.depthwise_conv_1d_ncw_cw: convolution (input, input, accumulator)
func.func @depthwise_conv_1d_ncw_cw(%a0: tensor<1x2x8xf32>, %a1: tensor<2x3xf32>, %o: tensor<1x2x6xf32>) -> tensor<1x2x6xf32> {
  %0 = linalg.depthwise_conv_1d_ncw_cw {test.retype} ins(%a0, %a1 : tensor<1x2x8xf32>, tensor<2x3xf32>) outs(%o : tensor<1x2x6xf32>) -> tensor<1x2x6xf32>
  return %0 : tensor<1x2x6xf32>
}

// CHECK-LABEL: func.func @depthwise_conv_1d_nwc_wc(
// CHECK: linalg.depthwise_conv_1d_nwc_wc {{.*}}ins({{.*}} : tensor<1x8x2x[[$TYPE]]>, tensor<3x2x[[$TYPE]]>) outs({{.*}} : tensor<1x6x2x[[$ACC]]>)
// MODEL: remark: linalg.depthwise_conv_1d_nwc_wc: convolution (input, input, accumulator)
func.func @depthwise_conv_1d_nwc_wc(%a0: tensor<1x8x2xf32>, %a1: tensor<3x2xf32>, %o: tensor<1x6x2xf32>) -> tensor<1x6x2xf32> {
  %0 = linalg.depthwise_conv_1d_nwc_wc {test.retype} ins(%a0, %a1 : tensor<1x8x2xf32>, tensor<3x2xf32>) outs(%o : tensor<1x6x2xf32>) -> tensor<1x6x2xf32>
  return %0 : tensor<1x6x2xf32>
}

// CHECK-LABEL: func.func @depthwise_conv_1d_nwc_wcm(
// CHECK: linalg.depthwise_conv_1d_nwc_wcm {{.*}}ins({{.*}} : tensor<1x8x2x[[$TYPE]]>, tensor<3x2x4x[[$TYPE]]>) outs({{.*}} : tensor<1x6x2x4x[[$ACC]]>)
// MODEL: remark: linalg.depthwise_conv_1d_nwc_wcm: convolution (input, input, accumulator)
func.func @depthwise_conv_1d_nwc_wcm(%a0: tensor<1x8x2xf32>, %a1: tensor<3x2x4xf32>, %o: tensor<1x6x2x4xf32>) -> tensor<1x6x2x4xf32> {
  %0 = linalg.depthwise_conv_1d_nwc_wcm {test.retype} ins(%a0, %a1 : tensor<1x8x2xf32>, tensor<3x2x4xf32>) outs(%o : tensor<1x6x2x4xf32>) -> tensor<1x6x2x4xf32>
  return %0 : tensor<1x6x2x4xf32>
}

// CHECK-LABEL: func.func @depthwise_conv_2d_nchw_chw(
// CHECK: linalg.depthwise_conv_2d_nchw_chw {{.*}}ins({{.*}} : tensor<1x2x8x8x[[$TYPE]]>, tensor<2x3x3x[[$TYPE]]>) outs({{.*}} : tensor<1x2x6x6x[[$ACC]]>)
// MODEL: remark: linalg.depthwise_conv_2d_nchw_chw: convolution (input, input, accumulator)
func.func @depthwise_conv_2d_nchw_chw(%a0: tensor<1x2x8x8xf32>, %a1: tensor<2x3x3xf32>, %o: tensor<1x2x6x6xf32>) -> tensor<1x2x6x6xf32> {
  %0 = linalg.depthwise_conv_2d_nchw_chw {test.retype} ins(%a0, %a1 : tensor<1x2x8x8xf32>, tensor<2x3x3xf32>) outs(%o : tensor<1x2x6x6xf32>) -> tensor<1x2x6x6xf32>
  return %0 : tensor<1x2x6x6xf32>
}

// CHECK-LABEL: func.func @depthwise_conv_2d_nhwc_hwc(
// CHECK: linalg.depthwise_conv_2d_nhwc_hwc {{.*}}ins({{.*}} : tensor<1x8x8x2x[[$TYPE]]>, tensor<3x3x2x[[$TYPE]]>) outs({{.*}} : tensor<1x6x6x2x[[$ACC]]>)
// MODEL: remark: linalg.depthwise_conv_2d_nhwc_hwc: convolution (input, input, accumulator)
func.func @depthwise_conv_2d_nhwc_hwc(%a0: tensor<1x8x8x2xf32>, %a1: tensor<3x3x2xf32>, %o: tensor<1x6x6x2xf32>) -> tensor<1x6x6x2xf32> {
  %0 = linalg.depthwise_conv_2d_nhwc_hwc {test.retype} ins(%a0, %a1 : tensor<1x8x8x2xf32>, tensor<3x3x2xf32>) outs(%o : tensor<1x6x6x2xf32>) -> tensor<1x6x6x2xf32>
  return %0 : tensor<1x6x6x2xf32>
}

// CHECK-LABEL: func.func @depthwise_conv_2d_nhwc_hwcm(
// CHECK: linalg.depthwise_conv_2d_nhwc_hwcm {{.*}}ins({{.*}} : tensor<1x8x8x2x[[$TYPE]]>, tensor<3x3x2x4x[[$TYPE]]>) outs({{.*}} : tensor<1x6x6x2x4x[[$ACC]]>)
// MODEL: remark: linalg.depthwise_conv_2d_nhwc_hwcm: convolution (input, input, accumulator)
func.func @depthwise_conv_2d_nhwc_hwcm(%a0: tensor<1x8x8x2xf32>, %a1: tensor<3x3x2x4xf32>, %o: tensor<1x6x6x2x4xf32>) -> tensor<1x6x6x2x4xf32> {
  %0 = linalg.depthwise_conv_2d_nhwc_hwcm {test.retype} ins(%a0, %a1 : tensor<1x8x8x2xf32>, tensor<3x3x2x4xf32>) outs(%o : tensor<1x6x6x2x4xf32>) -> tensor<1x6x6x2x4xf32>
  return %0 : tensor<1x6x6x2x4xf32>
}

// CHECK-LABEL: func.func @depthwise_conv_3d_ncdhw_cdhw(
// CHECK: linalg.depthwise_conv_3d_ncdhw_cdhw {{.*}}ins({{.*}} : tensor<1x2x8x8x8x[[$TYPE]]>, tensor<2x3x3x3x[[$TYPE]]>) outs({{.*}} : tensor<1x2x6x6x6x[[$ACC]]>)
// MODEL: remark: linalg.depthwise_conv_3d_ncdhw_cdhw: convolution (input, input, accumulator)
func.func @depthwise_conv_3d_ncdhw_cdhw(%a0: tensor<1x2x8x8x8xf32>, %a1: tensor<2x3x3x3xf32>, %o: tensor<1x2x6x6x6xf32>) -> tensor<1x2x6x6x6xf32> {
  %0 = linalg.depthwise_conv_3d_ncdhw_cdhw {test.retype} ins(%a0, %a1 : tensor<1x2x8x8x8xf32>, tensor<2x3x3x3xf32>) outs(%o : tensor<1x2x6x6x6xf32>) -> tensor<1x2x6x6x6xf32>
  return %0 : tensor<1x2x6x6x6xf32>
}

// CHECK-LABEL: func.func @depthwise_conv_3d_ndhwc_dhwc(
// CHECK: linalg.depthwise_conv_3d_ndhwc_dhwc {{.*}}ins({{.*}} : tensor<1x8x8x8x2x[[$TYPE]]>, tensor<3x3x3x2x[[$TYPE]]>) outs({{.*}} : tensor<1x6x6x6x2x[[$ACC]]>)
// MODEL: remark: linalg.depthwise_conv_3d_ndhwc_dhwc: convolution (input, input, accumulator)
func.func @depthwise_conv_3d_ndhwc_dhwc(%a0: tensor<1x8x8x8x2xf32>, %a1: tensor<3x3x3x2xf32>, %o: tensor<1x6x6x6x2xf32>) -> tensor<1x6x6x6x2xf32> {
  %0 = linalg.depthwise_conv_3d_ndhwc_dhwc {test.retype} ins(%a0, %a1 : tensor<1x8x8x8x2xf32>, tensor<3x3x3x2xf32>) outs(%o : tensor<1x6x6x6x2xf32>) -> tensor<1x6x6x6x2xf32>
  return %0 : tensor<1x6x6x6x2xf32>
}

// CHECK-LABEL: func.func @depthwise_conv_3d_ndhwc_dhwcm(
// CHECK: linalg.depthwise_conv_3d_ndhwc_dhwcm {{.*}}ins({{.*}} : tensor<1x8x8x8x2x[[$TYPE]]>, tensor<3x3x3x2x4x[[$TYPE]]>) outs({{.*}} : tensor<1x6x6x6x2x4x[[$ACC]]>)
// MODEL: remark: linalg.depthwise_conv_3d_ndhwc_dhwcm: convolution (input, input, accumulator)
func.func @depthwise_conv_3d_ndhwc_dhwcm(%a0: tensor<1x8x8x8x2xf32>, %a1: tensor<3x3x3x2x4xf32>, %o: tensor<1x6x6x6x2x4xf32>) -> tensor<1x6x6x6x2x4xf32> {
  %0 = linalg.depthwise_conv_3d_ndhwc_dhwcm {test.retype} ins(%a0, %a1 : tensor<1x8x8x8x2xf32>, tensor<3x3x3x2x4xf32>) outs(%o : tensor<1x6x6x6x2x4xf32>) -> tensor<1x6x6x6x2x4xf32>
  return %0 : tensor<1x6x6x6x2x4xf32>
}

