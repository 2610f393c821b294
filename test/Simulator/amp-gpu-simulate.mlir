// RUN: amp-opt %s --amp-gpu-simulate=lower=false | FileCheck %s
// RUN: amp-opt %s --amp-gpu-simulate | FileCheck %s --check-prefix=IMAGE
// RUN: amp-opt %s --amp-gpu-simulate=launches | FileCheck %s --check-prefix=LAUNCH

module attributes {gpu.container_module} {
  // Without launches, they stay, and their kernels are in a binary.
  // IMAGE: gpu.binary @m [#gpu.object<#nvvm.target, properties = {simulator_image = "m.image"}, offload = "AMPSIM01">]
  // LAUNCH-NOT: gpu.binary
  gpu.module @m {
    // The kernel reads its parameters, tells where its memref lies, and checks the
    // store: kind 1, elements of 2 bytes, natural alignment of 8 bytes for four of
    // them, no mask.
    // CHECK-LABEL: func.func @m.k
    // CHECK-SAME: (%[[THREAD:.*]]: !llvm.ptr, %[[PARAMS:.*]]: !llvm.ptr)
    // CHECK: llvm.call @ampSimMemrefArgument(%[[THREAD]],
    // CHECK: %[[ID:.*]] = llvm.load %[[THREAD]] invariant {alignment = 4 : i64} : !llvm.ptr -> i32
    // CHECK: arith.index_castui %[[ID]] : i32 to index
    // CHECK-NOT: fastmath
    // CHECK-DAG: %[[NO_MASK:.*]] = llvm.mlir.constant(-1 : i64) : i64
    // CHECK-DAG: %[[STORE:.*]] = llvm.mlir.constant(1 : i32) : i32
    // CHECK: llvm.call @ampSimAccess(%[[THREAD]], %{{.*}}, %[[STORE]], %{{.*}}, %{{.*}}, %[[NO_MASK]],
    // CHECK-NEXT: vector.store %{{.*}}, %{{.*}} : memref<?xf16>, vector<4xf16>
    // IMAGE: llvm.func internal @m.k(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr)
    gpu.func @k(%x: memref<?xf16, #gpu.address_space<global>>, %v: f16) workgroup(%s: memref<3xi8, #gpu.address_space<workgroup>>, %t: memref<4xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 32, 2, 1>} {
      %id = gpu.thread_id x
      %w = arith.addf %v, %v fastmath<fast> : f16
      %b = vector.broadcast %w : f16 to vector<4xf16>
      vector.store %b, %x[%id] : memref<?xf16, #gpu.address_space<global>>, vector<4xf16>
      gpu.return
    }
    // IMAGE: llvm.func internal @m.waits
    gpu.func @waits() kernel {
      gpu.barrier
      gpu.return
    }
  }

  // Six parameters, of these bytes; 32 bytes of shared memory, as the second
  // variable is aligned; 64 threads; only @waits needs stacks.
  // IMAGE: llvm.mlir.global internal constant @m.k.params
  // IMAGE-NEXT: dense<[8, 8, 8, 8, 8, 2]>
  // IMAGE: llvm.mlir.global internal constant @m.kernels() {{.*}} : !llvm.array<2 x struct<(ptr, ptr, ptr, i32, i32, i32, i32)>>
  // IMAGE: llvm.mlir.global external constant @m.image
  // IMAGE: "AMPSIM01"

  // LAUNCH-LABEL: func.func @main
  // LAUNCH: llvm.mlir.addressof @m.kernels
  // LAUNCH: llvm.call @ampSimLaunch
  // LAUNCH-NOT: gpu.launch_func @
  func.func @main(%x: memref<?xf16, #gpu.address_space<global>>, %v: f16) {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @m::@k blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%x : memref<?xf16, #gpu.address_space<global>>, %v : f16)
    return
  }
}
