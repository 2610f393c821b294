// RUN: amp-opt --amp-cuda-lower-host="target=sm_90a" --split-input-file %s | FileCheck %s

#g = #gpu.address_space<global>
module attributes {gpu.container_module} {
  gpu.binary @kernels [#gpu.object<#nvvm.target<chip = "sm_90a">, assembly = "PTX">]

  // The buffer's dimensions in reverse, strides in bytes, the boxes as they are;
  // what is passed is the map, and the second operand is a buffer as ever.
  // CHECK: func.func @tiled(%[[CALL:.*]]: !llvm.ptr)
  // CHECK: %[[STRIDE:.*]] = llvm.extractvalue %{{.*}}[4, 0]
  // CHECK: llvm.mul %[[STRIDE]], %{{.*}} : i64
  // CHECK-DAG: %[[TYPE:.*]] = llvm.mlir.constant(6 : i32)
  // CHECK-DAG: %[[RANK:.*]] = llvm.mlir.constant(2 : i32)
  // CHECK: llvm.mlir.constant(64 : i32)
  // CHECK: llvm.mlir.constant(128 : i32)
  // CHECK: llvm.mlir.constant(0 : i32)
  // CHECK-NEXT: %[[SWIZZLE:.*]] = llvm.mlir.constant(3 : i32)
  // CHECK-NEXT: %[[L2:.*]] = llvm.mlir.constant(3 : i32)
  // CHECK: llvm.call @ampCudaTensorMapTiled(%[[CALL]], %[[MAP:[^,]*]], %[[TYPE]], %[[RANK]], {{.*}}, %[[SWIZZLE]], %[[L2]], %{{.*}}) : (!llvm.ptr, !llvm.ptr, i32, i32, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, i32, i32, i32, i32) -> ()
  // CHECK: llvm.store %[[MAP]], %
  // CHECK: llvm.call @ampCudaLaunch(%[[CALL]]
  func.func @tiled(%x: memref<?x4096xf16, #g>, %y: memref<8xf32, #g>) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @kernels::@load blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<?x4096xf16, #g>, %y : memref<8xf32, #g>)
        {amp.tensor_maps = [{operand = 0 : i64, box = array<i64: 64, 128>, swizzle = 128 : i64}]}
    return
  }

  // Corners, channels and pixels in place of a box; steps.
  // CHECK: func.func @im2col(%[[CALL:.*]]: !llvm.ptr)
  // CHECK: llvm.mlir.constant(-1 : i32)
  // CHECK: llvm.call @ampCudaTensorMapIm2col(%[[CALL]], {{.*}}) : (!llvm.ptr, !llvm.ptr, i32, i32, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, i32, i32, !llvm.ptr, i32, i32, i32, i32) -> ()
  func.func @im2col(%x: memref<8x32x32x64xbf16, #g>) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @kernels::@conv blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<8x32x32x64xbf16, #g>)
        {amp.tensor_maps = [{operand = 0 : i64, box = array<i64: 64, 128>, swizzle = 128 : i64, lower = array<i64: -1, -1>, upper = array<i64: -1, -1>, steps = array<i64: 1, 2, 2, 1>}]}
    return
  }
}

// The kernels' parameters: 128 bytes by value.
// CHECK-DAG: dense<[128, 8, 8, 8, 8, 8]>
// CHECK-DAG: dense<128>
