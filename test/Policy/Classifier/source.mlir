// A decision by an amp.rule says which set holds the rule, and where, as one by
// an amp.policy does: in the attribute, the remark, --print-decisions and the
// report. Options and defaults have no place, so nothing is said of them.
//
// RUN: split-file %s %t
// RUN: amp-opt %t/model.mlir --amp-decide-precision="scope=function dtype=f16 policy-file=%t/rules.mlir" --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s
// RUN: amp-opt %t/model.mlir --amp-decide-precision="scope=function dtype=f16 policy-file=%t/rules.mlir" --remarks-filter=amp 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK
// RUN: amp-run %t/model.mlir --autocast=f16 --policy-device=cuda --policy-file=%t/rules.mlir --print-decisions | FileCheck %s --check-prefix=PRINT
// RUN: amp-report %t/model.mlir --autocast=f16 --policy-device=cuda --policy-file=%t/rules.mlir | FileCheck %s --check-prefix=REPORT
// RUN: amp-report %t/model.mlir --autocast=f16 --policy-device=cuda --policy-file=%t/rules.mlir --format=json | FileCheck %s --check-prefix=JSON
// RUN: amp-opt %t/model.mlir --amp-decide-precision="scope=function dtype=f16 nodes-to-exclude=head" | FileCheck %s --check-prefix=OPTION

// CHECK: linalg.matmul {{.*}}<fp32, {{.*}}, name_rule by @derived at loc("{{.*}}rules.mlir":6:3)>
// CHECK: linalg.matmul {{.*}}<lower_precision_fp, {{.*}}, class_policy by @torch_cuda>
// CHECK: linalg.matmul {{.*}}<fp32, {{.*}}, reduction_depth by @base at loc("{{.*}}rules.mlir":2:3)>
// CHECK: linalg.matmul {{.*}}<lower_precision_fp, {{.*}}, included by @derived at loc("{{.*}}rules.mlir":7:3)>

// REMARK: Entry="@derived at loc("{{.*}}rules.mlir":6:3)", {{.*}}Op=linalg.matmul, Policy=fp32, Reason=name_rule, {{.*}}Rule="exclude name("^head") at loc("{{.*}}rules.mlir":6:3)"
// REMARK: Entry=@torch_cuda, {{.*}}Reason=class_policy
// REMARK: Entry="@base at loc("{{.*}}rules.mlir":2:3)", {{.*}}Reason=reduction_depth

// PRINT: linalg.matmul: fp32 {{.*}} because name_rule of @derived at {{.*}}rules.mlir:6:3
// PRINT: linalg.matmul: lower_precision_fp {{.*}} because class_policy of @torch_cuda{{$}}
// PRINT: linalg.matmul: fp32 {{.*}} because reduction_depth of @base at {{.*}}rules.mlir:2:3
// PRINT: linalg.matmul: lower_precision_fp {{.*}} because included of @derived at {{.*}}rules.mlir:7:3

// REPORT-DAG: fp32 {{.*}}name_rule of @derived at {{.*}}rules.mlir:6:3
// REPORT-DAG: fp32 {{.*}}reduction_depth of @base at {{.*}}rules.mlir:2:3

// JSON: "reason": "name_rule"
// JSON-NEXT: "policy_set": "derived"
// JSON-NEXT: "policy_location": "{{.*}}rules.mlir:6:3"

// OPTION: linalg.matmul {{.*}}, name_rule>
// OPTION: linalg.matmul {{.*}}, default_low>

//--- rules.mlir
amp.policy_set @base device("cuda") extends @torch_cuda {
  amp.rule exclude depth(16)
}

amp.policy_set @derived device("cuda") extends @base {
  amp.rule exclude name("^head")
  amp.rule include name("^let.me.in$")
}

//--- model.mlir
func.func @main(%x: tensor<8x8xf32>, %y: tensor<8x32xf32>, %z: tensor<32x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %a = linalg.matmul {amp.name = "head"} ins(%x, %x : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %b = linalg.matmul {amp.name = "body"} ins(%x, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %c = linalg.matmul {amp.name = "deep"} ins(%y, %z : tensor<8x32xf32>, tensor<32x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %d = linalg.matmul {amp.name = "let.me.in"} ins(%y, %z : tensor<8x32xf32>, tensor<32x8xf32>) outs(%b : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %c, %d : tensor<8x8xf32>, tensor<8x8xf32>
}
