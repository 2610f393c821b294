//===- NamePattern.cpp - patterns for the names of ops --------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Dialect/AMP/IR/NamePattern.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::amp;

FailureOr<NamePattern> NamePattern::get(StringRef text, std::string &error) {
  bool isInBrackets = false;
  for (size_t i = 0; i + 1 < text.size(); ++i) {
    if (text[i] == '[' || text[i] == ']')
      isInBrackets = text[i] == '[';
    if (!isInBrackets && text.substr(i).starts_with("{,")) {
      error =
          "'{,' has no meaning in POSIX extended regular expressions: write "
          "the least number, as in {0,3}";
      return failure();
    }
    if (text[i] != '\\')
      continue;
    char escaped = text[++i];
    if (!llvm::isAlpha(escaped))
      continue;
    error = (Twine("'\\") + Twine(escaped) +
             "' has no meaning in POSIX extended regular expressions: write a "
             "bracket expression, such as [0-9] or [[:alnum:]_]")
                .str();
    return failure();
  }
  NamePattern pattern(text);
  if (!pattern.regex.isValid(error))
    return failure();
  return pattern;
}

bool NamePattern::matches(StringRef name) const {
  // The leftmost match is at the start if there is one.
  SmallVector<StringRef, 1> groups;
  return regex.match(name, &groups) && groups.front().begin() == name.begin();
}
