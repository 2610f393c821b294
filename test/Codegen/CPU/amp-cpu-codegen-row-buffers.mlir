// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=x86-64-v3}))' | FileCheck %s
// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=x86-64-v3},amp-cpu-codegen{cpu=x86-64-v3}))' | FileCheck %s

// Between its ops a row of unknown length is in a buffer of whole registers: the last one is stored whole, and masked after it is read.
// The result has what it has: its last register is stored masked.
// CHECK: #[[WHOLE:.*]] = affine_map<()[s0] -> ((s0 ceildiv 8) * 8)>
// CHECK: func.func @softmax
// CHECK: %[[SIZE:.*]] = affine.apply #[[WHOLE]]()[%[[N:.*]]]
// CHECK: scf.for {{.*}} -> (tensor<4000x?xf32>)
// CHECK: scf.for {{.*}} -> (tensor<4000x?xf32>)
// CHECK: %[[ROW:.*]] = bufferization.alloc_tensor(%[[SIZE]]) : tensor<1x?xf32>
// CHECK: math.exp {{.*}} : vector<32xf32>
// CHECK: math.exp {{.*}} : vector<8xf32>
// CHECK-NEXT: arith.mulf
// CHECK-NEXT: vector.transfer_write {{.*}} {in_bounds = [true]} : vector<8xf32>, tensor<1x?xf32>
// CHECK: math.exp {{.*}} : vector<8xf32>
// CHECK-NEXT: arith.mulf
// CHECK-NEXT: vector.transfer_write {{.*}} {in_bounds = [true]} : vector<8xf32>, tensor<1x?xf32>
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %[[N]] step %c8 {{.*}} -> (tensor<1x?xf32>)
// CHECK-NEXT: %[[E:.*]] = vector.transfer_read {{.*}} {in_bounds = [true]} : tensor<1x?xf32>, vector<8xf32>
// CHECK: %[[REST:.*]] = affine.apply {{.*}}[%[[N]], %[[I]]]
// CHECK-NEXT: %[[MASK:.*]] = vector.create_mask %[[REST]] : vector<8xi1>
// CHECK: arith.select %[[MASK]], %[[E]]
// CHECK: vector.transfer_write {{.*}}] : vector<8xf32>, tensor<1x?xf32>
func.func @softmax(%x: tensor<4000x?xf32>) -> tensor<4000x?xf32> {
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c1 : tensor<4000x?xf32>
  %e = tensor.empty(%n) : tensor<4000x?xf32>
  %r = linalg.softmax dimension(1) ins(%x : tensor<4000x?xf32>) outs(%e : tensor<4000x?xf32>) -> tensor<4000x?xf32>
  return %r : tensor<4000x?xf32>
}

// -----

// What others see too is as long as they see it.
// CHECK-LABEL: func.func @seen
// CHECK-NOT: ceildiv
// CHECK: bufferization.alloc_tensor(%{{.*}}) : tensor<1x?xf32>
// CHECK: vector.transfer_write {{.*}}] : vector<8xf32>, tensor<1x?xf32>
// CHECK: return
func.func @seen(%x: tensor<1x?xf32>) -> tensor<1x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %z = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c1 : tensor<1x?xf32>
  %a = bufferization.alloc_tensor(%n) : tensor<1x?xf32>
  %r = scf.for %i = %c0 to %n step %c8 iter_args(%t = %a) -> tensor<1x?xf32> {
    %v = vector.transfer_read %x[%c0, %i], %z : tensor<1x?xf32>, vector<8xf32>
    %w = vector.transfer_write %v, %t[%c0, %i] : vector<8xf32>, tensor<1x?xf32>
    scf.yield %w : tensor<1x?xf32>
  }
  return %r : tensor<1x?xf32>
}

// -----

// So is what a loop does not go over in whole registers: here it starts anywhere.
// CHECK-LABEL: func.func @anywhere
// CHECK: bufferization.alloc_tensor(%[[N:.*]]) : tensor<1x?xf32>
// CHECK: vector.transfer_write {{.*}}] : vector<8xf32>, tensor<1x?xf32>
// CHECK: return
func.func @anywhere(%x: tensor<1x?xf32>, %from: index) -> vector<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %z = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c1 : tensor<1x?xf32>
  %a = bufferization.alloc_tensor(%n) : tensor<1x?xf32>
  %r = scf.for %i = %from to %n step %c8 iter_args(%t = %a) -> tensor<1x?xf32> {
    %v = vector.transfer_read %x[%c0, %i], %z : tensor<1x?xf32>, vector<8xf32>
    %w = vector.transfer_write %v, %t[%c0, %i] : vector<8xf32>, tensor<1x?xf32>
    scf.yield %w : tensor<1x?xf32>
  }
  %v = vector.transfer_read %r[%c0, %c0], %z {in_bounds = [true]} : tensor<1x?xf32>, vector<8xf32>
  return %v : vector<8xf32>
}
