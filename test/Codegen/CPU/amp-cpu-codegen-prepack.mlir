// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=x86-64-v4}))' | FileCheck %s
// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=x86-64-v4 features=+avx512vnni}))' | FileCheck %s --check-prefix=VNNI
// RUN: amp-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(amp-cpu-codegen{cpu=x86-64-v4}))' --remarks-filter=amp --remark-format=emitRemark 2>&1 >%t.mlir | FileCheck %s --check-prefix=REMARK

// A constant B is packed ahead: rows of two columns become panels of a register tile's columns, with zeros behind, and B itself is gone.
// CHECK-LABEL: func.func @constant
// CHECK-NOT: tensor<24x2xf32>
// CHECK-DAG: %[[PANELS:.*]] = arith.constant dense<"0x0000803F000000400000{{[0-9A-F]*}}"> : tensor<1x24x16xf32>
// CHECK: vector.transfer_read %[[PANELS]]
// CHECK-NOT: tensor<24x2xf32>
// CHECK: return
// REMARK: remark: [Passed] PrepackedWeights
// REMARK-SAME: Bytes=1536
func.func @constant(%a: tensor<512x24xf32>) -> tensor<512x2xf32> {
  %b = arith.constant dense<[
    [1.0, 2.0], [3.0, 4.0], [1.0, 2.0], [3.0, 4.0], [1.0, 2.0], [3.0, 4.0], [1.0, 2.0], [3.0, 4.0],
    [1.0, 2.0], [3.0, 4.0], [1.0, 2.0], [3.0, 4.0], [1.0, 2.0], [3.0, 4.0], [1.0, 2.0], [3.0, 4.0],
    [1.0, 2.0], [3.0, 4.0], [1.0, 2.0], [3.0, 4.0], [1.0, 2.0], [3.0, 4.0], [1.0, 2.0], [3.0, 4.0]]> : tensor<24x2xf32>
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<512x2xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<512x2xf32>) -> tensor<512x2xf32>
  %r = linalg.matmul ins(%a, %b : tensor<512x24xf32>, tensor<24x2xf32>) outs(%f : tensor<512x2xf32>) -> tensor<512x2xf32>
  return %r : tensor<512x2xf32>
}

// -----

// With an instruction for groups of four, groups are along k, and what the bias of A adds to each column is known: -128 * (12 * 1 + 12 * 2).
// VNNI-LABEL: func.func @groups
// VNNI-DAG: arith.constant dense<"0x010201020{{[0-9A-F]*}}"> : tensor<1x6x64xi8>
// VNNI-DAG: arith.constant dense<{{\[\[}}-4608, -128, 0, 0{{.*}}> : tensor<1x16xi32>
// VNNI: return
func.func @groups(%a: tensor<512x24xi8>) -> tensor<512x2xi32> {
  %b = arith.constant dense<[
    [1, 1], [2, 0], [1, 0], [2, 0], [1, 0], [2, 0], [1, 0], [2, 0], [1, 0], [2, 0], [1, 0], [2, 0], [1, 0], [2, 0], [1, 0], [2, 0],
    [1, 0], [2, 0], [1, 0], [2, 0], [1, 0], [2, 0], [1, 0], [2, 0]]> : tensor<24x2xi8>
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<512x2xi32>
  %f = linalg.fill ins(%z : i32) outs(%e : tensor<512x2xi32>) -> tensor<512x2xi32>
  %r = linalg.matmul ins(%a, %b : tensor<512x24xi8>, tensor<24x2xi8>) outs(%f : tensor<512x2xi32>) -> tensor<512x2xi32>
  return %r : tensor<512x2xi32>
}
