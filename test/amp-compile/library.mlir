// What a library is made of: the C library and libm, and no more; the names
// that it exports; the header and the manifest.
// UNSUPPORTED: sanitizer

// RUN: rm -rf %t && mkdir %t
// RUN: amp-compile %s -o %t/lib-two.so
// The dynamic loader is a part of the C library.
// RUN: readelf -dW %t/lib-two.so | grep NEEDED | not grep -v -e libc.so -e libm.so -e ld-linux
// RUN: readelf -dW %t/lib-two.so | FileCheck %s --check-prefix=DYNAMIC
// DYNAMIC: NEEDED
// DYNAMIC: SONAME{{.*}}[lib-two.so]
// DYNAMIC-NOT: RUNPATH
// RUN: readelf --dyn-syms -W %t/lib-two.so | grep GLOBAL | grep -v UND > %t/exports.txt
// RUN: not grep -v -e ' amp[A-Z]' -e ' amp_model$' -e ' _two_model$' %t/exports.txt
// RUN: FileCheck %s --check-prefix=EXPORTS < %t/exports.txt
// EXPORTS-DAG: ampModelRun
// EXPORTS-DAG: _two_model
// EXPORTS-DAG: amp_model
// The dynamic loader finds every symbol.
// RUN: %python -c "import ctypes, os; ctypes.CDLL('%t/lib-two.so', mode=os.RTLD_NOW)"

// RUN: FileCheck %s --check-prefix=JSON < %t/lib-two.json
// JSON: "name": "_two",
// JSON-NEXT: "source": "library.mlir",
// JSON-NEXT: "abi": 5,
// JSON-NEXT: "target": "cpu",
// JSON: "autocast": "as-written",
// JSON-NEXT: "allow_tf32": false,
// JSON: "name": "scale",
// JSON: "arguments"
// JSON: "name": "x",
// JSON-NEXT: "type": "f32",
// JSON-NEXT: "scalar": false,
// JSON-NEXT: "shape": [null, 4]
// JSON: "name": "by",
// JSON-NEXT: "type": "f32",
// JSON-NEXT: "scalar": true,
// JSON-NEXT: "shape": []
// JSON: "results"
// JSON: "name": "result0",
// JSON: "weights": [],
// JSON: "workspace_bytes": null
// JSON: "name": "free",

// RUN: FileCheck %s --check-prefix=HEADER < %t/lib-two.h
// HEADER: #ifndef AMP_MODEL__TWO_H
// HEADER: AMP_RUNTIME_API ampStatus ampModelRun(
// HEADER: extern const char _two_model[];
// HEADER: _two_scale = 0,
// HEADER-NEXT: _two_scale_arg_x = 0, /* x: f32 [?, 4] */
// HEADER-NEXT: _two_scale_arg_by = 1, /* by: f32 */
// HEADER-NEXT: _two_scale_num_arguments = 2,
// HEADER-NEXT: _two_scale_result_result0 = 0, /* result0: f32 [?, 4] */
// HEADER-NEXT: _two_scale_num_results = 1
// HEADER: _two_free = 1,
// HEADER-NEXT: _two_free_arg_arg0 = 0, /* arg0: f16 [2] */
// RUN: %cxx -x c -std=c11 -pedantic -Wall -Wextra -Werror -fsyntax-only %t/lib-two.h
// RUN: %cxx -x c++ -std=c++17 -Wall -Wextra -Werror -fsyntax-only %t/lib-two.h

// The same input gives the same files.
// RUN: mkdir %t/again && amp-compile %s -o %t/again/lib-two.so
// RUN: cmp %t/lib-two.so %t/again/lib-two.so
// RUN: cmp %t/lib-two.h %t/again/lib-two.h
// RUN: cmp %t/lib-two.json %t/again/lib-two.json

// A compiler driver links the same library.
// RUN: amp-compile %s -o %t/cc.so --linker=%cxx
// RUN: %python -c "import ctypes, os; ctypes.CDLL('%t/cc.so', mode=os.RTLD_NOW)"

// The other kinds of output. A name of the C library is a name like others.
// RUN: amp-compile %s --emit=mlir --entry=free | FileCheck %s --check-prefix=MLIR
// MLIR-NOT: @scale
// MLIR: llvm.func @_mlir_ciface_free(
// RUN: amp-compile %s --emit=llvm --entry=free -o - | FileCheck %s --check-prefix=LLVM
// LLVM: @amp_model = alias
// RUN: amp-compile %s --emit=obj -o %t/two.o
// RUN: readelf -hs %t/two.o | FileCheck %s --check-prefix=OBJ
// OBJ: Type: {{ *}}REL
// OBJ-DAG: GLOBAL DEFAULT {{.*}} two_model
// OBJ-DAG: GLOBAL HIDDEN {{.*}} ampCpuInvoke
// RUN: ls %t/two.h %t/two.json

func.func @scale(%x: tensor<?x4xf32> {amp.name = "x"}, %by: f32 {amp.name = "by"}) -> tensor<?x4xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      outs(%x : tensor<?x4xf32>) {
  ^bb0(%e: f32):
    %p = arith.mulf %e, %by : f32
    linalg.yield %p : f32
  } -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}
func.func @free(%x: tensor<2xf16>) -> tensor<2xf16> {
  return %x : tensor<2xf16>
}
func.func private @unused(%x: tensor<2xf16>) -> tensor<2xf16> {
  %0 = "some.op"(%x) : (tensor<2xf16>) -> tensor<2xf16>
  return %0 : tensor<2xf16>
}
