// Products of many rows by a few columns are the transposed products, and convolutions with a few filters vectors along channels: neither packs an operand.
// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=x86-64-v4}))' | FileCheck %s
// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=sapphirerapids}))' | FileCheck %s --check-prefix=TILES
// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=x86-64-v3}))' | FileCheck %s --check-prefix=AVX2

// A is read along k where it is, for ten rows of the transposed B, whose sums make the transposed result; a last loop turns that.
// CHECK-LABEL: func.func @head(
// CHECK-SAME: %[[A:[^:]*]]: tensor<256x512xf32>, %[[B:[^:]*]]: tensor<512x10xf32>
// CHECK: tensor<10x512xf32>
// CHECK: vector.transfer_read %[[A]][%{{.*}}], %{{.*}} : tensor<256x512xf32>, vector<16xf32>
// CHECK: tensor<10x256xf32>
// CHECK: return %{{.*}} : tensor<256x10xf32>
func.func @head(%a: tensor<256x512xf32>, %b: tensor<512x10xf32>) -> tensor<256x10xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<256x10xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<256x10xf32>) -> tensor<256x10xf32>
  %r = linalg.matmul ins(%a, %b : tensor<256x512xf32>, tensor<512x10xf32>) outs(%f : tensor<256x10xf32>) -> tensor<256x10xf32>
  return %r : tensor<256x10xf32>
}

// -----

// Where rows are neighbours in A, vectors lie along these.
// CHECK-LABEL: func.func @across(
// CHECK-SAME: %[[A:[^:]*]]: tensor<512x256xf32>, %[[B:[^:]*]]: tensor<512x10xf32>
// CHECK: tensor<10x512xf32>
// CHECK: vector.transfer_read %[[A]][%{{.*}}], %{{.*}} : tensor<512x256xf32>, vector<16xf32>
// CHECK-NOT: vector.shuffle
// CHECK: vector.fma {{.*}} : vector<16xf32>
// CHECK: tensor<10x256xf32>
// CHECK: return %{{.*}} : tensor<256x10xf32>
func.func @across(%a: tensor<512x256xf32>, %b: tensor<512x10xf32>) -> tensor<256x10xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<256x10xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<256x10xf32>) -> tensor<256x10xf32>
  %r = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%a, %b : tensor<512x256xf32>, tensor<512x10xf32>) outs(%f : tensor<256x10xf32>) -> tensor<256x10xf32>
  return %r : tensor<256x10xf32>
}

// -----

// Thirteen columns fill most of a register.
// CHECK-LABEL: func.func @more(
// CHECK-NOT: tensor<13x
// CHECK: return
func.func @more(%a: tensor<256x512xf32>, %b: tensor<512x13xf32>) -> tensor<256x13xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<256x13xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<256x13xf32>) -> tensor<256x13xf32>
  %r = linalg.matmul ins(%a, %b : tensor<256x512xf32>, tensor<512x13xf32>) outs(%f : tensor<256x13xf32>) -> tensor<256x13xf32>
  return %r : tensor<256x13xf32>
}

// -----

// Twenty leave twelve lanes of two registers idle: panels are of rows of A, turned while they are packed, and the bias is added behind them. Twenty-six do not, nor
// do rows that leave as many idle.
// CHECK-LABEL: func.func @idle(
// CHECK-SAME: %[[A:[^:]*]]: tensor<256x512xf32>, %[[B:[^:]*]]: tensor<512x20xf32>
// CHECK: vector.transfer_read %[[A]][%{{.*}}], %{{.*}} : tensor<256x512xf32>, vector<16xf32>
// CHECK: vector.shuffle
// CHECK: vector.fma {{.*}} : vector<16xf32>
// CHECK: vector.transfer_write {{.*}} : vector<16xf32>, tensor<20x256xf32>
// CHECK: arith.addf
// CHECK: return %{{.*}} : tensor<256x20xf32>
func.func @idle(%a: tensor<256x512xf32>, %b: tensor<512x20xf32>, %bias: tensor<20xf32>) -> tensor<256x20xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<256x20xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<256x20xf32>) -> tensor<256x20xf32>
  %r = linalg.matmul ins(%a, %b : tensor<256x512xf32>, tensor<512x20xf32>) outs(%f : tensor<256x20xf32>) -> tensor<256x20xf32>
  %w = linalg.broadcast ins(%bias : tensor<20xf32>) outs(%e : tensor<256x20xf32>) dimensions = [0]
  %s = arith.addf %r, %w : tensor<256x20xf32>
  return %s : tensor<256x20xf32>
}

// -----

// CHECK-LABEL: func.func @not_idle(
// CHECK-NOT: tensor<26x256xf32>
// CHECK: return
func.func @not_idle(%a: tensor<256x512xf32>, %b: tensor<512x26xf32>, %c: tensor<256x26xf32>) -> tensor<256x26xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<256x512xf32>, tensor<512x26xf32>) outs(%c : tensor<256x26xf32>) -> tensor<256x26xf32>
  return %r : tensor<256x26xf32>
}

// -----

// CHECK-LABEL: func.func @idle_rows(
// CHECK-NOT: tensor<24x100xf32>
// CHECK: return
func.func @idle_rows(%a: tensor<100x512xf32>, %b: tensor<512x24xf32>, %c: tensor<100x24xf32>) -> tensor<100x24xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<100x512xf32>, tensor<512x24xf32>) outs(%c : tensor<100x24xf32>) -> tensor<100x24xf32>
  return %r : tensor<100x24xf32>
}

// -----

// Rows of tiles are those of A where it is, for up to 16 columns.
// TILES-LABEL: func.func @tiles(
// TILES-SAME: %[[A:[a-z0-9]+]]: tensor<256x512xbf16>
// TILES: tensor.empty() : tensor<4x512xbf16>
// TILES: vector.transfer_read %[[A]][{{.*}} : tensor<256x512xbf16>, vector<16x32xbf16>
// TILES: vector.contract
// TILES: return
func.func @tiles(%a: tensor<256x512xbf16>, %b: tensor<512x4xbf16>) -> tensor<256x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<256x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<256x4xf32>) -> tensor<256x4xf32>
  %r = linalg.matmul ins(%a, %b : tensor<256x512xbf16>, tensor<512x4xbf16>) outs(%f : tensor<256x4xf32>) -> tensor<256x4xf32>
  return %r : tensor<256x4xf32>
}

// -----

// CHECK-LABEL: func.func @filters(
// CHECK-SAME: %[[X:[^:]*]]: tensor<1x58x58x64xf32>
// CHECK: tensor<3x3x3x64xf32>
// CHECK: vector.transfer_read %[[X]][%{{.*}}], %{{.*}} : tensor<1x58x58x64xf32>, vector<
// CHECK: vector.reduction <add>
func.func @filters(%x: tensor<1x58x58x64xf32>, %w: tensor<3x3x64x3xf32>) -> tensor<1x56x56x3xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x56x56x3xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x56x56x3xf32>) -> tensor<1x56x56x3xf32>
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x58x58x64xf32>, tensor<3x3x64x3xf32>) outs(%f : tensor<1x56x56x3xf32>) -> tensor<1x56x56x3xf32>
  return %r : tensor<1x56x56x3xf32>
}

// -----

// One channel and one filter: vectors of pixels.
// CHECK-LABEL: func.func @blur(
// CHECK: vector.transfer_read %{{.*}} : tensor<130x130xf32>, vector<128xf32>
// CHECK-NOT: vector.reduction
// CHECK: return
func.func @blur(%x: tensor<1x130x130x1xf32>, %w: tensor<3x3x1x1xf32>) -> tensor<1x128x128x1xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x128x128x1xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x128x128x1xf32>) -> tensor<1x128x128x1xf32>
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x130x130x1xf32>, tensor<3x3x1x1xf32>) outs(%f : tensor<1x128x128x1xf32>) -> tensor<1x128x128x1xf32>
  return %r : tensor<1x128x128x1xf32>
}

// -----

// A constant that is transposed is one.
// CHECK-LABEL: func.func @constant(
// CHECK: arith.constant dense<{{\[\[}}1.000000e+00, 3.000000e+00, 1.000000e+00, {{.*}}], [2.000000e+00, 4.000000e+00, {{.*}}> : tensor<2x32xf32>
// CHECK: return
func.func @constant(%a: tensor<512x32xf32>) -> tensor<512x2xf32> {
  %b = arith.constant dense<[
    [1.0, 2.0], [3.0, 4.0], [1.0, 2.0], [3.0, 4.0], [1.0, 2.0], [3.0, 4.0], [1.0, 2.0], [3.0, 4.0],
    [1.0, 2.0], [3.0, 4.0], [1.0, 2.0], [3.0, 4.0], [1.0, 2.0], [3.0, 4.0], [1.0, 2.0], [3.0, 4.0],
    [1.0, 2.0], [3.0, 4.0], [1.0, 2.0], [3.0, 4.0], [1.0, 2.0], [3.0, 4.0], [1.0, 2.0], [3.0, 4.0],
    [1.0, 2.0], [3.0, 4.0], [1.0, 2.0], [3.0, 4.0], [1.0, 2.0], [3.0, 4.0], [1.0, 2.0], [3.0, 4.0]]> : tensor<32x2xf32>
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<512x2xf32>
  %g = linalg.fill ins(%z : f32) outs(%e : tensor<512x2xf32>) -> tensor<512x2xf32>
  %r = linalg.matmul ins(%a, %b : tensor<512x32xf32>, tensor<32x2xf32>) outs(%g : tensor<512x2xf32>) -> tensor<512x2xf32>
  return %r : tensor<512x2xf32>
}

// -----

// With 16 registers fewer rows are enough: twice as many as columns.
// CHECK-LABEL: func.func @rows(
// CHECK-NOT: tensor<8x512xf32>
// CHECK: return
// AVX2-LABEL: func.func @rows(
// AVX2: tensor<8x512xf32>
// AVX2: tensor<8x16xf32>
// AVX2: return
func.func @rows(%a: tensor<16x512xf32>, %b: tensor<512x8xf32>) -> tensor<16x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16x8xf32>) -> tensor<16x8xf32>
  %r = linalg.matmul ins(%a, %b : tensor<16x512xf32>, tensor<512x8xf32>) outs(%f : tensor<16x8xf32>) -> tensor<16x8xf32>
  return %r : tensor<16x8xf32>
}

// -----

// AVX2-LABEL: func.func @fewer_rows(
// AVX2-NOT: tensor<8x512xf32>
// AVX2: return
func.func @fewer_rows(%a: tensor<15x512xf32>, %b: tensor<512x8xf32>) -> tensor<15x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<15x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<15x8xf32>) -> tensor<15x8xf32>
  %r = linalg.matmul ins(%a, %b : tensor<15x512xf32>, tensor<512x8xf32>) outs(%f : tensor<15x8xf32>) -> tensor<15x8xf32>
  return %r : tensor<15x8xf32>
}

// -----

// Columns that are counted when the program runs: up to 12 of them are rows of the transposed product, with k and rows enough, each number in the first
// way that is large enough; the last one is not asked for. What follows is as it was.
// CHECK-LABEL: func.func @unknown(
// CHECK-SAME: %[[A:[^:]*]]: tensor<?x?xf32>, %[[B:[^:]*]]: tensor<?x?xf32>, %[[BIAS:[^:]*]]: tensor<?xf32>
// CHECK-DAG: %[[N:.*]] = tensor.dim %[[B]], %c1 : tensor<?x?xf32>
// CHECK-DAG: %[[K:.*]] = tensor.dim %[[A]], %c1 : tensor<?x?xf32>
// CHECK: %[[COUNT:.*]] = arith.subi %[[N]], %c1 : index
// CHECK: arith.cmpi ult, %[[COUNT]], %c12 : index
// CHECK: %[[DEPTH:.*]] = arith.muli %[[N]], %c10 : index
// CHECK: arith.cmpi uge, %[[K]], %[[DEPTH]] : index
// CHECK: scf.if
// CHECK: vector.transfer_read %[[B]]
// CHECK: %[[ONE:.*]] = arith.cmpi ult, %[[COUNT]], %c1 : index
// CHECK: scf.if %[[ONE]] {
// CHECK: vector.transfer_read %[[A]][%{{.*}}], %{{.*}} : tensor<?x?xf32>, vector<16xf32>
// CHECK: arith.cmpi ult, %[[COUNT]], %c2 : index
// CHECK: arith.cmpi ult, %[[COUNT]], %c4 : index
// CHECK: arith.cmpi ult, %[[COUNT]], %c8 : index
// CHECK-NOT: arith.cmpi ult, %[[COUNT]],
// CHECK: vector.transfer_read %[[BIAS]]
// CHECK: return
// AVX2-LABEL: func.func @unknown(
// AVX2: arith.cmpi ult, %[[COUNT:.*]], %c12 : index
// AVX2: arith.cmpi ult, %[[COUNT]], %c1 : index
// AVX2: arith.cmpi ult, %[[COUNT]], %c2 : index
// AVX2: arith.cmpi ult, %[[COUNT]], %c4 : index
// AVX2: arith.cmpi ult, %[[COUNT]], %c6 : index
// AVX2-NOT: arith.cmpi ult, %[[COUNT]],
// AVX2: return
func.func @unknown(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %bias: tensor<?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %a, %c0 : tensor<?x?xf32>
  %n = tensor.dim %b, %c1 : tensor<?x?xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %r = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%f : tensor<?x?xf32>) -> tensor<?x?xf32>
  %o = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%r, %bias : tensor<?x?xf32>, tensor<?xf32>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  return %o : tensor<?x?xf32>
}

// -----

// Not with a k that is too short, rows that are too few, batches, or tile registers.
// CHECK-LABEL: func.func @short(
// CHECK-NOT: muli %{{.*}}, %c10 : index
// CHECK: return
func.func @short(%a: tensor<?x30xf32>, %b: tensor<30x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<?x30xf32>, tensor<30x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
// CHECK-LABEL: func.func @one_row(
// CHECK-NOT: muli %{{.*}}, %c10 : index
// CHECK: return
func.func @one_row(%a: tensor<1x512xf32>, %b: tensor<512x?xf32>, %c: tensor<1x?xf32>) -> tensor<1x?xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<1x512xf32>, tensor<512x?xf32>) outs(%c : tensor<1x?xf32>) -> tensor<1x?xf32>
  return %r : tensor<1x?xf32>
}
// CHECK-LABEL: func.func @batch(
// CHECK-NOT: muli %{{.*}}, %c10 : index
// CHECK: return
func.func @batch(%a: tensor<8x?x?xf32>, %b: tensor<8x?x?xf32>, %c: tensor<8x?x?xf32>) -> tensor<8x?x?xf32> {
  %r = linalg.batch_matmul ins(%a, %b : tensor<8x?x?xf32>, tensor<8x?x?xf32>) outs(%c : tensor<8x?x?xf32>) -> tensor<8x?x?xf32>
  return %r : tensor<8x?x?xf32>
}
// TILES-LABEL: func.func @unknown_tiles(
// TILES-SAME: %[[A:[a-z0-9]+]]: tensor<?x?xbf16>
// TILES: arith.cmpi ult, %{{.*}}, %c16 : index
// TILES: arith.muli %{{.*}}, %c10 : index
// TILES: vector.transfer_read %[[A]][{{.*}} : tensor<?x?xbf16>, vector<16x32xbf16>
// TILES: return
func.func @unknown_tiles(%a: tensor<?x?xbf16>, %b: tensor<?x?xbf16>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<?x?xbf16>, tensor<?x?xbf16>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
