// RUN: amp-opt --amp-bufferize-host %s | FileCheck %s

// Where the strides of a buffer would not tell which dimension a slice drops, it drops none, and a reshape does.
// CHECK-LABEL: func.func @unclear(
// CHECK: %[[S:.*]] = memref.subview %{{.*}}[4, 1, 0, 2, 1] [4, 4, 1, 1, 1] [1, 2, 1, 1, 1]
// CHECK: memref.collapse_shape %[[S]] {{\[\[0\], \[1, 2\], \[3\], \[4\]\]}}
func.func @unclear(%x: tensor<?x?x1x4x4xi8>) -> tensor<4x4x1x1xi8> {
  %s = tensor.extract_slice %x[4, 1, 0, 2, 1] [4, 4, 1, 1, 1] [1, 2, 1, 1, 1] : tensor<?x?x1x4x4xi8> to tensor<4x4x1x1xi8>
  return %s : tensor<4x4x1x1xi8>
}

// CHECK-LABEL: func.func @clear(
// CHECK-NOT: memref.collapse_shape
func.func @clear(%x: tensor<8x1x4xf32>) -> tensor<1x4xf32> {
  %s = tensor.extract_slice %x[3, 0, 0] [1, 1, 4] [1, 1, 1] : tensor<8x1x4xf32> to tensor<1x4xf32>
  return %s : tensor<1x4xf32>
}
