// RUN: %python %S/../oracle.py dynamic-shapes %s --amp-run=amp-run --autocast=off
// RUN: %python %S/../oracle.py dynamic-shapes %s --amp-run=amp-run --autocast=f16
// RUN: %python %S/../oracle.py dynamic-shapes %s --amp-run=amp-run --autocast=bf16

// A dense layer of unknown sizes and its row sums, run at several sizes: odd, one, and none.

#rows = affine_map<(d0, d1) -> (d0, d1)>
#cols = affine_map<(d0, d1) -> (d1)>

func.func @main(
    %x: tensor<?x?xf32> {amp.name = "x"}, %w: tensor<?x?xf32> {amp.name = "w"},
    %b: tensor<?xf32> {amp.name = "b"})
    -> (tensor<?x?xf32> {amp.name = "y"}, tensor<?xf32> {amp.name = "sums"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %cst = arith.constant 0.000000e+00 : f32
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %n = tensor.dim %w, %c1 : tensor<?x?xf32>
  %0 = tensor.empty(%m, %n) : tensor<?x?xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<?x?xf32>) -> tensor<?x?xf32>
  %2 = linalg.matmul ins(%x, %w : tensor<?x?xf32>, tensor<?x?xf32>) outs(%1 : tensor<?x?xf32>) -> tensor<?x?xf32>
  %3 = linalg.generic {indexing_maps = [#rows, #cols, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%2, %b : tensor<?x?xf32>, tensor<?xf32>) outs(%0 : tensor<?x?xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %7 = arith.addf %in, %in_0 : f32
    %8 = arith.maximumf %7, %cst : f32
    linalg.yield %8 : f32
  } -> tensor<?x?xf32>
  %4 = tensor.empty(%m) : tensor<?xf32>
  %5 = linalg.fill ins(%cst : f32) outs(%4 : tensor<?xf32>) -> tensor<?xf32>
  %6 = linalg.reduce {arith.addf} ins(%3 : tensor<?x?xf32>) outs(%5 : tensor<?xf32>) dimensions = [1]
  return %3, %6 : tensor<?x?xf32>, tensor<?xf32>
}
