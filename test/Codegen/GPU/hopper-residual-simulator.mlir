// REQUIRES: ptxas

// RUN: %python %S/Inputs/add-main.py --aligned < %s > %t.mlir
// RUN: amp-opt %t.mlir --one-shot-bufferize=bufferize-function-boundaries --amp-gpu-codegen=target=sim:sm_90a --amp-lower-to-simulator \
// RUN:   | env AMP_SIM_WRITES=all %simulate | FileCheck %s
// RUN: amp-opt %t.mlir --one-shot-bufferize=bufferize-function-boundaries --amp-gpu-codegen=target=sm_90a --remarks-filter=amp --remark-format=emitRemark 2>%t.remarks \
// RUN:   | amp-opt --amp-lower-gpu-to-nvvm='target=sm_90a strict=true' -o /dev/null
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks

// An operand of the epilogue that is indexed as the result is: each warp gets it
// by TMA, in chunks, the first two while it multiplies; the ring has as many
// stages less as that needs. Small integers, against the same functions on the
// host.

// REMARK: Function=residual | Config=128x256-3-residual,
// REMARK: Function=tall | Config=256x128-3-residual,
// REMARK: Function=turns | Config=128x128-ping-pong-5-residual,
// REMARK: Function=odd_rounds | Config=128x192-4-residual,
// REMARK: Function=small | Config=64x128-3-2-blocks-residual,
// REMARK: Function=of_16 | Config=128x128-5-residual,

// CHECK: sizes = [8]
// CHECK-NEXT: [0,  0,  0,  0,  0,  0,  0,  0]

#g = #gpu.address_space<global>

module @kernels {
  // A linear of f16 that is added to a stream of f32.
  func.func @residual(%a: tensor<136x72xf16>, %b: tensor<264x72xf16>, %bias: tensor<264xf16>, %residual: tensor<136x264xf32>, %d: tensor<136x264xf32> {amp.destination = 0 : i64}) -> tensor<136x264xf32> attributes {amp.kernel, amp.schedule = "wgmma:128x256-4"} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<136x264xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<136x264xf32>) -> tensor<136x264xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<136x72xf16>, tensor<264x72xf16>) outs(%f : tensor<136x264xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<136x264xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c, %bias, %residual : tensor<136x264xf32>, tensor<264xf16>, tensor<136x264xf32>) outs(%d : tensor<136x264xf32>) {
    ^bb0(%x: f32, %v0: f16, %v1: f32, %o: f32):
      %t = arith.truncf %x : f32 to f16
      %h = arith.addf %t, %v0 : f16
      %w = arith.extf %h : f16 to f32
      %u = arith.addf %w, %v1 : f32
      linalg.yield %u : f32
    } -> tensor<136x264xf32>
    return %r : tensor<136x264xf32>
  }
  // Two blocks of 64 rows for each warp.
  func.func @tall(%a: tensor<264x72xf16>, %b: tensor<136x72xf16>, %bias: tensor<136xf16>, %residual: tensor<264x136xf32>, %d: tensor<264x136xf32> {amp.destination = 0 : i64}) -> tensor<264x136xf32> attributes {amp.kernel, amp.schedule = "wgmma:256x128-4"} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<264x136xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<264x136xf32>) -> tensor<264x136xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<264x72xf16>, tensor<136x72xf16>) outs(%f : tensor<264x136xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<264x136xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c, %bias, %residual : tensor<264x136xf32>, tensor<136xf16>, tensor<264x136xf32>) outs(%d : tensor<264x136xf32>) {
    ^bb0(%x: f32, %v0: f16, %v1: f32, %o: f32):
      %t = arith.truncf %x : f32 to f16
      %h = arith.addf %t, %v0 : f16
      %w = arith.extf %h : f16 to f32
      %u = arith.addf %w, %v1 : f32
      linalg.yield %u : f32
    } -> tensor<264x136xf32>
    return %r : tensor<264x136xf32>
  }
  // Blocks have several tiles, which consumers take in turns.
  func.func @turns(%a: tensor<1544x72xf16>, %b: tensor<1416x72xf16>, %bias: tensor<1416xf16>, %residual: tensor<1544x1416xf32>, %d: tensor<1544x1416xf32> {amp.destination = 0 : i64}) -> tensor<1544x1416xf32> attributes {amp.kernel, amp.schedule = "wgmma:128x128-ping-pong-6"} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<1544x1416xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1544x1416xf32>) -> tensor<1544x1416xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<1544x72xf16>, tensor<1416x72xf16>) outs(%f : tensor<1544x1416xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<1544x1416xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c, %bias, %residual : tensor<1544x1416xf32>, tensor<1416xf16>, tensor<1544x1416xf32>) outs(%d : tensor<1544x1416xf32>) {
    ^bb0(%x: f32, %v0: f16, %v1: f32, %o: f32):
      %t = arith.truncf %x : f32 to f16
      %h = arith.addf %t, %v0 : f16
      %w = arith.extf %h : f16 to f32
      %u = arith.addf %w, %v1 : f32
      linalg.yield %u : f32
    } -> tensor<1544x1416xf32>
    return %r : tensor<1544x1416xf32>
  }
  // Each buffer is used three times in a tile.
  func.func @odd_rounds(%a: tensor<1544x72xf16>, %b: tensor<2120x72xf16>, %bias: tensor<2120xf16>, %residual: tensor<1544x2120xf32>, %d: tensor<1544x2120xf32> {amp.destination = 0 : i64}) -> tensor<1544x2120xf32> attributes {amp.kernel, amp.schedule = "wgmma:128x192-4"} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<1544x2120xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1544x2120xf32>) -> tensor<1544x2120xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<1544x72xf16>, tensor<2120x72xf16>) outs(%f : tensor<1544x2120xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<1544x2120xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c, %bias, %residual : tensor<1544x2120xf32>, tensor<2120xf16>, tensor<1544x2120xf32>) outs(%d : tensor<1544x2120xf32>) {
    ^bb0(%x: f32, %v0: f16, %v1: f32, %o: f32):
      %t = arith.truncf %x : f32 to f16
      %h = arith.addf %t, %v0 : f16
      %w = arith.extf %h : f16 to f32
      %u = arith.addf %w, %v1 : f32
      linalg.yield %u : f32
    } -> tensor<1544x2120xf32>
    return %r : tensor<1544x2120xf32>
  }
  func.func @small(%a: tensor<72x72xf16>, %b: tensor<136x72xf16>, %bias: tensor<136xf16>, %residual: tensor<72x136xf32>, %d: tensor<72x136xf32> {amp.destination = 0 : i64}) -> tensor<72x136xf32> attributes {amp.kernel, amp.schedule = "wgmma:64x128-4-2-blocks"} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<72x136xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<72x136xf32>) -> tensor<72x136xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<72x72xf16>, tensor<136x72xf16>) outs(%f : tensor<72x136xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<72x136xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c, %bias, %residual : tensor<72x136xf32>, tensor<136xf16>, tensor<72x136xf32>) outs(%d : tensor<72x136xf32>) {
    ^bb0(%x: f32, %v0: f16, %v1: f32, %o: f32):
      %t = arith.truncf %x : f32 to f16
      %h = arith.addf %t, %v0 : f16
      %w = arith.extf %h : f16 to f32
      %u = arith.addf %w, %v1 : f32
      linalg.yield %u : f32
    } -> tensor<72x136xf32>
    return %r : tensor<72x136xf32>
  }
  // A residual and a result of f16; one of f32 and a result of f16; the other way round.
  func.func @of_16(%a: tensor<136x72xf16>, %b: tensor<264x72xf16>, %residual: tensor<136x264xf16>, %d: tensor<136x264xf16> {amp.destination = 0 : i64}) -> tensor<136x264xf16> attributes {amp.kernel, amp.schedule = "wgmma:128x128-6"} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<136x264xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<136x264xf32>) -> tensor<136x264xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<136x72xf16>, tensor<264x72xf16>) outs(%f : tensor<136x264xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<136x264xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c, %residual : tensor<136x264xf32>, tensor<136x264xf16>) outs(%d : tensor<136x264xf16>) {
    ^bb0(%x: f32, %v0: f16, %o: f16):
      %t = arith.truncf %x : f32 to f16
      %u = arith.addf %t, %v0 : f16
      linalg.yield %u : f16
    } -> tensor<136x264xf16>
    return %r : tensor<136x264xf16>
  }
  func.func @of_32(%a: tensor<136x72xf16>, %b: tensor<264x72xf16>, %residual: tensor<136x264xf32>, %d: tensor<136x264xf16> {amp.destination = 0 : i64}) -> tensor<136x264xf16> attributes {amp.kernel, amp.schedule = "wgmma:128x256-4"} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<136x264xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<136x264xf32>) -> tensor<136x264xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<136x72xf16>, tensor<264x72xf16>) outs(%f : tensor<136x264xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<136x264xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c, %residual : tensor<136x264xf32>, tensor<136x264xf32>) outs(%d : tensor<136x264xf16>) {
    ^bb0(%x: f32, %v0: f32, %o: f16):
      %h = arith.addf %x, %v0 : f32
      %u = arith.truncf %h : f32 to f16
      linalg.yield %u : f16
    } -> tensor<136x264xf16>
    return %r : tensor<136x264xf16>
  }
  func.func @to_32(%a: tensor<136x72xbf16>, %b: tensor<264x72xbf16>, %residual: tensor<136x264xbf16>, %d: tensor<136x264xf32> {amp.destination = 0 : i64}) -> tensor<136x264xf32> attributes {amp.kernel, amp.schedule = "wgmma:128x256-4"} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<136x264xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<136x264xf32>) -> tensor<136x264xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<136x72xbf16>, tensor<264x72xbf16>) outs(%f : tensor<136x264xf32>) {
    ^bb0(%x: bf16, %y: bf16, %acc: f32):
      %x1 = arith.extf %x : bf16 to f32
      %y1 = arith.extf %y : bf16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<136x264xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c, %residual : tensor<136x264xf32>, tensor<136x264xbf16>) outs(%d : tensor<136x264xf32>) {
    ^bb0(%x: f32, %v0: bf16, %o: f32):
      %w = arith.extf %v0 : bf16 to f32
      %u = arith.addf %x, %w : f32
      linalg.yield %u : f32
    } -> tensor<136x264xf32>
    return %r : tensor<136x264xf32>
  }
}
