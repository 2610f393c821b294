// RUN: %python %S/../oracle.py mlp-generics %s --amp-run=amp-run --autocast=off
// RUN: %python %S/../oracle.py mlp-generics %s --amp-run=amp-run --autocast=f16
// RUN: %python %S/../oracle.py mlp-generics %s --amp-run=amp-run --autocast=bf16

// Two dense layers as torch-mlir writes them: the weight is stored [out, in]
// and transposed, the bias is added by a generic, relu is a compare and select.

#rows = affine_map<(d0, d1) -> (d0, d1)>
#cols = affine_map<(d0, d1) -> (d1)>

func.func @main(
    %x: tensor<19x65xf32> {amp.name = "x"},
    %w1: tensor<130x65xf32> {amp.name = "w1"}, %b1: tensor<130xf32> {amp.name = "b1"},
    %w2: tensor<33x130xf32> {amp.name = "w2"}, %b2: tensor<33xf32> {amp.name = "b2"})
    -> (tensor<19x33xf32> {amp.name = "y"}) {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<65x130xf32>
  %1 = linalg.transpose ins(%w1 : tensor<130x65xf32>) outs(%0 : tensor<65x130xf32>) permutation = [1, 0]
  %2 = tensor.empty() : tensor<19x130xf32>
  %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<19x130xf32>) -> tensor<19x130xf32>
  %4 = linalg.matmul ins(%x, %1 : tensor<19x65xf32>, tensor<65x130xf32>)
      outs(%3 : tensor<19x130xf32>) -> tensor<19x130xf32>
  %5 = linalg.generic {indexing_maps = [#rows, #cols, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%4, %b1 : tensor<19x130xf32>, tensor<130xf32>) outs(%2 : tensor<19x130xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %14 = arith.addf %in, %in_0 : f32
    linalg.yield %14 : f32
  } -> tensor<19x130xf32>
  %6 = linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%5 : tensor<19x130xf32>) outs(%2 : tensor<19x130xf32>) {
  ^bb0(%in: f32, %out: f32):
    %14 = arith.cmpf ugt, %in, %cst : f32
    %15 = arith.select %14, %in, %cst : f32
    linalg.yield %15 : f32
  } -> tensor<19x130xf32>
  %7 = tensor.empty() : tensor<130x33xf32>
  %8 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, #rows],
                       iterator_types = ["parallel", "parallel"]}
      ins(%w2 : tensor<33x130xf32>) outs(%7 : tensor<130x33xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<130x33xf32>
  %9 = tensor.empty() : tensor<19x33xf32>
  %10 = linalg.fill ins(%cst : f32) outs(%9 : tensor<19x33xf32>) -> tensor<19x33xf32>
  %11 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>,
                                         affine_map<(d0, d1, d2) -> (d2, d1)>,
                                         affine_map<(d0, d1, d2) -> (d0, d1)>],
                        iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%6, %8 : tensor<19x130xf32>, tensor<130x33xf32>) outs(%10 : tensor<19x33xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %14 = arith.mulf %in, %in_0 : f32
    %15 = arith.addf %out, %14 : f32
    linalg.yield %15 : f32
  } -> tensor<19x33xf32>
  %12 = linalg.generic {indexing_maps = [#rows, #cols, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%11, %b2 : tensor<19x33xf32>, tensor<33xf32>) outs(%9 : tensor<19x33xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %14 = arith.addf %in, %in_0 : f32
    %15 = arith.cmpf ugt, %14, %cst : f32
    %16 = arith.select %15, %14, %cst : f32
    linalg.yield %16 : f32
  } -> tensor<19x33xf32>
  return %12 : tensor<19x33xf32>
}
