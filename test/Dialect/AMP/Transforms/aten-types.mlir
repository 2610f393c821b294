// The result types of ATen ops are inferred, whatever the program wrote, inside
// scopes and outside.
//
// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file \
// RUN:   --amp-decide-precision --amp-apply-precision | FileCheck %s
//
// Doing it again changes nothing.
// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file --amp-decide-precision --amp-apply-precision > %t.once
// RUN: amp-opt %t.once --allow-unregistered-dialect --split-input-file --amp-decide-precision --amp-apply-precision > %t.twice
// RUN: diff %t.once %t.twice

// A stale type is mended, and what follows from it. A type that the program asks
// for holds.
// CHECK-LABEL: func.func @outside
func.func @outside(%a: tensor<4xf16>, %b: tensor<4xf32>, %i: tensor<4xi32>) {
  // CHECK: %[[R:.*]] = "aten.relu"(%{{.*}}) : (tensor<4xf16>) -> tensor<4xf16>
  %0 = "aten.relu"(%a) : (tensor<4xf16>) -> tensor<4xf32>
  // CHECK: "aten.exp"(%[[R]]) : (tensor<4xf16>) -> tensor<4xf16>
  %1 = "aten.exp"(%0) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: "aten.add.Tensor"(%[[R]], %{{.*}}) : (tensor<4xf16>, tensor<4xf32>) -> tensor<4xf32>
  %2 = "aten.add.Tensor"(%0, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // CHECK: %[[L:.*]] = "aten.lt.Tensor"(%[[R]], %{{.*}}) : (tensor<4xf16>, tensor<4xf32>) -> tensor<4xi1>
  %3 = "aten.lt.Tensor"(%0, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // CHECK: %[[S:.*]] = "aten.sum"(%[[L]]) : (tensor<4xi1>) -> tensor<i64>
  %4 = "aten.sum"(%3) : (tensor<4xf32>) -> tensor<f32>
  // CHECK: "aten.mul.Scalar"(%[[S]]) {other = 1.500000e+00 : f64} : (tensor<i64>) -> tensor<f32>
  %5 = "aten.mul.Scalar"(%4) {other = 1.5 : f64} : (tensor<f32>) -> tensor<f32>
  // CHECK: "aten.mul.Scalar"(%[[S]]) {other = 2 : i64} : (tensor<i64>) -> tensor<i64>
  %6 = "aten.mul.Scalar"(%4) {other = 2 : i64} : (tensor<f32>) -> tensor<f32>
  // CHECK: "aten.to.dtype"(%{{.*}}) {dtype = bf16} : (tensor<4xf16>) -> tensor<4xbf16>
  %7 = "aten.to.dtype"(%0) {dtype = bf16} : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: "aten.topk"(%{{.*}}) : (tensor<4xf16>) -> (tensor<2xf16>, tensor<2xi64>)
  %8:2 = "aten.topk"(%0) : (tensor<4xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  // CHECK: "aten.cumsum"(%{{.*}}) : (tensor<4xi32>) -> tensor<4xi64>
  %9 = "aten.cumsum"(%i) : (tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

// Numbers of another kind than the program says go back to it where something
// other than an ATen op takes them.
// CHECK-LABEL: func.func @back
func.func @back(%a: tensor<4xi32>) -> tensor<4xf32> {
  // CHECK: %[[C:.*]] = "aten.clone"(%{{.*}}) : (tensor<4xi32>) -> tensor<4xi32>
  %0 = "aten.clone"(%a) : (tensor<4xi32>) -> tensor<4xf32>
  // CHECK: %[[F:.*]] = amp.cast %[[C]] {{.*}} : tensor<4xi32> to tensor<4xf32>
  // CHECK: %[[T:.*]] = math.tanh %[[F]] : tensor<4xf32>
  %1 = math.tanh %0 : tensor<4xf32>
  // CHECK: "my.op"(%{{.*}}) : (tensor<4xf32>) -> ()
  "my.op"(%0) : (tensor<4xf32>) -> ()
  // CHECK: %[[E:.*]] = amp.cast %[[C]] {origin = boundary} : tensor<4xi32> to tensor<4xf32>
  // CHECK: return %[[E]]
  return %0 : tensor<4xf32>
}

// -----

// Through branches and loops, also for other numbers than floats. What kinds of
// numbers meet in is the program's type.
// CHECK-LABEL: func.func @flow
func.func @flow(%a: tensor<4xi32>, %b: tensor<4xf16>, %c: i1, %l: index, %u: index, %s: index) {
  // CHECK: %[[I:.*]] = scf.if %{{.*}} -> (tensor<4xi64>) {
  %0 = scf.if %c -> tensor<4xf32> {
    // CHECK: "aten.cumsum"(%{{.*}}) : (tensor<4xi32>) -> tensor<4xi64>
    %1 = "aten.cumsum"(%a) : (tensor<4xi32>) -> tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  } else {
    // CHECK: %[[N:.*]] = "aten.clone"(%{{.*}}) : (tensor<4xi32>) -> tensor<4xi32>
    // CHECK: %[[W:.*]] = amp.cast %[[N]] {{.*}} : tensor<4xi32> to tensor<4xi64>
    // CHECK: scf.yield %[[W]]
    %1 = "aten.clone"(%a) : (tensor<4xi32>) -> tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  }
  // CHECK: "aten.neg"(%[[I]]) : (tensor<4xi64>) -> tensor<4xi64>
  %2 = "aten.neg"(%0) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: scf.if %{{.*}} -> (tensor<4xf32>) {
  %3 = scf.if %c -> tensor<4xf32> {
    scf.yield %2 : tensor<4xf32>
  } else {
    %4 = "aten.exp"(%b) : (tensor<4xf16>) -> tensor<4xf32>
    scf.yield %4 : tensor<4xf32>
  }
  // CHECK: scf.for {{.*}} iter_args(%[[X:.*]] = %{{.*}}) -> (tensor<4xf16>) {
  %5 = "aten.exp"(%b) : (tensor<4xf16>) -> tensor<4xf32>
  %6 = scf.for %i = %l to %u step %s iter_args(%x = %5) -> (tensor<4xf32>) {
    // CHECK: "aten.tanh"(%[[X]]) : (tensor<4xf16>) -> tensor<4xf16>
    %7 = "aten.tanh"(%x) : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %7 : tensor<4xf32>
  }
  // CHECK: "aten.sigmoid"(%{{.*}}) : (tensor<4xf16>) -> tensor<4xf16>
  %8 = "aten.sigmoid"(%6) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// Without 'strict', an op that takes operands of one type gets a promotion where
// they differ; with an f64 operand nothing is narrowed on the way.
// CHECK-LABEL: func.func @promoted
func.func @promoted(%a: tensor<4x4xf16>, %b: tensor<4x4xf32>, %d: tensor<4x4xf64>, %i: tensor<4x4xi32>) {
  // CHECK: %[[P:.*]]:2 = amp.promote %{{.*}}, %{{.*}} {mode = elementwise} : tensor<4x4xf16>, tensor<4x4xf32>
  // CHECK: "aten.mm"(%[[P]]#0, %[[P]]#1) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %0 = "aten.mm"(%a, %b) : (tensor<4x4xf16>, tensor<4x4xf32>) -> tensor<4x4xf32>
  // CHECK: %[[Q:.*]]:2 = amp.promote %{{.*}}, %{{.*}} {mode = elementwise} : tensor<4x4xi32>, tensor<4x4xf16>
  // CHECK: "aten.mm"(%[[Q]]#0, %[[Q]]#1) : (tensor<4x4xf16>, tensor<4x4xf16>) -> tensor<4x4xf16>
  %1 = "aten.mm"(%i, %a) : (tensor<4x4xi32>, tensor<4x4xf16>) -> tensor<4x4xf32>
  amp.autocast device("cuda") dtype(f16) (%x = %b : tensor<4x4xf32>, %y = %d : tensor<4x4xf64>) {
    // CHECK: %[[W:.*]] = amp.cast %{{.*}} : tensor<4x4xf32> to tensor<4x4xf64>
    // CHECK: "aten.mm"(%[[W]], %{{.*}}) : (tensor<4x4xf64>, tensor<4x4xf64>) -> tensor<4x4xf64>
    %2 = "aten.mm"(%x, %y) : (tensor<4x4xf32>, tensor<4x4xf64>) -> tensor<4x4xf64>
    amp.yield
  }
  return
}

// -----

// Index operands, lists and absent optionals do not decide.
// CHECK-LABEL: func.func @positions
func.func @positions(%a: tensor<4xf16>, %i: tensor<4xi64>, %m: tensor<4xi1>, %b: tensor<4xf32>) {
  // CHECK: "aten.index_put"(%{{.*}}, %{{.*}}, %{{.*}}) {{.*}} -> tensor<4xf16>
  %0 = "aten.index_put"(%a, %i, %a) {operandSegmentSizes = array<i32: 1, 1, 1>} : (tensor<4xf16>, tensor<4xi64>, tensor<4xf16>) -> tensor<4xf32>
  // CHECK: "aten.where.self"(%{{.*}}, %{{.*}}, %{{.*}}) : (tensor<4xi1>, tensor<4xf16>, tensor<4xf32>) -> tensor<4xf32>
  %1 = "aten.where.self"(%m, %a, %b) : (tensor<4xi1>, tensor<4xf16>, tensor<4xf32>) -> tensor<4xf16>
  // CHECK: "aten.masked_fill.Scalar"(%{{.*}}, %{{.*}}) {value = 0.000000e+00 : f64} : (tensor<4xf16>, tensor<4xi1>) -> tensor<4xf16>
  %2 = "aten.masked_fill.Scalar"(%a, %m) {value = 0.0 : f64} : (tensor<4xf16>, tensor<4xi1>) -> tensor<4xf32>
  // CHECK: "aten.embedding"(%{{.*}}, %{{.*}}) : (tensor<4xf16>, tensor<4xi64>) -> tensor<4xf16>
  %3 = "aten.embedding"(%a, %i) : (tensor<4xf16>, tensor<4xi64>) -> tensor<4xf32>
  // CHECK: "torch.aten.cat.default"(%{{.*}}, %{{.*}}) : (tensor<4xf16>, tensor<4xi64>) -> tensor<8xf16>
  %4 = "torch.aten.cat.default"(%a, %i) : (tensor<4xf16>, tensor<4xi64>) -> tensor<8xf32>
  return
}

// -----

// In-place and out= variants give the type that they write to.
// CHECK-LABEL: func.func @written
func.func @written(%a: tensor<4xf16>, %b: tensor<4xf32>) {
  // CHECK: "aten.addcmul_"(%{{.*}}, %{{.*}}, %{{.*}}) : (tensor<4xf16>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf16>
  %0 = "aten.addcmul_"(%a, %b, %b) : (tensor<4xf16>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // CHECK: "aten.exp.out"(%{{.*}}, %{{.*}}) : (tensor<4xf16>, tensor<4xf32>) -> tensor<4xf32>
  %1 = "aten.exp.out"(%a, %b) : (tensor<4xf16>, tensor<4xf32>) -> tensor<4xf16>
  return
}
