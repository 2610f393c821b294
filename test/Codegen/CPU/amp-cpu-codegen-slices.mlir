// Slices of every second element are read by whole vectors, with what lies between; slices of columns where they are, and not as one dimension, which were a copy.
// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=x86-64-v4}))' | FileCheck %s
// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=x86-64-v4}))' --remarks-filter=amp --remark-format=emitRemark -o %t 2>&1 | FileCheck %s --check-prefix=REMARK

// CHECK-LABEL: func.func @every_second(
// CHECK-SAME: %[[X:.*]]: tensor<8x128xf32>
// CHECK: %[[S:.*]] = tensor.extract_slice %[[X]][0, 1] [8, 127] [1, 1] : tensor<8x128xf32> to tensor<8x127xf32>
// CHECK: %[[V:.*]] = vector.transfer_read %[[S]][{{.*}}], %{{.*}} : tensor<8x127xf32>, vector<64xf32>
// CHECK: %[[W:.*]] = vector.transfer_read %[[S]][{{.*}}], %{{.*}} : tensor<8x127xf32>, vector<64xf32>
// CHECK: %[[E:.*]] = vector.shuffle %[[V]], %[[W]] [0, 2, 4,
// CHECK: math.exp %[[E]]
func.func @every_second(%x: tensor<8x128xf32>) -> tensor<8x64xf32> {
  %s = tensor.extract_slice %x[0, 1] [8, 64] [1, 2] : tensor<8x128xf32> to tensor<8x64xf32>
  %e = math.exp %s : tensor<8x64xf32>
  return %e : tensor<8x64xf32>
}

// -----

// A result as it is, and rows that are apart, too.
// CHECK-LABEL: func.func @copied(
// CHECK-NOT: [2, 3]
// CHECK: tensor.extract_slice %{{.*}}[1, 0] [7, 187] [1, 1] : tensor<9x200xi8> to tensor<7x187xi8>
// CHECK: vector.shuffle %{{.*}} [0, 3, 6, 9,
// CHECK-NOT: [2, 3]
func.func @copied(%x: tensor<9x200xi8>) -> tensor<4x63xi8> {
  %s = tensor.extract_slice %x[1, 0] [4, 63] [2, 3] : tensor<9x200xi8> to tensor<4x63xi8>
  return %s : tensor<4x63xi8>
}

// -----

// Sizes that are known when it runs: none gives none.
// CHECK-DAG: #[[$EXTENT:.*]] = affine_map<()[s0] -> (0, s0 * 2 - 1)>
// CHECK-LABEL: func.func @dynamic(
// CHECK: %[[N:.*]] = affine.max #[[$EXTENT]]()[%{{.*}}]
// CHECK: tensor.extract_slice %{{.*}}[0, 0] [%{{[^,]*}}, %[[N]]{{\]}} [1, 1]
// CHECK: vector.shuffle
func.func @dynamic(%x: tensor<?x?xf32>, %m: index, %n: index) -> tensor<?x?xf32> {
  %s = tensor.extract_slice %x[0, 0] [%m, %n] [1, 2] : tensor<?x?xf32> to tensor<?x?xf32>
  %e = math.absf %s : tensor<?x?xf32>
  return %e : tensor<?x?xf32>
}

// -----

// Who packs it reads a copy, as do several readers.
// CHECK-LABEL: func.func @packed(
// CHECK: vector.shuffle
// CHECK: vector.transfer_write
func.func @packed(%x: tensor<256x512xf32>, %w: tensor<256x256xf32>, %out: tensor<256x256xf32>) -> tensor<256x256xf32> {
  %s = tensor.extract_slice %x[0, 0] [256, 256] [1, 2] : tensor<256x512xf32> to tensor<256x256xf32>
  %r = linalg.matmul ins(%s, %w : tensor<256x256xf32>, tensor<256x256xf32>) outs(%out : tensor<256x256xf32>) -> tensor<256x256xf32>
  return %r : tensor<256x256xf32>
}

// -----

// CHECK-LABEL: func.func @columns(
// CHECK-NOT: tensor.collapse_shape
// CHECK: scf.for
// CHECK: scf.for
// CHECK: vector.transfer_read
// CHECK-NOT: tensor.collapse_shape
func.func @columns(%x: tensor<64x256xf32>) -> tensor<64x128xf32> {
  %s = tensor.extract_slice %x[0, 64] [64, 128] [1, 1] : tensor<64x256xf32> to tensor<64x128xf32>
  %e = math.exp %s : tensor<64x128xf32>
  return %e : tensor<64x128xf32>
}

// -----

// Rows of a part are one dimension where nothing lies between them.
// CHECK-LABEL: func.func @rows(
// CHECK: tensor.collapse_shape %{{.*}} {{\[\[}}0, 1]] : tensor<32x100xf32> into tensor<3200xf32>
func.func @rows(%x: tensor<64x100xf32>) -> tensor<32x100xf32> {
  %s = tensor.extract_slice %x[16, 0] [32, 100] [1, 1] : tensor<64x100xf32> to tensor<32x100xf32>
  %e = math.exp %s : tensor<32x100xf32>
  return %e : tensor<32x100xf32>
}

// -----

// Short rows are copied, and computed as one.
// CHECK-LABEL: func.func @short(
// CHECK: tensor.collapse_shape %{{.*}} {{\[\[}}0, 1]] : tensor<64x3xf32> into tensor<192xf32>
func.func @short(%x: tensor<64x100xf32>) -> tensor<64x3xf32> {
  %s = tensor.extract_slice %x[0, 2] [64, 3] [1, 1] : tensor<64x100xf32> to tensor<64x3xf32>
  %e = math.exp %s : tensor<64x3xf32>
  return %e : tensor<64x3xf32>
}

// -----

func.func @far_apart(%x: tensor<64x1000xf32>) -> tensor<64x100xf32> {
  %s = tensor.extract_slice %x[0, 0] [64, 100] [1, 10] : tensor<64x1000xf32> to tensor<64x100xf32>
// REMARK-NOT: remark:
// REMARK: :[[#@LINE+1]]:8: remark: [Missed] ScalarAccess
  %e = math.exp %s : tensor<64x100xf32>
  return %e : tensor<64x100xf32>
}

// -----

// The second of each two elements, which are a dimension of their own.
// CHECK-LABEL: func.func @pairs(
// CHECK-SAME: %[[X:.*]]: tensor<8x64x2xf32>
// CHECK: %[[P:.*]] = tensor.collapse_shape %[[X]] {{\[\[0\], \[1, 2\]\]}} : tensor<8x64x2xf32> into tensor<8x128xf32>
// CHECK: vector.transfer_read %[[P]]{{.*}} {in_bounds = [true]}
// CHECK: vector.transfer_read %[[P]]{{.*}} {in_bounds = [true]}
// CHECK: vector.shuffle {{.*}} [0, 2, 4,
func.func @pairs(%x: tensor<8x64x2xf32>) -> tensor<8x64xf32> {
  %s = tensor.extract_slice %x[0, 0, 1] [8, 64, 1] [1, 1, 1] : tensor<8x64x2xf32> to tensor<8x64xf32>
  %e = math.exp %s : tensor<8x64xf32>
  return %e : tensor<8x64xf32>
}

// -----

// Their dimension may be kept.
// CHECK-LABEL: func.func @pairs_kept(
// CHECK: vector.shuffle {{.*}} [0, 2, 4,
func.func @pairs_kept(%x: tensor<8x64x2xf32>) -> tensor<8x64x1xf32> {
  %s = tensor.extract_slice %x[0, 0, 1] [8, 64, 1] [1, 1, 1] : tensor<8x64x2xf32> to tensor<8x64x1xf32>
  %e = math.exp %s : tensor<8x64x1xf32>
  return %e : tensor<8x64x1xf32>
}

// -----

// One element needs no stride.
// CHECK-LABEL: func.func @one(
// CHECK: tensor.extract_slice %{{.*}}[5, 0] [1, 1] [1, 1] : tensor<8x2xf16> to tensor<1xf16>
func.func @one(%x: tensor<8x2xf16>) -> tensor<1xf16> {
  %s = tensor.extract_slice %x[5, 0] [1, 1] [4, 1] : tensor<8x2xf16> to tensor<1xf16>
  return %s : tensor<1xf16>
}

// -----

// Where strides would not tell which dimension a buffer drops, that is said.
// CHECK-LABEL: func.func @unclear(
// CHECK: %[[S:.*]] = tensor.extract_slice %{{.*}}[4, 1, 0, 2, 1] [4, 4, 1, 1, 1] [1, 2, 1, 1, 1] : tensor<?x?x1x4x4xi8> to tensor<4x4x1x1x1xi8>
// CHECK: tensor.collapse_shape %[[S]] {{\[\[0\], \[1, 2\], \[3\], \[4\]\]}}
func.func @unclear(%x: tensor<?x?x1x4x4xi8>) -> tensor<4x4x1x1xi8> {
  %s = tensor.extract_slice %x[4, 1, 0, 2, 1] [4, 4, 1, 1, 1] [1, 2, 4, 1, 2] : tensor<?x?x1x4x4xi8> to tensor<4x4x1x1xi8>
  return %s : tensor<4x4x1x1xi8>
}

// -----

// CHECK-LABEL: func.func @unknown_strides(
// CHECK: %[[V:.*]] = tensor.expand_shape %{{.*}} {{\[\[0\], \[1\], \[2, 3\]\]}} output_shape [1, 3, 2, 1]
// CHECK: tensor.insert_slice %[[V]] into %{{.*}}[0, 2, 0, 1] [1, 3, 2, 1] [1, 1, 1, 1]
func.func @unknown_strides(%s: tensor<1x3x2xf32>, %x: tensor<1x?x?x?xf32>) -> tensor<1x?x?x?xf32> {
  %r = tensor.insert_slice %s into %x[0, 2, 0, 1] [1, 3, 2, 1] [1, 1, 1, 1] : tensor<1x3x2xf32> into tensor<1x?x?x?xf32>
  return %r : tensor<1x?x?x?xf32>
}
