// RUN: amp-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{no-scalar-fallback}))'

// What is not one choice by an order of values stays as it was, and is told of.

// NaN is taken, and any element after it.
func.func @nan_in_between(%x: tensor<9x256xf32>, %e: tensor<9xf32>, %ei: tensor<9xindex>) -> tensor<9xindex> {
  // expected-error @+1 {{is compiled to a loop that goes element by element, which 'no-scalar-fallback' forbids: no choice of loops makes operand number 0 contiguous}}
  %r:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<9x256xf32>) outs(%e, %ei : tensor<9xf32>, tensor<9xindex>) {
  ^bb0(%a: f32, %b: f32, %c: index):
    %p = linalg.index 1 : index
    %t = arith.cmpf ugt, %a, %b : f32
    %v = arith.select %t, %a, %b : f32
    %w = arith.select %t, %p, %c : index
    linalg.yield %v, %w : f32, index
  } -> (tensor<9xf32>, tensor<9xindex>)
  return %r#1 : tensor<9xindex>
}

// -----

// An order of neither the signed nor the unsigned numbers.
func.func @mixed_signs(%x: tensor<9x256xi32>, %e: tensor<9xi32>) -> tensor<9xi32> {
  // expected-error @+1 {{goes element by element}}
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<9x256xi32>) outs(%e : tensor<9xi32>) {
  ^bb0(%a: i32, %b: i32):
    %s = arith.cmpi sgt, %a, %b : i32
    %u = arith.cmpi ugt, %a, %b : i32
    %t = arith.andi %s, %u : i1
    %v = arith.select %t, %a, %b : i32
    linalg.yield %v : i32
  } -> tensor<9xi32>
  return %r : tensor<9xi32>
}

// -----

// The last element that differs from the one before: no order.
func.func @unequal(%x: tensor<9x256xi32>, %e: tensor<9xi32>) -> tensor<9xi32> {
  // expected-error @+1 {{goes element by element}}
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<9x256xi32>) outs(%e : tensor<9xi32>) {
  ^bb0(%a: i32, %b: i32):
    %t = arith.cmpi ne, %a, %b : i32
    %v = arith.select %t, %a, %b : i32
    linalg.yield %v : i32
  } -> tensor<9xi32>
  return %r : tensor<9xi32>
}

// -----

// Kept is twice what is compared.
func.func @scaled(%x: tensor<9x256xf32>, %e: tensor<9xf32>) -> tensor<9xf32> {
  // expected-error @+1 {{goes element by element}}
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<9x256xf32>) outs(%e : tensor<9xf32>) {
  ^bb0(%a: f32, %b: f32):
    %d = arith.addf %a, %a : f32
    %t = arith.cmpf ogt, %a, %b : f32
    %v = arith.select %t, %d, %b : f32
    linalg.yield %v : f32
  } -> tensor<9xf32>
  return %r : tensor<9xf32>
}

// -----

// What is kept depends on what was kept.
func.func @counted(%x: tensor<9x256xf32>, %e: tensor<9xf32>, %n: tensor<9xi32>) -> (tensor<9xf32>, tensor<9xi32>) {
  %one = arith.constant 1 : i32
  // expected-error @+1 {{goes element by element}}
  %r:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<9x256xf32>) outs(%e, %n : tensor<9xf32>, tensor<9xi32>) {
  ^bb0(%a: f32, %b: f32, %c: i32):
    %m = arith.addi %c, %one : i32
    %t = arith.cmpf ogt, %a, %b : f32
    %v = arith.select %t, %a, %b : f32
    %w = arith.select %t, %m, %c : i32
    linalg.yield %v, %w : f32, i32
  } -> (tensor<9xf32>, tensor<9xi32>)
  return %r#0, %r#1 : tensor<9xf32>, tensor<9xi32>
}
