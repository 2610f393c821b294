// A product of 1024 x 1024 matrices, i8 operands and an i32 accumulator.
func.func @main(%a: tensor<1024x1024xi8> {amp.name = "a"}, %b: tensor<1024x1024xi8> {amp.name = "b"})
    -> (tensor<1024x1024xi32> {amp.name = "c"}) {
  %c = amp.out_dtype (%x = %a : tensor<1024x1024xi8>, %y = %b : tensor<1024x1024xi8>) -> tensor<1024x1024xi32> {
    %0 = "aten.mm"(%x, %y) : (tensor<1024x1024xi8>, tensor<1024x1024xi8>) -> tensor<1024x1024xi8>
    amp.yield %0 : tensor<1024x1024xi8>
  }
  return %c : tensor<1024x1024xi32>
}
