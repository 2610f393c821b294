// RUN: %python %S/../oracle.py conv-block %s --amp-run=amp-run --autocast=off
// RUN: %python %S/../oracle.py conv-block %s --amp-run=amp-run --autocast=f16
// RUN: %python %S/../oracle.py conv-block %s --amp-run=amp-run --autocast=bf16

// A residual block as torch exports it: NCHW, two padded convolutions, bias and
// ReLU between, a folded batch norm, the input added, ReLU. On sm_90a channels
// go last, the weights' once, and TMA reads the padding.

#image = affine_map<(n, c, h, w) -> (n, c, h, w)>
#channel = affine_map<(n, c, h, w) -> (c)>

func.func @main(
    %x: tensor<2x40x9x7xf32> {amp.name = "x"}, %k1: tensor<48x40x3x3xf32> {amp.name = "k1", amp.weight},
    %b1: tensor<48xf32> {amp.name = "b1", amp.weight}, %k2: tensor<40x48x3x3xf32> {amp.name = "k2", amp.weight},
    %scale: tensor<40xf32> {amp.name = "scale", amp.weight}, %shift: tensor<40xf32> {amp.name = "shift", amp.weight})
    -> (tensor<2x40x9x7xf32> {amp.name = "y"}) {
  %zero = arith.constant 0.000000e+00 : f32
  %padded = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<2x40x9x7xf32> to tensor<2x40x11x9xf32>
  %e1 = tensor.empty() : tensor<2x48x9x7xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<2x48x9x7xf32>) -> tensor<2x48x9x7xf32>
  %c1 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%padded, %k1 : tensor<2x40x11x9xf32>, tensor<48x40x3x3xf32>)
      outs(%f1 : tensor<2x48x9x7xf32>) -> tensor<2x48x9x7xf32>
  %r1 = linalg.generic {indexing_maps = [#image, #channel, #image],
                        iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%c1, %b1 : tensor<2x48x9x7xf32>, tensor<48xf32>) outs(%e1 : tensor<2x48x9x7xf32>) {
  ^bb0(%in: f32, %bias: f32, %out: f32):
    %0 = arith.addf %in, %bias : f32
    %1 = arith.maximumf %0, %zero : f32
    linalg.yield %1 : f32
  } -> tensor<2x48x9x7xf32>
  %padded1 = tensor.pad %r1 low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<2x48x9x7xf32> to tensor<2x48x11x9xf32>
  %e2 = tensor.empty() : tensor<2x40x9x7xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<2x40x9x7xf32>) -> tensor<2x40x9x7xf32>
  %c2 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%padded1, %k2 : tensor<2x48x11x9xf32>, tensor<40x48x3x3xf32>)
      outs(%f2 : tensor<2x40x9x7xf32>) -> tensor<2x40x9x7xf32>
  %r2 = linalg.generic {indexing_maps = [#image, #channel, #channel, #image, #image],
                        iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%c2, %scale, %shift, %x : tensor<2x40x9x7xf32>, tensor<40xf32>, tensor<40xf32>, tensor<2x40x9x7xf32>)
      outs(%e2 : tensor<2x40x9x7xf32>) {
  ^bb0(%in: f32, %s: f32, %t: f32, %residual: f32, %out: f32):
    %0 = arith.mulf %in, %s : f32
    %1 = arith.addf %0, %t : f32
    %2 = arith.addf %1, %residual : f32
    %3 = arith.maximumf %2, %zero : f32
    linalg.yield %3 : f32
  } -> tensor<2x40x9x7xf32>
  return %r2 : tensor<2x40x9x7xf32>
}
