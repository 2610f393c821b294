// Policy sets of the module and of a file, in amp-run; amp-compile takes the same
// options.
//
// RUN: split-file %s %t
// RUN: amp-run %t/model.mlir --autocast=bf16 --policy-device=cpu --print-decisions | FileCheck %s --check-prefix=BUILTIN
// RUN: amp-run %t/model.mlir --autocast=bf16 --policy-device=cpu --policy-file=%t/policies.mlir --print-decisions | FileCheck %s --check-prefix=FILE
// RUN: amp-run %t/model.mlir --autocast=bf16 --policy-device=cpu --policy=@of_module --print-decisions | FileCheck %s --check-prefix=MODULE
// RUN: amp-run %t/model.mlir --autocast=f16 --policy-device=mps --print-decisions | FileCheck %s --check-prefix=MPS
//
// BUILTIN: linalg.matmul: lower_precision_fp {{.*}} because class_policy of @torch_cpu{{$}}
// BUILTIN: math.exp: fallthrough {{.*}} because unlisted{{$}}
// FILE: linalg.matmul: fp32 {{.*}} because op_policy of @of_file at {{.*}}policies.mlir:2:3
// FILE: math.exp: fallthrough
// MODULE: linalg.matmul: lower_precision_fp
// MODULE: math.exp: fp32 {{.*}} because op_policy of @of_module at {{.*}}model.mlir:2:3
// MPS: math.exp: fp32 {{.*}} because op_policy of @torch_mps{{$}}
//
// A product in f32 is that of the program: without a policy it is not.
// RUN: amp-run %t/model.mlir --device=cpu --random=1 --autocast=bf16 --policy-device=cpu --policy-file=%t/policies.mlir --compare=f32 --tolerance=1e-6 > %t.log
// RUN: %python %S/Inputs/fails.py 3 amp-run %t/model.mlir --device=cpu --random=1 --autocast=bf16 --policy-device=cpu --compare=f32 --tolerance=1e-6 > %t.log
//
// RUN: %python %S/Inputs/fails.py 1 amp-run %t/model.mlir --autocast=bf16 --policy-file=%t/none.mlir --print-decisions 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: [AMP-P008] the policy file cannot be read: cannot open input file '{{.*}}none.mlir'
// RUN: %python %S/Inputs/fails.py 1 amp-run %t/model.mlir --autocast=bf16 --policy-file=%t/wrong.mlir --print-decisions 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: wrong.mlir:2:31: error: {{.*}}unknown policy 'fp31'; did you mean 'fp32'?
// RUN: %python %S/Inputs/fails.py 1 amp-run %t/model.mlir --autocast=bf16 --policy-device=cpu --policy=@of_modul --print-decisions 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: error: [AMP-P007] option 'policy' names @of_modul, but there is no policy set of this name; did you mean @of_module?
// RUN: %python %S/Inputs/fails.py 2 amp-run %t/model.mlir --unknown-op=warn 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: --unknown-op: expected keep, error or follow, found 'warn'

//--- model.mlir
amp.policy_set @of_module device("cpu") extends @torch_cpu {
  amp.policy "math.exp" fp32
}
func.func @main(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %0 = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = math.exp %0 : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}
//--- policies.mlir
amp.policy_set @of_file device("cpu") extends @torch_cpu {
  amp.policy "linalg.matmul" fp32
}
//--- wrong.mlir
amp.policy_set @of_file device("cpu") {
  amp.policy "linalg.matmul"  fp31
}
