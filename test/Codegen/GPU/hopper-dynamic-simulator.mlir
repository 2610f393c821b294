// RUN: %python %S/Inputs/add-main.py < %s \
// RUN:   | amp-opt --one-shot-bufferize=bufferize-function-boundaries --amp-gpu-codegen=target=sim:sm_90a --amp-lower-to-simulator \
// RUN:   | env AMP_SIM_WRITES=all %simulate | FileCheck %s

// Sizes that run time tells: the host asks whether TMA can read and write the
// buffers, and launches a kernel without it where it cannot. Small integers, as
// in hopper-simulator.mlir.

// CHECK: sizes = [2]
// CHECK-NEXT: [0, 0]

#g = #gpu.address_space<global>

module @kernels {
  // Multiples of 8, tails of tiles, rows of an odd number of elements, no K.
  // SIZES: 72x64 80x64 72x80
  // SIZES: 130x200 264x200 130x264
  // SIZES: 35x37 33x37 35x33
  // SIZES: 64x0 64x0 64x64
  func.func @any(%a: tensor<?x?xf16>, %b: tensor<?x?xf16>, %d: tensor<?x?xf32> {amp.destination = 0 : i64}) -> tensor<?x?xf32> attributes {amp.kernel} {
    %zero = arith.constant 0.0 : f32
    %f = linalg.fill ins(%zero : f32) outs(%d : tensor<?x?xf32>) -> tensor<?x?xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<?x?xf16>, tensor<?x?xf16>) outs(%f : tensor<?x?xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<?x?xf32>
    return %c : tensor<?x?xf32>
  }
  // B along N, an epilogue.
  // SIZES: 72x64 64x80 80 72x80
  // SIZES: 40x24 24x35 35 40x35
  func.func @bias(%a: tensor<?x?xbf16>, %b: tensor<?x?xbf16>, %bias: tensor<?xbf16>, %d: tensor<?x?xbf16> {amp.destination = 0 : i64}) -> tensor<?x?xbf16> attributes {amp.kernel} {
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %m = tensor.dim %d, %c0 : tensor<?x?xbf16>
    %n = tensor.dim %d, %c1 : tensor<?x?xbf16>
    %e = tensor.empty(%m, %n) : tensor<?x?xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<?x?xbf16>, tensor<?x?xbf16>) outs(%f : tensor<?x?xf32>) {
    ^bb0(%x: bf16, %y: bf16, %acc: f32):
      %x1 = arith.extf %x : bf16 to f32
      %y1 = arith.extf %y : bf16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<?x?xf32>
    %r0 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c, %bias : tensor<?x?xf32>, tensor<?xbf16>) outs(%d : tensor<?x?xbf16>) {
    ^bb0(%x: f32, %v: bf16, %o: bf16):
      %v1 = arith.extf %v : bf16 to f32
      %t0 = arith.addf %x, %v1 : f32
      %t5 = arith.truncf %t0 : f32 to bf16
      linalg.yield %t5 : bf16
    } -> tensor<?x?xbf16>
    return %r0 : tensor<?x?xbf16>
  }
}
