// Diagnostics point at the line of the Python program where the IR has one:
// through names, call sites and fused locations.
//
// RUN: not amp-opt %s --split-input-file --amp-structurize-scopes 2>&1 | FileCheck %s

// A fused location with the line of the MLIR file first.
// CHECK: model.py:12:5: error: [AMP-S001] the scope is never closed
// CHECK: model.py:20:1: note: a path ends here with the scope open
// CHECK: model.py:12:5: note: add an amp.exit of its token on each path
func.func @fused() {
  %cfg = amp.config device("cuda") dtype(f16)
  %t = amp.enter %cfg loc(fused["model.mlir":3:8, "model.py":12:5])
  return loc("return"("model.py":20:1))
}

// -----

// Inlined twice: the innermost Python line, then one note for each call.
// CHECK: layers.py:3:5: error: [AMP-S001] the scope is never closed
// CHECK: model.py:12:5: note: called from here
// CHECK: train.py:40:9: note: called from here
func.func @inlined() {
  %cfg = amp.config device("cuda") dtype(f16)
  %t = amp.enter %cfg loc(callsite("layers.py":3:5 at callsite("model.py":12:5 at fused["train.mlir":9:1, "train.py":40:9])))
  return
}

// -----

// A callee that has none: the line that calls it.
// CHECK: model.py:30:2: error: [AMP-S001] the scope is never closed
func.func @callee_unknown() {
  %cfg = amp.config device("cuda") dtype(f16)
  %t = amp.enter %cfg loc(callsite("kernel.mlir":1:1 at "model.py":30:2))
  return
}

// -----

// No Python: the location itself.
// CHECK: source-locations.mlir:[[# @LINE + 3]]:8: error: [AMP-S001] the scope is never closed
func.func @plain() {
  %cfg = amp.config device("cuda") dtype(f16)
  %t = amp.enter %cfg
  return
}
