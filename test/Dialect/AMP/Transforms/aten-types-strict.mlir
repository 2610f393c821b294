// With 'strict', what torch has an error for is one.
//
// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file --amp-decide-precision=strict -verify-diagnostics

func.func @mixed(%a: tensor<4x4xf16>, %b: tensor<4x4xf32>) {
  // expected-error @below {{'aten.mm' takes operands of one element type, but found 'f16', 'f32'; cast the operands, or leave out 'strict'}}
  %0 = "aten.mm"(%a, %b) : (tensor<4x4xf16>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

// Nothing is cast back in a disabled scope.
func.func @disabled(%a: tensor<4x4xf32>) {
  amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<4x4xf32>) {
    %0 = "aten.mm"(%x, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    amp.autocast device("cuda") dtype(f16) disabled (%y = %0 : tensor<4x4xf32>, %z = %x : tensor<4x4xf32>) {
      // expected-error @below {{'aten.mm' takes operands of one element type, but found 'f16', 'f32'}}
      %1 = "aten.mm"(%y, %z) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
      amp.yield
    }
    amp.yield
  }
  return
}

// -----

func.func @f64(%a: tensor<4x4xf64>, %b: tensor<4x4xf32>) {
  amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<4x4xf64>, %y = %b : tensor<4x4xf32>) {
    // expected-error @below {{'aten.mm' takes operands of one element type, but found 'f64', 'f16'}}
    %0 = "aten.mm"(%x, %y) : (tensor<4x4xf64>, tensor<4x4xf32>) -> tensor<4x4xf32>
    amp.yield
  }
  return
}

// -----

func.func @integers(%a: tensor<4xi32>) {
  // expected-error @below {{'aten.mean' takes floats, but found 'i32'}}
  %0 = "aten.mean"(%a) : (tensor<4xi32>) -> tensor<f32>
  return
}

// -----

func.func @integers_with_dtype(%a: tensor<4xi32>) {
  %0 = "aten.mean"(%a) {dtype = f32} : (tensor<4xi32>) -> tensor<f32>
  return
}

// -----

// torch takes a foreign float behind an f32, but not before one.
func.func @foreign(%a: tensor<4xbf16>, %b: tensor<4xf32>) {
  amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<4xbf16>, %y = %b : tensor<4xf32>) {
    %0 = "aten.atan2"(%y, %x) : (tensor<4xf32>, tensor<4xbf16>) -> tensor<4xf32>
    // expected-error @below {{'aten.atan2' is promoted under autocast, which takes 'f16', f32 and f64 until an f32 operand comes, but found another float first; cast it, or leave out 'strict'}}
    %1 = "aten.atan2"(%x, %y) : (tensor<4xbf16>, tensor<4xf32>) -> tensor<4xf32>
    amp.yield
  }
  return
}
