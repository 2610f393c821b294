// Section A: torch's tests of scripted autocast that need more than static
// regions. A comment quotes the number of each case and what torch expects.
//
// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file --amp-autocast --canonicalize | FileCheck %s
//
// Queries and pairs stay where they are under passes that do not know them.
// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file --inline --cse --canonicalize --amp-autocast --canonicalize | FileCheck %s
// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file --amp-structurize-scopes --inline --cse --canonicalize --amp-autocast --canonicalize | FileCheck %s

// Case 1: two ways to write a region give equal results: x f16, y f32.
// CHECK-LABEL: func.func @case_1_pair
// CHECK:         "aten.mm"({{.*}}) : (tensor<2x2xf16>, tensor<2x2xf16>) -> tensor<2x2xf16>
// CHECK:         "aten.sum"({{.*}}) {{.*}} : (tensor<2x2xf16>) -> tensor<f32>
// CHECK-LABEL: func.func @case_1_region
// CHECK:         "aten.mm"({{.*}}) : (tensor<2x2xf16>, tensor<2x2xf16>) -> tensor<2x2xf16>
// CHECK:         "aten.sum"({{.*}}) {{.*}} : (tensor<2x2xf16>) -> tensor<f32>
func.func @case_1_pair(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<f32>) {
  %cfg = amp.config device("cuda") dtype(f16)
  %t = amp.enter %cfg
  %x = "aten.mm"(%a, %b) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %y = "aten.sum"(%x) : (tensor<2x2xf32>) -> tensor<f32>
  amp.exit %t
  return %x, %y : tensor<2x2xf32>, tensor<f32>
}
func.func @case_1_region(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<f32>) {
  %0:2 = amp.autocast device("cuda") dtype(f16) results(propagate) (%c = %a : tensor<2x2xf32>, %d = %b : tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<f32>) {
    %x = "aten.mm"(%c, %d) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %y = "aten.sum"(%x) : (tensor<2x2xf32>) -> tensor<f32>
    amp.yield %x, %y : tensor<2x2xf32>, tensor<f32>
  }
  return %0#0, %0#1 : tensor<2x2xf32>, tensor<f32>
}

// -----

// Case 6: fn(a, b, use_amp: bool) with enabled=use_amp; Case 7: enabled is
// computed from a tensor. torch: RuntimeError. Here: versions, and what leaves
// has the join, f32.
// CHECK-LABEL: func.func @case_6
// CHECK-SAME:    %[[USE:[^:]*]]: i1
// CHECK:         scf.if %[[USE]] -> (tensor<2x2xf32>) {
// CHECK:           "aten.mm"({{.*}}) : (tensor<2x2xf16>, tensor<2x2xf16>) -> tensor<2x2xf16>
// CHECK:         } else {
// CHECK:           "aten.mm"({{.*}}) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
func.func @case_6(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>, %use_amp: i1) -> tensor<2x2xf32> {
  %cfg = amp.config device("cuda") dtype(f16) if %use_amp
  %t = amp.enter %cfg
  %x = "aten.mm"(%a, %b) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  amp.exit %t
  return %x : tensor<2x2xf32>
}

// CHECK-LABEL: func.func @case_7
// CHECK:         %[[C:.*]] = arith.cmpf ogt
// CHECK:         scf.if %[[C]] -> (tensor<2x2xf32>) {
// CHECK:           "aten.mm"({{.*}}) : (tensor<2x2xf16>, tensor<2x2xf16>) -> tensor<2x2xf16>
// CHECK:         } else {
// CHECK:           "aten.mm"({{.*}}) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
func.func @case_7(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %c0 = arith.constant 0 : index
  %half = arith.constant 0.5 : f32
  %e = tensor.extract %a[%c0, %c0] : tensor<2x2xf32>
  %c = arith.cmpf ogt, %e, %half : f32
  %cfg = amp.config device("cuda") dtype(f16) if %c
  %t = amp.enter %cfg
  %x = "aten.mm"(%a, %b) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  amp.exit %t
  return %x : tensor<2x2xf32>
}

// -----

// Case 18: on and off are instances; if c: with on: e=mm else: with off: e=mm;
// mm(e, e) outside keeps e's dtype: the join of f16 and f32.
// CHECK-LABEL: func.func @case_18
// CHECK:         %[[E:.*]] = scf.if %{{.*}} -> (tensor<2x2xf32>) {
// CHECK:           "aten.mm"({{.*}}) : (tensor<2x2xf16>, tensor<2x2xf16>) -> tensor<2x2xf16>
// CHECK:         } else {
// CHECK:           "aten.mm"({{.*}}) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
// CHECK:         "aten.mm"(%[[E]], %[[E]]) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
func.func @case_18(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>, %c: i1) -> tensor<2x2xf32> {
  %on = amp.config device("cuda") dtype(f16)
  %off = amp.config device("cuda") dtype(f16) disabled
  %e = scf.if %c -> tensor<2x2xf32> {
    %t = amp.enter %on
    %0 = "aten.mm"(%a, %b) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    amp.exit %t
    scf.yield %0 : tensor<2x2xf32>
  } else {
    %t = amp.enter %off
    %0 = "aten.mm"(%b, %a) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    amp.exit %t
    scf.yield %0 : tensor<2x2xf32>
  }
  %g = "aten.mm"(%e, %e) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %g : tensor<2x2xf32>
}

// Case 19: with (on if c else off): mm. torch: Unsupported autocast syntax.
// CHECK-LABEL: func.func @case_19
// CHECK-SAME:    %[[C:[^:]*]]: i1
// CHECK:         scf.if %[[C]] -> (tensor<2x2xf32>) {
// CHECK:           "aten.mm"({{.*}}) : (tensor<2x2xf16>, tensor<2x2xf16>) -> tensor<2x2xf16>
// CHECK:         } else {
// CHECK:           "aten.mm"({{.*}}) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
func.func @case_19(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>, %c: i1) -> tensor<2x2xf32> {
  %on = amp.config device("cuda") dtype(f16)
  %off = amp.config device("cuda") dtype(f16) disabled
  %cfg = arith.select %c, %on, %off : !amp.config
  %t = amp.enter %cfg
  %x = "aten.mm"(%a, %b) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  amp.exit %t
  return %x : tensor<2x2xf32>
}

// -----

// Case 22: with i: {e=mm(a,b); with i: {e=mm(c,d); f=mm(d,e)}} g=mm(e,f): the
// instance is entered again inside itself. e, f, g are f16: g is outside, but
// its operands are f16 (eager leaks the state here). Case 24: an instance that
// is bound to a name.
// CHECK-LABEL: func.func @case_22
// CHECK-COUNT-4: "aten.mm"({{.*}}) : (tensor<2x2xf16>, tensor<2x2xf16>) -> tensor<2x2xf16>
// CHECK-NOT:     "aten.mm"
// CHECK:         return
func.func @case_22(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>, %c: tensor<2x2xf32>, %d: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %i = amp.config device("cuda") dtype(f16)
  %t = amp.enter %i
  %e0 = "aten.mm"(%a, %b) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  "use"(%e0) : (tensor<2x2xf32>) -> ()
  %u = amp.enter %i
  %e = "aten.mm"(%c, %d) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %f = "aten.mm"(%d, %e) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  amp.exit %u
  amp.exit %t
  %g = "aten.mm"(%e, %f) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %g : tensor<2x2xf32>
}

// -----

// Case 27: R(on){helper}, helper: R(off){mm} => f32. Case 30: the same where the
// callee was traced; torch loses the region there. Cases 29, 32 and 33: a callee
// without a region, whoever made it, runs as its caller: f16.
// CHECK-LABEL: func.func @case_30
// CHECK:         call @with_region({{.*}}) : (tensor<2x2xf32>) -> tensor<2x2xf32>
// CHECK:         call @without_region({{.*}}) : (tensor<2x2xf32>) -> tensor<2x2xf16>
// CHECK-LABEL: func.func private @with_region
// CHECK:         "aten.mm"({{.*}}) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
// CHECK:         "aten.mul"({{.*}}) : (tensor<2x2xf32>, f32) -> tensor<2x2xf32>
// CHECK-LABEL: func.func private @without_region
// CHECK:         "aten.mm"({{.*}}) : (tensor<2x2xf16>, tensor<2x2xf16>) -> tensor<2x2xf16>
func.func @case_30(%a: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
  %cfg = amp.config device("cuda") dtype(f16)
  %t = amp.enter %cfg
  %0 = call @with_region(%a) : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = call @without_region(%a) : (tensor<2x2xf32>) -> tensor<2x2xf32>
  amp.exit %t
  return %0, %1 : tensor<2x2xf32>, tensor<2x2xf32>
}
func.func private @with_region(%a: tensor<2x2xf32>) -> tensor<2x2xf32> attributes {no_inline} {
  %two = arith.constant 2.0 : f32
  %cfg = amp.config device("cuda") dtype(f16) disabled
  %t = amp.enter %cfg
  %0 = "aten.mm"(%a, %a) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = "aten.mul"(%0, %two) : (tensor<2x2xf32>, f32) -> tensor<2x2xf32>
  amp.exit %t
  return %1 : tensor<2x2xf32>
}
func.func private @without_region(%a: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = "aten.mm"(%a, %a) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// -----

// Case 34: a decorated function => f16. TorchScript: '@autocast() decorator is
// not supported in script mode'.
// CHECK-LABEL: func.func @case_34
// CHECK:         "aten.mm"({{.*}}) : (tensor<2x2xf16>, tensor<2x2xf16>) -> tensor<2x2xf16>
func.func @case_34(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>) -> tensor<2x2xf32>
    attributes {amp.autocast = #amp.scope<device = "cuda", dtype = f16>, no_inline} {
  %0 = "aten.mm"(%a, %b) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// -----

// Case 40: {mm(cpu..), mm(cuda..)} under ambient: both regions, cpu only, cuda
// only, none => dtypes equal eager in each. Case 43: without ambient => f32 (an
// internal assert in TorchScript).
// CHECK-LABEL: func.func @case_40_both
// CHECK:         "aten.mm"({{.*}}) : (tensor<2x2xbf16>, tensor<2x2xbf16>) -> tensor<2x2xbf16>
// CHECK:         "aten.mm"({{.*}}) : (tensor<2x2xf16>, tensor<2x2xf16>) -> tensor<2x2xf16>
func.func @case_40_both(%a: tensor<2x2xf32> {amp.device = "cpu"}, %b: tensor<2x2xf32> {amp.device = "cuda"}) -> (tensor<2x2xf32>, tensor<2x2xf32>)
    attributes {amp.entry = [#amp.entry<device = "cpu", dtype = bf16, state = on>, #amp.entry<device = "cuda", dtype = f16, state = on>]} {
  %0 = "aten.mm"(%a, %a) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = "aten.mm"(%b, %b) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0, %1 : tensor<2x2xf32>, tensor<2x2xf32>
}
// CHECK-LABEL: func.func @case_40_cpu
// CHECK:         "aten.mm"({{.*}}) : (tensor<2x2xbf16>, tensor<2x2xbf16>) -> tensor<2x2xbf16>
// CHECK:         "aten.mm"({{.*}}) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
func.func @case_40_cpu(%a: tensor<2x2xf32> {amp.device = "cpu"}, %b: tensor<2x2xf32> {amp.device = "cuda"}) -> (tensor<2x2xf32>, tensor<2x2xf32>)
    attributes {amp.entry = #amp.entry<device = "cpu", dtype = bf16, state = on>} {
  %0 = "aten.mm"(%a, %a) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = "aten.mm"(%b, %b) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0, %1 : tensor<2x2xf32>, tensor<2x2xf32>
}
// CHECK-LABEL: func.func @case_40_cuda
// CHECK:         "aten.mm"({{.*}}) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
// CHECK:         "aten.mm"({{.*}}) : (tensor<2x2xf16>, tensor<2x2xf16>) -> tensor<2x2xf16>
func.func @case_40_cuda(%a: tensor<2x2xf32> {amp.device = "cpu"}, %b: tensor<2x2xf32> {amp.device = "cuda"}) -> (tensor<2x2xf32>, tensor<2x2xf32>)
    attributes {amp.entry = #amp.entry<device = "cuda", dtype = f16, state = on>} {
  %0 = "aten.mm"(%a, %a) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = "aten.mm"(%b, %b) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0, %1 : tensor<2x2xf32>, tensor<2x2xf32>
}
// CHECK-LABEL: func.func @case_40_none
// CHECK-NOT:     amp.cast
// CHECK:         "aten.mm"({{.*}}) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
// CHECK:         "aten.mm"({{.*}}) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
// CHECK-NOT:     amp.cast
// CHECK:         return
func.func @case_40_none(%a: tensor<2x2xf32> {amp.device = "cpu"}, %b: tensor<2x2xf32> {amp.device = "cuda"}) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
  %0 = "aten.mm"(%a, %a) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = "aten.mm"(%b, %b) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0, %1 : tensor<2x2xf32>, tensor<2x2xf32>
}

// -----

// Case 44: a call through an interface before R(on), and one in R(off) => no
// error.
// CHECK-LABEL: func.func @case_44
// CHECK:         call_indirect
// CHECK:         "aten.mm"({{.*}}) : (tensor<2x2xf16>, tensor<2x2xf16>) -> tensor<2x2xf16>
// CHECK:         call_indirect
func.func @case_44(%f: (tensor<2x2xf32>) -> tensor<2x2xf32>, %a: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
  %on = amp.config device("cuda") dtype(f16)
  %off = amp.config device("cuda") dtype(f16) disabled
  %0 = call_indirect %f(%a) : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %t = amp.enter %on
  %1 = "aten.mm"(%0, %a) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  amp.exit %t
  %u = amp.enter %off
  %2 = call_indirect %f(%a) : (tensor<2x2xf32>) -> tensor<2x2xf32>
  amp.exit %u
  return %1, %2 : tensor<2x2xf32>, tensor<2x2xf32>
}

// -----

// Case 52: if is_autocast_cpu_enabled(): relu else sin; ambient R(cpu) and off
// => equals eager in both. Each state has its own answer.
// CHECK-LABEL: func.func @case_52_on
// CHECK:         "aten.relu"
// CHECK-NOT:     "aten.sin"
// CHECK-LABEL: func.func @case_52_off
// CHECK-NOT:     "aten.relu"
// CHECK:         "aten.sin"
// Case 53: is_autocast_enabled under ambient R(cpu) follows the cuda flag only.
// CHECK-LABEL: func.func @case_53
// CHECK:         return %false
func.func @case_52_on(%a: tensor<2x2xf32>) -> tensor<2x2xf32>
    attributes {amp.entry = #amp.entry<device = "cpu", dtype = bf16, state = on>, no_inline} {
  %c = amp.is_enabled device("cpu")
  "keep"() : () -> ()
  %0 = scf.if %c -> tensor<2x2xf32> {
    %1 = "aten.relu"(%a) : (tensor<2x2xf32>) -> tensor<2x2xf32>
    scf.yield %1 : tensor<2x2xf32>
  } else {
    %1 = "aten.sin"(%a) : (tensor<2x2xf32>) -> tensor<2x2xf32>
    scf.yield %1 : tensor<2x2xf32>
  }
  return %0 : tensor<2x2xf32>
}
func.func @case_52_off(%a: tensor<2x2xf32>) -> tensor<2x2xf32> attributes {no_inline} {
  %c = amp.is_enabled device("cpu")
  "keep"() : () -> ()
  %0 = scf.if %c -> tensor<2x2xf32> {
    %1 = "aten.relu"(%a) : (tensor<2x2xf32>) -> tensor<2x2xf32>
    scf.yield %1 : tensor<2x2xf32>
  } else {
    %1 = "aten.sin"(%a) : (tensor<2x2xf32>) -> tensor<2x2xf32>
    scf.yield %1 : tensor<2x2xf32>
  }
  return %0 : tensor<2x2xf32>
}
func.func @case_53() -> i1
    attributes {amp.entry = #amp.entry<device = "cpu", dtype = bf16, state = on>} {
  %c = amp.is_enabled device("cuda")
  return %c : i1
}

// -----

// Case 54: is_autocast_enabled before an enter is not moved past it. Case 55:
// b1, v1=mm; R(cpu,on){b2, v2; R(cpu,off){b3, v3}}, ambient off and on: each
// bool is true iff the matching mm is not f32.
// CHECK-LABEL: func.func @case_55_off
// CHECK:         "aten.mm"({{.*}}) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
// CHECK:         "first"(%false{{.*}})
// CHECK:         "aten.mm"({{.*}}) : (tensor<2x2xbf16>, tensor<2x2xbf16>) -> tensor<2x2xbf16>
// CHECK:         "second"(%true{{.*}})
// CHECK:         "aten.mm"({{.*}}) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
// CHECK:         "third"(%false{{.*}})
func.func @case_55_off(%a: tensor<2x2xf32>) {
  %cfg = amp.config device("cpu") dtype(bf16)
  %off = amp.config device("cpu") dtype(bf16) disabled
  %b1 = amp.is_enabled device("cpu")
  %v1 = "aten.mm"(%a, %a) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  "first"(%b1) : (i1) -> ()
  %t = amp.enter %cfg
  %b2 = amp.is_enabled device("cpu")
  %v2 = "aten.mm"(%a, %a) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  "second"(%b2) : (i1) -> ()
  %u = amp.enter %off
  %b3 = amp.is_enabled device("cpu")
  %v3 = "aten.mm"(%a, %a) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  "third"(%b3) : (i1) -> ()
  amp.exit %u
  amp.exit %t
  return
}

// CHECK-LABEL: func.func @case_55_on
// CHECK:         "aten.mm"({{.*}}) : (tensor<2x2xbf16>, tensor<2x2xbf16>) -> tensor<2x2xbf16>
// CHECK:         "first"(%true{{.*}})
// CHECK:         "aten.mm"({{.*}}) : (tensor<2x2xbf16>, tensor<2x2xbf16>) -> tensor<2x2xbf16>
// CHECK:         "second"(%true{{.*}})
// CHECK:         "aten.mm"({{.*}}) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
// CHECK:         "third"(%false{{.*}})
func.func @case_55_on(%a: tensor<2x2xf32>)
    attributes {amp.entry = #amp.entry<device = "cpu", dtype = bf16, state = on>} {
  %cfg = amp.config device("cpu") dtype(bf16)
  %off = amp.config device("cpu") dtype(bf16) disabled
  %b1 = amp.is_enabled device("cpu")
  %v1 = "aten.mm"(%a, %a) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  "first"(%b1) : (i1) -> ()
  %t = amp.enter %cfg
  %b2 = amp.is_enabled device("cpu")
  %v2 = "aten.mm"(%a, %a) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  "second"(%b2) : (i1) -> ()
  %u = amp.enter %off
  %b3 = amp.is_enabled device("cpu")
  %v3 = "aten.mm"(%a, %a) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  "third"(%b3) : (i1) -> ()
  amp.exit %u
  amp.exit %t
  return
}
