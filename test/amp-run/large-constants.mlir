// Constants of one number that are too large for code are made as the program
// runs; compiling them took as much memory as they have bytes.

// UNSUPPORTED: sanitizer

// RUN: amp-run %s --device=cpu --entry=splat --dump-stage=llvm | FileCheck %s
// RUN: amp-run %s --device=cpu --entry=elements --dump-stage=llvm | FileCheck %s
// CHECK-NOT: llvm.mlir.global
// CHECK: llvm.func @{{splat|elements}}(
// CHECK-NOT: llvm.mlir.global
// RUN: %python %S/Inputs/fails.py 1 amp-run %s --device=cpu --entry=splat --random 2>&1 | FileCheck %s --check-prefix=MEMORY
// RUN: %python %S/Inputs/fails.py 1 amp-run %s --device=cpu --entry=elements --random 2>&1 | FileCheck %s --check-prefix=MEMORY
// MEMORY: out of memory (16000000000000 bytes)
// RUN: amp-compile %s --target=sim -o %t.so

// Smaller ones are part of the code.
// RUN: amp-run %s --device=cpu --entry=small --dump-stage=llvm | FileCheck %s --check-prefix=SMALL
// SMALL: llvm.mlir.global {{.*}}dense<1.000000e+00> : tensor<400xf32>

// Those without an element are there, on a device too.
// RUN: env -u AMP_CUDA_DRIVER amp-run %s --device=sim --entry=none --random | FileCheck %s --check-prefix=NONE
// RUN: amp-run %s --device=cpu --entry=none --random | FileCheck %s --check-prefix=NONE
// NONE: result result0: shape=4 type=f32
// NONE: result result1: shape=0 type=f32
// NONE: result result2: shape=0x3 type=i8

func.func @none(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<0xf32>, tensor<0x3xi8>) {
  %0 = math.exp %x : tensor<4xf32>
  %1 = arith.constant dense<> : tensor<0xf32>
  %2 = arith.constant dense<> : tensor<0x3xi8>
  return %0, %1, %2 : tensor<4xf32>, tensor<0xf32>, tensor<0x3xi8>
}
func.func @splat() -> tensor<4000000000000xf32> {
  %z = arith.constant 1.0 : f32
  %0 = tensor.splat %z : tensor<4000000000000xf32>
  return %0 : tensor<4000000000000xf32>
}
func.func @elements() -> tensor<2000x1000000000xi64> {
  %0 = arith.constant dense<7> : tensor<2000x1000000000xi64>
  return %0 : tensor<2000x1000000000xi64>
}
func.func @small() -> tensor<400xf32> {
  %0 = arith.constant dense<1.0> : tensor<400xf32>
  return %0 : tensor<400xf32>
}
