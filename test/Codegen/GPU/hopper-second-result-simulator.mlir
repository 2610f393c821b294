// REQUIRES: ptxas

// RUN: %python %S/Inputs/add-main.py --aligned --bound=6e-4 < %s > %t.mlir
// RUN: amp-opt %t.mlir --one-shot-bufferize=bufferize-function-boundaries --amp-gpu-codegen=target=sim:sm_90a --amp-lower-to-simulator \
// RUN:   | env AMP_SIM_WRITES=once %simulate | FileCheck %s
// RUN: amp-opt %t.mlir --one-shot-bufferize=bufferize-function-boundaries --amp-gpu-codegen=target=sm_90a --amp-lower-gpu-to-nvvm='target=sm_90a strict=true' -o /dev/null

// Two results of one contraction: what a SiLU is computed of, and the SiLU, on
// random numbers, against f64. They are off by the rounding of results to f16,
// 2^-11, and by what f32 loses; ptxas spills nothing.

// CHECK: sizes = [5]
// CHECK-NEXT: [0,  0,  0,  0,  0]

module @kernels {
  // Buffers of stores are used by both in turns.
  func.func @large(%a: tensor<136x72xf16>, %b: tensor<264x72xf16>, %bias: tensor<264xf32>, %d: tensor<136x264xf32> {amp.destination = 0 : i64}, %e: tensor<136x264xf16> {amp.destination = 1 : i64}) -> (tensor<136x264xf32>, tensor<136x264xf16>) attributes {amp.kernel, amp.schedule = "wgmma:128x256-4"} {
    %zero = arith.constant 0.0 : f32
    %sums = tensor.empty() : tensor<136x264xf32>
    %f = linalg.fill ins(%zero : f32) outs(%sums : tensor<136x264xf32>) -> tensor<136x264xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<136x72xf16>, tensor<264x72xf16>) outs(%f : tensor<136x264xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<136x264xf32>
    %r:2 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c, %bias : tensor<136x264xf32>, tensor<264xf32>) outs(%d, %e : tensor<136x264xf32>, tensor<136x264xf16>) {
    ^bb0(%x: f32, %v: f32, %o: f32, %o1: f16):
      %one = arith.constant 1.0 : f32
      %h = arith.addf %x, %v : f32
      %m = arith.negf %h : f32
      %t = math.exp %m : f32
      %u = arith.addf %t, %one : f32
      %w = arith.divf %h, %u : f32
      %z = arith.truncf %w : f32 to f16
      linalg.yield %h, %z : f32, f16
    } -> (tensor<136x264xf32>, tensor<136x264xf16>)
    return %r#0, %r#1 : tensor<136x264xf32>, tensor<136x264xf16>
  }
  // Of the same type, while the other consumer multiplies.
  func.func @turns(%a: tensor<264x72xf16>, %b: tensor<136x72xf16>, %bias: tensor<136xf32>, %d: tensor<264x136xf16> {amp.destination = 0 : i64}, %e: tensor<264x136xf16> {amp.destination = 1 : i64}) -> (tensor<264x136xf16>, tensor<264x136xf16>) attributes {amp.kernel, amp.schedule = "wgmma:128x128-ping-pong-6"} {
    %zero = arith.constant 0.0 : f32
    %sums = tensor.empty() : tensor<264x136xf32>
    %f = linalg.fill ins(%zero : f32) outs(%sums : tensor<264x136xf32>) -> tensor<264x136xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<264x72xf16>, tensor<136x72xf16>) outs(%f : tensor<264x136xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<264x136xf32>
    %r:2 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c, %bias : tensor<264x136xf32>, tensor<136xf32>) outs(%d, %e : tensor<264x136xf16>, tensor<264x136xf16>) {
    ^bb0(%x: f32, %v: f32, %o: f16, %o1: f16):
      %one = arith.constant 1.0 : f32
      %h = arith.addf %x, %v : f32
      %m = arith.negf %h : f32
      %t = math.exp %m : f32
      %u = arith.addf %t, %one : f32
      %w = arith.divf %h, %u : f32
      %z = arith.truncf %w : f32 to f16
      %q = arith.truncf %h : f32 to f16
      linalg.yield %q, %z : f16, f16
    } -> (tensor<264x136xf16>, tensor<264x136xf16>)
    return %r#0, %r#1 : tensor<264x136xf16>, tensor<264x136xf16>
  }
  // With the fewest registers.
  func.func @small(%a: tensor<72x72xf16>, %b: tensor<72x72xf16>, %bias: tensor<72xf32>, %d: tensor<72x72xf32> {amp.destination = 0 : i64}, %e: tensor<72x72xf16> {amp.destination = 1 : i64}) -> (tensor<72x72xf32>, tensor<72x72xf16>) attributes {amp.kernel, amp.schedule = "wgmma:64x64-4-2-blocks"} {
    %zero = arith.constant 0.0 : f32
    %sums = tensor.empty() : tensor<72x72xf32>
    %f = linalg.fill ins(%zero : f32) outs(%sums : tensor<72x72xf32>) -> tensor<72x72xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<72x72xf16>, tensor<72x72xf16>) outs(%f : tensor<72x72xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<72x72xf32>
    %r:2 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c, %bias : tensor<72x72xf32>, tensor<72xf32>) outs(%d, %e : tensor<72x72xf32>, tensor<72x72xf16>) {
    ^bb0(%x: f32, %v: f32, %o: f32, %o1: f16):
      %one = arith.constant 1.0 : f32
      %h = arith.addf %x, %v : f32
      %m = arith.negf %h : f32
      %t = math.exp %m : f32
      %u = arith.addf %t, %one : f32
      %w = arith.divf %h, %u : f32
      %z = arith.truncf %w : f32 to f16
      linalg.yield %h, %z : f32, f16
    } -> (tensor<72x72xf32>, tensor<72x72xf16>)
    return %r#0, %r#1 : tensor<72x72xf32>, tensor<72x72xf16>
  }
  // In the kernel that adds what blocks share.
  func.func @shared(%a: tensor<72x264xf16>, %b: tensor<136x264xf16>, %bias: tensor<136xf32>, %d: tensor<72x136xf16> {amp.destination = 0 : i64}, %e: tensor<72x136xf32> {amp.destination = 1 : i64}) -> (tensor<72x136xf16>, tensor<72x136xf32>) attributes {amp.kernel, amp.schedule = "wgmma:64x128-8-stream-k"} {
    %zero = arith.constant 0.0 : f32
    %sums = tensor.empty() : tensor<72x136xf32>
    %f = linalg.fill ins(%zero : f32) outs(%sums : tensor<72x136xf32>) -> tensor<72x136xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<72x264xf16>, tensor<136x264xf16>) outs(%f : tensor<72x136xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<72x136xf32>
    %r:2 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c, %bias : tensor<72x136xf32>, tensor<136xf32>) outs(%d, %e : tensor<72x136xf16>, tensor<72x136xf32>) {
    ^bb0(%x: f32, %v: f32, %o: f16, %o1: f32):
      %one = arith.constant 1.0 : f32
      %h = arith.addf %x, %v : f32
      %m = arith.negf %h : f32
      %t = math.exp %m : f32
      %u = arith.addf %t, %one : f32
      %w = arith.divf %h, %u : f32
      %q = arith.truncf %h : f32 to f16
      linalg.yield %q, %w : f16, f32
    } -> (tensor<72x136xf16>, tensor<72x136xf32>)
    return %r#0, %r#1 : tensor<72x136xf16>, tensor<72x136xf32>
  }
  // Stored by threads.
  func.func @few(%a: tensor<7x72xf16>, %b: tensor<144x72xf16>, %bias: tensor<144xf32>, %d: tensor<7x144xf32> {amp.destination = 0 : i64}, %e: tensor<7x144xf16> {amp.destination = 1 : i64}) -> (tensor<7x144xf32>, tensor<7x144xf16>) attributes {amp.kernel, amp.schedule = "wgmma:skinny-128x8-13"} {
    %zero = arith.constant 0.0 : f32
    %sums = tensor.empty() : tensor<7x144xf32>
    %f = linalg.fill ins(%zero : f32) outs(%sums : tensor<7x144xf32>) -> tensor<7x144xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<7x72xf16>, tensor<144x72xf16>) outs(%f : tensor<7x144xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<7x144xf32>
    %r:2 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c, %bias : tensor<7x144xf32>, tensor<144xf32>) outs(%d, %e : tensor<7x144xf32>, tensor<7x144xf16>) {
    ^bb0(%x: f32, %v: f32, %o: f32, %o1: f16):
      %one = arith.constant 1.0 : f32
      %h = arith.addf %x, %v : f32
      %m = arith.negf %h : f32
      %t = math.exp %m : f32
      %u = arith.addf %t, %one : f32
      %w = arith.divf %h, %u : f32
      %z = arith.truncf %w : f32 to f16
      linalg.yield %h, %z : f32, f16
    } -> (tensor<7x144xf32>, tensor<7x144xf16>)
    return %r#0, %r#1 : tensor<7x144xf32>, tensor<7x144xf16>
  }
}
