// RUN: %python %S/Inputs/add-main.py --aligned < %s \
// RUN:   | amp-opt --one-shot-bufferize=bufferize-function-boundaries --amp-gpu-codegen='target=sim:sm_90a allow-tf32=true' --amp-lower-to-simulator \
// RUN:   | env AMP_SIM_WRITES=all %simulate | FileCheck %s

// Every configuration of the schedule `wgmma`, layout and epilogue on the
// simulator, and the same functions on the host, on small integers: sums are
// exact. What is printed is the number of elements that differ, for each kernel.

// CHECK: sizes = [13]
// CHECK-NEXT: [0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0]

#g = #gpu.address_space<global>

module @kernels {
  // A along K, B along N; all sizes have a tail, K more than one stage.
  func.func @large(%a: tensor<130x72xf16>, %b: tensor<72x264xf16>, %bias: tensor<264xf16>, %d: tensor<130x264xf16> {amp.destination = 0 : i64}) -> tensor<130x264xf16> attributes {amp.kernel, amp.schedule = "wgmma:128x256-4"} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<130x264xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<130x264xf32>) -> tensor<130x264xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<130x72xf16>, tensor<72x264xf16>) outs(%f : tensor<130x264xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<130x264xf32>
    %r0 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c, %bias : tensor<130x264xf32>, tensor<264xf16>) outs(%d : tensor<130x264xf16>) {
    ^bb0(%x: f32, %v: f16, %o: f16):
      %v1 = arith.extf %v : f16 to f32
      %t0 = arith.addf %x, %v1 : f32
      %t5 = arith.truncf %t0 : f32 to f16
      linalg.yield %t5 : f16
    } -> tensor<130x264xf16>
    return %r0 : tensor<130x264xf16>
  }
  // Both along M and N; a consumer has two blocks of 64 rows.
  func.func @tall(%a: tensor<200x264xbf16>, %b: tensor<200x136xbf16>, %d: tensor<264x136xf32> {amp.destination = 0 : i64}) -> tensor<264x136xf32> attributes {amp.kernel, amp.schedule = "wgmma:256x128-4"} {
    %zero = arith.constant 0.0 : f32
    %f = linalg.fill ins(%zero : f32) outs(%d : tensor<264x136xf32>) -> tensor<264x136xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<200x264xbf16>, tensor<200x136xbf16>) outs(%f : tensor<264x136xf32>) {
    ^bb0(%x: bf16, %y: bf16, %acc: f32):
      %x1 = arith.extf %x : bf16 to f32
      %y1 = arith.extf %y : bf16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<264x136xf32>
    return %c : tensor<264x136xf32>
  }
  // Blocks have several tiles, which the consumers take in turns; the rest of the
  // ring is not a multiple of what a tile needs.
  func.func @turns(%a: tensor<1544x72xbf16>, %b: tensor<1424x72xbf16>, %rowbias: tensor<1544xf32>, %d: tensor<1544x1424xbf16> {amp.destination = 0 : i64}) -> tensor<1544x1424xbf16> attributes {amp.kernel, amp.schedule = "wgmma:128x128-ping-pong-6"} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<1544x1424xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1544x1424xf32>) -> tensor<1544x1424xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<1544x72xbf16>, tensor<1424x72xbf16>) outs(%f : tensor<1544x1424xf32>) {
    ^bb0(%x: bf16, %y: bf16, %acc: f32):
      %x1 = arith.extf %x : bf16 to f32
      %y1 = arith.extf %y : bf16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<1544x1424xf32>
    %r0 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c, %rowbias : tensor<1544x1424xf32>, tensor<1544xf32>) outs(%d : tensor<1544x1424xbf16>) {
    ^bb0(%x: f32, %w: f32, %o: bf16):
      %t1 = arith.addf %x, %w : f32
      %t5 = arith.truncf %t1 : f32 to bf16
      linalg.yield %t5 : bf16
    } -> tensor<1544x1424xbf16>
    return %r0 : tensor<1544x1424xbf16>
  }
  // The same with tiles that consumers share; A along M.
  func.func @shared(%a: tensor<136x1032xf16>, %b: tensor<1544x136xf16>, %d: tensor<1032x1544xf16> {amp.destination = 0 : i64}) -> tensor<1032x1544xf16> attributes {amp.kernel, amp.schedule = "wgmma:128x128-6"} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<1032x1544xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1032x1544xf32>) -> tensor<1032x1544xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<136x1032xf16>, tensor<1544x136xf16>) outs(%f : tensor<1032x1544xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<1032x1544xf32>
    %r0 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c : tensor<1032x1544xf32>) outs(%d : tensor<1032x1544xf16>) {
    ^bb0(%x: f32, %o: f16):
      %k0 = arith.constant 500.0 : f32
      %t2 = arith.maximumf %x, %k0 : f32
      %t5 = arith.truncf %t2 : f32 to f16
      linalg.yield %t5 : f16
    } -> tensor<1032x1544xf16>
    return %r0 : tensor<1032x1544xf16>
  }
  // Results of 32 bits, and an operand of their shape.
  func.func @wide(%a: tensor<136x64xf16>, %b: tensor<400x64xf16>, %res: tensor<136x400xf32>, %d: tensor<136x400xf32> {amp.destination = 0 : i64}) -> tensor<136x400xf32> attributes {amp.kernel, amp.schedule = "wgmma:128x192-4"} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<136x400xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<136x400xf32>) -> tensor<136x400xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<136x64xf16>, tensor<400x64xf16>) outs(%f : tensor<136x400xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<136x400xf32>
    %r0 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c, %res : tensor<136x400xf32>, tensor<136x400xf32>) outs(%d : tensor<136x400xf32>) {
    ^bb0(%x: f32, %r: f32, %o: f32):
      %t3 = arith.addf %x, %r : f32
      linalg.yield %t3 : f32
    } -> tensor<136x400xf32>
    return %r0 : tensor<136x400xf32>
  }
  // Two results of different types: an odd number of buffers in a tile.
  func.func @two(%a: tensor<72x136xf16>, %b: tensor<136x136xf16>, %bias: tensor<136xf16>, %d: tensor<72x136xf16> {amp.destination = 0 : i64}, %d1: tensor<72x136xf32> {amp.destination = 1 : i64}) -> (tensor<72x136xf16>, tensor<72x136xf32>) attributes {amp.kernel, amp.schedule = "wgmma:64x128-8"} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<72x136xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<72x136xf32>) -> tensor<72x136xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<72x136xf16>, tensor<136x136xf16>) outs(%f : tensor<72x136xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<72x136xf32>
    %r0:2 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c, %bias : tensor<72x136xf32>, tensor<136xf16>) outs(%d, %d1 : tensor<72x136xf16>, tensor<72x136xf32>) {
    ^bb0(%x: f32, %v: f16, %o: f16, %o1: f32):
      %v1 = arith.extf %v : f16 to f32
      %t0 = arith.addf %x, %v1 : f32
      %t5 = arith.truncf %t0 : f32 to f16
      linalg.yield %t5, %t0 : f16, f32
    } -> (tensor<72x136xf16>, tensor<72x136xf32>)
    return %r0#0, %r0#1 : tensor<72x136xf16>, tensor<72x136xf32>
  }
  // Results of 8 bits.
  func.func @bytes(%a: tensor<100x64xf16>, %b: tensor<144x64xf16>, %d: tensor<100x144xi8> {amp.destination = 0 : i64}) -> tensor<100x144xi8> attributes {amp.kernel, amp.schedule = "wgmma:64x64-4-2-blocks"} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<100x144xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<100x144xf32>) -> tensor<100x144xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<100x64xf16>, tensor<144x64xf16>) outs(%f : tensor<100x144xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<100x144xf32>
    %r0 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c : tensor<100x144xf32>) outs(%d : tensor<100x144xi8>) {
    ^bb0(%x: f32, %o: i8):
      %k1 = arith.constant 0.0078125 : f32
      %t4 = arith.mulf %x, %k1 : f32
      %t5 = arith.fptosi %t4 : f32 to i8
      linalg.yield %t5 : i8
    } -> tensor<100x144xi8>
    return %r0 : tensor<100x144xi8>
  }
  // A batch of two loops.
  func.func @heads(%a: tensor<2x3x72x40xf16>, %b: tensor<2x3x72x40xf16>, %d: tensor<2x3x72x72xf16> {amp.destination = 0 : i64}) -> tensor<2x3x72x72xf16> attributes {amp.kernel, amp.schedule = "wgmma:64x64-4-2-blocks"} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<2x3x72x72xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x3x72x72xf32>) -> tensor<2x3x72x72xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(b0, b1, m, n, k) -> (b0, b1, m, k)>, affine_map<(b0, b1, m, n, k) -> (b0, b1, n, k)>, affine_map<(b0, b1, m, n, k) -> (b0, b1, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<2x3x72x40xf16>, tensor<2x3x72x40xf16>) outs(%f : tensor<2x3x72x72xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<2x3x72x72xf32>
    %r0 = linalg.generic {indexing_maps = [affine_map<(b0, b1, m, n) -> (b0, b1, m, n)>, affine_map<(b0, b1, m, n) -> (b0, b1, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
        ins(%c : tensor<2x3x72x72xf32>) outs(%d : tensor<2x3x72x72xf16>) {
    ^bb0(%x: f32, %o: f16):
      %k0 = arith.constant 500.0 : f32
      %t2 = arith.maximumf %x, %k0 : f32
      %t5 = arith.truncf %t2 : f32 to f16
      linalg.yield %t5 : f16
    } -> tensor<2x3x72x72xf16>
    return %r0 : tensor<2x3x72x72xf16>
  }
  // The sum starts from a tensor.
  func.func @sum(%a: tensor<72x128xf16>, %b: tensor<80x128xf16>, %bias: tensor<80xf16>, %init: tensor<72x80xf32>, %d: tensor<72x80xf16> {amp.destination = 0 : i64}) -> tensor<72x80xf16> attributes {amp.kernel, amp.schedule = "wgmma:64x128-4-2-blocks"} {
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<72x128xf16>, tensor<80x128xf16>) outs(%init : tensor<72x80xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<72x80xf32>
    %r0 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c, %bias : tensor<72x80xf32>, tensor<80xf16>) outs(%d : tensor<72x80xf16>) {
    ^bb0(%x: f32, %v: f16, %o: f16):
      %v1 = arith.extf %v : f16 to f32
      %t0 = arith.addf %x, %v1 : f32
      %t5 = arith.truncf %t0 : f32 to f16
      linalg.yield %t5 : f16
    } -> tensor<72x80xf16>
    return %r0 : tensor<72x80xf16>
  }
  // Rows that TMA cannot store, and no pairs of columns.
  func.func @odd(%a: tensor<70x48xf16>, %b: tensor<67x48xf16>, %bias: tensor<67xf16>, %d: tensor<70x67xf16> {amp.destination = 0 : i64}) -> tensor<70x67xf16> attributes {amp.kernel, amp.schedule = "wgmma:64x64-4-2-blocks"} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<70x67xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<70x67xf32>) -> tensor<70x67xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<70x48xf16>, tensor<67x48xf16>) outs(%f : tensor<70x67xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<70x67xf32>
    %r0 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c, %bias : tensor<70x67xf32>, tensor<67xf16>) outs(%d : tensor<70x67xf16>) {
    ^bb0(%x: f32, %v: f16, %o: f16):
      %v1 = arith.extf %v : f16 to f32
      %t0 = arith.addf %x, %v1 : f32
      %t5 = arith.truncf %t0 : f32 to f16
      linalg.yield %t5 : f16
    } -> tensor<70x67xf16>
    return %r0 : tensor<70x67xf16>
  }
  // Rows of two dimensions, which A and the result walk through as one.
  func.func @rows(%a: tensor<2x70x64xf16>, %b: tensor<64x72xf16>, %d: tensor<2x70x72xf32> {amp.destination = 0 : i64}) -> tensor<2x70x72xf32> attributes {amp.kernel, amp.schedule = "wgmma:64x128-8"} {
    %zero = arith.constant 0.0 : f32
    %f = linalg.fill ins(%zero : f32) outs(%d : tensor<2x70x72xf32>) -> tensor<2x70x72xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(s, m, n, k) -> (s, m, k)>, affine_map<(s, m, n, k) -> (k, n)>, affine_map<(s, m, n, k) -> (s, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<2x70x64xf16>, tensor<64x72xf16>) outs(%f : tensor<2x70x72xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<2x70x72xf32>
    return %c : tensor<2x70x72xf32>
  }
  // 8-bit integers, one with and one without a sign.
  func.func @integers(%a: tensor<72x160xi8>, %b: tensor<80x160xi8>, %d: tensor<72x80xi32> {amp.destination = 0 : i64}) -> tensor<72x80xi32> attributes {amp.kernel, amp.schedule = "wgmma:64x128-8"} {
    %zero = arith.constant 0 : i32
    %f = linalg.fill ins(%zero : i32) outs(%d : tensor<72x80xi32>) -> tensor<72x80xi32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<72x160xi8>, tensor<80x160xi8>) outs(%f : tensor<72x80xi32>) {
    ^bb0(%x: i8, %y: i8, %acc: i32):
      %x1 = arith.extsi %x : i8 to i32
      %y1 = arith.extui %y : i8 to i32
      %p = arith.muli %x1, %y1 : i32
      %s = arith.addi %acc, %p : i32
      linalg.yield %s : i32
    } -> tensor<72x80xi32>
    return %c : tensor<72x80xi32>
  }
  // f32 as tf32, which small integers are.
  func.func @tf32(%a: tensor<72x72xf32>, %b: tensor<80x72xf32>, %d: tensor<72x80xf32> {amp.destination = 0 : i64}) -> tensor<72x80xf32> attributes {amp.kernel, amp.schedule = "wgmma:64x64-4-2-blocks"} {
    %zero = arith.constant 0.0 : f32
    %f = linalg.fill ins(%zero : f32) outs(%d : tensor<72x80xf32>) -> tensor<72x80xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<72x72xf32>, tensor<80x72xf32>) outs(%f : tensor<72x80xf32>) {
    ^bb0(%x: f32, %y: f32, %acc: f32):
      %p = arith.mulf %x, %y : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<72x80xf32>
    return %c : tensor<72x80xf32>
  }
}
