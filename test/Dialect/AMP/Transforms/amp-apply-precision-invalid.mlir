// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file \
// RUN:   --amp-apply-precision --verify-diagnostics

// An op in a scope that was never decided.
func.func @undecided(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<4xf32>) -> tensor<4xf32> {
    // expected-error @below {{'math.exp' is in a scope and has no decision: run amp-decide-precision first}}
    %1 = math.exp %x : tensor<4xf32>
    amp.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

// A decision for another operand type than the one that arrives.
func.func @stale(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<4xf32>) -> tensor<4xf32> {
    // expected-error @below {{'math.exp' was decided for operand 0 of 'f16', but it is 'f32' now: run amp-decide-precision again}}
    %1 = math.exp %x {amp.decision = #amp.decision<fp32, from(f16), to(f32), results(f32), compute(f32), op_policy>} : tensor<4xf32>
    amp.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

// Unstructured scopes.
func.func @unstructured() -> i1 {
  // expected-error @below {{[AMP-S011] 'amp.is_enabled' is an import form of a scope: run amp-structurize-scopes, then amp-decide-precision, before amp-apply-precision}}
  %on = amp.is_enabled device("cuda")
  return %on : i1
}

// -----

// expected-error @below {{[AMP-S011] 'func.func' is an import form of a scope}}
func.func @decorated(%a: tensor<4xf32>) -> tensor<4xf32>
    attributes {amp.autocast = #amp.scope<device = "cuda", dtype = f16>, no_inline} {
  return %a : tensor<4xf32>
}
