//===- PrecisionOpInterface.td - what an op can do about precision -*- tablegen -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_INTERFACES_PRECISIONOPINTERFACE_TD
#define AMP_INTERFACES_PRECISIONOPINTERFACE_TD

include "mlir/IR/OpBase.td"

def PrecisionOpInterface : OpInterface<"PrecisionOpInterface"> {
  let cppNamespace = "::mlir::amp";
  let description = [{
    What an op can do about the element types of its operands and results. It
    says nothing of what is wanted: that is the business of policy sets.

    Three types are told apart. The *storage* type is the element type of the
    tensors that an op reads and writes. The *compute* type is that in which an
    elementwise payload computes, or a contraction or reduction accumulates. A
    matmul under f16 stores f16 and accumulates f32.
  }];
  let methods = [
    InterfaceMethod<[{
        The kind of op: policy sets have an entry for each kind, for ops that
        they do not list by name.
      }], "::mlir::amp::PrecisionClass", "getPrecisionClass", (ins)>,
    InterfaceMethod<[{
        What the op does with operand number `operand`. The default: a float
        (scalar, vector or tensor) is an input, anything else is ignored.
      }], "::mlir::amp::OperandRole", "getOperandRole",
      (ins "unsigned":$operand), /*methodBody=*/"", [{
        return ::mlir::amp::detail::getDefaultOperandRole(
            $_op.getOperation(), operand);
      }]>,
    InterfaceMethod<[{
        Collects the arith and math ops that the op applies to each element. A
        policy for one of them is a policy for the op.
      }], "void", "getPayloadOperations",
      (ins "::llvm::SmallVectorImpl<::mlir::Operation *> &":$payload),
      /*methodBody=*/"", /*defaultImplementation=*/"(void)payload;">,
    InterfaceMethod<[{
        Whether the inputs may have different element types. Where they may not,
        an elementwise promotion goes in front of the op.
      }], "bool", "acceptsMixedOperands", (ins), /*methodBody=*/"",
      /*defaultImplementation=*/"return false;">,
    InterfaceMethod<[{
        Whether the op can take inputs of a narrow type and give results of a
        wider one, as torch's `dtype` argument asks for.
      }], "bool", "hasFreeResultType", (ins), /*methodBody=*/"",
      /*defaultImplementation=*/"return false;">,
    InterfaceMethod<[{
        The type in which the op computes or accumulates on storage type
        `storage`: f32 for floats of up to 32 bits, f64 for f64.
      }], "::mlir::Type", "getComputeType", (ins "::mlir::Type":$storage),
      /*methodBody=*/"", [{
        return ::mlir::amp::detail::getDefaultComputeType(storage);
      }]>,
    InterfaceMethod<[{
        The element type that result number `result` will really have once the
        op is retyped with `types`: a contraction gives its accumulator. The
        caller casts it to `types.results[result]`.
      }], "::mlir::Type", "getRetypedResult",
      (ins "const ::mlir::amp::PrecisionTypes &":$types, "unsigned":$result),
      /*methodBody=*/"", /*defaultImplementation=*/[{
        return types.results[result];
      }]>,
    InterfaceMethod<[{
        Gives the op the types `types`, in place. The operands already have
        their new element types, destinations included; this sets the types of
        the results to those of `getRetypedResult`, and rebuilds attributes,
        regions and payload to match. Fails with an error on the op, before any
        change, if the op cannot have these types.
      }], "::llvm::LogicalResult", "retype",
      (ins "::mlir::RewriterBase &":$rewriter,
           "const ::mlir::amp::PrecisionTypes &":$types),
      /*methodBody=*/"", [{
        (void)rewriter;
        return ::mlir::amp::detail::retypeResults($_op, types);
      }]>,
    InterfaceMethod<[{
        How many products or elements go into one element of the result: K of a
        matmul, channels times window of a convolution, the reduced extent of a
        reduction. Nothing for ops that do not reduce, and for dynamic extents.
      }], "::std::optional<int64_t>", "getReductionDepth", (ins),
      /*methodBody=*/"", /*defaultImplementation=*/"return ::std::nullopt;">,
    InterfaceMethod<[{
        Floating-point operations of the op (a fused multiply-add counts two).
        Nothing where extents are dynamic or the op has no such number.
      }], "::std::optional<int64_t>", "getNumFlops", (ins),
      /*methodBody=*/"", /*defaultImplementation=*/"return ::std::nullopt;">,
    InterfaceMethod<[{
        Bytes that the op reads and writes: of its ranked operands that it reads
        and of its results. Nothing where extents are dynamic.
      }], "::std::optional<int64_t>", "getNumBytes", (ins),
      /*methodBody=*/"", [{
        return ::mlir::amp::detail::getDefaultNumBytes($_op);
      }]>
  ];
}

#endif // AMP_INTERFACES_PRECISIONOPINTERFACE_TD
