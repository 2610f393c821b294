// REQUIRES: ptxas

// What few rows or few tiles become on sm_90a: what is chosen, its parts, and what
// ptxas makes of it.
// RUN: amp-opt %s --amp-gpu-codegen=target=sm_90a | FileCheck %s
// RUN: amp-opt %s --amp-gpu-codegen=target=sm_90a --remarks-filter=amp --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: amp-opt %s --amp-gpu-codegen=target=sm_90a --amp-lower-gpu-to-nvvm='target=sm_90a format=ptx' > %t.mlir
// RUN: %ptxas_check --kernel=linear --max-registers=168 --count HGMMA=8 --count 'UTMALDG>=2' --count USETMAXREG=2 --count ERRBAR=0 --count STSM=1 --count UTMASTG=1 --count STG=0 < %t.mlir
// RUN: %ptxas_check --kernel=along_n_fix_up --count HGMMA=0 --count STSM=1 --count UTMASTG=1 --count STG=0 < %t.mlir
// RUN: %ptxas_check --kernel=long_fix_up --count HGMMA=0 --count STSM=4 --count UTMASTG=1 < %t.mlir
// RUN: amp-opt %s --amp-gpu-codegen=target=sm_90a --amp-lower-gpu-to-nvvm='target=sm_90a strict=true' -o /dev/null

// W along K: as many of its rows for each multiprocessor. Along N: blocks share
// tiles of 128. So they do where there are few tiles of long sums.
// REMARK: Tiles {{.*}} Function=linear | Config=skinny-112x16-12, MajorA=K, MajorB=K,
// REMARK: Tiles {{.*}} Function=along_n | Config=skinny-128x16-12-stream-k, MajorA=MN, MajorB=K,
// REMARK: Schedule {{.*}} Function=along_n | {{.*}} Schedule=wgmma, Threads=384
// REMARK: Schedule {{.*}} Function=along_n_fix_up | {{.*}} Schedule=wgmma, Threads=128
// REMARK: Tiles {{.*}} Function=long | Config=64x128-8-stream-k,
// REMARK: Schedule {{.*}} Function=few | {{.*}}Reason="wgmma: its result has only 16 rows or columns, and its operands are small", Schedule=mma-sync

// 16 of 128 rows of each stage are zero. A stage is filled with those of the tile.
// CHECK-LABEL: gpu.func @linear(
// CHECK: vector.store {{.*}} {alignment = 16 : i64} : memref<{{.*}}xi32, #gpu.address_space<workgroup>>, vector<4xi32>
// CHECK: fence.proxy.async.shared::cta;
// CHECK: nvvm.mbarrier.arrive.expect_tx %{{.*}}, %c16384_i32
// CHECK: nvvm.wgmma.mma_async {{.*}} <m = 64, n = 16, k = 16>, D[<f32>, <zero>], A[<f16>, <one>, <row>], B[<f16>, <one>, <col>]
// Results are contiguous along the rows of the tile: matrices are transposed on the way, and the rows of the next tile are left alone.
// CHECK: nvvm.stmatrix {{.*}} layout = #nvvm.mma_layout<col>
// CHECK: arith.cmpi ult
// CHECK: nvvm.cp.async.bulk.tensor.global.shared.cta
// CHECK-LABEL: gpu.func @along_n(
// CHECK: nvvm.wgmma.mma_async {{.*}} <m = 64, n = 16, k = 16>, D[<f32>, <zero>], A[<f16>, <one>, <col>], B[<f16>, <one>, <col>]

// Sums of parts of tiles go to the workspace, 132 blocks have two slots each.
// CHECK-LABEL: gpu.func @long(
// CHECK-SAME: memref<2162720xf32, #gpu.address_space<global>>)
// CHECK: vector.store {{.*}} : memref<2162720xf32, #gpu.address_space<global>>, vector<4xf32>
// CHECK-LABEL: gpu.func @long_fix_up(
// CHECK-SAME: known_block_size = array<i32: 128, 1, 1>
// CHECK: nvvm.griddepcontrol launch_dependents
// CHECK-NEXT: nvvm.griddepcontrol wait
// CHECK: vector.load {{.*}} : memref<2162720xf32, #gpu.address_space<global>>, vector<4xf32>
// CHECK: scf.for
// CHECK: arith.addf {{.*}} : vector<4xf32>
// CHECK: nvvm.stmatrix

// CHECK-LABEL: func.func @main(
// CHECK: gpu.launch_func{{ *}}@kernels::@linear blocks in (%c128, %c1, %c1) threads in (%c384, %c1, %c1)
// CHECK-SAME: amp.tensor_maps = [{box = array<i64: 64, 112>, operand = 4 : i64, swizzle = 128 : i64}, {box = array<i64: 64, 16>, operand = 5 : i64, swizzle = 128 : i64}, {box = array<i64: 16, 16>, operand = 6 : i64, swizzle = 0 : i64}]
// CHECK: %[[WORKSPACE:.*]] = memref.alloc() {alignment = 256 : i64} : memref<2162720xf32, #gpu.address_space<global>>
// CHECK: gpu.launch_func{{ *}}@kernels::@long blocks in (%c132, %c1, %c1)
// CHECK-SAME: %[[WORKSPACE]] : memref<2162720xf32
// CHECK: gpu.launch_func{{ *}}@kernels::@long_fix_up blocks in (%c32, %c1, %c1) threads in (%c128, %c1, %c1)
// CHECK-SAME: %[[WORKSPACE]] : memref<2162720xf32
// CHECK-SAME: amp.tensor_maps = [{box = array<i64: 64, 16>, operand = 4 : i64, swizzle = 128 : i64}]

#g = #gpu.address_space<global>

module @kernels {
  func.func @linear(%a: tensor<16x4096xf16>, %b: tensor<14336x4096xf16>, %bias: tensor<14336xf32>, %d: tensor<16x14336xf16> {amp.destination = 0 : i64}) -> tensor<16x14336xf16> attributes {amp.kernel} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<16x14336xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16x14336xf32>) -> tensor<16x14336xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<16x4096xf16>, tensor<14336x4096xf16>) outs(%f : tensor<16x14336xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<16x14336xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c, %bias : tensor<16x14336xf32>, tensor<14336xf32>) outs(%d : tensor<16x14336xf16>) {
    ^bb0(%x: f32, %v: f32, %o: f16):
      %t = arith.addf %x, %v : f32
      %u = arith.truncf %t : f32 to f16
      linalg.yield %u : f16
    } -> tensor<16x14336xf16>
    return %r : tensor<16x14336xf16>
  }
  func.func @along_n(%a: tensor<16x4096xf16>, %b: tensor<4096x14336xf16>, %d: tensor<16x14336xf16> {amp.destination = 0 : i64}) -> tensor<16x14336xf16> attributes {amp.kernel} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<16x14336xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16x14336xf32>) -> tensor<16x14336xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<16x4096xf16>, tensor<4096x14336xf16>) outs(%f : tensor<16x14336xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<16x14336xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c : tensor<16x14336xf32>) outs(%d : tensor<16x14336xf16>) {
    ^bb0(%x: f32, %o: f16):
      %u = arith.truncf %x : f32 to f16
      linalg.yield %u : f16
    } -> tensor<16x14336xf16>
    return %r : tensor<16x14336xf16>
  }
  func.func @long(%a: tensor<128x4096xf16>, %b: tensor<1024x4096xf16>, %bias: tensor<1024xf32>, %d: tensor<128x1024xf16> {amp.destination = 0 : i64}) -> tensor<128x1024xf16> attributes {amp.kernel} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<128x1024xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<128x1024xf32>) -> tensor<128x1024xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<128x4096xf16>, tensor<1024x4096xf16>) outs(%f : tensor<128x1024xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<128x1024xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c, %bias : tensor<128x1024xf32>, tensor<1024xf32>) outs(%d : tensor<128x1024xf16>) {
    ^bb0(%x: f32, %v: f32, %o: f16):
      %t = arith.addf %x, %v : f32
      %u = arith.truncf %t : f32 to f16
      linalg.yield %u : f16
    } -> tensor<128x1024xf16>
    return %r : tensor<128x1024xf16>
  }
  func.func @few(%a: tensor<16x64xf16>, %b: tensor<64x64xf16>, %d: tensor<16x64xf16> {amp.destination = 0 : i64}) -> tensor<16x64xf16> attributes {amp.kernel} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<16x64xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16x64xf32>) -> tensor<16x64xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<16x64xf16>, tensor<64x64xf16>) outs(%f : tensor<16x64xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<16x64xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c : tensor<16x64xf32>) outs(%d : tensor<16x64xf16>) {
    ^bb0(%x: f32, %o: f16):
      %u = arith.truncf %x : f32 to f16
      linalg.yield %u : f16
    } -> tensor<16x64xf16>
    return %r : tensor<16x64xf16>
  }
}
func.func @main(%linear0: memref<16x4096xf16, #g>, %linear1: memref<14336x4096xf16, #g>, %linear2: memref<14336xf32, #g>, %linear3: memref<16x14336xf16, #g>, %along_n0: memref<16x4096xf16, #g>, %along_n1: memref<4096x14336xf16, #g>, %along_n2: memref<16x14336xf16, #g>, %long0: memref<128x4096xf16, #g>, %long1: memref<1024x4096xf16, #g>, %long2: memref<1024xf32, #g>, %long3: memref<128x1024xf16, #g>, %few0: memref<16x64xf16, #g>, %few1: memref<64x64xf16, #g>, %few2: memref<16x64xf16, #g>) {
  amp.launch @kernels::@linear ins(%linear0, %linear1, %linear2 : memref<16x4096xf16, #g>, memref<14336x4096xf16, #g>, memref<14336xf32, #g>) outs(%linear3 : memref<16x14336xf16, #g>)
  amp.launch @kernels::@along_n ins(%along_n0, %along_n1 : memref<16x4096xf16, #g>, memref<4096x14336xf16, #g>) outs(%along_n2 : memref<16x14336xf16, #g>)
  amp.launch @kernels::@long ins(%long0, %long1, %long2 : memref<128x4096xf16, #g>, memref<1024x4096xf16, #g>, memref<1024xf32, #g>) outs(%long3 : memref<128x1024xf16, #g>)
  amp.launch @kernels::@few ins(%few0, %few1 : memref<16x64xf16, #g>, memref<64x64xf16, #g>) outs(%few2 : memref<16x64xf16, #g>)
  return
}
