//===- AMPOutDtypeOps.td - ops with a result type of their own -*- tablegen -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Included by AMPOps.td, which defines the classes and constraints used here.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_DIALECT_AMP_IR_AMPOUTDTYPEOPS_TD
#define AMP_DIALECT_AMP_IR_AMPOUTDTYPEOPS_TD

//===----------------------------------------------------------------------===//
// OutDtypeOp
//===----------------------------------------------------------------------===//

def AMP_OutDtypeOp : AMP_Op<"out_dtype", [
    IsolatedFromAbove, SingleBlock, RecursiveMemoryEffects,
    RecursivelySpeculatable,
    DeclareOpInterfaceMethods<PrecisionOpInterface,
        ["getOperandRole", "getComputeType", "getRetypedResult", "retype",
         "acceptsMixedOperands", "getReductionDepth", "getNumFlops"]>]> {
  let summary = "one op whose result is given in another element type";
  let description = [{
    The body holds exactly one op, on the block arguments, and yields its
    result. The value of `amp.out_dtype` is what that op would give if it
    accumulated in a type that holds both its own accumulator (f32 for floats,
    f64 for f64, i32 for integers of up to 32 bits, else i64) and the requested
    type, rounded once into the requested element type: integers wrap, floats
    that become integers truncate toward zero. Operands are not widened in
    memory. The body keeps the op's natural type, so it verifies as it stands;
    the op is no region-branch op, because what leaves is not what is yielded.

    The op must be an op overload (of torch's, one named `aten.<name>` or
    `aten.<name>.<overload>`), functional (no in-place and no `out=` variant),
    have one tensor as its result, and be one of: a contraction or convolution
    (linalg, tosa), an elementwise multiplication or division (arith, linalg,
    tosa), or `aten.mm`, `aten.bmm`, `aten.linear`, `aten.conv1d`,
    `aten.conv2d`, `aten.conv3d`, `aten.convolution`, `aten.mul.Tensor`,
    `aten.mul.Scalar`, `aten.div.Tensor`, `aten.div.Scalar`. The verifier checks
    this in that order, which is torch's. See `docs/out-dtype.md`.

    The op pins its own types: autocast does not change what is inside. With
    `transparent` it does, as in torch: under a policy the operands are cast as
    for the op inside, and only the result keeps its type.

    `gradient` names the float type in which `amp-out-dtype-backward` computes
    the gradients of integer operands and takes that of an integer result.

    **Lifespan**: created by front ends; gone after `amp-lower-out-dtype`, which
    is part of `amp-lower-to-linalg`.

    | operands | accumulator | result |
    |---|---|---|
    | i4, i8 | i32, or i64 if the result is | any |
    | i16, i32 | i32; i64 if the result is, or is a float | any |
    | f16, bf16, f8, f32, or integers with one of these | f32, or f64 if the result is | any |
    | f64 | f64 | any |

    Example:

    ```mlir
    func.func @out_dtype(%a: tensor<4x8xi8>, %b: tensor<8x4xi8>, %init: tensor<4x4xi8>) -> tensor<4x4xi32> {
      %0 = amp.out_dtype (%x = %a : tensor<4x8xi8>, %y = %b : tensor<8x4xi8>, %z = %init : tensor<4x4xi8>) -> tensor<4x4xi32> {
        %1 = linalg.matmul ins(%x, %y : tensor<4x8xi8>, tensor<8x4xi8>) outs(%z : tensor<4x4xi8>) -> tensor<4x4xi8>
        amp.yield %1 : tensor<4x4xi8>
      }
      return %0 : tensor<4x4xi32>
    }
    ```
  }];
  let arguments = (ins
    Arg<Variadic<AnyType>, "operands of the op inside">:$captures,
    UnitProp:$transparent,
    OptionalAttr<TypeAttr>:$gradient);
  let results = (outs Res<RankedTensorOf<[AMP_Element]>,
                          "result of the op in the requested element type">:$result);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// The op inside the body.
    ::mlir::Operation *getInnerOp();

    /// The capture that `inner`, an operand of the op inside, stands for.
    ::mlir::Value getCapture(::mlir::Value inner);

    /// Which capture operand number `operand` of the op inside is.
    unsigned getCaptureNumber(unsigned operand);
  }];
}

#endif // AMP_DIALECT_AMP_IR_AMPOUTDTYPEOPS_TD
