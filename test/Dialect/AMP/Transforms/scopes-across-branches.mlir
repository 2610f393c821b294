// Pairs that scf.if and scf.index_switch stand between, where entry and exit
// match on every path.
//
// RUN: amp-opt %s --allow-unregistered-dialect --amp-structurize-scopes --verify-each | FileCheck %s
//
// A second run changes nothing.
// RUN: amp-opt %s --allow-unregistered-dialect --amp-structurize-scopes > %t.once
// RUN: amp-opt %t.once --allow-unregistered-dialect --amp-structurize-scopes | diff %t.once -
//
// RUN: amp-opt %s --allow-unregistered-dialect --amp-autocast | FileCheck %s --check-prefix=APPLIED
// APPLIED-NOT: amp.autocast
// APPLIED-NOT: amp.enter

// Closed at the end of both branches: the whole branch is inside.
// CHECK-LABEL: func.func @closed_at_ends
// CHECK:         %[[S:.*]] = amp.autocast device("cuda") dtype(f16)
// CHECK:           "aten.mm"
// CHECK:           %[[IF:.*]] = scf.if
// CHECK:             "first"
// CHECK:           } else {
// CHECK:             "second"
// CHECK:           }
// CHECK:           amp.yield %[[IF]]
// CHECK:         }
// CHECK-NEXT:    return %[[S]]
// APPLIED-LABEL: func.func @closed_at_ends
// APPLIED:         "aten.mm"({{.*}}) : (tensor<8x8xf16>, tensor<8x8xf16>) -> tensor<8x8xf16>
func.func @closed_at_ends(%a: tensor<8x8xf32>, %c: i1) -> tensor<8x8xf32> {
  %cfg = amp.config device("cuda") dtype(f16)
  %t = amp.enter %cfg
  %m = "aten.mm"(%a, %a) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %r = scf.if %c -> tensor<8x8xf32> {
    "first"() : () -> ()
    amp.exit %t
    scf.yield %m : tensor<8x8xf32>
  } else {
    "second"() : () -> ()
    amp.exit %t
    scf.yield %a : tensor<8x8xf32>
  }
  return %r : tensor<8x8xf32>
}

// What the branches do behind the end is a branch of its own, outside. A value
// that one branch takes across leaves the first.
// CHECK-LABEL: func.func @closed_inside
// CHECK-SAME:    %[[C:[^:]*]]: i1
// CHECK:         %[[S:.*]]:2 = amp.autocast
// CHECK:           %[[HEAD:.*]]:2 = scf.if
// CHECK:             %[[IN:.*]] = "aten.mm"
// CHECK:             %[[NONE:.*]] = ub.poison : tensor<8x8xf32>
// CHECK:             scf.yield %[[IN]], %[[NONE]]
// CHECK:           } else {
// CHECK:             %[[ELSE:.*]] = "aten.relu"
// CHECK:             %[[NONE:.*]] = ub.poison : tensor<8x8xf32>
// CHECK:             scf.yield %[[NONE]], %[[ELSE]]
// CHECK:           amp.yield
// CHECK:         %[[TAIL:.*]] = scf.if %[[C]]
// CHECK:           %[[OUT:.*]] = "aten.mm"(%[[S]]#0, %[[S]]#0)
// CHECK:           scf.yield %[[OUT]]
// CHECK:         } else {
// CHECK:           scf.yield %[[S]]#1
// CHECK:         return %[[TAIL]]
// APPLIED-LABEL: func.func @closed_inside
// APPLIED:         "aten.mm"({{.*}}) : (tensor<8x8xf16>, tensor<8x8xf16>) -> tensor<8x8xf16>
// APPLIED:         "aten.mm"({{.*}}) : (tensor<8x8xf16>, tensor<8x8xf16>) -> tensor<8x8xf16>
func.func @closed_inside(%a: tensor<8x8xf32>, %c: i1) -> tensor<8x8xf32> {
  %cfg = amp.config device("cuda") dtype(f16)
  %t = amp.enter %cfg
  %r = scf.if %c -> tensor<8x8xf32> {
    %0 = "aten.mm"(%a, %a) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    amp.exit %t
    %1 = "aten.mm"(%0, %0) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    scf.yield %1 : tensor<8x8xf32>
  } else {
    %0 = "aten.relu"(%a) : (tensor<8x8xf32>) -> tensor<8x8xf32>
    amp.exit %t
    "behind"() : () -> ()
    scf.yield %0 : tensor<8x8xf32>
  }
  return %r : tensor<8x8xf32>
}

// Two scopes, closed in order in each branch of a switch, one of them with a
// branch of its own.
// CHECK-LABEL: func.func @two_in_a_switch
// CHECK:         amp.autocast device("cuda") dtype(f16)
// CHECK:           amp.autocast device("cuda") dtype(bf16)
// CHECK:             scf.index_switch
// CHECK:             case 1 {
// CHECK:               scf.if
// CHECK:             default {
// CHECK:               "inner"
// CHECK:           scf.index_switch
// CHECK:             default {
// CHECK:               "outer"
// CHECK-NOT:     scf.index_switch
// CHECK:         return
func.func @two_in_a_switch(%i: index, %c: i1) {
  %cfg = amp.config device("cuda") dtype(f16)
  %other = amp.config device("cuda") dtype(bf16)
  %t = amp.enter %cfg
  %u = amp.enter %other
  scf.index_switch %i
  case 1 {
    scf.if %c {
      "one"() : () -> ()
      amp.exit %u
    } else {
      amp.exit %u
    }
    amp.exit %t
    scf.yield
  }
  default {
    "inner"() : () -> ()
    amp.exit %u
    "outer"() : () -> ()
    amp.exit %t
  }
  return
}

// Opened in both branches and closed behind them: what comes before is outside.
// CHECK-LABEL: func.func @opened_inside
// CHECK:         %[[HEAD:.*]]:2 = scf.if
// CHECK:           "outside"
// CHECK:           scf.yield %{{.*}}, %{{.*}} : tensor<8x8xf32>, tensor<8x8xf32>
// CHECK:         amp.autocast device("cuda") dtype(f16)
// CHECK:           scf.if
// CHECK:             "aten.mm"
// CHECK:           } else {
// CHECK:             "aten.relu"
// CHECK:           "aten.mm"
// CHECK:         return
// APPLIED-LABEL: func.func @opened_inside
// APPLIED-COUNT-2: "aten.mm"({{.*}}) : (tensor<8x8xf16>, tensor<8x8xf16>) -> tensor<8x8xf16>
func.func @opened_inside(%a: tensor<8x8xf32>, %c: i1) -> tensor<8x8xf32> {
  %cfg = amp.config device("cuda") dtype(f16)
  %t, %r = scf.if %c -> (!amp.token, tensor<8x8xf32>) {
    %0 = "outside"(%a) : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %t = amp.enter %cfg
    %1 = "aten.mm"(%0, %0) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    scf.yield %t, %1 : !amp.token, tensor<8x8xf32>
  } else {
    %0 = "aten.neg"(%a) : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %t = amp.enter %cfg
    %1 = "aten.relu"(%0) : (tensor<8x8xf32>) -> tensor<8x8xf32>
    scf.yield %t, %1 : !amp.token, tensor<8x8xf32>
  }
  %m = "aten.mm"(%r, %a) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  amp.exit %t
  return %m : tensor<8x8xf32>
}

// Configs that are made in the branches, and differ in whether they are on:
// a flag. Opened in one op, closed in another.
// CHECK-LABEL: func.func @flag_of_branches
// CHECK-SAME:    %[[C:[^:]*]]: i1, %[[F:[^:]*]]: i1
// CHECK:         %[[FLAG:.*]] = scf.if %[[C]] -> (i1) {
// CHECK:           %[[NOT:.*]] = arith.xori %[[F]]
// CHECK:           scf.yield %[[NOT]]
// CHECK:         } else {
// CHECK:           %[[OFF:.*]] = arith.constant false
// CHECK:           scf.yield %[[OFF]]
// CHECK:         amp.autocast device("cuda") dtype(f16) if %[[FLAG]]
// CHECK:           scf.if
// CHECK-NOT:     amp.config
// CHECK:         return
func.func @flag_of_branches(%c: i1, %f: i1) {
  %t = scf.if %c -> !amp.token {
    %true = arith.constant true
    %not = arith.xori %f, %true : i1
    %cfg = amp.config device("cuda") dtype(f16) if %not
    %t = amp.enter %cfg
    scf.yield %t : !amp.token
  } else {
    %cfg = amp.config device("cuda") dtype(bf16) disabled
    %t = amp.enter %cfg
    scf.yield %t : !amp.token
  }
  scf.if %f {
    "body"() : () -> ()
    amp.exit %t
  } else {
    amp.exit %t
  }
  return
}

// The config that a switch chooses.
// CHECK-LABEL: func.func @chosen_by_switch
// CHECK:         %[[FLAG:.*]] = scf.index_switch
// CHECK:         amp.autocast device("cuda") dtype(f16) if %[[FLAG]]
func.func @chosen_by_switch(%i: index) {
  %on = amp.config device("cuda") dtype(f16)
  %off = amp.config device("cuda") dtype(f16) disabled
  %cfg = scf.index_switch %i -> !amp.config
  case 0 {
    scf.yield %on : !amp.config
  }
  case 3 {
    scf.yield %on : !amp.config
  }
  default {
    scf.yield %off : !amp.config
  }
  %t = amp.enter %cfg
  "body"() : () -> ()
  amp.exit %t
  return
}

// Blocks around the branch.
// CHECK-LABEL: func.func @blocks
// CHECK:         amp.autocast device("cuda") dtype(f16)
// CHECK:           scf.if
// CHECK:             scf.if
// CHECK:         "behind"
// CHECK-NOT:     "behind"
// CHECK:         return
func.func @blocks(%a: tensor<8x8xf32>, %c: i1, %d: i1) {
  %cfg = amp.config device("cuda") dtype(f16)
  %t = amp.enter %cfg
  cf.cond_br %c, ^left, ^right
^left:
  scf.if %d {
    "left"() : () -> ()
    amp.exit %t
  } else {
    amp.exit %t
  }
  cf.br ^end
^right:
  amp.exit %t
  cf.br ^end
^end:
  "behind"() : () -> ()
  return
}
