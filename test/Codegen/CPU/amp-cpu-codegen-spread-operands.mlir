// Products with the zeros between an operand's elements are left out. (Numbers: test/Integration/CPU/spread.py.)
// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=x86-64-v3}))' | FileCheck %s

// A transposed convolution: every second pixel of every second row is a convolution of its own, computed where it is to be.
// CHECK-LABEL: func.func @transposed
// CHECK-NOT: tensor<1x9x17x24xf32>
// CHECK: tensor.extract_slice %arg1[1, 1, 0, 0] [1, 1, 24, 40] [2, 2, 1, 1]
// CHECK: tensor.insert_slice {{.*}}[0, 0, 0, 0] [1, 4, 8, 40] [1, 1, 2, 1] : tensor<1x4x8x40xf32> into tensor<1x4x16x40xf32>
// CHECK: tensor.extract_slice %arg1[1, 0, 0, 0] [1, 1, 24, 40] [2, 2, 1, 1]
// CHECK: tensor.insert_slice {{.*}}[0, 0, 1, 0] [1, 4, 8, 40] [1, 1, 2, 1]
// CHECK: tensor.insert_slice {{.*}}[0, 0, 0, 0] [1, 4, 16, 40] [1, 2, 1, 1] : tensor<1x4x16x40xf32> into tensor<1x8x16x40xf32>
// CHECK: tensor.extract_slice %arg1[0, 1, 0, 0] [1, 1, 24, 40] [2, 2, 1, 1]
// CHECK: tensor.extract_slice %arg1[0, 0, 0, 0] [1, 1, 24, 40] [2, 2, 1, 1]
// CHECK: tensor.insert_slice {{.*}}[0, 1, 0, 0] [1, 4, 16, 40] [1, 2, 1, 1]
func.func @transposed(%x: tensor<1x4x8x24xf32>, %k: tensor<2x2x24x40xf32>) -> tensor<1x8x16x40xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x9x17x24xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x9x17x24xf32>) -> tensor<1x9x17x24xf32>
  %w = tensor.insert_slice %x into %f[0, 1, 1, 0] [1, 4, 8, 24] [1, 2, 2, 1] : tensor<1x4x8x24xf32> into tensor<1x9x17x24xf32>
  %ye = tensor.empty() : tensor<1x8x16x40xf32>
  %yf = linalg.fill ins(%zero : f32) outs(%ye : tensor<1x8x16x40xf32>) -> tensor<1x8x16x40xf32>
  %y = linalg.conv_2d_nhwc_hwcf ins(%w, %k : tensor<1x9x17x24xf32>, tensor<2x2x24x40xf32>) outs(%yf : tensor<1x8x16x40xf32>) -> tensor<1x8x16x40xf32>
  return %y : tensor<1x8x16x40xf32>
}

// -----

// The gradient of a filter: a sum over every second pixel of the image, of which the last ones are not needed.
// CHECK: #[[$MAP:.*]] = affine_map<(d0, d1) -> (d0 + d1 * 2)>
// CHECK-LABEL: func.func @gradient
// CHECK-NOT: tensor<2x10x14x24xf32>
// CHECK: affine.apply #[[$MAP]]
func.func @gradient(%x: tensor<2x12x16x16xf32>, %dy: tensor<2x5x7x24xf32>) -> tensor<3x3x16x24xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x10x14x24xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x10x14x24xf32>) -> tensor<2x10x14x24xf32>
  %w = tensor.insert_slice %dy into %f[0, 0, 0, 0] [2, 5, 7, 24] [1, 2, 2, 1] : tensor<2x5x7x24xf32> into tensor<2x10x14x24xf32>
  %ye = tensor.empty() : tensor<3x3x16x24xf32>
  %yf = linalg.fill ins(%zero : f32) outs(%ye : tensor<3x3x16x24xf32>) -> tensor<3x3x16x24xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(n, f, i, y, j, x, c) -> (n, i + y, j + x, c)>, affine_map<(n, f, i, y, j, x, c) -> (n, y, x, f)>,
      affine_map<(n, f, i, y, j, x, c) -> (i, j, c, f)>], iterator_types = ["reduction", "parallel", "parallel", "reduction", "parallel", "reduction", "parallel"]}
      ins(%x, %w : tensor<2x12x16x16xf32>, tensor<2x10x14x24xf32>) outs(%yf : tensor<3x3x16x24xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<3x3x16x24xf32>
  return %y : tensor<3x3x16x24xf32>
}

// -----

// Between these elements are ones, not zeros.
// CHECK-LABEL: func.func @ones
// CHECK: tensor.insert_slice %arg0 into {{.*}}[0, 1, 1, 0] [1, 4, 8, 24] [1, 2, 2, 1] : tensor<1x4x8x24xf32> into tensor<1x9x17x24xf32>
func.func @ones(%x: tensor<1x4x8x24xf32>, %k: tensor<2x2x24x40xf32>) -> tensor<1x8x16x40xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<1x9x17x24xf32>
  %f = linalg.fill ins(%one : f32) outs(%e : tensor<1x9x17x24xf32>) -> tensor<1x9x17x24xf32>
  %w = tensor.insert_slice %x into %f[0, 1, 1, 0] [1, 4, 8, 24] [1, 2, 2, 1] : tensor<1x4x8x24xf32> into tensor<1x9x17x24xf32>
  %ye = tensor.empty() : tensor<1x8x16x40xf32>
  %yf = linalg.fill ins(%zero : f32) outs(%ye : tensor<1x8x16x40xf32>) -> tensor<1x8x16x40xf32>
  %y = linalg.conv_2d_nhwc_hwcf ins(%w, %k : tensor<1x9x17x24xf32>, tensor<2x2x24x40xf32>) outs(%yf : tensor<1x8x16x40xf32>) -> tensor<1x8x16x40xf32>
  return %y : tensor<1x8x16x40xf32>
}

// -----

// Where they are is known when the program runs; more than 16 convolutions are not made of one.
// CHECK-LABEL: func.func @unknown
// CHECK: tensor.insert_slice %arg0 into {{.*}}[0, %arg2, 1, 0] [1, 4, 8, 24] [1, 2, 2, 1]
func.func @unknown(%x: tensor<1x4x8x24xf32>, %k: tensor<2x2x24x40xf32>, %at: index) -> tensor<1x8x16x40xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x9x17x24xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x9x17x24xf32>) -> tensor<1x9x17x24xf32>
  %w = tensor.insert_slice %x into %f[0, %at, 1, 0] [1, 4, 8, 24] [1, 2, 2, 1] : tensor<1x4x8x24xf32> into tensor<1x9x17x24xf32>
  %ye = tensor.empty() : tensor<1x8x16x40xf32>
  %yf = linalg.fill ins(%zero : f32) outs(%ye : tensor<1x8x16x40xf32>) -> tensor<1x8x16x40xf32>
  %y = linalg.conv_2d_nhwc_hwcf ins(%w, %k : tensor<1x9x17x24xf32>, tensor<2x2x24x40xf32>) outs(%yf : tensor<1x8x16x40xf32>) -> tensor<1x8x16x40xf32>
  return %y : tensor<1x8x16x40xf32>
}

// CHECK-LABEL: func.func @many
// CHECK: tensor.insert_slice %arg0 into {{.*}}[0, 4, 4, 0] [1, 4, 4, 24] [1, 5, 5, 1]
func.func @many(%x: tensor<1x4x4x24xf32>, %k: tensor<5x5x24x40xf32>) -> tensor<1x20x20x40xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x24x24x24xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x24x24x24xf32>) -> tensor<1x24x24x24xf32>
  %w = tensor.insert_slice %x into %f[0, 4, 4, 0] [1, 4, 4, 24] [1, 5, 5, 1] : tensor<1x4x4x24xf32> into tensor<1x24x24x24xf32>
  %ye = tensor.empty() : tensor<1x20x20x40xf32>
  %yf = linalg.fill ins(%zero : f32) outs(%ye : tensor<1x20x20x40xf32>) -> tensor<1x20x20x40xf32>
  %y = linalg.conv_2d_nhwc_hwcf ins(%w, %k : tensor<1x24x24x24xf32>, tensor<5x5x24x40xf32>) outs(%yf : tensor<1x20x20x40xf32>) -> tensor<1x20x20x40xf32>
  return %y : tensor<1x20x20x40xf32>
}
