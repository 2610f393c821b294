// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file --amp-instrument-ranges=in-place | FileCheck %s
// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file --amp-instrument-ranges | FileCheck %s --check-prefix=COPY
// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file --amp-instrument-ranges='in-place arguments=false' | FileCheck %s --check-prefix=RESULTS
// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file --amp-instrument-ranges='in-place results=false' | FileCheck %s --check-prefix=ARGS
// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file --amp-instrument-ranges='in-place arguments=false ops=math.tanh,linalg.matmul' | FileCheck %s --check-prefix=OPS

// The pass is idempotent, in either form and from the one to the other, and
// nothing that cleans up removes or merges an observation.
// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file --amp-instrument-ranges -o %t.once.mlir
// RUN: amp-opt %t.once.mlir --allow-unregistered-dialect --split-input-file --amp-instrument-ranges | diff %t.once.mlir -
// RUN: amp-opt %t.once.mlir --allow-unregistered-dialect --split-input-file --amp-instrument-ranges=in-place -o %t.place.mlir
// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file --amp-instrument-ranges=in-place | diff %t.place.mlir -
// RUN: amp-opt %t.place.mlir --allow-unregistered-dialect --split-input-file --canonicalize --cse --loop-invariant-code-motion --inline --symbol-dce | FileCheck %s --check-prefix=CLEAN

// Arguments and results; each has a slot and a key.
// CHECK-LABEL: func.func @values
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xf32>, %[[N:[a-z0-9]+]]: tensor<4xi32>
// CHECK-NEXT: amp.observe "values:{{[0-9a-f]+}}" slot(0) %[[X]] : tensor<4xf32>
// CHECK-NEXT: %[[E:.*]] = math.exp %[[X]]
// CHECK-NEXT: amp.observe "values:{{[0-9a-f]+}}" slot(1) %[[E]] : tensor<4xf32>
// CHECK-NEXT: %[[T:.*]] = math.tanh %[[E]]
// CHECK-NEXT: amp.observe "values:{{[0-9a-f]+}}" slot(2) %[[T]] : tensor<4xf32>
// CHECK-NEXT: return

// The program itself is as it was, after a call of its copy.
// COPY-LABEL: func.func @values
// COPY-SAME: %[[X:[a-z0-9]+]]: tensor<4xf32>, %[[N:[a-z0-9]+]]: tensor<4xi32>
// COPY-NEXT: call @values_observed(%[[X]], %[[N]])
// COPY-NEXT: math.exp
// COPY-NEXT: math.tanh
// COPY-NEXT: return
// COPY: func.func private @values_observed{{.*}}attributes {amp.profiled_as = "values", amp.ranges_copy = "observing", no_inline}
// COPY-COUNT-3: amp.observe "values:

// RESULTS-LABEL: func.func @values
// RESULTS-NEXT: math.exp
// RESULTS-NEXT: amp.observe {{.*}} slot(0)
// RESULTS-NEXT: math.tanh
// RESULTS-NEXT: amp.observe {{.*}} slot(1)

// ARGS-LABEL: func.func @values
// ARGS-NEXT: amp.observe
// ARGS-NOT: amp.observe
// ARGS-LABEL: func.func @regions

// OPS-LABEL: func.func @values
// OPS-NOT: amp.observe
// OPS: math.tanh
// OPS-NEXT: amp.observe
// OPS-NOT: amp.observe
// OPS-LABEL: func.func @regions

// CLEAN-LABEL: func.func @values
// CLEAN-COUNT-3: amp.observe
// CLEAN-NOT: amp.observe
func.func @values(%x: tensor<4xf32>, %n: tensor<4xi32>) -> tensor<4xf32> {
  %0 = math.exp %x : tensor<4xf32>
  %1 = math.tanh %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// In loops and branches, where observations add up; ops that are computed alike
// share a slot, and in one block only the first is observed.
// CHECK-LABEL: func.func @regions
// CHECK: amp.observe {{.*}} slot(0)
// CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}})
// CHECK-NEXT: amp.observe "[[KEY:.*]]" slot(1) %[[A]]
// CHECK: scf.if
// CHECK-NEXT: %[[E:.*]] = math.exp %[[A]]
// CHECK-NEXT: amp.observe {{.*}} slot(2) %[[E]]
// CHECK: } else {
// CHECK-NEXT: %[[E2:.*]] = math.exp %[[A]]
// CHECK-NEXT: amp.observe {{.*}} slot(2) %[[E2]]
// CHECK-NEXT: %[[E3:.*]] = math.exp %[[A]]
// CHECK-NEXT: %[[T:.*]] = math.tanh %[[E3]]
// CHECK-NEXT: amp.observe {{.*}} slot(3) %[[T]]
// CHECK: amp.observe {{.*}} slot(4)
// CHECK: scf.yield
// CHECK: amp.observe {{.*}} slot(5)

// CLEAN-LABEL: func.func @regions
// CLEAN-COUNT-7: amp.observe
func.func @regions(%x: tensor<4xf32>, %c: i1, %n: index) -> tensor<4xf32> {
  %r = scf.for %i = %n to %n step %n iter_args(%a = %x) -> tensor<4xf32> {
    %b = scf.if %c -> tensor<4xf32> {
      %0 = math.exp %a : tensor<4xf32>
      scf.yield %0 : tensor<4xf32>
    } else {
      %0 = math.exp %a : tensor<4xf32>
      %1 = math.exp %a : tensor<4xf32>
      %2 = math.tanh %1 : tensor<4xf32>
      scf.yield %2 : tensor<4xf32>
    }
    scf.yield %b : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

// In scopes, whose arguments and results are not observed twice; all float
// types; not constants, fills, or what lies in memory.
// CHECK-LABEL: func.func @scope
// CHECK-COUNT-5: amp.observe {{.*}} %arg
// CHECK: amp.autocast
// CHECK-NEXT: %[[T:.*]] = "aten.tanh"
// CHECK-NEXT: amp.observe {{.*}} slot(5) %[[T]] : tensor<4xf32>
// CHECK-NEXT: amp.yield
// CHECK-NEXT: }
// CHECK-NEXT: arith.constant
// CHECK-NOT: amp.observe
// CHECK: return
func.func @scope(%a: tensor<4xf64>, %b: tensor<4xf32>, %c: tensor<4xf16>, %d: tensor<4xbf16>, %e: tensor<4xf8E4M3FN>, %u: tensor<*xf32>) -> tensor<4xf32> {
  %0 = amp.autocast device("cuda") dtype(f16) (%x = %b : tensor<4xf32>) -> tensor<4xf32> {
    %1 = "aten.tanh"(%x) : (tensor<4xf32>) -> tensor<4xf32>
    amp.yield %1 : tensor<4xf32>
  }
  %k = arith.constant dense<1.0> : tensor<4xf32>
  %z = arith.constant 0.0 : f32
  %m = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%z : f32) outs(%m : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Copies call copies, and a function that observes when it is called from
// outside does not when the program calls it.
// COPY-LABEL: func.func @main
// COPY-NEXT: call @main_observed
// COPY-NEXT: call @public_plain
// COPY-NEXT: call @private(
// COPY: func.func private @main_observed
// COPY: call @public_observed
// COPY: call @private_observed
// COPY: func.func @public(
// COPY-NEXT: call @public_observed
// COPY-NEXT: math.exp
// COPY: func.func private @public_plain
// COPY-NEXT: math.exp
// COPY-NEXT: return
// COPY: func.func private @public_observed
// COPY: func.func private @private(
// COPY-NEXT: math.tanh
// COPY: func.func private @private_observed
// COPY: func.func @nothing
// COPY-NEXT: return
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @public(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = call @private(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func @public(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = math.exp %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @private(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = math.tanh %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @nothing(%x: tensor<4xi32>) -> tensor<4xi32> {
  return %x : tensor<4xi32>
}

// -----

// A branch whose sides compute the same, as a scope under a run-time flag does
// once it is two regions, is what they compute.
// CHECK-LABEL: func.func @versioned
// CHECK: amp.observe "[[X:versioned:[0-9a-f]+]]" slot(0)
// CHECK: math.exp
// CHECK-NEXT: amp.observe "[[EXP:versioned:[0-9a-f]+]]" slot(1)
// CHECK: math.exp
// CHECK-NEXT: amp.observe "[[EXP]]" slot(1)
// CHECK-NEXT: scf.yield
// CHECK-NEXT: }
// CHECK-NEXT: math.tanh
// CHECK-NEXT: amp.observe "[[TANH:versioned:[0-9a-f]+]]" slot(2)
func.func @versioned(%x: tensor<4xf32>, %c: i1) -> tensor<4xf32> {
  %r = scf.if %c -> tensor<4xf32> {
    %0 = math.exp %x : tensor<4xf32>
    scf.yield %0 : tensor<4xf32>
  } else {
    %0 = math.exp %x : tensor<4xf32>
    scf.yield %0 : tensor<4xf32>
  }
  %1 = math.tanh %r : tensor<4xf32>
  return %1 : tensor<4xf32>
}
