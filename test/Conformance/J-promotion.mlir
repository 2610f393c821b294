// Section J of the conformance list: type promotion.
//
// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file --amp-decide-precision --amp-apply-precision | FileCheck %s
//
// Every result is written as f32: what it is comes from the operands. 384, 406 and
// 407, the whole tables, are unittests/Types/TypePromotionTest.cpp.

// 386: i32[n]+f32[0] => f32
// CHECK-LABEL: func.func @case_386
func.func @case_386(%a: tensor<4xi32>, %b: tensor<f32>) {
  // CHECK: "aten.add.Tensor"(%{{.*}}, %{{.*}}) : (tensor<4xi32>, tensor<f32>) -> tensor<4xf32>
  %r0 = "aten.add.Tensor"(%a, %b) : (tensor<4xi32>, tensor<f32>) -> tensor<4xf32>
  return
}

// 388: f16[0]+f32[0] => f32
// CHECK-LABEL: func.func @case_388
func.func @case_388(%a: tensor<f16>, %b: tensor<f32>) {
  // CHECK: "aten.add.Tensor"(%{{.*}}, %{{.*}}) : (tensor<f16>, tensor<f32>) -> tensor<f32>
  %r0 = "aten.add.Tensor"(%a, %b) : (tensor<f16>, tensor<f32>) -> tensor<f32>
  return
}

// 389: f16[0]+i64[n] => f16
// CHECK-LABEL: func.func @case_389
func.func @case_389(%a: tensor<f16>, %b: tensor<4xi64>) {
  // CHECK: "aten.add.Tensor"(%{{.*}}, %{{.*}}) : (tensor<f16>, tensor<4xi64>) -> tensor<4xf16>
  %r0 = "aten.add.Tensor"(%a, %b) : (tensor<f16>, tensor<4xi64>) -> tensor<4xf32>
  return
}

// 391: u8[n]+i8[n] => i16
// CHECK-LABEL: func.func @case_391
func.func @case_391(%a: tensor<4xui8>, %b: tensor<4xi8>) {
  // CHECK: "aten.add.Tensor"(%{{.*}}, %{{.*}}) : (tensor<4xui8>, tensor<4xi8>) -> tensor<4xi16>
  %r0 = "aten.add.Tensor"(%a, %b) : (tensor<4xui8>, tensor<4xi8>) -> tensor<4xf32>
  return
}

// 392: f16[n]+bf16[n] => f32
// CHECK-LABEL: func.func @case_392
func.func @case_392(%a: tensor<4xf16>, %b: tensor<4xbf16>) {
  // CHECK: "aten.add.Tensor"(%{{.*}}, %{{.*}}) : (tensor<4xf16>, tensor<4xbf16>) -> tensor<4xf32>
  %r0 = "aten.add.Tensor"(%a, %b) : (tensor<4xf16>, tensor<4xbf16>) -> tensor<4xf32>
  return
}

// 393: f16[n]+bf16[0] => f16
// CHECK-LABEL: func.func @case_393
func.func @case_393(%a: tensor<4xf16>, %b: tensor<bf16>) {
  // CHECK: "aten.add.Tensor"(%{{.*}}, %{{.*}}) : (tensor<4xf16>, tensor<bf16>) -> tensor<4xf16>
  %r0 = "aten.add.Tensor"(%a, %b) : (tensor<4xf16>, tensor<bf16>) -> tensor<4xf32>
  return
}

// 394: i8[n]+300 => i8
// CHECK-LABEL: func.func @case_394
func.func @case_394(%a0: tensor<4xi8>) {
  // CHECK: "aten.add.Scalar"(%{{.*}}) {{.*}} : (tensor<4xi8>) -> tensor<4xi8>
  %r0 = "aten.add.Scalar"(%a0) {other = 300 : i64} : (tensor<4xi8>) -> tensor<4xf32>
  return
}

// 396: bool[n]+1 => i64
// CHECK-LABEL: func.func @case_396
func.func @case_396(%a0: tensor<4xi1>) {
  // CHECK: "aten.add.Scalar"(%{{.*}}) {{.*}} : (tensor<4xi1>) -> tensor<4xi64>
  %r0 = "aten.add.Scalar"(%a0) {other = 1 : i64} : (tensor<4xi1>) -> tensor<4xf32>
  return
}

// 397: i32[n]+True => i32
// CHECK-LABEL: func.func @case_397
func.func @case_397(%a0: tensor<4xi32>) {
  // CHECK: "aten.add.Scalar"(%{{.*}}) {{.*}} : (tensor<4xi32>) -> tensor<4xi32>
  %r0 = "aten.add.Scalar"(%a0) {other = true} : (tensor<4xi32>) -> tensor<4xf32>
  return
}

// 398: i32[n]+1.5 => f32
// CHECK-LABEL: func.func @case_398
func.func @case_398(%a0: tensor<4xi32>) {
  // CHECK: "aten.add.Scalar"(%{{.*}}) {{.*}} : (tensor<4xi32>) -> tensor<4xf32>
  %r0 = "aten.add.Scalar"(%a0) {other = 1.5 : f64} : (tensor<4xi32>) -> tensor<4xf32>
  return
}

// 400: f32[n]+1j / bf16[n]+1j => c64 / c64
// CHECK-LABEL: func.func @case_400
func.func @case_400(%a: tensor<4xf32>, %b: tensor<4xbf16>, %j: complex<f64>) {
  // CHECK: "aten.add.Scalar"(%{{.*}}, %{{.*}}) : (tensor<4xf32>, complex<f64>) -> tensor<4xcomplex<f32>>
  %0 = "aten.add.Scalar"(%a, %j) : (tensor<4xf32>, complex<f64>) -> tensor<4xf32>
  // CHECK: "aten.add.Scalar"(%{{.*}}, %{{.*}}) : (tensor<4xbf16>, complex<f64>) -> tensor<4xcomplex<f32>>
  %1 = "aten.add.Scalar"(%b, %j) : (tensor<4xbf16>, complex<f64>) -> tensor<4xf32>
  return
}

// 401: c64[0]+f64[n] => c128
// CHECK-LABEL: func.func @case_401
func.func @case_401(%a: tensor<complex<f32>>, %b: tensor<4xf64>) {
  // CHECK: "aten.add.Tensor"(%{{.*}}, %{{.*}}) : (tensor<complex<f32>>, tensor<4xf64>) -> tensor<4xcomplex<f64>>
  %r0 = "aten.add.Tensor"(%a, %b) : (tensor<complex<f32>>, tensor<4xf64>) -> tensor<4xf32>
  return
}

// 402: c32[n]+f32[n] => c64
// CHECK-LABEL: func.func @case_402
func.func @case_402(%a: tensor<4xcomplex<f16>>, %b: tensor<4xf32>) {
  // CHECK: "aten.add.Tensor"(%{{.*}}, %{{.*}}) : (tensor<4xcomplex<f16>>, tensor<4xf32>) -> tensor<4xcomplex<f32>>
  %r0 = "aten.add.Tensor"(%a, %b) : (tensor<4xcomplex<f16>>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// 405: u16[n]+1 / u16[n]+1.0 / f8[n]+1.0 => u16 / f32 / f8
// CHECK-LABEL: func.func @case_405
func.func @case_405(%a0: tensor<4xui16>, %a1: tensor<4xui16>, %a2: tensor<4xf8E4M3FN>) {
  // CHECK: "aten.add.Scalar"(%{{.*}}) {{.*}} : (tensor<4xui16>) -> tensor<4xui16>
  %r0 = "aten.add.Scalar"(%a0) {other = 1 : i64} : (tensor<4xui16>) -> tensor<4xf32>
  // CHECK: "aten.add.Scalar"(%{{.*}}) {{.*}} : (tensor<4xui16>) -> tensor<4xf32>
  %r1 = "aten.add.Scalar"(%a1) {other = 1.0 : f64} : (tensor<4xui16>) -> tensor<4xf32>
  // CHECK: "aten.add.Scalar"(%{{.*}}) {{.*}} : (tensor<4xf8E4M3FN>) -> tensor<4xf8E4M3FN>
  %r2 = "aten.add.Scalar"(%a2) {other = 1.0 : f64} : (tensor<4xf8E4M3FN>) -> tensor<4xf32>
  return
}

// 408: div(i32,i32) / rounding_mode trunc, floor => f32 / i32
// CHECK-LABEL: func.func @case_408
func.func @case_408(%a: tensor<4xi32>) {
  // CHECK: "aten.div.Tensor"(%{{.*}}, %{{.*}}) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xf32>
  %r0 = "aten.div.Tensor"(%a, %a) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xf32>
  // CHECK: "aten.div.Tensor_mode"(%{{.*}}, %{{.*}}) {{.*}} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %r1 = "aten.div.Tensor_mode"(%a, %a) {rounding_mode = "trunc"} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xf32>
  // CHECK: "aten.div.Tensor_mode"(%{{.*}}, %{{.*}}) {{.*}} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %r2 = "aten.div.Tensor_mode"(%a, %a) {rounding_mode = "floor"} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xf32>
  return
}

// 409: sum,prod,cumsum,cumprod of bool,i8,i32 => i64
// CHECK-LABEL: func.func @case_409
func.func @case_409(%a: tensor<4xi1>, %b: tensor<4xi8>, %c: tensor<4xi32>) {
  // CHECK: "aten.sum"(%{{.*}}) : (tensor<4xi1>) -> tensor<i64>
  %r0 = "aten.sum"(%a) : (tensor<4xi1>) -> tensor<f32>
  // CHECK: "aten.sum"(%{{.*}}) : (tensor<4xi8>) -> tensor<i64>
  %r1 = "aten.sum"(%b) : (tensor<4xi8>) -> tensor<f32>
  // CHECK: "aten.sum"(%{{.*}}) : (tensor<4xi32>) -> tensor<i64>
  %r2 = "aten.sum"(%c) : (tensor<4xi32>) -> tensor<f32>
  // CHECK: "aten.prod"(%{{.*}}) : (tensor<4xi1>) -> tensor<i64>
  %r3 = "aten.prod"(%a) : (tensor<4xi1>) -> tensor<f32>
  // CHECK: "aten.prod"(%{{.*}}) : (tensor<4xi8>) -> tensor<i64>
  %r4 = "aten.prod"(%b) : (tensor<4xi8>) -> tensor<f32>
  // CHECK: "aten.prod"(%{{.*}}) : (tensor<4xi32>) -> tensor<i64>
  %r5 = "aten.prod"(%c) : (tensor<4xi32>) -> tensor<f32>
  // CHECK: "aten.cumsum"(%{{.*}}) : (tensor<4xi1>) -> tensor<4xi64>
  %r6 = "aten.cumsum"(%a) : (tensor<4xi1>) -> tensor<4xf32>
  // CHECK: "aten.cumsum"(%{{.*}}) : (tensor<4xi8>) -> tensor<4xi64>
  %r7 = "aten.cumsum"(%b) : (tensor<4xi8>) -> tensor<4xf32>
  // CHECK: "aten.cumsum"(%{{.*}}) : (tensor<4xi32>) -> tensor<4xi64>
  %r8 = "aten.cumsum"(%c) : (tensor<4xi32>) -> tensor<4xf32>
  // CHECK: "aten.cumprod"(%{{.*}}) : (tensor<4xi1>) -> tensor<4xi64>
  %r9 = "aten.cumprod"(%a) : (tensor<4xi1>) -> tensor<4xf32>
  // CHECK: "aten.cumprod"(%{{.*}}) : (tensor<4xi8>) -> tensor<4xi64>
  %r10 = "aten.cumprod"(%b) : (tensor<4xi8>) -> tensor<4xf32>
  // CHECK: "aten.cumprod"(%{{.*}}) : (tensor<4xi32>) -> tensor<4xi64>
  %r11 = "aten.cumprod"(%c) : (tensor<4xi32>) -> tensor<4xf32>
  return
}

// 411: abs(c64) => f32
// CHECK-LABEL: func.func @case_411
func.func @case_411(%a: tensor<4xcomplex<f32>>) {
  // CHECK: "aten.abs"(%{{.*}}) : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  %r0 = "aten.abs"(%a) : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  return
}

// 412: pow(bool,bool) => i64
// CHECK-LABEL: func.func @case_412
func.func @case_412(%a: tensor<4xi1>) {
  // CHECK: "aten.pow.Tensor_Tensor"(%{{.*}}, %{{.*}}) : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi64>
  %r0 = "aten.pow.Tensor_Tensor"(%a, %a) : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xf32>
  return
}
