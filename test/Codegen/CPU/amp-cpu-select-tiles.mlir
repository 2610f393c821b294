// RUN: amp-opt %s --split-input-file --amp-cpu-select-tiles='cpu=sapphirerapids' | FileCheck %s
// RUN: amp-opt %s --split-input-file --amp-cpu-select-tiles='cpu=sapphirerapids' | amp-opt --split-input-file --amp-cpu-select-tiles='cpu=sapphirerapids' | FileCheck %s
// RUN: amp-opt %s --split-input-file --amp-cpu-select-tiles='cpu=sapphirerapids' --remarks-filter=amp --remark-format=emitRemark -o %t 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: amp-opt %s --split-input-file --amp-cpu-select-tiles='cpu=x86-64-v4' | FileCheck %s --check-prefix=NONE
// RUN: amp-opt %s --split-input-file --amp-cpu-select-tiles='cpu=sapphirerapids vector-bits=256' | FileCheck %s --check-prefix=NONE
// RUN: amp-opt %s --split-input-file --amp-cpu-select-tiles='cpu=sapphirerapids features=-amx-bf16' | FileCheck %s --check-prefix=NOBF16
// NONE-NOT: {{amx|amp_enable}}

// A loop that carries two sums, of which one starts from zeros and one from memory; they share an operand, which is loaded once.
// CHECK-LABEL: func.func @loop
// CHECK-SAME: (%[[A:.*]]: memref<2x16x64xbf16>, %[[B:.*]]: memref<?x32xbf16>, %[[C:.*]]: memref<32x16xf32>, %[[N:.*]]: index)
// CHECK: call @amp_enable_tiles()
// CHECK: %[[OLD:.*]] = amx.tile_load %[[C]][%{{.*}}, %{{.*}}] : memref<32x16xf32> into !amx.tile<16x16xf32>
// CHECK: %[[ZERO:.*]] = amx.tile_zero : !amx.tile<16x16xf32>
// CHECK: %[[SUMS:.*]]:2 = scf.for {{.*}} iter_args(%[[X:.*]] = %[[ZERO]], %[[Y:.*]] = %[[OLD]]) -> (!amx.tile<16x16xf32>, !amx.tile<16x16xf32>)
// CHECK: %[[A0:.*]] = amx.tile_load %[[A]]
// CHECK: %[[B0:.*]] = amx.tile_load %[[B]]
// CHECK: %[[X1:.*]] = amx.tile_mulf %[[A0]], %[[B0]], %[[X]]
// CHECK: %[[A1:.*]] = amx.tile_load %[[A]]
// CHECK: %[[Y1:.*]] = amx.tile_mulf %[[A1]], %[[B0]], %[[Y]]
// CHECK-NOT: {{ = (amx|vector)}}
// CHECK: scf.yield %[[X1]], %[[Y1]]
// CHECK: amx.tile_store %[[C]][%{{.*}}, %{{.*}}], %[[SUMS]]#0
// CHECK: amx.tile_store %[[C]][%{{.*}}, %{{.*}}], %[[SUMS]]#1
// REMARK: remark: [Passed] Tiles
// REMARK-SAME: Function=loop
// REMARK-SAME: Products=2
// NOBF16-LABEL: func.func @loop
// NOBF16-NOT: amx
// NOBF16: vector.contract
func.func @loop(%a: memref<2x16x64xbf16>, %b: memref<?x32xbf16>, %c: memref<32x16xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %f = arith.constant 0.0 : f32
  %z = arith.constant 0.0 : bf16
  %zero = arith.constant dense<0.0> : vector<16x16xf32>
  %old = vector.transfer_read %c[%c16, %c0], %f {in_bounds = [true, true]} : memref<32x16xf32>, vector<16x16xf32>
  %sums:2 = scf.for %k = %c0 to %n step %c16 iter_args(%x = %zero, %y = %old) -> (vector<16x16xf32>, vector<16x16xf32>) {
    %0 = vector.transfer_read %a[%c0, %c0, %c0], %z {in_bounds = [true, true]} : memref<2x16x64xbf16>, vector<16x32xbf16>
    %1 = vector.shape_cast %0 : vector<16x32xbf16> to vector<16x16x2xbf16>
    %2 = vector.transfer_read %b[%k, %c0], %z {in_bounds = [true, true]} : memref<?x32xbf16>, vector<16x32xbf16>
    %3 = vector.shape_cast %2 : vector<16x32xbf16> to vector<16x16x2xbf16>
    %4 = vector.contract {indexing_maps = [affine_map<(m, n, k, g) -> (m, k, g)>, affine_map<(m, n, k, g) -> (k, n, g)>, affine_map<(m, n, k, g) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"], kind = #vector.kind<add>} %1, %3, %x : vector<16x16x2xbf16>, vector<16x16x2xbf16> into vector<16x16xf32>
    %5 = vector.transfer_read %a[%c1, %c0, %c0], %z {in_bounds = [true, true]} : memref<2x16x64xbf16>, vector<16x32xbf16>
    %6 = vector.shape_cast %5 : vector<16x32xbf16> to vector<16x16x2xbf16>
    %7 = vector.contract {indexing_maps = [affine_map<(m, n, k, g) -> (m, k, g)>, affine_map<(m, n, k, g) -> (k, n, g)>, affine_map<(m, n, k, g) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"], kind = #vector.kind<add>} %6, %3, %y : vector<16x16x2xbf16>, vector<16x16x2xbf16> into vector<16x16xf32>
    scf.yield %4, %7 : vector<16x16xf32>, vector<16x16xf32>
  }
  vector.transfer_write %sums#0, %c[%c0, %c0] {in_bounds = [true, true]} : vector<16x16xf32>, memref<32x16xf32>
  vector.transfer_write %sums#1, %c[%c16, %c0] {in_bounds = [true, true]} : vector<16x16xf32>, memref<32x16xf32>
  return
}

// -----

#a = affine_map<(m, n, k, g) -> (m, k, g)>
#b = affine_map<(m, n, k, g) -> (k, n, g)>
#c = affine_map<(m, n, k, g) -> (m, n)>

// Each way of signs is an instruction; without a loop, sums go from one product to the next.
// CHECK-LABEL: func.func @signs
// CHECK: %[[P0:.*]] = amx.tile_muli %[[A:.*]], %[[B:[^,]*]], %{{.*}} :
// CHECK: %[[P1:.*]] = amx.tile_muli %[[A]] zext, %[[B]], %[[P0]] :
// CHECK: %[[P2:.*]] = amx.tile_muli %[[A]], %[[B]] zext, %[[P1]] :
// CHECK: %[[P3:.*]] = amx.tile_muli %[[A]] zext, %[[B]] zext, %[[P2]] :
// CHECK: amx.tile_store %{{.*}}, %[[P3]] :
// NOBF16-LABEL: func.func @signs
// NOBF16-COUNT-4: amx.tile_muli
func.func @signs(%a: memref<16x64xi8>, %b: memref<16x64xi8>, %c: memref<16x16xi32>) {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0 : i8
  %zero = arith.constant dense<0> : vector<16x16xi32>
  %0 = vector.transfer_read %a[%c0, %c0], %z {in_bounds = [true, true]} : memref<16x64xi8>, vector<16x64xi8>
  %1 = vector.transfer_read %b[%c0, %c0], %z {in_bounds = [true, true]} : memref<16x64xi8>, vector<16x64xi8>
  %2 = vector.shape_cast %0 : vector<16x64xi8> to vector<16x16x4xi8>
  %3 = vector.shape_cast %1 : vector<16x64xi8> to vector<16x16x4xi8>
  %as = arith.extsi %2 : vector<16x16x4xi8> to vector<16x16x4xi32>
  %au = arith.extui %2 : vector<16x16x4xi8> to vector<16x16x4xi32>
  %bs = arith.extsi %3 : vector<16x16x4xi8> to vector<16x16x4xi32>
  %bu = arith.extui %3 : vector<16x16x4xi8> to vector<16x16x4xi32>
  %4 = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction", "reduction"], kind = #vector.kind<add>}
    %as, %bs, %zero : vector<16x16x4xi32>, vector<16x16x4xi32> into vector<16x16xi32>
  %5 = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction", "reduction"], kind = #vector.kind<add>}
    %au, %bs, %4 : vector<16x16x4xi32>, vector<16x16x4xi32> into vector<16x16xi32>
  %6 = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction", "reduction"], kind = #vector.kind<add>}
    %as, %bu, %5 : vector<16x16x4xi32>, vector<16x16x4xi32> into vector<16x16xi32>
  %7 = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction", "reduction"], kind = #vector.kind<add>}
    %au, %bu, %6 : vector<16x16x4xi32>, vector<16x16x4xi32> into vector<16x16xi32>
  vector.transfer_write %7, %c[%c0, %c0] {in_bounds = [true, true]} : vector<16x16xi32>, memref<16x16xi32>
  return
}

// -----

#a = affine_map<(m, n, k, g) -> (m, k, g)>
#b = affine_map<(m, n, k, g) -> (k, n, g)>
#c = affine_map<(m, n, k, g) -> (m, n)>

// A sum of which anything else is computed as a vector stays one, as a whole; so does one that starts from what is not zero.
// CHECK-LABEL: func.func @vectors
// CHECK-NOT: amx
// CHECK-COUNT-2: vector.contract
// CHECK-NOT: amx
// REMARK: remark: [Missed] Tiles
// REMARK-SAME: Function=vectors
// REMARK-SAME: a sum of tiles is used as a vector
func.func @vectors(%a: memref<16x64xi8>, %b: memref<16x64xi8>, %c: memref<16x16xi32>) -> vector<16x16xi32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0 : i8
  %zero = arith.constant dense<0> : vector<16x16xi32>
  %one = arith.constant dense<1> : vector<16x16xi32>
  %0 = vector.transfer_read %a[%c0, %c0], %z {in_bounds = [true, true]} : memref<16x64xi8>, vector<16x64xi8>
  %1 = vector.transfer_read %b[%c0, %c0], %z {in_bounds = [true, true]} : memref<16x64xi8>, vector<16x64xi8>
  %2 = vector.shape_cast %0 : vector<16x64xi8> to vector<16x16x4xi8>
  %3 = vector.shape_cast %1 : vector<16x64xi8> to vector<16x16x4xi8>
  %4 = arith.extsi %2 : vector<16x16x4xi8> to vector<16x16x4xi32>
  %5 = arith.extsi %3 : vector<16x16x4xi8> to vector<16x16x4xi32>
  %6 = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction", "reduction"], kind = #vector.kind<add>}
    %4, %5, %zero : vector<16x16x4xi32>, vector<16x16x4xi32> into vector<16x16xi32>
  %7 = arith.muli %6, %6 : vector<16x16xi32>
  %8 = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction", "reduction"], kind = #vector.kind<add>}
    %4, %5, %one : vector<16x16x4xi32>, vector<16x16x4xi32> into vector<16x16xi32>
  vector.transfer_write %8, %c[%c0, %c0] {in_bounds = [true, true]} : vector<16x16xi32>, memref<16x16xi32>
  return %7 : vector<16x16xi32>
}

// -----

// Fewer rows than a register holds.
// CHECK-LABEL: func.func @eight_rows
// CHECK: amx.tile_load %{{.*}} into !amx.tile<8x16xf32>
// CHECK: amx.tile_load %{{.*}} into !amx.tile<8x32xbf16>
// CHECK: amx.tile_load %{{.*}} into !amx.tile<16x32xbf16>
// CHECK: amx.tile_mulf {{.*}} !amx.tile<8x16xf32>
// CHECK: amx.tile_store {{.*}} !amx.tile<8x16xf32>
func.func @eight_rows(%a: memref<8x32xbf16>, %b: memref<16x32xbf16>, %c: memref<8x16xf32>) {
  %c0 = arith.constant 0 : index
  %f = arith.constant 0.0 : f32
  %z = arith.constant 0.0 : bf16
  %old = vector.transfer_read %c[%c0, %c0], %f {in_bounds = [true, true]} : memref<8x16xf32>, vector<8x16xf32>
  %0 = vector.transfer_read %a[%c0, %c0], %z {in_bounds = [true, true]} : memref<8x32xbf16>, vector<8x32xbf16>
  %1 = vector.shape_cast %0 : vector<8x32xbf16> to vector<8x16x2xbf16>
  %2 = vector.transfer_read %b[%c0, %c0], %z {in_bounds = [true, true]} : memref<16x32xbf16>, vector<16x32xbf16>
  %3 = vector.shape_cast %2 : vector<16x32xbf16> to vector<16x16x2xbf16>
  %4 = vector.contract {indexing_maps = [affine_map<(m, n, k, g) -> (m, k, g)>, affine_map<(m, n, k, g) -> (k, n, g)>, affine_map<(m, n, k, g) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction", "reduction"], kind = #vector.kind<add>} %1, %3, %old : vector<8x16x2xbf16>, vector<16x16x2xbf16> into vector<8x16xf32>
  vector.transfer_write %4, %c[%c0, %c0] {in_bounds = [true, true]} : vector<8x16xf32>, memref<8x16xf32>
  return
}
