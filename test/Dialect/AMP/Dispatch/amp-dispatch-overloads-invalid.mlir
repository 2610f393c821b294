// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics --amp-dispatch-overloads

// A tie lists every candidate.
amp.overload_set @tie {
  // expected-note@+1 {{candidate "a" matches exactly, with priority 0}}
  amp.overload "a" emits "onnx.A"(x : T) -> T where T in [f32]
  // expected-note@+1 {{candidate "b" matches exactly, with priority 0}}
  amp.overload "b" emits "onnx.B"(x : f32) -> f32
  // expected-note@+1 {{candidate "c" does not match: i64 does not allow f32, the type of 'x' (f32)}}
  amp.overload "c" emits "onnx.C"(x : i64) -> i64
  // expected-note@+1 {{candidate "d" matches, but others are nearer or have a larger priority}}
  amp.overload "d" emits "onnx.D"(x : f32) -> f32 priority -1
}
func.func @run_tie(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+2 {{matches 2 overloads of @tie equally well}}
  // expected-note@+1 {{give one of them a larger 'priority', or the set 'ties(first)'}}
  %0 = amp.dispatch @tie(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Neither is nearer for both operands.
amp.overload_set @crossed {
  // expected-note@+1 {{candidate "a" matches after conversions that keep every value, with priority 0}}
  amp.overload "a" emits "onnx.A"(x : f32, y : f64) -> f64
  // expected-note@+1 {{candidate "b" matches after conversions that keep every value, with priority 0}}
  amp.overload "b" emits "onnx.B"(x : f64, y : f32) -> f64
}
func.func @run_crossed(%a: tensor<4xf16>) -> tensor<4xf64> {
  // expected-error@+2 {{matches 2 overloads of @crossed equally well}}
  // expected-note@+1 {{give one of them a larger 'priority'}}
  %0 = amp.dispatch @crossed(%a, %a) : (tensor<4xf16>, tensor<4xf16>) -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

// -----

// No match: a reason of each kind.
amp.overload_set @none {
  // expected-note@+1 {{candidate "arity" does not match: it takes 1 operands, but there are 2}}
  amp.overload "arity" emits "onnx.A"(x : f32) -> f32
  // expected-note@+1 {{candidate "required" does not match: 'z' is absent, but required}}
  amp.overload "required" emits "onnx.B"(x : f32, y : f32, z : f32) -> f32
  // expected-note@+1 {{candidate "lossy" does not match: T (f16 or i8) has no type that holds every value of f32, the type of 'x' (f32), 'y' (f32)}}
  amp.overload "lossy" emits "onnx.C"(x : T, y : T) -> T where T in [f16, i8]
  // expected-note@+1 {{candidate "parameter" does not match: it has no parameter 'alpha'}}
  amp.overload "parameter" emits "onnx.D"(x : f32, y : f32) -> f32
  // expected-note@+1 {{candidate "kind" does not match: parameter 'alpha' is 1.500000e+00 : f32, but expected i64}}
  amp.overload "kind" emits "onnx.E"(x : f32, y : f32) with (alpha : i64) -> f32
  // expected-note@+1 {{candidate "selector" does not match: parameter 'mode' is absent, but only "fast" selects it}}
  amp.overload "selector" emits "onnx.F"(x : f32, y : f32) with (alpha : f32, mode : string == "fast") -> f32
  // expected-note@+1 {{candidate "missing" does not match: parameter 'beta' is absent, but required}}
  amp.overload "missing" emits "onnx.G"(x : f32, y : f32) with (alpha : f32, beta : f32) -> f32
  // expected-note@+1 {{candidate "twice" does not match: 'alpha' is given as an operand and as a parameter}}
  amp.overload "twice" emits "onnx.H"(x : f32, alpha : f32) -> f32
}
func.func @run_none(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+2 {{no overload of @none takes ('tensor<4xf32>', 'tensor<4xf32>')}}
  // expected-note@+1 {{cast the operands to types that a candidate takes, or add an overload}}
  %0 = amp.dispatch @none(%a, %a) {alpha = 1.5 : f32} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// i64 does not fit f32 without losses: only an option permits it.
amp.overload_set @lossy keeps_type {
  // expected-note@+1 {{candidate "f32" does not match: T (f32) has no type that holds every value of i64, the type of 'x' (i64)}}
  amp.overload "f32" emits "onnx.A"(x : T) -> T where T in [f32]
}
func.func @run_lossy(%a: tensor<4xi64>) -> tensor<4xi64> {
  // expected-error@+2 {{no overload of @lossy takes ('tensor<4xi64>')}}
  // expected-note@+1 {{"f32" matches after conversions that lose values, which 'allow-lossy' permits}}
  %0 = amp.dispatch @lossy(%a) : (tensor<4xi64>) -> tensor<4xi64>
  return %0 : tensor<4xi64>
}

// -----

// A float never becomes an integer, nor a number a boolean, with any option.
amp.overload_set @category keeps_type {
  // expected-note@+1 {{candidate "i64" does not match: T (i1 or i64) has no type that holds every value of f32}}
  amp.overload "i64" emits "onnx.A"(x : T) -> T where T in [i1, i64]
}
func.func @run_category(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+2 {{no overload of @category takes ('tensor<4xf32>')}}
  // expected-note@+1 {{cast the operands}}
  %0 = amp.dispatch @category(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Torch's errors of promotion.
amp.overload_set @f8 keeps_type {
  // expected-note@+1 {{candidate "f32" does not match: T (f32) has no common type for 'x' (f8E4M3FN), 'y' (bf16): }}
  amp.overload "f32" emits "onnx.A"(x : T, y : T) -> T where T in [f32]
}
func.func @run_f8(%a: tensor<4xf8E4M3FN>, %b: tensor<4xbf16>) -> tensor<4xbf16> {
  // expected-error@+2 {{no overload of @f8 takes ('tensor<4xf8E4M3FN>', 'tensor<4xbf16>')}}
  // expected-note@+1 {{cast the operands}}
  %0 = amp.dispatch @f8(%a, %b) : (tensor<4xf8E4M3FN>, tensor<4xbf16>) -> tensor<4xbf16>
  return %0 : tensor<4xbf16>
}

// -----

// Without keeps_type nothing is cast back to a type that loses values.
amp.overload_set @no_contract {
  // expected-note@+1 {{candidate "f32" does not match: result 0 has f32, but the dispatch declares bf16, which does not hold every value of it, and the set has no 'keeps_type'}}
  amp.overload "f32" emits "onnx.A"(x : T) -> T where T in [f32]
}
func.func @run_no_contract(%a: tensor<4xbf16>) -> tensor<4xbf16> {
  // expected-error@+2 {{no overload of @no_contract takes ('tensor<4xbf16>')}}
  // expected-note@+1 {{"f32" matches after conversions that lose values, which 'allow-lossy' permits}}
  %0 = amp.dispatch @no_contract(%a) : (tensor<4xbf16>) -> tensor<4xbf16>
  return %0 : tensor<4xbf16>
}

// -----

// With keeps_type the declared type is that of the operands.
amp.overload_set @keeps keeps_type {
  // expected-note@+1 {{candidate "f32" does not match: it keeps the type, so that result 0 has bf16, but the dispatch declares f32}}
  amp.overload "f32" emits "onnx.A"(x : T) -> T where T in [f32]
}
func.func @run_keeps(%a: tensor<4xbf16>) -> tensor<4xf32> {
  // expected-error@+2 {{no overload of @keeps takes ('tensor<4xbf16>')}}
  // expected-note@+1 {{cast the operands}}
  %0 = amp.dispatch @keeps(%a) : (tensor<4xbf16>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Shapes of functions, and numbers that do not fit.
amp.overload_set @shapes {
  // expected-note@+1 {{candidate "operand" does not match: 'x' is tensor<4xf32>, whose shape is not that of tensor<8xf32>, which the function takes}}
  amp.overload "operand" calls @operand(x : f32) -> f32
  // expected-note@+1 {{candidate "result" does not match: result 0 of the function is tensor<8xf32>, whose shape is not that of tensor<4xf32>, which the dispatch declares}}
  amp.overload "result" calls @result(x : f32) -> f32
  // expected-note@+1 {{candidate "number" does not match: 'y' is absent, but required}}
  amp.overload "number" calls @number(x : f32, y : f32) -> f32
}
func.func private @operand(tensor<8xf32>) -> tensor<4xf32>
func.func private @result(tensor<4xf32>) -> tensor<8xf32>
func.func private @number(tensor<4xf32>, tensor<?xf32>) -> tensor<4xf32>
func.func @run_shapes(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+2 {{no overload of @shapes takes ('tensor<4xf32>')}}
  // expected-note@+1 {{cast the operands}}
  %0 = amp.dispatch @shapes(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

amp.overload_set @numbers {
  // expected-note@+1 {{candidate "dynamic" does not match: 'y' is a number, but the function takes tensor<?xi16>}}
  amp.overload "dynamic" calls @dynamic(x : i8, y : i16) -> i8
  // expected-note@+1 {{candidate "range" does not match: parameter 'y' is 300 : i64, but expected i8}}
  amp.overload "range" emits "onnx.A"(x : i8) with (y : i8) -> i8
  // expected-note@+1 {{candidate "formal" does not match: 'y' is 300 : i64, which does not fit i8}}
  amp.overload "formal" emits "onnx.B"(x : T, y : T) -> T where T in [i8]
}
func.func private @dynamic(tensor<?xi8>, tensor<?xi16>) -> tensor<?xi8>
func.func @run_numbers(%a: tensor<4xi8>) -> tensor<4xi8> {
  // expected-error@+2 {{no overload of @numbers takes ('tensor<4xi8>')}}
  // expected-note@+1 {{cast the operands}}
  %0 = amp.dispatch @numbers(%a) {y = 300 : i64} : (tensor<4xi8>) -> tensor<4xi8>
  return %0 : tensor<4xi8>
}

// -----

// A scope that is not applied yet.
amp.overload_set @exp {
  amp.overload "f32" emits "math.exp"(x : f32) -> f32
}
func.func @scope(%a: tensor<4xf32>) {
  // expected-error@+1 {{amp-apply-precision}}
  amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<4xf32>) {
    %0 = amp.dispatch @exp(%x) : (tensor<4xf32>) -> tensor<4xf32>
    amp.yield
  }
  return
}
