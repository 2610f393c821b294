// The parallel loops of scf keep the types that the program gives them. The
// other ops of scf have no model: their values are followed through the
// interfaces for control flow.
//
// RUN: amp-opt %s -test-amp-precision-interface -o /dev/null 2>&1 | FileCheck %s --check-prefix=MODEL
// RUN: amp-opt %s -test-amp-precision-retype=to=f16 | FileCheck %s

// CHECK-LABEL: func.func @forall
// CHECK-NOT: amp.cast
// CHECK: scf.forall {{.*}} -> (tensor<8xf32>)
func.func @forall(%x: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  // MODEL: remark: scf.forall: pinned (ignored, pinned) bytes 64
  %0 = scf.forall (%i) in (%n) shared_outs(%o = %x) -> tensor<8xf32> {
    scf.forall.in_parallel {
    }
  } {test.retype}
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: func.func @parallel
// CHECK-NOT: amp.cast
// CHECK: scf.parallel {{.*}} -> f32
// CHECK: scf.reduce(%{{.*}} : f32)
// CHECK: scf.reduce.return %{{.*}} : f32
func.func @parallel(%a: index, %b: index, %c: index, %x: f32) -> f32 {
  // MODEL: remark: scf.parallel: pinned (ignored, ignored, ignored, pinned)
  %0 = scf.parallel (%i) = (%a) to (%b) step (%c) init (%x) -> f32 {
    // MODEL: remark: scf.reduce: pinned (pinned)
    scf.reduce(%x : f32) {
    ^bb0(%l: f32, %r: f32):
      %1 = arith.addf %l, %r : f32
      // MODEL: remark: scf.reduce.return: pinned (pinned)
      scf.reduce.return %1 {test.retype} : f32
    } {test.retype}
  } {test.retype}
  return %0 : f32
}

// MODEL-NOT: remark: scf
func.func @branch(%c: i1, %x: f32, %y: f32) -> f32 {
  %0 = scf.if %c -> f32 {
    scf.yield %x : f32
  } else {
    scf.yield %y : f32
  }
  return %0 : f32
}
