//===- Passes.td - device code for NVIDIA GPUs -------------*- tablegen -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_CODEGEN_NVVM_PASSES_TD
#define AMP_CODEGEN_NVVM_PASSES_TD

include "mlir/Pass/PassBase.td"

def AmpGPULegalizeFloatsPass : Pass<"amp-gpu-legalize-floats"> {
  let summary = "rewrite arithmetic on narrow floats into what a GPU does";
  let description = [{
    Input: any op with arith and math on scalars and vectors (tensors of them are left alone), such as a `gpu.module`.

    - arith and math on f16, bf16 and the 8-bit floats computes in f32 and rounds its result once, as on the CPU. The half-precision instructions of a GPU would
      give the same results for additions and multiplications, but kernels on such types wait for memory, not for them.
    - conversions from f32 to bf16 and f16 stay `arith.truncf`: every target rounds to the nearest in one instruction.
    - conversions of f8E4M3FN and f8E5M2 from f16, bf16 and f32, and to wider types, stay where the target has them (sm_89 and later); `amp-gpu-select-instructions` chooses the
      instructions. Those of the other 8-bit floats (f8E4M3, f8E3M4, f8E4M3FNUZ, f8E5M2FNUZ, f8E4M3B11FNUZ), and of all of them elsewhere, become integer arithmetic.
    - conversions from f64 to a type narrower than f32 go by way of an f32 that is rounded to odd, so that they round once.

    For the simulator (`target=sim`) nothing is left to instructions: all of it is integer arithmetic, which a CPU runs.

    Guaranteed after: no arith or math op on f16, bf16 or f8 but casts, bitcasts, selects and constants.

    Example:

    ```mlir
    // RUN: amp-opt --pass-pipeline="builtin.module(gpu.module(amp-gpu-legalize-floats{target=sm_90}))"
    gpu.module @kernels {
      gpu.func @add(%x: bf16, %y: f8E4M3FN) -> bf16 {
        %0 = arith.extf %y : f8E4M3FN to bf16
        %1 = arith.addf %x, %0 : bf16
        gpu.return %1 : bf16
      }
    }
    ```

    becomes

    ```mlir
    // OUTPUT
    gpu.module @kernels {
      gpu.func @add(%arg0: bf16, %arg1: f8E4M3FN) -> bf16 {
        %0 = arith.extf %arg0 : bf16 to f32
        %1 = arith.extf %arg1 : f8E4M3FN to bf16
        %2 = arith.extf %1 : bf16 to f32
        %3 = arith.addf %0, %2 : f32
        %4 = arith.truncf %3 : f32 to bf16
        gpu.return %4 : bf16
      }
    }
    ```
  }];
  let options = [
    Option<"target", "target", "std::string", /*default=*/"\"sm_80\"",
           "Device to compile for, such as sm_90a, or sim">
  ];
  let statistics = [
    Statistic<"numEmulated", "num-emulated", "Narrow ops computed in f32">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect"
  ];
}

def AmpGPUExpandMathPass : Pass<"amp-gpu-expand-math"> {
  let summary = "rewrite f32 math functions into arithmetic";
  let description = [{
    Input: any op with math on scalars and vectors of f32, such as a `gpu.module` after `amp-gpu-legalize-floats`.

    Functions of f32 become arithmetic, `math.fma`, and the few functions that a GPU has as instructions, marked `fastmath<afn>` (`exp2`, `rsqrt`, and reciprocals).
    No library is needed, and everything stays in arith, math and scf, which a CPU runs too. Largest errors in ulp of f32, for all arguments:

    | function | ulp | | function | ulp |
    |---|---|---|---|---|
    | exp | 5 | | erf | 2 |
    | exp2 | 4 | | erfc | 8 |
    | rsqrt | 3 | | tanh | 3 |
    | expm1, log | 2 | | sin, cos | 3 |
    | log2, log1p | 3 | | tan | 5 |
    | log10 | 4 | | cbrt | 3 |
    | | | | acos, asin, atan, atan2 | upstream's polynomials |

    A result that is used by nothing but `arith.truncf` to a narrow type is computed with less: `exp` for f16 and below by one multiplication and `ex2.approx`
    (relative error below 2^-16), `tanh` for bf16 and the 8-bit floats by `tanh.approx` (2^-10.9, an eighth of an ulp of bf16; not enough for f16). Division and square root round correctly, but for divisions by one scalar that are marked `fastmath<arcp>`,
as those of `linalg.softmax` are: they multiply by the divisor's correctly rounded reciprocal (1.5 ulp where that is normal).
    Powers by small constants become products and roots.

    Left alone: f64, integers, tensors, and `math.powf`, `sinh`, `cosh` and their inverses, which `convert-gpu-to-nvvm` makes calls of CUDA's library.

    Example:

    ```mlir
    // RUN: amp-opt --pass-pipeline="builtin.module(gpu.module(amp-gpu-expand-math))"
    gpu.module @kernels {
      gpu.func @tanh(%x: f32) -> bf16 {
        %0 = math.tanh %x : f32
        %1 = arith.truncf %0 : f32 to bf16
        %2 = math.exp %x : f32
        %3 = arith.truncf %2 : f32 to bf16
        %4 = arith.maximumf %1, %3 : bf16
        gpu.return %4 : bf16
      }
    }
    ```

    becomes

    ```mlir
    // OUTPUT
    gpu.module @kernels {
      gpu.func @tanh(%arg0: f32) -> bf16 {
        %cst = arith.constant 1.44269502 : f32
        %0 = math.tanh %arg0 fastmath<afn> : f32
        %1 = arith.truncf %0 : f32 to bf16
        %2 = arith.mulf %arg0, %cst : f32
        %3 = math.exp2 %2 fastmath<afn> : f32
        %4 = arith.truncf %3 : f32 to bf16
        %5 = arith.maximumf %1, %4 : bf16
        gpu.return %5 : bf16
      }
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"
  ];
}

def AmpGPUPrepareKernelsPass
    : Pass<"amp-gpu-prepare-kernels", "::mlir::gpu::GPUModuleOp"> {
  let summary = "bring kernels into the form that convert-gpu-to-nvvm takes";
  let description = [{
    Input: `gpu.module`s of functions with arith, math, scf, vector, memref and gpu ops.

    - `gpu.subgroup_reduce` becomes a butterfly of `gpu.shuffle`; warps have 32 lanes.
    - `gpu.shuffle` of anything but i32 and f32 (narrower and wider scalars, 1-D vectors) becomes shuffles of i32 words, since the
      hardware moves nothing else.
    - Workgroup attributions without `llvm.align` get an alignment of 16 bytes, so that vectors may be read from them.
    - Arguments with `amp.tensor_map` become pointers aligned to 64 bytes, and the casts of such an argument to a pointer go. (The launch passes
      a buffer still, so the types of the two agree again when kernels are compiled only.)
    - Vector ops that have no LLVM form (transfers of rank one, transpose, shape_cast, contract, multi_reduction, gather, masks, strided
      slices) become those that have one.

    An error: `nvvm.setmaxregister` of a kernel with one warpgroup that gives registers away, in an `scf.if`, and others that ask for more than the block has. On a device
    they would wait forever.

    Left alone: everything else. `vector.load` and `vector.store` keep their `alignment`; without one, LLVM assumes the alignment of an element and splits the access.

    Example:

    ```mlir
    // RUN: amp-opt --pass-pipeline="builtin.module(gpu.module(amp-gpu-prepare-kernels))"
    gpu.module @kernels {
      gpu.func @move(%x: f64, %lane: i32, %width: i32) -> f64 {
        %0, %ok = gpu.shuffle xor %x, %lane, %width : f64
        gpu.return %0 : f64
      }
    }
    ```

    becomes

    ```mlir
    // OUTPUT
    gpu.module @kernels {
      gpu.func @move(%arg0: f64, %arg1: i32, %arg2: i32) -> f64 {
        %0 = vector.broadcast %arg0 : f64 to vector<1xf64>
        %1 = vector.bitcast %0 : vector<1xf64> to vector<2xi32>
        %2 = vector.extract %1[0] : i32 from vector<2xi32>
        %shuffleResult, %valid = gpu.shuffle  xor %2, %arg1, %arg2 : i32
        %3 = vector.extract %1[1] : i32 from vector<2xi32>
        %shuffleResult_0, %valid_1 = gpu.shuffle  xor %3, %arg1, %arg2 : i32
        %4 = vector.from_elements %shuffleResult, %shuffleResult_0 : vector<2xi32>
        %5 = vector.bitcast %4 : vector<2xi32> to vector<1xf64>
        %6 = vector.extract %5[0] : f64 from vector<1xf64>
        gpu.return %6 : f64
      }
    }
    ```
  }];
  let statistics = [
    Statistic<"numAligned", "num-aligned", "Shared arrays given an alignment">,
    Statistic<"numTensorMaps", "num-tensor-maps", "Arguments made tensor maps">
  ];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect",
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::ub::UBDialect",
    "::mlir::vector::VectorDialect"
  ];
}

def AmpGPUSelectInstructionsPass
    : Pass<"amp-gpu-select-instructions", "::mlir::gpu::GPUModuleOp"> {
  let summary = "choose instructions that LLVM does not choose by itself";
  let description = [{
    Input: `gpu.module`s after `amp-gpu-expand-math` and `amp-gpu-legalize-floats`.

    - f32 math ops with `fastmath<afn>` become one approximate instruction per element: `exp2`, `log2`, `rsqrt`, `sqrt`, `sin`, `cos`, `tanh`
      (`ex2.approx`, ...), and `arith.divf` becomes `rcp.approx` or `div.approx`. No other op is approximated: without the flag a division or a square root rounds correctly.
    - `arith.truncf` from f16, bf16 and f32 to f8E4M3FN and f8E5M2 becomes `cvt.rn.satfinite`, on pairs, where the target has it (sm_89 and later). The instruction
      saturates; what `arith.truncf` makes NaN or infinity is mended, unless the operand is clamped to the finite range
      as casts with `overflow = saturate` are lowered. `arith.extf` from these types becomes `cvt.rn.f16x2`.
    - math ops that the hardware does exactly (absf, ceil, floor, trunc, roundeven, copysign, fma, sqrt, counts of bits) become LLVM's
      intrinsics. `convert-gpu-to-nvvm` would make calls of CUDA's math library of them.

    Left alone: other math ops; `convert-gpu-to-nvvm` makes calls of CUDA's library of them (f64 functions).

    Example:

    ```mlir
    // RUN: amp-opt --pass-pipeline="builtin.module(gpu.module(amp-gpu-select-instructions{target=sm_90}))"
    gpu.module @kernels {
      gpu.func @fast(%x: f32) -> f32 {
        %0 = math.exp2 %x fastmath<afn> : f32
        %1 = math.sqrt %0 : f32
        gpu.return %1 : f32
      }
    }
    ```

    becomes

    ```mlir
    // OUTPUT
    gpu.module @kernels {
      gpu.func @fast(%arg0: f32) -> f32 {
        %0 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.f32"(%arg0) : (f32) -> f32
        %1 = llvm.call_intrinsic "llvm.sqrt.f32"(%0) : (f32) -> f32
        gpu.return %1 : f32
      }
    }
    ```
  }];
  let options = [
    Option<"target", "target", "std::string", /*default=*/"\"sm_80\"",
           "Device to compile for, such as sm_90a">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::vector::VectorDialect"
  ];
}

def AmpGPUAnnotateKernelsPass
    : Pass<"amp-gpu-annotate-kernels", "::mlir::gpu::GPUModuleOp"> {
  let summary = "tell ptxas the exact block sizes of kernels";
  let description = [{
    Input: `gpu.module`s in the LLVM dialect. Upstream turns `known_block_size` into `nvvm.maxntid`, an upper bound. The
    size is exact, so it becomes `nvvm.reqntid` here: ptxas then knows the size of a block, and the driver refuses a launch with another
    one. An argument that is a generic pointer aligned to 64 bytes is a tensor map, of 128 bytes by value (`llvm.byval`, `nvvm.grid_constant`). Kernels without it, and all other attributes (`nvvm.minctasm`, `nvvm.maxnreg`, `nvvm.cluster_dim`), are left alone.

    Example:

    ```mlir
    // RUN: amp-opt --pass-pipeline="builtin.module(gpu.module(amp-gpu-annotate-kernels))"
    gpu.module @kernels {
      llvm.func @f() attributes {nvvm.kernel, nvvm.maxntid = array<i32: 128, 1, 1>} {
        llvm.return
      }
    }
    ```

    becomes

    ```mlir
    // OUTPUT
    gpu.module @kernels {
      llvm.func @f() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128, 1, 1>} {
        llvm.return
      }
    }
    ```
  }];
  let statistics = [
    Statistic<"numSized", "num-sized", "Kernels with an exact block size">
  ];
}

def AmpGPUToBinaryPass : Pass<"amp-gpu-to-binary"> {
  let summary = "assemble gpu.modules in the LLVM dialect to gpu.binary";
  let description = [{
    Input: any op that contains `gpu.module`s of LLVM and NVVM dialect functions. Each becomes a `gpu.binary` with one object for `target`.

    LLVM writes PTX of the lowest version that the target allows. `ptxas` then makes a cubin of it: the program of the option `ptxas`, or the one in
    the option `toolkit`, or in the folder that $CUDA_HOME, $CUDA_PATH or $CUDA_ROOT names, or on PATH. `format` says what is embedded: `ptx`, `cubin`, `fatbin` (both;
    CUDA's program `fatbinary` is needed), or `auto`: a cubin where there is a ptxas, else PTX, with a remark.

    Calls of functions `__nv_*` are linked with CUDA's libdevice, which is looked for in the same folders; without it they are an error.

    ptxas limits the registers of a kernel so that more blocks run at once, and would rather spill a few than have one block less. Kernels where
    it did, and whose registers nothing else limits, are assembled again with `nvvm.minctasm = 1`.

    What ptxas says is reported where the kernel is: errors; as warnings its own warnings, its notes on slow code (C75xx) and spilled registers, which the
    option `strict` makes errors; and with `verbose` a remark per kernel with registers, shared memory and stack, and the PTX on the standard error.

    Example:

    ```mlir
    // RUN: amp-opt --amp-gpu-to-binary='target=sm_80 format=ptx'
    gpu.module @kernels {
      llvm.func @f() attributes {nvvm.kernel} {
        llvm.return
      }
    }
    ```

    becomes

    ```mlir
    // OUTPUT
    gpu.binary @kernels  [#gpu.object<#nvvm.target<O = 3, chip = "sm_80">, assembly = "//\0A// Generated by LLVM NVPTX Back-End\0A//\0A\0A.version 7.0\0A.target sm_80\0A.address_size 64\0A\0A\09// .globl\09f\0A\0A.visible .entry f()\0A{\0A\0A\0A\09ret;\0A\0A}\0A">]
    ```
  }];
  let options = [
    Option<"target", "target", "std::string", /*default=*/"\"sm_80\"",
           "Device to compile for, such as sm_90a">,
    Option<"ptxas", "ptxas", "std::string", /*default=*/"\"\"",
           "The program ptxas; empty: look for it">,
    Option<"toolkit", "toolkit", "std::string", /*default=*/"\"\"",
           "Folder of a CUDA toolkit; empty: look for it">,
    Option<"format", "format", "std::string", /*default=*/"\"auto\"",
           "What to embed: auto, ptx, cubin or fatbin">,
    Option<"optLevel", "opt-level", "unsigned", /*default=*/"3",
           "Optimization level of LLVM and ptxas, 0 to 3">,
    Option<"strict", "strict", "bool", /*default=*/"false",
           "Make warnings of ptxas and spilled registers errors">,
    Option<"verbose", "verbose", "bool", /*default=*/"false",
           "Remark on the resources of each kernel, and print the PTX">
  ];
  let statistics = [
    Statistic<"numModules", "num-modules", "Modules turned into binaries">,
    Statistic<"numKernels", "num-kernels", "Kernels assembled">
  ];
  let dependentDialects = [
    "::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect"
  ];
}

#endif // AMP_CODEGEN_NVVM_PASSES_TD
