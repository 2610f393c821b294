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

// Integers lose their signs, and the casts between them go.
// CHECK-LABEL: func.func @signs
// CHECK-SAME: (%[[X:.*]]: tensor<?xi8> {bufferization.writable = false}, %[[S:.*]]: i16)
// CHECK-SAME: -> (tensor<?xi8>, i16, tensor<2xi8>)
// CHECK-NEXT: %[[Y:.*]] = arith.addi %[[X]], %[[X]] : tensor<?xi8>
// CHECK-NEXT: %[[C:.*]] = arith.constant dense<[1, -56]> : tensor<2xi8>
// CHECK-NEXT: return %[[Y]], %[[S]], %[[C]]
func.func @signs(%x: tensor<?xui8>, %s: si16) -> (tensor<?xsi8>, i16, tensor<2xui8>) {
  %0 = tensor.bitcast %x : tensor<?xui8> to tensor<?xi8>
  %1 = arith.addi %0, %0 : tensor<?xi8>
  %2 = tensor.bitcast %1 : tensor<?xi8> to tensor<?xsi8>
  %3 = builtin.unrealized_conversion_cast %s : si16 to i16
  %4 = arith.constant dense<[1, 200]> : tensor<2xui8>
  return %2, %3, %4 : tensor<?xsi8>, i16, tensor<2xui8>
}
