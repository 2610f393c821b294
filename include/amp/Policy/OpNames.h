//===- OpNames.h - the names that policies know ops by ----------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_POLICY_OPNAMES_H
#define AMP_POLICY_OPNAMES_H

#include "mlir/IR/Operation.h"

#include "llvm/Support/Regex.h"

namespace mlir::amp {

/// The name that the program gives to this one op: its attribute `amp.name`, or
/// else the outermost NameLoc of its location, of the callee's part where a
/// call was inlined. Empty if it has neither.
StringRef getInstanceName(Operation *op);

/// One spelling of an op name: "torch.ops.aten.mm.default", "torch.aten.mm" and
/// "aten.mm" are one op. Other names are as they are.
StringRef normalizeOpName(StringRef name);

/// The name under which tables of facts list an op: normalized, and of ATen ops
/// without overload and without the underscore of in-place variants ("aten.sum"
/// for "torch.aten.sum.dim_IntList").
StringRef getFactName(StringRef name);

/// A pattern for names: a POSIX extended regular expression that has to match
/// from the start of the name, but not to its end (as Python's re.match).
class NamePattern {
public:
  /// Compiles `text`. Fails with a message that says what is wrong; a backslash
  /// before a letter, which POSIX has not and would take for the letter, is
  /// wrong too.
  static FailureOr<NamePattern> get(StringRef text, std::string &error);

  bool matches(StringRef name) const;
  StringRef getText() const { return text; }

private:
  NamePattern(StringRef text) : text(text), regex(text) {}

  std::string text;
  llvm::Regex regex;
};

} // namespace mlir::amp

#endif // AMP_POLICY_OPNAMES_H
