// RUN: amp-opt --split-input-file %s --pass-pipeline="builtin.module(func.func(amp-cpu-codegen{cpu=x86-64-v4}))" | FileCheck %s
// RUN: amp-opt --split-input-file %s --pass-pipeline="builtin.module(func.func(amp-cpu-codegen{cpu=x86-64-v4}))" --remarks-filter=amp --remark-format=emitRemark 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK

// The four ops of a softmax are one loop over rows; what lies between is a row.
// CHECK-LABEL: func.func @softmax
// CHECK: %[[OUT:.*]] = tensor.empty() : tensor<256x512xf32>
// CHECK: scf.for %{{.*}} = %{{.*}} iter_args(%[[WHOLE:.*]] = %[[OUT]]) -> (tensor<256x512xf32>) {
// CHECK: tensor.extract_slice %arg0[%{{.*}}, 0] [1, 512] [1, 1]
// CHECK: vector.reduction <maxnumf>
// CHECK: bufferization.alloc_tensor() : tensor<1x512xf32>
// CHECK: math.exp
// CHECK: vector.reduction <add>
// CHECK: tensor.extract_slice %[[WHOLE]]
// CHECK: arith.divf %{{.*}} : f32
// CHECK: arith.mulf %{{.*}} : vector
// CHECK: tensor.insert_slice
// CHECK: {independent_rows, parallel_grain
// CHECK-NEXT: return
// REMARK: remark: [Passed] FusedRows {{.*}}Ops=4
func.func @softmax(%x: tensor<256x512xf32>) -> tensor<256x512xf32> {
  %0 = tensor.empty() : tensor<256x512xf32>
  %1 = linalg.softmax dimension(1) ins(%x : tensor<256x512xf32>) outs(%0 : tensor<256x512xf32>) -> tensor<256x512xf32>
  return %1 : tensor<256x512xf32>
}

// -----

#full = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// A result that is also used elsewhere is written out, through the reshape that
// its reader in the loop has it through as well.
// CHECK-LABEL: func.func @results
// CHECK: %[[LOOP:.*]]:2 = scf.for
// CHECK-NOT: scf.for %{{.*}} iter_args{{.*}}tensor<64x
// CHECK: %[[SUMS:.*]] = tensor.expand_shape %[[LOOP]]#0
// CHECK: return %[[LOOP]]#1, %[[SUMS]]
// REMARK: remark: [Passed] FusedRows {{.*}}Ops=3
func.func @results(%x: tensor<64x128xf32>) -> (tensor<64x128xf32>, tensor<64x1xf32>) {
  %z = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<64xf32>
  %1 = linalg.fill ins(%z : f32) outs(%0 : tensor<64xf32>) -> tensor<64xf32>
  %sum = linalg.generic {indexing_maps = [#full, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<64x128xf32>) outs(%1 : tensor<64xf32>) {
  ^bb0(%a: f32, %s: f32):
    %2 = arith.addf %s, %a : f32
    linalg.yield %2 : f32
  } -> tensor<64xf32>
  %kept = tensor.expand_shape %sum [[0, 1]] output_shape [64, 1] : tensor<64xf32> into tensor<64x1xf32>
  %3 = tensor.empty() : tensor<64x128xf32>
  %4 = linalg.generic {indexing_maps = [#full, affine_map<(i, j) -> (i, 0)>, #full], iterator_types = ["parallel", "parallel"]}
      ins(%x, %kept : tensor<64x128xf32>, tensor<64x1xf32>) outs(%3 : tensor<64x128xf32>) {
  ^bb0(%a: f32, %s: f32, %o: f32):
    %5 = arith.divf %a, %s : f32
    linalg.yield %5 : f32
  } -> tensor<64x128xf32>
  return %4, %kept : tensor<64x128xf32>, tensor<64x1xf32>
}

// -----

#full = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// The matrix product between them reads all rows: they stay apart.
// CHECK-LABEL: func.func @between
// REMARK-NOT: FusedRows
func.func @between(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %z = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<64xf32>
  %1 = linalg.fill ins(%z : f32) outs(%0 : tensor<64xf32>) -> tensor<64xf32>
  %sum = linalg.generic {indexing_maps = [#full, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<64x64xf32>) outs(%1 : tensor<64xf32>) {
  ^bb0(%a: f32, %s: f32):
    %2 = arith.addf %s, %a : f32
    linalg.yield %2 : f32
  } -> tensor<64xf32>
  %wide = tensor.expand_shape %sum [[0, 1]] output_shape [64, 1] : tensor<64xf32> into tensor<64x1xf32>
  %flat = tensor.expand_shape %sum [[0, 1]] output_shape [1, 64] : tensor<64xf32> into tensor<1x64xf32>
  %3 = tensor.empty() : tensor<64x64xf32>
  %4 = linalg.fill ins(%z : f32) outs(%3 : tensor<64x64xf32>) -> tensor<64x64xf32>
  %m = linalg.matmul ins(%wide, %flat : tensor<64x1xf32>, tensor<1x64xf32>) outs(%4 : tensor<64x64xf32>) -> tensor<64x64xf32>
  %5 = linalg.generic {indexing_maps = [#full, #full, #row, #full], iterator_types = ["parallel", "parallel"]}
      ins(%x, %m, %sum : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64xf32>) outs(%3 : tensor<64x64xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32, %o: f32):
    %6 = arith.divf %a, %s : f32
    %7 = arith.addf %6, %b : f32
    linalg.yield %7 : f32
  } -> tensor<64x64xf32>
  return %5 : tensor<64x64xf32>
}

// -----

#full = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (j)>

// Sums of columns have no rows to go along; a lone reduction needs no loop.
// CHECK-LABEL: func.func @columns
// REMARK-NOT: FusedRows
func.func @columns(%x: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64xf32>) {
  %z = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<64xf32>
  %1 = linalg.fill ins(%z : f32) outs(%0 : tensor<64xf32>) -> tensor<64xf32>
  %sum = linalg.generic {indexing_maps = [#full, #column], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<64x64xf32>) outs(%1 : tensor<64xf32>) {
  ^bb0(%a: f32, %s: f32):
    %2 = arith.addf %s, %a : f32
    linalg.yield %2 : f32
  } -> tensor<64xf32>
  %3 = tensor.empty() : tensor<64x64xf32>
  %4 = linalg.generic {indexing_maps = [#full, #column, #full], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum : tensor<64x64xf32>, tensor<64xf32>) outs(%3 : tensor<64x64xf32>) {
  ^bb0(%a: f32, %s: f32, %o: f32):
    %5 = arith.divf %a, %s : f32
    linalg.yield %5 : f32
  } -> tensor<64x64xf32>
  %5 = linalg.reduce ins(%x : tensor<64x64xf32>) outs(%1 : tensor<64xf32>) dimensions = [1] (%a: f32, %s: f32) {
    %6 = arith.addf %s, %a : f32
    linalg.yield %6 : f32
  }
  return %4, %5 : tensor<64x64xf32>, tensor<64xf32>
}

// -----

#full = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// Two sums of one tensor read it once, each with accumulators of its own.
// CHECK-LABEL: func.func @siblings
// CHECK: scf.for
// CHECK: scf.for {{.*}} -> (vector<{{[0-9]+}}xf32>, vector<{{[0-9]+}}xf32>)
// CHECK-COUNT-2: vector.reduction <add>
// CHECK-NOT: scf.for
// CHECK: return
func.func @siblings(%x: tensor<64x1024xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %z = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<64xf32>
  %1 = linalg.fill ins(%z : f32) outs(%0 : tensor<64xf32>) -> tensor<64xf32>
  %sum = linalg.generic {indexing_maps = [#full, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<64x1024xf32>) outs(%1 : tensor<64xf32>) {
  ^bb0(%a: f32, %s: f32):
    %2 = arith.addf %s, %a : f32
    linalg.yield %2 : f32
  } -> tensor<64xf32>
  %3 = tensor.empty() : tensor<64xf32>
  %4 = linalg.fill ins(%z : f32) outs(%3 : tensor<64xf32>) -> tensor<64xf32>
  %squares = linalg.generic {indexing_maps = [#full, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<64x1024xf32>) outs(%4 : tensor<64xf32>) {
  ^bb0(%a: f32, %s: f32):
    %5 = arith.mulf %a, %a : f32
    %6 = arith.addf %s, %5 : f32
    linalg.yield %6 : f32
  } -> tensor<64xf32>
  return %sum, %squares : tensor<64xf32>, tensor<64xf32>
}

// -----

// Rows of a table at computed places are read as vectors.
// CHECK-LABEL: func.func @table
// CHECK: tensor.extract %arg1
// CHECK: vector.transfer_read %arg0[%{{.*}}, %{{.*}}], %{{.*}} {in_bounds = [true]} : tensor<100x64xf32>, vector<8xf32>
// CHECK: return
// REMARK-NOT: ScalarAccess
func.func @table(%x: tensor<100x64xf32>, %i: tensor<9xindex>) -> tensor<9x64xf32> {
  %0 = tensor.empty() : tensor<9x64xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%i : tensor<9xindex>) outs(%0 : tensor<9x64xf32>) {
  ^bb0(%a: index, %o: f32):
    %j = linalg.index 1 : index
    %2 = tensor.extract %x[%a, %j] : tensor<100x64xf32>
    linalg.yield %2 : f32
  } -> tensor<9x64xf32>
  return %1 : tensor<9x64xf32>
}

// -----

#full = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
// What makes narrower elements of a product is done there: the rows, which take them twice, read half as much.
// CHECK-LABEL: func.func @narrowed_product
// CHECK: vector.transfer_write {{.*}} : vector<{{.*}}xbf16>, tensor<256x512xbf16>
// CHECK: scf.for
// CHECK: tensor.extract_slice %{{.*}} : tensor<256x512xbf16> to tensor<1x512xbf16>
// REMARK: remark: [Passed] FusedRows {{.*}}Ops=2
func.func @narrowed_product(%a: tensor<256x512xf32>, %b: tensor<512x512xf32>) -> tensor<256x512xf32> {
  %z = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %wide = tensor.empty() : tensor<256x512xf32>
  %narrow = tensor.empty() : tensor<256x512xbf16>
  %rows = tensor.empty() : tensor<256xf32>
  %0 = linalg.fill ins(%z : f32) outs(%wide : tensor<256x512xf32>) -> tensor<256x512xf32>
  %1 = linalg.matmul ins(%a, %b : tensor<256x512xf32>, tensor<512x512xf32>) outs(%0 : tensor<256x512xf32>) -> tensor<256x512xf32>
  %2 = linalg.generic {indexing_maps = [#full, #full], iterator_types = ["parallel", "parallel"]}
      ins(%1 : tensor<256x512xf32>) outs(%narrow : tensor<256x512xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<256x512xbf16>
  %3 = linalg.fill ins(%least : f32) outs(%rows : tensor<256xf32>) -> tensor<256xf32>
  %4 = linalg.generic {indexing_maps = [#full, #row], iterator_types = ["parallel", "reduction"]} ins(%2 : tensor<256x512xbf16>) outs(%3 : tensor<256xf32>) {
  ^bb0(%x: bf16, %o: f32):
    %w = arith.extf %x : bf16 to f32
    %m = arith.maximumf %w, %o : f32
    linalg.yield %m : f32
  } -> tensor<256xf32>
  %5 = linalg.generic {indexing_maps = [#full, #row, #full], iterator_types = ["parallel", "parallel"]}
      ins(%2, %4 : tensor<256x512xbf16>, tensor<256xf32>) outs(%wide : tensor<256x512xf32>) {
  ^bb0(%x: bf16, %m: f32, %o: f32):
    %w = arith.extf %x : bf16 to f32
    %d = arith.subf %w, %m : f32
    linalg.yield %d : f32
  } -> tensor<256x512xf32>
  return %5 : tensor<256x512xf32>
}
