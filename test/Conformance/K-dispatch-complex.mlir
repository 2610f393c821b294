// Section K: complex operands.
//
// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics --amp-dispatch-overloads
// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics --amp-dispatch-overloads="allow-lossy"

// 428. complex input with only real overloads => error / 'No decompositions
// registered for the complex-valued input'
amp.overload_set @exp {
  // expected-note@+1 {{candidate "real" does not match: T (f16 or f32) of type complex<f32>: complex operands go only to complex overloads}}
  amp.overload "real" emits "onnx.Exp"(self : T) -> T where T in [f16, f32]
}
func.func @case_428(%a: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  // expected-error@+2 {{no overload of @exp takes ('tensor<4xcomplex<f32>>')}}
  // expected-note@+1 {{cast the operands}}
  %0 = amp.dispatch @exp(%a) : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return %0 : tensor<4xcomplex<f32>>
}

// -----

// And the other way round: real operands leave complex overloads alone.
amp.overload_set @exp {
  // expected-note@+1 {{candidate "complex" does not match: T (complex<f32>) of type f32: operands that are not complex do not go to complex overloads}}
  amp.overload "complex" emits "onnx.ExpComplex"(self : T) -> T where T in [complex<f32>]
}
func.func @real(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+2 {{no overload of @exp takes ('tensor<4xf32>')}}
  // expected-note@+1 {{cast the operands}}
  %0 = amp.dispatch @exp(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

amp.overload_set @exp {
  amp.overload "real" emits "onnx.Exp"(self : T) -> T where T in [f16, f32]
  amp.overload "complex" emits "onnx.ExpComplex"(self : T) -> T where T in [complex<f32>]
}
func.func @complex(%a: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %0 = amp.dispatch @exp(%a) : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return %0 : tensor<4xcomplex<f32>>
}
