// The command line, the choice of the function, and the exit codes.

// RUN: amp-run --help | FileCheck %s --check-prefix=HELP
// HELP: Exit codes: 0 success; 1 the compilation or the run failed; 2 bad usage or bad
// HELP-NEXT: input; 3 a result is out of --tolerance.
// HELP: --dump-stage=<NAME>
// HELP: decide:

// RUN: %python %S/Inputs/fails.py 2 amp-run 2>&1 | FileCheck %s --check-prefix=MODEL
// MODEL: error: expected the name of a module: amp-run MODEL.mlir
// RUN: %python %S/Inputs/fails.py 2 amp-run %t-none.mlir 2>&1 | FileCheck %s --check-prefix=FILE
// FILE: error: cannot open input file '{{.*}}-none.mlir': No such file or directory
// RUN: %python %S/Inputs/fails.py 2 amp-run %S/Inputs/arrays.py 2>&1 | FileCheck %s --check-prefix=SYNTAX --implicit-check-not=error:
// SYNTAX: arrays.py:1:1: error:
// RUN: %python %S/Inputs/fails.py 2 amp-run %s --no-such-option 2>&1 | FileCheck %s --check-prefix=OPTION
// OPTION: Unknown command line argument '--no-such-option'
// RUN: %python %S/Inputs/fails.py 2 amp-run %s 2>&1 | FileCheck %s --check-prefix=ENTRY
// ENTRY: error: the module has 8 public functions and none is called 'main'; choose one with --entry: 'twice', 'unknown', 'nothing', 'helper', 'calls_declared', 'divides', 'asserts', 'product', 'slice'
// RUN: %python %S/Inputs/fails.py 2 amp-run %s --entry other 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: error: the module has no function 'other' with a body; it has 'twice', 'unknown', 'nothing', 'helper', 'calls_declared', 'divides', 'asserts', 'product', 'slice'
// RUN: %python %S/Inputs/fails.py 2 amp-run %s --entry declared 2>&1 | FileCheck %s --check-prefix=DECLARED
// DECLARED: error: the module has no function 'declared' with a body

// RUN: %python %S/Inputs/fails.py 2 amp-run %s --entry twice --autocast=f8 2>&1 | FileCheck %s --check-prefix=AUTOCAST
// AUTOCAST: error: --autocast: expected bf16, f16 or off, found 'f8'
// RUN: %python %S/Inputs/fails.py 2 amp-run %s --entry twice --results=keep 2>&1 | FileCheck %s --check-prefix=RESULTS
// RESULTS: error: --results: expected preserve or propagate, found 'keep'
// RUN: %python %S/Inputs/fails.py 2 amp-run %s --entry twice --compare=f64 2>&1 | FileCheck %s --check-prefix=COMPARE
// COMPARE: error: --compare: expected f32, found 'f64'
// RUN: %python %S/Inputs/fails.py 2 amp-run %s --entry twice --tolerance=0.1 2>&1 | FileCheck %s --check-prefix=TOLERANCE
// TOLERANCE: error: --tolerance: has a meaning only with --compare=f32
// RUN: %python %S/Inputs/fails.py 2 amp-run %s --entry twice --compare=f32 --tolerance=nan 2>&1 | FileCheck %s --check-prefix=NOTOL
// NOTOL: error: --tolerance: expected a number of at least 0, found 'nan'
// RUN: %python %S/Inputs/fails.py 2 amp-run %s --entry twice --time=0 2>&1 | FileCheck %s --check-prefix=RUNS
// RUNS: error: --time: expected 1 to 1000000 runs, found 0
// RUN: %python %S/Inputs/fails.py 2 amp-run %s --entry twice --random=x 2>&1 | FileCheck %s --check-prefix=SEED
// SEED: error: --random: expected a number, found 'x'
// RUN: %python %S/Inputs/fails.py 2 amp-run %s --entry twice --output=y.txt 2>&1 | FileCheck %s --check-prefix=OUTPUT
// OUTPUT: error: --output: expected a name that ends in .npz or .npy, found 'y.txt'
// RUN: %python %S/Inputs/fails.py 2 amp-run %s --entry twice --dump-stage=middle 2>&1 | FileCheck %s --check-prefix=STAGE
// STAGE: error: --dump-stage: expected decide, apply, resolve, to-linalg, cpu, llvm, kernels, buffers, gpu, device; found 'middle'

// A module that is valid, but cannot be compiled, or whose result cannot be
// written, is no bad input.
// RUN: %python %S/Inputs/fails.py 1 amp-run %s --entry unknown --random 2>&1 | FileCheck %s --check-prefix=UNKNOWN --implicit-check-not=error:
// UNKNOWN: command-line.mlir:[[#@LINE+38]]:{{.*}}: error: cannot be compiled: 'some.op' is not a registered op
// RUN: %python %S/Inputs/fails.py 1 amp-run %s --entry calls_declared --random 2>&1 | FileCheck %s --check-prefix=BODYLESS --implicit-check-not=error:
// BODYLESS: command-line.mlir:{{.*}}: error: cannot be compiled: 'declared' has no body; define it in this module, or choose a function that does not use it with --entry
// RUN: %python %S/Inputs/fails.py 1 amp-run %s --entry twice --random --output %t-none/y.npy 2>&1 | FileCheck %s --check-prefix=WRITE
// WRITE: error: cannot write '{{.*}}-none/y.npy': {{.*}}No such file or directory

// A fault of the compiled code is an error of the program, not a stack dump.
// RUN: %python %S/Inputs/fails.py 1 amp-run %s --entry divides --input 0=1 --input 1=0 2>&1 | FileCheck %s --check-prefix=DIVIDES
// DIVIDES-NOT: Stack dump
// DIVIDES: amp-run: error: the run of {{.*}}command-line.mlir was stopped by an integer division by zero, or one that overflows; check the shapes and the values of the inputs
// DIVIDES-NOT: Stack dump
// RUN: %python %S/Inputs/fails.py 1 amp-run %s --entry asserts --input 0=0 > %t.asserts 2>&1
// RUN: FileCheck %s --check-prefix=ASSERTS --input-file %t.asserts
// ASSERTS-DAG: the flag is not set
// ASSERTS-DAG: amp-run: error: the run of {{.*}}command-line.mlir was stopped by a check that failed, which standard output shows, or a lack of memory; check the shapes and the values of the inputs
// So are sizes that do not agree, instead of a read of what is not there.
// RUN: %python %S/Inputs/fails.py 1 amp-run %s --entry product --random --shape 0=2x3 --shape 1=4x5 --shape 2=2x5 > %t.sizes 2>&1
// RUN: FileCheck %s --check-prefix=SIZES --input-file %t.sizes
// SIZES-DAG: command-line.mlir:{{[0-9]+}}:{{[0-9]+}}: error: the sizes in 'linalg.matmul' do not agree: dimension #0 of input/output operand #1 is incompatible
// SIZES-DAG: amp-run: error: the run of {{.*}}command-line.mlir was stopped by a check that failed
// RUN: %python %S/Inputs/fails.py 1 amp-run %s --entry slice --random --shape 0=2 --input 1=2 | FileCheck %s --check-prefix=SLICE
// SLICE: command-line.mlir:{{[0-9]+}}:{{[0-9]+}}: error: the sizes in 'tensor.extract_slice' do not agree
// RUN: amp-run %s --entry product --random --shape 0=2x3 --shape 1=3x5 --shape 2=2x5 | FileCheck %s --check-prefix=AGREE
// AGREE: result result0: shape=2x5

// Bytecode is read as text is; a function without results or arguments runs.
// RUN: amp-opt %s --emit-bytecode --allow-unregistered-dialect -o %t.mlirbc
// RUN: sed -e '/some.op/d' %s | amp-run - --entry nothing --time | FileCheck %s --check-prefix=TIME
// TIME: time: median_ms={{[0-9]+\.[0-9]+}} min_ms={{[0-9]+\.[0-9]+}} runs=20
// RUN: %python %S/Inputs/fails.py 1 amp-run %t.mlirbc --entry unknown --random 2>&1 | FileCheck %s --check-prefix=BYTECODE
// BYTECODE: error: cannot be compiled: 'some.op' is not a registered op

func.func private @declared(tensor<4xf32>)
func.func @twice(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = arith.addf %x, %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func @unknown(%x: tensor<4xf32>) -> tensor<4xf32> {
  "some.op"(%x) : (tensor<4xf32>) -> ()
  return %x : tensor<4xf32>
}
func.func @nothing() {
  return
}
func.func private @helper() {
  return
}
func.func @calls_declared(%x: tensor<4xf32>) -> tensor<4xf32> {
  func.call @declared(%x) : (tensor<4xf32>) -> ()
  return %x : tensor<4xf32>
}
func.func @divides(%x: i32, %y: i32) -> i32 {
  %0 = arith.divsi %x, %y : i32
  return %0 : i32
}
func.func @asserts(%flag: i1) -> i1 {
  cf.assert %flag, "the flag is not set"
  return %flag : i1
}
func.func @product(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>, %z: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.matmul ins(%x, %y : tensor<?x?xf32>, tensor<?x?xf32>) outs(%z : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
func.func @slice(%x: tensor<?xf32>, %i: index) -> tensor<2xf32> {
  %0 = tensor.extract_slice %x[%i] [2] [1] : tensor<?xf32> to tensor<2xf32>
  return %0 : tensor<2xf32>
}
