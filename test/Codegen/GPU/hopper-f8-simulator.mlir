// REQUIRES: ptxas

// RUN: %python %S/Inputs/add-main.py --aligned --bound=0.0167 < %s > %t.mlir
// RUN: amp-opt %t.mlir --one-shot-bufferize=bufferize-function-boundaries --amp-gpu-codegen=target=sim:sm_90a --amp-lower-to-simulator \
// RUN:   | env AMP_SIM_WRITES=all %simulate | FileCheck %s
// RUN: amp-opt %t.mlir --one-shot-bufferize=bufferize-function-boundaries --amp-gpu-codegen='target=sim:sm_90a fast-f8=true' --amp-lower-to-simulator \
// RUN:   | env AMP_SIM_WRITES=all %simulate | FileCheck %s
// RUN: amp-opt %t.mlir --one-shot-bufferize=bufferize-function-boundaries --amp-gpu-codegen=target=sm_90a \
// RUN:   | amp-opt --amp-lower-gpu-to-nvvm='target=sm_90a format=ptx' | %ptxas_check --kernel=e4m3 --max-registers=168 --count QGMMA=8 --count ERRBAR=0
// RUN: amp-opt %t.mlir --one-shot-bufferize=bufferize-function-boundaries --amp-gpu-codegen=target=sm_90a --amp-lower-gpu-to-nvvm='target=sm_90a strict=true' -o /dev/null
// RUN: amp-opt %t.mlir --one-shot-bufferize=bufferize-function-boundaries --amp-gpu-codegen=target=sm_90a | FileCheck %s --check-prefix=PROMOTED
// RUN: amp-opt %t.mlir --one-shot-bufferize=bufferize-function-boundaries --amp-gpu-codegen='target=sm_90a fast-f8=true' | FileCheck %s --check-prefix=FAST

// 8-bit floats by wgmma, on random numbers, against f64. Four wgmmas add up 128
// products with 13 bits behind the point: an element is off by at most
// 4 * 34 * 2^-13 of the sum of the absolute values of its products (F8Sum.h),
// and by what f32 loses. With fast-f8, sums of up to 17 wgmmas are bounded by
// four times that, which these numbers are far from.

// CHECK: sizes = [5]
// CHECK-NEXT: [0,  0,  0,  0,  0]

// The products of a stage start from zero, and are added to the sums.
// PROMOTED-LABEL: gpu.func @e4m3
// PROMOTED: nvvm.wgmma.mma_async {{.*}} <m = 64, n = 128, k = 32>, D[<f32>, <zero>], A[<e4m3>, <one>, <row>], B[<e4m3>, <one>, <col>]
// PROMOTED-COUNT-3: nvvm.wgmma.mma_async {{.*}} D[<f32>, <one>]
// PROMOTED: nvvm.wgmma.wait.group.sync.aligned 0
// PROMOTED: // acc ready
// PROMOTED-COUNT-64: arith.addf
// PROMOTED-LABEL: gpu.func @e5m2
// PROMOTED: nvvm.wgmma.mma_async {{.*}} D[<f32>, <zero>]
// PROMOTED: scf.for {{.*}} -> (f32, f32,
// PROMOTED: nvvm.wgmma.mma_async {{.*}} D[<f32>, <zero>]
// PROMOTED-COUNT-96: arith.addf
// PROMOTED: scf.yield
// PROMOTED-LABEL: gpu.func @mixed
// PROMOTED: nvvm.wgmma.mma_async {{.*}} A[<e4m3>, <one>, <row>], B[<e5m2>, <one>, <col>]
// PROMOTED-LABEL: gpu.func @other
// PROMOTED: nvvm.wgmma.mma_async {{.*}} A[<e5m2>, <one>, <row>], B[<e4m3>, <one>, <col>]

// FAST-LABEL: gpu.func @e4m3
// FAST-COUNT-1: nvvm.wgmma.mma_async {{.*}} D[<f32>, <zero>]
// FAST-NOT: D[<f32>, <zero>]
// FAST-LABEL: gpu.func @e5m2

#g = #gpu.address_space<global>

module @kernels {
  // More than the 128 products after which sums go on in f32.
  func.func @e4m3(%a: tensor<130x144xf8E4M3FN>, %b: tensor<264x144xf8E4M3FN>, %d: tensor<130x264xf32> {amp.destination = 0 : i64}) -> tensor<130x264xf32> attributes {amp.kernel, amp.schedule = "wgmma:128x128-6"} {
    %zero = arith.constant 0.0 : f32
    %f = linalg.fill ins(%zero : f32) outs(%d : tensor<130x264xf32>) -> tensor<130x264xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<130x144xf8E4M3FN>, tensor<264x144xf8E4M3FN>) outs(%f : tensor<130x264xf32>) {
    ^bb0(%x: f8E4M3FN, %y: f8E4M3FN, %acc: f32):
      %x1 = arith.extf %x : f8E4M3FN to f32
      %y1 = arith.extf %y : f8E4M3FN to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<130x264xf32>
    return %c : tensor<130x264xf32>
  }
  func.func @e5m2(%a: tensor<136x400xf8E5M2>, %b: tensor<200x400xf8E5M2>, %bias: tensor<200xf32>, %d: tensor<136x200xf16> {amp.destination = 0 : i64}) -> tensor<136x200xf16> attributes {amp.kernel, amp.schedule = "wgmma:128x192-4"} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<136x200xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<136x200xf32>) -> tensor<136x200xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<136x400xf8E5M2>, tensor<200x400xf8E5M2>) outs(%f : tensor<136x200xf32>) {
    ^bb0(%x: f8E5M2, %y: f8E5M2, %acc: f32):
      %x1 = arith.extf %x : f8E5M2 to f32
      %y1 = arith.extf %y : f8E5M2 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<136x200xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c, %bias : tensor<136x200xf32>, tensor<200xf32>) outs(%d : tensor<136x200xf16>) {
    ^bb0(%x: f32, %v: f32, %o: f16):
      %t = arith.addf %x, %v : f32
      %u = arith.truncf %t : f32 to f16
      linalg.yield %u : f16
    } -> tensor<136x200xf16>
    return %r : tensor<136x200xf16>
  }
  func.func @mixed(%a: tensor<72x272xf8E4M3FN>, %b: tensor<136x272xf8E5M2>, %bias: tensor<72xf32>, %d: tensor<72x136xbf16> {amp.destination = 0 : i64}) -> tensor<72x136xbf16> attributes {amp.kernel, amp.schedule = "wgmma:64x128-8"} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<72x136xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<72x136xf32>) -> tensor<72x136xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<72x272xf8E4M3FN>, tensor<136x272xf8E5M2>) outs(%f : tensor<72x136xf32>) {
    ^bb0(%x: f8E4M3FN, %y: f8E5M2, %acc: f32):
      %x1 = arith.extf %x : f8E4M3FN to f32
      %y1 = arith.extf %y : f8E5M2 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<72x136xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c, %bias : tensor<72x136xf32>, tensor<72xf32>) outs(%d : tensor<72x136xbf16>) {
    ^bb0(%x: f32, %v: f32, %o: bf16):
      %t = arith.addf %x, %v : f32
      %u = arith.truncf %t : f32 to bf16
      linalg.yield %u : bf16
    } -> tensor<72x136xbf16>
    return %r : tensor<72x136xbf16>
  }
  func.func @other(%a: tensor<2x72x272xf8E5M2>, %b: tensor<2x80x272xf8E4M3FN>, %d: tensor<2x72x80xf32> {amp.destination = 0 : i64}) -> tensor<2x72x80xf32> attributes {amp.kernel, amp.schedule = "wgmma:64x64-4-2-blocks"} {
    %zero = arith.constant 0.0 : f32
    %f = linalg.fill ins(%zero : f32) outs(%d : tensor<2x72x80xf32>) -> tensor<2x72x80xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<2x72x272xf8E5M2>, tensor<2x80x272xf8E4M3FN>) outs(%f : tensor<2x72x80xf32>) {
    ^bb0(%x: f8E5M2, %y: f8E4M3FN, %acc: f32):
      %x1 = arith.extf %x : f8E5M2 to f32
      %y1 = arith.extf %y : f8E4M3FN to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<2x72x80xf32>
    return %c : tensor<2x72x80xf32>
  }
  // A result of 8 bits, which hold the sums of absolute values too.
  func.func @chosen(%a: tensor<96x528xf8E4M3FN>, %b: tensor<144x528xf8E4M3FN>, %d: tensor<96x144xf8E5M2> {amp.destination = 0 : i64}) -> tensor<96x144xf8E5M2> attributes {amp.kernel} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<96x144xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<96x144xf32>) -> tensor<96x144xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<96x528xf8E4M3FN>, tensor<144x528xf8E4M3FN>) outs(%f : tensor<96x144xf32>) {
    ^bb0(%x: f8E4M3FN, %y: f8E4M3FN, %acc: f32):
      %x1 = arith.extf %x : f8E4M3FN to f32
      %y1 = arith.extf %y : f8E4M3FN to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<96x144xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c : tensor<96x144xf32>) outs(%d : tensor<96x144xf8E5M2>) {
    ^bb0(%x: f32, %o: f8E5M2):
      %u = arith.truncf %x : f32 to f8E5M2
      linalg.yield %u : f8E5M2
    } -> tensor<96x144xf8E5M2>
    return %r : tensor<96x144xf8E5M2>
  }
}
