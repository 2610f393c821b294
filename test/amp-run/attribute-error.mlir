// Which ops make the error. The products of the first layer reach 2^17, beyond
// f16; the second brings them back.

// RUN: %python %S/Inputs/layers.py %t
// RUN: amp-run %s --autocast=f16 --policy-device=cuda --weights=%t.npz --compare=f32 | FileCheck %s --check-prefix=BAD
// BAD: compare y: {{.*}} mismatches={{[1-9]}}

// Each op alone, and all but it. The last product is harmless: an op that is not
// to blame comes after those that are.
// RUN: amp-run %s --autocast=f16 --policy-device=cuda --weights=%t.npz --attribute-error | FileCheck %s --check-prefix=BLAME
// BLAME: attribute-error: ops=3 error={{.*}}mismatches trials=7
// BLAME-NEXT: attribute 1: alone={{.*}}mismatches without={{.*}} linalg.matmul "{{large|back}}" at
// BLAME-NEXT: attribute 2: alone={{.*}}mismatches without={{.*}} linalg.matmul "{{large|back}}" at
// BLAME-NEXT: attribute 3: alone={{[0-9.e-]+}} without={{.*}}mismatches linalg.matmul at {{.*}}attribute-error.mlir:[[#@LINE+13]]:8

// Too few trials for each op: neighbours are measured together.
// RUN: amp-run %s --autocast=f16 --policy-device=cuda --weights=%t.npz --attribute-error --max-trials=4 | FileCheck %s --check-prefix=GROUP
// GROUP: attribute-error: ops=3 error={{.*}} trials=2
// GROUP-NEXT: attribute 1: alone={{.*}} without=0 linalg.matmul "large" at {{.*}} to linalg.matmul at {{.*}} (3 ops)

func.func @main(%x: tensor<4x8xf32> {amp.name = "x"}, %w1: tensor<8x8xf32> {amp.name = "w1"}, %w2: tensor<8x8xf32> {amp.name = "w2"}, %w3: tensor<8x8xf32> {amp.name = "w3"}) -> (tensor<4x8xf32> {amp.name = "y"}) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %a = linalg.matmul {amp.name = "large"} ins(%x, %w1 : tensor<4x8xf32>, tensor<8x8xf32>) outs(%z : tensor<4x8xf32>) -> tensor<4x8xf32>
  %b = linalg.matmul {amp.name = "back"} ins(%a, %w2 : tensor<4x8xf32>, tensor<8x8xf32>) outs(%z : tensor<4x8xf32>) -> tensor<4x8xf32>
  %c = linalg.matmul ins(%b, %w3 : tensor<4x8xf32>, tensor<8x8xf32>) outs(%z : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %c : tensor<4x8xf32>
}
