// RUN: %python %S/../oracle.py softmax-decomposed %s --amp-run=amp-run --autocast=off
// RUN: %python %S/../oracle.py softmax-decomposed %s --amp-run=amp-run --autocast=f16
// RUN: %python %S/../oracle.py softmax-decomposed %s --amp-run=amp-run --autocast=bf16

// Attention scores and their softmax as TOSA writes them: with a reciprocal in
// place of the quotient.

func.func @main(%q: tensor<2x23x32xf32> {amp.name = "q"}, %k: tensor<2x32x41xf32> {amp.name = "k"})
    -> (tensor<2x23x41xf32> {amp.name = "p"}) {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %s = "tosa.const"() <{values = dense<0.176776692> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %m = tosa.matmul %q, %k, %z, %z : (tensor<2x23x32xf32>, tensor<2x32x41xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x23x41xf32>
  %0 = tosa.mul %m, %s, %shift : (tensor<2x23x41xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x23x41xf32>
  %1 = tosa.reduce_max %0 {axis = 2 : i32} : (tensor<2x23x41xf32>) -> tensor<2x23x1xf32>
  %2 = tosa.sub %0, %1 : (tensor<2x23x41xf32>, tensor<2x23x1xf32>) -> tensor<2x23x41xf32>
  %3 = tosa.exp %2 : (tensor<2x23x41xf32>) -> tensor<2x23x41xf32>
  %4 = tosa.reduce_sum %3 {axis = 2 : i32} : (tensor<2x23x41xf32>) -> tensor<2x23x1xf32>
  %5 = tosa.reciprocal %4 : (tensor<2x23x1xf32>) -> tensor<2x23x1xf32>
  %6 = tosa.mul %3, %5, %shift : (tensor<2x23x41xf32>, tensor<2x23x1xf32>, tensor<1xi8>) -> tensor<2x23x41xf32>
  return %6 : tensor<2x23x41xf32>
}
