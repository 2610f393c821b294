// RUN: %python %S/Inputs/add-main.py --aligned --bound=2e-6 < %s \
// RUN:   | amp-opt --one-shot-bufferize=bufferize-function-boundaries --amp-gpu-codegen=target=sim:sm_90a --amp-lower-to-simulator \
// RUN:   | env AMP_SIM_WRITES=all %simulate | FileCheck %s

// Every configuration of `wgmma` on random numbers of many magnitudes, with
// subnormal ones, zeros and an infinity, against f64. An element is off by at
// most 2^-19 of the sum of the absolute values of its products: each of up to
// 33 wgmmas, and each of those that the epilogue adds, rounds to f32.

// CHECK: sizes = [8]
// CHECK-NEXT: [0,  0,  0,  0,  0,  0,  0,  0]

#g = #gpu.address_space<global>

module @kernels {
  // Sums of f32: what wgmma adds is rounded to f32 once.
  func.func @f16(%a: tensor<130x200xf16>, %b: tensor<200x264xf16>, %d: tensor<130x264xf32> {amp.destination = 0 : i64}) -> tensor<130x264xf32> attributes {amp.kernel, amp.schedule = "wgmma:128x256-4"} {
    %zero = arith.constant 0.0 : f32
    %f = linalg.fill ins(%zero : f32) outs(%d : tensor<130x264xf32>) -> tensor<130x264xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<130x200xf16>, tensor<200x264xf16>) outs(%f : tensor<130x264xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<130x264xf32>
    return %c : tensor<130x264xf32>
  }
  func.func @bf16(%a: tensor<264x264xbf16>, %b: tensor<264x136xbf16>, %bias: tensor<136xf32>, %d: tensor<264x136xf32> {amp.destination = 0 : i64}) -> tensor<264x136xf32> attributes {amp.kernel, amp.schedule = "wgmma:256x128-4"} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<264x136xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<264x136xf32>) -> tensor<264x136xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<264x264xbf16>, tensor<264x136xbf16>) outs(%f : tensor<264x136xf32>) {
    ^bb0(%x: bf16, %y: bf16, %acc: f32):
      %x1 = arith.extf %x : bf16 to f32
      %y1 = arith.extf %y : bf16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<264x136xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c, %bias : tensor<264x136xf32>, tensor<136xf32>) outs(%d : tensor<264x136xf32>) {
    ^bb0(%x: f32, %v: f32, %o: f32):
      %t = arith.addf %x, %v : f32
      linalg.yield %t : f32
    } -> tensor<264x136xf32>
    return %r : tensor<264x136xf32>
  }
  func.func @turns(%a: tensor<328x264xf16>, %b: tensor<264x328xf16>, %bias: tensor<264xf32>, %d: tensor<264x264xf32> {amp.destination = 0 : i64}) -> tensor<264x264xf32> attributes {amp.kernel, amp.schedule = "wgmma:128x128-ping-pong-6"} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<264x264xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<264x264xf32>) -> tensor<264x264xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<328x264xf16>, tensor<264x328xf16>) outs(%f : tensor<264x264xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<264x264xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c, %bias : tensor<264x264xf32>, tensor<264xf32>) outs(%d : tensor<264x264xf32>) {
    ^bb0(%x: f32, %v: f32, %o: f32):
      %t = arith.addf %x, %v : f32
      linalg.yield %t : f32
    } -> tensor<264x264xf32>
    return %r : tensor<264x264xf32>
  }
  func.func @shared(%a: tensor<136x200xbf16>, %b: tensor<264x200xbf16>, %d: tensor<136x264xf32> {amp.destination = 0 : i64}) -> tensor<136x264xf32> attributes {amp.kernel, amp.schedule = "wgmma:128x128-6"} {
    %zero = arith.constant 0.0 : f32
    %f = linalg.fill ins(%zero : f32) outs(%d : tensor<136x264xf32>) -> tensor<136x264xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<136x200xbf16>, tensor<264x200xbf16>) outs(%f : tensor<136x264xf32>) {
    ^bb0(%x: bf16, %y: bf16, %acc: f32):
      %x1 = arith.extf %x : bf16 to f32
      %y1 = arith.extf %y : bf16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<136x264xf32>
    return %c : tensor<136x264xf32>
  }
  func.func @wide(%a: tensor<136x200xf16>, %b: tensor<200x200xf16>, %bias: tensor<136x200xf32>, %d: tensor<136x200xf32> {amp.destination = 0 : i64}) -> tensor<136x200xf32> attributes {amp.kernel, amp.schedule = "wgmma:128x192-4"} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<136x200xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<136x200xf32>) -> tensor<136x200xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<136x200xf16>, tensor<200x200xf16>) outs(%f : tensor<136x200xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<136x200xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c, %bias : tensor<136x200xf32>, tensor<136x200xf32>) outs(%d : tensor<136x200xf32>) {
    ^bb0(%x: f32, %v: f32, %o: f32):
      %t = arith.addf %x, %v : f32
      linalg.yield %t : f32
    } -> tensor<136x200xf32>
    return %r : tensor<136x200xf32>
  }
  func.func @small(%a: tensor<72x520xf16>, %b: tensor<136x520xf16>, %d: tensor<72x136xf32> {amp.destination = 0 : i64}) -> tensor<72x136xf32> attributes {amp.kernel, amp.schedule = "wgmma:64x128-8"} {
    %zero = arith.constant 0.0 : f32
    %f = linalg.fill ins(%zero : f32) outs(%d : tensor<72x136xf32>) -> tensor<72x136xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<72x520xf16>, tensor<136x520xf16>) outs(%f : tensor<72x136xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<72x136xf32>
    return %c : tensor<72x136xf32>
  }
  func.func @two(%a: tensor<2x520x72xf16>, %b: tensor<2x136x520xf16>, %d: tensor<2x72x136xf32> {amp.destination = 0 : i64}) -> tensor<2x72x136xf32> attributes {amp.kernel, amp.schedule = "wgmma:64x128-4-2-blocks"} {
    %zero = arith.constant 0.0 : f32
    %f = linalg.fill ins(%zero : f32) outs(%d : tensor<2x72x136xf32>) -> tensor<2x72x136xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(b, m, n, k) -> (b, k, m)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<2x520x72xf16>, tensor<2x136x520xf16>) outs(%f : tensor<2x72x136xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<2x72x136xf32>
    return %c : tensor<2x72x136xf32>
  }
  func.func @smallest(%a: tensor<72x520xbf16>, %b: tensor<80x520xbf16>, %d: tensor<72x80xf32> {amp.destination = 0 : i64}) -> tensor<72x80xf32> attributes {amp.kernel, amp.schedule = "wgmma:64x64-4-2-blocks"} {
    %zero = arith.constant 0.0 : f32
    %f = linalg.fill ins(%zero : f32) outs(%d : tensor<72x80xf32>) -> tensor<72x80xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<72x520xbf16>, tensor<80x520xbf16>) outs(%f : tensor<72x80xf32>) {
    ^bb0(%x: bf16, %y: bf16, %acc: f32):
      %x1 = arith.extf %x : bf16 to f32
      %y1 = arith.extf %y : bf16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<72x80xf32>
    return %c : tensor<72x80xf32>
  }
}
