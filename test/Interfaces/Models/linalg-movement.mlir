// Ops that move or make elements, softmax, and the ops of Winograd's scheme.
//
// RUN: amp-opt %s --split-input-file -test-amp-precision-interface -o /dev/null 2>&1 | FileCheck %s --check-prefix=MODEL
// RUN: amp-opt %s --split-input-file -test-amp-precision-retype=to=f16 | FileCheck %s -D$TYPE=f16
// RUN: amp-opt %s --split-input-file -test-amp-precision-retype=to=bf16 | FileCheck %s -D$TYPE=bf16
// RUN: amp-opt %s --split-input-file -test-amp-precision-retype=to=f64 | FileCheck %s -D$TYPE=f64

// The scalar of a fill has the type of the elements.
// MODEL: remark: linalg.fill: generator (input, destination) flops 0 bytes 32
// CHECK-LABEL: func.func @fill(
// CHECK-SAME: %[[SCALAR:[^:]*]]: f32
// CHECK: %[[S:.*]] = amp.cast %[[SCALAR]] : f32 to [[$TYPE]]
// CHECK: %[[R:.*]] = linalg.fill ins(%[[S]] : [[$TYPE]]) outs(%{{.*}} : tensor<2x4x[[$TYPE]]>) -> tensor<2x4x[[$TYPE]]>
// CHECK: amp.cast %[[R]] : tensor<2x4x[[$TYPE]]> to tensor<2x4xf32>
func.func @fill(%s: f32, %o: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = linalg.fill {test.retype} ins(%s : f32) outs(%o : tensor<2x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

// MODEL: remark: linalg.transpose: data_movement (input, destination) flops 0 bytes 64
// CHECK-LABEL: func.func @transpose(
// CHECK: linalg.transpose ins(%{{.*}} : tensor<2x4x[[$TYPE]]>) outs(%{{.*}} : tensor<4x2x[[$TYPE]]>) permutation = [1, 0]
func.func @transpose(%a: tensor<2x4xf32>, %o: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %0 = linalg.transpose ins(%a : tensor<2x4xf32>) outs(%o : tensor<4x2xf32>) permutation = [1, 0] {test.retype}
  return %0 : tensor<4x2xf32>
}

// -----

// MODEL: remark: linalg.broadcast: data_movement (input, destination) flops 0 bytes 48
// CHECK-LABEL: func.func @broadcast(
// CHECK: linalg.broadcast ins(%{{.*}} : tensor<4x[[$TYPE]]>) outs(%{{.*}} : tensor<2x4x[[$TYPE]]>) dimensions = [0]
func.func @broadcast(%a: tensor<4xf32>, %o: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = linalg.broadcast ins(%a : tensor<4xf32>) outs(%o : tensor<2x4xf32>) dimensions = [0] {test.retype}
  return %0 : tensor<2x4xf32>
}

// -----

// The padding value has the type of the elements.
// MODEL: remark: linalg.pack: data_movement (input, destination, input) bytes 156
// CHECK-LABEL: func.func @pack(
// CHECK-SAME: %{{[^:]*}}: tensor<5x3xf32>, %[[P:[^:]*]]: f32
// CHECK: %[[PAD:.*]] = amp.cast %[[P]] : f32 to [[$TYPE]]
// CHECK: linalg.pack %{{.*}} padding_value(%[[PAD]] : [[$TYPE]]) inner_dims_pos = [0, 1] inner_tiles = [2, 4] into %{{.*}} : tensor<5x3x[[$TYPE]]> -> tensor<3x1x2x4x[[$TYPE]]>
func.func @pack(%a: tensor<5x3xf32>, %p: f32, %o: tensor<3x1x2x4xf32>) -> tensor<3x1x2x4xf32> {
  %0 = linalg.pack %a padding_value(%p : f32) inner_dims_pos = [0, 1] inner_tiles = [2, 4] into %o {test.retype} : tensor<5x3xf32> -> tensor<3x1x2x4xf32>
  return %0 : tensor<3x1x2x4xf32>
}

// -----

// A tile size that is known at run time only is no float.
// MODEL: remark: linalg.pack: data_movement (input, destination, input, ignored)
// CHECK-LABEL: func.func @pack_dynamic(
// CHECK: linalg.pack %{{.*}} padding_value(%{{.*}} : [[$TYPE]]) inner_dims_pos = [0] inner_tiles = [%{{.*}}] into %{{.*}} : tensor<5x3x[[$TYPE]]> -> tensor<?x3x?x[[$TYPE]]>
func.func @pack_dynamic(%a: tensor<5x3xf32>, %p: f32, %t: index, %o: tensor<?x3x?xf32>) -> tensor<?x3x?xf32> {
  %0 = linalg.pack %a padding_value(%p : f32) inner_dims_pos = [0] inner_tiles = [%t] into %o {test.retype} : tensor<5x3xf32> -> tensor<?x3x?xf32>
  return %0 : tensor<?x3x?xf32>
}

// -----

// MODEL: remark: linalg.unpack: data_movement (input, destination) bytes 156
// CHECK-LABEL: func.func @unpack(
// CHECK: linalg.unpack %{{.*}} inner_dims_pos = [0, 1] inner_tiles = [2, 4] into %{{.*}} : tensor<3x1x2x4x[[$TYPE]]> -> tensor<5x3x[[$TYPE]]>
func.func @unpack(%a: tensor<3x1x2x4xf32>, %o: tensor<5x3xf32>) -> tensor<5x3xf32> {
  %0 = linalg.unpack %a inner_dims_pos = [0, 1] inner_tiles = [2, 4] into %o {test.retype} : tensor<3x1x2x4xf32> -> tensor<5x3xf32>
  return %0 : tensor<5x3xf32>
}

// -----

// MODEL: remark: linalg.softmax: normalization (input, destination) bytes 64
// CHECK-LABEL: func.func @softmax(
// CHECK: linalg.softmax dimension(1) ins(%{{.*}} : tensor<2x4x[[$TYPE]]>) outs(%{{.*}} : tensor<2x4x[[$TYPE]]>) -> tensor<2x4x[[$TYPE]]>
func.func @softmax(%a: tensor<2x4xf32>, %o: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = linalg.softmax {test.retype} dimension(1) ins(%a : tensor<2x4xf32>) outs(%o : tensor<2x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

// The transforms amplify rounding errors: they keep the program's types.
// MODEL: remark: linalg.winograd_filter_transform: pinned (pinned, pinned)
// MODEL: remark: linalg.winograd_input_transform: pinned (pinned, pinned)
// MODEL: remark: linalg.winograd_output_transform: pinned (pinned, pinned)
// CHECK-LABEL: func.func @winograd(
// CHECK-NOT: amp.cast
// CHECK: linalg.winograd_filter_transform {{.*}} ins(%{{.*}} : tensor<2x3x3x5xf32>) outs(%{{.*}} : tensor<6x6x5x2xf32>)
// CHECK: linalg.winograd_input_transform {{.*}} ins(%{{.*}} : tensor<2x10x10x5xf32>) outs(%{{.*}} : tensor<6x6x2x2x2x5xf32>)
// CHECK: linalg.winograd_output_transform {{.*}} ins(%{{.*}} : tensor<6x6x2x2x2x2xf32>) outs(%{{.*}} : tensor<2x8x8x2xf32>)
// CHECK-NOT: amp.cast
// CHECK: return
func.func @winograd(%f: tensor<2x3x3x5xf32>, %i: tensor<2x10x10x5xf32>, %v: tensor<6x6x2x2x2x2xf32>,
    %of: tensor<6x6x5x2xf32>, %oi: tensor<6x6x2x2x2x5xf32>, %ov: tensor<2x8x8x2xf32>)
    -> (tensor<6x6x5x2xf32>, tensor<6x6x2x2x2x5xf32>, tensor<2x8x8x2xf32>) {
  %0 = linalg.winograd_filter_transform {test.retype} fmr(F_4_3) ins(%f : tensor<2x3x3x5xf32>) outs(%of : tensor<6x6x5x2xf32>) -> tensor<6x6x5x2xf32>
  %1 = linalg.winograd_input_transform {test.retype} fmr(F_4_3) ins(%i : tensor<2x10x10x5xf32>) outs(%oi : tensor<6x6x2x2x2x5xf32>) -> tensor<6x6x2x2x2x5xf32>
  %2 = linalg.winograd_output_transform {test.retype} fmr(F_4_3) ins(%v : tensor<6x6x2x2x2x2xf32>) outs(%ov : tensor<2x8x8x2xf32>) -> tensor<2x8x8x2xf32>
  return %0, %1, %2 : tensor<6x6x5x2xf32>, tensor<6x6x2x2x2x5xf32>, tensor<2x8x8x2xf32>
}
