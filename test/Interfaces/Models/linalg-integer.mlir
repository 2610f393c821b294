// Ops on integers have nothing to retype: they keep operands, results, payload.
//
// RUN: amp-opt %s --split-input-file -test-amp-precision-interface -o /dev/null 2>&1 | FileCheck %s --check-prefix=MODEL
// RUN: amp-opt %s --split-input-file -test-amp-precision-retype=to=f16 --mlir-print-op-generic | FileCheck %s
// RUN: amp-opt %s --split-input-file -test-amp-precision-retype=to=f64 --mlir-print-op-generic | FileCheck %s
// RUN: amp-opt %s --split-input-file --amp-autocast | FileCheck %s --check-prefix=SCOPE

// MODEL: remark: linalg.matmul: contraction (ignored, ignored, ignored) payload arith.extsi, arith.extsi, arith.muli, arith.addi free depth 3 flops 0
// CHECK: sym_name = "matmul"
// CHECK-NOT: amp.cast
// CHECK: "linalg.matmul"
// CHECK: ^bb0(%{{.*}}: i8, %{{.*}}: i8, %{{.*}}: i32):
// CHECK-COUNT-2: "arith.extsi"(%{{.*}}) : (i8) -> i32
// CHECK: "arith.muli"
// CHECK: "arith.addi"
// CHECK: (tensor<2x3xi8>, tensor<3x4xi8>, tensor<2x4xi32>) -> tensor<2x4xi32>
// CHECK-NEXT: "amp.yield"
// SCOPE-LABEL: func.func @matmul(
// SCOPE-NEXT: %{{.*}} = linalg.matmul {{.*}}ins(%{{.*}}, %{{.*}} : tensor<2x3xi8>, tensor<3x4xi8>) outs(%{{.*}} : tensor<2x4xi32>)
// SCOPE-NEXT: return
func.func @matmul(%a: tensor<2x3xi8>, %b: tensor<3x4xi8>, %i: tensor<2x4xi32>) -> tensor<2x4xi32> {
  %0 = amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<2x3xi8>, %y = %b : tensor<3x4xi8>, %o = %i : tensor<2x4xi32>) -> tensor<2x4xi32> {
    %m = linalg.matmul {test.retype} ins(%x, %y : tensor<2x3xi8>, tensor<3x4xi8>) outs(%o : tensor<2x4xi32>) -> tensor<2x4xi32>
    amp.yield %m : tensor<2x4xi32>
  }
  return %0 : tensor<2x4xi32>
}

// -----

// MODEL: remark: linalg.quantized_matmul: {{.*}} (ignored, ignored, ignored, ignored, ignored)
// CHECK: sym_name = "quantized_matmul"
// CHECK-NOT: amp.cast
// CHECK: "linalg.quantized_matmul"
// CHECK: ^bb0(%{{.*}}: i8, %{{.*}}: i8, %{{.*}}: i32, %{{.*}}: i32, %{{.*}}: i32):
// CHECK: (tensor<2x3xi8>, tensor<3x4xi8>, i32, i32, tensor<2x4xi32>) -> tensor<2x4xi32>
// CHECK-NEXT: "amp.yield"
// SCOPE-LABEL: func.func @quantized_matmul(
// SCOPE-NEXT: %{{.*}} = linalg.quantized_matmul {{.*}}ins(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : tensor<2x3xi8>, tensor<3x4xi8>, i32, i32) outs(%{{.*}} : tensor<2x4xi32>)
// SCOPE-NEXT: return
func.func @quantized_matmul(%a: tensor<2x3xi8>, %b: tensor<3x4xi8>, %z: i32, %i: tensor<2x4xi32>) -> tensor<2x4xi32> {
  %0 = amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<2x3xi8>, %y = %b : tensor<3x4xi8>, %p = %z : i32, %o = %i : tensor<2x4xi32>) -> tensor<2x4xi32> {
    %m = linalg.quantized_matmul {test.retype} ins(%x, %y, %p, %p : tensor<2x3xi8>, tensor<3x4xi8>, i32, i32) outs(%o : tensor<2x4xi32>) -> tensor<2x4xi32>
    amp.yield %m : tensor<2x4xi32>
  }
  return %0 : tensor<2x4xi32>
}

// -----

// MODEL: remark: linalg.conv_2d_nhwc_hwcf_q: {{.*}} (ignored, ignored, ignored, ignored, ignored)
// CHECK: sym_name = "convolution"
// CHECK-NOT: amp.cast
// CHECK: "linalg.conv_2d_nhwc_hwcf_q"
// CHECK: (tensor<1x8x8x2xi8>, tensor<3x3x2x4xi8>, i32, i32, tensor<1x6x6x4xi32>) -> tensor<1x6x6x4xi32>
// CHECK-NEXT: "amp.yield"
// SCOPE-LABEL: func.func @convolution(
// SCOPE-NEXT: %{{.*}} = linalg.conv_2d_nhwc_hwcf_q {{.*}}ins(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : tensor<1x8x8x2xi8>, tensor<3x3x2x4xi8>, i32, i32) outs(%{{.*}} : tensor<1x6x6x4xi32>)
// SCOPE-NEXT: return
func.func @convolution(%a: tensor<1x8x8x2xi8>, %b: tensor<3x3x2x4xi8>, %z: i32, %i: tensor<1x6x6x4xi32>) -> tensor<1x6x6x4xi32> {
  %0 = amp.autocast device("cuda") dtype(f16) (%x = %a : tensor<1x8x8x2xi8>, %y = %b : tensor<3x3x2x4xi8>, %p = %z : i32, %o = %i : tensor<1x6x6x4xi32>) -> tensor<1x6x6x4xi32> {
    %m = linalg.conv_2d_nhwc_hwcf_q {test.retype} ins(%x, %y, %p, %p : tensor<1x8x8x2xi8>, tensor<3x3x2x4xi8>, i32, i32) outs(%o : tensor<1x6x6x4xi32>) -> tensor<1x6x6x4xi32>
    amp.yield %m : tensor<1x6x6x4xi32>
  }
  return %0 : tensor<1x6x6x4xi32>
}
