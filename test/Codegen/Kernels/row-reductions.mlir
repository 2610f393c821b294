// RUN: amp-opt %s --amp-form-kernels --split-input-file | FileCheck %s

// Softmax and the cast of its result are one kernel that reads its input once.

// CHECK-LABEL: func.func @main_softmax_0(
// CHECK-SAME: %[[X:.*]]: tensor<?x4096xf32>, %[[D:.*]]: tensor<?x4096xf16> {amp.destination = 0 : i64}) -> tensor<?x4096xf16> attributes {amp.kernel}
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%[[X]]
// CHECK: arith.maxnumf
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]} ins(%[[X]]
// CHECK: math.exp
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]}
// CHECK: arith.addf
// CHECK: linalg.generic {{.*}} outs(%[[D]] : tensor<?x4096xf16>)
// CHECK: arith.divf
// CHECK-NEXT: arith.truncf
// CHECK-NOT: linalg.generic
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:.*]]: tensor<?x4096xf32>)
// CHECK: %[[C0:.*]] = arith.constant 0 : index
// CHECK: %[[N:.*]] = tensor.dim %[[X]], %[[C0]]
// CHECK: %[[E:.*]] = tensor.empty(%[[N]]) : tensor<?x4096xf16>
// CHECK: %[[R:.*]] = amp.launch @kernels::@main_softmax_0 ins(%[[X]] : tensor<?x4096xf32>) outs(%[[E]] : tensor<?x4096xf16>)
// CHECK: return %[[R]]
func.func @main(%x: tensor<?x4096xf32>) -> tensor<?x4096xf16> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x4096xf32>
  %e = tensor.empty(%n) : tensor<?x4096xf32>
  %0 = linalg.softmax dimension(1) ins(%x : tensor<?x4096xf32>) outs(%e : tensor<?x4096xf32>) -> tensor<?x4096xf32>
  %1 = arith.truncf %0 : tensor<?x4096xf32> to tensor<?x4096xf16>
  return %1 : tensor<?x4096xf16>
}
