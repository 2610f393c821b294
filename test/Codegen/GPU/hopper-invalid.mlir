// RUN: amp-opt %s --split-input-file --verify-diagnostics --amp-gpu-codegen=target=sm_90a

#g = #gpu.address_space<global>

module @kernels {
  // expected-error@+1 {{'amp.schedule' asks for 'wgmma', which cannot take this kernel because it has no configuration '96x96', but 128x256-4, 256x128-4}}
  func.func @k(%a: tensor<64x64xf16>, %b: tensor<64x64xf16>, %d: tensor<64x64xf32> {amp.destination = 0 : i64}) -> tensor<64x64xf32> attributes {amp.kernel, amp.schedule = "wgmma:96x96"} {
    %zero = arith.constant 0.0 : f32
    %f = linalg.fill ins(%zero : f32) outs(%d : tensor<64x64xf32>) -> tensor<64x64xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<64x64xf16>, tensor<64x64xf16>) outs(%f : tensor<64x64xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<64x64xf32>
    return %c : tensor<64x64xf32>
  }
}
func.func @main(%a: memref<64x64xf16, #g>, %b: memref<64x64xf16, #g>, %d: memref<64x64xf32, #g>) {
  amp.launch @kernels::@k ins(%a, %b : memref<64x64xf16, #g>, memref<64x64xf16, #g>) outs(%d : memref<64x64xf32, #g>)
  return
}

// -----

#g = #gpu.address_space<global>

module @kernels {
  // expected-error@+1 {{'amp.schedule' asks for 'mma-sync', which cannot take this kernel because it has no option '64x64'}}
  func.func @k(%a: tensor<64x64xf16>, %b: tensor<64x64xf16>, %d: tensor<64x64xf32> {amp.destination = 0 : i64}) -> tensor<64x64xf32> attributes {amp.kernel, amp.schedule = "mma-sync:64x64"} {
    %zero = arith.constant 0.0 : f32
    %f = linalg.fill ins(%zero : f32) outs(%d : tensor<64x64xf32>) -> tensor<64x64xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<64x64xf16>, tensor<64x64xf16>) outs(%f : tensor<64x64xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<64x64xf32>
    return %c : tensor<64x64xf32>
  }
}
func.func @main(%a: memref<64x64xf16, #g>, %b: memref<64x64xf16, #g>, %d: memref<64x64xf32, #g>) {
  amp.launch @kernels::@k ins(%a, %b : memref<64x64xf16, #g>, memref<64x64xf16, #g>) outs(%d : memref<64x64xf32, #g>)
  return
}

// -----

#g = #gpu.address_space<global>

module @kernels {
  // expected-error@+1 {{'amp.schedule' asks for 'wgmma', which cannot take this kernel because sums of 8-bit floats in f32 need 256 registers beside others; without them (fast-f8) it could be done}}
  func.func @k(%a: tensor<64x64xf8E5M2>, %b: tensor<64x64xf8E5M2>, %d: tensor<64x64xf32> {amp.destination = 0 : i64}) -> tensor<64x64xf32> attributes {amp.kernel, amp.schedule = "wgmma:128x256-4"} {
    %zero = arith.constant 0.0 : f32
    %f = linalg.fill ins(%zero : f32) outs(%d : tensor<64x64xf32>) -> tensor<64x64xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<64x64xf8E5M2>, tensor<64x64xf8E5M2>) outs(%f : tensor<64x64xf32>) {
    ^bb0(%x: f8E5M2, %y: f8E5M2, %acc: f32):
      %x1 = arith.extf %x : f8E5M2 to f32
      %y1 = arith.extf %y : f8E5M2 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<64x64xf32>
    return %c : tensor<64x64xf32>
  }
}
func.func @main(%a: memref<64x64xf8E5M2, #g>, %b: memref<64x64xf8E5M2, #g>, %d: memref<64x64xf32, #g>) {
  amp.launch @kernels::@k ins(%a, %b : memref<64x64xf8E5M2, #g>, memref<64x64xf8E5M2, #g>) outs(%d : memref<64x64xf32, #g>)
  return
}

// -----

#g = #gpu.address_space<global>

module @kernels {
  // expected-error@+1 {{'amp.schedule' asks for 'wgmma', which cannot take this kernel because its right operand cannot be read by TMA: elements of other than 16 bits must be contiguous along the reduction}}
  func.func @k(%a: tensor<64x64xf8E5M2>, %b: tensor<64x64xf8E5M2>, %d: tensor<64x64xf32> {amp.destination = 0 : i64}) -> tensor<64x64xf32> attributes {amp.kernel, amp.schedule = "wgmma:128x256-4"} {
    %zero = arith.constant 0.0 : f32
    %f = linalg.fill ins(%zero : f32) outs(%d : tensor<64x64xf32>) -> tensor<64x64xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<64x64xf8E5M2>, tensor<64x64xf8E5M2>) outs(%f : tensor<64x64xf32>) {
    ^bb0(%x: f8E5M2, %y: f8E5M2, %acc: f32):
      %x1 = arith.extf %x : f8E5M2 to f32
      %y1 = arith.extf %y : f8E5M2 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<64x64xf32>
    return %c : tensor<64x64xf32>
  }
}
func.func @main(%a: memref<64x64xf8E5M2, #g>, %b: memref<64x64xf8E5M2, #g>, %d: memref<64x64xf32, #g>) {
  amp.launch @kernels::@k ins(%a, %b : memref<64x64xf8E5M2, #g>, memref<64x64xf8E5M2, #g>) outs(%d : memref<64x64xf32, #g>)
  return
}

// -----

#g = #gpu.address_space<global>

module @kernels {
  // expected-error@+1 {{'amp.schedule' asks for 'wgmma', which cannot take this kernel because its left operand cannot be read by TMA: im2col of 2 spatial dimensions has taps at 0 to 255, not at 300}}
  func.func @k(%a: tensor<2x8x602x8xf16>, %b: tensor<64x1x2x8xf16>, %d: tensor<2x8x602x64xf32> {amp.destination = 0 : i64}) -> tensor<2x8x602x64xf32> attributes {amp.kernel, amp.schedule = "wgmma"} {
    %zero = arith.constant 0.0 : f32
    %none = arith.constant 0.0 : f16
    %p = tensor.pad %a low[0, 0, 128, 0] high[0, 0, 172, 0] {
    ^bb0(%i: index, %j: index, %k: index, %l: index):
      tensor.yield %none : f16
    } : tensor<2x8x602x8xf16> to tensor<2x8x902x8xf16>
    %f = linalg.fill ins(%zero : f32) outs(%d : tensor<2x8x602x64xf32>) -> tensor<2x8x602x64xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(n, h, w, f, r, s, c) -> (n, h + r, w + s * 300, c)>, affine_map<(n, h, w, f, r, s, c) -> (f, r, s, c)>, affine_map<(n, h, w, f, r, s, c) -> (n, h, w, f)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
        ins(%p, %b : tensor<2x8x902x8xf16>, tensor<64x1x2x8xf16>) outs(%f : tensor<2x8x602x64xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %m = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %m : f32
      linalg.yield %s : f32
    } -> tensor<2x8x602x64xf32>
    return %c : tensor<2x8x602x64xf32>
  }
}
func.func @main(%a: memref<2x8x602x8xf16, #g>, %b: memref<64x1x2x8xf16, #g>, %d: memref<2x8x602x64xf32, #g>) {
  amp.launch @kernels::@k ins(%a, %b : memref<2x8x602x8xf16, #g>, memref<64x1x2x8xf16, #g>) outs(%d : memref<2x8x602x64xf32, #g>)
  return
}

// -----

#g = #gpu.address_space<global>

module @kernels {
  // expected-error@+1 {{'amp.schedule' asks for 'wgmma', which cannot take this kernel because it has no configuration 'skinny-128x16-12', but 128x256-4}}
  func.func @k(%a: tensor<64x64xf16>, %b: tensor<64x64xf16>, %d: tensor<64x64xf32> {amp.destination = 0 : i64}) -> tensor<64x64xf32> attributes {amp.kernel, amp.schedule = "wgmma:skinny-128x16-12"} {
    %zero = arith.constant 0.0 : f32
    %f = linalg.fill ins(%zero : f32) outs(%d : tensor<64x64xf32>) -> tensor<64x64xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<64x64xf16>, tensor<64x64xf16>) outs(%f : tensor<64x64xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<64x64xf32>
    return %c : tensor<64x64xf32>
  }
}
func.func @main(%a: memref<64x64xf16, #g>, %b: memref<64x64xf16, #g>, %d: memref<64x64xf32, #g>) {
  amp.launch @kernels::@k ins(%a, %b : memref<64x64xf16, #g>, memref<64x64xf16, #g>) outs(%d : memref<64x64xf32, #g>)
  return
}

// -----

#g = #gpu.address_space<global>

module @kernels {
  // expected-error@+1 {{'amp.schedule' asks for 'wgmma', which cannot take this kernel because its left operand cannot be read by TMA: im2col of 2 spatial dimensions has corners of -128 to 127, not -200}}
  func.func @k(%a: tensor<2x8x8x8xf16>, %b: tensor<64x1x201x8xf16>, %d: tensor<2x8x208x64xf32> {amp.destination = 0 : i64}) -> tensor<2x8x208x64xf32> attributes {amp.kernel, amp.schedule = "wgmma"} {
    %zero = arith.constant 0.0 : f32
    %none = arith.constant 0.0 : f16
    %p = tensor.pad %a low[0, 0, 200, 0] high[0, 0, 200, 0] {
    ^bb0(%i: index, %j: index, %k: index, %l: index):
      tensor.yield %none : f16
    } : tensor<2x8x8x8xf16> to tensor<2x8x408x8xf16>
    %f = linalg.fill ins(%zero : f32) outs(%d : tensor<2x8x208x64xf32>) -> tensor<2x8x208x64xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(n, h, w, f, r, s, c) -> (n, h + r, w + s, c)>, affine_map<(n, h, w, f, r, s, c) -> (f, r, s, c)>, affine_map<(n, h, w, f, r, s, c) -> (n, h, w, f)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
        ins(%p, %b : tensor<2x8x408x8xf16>, tensor<64x1x201x8xf16>) outs(%f : tensor<2x8x208x64xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %m = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %m : f32
      linalg.yield %s : f32
    } -> tensor<2x8x208x64xf32>
    return %c : tensor<2x8x208x64xf32>
  }
}
func.func @main(%a: memref<2x8x8x8xf16, #g>, %b: memref<64x1x201x8xf16, #g>, %d: memref<2x8x208x64xf32, #g>) {
  amp.launch @kernels::@k ins(%a, %b : memref<2x8x8x8xf16, #g>, memref<64x1x201x8xf16, #g>) outs(%d : memref<2x8x208x64xf32, #g>)
  return
}

// -----

#g = #gpu.address_space<global>

module @kernels {
  // expected-error@+1 {{'amp.schedule' asks for 'wgmma', which cannot take this kernel because its left operand cannot be read by TMA: it is no part of a buffer with one contiguous dimension}}
  func.func @k(%a: tensor<2x8x8x16xf16>, %b: tensor<64x3x3x16xf16>, %d: tensor<2x8x8x64xf32> {amp.destination = 0 : i64}) -> tensor<2x8x8x64xf32> attributes {amp.kernel, amp.schedule = "wgmma"} {
    %zero = arith.constant 0.0 : f32
    %none = arith.constant 1.0 : f16
    %p = tensor.pad %a low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%i: index, %j: index, %k: index, %l: index):
      tensor.yield %none : f16
    } : tensor<2x8x8x16xf16> to tensor<2x10x10x16xf16>
    %f = linalg.fill ins(%zero : f32) outs(%d : tensor<2x8x8x64xf32>) -> tensor<2x8x8x64xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(n, h, w, f, r, s, c) -> (n, h + r, w + s, c)>, affine_map<(n, h, w, f, r, s, c) -> (f, r, s, c)>, affine_map<(n, h, w, f, r, s, c) -> (n, h, w, f)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
        ins(%p, %b : tensor<2x10x10x16xf16>, tensor<64x3x3x16xf16>) outs(%f : tensor<2x8x8x64xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %m = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %m : f32
      linalg.yield %s : f32
    } -> tensor<2x8x8x64xf32>
    return %c : tensor<2x8x8x64xf32>
  }
}
func.func @main(%a: memref<2x8x8x16xf16, #g>, %b: memref<64x3x3x16xf16, #g>, %d: memref<2x8x8x64xf32, #g>) {
  amp.launch @kernels::@k ins(%a, %b : memref<2x8x8x16xf16, #g>, memref<64x3x3x16xf16, #g>) outs(%d : memref<2x8x8x64xf32, #g>)
  return
}

// -----

#g = #gpu.address_space<global>

module @kernels {
  // expected-error@+1 {{'amp.schedule' asks for 'wgmma', which cannot take this kernel because it has no configuration '128x128-ping-pong-6-stream-k', but}}
  func.func @k(%a: tensor<?x?xf16>, %b: tensor<?x?xf16>, %d: tensor<?x?xf32> {amp.destination = 0 : i64}) -> tensor<?x?xf32> attributes {amp.kernel, amp.schedule = "wgmma:128x128-ping-pong-6-stream-k"} {
    %zero = arith.constant 0.0 : f32
    %f = linalg.fill ins(%zero : f32) outs(%d : tensor<?x?xf32>) -> tensor<?x?xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<?x?xf16>, tensor<?x?xf16>) outs(%f : tensor<?x?xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<?x?xf32>
    return %c : tensor<?x?xf32>
  }
}
func.func @main(%a: memref<?x?xf16, #g>, %b: memref<?x?xf16, #g>, %d: memref<?x?xf32, #g>) {
  amp.launch @kernels::@k ins(%a, %b : memref<?x?xf16, #g>, memref<?x?xf16, #g>) outs(%d : memref<?x?xf32, #g>)
  return
}

// -----

#g = #gpu.address_space<global>

module @kernels {
  // expected-error@+1 {{'amp.schedule' asks for 'wgmma', which cannot take this kernel because the blocks of a cluster cannot share an odd number of boxes of 64}}
  func.func @k(%a: tensor<64x64xf16>, %b: tensor<64x64xf16>, %d: tensor<64x64xf32> {amp.destination = 0 : i64}) -> tensor<64x64xf32> attributes {amp.kernel, amp.schedule = "wgmma:64x128-4-2-blocks-cluster-1x2"} {
    %zero = arith.constant 0.0 : f32
    %f = linalg.fill ins(%zero : f32) outs(%d : tensor<64x64xf32>) -> tensor<64x64xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<64x64xf16>, tensor<64x64xf16>) outs(%f : tensor<64x64xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<64x64xf32>
    return %c : tensor<64x64xf32>
  }
}
func.func @main(%a: memref<64x64xf16, #g>, %b: memref<64x64xf16, #g>, %d: memref<64x64xf32, #g>) {
  amp.launch @kernels::@k ins(%a, %b : memref<64x64xf16, #g>, memref<64x64xf16, #g>) outs(%d : memref<64x64xf32, #g>)
  return
}
