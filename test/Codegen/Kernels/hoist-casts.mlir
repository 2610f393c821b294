// Casts to a narrower type move to where a value is stored: in front of padding, and of slices that are all cast.
// RUN: amp-opt %s --amp-form-kernels=separate-casts=true | FileCheck %s
// RUN: amp-opt %s --amp-form-kernels=separate-casts=true --amp-form-kernels=separate-casts=true | FileCheck %s

#id = affine_map<(r, c) -> (r, c)>
#image = affine_map<(n, h, w, c) -> (n, h, w, c)>

// What a convolution reads is f16 in memory, and the cast is a part of the kernel that computes it.
// CHECK-LABEL: func.func @pad_of_result(
// CHECK: %[[X:.*]] = amp.launch {{.*}} -> tensor<2x10x10x64xf16>
// CHECK: amp.launch {{.*}} ins(%[[X]], %{{.*}} : tensor<2x10x10x64xf16>, tensor<64x3x3x64xf16>)
// CHECK-NOT: amp.launch
func.func @pad_of_result(%x: tensor<2x8x8x64xf32>, %w: tensor<64x3x3x64xf16>) -> tensor<2x8x8x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x8x8x64xf32>
  %relu = linalg.generic {indexing_maps = [#image, #image], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<2x8x8x64xf32>) outs(%e : tensor<2x8x8x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.maximumf %a, %zero : f32
    linalg.yield %m : f32
  } -> tensor<2x8x8x64xf32>
  %p = tensor.pad %relu low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<2x8x8x64xf32> to tensor<2x10x10x64xf32>
  %eh = tensor.empty() : tensor<2x10x10x64xf16>
  %h = linalg.generic {indexing_maps = [#image, #image], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%p : tensor<2x10x10x64xf32>) outs(%eh : tensor<2x10x10x64xf16>) {
  ^bb0(%a: f32, %o: f16):
    %t = arith.truncf %a : f32 to f16
    linalg.yield %t : f16
  } -> tensor<2x10x10x64xf16>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x8x8x64xf32>) -> tensor<2x8x8x64xf32>
  %y = linalg.conv_2d_nhwc_fhwc ins(%h, %w : tensor<2x10x10x64xf16>, tensor<64x3x3x64xf16>) outs(%z : tensor<2x8x8x64xf32>) -> tensor<2x8x8x64xf32>
  return %y : tensor<2x8x8x64xf32>
}

// CHECK-LABEL: func.func @slices(
// CHECK: %[[X:.*]] = amp.launch {{.*}} -> tensor<64x192xf16>
// CHECK-DAG: tensor.extract_slice %[[X]][0, 0] [64, 128] [1, 1] : tensor<64x192xf16> to tensor<64x128xf16>
// CHECK-DAG: tensor.extract_slice %[[X]][0, 128] [64, 64] [1, 1] : tensor<64x192xf16> to tensor<64x64xf16>
func.func @slices(%x: tensor<64x192xf32>) -> (tensor<64x128xf16>, tensor<64x64xf16>) {
  %e = tensor.empty() : tensor<64x192xf32>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x192xf32>) outs(%e : tensor<64x192xf32>) {
  ^bb0(%a: f32, %o: f32):
    %d = arith.addf %a, %a : f32
    linalg.yield %d : f32
  } -> tensor<64x192xf32>
  %l = tensor.extract_slice %s[0, 0] [64, 128] [1, 1] : tensor<64x192xf32> to tensor<64x128xf32>
  %r = tensor.extract_slice %s[0, 128] [64, 64] [1, 1] : tensor<64x192xf32> to tensor<64x64xf32>
  %el = tensor.empty() : tensor<64x128xf16>
  %er = tensor.empty() : tensor<64x64xf16>
  %hl = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%l : tensor<64x128xf32>) outs(%el : tensor<64x128xf16>) {
  ^bb0(%a: f32, %o: f16):
    %t = arith.truncf %a : f32 to f16
    linalg.yield %t : f16
  } -> tensor<64x128xf16>
  %hr = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%r : tensor<64x64xf32>) outs(%er : tensor<64x64xf16>) {
  ^bb0(%a: f32, %o: f16):
    %t = arith.truncf %a : f32 to f16
    linalg.yield %t : f16
  } -> tensor<64x64xf16>
  return %hl, %hr : tensor<64x128xf16>, tensor<64x64xf16>
}

// A slice that stays wide keeps the tensor wide.
// CHECK-LABEL: func.func @one_slice_is_wide(
// CHECK-NOT: -> tensor<64x192xf16>
// CHECK: return
func.func @one_slice_is_wide(%x: tensor<64x192xf32>) -> (tensor<64x128xf16>, tensor<64x64xf32>) {
  %e = tensor.empty() : tensor<64x192xf32>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x192xf32>) outs(%e : tensor<64x192xf32>) {
  ^bb0(%a: f32, %o: f32):
    %d = arith.addf %a, %a : f32
    linalg.yield %d : f32
  } -> tensor<64x192xf32>
  %l = tensor.extract_slice %s[0, 0] [64, 128] [1, 1] : tensor<64x192xf32> to tensor<64x128xf32>
  %r = tensor.extract_slice %s[0, 128] [64, 64] [1, 1] : tensor<64x192xf32> to tensor<64x64xf32>
  %el = tensor.empty() : tensor<64x128xf16>
  %hl = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%l : tensor<64x128xf32>) outs(%el : tensor<64x128xf16>) {
  ^bb0(%a: f32, %o: f16):
    %t = arith.truncf %a : f32 to f16
    linalg.yield %t : f16
  } -> tensor<64x128xf16>
  return %hl, %r : tensor<64x128xf16>, tensor<64x64xf32>
}

// The reshape goes through the cast, to join what reads it, and the cast stays behind: they took turns forever.
// CHECK-LABEL: func.func @vector(
// CHECK: %[[V:.*]] = amp.launch {{.*}} -> tensor<256xf32>
// CHECK: %[[M:.*]] = tensor.expand_shape %[[V]]
// CHECK: amp.launch {{.*}} ins(%[[M]] : tensor<8x32xf32>)
func.func @vector(%x: tensor<256xbf16>, %w: tensor<256x256xbf16>) -> tensor<8x32xf32> {
  %zero = arith.constant dense<0.0> : tensor<256xf32>
  %p = linalg.vecmat ins(%x, %w : tensor<256xbf16>, tensor<256x256xbf16>) outs(%zero : tensor<256xf32>) -> tensor<256xf32>
  %t = arith.truncf %p : tensor<256xf32> to tensor<256xbf16>
  %e = tensor.expand_shape %t [[0, 1]] output_shape [8, 32] : tensor<256xbf16> into tensor<8x32xbf16>
  %f = arith.extf %e : tensor<8x32xbf16> to tensor<8x32xf32>
  return %f : tensor<8x32xf32>
}
