// RUN: amp-opt %s --amp-gpu-overlap-launches=target=sm_90a | FileCheck %s
// RUN: amp-opt %s --amp-gpu-overlap-launches=target=sm_120 | FileCheck %s
// RUN: amp-opt %s --amp-gpu-overlap-launches=target=sm_89 | FileCheck %s --check-prefix=OLD
// RUN: not amp-opt %s --amp-gpu-overlap-launches=target=sm_1 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: error: {{.*}}found 'sm_1'

// OLD-NOT: griddepcontrol
// OLD-NOT: amp.dependent

#g = #gpu.address_space<global>
module attributes {gpu.container_module} {
  gpu.module @kernels {
    // Before anything else, in every thread: reads and writes come behind.
    // CHECK-LABEL: gpu.func @copy
    // CHECK-NEXT: nvvm.griddepcontrol wait
    // CHECK-NEXT: nvvm.griddepcontrol launch_dependents
    // CHECK: gpu.thread_id
    gpu.func @copy(%x: memref<32xf32, #g>, %y: memref<32xf32, #g>) kernel {
      %t = gpu.thread_id x
      %v = memref.load %x[%t] : memref<32xf32, #g>
      memref.store %v, %y[%t] : memref<32xf32, #g>
      gpu.return
    }

    // What is no kernel is called by one that has waited.
    // CHECK-LABEL: gpu.func @helper
    // CHECK-NOT: griddepcontrol
    // CHECK: gpu.return
    gpu.func @helper() {
      gpu.return
    }
  }
  gpu.binary @foreign [#gpu.object<#nvvm.target<chip = "sm_90">, assembly = "PTX">]

  // CHECK-LABEL: func.func @main
  // CHECK: gpu.launch_func @kernels::@copy {{.*}}{amp.dependent}
  // Nobody knows whether this one waits.
  // CHECK: gpu.launch_func @foreign::@copy
  // CHECK-NOT: amp.dependent
  // CHECK: return
  func.func @main(%x: memref<32xf32, #g>, %y: memref<32xf32, #g>) {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @kernels::@copy blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%x : memref<32xf32, #g>, %y : memref<32xf32, #g>)
    gpu.launch_func @foreign::@copy blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%x : memref<32xf32, #g>, %y : memref<32xf32, #g>)
    return
  }
}
