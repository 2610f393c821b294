// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=x86-64-v4 no-scalar-fallback}))' | FileCheck %s

// A row from its end: vectors that end where the first lane reads, turned around. Indices have no lanes, so that as many f32 as a register holds go at once.
// CHECK-LABEL: func.func @reverse
// CHECK-SAME: (%[[X:.*]]: tensor<?x?xf32>, %[[LAST:.*]]: index
// CHECK-COUNT-2: scf.for
// CHECK: scf.for %[[I:[^ ]*]] =
// CHECK: %[[FIRST:.*]] = arith.subi %[[LAST]], %[[I]] : index
// CHECK: %[[AT:.*]] = affine.apply #{{.*}}()[%[[FIRST]]]
// CHECK: %[[V:.*]] = vector.transfer_read %[[X]][%{{.*}}, %[[AT]]], %{{.*}} {in_bounds = [true]} : tensor<?x?xf32>, vector<16xf32>
// CHECK: vector.shuffle %[[V]], %[[V]] {{\[}}15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]
func.func @reverse(%x: tensor<?x?xf32>, %last: index, %o: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%o : tensor<?x?xf32>) {
  ^bb0(%old: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = arith.subi %last, %j : index
    %v = tensor.extract %x[%i, %k] : tensor<?x?xf32>
    linalg.yield %v : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// A part of a row, from a place of its own.
// CHECK-LABEL: func.func @part
// CHECK: %[[START:.*]] = arith.index_cast
// CHECK: scf.for %[[J:[^ ]*]] =
// CHECK: %[[AT:.*]] = arith.addi %[[J]], %[[START]] : index
// CHECK: vector.transfer_read %{{.*}}[%{{.*}}, %[[AT]]], %{{.*}} {in_bounds = [true]} : tensor<8x100xf32>, vector<16xf32>
// CHECK-NOT: tensor.extract %{{.*}} : tensor<8x100xf32>
func.func @part(%x: tensor<8x100xf32>, %starts: tensor<8xi32>, %o: tensor<8x32xf32>) -> tensor<8x32xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%starts : tensor<8xi32>) outs(%o : tensor<8x32xf32>) {
  ^bb0(%start: i32, %old: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %s = arith.index_cast %start : i32 to index
    %k = arith.addi %j, %s : index
    %v = tensor.extract %x[%i, %k] : tensor<8x100xf32>
    linalg.yield %v : f32
  } -> tensor<8x32xf32>
  return %r : tensor<8x32xf32>
}
