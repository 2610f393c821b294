// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-legalize-floats{cpu=x86-64-v3}))' | FileCheck %s
// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-legalize-floats{cpu=znver4}))' | FileCheck %s --check-prefix=ROUNDS

// Even lanes in front of odd ones between bf16 and bf16: no lane changes its
// place before it is rounded, and the odd ones not even then. What is rounded
// and goes on is rounded in its place.
// CHECK-LABEL: func.func @add
// CHECK-DAG: %[[UPPER:.*]] = arith.constant dense<-65536> : vector<8xi32>
// CHECK-DAG: %[[SIXTEEN:.*]] = arith.constant dense<16> : vector<8xi32>
// CHECK: %[[PAIRS:.*]] = vector.bitcast %{{.*}} : vector<16xbf16> to vector<8xi32>
// CHECK: arith.shli %[[PAIRS]], %[[SIXTEEN]]
// CHECK: arith.andi %[[PAIRS]], %[[UPPER]]
// CHECK-NOT: i16
// CHECK: arith.addf {{.*}} : vector<16xf32>
// CHECK-NOT: i16
// CHECK: arith.mulf {{.*}} : vector<16xf32>
// CHECK: arith.andi %{{.*}}, %[[UPPER]]
// CHECK-NEXT: %[[BOTH:.*]] = arith.ori
// CHECK: vector.bitcast %[[BOTH]] : vector<8xi32> to vector<16xbf16>
// Of AVX512-BF16 an instruction rounds in order.
// ROUNDS-LABEL: func.func @add
// ROUNDS-NOT: vector.bitcast
// ROUNDS: llvm.x86.avx512bf16
func.func @add(%x: vector<16xbf16>, %y: vector<16xbf16>, %s: bf16) -> vector<16xbf16> {
  %0 = arith.addf %x, %y : vector<16xbf16>
  %1 = vector.broadcast %s : bf16 to vector<16xbf16>
  %2 = arith.mulf %0, %1 : vector<16xbf16>
  return %2 : vector<16xbf16>
}

// -----

// What is read as f32, has a number for each lane, or is needed in f32, is in
// order, and so is all that meets it; lanes that do not fill two registers.
// CHECK-LABEL: func.func @in_order
// CHECK-NOT: vector.bitcast
// CHECK: arith.extui {{.*}} : vector<16xi16> to vector<16xi32>
// CHECK-NOT: vector.bitcast
// CHECK: return
func.func @in_order(%x: vector<16xbf16>, %y: vector<16xf32>, %z: vector<8xbf16>)
    -> (vector<16xbf16>, vector<16xbf16>, vector<16xbf16>, vector<16xf32>, vector<8xbf16>) {
  %0 = arith.extf %x : vector<16xbf16> to vector<16xf32>
  %1 = arith.addf %0, %y : vector<16xf32>
  %2 = arith.truncf %1 : vector<16xf32> to vector<16xbf16>
  %lanes = arith.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0]> : vector<16xf32>
  %3 = arith.extf %x : vector<16xbf16> to vector<16xf32>
  %4 = arith.mulf %3, %lanes : vector<16xf32>
  %5 = arith.truncf %4 : vector<16xf32> to vector<16xbf16>
  %6 = arith.extf %x : vector<16xbf16> to vector<16xf32>
  %7 = arith.mulf %6, %6 : vector<16xf32>
  %8 = arith.truncf %7 : vector<16xf32> to vector<16xbf16>
  %9 = arith.addf %z, %z : vector<8xbf16>
  return %2, %5, %8, %7, %9 : vector<16xbf16>, vector<16xbf16>, vector<16xbf16>, vector<16xf32>, vector<8xbf16>
}
