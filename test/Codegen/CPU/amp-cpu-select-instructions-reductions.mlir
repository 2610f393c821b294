// Reductions of several dimensions, and scans, that a program itself has: the conversion to LLVM knows neither.
// RUN: amp-opt %s --pass-pipeline='builtin.module(func.func(amp-cpu-select-instructions{cpu=x86-64-v3}))' | FileCheck %s
// RUN: amp-opt %s --pass-pipeline='builtin.module(func.func(amp-cpu-select-instructions{cpu=x86-64},amp-cpu-select-instructions{cpu=x86-64}))' | FileCheck %s
// CHECK-NOT: vector.multi_reduction
// CHECK-NOT: vector.scan

// CHECK-LABEL: func.func @rows
// CHECK-COUNT-2: vector.reduction <mul>
func.func @rows(%x: vector<2x8xf32>, %y: vector<2xf32>) -> vector<2xf32> {
  %0 = vector.multi_reduction <mul>, %x, %y [1] : vector<2x8xf32> to vector<2xf32>
  return %0 : vector<2xf32>
}

// CHECK-LABEL: func.func @scan
// CHECK: arith.addf {{.*}} : vector<2x1xf32>
func.func @scan(%x: vector<2x3xf32>, %y: vector<2xf32>) -> vector<2x3xf32> {
  %0:2 = vector.scan <add>, %x, %y {inclusive = true, reduction_dim = 1 : i64} : vector<2x3xf32>, vector<2xf32>
  return %0#0 : vector<2x3xf32>
}
