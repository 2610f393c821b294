// UNSUPPORTED: sanitizer
// RUN: amp-opt %s --amp-lower-to-simulator | %simulate | FileCheck %s
// RUN: sed '/all blocks are ready/d' %s | amp-opt --amp-lower-to-simulator | not %simulate 2>&1 | FileCheck %s --check-prefix=UNORDERED

// Each block of a cluster writes its number into its shared memory, and reads
// that of the next block.
// UNORDERED: 'llvm.load' at {{.*}} reads {{.*}}

#g = #gpu.address_space<global>
#w = #gpu.address_space<workgroup>
module attributes {gpu.container_module} {
gpu.module @kernels {
  gpu.func @ring(%out: memref<8xi32, #g>) kernel {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c100 = arith.constant 100 : i32
    %thread = nvvm.read.ptx.sreg.tid.x : i32
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %blocks = nvvm.read.ptx.sreg.cluster.nctaid.x : i32
    %cluster = nvvm.read.ptx.sreg.clusterid.x : i32
    %dynamic = gpu.dynamic_shared_memory : memref<?xi8, #w>
    %address = memref.extract_aligned_pointer_as_index %dynamic : memref<?xi8, #w> -> index
    %address64 = arith.index_cast %address : index to i64
    %shared = llvm.inttoptr %address64 : i64 to !llvm.ptr<3>
    %elected = nvvm.elect.sync -> i1
    scf.if %elected {
      %tens = arith.muli %cluster, %c100 : i32
      %value = arith.addi %tens, %rank : i32
      llvm.store %value, %shared {alignment = 4 : i64} : i32, !llvm.ptr<3>
    }
    nvvm.cluster.arrive {aligned} // all blocks are ready
    nvvm.cluster.wait {aligned} // all blocks are ready
    scf.if %elected {
      %next = arith.addi %rank, %c1 : i32
      %other = arith.remui %next, %blocks : i32
      %there = nvvm.mapa %shared, %other : !llvm.ptr<3> -> !llvm.ptr<7>
      %value = llvm.load %there {alignment = 4 : i64} : !llvm.ptr<7> -> i32
      %block = gpu.block_id x
      memref.store %value, %out[%block] : memref<8xi32, #g>
    }
    // Nobody returns while its memory may be read.
    nvvm.cluster.arrive
    nvvm.cluster.wait
    gpu.return
  }
}

func.func private @printMemrefI32(memref<*xi32>) attributes {llvm.emit_c_interface}

// CHECK: [1,  2,  3,  0,  101,  102,  103,  100]
func.func @main() {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %bytes = arith.constant 64 : i32
  %x = memref.alloc() : memref<8xi32>
  %xg = memref.memory_space_cast %x : memref<8xi32> to memref<8xi32, #g>
  gpu.launch_func @kernels::@ring clusters in (%c4, %c1, %c1) blocks in (%c8, %c1, %c1) threads in (%c32, %c1, %c1)
      dynamic_shared_memory_size %bytes args(%xg : memref<8xi32, #g>)
  %u = memref.cast %x : memref<8xi32> to memref<*xi32>
  func.call @printMemrefI32(%u) : (memref<*xi32>) -> ()
  return
}
}
