// RUN: amp-opt %s --amp-gpu-codegen=target=sim --amp-lower-to-simulator | %simulate | FileCheck %s

// The small tiles that mma-sync has for few, long rows and columns, whose stages
// hold 128 bytes of k in a longer ring: run by the simulator and compared with
// the same functions on the host, bit for bit.

// CHECK: skinny16 0
// CHECK-NEXT: skinny32 0
// CHECK-NEXT: odd 0

#g = #gpu.address_space<global>

module @kernels {
  // Tile 16 x 32.
  func.func @skinny16(%a0: tensor<7x1032xf16>, %a1: tensor<1032x40xf16>, %d: tensor<7x40xf32> {amp.destination = 0 : i64}) -> tensor<7x40xf32>
      attributes {amp.kernel} {
    %z_ = arith.constant 0.0 : f32
      %f_ = linalg.fill ins(%z_ : f32) outs(%d : tensor<7x40xf32>) -> tensor<7x40xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a0, %a1 : tensor<7x1032xf16>, tensor<1032x40xf16>) outs(%f_ : tensor<7x40xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<7x40xf32>
    return %c : tensor<7x40xf32>
  }
  // Tile 32 x 32, B along k.
  func.func @skinny32(%a0: tensor<32x520xf16>, %a1: tensor<72x520xf16>, %d: tensor<32x72xf32> {amp.destination = 0 : i64}) -> tensor<32x72xf32>
      attributes {amp.kernel} {
    %z_ = arith.constant 0.0 : f32
      %f_ = linalg.fill ins(%z_ : f32) outs(%d : tensor<32x72xf32>) -> tensor<32x72xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a0, %a1 : tensor<32x520xf16>, tensor<72x520xf16>) outs(%f_ : tensor<32x72xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<32x72xf32>
    return %c : tensor<32x72xf32>
  }
  // Tile 32 x 32, odd sizes: single elements.
  func.func @odd(%a0: tensor<35x521xf16>, %a1: tensor<521x37xf16>, %d: tensor<35x37xf32> {amp.destination = 0 : i64}) -> tensor<35x37xf32>
      attributes {amp.kernel} {
    %z_ = arith.constant 0.0 : f32
      %f_ = linalg.fill ins(%z_ : f32) outs(%d : tensor<35x37xf32>) -> tensor<35x37xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a0, %a1 : tensor<35x521xf16>, tensor<521x37xf16>) outs(%f_ : tensor<35x37xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<35x37xf32>
    return %c : tensor<35x37xf32>
  }
}

// The same functions on the host.
func.func private @ref_skinny16(%arg0: memref<7x1032xf16>, %arg1: memref<1032x40xf16>, %arg2: memref<7x40xf32>) -> memref<7x40xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  linalg.fill ins(%cst : f32) outs(%arg2 : memref<7x40xf32>)
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : memref<7x1032xf16>, memref<1032x40xf16>) outs(%arg2 : memref<7x40xf32>) {
  ^bb0(%in: f16, %in_0: f16, %out: f32):
    %0 = arith.extf %in : f16 to f32
    %1 = arith.extf %in_0 : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %out, %2 : f32
    linalg.yield %3 : f32
  }
  return %arg2 : memref<7x40xf32>
}
func.func private @ref_skinny32(%arg0: memref<32x520xf16>, %arg1: memref<72x520xf16>, %arg2: memref<32x72xf32>) -> memref<32x72xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  linalg.fill ins(%cst : f32) outs(%arg2 : memref<32x72xf32>)
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : memref<32x520xf16>, memref<72x520xf16>) outs(%arg2 : memref<32x72xf32>) {
  ^bb0(%in: f16, %in_0: f16, %out: f32):
    %0 = arith.extf %in : f16 to f32
    %1 = arith.extf %in_0 : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %out, %2 : f32
    linalg.yield %3 : f32
  }
  return %arg2 : memref<32x72xf32>
}
func.func private @ref_odd(%arg0: memref<35x521xf16>, %arg1: memref<521x37xf16>, %arg2: memref<35x37xf32>) -> memref<35x37xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  linalg.fill ins(%cst : f32) outs(%arg2 : memref<35x37xf32>)
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : memref<35x521xf16>, memref<521x37xf16>) outs(%arg2 : memref<35x37xf32>) {
  ^bb0(%in: f16, %in_0: f16, %out: f32):
    %0 = arith.extf %in : f16 to f32
    %1 = arith.extf %in_0 : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %out, %2 : f32
    linalg.yield %3 : f32
  }
  return %arg2 : memref<35x37xf32>
}

// Small integers: their sums are exact in all types.
func.func @fill_f16(%o: memref<?xf16>, %seed: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %c7 = arith.constant 7 : index
  %c11 = arith.constant 1103515245 : index
  %c16 = arith.constant 16 : index
  %three = arith.constant 3 : i32
  %n = memref.dim %o, %c0 : memref<?xf16>
  scf.for %i = %c0 to %n step %c1 {
      %x0 = arith.addi %i, %seed : index
      %x1 = arith.muli %x0, %c11 : index
      %x2 = arith.shrui %x1, %c16 : index
      %x4 = arith.remui %x2, %c7 : index
      %w0 = arith.index_cast %x4 : index to i32
      %w = arith.subi %w0, %three : i32
      %v = arith.sitofp %w : i32 to f16
      memref.store %v, %o[%i] : memref<?xf16>
  }
  return
}
func.func @fill_f32(%o: memref<?xf32>, %seed: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %c7 = arith.constant 7 : index
  %c11 = arith.constant 1103515245 : index
  %c16 = arith.constant 16 : index
  %three = arith.constant 3 : i32
  %n = memref.dim %o, %c0 : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
      %x0 = arith.addi %i, %seed : index
      %x1 = arith.muli %x0, %c11 : index
      %x2 = arith.shrui %x1, %c16 : index
      %x4 = arith.remui %x2, %c7 : index
      %w0 = arith.index_cast %x4 : index to i32
      %w = arith.subi %w0, %three : i32
      %v = arith.sitofp %w : i32 to f32
      memref.store %v, %o[%i] : memref<?xf32>
  }
  return
}
// Prints how many elements differ.
func.func @compare_f32(%a: memref<?xf32>, %b: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%c = %c0) -> (index) {
    %x = memref.load %a[%i] : memref<?xf32>
    %y = memref.load %b[%i] : memref<?xf32>
    %ne = arith.cmpf une, %x, %y : f32
    %d = arith.select %ne, %c1, %c0 : index
    %e = arith.addi %c, %d : index
    scf.yield %e : index
  }
  vector.print %r : index
  return
}

func.func @main() {
  %seed0 = arith.constant 0 : index
  %seed1 = arith.constant 17 : index
  %seed2 = arith.constant 34 : index
  vector.print str "skinny16 "
  %skinny16_0 = memref.alloc() {alignment = 64} : memref<7x1032xf16>
  %skinny16_0_flat = memref.reinterpret_cast %skinny16_0 to offset: [0], sizes: [7224], strides: [1] : memref<7x1032xf16> to memref<7224xf16>
  %skinny16_0_all = memref.cast %skinny16_0_flat : memref<7224xf16> to memref<?xf16>
  call @fill_f16(%skinny16_0_all, %seed0) : (memref<?xf16>, index) -> ()
  %skinny16_0_g = memref.memory_space_cast %skinny16_0 : memref<7x1032xf16> to memref<7x1032xf16, #g>
  %skinny16_1 = memref.alloc() {alignment = 64} : memref<1032x40xf16>
  %skinny16_1_flat = memref.reinterpret_cast %skinny16_1 to offset: [0], sizes: [41280], strides: [1] : memref<1032x40xf16> to memref<41280xf16>
  %skinny16_1_all = memref.cast %skinny16_1_flat : memref<41280xf16> to memref<?xf16>
  call @fill_f16(%skinny16_1_all, %seed1) : (memref<?xf16>, index) -> ()
  %skinny16_1_g = memref.memory_space_cast %skinny16_1 : memref<1032x40xf16> to memref<1032x40xf16, #g>
  %skinny16_2 = memref.alloc() {alignment = 64} : memref<7x40xf32>
  %skinny16_2_flat = memref.reinterpret_cast %skinny16_2 to offset: [0], sizes: [280], strides: [1] : memref<7x40xf32> to memref<280xf32>
  %skinny16_2_all = memref.cast %skinny16_2_flat : memref<280xf32> to memref<?xf32>
  call @fill_f32(%skinny16_2_all, %seed2) : (memref<?xf32>, index) -> ()
  %skinny16_2_g = memref.memory_space_cast %skinny16_2 : memref<7x40xf32> to memref<7x40xf32, #g>
  %skinny16_3 = memref.alloc() {alignment = 64} : memref<7x40xf32>
  %skinny16_3_flat = memref.reinterpret_cast %skinny16_3 to offset: [0], sizes: [280], strides: [1] : memref<7x40xf32> to memref<280xf32>
  %skinny16_3_all = memref.cast %skinny16_3_flat : memref<280xf32> to memref<?xf32>
  call @fill_f32(%skinny16_3_all, %seed2) : (memref<?xf32>, index) -> ()
  amp.launch @kernels::@skinny16 ins(%skinny16_0_g, %skinny16_1_g : memref<7x1032xf16, #g>, memref<1032x40xf16, #g>) outs(%skinny16_2_g : memref<7x40xf32, #g>)
  %skinny16_ref = call @ref_skinny16(%skinny16_0, %skinny16_1, %skinny16_3) : (memref<7x1032xf16>, memref<1032x40xf16>, memref<7x40xf32>) -> memref<7x40xf32>
  %skinny16_ref_flat = memref.reinterpret_cast %skinny16_ref to offset: [0], sizes: [280], strides: [1] : memref<7x40xf32> to memref<280xf32>
  %skinny16_ref_all = memref.cast %skinny16_ref_flat : memref<280xf32> to memref<?xf32>
  call @compare_f32(%skinny16_2_all, %skinny16_ref_all) : (memref<?xf32>, memref<?xf32>) -> ()
  vector.print str "skinny32 "
  %skinny32_0 = memref.alloc() {alignment = 64} : memref<32x520xf16>
  %skinny32_0_flat = memref.reinterpret_cast %skinny32_0 to offset: [0], sizes: [16640], strides: [1] : memref<32x520xf16> to memref<16640xf16>
  %skinny32_0_all = memref.cast %skinny32_0_flat : memref<16640xf16> to memref<?xf16>
  call @fill_f16(%skinny32_0_all, %seed0) : (memref<?xf16>, index) -> ()
  %skinny32_0_g = memref.memory_space_cast %skinny32_0 : memref<32x520xf16> to memref<32x520xf16, #g>
  %skinny32_1 = memref.alloc() {alignment = 64} : memref<72x520xf16>
  %skinny32_1_flat = memref.reinterpret_cast %skinny32_1 to offset: [0], sizes: [37440], strides: [1] : memref<72x520xf16> to memref<37440xf16>
  %skinny32_1_all = memref.cast %skinny32_1_flat : memref<37440xf16> to memref<?xf16>
  call @fill_f16(%skinny32_1_all, %seed1) : (memref<?xf16>, index) -> ()
  %skinny32_1_g = memref.memory_space_cast %skinny32_1 : memref<72x520xf16> to memref<72x520xf16, #g>
  %skinny32_2 = memref.alloc() {alignment = 64} : memref<32x72xf32>
  %skinny32_2_flat = memref.reinterpret_cast %skinny32_2 to offset: [0], sizes: [2304], strides: [1] : memref<32x72xf32> to memref<2304xf32>
  %skinny32_2_all = memref.cast %skinny32_2_flat : memref<2304xf32> to memref<?xf32>
  call @fill_f32(%skinny32_2_all, %seed2) : (memref<?xf32>, index) -> ()
  %skinny32_2_g = memref.memory_space_cast %skinny32_2 : memref<32x72xf32> to memref<32x72xf32, #g>
  %skinny32_3 = memref.alloc() {alignment = 64} : memref<32x72xf32>
  %skinny32_3_flat = memref.reinterpret_cast %skinny32_3 to offset: [0], sizes: [2304], strides: [1] : memref<32x72xf32> to memref<2304xf32>
  %skinny32_3_all = memref.cast %skinny32_3_flat : memref<2304xf32> to memref<?xf32>
  call @fill_f32(%skinny32_3_all, %seed2) : (memref<?xf32>, index) -> ()
  amp.launch @kernels::@skinny32 ins(%skinny32_0_g, %skinny32_1_g : memref<32x520xf16, #g>, memref<72x520xf16, #g>) outs(%skinny32_2_g : memref<32x72xf32, #g>)
  %skinny32_ref = call @ref_skinny32(%skinny32_0, %skinny32_1, %skinny32_3) : (memref<32x520xf16>, memref<72x520xf16>, memref<32x72xf32>) -> memref<32x72xf32>
  %skinny32_ref_flat = memref.reinterpret_cast %skinny32_ref to offset: [0], sizes: [2304], strides: [1] : memref<32x72xf32> to memref<2304xf32>
  %skinny32_ref_all = memref.cast %skinny32_ref_flat : memref<2304xf32> to memref<?xf32>
  call @compare_f32(%skinny32_2_all, %skinny32_ref_all) : (memref<?xf32>, memref<?xf32>) -> ()
  vector.print str "odd "
  %odd_0 = memref.alloc() {alignment = 64} : memref<35x521xf16>
  %odd_0_flat = memref.reinterpret_cast %odd_0 to offset: [0], sizes: [18235], strides: [1] : memref<35x521xf16> to memref<18235xf16>
  %odd_0_all = memref.cast %odd_0_flat : memref<18235xf16> to memref<?xf16>
  call @fill_f16(%odd_0_all, %seed0) : (memref<?xf16>, index) -> ()
  %odd_0_g = memref.memory_space_cast %odd_0 : memref<35x521xf16> to memref<35x521xf16, #g>
  %odd_1 = memref.alloc() {alignment = 64} : memref<521x37xf16>
  %odd_1_flat = memref.reinterpret_cast %odd_1 to offset: [0], sizes: [19277], strides: [1] : memref<521x37xf16> to memref<19277xf16>
  %odd_1_all = memref.cast %odd_1_flat : memref<19277xf16> to memref<?xf16>
  call @fill_f16(%odd_1_all, %seed1) : (memref<?xf16>, index) -> ()
  %odd_1_g = memref.memory_space_cast %odd_1 : memref<521x37xf16> to memref<521x37xf16, #g>
  %odd_2 = memref.alloc() {alignment = 64} : memref<35x37xf32>
  %odd_2_flat = memref.reinterpret_cast %odd_2 to offset: [0], sizes: [1295], strides: [1] : memref<35x37xf32> to memref<1295xf32>
  %odd_2_all = memref.cast %odd_2_flat : memref<1295xf32> to memref<?xf32>
  call @fill_f32(%odd_2_all, %seed2) : (memref<?xf32>, index) -> ()
  %odd_2_g = memref.memory_space_cast %odd_2 : memref<35x37xf32> to memref<35x37xf32, #g>
  %odd_3 = memref.alloc() {alignment = 64} : memref<35x37xf32>
  %odd_3_flat = memref.reinterpret_cast %odd_3 to offset: [0], sizes: [1295], strides: [1] : memref<35x37xf32> to memref<1295xf32>
  %odd_3_all = memref.cast %odd_3_flat : memref<1295xf32> to memref<?xf32>
  call @fill_f32(%odd_3_all, %seed2) : (memref<?xf32>, index) -> ()
  amp.launch @kernels::@odd ins(%odd_0_g, %odd_1_g : memref<35x521xf16, #g>, memref<521x37xf16, #g>) outs(%odd_2_g : memref<35x37xf32, #g>)
  %odd_ref = call @ref_odd(%odd_0, %odd_1, %odd_3) : (memref<35x521xf16>, memref<521x37xf16>, memref<35x37xf32>) -> memref<35x37xf32>
  %odd_ref_flat = memref.reinterpret_cast %odd_ref to offset: [0], sizes: [1295], strides: [1] : memref<35x37xf32> to memref<1295xf32>
  %odd_ref_all = memref.cast %odd_ref_flat : memref<1295xf32> to memref<?xf32>
  call @compare_f32(%odd_2_all, %odd_ref_all) : (memref<?xf32>, memref<?xf32>) -> ()
  return
}
