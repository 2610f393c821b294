// RUN: amp-opt %s --split-input-file --amp-resolve-promotions --verify-diagnostics

// Types are not final inside a scope.
func.func @scope(%a: tensor<4xf32>, %b: tensor<4xf16>) -> tensor<4xf32> {
  // expected-error @below {{'amp.autocast' op is a scope, which amp-resolve-promotions does not lower: run amp-decide-precision and amp-apply-precision first}}
  %0 = amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<4xf32>, %y = %b : tensor<4xf16>) -> tensor<4xf32> {
    %1:2 = amp.promote %x, %y : tensor<4xf32>, tensor<4xf16>
    amp.yield %1#0 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @unstructured() -> i1 {
  // expected-error @below {{'amp.is_enabled' op is an import form, which amp-resolve-promotions does not lower: turn it into an amp.autocast region}}
  %on = amp.is_enabled device("cuda")
  return %on : i1
}

// -----

func.func @undone(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'math.exp' op carries a decision that was not applied: run amp-apply-precision before amp-resolve-promotions}}
  %0 = math.exp %a {amp.decision = #amp.decision<fp32, from (f32), to (f32), results (f32), compute(f32), op_policy>} : tensor<4xf32>
  return %0 : tensor<4xf32>
}
