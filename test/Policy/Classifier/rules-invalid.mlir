// RUN: amp-opt %s --split-input-file --verify-diagnostics

amp.policy_set @none device("cuda") {
  // expected-error@+1 {{matches every op; expected a matcher, such as name("^head") or op("aten.mm")}}
  amp.rule exclude
}

// -----

amp.policy_set @regex device("cuda") {
  // expected-error@+1 {{name("conv(") is no regular expression: parentheses not balanced}}
  amp.rule exclude name("conv(")
}

// -----

amp.policy_set @digits device("cuda") {
  // expected-error@+1 {{name("layer\d") is no regular expression: '\d' has no meaning in POSIX}}
  amp.rule exclude name("layer\\d")
}

// -----

amp.policy_set @twice device("cuda") {
  // expected-error@+1 {{'op' is given twice: write a second rule}}
  amp.rule exclude op("aten.mm") op("aten.bmm")
}

// -----

amp.policy_set @magnitude device("cuda") {
  // expected-error@+1 {{expected data_max to be a magnitude of 0 or more, but found -1.000000e+00}}
  amp.rule exclude data_max(-1.0)
}

// -----

amp.policy_set @share device("cuda") {
  // expected-error@+1 {{expected underflow to be a share of 0 to 1, but found 2.000000e+00}}
  amp.rule exclude underflow(2.0)
}

// -----

amp.policy_set @elements device("cuda") {
  // expected-error@+1 {{expected depth to be a number of elements, but found -4}}
  amp.rule exclude depth(-4)
}

// -----

amp.policy_set @kind device("cuda") {
  // expected-error@+1 {{there is no kind of sensitivity "variances"; did you mean 'variance'?}}
  amp.rule exclude sensitive("variances")
}

// -----

amp.policy_set @number device("cuda") {
  // expected-error@+1 {{expected floating point literal}}
  amp.rule exclude init_max("a")
}
