// RUN: amp-opt %s --amp-cpu-outline-parallel --allow-unregistered-dialect --remarks-filter=amp --remark-format=emitRemark -o %t 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s < %t

// A loop from a bound that is known only at run time, by steps of 4: the function gets what the body uses, the buffer that the
// body allocates stays in it, and constants are copied.
// CHECK-LABEL: func.func @steps
// CHECK-SAME: (%[[X:.*]]: memref<?xf32>, %[[FROM:.*]]: index, %[[TO:.*]]: index)
// CHECK-NOT: scf.for
// CHECK: %[[N:.*]] = affine.max
// CHECK: call @steps_loop_0(%{{.*}}, %{{.*}}, %c0{{.*}}, %[[N]])
// CHECK-LABEL: func.func private @steps_loop_0
// CHECK-SAME: %[[BEGIN:[^:]*]]: index, %[[END:[^:]*]]: index) attributes {parallel_grain = 16 : i64}
// CHECK: %[[B:.*]] = arith.muli %[[BEGIN]], %[[S:.*]] : index
// CHECK: %[[LO:.*]] = arith.addi %{{.*}}, %[[B]]
// CHECK: %[[E:.*]] = arith.muli %[[END]], %[[S]]
// CHECK: %[[HI:.*]] = arith.addi %{{.*}}, %[[E]]
// CHECK: scf.for %{{.*}} = %[[LO]] to %[[HI]] step %[[S]]
// CHECK: memref.alloc
// CHECK-NOT: parallel_grain
func.func @steps(%x: memref<?xf32>, %from: index, %to: index) {
  %c4 = arith.constant 4 : index
  %one = arith.constant 1.0 : f32
  scf.for %i = %from to %to step %c4 {
    %buffer = memref.alloc() : memref<4xf32>
    "test.use"(%buffer) : (memref<4xf32>) -> ()
    memref.store %one, %x[%i] : memref<?xf32>
    memref.dealloc %buffer : memref<4xf32>
  } {parallel_grain = 16 : i64}
  return
}

// Of a loop in a loop, the function of the outer one calls that of the inner one.
// CHECK-LABEL: func.func @nested
// CHECK: call @nested_loop_1
// CHECK-LABEL: func.func private @nested_loop_1
// CHECK: call @nested_loop_0
// CHECK-LABEL: func.func private @nested_loop_0
func.func @nested(%x: memref<8x8xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
      memref.store %v, %x[%i, %j] : memref<8x8xf32>
    } {parallel_grain = 1 : i64}
  } {parallel_grain = 1 : i64}
  return
}

// REMARK: remark: [Missed] SerialLoop
// REMARK-SAME: Function=carries
// CHECK-LABEL: func.func @carries
// CHECK: scf.for
// CHECK-NOT: parallel_grain
func.func @carries(%x: memref<8xf32>) -> memref<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%m = %x) -> memref<8xf32> {
    %copy = memref.alloc() : memref<8xf32>
    memref.copy %m, %copy : memref<8xf32> to memref<8xf32>
    scf.yield %copy : memref<8xf32>
  } {parallel_grain = 1 : i64}
  return %r : memref<8xf32>
}

// Loops that are alike but for what they capture, and where they come from,
// share a function; one that stores another value does not.
// CHECK-LABEL: func.func @alike
// CHECK: call @alike_loop_0(%arg0, %{{.*}}, %{{.*}})
// CHECK: call @alike_loop_0(%arg1, %{{.*}}, %{{.*}})
// CHECK: call @alike_loop_2(%arg1, %{{.*}}, %{{.*}})
// CHECK: func.func private @alike_loop_2
// CHECK-NOT: func.func
// CHECK: func.func private @alike_loop_0
// CHECK-NOT: func.func
func.func @alike(%x: memref<64xf32>, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  scf.for %i = %c0 to %c64 step %c1 {
    memref.store %one, %x[%i] : memref<64xf32>
  } {parallel_grain = 8 : i64}
  scf.for %i = %c0 to %c64 step %c1 {
    memref.store %one, %y[%i] : memref<64xf32>
  } {parallel_grain = 8 : i64}
  scf.for %i = %c0 to %c64 step %c1 {
    memref.store %two, %y[%i] : memref<64xf32>
  } {parallel_grain = 8 : i64}
  return
}

// Iterations that share a buffer cannot go side by side: the row is written through a view that is the same for all.
// REMARK: remark: [Missed] SerialLoop
// REMARK-SAME: Function=shares
// REMARK-SAME: Reason="its iterations write the same part of a buffer"
// CHECK-LABEL: func.func @shares
// CHECK: scf.for
// CHECK-NOT: parallel_grain
func.func @shares(%x: memref<8x16xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %row = memref.alloc() : memref<16xf32>
  scf.for %i = %c0 to %c8 step %c1 {
    %part = memref.subview %row[4] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1], offset: 4>>
    scf.for %j = %c0 to %c8 step %c1 {
      memref.store %v, %part[%j] : memref<8xf32, strided<[1], offset: 4>>
    }
    %1 = memref.load %row[%c0] : memref<16xf32>
    memref.store %1, %x[%i, %c0] : memref<8x16xf32>
  } {parallel_grain = 1 : i64}
  memref.dealloc %row : memref<16xf32>
  return
}

// So it is with an inner loop, though the outer one has rows of its own.
// REMARK: remark: [Missed] SerialLoop
// REMARK-SAME: Function=shares_inside
// CHECK-LABEL: func.func @shares_inside
// CHECK: call @shares_inside_loop_0
// CHECK-LABEL: func.func private @shares_inside_loop_0
// CHECK: scf.for
// CHECK: scf.for
// CHECK-NOT: parallel_grain
func.func @shares_inside(%x: memref<8x8xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
      memref.store %v, %x[%i, %c0] : memref<8x8xf32>
    } {parallel_grain = 1 : i64}
  } {parallel_grain = 1 : i64}
  return
}

// What is widened before the loop is widened in its function: it gets the narrow elements.
// CHECK-LABEL: func.func @widened
// CHECK: call @widened_loop_0(%{{[^:]*}}) : (memref<8x16xi32>, vector<16xi8>, index, index) -> ()
// CHECK-LABEL: func.func private @widened_loop_0
// CHECK-SAME: %[[NARROW:[^:,]*]]: vector<16xi8>
// CHECK: %[[WIDE:.*]] = arith.extsi %[[NARROW]]
// CHECK: vector.transfer_write %[[WIDE]]
func.func @widened(%x: memref<8x16xi32>, %row: memref<16xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0 : i8
  %narrow = vector.transfer_read %row[%c0], %zero {in_bounds = [true]} : memref<16xi8>, vector<16xi8>
  %wide = arith.extsi %narrow : vector<16xi8> to vector<16xi32>
  scf.for %i = %c0 to %c8 step %c1 {
    vector.transfer_write %wide, %x[%i, %c0] {in_bounds = [true]} : vector<16xi32>, memref<8x16xi32>
  } {parallel_grain = 16 : i64}
  return
}

// What is to be apart is a function that is not inlined, without threads; a loop that carries values stays, without a word.
// CHECK-LABEL: func.func @separate
// CHECK: call @separate_loop_0(%arg0, %{{.*}}, %{{.*}})
// CHECK: scf.for
// CHECK-NOT: separate}
// CHECK: func.func private @separate_loop_0(%arg0: memref<64xf32>, %{{.*}}: index, %{{.*}}: index) attributes {passthrough = ["noinline"]}
// REMARK-NOT: Function=separate
func.func @separate(%x: memref<64xf32>, %y: memref<64xf32>) -> memref<64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %one = arith.constant 1.0 : f32
  scf.for %i = %c0 to %c64 step %c1 {
    memref.store %one, %x[%i] : memref<64xf32>
  } {separate}
  %r = scf.for %i = %c0 to %c64 step %c1 iter_args(%m = %x) -> memref<64xf32> {
    scf.yield %y : memref<64xf32>
  } {separate}
  return %r : memref<64xf32>
}

// Parts that one thread has are one: from the start of the first to the end of the last, or of all. As long as nothing else is made of the induction variable.
// CHECK-LABEL: func.func @joined
// CHECK: call @joined_loop_0(%{{.*}}, %{{.*}}, %c0{{.*}}, %{{.*}})
// CHECK-LABEL: func.func private @joined_loop_0
// CHECK-SAME: (%[[N:.*]]: index, %{{.*}}: memref<?xindex>, %[[BEGIN:.*]]: index, %[[END:.*]]: index) attributes {parallel_grain = 1 : i64}
// CHECK: %[[B:.*]] = arith.muli %[[BEGIN]], %[[S:.*]] : index
// CHECK: %[[LO:.*]] = arith.addi %{{.*}}, %[[B]]
// CHECK: %[[E:.*]] = arith.muli %[[END]], %[[S]]
// CHECK: %[[HI:.*]] = arith.addi %{{.*}}, %[[E]]
// CHECK-NOT: scf.for
// CHECK: %[[TO:.*]] = arith.minui %[[HI]], %[[N]]
// CHECK-NEXT: scf.for %[[I:.*]] = %[[LO]] to %[[TO]] step %{{.*}} {
// CHECK: arith.subi %[[TO]], %[[I]]
// CHECK: return
// CHECK-LABEL: func.func private @joined_otherwise_loop_0
// CHECK: scf.for
// CHECK: scf.for
func.func @joined(%x: memref<?xindex>, %n: index) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  scf.for %part = %c0 to %n step %c16 {
    %next = arith.addi %part, %c16 : index
    %end = arith.minui %next, %n : index
    scf.for %i = %part to %end step %c64 {
      %rest = arith.subi %end, %i : index
      memref.store %rest, %x[%i] : memref<?xindex>
    }
  } {parallel_grain = 1 : i64, joined}
  return
}
func.func @joined_otherwise(%x: memref<?xindex>, %n: index) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  scf.for %part = %c0 to %n step %c16 {
    %next = arith.addi %part, %c16 : index
    %end = arith.minui %next, %n : index
    scf.for %i = %part to %end step %c64 {
      memref.store %part, %x[%i] : memref<?xindex>
    }
  } {parallel_grain = 1 : i64, joined}
  return
}

// The loop through a part may be in another one, of work that is the range's.
// CHECK-LABEL: func.func private @joined_inside_loop_0
// CHECK-SAME: %[[BEGIN:[a-z0-9]+]]: index, %[[END:[a-z0-9]+]]: index) attributes {parallel_grain = -2 : i64}
// CHECK: %[[LO:.*]] = arith.addi
// CHECK: %[[HI:.*]] = arith.addi
// CHECK: %[[TO:.*]] = arith.minui %[[HI]]
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %c2
// CHECK-NEXT: scf.for %{{.*}} = %[[LO]] to %[[TO]] step
// CHECK-NOT: scf.for
// CHECK: return
func.func @joined_inside(%x: memref<2x?xindex>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  scf.for %part = %c0 to %n step %c16 {
    %next = arith.addi %part, %c16 : index
    %end = arith.minui %next, %n : index
    scf.for %j = %c0 to %c2 step %c1 {
      scf.for %i = %part to %end step %c64 {
        memref.store %n, %x[%j, %i] : memref<2x?xindex>
      }
    }
  } {parallel_grain = -2 : i64, joined}
  return
}

// REMARK: remark: [Missed] SerialLoop
// REMARK-SAME: Function=joined_shares
// CHECK-LABEL: func.func @joined_shares
// CHECK: scf.for
// CHECK-NOT: joined}
func.func @joined_shares(%x: memref<8xindex>, %n: index) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  scf.for %part = %c0 to %n step %c16 {
    %next = arith.addi %part, %c16 : index
    %end = arith.minui %next, %n : index
    scf.for %i = %part to %end step %c64 {
      memref.store %n, %x[%c0] : memref<8xindex>
    }
  } {parallel_grain = 1 : i64, joined}
  return
}
