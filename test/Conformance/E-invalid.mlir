// Section E: what torch refuses. A comment quotes the number of each case.
//
// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file --amp-autocast --verify-diagnostics

// Case 249: R(cuda): mm(a:f64, c:f16) => an error in torch: f64 is ignored, so the
// dtypes differ. It is one here under the option strict (see section F); a
// promotion mends it otherwise.

// Case 267: a device that does not exist. torch: 'Invalid device string'.
func.func @case_267(%a: tensor<2x2xf32>) {
  // expected-error @below {{"not a real device"}}
  amp.autocast device("not a real device") dtype(f16) (%x = %a : tensor<2x2xf32>) {
    %0 = "aten.mm"(%x, %x) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    amp.yield
  }
  return
}

// -----

// Case 270: a region of dtype f32. torch warns and turns it off; here it is an
// error: nothing is turned off silently.
func.func @case_270(%a: tensor<2x2xf32>) {
  // expected-error @below {{autocast is to f16 or bf16, but 'dtype' is 'f32'}}
  amp.autocast device("mps") dtype(f32) (%x = %a : tensor<2x2xf32>) {
    amp.yield
  }
  return
}
