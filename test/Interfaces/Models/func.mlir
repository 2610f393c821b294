// Calls and returns keep the types of the signatures.
//
// RUN: amp-opt %s -test-amp-precision-interface -o /dev/null 2>&1 | FileCheck %s --check-prefix=MODEL
// RUN: amp-opt %s -test-amp-precision-retype=to=f16 | FileCheck %s

func.func private @callee(tensor<8xf32>, i32) -> tensor<8xf32>

// CHECK-LABEL: func.func @caller
// CHECK-NOT: amp.cast
// CHECK: call @callee(%{{.*}}, %{{.*}}) : (tensor<8xf32>, i32) -> tensor<8xf32>
// CHECK: call_indirect %{{.*}}(%{{.*}}, %{{.*}}) : (tensor<8xf32>, i32) -> tensor<8xf32>
// CHECK: return {{.*}} : tensor<8xf32>
func.func @caller(%x: tensor<8xf32>, %n: i32) -> tensor<8xf32> {
  // MODEL: remark: func.call: pinned (pinned, ignored) bytes 64
  %0 = call @callee(%x, %n) {test.retype} : (tensor<8xf32>, i32) -> tensor<8xf32>
  %f = constant @callee : (tensor<8xf32>, i32) -> tensor<8xf32>
  // MODEL: remark: func.call_indirect: pinned (ignored, pinned, ignored)
  %1 = call_indirect %f(%0, %n) {test.retype} : (tensor<8xf32>, i32) -> tensor<8xf32>
  // MODEL: remark: func.return: pinned (pinned) bytes 32
  return {test.retype} %1 : tensor<8xf32>
}
