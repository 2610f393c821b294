//===- Passes.td - host code generation passes -------------*- tablegen -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_CODEGEN_HOST_PASSES_TD
#define AMP_CODEGEN_HOST_PASSES_TD

include "mlir/Pass/PassBase.td"

def AmpBufferizeHostPass : Pass<"amp-bufferize-host", "::mlir::ModuleOp"> {
  let summary = "turn the tensors of host functions into device buffers";
  let description = [{
    Input: a module whose functions launch kernels (`amp.launch`) on tensors. Kernel functions, in a module inside of it, stay as they are.

    Upstream's one-shot bufferization runs on the functions of the module itself. Every tensor becomes a memref in the memory space
    `#gpu.address_space<global>`, row-major at function boundaries; constants become `memref.global`. Arguments are never written: what a kernel
    writes is a buffer of its own. No result of a public function shares memory with another result. Buffers are not freed yet: `amp-plan-memory` and upstream's
    ownership-based deallocation follow.

    Guaranteed after: no tensor in a host function. An op on tensors that cannot be bufferized is an error at that op.

    Example:

    ```mlir
    // RUN: amp-opt --amp-bufferize-host
    module {
      module @kernels {
        func.func @negate(%x: tensor<8xf32>, %d: tensor<8xf32> {amp.destination = 0 : i64}) -> tensor<8xf32> attributes {amp.kernel} {
          %0 = linalg.negf ins(%x : tensor<8xf32>) outs(%d : tensor<8xf32>) -> tensor<8xf32>
          return %0 : tensor<8xf32>
        }
      }
      func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
        %e = tensor.empty() : tensor<8xf32>
        %0 = amp.launch @kernels::@negate ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
        return %0 : tensor<8xf32>
      }
    }
    ```

    becomes

    ```mlir
    // OUTPUT
    module {
      module @kernels {
        func.func @negate(%x: tensor<8xf32>, %d: tensor<8xf32> {amp.destination = 0 : i64}) -> tensor<8xf32> attributes {amp.kernel} {
          %0 = linalg.negf ins(%x : tensor<8xf32>) outs(%d : tensor<8xf32>) -> tensor<8xf32>
          return %0 : tensor<8xf32>
        }
      }
      func.func @main(%x: memref<8xf32, #gpu.address_space<global>>) -> memref<8xf32, #gpu.address_space<global>> {
        %alloc = memref.alloc() {alignment = 256 : i64} : memref<8xf32, #gpu.address_space<global>>
        amp.launch @kernels::@negate ins(%x : memref<8xf32, #gpu.address_space<global>>) outs(%alloc : memref<8xf32, #gpu.address_space<global>>)
        return %alloc : memref<8xf32, #gpu.address_space<global>>
      }
    }
    ```
  }];
  let statistics = [
    Statistic<"numCopies", "num-copies", "Results copied to have memory of their own">
  ];
  let dependentDialects = [
    "::mlir::bufferization::BufferizationDialect", "::mlir::gpu::GPUDialect",
    "::mlir::memref::MemRefDialect"
  ];
}

def AmpPadRowStridesPass
    : InterfacePass<"amp-pad-row-strides", "::mlir::FunctionOpInterface"> {
  let summary = "give intermediates row strides of a multiple of 128 bytes";
  let description = [{
    Input: host functions on device buffers, before `amp-gpu-codegen`.

    A buffer that kernels alone see, as a whole (`memref.alloc` used by `amp.launch` and `memref.dealloc` only), may have any layout. When its rows (the last
    dimension) have at least `min-row-bytes` bytes, each starts at a multiple of `alignment` bytes: vector loads, `cp.async`, bulk copies and transactions of the memory
    then stay whole, whatever the size of a row. Where that size is dynamic, so is the stride. Buffers of rank one have no rows.

    Left alone: arguments and results, whose layout is the caller's, constants, buffers that are copied, viewed, read by the host or handed to a call, and
    shorter rows, which padding would blow up.

    Example:

    ```mlir
    // RUN: amp-opt --pass-pipeline="builtin.module(func.func(amp-pad-row-strides))"
    module {
      module @kernels {
        func.func @negate(%x: tensor<8x100xf32>, %d: tensor<8x100xf32> {amp.destination = 0 : i64}) -> tensor<8x100xf32> attributes {amp.kernel} {
          %0 = linalg.negf ins(%x : tensor<8x100xf32>) outs(%d : tensor<8x100xf32>) -> tensor<8x100xf32>
          return %0 : tensor<8x100xf32>
        }
      }
      func.func @twice(%x: memref<8x100xf32>, %y: memref<8x100xf32>) {
        %t = memref.alloc() : memref<8x100xf32>
        amp.launch @kernels::@negate ins(%x : memref<8x100xf32>) outs(%t : memref<8x100xf32>)
        amp.launch @kernels::@negate ins(%t : memref<8x100xf32>) outs(%y : memref<8x100xf32>)
        return
      }
    }
    ```

    becomes

    ```mlir
    // OUTPUT
    module {
      module @kernels {
        func.func @negate(%x: tensor<8x100xf32>, %d: tensor<8x100xf32> {amp.destination = 0 : i64}) -> tensor<8x100xf32> attributes {amp.kernel} {
          %0 = linalg.negf ins(%x : tensor<8x100xf32>) outs(%d : tensor<8x100xf32>) -> tensor<8x100xf32>
          return %0 : tensor<8x100xf32>
        }
      }
      func.func @twice(%x: memref<8x100xf32>, %y: memref<8x100xf32>) {
        %t = memref.alloc() : memref<8x100xf32, strided<[128, 1]>>
        amp.launch @kernels::@negate ins(%x : memref<8x100xf32>) outs(%t : memref<8x100xf32, strided<[128, 1]>>)
        amp.launch @kernels::@negate ins(%t : memref<8x100xf32, strided<[128, 1]>>) outs(%y : memref<8x100xf32>)
        return
      }
    }
    ```
  }];
  let options = [
    Option<"alignment", "alignment", "int64_t", /*default=*/"128",
           "Bytes of which row strides become a multiple">,
    Option<"minRowBytes", "min-row-bytes", "int64_t", /*default=*/"128",
           "Bytes of the shortest row that is padded; rows of unknown size always are">
  ];
  let statistics = [
    Statistic<"numPadded", "num-padded", "Buffers whose rows are padded">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect"];
}

def AmpPlanMemoryPass : Pass<"amp-plan-memory", "::mlir::func::FuncOp"> {
  let summary = "place the device buffers of a call in one arena";
  let description = [{
    Input: host functions on device buffers (`memref.alloc` in `#gpu.address_space<global>`), before deallocation is inserted.

    All buffers whose size is known when the function starts become views of one allocation, the arena, each at a multiple of 256 bytes. A buffer is live from its allocation
    to the last use of anything that may be a view of it; buffers that are not live together share memory. A buffer inside of a region counts for the whole of the
    op of the function's body that it is in. Static sizes get static offsets; buffers of dynamic size share slots, as large as the largest that they hold, behind the static ones; the sizes are computed from
    the arguments' at the start of the function.

    Left as they are, for the pool of the runtime: buffers that are returned, that a loop carries from one iteration to the next, or whose size depends on data or on a loop.

    The attribute `amp.memory_plan` of the function reports the plan: `peak_bytes` of the arena (its static part where `num_slots` is not zero), `total_bytes` without reuse, and for each buffer in order its offset (-1 in a slot), or
    its slot (-1 otherwise). The remark `MemoryPlan` (category `amp`) says the same. No two launches of a function run at a time, so that order in the program is order on the device.

    Example:

    ```mlir
    // RUN: amp-opt --pass-pipeline="builtin.module(func.func(amp-plan-memory))"
    func.func @two(%x: memref<64xf32, #gpu.address_space<global>>) {
      %a = memref.alloc() : memref<64xf32, #gpu.address_space<global>>
      memref.copy %x, %a : memref<64xf32, #gpu.address_space<global>> to memref<64xf32, #gpu.address_space<global>>
      %b = memref.alloc() : memref<64xf32, #gpu.address_space<global>>
      memref.copy %a, %b : memref<64xf32, #gpu.address_space<global>> to memref<64xf32, #gpu.address_space<global>>
      return
    }
    ```

    becomes

    ```mlir
    // OUTPUT
    func.func @two(%x: memref<64xf32, #gpu.address_space<global>>) attributes {amp.memory_plan = {num_slots = 0 : i64, offsets = array<i64: 0, 256>, peak_bytes = 512 : i64, slots = array<i64: -1, -1>, total_bytes = 512 : i64}} {
      %c512 = arith.constant 512 : index
      %arena = memref.alloc(%c512) {alignment = 256 : i64} : memref<?xi8, #gpu.address_space<global>>
      %c0 = arith.constant 0 : index
      %a = memref.view %arena[%c0][] : memref<?xi8, #gpu.address_space<global>> to memref<64xf32, #gpu.address_space<global>>
      memref.copy %x, %a : memref<64xf32, #gpu.address_space<global>> to memref<64xf32, #gpu.address_space<global>>
      %c256 = arith.constant 256 : index
      %b = memref.view %arena[%c256][] : memref<?xi8, #gpu.address_space<global>> to memref<64xf32, #gpu.address_space<global>>
      memref.copy %a, %b : memref<64xf32, #gpu.address_space<global>> to memref<64xf32, #gpu.address_space<global>>
      return
    }
    ```
  }];
  let statistics = [
    Statistic<"numPlanned", "num-planned", "Buffers placed in an arena">,
    Statistic<"numLeft", "num-left", "Buffers left to the pool">,
    Statistic<"peakBytes", "peak-bytes", "Static bytes of arenas">,
    Statistic<"totalBytes", "total-bytes", "Static bytes without reuse">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect"];
}

def AmpCudaLowerHostPass : Pass<"amp-cuda-lower-host", "::mlir::ModuleOp"> {
  let summary = "turn host functions into calls of the CUDA runtime, and describe the model";
  let description = [{
    Input: host functions on buffers, those in `#gpu.address_space<global>` on the device; launches (`gpu.launch_func`) of kernels in `gpu.binary` ops.

    Each public function becomes an entry `void f(ampCudaCall *)` of the ABI in `amp/Runtime/CUDA.h`: it takes its arguments from the call, and
    gives its results to it. A result that is allocated in the function's own block is written in place, where the caller wants it; others are copied. Private functions keep their signature, with the
    call in front. What works on device memory becomes a call of the runtime: launches (memrefs flattened into their descriptors' fields, as upstream's `gpu-to-llvm` does), allocation,
    copies, loads and stores of single elements. Constants in device memory are copied there when the model is loaded. `cf.assert` ends the call with an error of the
    runtime. Memory spaces vanish; what is left is for upstream's conversions to LLVM.

    The global `<name>_model` describes the model: an `ampCudaModelDesc` with the device code, kernels with the locations of the ops that they were made for, constants,
    entries with shapes and types, and a manifest in JSON. An entry that reads nothing from the device is marked as fit for a CUDA graph. `f_init`, from `amp-split-init`, is no entry of its
    own, but prepares the arguments of `f` that are marked `amp.prepared`.

    Guaranteed after: no gpu op, and no buffer with a memory space. An op that the host cannot do (one on tensors, linalg on device memory, `amp.launch`), code that is not compiled, and a type that callers cannot pass are errors.

    Example (the description is left out by `describe=false`):

    ```mlir
    // RUN: amp-opt --amp-cuda-lower-host=describe=false
    func.func @first(%x: memref<4xf32, #gpu.address_space<global>>) -> f32 {
      %c0 = arith.constant 0 : index
      %0 = memref.load %x[%c0] : memref<4xf32, #gpu.address_space<global>>
      return %0 : f32
    }
    ```
  }];
  let options = [
    Option<"modelName", "name", "std::string", /*default=*/"\"\"",
           "Name of the model; empty: that of the module, or `main`">,
    Option<"target", "target", "std::string", /*default=*/"\"\"",
           "What the device code was compiled for, for messages">,
    Option<"describeModel", "describe", "bool", /*default=*/"true",
           "Emit the description of the model">
  ];
  let statistics = [
    Statistic<"numEntries", "num-entries", "Entries">,
    Statistic<"numKernels", "num-kernels", "Kernels that are launched">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"
  ];
}

#endif // AMP_CODEGEN_HOST_PASSES_TD
