// REQUIRES: ptxas
// RUN: amp-opt %s --pass-pipeline='builtin.module(amp-gpu-codegen{target=sm_80},amp-lower-gpu-to-nvvm{target=sm_80 format=cubin strict=true})' | FileCheck %s --check-prefix=CUBIN
// RUN: amp-opt %s --pass-pipeline='builtin.module(amp-gpu-codegen{target=sm_90a},amp-lower-gpu-to-nvvm{target=sm_90a format=cubin strict=true})' | FileCheck %s --check-prefix=CUBIN
// RUN: amp-opt %s --pass-pipeline='builtin.module(amp-gpu-codegen{target=sm_90a},amp-lower-gpu-to-nvvm{target=sm_90a format=ptx verbose=true})' -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=ld.local --implicit-check-not=st.local

// A layer norm of rows of 4096 elements in f16 stays in registers: with
// `strict` a spill is an error. Reads and writes of 16 bytes, one barrier for
// each of the two exchanges on the path for aligned buffers, and nothing in local
// memory.

// CUBIN: gpu.binary @kernels {{.*}}bin = "
// CHECK-LABEL: .entry layer_norm(
// CHECK: ld.global.v4.b32
// CHECK: bar{{(rier)?}}.sync
// CHECK-NEXT: ld.shared.v4
// CHECK: bar{{(rier)?}}.sync
// CHECK-NEXT: ld.shared.v4
// CHECK-NOT: bar{{(rier)?}}.sync
// CHECK: st.global.v4.b32
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
#map2 = affine_map<(d0, d1) -> (d1)>
module {
  module @functions {
    func.func @layer_norm(%arg0: tensor<?x4096xf16>, %arg1: tensor<4096xf32>, %arg2: tensor<4096xf32>, %arg3: tensor<?x4096xf16> {amp.destination = 0 : i64}) -> tensor<?x4096xf16> attributes {amp.kernel} {
      %c0 = arith.constant 0 : index
      %dim = tensor.dim %arg0, %c0 : tensor<?x4096xf16>
      %0 = tensor.empty(%dim) : tensor<?x4096xf32>
      %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<?x4096xf16>) outs(%0 : tensor<?x4096xf32>) {
      ^bb0(%in: f16, %out: f32):
        %16 = arith.extf %in : f16 to f32
        linalg.yield %16 : f32
      } -> tensor<?x4096xf32>
      %c4096 = arith.constant 4096 : index
      %2 = arith.index_cast %c4096 : index to i64
      %3 = arith.sitofp %2 : i64 to f32
      %cst = arith.constant 0.000000e+00 : f32
      %c0_0 = arith.constant 0 : index
      %dim_1 = tensor.dim %arg0, %c0_0 : tensor<?x4096xf16>
      %4 = tensor.empty(%dim_1) : tensor<?xf32>
      %5 = linalg.fill ins(%cst : f32) outs(%4 : tensor<?xf32>) -> tensor<?xf32>
      %6 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<?x4096xf32>) outs(%5 : tensor<?xf32>) {
      ^bb0(%in: f32, %out: f32):
        %16 = arith.addf %in, %out : f32
        linalg.yield %16 : f32
      } -> tensor<?xf32>
      %c0_2 = arith.constant 0 : index
      %dim_3 = tensor.dim %arg0, %c0_2 : tensor<?x4096xf16>
      %7 = tensor.empty(%dim_3) : tensor<?x4096xf32>
      %8 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%1, %6 : tensor<?x4096xf32>, tensor<?xf32>) outs(%7 : tensor<?x4096xf32>) {
      ^bb0(%in: f32, %in_11: f32, %out: f32):
        %16 = arith.divf %in_11, %3 : f32
        %17 = arith.subf %in, %16 : f32
        linalg.yield %17 : f32
      } -> tensor<?x4096xf32>
      %cst_4 = arith.constant 0.000000e+00 : f32
      %c0_5 = arith.constant 0 : index
      %dim_6 = tensor.dim %arg0, %c0_5 : tensor<?x4096xf16>
      %9 = tensor.empty(%dim_6) : tensor<?xf32>
      %10 = linalg.fill ins(%cst_4 : f32) outs(%9 : tensor<?xf32>) -> tensor<?xf32>
      %11 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%8 : tensor<?x4096xf32>) outs(%10 : tensor<?xf32>) {
      ^bb0(%in: f32, %out: f32):
        %16 = arith.mulf %in, %in : f32
        %17 = arith.addf %out, %16 : f32
        linalg.yield %17 : f32
      } -> tensor<?xf32>
      %c0_7 = arith.constant 0 : index
      %dim_8 = tensor.dim %arg0, %c0_7 : tensor<?x4096xf16>
      %12 = tensor.empty(%dim_8) : tensor<?x4096xf32>
      %13 = linalg.generic {indexing_maps = [#map, #map1, #map2, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%8, %11, %arg1, %arg2 : tensor<?x4096xf32>, tensor<?xf32>, tensor<4096xf32>, tensor<4096xf32>) outs(%12 : tensor<?x4096xf32>) {
      ^bb0(%in: f32, %in_11: f32, %in_12: f32, %in_13: f32, %out: f32):
        %cst_14 = arith.constant 9.99999974E-6 : f32
        %16 = arith.divf %in_11, %3 : f32
        %17 = arith.addf %16, %cst_14 : f32
        %18 = math.rsqrt %17 : f32
        %19 = arith.mulf %in, %18 : f32
        %20 = arith.mulf %19, %in_12 : f32
        %21 = arith.addf %20, %in_13 : f32
        linalg.yield %21 : f32
      } -> tensor<?x4096xf32>
      %c0_9 = arith.constant 0 : index
      %dim_10 = tensor.dim %arg0, %c0_9 : tensor<?x4096xf16>
      %14 = tensor.empty(%dim_10) : tensor<?x4096xf16>
      %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%13 : tensor<?x4096xf32>) outs(%14 : tensor<?x4096xf16>) {
      ^bb0(%in: f32, %out: f16):
        %16 = arith.truncf %in : f32 to f16
        linalg.yield %16 : f16
      } -> tensor<?x4096xf16>
      return %15 : tensor<?x4096xf16>
    }
  }
  func.func @main(%arg0: memref<?x4096xf16, #gpu.address_space<global>>, %arg1: memref<4096xf32, #gpu.address_space<global>>, %arg2: memref<4096xf32, #gpu.address_space<global>>, %arg3: memref<?x4096xf16, #gpu.address_space<global>>) {
    amp.launch @functions::@layer_norm ins(%arg0, %arg1, %arg2 : memref<?x4096xf16, #gpu.address_space<global>>, memref<4096xf32, #gpu.address_space<global>>, memref<4096xf32, #gpu.address_space<global>>) outs(%arg3 : memref<?x4096xf16, #gpu.address_space<global>>)
    return
  }
}

