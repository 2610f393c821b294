// What prints calls a library that programs do not have: one error, not one of the linker.
// RUN: not amp-run %s --random 2>&1 | FileCheck %s
// RUN: not amp-compile %s -o %t.so 2>&1 | FileCheck %s
// CHECK: prints.mlir:[[#@LINE+2]]:3: error: 'vector.print' op cannot be compiled: it calls a library of MLIR's for tests; return what it prints, or leave it out
func.func @main(%x: f32) -> f32 {
  vector.print %x : f32
  return %x : f32
}
