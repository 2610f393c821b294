// A product of 1024 x 1024 matrices, f32.
func.func @main(%a: tensor<1024x1024xf32> {amp.name = "a"}, %b: tensor<1024x1024xf32> {amp.name = "b"})
    -> (tensor<1024x1024xf32> {amp.name = "c"}) {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1024x1024xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %c = linalg.matmul ins(%a, %b : tensor<1024x1024xf32>, tensor<1024x1024xf32>)
      outs(%init : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  return %c : tensor<1024x1024xf32>
}
