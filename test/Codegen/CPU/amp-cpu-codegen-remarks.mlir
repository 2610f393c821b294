// RUN: amp-opt %s --pass-pipeline='builtin.module(func.func(amp-cpu-codegen))' --remarks-filter=amp --remark-format=emitRemark -o %t 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=IR < %t
// RUN: not amp-opt %s --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{no-scalar-fallback}))' -o /dev/null 2>&1 | FileCheck %s --check-prefix=ERROR --implicit-check-not=error:

// What has no vector form is named, stays linalg and thus becomes scalar loops.
// CHECK: remark: [Missed] ScalarFallback
// CHECK-SAME: Function=complex_add
// CHECK-SAME: an element type is neither integer nor floating point
// IR-LABEL: func.func @complex_add
// IR: linalg.generic
// ERROR: amp-cpu-codegen-remarks.mlir:[[#@LINE+2]]:8: error: 'linalg.generic' is compiled to a loop that goes element by element, which 'no-scalar-fallback' forbids: an element type is neither integer nor floating point
func.func @complex_add(%x: tensor<5xcomplex<f32>>, %e: tensor<5xcomplex<f32>>) -> tensor<5xcomplex<f32>> {
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<5xcomplex<f32>>) outs(%e : tensor<5xcomplex<f32>>) {
  ^bb0(%a: complex<f32>, %b: complex<f32>):
    %v = complex.add %a, %b : complex<f32>
    linalg.yield %v : complex<f32>
  } -> tensor<5xcomplex<f32>>
  return %r : tensor<5xcomplex<f32>>
}

// Indices that are computed: a vector loop, but its lanes are read one by one.
// CHECK: remark: [Missed] ScalarAccess
// CHECK-SAME: Function=gather
// CHECK-SAME: its indices are computed
// ERROR: error: 'linalg.generic' is compiled to a loop that goes element by element, which 'no-scalar-fallback' forbids: its indices are computed, so that each lane is read alone
func.func @gather(%x: tensor<100xf32>, %i: tensor<64xindex>, %e: tensor<64xf32>) -> tensor<64xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%i : tensor<64xindex>) outs(%e : tensor<64xf32>) {
  ^bb0(%a: index, %b: f32):
    %v = tensor.extract %x[%a] : tensor<100xf32>
    linalg.yield %v : f32
  } -> tensor<64xf32>
  return %r : tensor<64xf32>
}

// A loop that the program itself has.
// CHECK: remark: [Missed] ScalarLoop
// CHECK-SAME: Function=written
// ERROR: error: 'scf.for' is compiled to a loop that goes element by element, which 'no-scalar-fallback' forbids: it accesses elements of tensors; write it as linalg
func.func @written(%x: tensor<100xf32>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> f32 {
    %v = tensor.extract %x[%i] : tensor<100xf32>
    %t = arith.addf %s, %v : f32
    scf.yield %t : f32
  }
  return %r : f32
}

// Without loops there is nothing to vectorise, and nothing to say; a vector loop is what is wanted.
// CHECK-NOT: remark:
func.func @fine(%x: tensor<f32>, %y: tensor<100xf32>) -> (tensor<f32>, tensor<100xf32>) {
  %0 = arith.addf %x, %x : tensor<f32>
  %1 = arith.addf %y, %y : tensor<100xf32>
  return %0, %1 : tensor<f32>, tensor<100xf32>
}

// Sums that the program itself rounds to bf16 at each step; not those of f32, nor maxima.
// CHECK: remark: [Analysis] NarrowSums
// CHECK-SAME: Function=narrow_sums
// CHECK-SAME: the program rounds its sum at every step
func.func @narrow_sums(%a: tensor<8x64xbf16>, %b: tensor<64x32xbf16>, %c: tensor<8x32xbf16>) -> tensor<8x32xbf16> {
  %r = linalg.matmul ins(%a, %b : tensor<8x64xbf16>, tensor<64x32xbf16>) outs(%c : tensor<8x32xbf16>) -> tensor<8x32xbf16>
  return %r : tensor<8x32xbf16>
}
// CHECK-NOT: NarrowSums
func.func @wide_sums(%a: tensor<8x64xbf16>, %b: tensor<64x32xbf16>, %c: tensor<8x32xf32>, %d: tensor<8xbf16>) -> (tensor<8x32xf32>, tensor<8xbf16>) {
  %r = linalg.matmul ins(%a, %b : tensor<8x64xbf16>, tensor<64x32xbf16>) outs(%c : tensor<8x32xf32>) -> tensor<8x32xf32>
  %m = linalg.reduce ins(%a : tensor<8x64xbf16>) outs(%d : tensor<8xbf16>) dimensions = [1] (%x: bf16, %y: bf16) {
    %v = arith.maximumf %x, %y : bf16
    linalg.yield %v : bf16
  }
  return %r, %m : tensor<8x32xf32>, tensor<8xbf16>
}
