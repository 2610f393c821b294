// Which ops must stay in f32. The products of the first layer reach 2^17, beyond
// f16; the second brings them back. It has no name, so its place says which it is.

// RUN: %python %S/Inputs/layers.py %t
// DEFINE: %{run} = amp-run %s --autocast=f16 --policy-device=cuda --weights=%t.npz
// RUN: %{run} --compare=f32 | FileCheck %s --check-prefix=BAD
// BAD: compare y: {{.*}} mismatches={{[1-9]}}

// The two products that touch the large numbers stay in f32, and only these. The
// error of the others is below 2^-9 of the largest number, as in autocast.mlir.
// RUN: %{run} --bisect=0.002 --policy-output=%t.policy.mlir | FileCheck %s --check-prefix=FOUND
// FOUND: bisect: error={{[0-9.e-]+}} limit=0.002 kept=2 of=3 error_before={{.*}}mismatches minimal=yes
// FOUND-NEXT: bisect keep: linalg.matmul "large" at {{.*}}bisect.mlir:[[#@LINE+47]]:8
// FOUND-NEXT: bisect keep: linalg.matmul at {{.*}}bisect.mlir:[[#@LINE+47]]:8
// FOUND-NEXT: bisect: wrote {{.*}}.policy.mlir; use it with --policy-file={{.*}}.policy.mlir{{$}}
// RUN: FileCheck %s --check-prefix=FILE < %t.policy.mlir
// FILE: // Written by amp-run --bisect: error=
// FILE-NEXT: amp.policy_set @bisect_cuda device("cuda") extends @torch_cuda {
// FILE-NEXT: // linalg.matmul "large" at
// FILE-NEXT: amp.rule exclude name("^large$")
// FILE-NEXT: // linalg.matmul at
// FILE-NEXT: amp.rule exclude location("bisect.mlir:[[#@LINE+39]]:8") op("linalg.matmul")
// FILE-NEXT: }
// RUN: %{run} --compare=f32 --tolerance=0.002 --policy-file=%t.policy.mlir

// The report says that rules decided.
// RUN: amp-report %s --autocast=f16 --policy-device=cuda --policy-file=%t.policy.mlir | FileCheck %s --check-prefix=RULE
// RULE: linalg.matmul "large" {{ *}}fp32 {{.*}} name_rule
// RULE: linalg.matmul {{ *}}fp32 {{.*}} name_rule

// With fewer runs than it takes to know that none can be left out.
// RUN: %{run} --bisect=0.002 --policy-output=%t.few.mlir --max-trials=4 2>&1 | FileCheck %s --check-prefix=FEW
// FEW-DAG: bisect: {{.*}} minimal=no
// FEW-DAG: amp-run: warning: --bisect: stopped after {{[0-9]+}} trials: some of these ops may not be needed; give more with --max-trials

// On top of a policy file that is in use: its sets stay, and the new set extends
// the one that the scopes use.
// RUN: echo 'amp.policy_set @own device("cuda") extends @torch_cuda { amp.rule exclude name("^large$") }' > %t.own.mlir
// RUN: %{run} --policy-file=%t.own.mlir --bisect=0.002 --policy-output=%t.both.mlir | FileCheck %s --check-prefix=BOTH
// BOTH: bisect: {{.*}} kept=1 of=2
// BOTH: use it with --policy-file={{.*}}.both.mlir --policy=@bisect_cuda
// RUN: FileCheck %s --check-prefix=CHAIN < %t.both.mlir
// CHAIN: amp.policy_set @own
// CHAIN: amp.policy_set @bisect_cuda device("cuda") extends @own {
// RUN: %{run} --compare=f32 --tolerance=0.002 --policy-file=%t.both.mlir --policy=@bisect_cuda

// Under the rules of the classifier the new set extends these, and functions use
// it in place of @classifier, with the options of the rules that are given.
// DEFINE: %{rules} = amp-run %s --autocast=f16 --classifier --init-max=inf --weights=%t.npz
// RUN: %{rules} --bisect=0.002 --policy-output=%t.rules.mlir | FileCheck %s --check-prefix=RULES
// RULES: bisect: {{.*}} limit=0.002 kept=2 of=3 {{.*}} minimal=yes
// RUN: FileCheck %s --check-prefix=RULESFILE < %t.rules.mlir
// RULESFILE: amp.policy_set @bisect_cpu device("cpu") extends @classifier {
// RUN: %{rules} --compare=f32 --tolerance=0.002 --policy-file=%t.rules.mlir

func.func @main(%x: tensor<4x8xf32> {amp.name = "x"}, %w1: tensor<8x8xf32> {amp.name = "w1"}, %w2: tensor<8x8xf32> {amp.name = "w2"}, %w3: tensor<8x8xf32> {amp.name = "w3"}) -> (tensor<4x8xf32> {amp.name = "y"}) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %a = linalg.matmul {amp.name = "large"} ins(%x, %w1 : tensor<4x8xf32>, tensor<8x8xf32>) outs(%z : tensor<4x8xf32>) -> tensor<4x8xf32>
  %b = linalg.matmul ins(%a, %w2 : tensor<4x8xf32>, tensor<8x8xf32>) outs(%z : tensor<4x8xf32>) -> tensor<4x8xf32>
  %c = linalg.matmul {amp.name = "last"} ins(%b, %w3 : tensor<4x8xf32>, tensor<8x8xf32>) outs(%z : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %c : tensor<4x8xf32>
}
