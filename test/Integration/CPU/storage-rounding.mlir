// RUN: %python %S/../oracle.py storage-rounding %s --amp-run=amp-run --autocast=off
// RUN: %python %S/../oracle.py storage-rounding %s --amp-run=amp-run --autocast=f16
// RUN: %python %S/../oracle.py storage-rounding %s --amp-run=amp-run --autocast=bf16

// A product with 1: what comes out is the operand, rounded once to the storage
// type. Subnormals, ties, values beyond the largest finite one, infinities, NaN.

func.func @main(%x: tensor<?x1xf32> {amp.name = "x"}, %w: tensor<1x1xf32> {amp.name = "w"})
    -> (tensor<?x1xf32> {amp.name = "y"}) {
  %c0 = arith.constant 0 : index
  %cst = arith.constant 0.000000e+00 : f32
  %m = tensor.dim %x, %c0 : tensor<?x1xf32>
  %0 = tensor.empty(%m) : tensor<?x1xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<?x1xf32>) -> tensor<?x1xf32>
  %2 = linalg.matmul ins(%x, %w : tensor<?x1xf32>, tensor<1x1xf32>) outs(%1 : tensor<?x1xf32>) -> tensor<?x1xf32>
  return %2 : tensor<?x1xf32>
}
