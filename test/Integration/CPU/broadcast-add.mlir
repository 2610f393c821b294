// RUN: %python %S/../oracle.py broadcast-add %s --amp-run=amp-run --autocast=off
// RUN: %python %S/../oracle.py broadcast-add %s --amp-run=amp-run --autocast=f16
// RUN: %python %S/../oracle.py broadcast-add %s --amp-run=amp-run --autocast=bf16

// Broadcasting sums: a matrix with a row, a column and a single number, by
// generics, by linalg.broadcast and by arith on tensors.

#all = affine_map<(d0, d1) -> (d0, d1)>

func.func @main(
    %x: tensor<27x35xf32> {amp.name = "x"}, %row: tensor<35xf32> {amp.name = "row"},
    %column: tensor<27x1xf32> {amp.name = "column"}, %one: tensor<f32> {amp.name = "one"},
    %w: tensor<35x35xf32> {amp.name = "w"}) -> (tensor<27x35xf32> {amp.name = "y"}) {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<27x35xf32>
  %1 = linalg.generic {indexing_maps = [#all, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, 0)>,
                                        affine_map<(d0, d1) -> ()>, #all],
                       iterator_types = ["parallel", "parallel"]}
      ins(%x, %row, %column, %one : tensor<27x35xf32>, tensor<35xf32>, tensor<27x1xf32>, tensor<f32>)
      outs(%0 : tensor<27x35xf32>) {
  ^bb0(%in: f32, %in_0: f32, %in_1: f32, %in_2: f32, %out: f32):
    %6 = arith.addf %in, %in_0 : f32
    %7 = arith.addf %6, %in_1 : f32
    %8 = arith.addf %7, %in_2 : f32
    linalg.yield %8 : f32
  } -> tensor<27x35xf32>
  %2 = linalg.fill ins(%cst : f32) outs(%0 : tensor<27x35xf32>) -> tensor<27x35xf32>
  %3 = linalg.matmul ins(%1, %w : tensor<27x35xf32>, tensor<35x35xf32>)
      outs(%2 : tensor<27x35xf32>) -> tensor<27x35xf32>
  %4 = linalg.broadcast ins(%row : tensor<35xf32>) outs(%0 : tensor<27x35xf32>) dimensions = [0]
  %5 = arith.addf %3, %4 : tensor<27x35xf32>
  return %5 : tensor<27x35xf32>
}
