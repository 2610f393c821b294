// UNSUPPORTED: sanitizer
// RUN: amp-opt %s --amp-lower-to-simulator > %t.mlir
// RUN: not %simulator -e bounds %t.mlir 2>&1 | FileCheck %s --check-prefix=BOUNDS
// RUN: not %simulator -e vector_bounds %t.mlir 2>&1 | FileCheck %s --check-prefix=VECTOR-BOUNDS
// RUN: not %simulator -e row %t.mlir 2>&1 | FileCheck %s --check-prefix=ROW
// RUN: not %simulator -e misaligned %t.mlir 2>&1 | FileCheck %s --check-prefix=MISALIGNED
// RUN: not %simulator -e global_race %t.mlir 2>&1 | FileCheck %s --check-prefix=GLOBAL-RACE
// RUN: not %simulator -e block_race %t.mlir 2>&1 | FileCheck %s --check-prefix=BLOCK-RACE
// RUN: not %simulator -e block_read_race %t.mlir 2>&1 | FileCheck %s --check-prefix=BLOCK-READ-RACE
// RUN: not %simulator -e shared_race %t.mlir 2>&1 | FileCheck %s --check-prefix=SHARED-RACE
// RUN: not %simulator -e read_write_race %t.mlir 2>&1 | FileCheck %s --check-prefix=READ-WRITE-RACE
// RUN: not %simulator -e warp_order %t.mlir 2>&1 | FileCheck %s --check-prefix=WARP-ORDER
// RUN: not %simulator -e uninitialized %t.mlir 2>&1 | FileCheck %s --check-prefix=UNINITIALIZED
// RUN: not %simulator -e dynamic_bounds %t.mlir 2>&1 | FileCheck %s --check-prefix=DYNAMIC-BOUNDS
// RUN: not %simulator -e diverged %t.mlir 2>&1 | FileCheck %s --check-prefix=DIVERGED
// RUN: not %simulator -e other_barrier %t.mlir 2>&1 | FileCheck %s --check-prefix=OTHER-BARRIER
// RUN: not %simulator -e partial_warp %t.mlir 2>&1 | FileCheck %s --check-prefix=PARTIAL-WARP
// RUN: not %simulator -e shuffle_width %t.mlir 2>&1 | FileCheck %s --check-prefix=SHUFFLE-WIDTH
// RUN: not %simulator -e in_flight %t.mlir 2>&1 | FileCheck %s --check-prefix=IN-FLIGHT
// RUN: not %simulator -e raw_address %t.mlir 2>&1 | FileCheck %s --check-prefix=RAW-ADDRESS
// RUN: not env AMP_SIM_WRITES=once %simulator -e written_twice %t.mlir 2>&1 | FileCheck %s --check-prefix=WRITTEN-TWICE
// RUN: not env AMP_SIM_WRITES=all %simulator -e written_partly %t.mlir 2>&1 | FileCheck %s --check-prefix=WRITTEN-PARTLY

// Each kernel makes one mistake, which ends the process with a message. Values
// that are loaded go to the thread's own memory, so that the load is not dead.
module attributes {gpu.container_module} {
gpu.module @kernels {
  // One behind the end.
  // BOUNDS: kernel 'bounds', block (0, 0, 0), thread (63, 0, 0): 'memref.store' at {{.*}}checks.mlir:{{[0-9]+}}:5 writes outside of its memref: index 0 is 64, but must be at least 0 and below 64
  gpu.func @bounds(%x: memref<64xf32, #gpu.address_space<global>>) kernel {
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    %c1 = arith.constant 1 : index
    %i = arith.addi %t, %c1 : index
    memref.store %f, %x[%i] : memref<64xf32, #gpu.address_space<global>>
    gpu.return
  }

  // The first element is inside, the last is not.
  // VECTOR-BOUNDS: 'vector.load' at {{.*}} reads outside of its memref: index 0 is 64, but must be at least 0 and below 64
  gpu.func @vector_bounds(%x: memref<64xf32, #gpu.address_space<global>>) kernel {
    %t = gpu.thread_id x
    %c62 = arith.constant 62 : index
    %v = vector.load %x[%c62] : memref<64xf32, #gpu.address_space<global>>, vector<4xf32>
    %keep0 = memref.alloca() : memref<vector<4xf32>>
    memref.store %v, %keep0[] : memref<vector<4xf32>>
    gpu.return
  }

  // Inside of the allocation, but in another row.
  // ROW: writes outside of its memref: index 1 is 8, but must be at least 0 and below 8
  gpu.func @row(%x: memref<64xf32, #gpu.address_space<global>>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %f = arith.constant 1.0 : f32
    %m = memref.expand_shape %x [[0, 1]] output_shape [8, 8] : memref<64xf32, #gpu.address_space<global>> into memref<8x8xf32, #gpu.address_space<global>>
    memref.store %f, %m[%c0, %c8] : memref<8x8xf32, #gpu.address_space<global>>
    gpu.return
  }

  // Sixteen bytes at a multiple of eight.
  // MISALIGNED: 'vector.load' at {{.*}} reads 16 bytes at address {{.*}} (8 more than a multiple of 16), which must be a multiple of 16
  gpu.func @misaligned(%x: memref<64xf32, #gpu.address_space<global>>) kernel {
    %c2 = arith.constant 2 : index
    %v = vector.load %x[%c2] : memref<64xf32, #gpu.address_space<global>>, vector<4xf32>
    %keep1 = memref.alloca() : memref<vector<4xf32>>
    memref.store %v, %keep1[] : memref<vector<4xf32>>
    gpu.return
  }

  // All threads write the same element.
  // GLOBAL-RACE: thread (1, 0, 0): 'memref.store' at {{.*}} writes the byte at address {{.*}}, which thread (0, 0, 0) wrote at 'memref.store' at {{.*}}, with no barrier between
  gpu.func @global_race(%x: memref<64xf32, #gpu.address_space<global>>) kernel {
    %c0 = arith.constant 0 : index
    %f = arith.constant 1.0 : f32
    memref.store %f, %x[%c0] : memref<64xf32, #gpu.address_space<global>>
    gpu.return
  }

  // One thread of each block writes the same element.
  // BLOCK-RACE: block (1, 0, 0), thread (0, 0, 0): 'memref.store' at {{.*}}, which thread (0, 0, 0) of another block wrote at 'memref.store' at {{.*}}: blocks are not ordered
  gpu.func @block_race(%x: memref<64xf32, #gpu.address_space<global>>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %f = arith.constant 1.0 : f32
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      memref.store %f, %x[%c0] : memref<64xf32, #gpu.address_space<global>>
    }
    gpu.return
  }

  // A block writes what the one before it has read.
  // BLOCK-READ-RACE: which threads of another block read at 'memref.load'
  gpu.func @block_read_race(%x: memref<64xf32, #gpu.address_space<global>>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c63 = arith.constant 63 : index
    %f = arith.constant 1.0 : f32
    %b = gpu.block_id x
    %v = memref.load %x[%c0] : memref<64xf32, #gpu.address_space<global>>
    %keep2 = memref.alloca() : memref<f32>
    memref.store %v, %keep2[] : memref<f32>
    %first = arith.cmpi eq, %t, %c63 : index
    %last = arith.cmpi ne, %b, %c0 : index
    %writes = arith.andi %first, %last : i1
    scf.if %writes {
      memref.store %f, %x[%c0] : memref<64xf32, #gpu.address_space<global>>
    }
    gpu.return
  }

  // A barrier is missing between the store and the load of another thread.
  // SHARED-RACE: thread (1, 0, 0): 'memref.load' at {{.*}} reads the byte at shared offset 0x0, which thread (0, 0, 0) wrote at 'memref.store' at {{.*}}, with no barrier between
  gpu.func @shared_race(%x: memref<64xf32, #gpu.address_space<global>>)
      workgroup(%s: memref<64xf32, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    memref.store %f, %s[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    %c62 = arith.constant 62 : index
    %i = arith.andi %t, %c62 : index
    %v = memref.load %s[%i] : memref<64xf32, #gpu.address_space<workgroup>>
    %keep3 = memref.alloca() : memref<f32>
    memref.store %v, %keep3[] : memref<f32>
    gpu.return
  }

  // A barrier is missing before the next store.
  // READ-WRITE-RACE: thread (0, 0, 0): 'memref.store' at {{.*}} writes the byte at shared offset 0x0, which thread ({{[0-9]+}}, 0, 0) read at 'memref.load' at {{.*}}, with no barrier between
  gpu.func @read_write_race(%x: memref<64xf32, #gpu.address_space<global>>)
      workgroup(%s: memref<64xf32, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    %c0 = arith.constant 0 : index
    memref.store %f, %s[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %v = memref.load %s[%c0] : memref<64xf32, #gpu.address_space<workgroup>>
    %keep4 = memref.alloca() : memref<f32>
    memref.store %v, %keep4[] : memref<f32>
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      memref.store %f, %s[%c0] : memref<64xf32, #gpu.address_space<workgroup>>
    }
    gpu.return
  }

  // A warp's barrier orders its lanes, but not those of another warp: only the second load races.
  // WARP-ORDER: thread (63, 0, 0): 'memref.load' at {{.*}} reads the byte at shared offset 0x7c, which thread (31, 0, 0) wrote
  gpu.func @warp_order(%x: memref<64xf32, #gpu.address_space<global>>)
      workgroup(%s: memref<64xf32, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    memref.store %f, %s[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    %all = arith.constant -1 : i32
    nvvm.bar.warp.sync %all : i32
    %c31 = arith.constant 31 : index
    %i = arith.xori %t, %c31 : index
    %v = memref.load %s[%i] : memref<64xf32, #gpu.address_space<workgroup>>
    %keep5 = memref.alloca() : memref<f32>
    memref.store %v, %keep5[] : memref<f32>
    %j = arith.andi %t, %c31 : index
    %w = memref.load %s[%j] : memref<64xf32, #gpu.address_space<workgroup>>
    %keep6 = memref.alloca() : memref<f32>
    memref.store %w, %keep6[] : memref<f32>
    gpu.return
  }

  // Shared memory that nobody wrote.
  // UNINITIALIZED: thread (0, 0, 0): 'memref.load' at {{.*}} reads shared memory at offset 0xc, which no thread of the block has written
  gpu.func @uninitialized(%x: memref<64xf32, #gpu.address_space<global>>)
      workgroup(%s: memref<64xf32, #gpu.address_space<workgroup>>) kernel {
    %c3 = arith.constant 3 : index
    %v = memref.load %s[%c3] : memref<64xf32, #gpu.address_space<workgroup>>
    %keep7 = memref.alloca() : memref<f32>
    memref.store %v, %keep7[] : memref<f32>
    gpu.return
  }

  // More dynamic shared memory than the launch gives.
  // DYNAMIC-BOUNDS: thread (0, 0, 0): 'memref.store' at {{.*}} writes 4 bytes at offset 64 of shared memory, of which the block has 64 bytes
  gpu.func @dynamic_bounds(%x: memref<64xf32, #gpu.address_space<global>>) kernel {
    %c0 = arith.constant 0 : index
    %f = arith.constant 1.0 : f32
    %c15 = arith.constant 15 : index
    %c16 = arith.constant 16 : index
    %d = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %s = memref.view %d[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<32xf32, #gpu.address_space<workgroup>>
    memref.store %f, %s[%c15] : memref<32xf32, #gpu.address_space<workgroup>>
    memref.store %f, %s[%c16] : memref<32xf32, #gpu.address_space<workgroup>>
    gpu.return
  }

  // Half of the threads never come.
  // DIVERGED: kernel 'diverged', block (0, 0, 0), thread (0, 0, 0): 'gpu.barrier' at {{.*}} waits forever for barrier 0 of 64 threads: thread (32, 0, 0) has returned from the kernel; all of them must execute the same op
  gpu.func @diverged(%x: memref<64xf32, #gpu.address_space<global>>) kernel {
    %t = gpu.thread_id x
    %c32 = arith.constant 32 : index
    %low = arith.cmpi ult, %t, %c32 : index
    scf.if %low {
      gpu.barrier
    }
    gpu.return
  }

  // Two barriers where one is meant.
  // OTHER-BARRIER: thread (32, 0, 0): 'gpu.barrier' at {{.*}} waits for barrier 0 of 64 threads, at which thread (0, 0, 0) waits as 'gpu.barrier' at {{.*}}, of 64 threads: all of them must execute the same op
  gpu.func @other_barrier(%x: memref<64xf32, #gpu.address_space<global>>) kernel {
    %t = gpu.thread_id x
    %c32 = arith.constant 32 : index
    %low = arith.cmpi ult, %t, %c32 : index
    scf.if %low {
      gpu.barrier
    } else {
      gpu.barrier
    }
    gpu.return
  }

  // The source lane is not in the block.
  // PARTIAL-WARP: thread (8, 0, 0): 'gpu.shuffle' at {{.*}} reads lane 24, which does not take part
  gpu.func @partial_warp(%x: memref<64xf32, #gpu.address_space<global>>) kernel {
    %one = arith.constant 1 : i32
    %w = arith.constant 32 : i32
    %o = arith.constant 16 : i32
    %v, %p = gpu.shuffle xor %one, %o, %w : i32
    %keep8 = memref.alloca() : memref<i32>
    memref.store %v, %keep8[] : memref<i32>
    gpu.return
  }

  // A shuffle of half a warp, executed by all of it.
  // SHUFFLE-WIDTH: thread (16, 0, 0): 'gpu.shuffle' at {{.*}} is executed by lane 16, which its member mask 0xffff leaves out
  gpu.func @shuffle_width(%x: memref<64xf32, #gpu.address_space<global>>) kernel {
    %one = arith.constant 1 : i32
    %w = arith.constant 16 : i32
    %v, %p = gpu.shuffle xor %one, %one, %w : i32
    %keep9 = memref.alloca() : memref<i32>
    memref.store %v, %keep9[] : memref<i32>
    gpu.return
  }

  // The wait leaves the group pending that the load needs.
  // IN-FLIGHT: 'memref.load' at {{.*}} reads the byte at address {{.*}}, which thread (0, 0, 0) at 'nvvm.cp.async.shared.global' at {{.*}} still fills: cp.async.wait.group and a barrier must come first
  gpu.func @in_flight(%x: memref<64xf32, #gpu.address_space<global>>)
      workgroup(%s: memref<64xf32, #gpu.address_space<workgroup>>) kernel {
    %c0 = arith.constant 0 : index
    %xi = memref.extract_aligned_pointer_as_index %x : memref<64xf32, #gpu.address_space<global>> -> index
    %si = memref.extract_aligned_pointer_as_index %s : memref<64xf32, #gpu.address_space<workgroup>> -> index
    %xw = arith.index_cast %xi : index to i64
    %sw = arith.index_cast %si : index to i64
    %xp = llvm.inttoptr %xw : i64 to !llvm.ptr<1>
    %sp = llvm.inttoptr %sw : i64 to !llvm.ptr<3>
    nvvm.cp.async.shared.global %sp, %xp, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
    nvvm.cp.async.commit.group
    nvvm.cp.async.wait.group 1
    %v = memref.load %s[%c0] : memref<64xf32, #gpu.address_space<workgroup>>
    %keep10 = memref.alloca() : memref<f32>
    memref.store %v, %keep10[] : memref<f32>
    gpu.return
  }

  // An address behind the only memref argument.
  // RAW-ADDRESS: 'nvvm.cp.async.shared.global' at {{.*}} reads 16 bytes at address {{.*}}, which lie neither in a memref argument of the kernel nor in shared memory
  gpu.func @raw_address(%x: memref<64xf32, #gpu.address_space<global>>)
      workgroup(%s: memref<64xf32, #gpu.address_space<workgroup>>) kernel {
    %xi = memref.extract_aligned_pointer_as_index %x : memref<64xf32, #gpu.address_space<global>> -> index
    %si = memref.extract_aligned_pointer_as_index %s : memref<64xf32, #gpu.address_space<workgroup>> -> index
    %xw = arith.index_cast %xi : index to i64
    %sw = arith.index_cast %si : index to i64
    %bytes = arith.constant 256 : i64
    %end = arith.addi %xw, %bytes : i64
    %xp = llvm.inttoptr %end : i64 to !llvm.ptr<1>
    %sp = llvm.inttoptr %sw : i64 to !llvm.ptr<3>
    nvvm.cp.async.shared.global %sp, %xp, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
    gpu.return
  }

  // Correct, but not what a schedule may do.
  // WRITTEN-TWICE: 'memref.store' at {{.*}} writes the byte at address {{.*}} again, which thread (0, 0, 0) wrote at 'memref.store' at {{.*}}: every byte may be written once
  gpu.func @written_twice(%x: memref<64xf32, #gpu.address_space<global>>) kernel {
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    memref.store %f, %x[%t] : memref<64xf32, #gpu.address_space<global>>
    memref.store %f, %x[%t] : memref<64xf32, #gpu.address_space<global>>
    gpu.return
  }

  // The last element is left out.
  // WRITTEN-PARTLY: kernel 'written_partly': argument 0: the launch wrote 63 of 64 elements, and not the one at [63]
  gpu.func @written_partly(%x: memref<64xf32, #gpu.address_space<global>>) kernel {
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    %c63 = arith.constant 63 : index
    %most = arith.cmpi ult, %t, %c63 : index
    scf.if %most {
      memref.store %f, %x[%t] : memref<64xf32, #gpu.address_space<global>>
    }
    gpu.return
  }
}

func.func @bounds() {
  %c1 = arith.constant 1 : index
  %blocks = arith.constant 1 : index
  %threads = arith.constant 64 : index
  %shared = arith.constant 64 : i32
  %a = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
  %x = memref.memory_space_cast %a : memref<64xf32> to memref<64xf32, #gpu.address_space<global>>
  gpu.launch_func @kernels::@bounds blocks in (%blocks, %c1, %c1) threads in (%threads, %c1, %c1)
      dynamic_shared_memory_size %shared args(%x : memref<64xf32, #gpu.address_space<global>>)
  return
}

func.func @vector_bounds() {
  %c1 = arith.constant 1 : index
  %blocks = arith.constant 1 : index
  %threads = arith.constant 64 : index
  %shared = arith.constant 64 : i32
  %a = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
  %x = memref.memory_space_cast %a : memref<64xf32> to memref<64xf32, #gpu.address_space<global>>
  gpu.launch_func @kernels::@vector_bounds blocks in (%blocks, %c1, %c1) threads in (%threads, %c1, %c1)
      dynamic_shared_memory_size %shared args(%x : memref<64xf32, #gpu.address_space<global>>)
  return
}

func.func @row() {
  %c1 = arith.constant 1 : index
  %blocks = arith.constant 1 : index
  %threads = arith.constant 64 : index
  %shared = arith.constant 64 : i32
  %a = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
  %x = memref.memory_space_cast %a : memref<64xf32> to memref<64xf32, #gpu.address_space<global>>
  gpu.launch_func @kernels::@row blocks in (%blocks, %c1, %c1) threads in (%threads, %c1, %c1)
      dynamic_shared_memory_size %shared args(%x : memref<64xf32, #gpu.address_space<global>>)
  return
}

func.func @misaligned() {
  %c1 = arith.constant 1 : index
  %blocks = arith.constant 1 : index
  %threads = arith.constant 64 : index
  %shared = arith.constant 64 : i32
  %a = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
  %x = memref.memory_space_cast %a : memref<64xf32> to memref<64xf32, #gpu.address_space<global>>
  gpu.launch_func @kernels::@misaligned blocks in (%blocks, %c1, %c1) threads in (%threads, %c1, %c1)
      dynamic_shared_memory_size %shared args(%x : memref<64xf32, #gpu.address_space<global>>)
  return
}

func.func @global_race() {
  %c1 = arith.constant 1 : index
  %blocks = arith.constant 1 : index
  %threads = arith.constant 64 : index
  %shared = arith.constant 64 : i32
  %a = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
  %x = memref.memory_space_cast %a : memref<64xf32> to memref<64xf32, #gpu.address_space<global>>
  gpu.launch_func @kernels::@global_race blocks in (%blocks, %c1, %c1) threads in (%threads, %c1, %c1)
      dynamic_shared_memory_size %shared args(%x : memref<64xf32, #gpu.address_space<global>>)
  return
}

func.func @block_race() {
  %c1 = arith.constant 1 : index
  %blocks = arith.constant 2 : index
  %threads = arith.constant 64 : index
  %shared = arith.constant 64 : i32
  %a = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
  %x = memref.memory_space_cast %a : memref<64xf32> to memref<64xf32, #gpu.address_space<global>>
  gpu.launch_func @kernels::@block_race blocks in (%blocks, %c1, %c1) threads in (%threads, %c1, %c1)
      dynamic_shared_memory_size %shared args(%x : memref<64xf32, #gpu.address_space<global>>)
  return
}

func.func @block_read_race() {
  %c1 = arith.constant 1 : index
  %blocks = arith.constant 2 : index
  %threads = arith.constant 64 : index
  %shared = arith.constant 64 : i32
  %a = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
  %x = memref.memory_space_cast %a : memref<64xf32> to memref<64xf32, #gpu.address_space<global>>
  gpu.launch_func @kernels::@block_read_race blocks in (%blocks, %c1, %c1) threads in (%threads, %c1, %c1)
      dynamic_shared_memory_size %shared args(%x : memref<64xf32, #gpu.address_space<global>>)
  return
}

func.func @shared_race() {
  %c1 = arith.constant 1 : index
  %blocks = arith.constant 1 : index
  %threads = arith.constant 64 : index
  %shared = arith.constant 64 : i32
  %a = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
  %x = memref.memory_space_cast %a : memref<64xf32> to memref<64xf32, #gpu.address_space<global>>
  gpu.launch_func @kernels::@shared_race blocks in (%blocks, %c1, %c1) threads in (%threads, %c1, %c1)
      dynamic_shared_memory_size %shared args(%x : memref<64xf32, #gpu.address_space<global>>)
  return
}

func.func @read_write_race() {
  %c1 = arith.constant 1 : index
  %blocks = arith.constant 1 : index
  %threads = arith.constant 64 : index
  %shared = arith.constant 64 : i32
  %a = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
  %x = memref.memory_space_cast %a : memref<64xf32> to memref<64xf32, #gpu.address_space<global>>
  gpu.launch_func @kernels::@read_write_race blocks in (%blocks, %c1, %c1) threads in (%threads, %c1, %c1)
      dynamic_shared_memory_size %shared args(%x : memref<64xf32, #gpu.address_space<global>>)
  return
}

func.func @warp_order() {
  %c1 = arith.constant 1 : index
  %blocks = arith.constant 1 : index
  %threads = arith.constant 64 : index
  %shared = arith.constant 64 : i32
  %a = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
  %x = memref.memory_space_cast %a : memref<64xf32> to memref<64xf32, #gpu.address_space<global>>
  gpu.launch_func @kernels::@warp_order blocks in (%blocks, %c1, %c1) threads in (%threads, %c1, %c1)
      dynamic_shared_memory_size %shared args(%x : memref<64xf32, #gpu.address_space<global>>)
  return
}

func.func @uninitialized() {
  %c1 = arith.constant 1 : index
  %blocks = arith.constant 1 : index
  %threads = arith.constant 64 : index
  %shared = arith.constant 64 : i32
  %a = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
  %x = memref.memory_space_cast %a : memref<64xf32> to memref<64xf32, #gpu.address_space<global>>
  gpu.launch_func @kernels::@uninitialized blocks in (%blocks, %c1, %c1) threads in (%threads, %c1, %c1)
      dynamic_shared_memory_size %shared args(%x : memref<64xf32, #gpu.address_space<global>>)
  return
}

func.func @dynamic_bounds() {
  %c1 = arith.constant 1 : index
  %blocks = arith.constant 1 : index
  %threads = arith.constant 1 : index
  %shared = arith.constant 64 : i32
  %a = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
  %x = memref.memory_space_cast %a : memref<64xf32> to memref<64xf32, #gpu.address_space<global>>
  gpu.launch_func @kernels::@dynamic_bounds blocks in (%blocks, %c1, %c1) threads in (%threads, %c1, %c1)
      dynamic_shared_memory_size %shared args(%x : memref<64xf32, #gpu.address_space<global>>)
  return
}

func.func @diverged() {
  %c1 = arith.constant 1 : index
  %blocks = arith.constant 1 : index
  %threads = arith.constant 64 : index
  %shared = arith.constant 64 : i32
  %a = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
  %x = memref.memory_space_cast %a : memref<64xf32> to memref<64xf32, #gpu.address_space<global>>
  gpu.launch_func @kernels::@diverged blocks in (%blocks, %c1, %c1) threads in (%threads, %c1, %c1)
      dynamic_shared_memory_size %shared args(%x : memref<64xf32, #gpu.address_space<global>>)
  return
}

func.func @other_barrier() {
  %c1 = arith.constant 1 : index
  %blocks = arith.constant 1 : index
  %threads = arith.constant 64 : index
  %shared = arith.constant 64 : i32
  %a = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
  %x = memref.memory_space_cast %a : memref<64xf32> to memref<64xf32, #gpu.address_space<global>>
  gpu.launch_func @kernels::@other_barrier blocks in (%blocks, %c1, %c1) threads in (%threads, %c1, %c1)
      dynamic_shared_memory_size %shared args(%x : memref<64xf32, #gpu.address_space<global>>)
  return
}

func.func @partial_warp() {
  %c1 = arith.constant 1 : index
  %blocks = arith.constant 1 : index
  %threads = arith.constant 24 : index
  %shared = arith.constant 64 : i32
  %a = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
  %x = memref.memory_space_cast %a : memref<64xf32> to memref<64xf32, #gpu.address_space<global>>
  gpu.launch_func @kernels::@partial_warp blocks in (%blocks, %c1, %c1) threads in (%threads, %c1, %c1)
      dynamic_shared_memory_size %shared args(%x : memref<64xf32, #gpu.address_space<global>>)
  return
}

func.func @shuffle_width() {
  %c1 = arith.constant 1 : index
  %blocks = arith.constant 1 : index
  %threads = arith.constant 64 : index
  %shared = arith.constant 64 : i32
  %a = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
  %x = memref.memory_space_cast %a : memref<64xf32> to memref<64xf32, #gpu.address_space<global>>
  gpu.launch_func @kernels::@shuffle_width blocks in (%blocks, %c1, %c1) threads in (%threads, %c1, %c1)
      dynamic_shared_memory_size %shared args(%x : memref<64xf32, #gpu.address_space<global>>)
  return
}

func.func @in_flight() {
  %c1 = arith.constant 1 : index
  %blocks = arith.constant 1 : index
  %threads = arith.constant 1 : index
  %shared = arith.constant 64 : i32
  %a = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
  %x = memref.memory_space_cast %a : memref<64xf32> to memref<64xf32, #gpu.address_space<global>>
  gpu.launch_func @kernels::@in_flight blocks in (%blocks, %c1, %c1) threads in (%threads, %c1, %c1)
      dynamic_shared_memory_size %shared args(%x : memref<64xf32, #gpu.address_space<global>>)
  return
}

func.func @raw_address() {
  %c1 = arith.constant 1 : index
  %blocks = arith.constant 1 : index
  %threads = arith.constant 1 : index
  %shared = arith.constant 64 : i32
  %a = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
  %x = memref.memory_space_cast %a : memref<64xf32> to memref<64xf32, #gpu.address_space<global>>
  gpu.launch_func @kernels::@raw_address blocks in (%blocks, %c1, %c1) threads in (%threads, %c1, %c1)
      dynamic_shared_memory_size %shared args(%x : memref<64xf32, #gpu.address_space<global>>)
  return
}

func.func @written_twice() {
  %c1 = arith.constant 1 : index
  %blocks = arith.constant 1 : index
  %threads = arith.constant 64 : index
  %shared = arith.constant 64 : i32
  %a = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
  %x = memref.memory_space_cast %a : memref<64xf32> to memref<64xf32, #gpu.address_space<global>>
  gpu.launch_func @kernels::@written_twice blocks in (%blocks, %c1, %c1) threads in (%threads, %c1, %c1)
      dynamic_shared_memory_size %shared args(%x : memref<64xf32, #gpu.address_space<global>>)
  return
}

func.func @written_partly() {
  %c1 = arith.constant 1 : index
  %blocks = arith.constant 1 : index
  %threads = arith.constant 64 : index
  %shared = arith.constant 64 : i32
  %a = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
  %x = memref.memory_space_cast %a : memref<64xf32> to memref<64xf32, #gpu.address_space<global>>
  gpu.launch_func @kernels::@written_partly blocks in (%blocks, %c1, %c1) threads in (%threads, %c1, %c1)
      dynamic_shared_memory_size %shared args(%x : memref<64xf32, #gpu.address_space<global>>)
  return
}
}
