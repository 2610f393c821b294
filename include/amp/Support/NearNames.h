//===- NearNames.h - names that a misspelt one may mean ---------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_SUPPORT_NEARNAMES_H
#define AMP_SUPPORT_NEARNAMES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace mlir::amp {

/// Those of `known` that take the fewest edits to make of `name`, at most five,
/// in their order; none where it takes more than a third of its letters.
llvm::SmallVector<llvm::StringRef>
findNearNames(llvm::StringRef name, llvm::ArrayRef<llvm::StringRef> known);

/// The same as the end of a message: "; did you mean 'avx2' or 'avx'?". Empty
/// where none is near.
std::string suggestNames(llvm::StringRef name,
                         llvm::ArrayRef<llvm::StringRef> known);

} // namespace mlir::amp

#endif // AMP_SUPPORT_NEARNAMES_H
