// RUN: amp-opt %s --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{triple=x86_64-linux-gnu cpu=haswell no-scalar-fallback}))' | FileCheck %s

// A number that is made of the place in another loop is the same for all lanes: vectors are of as many elements as without it.
// CHECK-LABEL: func.func @weighted(
// CHECK: vector.transfer_read {{.*}} vector<32xf32>
func.func @weighted(%x: tensor<32x64xf32>) -> tensor<32x64xf32> {
  %e = tensor.empty() : tensor<32x64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<32x64xf32>) outs(%e : tensor<32x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i32
    %w = arith.sitofp %n : i32 to f32
    %m = arith.mulf %a, %w : f32
    linalg.yield %m : f32
  } -> tensor<32x64xf32>
  return %r : tensor<32x64xf32>
}
