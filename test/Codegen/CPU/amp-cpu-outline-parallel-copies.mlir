// Copies of short rows into one buffer become a parallel loop over the rows, which writes them from the first byte to the last.
// RUN: amp-opt %s --split-input-file --amp-cpu-outline-parallel | FileCheck %s

// Of known and unknown sizes: rows are the dimensions from the one on that copies lie side by side in.
// CHECK-LABEL: func.func @concat
// CHECK-NOT: memref.copy
// CHECK: call @concat_loop_0(
// CHECK-NOT: memref.copy
// CHECK: return
// CHECK: func.func private @concat_loop_0({{.*}}) attributes {parallel_grain = 2048 : i64}
// CHECK: scf.for %[[I:.*]] =
// CHECK: memref.subview %{{.*}}[%[[I]], 0] [1, 6] [1, 1] : memref<?x8xf32>
// CHECK: memref.copy
// CHECK: memref.subview %{{.*}}[%[[I]], 6] [1, 2] [1, 1] : memref<?x8xf32>
// CHECK: memref.copy
func.func @concat(%a: memref<?x4x3x2xf32>, %b: memref<?x4x1x2xf32>, %n: index) -> memref<?x4x4x2xf32> {
  %r = memref.alloc(%n) : memref<?x4x4x2xf32>
  %s = memref.subview %r[0, 0, 0, 0] [%n, 4, 3, 2] [1, 1, 1, 1] : memref<?x4x4x2xf32> to memref<?x4x3x2xf32, strided<[32, 8, 2, 1]>>
  memref.copy %a, %s : memref<?x4x3x2xf32> to memref<?x4x3x2xf32, strided<[32, 8, 2, 1]>>
  %t = memref.subview %r[0, 0, 3, 0] [%n, 4, 1, 2] [1, 1, 1, 1] : memref<?x4x4x2xf32> to memref<?x4x1x2xf32, strided<[32, 8, 2, 1], offset: 6>>
  memref.copy %b, %t : memref<?x4x1x2xf32> to memref<?x4x1x2xf32, strided<[32, 8, 2, 1], offset: 6>>
  return %r : memref<?x4x4x2xf32>
}

// -----

// One alone, and within another loop, in whose iterations it stays.
// CHECK-LABEL: func.func @one
// CHECK: scf.for
// CHECK: scf.for
// CHECK: memref.copy
func.func @one(%a: memref<16x8xi8>, %n: index, %z: i8) -> memref<16x24xi8> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = memref.alloc() : memref<16x24xi8>
  scf.for %i = %c0 to %n step %c1 {
    %s = memref.subview %r[0, 16] [16, 8] [1, 1] : memref<16x24xi8> to memref<16x8xi8, strided<[24, 1], offset: 16>>
    memref.copy %a, %s : memref<16x8xi8> to memref<16x8xi8, strided<[24, 1], offset: 16>>
    memref.store %z, %r[%i, %c0] : memref<16x24xi8>
  }
  return %r : memref<16x24xi8>
}

// -----

// Copies that stay: of long rows, of whole buffers, into the middle of two dimensions, to a computed place, from the buffer itself, from what may be it, and of what is between rows.
// CHECK-LABEL: func.func @others
// CHECK-NOT: call
// CHECK-COUNT-7: memref.copy
// CHECK-NOT: call
// CHECK: return
func.func @others(%a: memref<4x1024xf32>, %b: memref<2x2xf32>, %c: memref<4x2xf32, strided<[3, 1]>>, %n: index, %any: memref<4x2xf32, strided<[?, ?], offset: ?>>) -> (memref<4x2048xf32>, memref<4x4xf32>) {
  %r = memref.alloc() : memref<4x2048xf32>
  %s = memref.subview %r[0, 1024] [4, 1024] [1, 1] : memref<4x2048xf32> to memref<4x1024xf32, strided<[2048, 1], offset: 1024>>
  memref.copy %a, %s : memref<4x1024xf32> to memref<4x1024xf32, strided<[2048, 1], offset: 1024>>
  %q = memref.alloc() : memref<4x4xf32>
  %w = memref.alloc() : memref<4x4xf32>
  memref.copy %w, %q : memref<4x4xf32> to memref<4x4xf32>
  %t = memref.subview %q[1, 1] [2, 2] [1, 1] : memref<4x4xf32> to memref<2x2xf32, strided<[4, 1], offset: 5>>
  memref.copy %b, %t : memref<2x2xf32> to memref<2x2xf32, strided<[4, 1], offset: 5>>
  %d = memref.alloc() : memref<4x2xf32>
  %u = memref.subview %q[0, %n] [4, 2] [1, 1] : memref<4x4xf32> to memref<4x2xf32, strided<[4, 1], offset: ?>>
  memref.copy %d, %u : memref<4x2xf32> to memref<4x2xf32, strided<[4, 1], offset: ?>>
  %v = memref.subview %q[0, 2] [4, 2] [1, 1] : memref<4x4xf32> to memref<4x2xf32, strided<[4, 1], offset: 2>>
  %flat = memref.collapse_shape %q [[0, 1]] : memref<4x4xf32> into memref<16xf32>
  %first = memref.subview %flat[0] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1]>>
  %itself = memref.expand_shape %first [[0, 1]] output_shape [4, 2] : memref<8xf32, strided<[1]>> into memref<4x2xf32>
  memref.copy %itself, %v : memref<4x2xf32> to memref<4x2xf32, strided<[4, 1], offset: 2>>
  memref.copy %any, %v : memref<4x2xf32, strided<[?, ?], offset: ?>> to memref<4x2xf32, strided<[4, 1], offset: 2>>
  memref.copy %c, %v : memref<4x2xf32, strided<[3, 1]>> to memref<4x2xf32, strided<[4, 1], offset: 2>>
  return %r, %q : memref<4x2048xf32>, memref<4x4xf32>
}
