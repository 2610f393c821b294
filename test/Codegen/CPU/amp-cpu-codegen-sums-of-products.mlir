// Products that only a sum takes are fused with it, where the processor has that instruction.
// RUN: amp-opt %s --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=x86-64-v3},canonicalize))' | FileCheck %s
// RUN: amp-opt %s --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=x86-64-v2},canonicalize))' | FileCheck %s --check-prefix=APART --implicit-check-not=vector.fma
#all = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// A sum and one of squares, in one loop.
// CHECK-LABEL: func.func @squares
// CHECK: %[[X:.*]] = vector.transfer_read
// CHECK-DAG: arith.addf %{{.*}}, %[[X]]
// CHECK-DAG: vector.fma %[[X]], %[[X]], %{{.*}}
// CHECK-NOT: arith.mulf
// CHECK: return
// APART-LABEL: func.func @squares
// APART: arith.mulf
func.func @squares(%x: tensor<64x1024xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %s:2 = linalg.generic {indexing_maps = [#all, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<64x1024xf32>) outs(%f, %f : tensor<64xf32>, tensor<64xf32>) {
  ^bb0(%a: f32, %s: f32, %q: f32):
    %0 = arith.addf %s, %a : f32
    %1 = arith.mulf %a, %a : f32
    %2 = arith.addf %1, %q : f32
    linalg.yield %0, %2 : f32, f32
  } -> (tensor<64xf32>, tensor<64xf32>)
  return %s#0, %s#1 : tensor<64xf32>, tensor<64xf32>
}

// A product that is used again; and one that is added to a number which no loop adds to.
// CHECK-LABEL: func.func @apart
// CHECK-NOT: vector.fma
// CHECK: return
// APART-LABEL: func.func @apart
func.func @apart(%x: tensor<64x1024xf32>, %y: tensor<64x1024xf32>) -> (tensor<64xf32>, tensor<64xf32>, tensor<64x1024xf32>) {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %s:2 = linalg.generic {indexing_maps = [#all, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<64x1024xf32>) outs(%f, %f : tensor<64xf32>, tensor<64xf32>) {
  ^bb0(%a: f32, %s: f32, %q: f32):
    %0 = arith.mulf %a, %a : f32
    %1 = arith.addf %0, %s : f32
    %2 = arith.maximumf %0, %q : f32
    linalg.yield %1, %2 : f32, f32
  } -> (tensor<64xf32>, tensor<64xf32>)
  %t = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<64x1024xf32>) outs(%y : tensor<64x1024xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.mulf %a, %a : f32
    %1 = arith.addf %0, %o : f32
    linalg.yield %1 : f32
  } -> tensor<64x1024xf32>
  return %s#0, %s#1, %t : tensor<64xf32>, tensor<64xf32>, tensor<64x1024xf32>
}
