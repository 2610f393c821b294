// RUN: amp-opt %s --amp-form-kernels --remarks-filter=amp --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s

// Each kernel is named with its root, ops and bytes; what stays apart, with the
// reason.

// CHECK: remark: [Missed] FusionMissed
// CHECK-SAME: Function=main
// CHECK-SAME: "it would be computed again for each tile"
// CHECK: remark: [Passed] KernelFormed
// CHECK-SAME: Bytes=512, Kernel=main_exp_0, Kind=map, Ops=1, Root=linalg.generic
// CHECK: remark: [Passed] KernelFormed
// CHECK-SAME: Bytes=768, Kernel=main_matmul_1, Kind=contraction, Ops=2, Root=linalg.generic
func.func @main(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %z = arith.constant 0.0 : f32
  %x = math.exp %a : tensor<8x8xf32>
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %m = linalg.matmul ins(%x, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %r = arith.negf %m : tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}
