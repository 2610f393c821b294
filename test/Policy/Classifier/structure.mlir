// Ops that are kept in f32 for the pattern that they are part of: the two
// kinds of norm and a softmax, as payloads and as named ops, with the reason in
// the decision and in the remark; and the switch that turns that off.
//
// RUN: amp-opt %s --allow-unregistered-dialect --amp-decide-precision="scope=function classifier" --split-input-file | FileCheck %s
// RUN: amp-opt %s --allow-unregistered-dialect --amp-decide-precision="scope=function sensitivity=false" --split-input-file | FileCheck %s --check-prefix=OFF
// RUN: amp-opt %s --allow-unregistered-dialect --amp-decide-precision="scope=function compat=torch-trt" --split-input-file | FileCheck %s --check-prefix=OFF
// RUN: amp-opt %s --allow-unregistered-dialect --amp-decide-precision="scope=function classifier" --split-input-file --remarks-filter=amp 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK
// OFF-NOT: variance
// OFF-NOT: exp_reduction
// OFF-NOT: epsilon_division

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
// CHECK-LABEL: func.func @rms_norm
// CHECK: linalg.generic {{.*}}#amp.decision<fp32, {{.*}}, variance>
// CHECK: linalg.generic {{.*}}#amp.decision<fp32, {{.*}}, epsilon_division>
// CHECK: linalg.generic {{.*}}#amp.decision<lower_precision_fp, {{.*}}, default_low>
// REMARK: Decision{{.*}}Op=linalg.generic, Policy=fp32, Reason=variance
// REMARK: Decision{{.*}}Op=linalg.generic, Policy=fp32, Reason=epsilon_division
func.func @rms_norm(%x: tensor<4x8xf32>, %i: tensor<4xf32>) -> tensor<4x8xf32> {
  %eps = arith.constant 1.0e-5 : f32
  %n = arith.constant 8.0 : f32
  %e = tensor.empty() : tensor<4x8xf32>
  %squares = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x8xf32>) outs(%i : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.mulf %in, %in : f32
    %1 = arith.addf %0, %out : f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  %norm = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %squares : tensor<4x8xf32>, tensor<4xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %0 = arith.divf %s, %n : f32
    %1 = arith.addf %0, %eps : f32
    %2 = math.rsqrt %1 : f32
    %3 = arith.mulf %in, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<4x8xf32>
  %relu = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%norm : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.maximumf %in, %n : f32
    linalg.yield %0 : f32
  } -> tensor<4x8xf32>
  return %relu : tensor<4x8xf32>
}

// -----

// CHECK-LABEL: func.func @softmax
// CHECK: tosa.reduce_max {{.*}}#amp.decision<lower_precision_fp, {{.*}}, default_low>
// CHECK: tosa.sub {{.*}}#amp.decision<lower_precision_fp, {{.*}}, default_low>
// CHECK: tosa.exp {{.*}}#amp.decision<fp32, {{.*}}, exp_reduction>
// CHECK: tosa.reduce_sum {{.*}}#amp.decision<fp32, {{.*}}, exp_reduction>
// CHECK: tosa.reciprocal {{.*}}#amp.decision<lower_precision_fp, {{.*}}, default_low>
// REMARK: Decision{{.*}}Detail="with 'tosa.reduce_sum' at loc({{.*}}Op=tosa.exp, Policy=fp32, Reason=exp_reduction
func.func @softmax(%x: tensor<4x8xf32>) -> tensor<4x1xf32> {
  %0 = tosa.reduce_max %x {axis = 1 : i32} : (tensor<4x8xf32>) -> tensor<4x1xf32>
  %1 = tosa.sub %x, %0 : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
  %2 = tosa.exp %1 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %3 = tosa.reduce_sum %2 {axis = 1 : i32} : (tensor<4x8xf32>) -> tensor<4x1xf32>
  %4 = tosa.reciprocal %3 : (tensor<4x1xf32>) -> tensor<4x1xf32>
  return %4 : tensor<4x1xf32>
}

// -----

// CHECK-LABEL: func.func @layer_norm
// CHECK: "aten.layer_norm"{{.*}}#amp.decision<fp32, {{.*}}, epsilon_division>
// CHECK: "aten.var.correction"{{.*}}#amp.decision<fp32, {{.*}}, variance>
func.func @layer_norm(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = "aten.layer_norm"(%x) {normalized_shape = [8]} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = "aten.var.correction"(%x) {dim = [1]} : (tensor<4x8xf32>) -> tensor<4xf32>
  return %0 : tensor<4x8xf32>
}
