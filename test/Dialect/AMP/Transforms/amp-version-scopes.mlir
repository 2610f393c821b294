// RUN: amp-opt %s --allow-unregistered-dialect --amp-version-scopes | FileCheck %s
// RUN: amp-opt %s --allow-unregistered-dialect --amp-version-scopes > %t.once
// RUN: amp-opt %t.once --allow-unregistered-dialect --amp-version-scopes | diff %t.once -
// RUN: amp-opt %s --allow-unregistered-dialect --amp-autocast | FileCheck %s --check-prefix=APPLIED
// RUN: amp-opt %s --allow-unregistered-dialect --amp-version-scopes --remarks-filter=amp --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK

// REMARK-DAG: remark: [Passed] Versioned | Category:amp:scopes | Device=cuda, Reason="the flag of the scope is known at run time only"
// REMARK-DAG: remark: [Passed] Merged | Category:amp:scopes | Device=cuda, Reason="nothing in the scope depends on its flag"

// Two versions; what propagates is the join of both.
// CHECK-LABEL: func.func @propagates
// CHECK-SAME:    %[[ON:[^:]*]]: i1
// CHECK:         %[[R:.*]] = scf.if %[[ON]] -> (tensor<4x4xf32>) {
// CHECK:           amp.autocast device("cuda") dtype(f16) results(propagate)
// CHECK:         } else {
// CHECK:           amp.autocast device("cuda") dtype(f16) disabled results(propagate)
// CHECK:         } {amp.versions}
// APPLIED-LABEL: func.func @propagates
// APPLIED:         scf.if %{{.*}} -> (tensor<4x4xf32>) {
// APPLIED:           %[[MM:.*]] = "aten.mm"(%{{.*}}, %{{.*}}) : (tensor<4x4xf16>, tensor<4x4xf16>) -> tensor<4x4xf16>
// APPLIED:           %[[W:.*]] = amp.cast %[[MM]] {{.*}} : tensor<4x4xf16> to tensor<4x4xf32>
// APPLIED:           scf.yield %[[W]]
// APPLIED:         } else {
// APPLIED:           "aten.mm"(%{{.*}}, %{{.*}}) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
func.func @propagates(%a: tensor<4x4xf32>, %on: i1) -> tensor<4x4xf32> {
  %0 = amp.autocast device("cuda") dtype(f16) if %on results(propagate) (%x = %a : tensor<4x4xf32>) -> tensor<4x4xf32> {
    %1 = "aten.mm"(%x, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    amp.yield %1 : tensor<4x4xf32>
  }
  return %0 : tensor<4x4xf32>
}

// f16 operands: both versions give f16, and so does the branch.
// APPLIED-LABEL: func.func @join_of_equals
// APPLIED:         %[[R:.*]]:2 = scf.if %{{.*}} -> (tensor<4x4xf16>, tensor<4x4xf32>) {
// APPLIED:         return %[[R]]#0 : tensor<4x4xf16>
func.func @join_of_equals(%a: tensor<4x4xf16>, %on: i1) -> tensor<4x4xf16> {
  %0:2 = amp.autocast device("cuda") dtype(f16) if %on results(propagate) (%x = %a : tensor<4x4xf16>) -> (tensor<4x4xf16>, tensor<4x4xf16>) {
    %1 = "aten.mm"(%x, %x) : (tensor<4x4xf16>, tensor<4x4xf16>) -> tensor<4x4xf16>
    %2 = "aten.exp"(%1) : (tensor<4x4xf16>) -> tensor<4x4xf16>
    amp.yield %1, %2 : tensor<4x4xf16>, tensor<4x4xf16>
  }
  return %0#0 : tensor<4x4xf16>
}

// The same flag inside folds, also as a capture; constant scopes inside that
// say what the version says dissolve.
// CHECK-LABEL: func.func @same_flag
// CHECK:         scf.if
// CHECK:           amp.autocast device("cuda") dtype(f16) results(propagate)
// CHECK-NEXT:        "first"
// CHECK-NEXT:        "second"
// CHECK-NEXT:        amp.autocast device("cuda") dtype(f16) disabled
// CHECK-NEXT:          "third"
// CHECK:           amp.autocast device("cpu") dtype(bf16)
// CHECK-NEXT:        "fourth"
// CHECK:         } else {
// CHECK:           amp.autocast device("cuda") dtype(f16) disabled results(propagate)
// CHECK-NEXT:        "first"
// CHECK-NEXT:        "second"
// CHECK-NEXT:        "third"
// CHECK:           amp.autocast device("cpu") dtype(bf16) disabled
// CHECK-NEXT:        "fourth"
// CHECK-NOT:     scf.if
// CHECK:         return
func.func @same_flag(%a: tensor<4xf32>, %on: i1) {
  amp.autocast device("cuda") dtype(f16) if %on results(propagate) (%x = %a : tensor<4xf32>, %f = %on : i1) {
    "first"(%x) : (tensor<4xf32>) -> ()
    amp.autocast device("cuda") dtype(f16) if %f results(propagate) (%y = %x : tensor<4xf32>) {
      "second"(%y) : (tensor<4xf32>) -> ()
      amp.yield
    }
    amp.autocast device("cuda") dtype(f16) disabled results(propagate) (%y = %x : tensor<4xf32>) {
      "third"(%y) : (tensor<4xf32>) -> ()
      amp.yield
    }
    amp.autocast device("cpu") dtype(bf16) if %f results(propagate) (%y = %x : tensor<4xf32>) {
      "fourth"(%y) : (tensor<4xf32>) -> ()
      amp.yield
    }
    amp.yield
  }
  return
}

// Nothing depends on the outer flag: one version.
// CHECK-LABEL: func.func @indifferent
// CHECK-NOT:     scf.if
// CHECK:         amp.autocast device("cuda") dtype(f16) disabled
// CHECK:           amp.autocast device("cuda") dtype(f16) (
// CHECK:         return
func.func @indifferent(%a: tensor<4x4xf32>, %i: tensor<4xi32>, %on: i1) -> (tensor<4x4xf32>, tensor<4xi32>) {
  %0:2 = amp.autocast device("cuda") dtype(f16) if %on (%x = %a : tensor<4x4xf32>, %j = %i : tensor<4xi32>) -> (tensor<4x4xf32>, tensor<4xi32>) {
    %1 = arith.addi %j, %j : tensor<4xi32>
    %2 = amp.autocast device("cuda") dtype(f16) (%y = %x : tensor<4x4xf32>) -> tensor<4x4xf32> {
      %3 = "aten.mm"(%y, %y) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
      amp.yield %3 : tensor<4x4xf32>
    }
    amp.yield %2, %1 : tensor<4x4xf32>, tensor<4xi32>
  }
  return %0#0, %0#1 : tensor<4x4xf32>, tensor<4xi32>
}

// Versions that come out equal are one again.
// CHECK-LABEL: func.func @equal_versions
// CHECK:         scf.if
// APPLIED-LABEL: func.func @equal_versions
// APPLIED-NOT:     scf.if
// APPLIED:         "aten.relu"
// APPLIED-NEXT:    return
func.func @equal_versions(%a: tensor<4x4xf32>, %on: i1) -> tensor<4x4xf32> {
  %0 = amp.autocast device("cuda") dtype(f16) if %on (%x = %a : tensor<4x4xf32>) -> tensor<4x4xf32> {
    %1 = "aten.relu"(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    amp.yield %1 : tensor<4x4xf32>
  }
  return %0 : tensor<4x4xf32>
}

// A constant flag needs no version, also where it is captured.
// CHECK-LABEL: func.func @constant_flag
// CHECK-NOT:     scf.if
// CHECK:         amp.autocast device("cuda") dtype(f16) (
// CHECK:           amp.autocast device("cuda") dtype(bf16) (
// CHECK:         return
func.func @constant_flag(%a: tensor<4xf32>) {
  %true = arith.constant true
  amp.autocast device("cuda") dtype(f16) if %true (%x = %a : tensor<4xf32>, %f = %true : i1) {
    "first"(%x) : (tensor<4xf32>) -> ()
    amp.autocast device("cuda") dtype(bf16) if %f (%y = %x : tensor<4xf32>) {
      "second"(%y) : (tensor<4xf32>) -> ()
      amp.yield
    }
    amp.yield
  }
  return
}

// The query of the state folds in each version.
// CHECK-LABEL: func.func @query
// CHECK:         scf.if
// CHECK:           %[[T:.*]] = arith.constant true
// CHECK:           "use"(%[[T]])
// CHECK:         } else {
// CHECK:           %[[F:.*]] = arith.constant false
// CHECK:           "use"(%[[F]])
func.func @query(%on: i1) {
  amp.autocast device("cuda") dtype(f16) if %on () {
    %0 = amp.is_enabled device("cuda")
    "use"(%0) : (i1) -> ()
    amp.yield
  }
  return
}

// A flag that the body computes, in a loop.
// CHECK-LABEL: func.func @in_loop
// CHECK:         scf.for
// CHECK:           %[[ON:.*]] = "cond"
// CHECK:           scf.if %[[ON]]
// CHECK:             amp.autocast
// APPLIED-LABEL: func.func @in_loop
// APPLIED:         scf.for {{.*}} -> (tensor<4x4xf32>)
func.func @in_loop(%a: tensor<4x4xf32>, %n: index) -> tensor<4x4xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %0 = scf.for %i = %zero to %n step %one iter_args(%it = %a) -> tensor<4x4xf32> {
    %on = "cond"(%i) : (index) -> i1
    %1 = amp.autocast device("cuda") dtype(f16) if %on results(propagate) (%x = %it : tensor<4x4xf32>) -> tensor<4x4xf32> {
      %2 = "aten.mm"(%x, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
      amp.yield %2 : tensor<4x4xf32>
    }
    scf.yield %1 : tensor<4x4xf32>
  }
  return %0 : tensor<4x4xf32>
}
