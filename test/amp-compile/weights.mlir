// Weights in the library: the numbers, what callers pass, types that need a
// conversion, numbers instead of tensors; and autocast.
// UNSUPPORTED: sanitizer

// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/Inputs/weights.py write %t
// RUN: amp-compile %s --weights=%t/w.npz -o %t/f32.so
// RUN: env PYTHONPATH=%amp_src/python %python %S/Inputs/weights.py check %t/f32.so f32
// RUN: amp-compile %s --weights=%t/w.npz --autocast=f16 -o %t/f16.so
// RUN: env PYTHONPATH=%amp_src/python %python %S/Inputs/weights.py check %t/f16.so f16
// RUN: amp-compile %s --weights=%t/w.npz --autocast=f16 --results=propagate -o %t/f16r.so
// RUN: env PYTHONPATH=%amp_src/python %python %S/Inputs/weights.py check %t/f16r.so propagate
// RUN: FileCheck %s --check-prefix=JSON < %t/f16r.json
// JSON: "autocast": "f16"
// JSON: "name": "y",
// JSON-NEXT: "type": "f16"
// JSON: "weights"
// JSON: "name": "w",

// Wrong types are refused, unless they are to be converted; what no argument
// takes is told.
// RUN: %python %S/../amp-run/Inputs/fails.py 2 amp-compile %s --weights=%t/f64.npz -o %t/f64.so 2>&1 | FileCheck %s --check-prefix=TYPE
// TYPE: error: --weights: argument 'w' of type tensor<2x3xf32>: expected elements of type float32, found float64 {{.*}}; --convert-inputs converts them
// RUN: amp-compile %s --weights=%t/f64.npz --convert-inputs -o %t/f64.so 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: warning: '{{.*}}f64.npz': no argument takes the member 'other'
// RUN: env PYTHONPATH=%amp_src/python %python %S/Inputs/weights.py check %t/f64.so f32

// An old processor runs the same program; one with more instructions than this
// machine is refused when the model is loaded.
// RUN: amp-compile %s --weights=%t/w.npz --mcpu=generic -o %t/generic.so
// RUN: env PYTHONPATH=%amp_src/python %python %S/Inputs/weights.py check %t/generic.so f32
// RUN: FileCheck %s --check-prefix=GENERIC --implicit-check-not=avx < %t/generic.json
// GENERIC: "processor":
// RUN: amp-compile %s --weights=%t/w.npz --mattr=+avx512fp16 -o %t/new.so
// RUN: env PYTHONPATH=%amp_src/python %python %S/Inputs/weights.py processor %t/new.so avx512fp16

func.func @main(%x: tensor<?x2xf32> {amp.name = "x"}, %w: tensor<2x3xf32> {amp.name = "w", amp.weight},
                %mask: tensor<3xi1> {amp.name = "mask"}, %scale: f32 {amp.name = "scale"})
    -> (tensor<?x3xf32> {amp.name = "y"}) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x2xf32>
  %e = tensor.empty(%n) : tensor<?x3xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x3xf32>) -> tensor<?x3xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<?x2xf32>, tensor<2x3xf32>) outs(%f : tensor<?x3xf32>) -> tensor<?x3xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%0, %mask : tensor<?x3xf32>, tensor<3xi1>) outs(%e : tensor<?x3xf32>) {
  ^bb0(%a: f32, %m: i1, %o: f32):
    %p = arith.mulf %a, %scale : f32
    %s = arith.select %m, %p, %zero : f32
    linalg.yield %s : f32
  } -> tensor<?x3xf32>
  return %1 : tensor<?x3xf32>
}
