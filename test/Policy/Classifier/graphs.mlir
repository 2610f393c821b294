// The cases of ModelOpt's own tests that are about models as a whole: types of
// results, empty tensors, versions of ops, inference that fails, patterns, and
// passes that follow. Where a case is about ONNX files, the nearest thing in IR is
// tested. Each with compat=modelopt and by amp's own rules. docs/classifier.md
// lists the case numbers.
//
// DEFINE: %{theirs} = --allow-unregistered-dialect --amp-decide-precision="scope=function compat=modelopt
// DEFINE: %{ours} = --allow-unregistered-dialect --amp-decide-precision="scope=function classifier
// RUN: split-file %s %t

//--- two-types.mlir
// Case P12, one value is returned in f32, and through the program's cast in f16.
// Both results keep their types, and there is no third op.
// RUN: amp-opt %t/two-types.mlir %{theirs} nodes-to-exclude=add" --amp-apply-precision | FileCheck %s --check-prefix=P12
// RUN: amp-opt %t/two-types.mlir %{ours} nodes-to-exclude=add" --amp-apply-precision | FileCheck %s --check-prefix=P12
// P12: func.func @two_types({{.*}}) -> (tensor<4xf32>, tensor<4xf16>)
// P12-NEXT: %[[Y1:.*]] = "onnx.Add"{{.*}} -> tensor<4xf32>
// P12-NEXT: %[[Y2:.*]] = amp.cast %[[Y1]] : tensor<4xf32> to tensor<4xf16>
// P12-NEXT: return %[[Y1]], %[[Y2]]
func.func @two_types(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf16>) {
  %0 = "onnx.Add"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> loc("add")
  %1 = amp.cast %0 : tensor<4xf32> to tensor<4xf16>
  return %0, %1 : tensor<4xf32>, tensor<4xf16>
}

//--- empty.mlir
// Case P14, an empty constant has the type of the op that takes it, and needs no
// cast; an empty argument keeps its type, with a real cast.
// RUN: amp-opt %t/empty.mlir %{theirs} nodes-to-exclude=high" --amp-apply-precision --canonicalize | FileCheck %s --check-prefix=P14
// RUN: amp-opt %t/empty.mlir %{ours} nodes-to-exclude=high" --amp-apply-precision --canonicalize | FileCheck %s --check-prefix=P14
// P14: func.func @empty(%[[X:.*]]: tensor<4xf32>, %[[E:.*]]: tensor<0xf32>)
// P14-DAG: %[[LOW:.*]] = arith.constant dense<> : tensor<0xf16>
// P14-DAG: %[[HIGH:.*]] = arith.constant dense<> : tensor<0xf32>
// P14: "onnx.Concat"(%{{.*}}, %[[LOW]]) {{.*}} -> tensor<4xf16>
// P14: "onnx.Concat"(%[[X]], %[[HIGH]]) {{.*}} -> tensor<4xf32>
// P14: %[[EL:.*]] = amp.cast %[[E]] {{.*}}: tensor<0xf32> to tensor<0xf16>
// P14: "onnx.Concat"(%{{.*}}, %[[EL]]) {{.*}} -> tensor<4xf16>
// P14: return %{{.*}} : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
func.func @empty(%x: tensor<4xf32>, %e: tensor<0xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %c = arith.constant dense<> : tensor<0xf32>
  %0 = "onnx.Concat"(%x, %c) {axis = 0 : si64} : (tensor<4xf32>, tensor<0xf32>) -> tensor<4xf32> loc("low")
  %1 = "onnx.Concat"(%x, %c) {axis = 0 : si64} : (tensor<4xf32>, tensor<0xf32>) -> tensor<4xf32> loc("high")
  %2 = "onnx.Concat"(%x, %e) {axis = 0 : si64} : (tensor<4xf32>, tensor<0xf32>) -> tensor<4xf32> loc("other")
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

//--- resize.mlir
// Case P16, a convolution and two resizes, with scales of the program's own and
// with computed ones. Data are in the lower type; scales stay in f32, computed
// ones are cast back; regions are in f16, and stay in f32 beside bf16.
// RUN: amp-opt %t/resize.mlir %{theirs}" --amp-apply-precision --canonicalize | FileCheck %s --check-prefixes=P16,P16F
// RUN: amp-opt %t/resize.mlir %{ours}" --amp-apply-precision --canonicalize | FileCheck %s --check-prefixes=P16,P16F
// RUN: amp-opt %t/resize.mlir %{theirs} results=propagate" --amp-apply-precision --canonicalize | FileCheck %s --check-prefixes=P16,P16F
// RUN: amp-opt %t/resize.mlir %{theirs} low-precision-type=bf16" --amp-apply-precision --canonicalize | FileCheck %s --check-prefixes=P16,P16B
// RUN: amp-opt %t/resize.mlir %{ours} low-precision-type=bf16" --amp-apply-precision --canonicalize | FileCheck %s --check-prefixes=P16,P16B
// P16: "onnx.Conv"{{.*}} -> tensor<1x2x4x4x[[T:b?f16]]>
// P16F: "onnx.Resize"{{.*}} : (tensor<1x2x4x4xf16>, tensor<8xf16>, tensor<4xf32>) -> tensor<1x2x8x8xf16>
// P16B: "onnx.Resize"{{.*}} : (tensor<1x2x4x4xbf16>, tensor<8xf32>, tensor<4xf32>) -> tensor<1x2x8x8xbf16>
// P16: %[[S:.*]] = "onnx.Mul"{{.*}} -> tensor<4x[[T]]>
// P16: %[[UP:.*]] = amp.cast %[[S]] {{.*}}: tensor<4x[[T]]> to tensor<4xf32>
// P16: "onnx.Resize"(%{{.*}}, %{{.*}}, %[[UP]]) : (tensor<1x2x8x8x[[T]]>, tensor<8x{{.*}}>, tensor<4xf32>) -> tensor<1x2x16x16x[[T]]>
func.func @resize(%x: tensor<1x2x4x4xf32>, %w: tensor<2x2x1x1xf32>, %s: tensor<4xf32>) -> tensor<1x2x16x16xf32> {
  %roi = arith.constant dense<0.5> : tensor<8xf32>
  %scales = arith.constant dense<[1.0, 1.0, 2.0, 2.0]> : tensor<4xf32>
  %0 = "onnx.Conv"(%x, %w) : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %1 = "onnx.Resize"(%0, %roi, %scales) : (tensor<1x2x4x4xf32>, tensor<8xf32>, tensor<4xf32>) -> tensor<1x2x8x8xf32>
  %2 = "onnx.Mul"(%s, %s) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %3 = "onnx.Resize"(%1, %roi, %2) : (tensor<1x2x8x8xf32>, tensor<8xf32>, tensor<4xf32>) -> tensor<1x2x16x16xf32>
  return %3 : tensor<1x2x16x16xf32>
}

//--- isinf.mlir
// Case P18, from opset 20 on IsInf takes f16, before only f32. An op in IR has no
// opset; where an older one is meant, the op is excluded by its name. Its result
// is of booleans either way.
// RUN: amp-opt %t/isinf.mlir %{theirs}" --amp-apply-precision | FileCheck %s --check-prefixes=P18,P18N
// RUN: amp-opt %t/isinf.mlir %{ours}" --amp-apply-precision | FileCheck %s --check-prefixes=P18,P18N
// RUN: amp-opt %t/isinf.mlir %{theirs} targets-to-exclude=onnx.IsInf" --amp-apply-precision | FileCheck %s --check-prefixes=P18,P18O
// RUN: amp-opt %t/isinf.mlir %{ours} targets-to-exclude=onnx.IsInf" --amp-apply-precision | FileCheck %s --check-prefixes=P18,P18O
// Case P19, versions that the module or an op states stay; the lower type may be
// one that an older version lacks, and there is no warning, as the types of an op
// are not of ONNX's choice here.
// RUN: amp-opt %t/isinf.mlir %{theirs} low-precision-type=bf16" --amp-apply-precision 2>&1 | FileCheck %s --check-prefix=P19
// RUN: amp-opt %t/isinf.mlir %{ours} low-precision-type=bf16" --amp-apply-precision 2>&1 | FileCheck %s --check-prefix=P19
// P18: "onnx.Conv"{{.*}} -> tensor<1x2x4x4xf16>
// P18N: "onnx.IsInf"{{.*}} : (tensor<1x2x4x4xf16>) -> tensor<1x2x4x4xi1>
// P18O: "onnx.IsInf"{{.*}} : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xi1>
// P19-NOT: warning
// P19: module attributes {onnx.opset = 11 : i64}
// P19: "onnx.Conv"(%{{.*}}) {onnx.since = 11 : i64} : {{.*}} -> tensor<1x2x4x4xbf16>
module attributes {onnx.opset = 11 : i64} {
  func.func @isinf(%x: tensor<1x2x4x4xf32>, %w: tensor<2x2x1x1xf32>) -> tensor<1x2x4x4xi1> {
    %0 = "onnx.Conv"(%x, %w) {onnx.since = 11 : i64} : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x4x4xf32>
    %1 = "onnx.IsInf"(%0) : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xi1>
    return %1 : tensor<1x2x4x4xi1>
  }
}

//--- topk.mlir
// Case P20, more elements than there are, so that no shape can be inferred: the
// types of the op count, and it is converted.
// RUN: amp-opt %t/topk.mlir %{theirs}" --amp-apply-precision | FileCheck %s --check-prefix=P20
// RUN: amp-opt %t/topk.mlir %{ours}" --amp-apply-precision | FileCheck %s --check-prefix=P20
// P20: "onnx.TopK"(%{{.*}}) : (tensor<4xf16>, tensor<1xi64>) -> (tensor<9xf16>, tensor<9xi64>)
func.func @topk(%x: tensor<4xf32>) -> (tensor<9xf32>, tensor<9xi64>) {
  %k = arith.constant dense<9> : tensor<1xi64>
  %0:2 = "onnx.TopK"(%x, %k) : (tensor<4xf32>, tensor<1xi64>) -> (tensor<9xf32>, tensor<9xi64>)
  return %0#0, %0#1 : tensor<9xf32>, tensor<9xi64>
}

//--- casts.mlir
// Case P21, a graph that is all casts. ModelOpt drops them, and has a cast of f32
// to f32 in the end, as an output needs an op there; a function returns its
// argument. By amp's own rules casts of the program stay.
// RUN: amp-opt %t/casts.mlir %{theirs}" --amp-apply-precision | FileCheck %s --check-prefix=P21M
// RUN: amp-opt %t/casts.mlir %{ours}" --amp-apply-precision | FileCheck %s --check-prefix=P21
// P21M: func.func @casts(%[[X:.*]]: tensor<4xf32>) -> tensor<4xf32>
// P21M-NEXT: return %[[X]] : tensor<4xf32>
// P21: %[[L:.*]] = amp.cast %{{.*}} : tensor<4xf32> to tensor<4xf16>
// P21-NEXT: %[[H:.*]] = amp.cast %[[L]] : tensor<4xf16> to tensor<4xf32>
// P21-NEXT: return %[[H]]
func.func @casts(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = amp.cast %x : tensor<4xf32> to tensor<4xf16>
  %1 = amp.cast %0 : tensor<4xf16> to tensor<4xf32>
  return %1 : tensor<4xf32>
}

//--- norms.mlir
// Case P23, a normalization in pieces. ModelOpt makes one op of it, which is low;
// so are its pieces with compat=modelopt. By amp's own rules what loses precision
// stays in f32: the deviation, its square, the mean of that, and the division;
// scale and bias need not. Axes -1 and 1, with bias and without; and what only
// looks like it (no square), which neither knows.
// RUN: amp-opt %t/norms.mlir %{theirs}" | FileCheck %s --check-prefix=P23M --implicit-check-not='decision<fp32'
// RUN: amp-opt %t/norms.mlir %{ours}" | FileCheck %s --check-prefix=P23
// P23M-COUNT-21: #amp.decision<lower_precision_fp, {{.*}}, default_low>
// P23-LABEL: func.func @norm
// P23: "onnx.Sub"{{.*}}#amp.decision<fp32, {{.*}}, variance>
// P23: "onnx.Pow"{{.*}}#amp.decision<fp32, {{.*}}, variance>
// P23: "onnx.ReduceMean"{{.*}}#amp.decision<fp32, {{.*}}, variance>
// P23: "onnx.Add"{{.*}}#amp.decision<fp32, {{.*}}, epsilon_division>
// P23: "onnx.Sqrt"{{.*}}#amp.decision<fp32, {{.*}}, epsilon_division>
// P23: "onnx.Div"{{.*}}#amp.decision<fp32, {{.*}}, epsilon_division>
// P23: "onnx.Mul"{{.*}}#amp.decision<lower_precision_fp, {{.*}}, default_low>
// P23: "onnx.Add"{{.*}}#amp.decision<lower_precision_fp, {{.*}}, default_low>
// P23-LABEL: func.func @norm_of_first_axis
// P23: "onnx.Sub"{{.*}}#amp.decision<fp32, {{.*}}, variance>
// P23: "onnx.Div"{{.*}}#amp.decision<fp32, {{.*}}, epsilon_division>
// P23: "onnx.Mul"{{.*}}#amp.decision<lower_precision_fp, {{.*}}, default_low>
// P23-LABEL: func.func @no_norm
// P23-NOT: variance
// P23: "onnx.Div"{{.*}}#amp.decision<lower_precision_fp, {{.*}}, default_low>
func.func @norm(%x: tensor<2x8xf32>, %scale: tensor<8xf32>, %bias: tensor<8xf32>) -> tensor<2x8xf32> {
  %two = arith.constant dense<2.0> : tensor<f32>
  %eps = arith.constant dense<1.0e-5> : tensor<f32>
  %0 = "onnx.ReduceMean"(%x) {axes = [-1]} : (tensor<2x8xf32>) -> tensor<2x1xf32>
  %1 = "onnx.Sub"(%x, %0) : (tensor<2x8xf32>, tensor<2x1xf32>) -> tensor<2x8xf32>
  %2 = "onnx.Pow"(%1, %two) : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %3 = "onnx.ReduceMean"(%2) {axes = [-1]} : (tensor<2x8xf32>) -> tensor<2x1xf32>
  %4 = "onnx.Add"(%3, %eps) : (tensor<2x1xf32>, tensor<f32>) -> tensor<2x1xf32>
  %5 = "onnx.Sqrt"(%4) : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %6 = "onnx.Div"(%1, %5) : (tensor<2x8xf32>, tensor<2x1xf32>) -> tensor<2x8xf32>
  %7 = "onnx.Mul"(%6, %scale) : (tensor<2x8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
  %8 = "onnx.Add"(%7, %bias) : (tensor<2x8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
  return %8 : tensor<2x8xf32>
}
func.func @norm_of_first_axis(%x: tensor<8x2xf32>, %scale: tensor<8x2xf32>) -> tensor<8x2xf32> {
  %two = arith.constant dense<2.0> : tensor<f32>
  %eps = arith.constant dense<1.0e-5> : tensor<f32>
  %0 = "onnx.ReduceMean"(%x) {axes = [1]} : (tensor<8x2xf32>) -> tensor<8x1xf32>
  %1 = "onnx.Sub"(%x, %0) : (tensor<8x2xf32>, tensor<8x1xf32>) -> tensor<8x2xf32>
  %2 = "onnx.Pow"(%1, %two) : (tensor<8x2xf32>, tensor<f32>) -> tensor<8x2xf32>
  %3 = "onnx.ReduceMean"(%2) {axes = [1]} : (tensor<8x2xf32>) -> tensor<8x1xf32>
  %4 = "onnx.Add"(%3, %eps) : (tensor<8x1xf32>, tensor<f32>) -> tensor<8x1xf32>
  %5 = "onnx.Sqrt"(%4) : (tensor<8x1xf32>) -> tensor<8x1xf32>
  %6 = "onnx.Div"(%1, %5) : (tensor<8x2xf32>, tensor<8x1xf32>) -> tensor<8x2xf32>
  %7 = "onnx.Mul"(%6, %scale) : (tensor<8x2xf32>, tensor<8x2xf32>) -> tensor<8x2xf32>
  return %7 : tensor<8x2xf32>
}
func.func @no_norm(%x: tensor<2x8xf32>, %y: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %0 = "onnx.ReduceMean"(%x) {axes = [-1]} : (tensor<2x8xf32>) -> tensor<2x1xf32>
  %1 = "onnx.Sub"(%x, %0) : (tensor<2x8xf32>, tensor<2x1xf32>) -> tensor<2x8xf32>
  %2 = "onnx.Sqrt"(%y) : (tensor<2x8xf32>) -> tensor<2x8xf32>
  %3 = "onnx.Div"(%1, %2) : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
  return %3 : tensor<2x8xf32>
}

//--- doubles.mlir
// Case P23, second half: ModelOpt makes f32 of all that is f64 (arguments,
// results, constants, casts), and a second run changes nothing. By amp's own rules
// f64 stays: nobody asked to narrow it.
// RUN: amp-opt %t/doubles.mlir %{theirs}" --amp-apply-precision 2>%t.first | FileCheck %s --check-prefix=F64M --implicit-check-not=f64
// RUN: FileCheck %s --check-prefix=F64W < %t.first
// RUN: amp-opt %t/doubles.mlir %{theirs}" --amp-apply-precision 2>/dev/null | amp-opt %{theirs}" --amp-apply-precision 2>&1 | FileCheck %s --check-prefix=F64M --implicit-check-not=warning
// RUN: amp-opt %t/doubles.mlir %{ours}" --amp-apply-precision | FileCheck %s --check-prefix=F64
// F64W: warning: [AMP-R010] compat=modelopt: all that was f64 became f32
// F64M: func.func @doubles(%{{.*}}: tensor<4xf32>) -> tensor<4xf32>
// F64M-DAG: arith.constant dense<1.500000e+00> : tensor<4xf32>
// F64M-DAG: arith.constant dense<[1.000000e-01, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
// F64M: "onnx.Add"{{.*}} -> tensor<4xf16>
// F64M: "onnx.Mul"{{.*}} -> tensor<4xf16>
// F64: func.func @doubles(%{{.*}}: tensor<4xf64>) -> tensor<4xf64>
// F64: "onnx.Add"{{.*}} -> tensor<4xf64>
// F64: arith.truncf
// F64: "onnx.Mul"{{.*}} -> tensor<4xf16>
// F64: arith.extf
func.func @doubles(%x: tensor<4xf64>) -> tensor<4xf64> {
  %c = arith.constant dense<1.5> : tensor<4xf64>
  %r = arith.constant dense<[0.1, 2.0, 3.0, 4.0]> : tensor<4xf64>
  %0 = "onnx.Add"(%x, %c) : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %1 = "onnx.Sub"(%0, %r) : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %2 = arith.truncf %1 : tensor<4xf64> to tensor<4xf32>
  %3 = "onnx.Mul"(%2, %2) {alpha = 0.1 : f64} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %4 = arith.extf %3 : tensor<4xf32> to tensor<4xf64>
  return %4 : tensor<4xf64>
}

//--- quantize.mlir
// Case P24, a pass that follows, such as a quantizer, finds all products where
// they were: here a transform script that marks them.
// RUN: amp-opt %t/quantize.mlir %{theirs}" --amp-apply-precision --transform-interpreter | FileCheck %s --check-prefix=P24
// RUN: amp-opt %t/quantize.mlir %{ours}" --amp-apply-precision --transform-interpreter | FileCheck %s --check-prefix=P24
// P24-COUNT-2: "onnx.MatMul"(%{{.*}}) {quantize} : (tensor<4x4xf16>, tensor<4x4xf16>) -> tensor<4x4xf16>
// P24-NOT: "onnx.MatMul"(
module attributes {transform.with_named_sequence} {
  func.func @quantize(%x: tensor<4x4xf32>, %w: tensor<4x4xf32>) -> tensor<4x4xf32> {
    %0 = "onnx.MatMul"(%x, %w) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %1 = "onnx.Relu"(%0) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %2 = "onnx.MatMul"(%1, %w) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    return %2 : tensor<4x4xf32>
  }
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %products = transform.structured.match ops{["onnx.MatMul"]} in %module : (!transform.any_op) -> !transform.any_op
    transform.annotate %products "quantize" : !transform.any_op
    transform.yield
  }
}
