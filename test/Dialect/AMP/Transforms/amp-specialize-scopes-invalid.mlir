// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file \
// RUN:   --amp-specialize-scopes --verify-diagnostics
// RUN: not amp-opt %s --allow-unregistered-dialect --split-input-file \
// RUN:   --amp-specialize-scopes=indirect-calls=never 2>&1 | FileCheck %s
// CHECK: error: [AMP-O001] amp-specialize-scopes: option 'indirect-calls' is 'never', but expected 'error', 'version' or 'keep'

// An import form.
func.func @form(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{[AMP-S011] 'amp.config' is an import form of a scope, which calls cannot be specialised for: run amp-structurize-scopes first}}
  %cfg = amp.config device("cuda") dtype(f16)
  return %a : tensor<4xf32>
}

// -----

// A flag.
func.func @flag(%on: i1) {
  // expected-error @below {{[AMP-S021] the scope is under a run-time flag, which calls cannot be specialised for: run amp-version-scopes first}}
  amp.autocast device("cuda") dtype(f16) if %on () {
    amp.yield
  }
  return
}

// -----

// An indirect call in an enabled scope; outside and in a disabled one it is
// none of autocast's business.
// expected-note @below {{in this function}}
func.func @indirect(%f: (tensor<4xf32>) -> tensor<4xf32>, %a: tensor<4xf32>) {
  %0 = call_indirect %f(%a) : (tensor<4xf32>) -> tensor<4xf32>
  amp.autocast device("cuda") dtype(f16) disabled (%g = %f : (tensor<4xf32>) -> tensor<4xf32>, %x = %a : tensor<4xf32>) {
    %1 = func.call_indirect %g(%x) : (tensor<4xf32>) -> tensor<4xf32>
    amp.yield
  }
  amp.autocast device("cuda") dtype(f16) (%g = %f : (tensor<4xf32>) -> tensor<4xf32>, %x = %a : tensor<4xf32>) {
    // expected-error @below {{[AMP-S022] the callee of this call in an enabled scope should run under the scope's autocast, but which function it is shows at run time only}}
    // expected-note @below {{call a function by name, or choose by arith.select, scf.if or scf.index_switch and run amp-specialize-scopes{indirect-calls=version}, or let the callee run without autocast by {indirect-calls=keep}}}
    %1 = func.call_indirect %g(%x) : (tensor<4xf32>) -> tensor<4xf32>
    amp.yield
  }
  return
}

// -----

// A callee that needs a region, but has control flow that cannot be lifted.
func.func @caller(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<4xf32>) -> tensor<4xf32> {
    %1 = func.call @callee(%x) : (tensor<4xf32>) -> tensor<4xf32>
    amp.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}
// expected-error @below {{[AMP-S010] a scope needs structured control flow, but that of this function cannot be lifted}}
// expected-note @below {{branch by cf.br, cf.cond_br or cf.switch only, and end all paths alike}}
func.func private @callee(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = math.exp %a : tensor<4xf32>
  // expected-error @below {{transformation does not support terminators with successors not implementing BranchOpInterface}}
  "test.branch"() [^one, ^two] : () -> ()
^one:
  return %a : tensor<4xf32>
^two:
  return %0 : tensor<4xf32>
}
