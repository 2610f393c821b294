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
// CHECK: %[[C:.*]] = arith.constant 2 : index
// CHECK: bufferization.to_tensor %[[B]] restrict :
// CHECK: bufferization.to_tensor %[[A]] restrict :
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
