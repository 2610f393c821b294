// RUN: amp-opt %s --verify-roundtrip | FileCheck %s
// RUN: amp-opt %s --mlir-print-op-generic | amp-opt | FileCheck %s
// RUN: amp-opt %s --emit-bytecode | amp-opt | FileCheck %s
// RUN: amp-opt %s --canonicalize | FileCheck %s --check-prefix=CANON

module @kernels {
  // CHECK: func.func @scale(%{{.*}}: tensor<?xf32>, %{{.*}}: f32, %{{.*}}: tensor<?xf32> {amp.destination = 0 : i64}) -> tensor<?xf32> attributes {amp.kernel, amp.schedule = "map"}
  func.func @scale(%x: tensor<?xf32>, %s: f32, %d: tensor<?xf32> {amp.destination = 0 : i64}) -> tensor<?xf32>
      attributes {amp.kernel, amp.schedule = "map"} {
    %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
        ins(%x : tensor<?xf32>) outs(%d : tensor<?xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1 = arith.mulf %in, %s : f32
      linalg.yield %1 : f32
    } -> tensor<?xf32>
    return %0 : tensor<?xf32>
  }
  func.func @zero(%d: tensor<4xf32> {amp.destination = 0 : i64}) -> tensor<4xf32> attributes {amp.kernel} {
    %z = arith.constant 0.0 : f32
    %0 = linalg.fill ins(%z : f32) outs(%d : tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}

// CHECK-LABEL: func.func @tensors
func.func @tensors(%x: tensor<?xf32>, %s: f32, %e: tensor<?xf32>) -> tensor<?xf32> {
  // CHECK: amp.launch @kernels::@scale ins(%{{.*}}, %{{.*}} : tensor<?xf32>, f32) outs(%{{.*}} : tensor<?xf32>) {test.flag} -> tensor<?xf32>
  %0 = amp.launch @kernels::@scale ins(%x, %s : tensor<?xf32>, f32) outs(%e : tensor<?xf32>) {test.flag} -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// CHECK-LABEL: func.func @no_inputs
func.func @no_inputs(%e: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: amp.launch @kernels::@zero outs(%{{.*}} : tensor<4xf32>) -> tensor<4xf32>
  %0 = amp.launch @kernels::@zero outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// On buffers there are no results; a static shape passes for a dynamic one. It
// has an effect, so it stays.
// CHECK-LABEL: func.func @buffers
// CANON-LABEL: func.func @buffers
func.func @buffers(%x: memref<8xf32, strided<[1], offset: ?>>, %s: f32, %d: memref<8xf32>) {
  // CHECK: amp.launch @kernels::@scale ins(%{{.*}}, %{{.*}} : memref<8xf32, strided<[1], offset: ?>>, f32) outs(%{{.*}} : memref<8xf32>)
  // CANON: amp.launch
  amp.launch @kernels::@scale ins(%x, %s : memref<8xf32, strided<[1], offset: ?>>, f32) outs(%d : memref<8xf32>)
  return
}

// Without a use, a launch on tensors is dead.
// CANON-LABEL: func.func @dead
func.func @dead(%x: tensor<?xf32>, %s: f32, %e: tensor<?xf32>) {
  // CANON-NOT: amp.launch
  // CANON: return
  %0 = amp.launch @kernels::@scale ins(%x, %s : tensor<?xf32>, f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return
}

// Casts to a more dynamic type fold into the launch, and the sizes of a result
// are those of its destination.
// CANON-LABEL: func.func @casts
// CANON-SAME: %[[X:.*]]: tensor<8xf32>, %[[S:.*]]: f32
func.func @casts(%x: tensor<8xf32>, %s: f32) -> (tensor<?xf32>, index) {
  // CANON: %[[C8:.*]] = arith.constant 8 : index
  // CANON: %[[E:.*]] = tensor.empty() : tensor<8xf32>
  // CANON: %[[R:.*]] = amp.launch @kernels::@scale ins(%[[X]], %[[S]] : tensor<8xf32>, f32) outs(%[[E]] : tensor<8xf32>) -> tensor<8xf32>
  // CANON: %[[C:.*]] = tensor.cast %[[R]] : tensor<8xf32> to tensor<?xf32>
  // CANON: return %[[C]], %[[C8]]
  %c0 = arith.constant 0 : index
  %e = tensor.empty() : tensor<8xf32>
  %0 = tensor.cast %x : tensor<8xf32> to tensor<?xf32>
  %1 = tensor.cast %e : tensor<8xf32> to tensor<?xf32>
  %2 = amp.launch @kernels::@scale ins(%0, %s : tensor<?xf32>, f32) outs(%1 : tensor<?xf32>) -> tensor<?xf32>
  %3 = tensor.dim %2, %c0 : tensor<?xf32>
  return %2, %3 : tensor<?xf32>, index
}
