// Buffers that leave functions as views of others.
// RUN: amp-opt %s --pass-pipeline="builtin.module(func.func(amp-cpu-separate-buffers))" --split-input-file | FileCheck %s

// Two results in one buffer: the first keeps it.
// CHECK-LABEL: func.func @both
// CHECK: %[[ALL:.*]] = memref.alloc(%{{.*}}) : memref<?x64xf32>
// CHECK: %[[PART:.*]] = memref.subview
// CHECK: %[[OWN:.*]] = memref.alloc(%{{.*}}) {alignment = 64 : i64} : memref<?x64xf32>
// CHECK-NEXT: memref.copy %{{.*}}, %[[OWN]]
// CHECK-NEXT: return %[[ALL]], %[[OWN]]
func.func @both(%m: index, %n: index) -> (memref<?x64xf32>, memref<?x64xf32>) {
  %0 = memref.alloc(%n) : memref<?x64xf32>
  %1 = memref.subview %0[0, 0] [%m, 64] [1, 1] : memref<?x64xf32> to memref<?x64xf32, strided<[64, 1]>>
  %2 = memref.cast %1 : memref<?x64xf32, strided<[64, 1]>> to memref<?x64xf32>
  return %0, %2 : memref<?x64xf32>, memref<?x64xf32>
}

// -----

// Gaps between rows that the type of an argument denies.
// CHECK-LABEL: func.func @pass
// CHECK: %[[PART:.*]] = memref.subview
// CHECK: %[[OWN:.*]] = memref.alloc(%{{.*}}, %{{.*}}) {alignment = 64 : i64} : memref<?x?xf32>
// CHECK-NEXT: memref.copy %[[PART]], %[[OWN]]
// CHECK-NEXT: call @use(%[[OWN]])
func.func private @use(memref<?x?xf32>)
func.func @pass(%0: memref<?x?xf32>, %m: index, %n: index) {
  %1 = memref.subview %0[0, 0] [%m, %n] [1, 1] : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1]>>
  %2 = memref.cast %1 : memref<?x?xf32, strided<[?, 1]>> to memref<?x?xf32>
  call @use(%2) : (memref<?x?xf32>) -> ()
  return
}

// -----

// Nothing is to be done: buffers of their own, arguments, constants, and views without gaps that are returned alone.
// CHECK-LABEL: func.func @left
// CHECK-NOT: memref.copy
memref.global "private" constant @constant : memref<4xf32> = dense<1.0>
func.func @left(%0: memref<?xf32>, %m: index) -> (memref<?xf32>, memref<?xf32>, memref<4xf32>, memref<4xf32>, memref<?xf32>, memref<?x4xf32>) {
  %1 = memref.get_global @constant : memref<4xf32>
  %2 = memref.alloc(%m) : memref<?xf32>
  %3 = memref.alloc(%m) : memref<?xf32>
  %c4 = arith.constant 4 : index
  %4 = arith.divui %m, %c4 : index
  %5 = memref.expand_shape %3 [[0, 1]] output_shape [%4, 4] : memref<?xf32> into memref<?x4xf32>
  return %0, %0, %1, %1, %2, %5 : memref<?xf32>, memref<?xf32>, memref<4xf32>, memref<4xf32>, memref<?xf32>, memref<?x4xf32>
}
