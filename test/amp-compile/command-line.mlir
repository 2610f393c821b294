// The command line, bad input, and the exit codes. Nothing is written on
// failure: the folder of the outputs stays empty.

// RUN: rm -rf %t && mkdir %t
// RUN: amp-compile --help | FileCheck %s --check-prefix=HELP
// HELP: Exit codes: 0 success; 1 the compilation failed, or a file could not be written;
// HELP-NEXT: 2 bad usage or bad input. On failure no file is written or changed.

// RUN: %python %S/../amp-run/Inputs/fails.py 2 amp-compile 2>&1 | FileCheck %s --check-prefix=MODEL
// MODEL: amp-compile: error: expected the name of a module: amp-compile MODEL.mlir -o model.so
// RUN: %python %S/../amp-run/Inputs/fails.py 2 amp-compile %t/none.mlir -o %t/m.so 2>&1 | FileCheck %s --check-prefix=FILE
// FILE: error: cannot open input file '{{.*}}none.mlir': No such file or directory
// RUN: %python %S/../amp-run/Inputs/fails.py 2 amp-compile %S/../amp-run/Inputs/fails.py -o %t/m.so 2>&1 | FileCheck %s --check-prefix=SYNTAX --implicit-check-not=error:
// SYNTAX: fails.py:1:1: error:
// RUN: %python %S/../amp-run/Inputs/fails.py 2 amp-compile %s 2>&1 | FileCheck %s --check-prefix=OUTPUT
// OUTPUT: error: expected the name of the output: -o model.so
// RUN: %python %S/../amp-run/Inputs/fails.py 2 amp-compile %s -o - 2>&1 | FileCheck %s --check-prefix=STDOUT
// STDOUT: error: -o: machine code goes to a file, found '-'
// RUN: %python %S/../amp-run/Inputs/fails.py 2 amp-compile %s -o %t/m.h 2>&1 | FileCheck %s --check-prefix=HEADER
// HEADER: error: -o: expected a name that does not end in .h or .json, which the header and the manifest get, found '{{.*}}m.h'
// RUN: %python %S/../amp-run/Inputs/fails.py 2 amp-compile %s -o %t/m.so --target=z80 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: error: --target: expected cpu, or else: expected a target of sm_80, {{.*}}found 'z80'
// RUN: %python %S/../amp-run/Inputs/fails.py 2 amp-compile %s -o %t/m.so --emit=exe 2>&1 | FileCheck %s --check-prefix=EMIT
// EMIT: error: --emit: expected so, obj, llvm{{.*}}, found 'exe'
// RUN: %python %S/../amp-run/Inputs/fails.py 2 amp-compile %s -o %t/m.so --autocast=f8 2>&1 | FileCheck %s --check-prefix=AUTOCAST
// AUTOCAST: error: --autocast: expected bf16, f16 or off, found 'f8'
// RUN: %python %S/../amp-run/Inputs/fails.py 2 amp-compile %s -o %t/m.so --policy-device=tpu 2>&1 | FileCheck %s --check-prefix=POLICY
// POLICY: error: --policy-device: expected cpu, cuda, xpu or mps, found 'tpu'
// RUN: %python %S/../amp-run/Inputs/fails.py 2 amp-compile %s -o %t/m.so --allow-tf32 2>&1 | FileCheck %s --check-prefix=TF32
// TF32: error: --allow-tf32: is for code of a device, found '--target=cpu'
// RUN: %python %S/../amp-run/Inputs/fails.py 2 amp-compile %s -o %t/m.so --threads=-1 2>&1 | FileCheck %s --check-prefix=THREADS
// THREADS: error: --threads: expected 0 to 1024, found -1
// RUN: %python %S/../amp-run/Inputs/fails.py 2 amp-compile %s -o %t/m.so --threads=2 --target=sm_80 2>&1 | FileCheck %s --check-prefix=THREADTARGET
// THREADTARGET: error: --threads: is for code of the CPU, found '--target=sm_80'
// RUN: %python %S/../amp-run/Inputs/fails.py 2 amp-compile %s -o %t/m.so --amp-no-scalar-fallback --target=sm_80 2>&1 | FileCheck %s --check-prefix=SCALAR
// SCALAR: error: --amp-no-scalar-fallback: is for code of the CPU, found '--target=sm_80'
// RUN: %python %S/../amp-run/Inputs/fails.py 2 amp-compile %s -o %t/m.so --results=keep 2>&1 | FileCheck %s --check-prefix=RESULTS
// RESULTS: error: --results: expected preserve or propagate, found 'keep'
// RUN: %python %S/../amp-run/Inputs/fails.py 2 amp-compile %s -o %t/m.so --mcpu=z80 2>&1 | FileCheck %s --check-prefix=MCPU
// MCPU: error: --mcpu, --mattr: {{.*}}'z80'
// RUN: %python %S/../amp-run/Inputs/fails.py 2 amp-compile %s -o %t/m.so --mcpu=skylak 2>&1 | FileCheck %s --check-prefix=NEAR
// NEAR: error: --mcpu, --mattr: unknown CPU 'skylak': expected 'host', 'generic' or {{.*}}; did you mean 'skylake'?
// RUN: %python %S/../amp-run/Inputs/fails.py 2 amp-compile %s -o %t/m.so --mcpu=native 2>&1 | FileCheck %s --check-prefix=NATIVE
// NATIVE: error: --mcpu, --mattr: unknown CPU 'native': {{.*}}; that of this machine is 'host'
// RUN: %python %S/../amp-run/Inputs/fails.py 2 amp-compile %s -o %t/m.so --mcpu=x86-64-v3 --mattr=+avx22 2>&1 | FileCheck %s --check-prefix=AVX
// AVX: error: --mattr: unknown feature 'avx22' of {{.*}} processors; did you mean 'avx2'?
// RUN: %python %S/../amp-run/Inputs/fails.py 2 amp-compile %s -o %t/m.so --mcpu=x86-64-v3 --mattr=+znver4 2>&1 | FileCheck %s --check-prefix=ISCPU
// ISCPU: error: --mattr: unknown feature 'znver4' of {{.*}} processors; it is a processor, which --mcpu=znver4 names
// RUN: %python %S/../amp-run/Inputs/fails.py 2 amp-compile %s -o %t/m.so --mattr=+nonsense 2>&1 | FileCheck %s --check-prefix=MATTR
// MATTR-NOT: not a recognized feature
// MATTR: error: --mattr: unknown feature 'nonsense' of {{.*}} processors
// RUN: %python %S/../amp-run/Inputs/fails.py 2 amp-compile %s -o %t/m.so --entry=other 2>&1 | FileCheck %s --check-prefix=ENTRY
// ENTRY: error: the module has no function 'other' with a body; it has 'twice', 'unknown', 'hidden', 'outer'
// RUN: %python %S/../amp-run/Inputs/fails.py 2 amp-compile %s -o %t/m.so --entry=twice --entry=twice 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: error: --entry: 'twice' is given twice

// Files that hold no program.
// RUN: echo "" | %python %S/../amp-run/Inputs/fails.py 2 amp-compile - -o %t/m.so 2>&1 | FileCheck %s --check-prefix=BLANK
// BLANK: error: the module has no func.func with a body: there is nothing to compile
// RUN: echo "MLxRgarbage" | %python %S/../amp-run/Inputs/fails.py 2 amp-compile - -o %t/m.so 2>&1 | FileCheck %s --check-prefix=GARBAGE --implicit-check-not=error:
// GARBAGE: <stdin>:1:1: error:

// Weights that are not there, or do not fit.
// RUN: %python %S/Inputs/arrays.py %t
// RUN: %python %S/../amp-run/Inputs/fails.py 2 amp-compile %s -o %t/m.so --entry=outer --weights=%t/none.npz 2>&1 | FileCheck %s --check-prefix=ARCHIVE
// ARCHIVE: error: --weights: {{.*}}none.npz': {{.*}}No such file or directory
// RUN: %python %S/../amp-run/Inputs/fails.py 2 amp-compile %s -o %t/m.so --entry=twice --weights=%t/w.npz 2>&1 | FileCheck %s --check-prefix=MEMBER
// MEMBER: error: --weights: '{{.*}}w.npz' has no member with the name of an argument; it has 'w'; the arguments are 'x'
// RUN: %python %S/../amp-run/Inputs/fails.py 2 amp-compile %s -o %t/m.so --entry=outer --weights=%t/b.npz 2>&1 | FileCheck %s --check-prefix=MARKED
// MARKED: error: --weights: argument 'w' of 'outer' is marked amp.weight, but no archive has a member of that name
// RUN: %python %S/../amp-run/Inputs/fails.py 2 amp-compile %s -o %t/m.so --entry=outer --weights=%t/shape.npz 2>&1 | FileCheck %s --check-prefix=SHAPE
// SHAPE: error: --weights: argument 'w' of type tensor<4xf32>: found shape 3
// RUN: %python %S/../amp-run/Inputs/fails.py 2 amp-compile %s -o %t/m.so --entry=outer --weights=%t/f64.npz 2>&1 | FileCheck %s --check-prefix=TYPE
// TYPE: error: --weights: argument 'w' of type tensor<4xf32>: expected elements of type float32, found float64
// RUN: %python %S/../amp-run/Inputs/fails.py 2 amp-compile %s -o %t/m.so --entry=hidden --weights=%t/w.npz 2>&1 | FileCheck %s --check-prefix=CALLED
// CALLED: error: 'hidden' cannot hold weights: 'outer' calls it; bind the weights of the caller instead

// What cannot be compiled, linked or written.
// RUN: %python %S/../amp-run/Inputs/fails.py 1 amp-compile %s -o %t/m.so 2>&1 | FileCheck %s --check-prefix=UNKNOWN --implicit-check-not=error:
// UNKNOWN: command-line.mlir:[[#@LINE+25]]:{{.*}}: error: cannot be compiled: 'some.op' is not a registered op
// RUN: %python %S/../amp-run/Inputs/fails.py 1 amp-compile %s -o %t/none/m.so --entry=twice 2>&1 | FileCheck %s --check-prefix=WRITE
// WRITE: error: cannot write '{{.*}}none/m.h': there is no folder '{{.*}}none'; make it, or choose another with -o
// RUN: mkdir %t/folder.so
// RUN: %python %S/../amp-run/Inputs/fails.py 1 amp-compile %s -o %t/folder.so --entry=twice 2>&1 | FileCheck %s --check-prefix=FOLDER
// FOLDER: error: cannot write '{{.*}}folder.so': it is a directory
// RUN: %python %S/../amp-run/Inputs/fails.py 1 amp-compile %s -o %t/m.so --entry=twice --linker=no-such-linker 2>&1 | FileCheck %s --check-prefix=LINKER
// LINKER: error: there is no linker 'no-such-linker'
// RUN: %python %S/../amp-run/Inputs/fails.py 1 amp-compile %s -o %t/m.so --entry=twice --linker=false 2>&1 | FileCheck %s --check-prefix=LINK
// LINK: error: the linker '{{.*}}false' failed: it ended with exit code 1, and wrote nothing; the command was '{{.*}}false -shared -o {{.*}}'; expected a linker of ELF files or a C compiler, of which --linker=PATH names another one
// RUN: %python %S/../amp-run/Inputs/fails.py 1 amp-compile %s -o %t/m.so --entry=twice --linker=%s 2>&1 | FileCheck %s --check-prefix=START
// START: error: the linker '{{.*}}command-line.mlir' failed: it did not start: {{.*}}Permission denied; the command was

// RUN: ls %t | FileCheck %s --check-prefix=NOTHING --implicit-check-not=m.
// NOTHING: b.npz
// NOTHING-NEXT: f64.npz
// NOTHING-NEXT: folder.so
// NOTHING-NEXT: shape.npz
// NOTHING-NEXT: w.npz

func.func @twice(%x: tensor<4xf32> {amp.name = "x"}) -> tensor<4xf32> {
  %0 = arith.addf %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @unknown(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "some.op"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @hidden(%x: tensor<4xf32>, %w: tensor<4xf32> {amp.name = "w"}) -> tensor<4xf32> {
  %0 = arith.addf %x, %w : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @outer(%x: tensor<4xf32>, %w: tensor<4xf32> {amp.name = "w", amp.weight}, %b: tensor<4xf32> {amp.name = "b"})
    -> tensor<4xf32> {
  %0 = call @hidden(%x, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = arith.addf %0, %b : tensor<4xf32>
  return %1 : tensor<4xf32>
}
