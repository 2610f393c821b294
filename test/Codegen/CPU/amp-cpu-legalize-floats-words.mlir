// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-legalize-floats{cpu=x86-64-v3}))' | FileCheck %s
// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-legalize-floats{cpu=znver4}))' | FileCheck %s --check-prefix=ROUNDS

// Even lanes in front of odd ones between bf16 and bf16: no lane changes its
// place before it is rounded, and the odd ones not even then. What is rounded
// and goes on is rounded in its place.
// CHECK-LABEL: func.func @add
// CHECK-DAG: %[[UPPER:.*]] = arith.constant dense<-65536> : vector<8xi32>
// CHECK-DAG: %[[SIXTEEN:.*]] = arith.constant dense<16> : vector<8xi32>
// CHECK: %[[PAIRS:.*]] = vector.bitcast %{{.*}} : vector<16xbf16> to vector<8xi32>
// CHECK: arith.shli %[[PAIRS]], %[[SIXTEEN]]
// CHECK: arith.andi %[[PAIRS]], %[[UPPER]]
// CHECK-NOT: i16
// CHECK: arith.addf {{.*}} : vector<16xf32>
// CHECK-NOT: i16
// CHECK: arith.mulf {{.*}} : vector<16xf32>
// CHECK: arith.andi %{{.*}}, %[[UPPER]]
// CHECK-NEXT: %[[BOTH:.*]] = arith.ori
// CHECK: vector.bitcast %[[BOTH]] : vector<8xi32> to vector<16xbf16>
// A register that an instruction of AVX512-BF16 rounds alone is in order.
// ROUNDS-LABEL: func.func @add
// ROUNDS-NOT: vector.bitcast
// ROUNDS: llvm.x86.avx512bf16
func.func @add(%x: vector<16xbf16>, %y: vector<16xbf16>, %s: bf16) -> vector<16xbf16> {
  %0 = arith.addf %x, %y : vector<16xbf16>
  %1 = vector.broadcast %s : bf16 to vector<16xbf16>
  %2 = arith.mulf %0, %1 : vector<16xbf16>
  return %2 : vector<16xbf16>
}

// -----

// Of AVX512-BF16 an instruction rounds two registers, 16 even lanes and the 16 odd ones between them, whose results are put in order.
// CHECK-LABEL: func.func @registers
// ROUNDS-LABEL: func.func @registers
// ROUNDS: vector.bitcast %{{.*}} : vector<64xbf16> to vector<32xi32>
// ROUNDS: %[[SUM:.*]] = arith.addf {{.*}} : vector<64xf32>
// ROUNDS-DAG: vector.extract_strided_slice %[[SUM]] {offsets = [0], sizes = [16]
// ROUNDS-DAG: vector.extract_strided_slice %[[SUM]] {offsets = [32], sizes = [16]
// ROUNDS-DAG: vector.extract_strided_slice %[[SUM]] {offsets = [16], sizes = [16]
// ROUNDS-DAG: vector.extract_strided_slice %[[SUM]] {offsets = [48], sizes = [16]
// ROUNDS: scf.if {{.*}} -> (vector<64xbf16>)
// ROUNDS: vector.shuffle {{.*}}[0, 16, 1, 17, 2, 18, 3, 19, {{.*}}, 15, 31, 32, 48, 33, 49, {{.*}}, 47, 63] : vector<64xi16>, vector<64xi16>
func.func @registers(%x: vector<64xbf16>, %y: vector<64xbf16>) -> vector<64xbf16> {
  %0 = arith.addf %x, %y : vector<64xbf16>
  return %0 : vector<64xbf16>
}

// -----

// What is read as f32, has a number for each lane, or is needed in f32, is in
// order, and so is all that meets it; lanes that do not fill two registers.
// CHECK-LABEL: func.func @in_order
// CHECK-NOT: vector.bitcast
// CHECK: arith.extui {{.*}} : vector<16xi16> to vector<16xi32>
// CHECK-NOT: vector.bitcast
// CHECK: return
func.func @in_order(%x: vector<16xbf16>, %y: vector<16xf32>, %z: vector<8xbf16>)
    -> (vector<16xbf16>, vector<16xbf16>, vector<16xbf16>, vector<16xf32>, vector<8xbf16>) {
  %0 = arith.extf %x : vector<16xbf16> to vector<16xf32>
  %1 = arith.addf %0, %y : vector<16xf32>
  %2 = arith.truncf %1 : vector<16xf32> to vector<16xbf16>
  %lanes = arith.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0]> : vector<16xf32>
  %3 = arith.extf %x : vector<16xbf16> to vector<16xf32>
  %4 = arith.mulf %3, %lanes : vector<16xf32>
  %5 = arith.truncf %4 : vector<16xf32> to vector<16xbf16>
  %6 = arith.extf %x : vector<16xbf16> to vector<16xf32>
  %7 = arith.mulf %6, %6 : vector<16xf32>
  %8 = arith.truncf %7 : vector<16xf32> to vector<16xbf16>
  %9 = arith.addf %z, %z : vector<8xbf16>
  return %2, %5, %8, %7, %9 : vector<16xbf16>, vector<16xbf16>, vector<16xbf16>, vector<16xf32>, vector<8xbf16>
}

// -----

// A softmax: what is kept in f32 between loops has the even lanes first, and sums of it are put in order behind their loop, as those of vectors of bf16 are. The vectors behind
// the whole ones are in order.
// CHECK-LABEL: func.func @rows
// CHECK: scf.for
// CHECK-NOT: arith.extui
// CHECK: arith.addf
// CHECK: scf.yield
// CHECK: vector.shuffle {{.*}} [0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15]
// CHECK: vector.reduction
// CHECK: scf.for
// CHECK-NOT: arith.extui
// CHECK: arith.mulf
// CHECK: vector.transfer_write
// CHECK: scf.for
// CHECK: arith.extui {{.*}} : vector<8xi16> to vector<8xi32>
// CHECK: vector.transfer_write
// CHECK: scf.for
// CHECK: vector.transfer_read
// CHECK-NEXT: arith.addf
// CHECK: vector.shuffle {{.*}} [0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15]
// CHECK: scf.for
// CHECK: vector.bitcast {{.*}} : vector<8xi32> to vector<16xbf16>
// CHECK: scf.for
// CHECK: arith.trunci {{.*}} : vector<8xi32> to vector<8xi16>
func.func @rows(%x: memref<?xbf16>, %y: memref<?xbf16>, %whole: index, %n: index, %s: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %pad = arith.constant 0.0 : bf16
  %zeros = arith.constant dense<0.0> : vector<16xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  %v = vector.broadcast %s : f32 to vector<16xf32>
  %w = vector.broadcast %s : f32 to vector<8xf32>
  %total = scf.for %i = %c0 to %whole step %c16 iter_args(%t = %zeros) -> (vector<16xf32>) {
    %0 = vector.transfer_read %x[%i], %pad {in_bounds = [true]} : memref<?xbf16>, vector<16xbf16>
    %1 = arith.extf %0 : vector<16xbf16> to vector<16xf32>
    %2 = arith.addf %t, %1 : vector<16xf32>
    scf.yield %2 : vector<16xf32>
  }
  %r = vector.reduction <add>, %total : vector<16xf32> into f32
  scf.for %i = %c0 to %whole step %c16 {
    %0 = vector.transfer_read %x[%i], %pad {in_bounds = [true]} : memref<?xbf16>, vector<16xbf16>
    %1 = arith.extf %0 : vector<16xbf16> to vector<16xf32>
    %2 = arith.mulf %1, %v : vector<16xf32>
    vector.transfer_write %2, %b[%i] {in_bounds = [true]} : vector<16xf32>, memref<?xf32>
  }
  scf.for %i = %whole to %n step %c8 {
    %0 = vector.transfer_read %x[%i], %pad : memref<?xbf16>, vector<8xbf16>
    %1 = arith.extf %0 : vector<8xbf16> to vector<8xf32>
    %2 = arith.mulf %1, %w : vector<8xf32>
    vector.transfer_write %2, %b[%i] : vector<8xf32>, memref<?xf32>
  } {behind_whole_vectors}
  %sum = scf.for %i = %c0 to %whole step %c16 iter_args(%t = %zeros) -> (vector<16xf32>) {
    %0 = vector.transfer_read %b[%i], %zero {in_bounds = [true]} : memref<?xf32>, vector<16xf32>
    %1 = arith.addf %t, %0 : vector<16xf32>
    scf.yield %1 : vector<16xf32>
  }
  %q = vector.reduction <add>, %sum, %r : vector<16xf32> into f32
  scf.for %i = %c0 to %whole step %c16 {
    %0 = vector.transfer_read %b[%i], %zero {in_bounds = [true]} : memref<?xf32>, vector<16xf32>
    %1 = arith.mulf %0, %v : vector<16xf32>
    %2 = arith.truncf %1 : vector<16xf32> to vector<16xbf16>
    vector.transfer_write %2, %y[%i] {in_bounds = [true]} : vector<16xbf16>, memref<?xbf16>
  }
  scf.for %i = %whole to %n step %c8 {
    %0 = vector.transfer_read %b[%i], %zero : memref<?xf32>, vector<8xf32>
    %1 = arith.mulf %0, %w : vector<8xf32>
    %2 = arith.truncf %1 : vector<8xf32> to vector<8xbf16>
    vector.transfer_write %2, %y[%i] : vector<8xbf16>, memref<?xbf16>
  } {behind_whole_vectors}
  memref.dealloc %b : memref<?xf32>
  return %q : f32
}

// -----

// Others see the order: a loop of which it is not known that it is behind the vectors, one element, a buffer from elsewhere, another bound, and a sum that starts from vectors.
// CHECK-LABEL: func.func @seen
// CHECK-COUNT-6: arith.extui {{.*}} : vector<16xi16> to vector<16xi32>
// CHECK-NOT: vector.shuffle
func.func @seen(%x: memref<?xbf16>, %whole: index, %n: index, %given: memref<?xf32>, %start: vector<16xf32>) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %pad = arith.constant 0.0 : bf16
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  %d = memref.alloc(%n) : memref<?xf32>
  scf.for %i = %c0 to %whole step %c16 {
    %0 = vector.transfer_read %x[%i], %pad {in_bounds = [true]} : memref<?xbf16>, vector<16xbf16>
    %1 = arith.extf %0 : vector<16xbf16> to vector<16xf32>
    vector.transfer_write %1, %a[%i] {in_bounds = [true]} : vector<16xf32>, memref<?xf32>
  }
  %v = scf.for %i = %whole to %n step %c8 iter_args(%t = %zero) -> (f32) {
    %0 = vector.transfer_read %a[%i], %zero {in_bounds = [true]} : memref<?xf32>, vector<8xf32>
    %1 = vector.reduction <add>, %0, %t : vector<8xf32> into f32
    scf.yield %1 : f32
  }
  scf.for %i = %c0 to %whole step %c16 {
    %0 = vector.transfer_read %x[%i], %pad {in_bounds = [true]} : memref<?xbf16>, vector<16xbf16>
    %1 = arith.extf %0 : vector<16xbf16> to vector<16xf32>
    vector.transfer_write %1, %b[%i] {in_bounds = [true]} : vector<16xf32>, memref<?xf32>
  }
  %w = memref.load %b[%c8] : memref<?xf32>
  %u = arith.addf %v, %w : f32
  scf.for %i = %c0 to %whole step %c16 {
    %0 = vector.transfer_read %x[%i], %pad {in_bounds = [true]} : memref<?xbf16>, vector<16xbf16>
    %1 = arith.extf %0 : vector<16xbf16> to vector<16xf32>
    vector.transfer_write %1, %given[%i] {in_bounds = [true]} : vector<16xf32>, memref<?xf32>
  }
  scf.for %i = %c0 to %whole step %c16 {
    %0 = vector.transfer_read %x[%i], %pad {in_bounds = [true]} : memref<?xbf16>, vector<16xbf16>
    %1 = arith.extf %0 : vector<16xbf16> to vector<16xf32>
    vector.transfer_write %1, %d[%i] {in_bounds = [true]} : vector<16xf32>, memref<?xf32>
  }
  scf.for %i = %c0 to %n step %c16 {
    %0 = vector.transfer_read %x[%i], %pad {in_bounds = [true]} : memref<?xbf16>, vector<16xbf16>
    %1 = arith.extf %0 : vector<16xbf16> to vector<16xf32>
    vector.transfer_write %1, %d[%i] {in_bounds = [true]} : vector<16xf32>, memref<?xf32>
  }
  %total = scf.for %i = %c0 to %whole step %c16 iter_args(%t = %start) -> (vector<16xf32>) {
    %0 = vector.transfer_read %x[%i], %pad {in_bounds = [true]} : memref<?xbf16>, vector<16xbf16>
    %1 = arith.extf %0 : vector<16xbf16> to vector<16xf32>
    %2 = arith.addf %t, %1 : vector<16xf32>
    scf.yield %2 : vector<16xf32>
  }
  %q = vector.reduction <add>, %total : vector<16xf32> into f32
  memref.dealloc %a : memref<?xf32>
  memref.dealloc %b : memref<?xf32>
  memref.dealloc %d : memref<?xf32>
  return %u, %q : f32, f32
}

// -----

// A vector behind the whole ones is in order, whatever its length.
// CHECK-LABEL: func.func @behind
// CHECK: scf.for
// CHECK: arith.mulf
// CHECK: vector.bitcast {{.*}} : vector<8xi32> to vector<16xbf16>
// CHECK: vector.transfer_read %{{.*}} : memref<60xf32>, vector<16xf32>
// CHECK-NOT: vector.bitcast
// CHECK: arith.trunci {{.*}} : vector<16xi32> to vector<16xi16>
func.func @behind(%x: memref<60xbf16>, %y: memref<60xbf16>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c48 = arith.constant 48 : index
  %zero = arith.constant 0.0 : f32
  %pad = arith.constant 0.0 : bf16
  %b = memref.alloc() : memref<60xf32>
  scf.for %i = %c0 to %c48 step %c16 {
    %0 = vector.transfer_read %x[%i], %pad {in_bounds = [true]} : memref<60xbf16>, vector<16xbf16>
    %1 = arith.extf %0 : vector<16xbf16> to vector<16xf32>
    vector.transfer_write %1, %b[%i] {in_bounds = [true]} : vector<16xf32>, memref<60xf32>
  }
  %2 = vector.transfer_read %x[%c48], %pad : memref<60xbf16>, vector<16xbf16>
  %3 = arith.extf %2 : vector<16xbf16> to vector<16xf32>
  vector.transfer_write %3, %b[%c48] : vector<16xf32>, memref<60xf32>
  scf.for %i = %c0 to %c48 step %c16 {
    %0 = vector.transfer_read %b[%i], %zero {in_bounds = [true]} : memref<60xf32>, vector<16xf32>
    %1 = arith.mulf %0, %0 : vector<16xf32>
    %4 = arith.truncf %1 : vector<16xf32> to vector<16xbf16>
    vector.transfer_write %4, %y[%i] {in_bounds = [true]} : vector<16xbf16>, memref<60xbf16>
  }
  %5 = vector.transfer_read %b[%c48], %zero : memref<60xf32>, vector<16xf32>
  %6 = arith.mulf %5, %5 : vector<16xf32>
  %7 = arith.truncf %6 : vector<16xf32> to vector<16xbf16>
  vector.transfer_write %7, %y[%c48] : vector<16xbf16>, memref<60xbf16>
  memref.dealloc %b : memref<60xf32>
  return
}
