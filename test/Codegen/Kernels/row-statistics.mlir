// Where all that is left to do with the rows of a contraction's result is to reduce them, its kernel reduces each 64 columns.
// RUN: amp-opt %s --amp-form-kernels=separate-casts=true | FileCheck %s --check-prefix=WITHOUT
// RUN: amp-opt %s --amp-form-kernels='separate-casts=true row-statistics=true' --remarks-filter=amp --remark-format=emitRemark -o %t.mlir 2>%t.remarks
// RUN: FileCheck %s < %t.mlir
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks

// Logits of which nothing but the largest of a row, and its place in the sum, is asked for.
// WITHOUT-LABEL: func.func @logits(
// WITHOUT: amp.launch {{.*}} -> tensor<136x200xf32>
// CHECK-LABEL: func.func @logits(
// CHECK-NOT: tensor<136x200x
// CHECK: %[[PARTS:.*]]:2 = amp.launch {{.*}} -> tensor<136x4xf32>, tensor<136x4xf32>{{$}}
// CHECK: amp.launch {{.*}} ins({{.*}}%[[PARTS]]#{{.*}} -> tensor<136xf32>, tensor<136xf32>
// CHECK-NOT: amp.launch
// CHECK: return
// REMARK: RowStatistics | {{.*}}Function=logits | Matrix="in no memory", Reductions=2, SavedBytes={{[0-9]+}}
func.func @logits(%x: tensor<136x128xf16>, %w: tensor<200x128xf16>, %bias: tensor<200xf32>) -> (tensor<136xf32>, tensor<136xf32>) {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<136x200xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<136x200xf32>) -> tensor<136x200xf32>
    %c = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x, %w : tensor<136x128xf16>, tensor<200x128xf16>) outs(%f : tensor<136x200xf32>) -> tensor<136x200xf32>
    %h = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c, %bias : tensor<136x200xf32>, tensor<200xf32>) outs(%e : tensor<136x200xf32>) {
    ^bb0(%v: f32, %u: f32, %o: f32):
      %s = arith.addf %v, %u : f32
      linalg.yield %s : f32
    } -> tensor<136x200xf32>
    %max_start = arith.constant 0xFF800000 : f32
    %max_e = tensor.empty() : tensor<136xf32>
    %max_f = linalg.fill ins(%max_start : f32) outs(%max_e : tensor<136xf32>) -> tensor<136xf32>
    %max = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m)>], iterator_types = ["parallel", "reduction"]}
        ins(%h : tensor<136x200xf32>) outs(%max_f : tensor<136xf32>) {
    ^bb0(%v: f32, %acc: f32):
      %s = arith.maximumf %acc, %v : f32
      linalg.yield %s : f32
    } -> tensor<136xf32>
    %sum_start = arith.constant 0.0 : f32
    %sum_e = tensor.empty() : tensor<136xf32>
    %sum_f = linalg.fill ins(%sum_start : f32) outs(%sum_e : tensor<136xf32>) -> tensor<136xf32>
    %sum = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m)>], iterator_types = ["parallel", "reduction"]}
        ins(%h : tensor<136x200xf32>) outs(%sum_f : tensor<136xf32>) {
    ^bb0(%v: f32, %acc: f32):
      %s = arith.addf %acc, %v : f32
      linalg.yield %s : f32
    } -> tensor<136xf32>
    return %max, %sum : tensor<136xf32>, tensor<136xf32>
  }

// The matrix is a result as well; what is computed of a row's sum stays behind the reduction. Columns in whole parts.
// CHECK-LABEL: func.func @written(
// CHECK: %[[ALL:.*]]:2 = amp.launch {{.*}} -> tensor<136x256xf16>, tensor<136x4xf32>
// CHECK: amp.launch {{.*}} ins(%[[ALL]]#1 : tensor<136x4xf32>) {{.*}} -> tensor<136xf32>
// CHECK-NOT: amp.launch
// CHECK: return
// REMARK: RowStatistics | {{.*}}Function=written | Matrix=written, Reductions=1, SavedBytes={{[0-9]+}}
func.func @written(%x: tensor<136x128xf16>, %w: tensor<256x128xf16>) -> (tensor<136x256xf16>, tensor<136xf32>) {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<136x256xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<136x256xf32>) -> tensor<136x256xf32>
    %c = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x, %w : tensor<136x128xf16>, tensor<256x128xf16>) outs(%f : tensor<136x256xf32>) -> tensor<136x256xf32>
    %ye = tensor.empty() : tensor<136x256xf16>
    %y = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c : tensor<136x256xf32>) outs(%ye : tensor<136x256xf16>) {
    ^bb0(%v: f32, %o: f16):
      %s = arith.truncf %v : f32 to f16
      linalg.yield %s : f16
    } -> tensor<136x256xf16>
    %sum_start = arith.constant 0.0 : f32
    %sum_e = tensor.empty() : tensor<136xf32>
    %sum_f = linalg.fill ins(%sum_start : f32) outs(%sum_e : tensor<136xf32>) -> tensor<136xf32>
    %sum = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m)>], iterator_types = ["parallel", "reduction"]}
        ins(%y : tensor<136x256xf16>) outs(%sum_f : tensor<136xf32>) {
    ^bb0(%v: f16, %acc: f32):
      %h = arith.extf %v : f16 to f32
      %p = arith.mulf %h, %h : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<136xf32>
    %re = tensor.empty() : tensor<136xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(m) -> (m)>, affine_map<(m) -> (m)>], iterator_types = ["parallel"]}
        ins(%sum : tensor<136xf32>) outs(%re : tensor<136xf32>) {
    ^bb0(%v: f32, %o: f32):
      %s = math.sqrt %v : f32
      linalg.yield %s : f32
    } -> tensor<136xf32>
    return %y, %r : tensor<136x256xf16>, tensor<136xf32>
  }

// How many rows there are, run time tells. Absolute maxima of f16.
// CHECK-LABEL: func.func @dynamic(
// CHECK: %[[ALL:.*]]:2 = amp.launch {{.*}} -> tensor<?x200xf16>, tensor<?x4xf16>
// CHECK: amp.launch {{.*}} ins(%[[ALL]]#1 : tensor<?x4xf16>) {{.*}} -> tensor<?xf16>
// CHECK-NOT: amp.launch
// CHECK: return
// REMARK: RowStatistics | {{.*}}Function=dynamic | Matrix=written, Reductions=1,
func.func @dynamic(%x: tensor<?x128xf16>, %w: tensor<200x128xf16>) -> (tensor<?x200xf16>, tensor<?xf16>) {
    %zero = arith.constant 0.0 : f32
    %i0 = arith.constant 0 : index
    %rows = tensor.dim %x, %i0 : tensor<?x128xf16>
    %e = tensor.empty(%rows) : tensor<?x200xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x200xf32>) -> tensor<?x200xf32>
    %c = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x, %w : tensor<?x128xf16>, tensor<200x128xf16>) outs(%f : tensor<?x200xf32>) -> tensor<?x200xf32>
    %ye = tensor.empty(%rows) : tensor<?x200xf16>
    %y = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c : tensor<?x200xf32>) outs(%ye : tensor<?x200xf16>) {
    ^bb0(%v: f32, %o: f16):
      %s = arith.truncf %v : f32 to f16
      linalg.yield %s : f16
    } -> tensor<?x200xf16>
    %max_start = arith.constant 0.0 : f16
    %max_e = tensor.empty(%rows) : tensor<?xf16>
    %max_f = linalg.fill ins(%max_start : f16) outs(%max_e : tensor<?xf16>) -> tensor<?xf16>
    %max = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m)>], iterator_types = ["parallel", "reduction"]}
        ins(%y : tensor<?x200xf16>) outs(%max_f : tensor<?xf16>) {
    ^bb0(%v: f16, %acc: f16):
      %h = math.absf %v : f16
      %s = arith.maximumf %acc, %h : f16
      linalg.yield %s : f16
    } -> tensor<?xf16>
    return %y, %max : tensor<?x200xf16>, tensor<?xf16>
  }

// A batch.
// CHECK-LABEL: func.func @batch(
// CHECK: %[[PARTS:.*]] = amp.launch {{.*}} -> tensor<2x72x3xf32>
// CHECK: %[[ROWS:.*]] = tensor.collapse_shape %[[PARTS]]
// CHECK: amp.launch {{.*}} ins(%[[ROWS]] : tensor<144x3xf32>) {{.*}} -> tensor<144xf32>
// CHECK-NOT: amp.launch
// CHECK: return
func.func @batch(%x: tensor<2x72x128xf16>, %w: tensor<2x136x128xf16>) -> tensor<2x72xf32> {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<2x72x136xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x72x136xf32>) -> tensor<2x72x136xf32>
    %c = linalg.batch_matmul indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>]
      ins(%x, %w : tensor<2x72x128xf16>, tensor<2x136x128xf16>) outs(%f : tensor<2x72x136xf32>) -> tensor<2x72x136xf32>
    %se = tensor.empty() : tensor<2x72xf32>
    %sf = linalg.fill ins(%zero : f32) outs(%se : tensor<2x72xf32>) -> tensor<2x72xf32>
    %s = linalg.generic {indexing_maps = [affine_map<(b, m, n) -> (b, m, n)>, affine_map<(b, m, n) -> (b, m)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%c : tensor<2x72x136xf32>) outs(%sf : tensor<2x72xf32>) {
    ^bb0(%v: f32, %acc: f32):
      %p = arith.mulf %v, %v : f32
      %q = arith.addf %acc, %p : f32
      linalg.yield %q : f32
    } -> tensor<2x72xf32>
    return %s : tensor<2x72xf32>
  }

// The rows are read again, in registers, by the kernel that needs what they add up to.
// CHECK-LABEL: func.func @softmax(
// CHECK-NOT: x4xf32>
// CHECK: return
// REMARK: RowStatistics | {{.*}}Function=softmax | Reason="the rows are read again behind it
func.func @softmax(%x: tensor<136x128xf16>, %w: tensor<200x128xf16>) -> tensor<136x200xf32> {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<136x200xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<136x200xf32>) -> tensor<136x200xf32>
    %c = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x, %w : tensor<136x128xf16>, tensor<200x128xf16>) outs(%f : tensor<136x200xf32>) -> tensor<136x200xf32>
    %s = linalg.softmax dimension(1) ins(%c : tensor<136x200xf32>) outs(%e : tensor<136x200xf32>) -> tensor<136x200xf32>
    return %s : tensor<136x200xf32>
  }

// So are those of a quantisation.
// CHECK-LABEL: func.func @scaled(
// CHECK-NOT: x4xf32>
// CHECK: return
// REMARK: RowStatistics | {{.*}}Function=scaled | Reason="the rows are read again behind it
func.func @scaled(%x: tensor<136x128xf16>, %w: tensor<200x128xf16>) -> tensor<136x200xf32> {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<136x200xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<136x200xf32>) -> tensor<136x200xf32>
    %c = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x, %w : tensor<136x128xf16>, tensor<200x128xf16>) outs(%f : tensor<136x200xf32>) -> tensor<136x200xf32>
    %max_start = arith.constant 0xFF800000 : f32
    %max_e = tensor.empty() : tensor<136xf32>
    %max_f = linalg.fill ins(%max_start : f32) outs(%max_e : tensor<136xf32>) -> tensor<136xf32>
    %max = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m)>], iterator_types = ["parallel", "reduction"]}
        ins(%c : tensor<136x200xf32>) outs(%max_f : tensor<136xf32>) {
    ^bb0(%v: f32, %acc: f32):
      %s = arith.maximumf %acc, %v : f32
      linalg.yield %s : f32
    } -> tensor<136xf32>
    %q = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c, %max : tensor<136x200xf32>, tensor<136xf32>) outs(%e : tensor<136x200xf32>) {
    ^bb0(%v: f32, %u: f32, %o: f32):
      %s = arith.divf %v, %u : f32
      linalg.yield %s : f32
    } -> tensor<136x200xf32>
    return %q : tensor<136x200xf32>
  }

// Few rows are skinny tiles.
// CHECK-LABEL: func.func @few(
// CHECK-NOT: x4xf32>
// CHECK: return
// REMARK: RowStatistics | {{.*}}Function=few | Reason="tiles of few rows or columns have no statistics
func.func @few(%x: tensor<48x128xf16>, %w: tensor<200x128xf16>) -> tensor<48xf32> {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<48x200xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<48x200xf32>) -> tensor<48x200xf32>
    %c = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x, %w : tensor<48x128xf16>, tensor<200x128xf16>) outs(%f : tensor<48x200xf32>) -> tensor<48x200xf32>
    %max_start = arith.constant 0xFF800000 : f32
    %max_e = tensor.empty() : tensor<48xf32>
    %max_f = linalg.fill ins(%max_start : f32) outs(%max_e : tensor<48xf32>) -> tensor<48xf32>
    %max = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m)>], iterator_types = ["parallel", "reduction"]}
        ins(%c : tensor<48x200xf32>) outs(%max_f : tensor<48xf32>) {
    ^bb0(%v: f32, %acc: f32):
      %s = arith.maximumf %acc, %v : f32
      linalg.yield %s : f32
    } -> tensor<48xf32>
    return %max : tensor<48xf32>
  }

// What TMA cannot read.
// CHECK-LABEL: func.func @odd(
// CHECK-NOT: x4xf32>
// CHECK: return
// REMARK: RowStatistics | {{.*}}Function=odd | Reason="an operand is not known to be one that TMA reads as it is
func.func @odd(%x: tensor<136x125xf16>, %w: tensor<200x125xf16>) -> tensor<136xf32> {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<136x200xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<136x200xf32>) -> tensor<136x200xf32>
    %c = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x, %w : tensor<136x125xf16>, tensor<200x125xf16>) outs(%f : tensor<136x200xf32>) -> tensor<136x200xf32>
    %max_start = arith.constant 0xFF800000 : f32
    %max_e = tensor.empty() : tensor<136xf32>
    %max_f = linalg.fill ins(%max_start : f32) outs(%max_e : tensor<136xf32>) -> tensor<136xf32>
    %max = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m)>], iterator_types = ["parallel", "reduction"]}
        ins(%c : tensor<136x200xf32>) outs(%max_f : tensor<136xf32>) {
    ^bb0(%v: f32, %acc: f32):
      %s = arith.maximumf %acc, %v : f32
      linalg.yield %s : f32
    } -> tensor<136xf32>
    return %max : tensor<136xf32>
  }

// Sums of columns are another kind of kernel, of which there is nothing to say.
// CHECK-LABEL: func.func @columns(
// CHECK-NOT: x4xf32>
// CHECK: return
// REMARK-NOT: Function=columns | Reason="{{.*}}row
func.func @columns(%x: tensor<136x128xf16>, %w: tensor<200x128xf16>) -> tensor<200xf32> {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<136x200xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<136x200xf32>) -> tensor<136x200xf32>
    %c = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x, %w : tensor<136x128xf16>, tensor<200x128xf16>) outs(%f : tensor<136x200xf32>) -> tensor<136x200xf32>
    %s = tensor.empty() : tensor<200xf32>
    %g = linalg.fill ins(%zero : f32) outs(%s : tensor<200xf32>) -> tensor<200xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>], iterator_types = ["reduction", "parallel"]}
        ins(%c : tensor<136x200xf32>) outs(%g : tensor<200xf32>) {
    ^bb0(%v: f32, %acc: f32):
      %q = arith.addf %acc, %v : f32
      linalg.yield %q : f32
    } -> tensor<200xf32>
    return %r : tensor<200xf32>
  }
