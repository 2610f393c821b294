// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-legalize-floats{cpu=znver4}))' | FileCheck %s --check-prefix=BF16
// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-legalize-floats{cpu=x86-64-v4}))' | FileCheck %s --check-prefix=V4
// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-legalize-floats{cpu=x86-64-v3}))' | FileCheck %s --check-prefix=NONE --implicit-check-not=llvm.
// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-legalize-floats{cpu=znver4 vector-bits=256}))' | FileCheck %s --check-prefix=NONE --implicit-check-not=llvm.
// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-legalize-floats{triple=aarch64-linux-gnu}))' | FileCheck %s --check-prefix=NONE --implicit-check-not=llvm.
// RUN: not amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-legalize-floats{cpu=pentium9}))' 2>&1 | FileCheck %s --check-prefix=CPU

// CPU: error: unknown CPU 'pentium9'

// Two registers in one instruction: what is subnormal gets the exponent of 1, and loses it again.
// BF16-LABEL: func.func @bf16
// BF16: %[[LOW:.*]] = llvm.call_intrinsic "llvm.x86.avx512.fpclass.ps.512"
// BF16: %[[A:.*]] = arith.select %[[LOW]]
// BF16: %[[HIGH:.*]] = llvm.call_intrinsic "llvm.x86.avx512.fpclass.ps.512"
// BF16: %[[B:.*]] = arith.select %[[HIGH]]
// BF16: llvm.call_intrinsic "llvm.x86.avx512bf16.cvtne2ps2bf16.512"(%[[B]], %[[A]])
// BF16: arith.subi {{.*}} : vector<32xi16>
// BF16: arith.select {{.*}} : vector<32xi1>, vector<32xi16>
// V4-LABEL: func.func @bf16
// V4-NOT: llvm.
// NONE-LABEL: func.func @bf16
// NONE: arith.trunci
func.func @bf16(%x: vector<32xf32>) -> vector<32xbf16> {
  %0 = arith.truncf %x : vector<32xf32> to vector<32xbf16>
  return %0 : vector<32xbf16>
}

// -----

// One register of each row; parts of a register go another way.
// BF16-LABEL: func.func @rows
// BF16-COUNT-2: llvm.call_intrinsic "llvm.x86.avx512bf16.cvtneps2bf16.512"
// BF16: arith.trunci {{.*}} : vector<8xi32> to vector<8xi16>
// BF16-NOT: llvm.
// BF16: return
// V4-LABEL: func.func @rows
// V4-NOT: llvm.
// V4: return
// NONE-LABEL: func.func @rows
// NONE: return
func.func @rows(%x: vector<2x16xf32>, %y: vector<8xf32>) -> (vector<2x16xbf16>, vector<8xbf16>) {
  %0 = arith.truncf %x : vector<2x16xf32> to vector<2x16xbf16>
  %1 = arith.truncf %y : vector<8xf32> to vector<8xbf16>
  return %0, %1 : vector<2x16xbf16>, vector<8xbf16>
}
