// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=x86-64-v4}))' | FileCheck %s
// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=x86-64-v4}))' --remarks-filter=amp --remark-format=emitRemark -o %t 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: not amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=x86-64-v4 no-scalar-fallback}))' -o %t 2>&1 | FileCheck %s --check-prefix=ERROR

// Two tensors, every second element each: whole vectors of both, and of the result.
// CHECK-LABEL: func.func @every
// CHECK-NOT: tensor.insert
// CHECK: %[[X:.*]] = vector.transfer_read %arg0
// CHECK: %[[Y:.*]] = vector.transfer_read %arg1
// CHECK: %[[LOW:.*]] = vector.shuffle %[[X]], %[[Y]] [0, 16, 1, 17, 2, 18, 3, 19, 4, 20,
// CHECK: %[[HIGH:.*]] = vector.shuffle %[[X]], %[[Y]] [8, 24, 9, 25, 10, 26, 11, 27, 12, 28,
// CHECK: vector.transfer_write %[[LOW]]
// CHECK: vector.transfer_write %[[HIGH]]
// CHECK: return
func.func @every(%x: tensor<8x32xf32>, %y: tensor<8x32xf32>) -> tensor<8x64xf32> {
  %e = tensor.empty() : tensor<8x64xf32>
  %a = tensor.insert_slice %y into %e[0, 1] [8, 32] [1, 2] : tensor<8x32xf32> into tensor<8x64xf32>
  %b = tensor.insert_slice %x into %a[0, 0] [8, 32] [1, 2] : tensor<8x32xf32> into tensor<8x64xf32>
  return %b : tensor<8x64xf32>
}

// -----

// What is concatenated is computed on the way, each once, also where sizes are not known.
// CHECK-LABEL: func.func @computed
// CHECK: scf.for
// CHECK: scf.for
// CHECK: %[[X:.*]] = vector.transfer_read %arg0
// CHECK: %[[Y:.*]] = vector.transfer_read %arg1
// CHECK: %[[S:.*]] = math.exp %[[X]]
// CHECK: %[[T:.*]] = arith.negf %[[Y]]
// CHECK-NOT: math.exp
// CHECK: vector.shuffle %[[S]], %[[T]]
// CHECK: vector.shuffle %[[S]], %[[T]]
// CHECK: vector.transfer_write
// CHECK: vector.transfer_write
// CHECK: scf.yield
func.func @computed(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?x2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %n = tensor.dim %x, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %s = linalg.exp ins(%x : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %t = linalg.negf ins(%y : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %to = tensor.empty(%m, %n) : tensor<?x?x2xf32>
  %a = tensor.insert_slice %s into %to[0, 0, 0] [%m, %n, 1] [1, 1, 1] : tensor<?x?xf32> into tensor<?x?x2xf32>
  %b = tensor.insert_slice %t into %a[0, 0, 1] [%m, %n, 1] [1, 1, 1] : tensor<?x?xf32> into tensor<?x?x2xf32>
  return %b : tensor<?x?x2xf32>
}

// -----

// A third of what is there already goes element by element.
// CHECK-LABEL: func.func @third
// CHECK: tensor.insert_slice
// REMARK: :[[@LINE+4]]:8: remark: [Missed] ScalarAccess | Category:amp | Function=third
// REMARK-SAME: Reason="what it inserts lies apart in its result; insert all that goes between, or write it as linalg"
// ERROR: :[[@LINE+2]]:8: error: 'tensor.insert_slice' is compiled to a loop that goes element by element, which 'no-scalar-fallback' forbids: what it inserts lies apart in its result
func.func @third(%x: tensor<8x16xf32>, %y: tensor<8x48xf32>) -> tensor<8x48xf32> {
  %r = tensor.insert_slice %x into %y[0, 1] [8, 16] [1, 3] : tensor<8x16xf32> into tensor<8x48xf32>
  return %r : tensor<8x48xf32>
}

// -----

// Columns of a larger tensor are rows of their own.
// CHECK-LABEL: func.func @columns
// REMARK-NOT: Function=columns
// ERROR-NOT: error
func.func @columns(%x: tensor<8x16xf32>, %y: tensor<8x48xf32>) -> tensor<8x48xf32> {
  %r = tensor.insert_slice %x into %y[0, 3] [8, 16] [1, 1] : tensor<8x16xf32> into tensor<8x48xf32>
  return %r : tensor<8x48xf32>
}

// -----

// In rows that are longer what only one step uses is computed once, before them.
// CHECK-LABEL: func.func @long_rows
// CHECK: math.exp
// CHECK: vector.transfer_write
// CHECK-NOT: math.exp
// CHECK: arith.select
// CHECK-NOT: math.exp
// CHECK: return
func.func @long_rows(%x: tensor<32xf32>, %y: tensor<32x64xf32>) -> tensor<32x64xf32> {
  %e = tensor.empty() : tensor<32xf32>
  %s = linalg.exp ins(%x : tensor<32xf32>) outs(%e : tensor<32xf32>) -> tensor<32xf32>
  %to = tensor.empty() : tensor<32x64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%s, %y : tensor<32xf32>, tensor<32x64xf32>) outs(%to : tensor<32x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %j = linalg.index 1 : index
    %zero = arith.constant 0 : index
    %isFirst = arith.cmpi eq, %j, %zero : index
    %v = arith.select %isFirst, %a, %b : f32
    linalg.yield %v : f32
  } -> tensor<32x64xf32>
  return %r : tensor<32x64xf32>
}
