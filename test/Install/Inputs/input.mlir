func.func @consumer(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>) -> tensor<4x4xf32> {
  %0 = amp.autocast device("cpu") dtype(bf16) (%x = %a : tensor<4x8xf32>, %y = %b : tensor<8x4xf32>) -> tensor<4x4xf32> {
    %1 = "aten.mm"(%x, %y) : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
    amp.yield %1 : tensor<4x4xf32>
  }
  return %0 : tensor<4x4xf32>
}
