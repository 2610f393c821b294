// Where several loops read a row one after the other, the last one asks for the next row: the end of a matrix asks for its last row.
// RUN: amp-opt %s --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=znver5 no-scalar-fallback}))' | FileCheck %s
// Once.
// RUN: amp-opt %s --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=znver5},amp-cpu-codegen{cpu=znver5}))' | FileCheck %s
// Not on processors where it is not measured.
// RUN: amp-opt %s --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=znver4 no-scalar-fallback}))' | FileCheck %s --check-prefix=NOT
// RUN: amp-opt %s --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=icelake-server no-scalar-fallback}))' | FileCheck %s --check-prefix=NOT
// Before AVX-512, where a step has half as many elements.
// RUN: amp-opt %s --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=znver3 no-scalar-fallback}))' | FileCheck %s --check-prefix=AVX2
// RUN: amp-opt %s --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=haswell no-scalar-fallback}))' | FileCheck %s --check-prefix=NOT
// What is asked for needs no copy.
// RUN: amp-opt %s --pass-pipeline='builtin.module(amp-lower-to-cpu{cpu=znver5})' | FileCheck %s --check-prefix=LOWERED

// NOT-LABEL: func.func @softmax
// NOT-NOT: memref.prefetch
// LOWERED-LABEL: llvm.func @softmax(
// LOWERED: llvm.call @_mlir_memref_to_llvm_aligned_alloc
// LOWERED-NOT: llvm.call @_mlir_memref_to_llvm_aligned_alloc
// LOWERED-NOT: memcpy
// LOWERED-LABEL: llvm.func @_mlir_ciface_softmax(

// CHECK-LABEL: func.func @softmax
// CHECK-SAME: (%[[X:.*]]: tensor<1024x1024xf32>)
// CHECK: %[[BUFFER:.*]] = bufferization.to_buffer %[[X]] read_only
// CHECK: scf.for %[[ROW:.*]] = %c0 to %c1024 step %c1 iter_args
// CHECK: %[[ADDED:.*]] = arith.addi %[[ROW]], %c1
// CHECK: %[[NEXT:.*]] = arith.minui %[[ADDED]], %{{.*}} : index
// CHECK: arith.maxnumf
// CHECK: scf.for %[[COLUMN:[a-z0-9]+]] =
// CHECK: memref.prefetch %[[BUFFER]][%[[NEXT]], %[[COLUMN]]], read, locality<3>, data
// CHECK: %[[LINE:.*]] = arith.addi %[[COLUMN]], %c16
// CHECK: memref.prefetch %[[BUFFER]][%[[NEXT]], %[[LINE]]], read, locality<3>, data
// CHECK-COUNT-2: memref.prefetch %[[BUFFER]][%[[NEXT]], %{{.*}}], read, locality<3>, data
// CHECK-NOT: memref.prefetch
// CHECK: math.exp
// CHECK-NOT: memref.prefetch
// CHECK: return
// AVX2-LABEL: func.func @softmax
// AVX2-SAME: (%[[X:.*]]: tensor<1024x1024xf32>)
// AVX2: %[[BUFFER:.*]] = bufferization.to_buffer %[[X]] read_only
// AVX2: %[[ADDED:.*]] = arith.addi %[[ROW:.*]], %c1
// AVX2: %[[NEXT:.*]] = arith.minui %[[ADDED]], %{{.*}} : index
// AVX2: arith.maxnumf
// AVX2: scf.for %[[COLUMN:[a-z0-9]+]] =
// AVX2: memref.prefetch %[[BUFFER]][%[[NEXT]], %[[COLUMN]]], read, locality<3>, data
// AVX2: memref.prefetch %[[BUFFER]][%[[NEXT]], %{{.*}}], read, locality<3>, data
// AVX2-NOT: memref.prefetch
// AVX2: math.exp
// AVX2-NOT: memref.prefetch
// AVX2: return
func.func @softmax(%x: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
  %e = tensor.empty() : tensor<1024x1024xf32>
  %r = linalg.softmax dimension(1) ins(%x : tensor<1024x1024xf32>) outs(%e : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  return %r : tensor<1024x1024xf32>
}

// Rows of a batch, of a number that is known when the program runs; three rows do not fit the first cache.
// CHECK-LABEL: func.func @batch
// CHECK: scf.for %[[BATCH:.*]] = %c0 to %c4 step
// CHECK: scf.for %[[ROW:.*]] = %c0 to %{{.*}} step
// CHECK: %[[NEXT:.*]] = arith.minui
// CHECK: memref.prefetch %{{.*}}[%[[BATCH]], %[[NEXT]], %{{.*}}], read, locality<2>, data : memref<4x?x8192xf32
func.func @batch(%x: tensor<4x?x8192xf32>) -> tensor<4x?x8192xf32> {
  %c1 = arith.constant 1 : index
  %d = tensor.dim %x, %c1 : tensor<4x?x8192xf32>
  %e = tensor.empty(%d) : tensor<4x?x8192xf32>
  %r = linalg.softmax dimension(2) ins(%x : tensor<4x?x8192xf32>) outs(%e : tensor<4x?x8192xf32>) -> tensor<4x?x8192xf32>
  return %r : tensor<4x?x8192xf32>
}

// Of unknown length, whole vectors of it. Rows are put back where they were, without a copy.
// CHECK-LABEL: func.func @any_size
// CHECK: arith.maxnumf
// CHECK: scf.for %[[COLUMN:[a-z0-9]+]] =
// CHECK: memref.prefetch %{{.*}}, %[[COLUMN]]], read, locality<2>, data
// CHECK-COUNT-3: memref.prefetch
// CHECK-NOT: memref.prefetch
// CHECK: tensor.insert_slice
// CHECK: return
// LOWERED-LABEL: llvm.func @any_size(
// LOWERED-NOT: {{memcpy|memrefCopy}}
// LOWERED-LABEL: llvm.func @_mlir_ciface_any_size(
func.func @any_size(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %n = tensor.dim %x, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %r = linalg.softmax dimension(1) ins(%x : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// The second cache has these.
// CHECK-LABEL: func.func @near
// CHECK-NOT: memref.prefetch
// CHECK: return
func.func @near(%x: tensor<32x1024xf32>) -> tensor<32x1024xf32> {
  %e = tensor.empty() : tensor<32x1024xf32>
  %r = linalg.softmax dimension(1) ins(%x : tensor<32x1024xf32>) outs(%e : tensor<32x1024xf32>) -> tensor<32x1024xf32>
  return %r : tensor<32x1024xf32>
}

// One loop reads each row, and the next one behind it.
// CHECK-LABEL: func.func @sums
// CHECK-NOT: memref.prefetch
// CHECK: return
func.func @sums(%x: tensor<1024x1024xf32>, %i: tensor<1024xf32>) -> tensor<1024xf32> {
  %r = linalg.reduce ins(%x : tensor<1024x1024xf32>) outs(%i : tensor<1024xf32>) dimensions = [1]
    (%v: f32, %s: f32) {
      %n = arith.addf %s, %v : f32
      linalg.yield %n : f32
    }
  return %r : tensor<1024xf32>
}
