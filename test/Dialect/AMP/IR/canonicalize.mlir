// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @cast_same
// CHECK-SAME: (%[[X:.*]]: tensor<?xf32>)
func.func @cast_same(%x: tensor<?xf32>) -> tensor<?xf32> {
  // CHECK-NEXT: return %[[X]]
  %0 = amp.cast %x {overflow = saturate} : tensor<?xf32> to tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// 2049 lies halfway between two values of f16; 3.14 lies between two values.
// CHECK-LABEL: func.func @constant_rounding
func.func @constant_rounding() -> (f16, f16, f16, f16, f16, f16) {
  %0 = arith.constant 2049.0 : f32
  %1 = arith.constant -2049.0 : f32
  // CHECK-DAG: %[[A:.*]] = arith.constant 2.048000e+03 : f16
  // CHECK-DAG: %[[B:.*]] = arith.constant 2.050000e+03 : f16
  // CHECK-DAG: %[[C:.*]] = arith.constant -2.050000e+03 : f16
  // CHECK: return %[[A]], %[[B]], %[[A]], %[[B]], %[[A]], %[[C]]
  %2 = amp.cast %0 : f32 to f16
  %3 = amp.cast %0 {rounding = upward} : f32 to f16
  %4 = amp.cast %0 {rounding = downward} : f32 to f16
  %5 = amp.cast %0 {rounding = to_nearest_away} : f32 to f16
  %6 = amp.cast %0 {rounding = toward_zero} : f32 to f16
  %7 = amp.cast %1 {rounding = downward} : f32 to f16
  return %2, %3, %4, %5, %6, %7 : f16, f16, f16, f16, f16, f16
}

// -----

// CHECK-LABEL: func.func @constant_overflow
func.func @constant_overflow() -> (f16, f16, f8E4M3FN, f8E4M3FN, f8E4M3FN, f8E4M3FN) {
  %0 = arith.constant 1.0e+06 : f32
  %inf = arith.constant 0xFF800000 : f32
  // CHECK-DAG: %[[INF:.*]] = arith.constant 0x7C00 : f16
  // CHECK-DAG: %[[MAX:.*]] = arith.constant 6.550400e+04 : f16
  // CHECK-DAG: %[[NAN:.*]] = arith.constant 0x7F : f8E4M3FN
  // CHECK-DAG: %[[MAX8:.*]] = arith.constant 4.480000e+02 : f8E4M3FN
  // CHECK-DAG: %[[NNAN:.*]] = arith.constant 0xFF : f8E4M3FN
  // CHECK-DAG: %[[NMAX8:.*]] = arith.constant -4.480000e+02 : f8E4M3FN
  // CHECK: return %[[INF]], %[[MAX]], %[[NAN]], %[[MAX8]], %[[NNAN]], %[[NMAX8]]
  %1 = amp.cast %0 : f32 to f16
  %2 = amp.cast %0 {overflow = saturate} : f32 to f16
  %3 = amp.cast %0 : f32 to f8E4M3FN
  %4 = amp.cast %0 {overflow = saturate} : f32 to f8E4M3FN
  %5 = amp.cast %inf : f32 to f8E4M3FN
  %6 = amp.cast %inf {overflow = saturate} : f32 to f8E4M3FN
  return %1, %2, %3, %4, %5, %6 : f16, f16, f8E4M3FN, f8E4M3FN, f8E4M3FN, f8E4M3FN
}

// -----

// A quiet NaN, an infinity, -0, and a value that becomes subnormal, dense.
// CHECK-LABEL: func.func @constant_special
func.func @constant_special() -> tensor<5xf16> {
  // CHECK: arith.constant dense<[0x7E00, 0x7C00, -0.000000e+00, 5.960460e-08, 0.000000e+00]> : tensor<5xf16>
  %0 = arith.constant dense<[0x7FC00000, 0x7F800000, -0.0, 6.0e-08, 2.0e-08]> : tensor<5xf32>
  %1 = amp.cast %0 {overflow = ieee} : tensor<5xf32> to tensor<5xf16>
  return %1 : tensor<5xf16>
}

// -----

// NaN stays NaN under saturation; a type without -0 gets 0.
// CHECK-LABEL: func.func @constant_special_f8
func.func @constant_special_f8() -> (vector<3xf8E4M3FNUZ>, vector<3xf8E8M0FNU>) {
  // CHECK-DAG: %[[A:.*]] = arith.constant dense<[0x80, 2.400000e+02, 0.000000e+00]> : vector<3xf8E4M3FNUZ>
  // CHECK-DAG: %[[B:.*]] = arith.constant dense<[5.877470e-39, 0xFF, 2.000000e+00]> : vector<3xf8E8M0FNU>
  // CHECK: return %[[A]], %[[B]]
  %0 = arith.constant dense<[0x7FC00000, 0x7F800000, -0.0]> : vector<3xf32>
  %1 = amp.cast %0 {overflow = saturate} : vector<3xf32> to vector<3xf8E4M3FNUZ>
  %2 = arith.constant dense<[0.0, -1.0, 1.5]> : vector<3xf32>
  %3 = amp.cast %2 : vector<3xf32> to vector<3xf8E8M0FNU>
  return %1, %3 : vector<3xf8E4M3FNUZ>, vector<3xf8E8M0FNU>
}

// -----

// A splat stays one.
// CHECK-LABEL: func.func @constant_splat
func.func @constant_splat() -> (tensor<64x64xbf16>, vector<[4]xf16>) {
  // CHECK-DAG: arith.constant dense<1.000980e-01> : tensor<64x64xbf16>
  // CHECK-DAG: arith.constant dense<9.997550e-02> : vector<[4]xf16>
  %0 = arith.constant dense<0.1> : tensor<64x64xf32>
  %1 = amp.cast %0 : tensor<64x64xf32> to tensor<64x64xbf16>
  %2 = arith.constant dense<0.1> : vector<[4]xf32>
  %3 = amp.cast %2 : vector<[4]xf32> to vector<[4]xf16>
  return %1, %3 : tensor<64x64xbf16>, vector<[4]xf16>
}

// -----

// Floats become integers toward zero; i1 says whether the value is not 0.
// CHECK-LABEL: func.func @constant_to_integer
func.func @constant_to_integer() -> (tensor<3xi8>, tensor<4xi8>, tensor<3xi1>, i8) {
  // CHECK-DAG: %[[A:.*]] = arith.constant dense<[1, -1, 127]> : tensor<3xi8>
  // CHECK-DAG: %[[B:.*]] = arith.constant dense<[127, -128, 0, 127]> : tensor<4xi8>
  // CHECK-DAG: %[[C:.*]] = arith.constant dense<[true, true, false]> : tensor<3xi1>
  // CHECK-DAG: %[[D:.*]] = arith.constant 44 : i8
  // CHECK: return %[[A]], %[[B]], %[[C]], %[[D]]
  %0 = arith.constant dense<[1.9, -1.9, 127.9]> : tensor<3xf32>
  %1 = amp.cast %0 : tensor<3xf32> to tensor<3xi8>
  %2 = arith.constant dense<[128.0, -1.0e+10, 0x7FC00000, 0x7F800000]> : tensor<4xf32>
  %3 = amp.cast %2 {overflow = saturate} : tensor<4xf32> to tensor<4xi8>
  %4 = arith.constant dense<[0.5, 0x7FC00000, -0.0]> : tensor<3xf32>
  %5 = amp.cast %4 : tensor<3xf32> to tensor<3xi1>
  %6 = arith.constant 300 : i32
  %7 = amp.cast %6 : i32 to i8
  return %1, %3, %5, %7 : tensor<3xi8>, tensor<4xi8>, tensor<3xi1>, i8
}

// -----

// i1 is 0 or 1; one rounding, not two: 2^24 + 2^16 + 1 is just above a tie.
// CHECK-LABEL: func.func @constant_from_integer
func.func @constant_from_integer() -> (f16, bf16, f16, f16) {
  // CHECK-DAG: %[[A:.*]] = arith.constant 1.000000e+00 : f16
  // CHECK-DAG: %[[B:.*]] = arith.constant 1.690830e+07 : bf16
  // CHECK-DAG: %[[C:.*]] = arith.constant 0x7C00 : f16
  // CHECK-DAG: %[[D:.*]] = arith.constant 6.550400e+04 : f16
  // CHECK: return %[[A]], %[[B]], %[[C]], %[[D]]
  %0 = arith.constant true
  %1 = amp.cast %0 : i1 to f16
  %2 = arith.constant 16842753 : i32
  %3 = amp.cast %2 : i32 to bf16
  %4 = amp.cast %2 : i32 to f16
  %5 = amp.cast %2 {overflow = saturate} : i32 to f16
  return %1, %3, %4, %5 : f16, bf16, f16, f16
}

// -----

// What is undefined does not fold.
// CHECK-LABEL: func.func @constant_undefined
func.func @constant_undefined() -> (i8, tensor<2xi8>) {
  // CHECK: amp.cast
  // CHECK: amp.cast
  %0 = arith.constant 128.0 : f32
  %1 = amp.cast %0 : f32 to i8
  %2 = arith.constant dense<[1.0, 0x7FC00000]> : tensor<2xf32>
  %3 = amp.cast %2 : tensor<2xf32> to tensor<2xi8>
  return %1, %3 : i8, tensor<2xi8>
}

// -----

// No constant of an unsigned type can be made.
// CHECK-LABEL: func.func @constant_unsigned
func.func @constant_unsigned() -> ui8 {
  // CHECK: amp.cast %{{.*}} : i32 to ui8
  %0 = arith.constant 7 : i32
  %1 = amp.cast %0 : i32 to ui8
  return %1 : ui8
}

// -----

// An exact first cast goes away, and the options of the second stay.
// CHECK-LABEL: func.func @pair_exact
// CHECK-SAME: (%[[X:.*]]: tensor<4xf16>, %[[I:.*]]: i8)
func.func @pair_exact(%x: tensor<4xf16>, %i: i8) -> (tensor<4xf16>, tensor<4xbf16>, f32) {
  // CHECK-DAG: %[[A:.*]] = amp.cast %[[X]] {rounding = upward, overflow = saturate, origin = boundary} : tensor<4xf16> to tensor<4xbf16>
  // CHECK-DAG: %[[B:.*]] = amp.cast %[[I]] : i8 to f32
  // CHECK: return %[[X]], %[[A]], %[[B]]
  %0 = amp.cast %x : tensor<4xf16> to tensor<4xf32>
  %1 = amp.cast %0 : tensor<4xf32> to tensor<4xf16>
  %2 = amp.cast %0 {rounding = upward, overflow = saturate, origin = boundary} : tensor<4xf32> to tensor<4xbf16>
  %3 = amp.cast %i : i8 to f16
  %4 = amp.cast %3 : f16 to f32
  return %1, %2, %4 : tensor<4xf16>, tensor<4xbf16>, f32
}

// -----

// A cast that rounds stays: its result is not the value that went in.
// CHECK-LABEL: func.func @pair_inexact
func.func @pair_inexact(%x: f32, %i: i32, %j: i8) -> (f32, i32, f32, f8E8M0FNU) {
  // CHECK: amp.cast %{{.*}} : f32 to f16
  // CHECK: amp.cast %{{.*}} : f16 to f32
  // CHECK: amp.cast %{{.*}} : i32 to f32
  // CHECK: amp.cast %{{.*}} : f32 to i32
  // CHECK: amp.cast %{{.*}} : f32 to i32
  // CHECK: amp.cast %{{.*}} : i32 to f32
  // CHECK: amp.cast %{{.*}} : i8 to f8E4M3FN
  // CHECK: amp.cast %{{.*}} : f8E4M3FN to f8E8M0FNU
  %0 = amp.cast %x : f32 to f16
  %1 = amp.cast %0 : f16 to f32
  %2 = amp.cast %i : i32 to f32
  %3 = amp.cast %2 : f32 to i32
  %4 = amp.cast %x {may_elide} : f32 to i32
  %5 = amp.cast %4 : i32 to f32
  %6 = amp.cast %j : i8 to f8E4M3FN
  %7 = amp.cast %6 : f8E4M3FN to f8E8M0FNU
  return %1, %3, %5, %7 : f32, i32, f32, f8E8M0FNU
}

// -----

// Saturation changes infinities, so these pairs are no identities.
// CHECK-LABEL: func.func @pair_saturate
// CHECK-SAME: (%[[X:.*]]: f16, %[[Y:.*]]: f8E4M3FN)
func.func @pair_saturate(%x: f16, %y: f8E4M3FN) -> (f16, f16, f8E4M3FN) {
  // CHECK: %[[A:.*]] = amp.cast %[[X]] {overflow = saturate} : f16 to f32
  // CHECK: %[[B:.*]] = amp.cast %[[A]] : f32 to f16
  // CHECK: %[[C:.*]] = amp.cast %[[X]] : f16 to f32
  // CHECK: %[[D:.*]] = amp.cast %[[C]] {overflow = saturate} : f32 to f16
  // A type without infinities has nothing to saturate.
  // CHECK: return %[[B]], %[[D]], %[[Y]]
  %0 = amp.cast %x {overflow = saturate} : f16 to f32
  %1 = amp.cast %0 : f32 to f16
  %2 = amp.cast %x : f16 to f32
  %3 = amp.cast %2 {overflow = saturate} : f32 to f16
  %4 = amp.cast %y : f8E4M3FN to f32
  %5 = amp.cast %4 {overflow = saturate} : f32 to f8E4M3FN
  return %1, %3, %5 : f16, f16, f8E4M3FN
}

// -----

// may_elide is leave to keep the wider value.
// CHECK-LABEL: func.func @pair_may_elide
// CHECK-SAME: (%[[X:.*]]: tensor<?xf32>)
func.func @pair_may_elide(%x: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xbf16>, tensor<?xf32>) {
  // CHECK: %[[A:.*]] = amp.cast %[[X]] : tensor<?xf32> to tensor<?xbf16>
  // The second cast says may_elide, the first does not.
  // CHECK: %[[B:.*]] = amp.cast %[[X]] : tensor<?xf32> to tensor<?xf16>
  // CHECK: %[[C:.*]] = amp.cast %[[B]] {may_elide} : tensor<?xf16> to tensor<?xf32>
  // CHECK: return %[[X]], %[[A]], %[[C]]
  %0 = amp.cast %x {may_elide, origin = policy} : tensor<?xf32> to tensor<?xf16>
  %1 = amp.cast %0 : tensor<?xf16> to tensor<?xf32>
  %2 = amp.cast %0 : tensor<?xf16> to tensor<?xbf16>
  %3 = amp.cast %x : tensor<?xf32> to tensor<?xf16>
  %4 = amp.cast %3 {may_elide} : tensor<?xf16> to tensor<?xf32>
  return %1, %2, %4 : tensor<?xf32>, tensor<?xbf16>, tensor<?xf32>
}

// -----

// CHECK-LABEL: func.func @promote
// CHECK-SAME: (%[[X:.*]]: tensor<4xf16>, %[[Y:.*]]: tensor<f16>, %[[I:.*]]: i8)
func.func @promote(%x: tensor<4xf16>, %y: tensor<f16>, %i: i8) -> (tensor<4xf16>, tensor<4xf16>, tensor<f16>, i8) {
  // One operand, equal types, nothing that takes part.
  // CHECK-NEXT: return %[[X]], %[[X]], %[[Y]], %[[I]]
  %0 = amp.promote %x : tensor<4xf16>
  %1:2 = amp.promote %x, %y {mode = elementwise} : tensor<4xf16>, tensor<f16>
  %2 = amp.promote %i {at_least = f16} : i8
  amp.promote
  return %0, %1#0, %1#1, %2 : tensor<4xf16>, tensor<4xf16>, tensor<f16>, i8
}

// -----

// CHECK-LABEL: func.func @promote_stays
func.func @promote_stays(%x: tensor<4xf16>, %y: tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>) {
  // CHECK: amp.promote %{{.*}} {at_least = f32}
  // CHECK: amp.promote %{{.*}}, %{{.*}} : tensor<4xf16>, tensor<f32>
  %0 = amp.promote %x {at_least = f32} : tensor<4xf16>
  %1:2 = amp.promote %x, %y : tensor<4xf16>, tensor<f32>
  return %0, %1#0 : tensor<4xf32>, tensor<4xf32>
}

// -----

// In a function whose scopes are not applied yet, operands may get other types:
// a promotion stays, although it does nothing as the types are written.
// CHECK-LABEL: func.func @promote_symbolic
func.func @promote_symbolic(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = amp.autocast device("cuda") dtype(f16) results(propagate) (%x = %a : tensor<4x4xf32>) -> tensor<4x4xf32> {
    %1 = "aten.mm"(%x, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    amp.yield %1 : tensor<4x4xf32>
  }
  // CHECK: amp.promote
  %2:2 = amp.promote %0, %a : tensor<4x4xf32>, tensor<4x4xf32>
  %3 = arith.addf %2#0, %2#1 : tensor<4x4xf32>
  return %3 : tensor<4x4xf32>
}

// -----

// Captures of one value become one, captures without use go.
// CHECK-LABEL: func.func @captures
// CHECK-SAME: (%[[A:.*]]: f32, %[[B:.*]]: f32, %[[F:.*]]: i1)
func.func @captures(%a: f32, %b: f32, %flag: i1) -> f32 {
  // CHECK: amp.autocast device("cuda") dtype(f16) if %[[F]] policy(@mine) (%[[X:.*]] = %[[A]] : f32) -> f32 attributes {test.flag} {
  // CHECK-NEXT: arith.addf %[[X]], %[[X]]
  %0 = amp.autocast device("cuda") dtype(f16) if %flag policy(@mine) (%u = %b : f32, %x = %a : f32, %y = %a : f32) -> f32 attributes {test.flag} {
    %1 = arith.addf %x, %y : f32
    amp.yield %1 : f32
  }
  return %0 : f32
}

// -----

// Results without use go, with what they need; forwarded captures are what was
// captured, in both modes of the results.
// CHECK-LABEL: func.func @results
// CHECK-SAME: (%[[A:.*]]: f32, %[[B:.*]]: f32)
func.func @results(%a: f32, %b: f32) -> (f32, f32, f32) {
  // CHECK: %[[R:.*]] = amp.autocast device("cuda") dtype(f16) results(propagate) (%[[X:.*]] = %[[A]] : f32) -> f32 {
  // CHECK-NEXT: %[[E:.*]] = math.exp %[[X]]
  // CHECK-NEXT: amp.yield %[[E]] : f32
  // CHECK: return %[[B]], %[[R]], %[[A]]
  %0:4 = amp.autocast device("cuda") dtype(f16) results(propagate) (%x = %a : f32, %y = %b : f32) -> (f32, f32, f32, f32) {
    %1 = math.exp %x : f32
    %2 = math.exp %y : f32
    amp.yield %y, %1, %2, %x : f32, f32, f32, f32
  }
  return %0#0, %0#1, %0#3 : f32, f32, f32
}

// -----

// A scope in a scope is simplified with it.
// CHECK-LABEL: func.func @nested
// CHECK-SAME: (%[[A:.*]]: f32, %[[B:.*]]: f32)
func.func @nested(%a: f32, %b: f32) -> f32 {
  // CHECK-NEXT: return %[[B]]
  %0 = amp.autocast device("cuda") dtype(f16) (%x = %a : f32, %y = %b : f32) -> f32 {
    %1:2 = amp.autocast device("cuda") dtype(f16) disabled (%v = %x : f32, %w = %y : f32) -> (f32, f32) {
      %2 = math.exp %v : f32
      amp.yield %2, %w : f32, f32
    }
    amp.yield %1#1 : f32
  }
  return %0 : f32
}

// -----

// A constant flag is no flag.
// CHECK-LABEL: func.func @flag
func.func @flag(%a: f32) -> (f32, f32) {
  // CHECK: amp.autocast device("cuda") dtype(f16) (
  // CHECK: amp.autocast device("cuda") dtype(f16) disabled (
  %on = arith.constant true
  %off = arith.constant false
  %0 = amp.autocast device("cuda") dtype(f16) if %on (%x = %a : f32) -> f32 {
    %2 = math.exp %x : f32
    amp.yield %2 : f32
  }
  %1 = amp.autocast device("cuda") dtype(f16) if %off (%x = %a : f32) -> f32 {
    %2 = math.sin %x : f32
    amp.yield %2 : f32
  }
  return %0, %1 : f32, f32
}

// -----

// A dead scope goes if its ops have no side effects.
// CHECK-LABEL: func.func @dead
func.func @dead(%a: f32, %m: memref<f32>) {
  // CHECK-NEXT: amp.autocast
  // CHECK-NEXT: memref.store
  // CHECK-NEXT: amp.yield
  // CHECK-NEXT: }
  // CHECK-NEXT: return
  amp.autocast device("cuda") dtype(f16) (%x = %a : f32) {
    %0 = math.exp %x : f32
    amp.yield
  }
  amp.autocast device("cuda") dtype(f16) (%x = %a : f32, %y = %m : memref<f32>) {
    memref.store %x, %y[] : memref<f32>
    amp.yield
  }
  return
}

// What crosses a border is rounded, even where the cast in front of the border
// may be elided.
// CHECK-LABEL: func.func @pair_at_border
// CHECK-SAME:    (%[[X:[^:]*]]: tensor<4xf32>)
func.func @pair_at_border(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  // CHECK: %[[N:.*]] = amp.cast %[[X]] {may_elide, origin = policy} : tensor<4xf32> to tensor<4xf16>
  // CHECK: %[[B:.*]] = amp.cast %[[N]] {origin = boundary} : tensor<4xf16> to tensor<4xf32>
  // CHECK: return %[[B]], %[[X]]
  %0 = amp.cast %x {may_elide, origin = policy} : tensor<4xf32> to tensor<4xf16>
  %1 = amp.cast %0 {origin = boundary} : tensor<4xf16> to tensor<4xf32>
  %2 = amp.cast %0 {may_elide, origin = policy} : tensor<4xf16> to tensor<4xf32>
  return %1, %2 : tensor<4xf32>, tensor<4xf32>
}
