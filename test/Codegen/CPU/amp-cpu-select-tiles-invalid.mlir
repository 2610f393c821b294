// RUN: amp-opt %s --split-input-file --verify-diagnostics --amp-cpu-select-tiles='cpu=sapphirerapids no-scalar-fallback'
// RUN: not amp-opt %s --split-input-file --amp-cpu-select-tiles='cpu=pentium9' 2>&1 | FileCheck %s --check-prefix=CPU
// RUN: not amp-opt %s --split-input-file --amp-cpu-select-tiles='features=amx-tile' 2>&1 | FileCheck %s --check-prefix=FEATURE

// CPU: error: unknown CPU 'pentium9'
// FEATURE: error: bad CPU feature 'amx-tile'

#a = affine_map<(m, n, k, g) -> (m, k, g)>
#b = affine_map<(m, n, k, g) -> (k, n, g)>
#c = affine_map<(m, n, k, g) -> (m, n)>

func.func @vector(%a: memref<16x32xbf16>, %b: memref<16x32xbf16>) -> vector<16x16xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : bf16
  %zero = arith.constant dense<0.0> : vector<16x16xf32>
  %0 = vector.transfer_read %a[%c0, %c0], %z {in_bounds = [true, true]} : memref<16x32xbf16>, vector<16x32xbf16>
  %1 = vector.transfer_read %b[%c0, %c0], %z {in_bounds = [true, true]} : memref<16x32xbf16>, vector<16x32xbf16>
  %2 = vector.shape_cast %0 : vector<16x32xbf16> to vector<16x16x2xbf16>
  %3 = vector.shape_cast %1 : vector<16x32xbf16> to vector<16x16x2xbf16>
  // expected-error @+1 {{is a sum of tiles that is used as a vector, which 'no-scalar-fallback' forbids}}
  %4 = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction", "reduction"], kind = #vector.kind<add>}
    %2, %3, %zero : vector<16x16x2xbf16>, vector<16x16x2xbf16> into vector<16x16xf32>
  return %4 : vector<16x16xf32>
}

// -----

#a = affine_map<(m, n, k, g) -> (m, k, g)>
#b = affine_map<(m, n, k, g) -> (k, n, g)>
#c = affine_map<(m, n, k, g) -> (m, n)>

// expected-error @+1 {{'amp_enable_tiles' is a function of the runtime: expected the program to have none of that name}}
func.func @amp_enable_tiles(%a: memref<16x32xbf16>, %b: memref<16x32xbf16>, %c: memref<16x16xf32>) {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : bf16
  %zero = arith.constant dense<0.0> : vector<16x16xf32>
  %0 = vector.transfer_read %a[%c0, %c0], %z {in_bounds = [true, true]} : memref<16x32xbf16>, vector<16x32xbf16>
  %1 = vector.transfer_read %b[%c0, %c0], %z {in_bounds = [true, true]} : memref<16x32xbf16>, vector<16x32xbf16>
  %2 = vector.shape_cast %0 : vector<16x32xbf16> to vector<16x16x2xbf16>
  %3 = vector.shape_cast %1 : vector<16x32xbf16> to vector<16x16x2xbf16>
  %4 = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction", "reduction"], kind = #vector.kind<add>}
    %2, %3, %zero : vector<16x16x2xbf16>, vector<16x16x2xbf16> into vector<16x16xf32>
  vector.transfer_write %4, %c[%c0, %c0] {in_bounds = [true, true]} : vector<16x16xf32>, memref<16x16xf32>
  return
}
