// f64 functions need CUDA's library: where it is missing, an error at the op says which function, and where the file is looked for.
// RUN: not env -u CUDA_HOME -u CUDA_PATH -u CUDA_ROOT PATH=/nowhere %amp_obj/bin/amp-opt %s --amp-lower-gpu-to-nvvm='target=sm_80 format=ptx toolkit=%S/Inputs/toolkit' 2>&1 | FileCheck %s
// RUN: not env -u CUDA_HOME -u CUDA_PATH -u CUDA_ROOT PATH=/nowhere %amp_obj/bin/amp-opt %s --amp-lower-gpu-to-nvvm='target=sm_80 format=ptx toolkit=%S/Inputs/toolkit' 2>&1 | FileCheck %s --check-prefix=ONE --implicit-check-not=error:

// CHECK: libdevice.mlir:[[#@LINE+7]]:10: error: this needs the function '__nv_exp' of CUDA's math library, and nvvm/libdevice/libdevice.10.bc is neither in the toolkit's folder, nor in that of $CUDA_HOME, nor beside ptxas; install CUDA's nvcc package and point $CUDA_HOME or the option 'toolkit' to it
// ONE: error:
gpu.module @kernels {
  gpu.func @exp(%x: memref<32xf64, #gpu.address_space<global>>) kernel {
    %t = gpu.thread_id x
    %0 = memref.load %x[%t] : memref<32xf64, #gpu.address_space<global>>

    %1 = math.exp %0 : f64
    memref.store %1, %x[%t] : memref<32xf64, #gpu.address_space<global>>
    gpu.return
  }
}
