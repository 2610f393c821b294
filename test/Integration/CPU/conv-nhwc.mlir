// RUN: %python %S/../oracle.py conv-nhwc %s --amp-run=amp-run --autocast=off
// RUN: %python %S/../oracle.py conv-nhwc %s --amp-run=amp-run --autocast=f16
// RUN: %python %S/../oracle.py conv-nhwc %s --amp-run=amp-run --autocast=bf16

// A convolution with stride 2 as TensorFlow exporters write it: NHWC, padded to
// "SAME" at the high side only, bias added after, relu6.

#image = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#channel = affine_map<(d0, d1, d2, d3) -> (d3)>

func.func @main(
    %x: tensor<2x14x12x6xf32> {amp.name = "x"}, %k: tensor<3x3x6x20xf32> {amp.name = "k"},
    %b: tensor<20xf32> {amp.name = "b"}) -> (tensor<2x7x6x20xf32> {amp.name = "y"}) {
  %cst = arith.constant 0.000000e+00 : f32
  %six = arith.constant 6.000000e+00 : f32
  %padded = tensor.pad %x low[0, 0, 0, 0] high[0, 1, 1, 0] {
  ^bb0(%arg0: index, %arg1: index, %arg2: index, %arg3: index):
    tensor.yield %cst : f32
  } : tensor<2x14x12x6xf32> to tensor<2x15x13x6xf32>
  %0 = tensor.empty() : tensor<2x7x6x20xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<2x7x6x20xf32>) -> tensor<2x7x6x20xf32>
  %2 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
      ins(%padded, %k : tensor<2x15x13x6xf32>, tensor<3x3x6x20xf32>)
      outs(%1 : tensor<2x7x6x20xf32>) -> tensor<2x7x6x20xf32>
  %3 = linalg.generic {indexing_maps = [#image, #channel, #image],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%2, %b : tensor<2x7x6x20xf32>, tensor<20xf32>) outs(%0 : tensor<2x7x6x20xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %4 = arith.addf %in, %in_0 : f32
    %5 = arith.minimumf %4, %six : f32
    %6 = arith.maximumf %5, %cst : f32
    linalg.yield %6 : f32
  } -> tensor<2x7x6x20xf32>
  return %3 : tensor<2x7x6x20xf32>
}
