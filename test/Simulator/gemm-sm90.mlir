// UNSUPPORTED: sanitizer
// RUN: amp-opt %s --amp-lower-to-simulator | %simulate | FileCheck %s
// RUN: amp-opt %s --amp-lower-to-simulator | env AMP_SIM_WRITES=all %simulate | FileCheck %s

// Each mistake is one line that is missing, or one number.
// RUN: sed '/release the stage/d' %s | amp-opt --amp-lower-to-simulator | not %simulate 2>&1 | FileCheck %s --check-prefix=NO-RELEASE
// RUN: sed 's/constant 32768 : i32/constant 32752 : i32/' %s | amp-opt --amp-lower-to-simulator | not %simulate 2>&1 | FileCheck %s --check-prefix=FEW-BYTES
// RUN: sed '/wait until the stage is empty/d' %s | amp-opt --amp-lower-to-simulator | not %simulate 2>&1 | FileCheck %s --check-prefix=EARLY-WRITE
// RUN: sed '/wait until the stage is full/d' %s | amp-opt --amp-lower-to-simulator | not %simulate 2>&1 | FileCheck %s --check-prefix=EARLY-READ
// RUN: sed '/wait for the products/d' %s | amp-opt --amp-lower-to-simulator | not %simulate 2>&1 | FileCheck %s --check-prefix=EARLY-RELEASE
// RUN: sed '/nvvm.wgmma.fence/d' %s | amp-opt --amp-lower-to-simulator | not %simulate 2>&1 | FileCheck %s --check-prefix=NO-WGMMA-FENCE
// RUN: sed '/make the stores visible/d' %s | amp-opt --amp-lower-to-simulator | not %simulate 2>&1 | FileCheck %s --check-prefix=NO-PROXY-FENCE
// RUN: sed '/all lanes have stored/d' %s | amp-opt --amp-lower-to-simulator | not %simulate 2>&1 | FileCheck %s --check-prefix=NO-WARP-SYNC
// RUN: sed '/wait until the buffer is read/d' %s | amp-opt --amp-lower-to-simulator | not %simulate 2>&1 | FileCheck %s --check-prefix=EARLY-REUSE
// RUN: sed '/wait until all is stored/d' %s | amp-opt --amp-lower-to-simulator | not %simulate 2>&1 | FileCheck %s --check-prefix=EARLY-EXIT
// RUN: sed '/make the barriers visible/d' %s | amp-opt --amp-lower-to-simulator | not %simulate 2>&1 | FileCheck %s --check-prefix=NO-INIT-FENCE
// RUN: sed '/all see the barriers/d' %s | amp-opt --amp-lower-to-simulator | not %simulate 2>&1 | FileCheck %s --check-prefix=NO-INIT-BARRIER
// RUN: sed 's/%four = arith.constant 4/%four = arith.constant 3/' %s | amp-opt --amp-lower-to-simulator | not %simulate 2>&1 | FileCheck %s --check-prefix=TWO-ARRIVALS
// RUN: sed 's/Bytes = arith.constant 16384/Bytes = arith.constant 16512/' %s | amp-opt --amp-lower-to-simulator | not %simulate 2>&1 | FileCheck %s --check-prefix=MISALIGNED
// RUN: sed 's/block10 = arith.constant 64/block10 = arith.constant 0/' %s | amp-opt --amp-lower-to-simulator | not env AMP_SIM_WRITES=once %simulate 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: sed 's/block10 = arith.constant 64/block10 = arith.constant 200/' %s | amp-opt --amp-lower-to-simulator | not env AMP_SIM_WRITES=all %simulate 2>&1 | FileCheck %s --check-prefix=PARTLY

// A GEMM in the form of the sm_90 schedules: C[100, 120] = A[100, 136] B[120, 136]^T
// of f16, in one block: a producer warpgroup fills a ring of two stages by TMA, a
// consumer multiplies 128 x 128 x 64 with wgmma, and stores through stmatrix and TMA.
// All numbers are small integers, so that the oracle, three loops, is exact.

// The producer waits forever: both stages are full, and nobody says that they may be overwritten.
// NO-RELEASE: kernel 'gemm', block (0, 0, 0), thread (0, 0, 0): 'llvm.inline_asm' at {{.*}} waits forever for phase 0 (parity 0) of the mbarrier at shared offset 0x12010, with 4 of 4 arrivals and 0 bytes missing: thread (128, 0, 0) waits at 'llvm.inline_asm' at {{.*}} for phase 1 (parity 1) of the mbarrier at shared offset 0x12000
// Fewer bytes are announced than come.
// FEW-BYTES: for phase 0 (parity 0) of the mbarrier at shared offset 0x12000, with 0 of 1 arrivals and -16 bytes missing
// A stage is filled again while it is still filled, or read.
// EARLY-WRITE: 'nvvm.mbarrier.arrive.expect_tx' at {{.*}} arrives at the mbarrier at shared offset 0x12000 in its phase 1 and does not know that phase 0 is complete: more may arrive than the 1 that it counts
// A stage is read before it is full.
// EARLY-READ: 'nvvm.wgmma.mma_async' at {{.*}} reads the byte at shared offset 0x0, which a TMA load for the mbarrier at shared offset 0x12000 wrote at 'nvvm.cp.async.bulk.tensor.shared.cluster.global' at {{.*}}, and has not been waited for
// A stage is released while products still read it.
// EARLY-RELEASE: writes the byte at shared offset 0x0, which a wgmma of warpgroup 1 read at 'nvvm.wgmma.mma_async' at {{.*}}, and has not been waited for
// The accumulators are not fenced.
// NO-WGMMA-FENCE: 'nvvm.wgmma.mma_async' at {{.*}} has no wgmma.fence between it and what wrote its registers before
// TMA does not see what stmatrix wrote.
// NO-PROXY-FENCE: 'nvvm.cp.async.bulk.tensor.global.shared.cta' at {{.*}} reads the byte at shared offset 0x10000, which thread ({{[0-9]+}}, 0, 0) wrote at 'nvvm.stmatrix' at {{.*}}, with no fence.proxy.async between
// One lane stores what the others may not have written.
// NO-WARP-SYNC: 'nvvm.cp.async.bulk.tensor.global.shared.cta' at {{.*}} reads the byte at shared offset {{.*}}, which thread ({{[0-9]+}}, 0, 0) wrote at 'nvvm.stmatrix' at {{.*}}, with no barrier between
// The buffer is written while a store may read it.
// EARLY-REUSE: 'nvvm.stmatrix' at {{.*}} writes the byte at shared offset 0x10000, which a bulk store of thread (128, 0, 0) read at 'nvvm.cp.async.bulk.tensor.global.shared.cta' at {{.*}}, and has not been waited for
// The block ends while stores read its shared memory.
// EARLY-EXIT: 'nvvm.cp.async.bulk.tensor.global.shared.cta' at {{.*}} may still read shared memory when the thread returns: cp.async.bulk.wait_group must come first
// TMA does not see the barriers.
// NO-INIT-FENCE: 'nvvm.cp.async.bulk.tensor.shared.cluster.global' at {{.*}} uses an mbarrier that was initialised at 'nvvm.mbarrier.init' at {{.*}}, with no fence.mbarrier_init or fence.proxy.async between
// Nor do the other threads.
// NO-INIT-BARRIER: 'llvm.inline_asm' at {{.*}} uses an mbarrier at shared offset 0x12000, where none has been initialised
// More arrivals than the barrier counts.
// TWO-ARRIVALS: 'nvvm.mbarrier.arrive' at {{.*}} arrives at the mbarrier at shared offset 0x12010 in its phase 1 and does not know that phase 0 is complete: more may arrive than the 3 that it counts
// A swizzled box that is not aligned to its pattern.
// MISALIGNED: has a box at shared offset 0x4080, which must be a multiple of 1024
// A part of the result is written twice.
// TWICE: 'nvvm.cp.async.bulk.tensor.global.shared.cta' at {{.*}} writes the byte at address {{.*}} again, which thread ({{[0-9]+}}, 0, 0) wrote at 'nvvm.cp.async.bulk.tensor.global.shared.cta' at {{.*}}: every byte may be written once
// A part of the result is not written.
// PARTLY: kernel 'gemm': argument 2: the launch wrote {{[0-9]+}} of 12000 elements, and not the one at [64, 0]

!acc = !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>
#g = #gpu.address_space<global>
#w = #gpu.address_space<workgroup>
module attributes {gpu.container_module} {
gpu.module @kernels {
  gpu.func @gemm(%a: memref<100x136xf16, #g> {amp.tensor_map}, %b: memref<120x136xf16, #g> {amp.tensor_map}, %c: memref<100x120xf16, #g> {amp.tensor_map}) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %mapA = builtin.unrealized_conversion_cast %a : memref<100x136xf16, #g> to !llvm.ptr
    %mapB = builtin.unrealized_conversion_cast %b : memref<120x136xf16, #g> to !llvm.ptr
    %mapC = builtin.unrealized_conversion_cast %c : memref<100x120xf16, #g> to !llvm.ptr
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %c4 = arith.constant 4 : i32
    %c5 = arith.constant 5 : i32
    %c6 = arith.constant 6 : i32
    %c7 = arith.constant 7 : i32
    %c8 = arith.constant 8 : i32
    %c15 = arith.constant 15 : i32
    %c16 = arith.constant 16 : i32
    %c31 = arith.constant 31 : i32
    %c64 = arith.constant 64 : i32
    %c128 = arith.constant 128 : i32
    %four = arith.constant 4 : i32
    %stageBytes = arith.constant 16384 : i32
    %bytes = arith.constant 32768 : i32
    %kTiles = arith.constant 3 : i32
    %dynamic = gpu.dynamic_shared_memory : memref<?xi8, #w>
    %address = memref.extract_aligned_pointer_as_index %dynamic : memref<?xi8, #w> -> index
    %address64 = arith.index_cast %address : index to i64
    %shared = llvm.inttoptr %address64 : i64 to !llvm.ptr<3>
    %sharedB = llvm.getelementptr %shared[32768] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    %sharedC = llvm.getelementptr %shared[65536] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    %full = llvm.getelementptr %shared[73728] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    %empty = llvm.getelementptr %shared[73744] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    %thread = nvvm.read.ptx.sreg.tid.x : i32
    %warpOfThread = arith.shrui %thread, %c5 : i32
    %warp = llvm.inline_asm has_side_effects asm_dialect = att "shfl.sync.idx.b32 $0, $1, 0, 31, -1;", "=r,r" %warpOfThread : (i32) -> i32
    %lane = arith.andi %thread, %c31 : i32
    %isFirstThread = arith.cmpi eq, %thread, %c0 : i32
    %isFirstLane = arith.cmpi eq, %lane, %c0 : i32
    scf.if %isFirstThread {
      llvm.inline_asm has_side_effects asm_dialect = att "prefetch.tensormap [$0];", "l,~{memory}" %mapA : (!llvm.ptr) -> ()
      %full1 = llvm.getelementptr %full[8] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
      %empty1 = llvm.getelementptr %empty[8] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
      nvvm.mbarrier.init %full, %c1 : !llvm.ptr<3>, i32
      nvvm.mbarrier.init %full1, %c1 : !llvm.ptr<3>, i32
      nvvm.mbarrier.init %empty, %four : !llvm.ptr<3>, i32
      nvvm.mbarrier.init %empty1, %four : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init // make the barriers visible
      llvm.inline_asm has_side_effects asm_dialect = att "fence.proxy.async;", "~{memory}" : () -> () // make the barriers visible
    }
    nvvm.barrier0 // all see the barriers
    %isProducer = arith.cmpi ult, %thread, %c128 : i32
    scf.if %isProducer {
      nvvm.setmaxregister decrease 40
      scf.if %isFirstThread {
        scf.for %k = %c0 to %kTiles step %c1 : i32 {
          %stage = arith.remui %k, %c2 : i32
          %round = arith.divui %k, %c2 : i32
          %parity = arith.andi %round, %c1 : i32
          %barrierOffset = arith.muli %stage, %c8 : i32
          %fullNow = llvm.getelementptr %full[%barrierOffset] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
          %emptyNow = llvm.getelementptr %empty[%barrierOffset] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
          %offset = arith.muli %stage, %stageBytes : i32
          %toA = llvm.getelementptr %shared[%offset] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
          %toB = llvm.getelementptr %sharedB[%offset] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
          %emptyParity = arith.xori %parity, %c1 : i32
          llvm.inline_asm has_side_effects asm_dialect = att "{\0A.reg .pred P1;\0ALAB_WAIT:\0Ambarrier.try_wait.parity.shared::cta.b64 P1, [$0], $1, 0x989680;\0A@P1 bra.uni DONE;\0Abra.uni LAB_WAIT;\0ADONE:\0A}", "r,r,~{memory}" %emptyNow, %emptyParity : (!llvm.ptr<3>, i32) -> () // wait until the stage is empty
          nvvm.mbarrier.arrive.expect_tx %fullNow, %bytes : !llvm.ptr<3>, i32
          %at = arith.muli %k, %c64 : i32
          nvvm.cp.async.bulk.tensor.shared.cluster.global %toA, %mapA, %fullNow, box[%at, %c0] {isCTAOnly = true} : !llvm.ptr<3>, !llvm.ptr
          nvvm.cp.async.bulk.tensor.shared.cluster.global %toB, %mapB, %fullNow, box[%at, %c0] {isCTAOnly = true} : !llvm.ptr<3>, !llvm.ptr
        }
      }
    } else {
      nvvm.setmaxregister increase 256
      %undef = llvm.mlir.zero : !acc
      %sums:2 = scf.for %k = %c0 to %kTiles step %c1 iter_args(%sum0 = %undef, %sum1 = %undef) -> (!acc, !acc) : i32 {
        %stage = arith.remui %k, %c2 : i32
        %round = arith.divui %k, %c2 : i32
        %parity = arith.andi %round, %c1 : i32
        %barrierOffset = arith.muli %stage, %c8 : i32
        %fullNow = llvm.getelementptr %full[%barrierOffset] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
        %emptyNow = llvm.getelementptr %empty[%barrierOffset] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
        %offset = arith.muli %stage, %stageBytes : i32
        %toA = llvm.getelementptr %shared[%offset] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
        %toB = llvm.getelementptr %sharedB[%offset] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
        llvm.inline_asm has_side_effects asm_dialect = att "{\0A.reg .pred P1;\0ALAB_WAIT:\0Ambarrier.try_wait.parity.shared::cta.b64 P1, [$0], $1, 0x989680;\0A@P1 bra.uni DONE;\0Abra.uni LAB_WAIT;\0ADONE:\0A}", "r,r,~{memory}" %fullNow, %parity : (!llvm.ptr<3>, i32) -> () // wait until the stage is full
        %addressA = llvm.ptrtoint %toA : !llvm.ptr<3> to i32
        %maskA = arith.constant 262143 : i32
        %windowA = arith.andi %addressA, %maskA : i32
        %fieldA = arith.shrui %windowA, %c4 : i32
        %wideA = arith.extui %fieldA : i32 to i64
        %fixedA = arith.constant 4611686293305360384 : i64
        %descriptorA = arith.ori %wideA, %fixedA : i64
        %addressB = llvm.ptrtoint %toB : !llvm.ptr<3> to i32
        %maskB = arith.constant 262143 : i32
        %windowB = arith.andi %addressB, %maskB : i32
        %fieldB = arith.shrui %windowB, %c4 : i32
        %wideB = arith.extui %fieldB : i32 to i64
        %fixedB = arith.constant 4611686293305360384 : i64
        %descriptorB = arith.ori %wideB, %fixedB : i64
        nvvm.wgmma.fence.aligned
        %stepA0 = arith.constant 0 : i64
        %stepB0 = arith.constant 0 : i64
        %dA0 = arith.addi %descriptorA, %stepA0 : i64
        %dB0 = arith.addi %descriptorB, %stepB0 : i64
        %w0 = nvvm.wgmma.mma_async %dA0, %dB0, %sum0, <m = 64, n = 128, k = 16>, D[<f32>, <one>], A[<f16>, <one>, <row>], B[<f16>, <one>, <col>] : !acc -> !acc
        %stepA1 = arith.constant 512 : i64
        %stepB1 = arith.constant 0 : i64
        %dA1 = arith.addi %descriptorA, %stepA1 : i64
        %dB1 = arith.addi %descriptorB, %stepB1 : i64
        %w1 = nvvm.wgmma.mma_async %dA1, %dB1, %sum1, <m = 64, n = 128, k = 16>, D[<f32>, <one>], A[<f16>, <one>, <row>], B[<f16>, <one>, <col>] : !acc -> !acc
        %stepA2 = arith.constant 2 : i64
        %stepB2 = arith.constant 2 : i64
        %dA2 = arith.addi %descriptorA, %stepA2 : i64
        %dB2 = arith.addi %descriptorB, %stepB2 : i64
        %w2 = nvvm.wgmma.mma_async %dA2, %dB2, %w0, <m = 64, n = 128, k = 16>, D[<f32>, <one>], A[<f16>, <one>, <row>], B[<f16>, <one>, <col>] : !acc -> !acc
        %stepA3 = arith.constant 514 : i64
        %stepB3 = arith.constant 2 : i64
        %dA3 = arith.addi %descriptorA, %stepA3 : i64
        %dB3 = arith.addi %descriptorB, %stepB3 : i64
        %w3 = nvvm.wgmma.mma_async %dA3, %dB3, %w1, <m = 64, n = 128, k = 16>, D[<f32>, <one>], A[<f16>, <one>, <row>], B[<f16>, <one>, <col>] : !acc -> !acc
        %stepA4 = arith.constant 4 : i64
        %stepB4 = arith.constant 4 : i64
        %dA4 = arith.addi %descriptorA, %stepA4 : i64
        %dB4 = arith.addi %descriptorB, %stepB4 : i64
        %w4 = nvvm.wgmma.mma_async %dA4, %dB4, %w2, <m = 64, n = 128, k = 16>, D[<f32>, <one>], A[<f16>, <one>, <row>], B[<f16>, <one>, <col>] : !acc -> !acc
        %stepA5 = arith.constant 516 : i64
        %stepB5 = arith.constant 4 : i64
        %dA5 = arith.addi %descriptorA, %stepA5 : i64
        %dB5 = arith.addi %descriptorB, %stepB5 : i64
        %w5 = nvvm.wgmma.mma_async %dA5, %dB5, %w3, <m = 64, n = 128, k = 16>, D[<f32>, <one>], A[<f16>, <one>, <row>], B[<f16>, <one>, <col>] : !acc -> !acc
        %stepA6 = arith.constant 6 : i64
        %stepB6 = arith.constant 6 : i64
        %dA6 = arith.addi %descriptorA, %stepA6 : i64
        %dB6 = arith.addi %descriptorB, %stepB6 : i64
        %w6 = nvvm.wgmma.mma_async %dA6, %dB6, %w4, <m = 64, n = 128, k = 16>, D[<f32>, <one>], A[<f16>, <one>, <row>], B[<f16>, <one>, <col>] : !acc -> !acc
        %stepA7 = arith.constant 518 : i64
        %stepB7 = arith.constant 6 : i64
        %dA7 = arith.addi %descriptorA, %stepA7 : i64
        %dB7 = arith.addi %descriptorB, %stepB7 : i64
        %w7 = nvvm.wgmma.mma_async %dA7, %dB7, %w5, <m = 64, n = 128, k = 16>, D[<f32>, <one>], A[<f16>, <one>, <row>], B[<f16>, <one>, <col>] : !acc -> !acc
        nvvm.wgmma.commit.group.sync.aligned
        nvvm.wgmma.wait.group.sync.aligned 0 // wait for the products
        scf.if %isFirstLane {
          nvvm.mbarrier.arrive %emptyNow : !llvm.ptr<3> // release the stage
        }
        scf.yield %w6, %w7 : !acc, !acc
      }
      %c12 = arith.constant 12 : i32
      %c11 = arith.constant 11 : i32
      %warpInGroup = arith.subi %warp, %c4 : i32
      %warpBytes = arith.shli %warpInGroup, %c11 : i32
      %buffer = llvm.getelementptr %sharedC[%warpBytes] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
      %firstRow = arith.shli %warpInGroup, %c4 : i32
      %row = arith.andi %lane, %c15 : i32
      %rowBytes = arith.shli %row, %c7 : i32
      %half = arith.shrui %lane, %c4 : i32
      %row7 = arith.andi %row, %c7 : i32
      %q0 = arith.constant 0 : i32
      %chunk0 = arith.addi %half, %q0 : i32
      %swizzled0 = arith.xori %chunk0, %row7 : i32
      %chunkBytes0 = arith.shli %swizzled0, %c4 : i32
      %place0 = arith.addi %rowBytes, %chunkBytes0 : i32
      %to0 = llvm.getelementptr %buffer[%place0] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
      %q1 = arith.constant 2 : i32
      %chunk1 = arith.addi %half, %q1 : i32
      %swizzled1 = arith.xori %chunk1, %row7 : i32
      %chunkBytes1 = arith.shli %swizzled1, %c4 : i32
      %place1 = arith.addi %rowBytes, %chunkBytes1 : i32
      %to1 = llvm.getelementptr %buffer[%place1] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
      %q2 = arith.constant 4 : i32
      %chunk2 = arith.addi %half, %q2 : i32
      %swizzled2 = arith.xori %chunk2, %row7 : i32
      %chunkBytes2 = arith.shli %swizzled2, %c4 : i32
      %place2 = arith.addi %rowBytes, %chunkBytes2 : i32
      %to2 = llvm.getelementptr %buffer[%place2] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
      %q3 = arith.constant 6 : i32
      %chunk3 = arith.addi %half, %q3 : i32
      %swizzled3 = arith.xori %chunk3, %row7 : i32
      %chunkBytes3 = arith.shli %swizzled3, %c4 : i32
      %place3 = arith.addi %rowBytes, %chunkBytes3 : i32
      %to3 = llvm.getelementptr %buffer[%place3] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
      %all = arith.constant -1 : i32
      scf.if %isFirstLane {
        llvm.inline_asm has_side_effects asm_dialect = att "cp.async.bulk.wait_group.read 0;", "~{memory}" : () -> () // wait until the buffer is read
      }
      nvvm.bar.warp.sync %all : i32
      %x0 = llvm.extractvalue %sums#0[0] : !acc
      %y0 = llvm.extractvalue %sums#0[1] : !acc
      %r0 = llvm.inline_asm has_side_effects asm_dialect = att "cvt.rn.f16x2.f32 $0, $1, $2;", "=r,f,f" %y0, %x0 : (f32, f32) -> i32
      %x1 = llvm.extractvalue %sums#0[2] : !acc
      %y1 = llvm.extractvalue %sums#0[3] : !acc
      %r1 = llvm.inline_asm has_side_effects asm_dialect = att "cvt.rn.f16x2.f32 $0, $1, $2;", "=r,f,f" %y1, %x1 : (f32, f32) -> i32
      %x2 = llvm.extractvalue %sums#0[4] : !acc
      %y2 = llvm.extractvalue %sums#0[5] : !acc
      %r2 = llvm.inline_asm has_side_effects asm_dialect = att "cvt.rn.f16x2.f32 $0, $1, $2;", "=r,f,f" %y2, %x2 : (f32, f32) -> i32
      %x3 = llvm.extractvalue %sums#0[6] : !acc
      %y3 = llvm.extractvalue %sums#0[7] : !acc
      %r3 = llvm.inline_asm has_side_effects asm_dialect = att "cvt.rn.f16x2.f32 $0, $1, $2;", "=r,f,f" %y3, %x3 : (f32, f32) -> i32
      nvvm.stmatrix %to0, %r0, %r1, %r2, %r3 {layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : !llvm.ptr<3>, i32, i32, i32, i32
      %x4 = llvm.extractvalue %sums#0[8] : !acc
      %y4 = llvm.extractvalue %sums#0[9] : !acc
      %r4 = llvm.inline_asm has_side_effects asm_dialect = att "cvt.rn.f16x2.f32 $0, $1, $2;", "=r,f,f" %y4, %x4 : (f32, f32) -> i32
      %x5 = llvm.extractvalue %sums#0[10] : !acc
      %y5 = llvm.extractvalue %sums#0[11] : !acc
      %r5 = llvm.inline_asm has_side_effects asm_dialect = att "cvt.rn.f16x2.f32 $0, $1, $2;", "=r,f,f" %y5, %x5 : (f32, f32) -> i32
      %x6 = llvm.extractvalue %sums#0[12] : !acc
      %y6 = llvm.extractvalue %sums#0[13] : !acc
      %r6 = llvm.inline_asm has_side_effects asm_dialect = att "cvt.rn.f16x2.f32 $0, $1, $2;", "=r,f,f" %y6, %x6 : (f32, f32) -> i32
      %x7 = llvm.extractvalue %sums#0[14] : !acc
      %y7 = llvm.extractvalue %sums#0[15] : !acc
      %r7 = llvm.inline_asm has_side_effects asm_dialect = att "cvt.rn.f16x2.f32 $0, $1, $2;", "=r,f,f" %y7, %x7 : (f32, f32) -> i32
      nvvm.stmatrix %to1, %r4, %r5, %r6, %r7 {layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : !llvm.ptr<3>, i32, i32, i32, i32
      %x8 = llvm.extractvalue %sums#0[16] : !acc
      %y8 = llvm.extractvalue %sums#0[17] : !acc
      %r8 = llvm.inline_asm has_side_effects asm_dialect = att "cvt.rn.f16x2.f32 $0, $1, $2;", "=r,f,f" %y8, %x8 : (f32, f32) -> i32
      %x9 = llvm.extractvalue %sums#0[18] : !acc
      %y9 = llvm.extractvalue %sums#0[19] : !acc
      %r9 = llvm.inline_asm has_side_effects asm_dialect = att "cvt.rn.f16x2.f32 $0, $1, $2;", "=r,f,f" %y9, %x9 : (f32, f32) -> i32
      %x10 = llvm.extractvalue %sums#0[20] : !acc
      %y10 = llvm.extractvalue %sums#0[21] : !acc
      %r10 = llvm.inline_asm has_side_effects asm_dialect = att "cvt.rn.f16x2.f32 $0, $1, $2;", "=r,f,f" %y10, %x10 : (f32, f32) -> i32
      %x11 = llvm.extractvalue %sums#0[22] : !acc
      %y11 = llvm.extractvalue %sums#0[23] : !acc
      %r11 = llvm.inline_asm has_side_effects asm_dialect = att "cvt.rn.f16x2.f32 $0, $1, $2;", "=r,f,f" %y11, %x11 : (f32, f32) -> i32
      nvvm.stmatrix %to2, %r8, %r9, %r10, %r11 {layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : !llvm.ptr<3>, i32, i32, i32, i32
      %x12 = llvm.extractvalue %sums#0[24] : !acc
      %y12 = llvm.extractvalue %sums#0[25] : !acc
      %r12 = llvm.inline_asm has_side_effects asm_dialect = att "cvt.rn.f16x2.f32 $0, $1, $2;", "=r,f,f" %y12, %x12 : (f32, f32) -> i32
      %x13 = llvm.extractvalue %sums#0[26] : !acc
      %y13 = llvm.extractvalue %sums#0[27] : !acc
      %r13 = llvm.inline_asm has_side_effects asm_dialect = att "cvt.rn.f16x2.f32 $0, $1, $2;", "=r,f,f" %y13, %x13 : (f32, f32) -> i32
      %x14 = llvm.extractvalue %sums#0[28] : !acc
      %y14 = llvm.extractvalue %sums#0[29] : !acc
      %r14 = llvm.inline_asm has_side_effects asm_dialect = att "cvt.rn.f16x2.f32 $0, $1, $2;", "=r,f,f" %y14, %x14 : (f32, f32) -> i32
      %x15 = llvm.extractvalue %sums#0[30] : !acc
      %y15 = llvm.extractvalue %sums#0[31] : !acc
      %r15 = llvm.inline_asm has_side_effects asm_dialect = att "cvt.rn.f16x2.f32 $0, $1, $2;", "=r,f,f" %y15, %x15 : (f32, f32) -> i32
      nvvm.stmatrix %to3, %r12, %r13, %r14, %r15 {layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : !llvm.ptr<3>, i32, i32, i32, i32
      llvm.inline_asm has_side_effects asm_dialect = att "fence.proxy.async.shared::cta;", "~{memory}" : () -> () // make the stores visible
      nvvm.bar.warp.sync %all : i32 // all lanes have stored
      scf.if %isFirstLane {
        %column00 = arith.constant 0 : i32
        %block00 = arith.constant 0 : i32
        %row00 = arith.addi %firstRow, %block00 : i32
        nvvm.cp.async.bulk.tensor.global.shared.cta %mapC, %buffer, box[%column00, %row00] : !llvm.ptr, !llvm.ptr<3>
        nvvm.cp.async.bulk.commit.group
      }
      scf.if %isFirstLane {
        llvm.inline_asm has_side_effects asm_dialect = att "cp.async.bulk.wait_group.read 0;", "~{memory}" : () -> () // wait until the buffer is read
      }
      nvvm.bar.warp.sync %all : i32
      %x16 = llvm.extractvalue %sums#0[32] : !acc
      %y16 = llvm.extractvalue %sums#0[33] : !acc
      %r16 = llvm.inline_asm has_side_effects asm_dialect = att "cvt.rn.f16x2.f32 $0, $1, $2;", "=r,f,f" %y16, %x16 : (f32, f32) -> i32
      %x17 = llvm.extractvalue %sums#0[34] : !acc
      %y17 = llvm.extractvalue %sums#0[35] : !acc
      %r17 = llvm.inline_asm has_side_effects asm_dialect = att "cvt.rn.f16x2.f32 $0, $1, $2;", "=r,f,f" %y17, %x17 : (f32, f32) -> i32
      %x18 = llvm.extractvalue %sums#0[36] : !acc
      %y18 = llvm.extractvalue %sums#0[37] : !acc
      %r18 = llvm.inline_asm has_side_effects asm_dialect = att "cvt.rn.f16x2.f32 $0, $1, $2;", "=r,f,f" %y18, %x18 : (f32, f32) -> i32
      %x19 = llvm.extractvalue %sums#0[38] : !acc
      %y19 = llvm.extractvalue %sums#0[39] : !acc
      %r19 = llvm.inline_asm has_side_effects asm_dialect = att "cvt.rn.f16x2.f32 $0, $1, $2;", "=r,f,f" %y19, %x19 : (f32, f32) -> i32
      nvvm.stmatrix %to0, %r16, %r17, %r18, %r19 {layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : !llvm.ptr<3>, i32, i32, i32, i32
      %x20 = llvm.extractvalue %sums#0[40] : !acc
      %y20 = llvm.extractvalue %sums#0[41] : !acc
      %r20 = llvm.inline_asm has_side_effects asm_dialect = att "cvt.rn.f16x2.f32 $0, $1, $2;", "=r,f,f" %y20, %x20 : (f32, f32) -> i32
      %x21 = llvm.extractvalue %sums#0[42] : !acc
      %y21 = llvm.extractvalue %sums#0[43] : !acc
      %r21 = llvm.inline_asm has_side_effects asm_dialect = att "cvt.rn.f16x2.f32 $0, $1, $2;", "=r,f,f" %y21, %x21 : (f32, f32) -> i32
      %x22 = llvm.extractvalue %sums#0[44] : !acc
      %y22 = llvm.extractvalue %sums#0[45] : !acc
      %r22 = llvm.inline_asm has_side_effects asm_dialect = att "cvt.rn.f16x2.f32 $0, $1, $2;", "=r,f,f" %y22, %x22 : (f32, f32) -> i32
      %x23 = llvm.extractvalue %sums#0[46] : !acc
      %y23 = llvm.extractvalue %sums#0[47] : !acc
      %r23 = llvm.inline_asm has_side_effects asm_dialect = att "cvt.rn.f16x2.f32 $0, $1, $2;", "=r,f,f" %y23, %x23 : (f32, f32) -> i32
      nvvm.stmatrix %to1, %r20, %r21, %r22, %r23 {layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : !llvm.ptr<3>, i32, i32, i32, i32
      %x24 = llvm.extractvalue %sums#0[48] : !acc
      %y24 = llvm.extractvalue %sums#0[49] : !acc
      %r24 = llvm.inline_asm has_side_effects asm_dialect = att "cvt.rn.f16x2.f32 $0, $1, $2;", "=r,f,f" %y24, %x24 : (f32, f32) -> i32
      %x25 = llvm.extractvalue %sums#0[50] : !acc
      %y25 = llvm.extractvalue %sums#0[51] : !acc
      %r25 = llvm.inline_asm has_side_effects asm_dialect = att "cvt.rn.f16x2.f32 $0, $1, $2;", "=r,f,f" %y25, %x25 : (f32, f32) -> i32
      %x26 = llvm.extractvalue %sums#0[52] : !acc
      %y26 = llvm.extractvalue %sums#0[53] : !acc
      %r26 = llvm.inline_asm has_side_effects asm_dialect = att "cvt.rn.f16x2.f32 $0, $1, $2;", "=r,f,f" %y26, %x26 : (f32, f32) -> i32
      %x27 = llvm.extractvalue %sums#0[54] : !acc
      %y27 = llvm.extractvalue %sums#0[55] : !acc
      %r27 = llvm.inline_asm has_side_effects asm_dialect = att "cvt.rn.f16x2.f32 $0, $1, $2;", "=r,f,f" %y27, %x27 : (f32, f32) -> i32
      nvvm.stmatrix %to2, %r24, %r25, %r26, %r27 {layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : !llvm.ptr<3>, i32, i32, i32, i32
      %x28 = llvm.extractvalue %sums#0[56] : !acc
      %y28 = llvm.extractvalue %sums#0[57] : !acc
      %r28 = llvm.inline_asm has_side_effects asm_dialect = att "cvt.rn.f16x2.f32 $0, $1, $2;", "=r,f,f" %y28, %x28 : (f32, f32) -> i32
      %x29 = llvm.extractvalue %sums#0[58] : !acc
      %y29 = llvm.extractvalue %sums#0[59] : !acc
      %r29 = llvm.inline_asm has_side_effects asm_dialect = att "cvt.rn.f16x2.f32 $0, $1, $2;", "=r,f,f" %y29, %x29 : (f32, f32) -> i32
      %x30 = llvm.extractvalue %sums#0[60] : !acc
      %y30 = llvm.extractvalue %sums#0[61] : !acc
      %r30 = llvm.inline_asm has_side_effects asm_dialect = att "cvt.rn.f16x2.f32 $0, $1, $2;", "=r,f,f" %y30, %x30 : (f32, f32) -> i32
      %x31 = llvm.extractvalue %sums#0[62] : !acc
      %y31 = llvm.extractvalue %sums#0[63] : !acc
      %r31 = llvm.inline_asm has_side_effects asm_dialect = att "cvt.rn.f16x2.f32 $0, $1, $2;", "=r,f,f" %y31, %x31 : (f32, f32) -> i32
      nvvm.stmatrix %to3, %r28, %r29, %r30, %r31 {layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : !llvm.ptr<3>, i32, i32, i32, i32
      llvm.inline_asm has_side_effects asm_dialect = att "fence.proxy.async.shared::cta;", "~{memory}" : () -> () // make the stores visible
      nvvm.bar.warp.sync %all : i32 // all lanes have stored
      scf.if %isFirstLane {
        %column01 = arith.constant 64 : i32
        %block01 = arith.constant 0 : i32
        %row01 = arith.addi %firstRow, %block01 : i32
        nvvm.cp.async.bulk.tensor.global.shared.cta %mapC, %buffer, box[%column01, %row01] : !llvm.ptr, !llvm.ptr<3>
        nvvm.cp.async.bulk.commit.group
      }
      scf.if %isFirstLane {
        llvm.inline_asm has_side_effects asm_dialect = att "cp.async.bulk.wait_group.read 0;", "~{memory}" : () -> () // wait until the buffer is read
      }
      nvvm.bar.warp.sync %all : i32
      %x32 = llvm.extractvalue %sums#1[0] : !acc
      %y32 = llvm.extractvalue %sums#1[1] : !acc
      %r32 = llvm.inline_asm has_side_effects asm_dialect = att "cvt.rn.f16x2.f32 $0, $1, $2;", "=r,f,f" %y32, %x32 : (f32, f32) -> i32
      %x33 = llvm.extractvalue %sums#1[2] : !acc
      %y33 = llvm.extractvalue %sums#1[3] : !acc
      %r33 = llvm.inline_asm has_side_effects asm_dialect = att "cvt.rn.f16x2.f32 $0, $1, $2;", "=r,f,f" %y33, %x33 : (f32, f32) -> i32
      %x34 = llvm.extractvalue %sums#1[4] : !acc
      %y34 = llvm.extractvalue %sums#1[5] : !acc
      %r34 = llvm.inline_asm has_side_effects asm_dialect = att "cvt.rn.f16x2.f32 $0, $1, $2;", "=r,f,f" %y34, %x34 : (f32, f32) -> i32
      %x35 = llvm.extractvalue %sums#1[6] : !acc
      %y35 = llvm.extractvalue %sums#1[7] : !acc
      %r35 = llvm.inline_asm has_side_effects asm_dialect = att "cvt.rn.f16x2.f32 $0, $1, $2;", "=r,f,f" %y35, %x35 : (f32, f32) -> i32
      nvvm.stmatrix %to0, %r32, %r33, %r34, %r35 {layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : !llvm.ptr<3>, i32, i32, i32, i32
      %x36 = llvm.extractvalue %sums#1[8] : !acc
      %y36 = llvm.extractvalue %sums#1[9] : !acc
      %r36 = llvm.inline_asm has_side_effects asm_dialect = att "cvt.rn.f16x2.f32 $0, $1, $2;", "=r,f,f" %y36, %x36 : (f32, f32) -> i32
      %x37 = llvm.extractvalue %sums#1[10] : !acc
      %y37 = llvm.extractvalue %sums#1[11] : !acc
      %r37 = llvm.inline_asm has_side_effects asm_dialect = att "cvt.rn.f16x2.f32 $0, $1, $2;", "=r,f,f" %y37, %x37 : (f32, f32) -> i32
      %x38 = llvm.extractvalue %sums#1[12] : !acc
      %y38 = llvm.extractvalue %sums#1[13] : !acc
      %r38 = llvm.inline_asm has_side_effects asm_dialect = att "cvt.rn.f16x2.f32 $0, $1, $2;", "=r,f,f" %y38, %x38 : (f32, f32) -> i32
      %x39 = llvm.extractvalue %sums#1[14] : !acc
      %y39 = llvm.extractvalue %sums#1[15] : !acc
      %r39 = llvm.inline_asm has_side_effects asm_dialect = att "cvt.rn.f16x2.f32 $0, $1, $2;", "=r,f,f" %y39, %x39 : (f32, f32) -> i32
      nvvm.stmatrix %to1, %r36, %r37, %r38, %r39 {layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : !llvm.ptr<3>, i32, i32, i32, i32
      %x40 = llvm.extractvalue %sums#1[16] : !acc
      %y40 = llvm.extractvalue %sums#1[17] : !acc
      %r40 = llvm.inline_asm has_side_effects asm_dialect = att "cvt.rn.f16x2.f32 $0, $1, $2;", "=r,f,f" %y40, %x40 : (f32, f32) -> i32
      %x41 = llvm.extractvalue %sums#1[18] : !acc
      %y41 = llvm.extractvalue %sums#1[19] : !acc
      %r41 = llvm.inline_asm has_side_effects asm_dialect = att "cvt.rn.f16x2.f32 $0, $1, $2;", "=r,f,f" %y41, %x41 : (f32, f32) -> i32
      %x42 = llvm.extractvalue %sums#1[20] : !acc
      %y42 = llvm.extractvalue %sums#1[21] : !acc
      %r42 = llvm.inline_asm has_side_effects asm_dialect = att "cvt.rn.f16x2.f32 $0, $1, $2;", "=r,f,f" %y42, %x42 : (f32, f32) -> i32
      %x43 = llvm.extractvalue %sums#1[22] : !acc
      %y43 = llvm.extractvalue %sums#1[23] : !acc
      %r43 = llvm.inline_asm has_side_effects asm_dialect = att "cvt.rn.f16x2.f32 $0, $1, $2;", "=r,f,f" %y43, %x43 : (f32, f32) -> i32
      nvvm.stmatrix %to2, %r40, %r41, %r42, %r43 {layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : !llvm.ptr<3>, i32, i32, i32, i32
      %x44 = llvm.extractvalue %sums#1[24] : !acc
      %y44 = llvm.extractvalue %sums#1[25] : !acc
      %r44 = llvm.inline_asm has_side_effects asm_dialect = att "cvt.rn.f16x2.f32 $0, $1, $2;", "=r,f,f" %y44, %x44 : (f32, f32) -> i32
      %x45 = llvm.extractvalue %sums#1[26] : !acc
      %y45 = llvm.extractvalue %sums#1[27] : !acc
      %r45 = llvm.inline_asm has_side_effects asm_dialect = att "cvt.rn.f16x2.f32 $0, $1, $2;", "=r,f,f" %y45, %x45 : (f32, f32) -> i32
      %x46 = llvm.extractvalue %sums#1[28] : !acc
      %y46 = llvm.extractvalue %sums#1[29] : !acc
      %r46 = llvm.inline_asm has_side_effects asm_dialect = att "cvt.rn.f16x2.f32 $0, $1, $2;", "=r,f,f" %y46, %x46 : (f32, f32) -> i32
      %x47 = llvm.extractvalue %sums#1[30] : !acc
      %y47 = llvm.extractvalue %sums#1[31] : !acc
      %r47 = llvm.inline_asm has_side_effects asm_dialect = att "cvt.rn.f16x2.f32 $0, $1, $2;", "=r,f,f" %y47, %x47 : (f32, f32) -> i32
      nvvm.stmatrix %to3, %r44, %r45, %r46, %r47 {layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : !llvm.ptr<3>, i32, i32, i32, i32
      llvm.inline_asm has_side_effects asm_dialect = att "fence.proxy.async.shared::cta;", "~{memory}" : () -> () // make the stores visible
      nvvm.bar.warp.sync %all : i32 // all lanes have stored
      scf.if %isFirstLane {
        %column10 = arith.constant 0 : i32
        %block10 = arith.constant 64 : i32
        %row10 = arith.addi %firstRow, %block10 : i32
        nvvm.cp.async.bulk.tensor.global.shared.cta %mapC, %buffer, box[%column10, %row10] : !llvm.ptr, !llvm.ptr<3>
        nvvm.cp.async.bulk.commit.group
      }
      scf.if %isFirstLane {
        llvm.inline_asm has_side_effects asm_dialect = att "cp.async.bulk.wait_group.read 0;", "~{memory}" : () -> () // wait until the buffer is read
      }
      nvvm.bar.warp.sync %all : i32
      %x48 = llvm.extractvalue %sums#1[32] : !acc
      %y48 = llvm.extractvalue %sums#1[33] : !acc
      %r48 = llvm.inline_asm has_side_effects asm_dialect = att "cvt.rn.f16x2.f32 $0, $1, $2;", "=r,f,f" %y48, %x48 : (f32, f32) -> i32
      %x49 = llvm.extractvalue %sums#1[34] : !acc
      %y49 = llvm.extractvalue %sums#1[35] : !acc
      %r49 = llvm.inline_asm has_side_effects asm_dialect = att "cvt.rn.f16x2.f32 $0, $1, $2;", "=r,f,f" %y49, %x49 : (f32, f32) -> i32
      %x50 = llvm.extractvalue %sums#1[36] : !acc
      %y50 = llvm.extractvalue %sums#1[37] : !acc
      %r50 = llvm.inline_asm has_side_effects asm_dialect = att "cvt.rn.f16x2.f32 $0, $1, $2;", "=r,f,f" %y50, %x50 : (f32, f32) -> i32
      %x51 = llvm.extractvalue %sums#1[38] : !acc
      %y51 = llvm.extractvalue %sums#1[39] : !acc
      %r51 = llvm.inline_asm has_side_effects asm_dialect = att "cvt.rn.f16x2.f32 $0, $1, $2;", "=r,f,f" %y51, %x51 : (f32, f32) -> i32
      nvvm.stmatrix %to0, %r48, %r49, %r50, %r51 {layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : !llvm.ptr<3>, i32, i32, i32, i32
      %x52 = llvm.extractvalue %sums#1[40] : !acc
      %y52 = llvm.extractvalue %sums#1[41] : !acc
      %r52 = llvm.inline_asm has_side_effects asm_dialect = att "cvt.rn.f16x2.f32 $0, $1, $2;", "=r,f,f" %y52, %x52 : (f32, f32) -> i32
      %x53 = llvm.extractvalue %sums#1[42] : !acc
      %y53 = llvm.extractvalue %sums#1[43] : !acc
      %r53 = llvm.inline_asm has_side_effects asm_dialect = att "cvt.rn.f16x2.f32 $0, $1, $2;", "=r,f,f" %y53, %x53 : (f32, f32) -> i32
      %x54 = llvm.extractvalue %sums#1[44] : !acc
      %y54 = llvm.extractvalue %sums#1[45] : !acc
      %r54 = llvm.inline_asm has_side_effects asm_dialect = att "cvt.rn.f16x2.f32 $0, $1, $2;", "=r,f,f" %y54, %x54 : (f32, f32) -> i32
      %x55 = llvm.extractvalue %sums#1[46] : !acc
      %y55 = llvm.extractvalue %sums#1[47] : !acc
      %r55 = llvm.inline_asm has_side_effects asm_dialect = att "cvt.rn.f16x2.f32 $0, $1, $2;", "=r,f,f" %y55, %x55 : (f32, f32) -> i32
      nvvm.stmatrix %to1, %r52, %r53, %r54, %r55 {layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : !llvm.ptr<3>, i32, i32, i32, i32
      %x56 = llvm.extractvalue %sums#1[48] : !acc
      %y56 = llvm.extractvalue %sums#1[49] : !acc
      %r56 = llvm.inline_asm has_side_effects asm_dialect = att "cvt.rn.f16x2.f32 $0, $1, $2;", "=r,f,f" %y56, %x56 : (f32, f32) -> i32
      %x57 = llvm.extractvalue %sums#1[50] : !acc
      %y57 = llvm.extractvalue %sums#1[51] : !acc
      %r57 = llvm.inline_asm has_side_effects asm_dialect = att "cvt.rn.f16x2.f32 $0, $1, $2;", "=r,f,f" %y57, %x57 : (f32, f32) -> i32
      %x58 = llvm.extractvalue %sums#1[52] : !acc
      %y58 = llvm.extractvalue %sums#1[53] : !acc
      %r58 = llvm.inline_asm has_side_effects asm_dialect = att "cvt.rn.f16x2.f32 $0, $1, $2;", "=r,f,f" %y58, %x58 : (f32, f32) -> i32
      %x59 = llvm.extractvalue %sums#1[54] : !acc
      %y59 = llvm.extractvalue %sums#1[55] : !acc
      %r59 = llvm.inline_asm has_side_effects asm_dialect = att "cvt.rn.f16x2.f32 $0, $1, $2;", "=r,f,f" %y59, %x59 : (f32, f32) -> i32
      nvvm.stmatrix %to2, %r56, %r57, %r58, %r59 {layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : !llvm.ptr<3>, i32, i32, i32, i32
      %x60 = llvm.extractvalue %sums#1[56] : !acc
      %y60 = llvm.extractvalue %sums#1[57] : !acc
      %r60 = llvm.inline_asm has_side_effects asm_dialect = att "cvt.rn.f16x2.f32 $0, $1, $2;", "=r,f,f" %y60, %x60 : (f32, f32) -> i32
      %x61 = llvm.extractvalue %sums#1[58] : !acc
      %y61 = llvm.extractvalue %sums#1[59] : !acc
      %r61 = llvm.inline_asm has_side_effects asm_dialect = att "cvt.rn.f16x2.f32 $0, $1, $2;", "=r,f,f" %y61, %x61 : (f32, f32) -> i32
      %x62 = llvm.extractvalue %sums#1[60] : !acc
      %y62 = llvm.extractvalue %sums#1[61] : !acc
      %r62 = llvm.inline_asm has_side_effects asm_dialect = att "cvt.rn.f16x2.f32 $0, $1, $2;", "=r,f,f" %y62, %x62 : (f32, f32) -> i32
      %x63 = llvm.extractvalue %sums#1[62] : !acc
      %y63 = llvm.extractvalue %sums#1[63] : !acc
      %r63 = llvm.inline_asm has_side_effects asm_dialect = att "cvt.rn.f16x2.f32 $0, $1, $2;", "=r,f,f" %y63, %x63 : (f32, f32) -> i32
      nvvm.stmatrix %to3, %r60, %r61, %r62, %r63 {layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : !llvm.ptr<3>, i32, i32, i32, i32
      llvm.inline_asm has_side_effects asm_dialect = att "fence.proxy.async.shared::cta;", "~{memory}" : () -> () // make the stores visible
      nvvm.bar.warp.sync %all : i32 // all lanes have stored
      scf.if %isFirstLane {
        %column11 = arith.constant 64 : i32
        %block11 = arith.constant 64 : i32
        %row11 = arith.addi %firstRow, %block11 : i32
        nvvm.cp.async.bulk.tensor.global.shared.cta %mapC, %buffer, box[%column11, %row11] : !llvm.ptr, !llvm.ptr<3>
        nvvm.cp.async.bulk.commit.group
      }
      scf.if %isFirstLane {
        llvm.inline_asm has_side_effects asm_dialect = att "cp.async.bulk.wait_group 0;", "~{memory}" : () -> () // wait until all is stored
      }
    }
    gpu.return
  }
}

func.func private @printMemrefF32(memref<*xf32>) attributes {llvm.emit_c_interface}

// Elements of C that differ from the oracle, and one that does not.
// CHECK: [0,  -{{[1-9][0-9]*}}]
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %c100 = arith.constant 100 : index
  %c120 = arith.constant 120 : index
  %c136 = arith.constant 136 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %nan = arith.constant 0x7E00 : f16
  %a = memref.alloc() {alignment = 16 : i64} : memref<100x136xf16>
  %b = memref.alloc() {alignment = 16 : i64} : memref<120x136xf16>
  %c = memref.alloc() {alignment = 16 : i64} : memref<100x120xf16>
  linalg.fill ins(%nan : f16) outs(%c : memref<100x120xf16>)
  %bDynamic = memref.cast %b : memref<120x136xf16> to memref<?x136xf16>
  %aDynamic = memref.cast %a : memref<100x136xf16> to memref<?x136xf16>
  func.call @fillRows(%aDynamic) : (memref<?x136xf16>) -> ()
  func.call @fillRows(%bDynamic) : (memref<?x136xf16>) -> ()
  %ag = memref.memory_space_cast %a : memref<100x136xf16> to memref<100x136xf16, #g>
  %bg = memref.memory_space_cast %b : memref<120x136xf16> to memref<120x136xf16, #g>
  %cg = memref.memory_space_cast %c : memref<100x120xf16> to memref<100x120xf16, #g>
  %sharedBytes = arith.constant 73760 : i32
  gpu.launch_func @kernels::@gemm blocks in (%c1, %c1, %c1) threads in (%c256, %c1, %c1) dynamic_shared_memory_size %sharedBytes
      args(%ag : memref<100x136xf16, #g>, %bg : memref<120x136xf16, #g>, %cg : memref<100x120xf16, #g>)
      {amp.tensor_maps = [{operand = 0 : i64, box = array<i64: 64, 128>, swizzle = 128 : i64},
                          {operand = 1 : i64, box = array<i64: 64, 128>, swizzle = 128 : i64},
                          {operand = 2 : i64, box = array<i64: 64, 16>, swizzle = 128 : i64}]}
  %wrong = memref.alloc() : memref<2xf32>
  memref.store %zero, %wrong[%c0] : memref<2xf32>
  scf.for %i = %c0 to %c100 step %c1 {
    scf.for %j = %c0 to %c120 step %c1 {
      %sum = scf.for %k = %c0 to %c136 step %c1 iter_args(%s = %zero) -> f32 {
        %x = memref.load %a[%i, %k] : memref<100x136xf16>
        %y = memref.load %b[%j, %k] : memref<120x136xf16>
        %xf = arith.extf %x : f16 to f32
        %yf = arith.extf %y : f16 to f32
        %p = arith.mulf %xf, %yf : f32
        %n = arith.addf %s, %p : f32
        scf.yield %n : f32
      }
      %z = memref.load %c[%i, %j] : memref<100x120xf16>
      %zf = arith.extf %z : f16 to f32
      %differs = arith.cmpf une, %zf, %sum : f32
      scf.if %differs {
        %w = memref.load %wrong[%c0] : memref<2xf32>
        %n = arith.addf %w, %one : f32
        memref.store %n, %wrong[%c0] : memref<2xf32>
      }
      memref.store %zf, %wrong[%c1] : memref<2xf32>
    }
  }
  %u = memref.cast %wrong : memref<2xf32> to memref<*xf32>
  func.call @printMemrefF32(%u) : (memref<*xf32>) -> ()
  return
}

// Integers from -3 to 3.
func.func private @fillRows(%x: memref<?x136xf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %c7 = arith.constant 7 : index
  %c11 = arith.constant 11 : index
  %c136 = arith.constant 136 : index
  %n = memref.dim %x, %c0 : memref<?x136xf16>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %k = %c0 to %c136 step %c1 {
      %p = arith.muli %i, %c5 : index
      %q = arith.muli %k, %c11 : index
      %r = arith.muli %i, %k : index
      %s = arith.addi %p, %q : index
      %t = arith.addi %s, %r : index
      %u = arith.remui %t, %c7 : index
      %v = arith.subi %u, %c3 : index
      %w = arith.index_cast %v : index to i32
      %f = arith.sitofp %w : i32 to f16
      memref.store %f, %x[%i, %k] : memref<?x136xf16>
    }
  }
  return
}
}
