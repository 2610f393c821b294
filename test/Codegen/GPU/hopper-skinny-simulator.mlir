// RUN: %python %S/Inputs/add-main.py --aligned --bound=6e-4 < %s > %t.mlir
// RUN: amp-opt %t.mlir --one-shot-bufferize=bufferize-function-boundaries --amp-gpu-codegen=target=sim:sm_90a --amp-lower-to-simulator \
// RUN:   | env AMP_SIM_WRITES=once %simulate | FileCheck %s

// Skinny tiles of `wgmma` on random numbers, against f64. An element is off by at
// most 2^-11 (the rounding of results of f16) and 2^-19 of the sum of the absolute
// values of its products; that of 8-bit floats by 0.017 of it, from which these
// numbers are far.

// CHECK: sizes = [14]
// CHECK-NEXT: [0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0]

#g = #gpu.address_space<global>

module @kernels {
  // W along K, in one round; rows of stages that TMA does not write.
  func.func @one(%a: tensor<1x136xf16>, %b: tensor<1416x136xf16>, %bias: tensor<1416xf32>, %d: tensor<1x1416xf16> {amp.destination = 0 : i64}) -> tensor<1x1416xf16> attributes {amp.kernel, amp.schedule = "wgmma:skinny-16x8-13"} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<1x1416xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x1416xf32>) -> tensor<1x1416xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<1x136xf16>, tensor<1416x136xf16>) outs(%f : tensor<1x1416xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<1x1416xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c, %bias : tensor<1x1416xf32>, tensor<1416xf32>) outs(%d : tensor<1x1416xf16>) {
    ^bb0(%x: f32, %v: f32, %o: f16):
      %t = arith.addf %x, %v : f32
      %u = arith.truncf %t : f32 to f16
      linalg.yield %u : f16
    } -> tensor<1x1416xf16>
    return %r : tensor<1x1416xf16>
  }
  // Tiles of eight rows, and boxes of results too.
  func.func @eight(%a: tensor<5x72xf16>, %b: tensor<1000x72xf16>, %d: tensor<5x1000xf16> {amp.destination = 0 : i64}) -> tensor<5x1000xf16> attributes {amp.kernel, amp.schedule = "wgmma:skinny-8x8-13"} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<5x1000xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5x1000xf32>) -> tensor<5x1000xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<5x72xf16>, tensor<1000x72xf16>) outs(%f : tensor<5x1000xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<5x1000xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c : tensor<5x1000xf32>) outs(%d : tensor<5x1000xf16>) {
    ^bb0(%x: f32, %o: f16):
      %u = arith.truncf %x : f32 to f16
      linalg.yield %u : f16
    } -> tensor<5x1000xf16>
    return %r : tensor<5x1000xf16>
  }
  // Rows of 262 bytes, which TMA cannot store.
  func.func @odd_rows(%a: tensor<3x72xf16>, %b: tensor<131x72xf16>, %d: tensor<3x131xf16> {amp.destination = 0 : i64}) -> tensor<3x131xf16> attributes {amp.kernel, amp.schedule = "wgmma:skinny-128x8-13"} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<3x131xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x131xf32>) -> tensor<3x131xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<3x72xf16>, tensor<131x72xf16>) outs(%f : tensor<3x131xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<3x131xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c : tensor<3x131xf32>) outs(%d : tensor<3x131xf16>) {
    ^bb0(%x: f32, %o: f16):
      %u = arith.truncf %x : f32 to f16
      linalg.yield %u : f16
    } -> tensor<3x131xf16>
    return %r : tensor<3x131xf16>
  }
  // Results along columns, in parts of 16, with tails of both.
  func.func @columns(%a: tensor<203x136xf16>, %b: tensor<40x136xf16>, %d: tensor<203x40xf16> {amp.destination = 0 : i64}) -> tensor<203x40xf16> attributes {amp.kernel, amp.schedule = "wgmma:skinny-128x64-9"} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<203x40xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<203x40xf32>) -> tensor<203x40xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<203x136xf16>, tensor<40x136xf16>) outs(%f : tensor<203x40xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<203x40xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c : tensor<203x40xf32>) outs(%d : tensor<203x40xf16>) {
    ^bb0(%x: f32, %o: f16):
      %u = arith.truncf %x : f32 to f16
      linalg.yield %u : f16
    } -> tensor<203x40xf16>
    return %r : tensor<203x40xf16>
  }
  // The same in boxes of eight rows and columns.
  func.func @columns_eight(%a: tensor<490x72xf16>, %b: tensor<8x72xf16>, %d: tensor<490x8xf16> {amp.destination = 0 : i64}) -> tensor<490x8xf16> attributes {amp.kernel, amp.schedule = "wgmma:skinny-8x8-13"} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<490x8xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<490x8xf32>) -> tensor<490x8xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<490x72xf16>, tensor<8x72xf16>) outs(%f : tensor<490x8xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<490x8xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c : tensor<490x8xf32>) outs(%d : tensor<490x8xf16>) {
    ^bb0(%x: f32, %o: f16):
      %u = arith.truncf %x : f32 to f16
      linalg.yield %u : f16
    } -> tensor<490x8xf16>
    return %r : tensor<490x8xf16>
  }
  // And by the kernel behind.
  func.func @columns_shared(%a: tensor<200x520xf16>, %b: tensor<24x520xf16>, %d: tensor<200x24xf16> {amp.destination = 0 : i64}) -> tensor<200x24xf16> attributes {amp.kernel, amp.schedule = "wgmma:skinny-128x32-11-stream-k"} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<200x24xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<200x24xf32>) -> tensor<200x24xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<200x520xf16>, tensor<24x520xf16>) outs(%f : tensor<200x24xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<200x24xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c : tensor<200x24xf32>) outs(%d : tensor<200x24xf16>) {
    ^bb0(%x: f32, %o: f16):
      %u = arith.truncf %x : f32 to f16
      linalg.yield %u : f16
    } -> tensor<200x24xf16>
    return %r : tensor<200x24xf16>
  }
  // W along N.
  func.func @sixteen(%a: tensor<13x200xbf16>, %b: tensor<200x264xbf16>, %d: tensor<13x264xf32> {amp.destination = 0 : i64}) -> tensor<13x264xf32> attributes {amp.kernel, amp.schedule = "wgmma:skinny-128x16-12"} {
    %zero = arith.constant 0.0 : f32
    %f = linalg.fill ins(%zero : f32) outs(%d : tensor<13x264xf32>) -> tensor<13x264xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<13x200xbf16>, tensor<200x264xbf16>) outs(%f : tensor<13x264xf32>) {
    ^bb0(%x: bf16, %y: bf16, %acc: f32):
      %x1 = arith.extf %x : bf16 to f32
      %y1 = arith.extf %y : bf16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<13x264xf32>
    return %c : tensor<13x264xf32>
  }
  // Both operands along what is not K.
  func.func @along_m(%a: tensor<136x40xf16>, %b: tensor<200x136xf16>, %bias: tensor<40xf32>, %d: tensor<40x200xf16> {amp.destination = 0 : i64}) -> tensor<40x200xf16> attributes {amp.kernel, amp.schedule = "wgmma:skinny-128x64-9"} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<40x200xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<40x200xf32>) -> tensor<40x200xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<136x40xf16>, tensor<200x136xf16>) outs(%f : tensor<40x200xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<40x200xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c, %bias : tensor<40x200xf32>, tensor<40xf32>) outs(%d : tensor<40x200xf16>) {
    ^bb0(%x: f32, %v: f32, %o: f16):
      %t = arith.addf %x, %v : f32
      %u = arith.truncf %t : f32 to f16
      linalg.yield %u : f16
    } -> tensor<40x200xf16>
    return %r : tensor<40x200xf16>
  }
  // Few columns: nothing is exchanged.
  func.func @narrow(%a: tensor<264x136xf16>, %b: tensor<24x136xf16>, %bias: tensor<264x24xf32>, %d: tensor<264x24xf32> {amp.destination = 0 : i64}) -> tensor<264x24xf32> attributes {amp.kernel, amp.schedule = "wgmma:skinny-128x32-11"} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<264x24xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<264x24xf32>) -> tensor<264x24xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<264x136xf16>, tensor<24x136xf16>) outs(%f : tensor<264x24xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<264x24xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c, %bias : tensor<264x24xf32>, tensor<264x24xf32>) outs(%d : tensor<264x24xf32>) {
    ^bb0(%x: f32, %v: f32, %o: f32):
      %t = arith.addf %x, %v : f32
      linalg.yield %t : f32
    } -> tensor<264x24xf32>
    return %r : tensor<264x24xf32>
  }
  func.func @odd(%a: tensor<130x72xf16>, %b: tensor<7x72xf16>, %d: tensor<130x7xf32> {amp.destination = 0 : i64}) -> tensor<130x7xf32> attributes {amp.kernel, amp.schedule = "wgmma:skinny-128x8-13"} {
    %zero = arith.constant 0.0 : f32
    %f = linalg.fill ins(%zero : f32) outs(%d : tensor<130x7xf32>) -> tensor<130x7xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<130x72xf16>, tensor<7x72xf16>) outs(%f : tensor<130x7xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<130x7xf32>
    return %c : tensor<130x7xf32>
  }
  func.func @f8(%a: tensor<5x272xf8E4M3FN>, %b: tensor<144x272xf8E5M2>, %d: tensor<5x144xf32> {amp.destination = 0 : i64}) -> tensor<5x144xf32> attributes {amp.kernel, amp.schedule = "wgmma:skinny-128x8-13"} {
    %zero = arith.constant 0.0 : f32
    %f = linalg.fill ins(%zero : f32) outs(%d : tensor<5x144xf32>) -> tensor<5x144xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<5x272xf8E4M3FN>, tensor<144x272xf8E5M2>) outs(%f : tensor<5x144xf32>) {
    ^bb0(%x: f8E4M3FN, %y: f8E5M2, %acc: f32):
      %x1 = arith.extf %x : f8E4M3FN to f32
      %y1 = arith.extf %y : f8E5M2 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<5x144xf32>
    return %c : tensor<5x144xf32>
  }
  func.func @batch(%a: tensor<3x8x72xf16>, %b: tensor<3x72x72xf16>, %d: tensor<3x8x72xf16> {amp.destination = 0 : i64}) -> tensor<3x8x72xf16> attributes {amp.kernel, amp.schedule = "wgmma:skinny-128x8-13"} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<3x8x72xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x8x72xf32>) -> tensor<3x8x72xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<3x8x72xf16>, tensor<3x72x72xf16>) outs(%f : tensor<3x8x72xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<3x8x72xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(b, m, n) -> (b, m, n)>, affine_map<(b, m, n) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%c : tensor<3x8x72xf32>) outs(%d : tensor<3x8x72xf16>) {
    ^bb0(%x: f32, %o: f16):
      %u = arith.truncf %x : f32 to f16
      linalg.yield %u : f16
    } -> tensor<3x8x72xf16>
    return %r : tensor<3x8x72xf16>
  }
  // Blocks share tiles along K.
  func.func @shared(%a: tensor<16x1032xf16>, %b: tensor<1032x264xf16>, %bias: tensor<264xf32>, %d: tensor<16x264xf16> {amp.destination = 0 : i64}) -> tensor<16x264xf16> attributes {amp.kernel, amp.schedule = "wgmma:skinny-128x16-12-stream-k"} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<16x264xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16x264xf32>) -> tensor<16x264xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<16x1032xf16>, tensor<1032x264xf16>) outs(%f : tensor<16x264xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<16x264xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c, %bias : tensor<16x264xf32>, tensor<264xf32>) outs(%d : tensor<16x264xf16>) {
    ^bb0(%x: f32, %v: f32, %o: f16):
      %t = arith.addf %x, %v : f32
      %u = arith.truncf %t : f32 to f16
      linalg.yield %u : f16
    } -> tensor<16x264xf16>
    return %r : tensor<16x264xf16>
  }
  func.func @shared_narrow(%a: tensor<200x520xbf16>, %b: tensor<64x520xbf16>, %d: tensor<200x64xf32> {amp.destination = 0 : i64}) -> tensor<200x64xf32> attributes {amp.kernel, amp.schedule = "wgmma:skinny-128x64-9-stream-k"} {
    %zero = arith.constant 0.0 : f32
    %f = linalg.fill ins(%zero : f32) outs(%d : tensor<200x64xf32>) -> tensor<200x64xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<200x520xbf16>, tensor<64x520xbf16>) outs(%f : tensor<200x64xf32>) {
    ^bb0(%x: bf16, %y: bf16, %acc: f32):
      %x1 = arith.extf %x : bf16 to f32
      %y1 = arith.extf %y : bf16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<200x64xf32>
    return %c : tensor<200x64xf32>
  }
}
