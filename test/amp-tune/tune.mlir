// amp-tune on the simulator: what is measured, the file that it writes, and what
// the tools make of it.
// UNSUPPORTED: sanitizer

// RUN: env -u AMP_CUDA_DRIVER amp-tune %s --device=sim --random --quiet -o %t.yaml | FileCheck %s
// CHECK-DAG: kernel main_matmul_0: mma-sync steps={{[0-9.]+}}
// CHECK-DAG: kernel main_matmul_0: wgmma:128x256-4 steps=
// CHECK-DAG: kernel main_matmul_0: wgmma:64x64-4-2-blocks steps=
// CHECK-DAG: kernel main_matmul_0: wgmma:64x64-4-2-blocks-stream-k steps=
// CHECK: tune: kernels=1 device=[[DEVICE:.*]] target=sim:sm_90a unit=steps
// CHECK-NEXT: tune: steps are accesses to memory that the simulator counts, and no times: they say nothing of a device

// RUN: FileCheck %s --check-prefix=FILE --input-file=%t.yaml
// FILE: amp-tuning:      1
// FILE-NEXT: entries:
// FILE-NEXT:   - device:          [[DEVICE:.*]]
// FILE-NEXT:     target:          'sim:sm_90a'
// FILE-NEXT:     compiler: {{ *}}amp {{.*}}, LLVM 22.{{.*}}
// FILE-NEXT:     kernel:          '80x48xf16, 48x72xf16, 72xf16, 80x72xf16 #{{[0-9a-f]+}}'
// FILE-NEXT:     schedule:        '{{.*}}'
// FILE-NEXT:     cost:            {{[0-9.]+}}
// FILE-NEXT:     unit:            steps
// FILE-NOT: device

// Steps are the same in each run.
// RUN: env -u AMP_CUDA_DRIVER amp-tune %s --device=sim --quiet -o %t2.yaml
// RUN: cmp %t.yaml %t2.yaml

// What the file says is compiled in.
// RUN: sed "s/schedule: .*/schedule: mma-sync/" %t.yaml > %t-mma.yaml
// RUN: sed "s/schedule: .*/schedule: 'wgmma:64x128-8'/" %t.yaml > %t-tile.yaml
// RUN: env -u AMP_CUDA_DRIVER amp-run %s --device=sim --target=sim:sm_90a --tuning-file=%t-mma.yaml --dump-stage=gpu | FileCheck %s --check-prefix=MMA
// RUN: env -u AMP_CUDA_DRIVER amp-run %s --device=sim --target=sim:sm_90a --tuning-file=%t-tile.yaml --dump-stage=gpu | FileCheck %s --check-prefix=TILE
// RUN: env -u AMP_CUDA_DRIVER amp-run %s --device=sim --target=sim:sm_90a --tuning-file=%t-tile.yaml --random --compare=f32 --tolerance=0.01 | FileCheck %s --check-prefix=RESULT
// MMA: gpu.func @main_matmul_0(
// MMA-SAME: schedule = "mma-sync"
// TILE: gpu.func @main_matmul_0(
// TILE-SAME: known_block_size = array<i32: 256, 1, 1>
// TILE-SAME: schedule = "wgmma"
// RESULT: compare result0: {{.*}} mismatches=0

// The attribute goes before the file, and is not measured.
// RUN: sed 's/linalg.matmul ins/linalg.matmul {amp.schedule = "wgmma:64x64-4-2-blocks"} ins/' %s > %t-forced.mlir
// RUN: env -u AMP_CUDA_DRIVER amp-run %t-forced.mlir --device=sim --target=sim:sm_90a --tuning-file=%t-mma.yaml --dump-stage=gpu | FileCheck %s --check-prefix=FORCED
// RUN: env -u AMP_CUDA_DRIVER amp-tune %t-forced.mlir --device=sim --quiet | FileCheck %s --check-prefix=NONE
// FORCED: schedule = "wgmma"
// NONE: tune: kernels=0

// Merging: the last file counts.
// RUN: sed "s/sim:sm_90a/sm_90a/; s/device: .*/device: NVIDIA H200/; s/unit: .*/unit: microseconds/" %t.yaml > %t-h200.yaml
// RUN: amp-tune --merge %t-h200.yaml %t-mma.yaml %t-tile.yaml -o %t-all.yaml
// RUN: FileCheck %s --check-prefix=MERGED --input-file=%t-all.yaml
// MERGED: device: NVIDIA H200
// MERGED: target: sm_90a
// MERGED: unit: microseconds
// MERGED: schedule: 'wgmma:64x128-8'
// MERGED-NOT: mma-sync
// RUN: amp-compile %s --target=sm_90a --tuning-file=%t-all.yaml --emit=mlir -o %t.mlir 2>&1 | FileCheck %s --check-prefix=QUIET --allow-empty
// QUIET-NOT: warning
// QUIET-NOT: error

func.func @main(%a: tensor<80x48xf16>, %b: tensor<48x72xf16>, %bias: tensor<72xf16>) -> tensor<80x72xf16> {
  %zero = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<80x72xf32>
  %zf = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zf : f32) outs(%e : tensor<80x72xf32>) -> tensor<80x72xf32>
  %c = linalg.matmul ins(%a, %b : tensor<80x48xf16>, tensor<48x72xf16>) outs(%f : tensor<80x72xf32>) -> tensor<80x72xf32>
  %o = tensor.empty() : tensor<80x72xf16>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%c, %bias : tensor<80x72xf32>, tensor<72xf16>) outs(%o : tensor<80x72xf16>) {
  ^bb0(%x: f32, %v: f16, %out: f16):
    %y = arith.truncf %x : f32 to f16
    %s = arith.addf %y, %v : f16
    linalg.yield %s : f16
  } -> tensor<80x72xf16>
  return %r : tensor<80x72xf16>
}
