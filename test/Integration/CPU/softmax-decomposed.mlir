// RUN: %python %S/../oracle.py softmax-decomposed %s --amp-run=amp-run --autocast=off
// RUN: %python %S/../oracle.py softmax-decomposed %s --amp-run=amp-run --autocast=f16
// RUN: %python %S/../oracle.py softmax-decomposed %s --amp-run=amp-run --autocast=bf16

// Attention scores and their softmax, decomposed as torch-mlir does it: maximum
// over the last dimension, difference, exp, sum, quotient.

#all = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#kept = affine_map<(d0, d1, d2) -> (d0, d1, 0)>

func.func @main(%q: tensor<2x23x32xf32> {amp.name = "q"}, %k: tensor<2x32x41xf32> {amp.name = "k"})
    -> (tensor<2x23x41xf32> {amp.name = "p"}) {
  %cst = arith.constant 0.000000e+00 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.176776692 : f32
  %0 = tensor.empty() : tensor<2x23x41xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<2x23x41xf32>) -> tensor<2x23x41xf32>
  %2 = linalg.batch_matmul ins(%q, %k : tensor<2x23x32xf32>, tensor<2x32x41xf32>)
      outs(%1 : tensor<2x23x41xf32>) -> tensor<2x23x41xf32>
  %3 = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%2 : tensor<2x23x41xf32>) outs(%0 : tensor<2x23x41xf32>) {
  ^bb0(%in: f32, %out: f32):
    %12 = arith.mulf %in, %scale : f32
    linalg.yield %12 : f32
  } -> tensor<2x23x41xf32>
  %4 = tensor.empty() : tensor<2x23x1xf32>
  %5 = linalg.fill ins(%lowest : f32) outs(%4 : tensor<2x23x1xf32>) -> tensor<2x23x1xf32>
  %6 = linalg.generic {indexing_maps = [#all, #kept], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%3 : tensor<2x23x41xf32>) outs(%5 : tensor<2x23x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %12 = arith.maximumf %in, %out : f32
    linalg.yield %12 : f32
  } -> tensor<2x23x1xf32>
  %7 = linalg.generic {indexing_maps = [#all, #kept, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%3, %6 : tensor<2x23x41xf32>, tensor<2x23x1xf32>) outs(%0 : tensor<2x23x41xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %12 = arith.subf %in, %in_0 : f32
    linalg.yield %12 : f32
  } -> tensor<2x23x41xf32>
  %8 = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%7 : tensor<2x23x41xf32>) outs(%0 : tensor<2x23x41xf32>) {
  ^bb0(%in: f32, %out: f32):
    %12 = math.exp %in : f32
    linalg.yield %12 : f32
  } -> tensor<2x23x41xf32>
  %9 = linalg.fill ins(%cst : f32) outs(%4 : tensor<2x23x1xf32>) -> tensor<2x23x1xf32>
  %10 = linalg.generic {indexing_maps = [#all, #kept], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%8 : tensor<2x23x41xf32>) outs(%9 : tensor<2x23x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %12 = arith.addf %in, %out : f32
    linalg.yield %12 : f32
  } -> tensor<2x23x1xf32>
  %11 = linalg.generic {indexing_maps = [#all, #kept, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%8, %10 : tensor<2x23x41xf32>, tensor<2x23x1xf32>) outs(%0 : tensor<2x23x41xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %12 = arith.divf %in, %in_0 : f32
    linalg.yield %12 : f32
  } -> tensor<2x23x41xf32>
  return %11 : tensor<2x23x41xf32>
}
