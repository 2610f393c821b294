// RUN: env PYTHONPATH=%S/Inputs AMP_OPT=%amp_obj/bin/amp-opt AMP_RUNTIME=%amp_lib/libamp_runtime%shlibext CXX=%cxx \
// RUN:   %python %S/Inputs/out_dtype.py %s

// What amp.out_dtype computes: i8 products that wrap, f32 quotients truncated to
// i8, an i8 convolution in i32, a bf16 contraction in f64, f16 products in f32.

func.func @wrap(%a: tensor<4xi8>, %b: tensor<4xi8>) -> tensor<4xi8> {
  %0 = amp.out_dtype (%x = %a : tensor<4xi8>, %y = %b : tensor<4xi8>) -> tensor<4xi8> {
    %1 = arith.muli %x, %y : tensor<4xi8>
    amp.yield %1 : tensor<4xi8>
  }
  return %0 : tensor<4xi8>
}
func.func @named(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>) -> tensor<4xi8> {
  %0 = amp.out_dtype (%x = %a : tensor<4xf32>, %y = %b : tensor<4xf32>, %z = %c : tensor<4xf32>) -> tensor<4xi8> {
    %1 = linalg.div ins(%x, %y : tensor<4xf32>, tensor<4xf32>) outs(%z : tensor<4xf32>) -> tensor<4xf32>
    amp.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xi8>
}
func.func @conv(%a: tensor<1x4x4x2xi8>, %k: tensor<3x3x2x3xi8>, %c: tensor<1x2x2x3xi8>) -> tensor<1x2x2x3xi32> {
  %0 = amp.out_dtype (%x = %a : tensor<1x4x4x2xi8>, %y = %k : tensor<3x3x2x3xi8>, %z = %c : tensor<1x2x2x3xi8>) -> tensor<1x2x2x3xi32> {
    %1 = linalg.conv_2d_nhwc_hwcf ins(%x, %y : tensor<1x4x4x2xi8>, tensor<3x3x2x3xi8>) outs(%z : tensor<1x2x2x3xi8>) -> tensor<1x2x2x3xi8>
    amp.yield %1 : tensor<1x2x2x3xi8>
  }
  return %0 : tensor<1x2x2x3xi32>
}
func.func @generic(%a: tensor<4x8xbf16>, %b: tensor<8x3xbf16>, %c: tensor<4x3xbf16>) -> tensor<4x3xf64> {
  %0 = amp.out_dtype (%x = %a : tensor<4x8xbf16>, %y = %b : tensor<8x3xbf16>, %z = %c : tensor<4x3xbf16>) -> tensor<4x3xf64> {
    %1 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %y : tensor<4x8xbf16>, tensor<8x3xbf16>) outs(%z : tensor<4x3xbf16>) {
    ^bb0(%p: bf16, %q: bf16, %s: bf16):
      %m = arith.mulf %p, %q : bf16
      %r = arith.addf %s, %m : bf16
      linalg.yield %r : bf16
    } -> tensor<4x3xbf16>
    amp.yield %1 : tensor<4x3xbf16>
  }
  return %0 : tensor<4x3xf64>
}
func.func @mul_f16(%a: tensor<4xf16>, %b: tensor<4xf16>, %c: tensor<4xf16>) -> tensor<4xf32> {
  %0 = amp.out_dtype (%x = %a : tensor<4xf16>, %y = %b : tensor<4xf16>, %z = %c : tensor<4xf16>) -> tensor<4xf32> {
    %1 = linalg.mul ins(%x, %y : tensor<4xf16>, tensor<4xf16>) outs(%z : tensor<4xf16>) -> tensor<4xf16>
    amp.yield %1 : tensor<4xf16>
  }
  return %0 : tensor<4xf32>
}
