// --attribute-error and --bisect: wrong options, and programs for which there is
// nothing to find.

// DEFINE: %{fails} = %python %S/Inputs/fails.py
// RUN: %{fails} 2 amp-run %s --entry=product --autocast=f16 --random --bisect=small 2>&1 | FileCheck %s --check-prefix=TEXT
// TEXT: amp-run: error: --bisect: expected a number of at least 0, found 'small'
// RUN: %{fails} 2 amp-run %s --entry=product --autocast=f16 --random --bisect=-1 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// NEGATIVE: error: --bisect: expected a number of at least 0, found '-1'
// RUN: %{fails} 2 amp-run %s --entry=product --autocast=f16 --random --bisect=nan 2>&1 | FileCheck %s --check-prefix=NAN
// NAN: error: --bisect: expected a number of at least 0, found 'nan'
// RUN: %{fails} 2 amp-run %s --entry=product --autocast=off --random --bisect=0.1 2>&1 | FileCheck %s --check-prefix=OFF
// OFF: error: --bisect: has no meaning with --autocast=off
// RUN: %{fails} 2 amp-run %s --entry=product --autocast=f16 --random --attribute-error --compare=f32 2>&1 | FileCheck %s --check-prefix=COMPARE
// COMPARE: error: --attribute-error: runs the program in its own way; leave --compare out
// RUN: %{fails} 2 amp-run %s --entry=product --autocast=f16 --random --bisect=0.1 --dump-stage=apply 2>&1 | FileCheck %s --check-prefix=DUMP
// DUMP: error: --bisect: runs the program in its own way; leave --dump-stage out
// RUN: %{fails} 2 amp-run %s --entry=product --autocast=f16 --random --policy-output=%t.mlir 2>&1 | FileCheck %s --check-prefix=OUTPUT
// OUTPUT: error: --policy-output: has a meaning only with --bisect
// RUN: %{fails} 2 amp-run %s --entry=product --autocast=f16 --random --bisect=0.1 --policy-output=- 2>&1 | FileCheck %s --check-prefix=STDOUT
// STDOUT: error: --policy-output: expected the name of a file, found '-'
// RUN: %{fails} 2 amp-run %s --entry=product --autocast=f16 --random --max-trials=5 2>&1 | FileCheck %s --check-prefix=TRIALS
// TRIALS: error: --max-trials: has a meaning only with --attribute-error or --bisect
// RUN: %{fails} 2 amp-run %s --entry=product --autocast=f16 --random --bisect=0.1 --max-trials=2 2>&1 | FileCheck %s --check-prefix=FEW
// FEW: error: --max-trials: expected at least 3, found 2
// RUN: %{fails} 2 amp-run %s --entry=product --autocast=f16 --bisect=0.1 2>&1 | FileCheck %s --check-prefix=INPUTS
// INPUTS: error: {{.*}}'a'
// RUN: %{fails} 2 amp-run %s --entry=product --autocast=f16 --unknown-op=guess --random 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: --unknown-op: expected keep, error or follow, found 'guess'

// Neither a scope nor --autocast.
// RUN: %{fails} 1 amp-run %s --entry=product --random --bisect=0.1 2>&1 | FileCheck %s --check-prefix=SCOPE
// RUN: %{fails} 1 amp-run %s --entry=product --random --attribute-error 2>&1 | FileCheck %s --check-prefix=SCOPE
// SCOPE: amp-run: error: no op runs in a lower precision: give --autocast=f16 or bf16, or a program with an amp.autocast region

// Within the limit already: no file.
// RUN: rm -f %t.none.mlir
// RUN: amp-run %s --entry=product --autocast=f16 --random --bisect=0.5 --policy-output=%t.none.mlir | FileCheck %s --check-prefix=WITHIN
// WITHIN: bisect: nothing to keep in f32: the error is within 0.5 already
// RUN: not ls %t.none.mlir

// The file cannot be written.
// RUN: %{fails} 1 amp-run %s --entry=product --autocast=f16 --random --bisect=0 --policy-output=%t-none/policy.mlir 2>&1 | FileCheck %s --check-prefix=WRITE
// WRITE: error: --policy-output: cannot open output file '{{.*}}-none/policy.mlir': No such file or directory

// The program's own f16 numbers run in f32 where the policy of exp wants it, so
// they are others than without autocast, whatever is kept in f32.
// RUN: %{fails} 1 amp-run %s --entry=own_types --autocast=f16 --policy-device=cuda --random --bisect=0 --policy-output=%t.none.mlir 2>&1 | FileCheck %s --check-prefix=NEVER
// NEVER: error: --bisect: even with all 1 ops in f32 that a policy can keep there the error is {{[0-9.e-]+}}, which is over 0
// RUN: not ls %t.none.mlir

func.func @product(%a: tensor<8x8xf32> {amp.name = "a"}, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %m = linalg.matmul {amp.name = "m"} ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %m : tensor<8x8xf32>
}

func.func @own_types(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %x: tensor<64xf16>) -> (tensor<8x8xf32>, tensor<64xf16>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %m = linalg.matmul {amp.name = "m"} ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %0 = math.exp %x : tensor<64xf16>
  %1 = math.exp %0 : tensor<64xf16>
  %2 = math.log %1 : tensor<64xf16>
  return %m, %2 : tensor<8x8xf32>, tensor<64xf16>
}
