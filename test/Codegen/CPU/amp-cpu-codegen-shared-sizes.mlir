// Where one operand knows the size of a loop, so do the others, also of ops that index by more than a dimension: tiles are cut from types that know what loops do.
// RUN: amp-opt %s --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=x86-64-v3}))' | FileCheck %s
// RUN: amp-opt %s --amp-lower-to-cpu -o /dev/null

// CHECK-LABEL: func.func @diagonal
// CHECK: tensor.cast %{{.*}} : tensor<?xi64> to tensor<7xi64>
// CHECK: scf.for
// CHECK: %[[RESULT:.*]] = tensor.cast %{{.*}} : tensor<7xi64> to tensor<?xi64>
// CHECK: return %[[RESULT]]
func.func @diagonal(%x: tensor<7x7x?xi64>, %y: tensor<?xi64>, %z: tensor<?xi64>) -> tensor<?xi64> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d0, d0)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%x, %y : tensor<7x7x?xi64>, tensor<?xi64>) outs(%z : tensor<?xi64>) {
  ^bb0(%a: i64, %b: i64, %o: i64):
    %0 = arith.subi %a, %b : i64
    %1 = arith.addi %0, %o : i64
    linalg.yield %1 : i64
  } -> tensor<?xi64>
  return %r : tensor<?xi64>
}

// A window: the channels that the filter knows are those of the result.
// CHECK-LABEL: func.func @window
// CHECK: tensor.cast %{{.*}} : tensor<1x?x?x?xf32> to tensor<1x?x?x8xf32>
func.func @window(%x: tensor<1x?x?x3xf32>, %f: tensor<3x3x3x8xf32>, %o: tensor<1x?x?x?xf32>) -> tensor<1x?x?x?xf32> {
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %f : tensor<1x?x?x3xf32>, tensor<3x3x3x8xf32>) outs(%o : tensor<1x?x?x?xf32>) -> tensor<1x?x?x?xf32>
  return %r : tensor<1x?x?x?xf32>
}
