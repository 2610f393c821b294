// RUN: not amp-opt %s --amp-gpu-to-binary='target=sm_75' 2>&1 | FileCheck %s --check-prefix=OLD
// RUN: not amp-opt %s --amp-gpu-to-binary='target=gfx90a' 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: not amp-opt %s --amp-gpu-to-binary='target=sim' 2>&1 | FileCheck %s --check-prefix=SIM
// RUN: not amp-opt %s --amp-gpu-to-binary='format=elf' 2>&1 | FileCheck %s --check-prefix=FORMAT
// RUN: not amp-opt %s --amp-gpu-to-binary='opt-level=4' 2>&1 | FileCheck %s --check-prefix=LEVEL
// RUN: not amp-opt %s --amp-gpu-to-binary='ptxas=%s' 2>&1 | FileCheck %s --check-prefix=PTXAS
// RUN: not amp-opt %s --amp-gpu-to-binary='toolkit=%s' 2>&1 | FileCheck %s --check-prefix=TOOLKIT
// RUN: not env -u CUDA_HOME -u CUDA_PATH -u CUDA_ROOT PATH=/nowhere %amp_obj/bin/amp-opt %s --amp-gpu-to-binary='format=cubin' 2>&1 | FileCheck %s --check-prefix=NOPTXAS

// OLD: amp-gpu-to-binary-invalid.mlir:{{.*}}: error: amp-gpu-to-binary: expected a target of sm_80, {{.*}}, but found 'sm_75'
// OTHER: error: amp-gpu-to-binary: expected a target of sm_80, {{.*}}, but found 'gfx90a'
// SIM: error: amp-gpu-to-binary: the simulator runs code of the host
// FORMAT: error: amp-gpu-to-binary: expected format to be auto, ptx, cubin or fatbin, but found 'elf'
// LEVEL: error: amp-gpu-to-binary: expected opt-level to be 0 to 3, but found 4
// PTXAS: error: '{{.*}}amp-gpu-to-binary-invalid.mlir' is not a program
// TOOLKIT: error: the CUDA toolkit '{{.*}}amp-gpu-to-binary-invalid.mlir' is not a folder
// NOPTXAS: :[[#@LINE+1]]:1: error: format=cubin needs ptxas, which is neither in the toolkit's folder
gpu.module @kernels {
  llvm.func @kernel() attributes {nvvm.kernel} {
    llvm.return
  }
}
