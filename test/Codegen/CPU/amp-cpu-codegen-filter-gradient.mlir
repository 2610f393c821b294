// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{triple=x86_64-linux-gnu cpu=haswell no-scalar-fallback}))' | FileCheck %s --implicit-check-not=linalg.

// The gradient of a filter whose channels are planes: three places in a row are few columns. Its channels are the columns of the product, and
// move behind them at the end.
// CHECK-LABEL: func.func @gradient
// CHECK: tensor.empty() : tensor<576x128xf32>
// CHECK: bufferization.alloc_tensor() : tensor<{{.*}}x{{.*}}x16xf32>
// CHECK-COUNT-8: vector.fma {{.*}} : vector<8xf32>
// CHECK: vector.transfer_write {{.*}}tensor<576x128xf32>
// CHECK: vector.shuffle
// CHECK: vector.transfer_write {{.*}}tensor<128x576xf32>
func.func @gradient(%image: tensor<4x64x30x30xf32>, %g: tensor<4x128x28x28xf32>) -> tensor<128x64x3x3xf32> {
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x64x3x3xf32>
  %f = linalg.fill ins(%c : f32) outs(%e : tensor<128x64x3x3xf32>) -> tensor<128x64x3x3xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(f, c, h, w, n, y, x) -> (n, c, y + h, x + w)>, affine_map<(f, c, h, w, n, y, x) -> (n, f, y, x)>,
                                        affine_map<(f, c, h, w, n, y, x) -> (f, c, h, w)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%image, %g : tensor<4x64x30x30xf32>, tensor<4x128x28x28xf32>) outs(%f : tensor<128x64x3x3xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32 } -> tensor<128x64x3x3xf32>
  return %r : tensor<128x64x3x3xf32>
}

// -----

// With strides the pixels that are multiplied by one place are not neighbours: they are gathered, for each of three places.
// CHECK-LABEL: func.func @strides
// CHECK: tensor.empty() : tensor<4x64x57x3x28xf32>
// CHECK: vector.shuffle {{.*}} [0, 2, 4, 6
// CHECK: tensor.empty() : tensor<576x128xf32>
// CHECK: vector.fma
func.func @strides(%image: tensor<4x64x57x57xf32>, %g: tensor<4x128x28x28xf32>) -> tensor<128x64x3x3xf32> {
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x64x3x3xf32>
  %f = linalg.fill ins(%c : f32) outs(%e : tensor<128x64x3x3xf32>) -> tensor<128x64x3x3xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(f, c, h, w, n, y, x) -> (n, c, y * 2 + h, x * 2 + w)>, affine_map<(f, c, h, w, n, y, x) -> (n, f, y, x)>,
                                        affine_map<(f, c, h, w, n, y, x) -> (f, c, h, w)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%image, %g : tensor<4x64x57x57xf32>, tensor<4x128x28x28xf32>) outs(%f : tensor<128x64x3x3xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32 } -> tensor<128x64x3x3xf32>
  return %r : tensor<128x64x3x3xf32>
}

// -----

// A convolution of few pixels stays one: its filter has fewer places than that.
// CHECK-LABEL: func.func @few_pixels
// CHECK-NOT: tensor<{{.*}}x128xf32>
// CHECK: return
func.func @few_pixels(%image: tensor<4x64x8x8xf32>, %w: tensor<128x64x3x3xf32>) -> tensor<4x128x6x6xf32> {
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x128x6x6xf32>
  %f = linalg.fill ins(%c : f32) outs(%e : tensor<4x128x6x6xf32>) -> tensor<4x128x6x6xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%image, %w : tensor<4x64x8x8xf32>, tensor<128x64x3x3xf32>) outs(%f : tensor<4x128x6x6xf32>) -> tensor<4x128x6x6xf32>
  return %r : tensor<4x128x6x6xf32>
}
