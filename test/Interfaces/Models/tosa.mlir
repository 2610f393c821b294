// What the models say of each op of tosa, and each op retyped on its own. The
// retyped program still passes tosa-validate.
//
// DEFINE: %{target} = extensions=bf16,fft,variable,shape,controlflow,int16,mxfp,fp8e4m3 profiles=pro_fp,pro_int level=8k specification_version=1.1.draft
// DEFINE: %{validate} = -tosa-attach-target="%{target}" -tosa-validate=strict-op-spec-alignment
// RUN: amp-opt %s -test-amp-precision-interface -o /dev/null 2>&1 | FileCheck %s --check-prefix=MODEL
// RUN: amp-opt %s -test-amp-precision-retype=to=f16 %{validate} | FileCheck %s '-D$TYPE=f16'
// RUN: amp-opt %s -test-amp-precision-retype=to=bf16 %{validate} | FileCheck %s '-D$TYPE=bf16'

// CHECK-LABEL: func.func @unary
// CHECK: tosa.abs %{{.*}} : (tensor<2x4x[[$TYPE]]>) -> tensor<2x4x[[$TYPE]]>
// CHECK: tosa.ceil %{{.*}} : (tensor<2x4x[[$TYPE]]>) -> tensor<2x4x[[$TYPE]]>
// CHECK: tosa.floor %{{.*}} : (tensor<2x4x[[$TYPE]]>) -> tensor<2x4x[[$TYPE]]>
// CHECK: tosa.reciprocal %{{.*}} : (tensor<2x4x[[$TYPE]]>) -> tensor<2x4x[[$TYPE]]>
// CHECK: tosa.cos %{{.*}} : (tensor<2x4x[[$TYPE]]>) -> tensor<2x4x[[$TYPE]]>
// CHECK: tosa.erf %{{.*}} : (tensor<2x4x[[$TYPE]]>) -> tensor<2x4x[[$TYPE]]>
// CHECK: tosa.exp %{{.*}} : (tensor<2x4x[[$TYPE]]>) -> tensor<2x4x[[$TYPE]]>
// CHECK: tosa.log %{{.*}} : (tensor<2x4x[[$TYPE]]>) -> tensor<2x4x[[$TYPE]]>
// CHECK: tosa.rsqrt %{{.*}} : (tensor<2x4x[[$TYPE]]>) -> tensor<2x4x[[$TYPE]]>
// CHECK: tosa.sigmoid %{{.*}} : (tensor<2x4x[[$TYPE]]>) -> tensor<2x4x[[$TYPE]]>
// CHECK: tosa.sin %{{.*}} : (tensor<2x4x[[$TYPE]]>) -> tensor<2x4x[[$TYPE]]>
// CHECK: tosa.tanh %{{.*}} : (tensor<2x4x[[$TYPE]]>) -> tensor<2x4x[[$TYPE]]>
func.func @unary(%x: tensor<2x4xf32>) {
  // MODEL: remark: tosa.abs: elementwise (input) flops 8 bytes 64
  %0 = tosa.abs %x {test.retype} : (tensor<2x4xf32>) -> tensor<2x4xf32>
  // MODEL: remark: tosa.ceil: elementwise (input) flops 8 bytes 64
  %1 = tosa.ceil %x {test.retype} : (tensor<2x4xf32>) -> tensor<2x4xf32>
  // MODEL: remark: tosa.floor: elementwise (input) flops 8 bytes 64
  %2 = tosa.floor %x {test.retype} : (tensor<2x4xf32>) -> tensor<2x4xf32>
  // MODEL: remark: tosa.reciprocal: elementwise (input) flops 8 bytes 64
  %3 = tosa.reciprocal %x {test.retype} : (tensor<2x4xf32>) -> tensor<2x4xf32>
  // MODEL: remark: tosa.cos: elementwise (input) bytes 64
  %4 = tosa.cos %x {test.retype} : (tensor<2x4xf32>) -> tensor<2x4xf32>
  // MODEL: remark: tosa.erf: elementwise (input) bytes 64
  %5 = tosa.erf %x {test.retype} : (tensor<2x4xf32>) -> tensor<2x4xf32>
  // MODEL: remark: tosa.exp: elementwise (input) bytes 64
  %6 = tosa.exp %x {test.retype} : (tensor<2x4xf32>) -> tensor<2x4xf32>
  // MODEL: remark: tosa.log: elementwise (input) bytes 64
  %7 = tosa.log %x {test.retype} : (tensor<2x4xf32>) -> tensor<2x4xf32>
  // MODEL: remark: tosa.rsqrt: elementwise (input) bytes 64
  %8 = tosa.rsqrt %x {test.retype} : (tensor<2x4xf32>) -> tensor<2x4xf32>
  // MODEL: remark: tosa.sigmoid: elementwise (input) bytes 64
  %9 = tosa.sigmoid %x {test.retype} : (tensor<2x4xf32>) -> tensor<2x4xf32>
  // MODEL: remark: tosa.sin: elementwise (input) bytes 64
  %10 = tosa.sin %x {test.retype} : (tensor<2x4xf32>) -> tensor<2x4xf32>
  // MODEL: remark: tosa.tanh: elementwise (input) bytes 64
  %11 = tosa.tanh %x {test.retype} : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}

// The shift of a multiplication is an integer.
// CHECK-LABEL: func.func @binary
// CHECK: tosa.add {{.*}} : (tensor<2x4x[[$TYPE]]>, tensor<1x4x[[$TYPE]]>) -> tensor<2x4x[[$TYPE]]>
// CHECK: tosa.maximum {{.*}} : (tensor<2x4x[[$TYPE]]>, tensor<1x4x[[$TYPE]]>) -> tensor<2x4x[[$TYPE]]>
// CHECK: tosa.minimum {{.*}} : (tensor<2x4x[[$TYPE]]>, tensor<1x4x[[$TYPE]]>) -> tensor<2x4x[[$TYPE]]>
// CHECK: tosa.pow {{.*}} : (tensor<2x4x[[$TYPE]]>, tensor<1x4x[[$TYPE]]>) -> tensor<2x4x[[$TYPE]]>
// CHECK: tosa.sub {{.*}} : (tensor<2x4x[[$TYPE]]>, tensor<1x4x[[$TYPE]]>) -> tensor<2x4x[[$TYPE]]>
// CHECK: tosa.mul {{.*}} : (tensor<2x4x[[$TYPE]]>, tensor<1x4x[[$TYPE]]>, tensor<1xi8>) -> tensor<2x4x[[$TYPE]]>
func.func @binary(%x: tensor<2x4xf32>, %y: tensor<1x4xf32>) {
  // MODEL: remark: tosa.add: elementwise (input, input) flops 8 bytes 80
  %0 = tosa.add %x, %y {test.retype} : (tensor<2x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
  // MODEL: remark: tosa.maximum: elementwise (input, input) flops 8 bytes 80
  %1 = tosa.maximum %x, %y {test.retype = unit} : (tensor<2x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
  // MODEL: remark: tosa.minimum: elementwise (input, input) flops 8 bytes 80
  %2 = tosa.minimum %x, %y {test.retype = unit} : (tensor<2x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
  // MODEL: remark: tosa.pow: elementwise (input, input) bytes 80
  %3 = tosa.pow %x, %y {test.retype} : (tensor<2x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
  // MODEL: remark: tosa.sub: elementwise (input, input) flops 8 bytes 80
  %4 = tosa.sub %x, %y {test.retype} : (tensor<2x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
  // MODEL: remark: tosa.mul: elementwise (input, input, ignored) flops 8 bytes 81
  %shift = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %6 = tosa.mul %x, %y, %shift {test.retype} : (tensor<2x4xf32>, tensor<1x4xf32>, tensor<1xi8>) -> tensor<2x4xf32>
  return
}

// CHECK-LABEL: func.func @compare
// CHECK: tosa.equal {{.*}} : (tensor<4x[[$TYPE]]>, tensor<4x[[$TYPE]]>) -> tensor<4xi1>
// CHECK: tosa.greater {{.*}} : (tensor<4x[[$TYPE]]>, tensor<4x[[$TYPE]]>) -> tensor<4xi1>
// CHECK: tosa.greater_equal {{.*}} : (tensor<4x[[$TYPE]]>, tensor<4x[[$TYPE]]>) -> tensor<4xi1>
// CHECK: tosa.select {{.*}} : (tensor<4xi1>, tensor<4x[[$TYPE]]>, tensor<4x[[$TYPE]]>) -> tensor<4x[[$TYPE]]>
func.func @compare(%x: tensor<4xf32>, %y: tensor<4xf32>) {
  // MODEL: remark: tosa.equal: elementwise (input, input) bytes 33
  %0 = tosa.equal %x, %y {test.retype} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  // MODEL: remark: tosa.greater: elementwise (input, input) bytes 33
  %1 = tosa.greater %x, %y {test.retype} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  // MODEL: remark: tosa.greater_equal: elementwise (input, input) bytes 33
  %2 = tosa.greater_equal %x, %y {test.retype} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  // MODEL: remark: tosa.select: elementwise (ignored, input, input) bytes 49
  %3 = tosa.select %0, %x, %y {test.retype} : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// Zero points stay constants, as the specification demands.
// CHECK-LABEL: func.func @negate
// CHECK: %[[Z:.*]] = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1x[[$TYPE]]>}>
// CHECK: tosa.negate %{{.*}}, %{{.*}}, %{{.*}} : (tensor<4x[[$TYPE]]>, tensor<1x[[$TYPE]]>, tensor<1x[[$TYPE]]>) -> tensor<4x[[$TYPE]]>
func.func @negate(%x: tensor<4xf32>) {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  // MODEL: remark: tosa.negate: elementwise (input, input, input) flops 4
  %0 = tosa.negate %x, %z, %z {test.retype} : (tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<4xf32>
  return
}

// CHECK-LABEL: func.func @clamp
// CHECK: tosa.clamp %{{.*}} {max_val = 6.000000e+00 : [[$TYPE]], min_val = 0.000000e+00 : [[$TYPE]]} : (tensor<4x[[$TYPE]]>) -> tensor<4x[[$TYPE]]>
// CHECK: tosa.clamp %{{.*}} {max_val = 6 : i8, min_val = 0 : i8} : (tensor<4xi8>) -> tensor<4xi8>
func.func @clamp(%x: tensor<4xf32>, %i: tensor<4xi8>) {
  // MODEL: remark: tosa.clamp: elementwise (input) flops 8 bytes 32
  %0 = tosa.clamp %x {test.retype = unit, min_val = 0.0 : f32, max_val = 6.0 : f32} : (tensor<4xf32>) -> tensor<4xf32>
  // MODEL: remark: tosa.clamp: elementwise (ignored)
  %1 = tosa.clamp %i {test.retype = unit, min_val = 0 : i8, max_val = 6 : i8} : (tensor<4xi8>) -> tensor<4xi8>
  return
}

// The result is the accumulator.
// CHECK-LABEL: func.func @matmul
// CHECK-DAG: "tosa.const"() <{values = dense<0.000000e+00> : tensor<1x[[$TYPE]]>}>
// CHECK: tosa.matmul {{.*}} : (tensor<2x4x8x[[$TYPE]]>, tensor<2x8x16x[[$TYPE]]>, tensor<1x[[$TYPE]]>, tensor<1x[[$TYPE]]>) -> tensor<2x4x16xf32>
func.func @matmul(%a: tensor<2x4x8xf32>, %b: tensor<2x8x16xf32>) {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  // MODEL: remark: tosa.matmul: contraction (input, input, input, input) free depth 8 flops 2048 bytes 1800
  %0 = tosa.matmul %a, %b, %z, %z {test.retype} : (tensor<2x4x8xf32>, tensor<2x8x16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x4x16xf32>
  return
}

// A convolution gives its storage type; its accumulator is an attribute.
// CHECK-LABEL: func.func @conv2d
// CHECK: tosa.conv2d {{.*}}acc_type = f32{{.*}} : (tensor<1x8x8x3x[[$TYPE]]>, tensor<4x3x3x3x[[$TYPE]]>, tensor<4x[[$TYPE]]>, tensor<1x[[$TYPE]]>, tensor<1x[[$TYPE]]>) -> tensor<1x8x8x4x[[$TYPE]]>
func.func @conv2d(%x: tensor<1x8x8x3xf32>, %w: tensor<4x3x3x3xf32>, %b: tensor<4xf32>) {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  // MODEL: remark: tosa.conv2d: convolution (input, input, input, input, input) depth 27 flops 13824 bytes 2248
  %0 = tosa.conv2d %x, %w, %b, %z, %z {test.retype, acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x8x8x3xf32>, tensor<4x3x3x3xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x8x8x4xf32>
  return
}

// CHECK-LABEL: func.func @conv3d
// CHECK: tosa.conv3d {{.*}}acc_type = f32{{.*}} : (tensor<1x4x8x8x3x[[$TYPE]]>, tensor<4x1x3x3x3x[[$TYPE]]>, tensor<4x[[$TYPE]]>, tensor<1x[[$TYPE]]>, tensor<1x[[$TYPE]]>) -> tensor<1x4x8x8x4x[[$TYPE]]>
func.func @conv3d(%x: tensor<1x4x8x8x3xf32>, %w: tensor<4x1x3x3x3xf32>, %b: tensor<4xf32>) {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  // MODEL: remark: tosa.conv3d: convolution (input, input, input, input, input) depth 27 flops 55296 bytes 7624
  %0 = tosa.conv3d %x, %w, %b, %z, %z {test.retype, acc_type = f32, dilation = array<i64: 1, 1, 1>, pad = array<i64: 0, 0, 1, 1, 1, 1>, stride = array<i64: 1, 1, 1>} : (tensor<1x4x8x8x3xf32>, tensor<4x1x3x3x3xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x8x8x4xf32>
  return
}

// CHECK-LABEL: func.func @depthwise_conv2d
// CHECK: tosa.depthwise_conv2d {{.*}}acc_type = f32{{.*}} : (tensor<1x8x8x3x[[$TYPE]]>, tensor<3x3x3x2x[[$TYPE]]>, tensor<6x[[$TYPE]]>, tensor<1x[[$TYPE]]>, tensor<1x[[$TYPE]]>) -> tensor<1x8x8x6x[[$TYPE]]>
func.func @depthwise_conv2d(%x: tensor<1x8x8x3xf32>, %w: tensor<3x3x3x2xf32>, %b: tensor<6xf32>) {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  // MODEL: remark: tosa.depthwise_conv2d: convolution (input, input, input, input, input) depth 9 flops 6912 bytes 2552
  %0 = tosa.depthwise_conv2d %x, %w, %b, %z, %z {test.retype, acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x8x8x3xf32>, tensor<3x3x3x2xf32>, tensor<6xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x8x8x6xf32>
  return
}

// A stride of 2 lets 2x2 of the 3x3 window meet an input element.
// CHECK-LABEL: func.func @transpose_conv2d
// CHECK: tosa.transpose_conv2d {{.*}}acc_type = f32{{.*}} : (tensor<1x8x8x3x[[$TYPE]]>, tensor<4x3x3x3x[[$TYPE]]>, tensor<4x[[$TYPE]]>, tensor<1x[[$TYPE]]>, tensor<1x[[$TYPE]]>) -> tensor<1x17x17x4x[[$TYPE]]>
func.func @transpose_conv2d(%x: tensor<1x8x8x3xf32>, %w: tensor<4x3x3x3xf32>, %b: tensor<4xf32>) {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  // MODEL: remark: tosa.transpose_conv2d: convolution (input, input, input, input, input) depth 12 flops 13824 bytes 5848
  %0 = tosa.transpose_conv2d %x, %w, %b, %z, %z {test.retype, acc_type = f32, out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x8x8x3xf32>, tensor<4x3x3x3xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x17x17x4xf32>
  return
}

// CHECK-LABEL: func.func @pools
// CHECK: tosa.avg_pool2d {{.*}}acc_type = f32{{.*}} : (tensor<1x8x8x3x[[$TYPE]]>, tensor<1x[[$TYPE]]>, tensor<1x[[$TYPE]]>) -> tensor<1x4x4x3x[[$TYPE]]>
// CHECK: tosa.max_pool2d {{.*}} : (tensor<1x8x8x3x[[$TYPE]]>) -> tensor<1x4x4x3x[[$TYPE]]>
func.func @pools(%x: tensor<1x8x8x3xf32>) {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  // MODEL: remark: tosa.avg_pool2d: pooling (input, input, input) depth 4 flops 192 bytes 968
  %0 = tosa.avg_pool2d %x, %z, %z {test.retype, acc_type = f32, kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x8x8x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4x3xf32>
  // MODEL: remark: tosa.max_pool2d: pooling (input) depth 4 flops 192 bytes 960
  %1 = tosa.max_pool2d %x {test.retype = unit, kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x8x8x3xf32>) -> tensor<1x4x4x3xf32>
  return
}

// Dynamic extents have no depth.
// CHECK-LABEL: func.func @reductions
// CHECK: tosa.reduce_sum {{.*}} : (tensor<4x8x[[$TYPE]]>) -> tensor<4x1x[[$TYPE]]>
// CHECK: tosa.reduce_product {{.*}} : (tensor<4x8x[[$TYPE]]>) -> tensor<4x1x[[$TYPE]]>
// CHECK: tosa.reduce_max {{.*}} : (tensor<4x8x[[$TYPE]]>) -> tensor<4x1x[[$TYPE]]>
// CHECK: tosa.reduce_min {{.*}} : (tensor<4x8x[[$TYPE]]>) -> tensor<4x1x[[$TYPE]]>
// CHECK: tosa.argmax {{.*}} : (tensor<4x8x[[$TYPE]]>) -> tensor<8xi32>
// CHECK: tosa.reduce_sum {{.*}} : (tensor<?x?x[[$TYPE]]>) -> tensor<?x1x[[$TYPE]]>
func.func @reductions(%x: tensor<4x8xf32>, %y: tensor<?x?xf32>) {
  // MODEL: remark: tosa.reduce_sum: reduction (input) depth 8 flops 32 bytes 144
  %0 = tosa.reduce_sum %x {test.retype, axis = 1 : i32} : (tensor<4x8xf32>) -> tensor<4x1xf32>
  // MODEL: remark: tosa.reduce_product: reduction (input) depth 8 flops 32 bytes 144
  %1 = tosa.reduce_product %x {test.retype, axis = 1 : i32} : (tensor<4x8xf32>) -> tensor<4x1xf32>
  // MODEL: remark: tosa.reduce_max: selection (input) depth 8 flops 32 bytes 144
  %2 = tosa.reduce_max %x {test.retype = unit, axis = 1 : i32} : (tensor<4x8xf32>) -> tensor<4x1xf32>
  // MODEL: remark: tosa.reduce_min: selection (input) depth 8 flops 32 bytes 144
  %3 = tosa.reduce_min %x {test.retype = unit, axis = 1 : i32} : (tensor<4x8xf32>) -> tensor<4x1xf32>
  // MODEL: remark: tosa.argmax: selection (input) depth 4 flops 32 bytes 160
  %4 = tosa.argmax %x {test.retype = unit, axis = 0 : i32} : (tensor<4x8xf32>) -> tensor<8xi32>
  // MODEL: remark: tosa.reduce_sum: reduction (input){{$}}
  %5 = tosa.reduce_sum %y {test.retype, axis = 1 : i32} : (tensor<?x?xf32>) -> tensor<?x1xf32>
  return
}

// CHECK-LABEL: func.func @movement
// CHECK: tosa.concat {{.*}} -> tensor<8x8x[[$TYPE]]>
// CHECK: tosa.identity {{.*}} -> tensor<4x8x[[$TYPE]]>
// CHECK: tosa.reverse {{.*}} -> tensor<4x8x[[$TYPE]]>
// CHECK: tosa.transpose {{.*}} -> tensor<8x4x[[$TYPE]]>
// CHECK: tosa.reshape {{.*}} -> tensor<2x16x[[$TYPE]]>
// CHECK: tosa.tile {{.*}} -> tensor<8x8x[[$TYPE]]>
// CHECK: tosa.slice {{.*}} -> tensor<2x8x[[$TYPE]]>
// CHECK: tosa.gather {{.*}} -> tensor<2x3x8x[[$TYPE]]>
// CHECK: tosa.scatter {{.*}} -> tensor<2x4x8x[[$TYPE]]>
func.func @movement(%x: tensor<4x8xf32>, %y: tensor<2x4x8xf32>, %i: tensor<2x3xi32>, %u: tensor<2x3x8xf32>) {
  // MODEL: remark: tosa.concat: data_movement (input, input) bytes 512
  %0 = tosa.concat %x, %x {test.retype, axis = 0 : i32} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  // MODEL: remark: tosa.identity: data_movement (input) bytes 256
  %1 = tosa.identity %x {test.retype} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  // MODEL: remark: tosa.reverse: data_movement (input) bytes 256
  %2 = tosa.reverse %x {test.retype, axis = 0 : i32} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  // MODEL: remark: tosa.transpose: data_movement (input) bytes 256
  %3 = tosa.transpose %x {test.retype, perms = array<i32: 1, 0>} : (tensor<4x8xf32>) -> tensor<8x4xf32>
  %s = tosa.const_shape {values = dense<[2, 16]> : tensor<2xindex>} : () -> !tosa.shape<2>
  // MODEL: remark: tosa.reshape: data_movement (input, ignored) bytes 256
  %4 = tosa.reshape %x, %s {test.retype} : (tensor<4x8xf32>, !tosa.shape<2>) -> tensor<2x16xf32>
  %m = tosa.const_shape {values = dense<[2, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  // MODEL: remark: tosa.tile: data_movement (input, ignored) bytes 384
  %5 = tosa.tile %x, %m {test.retype} : (tensor<4x8xf32>, !tosa.shape<2>) -> tensor<8x8xf32>
  %o = tosa.const_shape {values = dense<[1, 0]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %e = tosa.const_shape {values = dense<[2, 8]> : tensor<2xindex>} : () -> !tosa.shape<2>
  // MODEL: remark: tosa.slice: data_movement (input, ignored, ignored) bytes 128
  %6 = tosa.slice %x, %o, %e {test.retype} : (tensor<4x8xf32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<2x8xf32>
  // MODEL: remark: tosa.gather: data_movement (input, ignored) bytes 384
  %7 = tosa.gather %y, %i {test.retype} : (tensor<2x4x8xf32>, tensor<2x3xi32>) -> tensor<2x3x8xf32>
  // MODEL: remark: tosa.scatter: data_movement (input, ignored, input) bytes 728
  %8 = tosa.scatter %y, %i, %u {test.retype} : (tensor<2x4x8xf32>, tensor<2x3xi32>, tensor<2x3x8xf32>) -> tensor<2x4x8xf32>
  return
}

// The value of a padding stays a constant.
// CHECK-LABEL: func.func @pad
// CHECK: %[[C:.*]] = "tosa.const"() <{values = dense<1.500000e+00> : tensor<1x[[$TYPE]]>}>
// CHECK: tosa.pad %{{.*}}, %{{.*}}, %[[C]] : (tensor<4x8x[[$TYPE]]>, !tosa.shape<4>, tensor<1x[[$TYPE]]>) -> tensor<6x8x[[$TYPE]]>
func.func @pad(%x: tensor<4x8xf32>) {
  %p = tosa.const_shape {values = dense<[1, 1, 0, 0]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %c = "tosa.const"() {values = dense<1.5> : tensor<1xf32>} : () -> tensor<1xf32>
  // MODEL: remark: tosa.pad: data_movement (input, ignored, input) bytes 324
  %0 = tosa.pad %x, %p, %c {test.retype} : (tensor<4x8xf32>, !tosa.shape<4>, tensor<1xf32>) -> tensor<6x8xf32>
  return
}

// CHECK-LABEL: func.func @resize
// CHECK: tosa.resize {{.*}} : (tensor<1x4x4x1x[[$TYPE]]>, {{.*}}) -> tensor<1x8x8x1x[[$TYPE]]>
func.func @resize(%x: tensor<1x4x4x1xf32>) {
  %scale = tosa.const_shape {values = dense<[2, 1, 2, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %offset = tosa.const_shape {values = dense<0> : tensor<2xindex>} : () -> !tosa.shape<2>
  %border = tosa.const_shape {values = dense<1> : tensor<2xindex>} : () -> !tosa.shape<2>
  // MODEL: remark: tosa.resize: elementwise (input, ignored, ignored, ignored) bytes 320
  %0 = tosa.resize %x, %scale, %offset, %border {test.retype = unit, mode = BILINEAR} : (tensor<1x4x4x1xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x8x8x1xf32>
  return
}

// Between 16-bit floats there is no tosa.cast.
// CHECK-LABEL: func.func @casts
// CHECK: amp.cast %{{.*}} : tensor<4x[[$TYPE]]> to tensor<4xf16>
// CHECK: amp.cast %{{.*}} : tensor<4x[[$TYPE]]> to tensor<4xbf16>
// CHECK: tosa.cast %{{.*}} : (tensor<4x[[$TYPE]]>) -> tensor<4xi32>
// CHECK: tosa.cast %{{.*}} : (tensor<4xi32>) -> tensor<4xf32>
func.func @casts(%x: tensor<4xf32>, %i: tensor<4xi32>) {
  // MODEL: remark: tosa.cast: cast (input) bytes 24
  %0 = tosa.cast %x {test.retype} : (tensor<4xf32>) -> tensor<4xf16>
  %1 = tosa.cast %x {test.retype} : (tensor<4xf32>) -> tensor<4xbf16>
  %2 = tosa.cast %x {test.retype} : (tensor<4xf32>) -> tensor<4xi32>
  // MODEL: remark: tosa.cast: cast (ignored) bytes 32
  %3 = tosa.cast %i {test.retype} : (tensor<4xi32>) -> tensor<4xf32>
  return
}

// CHECK-LABEL: func.func @widening_cast
// CHECK: tosa.cast %{{.*}} : (tensor<4x[[$TYPE]]>) -> tensor<4xf32>
func.func @widening_cast(%x: tensor<4xf16>) {
  %0 = tosa.cast %x {test.retype} : (tensor<4xf16>) -> tensor<4xf32>
  return
}

// CHECK-LABEL: func.func @constants
// CHECK: "tosa.const"() <{values = dense<[1.000000e+00, -0.000000e+00, 5.000000e-01]> : tensor<3x[[$TYPE]]>}>
// CHECK: "tosa.const"() <{values = dense<3> : tensor<3xi8>}>
func.func @constants() {
  // MODEL: remark: tosa.const: generator () bytes 12
  %0 = "tosa.const"() {test.retype, values = dense<[1.0, -0.0, 0.5]> : tensor<3xf32>} : () -> tensor<3xf32>
  %1 = "tosa.const"() {test.retype, values = dense<3> : tensor<3xi8>} : () -> tensor<3xi8>
  return
}

// CHECK-LABEL: func.func @pinned
// CHECK-NOT: amp.cast
// CHECK: tosa.fft2d {{.*}} -> (tensor<1x8x8xf32>, tensor<1x8x8xf32>)
// CHECK: tosa.rfft2d {{.*}} -> (tensor<1x8x5xf32>, tensor<1x8x5xf32>)
// CHECK: tosa.table
// CHECK: tosa.rescale
// CHECK: tosa.custom {{.*}} -> tensor<1x8x8xf32>
func.func @pinned(%x: tensor<1x8x8xf32>, %i: tensor<4xi8>) {
  %t = "tosa.const"() {values = dense<1> : tensor<256xi8>} : () -> tensor<256xi8>
  // MODEL: remark: tosa.fft2d: pinned (pinned, pinned) bytes 1024
  %0, %1 = tosa.fft2d %x, %x {test.retype, inverse = false} : (tensor<1x8x8xf32>, tensor<1x8x8xf32>) -> (tensor<1x8x8xf32>, tensor<1x8x8xf32>)
  // MODEL: remark: tosa.rfft2d: pinned (pinned) bytes 576
  %2, %3 = tosa.rfft2d %x {test.retype} : (tensor<1x8x8xf32>) -> (tensor<1x8x5xf32>, tensor<1x8x5xf32>)
  // MODEL: remark: tosa.table: pinned (ignored, ignored) bytes 264
  %4 = tosa.table %i, %t {test.retype} : (tensor<4xi8>, tensor<256xi8>) -> tensor<4xi8>
  %shift = "tosa.const"() {values = dense<30> : tensor<1xi8>} : () -> tensor<1xi8>
  %mul = "tosa.const"() {values = dense<1> : tensor<1xi32>} : () -> tensor<1xi32>
  %z = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  // MODEL: remark: tosa.rescale: pinned (ignored, ignored, ignored, ignored, ignored) bytes 15
  %5 = tosa.rescale %i, %mul, %shift, %z, %z {test.retype = unit, scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<4xi8>
  // MODEL: remark: tosa.custom: pinned (pinned) bytes 512
  %6 = tosa.custom %x {test.retype, operator_name = "f", domain_name = "d", implementation_attrs = ""} : (tensor<1x8x8xf32>) -> tensor<1x8x8xf32>
  return
}

// Only the shape is asked for.
// CHECK-LABEL: func.func @dim
// CHECK-NOT: amp.cast
// CHECK: tosa.dim %{{.*}} : (tensor<4x8xf32>)
func.func @dim(%x: tensor<4x8xf32>) {
  // MODEL: remark: tosa.dim: pinned (ignored) bytes 0
  %0 = tosa.dim %x {test.retype, axis = 1 : i32} : (tensor<4x8xf32>) -> !tosa.shape<1>
  return
}

// Block scales belong to their data.
// CHECK-LABEL: func.func @block_scaled
// CHECK-NOT: amp.cast
// CHECK: tosa.cast_to_block_scaled
// CHECK: tosa.cast_from_block_scaled {{.*}} -> tensor<4x32xf32>
// CHECK: tosa.matmul_t_block_scaled {{.*}} -> tensor<1x4x4xf32>
func.func @block_scaled(%x: tensor<4x32xf32>, %d: tensor<1x4x32xf8E4M3FN>, %s: tensor<1x4x1xf8E8M0FNU>) {
  // MODEL: remark: tosa.cast_to_block_scaled: pinned (pinned) bytes 644
  %0:2 = tosa.cast_to_block_scaled %x {test.retype = unit, block_size = #tosa.block_size<BLOCK_SIZE_32>} : (tensor<4x32xf32>) -> (tensor<4x32xf8E4M3FN>, tensor<4x1xf8E8M0FNU>)
  // MODEL: remark: tosa.cast_from_block_scaled: pinned (pinned, pinned) bytes 644
  %1 = tosa.cast_from_block_scaled %0#0, %0#1 {test.retype = unit, block_size = #tosa.block_size<BLOCK_SIZE_32>} : (tensor<4x32xf8E4M3FN>, tensor<4x1xf8E8M0FNU>) -> tensor<4x32xf32>
  // MODEL: remark: tosa.matmul_t_block_scaled: pinned (pinned, pinned, pinned, pinned) bytes 328
  %2 = tosa.matmul_t_block_scaled %d, %s, %d, %s {test.retype = unit, block_size = #tosa.block_size<BLOCK_SIZE_32>} : (tensor<1x4x32xf8E4M3FN>, tensor<1x4x1xf8E8M0FNU>, tensor<1x4x32xf8E4M3FN>, tensor<1x4x1xf8E8M0FNU>) -> tensor<1x4x4xf32>
  return
}

// The regions name their types.
// CHECK-LABEL: func.func @control_flow
// CHECK-NOT: amp.cast
// CHECK: tosa.cond_if {{.*}} -> tensor<4xf32>
// CHECK: tosa.while_loop {{.*}} -> tensor<4xf32>
func.func @control_flow(%c: tensor<i1>, %x: tensor<4xf32>) {
  // MODEL: remark: tosa.cond_if: pinned (ignored, pinned)
  %0 = tosa.cond_if %c (%y = %x) : tensor<i1> (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%y: tensor<4xf32>):
    // MODEL: remark: tosa.yield: pinned (pinned)
    tosa.yield %y : tensor<4xf32>
  } else {
  ^bb0(%y: tensor<4xf32>):
    tosa.yield %y : tensor<4xf32>
  }
  // MODEL: remark: tosa.while_loop: pinned (pinned)
  %1 = tosa.while_loop (%y = %x) : (tensor<4xf32>) -> tensor<4xf32> {
    %stop = "tosa.const"() {values = dense<false> : tensor<i1>} : () -> tensor<i1>
    tosa.yield %stop : tensor<i1>
  } do {
  ^bb0(%y: tensor<4xf32>):
    tosa.yield %y : tensor<4xf32>
  }
  return
}

// CHECK-LABEL: tosa.variable @state
tosa.variable @state = dense<0.0> : tensor<4xf32>

// CHECK-LABEL: func.func @variables
// CHECK-NOT: amp.cast
// CHECK: tosa.variable_write @state
// CHECK: tosa.variable_read @state : tensor<4xf32>
func.func @variables(%x: tensor<4xf32>) {
  // MODEL: remark: tosa.variable_write: pinned (pinned) bytes 16
  tosa.variable_write @state {test.retype}, %x : tensor<4xf32>
  // MODEL: remark: tosa.variable_read: pinned () bytes 16
  %0 = tosa.variable_read @state {test.retype} : tensor<4xf32>
  return
}
