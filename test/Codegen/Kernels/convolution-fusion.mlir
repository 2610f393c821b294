// What follows a convolution is in its kernel, on the warpgroups of sm_90a: bias, ReLU, the scale and shift of a folded batch norm, a residual,
// the cast of the result; and so is padding. A 1x1 convolution without steps is a product of matrices.

// RUN: amp-opt %s --pass-pipeline='builtin.module(amp-lower-to-linalg{target=sm_90a},amp-form-kernels{separate-casts=true},amp-bufferize-host,amp-gpu-codegen{target=sm_90a})' \
// RUN:   --remarks-filter=amp --remark-format=emitRemark -o %t.mlir 2>&1 | grep -E 'Tiles|Schedule' | FileCheck %s
// Each is one launch: neither a second one, nor a copy, nor a launch for run time to choose.
// RUN: sed -n '/func.func @plain/,$p' %t.mlir | FileCheck %s --check-prefix=HOST --implicit-check-not=scf.if --implicit-check-not=memref.copy

// CHECK: Tiles | {{.*}}Function=plain_conv_0 | {{.*}}ResultsByTma=1, Windows=left
// CHECK-NEXT: Function=plain_conv_0 | Reason=preferred, Schedule=wgmma
// CHECK: Tiles | {{.*}}Function=bias_relu_conv_0 | {{.*}}ResultsByTma=1, Windows=left
// CHECK-NEXT: Function=bias_relu_conv_0 | Reason=preferred, Schedule=wgmma
// CHECK: Tiles | {{.*}}Function=folded_norm_conv_0 | {{.*}}ResultsByTma=1, Windows=left
// CHECK-NEXT: Function=folded_norm_conv_0 | Reason=preferred, Schedule=wgmma
// The residual comes by TMA, under the products.
// CHECK: Tiles | {{.*}}Function=residual_conv_0 | Config={{[^,]*}}-residual, {{.*}}ResultsByTma=1, Windows=left
// CHECK-NEXT: Function=residual_conv_0 | Reason=preferred, Schedule=wgmma
// CHECK: Tiles | {{.*}}Function=pointwise_matmul_0 | {{.*}}ResultsByTma=1, Windows=none
// CHECK-NEXT: Function=pointwise_matmul_0 | Reason=preferred, Schedule=wgmma
// CHECK-NOT: Function=

// HOST-LABEL: func.func @plain(
// HOST-COUNT-1: gpu.launch_func
// HOST-NOT: gpu.launch_func
// HOST-LABEL: func.func @bias_relu(
// HOST-COUNT-1: gpu.launch_func
// HOST-NOT: gpu.launch_func
// HOST-LABEL: func.func @folded_norm(
// HOST-COUNT-1: gpu.launch_func
// HOST-NOT: gpu.launch_func
// HOST-LABEL: func.func @residual(
// HOST-COUNT-1: gpu.launch_func
// HOST-NOT: gpu.launch_func
// HOST-LABEL: func.func @pointwise(
// HOST-COUNT-1: gpu.launch_func
// HOST-NOT: gpu.launch_func

#image = affine_map<(n, h, w, f) -> (n, h, w, f)>
#feature = affine_map<(n, h, w, f) -> (f)>
func.func @plain(%x: tensor<8x28x28x64xf16>, %w: tensor<128x3x3x64xf16>) -> tensor<8x28x28x128xf16> {
  %nothing = arith.constant 0.0 : f16
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %nothing : f16
  } : tensor<8x28x28x64xf16> to tensor<8x30x30x64xf16>
  %e = tensor.empty() : tensor<8x28x28x128xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x28x28x128xf32>) -> tensor<8x28x28x128xf32>
  %c = linalg.conv_2d_nhwc_fhwc ins(%p, %w : tensor<8x30x30x64xf16>, tensor<128x3x3x64xf16>) outs(%f : tensor<8x28x28x128xf32>) -> tensor<8x28x28x128xf32>
  %o = tensor.empty() : tensor<8x28x28x128xf16>
  %r = linalg.generic {indexing_maps = [#image, #image], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%c : tensor<8x28x28x128xf32>) outs(%o : tensor<8x28x28x128xf16>) {
  ^bb0(%y: f32, %out: f16):
    %0 = arith.truncf %y : f32 to f16
    linalg.yield %0 : f16
  } -> tensor<8x28x28x128xf16>
  return %r : tensor<8x28x28x128xf16>
}
func.func @bias_relu(%x: tensor<8x28x28x64xf16>, %w: tensor<128x3x3x64xf16>, %b: tensor<128xf32>) -> tensor<8x28x28x128xf16> {
  %nothing = arith.constant 0.0 : f16
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %nothing : f16
  } : tensor<8x28x28x64xf16> to tensor<8x30x30x64xf16>
  %e = tensor.empty() : tensor<8x28x28x128xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x28x28x128xf32>) -> tensor<8x28x28x128xf32>
  %c = linalg.conv_2d_nhwc_fhwc ins(%p, %w : tensor<8x30x30x64xf16>, tensor<128x3x3x64xf16>) outs(%f : tensor<8x28x28x128xf32>) -> tensor<8x28x28x128xf32>
  %o = tensor.empty() : tensor<8x28x28x128xf16>
  %r = linalg.generic {indexing_maps = [#image, #feature, #image], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%c, %b : tensor<8x28x28x128xf32>, tensor<128xf32>) outs(%o : tensor<8x28x28x128xf16>) {
  ^bb0(%y: f32, %b_: f32, %out: f16):
    %0 = arith.addf %y, %b_ : f32
    %1 = arith.maximumf %0, %zero : f32
    %2 = arith.truncf %1 : f32 to f16
    linalg.yield %2 : f16
  } -> tensor<8x28x28x128xf16>
  return %r : tensor<8x28x28x128xf16>
}
func.func @folded_norm(%x: tensor<8x28x28x64xf16>, %w: tensor<128x3x3x64xf16>, %b: tensor<128xf32>, %s: tensor<128xf32>, %t: tensor<128xf32>) -> tensor<8x28x28x128xf16> {
  %nothing = arith.constant 0.0 : f16
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %nothing : f16
  } : tensor<8x28x28x64xf16> to tensor<8x30x30x64xf16>
  %e = tensor.empty() : tensor<8x28x28x128xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x28x28x128xf32>) -> tensor<8x28x28x128xf32>
  %c = linalg.conv_2d_nhwc_fhwc ins(%p, %w : tensor<8x30x30x64xf16>, tensor<128x3x3x64xf16>) outs(%f : tensor<8x28x28x128xf32>) -> tensor<8x28x28x128xf32>
  %o = tensor.empty() : tensor<8x28x28x128xf16>
  %r = linalg.generic {indexing_maps = [#image, #feature, #feature, #feature, #image], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%c, %b, %s, %t : tensor<8x28x28x128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>) outs(%o : tensor<8x28x28x128xf16>) {
  ^bb0(%y: f32, %b_: f32, %s_: f32, %t_: f32, %out: f16):
    %0 = arith.addf %y, %b_ : f32
    %1 = arith.mulf %0, %s_ : f32
    %2 = arith.addf %1, %t_ : f32
    %3 = arith.maximumf %2, %zero : f32
    %4 = arith.truncf %3 : f32 to f16
    linalg.yield %4 : f16
  } -> tensor<8x28x28x128xf16>
  return %r : tensor<8x28x28x128xf16>
}
func.func @residual(%x: tensor<8x28x28x64xf16>, %w: tensor<128x3x3x64xf16>, %b: tensor<128xf32>, %s: tensor<128xf32>, %t: tensor<128xf32>, %z: tensor<8x28x28x128xf16>) -> tensor<8x28x28x128xf16> {
  %nothing = arith.constant 0.0 : f16
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %nothing : f16
  } : tensor<8x28x28x64xf16> to tensor<8x30x30x64xf16>
  %e = tensor.empty() : tensor<8x28x28x128xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x28x28x128xf32>) -> tensor<8x28x28x128xf32>
  %c = linalg.conv_2d_nhwc_fhwc ins(%p, %w : tensor<8x30x30x64xf16>, tensor<128x3x3x64xf16>) outs(%f : tensor<8x28x28x128xf32>) -> tensor<8x28x28x128xf32>
  %o = tensor.empty() : tensor<8x28x28x128xf16>
  %r = linalg.generic {indexing_maps = [#image, #feature, #feature, #feature, #image, #image], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%c, %b, %s, %t, %z : tensor<8x28x28x128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<8x28x28x128xf16>) outs(%o : tensor<8x28x28x128xf16>) {
  ^bb0(%y: f32, %b_: f32, %s_: f32, %t_: f32, %z_: f16, %out: f16):
    %wide = arith.extf %z_ : f16 to f32
    %0 = arith.addf %y, %b_ : f32
    %1 = arith.mulf %0, %s_ : f32
    %2 = arith.addf %1, %t_ : f32
    %3 = arith.addf %2, %wide : f32
    %4 = arith.maximumf %3, %zero : f32
    %5 = arith.truncf %4 : f32 to f16
    linalg.yield %5 : f16
  } -> tensor<8x28x28x128xf16>
  return %r : tensor<8x28x28x128xf16>
}
func.func @pointwise(%x: tensor<8x28x28x64xf16>, %w: tensor<128x1x1x64xf16>, %b: tensor<128xf32>, %s: tensor<128xf32>, %t: tensor<128xf32>, %z: tensor<8x28x28x128xf16>) -> tensor<8x28x28x128xf16> {
  %nothing = arith.constant 0.0 : f16
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x28x28x128xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x28x28x128xf32>) -> tensor<8x28x28x128xf32>
  %c = linalg.conv_2d_nhwc_fhwc ins(%x, %w : tensor<8x28x28x64xf16>, tensor<128x1x1x64xf16>) outs(%f : tensor<8x28x28x128xf32>) -> tensor<8x28x28x128xf32>
  %o = tensor.empty() : tensor<8x28x28x128xf16>
  %r = linalg.generic {indexing_maps = [#image, #feature, #feature, #feature, #image, #image], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%c, %b, %s, %t, %z : tensor<8x28x28x128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<8x28x28x128xf16>) outs(%o : tensor<8x28x28x128xf16>) {
  ^bb0(%y: f32, %b_: f32, %s_: f32, %t_: f32, %z_: f16, %out: f16):
    %wide = arith.extf %z_ : f16 to f32
    %0 = arith.addf %y, %b_ : f32
    %1 = arith.mulf %0, %s_ : f32
    %2 = arith.addf %1, %t_ : f32
    %3 = arith.addf %2, %wide : f32
    %4 = arith.maximumf %3, %zero : f32
    %5 = arith.truncf %4 : f32 to f16
    linalg.yield %5 : f16
  } -> tensor<8x28x28x128xf16>
  return %r : tensor<8x28x28x128xf16>
}
