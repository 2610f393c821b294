// RUN: amp-opt %s --pass-pipeline='builtin.module(func.func(amp-cpu-codegen))' --remarks-filter=amp --remark-format=emitRemark -o %t 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=IR < %t

// What has no vector form is named, stays linalg and thus becomes scalar loops.
// CHECK: remark: [Missed] ScalarFallback
// CHECK-SAME: Function=gather
// CHECK-SAME: 'tensor.extract' in the body has no vector form
// IR-LABEL: func.func @gather
// IR: linalg.generic
func.func @gather(%x: tensor<5xf32>, %i: tensor<9xi64>) -> tensor<9xf32> {
  %e = tensor.empty() : tensor<9xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%i : tensor<9xi64>) outs(%e : tensor<9xf32>) {
  ^bb0(%a: i64, %b: f32):
    %k = arith.index_cast %a : i64 to index
    %v = tensor.extract %x[%k] : tensor<5xf32>
    linalg.yield %v : f32
  } -> tensor<9xf32>
  return %r : tensor<9xf32>
}
