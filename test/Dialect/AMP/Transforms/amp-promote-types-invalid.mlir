// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file --amp-promote-types -verify-diagnostics

func.func @bytes(%a: tensor<4xf8E4M3FN>, %b: tensor<4xf32>) {
  // expected-error @below {{'aten.add.Tensor' has operands that torch does not promote: 'f8E4M3FN' and 'f32' do not promote: an 8-bit float goes with no other type; cast one of them}}
  %0 = "aten.add.Tensor"(%a, %b) : (tensor<4xf8E4M3FN>, tensor<4xf32>) -> tensor<4xf32>
  // Both are told of.
  // expected-error @below {{'aten.mul.Tensor' has operands that torch does not promote}}
  %1 = "aten.mul.Tensor"(%a, %b) : (tensor<4xf8E4M3FN>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @unsigned(%a: tensor<4xui16>, %b: tensor<4xi32>) {
  // expected-error @below {{'aten.add.Tensor' has operands that torch does not promote: 'ui16' and 'i32' do not promote: unsigned integers of more than 8 bits go with floats only; cast one of them}}
  %0 = "aten.add.Tensor"(%a, %b) : (tensor<4xui16>, tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @in_place(%a: tensor<4xi32>, %b: tensor<4xf32>) {
  // expected-error @below {{'aten.mul_.Tensor' computes 'f32', which cannot be written to a tensor of 'i32' (its operand 'self')}}
  %0 = "aten.mul_.Tensor"(%a, %b) : (tensor<4xi32>, tensor<4xf32>) -> tensor<4xi32>
  return
}

// -----

func.func @scope(%a: tensor<4xf32>) {
  // expected-error @below {{'amp.autocast' op is a scope, which amp-promote-types does not lower: run amp-decide-precision and amp-apply-precision first}}
  amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<4xf32>) {
    amp.yield
  }
  return
}
