// RUN: %python %S/Inputs/add-main.py --aligned < %s \
// RUN:   | amp-opt --one-shot-bufferize=bufferize-function-boundaries --amp-gpu-codegen=target=sim:sm_90a --amp-lower-to-simulator > %t.mlir
// RUN: env AMP_SIM_MULTIPROCESSORS=1 AMP_SIM_WRITES=all %simulate < %t.mlir | FileCheck %s
// RUN: env AMP_SIM_MULTIPROCESSORS=2 AMP_SIM_WRITES=all %simulate < %t.mlir | FileCheck %s
// RUN: env AMP_SIM_MULTIPROCESSORS=3 AMP_SIM_WRITES=all %simulate < %t.mlir | FileCheck %s

// Persistent blocks of the schedule `wgmma` on devices with few
// multiprocessors: each has several tiles, one of them, or none, less than
// others. What is printed is the number of elements that differ from the same on
// the host, on small integers, for each kernel.

// CHECK: sizes = [4]
// CHECK-NEXT: [0,  0,  0,  0]

module @kernels {
  // Twelve tiles, which the consumers take in turns.
  func.func @turns(%a: tensor<392x136xf16>, %b: tensor<264x136xf16>, %d: tensor<392x264xf16> {amp.destination = 0 : i64}) -> tensor<392x264xf16> attributes {amp.kernel, amp.schedule = "wgmma:128x128-ping-pong-6"} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<392x264xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<392x264xf32>) -> tensor<392x264xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<392x136xf16>, tensor<264x136xf16>) outs(%f : tensor<392x264xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<392x264xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c : tensor<392x264xf32>) outs(%d : tensor<392x264xf16>) {
    ^bb0(%x: f32, %o: f16):
      %u = arith.truncf %x : f32 to f16
      linalg.yield %u : f16
    } -> tensor<392x264xf16>
    return %r : tensor<392x264xf16>
  }
  // Six tiles that both consumers share, and a residual operand.
  func.func @shared(%a: tensor<264x72xf16>, %b: tensor<264x72xf16>, %more: tensor<264x264xf32>, %d: tensor<264x264xf16> {amp.destination = 0 : i64}) -> tensor<264x264xf16> attributes {amp.kernel, amp.schedule = "wgmma:128x128-6"} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<264x264xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<264x264xf32>) -> tensor<264x264xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<264x72xf16>, tensor<264x72xf16>) outs(%f : tensor<264x264xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<264x264xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c, %more : tensor<264x264xf32>, tensor<264x264xf32>) outs(%d : tensor<264x264xf16>) {
    ^bb0(%x: f32, %y: f32, %o: f16):
      %z = arith.addf %x, %y : f32
      %u = arith.truncf %z : f32 to f16
      linalg.yield %u : f16
    } -> tensor<264x264xf16>
    return %r : tensor<264x264xf16>
  }
  // Two blocks on a multiprocessor.
  func.func @twice(%a: tensor<200x72xf16>, %b: tensor<136x72xf16>, %d: tensor<200x136xf16> {amp.destination = 0 : i64}) -> tensor<200x136xf16> attributes {amp.kernel, amp.schedule = "wgmma:64x64-4-2-blocks"} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<200x136xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<200x136xf32>) -> tensor<200x136xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<200x72xf16>, tensor<136x72xf16>) outs(%f : tensor<200x136xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<200x136xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c : tensor<200x136xf32>) outs(%d : tensor<200x136xf16>) {
    ^bb0(%x: f32, %o: f16):
      %u = arith.truncf %x : f32 to f16
      linalg.yield %u : f16
    } -> tensor<200x136xf16>
    return %r : tensor<200x136xf16>
  }
  // Tiles of three matrices.
  func.func @batched(%a: tensor<3x136x72xf16>, %b: tensor<3x136x72xf16>, %d: tensor<3x136x136xf16> {amp.destination = 0 : i64}) -> tensor<3x136x136xf16> attributes {amp.kernel, amp.schedule = "wgmma:64x128-8"} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<3x136x136xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x136x136xf32>) -> tensor<3x136x136xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<3x136x72xf16>, tensor<3x136x72xf16>) outs(%f : tensor<3x136x136xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<3x136x136xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(b, m, n) -> (b, m, n)>, affine_map<(b, m, n) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%c : tensor<3x136x136xf32>) outs(%d : tensor<3x136x136xf16>) {
    ^bb0(%x: f32, %o: f16):
      %u = arith.truncf %x : f32 to f16
      linalg.yield %u : f16
    } -> tensor<3x136x136xf16>
    return %r : tensor<3x136x136xf16>
  }
}
