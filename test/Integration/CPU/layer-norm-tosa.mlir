// RUN: %python %S/../oracle.py layer-norm-decomposed %s --amp-run=amp-run --autocast=off
// RUN: %python %S/../oracle.py layer-norm-decomposed %s --amp-run=amp-run --autocast=f16
// RUN: %python %S/../oracle.py layer-norm-decomposed %s --amp-run=amp-run --autocast=bf16

// A layer norm as TOSA writes it, with sums, products by constants and a
// reciprocal root, and a matrix product after it.

func.func @main(%x2: tensor<21x96xf32> {amp.name = "x"}, %gamma1: tensor<96xf32> {amp.name = "gamma"},
                %beta1: tensor<96xf32> {amp.name = "beta"}, %w2: tensor<96x48xf32> {amp.name = "w"})
    -> (tensor<21x96xf32> {amp.name = "norm"}, tensor<21x48xf32> {amp.name = "y"}) {
  %sx = tosa.const_shape {values = dense<[1, 21, 96]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %sg = tosa.const_shape {values = dense<[1, 1, 96]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %sw = tosa.const_shape {values = dense<[1, 96, 48]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %sn = tosa.const_shape {values = dense<[21, 96]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %sy = tosa.const_shape {values = dense<[21, 48]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %x = tosa.reshape %x2, %sx : (tensor<21x96xf32>, !tosa.shape<3>) -> tensor<1x21x96xf32>
  %gamma = tosa.reshape %gamma1, %sg : (tensor<96xf32>, !tosa.shape<3>) -> tensor<1x1x96xf32>
  %beta = tosa.reshape %beta1, %sg : (tensor<96xf32>, !tosa.shape<3>) -> tensor<1x1x96xf32>
  %w = tosa.reshape %w2, %sw : (tensor<96x48xf32>, !tosa.shape<3>) -> tensor<1x96x48xf32>
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %n = "tosa.const"() <{values = dense<0.010416667> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %eps = "tosa.const"() <{values = dense<1.0e-5> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.reduce_sum %x {axis = 2 : i32} : (tensor<1x21x96xf32>) -> tensor<1x21x1xf32>
  %1 = tosa.mul %0, %n, %shift : (tensor<1x21x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x21x1xf32>
  %2 = tosa.sub %x, %1 : (tensor<1x21x96xf32>, tensor<1x21x1xf32>) -> tensor<1x21x96xf32>
  %3 = tosa.mul %2, %2, %shift : (tensor<1x21x96xf32>, tensor<1x21x96xf32>, tensor<1xi8>) -> tensor<1x21x96xf32>
  %4 = tosa.reduce_sum %3 {axis = 2 : i32} : (tensor<1x21x96xf32>) -> tensor<1x21x1xf32>
  %5 = tosa.mul %4, %n, %shift : (tensor<1x21x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x21x1xf32>
  %6 = tosa.add %5, %eps : (tensor<1x21x1xf32>, tensor<1x1x1xf32>) -> tensor<1x21x1xf32>
  %7 = tosa.rsqrt %6 : (tensor<1x21x1xf32>) -> tensor<1x21x1xf32>
  %8 = tosa.mul %2, %7, %shift : (tensor<1x21x96xf32>, tensor<1x21x1xf32>, tensor<1xi8>) -> tensor<1x21x96xf32>
  %9 = tosa.mul %8, %gamma, %shift : (tensor<1x21x96xf32>, tensor<1x1x96xf32>, tensor<1xi8>) -> tensor<1x21x96xf32>
  %10 = tosa.add %9, %beta : (tensor<1x21x96xf32>, tensor<1x1x96xf32>) -> tensor<1x21x96xf32>
  %11 = tosa.matmul %10, %w, %z, %z : (tensor<1x21x96xf32>, tensor<1x96x48xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x21x48xf32>
  %norm = tosa.reshape %10, %sn : (tensor<1x21x96xf32>, !tosa.shape<2>) -> tensor<21x96xf32>
  %y = tosa.reshape %11, %sy : (tensor<1x21x48xf32>, !tosa.shape<2>) -> tensor<21x48xf32>
  return %norm, %y : tensor<21x96xf32>, tensor<21x48xf32>
}
