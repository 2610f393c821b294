// RUN: amp-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{attribute 'amp.report' must be an array of #amp.op_report, but found "none"}}
module attributes {amp.report = "none"} {
}

// -----

// expected-error @+1 {{attribute 'amp.report' must hold #amp.op_report only, but found 1 : i64}}
module attributes {amp.report = [1]} {
}

// -----

// expected-error @+1 {{attribute 'amp.report' is for modules only}}
func.func @function() attributes {amp.report = []} {
  return
}

// -----

// expected-error @+1 {{expected the name of an op, but found ""}}
module attributes {amp.report = [#amp.op_report<"" in "f" at loc(unknown), types () -> (),
  decision <keep, from (), to (), results (), compute(none), generator>, casts ()>]} {
}

// -----

// expected-error @+1 {{expected a name after 'named', but found ""}}
module attributes {amp.report = [#amp.op_report<"math.exp" in "f" named "" at loc(unknown), types () -> (),
  decision <keep, from (), to (), results (), compute(none), generator>, casts ()>]} {
}

// -----

// expected-error @+1 {{the decision names 0 operand types, but 'types' has 1}}
module attributes {amp.report = [#amp.op_report<"math.exp" in "f" at loc(unknown), types (f32) -> f32,
  decision <keep, from (), to (), results (f32), compute(none), generator>, casts ()>]} {
}

// -----

// expected-error @+1 {{the decision names 0 result types, but 'types' has 1}}
module attributes {amp.report = [#amp.op_report<"math.exp" in "f" at loc(unknown), types () -> f32,
  decision <keep, from (), to (), results (), compute(none), generator>, casts ()>]} {
}

// -----

// expected-error @+1 {{expected a cast as the type of a float scalar or tensor -> another, but found 'tensor<4xf32>'}}
module attributes {amp.report = [#amp.op_report<"math.exp" in "f" at loc(unknown), types () -> f32,
  decision <keep, from (), to (), results (f32), compute(none), generator>, casts (tensor<4xf32>)>]} {
}

// -----

// expected-error @+1 {{expected a cast as the type of a float scalar or tensor -> another, but found '(index) -> tensor<4xf32>'}}
module attributes {amp.report = [#amp.op_report<"math.exp" in "f" at loc(unknown), types () -> f32,
  decision <keep, from (), to (), results (f32), compute(none), generator>, casts ((index) -> tensor<4xf32>)>]} {
}
