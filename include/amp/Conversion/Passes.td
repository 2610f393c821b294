//===- Passes.td - conversions out of amp, and to LLVM -----*- tablegen -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_CONVERSION_PASSES_TD
#define AMP_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def AmpLowerOutDtypePass : Pass<"amp-lower-out-dtype", "::mlir::ModuleOp"> {
  let summary = "turn amp.out_dtype into linalg that accumulates wide";
  let description = [{
    **Input**: a module in which the scopes are dissolved. A scope, a decision
    or an import form that is left over is an error that says which pass to run
    first.

    **Rewrites** each `amp.out_dtype` to the op inside with its accumulator as
    element type of the result, and one `amp.cast` to the type that is asked
    for. No operand is widened in memory: a named linalg op of mixed types does
    that in its payload, and so does the `linalg.generic` that elementwise ops,
    operands with zero points, and operands of different signedness become.
    `aten.mm` becomes `linalg.matmul`, `aten.bmm` and `tosa.matmul`
    `linalg.batch_matmul`, `aten.linear` `linalg.contract`, convolutions the
    named one of their layout, or a `linalg.generic` with groups. Padding is a
    `tensor.pad` of the narrow operand.

    **Guarantees**: no `amp.out_dtype` is left. Attributes that have no lowering
    (a transposed convolution, a shift) and operands that do not fit together
    are errors on the op inside.

    Runs first in `amp-lower-to-linalg`, because upstream's lowering of tosa
    would make several ops of the one inside; `amp-to-linalg` does the same for
    what reaches it.

    Example:

    ```mlir
    // RUN: amp-opt --amp-lower-out-dtype --allow-unregistered-dialect
    func.func @mm(%a: tensor<4x8xi8>, %b: tensor<8x4xi8>) -> tensor<4x4xi32> {
      %0 = amp.out_dtype (%x = %a : tensor<4x8xi8>, %y = %b : tensor<8x4xi8>) -> tensor<4x4xi32> {
        %1 = "aten.mm"(%x, %y) : (tensor<4x8xi8>, tensor<8x4xi8>) -> tensor<4x4xi8>
        amp.yield %1 : tensor<4x4xi8>
      }
      return %0 : tensor<4x4xi32>
    }
    ```

    becomes

    ```mlir
    // OUTPUT
    func.func @mm(%arg0: tensor<4x8xi8>, %arg1: tensor<8x4xi8>) -> tensor<4x4xi32> {
      %0 = tensor.empty() : tensor<4x4xi32>
      %c0_i32 = arith.constant 0 : i32
      %1 = linalg.fill ins(%c0_i32 : i32) outs(%0 : tensor<4x4xi32>) -> tensor<4x4xi32>
      %2 = linalg.matmul ins(%arg0, %arg1 : tensor<4x8xi8>, tensor<8x4xi8>) outs(%1 : tensor<4x4xi32>) -> tensor<4x4xi32>
      return %2 : tensor<4x4xi32>
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::amp::AMPDialect",
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect"];
  let statistics = [
    Statistic<"numLowered", "num-lowered",
              "Number of amp.out_dtype ops lowered">];
}

def AmpOutDtypeBackwardPass
    : Pass<"amp-out-dtype-backward", "::mlir::ModuleOp"> {
  let summary = "build the gradient of a function with one amp.out_dtype";
  let description = [{
    **Input**: a module with the function `function`, which returns the result
    of its one `amp.out_dtype` and does nothing else with its arguments.
    Anything else is a located error, and so is a function that is called
    `<function>_backward` already.

    **What it does**: adds the function `<function>_backward`. Its arguments are
    those of the function and the gradient of its result; it returns the
    gradients of the arguments that are factors, dividends, divisors or what a
    sum starts from, in their order. Destinations and zero points have none.

    - A float has a gradient of its own type. Gradients are computed in f32 (f64
      where f64 takes part) and rounded once: the exact adjoint of the float
      formula. The rounding of the result counts as the identity.
    - An integer has the gradient that the float formula gives (straight
      through), in the type that the attribute `gradient` of the op says, f32
      where it says none; so has an integer result.

    The formulas are those of `GradientOpInterface` on `amp.out_dtype`. Of a
    convolution, the gradient of the input needs static shapes, and groups have
    none.

    **Guarantees**: the function itself stays as it is. What is added is linalg
    on tensors and `amp.cast`.

    Example:

    ```mlir
    // RUN: amp-opt --amp-out-dtype-backward=function=f --allow-unregistered-dialect
    func.func @f(%a: tensor<4x8xi8>, %b: tensor<8x4xi8>) -> tensor<4x4xi32> {
      %0 = amp.out_dtype gradient(f32) (%x = %a : tensor<4x8xi8>, %y = %b : tensor<8x4xi8>) -> tensor<4x4xi32> {
        %1 = "aten.mm"(%x, %y) : (tensor<4x8xi8>, tensor<8x4xi8>) -> tensor<4x4xi8>
        amp.yield %1 : tensor<4x4xi8>
      }
      return %0 : tensor<4x4xi32>
    }
    ```
  }];
  let options = [
    Option<"function", "function", "std::string", /*default=*/"\"main\"",
           "The function whose gradient is built">
  ];
  let statistics = [
    Statistic<"numFunctions", "num-functions", "Number of gradients built">
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::amp::AMPDialect",
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect"];
}

def AmpCheckTosaPass : Pass<"amp-check-tosa"> {
  let summary = "tell what tosa's lowering to linalg has no form for";
  let description = [{
    **Input**: tosa. Its lowering needs to know the sizes of filters and biases,
    and the zero points of convolutions, products and pools.

    **Errors**: one for each op that lacks one of these, with what was found, at
    its place; upstream's own says only that the op could not be legalized.
    Nothing is rewritten.

    Example, which has a form; with a filter of `tensor<?x3x3x4xf32>` it would be
    the error `'tosa.conv2d' op cannot be lowered with a filter of type
    'tensor<?x3x3x4xf32>'; expected known sizes`:

    ```mlir
    // RUN: amp-opt --amp-check-tosa
    func.func @convolve(%x: tensor<?x?x?x4xf32>, %w: tensor<8x3x3x4xf32>, %b: tensor<8xf32>) -> tensor<?x?x?x8xf32> {
      %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
      %0 = tosa.conv2d %x, %w, %b, %z, %z {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<?x?x?x4xf32>, tensor<8x3x3x4xf32>, tensor<8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x?x?x8xf32>
      return %0 : tensor<?x?x?x8xf32>
    }
    ```

    stays

    ```mlir
    // OUTPUT
    func.func @convolve(%x: tensor<?x?x?x4xf32>, %w: tensor<8x3x3x4xf32>, %b: tensor<8xf32>) -> tensor<?x?x?x8xf32> {
      %z = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
      %0 = tosa.conv2d %x, %w, %b, %z, %z {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<?x?x?x4xf32>, tensor<8x3x3x4xf32>, tensor<8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x?x?x8xf32>
      return %0 : tensor<?x?x?x8xf32>
    }
    ```
  }];
}

def AmpLowerTosaPass : Pass<"amp-lower-tosa"> {
  let summary = "lower what upstream's lowering of tosa lacks or has wrong";
  let description = [{
    **Input**: tosa, in front of upstream's lowering to linalg.

    **Rewrites**, by the pseudo-code of TOSA 1.0:
    * `tosa.resize`, of images of known and unknown sizes. Upstream's takes other
      pixels for integers in front of the first, where the offset is negative,
      and rounds each step of bf16 and f16; here they are computed in f32 and
      rounded once.
    * `tosa.avg_pool2d` and `tosa.transpose_conv2d` of images of unknown sizes,
      the latter to one `tosa.conv2d` for each phase of its strides;
    * `tosa.tile` of tensors with several unknown sizes;
    * `tosa.fft2d` and `tosa.rfft2d` of up to 1024 x 1024, to products;
    * `tosa.reduce_max`, `tosa.reduce_min` and `tosa.max_pool2d` of floats.
      Upstream's start from the largest finite number, which all are where all
      are infinite; here from infinity, or, where they ignore NaN, from NaN;
    * padded `tosa.depthwise_conv2d` with a filter of one pixel;
    * `tosa.gather`, `tosa.scatter` and casts between float types neither of which holds the
      other (f16 and bf16, say), to ops of the same name that upstream lowers:
      of types that know the same sizes, and through f32; and results that know
      fewer sizes than their operands tell.

    Example:

    ```mlir
    // RUN: amp-opt --amp-lower-tosa
    func.func @narrow(%x: tensor<4xf16>) -> tensor<4xbf16> {
      %0 = tosa.cast %x : (tensor<4xf16>) -> tensor<4xbf16>
      return %0 : tensor<4xbf16>
    }
    ```

    becomes

    ```mlir
    // OUTPUT
    func.func @narrow(%x: tensor<4xf16>) -> tensor<4xbf16> {
      %0 = tosa.cast %x : (tensor<4xf16>) -> tensor<4xf32>
      %1 = tosa.cast %0 : (tensor<4xf32>) -> tensor<4xbf16>
      return %1 : tensor<4xbf16>
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::tensor::TensorDialect", "::mlir::tosa::TosaDialect"];
}

def AmpWidenTosaSumsPass : Pass<"amp-widen-tosa-sums"> {
  let summary = "let tosa's convolutions add their bias before they round";
  let description = [{
    **Input**: `tosa.depthwise_conv2d` and `tosa.transpose_conv2d` whose
    `acc_type` is a float type wider than the result's, such as f32 for bf16.
    Of them upstream's lowering rounds the sums to the type of the result, then
    adds the bias, and rounds again; TOSA 1.0 adds the bias to the sums, as it
    does in the other convolutions.

    **Rewrites** them to ops whose bias and result have the accumulators' type,
    between casts.

    Example:

    ```mlir
    // RUN: amp-opt --amp-widen-tosa-sums
    func.func @depthwise(%x: tensor<1x8x8x4xbf16>, %w: tensor<3x3x4x1xbf16>, %b: tensor<4xbf16>, %z: tensor<1xbf16>) -> tensor<1x6x6x4xbf16> {
      %0 = tosa.depthwise_conv2d %x, %w, %b, %z, %z {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x8x8x4xbf16>, tensor<3x3x4x1xbf16>, tensor<4xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x6x6x4xbf16>
      return %0 : tensor<1x6x6x4xbf16>
    }
    ```

    becomes

    ```mlir
    // OUTPUT
    func.func @depthwise(%x: tensor<1x8x8x4xbf16>, %w: tensor<3x3x4x1xbf16>, %b: tensor<4xbf16>, %z: tensor<1xbf16>) -> tensor<1x6x6x4xbf16> {
      %0 = tosa.cast %b : (tensor<4xbf16>) -> tensor<4xf32>
      %1 = tosa.depthwise_conv2d %x, %w, %0, %z, %z {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x8x8x4xbf16>, tensor<3x3x4x1xbf16>, tensor<4xf32>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1x6x6x4xf32>
      %2 = tosa.cast %1 : (tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xbf16>
      return %2 : tensor<1x6x6x4xbf16>
    }
    ```
  }];
  let dependentDialects = ["tosa::TosaDialect"];
}

def AmpFoldBroadcastsPass : Pass<"amp-fold-broadcasts"> {
  let summary = "remove branches that broadcast what has its size already";
  let description = [{
    **Input**: linalg on tensors, as upstream's lowering of tosa leaves it. Two
    operands of unknown sizes may have to be broadcast, which only a run can
    tell: each is the result of an `scf.if` that repeats its elements where its
    size is 1.

    **Rewrites** such a branch to the operand, where the sizes of both operands
    are known to be the same, such as those of a tensor and of its largest
    elements along a row: what is computed from both can be fused then.

    **Guarantees**: sizes that a program must compare at run time are still
    compared.

    Example:

    ```mlir
    // RUN: amp-opt --amp-fold-broadcasts
    func.func @residual(%x: tensor<?xf32>) -> tensor<?xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %n = tensor.dim %x, %c0 : tensor<?xf32>
      %one = arith.cmpi eq, %n, %c1 : index
      %0 = scf.if %one -> (tensor<?xf32>) {
        %e = tensor.empty(%n) : tensor<?xf32>
        %r = linalg.generic {indexing_maps = [affine_map<(i) -> (0)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
            ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) {
        ^bb0(%a: f32, %b: f32):
          linalg.yield %a : f32
        } -> tensor<?xf32>
        scf.yield %r : tensor<?xf32>
      } else {
        scf.yield %x : tensor<?xf32>
      }
      return %0 : tensor<?xf32>
    }
    ```

    becomes

    ```mlir
    // OUTPUT
    func.func @residual(%arg0: tensor<?xf32>) -> tensor<?xf32> {
      return %arg0 : tensor<?xf32>
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::tensor::TensorDialect"];
}

def AmpToLinalgPass : Pass<"amp-to-linalg", "::mlir::ModuleOp"> {
  let summary = "turn what is left of amp into linalg, arith and tensor";
  let description = [{
    **Input**: a module in which the scopes are dissolved. A scope, a
    decision or an import form that is left over is an error that says which
    pass to run first.

    **Rewrites**:

    - `amp.cast` of a scalar or vector to arith ops, and of a tensor to a
      `linalg.generic` with the same ops in its body. The value rounds exactly
      once, whatever the pair of types: f16 to bf16 goes through f32, which
      holds both; integers that no float type in between holds exactly are
      rounded as integers. Saturation is a clamp in front, NaN stays. For each
      pair see `docs/casts.md`. `may_elide` is not used here.
    - `amp.promote`, where one is left, to one cast per operand.
    - `amp.out_dtype` as `amp-lower-out-dtype` does.
    - `amp.attention` to two contractions with a softmax between them, in which
      heads that share keys are a loop that only queries have. With offsets, and
      where `align_last` needs sizes that are not known, two numbers are
      computed for each row: its first key, and that behind its last.
    - Elementwise arith and math ops on ranked tensors to `linalg.generic`.

    **Guarantees**: no op of amp is left. **Leaves alone**: every other op;
    tosa ops are for upstream's passes, which run before this one:
    `tosa-optional-decompositions`, `canonicalize`,
    `tosa-infer-shapes`, `tosa-make-broadcastable`, `tosa-to-linalg-named`,
    `canonicalize`, `tosa-layerwise-constant-fold`, `tosa-to-linalg`, and
    `tosa-to-arith` and `tosa-to-tensor` as well.

    Unsigned and signed integer types have no arith ops. Tensors of them go
    through `tensor.bitcast`, scalars and vectors through
    `builtin.unrealized_conversion_cast`, to the signless type of the same
    width.

    Run `canonicalize` before, so that casts of constants fold.

    Example:

    ```mlir
    // RUN: amp-opt --amp-to-linalg
    func.func @cast(%x: f16) -> bf16 {
      %0 = amp.cast %x : f16 to bf16
      return %0 : bf16
    }
    ```

    becomes

    ```mlir
    // OUTPUT
    func.func @cast(%arg0: f16) -> bf16 {
      %0 = arith.extf %arg0 : f16 to f32
      %1 = arith.truncf %0 : f32 to bf16
      return %1 : bf16
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::complex::ComplexDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect",
    "::mlir::tensor::TensorDialect"];
  let statistics = [
    Statistic<"numCasts", "num-casts", "Number of amp.cast ops lowered">,
    Statistic<"numOutDtypes", "num-out-dtypes",
              "Number of amp.out_dtype ops lowered">,
    Statistic<"numAttentions", "num-attentions",
              "Number of amp.attention ops lowered">];
}

def AmpConvertToLLVMPass : Pass<"amp-convert-to-llvm", "::mlir::ModuleOp"> {
  let summary = "turn functions, branches, buffers and scalars into LLVM's";
  let description = [{
    **Input**: functions of arith, cf, complex, func, index, math, memref, ub
    and one-dimensional vector ops, and of amx. Structured control flow and
    vectors of several dimensions are for `convert-scf-to-cf` and
    `convert-vector-to-llvm`, which run before.

    **Rewrites** all of them to the LLVM dialect, with the patterns of upstream's
    passes: `arith-expand` first; what branches carry and nothing reads goes;
    then in one conversion what is of
    `convert-math-to-llvm`, `convert-math-to-libm` (for the functions that LLVM
    has no intrinsic for), `convert-complex-to-llvm`, `convert-ub-to-llvm`,
    `finalize-memref-to-llvm`, `convert-arith-to-llvm`,
    `convert-index-to-llvm`, `convert-func-to-llvm`, `convert-cf-to-llvm`, and
    `reconcile-unrealized-casts`. Each of these looks at every op of a program;
    one after the other they take several times as long. Tiles of amx are
    carried by branches, which have to be converted with them.

    With `generic-functions`, copies of contiguous buffers of 128 KiB and more,
    or outside loops of unknown size, call `memrefCopy` of the runtime, which has
    threads, as those of strided ones do.

    **Guarantees**: no op of these dialects is left for which LLVM has a form.
    **Leaves alone**: ops of other dialects, with casts around them.

    Example:

    ```mlir
    // RUN: amp-opt --amp-convert-to-llvm
    func.func @gain(%x: f32, %n: index) -> f32 {
      %0 = arith.index_cast %n : index to i32
      %1 = arith.sitofp %0 : i32 to f32
      %2 = math.erf %1 : f32
      %3 = arith.mulf %x, %2 : f32
      return %3 : f32
    }
    ```

    becomes

    ```mlir
    // OUTPUT
    llvm.func @erff(f32) -> f32 attributes {memory_effects = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>, sym_visibility = "private"}
    llvm.func @gain(%arg0: f32, %arg1: i64) -> f32 {
      %0 = llvm.trunc %arg1 : i64 to i32
      %1 = llvm.sitofp %0 : i32 to f32
      %2 = llvm.call @erff(%1) : (f32) -> f32
      %3 = llvm.fmul %arg0, %2 : f32
      llvm.return %3 : f32
    }
    ```
  }];
  let options = [
    Option<"genericFunctions", "generic-functions", "bool", "false",
           "Allocate with `_mlir_memref_to_llvm_aligned_alloc` and free with "
           "`_mlir_memref_to_llvm_free`, which a runtime defines, instead of "
           "malloc and free; and call its `memrefCopy` for much memory">];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::vector::VectorDialect"];
}

#endif // AMP_CONVERSION_PASSES_TD
