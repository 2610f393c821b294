// What no promotion mends is always an error.
//
// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file --amp-decide-precision -verify-diagnostics

func.func @bytes(%a: tensor<4xf8E5M2>, %b: tensor<4xf32>) {
  // expected-error @below {{'aten.add.Tensor' has operands that torch does not promote: 'f8E5M2' and 'f32' do not promote: an 8-bit float goes with no other type; cast one of them}}
  %0 = "aten.add.Tensor"(%a, %b) : (tensor<4xf8E5M2>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @unsigned(%a: tensor<4xui32>, %b: tensor<4xi8>) {
  // expected-error @below {{'aten.cat' has operands that torch does not promote: 'ui32' and 'i8' do not promote: unsigned integers of more than 8 bits go with floats only; cast one of them}}
  %0 = "aten.cat"(%a, %b) : (tensor<4xui32>, tensor<4xi8>) -> tensor<8xi32>
  return
}

// -----

func.func @in_place(%a: tensor<4xi32>, %b: tensor<4xf32>) {
  // expected-error @below {{'aten.add_.Tensor' computes 'f32', which cannot be written to a tensor of 'i32' (its operand 'self'); use the variant that returns a new tensor, or cast the operands}}
  %0 = "aten.add_.Tensor"(%a, %b) : (tensor<4xi32>, tensor<4xf32>) -> tensor<4xi32>
  return
}

// -----

func.func @out(%a: tensor<4x4xf32>, %b: tensor<4x4xbf16>) {
  // expected-error @below {{'aten.mm.out' computes 'f32', which cannot be written to a tensor of 'bf16' (its operand 'out')}}
  %0 = "aten.mm.out"(%a, %a, %b) : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xbf16>) -> tensor<4x4xbf16>
  return
}
