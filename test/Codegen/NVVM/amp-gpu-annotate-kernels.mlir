// RUN: amp-opt %s --pass-pipeline='builtin.module(gpu.module(amp-gpu-annotate-kernels))' | FileCheck %s

gpu.module @kernels {
  // CHECK: llvm.func @sized() attributes {nvvm.kernel, nvvm.minctasm = 2 : i32, nvvm.reqntid = array<i32: 128, 1, 1>}
  llvm.func @sized() attributes {nvvm.kernel, nvvm.minctasm = 2 : i32, nvvm.maxntid = array<i32: 128, 1, 1>} {
    llvm.return
  }
  // CHECK: llvm.func @unsized() attributes {nvvm.kernel}
  llvm.func @unsized() attributes {nvvm.kernel} {
    llvm.return
  }
  // Not a kernel: not ours.
  // CHECK: llvm.func @helper() attributes {nvvm.maxntid = array<i32: 128, 1, 1>}
  llvm.func @helper() attributes {nvvm.maxntid = array<i32: 128, 1, 1>} {
    llvm.return
  }
}
