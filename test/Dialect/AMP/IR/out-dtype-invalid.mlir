// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

// torch's first check: a function of torch is no overload.
func.func @f(%a: tensor<4x4xf16>) -> tensor<4x4xf32> {
  %0 = amp.out_dtype (%x = %a : tensor<4x4xf16>) -> tensor<4x4xf32> {
    // expected-error @+1 {{'torch.add' op in amp.out_dtype must be an op overload, but is a function of torch: write it as 'aten.<name>' or 'aten.<name>.<overload>'}}
    %1 = "torch.add"(%x, %x) : (tensor<4x4xf16>, tensor<4x4xf16>) -> tensor<4x4xf16>
    amp.yield %1 : tensor<4x4xf16>
  }
  return %0 : tensor<4x4xf32>
}

// -----

// The second: an in-place variant. It is not in the allow list either, but that comes later.
func.func @f(%a: tensor<4x4xf16>) -> tensor<4x4xf32> {
  %0 = amp.out_dtype (%x = %a : tensor<4x4xf16>) -> tensor<4x4xf32> {
    // expected-error @+1 {{'aten.add_.Tensor' op in amp.out_dtype needs to be a functional operator, but writes to its first operand: use the variant that returns a new tensor}}
    %1 = "aten.add_.Tensor"(%x, %x) : (tensor<4x4xf16>, tensor<4x4xf16>) -> tensor<4x4xf16>
    amp.yield %1 : tensor<4x4xf16>
  }
  return %0 : tensor<4x4xf32>
}

// -----

// An out= variant.
func.func @f(%a: tensor<4x4xf16>) -> tensor<4x4xf32> {
  %0 = amp.out_dtype (%x = %a : tensor<4x4xf16>) -> tensor<4x4xf32> {
    // expected-error @+1 {{'aten.mm.out' op in amp.out_dtype needs to be a functional operator, but is an out= variant}}
    %1 = "aten.mm.out"(%x, %x, %x) : (tensor<4x4xf16>, tensor<4x4xf16>, tensor<4x4xf16>) -> tensor<4x4xf16>
    amp.yield %1 : tensor<4x4xf16>
  }
  return %0 : tensor<4x4xf32>
}

// -----

// With the other spelling of the dialect.
func.func @f(%a: tensor<4x4xf16>) -> tensor<4x4xf32> {
  %0 = amp.out_dtype (%x = %a : tensor<4x4xf16>) -> tensor<4x4xf32> {
    // expected-error @+1 {{'torch.aten.mul_.Tensor' op in amp.out_dtype needs to be a functional operator}}
    %1 = "torch.aten.mul_.Tensor"(%x, %x) : (tensor<4x4xf16>, tensor<4x4xf16>) -> tensor<4x4xf16>
    amp.yield %1 : tensor<4x4xf16>
  }
  return %0 : tensor<4x4xf32>
}

// -----

// The third: several results, as of topk.
func.func @f(%a: tensor<4x4xf16>) -> tensor<4x4xf32> {
  %0 = amp.out_dtype (%x = %a : tensor<4x4xf16>) -> tensor<4x4xf32> {
    // expected-error @+1 {{'aten.topk' op in amp.out_dtype must have one result, but has 2}}
    %1:2 = "aten.topk"(%x) {k = 4 : i64} : (tensor<4x4xf16>) -> (tensor<4x4xf16>, tensor<4x4xi64>)
    amp.yield %1#0 : tensor<4x4xf16>
  }
  return %0 : tensor<4x4xf32>
}

// -----

// A result that is no tensor.
func.func @f(%a: tensor<4x4xf16>) -> tensor<4x4xf32> {
  %0 = amp.out_dtype (%x = %a : tensor<4x4xf16>) -> tensor<4x4xf32> {
    // expected-error @+1 {{'aten.split_copy.Tensor' op in amp.out_dtype can only be one that returns a single ranked tensor, but returns '!torch.list'}}
    %1 = "aten.split_copy.Tensor"(%x) : (tensor<4x4xf16>) -> !torch.list
    amp.yield %1 : !torch.list
  }
  return %0 : tensor<4x4xf32>
}

// -----

// The fourth: the allow list.
func.func @f(%a: tensor<4x4xf16>) -> tensor<4x4xf32> {
  %0 = amp.out_dtype (%x = %a : tensor<4x4xf16>) -> tensor<4x4xf32> {
    // expected-error @+1 {{'aten.add.Tensor' op is not allowed in amp.out_dtype: expected a contraction, a convolution, or an elementwise multiplication or division}}
    %1 = "aten.add.Tensor"(%x, %x) : (tensor<4x4xf16>, tensor<4x4xf16>) -> tensor<4x4xf16>
    amp.yield %1 : tensor<4x4xf16>
  }
  return %0 : tensor<4x4xf32>
}

// -----

// An overload that is not in the list.
func.func @f(%a: tensor<4x4xf16>) -> tensor<4x4xf32> {
  %0 = amp.out_dtype (%x = %a : tensor<4x4xf16>) -> tensor<4x4xf32> {
    // expected-error @+1 {{'aten.div.Tensor_mode' op is not allowed in amp.out_dtype}}
    %1 = "aten.div.Tensor_mode"(%x, %x) {rounding_mode = "floor"} : (tensor<4x4xf16>, tensor<4x4xf16>) -> tensor<4x4xf16>
    amp.yield %1 : tensor<4x4xf16>
  }
  return %0 : tensor<4x4xf32>
}

// -----

// An op of another dialect.
func.func @f(%a: tensor<4x4xf16>) -> tensor<4x4xf32> {
  %0 = amp.out_dtype (%x = %a : tensor<4x4xf16>) -> tensor<4x4xf32> {
    // expected-error @+1 {{'other.mm' op is not allowed in amp.out_dtype}}
    %1 = "other.mm"(%x, %x) : (tensor<4x4xf16>, tensor<4x4xf16>) -> tensor<4x4xf16>
    amp.yield %1 : tensor<4x4xf16>
  }
  return %0 : tensor<4x4xf32>
}

// -----

// A tosa op that neither multiplies nor divides.
func.func @f(%a: tensor<4x4xf16>) -> tensor<4x4xf32> {
  %0 = amp.out_dtype (%x = %a : tensor<4x4xf16>) -> tensor<4x4xf32> {
    // expected-error @+1 {{'tosa.add' op is not allowed in amp.out_dtype}}
    %1 = tosa.add %x, %x : (tensor<4x4xf16>, tensor<4x4xf16>) -> tensor<4x4xf16>
    amp.yield %1 : tensor<4x4xf16>
  }
  return %0 : tensor<4x4xf32>
}

// -----

// The type of gradients is no float that amp stores.
func.func @f(%a: tensor<4x4xf16>) -> tensor<4x4xf32> {
  // expected-error @+1 {{'amp.out_dtype' op expected 'gradient' to be f64, f32, f16, bf16 or an 8-bit float, but found 'i32'}}
  %0 = amp.out_dtype gradient(i32) (%x = %a : tensor<4x4xf16>) -> tensor<4x4xf32> {
    %1 = arith.mulf %x, %x : tensor<4x4xf16>
    amp.yield %1 : tensor<4x4xf16>
  }
  return %0 : tensor<4x4xf32>
}
