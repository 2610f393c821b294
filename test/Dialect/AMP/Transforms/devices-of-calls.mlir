// The device of what a call returns is what the callee says, not that of the
// first operand.
//
// RUN: amp-opt %s --allow-unregistered-dialect --amp-specialize-scopes | FileCheck %s
// RUN: amp-opt %s --allow-unregistered-dialect --amp-autocast | FileCheck %s --check-prefix=APPLIED

// @second gives its second argument, which is on cpu, where the scope is not.
// CHECK-LABEL: func.func @through_a_call
// CHECK:         call @second(
// CHECK:           call @use(
// CHECK-LABEL: func.func private @second(
// CHECK-SAME:    tensor<8x8xf32> {amp.device = "cuda"}, %{{.*}}: tensor<8x8xf32> {amp.device = "cpu"})
// APPLIED-LABEL: func.func @through_a_call
// APPLIED:         "aten.mm"(%{{.*}}, %{{.*}}) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
func.func @through_a_call(%a: tensor<8x8xf32> {amp.device = "cuda"}, %b: tensor<8x8xf32> {amp.device = "cpu"}) {
  %0 = call @second(%a, %b) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  amp.autocast device("cuda") dtype(f16) (%x = %0 : tensor<8x8xf32>) {
    %1 = "aten.mm"(%x, %x) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    func.call @use(%x) : (tensor<8x8xf32>) -> ()
    amp.yield
  }
  return
}
func.func private @second(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  return %b : tensor<8x8xf32>
}

// A callee that says itself where its argument is, for a value that nobody
// knows the device of.
// CHECK-LABEL: func.func @said_by_callee
// CHECK:           call @use(
func.func @said_by_callee(%a: tensor<8x8xf32>) {
  %0 = call @on_cpu(%a) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  amp.autocast device("cuda") dtype(f16) (%x = %0 : tensor<8x8xf32>) {
    func.call @use(%x) : (tensor<8x8xf32>) -> ()
    amp.yield
  }
  return
}
func.func private @on_cpu(%a: tensor<8x8xf32> {amp.device = "cpu"}) -> tensor<8x8xf32> {
  return %a : tensor<8x8xf32>
}

// A function that calls itself: what it returns comes from the way that ends.
// CHECK-LABEL: func.func @through_recursion
// CHECK:           call @use(
func.func @through_recursion(%a: tensor<8x8xf32> {amp.device = "cuda"}, %b: tensor<8x8xf32> {amp.device = "cpu"}, %c: i1) {
  %0 = call @loop(%a, %b, %c) : (tensor<8x8xf32>, tensor<8x8xf32>, i1) -> tensor<8x8xf32>
  amp.autocast device("cuda") dtype(f16) (%x = %0 : tensor<8x8xf32>) {
    func.call @use(%x) : (tensor<8x8xf32>) -> ()
    amp.yield
  }
  return
}
func.func private @loop(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %c: i1) -> tensor<8x8xf32> {
  %0 = scf.if %c -> tensor<8x8xf32> {
    %1 = func.call @loop(%a, %b, %c) : (tensor<8x8xf32>, tensor<8x8xf32>, i1) -> tensor<8x8xf32>
    scf.yield %1 : tensor<8x8xf32>
  } else {
    scf.yield %b : tensor<8x8xf32>
  }
  return %0 : tensor<8x8xf32>
}

// One value of those that @use takes is on the device of the scope.
// CHECK-LABEL: func.func @on_the_device
// CHECK:           call @use_cuda_f16_on_cuda
// APPLIED:       func.func private @use(
// APPLIED:         "aten.mm"({{.*}}) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
// APPLIED:       func.func private @use_cuda_f16_on_cuda(
// APPLIED:         "aten.mm"({{.*}}) : (tensor<8x8xf16>, tensor<8x8xf16>) -> tensor<8x8xf16>
func.func @on_the_device(%a: tensor<8x8xf32> {amp.device = "cuda"}) {
  amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<8x8xf32>) {
    func.call @use(%x) : (tensor<8x8xf32>) -> ()
    amp.yield
  }
  return
}
func.func private @use(%a: tensor<8x8xf32>) {
  %0 = "aten.mm"(%a, %a) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  "test.use"(%0) : (tensor<8x8xf32>) -> ()
  return
}
