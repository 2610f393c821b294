// A multilayer perceptron for 8x8 digits: 64 -> 128 -> 64 -> 10, f32, any
// batch size. Pixels are unsigned bytes from 0 to 16; the result is the logits.

#rows = affine_map<(n, c) -> (n, c)>
#cols = affine_map<(n, c) -> (c)>

module {
  func.func @main(
      %images: tensor<?x8x8xi8> {amp.name = "images"},
      %w1: tensor<64x128xf32> {amp.name = "w1"}, %b1: tensor<128xf32> {amp.name = "b1"},
      %w2: tensor<128x64xf32> {amp.name = "w2"}, %b2: tensor<64xf32> {amp.name = "b2"},
      %w3: tensor<64x10xf32> {amp.name = "w3"}, %b3: tensor<10xf32> {amp.name = "b3"})
      -> (tensor<?x10xf32> {amp.name = "logits"}) {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %scale = arith.constant 6.250000e-02 : f32
    %n = tensor.dim %images, %c0 : tensor<?x8x8xi8>

    // Bytes to [0, 1]; every value is exact, also in f16 and bf16.
    %bytes = tensor.collapse_shape %images [[0], [1, 2]] : tensor<?x8x8xi8> into tensor<?x64xi8>
    %e0 = tensor.empty(%n) : tensor<?x64xf32>
    %x = linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]}
        ins(%bytes : tensor<?x64xi8>) outs(%e0 : tensor<?x64xf32>) {
    ^bb0(%in: i8, %out: f32):
      %float = arith.uitofp %in : i8 to f32
      %scaled = arith.mulf %float, %scale : f32
      linalg.yield %scaled : f32
    } -> tensor<?x64xf32>

    // Layer 1: relu(x w1 + b1).
    %e1 = tensor.empty(%n) : tensor<?x128xf32>
    %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<?x128xf32>) -> tensor<?x128xf32>
    %m1 = linalg.matmul ins(%x, %w1 : tensor<?x64xf32>, tensor<64x128xf32>)
        outs(%z1 : tensor<?x128xf32>) -> tensor<?x128xf32>
    %h1 = linalg.generic {indexing_maps = [#rows, #cols, #rows], iterator_types = ["parallel", "parallel"]}
        ins(%m1, %b1 : tensor<?x128xf32>, tensor<128xf32>) outs(%e1 : tensor<?x128xf32>) {
    ^bb0(%in: f32, %bias: f32, %out: f32):
      %sum = arith.addf %in, %bias : f32
      %relu = arith.maximumf %sum, %zero : f32
      linalg.yield %relu : f32
    } -> tensor<?x128xf32>

    // Layer 2: relu(h1 w2 + b2).
    %e2 = tensor.empty(%n) : tensor<?x64xf32>
    %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<?x64xf32>) -> tensor<?x64xf32>
    %m2 = linalg.matmul ins(%h1, %w2 : tensor<?x128xf32>, tensor<128x64xf32>)
        outs(%z2 : tensor<?x64xf32>) -> tensor<?x64xf32>
    %h2 = linalg.generic {indexing_maps = [#rows, #cols, #rows], iterator_types = ["parallel", "parallel"]}
        ins(%m2, %b2 : tensor<?x64xf32>, tensor<64xf32>) outs(%e2 : tensor<?x64xf32>) {
    ^bb0(%in: f32, %bias: f32, %out: f32):
      %sum = arith.addf %in, %bias : f32
      %relu = arith.maximumf %sum, %zero : f32
      linalg.yield %relu : f32
    } -> tensor<?x64xf32>

    // Layer 3: logits = h2 w3 + b3.
    %e3 = tensor.empty(%n) : tensor<?x10xf32>
    %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<?x10xf32>) -> tensor<?x10xf32>
    %m3 = linalg.matmul ins(%h2, %w3 : tensor<?x64xf32>, tensor<64x10xf32>)
        outs(%z3 : tensor<?x10xf32>) -> tensor<?x10xf32>
    %logits = linalg.generic {indexing_maps = [#rows, #cols, #rows], iterator_types = ["parallel", "parallel"]}
        ins(%m3, %b3 : tensor<?x10xf32>, tensor<10xf32>) outs(%e3 : tensor<?x10xf32>) {
    ^bb0(%in: f32, %bias: f32, %out: f32):
      %sum = arith.addf %in, %bias : f32
      linalg.yield %sum : f32
    } -> tensor<?x10xf32>
    return %logits : tensor<?x10xf32>
  }
}
