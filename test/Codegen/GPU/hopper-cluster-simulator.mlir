// REQUIRES: ptxas

// RUN: %python %S/Inputs/add-main.py --aligned < %s > %t.mlir
// RUN: amp-opt %t.mlir --one-shot-bufferize=bufferize-function-boundaries --amp-gpu-codegen='target=sim:sm_90a fast-f8=true' --amp-lower-to-simulator > %t.sim.mlir
// RUN: env AMP_SIM_WRITES=all %simulate < %t.sim.mlir | FileCheck %s
// RUN: env AMP_SIM_MULTIPROCESSORS=3 AMP_SIM_WRITES=all %simulate < %t.sim.mlir | FileCheck %s
// RUN: amp-opt %t.mlir --one-shot-bufferize=bufferize-function-boundaries --amp-gpu-codegen='target=sm_90a fast-f8=true' --amp-lower-gpu-to-nvvm='target=sm_90a strict=true' -o /dev/null
// RUN: amp-opt %t.mlir --one-shot-bufferize=bufferize-function-boundaries --amp-gpu-codegen='target=sm_90a fast-f8=true' | FileCheck %s --check-prefix=IR

// Clusters of two blocks of the schedule `wgmma`, each of which brings a half of
// the operand that they share to both. Tails leave one of two tiles without rows
// or columns. What is printed is the number of elements that differ from the
// same on the host, on small integers, for each kernel. Three multiprocessors
// hold one cluster, which has all tiles. ptxas spills and serialises nothing.

// CHECK: sizes = [8]
// CHECK-NEXT: [0,  0,  0,  0,  0,  0,  0,  0]

// The warps of both blocks empty a stage, and all threads wait for each other
// before the first arrival and behind the last one.
// IR-LABEL: gpu.func @rows(
// IR: nvvm.mbarrier.init %{{.*}}, %c16_i32
// IR: nvvm.cluster.arrive
// IR-NEXT: nvvm.cluster.wait
// IR-NEXT: nvvm.griddepcontrol launch_dependents
// IR-NEXT: nvvm.griddepcontrol wait
// A is this block's, and B everyone's.
// IR: nvvm.mbarrier.arrive.expect_tx %{{.*}}, %c49152_i32
// IR: nvvm.cp.async.bulk.tensor.shared.cluster.global {{.*}} {isCTAOnly = true}
// IR-COUNT-2: nvvm.cp.async.bulk.tensor.shared.cluster.global {{.*}} multicast_mask = %c3_i16 : !llvm.ptr<7>
// IR-NOT: nvvm.cp.async.bulk.tensor.shared.cluster.global
// IR: nvvm.wgmma.mma_async
// IR: mbarrier.arrive.shared::cluster.b64
// IR: nvvm.cluster.arrive
// IR-NEXT: nvvm.cluster.wait
// IR-NEXT: gpu.return
// IR: gpu.launch_func{{ *}}@kernels::@rows clusters in (%c2{{.*}}, %c1{{.*}}, %c1{{.*}}) blocks in
// IR-SAME: amp.persistent = 1 : i64

module @kernels {
  // Two tiles of rows, which share columns along N; the last one has no rows.
  func.func @rows(%a: tensor<392x136xf16>, %b: tensor<136x264xf16>, %bias: tensor<264xf32>, %d: tensor<392x264xf16> {amp.destination = 0 : i64}) -> tensor<392x264xf16> attributes {amp.kernel, amp.schedule = "wgmma:128x256-4-cluster-2x1"} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<392x264xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<392x264xf32>) -> tensor<392x264xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<392x136xf16>, tensor<136x264xf16>) outs(%f : tensor<392x264xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<392x264xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c, %bias : tensor<392x264xf32>, tensor<264xf32>) outs(%d : tensor<392x264xf16>) {
    ^bb0(%x: f32, %v: f32, %o: f16):
      %h = arith.addf %x, %v : f32
      %u = arith.truncf %h : f32 to f16
      linalg.yield %u : f16
    } -> tensor<392x264xf16>
    return %r : tensor<392x264xf16>
  }
  // Two tiles of columns, which share rows along M; three of four blocks of 64 rows are of one tile.
  func.func @columns(%a: tensor<72x264xbf16>, %b: tensor<72x392xbf16>, %bias: tensor<392xf32>, %d: tensor<264x392xf32> {amp.destination = 0 : i64}) -> tensor<264x392xf32> attributes {amp.kernel, amp.schedule = "wgmma:256x128-4-cluster-1x2"} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<264x392xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<264x392xf32>) -> tensor<264x392xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<72x264xbf16>, tensor<72x392xbf16>) outs(%f : tensor<264x392xf32>) {
    ^bb0(%x: bf16, %y: bf16, %acc: f32):
      %x1 = arith.extf %x : bf16 to f32
      %y1 = arith.extf %y : bf16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<264x392xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c, %bias : tensor<264x392xf32>, tensor<392xf32>) outs(%d : tensor<264x392xf32>) {
    ^bb0(%x: f32, %v: f32, %o: f32):
      %h = arith.addf %x, %v : f32
      linalg.yield %h : f32
    } -> tensor<264x392xf32>
    return %r : tensor<264x392xf32>
  }
  // Both operands along K; two clusters on two multiprocessors.
  func.func @along_k(%a: tensor<136x136xf16>, %b: tensor<136x136xf16>, %bias: tensor<136xf32>, %d: tensor<136x136xf16> {amp.destination = 0 : i64}) -> tensor<136x136xf16> attributes {amp.kernel, amp.schedule = "wgmma:64x128-4-2-blocks-cluster-1x2"} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<136x136xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<136x136xf32>) -> tensor<136x136xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<136x136xf16>, tensor<136x136xf16>) outs(%f : tensor<136x136xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<136x136xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c, %bias : tensor<136x136xf32>, tensor<136xf32>) outs(%d : tensor<136x136xf16>) {
    ^bb0(%x: f32, %v: f32, %o: f16):
      %h = arith.addf %x, %v : f32
      %u = arith.truncf %h : f32 to f16
      linalg.yield %u : f16
    } -> tensor<136x136xf16>
    return %r : tensor<136x136xf16>
  }
  // Consumers take turns, and stages come round.
  func.func @turns(%a: tensor<648x264xf16>, %b: tensor<136x264xf16>, %bias: tensor<136xf32>, %d: tensor<648x136xf16> {amp.destination = 0 : i64}) -> tensor<648x136xf16> attributes {amp.kernel, amp.schedule = "wgmma:128x128-ping-pong-6-cluster-2x1"} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<648x136xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<648x136xf32>) -> tensor<648x136xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<648x264xf16>, tensor<136x264xf16>) outs(%f : tensor<648x136xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<648x136xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c, %bias : tensor<648x136xf32>, tensor<136xf32>) outs(%d : tensor<648x136xf16>) {
    ^bb0(%x: f32, %v: f32, %o: f16):
      %h = arith.addf %x, %v : f32
      %u = arith.truncf %h : f32 to f16
      linalg.yield %u : f16
    } -> tensor<648x136xf16>
    return %r : tensor<648x136xf16>
  }
  // A residual operand, of which one block has no rows.
  func.func @residual(%a: tensor<264x72xf16>, %b: tensor<72x136xf16>, %bias: tensor<136xf32>, %more: tensor<264x136xf16>, %d: tensor<264x136xf16> {amp.destination = 0 : i64}) -> tensor<264x136xf16> attributes {amp.kernel, amp.schedule = "wgmma:128x128-6-cluster-2x1"} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<264x136xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<264x136xf32>) -> tensor<264x136xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<264x72xf16>, tensor<72x136xf16>) outs(%f : tensor<264x136xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<264x136xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c, %bias, %more : tensor<264x136xf32>, tensor<136xf32>, tensor<264x136xf16>) outs(%d : tensor<264x136xf16>) {
    ^bb0(%x: f32, %v: f32, %w: f16, %o: f16):
      %h = arith.addf %x, %v : f32
      %w1 = arith.extf %w : f16 to f32
      %q = arith.addf %h, %w1 : f32
      %u = arith.truncf %q : f32 to f16
      linalg.yield %u : f16
    } -> tensor<264x136xf16>
    return %r : tensor<264x136xf16>
  }
  // Of each matrix, one block has no rows.
  func.func @batched(%a: tensor<2x72x72xf16>, %b: tensor<2x264x72xf16>, %bias: tensor<264xf32>, %d: tensor<2x72x264xf16> {amp.destination = 0 : i64}) -> tensor<2x72x264xf16> attributes {amp.kernel, amp.schedule = "wgmma:128x256-4-cluster-2x1"} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<2x72x264xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x72x264xf32>) -> tensor<2x72x264xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<2x72x72xf16>, tensor<2x264x72xf16>) outs(%f : tensor<2x72x264xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<2x72x264xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(b, m, n) -> (b, m, n)>, affine_map<(b, m, n) -> (n)>, affine_map<(b, m, n) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%c, %bias : tensor<2x72x264xf32>, tensor<264xf32>) outs(%d : tensor<2x72x264xf16>) {
    ^bb0(%x: f32, %v: f32, %o: f16):
      %h = arith.addf %x, %v : f32
      %u = arith.truncf %h : f32 to f16
      linalg.yield %u : f16
    } -> tensor<2x72x264xf16>
    return %r : tensor<2x72x264xf16>
  }
  // One tile of rows exactly, and columns that threads store.
  func.func @whole(%a: tensor<128x64xf16>, %b: tensor<131x64xf16>, %bias: tensor<131xf32>, %d: tensor<128x131xf32> {amp.destination = 0 : i64}) -> tensor<128x131xf32> attributes {amp.kernel, amp.schedule = "wgmma:128x128-6-cluster-2x1"} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<128x131xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<128x131xf32>) -> tensor<128x131xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<128x64xf16>, tensor<131x64xf16>) outs(%f : tensor<128x131xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<128x131xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c, %bias : tensor<128x131xf32>, tensor<131xf32>) outs(%d : tensor<128x131xf32>) {
    ^bb0(%x: f32, %v: f32, %o: f32):
      %h = arith.addf %x, %v : f32
      linalg.yield %h : f32
    } -> tensor<128x131xf32>
    return %r : tensor<128x131xf32>
  }
  // Eight bits.
  func.func @bytes(%a: tensor<264x272xi8>, %b: tensor<144x272xi8>, %bias: tensor<144xi32>, %d: tensor<264x144xi32> {amp.destination = 0 : i64}) -> tensor<264x144xi32> attributes {amp.kernel, amp.schedule = "wgmma:128x128-6-cluster-2x1"} {
    %zero = arith.constant 0 : i32
    %e = tensor.empty() : tensor<264x144xi32>
    %f = linalg.fill ins(%zero : i32) outs(%e : tensor<264x144xi32>) -> tensor<264x144xi32>
    %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<264x272xi8>, tensor<144x272xi8>) outs(%f : tensor<264x144xi32>) {
    ^bb0(%x: i8, %y: i8, %acc: i32):
      %x1 = arith.extsi %x : i8 to i32
      %y1 = arith.extsi %y : i8 to i32
      %p = arith.muli %x1, %y1 : i32
      %s = arith.addi %acc, %p : i32
      linalg.yield %s : i32
    } -> tensor<264x144xi32>
    %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
        ins(%c, %bias : tensor<264x144xi32>, tensor<144xi32>) outs(%d : tensor<264x144xi32>) {
    ^bb0(%x: i32, %v: i32, %o: i32):
      %h = arith.addi %x, %v : i32
      linalg.yield %h : i32
    } -> tensor<264x144xi32>
    return %r : tensor<264x144xi32>
  }
}
