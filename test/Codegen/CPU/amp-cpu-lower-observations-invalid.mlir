// RUN: amp-opt %s --amp-cpu-lower-observations -verify-diagnostics

// expected-error @+1 {{'amp_observe_f32' is the name of a function of the runtime, which amp.observe calls: rename this one}}
func.func @amp_observe_f32(%x: tensor<4xf32>) {
  amp.observe "amp_observe_f32:0" slot(0) %x : tensor<4xf32>
  return
}
