// RUN: amp-opt %s --amp-lower-gpu-to-nvvm='target=sm_80 format=ptx verbose=true' -o /dev/null 2>&1 | FileCheck %s --check-prefixes=CHECK,SM80
// RUN: amp-opt %s --amp-lower-gpu-to-nvvm='target=sm_90a format=ptx verbose=true' -o /dev/null 2>&1 | FileCheck %s --check-prefixes=CHECK,SM90
// RUN: amp-opt %s --amp-lower-gpu-to-nvvm='target=sm_100 format=ptx verbose=true' -o /dev/null 2>&1 | FileCheck %s --check-prefixes=CHECK,SM100
// RUN: not amp-opt %s --amp-lower-gpu-to-nvvm='target=sm_75' 2>&1 | FileCheck %s --check-prefix=OLD

// SM80: .target sm_80
// SM90: .target sm_90a
// SM100: .target sm_100
// OLD: amp-lower-gpu-to-nvvm.mlir:[[#@LINE+1]]:1: error: {{.*}}expected a target of sm_80, {{.*}}but found 'sm_75'
gpu.module @kernels {
  // Aligned vectors are one access; static strides are constants, and only
  // what the code needs is loaded from the parameters.
  // CHECK-LABEL: .entry map(
  // CHECK: .reqntid 256, 1, 1
  // CHECK: ld.global.{{v4.b32|v2.b64}}
  // CHECK-COUNT-2: cvt.rn.f16x2.f32
  // CHECK: st.global.{{v2.b32|b64}}
  // CHECK-NOT: [map_param_3]
  gpu.func @map(%x: memref<?x1024xf32, strided<[1024, 1], offset: ?>, #gpu.address_space<global>>,
                %y: memref<?x1024xf16, #gpu.address_space<global>>, %s: f32) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c4 = arith.constant 4 : index
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %o = arith.muli %t, %c4 : index
    %v = vector.load %x[%b, %o] {alignment = 16 : i64} : memref<?x1024xf32, strided<[1024, 1], offset: ?>, #gpu.address_space<global>>, vector<4xf32>
    %sv = vector.broadcast %s : f32 to vector<4xf32>
    %m = arith.mulf %v, %sv : vector<4xf32>
    %h = arith.truncf %m : vector<4xf32> to vector<4xf16>
    vector.store %h, %y[%b, %o] {alignment = 8 : i64} : memref<?x1024xf16, #gpu.address_space<global>>, vector<4xf16>
    gpu.return
  }

  // Shuffles in a warp, shared memory between warps.
  // CHECK-LABEL: .entry rows(
  // CHECK: .shared .align 16 .b8 {{.*}}[128]
  // CHECK: ld.global.{{v4.b32|v2.b64}}
  // CHECK-COUNT-5: shfl.sync.bfly.b32
  // CHECK: st.shared.b32
  // CHECK: bar.sync 0
  // CHECK: ld.shared.{{v4.b32|v2.b64}}
  // CHECK: st.global.b32
  gpu.func @rows(%x: memref<?x1024xf32, #gpu.address_space<global>>, %y: memref<?xf32, #gpu.address_space<global>>)
      workgroup(%sums : memref<32xf32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %o = arith.muli %t, %c8 : index
    %v = vector.load %x[%b, %o] {alignment = 16 : i64} : memref<?x1024xf32, #gpu.address_space<global>>, vector<8xf32>
    %r = vector.reduction <add>, %v : vector<8xf32> into f32
    %sum = gpu.subgroup_reduce add %r : (f32) -> f32
    %warp = arith.divui %t, %c32 : index
    memref.store %sum, %sums[%warp] : memref<32xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %parts = vector.load %sums[%c0] {alignment = 16 : i64} : memref<32xf32, #gpu.address_space<workgroup>>, vector<4xf32>
    %total = vector.reduction <add>, %parts : vector<4xf32> into f32
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      memref.store %total, %y[%b] : memref<?xf32, #gpu.address_space<global>>
    }
    gpu.return
  }

  // Counts of bits, which the conversion to NVVM leaves.
  // CHECK-LABEL: .entry counts(
  // CHECK-DAG: clz.b32
  // CHECK-DAG: popc.b32
  gpu.func @counts(%x: memref<64xi32, #gpu.address_space<global>>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %v = memref.load %x[%t] : memref<64xi32, #gpu.address_space<global>>
    %zeros = math.ctlz %v : i32
    %ones = math.ctpop %v : i32
    %last = math.cttz %v : i32
    %a = arith.muli %zeros, %ones : i32
    %b = arith.muli %a, %last : i32
    memref.store %b, %x[%t] : memref<64xi32, #gpu.address_space<global>>
    gpu.return
  }

  // Dynamic shared memory, and views of it; attributes for ptxas stay.
  // CHECK-LABEL: .entry dynamic(
  // CHECK: .reqntid 64, 1, 1
  // CHECK: .minnctapersm 2
  // CHECK: .maxnreg 64
  // CHECK: st.shared.{{v4.b32|v2.b64}}
  // CHECK: bar.sync 0
  // CHECK: ld.shared.{{v4.b32|v2.b64}}
  gpu.func @dynamic(%x: memref<256xf32, #gpu.address_space<global>>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>, nvvm.minctasm = 2 : i32, nvvm.maxnreg = 64 : i32} {
    %c4 = arith.constant 4 : index
    %c252 = arith.constant 252 : index
    %c1024 = arith.constant 1024 : index
    %t = gpu.thread_id x
    %o = arith.muli %t, %c4 : index
    %v = vector.load %x[%o] {alignment = 16 : i64} : memref<256xf32, #gpu.address_space<global>>, vector<4xf32>
    %bytes = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %tile = memref.view %bytes[%c1024][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<256xf32, #gpu.address_space<workgroup>>
    vector.store %v, %tile[%o] {alignment = 16 : i64} : memref<256xf32, #gpu.address_space<workgroup>>, vector<4xf32>
    gpu.barrier
    %back = arith.subi %c252, %o : index
    %w = vector.load %tile[%back] {alignment = 16 : i64} : memref<256xf32, #gpu.address_space<workgroup>>, vector<4xf32>
    vector.store %w, %x[%o] {alignment = 16 : i64} : memref<256xf32, #gpu.address_space<global>>, vector<4xf32>
    gpu.return
  }
}
