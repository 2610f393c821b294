// Section K of the conformance list: the promotion pass of the ONNX exporter.
//
// 415, that every rule names an op, is test/Types/torch_differential.py, which calls
// the ops of the table. The dispatcher's cases are those of amp-dispatch-overloads.
//
// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file --amp-promote-types | FileCheck %s
//
// 424: an op without a rule is skipped with a diagnostic, unchanged
// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file --amp-promote-types --remarks-filter=amp 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

// 416: add(f32,i64) => i64 operand gets convert_element_type(f32); output f32, no cast back
// CHECK-LABEL: func.func @case_416
func.func @case_416(%a: tensor<4xf32>, %b: tensor<4xi64>) -> tensor<4xf32> {
  // CHECK-NEXT: %[[B:.*]] = amp.cast %{{.*}} {origin = promotion} : tensor<4xi64> to tensor<4xf32>
  // CHECK-NEXT: %[[R:.*]] = "aten.add.Tensor"(%{{.*}}, %[[B]]) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // CHECK-NEXT: return %[[R]]
  %0 = "aten.add.Tensor"(%a, %b) : (tensor<4xf32>, tensor<4xi64>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// 417: add(x:f32, 2) => scalar i64 -> scalar_tensor(2,f32), overload becomes add.Tensor
// CHECK-LABEL: func.func @case_417
func.func @case_417(%a: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-NEXT: %[[C:.*]] = arith.constant dense<2.000000e+00> : tensor<f32>
  // CHECK-NEXT: "aten.add.Tensor"(%{{.*}}, %[[C]]) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %0 = "aten.add.Scalar"(%a) {other = 2 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// 418: add(f16,f16) => no cast (consolidated to result dtype, no opmath)
// CHECK-LABEL: func.func @case_418
func.func @case_418(%a: tensor<4xf16>) -> tensor<4xf16> {
  // CHECK-NEXT: "aten.add.Tensor"(%{{.*}}, %{{.*}}) : (tensor<4xf16>, tensor<4xf16>) -> tensor<4xf16>
  %0 = "aten.add.Tensor"(%a, %a) : (tensor<4xf16>, tensor<4xf16>) -> tensor<4xf16>
  return %0 : tensor<4xf16>
}

// 420: eq(f16,f32) => operands cast to f32 (computation dtype), output bool
// CHECK-LABEL: func.func @case_420
func.func @case_420(%a: tensor<4xf16>, %b: tensor<4xf32>) -> tensor<4xi1> {
  // CHECK-NEXT: %[[A:.*]] = amp.cast %{{.*}} {may_elide, origin = promotion} : tensor<4xf16> to tensor<4xf32>
  // CHECK-NEXT: "aten.eq.Tensor"(%[[A]], %{{.*}}) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %0 = "aten.eq.Tensor"(%a, %b) : (tensor<4xf16>, tensor<4xf32>) -> tensor<4xi1>
  return %0 : tensor<4xi1>
}

// 422: sum(i32) => operand cast to i64
// CHECK-LABEL: func.func @case_422
func.func @case_422(%a: tensor<4xi32>) -> tensor<i64> {
  // CHECK-NEXT: %[[A:.*]] = amp.cast %{{.*}} {may_elide, origin = promotion} : tensor<4xi32> to tensor<4xi64>
  // CHECK-NEXT: "aten.sum"(%[[A]]) : (tensor<4xi64>) -> tensor<i64>
  %0 = "aten.sum"(%a) : (tensor<4xi32>) -> tensor<i64>
  return %0 : tensor<i64>
}

// 423: op returning a tuple that would need promotion => NotImplementedError.
// Here each result has the type that its letter says.
// CHECK-LABEL: func.func @case_423
func.func @case_423(%a: tensor<4xcomplex<f32>>) {
  // CHECK-NEXT: "aten.std_mean"(%{{.*}}) : (tensor<4xcomplex<f32>>) -> (tensor<f32>, tensor<complex<f32>>)
  %0:2 = "aten.std_mean"(%a) : (tensor<4xcomplex<f32>>) -> (tensor<f32>, tensor<f32>)
  return
}

// 424: op without a rule => skipped with a diagnostic, unchanged
// CHECK-LABEL: func.func @case_424
// REMARK: NoPromotionRule{{.*}}Op=aten.of_nobody
func.func @case_424(%a: tensor<4xf16>, %b: tensor<4xf32>) -> tensor<4xf16> {
  // CHECK-NEXT: "aten.of_nobody"(%{{.*}}, %{{.*}}) : (tensor<4xf16>, tensor<4xf32>) -> tensor<4xf16>
  %0 = "aten.of_nobody"(%a, %b) : (tensor<4xf16>, tensor<4xf32>) -> tensor<4xf16>
  return %0 : tensor<4xf16>
}
