// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{triple=x86_64-linux-gnu cpu=haswell no-scalar-fallback}))' | FileCheck %s --implicit-check-not=linalg.

// Reductions to a few elements are divided into parts, one for a thread, whose number does not depend on that of threads.
// CHECK-LABEL: func.func @loss
// CHECK: %[[PARTS:.*]] = tensor.empty() : tensor<[[N:[0-9]+]]xf32>
// CHECK: scf.for {{.*}} = %c0 to %c[[N]] step %c1
// CHECK: scf.for
// CHECK: vector.reduction <add>
// CHECK: {parallel_grain = 1 : i64}
// CHECK: vector.reduction <add>
// CHECK-NOT: parallel_grain
// CHECK: return
func.func @loss(%x: tensor<4096x1000xf32>) -> tensor<f32> {
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%c : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %r = linalg.reduce {arith.addf} ins(%x : tensor<4096x1000xf32>) outs(%f : tensor<f32>) dimensions = [0, 1]
  return %r : tensor<f32>
}

// -----

// Two statistics of a few channels, of one look at the image.
// CHECK-LABEL: func.func @statistics
// CHECK-DAG: tensor.empty() : tensor<[[N:[0-9]+]]x64xf32>
// CHECK: scf.for {{.*}} -> (tensor<[[N]]x64xf32>, tensor<[[N]]x64xf32>)
// CHECK: {parallel_grain = 1 : i64}
func.func @statistics(%x: tensor<8x56x56x64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %f = linalg.fill ins(%c : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %r:2 = linalg.generic {indexing_maps = [affine_map<(n, h, w, c) -> (n, h, w, c)>, affine_map<(n, h, w, c) -> (c)>, affine_map<(n, h, w, c) -> (c)>],
      iterator_types = ["reduction", "reduction", "reduction", "parallel"]}
      ins(%x : tensor<8x56x56x64xf32>) outs(%f, %f : tensor<64xf32>, tensor<64xf32>) {
  ^bb0(%a: f32, %s: f32, %q: f32):
    %0 = arith.addf %s, %a : f32
    %1 = arith.mulf %a, %a : f32
    %2 = arith.addf %q, %1 : f32
    linalg.yield %0, %2 : f32, f32
  } -> (tensor<64xf32>, tensor<64xf32>)
  return %r#0, %r#1 : tensor<64xf32>, tensor<64xf32>
}

// -----

// Of an unknown size it is seen when the program runs how many parts there are.
// CHECK-LABEL: func.func @unknown
// CHECK: arith.ceildivui
// CHECK: tensor.empty({{.*}}) : tensor<?xf32>
// CHECK: {parallel_grain = 1 : i64}
func.func @unknown(%x: tensor<?xf32>) -> tensor<f32> {
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%c : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %r = linalg.reduce {arith.maximumf} ins(%x : tensor<?xf32>) outs(%f : tensor<f32>) dimensions = [0]
  return %r : tensor<f32>
}

// -----

// Nor is what no second cache holds, of which rows come whole, eight at a time: also where there are results for all threads.
// CHECK-LABEL: func.func @columns
// CHECK: tensor.empty() : tensor<[[N:[0-9]+]]x2000xf32>
// CHECK: tensor.extract_slice {{.*}} : tensor<[[N]]x2000xf32> to tensor<2000xf32>
// CHECK: scf.for %{{.*}} = %c0 to %{{.*}} step %c8 iter_args(%{{.*}}) -> (tensor<2000xf32>)
// CHECK: %[[ROWS:.*]] = tensor.extract_slice %{{.*}} [8, 2000] [1, 1] : tensor<4096x2000xf32> to tensor<8x2000xf32>
// CHECK: scf.for {{.*}} iter_args(%{{.*}}) -> (tensor<2000xf32>)
// CHECK: scf.for {{.*}} = %c0 to %c8 step %c1 iter_args(%{{.*}}) -> (vector<{{[0-9]+}}xf32>)
// CHECK: vector.transfer_read %[[ROWS]]
// CHECK: {parallel_grain = 1 : i64}
func.func @columns(%x: tensor<4096x2000xf32>) -> tensor<2000xf32> {
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2000xf32>
  %f = linalg.fill ins(%c : f32) outs(%e : tensor<2000xf32>) -> tensor<2000xf32>
  %r = linalg.reduce {arith.addf} ins(%x : tensor<4096x2000xf32>) outs(%f : tensor<2000xf32>) dimensions = [0]
  return %r : tensor<2000xf32>
}

// -----

// What is left of the rows of a part, of any number of them, is one row at a time.
// CHECK-LABEL: func.func @any_rows
// CHECK: tensor.empty({{.*}}) : tensor<?x2000xf32>
// CHECK: scf.for {{.*}} step %c8 iter_args(%{{.*}}) -> (tensor<2000xf32>)
// CHECK: [8, 2000] [1, 1] : tensor<?x2000xf32> to tensor<8x2000xf32>
// CHECK: scf.for {{.*}} step %c1 iter_args(%{{.*}}) -> (tensor<2000xf32>)
// CHECK: [1, 2000] [1, 1] : tensor<?x2000xf32>
// CHECK: {parallel_grain = 1 : i64}
func.func @any_rows(%x: tensor<?x2000xf32>, %i: tensor<2000xf32>) -> tensor<2000xf32> {
  %r = linalg.reduce {arith.mulf} ins(%x : tensor<?x2000xf32>) outs(%i : tensor<2000xf32>) dimensions = [0]
  return %r : tensor<2000xf32>
}

// -----

// Little work is not divided, nor are many results of what a cache holds, or so many that they are none to be kept in one.
// CHECK-LABEL: func.func @little
// CHECK-NOT: parallel_grain
// CHECK: return
func.func @little(%x: tensor<10000xf32>) -> tensor<f32> {
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%c : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %r = linalg.reduce {arith.addf} ins(%x : tensor<10000xf32>) outs(%f : tensor<f32>) dimensions = [0]
  return %r : tensor<f32>
}

// CHECK-LABEL: func.func @near
// CHECK-NOT: -> (tensor<{{[0-9]+}}x2000xf32>)
// CHECK: return
func.func @near(%x: tensor<200x2000xf32>, %i: tensor<2000xf32>) -> tensor<2000xf32> {
  %r = linalg.reduce {arith.addf} ins(%x : tensor<200x2000xf32>) outs(%i : tensor<2000xf32>) dimensions = [0]
  return %r : tensor<2000xf32>
}

// Extrema of f32 do not come sooner so, but of bf16.
// CHECK-LABEL: func.func @largest
// CHECK-NOT: -> (tensor<{{[0-9]+}}x2000xf32>)
// CHECK: return
func.func @largest(%x: tensor<4096x2000xf32>, %i: tensor<2000xf32>) -> tensor<2000xf32> {
  %r = linalg.reduce {arith.maximumf} ins(%x : tensor<4096x2000xf32>) outs(%i : tensor<2000xf32>) dimensions = [0]
  return %r : tensor<2000xf32>
}

// CHECK-LABEL: func.func @largest_bf16
// CHECK: -> (tensor<{{[0-9]+}}x2000xf32>)
// CHECK: return
func.func @largest_bf16(%x: tensor<4096x2000xbf16>, %i: tensor<2000xbf16>) -> tensor<2000xbf16> {
  %r = linalg.reduce {arith.maximumf} ins(%x : tensor<4096x2000xbf16>) outs(%i : tensor<2000xbf16>) dimensions = [0]
  return %r : tensor<2000xbf16>
}

// CHECK-LABEL: func.func @many
// CHECK-NOT: -> (tensor<{{[0-9]+}}x9000xf32>)
// CHECK: return
func.func @many(%x: tensor<4096x9000xf32>, %i: tensor<9000xf32>) -> tensor<9000xf32> {
  %r = linalg.reduce {arith.addf} ins(%x : tensor<4096x9000xf32>) outs(%i : tensor<9000xf32>) dimensions = [0]
  return %r : tensor<9000xf32>
}

// Elements without a width are walked down as before.
// CHECK-LABEL: func.func @indices
// CHECK-NOT: -> (tensor<{{.*}}x2000xindex>)
// CHECK: return
func.func @indices(%x: tensor<?x2000xindex>, %i: tensor<2000xindex>) -> tensor<2000xindex> {
  %r = linalg.reduce {arith.addi} ins(%x : tensor<?x2000xindex>) outs(%i : tensor<2000xindex>) dimensions = [0]
  return %r : tensor<2000xindex>
}
