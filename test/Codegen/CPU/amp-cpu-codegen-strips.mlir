// RUN: amp-opt %s --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=x86-64-v3}))' | FileCheck %s
// RUN: amp-opt %s --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=x86-64-v4}))' | FileCheck %s --check-prefix=MASKS

// Where 16 registers hold what a few rows compute, fewer of them take less time even by a B that no cache holds: with masks and 32 registers, 2 and 6 rows
// take as long as 4 and 8. Up to 16 share rows of B in tiles of four, more of them strips of it.
// CHECK-LABEL: func.func @rows
// CHECK: arith.cmpi ult, %[[M:.*]], %c1 : index
// CHECK: arith.cmpi ult, %[[M]], %c2 : index
// CHECK: arith.cmpi ult, %[[M]], %c4 : index
// CHECK: arith.cmpi ult, %[[M]], %c6 : index
// CHECK: arith.cmpi ult, %[[M]], %c16 : index
// CHECK-NOT: tensor<2x64x16xf32>
// CHECK: alloc_tensor() : tensor<128x16x16xf32>
// CHECK: alloc_tensor() : tensor<4x4x8xf32>
// CHECK: arith.cmpi ult, %[[M]], %c64 : index
// CHECK: alloc_tensor() : tensor<2x64x16xf32>
// CHECK: arith.cmpi ult, %[[M]], %c256 : index
// MASKS-LABEL: func.func @rows
// MASKS: arith.cmpi ult, %[[M:.*]], %c1 : index
// MASKS: arith.cmpi ult, %[[M]], %c4 : index
// MASKS: arith.cmpi ult, %[[M]], %c8 : index
// MASKS: arith.cmpi ult, %[[M]], %c128 : index
func.func @rows(%a: tensor<?x4096xf32>, %b: tensor<4096x4096xf32>, %c: tensor<?x4096xf32>) -> tensor<?x4096xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<?x4096xf32>, tensor<4096x4096xf32>) outs(%c : tensor<?x4096xf32>) -> tensor<?x4096xf32>
  return %r : tensor<?x4096xf32>
}

// Strips are converted once, rows of B for each tile: bf16 takes strips from 9 rows on.
// CHECK-LABEL: func.func @rows_of_bf16
// CHECK: arith.cmpi ult, %[[M:.*]], %c6 : index
// CHECK: arith.cmpi ult, %[[M]], %c8 : index
// CHECK-NOT: tensor<2x64x16xf32>
// CHECK: arith.cmpi ult, %[[M]], %c128 : index
// CHECK: alloc_tensor() : tensor<2x64x16xf32>
func.func @rows_of_bf16(%a: tensor<?x4096xbf16>, %b: tensor<4096x4096xbf16>, %c: tensor<?x4096xf32>) -> tensor<?x4096xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<?x4096xbf16>, tensor<4096x4096xbf16>) outs(%c : tensor<?x4096xf32>) -> tensor<?x4096xf32>
  return %r : tensor<?x4096xf32>
}

// As do more of i8, in groups along k: up to 8 in tiles of four, more in tiles of six. Sums are as close to each other as the rows that there are let them.
// CHECK-LABEL: func.func @rows_of_i8
// CHECK: arith.cmpi ult, %[[M:.*]], %c6 : index
// CHECK: arith.cmpi ult, %[[M]], %c8 : index
// CHECK: alloc_tensor() : tensor<128x8x16xi32>
// CHECK: alloc_tensor() : tensor<16x16x32xi16>
// CHECK: alloc_tensor() : tensor<2x4x32xi16>
// CHECK: arith.cmpi ult, %[[M]], %c64 : index
// CHECK: alloc_tensor(%{{.*}}) : tensor<128x?x16xi32>
// CHECK: alloc_tensor() : tensor<16x16x32xi16>
// CHECK: alloc_tensor() : tensor<11x6x32xi16>
func.func @rows_of_i8(%a: tensor<?x4096xi8>, %b: tensor<4096x4096xi8>, %c: tensor<?x4096xi32>) -> tensor<?x4096xi32> {
  %r = linalg.matmul ins(%a, %b : tensor<?x4096xi8>, tensor<4096x4096xi8>) outs(%c : tensor<?x4096xi32>) -> tensor<?x4096xi32>
  return %r : tensor<?x4096xi32>
}

// What the second cache holds is packed once.
// CHECK-LABEL: func.func @near
// CHECK-NOT: tensor<2x64x16xf32>
// CHECK: return
func.func @near(%a: tensor<17x256xf32>, %b: tensor<256x256xf32>, %c: tensor<17x256xf32>) -> tensor<17x256xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<17x256xf32>, tensor<256x256xf32>) outs(%c : tensor<17x256xf32>) -> tensor<17x256xf32>
  return %r : tensor<17x256xf32>
}

// Tiles of few rows have as few past the end as they can: three of five rows, whose sums are ten registers.
// CHECK-LABEL: func.func @tiles
// CHECK: alloc_tensor() : tensor<3x5x8xf32>
// CHECK: :10 = scf.for
func.func @tiles(%a: tensor<14x777xf32>, %b: tensor<777x1024xf32>, %i: tensor<14x1024xf32>) -> tensor<14x1024xf32> {
  %c = linalg.matmul ins(%a, %b : tensor<14x777xf32>, tensor<777x1024xf32>) outs(%i : tensor<14x1024xf32>) -> tensor<14x1024xf32>
  return %c : tensor<14x1024xf32>
}

// Unless B ends there, strips have two panels with all columns, and packing them knows it.
// CHECK-LABEL: func.func @columns
// CHECK: alloc_tensor() : tensor<2x64x16xf32>
// CHECK: %[[WHOLE:.*]] = arith.cmpi eq, %{{.*}}, %c2 : index
// CHECK-NEXT: scf.if %[[WHOLE]]
// CHECK-NEXT: scf.for %{{.*}} = %c0 to %c64 step %c1
// CHECK: scf.for %{{.*}} = %c0 to %c2 step %c1
// CHECK: vector.transfer_read %{{.*}} {in_bounds = [true]} : tensor<4096x1000xbf16>, vector<8xbf16>
func.func @columns(%a: tensor<20x4096xbf16>, %b: tensor<4096x1000xbf16>, %c: tensor<20x1000xf32>) -> tensor<20x1000xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<20x4096xbf16>, tensor<4096x1000xbf16>) outs(%c : tensor<20x1000xf32>) -> tensor<20x1000xf32>
  return %r : tensor<20x1000xf32>
}
