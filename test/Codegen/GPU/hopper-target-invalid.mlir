// RUN: amp-opt %s --split-input-file --verify-diagnostics --amp-gpu-codegen=target=sm_90

#g = #gpu.address_space<global>

module @kernels {
  // expected-error@+1 {{which cannot take this kernel because 'sm_90' has no warpgroup instructions}}
  func.func @k(%a: tensor<64x64xf16>, %b: tensor<64x64xf16>, %d: tensor<64x64xf32> {amp.destination = 0 : i64}) -> tensor<64x64xf32> attributes {amp.kernel, amp.schedule = "wgmma"} {
    %zero = arith.constant 0.0 : f32
    %f = linalg.fill ins(%zero : f32) outs(%d : tensor<64x64xf32>) -> tensor<64x64xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<64x64xf16>, tensor<64x64xf16>) outs(%f : tensor<64x64xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<64x64xf32>
    return %c : tensor<64x64xf32>
  }
}
func.func @main(%a: memref<64x64xf16, #g>, %b: memref<64x64xf16, #g>, %d: memref<64x64xf32, #g>) {
  amp.launch @kernels::@k ins(%a, %b : memref<64x64xf16, #g>, memref<64x64xf16, #g>) outs(%d : memref<64x64xf32, #g>)
  return
}
