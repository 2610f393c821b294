// Section K: the dispatcher of the ONNX exporter. What its older form does is
// the default; 'match=exact' does what its newer form does, which neither
// promotes nor casts.
//
// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file --amp-dispatch-overloads | FileCheck %s
// RUN: not amp-opt %s --allow-unregistered-dialect --split-input-file --amp-dispatch-overloads="match=exact" -o /dev/null 2>&1 | FileCheck %s --check-prefix=NEW

// 425. sdpa with float mask / bool mask / None => float overload / bool-mask
// overload / first overload whose mask is optional
amp.overload_set @sdpa {
  amp.overload "float_mask" emits "onnx.Sdpa"(query : T, key : T, value : T, mask : T?) with (dropout_p : f32 = 0.0, is_causal : i1 = false) -> T where T in [f16, f32]
  amp.overload "bool_mask" emits "onnx.SdpaBoolMask"(query : T, key : T, value : T, mask : i1?) with (dropout_p : f32 = 0.0, is_causal : i1 = false) -> T where T in [f16, f32]
}
// CHECK-LABEL: func @case_425_float
func.func @case_425_float(%q: tensor<8x4xf16>, %mask: tensor<8x8xf16>) -> tensor<8x4xf16> {
  // CHECK: "onnx.Sdpa"(%{{.*}}) {{.*}} : (tensor<8x4xf16>, tensor<8x4xf16>, tensor<8x4xf16>, tensor<8x8xf16>) -> tensor<8x4xf16>
  %0 = amp.dispatch @sdpa(%q, %q, %q, %mask) : (tensor<8x4xf16>, tensor<8x4xf16>, tensor<8x4xf16>, tensor<8x8xf16>) -> tensor<8x4xf16>
  return %0 : tensor<8x4xf16>
}
// CHECK-LABEL: func @case_425_bool
func.func @case_425_bool(%q: tensor<8x4xf16>, %mask: tensor<8x8xi1>) -> tensor<8x4xf16> {
  // CHECK: "onnx.SdpaBoolMask"(%{{.*}}) {{.*}} : (tensor<8x4xf16>, tensor<8x4xf16>, tensor<8x4xf16>, tensor<8x8xi1>) -> tensor<8x4xf16>
  %0 = amp.dispatch @sdpa(%q, %q, %q, %mask) : (tensor<8x4xf16>, tensor<8x4xf16>, tensor<8x4xf16>, tensor<8x8xi1>) -> tensor<8x4xf16>
  return %0 : tensor<8x4xf16>
}
// CHECK-LABEL: func @case_425_none
func.func @case_425_none(%q: tensor<8x4xf16>) -> tensor<8x4xf16> {
  // CHECK: "onnx.Sdpa"(%{{.*}}) {{.*}} : (tensor<8x4xf16>, tensor<8x4xf16>, tensor<8x4xf16>) -> tensor<8x4xf16>
  %0 = amp.dispatch @sdpa(%q, %q, %q, none) {is_causal = true} : (tensor<8x4xf16>, tensor<8x4xf16>, tensor<8x4xf16>) -> tensor<8x4xf16>
  return %0 : tensor<8x4xf16>
}

// -----

// The seed's case: implementations for i64 and f32, a bf16 operand => f32, with
// casts on both sides.
// 427. same, new dispatcher => no match + reasons
amp.overload_set @relu keeps_type {
  // NEW: error: 'amp.dispatch' op no overload of @relu takes ('tensor<4xbf16>')
  // NEW: note: candidate "int64" does not match: T (i64) does not allow bf16, the type of 'self' (bf16)
  // NEW: note: candidate "float" does not match: T (f32) does not allow bf16, the type of 'self' (bf16)
  // NEW: note: "float" matches after conversions that keep every value, which 'match=nearest' permits
  amp.overload "int64" emits "onnx.ReluInt"(self : T) -> T where T in [i64]
  amp.overload "float" emits "onnx.Relu"(self : T) -> T where T in [f32]
}
// CHECK-LABEL: func @case_427
func.func @case_427(%a: tensor<4xbf16>) -> tensor<4xbf16> {
  // CHECK: %[[WIDE:.*]] = amp.cast %arg0 {may_elide, origin = legalization} : tensor<4xbf16> to tensor<4xf32>
  // CHECK: %[[RELU:.*]] = "onnx.Relu"(%[[WIDE]]) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: %[[BACK:.*]] = amp.cast %[[RELU]] {origin = legalization} : tensor<4xf32> to tensor<4xbf16>
  // CHECK: return %[[BACK]]
  %0 = amp.dispatch @relu(%a) : (tensor<4xbf16>) -> tensor<4xbf16>
  return %0 : tensor<4xbf16>
}

// -----

// 429. custom overload registered after default, both perfect => custom chosen
// (old dispatcher); first registered (new)
amp.overload_set @custom_last ties(last) {
  amp.overload "default" emits "onnx.Relu"(self : T) -> T where T in [f32]
  amp.overload "custom" emits "mine.Relu"(self : T) -> T where T in [f32]
}
amp.overload_set @custom_priority {
  amp.overload "default" emits "onnx.Relu"(self : T) -> T where T in [f32]
  amp.overload "custom" emits "mine.Relu"(self : T) -> T where T in [f32] priority 1
}
amp.overload_set @first ties(first) {
  amp.overload "default" emits "onnx.Relu"(self : T) -> T where T in [f32]
  amp.overload "custom" emits "mine.Relu"(self : T) -> T where T in [f32]
}
// CHECK-LABEL: func @case_429
func.func @case_429(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  // CHECK: "mine.Relu"(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
  %0 = amp.dispatch @custom_last(%a) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: "mine.Relu"(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = amp.dispatch @custom_priority(%a) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: "onnx.Relu"(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = amp.dispatch @first(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// 430. attribute given as None not in signature / in signature => perfect /
// nearest only
amp.overload_set @none_not_in_signature {
  amp.overload "a" emits "onnx.Sum"(self : T) -> T where T in [f32]
}
// CHECK-LABEL: func @case_430_not_in_signature
func.func @case_430_not_in_signature(%a: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: "onnx.Sum"(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
  %0 = amp.dispatch @none_not_in_signature(%a) {dtype = none} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

amp.overload_set @none_in_signature {
  // NEW: error: 'amp.dispatch' op no overload of @none_in_signature takes
  // NEW: note: candidate "a" does not match: parameter 'dtype' is None, but expected i64
  amp.overload "a" emits "onnx.Sum"(self : T) with (dtype : i64 = -1) -> T where T in [f32]
}
// CHECK-LABEL: func @case_430_in_signature
func.func @case_430_in_signature(%a: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: "onnx.Sum"(%arg0) {dtype = -1 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  %0 = amp.dispatch @none_in_signature(%a) {dtype = none} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// 431. type variable T bound by two inputs of different dtype => no match (new
// dispatcher). By default they promote, as torch's add does.
amp.overload_set @add {
  // NEW: error: 'amp.dispatch' op no overload of @add takes ('tensor<4xf16>', 'tensor<4xf32>')
  // NEW: note: candidate "real" does not match: T (f16 or f32) takes operands of one type, but found 'self' (f16), 'other' (f32)
  amp.overload "real" emits "onnx.Add"(self : T, other : T) -> T where T in [f16, f32]
}
// CHECK-LABEL: func @case_431
func.func @case_431(%a: tensor<4xf16>, %b: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: %[[WIDE:.*]] = amp.cast %arg0 {may_elide, origin = promotion} : tensor<4xf16> to tensor<4xf32>
  // CHECK: "onnx.Add"(%[[WIDE]], %arg1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %0 = amp.dispatch @add(%a, %b) : (tensor<4xf16>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
