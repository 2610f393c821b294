// RUN: amp-opt %s --amp-inline-kernels --split-input-file | FileCheck %s

// The module of the kernels goes; an operand of another shape is cast.

// CHECK-NOT: module @kernels
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:.*]]: tensor<8xf32>) -> tensor<8xf32>
// CHECK: %[[E:.*]] = tensor.empty() : tensor<8xf32>
// CHECK: %[[IN:.*]] = tensor.cast %[[X]] : tensor<8xf32> to tensor<?xf32>
// CHECK: %[[OUT:.*]] = tensor.cast %[[E]] : tensor<8xf32> to tensor<?xf32>
// CHECK: %[[R:.*]] = linalg.negf ins(%[[IN]] : tensor<?xf32>) outs(%[[OUT]] : tensor<?xf32>)
// CHECK: %[[C:.*]] = tensor.cast %[[R]] : tensor<?xf32> to tensor<8xf32>
// CHECK: return %[[C]]
module {
  module @kernels {
    func.func @negate(%x: tensor<?xf32>, %d: tensor<?xf32> {amp.destination = 0 : i64}) -> tensor<?xf32> attributes {amp.kernel} {
      %0 = linalg.negf ins(%x : tensor<?xf32>) outs(%d : tensor<?xf32>) -> tensor<?xf32>
      return %0 : tensor<?xf32>
    }
  }
  func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
    %e = tensor.empty() : tensor<8xf32>
    %0 = amp.launch @kernels::@negate ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}

// -----

// A module that holds something else stays, without the kernel.

// CHECK-LABEL: module @tools
// CHECK-NEXT: func.func @other
// CHECK-NOT: amp.kernel
module {
  module @tools {
    func.func @other() {
      return
    }
    func.func @kernel(%d: tensor<8xf32> {amp.destination = 0 : i64}) -> tensor<8xf32> attributes {amp.kernel} {
      %z = arith.constant 0.0 : f32
      %0 = linalg.fill ins(%z : f32) outs(%d : tensor<8xf32>) -> tensor<8xf32>
      return %0 : tensor<8xf32>
    }
  }
  func.func @main() -> tensor<8xf32> {
    %e = tensor.empty() : tensor<8xf32>
    %0 = amp.launch @tools::@kernel outs(%e : tensor<8xf32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}
