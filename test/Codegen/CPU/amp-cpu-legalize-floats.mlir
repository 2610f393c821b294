// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-legalize-floats))' | FileCheck %s
// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-legalize-floats{approximate=false}))' | FileCheck %s --check-prefix=LIBM
// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-legalize-floats{cpu=x86-64-v3}))' | FileCheck %s --check-prefix=HALF

// A polynomial, unless told otherwise; f64 is left for the C library.
// CHECK-LABEL: func.func @exp
// CHECK-NOT: math.exp {{.*}} : vector<8xf32>
// CHECK: math.fma
// CHECK: math.exp {{.*}} : f64
// LIBM-LABEL: func.func @exp
// LIBM: math.exp {{.*}} : vector<8xf32>
func.func @exp(%x: vector<8xf32>, %y: f64) -> (vector<8xf32>, f64) {
  %0 = math.exp %x : vector<8xf32>
  %1 = math.exp %y : f64
  return %0, %1 : vector<8xf32>, f64
}

// -----

// f16 arithmetic in f32: every op rounds its own result, and no cast may be folded away.
// CHECK-LABEL: func.func @f16
// CHECK: arith.addf {{.*}} : vector<8xf32>
// CHECK: %[[R:.*]] = arith.truncf %{{.*}} : vector<8xf32> to vector<8xf16>
// CHECK: arith.extf %[[R]] : vector<8xf16> to vector<8xf32>
// CHECK: arith.mulf {{.*}} : vector<8xf32>
// CHECK-NOT: fastmath
// CHECK: return
func.func @f16(%x: vector<8xf16>) -> vector<8xf16> {
  %0 = arith.addf %x, %x : vector<8xf16>
  %1 = arith.mulf %0, %x : vector<8xf16>
  return %1 : vector<8xf16>
}

// -----

// bf16 conversions are integer arithmetic.
// CHECK-LABEL: func.func @bf16
// CHECK-NOT: arith.truncf
// CHECK-NOT: arith.extf
// CHECK: arith.bitcast {{.*}} : vector<4xi16> to vector<4xbf16>
func.func @bf16(%x: vector<4xbf16>) -> vector<4xbf16> {
  %0 = arith.addf %x, %x : vector<4xbf16>
  return %0 : vector<4xbf16>
}

// -----

// What a relu chooses among has been rounded, and need not be rounded again: the choice is made before, in f32.
// CHECK-LABEL: func.func @chosen
// CHECK: %[[LEAST:.*]] = arith.minimumf %arg0, {{.*}} : f32
// CHECK: %[[MOST:.*]] = arith.maximumf %[[LEAST]], {{.*}} : f32
// CHECK: arith.truncf %[[MOST]] : f32 to f16
// CHECK-NOT: arith.truncf
// CHECK-NOT: arith.extf
// CHECK: return
func.func @chosen(%x: f32) -> f16 {
  %six = arith.constant 6.0 : f16
  %zero = arith.constant 0.0 : f16
  %0 = arith.truncf %x : f32 to f16
  %1 = arith.minimumf %0, %six : f16
  %2 = arith.maximumf %1, %zero : f16
  return %2 : f16
}

// -----

// Not so of sums, of what others read, and of a bound that the narrow type does not have, or formats that wrap.
// CHECK-LABEL: func.func @not_chosen
// CHECK: %[[R:.*]] = arith.truncf %arg0 : f32 to f16
// CHECK: arith.extf %[[R]]
// CHECK: arith.addf
// CHECK: %[[S:.*]] = arith.truncf %arg1 : f32 to f16
// CHECK: arith.extf %[[S]]
// CHECK: arith.maximumf
// CHECK: %[[T:.*]] = arith.truncf %arg0 : f32 to f16
// CHECK: %[[WIDE:.*]] = arith.extf %[[T]]
// CHECK: arith.maximumf %[[WIDE]]
func.func @not_chosen(%x: f32, %y: f32) -> (f16, f16, f16, f16) {
  %zero = arith.constant 0.0 : f16
  %odd = arith.constant 0.1 : f32
  %0 = arith.truncf %x : f32 to f16
  %1 = arith.addf %0, %zero : f16
  %2 = arith.truncf %y : f32 to f16
  %3 = arith.maximumf %2, %zero : f16
  %4 = arith.truncf %x : f32 to f16
  %5 = arith.extf %4 : f16 to f32
  %6 = arith.maximumf %5, %odd : f32
  %7 = arith.truncf %6 : f32 to f16
  return %1, %2, %3, %7 : f16, f16, f16, f16
}

// -----

// f64 to bf16 goes through an f32 that is rounded to odd.
// CHECK-LABEL: func.func @f64_to_bf16
// CHECK: arith.truncf %{{.*}} : f64 to f32
// CHECK: arith.cmpf one
// CHECK-NOT: f64 to bf16
// CHECK: arith.bitcast {{.*}} : i16 to bf16
func.func @f64_to_bf16(%x: f64) -> bf16 {
  %0 = arith.truncf %x : f64 to bf16
  return %0 : bf16
}

// -----

// CHECK-LABEL: func.func @f8
// CHECK-NOT: arith.extf
// CHECK-NOT: arith.truncf
// CHECK: arith.bitcast {{.*}} : vector<16xi8> to vector<16xf8E4M3FN>
func.func @f8(%x: vector<16xf8E5M2>) -> vector<16xf8E4M3FN> {
  %0 = arith.extf %x : vector<16xf8E5M2> to vector<16xf32>
  %1 = arith.truncf %0 : vector<16xf32> to vector<16xf8E4M3FN>
  return %1 : vector<16xf8E4M3FN>
}

// -----

// By the instruction for f16: f8E5M2 is the upper half of one, f8E4M3FN that of
// one 2^8 times as small. f8E5M2FNUZ has numbers where f16 has infinity.
// HALF-LABEL: func.func @widen_f8
// HALF-DAG: %[[SCALE:.*]] = arith.constant dense<2.560000e+02> : vector<16xf32>
// HALF: arith.bitcast {{.*}} : vector<16xi16> to vector<16xf16>
// HALF-NEXT: %[[UPPER:.*]] = arith.extf {{.*}} : vector<16xf16> to vector<16xf32>
// HALF: arith.bitcast {{.*}} : vector<16xi16> to vector<16xf16>
// HALF-NEXT: %[[SMALL:.*]] = arith.extf {{.*}} : vector<16xf16> to vector<16xf32>
// HALF-NEXT: %[[NUMBER:.*]] = arith.mulf %[[SMALL]], %[[SCALE]]
// HALF-NOT: f16
// HALF: return %[[UPPER]], %[[NUMBER]],
func.func @widen_f8(%x: vector<16xf8E5M2>, %y: vector<16xf8E4M3FN>, %z: vector<16xf8E5M2FNUZ>)
    -> (vector<16xf32>, vector<16xf32>, vector<16xf32>) {
  %0 = arith.extf %x : vector<16xf8E5M2> to vector<16xf32>
  %1 = arith.extf %y : vector<16xf8E4M3FN> to vector<16xf32>
  %2 = arith.extf %z : vector<16xf8E5M2FNUZ> to vector<16xf32>
  return %0, %1, %2 : vector<16xf32>, vector<16xf32>, vector<16xf32>
}

// -----

// Tensors belong to earlier passes.
// CHECK-LABEL: func.func @tensors
// CHECK: arith.addf {{.*}} : tensor<4xbf16>
func.func @tensors(%x: tensor<4xbf16>) -> tensor<4xbf16> {
  %0 = arith.addf %x, %x : tensor<4xbf16>
  return %0 : tensor<4xbf16>
}

// -----

// The larger of two vectors: only one of the comparisons waits for what the loop carries, and NaN of either is the result.
// CHECK-LABEL: func.func @maximum
// CHECK: scf.for {{.*}} iter_args(%[[ACC:.*]] = %{{.*}})
// CHECK: %[[X:.*]] = vector.load
// CHECK-DAG: %[[GREATER:.*]] = arith.cmpf ogt, %[[X]], %[[ACC]]
// CHECK-DAG: %[[BEST:.*]] = arith.select %[[GREATER]], %[[X]], %[[ACC]]
// CHECK-DAG: %[[NAN:.*]] = arith.cmpf uno, %[[X]], %[[X]]
// CHECK: arith.select %[[NAN]], %[[X]], %[[BEST]]
func.func @maximum(%m: memref<64xf32>, %start: vector<16xf32>) -> vector<16xf32> {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %r = scf.for %i = %c0 to %c64 step %c16 iter_args(%acc = %start) -> vector<16xf32> {
    %x = vector.load %m[%i] : memref<64xf32>, vector<16xf32>
    %next = arith.maximumf %acc, %x : vector<16xf32>
    scf.yield %next : vector<16xf32>
  }
  return %r : vector<16xf32>
}

// -----

// CHECK-LABEL: func.func @hyperbolic
// CHECK-NOT: math.{{sinh|cosh|asinh|acosh|atanh|log1p}}
// CHECK: return
// LIBM-LABEL: func.func @hyperbolic
// LIBM: math.sinh
// LIBM: math.atanh
func.func @hyperbolic(%x: vector<16xf32>) -> vector<16xf32> {
  %0 = math.sinh %x : vector<16xf32>
  %1 = math.cosh %0 : vector<16xf32>
  %2 = math.asinh %1 : vector<16xf32>
  %3 = math.acosh %2 : vector<16xf32>
  %4 = math.atanh %3 : vector<16xf32>
  return %4 : vector<16xf32>
}

// -----

// Powers of f32, and of f16 in f32, are computed in f64 and rounded once; those of f64 are the library's.
// CHECK-LABEL: func.func @power
// CHECK: %[[BASE:.*]] = math.absf %{{.*}} : vector<16xf32>
// CHECK: arith.extf %[[BASE]] : vector<16xf32> to vector<16xf64>
// CHECK-NOT: math.powf
// CHECK: math.fma {{.*}} : vector<16xf64>
// CHECK: arith.truncf %{{.*}} : vector<16xf64> to vector<16xf32>
// CHECK: math.powf {{.*}} : vector<16xf64>
// CHECK-NOT: math.powf
// LIBM-LABEL: func.func @power
// LIBM: math.powf {{.*}} : vector<16xf32>
func.func @power(%x: vector<16xf32>, %y: vector<16xf64>, %z: vector<16xf16>) -> (vector<16xf32>, vector<16xf64>, vector<16xf16>) {
  %0 = math.powf %x, %x : vector<16xf32>
  %1 = math.powf %y, %y : vector<16xf64>
  %2 = math.powf %z, %z : vector<16xf16>
  return %0, %1, %2 : vector<16xf32>, vector<16xf64>, vector<16xf16>
}

// -----

// Integers below 32 bits, by way of i32.
// CHECK-LABEL: func.func @short_integers
// CHECK: %[[W:.*]] = arith.extf %{{.*}} : vector<16xf16> to vector<16xf32>
// CHECK: %[[I:.*]] = arith.fptosi %[[W]] : vector<16xf32> to vector<16xi32>
// CHECK: arith.trunci %[[I]] : vector<16xi32> to vector<16xi8>
// CHECK: %[[U:.*]] = arith.fptosi %{{.*}} : vector<16xf32> to vector<16xi32>
// CHECK: arith.trunci %[[U]] : vector<16xi32> to vector<16xi16>
// CHECK: arith.fptoui %{{.*}} : vector<16xf32> to vector<16xi32>
// CHECK: arith.fptosi %{{.*}} : f32 to i8
func.func @short_integers(%h: vector<16xf16>, %x: vector<16xf32>, %s: f32) -> (vector<16xi8>, vector<16xi16>, vector<16xi32>, i8) {
  %0 = arith.fptosi %h : vector<16xf16> to vector<16xi8>
  %1 = arith.fptoui %x : vector<16xf32> to vector<16xi16>
  %2 = arith.fptoui %x : vector<16xf32> to vector<16xi32>
  %3 = arith.fptosi %s : f32 to i8
  return %0, %1, %2, %3 : vector<16xi8>, vector<16xi16>, vector<16xi32>, i8
}
