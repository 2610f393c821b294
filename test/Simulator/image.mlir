// RUN: amp-opt %s --amp-gpu-simulate --amp-cuda-lower-host | FileCheck %s

// The host's lowering takes the image by its name, and passes a kernel what its
// table says: five parameters of eight bytes for a memref of one dimension.
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @k(%x: memref<8xf32, #gpu.address_space<global>>) kernel {
      %f = arith.constant 1.0 : f32
      %id = gpu.thread_id x
      memref.store %f, %x[%id] : memref<8xf32, #gpu.address_space<global>>
      gpu.return
    }
  }

  // CHECK: llvm.mlir.global internal constant @m.k.params
  // CHECK-NEXT: dense<8> : tensor<5xi32>
  // CHECK: @m.image
  // CHECK: llvm.mlir.addressof @m.image
  // CHECK-NOT: gpu.binary
  func.func @main(%x: memref<8xf32, #gpu.address_space<global>>) {
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    gpu.launch_func @m::@k blocks in (%c1, %c1, %c1) threads in (%c8, %c1, %c1) args(%x : memref<8xf32, #gpu.address_space<global>>)
    return
  }
}
