// The ranges of a profile in the report: measured in the program as it comes in,
// told of its ops after autocast.

// RUN: %python %S/Inputs/make_samples.py %t.npz
// RUN: amp-run %s --calibrate=%t.npz --profile=%t.profile.json --quiet
// RUN: amp-report %s --autocast=f16 --profile=%t.profile.json > %t.txt
// RUN: FileCheck %s --check-prefix=TEXT < %t.txt
// TEXT: because {{ *}}min {{ *}}max {{ *}}absmax {{ *}}nan {{ *}}inf {{ *}}zero {{ *}}subnormal {{ *}}subnormal-f16{{$}}
// No range of what has none: the border of a scope, and a constant.
// TEXT: amp.autocast {{.*}} -  {{ *}}- {{ *}}- {{ *}}- {{ *}}- {{ *}}- {{ *}}- {{ *}}-{{$}}
// TEXT: arith.constant {{.*}} - {{ *}}- {{ *}}- {{ *}}- {{ *}}- {{ *}}- {{ *}}- {{ *}}-{{$}}
// Half of each: 2^99, and 2^-131, which is subnormal in f32, and with 2^-16 in f16.
// TEXT: arith.mulf "half" {{.*}} -1 {{ *}}6.338e+29 {{ *}}6.338e+29 {{ *}}1 {{ *}}1 {{ *}}2 {{ *}}1 {{ *}}2{{$}}
// TEXT: math.sqrt "root" {{.*}} 0 {{ *}}7.961e+14 {{ *}}7.961e+14 {{ *}}2 {{ *}}1 {{ *}}2 {{ *}}0 {{ *}}1{{$}}
// TEXT: arith.divf "never" {{.*}} - {{ *}}- {{ *}}- {{ *}}3 {{ *}}9 {{ *}}0 {{ *}}0 {{ *}}0{{$}}
// TEXT: ranges in the profile: 3 of 6 ops{{$}}

// RUN: amp-report %s --autocast=f16 --profile=%t.profile.json -o %t.json
// RUN: %python %S/Inputs/check_json.py %t.json
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// JSON: "op": "arith.constant"
// JSON: "range": null
// JSON: "id": "main/half"
// JSON: "range": {
// JSON-NEXT: "count": 12,
// JSON-NEXT: "min": -1,
// JSON-NEXT: "max": 6.3382530011411{{[0-9]*}}e+29,
// JSON-NEXT: "absmax": 6.3382530011411{{[0-9]*}}e+29,
// JSON-NEXT: "nan": 1,
// JSON-NEXT: "inf": 1,
// JSON-NEXT: "zero": 2,
// JSON-NEXT: "subnormal": 1,
// JSON-NEXT: "subnormal_f16": 2
// JSON-NEXT: }
// JSON: "id": "main/never"
// JSON: "range": {
// JSON-NEXT: "count": 12,
// JSON-NEXT: "min": null,
// JSON-NEXT: "max": null,
// JSON-NEXT: "absmax": null,
// JSON-NEXT: "nan": 3,
// JSON-NEXT: "inf": 9,

// RUN: amp-report %s --autocast=f16 --profile=%t.profile.json -o %t.html
// RUN: %python %S/Inputs/check_html.py %t.html half 6.338e+29 '3 of 6 ops'
// RUN: FileCheck %s --check-prefix=HTML < %t.html
// HTML: <dt>ranges in the profile</dt><dd>3 of 6 ops</dd>
// HTML: >Min</button></th>
// HTML: >Subnormal in f16</button></th>
// HTML: >half</span>
// HTML: data-key="-1">-1</td>
// HTML-NEXT: data-key="6.3382530011411{{[0-9]*}}e+29">6.338e+29</td>
// HTML-NEXT: data-key="6.3382530011411{{[0-9]*}}e+29">6.338e+29</td>
// HTML-NEXT: data-key="1"><span class="bad">1</span></td>
// HTML-NEXT: data-key="1"><span class="bad">1</span></td>
// HTML-NEXT: data-key="2">2</td>
// HTML-NEXT: data-key="1">1</td>
// HTML-NEXT: data-key="2">2</td>

// Without a profile there are no such columns.
// RUN: amp-report %s --autocast=f16 -o %t.plain.json
// RUN: amp-report %s --autocast=f16 | FileCheck %s --check-prefix=NONE --implicit-check-not=absmax --implicit-check-not=ranges
// NONE: because{{$}}
// RUN: not grep range %t.plain.json
// A range is no difference, and comes back from JSON.
// RUN: amp-report --diff %t.plain.json %t.json

// What went through the passes with the profile holds the ranges.
// RUN: amp-opt %s --amp-decide-precision="scope=function dtype=f16 device=cpu profile=%t.profile.json" --mlir-print-debuginfo --mlir-print-local-scope -o %t.decided.mlir
// RUN: FileCheck %s --check-prefix=DECIDED < %t.decided.mlir
// DECIDED: arith.mulf {{.*}}amp.range = {count = 12 : i64, inf = 1 : i64, max = 6.3382530011411{{[0-9]*}}E+29 : f64, min = -1.0{{[0e+]*}} : f64, nan = 1 : i64, subnormal = 1 : i64, subnormal_f16 = 2 : i64, zero = 2 : i64}
// RUN: amp-report %t.decided.mlir --format=json | grep -v '"model"' > %t.decided.json
// RUN: grep -v '"model"' %t.json | diff - %t.decided.json
// RUN: amp-opt %s --amp-autocast="scope=function dtype=f16 device=cpu report=true profile=%t.profile.json" --mlir-print-debuginfo --mlir-print-local-scope -o %t.applied.mlir
// RUN: FileCheck %s --check-prefix=APPLIED --implicit-check-not="amp.range =" < %t.applied.mlir
// APPLIED: amp.report_ranges = [{}, {}, {}, {count = 12
// RUN: amp-report %t.applied.mlir --format=json | grep -v '"model"' | diff - %t.decided.json
// Deciding again without one leaves none, and what is compiled holds none.
// RUN: amp-opt %t.decided.mlir --amp-decide-precision | FileCheck %s --check-prefix=AGAIN --implicit-check-not=amp.range
// AGAIN: amp.decision
// RUN: amp-run %t.applied.mlir --random --device=cpu | FileCheck %s --check-prefix=RUNS
// RUNS: result result0: shape=6 type=f32

// A profile of another program is an error, or a warning if asked.
// RUN: sed 's/math[.]sqrt/math.exp/' %s > %t.other.mlir
// DEFINE: %{fails} = %python %S/../amp-run/Inputs/fails.py 2 amp-report
// RUN: %{fails} %t.other.mlir --autocast=f16 --profile=%t.profile.json 2>&1 | FileCheck %s --check-prefix=STALE --implicit-check-not=error:
// STALE: error: {{.*}}the profile '{{.*}}.profile.json' is not of this program: the value 'root' (math.exp, tensor<6xf32>) has no entry
// STALE: nearest entry without a value: 'root' (math.sqrt, tensor<6xf32>)
// RUN: amp-report %t.other.mlir --autocast=f16 --profile=%t.profile.json --stale-profile=warn 2>&1 | FileCheck %s --check-prefix=WARN
// WARN: warning: {{.*}}the profile '{{.*}}.profile.json' is not of this program
// WARN: math.exp "root" {{.*}} - {{ *}}- {{ *}}- {{ *}}- {{ *}}- {{ *}}- {{ *}}- {{ *}}-{{$}}
// WARN: ranges in the profile: 2 of 6 ops{{$}}
// RUN: %{fails} %s --autocast=f16 --profile=%t.none.json 2>&1 | FileCheck %s --check-prefix=FILE
// FILE: error: {{.*}}cannot read the profile '{{.*}}.none.json': No such file or directory
// RUN: %{fails} %t.decided.mlir --profile=%t.profile.json 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: error: {{.*}}: the module holds decisions already: leave --autocast, --classifier, --entry and --profile out; amp-decide-precision takes a profile, and rules

func.func @main(%x: tensor<6xf32> {amp.name = "x"}) -> (tensor<6xf32>, tensor<6xf32>) {
  %c = arith.constant dense<0.5> : tensor<6xf32>
  %zero = arith.constant dense<0.0> : tensor<6xf32>
  %half = arith.mulf %x, %c : tensor<6xf32> loc("half")
  %root = math.sqrt %half : tensor<6xf32> loc("root")
  %never = arith.divf %half, %zero : tensor<6xf32> loc("never")
  return %root, %never : tensor<6xf32>, tensor<6xf32>
}
