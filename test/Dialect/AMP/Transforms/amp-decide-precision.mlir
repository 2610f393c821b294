// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file --amp-decide-precision | FileCheck %s
//
// Deciding again gives the same decisions.
// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file --amp-decide-precision > %t.once
// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file --amp-decide-precision --amp-decide-precision > %t.twice
// RUN: diff %t.once %t.twice
//
// Every decision is a remark.
// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file --amp-decide-precision --remarks-filter=amp 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

// One line for each policy and reason; types do not change yet.
// CHECK-LABEL: func.func @policies
// REMARK: remark: [Analysis] Decision | Category:amp:precision | Entry=@torch_cuda, From="(f32, f32)", Op=aten.mm, Policy=lower_precision_fp, Reason=op_policy, Results=(f16), To="(f16, f16)"
func.func @policies(%a: tensor<4x4xf32>, %d: tensor<4x4xf64>, %i: tensor<4x4xi32>) {
  amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<4x4xf32>, %y = %d : tensor<4x4xf64>, %n = %i : tensor<4x4xi32>) {
    // CHECK: %[[MM:.*]] = "aten.mm"(%{{.*}}, %{{.*}}) {amp.decision = #amp.decision<lower_precision_fp, from (f32, f32), to (f16, f16), results (f16), compute(none), op_policy by @torch_cuda>} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %mm = "aten.mm"(%x, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    // CHECK: "aten.addcmul"({{.*}}) {amp.decision = #amp.decision<promote, from (f16, f32, f32), to (f32, f32, f32), results (f32), compute(none), op_policy by @torch_cuda>}
    %pr = "aten.addcmul"(%mm, %x, %x) : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    // CHECK: "aten.relu"({{.*}}) {amp.decision = #amp.decision<fallthrough, from (f16), to (f16), results (f16), compute(none), unlisted>}
    %re = "aten.relu"(%mm) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    // CHECK: "aten.softmax.int"({{.*}}) {amp.decision = #amp.decision<fp32_set_opt_dtype, from (f16), to (f16), results (f32), compute(none), op_policy by @torch_cuda>
    %so = "aten.softmax.int"(%mm) {dim = 1 : i64} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    // CHECK: "aten.norm.Scalar"({{.*}}) {amp.decision = #amp.decision<fp32_append_dtype, from (f16), to (f16), results (f32), compute(none), op_policy by @torch_cuda>}
    %no = "aten.norm.Scalar"(%mm) : (tensor<4x4xf32>) -> tensor<f32>
    // CHECK: "aten.mm"({{.*}}) {amp.decision = #amp.decision<lower_precision_fp, from (f64, f64), to (f64, f64), results (f64), compute(none), f64_operand by @torch_cuda>}
    %dd = "aten.mm"(%y, %y) : (tensor<4x4xf64>, tensor<4x4xf64>) -> tensor<4x4xf64>
    // CHECK: "aten.mm"(%{{.*}}, %{{.*}}) : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi32>
    %ii = "aten.mm"(%n, %n) : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi32>
    // CHECK: "my.op"({{.*}}) {amp.decision = #amp.decision<keep, from (f16), to (f32), results (f32), compute(none), unknown_op>}
    %uk = "my.op"(%mm) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    // CHECK: math.exp {{.*}} {amp.decision = #amp.decision<fp32, from (f16), to (f32), results (f32), compute(f32), op_policy by @torch_cuda>}
    %ex = math.exp %mm : tensor<4x4xf32>
    // CHECK: arith.addf {{.*}} {amp.decision = #amp.decision<fallthrough, from (f16, f32), to (f32, f32), results (f32), compute(f32), unlisted>}
    %ad = arith.addf %mm, %x : tensor<4x4xf32>
    // CHECK: arith.truncf {{.*}} {amp.decision = #amp.decision<keep, from (f16), to (f16), results (bf16), compute(none), explicit_cast>}
    %tr = arith.truncf %mm : tensor<4x4xf32> to tensor<4x4xbf16>
    // CHECK: arith.constant {amp.decision = #amp.decision<keep, from (), to (), results (f32), compute(none), generator>}
    %co = arith.constant dense<1.0> : tensor<4x4xf32>
    // CHECK: tensor.extract_slice {{.*}} {amp.decision = #amp.decision<follow, from (f16), to (f16), results (f16), compute(f32), class_policy>}
    %sl = tensor.extract_slice %mm[0, 0] [2, 2] [1, 1] : tensor<4x4xf32> to tensor<2x2xf32>
    amp.yield
  }
  return
}

// -----

// A generic op is judged by its payload, and by its class.
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
// CHECK-LABEL: func.func @payloads
func.func @payloads(%a: tensor<4x4xf16>, %init: tensor<4xf16>) {
  amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<4x4xf16>, %v = %init : tensor<4xf16>) {
    %e = tensor.empty() : tensor<4x4xf16>
    // CHECK: linalg.generic {{.*}}ins(%{{.*}} : tensor<4x4xf16>) outs(%{{.*}} : tensor<4x4xf16>) attrs = {amp.decision = #amp.decision<fp32, from (f16, f16), to (f32, f32), results (f32), compute(f32), payload_policy by @torch_cuda>}
    %ex = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x4xf16>) outs(%e : tensor<4x4xf16>) {
    ^bb0(%in: f16, %out: f16):
      %1 = math.exp %in : f16
      linalg.yield %1 : f16
    } -> tensor<4x4xf16>
    // CHECK: linalg.generic {{.*}} attrs = {amp.decision = #amp.decision<fp32_set_opt_dtype, from (f16, f16), to (f16, f32), results (f32), compute(f32), class_policy by @torch_cuda>}
    %su = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x4xf16>) outs(%v : tensor<4xf16>) {
    ^bb0(%in: f16, %out: f16):
      %1 = arith.addf %in, %out : f16
      linalg.yield %1 : f16
    } -> tensor<4xf16>
    // CHECK: linalg.generic {{.*}} attrs = {amp.decision = #amp.decision<fallthrough, from (f16, f16), to (f16, f16), results (f16), compute(none), unlisted>}
    %ma = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x4xf16>) outs(%v : tensor<4xf16>) {
    ^bb0(%in: f16, %out: f16):
      %1 = arith.maximumf %in, %out : f16
      linalg.yield %1 : f16
    } -> tensor<4xf16>
    amp.yield
  }
  return
}

// -----

// A type that the program asks for holds: a contraction with an f32 result of
// f16 operands keeps it.
// CHECK-LABEL: func.func @explicit_type
func.func @explicit_type(%a: tensor<4x4xf16>, %init: tensor<4x4xf32>) {
  amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<4x4xf16>, %i = %init : tensor<4x4xf32>) {
    // CHECK: linalg.matmul {amp.decision = #amp.decision<lower_precision_fp, from (f16, f16, f32), to (f16, f16, f32), results (f32), compute(f32), explicit_dtype by @torch_cuda>}
    %mm = linalg.matmul ins(%x, %x : tensor<4x4xf16>, tensor<4x4xf16>) outs(%i : tensor<4x4xf32>) -> tensor<4x4xf32>
    amp.yield
  }
  return
}

// -----

// In a disabled scope ops take what arrives; outside only what changes is
// decided.
// CHECK-LABEL: func.func @outside
// REMARK: Op=math.tanh, Policy=fallthrough, Reason=outside_scope
func.func @outside(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = amp.autocast device("cuda") dtype(f16) results(propagate) (%x = %a : tensor<4x4xf32>) -> tensor<4x4xf32> {
    %mm = "aten.mm"(%x, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %1 = amp.autocast device("cuda") dtype(f16) disabled results(propagate) (%y = %mm : tensor<4x4xf32>) -> tensor<4x4xf32> {
      // CHECK: "aten.relu"({{.*}}) {amp.decision = #amp.decision<fallthrough, from (f16), to (f16), results (f16), compute(none), scope_disabled>}
      %re = "aten.relu"(%y) : (tensor<4x4xf32>) -> tensor<4x4xf32>
      amp.yield %re : tensor<4x4xf32>
    }
    amp.yield %1 : tensor<4x4xf32>
  }
  // CHECK: math.tanh {{.*}} {amp.decision = #amp.decision<fallthrough, from (f16), to (f16), results (f16), compute(f32), outside_scope>}
  %2 = math.tanh %0 : tensor<4x4xf32>
  // CHECK: math.tanh %{{.*}} : tensor<4x4xf32>
  %3 = math.tanh %a : tensor<4x4xf32>
  // CHECK: return {amp.decision = #amp.decision<keep, from (f16), to (f32), results (), compute(none), boundary>}
  return %2 : tensor<4x4xf32>
}

// -----

// Loops: a value carried around widens to what meets in it, to a fixpoint over
// two values that depend on each other.
// CHECK-LABEL: func.func @fixpoint
func.func @fixpoint(%a: tensor<4x4xf16>, %b: tensor<4x4xf16>, %n: index, %zero: index, %one: index) {
  amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<4x4xf16>, %y = %b : tensor<4x4xf16>, %l = %zero : index, %m = %n : index, %o = %one : index) {
    // CHECK: } {amp.decision = #amp.decision<keep, from (none, none, none, f16, f16), to (none, none, none, f32, f32), results (f32, f32), compute(none), control_flow>}
    %r:2 = scf.for %i = %l to %m step %o iter_args(%p = %x, %q = %y) -> (tensor<4x4xf16>, tensor<4x4xf16>) {
      %e = math.exp %q : tensor<4x4xf16>
      scf.yield %q, %e : tensor<4x4xf16>, tensor<4x4xf16>
    }
    amp.yield
  }
  return
}

// -----

// The types of a while loop's two regions, and of blocks.
// CHECK-LABEL: func.func @while_loop
func.func @while_loop(%a: tensor<4x4xf32>, %c: i1) {
  amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<4x4xf32>, %flag = %c : i1) {
    // CHECK: scf.condition(%{{.*}}) {amp.decision = #amp.decision<keep, from (none, f16), to (none, f16), results (), compute(none), control_flow>}
    // CHECK: scf.yield {amp.decision = #amp.decision<keep, from (f16), to (f32), results (), compute(none), control_flow>}
    %r = scf.while (%p = %x) : (tensor<4x4xf32>) -> tensor<4x4xf32> {
      %mm = "aten.mm"(%p, %p) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
      scf.condition(%flag) %mm : tensor<4x4xf32>
    } do {
    ^bb0(%q: tensor<4x4xf32>):
      scf.yield %q : tensor<4x4xf32>
    }
    amp.yield
  }
  return
}

// -----

// Floats that amp does not store are none of its business.
// CHECK-LABEL: func.func @other_floats
func.func @other_floats(%a: tensor<4x4xf128>, %b: tensor<4xf4E2M1FN>, %c: tensor<4xcomplex<f32>>) {
  amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<4x4xf128>, %y = %b : tensor<4xf4E2M1FN>, %z = %c : tensor<4xcomplex<f32>>) {
    // CHECK: math.exp %{{.*}} : tensor<4x4xf128>
    %0 = math.exp %x : tensor<4x4xf128>
    // CHECK: "aten.mm"(%{{.*}}, %{{.*}}) : (tensor<4x4xf128>, tensor<4x4xf128>) -> tensor<4x4xf128>
    %1 = "aten.mm"(%x, %x) : (tensor<4x4xf128>, tensor<4x4xf128>) -> tensor<4x4xf128>
    // CHECK: "aten.relu"(%{{.*}}) : (tensor<4xf4E2M1FN>) -> tensor<4xf4E2M1FN>
    %2 = "aten.relu"(%y) : (tensor<4xf4E2M1FN>) -> tensor<4xf4E2M1FN>
    // CHECK: "aten.exp"(%{{.*}}) : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
    %3 = "aten.exp"(%z) : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
    amp.yield
  }
  return
}

// -----

// A maximum over f16 that starts from f32 data is f32; one that starts from a
// constant stays f16.
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
// CHECK-LABEL: func.func @running_maximum
func.func @running_maximum(%a: tensor<4x4xf32>, %so_far: tensor<4xf32>) {
  amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<4x4xf32>, %v = %so_far : tensor<4xf32>) {
    %mm = "aten.mm"(%x, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    // CHECK: linalg.generic {{.*}} attrs = {amp.decision = #amp.decision<fallthrough, from (f16, f32), to (f16, f32), results (f32), compute(f32), unlisted>}
    %ma = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%mm : tensor<4x4xf32>) outs(%v : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1 = arith.maximumf %in, %out : f32
      linalg.yield %1 : f32
    } -> tensor<4xf32>
    %low = arith.constant dense<0xFF800000> : tensor<4xf32>
    // CHECK: linalg.generic {{.*}} attrs = {amp.decision = #amp.decision<fallthrough, from (f16, f32), to (f16, f16), results (f16), compute(f16), unlisted>}
    %mb = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%mm : tensor<4x4xf32>) outs(%low : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1 = arith.maximumf %in, %out : f32
      linalg.yield %1 : f32
    } -> tensor<4xf32>
    amp.yield
  }
  return
}
