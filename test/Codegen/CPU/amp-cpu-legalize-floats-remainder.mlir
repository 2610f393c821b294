// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-legalize-floats{cpu=x86-64-v3}))' | FileCheck %s
// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-legalize-floats{cpu=x86-64-v3 approximate=false}))' | FileCheck %s
// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-legalize-floats{cpu=x86-64}))' | FileCheck %s --check-prefix=LIBM

// A division and a fused multiply-add; quotients of more than 24 bits go through f64, 53 bits at a time. Without the instruction it is for the C library.
// CHECK-LABEL: func.func @f32
// CHECK-SAME: (%[[X:.*]]: vector<8xf32>, %[[Y:.*]]: vector<8xf32>
// CHECK-DAG: %[[LIMIT:.*]] = arith.constant dense<0x4B800000> : vector<8xf32>
// CHECK-DAG: arith.constant dense<0x4340000000000000> : vector<8xf64>
// CHECK: %[[A:.*]] = math.absf %[[X]]
// CHECK: %[[B:.*]] = math.absf %[[Y]]
// CHECK: %[[Q:.*]] = arith.divf %[[A]], %[[B]] : vector<8xf32>
// CHECK: %[[LARGE:.*]] = arith.cmpf oge, %[[Q]], %[[LIMIT]]
// CHECK: %[[ANY:.*]] = vector.reduction <or>, %[[LARGE]]
// CHECK: scf.if %[[ANY]]
// CHECK: scf.while
// CHECK: math.fma {{.*}} : vector<8xf64>
// CHECK: } else {
// CHECK: %[[N:.*]] = math.trunc %[[Q]]
// CHECK: %[[MINUS:.*]] = arith.negf %[[N]]
// CHECK: math.fma %[[MINUS]], %[[B]], %[[A]] : vector<8xf32>
// CHECK: math.copysign {{.*}}, %[[X]]
// CHECK-NOT: arith.remf
// LIBM-LABEL: func.func @f32
// LIBM: arith.remf {{.*}} : vector<8xf32>
func.func @f32(%x: vector<8xf32>, %y: vector<8xf32>) -> vector<8xf32> {
  %0 = arith.remf %x, %y : vector<8xf32>
  return %0 : vector<8xf32>
}

// -----

// In f64 quotients of more than 53 bits go to the C library, each lane. Scalars do so always.
// CHECK-LABEL: func.func @f64
// CHECK: scf.if
// CHECK-COUNT-4: arith.remf {{.*}} : f64
// CHECK: } else {
// CHECK: math.fma {{.*}} : vector<4xf64>
// CHECK: arith.remf %{{.*}}, %{{.*}} : f64
func.func @f64(%x: vector<4xf64>, %y: vector<4xf64>, %z: f64) -> (vector<4xf64>, f64) {
  %0 = arith.remf %x, %y : vector<4xf64>
  %1 = arith.remf %z, %z : f64
  return %0, %1 : vector<4xf64>, f64
}

// -----

// Narrow floats as f32, of which their remainder is exact too.
// CHECK-LABEL: func.func @bf16
// CHECK: arith.divf {{.*}} : vector<16xf32>
// CHECK-NOT: arith.remf
func.func @bf16(%x: vector<16xbf16>, %y: vector<16xbf16>) -> vector<16xbf16> {
  %0 = arith.remf %x, %y : vector<16xbf16>
  return %0 : vector<16xbf16>
}
