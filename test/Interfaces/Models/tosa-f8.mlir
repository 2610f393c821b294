// The ops of tosa that take 8-bit floats. Contractions and convolutions give
// f16, and accumulate in it, for the specification has no wider type for them.
//
// DEFINE: %{target} = profiles=pro_fp extensions=fp8e4m3,fp8e5m2,bf16 level=8k
// DEFINE: %{validate} = -tosa-attach-target="%{target}" -tosa-validate=strict-op-spec-alignment
// RUN: amp-opt %s -test-amp-precision-retype=to=f8E4M3FN %{validate} | FileCheck %s '-D$TYPE=f8E4M3FN'
// RUN: amp-opt %s -test-amp-precision-retype=to=f8E5M2 %{validate} | FileCheck %s '-D$TYPE=f8E5M2'

// CHECK-LABEL: func.func @matmul
// CHECK: tosa.matmul {{.*}} : (tensor<2x4x8x[[$TYPE]]>, tensor<2x8x16x[[$TYPE]]>, tensor<1x[[$TYPE]]>, tensor<1x[[$TYPE]]>) -> tensor<2x4x16xf16>
func.func @matmul(%a: tensor<2x4x8xf32>, %b: tensor<2x8x16xf32>) -> tensor<2x4x16xf32> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %0 = tosa.matmul %a, %b, %z, %z {test.retype} : (tensor<2x4x8xf32>, tensor<2x8x16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x4x16xf32>
  return %0 : tensor<2x4x16xf32>
}

// The bias has the type of the result.
// CHECK-LABEL: func.func @conv2d
// CHECK: tosa.conv2d {{.*}}acc_type = f16{{.*}} : (tensor<1x8x8x3x[[$TYPE]]>, tensor<4x3x3x3x[[$TYPE]]>, tensor<4xf16>, tensor<1x[[$TYPE]]>, tensor<1x[[$TYPE]]>) -> tensor<1x8x8x4xf16>
// CHECK: amp.cast %{{.*}} : tensor<1x8x8x4xf16> to tensor<1x8x8x4xf32>
func.func @conv2d(%x: tensor<1x8x8x3xf32>, %w: tensor<4x3x3x3xf32>, %b: tensor<4xf32>) -> tensor<1x8x8x4xf32> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %0 = tosa.conv2d %x, %w, %b, %z, %z {test.retype, acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x8x8x3xf32>, tensor<4x3x3x3xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x8x8x4xf32>
  return %0 : tensor<1x8x8x4xf32>
}

// CHECK-LABEL: func.func @pools
// CHECK: tosa.avg_pool2d {{.*}}acc_type = f16{{.*}} -> tensor<1x4x4x3x[[$TYPE]]>
// CHECK: tosa.max_pool2d {{.*}} -> tensor<1x4x4x3x[[$TYPE]]>
// CHECK: tosa.argmax {{.*}} : (tensor<1x8x8x3x[[$TYPE]]>) -> tensor<1x8x8xi32>
func.func @pools(%x: tensor<1x8x8x3xf32>) {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %0 = tosa.avg_pool2d %x, %z, %z {test.retype, acc_type = f32, kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x8x8x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4x3xf32>
  %1 = tosa.max_pool2d %x {test.retype = unit, kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x8x8x3xf32>) -> tensor<1x4x4x3xf32>
  %2 = tosa.argmax %x {test.retype = unit, axis = 3 : i32} : (tensor<1x8x8x3xf32>) -> tensor<1x8x8xi32>
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
// CHECK: tosa.pad {{.*}} -> tensor<6x8x[[$TYPE]]>
func.func @movement(%x: tensor<4x8xf32>, %y: tensor<2x4x8xf32>, %i: tensor<2x3xi32>, %u: tensor<2x3x8xf32>) {
  %0 = tosa.concat %x, %x {test.retype, axis = 0 : i32} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  %1 = tosa.identity %x {test.retype} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = tosa.reverse %x {test.retype, axis = 0 : i32} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %3 = tosa.transpose %x {test.retype, perms = array<i32: 1, 0>} : (tensor<4x8xf32>) -> tensor<8x4xf32>
  %s = tosa.const_shape {values = dense<[2, 16]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %4 = tosa.reshape %x, %s {test.retype} : (tensor<4x8xf32>, !tosa.shape<2>) -> tensor<2x16xf32>
  %m = tosa.const_shape {values = dense<[2, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %5 = tosa.tile %x, %m {test.retype} : (tensor<4x8xf32>, !tosa.shape<2>) -> tensor<8x8xf32>
  %o = tosa.const_shape {values = dense<[1, 0]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %e = tosa.const_shape {values = dense<[2, 8]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %6 = tosa.slice %x, %o, %e {test.retype} : (tensor<4x8xf32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<2x8xf32>
  %7 = tosa.gather %y, %i {test.retype} : (tensor<2x4x8xf32>, tensor<2x3xi32>) -> tensor<2x3x8xf32>
  %8 = tosa.scatter %y, %i, %u {test.retype} : (tensor<2x4x8xf32>, tensor<2x3xi32>, tensor<2x3x8xf32>) -> tensor<2x4x8xf32>
  %p = tosa.const_shape {values = dense<[1, 1, 0, 0]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %c = "tosa.const"() {values = dense<1.5> : tensor<1xf32>} : () -> tensor<1xf32>
  %9 = tosa.pad %x, %p, %c {test.retype} : (tensor<4x8xf32>, !tosa.shape<4>, tensor<1xf32>) -> tensor<6x8xf32>
  return
}

// tosa has no cast of an 8-bit float to an integer.
// CHECK-LABEL: func.func @casts
// CHECK: %[[WIDE:.*]] = amp.cast %{{.*}} {may_elide, origin = policy} : tensor<4x[[$TYPE]]> to tensor<4xf16>
// CHECK: tosa.cast %[[WIDE]] : (tensor<4xf16>) -> tensor<4xi32>
// CHECK: tosa.cast %{{.*}} : (tensor<4x[[$TYPE]]>) -> tensor<4xf16>
// CHECK: tosa.cast %{{.*}} : (tensor<4x[[$TYPE]]>) -> tensor<4xbf16>
// CHECK: amp.cast %{{.*}} : tensor<4x[[$TYPE]]> to tensor<4xf8E5M2>
func.func @casts(%x: tensor<4xf32>) {
  %0 = tosa.cast %x {test.retype} : (tensor<4xf32>) -> tensor<4xi32>
  %1 = tosa.cast %x {test.retype} : (tensor<4xf32>) -> tensor<4xf16>
  %2 = tosa.cast %x {test.retype} : (tensor<4xf32>) -> tensor<4xbf16>
  %3 = tosa.cast %x {test.retype} : (tensor<4xf32>) -> tensor<4xf8E5M2>
  return
}
