// RUN: amp-opt %s --amp-gpu-codegen=target=sim --amp-lower-to-simulator | %simulate | FileCheck %s

// What mma-sync does on the way to the products, and after them.

// CHECK: auto1 0
// CHECK-NEXT: auto2 0
// CHECK-NEXT: mixed 0
// CHECK-NEXT: init 0
// CHECK-NEXT: inplace 0
// CHECK-NEXT: heads 0
// CHECK-NEXT: slices 0

#g = #gpu.address_space<global>

module @kernels {
  // Both operands are rounded to f16 on their way; bias, two roundings, residual.
  func.func @auto1(%a0: tensor<72x48xf32>, %a1: tensor<48x80xf32>, %a2: tensor<80xf32>, %a3: tensor<72x80xf32>, %d: tensor<72x80xf32> {amp.destination = 0 : i64}) -> tensor<72x80xf32>
      attributes {amp.kernel} {
    %eha = tensor.empty() : tensor<72x48xf16>
    %ha = linalg.generic {indexing_maps = [affine_map<(a,b)->(a,b)>, affine_map<(a,b)->(a,b)>], iterator_types = ["parallel", "parallel"]} ins(%a0 : tensor<72x48xf32>) outs(%eha : tensor<72x48xf16>) {
    ^bb0(%x0: f32, %o: f16):
      %t = arith.truncf %x0 : f32 to f16
      linalg.yield %t : f16
    } -> tensor<72x48xf16>
    %ehb = tensor.empty() : tensor<48x80xf16>
    %hb = linalg.generic {indexing_maps = [affine_map<(a,b)->(a,b)>, affine_map<(a,b)->(a,b)>], iterator_types = ["parallel", "parallel"]} ins(%a1 : tensor<48x80xf32>) outs(%ehb : tensor<48x80xf16>) {
    ^bb0(%x0: f32, %o: f16):
      %t = arith.truncf %x0 : f32 to f16
      linalg.yield %t : f16
    } -> tensor<48x80xf16>
    %z_ = arith.constant 0.0 : f32
    %e_ = tensor.empty() : tensor<72x80xf32>
    %f_ = linalg.fill ins(%z_ : f32) outs(%e_ : tensor<72x80xf32>) -> tensor<72x80xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%ha, %hb : tensor<72x48xf16>, tensor<48x80xf16>) outs(%f_ : tensor<72x80xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<72x80xf32>
    %e2 = tensor.empty() : tensor<72x80xf16>
    %h = linalg.generic {indexing_maps = [affine_map<(a,b)->(a,b)>, affine_map<(a,b)->(b)>, affine_map<(a,b)->(a,b)>], iterator_types = ["parallel", "parallel"]} ins(%c, %a2 : tensor<72x80xf32>, tensor<80xf32>) outs(%e2 : tensor<72x80xf16>) {
    ^bb0(%x0: f32, %x1: f32, %o: f16):
      %s = arith.addf %x0, %x1 : f32
      %t = arith.truncf %s : f32 to f16
      linalg.yield %t : f16
    } -> tensor<72x80xf16>
    %o = linalg.generic {indexing_maps = [affine_map<(a,b)->(a,b)>, affine_map<(a,b)->(a,b)>, affine_map<(a,b)->(a,b)>], iterator_types = ["parallel", "parallel"]} ins(%h, %a3 : tensor<72x80xf16>, tensor<72x80xf32>) outs(%d : tensor<72x80xf32>) {
    ^bb0(%x0: f16, %x1: f32, %o: f32):
      %t = arith.extf %x0 : f16 to f32
      %s = arith.addf %t, %x1 : f32
      linalg.yield %s : f32
    } -> tensor<72x80xf32>
    return %o : tensor<72x80xf32>
  }
  // The same with odd sizes.
  func.func @auto2(%a0: tensor<33x37xf32>, %a1: tensor<37x35xf32>, %a2: tensor<35xf32>, %a3: tensor<33x35xf32>, %d: tensor<33x35xf32> {amp.destination = 0 : i64}) -> tensor<33x35xf32>
      attributes {amp.kernel} {
    %eha = tensor.empty() : tensor<33x37xf16>
    %ha = linalg.generic {indexing_maps = [affine_map<(a,b)->(a,b)>, affine_map<(a,b)->(a,b)>], iterator_types = ["parallel", "parallel"]} ins(%a0 : tensor<33x37xf32>) outs(%eha : tensor<33x37xf16>) {
    ^bb0(%x0: f32, %o: f16):
      %t = arith.truncf %x0 : f32 to f16
      linalg.yield %t : f16
    } -> tensor<33x37xf16>
    %ehb = tensor.empty() : tensor<37x35xf16>
    %hb = linalg.generic {indexing_maps = [affine_map<(a,b)->(a,b)>, affine_map<(a,b)->(a,b)>], iterator_types = ["parallel", "parallel"]} ins(%a1 : tensor<37x35xf32>) outs(%ehb : tensor<37x35xf16>) {
    ^bb0(%x0: f32, %o: f16):
      %t = arith.truncf %x0 : f32 to f16
      linalg.yield %t : f16
    } -> tensor<37x35xf16>
    %z_ = arith.constant 0.0 : f32
    %e_ = tensor.empty() : tensor<33x35xf32>
    %f_ = linalg.fill ins(%z_ : f32) outs(%e_ : tensor<33x35xf32>) -> tensor<33x35xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%ha, %hb : tensor<33x37xf16>, tensor<37x35xf16>) outs(%f_ : tensor<33x35xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<33x35xf32>
    %e2 = tensor.empty() : tensor<33x35xf16>
    %h = linalg.generic {indexing_maps = [affine_map<(a,b)->(a,b)>, affine_map<(a,b)->(b)>, affine_map<(a,b)->(a,b)>], iterator_types = ["parallel", "parallel"]} ins(%c, %a2 : tensor<33x35xf32>, tensor<35xf32>) outs(%e2 : tensor<33x35xf16>) {
    ^bb0(%x0: f32, %x1: f32, %o: f16):
      %s = arith.addf %x0, %x1 : f32
      %t = arith.truncf %s : f32 to f16
      linalg.yield %t : f16
    } -> tensor<33x35xf16>
    %o = linalg.generic {indexing_maps = [affine_map<(a,b)->(a,b)>, affine_map<(a,b)->(a,b)>, affine_map<(a,b)->(a,b)>], iterator_types = ["parallel", "parallel"]} ins(%h, %a3 : tensor<33x35xf16>, tensor<33x35xf32>) outs(%d : tensor<33x35xf32>) {
    ^bb0(%x0: f16, %x1: f32, %o: f32):
      %t = arith.extf %x0 : f16 to f32
      %s = arith.addf %t, %x1 : f32
      linalg.yield %s : f32
    } -> tensor<33x35xf32>
    return %o : tensor<33x35xf32>
  }
  // One operand is copied, one is rounded on its way.
  func.func @mixed(%a0: tensor<72x48xf32>, %a1: tensor<48x80xf16>, %d: tensor<72x80xf32> {amp.destination = 0 : i64}) -> tensor<72x80xf32>
      attributes {amp.kernel} {
    %eha = tensor.empty() : tensor<72x48xf16>
    %ha = linalg.generic {indexing_maps = [affine_map<(a,b)->(a,b)>, affine_map<(a,b)->(a,b)>], iterator_types = ["parallel", "parallel"]} ins(%a0 : tensor<72x48xf32>) outs(%eha : tensor<72x48xf16>) {
    ^bb0(%x0: f32, %o: f16):
      %t = arith.truncf %x0 : f32 to f16
      linalg.yield %t : f16
    } -> tensor<72x48xf16>
    %z_ = arith.constant 0.0 : f32
    %e_ = tensor.empty() : tensor<72x80xf32>
    %f_ = linalg.fill ins(%z_ : f32) outs(%d : tensor<72x80xf32>) -> tensor<72x80xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%ha, %a1 : tensor<72x48xf16>, tensor<48x80xf16>) outs(%f_ : tensor<72x80xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<72x80xf32>
    return %c : tensor<72x80xf32>
  }
  // An initial value that is read.
  func.func @init(%a0: tensor<72x48xf16>, %a1: tensor<48x80xf16>, %a2: tensor<72x80xf32>, %d: tensor<72x80xf32> {amp.destination = 0 : i64}) -> tensor<72x80xf32>
      attributes {amp.kernel} {
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a0, %a1 : tensor<72x48xf16>, tensor<48x80xf16>) outs(%a2 : tensor<72x80xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<72x80xf32>
    %o = linalg.generic {indexing_maps = [affine_map<(a,b)->(a,b)>, affine_map<(a,b)->(a,b)>], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<72x80xf32>) outs(%d : tensor<72x80xf32>) {
    ^bb0(%x0: f32, %o: f32):
      %s = arith.addf %x0, %x0 : f32
      linalg.yield %s : f32
    } -> tensor<72x80xf32>
    return %o : tensor<72x80xf32>
  }
  // Accumulates into the destination, i8.
  func.func @inplace(%a0: tensor<72x48xi8>, %a1: tensor<48x80xi8>, %d: tensor<72x80xi32> {amp.destination = 0 : i64}) -> tensor<72x80xi32>
      attributes {amp.kernel} {
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a0, %a1 : tensor<72x48xi8>, tensor<48x80xi8>) outs(%d : tensor<72x80xi32>) {
    ^bb0(%x: i8, %y: i8, %acc: i32):
      %x1 = arith.extsi %x : i8 to i32
      %y1 = arith.extsi %y : i8 to i32
      %p = arith.muli %x1, %y1 : i32
      %s = arith.addi %acc, %p : i32
      linalg.yield %s : i32
    } -> tensor<72x80xi32>
    return %c : tensor<72x80xi32>
  }
  // The result is split into heads.
  func.func @heads(%a0: tensor<40x24xf16>, %a1: tensor<24x48xf16>, %d: tensor<3x40x16xf16> {amp.destination = 0 : i64}) -> tensor<3x40x16xf16>
      attributes {amp.kernel} {
    %z_ = arith.constant 0.0 : f32
    %e_ = tensor.empty() : tensor<40x48xf32>
    %f_ = linalg.fill ins(%z_ : f32) outs(%e_ : tensor<40x48xf32>) -> tensor<40x48xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a0, %a1 : tensor<40x24xf16>, tensor<24x48xf16>) outs(%f_ : tensor<40x48xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<40x48xf32>
    %x = tensor.expand_shape %c [[0], [1, 2]] output_shape [40, 3, 16] : tensor<40x48xf32> into tensor<40x3x16xf32>
    %o = linalg.generic {indexing_maps = [affine_map<(a,b,c)->(b,a,c)>, affine_map<(a,b,c)->(a,b,c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<40x3x16xf32>) outs(%d : tensor<3x40x16xf16>) {
    ^bb0(%x0: f32, %o: f16):
      %t = arith.truncf %x0 : f32 to f16
      linalg.yield %t : f16
    } -> tensor<3x40x16xf16>
    return %o : tensor<3x40x16xf16>
  }
  // Operands are slices of one tensor.
  func.func @slices(%a0: tensor<40x144xf16>, %d: tensor<3x40x40xf16> {amp.destination = 0 : i64}) -> tensor<3x40x40xf16>
      attributes {amp.kernel} {
    %q0 = tensor.extract_slice %a0[0, 0] [40, 48] [1, 1] : tensor<40x144xf16> to tensor<40x48xf16>
    %q = tensor.expand_shape %q0 [[0], [1, 2]] output_shape [40, 3, 16] : tensor<40x48xf16> into tensor<40x3x16xf16>
    %k0 = tensor.extract_slice %a0[0, 48] [40, 48] [1, 1] : tensor<40x144xf16> to tensor<40x48xf16>
    %k = tensor.expand_shape %k0 [[0], [1, 2]] output_shape [40, 3, 16] : tensor<40x48xf16> into tensor<40x3x16xf16>
    %z_ = arith.constant 0.0 : f32
    %e_ = tensor.empty() : tensor<3x40x40xf32>
    %f_ = linalg.fill ins(%z_ : f32) outs(%e_ : tensor<3x40x40xf32>) -> tensor<3x40x40xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(h,i,j,d)->(i,h,d)>, affine_map<(h,i,j,d)->(j,h,d)>, affine_map<(h,i,j,d)->(h,i,j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : tensor<40x3x16xf16>, tensor<40x3x16xf16>) outs(%f_ : tensor<3x40x40xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<3x40x40xf32>
    %o = linalg.generic {indexing_maps = [affine_map<(a,b,c)->(a,b,c)>, affine_map<(a,b,c)->(a,b,c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%c : tensor<3x40x40xf32>) outs(%d : tensor<3x40x40xf16>) {
    ^bb0(%x0: f32, %o: f16):
      %t = arith.truncf %x0 : f32 to f16
      linalg.yield %t : f16
    } -> tensor<3x40x40xf16>
    return %o : tensor<3x40x40xf16>
  }
}

// The same functions on the host.
func.func private @ref_auto1(%arg0: memref<72x48xf32>, %arg1: memref<48x80xf32>, %arg2: memref<80xf32>, %arg3: memref<72x80xf32>, %arg4: memref<72x80xf32>) -> memref<72x80xf32> {
  %alloc = memref.alloc() {alignment = 64 : i64} : memref<72x48xf16>
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg0 : memref<72x48xf32>) outs(%alloc : memref<72x48xf16>) {
  ^bb0(%in: f32, %out: f16):
    %0 = arith.truncf %in : f32 to f16
    linalg.yield %0 : f16
  }
  %alloc_0 = memref.alloc() {alignment = 64 : i64} : memref<48x80xf16>
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg1 : memref<48x80xf32>) outs(%alloc_0 : memref<48x80xf16>) {
  ^bb0(%in: f32, %out: f16):
    %0 = arith.truncf %in : f32 to f16
    linalg.yield %0 : f16
  }
  %cst = arith.constant 0.000000e+00 : f32
  %alloc_1 = memref.alloc() {alignment = 64 : i64} : memref<72x80xf32>
  linalg.fill ins(%cst : f32) outs(%alloc_1 : memref<72x80xf32>)
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%alloc, %alloc_0 : memref<72x48xf16>, memref<48x80xf16>) outs(%alloc_1 : memref<72x80xf32>) {
  ^bb0(%in: f16, %in_3: f16, %out: f32):
    %0 = arith.extf %in : f16 to f32
    %1 = arith.extf %in_3 : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %out, %2 : f32
    linalg.yield %3 : f32
  }
  %alloc_2 = memref.alloc() {alignment = 64 : i64} : memref<72x80xf16>
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%alloc_1, %arg2 : memref<72x80xf32>, memref<80xf32>) outs(%alloc_2 : memref<72x80xf16>) {
  ^bb0(%in: f32, %in_3: f32, %out: f16):
    %0 = arith.addf %in, %in_3 : f32
    %1 = arith.truncf %0 : f32 to f16
    linalg.yield %1 : f16
  }
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%alloc_2, %arg3 : memref<72x80xf16>, memref<72x80xf32>) outs(%arg4 : memref<72x80xf32>) {
  ^bb0(%in: f16, %in_3: f32, %out: f32):
    %0 = arith.extf %in : f16 to f32
    %1 = arith.addf %0, %in_3 : f32
    linalg.yield %1 : f32
  }
  return %arg4 : memref<72x80xf32>
}
func.func private @ref_auto2(%arg0: memref<33x37xf32>, %arg1: memref<37x35xf32>, %arg2: memref<35xf32>, %arg3: memref<33x35xf32>, %arg4: memref<33x35xf32>) -> memref<33x35xf32> {
  %alloc = memref.alloc() {alignment = 64 : i64} : memref<33x37xf16>
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg0 : memref<33x37xf32>) outs(%alloc : memref<33x37xf16>) {
  ^bb0(%in: f32, %out: f16):
    %0 = arith.truncf %in : f32 to f16
    linalg.yield %0 : f16
  }
  %alloc_0 = memref.alloc() {alignment = 64 : i64} : memref<37x35xf16>
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg1 : memref<37x35xf32>) outs(%alloc_0 : memref<37x35xf16>) {
  ^bb0(%in: f32, %out: f16):
    %0 = arith.truncf %in : f32 to f16
    linalg.yield %0 : f16
  }
  %cst = arith.constant 0.000000e+00 : f32
  %alloc_1 = memref.alloc() {alignment = 64 : i64} : memref<33x35xf32>
  linalg.fill ins(%cst : f32) outs(%alloc_1 : memref<33x35xf32>)
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%alloc, %alloc_0 : memref<33x37xf16>, memref<37x35xf16>) outs(%alloc_1 : memref<33x35xf32>) {
  ^bb0(%in: f16, %in_3: f16, %out: f32):
    %0 = arith.extf %in : f16 to f32
    %1 = arith.extf %in_3 : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %out, %2 : f32
    linalg.yield %3 : f32
  }
  %alloc_2 = memref.alloc() {alignment = 64 : i64} : memref<33x35xf16>
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%alloc_1, %arg2 : memref<33x35xf32>, memref<35xf32>) outs(%alloc_2 : memref<33x35xf16>) {
  ^bb0(%in: f32, %in_3: f32, %out: f16):
    %0 = arith.addf %in, %in_3 : f32
    %1 = arith.truncf %0 : f32 to f16
    linalg.yield %1 : f16
  }
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%alloc_2, %arg3 : memref<33x35xf16>, memref<33x35xf32>) outs(%arg4 : memref<33x35xf32>) {
  ^bb0(%in: f16, %in_3: f32, %out: f32):
    %0 = arith.extf %in : f16 to f32
    %1 = arith.addf %0, %in_3 : f32
    linalg.yield %1 : f32
  }
  return %arg4 : memref<33x35xf32>
}
func.func private @ref_mixed(%arg0: memref<72x48xf32>, %arg1: memref<48x80xf16>, %arg2: memref<72x80xf32>) -> memref<72x80xf32> {
  %alloc = memref.alloc() {alignment = 64 : i64} : memref<72x48xf16>
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg0 : memref<72x48xf32>) outs(%alloc : memref<72x48xf16>) {
  ^bb0(%in: f32, %out: f16):
    %0 = arith.truncf %in : f32 to f16
    linalg.yield %0 : f16
  }
  %cst = arith.constant 0.000000e+00 : f32
  linalg.fill ins(%cst : f32) outs(%arg2 : memref<72x80xf32>)
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%alloc, %arg1 : memref<72x48xf16>, memref<48x80xf16>) outs(%arg2 : memref<72x80xf32>) {
  ^bb0(%in: f16, %in_0: f16, %out: f32):
    %0 = arith.extf %in : f16 to f32
    %1 = arith.extf %in_0 : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %out, %2 : f32
    linalg.yield %3 : f32
  }
  return %arg2 : memref<72x80xf32>
}
func.func private @ref_init(%arg0: memref<72x48xf16>, %arg1: memref<48x80xf16>, %arg2: memref<72x80xf32>, %arg3: memref<72x80xf32>) -> memref<72x80xf32> {
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : memref<72x48xf16>, memref<48x80xf16>) outs(%arg2 : memref<72x80xf32>) {
  ^bb0(%in: f16, %in_0: f16, %out: f32):
    %0 = arith.extf %in : f16 to f32
    %1 = arith.extf %in_0 : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %out, %2 : f32
    linalg.yield %3 : f32
  }
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg2 : memref<72x80xf32>) outs(%arg3 : memref<72x80xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %in : f32
    linalg.yield %0 : f32
  }
  return %arg3 : memref<72x80xf32>
}
func.func private @ref_inplace(%arg0: memref<72x48xi8>, %arg1: memref<48x80xi8>, %arg2: memref<72x80xi32>) -> memref<72x80xi32> {
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : memref<72x48xi8>, memref<48x80xi8>) outs(%arg2 : memref<72x80xi32>) {
  ^bb0(%in: i8, %in_0: i8, %out: i32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.extsi %in_0 : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %out, %2 : i32
    linalg.yield %3 : i32
  }
  return %arg2 : memref<72x80xi32>
}
func.func private @ref_heads(%arg0: memref<40x24xf16>, %arg1: memref<24x48xf16>, %arg2: memref<3x40x16xf16>) -> memref<3x40x16xf16> {
  %cst = arith.constant 0.000000e+00 : f32
  %alloc = memref.alloc() {alignment = 64 : i64} : memref<40x48xf32>
  linalg.fill ins(%cst : f32) outs(%alloc : memref<40x48xf32>)
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : memref<40x24xf16>, memref<24x48xf16>) outs(%alloc : memref<40x48xf32>) {
  ^bb0(%in: f16, %in_0: f16, %out: f32):
    %0 = arith.extf %in : f16 to f32
    %1 = arith.extf %in_0 : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %out, %2 : f32
    linalg.yield %3 : f32
  }
  %expand_shape = memref.expand_shape %alloc [[0], [1, 2]] output_shape [40, 3, 16] : memref<40x48xf32> into memref<40x3x16xf32>
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d1, d0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expand_shape : memref<40x3x16xf32>) outs(%arg2 : memref<3x40x16xf16>) {
  ^bb0(%in: f32, %out: f16):
    %0 = arith.truncf %in : f32 to f16
    linalg.yield %0 : f16
  }
  return %arg2 : memref<3x40x16xf16>
}
func.func private @ref_slices(%arg0: memref<40x144xf16>, %arg1: memref<3x40x40xf16>) -> memref<3x40x40xf16> {
  %subview = memref.subview %arg0[0, 0] [40, 48] [1, 1] : memref<40x144xf16> to memref<40x48xf16, strided<[144, 1]>>
  %expand_shape = memref.expand_shape %subview [[0], [1, 2]] output_shape [40, 3, 16] : memref<40x48xf16, strided<[144, 1]>> into memref<40x3x16xf16, strided<[144, 16, 1]>>
  %subview_0 = memref.subview %arg0[0, 48] [40, 48] [1, 1] : memref<40x144xf16> to memref<40x48xf16, strided<[144, 1], offset: 48>>
  %expand_shape_1 = memref.expand_shape %subview_0 [[0], [1, 2]] output_shape [40, 3, 16] : memref<40x48xf16, strided<[144, 1], offset: 48>> into memref<40x3x16xf16, strided<[144, 16, 1], offset: 48>>
  %cst = arith.constant 0.000000e+00 : f32
  %alloc = memref.alloc() {alignment = 64 : i64} : memref<3x40x40xf32>
  linalg.fill ins(%cst : f32) outs(%alloc : memref<3x40x40xf32>)
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d1, d0, d3)>, affine_map<(d0, d1, d2, d3) -> (d2, d0, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%expand_shape, %expand_shape_1 : memref<40x3x16xf16, strided<[144, 16, 1]>>, memref<40x3x16xf16, strided<[144, 16, 1], offset: 48>>) outs(%alloc : memref<3x40x40xf32>) {
  ^bb0(%in: f16, %in_2: f16, %out: f32):
    %0 = arith.extf %in : f16 to f32
    %1 = arith.extf %in_2 : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %out, %2 : f32
    linalg.yield %3 : f32
  }
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc : memref<3x40x40xf32>) outs(%arg1 : memref<3x40x40xf16>) {
  ^bb0(%in: f32, %out: f16):
    %0 = arith.truncf %in : f32 to f16
    linalg.yield %0 : f16
  }
  return %arg1 : memref<3x40x40xf16>
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
func.func @fill_i32(%o: memref<?xi32>, %seed: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %c7 = arith.constant 7 : index
  %c11 = arith.constant 1103515245 : index
  %c16 = arith.constant 16 : index
  %three = arith.constant 3 : i32
  %n = memref.dim %o, %c0 : memref<?xi32>
  scf.for %i = %c0 to %n step %c1 {
      %x0 = arith.addi %i, %seed : index
      %x1 = arith.muli %x0, %c11 : index
      %x2 = arith.shrui %x1, %c16 : index
      %x4 = arith.remui %x2, %c7 : index
      %w0 = arith.index_cast %x4 : index to i32
      %w = arith.subi %w0, %three : i32
      %v = arith.addi %w, %zero : i32
      memref.store %v, %o[%i] : memref<?xi32>
  }
  return
}
// Prints how many elements differ.
func.func @compare_i32(%a: memref<?xi32>, %b: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xi32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%c = %c0) -> (index) {
    %x = memref.load %a[%i] : memref<?xi32>
    %y = memref.load %b[%i] : memref<?xi32>
    %ne = arith.cmpi ne, %x, %y : i32
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
  vector.print str "auto1 "
  %auto1_0 = memref.alloc() {alignment = 64} : memref<72x48xf32>
  %auto1_0_flat = memref.reinterpret_cast %auto1_0 to offset: [0], sizes: [3456], strides: [1] : memref<72x48xf32> to memref<3456xf32>
  %auto1_0_all = memref.cast %auto1_0_flat : memref<3456xf32> to memref<?xf32>
  call @fill_f32(%auto1_0_all, %seed0) : (memref<?xf32>, index) -> ()
  %auto1_0_g = memref.memory_space_cast %auto1_0 : memref<72x48xf32> to memref<72x48xf32, #g>
  %auto1_1 = memref.alloc() {alignment = 64} : memref<48x80xf32>
  %auto1_1_flat = memref.reinterpret_cast %auto1_1 to offset: [0], sizes: [3840], strides: [1] : memref<48x80xf32> to memref<3840xf32>
  %auto1_1_all = memref.cast %auto1_1_flat : memref<3840xf32> to memref<?xf32>
  call @fill_f32(%auto1_1_all, %seed1) : (memref<?xf32>, index) -> ()
  %auto1_1_g = memref.memory_space_cast %auto1_1 : memref<48x80xf32> to memref<48x80xf32, #g>
  %auto1_2 = memref.alloc() {alignment = 64} : memref<80xf32>
  %auto1_2_flat = memref.reinterpret_cast %auto1_2 to offset: [0], sizes: [80], strides: [1] : memref<80xf32> to memref<80xf32>
  %auto1_2_all = memref.cast %auto1_2_flat : memref<80xf32> to memref<?xf32>
  call @fill_f32(%auto1_2_all, %seed2) : (memref<?xf32>, index) -> ()
  %auto1_2_g = memref.memory_space_cast %auto1_2 : memref<80xf32> to memref<80xf32, #g>
  %auto1_3 = memref.alloc() {alignment = 64} : memref<72x80xf32>
  %auto1_3_flat = memref.reinterpret_cast %auto1_3 to offset: [0], sizes: [5760], strides: [1] : memref<72x80xf32> to memref<5760xf32>
  %auto1_3_all = memref.cast %auto1_3_flat : memref<5760xf32> to memref<?xf32>
  call @fill_f32(%auto1_3_all, %seed3) : (memref<?xf32>, index) -> ()
  %auto1_3_g = memref.memory_space_cast %auto1_3 : memref<72x80xf32> to memref<72x80xf32, #g>
  %auto1_4 = memref.alloc() {alignment = 64} : memref<72x80xf32>
  %auto1_4_flat = memref.reinterpret_cast %auto1_4 to offset: [0], sizes: [5760], strides: [1] : memref<72x80xf32> to memref<5760xf32>
  %auto1_4_all = memref.cast %auto1_4_flat : memref<5760xf32> to memref<?xf32>
  call @fill_f32(%auto1_4_all, %seed4) : (memref<?xf32>, index) -> ()
  %auto1_4_g = memref.memory_space_cast %auto1_4 : memref<72x80xf32> to memref<72x80xf32, #g>
  %auto1_5 = memref.alloc() {alignment = 64} : memref<72x80xf32>
  %auto1_5_flat = memref.reinterpret_cast %auto1_5 to offset: [0], sizes: [5760], strides: [1] : memref<72x80xf32> to memref<5760xf32>
  %auto1_5_all = memref.cast %auto1_5_flat : memref<5760xf32> to memref<?xf32>
  call @fill_f32(%auto1_5_all, %seed4) : (memref<?xf32>, index) -> ()
  amp.launch @kernels::@auto1 ins(%auto1_0_g, %auto1_1_g, %auto1_2_g, %auto1_3_g : memref<72x48xf32, #g>, memref<48x80xf32, #g>, memref<80xf32, #g>, memref<72x80xf32, #g>) outs(%auto1_4_g : memref<72x80xf32, #g>)
  %auto1_ref = call @ref_auto1(%auto1_0, %auto1_1, %auto1_2, %auto1_3, %auto1_5) : (memref<72x48xf32>, memref<48x80xf32>, memref<80xf32>, memref<72x80xf32>, memref<72x80xf32>) -> memref<72x80xf32>
  %auto1_ref_flat = memref.reinterpret_cast %auto1_ref to offset: [0], sizes: [5760], strides: [1] : memref<72x80xf32> to memref<5760xf32>
  %auto1_ref_all = memref.cast %auto1_ref_flat : memref<5760xf32> to memref<?xf32>
  call @compare_f32(%auto1_4_all, %auto1_ref_all) : (memref<?xf32>, memref<?xf32>) -> ()
  vector.print str "auto2 "
  %auto2_0 = memref.alloc() {alignment = 64} : memref<33x37xf32>
  %auto2_0_flat = memref.reinterpret_cast %auto2_0 to offset: [0], sizes: [1221], strides: [1] : memref<33x37xf32> to memref<1221xf32>
  %auto2_0_all = memref.cast %auto2_0_flat : memref<1221xf32> to memref<?xf32>
  call @fill_f32(%auto2_0_all, %seed0) : (memref<?xf32>, index) -> ()
  %auto2_0_g = memref.memory_space_cast %auto2_0 : memref<33x37xf32> to memref<33x37xf32, #g>
  %auto2_1 = memref.alloc() {alignment = 64} : memref<37x35xf32>
  %auto2_1_flat = memref.reinterpret_cast %auto2_1 to offset: [0], sizes: [1295], strides: [1] : memref<37x35xf32> to memref<1295xf32>
  %auto2_1_all = memref.cast %auto2_1_flat : memref<1295xf32> to memref<?xf32>
  call @fill_f32(%auto2_1_all, %seed1) : (memref<?xf32>, index) -> ()
  %auto2_1_g = memref.memory_space_cast %auto2_1 : memref<37x35xf32> to memref<37x35xf32, #g>
  %auto2_2 = memref.alloc() {alignment = 64} : memref<35xf32>
  %auto2_2_flat = memref.reinterpret_cast %auto2_2 to offset: [0], sizes: [35], strides: [1] : memref<35xf32> to memref<35xf32>
  %auto2_2_all = memref.cast %auto2_2_flat : memref<35xf32> to memref<?xf32>
  call @fill_f32(%auto2_2_all, %seed2) : (memref<?xf32>, index) -> ()
  %auto2_2_g = memref.memory_space_cast %auto2_2 : memref<35xf32> to memref<35xf32, #g>
  %auto2_3 = memref.alloc() {alignment = 64} : memref<33x35xf32>
  %auto2_3_flat = memref.reinterpret_cast %auto2_3 to offset: [0], sizes: [1155], strides: [1] : memref<33x35xf32> to memref<1155xf32>
  %auto2_3_all = memref.cast %auto2_3_flat : memref<1155xf32> to memref<?xf32>
  call @fill_f32(%auto2_3_all, %seed3) : (memref<?xf32>, index) -> ()
  %auto2_3_g = memref.memory_space_cast %auto2_3 : memref<33x35xf32> to memref<33x35xf32, #g>
  %auto2_4 = memref.alloc() {alignment = 64} : memref<33x35xf32>
  %auto2_4_flat = memref.reinterpret_cast %auto2_4 to offset: [0], sizes: [1155], strides: [1] : memref<33x35xf32> to memref<1155xf32>
  %auto2_4_all = memref.cast %auto2_4_flat : memref<1155xf32> to memref<?xf32>
  call @fill_f32(%auto2_4_all, %seed4) : (memref<?xf32>, index) -> ()
  %auto2_4_g = memref.memory_space_cast %auto2_4 : memref<33x35xf32> to memref<33x35xf32, #g>
  %auto2_5 = memref.alloc() {alignment = 64} : memref<33x35xf32>
  %auto2_5_flat = memref.reinterpret_cast %auto2_5 to offset: [0], sizes: [1155], strides: [1] : memref<33x35xf32> to memref<1155xf32>
  %auto2_5_all = memref.cast %auto2_5_flat : memref<1155xf32> to memref<?xf32>
  call @fill_f32(%auto2_5_all, %seed4) : (memref<?xf32>, index) -> ()
  amp.launch @kernels::@auto2 ins(%auto2_0_g, %auto2_1_g, %auto2_2_g, %auto2_3_g : memref<33x37xf32, #g>, memref<37x35xf32, #g>, memref<35xf32, #g>, memref<33x35xf32, #g>) outs(%auto2_4_g : memref<33x35xf32, #g>)
  %auto2_ref = call @ref_auto2(%auto2_0, %auto2_1, %auto2_2, %auto2_3, %auto2_5) : (memref<33x37xf32>, memref<37x35xf32>, memref<35xf32>, memref<33x35xf32>, memref<33x35xf32>) -> memref<33x35xf32>
  %auto2_ref_flat = memref.reinterpret_cast %auto2_ref to offset: [0], sizes: [1155], strides: [1] : memref<33x35xf32> to memref<1155xf32>
  %auto2_ref_all = memref.cast %auto2_ref_flat : memref<1155xf32> to memref<?xf32>
  call @compare_f32(%auto2_4_all, %auto2_ref_all) : (memref<?xf32>, memref<?xf32>) -> ()
  vector.print str "mixed "
  %mixed_0 = memref.alloc() {alignment = 64} : memref<72x48xf32>
  %mixed_0_flat = memref.reinterpret_cast %mixed_0 to offset: [0], sizes: [3456], strides: [1] : memref<72x48xf32> to memref<3456xf32>
  %mixed_0_all = memref.cast %mixed_0_flat : memref<3456xf32> to memref<?xf32>
  call @fill_f32(%mixed_0_all, %seed0) : (memref<?xf32>, index) -> ()
  %mixed_0_g = memref.memory_space_cast %mixed_0 : memref<72x48xf32> to memref<72x48xf32, #g>
  %mixed_1 = memref.alloc() {alignment = 64} : memref<48x80xf16>
  %mixed_1_flat = memref.reinterpret_cast %mixed_1 to offset: [0], sizes: [3840], strides: [1] : memref<48x80xf16> to memref<3840xf16>
  %mixed_1_all = memref.cast %mixed_1_flat : memref<3840xf16> to memref<?xf16>
  call @fill_f16(%mixed_1_all, %seed1) : (memref<?xf16>, index) -> ()
  %mixed_1_g = memref.memory_space_cast %mixed_1 : memref<48x80xf16> to memref<48x80xf16, #g>
  %mixed_2 = memref.alloc() {alignment = 64} : memref<72x80xf32>
  %mixed_2_flat = memref.reinterpret_cast %mixed_2 to offset: [0], sizes: [5760], strides: [1] : memref<72x80xf32> to memref<5760xf32>
  %mixed_2_all = memref.cast %mixed_2_flat : memref<5760xf32> to memref<?xf32>
  call @fill_f32(%mixed_2_all, %seed2) : (memref<?xf32>, index) -> ()
  %mixed_2_g = memref.memory_space_cast %mixed_2 : memref<72x80xf32> to memref<72x80xf32, #g>
  %mixed_3 = memref.alloc() {alignment = 64} : memref<72x80xf32>
  %mixed_3_flat = memref.reinterpret_cast %mixed_3 to offset: [0], sizes: [5760], strides: [1] : memref<72x80xf32> to memref<5760xf32>
  %mixed_3_all = memref.cast %mixed_3_flat : memref<5760xf32> to memref<?xf32>
  call @fill_f32(%mixed_3_all, %seed2) : (memref<?xf32>, index) -> ()
  amp.launch @kernels::@mixed ins(%mixed_0_g, %mixed_1_g : memref<72x48xf32, #g>, memref<48x80xf16, #g>) outs(%mixed_2_g : memref<72x80xf32, #g>)
  %mixed_ref = call @ref_mixed(%mixed_0, %mixed_1, %mixed_3) : (memref<72x48xf32>, memref<48x80xf16>, memref<72x80xf32>) -> memref<72x80xf32>
  %mixed_ref_flat = memref.reinterpret_cast %mixed_ref to offset: [0], sizes: [5760], strides: [1] : memref<72x80xf32> to memref<5760xf32>
  %mixed_ref_all = memref.cast %mixed_ref_flat : memref<5760xf32> to memref<?xf32>
  call @compare_f32(%mixed_2_all, %mixed_ref_all) : (memref<?xf32>, memref<?xf32>) -> ()
  vector.print str "init "
  %init_0 = memref.alloc() {alignment = 64} : memref<72x48xf16>
  %init_0_flat = memref.reinterpret_cast %init_0 to offset: [0], sizes: [3456], strides: [1] : memref<72x48xf16> to memref<3456xf16>
  %init_0_all = memref.cast %init_0_flat : memref<3456xf16> to memref<?xf16>
  call @fill_f16(%init_0_all, %seed0) : (memref<?xf16>, index) -> ()
  %init_0_g = memref.memory_space_cast %init_0 : memref<72x48xf16> to memref<72x48xf16, #g>
  %init_1 = memref.alloc() {alignment = 64} : memref<48x80xf16>
  %init_1_flat = memref.reinterpret_cast %init_1 to offset: [0], sizes: [3840], strides: [1] : memref<48x80xf16> to memref<3840xf16>
  %init_1_all = memref.cast %init_1_flat : memref<3840xf16> to memref<?xf16>
  call @fill_f16(%init_1_all, %seed1) : (memref<?xf16>, index) -> ()
  %init_1_g = memref.memory_space_cast %init_1 : memref<48x80xf16> to memref<48x80xf16, #g>
  %init_2 = memref.alloc() {alignment = 64} : memref<72x80xf32>
  %init_2_flat = memref.reinterpret_cast %init_2 to offset: [0], sizes: [5760], strides: [1] : memref<72x80xf32> to memref<5760xf32>
  %init_2_all = memref.cast %init_2_flat : memref<5760xf32> to memref<?xf32>
  call @fill_f32(%init_2_all, %seed2) : (memref<?xf32>, index) -> ()
  %init_2_g = memref.memory_space_cast %init_2 : memref<72x80xf32> to memref<72x80xf32, #g>
  %init_3 = memref.alloc() {alignment = 64} : memref<72x80xf32>
  %init_3_flat = memref.reinterpret_cast %init_3 to offset: [0], sizes: [5760], strides: [1] : memref<72x80xf32> to memref<5760xf32>
  %init_3_all = memref.cast %init_3_flat : memref<5760xf32> to memref<?xf32>
  call @fill_f32(%init_3_all, %seed3) : (memref<?xf32>, index) -> ()
  %init_3_g = memref.memory_space_cast %init_3 : memref<72x80xf32> to memref<72x80xf32, #g>
  %init_4 = memref.alloc() {alignment = 64} : memref<72x80xf32>
  %init_4_flat = memref.reinterpret_cast %init_4 to offset: [0], sizes: [5760], strides: [1] : memref<72x80xf32> to memref<5760xf32>
  %init_4_all = memref.cast %init_4_flat : memref<5760xf32> to memref<?xf32>
  call @fill_f32(%init_4_all, %seed3) : (memref<?xf32>, index) -> ()
  amp.launch @kernels::@init ins(%init_0_g, %init_1_g, %init_2_g : memref<72x48xf16, #g>, memref<48x80xf16, #g>, memref<72x80xf32, #g>) outs(%init_3_g : memref<72x80xf32, #g>)
  %init_ref = call @ref_init(%init_0, %init_1, %init_2, %init_4) : (memref<72x48xf16>, memref<48x80xf16>, memref<72x80xf32>, memref<72x80xf32>) -> memref<72x80xf32>
  %init_ref_flat = memref.reinterpret_cast %init_ref to offset: [0], sizes: [5760], strides: [1] : memref<72x80xf32> to memref<5760xf32>
  %init_ref_all = memref.cast %init_ref_flat : memref<5760xf32> to memref<?xf32>
  call @compare_f32(%init_3_all, %init_ref_all) : (memref<?xf32>, memref<?xf32>) -> ()
  vector.print str "inplace "
  %inplace_0 = memref.alloc() {alignment = 64} : memref<72x48xi8>
  %inplace_0_flat = memref.reinterpret_cast %inplace_0 to offset: [0], sizes: [3456], strides: [1] : memref<72x48xi8> to memref<3456xi8>
  %inplace_0_all = memref.cast %inplace_0_flat : memref<3456xi8> to memref<?xi8>
  call @fill_i8(%inplace_0_all, %seed0) : (memref<?xi8>, index) -> ()
  %inplace_0_g = memref.memory_space_cast %inplace_0 : memref<72x48xi8> to memref<72x48xi8, #g>
  %inplace_1 = memref.alloc() {alignment = 64} : memref<48x80xi8>
  %inplace_1_flat = memref.reinterpret_cast %inplace_1 to offset: [0], sizes: [3840], strides: [1] : memref<48x80xi8> to memref<3840xi8>
  %inplace_1_all = memref.cast %inplace_1_flat : memref<3840xi8> to memref<?xi8>
  call @fill_i8(%inplace_1_all, %seed1) : (memref<?xi8>, index) -> ()
  %inplace_1_g = memref.memory_space_cast %inplace_1 : memref<48x80xi8> to memref<48x80xi8, #g>
  %inplace_2 = memref.alloc() {alignment = 64} : memref<72x80xi32>
  %inplace_2_flat = memref.reinterpret_cast %inplace_2 to offset: [0], sizes: [5760], strides: [1] : memref<72x80xi32> to memref<5760xi32>
  %inplace_2_all = memref.cast %inplace_2_flat : memref<5760xi32> to memref<?xi32>
  call @fill_i32(%inplace_2_all, %seed2) : (memref<?xi32>, index) -> ()
  %inplace_2_g = memref.memory_space_cast %inplace_2 : memref<72x80xi32> to memref<72x80xi32, #g>
  %inplace_3 = memref.alloc() {alignment = 64} : memref<72x80xi32>
  %inplace_3_flat = memref.reinterpret_cast %inplace_3 to offset: [0], sizes: [5760], strides: [1] : memref<72x80xi32> to memref<5760xi32>
  %inplace_3_all = memref.cast %inplace_3_flat : memref<5760xi32> to memref<?xi32>
  call @fill_i32(%inplace_3_all, %seed2) : (memref<?xi32>, index) -> ()
  amp.launch @kernels::@inplace ins(%inplace_0_g, %inplace_1_g : memref<72x48xi8, #g>, memref<48x80xi8, #g>) outs(%inplace_2_g : memref<72x80xi32, #g>)
  %inplace_ref = call @ref_inplace(%inplace_0, %inplace_1, %inplace_3) : (memref<72x48xi8>, memref<48x80xi8>, memref<72x80xi32>) -> memref<72x80xi32>
  %inplace_ref_flat = memref.reinterpret_cast %inplace_ref to offset: [0], sizes: [5760], strides: [1] : memref<72x80xi32> to memref<5760xi32>
  %inplace_ref_all = memref.cast %inplace_ref_flat : memref<5760xi32> to memref<?xi32>
  call @compare_i32(%inplace_2_all, %inplace_ref_all) : (memref<?xi32>, memref<?xi32>) -> ()
  vector.print str "heads "
  %heads_0 = memref.alloc() {alignment = 64} : memref<40x24xf16>
  %heads_0_flat = memref.reinterpret_cast %heads_0 to offset: [0], sizes: [960], strides: [1] : memref<40x24xf16> to memref<960xf16>
  %heads_0_all = memref.cast %heads_0_flat : memref<960xf16> to memref<?xf16>
  call @fill_f16(%heads_0_all, %seed0) : (memref<?xf16>, index) -> ()
  %heads_0_g = memref.memory_space_cast %heads_0 : memref<40x24xf16> to memref<40x24xf16, #g>
  %heads_1 = memref.alloc() {alignment = 64} : memref<24x48xf16>
  %heads_1_flat = memref.reinterpret_cast %heads_1 to offset: [0], sizes: [1152], strides: [1] : memref<24x48xf16> to memref<1152xf16>
  %heads_1_all = memref.cast %heads_1_flat : memref<1152xf16> to memref<?xf16>
  call @fill_f16(%heads_1_all, %seed1) : (memref<?xf16>, index) -> ()
  %heads_1_g = memref.memory_space_cast %heads_1 : memref<24x48xf16> to memref<24x48xf16, #g>
  %heads_2 = memref.alloc() {alignment = 64} : memref<3x40x16xf16>
  %heads_2_flat = memref.reinterpret_cast %heads_2 to offset: [0], sizes: [1920], strides: [1] : memref<3x40x16xf16> to memref<1920xf16>
  %heads_2_all = memref.cast %heads_2_flat : memref<1920xf16> to memref<?xf16>
  call @fill_f16(%heads_2_all, %seed2) : (memref<?xf16>, index) -> ()
  %heads_2_g = memref.memory_space_cast %heads_2 : memref<3x40x16xf16> to memref<3x40x16xf16, #g>
  %heads_3 = memref.alloc() {alignment = 64} : memref<3x40x16xf16>
  %heads_3_flat = memref.reinterpret_cast %heads_3 to offset: [0], sizes: [1920], strides: [1] : memref<3x40x16xf16> to memref<1920xf16>
  %heads_3_all = memref.cast %heads_3_flat : memref<1920xf16> to memref<?xf16>
  call @fill_f16(%heads_3_all, %seed2) : (memref<?xf16>, index) -> ()
  amp.launch @kernels::@heads ins(%heads_0_g, %heads_1_g : memref<40x24xf16, #g>, memref<24x48xf16, #g>) outs(%heads_2_g : memref<3x40x16xf16, #g>)
  %heads_ref = call @ref_heads(%heads_0, %heads_1, %heads_3) : (memref<40x24xf16>, memref<24x48xf16>, memref<3x40x16xf16>) -> memref<3x40x16xf16>
  %heads_ref_flat = memref.reinterpret_cast %heads_ref to offset: [0], sizes: [1920], strides: [1] : memref<3x40x16xf16> to memref<1920xf16>
  %heads_ref_all = memref.cast %heads_ref_flat : memref<1920xf16> to memref<?xf16>
  call @compare_f16(%heads_2_all, %heads_ref_all) : (memref<?xf16>, memref<?xf16>) -> ()
  vector.print str "slices "
  %slices_0 = memref.alloc() {alignment = 64} : memref<40x144xf16>
  %slices_0_flat = memref.reinterpret_cast %slices_0 to offset: [0], sizes: [5760], strides: [1] : memref<40x144xf16> to memref<5760xf16>
  %slices_0_all = memref.cast %slices_0_flat : memref<5760xf16> to memref<?xf16>
  call @fill_f16(%slices_0_all, %seed0) : (memref<?xf16>, index) -> ()
  %slices_0_g = memref.memory_space_cast %slices_0 : memref<40x144xf16> to memref<40x144xf16, #g>
  %slices_1 = memref.alloc() {alignment = 64} : memref<3x40x40xf16>
  %slices_1_flat = memref.reinterpret_cast %slices_1 to offset: [0], sizes: [4800], strides: [1] : memref<3x40x40xf16> to memref<4800xf16>
  %slices_1_all = memref.cast %slices_1_flat : memref<4800xf16> to memref<?xf16>
  call @fill_f16(%slices_1_all, %seed1) : (memref<?xf16>, index) -> ()
  %slices_1_g = memref.memory_space_cast %slices_1 : memref<3x40x40xf16> to memref<3x40x40xf16, #g>
  %slices_2 = memref.alloc() {alignment = 64} : memref<3x40x40xf16>
  %slices_2_flat = memref.reinterpret_cast %slices_2 to offset: [0], sizes: [4800], strides: [1] : memref<3x40x40xf16> to memref<4800xf16>
  %slices_2_all = memref.cast %slices_2_flat : memref<4800xf16> to memref<?xf16>
  call @fill_f16(%slices_2_all, %seed1) : (memref<?xf16>, index) -> ()
  amp.launch @kernels::@slices ins(%slices_0_g : memref<40x144xf16, #g>) outs(%slices_1_g : memref<3x40x40xf16, #g>)
  %slices_ref = call @ref_slices(%slices_0, %slices_2) : (memref<40x144xf16>, memref<3x40x40xf16>) -> memref<3x40x40xf16>
  %slices_ref_flat = memref.reinterpret_cast %slices_ref to offset: [0], sizes: [4800], strides: [1] : memref<3x40x40xf16> to memref<4800xf16>
  %slices_ref_all = memref.cast %slices_ref_flat : memref<4800xf16> to memref<?xf16>
  call @compare_f16(%slices_1_all, %slices_ref_all) : (memref<?xf16>, memref<?xf16>) -> ()
  return
}
