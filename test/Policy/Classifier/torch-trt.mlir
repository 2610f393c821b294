// The cases of Torch-TensorRT's own tests: a network of convolutions, of which
// modules are excluded by name (^conv1$ and relu) and one op by its name, with
// no region, a region around all of it, around its tail, and nested regions.
// Each in compat=torch-trt and by amp's own rules: both give the test's types.
// docs/classifier.md lists the case numbers.
//
// RUN: split-file %s %t
// RUN: amp-opt %t/ta.mlir --allow-unregistered-dialect --amp-decide-precision="scope=function compat=torch-trt results=propagate low-precision-type=f16 nodes-to-exclude=^conv1$,relu targets-to-exclude=torch.ops.aten.flatten.using_ints" --amp-apply-precision | FileCheck %s --check-prefix=TA
// RUN: amp-opt %t/ta.mlir --allow-unregistered-dialect --amp-decide-precision="scope=function results=propagate low-precision-type=f16 nodes-to-exclude=^conv1$,relu targets-to-exclude=aten.flatten.using_ints" --amp-apply-precision | FileCheck %s --check-prefix=TA
// RUN: amp-opt %t/tb.mlir --allow-unregistered-dialect --amp-decide-precision="scope=function compat=torch-trt results=propagate low-precision-type=bf16" --amp-apply-precision 2>&1 | FileCheck %s --check-prefix=TB
// RUN: amp-opt %t/tb.mlir --allow-unregistered-dialect --amp-decide-precision="scope=function results=propagate low-precision-type=bf16" --amp-apply-precision 2>&1 | FileCheck %s --check-prefix=TB
// RUN: amp-opt %t/tc.mlir --allow-unregistered-dialect --amp-decide-precision="scope=function compat=torch-trt results=propagate low-precision-type=bf16 nodes-to-exclude=^conv1$,relu targets-to-exclude=aten.flatten.using_ints" --amp-apply-precision | FileCheck %s --check-prefix=TC
// RUN: amp-opt %t/tc.mlir --allow-unregistered-dialect --amp-decide-precision="scope=function results=propagate low-precision-type=bf16 nodes-to-exclude=^conv1$,relu targets-to-exclude=aten.flatten.using_ints" --amp-apply-precision | FileCheck %s --check-prefix=TC
// RUN: amp-opt %t/td.mlir --allow-unregistered-dialect --amp-decide-precision="scope=function compat=torch-trt results=propagate low-precision-type=bf16 nodes-to-exclude=^conv1$,relu targets-to-exclude=aten.flatten.using_ints" --amp-apply-precision | FileCheck %s --check-prefix=TD
// RUN: amp-opt %t/td.mlir --allow-unregistered-dialect --amp-decide-precision="scope=function results=propagate low-precision-type=bf16 nodes-to-exclude=^conv1$,relu targets-to-exclude=aten.flatten.using_ints" --amp-apply-precision | FileCheck %s --check-prefix=TD

//--- ta.mlir
// T-A: f32 are conv1, relu1, relu2, flatten; f16 are pool1, conv2, pool2, fc1,
// add.
// TA: %[[C1:.*]] = "aten.conv2d"{{.*}} -> tensor<1x4x8x8xf32>
// TA: %[[R1:.*]] = "aten.relu"(%[[C1]]){{.*}} -> tensor<1x4x8x8xf32>
// TA: %[[L:.*]] = amp.cast %[[R1]]
// TA: %[[P1:.*]] = "aten.max_pool2d"(%[[L]]){{.*}} -> tensor<1x4x4x4xf16>
// TA: %[[C2:.*]] = "aten.conv2d"(%[[P1]]{{.*}} -> tensor<1x8x4x4xf16>
// TA: "aten.relu"{{.*}} -> tensor<1x8x4x4xf32>
// TA: "aten.max_pool2d"{{.*}} -> tensor<1x8x2x2xf16>
// TA: "aten.flatten.using_ints"{{.*}} -> tensor<1x32xf32>
// TA: "aten.linear"{{.*}} -> tensor<1x10xf16>
// TA: "aten.add.Tensor"{{.*}} -> tensor<1x10xf16>
func.func @ta(%x: tensor<1x3x8x8xf32>, %w1: tensor<4x3x3x3xf32>, %w2: tensor<8x4x3x3xf32>, %w3: tensor<10x32xf32>) -> tensor<1x10xf32> {
  %0 = "aten.conv2d"(%x, %w1) : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x8x8xf32> loc("conv1")
  %1 = "aten.relu"(%0) : (tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32> loc("relu1")
  %2 = "aten.max_pool2d"(%1) {kernel_size = [2, 2]} : (tensor<1x4x8x8xf32>) -> tensor<1x4x4x4xf32> loc("pool1")
  %3 = "aten.conv2d"(%2, %w2) : (tensor<1x4x4x4xf32>, tensor<8x4x3x3xf32>) -> tensor<1x8x4x4xf32> loc("conv2")
  %4 = "aten.relu"(%3) : (tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32> loc("relu2")
  %5 = "aten.max_pool2d"(%4) {kernel_size = [2, 2]} : (tensor<1x8x4x4xf32>) -> tensor<1x8x2x2xf32> loc("pool2")
  %6 = "aten.flatten.using_ints"(%5) {start_dim = 1 : i64} : (tensor<1x8x2x2xf32>) -> tensor<1x32xf32> loc("flatten")
  %7 = "aten.linear"(%6, %w3) : (tensor<1x32xf32>, tensor<10x32xf32>) -> tensor<1x10xf32> loc("fc1")
  %8 = "aten.add.Tensor"(%7, %7) : (tensor<1x10xf32>, tensor<1x10xf32>) -> tensor<1x10xf32> loc("tail")
  return %8 : tensor<1x10xf32>
}

//--- tb.mlir
// T-B: the whole body is a region of its own, in f16: the rules, which ask for
// bf16, do not touch it, and say that they have no effect. log is f32 by
// torch's policy.
// TB: warning: [AMP-R006] amp-decide-precision: option 'low-precision-type' has no effect: no function is left to the rules
// TB-NOT: bf16
// TB: "aten.conv2d"{{.*}} -> tensor<1x4x8x8xf16>
// TB: "aten.relu"{{.*}} -> tensor<1x4x8x8xf16>
// TB: "aten.max_pool2d"{{.*}} -> tensor<1x4x4x4xf16>
// TB: "aten.log"{{.*}} -> tensor<1x4x4x4xf32>
// TB-NOT: bf16
func.func @tb(%x: tensor<1x3x8x8xf32>, %w1: tensor<4x3x3x3xf32>) -> tensor<1x4x4x4xf32> {
  %r = amp.autocast device("cuda") dtype(f16) results(propagate) (%a = %x : tensor<1x3x8x8xf32>, %b = %w1 : tensor<4x3x3x3xf32>) -> tensor<1x4x4x4xf32> {
    %0 = "aten.conv2d"(%a, %b) : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x8x8xf32> loc("conv1")
    %1 = "aten.relu"(%0) : (tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32> loc("relu1")
    %2 = "aten.max_pool2d"(%1) {kernel_size = [2, 2]} : (tensor<1x4x8x8xf32>) -> tensor<1x4x4x4xf32> loc("pool1")
    %3 = "aten.log"(%2) : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32> loc("log")
    amp.yield %3 : tensor<1x4x4x4xf32>
  }
  return %r : tensor<1x4x4x4xf32>
}

//--- tc.mlir
// T-C: the tail in a region in f16, the rest by rules in bf16.
// TC: "aten.conv2d"{{.*}} -> tensor<1x4x8x8xf32>
// TC: "aten.relu"{{.*}} -> tensor<1x4x8x8xf32>
// TC: "aten.max_pool2d"{{.*}} -> tensor<1x4x4x4xbf16>
// TC: "aten.conv2d"{{.*}} -> tensor<1x8x4x4xbf16>
// TC: "aten.relu"{{.*}} -> tensor<1x8x4x4xf32>
// TC: "aten.max_pool2d"{{.*}} -> tensor<1x8x2x2xbf16>
// TC: "aten.flatten.using_ints"{{.*}} -> tensor<1x32xf32>
// TC: "aten.linear"{{.*}} -> tensor<1x10xf16>
// TC: "aten.log"{{.*}} -> tensor<1x10xf32>
func.func @tc(%x: tensor<1x3x8x8xf32>, %w1: tensor<4x3x3x3xf32>, %w2: tensor<8x4x3x3xf32>, %w3: tensor<10x32xf32>) -> tensor<1x10xf32> {
  %0 = "aten.conv2d"(%x, %w1) : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x8x8xf32> loc("conv1")
  %1 = "aten.relu"(%0) : (tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32> loc("relu1")
  %2 = "aten.max_pool2d"(%1) {kernel_size = [2, 2]} : (tensor<1x4x8x8xf32>) -> tensor<1x4x4x4xf32> loc("pool1")
  %3 = "aten.conv2d"(%2, %w2) : (tensor<1x4x4x4xf32>, tensor<8x4x3x3xf32>) -> tensor<1x8x4x4xf32> loc("conv2")
  %4 = "aten.relu"(%3) : (tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32> loc("relu2")
  %5 = "aten.max_pool2d"(%4) {kernel_size = [2, 2]} : (tensor<1x8x4x4xf32>) -> tensor<1x8x2x2xf32> loc("pool2")
  %6 = "aten.flatten.using_ints"(%5) {start_dim = 1 : i64} : (tensor<1x8x2x2xf32>) -> tensor<1x32xf32> loc("flatten")
  %7 = amp.autocast device("cuda") dtype(f16) results(propagate) (%a = %6 : tensor<1x32xf32>, %b = %w3 : tensor<10x32xf32>) -> tensor<1x10xf32> {
    %8 = "aten.linear"(%a, %b) : (tensor<1x32xf32>, tensor<10x32xf32>) -> tensor<1x10xf32> loc("fc1")
    %9 = "aten.log"(%8) : (tensor<1x10xf32>) -> tensor<1x10xf32> loc("log")
    amp.yield %9 : tensor<1x10xf32>
  }
  return %7 : tensor<1x10xf32>
}

//--- td.mlir
// T-D: a region in f32 (which torch turns into a disabled one) with a disabled
// region inside, then one in f16: fc1 f32, sub and add f16 because of the cast
// that the program has, log f32.
// TD: "aten.max_pool2d"{{.*}} -> tensor<1x4x4x4xbf16>
// TD: "aten.flatten.using_ints"{{.*}} -> tensor<1x64xf32>
// TD: "aten.linear"{{.*}} -> tensor<1x10xf32>
// TD: "aten.sub.Tensor"{{.*}} -> tensor<1x10xf16>
// TD: "aten.add.Tensor"{{.*}} -> tensor<1x10xf16>
// TD: "aten.abs"{{.*}} -> tensor<1x10xf16>
// TD: "aten.log"{{.*}} -> tensor<1x10xf32>
func.func @td(%x: tensor<1x3x8x8xf32>, %w1: tensor<4x3x3x3xf32>, %w3: tensor<10x64xf32>, %y: tensor<1x10xf16>) -> tensor<1x10xf32> {
  %0 = "aten.conv2d"(%x, %w1) : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x8x8xf32> loc("conv1")
  %1 = "aten.relu"(%0) : (tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32> loc("relu1")
  %2 = "aten.max_pool2d"(%1) {kernel_size = [2, 2]} : (tensor<1x4x8x8xf32>) -> tensor<1x4x4x4xf32> loc("pool1")
  %3 = "aten.flatten.using_ints"(%2) {start_dim = 1 : i64} : (tensor<1x4x4x4xf32>) -> tensor<1x64xf32> loc("flatten")
  %4 = amp.autocast device("cuda") dtype(f32) disabled results(propagate) (%a = %3 : tensor<1x64xf32>, %b = %w3 : tensor<10x64xf32>, %c = %y : tensor<1x10xf16>) -> tensor<1x10xf16> {
    %5 = "aten.linear"(%a, %b) : (tensor<1x64xf32>, tensor<10x64xf32>) -> tensor<1x10xf32> loc("fc1")
    %6 = amp.autocast device("cuda") dtype(f16) disabled results(propagate) (%d = %5 : tensor<1x10xf32>, %e = %c : tensor<1x10xf16>) -> tensor<1x10xf16> {
      %7 = amp.cast %d : tensor<1x10xf32> to tensor<1x10xf16>
      %8 = "aten.sub.Tensor"(%7, %e) : (tensor<1x10xf16>, tensor<1x10xf16>) -> tensor<1x10xf16> loc("sub")
      %9 = "aten.add.Tensor"(%8, %8) : (tensor<1x10xf16>, tensor<1x10xf16>) -> tensor<1x10xf16> loc("add")
      amp.yield %9 : tensor<1x10xf16>
    }
    amp.yield %6 : tensor<1x10xf16>
  }
  %10 = amp.autocast device("cuda") dtype(f16) results(propagate) (%a = %4 : tensor<1x10xf16>) -> tensor<1x10xf32> {
    %11 = "aten.abs"(%a) : (tensor<1x10xf16>) -> tensor<1x10xf16>
    %12 = "aten.log"(%11) : (tensor<1x10xf16>) -> tensor<1x10xf32> loc("log")
    amp.yield %12 : tensor<1x10xf32>
  }
  return %10 : tensor<1x10xf32>
}
