// What ptxas complains of is said where the kernel is.
// REQUIRES: ptxas
// RUN: amp-opt %s --split-input-file --verify-diagnostics --amp-gpu-to-binary='target=sm_80 strict=true format=cubin' -o /dev/null

gpu.module @errors {
  llvm.func @good() attributes {nvvm.kernel} {
    llvm.return
  }
  // expected-error @+2 {{ptxas, kernel 'bad': Not a name of any known instruction: 'nonsense' (target sm_80}}
  // expected-error @+1 0+ {{ptxas, kernel 'bad'}}
  llvm.func @bad() attributes {nvvm.kernel} {
    llvm.inline_asm has_side_effects "nonsense;", "" : () -> ()
    llvm.return
  }
}

// -----

gpu.module @spills {
  // expected-error @+1 {{kernel 'wide' needs more than 24 registers}}
  llvm.func @wide(%p: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.maxnreg = 24 : i32, nvvm.reqntid = array<i32: 32, 1, 1>} {
    %0 = llvm.load volatile %p : !llvm.ptr<1> -> vector<32xf32>
    %1 = llvm.load volatile %p : !llvm.ptr<1> -> vector<32xf32>
    %2 = llvm.fmul %0, %1 : vector<32xf32>
    llvm.store volatile %0, %p : vector<32xf32>, !llvm.ptr<1>
    llvm.store volatile %1, %p : vector<32xf32>, !llvm.ptr<1>
    llvm.store volatile %2, %p : vector<32xf32>, !llvm.ptr<1>
    llvm.return
  }
}
