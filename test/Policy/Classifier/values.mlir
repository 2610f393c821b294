// What the classifier makes of casts, loops, results and integers.
// docs/classifier.md lists the case numbers.
//
// RUN: amp-opt %s --allow-unregistered-dialect --amp-decide-precision="scope=function targets-to-include=aten.linalg_svd" --amp-apply-precision --split-input-file 2>/dev/null | FileCheck %s
// RUN: amp-opt %s --allow-unregistered-dialect --amp-decide-precision="scope=function compat=modelopt" --amp-apply-precision --split-input-file | FileCheck %s --check-prefix=MODELOPT
// RUN: not amp-opt %s --allow-unregistered-dialect --amp-decide-precision="scope=function compat=torch-trt" --amp-apply-precision --split-input-file 2>%t.failed | FileCheck %s --check-prefix=TORCHTRT
// RUN: FileCheck %s --check-prefix=FAILED < %t.failed
// RUN: amp-opt %s --allow-unregistered-dialect --amp-decide-precision="scope=function targets-to-include=aten.linalg_svd" --split-input-file --remarks-filter=amp 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

// Case N17: a rounding that the program has stays.
// CHECK-LABEL: func.func @n17
// CHECK: %[[N:.*]] = amp.cast %{{.*}} : tensor<4xf32> to tensor<4xf16>
// CHECK: %[[W:.*]] = amp.cast %[[N]] : tensor<4xf16> to tensor<4xf32>
// CHECK: return %[[W]]
// MODELOPT-LABEL: func.func @n17
// MODELOPT-NOT: amp.cast
// MODELOPT: return %arg0
// TORCHTRT-LABEL: func.func @n17
// TORCHTRT: amp.cast %{{.*}} : tensor<4xf32> to tensor<4xf16>
// TORCHTRT: amp.cast %{{.*}} : tensor<4xf16> to tensor<4xf32>
func.func @n17(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = amp.cast %x : tensor<4xf32> to tensor<4xf16>
  %1 = amp.cast %0 : tensor<4xf16> to tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// Case N18: two roundings stay two; ModelOpt makes one of them.
// CHECK-LABEL: func.func @n18
// CHECK: amp.cast %{{.*}} : tensor<4xf32> to tensor<4xf16>
// CHECK: amp.cast %{{.*}} : tensor<4xf16> to tensor<4xbf16>
// MODELOPT-LABEL: func.func @n18
// MODELOPT: amp.cast %{{.*}} : tensor<4xf32> to tensor<4xbf16>
// TORCHTRT-LABEL: func.func @n18
// TORCHTRT: amp.cast %{{.*}} : tensor<4xf32> to tensor<4xf16>
// TORCHTRT: amp.cast %{{.*}} : tensor<4xf16> to tensor<4xbf16>
func.func @n18(%x: tensor<4xf32>) -> tensor<4xbf16> {
  %0 = amp.cast %x : tensor<4xf32> to tensor<4xf16>
  %1 = amp.cast %0 : tensor<4xf16> to tensor<4xbf16>
  return %1 : tensor<4xbf16>
}

// -----

// Case N19: what a loop carries has one type: that of what comes in and of what
// comes back, joined.
// CHECK-LABEL: func.func @n19
// CHECK: scf.for {{.*}} iter_args(%[[S:.*]] = %{{.*}}) -> (tensor<4xf32>)
// CHECK: %[[L:.*]] = amp.cast %[[S]]
// CHECK: %[[R:.*]] = "aten.tanh"(%[[L]]) : {{.*}} -> tensor<4xf16>
// CHECK: %[[U:.*]] = amp.cast %[[R]]
// CHECK: scf.yield %[[U]] : tensor<4xf32>
// The peers do not look into loops: what is there stays in f32.
// MODELOPT-LABEL: func.func @n19
// MODELOPT: scf.for {{.*}} iter_args(%[[S:.*]] = %{{.*}}) -> (tensor<4xf32>)
// MODELOPT-NEXT: %[[R:.*]] = "aten.tanh"(%[[S]]) : {{.*}} -> tensor<4xf32>
// MODELOPT-NEXT: scf.yield %[[R]] : tensor<4xf32>
// TORCHTRT-LABEL: func.func @n19
// TORCHTRT: scf.for {{.*}} iter_args(%[[S:.*]] = %{{.*}}) -> (tensor<4xf32>)
// TORCHTRT-NEXT: %[[R:.*]] = "aten.tanh"(%[[S]]) : {{.*}} -> tensor<4xf32>
// TORCHTRT-NEXT: scf.yield %[[R]] : tensor<4xf32>
func.func @n19(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (tensor<4xf32>) {
    %0 = "aten.tanh"(%s) : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %0 : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

// Case N20: there is no such op in 16 bits.
// CHECK-LABEL: func.func @n20
// CHECK: "aten.linalg_svd"{{.*}} -> (tensor<4x4xf32>, tensor<4xf32>, tensor<4x4xf32>)
// MODELOPT-LABEL: func.func @n20
// MODELOPT: "aten.linalg_svd"{{.*}} -> (tensor<4x4xf32>, tensor<4xf32>, tensor<4x4xf32>)
// REMARK: Overruled{{.*}}Op=aten.linalg_svd, Reason="the inclusion by op_rule, because the op cannot run in 16 bits"
func.func @n20(%x: tensor<4x4xf32>) -> tensor<4xf32> {
  %0:3 = "aten.linalg_svd"(%x) : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4xf32>, tensor<4x4xf32>)
  return %0#1 : tensor<4xf32>
}

// -----

// Case N23: several results, each by its own type. Torch-TensorRT fails.
// CHECK-LABEL: func.func @n23
// CHECK: "aten.topk"(%{{.*}}) {{.*}} : (tensor<8xf16>) -> (tensor<2xf16>, tensor<2xi64>)
// CHECK: "aten.split.Tensor"(%{{.*}}) {{.*}} : (tensor<8xf16>) -> (tensor<4xf16>, tensor<4xf16>)
// MODELOPT-LABEL: func.func @n23
// MODELOPT: "aten.topk"(%{{.*}}) {{.*}} : (tensor<8xf16>) -> (tensor<2xf16>, tensor<2xi64>)
// MODELOPT: "aten.split.Tensor"(%{{.*}}) {{.*}} : (tensor<8xf16>) -> (tensor<4xf16>, tensor<4xf16>)
func.func @n23(%x: tensor<8xf32>) -> (tensor<2xf32>, tensor<4xf32>) {
  // FAILED: :[[#@LINE+1]]:{{[0-9]+}}: error: {{.*}}compat=torch-trt: Torch-TensorRT fails at 'aten.topk', which has several results; leave out compat
  %0:2 = "aten.topk"(%x) {k = 2 : i64} : (tensor<8xf32>) -> (tensor<2xf32>, tensor<2xi64>)
  // FAILED: :[[#@LINE+1]]:{{[0-9]+}}: error: {{.*}}compat=torch-trt: Torch-TensorRT fails at 'aten.split.Tensor', which has several results; leave out compat
  %1:2 = "aten.split.Tensor"(%x) {split_size = 4 : i64} : (tensor<8xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return %0#0, %1#0 : tensor<2xf32>, tensor<4xf32>
}

// -----

// Cases N24 and N5: what gives integers gives them in the lower type too, and no
// integer is cast. Torch-TensorRT notes f16 for the result of argmax and casts
// indices; here its answer is only which ops are low, as IR has the types that ops
// have.
// CHECK-LABEL: func.func @n24
// CHECK: "aten.argmax"(%{{.*}}) : (tensor<8xf16>) -> tensor<i64>
// CHECK: "aten.index_select"(%{{.*}}, %arg1) {{.*}} : (tensor<8xf16>, tensor<2xi64>) -> tensor<2xf16>
// MODELOPT-LABEL: func.func @n24
// MODELOPT: "aten.argmax"(%{{.*}}) : (tensor<8xf16>) -> tensor<i64>
// MODELOPT: "aten.index_select"(%{{.*}}, %arg1) {{.*}} : (tensor<8xf16>, tensor<2xi64>) -> tensor<2xf16>
// TORCHTRT-LABEL: func.func @n24
// TORCHTRT: "aten.argmax"(%{{.*}}) : (tensor<8xf16>) -> tensor<i64>
// TORCHTRT: "aten.index_select"(%{{.*}}, %arg1) {{.*}} : (tensor<8xf16>, tensor<2xi64>) -> tensor<2xf16>
func.func @n24(%x: tensor<8xf32>, %i: tensor<2xi64>) -> (tensor<i64>, tensor<2xf32>) {
  %0 = "aten.argmax"(%x) : (tensor<8xf32>) -> tensor<i64>
  %1 = "aten.index_select"(%x, %i) {dim = 0 : i64} : (tensor<8xf32>, tensor<2xi64>) -> tensor<2xf32>
  return %0, %1 : tensor<i64>, tensor<2xf32>
}
