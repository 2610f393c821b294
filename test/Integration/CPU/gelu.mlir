// RUN: %python %S/../oracle.py gelu %s --amp-run=amp-run --autocast=off
// RUN: %python %S/../oracle.py gelu %s --amp-run=amp-run --autocast=f16
// RUN: %python %S/../oracle.py gelu %s --amp-run=amp-run --autocast=bf16

// A dense layer with both forms of gelu, the one with erf and the one with tanh.

#all = affine_map<(d0, d1) -> (d0, d1)>

func.func @main(%x: tensor<18x50xf32> {amp.name = "x"}, %w: tensor<50x37xf32> {amp.name = "w"})
    -> (tensor<18x37xf32> {amp.name = "erf"}, tensor<18x37xf32> {amp.name = "tanh"}) {
  %cst = arith.constant 0.000000e+00 : f32
  %one = arith.constant 1.000000e+00 : f32
  %half = arith.constant 5.000000e-01 : f32
  %root = arith.constant 0.707106769 : f32
  %cube = arith.constant 4.471500e-02 : f32
  %slope = arith.constant 0.797884583 : f32
  %0 = tensor.empty() : tensor<18x37xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<18x37xf32>) -> tensor<18x37xf32>
  %2 = linalg.matmul ins(%x, %w : tensor<18x50xf32>, tensor<50x37xf32>)
      outs(%1 : tensor<18x37xf32>) -> tensor<18x37xf32>
  %3 = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%2 : tensor<18x37xf32>) outs(%0 : tensor<18x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %5 = arith.mulf %in, %root : f32
    %6 = math.erf %5 : f32
    %7 = arith.addf %6, %one : f32
    %8 = arith.mulf %7, %half : f32
    %9 = arith.mulf %in, %8 : f32
    linalg.yield %9 : f32
  } -> tensor<18x37xf32>
  %4 = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%2 : tensor<18x37xf32>) outs(%0 : tensor<18x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %5 = arith.mulf %in, %in : f32
    %6 = arith.mulf %5, %in : f32
    %7 = arith.mulf %6, %cube : f32
    %8 = arith.addf %in, %7 : f32
    %9 = arith.mulf %8, %slope : f32
    %10 = math.tanh %9 : f32
    %11 = arith.addf %10, %one : f32
    %12 = arith.mulf %11, %half : f32
    %13 = arith.mulf %in, %12 : f32
    linalg.yield %13 : f32
  } -> tensor<18x37xf32>
  return %3, %4 : tensor<18x37xf32>, tensor<18x37xf32>
}
