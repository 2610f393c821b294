// RUN: not amp-opt %s --allow-unregistered-dialect --amp-out-dtype-backward=function=nobody 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not amp-opt %s --allow-unregistered-dialect --amp-out-dtype-backward=function=declared 2>&1 | FileCheck %s --check-prefix=BODY
// RUN: not amp-opt %s --allow-unregistered-dialect --amp-out-dtype-backward=function=none 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not amp-opt %s --allow-unregistered-dialect --amp-out-dtype-backward=function=two 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: not amp-opt %s --allow-unregistered-dialect --amp-out-dtype-backward=function=more 2>&1 | FileCheck %s --check-prefix=MORE
// RUN: not amp-opt %s --allow-unregistered-dialect --amp-out-dtype-backward=function=result 2>&1 | FileCheck %s --check-prefix=RESULT
// RUN: not amp-opt %s --allow-unregistered-dialect --amp-out-dtype-backward=function=taken 2>&1 | FileCheck %s --check-prefix=TAKEN
// RUN: not amp-opt %s --allow-unregistered-dialect --amp-out-dtype-backward=function=groups 2>&1 | FileCheck %s --check-prefix=GROUPS

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

// GROUPS: [[#@LINE+4]]:10: error: 'tosa.depthwise_conv2d' op in amp.out_dtype: there is no gradient of an operand that is read through affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1 + d4, d2 + d5, d3 floordiv 2)>: expected loops, windows with one stride and dilation per dimension, and groups of static size
func.func @groups(%a: tensor<1x5x5x?xi8>, %w: tensor<3x2x?x2xi8>, %b: tensor<?xi32>) -> tensor<1x3x4x?xi32> {
  %z = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = amp.out_dtype (%x = %a : tensor<1x5x5x?xi8>, %y = %w : tensor<3x2x?x2xi8>, %c = %b : tensor<?xi32>, %i = %z : tensor<1xi8>) -> tensor<1x3x4x?xi32> {
    %1 = tosa.depthwise_conv2d %x, %y, %c, %i, %i {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x5x5x?xi8>, tensor<3x2x?x2xi8>, tensor<?xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x3x4x?xi32>
    amp.yield %1 : tensor<1x3x4x?xi32>
  }
  return %0 : tensor<1x3x4x?xi32>
}
