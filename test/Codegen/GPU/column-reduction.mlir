// RUN: amp-opt %s --split-input-file --amp-gpu-codegen=target=sm_90a | FileCheck %s

// The gradient of a bias: few columns, so 64 blocks share each group of 128
// columns, and a second launch merges them. Threads own vectors of four columns
// and keep four rows under way.

// CHECK-LABEL: gpu.func @bias_gradient_part0(
// CHECK-SAME: memref<1024xf32, #gpu.address_space<workgroup>>
// CHECK-SAME: known_block_size = array<i32: 256, 1, 1>
// CHECK: scf.for
// CHECK-COUNT-4: vector.load %arg0{{.*}} {alignment = 16 : i64} : memref<8192x512xf32, #gpu.address_space<global>>, vector<4xf32>
// CHECK: scf.yield
// CHECK: gpu.barrier
// CHECK: memref.store %{{.*}}, %arg2[%block_id_y,
// CHECK-LABEL: gpu.func @bias_gradient_part1(
// CHECK: memref.load %arg2[
// CHECK: vector.store %{{.*}}, %arg1[
// CHECK-LABEL: func.func @main
// CHECK: memref.alloc(%c64{{[_0-9]*}}, %c512{{[_0-9]*}}) : memref<?x?xf32, #gpu.address_space<global>>
// CHECK: gpu.launch_func @kernels::@bias_gradient_part0 blocks in (%c4{{[_0-9]*}}, %c64{{[_0-9]*}}, %c1
// CHECK: gpu.launch_func @kernels::@bias_gradient_part1 blocks in (%c4{{[_0-9]*}}, %c
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
module {
  module @functions {
    func.func @bias_gradient(%arg0: tensor<8192x512xf32>, %arg1: tensor<512xf32> {amp.destination = 0 : i64}) -> tensor<512xf32> attributes {amp.kernel} {
      %cst = arith.constant 0.000000e+00 : f32
      %0 = tensor.empty() : tensor<512xf32>
      %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<512xf32>) -> tensor<512xf32>
      %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["reduction", "parallel"]} ins(%arg0 : tensor<8192x512xf32>) outs(%1 : tensor<512xf32>) {
      ^bb0(%in: f32, %out: f32):
        %3 = arith.addf %in, %out : f32
        linalg.yield %3 : f32
      } -> tensor<512xf32>
      return %2 : tensor<512xf32>
    }
  }
  func.func @main(%arg0: memref<8192x512xf32, #gpu.address_space<global>>, %arg1: memref<512xf32, #gpu.address_space<global>>) {
    amp.launch @functions::@bias_gradient ins(%arg0 : memref<8192x512xf32, #gpu.address_space<global>>) outs(%arg1 : memref<512xf32, #gpu.address_space<global>>)
    return
  }
}


// -----

// Columns that blocks own alone: no workspace.

// CHECK-LABEL: gpu.func @column_max(
// CHECK-SAME: memref<2048xf16, #gpu.address_space<workgroup>>
// CHECK: vector.load %arg0{{.*}} vector<8xf16>
// CHECK: arith.maximumf
// CHECK: gpu.barrier
// CHECK: vector.store %{{.*}}, %arg1[
// CHECK-LABEL: func.func @main
// CHECK-NOT: memref.alloc
// CHECK: gpu.launch_func @kernels::@column_max
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
module {
  module @functions {
    func.func @column_max(%arg0: tensor<16x?xf16>, %arg1: tensor<?xf16> {amp.destination = 0 : i64}) -> tensor<?xf16> attributes {amp.kernel} {
      %cst = arith.constant 0xFC00 : f16
      %c1 = arith.constant 1 : index
      %dim = tensor.dim %arg0, %c1 : tensor<16x?xf16>
      %0 = tensor.empty(%dim) : tensor<?xf16>
      %1 = linalg.fill ins(%cst : f16) outs(%0 : tensor<?xf16>) -> tensor<?xf16>
      %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["reduction", "parallel"]} ins(%arg0 : tensor<16x?xf16>) outs(%1 : tensor<?xf16>) {
      ^bb0(%in: f16, %out: f16):
        %3 = arith.maximumf %in, %out : f16
        linalg.yield %3 : f16
      } -> tensor<?xf16>
      return %2 : tensor<?xf16>
    }
  }
  func.func @main(%arg0: memref<16x?xf16, #gpu.address_space<global>>, %arg1: memref<?xf16, #gpu.address_space<global>>) {
    amp.launch @functions::@column_max ins(%arg0 : memref<16x?xf16, #gpu.address_space<global>>) outs(%arg1 : memref<?xf16, #gpu.address_space<global>>)
    return
  }
}


// -----

// Two phases, the mean and the variance, and a result of the whole shape: three
// launches where blocks share columns, each of which merges what the earlier
// ones left.

// CHECK-LABEL: gpu.func @layer_norm(
// CHECK-LABEL: gpu.func @layer_norm_part0(
// CHECK: memref.store %{{.*}}, %arg4[%block_id_y,
// CHECK-LABEL: gpu.func @layer_norm_part1(
// CHECK: memref.load %arg4[
// CHECK: gpu.barrier
// CHECK: memref.store %{{.*}}, %arg5[%block_id_y,
// CHECK-LABEL: gpu.func @layer_norm_part2(
// CHECK: memref.load %arg4[
// CHECK: gpu.barrier
// CHECK: memref.load %arg5[
// CHECK: gpu.barrier
// CHECK: math.rsqrt
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d2)>
module {
  module @functions {
    func.func @layer_norm(%arg0: tensor<?x7x40xf32>, %arg1: tensor<40xf32>, %arg2: tensor<40xf32>, %arg3: tensor<?x7x40xf32> {amp.destination = 0 : i64}) -> tensor<?x7x40xf32> attributes {amp.kernel} {
      %c0 = arith.constant 0 : index
      %dim = tensor.dim %arg0, %c0 : tensor<?x7x40xf32>
      %c7 = arith.constant 7 : index
      %0 = arith.muli %dim, %c7 : index
      %1 = arith.index_cast %0 : index to i64
      %2 = arith.sitofp %1 : i64 to f32
      %cst = arith.constant 0.000000e+00 : f32
      %3 = tensor.empty() : tensor<40xf32>
      %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<40xf32>) -> tensor<40xf32>
      %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["reduction", "reduction", "parallel"]} ins(%arg0 : tensor<?x7x40xf32>) outs(%4 : tensor<40xf32>) {
      ^bb0(%in: f32, %out: f32):
        %13 = arith.addf %in, %out : f32
        linalg.yield %13 : f32
      } -> tensor<40xf32>
      %c0_0 = arith.constant 0 : index
      %dim_1 = tensor.dim %arg0, %c0_0 : tensor<?x7x40xf32>
      %6 = tensor.empty(%dim_1) : tensor<?x7x40xf32>
      %7 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %5 : tensor<?x7x40xf32>, tensor<40xf32>) outs(%6 : tensor<?x7x40xf32>) {
      ^bb0(%in: f32, %in_5: f32, %out: f32):
        %13 = arith.divf %in_5, %2 : f32
        %14 = arith.subf %in, %13 : f32
        linalg.yield %14 : f32
      } -> tensor<?x7x40xf32>
      %cst_2 = arith.constant 0.000000e+00 : f32
      %8 = tensor.empty() : tensor<40xf32>
      %9 = linalg.fill ins(%cst_2 : f32) outs(%8 : tensor<40xf32>) -> tensor<40xf32>
      %10 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["reduction", "reduction", "parallel"]} ins(%7 : tensor<?x7x40xf32>) outs(%9 : tensor<40xf32>) {
      ^bb0(%in: f32, %out: f32):
        %13 = arith.mulf %in, %in : f32
        %14 = arith.addf %out, %13 : f32
        linalg.yield %14 : f32
      } -> tensor<40xf32>
      %c0_3 = arith.constant 0 : index
      %dim_4 = tensor.dim %arg0, %c0_3 : tensor<?x7x40xf32>
      %11 = tensor.empty(%dim_4) : tensor<?x7x40xf32>
      %12 = linalg.generic {indexing_maps = [#map, #map1, #map1, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7, %10, %arg1, %arg2 : tensor<?x7x40xf32>, tensor<40xf32>, tensor<40xf32>, tensor<40xf32>) outs(%11 : tensor<?x7x40xf32>) {
      ^bb0(%in: f32, %in_5: f32, %in_6: f32, %in_7: f32, %out: f32):
        %cst_8 = arith.constant 9.99999974E-6 : f32
        %13 = arith.divf %in_5, %2 : f32
        %14 = arith.addf %13, %cst_8 : f32
        %15 = math.rsqrt %14 : f32
        %16 = arith.mulf %in, %15 : f32
        %17 = arith.mulf %16, %in_6 : f32
        %18 = arith.addf %17, %in_7 : f32
        linalg.yield %18 : f32
      } -> tensor<?x7x40xf32>
      return %12 : tensor<?x7x40xf32>
    }
  }
  func.func @main(%arg0: memref<?x7x40xf32, #gpu.address_space<global>>, %arg1: memref<40xf32, #gpu.address_space<global>>, %arg2: memref<40xf32, #gpu.address_space<global>>, %arg3: memref<?x7x40xf32, #gpu.address_space<global>>) {
    amp.launch @functions::@layer_norm ins(%arg0, %arg1, %arg2 : memref<?x7x40xf32, #gpu.address_space<global>>, memref<40xf32, #gpu.address_space<global>>, memref<40xf32, #gpu.address_space<global>>) outs(%arg3 : memref<?x7x40xf32, #gpu.address_space<global>>)
    return
  }
}

