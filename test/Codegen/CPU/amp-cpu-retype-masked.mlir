// RUN: amp-opt %s --pass-pipeline='builtin.module(llvm.func(amp-cpu-retype-masked))' | FileCheck %s
// RUN: amp-opt %s --pass-pipeline='builtin.module(llvm.func(amp-cpu-retype-masked,amp-cpu-retype-masked))' | FileCheck %s

// One lane of narrow integers is a scalar, at its place.
// CHECK-LABEL: llvm.func @lone
// CHECK-SAME: %[[V:.*]]: vector<4xi8>, %[[W:.*]]: vector<4xi16>, %[[P:.*]]: !llvm.ptr
// CHECK-NOT: masked.store
// CHECK: %[[ZERO:.*]] = llvm.mlir.constant(0 : i64)
// CHECK: %[[FIRST:.*]] = llvm.extractelement %[[V]][%[[ZERO]] : i64]
// CHECK: %[[AT:.*]] = llvm.getelementptr %[[P]][0] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK: llvm.store %[[FIRST]], %[[AT]] {alignment = 4 : i64} : i8
// CHECK: %[[TWO:.*]] = llvm.mlir.constant(2 : i64)
// CHECK: %[[THIRD:.*]] = llvm.extractelement %[[W]][%[[TWO]] : i64]
// CHECK: %[[THERE:.*]] = llvm.getelementptr %[[P]][2] : (!llvm.ptr) -> !llvm.ptr, i16
// CHECK: llvm.store %[[THIRD]], %[[THERE]] {alignment = 1 : i64} : i16
// CHECK-NOT: masked.store
llvm.func @lone(%v: vector<4xi8>, %w: vector<4xi16>, %p: !llvm.ptr) {
  %first = llvm.mlir.constant(dense<[true, false, false, false]> : vector<4xi1>) : vector<4xi1>
  %third = llvm.mlir.constant(dense<[false, false, true, false]> : vector<4xi1>) : vector<4xi1>
  llvm.intr.masked.store %v, %p, %first {alignment = 4 : i32} : vector<4xi8>, vector<4xi1> into !llvm.ptr
  llvm.intr.masked.store %w, %p, %third {alignment = 2 : i32} : vector<4xi16>, vector<4xi1> into !llvm.ptr
  llvm.return
}

// Other masks, and other elements, are left alone.
// CHECK-LABEL: llvm.func @other
// CHECK-COUNT-4: llvm.intr.masked.store
// CHECK: llvm.return
llvm.func @other(%v: vector<4xi8>, %w: vector<4xi32>, %m: vector<4xi1>, %p: !llvm.ptr) {
  %none = llvm.mlir.constant(dense<false> : vector<4xi1>) : vector<4xi1>
  %two = llvm.mlir.constant(dense<[true, true, false, false]> : vector<4xi1>) : vector<4xi1>
  %one = llvm.mlir.constant(dense<[true, false, false, false]> : vector<4xi1>) : vector<4xi1>
  llvm.intr.masked.store %v, %p, %none {alignment = 1 : i32} : vector<4xi8>, vector<4xi1> into !llvm.ptr
  llvm.intr.masked.store %v, %p, %two {alignment = 1 : i32} : vector<4xi8>, vector<4xi1> into !llvm.ptr
  llvm.intr.masked.store %v, %p, %m {alignment = 1 : i32} : vector<4xi8>, vector<4xi1> into !llvm.ptr
  llvm.intr.masked.store %w, %p, %one {alignment = 4 : i32} : vector<4xi32>, vector<4xi1> into !llvm.ptr
  llvm.return
}
