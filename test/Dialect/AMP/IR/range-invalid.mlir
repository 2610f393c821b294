// RUN: amp-opt %s --split-input-file --verify-diagnostics

func.func @number(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{attribute 'amp.range': a range must be a dictionary, but found 1 : i64}}
  %0 = math.exp %x {amp.range = 1} : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @field(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{attribute 'amp.range': a range must have 'inf', an i64 that is not negative, but found {count = 4 : i64, nan = 0 : i64}}}
  %0 = math.exp %x {amp.range = {count = 4, nan = 0}} : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @negative(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{a range must have 'count', an i64 that is not negative, but found}}
  %0 = math.exp %x {amp.range = {count = -4, nan = 0, inf = 0, zero = 0, subnormal = 0, subnormal_f16 = 0, min = 0.0, max = 1.0}} : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @bound(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{a range must have 'max', a finite f64, but found}}
  %0 = math.exp %x {amp.range = {count = 4, nan = 0, inf = 0, zero = 0, subnormal = 0, subnormal_f16 = 0, min = 0.0, max = 0x7FF0000000000000 : f64}} : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @more(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{a range must have nothing but 'count', 'nan', 'inf', 'zero', 'subnormal', 'subnormal_f16', 'min' and 'max', but found}}
  %0 = math.exp %x {amp.range = {count = 4, mean = 0.5, nan = 0, inf = 0, zero = 0, subnormal = 0, subnormal_f16 = 0, min = 0.0, max = 1.0}} : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @sum(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{the numbers of a range must agree with each other, but found}}
  %0 = math.exp %x {amp.range = {count = 4, nan = 2, inf = 2, zero = 1, subnormal = 0, subnormal_f16 = 0, min = 0.0, max = 1.0}} : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @order(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{the numbers of a range must agree with each other, but found}}
  %0 = math.exp %x {amp.range = {count = 4, nan = 0, inf = 0, zero = 1, subnormal = 0, subnormal_f16 = 0, min = 2.0, max = 1.0}} : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-error @+1 {{attribute 'amp.report_ranges': expected an array of as many ranges as 'amp.report' has entries, 0, but found [{}]}}
module attributes {amp.report_ranges = [{}]} {
}

// -----

// expected-error @+1 {{attribute 'amp.report_ranges': a range must be a dictionary, but found 1 : i64}}
module attributes {amp.report = [#amp.op_report<"math.exp" in "f" at loc(unknown), types () -> (),
  decision <keep, from (), to (), results (), compute(none), generator>, casts ()>], amp.report_ranges = [1]} {
}

// -----

// expected-error @+1 {{attribute 'amp.report_ranges': is for modules only}}
func.func @function() attributes {amp.report_ranges = []} {
  return
}
