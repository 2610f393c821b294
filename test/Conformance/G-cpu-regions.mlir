// Section G: what is an error without 'strict' too, and nested regions.
//
// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics \
// RUN:   --amp-decide-precision --amp-apply-precision | FileCheck %s

// 343. mm(f32,f32,out=bf16) => error: expected out dtype float
func.func @case_343(%a: tensor<4x4xf32>, %b: tensor<4x4xbf16>) {
  amp.autocast device("cpu") dtype(bf16) (%x = %a : tensor<4x4xf32>, %y = %b : tensor<4x4xbf16>) {
    // expected-error@+1 {{'aten.mm.out' computes 'f32', which cannot be written to a tensor of 'bf16' (its operand 'out')}}
    %0 = "aten.mm.out"(%x, %x, %y) : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xbf16>) -> tensor<4x4xbf16>
    amp.yield
  }
  return
}

// -----

// 345. R(off) inside: mm(f32,f32) f32
// CHECK-LABEL: func.func @case_345(
func.func @case_345(%a: tensor<4x4xf32>) {
  amp.autocast device("cpu") dtype(bf16) (%x = %a : tensor<4x4xf32>) {
    // CHECK: "aten.mm"({{.*}}) : (tensor<4x4xbf16>, tensor<4x4xbf16>) -> tensor<4x4xbf16>
    %0 = "aten.mm"(%x, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    amp.autocast device("cpu") dtype(bf16) disabled (%z = %x : tensor<4x4xf32>) {
      // CHECK: "aten.mm"({{.*}}) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
      %1 = "aten.mm"(%z, %z) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
      amp.yield
    }
    amp.yield
  }
  return
}

// -----

// 347. same autocast instance entered twice => after both exits autocast must be off (eager 2.6: stays on - bug)
// CHECK-LABEL: func.func @case_347(
func.func @case_347(%a: tensor<4x4xf32>) {
  amp.autocast device("cpu") dtype(bf16) (%x = %a : tensor<4x4xf32>) {
    amp.autocast device("cpu") dtype(bf16) (%y = %x : tensor<4x4xf32>) {
      // CHECK: "aten.mm"({{.*}}) : (tensor<4x4xbf16>, tensor<4x4xbf16>) -> tensor<4x4xbf16>
      %0 = "aten.mm"(%y, %y) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
      amp.yield
    }
    // CHECK: "aten.mm"({{.*}}) : (tensor<4x4xbf16>, tensor<4x4xbf16>) -> tensor<4x4xbf16>
    %1 = "aten.mm"(%x, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    amp.yield
  }
  // CHECK: "aten.mm"({{.*}}) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = "aten.mm"(%a, %a) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}
