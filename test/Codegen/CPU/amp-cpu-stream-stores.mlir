// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-stream-stores{cpu=x86-64-v4}))' | FileCheck %s
// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-stream-stores{cpu=x86-64-v4},amp-cpu-stream-stores{cpu=x86-64-v4}))' | FileCheck %s
// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-stream-stores{cpu=x86-64-v4 min-bytes=1000000000}))' | FileCheck %s --check-prefix=NONE
// RUN: not amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-stream-stores{cpu=pentium9}))' 2>&1 | FileCheck %s --check-prefix=CPU

// CPU: error: unknown CPU 'pentium9'
// NONE-NOT: nontemporal

// Rows of 4000 bytes begin at half a line; the last piece of a row is one, too, and needs no mask.
// CHECK-LABEL: func.func @rows
// CHECK: memref.alloc() {alignment = 64 : i64}
// CHECK: scf.for
// CHECK: scf.for
// CHECK: %[[A:.*]] = vector.extract_strided_slice %{{.*}} {offsets = [0], sizes = [8], strides = [1]}
// CHECK: vector.store %[[A]], %{{.*}} {alignment = 32 : i64, nontemporal = true} : memref<1x1000xf32, {{.*}}>, vector<8xf32>
// CHECK-COUNT-3: vector.store {{.*}} nontemporal
// CHECK-NOT: vector.store
// CHECK: }
// CHECK: vector.store {{.*}} nontemporal
// CHECK-NOT: vector.store
// CHECK-NOT: vector.transfer_write
// CHECK: return
func.func @rows(%v: vector<32xf32>) -> memref<8192x1000xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c992 = arith.constant 992 : index
  %c8192 = arith.constant 8192 : index
  %m = memref.alloc() : memref<8192x1000xf32>
  scf.for %i = %c0 to %c8192 step %c1 {
    %row = memref.subview %m[%i, 0] [1, 1000] [1, 1] : memref<8192x1000xf32> to memref<1x1000xf32, strided<[1000, 1], offset: ?>>
    scf.for %j = %c0 to %c992 step %c32 {
      vector.transfer_write %v, %row[%c0, %j] {in_bounds = [true]} : vector<32xf32>, memref<1x1000xf32, strided<[1000, 1], offset: ?>>
    }
    vector.transfer_write %v, %row[%c0, %c992] : vector<32xf32>, memref<1x1000xf32, strided<[1000, 1], offset: ?>>
  }
  return %m : memref<8192x1000xf32>
}

// -----

// Of the buffers of a function for a product, the last one is a result of its own; of what it reads nothing is known.
// CHECK-LABEL: func.func private @product
// CHECK-NOT: result_buffers
// CHECK: scf.for
// CHECK: vector.transfer_write %{{.*}}, %arg1
// CHECK: vector.store %{{.*}}, %arg2[{{.*}}] {alignment = 64 : i64, nontemporal = true}
// NONE-LABEL: func.func private @product
// NONE-NOT: result_buffers
func.func private @product(%v: vector<16xf32>, %x: memref<4194304xf32>, %r: memref<4194304xf32>) attributes {result_buffers = 1 : i64} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %n = arith.constant 4194304 : index
  scf.for %i = %c0 to %n step %c16 {
    vector.transfer_write %v, %x[%i] {in_bounds = [true]} : vector<16xf32>, memref<4194304xf32>
    vector.transfer_write %v, %r[%i] {in_bounds = [true]} : vector<16xf32>, memref<4194304xf32>
  }
  return
}

// -----

// Rows of 2000 bytes begin at a quarter of a line.
// CHECK-LABEL: func.func @quarters
// CHECK-NOT: nontemporal
// CHECK: return
func.func @quarters(%v: vector<32xbf16>) -> memref<8192x1000xbf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c992 = arith.constant 992 : index
  %c8192 = arith.constant 8192 : index
  %m = memref.alloc() : memref<8192x1000xbf16>
  scf.for %i = %c0 to %c8192 step %c1 {
    scf.for %j = %c0 to %c992 step %c32 {
      vector.transfer_write %v, %m[%i, %j] {in_bounds = [true]} : vector<32xbf16>, memref<8192x1000xbf16>
    }
  }
  return %m : memref<8192x1000xbf16>
}

// -----

// What the same loop reads again stays in the cache.
// CHECK-LABEL: func.func @read_again
// CHECK-NOT: nontemporal
// CHECK: return
func.func @read_again(%v: vector<16xf32>) -> (memref<4194304xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %n = arith.constant 4194304 : index
  %z = arith.constant 0.0 : f32
  %m = memref.alloc() : memref<4194304xf32>
  %s = scf.for %i = %c0 to %n step %c16 iter_args(%sum = %z) -> f32 {
    vector.transfer_write %v, %m[%i] {in_bounds = [true]} : vector<16xf32>, memref<4194304xf32>
    %x = memref.load %m[%i] : memref<4194304xf32>
    %next = arith.addf %sum, %x : f32
    scf.yield %next : f32
  }
  return %m, %s : memref<4194304xf32>, f32
}

// -----

// What a later loop reads may still be in the last cache, unless there is four times as much of it. A reshape that is returned reads nothing.
// CHECK-LABEL: func.func @read_later
// CHECK: scf.for
// CHECK-NEXT: vector.transfer_write
// CHECK: scf.for
// CHECK: vector.store {{.*}} nontemporal
func.func @read_later(%v: vector<16xf32>) -> (memref<4194304xf32>, memref<2048x2048xf32>, vector<16xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %n = arith.constant 4194304 : index
  %z = arith.constant 0.0 : f32
  %m = memref.alloc() : memref<4194304xf32>
  scf.for %i = %c0 to %n step %c16 {
    vector.transfer_write %v, %m[%i] {in_bounds = [true]} : vector<16xf32>, memref<4194304xf32>
  }
  %r = vector.transfer_read %m[%c0], %z : memref<4194304xf32>, vector<16xf32>
  %o = memref.alloc() : memref<4194304xf32>
  scf.for %i = %c0 to %n step %c16 {
    vector.transfer_write %v, %o[%i] {in_bounds = [true]} : vector<16xf32>, memref<4194304xf32>
  }
  %s = memref.expand_shape %o [[0, 1]] output_shape [2048, 2048] : memref<4194304xf32> into memref<2048x2048xf32>
  return %m, %s, %r : memref<4194304xf32>, memref<2048x2048xf32>, vector<16xf32>
}

// A later loop may read it. Five streams at once are too many, as is a loop that does not go along the rows.
// CHECK-LABEL: func.func @streams
// CHECK: vector.store {{.*}} nontemporal
// CHECK-NOT: nontemporal
// CHECK: return
func.func @streams(%v: vector<16xf32>) -> (memref<8388608xf32>, memref<5x1048576xf32>, memref<4096x1024xf32>, vector<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %c1024 = arith.constant 1024 : index
  %c4096 = arith.constant 4096 : index
  %n = arith.constant 8388608 : index
  %k = arith.constant 1048576 : index
  %z = arith.constant 0.0 : f32
  %m = memref.alloc() : memref<8388608xf32>
  scf.for %i = %c0 to %n step %c16 {
    vector.transfer_write %v, %m[%i] {in_bounds = [true]} : vector<16xf32>, memref<8388608xf32>
  }
  %r = vector.transfer_read %m[%c0], %z : memref<8388608xf32>, vector<16xf32>
  %o = memref.alloc() : memref<5x1048576xf32>
  scf.for %i = %c0 to %k step %c16 {
    vector.transfer_write %v, %o[%c0, %i] {in_bounds = [true]} : vector<16xf32>, memref<5x1048576xf32>
    vector.transfer_write %v, %o[%c1, %i] {in_bounds = [true]} : vector<16xf32>, memref<5x1048576xf32>
    vector.transfer_write %v, %o[%c2, %i] {in_bounds = [true]} : vector<16xf32>, memref<5x1048576xf32>
    vector.transfer_write %v, %o[%c3, %i] {in_bounds = [true]} : vector<16xf32>, memref<5x1048576xf32>
    vector.transfer_write %v, %o[%c4, %i] {in_bounds = [true]} : vector<16xf32>, memref<5x1048576xf32>
  }
  %p = memref.alloc() : memref<4096x1024xf32>
  scf.for %j = %c0 to %c1024 step %c16 {
    scf.for %i = %c0 to %c4096 step %c1 {
      vector.transfer_write %v, %p[%i, %j] {in_bounds = [true]} : vector<16xf32>, memref<4096x1024xf32>
    }
  }
  return %m, %o, %p, %r : memref<8388608xf32>, memref<5x1048576xf32>, memref<4096x1024xf32>, vector<16xf32>
}

// -----

// Whether a result of unknown size is large is asked when the program runs; its rows are to be whole lines.
// CHECK-LABEL: func.func @any_size
// CHECK: %[[M:.*]] = memref.alloc(%arg1, %arg2) {alignment = 64 : i64}
// CHECK: %[[D1:.*]] = memref.dim %[[M]], %{{.*}} : memref<?x?xf32>
// CHECK: %[[ROW:.*]] = arith.muli %{{.*}}, %[[D1]] : index
// CHECK: %[[D0:.*]] = memref.dim %[[M]], %{{.*}} : memref<?x?xf32>
// CHECK: %[[ALL:.*]] = arith.muli %[[ROW]], %[[D0]] : index
// CHECK: %[[LARGE:.*]] = arith.cmpi uge, %[[ALL]], %c8388608
// CHECK: %[[REST:.*]] = arith.remui %[[ROW]], %c64
// CHECK: %[[WHOLE:.*]] = arith.cmpi eq, %[[REST]], %{{.*}} : index
// CHECK: %[[IS:.*]] = arith.andi %[[LARGE]], %[[WHOLE]] : i1
// CHECK: scf.if %[[IS]] {
// CHECK: vector.store {{.*}} {alignment = 64 : i64, nontemporal = true} : memref<?x?xf32>, vector<16xf32>
// CHECK-NOT: nontemporal
// CHECK: vector.transfer_write {{.*}} : vector<16xf32>, memref<?x?xf32>
// CHECK: } else {
// CHECK-NOT: {{nontemporal|scf.if}}
// CHECK-COUNT-2: vector.transfer_write
// CHECK-NOT: {{nontemporal|scf.if}}
// CHECK: return
func.func @any_size(%v: vector<16xf32>, %rows: index, %columns: index) -> memref<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %whole = affine.apply affine_map<()[s0] -> (s0 floordiv 16 * 16)>()[%columns]
  %m = memref.alloc(%rows, %columns) : memref<?x?xf32>
  scf.for %i = %c0 to %rows step %c1 {
    scf.for %j = %c0 to %whole step %c16 {
      vector.transfer_write %v, %m[%i, %j] {in_bounds = [true]} : vector<16xf32>, memref<?x?xf32>
    }
    scf.for %j = %whole to %columns step %c16 {
      vector.transfer_write %v, %m[%i, %j] : vector<16xf32>, memref<?x?xf32>
    }
  }
  return %m : memref<?x?xf32>
}

// -----

// Of rows of known length, that of 4000 bytes, pieces of half a line are whole.
// CHECK-LABEL: func.func @any_rows
// CHECK: %[[LARGE:.*]] = arith.cmpi uge, %{{.*}}, %c8388608
// CHECK: scf.if %[[LARGE]] {
// CHECK: vector.store {{.*}} {alignment = 32 : i64, nontemporal = true} : memref<?x1000xf32>, vector<8xf32>
// CHECK: } else {
// CHECK-NOT: nontemporal
// CHECK: return
func.func @any_rows(%v: vector<8xf32>, %rows: index) -> memref<?x1000xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c1000 = arith.constant 1000 : index
  %m = memref.alloc(%rows) : memref<?x1000xf32>
  scf.for %i = %c0 to %rows step %c1 {
    scf.for %j = %c0 to %c1000 step %c8 {
      vector.transfer_write %v, %m[%i, %j] {in_bounds = [true]} : vector<8xf32>, memref<?x1000xf32>
    }
  }
  return %m : memref<?x1000xf32>
}

// -----

// One answer for all results of a loop; of known size there is none to ask.
// CHECK-LABEL: func.func @two
// CHECK: arith.cmpi uge
// CHECK: arith.cmpi uge
// CHECK: %[[BOTH:.*]] = arith.andi
// CHECK: scf.if %[[BOTH]] {
// CHECK-COUNT-2: nontemporal
// CHECK: } else {
// CHECK-NOT: nontemporal
// CHECK: return
func.func @two(%v: vector<16xf32>, %size: index) -> (memref<?xf32>, memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %a = memref.alloc(%size) : memref<?xf32>
  %b = memref.alloc(%size) : memref<?xf32>
  scf.for %i = %c0 to %size step %c16 {
    vector.transfer_write %v, %a[%i] {in_bounds = [true]} : vector<16xf32>, memref<?xf32>
    vector.transfer_write %v, %b[%i] {in_bounds = [true]} : vector<16xf32>, memref<?xf32>
  }
  return %a, %b : memref<?xf32>, memref<?xf32>
}
