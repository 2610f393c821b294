// RUN: amp-opt %s --amp-inline-kernels --split-input-file --verify-diagnostics -o /dev/null

module @kernels {
  func.func @zero(%d: tensor<4xf32> {amp.destination = 0 : i64}) -> tensor<4xf32> attributes {amp.kernel} {
    %z = arith.constant 0.0 : f32
    %0 = linalg.fill ins(%z : f32) outs(%d : tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
func.func @buffers(%m: memref<4xf32>) {
  // expected-error @+1 {{'amp.launch' op works on buffers, but 'amp-inline-kernels' inlines launches on tensors: run it before bufferization}}
  amp.launch @kernels::@zero outs(%m : memref<4xf32>)
  return
}
