// RUN: amp-opt %s --pass-pipeline='builtin.module(func.func(amp-cpu-lower-reshapes))' | FileCheck %s

// Two dynamic sizes in one group: strides come from the sizes that the op gives.
// CHECK-LABEL: func.func @two_dynamic
// CHECK-SAME: %[[SRC:.*]]: memref<?xf32>, %[[M:.*]]: index, %[[N:.*]]: index
// CHECK: %[[BASE:[a-z_]+]], {{.*}} = memref.extract_strided_metadata %[[SRC]]
// CHECK: memref.reinterpret_cast %[[BASE]] to offset: [0], sizes: [%[[M]], %[[N]]], strides: [%[[N]], 1] : memref<f32> to memref<?x?xf32>
func.func @two_dynamic(%x: memref<?xf32>, %m: index, %n: index) -> memref<?x?xf32> {
  %0 = memref.expand_shape %x [[0, 1]] output_shape [%m, %n] : memref<?xf32> into memref<?x?xf32>
  return %0 : memref<?x?xf32>
}

// CHECK-LABEL: func.func @static
// CHECK: memref.reinterpret_cast {{.*}} to offset: [0], sizes: [2, 3], strides: [3, 1]
func.func @static(%x: memref<6xf32>) -> memref<2x3xf32> {
  %0 = memref.expand_shape %x [[0, 1]] output_shape [2, 3] : memref<6xf32> into memref<2x3xf32>
  return %0 : memref<2x3xf32>
}
