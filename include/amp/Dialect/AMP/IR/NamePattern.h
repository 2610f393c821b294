//===- NamePattern.h - patterns for the names of ops ------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_DIALECT_AMP_IR_NAMEPATTERN_H
#define AMP_DIALECT_AMP_IR_NAMEPATTERN_H

#include "mlir/Support/LLVM.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Regex.h"

#include <string>

namespace mlir::amp {

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

#endif // AMP_DIALECT_AMP_IR_NAMEPATTERN_H
