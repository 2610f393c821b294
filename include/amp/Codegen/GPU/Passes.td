//===- Passes.td - GPU code generation passes --------------*- tablegen -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_CODEGEN_GPU_PASSES_TD
#define AMP_CODEGEN_GPU_PASSES_TD

include "mlir/Pass/PassBase.td"

def AmpGPUCodegenPass : Pass<"amp-gpu-codegen", "::mlir::ModuleOp"> {
  let summary = "turn kernel functions into device code, and launches of them into launches of that";
  let description = [{
    Input: a module whose host functions are on buffers and launch kernel functions, which are on tensors, by `amp.launch`.

    For each launch a schedule is chosen: the one that `amp.schedule` on the kernel function names, or else the first that can take the kernel:

    - `map`: elementwise kernels, any number of results of one shape. Dimensions that all operands have together become one; a thread takes
      up to four vectors of 16 bytes of the widest operand: one below the other where the kernel has rows, so that what depends on the column
      only is read once. A block takes one tile, or with `map-blocks` every so many-th one. One test, the same in all threads, of bases and row strides chooses between vectors and single elements; so do the last blocks.
    - `mma-sync`: one contraction or convolution of f16, bf16, f8 or i8 with its elementwise neighbours, on tensor cores, accumulating in f32 or i32. Batch,
      M, N and K are any number of loops. Tiles of 16 x 128 to 128 x 128; operands come by asynchronous copies where they are aligned parts of arguments
      (slices, permutations, padding by zero included), else through registers. Refused: other accumulators, grouped and depthwise convolutions.
      With `allow-tf32` it takes f32, too: each operand is rounded to tf32 (ten bits of mantissa, ties away from zero), so that a product is off by 2^-10 of its size
      at most; sums are f32.
    - `fma`: the same with scalar multiply-adds, for contractions that the tensor cores do not take: f32, f64, i32, i64.
    - `transpose`: elementwise kernels that read some argument along another dimension than they write: squares through shared memory.
    - `simt`: anything else, of any type. Each result, and each reduction that is read more than once, has a device function of its own, in which a
      thread computes a tile of elements, and every reduction is a loop. Results of reductions that are read more than once are stored in between.

    The device functions are created once for each kernel function and types of its operands, in a `gpu.module` called `kernels`, and launched with
    `gpu.launch_func`. Kernel functions, and the modules that hold nothing else, are removed. `linalg` ops on device buffers in host functions become kernels, too.

    Buffers for partial results, between the device functions of one kernel, are allocated in the host function (`memref.alloc`) where they are needed, and not freed:
    `amp-plan-memory` puts them into the arena, and the deallocation passes free what is left.

    Guaranteed after: no `amp.launch` and no kernel function is left; each `gpu.func` has its block size, and names its schedule in `schedule`. Every element of
    every destination is written by one thread; nothing outside of the buffers is read or written. A launch can have an empty grid: the runtime skips it.
    The remark `Schedule` (category `amp`) tells for each device function the schedule, the widest vectors, and why others were refused.

    Example:

    ```mlir
    // RUN: amp-opt --amp-gpu-codegen=target=sm_80
    module {
      module @kernels {
        func.func @negate(%x: tensor<8xf32>, %d: tensor<8xf32> {amp.destination = 0 : i64}) -> tensor<8xf32> attributes {amp.kernel} {
          %0 = linalg.negf ins(%x : tensor<8xf32>) outs(%d : tensor<8xf32>) -> tensor<8xf32>
          return %0 : tensor<8xf32>
        }
      }
      func.func @main(%x: memref<8xf32, #gpu.address_space<global>>, %d: memref<8xf32, #gpu.address_space<global>>) {
        amp.launch @kernels::@negate ins(%x : memref<8xf32, #gpu.address_space<global>>) outs(%d : memref<8xf32, #gpu.address_space<global>>)
        return
      }
    }
    ```

    becomes

    ```mlir
    // OUTPUT
    module attributes {gpu.container_module} {
      gpu.module @kernels {
        gpu.func @negate(%arg0: memref<8xf32, #gpu.address_space<global>>, %arg1: memref<8xf32, #gpu.address_space<global>>) kernel attributes {known_block_size = array<i32: 256, 1, 1>, schedule = "map"} {
          %c1 = arith.constant 1 : index
          %c8 = arith.constant 8 : index
          %c256 = arith.constant 256 : index
          %thread_id_x = gpu.thread_id  x
          %block_id_x = gpu.block_id  x
          %0 = arith.muli %block_id_x, %c256 : index
          %1 = arith.addi %0, %thread_id_x : index
          %2 = arith.addi %block_id_x, %c1 : index
          %3 = arith.muli %2, %c256 : index
          %4 = arith.minui %3, %c8 : index
          scf.for %arg2 = %1 to %4 step %c256 {
            %5 = memref.load %arg0[%arg2] : memref<8xf32, #gpu.address_space<global>>
            %6 = arith.negf %5 : f32
            memref.store %6, %arg1[%arg2] : memref<8xf32, #gpu.address_space<global>>
          }
          gpu.return
        }
      }
      func.func @main(%arg0: memref<8xf32, #gpu.address_space<global>>, %arg1: memref<8xf32, #gpu.address_space<global>>) {
        %c1 = arith.constant 1 : index
        %c256 = arith.constant 256 : index
        gpu.launch_func  @kernels::@negate blocks in (%c1, %c1, %c1) threads in (%c256, %c1, %c1)  args(%arg0 : memref<8xf32, #gpu.address_space<global>>, %arg1 : memref<8xf32, #gpu.address_space<global>>)
        return
      }
    }
    ```
  }];
  let options = [
    Option<"targetName", "target", "std::string", /*default=*/"\"sm_80\"",
           "What to compile for: an architecture such as `sm_90a`, `sim`, or `sim:` and an architecture">,
    Option<"allowTF32", "allow-tf32", "bool", /*default=*/"false",
           "Let contractions of f32 round their operands to tf32 (ten bits of mantissa), for the tensor cores">,
    Option<"fastF8", "fast-f8", "bool", /*default=*/"false",
           "Let the tensor cores of sm_90a add up products of 8-bit floats alone (about 14 bits); else every 128 of them are added to a sum in f32">,
    Option<"mapBlocks", "map-blocks", "int64_t", /*default=*/"0",
           "The most blocks of a `map` kernel, whose blocks then take several tiles where there are more (grid stride); 0: a block for each tile">,
    Option<"tuningFile", "tuning-file", "std::string", /*default=*/"\"\"",
           "File of amp-tune that says which schedules were the fastest; what `amp.schedule` says goes before it">,
    Option<"tuningDevice", "tuning-device", "std::string", /*default=*/"\"\"",
           "Name of the device whose entries of the tuning file count; empty: that of the only one for the target">,
    Option<"noteCandidates", "note-candidates", "bool", /*default=*/"false",
           "Note in the attribute `tuning` of functions what tuning files call their kernel, and which schedules could be measured">
  ];
  let statistics = [
    Statistic<"numKernels", "num-kernels", "Kernel functions compiled, for each types of operands">,
    Statistic<"numFunctions", "num-functions", "Device functions created">
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::amp::AMPDialect", "::mlir::arith::ArithDialect",
    "::mlir::gpu::GPUDialect", "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect",
    "::mlir::vector::VectorDialect"
  ];
}

def AmpGPUOverlapLaunchesPass : Pass<"amp-gpu-overlap-launches", "::mlir::ModuleOp"> {
  let summary = "let kernels start while the ones in front of them end";
  let description = [{
    Input: the output of `amp-gpu-codegen`: kernels (`gpu.func`) in gpu.modules, and their launches.

    Programmatic dependent launch hides what a launch costs: the blocks of a kernel come to the multiprocessors as soon as these have room, and wait there for the end of the kernel in
    front. Every kernel begins with the wait (`griddepcontrol.wait`), before anything is read or written, so that neither a read after a write nor a write after a read can go wrong;
    since each kernel waits, the end of one means the end of all before it. Then it lets the next kernel come
    (`griddepcontrol.launch_dependents`). The launches of these kernels are marked `amp.dependent`, from which `amp-cuda-lower-host` makes a flag of the runtime.

    Targets before sm_90 have no such launches: nothing changes. Launches of kernels that are not in the module are left alone, as nobody knows
    whether these wait.

    Example:

    ```mlir
    // RUN: amp-opt --amp-gpu-overlap-launches
    module attributes {gpu.container_module} {
      gpu.module @kernels {
        gpu.func @zero(%x: memref<f32, #gpu.address_space<global>>) kernel {
          %c0 = arith.constant 0.0 : f32
          memref.store %c0, %x[] : memref<f32, #gpu.address_space<global>>
          gpu.return
        }
      }
      func.func @main(%x: memref<f32, #gpu.address_space<global>>) {
        %c1 = arith.constant 1 : index
        gpu.launch_func @kernels::@zero blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<f32, #gpu.address_space<global>>)
        return
      }
    }
    ```

    becomes

    ```mlir
    // OUTPUT
    module attributes {gpu.container_module} {
      gpu.module @kernels {
        gpu.func @zero(%x: memref<f32, #gpu.address_space<global>>) kernel {
          nvvm.griddepcontrol wait
          nvvm.griddepcontrol launch_dependents
          %c0 = arith.constant 0.0 : f32
          memref.store %c0, %x[] : memref<f32, #gpu.address_space<global>>
          gpu.return
        }
      }
      func.func @main(%x: memref<f32, #gpu.address_space<global>>) {
        %c1 = arith.constant 1 : index
        gpu.launch_func @kernels::@zero blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<f32, #gpu.address_space<global>>) {amp.dependent}
        return
      }
    }
    ```
  }];
  let options = [
    Option<"targetName", "target", "std::string", /*default=*/"\"sm_90\"",
           "What to compile for: an architecture such as `sm_90a`, `sim`, or `sim:` and an architecture">
  ];
  let statistics = [
    Statistic<"numKernels", "num-kernels", "Kernels that wait by themselves">,
    Statistic<"numLaunches", "num-launches", "Launches that may overlap with those in front">
  ];
  let dependentDialects = [
    "::mlir::amp::AMPDialect", "::mlir::gpu::GPUDialect"
  ];
}

#endif // AMP_CODEGEN_GPU_PASSES_TD
