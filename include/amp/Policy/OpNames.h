//===- OpNames.h - the names that policies know ops by ----------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_POLICY_OPNAMES_H
#define AMP_POLICY_OPNAMES_H

#include "amp/Dialect/AMP/IR/NamePattern.h"

#include "mlir/IR/Operation.h"

#include <string>

namespace mlir::amp {

/// The name that the program gives to this one op: its attribute `amp.name`, or
/// else the outermost NameLoc of its location, of the callee's part where a
/// call was inlined. Empty if it has neither.
StringRef getInstanceName(Operation *op);

/// Where `op` stands: "file:line:column", of the callee where a call was
/// inlined. Empty if its location names no file.
std::string getPlace(Operation *op);

/// Whether `op` stands at `place`, as getPlace says it, with or without
/// folders.
bool isAtPlace(Operation *op, StringRef place);

/// The name under which tables of facts list an op: normalized, and of ATen ops
/// without overload and without the underscore of in-place variants ("aten.sum"
/// for "torch.aten.sum.dim_IntList").
StringRef getFactName(StringRef name);

} // namespace mlir::amp

#endif // AMP_POLICY_OPNAMES_H
