//===- AMPPolicyOps.h - policies as operations ------------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_DIALECT_AMP_IR_AMPPOLICYOPS_H
#define AMP_DIALECT_AMP_IR_AMPPOLICYOPS_H

#include "amp/Dialect/AMP/IR/AMP.h"

#include "mlir/IR/RegionKindInterface.h"

#include <optional>

#define GET_OP_CLASSES
#include "amp/Dialect/AMP/IR/AMPPolicyOps.h.inc"

namespace mlir::amp {

/// The spelling under which policies know an op: ATen names lose "torch." in
/// front and ".default" behind; other names stay.
StringRef normalizeOpName(StringRef name);

/// The name among `candidates` that is closest to `name`, for "did you mean";
/// empty if none is close (more than a third of the letters differ). The first
/// one in a tie.
StringRef findNearestName(StringRef name, ArrayRef<StringRef> candidates);

/// What is wrong with `name` as the name of an op, as the rest of a sentence
/// that begins with it; empty if nothing. A pattern may end in ".*".
std::string getOpNameProblem(StringRef name, bool mayBePattern);

/// The class that policies call `name`, such as "data_movement".
std::optional<PrecisionClass> symbolizePrecisionClass(StringRef name);

} // namespace mlir::amp

#endif // AMP_DIALECT_AMP_IR_AMPPOLICYOPS_H
