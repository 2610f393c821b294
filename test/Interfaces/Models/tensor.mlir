// What the models say of each op of tensor, and each op retyped on its own.
//
// RUN: amp-opt %s -test-amp-precision-interface -o /dev/null 2>&1 | FileCheck %s --check-prefix=MODEL
// RUN: amp-opt %s -test-amp-precision-retype=to=f16 | FileCheck %s

// CHECK-LABEL: func.func @cast
// CHECK: tensor.cast %{{.*}} : tensor<4x8xf16> to tensor<?x8xf16>
// CHECK: amp.cast %{{.*}} : tensor<?x8xf16> to tensor<?x8xf32>
func.func @cast(%x: tensor<4x8xf32>) -> tensor<?x8xf32> {
  // MODEL: remark: tensor.cast: data_movement (input){{$}}
  %0 = tensor.cast %x {test.retype} : tensor<4x8xf32> to tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}

// CHECK-LABEL: func.func @elements
// CHECK: %[[E:.*]] = tensor.extract %{{.*}}[%{{.*}}] : tensor<8xf16>
// CHECK: amp.cast %[[E]] : f16 to f32
// CHECK: tensor.insert %{{.*}} into %{{.*}}[%{{.*}}] : tensor<8xf16>
// CHECK: tensor.from_elements %{{.*}}, %{{.*}} : tensor<2xf16>
// CHECK: tensor.splat %{{.*}} : tensor<8xf16>
func.func @elements(%x: tensor<8xf32>, %v: f32, %i: index) -> f32 {
  // MODEL: remark: tensor.extract: data_movement (input, ignored) bytes 0
  %0 = tensor.extract %x[%i] {test.retype} : tensor<8xf32>
  // The destination keeps its other elements: it is read.
  // MODEL: remark: tensor.insert: data_movement (input, input, ignored) bytes 64
  %1 = tensor.insert %v into %x[%i] {test.retype} : tensor<8xf32>
  // MODEL: remark: tensor.from_elements: data_movement (input, input) bytes 8
  %2 = tensor.from_elements %v, %v {test.retype} : tensor<2xf32>
  // MODEL: remark: tensor.splat: data_movement (input) bytes 32
  %3 = tensor.splat %v {test.retype} : tensor<8xf32>
  return %0 : f32
}

// CHECK-LABEL: func.func @slices
// CHECK: tensor.extract_slice %{{.*}}[0, %{{.*}}] [4, 2] [1, 1] : tensor<4x8xf16> to tensor<4x2xf16>
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[0, %{{.*}}] [4, 2] [1, 1] : tensor<4x2xf16> into tensor<4x8xf16>
// CHECK: tensor.concat dim(0) %{{.*}}, %{{.*}} : (tensor<4x8xf16>, tensor<4x8xf16>) -> tensor<8x8xf16>
func.func @slices(%x: tensor<4x8xf32>, %s: tensor<4x2xf32>, %i: index) {
  // Only the slice moves.
  // MODEL: remark: tensor.extract_slice: data_movement (input, ignored) bytes 64
  %0 = tensor.extract_slice %x[0, %i] [4, 2] [1, 1] {test.retype} : tensor<4x8xf32> to tensor<4x2xf32>
  // MODEL: remark: tensor.insert_slice: data_movement (input, input, ignored) bytes 288
  %1 = tensor.insert_slice %s into %x[0, %i] [4, 2] [1, 1] {test.retype} : tensor<4x2xf32> into tensor<4x8xf32>
  // MODEL: remark: tensor.concat: data_movement (input, input) bytes 512
  %2 = tensor.concat dim(0) %x, %x {test.retype} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  return
}

// CHECK-LABEL: func.func @reshapes
// CHECK: tensor.expand_shape %{{.*}} {{\[}}[0, 1]] output_shape [2, 4] : tensor<8xf16> into tensor<2x4xf16>
// CHECK: tensor.collapse_shape %{{.*}} {{\[}}[0, 1]] : tensor<2x4xf16> into tensor<8xf16>
// CHECK: tensor.reshape %{{.*}}(%{{.*}}) : (tensor<8xf16>, tensor<2xindex>) -> tensor<?x?xf16>
func.func @reshapes(%x: tensor<8xf32>, %y: tensor<2x4xf32>, %shape: tensor<2xindex>) {
  // MODEL: remark: tensor.expand_shape: data_movement (input) bytes 64
  %0 = tensor.expand_shape %x [[0, 1]] output_shape [2, 4] {test.retype} : tensor<8xf32> into tensor<2x4xf32>
  // MODEL: remark: tensor.collapse_shape: data_movement (input) bytes 64
  %1 = tensor.collapse_shape %y [[0, 1]] {test.retype} : tensor<2x4xf32> into tensor<8xf32>
  // MODEL: remark: tensor.reshape: data_movement (input, ignored)
  %2 = tensor.reshape %x(%shape) {test.retype} : (tensor<8xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  return
}

// CHECK-LABEL: func.func @gather
// CHECK: tensor.gather %{{.*}}[%{{.*}}] gather_dims([0]) : (tensor<8x4xf16>, tensor<2x1xindex>) -> tensor<2x1x4xf16>
// CHECK: tensor.scatter %{{.*}} into %{{.*}}[%{{.*}}] scatter_dims([0]) unique : (tensor<2x1x4xf16>, tensor<8x4xf16>, tensor<2x1xindex>) -> tensor<8x4xf16>
func.func @gather(%x: tensor<8x4xf32>, %u: tensor<2x1x4xf32>, %i: tensor<2x1xindex>) {
  // MODEL: remark: tensor.gather: data_movement (input, ignored) bytes 64
  %0 = tensor.gather %x[%i] gather_dims([0]) {test.retype} : (tensor<8x4xf32>, tensor<2x1xindex>) -> tensor<2x1x4xf32>
  // MODEL: remark: tensor.scatter: data_movement (input, input, ignored)
  %1 = tensor.scatter %u into %x[%i] scatter_dims([0]) unique {test.retype} : (tensor<2x1x4xf32>, tensor<8x4xf32>, tensor<2x1xindex>) -> tensor<8x4xf32>
  return
}

// The value that pads comes from outside, so it is cast where it is yielded.
// CHECK-LABEL: func.func @pad
// CHECK-SAME: %{{.*}}: tensor<4x?xf32>, %[[V:.*]]: f32
// CHECK: %[[PAD:.*]] = tensor.pad %{{.*}} low[1, 0] high[0, 2] {
// CHECK: %[[VH:.*]] = amp.cast %[[V]] {may_elide, origin = policy} : f32 to f16
// CHECK: tensor.yield %[[VH]] : f16
// CHECK: tensor<4x?xf16> to tensor<5x?xf16>
// CHECK: amp.cast %[[PAD]] : tensor<5x?xf16> to tensor<5x?xf32>
func.func @pad(%x: tensor<4x?xf32>, %v: f32) -> tensor<5x?xf32> {
  // MODEL: remark: tensor.pad: data_movement (input)
  %0 = tensor.pad %x low[1, 0] high[0, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %v : f32
  } {test.retype} : tensor<4x?xf32> to tensor<5x?xf32>
  return %0 : tensor<5x?xf32>
}

// CHECK-LABEL: func.func @generators
// CHECK: tensor.empty(%{{.*}}) : tensor<4x?xf16>
// CHECK: tensor.generate %{{.*}} {
// CHECK: %[[V:.*]] = math.exp
// CHECK: %[[VH:.*]] = amp.cast %[[V]] {may_elide, origin = policy} : f32 to f16
// CHECK: tensor.yield %[[VH]] : f16
// CHECK: } : tensor<?xf16>
func.func @generators(%n: index, %v: f32) {
  // MODEL: remark: tensor.empty: generator (ignored)
  %0 = tensor.empty(%n) {test.retype} : tensor<4x?xf32>
  // MODEL: remark: tensor.generate: generator (ignored)
  %1 = tensor.generate %n {
  ^bb0(%i: index):
    %2 = math.exp %v : f32
    tensor.yield %2 : f32
  } {test.retype} : tensor<?xf32>
  return
}

// CHECK-LABEL: func.func @kept
// CHECK-NOT: amp.cast
// CHECK: tensor.bitcast %{{.*}} : tensor<8xf32> to tensor<8xi32>
// CHECK: tensor.dim %{{.*}}, %{{.*}} : tensor<8xf32>
// CHECK: tensor.rank %{{.*}} : tensor<8xf32>
// CHECK: tensor.parallel_insert_slice %{{.*}} into %{{.*}} : tensor<1xf32> into tensor<8xf32>
func.func @kept(%x: tensor<8xf32>, %y: tensor<1xf32>, %i: index) -> tensor<8xf32> {
  // MODEL: remark: tensor.bitcast: pinned (pinned) bytes 64
  %0 = tensor.bitcast %x {test.retype} : tensor<8xf32> to tensor<8xi32>
  // MODEL: remark: tensor.dim: pinned (ignored, ignored) bytes 0
  %1 = tensor.dim {test.retype} %x, %i : tensor<8xf32>
  // MODEL: remark: tensor.rank: pinned (ignored) bytes 0
  %2 = tensor.rank %x {test.retype} : tensor<8xf32>
  %3 = scf.forall (%k) in (8) shared_outs(%o = %x) -> tensor<8xf32> {
    scf.forall.in_parallel {
      // MODEL: remark: tensor.parallel_insert_slice: pinned (pinned, pinned, ignored)
      tensor.parallel_insert_slice %y into %o[%k] [1] [1] {test.retype} : tensor<1xf32> into tensor<8xf32>
    }
  }
  return %3 : tensor<8xf32>
}
