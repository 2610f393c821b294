// REQUIRES: ptxas

// RUN: %python %S/Inputs/add-main.py --aligned < %s > %t.mlir
// RUN: amp-opt %t.mlir --one-shot-bufferize=bufferize-function-boundaries --amp-gpu-codegen=target=sim:sm_90a --amp-lower-to-simulator \
// RUN:   | env AMP_SIM_WRITES=once %simulate | FileCheck %s
// RUN: amp-opt %t.mlir --one-shot-bufferize=bufferize-function-boundaries --amp-gpu-codegen=target=sm_90a --amp-lower-gpu-to-nvvm='target=sm_90a strict=true' -o /dev/null

// Epilogues of `wgmma` that give other types, with scales, against the same
// functions on the host, on small integers: not one bit differs.

// CHECK: sizes = [8]
// CHECK-NEXT: [0,  0,  0,  0,  0,  0,  0,  0]

#g = #gpu.address_space<global>

module @kernels {
  // A result of 8 bits, with scales of rows and columns, that saturates.
  func.func @f8(%a: tensor<136x72xf16>, %b: tensor<272x72xf16>, %rows: tensor<136xf32>, %columns: tensor<272xf32>, %d: tensor<136x272xf8E4M3FN> {amp.destination = 0 : i64}) -> tensor<136x272xf8E4M3FN> attributes {amp.kernel, amp.schedule = "wgmma:128x128-6"} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<136x272xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<136x272xf32>) -> tensor<136x272xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<136x72xf16>, tensor<272x72xf16>) outs(%f : tensor<136x272xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<136x272xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c, %rows, %columns : tensor<136x272xf32>, tensor<136xf32>, tensor<272xf32>) outs(%d : tensor<136x272xf8E4M3FN>) {
    ^bb0(%x: f32, %v0: f32, %v1: f32, %o: f8E4M3FN):
      %low = arith.constant -448.0 : f32
      %high = arith.constant 448.0 : f32
      %s0 = arith.mulf %x, %v0 : f32
      %s1 = arith.mulf %s0, %v1 : f32
      %s2 = arith.maximumf %s1, %low : f32
      %s3 = arith.minimumf %s2, %high : f32
      %u = arith.truncf %s3 : f32 to f8E4M3FN
      linalg.yield %u : f8E4M3FN
    } -> tensor<136x272xf8E4M3FN>
    return %r : tensor<136x272xf8E4M3FN>
  }
  func.func @f8_turns(%a: tensor<264x72xbf16>, %b: tensor<272x72xbf16>, %rows: tensor<264xf32>, %columns: tensor<272xf32>, %d: tensor<264x272xf8E4M3FN> {amp.destination = 0 : i64}) -> tensor<264x272xf8E4M3FN> attributes {amp.kernel, amp.schedule = "wgmma:128x128-ping-pong-6"} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<264x272xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<264x272xf32>) -> tensor<264x272xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<264x72xbf16>, tensor<272x72xbf16>) outs(%f : tensor<264x272xf32>) {
    ^bb0(%x: bf16, %y: bf16, %acc: f32):
      %x1 = arith.extf %x : bf16 to f32
      %y1 = arith.extf %y : bf16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<264x272xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c, %rows, %columns : tensor<264x272xf32>, tensor<264xf32>, tensor<272xf32>) outs(%d : tensor<264x272xf8E4M3FN>) {
    ^bb0(%x: f32, %v0: f32, %v1: f32, %o: f8E4M3FN):
      %low = arith.constant -448.0 : f32
      %high = arith.constant 448.0 : f32
      %s0 = arith.mulf %x, %v0 : f32
      %s1 = arith.mulf %s0, %v1 : f32
      %s2 = arith.maximumf %s1, %low : f32
      %s3 = arith.minimumf %s2, %high : f32
      %u = arith.truncf %s3 : f32 to f8E4M3FN
      linalg.yield %u : f8E4M3FN
    } -> tensor<264x272xf8E4M3FN>
    return %r : tensor<264x272xf8E4M3FN>
  }
  func.func @f8_few(%a: tensor<7x72xf16>, %b: tensor<144x72xf16>, %rows: tensor<7xf32>, %columns: tensor<144xf32>, %d: tensor<7x144xf8E4M3FN> {amp.destination = 0 : i64}) -> tensor<7x144xf8E4M3FN> attributes {amp.kernel, amp.schedule = "wgmma:skinny-128x8-13"} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<7x144xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<7x144xf32>) -> tensor<7x144xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<7x72xf16>, tensor<144x72xf16>) outs(%f : tensor<7x144xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<7x144xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c, %rows, %columns : tensor<7x144xf32>, tensor<7xf32>, tensor<144xf32>) outs(%d : tensor<7x144xf8E4M3FN>) {
    ^bb0(%x: f32, %v0: f32, %v1: f32, %o: f8E4M3FN):
      %low = arith.constant -448.0 : f32
      %high = arith.constant 448.0 : f32
      %s0 = arith.mulf %x, %v0 : f32
      %s1 = arith.mulf %s0, %v1 : f32
      %s2 = arith.maximumf %s1, %low : f32
      %s3 = arith.minimumf %s2, %high : f32
      %u = arith.truncf %s3 : f32 to f8E4M3FN
      linalg.yield %u : f8E4M3FN
    } -> tensor<7x144xf8E4M3FN>
    return %r : tensor<7x144xf8E4M3FN>
  }
  func.func @f8_narrow(%a: tensor<136x72xf16>, %b: tensor<16x72xf16>, %rows: tensor<136xf32>, %columns: tensor<16xf32>, %d: tensor<136x16xf8E4M3FN> {amp.destination = 0 : i64}) -> tensor<136x16xf8E4M3FN> attributes {amp.kernel, amp.schedule = "wgmma:skinny-128x16-12"} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<136x16xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<136x16xf32>) -> tensor<136x16xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<136x72xf16>, tensor<16x72xf16>) outs(%f : tensor<136x16xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<136x16xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c, %rows, %columns : tensor<136x16xf32>, tensor<136xf32>, tensor<16xf32>) outs(%d : tensor<136x16xf8E4M3FN>) {
    ^bb0(%x: f32, %v0: f32, %v1: f32, %o: f8E4M3FN):
      %low = arith.constant -448.0 : f32
      %high = arith.constant 448.0 : f32
      %s0 = arith.mulf %x, %v0 : f32
      %s1 = arith.mulf %s0, %v1 : f32
      %s2 = arith.maximumf %s1, %low : f32
      %s3 = arith.minimumf %s2, %high : f32
      %u = arith.truncf %s3 : f32 to f8E4M3FN
      linalg.yield %u : f8E4M3FN
    } -> tensor<136x16xf8E4M3FN>
    return %r : tensor<136x16xf8E4M3FN>
  }
  // Integers, scaled and rounded.
  func.func @i8(%a: tensor<136x144xi8>, %b: tensor<272x144xi8>, %columns: tensor<272xf32>, %d: tensor<136x272xi8> {amp.destination = 0 : i64}) -> tensor<136x272xi8> attributes {amp.kernel, amp.schedule = "wgmma:128x256-4"} {
    %zero = arith.constant 0 : i32
    %e = tensor.empty() : tensor<136x272xi32>
    %f = linalg.fill ins(%zero : i32) outs(%e : tensor<136x272xi32>) -> tensor<136x272xi32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<136x144xi8>, tensor<272x144xi8>) outs(%f : tensor<136x272xi32>) {
    ^bb0(%x: i8, %y: i8, %acc: i32):
      %x1 = arith.extsi %x : i8 to i32
      %y1 = arith.extsi %y : i8 to i32
      %p = arith.muli %x1, %y1 : i32
      %s = arith.addi %acc, %p : i32
      linalg.yield %s : i32
    } -> tensor<136x272xi32>
    %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c, %columns : tensor<136x272xi32>, tensor<272xf32>) outs(%d : tensor<136x272xi8>) {
    ^bb0(%x: i32, %v0: f32, %o: i8):
      %low = arith.constant -128.0 : f32
      %high = arith.constant 127.0 : f32
      %w = arith.constant 0.015625 : f32
      %x0 = arith.sitofp %x : i32 to f32
      %s0 = arith.mulf %x0, %v0 : f32
      %s1 = arith.mulf %s0, %w : f32
      %s2 = math.roundeven %s1 : f32
      %s3 = arith.maximumf %s2, %low : f32
      %s4 = arith.minimumf %s3, %high : f32
      %u = arith.fptosi %s4 : f32 to i8
      linalg.yield %u : i8
    } -> tensor<136x272xi8>
    return %r : tensor<136x272xi8>
  }
  func.func @i8_shared(%a: tensor<72x272xi8>, %b: tensor<144x272xi8>, %columns: tensor<144xf32>, %d: tensor<72x144xi8> {amp.destination = 0 : i64}) -> tensor<72x144xi8> attributes {amp.kernel, amp.schedule = "wgmma:64x128-8-stream-k"} {
    %zero = arith.constant 0 : i32
    %e = tensor.empty() : tensor<72x144xi32>
    %f = linalg.fill ins(%zero : i32) outs(%e : tensor<72x144xi32>) -> tensor<72x144xi32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<72x272xi8>, tensor<144x272xi8>) outs(%f : tensor<72x144xi32>) {
    ^bb0(%x: i8, %y: i8, %acc: i32):
      %x1 = arith.extsi %x : i8 to i32
      %y1 = arith.extsi %y : i8 to i32
      %p = arith.muli %x1, %y1 : i32
      %s = arith.addi %acc, %p : i32
      linalg.yield %s : i32
    } -> tensor<72x144xi32>
    %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c, %columns : tensor<72x144xi32>, tensor<144xf32>) outs(%d : tensor<72x144xi8>) {
    ^bb0(%x: i32, %v0: f32, %o: i8):
      %low = arith.constant -128.0 : f32
      %high = arith.constant 127.0 : f32
      %w = arith.constant 0.015625 : f32
      %x0 = arith.sitofp %x : i32 to f32
      %s0 = arith.mulf %x0, %v0 : f32
      %s1 = arith.mulf %s0, %w : f32
      %s2 = math.roundeven %s1 : f32
      %s3 = arith.maximumf %s2, %low : f32
      %s4 = arith.minimumf %s3, %high : f32
      %u = arith.fptosi %s4 : f32 to i8
      linalg.yield %u : i8
    } -> tensor<72x144xi8>
    return %r : tensor<72x144xi8>
  }
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
  func.func @residual_small(%a: tensor<72x72xf16>, %b: tensor<136x72xf16>, %bias: tensor<136xf16>, %residual: tensor<72x136xf32>, %d: tensor<72x136xf32> {amp.destination = 0 : i64}) -> tensor<72x136xf32> attributes {amp.kernel, amp.schedule = "wgmma:64x128-8"} {
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
}
