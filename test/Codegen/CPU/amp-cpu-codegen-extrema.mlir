// RUN: amp-opt %s --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{triple=x86_64-linux-gnu cpu=haswell no-scalar-fallback}))' | FileCheck %s

// The largest numbers of narrow floats are kept in f32, in which processors compare, and narrowed once.

// CHECK-LABEL: func.func @rows
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> ({{.*}}xf32>
// CHECK-NOT: arith.truncf
// CHECK: arith.maximumf {{.*}}xf32>
// CHECK-NOT: arith.truncf
// CHECK: vector.reduction <maximumf>, {{.*}}xf32> into f32
// CHECK: arith.truncf {{.*}} to {{.*}}bf16
func.func @rows(%x: tensor<9x256xbf16>) -> tensor<9xbf16> {
  %c = arith.constant 0xFF80 : bf16
  %e = tensor.empty() : tensor<9xbf16>
  %f = linalg.fill ins(%c : bf16) outs(%e : tensor<9xbf16>) -> tensor<9xbf16>
  %r = linalg.reduce {arith.maximumf} ins(%x : tensor<9x256xbf16>) outs(%f : tensor<9xbf16>) dimensions = [1]
  return %r : tensor<9xbf16>
}

// A value and its place; from tensors of the program's.
// CHECK-LABEL: func.func @argmax
// CHECK: arith.extf {{.*}} : {{.*}}f16{{>?}} to {{.*}}f32
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> ({{.*}}xf32>, {{.*}}xi32>
// CHECK-NOT: arith.truncf
// CHECK: arith.cmpf ogt, {{.*}}xf32>
// CHECK-NOT: arith.truncf
// CHECK: scf.yield
// CHECK: arith.truncf {{.*}} : {{.*}}f32{{>?}} to {{.*}}f16
func.func @argmax(%x: tensor<9x256xf16>, %e: tensor<9xf16>, %ei: tensor<9xi32>) -> (tensor<9xf16>, tensor<9xi32>) {
  %r:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<9x256xf16>) outs(%e, %ei : tensor<9xf16>, tensor<9xi32>) {
  ^bb0(%a: f16, %b: f16, %d: i32):
    %p = linalg.index 1 : index
    %i = arith.index_cast %p : index to i32
    %t = arith.cmpf ogt, %a, %b : f16
    %v = arith.select %t, %a, %b : f16
    %w = arith.select %t, %i, %d : i32
    linalg.yield %v, %w : f16, i32
  } -> (tensor<9xf16>, tensor<9xi32>)
  return %r#0, %r#1 : tensor<9xf16>, tensor<9xi32>
}

// What has been found is doubled, too: that is no number of the type's any more.
// CHECK-LABEL: func.func @doubled
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> ({{.*}}bf16
func.func @doubled(%t: tensor<256x16xbf16>, %i: tensor<16xbf16>) -> tensor<16xbf16> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%t : tensor<256x16xbf16>) outs(%i : tensor<16xbf16>) {
  ^bb0(%a: bf16, %b: bf16):
    %0 = arith.maximumf %a, %b : bf16
    %1 = arith.addf %0, %b : bf16
    linalg.yield %1 : bf16
  } -> tensor<16xbf16>
  return %r : tensor<16xbf16>
}
