// UNSUPPORTED: sanitizer
// RUN: amp-opt %s --amp-lower-to-simulator > %t.mlir
// RUN: %simulator -e narrow %t.mlir | FileCheck %s --check-prefix=NARROW
// RUN: %simulator -e masks %t.mlir | FileCheck %s --check-prefix=MASKS
// RUN: %simulator -e tiles %t.mlir | FileCheck %s --check-prefix=TILES
// RUN: %simulator -e scalars %t.mlir | FileCheck %s --check-prefix=SCALARS
// RUN: %simulator -e reductions %t.mlir | FileCheck %s --check-prefix=REDUCTIONS

// Kernels that are right: the simulator must not complain, and must compute.
#g = #gpu.address_space<global>
#s = #gpu.address_space<workgroup>
module attributes {gpu.container_module} {
gpu.module @kernels {
  // bf16, f16, f8 and i8 in and out; every op rounds to its own type. 1.0 +
  // 0.00390625 is 1.0 in bf16 (a tie, to even), and 1.00390625 in f16; 17 is 16
  // in f8E4M3FN (a tie); 100 + 100 wraps in i8.
  gpu.func @narrow(%b: memref<2xbf16, #g>, %h: memref<2xf16, #g>, %e: memref<2xf8E4M3FN, #g>, %i: memref<2xi8, #g>, %y: memref<4xf32, #g>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %b0 = memref.load %b[%c0] : memref<2xbf16, #g>
    %b1 = memref.load %b[%c1] : memref<2xbf16, #g>
    %bs = arith.addf %b0, %b1 fastmath<fast> : bf16
    memref.store %bs, %b[%c0] : memref<2xbf16, #g>
    %hv = vector.load %h[%c0] : memref<2xf16, #g>, vector<2xf16>
    %h0 = vector.extract %hv[0] : f16 from vector<2xf16>
    %h1 = vector.extract %hv[1] : f16 from vector<2xf16>
    %hs = arith.addf %h0, %h1 : f16
    %e0 = memref.load %e[%c0] : memref<2xf8E4M3FN, #g>
    %e1 = memref.load %e[%c1] : memref<2xf8E4M3FN, #g>
    %es = arith.addf %e0, %e1 : f8E4M3FN
    %i0 = memref.load %i[%c0] : memref<2xi8, #g>
    %i1 = memref.load %i[%c1] : memref<2xi8, #g>
    %is = arith.addi %i0, %i1 : i8
    %r0 = arith.extf %bs : bf16 to f32
    %r1 = arith.extf %hs : f16 to f32
    %r2 = arith.extf %es : f8E4M3FN to f32
    %r3 = arith.sitofp %is : i8 to f32
    %r = vector.from_elements %r0, %r1, %r2, %r3 : vector<4xf32>
    vector.store %r, %y[%c0] : memref<4xf32, #g>, vector<4xf32>
    gpu.return
  }

  // Ten elements by threads of four: what lies behind the end is masked, or left
  // out by the transfer; elements that are left out are no accesses.
  gpu.func @masks(%x: memref<?xf32, #g>, %y: memref<?xf32, #g>, %z: memref<?xf32, #g>) kernel {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant 0.0 : f32
    %zeros = arith.constant dense<0.0> : vector<4xf32>
    %t = gpu.thread_id x
    %i = arith.muli %t, %c4 : index
    %n = memref.dim %x, %c0 : memref<?xf32, #g>
    %rest = arith.subi %n, %i : index
    %mask = vector.create_mask %rest : vector<4xi1>
    %v = vector.maskedload %x[%i], %mask, %zeros : memref<?xf32, #g>, vector<4xi1>, vector<4xf32> into vector<4xf32>
    %w = arith.addf %v, %v : vector<4xf32>
    vector.maskedstore %y[%i], %mask, %w : memref<?xf32, #g>, vector<4xi1>, vector<4xf32>
    %u = vector.transfer_read %x[%i], %zero {in_bounds = [false]} : memref<?xf32, #g>, vector<4xf32>
    %q = arith.mulf %u, %u : vector<4xf32>
    vector.mask %mask { vector.transfer_write %q, %z[%i] {in_bounds = [true]} : vector<4xf32>, memref<?xf32, #g> } : vector<4xi1>
    gpu.return
  }

  // A transpose through dynamic shared memory, with tiles of 8x8 padded to 8x9,
  // and transfers with two dimensions and a permutation.
  gpu.func @tiles(%x: memref<8x8xf32, #g>, %y: memref<8x8xf32, #g>) kernel {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %d = gpu.dynamic_shared_memory : memref<?xi8, #s>
    %tile = memref.view %d[%c0][] : memref<?xi8, #s> to memref<8x9xf32, #s>
    %used = memref.subview %tile[0, 0] [8, 8] [1, 1] : memref<8x9xf32, #s> to memref<8x8xf32, strided<[9, 1]>, #s>
    %i = gpu.thread_id x
    %row = vector.load %x[%i, %c0] : memref<8x8xf32, #g>, vector<8xf32>
    affine.for %j = 0 to 8 {
      %e = vector.extract %row[%j] : f32 from vector<8xf32>
      affine.store %e, %used[%i, %j] : memref<8x8xf32, strided<[9, 1]>, #s>
    }
    gpu.barrier
    %column = vector.transfer_read %used[%c0, %i], %zero {in_bounds = [true], permutation_map = affine_map<(i, j) -> (i)>} : memref<8x8xf32, strided<[9, 1]>, #s>, vector<8xf32>
    vector.transfer_write %column, %y[%i, %c0] {in_bounds = [true]} : vector<8xf32>, memref<8x8xf32, #g>
    gpu.return
  }

  // Scalars of each kind, an empty dimension, a private variable, sizes.
  gpu.func @scalars(%n: index, %i: i32, %f: f32, %h: f16, %p: i1, %e: f8E5M2, %none: memref<0x4xf32, #g>, %y: memref<8xf32, #g>) private(%v: memref<1xf32, #gpu.address_space<private>>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    %c6 = arith.constant 6 : index
    %c7 = arith.constant 7 : index
    %n32 = arith.index_cast %n : index to i32
    %nf = arith.sitofp %n32 : i32 to f32
    %if = arith.sitofp %i : i32 to f32
    %hf = arith.extf %h : f16 to f32
    %pf = arith.uitofp %p : i1 to f32
    %ef = arith.extf %e : f8E5M2 to f32
    memref.store %f, %v[%c0] : memref<1xf32, #gpu.address_space<private>>
    %vf = memref.load %v[%c0] : memref<1xf32, #gpu.address_space<private>>
    %gd = gpu.grid_dim y
    %bd = gpu.block_dim z
    %gd32 = arith.index_cast %gd : index to i32
    %bd32 = arith.index_cast %bd : index to i32
    %gdf = arith.sitofp %gd32 : i32 to f32
    %bdf = arith.sitofp %bd32 : i32 to f32
    %b = gpu.block_id y
    %t = gpu.thread_id z
    %bt = arith.addi %b, %t : index
    %first = arith.cmpi eq, %bt, %c0 : index
    scf.if %first {
      memref.store %nf, %y[%c0] : memref<8xf32, #g>
      memref.store %if, %y[%c1] : memref<8xf32, #g>
      memref.store %vf, %y[%c2] : memref<8xf32, #g>
      memref.store %hf, %y[%c3] : memref<8xf32, #g>
      memref.store %pf, %y[%c4] : memref<8xf32, #g>
      memref.store %ef, %y[%c5] : memref<8xf32, #g>
      memref.store %gdf, %y[%c6] : memref<8xf32, #g>
      memref.store %bdf, %y[%c7] : memref<8xf32, #g>
    }
    gpu.return
  }

  // The last thread's number; its warp's sum of them; with its neighbour's, by
  // nvvm.shfl.sync; an atomic sum of all.
  gpu.func @reductions(%y: memref<4xi32, #g>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %id = gpu.thread_id x
    %t = arith.index_cast %id : index to i32
    %warp = gpu.subgroup_reduce add %t : (i32) -> (i32)
    %all = arith.constant -1 : i32
    %one = arith.constant 1 : i32
    %clamp = arith.constant 31 : i32
    %next = nvvm.shfl.sync bfly %all, %t, %one, %clamp : i32 -> i32
    %pair = arith.addi %t, %next : i32
    %old = memref.atomic_rmw addi %t, %y[%c3] : (i32, memref<4xi32, #g>) -> i32
    %last = arith.constant 63 : index
    %isLast = arith.cmpi eq, %id, %last : index
    scf.if %isLast {
      memref.store %t, %y[%c0] : memref<4xi32, #g>
      memref.store %warp, %y[%c1] : memref<4xi32, #g>
      memref.store %pair, %y[%c2] : memref<4xi32, #g>
    }
    gpu.return
  }
}

func.func private @printMemrefF32(memref<*xf32>) attributes {llvm.emit_c_interface}
func.func private @printMemrefI32(memref<*xi32>) attributes {llvm.emit_c_interface}

// NARROW: [1,  1.00391,  16,  -56]
func.func @narrow() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = memref.alloc() : memref<2xbf16>
  %h = memref.alloc() : memref<2xf16>
  %e = memref.alloc() : memref<2xf8E4M3FN>
  %i = memref.alloc() : memref<2xi8>
  %y = memref.alloc() {alignment = 16 : i64} : memref<4xf32>
  %b0 = arith.constant 1.0 : bf16
  %b1 = arith.constant 0.00390625 : bf16
  %h0 = arith.constant 1.0 : f16
  %h1 = arith.constant 0.00390625 : f16
  %e0 = arith.constant 16.0 : f8E4M3FN
  %e1 = arith.constant 1.0 : f8E4M3FN
  %i0 = arith.constant 100 : i8
  memref.store %b0, %b[%c0] : memref<2xbf16>
  memref.store %b1, %b[%c1] : memref<2xbf16>
  memref.store %h0, %h[%c0] : memref<2xf16>
  memref.store %h1, %h[%c1] : memref<2xf16>
  memref.store %e0, %e[%c0] : memref<2xf8E4M3FN>
  memref.store %e1, %e[%c1] : memref<2xf8E4M3FN>
  memref.store %i0, %i[%c0] : memref<2xi8>
  memref.store %i0, %i[%c1] : memref<2xi8>
  %bg = memref.memory_space_cast %b : memref<2xbf16> to memref<2xbf16, #g>
  %hg = memref.memory_space_cast %h : memref<2xf16> to memref<2xf16, #g>
  %eg = memref.memory_space_cast %e : memref<2xf8E4M3FN> to memref<2xf8E4M3FN, #g>
  %ig = memref.memory_space_cast %i : memref<2xi8> to memref<2xi8, #g>
  %yg = memref.memory_space_cast %y : memref<4xf32> to memref<4xf32, #g>
  gpu.launch_func @kernels::@narrow blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
      args(%bg : memref<2xbf16, #g>, %hg : memref<2xf16, #g>, %eg : memref<2xf8E4M3FN, #g>, %ig : memref<2xi8, #g>, %yg : memref<4xf32, #g>)
  %u = memref.cast %y : memref<4xf32> to memref<*xf32>
  func.call @printMemrefF32(%u) : (memref<*xf32>) -> ()
  return
}

// MASKS: [6,  6,  6,  6,  6,  6,  6,  6,  6,  6]
// MASKS: [9,  9,  9,  9,  9,  9,  9,  9,  9,  9]
func.func @masks() {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %three = arith.constant 3.0 : f32
  %x = memref.alloc() {alignment = 16 : i64} : memref<10xf32>
  %y = memref.alloc() {alignment = 16 : i64} : memref<10xf32>
  %z = memref.alloc() {alignment = 16 : i64} : memref<10xf32>
  linalg.fill ins(%three : f32) outs(%x : memref<10xf32>)
  %xc = memref.cast %x : memref<10xf32> to memref<?xf32>
  %yc = memref.cast %y : memref<10xf32> to memref<?xf32>
  %zc = memref.cast %z : memref<10xf32> to memref<?xf32>
  %xg = memref.memory_space_cast %xc : memref<?xf32> to memref<?xf32, #g>
  %yg = memref.memory_space_cast %yc : memref<?xf32> to memref<?xf32, #g>
  %zg = memref.memory_space_cast %zc : memref<?xf32> to memref<?xf32, #g>
  gpu.launch_func @kernels::@masks blocks in (%c1, %c1, %c1) threads in (%c3, %c1, %c1)
      args(%xg : memref<?xf32, #g>, %yg : memref<?xf32, #g>, %zg : memref<?xf32, #g>)
  %u = memref.cast %y : memref<10xf32> to memref<*xf32>
  func.call @printMemrefF32(%u) : (memref<*xf32>) -> ()
  %v = memref.cast %z : memref<10xf32> to memref<*xf32>
  func.call @printMemrefF32(%v) : (memref<*xf32>) -> ()
  return
}

// TILES: [0,   8,   16,   24,   32,   40,   48,   56]
// TILES-NEXT: [1,   9,   17,   25,   33,   41,   49,   57]
func.func @tiles() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %x = memref.alloc() {alignment = 16 : i64} : memref<8x8xf32>
  %y = memref.alloc() {alignment = 16 : i64} : memref<8x8xf32>
  scf.for %i = %c0 to %c8 step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
      %r = arith.muli %i, %c8 : index
      %k = arith.addi %r, %j : index
      %k32 = arith.index_cast %k : index to i32
      %f = arith.sitofp %k32 : i32 to f32
      memref.store %f, %x[%i, %j] : memref<8x8xf32>
    }
  }
  %xg = memref.memory_space_cast %x : memref<8x8xf32> to memref<8x8xf32, #g>
  %yg = memref.memory_space_cast %y : memref<8x8xf32> to memref<8x8xf32, #g>
  %bytes = arith.constant 288 : i32
  gpu.launch_func @kernels::@tiles blocks in (%c1, %c1, %c1) threads in (%c8, %c1, %c1) dynamic_shared_memory_size %bytes
      args(%xg : memref<8x8xf32, #g>, %yg : memref<8x8xf32, #g>)
  %u = memref.cast %y : memref<8x8xf32> to memref<*xf32>
  func.call @printMemrefF32(%u) : (memref<*xf32>) -> ()
  return
}

// SCALARS: [7,  -3,  1.5,  0.25,  1,  -2,  2,  3]
func.func @scalars() {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %n = arith.constant 7 : index
  %i = arith.constant -3 : i32
  %f = arith.constant 1.5 : f32
  %h = arith.constant 0.25 : f16
  %p = arith.constant true
  %e = arith.constant -2.0 : f8E5M2
  %none = memref.alloc() : memref<0x4xf32>
  %y = memref.alloc() : memref<8xf32>
  %noneg = memref.memory_space_cast %none : memref<0x4xf32> to memref<0x4xf32, #g>
  %yg = memref.memory_space_cast %y : memref<8xf32> to memref<8xf32, #g>
  gpu.launch_func @kernels::@scalars blocks in (%c1, %c2, %c1) threads in (%c1, %c1, %c3)
      args(%n : index, %i : i32, %f : f32, %h : f16, %p : i1, %e : f8E5M2, %noneg : memref<0x4xf32, #g>, %yg : memref<8xf32, #g>)
  %u = memref.cast %y : memref<8xf32> to memref<*xf32>
  func.call @printMemrefF32(%u) : (memref<*xf32>) -> ()
  return
}

// 63; 32 + ... + 63; 63 + 62; 0 + ... + 63.
// REDUCTIONS: [63,  1520,  125,  2016]
func.func @reductions() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0 : i32
  %y = memref.alloc() : memref<4xi32>
  linalg.fill ins(%zero : i32) outs(%y : memref<4xi32>)
  %yg = memref.memory_space_cast %y : memref<4xi32> to memref<4xi32, #g>
  gpu.launch_func @kernels::@reductions blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
      args(%yg : memref<4xi32, #g>)
  %u = memref.cast %y : memref<4xi32> to memref<*xi32>
  func.call @printMemrefI32(%u) : (memref<*xi32>) -> ()
  return
}
}
