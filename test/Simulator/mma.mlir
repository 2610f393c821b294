// UNSUPPORTED: sanitizer
// RUN: amp-opt %s --amp-lower-to-simulator > %t.mlir
// RUN: %simulate %t.mlir | FileCheck %s
// RUN: env AMP_SIM_WRITES=all %simulator -e main %t.mlir | FileCheck %s

// One warp multiplies a 16x32 tile of f16 with a 32x8 one of f16 into f32: the
// tiles go to shared memory with cp.async, two stages, from there to registers
// with ldmatrix (B transposed as it goes), through mma.sync twice, and out by
// the layout of the accumulators. The operands are small integers, so that the
// result is exact; a loop on the host forms the same products, and the number of
// elements that differ is printed.
#g = #gpu.address_space<global>
#s = #gpu.address_space<workgroup>
module attributes {gpu.container_module} {
gpu.module @kernels {
  gpu.func @gemm(%a: memref<16x32xf16, #g>, %b: memref<32x8xf16, #g>, %c: memref<16x8xf32, #g>)
      workgroup(%as: memref<2x16x16xf16, #s>, %bs: memref<2x16x8xf16, #s>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %zero = arith.constant 0.0 : f32
    %lane = gpu.thread_id x
    %i = arith.divui %lane, %c2 : index
    %h = arith.remui %lane, %c2 : index
    %j = arith.muli %h, %c8 : index
    %isLow = arith.cmpi ult, %lane, %c16 : index

    // Each lane copies 16 bytes of a stage of A, and half of the lanes of B.
    scf.for %stage = %c0 to %c2 step %c1 {
      %k0 = arith.muli %stage, %c16 : index
      %k = arith.addi %k0, %j : index
      %ag = memref.subview %a[%i, %k] [1, 8] [1, 1] : memref<16x32xf16, #g> to memref<1x8xf16, strided<[32, 1], offset: ?>, #g>
      %ab, %ao, %az:2, %at:2 = memref.extract_strided_metadata %ag : memref<1x8xf16, strided<[32, 1], offset: ?>, #g> -> memref<f16, #g>, index, index, index, index, index
      %ai = memref.extract_aligned_pointer_as_index %a : memref<16x32xf16, #g> -> index
      %aob = arith.muli %ao, %c2 : index
      %aaddr = arith.addi %ai, %aob : index
      %aaddr64 = arith.index_cast %aaddr : index to i64
      %ap = llvm.inttoptr %aaddr64 : i64 to !llvm.ptr<1>
      %asi = memref.extract_aligned_pointer_as_index %as : memref<2x16x16xf16, #s> -> index
      %stageBytes = arith.constant 512 : index
      %rowBytes = arith.constant 32 : index
      %d0 = arith.muli %stage, %stageBytes : index
      %d1 = arith.muli %i, %rowBytes : index
      %d2 = arith.muli %h, %c16 : index
      %d3 = arith.addi %d0, %d1 : index
      %d4 = arith.addi %d3, %d2 : index
      %d5 = arith.addi %asi, %d4 : index
      %d64 = arith.index_cast %d5 : index to i64
      %dp = llvm.inttoptr %d64 : i64 to !llvm.ptr<3>
      nvvm.cp.async.shared.global %dp, %ap, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
      scf.if %isLow {
        %bi = memref.extract_aligned_pointer_as_index %b : memref<32x8xf16, #g> -> index
        %row = arith.addi %k0, %lane : index
        %bo = arith.muli %row, %c16 : index
        %baddr = arith.addi %bi, %bo : index
        %baddr64 = arith.index_cast %baddr : index to i64
        %bp = llvm.inttoptr %baddr64 : i64 to !llvm.ptr<1>
        %bsi = memref.extract_aligned_pointer_as_index %bs : memref<2x16x8xf16, #s> -> index
        %c256 = arith.constant 256 : index
        %e0 = arith.muli %stage, %c256 : index
        %e1 = arith.muli %lane, %c16 : index
        %e2 = arith.addi %e0, %e1 : index
        %e3 = arith.addi %bsi, %e2 : index
        %e64 = arith.index_cast %e3 : index to i64
        %ep = llvm.inttoptr %e64 : i64 to !llvm.ptr<3>
        nvvm.cp.async.shared.global %ep, %bp, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
      }
      nvvm.cp.async.commit.group
    }

    nvvm.cp.async.wait.group 1
    gpu.barrier
    // The address of the lane's row of each matrix: A's are rows 0 to 7 and 8 to
    // 15 of the left half, then of the right half; B's rows 0 to 7, 8 to 15.
    %r = arith.remui %lane, %c16 : index
    %right = arith.divui %lane, %c16 : index
    %asBase = memref.extract_aligned_pointer_as_index %as : memref<2x16x16xf16, #s> -> index
    %bsBase = memref.extract_aligned_pointer_as_index %bs : memref<2x16x8xf16, #s> -> index
    %c32 = arith.constant 32 : index
    %ar0 = arith.muli %r, %c32 : index
    %ar1 = arith.muli %right, %c16 : index
    %ar2 = arith.addi %ar0, %ar1 : index
    %aRow = arith.addi %asBase, %ar2 : index
    %br0 = arith.muli %r, %c16 : index
    %bRow = arith.addi %bsBase, %br0 : index
    %aRow64 = arith.index_cast %aRow : index to i64
    %bRow64 = arith.index_cast %bRow : index to i64
    %aPtr = llvm.inttoptr %aRow64 : i64 to !llvm.ptr<3>
    %bPtr = llvm.inttoptr %bRow64 : i64 to !llvm.ptr<3>
    %am = nvvm.ldmatrix %aPtr {num = 4 : i32, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32, i32, i32)>
    %bm = nvvm.ldmatrix %bPtr {num = 2 : i32, layout = #nvvm.mma_layout<col>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32)>
    %a0w = llvm.extractvalue %am[0] : !llvm.struct<(i32, i32, i32, i32)>
    %a1w = llvm.extractvalue %am[1] : !llvm.struct<(i32, i32, i32, i32)>
    %a2w = llvm.extractvalue %am[2] : !llvm.struct<(i32, i32, i32, i32)>
    %a3w = llvm.extractvalue %am[3] : !llvm.struct<(i32, i32, i32, i32)>
    %b0w = llvm.extractvalue %bm[0] : !llvm.struct<(i32, i32)>
    %b1w = llvm.extractvalue %bm[1] : !llvm.struct<(i32, i32)>
    %a0 = llvm.bitcast %a0w : i32 to vector<2xf16>
    %a1 = llvm.bitcast %a1w : i32 to vector<2xf16>
    %a2 = llvm.bitcast %a2w : i32 to vector<2xf16>
    %a3 = llvm.bitcast %a3w : i32 to vector<2xf16>
    %b0 = llvm.bitcast %b0w : i32 to vector<2xf16>
    %b1 = llvm.bitcast %b1w : i32 to vector<2xf16>
    %m0 = nvvm.mma.sync A[%a0, %a1, %a2, %a3] B[%b0, %b1] C[%zero, %zero, %zero, %zero]
        {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>}
        : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>

    nvvm.cp.async.wait.group 0
    gpu.barrier
    %c512 = arith.constant 512 : i64
    %c256 = arith.constant 256 : i64
    %aNext64 = arith.addi %aRow64, %c512 : i64
    %bNext64 = arith.addi %bRow64, %c256 : i64
    %aNext = llvm.inttoptr %aNext64 : i64 to !llvm.ptr<3>
    %bNext = llvm.inttoptr %bNext64 : i64 to !llvm.ptr<3>
    %an = nvvm.ldmatrix %aNext {num = 4 : i32, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32, i32, i32)>
    %bn = nvvm.ldmatrix %bNext {num = 2 : i32, layout = #nvvm.mma_layout<col>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32)>
    %a4w = llvm.extractvalue %an[0] : !llvm.struct<(i32, i32, i32, i32)>
    %a5w = llvm.extractvalue %an[1] : !llvm.struct<(i32, i32, i32, i32)>
    %a6w = llvm.extractvalue %an[2] : !llvm.struct<(i32, i32, i32, i32)>
    %a7w = llvm.extractvalue %an[3] : !llvm.struct<(i32, i32, i32, i32)>
    %b4w = llvm.extractvalue %bn[0] : !llvm.struct<(i32, i32)>
    %b5w = llvm.extractvalue %bn[1] : !llvm.struct<(i32, i32)>
    %a4 = llvm.bitcast %a4w : i32 to vector<2xf16>
    %a5 = llvm.bitcast %a5w : i32 to vector<2xf16>
    %a6 = llvm.bitcast %a6w : i32 to vector<2xf16>
    %a7 = llvm.bitcast %a7w : i32 to vector<2xf16>
    %b4 = llvm.bitcast %b4w : i32 to vector<2xf16>
    %b5 = llvm.bitcast %b5w : i32 to vector<2xf16>
    %s0 = llvm.extractvalue %m0[0] : !llvm.struct<(f32, f32, f32, f32)>
    %s1 = llvm.extractvalue %m0[1] : !llvm.struct<(f32, f32, f32, f32)>
    %s2 = llvm.extractvalue %m0[2] : !llvm.struct<(f32, f32, f32, f32)>
    %s3 = llvm.extractvalue %m0[3] : !llvm.struct<(f32, f32, f32, f32)>
    %m1 = nvvm.mma.sync A[%a4, %a5, %a6, %a7] B[%b4, %b5] C[%s0, %s1, %s2, %s3]
        {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>}
        : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>

    %x0 = llvm.extractvalue %m1[0] : !llvm.struct<(f32, f32, f32, f32)>
    %x1 = llvm.extractvalue %m1[1] : !llvm.struct<(f32, f32, f32, f32)>
    %x2 = llvm.extractvalue %m1[2] : !llvm.struct<(f32, f32, f32, f32)>
    %x3 = llvm.extractvalue %m1[3] : !llvm.struct<(f32, f32, f32, f32)>
    %top = vector.from_elements %x0, %x1 : vector<2xf32>
    %bottom = vector.from_elements %x2, %x3 : vector<2xf32>
    %row0 = arith.divui %lane, %c4 : index
    %row1 = arith.addi %row0, %c8 : index
    %pair = arith.remui %lane, %c4 : index
    %col = arith.muli %pair, %c2 : index
    vector.store %top, %c[%row0, %col] : memref<16x8xf32, #g>, vector<2xf32>
    vector.store %bottom, %c[%row1, %col] : memref<16x8xf32, #g>, vector<2xf32>
    gpu.return
  }
}

func.func private @printI64(i64)
func.func private @printNewline()

// (3 i + 5 j + i j) mod 7 - 3
func.func @value(%i: index, %j: index) -> f16 {
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %c7 = arith.constant 7 : index
  %i3 = arith.muli %i, %c3 : index
  %j5 = arith.muli %j, %c5 : index
  %ij = arith.muli %i, %j : index
  %s0 = arith.addi %i3, %j5 : index
  %s1 = arith.addi %s0, %ij : index
  %s2 = arith.remui %s1, %c7 : index
  %s3 = arith.subi %s2, %c3 : index
  %s4 = arith.index_cast %s3 : index to i32
  %s5 = arith.sitofp %s4 : i32 to f16
  return %s5 : f16
}

// CHECK: {{^}}0{{$}}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %a = memref.alloc() {alignment = 16 : i64} : memref<16x32xf16>
  %b = memref.alloc() {alignment = 16 : i64} : memref<32x8xf16>
  %c = memref.alloc() {alignment = 16 : i64} : memref<16x8xf32>
  scf.for %k = %c0 to %c32 step %c1 {
    scf.for %i = %c0 to %c16 step %c1 {
      %v = func.call @value(%i, %k) : (index, index) -> f16
      memref.store %v, %a[%i, %k] : memref<16x32xf16>
    }
    scf.for %j = %c0 to %c8 step %c1 {
      %v = func.call @value(%k, %j) : (index, index) -> f16
      memref.store %v, %b[%k, %j] : memref<32x8xf16>
    }
  }
  %ag = memref.memory_space_cast %a : memref<16x32xf16> to memref<16x32xf16, #g>
  %bg = memref.memory_space_cast %b : memref<32x8xf16> to memref<32x8xf16, #g>
  %cg = memref.memory_space_cast %c : memref<16x8xf32> to memref<16x8xf32, #g>
  gpu.launch_func @kernels::@gemm blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1)
      args(%ag : memref<16x32xf16, #g>, %bg : memref<32x8xf16, #g>, %cg : memref<16x8xf32, #g>)
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %zero = arith.constant 0.0 : f32
  %wrong = scf.for %i = %c0 to %c16 step %c1 iter_args(%n0 = %none) -> i64 {
    %n = scf.for %j = %c0 to %c8 step %c1 iter_args(%n1 = %n0) -> i64 {
      %sum = scf.for %k = %c0 to %c32 step %c1 iter_args(%s = %zero) -> f32 {
        %x = memref.load %a[%i, %k] : memref<16x32xf16>
        %y = memref.load %b[%k, %j] : memref<32x8xf16>
        %xw = arith.extf %x : f16 to f32
        %yw = arith.extf %y : f16 to f32
        %p = arith.mulf %xw, %yw : f32
        %t = arith.addf %s, %p : f32
        scf.yield %t : f32
      }
      %r = memref.load %c[%i, %j] : memref<16x8xf32>
      %differs = arith.cmpf une, %r, %sum : f32
      %more = arith.addi %n1, %one : i64
      %n2 = arith.select %differs, %more, %n1 : i64
      scf.yield %n2 : i64
    }
    scf.yield %n : i64
  }
  func.call @printI64(%wrong) : (i64) -> ()
  func.call @printNewline() : () -> ()
  return
}
}
