// f32 contractions with allow-tf32, in all layouts of their operands: tiles of 128 x 128 from large ones, 16 x 64, 32 x 32. ptxas spills no register and
// warns of nothing; the fast body and that for odd addresses have the same products. Without the option there are none.
// REQUIRES: ptxas
// RUN: amp-opt %s --amp-gpu-codegen='target=sm_80 allow-tf32' --amp-lower-gpu-to-nvvm='target=sm_80 format=ptx' -o %t.80
// RUN: %ptxas_check --count 'HMMA>=16' %t.80 | FileCheck %s --check-prefix=COUNTS
// RUN: amp-opt %s --amp-gpu-codegen='target=sm_90 allow-tf32' --amp-lower-gpu-to-nvvm='target=sm_90 format=ptx' \
// RUN:   | %ptxas_check --count 'HMMA>=16' | FileCheck %s --check-prefix=COUNTS
// RUN: amp-opt %s --amp-gpu-codegen='target=sm_80 allow-tf32' --amp-lower-gpu-to-nvvm='target=sm_80 format=ptx verbose=true' -o /dev/null 2>&1 | FileCheck %s --check-prefix=PTX
// RUN: amp-opt %s --amp-gpu-codegen=target=sm_80 --remarks-filter=amp --remark-format=emitRemark 2>&1 >/dev/null | FileCheck %s --check-prefix=OFF --implicit-check-not=Schedule=mma-sync

// COUNTS-DAG: few ({{.*}} 49152 bytes of shared memory, HMMA 16
// COUNTS-DAG: thin ({{.*}} 49152 bytes of shared memory, HMMA 16
// COUNTS-DAG: tt ({{.*}} 49152 bytes of shared memory, HMMA 64
// COUNTS-DAG: tn ({{.*}} 49152 bytes of shared memory, HMMA 64
// COUNTS-DAG: nt ({{.*}} 49152 bytes of shared memory, HMMA 64
// COUNTS-DAG: linear ({{.*}} 49152 bytes of shared memory, HMMA 64

// OFF-COUNT-6: allow-tf32 rounds them to ten bits of mantissa{{.*}}Schedule=fma

// A is read by ldmatrix, B, whose rows are along n, word by word.
// PTX-LABEL: .entry linear(
// PTX: cp.async.cg.shared.global
// PTX: ldmatrix.sync.aligned.m8n8.x4.shared.b16
// PTX: ld.shared.b32
// PTX: cvt.rna.tf32.f32
// PTX-COUNT-32: mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32
// PTX-NOT: ldmatrix{{.*}}.trans

#g = #gpu.address_space<global>
#mk = affine_map<(m, n, k) -> (m, k)>
#km = affine_map<(m, n, k) -> (k, m)>
#kn = affine_map<(m, n, k) -> (k, n)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>

module @kernels {
  func.func @linear(%a: tensor<1024x1024xf32>, %b: tensor<1024x4096xf32>, %d: tensor<1024x4096xf32> {amp.destination = 0 : i64}) -> tensor<1024x4096xf32> attributes {amp.kernel} {
    %zero = arith.constant 0.0 : f32
    %f = linalg.fill ins(%zero : f32) outs(%d : tensor<1024x4096xf32>) -> tensor<1024x4096xf32>
    %c = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<1024x1024xf32>, tensor<1024x4096xf32>) outs(%f : tensor<1024x4096xf32>) {
    ^bb0(%x: f32, %y: f32, %acc: f32):
      %p = arith.mulf %x, %y : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<1024x4096xf32>
    return %c : tensor<1024x4096xf32>
  }
  func.func @nt(%a: tensor<1024x1024xf32>, %b: tensor<4096x1024xf32>, %d: tensor<1024x4096xf32> {amp.destination = 0 : i64}) -> tensor<1024x4096xf32> attributes {amp.kernel} {
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
  func.func @tn(%a: tensor<1024x1024xf32>, %b: tensor<1024x4096xf32>, %d: tensor<1024x4096xf32> {amp.destination = 0 : i64}) -> tensor<1024x4096xf32> attributes {amp.kernel} {
    %zero = arith.constant 0.0 : f32
    %f = linalg.fill ins(%zero : f32) outs(%d : tensor<1024x4096xf32>) -> tensor<1024x4096xf32>
    %c = linalg.generic {indexing_maps = [#km, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<1024x1024xf32>, tensor<1024x4096xf32>) outs(%f : tensor<1024x4096xf32>) {
    ^bb0(%x: f32, %y: f32, %acc: f32):
      %p = arith.mulf %x, %y : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<1024x4096xf32>
    return %c : tensor<1024x4096xf32>
  }
  func.func @tt(%a: tensor<1024x1024xf32>, %b: tensor<4096x1024xf32>, %d: tensor<1024x4096xf32> {amp.destination = 0 : i64}) -> tensor<1024x4096xf32> attributes {amp.kernel} {
    %zero = arith.constant 0.0 : f32
    %f = linalg.fill ins(%zero : f32) outs(%d : tensor<1024x4096xf32>) -> tensor<1024x4096xf32>
    %c = linalg.generic {indexing_maps = [#km, #nk, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<1024x1024xf32>, tensor<4096x1024xf32>) outs(%f : tensor<1024x4096xf32>) {
    ^bb0(%x: f32, %y: f32, %acc: f32):
      %p = arith.mulf %x, %y : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<1024x4096xf32>
    return %c : tensor<1024x4096xf32>
  }
  func.func @thin(%a: tensor<8x1024xf32>, %b: tensor<1024x4096xf32>, %d: tensor<8x4096xf32> {amp.destination = 0 : i64}) -> tensor<8x4096xf32> attributes {amp.kernel} {
    %zero = arith.constant 0.0 : f32
    %f = linalg.fill ins(%zero : f32) outs(%d : tensor<8x4096xf32>) -> tensor<8x4096xf32>
    %c = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<8x1024xf32>, tensor<1024x4096xf32>) outs(%f : tensor<8x4096xf32>) {
    ^bb0(%x: f32, %y: f32, %acc: f32):
      %p = arith.mulf %x, %y : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<8x4096xf32>
    return %c : tensor<8x4096xf32>
  }
  func.func @few(%a: tensor<4096x64xf32>, %b: tensor<4096x64xf32>, %d: tensor<64x64xf32> {amp.destination = 0 : i64}) -> tensor<64x64xf32> attributes {amp.kernel} {
    %zero = arith.constant 0.0 : f32
    %f = linalg.fill ins(%zero : f32) outs(%d : tensor<64x64xf32>) -> tensor<64x64xf32>
    %c = linalg.generic {indexing_maps = [#km, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<4096x64xf32>, tensor<4096x64xf32>) outs(%f : tensor<64x64xf32>) {
    ^bb0(%x: f32, %y: f32, %acc: f32):
      %p = arith.mulf %x, %y : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<64x64xf32>
    return %c : tensor<64x64xf32>
  }
}

func.func @main(%a0: memref<1024x1024xf32, #g>, %b0: memref<1024x4096xf32, #g>, %d0: memref<1024x4096xf32, #g>,
                %a1: memref<1024x1024xf32, #g>, %b1: memref<4096x1024xf32, #g>, %d1: memref<1024x4096xf32, #g>,
                %a2: memref<1024x1024xf32, #g>, %b2: memref<1024x4096xf32, #g>, %d2: memref<1024x4096xf32, #g>,
                %a3: memref<1024x1024xf32, #g>, %b3: memref<4096x1024xf32, #g>, %d3: memref<1024x4096xf32, #g>,
                %a4: memref<8x1024xf32, #g>, %b4: memref<1024x4096xf32, #g>, %d4: memref<8x4096xf32, #g>,
                %a5: memref<4096x64xf32, #g>, %b5: memref<4096x64xf32, #g>, %d5: memref<64x64xf32, #g>) {
  amp.launch @kernels::@linear ins(%a0, %b0 : memref<1024x1024xf32, #g>, memref<1024x4096xf32, #g>) outs(%d0 : memref<1024x4096xf32, #g>)
  amp.launch @kernels::@nt ins(%a1, %b1 : memref<1024x1024xf32, #g>, memref<4096x1024xf32, #g>) outs(%d1 : memref<1024x4096xf32, #g>)
  amp.launch @kernels::@tn ins(%a2, %b2 : memref<1024x1024xf32, #g>, memref<1024x4096xf32, #g>) outs(%d2 : memref<1024x4096xf32, #g>)
  amp.launch @kernels::@tt ins(%a3, %b3 : memref<1024x1024xf32, #g>, memref<4096x1024xf32, #g>) outs(%d3 : memref<1024x4096xf32, #g>)
  amp.launch @kernels::@thin ins(%a4, %b4 : memref<8x1024xf32, #g>, memref<1024x4096xf32, #g>) outs(%d4 : memref<8x4096xf32, #g>)
  amp.launch @kernels::@few ins(%a5, %b5 : memref<4096x64xf32, #g>, memref<4096x64xf32, #g>) outs(%d5 : memref<64x64xf32, #g>)
  return
}
