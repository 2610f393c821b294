// RUN: amp-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(func.func(amp-cpu-legalize-floats))' | FileCheck %s
// RUN: amp-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(func.func(amp-gpu-legalize-floats{target=sm_90}))' | FileCheck %s

// Ops that nobody registered stay as they are, with what is around them done.
// CHECK-LABEL: func.func @unknown
// CHECK: arith.addf %{{.*}} : vector<4xf32>
// CHECK: "some.op"
// CHECK: "some.yield"
func.func @unknown(%x: vector<4xf8E5M2>) -> vector<4xf8E5M2> {
  %0 = arith.addf %x, %x : vector<4xf8E5M2>
  %1 = "some.op"(%0) ({
  ^bb0(%a: f8E5M2):
    "some.yield"(%a) : (f8E5M2) -> ()
  }) : (vector<4xf8E5M2>) -> vector<4xf8E5M2>
  return %1 : vector<4xf8E5M2>
}
