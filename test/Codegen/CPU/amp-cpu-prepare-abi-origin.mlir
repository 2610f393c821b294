// RUN: amp-opt %s --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=x86-64-v4}),amp-cpu-prepare-abi,one-shot-bufferize{allow-return-allocs-from-loops})' | FileCheck %s

// The first vector that is written lies at the origin of a tensor that may not change: the rest of it is copied all the same.
// CHECK-LABEL: func.func @origin
// CHECK: %[[ALLOC:.*]] = memref.alloc() {{.*}}: memref<2x100xf32>
// CHECK: memref.copy %{{.*}}, %[[ALLOC]]
// CHECK: vector.transfer_write
func.func @origin(%a: tensor<2x5xf32>, %b: tensor<5x100xf32>, %c: tensor<2x100xf32>) -> tensor<2x100xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<2x5xf32>, tensor<5x100xf32>) outs(%c : tensor<2x100xf32>) -> tensor<2x100xf32>
  return %r : tensor<2x100xf32>
}
