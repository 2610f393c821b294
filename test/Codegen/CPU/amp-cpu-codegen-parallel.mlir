// RUN: amp-opt %s --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=x86-64-v4}))' | FileCheck %s
// RUN: amp-opt %s --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=sapphirerapids}))' | FileCheck %s --check-prefix=LARGE
// RUN: amp-opt %s --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=x86-64-v3}))' | FileCheck %s --check-prefix=AVX2

// Threads divide panels of B while it is packed, and blocks of rows.
// CHECK-LABEL: func.func @matmul
// CHECK-COUNT-2: parallel_grain = {{[0-9]+}} : i64}
// CHECK-NOT: parallel_grain
func.func @matmul(%a: tensor<512x512xf32>, %b: tensor<512x512xf32>, %c: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<512x512xf32>, tensor<512x512xf32>) outs(%c : tensor<512x512xf32>) -> tensor<512x512xf32>
  return %0 : tensor<512x512xf32>
}

// Few rows: blocks of columns.
// CHECK-LABEL: func.func @wide
// CHECK-COUNT-1: parallel_grain = 1 : i64}
// CHECK-NOT: parallel_grain
func.func @wide(%a: tensor<16x512xf32>, %b: tensor<512x4096xf32>, %c: tensor<16x4096xf32>) -> tensor<16x4096xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<16x512xf32>, tensor<512x4096xf32>) outs(%c : tensor<16x4096xf32>) -> tensor<16x4096xf32>
  return %0 : tensor<16x4096xf32>
}

// Few rows whose columns do not end with whole blocks: eight blocks that are nearly even (of 1024 columns there would be three, and one of 64). A
// target with wider tiles takes fewer, longer ones.
// CHECK-LABEL: func.func @even
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %c3136{{.*}} step %c832
// AVX2-LABEL: func.func @even
// AVX2: scf.for %{{.*}} = %c0{{.*}} to %c3136{{.*}} step %c400
func.func @even(%a: tensor<256x64xf32>, %b: tensor<64x3136xf32>, %c: tensor<256x3136xf32>) -> tensor<256x3136xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<256x64xf32>, tensor<64x3136xf32>) outs(%c : tensor<256x3136xf32>) -> tensor<256x3136xf32>
  return %0 : tensor<256x3136xf32>
}

// Of a number that is not known, blocks of rows are as long as divide it evenly, in whole register tiles, where all of it is worth threads.
// CHECK-LABEL: func.func @any_rows
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<?x2048xf32>
// CHECK: %[[M:.*]] = tensor.dim %[[A]], %c0
// CHECK: arith.cmpi ult, %{{.*}}, %c8 :
// CHECK: %[[TILES:.*]] = arith.ceildivui %[[M]], %c48 : index
// CHECK: %[[PART:.*]] = arith.muli %[[TILES]], %c6 : index
// CHECK: %[[LONG:.*]] = arith.maxui %[[PART]], %c18 : index
// CHECK: %[[EIGHTH:.*]] = arith.minui %[[LONG]], %c132 : index
// CHECK: arith.ceildivui %[[M]], %c36 : index
// CHECK: arith.ceildivui %[[M]], %c24 : index
// CHECK: arith.ceildivui %[[M]], %c12 : index
// CHECK: %[[BEST:.*]] = arith.select
// CHECK: %[[WORK:.*]] = arith.muli %[[M]], %c204800 : index
// CHECK: %[[WORTH:.*]] = arith.cmpi uge, %[[WORK]], %c1048576 : index
// CHECK: %[[STEP:.*]] = arith.select %[[WORTH]], %[[BEST]], %c132 : index
// CHECK: scf.for %[[IC:.*]] = %c0 to %[[M]] step %[[STEP]]
// CHECK: affine.min #{{.*}}[%[[STEP]], %[[M]], %[[IC]]]
// CHECK: parallel_grain = 1 : i64}
// CHECK-NOT: parallel_grain
func.func @any_rows(%a: tensor<?x2048xf32>, %b: tensor<2048x100xf32>, %c: tensor<?x100xf32>) -> tensor<?x100xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<?x2048xf32>, tensor<2048x100xf32>) outs(%c : tensor<?x100xf32>) -> tensor<?x100xf32>
  return %0 : tensor<?x100xf32>
}

// Columns that are known to be few are divided for 32 to 256 rows, which would be one or two blocks.
// CHECK-LABEL: func.func @any_rows_by_few
// CHECK: %[[FEW:.*]] = arith.cmpi ult, %{{.*}}, %c256 : index
// CHECK: %[[ENOUGH:.*]] = arith.cmpi uge, %{{.*}}, %c32 : index
// CHECK: %[[BOTH:.*]] = arith.andi %[[FEW]], %[[ENOUGH]] : i1
// CHECK: scf.if %[[BOTH]]
// CHECK: scf.for %{{.*}} = %c0 to %c208 step %c64
// CHECK: scf.for %{{.*}} = %c0 to %{{.*}} step %c256
// CHECK: parallel_grain = 1 : i64}
// CHECK: } else {
func.func @any_rows_by_few(%a: tensor<?x704xbf16>, %b: tensor<704x208xbf16>, %c: tensor<?x208xf32>) -> tensor<?x208xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<?x704xbf16>, tensor<704x208xbf16>) outs(%c : tensor<?x208xf32>) -> tensor<?x208xf32>
  return %0 : tensor<?x208xf32>
}

// 18 to 63 rows by columns of a few panels have tiles of 8 and 4 rows, of three registers where two would leave one of them.
// CHECK-LABEL: func.func @any_rows_by_panels
// CHECK: %[[FEW:.*]] = arith.cmpi ult, %{{.*}}, %c63 : index
// CHECK: %[[ENOUGH:.*]] = arith.cmpi uge, %{{.*}}, %c18 : index
// CHECK: %[[BOTH:.*]] = arith.andi %[[FEW]], %[[ENOUGH]] : i1
// CHECK: scf.if %[[BOTH]]
// CHECK: %{{.*}}:24 = scf.for
// CHECK: %{{.*}}:12 = scf.for
// CHECK: } else {
func.func @any_rows_by_panels(%a: tensor<?x608xbf16>, %b: tensor<608x48xbf16>, %c: tensor<?x48xf32>) -> tensor<?x48xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<?x608xbf16>, tensor<608x48xbf16>) outs(%c : tensor<?x48xf32>) -> tensor<?x48xf32>
  return %0 : tensor<?x48xf32>
}

// So are blocks of columns, for up to 256 rows, where there are two or rows are too few. From 32 rows on (13 for up to 96 columns), those of a B that the
// second cache holds (twice that for up to 256 columns) have eight blocks, or fewer of 32 columns or more.
// CHECK-LABEL: func.func @any_size
// CHECK-SAME: %[[B:[a-z0-9]+]]: tensor<?x?xf32>, %{{[a-z0-9]+}}: tensor<?x?xf32>)
// CHECK: %[[N:.*]] = tensor.dim %[[B]], %c1
// CHECK: %[[FEW:.*]] = arith.cmpi ult, %{{.*}}, %c256 : index
// CHECK: %[[NARROW:.*]] = arith.cmpi ule, %[[N]], %c96 : index
// CHECK: %[[LEAST:.*]] = arith.select %[[NARROW]], %c13, %c32 : index
// CHECK: arith.cmpi uge, %{{.*}}, %[[LEAST]] : index
// CHECK: %[[ALL:.*]] = arith.muli %[[N]], %
// CHECK: %[[FEWER:.*]] = arith.cmpi ule, %[[N]], %c256 : index
// CHECK: %[[MOST:.*]] = arith.select %[[FEWER]], %c262144, %c131072 : index
// CHECK: arith.cmpi ult, %[[ALL]], %[[MOST]] : index
// CHECK: %[[LESS:.*]] = arith.cmpi ult, %{{.*}}, %c96 : index
// CHECK: arith.maxui %{{.*}}, %c32 : index
// CHECK: %[[STEP:.*]] = arith.select %{{.*}}, %{{.*}}, %c2048 : index
// CHECK: scf.for %{{.*}} = %c0 to %[[N]] step %[[STEP]]
// CHECK: parallel_grain = 1 : i64}
// CHECK: } else {
// CHECK: %[[MANY:.*]] = arith.cmpi uge, %[[N]], %c256 : index
// CHECK: %[[EITHER:.*]] = arith.ori %[[MANY]], %[[LESS]] : i1
// CHECK: %[[BOTH:.*]] = arith.andi %[[FEW]], %[[EITHER]] : i1
// CHECK: scf.if %[[BOTH]]
// CHECK: %[[STEP:.*]] = arith.select %{{.*}}, %{{.*}}, %c256 : index
// CHECK: scf.for %{{.*}} = %c0 to %[[N]] step %[[STEP]]
// CHECK: parallel_grain = 1 : i64}
// CHECK: } else {
// CHECK: %[[ROWS:.*]] = arith.select %{{.*}}, %{{.*}}, %c132 : index
// CHECK: scf.for %{{.*}} = %c0 to %{{.*}} step %[[ROWS]]
// CHECK: parallel_grain = 1 : i64}
func.func @any_size(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// Groups are packed for up to 96 columns from 13 rows on, and for four times as much of B. Each thread packs all of A for its columns: equal parts of 64 or
// more, of whole registers.
// CHECK-LABEL: func.func @any_size_of_bytes
// CHECK-SAME: %[[B:[a-z0-9]+]]: tensor<?x?xi8>, %{{[a-z0-9]+}}: tensor<?x?xi32>)
// CHECK: %[[N:.*]] = tensor.dim %[[B]], %c1
// CHECK: %[[NARROW:.*]] = arith.cmpi ule, %[[N]], %c96 : index
// CHECK: %[[LEAST:.*]] = arith.select %[[NARROW]], %c13, %c64 : index
// CHECK: arith.cmpi uge, %{{.*}}, %[[LEAST]] : index
// CHECK: %[[MOST:.*]] = arith.select %[[NARROW]], %c262144, %c65536 : index
// CHECK: arith.cmpi ult, %{{.*}}, %[[MOST]] : index
// CHECK: %[[LARGER:.*]] = arith.maxui %{{.*}}, %c64 : index
// CHECK: %[[PART:.*]] = arith.minui %[[LARGER]], %c2048 : index
// CHECK: %[[COUNT:.*]] = arith.ceildivui %[[N]], %[[PART]] : index
// CHECK: %[[PARTS:.*]] = arith.maxui %[[COUNT]], %c1 : index
// CHECK: %[[EQUAL:.*]] = arith.ceildivui %[[N]], %[[PARTS]] : index
// CHECK: %[[REGISTERS:.*]] = arith.ceildivui %[[EQUAL]], %c16 : index
// CHECK: arith.muli %[[REGISTERS]], %c16 : index
// CHECK: arith.cmpi ule
// CHECK: arith.select %{{.*}}, %{{.*}}, %c2048 : index
func.func @any_size_of_bytes(%a: tensor<?x?xi8>, %b: tensor<?x?xi8>, %c: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %0 = linalg.matmul ins(%a, %b : tensor<?x?xi8>, tensor<?x?xi8>) outs(%c : tensor<?x?xi32>) -> tensor<?x?xi32>
  return %0 : tensor<?x?xi32>
}

// Few rows of long k: panels of A, then blocks of columns, each with B in the second level of caches.
// CHECK-LABEL: func.func @deep
// CHECK: parallel_grain
// CHECK: bufferization.alloc_tensor
// CHECK: parallel_grain = 1 : i64}
// CHECK-NOT: parallel_grain
func.func @deep(%a: tensor<160x4096xf32>, %b: tensor<4096x1024xf32>, %c: tensor<160x1024xf32>) -> tensor<160x1024xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<160x4096xf32>, tensor<4096x1024xf32>) outs(%c : tensor<160x1024xf32>) -> tensor<160x1024xf32>
  return %0 : tensor<160x1024xf32>
}

// Too little work for two threads.
// CHECK-LABEL: func.func @small
// CHECK-NOT: parallel_grain
func.func @small(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// CHECK-LABEL: func.func @elementwise
// CHECK: parallel_grain
func.func @elementwise(%a: tensor<1024x1024xf32>, %c: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
  %0 = linalg.exp ins(%a : tensor<1024x1024xf32>) outs(%c : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  return %0 : tensor<1024x1024xf32>
}

// Rows of a reduction along them; a sum of all in parts.
// CHECK-LABEL: func.func @rows
// CHECK: parallel_grain
// CHECK-LABEL: func.func @sum
// CHECK: parallel_grain = 1
func.func @rows(%x: tensor<?x?xf32>, %e: tensor<?xf32>) -> tensor<?xf32> {
  %r = linalg.reduce { arith.addf } ins(%x : tensor<?x?xf32>) outs(%e : tensor<?xf32>) dimensions = [1]
  return %r : tensor<?xf32>
}
func.func @sum(%x: tensor<1024x1024xf32>, %e: tensor<f32>) -> tensor<f32> {
  %r = linalg.reduce { arith.addf } ins(%x : tensor<1024x1024xf32>) outs(%e : tensor<f32>) dimensions = [0, 1]
  return %r : tensor<f32>
}

// The row that several ops share is each iteration's own.
// CHECK-LABEL: func.func @shared_row
// CHECK: scf.for
// CHECK: tensor.empty() : tensor<1000xf32>
// CHECK: parallel_grain
func.func @shared_row(%x: tensor<64x1000xf32>, %y: tensor<64x1000xf32>) -> (tensor<64x1000xf32>, tensor<64x1000xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x1000xf32>
  %row = tensor.empty() : tensor<64xf32>
  %s = linalg.add ins(%x, %y : tensor<64x1000xf32>, tensor<64x1000xf32>) outs(%e : tensor<64x1000xf32>) -> tensor<64x1000xf32>
  %z = linalg.fill ins(%zero : f32) outs(%row : tensor<64xf32>) -> tensor<64xf32>
  %t = linalg.reduce { arith.addf } ins(%s : tensor<64x1000xf32>) outs(%z : tensor<64xf32>) dimensions = [1]
  %b = linalg.broadcast ins(%t : tensor<64xf32>) outs(%e : tensor<64x1000xf32>) dimensions = [1]
  %r = linalg.sub ins(%s, %b : tensor<64x1000xf32>, tensor<64x1000xf32>) outs(%e : tensor<64x1000xf32>) -> tensor<64x1000xf32>
  return %s, %r : tensor<64x1000xf32>, tensor<64x1000xf32>
}

// A convolution with few rows: a thread packs the columns of the filter that it multiplies.
// CHECK-LABEL: func.func @few_places
// CHECK: scf.for %[[JC:.*]] = %c0{{.*}} to %c256{{.*}} step %c64
// CHECK: bufferization.alloc_tensor() : tensor<1x2304x64xf32>
// CHECK-NOT: parallel_grain
// CHECK: vector.fma
// CHECK: parallel_grain
// CHECK-NOT: parallel_grain
// CHECK: return
func.func @few_places(%x: tensor<1x16x16x256xf32>, %w: tensor<3x3x256x256xf32>, %c: tensor<1x14x14x256xf32>) -> tensor<1x14x14x256xf32> {
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x16x16x256xf32>, tensor<3x3x256x256xf32>) outs(%c : tensor<1x14x14x256xf32>) -> tensor<1x14x14x256xf32>
  return %r : tensor<1x14x14x256xf32>
}

// Operands that are read where they are, as the second cache has room for many: short blocks of rows.
// LARGE-LABEL: func.func @in_place
// LARGE: scf.for %{{.*}} = %c0{{.*}} to %c120{{.*}} step %c30
// LARGE: vector.fma
// LARGE: parallel_grain
func.func @in_place(%a: tensor<120x128xf32>, %b: tensor<128x80xf32>, %c: tensor<120x80xf32>) -> tensor<120x80xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<120x128xf32>, tensor<128x80xf32>) outs(%c : tensor<120x80xf32>) -> tensor<120x80xf32>
  return %0 : tensor<120x80xf32>
}

// Small products: a thread packs all of what it multiplies, so that it fetches nothing from another one's caches.
// CHECK-LABEL: func.func @own_columns
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %c256{{.*}} step %c128
// CHECK: bufferization.alloc_tensor
// CHECK: bufferization.alloc_tensor
// CHECK-NOT: parallel_grain
// CHECK: vector.fma
// CHECK: parallel_grain = 1 : i64}
// CHECK-NOT: parallel_grain
// CHECK: return
func.func @own_columns(%a: tensor<256x256xbf16>, %b: tensor<256x256xbf16>, %c: tensor<256x256xf32>) -> tensor<256x256xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<256x256xbf16>, tensor<256x256xbf16>) outs(%c : tensor<256x256xf32>) -> tensor<256x256xf32>
  return %0 : tensor<256x256xf32>
}

// Operands that are read where they are, but for a B that the first cache does not hold.
// LARGE-LABEL: func.func @own_panel
// LARGE: scf.for %{{.*}} = %c0{{.*}} to %c333{{.*}} step %c48
// LARGE: bufferization.alloc_tensor() : tensor<1x65x48xf32>
// LARGE-NOT: parallel_grain
// LARGE: vector.fma
// LARGE: parallel_grain = 1 : i64}
// LARGE-NOT: parallel_grain
// LARGE: return
func.func @own_panel(%a: tensor<127x65xf32>, %b: tensor<65x333xf32>, %c: tensor<127x333xf32>) -> tensor<127x333xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<127x65xf32>, tensor<65x333xf32>) outs(%c : tensor<127x333xf32>) -> tensor<127x333xf32>
  return %0 : tensor<127x333xf32>
}

// Tiles need more work before threads pay, but for what packing their operands takes; threads take rows, and pack all of a small B for them. (A that is whole tiles: amp-cpu-codegen-tiles-of-a.mlir.) Of a k that is not known they take 1024 at once; where that is all of it, sums go through the room of one block of them.
// LARGE-LABEL: func.func @tiles_small
// LARGE-NOT: parallel_grain
// LARGE-LABEL: func.func @tiles_own_panels
// LARGE: scf.for %[[FIRST:.*]] = %c0{{.*}} to %c256{{.*}} step %c32
// LARGE: %[[NEXT:.*]] = arith.addi %[[FIRST]], %c32
// LARGE: %[[END:.*]] = arith.minui %[[NEXT]], %c256
// LARGE: bufferization.alloc_tensor() : tensor<8x128x64xbf16>
// LARGE: vector.interleave
// LARGE-NOT: parallel_grain
// LARGE: scf.for %{{.*}} = %[[FIRST]] to %[[END]] step %c128
// LARGE: {joined, {{.*}}parallel_grain = -2 : i64}
// LARGE-NOT: parallel_grain
// LARGE-LABEL: func.func @tiles_few_columns
// LARGE-NOT: parallel_grain
// LARGE: vector.contract
// LARGE-NOT: parallel_grain
// LARGE-LABEL: func.func @tiles_large
// LARGE-NOT: parallel_grain
// LARGE: {joined, {{.*}}parallel_grain = -2 : i64}
// LARGE-NOT: parallel_grain
// LARGE-LABEL: func.func @tiles_dynamic
// LARGE-SAME: %[[A:[a-z0-9]+]]: tensor<500x?xbf16>
// LARGE: %[[K:.*]] = tensor.dim %[[A]], %c1
// LARGE: parallel_grain
// LARGE: %[[ONE:.*]] = arith.cmpi sle, %[[K]], %c4096
// LARGE: scf.for %{{.*}} = %c0{{.*}} to %{{.*}} step %c4096
// LARGE: arith.select %[[ONE]], %c0
// LARGE: parallel_grain
// All rows of A are packed once, each of them a line longer than its 2 KiB, and threads take columns; a depth of 4096 is one block.
// LARGE-LABEL: func.func @tiles_all_rows
// LARGE: bufferization.alloc_tensor() : tensor<16x32x1056xbf16>
// LARGE: parallel_grain
// LARGE: scf.for %{{.*}} = %c0{{.*}} to %c2048{{.*}} step %c256
// LARGE: bufferization.alloc_tensor() : tensor<8x512x64xbf16>
// LARGE: parallel_grain = 1 : i64}
// LARGE-LABEL: func.func @tiles_deep
// LARGE: bufferization.alloc_tensor() : tensor<16x2048x64xbf16>
// LARGE: bufferization.alloc_tensor() : tensor<4x32x4128xbf16>
func.func @tiles_small(%a: tensor<128x128xbf16>, %b: tensor<128x128xbf16>, %c: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<128x128xbf16>, tensor<128x128xbf16>) outs(%c : tensor<128x128xf32>) -> tensor<128x128xf32>
  return %0 : tensor<128x128xf32>
}
func.func @tiles_own_panels(%a: tensor<256x250xbf16>, %b: tensor<250x256xbf16>, %c: tensor<256x256xf32>) -> tensor<256x256xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<256x250xbf16>, tensor<250x256xbf16>) outs(%c : tensor<256x256xf32>) -> tensor<256x256xf32>
  return %0 : tensor<256x256xf32>
}
func.func @tiles_few_columns(%a: tensor<1024x512xi8>, %b: tensor<512x10xi8>, %c: tensor<1024x10xi32>) -> tensor<1024x10xi32> {
  %0 = linalg.matmul ins(%a, %b : tensor<1024x512xi8>, tensor<512x10xi8>) outs(%c : tensor<1024x10xi32>) -> tensor<1024x10xi32>
  return %0 : tensor<1024x10xi32>
}
func.func @tiles_large(%a: tensor<512x500xbf16>, %b: tensor<500x512xbf16>, %c: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<512x500xbf16>, tensor<500x512xbf16>) outs(%c : tensor<512x512xf32>) -> tensor<512x512xf32>
  return %0 : tensor<512x512xf32>
}
func.func @tiles_dynamic(%a: tensor<500x?xbf16>, %b: tensor<?x512xbf16>, %c: tensor<500x512xf32>) -> tensor<500x512xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<500x?xbf16>, tensor<?x512xbf16>) outs(%c : tensor<500x512xf32>) -> tensor<500x512xf32>
  return %0 : tensor<500x512xf32>
}
func.func @tiles_all_rows(%a: tensor<512x1000xbf16>, %b: tensor<1000x2048xbf16>, %c: tensor<512x2048xf32>) -> tensor<512x2048xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<512x1000xbf16>, tensor<1000x2048xbf16>) outs(%c : tensor<512x2048xf32>) -> tensor<512x2048xf32>
  return %0 : tensor<512x2048xf32>
}
func.func @tiles_deep(%a: tensor<1024x4090xbf16>, %b: tensor<4090x512xbf16>, %c: tensor<1024x512xf32>) -> tensor<1024x512xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<1024x4090xbf16>, tensor<4090x512xbf16>) outs(%c : tensor<1024x512xf32>) -> tensor<1024x512xf32>
  return %0 : tensor<1024x512xf32>
}

// Up to 256 rows by tiles: blocks of up to 256 columns whose packed B half of the second cache holds, but no fewer columns than rows.
// LARGE-LABEL: func.func @tiles_any_size
// LARGE-SAME: %[[A:[a-z0-9]+]]: tensor<?x?xbf16>
// LARGE: %[[M:.*]] = tensor.dim %[[A]], %c0
// LARGE: arith.cmpi ult, %{{.*}}, %c256 :
// LARGE: %[[BYTES:.*]] = arith.muli %{{.*}}, %c64 : index
// LARGE: %[[PANEL:.*]] = arith.maxui %[[BYTES]], %c1 : index
// LARGE: %[[FIT:.*]] = arith.divui %c1048576, %[[PANEL]] : index
// LARGE: %[[LEAST:.*]] = affine.apply #{{.*}}()[%[[M]]]
// LARGE: %[[PANELS:.*]] = arith.maxui %[[FIT]], %[[LEAST]] : index
// LARGE: %[[WIDTH:.*]] = affine.apply #{{.*}}()[%[[PANELS]]]
// LARGE: %[[STEP:.*]] = arith.minui %{{.*}}, %[[WIDTH]] : index
// LARGE: scf.for %{{.*}} = %c0{{.*}} to %{{.*}} step %[[STEP]]
func.func @tiles_any_size(%a: tensor<?x?xbf16>, %b: tensor<?x?xbf16>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<?x?xbf16>, tensor<?x?xbf16>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// Of rows of unknown length, as many as are worth a thread.
// CHECK-LABEL: func.func @any_rows_of_any_length
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x?xf32>
// CHECK-DAG: %[[M:.*]] = tensor.dim %[[X]], %c0
// CHECK-DAG: %[[N:.*]] = tensor.dim %[[X]], %c1
// CHECK: %[[LEAST:.*]] = arith.maxui %[[N]], %c1 : index
// CHECK: %[[ROWS:.*]] = arith.divui %c{{[0-9]+}}, %[[LEAST]] : index
// CHECK: %[[STEP:.*]] = arith.maxui %[[ROWS]], %c1 : index
// CHECK: scf.for %[[FIRST:.*]] = %c0 to %[[M]] step %[[STEP]]
// CHECK: %[[NEXT:.*]] = arith.addi %[[FIRST]], %[[STEP]] : index
// CHECK: %[[END:.*]] = arith.minui %[[NEXT]], %[[M]] : index
// CHECK: scf.for %{{.*}} = %[[FIRST]] to %[[END]] step %c1
// CHECK: } {joined, parallel_grain = 1 : i64}
func.func @any_rows_of_any_length(%x: tensor<?x?xf32>, %o: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = linalg.softmax dimension(1) ins(%x : tensor<?x?xf32>) outs(%o : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
// CHECK-LABEL: func.func @any_row_sums
// CHECK: %[[ROWS:.*]] = arith.divui %{{.*}}
// CHECK: %[[STEP:.*]] = arith.maxui %[[ROWS]], %c1 : index
// CHECK: scf.for %{{.*}} = %c0 to %{{.*}} step %[[STEP]]
// CHECK: } {joined, parallel_grain = 1 : i64}
func.func @any_row_sums(%x: tensor<?x?xf32>, %o: tensor<?xf32>) -> tensor<?xf32> {
  %r = linalg.reduce { arith.addf } ins(%x : tensor<?x?xf32>) outs(%o : tensor<?xf32>) dimensions = [1]
  return %r : tensor<?xf32>
}

// Of a batch of unknown size there may be one: the rows of an image are divided, too.
// CHECK-LABEL: func.func @any_batch
// CHECK: scf.for %{{.*}} = %c0 to %c112 step
// CHECK-COUNT-2: parallel_grain = {{[0-9]+}} : i64}
// CHECK-NOT: parallel_grain
// CHECK: return
func.func @any_batch(%x: tensor<?x114x114x64xf32>, %w: tensor<3x3x64xf32>, %o: tensor<?x112x112x64xf32>) -> tensor<?x112x112x64xf32> {
  %r = linalg.depthwise_conv_2d_nhwc_hwc ins(%x, %w : tensor<?x114x114x64xf32>, tensor<3x3x64xf32>) outs(%o : tensor<?x112x112x64xf32>) -> tensor<?x112x112x64xf32>
  return %r : tensor<?x112x112x64xf32>
}

// Few long iterations are divided where there are no more.
// CHECK-LABEL: func.func @few_blocks
// CHECK: parallel_grain
// CHECK: return
func.func @few_blocks(%x: tensor<8192x256xbf16>, %o: tensor<256xf32>) -> tensor<256xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<8192x256xbf16>) outs(%o : tensor<256xf32>) {
  ^bb0(%a: bf16, %s: f32):
    %w = arith.extf %a : bf16 to f32
    %t = arith.addf %s, %w : f32
    linalg.yield %t : f32
  } -> tensor<256xf32>
  return %r : tensor<256xf32>
}

// One row of several heads waits for what it is multiplied by: fewer multiply-adds are worth threads.
// CHECK-LABEL: func.func @heads_of_one_row
// CHECK: parallel_grain
// CHECK: return
func.func @heads_of_one_row(%a: tensor<16x1x64xf32>, %b: tensor<16x1000x64xf32>, %c: tensor<16x1x1000xf32>) -> tensor<16x1x1000xf32> {
  %r = linalg.batch_matmul indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>]
      ins(%a, %b : tensor<16x1x64xf32>, tensor<16x1000x64xf32>) outs(%c : tensor<16x1x1000xf32>) -> tensor<16x1x1000xf32>
  return %r : tensor<16x1x1000xf32>
}

// A place for an operand that each iteration turns around is in the loop that threads divide, in its other form, too.
// CHECK-LABEL: func.func @turned
// CHECK-NOT: tensor.empty
// CHECK: scf.for
// CHECK: %[[PLACE:.*]] = tensor.empty
// CHECK: tensor.collapse_shape %[[PLACE]]
func.func @turned(%a: tensor<100x3x100x8x?xf32>, %b: tensor<?x100x8xf32>, %o: tensor<?x100x3xf32>) -> tensor<?x100x3xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(n, c, i, k, j) -> (i, j, k, c, n)>, affine_map<(n, c, i, k, j) -> (n, i, c)>, affine_map<(n, c, i, k, j) -> (n, i, j)>], iterator_types = ["parallel", "reduction", "parallel", "reduction", "parallel"]} ins(%a, %b : tensor<100x3x100x8x?xf32>, tensor<?x100x8xf32>) outs(%o : tensor<?x100x3xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<?x100x3xf32>
  return %r : tensor<?x100x3xf32>
}
