// What changed between two reports, or two modules.

// RUN: amp-report %s --autocast=f16 --policy-device=cuda -o %t.f16.json
// RUN: amp-report %s --autocast=bf16 --policy-device=cuda -o %t.bf16.json
// RUN: amp-report --diff %t.f16.json %t.f16.json | count 0
// RUN: %python %S/../amp-run/Inputs/fails.py 1 amp-report --diff %t.f16.json %t.bf16.json | FileCheck %s --check-prefix=TYPES
// TYPES: ~ main/amp.autocast at {{.*}}: casts
// TYPES: ~ main/first: types, casts
// TYPES-NEXT: before: lower_precision_fp (f32,f32,f32)->(f16,f16,f32) results (f16) compute f32 casts 3 (tensor<8x8xf32>->tensor<8x8xf16>, {{.*}}) because
// TYPES-NEXT: after: lower_precision_fp (f32,f32,f32)->(bf16,bf16,f32) results (bf16) compute f32 casts 3 (tensor<8x8xf32>->tensor<8x8xbf16>, {{.*}}) because
// TYPES-NOT: ~ main/tensor.empty

// Lines that come before, and ops that go, change nothing else.
// RUN: grep -v 'a comment' %s | sed -e 's/loc("second")/loc("third")/' -e '/gone/d' > %t.edited.mlir
// RUN: %python %S/../amp-run/Inputs/fails.py 1 amp-report --diff %s %t.edited.mlir --autocast=f16 --policy-device=cuda | FileCheck %s --check-prefix=EDIT
// EDIT: - main/math.exp at {{.*}}: {{[a-z0-9_]+}} (f16)->
// EDIT: - main/second
// EDIT: + main/third
// EDIT-NOT: {{^[-~+]}}
// EDIT: ops: before 4, after 3

// a comment
func.func @main(%x: tensor<8x8xf32>, %w: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %a = linalg.matmul ins(%x, %w : tensor<8x8xf32>, tensor<8x8xf32>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32> loc("first")
  %gone = math.exp %a : tensor<8x8xf32>
  %b = linalg.matmul ins(%a, %w : tensor<8x8xf32>, tensor<8x8xf32>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32> loc("second")
  %c = linalg.matmul ins(%b, %x : tensor<8x8xf32>, tensor<8x8xf32>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %c : tensor<8x8xf32>
}
