// How much ops reduce, from static types alone. docs/classifier.md lists the
// case numbers.
//
// RUN: amp-opt %s --allow-unregistered-dialect --amp-decide-precision="scope=function max-depth-of-reduction=1000 sensitivity=false" --split-input-file | FileCheck %s
// RUN: amp-opt %s --allow-unregistered-dialect --amp-decide-precision="scope=function max-depth-of-reduction=1000 compat=torch-trt" --split-input-file | FileCheck %s --check-prefix=PEER
// RUN: amp-opt %s --allow-unregistered-dialect --amp-decide-precision="scope=function max-depth-of-reduction=1000 compat=modelopt" --split-input-file | FileCheck %s --check-prefix=PEER
// RUN: amp-opt %s --allow-unregistered-dialect --amp-decide-precision="scope=function max-depth-of-reduction=1000" --split-input-file --remarks-filter=amp 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

// Case N6: both axes count, 100 x 100.
// CHECK-LABEL: func.func @n6
// CHECK: "aten.sum.dim_IntList"{{.*}}#amp.decision<fp32, {{.*}}, reduction_depth
// CHECK: "aten.sum.dim_IntList"{{.*}}#amp.decision<lower_precision_fp, {{.*}}, default_low
// PEER-LABEL: func.func @n6
// PEER-COUNT-2: "aten.sum.dim_IntList"{{.*}}#amp.decision<lower_precision_fp, {{.*}}, default_low
// REMARK: Detail="it reduces 10000 elements, more than 1000"
func.func @n6(%x: tensor<4x100x100xf32>) {
  %0 = "aten.sum.dim_IntList"(%x) {dim = [1, 2]} : (tensor<4x100x100xf32>) -> tensor<4xf32>
  %1 = "aten.sum.dim_IntList"(%x) {dim = [1]} : (tensor<4x100x100xf32>) -> tensor<4x100xf32>
  return
}

// -----

// Case N8: what the peers never judge.
// CHECK-LABEL: func.func @n8
// CHECK: "aten.einsum"{{.*}}#amp.decision<fp32, {{.*}}, reduction_depth
// CHECK: "aten.conv_transpose2d.input"{{.*}}#amp.decision<fp32, {{.*}}, reduction_depth
// CHECK: "aten.softmax.int"{{.*}}#amp.decision<fp32, {{.*}}, reduction_depth
// CHECK: "aten.layer_norm"{{.*}}#amp.decision<fp32, {{.*}}, reduction_depth
// CHECK: linalg.matmul {{.*}}#amp.decision<fp32, {{.*}}, reduction_depth
// PEER-LABEL: func.func @n8
// PEER: "aten.einsum"{{.*}}#amp.decision<lower_precision_fp, {{.*}}, default_low
// PEER: "aten.conv_transpose2d.input"{{.*}}#amp.decision<lower_precision_fp, {{.*}}, default_low
// PEER: "aten.softmax.int"{{.*}}#amp.decision<lower_precision_fp, {{.*}}, default_low
// PEER: "aten.layer_norm"{{.*}}#amp.decision<lower_precision_fp, {{.*}}, default_low
func.func @n8(%a: tensor<4x2048xf32>, %b: tensor<2048x4xf32>, %t: tensor<1x512x4x4xf32>, %w: tensor<512x8x3x3xf32>) {
  %0 = "aten.einsum"(%a, %b) {equation = "ij,jk->ik"} : (tensor<4x2048xf32>, tensor<2048x4xf32>) -> tensor<4x4xf32>
  %1 = "aten.conv_transpose2d.input"(%t, %w) : (tensor<1x512x4x4xf32>, tensor<512x8x3x3xf32>) -> tensor<1x8x6x6xf32>
  %2 = "aten.softmax.int"(%a) {dim = -1 : i64} : (tensor<4x2048xf32>) -> tensor<4x2048xf32>
  %3 = "aten.layer_norm"(%a) {normalized_shape = [2048]} : (tensor<4x2048xf32>) -> tensor<4x2048xf32>
  %e = tensor.empty() : tensor<4x4xf32>
  %4 = linalg.matmul ins(%a, %b : tensor<4x2048xf32>, tensor<2048x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

// Cases N9 and N10: linear, from static types, without data.
// CHECK-LABEL: func.func @n9
// CHECK: "aten.linear"{{.*}}#amp.decision<fp32, {{.*}}, reduction_depth
// PEER-LABEL: func.func @n9
// PEER: "aten.linear"{{.*}}#amp.decision<lower_precision_fp, {{.*}}, default_low
func.func @n9(%x: tensor<2x8192xf32>, %w: tensor<16x8192xf32>) {
  %0 = "aten.linear"(%x, %w) : (tensor<2x8192xf32>, tensor<16x8192xf32>) -> tensor<2x16xf32>
  return
}

// -----

// Dynamic extents are not judged, and a remark says so.
// CHECK-LABEL: func.func @dynamic
// CHECK: "aten.mm"{{.*}}#amp.decision<lower_precision_fp, {{.*}}, default_low
// REMARK: NotJudged{{.*}}Op=aten.mm, Reason="it reduces over extents that neither the types nor a profile give, so the limit of 1000 was not applied"
func.func @dynamic(%x: tensor<2x?xf32>, %w: tensor<?x4xf32>) {
  %0 = "aten.mm"(%x, %w) : (tensor<2x?xf32>, tensor<?x4xf32>) -> tensor<2x4xf32>
  return
}
