// On Zen 5, a loop whose stores bypass the caches asks for what it reads of the one large buffer, 16384 bytes ahead.
// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-stream-stores{cpu=znver5}))' | FileCheck %s
// Once.
// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-stream-stores{cpu=znver5},amp-cpu-stream-stores{cpu=znver5}))' | FileCheck %s
// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-stream-stores{cpu=znver4}))' | FileCheck %s --check-prefix=NOT
// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-stream-stores{cpu=sapphirerapids}))' | FileCheck %s --check-prefix=NOT
// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-stream-stores{cpu=haswell}))' | FileCheck %s --check-prefix=NOT
// On Zen 3 4096 bytes ahead, where elements are narrow.
// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-stream-stores{cpu=znver3}))' | FileCheck %s --check-prefix=AVX2
// NOT-NOT: memref.prefetch

// CHECK-LABEL: func.func @chain(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<4194304xf32>
// CHECK: scf.for %[[I:.*]] = %c0
// CHECK: %[[FIRST:.*]] = arith.addi %[[I]], %c4096
// CHECK: memref.prefetch %[[X]][%[[FIRST]]], read, locality<3>, data
// CHECK: %[[SECOND:.*]] = arith.addi %[[I]], %c4112
// CHECK: memref.prefetch %[[X]][%[[SECOND]]], read, locality<3>, data
// CHECK-NOT: memref.prefetch
// CHECK: vector.transfer_read %[[X]]
// CHECK: vector.store {{.*}} nontemporal
// AVX2-LABEL: func.func @chain(
// AVX2-NOT: memref.prefetch
// AVX2: return
func.func @chain(%x: memref<4194304xf32>, %bias: memref<32xf32>) -> memref<4194304xf32> {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %n = arith.constant 4194304 : index
  %z = arith.constant 0.0 : f32
  %m = memref.alloc() : memref<4194304xf32>
  scf.for %i = %c0 to %n step %c32 {
    %a = vector.transfer_read %x[%i], %z {in_bounds = [true]} : memref<4194304xf32>, vector<32xf32>
    %b = vector.transfer_read %bias[%c0], %z {in_bounds = [true]} : memref<32xf32>, vector<32xf32>
    %s = arith.addf %a, %b : vector<32xf32>
    vector.transfer_write %s, %m[%i] {in_bounds = [true]} : vector<32xf32>, memref<4194304xf32>
  }
  return %m : memref<4194304xf32>
}

// -----

// Half as many bytes are one line of each step.
// CHECK-LABEL: func.func @widened(
// CHECK: arith.addi %{{.*}}, %c8192
// CHECK: memref.prefetch
// CHECK-NOT: memref.prefetch
// CHECK: return
// AVX2-LABEL: func.func @widened(
// AVX2: arith.addi %{{.*}}, %c2048
// AVX2: memref.prefetch
// AVX2-NOT: memref.prefetch
// AVX2: return
func.func @widened(%x: memref<4194304xbf16>) -> memref<4194304xf32> {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %n = arith.constant 4194304 : index
  %z = arith.constant 0.0 : bf16
  %m = memref.alloc() : memref<4194304xf32>
  scf.for %i = %c0 to %n step %c32 {
    %a = vector.transfer_read %x[%i], %z {in_bounds = [true]} : memref<4194304xbf16>, vector<32xbf16>
    %s = arith.extf %a : vector<32xbf16> to vector<32xf32>
    vector.transfer_write %s, %m[%i] {in_bounds = [true]} : vector<32xf32>, memref<4194304xf32>
  }
  return %m : memref<4194304xf32>
}

// -----

// AVX2-LABEL: func.func @narrowed(
// AVX2: %[[FIRST:.*]] = arith.addi %{{.*}}, %c1024
// AVX2: memref.prefetch %{{.*}}[%[[FIRST]]], read, locality<3>, data
// AVX2: memref.prefetch
// AVX2-NOT: memref.prefetch
// AVX2: return
func.func @narrowed(%x: memref<4194304xf32>) -> memref<4194304xbf16> {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %n = arith.constant 4194304 : index
  %z = arith.constant 0.0 : f32
  %m = memref.alloc() : memref<4194304xbf16>
  scf.for %i = %c0 to %n step %c32 {
    %a = vector.transfer_read %x[%i], %z {in_bounds = [true]} : memref<4194304xf32>, vector<32xf32>
    %s = arith.truncf %a : vector<32xf32> to vector<32xbf16>
    vector.transfer_write %s, %m[%i] {in_bounds = [true]} : vector<32xbf16>, memref<4194304xbf16>
  }
  return %m : memref<4194304xbf16>
}

// -----

// Numbers without a width of their own.
// CHECK-LABEL: func.func @indices(
// CHECK: nontemporal
// AVX2-LABEL: func.func @indices(
// AVX2-NOT: memref.prefetch
// AVX2: nontemporal
func.func @indices(%x: memref<4194304xindex>) -> memref<4194304xf32> {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %n = arith.constant 4194304 : index
  %m = memref.alloc() : memref<4194304xf32>
  scf.for %i = %c0 to %n step %c32 {
    %a = vector.transfer_read %x[%i], %c0 {in_bounds = [true]} : memref<4194304xindex>, vector<32xindex>
    %w = arith.index_cast %a : vector<32xindex> to vector<32xi64>
    %s = arith.sitofp %w : vector<32xi64> to vector<32xf32>
    vector.transfer_write %s, %m[%i] {in_bounds = [true]} : vector<32xf32>, memref<4194304xf32>
  }
  return %m : memref<4194304xf32>
}

// -----

// Two large buffers.
// CHECK-LABEL: func.func @two(
// CHECK-NOT: memref.prefetch
// CHECK: vector.store {{.*}} nontemporal
// CHECK-NOT: memref.prefetch
// CHECK: return
func.func @two(%x: memref<4194304xf32>, %y: memref<4194304xf32>) -> memref<4194304xf32> {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %n = arith.constant 4194304 : index
  %z = arith.constant 0.0 : f32
  %m = memref.alloc() : memref<4194304xf32>
  scf.for %i = %c0 to %n step %c32 {
    %a = vector.transfer_read %x[%i], %z {in_bounds = [true]} : memref<4194304xf32>, vector<32xf32>
    %b = vector.transfer_read %y[%i], %z {in_bounds = [true]} : memref<4194304xf32>, vector<32xf32>
    %s = arith.addf %a, %b : vector<32xf32>
    vector.transfer_write %s, %m[%i] {in_bounds = [true]} : vector<32xf32>, memref<4194304xf32>
  }
  return %m : memref<4194304xf32>
}

// -----

// Of several loops, the first one has had the row already.
// CHECK-LABEL: func.func @rows(
// CHECK-NOT: memref.prefetch
// CHECK: vector.store {{.*}} nontemporal
// CHECK-NOT: memref.prefetch
// CHECK: return
func.func @rows(%x: memref<4096x1024xf32>) -> memref<4096x1024xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c1024 = arith.constant 1024 : index
  %c4096 = arith.constant 4096 : index
  %z = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : vector<32xf32>
  %m = memref.alloc() : memref<4096x1024xf32>
  scf.for %r = %c0 to %c4096 step %c1 {
    %sum = scf.for %i = %c0 to %c1024 step %c32 iter_args(%s = %zeros) -> (vector<32xf32>) {
      %a = vector.transfer_read %x[%r, %i], %z {in_bounds = [true]} : memref<4096x1024xf32>, vector<32xf32>
      %t = arith.addf %s, %a : vector<32xf32>
      scf.yield %t : vector<32xf32>
    }
    scf.for %i = %c0 to %c1024 step %c32 {
      %a = vector.transfer_read %x[%r, %i], %z {in_bounds = [true]} : memref<4096x1024xf32>, vector<32xf32>
      %t = arith.addf %sum, %a : vector<32xf32>
      vector.transfer_write %t, %m[%r, %i] {in_bounds = [true]} : vector<32xf32>, memref<4096x1024xf32>
    }
  }
  return %m : memref<4096x1024xf32>
}
