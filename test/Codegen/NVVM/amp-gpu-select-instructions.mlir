// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(gpu.module(amp-gpu-select-instructions{target=sm_89}))' | FileCheck %s --check-prefixes=CHECK,F8
// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(gpu.module(amp-gpu-select-instructions{target=sm_86}))' | FileCheck %s --check-prefixes=CHECK,NOF8

// CHECK-LABEL: gpu.func @approximate
// CHECK: llvm.call_intrinsic "llvm.nvvm.ex2.approx.f32"
// CHECK: llvm.call_intrinsic "llvm.nvvm.lg2.approx.f"
// CHECK: llvm.call_intrinsic "llvm.nvvm.rsqrt.approx.f"
// CHECK: llvm.call_intrinsic "llvm.nvvm.sqrt.approx.f"
// CHECK: llvm.inline_asm {{.*}} "tanh.approx.f32 $0, $1;"
// CHECK: llvm.call_intrinsic "llvm.nvvm.sin.approx.f"
// CHECK: llvm.call_intrinsic "llvm.nvvm.cos.approx.f"
// CHECK: llvm.call_intrinsic "llvm.nvvm.div.approx.f"
// CHECK: llvm.inline_asm {{.*}} "rcp.approx.f32 $0, $1;"
gpu.module @kernels {
  gpu.func @approximate(%x: f32) -> f32 {
    %one = arith.constant 1.0 : f32
    %0 = math.exp2 %x fastmath<afn> : f32
    %1 = math.log2 %0 fastmath<afn> : f32
    %2 = math.rsqrt %1 fastmath<afn> : f32
    %3 = math.sqrt %2 fastmath<afn> : f32
    %4 = math.tanh %3 fastmath<afn> : f32
    %5 = math.sin %4 fastmath<afn> : f32
    %6 = math.cos %5 fastmath<afn> : f32
    %7 = arith.divf %6, %x fastmath<afn> : f32
    %8 = arith.divf %one, %7 fastmath<afn> : f32
    gpu.return %8 : f32
  }
}

// -----

// Without the flag, what is exact stays exact, and no library is called.
// CHECK-LABEL: gpu.func @exact
// CHECK: llvm.call_intrinsic "llvm.sqrt.f32"
// CHECK: arith.divf
// CHECK: llvm.call_intrinsic "llvm.fabs.f64"
// CHECK: llvm.call_intrinsic "llvm.roundeven.f32"
// CHECK: llvm.call_intrinsic "llvm.copysign.f32"
// CHECK: math.exp %{{.*}} : f64
gpu.module @kernels {
  gpu.func @exact(%x: f32, %y: f64) -> (f32, f64) {
    %0 = math.sqrt %x : f32
    %1 = arith.divf %0, %x : f32
    %2 = math.absf %y : f64
    %3 = math.roundeven %1 : f32
    %4 = math.copysign %3, %x : f32
    %5 = math.exp %2 : f64
    gpu.return %4, %5 : f32, f64
  }
}

// -----

// CHECK-LABEL: gpu.func @vectors
// CHECK-COUNT-4: llvm.call_intrinsic "llvm.nvvm.ex2.approx.f32"
// CHECK-NOT: vector.to_elements %{{.*}} : vector<2x2xf32>
gpu.module @kernels {
  gpu.func @vectors(%x: vector<2x2xf32>) -> vector<2x2xf32> {
    %0 = math.exp2 %x fastmath<afn> : vector<2x2xf32>
    gpu.return %0 : vector<2x2xf32>
  }
}

// -----

// The instruction saturates, so what overflows is replaced.
// CHECK-LABEL: gpu.func @overflowing
// F8-COUNT-2: llvm.call_intrinsic "llvm.nvvm.ff.to.e4m3x2.rn"
// F8: arith.cmpi uge
// F8: arith.select
// F8: arith.bitcast {{.*}} : vector<3xi8> to vector<3xf8E4M3FN>
// NOF8: arith.truncf
gpu.module @kernels {
  gpu.func @overflowing(%x: vector<3xf32>) -> vector<3xf8E4M3FN> {
    %0 = arith.truncf %x : vector<3xf32> to vector<3xf8E4M3FN>
    gpu.return %0 : vector<3xf8E4M3FN>
  }
}

// -----

// A clamped operand cannot overflow: the form that saturating casts are lowered to.
// CHECK-LABEL: gpu.func @saturating
// F8: llvm.call_intrinsic "llvm.nvvm.ff.to.e5m2x2.rn"
// F8-NOT: arith.cmpi
// NOF8: arith.truncf
gpu.module @kernels {
  gpu.func @saturating(%x: f32) -> f8E5M2 {
    %high = arith.constant 57344.0 : f32
    %low = arith.constant -57344.0 : f32
    %0 = arith.cmpf ogt, %x, %high : f32
    %1 = arith.select %0, %high, %x : f32
    %2 = arith.cmpf olt, %1, %low : f32
    %3 = arith.select %2, %low, %1 : f32
    %4 = arith.truncf %3 : f32 to f8E5M2
    gpu.return %4 : f8E5M2
  }
}

// -----

// CHECK-LABEL: gpu.func @widening
// F8: llvm.call_intrinsic "llvm.nvvm.e4m3x2.to.f16x2.rn"
// F8: arith.extf {{.*}} : vector<2xf16> to vector<2xf32>
// NOF8: arith.extf {{.*}} : vector<2xf8E4M3FN> to vector<2xf32>
gpu.module @kernels {
  gpu.func @widening(%x: vector<2xf8E4M3FN>) -> vector<2xf32> {
    %0 = arith.extf %x : vector<2xf8E4M3FN> to vector<2xf32>
    gpu.return %0 : vector<2xf32>
  }
}

// -----

// Canonicalization has made one op of two.
// CHECK-LABEL: gpu.func @integers
// F8: arith.sitofp {{.*}} : vector<2xi32> to vector<2xf32>
// F8: llvm.call_intrinsic "llvm.nvvm.ff.to.e5m2x2.rn"
// F8: arith.uitofp {{.*}} : vector<2xi32> to vector<2xf32>
// F8: llvm.call_intrinsic "llvm.nvvm.ff.to.e4m3x2.rn"
// NOF8: arith.sitofp {{.*}} : vector<2xi32> to vector<2xf8E5M2>
gpu.module @kernels {
  gpu.func @integers(%x: vector<2xi32>) -> (vector<2xf8E5M2>, vector<2xf8E4M3FN>) {
    %0 = arith.sitofp %x : vector<2xi32> to vector<2xf8E5M2>
    %1 = arith.uitofp %x : vector<2xi32> to vector<2xf8E4M3FN>
    gpu.return %0, %1 : vector<2xf8E5M2>, vector<2xf8E4M3FN>
  }
}
