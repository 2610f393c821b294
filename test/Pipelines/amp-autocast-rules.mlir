// The pipeline hands every option of the classifier on to amp-decide-precision.
//
// RUN: amp-opt %s --allow-unregistered-dialect --amp-autocast="scope=function low-precision-type=f16 nodes-to-exclude=^head nodes-to-include=^head.proj targets-to-exclude=aten.tanh targets-to-include=aten.relu init-max=10 max-depth-of-reduction=16 report=true" | FileCheck %s
// CHECK: amp.report
// CHECK-SAME: "aten.mm" in "main" named "head.fc" {{[^#]*}}#loc{{[^#]*}}, name_rule>
// CHECK-SAME: "aten.mm" in "main" named "head.proj" {{[^#]*}}#loc{{[^#]*}}, included>
// CHECK-SAME: "aten.mm" in "main" named "deep" {{[^#]*}}#loc{{[^#]*}}, reduction_depth>
// CHECK-SAME: "aten.tanh" in "main" at #loc{{[^#]*}}, op_rule>
// CHECK-SAME: "aten.relu" in "main" at #loc{{[^#]*}}, included>
// CHECK-SAME: "aten.mul.Tensor" in "main" at #loc{{[^#]*}}, init_range>
// CHECK-SAME: "aten.exp" in "main" at #loc{{[^#]*}}, exp_reduction>

// RUN: amp-opt %s --allow-unregistered-dialect --amp-autocast="scope=function classifier sensitivity=false report=true" | FileCheck %s --check-prefix=STRUCTURE
// STRUCTURE: "aten.exp" in "main" at #loc{{[^#]*}}, default_low>
// RUN: amp-opt %s --allow-unregistered-dialect --amp-autocast="scope=function compat=modelopt report=true" | FileCheck %s --check-prefix=PEER
// PEER: "aten.exp" in "main" at #loc{{[^#]*}}, default_low>

// RUN: not amp-opt %s --allow-unregistered-dialect --amp-autocast="scope=function nodes-to-exclude=conv,mul(" 2>&1 | FileCheck %s --check-prefix=REGEX
// REGEX: error: [AMP-R001] amp-decide-precision: option 'nodes-to-exclude' has 'mul(', but expected a POSIX extended regular expression
// RUN: not amp-opt %s --allow-unregistered-dialect --amp-autocast="scope=function data-max=-5" 2>&1 | FileCheck %s --check-prefix=DATA
// DATA: option 'data-max' is '-5{{[.0]*}}', but expected a magnitude, or -1
// RUN: not amp-opt %s --allow-unregistered-dialect --amp-autocast="scope=function data-ulp=0" 2>&1 | FileCheck %s --check-prefix=ULP
// ULP: option 'data-ulp' is '{{[0.]+}}', but expected a distance above 0
// RUN: not amp-opt %s --allow-unregistered-dialect --amp-autocast="scope=function max-underflow=2" 2>&1 | FileCheck %s --check-prefix=UNDERFLOW
// UNDERFLOW: option 'max-underflow' is '2{{[.0]*}}', but expected a share of 0 to 1
// RUN: not amp-opt %s --allow-unregistered-dialect --amp-autocast="scope=function weight-overflow=clamp" 2>&1 | FileCheck %s --check-prefix=WEIGHT
// WEIGHT: option 'weight-overflow' is 'clamp', but expected 'keep-f32', 'error' or 'saturate'
// RUN: not amp-opt %s --allow-unregistered-dialect --amp-autocast="scope=function compat=tensorrt" 2>&1 | FileCheck %s --check-prefix=COMPAT
// COMPAT: option 'compat' is 'tensorrt', but expected 'none', 'modelopt' or 'torch-trt'
// RUN: not amp-opt %s --allow-unregistered-dialect --amp-autocast="performance=false" 2>&1 | FileCheck %s --check-prefix=REGION
// REGION: option 'performance' is for scopes that the rules decide, but there is none

func.func @main(%x: tensor<8x8xf32>, %y: tensor<8x32xf32>, %z: tensor<32x8xf32>) {
  %big = arith.constant dense<100.0> : tensor<8x8xf32>
  %0 = "aten.mm"(%x, %x) {amp.name = "head.fc"} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = "aten.mm"(%x, %x) {amp.name = "head.proj"} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = "aten.mm"(%y, %z) {amp.name = "deep"} : (tensor<8x32xf32>, tensor<32x8xf32>) -> tensor<8x8xf32>
  %3 = "aten.tanh"(%0) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %4 = "aten.relu"(%1) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %5 = "aten.mul.Tensor"(%2, %big) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %6 = "aten.exp"(%3) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %7 = "aten.sum.dim_IntList"(%6) {dim = [1]} : (tensor<8x8xf32>) -> tensor<8xf32>
  "use"(%4, %5, %7) : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8xf32>) -> ()
  return
}
