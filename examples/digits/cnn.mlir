// A small convolutional network for 8x8 digits, f32, any batch size:
// conv 3x3x16, relu, max pool 2x2, conv 3x3x32, relu, dense 512 -> 10.
// Pixels are unsigned bytes from 0 to 16; the result is the logits. The layers have
// names (amp.name), by which rules and reports call them.

#image = affine_map<(n, h, w, c) -> (n, h, w, c)>
#pixel = affine_map<(n, h, w, c) -> (n, h, w)>
#channel = affine_map<(n, h, w, c) -> (c)>
#rows = affine_map<(n, c) -> (n, c)>
#cols = affine_map<(n, c) -> (c)>

module {
  func.func @main(
      %images: tensor<?x8x8xi8> {amp.name = "images"},
      %k1: tensor<3x3x1x16xf32> {amp.name = "k1"}, %c1: tensor<16xf32> {amp.name = "c1"},
      %k2: tensor<3x3x16x32xf32> {amp.name = "k2"}, %c2: tensor<32xf32> {amp.name = "c2"},
      %w: tensor<512x10xf32> {amp.name = "w"}, %b: tensor<10xf32> {amp.name = "b"})
      -> (tensor<?x10xf32> {amp.name = "logits"}) {
    %i0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %lowest = arith.constant 0xFF800000 : f32
    %scale = arith.constant 6.250000e-02 : f32
    %n = tensor.dim %images, %i0 : tensor<?x8x8xi8>

    // Bytes to [0, 1], with one channel; every value is exact, also in f16 and bf16.
    %e0 = tensor.empty(%n) : tensor<?x8x8x1xf32>
    %x = linalg.generic {indexing_maps = [#pixel, #image],
                         iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
        ins(%images : tensor<?x8x8xi8>) outs(%e0 : tensor<?x8x8x1xf32>) {
    ^bb0(%in: i8, %out: f32):
      %float = arith.uitofp %in : i8 to f32
      %scaled = arith.mulf %float, %scale : f32
      linalg.yield %scaled : f32
    } -> tensor<?x8x8x1xf32>

    // Convolution 1, with one zero around the image: relu(conv(x, k1) + c1).
    %p1 = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%a: index, %i: index, %j: index, %k: index):
      tensor.yield %zero : f32
    } : tensor<?x8x8x1xf32> to tensor<?x10x10x1xf32>
    %e1 = tensor.empty(%n) : tensor<?x8x8x16xf32>
    %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<?x8x8x16xf32>) -> tensor<?x8x8x16xf32>
    %m1 = linalg.conv_2d_nhwc_hwcf {amp.name = "conv1", dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
        ins(%p1, %k1 : tensor<?x10x10x1xf32>, tensor<3x3x1x16xf32>)
        outs(%z1 : tensor<?x8x8x16xf32>) -> tensor<?x8x8x16xf32>
    %h1 = linalg.generic {indexing_maps = [#image, #channel, #image],
                          iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
        ins(%m1, %c1 : tensor<?x8x8x16xf32>, tensor<16xf32>) outs(%e1 : tensor<?x8x8x16xf32>) {
    ^bb0(%in: f32, %bias: f32, %out: f32):
      %sum = arith.addf %in, %bias : f32
      %relu = arith.maximumf %sum, %zero : f32
      linalg.yield %relu : f32
    } -> tensor<?x8x8x16xf32>

    // Max pooling of 2x2.
    %window = tensor.empty() : tensor<2x2xf32>
    %e2 = tensor.empty(%n) : tensor<?x4x4x16xf32>
    %z2 = linalg.fill ins(%lowest : f32) outs(%e2 : tensor<?x4x4x16xf32>) -> tensor<?x4x4x16xf32>
    %h2 = linalg.pooling_nhwc_max {amp.name = "pool", dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
        ins(%h1, %window : tensor<?x8x8x16xf32>, tensor<2x2xf32>)
        outs(%z2 : tensor<?x4x4x16xf32>) -> tensor<?x4x4x16xf32>

    // Convolution 2: relu(conv(h2, k2) + c2).
    %p3 = tensor.pad %h2 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%a: index, %i: index, %j: index, %k: index):
      tensor.yield %zero : f32
    } : tensor<?x4x4x16xf32> to tensor<?x6x6x16xf32>
    %e3 = tensor.empty(%n) : tensor<?x4x4x32xf32>
    %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<?x4x4x32xf32>) -> tensor<?x4x4x32xf32>
    %m3 = linalg.conv_2d_nhwc_hwcf {amp.name = "conv2", dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
        ins(%p3, %k2 : tensor<?x6x6x16xf32>, tensor<3x3x16x32xf32>)
        outs(%z3 : tensor<?x4x4x32xf32>) -> tensor<?x4x4x32xf32>
    %h3 = linalg.generic {indexing_maps = [#image, #channel, #image],
                          iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
        ins(%m3, %c2 : tensor<?x4x4x32xf32>, tensor<32xf32>) outs(%e3 : tensor<?x4x4x32xf32>) {
    ^bb0(%in: f32, %bias: f32, %out: f32):
      %sum = arith.addf %in, %bias : f32
      %relu = arith.maximumf %sum, %zero : f32
      linalg.yield %relu : f32
    } -> tensor<?x4x4x32xf32>

    // Dense: logits = flat w + b.
    %flat = tensor.collapse_shape %h3 [[0], [1, 2, 3]] : tensor<?x4x4x32xf32> into tensor<?x512xf32>
    %e4 = tensor.empty(%n) : tensor<?x10xf32>
    %z4 = linalg.fill ins(%zero : f32) outs(%e4 : tensor<?x10xf32>) -> tensor<?x10xf32>
    %m4 = linalg.matmul {amp.name = "dense"} ins(%flat, %w : tensor<?x512xf32>, tensor<512x10xf32>)
        outs(%z4 : tensor<?x10xf32>) -> tensor<?x10xf32>
    %logits = linalg.generic {indexing_maps = [#rows, #cols, #rows], iterator_types = ["parallel", "parallel"]}
        ins(%m4, %b : tensor<?x10xf32>, tensor<10xf32>) outs(%e4 : tensor<?x10xf32>) {
    ^bb0(%in: f32, %bias: f32, %out: f32):
      %sum = arith.addf %in, %bias : f32
      linalg.yield %sum : f32
    } -> tensor<?x10xf32>
    return %logits : tensor<?x10xf32>
  }
}
