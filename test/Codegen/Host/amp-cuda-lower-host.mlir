// RUN: amp-opt --amp-cuda-lower-host="target=sm_80" %s | FileCheck %s

#g = #gpu.address_space<global>
module attributes {gpu.container_module} {
  gpu.binary @kernels [#gpu.object<#nvvm.target<chip = "sm_80">, assembly = "PTX">]
  memref.global "private" constant @k : memref<2x2xbf16, #g> = dense<[[1.0, 2.0], [3.0, 4.0]]>

  // The private function takes the call; memory spaces are gone.
  // CHECK-DAG: llvm.mlir.global internal constant @k.data(dense<[16256, 16384, 16448, 16512]> : tensor<4xi16>)
  // CHECK-NOT: gpu.binary
  // CHECK-NOT: memref.global
  // CHECK: func.func private @callee(%[[CALL:.*]]: !llvm.ptr, %{{.*}}: memref<?xf32>) -> memref<?xf32>
  // CHECK: llvm.call @ampCudaAlloc(%[[CALL]]
  func.func private @callee(%x: memref<?xf32, #g>) -> memref<?xf32, #g> {
    %c0 = arith.constant 0 : index
    %n = memref.dim %x, %c0 : memref<?xf32, #g>
    %a = memref.alloc(%n) : memref<?xf32, #g>
    return %a : memref<?xf32, #g>
  }

  // A launch passes descriptors field by field; the result is written in place.
  // CHECK: func.func @launch(%[[CALL:.*]]: !llvm.ptr)
  // CHECK: llvm.call @ampCudaArgData(%[[CALL]]
  // CHECK: llvm.call @ampCudaArgDim(%[[CALL]]
  // CHECK: llvm.call @ampCudaResultData(%[[CALL]]
  // CHECK-NOT: ampCudaAlloc
  // CHECK: llvm.call @ampCudaLaunch(%[[CALL]]
  // CHECK-NOT: ampCudaCopy
  // CHECK: return
  func.func @launch(%x: memref<?xf32, #g>, %s: f32) -> memref<?xf32, #g> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = memref.dim %x, %c0 : memref<?xf32, #g>
    %r = memref.alloc(%n) : memref<?xf32, #g>
    gpu.launch_func @kernels::@add blocks in (%n, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<?xf32, #g>, %s : f32, %r : memref<?xf32, #g>)
    return %r : memref<?xf32, #g>
  }

  // A kernel that waits by itself may start early: the last operand says so.
  // CHECK: func.func @dependent(
  // CHECK: %[[NONE:.*]] = llvm.mlir.constant(0 : i32)
  // CHECK: llvm.call @ampCudaLaunch({{.*}}, %[[NONE]]) :
  // CHECK: %[[FLAG:.*]] = llvm.mlir.constant(1 : i32)
  // CHECK: llvm.call @ampCudaLaunch({{.*}}, %[[FLAG]]) :
  // With any grid, two blocks on a multiprocessor.
  // CHECK: %[[BOTH:.*]] = llvm.mlir.constant(513 : i32)
  // CHECK: llvm.call @ampCudaLaunch({{.*}}, %[[BOTH]]) :
  func.func @dependent() {
    %c1 = arith.constant 1 : index
    gpu.launch_func @kernels::@first blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    gpu.launch_func @kernels::@second blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) {amp.dependent}
    gpu.launch_func @kernels::@second blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) {amp.dependent, amp.persistent = 2 : i64}
    return
  }

  // A result of unknown origin is copied, a failed check ends the call.
  // CHECK: func.func @other(%[[CALL:.*]]: !llvm.ptr)
  // CHECK: scf.if
  // CHECK: llvm.call @ampCudaCheckFailed(%[[CALL]]
  // CHECK: call @callee(%[[CALL]]
  // CHECK: llvm.call @ampCudaResultData(%[[CALL]]
  // CHECK: llvm.call @ampCudaCopy(%[[CALL]]
  func.func @other(%x: memref<?xf32, #g>, %ok: i1) -> memref<?xf32, #g> {
    cf.assert %ok, "not ok"
    %0 = func.call @callee(%x) : (memref<?xf32, #g>) -> memref<?xf32, #g>
    return %0 : memref<?xf32, #g>
  }

  // Single elements, constants, numbers.
  // CHECK: func.func @elements(%[[CALL:.*]]: !llvm.ptr)
  // CHECK: llvm.call @ampCudaArgScalar
  // CHECK: llvm.call @ampCudaConstant
  // CHECK: llvm.call @ampCudaRead
  // CHECK: llvm.call @ampCudaResultScalar
  func.func @elements(%i: index) -> bf16 {
    %k = memref.get_global @k : memref<2x2xbf16, #g>
    %v = memref.load %k[%i, %i] : memref<2x2xbf16, #g>
    return %v : bf16
  }
}

// The kernel's parameters: two descriptors of five fields, and a number.
// CHECK: dense<[8, 8, 8, 8, 8, 4, 8, 8, 8, 8, 8]>
// CHECK: llvm.mlir.global external constant @main_model
