// Code for several processors in one library: which one runs, its numbers under each, and what is in the library.
// UNSUPPORTED: sanitizer

// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/Inputs/levels.py write %t
// RUN: amp-compile %s --weights=%t/w.npz --mcpu=x86-64,x86-64-v2,x86-64-v3,x86-64-v4 --amp-no-scalar-fallback -o %t/levels.so
// RUN: env PYTHONPATH=%amp_src/python %python %S/Inputs/levels.py check %t/levels.so
// RUN: %python %S/Inputs/levels.py code %t/levels.so
// RUN: readelf -dW %t/levels.so | grep NEEDED | not grep -v -e libc.so -e libm.so -e ld-linux
// RUN: FileCheck %s --check-prefix=JSON < %t/levels.json
// JSON: "processor": "x86-64",
// JSON-NEXT: "features": "",
// JSON-NEXT: "levels": [
// JSON-NEXT: {
// JSON-NEXT: "name": "x86-64",
// JSON: "name": "x86-64-v2",
// JSON: "name": "x86-64-v3",
// JSON-NEXT: "processor": "x86-64-v3",
// JSON: "name": "x86-64-v4",

// Processors with features of their own; those of --mattr go to each.
// RUN: amp-compile %s --weights=%t/w.npz --mcpu=x86-64-v3,x86-64-v3+avxvnni --mattr=-bmi2 --emit=llvm -o - | grep -v "constant \[" | FileCheck %s --check-prefix=LLVM
// LLVM-DAG: define internal {{.*}}@amp.packed.main.x86-64-v3(
// LLVM-DAG: define internal {{.*}}@"amp.packed.main.x86-64-v3+avxvnni"(
// LLVM-DAG: "target-features"="-bmi2"
// LLVM-DAG: "target-features"="+avxvnni,-bmi2"

// A processor that has none of them.
// RUN: amp-compile %s --weights=%t/w.npz --mcpu=x86-64-v3,x86-64-v4 -o %t/new.so
// RUN: env PYTHONPATH=%amp_src/python %python %S/Inputs/levels.py none %t/new.so
// RUN: amp-compile %s --weights=%t/w.npz --mcpu=x86-64-v3 -o %t/one.so
// RUN: env PYTHONPATH=%amp_src/python %python %S/Inputs/levels.py single %t/one.so
// RUN: amp-compile %s --weights=%t/w.npz --mcpu=barcelona -o %t/other.so
// RUN: env PYTHONPATH=%amp_src/python %python %S/Inputs/levels.py other %t/other.so
// RUN: %python %S/Inputs/levels.py size %t/new.so %t/one.so

// With AVX, what is slower behind its instructions is not used, unless asked for.
// RUN: amp-compile %s --weights=%t/w.npz --mcpu=znver3,znver3+sse4a --emit=llvm -o - | grep -v "constant \[" | FileCheck %s --check-prefix=SSE4A
// SSE4A-DAG: "target-cpu"="znver3" "target-features"="-sse4a"
// SSE4A-DAG: "target-cpu"="znver3" "target-features"="-sse4a,+sse4a"
// RUN: amp-compile %s --weights=%t/w.npz --mcpu=znver3 -o %t/zen.so
// RUN: env PYTHONPATH=%amp_src/python %python %S/Inputs/levels.py zen %t/zen.so

// The same input gives the same files; an object file has all levels too.
// RUN: cp %t/new.so %t/before.so
// RUN: amp-compile %s --weights=%t/w.npz --mcpu=x86-64-v3,x86-64-v4 -o %t/new.so
// RUN: cmp %t/before.so %t/new.so
// RUN: amp-compile %s --weights=%t/w.npz --mcpu=x86-64-v3,x86-64-v4 --emit=obj -o %t/new.o
// RUN: %cc -shared -o %t/linked.so %t/new.o -Wl,--whole-archive %amp_lib/libamp_runtime_static.a -Wl,--no-whole-archive -lm
// RUN: env PYTHONPATH=%amp_src/python %python -c "import amp_runtime; print(amp_runtime.load('%t/linked.so').level)" | FileCheck %s --check-prefix=OBJECT
// OBJECT: x86-64-v

// Tile registers.
// RUN: amp-compile %s --weights=%t/w.npz --mcpu=x86-64-v3,sapphirerapids --autocast=bf16 -o %t/tiles.so
// RUN: amp-compile %s --weights=%t/w.npz --mcpu=sapphirerapids --autocast=bf16 -o %t/amx.so
// RUN: env PYTHONPATH=%amp_src/python %python %S/Inputs/levels.py tiles %t/tiles.so %t/amx.so
// RUN: objdump -d --no-show-raw-insn %t/amx.so | FileCheck %s --check-prefix=TILES
// TILES: tdpbf16ps

// Processors and features in the name of the target. Features alone choose the oldest level that has such.
// RUN: amp-compile %s --weights=%t/w.npz --target=cpu,x86-64-v3,x86-64-v4+avx512vnni -o %t/target.so
// RUN: FileCheck %s --check-prefix=NAMED < %t/target.json
// NAMED: "target": "cpu",
// NAMED: "name": "x86-64-v3",
// NAMED: "name": "x86-64-v4+avx512vnni",
// RUN: amp-compile %s --weights=%t/w.npz --target=cpu,avx2,+fma,-bmi2 --emit=llvm -o - | grep -v "constant \[" | FileCheck %s --check-prefix=AVX2
// AVX2: "target-cpu"="x86-64-v3" "target-features"="+avx2,+fma,-bmi2"
// RUN: amp-compile %s --weights=%t/w.npz --target=cpu,avx512f --emit=llvm -o - | grep -v "constant \[" | FileCheck %s --check-prefix=AVX512
// AVX512: "target-cpu"="x86-64-v4" "target-features"="+avx512f"
// RUN: amp-compile %s --weights=%t/w.npz --target=cpu,sse4.1 --emit=llvm -o - | grep -v "constant \[" | FileCheck %s --check-prefix=SSE
// SSE: "target-cpu"="{{generic|x86-64}}" "target-features"="+sse4.1"
// RUN: amp-compile %s --weights=%t/w.npz --target=cpu,avx512bf16 --mcpu=znver3 --emit=llvm -o - | grep -v "constant \[" | FileCheck %s --check-prefix=BOTH
// BOTH: "target-cpu"="znver3" "target-features"="-sse4a,+avx512bf16"
// RUN: %python %S/../amp-run/Inputs/fails.py 2 amp-compile %s -o %t/m.so --target=cpu,avx2,,fma 2>&1 | FileCheck %s --check-prefix=GAP
// GAP: error: --target: expected names of processors or features after 'cpu,', such as 'cpu,x86-64-v3' or 'cpu,avx2,fma', found 'cpu,avx2,,fma'
// RUN: %python %S/../amp-run/Inputs/fails.py 2 amp-compile %s -o %t/m.so --target=cpu, 2>&1 | FileCheck %s --check-prefix=NOTHING
// NOTHING: error: --target: expected names {{.*}}found 'cpu,'
// RUN: %python %S/../amp-run/Inputs/fails.py 2 amp-compile %s -o %t/m.so --target=cpu,z80 2>&1 | FileCheck %s --check-prefix=Z80
// Z80: error: --target: unknown processor or feature 'z80' of x86_64{{$}}
// RUN: %python %S/../amp-run/Inputs/fails.py 2 amp-compile %s -o %t/m.so --target=cpu,znver9 2>&1 | FileCheck %s --check-prefix=ZNVER
// ZNVER: error: --target: unknown processor or feature 'znver9' of x86_64; did you mean 'znver1', {{.*}} or 'znver{{[0-9]}}'?
// RUN: %python %S/../amp-run/Inputs/fails.py 2 amp-compile %s -o %t/m.so --target=cpu,x86-64-v3,avx512vnn 2>&1 | FileCheck %s --check-prefix=VNN
// VNN: error: --target: unknown processor or feature 'avx512vnn' of x86_64; did you mean 'avx512vnni'?
// RUN: %python %S/../amp-run/Inputs/fails.py 2 amp-compile %s -o %t/m.so --target=cpu,x86-64-v3 --mcpu=znver3 2>&1 | FileCheck %s --check-prefix=PROCESSORS
// PROCESSORS: error: --target: 'x86-64-v3' is a processor, and --mcpu names one, too

// Bad lists.
// RUN: %python %S/../amp-run/Inputs/fails.py 2 amp-compile %s -o %t/m.so --mcpu=x86-64-v4,x86-64-v3 2>&1 | FileCheck %s --check-prefix=ORDER
// ORDER: error: --mcpu: 'x86-64-v4' would never run: each processor that has it also has 'x86-64-v3', which comes after it; expected names from the oldest processor to the newest
// RUN: %python %S/../amp-run/Inputs/fails.py 2 amp-compile %s -o %t/m.so --mcpu=x86-64-v3,,x86-64-v4 2>&1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: error: --mcpu: expected names of processors, separated by commas, each with features such as '+avx512vnni' or without, found 'x86-64-v3,,x86-64-v4'
// RUN: %python %S/../amp-run/Inputs/fails.py 2 amp-compile %s -o %t/m.so --mcpu=x86-64-v3+ 2>&1 | FileCheck %s --check-prefix=PLUS
// PLUS: error: --mcpu: expected names of processors, {{.*}}found 'x86-64-v3+'
// RUN: %python %S/../amp-run/Inputs/fails.py 2 amp-compile %s -o %t/m.so --mcpu=x86-64-v3,x86-64-v3 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: error: --mcpu: 'x86-64-v3' is given twice
// RUN: %python %S/../amp-run/Inputs/fails.py 2 amp-compile %s -o %t/m.so --mcpu=x86-64-v3,z80 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: error: --mcpu, --mattr: unknown CPU 'z80'
// RUN: %python %S/../amp-run/Inputs/fails.py 2 amp-compile %s -o %t/m.so --mcpu=x86-64-v3+nonsense 2>&1 | FileCheck %s --check-prefix=FEATURE
// FEATURE: error: --mattr: unknown feature 'nonsense'
// RUN: %python %S/../amp-run/Inputs/fails.py 2 amp-compile %s -o %t/m.so --mcpu=x86-64,x86-64-v3 --target=sm_80 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: error: --mcpu: several processors are for code of the CPU, found --target=sm_80
// RUN: %python %S/../amp-run/Inputs/fails.py 2 amp-compile %s --mcpu=x86-64,x86-64-v3 --emit=mlir 2>&1 | FileCheck %s --check-prefix=MLIR
// RUN: %python %S/../amp-run/Inputs/fails.py 2 amp-compile %s -o %t/m.o --emit=obj --mtriple=aarch64-linux-gnu --mcpu=generic,neoverse-n1 2>&1 | FileCheck %s --check-prefix=ARM
// ARM: error: --mcpu: several processors are for x86-64, found --mtriple=aarch64-linux-gnu
// MLIR: error: --emit=mlir: expected one processor in --mcpu, found 2

func.func @main(%x: tensor<?x96xf32> {amp.name = "x"}, %w: tensor<96x80xf32> {amp.name = "w", amp.weight},
                %b: tensor<80xf16> {amp.name = "b", amp.weight}) -> (tensor<?x80xf32> {amp.name = "y"}) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x96xf32>
  %e = tensor.empty(%n) : tensor<?x80xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x80xf32>) -> tensor<?x80xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<?x96xf32>, tensor<96x80xf32>) outs(%f : tensor<?x80xf32>) -> tensor<?x80xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%0, %b : tensor<?x80xf32>, tensor<80xf16>) outs(%e : tensor<?x80xf32>) {
  ^bb0(%a: f32, %m: f16, %o: f32):
    %q = arith.extf %m : f16 to f32
    %s = arith.addf %a, %q : f32
    linalg.yield %s : f32
  } -> tensor<?x80xf32>
  return %1 : tensor<?x80xf32>
}
