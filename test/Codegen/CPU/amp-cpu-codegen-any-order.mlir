// Sums and extrema along rows of bf16 take the lanes in any order: the even ones of each two by a shift, the odd ones by a mask, instead of words that are shuffled first.
// RUN: amp-opt %s --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=x86-64-v4 no-scalar-fallback}))' | FileCheck %s
#row = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (i)>
#across = affine_map<(i, j) -> (j)>

// Lanes past the end are told by their place, and stay in order.
// CHECK-LABEL: func.func @sums
// CHECK: scf.for
// CHECK: scf.for
// CHECK: %[[ROW:.*]] = vector.transfer_read {{.*}} vector<64xbf16>
// CHECK: %[[WORDS:.*]] = vector.bitcast %[[ROW]] : vector<64xbf16> to vector<32xi32>
// CHECK: %[[EVEN:.*]] = arith.shli %[[WORDS]]
// CHECK: %[[ODD:.*]] = arith.andi %[[WORDS]]
// CHECK: %[[A:.*]] = vector.bitcast %[[EVEN]] : vector<32xi32> to vector<32xf32>
// CHECK: %[[B:.*]] = vector.bitcast %[[ODD]] : vector<32xi32> to vector<32xf32>
// CHECK: %[[X:.*]] = vector.shuffle %[[A]], %[[B]] [0, 1, 2,
// CHECK: vector.fma %[[X]], %[[X]], %{{.*}} : vector<64xf32>
// CHECK: arith.extf {{.*}} : vector<64xbf16> to vector<64xf32>
// CHECK: arith.select
// CHECK: vector.reduction <add>
func.func @sums(%x: tensor<64x1000xbf16>, %i: tensor<64xf32>, %k: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %r:2 = linalg.generic {indexing_maps = [#row, #column, #column], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<64x1000xbf16>) outs(%i, %k : tensor<64xf32>, tensor<64xf32>) {
  ^bb0(%a: bf16, %s: f32, %t: f32):
    %w = arith.extf %a : bf16 to f32
    %0 = arith.addf %s, %w : f32
    %1 = arith.mulf %w, %w : f32
    %2 = arith.addf %t, %1 : f32
    linalg.yield %0, %2 : f32, f32
  } -> (tensor<64xf32>, tensor<64xf32>)
  return %r#0, %r#1 : tensor<64xf32>, tensor<64xf32>
}

// The other operand has f32 of the same lanes.
// CHECK-LABEL: func.func @weighted
// CHECK-NOT: arith.shli
// CHECK: arith.extf {{.*}} : vector<{{[0-9]+}}xbf16>
// CHECK-NOT: arith.shli
// CHECK: return
func.func @weighted(%x: tensor<64x1024xbf16>, %v: tensor<1024xf32>, %i: tensor<64xf32>) -> tensor<64xf32> {
  %r = linalg.generic {indexing_maps = [#row, #across, #column], iterator_types = ["parallel", "reduction"]}
      ins(%x, %v : tensor<64x1024xbf16>, tensor<1024xf32>) outs(%i : tensor<64xf32>) {
  ^bb0(%a: bf16, %b: f32, %s: f32):
    %w = arith.extf %a : bf16 to f32
    %0 = arith.subf %w, %b : f32
    %1 = arith.maximumf %s, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<64xf32>
  return %r : tensor<64xf32>
}

// The number of the element counts.
// CHECK-LABEL: func.func @numbered
// CHECK-NOT: arith.shli
// CHECK: arith.extf {{.*}} : vector<{{[0-9]+}}xbf16>
// CHECK-NOT: arith.shli
// CHECK: return
func.func @numbered(%x: tensor<64x1024xbf16>, %i: tensor<64xf32>) -> tensor<64xf32> {
  %r = linalg.generic {indexing_maps = [#row, #column], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<64x1024xbf16>) outs(%i : tensor<64xf32>) {
  ^bb0(%a: bf16, %s: f32):
    %w = arith.extf %a : bf16 to f32
    %j = linalg.index 1 : index
    %k = arith.index_cast %j : index to i32
    %f = arith.sitofp %k : i32 to f32
    %0 = arith.mulf %w, %f : f32
    %1 = arith.maximumf %s, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<64xf32>
  return %r : tensor<64xf32>
}

// What is written has its place.
// CHECK-LABEL: func.func @scaled
// CHECK-NOT: arith.shli
// CHECK: arith.extf {{.*}} : vector<{{[0-9]+}}xbf16>
// CHECK-NOT: arith.shli
// CHECK: return
func.func @scaled(%x: tensor<64x1024xbf16>) -> tensor<64x1024xf32> {
  %c = arith.constant 3.0 : f32
  %e = tensor.empty() : tensor<64x1024xf32>
  %r = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<64x1024xbf16>) outs(%e : tensor<64x1024xf32>) {
  ^bb0(%a: bf16, %s: f32):
    %w = arith.extf %a : bf16 to f32
    %0 = arith.mulf %w, %c : f32
    linalg.yield %0 : f32
  } -> tensor<64x1024xf32>
  return %r : tensor<64x1024xf32>
}

// What is widened again keeps the order that it has.
// CHECK-LABEL: func.func @rounded
// CHECK: vector.shuffle
// CHECK: arith.truncf {{.*}} : vector<64xf32> to vector<64xbf16>
// CHECK-NOT: vector.shuffle
// CHECK: arith.extf {{.*}} : vector<64xbf16> to vector<64xf32>
func.func @rounded(%x: tensor<64x1024xbf16>, %i: tensor<64xf32>) -> tensor<64xf32> {
  %r = linalg.generic {indexing_maps = [#row, #column], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<64x1024xbf16>) outs(%i : tensor<64xf32>) {
  ^bb0(%a: bf16, %s: f32):
    %w = arith.extf %a : bf16 to f32
    %0 = arith.mulf %w, %w : f32
    %1 = arith.truncf %0 : f32 to bf16
    %2 = arith.extf %1 : bf16 to f32
    %3 = arith.mulf %2, %w : f32
    %4 = arith.addf %s, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<64xf32>
  return %r : tensor<64xf32>
}
