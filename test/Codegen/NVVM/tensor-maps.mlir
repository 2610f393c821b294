// RUN: amp-opt %s --pass-pipeline='builtin.module(gpu.module(amp-gpu-prepare-kernels))' --split-input-file --verify-diagnostics | FileCheck %s
// RUN: amp-opt %s --pass-pipeline='builtin.module(gpu.module(amp-gpu-prepare-kernels,convert-gpu-to-nvvm,reconcile-unrealized-casts,amp-gpu-annotate-kernels))' --split-input-file --verify-diagnostics | FileCheck %s --check-prefix=NVVM

#g = #gpu.address_space<global>
gpu.module @kernels {
  // A buffer that is a tensor map arrives by value; others do not.
  // CHECK: gpu.func @load(%[[MAP:.*]]: !llvm.ptr {llvm.align = 64 : i64}, %{{.*}}: memref<8xf32, #gpu.address_space<global>>)
  // CHECK-NEXT: llvm.inline_asm {{.*}} %[[MAP]] : (!llvm.ptr) -> ()
  // NVVM: llvm.func @load(%{{.*}}: !llvm.ptr {llvm.align = 64 : i64, llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant}, %{{.*}}: !llvm.ptr<1>,
  gpu.func @load(%x: memref<?x4096xf16, #g> {amp.tensor_map}, %y: memref<8xf32, #g>) kernel {
    %p = builtin.unrealized_conversion_cast %x : memref<?x4096xf16, #g> to !llvm.ptr
    llvm.inline_asm has_side_effects "prefetch.tensormap [$0];", "l,~{memory}" %p : (!llvm.ptr) -> ()
    gpu.return
  }
}

// -----

#g = #gpu.address_space<global>
gpu.module @kernels {
  gpu.func @read(%x: memref<8xf32, #g> {amp.tensor_map}) kernel {
    %c0 = arith.constant 0 : index
    // expected-error @below {{uses the tensor map that argument 0 is; expected only casts to '!llvm.ptr'}}
    %v = memref.load %x[%c0] : memref<8xf32, #g>
    gpu.return
  }
}
