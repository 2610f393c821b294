// Files that are no profiles: one error each, which says where, what was
// expected and what was found.
//
// DEFINE: %{decide} = not amp-opt %s --amp-decide-precision=profile=
//
// RUN: not amp-opt %s --amp-decide-precision=profile=%t.none.json 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: error: [AMP-F001] amp-decide-precision: option 'profile': cannot read the profile '{{.*}}.none.json': No such file or directory
// MISSING-NOT: error
//
// RUN: printf '{\n "format": "amp-profile",\n "version" 1}' > %t.syntax.json
// RUN: %{decide}%t.syntax.json 2>&1 | FileCheck %s --check-prefix=SYNTAX
// SYNTAX: error: [AMP-F001] amp-decide-precision: option 'profile': '{{.*}}.syntax.json':3:12: expected a profile as JSON: Expected : after object key
//
// RUN: echo '{"format": "amp-profile", "version": 3}' > %t.version.json
// RUN: %{decide}%t.version.json 2>&1 | FileCheck %s --check-prefix=VERSION
// VERSION: '{{.*}}.version.json': version: expected 1, the version that this amp reads (calibrate again to have it), found 3
//
// RUN: echo '{"kernels": []}' > %t.other.json
// RUN: %{decide}%t.other.json 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: '{{.*}}.other.json': format: expected "amp-profile", which amp-run --calibrate writes, found nothing
//
// RUN: echo '{"format": "amp-profile", "version": 1, "samples": 1, "selection": {"arguments": true, "results": true, "ops": []}, "values": [{"key": 3}]}' > %t.entry.json
// RUN: %{decide}%t.entry.json 2>&1 | FileCheck %s --check-prefix=ENTRY
// ENTRY: '{{.*}}.entry.json': values[0].key: expected a text, found 3
//
// RUN: not amp-opt %s --amp-decide-precision=stale-profile=ignore 2>&1 | FileCheck %s --check-prefix=STALE
// STALE: error: [AMP-O001] amp-decide-precision: option 'stale-profile' is 'ignore', but expected 'error' or 'warn'
//
// A profile without values, for a program that has some.
// RUN: echo '{"format": "amp-profile", "version": 1, "samples": 1, "selection": {"arguments": true, "results": true, "ops": []}, "values": []}' > %t.empty.json
// RUN: %{decide}%t.empty.json 2>&1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: profile-invalid.mlir:[[# @LINE + 4]]:{{.*}}error: [AMP-F00{{[234]}}] the profile '{{.*}}.empty.json' has no entry for any value of this program
// EMPTY: note: calibrate again with amp-run --calibrate
// EMPTY-NOT: error

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = math.exp %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
