// RUN: not amp-opt %s --allow-unregistered-dialect --amp-out-dtype-backward=function=nobody 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not amp-opt %s --allow-unregistered-dialect --amp-out-dtype-backward=function=declared 2>&1 | FileCheck %s --check-prefix=BODY
// RUN: not amp-opt %s --allow-unregistered-dialect --amp-out-dtype-backward=function=none 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not amp-opt %s --allow-unregistered-dialect --amp-out-dtype-backward=function=two 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: not amp-opt %s --allow-unregistered-dialect --amp-out-dtype-backward=function=more 2>&1 | FileCheck %s --check-prefix=MORE
// RUN: not amp-opt %s --allow-unregistered-dialect --amp-out-dtype-backward=function=result 2>&1 | FileCheck %s --check-prefix=RESULT
// RUN: not amp-opt %s --allow-unregistered-dialect --amp-out-dtype-backward=function=taken 2>&1 | FileCheck %s --check-prefix=TAKEN
// RUN: not amp-opt %s --allow-unregistered-dialect --amp-out-dtype-backward=function=groups 2>&1 | FileCheck %s --check-prefix=GROUPS
// RUN: not amp-opt %s --allow-unregistered-dialect --amp-out-dtype-backward=function=shapes 2>&1 | FileCheck %s --check-prefix=SHAPES

// NAME: error: amp-out-dtype-backward: expected option 'function' to name a function with a body, but there is no function 'nobody'
// BODY: error: amp-out-dtype-backward: expected option 'function' to name a function with a body, but 'declared' has none
func.func private @declared(%a: tensor<4xf32>) -> tensor<4xf32>

// NONE: [[#@LINE+1]]:1: error: has no gradient: expected one amp.out_dtype, but found none
func.func @none(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}

// TWO: [[#@LINE+6]]:8: error: is a second amp.out_dtype in 'two': amp-out-dtype-backward takes functions with one
func.func @two(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = amp.out_dtype (%x = %a : tensor<4xf32>) -> tensor<4xf32> {
    %2 = arith.mulf %x, %x : tensor<4xf32>
    amp.yield %2 : tensor<4xf32>
  }
  %1 = amp.out_dtype (%x = %a : tensor<4xf32>) -> tensor<4xf32> {
    %2 = arith.mulf %x, %x : tensor<4xf32>
    amp.yield %2 : tensor<4xf32>
  }
  return %1 : tensor<4xf32>
}

// MORE: [[#@LINE+2]]:8: error: works on an argument or on the result of amp.out_dtype in 'more', which has a gradient for amp.out_dtype only: put that in a function of its own
func.func @more(%a: tensor<4xf32>) -> tensor<4xf32> {
  %n = math.exp %a : tensor<4xf32>
  %0 = amp.out_dtype (%x = %n : tensor<4xf32>) -> tensor<4xf32> {
    %2 = arith.mulf %x, %x : tensor<4xf32>
    amp.yield %2 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// RESULT: [[#@LINE+6]]:3: error: expected 'result' to return the result of amp.out_dtype, and nothing else
func.func @result(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = amp.out_dtype (%x = %a : tensor<4xf32>) -> tensor<4xf32> {
    %2 = arith.mulf %x, %x : tensor<4xf32>
    amp.yield %2 : tensor<4xf32>
  }
  return %a : tensor<4xf32>
}

func.func @taken(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = amp.out_dtype (%x = %a : tensor<4xf32>) -> tensor<4xf32> {
    %2 = arith.mulf %x, %x : tensor<4xf32>
    amp.yield %2 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}
// TAKEN: [[#@LINE+1]]:1: error: is in the way of the gradient of 'taken', which is called 'taken_backward': rename it
func.func @taken_backward() {
  return
}

// GROUPS: [[#@LINE+3]]:10: error: 'aten.conv2d' op in amp.out_dtype: there is no gradient of an operand that is read through {{.*}}: expected loops, and windows with one stride and dilation per dimension (no groups)
func.func @groups(%a: tensor<1x4x5x5xf32>, %w: tensor<4x2x3x3xf32>) -> tensor<1x4x3x3xf32> {
  %0 = amp.out_dtype (%x = %a : tensor<1x4x5x5xf32>, %y = %w : tensor<4x2x3x3xf32>) -> tensor<1x4x3x3xf32> {
    %1 = "aten.conv2d"(%x, %y) {groups = 2 : i64} : (tensor<1x4x5x5xf32>, tensor<4x2x3x3xf32>) -> tensor<1x4x3x3xf32>
    amp.yield %1 : tensor<1x4x3x3xf32>
  }
  return %0 : tensor<1x4x3x3xf32>
}

// SHAPES: [[#@LINE+3]]:10: error: 'aten.conv2d' op in amp.out_dtype: the gradient of what a window is read from needs static shapes, but found 'tensor<?x2x5x5xf32>'
func.func @shapes(%a: tensor<?x2x5x5xf32>, %w: tensor<4x2x3x3xf32>) -> tensor<?x4x3x3xf32> {
  %0 = amp.out_dtype (%x = %a : tensor<?x2x5x5xf32>, %y = %w : tensor<4x2x3x3xf32>) -> tensor<?x4x3x3xf32> {
    %1 = "aten.conv2d"(%x, %y) : (tensor<?x2x5x5xf32>, tensor<4x2x3x3xf32>) -> tensor<?x4x3x3xf32>
    amp.yield %1 : tensor<?x4x3x3xf32>
  }
  return %0 : tensor<?x4x3x3xf32>
}
