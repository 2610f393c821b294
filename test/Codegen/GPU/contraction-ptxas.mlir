// REQUIRES: ptxas

// ptxas must spill nothing, and warn of nothing: not in the kernels below, and
// not in those that the simulator runs.
// RUN: amp-opt %s --amp-gpu-codegen=target=sm_80 --amp-lower-gpu-to-nvvm='target=sm_80 strict=true' -o /dev/null
// RUN: amp-opt %s --amp-gpu-codegen=target=sm_90a --amp-lower-gpu-to-nvvm='target=sm_90a strict=true' -o /dev/null
// RUN: amp-opt %S/mma-sync-simulator.mlir --amp-gpu-codegen=target=sm_80 --amp-lower-gpu-to-nvvm='target=sm_80 strict=true' -o /dev/null
// RUN: amp-opt %S/mma-sync-simulator.mlir --amp-gpu-codegen=target=sm_90a --amp-lower-gpu-to-nvvm='target=sm_90a strict=true' -o /dev/null
// RUN: amp-opt %S/mma-sync-fusion-simulator.mlir --amp-gpu-codegen=target=sm_80 --amp-lower-gpu-to-nvvm='target=sm_80 strict=true' -o /dev/null
// RUN: amp-opt %S/mma-sync-fusion-simulator.mlir --amp-gpu-codegen=target=sm_90a --amp-lower-gpu-to-nvvm='target=sm_90a strict=true' -o /dev/null
// RUN: amp-opt %S/mma-sync-convolution-simulator.mlir --amp-gpu-codegen=target=sm_80 --amp-lower-gpu-to-nvvm='target=sm_80 strict=true' -o /dev/null
// RUN: amp-opt %S/mma-sync-convolution-simulator.mlir --amp-gpu-codegen=target=sm_90a --amp-lower-gpu-to-nvvm='target=sm_90a strict=true' -o /dev/null
// RUN: amp-opt %S/transpose-simulator.mlir --amp-gpu-codegen=target=sm_80 --amp-lower-gpu-to-nvvm='target=sm_80 strict=true' -o /dev/null
// RUN: amp-opt %S/transpose-simulator.mlir --amp-gpu-codegen=target=sm_90a --amp-lower-gpu-to-nvvm='target=sm_90a strict=true' -o /dev/null
// RUN: amp-opt %S/mma-sync-long-simulator.mlir --amp-gpu-codegen=target=sm_80 --amp-lower-gpu-to-nvvm='target=sm_80 strict=true' -o /dev/null
// RUN: amp-opt %S/mma-sync-long-simulator.mlir --amp-gpu-codegen=target=sm_90a --amp-lower-gpu-to-nvvm='target=sm_90a strict=true' -o /dev/null
// RUN: amp-opt %S/transpose-large-simulator.mlir --amp-gpu-codegen=target=sm_80 --amp-lower-gpu-to-nvvm='target=sm_80 strict=true' -o /dev/null
// RUN: amp-opt %S/transpose-large-simulator.mlir --amp-gpu-codegen=target=sm_90a --amp-lower-gpu-to-nvvm='target=sm_90a strict=true' -o /dev/null
// RUN: amp-opt %s --amp-gpu-codegen=target=sm_80 --amp-lower-gpu-to-nvvm='target=sm_80 format=ptx verbose=true' -o /dev/null 2>&1 | FileCheck %s

#g = #gpu.address_space<global>
#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>
#col = affine_map<(m, n) -> (n)>

module @kernels {
  // 128 x 128 x 32 by 256 threads, a ring of three stages: two steps of 16 are
  // eight ldmatrix of A and four of B, and 64 x 16 x 8 for each warp. Vectors
  // of 16 bytes go in and out.
  // CHECK-LABEL: .entry linear(
  // CHECK: .reqntid 256, 1, 1
  // CHECK: .shared .align 128 .b8 {{.*}}[49152]
  // CHECK: cp.async.cg.shared.global
  // CHECK: cp.async.commit_group
  // CHECK: cp.async.wait_group 1
  // CHECK: bar.sync 0
  // CHECK: cp.async.cg.shared.global
  // CHECK: ldmatrix.sync.aligned.m8n8.x4.shared.b16
  // CHECK: ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16
  // CHECK-COUNT-32: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
  // CHECK: bar.warp.sync
  // CHECK: st.global.{{v4.b32|v2.b64}}
  func.func @linear(%a: tensor<512x1024xf16>, %b: tensor<1024x4096xf16>, %bias: tensor<4096xf16>,
                    %d: tensor<512x4096xf16> {amp.destination = 0 : i64}) -> tensor<512x4096xf16> attributes {amp.kernel} {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<512x4096xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<512x4096xf32>) -> tensor<512x4096xf32>
    %c = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<512x1024xf16>, tensor<1024x4096xf16>) outs(%f : tensor<512x4096xf32>) {
    ^bb0(%x: f16, %y: f16, %acc: f32):
      %x1 = arith.extf %x : f16 to f32
      %y1 = arith.extf %y : f16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<512x4096xf32>
    %r = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]}
        ins(%c, %bias : tensor<512x4096xf32>, tensor<4096xf16>) outs(%d : tensor<512x4096xf16>) {
    ^bb0(%x: f32, %y: f16, %o: f16):
      %t = arith.truncf %x : f32 to f16
      %s = arith.addf %t, %y : f16
      linalg.yield %s : f16
    } -> tensor<512x4096xf16>
    return %r : tensor<512x4096xf16>
  }

  // The same tile without tensor cores, operands along k.
  // CHECK-LABEL: .entry plain(
  // CHECK-COUNT-256: fma.rn.f32
  func.func @plain(%a: tensor<1024x1024xf32>, %b: tensor<4096x1024xf32>,
                   %d: tensor<1024x4096xf32> {amp.destination = 0 : i64}) -> tensor<1024x4096xf32> attributes {amp.kernel} {
    %zero = arith.constant 0.0 : f32
    %f = linalg.fill ins(%zero : f32) outs(%d : tensor<1024x4096xf32>) -> tensor<1024x4096xf32>
    %c = linalg.generic {indexing_maps = [#mk, #nk, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<1024x1024xf32>, tensor<4096x1024xf32>) outs(%f : tensor<1024x4096xf32>) {
    ^bb0(%x: f32, %y: f32, %acc: f32):
      %p = arith.mulf %x, %y : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<1024x4096xf32>
    return %c : tensor<1024x4096xf32>
  }

  // Any size, bf16: what is not aligned is found at run time.
  // CHECK-LABEL: .entry any(
  // CHECK: mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32
  // CHECK: ld.global.b16
  // CHECK: mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32
  func.func @any(%a: tensor<?x?xbf16>, %b: tensor<?x?xbf16>,
                 %d: tensor<?x?xf32> {amp.destination = 0 : i64}) -> tensor<?x?xf32> attributes {amp.kernel} {
    %c = linalg.generic {indexing_maps = [#mk, #nk, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<?x?xbf16>, tensor<?x?xbf16>) outs(%d : tensor<?x?xf32>) {
    ^bb0(%x: bf16, %y: bf16, %acc: f32):
      %x1 = arith.extf %x : bf16 to f32
      %y1 = arith.extf %y : bf16 to f32
      %p = arith.mulf %x1, %y1 : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<?x?xf32>
    return %c : tensor<?x?xf32>
  }

  // CHECK-LABEL: .entry bytes(
  // CHECK: mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32
  func.func @bytes(%a: tensor<64x256xi8>, %b: tensor<64x256xi8>,
                   %d: tensor<64x64xi32> {amp.destination = 0 : i64}) -> tensor<64x64xi32> attributes {amp.kernel} {
    %c = linalg.generic {indexing_maps = [#mk, #nk, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<64x256xi8>, tensor<64x256xi8>) outs(%d : tensor<64x64xi32>) {
    ^bb0(%x: i8, %y: i8, %acc: i32):
      %x1 = arith.extui %x : i8 to i32
      %y1 = arith.extsi %y : i8 to i32
      %p = arith.muli %x1, %y1 : i32
      %s = arith.addi %acc, %p : i32
      linalg.yield %s : i32
    } -> tensor<64x64xi32>
    return %c : tensor<64x64xi32>
  }

  // CHECK-LABEL: .entry turn(
  // CHECK-COUNT-8: ld.global.{{v4.b32|v2.b64}}
  // CHECK: bar.sync 0
  // CHECK: st.global.{{v4.b32|v2.b64}}
  func.func @turn(%a: tensor<4096x2048xf16>, %d: tensor<2048x4096xf16> {amp.destination = 0 : i64}) -> tensor<2048x4096xf16> attributes {amp.kernel} {
    %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (n, m)>, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a : tensor<4096x2048xf16>) outs(%d : tensor<2048x4096xf16>) {
    ^bb0(%x: f16, %o: f16):
      linalg.yield %x : f16
    } -> tensor<2048x4096xf16>
    return %r : tensor<2048x4096xf16>
  }
}

func.func @main(%a: memref<512x1024xf16, #g>, %b: memref<1024x4096xf16, #g>, %bias: memref<4096xf16, #g>, %d: memref<512x4096xf16, #g>,
                %fa: memref<1024x1024xf32, #g>, %fb: memref<4096x1024xf32, #g>, %fd: memref<1024x4096xf32, #g>,
                %va: memref<?x?xbf16, #g>, %vb: memref<?x?xbf16, #g>, %vd: memref<?x?xf32, #g>,
                %ia: memref<64x256xi8, #g>, %ib: memref<64x256xi8, #g>, %id: memref<64x64xi32, #g>,
                %ta: memref<4096x2048xf16, #g>, %td: memref<2048x4096xf16, #g>) {
  amp.launch @kernels::@linear ins(%a, %b, %bias : memref<512x1024xf16, #g>, memref<1024x4096xf16, #g>, memref<4096xf16, #g>) outs(%d : memref<512x4096xf16, #g>)
  amp.launch @kernels::@plain ins(%fa, %fb : memref<1024x1024xf32, #g>, memref<4096x1024xf32, #g>) outs(%fd : memref<1024x4096xf32, #g>)
  amp.launch @kernels::@any ins(%va, %vb : memref<?x?xbf16, #g>, memref<?x?xbf16, #g>) outs(%vd : memref<?x?xf32, #g>)
  amp.launch @kernels::@bytes ins(%ia, %ib : memref<64x256xi8, #g>, memref<64x256xi8, #g>) outs(%id : memref<64x64xi32, #g>)
  amp.launch @kernels::@turn ins(%ta : memref<4096x2048xf16, #g>) outs(%td : memref<2048x4096xf16, #g>)
  return
}
