// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-gpu-legalize-floats{target=sm_90}))' | FileCheck %s --check-prefixes=CHECK,SM90,GPU
// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-gpu-legalize-floats{target=sm_80}))' | FileCheck %s --check-prefixes=CHECK,GPU,INT
// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-gpu-legalize-floats{target=sim:sm_90}))' | FileCheck %s --check-prefixes=CHECK,SIM,INT
// RUN: not amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-gpu-legalize-floats{target=sm_7}))' 2>&1 | FileCheck %s --check-prefix=BAD
// BAD: amp-gpu-legalize-floats.mlir:[[#@LINE+8]]:1: error: amp-gpu-legalize-floats: expected a target of sm_80, {{.*}}, but found 'sm_7'

// Every op rounds its own result, and no cast may be folded away.
// CHECK-LABEL: func.func @f16
// CHECK: math.exp {{.*}} : vector<8xf32>
// CHECK: %[[R:.*]] = arith.truncf %{{.*}} : vector<8xf32> to vector<8xf16>
// CHECK: arith.extf %[[R]] : vector<8xf16> to vector<8xf32>
// CHECK-NOT: fastmath
func.func @f16(%x: vector<8xf16>) -> vector<8xf16> {
  %0 = math.exp %x : vector<8xf16>
  %1 = arith.mulf %0, %x : vector<8xf16>
  return %1 : vector<8xf16>
}

// -----

// CHECK-LABEL: func.func @bf16
// GPU: arith.truncf {{.*}} : vector<8xf32> to vector<8xbf16>
// SIM: arith.bitcast {{.*}} : vector<8xi16> to vector<8xbf16>
// SIM-NOT: arith.truncf
func.func @bf16(%x: vector<8xbf16>) -> vector<8xbf16> {
  %0 = arith.addf %x, %x : vector<8xbf16>
  return %0 : vector<8xbf16>
}

// -----

// CHECK-LABEL: func.func @f64
// CHECK: %[[NEAR:.*]] = arith.truncf %{{.*}} : f64 to f32
// CHECK: arith.cmpf one
// GPU: arith.truncf %{{.*}} : f32 to bf16
// SM90: arith.truncf %{{.*}} : f32 to f8E4M3FN
// INT: arith.bitcast %{{.*}} : i8 to f8E4M3FN
func.func @f64(%x: f64) -> (bf16, f8E4M3FN) {
  %0 = arith.truncf %x : f64 to bf16
  %1 = arith.truncf %x : f64 to f8E4M3FN
  return %0, %1 : bf16, f8E4M3FN
}

// -----

// Of the 8-bit formats hardware has two.
// CHECK-LABEL: func.func @f8
// SM90: arith.extf {{.*}} : vector<16xf8E5M2> to vector<16xf32>
// SM90: arith.truncf {{.*}} : vector<16xf32> to vector<16xf8E4M3FN>
// INT-NOT: arith.extf
// INT-NOT: arith.truncf
// CHECK: arith.bitcast {{.*}} : vector<16xi8> to vector<16xf8E4M3FNUZ>
func.func @f8(%x: vector<16xf8E5M2>) -> (vector<16xf8E4M3FN>, vector<16xf8E4M3FNUZ>) {
  %0 = arith.extf %x : vector<16xf8E5M2> to vector<16xf32>
  %1 = arith.truncf %0 : vector<16xf32> to vector<16xf8E4M3FN>
  %2 = arith.truncf %0 : vector<16xf32> to vector<16xf8E4M3FNUZ>
  return %1, %2 : vector<16xf8E4M3FN>, vector<16xf8E4M3FNUZ>
}
