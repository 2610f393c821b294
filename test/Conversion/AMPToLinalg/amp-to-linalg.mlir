// RUN: amp-opt %s --split-input-file --amp-to-linalg | FileCheck %s

// Wider and narrower floats, scalars and vectors.
// CHECK-LABEL: func.func @float_scalar
// CHECK-SAME: (%[[X:.*]]: f32, %[[V:.*]]: vector<[4]xf32>)
func.func @float_scalar(%x: f32, %v: vector<[4]xf32>) -> (f64, f16, f8E5M2, vector<[4]xbf16>) {
  // CHECK-NEXT: %[[A:.*]] = arith.extf %[[X]] : f32 to f64
  // CHECK-NEXT: %[[B:.*]] = arith.truncf %[[X]] : f32 to f16
  // CHECK-NEXT: %[[C:.*]] = arith.truncf %[[X]] : f32 to f8E5M2
  // CHECK-NEXT: %[[D:.*]] = arith.truncf %[[V]] : vector<[4]xf32> to vector<[4]xbf16>
  // CHECK-NEXT: return %[[A]], %[[B]], %[[C]], %[[D]]
  %0 = amp.cast %x : f32 to f64
  %1 = amp.cast %x {rounding = to_nearest_even} : f32 to f16
  %2 = amp.cast %x {may_elide, origin = policy} : f32 to f8E5M2
  %3 = amp.cast %v : vector<[4]xf32> to vector<[4]xbf16>
  return %0, %1, %2, %3 : f64, f16, f8E5M2, vector<[4]xbf16>
}

// -----

// Another mode of rounding is over before the conversion, which is exact.
// CHECK-LABEL: func.func @float_directed
// CHECK-SAME: (%[[X:.*]]: vector<4xf32>)
func.func @float_directed(%x: vector<4xf32>) -> (vector<4xbf16>, vector<4xf16>) {
  // CHECK: arith.bitcast %[[X]] : vector<4xf32> to vector<4xi32>
  // CHECK: %[[KEPT:.*]] = arith.constant dense<-65536> : vector<4xi32>
  // CHECK: arith.andi %{{.*}}, %[[KEPT]] : vector<4xi32>
  // CHECK: %[[NAN:.*]] = arith.cmpf uno, %[[X]], %[[X]]
  // CHECK-NEXT: %[[ROUNDED:.*]] = arith.select %[[NAN]], %[[X]]
  // CHECK-NEXT: arith.truncf %[[ROUNDED]] : vector<4xf32> to vector<4xbf16>
  %0 = amp.cast %x {rounding = toward_zero} : vector<4xf32> to vector<4xbf16>
  // Subnormal values of f16 are normal ones of f32.
  // CHECK: math.floor
  // CHECK: %[[NAN:.*]] = arith.cmpf uno, %[[X]], %[[X]]
  // CHECK-NEXT: %[[ROUNDED:.*]] = arith.select %[[NAN]], %[[X]]
  // CHECK-NEXT: arith.truncf %[[ROUNDED]] : vector<4xf32> to vector<4xf16>
  %1 = amp.cast %x {rounding = to_nearest_away} : vector<4xf32> to vector<4xf16>
  return %0, %1 : vector<4xbf16>, vector<4xf16>
}

// -----

// f64 goes to f32 rounded to odd, so that the second rounding is the only one.
// CHECK-LABEL: func.func @float_f64
// CHECK-SAME: (%[[X:.*]]: f64)
func.func @float_f64(%x: f64) -> f16 {
  // CHECK: %[[NEAR:.*]] = arith.truncf %[[X]] : f64 to f32
  // CHECK: %[[BACK:.*]] = arith.extf %[[NEAR]] : f32 to f64
  // CHECK: arith.cmpf one, %[[BACK]], %[[X]] : f64
  // CHECK: %[[ODD:.*]] = arith.bitcast %{{.*}} : i32 to f32
  // CHECK: arith.truncf %[[ODD]] : f32 to f16
  %0 = amp.cast %x : f64 to f16
  return %0 : f16
}

// -----

// Equal widths, and f16 to f8E8M0FNU, which f16 does not cover: through f32.
// CHECK-LABEL: func.func @float_equal_width
func.func @float_equal_width(%x: bf16, %y: f8E5M2, %z: f16) -> (f16, f8E4M3FN, f8E8M0FNU) {
  // CHECK: arith.extf %{{.*}} : bf16 to f32
  // CHECK-NEXT: arith.truncf %{{.*}} : f32 to f16
  // CHECK-NEXT: arith.extf %{{.*}} : f8E5M2 to f32
  // CHECK-NEXT: arith.truncf %{{.*}} : f32 to f8E4M3FN
  // CHECK-NEXT: arith.extf %{{.*}} : f16 to f32
  // A negative value is NaN where there is no sign.
  // CHECK: arith.constant 0x7FC00000 : f32
  // CHECK: arith.truncf %{{.*}} : f32 to f8E8M0FNU
  %0 = amp.cast %x : bf16 to f16
  %1 = amp.cast %y : f8E5M2 to f8E4M3FN
  %2 = amp.cast %z : f16 to f8E8M0FNU
  return %0, %1, %2 : f16, f8E4M3FN, f8E8M0FNU
}

// -----

// Two casts stay two, whatever may be elided: folding is the canonicalizer's.
// CHECK-LABEL: func.func @pair
func.func @pair(%x: f32) -> f32 {
  // CHECK-NEXT: arith.truncf
  // CHECK-NEXT: arith.extf
  %0 = amp.cast %x {may_elide} : f32 to f16
  %1 = amp.cast %0 : f16 to f32
  return %1 : f32
}

// -----

// Saturation clamps before it rounds, and NaN passes both comparisons.
// CHECK-LABEL: func.func @saturate
// CHECK-SAME: (%[[X:.*]]: vector<4xf32>)
func.func @saturate(%x: vector<4xf32>) -> vector<4xf16> {
  // CHECK: %[[HIGH:.*]] = arith.constant dense<6.550400e+04> : vector<4xf32>
  // CHECK: %[[OVER:.*]] = arith.cmpf ogt, %[[X]], %[[HIGH]]
  // CHECK: %[[A:.*]] = arith.select %[[OVER]], %[[HIGH]], %[[X]]
  // CHECK: %[[LOW:.*]] = arith.constant dense<-6.550400e+04> : vector<4xf32>
  // CHECK: %[[UNDER:.*]] = arith.cmpf olt, %[[A]], %[[LOW]]
  // CHECK: %[[B:.*]] = arith.select %[[UNDER]], %[[LOW]], %[[A]]
  // CHECK: arith.truncf %[[B]] : vector<4xf32> to vector<4xf16>
  %0 = amp.cast %x {overflow = saturate} : vector<4xf32> to vector<4xf16>
  return %0 : vector<4xf16>
}

// -----

// Nothing to clamp: no infinities, and every value fits.
// CHECK-LABEL: func.func @saturate_exact
func.func @saturate_exact(%x: f8E4M3FN) -> f32 {
  // CHECK-NEXT: arith.extf
  // CHECK-NEXT: return
  %0 = amp.cast %x {overflow = saturate} : f8E4M3FN to f32
  return %0 : f32
}

// -----

// CHECK-LABEL: func.func @float_to_integer
func.func @float_to_integer(%x: f32, %h: f16) -> (i32, i1, i32) {
  // CHECK-NEXT: arith.fptosi %{{.*}} : f32 to i32
  // CHECK: arith.cmpf une, %{{.*}}, %{{.*}} : f32
  // The bounds are compared in f32, which holds 2^31; f16 does not.
  // CHECK: arith.extf %{{.*}} : f16 to f32
  // CHECK: arith.constant 2.14748365E+9 : f32
  // CHECK: arith.cmpf oge
  // CHECK: arith.constant 2147483647 : i32
  // CHECK: arith.constant -2.14748365E+9 : f32
  // CHECK: arith.cmpf ole
  // CHECK: arith.constant -2147483648 : i32
  // CHECK: arith.cmpf uno
  %0 = amp.cast %x : f32 to i32
  %1 = amp.cast %x : f32 to i1
  %2 = amp.cast %h {overflow = saturate} : f16 to i32
  return %0, %1, %2 : i32, i1, i32
}

// -----

// CHECK-LABEL: func.func @integer_to_float
func.func @integer_to_float(%b: i1, %i: i32, %j: i64) -> (f32, f32, f16, f64, bf16) {
  // CHECK-NEXT: arith.uitofp %{{.*}} : i1 to f32
  // CHECK-NEXT: arith.sitofp %{{.*}} : i32 to f32
  // What f32 rounds is beyond the range of f16, so it does not matter how.
  // CHECK-NEXT: arith.sitofp %{{.*}} : i64 to f32
  // CHECK-NEXT: arith.truncf %{{.*}} : f32 to f16
  // CHECK-NEXT: arith.sitofp %{{.*}} : i64 to f64
  // bf16 has the range of f32: here two roundings would show.
  // CHECK: arith.extsi %{{.*}} : i32 to i64
  // CHECK: math.ctlz %{{.*}} : i64
  // CHECK: arith.truncf %{{.*}} : f32 to bf16
  %0 = amp.cast %b : i1 to f32
  %1 = amp.cast %i : i32 to f32
  %2 = amp.cast %j : i64 to f16
  %3 = amp.cast %j : i64 to f64
  %4 = amp.cast %i : i32 to bf16
  return %0, %1, %2, %3, %4 : f32, f32, f16, f64, bf16
}

// -----

// CHECK-LABEL: func.func @integer_to_integer
func.func @integer_to_integer(%b: i1, %i: i32) -> (i8, i8, i64, i1, i8) {
  // CHECK-NEXT: arith.extui %{{.*}} : i1 to i8
  // CHECK-NEXT: arith.trunci %{{.*}} : i32 to i8
  // CHECK-NEXT: arith.extsi %{{.*}} : i32 to i64
  // CHECK: arith.cmpi ne
  // CHECK: arith.constant 127 : i32
  // CHECK: arith.minsi
  // CHECK: arith.constant -128 : i32
  // CHECK: arith.maxsi
  // CHECK: arith.trunci %{{.*}} : i32 to i8
  %0 = amp.cast %b : i1 to i8
  %1 = amp.cast %i : i32 to i8
  %2 = amp.cast %i : i32 to i64
  %3 = amp.cast %i : i32 to i1
  %4 = amp.cast %i {overflow = saturate} : i32 to i8
  return %0, %1, %2, %3, %4 : i8, i8, i64, i1, i8
}

// -----

// Unsigned types have no arith ops: tensors change sides by a bitcast.
// CHECK-LABEL: func.func @unsigned
// CHECK-SAME: (%[[X:.*]]: tensor<?xui8>, %[[S:.*]]: ui8)
func.func @unsigned(%x: tensor<?xui8>, %s: ui8) -> (tensor<?xf32>, tensor<?xi8>, f32) {
  // CHECK: %[[T:.*]] = tensor.bitcast %[[X]] : tensor<?xui8> to tensor<?xi8>
  // CHECK: linalg.generic {{.*}} ins(%[[T]] : tensor<?xi8>)
  // CHECK: arith.uitofp
  // Wrapping changes no bits.
  // CHECK: %[[U:.*]] = tensor.bitcast %[[X]] : tensor<?xui8> to tensor<?xi8>
  // CHECK-NEXT: builtin.unrealized_conversion_cast %[[S]] : ui8 to i8
  // CHECK-NEXT: arith.uitofp
  // CHECK-NEXT: return %{{.*}}, %[[U]]
  %0 = amp.cast %x : tensor<?xui8> to tensor<?xf32>
  %1 = amp.cast %x : tensor<?xui8> to tensor<?xi8>
  %2 = amp.cast %s : ui8 to f32
  return %0, %1, %2 : tensor<?xf32>, tensor<?xi8>, f32
}

// -----

// 0-d, two dimensions of which one is dynamic, an encoding.
// CHECK-LABEL: func.func @tensors
func.func @tensors(%x: tensor<f32>, %y: tensor<4x?xf32>, %z: tensor<4xf32, "e">) -> (tensor<f16>, tensor<4x?xf16>, tensor<4xf16, "e">) {
  // CHECK: linalg.generic {indexing_maps = [#{{.*}}, #{{.*}}], iterator_types = []}
  // CHECK: %[[C1:.*]] = arith.constant 1 : index
  // CHECK: %[[D:.*]] = tensor.dim %{{.*}}, %[[C1]] : tensor<4x?xf32>
  // CHECK: tensor.empty(%[[D]]) : tensor<4x?xf16>
  // CHECK: iterator_types = ["parallel", "parallel"]
  // CHECK: tensor.empty() : tensor<4xf16, "e">
  %0 = amp.cast %x : tensor<f32> to tensor<f16>
  %1 = amp.cast %y : tensor<4x?xf32> to tensor<4x?xf16>
  %2 = amp.cast %z : tensor<4xf32, "e"> to tensor<4xf16, "e">
  return %0, %1, %2 : tensor<f16>, tensor<4x?xf16>, tensor<4xf16, "e">
}

// -----

// A promotion that is left over, and elementwise ops on tensors.
// CHECK-LABEL: func.func @promote
// CHECK-SAME: (%[[X:.*]]: tensor<4xf32>, %[[Y:.*]]: tensor<4xf16>, %[[Z:.*]]: f16)
func.func @promote(%x: tensor<4xf32>, %y: tensor<4xf16>, %z: f16) -> (tensor<4xf32>, f32) {
  // CHECK: %[[W:.*]] = linalg.generic {{.*}} ins(%[[Y]] : tensor<4xf16>)
  // CHECK: arith.extf
  // CHECK: %[[S:.*]] = arith.extf %[[Z]] : f16 to f32
  // CHECK: %[[A:.*]] = linalg.generic {{.*}} ins(%[[X]], %[[W]] : tensor<4xf32>, tensor<4xf32>)
  // CHECK: arith.addf %{{.*}}, %{{.*}} : f32
  // CHECK: %[[B:.*]] = linalg.generic {{.*}} ins(%[[A]] : tensor<4xf32>)
  // CHECK: math.exp %{{.*}} : f32
  // CHECK: return %[[B]], %[[S]]
  %0:3 = amp.promote %x, %y, %z : tensor<4xf32>, tensor<4xf16>, f16
  %1 = arith.addf %0#0, %0#1 : tensor<4xf32>
  %2 = math.exp %1 : tensor<4xf32>
  return %2, %0#2 : tensor<4xf32>, f32
}

// -----

// An elementwise product: computed in f64 because that is asked for, from
// operands that stay f16.
// CHECK-LABEL: func.func @out_dtype_elementwise
// CHECK-SAME: (%[[A:.*]]: tensor<?x8xf16>, %[[B:.*]]: tensor<?x8xf16>)
func.func @out_dtype_elementwise(%a: tensor<?x8xf16>, %b: tensor<?x8xf16>) -> tensor<?x8xf64> {
  // CHECK: %[[R:.*]] = linalg.generic {{.*}} ins(%[[A]], %[[B]] : tensor<?x8xf16>, tensor<?x8xf16>) outs(%{{.*}} : tensor<?x8xf64>)
  // CHECK: %[[X:.*]] = arith.extf %{{.*}} : f16 to f64
  // CHECK: %[[Y:.*]] = arith.extf %{{.*}} : f16 to f64
  // CHECK: arith.mulf %[[X]], %[[Y]] : f64
  // CHECK: return %[[R]]
  %0 = amp.out_dtype (%x = %a : tensor<?x8xf16>, %y = %b : tensor<?x8xf16>) -> tensor<?x8xf64> {
    %1 = arith.mulf %x, %y : tensor<?x8xf16>
    amp.yield %1 : tensor<?x8xf16>
  }
  return %0 : tensor<?x8xf64>
}

// -----

// i8 computes in i32 and wraps into i16.
// CHECK-LABEL: func.func @out_dtype_integer
func.func @out_dtype_integer(%a: tensor<8xi8>) -> tensor<8xi16> {
  // CHECK: arith.muli %{{.*}}, %{{.*}} : i32
  // CHECK: arith.trunci %{{.*}} : i32 to i16
  %0 = amp.out_dtype (%x = %a : tensor<8xi8>) -> tensor<8xi16> {
    %1 = arith.muli %x, %x : tensor<8xi8>
    amp.yield %1 : tensor<8xi8>
  }
  return %0 : tensor<8xi16>
}

// -----

// A named contraction stays one, on operands as they are: bf16 accumulates in
// f32 and rounds once at the end; a fill is made anew in the accumulator type.
// CHECK-LABEL: func.func @out_dtype_matmul
// CHECK-SAME: (%[[A:.*]]: tensor<4x8xbf16>, %[[B:.*]]: tensor<8x4xbf16>)
func.func @out_dtype_matmul(%a: tensor<4x8xbf16>, %b: tensor<8x4xbf16>) -> tensor<4x4xbf16> {
  // CHECK: %[[INIT:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : tensor<4x4xf32>)
  // CHECK: %[[M:.*]] = linalg.matmul ins(%[[A]], %[[B]] : tensor<4x8xbf16>, tensor<8x4xbf16>) outs(%[[INIT]] : tensor<4x4xf32>)
  // CHECK: linalg.generic {{.*}} ins(%[[M]] : tensor<4x4xf32>)
  // CHECK: arith.truncf %{{.*}} : f32 to bf16
  %c = arith.constant 0.0 : bf16
  %e = tensor.empty() : tensor<4x4xbf16>
  %f = linalg.fill ins(%c : bf16) outs(%e : tensor<4x4xbf16>) -> tensor<4x4xbf16>
  %0 = amp.out_dtype (%x = %a : tensor<4x8xbf16>, %y = %b : tensor<8x4xbf16>, %z = %f : tensor<4x4xbf16>) -> tensor<4x4xbf16> {
    %1 = linalg.matmul ins(%x, %y : tensor<4x8xbf16>, tensor<8x4xbf16>) outs(%z : tensor<4x4xbf16>) -> tensor<4x4xbf16>
    amp.yield %1 : tensor<4x4xbf16>
  }
  return %0 : tensor<4x4xbf16>
}

// -----

// i8 accumulates in i32; a dynamic init is widened, which is exact.
// CHECK-LABEL: func.func @out_dtype_matmul_i8
func.func @out_dtype_matmul_i8(%a: tensor<?x8xi8>, %b: tensor<8x4xi8>, %i: tensor<?x4xi8>) -> tensor<?x4xi32> {
  // CHECK: arith.extsi %{{.*}} : i8 to i32
  // CHECK: %[[M:.*]] = linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<?x8xi8>, tensor<8x4xi8>) outs(%{{.*}} : tensor<?x4xi32>)
  // CHECK: return %[[M]]
  %0 = amp.out_dtype (%x = %a : tensor<?x8xi8>, %y = %b : tensor<8x4xi8>, %z = %i : tensor<?x4xi8>) -> tensor<?x4xi32> {
    %1 = linalg.matmul ins(%x, %y : tensor<?x8xi8>, tensor<8x4xi8>) outs(%z : tensor<?x4xi8>) -> tensor<?x4xi8>
    amp.yield %1 : tensor<?x4xi8>
  }
  return %0 : tensor<?x4xi32>
}

// -----

// One of two whole tensors, which may have different sizes, is no loop over
// both; of static shape it is, and so is an element-wise choice.
// CHECK-LABEL: func.func @select(
// CHECK-SAME: %[[C:.*]]: i1, %[[A:.*]]: tensor<?x4xf32>, %[[B:.*]]: tensor<?x4xf32>
func.func @select(%c: i1, %a: tensor<?x4xf32>, %b: tensor<?x4xf32>) -> tensor<?x4xf32> {
  // CHECK-NEXT: %[[R:.*]] = arith.select %[[C]], %[[A]], %[[B]] : tensor<?x4xf32>
  // CHECK-NEXT: return %[[R]]
  %0 = arith.select %c, %a, %b : tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}
// CHECK-LABEL: func.func @select_elements(
func.func @select_elements(%c: i1, %d: tensor<?xi1>, %a: tensor<4xf32>, %b: tensor<4xf32>, %x: tensor<?xf32>, %y: tensor<?xf32>) -> (tensor<4xf32>, tensor<?xf32>) {
  // CHECK: linalg.generic {{.*}} ins(%{{.*}} : i1, tensor<4xf32>, tensor<4xf32>)
  // CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<?xi1>, tensor<?xf32>, tensor<?xf32>)
  %0 = arith.select %c, %a, %b : tensor<4xf32>
  %1 = arith.select %d, %x, %y : tensor<?xi1>, tensor<?xf32>
  return %0, %1 : tensor<4xf32>, tensor<?xf32>
}
