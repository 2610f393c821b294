// RUN: %python %S/../oracle.py non-finite %s --amp-run=amp-run --autocast=off
// RUN: %python %S/../oracle.py non-finite %s --amp-run=amp-run --autocast=f16
// RUN: %python %S/../oracle.py non-finite %s --amp-run=amp-run --autocast=bf16

// NaN and infinities go through a dense layer and a maximum as IEEE 754 says; an
// operand beyond 65504 is infinite in f16 and finite in the wider types.

#all = affine_map<(d0, d1) -> (d0, d1)>

func.func @main(%x: tensor<6x4xf32> {amp.name = "x"}, %w: tensor<4x3xf32> {amp.name = "w"})
    -> (tensor<6x3xf32> {amp.name = "product"}, tensor<6x3xf32> {amp.name = "relu"}) {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<6x3xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<6x3xf32>) -> tensor<6x3xf32>
  %2 = linalg.matmul ins(%x, %w : tensor<6x4xf32>, tensor<4x3xf32>) outs(%1 : tensor<6x3xf32>) -> tensor<6x3xf32>
  %3 = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%2 : tensor<6x3xf32>) outs(%0 : tensor<6x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %4 = arith.maximumf %in, %cst : f32
    linalg.yield %4 : f32
  } -> tensor<6x3xf32>
  return %2, %3 : tensor<6x3xf32>, tensor<6x3xf32>
}
