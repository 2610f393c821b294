// RUN: amp-opt %s --amp-arrange-convolutions --split-input-file | FileCheck %s
// RUN: amp-opt %s --amp-arrange-convolutions --amp-arrange-convolutions --split-input-file | FileCheck %s
// RUN: amp-opt %s --amp-arrange-convolutions --split-input-file --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s --check-prefix=LOC
// RUN: amp-opt %s --amp-arrange-convolutions --split-input-file --remarks-filter=amp --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK --implicit-check-not=ConvolutionArranged
// RUN: amp-opt %s --amp-arrange-convolutions --amp-split-init --split-input-file | FileCheck %s --check-prefix=INIT

// The image is transposed in front of its padding, the filter and the result
// too.

// REMARK: ConvolutionArranged | Category:amp | Function=padded | Channels=8, Op=linalg.conv_2d_nchw_fchw, Reason="tensor cores read windows with channels last"
// CHECK-DAG: #[[$IMAGE:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d2 + d5, d3 + d6, d4)>
// CHECK-DAG: #[[$FILTER:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d1, d5, d6, d4)>
// CHECK-DAG: #[[$RESULT:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d2, d3, d1)>
// CHECK-LABEL: func.func @padded(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<1x8x9x7xf16>, %[[W:[a-z0-9]+]]: tensor<40x8x3x3xf16>
// CHECK-DAG: %[[XT:.*]] = linalg.transpose ins(%[[X]] : {{.*}}) outs({{.*}} : tensor<1x9x7x8xf16>) permutation = [0, 2, 3, 1]
// CHECK-DAG: %[[P:.*]] = tensor.pad %[[XT]] low[0, 1, 2, 0] high[0, 3, 1, 0]
// CHECK-DAG: %[[WT:.*]] = linalg.transpose ins(%[[W]] : {{.*}}) outs({{.*}} : tensor<40x3x3x8xf16>) permutation = [0, 2, 3, 1]
// CHECK: %[[C:.*]] = linalg.generic {indexing_maps = [#[[$IMAGE]], #[[$FILTER]], #[[$RESULT]]]
// CHECK-SAME: ins(%[[P]], %[[WT]] : tensor<1x13x10x8xf16>, tensor<40x3x3x8xf16>)
// CHECK: %[[R:.*]] = linalg.transpose ins(%[[C]] : {{.*}}) outs({{.*}} : tensor<1x40x11x8xf32>) permutation = [0, 3, 1, 2]
// CHECK-NEXT: return %[[R]]
// LOC-LABEL: func.func @padded(
// LOC: tensor.pad
// LOC: loc("pad")
// LOC: linalg.generic
// LOC: loc("conv")
// LOC: linalg.transpose
// LOC-SAME: loc("conv")
func.func @padded(%x: tensor<1x8x9x7xf16>, %w: tensor<40x8x3x3xf16>) -> tensor<1x40x11x8xf32> {
  %zero = arith.constant 0.0 : f16
  %z = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 1, 2] high[0, 0, 3, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f16
  } : tensor<1x8x9x7xf16> to tensor<1x8x13x10xf16> loc("pad")
  %e = tensor.empty() : tensor<1x40x11x8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x40x11x8xf32>) -> tensor<1x40x11x8xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%p, %w : tensor<1x8x13x10xf16>, tensor<40x8x3x3xf16>) outs(%f : tensor<1x40x11x8xf32>) -> tensor<1x40x11x8xf32> loc("conv")
  return %c : tensor<1x40x11x8xf32>
}

// -----

// A chain, with a bias, a cast and an input that is added: transposed at its
// ends only, and the weights in init.

// REMARK-COUNT-2: ConvolutionArranged | Category:amp | Function=chain
// INIT-LABEL: func.func @chain(
// INIT-COUNT-1: linalg.transpose ins(%{{.*}} : tensor<1x40x6x6xf16>)
// INIT: linalg.generic
// INIT-NOT: linalg.transpose
// INIT: tensor.pad
// INIT-NOT: linalg.transpose
// INIT: linalg.transpose ins(%{{.*}} : tensor<1x40x6x6xf32>) outs(%{{.*}} : tensor<1x6x6x40xf32>)
// INIT: %[[R:.*]] = linalg.transpose ins(%{{.*}} : tensor<1x6x6x40xf32>)
// INIT-NEXT: return %[[R]]
// INIT-LABEL: func.func @chain_init(
// INIT-COUNT-2: linalg.transpose ins(%{{.*}} : tensor<40x40x3x3xf16>)
// INIT-NOT: linalg.transpose
// INIT: return
// CHECK-LABEL: func.func @chain(
// CHECK: return
#image = affine_map<(n, c, h, w) -> (n, c, h, w)>
#channel = affine_map<(n, c, h, w) -> (c)>
func.func @chain(%x: tensor<1x40x6x6xf16>, %v: tensor<40x40x3x3xf16> {amp.weight}, %b: tensor<40xf32> {amp.weight}, %w: tensor<40x40x3x3xf16> {amp.weight}) -> tensor<1x40x6x6xf32> {
  %zero = arith.constant 0.0 : f16
  %z = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f16
  } : tensor<1x40x6x6xf16> to tensor<1x40x8x8xf16>
  %e = tensor.empty() : tensor<1x40x6x6xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x40x6x6xf32>) -> tensor<1x40x6x6xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%p, %v : tensor<1x40x8x8xf16>, tensor<40x40x3x3xf16>) outs(%f : tensor<1x40x6x6xf32>) -> tensor<1x40x6x6xf32>
  %r = linalg.generic {indexing_maps = [#image, #channel, #image], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%c, %b : tensor<1x40x6x6xf32>, tensor<40xf32>) outs(%e : tensor<1x40x6x6xf32>) {
  ^bb0(%in: f32, %bias: f32, %out: f32):
    %0 = arith.addf %in, %bias : f32
    %1 = arith.maximumf %0, %z : f32
    linalg.yield %1 : f32
  } -> tensor<1x40x6x6xf32>
  %p1 = tensor.pad %r low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %z : f32
  } : tensor<1x40x6x6xf32> to tensor<1x40x8x8xf32>
  %t = arith.truncf %p1 : tensor<1x40x8x8xf32> to tensor<1x40x8x8xf16>
  %d = linalg.conv_2d_nchw_fchw ins(%t, %w : tensor<1x40x8x8xf16>, tensor<40x40x3x3xf16>) outs(%f : tensor<1x40x6x6xf32>) -> tensor<1x40x6x6xf32>
  %y = arith.extf %x : tensor<1x40x6x6xf16> to tensor<1x40x6x6xf32>
  %s = linalg.add ins(%d, %y : tensor<1x40x6x6xf32>, tensor<1x40x6x6xf32>) outs(%e : tensor<1x40x6x6xf32>) -> tensor<1x40x6x6xf32>
  return %s : tensor<1x40x6x6xf32>
}

// -----

// Groups go behind the images, and images of unknown size are transposed too.

// REMARK: ConvolutionArranged | Category:amp | Function=groups
// CHECK: affine_map<(d0, d1, d2, d3, d4, d5, d6, d7) -> (d0, d3 + d6, d4 + d7, d1, d5)>
// CHECK: affine_map<(d0, d1, d2, d3, d4, d5, d6, d7) -> (d1, d2, d6, d7, d5)>
// CHECK: affine_map<(d0, d1, d2, d3, d4, d5, d6, d7) -> (d0, d3, d4, d1, d2)>
// CHECK-LABEL: func.func @groups(
// CHECK: linalg.transpose ins(%{{.*}} : tensor<?x2x8x?x5xbf16>) outs(%{{.*}} : tensor<?x?x5x2x8xbf16>) permutation = [0, 3, 4, 1, 2]
// CHECK: linalg.transpose ins(%{{.*}} : tensor<2x40x8x3x3xbf16>) outs(%{{.*}} : tensor<2x40x3x3x8xbf16>) permutation = [0, 1, 3, 4, 2]
// CHECK: linalg.transpose ins(%{{.*}} : tensor<?x?x3x2x40xf32>) outs(%{{.*}} : tensor<?x2x40x?x3xf32>) permutation = [0, 3, 4, 1, 2]
// INIT-LABEL: func.func @groups(
func.func @groups(%x: tensor<?x2x8x?x5xbf16>, %w: tensor<2x40x8x3x3xbf16>, %e: tensor<?x2x40x?x3xf32>) -> tensor<?x2x40x?x3xf32> {
  %c = linalg.conv_2d_ngchw_gfchw ins(%x, %w : tensor<?x2x8x?x5xbf16>, tensor<2x40x8x3x3xbf16>) outs(%e : tensor<?x2x40x?x3xf32>) -> tensor<?x2x40x?x3xf32>
  return %c : tensor<?x2x40x?x3xf32>
}

// -----

// Left alone: other numbers of channels, few features, long strides, other
// types, channels that are last, and transpositions of the program.

// CHECK-LABEL: func.func @others(
// CHECK-NOT: linalg.transpose
// CHECK: linalg.conv_2d_nchw_fchw
// CHECK-NOT: linalg.transpose
// CHECK: linalg.conv_2d_nchw_fchw
// CHECK-NOT: linalg.transpose
// CHECK: linalg.conv_2d_nchw_fchw
// CHECK-NOT: linalg.transpose
// CHECK: linalg.conv_2d_nchw_fchw
// CHECK-NOT: linalg.transpose
// CHECK: linalg.conv_2d_nhwc_fhwc
// CHECK: linalg.transpose
// CHECK-NEXT: linalg.transpose
// CHECK-NEXT: arith.addf %{{.*}} : tensor
// INIT-LABEL: func.func @others(
func.func @others(%x: tensor<1x12x9x9xf16>, %v: tensor<40x12x3x3xf16>, %y: tensor<1x16x9x9xf16>, %w: tensor<8x16x3x3xf16>, %s: tensor<40x16x1x1xf16>,
                  %a: tensor<1x16x9x9xf32>, %u: tensor<40x16x3x3xf32>, %l: tensor<1x9x9x16xf16>, %t: tensor<40x3x3x16xf16>, %f: tensor<1x8x7x7xf32>,
                  %e: tensor<1x40x7x7xf32>, %g: tensor<1x40x1x1xf32>, %h: tensor<1x7x7x40xf32>)
    -> (tensor<1x40x7x7xf32>, tensor<1x8x7x7xf32>, tensor<1x40x1x1xf32>, tensor<1x40x7x7xf32>, tensor<1x7x7x40xf32>) {
  %0 = linalg.conv_2d_nchw_fchw ins(%x, %v : tensor<1x12x9x9xf16>, tensor<40x12x3x3xf16>) outs(%e : tensor<1x40x7x7xf32>) -> tensor<1x40x7x7xf32>
  %1 = linalg.conv_2d_nchw_fchw ins(%y, %w : tensor<1x16x9x9xf16>, tensor<8x16x3x3xf16>) outs(%f : tensor<1x8x7x7xf32>) -> tensor<1x8x7x7xf32>
  %2 = linalg.conv_2d_nchw_fchw {strides = dense<9> : tensor<2xi64>} ins(%y, %s : tensor<1x16x9x9xf16>, tensor<40x16x1x1xf16>) outs(%g : tensor<1x40x1x1xf32>) -> tensor<1x40x1x1xf32>
  %3 = linalg.conv_2d_nchw_fchw ins(%a, %u : tensor<1x16x9x9xf32>, tensor<40x16x3x3xf32>) outs(%e : tensor<1x40x7x7xf32>) -> tensor<1x40x7x7xf32>
  %4 = linalg.conv_2d_nhwc_fhwc ins(%l, %t : tensor<1x9x9x16xf16>, tensor<40x3x3x16xf16>) outs(%h : tensor<1x7x7x40xf32>) -> tensor<1x7x7x40xf32>
  %5 = linalg.transpose ins(%4 : tensor<1x7x7x40xf32>) outs(%e : tensor<1x40x7x7xf32>) permutation = [0, 3, 1, 2]
  %6 = linalg.transpose ins(%5 : tensor<1x40x7x7xf32>) outs(%h : tensor<1x7x7x40xf32>) permutation = [0, 2, 3, 1]
  %7 = arith.addf %6, %h : tensor<1x7x7x40xf32>
  return %0, %1, %2, %3, %7 : tensor<1x40x7x7xf32>, tensor<1x8x7x7xf32>, tensor<1x40x1x1xf32>, tensor<1x40x7x7xf32>, tensor<1x7x7x40xf32>
}

// -----

// Left alone, as im2col could not read the windows with channels last: filters
// that reach over more than 128 pixels in two dimensions, or 16 in three, and
// paddings of more than 128. One less, and it can.

// REMARK: ConvolutionArranged | Category:amp | Function=limits | Channels=24
// REMARK: ConvolutionArranged | Category:amp | Function=limits | Channels=16
// CHECK-LABEL: func.func @limits(
// CHECK-NOT: linalg.transpose
// CHECK: linalg.conv_2d_nchw_fchw
// CHECK-NOT: linalg.transpose
// CHECK: linalg.conv_3d_ncdhw_fcdhw
// CHECK-NOT: linalg.transpose
// CHECK: linalg.conv_2d_nchw_fchw
// CHECK: linalg.transpose
// INIT-LABEL: func.func @limits(
func.func @limits(%x: tensor<1x8x600x9xf16>, %w: tensor<40x8x3x3xf16>, %y: tensor<1x8x40x9x9xf16>, %v: tensor<40x8x3x3x3xf16>, %p: tensor<1x8x9x9xf16>,
                  %q: tensor<1x16x600x9xf16>, %u: tensor<40x16x3x3xf16>, %r: tensor<1x24x9x9xf16>, %t: tensor<40x24x3x3xf16>,
                  %e: tensor<1x40x470x7xf32>, %f: tensor<1x40x8x7x7xf32>, %g: tensor<1x40x136x7xf32>, %h: tensor<1x40x472x7xf32>, %i: tensor<1x40x135x7xf32>)
    -> (tensor<1x40x470x7xf32>, tensor<1x40x8x7x7xf32>, tensor<1x40x136x7xf32>, tensor<1x40x472x7xf32>, tensor<1x40x135x7xf32>) {
  %zero = arith.constant 0.0 : f16
  %0 = linalg.conv_2d_nchw_fchw {dilations = dense<[65, 1]> : tensor<2xi64>} ins(%x, %w : tensor<1x8x600x9xf16>, tensor<40x8x3x3xf16>) outs(%e : tensor<1x40x470x7xf32>) -> tensor<1x40x470x7xf32>
  %1 = linalg.conv_3d_ncdhw_fcdhw {dilations = dense<[16, 1, 1]> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>} ins(%y, %v : tensor<1x8x40x9x9xf16>, tensor<40x8x3x3x3xf16>) outs(%f : tensor<1x40x8x7x7xf32>) -> tensor<1x40x8x7x7xf32>
  %p0 = tensor.pad %p low[0, 0, 129, 0] high[0, 0, 0, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f16
  } : tensor<1x8x9x9xf16> to tensor<1x8x138x9xf16>
  %2 = linalg.conv_2d_nchw_fchw ins(%p0, %w : tensor<1x8x138x9xf16>, tensor<40x8x3x3xf16>) outs(%g : tensor<1x40x136x7xf32>) -> tensor<1x40x136x7xf32>
  %3 = linalg.conv_2d_nchw_fchw {dilations = dense<[64, 1]> : tensor<2xi64>} ins(%q, %u : tensor<1x16x600x9xf16>, tensor<40x16x3x3xf16>) outs(%h : tensor<1x40x472x7xf32>) -> tensor<1x40x472x7xf32>
  %p1 = tensor.pad %r low[0, 0, 128, 0] high[0, 0, 0, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f16
  } : tensor<1x24x9x9xf16> to tensor<1x24x137x9xf16>
  %4 = linalg.conv_2d_nchw_fchw ins(%p1, %t : tensor<1x24x137x9xf16>, tensor<40x24x3x3xf16>) outs(%i : tensor<1x40x135x7xf32>) -> tensor<1x40x135x7xf32>
  return %0, %1, %2, %3, %4 : tensor<1x40x470x7xf32>, tensor<1x40x8x7x7xf32>, tensor<1x40x136x7xf32>, tensor<1x40x472x7xf32>, tensor<1x40x135x7xf32>
}

// -----

// Filters of 8-bit floats are read along the channels: that of a weight is
// transposed in init, and the image stays. Those of 16 bits stay as well.

// REMARK: ConvolutionArranged | Category:amp | Function=filter | Channels=16, Op=linalg.conv_2d_nhwc_hwcf, Reason="tensor cores read elements of 8 bits along the channels"
// CHECK-LABEL: func.func @filter(
// CHECK: %[[WT:.*]] = linalg.transpose ins(%{{.*}} : tensor<3x3x16x40xf8E4M3FN>) outs(%{{.*}} : tensor<3x3x40x16xf8E4M3FN>) permutation = [0, 1, 3, 2]
// CHECK: linalg.generic
// CHECK-SAME: ins(%{{.*}}, %[[WT]] : tensor<1x9x9x16xf8E4M3FN>, tensor<3x3x40x16xf8E4M3FN>)
// CHECK-NOT: linalg.transpose
// CHECK: linalg.conv_2d_nhwc_hwcf
// CHECK-NOT: linalg.transpose
// CHECK: return
// INIT-LABEL: func.func @filter(
// INIT-NOT: linalg.transpose
// INIT-LABEL: func.func @filter_init(
// INIT: linalg.transpose
func.func @filter(%x: tensor<1x9x9x16xf8E4M3FN>, %w: tensor<3x3x16x40xf8E4M3FN> {amp.weight}, %y: tensor<1x9x9x16xf16>, %v: tensor<3x3x16x40xf16>, %e: tensor<1x7x7x40xf32>)
    -> (tensor<1x7x7x40xf32>, tensor<1x7x7x40xf32>) {
  %0 = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x9x9x16xf8E4M3FN>, tensor<3x3x16x40xf8E4M3FN>) outs(%e : tensor<1x7x7x40xf32>) -> tensor<1x7x7x40xf32>
  %1 = linalg.conv_2d_nhwc_hwcf ins(%y, %v : tensor<1x9x9x16xf16>, tensor<3x3x16x40xf16>) outs(%e : tensor<1x7x7x40xf32>) -> tensor<1x7x7x40xf32>
  return %0, %1 : tensor<1x7x7x40xf32>, tensor<1x7x7x40xf32>
}

// -----

// Of two tensors of dynamic sizes, one is taken as a whole.

// REMARK: ConvolutionArranged | Category:amp | Function=select
// CHECK-LABEL: func.func @select(
// CHECK: linalg.transpose
// CHECK: %[[R:.*]] = scf.if %{{.*}} -> (tensor<1x40x?x8xf32>)
// CHECK-NOT: arith.select
// CHECK: return
func.func @select(%b: i1, %x: tensor<1x8x?x10xf16>, %w: tensor<40x8x3x3xf16>, %c: tensor<1x40x?x8xf32>, %o: tensor<1x40x?x8xf32>) -> tensor<1x40x?x8xf32> {
  %0 = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x8x?x10xf16>, tensor<40x8x3x3xf16>) outs(%c : tensor<1x40x?x8xf32>) -> tensor<1x40x?x8xf32>
  %1 = arith.select %b, %0, %o : tensor<1x40x?x8xf32>
  return %1 : tensor<1x40x?x8xf32>
}
