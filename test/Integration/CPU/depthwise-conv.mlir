// RUN: %python %S/../oracle.py depthwise-conv %s --amp-run=amp-run --autocast=off
// RUN: %python %S/../oracle.py depthwise-conv %s --amp-run=amp-run --autocast=f16
// RUN: %python %S/../oracle.py depthwise-conv %s --amp-run=amp-run --autocast=bf16

// Depthwise convolutions of both layouts, and the pointwise convolution that
// follows one in a mobile network.

func.func @main(
    %x: tensor<1x9x10x24xf32> {amp.name = "x"}, %k: tensor<3x3x24xf32> {amp.name = "k"},
    %p: tensor<1x1x24x32xf32> {amp.name = "p"},
    %u: tensor<1x24x9x10xf32> {amp.name = "u"}, %l: tensor<24x3x3xf32> {amp.name = "l"})
    -> (tensor<1x7x8x32xf32> {amp.name = "nhwc"}, tensor<1x24x7x8xf32> {amp.name = "nchw"}) {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<1x7x8x24xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x7x8x24xf32>) -> tensor<1x7x8x24xf32>
  %2 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%x, %k : tensor<1x9x10x24xf32>, tensor<3x3x24xf32>)
      outs(%1 : tensor<1x7x8x24xf32>) -> tensor<1x7x8x24xf32>
  %3 = tensor.empty() : tensor<1x7x8x32xf32>
  %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<1x7x8x32xf32>) -> tensor<1x7x8x32xf32>
  %5 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%2, %p : tensor<1x7x8x24xf32>, tensor<1x1x24x32xf32>)
      outs(%4 : tensor<1x7x8x32xf32>) -> tensor<1x7x8x32xf32>
  %6 = tensor.empty() : tensor<1x24x7x8xf32>
  %7 = linalg.fill ins(%cst : f32) outs(%6 : tensor<1x24x7x8xf32>) -> tensor<1x24x7x8xf32>
  %8 = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%u, %l : tensor<1x24x9x10xf32>, tensor<24x3x3xf32>)
      outs(%7 : tensor<1x24x7x8xf32>) -> tensor<1x24x7x8xf32>
  return %5, %8 : tensor<1x7x8x32xf32>, tensor<1x24x7x8xf32>
}
