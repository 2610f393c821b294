// Section L: pairs that do not match are assertions in torch.export, and errors
// here. A comment quotes the number of each case.
//
// RUN: amp-opt %s --split-input-file --amp-structurize-scopes --verify-diagnostics

// Case 435: unbalanced enter and exit.
func.func @case_435() {
  %cfg = amp.config device("cpu") dtype(bf16)
  // expected-error @below {{[AMP-S001] the scope is never closed}}
  // expected-note @below {{add an amp.exit}}
  %t = amp.enter %cfg
  // expected-note @below {{a path ends here with the scope open}}
  return
}

// -----

// Case 436: the exit has the token of another enter.
func.func @case_436() {
  %cfg = amp.config device("cpu") dtype(bf16)
  // expected-note @below {{the scope that is closed is opened here}}
  %t = amp.enter %cfg
  // expected-note @below {{the scope that is still open is opened here}}
  %u = amp.enter %cfg
  // expected-error @below {{[AMP-S003] scopes cross}}
  // expected-note @below {{close scopes in the reverse order of opening}}
  amp.exit %t
  // expected-note @below {{the scope is closed here}}
  amp.exit %u
  return
}
