// A kernel that ptxas spills for the sake of more blocks is assembled again with
// one block; limits that the kernel has are kept.
// RUN: amp-opt %s --split-input-file --verify-diagnostics --amp-gpu-to-binary='target=sm_80 format=cubin verbose=true ptxas=%S/Inputs/frugal-ptxas.sh' -o /dev/null 2>&1 | FileCheck %s

// CHECK: .entry free
// CHECK: .minnctapersm 1
gpu.module @unlimited {
  // expected-remark @+1 {{kernel 'free': 47 registers}}
  llvm.func @free() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 256, 1, 1>} {
    llvm.return
  }
}

// -----

// CHECK: .entry limited
// CHECK-NOT: .minnctapersm 1
gpu.module @two_blocks {
  // expected-warning @+2 {{kernel 'limited' needs more than 32 registers: 4 bytes are spilled, 4 bytes read back}}
  // expected-remark @+1 {{kernel 'limited': 32 registers}}
  llvm.func @limited() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 256, 1, 1>, nvvm.minctasm = 2 : i32} {
    llvm.return
  }
}
