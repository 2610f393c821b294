// The rules of the classifier on the command line; amp-compile and amp-report
// take the same options.
//
// DEFINE: %{decide} = amp-run %s --policy-device=cuda --print-decisions
// DEFINE: %{fails} = %python %S/Inputs/fails.py
// RUN: %{decide} --autocast=f16 --classifier | FileCheck %s --check-prefix=PLAIN
// PLAIN: linalg.matmul: lower_precision_fp {{.*}} because default_low{{$}}
// PLAIN: linalg.matmul: lower_precision_fp {{.*}} because default_low{{$}}
// PLAIN: arith.mulf: lower_precision_fp {{.*}} because default_low{{$}}

// RUN: %{decide} --autocast=bf16 --nodes-to-exclude='^he[a,b]d,nothing{1,2}' --nodes-to-exclude=other 2>%t.warn | FileCheck %s --check-prefix=NODES
// RUN: FileCheck %s --check-prefix=WARN < %t.warn
// NODES: linalg.matmul: fp32 {{.*}} because name_rule{{$}}
// NODES: linalg.matmul: lower_precision_fp
// WARN: warning: [AMP-R005] option 'nodes-to-exclude' matches nothing: no op that the rules judge has a name like 'nothing{1,2}'
// WARN: warning: [AMP-R005] option 'nodes-to-exclude' matches nothing: no op that the rules judge has a name like 'other'

// RUN: %{decide} --autocast=f16 --targets-to-exclude=linalg.matmul,arith.mulf --nodes-to-include=head --targets-to-include=arith.mulf | FileCheck %s --check-prefix=TARGETS
// TARGETS: linalg.matmul: lower_precision_fp {{.*}} because included
// TARGETS: linalg.matmul: fp32 {{.*}} because op_rule
// TARGETS: arith.mulf: lower_precision_fp {{.*}} because included

// RUN: %{decide} --autocast=f16 --max-depth-of-reduction=8 --init-max=99 | FileCheck %s --check-prefix=NUMBERS
// NUMBERS: linalg.matmul: lower_precision_fp
// NUMBERS: linalg.matmul: fp32 {{.*}} because reduction_depth
// NUMBERS: arith.mulf: fp32 {{.*}} because init_range
// RUN: %{decide} --autocast=f16 --init-max=inf | FileCheck %s --check-prefix=PLAIN

// What the program computes is what was decided: all in f32 is the same to the
// bit, and 16 bits are not.
// RUN: amp-run %s --device=cpu --random=1 --autocast=f16 --targets-to-exclude=linalg.matmul,arith.mulf --compare=f32 --tolerance=0 > %t.log
// RUN: %{fails} 3 amp-run %s --device=cpu --random=1 --autocast=f16 --classifier --compare=f32 --tolerance=0 > %t.log
// RUN: amp-report %s --autocast=f16 --nodes-to-exclude=head | FileCheck %s --check-prefix=REPORT
// REPORT: linalg.matmul "head" {{.*}}fp32 {{.*}}name_rule

// RUN: %{fails} 2 amp-run %s --autocast=f16 --data-max=4 2>&1 | FileCheck %s --check-prefix=NOPROFILE
// NOPROFILE: error: --data-max: is about values that were seen: it needs --profile=FILE.json
// RUN: %{fails} 2 amp-run %s --autocast=f16 --profile=x.json --data-max=-1 2>&1 | FileCheck %s --check-prefix=DATA
// DATA: error: --data-max: expected a number of at least 0, or inf, found '-1'
// RUN: %{fails} 2 amp-run %s --autocast=f16 --init-max=nan 2>&1 | FileCheck %s --check-prefix=INIT
// INIT: error: --init-max: expected a number of at least 0, or inf, found 'nan'
// RUN: %{fails} 2 amp-run %s --autocast=f16 --max-depth-of-reduction=many 2>&1 | FileCheck %s --check-prefix=DEPTH
// DEPTH: error: --max-depth-of-reduction: expected a number of elements, found 'many'
// RUN: %{fails} 2 amp-run %s --autocast=f16 --nodes-to-exclude='conv,mul(' 2>&1 | FileCheck %s --check-prefix=REGEX
// REGEX: error: the rules of the classifier: option 'nodes-to-exclude' has 'mul(', but expected a POSIX extended regular expression
// RUN: %{fails} 2 amp-run %s --autocast=f16 --targets-to-include=a,,b 2>&1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: error: --targets-to-include: expected names, separated by commas, found 'a,,b'
// RUN: %{fails} 2 amp-run %s --autocast=f16 --compat=tensorrt 2>&1 | FileCheck %s --check-prefix=COMPAT
// COMPAT: error: --compat: expected none, modelopt or torch-trt, found 'tensorrt'
// RUN: %{fails} 2 amp-run %s --autocast=off --classifier 2>&1 | FileCheck %s --check-prefix=OFF
// OFF: error: --classifier and its options: have no meaning with --autocast=off
// RUN: not amp-report %s --autocast=f16 --compat=tensorrt 2>&1 | FileCheck %s --check-prefix=COMPAT
// RUN: not amp-compile %s --autocast=f16 --compat=tensorrt -o %t.o 2>&1 | FileCheck %s --check-prefix=COMPAT

func.func @main(%x: tensor<8x8xf32> {amp.name = "x"}, %y: tensor<8x16xf32> {amp.name = "y"}, %z: tensor<16x8xf32> {amp.name = "z"}) -> (tensor<8x8xf32> {amp.name = "r"}) {
  %zero = arith.constant 0.0 : f32
  %hundred = arith.constant dense<100.0> : tensor<8x8xf32>
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %a = linalg.matmul {amp.name = "head"} ins(%x, %x : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %b = linalg.matmul {amp.name = "deep"} ins(%y, %z : tensor<8x16xf32>, tensor<16x8xf32>) outs(%a : tensor<8x8xf32>) -> tensor<8x8xf32>
  %c = arith.mulf %b, %hundred : tensor<8x8xf32>
  return %c : tensor<8x8xf32>
}
