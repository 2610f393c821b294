//===- Errors.cpp - llvm::Error with a text -------------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Support/Errors.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir::amp;

char ToldError::ID = 0;

void ToldError::log(llvm::raw_ostream &os) const {
  os << "a diagnostic has told why";
}

std::error_code ToldError::convertToErrorCode() const {
  return llvm::inconvertibleErrorCode();
}

void mlir::amp::reportError(llvm::StringRef tool, llvm::Error error) {
  llvm::handleAllErrors(
      std::move(error), [](const ToldError &) {},
      [&](const llvm::ErrorInfoBase &info) {
        llvm::errs() << tool << ": error: " << info.message() << "\n";
      });
}
