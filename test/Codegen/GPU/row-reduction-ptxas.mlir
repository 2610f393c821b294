// REQUIRES: ptxas
// RUN: rm -rf %t && mkdir %t
// RUN: %python %amp_src/benchmarks/gpu/programs.py layer_norm-8192x1024-f32-f32 > %t/norm.mlir
// RUN: %python %amp_src/benchmarks/gpu/programs.py layer_norm-8192x1024-f16-f16 > %t/norm16.mlir
// RUN: %python %amp_src/benchmarks/gpu/programs.py softmax-16384x4096-f32-f32 > %t/softmax.mlir
// RUN: amp-compile %t/norm.mlir --target=sm_90a --emit=ptx -o %t/norm.ptx
// RUN: amp-compile %t/norm16.mlir --target=sm_90a --emit=ptx -o %t/norm16.ptx
// RUN: amp-compile %t/softmax.mlir --target=sm_90a --emit=ptx -o %t/softmax.ptx

// A layer norm of 1024 columns, 32 a thread: half of the threads that a multiprocessor has room for, and no spills.
// RUN: %ptxas_check %t/norm.ptx --max-registers=64
// RUN: %ptxas_check %t/norm16.ptx --max-registers=64
// RUN: FileCheck %s --check-prefix=BLOCKS < %t/norm.ptx
// BLOCKS: .minnctapersm 8

// A softmax of 4096 columns has 16 exponentials a thread and divides once for each row, by a reciprocal: in the code for aligned buffers
// and in that for others. It is not limited.
// RUN: %ptxas_check %t/softmax.ptx
// RUN: FileCheck %s --check-prefix=DIVISION --implicit-check-not=div.rn.f32 --implicit-check-not=.minnctapersm < %t/softmax.ptx
// DIVISION-COUNT-2: rcp.rn.f32
// DIVISION-NOT: rcp.

// Rows of 1003 elements: 16-byte vectors that begin elsewhere in each row, and single elements around them. What is in one row for all, the
// scale and offset of a layer norm, is read as one vector more and moved into place.
// RUN: %python %amp_src/benchmarks/gpu/programs.py softmax-4096x1003-f16-f16 > %t/odd.mlir
// RUN: %python %amp_src/benchmarks/gpu/programs.py layer_norm-4096x1003-f32-f16 > %t/odd-norm.mlir
// RUN: amp-compile %t/odd.mlir --target=sm_80 --emit=ptx -o %t/odd-80.ptx
// RUN: amp-compile %t/odd.mlir --target=sm_90a --emit=ptx -o %t/odd-90.ptx
// RUN: amp-compile %t/odd-norm.mlir --target=sm_80 --emit=ptx -o %t/odd-norm-80.ptx
// RUN: amp-compile %t/odd-norm.mlir --target=sm_90a --emit=ptx -o %t/odd-norm-90.ptx
// RUN: %ptxas_check %t/odd-80.ptx
// RUN: %ptxas_check %t/odd-90.ptx --max-registers=64
// RUN: %ptxas_check %t/odd-norm-80.ptx
// RUN: %ptxas_check %t/odd-norm-90.ptx --max-registers=128
// RUN: FileCheck %s --check-prefix=ODD < %t/odd-80.ptx
// RUN: FileCheck %s --check-prefix=ODD < %t/odd-90.ptx
// RUN: FileCheck %s --check-prefix=NORM < %t/odd-norm-90.ptx
// ODD-COUNT-4: ld.global.v4.b32
// ODD-NOT: ld.global.v4
// ODD-COUNT-4: st.global.v4.b32
// NORM-COUNT-40: ld.global.v4.b32
