// Branches that broadcast, as upstream's lowering of tosa leaves them, are gone where sizes are known to be the same, and stay where they may differ.
// RUN: amp-opt %s --split-input-file --amp-lower-to-linalg | FileCheck %s
// RUN: amp-opt %s --split-input-file --amp-lower-to-linalg | amp-opt --split-input-file --amp-fold-broadcasts | FileCheck %s

// The maxima and the sums of a row have as many rows as the tensor.
// CHECK-LABEL: func.func @softmax(
// CHECK-NOT: scf.if
// CHECK-NOT: arith.maxui
// CHECK: return
func.func @softmax(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %m = tosa.reduce_max %x {axis = 1 : i32} : (tensor<?x?xf32>) -> tensor<?x1xf32>
  %s = tosa.sub %x, %m : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  %e = tosa.exp %s : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %n = tosa.reduce_sum %e {axis = 1 : i32} : (tensor<?x?xf32>) -> tensor<?x1xf32>
  %q = tosa.reciprocal %n : (tensor<?x1xf32>) -> tensor<?x1xf32>
  %shift = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %p = tosa.mul %e, %q, %shift : (tensor<?x?xf32>, tensor<?x1xf32>, tensor<1xi8>) -> tensor<?x?xf32>
  return %p : tensor<?x?xf32>
}

// -----

// What went through a product, and a cast of autocast's, has its rows.
// CHECK-LABEL: func.func @residual(
// CHECK-NOT: scf.if
// CHECK: linalg.batch_matmul
// CHECK-NOT: scf.if
// CHECK: return
func.func @residual(%x: tensor<1x?x64xf32>, %w: tensor<1x64x64xf32>, %b: tensor<1x1x64xf32>) -> tensor<1x?x64xf32> {
  %zero = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %y = tosa.matmul %x, %w, %zero, %zero : (tensor<1x?x64xf32>, tensor<1x64x64xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x?x64xf32>
  %z = tosa.add %y, %b : (tensor<1x?x64xf32>, tensor<1x1x64xf32>) -> tensor<1x?x64xf32>
  %n = amp.cast %z {may_elide} : tensor<1x?x64xf32> to tensor<1x?x64xbf16>
  %v = amp.cast %n : tensor<1x?x64xbf16> to tensor<1x?x64xf32>
  %r = tosa.add %x, %v : (tensor<1x?x64xf32>, tensor<1x?x64xf32>) -> tensor<1x?x64xf32>
  %s = tosa.add %r, %x : (tensor<1x?x64xf32>, tensor<1x?x64xf32>) -> tensor<1x?x64xf32>
  return %s : tensor<1x?x64xf32>
}

// -----

// Of two arguments, one may have one row.
// CHECK-LABEL: func.func @unknown(
// CHECK: arith.maxui
// CHECK: scf.if
// CHECK: scf.if
// CHECK: return
func.func @unknown(%x: tensor<?x64xf32>, %y: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %r = tosa.add %x, %y : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  return %r : tensor<?x64xf32>
}

// -----

// So may one of two dimensions of one argument.
// CHECK-LABEL: func.func @square(
// CHECK: scf.if
// CHECK: return
func.func @square(%x: tensor<?x?xf32>, %t: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %e = tosa.transpose %x {perms = array<i32: 1, 0>} : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %r = tosa.add %x, %e : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// Other branches are the program's.
// CHECK-LABEL: func.func @other(
// CHECK: scf.if
// CHECK: return
func.func @other(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c1 = arith.constant 1 : index
  %one = arith.cmpi eq, %n, %c1 : index
  %0 = scf.if %one -> (tensor<?xf32>) {
    %e = tensor.empty(%n) : tensor<?xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(i) -> (0)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
        ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) {
    ^bb0(%a: f32, %b: f32):
      linalg.yield %a : f32
    } -> tensor<?xf32>
    scf.yield %r : tensor<?xf32>
  } else {
    scf.yield %x : tensor<?xf32>
  }
  return %0 : tensor<?xf32>
}
