// RUN: amp-opt %s --pass-pipeline='builtin.module(llvm.func(amp-cpu-fence-streams))' | FileCheck %s
// RUN: amp-opt %s --pass-pipeline='builtin.module(llvm.func(amp-cpu-fence-streams{triple=aarch64-linux-gnu}))' | FileCheck %s --check-prefix=ARM --implicit-check-not=llvm.x86

// ARM-LABEL: llvm.func @streams
llvm.func @amp_parallel_for(!llvm.ptr, !llvm.ptr, i64, i64)
llvm.func @_mlir_memref_to_llvm_free(!llvm.ptr)
llvm.func @sinhf(f32) -> f32

// Threads that a call starts, and those that see the return, see what was stored.
// CHECK-LABEL: llvm.func @streams
// CHECK-NEXT: llvm.call @sinhf
// CHECK-NEXT: llvm.store
// CHECK-NEXT: llvm.call_intrinsic "llvm.x86.sse.sfence"()
// CHECK-NEXT: llvm.call @amp_parallel_for
// CHECK-NEXT: llvm.call @_mlir_memref_to_llvm_free
// CHECK-NEXT: llvm.call_intrinsic "llvm.x86.sse.sfence"()
// CHECK-NEXT: llvm.return
llvm.func @streams(%v: vector<16xf32>, %p: !llvm.ptr, %x: f32, %n: i64) {
  %0 = llvm.call @sinhf(%x) : (f32) -> f32
  llvm.store %v, %p {alignment = 64 : i64, nontemporal} : vector<16xf32>, !llvm.ptr
  llvm.call @amp_parallel_for(%p, %p, %n, %n) : (!llvm.ptr, !llvm.ptr, i64, i64) -> ()
  llvm.call @_mlir_memref_to_llvm_free(%p) : (!llvm.ptr) -> ()
  llvm.return
}

// CHECK-LABEL: llvm.func @none
// CHECK-NOT: sfence
// CHECK: llvm.return
llvm.func @none(%v: vector<16xf32>, %p: !llvm.ptr) {
  llvm.store %v, %p {alignment = 64 : i64} : vector<16xf32>, !llvm.ptr
  llvm.return
}
