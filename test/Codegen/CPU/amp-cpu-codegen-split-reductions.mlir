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

// Little work, and many results, are not divided.
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

// CHECK-LABEL: func.func @many
// CHECK-NOT: -> (tensor<{{[0-9]+}}x2000xf32>)
// CHECK: return
func.func @many(%x: tensor<4096x2000xf32>) -> tensor<2000xf32> {
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2000xf32>
  %f = linalg.fill ins(%c : f32) outs(%e : tensor<2000xf32>) -> tensor<2000xf32>
  %r = linalg.reduce {arith.addf} ins(%x : tensor<4096x2000xf32>) outs(%f : tensor<2000xf32>) dimensions = [0]
  return %r : tensor<2000xf32>
}
