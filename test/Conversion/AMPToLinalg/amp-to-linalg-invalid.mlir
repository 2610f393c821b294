// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics --amp-to-linalg -o /dev/null

// A scope.
func.func @scope(%a: f32) -> f32 {
  // expected-error @+1 {{'amp.autocast' op is a scope, which amp-to-linalg does not lower: run amp-decide-precision and amp-apply-precision first}}
  %0 = amp.autocast device("cuda") dtype(f16) (%x = %a : f32) -> f32 {
    amp.yield %x : f32
  }
  return %0 : f32
}

// -----

// A scope attribute.
// expected-error @+1 {{carries 'amp.autocast', an import form that amp-to-linalg does not lower: turn it into an amp.autocast region, and run amp-decide-precision and amp-apply-precision first}}
func.func @scope_attribute() attributes {amp.autocast = #amp.scope<device = "cuda", dtype = f16>, no_inline} {
  return
}

// -----

// Unstructured scopes.
func.func @config() {
  // expected-error @+1 {{'amp.config' op is an import form, which amp-to-linalg does not lower: turn it into an amp.autocast region, and run amp-decide-precision and amp-apply-precision first}}
  %0 = amp.config device("cuda") dtype(f16)
  return
}

// -----

func.func @enter(%c: !amp.config) {
  // expected-error @+1 {{'amp.enter' op is an import form}}
  %0 = amp.enter %c
  return
}

// -----

func.func @exit(%t: !amp.token) {
  // expected-error @+1 {{'amp.exit' op is an import form}}
  amp.exit %t
  return
}

// -----

func.func @is_enabled() -> i1 {
  // expected-error @+1 {{'amp.is_enabled' op is an import form}}
  %0 = amp.is_enabled device("cuda")
  return %0 : i1
}

// -----

// A decision that was taken but not applied.
func.func @decision(%x: f32) -> f32 {
  // expected-error @+1 {{'math.exp' op carries a decision that was not applied: run amp-apply-precision before amp-to-linalg}}
  %0 = math.exp %x {amp.decision = #amp.decision<fp32, from(f32), to(f32), results(f32), compute(f32), op_policy>} : f32
  return %0 : f32
}
