// RUN: amp-opt %s --pass-pipeline='builtin.module(amp-gpu-codegen{target=sm_80})' | FileCheck %s

// Twelve of the thirteen elements of each row: vectors of four lie within rows, but only those of the first row are aligned to 16 bytes. A
// row of sixteen keeps them aligned.
// CHECK-LABEL: gpu.func @thirteen(
// CHECK: vector.load %arg0{{.*}} {alignment = 4 : i64} : memref<1703936xf32
// CHECK-NOT: alignment = 16
// CHECK: vector.store
// CHECK-LABEL: gpu.func @sixteen(
// CHECK: vector.load %arg0{{.*}} {alignment = 16 : i64} : memref<2097152xf32
#g = #gpu.address_space<global>
module {
module @kernels {
  func.func @thirteen(%x: tensor<1703936xf32>, %d: tensor<1572864xf32> {amp.destination = 0 : i64}) -> tensor<1572864xf32> attributes {amp.kernel} {
    %3 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0 + d0 floordiv 12)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<1703936xf32>) outs(%d : tensor<1572864xf32>) {
    ^bb0(%in: f32, %out: f32):
      %4 = math.absf %in : f32
      linalg.yield %4 : f32
    } -> tensor<1572864xf32>
    return %3 : tensor<1572864xf32>
  }
  func.func @sixteen(%x: tensor<2097152xf32>, %d: tensor<1572864xf32> {amp.destination = 0 : i64}) -> tensor<1572864xf32> attributes {amp.kernel} {
    %3 = linalg.generic {indexing_maps = [affine_map<(d0) -> ((d0 floordiv 12) * 16 + d0 mod 12)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<2097152xf32>) outs(%d : tensor<1572864xf32>) {
    ^bb0(%in: f32, %out: f32):
      %4 = math.absf %in : f32
      linalg.yield %4 : f32
    } -> tensor<1572864xf32>
    return %3 : tensor<1572864xf32>
  }
}
  func.func @main(%x: memref<1703936xf32, #g>, %y: memref<2097152xf32, #g>, %d: memref<1572864xf32, #g>) {
    amp.launch @kernels::@thirteen ins(%x : memref<1703936xf32, #g>) outs(%d : memref<1572864xf32, #g>)
    amp.launch @kernels::@sixteen ins(%y : memref<2097152xf32, #g>) outs(%d : memref<1572864xf32, #g>)
    return
  }
}
