// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file --amp-specialize-scopes | FileCheck %s
// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file --amp-specialize-scopes > %t.once
// RUN: amp-opt %t.once --allow-unregistered-dialect --split-input-file --amp-specialize-scopes > %t.twice
// RUN: diff %t.once %t.twice
// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file --amp-autocast | FileCheck %s --check-prefix=APPLIED
// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file --amp-specialize-scopes \
// RUN:   --remarks-filter=amp --remark-policy=all 2>&1 | FileCheck %s --check-prefix=REMARK

// REMARK-DAG: remark: [Passed] Specialized | Category:amp:scopes | Function=callee | As=callee_cuda_f16, Reason="callers are in a state of their own"
// REMARK-DAG: remark: [Passed] Specialized | Category:amp:scopes | Function=only | As=only, Reason="all callers are in one state"
// REMARK-DAG: remark: [Missed] ExternalCall | Category:amp:scopes | Callee=library, Reason="a declaration keeps its signature: values are cast at the border"

// Each state of the callers is one function, shared by all of them.
// CHECK-LABEL: func.func @states
// CHECK:         amp.autocast device("cuda") dtype(f16)
// CHECK:           call @callee_cuda_f16
// CHECK:           call @callee_cuda_f16
// CHECK:           amp.autocast device("cuda") dtype(f16) disabled
// CHECK:             call @callee(
// CHECK:           amp.autocast device("cpu") dtype(bf16)
// CHECK:             call @callee_cuda_f16_cpu_bf16
// CHECK:         call @callee(
// CHECK-LABEL: func.func private @callee(
// CHECK-NOT:     amp.autocast
// CHECK:         return
// CHECK-LABEL: func.func private @callee_cuda_f16_cpu_bf16
// CHECK:         amp.autocast device("cuda") dtype(f16) results(propagate)
// CHECK-NEXT:      amp.autocast device("cpu") dtype(bf16) results(propagate)
// CHECK-NEXT:        "aten.mm"
// CHECK-LABEL: func.func private @callee_cuda_f16(
// CHECK-SAME:    attributes {amp.profiled_as = "callee"}
// CHECK:         amp.autocast device("cuda") dtype(f16) results(propagate)
// CHECK-NEXT:      "aten.mm"
// CHECK-LABEL: func.func @other_caller
// CHECK:         call @callee_cuda_f16(
//
// Types go through calls.
// APPLIED-LABEL: func.func @states
// APPLIED:         %[[X:.*]] = call @callee_cuda_f16(%{{.*}}) : (tensor<4x4xf32>) -> tensor<4x4xf16>
// APPLIED:         call @callee(%{{.*}}) : (tensor<4x4xf32>) -> tensor<4x4xf32>
// APPLIED-LABEL: func.func private @callee_cuda_f16(
// APPLIED-SAME:    tensor<4x4xf32>) -> tensor<4x4xf16>
func.func @states(%a: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %0 = amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<4x4xf32>) -> tensor<4x4xf32> {
    %1 = func.call @callee(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %2 = func.call @callee(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %3 = amp.autocast device("cuda") dtype(f16) disabled (%y = %x : tensor<4x4xf32>) -> tensor<4x4xf32> {
      %4 = func.call @callee(%y) : (tensor<4x4xf32>) -> tensor<4x4xf32>
      amp.yield %4 : tensor<4x4xf32>
    }
    %5 = amp.autocast device("cpu") dtype(bf16) (%y = %x : tensor<4x4xf32>) -> tensor<4x4xf32> {
      %6 = func.call @callee(%y) : (tensor<4x4xf32>) -> tensor<4x4xf32>
      amp.yield %6 : tensor<4x4xf32>
    }
    "use"(%1, %2, %3, %5) : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) -> ()
    amp.yield %1 : tensor<4x4xf32>
  }
  %7 = func.call @callee(%a) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0, %7 : tensor<4x4xf32>, tensor<4x4xf32>
}
func.func private @callee(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = "aten.mm"(%a, %a) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
func.func @other_caller(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<4x4xf32>) -> tensor<4x4xf32> {
    %1 = func.call @callee(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    amp.yield %1 : tensor<4x4xf32>
  }
  return %0 : tensor<4x4xf32>
}

// -----

// A private callee of one state becomes the function for it, and so does what
// it calls; recursion stays within the state.
// CHECK-LABEL: func.func @in_place
// CHECK:         call @only(
// CHECK-LABEL: func.func private @only(
// CHECK-NEXT:    amp.autocast device("cuda") dtype(f16)
// CHECK:           call @recursive(
// CHECK-LABEL: func.func private @recursive(
// CHECK-NEXT:    amp.autocast device("cuda") dtype(f16)
// CHECK:           scf.if
// CHECK:             "aten.mm"
// CHECK:             call @recursive(
// CHECK-NOT:   func.func
func.func @in_place(%a: tensor<4x4xf32>, %c: i1) -> tensor<4x4xf32> {
  %0 = amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<4x4xf32>, %d = %c : i1) -> tensor<4x4xf32> {
    %1 = func.call @only(%x, %d) : (tensor<4x4xf32>, i1) -> tensor<4x4xf32>
    amp.yield %1 : tensor<4x4xf32>
  }
  return %0 : tensor<4x4xf32>
}
func.func private @only(%a: tensor<4x4xf32>, %c: i1) -> tensor<4x4xf32> {
  %0 = func.call @recursive(%a, %c) : (tensor<4x4xf32>, i1) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
// The result of the recursion is the join of the argument and of mm.
// APPLIED-LABEL: func.func private @recursive
// APPLIED-SAME:    tensor<4x4xf32>, %{{.*}}: i1) -> tensor<4x4xf32>
func.func private @recursive(%a: tensor<4x4xf32>, %c: i1) -> tensor<4x4xf32> {
  %0 = scf.if %c -> tensor<4x4xf32> {
    %1 = "aten.mm"(%a, %a) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %2 = func.call @recursive(%1, %c) : (tensor<4x4xf32>, i1) -> tensor<4x4xf32>
    scf.yield %2 : tensor<4x4xf32>
  } else {
    scf.yield %a : tensor<4x4xf32>
  }
  return %0 : tensor<4x4xf32>
}

// -----

// Functions that call each other.
// CHECK-LABEL: func.func @mutual
// CHECK:         call @even_cuda_f16
// CHECK-LABEL: func.func @even(
// CHECK:         call @odd(
// CHECK-LABEL: func.func private @even_cuda_f16(
// CHECK:         call @odd_cuda_f16(
// CHECK-LABEL: func.func private @odd(
// CHECK:         call @even(
// CHECK-LABEL: func.func private @odd_cuda_f16(
// CHECK:         call @even_cuda_f16(
func.func @mutual(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<4x4xf32>) -> tensor<4x4xf32> {
    %1 = func.call @even(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    amp.yield %1 : tensor<4x4xf32>
  }
  return %0 : tensor<4x4xf32>
}
func.func @even(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = "aten.mm"(%a, %a) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = func.call @odd(%0) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}
func.func private @odd(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = func.call @even(%a) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

// A callee with a region of its own is called as it is; integers need nothing.
// CHECK-LABEL: func.func @own
// CHECK:         call @disabled(
// CHECK:         call @integers(
// CHECK-LABEL: func.func private @disabled
// CHECK-NEXT:    amp.autocast device("cuda") dtype(f16) disabled
// CHECK-NEXT:      "aten.mm"
// CHECK-LABEL: func.func private @integers
// CHECK-NOT:     amp.autocast
// CHECK-NOT:   func.func
func.func @own(%a: tensor<4x4xf32>, %i: tensor<4xi32>) -> (tensor<4x4xf32>, tensor<4xi32>) {
  %0:2 = amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<4x4xf32>, %j = %i : tensor<4xi32>) -> (tensor<4x4xf32>, tensor<4xi32>) {
    %1 = func.call @disabled(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %2 = func.call @integers(%j) : (tensor<4xi32>) -> tensor<4xi32>
    amp.yield %1, %2 : tensor<4x4xf32>, tensor<4xi32>
  }
  return %0#0, %0#1 : tensor<4x4xf32>, tensor<4xi32>
}
func.func private @disabled(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = amp.autocast device("cuda") dtype(f16) disabled (%x = %a : tensor<4x4xf32>) -> tensor<4x4xf32> {
    %1 = "aten.mm"(%x, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    amp.yield %1 : tensor<4x4xf32>
  }
  return %0 : tensor<4x4xf32>
}
func.func private @integers(%a: tensor<4xi32>) -> tensor<4xi32> {
  %0 = arith.addi %a, %a : tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

// A value keeps its device in a callee, so that another device's scope changes
// nothing but what is known of the result; what the callee says of its argument
// holds.
// CHECK-LABEL: func.func @devices
// CHECK:         call @callee_on_cpu(
// CHECK:         call @callee_cuda_f16(
// CHECK:         call @says_cuda(
// CHECK:         call @callee_cpu_bf16_cuda_f16_on_cpu(
// CHECK-LABEL: func.func @callee(
// CHECK-LABEL: func.func private @callee_cpu_bf16_cuda_f16_on_cpu(
// CHECK-SAME:    %{{[^:]*}}: tensor<4x4xf32> {amp.device = "cpu"}
// CHECK-LABEL: func.func private @callee_cuda_f16(
// CHECK-NOT:     amp.device
// CHECK:         return
// CHECK-LABEL: func.func private @says_cuda(
// CHECK-SAME:    %{{[^:]*}}: tensor<4x4xf32> {amp.device = "cuda"}
// APPLIED-LABEL: func.func private @callee_cpu_bf16_cuda_f16_on_cpu(
// APPLIED:         "aten.mm"(%{{.*}}, %{{.*}}) : (tensor<4x4xbf16>, tensor<4x4xbf16>) -> tensor<4x4xbf16>
func.func @devices(%a: tensor<4x4xf32> {amp.device = "cpu"}, %b: tensor<4x4xf32>) {
  amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<4x4xf32>, %y = %b : tensor<4x4xf32>) {
    %0 = func.call @callee(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %1 = func.call @callee(%y) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %2 = func.call @says_cuda(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    "use"(%0, %1, %2) : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) -> ()
    amp.yield
  }
  amp.autocast device("cpu") dtype(bf16) (%x = %a : tensor<4x4xf32>) {
    amp.autocast device("cuda") dtype(f16) (%y = %x : tensor<4x4xf32>) {
      %0 = func.call @callee(%y) : (tensor<4x4xf32>) -> tensor<4x4xf32>
      "use"(%0) : (tensor<4x4xf32>) -> ()
      amp.yield
    }
    amp.yield
  }
  return
}
func.func @callee(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = "aten.mm"(%a, %a) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
func.func private @says_cuda(%a: tensor<4x4xf32> {amp.device = "cuda"}) -> tensor<4x4xf32> {
  %0 = "aten.mm"(%a, %a) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

// A declaration keeps its signature.
// CHECK-LABEL: func.func @external
// CHECK:         call @library(
// APPLIED-LABEL: func.func @external
// APPLIED:         %[[MM:.*]] = "aten.mm"({{.*}}) : (tensor<4x4xf16>, tensor<4x4xf16>) -> tensor<4x4xf16>
// APPLIED:         %[[W:.*]] = amp.cast %[[MM]] {origin = boundary} : tensor<4x4xf16> to tensor<4x4xf32>
// APPLIED:         call @library(%[[W]]) : (tensor<4x4xf32>) -> tensor<4x4xf32>
func.func @external(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<4x4xf32>) -> tensor<4x4xf32> {
    %1 = "aten.mm"(%x, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %2 = func.call @library(%1) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    amp.yield %2 : tensor<4x4xf32>
  }
  return %0 : tensor<4x4xf32>
}
func.func private @library(tensor<4x4xf32>) -> tensor<4x4xf32>

// -----

// Types that callers bring in are joined: f16 from one, f32 from the other. The
// signature of a function whose address is taken stays.
// APPLIED-LABEL: func.func @joined
// APPLIED:         call @sum(%{{.*}}) : (tensor<4x4xf32>) -> tensor<4x4xf32>
// APPLIED:         call @narrow(%{{.*}}) : (tensor<4x4xf16>) -> tensor<4x4xf16>
// APPLIED:         call @fixed(%{{.*}}) : (tensor<4x4xf32>) -> tensor<4x4xf32>
// APPLIED-LABEL: func.func private @sum(%{{.*}}: tensor<4x4xf32>) -> tensor<4x4xf32>
// APPLIED-LABEL: func.func private @narrow(%{{.*}}: tensor<4x4xf16>) -> tensor<4x4xf16>
// APPLIED-LABEL: func.func private @fixed(%{{.*}}: tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-LABEL: func.func @joined
func.func @joined(%a: tensor<4x4xf32>) -> (tensor<4x4xf32>, (tensor<4x4xf32>) -> tensor<4x4xf32>) {
  %0 = amp.autocast device("cuda") dtype(f16) results(propagate) (%x = %a : tensor<4x4xf32>) -> tensor<4x4xf32> {
    %1 = "aten.mm"(%x, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    amp.yield %1 : tensor<4x4xf32>
  }
  %1 = call @sum(%0) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = call @sum(%a) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %3 = call @narrow(%0) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %4 = call @fixed(%0) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  "use"(%1, %2, %4) : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) -> ()
  %f = constant @fixed : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %3, %f : tensor<4x4xf32>, (tensor<4x4xf32>) -> tensor<4x4xf32>
}
func.func private @sum(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = "aten.add"(%a, %a) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
func.func private @narrow(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = "aten.add"(%a, %a) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
func.func private @fixed(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = "aten.add"(%a, %a) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

// The query of the state answers for each state; functions are entered with
// autocast off.
// CHECK-LABEL: func.func @query
// CHECK:         call @asks_cuda_bf16
// CHECK:         call @asks(
// CHECK-LABEL: func.func private @asks(
// CHECK:         %[[OFF:.*]] = arith.constant false
// CHECK:         return %[[OFF]]
// CHECK-LABEL: func.func private @asks_cuda_bf16(
// CHECK:           arith.constant true
func.func @query() -> (i1, i1) {
  %0 = amp.autocast device("cuda") dtype(bf16) () -> i1 {
    %1 = func.call @asks() : () -> i1
    amp.yield %1 : i1
  }
  %2 = call @asks() : () -> i1
  return %0, %2 : i1, i1
}
func.func private @asks() -> i1 {
  %0 = amp.is_enabled device("cuda")
  return %0 : i1
}

// -----

// A callee with blocks is lifted where it needs a region.
// CHECK-LABEL: func.func @blocks
// CHECK-LABEL: func.func private @lifted
// CHECK:         amp.autocast
// CHECK:           scf.if
func.func @blocks(%a: tensor<4x4xf32>, %c: i1) -> tensor<4x4xf32> {
  %0 = amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<4x4xf32>, %d = %c : i1) -> tensor<4x4xf32> {
    %1 = func.call @lifted(%x, %d) : (tensor<4x4xf32>, i1) -> tensor<4x4xf32>
    amp.yield %1 : tensor<4x4xf32>
  }
  return %0 : tensor<4x4xf32>
}
func.func private @lifted(%a: tensor<4x4xf32>, %c: i1) -> tensor<4x4xf32> {
  cf.cond_br %c, ^one, ^two
^one:
  %0 = "aten.mm"(%a, %a) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
^two:
  return %a : tensor<4x4xf32>
}
