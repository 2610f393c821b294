// RUN: %python %S/../oracle.py pooling %s --amp-run=amp-run --autocast=off
// RUN: %python %S/../oracle.py pooling %s --amp-run=amp-run --autocast=f16
// RUN: %python %S/../oracle.py pooling %s --amp-run=amp-run --autocast=bf16

// Pooling after a convolution: maximum in NCHW, and the average as torch-mlir
// writes it, a sum pooling and a division.

#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>

func.func @main(%x: tensor<2x3x14x10xf32> {amp.name = "x"}, %k: tensor<8x3x3x3xf32> {amp.name = "k"})
    -> (tensor<2x8x6x4xf32> {amp.name = "max"}, tensor<2x8x5x3xf32> {amp.name = "mean"}) {
  %cst = arith.constant 0.000000e+00 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %count = arith.constant 1.600000e+01 : f32
  %0 = tensor.empty() : tensor<2x8x12x8xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<2x8x12x8xf32>) -> tensor<2x8x12x8xf32>
  %2 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%x, %k : tensor<2x3x14x10xf32>, tensor<8x3x3x3xf32>)
      outs(%1 : tensor<2x8x12x8xf32>) -> tensor<2x8x12x8xf32>
  %3 = tensor.empty() : tensor<2x8x6x4xf32>
  %4 = linalg.fill ins(%lowest : f32) outs(%3 : tensor<2x8x6x4xf32>) -> tensor<2x8x6x4xf32>
  %5 = tensor.empty() : tensor<2x2xf32>
  %6 = linalg.pooling_nchw_max {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>}
      ins(%2, %5 : tensor<2x8x12x8xf32>, tensor<2x2xf32>)
      outs(%4 : tensor<2x8x6x4xf32>) -> tensor<2x8x6x4xf32>
  %7 = tensor.empty() : tensor<2x8x5x3xf32>
  %8 = linalg.fill ins(%cst : f32) outs(%7 : tensor<2x8x5x3xf32>) -> tensor<2x8x5x3xf32>
  %9 = tensor.empty() : tensor<4x4xf32>
  %10 = linalg.pooling_nchw_sum {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>}
      ins(%2, %9 : tensor<2x8x12x8xf32>, tensor<4x4xf32>)
      outs(%8 : tensor<2x8x5x3xf32>) -> tensor<2x8x5x3xf32>
  %11 = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%10 : tensor<2x8x5x3xf32>) outs(%7 : tensor<2x8x5x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %12 = arith.divf %in, %count : f32
    linalg.yield %12 : f32
  } -> tensor<2x8x5x3xf32>
  return %6, %11 : tensor<2x8x6x4xf32>, tensor<2x8x5x3xf32>
}
