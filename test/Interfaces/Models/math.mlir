// What the models say of each op of math, and each op retyped on its own.
//
// RUN: amp-opt %s -test-amp-precision-interface -o /dev/null 2>&1 | FileCheck %s --check-prefix=MODEL
// RUN: amp-opt %s -test-amp-precision-retype=to=bf16 | FileCheck %s

// Of a transcendental function only the target knows the number of operations.
// CHECK-LABEL: func.func @unary
// CHECK: math.absf %{{.*}} : tensor<2x4xbf16>
// CHECK: math.ceil %{{.*}} : tensor<2x4xbf16>
// CHECK: math.floor %{{.*}} : tensor<2x4xbf16>
// CHECK: math.roundeven %{{.*}} : tensor<2x4xbf16>
// CHECK: math.round %{{.*}} : tensor<2x4xbf16>
// CHECK: math.sqrt %{{.*}} : tensor<2x4xbf16>
// CHECK: math.trunc %{{.*}} : tensor<2x4xbf16>
// CHECK: math.acos %{{.*}} : tensor<2x4xbf16>
// CHECK: math.acosh %{{.*}} : tensor<2x4xbf16>
// CHECK: math.asin %{{.*}} : tensor<2x4xbf16>
// CHECK: math.asinh %{{.*}} : tensor<2x4xbf16>
// CHECK: math.atan %{{.*}} : tensor<2x4xbf16>
// CHECK: math.atanh %{{.*}} : tensor<2x4xbf16>
// CHECK: math.cbrt %{{.*}} : tensor<2x4xbf16>
// CHECK: math.cos %{{.*}} : tensor<2x4xbf16>
// CHECK: math.cosh %{{.*}} : tensor<2x4xbf16>
// CHECK: math.erf %{{.*}} : tensor<2x4xbf16>
// CHECK: math.erfc %{{.*}} : tensor<2x4xbf16>
// CHECK: math.exp2 %{{.*}} : tensor<2x4xbf16>
// CHECK: math.expm1 %{{.*}} : tensor<2x4xbf16>
// CHECK: math.exp %{{.*}} : tensor<2x4xbf16>
// CHECK: math.log10 %{{.*}} : tensor<2x4xbf16>
// CHECK: math.log1p %{{.*}} : tensor<2x4xbf16>
// CHECK: math.log2 %{{.*}} : tensor<2x4xbf16>
// CHECK: math.log %{{.*}} : tensor<2x4xbf16>
// CHECK: math.rsqrt %{{.*}} : tensor<2x4xbf16>
// CHECK: math.sin %{{.*}} : tensor<2x4xbf16>
// CHECK: math.sinh %{{.*}} : tensor<2x4xbf16>
// CHECK: math.tan %{{.*}} : tensor<2x4xbf16>
// CHECK: math.tanh %{{.*}} : tensor<2x4xbf16>
func.func @unary(%x: tensor<2x4xf32>) {
  // MODEL: remark: math.absf: elementwise (input) flops 8 bytes 64
  %0 = math.absf %x {test.retype} : tensor<2x4xf32>
  // MODEL: remark: math.ceil: elementwise (input) flops 8 bytes 64
  %1 = math.ceil %x {test.retype} : tensor<2x4xf32>
  // MODEL: remark: math.floor: elementwise (input) flops 8 bytes 64
  %2 = math.floor %x {test.retype} : tensor<2x4xf32>
  // MODEL: remark: math.roundeven: elementwise (input) flops 8 bytes 64
  %3 = math.roundeven %x {test.retype} : tensor<2x4xf32>
  // MODEL: remark: math.round: elementwise (input) flops 8 bytes 64
  %4 = math.round %x {test.retype} : tensor<2x4xf32>
  // MODEL: remark: math.sqrt: elementwise (input) flops 8 bytes 64
  %5 = math.sqrt %x {test.retype} : tensor<2x4xf32>
  // MODEL: remark: math.trunc: elementwise (input) flops 8 bytes 64
  %6 = math.trunc %x {test.retype} : tensor<2x4xf32>
  // MODEL: remark: math.acos: elementwise (input) bytes 64
  %7 = math.acos %x {test.retype} : tensor<2x4xf32>
  // MODEL: remark: math.acosh: elementwise (input) bytes 64
  %8 = math.acosh %x {test.retype} : tensor<2x4xf32>
  // MODEL: remark: math.asin: elementwise (input) bytes 64
  %9 = math.asin %x {test.retype} : tensor<2x4xf32>
  // MODEL: remark: math.asinh: elementwise (input) bytes 64
  %10 = math.asinh %x {test.retype} : tensor<2x4xf32>
  // MODEL: remark: math.atan: elementwise (input) bytes 64
  %11 = math.atan %x {test.retype} : tensor<2x4xf32>
  // MODEL: remark: math.atanh: elementwise (input) bytes 64
  %12 = math.atanh %x {test.retype} : tensor<2x4xf32>
  // MODEL: remark: math.cbrt: elementwise (input) bytes 64
  %13 = math.cbrt %x {test.retype} : tensor<2x4xf32>
  // MODEL: remark: math.cos: elementwise (input) bytes 64
  %14 = math.cos %x {test.retype} : tensor<2x4xf32>
  // MODEL: remark: math.cosh: elementwise (input) bytes 64
  %15 = math.cosh %x {test.retype} : tensor<2x4xf32>
  // MODEL: remark: math.erf: elementwise (input) bytes 64
  %16 = math.erf %x {test.retype} : tensor<2x4xf32>
  // MODEL: remark: math.erfc: elementwise (input) bytes 64
  %17 = math.erfc %x {test.retype} : tensor<2x4xf32>
  // MODEL: remark: math.exp2: elementwise (input) bytes 64
  %18 = math.exp2 %x {test.retype} : tensor<2x4xf32>
  // MODEL: remark: math.expm1: elementwise (input) bytes 64
  %19 = math.expm1 %x {test.retype} : tensor<2x4xf32>
  // MODEL: remark: math.exp: elementwise (input) bytes 64
  %20 = math.exp %x {test.retype} : tensor<2x4xf32>
  // MODEL: remark: math.log10: elementwise (input) bytes 64
  %21 = math.log10 %x {test.retype} : tensor<2x4xf32>
  // MODEL: remark: math.log1p: elementwise (input) bytes 64
  %22 = math.log1p %x {test.retype} : tensor<2x4xf32>
  // MODEL: remark: math.log2: elementwise (input) bytes 64
  %23 = math.log2 %x {test.retype} : tensor<2x4xf32>
  // MODEL: remark: math.log: elementwise (input) bytes 64
  %24 = math.log %x {test.retype} : tensor<2x4xf32>
  // MODEL: remark: math.rsqrt: elementwise (input) bytes 64
  %25 = math.rsqrt %x {test.retype} : tensor<2x4xf32>
  // MODEL: remark: math.sin: elementwise (input) bytes 64
  %26 = math.sin %x {test.retype} : tensor<2x4xf32>
  // MODEL: remark: math.sinh: elementwise (input) bytes 64
  %27 = math.sinh %x {test.retype} : tensor<2x4xf32>
  // MODEL: remark: math.tan: elementwise (input) bytes 64
  %28 = math.tan %x {test.retype} : tensor<2x4xf32>
  // MODEL: remark: math.tanh: elementwise (input) bytes 64
  %29 = math.tanh %x {test.retype} : tensor<2x4xf32>
  return
}

// CHECK-LABEL: func.func @several
// CHECK: math.atan2 {{.*}} : tensor<4xbf16>
// CHECK: math.copysign {{.*}} : tensor<4xbf16>
// CHECK: math.powf {{.*}} : tensor<4xbf16>
// CHECK: math.fma {{.*}} : tensor<4xbf16>
// CHECK: math.clampf {{.*}} : tensor<4xbf16>
// CHECK: math.fpowi {{.*}} : tensor<4xbf16>, tensor<4xi32>
func.func @several(%x: tensor<4xf32>, %y: tensor<4xf32>, %z: tensor<4xf32>, %n: tensor<4xi32>) {
  // MODEL: remark: math.atan2: elementwise (input, input) bytes 48
  %0 = math.atan2 %x, %y {test.retype} : tensor<4xf32>
  // MODEL: remark: math.copysign: elementwise (input, input) flops 4 bytes 48
  %1 = math.copysign %x, %y {test.retype} : tensor<4xf32>
  // MODEL: remark: math.powf: elementwise (input, input) bytes 48
  %2 = math.powf %x, %y {test.retype} : tensor<4xf32>
  // MODEL: remark: math.fma: elementwise (input, input, input) flops 8 bytes 64
  %3 = math.fma %x, %y, %z {test.retype} : tensor<4xf32>
  // MODEL: remark: math.clampf: elementwise (input, input, input) flops 8 bytes 64
  %4 = math.clampf %x to [%y, %z] {test.retype} : tensor<4xf32>
  // The exponent is an integer.
  // MODEL: remark: math.fpowi: elementwise (input, ignored) bytes 48
  %5 = math.fpowi %x, %n {test.retype} : tensor<4xf32>, tensor<4xi32>
  return
}

// Both results are cast back.
// CHECK-LABEL: func.func @sincos
// CHECK: %[[SIN:.*]], %[[COS:.*]] = math.sincos %{{.*}} : bf16
// CHECK-DAG: amp.cast %[[SIN]] : bf16 to f32
// CHECK-DAG: amp.cast %[[COS]] : bf16 to f32
func.func @sincos(%x: f32) -> (f32, f32) {
  // MODEL: remark: math.sincos: elementwise (input) bytes 0
  %0, %1 = math.sincos %x {test.retype} : f32
  return %0, %1 : f32, f32
}

// CHECK-LABEL: func.func @classify
// CHECK-SAME: (%[[X:.*]]: f32)
// CHECK: %[[FINITE:.*]] = math.isfinite %{{.*}} : bf16
// CHECK: %[[INF:.*]] = math.isinf %{{.*}} : bf16
// CHECK: %[[NAN:.*]] = math.isnan %{{.*}} : bf16
// CHECK: %[[NORMAL:.*]] = math.isnormal %{{.*}} : bf16
// CHECK: return %[[FINITE]], %[[INF]], %[[NAN]], %[[NORMAL]] : i1, i1, i1, i1
func.func @classify(%x: f32) -> (i1, i1, i1, i1) {
  // MODEL: remark: math.isfinite: elementwise (input)
  %0 = math.isfinite %x {test.retype} : f32
  // MODEL: remark: math.isinf: elementwise (input)
  %1 = math.isinf %x {test.retype} : f32
  // MODEL: remark: math.isnan: elementwise (input)
  %2 = math.isnan %x {test.retype} : f32
  // MODEL: remark: math.isnormal: elementwise (input)
  %3 = math.isnormal %x {test.retype} : f32
  return %0, %1, %2, %3 : i1, i1, i1, i1
}
