// RUN: amp-opt %s --amp-to-linalg | FileCheck %s

// CHECK-LABEL: func.func @cast
// CHECK-SAME: (%[[X:.*]]: tensor<?xf16>)
func.func @cast(%x: tensor<?xf16>) -> tensor<?xbf16> {
  // CHECK: %[[D:.*]] = tensor.dim %[[X]], %{{.*}} : tensor<?xf16>
  // CHECK: %[[E:.*]] = tensor.empty(%[[D]]) : tensor<?xbf16>
  // CHECK: %[[R:.*]] = linalg.generic
  // CHECK-SAME: ins(%[[X]] : tensor<?xf16>) outs(%[[E]] : tensor<?xbf16>)
  // CHECK-NEXT: ^bb0(%[[IN:.*]]: f16, %{{.*}}: bf16):
  // CHECK-NEXT: %[[WIDE:.*]] = arith.extf %[[IN]] : f16 to f32
  // CHECK-NEXT: %[[CAST:.*]] = arith.truncf %[[WIDE]] : f32 to bf16
  // CHECK-NEXT: linalg.yield %[[CAST]] : bf16
  // CHECK: return %[[R]]
  %0 = amp.cast %x : tensor<?xf16> to tensor<?xbf16>
  return %0 : tensor<?xbf16>
}
