// RUN: amp-opt %s --split-input-file --amp-gpu-codegen=target=sm_90a | FileCheck %s

// Softmax of rows that fit into the registers of 256 threads: one read of four
// vectors a thread, two exchanges with a barrier each, and the exponentials are
// kept for the results.

// CHECK-LABEL: gpu.func @softmax(
// CHECK-SAME: workgroup(%{{.*}} : memref<8xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}, %{{.*}} : memref<8xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64})
// CHECK-SAME: known_block_size = array<i32: 256, 1, 1>
// CHECK: %[[POINTER:.*]] = memref.extract_aligned_pointer_as_index
// CHECK: scf.if
// CHECK-COUNT-4: vector.load %arg0{{.*}} {alignment = 16 : i64} : memref<?x4096xf32, #gpu.address_space<global>>, vector<4xf32>
// CHECK-NOT: vector.load %arg0
// CHECK-COUNT-5: gpu.shuffle xor
// CHECK-NOT: gpu.shuffle
// CHECK: gpu.barrier
// CHECK-COUNT-2: vector.load %{{.*}} {alignment = 16 : i64} : memref<8xf32, #gpu.address_space<workgroup>>, vector<4xf32>
// CHECK-COUNT-4: math.exp %{{.*}} : vector<4xf32>
// CHECK-NOT: math.exp
// CHECK-COUNT-5: gpu.shuffle xor
// CHECK: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK-COUNT-4: vector.store %{{.*}} {alignment = 16 : i64}
// CHECK: } else {
// CHECK-COUNT-16: memref.load %arg0
// CHECK: gpu.return
// CHECK-LABEL: func.func @main
// CHECK: %[[ROWS:.*]] = memref.dim %arg
// CHECK: gpu.launch_func @kernels::@softmax blocks in (%[[ROWS]], %{{.*}}, %{{.*}}) threads in
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
module {
  module @functions {
    func.func @softmax(%x: tensor<?x4096xf32>,
        %d: tensor<?x4096xf32> {amp.destination = 0 : i64})
        -> tensor<?x4096xf32> attributes {amp.kernel} {
      %c0 = arith.constant 0 : index
      %low = arith.constant 0xFF800000 : f32
      %zero = arith.constant 0.0 : f32
      %n = tensor.dim %x, %c0 : tensor<?x4096xf32>
      %e = tensor.empty(%n) : tensor<?xf32>
      %f = linalg.fill ins(%low : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
      %m = linalg.generic {indexing_maps = [#id, #row],
          iterator_types = ["parallel", "reduction"]}
          ins(%x : tensor<?x4096xf32>) outs(%f : tensor<?xf32>) {
      ^bb0(%a: f32, %b: f32):
        %r = arith.maximumf %a, %b : f32
        linalg.yield %r : f32
      } -> tensor<?xf32>
      %e2 = tensor.empty(%n) : tensor<?x4096xf32>
      %p = linalg.generic {indexing_maps = [#id, #row, #id],
          iterator_types = ["parallel", "parallel"]}
          ins(%x, %m : tensor<?x4096xf32>, tensor<?xf32>)
          outs(%e2 : tensor<?x4096xf32>) {
      ^bb0(%a: f32, %b: f32, %o: f32):
        %s = arith.subf %a, %b : f32
        %r = math.exp %s : f32
        linalg.yield %r : f32
      } -> tensor<?x4096xf32>
      %g = linalg.fill ins(%zero : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
      %t = linalg.generic {indexing_maps = [#id, #row],
          iterator_types = ["parallel", "reduction"]}
          ins(%p : tensor<?x4096xf32>) outs(%g : tensor<?xf32>) {
      ^bb0(%a: f32, %b: f32):
        %r = arith.addf %a, %b : f32
        linalg.yield %r : f32
      } -> tensor<?xf32>
      %y = linalg.generic {indexing_maps = [#id, #row, #id],
          iterator_types = ["parallel", "parallel"]}
          ins(%p, %t : tensor<?x4096xf32>, tensor<?xf32>)
          outs(%d : tensor<?x4096xf32>) {
      ^bb0(%a: f32, %b: f32, %o: f32):
        %r = arith.divf %a, %b : f32
        linalg.yield %r : f32
      } -> tensor<?x4096xf32>
      return %y : tensor<?x4096xf32>
    }
  }
  func.func @main(%x: memref<?x4096xf32, #gpu.address_space<global>>,
                  %y: memref<?x4096xf32, #gpu.address_space<global>>) {
    amp.launch @functions::@softmax
        ins(%x : memref<?x4096xf32, #gpu.address_space<global>>)
        outs(%y : memref<?x4096xf32, #gpu.address_space<global>>)
    return
  }
}

// -----

// Sizes that only run time tells: rows in the registers of a warp, of a block,
// a loop over the row for each phase, and parts of a row for each block with a
// second launch that merges them. Of the first three those that are not meant
// get an empty grid. A row of at most a warp needs no barrier.

// CHECK-LABEL: gpu.func @row_sum_to1024(
// CHECK-NOT: workgroup
// CHECK: known_block_size = array<i32: 128, 1, 1>
// CHECK-NOT: gpu.barrier
// CHECK-LABEL: gpu.func @row_sum_to4096(
// CHECK-SAME: known_block_size = array<i32: 256, 1, 1>
// Aligned rows, peeled ones, and single elements.
// CHECK-COUNT-3: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK-LABEL: gpu.func @row_sum_loop(
// CHECK-SAME: known_block_size = array<i32: 512, 1, 1>
// CHECK: scf.for
// CHECK-LABEL: gpu.func @row_sum_part0(
// CHECK: memref.store %{{.*}}, %arg2[%block_id_x, %block_id_y]
// CHECK-LABEL: gpu.func @row_sum_part1(
// CHECK: memref.load %arg2[%block_id_x, %{{.*}}]
// CHECK-LABEL: func.func @main
// CHECK: gpu.launch_func @kernels::@row_sum_to1024 blocks in
// CHECK: gpu.launch_func @kernels::@row_sum_to4096 blocks in
// CHECK: scf.if
// CHECK: %[[BUFFER:.*]] = memref.alloc(%[[ROWS:.*]], %[[PARTS:.*]]) : memref<?x?xf32, #gpu.address_space<global>>
// CHECK: gpu.launch_func @kernels::@row_sum_part0 blocks in (%[[ROWS]], %[[PARTS]], %{{.*}})
// CHECK: gpu.launch_func @kernels::@row_sum_part1 blocks in (%[[ROWS]], %{{.*}}, %{{.*}})
// CHECK: } else {
// CHECK: gpu.launch_func @kernels::@row_sum_loop
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
module {
  module @functions {
    func.func @row_sum(%arg0: tensor<?x?xf32>, %arg1: tensor<?xf32> {amp.destination = 0 : i64}) -> tensor<?xf32> attributes {amp.kernel} {
      %cst = arith.constant 0.000000e+00 : f32
      %c0 = arith.constant 0 : index
      %dim = tensor.dim %arg0, %c0 : tensor<?x?xf32>
      %0 = tensor.empty(%dim) : tensor<?xf32>
      %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<?xf32>) -> tensor<?xf32>
      %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<?x?xf32>) outs(%1 : tensor<?xf32>) {
      ^bb0(%in: f32, %out: f32):
        %3 = arith.addf %in, %out : f32
        linalg.yield %3 : f32
      } -> tensor<?xf32>
      return %2 : tensor<?xf32>
    }
  }
  func.func @main(%arg0: memref<?x?xf32, #gpu.address_space<global>>, %arg1: memref<?xf32, #gpu.address_space<global>>) {
    amp.launch @functions::@row_sum ins(%arg0 : memref<?x?xf32, #gpu.address_space<global>>) outs(%arg1 : memref<?xf32, #gpu.address_space<global>>)
    return
  }
}


// -----

// Four rows side by side in a block, one for each warp; a choice between
// elements also carries the position of the chosen one, in two words, and the
// earlier of two partial results is the accumulator of the payload.

// CHECK-LABEL: gpu.func @argmax(
// CHECK-SAME: known_block_size = array<i32: 128, 1, 1>
// CHECK: scf.if
// CHECK-COUNT-8: vector.load %arg0{{.*}} vector<4xf32>
// CHECK: gpu.shuffle xor %{{.*}} : f32
// CHECK-COUNT-4: gpu.shuffle xor %{{.*}} : i32
// CHECK: %[[SWAPS:.*]] = arith.cmpi slt
// CHECK: %[[FIRST:.*]] = arith.select %[[SWAPS]], %[[B:.*]], %[[A:.*]] : f32
// CHECK: %[[SECOND:.*]] = arith.select %[[SWAPS]], %[[A]], %[[B]] : f32
// CHECK: arith.cmpf ogt, %[[SECOND]], %[[FIRST]] : f32
// CHECK-NOT: gpu.barrier
// CHECK-LABEL: func.func @main
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
module {
  module @functions {
    func.func @argmax(%arg0: tensor<?x1024xf32>, %arg1: tensor<?xf32> {amp.destination = 0 : i64}, %arg2: tensor<?xi64> {amp.destination = 1 : i64}) -> (tensor<?xf32>, tensor<?xi64>) attributes {amp.kernel} {
      %cst = arith.constant 0xFF800000 : f32
      %c0 = arith.constant 0 : index
      %dim = tensor.dim %arg0, %c0 : tensor<?x1024xf32>
      %0 = tensor.empty(%dim) : tensor<?xf32>
      %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<?xf32>) -> tensor<?xf32>
      %c0_i64 = arith.constant 0 : i64
      %c0_0 = arith.constant 0 : index
      %dim_1 = tensor.dim %arg0, %c0_0 : tensor<?x1024xf32>
      %2 = tensor.empty(%dim_1) : tensor<?xi64>
      %3 = linalg.fill ins(%c0_i64 : i64) outs(%2 : tensor<?xi64>) -> tensor<?xi64>
      %4:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<?x1024xf32>) outs(%1, %3 : tensor<?xf32>, tensor<?xi64>) {
      ^bb0(%in: f32, %out: f32, %out_2: i64):
        %5 = linalg.index 1 : index
        %6 = arith.index_cast %5 : index to i64
        %7 = arith.cmpf ogt, %in, %out : f32
        %8 = arith.select %7, %in, %out : f32
        %9 = arith.select %7, %6, %out_2 : i64
        linalg.yield %8, %9 : f32, i64
      } -> (tensor<?xf32>, tensor<?xi64>)
      return %4#0, %4#1 : tensor<?xf32>, tensor<?xi64>
    }
  }
  func.func @main(%arg0: memref<?x1024xf32, #gpu.address_space<global>>, %arg1: memref<?xf32, #gpu.address_space<global>>, %arg2: memref<?xi64, #gpu.address_space<global>>) {
    amp.launch @functions::@argmax ins(%arg0 : memref<?x1024xf32, #gpu.address_space<global>>) outs(%arg1, %arg2 : memref<?xf32, #gpu.address_space<global>>, memref<?xi64, #gpu.address_space<global>>)
    return
  }
}


// -----

// An odd size: every row has its own first aligned vector, by its address, and
// up to 14 elements before and after its vectors, one for a thread. A test at
// run time says that the rows of the result are aligned like those of the
// input; else elements are read one by one.

// CHECK-LABEL: gpu.func @softmax(
// CHECK: %[[POINTER:.*]] = memref.extract_aligned_pointer_as_index %arg1
// CHECK: %[[FIRST:.*]] = arith.divui %[[POINTER]], %{{.*}}
// CHECK: memref.extract_aligned_pointer_as_index %arg0
// CHECK: scf.if
// CHECK: %[[ROW:.*]] = arith.muli %block_id_x, %c4099
// CHECK: %[[PLACE:.*]] = arith.addi %[[FIRST]], %[[ROW]]
// CHECK: arith.remui %[[PLACE]], %c8
// CHECK-COUNT-2: vector.load %arg0{{.*}} {alignment = 16 : i64} : {{.*}}, vector<8xf16>
// CHECK-NOT: vector.load %arg0
// CHECK-COUNT-1: memref.load %arg0
// CHECK-NOT: memref.load %arg0
// CHECK-COUNT-2: vector.store {{.*}} {alignment = 16 : i64}
// CHECK-NOT: vector.store
// CHECK: } else {
// CHECK-COUNT-17: memref.load %arg0
// CHECK-NOT: memref.load %arg0
// CHECK-LABEL: func.func @main
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
module {
  module @functions {
    func.func @softmax(%arg0: tensor<5x4099xf16>, %arg1: tensor<5x4099xf16> {amp.destination = 0 : i64}) -> tensor<5x4099xf16> attributes {amp.kernel} {
      %0 = tensor.empty() : tensor<5x4099xf32>
      %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<5x4099xf16>) outs(%0 : tensor<5x4099xf32>) {
      ^bb0(%in: f16, %out: f32):
        %14 = arith.extf %in : f16 to f32
        linalg.yield %14 : f32
      } -> tensor<5x4099xf32>
      %cst = arith.constant 0xFF800000 : f32
      %2 = tensor.empty() : tensor<5xf32>
      %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<5xf32>) -> tensor<5xf32>
      %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<5x4099xf32>) outs(%3 : tensor<5xf32>) {
      ^bb0(%in: f32, %out: f32):
        %14 = arith.maximumf %in, %out : f32
        linalg.yield %14 : f32
      } -> tensor<5xf32>
      %5 = tensor.empty() : tensor<5x4099xf32>
      %6 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%1, %4 : tensor<5x4099xf32>, tensor<5xf32>) outs(%5 : tensor<5x4099xf32>) {
      ^bb0(%in: f32, %in_1: f32, %out: f32):
        %14 = arith.subf %in, %in_1 : f32
        %15 = math.exp %14 : f32
        linalg.yield %15 : f32
      } -> tensor<5x4099xf32>
      %cst_0 = arith.constant 0.000000e+00 : f32
      %7 = tensor.empty() : tensor<5xf32>
      %8 = linalg.fill ins(%cst_0 : f32) outs(%7 : tensor<5xf32>) -> tensor<5xf32>
      %9 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%6 : tensor<5x4099xf32>) outs(%8 : tensor<5xf32>) {
      ^bb0(%in: f32, %out: f32):
        %14 = arith.addf %in, %out : f32
        linalg.yield %14 : f32
      } -> tensor<5xf32>
      %10 = tensor.empty() : tensor<5x4099xf32>
      %11 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%6, %9 : tensor<5x4099xf32>, tensor<5xf32>) outs(%10 : tensor<5x4099xf32>) {
      ^bb0(%in: f32, %in_1: f32, %out: f32):
        %14 = arith.divf %in, %in_1 : f32
        linalg.yield %14 : f32
      } -> tensor<5x4099xf32>
      %12 = tensor.empty() : tensor<5x4099xf16>
      %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%11 : tensor<5x4099xf32>) outs(%12 : tensor<5x4099xf16>) {
      ^bb0(%in: f32, %out: f16):
        %14 = arith.truncf %in : f32 to f16
        linalg.yield %14 : f16
      } -> tensor<5x4099xf16>
      return %13 : tensor<5x4099xf16>
    }
  }
  func.func @main(%arg0: memref<5x4099xf16, #gpu.address_space<global>>, %arg1: memref<5x4099xf16, #gpu.address_space<global>>) {
    amp.launch @functions::@softmax ins(%arg0 : memref<5x4099xf16, #gpu.address_space<global>>) outs(%arg1 : memref<5x4099xf16, #gpu.address_space<global>>)
    return
  }
}


// -----

// All elements: one row, which many blocks share.

// CHECK-LABEL: gpu.func @full_max_part0(
// CHECK: vector.load %arg0{{.*}} vector<4xf32>
// CHECK: arith.maximumf
// CHECK-LABEL: gpu.func @full_max_part1(
// CHECK: memref.store %{{.*}}, %arg1[] : memref<f32
// CHECK-LABEL: func.func @main
// CHECK: gpu.launch_func @kernels::@full_max_part0 blocks in (%c1{{[_0-9]*}}, %c122{{[_0-9]*}}, %c1
// CHECK: gpu.launch_func @kernels::@full_max_part1 blocks in
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> ()>
module {
  module @functions {
    func.func @full_max(%arg0: tensor<1000x1000xf32>, %arg1: tensor<f32> {amp.destination = 0 : i64}) -> tensor<f32> attributes {amp.kernel} {
      %cst = arith.constant 0xFF800000 : f32
      %0 = tensor.empty() : tensor<f32>
      %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<f32>) -> tensor<f32>
      %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["reduction", "reduction"]} ins(%arg0 : tensor<1000x1000xf32>) outs(%1 : tensor<f32>) {
      ^bb0(%in: f32, %out: f32):
        %3 = arith.maximumf %in, %out : f32
        linalg.yield %3 : f32
      } -> tensor<f32>
      return %2 : tensor<f32>
    }
  }
  func.func @main(%arg0: memref<1000x1000xf32, #gpu.address_space<global>>, %arg1: memref<f32, #gpu.address_space<global>>) {
    amp.launch @functions::@full_max ins(%arg0 : memref<1000x1000xf32, #gpu.address_space<global>>) outs(%arg1 : memref<f32, #gpu.address_space<global>>)
    return
  }
}

