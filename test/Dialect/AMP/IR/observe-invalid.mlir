// RUN: amp-opt %s --split-input-file -verify-diagnostics

func.func @slot(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected a slot of at least 0, but found -1}}
  amp.observe "slot:0" slot(-1) %x : tensor<4xf32>
  return
}

// -----

func.func @element(%x: tensor<4xf80>) {
  // expected-error @+1 {{expected elements of f64, f32, f16, bf16 or an 8-bit float, but found 'f80'}}
  amp.observe "element:0" slot(0) %x : tensor<4xf80>
  return
}

// -----

func.func @integers(%x: tensor<4xi32>) {
  // expected-error @+1 {{operand #0 must be}}
  amp.observe "integers:0" slot(0) %x : tensor<4xi32>
  return
}

// -----

func.func @rank(%x: tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32>) {
  // expected-error @+1 {{expected a tensor of at most 16 dimensions}}
  amp.observe "rank:0" slot(0) %x : tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32>
  return
}

// -----

// expected-error @+1 {{attribute 'amp.profiled_as' is a string for functions only}}
func.func @copy() attributes {amp.profiled_as = 3 : i64} {
  return
}
