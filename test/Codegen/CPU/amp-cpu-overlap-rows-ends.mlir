// What a row ends with goes into the next row's loop with functions, and a sum of what that writes into it, where each iteration needs what that one has.
// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-overlap-rows{cpu=x86-64-v4}))' | FileCheck %s
// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-overlap-rows{cpu=x86-64-v3}))' | FileCheck %s --check-prefix=FEW

// Rows whose end is behind whole vectors: what is there of the row before is finished in front of what this row writes there, and the sum of it stays
// behind that.
// CHECK-LABEL: func.func @rests
// CHECK-SAME: %[[X:[a-z0-9]*]]: memref<?x1000xf32>, %[[Y:[a-z0-9]*]]: memref<?x1000xf32>, %[[E:[a-z0-9]*]]: memref<1000xf32>
// CHECK: scf.for %[[I:.*]] = %[[FIRST:.*]] to %[[END:.*]] step %{{.*}} iter_args(%{{.*}} = %{{.*}}, %[[SUM:.*]] = %{{.*}}) -> (f32, f32)
// CHECK: %[[HAS_PREVIOUS:.*]] = arith.cmpi ne, %[[I]], %[[FIRST]]
// CHECK: %[[PREVIOUS:.*]] = arith.subi %[[I]]
// CHECK: scf.if %[[HAS_PREVIOUS]] {
// CHECK-DAG: %[[REST:.*]] = vector.transfer_read %[[E]][%c992]
// CHECK-DAG: %[[DIVISOR:.*]] = vector.broadcast %[[SUM]] : f32 to vector<16xf32>
// CHECK: %[[QUOTIENT:.*]] = arith.divf %[[REST]], %[[DIVISOR]]
// CHECK: vector.transfer_write %[[QUOTIENT]], %[[Y]][%[[PREVIOUS]], %c992]
// CHECK: vector.transfer_write %{{.*}}, %[[E]][%c992]
// CHECK: scf.if %[[HAS_PREVIOUS]]
// CHECK: scf.for
// CHECK: arith.divf
// CHECK: vector.transfer_write %{{.*}}, %[[Y]][%[[PREVIOUS]], %{{.*}}]
// CHECK: arith.maxnumf
// CHECK: %[[EXP:.*]] = math.exp
// CHECK: arith.addf %[[EXP]]
// CHECK: vector.reduction <maxnumf>
// CHECK: %[[BEHIND:.*]] = vector.transfer_read %[[E]][%c992]
// CHECK: arith.addf %[[BEHIND]]
// CHECK: vector.reduction <add>
// CHECK-NOT: vector.transfer_write
// CHECK: scf.yield
// CHECK: %[[LAST:.*]] = arith.subi %[[END]]
// CHECK: scf.if
// CHECK: vector.transfer_write %{{.*}}, %[[Y]][%[[LAST]], %c992]
// CHECK: vector.transfer_write %{{.*}}, %[[Y]][%[[LAST]], %{{.*}}]
// FEW-LABEL: func.func @rests
// FEW-NOT: arith.cmpi ne
// FEW: math.exp
// FEW: scf.for
// FEW: arith.addf
// FEW: scf.for
// FEW: arith.divf
func.func @rests(%x: memref<?x1000xf32>, %y: memref<?x1000xf32>, %e: memref<1000xf32>, %first: index, %end: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %size = arith.constant 992 : index
  %none = arith.constant 0.0 : f32
  %low = arith.constant dense<0xFF800000> : vector<32xf32>
  %zero = arith.constant dense<0.0> : vector<32xf32>
  scf.for %i = %first to %end step %c1 {
    %m = scf.for %j = %c0 to %size step %c32 iter_args(%largest = %low) -> (vector<32xf32>) {
      %v = vector.transfer_read %x[%i, %j], %none {in_bounds = [true]} : memref<?x1000xf32>, vector<32xf32>
      %next = arith.maxnumf %v, %largest : vector<32xf32>
      scf.yield %next : vector<32xf32>
    }
    %tail = vector.transfer_read %x[%i, %size], %none : memref<?x1000xf32>, vector<16xf32>
    %half = vector.extract_strided_slice %m {offsets = [0], sizes = [16], strides = [1]} : vector<32xf32> to vector<16xf32>
    %of = arith.maxnumf %tail, %half : vector<16xf32>
    %most = vector.insert_strided_slice %of, %m {offsets = [0], strides = [1]} : vector<16xf32> into vector<32xf32>
    %l = vector.reduction <maxnumf>, %most : vector<32xf32> into f32
    %b = vector.broadcast %l : f32 to vector<32xf32>
    scf.for %j = %c0 to %size step %c32 {
      %v = vector.transfer_read %x[%i, %j], %none {in_bounds = [true]} : memref<?x1000xf32>, vector<32xf32>
      %d = arith.subf %v, %b : vector<32xf32>
      %p = math.exp %d : vector<32xf32>
      vector.transfer_write %p, %e[%j] {in_bounds = [true]} : vector<32xf32>, memref<1000xf32>
    }
    %bt = vector.broadcast %l : f32 to vector<16xf32>
    %dt = arith.subf %tail, %bt : vector<16xf32>
    %pt = math.exp %dt : vector<16xf32>
    vector.transfer_write %pt, %e[%size] : vector<16xf32>, memref<1000xf32>
    %s = scf.for %j = %c0 to %size step %c32 iter_args(%sum = %zero) -> (vector<32xf32>) {
      %v = vector.transfer_read %e[%j], %none {in_bounds = [true]} : memref<1000xf32>, vector<32xf32>
      %next = arith.addf %v, %sum : vector<32xf32>
      scf.yield %next : vector<32xf32>
    }
    %et = vector.transfer_read %e[%size], %none : memref<1000xf32>, vector<16xf32>
    %sh = vector.extract_strided_slice %s {offsets = [0], sizes = [16], strides = [1]} : vector<32xf32> to vector<16xf32>
    %st = arith.addf %et, %sh : vector<16xf32>
    %sa = vector.insert_strided_slice %st, %s {offsets = [0], strides = [1]} : vector<16xf32> into vector<32xf32>
    %r = vector.reduction <add>, %sa : vector<32xf32> into f32
    %q = vector.broadcast %r : f32 to vector<32xf32>
    scf.for %j = %c0 to %size step %c32 {
      %v = vector.transfer_read %e[%j], %none {in_bounds = [true]} : memref<1000xf32>, vector<32xf32>
      %t = arith.divf %v, %q : vector<32xf32>
      vector.transfer_write %t, %y[%i, %j] {in_bounds = [true]} : vector<32xf32>, memref<?x1000xf32>
    }
    %qt = vector.broadcast %r : f32 to vector<16xf32>
    %tt = arith.divf %et, %qt : vector<16xf32>
    vector.transfer_write %tt, %y[%i, %size] : vector<16xf32>, memref<?x1000xf32>
  } {independent_rows}
  return
}

// -----

// What the loop reads is of another iteration.
// CHECK-LABEL: func.func @backwards
// CHECK-NOT: arith.cmpi ne
// CHECK: math.exp
// CHECK-NEXT: vector.transfer_write
// CHECK-NEXT: arith.addf
// CHECK: vector.reduction <add>
// CHECK: arith.divf
// CHECK: return
func.func @backwards(%x: memref<?x1024xf32>, %y: memref<?x1024xf32>, %e: memref<1024xf32>, %first: index, %end: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
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
      %last = arith.subi %size, %c32 : index
      %k = arith.subi %last, %j : index
      %v = vector.transfer_read %e[%k], %none {in_bounds = [true]} : memref<1024xf32>, vector<32xf32>
      %t = arith.divf %v, %q : vector<32xf32>
      vector.transfer_write %t, %y[%i, %j] {in_bounds = [true]} : vector<32xf32>, memref<?x1024xf32>
    }
  } {independent_rows}
  return
}

// -----

// Every other row: the row before is not that of the number before.
// CHECK-LABEL: func.func @steps
// CHECK-NOT: arith.cmpi ne
// CHECK: math.exp
// CHECK-NEXT: vector.transfer_write
// CHECK-NEXT: arith.addf
// CHECK: vector.reduction <add>
// CHECK: arith.divf
// CHECK: return
func.func @steps(%x: memref<?x1024xf32>, %y: memref<?x1024xf32>, %e: memref<1024xf32>, %first: index, %end: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %size = arith.constant 1024 : index
  %none = arith.constant 0.0 : f32
  %low = arith.constant dense<0xFF800000> : vector<32xf32>
  %zero = arith.constant dense<0.0> : vector<32xf32>
  scf.for %i = %first to %end step %c2 {
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

// Rows have another buffer, which the last loop reads.
// CHECK-LABEL: func.func @two_buffers
// CHECK-NOT: arith.cmpi ne
// CHECK: math.exp
// CHECK-NEXT: vector.transfer_write
// CHECK-NEXT: arith.addf
// CHECK: vector.reduction <add>
// CHECK: arith.divf
// CHECK: return
func.func @two_buffers(%x: memref<?x1024xf32>, %y: memref<?x1024xf32>, %e: memref<1024xf32>, %first: index, %end: index, %f: memref<1024xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
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
      vector.transfer_write %b, %f[%j] {in_bounds = [true]} : vector<32xf32>, memref<1024xf32>
    }
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
      %v = vector.transfer_read %f[%j], %none {in_bounds = [true]} : memref<1024xf32>, vector<32xf32>
      %t = arith.divf %v, %q : vector<32xf32>
      vector.transfer_write %t, %y[%i, %j] {in_bounds = [true]} : vector<32xf32>, memref<?x1024xf32>
    }
  } {independent_rows}
  return
}

// -----

// Something else writes what the sum reads.
// CHECK-LABEL: func.func @written_between
// CHECK-NOT: arith.cmpi ne
// CHECK: math.exp
// CHECK-NEXT: vector.transfer_write
// CHECK-NEXT: scf.yield
// CHECK: vector.reduction <add>
// CHECK: arith.divf
// CHECK: return
func.func @written_between(%x: memref<?x1024xf32>, %y: memref<?x1024xf32>, %e: memref<1024xf32>, %first: index, %end: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
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
    vector.transfer_write %b, %e[%c0] {in_bounds = [true]} : vector<32xf32>, memref<1024xf32>
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

// A row reads what it ends with again.
// CHECK-LABEL: func.func @seen
// CHECK-NOT: arith.cmpi ne
// CHECK: math.exp
// CHECK-NEXT: vector.transfer_write
// CHECK-NEXT: arith.addf
// CHECK: vector.reduction <add>
// CHECK: arith.divf
// CHECK: return
func.func @seen(%x: memref<?x1024xf32>, %y: memref<?x1024xf32>, %e: memref<1024xf32>, %first: index, %end: index, %z: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
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
    %again = memref.load %y[%i, %c0] : memref<?x1024xf32>
    memref.store %again, %z[%i] : memref<?xf32>
  } {independent_rows}
  return
}

// -----

// Functions in the place of what they are of: a sum of them takes what they are, and what they read was there before. The end, which would read that, stays.
// CHECK-LABEL: func.func @in_place
// CHECK-NOT: arith.cmpi ne
// CHECK: %[[V:.*]] = vector.transfer_read
// CHECK-NEXT: %[[P:.*]] = math.exp %[[V]]
// CHECK-NEXT: vector.transfer_write %[[P]]
// CHECK-NEXT: arith.addf %[[P]]
// CHECK: vector.transfer_read
// CHECK-NEXT: arith.divf
// CHECK: return
func.func @in_place(%x: memref<?x1024xf32>, %y: memref<?x1024xf32>, %first: index, %end: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %size = arith.constant 1024 : index
  %none = arith.constant 0.0 : f32
  %zero = arith.constant dense<0.0> : vector<32xf32>
  scf.for %i = %first to %end step %c1 {
    scf.for %j = %c0 to %size step %c32 {
      %v = vector.transfer_read %x[%i, %j], %none {in_bounds = [true]} : memref<?x1024xf32>, vector<32xf32>
      %p = math.exp %v : vector<32xf32>
      vector.transfer_write %p, %x[%i, %j] {in_bounds = [true]} : vector<32xf32>, memref<?x1024xf32>
    }
    %s = scf.for %j = %c0 to %size step %c32 iter_args(%sum = %zero) -> (vector<32xf32>) {
      %v = vector.transfer_read %x[%i, %j], %none {in_bounds = [true]} : memref<?x1024xf32>, vector<32xf32>
      %next = arith.addf %v, %sum : vector<32xf32>
      scf.yield %next : vector<32xf32>
    }
    %r = vector.reduction <add>, %s : vector<32xf32> into f32
    %q = vector.broadcast %r : f32 to vector<32xf32>
    scf.for %j = %c0 to %size step %c32 {
      %v = vector.transfer_read %x[%i, %j], %none {in_bounds = [true]} : memref<?x1024xf32>, vector<32xf32>
      %t = arith.divf %v, %q : vector<32xf32>
      vector.transfer_write %t, %y[%i, %j] {in_bounds = [true]} : vector<32xf32>, memref<?x1024xf32>
    }
  } {independent_rows}
  return
}

// -----

// Of a reduction with functions, which writes nothing: the next row's first one, and the end of the row before, with what it read then.
// CHECK-LABEL: func.func @log
// CHECK-SAME: %[[X:[a-z0-9]*]]: memref<?x1024xf32>, %[[Y:[a-z0-9]*]]: memref<?x1024xf32>
// CHECK: scf.for %[[I:.*]] = %{{.*}} iter_args(%{{.*}}, %[[LARGEST:.*]] = %{{.*}}, %[[LOG:.*]] = %{{.*}}) -> (f32, f32, f32)
// CHECK: %[[PREVIOUS:.*]] = arith.subi %[[I]]
// CHECK: %[[ROW:.*]] = arith.select
// CHECK: scf.if
// CHECK-DAG: vector.broadcast %[[LARGEST]]
// CHECK-DAG: vector.broadcast %[[LOG]]
// CHECK: scf.for %[[J:[a-z0-9]+]] = %{{.*}} -> (vector<32xf32>, vector<32xf32>)
// CHECK-NEXT: vector.transfer_read %[[X]][%[[PREVIOUS]], %[[J]]]
// CHECK-NEXT: arith.subf
// CHECK-NEXT: arith.subf
// CHECK-NEXT: vector.transfer_write %{{.*}}, %[[Y]][%[[PREVIOUS]], %[[J]]]
// CHECK-NEXT: vector.transfer_read %[[X]][%[[ROW]], %[[J]]]
// CHECK-NEXT: arith.maxnumf
// CHECK-NEXT: vector.transfer_read %[[X]][%[[I]], %[[J]]]
// CHECK-NEXT: arith.subf
// CHECK-NEXT: math.exp
// CHECK-NEXT: arith.addf
// CHECK-NEXT: scf.yield
// CHECK: math.log
// CHECK-NOT: vector.transfer_write
// CHECK: scf.if
// CHECK: vector.transfer_write
// FEW-LABEL: func.func @log
// FEW-NOT: arith.cmpi ne
// FEW: vector.transfer_write
func.func @log(%x: memref<?x1024xf32>, %y: memref<?x1024xf32>, %first: index, %end: index) {
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
    %s = scf.for %j = %c0 to %size step %c32 iter_args(%sum = %zero) -> (vector<32xf32>) {
      %v = vector.transfer_read %x[%i, %j], %none {in_bounds = [true]} : memref<?x1024xf32>, vector<32xf32>
      %d = arith.subf %v, %b : vector<32xf32>
      %p = math.exp %d : vector<32xf32>
      %next = arith.addf %p, %sum : vector<32xf32>
      scf.yield %next : vector<32xf32>
    }
    %r = vector.reduction <add>, %s : vector<32xf32> into f32
    %log = math.log %r : f32
    %q = vector.broadcast %log : f32 to vector<32xf32>
    scf.for %j = %c0 to %size step %c32 {
      %v = vector.transfer_read %x[%i, %j], %none {in_bounds = [true]} : memref<?x1024xf32>, vector<32xf32>
      %d = arith.subf %v, %b : vector<32xf32>
      %t = arith.subf %d, %q : vector<32xf32>
      vector.transfer_write %t, %y[%i, %j] {in_bounds = [true]} : vector<32xf32>, memref<?x1024xf32>
    }
  } {independent_rows}
  return
}

// A row that ends with a number: the next row's largest one all the same.
// CHECK-LABEL: func.func @log_sum
// CHECK-SAME: %[[X:[a-z0-9]*]]: memref<?x1024xf32>, %[[Y:[a-z0-9]*]]: memref<?xf32>
// CHECK: scf.for %[[I:.*]] = %{{.*}} iter_args(%{{.*}}) -> (f32)
// CHECK: %[[ROW:.*]] = arith.select
// CHECK: scf.for %[[J:[a-z0-9]+]] = %{{.*}} -> (vector<32xf32>, vector<32xf32>)
// CHECK-NEXT: vector.transfer_read %[[X]][%[[ROW]], %[[J]]]
// CHECK-NEXT: arith.maxnumf
// CHECK-NEXT: vector.transfer_read %[[X]][%[[I]], %[[J]]]
// CHECK-NEXT: arith.subf
// CHECK-NEXT: math.exp
// CHECK-NEXT: arith.addf
// CHECK: math.log
// CHECK: memref.store %{{.*}}, %[[Y]][%[[I]]]
// FEW-LABEL: func.func @log_sum
// FEW-NOT: scf.if
// FEW: memref.store
func.func @log_sum(%x: memref<?x1024xf32>, %y: memref<?xf32>, %first: index, %end: index) {
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
    %s = scf.for %j = %c0 to %size step %c32 iter_args(%sum = %zero) -> (vector<32xf32>) {
      %v = vector.transfer_read %x[%i, %j], %none {in_bounds = [true]} : memref<?x1024xf32>, vector<32xf32>
      %d = arith.subf %v, %b : vector<32xf32>
      %p = math.exp %d : vector<32xf32>
      %next = arith.addf %p, %sum : vector<32xf32>
      scf.yield %next : vector<32xf32>
    }
    %r = vector.reduction <add>, %s : vector<32xf32> into f32
    %log = math.log %r : f32
    %all = arith.addf %log, %l : f32
    memref.store %all, %y[%i] : memref<?xf32>
  } {independent_rows}
  return
}
