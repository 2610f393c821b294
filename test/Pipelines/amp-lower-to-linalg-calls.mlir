// What front ends make functions of is a part of what calls it, so that it is fused with that.
// RUN: amp-opt %s --amp-lower-to-linalg | FileCheck %s --implicit-check-not=@relu
// RUN: amp-opt %s --amp-lower-to-linalg --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s --check-prefix=PLACE
// RUN: amp-opt %s --amp-lower-to-cpu -o /dev/null

// PLACE: math.absf {{.*}} loc(callsite("{{.*}}amp-lower-to-linalg-calls.mlir":[[# @LINE + 35]]:{{[0-9]+}} at "{{.*}}amp-lower-to-linalg-calls.mlir":[[# @LINE + 9]]:{{[0-9]+}}))

// CHECK-LABEL: func.func @main
// CHECK: linalg.generic
// CHECK: math.absf
// CHECK: linalg.matmul
// CHECK: linalg.generic
// CHECK: math.absf
func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = call @relu(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = call @twice(%0) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}

// Of a public function both are there.
// CHECK-LABEL: func.func @twice
// CHECK: linalg.matmul
// CHECK: math.absf
func.func @twice(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %z = arith.constant dense<0.0> : tensor<4x4xf32>
  %0 = linalg.matmul ins(%x, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = call @relu(%0) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}

// CHECK-LABEL: func.func @others
// CHECK: call @whole
// CHECK: call @recursive
func.func @others(%x: tensor<4x4xf32>, %n: index) -> tensor<4x4xf32> {
  %0 = call @whole(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = call @recursive(%0, %n) : (tensor<4x4xf32>, index) -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}

func.func private @relu(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = math.absf %x : tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// CHECK: func.func private @whole
func.func private @whole(%x: tensor<4x4xf32>) -> tensor<4x4xf32> attributes {no_inline} {
  %0 = math.absf %x : tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// CHECK: func.func private @recursive
func.func private @recursive(%x: tensor<4x4xf32>, %n: index) -> tensor<4x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %more = arith.cmpi ugt, %n, %c0 : index
  %r = scf.if %more -> tensor<4x4xf32> {
    %less = arith.subi %n, %c1 : index
    %0 = math.absf %x : tensor<4x4xf32>
    %1 = func.call @recursive(%0, %less) : (tensor<4x4xf32>, index) -> tensor<4x4xf32>
    scf.yield %1 : tensor<4x4xf32>
  } else {
    scf.yield %x : tensor<4x4xf32>
  }
  return %r : tensor<4x4xf32>
}
