// RUN: amp-opt %s --amp-arrange-convolutions --split-input-file | FileCheck %s
// RUN: amp-opt %s --amp-arrange-convolutions --amp-arrange-convolutions --split-input-file | FileCheck %s
// RUN: amp-opt %s --amp-arrange-convolutions --split-input-file --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s --check-prefix=LOC
// RUN: amp-opt %s --amp-arrange-convolutions --split-input-file --remarks-filter=amp --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK --implicit-check-not=remark:
// RUN: amp-opt %s --amp-arrange-convolutions --amp-split-init --split-input-file | FileCheck %s --check-prefix=INIT
// RUN: amp-opt %s --amp-arrange-convolutions --amp-split-init --amp-form-kernels=separate-casts=true --split-input-file | FileCheck %s --check-prefix=FORM

// A weight of 8 bits, contiguous along the columns, is transposed in init, also
// for few rows.

// CHECK-DAG: #[[$MK:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[$NK:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-LABEL: func.func @weight(
// CHECK-SAME: %[[X:.*]]: tensor<16x512xf8E4M3FN>, %[[W:.*]]: tensor<512x384xf8E5M2>
// CHECK: %[[E:.*]] = tensor.empty() : tensor<384x512xf8E5M2>
// CHECK: %[[T:.*]] = linalg.transpose ins(%[[W]] : tensor<512x384xf8E5M2>) outs(%[[E]] : tensor<384x512xf8E5M2>) permutation = [1, 0]
// CHECK: linalg.generic {indexing_maps = [#[[$MK]], #[[$NK]], #{{.*}}], iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[X]], %[[T]] : tensor<16x512xf8E4M3FN>, tensor<384x512xf8E5M2>)
// CHECK-SAME: attrs = {note = "mine"}
// LOC-LABEL: func.func @weight(
// LOC: linalg.transpose {{.*}} loc({{.*}}:[[@LINE+14]]:8)
// REMARK: remark: [Passed] ContractionArranged | Category:amp | Function=weight | Op=linalg.matmul, Operands=right
// INIT-LABEL: func.func @weight(
// INIT-NOT: linalg.transpose
// INIT-LABEL: func.func @weight_init(
// INIT: linalg.transpose
// FORM-LABEL: func.func @weight(
// FORM-COUNT-1: amp.launch
// FORM-NOT: amp.launch
// FORM: return
func.func @weight(%x: tensor<16x512xf8E4M3FN>, %w: tensor<512x384xf8E5M2> {amp.weight}) -> tensor<16x384xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x384xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<16x384xf32>) -> tensor<16x384xf32>
  %r = linalg.matmul {note = "mine"} ins(%x, %w : tensor<16x512xf8E4M3FN>, tensor<512x384xf8E5M2>) outs(%f : tensor<16x384xf32>) -> tensor<16x384xf32>
  return %r : tensor<16x384xf32>
}

// -----

// Any operand of a large product of integers; the transposition is a kernel of
// its own.

// CHECK-LABEL: func.func @large(
// CHECK-COUNT-2: linalg.transpose
// REMARK: remark: [Passed] ContractionArranged | Category:amp | Function=large | Op=linalg.batch_matmul, Operands=both
// FORM-LABEL: func.func @large(
// FORM: amp.launch @kernels::@large_transpose_0
// FORM: amp.launch @kernels::@large_transpose_1
// FORM: amp.launch @kernels::@large_matmul_2
func.func @large(%x: tensor<2x4096x?xi8>, %y: tensor<2x4096x4096xi8>) -> tensor<2x?x4096xi32> {
  %c2 = arith.constant 2 : index
  %z = arith.constant 0 : i32
  %m = tensor.dim %x, %c2 : tensor<2x4096x?xi8>
  %e = tensor.empty(%m) : tensor<2x?x4096xi32>
  %f = linalg.fill ins(%z : i32) outs(%e : tensor<2x?x4096xi32>) -> tensor<2x?x4096xi32>
  %r = linalg.batch_matmul indexing_maps = [affine_map<(b, m, n, k) -> (b, k, m)>, affine_map<(b, m, n, k) -> (b, k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>]
      ins(%x, %y : tensor<2x4096x?xi8>, tensor<2x4096x4096xi8>) outs(%f : tensor<2x?x4096xi32>) -> tensor<2x?x4096xi32>
  return %r : tensor<2x?x4096xi32>
}

// -----

// What the program transposes is transposed back: nothing moves.

// CHECK-LABEL: func.func @back(
// CHECK-NOT: linalg.transpose
// CHECK: linalg.generic
// CHECK-SAME: ins(%{{.*}}, %{{.*}} : tensor<128x512xf8E4M3FN>, tensor<384x512xf8E4M3FN>)
// REMARK: remark: [Passed] ContractionArranged | Category:amp | Function=back | Op=linalg.matmul, Operands=right
func.func @back(%x: tensor<128x512xf8E4M3FN>, %y: tensor<384x512xf8E4M3FN>) -> tensor<128x384xf32> {
  %z = arith.constant 0.0 : f32
  %t = tensor.empty() : tensor<512x384xf8E4M3FN>
  %yt = linalg.transpose ins(%y : tensor<384x512xf8E4M3FN>) outs(%t : tensor<512x384xf8E4M3FN>) permutation = [1, 0]
  %e = tensor.empty() : tensor<128x384xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<128x384xf32>) -> tensor<128x384xf32>
  %r = linalg.matmul ins(%x, %yt : tensor<128x512xf8E4M3FN>, tensor<512x384xf8E4M3FN>) outs(%f : tensor<128x384xf32>) -> tensor<128x384xf32>
  return %r : tensor<128x384xf32>
}

// -----

// Left alone: a product that takes less time than to transpose, one of few
// bytes, sums of other types, 16 bits, and what is innermost already.

// CHECK-LABEL: func.func @small(
// CHECK: linalg.matmul
// CHECK-LABEL: func.func @tiny(
// CHECK: linalg.matmul
// CHECK-LABEL: func.func @sums(
// CHECK: linalg.matmul
// CHECK-LABEL: func.func @halves(
// CHECK: linalg.matmul
// CHECK-LABEL: func.func @innermost(
// CHECK: linalg.matmul
// CHECK-NOT: linalg.transpose
func.func @small(%x: tensor<128x512xi8>, %y: tensor<512x384xi8>, %f: tensor<128x384xi32>) -> tensor<128x384xi32> {
  %r = linalg.matmul ins(%x, %y : tensor<128x512xi8>, tensor<512x384xi8>) outs(%f : tensor<128x384xi32>) -> tensor<128x384xi32>
  return %r : tensor<128x384xi32>
}
func.func @tiny(%x: tensor<16x64xi8>, %y: tensor<64x384xi8> {amp.weight}, %f: tensor<16x384xi32>) -> tensor<16x384xi32> {
  %r = linalg.matmul ins(%x, %y : tensor<16x64xi8>, tensor<64x384xi8>) outs(%f : tensor<16x384xi32>) -> tensor<16x384xi32>
  return %r : tensor<16x384xi32>
}
func.func @sums(%x: tensor<128x512xi8>, %y: tensor<512x384xi8> {amp.weight}, %f: tensor<128x384xi64>) -> tensor<128x384xi64> {
  %r = linalg.matmul ins(%x, %y : tensor<128x512xi8>, tensor<512x384xi8>) outs(%f : tensor<128x384xi64>) -> tensor<128x384xi64>
  return %r : tensor<128x384xi64>
}
func.func @halves(%x: tensor<128x512xf16>, %y: tensor<512x384xf16> {amp.weight}, %f: tensor<128x384xf32>) -> tensor<128x384xf32> {
  %r = linalg.matmul ins(%x, %y : tensor<128x512xf16>, tensor<512x384xf16>) outs(%f : tensor<128x384xf32>) -> tensor<128x384xf32>
  return %r : tensor<128x384xf32>
}
func.func @innermost(%x: tensor<128x512xi8>, %y: tensor<384x512xi8> {amp.weight}, %f: tensor<128x384xi32>) -> tensor<128x384xi32> {
  %r = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x, %y : tensor<128x512xi8>, tensor<384x512xi8>) outs(%f : tensor<128x384xi32>) -> tensor<128x384xi32>
  return %r : tensor<128x384xi32>
}
