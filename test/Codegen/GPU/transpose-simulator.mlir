// RUN: amp-opt %s --amp-gpu-codegen=target=sim --amp-lower-to-simulator | %simulate | FileCheck %s

// Transposes, run by the simulator and compared with the host.

// CHECK: t16 0
// CHECK-NEXT: t32 0
// CHECK-NEXT: t8 0
// CHECK-NEXT: t64 0
// CHECK-NEXT: t16odd 0
// CHECK-NEXT: t3 0
// CHECK-NEXT: t3b 0
// CHECK-NEXT: addt 0

#g = #gpu.address_space<global>

module @kernels {
  // Vectors of 8 bytes.
  func.func @t16(%a0: tensor<72x136xf16>, %d: tensor<136x72xf16> {amp.destination = 0 : i64}) -> tensor<136x72xf16>
      attributes {amp.kernel} {
    %o = linalg.generic {indexing_maps = [affine_map<(b,a)->(a,b)>, affine_map<(b,a)->(b,a)>], iterator_types = ["parallel", "parallel"]} ins(%a0 : tensor<72x136xf16>) outs(%d : tensor<136x72xf16>) {
    ^bb0(%x0: f16, %o: f16):
      linalg.yield %x0 : f16
    } -> tensor<136x72xf16>
    return %o : tensor<136x72xf16>
  }
  // Vectors of 16 bytes.
  func.func @t32(%a0: tensor<72x136xf32>, %d: tensor<136x72xf32> {amp.destination = 0 : i64}) -> tensor<136x72xf32>
      attributes {amp.kernel} {
    %o = linalg.generic {indexing_maps = [affine_map<(b,a)->(a,b)>, affine_map<(b,a)->(b,a)>], iterator_types = ["parallel", "parallel"]} ins(%a0 : tensor<72x136xf32>) outs(%d : tensor<136x72xf32>) {
    ^bb0(%x0: f32, %o: f32):
      linalg.yield %x0 : f32
    } -> tensor<136x72xf32>
    return %o : tensor<136x72xf32>
  }
  // Bytes: tile 128.
  func.func @t8(%a0: tensor<136x260xi8>, %d: tensor<260x136xi8> {amp.destination = 0 : i64}) -> tensor<260x136xi8>
      attributes {amp.kernel} {
    %o = linalg.generic {indexing_maps = [affine_map<(b,a)->(a,b)>, affine_map<(b,a)->(b,a)>], iterator_types = ["parallel", "parallel"]} ins(%a0 : tensor<136x260xi8>) outs(%d : tensor<260x136xi8>) {
    ^bb0(%x0: i8, %o: i8):
      linalg.yield %x0 : i8
    } -> tensor<260x136xi8>
    return %o : tensor<260x136xi8>
  }
  // f64: tile 32.
  func.func @t64(%a0: tensor<37x70xf64>, %d: tensor<70x37xf64> {amp.destination = 0 : i64}) -> tensor<70x37xf64>
      attributes {amp.kernel} {
    %o = linalg.generic {indexing_maps = [affine_map<(b,a)->(a,b)>, affine_map<(b,a)->(b,a)>], iterator_types = ["parallel", "parallel"]} ins(%a0 : tensor<37x70xf64>) outs(%d : tensor<70x37xf64>) {
    ^bb0(%x0: f64, %o: f64):
      linalg.yield %x0 : f64
    } -> tensor<70x37xf64>
    return %o : tensor<70x37xf64>
  }
  // Odd sizes: single elements.
  func.func @t16odd(%a0: tensor<67x65xf16>, %d: tensor<65x67xf16> {amp.destination = 0 : i64}) -> tensor<65x67xf16>
      attributes {amp.kernel} {
    %o = linalg.generic {indexing_maps = [affine_map<(b,a)->(a,b)>, affine_map<(b,a)->(b,a)>], iterator_types = ["parallel", "parallel"]} ins(%a0 : tensor<67x65xf16>) outs(%d : tensor<65x67xf16>) {
    ^bb0(%x0: f16, %o: f16):
      linalg.yield %x0 : f16
    } -> tensor<65x67xf16>
    return %o : tensor<65x67xf16>
  }
  // Three dimensions, all moved.
  func.func @t3(%a0: tensor<3x70x72xf16>, %d: tensor<72x3x70xf16> {amp.destination = 0 : i64}) -> tensor<72x3x70xf16>
      attributes {amp.kernel} {
    %o = linalg.generic {indexing_maps = [affine_map<(c,a,b)->(a,b,c)>, affine_map<(c,a,b)->(c,a,b)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a0 : tensor<3x70x72xf16>) outs(%d : tensor<72x3x70xf16>) {
    ^bb0(%x0: f16, %o: f16):
      linalg.yield %x0 : f16
    } -> tensor<72x3x70xf16>
    return %o : tensor<72x3x70xf16>
  }
  // A batch of transposes with a cast.
  func.func @t3b(%a0: tensor<3x70x72xf32>, %d: tensor<3x72x70xf16> {amp.destination = 0 : i64}) -> tensor<3x72x70xf16>
      attributes {amp.kernel} {
    %o = linalg.generic {indexing_maps = [affine_map<(a,c,b)->(a,b,c)>, affine_map<(a,c,b)->(a,c,b)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a0 : tensor<3x70x72xf32>) outs(%d : tensor<3x72x70xf16>) {
    ^bb0(%x0: f32, %o: f16):
      %t = arith.truncf %x0 : f32 to f16
      linalg.yield %t : f16
    } -> tensor<3x72x70xf16>
    return %o : tensor<3x72x70xf16>
  }
  // Only one of two operands is transposed.
  func.func @addt(%a0: tensor<72x68xf32>, %a1: tensor<68x72xf32>, %d: tensor<72x68xf32> {amp.destination = 0 : i64}) -> tensor<72x68xf32>
      attributes {amp.kernel} {
    %o = linalg.generic {indexing_maps = [affine_map<(a,b)->(a,b)>, affine_map<(a,b)->(b,a)>, affine_map<(a,b)->(a,b)>], iterator_types = ["parallel", "parallel"]} ins(%a0, %a1 : tensor<72x68xf32>, tensor<68x72xf32>) outs(%d : tensor<72x68xf32>) {
    ^bb0(%x0: f32, %x1: f32, %o: f32):
      %t = arith.addf %x0, %x1 : f32
      linalg.yield %t : f32
    } -> tensor<72x68xf32>
    return %o : tensor<72x68xf32>
  }
}

// The same functions on the host.
func.func private @ref_t16(%arg0: memref<72x136xf16>, %arg1: memref<136x72xf16>) -> memref<136x72xf16> {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg0 : memref<72x136xf16>) outs(%arg1 : memref<136x72xf16>) {
  ^bb0(%in: f16, %out: f16):
    linalg.yield %in : f16
  }
  return %arg1 : memref<136x72xf16>
}
func.func private @ref_t32(%arg0: memref<72x136xf32>, %arg1: memref<136x72xf32>) -> memref<136x72xf32> {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg0 : memref<72x136xf32>) outs(%arg1 : memref<136x72xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  }
  return %arg1 : memref<136x72xf32>
}
func.func private @ref_t8(%arg0: memref<136x260xi8>, %arg1: memref<260x136xi8>) -> memref<260x136xi8> {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg0 : memref<136x260xi8>) outs(%arg1 : memref<260x136xi8>) {
  ^bb0(%in: i8, %out: i8):
    linalg.yield %in : i8
  }
  return %arg1 : memref<260x136xi8>
}
func.func private @ref_t64(%arg0: memref<37x70xf64>, %arg1: memref<70x37xf64>) -> memref<70x37xf64> {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg0 : memref<37x70xf64>) outs(%arg1 : memref<70x37xf64>) {
  ^bb0(%in: f64, %out: f64):
    linalg.yield %in : f64
  }
  return %arg1 : memref<70x37xf64>
}
func.func private @ref_t16odd(%arg0: memref<67x65xf16>, %arg1: memref<65x67xf16>) -> memref<65x67xf16> {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg0 : memref<67x65xf16>) outs(%arg1 : memref<65x67xf16>) {
  ^bb0(%in: f16, %out: f16):
    linalg.yield %in : f16
  }
  return %arg1 : memref<65x67xf16>
}
func.func private @ref_t3(%arg0: memref<3x70x72xf16>, %arg1: memref<72x3x70xf16>) -> memref<72x3x70xf16> {
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d1, d2, d0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : memref<3x70x72xf16>) outs(%arg1 : memref<72x3x70xf16>) {
  ^bb0(%in: f16, %out: f16):
    linalg.yield %in : f16
  }
  return %arg1 : memref<72x3x70xf16>
}
func.func private @ref_t3b(%arg0: memref<3x70x72xf32>, %arg1: memref<3x72x70xf16>) -> memref<3x72x70xf16> {
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : memref<3x70x72xf32>) outs(%arg1 : memref<3x72x70xf16>) {
  ^bb0(%in: f32, %out: f16):
    %0 = arith.truncf %in : f32 to f16
    linalg.yield %0 : f16
  }
  return %arg1 : memref<3x72x70xf16>
}
func.func private @ref_addt(%arg0: memref<72x68xf32>, %arg1: memref<68x72xf32>, %arg2: memref<72x68xf32>) -> memref<72x68xf32> {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : memref<72x68xf32>, memref<68x72xf32>) outs(%arg2 : memref<72x68xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %0 = arith.addf %in, %in_0 : f32
    linalg.yield %0 : f32
  }
  return %arg2 : memref<72x68xf32>
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
func.func @fill_f64(%o: memref<?xf64>, %seed: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %c7 = arith.constant 7 : index
  %c11 = arith.constant 1103515245 : index
  %c16 = arith.constant 16 : index
  %three = arith.constant 3 : i32
  %n = memref.dim %o, %c0 : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
      %x0 = arith.addi %i, %seed : index
      %x1 = arith.muli %x0, %c11 : index
      %x2 = arith.shrui %x1, %c16 : index
      %x4 = arith.remui %x2, %c7 : index
      %w0 = arith.index_cast %x4 : index to i32
      %w = arith.subi %w0, %three : i32
      %v = arith.sitofp %w : i32 to f64
      memref.store %v, %o[%i] : memref<?xf64>
  }
  return
}
// Prints how many elements differ.
func.func @compare_f64(%a: memref<?xf64>, %b: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xf64>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%c = %c0) -> (index) {
    %x = memref.load %a[%i] : memref<?xf64>
    %y = memref.load %b[%i] : memref<?xf64>
    %ne = arith.cmpf une, %x, %y : f64
    %d = arith.select %ne, %c1, %c0 : index
    %e = arith.addi %c, %d : index
    scf.yield %e : index
  }
  vector.print %r : index
  return
}
func.func @fill_i8(%o: memref<?xi8>, %seed: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %c7 = arith.constant 7 : index
  %c11 = arith.constant 1103515245 : index
  %c16 = arith.constant 16 : index
  %three = arith.constant 3 : i32
  %n = memref.dim %o, %c0 : memref<?xi8>
  scf.for %i = %c0 to %n step %c1 {
      %x0 = arith.addi %i, %seed : index
      %x1 = arith.muli %x0, %c11 : index
      %x2 = arith.shrui %x1, %c16 : index
      %x4 = arith.remui %x2, %c7 : index
      %w0 = arith.index_cast %x4 : index to i32
      %w = arith.subi %w0, %three : i32
      %v = arith.trunci %w : i32 to i8
      memref.store %v, %o[%i] : memref<?xi8>
  }
  return
}
// Prints how many elements differ.
func.func @compare_i8(%a: memref<?xi8>, %b: memref<?xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xi8>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%c = %c0) -> (index) {
    %x = memref.load %a[%i] : memref<?xi8>
    %y = memref.load %b[%i] : memref<?xi8>
    %ne = arith.cmpi ne, %x, %y : i8
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
  vector.print str "t16 "
  %t16_0 = memref.alloc() {alignment = 64} : memref<72x136xf16>
  %t16_0_flat = memref.reinterpret_cast %t16_0 to offset: [0], sizes: [9792], strides: [1] : memref<72x136xf16> to memref<9792xf16>
  %t16_0_all = memref.cast %t16_0_flat : memref<9792xf16> to memref<?xf16>
  call @fill_f16(%t16_0_all, %seed0) : (memref<?xf16>, index) -> ()
  %t16_0_g = memref.memory_space_cast %t16_0 : memref<72x136xf16> to memref<72x136xf16, #g>
  %t16_1 = memref.alloc() {alignment = 64} : memref<136x72xf16>
  %t16_1_flat = memref.reinterpret_cast %t16_1 to offset: [0], sizes: [9792], strides: [1] : memref<136x72xf16> to memref<9792xf16>
  %t16_1_all = memref.cast %t16_1_flat : memref<9792xf16> to memref<?xf16>
  call @fill_f16(%t16_1_all, %seed1) : (memref<?xf16>, index) -> ()
  %t16_1_g = memref.memory_space_cast %t16_1 : memref<136x72xf16> to memref<136x72xf16, #g>
  %t16_2 = memref.alloc() {alignment = 64} : memref<136x72xf16>
  %t16_2_flat = memref.reinterpret_cast %t16_2 to offset: [0], sizes: [9792], strides: [1] : memref<136x72xf16> to memref<9792xf16>
  %t16_2_all = memref.cast %t16_2_flat : memref<9792xf16> to memref<?xf16>
  call @fill_f16(%t16_2_all, %seed1) : (memref<?xf16>, index) -> ()
  amp.launch @kernels::@t16 ins(%t16_0_g : memref<72x136xf16, #g>) outs(%t16_1_g : memref<136x72xf16, #g>)
  %t16_ref = call @ref_t16(%t16_0, %t16_2) : (memref<72x136xf16>, memref<136x72xf16>) -> memref<136x72xf16>
  %t16_ref_flat = memref.reinterpret_cast %t16_ref to offset: [0], sizes: [9792], strides: [1] : memref<136x72xf16> to memref<9792xf16>
  %t16_ref_all = memref.cast %t16_ref_flat : memref<9792xf16> to memref<?xf16>
  call @compare_f16(%t16_1_all, %t16_ref_all) : (memref<?xf16>, memref<?xf16>) -> ()
  vector.print str "t32 "
  %t32_0 = memref.alloc() {alignment = 64} : memref<72x136xf32>
  %t32_0_flat = memref.reinterpret_cast %t32_0 to offset: [0], sizes: [9792], strides: [1] : memref<72x136xf32> to memref<9792xf32>
  %t32_0_all = memref.cast %t32_0_flat : memref<9792xf32> to memref<?xf32>
  call @fill_f32(%t32_0_all, %seed0) : (memref<?xf32>, index) -> ()
  %t32_0_g = memref.memory_space_cast %t32_0 : memref<72x136xf32> to memref<72x136xf32, #g>
  %t32_1 = memref.alloc() {alignment = 64} : memref<136x72xf32>
  %t32_1_flat = memref.reinterpret_cast %t32_1 to offset: [0], sizes: [9792], strides: [1] : memref<136x72xf32> to memref<9792xf32>
  %t32_1_all = memref.cast %t32_1_flat : memref<9792xf32> to memref<?xf32>
  call @fill_f32(%t32_1_all, %seed1) : (memref<?xf32>, index) -> ()
  %t32_1_g = memref.memory_space_cast %t32_1 : memref<136x72xf32> to memref<136x72xf32, #g>
  %t32_2 = memref.alloc() {alignment = 64} : memref<136x72xf32>
  %t32_2_flat = memref.reinterpret_cast %t32_2 to offset: [0], sizes: [9792], strides: [1] : memref<136x72xf32> to memref<9792xf32>
  %t32_2_all = memref.cast %t32_2_flat : memref<9792xf32> to memref<?xf32>
  call @fill_f32(%t32_2_all, %seed1) : (memref<?xf32>, index) -> ()
  amp.launch @kernels::@t32 ins(%t32_0_g : memref<72x136xf32, #g>) outs(%t32_1_g : memref<136x72xf32, #g>)
  %t32_ref = call @ref_t32(%t32_0, %t32_2) : (memref<72x136xf32>, memref<136x72xf32>) -> memref<136x72xf32>
  %t32_ref_flat = memref.reinterpret_cast %t32_ref to offset: [0], sizes: [9792], strides: [1] : memref<136x72xf32> to memref<9792xf32>
  %t32_ref_all = memref.cast %t32_ref_flat : memref<9792xf32> to memref<?xf32>
  call @compare_f32(%t32_1_all, %t32_ref_all) : (memref<?xf32>, memref<?xf32>) -> ()
  vector.print str "t8 "
  %t8_0 = memref.alloc() {alignment = 64} : memref<136x260xi8>
  %t8_0_flat = memref.reinterpret_cast %t8_0 to offset: [0], sizes: [35360], strides: [1] : memref<136x260xi8> to memref<35360xi8>
  %t8_0_all = memref.cast %t8_0_flat : memref<35360xi8> to memref<?xi8>
  call @fill_i8(%t8_0_all, %seed0) : (memref<?xi8>, index) -> ()
  %t8_0_g = memref.memory_space_cast %t8_0 : memref<136x260xi8> to memref<136x260xi8, #g>
  %t8_1 = memref.alloc() {alignment = 64} : memref<260x136xi8>
  %t8_1_flat = memref.reinterpret_cast %t8_1 to offset: [0], sizes: [35360], strides: [1] : memref<260x136xi8> to memref<35360xi8>
  %t8_1_all = memref.cast %t8_1_flat : memref<35360xi8> to memref<?xi8>
  call @fill_i8(%t8_1_all, %seed1) : (memref<?xi8>, index) -> ()
  %t8_1_g = memref.memory_space_cast %t8_1 : memref<260x136xi8> to memref<260x136xi8, #g>
  %t8_2 = memref.alloc() {alignment = 64} : memref<260x136xi8>
  %t8_2_flat = memref.reinterpret_cast %t8_2 to offset: [0], sizes: [35360], strides: [1] : memref<260x136xi8> to memref<35360xi8>
  %t8_2_all = memref.cast %t8_2_flat : memref<35360xi8> to memref<?xi8>
  call @fill_i8(%t8_2_all, %seed1) : (memref<?xi8>, index) -> ()
  amp.launch @kernels::@t8 ins(%t8_0_g : memref<136x260xi8, #g>) outs(%t8_1_g : memref<260x136xi8, #g>)
  %t8_ref = call @ref_t8(%t8_0, %t8_2) : (memref<136x260xi8>, memref<260x136xi8>) -> memref<260x136xi8>
  %t8_ref_flat = memref.reinterpret_cast %t8_ref to offset: [0], sizes: [35360], strides: [1] : memref<260x136xi8> to memref<35360xi8>
  %t8_ref_all = memref.cast %t8_ref_flat : memref<35360xi8> to memref<?xi8>
  call @compare_i8(%t8_1_all, %t8_ref_all) : (memref<?xi8>, memref<?xi8>) -> ()
  vector.print str "t64 "
  %t64_0 = memref.alloc() {alignment = 64} : memref<37x70xf64>
  %t64_0_flat = memref.reinterpret_cast %t64_0 to offset: [0], sizes: [2590], strides: [1] : memref<37x70xf64> to memref<2590xf64>
  %t64_0_all = memref.cast %t64_0_flat : memref<2590xf64> to memref<?xf64>
  call @fill_f64(%t64_0_all, %seed0) : (memref<?xf64>, index) -> ()
  %t64_0_g = memref.memory_space_cast %t64_0 : memref<37x70xf64> to memref<37x70xf64, #g>
  %t64_1 = memref.alloc() {alignment = 64} : memref<70x37xf64>
  %t64_1_flat = memref.reinterpret_cast %t64_1 to offset: [0], sizes: [2590], strides: [1] : memref<70x37xf64> to memref<2590xf64>
  %t64_1_all = memref.cast %t64_1_flat : memref<2590xf64> to memref<?xf64>
  call @fill_f64(%t64_1_all, %seed1) : (memref<?xf64>, index) -> ()
  %t64_1_g = memref.memory_space_cast %t64_1 : memref<70x37xf64> to memref<70x37xf64, #g>
  %t64_2 = memref.alloc() {alignment = 64} : memref<70x37xf64>
  %t64_2_flat = memref.reinterpret_cast %t64_2 to offset: [0], sizes: [2590], strides: [1] : memref<70x37xf64> to memref<2590xf64>
  %t64_2_all = memref.cast %t64_2_flat : memref<2590xf64> to memref<?xf64>
  call @fill_f64(%t64_2_all, %seed1) : (memref<?xf64>, index) -> ()
  amp.launch @kernels::@t64 ins(%t64_0_g : memref<37x70xf64, #g>) outs(%t64_1_g : memref<70x37xf64, #g>)
  %t64_ref = call @ref_t64(%t64_0, %t64_2) : (memref<37x70xf64>, memref<70x37xf64>) -> memref<70x37xf64>
  %t64_ref_flat = memref.reinterpret_cast %t64_ref to offset: [0], sizes: [2590], strides: [1] : memref<70x37xf64> to memref<2590xf64>
  %t64_ref_all = memref.cast %t64_ref_flat : memref<2590xf64> to memref<?xf64>
  call @compare_f64(%t64_1_all, %t64_ref_all) : (memref<?xf64>, memref<?xf64>) -> ()
  vector.print str "t16odd "
  %t16odd_0 = memref.alloc() {alignment = 64} : memref<67x65xf16>
  %t16odd_0_flat = memref.reinterpret_cast %t16odd_0 to offset: [0], sizes: [4355], strides: [1] : memref<67x65xf16> to memref<4355xf16>
  %t16odd_0_all = memref.cast %t16odd_0_flat : memref<4355xf16> to memref<?xf16>
  call @fill_f16(%t16odd_0_all, %seed0) : (memref<?xf16>, index) -> ()
  %t16odd_0_g = memref.memory_space_cast %t16odd_0 : memref<67x65xf16> to memref<67x65xf16, #g>
  %t16odd_1 = memref.alloc() {alignment = 64} : memref<65x67xf16>
  %t16odd_1_flat = memref.reinterpret_cast %t16odd_1 to offset: [0], sizes: [4355], strides: [1] : memref<65x67xf16> to memref<4355xf16>
  %t16odd_1_all = memref.cast %t16odd_1_flat : memref<4355xf16> to memref<?xf16>
  call @fill_f16(%t16odd_1_all, %seed1) : (memref<?xf16>, index) -> ()
  %t16odd_1_g = memref.memory_space_cast %t16odd_1 : memref<65x67xf16> to memref<65x67xf16, #g>
  %t16odd_2 = memref.alloc() {alignment = 64} : memref<65x67xf16>
  %t16odd_2_flat = memref.reinterpret_cast %t16odd_2 to offset: [0], sizes: [4355], strides: [1] : memref<65x67xf16> to memref<4355xf16>
  %t16odd_2_all = memref.cast %t16odd_2_flat : memref<4355xf16> to memref<?xf16>
  call @fill_f16(%t16odd_2_all, %seed1) : (memref<?xf16>, index) -> ()
  amp.launch @kernels::@t16odd ins(%t16odd_0_g : memref<67x65xf16, #g>) outs(%t16odd_1_g : memref<65x67xf16, #g>)
  %t16odd_ref = call @ref_t16odd(%t16odd_0, %t16odd_2) : (memref<67x65xf16>, memref<65x67xf16>) -> memref<65x67xf16>
  %t16odd_ref_flat = memref.reinterpret_cast %t16odd_ref to offset: [0], sizes: [4355], strides: [1] : memref<65x67xf16> to memref<4355xf16>
  %t16odd_ref_all = memref.cast %t16odd_ref_flat : memref<4355xf16> to memref<?xf16>
  call @compare_f16(%t16odd_1_all, %t16odd_ref_all) : (memref<?xf16>, memref<?xf16>) -> ()
  vector.print str "t3 "
  %t3_0 = memref.alloc() {alignment = 64} : memref<3x70x72xf16>
  %t3_0_flat = memref.reinterpret_cast %t3_0 to offset: [0], sizes: [15120], strides: [1] : memref<3x70x72xf16> to memref<15120xf16>
  %t3_0_all = memref.cast %t3_0_flat : memref<15120xf16> to memref<?xf16>
  call @fill_f16(%t3_0_all, %seed0) : (memref<?xf16>, index) -> ()
  %t3_0_g = memref.memory_space_cast %t3_0 : memref<3x70x72xf16> to memref<3x70x72xf16, #g>
  %t3_1 = memref.alloc() {alignment = 64} : memref<72x3x70xf16>
  %t3_1_flat = memref.reinterpret_cast %t3_1 to offset: [0], sizes: [15120], strides: [1] : memref<72x3x70xf16> to memref<15120xf16>
  %t3_1_all = memref.cast %t3_1_flat : memref<15120xf16> to memref<?xf16>
  call @fill_f16(%t3_1_all, %seed1) : (memref<?xf16>, index) -> ()
  %t3_1_g = memref.memory_space_cast %t3_1 : memref<72x3x70xf16> to memref<72x3x70xf16, #g>
  %t3_2 = memref.alloc() {alignment = 64} : memref<72x3x70xf16>
  %t3_2_flat = memref.reinterpret_cast %t3_2 to offset: [0], sizes: [15120], strides: [1] : memref<72x3x70xf16> to memref<15120xf16>
  %t3_2_all = memref.cast %t3_2_flat : memref<15120xf16> to memref<?xf16>
  call @fill_f16(%t3_2_all, %seed1) : (memref<?xf16>, index) -> ()
  amp.launch @kernels::@t3 ins(%t3_0_g : memref<3x70x72xf16, #g>) outs(%t3_1_g : memref<72x3x70xf16, #g>)
  %t3_ref = call @ref_t3(%t3_0, %t3_2) : (memref<3x70x72xf16>, memref<72x3x70xf16>) -> memref<72x3x70xf16>
  %t3_ref_flat = memref.reinterpret_cast %t3_ref to offset: [0], sizes: [15120], strides: [1] : memref<72x3x70xf16> to memref<15120xf16>
  %t3_ref_all = memref.cast %t3_ref_flat : memref<15120xf16> to memref<?xf16>
  call @compare_f16(%t3_1_all, %t3_ref_all) : (memref<?xf16>, memref<?xf16>) -> ()
  vector.print str "t3b "
  %t3b_0 = memref.alloc() {alignment = 64} : memref<3x70x72xf32>
  %t3b_0_flat = memref.reinterpret_cast %t3b_0 to offset: [0], sizes: [15120], strides: [1] : memref<3x70x72xf32> to memref<15120xf32>
  %t3b_0_all = memref.cast %t3b_0_flat : memref<15120xf32> to memref<?xf32>
  call @fill_f32(%t3b_0_all, %seed0) : (memref<?xf32>, index) -> ()
  %t3b_0_g = memref.memory_space_cast %t3b_0 : memref<3x70x72xf32> to memref<3x70x72xf32, #g>
  %t3b_1 = memref.alloc() {alignment = 64} : memref<3x72x70xf16>
  %t3b_1_flat = memref.reinterpret_cast %t3b_1 to offset: [0], sizes: [15120], strides: [1] : memref<3x72x70xf16> to memref<15120xf16>
  %t3b_1_all = memref.cast %t3b_1_flat : memref<15120xf16> to memref<?xf16>
  call @fill_f16(%t3b_1_all, %seed1) : (memref<?xf16>, index) -> ()
  %t3b_1_g = memref.memory_space_cast %t3b_1 : memref<3x72x70xf16> to memref<3x72x70xf16, #g>
  %t3b_2 = memref.alloc() {alignment = 64} : memref<3x72x70xf16>
  %t3b_2_flat = memref.reinterpret_cast %t3b_2 to offset: [0], sizes: [15120], strides: [1] : memref<3x72x70xf16> to memref<15120xf16>
  %t3b_2_all = memref.cast %t3b_2_flat : memref<15120xf16> to memref<?xf16>
  call @fill_f16(%t3b_2_all, %seed1) : (memref<?xf16>, index) -> ()
  amp.launch @kernels::@t3b ins(%t3b_0_g : memref<3x70x72xf32, #g>) outs(%t3b_1_g : memref<3x72x70xf16, #g>)
  %t3b_ref = call @ref_t3b(%t3b_0, %t3b_2) : (memref<3x70x72xf32>, memref<3x72x70xf16>) -> memref<3x72x70xf16>
  %t3b_ref_flat = memref.reinterpret_cast %t3b_ref to offset: [0], sizes: [15120], strides: [1] : memref<3x72x70xf16> to memref<15120xf16>
  %t3b_ref_all = memref.cast %t3b_ref_flat : memref<15120xf16> to memref<?xf16>
  call @compare_f16(%t3b_1_all, %t3b_ref_all) : (memref<?xf16>, memref<?xf16>) -> ()
  vector.print str "addt "
  %addt_0 = memref.alloc() {alignment = 64} : memref<72x68xf32>
  %addt_0_flat = memref.reinterpret_cast %addt_0 to offset: [0], sizes: [4896], strides: [1] : memref<72x68xf32> to memref<4896xf32>
  %addt_0_all = memref.cast %addt_0_flat : memref<4896xf32> to memref<?xf32>
  call @fill_f32(%addt_0_all, %seed0) : (memref<?xf32>, index) -> ()
  %addt_0_g = memref.memory_space_cast %addt_0 : memref<72x68xf32> to memref<72x68xf32, #g>
  %addt_1 = memref.alloc() {alignment = 64} : memref<68x72xf32>
  %addt_1_flat = memref.reinterpret_cast %addt_1 to offset: [0], sizes: [4896], strides: [1] : memref<68x72xf32> to memref<4896xf32>
  %addt_1_all = memref.cast %addt_1_flat : memref<4896xf32> to memref<?xf32>
  call @fill_f32(%addt_1_all, %seed1) : (memref<?xf32>, index) -> ()
  %addt_1_g = memref.memory_space_cast %addt_1 : memref<68x72xf32> to memref<68x72xf32, #g>
  %addt_2 = memref.alloc() {alignment = 64} : memref<72x68xf32>
  %addt_2_flat = memref.reinterpret_cast %addt_2 to offset: [0], sizes: [4896], strides: [1] : memref<72x68xf32> to memref<4896xf32>
  %addt_2_all = memref.cast %addt_2_flat : memref<4896xf32> to memref<?xf32>
  call @fill_f32(%addt_2_all, %seed2) : (memref<?xf32>, index) -> ()
  %addt_2_g = memref.memory_space_cast %addt_2 : memref<72x68xf32> to memref<72x68xf32, #g>
  %addt_3 = memref.alloc() {alignment = 64} : memref<72x68xf32>
  %addt_3_flat = memref.reinterpret_cast %addt_3 to offset: [0], sizes: [4896], strides: [1] : memref<72x68xf32> to memref<4896xf32>
  %addt_3_all = memref.cast %addt_3_flat : memref<4896xf32> to memref<?xf32>
  call @fill_f32(%addt_3_all, %seed2) : (memref<?xf32>, index) -> ()
  amp.launch @kernels::@addt ins(%addt_0_g, %addt_1_g : memref<72x68xf32, #g>, memref<68x72xf32, #g>) outs(%addt_2_g : memref<72x68xf32, #g>)
  %addt_ref = call @ref_addt(%addt_0, %addt_1, %addt_3) : (memref<72x68xf32>, memref<68x72xf32>, memref<72x68xf32>) -> memref<72x68xf32>
  %addt_ref_flat = memref.reinterpret_cast %addt_ref to offset: [0], sizes: [4896], strides: [1] : memref<72x68xf32> to memref<4896xf32>
  %addt_ref_all = memref.cast %addt_ref_flat : memref<4896xf32> to memref<?xf32>
  call @compare_f32(%addt_2_all, %addt_ref_all) : (memref<?xf32>, memref<?xf32>) -> ()
  return
}
