// amp.attention becomes two contractions with a softmax between them. What it
// computes: test/Integration/CUDA/attention-op.py.

// RUN: amp-opt %s --split-input-file --amp-to-linalg --canonicalize --cse | FileCheck %s

// Heads of queries that share keys are a loop that only queries have; limits
// are comparisons of indices; rows of -inf give 0.
// CHECK-DAG: #[[$Q:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d5)>
// CHECK-DAG: #[[$K:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d5)>
// CHECK-LABEL: func.func @grouped(
// CHECK-DAG: %[[NONE:.*]] = arith.constant 0xFF800000 : f32
// CHECK: %[[E:.*]] = tensor.expand_shape %{{.*}} {{\[}}[0], [1, 2], [3], [4]] output_shape [2, 3, 4, 5, 16]
// CHECK: linalg.generic {indexing_maps = [#[[$Q]], #[[$K]], {{.*}} ins(%[[E]],
// CHECK: arith.mulf %{{.*}}, %{{.*}} : f32
// CHECK: arith.cmpi sle
// CHECK: arith.select %{{.*}}, %{{.*}}, %[[NONE]] : f32
// CHECK: arith.maximumf
// CHECK: arith.cmpf oeq, %{{.*}}, %[[NONE]] : f32
// CHECK: math.exp
// CHECK: arith.divf
// CHECK: arith.truncf %{{.*}} : f32 to f16
// CHECK: tensor.collapse_shape %{{.*}} {{\[}}[0], [1, 2], [3], [4]]
// CHECK: math.log
func.func @grouped(%q: tensor<2x12x5x16xf16>, %k: tensor<2x3x7x16xf16>, %v: tensor<2x3x7x8xf16>) -> (tensor<2x12x5x8xf16>, tensor<2x12x5xf32>) {
  %0:2 = amp.attention %q, %k, %v causal : tensor<2x12x5x16xf16>, tensor<2x3x7x16xf16>, tensor<2x3x7x8xf16> -> tensor<2x12x5x8xf16>, tensor<2x12x5xf32>
  return %0#0, %0#1 : tensor<2x12x5x8xf16>, tensor<2x12x5xf32>
}

// -----

// Of sequences a first key and an end of each row.
// CHECK-LABEL: func.func @packed(
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]
// CHECK: arith.maxsi
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]
// CHECK: arith.minsi
// CHECK: arith.cmpi sge, %{{.*}}, %{{.*}} : index
// CHECK: arith.cmpi slt, %{{.*}}, %{{.*}} : index
func.func @packed(%q: tensor<?x16xbf16>, %k: tensor<?x16xbf16>, %v: tensor<?x16xbf16>, %qo: tensor<?xi32>, %ko: tensor<?xi32>) -> tensor<?x16xbf16> {
  %0 = amp.attention %q, %k, %v offsets(%qo, %ko : tensor<?xi32>, tensor<?xi32>) causal window [64, -1] : tensor<?x16xbf16>, tensor<?x16xbf16>, tensor<?x16xbf16> -> tensor<?x16xbf16>
  return %0 : tensor<?x16xbf16>
}
