// RUN: %python %S/../oracle.py batch-matmul-transposed %s --amp-run=amp-run --autocast=off
// RUN: %python %S/../oracle.py batch-matmul-transposed %s --amp-run=amp-run --autocast=f16
// RUN: %python %S/../oracle.py batch-matmul-transposed %s --amp-run=amp-run --autocast=bf16

// The same batched product three ways: the right operand is transposed by
// linalg.transpose, by the map of a batch_matmul, and by the map of a generic.

#lhs = affine_map<(b, m, n, k) -> (b, m, k)>
#rhs = affine_map<(b, m, n, k) -> (b, n, k)>
#out = affine_map<(b, m, n, k) -> (b, m, n)>

func.func @main(%x: tensor<3x17x40xf32> {amp.name = "x"}, %y: tensor<3x29x40xf32> {amp.name = "y"})
    -> (tensor<3x17x29xf32> {amp.name = "moved"}, tensor<3x17x29xf32> {amp.name = "mapped"},
        tensor<3x17x29xf32> {amp.name = "generic"}) {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<3x17x29xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<3x17x29xf32>) -> tensor<3x17x29xf32>
  %2 = tensor.empty() : tensor<3x40x29xf32>
  %3 = linalg.transpose ins(%y : tensor<3x29x40xf32>) outs(%2 : tensor<3x40x29xf32>) permutation = [0, 2, 1]
  %4 = linalg.batch_matmul ins(%x, %3 : tensor<3x17x40xf32>, tensor<3x40x29xf32>)
      outs(%1 : tensor<3x17x29xf32>) -> tensor<3x17x29xf32>
  %5 = linalg.batch_matmul indexing_maps = [#lhs, #rhs, #out]
      ins(%x, %y : tensor<3x17x40xf32>, tensor<3x29x40xf32>)
      outs(%1 : tensor<3x17x29xf32>) -> tensor<3x17x29xf32>
  %6 = linalg.generic {indexing_maps = [#lhs, #rhs, #out],
                       iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<3x17x40xf32>, tensor<3x29x40xf32>) outs(%1 : tensor<3x17x29xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %7 = arith.mulf %in, %in_0 : f32
    %8 = arith.addf %7, %out : f32
    linalg.yield %8 : f32
  } -> tensor<3x17x29xf32>
  return %4, %5, %6 : tensor<3x17x29xf32>, tensor<3x17x29xf32>, tensor<3x17x29xf32>
}
