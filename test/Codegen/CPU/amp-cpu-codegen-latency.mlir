// RUN: amp-opt %s --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=x86-64-v3}))' | FileCheck %s
// RUN: amp-opt %s --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=x86-64-v4}))' | FileCheck %s --check-prefix=WIDE

// Functions are long chains of operations: four registers at a time hide each other's latency.
// CHECK-LABEL: func.func @silu
// CHECK: math.exp {{.*}} : vector<32xf32>
// WIDE-LABEL: func.func @silu
// WIDE: math.exp {{.*}} : vector<64xf32>
#row = affine_map<(i, j) -> (i, j)>
func.func @silu(%x: tensor<256x1024xf32>) -> tensor<256x1024xf32> {
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<256x1024xf32>
  %r = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<256x1024xf32>) outs(%e : tensor<256x1024xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.negf %a : f32
    %1 = math.exp %0 : f32
    %2 = arith.addf %1, %one : f32
    %3 = arith.divf %a, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<256x1024xf32>
  return %r : tensor<256x1024xf32>
}

// The rows of softmax: what is read and their maximum.
// CHECK-LABEL: func.func @softmax
// CHECK: math.exp {{.*}} : vector<32xf32>
// WIDE-LABEL: func.func @softmax
// WIDE: math.exp {{.*}} : vector<64xf32>
func.func @softmax(%x: tensor<256x1024xf32>) -> tensor<256x1024xf32> {
  %e = tensor.empty() : tensor<256x1024xf32>
  %r = linalg.softmax dimension(1) ins(%x : tensor<256x1024xf32>) outs(%e : tensor<256x1024xf32>) -> tensor<256x1024xf32>
  return %r : tensor<256x1024xf32>
}

// Five values between which the function lies: four times as many are more than 16 registers, and would be on the stack. 32 registers hold them, but several
// operands that come from memory are slower that way.
// CHECK-LABEL: func.func @alive
// CHECK: math.exp {{.*}} : vector<16xf32>
// WIDE-LABEL: func.func @alive
// WIDE: math.exp {{.*}} : vector<32xf32>
func.func @alive(%x: tensor<256x1024xf32>, %y: tensor<256x1024xf32>, %z: tensor<256x1024xf32>, %u: tensor<256x1024xf32>, %v: tensor<256x1024xf32>) -> tensor<256x1024xf32> {
  %e = tensor.empty() : tensor<256x1024xf32>
  %r = linalg.generic {indexing_maps = [#row, #row, #row, #row, #row, #row], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y, %z, %u, %v : tensor<256x1024xf32>, tensor<256x1024xf32>, tensor<256x1024xf32>, tensor<256x1024xf32>, tensor<256x1024xf32>) outs(%e : tensor<256x1024xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %d: f32, %f: f32, %o: f32):
    %0 = math.exp %a : f32
    %1 = arith.mulf %0, %b : f32
    %2 = arith.mulf %1, %c : f32
    %3 = arith.mulf %2, %d : f32
    %4 = arith.mulf %3, %f : f32
    linalg.yield %4 : f32
  } -> tensor<256x1024xf32>
  return %r : tensor<256x1024xf32>
}

// With a bias, which a cache holds, it is one.
// WIDE-LABEL: func.func @bias
// WIDE: math.exp {{.*}} : vector<64xf32>
func.func @bias(%x: tensor<256x1024xf32>, %v: tensor<1024xf32>) -> tensor<256x1024xf32> {
  %e = tensor.empty() : tensor<256x1024xf32>
  %r = linalg.generic {indexing_maps = [#row, affine_map<(i, j) -> (j)>, #row], iterator_types = ["parallel", "parallel"]}
      ins(%x, %v : tensor<256x1024xf32>, tensor<1024xf32>) outs(%e : tensor<256x1024xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.addf %a, %b : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<256x1024xf32>
  return %r : tensor<256x1024xf32>
}

// Nine values are more than 32 registers, too.
// CHECK-LABEL: func.func @many_alive
// CHECK: math.exp {{.*}} : vector<16xf32>
// WIDE-LABEL: func.func @many_alive
// WIDE: math.exp {{.*}} : vector<32xf32>
func.func @many_alive(%x: tensor<256x1024xf32>) -> tensor<256x1024xf32> {
  %e = tensor.empty() : tensor<256x1024xf32>
  %r = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<256x1024xf32>) outs(%e : tensor<256x1024xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %a, %a : f32
    %1 = arith.mulf %0, %a : f32
    %2 = arith.mulf %1, %a : f32
    %3 = arith.mulf %2, %a : f32
    %4 = arith.mulf %3, %a : f32
    %5 = arith.mulf %4, %a : f32
    %6 = arith.mulf %5, %a : f32
    %7 = arith.mulf %6, %a : f32
    %8 = arith.mulf %7, %a : f32
    %9 = math.exp %8 : f32
    %10 = arith.mulf %9, %0 : f32
    %11 = arith.mulf %10, %1 : f32
    %12 = arith.mulf %11, %2 : f32
    %13 = arith.mulf %12, %3 : f32
    %14 = arith.mulf %13, %4 : f32
    %15 = arith.mulf %14, %5 : f32
    %16 = arith.mulf %15, %6 : f32
    %17 = arith.mulf %16, %7 : f32
    linalg.yield %17 : f32
  } -> tensor<256x1024xf32>
  return %r : tensor<256x1024xf32>
}

// A function of a row is no chain of its lanes.
// WIDE-LABEL: func.func @row
// WIDE: arith.mulf {{.*}} : vector<32xf32>
func.func @row(%x: tensor<256x1024xf32>, %v: tensor<256xf32>) -> tensor<256x1024xf32> {
  %e = tensor.empty() : tensor<256x1024xf32>
  %r = linalg.generic {indexing_maps = [#row, affine_map<(i, j) -> (i)>, #row], iterator_types = ["parallel", "parallel"]}
      ins(%x, %v : tensor<256x1024xf32>, tensor<256xf32>) outs(%e : tensor<256x1024xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = math.exp %b : f32
    %1 = arith.mulf %a, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<256x1024xf32>
  return %r : tensor<256x1024xf32>
}
