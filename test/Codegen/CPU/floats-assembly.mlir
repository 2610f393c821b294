// What loops over bf16 are in machine code: the number of instructions for each register, of which their speed depends.

// RUN: amp-opt %s --pass-pipeline='builtin.module(amp-lower-to-cpu{triple=x86_64-unknown-linux-gnu cpu=cooperlake no-scalar-fallback})' | mlir-translate --mlir-to-llvmir | opt -S -O3 -mtriple=x86_64-unknown-linux-gnu -mcpu=cooperlake | llc -O3 -mtriple=x86_64-unknown-linux-gnu -mcpu=cooperlake -o %t.s
// RUN: FileCheck %s --implicit-check-not='{{callq[[:blank:]]+(exp|erf|tanh|sin|fma|log|pow|__)}}' < %t.s

// Two registers are rounded by one instruction and seven that keep subnormal numbers.
// CHECK-LABEL: {{^}}.Lround_loop_0_body:
// CHECK: Inner Loop Header
// CHECK-NOT: vpmovdw
// CHECK: vfpclassps $32
// CHECK-NOT: vpsrld
// CHECK: vcvtne2ps2bf16
// CHECK-NOT: vpmovdw
// CHECK: End function
func.func @round(%x: tensor<1024x1024xf32>) -> tensor<1024x1024xbf16> {
  %0 = arith.truncf %x : tensor<1024x1024xf32> to tensor<1024x1024xbf16>
  return %0 : tensor<1024x1024xbf16>
}
