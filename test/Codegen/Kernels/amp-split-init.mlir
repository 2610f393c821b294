// RUN: amp-opt %s --amp-split-init --split-input-file | FileCheck %s
// RUN: amp-opt %s --amp-split-init --amp-split-init --split-input-file | FileCheck %s

// A cast and a transpose of a weight are done once. The bias is read as it is.

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8xf16>, %{{.*}}: tensor<2x8xf32> {amp.name = "w", amp.weight}, %[[B:[a-z0-9]+]]: tensor<2xf32> {amp.weight}, %[[P:[a-z0-9]+]]: tensor<8x2xf16> {amp.prepared = 0 : i64})
// CHECK-NOT: linalg.transpose
// CHECK: linalg.matmul ins(%[[X]], %[[P]]
// CHECK: linalg.broadcast ins(%[[B]]
// CHECK-LABEL: func.func @main_init(
// CHECK-SAME: %[[W:[a-z0-9]+]]: tensor<2x8xf32> {amp.name = "w", amp.weight}, %{{.*}}: tensor<2xf32> {amp.weight}) -> tensor<8x2xf16>
// CHECK: %[[C:.*]] = arith.truncf %[[W]] : tensor<2x8xf32> to tensor<2x8xf16>
// CHECK: %[[T:.*]] = linalg.transpose ins(%[[C]] : tensor<2x8xf16>)
// CHECK: return %[[T]]
func.func @main(%x: tensor<4x8xf16>, %w: tensor<2x8xf32> {amp.weight, amp.name = "w"}, %b: tensor<2xf32> {amp.weight}) -> tensor<4x2xf32> {
  %0 = arith.truncf %w : tensor<2x8xf32> to tensor<2x8xf16>
  %e = tensor.empty() : tensor<8x2xf16>
  %t = linalg.transpose ins(%0 : tensor<2x8xf16>) outs(%e : tensor<8x2xf16>) permutation = [1, 0]
  %z = arith.constant 0.0 : f32
  %c = tensor.empty() : tensor<4x2xf32>
  %f = linalg.fill ins(%z : f32) outs(%c : tensor<4x2xf32>) -> tensor<4x2xf32>
  %1 = linalg.matmul ins(%x, %t : tensor<4x8xf16>, tensor<8x2xf16>) outs(%f : tensor<4x2xf32>) -> tensor<4x2xf32>
  %bb = linalg.broadcast ins(%b : tensor<2xf32>) outs(%c : tensor<4x2xf32>) dimensions = [0]
  %2 = arith.addf %1, %bb : tensor<4x2xf32>
  return %2 : tensor<4x2xf32>
}

// -----

// Widening would make memory grow, and a view costs nothing: no init function.
// CHECK-LABEL: func.func @grows(
// CHECK-NOT: amp.prepared
// CHECK-NOT: @grows_init
func.func @grows(%x: tensor<4x16xf32>, %w: tensor<2x8xf16> {amp.weight}) -> tensor<4x16xf32> {
  %0 = tensor.collapse_shape %w [[0, 1]] : tensor<2x8xf16> into tensor<16xf16>
  %1 = arith.extf %0 : tensor<16xf16> to tensor<16xf32>
  %e = tensor.empty() : tensor<4x16xf32>
  %2 = linalg.broadcast ins(%1 : tensor<16xf32>) outs(%e : tensor<4x16xf32>) dimensions = [0]
  %3 = arith.addf %x, %2 : tensor<4x16xf32>
  return %3 : tensor<4x16xf32>
}

// -----

// What two readers share is prepared once; padding is worth its memory; the
// view of what is prepared stays with its reader. Constants count as weights.
// CHECK-LABEL: func.func @shared(
// CHECK-SAME: %[[P:[a-z0-9]+]]: tensor<6xf32> {amp.prepared = 0 : i64}, %[[Q:[a-z0-9]+]]: tensor<4xf16> {amp.prepared = 1 : i64})
// CHECK: tensor.expand_shape %[[P]]
// CHECK: arith.addf %{{.*}}, %[[P]]
// CHECK: arith.addf %{{.*}}, %[[Q]]
// CHECK-LABEL: func.func @shared_init(
// CHECK-SAME: -> (tensor<6xf32>, tensor<4xf16>)
// CHECK-DAG: tensor.pad
// CHECK-DAG: arith.truncf
func.func @shared(%x: tensor<6xf32>, %y: tensor<4xf16>, %w: tensor<4xf32> {amp.weight}) -> (tensor<2x3xf32>, tensor<6xf32>, tensor<4xf16>) {
  %z = arith.constant 0.0 : f32
  %k = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %p = tensor.pad %w low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %z : f32
  } : tensor<4xf32> to tensor<6xf32>
  %v = tensor.expand_shape %p [[0, 1]] output_shape [2, 3] : tensor<6xf32> into tensor<2x3xf32>
  %t = arith.truncf %k : tensor<4xf32> to tensor<4xf16>
  %s = arith.addf %x, %p : tensor<6xf32>
  %u = arith.addf %y, %t : tensor<4xf16>
  return %v, %s, %u : tensor<2x3xf32>, tensor<6xf32>, tensor<4xf16>
}

// -----

// A function that is called keeps its signature: its caller has the weights.
// CHECK-LABEL: func.func @callee(
// CHECK-NOT: amp.prepared
// CHECK-NOT: _init
func.func @callee(%w: tensor<4xf32> {amp.weight}, %x: tensor<4xf16>) -> tensor<4xf16> {
  %0 = arith.truncf %w : tensor<4xf32> to tensor<4xf16>
  %1 = arith.addf %0, %x : tensor<4xf16>
  return %1 : tensor<4xf16>
}
func.func @caller(%w: tensor<4xf32> {amp.weight}, %x: tensor<4xf16>) -> tensor<4xf16> {
  %0 = call @callee(%w, %x) : (tensor<4xf32>, tensor<4xf16>) -> tensor<4xf16>
  return %0 : tensor<4xf16>
}

// -----

// Checks of weights alone are made before the work on them, which may be in
// front of them; those of inputs stay where they are.
// CHECK-LABEL: func.func @checked(
// CHECK-COUNT-3: cf.assert
// CHECK: return
// CHECK-LABEL: func.func @checked_init(
// CHECK-NOT: of the input
// CHECK: cf.assert %{{.*}}, "sizes of the weights"
// CHECK: scf.if
// CHECK-NEXT: cf.assert %{{.*}}, "size of a weight"
// CHECK-NOT: cf.assert
// CHECK: arith.addf
// CHECK: return
func.func @checked(%x: tensor<?xf32>, %a: tensor<?xf32> {amp.weight}, %b: tensor<?xf32> {amp.weight}) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %l = tensor.dim %x, %c0 : tensor<?xf32>
  %m = tensor.dim %a, %c0 : tensor<?xf32>
  %n = tensor.dim %b, %c0 : tensor<?xf32>
  %same = arith.cmpi eq, %m, %n : index
  %fits = arith.cmpi eq, %l, %n : index
  %large = arith.cmpi sgt, %m, %c8 : index
  cf.assert %fits, "size of the input"
  cf.assert %same, "sizes of the weights"
  scf.if %large {
    cf.assert %same, "size of a weight"
  }
  %s = arith.addf %a, %b : tensor<?xf32>
  %y = arith.mulf %x, %s : tensor<?xf32>
  return %y : tensor<?xf32>
}
