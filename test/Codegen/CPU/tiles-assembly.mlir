// RUN: amp-opt %s --pass-pipeline='builtin.module(amp-lower-to-cpu{cpu=sapphirerapids no-scalar-fallback})' | mlir-translate --mlir-to-llvmir | llc -O3 -mtriple=x86_64-unknown-linux-gnu -mcpu=sapphirerapids -o %t.s
// RUN: FileCheck %s --implicit-check-not='tile{{loadd|stored}}{{.*}}rsp' --implicit-check-not='{{tile.*Folded}}' < %t.s
// RUN: grep -c tdp %t.s | FileCheck %s --check-prefix=COUNT

// Tile registers in machine code. The loop over k has a product for each tile of sums and a load for each tile of operands, and moves no other tile; none is ever spilled
// to the stack; the registers are configured once in a function.
// COUNT: {{^}}141{{$}}

// One block of all of k, which starts from zeros.
// CHECK-LABEL: bf16_product_0_loop_0:
// CHECK: callq amp_enable_tiles
// CHECK: ldtilecfg
// CHECK-NOT: ldtilecfg
// CHECK-COUNT-4: tilezero
// CHECK: {{^}}[[LOOP:.LBB[0-9_]+]]:
// CHECK-NOT: {{tilestored|tilezero|zmm|call}}
// CHECK: tileloadd
// CHECK-NOT: {{tilestored|tilezero|zmm|call}}
// CHECK: tileloadd
// CHECK-NOT: {{tile|zmm|call}}
// CHECK: tdpbf16ps
// CHECK-NOT: {{tilestored|tilezero|zmm|call}}
// CHECK: tileloadd
// CHECK-NOT: {{tile|zmm|call}}
// CHECK: tdpbf16ps
// CHECK-NOT: {{tilestored|tilezero|zmm|call}}
// CHECK: tileloadd
// CHECK-NOT: {{tile|zmm|call}}
// CHECK: tdpbf16ps
// CHECK-NOT: {{tile|zmm|call}}
// CHECK: tdpbf16ps
// CHECK-NOT: {{tile|zmm|call}}
// CHECK: j{{.*}} [[LOOP]]
// CHECK-COUNT-4: tilestored
// CHECK: tilerelease
func.func @bf16(%a: tensor<512x512xbf16>, %b: tensor<512x512xbf16>) -> tensor<512x512xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<512x512xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<512x512xf32>) -> tensor<512x512xf32>
  %c = linalg.matmul ins(%a, %b : tensor<512x512xbf16>, tensor<512x512xbf16>) outs(%i : tensor<512x512xf32>) -> tensor<512x512xf32>
  return %c : tensor<512x512xf32>
}

// Sizes that are not known: further blocks of k continue partial sums, and the first one starts from zeros in a loop of its own. What follows has calls of nothing.
// CHECK-LABEL: dynamic_product_0_loop_5:
// CHECK: ldtilecfg
// CHECK-NOT: {{ldtilecfg|call[a-z]* +[^ ]*erf}}
// CHECK: tdpbf16ps
// CHECK-NOT: ldtilecfg
// CHECK: tilerelease
func.func @dynamic(%a: tensor<?x?xbf16>, %b: tensor<?x?xbf16>, %like: tensor<?x?xf32>, %bias: tensor<?xf32>) -> tensor<?x?xbf16> {
  %z = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %like, %c0 : tensor<?x?xf32>
  %n = tensor.dim %like, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %s = linalg.fill ins(%z : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %c = linalg.matmul ins(%a, %b : tensor<?x?xbf16>, tensor<?x?xbf16>) outs(%s : tensor<?x?xf32>) -> tensor<?x?xf32>
  %o = tensor.empty(%m, %n) : tensor<?x?xbf16>
  %g = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%c, %bias : tensor<?x?xf32>, tensor<?xf32>) outs(%o : tensor<?x?xbf16>) {
  ^bb0(%x: f32, %y: f32, %w: bf16):
    %0 = arith.addf %x, %y : f32
    %1 = math.erf %0 : f32
    %2 = arith.truncf %1 : f32 to bf16
    linalg.yield %2 : bf16
  } -> tensor<?x?xbf16>
  return %g : tensor<?x?xbf16>
}

// Sums that start from a tensor are loaded.
// CHECK-LABEL: i8_loop_1:
// CHECK-COUNT-4: tileloadd
// CHECK: {{^}}[[LOOP:.LBB[0-9_]+]]:
// CHECK-COUNT-4: tdpbssd
// CHECK-NOT: {{tile|zmm|call}}
// CHECK: j{{.*}} [[LOOP]]
func.func @i8(%a: tensor<512x320xi8>, %b: tensor<320x512xi8>, %i: tensor<512x512xi32>) -> tensor<512x512xi32> {
  %c = linalg.matmul ins(%a, %b : tensor<512x320xi8>, tensor<320x512xi8>) outs(%i : tensor<512x512xi32>) -> tensor<512x512xi32>
  return %c : tensor<512x512xi32>
}

// A few rows: three tiles of sums in a row.
// CHECK-LABEL: few:
// CHECK-COUNT-3: tdpbuud
func.func @few(%a: tensor<16x300xi8>, %b: tensor<300x96xi8>, %i: tensor<16x96xi32>) -> tensor<16x96xi32> {
  %c = linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%a, %b : tensor<16x300xi8>, tensor<300x96xi8>) outs(%i : tensor<16x96xi32>) -> tensor<16x96xi32>
  return %c : tensor<16x96xi32>
}

// A few rows by a transposed B: its rows are loaded where they are, 1536 bytes apart, and those of A as they were packed. Nothing is called in the loops, behind which tiles
// would be configured again.
// CHECK-LABEL: transposed_product_0_loop_2:
// CHECK: ldtilecfg
// CHECK-NOT: {{ldtilecfg|call}}
// CHECK: movl $1536, %[[ROW:[a-z]+]]
// CHECK-NOT: {{ldtilecfg|call}}
// CHECK: tileloadd (%{{.*}},%r{{.*}}), %[[B:tmm[0-9]]]
// CHECK-NOT: {{ldtilecfg|call|tilestored}}
// CHECK: tdpbf16ps %{{.*}}, %[[B]], %{{.*}}
// CHECK-NOT: ldtilecfg
// CHECK: retq
func.func @transposed(%a: tensor<?x768xbf16>, %b: tensor<5000x768xbf16>) -> tensor<?x5000xf32> {
  %z = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %m = tensor.dim %a, %c0 : tensor<?x768xbf16>
  %e = tensor.empty(%m) : tensor<?x5000xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<?x5000xf32>) -> tensor<?x5000xf32>
  %c = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%a, %b : tensor<?x768xbf16>, tensor<5000x768xbf16>) outs(%i : tensor<?x5000xf32>) -> tensor<?x5000xf32>
  return %c : tensor<?x5000xf32>
}
