// RUN: amp-opt %s --pass-pipeline='builtin.module(llvm.func(amp-cpu-retype-vectors))' | FileCheck %s
// RUN: amp-opt %s --pass-pipeline='builtin.module(llvm.func(amp-cpu-retype-vectors,amp-cpu-retype-vectors))' | FileCheck %s

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

// So is one of narrow floats, as the integer that LLVM would make it again.
// CHECK-LABEL: llvm.func @lone_float
// CHECK-SAME: %[[V:.*]]: vector<4xbf16>, %[[W:.*]]: vector<4xf16>
// CHECK-NOT: masked.store
// CHECK: %[[B:.*]] = llvm.bitcast %[[V]] : vector<4xbf16> to vector<4xi16>
// CHECK: llvm.extractelement %[[B]]
// CHECK: llvm.store %{{.*}} : i16
// CHECK: %[[H:.*]] = llvm.bitcast %[[W]] : vector<4xf16> to vector<4xi16>
// CHECK: llvm.extractelement %[[H]]
// CHECK: llvm.store %{{.*}} : i16
// CHECK-NOT: masked.store
llvm.func @lone_float(%v: vector<4xbf16>, %w: vector<4xf16>, %p: !llvm.ptr) {
  %first = llvm.mlir.constant(dense<[true, false, false, false]> : vector<4xi1>) : vector<4xi1>
  llvm.intr.masked.store %v, %p, %first {alignment = 2 : i32} : vector<4xbf16>, vector<4xi1> into !llvm.ptr
  llvm.intr.masked.store %w, %p, %first {alignment = 2 : i32} : vector<4xf16>, vector<4xi1> into !llvm.ptr
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

// Elements of bf16 are moved as integers, from where they are loaded to where they are stored or computed with.
// CHECK-LABEL: llvm.func @move
// CHECK-SAME: %[[P:.*]]: !llvm.ptr, %[[X:.*]]: bf16, %[[M:.*]]: vector<4xi1>
// CHECK-NOT: xbf16
// CHECK: %[[A:.*]] = llvm.load %[[P]] {alignment = 2 : i64} : !llvm.ptr -> vector<4xi16>
// CHECK: %[[B:.*]] = llvm.intr.masked.load %[[P]], %[[M]], %{{.*}} {alignment = 2 : i32} : (!llvm.ptr, vector<4xi1>, vector<4xi16>) -> vector<4xi16>
// CHECK: %[[S:.*]] = llvm.shufflevector %[[A]], %[[B]] [0, 2, 4, 6] : vector<4xi16>
// CHECK: %[[N:.*]] = llvm.bitcast %[[X]] : bf16 to i16
// CHECK: %[[I:.*]] = llvm.insertelement %[[N]], %[[S]]
// CHECK-NOT: xbf16
// CHECK: llvm.shl %[[I]], %{{.*}} : vector<4xi16>
// CHECK: llvm.store %[[I]], %[[P]] {alignment = 2 : i64} : vector<4xi16>, !llvm.ptr
// CHECK: %[[E:.*]] = llvm.extractelement %[[I]]
// CHECK: %[[R:.*]] = llvm.bitcast %[[E]] : i16 to bf16
// CHECK: llvm.return %[[R]] : bf16
llvm.func @move(%p: !llvm.ptr, %x: bf16, %m: vector<4xi1>) -> bf16 {
  %zero = llvm.mlir.zero : vector<4xi16>
  %rest = llvm.bitcast %zero : vector<4xi16> to vector<4xbf16>
  %first = llvm.mlir.constant(0 : i64) : i64
  %eight = llvm.mlir.constant(dense<8> : vector<4xi16>) : vector<4xi16>
  %a = llvm.load %p {alignment = 2 : i64} : !llvm.ptr -> vector<4xbf16>
  %b = llvm.intr.masked.load %p, %m, %rest {alignment = 2 : i32} : (!llvm.ptr, vector<4xi1>, vector<4xbf16>) -> vector<4xbf16>
  %s = llvm.shufflevector %a, %b [0, 2, 4, 6] : vector<4xbf16>
  %i = llvm.insertelement %x, %s[%first : i64] : vector<4xbf16>
  %w = llvm.bitcast %i : vector<4xbf16> to vector<4xi16>
  %y = llvm.shl %w, %eight : vector<4xi16>
  llvm.store %y, %p {alignment = 2 : i64} : vector<4xi16>, !llvm.ptr
  llvm.store %i, %p {alignment = 2 : i64} : vector<4xbf16>, !llvm.ptr
  %e = llvm.extractelement %i[%first : i64] : vector<4xbf16>
  llvm.return %e : bf16
}

// A shuffle that repeats bytes is between fences; of what is loaded there is nothing to keep ahead of it.
// CHECK-LABEL: llvm.func @repeated
// CHECK-SAME: %[[X:.*]]: vector<64xi8>
// CHECK: %[[SUM:.*]] = llvm.add %[[X]], %[[X]]
// CHECK: %[[F:.*]] = llvm.bitcast %[[SUM]] : vector<64xi8> to vector<16xf32>
// CHECK: %[[G:.*]] = llvm.call_intrinsic "llvm.arithmetic.fence"(%[[F]]) : (vector<16xf32>) -> vector<16xf32>
// CHECK: %[[B:.*]] = llvm.bitcast %[[G]] : vector<16xf32> to vector<64xi8>
// CHECK: %[[R:.*]] = llvm.shufflevector %[[B]], %[[B]] [0, 0, 1, 1,
// CHECK: %[[H:.*]] = llvm.bitcast %[[R]] : vector<64xi8> to vector<16xf32>
// CHECK: %[[I:.*]] = llvm.call_intrinsic "llvm.arithmetic.fence"(%[[H]])
// CHECK: %[[C:.*]] = llvm.bitcast %[[I]] : vector<16xf32> to vector<64xi8>
// CHECK: llvm.return %[[C]]
llvm.func @repeated(%x: vector<64xi8>) -> vector<64xi8> {
  %sum = llvm.add %x, %x : vector<64xi8>
  %r = llvm.shufflevector %sum, %sum [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13, 14, 14, 15, 15, 16, 16, 17, 17, 18, 18, 19, 19, 20, 20, 21, 21, 22, 22, 23, 23, 24, 24, 25, 25, 26, 26, 27, 27, 28, 28, 29, 29, 30, 30, 31, 31] : vector<64xi8>
  llvm.return %r : vector<64xi8>
}

// CHECK-LABEL: llvm.func @loaded
// CHECK: %[[X:.*]] = llvm.load
// CHECK-NEXT: llvm.shufflevector %[[X]], %[[X]] [0, 0, 1, 1,
// CHECK: llvm.arithmetic.fence
// CHECK: llvm.add
llvm.func @loaded(%p: !llvm.ptr) -> vector<64xi8> {
  %x = llvm.load %p : !llvm.ptr -> vector<64xi8>
  %r = llvm.shufflevector %x, %x [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13, 14, 14, 15, 15, 16, 16, 17, 17, 18, 18, 19, 19, 20, 20, 21, 21, 22, 22, 23, 23, 24, 24, 25, 25, 26, 26, 27, 27, 28, 28, 29, 29, 30, 30, 31, 31] : vector<64xi8>
  %sum = llvm.add %r, %r : vector<64xi8>
  llvm.return %sum : vector<64xi8>
}

// Neither one byte everywhere, nor bytes that are moved, are repeated.
// CHECK-LABEL: llvm.func @not_repeated
// CHECK-NOT: fence
// CHECK: llvm.return
llvm.func @not_repeated(%x: vector<64xi8>, %y: vector<32xi8>) -> (vector<64xi8>) {
  %sum = llvm.add %x, %x : vector<64xi8>
  %one = llvm.shufflevector %sum, %sum [5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5] : vector<64xi8>
  %narrow = llvm.shufflevector %y, %y [0, 0, 1, 1] : vector<32xi8>
  %r = llvm.add %one, %sum : vector<64xi8>
  llvm.return %r : vector<64xi8>
}

// What blocks take from others, too, which LLVM would carry as f32; arguments of the function through memory, as LLVM would sink their cast.
// CHECK-LABEL: llvm.func @carry
// CHECK-SAME: %[[P:.*]]: !llvm.ptr, %[[X:.*]]: bf16, %[[V:.*]]: vector<4xbf16>
// CHECK: %[[PLACE:.*]] = llvm.alloca
// CHECK: %[[I:.*]] = llvm.bitcast %[[X]] : bf16 to i16
// CHECK: llvm.store volatile %[[I]], %[[PLACE]] {alignment = 2 : i64} : i16
// CHECK: %[[Y:.*]] = llvm.load volatile %[[PLACE]] {alignment = 2 : i64} : !llvm.ptr -> i16
// CHECK: %[[A:.*]] = llvm.load %[[P]] {{.*}} -> i16
// CHECK: %[[B:.*]] = llvm.bitcast %[[V]] : vector<4xbf16> to vector<4xi16>
// CHECK: llvm.br ^[[LOOP:.*]](%[[A]], %[[B]] : i16, vector<4xi16>)
// CHECK: ^[[LOOP]](%[[C:.*]]: i16, %[[D:.*]]: vector<4xi16>):
// CHECK: %[[S:.*]] = llvm.select %{{.*}}, %[[C]], %[[Y]] : i1, i16
// CHECK: %[[E:.*]] = llvm.insertelement %[[S]], %[[D]]
// CHECK: llvm.cond_br %{{.*}}, ^[[LOOP]](%[[S]], %[[E]] : i16, vector<4xi16>), ^[[END:.*]](%[[S]] : i16)
// CHECK: ^[[END]](%[[R:.*]]: i16):
// CHECK: %[[Z:.*]] = llvm.bitcast %[[R]] : i16 to bf16
// CHECK: llvm.store %[[R]], %[[P]] {{.*}} : i16
// CHECK: llvm.return %[[Z]] : bf16
llvm.func @carry(%p: !llvm.ptr, %x: bf16, %v: vector<4xbf16>, %first: i1) -> bf16 {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %a = llvm.load %p {alignment = 2 : i64} : !llvm.ptr -> bf16
  llvm.br ^loop(%a, %v : bf16, vector<4xbf16>)
^loop(%c: bf16, %d: vector<4xbf16>):
  %s = llvm.select %first, %c, %x : i1, bf16
  %e = llvm.insertelement %s, %d[%zero : i64] : vector<4xbf16>
  llvm.cond_br %first, ^loop(%s, %e : bf16, vector<4xbf16>), ^end(%s : bf16)
^end(%r: bf16):
  llvm.store %r, %p {alignment = 2 : i64} : bf16, !llvm.ptr
  llvm.return %r : bf16
}
