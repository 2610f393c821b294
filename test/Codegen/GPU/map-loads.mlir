// What a thread reads is under way before it computes, 16 bytes at a time: four
// vectors of the input, and the bias, which has wider elements, once.
// RUN: amp-opt %s --amp-lower-to-cuda='target=sm_80 format=ptx' | sed 's/\\0A/\n/g' | FileCheck %s

// CHECK: ld.global.v4.b32
// CHECK-NOT: ex2.approx
// CHECK: ld.global.v4.b32
// CHECK-NOT: ex2.approx
// CHECK: ld.global.v4.b32
// CHECK-NOT: ex2.approx
// CHECK: ld.global.v4.b32
// CHECK-NOT: ex2.approx
// CHECK: ld.global.v4.b32
// CHECK-NOT: ex2.approx
// CHECK: ld.global.v4.b32
// CHECK: ex2.approx
// CHECK-NOT: ld.global
// CHECK-COUNT-4: st.global.v4.b32
func.func @main(%x: tensor<8192x1024xf16>, %bias: tensor<1024xf32>) -> tensor<8192x1024xf16> {
  %e = tensor.empty() : tensor<8192x1024xf16>
  %0 = linalg.generic {indexing_maps = [affine_map<(r, c) -> (r, c)>, affine_map<(r, c) -> (c)>, affine_map<(r, c) -> (r, c)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %bias : tensor<8192x1024xf16>, tensor<1024xf32>) outs(%e : tensor<8192x1024xf16>) {
  ^bb0(%in: f16, %b: f32, %out: f16):
    %1 = arith.extf %in : f16 to f32
    %2 = arith.addf %1, %b : f32
    %3 = math.exp %2 : f32
    %4 = arith.truncf %3 : f32 to f16
    linalg.yield %4 : f16
  } -> tensor<8192x1024xf16>
  return %0 : tensor<8192x1024xf16>
}
