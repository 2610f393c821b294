// Entries and rules for ops that exist, but not in this module: silent, and remarks
// for those who ask.
//
// RUN: amp-opt %s --allow-unregistered-dialect --amp-decide-precision 2>&1 | FileCheck %s --check-prefix=SILENT
// RUN: amp-opt %s --allow-unregistered-dialect --amp-decide-precision --remarks-filter=amp 2>&1 >/dev/null | FileCheck %s
// RUN: amp-opt %s --allow-unregistered-dialect --amp-decide-precision="scope=function targets-to-exclude=aten.conv2d" 2>&1 | FileCheck %s --check-prefix=SILENT
// RUN: amp-opt %s --allow-unregistered-dialect --amp-decide-precision="scope=function targets-to-exclude=aten.conv2d" --remarks-filter=amp 2>&1 >/dev/null | FileCheck %s --check-prefix=OPTION
// SILENT-NOT: warning
// SILENT: @f
// OPTION: UnusedRule{{.*}}Op=aten.conv2d, Reason="the rules judge no such op here", Rule="exclude op("aten.conv2d") of option 'targets-to-exclude'"

amp.policy_set @mine device("cuda") extends @torch_cuda {
  // CHECK-DAG: [[@LINE+1]]:3: remark: {{.*}}UnusedEntry{{.*}}Op=aten.bmm, Reason="the module has no such op"
  amp.policy "aten.bmm" fp32
  // CHECK-DAG: [[@LINE+1]]:3: remark: {{.*}}UnusedRule{{.*}}Op=math.exp, {{.*}}Reason="the rules judge no such op here"
  amp.rule exclude op("math.exp")
}
func.func @f(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = amp.autocast device("cuda") dtype(f16) policy(@mine) (%x = %a : tensor<4x4xf32>) -> tensor<4x4xf32> {
    %1 = "aten.mm"(%x, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    amp.yield %1 : tensor<4x4xf32>
  }
  return %0 : tensor<4x4xf32>
}
func.func @g(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = "aten.mm"(%a, %a) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
