// amp-tune on the simulator measures the tiles of an attention, each with the same results, and a file of it is compiled in.
// UNSUPPORTED: sanitizer

// RUN: env -u AMP_CUDA_DRIVER amp-tune %s --device=sim --quiet -o %t.yaml | FileCheck %s
// CHECK-DAG: kernel main_attention_0: attention:128x128 steps={{[0-9.]+}}
// CHECK-DAG: kernel main_attention_0: attention:128x64-turns steps={{[0-9.]+}}
// CHECK-DAG: kernel main_attention_0: attention:192x96 steps={{[0-9.]+}}
// CHECK-DAG: kernel main_attention_0: attention:192x128-turns steps={{[0-9.]+}}
// CHECK: tune: kernels=1

// RUN: sed "s/schedule: .*/schedule: 'attention:192x96-turns'/" %t.yaml > %t-tile.yaml
// RUN: env -u AMP_CUDA_DRIVER amp-run %s --device=sim --target=sim:sm_90a --tuning-file=%t-tile.yaml --dump-stage=gpu | FileCheck %s --check-prefix=TILE
// TILE: gpu.func @main_attention_0(
// TILE-SAME: known_block_size = array<i32: 512, 1, 1>
// TILE-SAME: schedule = "attention"

// What its heads leave no registers for is not measured, and cannot be asked for.
// RUN: sed 's/x16x/x256x/g; s/x16xf/x256xf/g' %s > %t-wide.mlir
// RUN: amp-opt %t-wide.mlir --pass-pipeline='builtin.module(amp-lower-to-linalg{target=sm_90a},amp-form-kernels{separate-casts=true fuse-attention=true},amp-bufferize-host,func.func(canonicalize))' -o %t-kernel.mlir
// RUN: amp-opt %t-kernel.mlir --amp-gpu-codegen='target=sm_90a note-candidates=true' | FileCheck %s --check-prefix=WIDE
// WIDE: candidates = ["attention:128x64", "attention:128x64-turns"]
// RUN: sed 's/attributes {amp.kernel}/attributes {amp.kernel, amp.schedule = "attention:192x128"}/' %t-kernel.mlir > %t-forced.mlir
// RUN: not amp-opt %t-forced.mlir --amp-gpu-codegen=target=sm_90a 2>&1 | FileCheck %s --check-prefix=FORCED
// FORCED: error: 'amp.schedule' asks for 'attention', which cannot take this kernel because it has no configuration '192x128', but 128x64, 128x64-turns; remove

func.func @main(
    %q: tensor<1x2x20x16xf16>,
    %k: tensor<1x2x20x16xf16>,
    %v: tensor<1x2x20x16xf16>) -> (tensor<1x2x20x16xf16> {amp.name = "y"}) {
  %v1 = arith.constant 0.0 : f32
  %v2 = tensor.empty() : tensor<1x2x20x20xf32>
  %v3 = linalg.fill ins(%v1 : f32) outs(%v2 : tensor<1x2x20x20xf32>) -> tensor<1x2x20x20xf32>
  %v4 = linalg.generic {indexing_maps = [affine_map<(b, h, s, t, d) -> (b, h, s, d)>, affine_map<(b, h, s, t, d) -> (b, h, t, d)>, affine_map<(b, h, s, t, d) -> (b, h, s, t)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<1x2x20x16xf16>, tensor<1x2x20x16xf16>) outs(%v3 : tensor<1x2x20x20xf32>) {
  ^bb0(%v4i0: f16, %v4i1: f16, %v4o: f32):
    %v4w0 = arith.extf %v4i0 : f16 to f32
    %v4w1 = arith.extf %v4i1 : f16 to f32
    %v4p = arith.mulf %v4w0, %v4w1 : f32
    %v4s = arith.addf %v4o, %v4p : f32
    linalg.yield %v4s : f32
  } -> tensor<1x2x20x20xf32>
  %v5 = arith.constant 0.25 : f32
  %v6 = arith.constant 0xFF800000 : f32
  %v7 = tensor.empty() : tensor<1x2x20x20xf32>
  %v8 = linalg.generic {indexing_maps = [affine_map<(b, h, s, t) -> (b, h, s, t)>, affine_map<(b, h, s, t) -> (b, h, s, t)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%v4 : tensor<1x2x20x20xf32>) outs(%v7 : tensor<1x2x20x20xf32>) {
  ^bb0(%v8i0: f32, %v8o: f32):
    %v8y = arith.mulf %v8i0, %v5 : f32
    linalg.yield %v8y : f32
  } -> tensor<1x2x20x20xf32>
  %v10 = tensor.empty() : tensor<1x2x20x20xf32>
  %v9 = linalg.softmax dimension(3) ins(%v8 : tensor<1x2x20x20xf32>) outs(%v10 : tensor<1x2x20x20xf32>) -> tensor<1x2x20x20xf32>
  %v11 = tensor.empty() : tensor<1x2x20x20xf16>
  %v12 = linalg.generic {indexing_maps = [affine_map<(b, h, s, t) -> (b, h, s, t)>, affine_map<(b, h, s, t) -> (b, h, s, t)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%v9 : tensor<1x2x20x20xf32>) outs(%v11 : tensor<1x2x20x20xf16>) {
  ^bb0(%v12i0: f32, %v12o: f16):
    %v12y = arith.truncf %v12i0 : f32 to f16
    linalg.yield %v12y : f16
  } -> tensor<1x2x20x20xf16>
  %v13 = arith.constant 0.0 : f32
  %v14 = tensor.empty() : tensor<1x2x20x16xf32>
  %v15 = linalg.fill ins(%v13 : f32) outs(%v14 : tensor<1x2x20x16xf32>) -> tensor<1x2x20x16xf32>
  %v16 = linalg.generic {indexing_maps = [affine_map<(b, h, s, d, t) -> (b, h, s, t)>, affine_map<(b, h, s, d, t) -> (b, h, t, d)>, affine_map<(b, h, s, d, t) -> (b, h, s, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%v12, %v : tensor<1x2x20x20xf16>, tensor<1x2x20x16xf16>) outs(%v15 : tensor<1x2x20x16xf32>) {
  ^bb0(%v16i0: f16, %v16i1: f16, %v16o: f32):
    %v16w0 = arith.extf %v16i0 : f16 to f32
    %v16w1 = arith.extf %v16i1 : f16 to f32
    %v16p = arith.mulf %v16w0, %v16w1 : f32
    %v16s = arith.addf %v16o, %v16p : f32
    linalg.yield %v16s : f32
  } -> tensor<1x2x20x16xf32>
  %v17 = tensor.empty() : tensor<1x2x20x16xf16>
  %v18 = linalg.generic {indexing_maps = [affine_map<(b, h, s, d) -> (b, h, s, d)>, affine_map<(b, h, s, d) -> (b, h, s, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%v16 : tensor<1x2x20x16xf32>) outs(%v17 : tensor<1x2x20x16xf16>) {
  ^bb0(%v18i0: f32, %v18o: f16):
    %v18y = arith.truncf %v18i0 : f32 to f16
    linalg.yield %v18y : f16
  } -> tensor<1x2x20x16xf16>
  return %v18 : tensor<1x2x20x16xf16>
}

