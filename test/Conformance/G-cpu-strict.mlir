// Section G: where eager torch raises in regions for the CPU, 'strict' does.
//
// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics \
// RUN:   --amp-decide-precision=strict

// 335. cat(f16,f32) => prioritize error
func.func @case_335_f32(%a: tensor<8xf16>, %b: tensor<8xf32>) {
  amp.autocast device("cpu") dtype(bf16) (%x = %a : tensor<8xf16>, %y = %b : tensor<8xf32>) {
    // expected-error@+1 {{Unexpected floating ScalarType in at::autocast::prioritize}}
    %0 = "aten.cat"(%x, %y) {operandSegmentSizes = array<i32: 2>} : (tensor<8xf16>, tensor<8xf32>) -> tensor<16xf32>
    amp.yield
  }
  return
}

// -----

// 335. cat(f16,f16) => prioritize error
func.func @case_335_f16(%a: tensor<8xf16>) {
  amp.autocast device("cpu") dtype(bf16) (%x = %a : tensor<8xf16>) {
    // expected-error@+1 {{Unexpected floating ScalarType in at::autocast::prioritize}}
    %0 = "aten.cat"(%x, %x) {operandSegmentSizes = array<i32: 2>} : (tensor<8xf16>, tensor<8xf16>) -> tensor<16xf16>
    amp.yield
  }
  return
}

// -----

// 335. cat(f16,bf16) => prioritize error
func.func @case_335_bf16(%a: tensor<8xf16>, %b: tensor<8xbf16>) {
  amp.autocast device("cpu") dtype(bf16) (%x = %a : tensor<8xf16>, %y = %b : tensor<8xbf16>) {
    // expected-error@+1 {{Unexpected floating ScalarType in at::autocast::prioritize}}
    %0 = "aten.cat"(%x, %y) {operandSegmentSizes = array<i32: 2>} : (tensor<8xf16>, tensor<8xbf16>) -> tensor<16xf32>
    amp.yield
  }
  return
}

// -----

// 335. cat(f8,f32) => prioritize error
func.func @case_335_f8(%a: tensor<8xf8E4M3FN>, %b: tensor<8xf32>) {
  amp.autocast device("cpu") dtype(bf16) (%x = %a : tensor<8xf8E4M3FN>, %y = %b : tensor<8xf32>) {
    // expected-error@+1 {{Unexpected floating ScalarType in at::autocast::prioritize}}
    %0 = "aten.cat"(%x, %y) {operandSegmentSizes = array<i32: 2>} : (tensor<8xf8E4M3FN>, tensor<8xf32>) -> tensor<16xf32>
    amp.yield
  }
  return
}

// -----

// 336. R(cpu,f16): cat(bf16,f32) => error
func.func @case_336(%a: tensor<8xbf16>, %b: tensor<8xf32>) {
  amp.autocast device("cpu") dtype(f16) (%x = %a : tensor<8xbf16>, %y = %b : tensor<8xf32>) {
    // expected-error@+1 {{Unexpected floating ScalarType in at::autocast::prioritize}}
    %0 = "aten.cat"(%x, %y) {operandSegmentSizes = array<i32: 2>} : (tensor<8xbf16>, tensor<8xf32>) -> tensor<16xf32>
    amp.yield
  }
  return
}

// -----

// 341. index_add(f32,idx,bf16) => error, same scalar type required
func.func @case_341(%a: tensor<8xf32>, %i: tensor<2xi64>, %b: tensor<2xbf16>) {
  amp.autocast device("cpu") dtype(bf16) (%x = %a : tensor<8xf32>, %j = %i : tensor<2xi64>, %y = %b : tensor<2xbf16>) {
    // expected-error@+1 {{'aten.index_add' takes operands of one element type, but found 'f32', 'bf16'}}
    %0 = "aten.index_add"(%x, %j, %y) {dim = 0 : i64} : (tensor<8xf32>, tensor<2xi64>, tensor<2xbf16>) -> tensor<8xf32>
    amp.yield
  }
  return
}

// -----

// 344. f32.addmm_(bf16,bf16) => error
func.func @case_344(%a: tensor<4x4xf32>, %b: tensor<4x4xbf16>) {
  amp.autocast device("cpu") dtype(bf16) (%x = %a : tensor<4x4xf32>, %y = %b : tensor<4x4xbf16>) {
    // expected-error@+1 {{'aten.addmm_' takes operands of one element type, but found 'f32', 'bf16', 'bf16'}}
    %0 = "aten.addmm_"(%x, %y, %y) : (tensor<4x4xf32>, tensor<4x4xbf16>, tensor<4x4xbf16>) -> tensor<4x4xf32>
    amp.yield
  }
  return
}

// -----

// 345. R(off) inside: mm(bf16 value,f32) => error
func.func @case_345(%a: tensor<4x4xf32>) {
  amp.autocast device("cpu") dtype(bf16) (%x = %a : tensor<4x4xf32>) {
    %0 = "aten.mm"(%x, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    amp.autocast device("cpu") dtype(bf16) disabled (%y = %0 : tensor<4x4xf32>, %z = %x : tensor<4x4xf32>) {
      // expected-error@+1 {{'aten.mm' takes operands of one element type, but found 'bf16', 'f32'}}
      %1 = "aten.mm"(%y, %z) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
      amp.yield
    }
    amp.yield
  }
  return
}
