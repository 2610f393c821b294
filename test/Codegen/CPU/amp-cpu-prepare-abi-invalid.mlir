// Ops of upstream dialects that cannot be on buffers: one error at the op, and
// what to write instead.
// RUN: amp-opt %s --amp-cpu-prepare-abi --split-input-file --verify-diagnostics

func.func @gather(%x: tensor<5x6xf32>, %i: tensor<3x1xindex>) -> tensor<3x6xf32> {
  // expected-error @below {{'tensor.gather' op cannot be compiled for the CPU: it has no form on buffers; expected ops of linalg, tensor, arith, math, scf or cf that have one, such as linalg.generic, which reads elements at computed places by tensor.extract, or scf.for, which writes them by tensor.insert_slice}}
  %0 = tensor.gather %x[%i] gather_dims([0]) : (tensor<5x6xf32>, tensor<3x1xindex>) -> tensor<3x6xf32>
  return %0 : tensor<3x6xf32>
}

// -----

func.func @scatter(%x: tensor<3x6xf32>, %y: tensor<5x6xf32>, %i: tensor<3x1xindex>) -> tensor<5x6xf32> {
  // expected-error @below {{'tensor.scatter' op cannot be compiled for the CPU}}
  %0 = tensor.scatter %x into %y[%i] scatter_dims([0]) unique : (tensor<3x6xf32>, tensor<5x6xf32>, tensor<3x1xindex>) -> tensor<5x6xf32>
  return %0 : tensor<5x6xf32>
}

// -----

func.func @winograd(%f: tensor<2x3x3x5xf32>) -> tensor<6x6x5x2xf32> {
  %e = tensor.empty() : tensor<6x6x5x2xf32>
  // expected-error @below {{'linalg.winograd_filter_transform' op cannot be compiled for the CPU}}
  %0 = linalg.winograd_filter_transform fmr(F_4_3) ins(%f : tensor<2x3x3x5xf32>) outs(%e : tensor<6x6x5x2xf32>) -> tensor<6x6x5x2xf32>
  return %0 : tensor<6x6x5x2xf32>
}

// -----

func.func @affine(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{'affine.for' op cannot be compiled for the CPU}}
  %r = affine.for %i = 0 to 8 iter_args(%y = %x) -> tensor<8xf32> {
    %v = tensor.extract %y[%i] : tensor<8xf32>
    %w = arith.addf %v, %v : f32
    %z = tensor.insert %w into %y[%i] : tensor<8xf32>
    affine.yield %z : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

// A change of signedness is no op of the program: it is gone by then.
func.func @signedness(%x: tensor<8xui8>) -> tensor<8xi8> {
  %0 = tensor.bitcast %x : tensor<8xui8> to tensor<8xi8>
  return %0 : tensor<8xi8>
}
