// RUN: amp-opt %s --pass-pipeline='builtin.module(func.func(amp-cpu-codegen))' --remarks-filter=amp --remark-format=emitRemark -o %t 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=IR < %t

// What has no vector form is named, stays linalg and thus becomes scalar loops.
// CHECK: remark: [Missed] ScalarFallback
// CHECK-SAME: Function=complex_add
// CHECK-SAME: an element type is neither integer nor floating point
// IR-LABEL: func.func @complex_add
// IR: linalg.generic
func.func @complex_add(%x: tensor<5xcomplex<f32>>, %e: tensor<5xcomplex<f32>>) -> tensor<5xcomplex<f32>> {
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<5xcomplex<f32>>) outs(%e : tensor<5xcomplex<f32>>) {
  ^bb0(%a: complex<f32>, %b: complex<f32>):
    %v = complex.add %a, %b : complex<f32>
    linalg.yield %v : complex<f32>
  } -> tensor<5xcomplex<f32>>
  return %r : tensor<5xcomplex<f32>>
}
