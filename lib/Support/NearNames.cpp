//===- NearNames.cpp - names that a misspelt one may mean -----------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Support/NearNames.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir::amp;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;

SmallVector<StringRef> mlir::amp::findNearNames(StringRef name,
                                                ArrayRef<StringRef> known) {
  constexpr size_t kMost = 5;
  unsigned limit = std::max<unsigned>(1, name.size() / 3);
  SmallVector<StringRef> nearest;
  for (StringRef candidate : known) {
    unsigned distance = name.edit_distance(
        candidate, /*AllowReplacements=*/true, /*MaxEditDistance=*/limit);
    if (distance > limit)
      continue;
    if (distance < limit)
      nearest.clear();
    limit = distance;
    if (nearest.size() < kMost && !llvm::is_contained(nearest, candidate))
      nearest.push_back(candidate);
  }
  return nearest;
}

std::string mlir::amp::suggestNames(StringRef name, ArrayRef<StringRef> known) {
  SmallVector<StringRef> near = findNearNames(name, known);
  std::string text;
  for (auto [i, candidate] : llvm::enumerate(near)) {
    text += i == 0 ? "; did you mean " : i + 1 < near.size() ? ", " : " or ";
    text += "'" + candidate.str() + "'";
  }
  return text.empty() ? text : text + "?";
}
