// RUN: amp-opt %s --amp-cpu-outline-products --split-input-file | FileCheck %s
// RUN: amp-opt %s --amp-cpu-outline-products --amp-cpu-outline-products --split-input-file | FileCheck %s

// Two that differ in what they capture alone share a function. Constants are copied into it, but for tensors: weights of layers differ.
// CHECK-LABEL: func.func @layers
// CHECK-SAME: (%[[X:.*]]: tensor<?xf32>, %[[Y:.*]]: memref<?xf32>, %[[Z:.*]]: memref<?xf32>, %[[FEW:.*]]: i1)
// CHECK-DAG: %[[W:.*]] = arith.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]>
// CHECK-DAG: %[[X0:.*]] = bufferization.to_buffer %[[X]] read_only : tensor<?xf32> to memref<?xf32>
// CHECK-DAG: %[[W0:.*]] = bufferization.to_buffer %[[W]] read_only : tensor<4xf32> to memref<4xf32>
// CHECK: call @layers_product_0(%[[FEW]], %[[W0]], %[[X0]], %[[Y]])
// CHECK: %[[T:.*]] = bufferization.to_tensor %[[Y]]
// CHECK: %[[T0:.*]] = bufferization.to_buffer %[[T]] read_only
// CHECK: call @layers_product_0(%[[FEW]], %{{.*}}, %[[T0]], %[[Z]])
// CHECK: call @layers_product_2(%[[FEW]]
// CHECK: return

// CHECK: func.func private @layers_product_2
// CHECK: %[[C3:.*]] = arith.constant 3 : index
// CHECK: tensor.extract %{{.*}}[%[[C3]]]

// CHECK: func.func private @layers_product_0(%[[FEW:.*]]: i1, %[[B:.*]]: memref<4xf32>, %[[A:.*]]: memref<?xf32>, %[[TO:.*]]: memref<?xf32>)
// CHECK-DAG: %[[C:.*]] = arith.constant 2 : index
// CHECK-DAG: bufferization.to_tensor %[[B]] restrict :
// CHECK-DAG: bufferization.to_tensor %[[A]] restrict :
// CHECK: scf.if %[[FEW]] {
// CHECK: tensor.extract %{{.*}}[%[[C]]]
// CHECK: bufferization.materialize_in_destination %{{.*}} in restrict writable %[[TO]]
// CHECK-NOT: outline

func.func @layers(%x: tensor<?xf32>, %y: memref<?xf32>, %z: memref<?xf32>, %isFew: i1) {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %w = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %v = arith.constant dense<[5.0, 6.0, 7.0, 8.0]> : tensor<4xf32>
  scf.if %isFew {
    %0 = tensor.extract %w[%c2] : tensor<4xf32>
    %1 = tensor.insert %0 into %x[%c2] : tensor<?xf32>
    bufferization.materialize_in_destination %1 in restrict writable %y : (tensor<?xf32>, memref<?xf32>) -> ()
  } {outline}
  %t = bufferization.to_tensor %y restrict writable : memref<?xf32> to tensor<?xf32>
  scf.if %isFew {
    %0 = tensor.extract %v[%c2] : tensor<4xf32>
    %1 = tensor.insert %0 into %t[%c2] : tensor<?xf32>
    bufferization.materialize_in_destination %1 in restrict writable %z : (tensor<?xf32>, memref<?xf32>) -> ()
  } {outline}
  scf.if %isFew {
    %0 = tensor.extract %v[%c3] : tensor<4xf32>
    %1 = tensor.insert %0 into %t[%c3] : tensor<?xf32>
    bufferization.materialize_in_destination %1 in restrict writable %z : (tensor<?xf32>, memref<?xf32>) -> ()
  } {outline}
  return
}

// -----

// What may have gaps stays: a slice, and what a loop of the program carries of one.
// CHECK-LABEL: func.func @slice
// CHECK-NOT: call
// CHECK: scf.if
// CHECK-NOT: outline
// CHECK: scf.for
// CHECK-NOT: call
// CHECK: scf.if
// CHECK-NOT: outline
func.func @slice(%x: tensor<8x16xf32>, %y: memref<8x4xf32>, %isFew: i1) -> tensor<8x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %s = tensor.extract_slice %x[0, 3] [8, 4] [1, 1] : tensor<8x16xf32> to tensor<8x4xf32>
  scf.if %isFew {
    bufferization.materialize_in_destination %s in restrict writable %y : (tensor<8x4xf32>, memref<8x4xf32>) -> ()
  } {outline}
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%t = %s) -> tensor<8x4xf32> {
    scf.if %isFew {
      bufferization.materialize_in_destination %t in restrict writable %y : (tensor<8x4xf32>, memref<8x4xf32>) -> ()
    } {outline}
    scf.yield %t : tensor<8x4xf32>
  }
  return %r : tensor<8x4xf32>
}

// -----

// What loops, casts, reshapes and ops that write to a tensor make has none.
// CHECK-LABEL: func.func @whole
// CHECK: scf.for
// CHECK: call @whole_product_0
// CHECK: call @whole_product_1
func.func @whole(%x: tensor<32xf32>, %y: memref<?x4xf32>, %isFew: i1, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %e = tensor.expand_shape %x [[0, 1]] output_shape [8, 4] : tensor<32xf32> into tensor<8x4xf32>
  %cast = tensor.cast %e : tensor<8x4xf32> to tensor<?x4xf32>
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%t = %cast) -> tensor<?x4xf32> {
    scf.if %isFew {
      bufferization.materialize_in_destination %t in restrict writable %y : (tensor<?x4xf32>, memref<?x4xf32>) -> ()
    } {outline}
    %f = linalg.fill ins(%v : f32) outs(%t : tensor<?x4xf32>) -> tensor<?x4xf32>
    scf.yield %f : tensor<?x4xf32>
  }
  scf.if %isFew {
    %0 = tensor.insert %v into %r[%c0, %c0] : tensor<?x4xf32>
    bufferization.materialize_in_destination %0 in restrict writable %y : (tensor<?x4xf32>, memref<?x4xf32>) -> ()
  } {outline}
  return
}

// -----

// Loops that make tensors write to buffers, which then are the results.
// CHECK-LABEL: func.func @loops
// CHECK-SAME: (%[[X:.*]]: tensor<8xf32>, %[[N:.*]]: index)
// CHECK: %[[X0:.*]] = bufferization.to_buffer %[[X]] read_only
// CHECK: %[[A:.*]] = bufferization.alloc_tensor(%[[N]]) : tensor<?xf32>
// CHECK: %[[A0:.*]] = bufferization.to_buffer %[[A]] : tensor<?xf32> to memref<?xf32>
// CHECK: %[[B:.*]] = bufferization.alloc_tensor() : tensor<4xf32>
// CHECK: %[[B0:.*]] = bufferization.to_buffer %[[B]] : tensor<4xf32> to memref<4xf32>
// CHECK: call @loops_product_0(%[[N]], %[[X0]], %[[A0]], %[[B0]])
// CHECK: %[[A1:.*]] = bufferization.to_tensor %[[A0]] restrict writable
// CHECK: %[[B1:.*]] = bufferization.to_tensor %[[B0]] restrict writable
// CHECK: %[[B2:.*]] = bufferization.to_buffer %[[B1]] read_only
// CHECK-NOT: @loops_product_0
// CHECK: call @loops_product_1(%[[N]], %[[B2]], %{{.*}}, %{{.*}})
// CHECK: return %[[A1]]

// CHECK: func.func private @loops_product_0(%[[N:.*]]: index, %[[X:.*]]: memref<8xf32>, %[[A:.*]]: memref<?xf32>, %[[B:.*]]: memref<4xf32>) attributes {result_buffers = 2 : i64}
// CHECK-DAG: %[[A0:.*]] = bufferization.to_tensor %[[A]] restrict writable
// CHECK-DAG: %[[B0:.*]] = bufferization.to_tensor %[[B]] restrict writable
// CHECK: %[[R:.*]]:2 = scf.for {{.*}} to %[[N]] {{.*}} iter_args(%{{.*}} = %[[A0]], %{{.*}} = %[[B0]])
// CHECK: parallel_grain = 8
// CHECK: bufferization.materialize_in_destination %[[R]]#0 in restrict writable %[[A]]
// CHECK: bufferization.materialize_in_destination %[[R]]#1 in restrict writable %[[B]]
// CHECK: return
func.func @loops(%x: tensor<8xf32>, %n: index) -> (tensor<?xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty(%n) : tensor<?xf32>
  %f = tensor.empty() : tensor<4xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %e, %t = %f) -> (tensor<?xf32>, tensor<4xf32>) {
    %0 = tensor.extract %x[%i] : tensor<8xf32>
    %1 = tensor.insert %0 into %s[%i] : tensor<?xf32>
    %2 = tensor.insert %0 into %t[%c0] : tensor<4xf32>
    scf.yield %1, %2 : tensor<?xf32>, tensor<4xf32>
  } {outline, parallel_grain = 8 : i64}
  // Of another type than %x.
  %q:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %e, %t = %f) -> (tensor<?xf32>, tensor<4xf32>) {
    %0 = tensor.extract %r#1[%i] : tensor<4xf32>
    %1 = tensor.insert %0 into %s[%i] : tensor<?xf32>
    %2 = tensor.insert %0 into %t[%c0] : tensor<4xf32>
    scf.yield %1, %2 : tensor<?xf32>, tensor<4xf32>
  } {outline, parallel_grain = 8 : i64}
  return %r#0, %q#1 : tensor<?xf32>, tensor<4xf32>
}

// -----

// What starts from a tensor that is there, or writes to a part of one, stays.
// CHECK-LABEL: func.func @stays
// CHECK-NOT: call
// CHECK-NOT: outline
// CHECK: return
func.func @stays(%x: tensor<8xf32>, %n: index) -> (tensor<8xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = arith.constant 1.0 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x) -> tensor<8xf32> {
    %0 = tensor.insert %v into %t[%i] : tensor<8xf32>
    scf.yield %0 : tensor<8xf32>
  } {outline}
  %e = tensor.empty() : tensor<8xf32>
  %s = tensor.extract_slice %e[2] [%n] [1] : tensor<8xf32> to tensor<?xf32>
  %q = scf.for %i = %c0 to %n step %c1 iter_args(%t = %s) -> tensor<?xf32> {
    %0 = tensor.insert %v into %t[%i] : tensor<?xf32>
    scf.yield %0 : tensor<?xf32>
  } {outline}
  return %r, %q : tensor<8xf32>, tensor<?xf32>
}

// -----

// The attribute on anything else has no meaning.
// CHECK-LABEL: func.func @others
// CHECK: scf.if
// CHECK: scf.while
// CHECK-NOT: outline
// CHECK-NOT: call
// CHECK: return
func.func @others(%x: tensor<8xf32>, %isFew: i1) -> (tensor<8xf32>, i1) {
  %r = scf.if %isFew -> tensor<8xf32> {
    scf.yield %x : tensor<8xf32>
  } else {
    %e = tensor.empty() : tensor<8xf32>
    scf.yield %e : tensor<8xf32>
  } {outline}
  %w = scf.while (%go = %isFew) : (i1) -> i1 {
    scf.condition(%go) %go : i1
  } do {
  ^bb0(%go: i1):
    scf.yield %go : i1
  } attributes {outline}
  return %r, %w : tensor<8xf32>, i1
}

// -----

// What widens elements is copied, too: instructions for the narrow ones are chosen in the function.
// CHECK-LABEL: func.func @widened
// CHECK: call @widened_product_0(%arg2, %arg1, %arg0) : (i1, memref<?xi32>, vector<64xi8>) -> ()
// CHECK: func.func private @widened_product_0(%{{.*}}: i1, %{{.*}}: memref<?xi32>, %[[NARROW:.*]]: vector<64xi8>)
// CHECK: %[[WIDE:.*]] = arith.extsi %[[NARROW]] : vector<64xi8> to vector<64xi32>
// CHECK: vector.transfer_write %[[WIDE]]
func.func @widened(%b: vector<64xi8>, %y: memref<?xi32>, %isFew: i1) {
  %c0 = arith.constant 0 : index
  %wide = arith.extsi %b : vector<64xi8> to vector<64xi32>
  scf.if %isFew {
    %t = bufferization.to_tensor %y restrict writable : memref<?xi32> to tensor<?xi32>
    %0 = vector.transfer_write %wide, %t[%c0] : vector<64xi32>, tensor<?xi32>
    bufferization.materialize_in_destination %0 in restrict writable %y : (tensor<?xi32>, memref<?xi32>) -> ()
  } {outline}
  return
}
