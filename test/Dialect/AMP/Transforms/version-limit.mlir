// Flags inside of each other: those that follow from others, and those beyond
// the limit.
//
// RUN: amp-opt %s --allow-unregistered-dialect --amp-version-scopes='limit=2 at-limit=split' | FileCheck %s
// RUN: amp-opt %s --allow-unregistered-dialect --amp-version-scopes='limit=2 at-limit=split' --remarks-filter=amp --remark-policy=all 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: amp-opt %s --allow-unregistered-dialect --amp-version-scopes='limit=2 at-limit=split' > %t.once
// RUN: amp-opt %t.once --allow-unregistered-dialect --amp-version-scopes='limit=2 at-limit=split' | diff %t.once -
// RUN: amp-opt %s --allow-unregistered-dialect --amp-autocast='version-limit=2 at-version-limit=split' | FileCheck %s --check-prefix=APPLIED
//
// RUN: not amp-opt %s --allow-unregistered-dialect --amp-version-scopes='limit=2' 2>&1 | FileCheck %s --check-prefix=ERROR
// ERROR: [AMP-S020] this scope would need 4 versions, but the limit is 2
// RUN: not amp-opt %s --allow-unregistered-dialect --amp-version-scopes='at-limit=guess' 2>&1 | FileCheck %s --check-prefix=OPTION
// OPTION: error: [AMP-O001] amp-version-scopes: option 'at-limit' is 'guess', but expected 'error' or 'split'

// RUN: amp-opt %s --allow-unregistered-dialect --amp-version-scopes | FileCheck %s --check-prefix=IMPLIED

// REMARK-COUNT-2: remark: [Passed] Split | Category:amp:scopes | Device=cuda

// The outer scope is cut in two; the inner one stands between, in two versions
// rather than four. What crosses has the join of the types of the versions, and
// what the outer scope preserves it still does.
// CHECK-LABEL: func.func @split
// CHECK-SAME:    %[[A:[^:]*]]: tensor<8x8xf32>, %[[F:[^:]*]]: i1, %[[G:[^:]*]]: i1
// CHECK:         %[[FIRST:.*]] = scf.if %[[F]]
// CHECK:           amp.autocast device("cuda") dtype(f16) results(propagate) (
// CHECK-NEXT:        "aten.mm"
// CHECK:         } else {
// CHECK:           amp.autocast device("cuda") dtype(f16) disabled results(propagate) (
// CHECK:         %[[INNER:.*]] = scf.if %[[G]]
// CHECK:           amp.autocast device("cuda") dtype(bf16) results(propagate) (%{{.*}} = %[[FIRST]]
// CHECK-NEXT:        "aten.mm"
// CHECK:         } else {
// CHECK:           amp.autocast device("cuda") dtype(bf16) disabled results(propagate)
// CHECK:         %[[LAST:.*]]:2 = scf.if %[[F]]
// CHECK:           amp.autocast device("cuda") dtype(f16) (
// CHECK-NEXT:        "aten.mm"
// CHECK:         return %[[LAST]]#0, %[[LAST]]#1
// APPLIED-LABEL: func.func @split
// APPLIED:         "aten.mm"({{.*}}) : (tensor<8x8xf16>, tensor<8x8xf16>) -> tensor<8x8xf16>
// APPLIED:         "aten.mm"({{.*}}) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
// APPLIED:         "aten.mm"({{.*}}) : (tensor<8x8xbf16>, tensor<8x8xbf16>) -> tensor<8x8xbf16>
// APPLIED:         "aten.mm"({{.*}}) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
// APPLIED:         "aten.mm"({{.*}}) : (tensor<8x8xf16>, tensor<8x8xf16>) -> tensor<8x8xf16>
// APPLIED:         "aten.mm"({{.*}}) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
// APPLIED-NOT:     "aten.mm"
func.func @split(%a: tensor<8x8xf32>, %f: i1, %g: i1) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %r:2 = amp.autocast device("cuda") dtype(f16) if %f (%x = %a : tensor<8x8xf32>, %gi = %g : i1) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
    %0 = "aten.mm"(%x, %x) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %1 = amp.autocast device("cuda") dtype(bf16) if %gi results(propagate) (%y = %0 : tensor<8x8xf32>) -> tensor<8x8xf32> {
      %2 = "aten.mm"(%y, %y) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
      amp.yield %2 : tensor<8x8xf32>
    }
    %3 = "aten.mm"(%1, %0) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    amp.yield %3, %1 : tensor<8x8xf32>, tensor<8x8xf32>
  }
  return %r#0, %r#1 : tensor<8x8xf32>, tensor<8x8xf32>
}

// A flag that is computed inside, and two scopes one after the other.
// CHECK-LABEL: func.func @computed
// CHECK-COUNT-2: scf.if %
// CHECK-NOT:     scf.if
// CHECK:         return
func.func @computed(%f: i1) {
  amp.autocast device("cuda") dtype(f16) if %f () {
    %g = "flag"() : () -> i1
    amp.autocast device("cuda") dtype(f16) if %g () {
      "op"() {value = 1.0 : f32} : () -> f32
      amp.yield
    }
    "op"() : () -> f32
    amp.yield
  }
  return
}

// What follows of the outer flag makes no versions: its negation, and a flag
// that is off where the outer one is.
// IMPLIED-LABEL: func.func @implied
// IMPLIED-SAME:    %[[F:[^:]*]]: i1
// IMPLIED:         scf.if %[[F]] {
// IMPLIED-NEXT:      amp.autocast device("cuda") dtype(f16)
// IMPLIED:             amp.autocast device("cuda") dtype(bf16) disabled
// IMPLIED-NEXT:          "first"
// IMPLIED:             scf.if
// IMPLIED:               "second"
// IMPLIED:             } else {
// IMPLIED:               "second"
// IMPLIED:         } else {
// IMPLIED-NEXT:      amp.autocast device("cuda") dtype(f16) disabled
// IMPLIED-NOT:       scf.if
// IMPLIED:             amp.autocast device("cuda") dtype(bf16) (
// IMPLIED-NEXT:          "first"
// IMPLIED-NOT:       scf.if
// IMPLIED:             "second"
// IMPLIED:         return
func.func @implied(%f: i1, %g: i1) {
  %both = arith.andi %f, %g : i1
  amp.autocast device("cuda") dtype(f16) if %f (%fi = %f : i1, %b = %both : i1) {
    "op"() : () -> f32
    %true = arith.constant true
    %not = arith.xori %fi, %true : i1
    amp.autocast device("cuda") dtype(bf16) if %not () {
      "first"() : () -> f32
      amp.yield
    }
    amp.autocast device("cuda") dtype(bf16) if %b () {
      "second"() : () -> f32
      amp.yield
    }
    amp.yield
  }
  return
}
