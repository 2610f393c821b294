// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=x86-64-v4}))' | FileCheck %s
// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=x86-64-v3}))' | FileCheck %s --check-prefix=AVX2
// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=x86-64-v4 features=+avx512bf16}))' | FileCheck %s --check-prefix=DOT
// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=sapphirerapids}))' | FileCheck %s --check-prefix=SLOWDOT
// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=generic}))' | FileCheck %s --check-prefix=GENERIC
// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=x86-64-v4 features=-fma,-avx512f,-avx2 vector-bits=256}))' | FileCheck %s --check-prefix=WIDE

// A matmul is packed; its innermost loop multiplies vectors into carried accumulators.
// CHECK-LABEL: func.func @matmul
// CHECK-NOT: linalg.
// CHECK-DAG: bufferization.alloc_tensor() : tensor<{{[0-9]+x[0-9]+x[0-9]+}}xf32>
// CHECK: scf.for {{.*}} -> ({{(vector<16xf32>(, )?)+}})
// CHECK: vector.transfer_read {{.*}} {in_bounds = [true]} : tensor<{{[0-9]+x[0-9]+x[0-9]+}}xf32>, vector<16xf32>
// CHECK-NOT: scf.for
// CHECK: vector.broadcast {{.*}} : f32 to vector<16xf32>
// CHECK: vector.fma {{.*}} : vector<16xf32>
// CHECK: scf.yield {{.*}} : vector<16xf32>
// LLVM unrolls neither the loop over k nor those around it. Of 16 registers, 12 are sums.
// AVX2-LABEL: func.func @matmul
// AVX2: :12 = scf.for
// AVX2: vector.fma {{.*}} : vector<8xf32>
// AVX2: } {loop_annotation = #loop_annotation}
// AVX2: vector.transfer_write %{{[0-9]+}}#11
// AVX2: } {loop_annotation = #loop_annotation}
// GENERIC-LABEL: func.func @matmul
// GENERIC-NOT: vector.fma
// GENERIC: arith.mulf {{.*}} : vector<4xf32>
// GENERIC: arith.addf {{.*}} : vector<4xf32>
// WIDE-LABEL: func.func @matmul
// WIDE-NOT: vector.fma
// WIDE: arith.mulf {{.*}} : vector<8xf32>
func.func @matmul(%a: tensor<127x65xf32>, %b: tensor<65x333xf32>) -> tensor<127x333xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<127x333xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<127x333xf32>) -> tensor<127x333xf32>
  %r = linalg.matmul ins(%a, %b : tensor<127x65xf32>, tensor<65x333xf32>) outs(%f : tensor<127x333xf32>) -> tensor<127x333xf32>
  return %r : tensor<127x333xf32>
}

// -----

// bf16 is widened while packing, not in the innermost loop; dynamic sizes take the same way, in blocks of up to
// 32 * 64 columns, and of the 132 rows that static sizes of 1024 have.
// CHECK-LABEL: func.func @bf16
// CHECK-NOT: linalg.
// CHECK-DAG: bufferization.alloc_tensor() : tensor<32x132x64xf32>
// CHECK: arith.extf {{.*}} : vector<{{[0-9]+}}xbf16> to vector<{{[0-9]+}}xf32>
// CHECK: arith.extf {{.*}} : vector<{{[0-9]+}}xbf16> to vector<{{[0-9]+}}xf32>
// CHECK: scf.for {{.*}} -> ({{(vector<16xf32>(, )?)+}})
// CHECK-NOT: arith.extf
// CHECK: vector.fma {{.*}} : vector<16xf32>
// CHECK-NOT: arith.extf
// CHECK: return
// With an instruction for pairs it stays narrow.
// DOT-LABEL: func.func @bf16
// DOT-NOT: arith.extf
// DOT: vector.interleave {{.*}} : vector<16xbf16> -> vector<32xbf16>
// DOT: x86vector.avx512.dot {{.*}} : vector<32xbf16> -> vector<16xf32>
// Not where that instruction is slower than f32's.
// SLOWDOT-LABEL: func.func @bf16
// SLOWDOT-NOT: x86vector
// SLOWDOT: vector.fma {{.*}} : vector<16xf32>
// SLOWDOT: return
func.func @bf16(%a: tensor<?x?xbf16>, %b: tensor<?x3000xbf16>, %c: tensor<?x3000xf32>) -> tensor<?x3000xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<?x?xbf16>, tensor<?x3000xbf16>) outs(%c : tensor<?x3000xf32>) -> tensor<?x3000xf32>
  return %r : tensor<?x3000xf32>
}

// -----

// i8 is widened to i16 while packing, and pairs add to i32: the form that amp-cpu-select-instructions turns into vpmaddwd.
// CHECK-LABEL: func.func @i8
// CHECK: arith.extsi {{.*}} : vector<{{[0-9]+}}xi8> to vector<{{[0-9]+}}xi16>
// CHECK: arith.extsi {{.*}} : vector<32xi16> to vector<32xi32>
// CHECK: %[[P:.*]] = arith.muli {{.*}} : vector<32xi32>
// CHECK: %[[G:.*]] = vector.shape_cast %[[P]] : vector<32xi32> to vector<16x2xi32>
// CHECK: vector.multi_reduction <add>, %[[G]], {{.*}} [1] : vector<16x2xi32> to vector<16xi32>
func.func @i8(%a: tensor<64x64xi8>, %b: tensor<64x64xi8>, %c: tensor<64x64xi32>) -> tensor<64x64xi32> {
  %r = linalg.matmul ins(%a, %b : tensor<64x64xi8>, tensor<64x64xi8>) outs(%c : tensor<64x64xi32>) -> tensor<64x64xi32>
  return %r : tensor<64x64xi32>
}

// -----

// B stored [n][k] is transposed in registers, by shuffles.
// CHECK-LABEL: func.func @transposed
// CHECK-COUNT-64: vector.shuffle {{.*}} : vector<16xf32>, vector<16xf32>
// CHECK: vector.fma
func.func @transposed(%a: tensor<8x64x32xf32>, %b: tensor<48x32xf32>, %c: tensor<8x64x48xf32>) -> tensor<8x64x48xf32> {
  %r = linalg.contract indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>]
    ins(%a, %b : tensor<8x64x32xf32>, tensor<48x32xf32>) outs(%c : tensor<8x64x48xf32>) -> tensor<8x64x48xf32>
  return %r : tensor<8x64x48xf32>
}

// -----

// A cast in front of a contraction happens while packing.
// CHECK-LABEL: func.func @cast_producer
// CHECK-NOT: tensor<64x64xbf16>
// CHECK: %[[N:.*]] = arith.truncf {{.*}} : vector<{{[0-9]+}}xf32> to vector<{{[0-9]+}}xbf16>
// CHECK: arith.extf %[[N]]
func.func @cast_producer(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = arith.truncf %a : tensor<64x64xf32> to tensor<64x64xbf16>
  %1 = arith.truncf %b : tensor<64x64xf32> to tensor<64x64xbf16>
  %r = linalg.matmul ins(%0, %1 : tensor<64x64xbf16>, tensor<64x64xbf16>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

// -----

// Little work: register tiles without packing.
// CHECK-LABEL: func.func @small
// CHECK-NOT: linalg.
// CHECK-NOT: alloc_tensor() : tensor<{{[0-9]+x[0-9]+x[0-9]+}}xf32>
// CHECK: vector.fma
func.func @small(%a: tensor<4x8xf32>, %b: tensor<8x16xf32>, %c: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x16xf32>) outs(%c : tensor<4x16xf32>) -> tensor<4x16xf32>
  return %r : tensor<4x16xf32>
}

// -----

// A few rows read B where it is, and their tiles stay in the cache. A B that does not is prefetched, a block of k ahead.
// CHECK: #[[$AHEAD:.*]] = affine_map<()[s0, s1] -> (511, s0 + s1 + 32)>
// CHECK-LABEL: func.func @skinny
// CHECK-NOT: tensor<{{[0-9]+}}x512x{{[0-9]+}}xf32>
// CHECK: %[[BUFFER:.*]] = bufferization.to_buffer %arg1 read_only
// CHECK: scf.for {{.*}} -> ({{(vector<16xf32>(, )?)+}})
// CHECK: vector.transfer_read %arg1[{{.*}}, %[[COLUMN:.*]]], {{.*}} : tensor<512x1024xf32>, vector<16xf32>
// CHECK: %[[ROW:.*]] = affine.min #[[$AHEAD]]
// CHECK: memref.prefetch %[[BUFFER]][%[[ROW]], %[[COLUMN]]], read, locality<2>, data
// CHECK: vector.fma
// CHECK: return
func.func @skinny(%a: tensor<8x512xf32>, %b: tensor<512x1024xf32>, %c: tensor<8x1024xf32>) -> tensor<8x1024xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<8x512xf32>, tensor<512x1024xf32>) outs(%c : tensor<8x1024xf32>) -> tensor<8x1024xf32>
  return %r : tensor<8x1024xf32>
}

// -----

// CHECK-LABEL: func.func @skinny_in_cache
// CHECK-NOT: prefetch
// CHECK: return
func.func @skinny_in_cache(%a: tensor<8x64xf32>, %b: tensor<64x1024xf32>, %c: tensor<8x1024xf32>) -> tensor<8x1024xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<8x64xf32>, tensor<64x1024xf32>) outs(%c : tensor<8x1024xf32>) -> tensor<8x1024xf32>
  return %r : tensor<8x1024xf32>
}

// -----

// A few rows and a transposed B: vectors along k of both where they are, and sums over the lanes of 16 vectors at a time, parts of 128 bits first, then
// lanes within them. A k that ends in a vector has a masked step.
// CHECK-LABEL: func.func @dots
// CHECK-NOT: tensor<{{[0-9]+}}x700x{{[0-9]+}}xf32>
// CHECK: scf.for {{.*}} -> ({{(vector<16xf32>(, )?)+}})
// CHECK-COUNT-2: vector.transfer_read %arg1{{.*}} {in_bounds = [true]} : tensor<100x700xf32>, vector<16xf32>
// CHECK: vector.transfer_read %arg0{{.*}} {in_bounds = [true]} : tensor<8x700xf32>, vector<16xf32>
// CHECK: vector.fma
// CHECK: vector.transfer_read %arg1{{.*}} : tensor<100x700xf32>, vector<16xf32>
// CHECK-NOT: vector.reduction
// CHECK: %[[EVEN:.*]] = vector.shuffle %[[X:.*]], %[[Y:.*]] [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27]
// CHECK: %[[ODD:.*]] = vector.shuffle %[[X]], %[[Y]] [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31]
// CHECK: arith.addf %[[EVEN]], %[[ODD]] : vector<16xf32>
// CHECK: vector.shuffle {{.*}} [0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30]
// CHECK: %[[SUMS:.*]] = vector.extract_strided_slice {{.*}} {offsets = [0], sizes = [2], strides = [1]} : vector<16xf32> to vector<2xf32>
// CHECK: arith.addf %{{.*}}, %[[SUMS]] : vector<2xf32>
// CHECK-NOT: vector.reduction
// CHECK: return
func.func @dots(%a: tensor<8x700xf32>, %b: tensor<100x700xf32>, %c: tensor<8x100xf32>) -> tensor<8x100xf32> {
  %r = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%a, %b : tensor<8x700xf32>, tensor<100x700xf32>) outs(%c : tensor<8x100xf32>) -> tensor<8x100xf32>
  return %r : tensor<8x100xf32>
}

// -----

// Short rows of k are packed: the sums over lanes would take longer than they do.
// CHECK-LABEL: func.func @short_dots
// CHECK: bufferization.alloc_tensor
// CHECK-NOT: vector.reduction
// CHECK: return
func.func @short_dots(%a: tensor<8x300xf32>, %b: tensor<100x300xf32>, %c: tensor<8x100xf32>) -> tensor<8x100xf32> {
  %r = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%a, %b : tensor<8x300xf32>, tensor<100x300xf32>) outs(%c : tensor<8x100xf32>) -> tensor<8x100xf32>
  return %r : tensor<8x100xf32>
}

// -----

// A narrow accumulator rounds every step, as written: no packing, no fused multiply-add.
// CHECK-LABEL: func.func @narrow_accumulator
// CHECK-NOT: vector.fma
// CHECK: arith.mulf {{.*}} : vector<{{[0-9]+}}xf16>
// CHECK: arith.addf {{.*}} : vector<{{[0-9]+}}xf16>
func.func @narrow_accumulator(%a: tensor<64x64xf16>, %b: tensor<64x64xf16>, %c: tensor<64x64xf16>) -> tensor<64x64xf16> {
  %r = linalg.matmul ins(%a, %b : tensor<64x64xf16>, tensor<64x64xf16>) outs(%c : tensor<64x64xf16>) -> tensor<64x64xf16>
  return %r : tensor<64x64xf16>
}

// -----

// An elementwise chain is one loop over the collapsed tensor: a full part, whole registers, and a masked tail of one, since there
// may be no more.
// CHECK-LABEL: func.func @chain
// CHECK: %[[X:.*]] = vector.transfer_read {{.*}} {in_bounds = [true]} : tensor<?xf32>, vector<[[W:[0-9]+]]xf32>
// CHECK: %[[E:.*]] = math.exp %[[X]] : vector<[[W]]xf32>
// CHECK: arith.addf %[[E]], %[[X]]
// CHECK: vector.transfer_read {{.*}} {in_bounds = [true]} : tensor<?xf32>, vector<16xf32>
// CHECK: vector.transfer_read {{.*}}, %{{[a-z0-9_]+}} : tensor<?xf32>, vector<16xf32>
// CHECK-NOT: vector.transfer_read
// CHECK: return
func.func @chain(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = math.exp %x : tensor<?x?xf32>
  %1 = arith.addf %0, %x : tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

// -----

// A row sum keeps lanes in a register and adds them up once; the tail leaves finished lanes alone.
// CHECK-LABEL: func.func @row_sum
// CHECK: scf.for {{.*}} -> (vector<[[W:[0-9]+]]xf32>)
// CHECK: arith.addf {{.*}} : vector<[[W]]xf32>
// CHECK: arith.select {{.*}} : vector<[[W]]xi1>, vector<[[W]]xf32>
// CHECK: vector.reduction <add>, {{.*}} : vector<[[W]]xf32> into f32
func.func @row_sum(%x: tensor<10x1000xf32>) -> tensor<10xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<10xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<10xf32>) -> tensor<10xf32>
  %r = linalg.reduce ins(%x : tensor<10x1000xf32>) outs(%f : tensor<10xf32>) dimensions = [1] (%a: f32, %b: f32) {
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  }
  return %r : tensor<10xf32>
}

// -----

// A convolution is packed as a contraction: blocks of patches, none of the image.
// CHECK-LABEL: func.func @conv
// CHECK-NOT: linalg.
// CHECK: scf.for {{.*}} -> ({{(vector<[0-9]+xf32>(, )?)+}})
// CHECK: vector.fma
// CHECK: vector.fma
func.func @conv(%x: tensor<1x16x16x32xf32>, %w: tensor<3x3x32x64xf32>, %c: tensor<1x14x14x64xf32>) -> tensor<1x14x14x64xf32> {
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x16x16x32xf32>, tensor<3x3x32x64xf32>) outs(%c : tensor<1x14x14x64xf32>) -> tensor<1x14x14x64xf32>
  return %r : tensor<1x14x14x64xf32>
}

// -----

// A transposition goes through squares in registers.
// CHECK-LABEL: func.func @transpose
// CHECK-COUNT-64: vector.shuffle {{.*}} : vector<16xf32>, vector<16xf32>
func.func @transpose(%x: tensor<64x128xf32>) -> tensor<128x64xf32> {
  %e = tensor.empty() : tensor<128x64xf32>
  %r = linalg.transpose ins(%x : tensor<64x128xf32>) outs(%e : tensor<128x64xf32>) permutation = [1, 0]
  return %r : tensor<128x64xf32>
}

// -----

// Softmax is decomposed; nothing of linalg is left.
// CHECK-LABEL: func.func @softmax
// CHECK-NOT: linalg.
// CHECK: vector.reduction <max
// CHECK: math.exp {{.*}} : vector
// CHECK: vector.reduction <add
// CHECK: return
func.func @softmax(%x: tensor<8x100xf32>) -> tensor<8x100xf32> {
  %e = tensor.empty() : tensor<8x100xf32>
  %r = linalg.softmax dimension(1) ins(%x : tensor<8x100xf32>) outs(%e : tensor<8x100xf32>) -> tensor<8x100xf32>
  return %r : tensor<8x100xf32>
}

// -----

// An integer division runs for no lane past the end: the tail goes one by one, unmasked.
// CHECK-LABEL: func.func @division
// CHECK-NOT: vector.transfer_read {{.*}}, %{{[a-z0-9_]+}} : tensor
// CHECK: arith.divui {{.*}} : vector<16xi32>
// CHECK-NOT: vector.transfer_read {{.*}}, %{{[a-z0-9_]+}} : tensor
// CHECK: arith.divui {{.*}} : vector<1xi32>
// CHECK-NOT: vector.transfer_read {{.*}}, %{{[a-z0-9_]+}} : tensor
// CHECK: return
func.func @division(%a: tensor<?xi32>, %b: tensor<?xi32>, %c: tensor<?xi32>) -> tensor<?xi32> {
  %r = linalg.div_unsigned ins(%a, %b : tensor<?xi32>, tensor<?xi32>) outs(%c : tensor<?xi32>) -> tensor<?xi32>
  return %r : tensor<?xi32>
}

// -----

// What is the same everywhere is a constant of the loop, whatever its size.
// CHECK-LABEL: func.func @splat
// CHECK-DAG: %[[ONE:.*]] = arith.constant dense<1.000000e+00> : vector<{{[0-9]+}}xf32>
// CHECK-NOT: tensor.splat
// CHECK: %[[X:.*]] = vector.transfer_read
// CHECK-NEXT: arith.addf %[[X]], %[[ONE]]
// CHECK: return
func.func @splat(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %m = tensor.dim %x, %c0 : tensor<?x8xf32>
  %o = tensor.splat %one[%m] : tensor<?x8xf32>
  %r = arith.addf %x, %o : tensor<?x8xf32>
  return %r : tensor<?x8xf32>
}

// -----

// A mask is read and written in vectors: alone as many as a register has bytes, beside others as many as those.
// CHECK-LABEL: func.func @masks
// CHECK: scf.for
// CHECK: %[[M:.*]] = vector.transfer_read %{{.*}} : tensor<1000xi1>, vector<[[LANES:[0-9]+]]xi1>
// CHECK: %[[X:.*]] = vector.transfer_read %{{.*}} : tensor<1000xf32>, vector<[[LANES]]xf32>
// CHECK: arith.select %[[M]], %[[X]]
// CHECK: %[[N:.*]] = arith.xori %{{.*}} : vector<{{64|128|256}}xi1>
// CHECK: vector.transfer_write %[[N]], %{{.*}} : vector<{{64|128|256}}xi1>, tensor<1000xi1>
// CHECK: return
func.func @masks(%x: tensor<1000xf32>, %m: tensor<1000xi1>) -> (tensor<1000xf32>, tensor<1000xi1>) {
  %z = arith.constant dense<0.0> : tensor<1000xf32>
  %t = arith.constant dense<true> : tensor<1000xi1>
  %r = arith.select %m, %x, %z : tensor<1000xi1>, tensor<1000xf32>
  %n = arith.xori %m, %t : tensor<1000xi1>
  return %r, %n : tensor<1000xf32>, tensor<1000xi1>
}
