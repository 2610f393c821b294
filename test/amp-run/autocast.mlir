// A matrix product under autocast: what is decided, what it becomes, and how
// far the result is from f32.

// RUN: amp-run %s --autocast=f16 --policy-device=cuda --print-decisions | FileCheck %s --check-prefix=DECISIONS
// DECISIONS: autocast.mlir:[[#@LINE+30]]:8: linalg.matmul: lower_precision_fp {{.*}} -> (f16, f16, {{.*}}) results (f16) compute f32 because {{[a-z_]+}}
// RUN: amp-run %s --autocast=f16 --dump-stage=resolve | FileCheck %s --check-prefix=CASTS
// CASTS: amp.cast {{.*}} : tensor<?x64xf32> to tensor<?x64xf16>
// RUN: amp-run %s --autocast=off --dump-stage=to-linalg | FileCheck %s --check-prefix=OFF
// OFF: linalg.matmul ins(%{{.*}} : tensor<?x64xf32>, tensor<64x16xf32>)
// RUN: amp-run %s --dump-stage=cpu | FileCheck %s --check-prefix=CPU
// CPU: func.func @main(%{{.*}}: memref<?x64xf32>
// RUN: amp-run %s --dump-stage=llvm | FileCheck %s --check-prefix=LLVM
// LLVM: llvm.func @_mlir_ciface_main

// Rounding the operands and the result to bf16 (8 bits) moves a sum of 64
// products by less than 2^-6 of the largest; to f16 (11 bits) by less than 2^-9.
// RUN: amp-run %s --random=7 --shape x=32x64 --autocast=bf16 --compare=f32 --tolerance=0.015625 | FileCheck %s --check-prefix=BF16
// BF16: result y: shape=32x16 type=f32
// BF16: compare y: max_abs={{[0-9]}}{{.*}} cosine=0.9999{{.*}} nan=0/0 inf=0/0 mismatches=0
// RUN: amp-run %s --random=7 --shape x=32x64 --autocast=f16 --results=propagate --compare=f32 --tolerance=0.002 --output %t.npy | FileCheck %s --check-prefix=F16
// F16: result y: shape=32x16 type=f16
// F16: compare y: {{.*}} ulp={{[0-9.e+]+}} of f16
// RUN: %python -c "import numpy as n; assert n.load(r'%t.npy').dtype == n.float16"
// RUN: amp-run %s --random=7 --shape x=32x64 --autocast=off --compare=f32 --tolerance=0
// RUN: %python %S/Inputs/fails.py 3 amp-run %s --random=7 --shape x=32x64 --autocast=bf16 --compare=f32 --tolerance=1e-9 2>&1 | FileCheck %s --check-prefix=OUT
// OUT: error: result 'y' is out of tolerance: the scaled error is larger than

func.func @main(%x: tensor<?x64xf32> {amp.name = "x"}, %w: tensor<64x16xf32>)
    -> (tensor<?x16xf32> {amp.name = "y"}) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x64xf32>
  %e = tensor.empty(%n) : tensor<?x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x16xf32>) -> tensor<?x16xf32>
  %m = linalg.matmul ins(%x, %w : tensor<?x64xf32>, tensor<64x16xf32>)
      outs(%z : tensor<?x16xf32>) -> tensor<?x16xf32>
  return %m : tensor<?x16xf32>
}
