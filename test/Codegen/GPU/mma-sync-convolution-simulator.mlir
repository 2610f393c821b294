// RUN: amp-opt %s --amp-gpu-codegen=target=sim --amp-lower-to-simulator | %simulate | FileCheck %s

// Convolutions as matrix products.

// CHECK: conv1 0
// CHECK-NEXT: conv2 0
// CHECK-NEXT: conv3 0
// CHECK-NEXT: conv4 0
// CHECK-NEXT: conv6 0
// CHECK-NEXT: conv5 0

#g = #gpu.address_space<global>

module @kernels {
  // NHWC, 3 x 3, stride 2, padded: gathered by asynchronous copies.
  func.func @conv1(%a0: tensor<2x11x9x16xf16>, %a1: tensor<3x3x16x24xf16>, %a2: tensor<24xf32>, %d: tensor<2x6x5x24xf32> {amp.destination = 0 : i64}) -> tensor<2x6x5x24xf32>
      attributes {amp.kernel} {
    %zp = arith.constant 0.0 : f16
    %pd = tensor.pad %a0 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
      tensor.yield %zp : f16
    } : tensor<2x11x9x16xf16> to tensor<2x13x11x16xf16>
    %z_ = arith.constant 0.0 : f32
    %e_ = tensor.empty() : tensor<2x6x5x24xf32>
    %f_ = linalg.fill ins(%z_ : f32) outs(%e_ : tensor<2x6x5x24xf32>) -> tensor<2x6x5x24xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(n, h, w, f, r, s, c) -> (n, h*2 + r*1, w*2 + s*1, c)>, affine_map<(n, h, w, f, r, s, c) -> (r, s, c, f)>, affine_map<(n, h, w, f, r, s, c) -> (n, h, w, f)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%pd, %a1 : tensor<2x13x11x16xf16>, tensor<3x3x16x24xf16>) outs(%f_ : tensor<2x6x5x24xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<2x6x5x24xf32>
    %o = linalg.generic {indexing_maps = [affine_map<(a,b,c,d)->(a,b,c,d)>, affine_map<(a,b,c,d)->(d)>, affine_map<(a,b,c,d)->(a,b,c,d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c, %a2 : tensor<2x6x5x24xf32>, tensor<24xf32>) outs(%d : tensor<2x6x5x24xf32>) {
    ^bb0(%x0: f32, %x1: f32, %o: f32):
      %t = arith.addf %x0, %x1 : f32
      %zz = arith.constant 0.0 : f32
      %u = arith.maximumf %t, %zz : f32
      linalg.yield %u : f32
    } -> tensor<2x6x5x24xf32>
    return %o : tensor<2x6x5x24xf32>
  }
  // Dilation 2.
  func.func @conv2(%a0: tensor<1x13x12x8xf16>, %a1: tensor<3x3x8x40xf16>, %a2: tensor<40xf32>, %d: tensor<1x13x12x40xf32> {amp.destination = 0 : i64}) -> tensor<1x13x12x40xf32>
      attributes {amp.kernel} {
    %zp = arith.constant 0.0 : f16
    %pd = tensor.pad %a0 low[0, 2, 2, 0] high[0, 2, 2, 0] {
    ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
      tensor.yield %zp : f16
    } : tensor<1x13x12x8xf16> to tensor<1x17x16x8xf16>
    %z_ = arith.constant 0.0 : f32
    %e_ = tensor.empty() : tensor<1x13x12x40xf32>
    %f_ = linalg.fill ins(%z_ : f32) outs(%e_ : tensor<1x13x12x40xf32>) -> tensor<1x13x12x40xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(n, h, w, f, r, s, c) -> (n, h*1 + r*2, w*1 + s*2, c)>, affine_map<(n, h, w, f, r, s, c) -> (r, s, c, f)>, affine_map<(n, h, w, f, r, s, c) -> (n, h, w, f)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%pd, %a1 : tensor<1x17x16x8xf16>, tensor<3x3x8x40xf16>) outs(%f_ : tensor<1x13x12x40xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<1x13x12x40xf32>
    %o = linalg.generic {indexing_maps = [affine_map<(a,b,c,d)->(a,b,c,d)>, affine_map<(a,b,c,d)->(d)>, affine_map<(a,b,c,d)->(a,b,c,d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c, %a2 : tensor<1x13x12x40xf32>, tensor<40xf32>) outs(%d : tensor<1x13x12x40xf32>) {
    ^bb0(%x0: f32, %x1: f32, %o: f32):
      %t = arith.addf %x0, %x1 : f32
      %zz = arith.constant 0.0 : f32
      %u = arith.maximumf %t, %zz : f32
      linalg.yield %u : f32
    } -> tensor<1x13x12x40xf32>
    return %o : tensor<1x13x12x40xf32>
  }
  // Three channels: single elements, bf16.
  func.func @conv3(%a0: tensor<2x8x8x3xbf16>, %a1: tensor<3x3x3x16xbf16>, %a2: tensor<16xf32>, %d: tensor<2x8x8x16xf32> {amp.destination = 0 : i64}) -> tensor<2x8x8x16xf32>
      attributes {amp.kernel} {
    %zp = arith.constant 0.0 : bf16
    %pd = tensor.pad %a0 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
      tensor.yield %zp : bf16
    } : tensor<2x8x8x3xbf16> to tensor<2x10x10x3xbf16>
    %z_ = arith.constant 0.0 : f32
    %e_ = tensor.empty() : tensor<2x8x8x16xf32>
    %f_ = linalg.fill ins(%z_ : f32) outs(%e_ : tensor<2x8x8x16xf32>) -> tensor<2x8x8x16xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(n, h, w, f, r, s, c) -> (n, h*1 + r*1, w*1 + s*1, c)>, affine_map<(n, h, w, f, r, s, c) -> (r, s, c, f)>, affine_map<(n, h, w, f, r, s, c) -> (n, h, w, f)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%pd, %a1 : tensor<2x10x10x3xbf16>, tensor<3x3x3x16xbf16>) outs(%f_ : tensor<2x8x8x16xf32>) {
    ^bb0(%x: bf16, %y: bf16, %acc: f32):
      %x1 = arith.extf %x : bf16 to f32
      %y1 = arith.extf %y : bf16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<2x8x8x16xf32>
    %o = linalg.generic {indexing_maps = [affine_map<(a,b,c,d)->(a,b,c,d)>, affine_map<(a,b,c,d)->(d)>, affine_map<(a,b,c,d)->(a,b,c,d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c, %a2 : tensor<2x8x8x16xf32>, tensor<16xf32>) outs(%d : tensor<2x8x8x16xf32>) {
    ^bb0(%x0: f32, %x1: f32, %o: f32):
      %t = arith.addf %x0, %x1 : f32
      %zz = arith.constant 0.0 : f32
      %u = arith.maximumf %t, %zz : f32
      linalg.yield %u : f32
    } -> tensor<2x8x8x16xf32>
    return %o : tensor<2x8x8x16xf32>
  }
  // NCHW, stride 2, padded.
  func.func @conv4(%a0: tensor<2x5x9x10xf16>, %a1: tensor<16x5x3x3xf16>, %a2: tensor<16xf32>, %d: tensor<2x16x5x5xf32> {amp.destination = 0 : i64}) -> tensor<2x16x5x5xf32>
      attributes {amp.kernel} {
    %zp = arith.constant 0.0 : f16
    %pd = tensor.pad %a0 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
      tensor.yield %zp : f16
    } : tensor<2x5x9x10xf16> to tensor<2x5x11x12xf16>
    %z_ = arith.constant 0.0 : f32
    %e_ = tensor.empty() : tensor<2x16x5x5xf32>
    %f_ = linalg.fill ins(%z_ : f32) outs(%e_ : tensor<2x16x5x5xf32>) -> tensor<2x16x5x5xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(n, f, h, w, c, r, s) -> (n, c, h*2 + r*1, w*2 + s*1)>, affine_map<(n, f, h, w, c, r, s) -> (f, c, r, s)>, affine_map<(n, f, h, w, c, r, s) -> (n, f, h, w)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%pd, %a1 : tensor<2x5x11x12xf16>, tensor<16x5x3x3xf16>) outs(%f_ : tensor<2x16x5x5xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<2x16x5x5xf32>
    %o = linalg.generic {indexing_maps = [affine_map<(a,b,c,d)->(a,b,c,d)>, affine_map<(a,b,c,d)->(b)>, affine_map<(a,b,c,d)->(a,b,c,d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c, %a2 : tensor<2x16x5x5xf32>, tensor<16xf32>) outs(%d : tensor<2x16x5x5xf32>) {
    ^bb0(%x0: f32, %x1: f32, %o: f32):
      %t = arith.addf %x0, %x1 : f32
      %zz = arith.constant 0.0 : f32
      %u = arith.maximumf %t, %zz : f32
      linalg.yield %u : f32
    } -> tensor<2x16x5x5xf32>
    return %o : tensor<2x16x5x5xf32>
  }
  // NCHW.
  func.func @conv6(%a0: tensor<1x4x9x10xf16>, %a1: tensor<12x4x3x3xf16>, %a2: tensor<12xf32>, %d: tensor<1x12x7x8xf32> {amp.destination = 0 : i64}) -> tensor<1x12x7x8xf32>
      attributes {amp.kernel} {
    %z_ = arith.constant 0.0 : f32
    %e_ = tensor.empty() : tensor<1x12x7x8xf32>
    %f_ = linalg.fill ins(%z_ : f32) outs(%e_ : tensor<1x12x7x8xf32>) -> tensor<1x12x7x8xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(n, f, h, w, c, r, s) -> (n, c, h*1 + r*1, w*1 + s*1)>, affine_map<(n, f, h, w, c, r, s) -> (f, c, r, s)>, affine_map<(n, f, h, w, c, r, s) -> (n, f, h, w)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%a0, %a1 : tensor<1x4x9x10xf16>, tensor<12x4x3x3xf16>) outs(%f_ : tensor<1x12x7x8xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<1x12x7x8xf32>
    %o = linalg.generic {indexing_maps = [affine_map<(a,b,c,d)->(a,b,c,d)>, affine_map<(a,b,c,d)->(b)>, affine_map<(a,b,c,d)->(a,b,c,d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c, %a2 : tensor<1x12x7x8xf32>, tensor<12xf32>) outs(%d : tensor<1x12x7x8xf32>) {
    ^bb0(%x0: f32, %x1: f32, %o: f32):
      %t = arith.addf %x0, %x1 : f32
      %zz = arith.constant 0.0 : f32
      %u = arith.maximumf %t, %zz : f32
      linalg.yield %u : f32
    } -> tensor<1x12x7x8xf32>
    return %o : tensor<1x12x7x8xf32>
  }
  // NHWC in f32, padded.
  func.func @conv5(%a0: tensor<1x9x10x4xf32>, %a1: tensor<3x3x4x12xf32>, %a2: tensor<12xf32>, %d: tensor<1x9x10x12xf32> {amp.destination = 0 : i64}) -> tensor<1x9x10x12xf32>
      attributes {amp.kernel} {
    %zp = arith.constant 0.0 : f32
    %pd = tensor.pad %a0 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
      tensor.yield %zp : f32
    } : tensor<1x9x10x4xf32> to tensor<1x11x12x4xf32>
    %z_ = arith.constant 0.0 : f32
    %e_ = tensor.empty() : tensor<1x9x10x12xf32>
    %f_ = linalg.fill ins(%z_ : f32) outs(%e_ : tensor<1x9x10x12xf32>) -> tensor<1x9x10x12xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(n, h, w, f, r, s, c) -> (n, h*1 + r*1, w*1 + s*1, c)>, affine_map<(n, h, w, f, r, s, c) -> (r, s, c, f)>, affine_map<(n, h, w, f, r, s, c) -> (n, h, w, f)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%pd, %a1 : tensor<1x11x12x4xf32>, tensor<3x3x4x12xf32>) outs(%f_ : tensor<1x9x10x12xf32>) {
    ^bb0(%x: f32, %y: f32, %acc: f32):
      %p = arith.mulf %x, %y : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<1x9x10x12xf32>
    %o = linalg.generic {indexing_maps = [affine_map<(a,b,c,d)->(a,b,c,d)>, affine_map<(a,b,c,d)->(d)>, affine_map<(a,b,c,d)->(a,b,c,d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c, %a2 : tensor<1x9x10x12xf32>, tensor<12xf32>) outs(%d : tensor<1x9x10x12xf32>) {
    ^bb0(%x0: f32, %x1: f32, %o: f32):
      %t = arith.addf %x0, %x1 : f32
      %zz = arith.constant 0.0 : f32
      %u = arith.maximumf %t, %zz : f32
      linalg.yield %u : f32
    } -> tensor<1x9x10x12xf32>
    return %o : tensor<1x9x10x12xf32>
  }
}

// The same functions on the host.
func.func private @ref_conv1(%arg0: memref<2x11x9x16xf16>, %arg1: memref<3x3x16x24xf16>, %arg2: memref<24xf32>, %arg3: memref<2x6x5x24xf32>) -> memref<2x6x5x24xf32> {
  %cst = arith.constant 0.000000e+00 : f16
  %alloc = memref.alloc() {alignment = 64 : i64} : memref<2x13x11x16xf16>
  linalg.map outs(%alloc : memref<2x13x11x16xf16>)
    (%init: f16) {
      %0 = linalg.index 0 : index
      %1 = linalg.index 1 : index
      %2 = linalg.index 2 : index
      %3 = linalg.index 3 : index
      linalg.yield %cst : f16
    }
  %subview = memref.subview %alloc[0, 1, 1, 0] [2, 11, 9, 16] [1, 1, 1, 1] : memref<2x13x11x16xf16> to memref<2x11x9x16xf16, strided<[2288, 176, 16, 1], offset: 192>>
  memref.copy %arg0, %subview : memref<2x11x9x16xf16> to memref<2x11x9x16xf16, strided<[2288, 176, 16, 1], offset: 192>>
  %cst_0 = arith.constant 0.000000e+00 : f32
  %alloc_1 = memref.alloc() {alignment = 64 : i64} : memref<2x6x5x24xf32>
  linalg.fill ins(%cst_0 : f32) outs(%alloc_1 : memref<2x6x5x24xf32>)
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1 * 2 + d4, d2 * 2 + d5, d6)>, affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d4, d5, d6, d3)>, affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%alloc, %arg1 : memref<2x13x11x16xf16>, memref<3x3x16x24xf16>) outs(%alloc_1 : memref<2x6x5x24xf32>) {
  ^bb0(%in: f16, %in_2: f16, %out: f32):
    %0 = arith.extf %in : f16 to f32
    %1 = arith.extf %in_2 : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %out, %2 : f32
    linalg.yield %3 : f32
  }
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_1, %arg2 : memref<2x6x5x24xf32>, memref<24xf32>) outs(%arg3 : memref<2x6x5x24xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %0 = arith.addf %in, %in_2 : f32
    %cst_3 = arith.constant 0.000000e+00 : f32
    %1 = arith.maximumf %0, %cst_3 : f32
    linalg.yield %1 : f32
  }
  return %arg3 : memref<2x6x5x24xf32>
}
func.func private @ref_conv2(%arg0: memref<1x13x12x8xf16>, %arg1: memref<3x3x8x40xf16>, %arg2: memref<40xf32>, %arg3: memref<1x13x12x40xf32>) -> memref<1x13x12x40xf32> {
  %cst = arith.constant 0.000000e+00 : f16
  %alloc = memref.alloc() {alignment = 64 : i64} : memref<1x17x16x8xf16>
  linalg.map outs(%alloc : memref<1x17x16x8xf16>)
    (%init: f16) {
      %0 = linalg.index 0 : index
      %1 = linalg.index 1 : index
      %2 = linalg.index 2 : index
      %3 = linalg.index 3 : index
      linalg.yield %cst : f16
    }
  %subview = memref.subview %alloc[0, 2, 2, 0] [1, 13, 12, 8] [1, 1, 1, 1] : memref<1x17x16x8xf16> to memref<1x13x12x8xf16, strided<[2176, 128, 8, 1], offset: 272>>
  memref.copy %arg0, %subview : memref<1x13x12x8xf16> to memref<1x13x12x8xf16, strided<[2176, 128, 8, 1], offset: 272>>
  %cst_0 = arith.constant 0.000000e+00 : f32
  %alloc_1 = memref.alloc() {alignment = 64 : i64} : memref<1x13x12x40xf32>
  linalg.fill ins(%cst_0 : f32) outs(%alloc_1 : memref<1x13x12x40xf32>)
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1 + d4 * 2, d2 + d5 * 2, d6)>, affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d4, d5, d6, d3)>, affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%alloc, %arg1 : memref<1x17x16x8xf16>, memref<3x3x8x40xf16>) outs(%alloc_1 : memref<1x13x12x40xf32>) {
  ^bb0(%in: f16, %in_2: f16, %out: f32):
    %0 = arith.extf %in : f16 to f32
    %1 = arith.extf %in_2 : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %out, %2 : f32
    linalg.yield %3 : f32
  }
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_1, %arg2 : memref<1x13x12x40xf32>, memref<40xf32>) outs(%arg3 : memref<1x13x12x40xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %0 = arith.addf %in, %in_2 : f32
    %cst_3 = arith.constant 0.000000e+00 : f32
    %1 = arith.maximumf %0, %cst_3 : f32
    linalg.yield %1 : f32
  }
  return %arg3 : memref<1x13x12x40xf32>
}
func.func private @ref_conv3(%arg0: memref<2x8x8x3xbf16>, %arg1: memref<3x3x3x16xbf16>, %arg2: memref<16xf32>, %arg3: memref<2x8x8x16xf32>) -> memref<2x8x8x16xf32> {
  %cst = arith.constant 0.000000e+00 : bf16
  %alloc = memref.alloc() {alignment = 64 : i64} : memref<2x10x10x3xbf16>
  linalg.map outs(%alloc : memref<2x10x10x3xbf16>)
    (%init: bf16) {
      %0 = linalg.index 0 : index
      %1 = linalg.index 1 : index
      %2 = linalg.index 2 : index
      %3 = linalg.index 3 : index
      linalg.yield %cst : bf16
    }
  %subview = memref.subview %alloc[0, 1, 1, 0] [2, 8, 8, 3] [1, 1, 1, 1] : memref<2x10x10x3xbf16> to memref<2x8x8x3xbf16, strided<[300, 30, 3, 1], offset: 33>>
  memref.copy %arg0, %subview : memref<2x8x8x3xbf16> to memref<2x8x8x3xbf16, strided<[300, 30, 3, 1], offset: 33>>
  %cst_0 = arith.constant 0.000000e+00 : f32
  %alloc_1 = memref.alloc() {alignment = 64 : i64} : memref<2x8x8x16xf32>
  linalg.fill ins(%cst_0 : f32) outs(%alloc_1 : memref<2x8x8x16xf32>)
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1 + d4, d2 + d5, d6)>, affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d4, d5, d6, d3)>, affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%alloc, %arg1 : memref<2x10x10x3xbf16>, memref<3x3x3x16xbf16>) outs(%alloc_1 : memref<2x8x8x16xf32>) {
  ^bb0(%in: bf16, %in_2: bf16, %out: f32):
    %0 = arith.extf %in : bf16 to f32
    %1 = arith.extf %in_2 : bf16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %out, %2 : f32
    linalg.yield %3 : f32
  }
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_1, %arg2 : memref<2x8x8x16xf32>, memref<16xf32>) outs(%arg3 : memref<2x8x8x16xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %0 = arith.addf %in, %in_2 : f32
    %cst_3 = arith.constant 0.000000e+00 : f32
    %1 = arith.maximumf %0, %cst_3 : f32
    linalg.yield %1 : f32
  }
  return %arg3 : memref<2x8x8x16xf32>
}
func.func private @ref_conv4(%arg0: memref<2x5x9x10xf16>, %arg1: memref<16x5x3x3xf16>, %arg2: memref<16xf32>, %arg3: memref<2x16x5x5xf32>) -> memref<2x16x5x5xf32> {
  %cst = arith.constant 0.000000e+00 : f16
  %alloc = memref.alloc() {alignment = 64 : i64} : memref<2x5x11x12xf16>
  linalg.map outs(%alloc : memref<2x5x11x12xf16>)
    (%init: f16) {
      %0 = linalg.index 0 : index
      %1 = linalg.index 1 : index
      %2 = linalg.index 2 : index
      %3 = linalg.index 3 : index
      linalg.yield %cst : f16
    }
  %subview = memref.subview %alloc[0, 0, 1, 1] [2, 5, 9, 10] [1, 1, 1, 1] : memref<2x5x11x12xf16> to memref<2x5x9x10xf16, strided<[660, 132, 12, 1], offset: 13>>
  memref.copy %arg0, %subview : memref<2x5x9x10xf16> to memref<2x5x9x10xf16, strided<[660, 132, 12, 1], offset: 13>>
  %cst_0 = arith.constant 0.000000e+00 : f32
  %alloc_1 = memref.alloc() {alignment = 64 : i64} : memref<2x16x5x5xf32>
  linalg.fill ins(%cst_0 : f32) outs(%alloc_1 : memref<2x16x5x5xf32>)
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d4, d2 * 2 + d5, d3 * 2 + d6)>, affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d1, d4, d5, d6)>, affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%alloc, %arg1 : memref<2x5x11x12xf16>, memref<16x5x3x3xf16>) outs(%alloc_1 : memref<2x16x5x5xf32>) {
  ^bb0(%in: f16, %in_2: f16, %out: f32):
    %0 = arith.extf %in : f16 to f32
    %1 = arith.extf %in_2 : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %out, %2 : f32
    linalg.yield %3 : f32
  }
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_1, %arg2 : memref<2x16x5x5xf32>, memref<16xf32>) outs(%arg3 : memref<2x16x5x5xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %0 = arith.addf %in, %in_2 : f32
    %cst_3 = arith.constant 0.000000e+00 : f32
    %1 = arith.maximumf %0, %cst_3 : f32
    linalg.yield %1 : f32
  }
  return %arg3 : memref<2x16x5x5xf32>
}
func.func private @ref_conv6(%arg0: memref<1x4x9x10xf16>, %arg1: memref<12x4x3x3xf16>, %arg2: memref<12xf32>, %arg3: memref<1x12x7x8xf32>) -> memref<1x12x7x8xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %alloc = memref.alloc() {alignment = 64 : i64} : memref<1x12x7x8xf32>
  linalg.fill ins(%cst : f32) outs(%alloc : memref<1x12x7x8xf32>)
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d4, d2 + d5, d3 + d6)>, affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d1, d4, d5, d6)>, affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%arg0, %arg1 : memref<1x4x9x10xf16>, memref<12x4x3x3xf16>) outs(%alloc : memref<1x12x7x8xf32>) {
  ^bb0(%in: f16, %in_0: f16, %out: f32):
    %0 = arith.extf %in : f16 to f32
    %1 = arith.extf %in_0 : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %out, %2 : f32
    linalg.yield %3 : f32
  }
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc, %arg2 : memref<1x12x7x8xf32>, memref<12xf32>) outs(%arg3 : memref<1x12x7x8xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %0 = arith.addf %in, %in_0 : f32
    %cst_1 = arith.constant 0.000000e+00 : f32
    %1 = arith.maximumf %0, %cst_1 : f32
    linalg.yield %1 : f32
  }
  return %arg3 : memref<1x12x7x8xf32>
}
func.func private @ref_conv5(%arg0: memref<1x9x10x4xf32>, %arg1: memref<3x3x4x12xf32>, %arg2: memref<12xf32>, %arg3: memref<1x9x10x12xf32>) -> memref<1x9x10x12xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %alloc = memref.alloc() {alignment = 64 : i64} : memref<1x11x12x4xf32>
  linalg.map outs(%alloc : memref<1x11x12x4xf32>)
    (%init: f32) {
      %0 = linalg.index 0 : index
      %1 = linalg.index 1 : index
      %2 = linalg.index 2 : index
      %3 = linalg.index 3 : index
      linalg.yield %cst : f32
    }
  %subview = memref.subview %alloc[0, 1, 1, 0] [1, 9, 10, 4] [1, 1, 1, 1] : memref<1x11x12x4xf32> to memref<1x9x10x4xf32, strided<[528, 48, 4, 1], offset: 52>>
  memref.copy %arg0, %subview : memref<1x9x10x4xf32> to memref<1x9x10x4xf32, strided<[528, 48, 4, 1], offset: 52>>
  %cst_0 = arith.constant 0.000000e+00 : f32
  %alloc_1 = memref.alloc() {alignment = 64 : i64} : memref<1x9x10x12xf32>
  linalg.fill ins(%cst_0 : f32) outs(%alloc_1 : memref<1x9x10x12xf32>)
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1 + d4, d2 + d5, d6)>, affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d4, d5, d6, d3)>, affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%alloc, %arg1 : memref<1x11x12x4xf32>, memref<3x3x4x12xf32>) outs(%alloc_1 : memref<1x9x10x12xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %0 = arith.mulf %in, %in_2 : f32
    %1 = arith.addf %out, %0 : f32
    linalg.yield %1 : f32
  }
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%alloc_1, %arg2 : memref<1x9x10x12xf32>, memref<12xf32>) outs(%arg3 : memref<1x9x10x12xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %0 = arith.addf %in, %in_2 : f32
    %cst_3 = arith.constant 0.000000e+00 : f32
    %1 = arith.maximumf %0, %cst_3 : f32
    linalg.yield %1 : f32
  }
  return %arg3 : memref<1x9x10x12xf32>
}

// Small integers: their sums are exact in all types.
func.func @fill_bf16(%o: memref<?xbf16>, %seed: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %c7 = arith.constant 7 : index
  %c11 = arith.constant 1103515245 : index
  %c16 = arith.constant 16 : index
  %three = arith.constant 3 : i32
  %n = memref.dim %o, %c0 : memref<?xbf16>
  scf.for %i = %c0 to %n step %c1 {
      %x0 = arith.addi %i, %seed : index
      %x1 = arith.muli %x0, %c11 : index
      %x2 = arith.shrui %x1, %c16 : index
      %x4 = arith.remui %x2, %c7 : index
      %w0 = arith.index_cast %x4 : index to i32
      %w = arith.subi %w0, %three : i32
      %v = arith.sitofp %w : i32 to bf16
      memref.store %v, %o[%i] : memref<?xbf16>
  }
  return
}
// Prints how many elements differ.
func.func @compare_bf16(%a: memref<?xbf16>, %b: memref<?xbf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xbf16>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%c = %c0) -> (index) {
    %x = memref.load %a[%i] : memref<?xbf16>
    %y = memref.load %b[%i] : memref<?xbf16>
    %ne = arith.cmpf une, %x, %y : bf16
    %d = arith.select %ne, %c1, %c0 : index
    %e = arith.addi %c, %d : index
    scf.yield %e : index
  }
  vector.print %r : index
  return
}
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
  vector.print str "conv1 "
  %conv1_0 = memref.alloc() {alignment = 64} : memref<2x11x9x16xf16>
  %conv1_0_flat = memref.reinterpret_cast %conv1_0 to offset: [0], sizes: [3168], strides: [1] : memref<2x11x9x16xf16> to memref<3168xf16>
  %conv1_0_all = memref.cast %conv1_0_flat : memref<3168xf16> to memref<?xf16>
  call @fill_f16(%conv1_0_all, %seed0) : (memref<?xf16>, index) -> ()
  %conv1_0_g = memref.memory_space_cast %conv1_0 : memref<2x11x9x16xf16> to memref<2x11x9x16xf16, #g>
  %conv1_1 = memref.alloc() {alignment = 64} : memref<3x3x16x24xf16>
  %conv1_1_flat = memref.reinterpret_cast %conv1_1 to offset: [0], sizes: [3456], strides: [1] : memref<3x3x16x24xf16> to memref<3456xf16>
  %conv1_1_all = memref.cast %conv1_1_flat : memref<3456xf16> to memref<?xf16>
  call @fill_f16(%conv1_1_all, %seed1) : (memref<?xf16>, index) -> ()
  %conv1_1_g = memref.memory_space_cast %conv1_1 : memref<3x3x16x24xf16> to memref<3x3x16x24xf16, #g>
  %conv1_2 = memref.alloc() {alignment = 64} : memref<24xf32>
  %conv1_2_flat = memref.reinterpret_cast %conv1_2 to offset: [0], sizes: [24], strides: [1] : memref<24xf32> to memref<24xf32>
  %conv1_2_all = memref.cast %conv1_2_flat : memref<24xf32> to memref<?xf32>
  call @fill_f32(%conv1_2_all, %seed2) : (memref<?xf32>, index) -> ()
  %conv1_2_g = memref.memory_space_cast %conv1_2 : memref<24xf32> to memref<24xf32, #g>
  %conv1_3 = memref.alloc() {alignment = 64} : memref<2x6x5x24xf32>
  %conv1_3_flat = memref.reinterpret_cast %conv1_3 to offset: [0], sizes: [1440], strides: [1] : memref<2x6x5x24xf32> to memref<1440xf32>
  %conv1_3_all = memref.cast %conv1_3_flat : memref<1440xf32> to memref<?xf32>
  call @fill_f32(%conv1_3_all, %seed3) : (memref<?xf32>, index) -> ()
  %conv1_3_g = memref.memory_space_cast %conv1_3 : memref<2x6x5x24xf32> to memref<2x6x5x24xf32, #g>
  %conv1_4 = memref.alloc() {alignment = 64} : memref<2x6x5x24xf32>
  %conv1_4_flat = memref.reinterpret_cast %conv1_4 to offset: [0], sizes: [1440], strides: [1] : memref<2x6x5x24xf32> to memref<1440xf32>
  %conv1_4_all = memref.cast %conv1_4_flat : memref<1440xf32> to memref<?xf32>
  call @fill_f32(%conv1_4_all, %seed3) : (memref<?xf32>, index) -> ()
  amp.launch @kernels::@conv1 ins(%conv1_0_g, %conv1_1_g, %conv1_2_g : memref<2x11x9x16xf16, #g>, memref<3x3x16x24xf16, #g>, memref<24xf32, #g>) outs(%conv1_3_g : memref<2x6x5x24xf32, #g>)
  %conv1_ref = call @ref_conv1(%conv1_0, %conv1_1, %conv1_2, %conv1_4) : (memref<2x11x9x16xf16>, memref<3x3x16x24xf16>, memref<24xf32>, memref<2x6x5x24xf32>) -> memref<2x6x5x24xf32>
  %conv1_ref_flat = memref.reinterpret_cast %conv1_ref to offset: [0], sizes: [1440], strides: [1] : memref<2x6x5x24xf32> to memref<1440xf32>
  %conv1_ref_all = memref.cast %conv1_ref_flat : memref<1440xf32> to memref<?xf32>
  call @compare_f32(%conv1_3_all, %conv1_ref_all) : (memref<?xf32>, memref<?xf32>) -> ()
  vector.print str "conv2 "
  %conv2_0 = memref.alloc() {alignment = 64} : memref<1x13x12x8xf16>
  %conv2_0_flat = memref.reinterpret_cast %conv2_0 to offset: [0], sizes: [1248], strides: [1] : memref<1x13x12x8xf16> to memref<1248xf16>
  %conv2_0_all = memref.cast %conv2_0_flat : memref<1248xf16> to memref<?xf16>
  call @fill_f16(%conv2_0_all, %seed0) : (memref<?xf16>, index) -> ()
  %conv2_0_g = memref.memory_space_cast %conv2_0 : memref<1x13x12x8xf16> to memref<1x13x12x8xf16, #g>
  %conv2_1 = memref.alloc() {alignment = 64} : memref<3x3x8x40xf16>
  %conv2_1_flat = memref.reinterpret_cast %conv2_1 to offset: [0], sizes: [2880], strides: [1] : memref<3x3x8x40xf16> to memref<2880xf16>
  %conv2_1_all = memref.cast %conv2_1_flat : memref<2880xf16> to memref<?xf16>
  call @fill_f16(%conv2_1_all, %seed1) : (memref<?xf16>, index) -> ()
  %conv2_1_g = memref.memory_space_cast %conv2_1 : memref<3x3x8x40xf16> to memref<3x3x8x40xf16, #g>
  %conv2_2 = memref.alloc() {alignment = 64} : memref<40xf32>
  %conv2_2_flat = memref.reinterpret_cast %conv2_2 to offset: [0], sizes: [40], strides: [1] : memref<40xf32> to memref<40xf32>
  %conv2_2_all = memref.cast %conv2_2_flat : memref<40xf32> to memref<?xf32>
  call @fill_f32(%conv2_2_all, %seed2) : (memref<?xf32>, index) -> ()
  %conv2_2_g = memref.memory_space_cast %conv2_2 : memref<40xf32> to memref<40xf32, #g>
  %conv2_3 = memref.alloc() {alignment = 64} : memref<1x13x12x40xf32>
  %conv2_3_flat = memref.reinterpret_cast %conv2_3 to offset: [0], sizes: [6240], strides: [1] : memref<1x13x12x40xf32> to memref<6240xf32>
  %conv2_3_all = memref.cast %conv2_3_flat : memref<6240xf32> to memref<?xf32>
  call @fill_f32(%conv2_3_all, %seed3) : (memref<?xf32>, index) -> ()
  %conv2_3_g = memref.memory_space_cast %conv2_3 : memref<1x13x12x40xf32> to memref<1x13x12x40xf32, #g>
  %conv2_4 = memref.alloc() {alignment = 64} : memref<1x13x12x40xf32>
  %conv2_4_flat = memref.reinterpret_cast %conv2_4 to offset: [0], sizes: [6240], strides: [1] : memref<1x13x12x40xf32> to memref<6240xf32>
  %conv2_4_all = memref.cast %conv2_4_flat : memref<6240xf32> to memref<?xf32>
  call @fill_f32(%conv2_4_all, %seed3) : (memref<?xf32>, index) -> ()
  amp.launch @kernels::@conv2 ins(%conv2_0_g, %conv2_1_g, %conv2_2_g : memref<1x13x12x8xf16, #g>, memref<3x3x8x40xf16, #g>, memref<40xf32, #g>) outs(%conv2_3_g : memref<1x13x12x40xf32, #g>)
  %conv2_ref = call @ref_conv2(%conv2_0, %conv2_1, %conv2_2, %conv2_4) : (memref<1x13x12x8xf16>, memref<3x3x8x40xf16>, memref<40xf32>, memref<1x13x12x40xf32>) -> memref<1x13x12x40xf32>
  %conv2_ref_flat = memref.reinterpret_cast %conv2_ref to offset: [0], sizes: [6240], strides: [1] : memref<1x13x12x40xf32> to memref<6240xf32>
  %conv2_ref_all = memref.cast %conv2_ref_flat : memref<6240xf32> to memref<?xf32>
  call @compare_f32(%conv2_3_all, %conv2_ref_all) : (memref<?xf32>, memref<?xf32>) -> ()
  vector.print str "conv3 "
  %conv3_0 = memref.alloc() {alignment = 64} : memref<2x8x8x3xbf16>
  %conv3_0_flat = memref.reinterpret_cast %conv3_0 to offset: [0], sizes: [384], strides: [1] : memref<2x8x8x3xbf16> to memref<384xbf16>
  %conv3_0_all = memref.cast %conv3_0_flat : memref<384xbf16> to memref<?xbf16>
  call @fill_bf16(%conv3_0_all, %seed0) : (memref<?xbf16>, index) -> ()
  %conv3_0_g = memref.memory_space_cast %conv3_0 : memref<2x8x8x3xbf16> to memref<2x8x8x3xbf16, #g>
  %conv3_1 = memref.alloc() {alignment = 64} : memref<3x3x3x16xbf16>
  %conv3_1_flat = memref.reinterpret_cast %conv3_1 to offset: [0], sizes: [432], strides: [1] : memref<3x3x3x16xbf16> to memref<432xbf16>
  %conv3_1_all = memref.cast %conv3_1_flat : memref<432xbf16> to memref<?xbf16>
  call @fill_bf16(%conv3_1_all, %seed1) : (memref<?xbf16>, index) -> ()
  %conv3_1_g = memref.memory_space_cast %conv3_1 : memref<3x3x3x16xbf16> to memref<3x3x3x16xbf16, #g>
  %conv3_2 = memref.alloc() {alignment = 64} : memref<16xf32>
  %conv3_2_flat = memref.reinterpret_cast %conv3_2 to offset: [0], sizes: [16], strides: [1] : memref<16xf32> to memref<16xf32>
  %conv3_2_all = memref.cast %conv3_2_flat : memref<16xf32> to memref<?xf32>
  call @fill_f32(%conv3_2_all, %seed2) : (memref<?xf32>, index) -> ()
  %conv3_2_g = memref.memory_space_cast %conv3_2 : memref<16xf32> to memref<16xf32, #g>
  %conv3_3 = memref.alloc() {alignment = 64} : memref<2x8x8x16xf32>
  %conv3_3_flat = memref.reinterpret_cast %conv3_3 to offset: [0], sizes: [2048], strides: [1] : memref<2x8x8x16xf32> to memref<2048xf32>
  %conv3_3_all = memref.cast %conv3_3_flat : memref<2048xf32> to memref<?xf32>
  call @fill_f32(%conv3_3_all, %seed3) : (memref<?xf32>, index) -> ()
  %conv3_3_g = memref.memory_space_cast %conv3_3 : memref<2x8x8x16xf32> to memref<2x8x8x16xf32, #g>
  %conv3_4 = memref.alloc() {alignment = 64} : memref<2x8x8x16xf32>
  %conv3_4_flat = memref.reinterpret_cast %conv3_4 to offset: [0], sizes: [2048], strides: [1] : memref<2x8x8x16xf32> to memref<2048xf32>
  %conv3_4_all = memref.cast %conv3_4_flat : memref<2048xf32> to memref<?xf32>
  call @fill_f32(%conv3_4_all, %seed3) : (memref<?xf32>, index) -> ()
  amp.launch @kernels::@conv3 ins(%conv3_0_g, %conv3_1_g, %conv3_2_g : memref<2x8x8x3xbf16, #g>, memref<3x3x3x16xbf16, #g>, memref<16xf32, #g>) outs(%conv3_3_g : memref<2x8x8x16xf32, #g>)
  %conv3_ref = call @ref_conv3(%conv3_0, %conv3_1, %conv3_2, %conv3_4) : (memref<2x8x8x3xbf16>, memref<3x3x3x16xbf16>, memref<16xf32>, memref<2x8x8x16xf32>) -> memref<2x8x8x16xf32>
  %conv3_ref_flat = memref.reinterpret_cast %conv3_ref to offset: [0], sizes: [2048], strides: [1] : memref<2x8x8x16xf32> to memref<2048xf32>
  %conv3_ref_all = memref.cast %conv3_ref_flat : memref<2048xf32> to memref<?xf32>
  call @compare_f32(%conv3_3_all, %conv3_ref_all) : (memref<?xf32>, memref<?xf32>) -> ()
  vector.print str "conv4 "
  %conv4_0 = memref.alloc() {alignment = 64} : memref<2x5x9x10xf16>
  %conv4_0_flat = memref.reinterpret_cast %conv4_0 to offset: [0], sizes: [900], strides: [1] : memref<2x5x9x10xf16> to memref<900xf16>
  %conv4_0_all = memref.cast %conv4_0_flat : memref<900xf16> to memref<?xf16>
  call @fill_f16(%conv4_0_all, %seed0) : (memref<?xf16>, index) -> ()
  %conv4_0_g = memref.memory_space_cast %conv4_0 : memref<2x5x9x10xf16> to memref<2x5x9x10xf16, #g>
  %conv4_1 = memref.alloc() {alignment = 64} : memref<16x5x3x3xf16>
  %conv4_1_flat = memref.reinterpret_cast %conv4_1 to offset: [0], sizes: [720], strides: [1] : memref<16x5x3x3xf16> to memref<720xf16>
  %conv4_1_all = memref.cast %conv4_1_flat : memref<720xf16> to memref<?xf16>
  call @fill_f16(%conv4_1_all, %seed1) : (memref<?xf16>, index) -> ()
  %conv4_1_g = memref.memory_space_cast %conv4_1 : memref<16x5x3x3xf16> to memref<16x5x3x3xf16, #g>
  %conv4_2 = memref.alloc() {alignment = 64} : memref<16xf32>
  %conv4_2_flat = memref.reinterpret_cast %conv4_2 to offset: [0], sizes: [16], strides: [1] : memref<16xf32> to memref<16xf32>
  %conv4_2_all = memref.cast %conv4_2_flat : memref<16xf32> to memref<?xf32>
  call @fill_f32(%conv4_2_all, %seed2) : (memref<?xf32>, index) -> ()
  %conv4_2_g = memref.memory_space_cast %conv4_2 : memref<16xf32> to memref<16xf32, #g>
  %conv4_3 = memref.alloc() {alignment = 64} : memref<2x16x5x5xf32>
  %conv4_3_flat = memref.reinterpret_cast %conv4_3 to offset: [0], sizes: [800], strides: [1] : memref<2x16x5x5xf32> to memref<800xf32>
  %conv4_3_all = memref.cast %conv4_3_flat : memref<800xf32> to memref<?xf32>
  call @fill_f32(%conv4_3_all, %seed3) : (memref<?xf32>, index) -> ()
  %conv4_3_g = memref.memory_space_cast %conv4_3 : memref<2x16x5x5xf32> to memref<2x16x5x5xf32, #g>
  %conv4_4 = memref.alloc() {alignment = 64} : memref<2x16x5x5xf32>
  %conv4_4_flat = memref.reinterpret_cast %conv4_4 to offset: [0], sizes: [800], strides: [1] : memref<2x16x5x5xf32> to memref<800xf32>
  %conv4_4_all = memref.cast %conv4_4_flat : memref<800xf32> to memref<?xf32>
  call @fill_f32(%conv4_4_all, %seed3) : (memref<?xf32>, index) -> ()
  amp.launch @kernels::@conv4 ins(%conv4_0_g, %conv4_1_g, %conv4_2_g : memref<2x5x9x10xf16, #g>, memref<16x5x3x3xf16, #g>, memref<16xf32, #g>) outs(%conv4_3_g : memref<2x16x5x5xf32, #g>)
  %conv4_ref = call @ref_conv4(%conv4_0, %conv4_1, %conv4_2, %conv4_4) : (memref<2x5x9x10xf16>, memref<16x5x3x3xf16>, memref<16xf32>, memref<2x16x5x5xf32>) -> memref<2x16x5x5xf32>
  %conv4_ref_flat = memref.reinterpret_cast %conv4_ref to offset: [0], sizes: [800], strides: [1] : memref<2x16x5x5xf32> to memref<800xf32>
  %conv4_ref_all = memref.cast %conv4_ref_flat : memref<800xf32> to memref<?xf32>
  call @compare_f32(%conv4_3_all, %conv4_ref_all) : (memref<?xf32>, memref<?xf32>) -> ()
  vector.print str "conv6 "
  %conv6_0 = memref.alloc() {alignment = 64} : memref<1x4x9x10xf16>
  %conv6_0_flat = memref.reinterpret_cast %conv6_0 to offset: [0], sizes: [360], strides: [1] : memref<1x4x9x10xf16> to memref<360xf16>
  %conv6_0_all = memref.cast %conv6_0_flat : memref<360xf16> to memref<?xf16>
  call @fill_f16(%conv6_0_all, %seed0) : (memref<?xf16>, index) -> ()
  %conv6_0_g = memref.memory_space_cast %conv6_0 : memref<1x4x9x10xf16> to memref<1x4x9x10xf16, #g>
  %conv6_1 = memref.alloc() {alignment = 64} : memref<12x4x3x3xf16>
  %conv6_1_flat = memref.reinterpret_cast %conv6_1 to offset: [0], sizes: [432], strides: [1] : memref<12x4x3x3xf16> to memref<432xf16>
  %conv6_1_all = memref.cast %conv6_1_flat : memref<432xf16> to memref<?xf16>
  call @fill_f16(%conv6_1_all, %seed1) : (memref<?xf16>, index) -> ()
  %conv6_1_g = memref.memory_space_cast %conv6_1 : memref<12x4x3x3xf16> to memref<12x4x3x3xf16, #g>
  %conv6_2 = memref.alloc() {alignment = 64} : memref<12xf32>
  %conv6_2_flat = memref.reinterpret_cast %conv6_2 to offset: [0], sizes: [12], strides: [1] : memref<12xf32> to memref<12xf32>
  %conv6_2_all = memref.cast %conv6_2_flat : memref<12xf32> to memref<?xf32>
  call @fill_f32(%conv6_2_all, %seed2) : (memref<?xf32>, index) -> ()
  %conv6_2_g = memref.memory_space_cast %conv6_2 : memref<12xf32> to memref<12xf32, #g>
  %conv6_3 = memref.alloc() {alignment = 64} : memref<1x12x7x8xf32>
  %conv6_3_flat = memref.reinterpret_cast %conv6_3 to offset: [0], sizes: [672], strides: [1] : memref<1x12x7x8xf32> to memref<672xf32>
  %conv6_3_all = memref.cast %conv6_3_flat : memref<672xf32> to memref<?xf32>
  call @fill_f32(%conv6_3_all, %seed3) : (memref<?xf32>, index) -> ()
  %conv6_3_g = memref.memory_space_cast %conv6_3 : memref<1x12x7x8xf32> to memref<1x12x7x8xf32, #g>
  %conv6_4 = memref.alloc() {alignment = 64} : memref<1x12x7x8xf32>
  %conv6_4_flat = memref.reinterpret_cast %conv6_4 to offset: [0], sizes: [672], strides: [1] : memref<1x12x7x8xf32> to memref<672xf32>
  %conv6_4_all = memref.cast %conv6_4_flat : memref<672xf32> to memref<?xf32>
  call @fill_f32(%conv6_4_all, %seed3) : (memref<?xf32>, index) -> ()
  amp.launch @kernels::@conv6 ins(%conv6_0_g, %conv6_1_g, %conv6_2_g : memref<1x4x9x10xf16, #g>, memref<12x4x3x3xf16, #g>, memref<12xf32, #g>) outs(%conv6_3_g : memref<1x12x7x8xf32, #g>)
  %conv6_ref = call @ref_conv6(%conv6_0, %conv6_1, %conv6_2, %conv6_4) : (memref<1x4x9x10xf16>, memref<12x4x3x3xf16>, memref<12xf32>, memref<1x12x7x8xf32>) -> memref<1x12x7x8xf32>
  %conv6_ref_flat = memref.reinterpret_cast %conv6_ref to offset: [0], sizes: [672], strides: [1] : memref<1x12x7x8xf32> to memref<672xf32>
  %conv6_ref_all = memref.cast %conv6_ref_flat : memref<672xf32> to memref<?xf32>
  call @compare_f32(%conv6_3_all, %conv6_ref_all) : (memref<?xf32>, memref<?xf32>) -> ()
  vector.print str "conv5 "
  %conv5_0 = memref.alloc() {alignment = 64} : memref<1x9x10x4xf32>
  %conv5_0_flat = memref.reinterpret_cast %conv5_0 to offset: [0], sizes: [360], strides: [1] : memref<1x9x10x4xf32> to memref<360xf32>
  %conv5_0_all = memref.cast %conv5_0_flat : memref<360xf32> to memref<?xf32>
  call @fill_f32(%conv5_0_all, %seed0) : (memref<?xf32>, index) -> ()
  %conv5_0_g = memref.memory_space_cast %conv5_0 : memref<1x9x10x4xf32> to memref<1x9x10x4xf32, #g>
  %conv5_1 = memref.alloc() {alignment = 64} : memref<3x3x4x12xf32>
  %conv5_1_flat = memref.reinterpret_cast %conv5_1 to offset: [0], sizes: [432], strides: [1] : memref<3x3x4x12xf32> to memref<432xf32>
  %conv5_1_all = memref.cast %conv5_1_flat : memref<432xf32> to memref<?xf32>
  call @fill_f32(%conv5_1_all, %seed1) : (memref<?xf32>, index) -> ()
  %conv5_1_g = memref.memory_space_cast %conv5_1 : memref<3x3x4x12xf32> to memref<3x3x4x12xf32, #g>
  %conv5_2 = memref.alloc() {alignment = 64} : memref<12xf32>
  %conv5_2_flat = memref.reinterpret_cast %conv5_2 to offset: [0], sizes: [12], strides: [1] : memref<12xf32> to memref<12xf32>
  %conv5_2_all = memref.cast %conv5_2_flat : memref<12xf32> to memref<?xf32>
  call @fill_f32(%conv5_2_all, %seed2) : (memref<?xf32>, index) -> ()
  %conv5_2_g = memref.memory_space_cast %conv5_2 : memref<12xf32> to memref<12xf32, #g>
  %conv5_3 = memref.alloc() {alignment = 64} : memref<1x9x10x12xf32>
  %conv5_3_flat = memref.reinterpret_cast %conv5_3 to offset: [0], sizes: [1080], strides: [1] : memref<1x9x10x12xf32> to memref<1080xf32>
  %conv5_3_all = memref.cast %conv5_3_flat : memref<1080xf32> to memref<?xf32>
  call @fill_f32(%conv5_3_all, %seed3) : (memref<?xf32>, index) -> ()
  %conv5_3_g = memref.memory_space_cast %conv5_3 : memref<1x9x10x12xf32> to memref<1x9x10x12xf32, #g>
  %conv5_4 = memref.alloc() {alignment = 64} : memref<1x9x10x12xf32>
  %conv5_4_flat = memref.reinterpret_cast %conv5_4 to offset: [0], sizes: [1080], strides: [1] : memref<1x9x10x12xf32> to memref<1080xf32>
  %conv5_4_all = memref.cast %conv5_4_flat : memref<1080xf32> to memref<?xf32>
  call @fill_f32(%conv5_4_all, %seed3) : (memref<?xf32>, index) -> ()
  amp.launch @kernels::@conv5 ins(%conv5_0_g, %conv5_1_g, %conv5_2_g : memref<1x9x10x4xf32, #g>, memref<3x3x4x12xf32, #g>, memref<12xf32, #g>) outs(%conv5_3_g : memref<1x9x10x12xf32, #g>)
  %conv5_ref = call @ref_conv5(%conv5_0, %conv5_1, %conv5_2, %conv5_4) : (memref<1x9x10x4xf32>, memref<3x3x4x12xf32>, memref<12xf32>, memref<1x9x10x12xf32>) -> memref<1x9x10x12xf32>
  %conv5_ref_flat = memref.reinterpret_cast %conv5_ref to offset: [0], sizes: [1080], strides: [1] : memref<1x9x10x12xf32> to memref<1080xf32>
  %conv5_ref_all = memref.cast %conv5_ref_flat : memref<1080xf32> to memref<?xf32>
  call @compare_f32(%conv5_3_all, %conv5_ref_all) : (memref<?xf32>, memref<?xf32>) -> ()
  return
}
