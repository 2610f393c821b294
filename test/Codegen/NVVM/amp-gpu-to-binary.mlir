// RUN: amp-opt %s --amp-gpu-to-binary='target=sm_80 format=ptx' | FileCheck %s --check-prefix=SM80
// RUN: amp-opt %s --amp-gpu-to-binary='target=sm_89 format=ptx opt-level=1' | FileCheck %s --check-prefix=SM89
// RUN: amp-opt %s --amp-gpu-to-binary='target=sm_90a format=ptx' | FileCheck %s --check-prefix=SM90
// RUN: amp-opt %s --amp-gpu-to-binary='target=sm_100 format=ptx' | FileCheck %s --check-prefix=SM100
// RUN: amp-opt %s --amp-gpu-to-binary='target=sm_80 format=ptx verbose=true' -o /dev/null 2>&1 | FileCheck %s --check-prefix=TEXT
// Without ptxas PTX is embedded, and said so.
// RUN: env -u CUDA_HOME -u CUDA_PATH -u CUDA_ROOT PATH=/nowhere %amp_obj/bin/amp-opt %s --amp-gpu-to-binary 2>&1 | FileCheck %s --check-prefix=NOPTXAS

// SM80: gpu.binary @kernels [#gpu.object<#nvvm.target<O = 3, chip = "sm_80">, assembly = "{{.*}}.version 7.0\0A.target sm_80\0A
// SM80-NOT: gpu.module
// SM89: gpu.binary @kernels [#gpu.object<#nvvm.target<O = 1, chip = "sm_89", features = "+ptx81">, assembly = "{{.*}}.version 8.1\0A.target sm_89\0A
// SM90: gpu.binary @kernels [#gpu.object<#nvvm.target<O = 3, chip = "sm_90a", features = "+ptx86">, assembly = "{{.*}}.version 8.6\0A.target sm_90a\0A
// SM100: gpu.binary @kernels [#gpu.object<#nvvm.target<O = 3, chip = "sm_100">, assembly = "{{.*}}.target sm_100\0A
// TEXT: .visible .entry square
// TEXT: mul.rn.f32
// NOPTXAS: amp-gpu-to-binary.mlir:[[#@LINE+2]]:1: remark: ptxas was not found: PTX is embedded
// NOPTXAS: assembly = "
gpu.module @kernels {
  llvm.func @square(%p: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %0 = llvm.load %p : !llvm.ptr<1> -> f32
    %1 = llvm.fmul %0, %0 : f32
    llvm.store %1, %p : f32, !llvm.ptr<1>
    llvm.return
  }
}
