// REQUIRES: ptxas

// The schedule `wgmma` of sm_90a: its parts in the IR, what was chosen, and what
// ptxas makes of it: no register is spilled, and nothing serialised.
// RUN: amp-opt %s --amp-gpu-codegen=target=sm_90a | FileCheck %s
// RUN: amp-opt %s --amp-gpu-codegen=target=sm_90a --remarks-filter=amp --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: amp-opt %s --amp-gpu-codegen=target=sm_90a --amp-gpu-overlap-launches=target=sm_90a | FileCheck %s --check-prefix=OVERLAP
// RUN: amp-opt %s --amp-gpu-codegen=target=sm_90a --amp-lower-gpu-to-nvvm='target=sm_90a format=ptx' \
// RUN:   | %ptxas_check --kernel=linear --max-registers=168 --count HGMMA=16 --count STSM=16 --count UTMASTG=4 --count 'UTMALDG>=5' --count USETMAXREG=2 --count ERRBAR=0
// RUN: %python %S/Inputs/add-main.py --aligned < %S/hopper-simulator.mlir \
// RUN:   | amp-opt --one-shot-bufferize=bufferize-function-boundaries --amp-gpu-codegen='target=sm_90a allow-tf32=true' --amp-lower-gpu-to-nvvm='target=sm_90a strict=true' -o /dev/null
// RUN: %python %S/Inputs/add-main.py < %S/hopper-dynamic-simulator.mlir \
// RUN:   | amp-opt --one-shot-bufferize=bufferize-function-boundaries --amp-gpu-codegen=target=sm_90a --amp-lower-gpu-to-nvvm='target=sm_90a strict=true' -o /dev/null

// REMARK: remark: [Passed] Tiles | Category:amp | Function=linear | Config=128x128-ping-pong-6, MajorA=K, MajorB=MN, PaddedCopies=0, PredictedMicroseconds={{[0-9.]+}}, PredictedTflops={{[0-9.]+}}, ResultsByTma=1, Windows=none
// REMARK: [Passed] Schedule | Category:amp | Function=linear | Reason=preferred, Schedule=wgmma, Threads=384
// REMARK: [Passed] Schedule | Category:amp | Function=odd | Reason="wgmma: its right operand cannot be read by TMA: it has a stride of 134 bytes, no multiple of 16; copies with padded rows would take {{[0-9.]+}} microseconds", Schedule=mma-sync

// Three tensor maps, of A, B and the result.
// CHECK-LABEL: gpu.func @linear(
// CHECK-SAME: memref<4096x1024xf16, strided<[1024, 1]>, #gpu.address_space<global>> {amp.tensor_map}
// CHECK-SAME: memref<1024x4096xf16, strided<[4096, 1]>, #gpu.address_space<global>> {amp.tensor_map}
// CHECK-SAME: memref<4096x4096xf16, strided<[4096, 1]>, #gpu.address_space<global>> {amp.tensor_map}
// CHECK-SAME: known_block_size = array<i32: 384, 1, 1>, nvvm.minctasm = 1 : i32, schedule = "wgmma"
// CHECK: gpu.dynamic_shared_memory
// One arrival and the bytes fill a stage; the four warps that read it empty it.
// CHECK: nvvm.mbarrier.init %{{.*}}, %c1_i32
// CHECK: nvvm.mbarrier.init %{{.*}}, %c4_i32
// CHECK: nvvm.fence.mbarrier.init
// CHECK: gpu.barrier
// CHECK-NEXT: nvvm.griddepcontrol launch_dependents
// CHECK-NEXT: nvvm.griddepcontrol wait
// The producer.
// CHECK: nvvm.setmaxregister decrease 40
// CHECK: mbarrier.try_wait.parity.shared::cta.b64
// CHECK: nvvm.mbarrier.arrive.expect_tx %{{.*}}, %c32768_i32
// CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global {{.*}} {isCTAOnly = true}
// CHECK-COUNT-2: nvvm.cp.async.bulk.tensor.shared.cluster.global
// CHECK-NOT: nvvm.cp.async.bulk.tensor.shared.cluster.global
// A consumer: the first products start the sums; it hands its turn over before
// it stores.
// CHECK: nvvm.setmaxregister increase 232
// CHECK: bar.sync $0, 256;
// CHECK: nvvm.wgmma.fence.aligned
// CHECK-COUNT-2: nvvm.wgmma.mma_async {{.*}} <m = 64, n = 128, k = 16>, D[<f32>, <zero>], A[<f16>, <one>, <row>], B[<f16>, <one>, <row>]
// CHECK-COUNT-6: nvvm.wgmma.mma_async {{.*}} D[<f32>, <one>]
// CHECK: nvvm.wgmma.commit.group.sync.aligned
// CHECK: scf.for
// CHECK-COUNT-8: nvvm.wgmma.mma_async {{.*}} D[<f32>, <one>]
// CHECK: nvvm.wgmma.wait.group.sync.aligned 1
// CHECK: bar.arrive $0, 256;
// CHECK: nvvm.wgmma.wait.group.sync.aligned 0
// CHECK: // acc ready
// CHECK: arith.truncf %{{.*}} : vector<2xf32> to vector<2xf16>
// CHECK: nvvm.stmatrix
// CHECK: fence.proxy.async.shared::cta;
// CHECK: nvvm.cp.async.bulk.tensor.global.shared.cta
// CHECK: cp.async.bulk.wait_group 0;

// All buffers start at multiples of 16 bytes: nothing is asked.
// CHECK-LABEL: func.func @main(
// CHECK-NOT: scf.if
// CHECK: gpu.launch_func{{ *}}@kernels::@linear blocks in (%c132, %c1, %c1) threads in (%c384, %c1, %c1)
// CHECK-SAME: amp.persistent = 1 : i64, amp.tensor_maps = [{box = array<i64: 64, 128>, operand = 4 : i64, swizzle = 128 : i64}, {box = array<i64: 64, 64>, operand = 5 : i64, swizzle = 128 : i64}, {box = array<i64: 64, 16>, operand = 6 : i64, swizzle = 128 : i64}]
// CHECK-NOT: scf.if

// The kernel waits for those in front by itself.
// OVERLAP-LABEL: gpu.func @linear(
// OVERLAP-NOT: griddepcontrol
// OVERLAP: gpu.barrier
// OVERLAP-NEXT: nvvm.griddepcontrol launch_dependents
// OVERLAP-NEXT: nvvm.griddepcontrol wait
// OVERLAP-NOT: griddepcontrol
// OVERLAP-LABEL: gpu.func @odd(

#g = #gpu.address_space<global>
#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>
#col = affine_map<(m, n) -> (n)>
module @kernels {
  func.func @linear(%a: tensor<4096x1024xf16>, %b: tensor<1024x4096xf16>, %bias: tensor<4096xf16>,
                    %d: tensor<4096x4096xf16> {amp.destination = 0 : i64}) -> tensor<4096x4096xf16> attributes {amp.kernel} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<4096x4096xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
    %c = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<4096x1024xf16>, tensor<1024x4096xf16>) outs(%f : tensor<4096x4096xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<4096x4096xf32>
    %r = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]}
        ins(%c, %bias : tensor<4096x4096xf32>, tensor<4096xf16>) outs(%d : tensor<4096x4096xf16>) {
    ^bb0(%x: f32, %y: f16, %o: f16):
      %t = arith.truncf %x : f32 to f16
      %s = arith.addf %t, %y : f16
      linalg.yield %s : f16
    } -> tensor<4096x4096xf16>
    return %r : tensor<4096x4096xf16>
  }
  func.func @odd(%a: tensor<64x64xf16>, %b: tensor<64x67xf16>, %d: tensor<64x67xf32> {amp.destination = 0 : i64}) -> tensor<64x67xf32> attributes {amp.kernel} {
    %zero = arith.constant 0.0 : f32
    %f = linalg.fill ins(%zero : f32) outs(%d : tensor<64x67xf32>) -> tensor<64x67xf32>
    %c = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<64x64xf16>, tensor<64x67xf16>) outs(%f : tensor<64x67xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<64x67xf32>
    return %c : tensor<64x67xf32>
  }
}
func.func @main(%a: memref<4096x1024xf16, #g>, %b: memref<1024x4096xf16, #g>, %bias: memref<4096xf16, #g>, %d: memref<4096x4096xf16, #g>,
                %x: memref<64x64xf16, #g>, %y: memref<64x67xf16, #g>, %z: memref<64x67xf32, #g>) {
  amp.launch @kernels::@linear ins(%a, %b, %bias : memref<4096x1024xf16, #g>, memref<1024x4096xf16, #g>, memref<4096xf16, #g>) outs(%d : memref<4096x4096xf16, #g>)
  amp.launch @kernels::@odd ins(%x, %y : memref<64x64xf16, #g>, memref<64x67xf16, #g>) outs(%z : memref<64x67xf32, #g>)
  return
}
