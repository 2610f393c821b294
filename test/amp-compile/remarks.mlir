// --remarks prints what passes decide, of autocast, kernels and schedules; nothing of it is printed otherwise.
// RUN: amp-compile %s --target=sim --autocast=f16 --remarks --emit=mlir -o /dev/null 2>&1 | FileCheck %s
// RUN: amp-run %s --device=sim --autocast=f16 --remarks --dump-stage=gpu 2>&1 | FileCheck %s
// RUN: amp-run %s --device=cpu --policy-device=cpu --autocast=bf16 --threads=1 --remarks --random 2>&1 | FileCheck %s --check-prefix=CPU
// RUN: amp-compile %s --target=sim --autocast=f16 --emit=mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=SILENT --allow-empty
// RUN: test -c /dev/null

// CHECK: remarks.mlir:[[# @LINE + 9]]:8: remark: [Analysis] Decision | Category:amp:precision | {{.*}}Op=linalg.matmul
// CHECK: remark: [Passed] KernelFormed | Category:amp | Function=main
// CHECK: remark: [Passed] Schedule | Category:amp | Function=main_matmul_0 | {{.*}}Schedule=mma-sync
// CPU: remark: [Analysis] Decision
// SILENT-NOT: remark:
func.func @main(%a: tensor<32x32xf32>, %b: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
  %c = linalg.matmul ins(%a, %b : tensor<32x32xf32>, tensor<32x32xf32>) outs(%f : tensor<32x32xf32>) -> tensor<32x32xf32>
  return %c : tensor<32x32xf32>
}
