//===- AMP.h - the amp dialect ----------------------------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_DIALECT_AMP_IR_AMP_H
#define AMP_DIALECT_AMP_IR_AMP_H

#include "amp/Interfaces/PrecisionOpInterface.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CastInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::amp {

/// Whether amp takes `type` as an element type: f64, f32, f16, bf16, an 8-bit
/// float, or an integer of 1 to 64 bits.
bool isAMPElementType(Type type);

/// Whether `type` is a complex number that amp.cast and amp.promote take: of
/// f16, f32 or f64, as torch has them.
bool isAMPComplexType(Type type);

} // namespace mlir::amp

#include "amp/Dialect/AMP/IR/AMPDialect.h.inc"
#include "amp/Dialect/AMP/IR/AMPEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "amp/Dialect/AMP/IR/AMPAttributes.h.inc"

#define GET_TYPEDEF_CLASSES
#include "amp/Dialect/AMP/IR/AMPTypes.h.inc"

#define GET_OP_CLASSES
#include "amp/Dialect/AMP/IR/AMPOps.h.inc"

namespace mlir::amp {

/// For passes after amp-apply-precision: emits an error on the first op under
/// `root` that is a scope or an import form of one, or carries a decision, and
/// says what to run before the pass called `pass`.
LogicalResult rejectUnappliedScopes(Operation *root, StringRef pass);

} // namespace mlir::amp

#endif // AMP_DIALECT_AMP_IR_AMP_H
