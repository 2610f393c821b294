// Case N7: a mean of five operands reduces five elements; ModelOpt takes the
// rank, which is four.
//
// RUN: amp-opt %s --allow-unregistered-dialect --amp-decide-precision="scope=function max-depth-of-reduction=4" | FileCheck %s
// RUN: amp-opt %s --allow-unregistered-dialect --amp-decide-precision="scope=function max-depth-of-reduction=4 compat=modelopt" | FileCheck %s --check-prefix=MODELOPT

// CHECK: "onnx.Mean"{{.*}}#amp.decision<fp32, {{.*}}, reduction_depth
// MODELOPT: "onnx.Mean"{{.*}}#amp.decision<lower_precision_fp, {{.*}}, default_low
func.func @mean() {
  %x = arith.constant dense<1.0> : tensor<1x2x3x4xf32>
  %0 = "onnx.Mean"(%x, %x, %x, %x, %x) : (tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
  return
}
