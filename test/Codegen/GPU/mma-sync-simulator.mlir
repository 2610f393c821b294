// RUN: amp-opt %s --amp-gpu-codegen=target=sim --amp-lower-to-simulator | %simulate | FileCheck %s

// The tiles and layouts of mma-sync, run by the simulator and compared with the
// same functions on the host, bit for bit.

// CHECK: skinny16 0
// CHECK-NEXT: skinny32 0
// CHECK-NEXT: thin 0
// CHECK-NEXT: odd 0
// CHECK-NEXT: qk 0
// CHECK-NEXT: pv 0
// CHECK-NEXT: ct 0

#g = #gpu.address_space<global>

module @kernels {
  // Tile 16 x 128.
  func.func @skinny16(%a0: tensor<7x72xf16>, %a1: tensor<72x264xf16>, %d: tensor<7x264xf32> {amp.destination = 0 : i64}) -> tensor<7x264xf32>
      attributes {amp.kernel} {
    %z_ = arith.constant 0.0 : f32
      %f_ = linalg.fill ins(%z_ : f32) outs(%d : tensor<7x264xf32>) -> tensor<7x264xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a0, %a1 : tensor<7x72xf16>, tensor<72x264xf16>) outs(%f_ : tensor<7x264xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<7x264xf32>
    return %c : tensor<7x264xf32>
  }
  // Tile 32 x 128, B along k.
  func.func @skinny32(%a0: tensor<32x40xf16>, %a1: tensor<136x40xf16>, %d: tensor<32x136xf32> {amp.destination = 0 : i64}) -> tensor<32x136xf32>
      attributes {amp.kernel} {
    %z_ = arith.constant 0.0 : f32
      %f_ = linalg.fill ins(%z_ : f32) outs(%d : tensor<32x136xf32>) -> tensor<32x136xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a0, %a1 : tensor<32x40xf16>, tensor<136x40xf16>) outs(%f_ : tensor<32x136xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<32x136xf32>
    return %c : tensor<32x136xf32>
  }
  // Tile 128 x 32, A along m.
  func.func @thin(%a0: tensor<40x200xf16>, %a1: tensor<40x24xf16>, %d: tensor<200x24xf32> {amp.destination = 0 : i64}) -> tensor<200x24xf32>
      attributes {amp.kernel} {
    %z_ = arith.constant 0.0 : f32
      %f_ = linalg.fill ins(%z_ : f32) outs(%d : tensor<200x24xf32>) -> tensor<200x24xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a0, %a1 : tensor<40x200xf16>, tensor<40x24xf16>) outs(%f_ : tensor<200x24xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<200x24xf32>
    return %c : tensor<200x24xf32>
  }
  // Odd sizes: single elements.
  func.func @odd(%a0: tensor<65x33xf16>, %a1: tensor<33x67xf16>, %d: tensor<65x67xf32> {amp.destination = 0 : i64}) -> tensor<65x67xf32>
      attributes {amp.kernel} {
    %z_ = arith.constant 0.0 : f32
      %f_ = linalg.fill ins(%z_ : f32) outs(%d : tensor<65x67xf32>) -> tensor<65x67xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a0, %a1 : tensor<65x33xf16>, tensor<33x67xf16>) outs(%f_ : tensor<65x67xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<65x67xf32>
    return %c : tensor<65x67xf32>
  }
  // Q K^T of [batch, sequence, head, d].
  func.func @qk(%a0: tensor<2x40x3x16xf16>, %a1: tensor<2x40x3x16xf16>, %d: tensor<2x3x40x40xf16> {amp.destination = 0 : i64}) -> tensor<2x3x40x40xf16>
      attributes {amp.kernel} {
    %z_ = arith.constant 0.0 : f32
    %e_ = tensor.empty() : tensor<2x3x40x40xf32>
    %f_ = linalg.fill ins(%z_ : f32) outs(%e_ : tensor<2x3x40x40xf32>) -> tensor<2x3x40x40xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(b, h, i, j, d) -> (b, i, h, d)>, affine_map<(b, h, i, j, d) -> (b, j, h, d)>, affine_map<(b, h, i, j, d) -> (b, h, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%a0, %a1 : tensor<2x40x3x16xf16>, tensor<2x40x3x16xf16>) outs(%f_ : tensor<2x3x40x40xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<2x3x40x40xf32>
    %o = linalg.generic {indexing_maps = [affine_map<(b,h,i,j)->(b,h,i,j)>, affine_map<(b,h,i,j)->(b,h,i,j)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c : tensor<2x3x40x40xf32>) outs(%d : tensor<2x3x40x40xf16>) {
    ^bb0(%x0: f32, %o: f16):
      %t = arith.truncf %x0 : f32 to f16
      linalg.yield %t : f16
    } -> tensor<2x3x40x40xf16>
    return %o : tensor<2x3x40x40xf16>
  }
  // P V, the result written as [batch, sequence, head, d].
  func.func @pv(%a0: tensor<2x3x40x40xf16>, %a1: tensor<2x40x3x16xf16>, %d: tensor<2x40x3x16xf16> {amp.destination = 0 : i64}) -> tensor<2x40x3x16xf16>
      attributes {amp.kernel} {
    %z_ = arith.constant 0.0 : f32
    %e_ = tensor.empty() : tensor<2x3x40x16xf32>
    %f_ = linalg.fill ins(%z_ : f32) outs(%e_ : tensor<2x3x40x16xf32>) -> tensor<2x3x40x16xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(b, h, i, d, j) -> (b, h, i, j)>, affine_map<(b, h, i, d, j) -> (b, j, h, d)>, affine_map<(b, h, i, d, j) -> (b, h, i, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%a0, %a1 : tensor<2x3x40x40xf16>, tensor<2x40x3x16xf16>) outs(%f_ : tensor<2x3x40x16xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<2x3x40x16xf32>
    %o = linalg.generic {indexing_maps = [affine_map<(b,h,i,j)->(b,h,i,j)>, affine_map<(b,h,i,j)->(b,i,h,j)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c : tensor<2x3x40x16xf32>) outs(%d : tensor<2x40x3x16xf16>) {
    ^bb0(%x0: f32, %o: f16):
      %t = arith.truncf %x0 : f32 to f16
      linalg.yield %t : f16
    } -> tensor<2x40x3x16xf16>
    return %o : tensor<2x40x3x16xf16>
  }
  // The left operand of the op is the one with the columns.
  func.func @ct(%a0: tensor<40x24xf16>, %a1: tensor<24x72xf16>, %d: tensor<72x40xf32> {amp.destination = 0 : i64}) -> tensor<72x40xf32>
      attributes {amp.kernel} {
    %z_ = arith.constant 0.0 : f32
    %e_ = tensor.empty() : tensor<72x40xf32>
    %f_ = linalg.fill ins(%z_ : f32) outs(%d : tensor<72x40xf32>) -> tensor<72x40xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(i,j,k)->(j,k)>, affine_map<(i,j,k)->(k,i)>, affine_map<(i,j,k)->(i,j)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a0, %a1 : tensor<40x24xf16>, tensor<24x72xf16>) outs(%f_ : tensor<72x40xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<72x40xf32>
    return %c : tensor<72x40xf32>
  }
}

// The same functions on the host.
func.func private @ref_skinny16(%arg0: memref<7x72xf16>, %arg1: memref<72x264xf16>, %arg2: memref<7x264xf32>) -> memref<7x264xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  linalg.fill ins(%cst : f32) outs(%arg2 : memref<7x264xf32>)
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : memref<7x72xf16>, memref<72x264xf16>) outs(%arg2 : memref<7x264xf32>) {
  ^bb0(%in: f16, %in_0: f16, %out: f32):
    %0 = arith.extf %in : f16 to f32
    %1 = arith.extf %in_0 : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %out, %2 : f32
    linalg.yield %3 : f32
  }
  return %arg2 : memref<7x264xf32>
}
func.func private @ref_skinny32(%arg0: memref<32x40xf16>, %arg1: memref<136x40xf16>, %arg2: memref<32x136xf32>) -> memref<32x136xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  linalg.fill ins(%cst : f32) outs(%arg2 : memref<32x136xf32>)
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : memref<32x40xf16>, memref<136x40xf16>) outs(%arg2 : memref<32x136xf32>) {
  ^bb0(%in: f16, %in_0: f16, %out: f32):
    %0 = arith.extf %in : f16 to f32
    %1 = arith.extf %in_0 : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %out, %2 : f32
    linalg.yield %3 : f32
  }
  return %arg2 : memref<32x136xf32>
}
func.func private @ref_thin(%arg0: memref<40x200xf16>, %arg1: memref<40x24xf16>, %arg2: memref<200x24xf32>) -> memref<200x24xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  linalg.fill ins(%cst : f32) outs(%arg2 : memref<200x24xf32>)
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d2, d0)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : memref<40x200xf16>, memref<40x24xf16>) outs(%arg2 : memref<200x24xf32>) {
  ^bb0(%in: f16, %in_0: f16, %out: f32):
    %0 = arith.extf %in : f16 to f32
    %1 = arith.extf %in_0 : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %out, %2 : f32
    linalg.yield %3 : f32
  }
  return %arg2 : memref<200x24xf32>
}
func.func private @ref_odd(%arg0: memref<65x33xf16>, %arg1: memref<33x67xf16>, %arg2: memref<65x67xf32>) -> memref<65x67xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  linalg.fill ins(%cst : f32) outs(%arg2 : memref<65x67xf32>)
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : memref<65x33xf16>, memref<33x67xf16>) outs(%arg2 : memref<65x67xf32>) {
  ^bb0(%in: f16, %in_0: f16, %out: f32):
    %0 = arith.extf %in : f16 to f32
    %1 = arith.extf %in_0 : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %out, %2 : f32
    linalg.yield %3 : f32
  }
  return %arg2 : memref<65x67xf32>
}
func.func private @ref_qk(%arg0: memref<2x40x3x16xf16>, %arg1: memref<2x40x3x16xf16>, %arg2: memref<2x3x40x40xf16>) -> memref<2x3x40x40xf16> {
  %cst = arith.constant 0.000000e+00 : f32
  %alloc = memref.alloc() {alignment = 64 : i64} : memref<2x3x40x40xf32>
  linalg.fill ins(%cst : f32) outs(%alloc : memref<2x3x40x40xf32>)
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d1, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d1, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : memref<2x40x3x16xf16>, memref<2x40x3x16xf16>) outs(%alloc : memref<2x3x40x40xf32>) {
  ^bb0(%in: f16, %in_0: f16, %out: f32):
    %0 = arith.extf %in : f16 to f32
    %1 = arith.extf %in_0 : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %out, %2 : f32
    linalg.yield %3 : f32
  }
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc : memref<2x3x40x40xf32>) outs(%arg2 : memref<2x3x40x40xf16>) {
  ^bb0(%in: f32, %out: f16):
    %0 = arith.truncf %in : f32 to f16
    linalg.yield %0 : f16
  }
  return %arg2 : memref<2x3x40x40xf16>
}
func.func private @ref_pv(%arg0: memref<2x3x40x40xf16>, %arg1: memref<2x40x3x16xf16>, %arg2: memref<2x40x3x16xf16>) -> memref<2x40x3x16xf16> {
  %cst = arith.constant 0.000000e+00 : f32
  %alloc = memref.alloc() {alignment = 64 : i64} : memref<2x3x40x16xf32>
  linalg.fill ins(%cst : f32) outs(%alloc : memref<2x3x40x16xf32>)
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d4, d1, d3)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : memref<2x3x40x40xf16>, memref<2x40x3x16xf16>) outs(%alloc : memref<2x3x40x16xf32>) {
  ^bb0(%in: f16, %in_0: f16, %out: f32):
    %0 = arith.extf %in : f16 to f32
    %1 = arith.extf %in_0 : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %out, %2 : f32
    linalg.yield %3 : f32
  }
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d2, d1, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc : memref<2x3x40x16xf32>) outs(%arg2 : memref<2x40x3x16xf16>) {
  ^bb0(%in: f32, %out: f16):
    %0 = arith.truncf %in : f32 to f16
    linalg.yield %0 : f16
  }
  return %arg2 : memref<2x40x3x16xf16>
}
func.func private @ref_ct(%arg0: memref<40x24xf16>, %arg1: memref<24x72xf16>, %arg2: memref<72x40xf32>) -> memref<72x40xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  linalg.fill ins(%cst : f32) outs(%arg2 : memref<72x40xf32>)
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d2, d0)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : memref<40x24xf16>, memref<24x72xf16>) outs(%arg2 : memref<72x40xf32>) {
  ^bb0(%in: f16, %in_0: f16, %out: f32):
    %0 = arith.extf %in : f16 to f32
    %1 = arith.extf %in_0 : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %out, %2 : f32
    linalg.yield %3 : f32
  }
  return %arg2 : memref<72x40xf32>
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
// Prints how many elements differ.
func.func @compare_f16(%a: memref<?xf16>, %b: memref<?xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xf16>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%c = %c0) -> (index) {
    %x = memref.load %a[%i] : memref<?xf16>
    %y = memref.load %b[%i] : memref<?xf16>
    %ne = arith.cmpf une, %x, %y : f16
    %d = arith.select %ne, %c1, %c0 : index
    %e = arith.addi %c, %d : index
    scf.yield %e : index
  }
  vector.print %r : index
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
  %seed3 = arith.constant 51 : index
  %seed4 = arith.constant 68 : index
  %seed5 = arith.constant 85 : index
  vector.print str "skinny16 "
  %skinny16_0 = memref.alloc() {alignment = 64} : memref<7x72xf16>
  %skinny16_0_flat = memref.reinterpret_cast %skinny16_0 to offset: [0], sizes: [504], strides: [1] : memref<7x72xf16> to memref<504xf16>
  %skinny16_0_all = memref.cast %skinny16_0_flat : memref<504xf16> to memref<?xf16>
  call @fill_f16(%skinny16_0_all, %seed0) : (memref<?xf16>, index) -> ()
  %skinny16_0_g = memref.memory_space_cast %skinny16_0 : memref<7x72xf16> to memref<7x72xf16, #g>
  %skinny16_1 = memref.alloc() {alignment = 64} : memref<72x264xf16>
  %skinny16_1_flat = memref.reinterpret_cast %skinny16_1 to offset: [0], sizes: [19008], strides: [1] : memref<72x264xf16> to memref<19008xf16>
  %skinny16_1_all = memref.cast %skinny16_1_flat : memref<19008xf16> to memref<?xf16>
  call @fill_f16(%skinny16_1_all, %seed1) : (memref<?xf16>, index) -> ()
  %skinny16_1_g = memref.memory_space_cast %skinny16_1 : memref<72x264xf16> to memref<72x264xf16, #g>
  %skinny16_2 = memref.alloc() {alignment = 64} : memref<7x264xf32>
  %skinny16_2_flat = memref.reinterpret_cast %skinny16_2 to offset: [0], sizes: [1848], strides: [1] : memref<7x264xf32> to memref<1848xf32>
  %skinny16_2_all = memref.cast %skinny16_2_flat : memref<1848xf32> to memref<?xf32>
  call @fill_f32(%skinny16_2_all, %seed2) : (memref<?xf32>, index) -> ()
  %skinny16_2_g = memref.memory_space_cast %skinny16_2 : memref<7x264xf32> to memref<7x264xf32, #g>
  %skinny16_3 = memref.alloc() {alignment = 64} : memref<7x264xf32>
  %skinny16_3_flat = memref.reinterpret_cast %skinny16_3 to offset: [0], sizes: [1848], strides: [1] : memref<7x264xf32> to memref<1848xf32>
  %skinny16_3_all = memref.cast %skinny16_3_flat : memref<1848xf32> to memref<?xf32>
  call @fill_f32(%skinny16_3_all, %seed2) : (memref<?xf32>, index) -> ()
  amp.launch @kernels::@skinny16 ins(%skinny16_0_g, %skinny16_1_g : memref<7x72xf16, #g>, memref<72x264xf16, #g>) outs(%skinny16_2_g : memref<7x264xf32, #g>)
  %skinny16_ref = call @ref_skinny16(%skinny16_0, %skinny16_1, %skinny16_3) : (memref<7x72xf16>, memref<72x264xf16>, memref<7x264xf32>) -> memref<7x264xf32>
  %skinny16_ref_flat = memref.reinterpret_cast %skinny16_ref to offset: [0], sizes: [1848], strides: [1] : memref<7x264xf32> to memref<1848xf32>
  %skinny16_ref_all = memref.cast %skinny16_ref_flat : memref<1848xf32> to memref<?xf32>
  call @compare_f32(%skinny16_2_all, %skinny16_ref_all) : (memref<?xf32>, memref<?xf32>) -> ()
  vector.print str "skinny32 "
  %skinny32_0 = memref.alloc() {alignment = 64} : memref<32x40xf16>
  %skinny32_0_flat = memref.reinterpret_cast %skinny32_0 to offset: [0], sizes: [1280], strides: [1] : memref<32x40xf16> to memref<1280xf16>
  %skinny32_0_all = memref.cast %skinny32_0_flat : memref<1280xf16> to memref<?xf16>
  call @fill_f16(%skinny32_0_all, %seed0) : (memref<?xf16>, index) -> ()
  %skinny32_0_g = memref.memory_space_cast %skinny32_0 : memref<32x40xf16> to memref<32x40xf16, #g>
  %skinny32_1 = memref.alloc() {alignment = 64} : memref<136x40xf16>
  %skinny32_1_flat = memref.reinterpret_cast %skinny32_1 to offset: [0], sizes: [5440], strides: [1] : memref<136x40xf16> to memref<5440xf16>
  %skinny32_1_all = memref.cast %skinny32_1_flat : memref<5440xf16> to memref<?xf16>
  call @fill_f16(%skinny32_1_all, %seed1) : (memref<?xf16>, index) -> ()
  %skinny32_1_g = memref.memory_space_cast %skinny32_1 : memref<136x40xf16> to memref<136x40xf16, #g>
  %skinny32_2 = memref.alloc() {alignment = 64} : memref<32x136xf32>
  %skinny32_2_flat = memref.reinterpret_cast %skinny32_2 to offset: [0], sizes: [4352], strides: [1] : memref<32x136xf32> to memref<4352xf32>
  %skinny32_2_all = memref.cast %skinny32_2_flat : memref<4352xf32> to memref<?xf32>
  call @fill_f32(%skinny32_2_all, %seed2) : (memref<?xf32>, index) -> ()
  %skinny32_2_g = memref.memory_space_cast %skinny32_2 : memref<32x136xf32> to memref<32x136xf32, #g>
  %skinny32_3 = memref.alloc() {alignment = 64} : memref<32x136xf32>
  %skinny32_3_flat = memref.reinterpret_cast %skinny32_3 to offset: [0], sizes: [4352], strides: [1] : memref<32x136xf32> to memref<4352xf32>
  %skinny32_3_all = memref.cast %skinny32_3_flat : memref<4352xf32> to memref<?xf32>
  call @fill_f32(%skinny32_3_all, %seed2) : (memref<?xf32>, index) -> ()
  amp.launch @kernels::@skinny32 ins(%skinny32_0_g, %skinny32_1_g : memref<32x40xf16, #g>, memref<136x40xf16, #g>) outs(%skinny32_2_g : memref<32x136xf32, #g>)
  %skinny32_ref = call @ref_skinny32(%skinny32_0, %skinny32_1, %skinny32_3) : (memref<32x40xf16>, memref<136x40xf16>, memref<32x136xf32>) -> memref<32x136xf32>
  %skinny32_ref_flat = memref.reinterpret_cast %skinny32_ref to offset: [0], sizes: [4352], strides: [1] : memref<32x136xf32> to memref<4352xf32>
  %skinny32_ref_all = memref.cast %skinny32_ref_flat : memref<4352xf32> to memref<?xf32>
  call @compare_f32(%skinny32_2_all, %skinny32_ref_all) : (memref<?xf32>, memref<?xf32>) -> ()
  vector.print str "thin "
  %thin_0 = memref.alloc() {alignment = 64} : memref<40x200xf16>
  %thin_0_flat = memref.reinterpret_cast %thin_0 to offset: [0], sizes: [8000], strides: [1] : memref<40x200xf16> to memref<8000xf16>
  %thin_0_all = memref.cast %thin_0_flat : memref<8000xf16> to memref<?xf16>
  call @fill_f16(%thin_0_all, %seed0) : (memref<?xf16>, index) -> ()
  %thin_0_g = memref.memory_space_cast %thin_0 : memref<40x200xf16> to memref<40x200xf16, #g>
  %thin_1 = memref.alloc() {alignment = 64} : memref<40x24xf16>
  %thin_1_flat = memref.reinterpret_cast %thin_1 to offset: [0], sizes: [960], strides: [1] : memref<40x24xf16> to memref<960xf16>
  %thin_1_all = memref.cast %thin_1_flat : memref<960xf16> to memref<?xf16>
  call @fill_f16(%thin_1_all, %seed1) : (memref<?xf16>, index) -> ()
  %thin_1_g = memref.memory_space_cast %thin_1 : memref<40x24xf16> to memref<40x24xf16, #g>
  %thin_2 = memref.alloc() {alignment = 64} : memref<200x24xf32>
  %thin_2_flat = memref.reinterpret_cast %thin_2 to offset: [0], sizes: [4800], strides: [1] : memref<200x24xf32> to memref<4800xf32>
  %thin_2_all = memref.cast %thin_2_flat : memref<4800xf32> to memref<?xf32>
  call @fill_f32(%thin_2_all, %seed2) : (memref<?xf32>, index) -> ()
  %thin_2_g = memref.memory_space_cast %thin_2 : memref<200x24xf32> to memref<200x24xf32, #g>
  %thin_3 = memref.alloc() {alignment = 64} : memref<200x24xf32>
  %thin_3_flat = memref.reinterpret_cast %thin_3 to offset: [0], sizes: [4800], strides: [1] : memref<200x24xf32> to memref<4800xf32>
  %thin_3_all = memref.cast %thin_3_flat : memref<4800xf32> to memref<?xf32>
  call @fill_f32(%thin_3_all, %seed2) : (memref<?xf32>, index) -> ()
  amp.launch @kernels::@thin ins(%thin_0_g, %thin_1_g : memref<40x200xf16, #g>, memref<40x24xf16, #g>) outs(%thin_2_g : memref<200x24xf32, #g>)
  %thin_ref = call @ref_thin(%thin_0, %thin_1, %thin_3) : (memref<40x200xf16>, memref<40x24xf16>, memref<200x24xf32>) -> memref<200x24xf32>
  %thin_ref_flat = memref.reinterpret_cast %thin_ref to offset: [0], sizes: [4800], strides: [1] : memref<200x24xf32> to memref<4800xf32>
  %thin_ref_all = memref.cast %thin_ref_flat : memref<4800xf32> to memref<?xf32>
  call @compare_f32(%thin_2_all, %thin_ref_all) : (memref<?xf32>, memref<?xf32>) -> ()
  vector.print str "odd "
  %odd_0 = memref.alloc() {alignment = 64} : memref<65x33xf16>
  %odd_0_flat = memref.reinterpret_cast %odd_0 to offset: [0], sizes: [2145], strides: [1] : memref<65x33xf16> to memref<2145xf16>
  %odd_0_all = memref.cast %odd_0_flat : memref<2145xf16> to memref<?xf16>
  call @fill_f16(%odd_0_all, %seed0) : (memref<?xf16>, index) -> ()
  %odd_0_g = memref.memory_space_cast %odd_0 : memref<65x33xf16> to memref<65x33xf16, #g>
  %odd_1 = memref.alloc() {alignment = 64} : memref<33x67xf16>
  %odd_1_flat = memref.reinterpret_cast %odd_1 to offset: [0], sizes: [2211], strides: [1] : memref<33x67xf16> to memref<2211xf16>
  %odd_1_all = memref.cast %odd_1_flat : memref<2211xf16> to memref<?xf16>
  call @fill_f16(%odd_1_all, %seed1) : (memref<?xf16>, index) -> ()
  %odd_1_g = memref.memory_space_cast %odd_1 : memref<33x67xf16> to memref<33x67xf16, #g>
  %odd_2 = memref.alloc() {alignment = 64} : memref<65x67xf32>
  %odd_2_flat = memref.reinterpret_cast %odd_2 to offset: [0], sizes: [4355], strides: [1] : memref<65x67xf32> to memref<4355xf32>
  %odd_2_all = memref.cast %odd_2_flat : memref<4355xf32> to memref<?xf32>
  call @fill_f32(%odd_2_all, %seed2) : (memref<?xf32>, index) -> ()
  %odd_2_g = memref.memory_space_cast %odd_2 : memref<65x67xf32> to memref<65x67xf32, #g>
  %odd_3 = memref.alloc() {alignment = 64} : memref<65x67xf32>
  %odd_3_flat = memref.reinterpret_cast %odd_3 to offset: [0], sizes: [4355], strides: [1] : memref<65x67xf32> to memref<4355xf32>
  %odd_3_all = memref.cast %odd_3_flat : memref<4355xf32> to memref<?xf32>
  call @fill_f32(%odd_3_all, %seed2) : (memref<?xf32>, index) -> ()
  amp.launch @kernels::@odd ins(%odd_0_g, %odd_1_g : memref<65x33xf16, #g>, memref<33x67xf16, #g>) outs(%odd_2_g : memref<65x67xf32, #g>)
  %odd_ref = call @ref_odd(%odd_0, %odd_1, %odd_3) : (memref<65x33xf16>, memref<33x67xf16>, memref<65x67xf32>) -> memref<65x67xf32>
  %odd_ref_flat = memref.reinterpret_cast %odd_ref to offset: [0], sizes: [4355], strides: [1] : memref<65x67xf32> to memref<4355xf32>
  %odd_ref_all = memref.cast %odd_ref_flat : memref<4355xf32> to memref<?xf32>
  call @compare_f32(%odd_2_all, %odd_ref_all) : (memref<?xf32>, memref<?xf32>) -> ()
  vector.print str "qk "
  %qk_0 = memref.alloc() {alignment = 64} : memref<2x40x3x16xf16>
  %qk_0_flat = memref.reinterpret_cast %qk_0 to offset: [0], sizes: [3840], strides: [1] : memref<2x40x3x16xf16> to memref<3840xf16>
  %qk_0_all = memref.cast %qk_0_flat : memref<3840xf16> to memref<?xf16>
  call @fill_f16(%qk_0_all, %seed0) : (memref<?xf16>, index) -> ()
  %qk_0_g = memref.memory_space_cast %qk_0 : memref<2x40x3x16xf16> to memref<2x40x3x16xf16, #g>
  %qk_1 = memref.alloc() {alignment = 64} : memref<2x40x3x16xf16>
  %qk_1_flat = memref.reinterpret_cast %qk_1 to offset: [0], sizes: [3840], strides: [1] : memref<2x40x3x16xf16> to memref<3840xf16>
  %qk_1_all = memref.cast %qk_1_flat : memref<3840xf16> to memref<?xf16>
  call @fill_f16(%qk_1_all, %seed1) : (memref<?xf16>, index) -> ()
  %qk_1_g = memref.memory_space_cast %qk_1 : memref<2x40x3x16xf16> to memref<2x40x3x16xf16, #g>
  %qk_2 = memref.alloc() {alignment = 64} : memref<2x3x40x40xf16>
  %qk_2_flat = memref.reinterpret_cast %qk_2 to offset: [0], sizes: [9600], strides: [1] : memref<2x3x40x40xf16> to memref<9600xf16>
  %qk_2_all = memref.cast %qk_2_flat : memref<9600xf16> to memref<?xf16>
  call @fill_f16(%qk_2_all, %seed2) : (memref<?xf16>, index) -> ()
  %qk_2_g = memref.memory_space_cast %qk_2 : memref<2x3x40x40xf16> to memref<2x3x40x40xf16, #g>
  %qk_3 = memref.alloc() {alignment = 64} : memref<2x3x40x40xf16>
  %qk_3_flat = memref.reinterpret_cast %qk_3 to offset: [0], sizes: [9600], strides: [1] : memref<2x3x40x40xf16> to memref<9600xf16>
  %qk_3_all = memref.cast %qk_3_flat : memref<9600xf16> to memref<?xf16>
  call @fill_f16(%qk_3_all, %seed2) : (memref<?xf16>, index) -> ()
  amp.launch @kernels::@qk ins(%qk_0_g, %qk_1_g : memref<2x40x3x16xf16, #g>, memref<2x40x3x16xf16, #g>) outs(%qk_2_g : memref<2x3x40x40xf16, #g>)
  %qk_ref = call @ref_qk(%qk_0, %qk_1, %qk_3) : (memref<2x40x3x16xf16>, memref<2x40x3x16xf16>, memref<2x3x40x40xf16>) -> memref<2x3x40x40xf16>
  %qk_ref_flat = memref.reinterpret_cast %qk_ref to offset: [0], sizes: [9600], strides: [1] : memref<2x3x40x40xf16> to memref<9600xf16>
  %qk_ref_all = memref.cast %qk_ref_flat : memref<9600xf16> to memref<?xf16>
  call @compare_f16(%qk_2_all, %qk_ref_all) : (memref<?xf16>, memref<?xf16>) -> ()
  vector.print str "pv "
  %pv_0 = memref.alloc() {alignment = 64} : memref<2x3x40x40xf16>
  %pv_0_flat = memref.reinterpret_cast %pv_0 to offset: [0], sizes: [9600], strides: [1] : memref<2x3x40x40xf16> to memref<9600xf16>
  %pv_0_all = memref.cast %pv_0_flat : memref<9600xf16> to memref<?xf16>
  call @fill_f16(%pv_0_all, %seed0) : (memref<?xf16>, index) -> ()
  %pv_0_g = memref.memory_space_cast %pv_0 : memref<2x3x40x40xf16> to memref<2x3x40x40xf16, #g>
  %pv_1 = memref.alloc() {alignment = 64} : memref<2x40x3x16xf16>
  %pv_1_flat = memref.reinterpret_cast %pv_1 to offset: [0], sizes: [3840], strides: [1] : memref<2x40x3x16xf16> to memref<3840xf16>
  %pv_1_all = memref.cast %pv_1_flat : memref<3840xf16> to memref<?xf16>
  call @fill_f16(%pv_1_all, %seed1) : (memref<?xf16>, index) -> ()
  %pv_1_g = memref.memory_space_cast %pv_1 : memref<2x40x3x16xf16> to memref<2x40x3x16xf16, #g>
  %pv_2 = memref.alloc() {alignment = 64} : memref<2x40x3x16xf16>
  %pv_2_flat = memref.reinterpret_cast %pv_2 to offset: [0], sizes: [3840], strides: [1] : memref<2x40x3x16xf16> to memref<3840xf16>
  %pv_2_all = memref.cast %pv_2_flat : memref<3840xf16> to memref<?xf16>
  call @fill_f16(%pv_2_all, %seed2) : (memref<?xf16>, index) -> ()
  %pv_2_g = memref.memory_space_cast %pv_2 : memref<2x40x3x16xf16> to memref<2x40x3x16xf16, #g>
  %pv_3 = memref.alloc() {alignment = 64} : memref<2x40x3x16xf16>
  %pv_3_flat = memref.reinterpret_cast %pv_3 to offset: [0], sizes: [3840], strides: [1] : memref<2x40x3x16xf16> to memref<3840xf16>
  %pv_3_all = memref.cast %pv_3_flat : memref<3840xf16> to memref<?xf16>
  call @fill_f16(%pv_3_all, %seed2) : (memref<?xf16>, index) -> ()
  amp.launch @kernels::@pv ins(%pv_0_g, %pv_1_g : memref<2x3x40x40xf16, #g>, memref<2x40x3x16xf16, #g>) outs(%pv_2_g : memref<2x40x3x16xf16, #g>)
  %pv_ref = call @ref_pv(%pv_0, %pv_1, %pv_3) : (memref<2x3x40x40xf16>, memref<2x40x3x16xf16>, memref<2x40x3x16xf16>) -> memref<2x40x3x16xf16>
  %pv_ref_flat = memref.reinterpret_cast %pv_ref to offset: [0], sizes: [3840], strides: [1] : memref<2x40x3x16xf16> to memref<3840xf16>
  %pv_ref_all = memref.cast %pv_ref_flat : memref<3840xf16> to memref<?xf16>
  call @compare_f16(%pv_2_all, %pv_ref_all) : (memref<?xf16>, memref<?xf16>) -> ()
  vector.print str "ct "
  %ct_0 = memref.alloc() {alignment = 64} : memref<40x24xf16>
  %ct_0_flat = memref.reinterpret_cast %ct_0 to offset: [0], sizes: [960], strides: [1] : memref<40x24xf16> to memref<960xf16>
  %ct_0_all = memref.cast %ct_0_flat : memref<960xf16> to memref<?xf16>
  call @fill_f16(%ct_0_all, %seed0) : (memref<?xf16>, index) -> ()
  %ct_0_g = memref.memory_space_cast %ct_0 : memref<40x24xf16> to memref<40x24xf16, #g>
  %ct_1 = memref.alloc() {alignment = 64} : memref<24x72xf16>
  %ct_1_flat = memref.reinterpret_cast %ct_1 to offset: [0], sizes: [1728], strides: [1] : memref<24x72xf16> to memref<1728xf16>
  %ct_1_all = memref.cast %ct_1_flat : memref<1728xf16> to memref<?xf16>
  call @fill_f16(%ct_1_all, %seed1) : (memref<?xf16>, index) -> ()
  %ct_1_g = memref.memory_space_cast %ct_1 : memref<24x72xf16> to memref<24x72xf16, #g>
  %ct_2 = memref.alloc() {alignment = 64} : memref<72x40xf32>
  %ct_2_flat = memref.reinterpret_cast %ct_2 to offset: [0], sizes: [2880], strides: [1] : memref<72x40xf32> to memref<2880xf32>
  %ct_2_all = memref.cast %ct_2_flat : memref<2880xf32> to memref<?xf32>
  call @fill_f32(%ct_2_all, %seed2) : (memref<?xf32>, index) -> ()
  %ct_2_g = memref.memory_space_cast %ct_2 : memref<72x40xf32> to memref<72x40xf32, #g>
  %ct_3 = memref.alloc() {alignment = 64} : memref<72x40xf32>
  %ct_3_flat = memref.reinterpret_cast %ct_3 to offset: [0], sizes: [2880], strides: [1] : memref<72x40xf32> to memref<2880xf32>
  %ct_3_all = memref.cast %ct_3_flat : memref<2880xf32> to memref<?xf32>
  call @fill_f32(%ct_3_all, %seed2) : (memref<?xf32>, index) -> ()
  amp.launch @kernels::@ct ins(%ct_0_g, %ct_1_g : memref<40x24xf16, #g>, memref<24x72xf16, #g>) outs(%ct_2_g : memref<72x40xf32, #g>)
  %ct_ref = call @ref_ct(%ct_0, %ct_1, %ct_3) : (memref<40x24xf16>, memref<24x72xf16>, memref<72x40xf32>) -> memref<72x40xf32>
  %ct_ref_flat = memref.reinterpret_cast %ct_ref to offset: [0], sizes: [2880], strides: [1] : memref<72x40xf32> to memref<2880xf32>
  %ct_ref_all = memref.cast %ct_ref_flat : memref<2880xf32> to memref<?xf32>
  call @compare_f32(%ct_2_all, %ct_ref_all) : (memref<?xf32>, memref<?xf32>) -> ()
  return
}
