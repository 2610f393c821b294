// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics -o /dev/null

// amp.cast: the shapes differ.
func.func @cast_shape(%x: tensor<4xf32>) {
  // expected-error @+1 {{'amp.cast' op requires the same shape for all operands and results}}
  %0 = amp.cast %x : tensor<4xf32> to tensor<5xf16>
  return
}

// -----

// amp.cast: a static extent cannot become dynamic.
func.func @cast_dynamic(%x: tensor<4xf32>) {
  // expected-error @+1 {{operand type 'tensor<4xf32>' and result type 'tensor<?xf16>' are cast incompatible}}
  %0 = amp.cast %x : tensor<4xf32> to tensor<?xf16>
  return
}

// -----

// amp.cast: the encodings differ.
func.func @cast_encoding(%x: tensor<4xf32, "a">) {
  // expected-error @+1 {{are cast incompatible}}
  %0 = amp.cast %x : tensor<4xf32, "a"> to tensor<4xf16, "b">
  return
}

// -----

// amp.cast: a vector is no tensor.
func.func @cast_container(%x: tensor<4xf32>) {
  // expected-error @+1 {{all non-scalar operands/results must have the same shape and base type}}
  %0 = amp.cast %x : tensor<4xf32> to vector<4xf16>
  return
}

// -----

// amp.cast: a type that is no storage type.
func.func @cast_type(%x: f32) {
  // expected-error @+1 {{result #0 must be a scalar, vector or ranked tensor of f64, f32, f16, bf16, an 8-bit float, or an integer of 1 to 64 bits, or one of complex numbers of f16, f32 or f64, but got 'tf32'}}
  %0 = amp.cast %x : f32 to tf32
  return
}

// -----

// amp.cast: an index has no known width.
func.func @cast_index(%x: index) {
  // expected-error @+1 {{operand #0 must be a scalar, vector or ranked tensor of f64, f32, f16, bf16, an 8-bit float, or an integer of 1 to 64 bits, or one of complex numbers of f16, f32 or f64, but got 'index'}}
  %0 = amp.cast %x : index to f32
  return
}

// -----

// amp.cast: integers of more than 64 bits.
func.func @cast_wide(%x: i65) {
  // expected-error @+1 {{operand #0 must be a scalar, vector or ranked tensor}}
  %0 = amp.cast %x : i65 to f32
  return
}

// -----

// amp.cast: memory is no value.
func.func @cast_memref(%x: memref<4xf32>) {
  // expected-error @+1 {{operand #0 must be a scalar, vector or ranked tensor}}
  %0 = amp.cast %x : memref<4xf32> to memref<4xf16>
  return
}

// -----

// amp.cast: unranked tensors.
func.func @cast_unranked(%x: tensor<*xf32>) {
  // expected-error @+1 {{operand #0 must be a scalar, vector or ranked tensor}}
  %0 = amp.cast %x : tensor<*xf32> to tensor<*xf16>
  return
}

// -----

// amp.cast: floats become integers toward zero, whatever is asked for.
func.func @cast_rounding(%x: f32) {
  // expected-error @+1 {{rounding is for float results only, but the result is 'i8'}}
  %0 = amp.cast %x {rounding = upward} : f32 to i8
  return
}

// -----

// amp.cast: an unknown rounding mode.
func.func @cast_unknown_rounding(%x: f32) {
  // expected-error @+1 {{expected 'rounding' to be one of to_nearest_even, downward, upward, toward_zero, to_nearest_away, but found 'nearest'}}
  %0 = amp.cast %x {rounding = nearest} : f32 to f16
  return
}

// -----

// amp.cast: an unknown overflow mode.
func.func @cast_unknown_overflow(%x: f32) {
  // expected-error @+1 {{expected 'overflow' to be one of ieee, saturate, but found 'wrap'}}
  %0 = amp.cast %x {overflow = wrap} : f32 to f16
  return
}

// -----

// amp.cast: an unknown origin.
func.func @cast_unknown_origin(%x: f32) {
  // expected-error @+1 {{expected 'origin' to be one of user, policy, promotion, boundary, legalization, but found 'me'}}
  %0 = amp.cast %x {origin = me} : f32 to f16
  return
}

// -----

// amp.cast: a misspelt option.
func.func @cast_unknown_option(%x: f32) {
  // expected-error @+1 {{expected one of 'overflow', 'origin', 'rounding', 'may_elide', 'must_round' or an attribute of a dialect, but found 'saturate'}}
  %0 = amp.cast %x {saturate} : f32 to f16
  return
}

// -----

// amp.cast: an unknown attribute of the dialect itself.
func.func @cast_unknown_amp_attribute(%x: f32) {
  // expected-error @+1 {{has no attribute 'amp.elide' in dialect 'amp'; expected 'amp.decision', 'amp.policy', 'amp.name', 'amp.autocast', 'amp.kernel' or 'amp.schedule'}}
  %0 = amp.cast %x {amp.elide} : f32 to f16
  return
}

// -----

// amp.promote: a type that does not take part.
func.func @promote_type(%x: index) {
  // expected-error @+1 {{expected scalars, vectors or ranked tensors of f64, f32, f16, bf16, an 8-bit float, or an integer of 1 to 64 bits, or of complex numbers of f16, f32 or f64, but found 'index'}}
  %0 = amp.promote %x : index
  return
}

// -----

// amp.promote: unranked tensors.
func.func @promote_unranked(%x: tensor<*xf32>) {
  // expected-error @+1 {{expected scalars, vectors or ranked tensors}}
  %0 = amp.promote %x : tensor<*xf32>
  return
}

// -----

// amp.promote: unsigned integers of more than 8 bits.
func.func @promote_unsigned(%x: tensor<4xui16>, %y: tensor<4xi32>) {
  // expected-error @+1 {{'amp.promote' op has no common type for its operands: 'ui16' and 'i32' do not promote: unsigned integers of more than 8 bits go with floats only; cast one of them}}
  %0:2 = amp.promote %x, %y {mode = elementwise} : tensor<4xui16>, tensor<4xi32>
  return
}

// -----

// amp.promote: an 8-bit float with another type.
func.func @promote_bytes(%x: tensor<4xf8E4M3FN>, %y: tensor<4xf8E5M2>) {
  // expected-error @+1 {{'amp.promote' op has no common type for its operands: 'f8E4M3FN' and 'f8E5M2' do not promote: an 8-bit float goes with no other type; cast one of them}}
  %0:2 = amp.promote %x, %y {mode = elementwise} : tensor<4xf8E4M3FN>, tensor<4xf8E5M2>
  return
}

// -----

// amp.promote: an unknown mode.
func.func @promote_mode(%x: f16) {
  // expected-error @+1 {{expected 'mode' to be one of autocast, elementwise, but found 'widest'}}
  %0 = amp.promote %x {mode = widest} : f16
  return
}

// -----

// amp.promote: a misspelt option.
func.func @promote_option(%x: f16) {
  // expected-error @+1 {{expected one of 'mode', 'at_least', 'strict' or an attribute of a dialect, but found 'atleast'}}
  %0 = amp.promote %x {atleast = f32} : f16
  return
}

// -----

// amp.promote: at_least is an integer.
func.func @promote_at_least(%x: f16) {
  // expected-error @+1 {{expected 'at_least' to be a float type that amp stores, but found 'i8'}}
  %0 = amp.promote %x {at_least = i8} : f16
  return
}

// -----

// amp.promote: at_least is no storage type, in generic form.
func.func @promote_at_least_generic(%x: f16) {
  // expected-error @+2 {{expected 'at_least' to be a float type that amp stores, but found 'complex<f32>'}}
  // expected-error @+1 {{'amp.promote' op failed to infer returned types}}
  %0 = "amp.promote"(%x) <{at_least = complex<f32>}> : (f16) -> f16
  return
}

// -----

// amp.promote: more types than operands.
func.func @promote_count(%x: f16) {
  // expected-error @+1 {{number of operands and types do not match}}
  %0 = amp.promote %x : f16, f32
  return
}

// -----

// amp.promote: the result is not the join, in generic form.
func.func @promote_result(%x: f16, %y: bf16) {
  // expected-error @+2 {{'amp.promote' op inferred type(s) 'f32', 'f32' are incompatible with return type(s) of operation 'f16', 'f16'}}
  // expected-error @+1 {{'amp.promote' op failed to infer returned types}}
  %0:2 = "amp.promote"(%x, %y) : (f16, bf16) -> (f16, f16)
  return
}

// -----

// amp.promote: strict without the type of the scope.
func.func @promote_strict(%x: f16) {
  // expected-error @+1 {{'strict' needs 'at_least', the lower-precision type of the scope, and mode autocast}}
  %0 = amp.promote %x {strict} : f16
  return
}

// -----

// amp.promote: strict is for mode autocast.
func.func @promote_strict_mode(%x: f16) {
  // expected-error @+1 {{'strict' needs 'at_least', the lower-precision type of the scope, and mode autocast}}
  %0 = amp.promote %x {mode = elementwise, at_least = f16, strict} : f16
  return
}

// -----

// amp.promote: torch raises on the other reduced type.
func.func @promote_strict_mixed(%x: f32, %y: bf16) {
  // expected-error @+1 {{under 'strict' operands are 'f16', f32 or f64, but found 'bf16'}}
  %0:2 = amp.promote %x, %y {at_least = f16, strict} : f32, bf16
  return
}

// -----

// amp.autocast: to an integer.
func.func @autocast_integer() {
  // expected-error @+1 {{autocast is to f16 or bf16, but 'dtype' is 'i8'}}
  amp.autocast device("cuda") dtype(i8) () {
    amp.yield
  }
  return
}

// -----

// amp.autocast: to f64.
func.func @autocast_f64() {
  // expected-error @+1 {{autocast is to f16 or bf16, but 'dtype' is 'f64'}}
  amp.autocast device("cuda") dtype(f64) () {
    amp.yield
  }
  return
}

// -----

// amp.autocast: an unknown type.
func.func @autocast_unknown() {
  // expected-error @+1 {{expected dtype f16 or bf16, but found 'float16'}}
  amp.autocast device("cuda") dtype(float16) () {
    amp.yield
  }
  return
}

// -----

// amp.autocast: no device.
func.func @autocast_device() {
  // expected-error @+1 {{expected a device, such as "cuda" or "cpu"}}
  amp.autocast device("") dtype(f16) () {
    amp.yield
  }
  return
}

// -----

// amp.autocast: off and perhaps on.
func.func @autocast_flags(%flag: i1) {
  // expected-error @+1 {{is both 'disabled' and under a run-time flag}}
  "amp.autocast"(%flag) <{device = "cuda", dtype = f16, disabled, operandSegmentSizes = array<i32: 1, 0>}> ({
    amp.yield
  }) : (i1) -> ()
  return
}

// -----

// amp.autocast: an unknown mode of the results.
func.func @autocast_results() {
  // expected-error @+1 {{expected results(preserve) or results(propagate), but found 'keep'}}
  amp.autocast device("cuda") dtype(f16) results(keep) () {
    amp.yield
  }
  return
}

// -----

// amp.autocast: a value that is not among the captures.
func.func @autocast_capture(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-note @+1 {{required by region isolation constraints}}
  %0 = amp.autocast device("cuda") dtype(f16) () -> tensor<4xf32> {
    // expected-error @+1 {{'math.exp' op using value defined outside the region}}
    %1 = math.exp %a : tensor<4xf32>
    amp.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

// amp.autocast: the argument of the body has another type.
func.func @autocast_arguments(%a: tensor<4xf32>) {
  // expected-note @+2 {{region branch point}}
  // expected-error @+1 {{along control flow edge from parent to Region #0: successor operand type #0 'tensor<4xf32>' should match successor input type #0 'tensor<4xf16>'}}
  "amp.autocast"(%a) <{device = "cuda", dtype = f16, operandSegmentSizes = array<i32: 0, 1>}> ({
  ^bb0(%x: tensor<4xf16>):
    amp.yield
  }) : (tensor<4xf32>) -> ()
  return
}

// -----

// amp.autocast: yields too much.
func.func @autocast_yield_count(%a: tensor<4xf32>) {
  // expected-error @+1 {{along control flow edge from Operation amp.yield to parent: region branch point has 1 operands, but region successor needs 0 inputs}}
  amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<4xf32>) {
    // expected-note @+1 {{region branch point}}
    amp.yield %x : tensor<4xf32>
  }
  return
}

// -----

// amp.autocast: yields another type.
func.func @autocast_yield_type(%a: tensor<4xf32>) {
  // expected-error @+1 {{along control flow edge from Operation amp.yield to parent: successor operand type #0 'tensor<4xf32>' should match successor input type #0 'tensor<4xf16>'}}
  %0 = amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<4xf32>) -> tensor<4xf16> {
    // expected-note @+1 {{region branch point}}
    amp.yield %x : tensor<4xf32>
  }
  return
}

// -----

// amp.autocast: another terminator.
func.func @autocast_terminator() {
  // expected-error @+1 {{expected the body to end in amp.yield}}
  amp.autocast device("cuda") dtype(f16) () {
    "test.end"() : () -> ()
  }
  return
}

// -----

// amp.autocast: several blocks.
func.func @autocast_blocks() {
  // expected-error @+1 {{expects region #0 to have 0 or 1 blocks}}
  amp.autocast device("cuda") dtype(f16) () {
    "test.br"() [^bb1] : () -> ()
  ^bb1:
    amp.yield
  }
  return
}

// -----

// amp.yield: outside of a scope.
func.func @yield_parent() {
  // expected-error @+1 {{expects parent op to be one of 'amp.autocast, amp.out_dtype'}}
  amp.yield
}

// -----

// amp.out_dtype: two ops.
func.func @out_dtype_two(%a: tensor<4x4xf16>) -> tensor<4x4xf32> {
  // expected-error @+1 {{expected exactly one op and amp.yield in the body, but found 3 ops}}
  %0 = amp.out_dtype (%x = %a : tensor<4x4xf16>) -> tensor<4x4xf32> {
    %1 = "aten.mm"(%x, %x) : (tensor<4x4xf16>, tensor<4x4xf16>) -> tensor<4x4xf16>
    %2 = "aten.mm"(%1, %x) : (tensor<4x4xf16>, tensor<4x4xf16>) -> tensor<4x4xf16>
    amp.yield %2 : tensor<4x4xf16>
  }
  return %0 : tensor<4x4xf32>
}

// -----

// amp.out_dtype: no op.
func.func @out_dtype_none(%a: tensor<4x4xf16>) -> tensor<4x4xf32> {
  // expected-error @+1 {{expected exactly one op and amp.yield in the body, but found 1 ops}}
  %0 = amp.out_dtype (%x = %a : tensor<4x4xf16>) -> tensor<4x4xf32> {
    amp.yield %x : tensor<4x4xf16>
  }
  return %0 : tensor<4x4xf32>
}

// -----

// amp.out_dtype: a side effect.
func.func @out_dtype_effect(%a: tensor<4x4xf16>) -> tensor<4x4xf32> {
  %0 = amp.out_dtype (%x = %a : tensor<4x4xf16>) -> tensor<4x4xf32> {
    // expected-error @+1 {{'func.call' op in amp.out_dtype must be free of side effects}}
    %1 = func.call @f(%x) : (tensor<4x4xf16>) -> tensor<4x4xf16>
    amp.yield %1 : tensor<4x4xf16>
  }
  return %0 : tensor<4x4xf32>
}
func.func private @f(tensor<4x4xf16>) -> tensor<4x4xf16>

// -----

// amp.out_dtype: several results.
func.func @out_dtype_results(%a: tensor<4x4xf16>) -> tensor<4x4xf32> {
  %0 = amp.out_dtype (%x = %a : tensor<4x4xf16>) -> tensor<4x4xf32> {
    // expected-error @+1 {{'aten.mm' op in amp.out_dtype must have one result, but has 2}}
    %1:2 = "aten.mm"(%x, %x) : (tensor<4x4xf16>, tensor<4x4xf16>) -> (tensor<4x4xf16>, tensor<4x4xf16>)
    amp.yield %1#0 : tensor<4x4xf16>
  }
  return %0 : tensor<4x4xf32>
}

// -----

// amp.out_dtype: an op that is not in the allow list, by name.
func.func @out_dtype_name(%a: tensor<4x4xf16>) -> tensor<4x4xf32> {
  %0 = amp.out_dtype (%x = %a : tensor<4x4xf16>) -> tensor<4x4xf32> {
    // expected-error @+1 {{'aten.add' op is not allowed in amp.out_dtype: expected a contraction, a convolution, or an elementwise multiplication or division}}
    %1 = "aten.add"(%x, %x) : (tensor<4x4xf16>, tensor<4x4xf16>) -> tensor<4x4xf16>
    amp.yield %1 : tensor<4x4xf16>
  }
  return %0 : tensor<4x4xf32>
}

// -----

// amp.out_dtype: an op that is not in the allow list, by its payload.
func.func @out_dtype_payload(%a: tensor<4x4xf16>) -> tensor<4x4xf32> {
  %0 = amp.out_dtype (%x = %a : tensor<4x4xf16>) -> tensor<4x4xf32> {
    // expected-error @+1 {{'arith.addf' op is not allowed in amp.out_dtype}}
    %1 = arith.addf %x, %x : tensor<4x4xf16>
    amp.yield %1 : tensor<4x4xf16>
  }
  return %0 : tensor<4x4xf32>
}

// -----

// amp.out_dtype: yields something else.
func.func @out_dtype_yield(%a: tensor<4x4xf16>) -> tensor<4x4xf32> {
  // expected-error @+1 {{expected the body to yield the result of its op}}
  %0 = amp.out_dtype (%x = %a : tensor<4x4xf16>) -> tensor<4x4xf32> {
    %1 = "aten.mm"(%x, %x) : (tensor<4x4xf16>, tensor<4x4xf16>) -> tensor<4x4xf16>
    amp.yield %x : tensor<4x4xf16>
  }
  return %0 : tensor<4x4xf32>
}

// -----

// amp.out_dtype: another shape.
func.func @out_dtype_shape(%a: tensor<4x4xf16>) -> tensor<4x5xf32> {
  // expected-error @+1 {{has type 'tensor<4x5xf32>', which differs in more than the element type from that of the op inside, 'tensor<4x4xf16>'}}
  %0 = amp.out_dtype (%x = %a : tensor<4x4xf16>) -> tensor<4x5xf32> {
    %1 = "aten.mm"(%x, %x) : (tensor<4x4xf16>, tensor<4x4xf16>) -> tensor<4x4xf16>
    amp.yield %1 : tensor<4x4xf16>
  }
  return %0 : tensor<4x5xf32>
}

// -----

// amp.out_dtype: the argument of the body has another type.
func.func @out_dtype_arguments(%a: tensor<4x4xf16>) -> tensor<4x4xf32> {
  // expected-error @+1 {{the body takes arguments of types ('tensor<4x4xbf16>'), but the captures have types ('tensor<4x4xf16>')}}
  %0 = "amp.out_dtype"(%a) ({
  ^bb0(%x: tensor<4x4xbf16>):
    %1 = "aten.mm"(%x, %x) : (tensor<4x4xbf16>, tensor<4x4xbf16>) -> tensor<4x4xf16>
    amp.yield %1 : tensor<4x4xf16>
  }) : (tensor<4x4xf16>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

// amp.out_dtype: a value that is not among the captures.
func.func @out_dtype_capture(%a: tensor<4x4xf16>) -> tensor<4x4xf32> {
  // expected-note @+1 {{required by region isolation constraints}}
  %0 = amp.out_dtype () -> tensor<4x4xf32> {
    // expected-error @+1 {{using value defined outside the region}}
    %1 = "aten.mm"(%a, %a) : (tensor<4x4xf16>, tensor<4x4xf16>) -> tensor<4x4xf16>
    amp.yield %1 : tensor<4x4xf16>
  }
  return %0 : tensor<4x4xf32>
}

// -----

// amp.config: to an integer.
func.func @config_integer() {
  // expected-error @+1 {{autocast is to f16 or bf16, but 'dtype' is 'i8'}}
  %0 = amp.config device("cuda") dtype(i8)
  return
}

// -----

// amp.config: no device.
func.func @config_device() {
  // expected-error @+1 {{expected a device, such as "cuda" or "cpu"}}
  %0 = amp.config device("") dtype(f16)
  return
}

// -----

// amp.config: off and perhaps on.
func.func @config_flags(%flag: i1) {
  // expected-error @+1 {{is both 'disabled' and under a run-time flag}}
  %0 = amp.config device("cuda") dtype(f16) disabled if %flag
  return
}

// -----

// #amp.decision: of the wrong kind.
func.func @decision_kind(%x: f32) {
  // expected-error @+1 {{attribute 'amp.decision' must be a #amp.decision, but found "fp32"}}
  %0 = math.exp %x {amp.decision = "fp32"} : f32
  return
}

// -----

// #amp.decision: too few operands.
func.func @decision_operands(%x: f32) {
  // expected-error @+1 {{decision names 1 operand types, but the op has 2 operands}}
  %0 = arith.addf %x, %x {amp.decision = #amp.decision<fp32, from(f32), to(f32), results(f32), compute(f32), op_policy>} : f32
  return
}

// -----

// #amp.decision: too many results.
func.func @decision_results(%x: f32) {
  // expected-error @+1 {{decision names 2 result types, but the op has 1 results}}
  %0 = math.exp %x {amp.decision = #amp.decision<fp32, from(f32), to(f32), results(f32, f32), compute(f32), op_policy>} : f32
  return
}

// -----

// #amp.decision: 'from' and 'to' differ in length.
// expected-error @+1 {{'from' and 'to' must name the same number of operands, but found 1 and 2}}
#decision = #amp.decision<fp32, from(f32), to(f32, f32), results(f32), compute(f32), op_policy>

// -----

// #amp.decision: an integer element type.
// expected-error @+1 {{expected float element types or none, but found 'i8'}}
#decision = #amp.decision<fp32, from(i8), to(f32), results(f32), compute(f32), op_policy>

// -----

// #amp.decision: an operand that autocast does not touch cannot become a float.
// expected-error @+1 {{an operand with 'from' 'none' cannot have 'to' 'f32'}}
#decision = #amp.decision<fp32, from(none), to(f32), results(f32), compute(f32), op_policy>

// -----

// #amp.scope: to an integer.
// expected-error @+1 {{expected dtype f16 or bf16, but found 'i8'}}
#scope = #amp.scope<device = "cuda", dtype = i8>

// -----

// #amp.scope: no device.
// expected-error @+1 {{expected a device, such as "cuda"}}
#scope = #amp.scope<device = "", dtype = f16>

// -----

// amp.autocast attribute: without no_inline.
// expected-error @+1 {{attribute 'amp.autocast' needs 'no_inline' beside it, or inlining loses the scope}}
func.func @scope_inline() attributes {amp.autocast = #amp.scope<device = "cuda", dtype = f16>} {
  return
}

// -----

// amp.autocast attribute: of the wrong kind.
// expected-error @+1 {{attribute 'amp.autocast' must be a #amp.scope, but found unit}}
func.func @scope_kind() attributes {amp.autocast, no_inline} {
  return
}

// -----

// amp.autocast attribute: on an op that is no function.
func.func @scope_op(%x: f32) {
  // expected-error @+1 {{attribute 'amp.autocast' is for functions only}}
  %0 = math.exp %x {amp.autocast = #amp.scope<device = "cuda", dtype = f16>, no_inline} : f32
  return
}

// -----

// amp.device: no string.
// expected-error @+1 {{attribute 'amp.device' of argument 0 must be a non-empty string, but found 0 : i64}}
func.func @device_kind(%x: f32 {amp.device = 0}) {
  return
}

// -----

// amp.name: empty.
// expected-error @+1 {{attribute 'amp.name' of argument 1 must be a non-empty string, but found ""}}
func.func @name_empty(%x: f32, %y: f32 {amp.name = ""}) {
  return
}

// -----

// An unknown argument attribute.
// expected-error @+1 {{argument 0 has attribute 'amp.dtype', but dialect 'amp' knows only 'amp.device', 'amp.name', 'amp.weight', 'amp.prepared' and 'amp.destination'}}
func.func @argument_attribute(%x: f32 {amp.dtype = f16}) {
  return
}

// -----

// expected-error @+1 {{attribute 'amp.memory_plan' is a dictionary for functions only}}
func.func @plan() attributes {amp.memory_plan = 3 : i64} {
  return
}

// -----

// expected-error @+1 {{attribute 'amp.dependent' is a unit attribute for 'gpu.launch_func' only}}
func.func @dependent() attributes {amp.dependent} {
  return
}

// -----

// expected-error @+1 {{attribute 'amp.persistent' is an i64 from 1 to 255 for 'gpu.launch_func' only}}
func.func @persistent() attributes {amp.persistent = 1 : i64} {
  return
}

// -----

gpu.module @kernels {
  gpu.func @persistent() kernel {
    gpu.return
  }
}
func.func @none() {
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{attribute 'amp.persistent' is an i64 from 1 to 255 for 'gpu.launch_func' only}}
  gpu.launch_func @kernels::@persistent blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) {amp.persistent = 0 : i64}
  return
}
