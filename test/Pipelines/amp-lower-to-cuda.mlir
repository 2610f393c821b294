// RUN: amp-opt --amp-lower-to-cuda=target=sim %s | FileCheck %s

// From linalg to the LLVM dialect: kernels for the simulator, the entry, and
// the description of the model. Nothing else is seen from outside.
// CHECK-DAG: llvm.func internal @main(%{{.*}}: !llvm.ptr)
// CHECK-DAG: llvm.call @ampCudaLaunch
// CHECK-DAG: llvm.mlir.global external constant @main_model
// CHECK-DAG: llvm.mlir.global external constant @kernels.image
// CHECK-NOT: unrealized_conversion_cast
// CHECK-NOT: gpu.
func.func @main(%x: tensor<?x100xf32>, %w: tensor<100x40xf32> {amp.weight}) -> tensor<?x40xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x100xf32>
  %t = tensor.empty(%n) : tensor<?x100xf32>
  %h = linalg.exp ins(%x : tensor<?x100xf32>) outs(%t : tensor<?x100xf32>) -> tensor<?x100xf32>
  %e = tensor.empty(%n) : tensor<?x40xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<?x40xf32>) -> tensor<?x40xf32>
  %y = linalg.matmul ins(%h, %w : tensor<?x100xf32>, tensor<100x40xf32>) outs(%i : tensor<?x40xf32>) -> tensor<?x40xf32>
  return %y : tensor<?x40xf32>
}
