//===- Passes.td - conversions out of the amp dialect -------*- tablegen -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_CONVERSION_PASSES_TD
#define AMP_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

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
    - `amp.out_dtype` to the op inside with its accumulator as result type,
      and one cast. A named contraction or convolution stays the named op.
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
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect"];
  let statistics = [
    Statistic<"numCasts", "num-casts", "Number of amp.cast ops lowered">,
    Statistic<"numOutDtypes", "num-out-dtypes",
              "Number of amp.out_dtype ops lowered">];
}

#endif // AMP_CONVERSION_PASSES_TD
