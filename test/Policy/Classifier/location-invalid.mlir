// RUN: amp-opt %s --split-input-file --verify-diagnostics

amp.policy_set @line device("cuda") {
  // expected-error @+1 {{expected location to be a file, a line and a column, such as "model.mlir:42:10", but found "model.mlir:42"}}
  amp.rule exclude location("model.mlir:42")
}

// -----

amp.policy_set @twice device("cuda") {
  // expected-error @+1 {{'location' is given twice: write a second rule}}
  amp.rule exclude location("model.mlir:1:1") location("model.mlir:2:1")
}
