// RUN: amp-opt %s --split-input-file --allow-unregistered-dialect --amp-convert-to-llvm | FileCheck %s
// RUN: amp-opt %s --split-input-file --allow-unregistered-dialect --amp-convert-to-llvm=generic-functions | FileCheck %s --check-prefix=GENERIC
// RUN: amp-opt %s --split-input-file --allow-unregistered-dialect --amp-convert-to-llvm --amp-convert-to-llvm | FileCheck %s

// A size of a dimension that is known is read from the descriptor, not through the stack.
// CHECK-LABEL: llvm.func @dim
// CHECK-NOT: llvm.alloca
// CHECK: %[[D:.*]] = llvm.extractvalue %{{.*}}[3, 1]
// CHECK: llvm.return %[[D]] : i64
func.func @dim(%m: memref<?x?xf32>) -> index {
  %c1 = arith.constant 1 : index
  %d = memref.dim %m, %c1 : memref<?x?xf32>
  return %d : index
}

// -----

// Maxima are compared and selected, which is quicker than LLVM's where there is no instruction.
// CHECK-LABEL: llvm.func @maximum
// CHECK: llvm.fcmp "ugt"
// CHECK: llvm.select
// CHECK-NOT: llvm.intr.maximum
func.func @maximum(%x: vector<4xf32>, %y: vector<4xf32>) -> vector<4xf32> {
  %0 = arith.maximumf %x, %y : vector<4xf32>
  return %0 : vector<4xf32>
}

// -----

// LLVM's own function where there is one, the C library's for each element where there is none.
// CHECK: llvm.func @erff(f32) -> f32
// CHECK-LABEL: llvm.func @functions
// CHECK: llvm.intr.sqrt(%{{.*}}) : (vector<2xf32>) -> vector<2xf32>
// CHECK-COUNT-2: llvm.call @erff
// CHECK-NOT: vector.
// CHECK-NOT: unrealized_conversion_cast
func.func @functions(%x: vector<2xf32>) -> vector<2xf32> {
  %0 = math.sqrt %x : vector<2xf32>
  %1 = math.erf %0 : vector<2xf32>
  return %1 : vector<2xf32>
}

// -----

// CHECK-LABEL: llvm.func @buffer
// CHECK: llvm.call @malloc
// CHECK: llvm.call @free
// GENERIC-LABEL: llvm.func @buffer
// GENERIC: llvm.call @_mlir_memref_to_llvm_aligned_alloc
// GENERIC: llvm.call @_mlir_memref_to_llvm_free
func.func @buffer(%n: index, %x: f32, %i: index) -> f32 {
  %m = memref.alloc(%n) {alignment = 64 : i64} : memref<?xf32>
  memref.store %x, %m[%i] : memref<?xf32>
  %y = memref.load %m[%i] : memref<?xf32>
  memref.dealloc %m : memref<?xf32>
  return %y : f32
}

// -----

// A loop that carries a sum which nothing reads, and one that is its result.
// CHECK-LABEL: llvm.func @unread
// CHECK: llvm.br ^bb1(%{{.*}}, %{{.*}} : i64, f32)
// CHECK: llvm.fadd
// CHECK-NOT: llvm.fadd
func.func @unread(%n: index, %x: f32, %y: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^head(%c0, %x, %x : index, f32, f32)
^head(%i: index, %s: f32, %t: f32):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^end
^body:
  %s2 = arith.addf %s, %y : f32
  %t2 = arith.addf %t, %x : f32
  %next = arith.addi %i, %c1 : index
  cf.br ^head(%next, %s2, %t2 : index, f32, f32)
^end:
  return %s : f32
}

// -----

// Tiles are carried by branches.
// CHECK-LABEL: llvm.func @tiles
// CHECK: llvm.call_intrinsic "llvm.x86.tilezero.internal"
// CHECK: llvm.br ^bb1(%{{.*}}, %{{.*}} : i64, !llvm.x86_amx)
// CHECK: ^bb1(%{{.*}}: i64, %[[T:.*]]: !llvm.x86_amx):
// CHECK: llvm.call_intrinsic "llvm.x86.tilestored64.internal"({{.*}}%[[T]])
func.func @tiles(%n: index, %m: memref<16x16xf32>, %a: memref<16x32xbf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = amx.tile_zero : !amx.tile<16x16xf32>
  cf.br ^head(%c0, %zero : index, !amx.tile<16x16xf32>)
^head(%i: index, %t: !amx.tile<16x16xf32>):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^end
^body:
  %x = amx.tile_load %a[%c0, %c0] : memref<16x32xbf16> into !amx.tile<16x32xbf16>
  %s = amx.tile_mulf %x, %x, %t : !amx.tile<16x32xbf16>, !amx.tile<16x32xbf16>, !amx.tile<16x16xf32>
  %next = arith.addi %i, %c1 : index
  cf.br ^head(%next, %s : index, !amx.tile<16x16xf32>)
^end:
  amx.tile_store %m[%c0, %c0], %t : memref<16x16xf32>, !amx.tile<16x16xf32>
  return
}

// -----

// The layout of the module says how wide an index is.
// CHECK-LABEL: llvm.func @narrow
// CHECK-SAME: (%{{.*}}: i32) -> i32
module attributes {dlti.dl_spec = #dlti.dl_spec<index = 32 : i32>} {
  func.func @narrow(%n: index) -> index {
    %0 = arith.addi %n, %n : index
    return %0 : index
  }
}

// -----

// Ops of other dialects stay.
// CHECK-LABEL: llvm.func @others
// CHECK: "other.op"(%{{.*}}) : (f32) -> f32
// CHECK: llvm.fmul
func.func @others(%x: f32) -> f32 {
  %0 = "other.op"(%x) : (f32) -> f32
  %1 = arith.mulf %0, %x : f32
  return %1 : f32
}

// -----

// With a runtime, it copies what threads are worth while for, or may be; not what is known to be small, or of unknown size in a loop.
// CHECK-LABEL: llvm.func @copies
// CHECK-COUNT-4: llvm.intr.memcpy
// CHECK-NOT: memrefCopy
// GENERIC-LABEL: llvm.func @copies
// GENERIC: llvm.mlir.constant(32768 : index)
// GENERIC: llvm.call @memrefCopy
// GENERIC-NOT: memrefCopy
// GENERIC: llvm.intr.memcpy
// GENERIC: llvm.mul
// GENERIC: llvm.call @memrefCopy
// GENERIC: llvm.cond_br
// GENERIC-NOT: memrefCopy
// GENERIC: llvm.intr.memcpy
// GENERIC: llvm.return
func.func @copies(%a: memref<64x512xf32>, %b: memref<64x512xf32, strided<[512, 1], offset: ?>>, %c: memref<63x512xf32>, %d: memref<63x512xf32>,
    %e: memref<?x?xbf16>, %f: memref<?x?xbf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  memref.copy %a, %b : memref<64x512xf32> to memref<64x512xf32, strided<[512, 1], offset: ?>>
  memref.copy %c, %d : memref<63x512xf32> to memref<63x512xf32>
  memref.copy %e, %f : memref<?x?xbf16> to memref<?x?xbf16>
  cf.br ^head(%c0 : index)
^head(%i: index):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^end
^body:
  memref.copy %f, %e : memref<?x?xbf16> to memref<?x?xbf16>
  %next = arith.addi %i, %c1 : index
  cf.br ^head(%next : index)
^end:
  return
}
