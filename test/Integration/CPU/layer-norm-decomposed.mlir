// RUN: %python %S/../oracle.py layer-norm-decomposed %s --amp-run=amp-run --autocast=off
// RUN: %python %S/../oracle.py layer-norm-decomposed %s --amp-run=amp-run --autocast=f16
// RUN: %python %S/../oracle.py layer-norm-decomposed %s --amp-run=amp-run --autocast=bf16

// Layer norm over the last dimension, decomposed: mean, centred square, variance,
// reciprocal root, scale and shift. A matmul takes the result, as in a transformer.

#all = affine_map<(d0, d1) -> (d0, d1)>
#kept = affine_map<(d0, d1) -> (d0, 0)>
#one = affine_map<(d0, d1) -> (d0, d1)>
#cols = affine_map<(d0, d1) -> (d1)>

func.func @main(
    %x: tensor<21x96xf32> {amp.name = "x"}, %gamma: tensor<96xf32> {amp.name = "gamma"},
    %beta: tensor<96xf32> {amp.name = "beta"}, %w: tensor<96x48xf32> {amp.name = "w"})
    -> (tensor<21x96xf32> {amp.name = "norm"}, tensor<21x48xf32> {amp.name = "y"}) {
  %cst = arith.constant 0.000000e+00 : f32
  %count = arith.constant 9.600000e+01 : f32
  %eps = arith.constant 9.99999974E-6 : f32
  %0 = tensor.empty() : tensor<21x1xf32>
  %1 = tensor.empty() : tensor<21x96xf32>
  %2 = linalg.fill ins(%cst : f32) outs(%0 : tensor<21x1xf32>) -> tensor<21x1xf32>
  %3 = linalg.generic {indexing_maps = [#all, #kept], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<21x96xf32>) outs(%2 : tensor<21x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %15 = arith.addf %in, %out : f32
    linalg.yield %15 : f32
  } -> tensor<21x1xf32>
  %4 = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel", "parallel"]}
      ins(%3 : tensor<21x1xf32>) outs(%0 : tensor<21x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %15 = arith.divf %in, %count : f32
    linalg.yield %15 : f32
  } -> tensor<21x1xf32>
  %5 = linalg.generic {indexing_maps = [#all, #kept, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x, %4 : tensor<21x96xf32>, tensor<21x1xf32>) outs(%1 : tensor<21x96xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %15 = arith.subf %in, %in_0 : f32
    linalg.yield %15 : f32
  } -> tensor<21x96xf32>
  %6 = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%5, %5 : tensor<21x96xf32>, tensor<21x96xf32>) outs(%1 : tensor<21x96xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %15 = arith.mulf %in, %in_0 : f32
    linalg.yield %15 : f32
  } -> tensor<21x96xf32>
  %7 = linalg.generic {indexing_maps = [#all, #kept], iterator_types = ["parallel", "reduction"]}
      ins(%6 : tensor<21x96xf32>) outs(%2 : tensor<21x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %15 = arith.addf %in, %out : f32
    linalg.yield %15 : f32
  } -> tensor<21x1xf32>
  %8 = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel", "parallel"]}
      ins(%7 : tensor<21x1xf32>) outs(%0 : tensor<21x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %15 = arith.divf %in, %count : f32
    %16 = arith.addf %15, %eps : f32
    %17 = math.rsqrt %16 : f32
    linalg.yield %17 : f32
  } -> tensor<21x1xf32>
  %9 = linalg.generic {indexing_maps = [#all, #kept, #all], iterator_types = ["parallel", "parallel"]}
      ins(%5, %8 : tensor<21x96xf32>, tensor<21x1xf32>) outs(%1 : tensor<21x96xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %15 = arith.mulf %in, %in_0 : f32
    linalg.yield %15 : f32
  } -> tensor<21x96xf32>
  %10 = linalg.generic {indexing_maps = [#all, #cols, #all], iterator_types = ["parallel", "parallel"]}
      ins(%9, %gamma : tensor<21x96xf32>, tensor<96xf32>) outs(%1 : tensor<21x96xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %15 = arith.mulf %in, %in_0 : f32
    linalg.yield %15 : f32
  } -> tensor<21x96xf32>
  %11 = linalg.generic {indexing_maps = [#all, #cols, #all], iterator_types = ["parallel", "parallel"]}
      ins(%10, %beta : tensor<21x96xf32>, tensor<96xf32>) outs(%1 : tensor<21x96xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %15 = arith.addf %in, %in_0 : f32
    linalg.yield %15 : f32
  } -> tensor<21x96xf32>
  %12 = tensor.empty() : tensor<21x48xf32>
  %13 = linalg.fill ins(%cst : f32) outs(%12 : tensor<21x48xf32>) -> tensor<21x48xf32>
  %14 = linalg.matmul ins(%11, %w : tensor<21x96xf32>, tensor<96x48xf32>)
      outs(%13 : tensor<21x48xf32>) -> tensor<21x48xf32>
  return %11, %14 : tensor<21x96xf32>, tensor<21x48xf32>
}
