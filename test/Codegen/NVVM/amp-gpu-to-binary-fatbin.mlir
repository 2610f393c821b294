// format=fatbin: the cubin and the PTX, which later devices compile, in one image. The tools are scripts that show what they are given.
// RUN: env -u CUDA_PATH -u CUDA_ROOT CUDA_HOME=%S/Inputs/toolkit amp-opt %s --amp-gpu-to-binary='target=sm_90a format=fatbin' | FileCheck %s
// RUN: amp-opt %s --amp-gpu-to-binary='target=sm_90a format=fatbin toolkit=%S/Inputs/toolkit' | FileCheck %s
// RUN: not amp-opt %s --amp-gpu-to-binary='format=fatbin toolkit=%S/Inputs/broken-toolkit' 2>&1 | FileCheck %s --check-prefix=BROKEN
// Without fatbinary.
// RUN: not env -u CUDA_HOME -u CUDA_PATH -u CUDA_ROOT PATH=/nowhere %amp_obj/bin/amp-opt %s --amp-gpu-to-binary='format=fatbin ptxas=%S/Inputs/frugal-ptxas.sh toolkit=%S/Inputs' 2>&1 | FileCheck %s --check-prefix=NONE
// Without ptxas.
// RUN: not env -u CUDA_HOME -u CUDA_PATH -u CUDA_ROOT PATH=/nowhere %amp_obj/bin/amp-opt %s --amp-gpu-to-binary='format=fatbin' 2>&1 | FileCheck %s --check-prefix=PTXAS

// CHECK: gpu.binary @kernels [#gpu.object<#nvvm.target<O = 3, chip = "sm_90a", features = "+ptx86">, "FATBIN[kind=elf,sm=90a:CUBIN][kind=ptx,sm=90a:{{.*}}.target sm_90a{{.*}}.entry square
// BROKEN: :[[#@LINE+3]]:1: error: fatbinary failed: fatbinary fatal   : no room
// NONE: error: format=fatbin needs CUDA's program 'fatbinary' next to ptxas; use format=cubin
// PTXAS: error: format=fatbin needs ptxas, which is neither in the toolkit's folder
gpu.module @kernels {
  llvm.func @square(%p: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %0 = llvm.load %p : !llvm.ptr<1> -> f32
    %1 = llvm.fmul %0, %0 : f32
    llvm.store %1, %p : f32, !llvm.ptr<1>
    llvm.return
  }
}
