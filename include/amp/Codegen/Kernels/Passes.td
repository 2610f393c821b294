//===- Passes.td - kernel forming passes -------------------*- tablegen -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_CODEGEN_KERNELS_PASSES_TD
#define AMP_CODEGEN_KERNELS_PASSES_TD

include "mlir/Pass/PassBase.td"

def AmpFormKernelsPass : Pass<"amp-form-kernels", "::mlir::ModuleOp"> {
  let summary = "turn groups of ops on tensors into kernel functions and launches";
  let description = [{
    Input: a module of functions on tensors of linalg (any named op, or `linalg.generic`), tensor, arith, math, scf and func, of static or
    dynamic shape, as `amp-lower-to-linalg` leaves them. Linalg on buffers is an error: this pass runs before bufferization.

    The functions are brought into one form (aggregates decomposed, named ops `linalg.generic`), then the analysis `KernelFusionModel`
    groups the ops of each block. Each group becomes a kernel function in the nested module `@kernels`, and a `tensor.empty` for each
    result and an `amp.launch` take its place. The groups:

    - a contraction, convolution or pooling, with the elementwise ops that follow it in the same places, and the casts and scales of what it reads;
    - reductions over the innermost dimensions of the same rows (softmax, layer norm, argmax), with all elementwise ops on these rows:
      one kernel, which reads its input once;
    - one reduction over other dimensions, with its elementwise neighbours;
    - elementwise ops, transposes, broadcasts, pads, slices and concatenations, with several results where others need them.

    With `separate-casts`, a contraction of more than 32 rows and columns reads operands of 16 and 8 bits as they are in memory, as sm_90a's tensor cores do: what casts
    or computes one is in the kernel of its producer, or one of its own.

    With `fuse-attention`, a softmax between two contractions of 16-bit operands is one kernel with both, for the schedule `attention` of sm_90a: its scores
    are in no memory. See docs/attention.md for what is recognised; what looks like one and is not is named by `FusionMissed`.

    With `row-statistics`, where all that a kernel would do with the rows of a contraction's result (or of what its epilogue makes of it) is to reduce them along
    the columns, the contraction's kernel reduces each 64 columns, of which another kernel makes one element: the matrix is not read again, and not written if nobody else
    reads it. For sm_90a, whose schedule `wgmma` has the parts in registers. The remark `RowStatistics` names the bytes saved, or says why such reductions stay as they are.

    Nothing expensive is computed twice. Casts and broadcasts, fills and constants go to each kernel that reads them.
    Signed and unsigned integers become signless; the attributes `unsigned_arguments` and `unsigned_results` of public functions keep the
    numbers of what was unsigned, for the callers.

    Guaranteed after: the host functions hold launches, empty tensors, shape arithmetic, control flow, calls, views that need no copy
    and constants; every kernel function verifies. The remark `KernelFormed` (category `amp`) names
    each kernel with its root, ops and bytes, and `FusionMissed` says why a producer and its reader are in different kernels.

    Example:

    ```mlir
    // RUN: amp-opt --amp-form-kernels
    func.func @main(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
      %e = tensor.empty() : tensor<8xf32>
      %0 = linalg.add ins(%x, %y : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
      %1 = linalg.exp ins(%0 : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
      return %1 : tensor<8xf32>
    }
    ```

    becomes

    ```mlir
    // OUTPUT
    module {
      module @kernels {
        func.func @main_map_0(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>, %arg2: tensor<8xf32> {amp.destination = 0 : i64}) -> tensor<8xf32> attributes {amp.kernel} {
          %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
              ins(%arg0, %arg1 : tensor<8xf32>, tensor<8xf32>) outs(%arg2 : tensor<8xf32>) {
          ^bb0(%in: f32, %in_0: f32, %out: f32):
            %1 = arith.addf %in, %in_0 : f32
            %2 = math.exp %1 : f32
            linalg.yield %2 : f32
          } -> tensor<8xf32>
          return %0 : tensor<8xf32>
        }
      }
      func.func @main(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>) -> tensor<8xf32> {
        %0 = tensor.empty() : tensor<8xf32>
        %1 = amp.launch @kernels::@main_map_0 ins(%arg0, %arg1 : tensor<8xf32>, tensor<8xf32>) outs(%0 : tensor<8xf32>) -> tensor<8xf32>
        return %1 : tensor<8xf32>
      }
    }
    ```
  }];
  let options = [
    Option<"separateCasts", "separate-casts", "bool", /*default=*/"false",
           "Cast the 16-bit operands of large contractions in other kernels, not as they are read">,
    Option<"fuseAttention", "fuse-attention", "bool", /*default=*/"false",
           "Make one kernel of a softmax and the contractions before and behind it">,
    Option<"rowStatistics", "row-statistics", "bool", /*default=*/"false",
           "Reduce parts of the rows of a contraction in its kernel where nothing else of its reader needs them">
  ];
  let statistics = [
    Statistic<"numKernels", "num-kernels", "Kernel functions formed">,
    Statistic<"numOps", "num-ops", "Ops in kernel functions">
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::amp::AMPDialect",
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"
  ];
}

def AmpArrangeConvolutionsPass : Pass<"amp-arrange-convolutions", "::mlir::ModuleOp"> {
  let summary = "put the channels of convolutions, and reductions of bytes, last";
  let description = [{
    Input: functions on tensors of linalg, as `amp-lower-to-linalg` leaves them. For devices that read the windows of convolutions from memory with their
    channels innermost (sm_90a), where `amp-lower-to-cuda` runs it.

    A convolution of floats of 8 or 16 bits, summed in f32, with or without groups, whose channels (a multiple of 16 bytes) are not innermost, such as NCHW,
    gets a transposed input and filter, and its result is transposed back. These transpositions move: that of a result behind elementwise ops and pads that
    read it, that of an input in front of pads; where two meet that undo each other, both are gone. So a chain of convolutions, biases, activations and
    residuals has them at its ends only; those of weights depend on weights alone: `amp-split-init` moves them to `init`.

    A contraction of 8-bit floats (sums in f32) or integers (sums in i32) whose operands are not contiguous along the reduction, such as weights of [K, N], gets transposed
    ones: sm_90a's tensor cores multiply no others. Transpositions of weights are made once, in `init`; others are kernels, and are there only if the model says
    that they and the product take less time than the product on other tensor core instructions. Where the program transposes the operand already, the two cancel out. The remark
    `ContractionArranged` names each.

    In functions with such a convolution, elementwise ops on tensors become `linalg.generic`, and narrowing casts go in front of the padding that they read, as
    in `amp-form-kernels`.

    Where only the channels of the filter are not innermost, it is transposed for floats of 8 bits, which are multiplied in that layout alone.

    Left alone: functions without such a convolution, transpositions of the program, and convolutions of another number of channels, of 32 features or less, of
    filters of unknown size, or with strides, dilations or paddings that TMA (im2col) cannot read. The remark `ConvolutionArranged` (category `amp`) names each convolution that gets another layout.

    Example:

    ```mlir
    // RUN: amp-opt --amp-arrange-convolutions
    func.func @main(%x: tensor<1x8x9x9xf16>, %w: tensor<64x8x3x3xf16>, %e: tensor<1x64x7x7xf32>) -> tensor<1x64x7x7xf32> {
      %0 = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x8x9x9xf16>, tensor<64x8x3x3xf16>) outs(%e : tensor<1x64x7x7xf32>) -> tensor<1x64x7x7xf32>
      return %0 : tensor<1x64x7x7xf32>
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"
  ];
}

def AmpInlineKernelsPass : Pass<"amp-inline-kernels", "::mlir::ModuleOp"> {
  let summary = "put the bodies of kernel functions in place of their launches";
  let description = [{
    Input: a module with `amp.launch` on tensors. Every launch is replaced by the ops of its kernel function, on the operands of the launch; the
    kernel functions, and the modules that held only them, are removed. For the CPU, and for tests: what a kernel computes can be run.

    Left alone: everything else. A launch on buffers is an error.

    Example:

    ```mlir
    // RUN: amp-opt --amp-inline-kernels
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
    func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
      %0 = tensor.empty() : tensor<8xf32>
      %1 = linalg.negf ins(%arg0 : tensor<8xf32>) outs(%0 : tensor<8xf32>) -> tensor<8xf32>
      return %1 : tensor<8xf32>
    }
    ```
  }];
  let statistics = [
    Statistic<"numInlined", "num-inlined", "Launches inlined">
  ];
  let dependentDialects = ["::mlir::tensor::TensorDialect"];
}

def AmpSplitInitPass : Pass<"amp-split-init", "::mlir::ModuleOp"> {
  let summary = "move work on weights into a function that runs ahead of time";
  let description = [{
    Input: functions on tensors, before `amp-form-kernels`, or behind `amp-cpu-codegen`. For each public function that nothing in the module calls, what depends only
    on constants and on arguments marked `amp.weight` is computed once, by a new public function `@<function>_init`: it takes the
    weights, and returns the tensors that the rest of the function reads. The function takes these as extra arguments at the end, marked
    `amp.prepared` with the number of the result of the init function. When weights change, the caller runs the init function again.

    What moves: casts, transposes, padding, any other computation whose result takes no more memory than what it is computed from, and loops on
    vectors, such as those in which `amp-cpu-codegen` packs operands, whose result takes at most four times that (panels are padded). What
    stays: views, broadcasts, casts to a wider type, which would make memory grow, and tensors of what models do not describe (complex numbers, parts of bytes). Checks (`cf.assert`) of weights
    alone are made by the init function, too, which runs first. A second run changes nothing.

    Example:

    ```mlir
    // RUN: amp-opt --amp-split-init
    func.func @main(%x: tensor<4x8xf16>, %w: tensor<8x2xf32> {amp.weight}, %c: tensor<4x2xf32>) -> tensor<4x2xf32> {
      %0 = arith.truncf %w : tensor<8x2xf32> to tensor<8x2xf16>
      %1 = linalg.matmul ins(%x, %0 : tensor<4x8xf16>, tensor<8x2xf16>) outs(%c : tensor<4x2xf32>) -> tensor<4x2xf32>
      return %1 : tensor<4x2xf32>
    }
    ```

    becomes

    ```mlir
    // OUTPUT
    func.func @main(%arg0: tensor<4x8xf16>, %arg1: tensor<8x2xf32> {amp.weight}, %arg2: tensor<4x2xf32>, %arg3: tensor<8x2xf16> {amp.prepared = 0 : i64}) -> tensor<4x2xf32> {
      %0 = linalg.matmul ins(%arg0, %arg3 : tensor<4x8xf16>, tensor<8x2xf16>) outs(%arg2 : tensor<4x2xf32>) -> tensor<4x2xf32>
      return %0 : tensor<4x2xf32>
    }
    func.func @main_init(%arg0: tensor<8x2xf32> {amp.weight}) -> tensor<8x2xf16> {
      %0 = arith.truncf %arg0 : tensor<8x2xf32> to tensor<8x2xf16>
      return %0 : tensor<8x2xf16>
    }
    ```
  }];
  let statistics = [
    Statistic<"numPrepared", "num-prepared", "Tensors computed ahead of time">
  ];
}

#endif // AMP_CODEGEN_KERNELS_PASSES_TD
