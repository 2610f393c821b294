// What ptxas makes of kernels: no spills, few registers, and the instructions
// that the ops stand for.
// REQUIRES: ptxas
// RUN: amp-opt %s --split-input-file --amp-lower-gpu-to-nvvm='target=sm_80 format=ptx' | %ptxas_check --max-registers=40 --kernel=map --count LDG=1 --count STG=1 | FileCheck %s --check-prefix=MAP
// RUN: amp-opt %s --split-input-file --amp-lower-gpu-to-nvvm='target=sm_90a format=ptx' | %ptxas_check --max-registers=40 --kernel=mma --count 'HMMA=3' --count IMMA=1 | FileCheck %s --check-prefix=MMA
// RUN: amp-opt %s --split-input-file --amp-lower-gpu-to-nvvm='target=sm_80 format=ptx' | %ptxas_check --max-registers=40 --kernel=stage --count LDGSTS=1 --count LDSM=1 | FileCheck %s --check-prefix=STAGE
// RUN: amp-opt %s --split-input-file --amp-lower-gpu-to-nvvm='target=sm_100 format=ptx' | %ptxas_check --max-registers=40 | FileCheck %s --check-prefix=ALL
// The check can fail.
// RUN: amp-opt %s --split-input-file --amp-lower-gpu-to-nvvm='target=sm_80 format=ptx' | not %ptxas_check --max-registers=8 --kernel=map 2>&1 | FileCheck %s --check-prefix=FEWER
// RUN: amp-opt %s --split-input-file --amp-lower-gpu-to-nvvm='target=sm_80 format=ptx' | not %ptxas_check --kernel=map --count HMMA=1 2>&1 | FileCheck %s --check-prefix=NONE
// The pipeline assembles by itself.
// RUN: amp-opt %s --split-input-file --amp-lower-gpu-to-nvvm='target=sm_89 strict=true verbose=true' 2>&1 | FileCheck %s --check-prefix=CUBIN

// MAP: map (sm_80): {{[0-9]+}} registers, 0 bytes of shared memory, LDG 1, STG 1
// MMA: mma (sm_90a): {{.*}} HMMA 3, IMMA 1
// STAGE: stage (sm_80): {{[0-9]+}} registers, 512 bytes of shared memory, LDGSTS 1, LDSM 1
// ALL-DAG: map (sm_100)
// ALL-DAG: mma (sm_100)
// ALL-DAG: stage (sm_100)
// FEWER: error: map: expected at most 8 registers, but found
// NONE: error: map: expected HMMA=1, but found 0
// CUBIN-DAG: remark: kernel 'map': {{[0-9]+}} registers
// CUBIN-DAG: gpu.binary @maps [#gpu.object<#nvvm.target<O = 3, chip = "sm_89", features = "+ptx81">, bin = "\7FELF

gpu.module @maps {
  gpu.func @map(%x: memref<?x4096xf32, #gpu.address_space<global>>, %y: memref<?x4096xbf16, #gpu.address_space<global>>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c4 = arith.constant 4 : index
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %o = arith.muli %t, %c4 : index
    %v = vector.load %x[%b, %o] {alignment = 16 : i64} : memref<?x4096xf32, #gpu.address_space<global>>, vector<4xf32>
    %e = math.tanh %v : vector<4xf32>
    %h = arith.truncf %e : vector<4xf32> to vector<4xbf16>
    vector.store %h, %y[%b, %o] {alignment = 8 : i64} : memref<?x4096xbf16, #gpu.address_space<global>>, vector<4xbf16>
    gpu.return
  }
}

// -----

gpu.module @tensor_cores {
  gpu.func @mma(%f16: memref<256xvector<2xf16>, #gpu.address_space<global>>, %words: memref<256xi32, #gpu.address_space<global>>,
                %out: memref<256xf32, #gpu.address_space<global>>, %iout: memref<256xi32, #gpu.address_space<global>>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %zero = arith.constant 0.0 : f32
    %izero = arith.constant 0 : i32
    %h = memref.load %f16[%t] : memref<256xvector<2xf16>, #gpu.address_space<global>>
    %w = memref.load %words[%t] : memref<256xi32, #gpu.address_space<global>>
    %0 = nvvm.mma.sync A[%h, %h, %h, %h] B[%h, %h] C[%zero, %zero, %zero, %zero]
      {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>}
      : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>
    %1 = nvvm.mma.sync A[%w, %w, %w, %w] B[%w, %w] C[%zero, %zero, %zero, %zero]
      {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>,
       multiplicandAPtxType = #nvvm.mma_type<bf16>, multiplicandBPtxType = #nvvm.mma_type<bf16>}
      : (i32, i32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
    %2 = nvvm.mma.sync A[%w, %w, %w, %w] B[%w, %w] C[%zero, %zero, %zero, %zero]
      {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 8>,
       multiplicandAPtxType = #nvvm.mma_type<tf32>, multiplicandBPtxType = #nvvm.mma_type<tf32>}
      : (i32, i32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
    %3 = nvvm.mma.sync A[%w, %w, %w, %w] B[%w, %w] C[%izero, %izero, %izero, %izero]
      {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 32>,
       multiplicandAPtxType = #nvvm.mma_type<s8>, multiplicandBPtxType = #nvvm.mma_type<s8>, intOverflowBehavior = #nvvm.mma_int_overflow<wrapped>}
      : (i32, i32, i32) -> !llvm.struct<(i32, i32, i32, i32)>
    %a = llvm.extractvalue %0[0] : !llvm.struct<(f32, f32, f32, f32)>
    %b = llvm.extractvalue %1[1] : !llvm.struct<(f32, f32, f32, f32)>
    %c = llvm.extractvalue %2[2] : !llvm.struct<(f32, f32, f32, f32)>
    %d = llvm.extractvalue %3[3] : !llvm.struct<(i32, i32, i32, i32)>
    %ab = arith.addf %a, %b : f32
    %abc = arith.addf %ab, %c : f32
    memref.store %abc, %out[%t] : memref<256xf32, #gpu.address_space<global>>
    memref.store %d, %iout[%t] : memref<256xi32, #gpu.address_space<global>>
    gpu.return
  }
}

// -----

// The pointers of cp.async and ldmatrix come from memrefs.
gpu.module @staging {
  gpu.func @stage(%x: memref<1024xf16, #gpu.address_space<global>>, %out: memref<32xi32, #gpu.address_space<global>>)
      workgroup(%tile : memref<256xf16, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %bytes = arith.muli %t, %c16 : index
    %offset = arith.index_cast %bytes : index to i64
    %from = memref.extract_aligned_pointer_as_index %x : memref<1024xf16, #gpu.address_space<global>> -> index
    %to = memref.extract_aligned_pointer_as_index %tile : memref<256xf16, #gpu.address_space<workgroup>> -> index
    %fromAddress = arith.index_cast %from : index to i64
    %toAddress = arith.index_cast %to : index to i64
    %source = arith.addi %fromAddress, %offset : i64
    %target = arith.addi %toAddress, %offset : i64
    %sourcePointer = llvm.inttoptr %source : i64 to !llvm.ptr<1>
    %targetPointer = llvm.inttoptr %target : i64 to !llvm.ptr<3>
    nvvm.cp.async.shared.global %targetPointer, %sourcePointer, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
    nvvm.cp.async.commit.group
    nvvm.cp.async.wait.group 0
    gpu.barrier
    %m = nvvm.ldmatrix %targetPointer {num = 4 : i32, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32, i32, i32)>
    %0 = llvm.extractvalue %m[0] : !llvm.struct<(i32, i32, i32, i32)>
    %1 = llvm.extractvalue %m[3] : !llvm.struct<(i32, i32, i32, i32)>
    %2 = arith.xori %0, %1 : i32
    memref.store %2, %out[%t] : memref<32xi32, #gpu.address_space<global>>
    gpu.return
  }
}
