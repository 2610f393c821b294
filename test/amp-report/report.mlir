// The report of a small program, as text, as JSON and as a page.

// RUN: amp-report %s --autocast=f16 --policy-device=cuda > %t.txt
// RUN: FileCheck %s --check-prefix=TEXT < %t.txt
// TEXT: report of {{.*}}report.mlir
// TEXT: location {{ *}}op {{ *}}policy {{ *}}operands {{ *}}results {{ *}}compute {{ *}}casts {{ *}}bytes {{ *}}because
// TEXT: report.mlir:[[#@LINE+47]]:1 {{ *}}amp.autocast {{ *}}keep {{ *}}f32,f32 {{ *}}f32 {{ *}}- {{ *}}1 {{ *}}128/? {{ *}}boundary
// TEXT: {{^}}- {{ *}}linalg.matmul "the "head" <script>alert(1)</script>" {{ *}}lower_precision_fp {{ *}}f32,f32,f32->f16,f16,f32 {{ *}}f16 {{ *}}f32 {{ *}}3 {{ *}}128/?->64/? {{ *}}{{[a-z]+}}_policy
// TEXT: linalg.generic "größe\x0A2"
// TEXT-NOT: {{^2"}}
// TEXT: location {{ *}}weight {{ *}}type {{ *}}read as {{ *}}bytes
// TEXT: w {{ *}}tensor<16x32xf32> {{ *}}f16 {{ *}}2048->1024
// TEXT: ops: 2
// TEXT-NEXT: in a lower precision: 2
// TEXT-NEXT: casts: 4
// Four bytes and two of each number: 3072 of w, and for each row of x 96, of
// the sums 192, and at the border 192.
// TEXT-NEXT: bytes of casts: 3072+480/?
// TEXT-NEXT: bytes of weights: 2048 -> 1024
// TEXT-NEXT: bytes of results: 256/? -> 128/?

// RUN: amp-report %s --autocast=f16 --policy-device=cuda -o %t.json
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// RUN: amp-report %s --autocast=f16 --policy-device=cuda --format=json | diff - %t.json
// RUN: %python %S/Inputs/check_json.py %t.json
// JSON: "format": "amp-report"
// JSON-NEXT: "version": 1
// JSON: "totals": {
// JSON-NEXT: "ops": 2
// JSON-NEXT: "low": 2
// JSON-NEXT: "casts": 4
// JSON: "id": "main/the \"head\" <script>alert(1)</script>"
// JSON-NEXT: "op": "linalg.matmul"
// JSON: "policy": "lower_precision_fp"
// JSON: "to": [
// JSON-NEXT: "f16"
// JSON-NEXT: "f16"
// JSON-NEXT: "f32"
// JSON: "low": true
// JSON: "from": "tensor<?x16xf32>"
// JSON-NEXT: "to": "tensor<?x16xf16>"

// A page names nothing outside of itself, and what a program calls its ops
// cannot get out of its place.
// RUN: amp-report %s --autocast=f16 --policy-device=cuda -o %t.html
// RUN: %python %S/Inputs/check_html.py %t.html 'the "head" <script>alert(1)</script>' 'größe\x0A2'

// A report of what went through the passes is the same.
// RUN: amp-opt %s --amp-autocast="scope=function dtype=f16 device=cuda report=true" --mlir-print-debuginfo --mlir-print-local-scope -o %t.applied.mlir
// RUN: amp-report %t.applied.mlir -o %t.applied.json
// RUN: amp-report --diff %t.json %t.applied.json
// RUN: amp-opt %s --amp-decide-precision="scope=function dtype=f16 device=cuda" --mlir-print-debuginfo --mlir-print-local-scope -o %t.decided.mlir
// RUN: amp-report --diff %t.json %t.decided.mlir
func.func @main(%x: tensor<?x16xf32> {amp.name = "x"}, %w: tensor<16x32xf32> {amp.name = "w", amp.weight}) -> tensor<?x32xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x16xf32>
  %e = tensor.empty(%n) : tensor<?x32xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x32xf32>) -> tensor<?x32xf32>
  %m = linalg.matmul ins(%x, %w : tensor<?x16xf32>, tensor<16x32xf32>) outs(%z : tensor<?x32xf32>) -> tensor<?x32xf32> loc("the \22head\22 <script>alert(1)</script>")
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%m : tensor<?x32xf32>) outs(%e : tensor<?x32xf32>) {
  ^bb0(%in: f32, %out: f32):
    %relu = arith.maximumf %in, %zero : f32
    linalg.yield %relu : f32
  } -> tensor<?x32xf32> loc("größe\0A2")
  return %r : tensor<?x32xf32>
}
