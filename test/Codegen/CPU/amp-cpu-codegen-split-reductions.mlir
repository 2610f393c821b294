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

// Extrema, too.
// CHECK-LABEL: func.func @largest
// CHECK: -> (tensor<{{[0-9]+}}x2000xf32>)
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

// Of many such reductions each is a thread's, whole, from what its row starts from; what is left of the rows is one block.
// CHECK-LABEL: func.func @tokens
// CHECK: scf.for %[[I:.*]] = %c0 to %c32 step %c1 iter_args(%[[ALL:.*]] = %{{.*}}) -> (tensor<32x768xf32>)
// CHECK: tensor.extract_slice %[[ALL]][%[[I]], 0] [1, 768] [1, 1]
// CHECK: scf.for %{{.*}} = %c0 to %c768
// CHECK: vector.transfer_write %cst
// CHECK: scf.for %{{.*}} = %c0 to %c192 step %c8 iter_args(%{{.*}}) -> (tensor<1x768xf32>)
// CHECK: tensor.extract_slice %arg0[%[[I]], %{{.*}}, 0] [1, 8, 768] [1, 1, 1]
// CHECK: tensor.extract_slice %arg0[%[[I]], 192, 0] [1, 5, 768] [1, 1, 1]
// CHECK: } {parallel_grain = 1 : i64}
// CHECK: return
func.func @tokens(%x: tensor<32x197x768xf32>) -> tensor<32x768xf32> {
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x768xf32>
  %f = linalg.fill ins(%c : f32) outs(%e : tensor<32x768xf32>) -> tensor<32x768xf32>
  %r = linalg.reduce {arith.addf} ins(%x : tensor<32x197x768xf32>) outs(%f : tensor<32x768xf32>) dimensions = [1]
  return %r : tensor<32x768xf32>
}

// Of an unknown number of them, too, onto what the program has already.
// CHECK-LABEL: func.func @any_tokens
// CHECK: scf.for %[[I:.*]] = %c0 to %{{.*}} step %c1 iter_args(%[[ALL:.*]] = %arg1) -> (tensor<?x768xf32>)
// CHECK: tensor.extract_slice %[[ALL]][%[[I]], 0] [1, 768] [1, 1]
// CHECK-NOT: transfer_write
// CHECK: scf.for {{.*}} step %c8 iter_args(%{{.*}}) -> (tensor<1x768xf32>)
// CHECK: scf.for {{.*}} step %c1 iter_args(%{{.*}}) -> (tensor<1x768xf32>)
// CHECK: } {parallel_grain = {{.*}}}
// CHECK: return
func.func @any_tokens(%x: tensor<?x?x768xf32>, %i: tensor<?x768xf32>) -> tensor<?x768xf32> {
  %r = linalg.reduce {arith.addf} ins(%x : tensor<?x?x768xf32>) outs(%i : tensor<?x768xf32>) dimensions = [1]
  return %r : tensor<?x768xf32>
}

// Too few for threads, they are divided into parts, in each of which each is reduced by itself.
// CHECK-LABEL: func.func @few
// CHECK: scf.for {{.*}} -> (tensor<[[N:[0-9]+]]x2x1024xf32>)
// CHECK: scf.for %[[I:.*]] = %c0 to %c2 step %c1 iter_args(%{{.*}}) -> (tensor<2x1024xf32>)
// CHECK: scf.for {{.*}} step %c8 iter_args(%{{.*}}) -> (tensor<1x1024xf32>)
// CHECK: tensor.extract_slice %arg0[%[[I]], %{{.*}}, 0] [1, 8, 1024] [1, 1, 1]
// CHECK: } {parallel_grain = 1 : i64}
// CHECK: return
func.func @few(%x: tensor<2x4096x1024xf32>, %i: tensor<2x1024xf32>) -> tensor<2x1024xf32> {
  %r = linalg.reduce {arith.addf} ins(%x : tensor<2x4096x1024xf32>) outs(%i : tensor<2x1024xf32>) dimensions = [1]
  return %r : tensor<2x1024xf32>
}

// What is read at places that are computed of loops is not, with them.
// CHECK-LABEL: func.func @computed
// CHECK-NOT: step %c8
// CHECK: return
func.func @computed(%x: tensor<16x3x64x512xf32>, %w: tensor<18x512xf32>, %i: tensor<16x3x512xf32>) -> tensor<16x3x512xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(a, b, m, n) -> (a, b, m, n)>, affine_map<(a, b, m, n) -> (a + b, n)>, affine_map<(a, b, m, n) -> (a, b, n)>],
      iterator_types = ["parallel", "parallel", "reduction", "parallel"]} ins(%x, %w : tensor<16x3x64x512xf32>, tensor<18x512xf32>) outs(%i : tensor<16x3x512xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.subf %a, %b : f32
    %1 = arith.addf %o, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<16x3x512xf32>
  return %r : tensor<16x3x512xf32>
}

// Narrow rows are walked down, and those that a cache holds.
// CHECK-LABEL: func.func @narrow
// CHECK-NOT: step %c8
// CHECK: return
func.func @narrow(%x: tensor<32x4096x128xf32>, %i: tensor<32x128xf32>) -> tensor<32x128xf32> {
  %r = linalg.reduce {arith.addf} ins(%x : tensor<32x4096x128xf32>) outs(%i : tensor<32x128xf32>) dimensions = [1]
  return %r : tensor<32x128xf32>
}

// Where something is made of the sums at once, rows are reduced in blocks there.
// CHECK-LABEL: func.func @mean
// CHECK: scf.for %[[I:.*]] = %c0 to %c32 step %c1
// CHECK: scf.for {{.*}} step %c8 iter_args(%{{.*}}) -> (tensor<1x768xf32>)
// CHECK: arith.mulf
// CHECK: } {independent_rows, parallel_grain = 1 : i64}
// CHECK: return
func.func @mean(%x: tensor<32x197x768xf32>) -> tensor<32x768xf32> {
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x768xf32>
  %f = linalg.fill ins(%c : f32) outs(%e : tensor<32x768xf32>) -> tensor<32x768xf32>
  %s = linalg.reduce {arith.addf} ins(%x : tensor<32x197x768xf32>) outs(%f : tensor<32x768xf32>) dimensions = [1]
  %m = linalg.map ins(%s : tensor<32x768xf32>) outs(%e : tensor<32x768xf32>) (%in: f32, %out: f32) {
    %k = arith.constant 0.005 : f32
    %0 = arith.mulf %in, %k : f32
    linalg.yield %0 : f32
  }
  return %m : tensor<32x768xf32>
}

// Elements without a width are walked down as before.
// CHECK-LABEL: func.func @indices
// CHECK-NOT: -> (tensor<{{.*}}x2000xindex>)
// CHECK: return
func.func @indices(%x: tensor<?x2000xindex>, %i: tensor<2000xindex>) -> tensor<2000xindex> {
  %r = linalg.reduce {arith.addi} ins(%x : tensor<?x2000xindex>) outs(%i : tensor<2000xindex>) dimensions = [0]
  return %r : tensor<2000xindex>
}
