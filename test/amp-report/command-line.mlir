// The command line, and everything that can be wrong with the input.

// RUN: amp-report --help | FileCheck %s --check-prefix=HELP
// HELP: Exit codes: 0 success, and no difference; 1 the two of --diff differ; 2 bad
// HELP: --policy-device=<cpu|cuda|xpu|mps>
// HELP-SAME: (default: cpu)

// DEFINE: %{fails} = %python %S/../amp-run/Inputs/fails.py 2 amp-report
// RUN: %{fails} 2>&1 | FileCheck %s --check-prefix=MODEL
// MODEL: amp-report: error: expected one module, found 0: amp-report MODEL.mlir
// RUN: %{fails} --diff %s 2>&1 | FileCheck %s --check-prefix=TWO
// TWO: error: --diff: expected two files, found 1
// RUN: %{fails} %t-none.mlir 2>&1 | FileCheck %s --check-prefix=FILE
// FILE: error: cannot open input file '{{.*}}-none.mlir': No such file or directory
// RUN: %{fails} %S/Inputs/check_json.py 2>&1 | FileCheck %s --check-prefix=SYNTAX --implicit-check-not=error:
// SYNTAX: check_json.py:1:1: error:
// RUN: %{fails} %s 2>&1 | FileCheck %s --check-prefix=NOTHING
// NOTHING: error: {{.*}}command-line.mlir: there is nothing to report: the module has no amp.autocast region and no decision; give --autocast=f16 or bf16
// RUN: %{fails} %s --autocast=f8 2>&1 | FileCheck %s --check-prefix=AUTOCAST
// AUTOCAST: error: --autocast: expected bf16, f16 or off, found 'f8'
// RUN: %{fails} %s --autocast=f16 -o report.pdf 2>&1 | FileCheck %s --check-prefix=OUTPUT
// OUTPUT: error: -o: expected a name that ends in .html, .json or .txt, or --format, found 'report.pdf'
// RUN: %{fails} %s --autocast=f16 --format=.json 2>&1 | FileCheck %s --check-prefix=FORMAT
// FORMAT: error: --format: expected text, json or html, found '.json'
// RUN: %{fails} %s --autocast=f16 -o %t-none/report.json 2>&1 | FileCheck %s --check-prefix=WRITE
// WRITE: error: cannot open output file '{{.*}}-none/report.json': No such file or directory
// RUN: %{fails} %s --autocast=f16 --entry=other 2>&1 | FileCheck %s --check-prefix=ENTRY
// ENTRY: error: {{.*}}: the module has no function 'other' with a body; it has 'main'
// RUN: %{fails} %s --autocast=f16 --weights=%t-none.npz 2>&1 | FileCheck %s --check-prefix=WEIGHTS
// WEIGHTS: error: {{.*}}command-line.mlir: --weights: {{.*}}-none.npz
// RUN: amp-report %s --autocast=f16 -o %t.json
// RUN: %{fails} --diff %t.json %t.json --format=html 2>&1 | FileCheck %s --check-prefix=DIFF
// DIFF: error: --diff: writes text only

// What went through autocast does not go again.
// RUN: amp-opt %s --amp-decide-precision=scope=function -o %t.decided.mlir
// RUN: %{fails} %t.decided.mlir --autocast=bf16 2>&1 | FileCheck %s --check-prefix=DECIDED
// DECIDED: error: {{.*}}: the module holds decisions already: leave --autocast, --classifier, --entry and --profile out; amp-decide-precision takes a profile, and rules
// RUN: amp-opt %s --amp-autocast="scope=function report=true" -o %t.applied.mlir
// RUN: %{fails} %t.applied.mlir --autocast=bf16 2>&1 | FileCheck %s --check-prefix=APPLIED
// APPLIED: error: {{.*}}: the module holds a report, so it went through autocast already: leave --autocast, --classifier, --entry and --profile out

// Reports that are none.
// RUN: echo '{"ops": [}' > %t.syntax.json
// RUN: %{fails} --diff %t.syntax.json %t.json 2>&1 | FileCheck %s --check-prefix=JSON
// JSON: error: {{.*}}.syntax.json: expected JSON: [1:10, byte={{[0-9]+}}]: Invalid JSON value
// RUN: echo '{"format": "other"}' > %t.other.json
// RUN: %{fails} --diff %t.other.json %t.json 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: error: {{.*}}.other.json: expected "amp-report" at report.format
// RUN: sed 's/"version": 1/"version": 9/' %t.json > %t.version.json
// RUN: %{fails} --diff %t.version.json %t.json 2>&1 | FileCheck %s --check-prefix=VERSION
// VERSION: error: {{.*}}.version.json: expected 1 at report.version
// RUN: sed 's/"policy": "[a-z_0-9]*"/"policy": 3/' %t.json > %t.field.json
// RUN: %{fails} --diff %t.field.json %t.json 2>&1 | FileCheck %s --check-prefix=FIELD
// FIELD: error: {{.*}}.field.json: expected string at report.ops[0].policy

func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = math.exp %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}
