// What a library for the CPU prepares of the weights that its caller passes: when, how often, and what is told when it fails.
// UNSUPPORTED: sanitizer

// RUN: rm -rf %t && mkdir %t
// RUN: amp-compile %s --mcpu=x86-64,x86-64-v3 --amp-no-scalar-fallback -o %t/prepare.so
// Bad input first.
// RUN: env PYTHONPATH=%amp_src/python %python %S/Inputs/prepare.py bad %t/prepare.so
// RUN: env PYTHONPATH=%amp_src/python %python %S/Inputs/prepare.py memory %t/prepare.so
// RUN: env PYTHONPATH=%amp_src/python %python %S/Inputs/prepare.py good %t/prepare.so
// RUN: env PYTHONPATH=%amp_src/python %python %S/Inputs/prepare.py threads %t/prepare.so

// The same from C, by the library's header.
// RUN: %cc -std=c11 -pedantic -Wall -Wextra -Werror -I %t %S/Inputs/prepare.c %t/prepare.so -Wl,-rpath,%t -o %t/main
// RUN: %t/main | FileCheck %s --check-prefix=C
// C: null model: invalid argument: the model is null
// C: function -2: invalid argument: model 'prepare': expected a function number from -1 to 4, found -2
// C: function 5: invalid argument: model 'prepare': expected a function number from -1 to 4, found 5
// C: null weight: invalid argument: {{.*}}'w'
// C: preparations: 0
// C: y = 64, preparations: 1, bytes: {{[1-9][0-9]*}}
// C: y = 64, preparations: 1
// C: not told: y = 64, preparations: 1
// C: told: y = 128, preparations: 2
// C: other function told: y = 128, preparations: 2

// The name that the init function would have is taken.
// RUN: sed 's/@other/@dense_init/' %s > %t/taken.mlir
// RUN: not amp-compile %t/taken.mlir -o %t/taken.so 2>&1 | FileCheck %s --check-prefix=TAKEN
// TAKEN: taken.mlir:[[#]]:1: error: 'func.func' op has work on weights, but a function for it cannot be created: the name 'dense_init' is taken; rename that symbol
// RUN: not ls %t/taken.so

// The code of a level is in the library, and not seen from outside.
// RUN: readelf --dyn-syms -W %t/prepare.so | not grep _init$
// RUN: amp-compile %s --mcpu=x86-64-v3 --emit=llvm -o - | FileCheck %s --check-prefix=LLVM
// LLVM-DAG: define internal {{.*}}@amp.packed.dense_init(
// LLVM-DAG: define internal {{.*}}@amp.packed.other_init(
// LLVM-NOT: @amp.packed.plain_init

// Weights that the library holds need no function of their own.
// RUN: %python %S/Inputs/prepare.py write %t/w.npz
// RUN: amp-compile %s --entry=dense --weights=%t/w.npz --emit=llvm -o - | FileCheck %s --check-prefix=HELD
// HELD-NOT: dense_init

func.func @dense(%x: tensor<24x64xf32> {amp.name = "x"}, %w: tensor<64x48xf32> {amp.name = "w", amp.weight}) -> (tensor<24x48xf32> {amp.name = "y"}) {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<24x48xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<24x48xf32>) -> tensor<24x48xf32>
  %r = linalg.matmul ins(%x, %w : tensor<24x64xf32>, tensor<64x48xf32>) outs(%f : tensor<24x48xf32>) -> tensor<24x48xf32>
  return %r : tensor<24x48xf32>
}

// A second one, with a weight of its own before the input.
func.func @other(%w: tensor<48x64xf32> {amp.name = "w", amp.weight}, %x: tensor<24x48xf32> {amp.name = "x"}) -> (tensor<24x64xf32> {amp.name = "y"}) {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<24x64xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<24x64xf32>) -> tensor<24x64xf32>
  %r = linalg.matmul ins(%x, %w : tensor<24x48xf32>, tensor<48x64xf32>) outs(%f : tensor<24x64xf32>) -> tensor<24x64xf32>
  return %r : tensor<24x64xf32>
}

// Without weights.
func.func @plain(%x: tensor<?xf32> {amp.name = "x"}) -> (tensor<?xf32> {amp.name = "y"}) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %r = linalg.add ins(%x, %x : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// Weights of dynamic sizes that have to agree. The init function runs first, and checks them.
func.func @sum(%x: tensor<?xf32> {amp.name = "x"}, %a: tensor<?xf32> {amp.name = "a", amp.weight}, %b: tensor<?xf32> {amp.name = "b", amp.weight})
    -> (tensor<?xf32> {amp.name = "y"}, tensor<?xf32> {amp.name = "sum"}) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %m = tensor.dim %x, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %s = linalg.add ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %o = tensor.empty(%m) : tensor<?xf32>
  %p = tensor.extract_slice %s[0] [%m] [1] : tensor<?xf32> to tensor<?xf32>
  %r = linalg.mul ins(%x, %p : tensor<?xf32>, tensor<?xf32>) outs(%o : tensor<?xf32>) -> tensor<?xf32>
  return %r, %s : tensor<?xf32>, tensor<?xf32>
}

// A weight of dynamic sizes, multiplied, is packed in each call; a number may be a weight, too.
func.func @dynamic(%x: tensor<?x?xf32> {amp.name = "x"}, %w: tensor<?x?xf32> {amp.name = "w", amp.weight}, %by: f32 {amp.name = "by", amp.weight})
    -> (tensor<?x?xf32> {amp.name = "y"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %k = tensor.dim %w, %c0 : tensor<?x?xf32>
  %n = tensor.dim %w, %c1 : tensor<?x?xf32>
  %d = tensor.empty(%k, %n) : tensor<?x?xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<?x?xf32>) outs(%d : tensor<?x?xf32>) {
  ^bb0(%v: f32, %q: f32):
    %p = arith.mulf %v, %by : f32
    %t = math.exp %p : f32
    linalg.yield %t : f32
  } -> tensor<?x?xf32>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %r = linalg.matmul ins(%x, %s : tensor<?x?xf32>, tensor<?x?xf32>) outs(%f : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
