// RUN: %python %S/../oracle.py wide-accumulation %s --amp-run=amp-run --autocast=off
// RUN: %python %S/../oracle.py wide-accumulation %s --amp-run=amp-run --autocast=f16
// RUN: %python %S/../oracle.py wide-accumulation %s --amp-run=amp-run --autocast=bf16

// A long product of positive numbers: an accumulator in bf16 stops growing near
// 256 times the size of a term, and one in f16 rounds away half of the last terms.

func.func @main(%x: tensor<5x1000xf32> {amp.name = "x"}, %w: tensor<1000x7xf32> {amp.name = "w"})
    -> (tensor<5x7xf32> {amp.name = "y"}) {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<5x7xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<5x7xf32>) -> tensor<5x7xf32>
  %2 = linalg.matmul ins(%x, %w : tensor<5x1000xf32>, tensor<1000x7xf32>)
      outs(%1 : tensor<5x7xf32>) -> tensor<5x7xf32>
  return %2 : tensor<5x7xf32>
}
