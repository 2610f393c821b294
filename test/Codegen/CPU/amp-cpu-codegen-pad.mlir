// RUN: amp-opt %s --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=x86-64-v4}))' -split-input-file | FileCheck %s
// RUN: amp-opt %s --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=x86-64-v4}))' -split-input-file > %t.once
// RUN: amp-opt %t.once --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=x86-64-v4}))' -split-input-file | diff %t.once -

// The border alone is filled, each place once: rows above and below, then what is left of the columns.
// CHECK-LABEL: func.func @border
// CHECK-SAME: %[[X:.*]]: tensor<1x8x8x32xf32>
// CHECK: %[[NEW:.*]] = bufferization.alloc_tensor() : tensor<1x10x11x32xf32>
// CHECK: tensor.extract_slice %[[NEW]][0, 0, 0, 0] [1, 1, 11, 32]
// CHECK: tensor.insert_slice %{{.*}} into %[[NEW]][0, 0, 0, 0] [1, 1, 11, 32]
// CHECK: tensor.insert_slice {{.*}}[0, 9, 0, 0] [1, 1, 11, 32]
// CHECK: %[[BORDER:.*]] = tensor.insert_slice {{.*}}[0, 1, 8, 0] [1, 8, 3, 32]
// CHECK: %[[PADDED:.*]] = tensor.insert_slice %[[X]] into %[[BORDER]][0, 1, 0, 0] [1, 8, 8, 32]
// CHECK: return %[[PADDED]]
func.func @border(%x: tensor<1x8x8x32xf32>) -> tensor<1x10x11x32xf32> {
  %v = arith.constant 2.0 : f32
  %p = tensor.pad %x low[0, 1, 0, 0] high[0, 1, 3, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %v : f32
  } : tensor<1x8x8x32xf32> to tensor<1x10x11x32xf32>
  return %p : tensor<1x10x11x32xf32>
}

// -----

// What is padded is computed in its place: the border comes first.
// CHECK-LABEL: func.func @in_place
// CHECK: %[[BORDER:.*]] = tensor.insert_slice {{.*}}[0, 1, 8, 0] [1, 8, 3, 32]
// CHECK: %[[PLACE:.*]] = tensor.extract_slice %[[BORDER]][0, 1, 0, 0] [1, 8, 8, 32]
// CHECK: %[[MADE:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[PLACE]])
// CHECK: math.absf
// CHECK: tensor.insert_slice %[[MADE]] into %[[BORDER]][0, 1, 0, 0] [1, 8, 8, 32]
func.func @in_place(%x: tensor<1x8x8x32xf32>) -> tensor<1x10x11x32xf32> {
  %v = arith.constant 2.0 : f32
  %a = math.absf %x : tensor<1x8x8x32xf32>
  %p = tensor.pad %a low[0, 1, 0, 0] high[0, 1, 3, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %v : f32
  } : tensor<1x8x8x32xf32> to tensor<1x10x11x32xf32>
  return %p : tensor<1x10x11x32xf32>
}

// -----

// Two images with the same border are two: one would be copied before the second is written.
// CHECK-LABEL: func.func @two
// CHECK-COUNT-2: bufferization.alloc_tensor() : tensor<9x32xf32>
// CHECK: return
func.func @two(%x: tensor<8x32xf32>, %y: tensor<8x32xf32>) -> (tensor<9x32xf32>, tensor<9x32xf32>) {
  %v = arith.constant 2.0 : f32
  %p = tensor.pad %x low[0, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %v : f32
  } : tensor<8x32xf32> to tensor<9x32xf32>
  %q = tensor.pad %y low[0, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %v : f32
  } : tensor<8x32xf32> to tensor<9x32xf32>
  return %p, %q : tensor<9x32xf32>, tensor<9x32xf32>
}

// -----

// Padding inside of rows lies in every line of the memory: all of it is filled.
// CHECK-LABEL: func.func @inner
// CHECK-NOT: tensor.extract_slice
// CHECK: %[[FILLED:.*]] = scf.for
// CHECK: tensor.insert_slice %{{.*}} into %[[FILLED]][0, 1] [8, 32] [1, 1]
func.func @inner(%x: tensor<8x32xf32>) -> tensor<8x34xf32> {
  %v = arith.constant 2.0 : f32
  %p = tensor.pad %x low[0, 1] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %v : f32
  } : tensor<8x32xf32> to tensor<8x34xf32>
  return %p : tensor<8x34xf32>
}

// -----

// A value that differs from place to place is computed everywhere.
// CHECK-LABEL: func.func @computed
// CHECK: tensor.insert_slice %{{.*}}[1, 0] [8, 32] [1, 1]
func.func @computed(%x: tensor<8x32xf32>) -> tensor<9x32xf32> {
  %p = tensor.pad %x low[1, 0] high[0, 0] {
  ^bb0(%i: index, %j: index):
    %n = arith.index_cast %j : index to i32
    %f = arith.sitofp %n : i32 to f32
    tensor.yield %f : f32
  } : tensor<8x32xf32> to tensor<9x32xf32>
  return %p : tensor<9x32xf32>
}
