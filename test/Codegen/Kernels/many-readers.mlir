// What a cell of an LSTM keeps for its gradient: ops with several readers, which take more rounds to fuse than upstream's ten. All are one kernel.
// RUN: amp-opt %s --amp-form-kernels | FileCheck %s

// CHECK-LABEL: func.func @gates_map_0
// CHECK: linalg.generic
// CHECK-NOT: linalg.generic
// CHECK-LABEL: func.func @gates(
// CHECK: amp.launch
// CHECK-NOT: amp.launch
func.func @gates(%arg0: tensor<6x32xf32>, %arg1: tensor<6x32xf32>, %arg2: tensor<6x32xf32>, %arg3: tensor<6x32xf32>, %arg4: tensor<6x32xf32>) -> (tensor<6x32xf32>, tensor<6x32xf32>, tensor<6x32xf32>, tensor<6x32xf32>, tensor<6x32xf32>, tensor<6x32xf32>, tensor<6x32xf32>, tensor<6x32xf32>, tensor<6x32xf32>, tensor<6x32xf32>, tensor<6x32xf32>, tensor<6x32xf32>, tensor<6x32xf32>, tensor<6x32xf32>) {
  %cst = arith.constant dense<1.000000e+00> : tensor<f32>
  %0 = tensor.empty() : tensor<6x32xf32>
  %1 = linalg.negf ins(%arg1 : tensor<6x32xf32>) outs(%0 : tensor<6x32xf32>) -> tensor<6x32xf32>
  %2 = linalg.exp ins(%1 : tensor<6x32xf32>) outs(%0 : tensor<6x32xf32>) -> tensor<6x32xf32>
  %3 = linalg.broadcast ins(%cst : tensor<f32>) outs(%0 : tensor<6x32xf32>) dimensions = [0, 1]
  %4 = linalg.add ins(%3, %2 : tensor<6x32xf32>, tensor<6x32xf32>) outs(%0 : tensor<6x32xf32>) -> tensor<6x32xf32>
  %5 = linalg.div ins(%3, %4 : tensor<6x32xf32>, tensor<6x32xf32>) outs(%0 : tensor<6x32xf32>) -> tensor<6x32xf32>
  %6 = linalg.negf ins(%arg0 : tensor<6x32xf32>) outs(%0 : tensor<6x32xf32>) -> tensor<6x32xf32>
  %7 = linalg.exp ins(%6 : tensor<6x32xf32>) outs(%0 : tensor<6x32xf32>) -> tensor<6x32xf32>
  %8 = linalg.add ins(%3, %7 : tensor<6x32xf32>, tensor<6x32xf32>) outs(%0 : tensor<6x32xf32>) -> tensor<6x32xf32>
  %9 = linalg.div ins(%3, %8 : tensor<6x32xf32>, tensor<6x32xf32>) outs(%0 : tensor<6x32xf32>) -> tensor<6x32xf32>
  %10 = linalg.tanh ins(%arg2 : tensor<6x32xf32>) outs(%0 : tensor<6x32xf32>) -> tensor<6x32xf32>
  %11 = linalg.mul ins(%5, %arg4 : tensor<6x32xf32>, tensor<6x32xf32>) outs(%0 : tensor<6x32xf32>) -> tensor<6x32xf32>
  %12 = linalg.mul ins(%9, %10 : tensor<6x32xf32>, tensor<6x32xf32>) outs(%0 : tensor<6x32xf32>) -> tensor<6x32xf32>
  %13 = linalg.add ins(%11, %12 : tensor<6x32xf32>, tensor<6x32xf32>) outs(%0 : tensor<6x32xf32>) -> tensor<6x32xf32>
  %14 = linalg.negf ins(%arg3 : tensor<6x32xf32>) outs(%0 : tensor<6x32xf32>) -> tensor<6x32xf32>
  %15 = linalg.exp ins(%14 : tensor<6x32xf32>) outs(%0 : tensor<6x32xf32>) -> tensor<6x32xf32>
  %16 = linalg.add ins(%3, %15 : tensor<6x32xf32>, tensor<6x32xf32>) outs(%0 : tensor<6x32xf32>) -> tensor<6x32xf32>
  %17 = linalg.div ins(%3, %16 : tensor<6x32xf32>, tensor<6x32xf32>) outs(%0 : tensor<6x32xf32>) -> tensor<6x32xf32>
  %18 = linalg.tanh ins(%13 : tensor<6x32xf32>) outs(%0 : tensor<6x32xf32>) -> tensor<6x32xf32>
  %19 = linalg.sub ins(%3, %5 : tensor<6x32xf32>, tensor<6x32xf32>) outs(%0 : tensor<6x32xf32>) -> tensor<6x32xf32>
  %20 = linalg.mul ins(%5, %19 : tensor<6x32xf32>, tensor<6x32xf32>) outs(%0 : tensor<6x32xf32>) -> tensor<6x32xf32>
  %21 = linalg.sub ins(%3, %9 : tensor<6x32xf32>, tensor<6x32xf32>) outs(%0 : tensor<6x32xf32>) -> tensor<6x32xf32>
  %22 = linalg.mul ins(%9, %21 : tensor<6x32xf32>, tensor<6x32xf32>) outs(%0 : tensor<6x32xf32>) -> tensor<6x32xf32>
  %23 = linalg.mul ins(%10, %10 : tensor<6x32xf32>, tensor<6x32xf32>) outs(%0 : tensor<6x32xf32>) -> tensor<6x32xf32>
  %24 = linalg.sub ins(%3, %23 : tensor<6x32xf32>, tensor<6x32xf32>) outs(%0 : tensor<6x32xf32>) -> tensor<6x32xf32>
  %25 = linalg.sub ins(%3, %17 : tensor<6x32xf32>, tensor<6x32xf32>) outs(%0 : tensor<6x32xf32>) -> tensor<6x32xf32>
  %26 = linalg.mul ins(%17, %25 : tensor<6x32xf32>, tensor<6x32xf32>) outs(%0 : tensor<6x32xf32>) -> tensor<6x32xf32>
  %27 = linalg.mul ins(%18, %18 : tensor<6x32xf32>, tensor<6x32xf32>) outs(%0 : tensor<6x32xf32>) -> tensor<6x32xf32>
  %28 = linalg.sub ins(%3, %27 : tensor<6x32xf32>, tensor<6x32xf32>) outs(%0 : tensor<6x32xf32>) -> tensor<6x32xf32>
  %29 = linalg.mul ins(%17, %18 : tensor<6x32xf32>, tensor<6x32xf32>) outs(%0 : tensor<6x32xf32>) -> tensor<6x32xf32>
  %30 = linalg.mul ins(%20, %arg4 : tensor<6x32xf32>, tensor<6x32xf32>) outs(%0 : tensor<6x32xf32>) -> tensor<6x32xf32>
  %31 = linalg.mul ins(%22, %10 : tensor<6x32xf32>, tensor<6x32xf32>) outs(%0 : tensor<6x32xf32>) -> tensor<6x32xf32>
  return %5, %9, %10, %13, %17, %18, %20, %22, %24, %26, %28, %29, %30, %31 : tensor<6x32xf32>, tensor<6x32xf32>, tensor<6x32xf32>, tensor<6x32xf32>, tensor<6x32xf32>, tensor<6x32xf32>, tensor<6x32xf32>, tensor<6x32xf32>, tensor<6x32xf32>, tensor<6x32xf32>, tensor<6x32xf32>, tensor<6x32xf32>, tensor<6x32xf32>, tensor<6x32xf32>
  }
