// Section F of the conformance list: the errors of promotions, under 'strict'.
//
// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file --amp-decide-precision=strict -verify-diagnostics

// 310: atan2(bf16,f32) => error 'Unexpected floating ScalarType in at::autocast::prioritize'
func.func @case_310(%a0: tensor<4xbf16>, %a1: tensor<4xf32>) {
  amp.autocast device("cuda") dtype(f16) (%xa0 = %a0 : tensor<4xbf16>, %xa1 = %a1 : tensor<4xf32>) {
    // expected-error @below {{'aten.atan2' is promoted under autocast, which takes 'f16', f32 and f64 until an f32 operand comes}}
    %r = "aten.atan2"(%xa0, %xa1) : (tensor<4xbf16>, tensor<4xf32>) -> tensor<4xf32>
    amp.yield
  }
  return
}

// -----

// 311: atan2(f16,bf16) => error (same)
func.func @case_311(%a0: tensor<4xf16>, %a1: tensor<4xbf16>) {
  amp.autocast device("cuda") dtype(f16) (%xa0 = %a0 : tensor<4xf16>, %xa1 = %a1 : tensor<4xbf16>) {
    // expected-error @below {{'aten.atan2' is promoted under autocast, which takes 'f16', f32 and f64 until an f32 operand comes}}
    %r = "aten.atan2"(%xa0, %xa1) : (tensor<4xf16>, tensor<4xbf16>) -> tensor<4xf32>
    amp.yield
  }
  return
}

// -----

// 311: atan2(bf16,bf16) => error (same)
func.func @case_311(%a0: tensor<4xbf16>) {
  amp.autocast device("cuda") dtype(f16) (%xa0 = %a0 : tensor<4xbf16>) {
    // expected-error @below {{'aten.atan2' is promoted under autocast, which takes 'f16', f32 and f64 until an f32 operand comes}}
    %r = "aten.atan2"(%xa0, %xa0) : (tensor<4xbf16>, tensor<4xbf16>) -> tensor<4xf32>
    amp.yield
  }
  return
}

// -----

// 311: atan2(bf16,i32) => error (same)
func.func @case_311(%a0: tensor<4xbf16>, %a1: tensor<4xi32>) {
  amp.autocast device("cuda") dtype(f16) (%xa0 = %a0 : tensor<4xbf16>, %xa1 = %a1 : tensor<4xi32>) {
    // expected-error @below {{'aten.atan2' is promoted under autocast, which takes 'f16', f32 and f64 until an f32 operand comes}}
    %r = "aten.atan2"(%xa0, %xa1) : (tensor<4xbf16>, tensor<4xi32>) -> tensor<4xf32>
    amp.yield
  }
  return
}

// -----

// 311: atan2(bf16,f64) => error (same)
func.func @case_311(%a0: tensor<4xbf16>, %a1: tensor<4xf64>) {
  amp.autocast device("cuda") dtype(f16) (%xa0 = %a0 : tensor<4xbf16>, %xa1 = %a1 : tensor<4xf64>) {
    // expected-error @below {{'aten.atan2' is promoted under autocast, which takes 'f16', f32 and f64 until an f32 operand comes}}
    %r = "aten.atan2"(%xa0, %xa1) : (tensor<4xbf16>, tensor<4xf64>) -> tensor<4xf32>
    amp.yield
  }
  return
}

// -----

// 312: R(cuda,bf16): atan2(f16,f32) => error
func.func @case_312(%a0: tensor<4xf16>, %a1: tensor<4xf32>) {
  amp.autocast device("cuda") dtype(bf16) (%xa0 = %a0 : tensor<4xf16>, %xa1 = %a1 : tensor<4xf32>) {
    // expected-error @below {{'aten.atan2' is promoted under autocast, which takes 'bf16', f32 and f64 until an f32 operand comes}}
    %r = "aten.atan2"(%xa0, %xa1) : (tensor<4xf16>, tensor<4xf32>) -> tensor<4xf32>
    amp.yield
  }
  return
}

// -----

// 328: lerp(f16,f32,f16) => dtype error (unlisted, no promotion)
func.func @case_328(%a0: tensor<4xf16>, %a1: tensor<4xf32>) {
  amp.autocast device("cuda") dtype(f16) (%xa0 = %a0 : tensor<4xf16>, %xa1 = %a1 : tensor<4xf32>) {
    // expected-error @below {{'aten.lerp.Tensor' takes operands of one element type, but found 'f16', 'f32', 'f16'}}
    %r = "aten.lerp.Tensor"(%xa0, %xa1, %xa0) : (tensor<4xf16>, tensor<4xf32>, tensor<4xf16>) -> tensor<4xf32>
    amp.yield
  }
  return
}

// -----

// 328: scatter(f32,f16) => dtype error
func.func @case_328(%a0: tensor<4xf32>, %a1: tensor<4xi64>, %a2: tensor<4xf16>) {
  amp.autocast device("cuda") dtype(f16) (%xa0 = %a0 : tensor<4xf32>, %xa1 = %a1 : tensor<4xi64>, %xa2 = %a2 : tensor<4xf16>) {
    // expected-error @below {{'aten.scatter.src' takes operands of one element type, but found 'f32', 'f16'}}
    %r = "aten.scatter.src"(%xa0, %xa1, %xa2) {dim = 0 : i64} : (tensor<4xf32>, tensor<4xi64>, tensor<4xf16>) -> tensor<4xf32>
    amp.yield
  }
  return
}

// -----

// 328: masked_scatter(f32,f16) => dtype error
func.func @case_328(%a0: tensor<4xf32>, %a1: tensor<4xi1>, %a2: tensor<4xf16>) {
  amp.autocast device("cuda") dtype(f16) (%xa0 = %a0 : tensor<4xf32>, %xa1 = %a1 : tensor<4xi1>, %xa2 = %a2 : tensor<4xf16>) {
    // expected-error @below {{'aten.masked_scatter' takes operands of one element type, but found 'f32', 'f16'}}
    %r = "aten.masked_scatter"(%xa0, %xa1, %xa2) : (tensor<4xf32>, tensor<4xi1>, tensor<4xf16>) -> tensor<4xf32>
    amp.yield
  }
  return
}
