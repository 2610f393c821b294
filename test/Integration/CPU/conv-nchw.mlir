// RUN: %python %S/../oracle.py conv-nchw %s --amp-run=amp-run --autocast=off
// RUN: %python %S/../oracle.py conv-nchw %s --amp-run=amp-run --autocast=f16
// RUN: %python %S/../oracle.py conv-nchw %s --amp-run=amp-run --autocast=bf16

// A padded convolution as torch-mlir writes it: NCHW, and the bias is broadcast
// into the init of the convolution, which so adds to it.

func.func @main(
    %x: tensor<2x5x13x11xf32> {amp.name = "x"}, %k: tensor<18x5x3x3xf32> {amp.name = "k"},
    %b: tensor<18xf32> {amp.name = "b"}) -> (tensor<2x18x13x11xf32> {amp.name = "y"}) {
  %cst = arith.constant 0.000000e+00 : f32
  %padded = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%arg0: index, %arg1: index, %arg2: index, %arg3: index):
    tensor.yield %cst : f32
  } : tensor<2x5x13x11xf32> to tensor<2x5x15x13xf32>
  %0 = tensor.empty() : tensor<2x18x13x11xf32>
  %broadcasted = linalg.broadcast ins(%b : tensor<18xf32>) outs(%0 : tensor<2x18x13x11xf32>) dimensions = [0, 2, 3]
  %1 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%padded, %k : tensor<2x5x15x13xf32>, tensor<18x5x3x3xf32>)
      outs(%broadcasted : tensor<2x18x13x11xf32>) -> tensor<2x18x13x11xf32>
  return %1 : tensor<2x18x13x11xf32>
}
