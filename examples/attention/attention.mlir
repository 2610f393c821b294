// One self-attention layer, f32: 2 sequences of 128 tokens, width 256, 8 heads.
//
//   q, k, v = x wq / 16 + bq, x wk / 16 + bk, x wv / 16 + bv      split into heads
//   y = softmax(q k^T / sqrt(32)) v                               per head
//   out = y wo / 16 + bo                                          heads side by side again
//
// Weights have variance one; 1/16 is the reciprocal root of their fan-in.

#rows = affine_map<(n, c) -> (n, c)>
#cols = affine_map<(n, c) -> (c)>
#cube = affine_map<(b, i, j) -> (b, i, j)>
#lhs = affine_map<(b, i, j, k) -> (b, i, k)>
#rhs_transposed = affine_map<(b, i, j, k) -> (b, j, k)>
#product = affine_map<(b, i, j, k) -> (b, i, j)>

module {
  func.func @main(
      %x: tensor<2x128x256xf32> {amp.name = "x"},
      %wq: tensor<256x256xf32> {amp.name = "wq"}, %bq: tensor<256xf32> {amp.name = "bq"},
      %wk: tensor<256x256xf32> {amp.name = "wk"}, %bk: tensor<256xf32> {amp.name = "bk"},
      %wv: tensor<256x256xf32> {amp.name = "wv"}, %bv: tensor<256xf32> {amp.name = "bv"},
      %wo: tensor<256x256xf32> {amp.name = "wo"}, %bo: tensor<256xf32> {amp.name = "bo"})
      -> (tensor<2x128x256xf32> {amp.name = "out"}) {
    %zero = arith.constant 0.0 : f32
    %scale = arith.constant 0.176776692 : f32
    %fan = arith.constant 6.250000e-02 : f32
    %tokens = tensor.collapse_shape %x [[0, 1], [2]] : tensor<2x128x256xf32> into tensor<256x256xf32>
    %e = tensor.empty() : tensor<256x256xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<256x256xf32>) -> tensor<256x256xf32>
    %eh = tensor.empty() : tensor<2x8x128x32xf32>

    // The query: projection, bias, and the heads in front.
    %qm = linalg.matmul ins(%tokens, %wq : tensor<256x256xf32>, tensor<256x256xf32>)
        outs(%z : tensor<256x256xf32>) -> tensor<256x256xf32>
    %qb = linalg.generic {indexing_maps = [#rows, #cols, #rows], iterator_types = ["parallel", "parallel"]}
        ins(%qm, %bq : tensor<256x256xf32>, tensor<256xf32>) outs(%e : tensor<256x256xf32>) {
    ^bb0(%in: f32, %bias: f32, %out: f32):
      %unit = arith.mulf %in, %fan : f32
      %sum = arith.addf %unit, %bias : f32
      linalg.yield %sum : f32
    } -> tensor<256x256xf32>
    %qs = tensor.expand_shape %qb [[0, 1], [2, 3]] output_shape [2, 128, 8, 32]
        : tensor<256x256xf32> into tensor<2x128x8x32xf32>
    %qt = linalg.transpose ins(%qs : tensor<2x128x8x32xf32>)
        outs(%eh : tensor<2x8x128x32xf32>) permutation = [0, 2, 1, 3]
    %q = tensor.collapse_shape %qt [[0, 1], [2], [3]] : tensor<2x8x128x32xf32> into tensor<16x128x32xf32>

    // The key: projection, bias, and the heads in front.
    %km = linalg.matmul ins(%tokens, %wk : tensor<256x256xf32>, tensor<256x256xf32>)
        outs(%z : tensor<256x256xf32>) -> tensor<256x256xf32>
    %kb = linalg.generic {indexing_maps = [#rows, #cols, #rows], iterator_types = ["parallel", "parallel"]}
        ins(%km, %bk : tensor<256x256xf32>, tensor<256xf32>) outs(%e : tensor<256x256xf32>) {
    ^bb0(%in: f32, %bias: f32, %out: f32):
      %unit = arith.mulf %in, %fan : f32
      %sum = arith.addf %unit, %bias : f32
      linalg.yield %sum : f32
    } -> tensor<256x256xf32>
    %ks = tensor.expand_shape %kb [[0, 1], [2, 3]] output_shape [2, 128, 8, 32]
        : tensor<256x256xf32> into tensor<2x128x8x32xf32>
    %kt = linalg.transpose ins(%ks : tensor<2x128x8x32xf32>)
        outs(%eh : tensor<2x8x128x32xf32>) permutation = [0, 2, 1, 3]
    %k = tensor.collapse_shape %kt [[0, 1], [2], [3]] : tensor<2x8x128x32xf32> into tensor<16x128x32xf32>

    // The value: projection, bias, and the heads in front.
    %vm = linalg.matmul ins(%tokens, %wv : tensor<256x256xf32>, tensor<256x256xf32>)
        outs(%z : tensor<256x256xf32>) -> tensor<256x256xf32>
    %vb = linalg.generic {indexing_maps = [#rows, #cols, #rows], iterator_types = ["parallel", "parallel"]}
        ins(%vm, %bv : tensor<256x256xf32>, tensor<256xf32>) outs(%e : tensor<256x256xf32>) {
    ^bb0(%in: f32, %bias: f32, %out: f32):
      %unit = arith.mulf %in, %fan : f32
      %sum = arith.addf %unit, %bias : f32
      linalg.yield %sum : f32
    } -> tensor<256x256xf32>
    %vs = tensor.expand_shape %vb [[0, 1], [2, 3]] output_shape [2, 128, 8, 32]
        : tensor<256x256xf32> into tensor<2x128x8x32xf32>
    %vt = linalg.transpose ins(%vs : tensor<2x128x8x32xf32>)
        outs(%eh : tensor<2x8x128x32xf32>) permutation = [0, 2, 1, 3]
    %v = tensor.collapse_shape %vt [[0, 1], [2], [3]] : tensor<2x8x128x32xf32> into tensor<16x128x32xf32>

    // Scores: q k^T / sqrt(32), then softmax over the keys.
    %es = tensor.empty() : tensor<16x128x128xf32>
    %zs = linalg.fill ins(%zero : f32) outs(%es : tensor<16x128x128xf32>) -> tensor<16x128x128xf32>
    %qk = linalg.batch_matmul indexing_maps = [#lhs, #rhs_transposed, #product]
        ins(%q, %k : tensor<16x128x32xf32>, tensor<16x128x32xf32>)
        outs(%zs : tensor<16x128x128xf32>) -> tensor<16x128x128xf32>
    %scores = linalg.generic {indexing_maps = [#cube, #cube], iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%qk : tensor<16x128x128xf32>) outs(%es : tensor<16x128x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %scaled = arith.mulf %in, %scale : f32
      linalg.yield %scaled : f32
    } -> tensor<16x128x128xf32>
    %p = linalg.softmax dimension(2) ins(%scores : tensor<16x128x128xf32>)
        outs(%es : tensor<16x128x128xf32>) -> tensor<16x128x128xf32>

    // The weighted values, with the heads side by side again.
    %ey = tensor.empty() : tensor<16x128x32xf32>
    %zy = linalg.fill ins(%zero : f32) outs(%ey : tensor<16x128x32xf32>) -> tensor<16x128x32xf32>
    %pv = linalg.batch_matmul ins(%p, %v : tensor<16x128x128xf32>, tensor<16x128x32xf32>)
        outs(%zy : tensor<16x128x32xf32>) -> tensor<16x128x32xf32>
    %heads = tensor.expand_shape %pv [[0, 1], [2], [3]] output_shape [2, 8, 128, 32]
        : tensor<16x128x32xf32> into tensor<2x8x128x32xf32>
    %et = tensor.empty() : tensor<2x128x8x32xf32>
    %back = linalg.transpose ins(%heads : tensor<2x8x128x32xf32>)
        outs(%et : tensor<2x128x8x32xf32>) permutation = [0, 2, 1, 3]
    %y = tensor.collapse_shape %back [[0, 1], [2, 3]] : tensor<2x128x8x32xf32> into tensor<256x256xf32>

    // The output projection.
    %om = linalg.matmul ins(%y, %wo : tensor<256x256xf32>, tensor<256x256xf32>)
        outs(%z : tensor<256x256xf32>) -> tensor<256x256xf32>
    %ob = linalg.generic {indexing_maps = [#rows, #cols, #rows], iterator_types = ["parallel", "parallel"]}
        ins(%om, %bo : tensor<256x256xf32>, tensor<256xf32>) outs(%e : tensor<256x256xf32>) {
    ^bb0(%in: f32, %bias: f32, %out: f32):
      %unit = arith.mulf %in, %fan : f32
      %sum = arith.addf %unit, %bias : f32
      linalg.yield %sum : f32
    } -> tensor<256x256xf32>
    %out = tensor.expand_shape %ob [[0, 1], [2]] output_shape [2, 128, 256]
        : tensor<256x256xf32> into tensor<2x128x256xf32>
    return %out : tensor<2x128x256xf32>
  }
}
