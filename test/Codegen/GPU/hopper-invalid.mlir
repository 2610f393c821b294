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
  // expected-error@+1 {{'amp.schedule' asks for 'wgmma', which cannot take this kernel because its right operand cannot be read by TMA: it has a stride of 134 bytes, no multiple of 16; remove the attribute}}
  func.func @k(%a: tensor<64x64xf16>, %b: tensor<64x67xf16>, %d: tensor<64x67xf32> {amp.destination = 0 : i64}) -> tensor<64x67xf32> attributes {amp.kernel, amp.schedule = "wgmma"} {
    %zero = arith.constant 0.0 : f32
    %f = linalg.fill ins(%zero : f32) outs(%d : tensor<64x67xf32>) -> tensor<64x67xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<64x64xf16>, tensor<64x67xf16>) outs(%f : tensor<64x67xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<64x67xf32>
    return %c : tensor<64x67xf32>
  }
}
func.func @main(%a: memref<64x64xf16, #g>, %b: memref<64x67xf16, #g>, %d: memref<64x67xf32, #g>) {
  amp.launch @kernels::@k ins(%a, %b : memref<64x64xf16, #g>, memref<64x67xf16, #g>) outs(%d : memref<64x67xf32, #g>)
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
