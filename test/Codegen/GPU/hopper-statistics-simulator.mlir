// REQUIRES: ptxas

// RUN: %python %S/Inputs/add-main.py --aligned --bound=2e-3 < %s > %t.mlir
// RUN: amp-opt %t.mlir --one-shot-bufferize=bufferize-function-boundaries --amp-gpu-codegen=target=sim:sm_90a --amp-lower-to-simulator \
// RUN:   | env AMP_SIM_WRITES=once %simulate | FileCheck %s
// RUN: amp-opt %t.mlir --one-shot-bufferize=bufferize-function-boundaries --amp-gpu-codegen=target=sm_90a --amp-lower-gpu-to-nvvm='target=sm_90a strict=true' -o /dev/null

// Statistics of the rows of a contraction: each 64 columns of a row give one
// element of a result, and the matrix itself is written only where it is one. On
// random numbers, zeros, subnormal numbers and an infinity (so sums and maxima
// that are no numbers as well), against f64; squares are off by
// twice what f16 loses. ptxas spills nothing.

// CHECK: sizes = [10]
// CHECK-NEXT: [0,  0,  0,  0,  0,  0,  0,  0,  0,  0]

module @kernels {
  // Nothing but statistics; the last part of a row has 8 columns.
  func.func @only(%a: tensor<136x72xf16>, %b: tensor<200x72xf16>, %bias: tensor<200xf32>, %p0: tensor<136x4xf32> {amp.destination = 0 : i64}, %p1: tensor<136x4xf32> {amp.destination = 1 : i64}) -> (tensor<136x4xf32>, tensor<136x4xf32>) attributes {amp.kernel, amp.schedule = "wgmma:128x256-4"} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<136x200xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<136x200xf32>) -> tensor<136x200xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<136x72xf16>, tensor<200x72xf16>) outs(%f : tensor<136x200xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<136x200xf32>
    %h = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c, %bias : tensor<136x200xf32>, tensor<200xf32>) outs(%e : tensor<136x200xf32>) {
    ^bb0(%x: f32, %v: f32, %o: f32):
      %s = arith.addf %x, %v : f32
      linalg.yield %s : f32
    } -> tensor<136x200xf32>
    %e0 = tensor.empty() : tensor<136x200xf32>
    %t0 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%h : tensor<136x200xf32>) outs(%e0 : tensor<136x200xf32>) {
    ^bb0(%x: f32, %o: f32):
      %s = arith.mulf %x, %x : f32
      linalg.yield %s : f32
    } -> tensor<136x200xf32>
    %n0 = arith.constant 0.0 : f32
    %q0 = tensor.pad %t0 low[0, 0] high[0, 56] {
    ^bb0(%u: index, %v: index):
      tensor.yield %n0 : f32
    } : tensor<136x200xf32> to tensor<136x256xf32>
    %x0 = tensor.expand_shape %q0 [[0], [1, 2]] output_shape [136, 4, 64] : tensor<136x256xf32> into tensor<136x4x64xf32>
    %f0 = linalg.fill ins(%n0 : f32) outs(%p0 : tensor<136x4xf32>) -> tensor<136x4xf32>
    %s0 = linalg.generic {indexing_maps = [affine_map<(m, t, w) -> (m, t, w)>, affine_map<(m, t, w) -> (m, t)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x0 : tensor<136x4x64xf32>) outs(%f0 : tensor<136x4xf32>) {
    ^bb0(%x: f32, %acc: f32):
      %s = arith.addf %acc, %x : f32
      linalg.yield %s : f32
    } -> tensor<136x4xf32>
    %n1 = arith.constant 0xFF800000 : f32
    %q1 = tensor.pad %h low[0, 0] high[0, 56] {
    ^bb0(%u: index, %v: index):
      tensor.yield %n1 : f32
    } : tensor<136x200xf32> to tensor<136x256xf32>
    %x1 = tensor.expand_shape %q1 [[0], [1, 2]] output_shape [136, 4, 64] : tensor<136x256xf32> into tensor<136x4x64xf32>
    %f1 = linalg.fill ins(%n1 : f32) outs(%p1 : tensor<136x4xf32>) -> tensor<136x4xf32>
    %s1 = linalg.generic {indexing_maps = [affine_map<(m, t, w) -> (m, t, w)>, affine_map<(m, t, w) -> (m, t)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x1 : tensor<136x4x64xf32>) outs(%f1 : tensor<136x4xf32>) {
    ^bb0(%x: f32, %acc: f32):
      %s = arith.maximumf %acc, %x : f32
      linalg.yield %s : f32
    } -> tensor<136x4xf32>
    return %s0, %s1 : tensor<136x4xf32>, tensor<136x4xf32>
  }
  // Odd sizes, beside the matrix.
  func.func @odd(%a: tensor<131x72xf16>, %b: tensor<197x72xf16>, %bias: tensor<197xf32>, %d: tensor<131x197xf16> {amp.destination = 0 : i64}, %p0: tensor<131x4xf32> {amp.destination = 1 : i64}, %p1: tensor<131x4xf32> {amp.destination = 2 : i64}) -> (tensor<131x197xf16>, tensor<131x4xf32>, tensor<131x4xf32>) attributes {amp.kernel, amp.schedule = "wgmma:128x128-6"} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<131x197xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<131x197xf32>) -> tensor<131x197xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<131x72xf16>, tensor<197x72xf16>) outs(%f : tensor<131x197xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<131x197xf32>
    %h = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c, %bias : tensor<131x197xf32>, tensor<197xf32>) outs(%e : tensor<131x197xf32>) {
    ^bb0(%x: f32, %v: f32, %o: f32):
      %s = arith.addf %x, %v : f32
      linalg.yield %s : f32
    } -> tensor<131x197xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%h : tensor<131x197xf32>) outs(%d : tensor<131x197xf16>) {
    ^bb0(%x: f32, %o: f16):
      %s = arith.truncf %x : f32 to f16
      linalg.yield %s : f16
    } -> tensor<131x197xf16>
    %n0 = arith.constant 0.0 : f32
    %q0 = tensor.pad %h low[0, 0] high[0, 59] {
    ^bb0(%u: index, %v: index):
      tensor.yield %n0 : f32
    } : tensor<131x197xf32> to tensor<131x256xf32>
    %x0 = tensor.expand_shape %q0 [[0], [1, 2]] output_shape [131, 4, 64] : tensor<131x256xf32> into tensor<131x4x64xf32>
    %f0 = linalg.fill ins(%n0 : f32) outs(%p0 : tensor<131x4xf32>) -> tensor<131x4xf32>
    %s0 = linalg.generic {indexing_maps = [affine_map<(m, t, w) -> (m, t, w)>, affine_map<(m, t, w) -> (m, t)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x0 : tensor<131x4x64xf32>) outs(%f0 : tensor<131x4xf32>) {
    ^bb0(%x: f32, %acc: f32):
      %s = arith.addf %acc, %x : f32
      linalg.yield %s : f32
    } -> tensor<131x4xf32>
    %e1 = tensor.empty() : tensor<131x197xf32>
    %t1 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%h : tensor<131x197xf32>) outs(%e1 : tensor<131x197xf32>) {
    ^bb0(%x: f32, %o: f32):
      %s = math.absf %x : f32
      linalg.yield %s : f32
    } -> tensor<131x197xf32>
    %n1 = arith.constant 0xFFC00000 : f32
    %q1 = tensor.pad %t1 low[0, 0] high[0, 59] {
    ^bb0(%u: index, %v: index):
      tensor.yield %n1 : f32
    } : tensor<131x197xf32> to tensor<131x256xf32>
    %x1 = tensor.expand_shape %q1 [[0], [1, 2]] output_shape [131, 4, 64] : tensor<131x256xf32> into tensor<131x4x64xf32>
    %f1 = linalg.fill ins(%n1 : f32) outs(%p1 : tensor<131x4xf32>) -> tensor<131x4xf32>
    %s1 = linalg.generic {indexing_maps = [affine_map<(m, t, w) -> (m, t, w)>, affine_map<(m, t, w) -> (m, t)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x1 : tensor<131x4x64xf32>) outs(%f1 : tensor<131x4xf32>) {
    ^bb0(%x: f32, %acc: f32):
      %s = arith.maxnumf %acc, %x : f32
      linalg.yield %s : f32
    } -> tensor<131x4xf32>
    return %r, %s0, %s1 : tensor<131x197xf16>, tensor<131x4xf32>, tensor<131x4xf32>
  }
  // While the other consumer multiplies.
  func.func @turns(%a: tensor<136x72xf16>, %b: tensor<200x72xf16>, %bias: tensor<200xf32>, %d: tensor<136x200xf16> {amp.destination = 0 : i64}, %p0: tensor<136x4xf32> {amp.destination = 1 : i64}, %p1: tensor<136x4xf32> {amp.destination = 2 : i64}) -> (tensor<136x200xf16>, tensor<136x4xf32>, tensor<136x4xf32>) attributes {amp.kernel, amp.schedule = "wgmma:128x128-ping-pong-6"} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<136x200xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<136x200xf32>) -> tensor<136x200xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<136x72xf16>, tensor<200x72xf16>) outs(%f : tensor<136x200xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<136x200xf32>
    %h = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c, %bias : tensor<136x200xf32>, tensor<200xf32>) outs(%e : tensor<136x200xf32>) {
    ^bb0(%x: f32, %v: f32, %o: f32):
      %s = arith.addf %x, %v : f32
      linalg.yield %s : f32
    } -> tensor<136x200xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%h : tensor<136x200xf32>) outs(%d : tensor<136x200xf16>) {
    ^bb0(%x: f32, %o: f16):
      %s = arith.truncf %x : f32 to f16
      linalg.yield %s : f16
    } -> tensor<136x200xf16>
    %n0 = arith.constant 0.0 : f32
    %q0 = tensor.pad %h low[0, 0] high[0, 56] {
    ^bb0(%u: index, %v: index):
      tensor.yield %n0 : f32
    } : tensor<136x200xf32> to tensor<136x256xf32>
    %x0 = tensor.expand_shape %q0 [[0], [1, 2]] output_shape [136, 4, 64] : tensor<136x256xf32> into tensor<136x4x64xf32>
    %f0 = linalg.fill ins(%n0 : f32) outs(%p0 : tensor<136x4xf32>) -> tensor<136x4xf32>
    %s0 = linalg.generic {indexing_maps = [affine_map<(m, t, w) -> (m, t, w)>, affine_map<(m, t, w) -> (m, t)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x0 : tensor<136x4x64xf32>) outs(%f0 : tensor<136x4xf32>) {
    ^bb0(%x: f32, %acc: f32):
      %s = arith.addf %acc, %x : f32
      linalg.yield %s : f32
    } -> tensor<136x4xf32>
    %e1 = tensor.empty() : tensor<136x200xf32>
    %t1 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%h : tensor<136x200xf32>) outs(%e1 : tensor<136x200xf32>) {
    ^bb0(%x: f32, %o: f32):
      %s = math.absf %x : f32
      linalg.yield %s : f32
    } -> tensor<136x200xf32>
    %n1 = arith.constant 0xFFC00000 : f32
    %q1 = tensor.pad %t1 low[0, 0] high[0, 56] {
    ^bb0(%u: index, %v: index):
      tensor.yield %n1 : f32
    } : tensor<136x200xf32> to tensor<136x256xf32>
    %x1 = tensor.expand_shape %q1 [[0], [1, 2]] output_shape [136, 4, 64] : tensor<136x256xf32> into tensor<136x4x64xf32>
    %f1 = linalg.fill ins(%n1 : f32) outs(%p1 : tensor<136x4xf32>) -> tensor<136x4xf32>
    %s1 = linalg.generic {indexing_maps = [affine_map<(m, t, w) -> (m, t, w)>, affine_map<(m, t, w) -> (m, t)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x1 : tensor<136x4x64xf32>) outs(%f1 : tensor<136x4xf32>) {
    ^bb0(%x: f32, %acc: f32):
      %s = arith.maxnumf %acc, %x : f32
      linalg.yield %s : f32
    } -> tensor<136x4xf32>
    return %r, %s0, %s1 : tensor<136x200xf16>, tensor<136x4xf32>, tensor<136x4xf32>
  }
  // Two blocks of 64 rows for each warp, and two statistics beside f32.
  func.func @tall(%a: tensor<264x72xf16>, %b: tensor<136x72xf16>, %bias: tensor<136xf32>, %d: tensor<264x136xf32> {amp.destination = 0 : i64}, %p0: tensor<264x3xf32> {amp.destination = 1 : i64}, %p1: tensor<264x3xf32> {amp.destination = 2 : i64}) -> (tensor<264x136xf32>, tensor<264x3xf32>, tensor<264x3xf32>) attributes {amp.kernel, amp.schedule = "wgmma:256x128-4"} {
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
    %h = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c, %bias : tensor<264x136xf32>, tensor<136xf32>) outs(%e : tensor<264x136xf32>) {
    ^bb0(%x: f32, %v: f32, %o: f32):
      %s = arith.addf %x, %v : f32
      linalg.yield %s : f32
    } -> tensor<264x136xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%h : tensor<264x136xf32>) outs(%d : tensor<264x136xf32>) {
    ^bb0(%x: f32, %o: f32):
      linalg.yield %x : f32
    } -> tensor<264x136xf32>
    %e0 = tensor.empty() : tensor<264x136xf32>
    %t0 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%h : tensor<264x136xf32>) outs(%e0 : tensor<264x136xf32>) {
    ^bb0(%x: f32, %o: f32):
      %s = arith.mulf %x, %x : f32
      linalg.yield %s : f32
    } -> tensor<264x136xf32>
    %n0 = arith.constant 0.0 : f32
    %q0 = tensor.pad %t0 low[0, 0] high[0, 56] {
    ^bb0(%u: index, %v: index):
      tensor.yield %n0 : f32
    } : tensor<264x136xf32> to tensor<264x192xf32>
    %x0 = tensor.expand_shape %q0 [[0], [1, 2]] output_shape [264, 3, 64] : tensor<264x192xf32> into tensor<264x3x64xf32>
    %f0 = linalg.fill ins(%n0 : f32) outs(%p0 : tensor<264x3xf32>) -> tensor<264x3xf32>
    %s0 = linalg.generic {indexing_maps = [affine_map<(m, t, w) -> (m, t, w)>, affine_map<(m, t, w) -> (m, t)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x0 : tensor<264x3x64xf32>) outs(%f0 : tensor<264x3xf32>) {
    ^bb0(%x: f32, %acc: f32):
      %s = arith.addf %acc, %x : f32
      linalg.yield %s : f32
    } -> tensor<264x3xf32>
    %n1 = arith.constant 0x7FC00000 : f32
    %q1 = tensor.pad %h low[0, 0] high[0, 56] {
    ^bb0(%u: index, %v: index):
      tensor.yield %n1 : f32
    } : tensor<264x136xf32> to tensor<264x192xf32>
    %x1 = tensor.expand_shape %q1 [[0], [1, 2]] output_shape [264, 3, 64] : tensor<264x192xf32> into tensor<264x3x64xf32>
    %f1 = linalg.fill ins(%n1 : f32) outs(%p1 : tensor<264x3xf32>) -> tensor<264x3xf32>
    %s1 = linalg.generic {indexing_maps = [affine_map<(m, t, w) -> (m, t, w)>, affine_map<(m, t, w) -> (m, t)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x1 : tensor<264x3x64xf32>) outs(%f1 : tensor<264x3xf32>) {
    ^bb0(%x: f32, %acc: f32):
      %s = arith.minnumf %acc, %x : f32
      linalg.yield %s : f32
    } -> tensor<264x3xf32>
    return %r, %s0, %s1 : tensor<264x136xf32>, tensor<264x3xf32>, tensor<264x3xf32>
  }
  // Tiles of three parts.
  func.func @thirds(%a: tensor<72x72xf16>, %b: tensor<320x72xf16>, %p0: tensor<72x5xf32> {amp.destination = 0 : i64}) -> tensor<72x5xf32> attributes {amp.kernel, amp.schedule = "wgmma:128x192-4"} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<72x320xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<72x320xf32>) -> tensor<72x320xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<72x72xf16>, tensor<320x72xf16>) outs(%f : tensor<72x320xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<72x320xf32>
    %n0 = arith.constant 0.0 : f32
    %x0 = tensor.expand_shape %c [[0], [1, 2]] output_shape [72, 5, 64] : tensor<72x320xf32> into tensor<72x5x64xf32>
    %f0 = linalg.fill ins(%n0 : f32) outs(%p0 : tensor<72x5xf32>) -> tensor<72x5xf32>
    %s0 = linalg.generic {indexing_maps = [affine_map<(m, t, w) -> (m, t, w)>, affine_map<(m, t, w) -> (m, t)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x0 : tensor<72x5x64xf32>) outs(%f0 : tensor<72x5xf32>) {
    ^bb0(%x: f32, %acc: f32):
      %s = arith.addf %acc, %x : f32
      linalg.yield %s : f32
    } -> tensor<72x5xf32>
    return %s0 : tensor<72x5xf32>
  }
  // In the kernel that adds what blocks share.
  func.func @shared(%a: tensor<72x264xf16>, %b: tensor<200x264xf16>, %bias: tensor<200xf32>, %d: tensor<72x200xf16> {amp.destination = 0 : i64}, %p0: tensor<72x4xf32> {amp.destination = 1 : i64}, %p1: tensor<72x4xf32> {amp.destination = 2 : i64}) -> (tensor<72x200xf16>, tensor<72x4xf32>, tensor<72x4xf32>) attributes {amp.kernel, amp.schedule = "wgmma:64x128-8-stream-k"} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<72x200xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<72x200xf32>) -> tensor<72x200xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<72x264xf16>, tensor<200x264xf16>) outs(%f : tensor<72x200xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<72x200xf32>
    %h = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c, %bias : tensor<72x200xf32>, tensor<200xf32>) outs(%e : tensor<72x200xf32>) {
    ^bb0(%x: f32, %v: f32, %o: f32):
      %s = arith.addf %x, %v : f32
      linalg.yield %s : f32
    } -> tensor<72x200xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%h : tensor<72x200xf32>) outs(%d : tensor<72x200xf16>) {
    ^bb0(%x: f32, %o: f16):
      %s = arith.truncf %x : f32 to f16
      linalg.yield %s : f16
    } -> tensor<72x200xf16>
    %e0 = tensor.empty() : tensor<72x200xf32>
    %t0 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%h : tensor<72x200xf32>) outs(%e0 : tensor<72x200xf32>) {
    ^bb0(%x: f32, %o: f32):
      %s = arith.mulf %x, %x : f32
      linalg.yield %s : f32
    } -> tensor<72x200xf32>
    %n0 = arith.constant 0.0 : f32
    %q0 = tensor.pad %t0 low[0, 0] high[0, 56] {
    ^bb0(%u: index, %v: index):
      tensor.yield %n0 : f32
    } : tensor<72x200xf32> to tensor<72x256xf32>
    %x0 = tensor.expand_shape %q0 [[0], [1, 2]] output_shape [72, 4, 64] : tensor<72x256xf32> into tensor<72x4x64xf32>
    %f0 = linalg.fill ins(%n0 : f32) outs(%p0 : tensor<72x4xf32>) -> tensor<72x4xf32>
    %s0 = linalg.generic {indexing_maps = [affine_map<(m, t, w) -> (m, t, w)>, affine_map<(m, t, w) -> (m, t)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x0 : tensor<72x4x64xf32>) outs(%f0 : tensor<72x4xf32>) {
    ^bb0(%x: f32, %acc: f32):
      %s = arith.addf %acc, %x : f32
      linalg.yield %s : f32
    } -> tensor<72x4xf32>
    %n1 = arith.constant 0xFF800000 : f32
    %q1 = tensor.pad %h low[0, 0] high[0, 56] {
    ^bb0(%u: index, %v: index):
      tensor.yield %n1 : f32
    } : tensor<72x200xf32> to tensor<72x256xf32>
    %x1 = tensor.expand_shape %q1 [[0], [1, 2]] output_shape [72, 4, 64] : tensor<72x256xf32> into tensor<72x4x64xf32>
    %f1 = linalg.fill ins(%n1 : f32) outs(%p1 : tensor<72x4xf32>) -> tensor<72x4xf32>
    %s1 = linalg.generic {indexing_maps = [affine_map<(m, t, w) -> (m, t, w)>, affine_map<(m, t, w) -> (m, t)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x1 : tensor<72x4x64xf32>) outs(%f1 : tensor<72x4xf32>) {
    ^bb0(%x: f32, %acc: f32):
      %s = arith.maximumf %acc, %x : f32
      linalg.yield %s : f32
    } -> tensor<72x4xf32>
    return %r, %s0, %s1 : tensor<72x200xf16>, tensor<72x4xf32>, tensor<72x4xf32>
  }
  // With the fewest registers.
  func.func @small(%a: tensor<72x72xf16>, %b: tensor<136x72xf16>, %bias: tensor<136xf32>, %p0: tensor<72x3xf32> {amp.destination = 0 : i64}, %p1: tensor<72x3xf32> {amp.destination = 1 : i64}) -> (tensor<72x3xf32>, tensor<72x3xf32>) attributes {amp.kernel, amp.schedule = "wgmma:64x64-4-2-blocks"} {
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
    %h = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c, %bias : tensor<72x136xf32>, tensor<136xf32>) outs(%e : tensor<72x136xf32>) {
    ^bb0(%x: f32, %v: f32, %o: f32):
      %s = arith.addf %x, %v : f32
      linalg.yield %s : f32
    } -> tensor<72x136xf32>
    %e0 = tensor.empty() : tensor<72x136xf32>
    %t0 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%h : tensor<72x136xf32>) outs(%e0 : tensor<72x136xf32>) {
    ^bb0(%x: f32, %o: f32):
      %s = arith.mulf %x, %x : f32
      linalg.yield %s : f32
    } -> tensor<72x136xf32>
    %n0 = arith.constant 0.0 : f32
    %q0 = tensor.pad %t0 low[0, 0] high[0, 56] {
    ^bb0(%u: index, %v: index):
      tensor.yield %n0 : f32
    } : tensor<72x136xf32> to tensor<72x192xf32>
    %x0 = tensor.expand_shape %q0 [[0], [1, 2]] output_shape [72, 3, 64] : tensor<72x192xf32> into tensor<72x3x64xf32>
    %f0 = linalg.fill ins(%n0 : f32) outs(%p0 : tensor<72x3xf32>) -> tensor<72x3xf32>
    %s0 = linalg.generic {indexing_maps = [affine_map<(m, t, w) -> (m, t, w)>, affine_map<(m, t, w) -> (m, t)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x0 : tensor<72x3x64xf32>) outs(%f0 : tensor<72x3xf32>) {
    ^bb0(%x: f32, %acc: f32):
      %s = arith.addf %acc, %x : f32
      linalg.yield %s : f32
    } -> tensor<72x3xf32>
    %n1 = arith.constant 0xFF800000 : f32
    %q1 = tensor.pad %h low[0, 0] high[0, 56] {
    ^bb0(%u: index, %v: index):
      tensor.yield %n1 : f32
    } : tensor<72x136xf32> to tensor<72x192xf32>
    %x1 = tensor.expand_shape %q1 [[0], [1, 2]] output_shape [72, 3, 64] : tensor<72x192xf32> into tensor<72x3x64xf32>
    %f1 = linalg.fill ins(%n1 : f32) outs(%p1 : tensor<72x3xf32>) -> tensor<72x3xf32>
    %s1 = linalg.generic {indexing_maps = [affine_map<(m, t, w) -> (m, t, w)>, affine_map<(m, t, w) -> (m, t)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x1 : tensor<72x3x64xf32>) outs(%f1 : tensor<72x3xf32>) {
    ^bb0(%x: f32, %acc: f32):
      %s = arith.maximumf %acc, %x : f32
      linalg.yield %s : f32
    } -> tensor<72x3xf32>
    return %s0, %s1 : tensor<72x3xf32>, tensor<72x3xf32>
  }
  // A cluster.
  func.func @pairs(%a: tensor<136x72xf16>, %b: tensor<264x72xf16>, %bias: tensor<264xf32>, %d: tensor<136x264xf16> {amp.destination = 0 : i64}, %p0: tensor<136x5xf32> {amp.destination = 1 : i64}) -> (tensor<136x264xf16>, tensor<136x5xf32>) attributes {amp.kernel, amp.schedule = "wgmma:128x128-6-cluster-2x1"} {
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
    %h = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c, %bias : tensor<136x264xf32>, tensor<264xf32>) outs(%e : tensor<136x264xf32>) {
    ^bb0(%x: f32, %v: f32, %o: f32):
      %s = arith.addf %x, %v : f32
      linalg.yield %s : f32
    } -> tensor<136x264xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%h : tensor<136x264xf32>) outs(%d : tensor<136x264xf16>) {
    ^bb0(%x: f32, %o: f16):
      %s = arith.truncf %x : f32 to f16
      linalg.yield %s : f16
    } -> tensor<136x264xf16>
    %n0 = arith.constant 0xFF800000 : f32
    %q0 = tensor.pad %h low[0, 0] high[0, 56] {
    ^bb0(%u: index, %v: index):
      tensor.yield %n0 : f32
    } : tensor<136x264xf32> to tensor<136x320xf32>
    %x0 = tensor.expand_shape %q0 [[0], [1, 2]] output_shape [136, 5, 64] : tensor<136x320xf32> into tensor<136x5x64xf32>
    %f0 = linalg.fill ins(%n0 : f32) outs(%p0 : tensor<136x5xf32>) -> tensor<136x5xf32>
    %s0 = linalg.generic {indexing_maps = [affine_map<(m, t, w) -> (m, t, w)>, affine_map<(m, t, w) -> (m, t)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x0 : tensor<136x5x64xf32>) outs(%f0 : tensor<136x5xf32>) {
    ^bb0(%x: f32, %acc: f32):
      %s = arith.maximumf %acc, %x : f32
      linalg.yield %s : f32
    } -> tensor<136x5xf32>
    return %r, %s0 : tensor<136x264xf16>, tensor<136x5xf32>
  }
  // Absolute maxima of what is rounded to f16.
  func.func @narrow(%a: tensor<136x72xf16>, %b: tensor<136x72xf16>, %d: tensor<136x136xf16> {amp.destination = 0 : i64}, %p0: tensor<136x3xf16> {amp.destination = 1 : i64}) -> (tensor<136x136xf16>, tensor<136x3xf16>) attributes {amp.kernel, amp.schedule = "wgmma:64x128-8"} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<136x136xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<136x136xf32>) -> tensor<136x136xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<136x72xf16>, tensor<136x72xf16>) outs(%f : tensor<136x136xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<136x136xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c : tensor<136x136xf32>) outs(%d : tensor<136x136xf16>) {
    ^bb0(%x: f32, %o: f16):
      %s = arith.truncf %x : f32 to f16
      linalg.yield %s : f16
    } -> tensor<136x136xf16>
    %e0 = tensor.empty() : tensor<136x136xf16>
    %t0 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%r : tensor<136x136xf16>) outs(%e0 : tensor<136x136xf16>) {
    ^bb0(%x: f16, %o: f16):
      %s = math.absf %x : f16
      linalg.yield %s : f16
    } -> tensor<136x136xf16>
    %n0 = arith.constant 0xFE00 : f16
    %q0 = tensor.pad %t0 low[0, 0] high[0, 56] {
    ^bb0(%u: index, %v: index):
      tensor.yield %n0 : f16
    } : tensor<136x136xf16> to tensor<136x192xf16>
    %x0 = tensor.expand_shape %q0 [[0], [1, 2]] output_shape [136, 3, 64] : tensor<136x192xf16> into tensor<136x3x64xf16>
    %f0 = linalg.fill ins(%n0 : f16) outs(%p0 : tensor<136x3xf16>) -> tensor<136x3xf16>
    %s0 = linalg.generic {indexing_maps = [affine_map<(m, t, w) -> (m, t, w)>, affine_map<(m, t, w) -> (m, t)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x0 : tensor<136x3x64xf16>) outs(%f0 : tensor<136x3xf16>) {
    ^bb0(%x: f16, %acc: f16):
      %s = arith.maxnumf %acc, %x : f16
      linalg.yield %s : f16
    } -> tensor<136x3xf16>
    return %r, %s0 : tensor<136x136xf16>, tensor<136x3xf16>
  }
  // What takes launches that TMA cannot serve.
  func.func @simple(%a: tensor<70x24xf16>, %b: tensor<69x24xf16>, %bias: tensor<69xf32>, %d: tensor<70x69xf16> {amp.destination = 0 : i64}, %p0: tensor<70x2xf32> {amp.destination = 1 : i64}) -> (tensor<70x69xf16>, tensor<70x2xf32>) attributes {amp.kernel, amp.schedule = "simt"} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<70x69xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<70x69xf32>) -> tensor<70x69xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<70x24xf16>, tensor<69x24xf16>) outs(%f : tensor<70x69xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<70x69xf32>
    %h = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c, %bias : tensor<70x69xf32>, tensor<69xf32>) outs(%e : tensor<70x69xf32>) {
    ^bb0(%x: f32, %v: f32, %o: f32):
      %s = arith.addf %x, %v : f32
      linalg.yield %s : f32
    } -> tensor<70x69xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%h : tensor<70x69xf32>) outs(%d : tensor<70x69xf16>) {
    ^bb0(%x: f32, %o: f16):
      %s = arith.truncf %x : f32 to f16
      linalg.yield %s : f16
    } -> tensor<70x69xf16>
    %e0 = tensor.empty() : tensor<70x69xf32>
    %t0 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%h : tensor<70x69xf32>) outs(%e0 : tensor<70x69xf32>) {
    ^bb0(%x: f32, %o: f32):
      %s = arith.mulf %x, %x : f32
      linalg.yield %s : f32
    } -> tensor<70x69xf32>
    %n0 = arith.constant 0.0 : f32
    %q0 = tensor.pad %t0 low[0, 0] high[0, 59] {
    ^bb0(%u: index, %v: index):
      tensor.yield %n0 : f32
    } : tensor<70x69xf32> to tensor<70x128xf32>
    %x0 = tensor.expand_shape %q0 [[0], [1, 2]] output_shape [70, 2, 64] : tensor<70x128xf32> into tensor<70x2x64xf32>
    %f0 = linalg.fill ins(%n0 : f32) outs(%p0 : tensor<70x2xf32>) -> tensor<70x2xf32>
    %s0 = linalg.generic {indexing_maps = [affine_map<(m, t, w) -> (m, t, w)>, affine_map<(m, t, w) -> (m, t)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x0 : tensor<70x2x64xf32>) outs(%f0 : tensor<70x2xf32>) {
    ^bb0(%x: f32, %acc: f32):
      %s = arith.addf %acc, %x : f32
      linalg.yield %s : f32
    } -> tensor<70x2xf32>
    return %r, %s0 : tensor<70x69xf16>, tensor<70x2xf32>
  }
}
