// Section E: other tests of eager autocast. A comment quotes the number of each
// case; those about Python objects, the cast cache, gradients and mutation are in
// docs/conformance.md.
//
// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file --amp-autocast | FileCheck %s

// Case 250: mm(a:f64, b:f64) => f64, as without autocast.
// CHECK-LABEL: func.func @case_250
// CHECK-NOT:     amp.cast
// CHECK:         "aten.mm"({{.*}}) : (tensor<2x2xf64>, tensor<2x2xf64>) -> tensor<2x2xf64>
// Case 251: pow(a:f64|i32, 2.0) => the dtype that it has without autocast.
// CHECK:         "aten.pow.Tensor_Scalar"({{.*}}) {{.*}} : (tensor<2x2xf64>) -> tensor<2x2xf64>
// CHECK:         "aten.pow.Tensor_Scalar"({{.*}}) {{.*}} : (tensor<2x2xi32>) -> tensor<2x2xf32>
// Case 252: sum(a:f64|i32) => f64 | i64.
// CHECK:         "aten.sum"({{.*}}) : (tensor<2x2xf64>) -> tensor<f64>
// CHECK:         "aten.sum"({{.*}}) : (tensor<2x2xi32>) -> tensor<i64>
// Case 253: norm(a:f64) => f64.
// CHECK:         "aten.norm.Scalar"({{.*}}) : (tensor<2x2xf64>) -> tensor<f64>
// CHECK-NOT:     amp.cast
// CHECK:         return
func.func @case_250(%a: tensor<2x2xf64>, %i: tensor<2x2xi32>) {
  %cfg = amp.config device("cuda") dtype(f16)
  %t = amp.enter %cfg
  %0 = "aten.mm"(%a, %a) : (tensor<2x2xf64>, tensor<2x2xf64>) -> tensor<2x2xf64>
  %1 = "aten.pow.Tensor_Scalar"(%a) {exponent = 2.0 : f64} : (tensor<2x2xf64>) -> tensor<2x2xf64>
  %2 = "aten.pow.Tensor_Scalar"(%i) {exponent = 2.0 : f64} : (tensor<2x2xi32>) -> tensor<2x2xf32>
  %3 = "aten.sum"(%a) : (tensor<2x2xf64>) -> tensor<f64>
  %4 = "aten.sum"(%i) : (tensor<2x2xi32>) -> tensor<i64>
  %5 = "aten.norm.Scalar"(%a) : (tensor<2x2xf64>) -> tensor<f64>
  amp.exit %t
  return
}

// -----

// Case 255: custom_fwd(cast_inputs=f32), a:f16: inside forward the input is f32
// and autocast is off: a cast that the front end writes, and a disabled region.
// Case 256: outside of autocast nothing is cast: f16.
// CHECK-LABEL: func.func @case_255
// CHECK:         amp.cast %{{.*}} : tensor<2x2xf16> to tensor<2x2xf32>
// CHECK:         "aten.mm"({{.*}}) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
// CHECK-LABEL: func.func @case_256
// CHECK:         "aten.mm"({{.*}}) : (tensor<2x2xf16>, tensor<2x2xf16>) -> tensor<2x2xf16>
func.func @case_255(%a: tensor<2x2xf16>) -> tensor<2x2xf32> {
  %cfg = amp.config device("cuda") dtype(f16)
  %off = amp.config device("cuda") dtype(f16) disabled
  %t = amp.enter %cfg
  %x = amp.cast %a : tensor<2x2xf16> to tensor<2x2xf32>
  %u = amp.enter %off
  %0 = "aten.mm"(%x, %x) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  amp.exit %u
  amp.exit %t
  return %0 : tensor<2x2xf32>
}
func.func @case_256(%a: tensor<2x2xf16>) -> tensor<2x2xf16> {
  %0 = "aten.mm"(%a, %a) : (tensor<2x2xf16>, tensor<2x2xf16>) -> tensor<2x2xf16>
  return %0 : tensor<2x2xf16>
}

// -----

// Case 257: cat and stack of cpu tensors under R(cuda) => run, untouched.
// CHECK-LABEL: func.func @case_257
// CHECK-NOT:     amp.cast
// CHECK:         "aten.cat"({{.*}}) {{.*}} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32>
// CHECK:         "aten.stack"({{.*}}) {{.*}} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2x2xf32>
// CHECK-NOT:     amp.cast
// CHECK:         return
func.func @case_257(%a: tensor<2x2xf32> {amp.device = "cpu"}) {
  %cfg = amp.config device("cuda") dtype(f16)
  %t = amp.enter %cfg
  %0 = "aten.cat"(%a, %a) {dim = 0 : i64} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32>
  %1 = "aten.stack"(%a, %a) {dim = 0 : i64} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2x2xf32>
  amp.exit %t
  return
}

// -----

// Case 262: autocast('cpu', dtype=f32, enabled=False) => accepted.
// CHECK-LABEL: func.func @case_262
// CHECK:         "aten.mm"({{.*}}) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
func.func @case_262(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %cfg = amp.config device("cpu") dtype(f32) disabled
  %t = amp.enter %cfg
  %0 = "aten.mm"(%a, %b) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  amp.exit %t
  return %0 : tensor<2x2xf32>
}

// -----

// Case 271: MPS region bf16: mm(f32,f32) => bf16.
// CHECK-LABEL: func.func @case_271
// CHECK:         "aten.mm"({{.*}}) : (tensor<2x2xbf16>, tensor<2x2xbf16>) -> tensor<2x2xbf16>
func.func @case_271(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>) {
  %cfg = amp.config device("mps") dtype(bf16)
  %t = amp.enter %cfg
  %0 = "aten.mm"(%a, %b) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  amp.exit %t
  return
}
