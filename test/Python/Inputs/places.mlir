// Functions whose results are written to where the caller wants them, or not:
// see places.py.
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i) -> (i)>

// One result of sizes that are known only when it runs, checked first.
// CHECK-LABEL: define internal void @amp.packed.sum(
// CHECK: @ampCpuAllocateResult(i64 64, i64 {{.*}}, i64 0,
func.func @sum(%x: tensor<?x?xf32> {amp.name = "x"}, %y: tensor<?x?xf32> {amp.name = "y"}) -> (tensor<?x?xf32> {amp.name = "sum"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %n = tensor.dim %x, %c1 : tensor<?x?xf32>
  %p = tensor.dim %y, %c0 : tensor<?x?xf32>
  %same = arith.cmpi eq, %m, %p : index
  cf.assert %same, "as many rows"
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<?x?xf32>, tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// Several, and a number among them; the last one under another shape.
// CHECK-LABEL: define internal void @amp.packed.several(
// CHECK-DAG: @ampCpuAllocateResult(i64 64, i64 512, i64 0,
// CHECK-DAG: @ampCpuAllocateResult(i64 64, i64 256, i64 2,
// CHECK-DAG: @ampCpuAllocateResult(i64 64, i64 512, i64 3,
func.func @several(%x: tensor<8x16xf32>) -> (tensor<8x16xf32>, f32, tensor<8x16xf16>, tensor<128xf32>) {
  %two = arith.constant 2.0 : f32
  %three = arith.constant dense<3.0> : tensor<8x16xf32>
  %r0 = arith.addf %x, %three : tensor<8x16xf32>
  %r1 = arith.truncf %x : tensor<8x16xf32> to tensor<8x16xf16>
  %0 = arith.mulf %x, %three : tensor<8x16xf32>
  %r2 = tensor.collapse_shape %0 [[0, 1]] : tensor<8x16xf32> into tensor<128xf32>
  return %r0, %two, %r1, %r2 : tensor<8x16xf32>, f32, tensor<8x16xf16>, tensor<128xf32>
}

// Two of sizes that are known only when it runs: those of the second one are
// looked at when the first one is written.
// CHECK-LABEL: define internal void @amp.packed.pair(
// CHECK: @ampCpuAllocateResult(i64 64, i64 {{.*}}, i64 1,
func.func @pair(%x: tensor<?xf32>, %y: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = arith.addf %x, %x : tensor<?xf32>
  %1 = math.absf %y : tensor<?xf32>
  return %0, %1 : tensor<?xf32>, tensor<?xf32>
}

// A product, whose sums are added to in several steps.
// CHECK-LABEL: define internal void @amp.packed.product(
// CHECK: @ampCpuAllocateResult(i64 64, i64 {{.*}}, i64 0,
func.func @product(%x: tensor<?x300xf32>, %w: tensor<300x70xf32>) -> tensor<?x70xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %x, %c0 : tensor<?x300xf32>
  %e = tensor.empty(%m) : tensor<?x70xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x70xf32>) -> tensor<?x70xf32>
  %r = linalg.matmul ins(%x, %w : tensor<?x300xf32>, tensor<300x70xf32>) outs(%f : tensor<?x70xf32>) -> tensor<?x70xf32>
  return %r : tensor<?x70xf32>
}

// So large that its stores bypass the caches.
// CHECK-LABEL: define internal void @amp.packed.large(
// CHECK: @ampCpuAllocateResult(i64 64, i64 8519680, i64 0,
func.func @large(%x: tensor<2048x1040xf32>) -> tensor<2048x1040xf32> {
  %r = arith.addf %x, %x : tensor<2048x1040xf32>
  return %r : tensor<2048x1040xf32>
}

// One value twice, and an argument.
// CHECK-LABEL: define internal void @amp.packed.same(
// CHECK: @ampCpuAllocateResult(i64 64, i64 64, i64 0,
// CHECK: @ampCpuAllocateResult(i64 64, i64 64, i64 1,
// CHECK: @ampCpuAllocateResult(i64 64, i64 64, i64 2,
func.func @same(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
  %0 = arith.addf %x, %x : tensor<4x4xf32>
  return %0, %0, %x : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
}

// Other code calls @called, of whose results none is one of @caller.
// CHECK-LABEL: define internal void @amp.packed.called(
// CHECK-NOT: @ampCpuAllocateResult
func.func @called(%x: tensor<4x4xf32>) -> tensor<4x4xf32> attributes {no_inline} {
  %0 = arith.addf %x, %x : tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
// CHECK-LABEL: define internal void @amp.packed.caller(
// CHECK: @ampCpuAllocateResult(i64 64, i64 64, i64 0,
// CHECK-NOT: @ampCpuAllocateResult
func.func @caller(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = func.call @called(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = func.call @called(%0) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = arith.mulf %0, %1 : tensor<4x4xf32>
  return %2 : tensor<4x4xf32>
}

// An index may be found to be out of bounds once elements are written.
// CHECK-LABEL: define internal void @amp.packed.gather(
// CHECK: @ampCpuAllocateResult(i64 64, i64 {{.*}}, i64 0,
func.func @gather(%table: tensor<?xf32>, %at: tensor<?xi64>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %at, %c0 : tensor<?xi64>
  %e = tensor.empty(%n) : tensor<?xf32>
  %r = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]}
      ins(%at : tensor<?xi64>) outs(%e : tensor<?xf32>) {
  ^bb0(%i: i64, %o: f32):
    %j = arith.index_cast %i : i64 to index
    %v = tensor.extract %table[%j] : tensor<?xf32>
    linalg.yield %v : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// The first result is written before an index of the second one is looked at.
// CHECK-LABEL: define internal void @amp.packed.late(
// CHECK-NOT: @ampCpuAllocateResult
// CHECK: @ampCpuAllocateResult(i64 64, i64 {{.*}}, i64 1,
// CHECK-NOT: @ampCpuAllocateResult
func.func @late(%x: tensor<64xf32>, %at: tensor<?xi64>) -> (tensor<64xf32>, tensor<?xf32>) {
  %0 = arith.addf %x, %x : tensor<64xf32>
  %c0 = arith.constant 0 : index
  %n = tensor.dim %at, %c0 : tensor<?xi64>
  %e = tensor.empty(%n) : tensor<?xf32>
  %r = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]}
      ins(%at : tensor<?xi64>) outs(%e : tensor<?xf32>) {
  ^bb0(%i: i64, %o: f32):
    %j = arith.index_cast %i : i64 to index
    %v = tensor.extract %0[%j] : tensor<64xf32>
    linalg.yield %v : f32
  } -> tensor<?xf32>
  return %0, %r : tensor<64xf32>, tensor<?xf32>
}

// The result of the last turn of a loop, and of one side of a branch.
// CHECK-LABEL: define internal void @amp.packed.repeat(
// CHECK-NOT: @ampCpuAllocateResult
func.func @repeat(%x: tensor<4x4xf32>, %n: index) -> tensor<4x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<4x4xf32> {
    %0 = arith.addf %a, %x : tensor<4x4xf32>
    scf.yield %0 : tensor<4x4xf32>
  }
  return %r : tensor<4x4xf32>
}
// CHECK-LABEL: define internal void @amp.packed.choose(
// CHECK: @ampCpuAllocateResult(i64 64, i64 64, i64 0,
func.func @choose(%x: tensor<4x4xf32>, %which: i1) -> tensor<4x4xf32> {
  %r = scf.if %which -> tensor<4x4xf32> {
    %0 = arith.addf %x, %x : tensor<4x4xf32>
    scf.yield %0 : tensor<4x4xf32>
  } else {
    scf.yield %x : tensor<4x4xf32>
  }
  return %r : tensor<4x4xf32>
}
