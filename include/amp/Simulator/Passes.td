//===- Passes.td - passes of the device simulator ----------*- tablegen -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_SIMULATOR_PASSES_TD
#define AMP_SIMULATOR_PASSES_TD

include "mlir/Pass/PassBase.td"

def AmpGPUSimulatePass : Pass<"amp-gpu-simulate", "::mlir::ModuleOp"> {
  let summary = "compile device code for the simulator on this machine";
  let description = [{
    Input: a module with `gpu.module`s of kernels, after scheduling and before NVVM: arith, math, scf, cf, affine, vector and memref on
    memrefs of any memory space; the gpu dialect's ids, barrier, shuffle, subgroup_reduce, attributions and dynamic shared memory;
    of nvvm mma.sync, ldmatrix, stmatrix, cp.async (with its groups), barrier, bar.warp.sync, shfl.sync and griddepcontrol; and what kernels for
    sm_90 have: mbarriers, TMA, wgmma, setmaxregister, some inline PTX, and llvm's loads and stores (docs/simulator.md lists all).

    Every kernel `@k` of a `gpu.module @m` becomes a function `@m.k` in the LLVM dialect, in the module of the host, that runs one
    thread (`ampSimFunction` of `amp/Simulator/Image.h`). Before every load and store stands a call that checks it; barriers, shuffles and matrix
    instructions are calls that wait for other threads (`amp/Simulator/Runtime.h`). Memory spaces vanish, fast-math flags too, and arithmetic on
    narrow floats rounds each result, so that a run gives the same bits everywhere. An `ampSimImage`, which stands where a cubin stands for
    a device, is the global `@m.image`; the `gpu.module` becomes a `gpu.binary` of the same name, whose
    object holds the magic `AMPSIM01` and names the image in its properties (`simulator_image`).

    With `launches`, each `gpu.launch_func` becomes a call of `ampSimLaunch`, with no driver between, the binaries are gone, and memrefs of the whole
    module lose their memory spaces: for tests of kernels on plain memrefs.

    Left alone: everything outside of `gpu.module`s and, with `launches`, of launches. An op in a kernel that the simulator does not know, or whose
    access to memory it could not check, is an error.

    Example, with `lower=false`, which stops before upstream's lowering passes and writes no image:

    ```mlir
    // RUN: amp-opt --amp-gpu-simulate=lower=false
    module {
      gpu.module @m {
        gpu.func @k(%n: i32) kernel {
          gpu.barrier
          gpu.return
        }
      }
    }
    ```

    becomes

    ```mlir
    // OUTPUT
    module {
      gpu.binary @m  [#gpu.object<#nvvm.target, properties = {}, offload = "AMPSIM01">]
      func.func @m.k(%arg0: !llvm.ptr, %arg1: !llvm.ptr) attributes {llvm.linkage = #llvm.linkage<internal>} {
        %0 = llvm.load %arg1 : !llvm.ptr -> !llvm.ptr
        %1 = llvm.load %0 : !llvm.ptr -> i32
        %2 = llvm.mlir.constant(0 : i32) : i32
        %3 = llvm.mlir.addressof @m.text.1 : !llvm.ptr
        llvm.call @ampSimBarrier(%arg0, %3, %2, %2) : (!llvm.ptr, !llvm.ptr, i32, i32) -> ()
        return
      }
      llvm.mlir.global internal constant @m.text.1("'gpu.barrier' at <stdin>:5:7\00") {addr_space = 0 : i32}
      llvm.func @ampSimBarrier(!llvm.ptr, !llvm.ptr, i32, i32)
    }
    ```
  }];
  let options = [
    Option<"launches", "launches", "bool", /*default=*/"false",
           "Turn gpu.launch_func into direct calls of the simulator">,
    Option<"lower", "lower", "bool", /*default=*/"true",
           "Lower the functions to the LLVM dialect">
  ];
  let statistics = [
    Statistic<"numKernels", "num-kernels", "Kernels compiled">,
    Statistic<"numChecked", "num-checked", "Loads and stores that are checked">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::gpu::GPUDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect",
    "::mlir::vector::VectorDialect"
  ];
}

#endif // AMP_SIMULATOR_PASSES_TD
