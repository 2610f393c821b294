// RUN: amp-opt %s --pass-pipeline='builtin.module(amp-lower-to-cpu{cpu=x86-64-v3})' | mlir-translate --mlir-to-llvmir | opt -S -O3 -mtriple=x86_64-unknown-linux-gnu -mcpu=x86-64-v3 | llc -O3 -mtriple=x86_64-unknown-linux-gnu -mcpu=x86-64-v3 | FileCheck %s --implicit-check-not='32-byte Spill' --implicit-check-not='32-byte Folded Reload'

// With 16 registers, 12 sums, a row of B and an element of A stay in them, two steps of k at a time, while what packing
// needs to round to bf16 is elsewhere. The last panel of columns is half as wide: 6 sums, one step at a time.
// CHECK-COUNT-24: vfmadd
// CHECK-COUNT-6: vfmadd
// CHECK-NOT: vfmadd
func.func @column(%a: tensor<130x144xf32>, %b: tensor<144x40xf32>, %c: tensor<130x40xf32>) -> tensor<130x40xf32> {
  %x = arith.truncf %a : tensor<130x144xf32> to tensor<130x144xbf16>
  %y = arith.truncf %b : tensor<144x40xf32> to tensor<144x40xbf16>
  %r = linalg.matmul ins(%x, %y : tensor<130x144xbf16>, tensor<144x40xbf16>) outs(%c : tensor<130x40xf32>) -> tensor<130x40xf32>
  return %r : tensor<130x40xf32>
}
