// RUN: %python %S/../oracle.py conv-tosa %s --amp-run=amp-run --autocast=off
// RUN: %python %S/../oracle.py conv-tosa %s --amp-run=amp-run --autocast=f16
// RUN: %python %S/../oracle.py conv-tosa %s --amp-run=amp-run --autocast=bf16

// TOSA in a row: a convolution with its padding and bias, a clamp, a mean over
// windows.

func.func @main(%x: tensor<2x10x10x3xf32> {amp.name = "x"}, %w: tensor<8x3x3x3xf32> {amp.name = "w"}, %b: tensor<8xf32> {amp.name = "b"})
    -> (tensor<2x5x5x8xf32> {amp.name = "pooled"}) {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %c = tosa.conv2d %x, %w, %b, %z, %z {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>}
      : (tensor<2x10x10x3xf32>, tensor<8x3x3x3xf32>, tensor<8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x10x10x8xf32>
  %k = tosa.clamp %c {min_val = 0.0 : f32, max_val = 6.0 : f32} : (tensor<2x10x10x8xf32>) -> tensor<2x10x10x8xf32>
  %p = tosa.avg_pool2d %k, %z, %z {acc_type = f32, kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>}
      : (tensor<2x10x10x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x5x5x8xf32>
  return %p : tensor<2x5x5x8xf32>
}
