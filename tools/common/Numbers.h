//===- Numbers.h - numbers of command lines ---------------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TOOLS_COMMON_NUMBERS_H
#define AMP_TOOLS_COMMON_NUMBERS_H

#include "amp/Support/Errors.h"
#include "llvm/ADT/StringRef.h"

namespace mlir::amp {

/// The number in `text`, such as 42. Options whose value may be left out are
/// texts, as LLVM's own of numbers take no value for a wrong one.
inline llvm::Expected<uint64_t> parseNumber(llvm::StringRef option,
                                            llvm::StringRef text) {
  uint64_t value;
  if (text.getAsInteger(0, value))
    return makeError(option + ": expected a number, found '" + text + "'");
  return value;
}

} // namespace mlir::amp

#endif // AMP_TOOLS_COMMON_NUMBERS_H
