// RUN: amp-opt %s --allow-unregistered-dialect --amp-structurize-scopes | FileCheck %s
// RUN: amp-opt %s --allow-unregistered-dialect --amp-structurize-scopes='results=preserve' | FileCheck %s --check-prefix=PRESERVE
//
// A second run changes nothing.
// RUN: amp-opt %s --allow-unregistered-dialect --amp-structurize-scopes > %t.once
// RUN: amp-opt %t.once --allow-unregistered-dialect --amp-structurize-scopes | diff %t.once -
//
// Every form works in the whole pipeline.
// RUN: amp-opt %s --allow-unregistered-dialect --amp-autocast | FileCheck %s --check-prefix=APPLIED
// APPLIED-NOT: amp.autocast
// APPLIED-NOT: amp.enter

// What is used inside is an operand, a constant is copied, and what is used
// behind leaves. Values of the scope only do not.
// CHECK-LABEL: func.func @pair
// CHECK-SAME:    (%[[A:[^:]*]]: tensor<4x4xf32>
// CHECK:         %[[R:.*]] = amp.autocast device("cuda") dtype(f16) results(propagate) (%[[X:.*]] = %[[A]] : tensor<4x4xf32>) -> tensor<4x4xf32> {
// CHECK:           %[[C:.*]] = arith.constant 2.000000e+00 : f32
// CHECK:           %[[E:.*]] = "aten.mm"(%[[X]], %[[X]])
// CHECK:           %[[F:.*]] = "aten.mul"(%[[E]], %[[C]])
// CHECK:           amp.yield %[[F]] : tensor<4x4xf32>
// CHECK:         }
// CHECK:         return %[[R]]
// PRESERVE-LABEL: func.func @pair
// PRESERVE:         amp.autocast device("cuda") dtype(f16) (
func.func @pair(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %two = arith.constant 2.0 : f32
  %cfg = amp.config device("cuda") dtype(f16)
  %t = amp.enter %cfg
  %e = "aten.mm"(%a, %a) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %f = "aten.mul"(%e, %two) : (tensor<4x4xf32>, f32) -> tensor<4x4xf32>
  amp.exit %t
  return %f : tensor<4x4xf32>
}

// One config, entered again inside its own scope and once more behind. The
// innermost scope that is off answers is_enabled; outside nobody does.
// CHECK-LABEL: func.func @entered_again
// CHECK:         amp.autocast device("cuda") dtype(f16)
// CHECK:           %[[ON:.*]] = arith.constant true
// CHECK:           "first"(%[[ON]])
// CHECK:           amp.autocast device("cuda") dtype(f16)
// CHECK:             amp.autocast device("cuda") dtype(bf16) disabled
// CHECK:               %[[OFF:.*]] = arith.constant false
// CHECK:               "second"(%[[OFF]])
// CHECK:             %[[BACK:.*]] = arith.constant true
// CHECK:             "third"(%[[BACK]])
// CHECK:         amp.autocast device("cuda") dtype(f16)
// CHECK:           "fourth"
// CHECK:         %[[OUT:.*]] = amp.is_enabled device("cuda")
// CHECK:         "fifth"(%[[OUT]])
func.func @entered_again() {
  %cfg = amp.config device("cuda") dtype(f16)
  %off = amp.config device("cuda") dtype(bf16) disabled
  %t0 = amp.enter %cfg
  %0 = amp.is_enabled device("cuda")
  "first"(%0) : (i1) -> ()
  %t1 = amp.enter %cfg
  %t2 = amp.enter %off
  %1 = amp.is_enabled device("cuda")
  "second"(%1) : (i1) -> ()
  amp.exit %t2
  %2 = amp.is_enabled device("cuda")
  "third"(%2) : (i1) -> ()
  amp.exit %t1
  amp.exit %t0
  %t3 = amp.enter %cfg
  "fourth"() : () -> ()
  amp.exit %t3
  %4 = amp.is_enabled device("cuda")
  "fifth"(%4) : (i1) -> ()
  return
}

// A pair around a loop, and one inside of the body.
// CHECK-LABEL: func.func @loops
// CHECK:         amp.autocast device("cuda") dtype(f16)
// CHECK:           scf.for
// CHECK:             amp.autocast device("cuda") dtype(f16) disabled
// CHECK:               "aten.mm"
// CHECK:             scf.yield
// CHECK:           amp.yield
func.func @loops(%a: tensor<4x4xf32>, %n: index) -> tensor<4x4xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %cfg = amp.config device("cuda") dtype(f16)
  %off = amp.config device("cuda") dtype(f16) disabled
  %t = amp.enter %cfg
  %r = scf.for %i = %zero to %n step %one iter_args(%x = %a) -> tensor<4x4xf32> {
    %u = amp.enter %off
    %e = "aten.mm"(%x, %a) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    amp.exit %u
    scf.yield %e : tensor<4x4xf32>
  }
  amp.exit %t
  return %r : tensor<4x4xf32>
}

// Blocks: one exit for each way out. What is behind an exit is outside, and the
// function is lifted.
// CHECK-LABEL: func.func @exits
// CHECK:         %[[S:.*]]:3 = amp.autocast device("cuda") dtype(f16) results(propagate) {{.*}} -> (tensor<4x4xf32>, tensor<4x4xf32>, i32) {
// CHECK:           %[[E:.*]] = "aten.mm"
// CHECK:           %[[B:.*]]:3 = scf.if
// CHECK:             ub.poison
// CHECK:             scf.yield %[[E]]
// CHECK:           } else {
// CHECK:             "aten.addmm"
// CHECK:           amp.yield
// CHECK:         }
// CHECK:         arith.index_castui %[[S]]#2
// CHECK:         %[[R:.*]] = scf.index_switch
// CHECK:           "aten.mm"
// CHECK:         return %[[R]]
func.func @exits(%a: tensor<4x4xf32>, %c: i1) -> tensor<4x4xf32> {
  %cfg = amp.config device("cuda") dtype(f16)
  %t = amp.enter %cfg
  %e = "aten.mm"(%a, %a) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  cf.cond_br %c, ^early, ^on
^early:
  amp.exit %t
  return %e : tensor<4x4xf32>
^on:
  %f = "aten.addmm"(%e, %a, %a) : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  amp.exit %t
  %g = "aten.mm"(%f, %a) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %g : tensor<4x4xf32>
}

// A scope around a loop of blocks, with a scope in its body whose block stands
// in front of the outer one's in the text.
// CHECK-LABEL: func.func @cf_loop
// CHECK:         amp.autocast device("cuda") dtype(f16)
// CHECK:           scf.while
// CHECK:             amp.autocast device("cuda") dtype(f16) disabled
// CHECK:               "aten.mm"
// CHECK:           amp.yield
// CHECK:         return
func.func @cf_loop(%a: tensor<4x4xf32>, %c: i1) -> tensor<4x4xf32> {
  %cfg = amp.config device("cuda") dtype(f16)
  %off = amp.config device("cuda") dtype(f16) disabled
  cf.br ^start
^body(%x: tensor<4x4xf32>):
  %u = amp.enter %off
  cf.br ^inner
^inner:
  %e = "aten.mm"(%x, %a) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  amp.exit %u
  cf.cond_br %c, ^body(%e : tensor<4x4xf32>), ^end
^start:
  %t = amp.enter %cfg
  cf.br ^body(%a : tensor<4x4xf32>)
^end:
  amp.exit %t
  return %e : tensor<4x4xf32>
}

// The decorator. What kept the function whole goes.
// CHECK-LABEL: func.func @decorated
// CHECK-NOT:     no_inline
// CHECK-NEXT:    %[[R:.*]] = amp.autocast device("cuda") dtype(bf16) results(propagate)
// CHECK:         return %[[R]]
func.func @decorated(%a: tensor<4x4xf32>) -> tensor<4x4xf32>
    attributes {amp.autocast = #amp.scope<device = "cuda", dtype = bf16>, no_inline} {
  %e = "aten.mm"(%a, %a) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %e : tensor<4x4xf32>
}

// Of a function with blocks.
// CHECK-LABEL: func.func @decorated_blocks
// CHECK:         amp.autocast device("cuda") dtype(f16) disabled
// CHECK:           scf.if
func.func @decorated_blocks(%a: tensor<4x4xf32>, %c: i1) -> tensor<4x4xf32>
    attributes {amp.autocast = #amp.scope<device = "cuda", dtype = f16, enabled = false>, no_inline} {
  cf.cond_br %c, ^one, ^two
^one:
  return %a : tensor<4x4xf32>
^two:
  %e = "aten.mm"(%a, %a) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %e : tensor<4x4xf32>
}

// A config that is chosen at run time between on and off is a flag; the dtype
// of the one that is off does not matter.
// CHECK-LABEL: func.func @chosen
// CHECK-SAME:    %[[C:[^:]*]]: i1
// CHECK:         amp.autocast device("cuda") dtype(f16) if %[[C]]
// CHECK:         %[[NOT:.*]] = scf.if %[[C]] -> (i1) {
// CHECK:         amp.autocast device("cuda") dtype(f16) if %[[NOT]]
func.func @chosen(%c: i1) {
  %on = amp.config device("cuda") dtype(f16)
  %off = amp.config device("cuda") dtype(bf16) disabled
  %cfg = arith.select %c, %on, %off : !amp.config
  %t = amp.enter %cfg
  "first"() : () -> ()
  amp.exit %t
  %other = scf.if %c -> !amp.config {
    scf.yield %off : !amp.config
  } else {
    scf.yield %on : !amp.config
  }
  %u = amp.enter %other
  "second"() : () -> ()
  amp.exit %u
  return
}

// Entry states are for callers outside of the module: inside, the copy without
// them is called.
// CHECK-LABEL: func.func @entry_on(%{{[^:]*}}: tensor<4x4xf32>) -> tensor<4x4xf32> {
// CHECK:         amp.autocast device("cuda") dtype(f16) results(propagate)
// CHECK:           "aten.mm"
// CHECK-LABEL: func.func private @entry_on_inner
// CHECK-NOT:     amp.autocast
// CHECK:         "aten.mm"
// CHECK-LABEL: func.func @calls_entry
// CHECK:         call @entry_on_inner
func.func @entry_on(%a: tensor<4x4xf32>) -> tensor<4x4xf32>
    attributes {amp.entry = #amp.entry<device = "cuda", dtype = f16, state = on>} {
  %e = "aten.mm"(%a, %a) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %e : tensor<4x4xf32>
}
func.func @calls_entry(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %e = call @entry_on(%a) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %e : tensor<4x4xf32>
}

// An unknown state of two devices: one is an argument, the other a query.
// CHECK-LABEL: func.func @entry_unknown
// CHECK-SAME:    %[[FLAG:[^:]*]]: i1 {amp.name = "autocast_cuda"}
// CHECK:         %[[Q:.*]] = call @is_cpu_on() : () -> i1
// CHECK:         amp.autocast device("cuda") dtype(f16) if %[[FLAG]]
// CHECK:           amp.autocast device("cpu") dtype(bf16) if
// CHECK:             "aten.mm"
func.func @entry_unknown(%a: tensor<4x4xf32>) -> tensor<4x4xf32>
    attributes {amp.entry = [#amp.entry<device = "cuda", dtype = f16, state = unknown>,
                             #amp.entry<device = "cpu", dtype = bf16, state = unknown, query = @is_cpu_on>]} {
  %e = "aten.mm"(%a, %a) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %e : tensor<4x4xf32>
}
// CHECK: func.func private @is_cpu_on() -> i1
