// RUN: amp-opt %s --amp-lower-to-cpu | FileCheck %s
// RUN: amp-opt %s --amp-lower-to-cpu="cpu=generic" | FileCheck %s
// RUN: amp-opt %s --amp-lower-to-cpu -o %t
// RUN: mlir-runner %t -e main --entry-point-result=i32 --shared-libs=%amp_lib/libamp_runtime%shlibext | FileCheck %s --check-prefix=EXEC

// Everything becomes the LLVM dialect; buffers come from the runtime and go back to it.
// CHECK-NOT: unrealized_conversion_cast
// CHECK-DAG: llvm.func @_mlir_memref_to_llvm_aligned_alloc
// CHECK-DAG: llvm.func @_mlir_memref_to_llvm_free
// CHECK-DAG: llvm.func @_mlir_ciface_affine
func.func @affine(%x: tensor<?x8xf32>, %w: tensor<8x5xf32>) -> tensor<?x5xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x8xf32>
  %z = arith.constant 1.0 : f32
  %e = tensor.empty(%n) : tensor<?x5xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x5xf32>) -> tensor<?x5xf32>
  %r = linalg.matmul ins(%x, %w : tensor<?x8xf32>, tensor<8x5xf32>) outs(%f : tensor<?x5xf32>) -> tensor<?x5xf32>
  return %r : tensor<?x5xf32>
}

// 3 rows of eight 2s times eight 3s, plus 1: 49, exact in f32.
// EXEC: 49
func.func @main() -> i32 {
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %two = arith.constant dense<2.0> : tensor<3x8xf32>
  %x = tensor.cast %two : tensor<3x8xf32> to tensor<?x8xf32>
  %w = arith.constant dense<3.0> : tensor<8x5xf32>
  %r = func.call @affine(%x, %w) : (tensor<?x8xf32>, tensor<8x5xf32>) -> tensor<?x5xf32>
  %v = tensor.extract %r[%c2, %c4] : tensor<?x5xf32>
  %i = arith.fptosi %v : f32 to i32
  return %i : i32
}

// The stack does not grow with the iterations of a loop, whose masks ask for sizes.
// CHECK-LABEL: llvm.func @masked_loop_
// CHECK-NOT: llvm.alloca
// CHECK: llvm.intr.masked
// CHECK-NOT: llvm.alloca
// CHECK: llvm.return
func.func @masked(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
