// RUN: amp-opt %s --amp-form-kernels --split-input-file | FileCheck %s

// Each region is grouped on its own; what decides is read by the host.

// CHECK-LABEL: func.func @branches(
// CHECK: scf.if
// CHECK: amp.launch @kernels::@branches_exp_{{[0-9]}}
// CHECK: else
// CHECK: amp.launch @kernels::@branches_sin_{{[0-9]}}
// CHECK: scf.while
// CHECK: tensor.extract
// CHECK: scf.condition
// CHECK: amp.launch @kernels::@branches_cos_{{[0-9]}}
func.func @branches(%x: tensor<4xf32>, %c: i1, %n: tensor<i32>) -> tensor<4xf32> {
  %r = scf.if %c -> tensor<4xf32> {
    %0 = math.exp %x : tensor<4xf32>
    scf.yield %0 : tensor<4xf32>
  } else {
    %0 = math.sin %x : tensor<4xf32>
    scf.yield %0 : tensor<4xf32>
  }
  %k = arith.constant 0 : i32
  %w = scf.while (%a = %r) : (tensor<4xf32>) -> tensor<4xf32> {
    %v = tensor.extract %n[] : tensor<i32>
    %cc = arith.cmpi sgt, %v, %k : i32
    scf.condition(%cc) %a : tensor<4xf32>
  } do {
  ^bb0(%a: tensor<4xf32>):
    %b = math.cos %a : tensor<4xf32>
    scf.yield %b : tensor<4xf32>
  }
  return %w : tensor<4xf32>
}

// -----

// A slice of what a loop carries is written in place.

// CHECK-LABEL: func.func @loop(
// CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}})
// CHECK: tensor.extract_slice
// CHECK: amp.launch @kernels::@loop_exp_0
// CHECK: tensor.insert_slice %{{.*}} into %[[A]]
// CHECK: scf.yield
func.func @loop(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %e = tensor.empty() : tensor<8x4xf32>
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %e) -> (tensor<8x4xf32>) {
    %s = tensor.extract_slice %x[%i, 0] [1, 4] [1, 1] : tensor<8x4xf32> to tensor<1x4xf32>
    %0 = math.exp %s : tensor<1x4xf32>
    %1 = tensor.insert_slice %0 into %a[%i, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<8x4xf32>
    scf.yield %1 : tensor<8x4xf32>
  }
  return %r : tensor<8x4xf32>
}

// -----

// A call parts what is before it from what is after.

// CHECK-LABEL: func.func @caller(
// CHECK: %[[A:.*]] = amp.launch @kernels::@caller_exp_0
// CHECK: %[[B:.*]] = call @callee(%[[A]])
// CHECK: amp.launch @kernels::@caller_add_1 ins(%[[B]], %[[A]]
func.func private @callee(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = math.cos %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @caller(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = math.exp %x : tensor<4xf32>
  %1 = call @callee(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = arith.addf %1, %0 : tensor<4xf32>
  return %2 : tensor<4xf32>
}
