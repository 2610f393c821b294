func.func @main(%x: tensor<4xf32>) -> tensor<4xbf16> {
  %0 = call @narrow(%x) : (tensor<4xf32>) -> tensor<4xbf16>
  return %0 : tensor<4xbf16>
}
func.func private @narrow(%x: tensor<4xf32>) -> tensor<4xbf16> {
  %0 = amp.cast %x : tensor<4xf32> to tensor<4xbf16>
  return %0 : tensor<4xbf16>
}
