// RUN: amp-opt --split-input-file --pass-pipeline="builtin.module(func.func(amp-plan-memory))" %s | FileCheck %s
// RUN: amp-opt --split-input-file --pass-pipeline="builtin.module(func.func(amp-plan-memory))" --remarks-filter=amp --remark-format=emitRemark %s 2>&1 | FileCheck %s --check-prefix=REMARK

#g = #gpu.address_space<global>

// Buffers that are not live together share memory; the returned one stays.
// CHECK-LABEL: func.func @chain
// CHECK-SAME: amp.memory_plan = {num_slots = 0 : i64, offsets = array<i64: 0, 256, 0>, peak_bytes = 512 : i64, slots = array<i64: -1, -1, -1>, total_bytes = 768 : i64}
// CHECK: %[[ARENA:.*]] = memref.alloc(%{{.*}}) {alignment = 256 : i64} : memref<?xi8, #gpu.address_space<global>>
// CHECK-COUNT-3: memref.view %[[ARENA]]
// CHECK: memref.alloc() : memref<64xf32, #gpu.address_space<global>>
// REMARK: MemoryPlan
func.func @chain(%x: memref<64xf32, #g>) -> memref<64xf32, #g> {
  %a = memref.alloc() : memref<64xf32, #g>
  memref.copy %x, %a : memref<64xf32, #g> to memref<64xf32, #g>
  %b = memref.alloc() : memref<64xf32, #g>
  memref.copy %a, %b : memref<64xf32, #g> to memref<64xf32, #g>
  %c = memref.alloc() : memref<64xf32, #g>
  memref.copy %b, %c : memref<64xf32, #g> to memref<64xf32, #g>
  %r = memref.alloc() : memref<64xf32, #g>
  memref.copy %c, %r : memref<64xf32, #g> to memref<64xf32, #g>
  return %r : memref<64xf32, #g>
}

// -----

#g = #gpu.address_space<global>

// A view keeps a buffer alive.
// CHECK-LABEL: func.func @view
// CHECK-SAME: offsets = array<i64: 0, 256>
func.func @view(%x: memref<64xf32, #g>) {
  %a = memref.alloc() : memref<64xf32, #g>
  %v = memref.subview %a[0] [8] [1] : memref<64xf32, #g> to memref<8xf32, strided<[1]>, #g>
  %b = memref.alloc() : memref<64xf32, #g>
  memref.copy %x, %b : memref<64xf32, #g> to memref<64xf32, #g>
  %w = memref.subview %b[0] [8] [1] : memref<64xf32, #g> to memref<8xf32, strided<[1]>, #g>
  memref.copy %w, %v : memref<8xf32, strided<[1]>, #g> to memref<8xf32, strided<[1]>, #g>
  return
}

// -----

#g = #gpu.address_space<global>

// Dynamic sizes share slots behind the static part; a slot is as large as its
// largest buffer.
// CHECK-LABEL: func.func @dynamic
// CHECK-SAME: %[[X:.*]]: memref<?xf32
// CHECK-SAME: num_slots = 2 : i64, offsets = array<i64: -1, 0, -1, -1>, peak_bytes = 256 : i64, slots = array<i64: 0, -1, 1, 0>
// CHECK: %[[N:.*]] = memref.dim %[[X]]
// CHECK: arith.maxui
// CHECK: memref.alloc(%{{.*}}) {alignment = 256 : i64} : memref<?xi8
func.func @dynamic(%x: memref<?xf32, #g>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %n = memref.dim %x, %c0 : memref<?xf32, #g>
  %a = memref.alloc(%n) : memref<?xf32, #g>
  %s = memref.alloc() : memref<f32, #g>
  memref.copy %x, %a : memref<?xf32, #g> to memref<?xf32, #g>
  memref.copy %s, %s : memref<f32, #g> to memref<f32, #g>
  %b = memref.alloc(%n) : memref<?xf32, #g>
  memref.copy %a, %b : memref<?xf32, #g> to memref<?xf32, #g>
  %m = arith.addi %n, %c2 : index
  %c = memref.alloc(%m) : memref<?xf32, #g>
  %v = memref.subview %c[0] [%n] [1] : memref<?xf32, #g> to memref<?xf32, strided<[1]>, #g>
  memref.copy %b, %v : memref<?xf32, #g> to memref<?xf32, strided<[1]>, #g>
  return
}

// -----

#g = #gpu.address_space<global>

// In a loop: what stays in one round is planned, what depends on the loop, or
// is carried by it, is the pool's; what a loop starts from lives as long as it.
// CHECK-LABEL: func.func @loop
// CHECK-SAME: offsets = array<i64: 0, 256>
// CHECK: %[[ARENA:.*]] = memref.alloc(%{{.*}}) {alignment = 256 : i64} : memref<?xi8
// CHECK: memref.view %[[ARENA]]
// CHECK: scf.for
// CHECK: memref.view %[[ARENA]]
// CHECK: memref.alloc(%{{.*}}) : memref<?xf32
// CHECK: memref.alloc() : memref<4xf32
func.func @loop(%x: memref<4xf32, #g>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %first = memref.alloc() : memref<4xf32, #g>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%old = %first) -> memref<4xf32, #g> {
    %t = memref.alloc() : memref<4xf32, #g>
    memref.copy %old, %t : memref<4xf32, #g> to memref<4xf32, #g>
    %d = memref.alloc(%i) : memref<?xf32, #g>
    memref.copy %d, %d : memref<?xf32, #g> to memref<?xf32, #g>
    %new = memref.alloc() : memref<4xf32, #g>
    memref.copy %t, %new : memref<4xf32, #g> to memref<4xf32, #g>
    scf.yield %new : memref<4xf32, #g>
  }
  memref.copy %last, %x : memref<4xf32, #g> to memref<4xf32, #g>
  return
}

// -----

// Memory of the host is left alone.
// CHECK-LABEL: func.func @host
// CHECK-NOT: amp.memory_plan
// CHECK: memref.alloc() : memref<4xf32>
func.func @host() {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %a, %a : memref<4xf32> to memref<4xf32>
  return
}
