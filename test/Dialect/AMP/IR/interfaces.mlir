// RUN: amp-opt %s --allow-unregistered-dialect --inline | FileCheck %s --check-prefix=INLINE
// RUN: amp-opt %s --allow-unregistered-dialect --sccp | FileCheck %s --check-prefix=SCCP
// RUN: amp-opt %s --allow-unregistered-dialect --int-range-optimizations | FileCheck %s --check-prefix=RANGE
// RUN: amp-opt %s --allow-unregistered-dialect --remove-dead-values --canonicalize | FileCheck %s --check-prefix=DEAD
// RUN: amp-opt %s --allow-unregistered-dialect --cse | FileCheck %s --check-prefix=CSE
// RUN: amp-opt %s --allow-unregistered-dialect --loop-invariant-code-motion | FileCheck %s --check-prefix=LICM
// RUN: amp-opt %s --allow-unregistered-dialect --convert-elementwise-to-linalg | FileCheck %s --check-prefix=TRAIT

// A call in a scope is inlined, and so is a function with a scope in it.
func.func private @callee(%x: f32) -> f32 {
  %0 = amp.autocast device("cuda") dtype(f16) disabled (%y = %x : f32) -> f32 {
    %1 = math.exp %y : f32
    amp.yield %1 : f32
  }
  return %0 : f32
}
// INLINE-LABEL: func.func @inline_into
func.func @inline_into(%a: f32) -> f32 {
  // INLINE-NEXT: amp.autocast device("cuda") dtype(f16) (
  // INLINE-NEXT: amp.autocast device("cuda") dtype(f16) disabled (
  // INLINE-NEXT: math.exp
  %0 = amp.autocast device("cuda") dtype(f16) (%x = %a : f32) -> f32 {
    %1 = func.call @callee(%x) : (f32) -> f32
    amp.yield %1 : f32
  }
  return %0 : f32
}

// A function with a scope attribute is not inlined: its scope would be lost.
func.func private @scoped(%x: f32) -> f32
    attributes {amp.autocast = #amp.scope<device = "cuda", dtype = f16>, no_inline} {
  %0 = math.sqrt %x : f32
  return %0 : f32
}
// INLINE-LABEL: func.func @inline_scoped
func.func @inline_scoped(%a: f32) -> f32 {
  // INLINE-NEXT: call @scoped
  %0 = func.call @scoped(%a) : (f32) -> f32
  return %0 : f32
}

// Nor is one that opens a scope and does not close it.
func.func private @opens() -> !amp.token {
  %0 = amp.config device("cuda") dtype(f16)
  %1 = amp.enter %0
  return %1 : !amp.token
}
// INLINE-LABEL: func.func @inline_opens
func.func @inline_opens() {
  // INLINE-NEXT: call @opens
  %0 = func.call @opens() : () -> !amp.token
  amp.exit %0
  return
}

// Data flow goes through the body of a scope.
// SCCP-LABEL: func.func @constant_through
// RANGE-LABEL: func.func @constant_through
func.func @constant_through() -> i32 {
  // SCCP: %[[C:.*]] = arith.constant 6 : i32
  // SCCP: return %[[C]]
  // RANGE: %[[C:.*]] = arith.constant 6 : i32
  // RANGE: return %[[C]]
  %c = arith.constant 3 : i32
  %0 = amp.autocast device("cuda") dtype(f16) (%x = %c : i32) -> i32 {
    %1 = arith.addi %x, %x : i32
    amp.yield %1 : i32
  }
  return %0 : i32
}

// What amp.out_dtype yields is not what it gives.
// SCCP-LABEL: func.func @no_constant_through
// DEAD-LABEL: func.func @no_constant_through
func.func @no_constant_through(%a: tensor<2x2xf16>) -> tensor<2x2xf32> {
  // SCCP: %[[R:.*]] = amp.out_dtype
  // SCCP: return %[[R]]
  // DEAD: amp.out_dtype
  // DEAD-NEXT: "aten.mm"
  // DEAD-NEXT: amp.yield %{{.*}} : tensor<2x2xf16>
  %0 = amp.out_dtype (%x = %a : tensor<2x2xf16>) -> tensor<2x2xf32> {
    %1 = "aten.mm"(%x, %x) : (tensor<2x2xf16>, tensor<2x2xf16>) -> tensor<2x2xf16>
    amp.yield %1 : tensor<2x2xf16>
  }
  return %0 : tensor<2x2xf32>
}

// Liveness goes through the body of a scope: what is used stays, the rest goes.
// DEAD-LABEL: func.func @dead_values
// DEAD-SAME: (%[[A:.*]]: tensor<4xf32>, %{{.*}}: tensor<4xf32>)
func.func @dead_values(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  // DEAD-NEXT: %[[R:.*]] = amp.autocast device("cuda") dtype(f16) (%[[X:.*]] = %[[A]] : tensor<4xf32>) -> tensor<4xf32> {
  // DEAD-NEXT: %[[E:.*]] = math.exp %[[X]]
  // DEAD-NEXT: amp.yield %[[E]] : tensor<4xf32>
  // DEAD: return %[[R]]
  %0:2 = amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<4xf32>, %y = %b : tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
    %1 = math.exp %x : tensor<4xf32>
    %2 = math.exp %y : tensor<4xf32>
    amp.yield %1, %2 : tensor<4xf32>, tensor<4xf32>
  }
  return %0#0 : tensor<4xf32>
}

// CSE merges nothing across the border of a scope, and no two scopes that
// differ; equal scopes are one.
// CSE-LABEL: func.func @cse
func.func @cse(%a: f32) -> (f32, f32, f32, f32, f32) {
  // CSE-NEXT: %[[E:.*]] = math.exp
  // CSE-NEXT: %[[S:.*]] = amp.autocast device("cuda") dtype(f16) (
  // CSE-NEXT: math.exp
  // CSE-NEXT: amp.yield
  // CSE-NEXT: }
  // CSE-NEXT: %[[D:.*]] = amp.autocast device("cuda") dtype(f16) disabled (
  // CSE-NEXT: math.exp
  // CSE-NEXT: amp.yield
  // CSE-NEXT: }
  // CSE-NEXT: return %[[E]], %[[S]], %[[E]], %[[D]], %[[S]]
  %0 = math.exp %a : f32
  %1 = amp.autocast device("cuda") dtype(f16) (%x = %a : f32) -> f32 {
    %5 = math.exp %x : f32
    amp.yield %5 : f32
  }
  %2 = math.exp %a : f32
  %3 = amp.autocast device("cuda") dtype(f16) disabled (%x = %a : f32) -> f32 {
    %5 = math.exp %x : f32
    amp.yield %5 : f32
  }
  %4 = amp.autocast device("cuda") dtype(f16) (%x = %a : f32) -> f32 {
    %5 = math.exp %x : f32
    amp.yield %5 : f32
  }
  return %0, %1, %2, %3, %4 : f32, f32, f32, f32, f32
}

// A query of the state does not move across what changes the state.
// CSE-LABEL: func.func @cse_state
func.func @cse_state() -> (i1, i1) {
  // CSE: %[[A:.*]] = amp.is_enabled
  // CSE: %[[B:.*]] = amp.is_enabled
  // CSE: return %[[A]], %[[B]]
  %0 = amp.config device("cuda") dtype(f16)
  %1 = amp.is_enabled device("cuda")
  %2 = amp.enter %0
  %3 = amp.is_enabled device("cuda")
  amp.exit %2
  return %1, %3 : i1, i1
}

// An invariant scope leaves the loop whole, and nothing leaves the scope.
// LICM-LABEL: func.func @licm
func.func @licm(%a: f32, %n: index, %m: memref<f32>) {
  // LICM: %[[S:.*]] = amp.autocast
  // LICM-NEXT: math.exp
  // LICM-NEXT: amp.yield
  // LICM-NEXT: }
  // LICM-NEXT: scf.for
  // LICM-NEXT: memref.store %[[S]]
  // LICM-NEXT: amp.autocast
  // LICM-NEXT: math.exp
  // LICM-NEXT: memref.store
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %0 = amp.autocast device("cuda") dtype(f16) (%x = %a : f32) -> f32 {
      %1 = math.exp %x : f32
      amp.yield %1 : f32
    }
    memref.store %0, %m[] : memref<f32>
    amp.autocast device("cuda") dtype(f16) (%x = %a : f32, %y = %m : memref<f32>) {
      %1 = math.exp %x : f32
      memref.store %1, %y[] : memref<f32>
      amp.yield
    }
  }
  return
}

// Upstream's patterns would rebuild the cast from its attributes, and lose the
// overflow mode.
// TRAIT-LABEL: func.func @traits
func.func @traits(%x: tensor<4xf32>) -> tensor<4xf16> {
  // TRAIT-NEXT: amp.cast %{{.*}} {overflow = saturate}
  %0 = amp.cast %x {overflow = saturate} : tensor<4xf32> to tensor<4xf16>
  return %0 : tensor<4xf16>
}
