// REQUIRES: ptxas

// Tiles that blocks share, where run time tells how many there are: the choice of
// the host, and what ptxas makes of the kernels.
// RUN: amp-opt %s --amp-gpu-codegen=target=sm_90a | FileCheck %s
// RUN: amp-opt %s --amp-gpu-codegen=target=sm_90a --remarks-filter=amp --remark-format=emitRemark -o %t.gpu.mlir 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: amp-opt %s --amp-gpu-codegen=target=sm_90a --amp-lower-gpu-to-nvvm='target=sm_90a format=ptx' > %t.mlir
// RUN: %ptxas_check --kernel=rows_few --max-registers=128 --count HGMMA=8 --count ERRBAR=0 < %t.mlir
// RUN: %ptxas_check --kernel=rows_few_fix_up --count HGMMA=0 --count STSM=4 --count UTMASTG=1 < %t.mlir
// RUN: %ptxas_check --kernel=any --max-registers=168 --count HGMMA=8 --count ERRBAR=0 < %t.mlir
// RUN: %ptxas_check --kernel=any_fix_up --count HGMMA=0 < %t.mlir
// RUN: amp-opt %s --amp-gpu-codegen=target=sm_90a --amp-lower-gpu-to-nvvm='target=sm_90a strict=true' -o %t.strict.mlir

// REMARK: Tiles {{.*}} Function=rows | Config=128x256-4, FewTiles=64x128-8-stream-k, MajorA=K
// REMARK: Tiles {{.*}} Function=any | Config=128x256-4-stream-k, MajorA=K

// How many blocks there are is what the launch made of the grid; the first word of
// the workspace tells the kernel behind.
// CHECK-LABEL: gpu.func @rows_few(
// CHECK-SAME: memref<?xf32
// CHECK: %[[BLOCKS:.*]] = gpu.grid_dim x
// CHECK: arith.bitcast {{.*}} : i32 to f32
// CHECK-NEXT: memref.store
// CHECK-LABEL: gpu.func @rows_few_fix_up(
// CHECK: %[[HEAD:.*]] = memref.load
// CHECK-NEXT: arith.bitcast %[[HEAD]] : f32 to i32

// CHECK-LABEL: func.func @rows(
// CHECK: %[[ARE_FEW:.*]] = arith.andi
// CHECK: %[[SIZE:.*]] = arith.select %[[ARE_FEW]], %{{.*}}, %c0
// CHECK-NEXT: memref.alloc(%[[SIZE]])
// CHECK: scf.if
// CHECK-NEXT: scf.if %[[ARE_FEW]] {
// CHECK: gpu.launch_func @{{.*}}::@rows_few blocks
// CHECK-SAME: {amp.persistent = 1 : i64
// CHECK: gpu.launch_func @{{.*}}::@rows_few_fix_up
// CHECK: } else {
// CHECK: gpu.launch_func @{{.*}}::@rows blocks
// CHECK: } else {
// CHECK: gpu.launch_func @{{.*}}::@rows_unaligned

// Where a configuration is asked for, there is no other, but for what TMA cannot
// read, and sums that 31 bits cannot count.
// CHECK-LABEL: func.func @any(
// CHECK: arith.cmpi ult, %{{.*}}, %c2147483647
// CHECK: scf.if
// CHECK-NOT: scf.if
// CHECK: gpu.launch_func @{{.*}}::@any blocks
// CHECK: gpu.launch_func @{{.*}}::@any_fix_up
// CHECK: gpu.launch_func @{{.*}}::@any_unaligned

#g = #gpu.address_space<global>
module @kernels {
  func.func @rows(%a: tensor<?x4096xf16>, %b: tensor<4096x4096xf16>, %bias: tensor<4096xf32>, %d: tensor<?x4096xf16> {amp.destination = 0 : i64}) -> tensor<?x4096xf16> attributes {amp.kernel} {
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %m = tensor.dim %d, %c0 : tensor<?x4096xf16>
    %e = tensor.empty(%m) : tensor<?x4096xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x4096xf32>) -> tensor<?x4096xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<?x4096xf16>, tensor<4096x4096xf16>) outs(%f : tensor<?x4096xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<?x4096xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c, %bias : tensor<?x4096xf32>, tensor<4096xf32>) outs(%d : tensor<?x4096xf16>) {
    ^bb0(%x: f32, %v: f32, %o: f16):
      %t = arith.addf %x, %v : f32
      %u = arith.truncf %t : f32 to f16
      linalg.yield %u : f16
    } -> tensor<?x4096xf16>
    return %r : tensor<?x4096xf16>
  }
  func.func @any(%a: tensor<?x?xf16>, %b: tensor<?x?xf16>, %d: tensor<?x?xf32> {amp.destination = 0 : i64}) -> tensor<?x?xf32> attributes {amp.kernel, amp.schedule = "wgmma:128x256-4-stream-k"} {
    %zero = arith.constant 0.0 : f32
    %f = linalg.fill ins(%zero : f32) outs(%d : tensor<?x?xf32>) -> tensor<?x?xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<?x?xf16>, tensor<?x?xf16>) outs(%f : tensor<?x?xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<?x?xf32>
    return %c : tensor<?x?xf32>
  }
}
func.func @rows(%a: memref<?x4096xf16, #g>, %b: memref<4096x4096xf16, #g>, %bias: memref<4096xf32, #g>, %d: memref<?x4096xf16, #g>) {
  amp.launch @kernels::@rows ins(%a, %b, %bias : memref<?x4096xf16, #g>, memref<4096x4096xf16, #g>, memref<4096xf32, #g>) outs(%d : memref<?x4096xf16, #g>)
  return
}
func.func @any(%a: memref<?x?xf16, #g>, %b: memref<?x?xf16, #g>, %d: memref<?x?xf32, #g>) {
  amp.launch @kernels::@any ins(%a, %b : memref<?x?xf16, #g>, memref<?x?xf16, #g>) outs(%d : memref<?x?xf32, #g>)
  return
}
