// What scopes.py has found, reduced.
//
// RUN: amp-opt %s --allow-unregistered-dialect --split-input-file --amp-autocast --verify-each | FileCheck %s

// A call is decided before another caller widens the argument: it is decided
// again, and casts.
// CHECK-LABEL: func.func @narrow
// CHECK:         %[[MM:.*]] = "aten.mm"({{.*}}) : (tensor<8x8xf16>, tensor<8x8xf16>) -> tensor<8x8xf16>
// CHECK:         %[[WIDE:.*]] = amp.cast %[[MM]] {{.*}} : tensor<8x8xf16> to tensor<8x8xf32>
// CHECK:         call @callee(%[[WIDE]]) : (tensor<8x8xf32>) -> ()
// CHECK-LABEL: func.func @wide
// CHECK:         call @callee(%{{.*}}) : (tensor<8x8xf32>) -> ()
func.func @narrow(%a: tensor<8x8xf32>) {
  %0 = amp.autocast device("cuda") dtype(f16) results(propagate) (%x = %a : tensor<8x8xf32>) -> tensor<8x8xf32> {
    %1 = "aten.mm"(%x, %x) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    amp.yield %1 : tensor<8x8xf32>
  }
  call @callee(%0) : (tensor<8x8xf32>) -> ()
  return
}
func.func @wide(%a: tensor<8x8xf32>) {
  call @callee(%a) : (tensor<8x8xf32>) -> ()
  return
}
func.func private @callee(%a: tensor<8x8xf32>) {
  "test.use"(%a) : (tensor<8x8xf32>) -> ()
  return
}

// -----

// What a function returns is on the device that its body says, not on that of
// the call's first operand.
// CHECK-LABEL: func.func @devices
// CHECK-NOT:     amp.cast
// CHECK:         "aten.mm"({{.*}}) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
// CHECK:         return
func.func @devices(%a: tensor<8x8xf32> {amp.device = "cuda"}, %b: tensor<8x8xf32> {amp.device = "cpu"}) {
  %0 = call @second(%a, %b) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %cfg = amp.config device("cuda") dtype(f16)
  %t = amp.enter %cfg
  %1 = "aten.mm"(%b, %0) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  amp.exit %t
  return
}
func.func private @second(%a: tensor<8x8xf32> {amp.device = "cuda"}, %b: tensor<8x8xf32> {amp.device = "cpu"}) -> tensor<8x8xf32> {
  return %b : tensor<8x8xf32>
}
