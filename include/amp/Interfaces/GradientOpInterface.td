//===- GradientOpInterface.td - ops that have a gradient ---*- tablegen -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_INTERFACES_GRADIENTOPINTERFACE_TD
#define AMP_INTERFACES_GRADIENTOPINTERFACE_TD

include "mlir/IR/OpBase.td"

def GradientOpInterface : OpInterface<"GradientOpInterface"> {
  let cppNamespace = "::mlir::amp";
  let description = [{
    An op with one result that can build the gradients of its operands from the
    gradient of its result: its vector-Jacobian product. Of integers, which have
    no gradient of their own, it is that of the float formula (straight-through).
  }];
  let methods = [
    InterfaceMethod<[{
        The element type that the gradient of a value of element type `type`
        has: the type itself if it is a float, else the one that the op names.
      }], "::mlir::Type", "getGradientType", (ins "::mlir::Type":$type)>,
    InterfaceMethod<[{
        Builds the gradients at the insertion point of `builder`, which the op
        dominates. `resultGradient` has the shape of the result and the element
        type `getGradientType` of its. `gradients` gets one value per operand of
        the op, of the operand's shape, and null for an operand that has none (a
        destination, a zero point). Fails with an error on the op, without a
        change, where there is no formula.
      }], "::llvm::LogicalResult", "buildGradients",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Value":$resultGradient,
           "::llvm::SmallVectorImpl<::mlir::Value> &":$gradients)>
  ];
}

#endif // AMP_INTERFACES_GRADIENTOPINTERFACE_TD
