// RUN: amp-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{has no overload; expected at least one amp.overload}}
amp.overload_set @empty {
}

// -----

// expected-error@+1 {{expected ties(error), ties(first) or ties(last), but found 'best'}}
amp.overload_set @ties ties(best) {
}

// -----

amp.overload_set @twice {
  // expected-note@+1 {{the earlier overload is here}}
  amp.overload "a" emits "math.exp"(x : f32) -> f32
  // expected-error@+1 {{repeats the name "a"; the overloads of a set have different names}}
  amp.overload "a" emits "math.exp"(x : f16) -> f16
}

// -----

amp.overload_set @counts {
  // expected-note@+1 {{the first overload is here}}
  amp.overload "a" emits "math.exp"(x : f32) -> f32
  // expected-error@+1 {{has 2 results, but the overloads of a set all have as many, here 1}}
  amp.overload "b" emits "math.exp"(x : f16) -> (f16, f16)
}

// -----

amp.overload_set @other_op {
  // expected-error@+1 {{is in an overload set, which holds only amp.overload}}
  %0 = arith.constant 1.0 : f32
}

// -----

amp.overload_set @unknown_op {
  // expected-error@+1 {{emits 'math.expo', which its dialect does not have}}
  amp.overload "a" emits "math.expo"(x : f32) -> f32
}

// -----

amp.overload_set @unknown_dialect {
  // expected-error@+1 {{emits 'onnx.Exp', which is of an unknown dialect; register it, or allow unregistered ones}}
  amp.overload "a" emits "onnx.Exp"(x : f32) -> f32
}

// -----

amp.overload_set @no_name {
  // expected-error@+1 {{emits 'exp', which is no op name}}
  amp.overload "a" emits "exp"(x : f32) -> f32
}

// -----

amp.overload_set @no_implementation {
  // expected-error@+1 {{expected 'calls @function' or 'emits "dialect.op"'}}
  amp.overload "a" (x : f32) -> f32
}

// -----

amp.overload_set @unlisted {
  // expected-error@+1 {{formal 'x' has the type variable 'T', whose types are not listed; write 'where T in [f32]'}}
  amp.overload "a" emits "math.exp"(x : T) -> f32
}

// -----

amp.overload_set @unused {
  // expected-error@+1 {{lists the types of 'S', which no formal has}}
  amp.overload "a" emits "math.exp"(x : f32) -> f32 where S in [f32]
}

// -----

amp.overload_set @unbound {
  // expected-error@+1 {{result 0 has the type variable 'S', which no formal binds}}
  amp.overload "a" emits "math.exp"(x : f32) -> S where S in [f32]
}

// -----

amp.overload_set @tensor_type {
  // expected-error@+1 {{formal 'x' has 'tensor<4xf32>', but element types are floats, integers and complex numbers}}
  amp.overload "a" emits "math.exp"(x : tensor<4xf32>) -> f32
}

// -----

amp.overload_set @repeated_type {
  // expected-error@+1 {{formal 'x' lists 'f32' twice}}
  amp.overload "a" emits "math.exp"(x : T) -> T where T in [f32, f32]
}

// -----

amp.overload_set @repeated_formal {
  // expected-error@+1 {{has two formals or parameters called 'x'}}
  amp.overload "a" emits "math.exp"(x : f32) with (x : f32) -> f32
}

// -----

amp.overload_set @unknown_kind {
  // expected-error@+1 {{parameter 'p' has an unknown kind; expected a float or integer type, 'string', 'type' or 'array'}}
  amp.overload "a" emits "math.exp"(x : f32) with (p : text) -> f32
}

// -----

amp.overload_set @wrong_default {
  // expected-error@+1 {{parameter 'p' has the value 1 : i64, which is not of its kind}}
  amp.overload "a" emits "math.exp"(x : f32) with (p : string = 1) -> f32
}

// -----

amp.overload_set @undefined {
  // expected-error@+1 {{calls @f, which is not defined}}
  amp.overload "a" calls @f(x : f32) -> f32
}

// -----

amp.overload_set @argument_count {
  // expected-error@+1 {{gives 2 arguments (1 operands and 1 numbers) to @f, which takes 1}}
  amp.overload "a" calls @f(x : f32) with (alpha : f32) -> f32
}
// expected-note@+1 {{the function is here}}
func.func private @f(tensor<?xf32>) -> tensor<?xf32>

// -----

amp.overload_set @argument_type {
  // expected-error@+1 {{says that formal 'x' has element type T (f16 or f32), but the function has 'tensor<?xf32>' there; a function takes one type, so a set has an overload for each}}
  amp.overload "a" calls @f(x : T) -> T where T in [f16, f32]
}
// expected-note@+1 {{the function is here}}
func.func private @f(tensor<?xf32>) -> tensor<?xf32>

// -----

amp.overload_set @result_type {
  // expected-error@+1 {{says that result 0 has element type f32, but the function has 'tensor<?xf16>' there}}
  amp.overload "a" calls @f(x : f32) -> f32
}
// expected-note@+1 {{the function is here}}
func.func private @f(tensor<?xf32>) -> tensor<?xf16>

// -----

amp.overload_set @number_type {
  // expected-error@+1 {{gives parameter 'alpha' as 'f32', but the function takes 'f64'}}
  amp.overload "a" calls @f(x : f32) with (alpha : f32) -> f32
}
// expected-note@+1 {{the function is here}}
func.func private @f(tensor<?xf32>, f64) -> tensor<?xf32>

// -----

amp.overload_set @absent_argument {
  // expected-error@+1 {{formal 'x' may be absent, but a function takes all of its arguments; list an overload without it, or emit an op}}
  amp.overload "a" calls @f(x : f32?) -> f32
}
func.func private @f(tensor<?xf32>) -> tensor<?xf32>

// -----

amp.overload_set @string_argument {
  // expected-error@+1 {{parameter 'mode' cannot be given to a function, which takes only numbers; write '== value', so that it selects the overload, or emit an op}}
  amp.overload "a" calls @f(x : f32) with (mode : string) -> f32
}
func.func private @f(tensor<?xf32>) -> tensor<?xf32>

// -----

amp.overload_set @sigmoid {
  amp.overload "a" emits "math.exp"(x : f32) -> f32
}
func.func @nearest_name(%a: tensor<4xf32>) {
  // expected-error@+1 {{names @sigmiod, but there is no such overload set; did you mean '@sigmoid'?}}
  %0 = amp.dispatch @sigmiod(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @no_set(%a: tensor<4xf32>) {
  // expected-error@+1 {{names @f, which is no overload set but a 'func.func'}}
  %0 = amp.dispatch @f(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return
}
// expected-note@+1 {{@f is defined here}}
func.func private @f(tensor<?xf32>) -> tensor<?xf32>

// -----

// expected-note@+1 {{@exp is defined here}}
amp.overload_set @exp {
  amp.overload "a" emits "math.exp"(x : f32) -> f32
}
func.func @result_count(%a: tensor<4xf32>) {
  // expected-error@+1 {{has 0 results, but @exp has 1}}
  amp.dispatch @exp(%a) : (tensor<4xf32>) -> ()
  return
}

// -----

amp.overload_set @exp {
  amp.overload "a" emits "math.exp"(x : f32) -> f32
}
func.func @operand_type(%a: tensor<*xf32>) {
  // expected-error@+1 {{operand 0 has type 'tensor<*xf32>'; expected a scalar or ranked tensor of a float, an integer or a complex number}}
  %0 = amp.dispatch @exp(%a) : (tensor<*xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @absent_count(%a: tensor<4xf32>) {
  // expected-error@+1 {{has 1 operands, but 'absent' says that 2 are there}}
  %0 = "amp.dispatch"(%a) <{set = @exp, absent = array<i1: false, true, false>}> : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// Malformed attributes, which the generic form can hold.
"amp.overload_set"() <{sym_name = "s"}> ({
  // expected-error@+1 {{has a formal without a name}}
  "amp.overload"() <{overload_name = "a", emitted_op = "math.exp", formals = [1], parameters = [], result_rules = []}> : () -> ()
}) : () -> ()

// -----

"amp.overload_set"() <{sym_name = "s"}> ({
  // expected-error@+1 {{formal 'x' has the type variable 'T', whose types are not listed}}
  "amp.overload"() <{overload_name = "a", emitted_op = "math.exp", formals = [{name = "x", type = "T"}], parameters = [], result_rules = [1], variables = {T = 3}}> : () -> ()
}) : () -> ()

// -----

"amp.overload_set"() <{sym_name = "s"}> ({
  // expected-error@+1 {{formal 'x' has no type; expected a type variable, a type, or a list of types}}
  "amp.overload"() <{overload_name = "a", emitted_op = "math.exp", formals = [{name = "x"}]}> : () -> ()
}) : () -> ()

// -----

"amp.overload_set"() <{sym_name = "s"}> ({
  // expected-error@+1 {{parameter 'p' has an unknown kind}}
  "amp.overload"() <{overload_name = "a", emitted_op = "math.exp", parameters = [{name = "p", kind = 3}]}> : () -> ()
}) : () -> ()
