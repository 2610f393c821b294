// RUN: %python %S/Inputs/add-main.py --aligned --bound=6e-4 < %s > %t.mlir
// RUN: amp-opt %t.mlir --one-shot-bufferize=bufferize-function-boundaries --amp-gpu-codegen=target=sim:sm_90a --amp-lower-to-simulator > %t.sim.mlir
// RUN: env AMP_SIM_WRITES=once %simulate < %t.sim.mlir | FileCheck %s
// RUN: env AMP_SIM_WRITES=once AMP_SIM_MULTIPROCESSORS=3 %simulate < %t.sim.mlir | FileCheck %s
// RUN: amp-opt %t.mlir --one-shot-bufferize=bufferize-function-boundaries --amp-gpu-codegen=target=sim:sm_90a -o %t.gpu.mlir --remarks-filter=amp --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REMARK

// Blocks that share tiles along K, of sizes that run time tells: one program,
// several sizes, on a large device and on one of three multiprocessors, against
// f64, with the bounds of hopper-skinny-simulator.mlir. Each element of a result
// and of the workspace is written once.

// CHECK: sizes = [4]
// CHECK-NEXT: [0,  0,  0,  0]

// REMARK: Function=rows | Config=64x128-8, FewTiles=64x64-4-2-blocks-stream-k, MajorA=K
// REMARK: Function=forced | Config=64x128-8-stream-k, MajorA=K

module @kernels {
  // Weights and a batch: few tiles for few rows. The last one has many.
  // SIZES: 1x2056 136x2056 136 1x136
  // SIZES: 7x2056 136x2056 136 7x136
  // SIZES: 64x2056 136x2056 136 64x136
  // SIZES: 131x2056 136x2056 136 131x136
  func.func @rows(%a: tensor<?x2056xf16>, %b: tensor<136x2056xf16>, %bias: tensor<136xf32>, %d: tensor<?x136xf16> {amp.destination = 0 : i64}) -> tensor<?x136xf16> attributes {amp.kernel} {
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %m = tensor.dim %d, %c0 : tensor<?x136xf16>
    %e = tensor.empty(%m) : tensor<?x136xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x136xf32>) -> tensor<?x136xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<?x2056xf16>, tensor<136x2056xf16>) outs(%f : tensor<?x136xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<?x136xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c, %bias : tensor<?x136xf32>, tensor<136xf32>) outs(%d : tensor<?x136xf16>) {
    ^bb0(%x: f32, %v: f32, %o: f16):
      %t = arith.addf %x, %v : f32
      %u = arith.truncf %t : f32 to f16
      linalg.yield %u : f16
    } -> tensor<?x136xf16>
    return %r : tensor<?x136xf16>
  }
  // All sizes; rows that TMA cannot read are for the other schedule, and so is
  // a sum of nothing.
  // SIZES: 1x64 8x64 1x8
  // SIZES: 72x1032 136x1032 72x136
  // SIZES: 200x72 264x72 200x264
  // SIZES: 65x8 8x8 65x8
  // SIZES: 35x37 33x37 35x33
  // SIZES: 64x0 64x0 64x64
  func.func @forced(%a: tensor<?x?xf16>, %b: tensor<?x?xf16>, %d: tensor<?x?xf32> {amp.destination = 0 : i64}) -> tensor<?x?xf32> attributes {amp.kernel, amp.schedule = "wgmma:64x128-8-stream-k"} {
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
  // Batches, and both sides along M and N.
  // SIZES: 1x136x72 1x136x72 1x72x72
  // SIZES: 3x520x136 3x520x72 3x136x72
  func.func @batch(%a: tensor<?x?x?xbf16>, %b: tensor<?x?x72xbf16>, %d: tensor<?x?x72xf32> {amp.destination = 0 : i64}) -> tensor<?x?x72xf32> attributes {amp.kernel, amp.schedule = "wgmma:128x128-6-stream-k"} {
    %zero = arith.constant 0.0 : f32
    %f = linalg.fill ins(%zero : f32) outs(%d : tensor<?x?x72xf32>) -> tensor<?x?x72xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(b, m, n, k) -> (b, k, m)>, affine_map<(b, m, n, k) -> (b, k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<?x?x?xbf16>, tensor<?x?x72xbf16>) outs(%f : tensor<?x?x72xf32>) {
    ^bb0(%x: bf16, %y: bf16, %acc: f32):
      %x1 = arith.extf %x : bf16 to f32
      %y1 = arith.extf %y : bf16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<?x?x72xf32>
    return %c : tensor<?x?x72xf32>
  }
  // Few columns, and rows that are not known.
  // SIZES: 8x1032 16x1032 8x16
  // SIZES: 200x1032 16x1032 200x16
  func.func @skinny(%a: tensor<?x1032xf16>, %b: tensor<16x1032xf16>, %d: tensor<?x16xf32> {amp.destination = 0 : i64}) -> tensor<?x16xf32> attributes {amp.kernel, amp.schedule = "wgmma:skinny-128x16-12-stream-k"} {
    %zero = arith.constant 0.0 : f32
    %f = linalg.fill ins(%zero : f32) outs(%d : tensor<?x16xf32>) -> tensor<?x16xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<?x1032xf16>, tensor<16x1032xf16>) outs(%f : tensor<?x16xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<?x16xf32>
    return %c : tensor<?x16xf32>
  }
}
