//===- Checks.h - checks as a program runs ----------------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_EXECUTION_CHECKS_H
#define AMP_LIB_EXECUTION_CHECKS_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::amp {

/// What a check of `op` says when it fails: its place in the file, and "error:
/// `subject`'NAME' `problem`".
std::string describeCheck(Operation *op, StringRef subject, StringRef problem);

/// Puts checks (cf.assert) of what depends on arguments into `module`, on
/// tensors: code would read what is not there, or write beyond what there is.
///   - before linalg ops of dynamic shape, that the sizes of their operands
///     agree;
///   - before slices (also those that are written) and casts, that they are
///     within the tensor;
///   - before concatenations, softmax, pack and unpack, that sizes of operands
///     and results go together, and before tensor.dim of a computed index, that
///     there is such a dimension;
///   - before ops that make a tensor of computed sizes, that no size is below 0
///     and that its bytes can be counted;
///   - before tensor.expand_shape, that the sizes multiply to those it splits,
///     and before tensor.reshape, that they multiply to the number of elements.
/// Ops inside of payloads stay as they are.
void addSizeChecks(ModuleOp module);

/// Puts checks (cf.assert) into `module`, on tensors, that tensor.extract and
/// tensor.insert have indices within their tensors, where that is not known.
///
/// The indices of a gather (an extract in the payload of a linalg op) are
/// checked before that op, by a reduction over those of its loops that they
/// depend on: once for each row where rows of a table are read, and in vectors.
/// The gather is as it was. Other extracts, those that only some runs of a
/// payload reach, and those with an index that depends on a sum are checked
/// where they are.
void addIndexChecks(ModuleOp module);

} // namespace mlir::amp

#endif // AMP_LIB_EXECUTION_CHECKS_H
