// Section F: where eager torch raises in regions for CUDA, 'strict' does. Banned
// ops are errors always.
//
// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics \
// RUN:   --amp-decide-precision=strict

// 193. [banned] binary_cross_entropy(f32[8x8], f32[8x8]) => RuntimeError (banned)
func.func @case_193(%a: tensor<8x8xf32>) {
  amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<8x8xf32>) {
    // expected-error-re@+1 {{{{'aten.binary_cross_entropy' is banned under autocast: torch.nn.functional.binary_cross_entropy and torch.nn.BCELoss are unsafe to autocast.[[:space:]]Many models use a sigmoid layer right before the binary cross entropy layer.[[:space:]]In this case, combine the two layers using torch.nn.functional.binary_cross_entropy_with_logits[[:space:]]or torch.nn.BCEWithLogitsLoss.  binary_cross_entropy_with_logits and BCEWithLogits are[[:space:]]safe to autocast.}}}}
    %0 = "aten.binary_cross_entropy"(%x, %x) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<f32>
    amp.yield
  }
  return
}

// -----

// 281. mm(f32,i32) real kernel => dtype mismatch error
func.func @case_281(%a: tensor<4x4xf32>, %b: tensor<4x4xi32>) {
  amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<4x4xf32>, %y = %b : tensor<4x4xi32>) {
    // expected-error@+1 {{'aten.mm' takes operands of one element type, but found 'f16', 'i32'}}
    %0 = "aten.mm"(%x, %y) : (tensor<4x4xf32>, tensor<4x4xi32>) -> tensor<4x4xf32>
    amp.yield
  }
  return
}

// -----

// 296. binary_cross_entropy(f64,f64) => banned error
func.func @case_296(%a: tensor<8x8xf64>) {
  amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<8x8xf64>) {
    // expected-error@+1 {{'aten.binary_cross_entropy' is banned under autocast}}
    %0 = "aten.binary_cross_entropy"(%x, %x) : (tensor<8x8xf64>, tensor<8x8xf64>) -> tensor<f64>
    amp.yield
  }
  return
}

// -----

// The scope of another device, and a disabled one, ban nothing.
func.func @banned_elsewhere(%a: tensor<8x8xf32>) {
  amp.autocast device("cpu") dtype(bf16) (%x = %a : tensor<8x8xf32>) {
    %0 = "aten.binary_cross_entropy"(%x, %x) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<f32>
    amp.yield
  }
  amp.autocast device("cuda") dtype(f16) disabled (%x = %a : tensor<8x8xf32>) {
    %0 = "aten.binary_cross_entropy"(%x, %x) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<f32>
    amp.yield
  }
  return
}

// -----

// 309. atan2(f32,bf16) => f32: an f32 argument came earlier.
func.func @case_309(%a: tensor<8xf32>, %b: tensor<8xbf16>) {
  amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<8xf32>, %y = %b : tensor<8xbf16>) {
    %0 = "aten.atan2"(%x, %y) : (tensor<8xf32>, tensor<8xbf16>) -> tensor<8xf32>
    amp.yield
  }
  return
}

// -----

// 310. atan2(bf16,f32) => error 'Unexpected floating ScalarType in at::autocast::prioritize'
func.func @case_310(%a: tensor<8xf32>, %b: tensor<8xbf16>) {
  amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<8xf32>, %y = %b : tensor<8xbf16>) {
    // expected-error@+1 {{Unexpected floating ScalarType in at::autocast::prioritize}}
    %0 = "aten.atan2"(%y, %x) : (tensor<8xbf16>, tensor<8xf32>) -> tensor<8xf32>
    amp.yield
  }
  return
}

// -----

// 311. atan2(f16,bf16) => error (same)
func.func @case_311_f16(%a: tensor<8xf16>, %b: tensor<8xbf16>) {
  amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<8xf16>, %y = %b : tensor<8xbf16>) {
    // expected-error@+1 {{Unexpected floating ScalarType in at::autocast::prioritize}}
    %0 = "aten.atan2"(%x, %y) : (tensor<8xf16>, tensor<8xbf16>) -> tensor<8xf32>
    amp.yield
  }
  return
}

// -----

// 311. atan2(bf16,bf16) => error (same)
func.func @case_311_bf16(%b: tensor<8xbf16>) {
  amp.autocast device("cuda") dtype(f16) (%y = %b : tensor<8xbf16>) {
    // expected-error@+1 {{Unexpected floating ScalarType in at::autocast::prioritize}}
    %0 = "aten.atan2"(%y, %y) : (tensor<8xbf16>, tensor<8xbf16>) -> tensor<8xbf16>
    amp.yield
  }
  return
}

// -----

// 311. atan2(bf16,i32) => error (same)
func.func @case_311_i32(%a: tensor<8xi32>, %b: tensor<8xbf16>) {
  amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<8xi32>, %y = %b : tensor<8xbf16>) {
    // expected-error@+1 {{Unexpected floating ScalarType in at::autocast::prioritize}}
    %0 = "aten.atan2"(%y, %x) : (tensor<8xbf16>, tensor<8xi32>) -> tensor<8xbf16>
    amp.yield
  }
  return
}

// -----

// 311. atan2(bf16,f64) => error (same)
func.func @case_311_f64(%a: tensor<8xf64>, %b: tensor<8xbf16>) {
  amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<8xf64>, %y = %b : tensor<8xbf16>) {
    // expected-error@+1 {{Unexpected floating ScalarType in at::autocast::prioritize}}
    %0 = "aten.atan2"(%y, %x) : (tensor<8xbf16>, tensor<8xf64>) -> tensor<8xf64>
    amp.yield
  }
  return
}

// -----

// 312. R(cuda,bf16): atan2(f16,f32) => error
func.func @case_312(%a: tensor<8xf16>, %b: tensor<8xf32>) {
  amp.autocast device("cuda") dtype(bf16) (%x = %a : tensor<8xf16>, %y = %b : tensor<8xf32>) {
    // expected-error@+1 {{Unexpected floating ScalarType in at::autocast::prioritize}}
    %0 = "aten.atan2"(%x, %y) : (tensor<8xf16>, tensor<8xf32>) -> tensor<8xf32>
    amp.yield
  }
  return
}

// -----

// 328. lerp(f16,f32,f16) => dtype error
func.func @case_328_lerp(%a: tensor<8xf16>, %b: tensor<8xf32>) {
  amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<8xf16>, %y = %b : tensor<8xf32>) {
    // expected-error@+1 {{'aten.lerp.Tensor' takes operands of one element type, but found 'f16', 'f32', 'f16'}}
    %0 = "aten.lerp.Tensor"(%x, %y, %x) : (tensor<8xf16>, tensor<8xf32>, tensor<8xf16>) -> tensor<8xf16>
    amp.yield
  }
  return
}

// -----

// 328. scatter(f32,f16) => dtype error
func.func @case_328_scatter(%a: tensor<8xf32>, %i: tensor<8xi64>, %b: tensor<8xf16>) {
  amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<8xf32>, %j = %i : tensor<8xi64>, %y = %b : tensor<8xf16>) {
    // expected-error@+1 {{'aten.scatter.src' takes operands of one element type, but found 'f32', 'f16'}}
    %0 = "aten.scatter.src"(%x, %j, %y) {dim = 0 : i64} : (tensor<8xf32>, tensor<8xi64>, tensor<8xf16>) -> tensor<8xf32>
    amp.yield
  }
  return
}

// -----

// 328. masked_scatter(f32,f16) => dtype error
func.func @case_328_masked_scatter(%a: tensor<8xf32>, %i: tensor<8xi1>, %b: tensor<8xf16>) {
  amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<8xf32>, %j = %i : tensor<8xi1>, %y = %b : tensor<8xf16>) {
    // expected-error@+1 {{'aten.masked_scatter' takes operands of one element type, but found 'f32', 'f16'}}
    %0 = "aten.masked_scatter"(%x, %j, %y) : (tensor<8xf32>, tensor<8xi1>, tensor<8xf16>) -> tensor<8xf32>
    amp.yield
  }
  return
}

// -----

// linear(f32,f32,bias f64): the bias stays f64.
func.func @linear_bias_f64(%a: tensor<4x4xf32>, %b: tensor<4xf64>) {
  amp.autocast device("cuda") dtype(bf16) (%x = %a : tensor<4x4xf32>, %y = %b : tensor<4xf64>) {
    // expected-error@+1 {{'aten.linear' takes operands of one element type, but found 'bf16', 'bf16', 'f64'}}
    %0 = "aten.linear"(%x, %x, %y) : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4xf64>) -> tensor<4x4xf32>
    amp.yield
  }
  return
}
