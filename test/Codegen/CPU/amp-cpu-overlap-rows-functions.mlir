// The reduction of the next row in a loop with functions, where there are 32 registers.
// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-overlap-rows{cpu=x86-64-v4}))' | FileCheck %s --implicit-check-not=independent_rows
// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-overlap-rows{cpu=x86-64-v4},amp-cpu-overlap-rows{cpu=x86-64-v4}))' | FileCheck %s --implicit-check-not=independent_rows
// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-overlap-rows{cpu=x86-64-v3}))' | FileCheck %s --check-prefix=FEW
// The row behind the next one is asked for, where processors gain by it: two lines for a vector of 128 bytes.
// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-overlap-rows{cpu=znver4}))' | FileCheck %s --check-prefix=ASKS

// Behind the last row that one again. What is made of the reduction comes behind the loop. So does the sum of what it writes, which another loop had, and
// what the row before ends with; the first row has none, and the last one's end stands alone.
// CHECK-LABEL: func.func @softmax
// CHECK-SAME: %[[X:.*]]: memref<?x1024xf32>, %[[Y:.*]]: memref<?x1024xf32>, %[[BUFFER:.*]]: memref<1024xf32>, %[[FIRST:.*]]: index, %[[END:.*]]: index
// CHECK: %[[SUMS:.*]]:2 = scf.for %[[I:.*]] = %[[FIRST]] to %[[END]] step %[[ONE:.*]] iter_args(%[[CARRIED:.*]] = %{{.*}}, %[[SUM:.*]] = %{{.*}}) -> (f32, f32)
// CHECK: %[[HAS_PREVIOUS:.*]] = arith.cmpi ne, %[[I]], %[[FIRST]]
// CHECK: %[[PREVIOUS:.*]] = arith.subi %[[I]], %[[ONE]]
// CHECK: %[[IS_FIRST:.*]] = arith.cmpi eq, %[[I]], %[[FIRST]]
// CHECK: %[[OWN:.*]] = scf.if %[[IS_FIRST]] -> (f32) {
// CHECK: vector.transfer_read %[[X]][%[[I]], %{{.*}}]
// CHECK: vector.reduction <maxnumf>
// CHECK: } else {
// CHECK-NEXT: scf.yield %[[CARRIED]]
// CHECK: %[[LARGEST:.*]] = vector.broadcast %[[OWN]]
// CHECK: %[[J:.*]] = arith.addi %[[I]], %[[ONE]]
// CHECK: %[[HAS_NEXT:.*]] = arith.cmpi slt, %[[J]], %[[END]]
// CHECK: %[[ROW:.*]] = arith.select %[[HAS_NEXT]], %[[J]], %[[I]]
// CHECK: %[[LANES:.*]]:2 = scf.if %[[HAS_PREVIOUS]]
// CHECK-NEXT: %[[DIVISOR:.*]] = vector.broadcast %[[SUM]]
// CHECK-NEXT: scf.for %[[K:.*]] = %{{.*}} iter_args(%[[SO_FAR:.*]] = %{{.*}}, %[[ADDED:.*]] = %{{.*}}) -> (vector<32xf32>, vector<32xf32>)
// CHECK-NEXT: %[[BEFORE:.*]] = vector.transfer_read %[[BUFFER]][%[[K]]]
// CHECK-NEXT: %[[QUOTIENT:.*]] = arith.divf %[[BEFORE]], %[[DIVISOR]]
// CHECK-NEXT: vector.transfer_write %[[QUOTIENT]], %[[Y]][%[[PREVIOUS]], %[[K]]]
// CHECK-NEXT: %[[NEXT:.*]] = vector.transfer_read %[[X]][%[[ROW]], %[[K]]]
// CHECK-NEXT: %[[MAX:.*]] = arith.maxnumf %[[NEXT]], %[[SO_FAR]]
// CHECK-NEXT: %[[THIS:.*]] = vector.transfer_read %[[X]][%[[I]], %[[K]]]
// CHECK-NEXT: arith.subf %[[THIS]], %[[LARGEST]]
// CHECK-NEXT: %[[EXP:.*]] = math.exp
// CHECK-NEXT: vector.transfer_write %[[EXP]], %[[BUFFER]][%[[K]]]
// CHECK-NEXT: %[[TOTAL:.*]] = arith.addf %[[EXP]], %[[ADDED]]
// CHECK-NEXT: scf.yield %[[MAX]], %[[TOTAL]]
// CHECK: } else {
// CHECK: scf.for
// CHECK-NOT: arith.divf
// CHECK: math.exp
// CHECK-NOT: arith.divf
// CHECK: %[[FOLLOWING:.*]] = vector.reduction <maxnumf>, %[[LANES]]#0
// CHECK-NEXT: %[[WHOLE:.*]] = vector.reduction <add>, %[[LANES]]#1
// CHECK-NEXT: scf.yield %[[FOLLOWING]], %[[WHOLE]]
// CHECK: %[[ANY:.*]] = arith.cmpi slt, %[[FIRST]], %[[END]]
// CHECK: %[[LAST:.*]] = arith.subi %[[END]], %[[ONE]]
// CHECK: scf.if %[[ANY]]
// CHECK-NEXT: vector.broadcast %[[SUMS]]#1
// CHECK: vector.transfer_write %{{.*}}, %[[Y]][%[[LAST]], %{{.*}}]
// With 16 registers in front of the last loop.
// ASKS-LABEL: func.func @softmax
// ASKS: scf.for %[[I:[a-z0-9]+]] =
// ASKS: %[[J:.*]] = arith.addi %[[I]]
// ASKS: %[[ROW:.*]] = arith.select %{{.*}}, %[[J]], %[[I]]
// ASKS: %[[BEHIND:.*]] = arith.addi %[[J]]
// ASKS: scf.if
// ASKS: scf.for %[[K:[a-z0-9]+]] =
// ASKS: vector.transfer_write
// ASKS: memref.prefetch %[[X:.*]][%[[BEHIND]], %[[K]]], read, locality<3>
// ASKS: memref.prefetch %[[X]][%[[BEHIND]], %{{.*}}], read, locality<3>
// ASKS-NOT: memref.prefetch
// ASKS: vector.transfer_read %[[X]][%[[ROW]], %[[K]]]
// ASKS: math.exp
// FEW-LABEL: func.func @softmax
// FEW: math.exp
// FEW: vector.reduction <add>
// FEW: scf.if
// FEW: vector.reduction <maxnumf>
func.func @softmax(%x: memref<?x1024xf32>, %y: memref<?x1024xf32>, %e: memref<1024xf32>, %first: index, %end: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %size = arith.constant 1024 : index
  %none = arith.constant 0.0 : f32
  %low = arith.constant dense<0xFF800000> : vector<32xf32>
  %zero = arith.constant dense<0.0> : vector<32xf32>
  scf.for %i = %first to %end step %c1 {
    %m = scf.for %j = %c0 to %size step %c32 iter_args(%largest = %low) -> (vector<32xf32>) {
      %v = vector.transfer_read %x[%i, %j], %none {in_bounds = [true]} : memref<?x1024xf32>, vector<32xf32>
      %next = arith.maxnumf %v, %largest : vector<32xf32>
      scf.yield %next : vector<32xf32>
    }
    %l = vector.reduction <maxnumf>, %m : vector<32xf32> into f32
    %b = vector.broadcast %l : f32 to vector<32xf32>
    scf.for %j = %c0 to %size step %c32 {
      %v = vector.transfer_read %x[%i, %j], %none {in_bounds = [true]} : memref<?x1024xf32>, vector<32xf32>
      %d = arith.subf %v, %b : vector<32xf32>
      %p = math.exp %d : vector<32xf32>
      vector.transfer_write %p, %e[%j] {in_bounds = [true]} : vector<32xf32>, memref<1024xf32>
    }
    %s = scf.for %j = %c0 to %size step %c32 iter_args(%sum = %zero) -> (vector<32xf32>) {
      %v = vector.transfer_read %e[%j], %none {in_bounds = [true]} : memref<1024xf32>, vector<32xf32>
      %next = arith.addf %v, %sum : vector<32xf32>
      scf.yield %next : vector<32xf32>
    }
    %r = vector.reduction <add>, %s : vector<32xf32> into f32
    %q = vector.broadcast %r : f32 to vector<32xf32>
    scf.for %j = %c0 to %size step %c32 {
      %v = vector.transfer_read %e[%j], %none {in_bounds = [true]} : memref<1024xf32>, vector<32xf32>
      %t = arith.divf %v, %q : vector<32xf32>
      vector.transfer_write %t, %y[%i, %j] {in_bounds = [true]} : vector<32xf32>, memref<?x1024xf32>
    }
  } {independent_rows}
  return
}

// -----

// Of a length that is not known, with two loops: the first goes into the one over whole vectors, the other comes behind that. Of rows that are long each reduces its own, and the other way finds
// it in a cache.
// CHECK-LABEL: func.func @unknown
// CHECK-SAME: %[[WHOLE:[a-z0-9]*]]: index, %[[SIZE:[a-z0-9]*]]: index)
// CHECK: %[[LONG:.*]] = arith.xori %[[SHORT:.*]], %true
// CHECK: scf.if
// CHECK: %[[NEXT:.*]] = arith.andi %{{.*}}, %[[SHORT]]
// CHECK: arith.select %[[NEXT]]
// CHECK: %[[LANES:.*]] = scf.for %{{.*}} to %[[WHOLE]]
// CHECK: math.exp
// CHECK-DAG: %[[REST:.*]] = vector.extract_strided_slice %[[LANES]]
// CHECK: scf.for %{{.*}} = %[[WHOLE]] to %[[SIZE]] {{.*}} iter_args(%{{.*}} = %[[REST]])
// CHECK: arith.maxnumf
// CHECK: %[[FOLLOWING:.*]] = vector.reduction <maxnumf>
// CHECK: scf.for %{{.*}} = %[[WHOLE]] to %[[SIZE]]
// CHECK: math.exp
// CHECK: scf.yield %[[FOLLOWING]]
func.func @unknown(%x: memref<?x?xf32>, %y: memref<?x?xf32>, %e: memref<?xf32>, %first: index, %end: index, %whole: index, %size: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %none = arith.constant 0.0 : f32
  %low = arith.constant dense<0xFF800000> : vector<32xf32>
  scf.for %i = %first to %end step %c1 {
    %m = scf.for %j = %c0 to %whole step %c32 iter_args(%largest = %low) -> (vector<32xf32>) {
      %v = vector.transfer_read %x[%i, %j], %none {in_bounds = [true]} : memref<?x?xf32>, vector<32xf32>
      %next = arith.maxnumf %v, %largest : vector<32xf32>
      scf.yield %next : vector<32xf32>
    }
    %part = vector.extract_strided_slice %m {offsets = [0], sizes = [16], strides = [1]} : vector<32xf32> to vector<16xf32>
    %o = scf.for %j = %whole to %size step %c16 iter_args(%largest = %part) -> (vector<16xf32>) {
      %v = vector.transfer_read %x[%i, %j], %none {in_bounds = [true]} : memref<?x?xf32>, vector<16xf32>
      %next = arith.maxnumf %v, %largest : vector<16xf32>
      scf.yield %next : vector<16xf32>
    }
    %l = vector.reduction <maxnumf>, %o : vector<16xf32> into f32
    %b = vector.broadcast %l : f32 to vector<32xf32>
    scf.for %j = %c0 to %whole step %c32 {
      %v = vector.transfer_read %x[%i, %j], %none {in_bounds = [true]} : memref<?x?xf32>, vector<32xf32>
      %d = arith.subf %v, %b : vector<32xf32>
      %p = math.exp %d : vector<32xf32>
      vector.transfer_write %p, %e[%j] {in_bounds = [true]} : vector<32xf32>, memref<?xf32>
    }
    %c = vector.broadcast %l : f32 to vector<16xf32>
    scf.for %j = %whole to %size step %c16 {
      %v = vector.transfer_read %x[%i, %j], %none {in_bounds = [true]} : memref<?x?xf32>, vector<16xf32>
      %d = arith.subf %v, %c : vector<16xf32>
      %p = math.exp %d : vector<16xf32>
      vector.transfer_write %p, %e[%j] {in_bounds = [true]} : vector<16xf32>, memref<?xf32>
    }
    %r = memref.load %e[%c0] : memref<?xf32>
    %sum = scf.for %j = %c0 to %size step %c1 iter_args(%s = %r) -> (f32) {
      %v = memref.load %e[%j] : memref<?xf32>
      %t = arith.addf %s, %v : f32
      scf.yield %t : f32
    }
    %q = vector.broadcast %sum : f32 to vector<16xf32>
    scf.for %j = %c0 to %size step %c16 {
      vector.transfer_write %q, %y[%i, %j] {in_bounds = [true]} : vector<16xf32>, memref<?x?xf32>
    }
  } {independent_rows}
  return
}

// -----

// A loop with other steps: in front of the last loop.
// CHECK-LABEL: func.func @steps
// CHECK: math.exp
// CHECK: memref.load
// CHECK: scf.if
// CHECK: vector.reduction <maxnumf>
func.func @steps(%x: memref<?x1024xf32>, %y: memref<?x1024xf32>, %e: memref<1024xf32>, %first: index, %end: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %size = arith.constant 1024 : index
  %none = arith.constant 0.0 : f32
  %low = arith.constant dense<0xFF800000> : vector<32xf32>
  scf.for %i = %first to %end step %c1 {
    %m = scf.for %j = %c0 to %size step %c32 iter_args(%largest = %low) -> (vector<32xf32>) {
      %v = vector.transfer_read %x[%i, %j], %none {in_bounds = [true]} : memref<?x1024xf32>, vector<32xf32>
      %next = arith.maxnumf %v, %largest : vector<32xf32>
      scf.yield %next : vector<32xf32>
    }
    %l = vector.reduction <maxnumf>, %m : vector<32xf32> into f32
    %b = vector.broadcast %l : f32 to vector<16xf32>
    scf.for %j = %c0 to %size step %c16 {
      %v = vector.transfer_read %x[%i, %j], %none {in_bounds = [true]} : memref<?x1024xf32>, vector<16xf32>
      %d = arith.subf %v, %b : vector<16xf32>
      %p = math.exp %d : vector<16xf32>
      vector.transfer_write %p, %e[%j] {in_bounds = [true]} : vector<16xf32>, memref<1024xf32>
    }
    %sum = scf.for %j = %c0 to %size step %c1 iter_args(%s = %none) -> (f32) {
      %v = memref.load %e[%j] : memref<1024xf32>
      %t = arith.addf %s, %v : f32
      scf.yield %t : f32
    }
    %q = vector.broadcast %sum : f32 to vector<16xf32>
    scf.for %j = %c0 to %size step %c16 {
      vector.transfer_write %q, %y[%i, %j] {in_bounds = [true]} : vector<16xf32>, memref<?x1024xf32>
    }
  } {independent_rows}
  return
}

// The first reduction is nobody's, and goes nowhere.
// CHECK-LABEL: func.func @unseen
// CHECK: math.exp
// CHECK: scf.if
// CHECK: vector.reduction <add>
// CHECK: math.log
func.func @unseen(%x: memref<?x1024xf32>, %y: memref<?x1024xf32>, %e: memref<1024xf32>, %first: index, %end: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %size = arith.constant 1024 : index
  %none = arith.constant 0.0 : f32
  %zero = arith.constant dense<0.0> : vector<32xf32>
  scf.for %i = %first to %end step %c1 {
    %m = scf.for %j = %c0 to %size step %c32 iter_args(%largest = %zero) -> (vector<32xf32>) {
      %v = vector.transfer_read %x[%i, %j], %none {in_bounds = [true]} : memref<?x1024xf32>, vector<32xf32>
      %next = arith.maxnumf %v, %largest : vector<32xf32>
      scf.yield %next : vector<32xf32>
    }
    %s = scf.for %j = %c0 to %size step %c32 iter_args(%sum = %zero) -> (vector<32xf32>) {
      %v = vector.transfer_read %x[%i, %j], %none {in_bounds = [true]} : memref<?x1024xf32>, vector<32xf32>
      %next = arith.addf %v, %sum : vector<32xf32>
      scf.yield %next : vector<32xf32>
    }
    %l = vector.reduction <add>, %s : vector<32xf32> into f32
    %b = vector.broadcast %l : f32 to vector<32xf32>
    scf.for %j = %c0 to %size step %c32 {
      %p = math.exp %b : vector<32xf32>
      vector.transfer_write %p, %e[%j] {in_bounds = [true]} : vector<32xf32>, memref<1024xf32>
    }
    %q = memref.load %e[%c0] : memref<1024xf32>
    %r = scf.for %j = %c0 to %size step %c1 iter_args(%sum = %q) -> (f32) {
      %v = memref.load %e[%j] : memref<1024xf32>
      %t = arith.addf %sum, %v : f32
      scf.yield %t : f32
    }
    %w = vector.broadcast %r : f32 to vector<32xf32>
    scf.for %j = %c0 to %size step %c32 {
      %p = math.log %w : vector<32xf32>
      vector.transfer_write %p, %y[%i, %j] {in_bounds = [true]} : vector<32xf32>, memref<?x1024xf32>
    }
  } {independent_rows}
  return
}
