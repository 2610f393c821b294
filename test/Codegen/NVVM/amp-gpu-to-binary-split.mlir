// Modules of several kernels are assembled in parallel where ptxas can.
// RUN: amp-opt %s --amp-gpu-to-binary='target=sm_80 format=cubin ptxas=%S/Inputs/splitting-ptxas.sh' -o %t.mlir 2>&1 | FileCheck %s --check-prefixes=CHECK,SPLIT
// RUN: FileCheck %s --check-prefix=CUBIN --input-file=%t.mlir
// RUN: env AMP_TEST_OLD_PTXAS=1 amp-opt %s --amp-gpu-to-binary='target=sm_80 format=cubin ptxas=%S/Inputs/splitting-ptxas.sh' -o %t.mlir 2>&1 \
// RUN:   | FileCheck %s --check-prefixes=CHECK,OLD
// RUN: FileCheck %s --check-prefix=CUBIN --input-file=%t.mlir

// SPLIT: warning: ptxas: (C7999) -arch sm_80 -v --opt-level 3 --split-compile 0
// OLD: warning: ptxas: (C7999) -arch sm_80 -v --opt-level 3{{$}}
// CUBIN: gpu.binary @two [#gpu.object<{{.*}}"split">]
gpu.module @two {
  llvm.func @first() attributes {gpu.kernel, nvvm.kernel} {
    llvm.return
  }
  llvm.func @second() attributes {gpu.kernel, nvvm.kernel} {
    llvm.return
  }
}

// One kernel gains nothing.
// CHECK: warning: ptxas: (C7999) -arch sm_80 -v --opt-level 3{{$}}
// CUBIN: gpu.binary @one [#gpu.object<{{.*}}"split">]
gpu.module @one {
  llvm.func @only() attributes {gpu.kernel, nvvm.kernel} {
    llvm.return
  }
}
