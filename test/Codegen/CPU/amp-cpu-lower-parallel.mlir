// RUN: amp-opt %s --amp-cpu-lower-parallel --split-input-file | FileCheck %s

// What the function captures goes through a structure, which is allocated outside of the loop around the call.
// CHECK: llvm.func @amp_parallel_for(!llvm.ptr, !llvm.ptr, i64, i64)
// CHECK-LABEL: llvm.func @loop
// CHECK-NOT: parallel_grain
// CHECK-LABEL: llvm.func private @loop_body
// CHECK-SAME: (%[[CTX:.*]]: !llvm.ptr, %[[BEGIN:.*]]: i64, %[[END:.*]]: i64)
// CHECK: %[[P0:.*]] = llvm.getelementptr %[[CTX]][0, 0]
// CHECK: %[[P:.*]] = llvm.load %[[P0]] : !llvm.ptr -> !llvm.ptr
// CHECK: %[[P1:.*]] = llvm.getelementptr %[[CTX]][0, 1]
// CHECK: %[[V:.*]] = llvm.load %[[P1]] : !llvm.ptr -> vector<4xf32>
// CHECK: llvm.call @loop(%[[P]], %[[V]], %[[BEGIN]], %[[END]])
// CHECK-LABEL: llvm.func @caller
// CHECK: llvm.alloca %{{.*}} x !llvm.struct<(ptr, vector<4xf32>)>
// CHECK: llvm.br ^[[LOOP:.*]](
// CHECK: ^[[LOOP]]
// CHECK-NOT: llvm.alloca
// CHECK: llvm.call @amp_parallel_for(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : (!llvm.ptr, !llvm.ptr, i64, i64) -> ()
llvm.func @loop(%p: !llvm.ptr, %v: vector<4xf32>, %begin: i64, %end: i64) attributes {parallel_grain = 8 : i64} {
  llvm.return
}
llvm.func @caller(%p: !llvm.ptr, %v: vector<4xf32>, %n: i64) {
  %zero = llvm.mlir.constant(0 : i64) : i64
  llvm.br ^loop(%zero : i64)
^loop(%i: i64):
  llvm.call @loop(%p, %v, %zero, %n) : (!llvm.ptr, vector<4xf32>, i64, i64) -> ()
  %more = llvm.icmp "slt" %i, %n : i64
  llvm.cond_br %more, ^loop(%n : i64), ^exit
^exit:
  llvm.return
}

// -----

// A negative number asks for one range for each thread.
// CHECK-LABEL: llvm.func @ranges
// CHECK: %[[GRAIN:.*]] = llvm.mlir.constant(-2 : i64)
// CHECK: llvm.call @amp_parallel_for(%{{.*}}, %{{.*}}, %{{.*}}, %[[GRAIN]])
llvm.func @range(%p: !llvm.ptr, %begin: i64, %end: i64) attributes {parallel_grain = -2 : i64} {
  llvm.return
}
llvm.func @ranges(%p: !llvm.ptr, %n: i64) {
  %zero = llvm.mlir.constant(0 : i64) : i64
  llvm.call @range(%p, %zero, %n) : (!llvm.ptr, i64, i64) -> ()
  llvm.return
}

// -----

// Nothing is declared where there is nothing to call.
// CHECK-LABEL: llvm.func @plain
// CHECK-NOT: amp_parallel_for
llvm.func @plain() {
  llvm.return
}
