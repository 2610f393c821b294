// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{vector-bits=128 no-scalar-fallback}))' | FileCheck %s --implicit-check-not=linalg.
// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{vector-bits=128}))' --remarks-filter=amp --remark-format=emitRemark -o /dev/null 2>&1 | count 0

// Lanes keep a value and the number of its vector; the index comes from that after the loop.
// CHECK-LABEL: func.func @argmax
// CHECK-DAG: %[[NONE:.*]] = arith.constant dense<-1> : vector<[[L:[0-9]+]]xi32>
// CHECK-DAG: %[[LANES:.*]] = arith.constant dense<[[L]]> : vector<[[L]]xi32>
// CHECK-DAG: %[[START:.*]] = arith.constant dense<0xFF800000> : vector<[[L]]xf32>
// CHECK: scf.for
// CHECK: %[[R:.*]]:2 = scf.for {{.*}} iter_args(%[[V:.*]] = %[[START]], %[[N:.*]] = %[[NONE]]) -> (vector<[[L]]xf32>, vector<[[L]]xi32>)
// CHECK: %[[X:.*]] = vector.transfer_read
// CHECK: %[[TAKE:.*]] = arith.cmpf ogt, %[[X]], %[[V]]
// CHECK: %[[VALUE:.*]] = arith.select %[[TAKE]], %[[X]], %[[V]]
// CHECK: %[[NUMBER:.*]] = arith.select %[[TAKE]], %{{.*}}, %[[N]]
// CHECK: scf.yield %[[VALUE]], %[[NUMBER]]
// Halves are compared by the program's comparison, in the order of places.
// CHECK: %[[FULL:.*]] = arith.muli %[[R]]#1, %[[LANES]]
// CHECK: %[[PLACES:.*]] = arith.addi %[[FULL]]
// CHECK: %[[LOW:.*]] = vector.shuffle %[[PLACES]]
// CHECK: %[[HIGH:.*]] = vector.shuffle %[[PLACES]]
// CHECK: %[[ORDER:.*]] = arith.cmpi slt, %[[LOW]], %[[HIGH]]
// CHECK: %[[FIRST:.*]] = arith.select %[[ORDER]], %[[A:.*]], %[[B:.*]] : vector<{{.*}}xf32>
// CHECK: %[[SECOND:.*]] = arith.select %[[ORDER]], %[[B]], %[[A]] : vector<{{.*}}xf32>
// CHECK: arith.cmpf ogt, %[[SECOND]], %[[FIRST]]
// What was there at the start has no place.
// CHECK: arith.cmpi slt, %{{.*}}, %{{.*}} : i32
// CHECK: tensor.insert
func.func @argmax(%x: tensor<9x256xf32>, %e: tensor<9xf32>, %ei: tensor<9xi64>) -> (tensor<9xf32>, tensor<9xi64>) {
  %m = arith.constant 0xFF800000 : f32
  %z = arith.constant 0 : i64
  %f = linalg.fill ins(%m : f32) outs(%e : tensor<9xf32>) -> tensor<9xf32>
  %fi = linalg.fill ins(%z : i64) outs(%ei : tensor<9xi64>) -> tensor<9xi64>
  %r:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<9x256xf32>) outs(%f, %fi : tensor<9xf32>, tensor<9xi64>) {
  ^bb0(%a: f32, %b: f32, %c: i64):
    %p = linalg.index 1 : index
    %i = arith.index_cast %p : index to i64
    %t = arith.cmpf ogt, %a, %b : f32
    %v = arith.select %t, %a, %b : f32
    %w = arith.select %t, %i, %c : i64
    linalg.yield %v, %w : f32, i64
  } -> (tensor<9xf32>, tensor<9xi64>)
  return %r#0, %r#1 : tensor<9xf32>, tensor<9xi64>
}

// -----

// A row of unknown length: places are 64 bits, what lanes carry is not.
// CHECK-LABEL: func.func @dynamic
// CHECK: scf.for {{.*}} -> (vector<[[L:[0-9]+]]xf32>, vector<[[L]]xi32>)
// CHECK: arith.extsi %{{.*}} : vector<[[L]]xi32> to vector<[[L]]xi64>
func.func @dynamic(%x: tensor<9x?xf32>, %e: tensor<9xf32>, %ei: tensor<9xi32>) -> (tensor<9xf32>, tensor<9xi32>) {
  %r:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<9x?xf32>) outs(%e, %ei : tensor<9xf32>, tensor<9xi32>) {
  ^bb0(%a: f32, %b: f32, %c: i32):
    %p = linalg.index 1 : index
    %i = arith.index_cast %p : index to i32
    %g = arith.cmpf ugt, %a, %b : f32
    %o = arith.cmpf ord, %b, %b : f32
    %t = arith.andi %g, %o : i1
    %v = arith.select %t, %a, %b : f32
    %w = arith.select %t, %i, %c : i32
    linalg.yield %v, %w : f32, i32
  } -> (tensor<9xf32>, tensor<9xi32>)
  return %r#0, %r#1 : tensor<9xf32>, tensor<9xi32>
}
