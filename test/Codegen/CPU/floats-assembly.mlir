// What loops over bf16 are in machine code: the number of instructions for each register, of which their speed depends.

// RUN: amp-opt %s --pass-pipeline='builtin.module(amp-lower-to-cpu{triple=x86_64-unknown-linux-gnu cpu=cooperlake no-scalar-fallback})' | mlir-translate --mlir-to-llvmir | opt -S -O3 -mtriple=x86_64-unknown-linux-gnu -mcpu=cooperlake | llc -O3 -mtriple=x86_64-unknown-linux-gnu -mcpu=cooperlake -o %t.s
// RUN: FileCheck %s --implicit-check-not='{{callq[[:blank:]]+(exp|erf|tanh|sin|fma|log|pow|__)}}' < %t.s
// RUN: amp-opt %s --pass-pipeline='builtin.module(amp-lower-to-cpu{triple=x86_64-unknown-linux-gnu cpu=x86-64-v3 no-scalar-fallback})' | mlir-translate --mlir-to-llvmir | opt -S -O3 -mtriple=x86_64-unknown-linux-gnu -mcpu=x86-64-v3 | llc -O3 -mtriple=x86_64-unknown-linux-gnu -mcpu=x86-64-v3 -o %t.v3.s
// RUN: FileCheck %s --check-prefix=V3 --implicit-check-not='{{callq[[:blank:]]+(exp|erf|tanh|sin|fma|log|pow|__)}}' < %t.v3.s

// Two registers are rounded by one instruction; what keeps subnormal numbers is behind a branch.
// CHECK-LABEL: {{^}}.Lround_loop_0_body:
// CHECK: Inner Loop Header
// CHECK-NOT: vpmovdw
// CHECK: vfpclassps $32
// CHECK-NOT: vpsrld
// CHECK: kortestw
// CHECK-NEXT: jne
// CHECK: vcvtne2ps2bf16
// CHECK-NOT: vpmovdw
// CHECK: End function
func.func @round(%x: tensor<1024x1024xf32>) -> tensor<1024x1024xbf16> {
  %0 = arith.truncf %x : tensor<1024x1024xf32> to tensor<1024x1024xbf16>
  return %0 : tensor<1024x1024xbf16>
}

// erf takes its six coefficients from registers: 17 instructions for a register.
// CHECK-LABEL: {{^}}.Lerf_loop_0_body:
// CHECK: Inner Loop Header
// CHECK: vreduceps $32
// CHECK-COUNT-6: vpermps
// CHECK: vfmadd
// CHECK-NOT: vscalefps
// CHECK: End function
func.func @erf(%x: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
  %0 = math.erf %x : tensor<1024x1024xf32>
  return %0 : tensor<1024x1024xf32>
}

// exp has nine multiply-adds for a register (the loop has two of them), one clamp and no shifts.
// CHECK-LABEL: {{^}}.Lexp_loop_0_body:
// CHECK: Inner Loop Header
// CHECK-NOT: {{vminps|vmaxps|vpslld|vpsrad|vpaddd}}
// CHECK: vrangeps
// CHECK-NOT: {{vminps|vmaxps|vpslld|vpsrad|vpaddd}}
// CHECK: vscalefps
// CHECK-NOT: {{vminps|vmaxps|vpslld|vpsrad|vpaddd}}
// CHECK: End function
func.func @exp(%x: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
  %0 = math.exp %x : tensor<1024x1024xf32>
  return %0 : tensor<1024x1024xf32>
}

// The largest number of a row, which starts from a number: one instruction for each register, then halves; of the first row, and of the next one,
// in the loop with the exponentials: four registers of each. There are four such loops: that of the first row, that of the others, which has the products
// that finish the row before, too, and both for rows of large numbers, which subtract.
// CHECK-LABEL: {{^}}softmax_loop_0:
// CHECK-NOT: vcmpunord
// CHECK: Inner Loop Header
// CHECK-COUNT-4: vmaxps {{.*}}%zmm
// CHECK-NOT: {{vcmpunord|vsub|vrangeps}}
// CHECK: Inner Loop Header
// CHECK-COUNT-4: vmulps
// CHECK-COUNT-4: vmaxps {{.*}}%zmm
// CHECK-NOT: {{vsub|vmulps|vrangeps}}
// CHECK-COUNT-4: vfmadd132ps
// CHECK-COUNT-4: vreduceps
// CHECK-NOT: {{vsub|vmulps|vrangeps}}
// CHECK-COUNT-12: vfmadd213ps
// CHECK-NOT: {{vsub|vmulps|vrangeps|vfmadd}}
// CHECK-COUNT-4: vscalefps
// CHECK-NOT: {{vcmpunord|vsub|vrangeps}}
// CHECK: Inner Loop Header
// CHECK: vsubps
// CHECK-COUNT-4: vrangeps
// CHECK-NOT: vcmpunord
// CHECK: Inner Loop Header
// CHECK: vsubps
// CHECK-COUNT-4: vrangeps
// CHECK-NOT: vcmpunord
// CHECK: End function
// Without vscalefps: no argument is positive, so none is clamped above, and one factor is enough.
// V3-LABEL: {{^}}softmax_loop_0:
// V3-NOT: {{vminps|vpsrad|vpsubd}}
// V3: vfmadd
// V3-NOT: {{vminps|vpsrad|vpsubd}}
// V3: End function
func.func @softmax(%x: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
  %e = tensor.empty() : tensor<1024x1024xf32>
  %0 = linalg.softmax dimension(1) ins(%x : tensor<1024x1024xf32>) outs(%e : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  return %0 : tensor<1024x1024xf32>
}

// NaN that come from bf16 are rounded like numbers.
// V3-LABEL: {{^}}.Lchain_loop_0_body:
// V3: Inner Loop Header
// V3-NOT: {{vcmp|vblendvps|vpor|vorps}}
// V3: vpaddd
// V3-NOT: {{vcmp|vblendvps|vpor|vorps}}
// V3: End function
func.func @chain(%x: tensor<1024x1024xbf16>, %y: tensor<1024x1024xbf16>) -> tensor<1024x1024xbf16> {
  %0 = arith.mulf %x, %y : tensor<1024x1024xbf16>
  %1 = arith.addf %0, %y : tensor<1024x1024xbf16>
  return %1 : tensor<1024x1024xbf16>
}
