//===- Errors.h - llvm::Error with a text -----------------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_SUPPORT_ERRORS_H
#define AMP_SUPPORT_ERRORS_H

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

namespace mlir::amp {

/// An error whose text is `message`.
inline llvm::Error makeError(const llvm::Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

/// An error that a diagnostic has told of, with its place: who reports errors
/// has nothing to add.
class ToldError : public llvm::ErrorInfo<ToldError> {
public:
  static char ID;

  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override;
};

/// Prints "`tool`: error: " and the text of `error`; nothing of a ToldError.
void reportError(llvm::StringRef tool, llvm::Error error);

/// `error` with "`context`: " in front of its text; success stays success, and
/// a ToldError what it is.
inline llvm::Error inContext(const llvm::Twine &context, llvm::Error error) {
  if (!error || error.isA<ToldError>())
    return error;
  return makeError(context + ": " + llvm::toString(std::move(error)));
}

} // namespace mlir::amp

#endif // AMP_SUPPORT_ERRORS_H
