// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=x86-64-v4 no-scalar-fallback}))' | FileCheck %s

// The last panel of 100 columns has 36 of them: tiles three registers wide, behind those of four. Of rows that are all there, the sums start
// from C and are stored from registers, without memory of a tile's own.
// CHECK-DAG: #[[$WHOLE:.*]] = affine_map<()[s0] -> (s0 floordiv 64)>
// CHECK-LABEL: func.func @known
// CHECK: %[[LAST:.*]] = affine.apply #[[$WHOLE]]()
// CHECK-NOT: tensor<1x6x64xf32>, vector
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %[[LAST]] step
// CHECK-COUNT-24: vector.transfer_read %{{.*}} {in_bounds = [true]} : tensor<240x100xf32>, vector<16xf32>
// CHECK-NOT: tensor<1x6x64xf32>, vector
// CHECK: :24 = scf.for
// CHECK-NOT: tensor<1x6x64xf32>, vector
// CHECK-COUNT-24: vector.transfer_write %{{.*}} {in_bounds = [true]} : vector<16xf32>, tensor<240x100xf32>
// CHECK: scf.for %{{.*}} = %[[LAST]] to
// CHECK-NOT: tensor<1x6x64xf32>, vector
// CHECK: :18 = scf.for
// CHECK-NOT: tensor<1x6x64xf32>, vector
// CHECK-COUNT-18: vector.transfer_write %{{[^{]*}} : vector<16xf32>, tensor<240x100xf32>
// CHECK-NOT: vector.transfer_write
// CHECK: return
func.func @known(%a: tensor<240x96xf32>, %b: tensor<96x100xf32>, %c: tensor<240x100xf32>) -> tensor<240x100xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<240x96xf32>, tensor<96x100xf32>) outs(%c : tensor<240x100xf32>) -> tensor<240x100xf32>
  return %r : tensor<240x100xf32>
}

// -----

// Of rows that may be past the end, tiles in which none is are known when the program runs; the sums of others go through memory, row by row.
// CHECK-LABEL: func.func @some_rows
// CHECK: :24 = scf.for
// CHECK: scf.if
// CHECK-COUNT-24: arith.addf
// CHECK: } else {
// CHECK-COUNT-24: vector.transfer_write %{{.*}} : vector<16xf32>, tensor<1x8x48xf32>
// CHECK: scf.for
// CHECK-COUNT-3: arith.addf
// CHECK-NOT: arith.addf
// CHECK: return
func.func @some_rows(%a: tensor<127x65xf32>, %b: tensor<65x336xf32>, %bias: tensor<336xf32>) -> tensor<127x336xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<127x336xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<127x336xf32>) -> tensor<127x336xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<127x65xf32>, tensor<65x336xf32>) outs(%f : tensor<127x336xf32>) -> tensor<127x336xf32>
  %1 = linalg.broadcast ins(%bias : tensor<336xf32>) outs(%e : tensor<127x336xf32>) dimensions = [0]
  %2 = arith.addf %0, %1 : tensor<127x336xf32>
  return %2 : tensor<127x336xf32>
}

// -----

// What follows in many instructions, or needs registers of its own, is emitted once for a row.
// CHECK-LABEL: func.func @functions
// CHECK-COUNT-3: math.exp
// CHECK-NOT: math.exp
// CHECK: return
func.func @functions(%a: tensor<128x64xf32>, %b: tensor<64x336xf32>) -> tensor<128x336xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x336xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<128x336xf32>) -> tensor<128x336xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<128x64xf32>, tensor<64x336xf32>) outs(%f : tensor<128x336xf32>) -> tensor<128x336xf32>
  %1 = math.exp %0 : tensor<128x336xf32>
  return %1 : tensor<128x336xf32>
}

// -----

// Of columns of unknown number, there are tiles for last panels of one to four registers.
// CHECK-LABEL: func.func @unknown
// CHECK: :24 = scf.for {{.*}} vector<16xf32>)
// CHECK: :18 = scf.for {{.*}} vector<16xf32>)
// CHECK: :12 = scf.for {{.*}} vector<16xf32>)
// CHECK: :6 = scf.for {{.*}} vector<16xf32>)
// CHECK: return
func.func @unknown(%a: tensor<1024x1024xf32>, %b: tensor<1024x?xf32>, %c: tensor<1024x?xf32>) -> tensor<1024x?xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<1024x1024xf32>, tensor<1024x?xf32>) outs(%c : tensor<1024x?xf32>) -> tensor<1024x?xf32>
  return %r : tensor<1024x?xf32>
}

// -----

// Where rows are as unknown and few, the last tile has half of 8 if no more are left, of either width.
// CHECK: #[[$WHOLE:.*]] = affine_map<()[s0] -> ((s0 - 5) floordiv 8 + 1)>
// CHECK-LABEL: func.func @unknown_rows
// CHECK: %[[LAST:.*]] = affine.apply #[[$WHOLE]]()
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %[[LAST]] step
// CHECK: :16 = scf.for {{.*}} vector<16xf32>)
// CHECK: scf.for %{{.*}} = %[[LAST]] to
// CHECK: :8 = scf.for {{.*}} vector<16xf32>)
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %[[LAST]] step
// CHECK: :8 = scf.for {{.*}} vector<16xf32>)
// CHECK: scf.for %{{.*}} = %[[LAST]] to
// CHECK: :4 = scf.for {{.*}} vector<16xf32>)
// CHECK: return
func.func @unknown_rows(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
