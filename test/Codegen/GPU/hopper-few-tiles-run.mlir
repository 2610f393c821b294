// UNSUPPORTED: sanitizer

// A batch whose size run time tells, and weights, from the program to the
// device: the workspace of tiles that blocks share is a part of the memory that is
// planned. One library serves all sizes; results are those of the CPU.

// RUN: env -u AMP_CUDA_DRIVER amp-run %s --device=sim --target=sim:sm_90a --random --shape=x=3x4096 --remarks --output=%t-3.npy 2>&1 | FileCheck %s
// RUN: amp-run %s --device=cpu --random --shape=x=3x4096 --output=%t-cpu-3.npy
// RUN: env -u AMP_CUDA_DRIVER amp-run %s --device=sim --target=sim:sm_90a --random --shape=x=130x4096 --output=%t-130.npy
// RUN: amp-run %s --device=cpu --random --shape=x=130x4096 --output=%t-cpu-130.npy
// RUN: %python -c "import numpy as np; [(a := np.load(f'%t-{n}.npy').astype('f8'), b := np.load(f'%t-cpu-{n}.npy').astype('f8'), print(a.shape, np.abs(a - b).max() < 1e-3 * np.abs(b).max())) for n in (3, 130)]" | FileCheck %s --check-prefix=SAME

// CHECK: Tiles | Category:amp | Function=main{{.*}}FewTiles={{.*}}-stream-k
// SAME: (3, 72) True
// SAME: (130, 72) True

func.func @main(%x: tensor<?x4096xf16> {amp.name = "x"}, %w: tensor<72x4096xf16> {amp.name = "w"}) -> tensor<?x72xf16> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %m = tensor.dim %x, %c0 : tensor<?x4096xf16>
  %e = tensor.empty(%m) : tensor<?x72xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x72xf32>) -> tensor<?x72xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<?x4096xf16>, tensor<72x4096xf16>) outs(%f : tensor<?x72xf32>) {
  ^bb0(%l: f16, %r: f16, %acc: f32):
    %l1 = arith.extf %l : f16 to f32
    %r1 = arith.extf %r : f16 to f32
    %p = arith.mulf %l1, %r1 : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<?x72xf32>
  %o = tensor.empty(%m) : tensor<?x72xf16>
  %d = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%c : tensor<?x72xf32>) outs(%o : tensor<?x72xf16>) {
  ^bb0(%v: f32, %out: f16):
    %t = arith.truncf %v : f32 to f16
    linalg.yield %t : f16
  } -> tensor<?x72xf16>
  return %d : tensor<?x72xf16>
}
