// RUN: amp-opt %s --one-shot-bufferize="bufferize-function-boundaries" | FileCheck %s

// A launch on tensors becomes one on buffers. Kernel functions stay on tensors.
// CHECK-LABEL: func.func @scale(
// CHECK-SAME: tensor<8xf32>
module @kernels {
  func.func @scale(%x: tensor<8xf32>, %s: f32, %d: tensor<8xf32> {amp.destination = 0 : i64}) -> tensor<8xf32> attributes {amp.kernel} {
    %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
        ins(%x : tensor<8xf32>) outs(%d : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1 = arith.mulf %in, %s : f32
      linalg.yield %1 : f32
    } -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
  func.func @accumulate(%x: tensor<8xf32>, %d: tensor<8xf32> {amp.destination = 0 : i64}) -> tensor<8xf32> attributes {amp.kernel} {
    %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
        ins(%x : tensor<8xf32>) outs(%d : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1 = arith.addf %in, %out : f32
      linalg.yield %1 : f32
    } -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}

// A destination whose data the kernel does not read is written, even if the
// data is read before: a fresh buffer takes the second result, without a copy.
// CHECK-LABEL: func.func @unread(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<8xf32
// CHECK: %[[A:.*]] = memref.alloc() {{.*}} : memref<8xf32>
// CHECK: amp.launch @kernels::@scale ins(%[[X]], %{{.*}} : {{.*}}) outs(%[[A]] : memref<8xf32>)
// CHECK: %[[B:.*]] = memref.alloc() {{.*}} : memref<8xf32>
// CHECK-NOT: memref.copy
// CHECK: amp.launch @kernels::@scale ins(%[[A]], %{{.*}} : {{.*}}) outs(%[[B]] : memref<8xf32>)
func.func @unread(%x: tensor<8xf32>, %s: f32) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = bufferization.alloc_tensor() : tensor<8xf32>
  %0 = amp.launch @kernels::@scale ins(%x, %s : tensor<8xf32>, f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %1 = amp.launch @kernels::@scale ins(%0, %s : tensor<8xf32>, f32) outs(%0 : tensor<8xf32>) -> tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// Where the kernel reads it, the data is copied if it is needed again.
// CHECK-LABEL: func.func @read(
// CHECK: %[[A:.*]] = memref.alloc() {{.*}} : memref<8xf32>
// CHECK: amp.launch @kernels::@scale
// CHECK: %[[B:.*]] = memref.alloc() {{.*}} : memref<8xf32>
// CHECK: memref.copy %[[A]], %[[B]]
// CHECK: amp.launch @kernels::@accumulate ins(%{{.*}} : {{.*}}) outs(%[[B]] : memref<8xf32>)
func.func @read(%x: tensor<8xf32>, %s: f32) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = bufferization.alloc_tensor() : tensor<8xf32>
  %0 = amp.launch @kernels::@scale ins(%x, %s : tensor<8xf32>, f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %1 = amp.launch @kernels::@accumulate ins(%x : tensor<8xf32>) outs(%0 : tensor<8xf32>) -> tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}
