// RUN: amp-opt %s --amp-cpu-prepare-abi | FileCheck %s

// CHECK: func.func private @declared(tensor<4xf32>)
// CHECK-NOT: writable
func.func private @declared(tensor<4xf32>)

// Private functions have no C entry; their arguments are not written either.
// CHECK-LABEL: func.func private @helper
// CHECK-SAME: tensor<4xf32> {bufferization.writable = false}
// CHECK-NOT: llvm.emit_c_interface
// CHECK: return
func.func private @helper(%x: tensor<4xf32>, %i: index) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// The second use of a buffer as a result is a copy, through reshapes too.
// CHECK-LABEL: func.func @results
// CHECK-SAME: attributes {llvm.emit_c_interface}
// CHECK: %[[A:.*]] = arith.addf
// CHECK: %[[V:.*]] = tensor.expand_shape %[[A]]
// CHECK: %[[B:.*]] = arith.mulf
// CHECK: %[[C1:.*]] = bufferization.alloc_tensor() copy(%[[A]]) : tensor<4xf32>
// CHECK: %[[C2:.*]] = bufferization.alloc_tensor() copy(%[[V]]) : tensor<2x2xf32>
// CHECK: return %[[A]], %[[C1]], %[[C2]], %[[B]]
func.func @results(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<2x2xf32>, tensor<4xf32>) {
  %a = arith.addf %x, %x : tensor<4xf32>
  %v = tensor.expand_shape %a [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
  %b = arith.mulf %x, %x : tensor<4xf32>
  return %a, %a, %v, %b : tensor<4xf32>, tensor<4xf32>, tensor<2x2xf32>, tensor<4xf32>
}
