// Which schedule takes which kernel, and why not those before it; and what `map` and `simt` make of theirs.
// RUN: amp-opt %s --amp-gpu-codegen=target=sm_80 --remarks-filter=amp --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: amp-opt %s --amp-gpu-codegen=target=sm_80 | FileCheck %s

// REMARK: schedules.mlir:[[#]]:3: remark: [Passed] Schedule | Category:amp | Function=product | Reason="mma-sync: no tensor core instruction multiplies these types exactly (allow-tf32 rounds them to ten bits of mantissa)", Schedule=fma, Threads=64, VectorWidth=4
// REMARK: [Passed] Schedule | Category:amp | Function=sum | Reason="mma-sync: its reduction does not add products of two operands; fma: its reduction does not add products of two operands", Schedule=row-reduction, Threads=128, VectorWidth=4
// REMARK: [Passed] Schedule | Category:amp | Function=transpose | Reason="mma-sync: it has no reduction; fma: it has no reduction; row-reduction: it reduces nothing; column-reduction: it reduces nothing", Schedule=transpose, Threads=256, VectorWidth=4
// REMARK: [Passed] Schedule | Category:amp | Function=exp | Reason="{{.*}}; transpose: no operand is read along another dimension than the last of the result", Schedule=map, Threads=256, VectorWidth=8
// REMARK: [Passed] Schedule | Category:amp | Function=pool | Reason="{{.*}}; map: 'linalg.pooling_nhwc_max' is a reduction", Schedule=simt, Threads=256, VectorWidth=1
// REMARK: [Passed] Schedule | Category:amp | Function=half_product | Reason=preferred, Schedule=mma-sync

// Rows without gaps become one; eight f16 are a vector of 16 bytes, where the tile is whole and both buffers are aligned. Two blocks of 256 vectors.
// CHECK-LABEL: gpu.func @exp(
// CHECK-SAME: known_block_size = array<i32: 256, 1, 1>, schedule = "map"
// CHECK: %[[WHOLE:.*]] = arith.cmpi ule, %{{.*}}, %c4096
// CHECK: %[[MASK:.*]] = arith.andi %{{.*}}, %c15
// CHECK: %[[BOTH:.*]] = arith.ori
// CHECK: %[[ALIGNED:.*]] = arith.cmpi eq, %[[BOTH]], %c0
// CHECK: %[[VECTORS:.*]] = arith.andi %[[WHOLE]], %[[ALIGNED]]
// CHECK: scf.if %[[VECTORS]] {
// CHECK: %[[X:.*]] = vector.load {{.*}} {alignment = 16 : i64} {{.*}}, vector<8xf16>
// CHECK-NEXT: %[[E:.*]] = math.exp %[[X]] : vector<8xf16>
// CHECK-NEXT: vector.store %[[E]]{{.*}} {alignment = 16 : i64}
// CHECK: } else {
// CHECK: scf.for
// CHECK-NEXT: memref.load
// CHECK-NEXT: math.exp %{{.*}} : f16
// CHECK-NEXT: memref.store
// CHECK: gpu.return

// A thread of its own for each element of the result, with the window as loops in it.
// CHECK-LABEL: gpu.func @pool(
// CHECK-SAME: schedule = "simt"
// CHECK: scf.for
// CHECK: scf.for
// CHECK: scf.for %{{.*}} = %c0 to %c2 step %c1 iter_args(
// CHECK: scf.for %{{.*}} = %c0 to %c2 step %c1 iter_args(
// CHECK: arith.maximumf
// CHECK: memref.store
// CHECK: gpu.return

// CHECK-LABEL: func.func @main
// CHECK: gpu.launch_func{{ *}}@kernels::@exp blocks in (%c2, %c1, %c1) threads in (%c256, %c1, %c1)
// CHECK: gpu.launch_func{{ *}}@kernels::@pool blocks in (%c1, %c1, %c1) threads in (%c256, %c1, %c1)

#g = #gpu.address_space<global>
#id = affine_map<(d0, d1) -> (d0, d1)>
#t = affine_map<(d0, d1) -> (d1, d0)>
#row = affine_map<(d0, d1) -> (d0)>
#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

module @kernels {
  func.func @product(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>, %d: tensor<64x64xf32> {amp.destination = 0 : i64}) -> tensor<64x64xf32> attributes {amp.kernel} {
    %z = arith.constant 0.0 : f32
    %f = linalg.fill ins(%z : f32) outs(%d : tensor<64x64xf32>) -> tensor<64x64xf32>
    %c = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) {
    ^bb0(%x: f32, %y: f32, %acc: f32):
      %p = arith.mulf %x, %y : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<64x64xf32>
    return %c : tensor<64x64xf32>
  }
  func.func @sum(%x: tensor<64x64xf32>, %d: tensor<64xf32> {amp.destination = 0 : i64}) -> tensor<64xf32> attributes {amp.kernel} {
    %z = arith.constant 0.0 : f32
    %f = linalg.fill ins(%z : f32) outs(%d : tensor<64xf32>) -> tensor<64xf32>
    %0 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x64xf32>) outs(%f : tensor<64xf32>) {
    ^bb0(%a: f32, %acc: f32):
      %s = arith.addf %acc, %a : f32
      linalg.yield %s : f32
    } -> tensor<64xf32>
    return %0 : tensor<64xf32>
  }
  func.func @transpose(%x: tensor<64x64xf32>, %d: tensor<64x64xf32> {amp.destination = 0 : i64}) -> tensor<64x64xf32> attributes {amp.kernel} {
    %0 = linalg.generic {indexing_maps = [#t, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x64xf32>) outs(%d : tensor<64x64xf32>) {
    ^bb0(%a: f32, %o: f32):
      linalg.yield %a : f32
    } -> tensor<64x64xf32>
    return %0 : tensor<64x64xf32>
  }
  func.func @exp(%x: tensor<64x64xf16>, %d: tensor<64x64xf16> {amp.destination = 0 : i64}) -> tensor<64x64xf16> attributes {amp.kernel} {
    %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x64xf16>) outs(%d : tensor<64x64xf16>) {
    ^bb0(%a: f16, %o: f16):
      %e = math.exp %a : f16
      linalg.yield %e : f16
    } -> tensor<64x64xf16>
    return %0 : tensor<64x64xf16>
  }
  func.func @pool(%x: tensor<1x8x8x16xf32>, %w: tensor<2x2xf32>, %d: tensor<1x4x4x16xf32> {amp.destination = 0 : i64}) -> tensor<1x4x4x16xf32> attributes {amp.kernel} {
    %z = arith.constant 0.0 : f32
    %f = linalg.fill ins(%z : f32) outs(%d : tensor<1x4x4x16xf32>) -> tensor<1x4x4x16xf32>
    %0 = linalg.pooling_nhwc_max {strides = dense<2> : vector<2xi64>} ins(%x, %w : tensor<1x8x8x16xf32>, tensor<2x2xf32>) outs(%f : tensor<1x4x4x16xf32>) -> tensor<1x4x4x16xf32>
    return %0 : tensor<1x4x4x16xf32>
  }
  func.func @half_product(%a: tensor<64x64xf16>, %b: tensor<64x64xf16>, %d: tensor<64x64xf32> {amp.destination = 0 : i64}) -> tensor<64x64xf32> attributes {amp.kernel} {
    %z = arith.constant 0.0 : f32
    %f = linalg.fill ins(%z : f32) outs(%d : tensor<64x64xf32>) -> tensor<64x64xf32>
    %c = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<64x64xf16>, tensor<64x64xf16>) outs(%f : tensor<64x64xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %u = arith.extf %x : f16 to f32
      %v = arith.extf %y : f16 to f32
      %p = arith.mulf %u, %v : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<64x64xf32>
    return %c : tensor<64x64xf32>
  }
}

func.func @main(%a: memref<64x64xf32, #g>, %b: memref<64x64xf32, #g>, %c: memref<64x64xf32, #g>, %s: memref<64xf32, #g>, %h: memref<64x64xf16, #g>,
                %i: memref<64x64xf16, #g>, %p: memref<1x8x8x16xf32, #g>, %w: memref<2x2xf32, #g>, %q: memref<1x4x4x16xf32, #g>) {
  amp.launch @kernels::@product ins(%a, %b : memref<64x64xf32, #g>, memref<64x64xf32, #g>) outs(%c : memref<64x64xf32, #g>)
  amp.launch @kernels::@sum ins(%a : memref<64x64xf32, #g>) outs(%s : memref<64xf32, #g>)
  amp.launch @kernels::@transpose ins(%a : memref<64x64xf32, #g>) outs(%b : memref<64x64xf32, #g>)
  amp.launch @kernels::@exp ins(%h : memref<64x64xf16, #g>) outs(%i : memref<64x64xf16, #g>)
  amp.launch @kernels::@pool ins(%p, %w : memref<1x8x8x16xf32, #g>, memref<2x2xf32, #g>) outs(%q : memref<1x4x4x16xf32, #g>)
  amp.launch @kernels::@half_product ins(%h, %i : memref<64x64xf16, #g>, memref<64x64xf16, #g>) outs(%c : memref<64x64xf32, #g>)
  return
}
