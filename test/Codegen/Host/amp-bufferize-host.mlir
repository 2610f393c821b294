// RUN: amp-opt --amp-bufferize-host %s | FileCheck %s

// CHECK: memref.global "private" constant @[[$K:.*]] : memref<8xf32, #gpu.address_space<global>> = dense<
module {
  // Kernels stay on tensors.
  // CHECK: func.func @negate(%{{.*}}: tensor<8xf32>
  module @kernels {
    func.func @negate(%x: tensor<8xf32>, %d: tensor<8xf32> {amp.destination = 0 : i64}) -> tensor<8xf32> attributes {amp.kernel} {
      %0 = linalg.negf ins(%x : tensor<8xf32>) outs(%d : tensor<8xf32>) -> tensor<8xf32>
      return %0 : tensor<8xf32>
    }
  }

  // Constants are device memory.
  // CHECK-LABEL: func.func @constant
  // CHECK: memref.get_global @[[$K]]
  func.func @constant() -> tensor<8xf32> {
    %k = arith.constant dense<[1.,2.,3.,4.,5.,6.,7.,8.]> : tensor<8xf32>
    %e = tensor.empty() : tensor<8xf32>
    %0 = amp.launch @kernels::@negate ins(%k : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }

  // An argument is never written.
  // CHECK-LABEL: func.func @argument
  // CHECK-SAME: %[[X:.*]]: memref<8xf32, #gpu.address_space<global>>
  // CHECK: %[[A:.*]] = memref.alloc()
  // CHECK: amp.launch @kernels::@negate ins(%[[X]] : {{.*}}) outs(%[[A]]
  func.func @argument(%x: tensor<8xf32>) -> tensor<8xf32> {
    %0 = amp.launch @kernels::@negate ins(%x : tensor<8xf32>) outs(%x : tensor<8xf32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }

  // Two results are two buffers.
  // CHECK-LABEL: func.func @twice
  // CHECK: amp.launch {{.*}} outs(%[[A:.*]] :
  // CHECK: %[[B:.*]] = memref.alloc()
  // CHECK: memref.copy %[[A]], %[[B]]
  // CHECK: return %[[A]], %[[B]]
  func.func @twice(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
    %e = tensor.empty() : tensor<8xf32>
    %0 = amp.launch @kernels::@negate ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    return %0, %0 : tensor<8xf32>, tensor<8xf32>
  }
}
