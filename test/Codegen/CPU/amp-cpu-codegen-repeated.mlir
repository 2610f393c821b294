// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{triple=x86_64-linux-gnu cpu=haswell no-scalar-fallback}))' | FileCheck %s --implicit-check-not=linalg.

#all = affine_map<(n, h, w, c) -> (n, h, w, c)>
#channel = affine_map<(n, h, w, c) -> (c)>

// What a norm computes of channels that are last is computed once for each, in front of the loop over pixels; what it makes of a pixel is not.
// CHECK-LABEL: func.func @batch_norm
// CHECK: scf.for {{.*}} -> (tensor<96xf32>)
// CHECK: math.rsqrt
// CHECK: scf.for
// CHECK-NOT: math.rsqrt
// CHECK: arith.subf
// CHECK: math.exp
// CHECK-NOT: math.rsqrt
// CHECK: return
func.func @batch_norm(%x: tensor<?x14x14x96xf32>, %m: tensor<96xf32>, %v: tensor<96xf32>, %o: tensor<?x14x14x96xf32>) -> tensor<?x14x14x96xf32> {
  %eps = arith.constant 1.0e-5 : f32
  %r = linalg.generic {indexing_maps = [#all, #channel, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x, %m, %v : tensor<?x14x14x96xf32>, tensor<96xf32>, tensor<96xf32>) outs(%o : tensor<?x14x14x96xf32>) {
  ^bb0(%a: f32, %mean: f32, %var: f32, %out: f32):
    %0 = arith.subf %a, %mean : f32
    %1 = arith.addf %var, %eps : f32
    %2 = math.rsqrt %1 : f32
    %3 = arith.mulf %0, %2 : f32
    %4 = math.exp %3 : f32
    linalg.yield %4 : f32
  } -> tensor<?x14x14x96xf32>
  return %r : tensor<?x14x14x96xf32>
}

// -----

// Both of two values, of a part of the loops, and no part of one by itself.
// CHECK-LABEL: func.func @rotary
// CHECK-DAG: tensor.empty() : tensor<512x64xf32>
// CHECK: math.cos
// CHECK: math.sin
// CHECK-NOT: math.
// CHECK: return
func.func @rotary(%x: tensor<12x512x64xf32>, %y: tensor<12x512x64xf32>, %p: tensor<512xf32>, %f: tensor<64xf32>, %o: tensor<12x512x64xf32>) -> tensor<12x512x64xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(h, s, d) -> (h, s, d)>, affine_map<(h, s, d) -> (h, s, d)>, affine_map<(h, s, d) -> (s)>, affine_map<(h, s, d) -> (d)>,
      affine_map<(h, s, d) -> (h, s, d)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %y, %p, %f : tensor<12x512x64xf32>, tensor<12x512x64xf32>, tensor<512xf32>, tensor<64xf32>) outs(%o : tensor<12x512x64xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32, %d: f32, %out: f32):
    %0 = arith.mulf %s, %d : f32
    %1 = math.cos %0 : f32
    %2 = math.sin %0 : f32
    %3 = arith.mulf %a, %1 : f32
    %4 = arith.mulf %b, %2 : f32
    %5 = arith.subf %3, %4 : f32
    linalg.yield %5 : f32
  } -> tensor<12x512x64xf32>
  return %r : tensor<12x512x64xf32>
}

// -----

// What a row has for itself is out of the loop along it anyway, and what is cheap is not worth a tensor; nor is what the op has to itself.
// CHECK-LABEL: func.func @stays
// CHECK-COUNT-1: scf.for
// CHECK-NOT: -> (tensor<100xf32>)
// CHECK-NOT: -> (tensor<32xf32>)
// CHECK: return
func.func @stays(%x: tensor<32x100xf32>, %v: tensor<32xf32>, %b: tensor<100xf32>, %o: tensor<32x100xf32>) -> tensor<32x100xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>],
      iterator_types = ["parallel", "parallel"]} ins(%x, %v, %b : tensor<32x100xf32>, tensor<32xf32>, tensor<100xf32>) outs(%o : tensor<32x100xf32>) {
  ^bb0(%a: f32, %s: f32, %c: f32, %out: f32):
    %0 = math.rsqrt %s : f32
    %1 = arith.mulf %a, %0 : f32
    %2 = arith.mulf %c, %c : f32
    %3 = arith.addf %1, %2 : f32
    %4 = math.exp %3 : f32
    %5 = arith.addf %4, %out : f32
    linalg.yield %5 : f32
  } -> tensor<32x100xf32>
  return %r : tensor<32x100xf32>
}

// -----

// Two or three times it is computed again: a tensor of it would be written, and read as often.
// CHECK-LABEL: func.func @seldom
// CHECK-NOT: tensor.empty() : tensor<100x64xf32>
// CHECK: return
func.func @seldom(%x: tensor<3x100x64xf32>, %w: tensor<100x64xf32>, %o: tensor<3x100x64xf32>) -> tensor<3x100x64xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(b, m, n) -> (b, m, n)>, affine_map<(b, m, n) -> (m, n)>, affine_map<(b, m, n) -> (b, m, n)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %w : tensor<3x100x64xf32>, tensor<100x64xf32>) outs(%o : tensor<3x100x64xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = math.exp %b : f32
    %1 = arith.mulf %a, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<3x100x64xf32>
  return %r : tensor<3x100x64xf32>
}
