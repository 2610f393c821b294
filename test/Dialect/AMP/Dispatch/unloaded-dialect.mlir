// The generic form of an overload does not load the dialect of its op, and a
// pass must not: an error, not a crash. The custom form loads it.
//
// RUN: amp-opt %s --verify-diagnostics --amp-dispatch-overloads

"amp.overload_set"() <{sym_name = "exp"}> ({
  // expected-error@+1 {{emits 'tosa.exp', which is of a dialect that is not loaded; load it before the passes run, or write the overload in its custom form}}
  "amp.overload"() <{overload_name = "a", emitted_op = "tosa.exp", formals = [{name = "x", type = f32}], result_rules = [f32]}> : () -> ()
}) : () -> ()
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = amp.dispatch @exp(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
