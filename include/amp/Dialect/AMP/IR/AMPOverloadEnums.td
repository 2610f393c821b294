//===- AMPOverloadEnums.td - enums of overload sets --------*- tablegen -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_DIALECT_AMP_IR_AMPOVERLOADENUMS_TD
#define AMP_DIALECT_AMP_IR_AMPOVERLOADENUMS_TD

include "mlir/IR/EnumAttr.td"

def AMP_OverloadTies : I32Enum<"OverloadTies",
    "which of several overloads that match equally well is taken", [
      I32EnumCase<"error", 0>, I32EnumCase<"first", 1>,
      I32EnumCase<"last", 2>]> {
  let cppNamespace = "::mlir::amp";
}

#endif // AMP_DIALECT_AMP_IR_AMPOVERLOADENUMS_TD
