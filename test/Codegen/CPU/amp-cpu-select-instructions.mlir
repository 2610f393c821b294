// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-select-instructions{cpu=znver4}))' | FileCheck %s
// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-select-instructions{cpu=x86-64-v4}))' | FileCheck %s --check-prefix=NONE
// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-select-instructions{cpu=alderlake}))' | FileCheck %s --check-prefix=AVX
// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-select-instructions{cpu=x86-64}))' | FileCheck %s --check-prefix=SSE
// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-select-instructions{cpu=generic triple=aarch64-linux-gnu}))' | FileCheck %s --check-prefix=ARM
// RUN: not amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-select-instructions{cpu=pentium9}))' 2>&1 | FileCheck %s --check-prefix=CPU
// RUN: not amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-select-instructions{features=avx2}))' 2>&1 | FileCheck %s --check-prefix=FEATURE

// CPU: error: unknown CPU 'pentium9'
// FEATURE: error: bad CPU feature 'avx2'

// Unsigned by signed, in this order of the instruction whatever the order of the product.
// CHECK-LABEL: func.func @dot
// CHECK-SAME: (%[[A:.*]]: vector<64xi8>, %[[B:.*]]: vector<64xi8>, %[[C:.*]]: vector<16xi32>)
// CHECK: %[[R:.*]] = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%[[C]], %[[A]], %[[B]])
// CHECK: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%[[R]], %[[A]], %[[B]])
// NONE-LABEL: func.func @dot
// NONE-NOT: llvm.
// NONE-COUNT-32: vector.reduction <add>
// AVX-LABEL: func.func @dot
// AVX-NOT: llvm.
func.func @dot(%a: vector<64xi8>, %b: vector<64xi8>, %c: vector<16xi32>) -> vector<16xi32> {
  %0 = arith.extui %a : vector<64xi8> to vector<64xi32>
  %1 = arith.extsi %b : vector<64xi8> to vector<64xi32>
  %2 = arith.muli %0, %1 : vector<64xi32>
  %3 = vector.shape_cast %2 : vector<64xi32> to vector<16x4xi32>
  %4 = vector.multi_reduction <add>, %3, %c [1] : vector<16x4xi32> to vector<16xi32>
  %5 = arith.muli %1, %0 : vector<64xi32>
  %6 = vector.shape_cast %5 : vector<64xi32> to vector<16x4xi32>
  %7 = vector.multi_reduction <add>, %6, %4 [1] : vector<16x4xi32> to vector<16xi32>
  return %7 : vector<16xi32>
}

// -----

// A constant counts as the operand whose values it has.
// CHECK-LABEL: func.func @constant
// AVX-LABEL: func.func @constant
// CHECK: %[[K:.*]] = arith.constant dense<-128> : vector<64xi8>
// CHECK: llvm.call_intrinsic {{.*}}(%{{.*}}, %[[K]], %{{.*}})
func.func @constant(%b: vector<64xi8>, %c: vector<16xi32>) -> vector<16xi32> {
  %0 = arith.constant dense<128> : vector<64xi32>
  %1 = arith.extsi %b : vector<64xi8> to vector<64xi32>
  %2 = arith.muli %1, %0 : vector<64xi32>
  %3 = vector.shape_cast %2 : vector<64xi32> to vector<16x4xi32>
  %4 = vector.multi_reduction <add>, %3, %c [1] : vector<16x4xi32> to vector<16xi32>
  return %4 : vector<16xi32>
}

// -----

// What is no such sum: two unsigned operands, a constant beyond 8 bits, another width, a product.
// CHECK-LABEL: func.func @others
// CHECK-NOT: llvm.
// A processor with this other width has the instruction for it.
// AVX-LABEL: func.func @others
// AVX: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"
// AVX-NOT: llvm.
func.func @others(%a: vector<64xi8>, %c: vector<16xi32>, %s: vector<32xi8>, %d: vector<8xi32>) -> (vector<16xi32>, vector<16xi32>, vector<8xi32>, vector<16xi32>) {
  %0 = arith.extui %a : vector<64xi8> to vector<64xi32>
  %1 = arith.muli %0, %0 : vector<64xi32>
  %2 = vector.shape_cast %1 : vector<64xi32> to vector<16x4xi32>
  %3 = vector.multi_reduction <add>, %2, %c [1] : vector<16x4xi32> to vector<16xi32>
  %k = arith.constant dense<128> : vector<64xi32>
  %4 = arith.muli %0, %k : vector<64xi32>
  %5 = vector.shape_cast %4 : vector<64xi32> to vector<16x4xi32>
  %6 = vector.multi_reduction <add>, %5, %c [1] : vector<16x4xi32> to vector<16xi32>
  %7 = arith.extui %s : vector<32xi8> to vector<32xi32>
  %8 = arith.extsi %s : vector<32xi8> to vector<32xi32>
  %9 = arith.muli %7, %8 : vector<32xi32>
  %10 = vector.shape_cast %9 : vector<32xi32> to vector<8x4xi32>
  %11 = vector.multi_reduction <add>, %10, %d [1] : vector<8x4xi32> to vector<8xi32>
  %12 = arith.extsi %a : vector<64xi8> to vector<64xi32>
  %13 = arith.muli %0, %12 : vector<64xi32>
  %14 = vector.shape_cast %13 : vector<64xi32> to vector<16x4xi32>
  %15 = vector.multi_reduction <mul>, %14, %c [1] : vector<16x4xi32> to vector<16xi32>
  return %3, %6, %11, %15 : vector<16xi32>, vector<16xi32>, vector<8xi32>, vector<16xi32>
}

// -----

// A product with 2^n in two steps, where n is in the low bits of a sum, is one instruction for each register.
// CHECK-LABEL: func.func @scale
// CHECK-SAME: (%[[P:.*]]: vector<32xf32>, %[[N:.*]]: vector<32xf32>)
// CHECK: %[[M:.*]] = arith.constant dense<0x4B4000FE> : vector<32xf32>
// CHECK: %[[S:.*]] = arith.addf %[[N]], %[[M]]
// CHECK: %[[I:.*]] = arith.subf %[[S]], %[[M]]
// CHECK-COUNT-2: llvm.call_intrinsic "llvm.x86.avx512.mask.scalef.ps.512"
// CHECK: return
// NONE-LABEL: func.func @scale
// NONE-COUNT-2: llvm.call_intrinsic "llvm.x86.avx512.mask.scalef.ps.512"
// AVX-LABEL: func.func @scale
// AVX-NOT: llvm.
// AVX: return
func.func @scale(%power: vector<32xf32>, %n: vector<32xf32>) -> vector<32xf32> {
  %magic = arith.constant dense<12583166.0> : vector<32xf32>
  %c1 = arith.constant dense<1> : vector<32xi32>
  %c23 = arith.constant dense<23> : vector<32xi32>
  %0 = arith.addf %n, %magic : vector<32xf32>
  %1 = arith.bitcast %0 : vector<32xf32> to vector<32xi32>
  %2 = arith.shrsi %1, %c1 : vector<32xi32>
  %3 = arith.shli %2, %c23 : vector<32xi32>
  %4 = arith.bitcast %3 : vector<32xi32> to vector<32xf32>
  %5 = arith.subi %1, %2 : vector<32xi32>
  %6 = arith.shli %5, %c23 : vector<32xi32>
  %7 = arith.bitcast %6 : vector<32xi32> to vector<32xf32>
  %8 = arith.mulf %power, %4 : vector<32xf32>
  %9 = arith.mulf %8, %7 : vector<32xf32>
  return %9 : vector<32xf32>
}

// -----

// Not where the sum is with another number, nor one element.
// CHECK-LABEL: func.func @other
// CHECK-NOT: llvm.
// CHECK: return
func.func @other(%power: vector<16xf32>, %n: vector<16xf32>) -> vector<16xf32> {
  %magic = arith.constant dense<12582912.0> : vector<16xf32>
  %c1 = arith.constant dense<1> : vector<16xi32>
  %c23 = arith.constant dense<23> : vector<16xi32>
  %0 = arith.addf %n, %magic : vector<16xf32>
  %1 = arith.bitcast %0 : vector<16xf32> to vector<16xi32>
  %2 = arith.shrsi %1, %c1 : vector<16xi32>
  %3 = arith.shli %2, %c23 : vector<16xi32>
  %4 = arith.bitcast %3 : vector<16xi32> to vector<16xf32>
  %5 = arith.subi %1, %2 : vector<16xi32>
  %6 = arith.shli %5, %c23 : vector<16xi32>
  %7 = arith.bitcast %6 : vector<16xi32> to vector<16xf32>
  %8 = arith.mulf %power, %4 : vector<16xf32>
  %9 = arith.mulf %8, %7 : vector<16xf32>
  return %9 : vector<16xf32>
}

// -----

// Pairs of i16, or of i8 that was widened in one step, in vectors of a register; one of the operands may be both.
// CHECK-LABEL: func.func @pairs
// CHECK-SAME: (%[[A:[a-z0-9]*]]: vector<32xi16>, %[[B:[a-z0-9]*]]: vector<32xi8>, %[[C:[a-z0-9]*]]: vector<16xi32>
// CHECK-DAG: %[[U:.*]] = arith.extui %[[B]] : vector<32xi8> to vector<32xi16>
// CHECK: %[[S:.*]] = llvm.call_intrinsic "llvm.x86.avx512.pmaddw.d.512"(%[[A]], %[[U]])
// CHECK: %[[R:.*]] = arith.addi %[[C]], %[[S]]
// CHECK: %[[T:.*]] = llvm.call_intrinsic "llvm.x86.avx512.pmaddw.d.512"(%[[A]], %[[A]])
// CHECK: arith.addi %[[R]], %[[T]]
// NONE-LABEL: func.func @pairs
// NONE-COUNT-2: llvm.call_intrinsic "llvm.x86.avx512.pmaddw.d.512"
// AVX-LABEL: func.func @pairs
// AVX-COUNT-1: llvm.call_intrinsic "llvm.x86.avx2.pmadd.wd"
// AVX-NOT: llvm.
// AVX: return
// SSE-LABEL: func.func @pairs
// SSE-COUNT-1: llvm.call_intrinsic "llvm.x86.sse2.pmadd.wd"
// SSE-NOT: llvm.
// SSE: return
// ARM-LABEL: func.func @pairs
// ARM-NOT: llvm.
// ARM: return
func.func @pairs(%a: vector<32xi16>, %b: vector<32xi8>, %c: vector<16xi32>, %d: vector<16xi16>, %e: vector<8xi32>, %f: vector<8xi16>, %g: vector<4xi32>) -> (vector<16xi32>, vector<8xi32>, vector<4xi32>) {
  %0 = arith.extsi %a : vector<32xi16> to vector<32xi32>
  %1 = arith.extui %b : vector<32xi8> to vector<32xi32>
  %2 = arith.muli %0, %1 : vector<32xi32>
  %3 = vector.shape_cast %2 : vector<32xi32> to vector<16x2xi32>
  %4 = vector.multi_reduction <add>, %3, %c [1] : vector<16x2xi32> to vector<16xi32>
  %5 = arith.muli %0, %0 : vector<32xi32>
  %6 = vector.shape_cast %5 : vector<32xi32> to vector<16x2xi32>
  %7 = vector.multi_reduction <add>, %6, %4 [1] : vector<16x2xi32> to vector<16xi32>
  %8 = arith.extsi %d : vector<16xi16> to vector<16xi32>
  %9 = arith.muli %8, %8 : vector<16xi32>
  %10 = vector.shape_cast %9 : vector<16xi32> to vector<8x2xi32>
  %11 = vector.multi_reduction <add>, %10, %e [1] : vector<8x2xi32> to vector<8xi32>
  %12 = arith.extsi %f : vector<8xi16> to vector<8xi32>
  %13 = arith.muli %12, %12 : vector<8xi32>
  %14 = vector.shape_cast %13 : vector<8xi32> to vector<4x2xi32>
  %15 = vector.multi_reduction <add>, %14, %g [1] : vector<4x2xi32> to vector<4xi32>
  return %7, %11, %15 : vector<16xi32>, vector<8xi32>, vector<4xi32>
}

// -----

// Not unsigned i16, which the instruction has not.
// CHECK-LABEL: func.func @unsigned_pairs
// CHECK-NOT: llvm.
func.func @unsigned_pairs(%a: vector<32xi16>, %c: vector<16xi32>) -> vector<16xi32> {
  %0 = arith.extui %a : vector<32xi16> to vector<32xi32>
  %1 = arith.muli %0, %0 : vector<32xi32>
  %2 = vector.shape_cast %1 : vector<32xi32> to vector<16x2xi32>
  %3 = vector.multi_reduction <add>, %2, %c [1] : vector<16x2xi32> to vector<16xi32>
  return %3 : vector<16xi32>
}

// -----

// An element of i1 is a byte in memory, for which LLVM would read a bit.
// CHECK-LABEL: func.func @masks
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<?xi1, strided<[1], offset: ?>>, %[[Y:[a-z0-9]+]]: memref<?xi1>
// CHECK: %[[XB:.*]] = builtin.unrealized_conversion_cast %[[X]] : memref<?xi1, strided<[1], offset: ?>> to memref<?xi8, strided<[1], offset: ?>>
// CHECK: %[[V:.*]] = vector.transfer_read %[[XB]][%{{.*}}], %{{.*}}, %{{.*}} : memref<?xi8, strided<[1], offset: ?>>, vector<64xi8>
// CHECK: %[[ZERO:.*]] = arith.constant dense<0> : vector<64xi8>
// CHECK: %[[M:.*]] = arith.cmpi ne, %[[V]], %[[ZERO]] : vector<64xi8>
// CHECK: %[[N:.*]] = arith.xori %[[M]]
// CHECK: %[[W:.*]] = arith.extui %[[N]] : vector<64xi1> to vector<64xi8>
// CHECK: %[[YB:.*]] = builtin.unrealized_conversion_cast %[[Y]] : memref<?xi1> to memref<?xi8>
// CHECK: vector.transfer_write %[[W]], %[[YB]][%{{.*}}] {in_bounds = [true]} : vector<64xi8>, memref<?xi8>
// SSE-LABEL: func.func @masks
// SSE: vector.transfer_write {{.*}} : vector<64xi8>, memref<?xi8>
// ARM-LABEL: func.func @masks
// ARM: vector.transfer_write {{.*}} : vector<64xi8>, memref<?xi8>
func.func @masks(%x: memref<?xi1, strided<[1], offset: ?>>, %y: memref<?xi1>, %i: index, %k: vector<64xi1>) {
  %false = arith.constant false
  %true = arith.constant dense<true> : vector<64xi1>
  %m = vector.transfer_read %x[%i], %false, %k : memref<?xi1, strided<[1], offset: ?>>, vector<64xi1>
  %n = arith.xori %m, %true : vector<64xi1>
  vector.transfer_write %n, %y[%i] {in_bounds = [true]} : vector<64xi1>, memref<?xi1>
  return
}
