// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-overlap-rows{cpu=x86-64-v3}))' | FileCheck %s --implicit-check-not=independent_rows
// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-overlap-rows{cpu=x86-64-v3},amp-cpu-overlap-rows{cpu=x86-64-v3}))' | FileCheck %s --implicit-check-not=independent_rows
// RUN: not amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-overlap-rows{cpu=pentium9}))' 2>&1 | FileCheck %s --check-prefix=CPU

// CPU: error: unknown CPU 'pentium9'

// The sum of the next row, and its root, in front of the last loop; the first row computes its own.
// CHECK-LABEL: func.func @root
// CHECK-SAME: %[[X:.*]]: memref<?x256xf32>, %[[Y:.*]]: memref<?x256xf32>, %[[FIRST:.*]]: index, %[[END:.*]]: index
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : index
// CHECK: scf.for %[[I:.*]] = %[[FIRST]] to %[[END]] step %[[ONE]] iter_args(%[[CARRIED:.*]] = %{{.*}}) -> (f32)
// CHECK: %[[IS_FIRST:.*]] = arith.cmpi eq, %[[I]], %[[FIRST]]
// CHECK: %[[OWN:.*]] = scf.if %[[IS_FIRST]] -> (f32) {
// CHECK: vector.transfer_read %[[X]][%[[I]], %{{.*}}]
// CHECK: vector.reduction <add>
// CHECK: %[[ROOT:.*]] = math.sqrt
// CHECK: scf.yield %[[ROOT]]
// CHECK: } else {
// CHECK-NEXT: scf.yield %[[CARRIED]]
// CHECK: vector.broadcast %[[OWN]]
// CHECK: %[[J:.*]] = arith.addi %[[I]], %[[ONE]]
// CHECK: %[[HAS_NEXT:.*]] = arith.cmpi slt, %[[J]], %[[END]]
// CHECK: %[[NEXT:.*]] = scf.if %[[HAS_NEXT]] -> (f32) {
// CHECK: vector.transfer_read %[[X]][%[[J]], %{{.*}}]
// CHECK: math.sqrt
// CHECK: } else {
// CHECK-NEXT: scf.yield %[[OWN]]
// CHECK: scf.for
// CHECK-NOT: vector.reduction
// CHECK: vector.transfer_write %{{.*}}, %[[Y]][%[[I]], %{{.*}}]
// CHECK: scf.yield %[[NEXT]]
func.func @root(%x: memref<?x256xf32>, %y: memref<?x256xf32>, %first: index, %end: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %size = arith.constant 256 : index
  %none = arith.constant 0.0 : f32
  %zero = arith.constant dense<0.0> : vector<32xf32>
  scf.for %i = %first to %end step %c1 {
    %s = scf.for %j = %c0 to %size step %c32 iter_args(%sum = %zero) -> (vector<32xf32>) {
      %v = vector.transfer_read %x[%i, %j], %none {in_bounds = [true]} : memref<?x256xf32>, vector<32xf32>
      %next = arith.addf %sum, %v : vector<32xf32>
      scf.yield %next : vector<32xf32>
    }
    %r = vector.reduction <add>, %s : vector<32xf32> into f32
    %q = math.sqrt %r : f32
    %b = vector.broadcast %q : f32 to vector<32xf32>
    scf.for %j = %c0 to %size step %c32 {
      %v = vector.transfer_read %x[%i, %j], %none {in_bounds = [true]} : memref<?x256xf32>, vector<32xf32>
      %p = arith.mulf %v, %b : vector<32xf32>
      %t = math.tanh %p : vector<32xf32>
      vector.transfer_write %t, %y[%i, %j] {in_bounds = [true]} : vector<32xf32>, memref<?x256xf32>
    }
  } {independent_rows}
  return
}

// -----

// The same without a function: memory takes longer.
// CHECK-LABEL: func.func @memory
// CHECK-NOT: scf.if
// CHECK: return
func.func @memory(%x: memref<?x256xf32>, %y: memref<?x256xf32>, %first: index, %end: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %size = arith.constant 256 : index
  %none = arith.constant 0.0 : f32
  %zero = arith.constant dense<0.0> : vector<32xf32>
  scf.for %i = %first to %end step %c1 {
    %s = scf.for %j = %c0 to %size step %c32 iter_args(%sum = %zero) -> (vector<32xf32>) {
      %v = vector.transfer_read %x[%i, %j], %none {in_bounds = [true]} : memref<?x256xf32>, vector<32xf32>
      %next = arith.addf %sum, %v : vector<32xf32>
      scf.yield %next : vector<32xf32>
    }
    %r = vector.reduction <add>, %s : vector<32xf32> into f32
    %q = math.sqrt %r : f32
    %b = vector.broadcast %q : f32 to vector<32xf32>
    scf.for %j = %c0 to %size step %c32 {
      %v = vector.transfer_read %x[%i, %j], %none {in_bounds = [true]} : memref<?x256xf32>, vector<32xf32>
      %p = arith.mulf %v, %b : vector<32xf32>
      vector.transfer_write %p, %y[%i, %j] {in_bounds = [true]} : vector<32xf32>, memref<?x256xf32>
    }
  } {independent_rows}
  return
}

// -----

// Rows whose length is not known: decided for all of them. A quarter of the first cache is 4096 of these elements.
// CHECK-LABEL: func.func @unknown
// CHECK-SAME: %[[SIZE:[a-z0-9]*]]: index)
// CHECK: %[[MOST:.*]] = arith.constant 4096 : index
// CHECK: %[[SHORT:.*]] = arith.cmpi ule, %[[SIZE]], %[[MOST]]
// CHECK: scf.for
// CHECK: %[[LONG:.*]] = arith.xori %[[SHORT]], %true
// CHECK: %[[OWN:.*]] = arith.ori %{{.*}}, %[[LONG]]
// CHECK: scf.if %[[OWN]]
// CHECK: %[[NEXT:.*]] = arith.andi %{{.*}}, %[[SHORT]]
// CHECK: scf.if %[[NEXT]]
func.func @unknown(%x: memref<?x?xbf16>, %y: memref<?x?xbf16>, %first: index, %end: index, %size: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %none = arith.constant 0.0 : bf16
  %zero = arith.constant dense<0.0> : vector<32xf32>
  scf.for %i = %first to %end step %c1 {
    %s = scf.for %j = %c0 to %size step %c32 iter_args(%sum = %zero) -> (vector<32xf32>) {
      %v = vector.transfer_read %x[%i, %j], %none {in_bounds = [true]} : memref<?x?xbf16>, vector<32xbf16>
      %w = arith.extf %v : vector<32xbf16> to vector<32xf32>
      %next = arith.addf %sum, %w : vector<32xf32>
      scf.yield %next : vector<32xf32>
    }
    %r = vector.reduction <add>, %s : vector<32xf32> into f32
    %b = vector.broadcast %r : f32 to vector<32xf32>
    scf.for %j = %c0 to %size step %c32 {
      %t = arith.truncf %b : vector<32xf32> to vector<32xbf16>
      vector.transfer_write %t, %y[%i, %j] {in_bounds = [true]} : vector<32xbf16>, memref<?x?xbf16>
    }
  } {independent_rows}
  return
}

// -----

// Rows that are long; a reduction of what rows write; one whose lanes the last loop uses; and a loop that nobody vouches for.
// CHECK-LABEL: func.func @not
// CHECK-NOT: scf.if
// CHECK: return
func.func @not(%x: memref<?x8192xbf16>, %y: memref<?x8192xbf16>, %first: index, %end: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %short = arith.constant 256 : index
  %long = arith.constant 8192 : index
  %none = arith.constant 0.0 : bf16
  %zero = arith.constant dense<0.0> : vector<32xbf16>
  scf.for %i = %first to %end step %c1 {
    %s = scf.for %j = %c0 to %long step %c32 iter_args(%sum = %zero) -> (vector<32xbf16>) {
      %v = vector.transfer_read %x[%i, %j], %none {in_bounds = [true]} : memref<?x8192xbf16>, vector<32xbf16>
      %next = arith.addf %sum, %v : vector<32xbf16>
      scf.yield %next : vector<32xbf16>
    }
    %r = vector.reduction <add>, %s : vector<32xbf16> into bf16
    %b = vector.broadcast %r : bf16 to vector<32xbf16>
    scf.for %j = %c0 to %long step %c32 {
      vector.transfer_write %b, %y[%i, %j] {in_bounds = [true]} : vector<32xbf16>, memref<?x8192xbf16>
    }
  } {independent_rows}
  scf.for %i = %first to %end step %c1 {
    %s = scf.for %j = %c0 to %short step %c32 iter_args(%sum = %zero) -> (vector<32xbf16>) {
      %v = vector.transfer_read %y[%i, %j], %none {in_bounds = [true]} : memref<?x8192xbf16>, vector<32xbf16>
      %next = arith.addf %sum, %v : vector<32xbf16>
      scf.yield %next : vector<32xbf16>
    }
    %r = vector.reduction <add>, %s : vector<32xbf16> into bf16
    %b = vector.broadcast %r : bf16 to vector<32xbf16>
    scf.for %j = %c0 to %short step %c32 {
      vector.transfer_write %b, %y[%i, %j] {in_bounds = [true]} : vector<32xbf16>, memref<?x8192xbf16>
    }
  } {independent_rows}
  scf.for %i = %first to %end step %c1 {
    %s = scf.for %j = %c0 to %short step %c32 iter_args(%sum = %zero) -> (vector<32xbf16>) {
      %v = vector.transfer_read %x[%i, %j], %none {in_bounds = [true]} : memref<?x8192xbf16>, vector<32xbf16>
      %next = arith.addf %sum, %v : vector<32xbf16>
      scf.yield %next : vector<32xbf16>
    }
    scf.for %j = %c0 to %short step %c32 {
      vector.transfer_write %s, %y[%i, %j] {in_bounds = [true]} : vector<32xbf16>, memref<?x8192xbf16>
    }
  } {independent_rows}
  scf.for %i = %first to %end step %c1 {
    %s = scf.for %j = %c0 to %short step %c32 iter_args(%sum = %zero) -> (vector<32xbf16>) {
      %v = vector.transfer_read %x[%i, %j], %none {in_bounds = [true]} : memref<?x8192xbf16>, vector<32xbf16>
      %next = arith.addf %sum, %v : vector<32xbf16>
      scf.yield %next : vector<32xbf16>
    }
    %r = vector.reduction <add>, %s : vector<32xbf16> into bf16
    %b = vector.broadcast %r : bf16 to vector<32xbf16>
    scf.for %j = %c0 to %short step %c32 {
      vector.transfer_write %b, %y[%i, %j] {in_bounds = [true]} : vector<32xbf16>, memref<?x8192xbf16>
    }
  }
  return
}

// -----

// What the last loop asks for is of the row behind the next one.
// CHECK-LABEL: func.func @asked
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %[[END:.*]] step %[[ONE:.*]] iter_args
// CHECK: vector.broadcast
// CHECK-NEXT: %[[NEXT:.*]] = arith.addi %[[I]], %[[ONE]]
// CHECK-NEXT: %[[HAS_NEXT:.*]] = arith.cmpi slt, %[[NEXT]], %[[END]]
// CHECK-NEXT: scf.if %[[HAS_NEXT]]
// CHECK: %[[BEHIND:.*]] = arith.addi %[[NEXT]], %[[ONE]]
// CHECK: %[[ROW:.*]] = arith.minui %[[BEHIND]], %[[LAST:.*]] : index
// CHECK: memref.prefetch %{{.*}}[%[[ROW]], %{{.*}}]
func.func @asked(%x: memref<?x256xbf16>, %y: memref<?x256xbf16>, %end: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %size = arith.constant 256 : index
  %none = arith.constant 0.0 : bf16
  %zero = arith.constant dense<0.0> : vector<32xbf16>
  %last = arith.subi %end, %c1 : index
  scf.for %i = %c0 to %end step %c1 {
    %behind = arith.addi %i, %c1 : index
    %row = arith.minui %behind, %last : index
    %s = scf.for %j = %c0 to %size step %c32 iter_args(%sum = %zero) -> (vector<32xbf16>) {
      %v = vector.transfer_read %x[%i, %j], %none {in_bounds = [true]} : memref<?x256xbf16>, vector<32xbf16>
      %next = arith.addf %sum, %v : vector<32xbf16>
      scf.yield %next : vector<32xbf16>
    }
    %r = vector.reduction <add>, %s : vector<32xbf16> into bf16
    %b = vector.broadcast %r : bf16 to vector<32xbf16>
    scf.for %j = %c0 to %size step %c32 {
      memref.prefetch %x[%row, %j], read, locality<3>, data : memref<?x256xbf16>
      vector.transfer_write %b, %y[%i, %j] {in_bounds = [true]} : vector<32xbf16>, memref<?x256xbf16>
    }
  } {independent_rows}
  return
}

// -----

// A loop in front of them asks for the next row still; a row ends with the loops over its whole vectors and over the rest of them.
// CHECK-LABEL: func.func @asked_before
// CHECK: %[[ROW:.*]] = arith.minui
// CHECK: memref.prefetch %{{.*}}[%[[ROW]], %{{.*}}]
// CHECK: vector.transfer_write
// CHECK: arith.cmpi slt
// CHECK: scf.if
// CHECK: vector.reduction
// CHECK: scf.for
// CHECK: vector.transfer_write
// CHECK: scf.for
// CHECK: vector.transfer_write
func.func @asked_before(%x: memref<?x264xbf16>, %y: memref<?x264xbf16>, %z: memref<?x264xbf16>, %end: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %whole = arith.constant 256 : index
  %size = arith.constant 264 : index
  %none = arith.constant 0.0 : bf16
  %zero = arith.constant dense<0.0> : vector<32xbf16>
  %last = arith.subi %end, %c1 : index
  scf.for %i = %c0 to %end step %c1 {
    %behind = arith.addi %i, %c1 : index
    %row = arith.minui %behind, %last : index
    %s = scf.for %j = %c0 to %whole step %c32 iter_args(%sum = %zero) -> (vector<32xbf16>) {
      %v = vector.transfer_read %x[%i, %j], %none {in_bounds = [true]} : memref<?x264xbf16>, vector<32xbf16>
      %next = arith.addf %sum, %v : vector<32xbf16>
      scf.yield %next : vector<32xbf16>
    }
    %r = vector.reduction <add>, %s : vector<32xbf16> into bf16
    %b = vector.broadcast %r : bf16 to vector<32xbf16>
    scf.for %j = %c0 to %whole step %c32 {
      memref.prefetch %x[%row, %j], read, locality<3>, data : memref<?x264xbf16>
      vector.transfer_write %b, %y[%i, %j] {in_bounds = [true]} : vector<32xbf16>, memref<?x264xbf16>
    }
    %t = scf.for %j = %c0 to %whole step %c32 iter_args(%sum = %zero) -> (vector<32xbf16>) {
      %v = vector.transfer_read %y[%i, %j], %none {in_bounds = [true]} : memref<?x264xbf16>, vector<32xbf16>
      %next = arith.addf %sum, %v : vector<32xbf16>
      scf.yield %next : vector<32xbf16>
    }
    scf.for %j = %c0 to %whole step %c32 {
      vector.transfer_write %t, %z[%i, %j] {in_bounds = [true]} : vector<32xbf16>, memref<?x264xbf16>
    }
    %rest = vector.broadcast %r : bf16 to vector<8xbf16>
    scf.for %j = %whole to %size step %c8 {
      vector.transfer_write %rest, %z[%i, %j] {in_bounds = [true]} : vector<8xbf16>, memref<?x264xbf16>
    }
  } {independent_rows}
  return
}
