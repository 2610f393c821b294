//===- OpNames.cpp - the names that policies know ops by ------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Policy/OpNames.h"

#include "amp/Dialect/AMP/IR/AMP.h"

#include "mlir/IR/Location.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::amp;

/// The first name in `loc`, from the outside in.
static StringRef getName(Location loc) {
  if (auto name = dyn_cast<NameLoc>(loc))
    return name.getName();
  if (auto call = dyn_cast<CallSiteLoc>(loc))
    return getName(call.getCallee());
  if (auto fused = dyn_cast<FusedLoc>(loc))
    for (Location part : fused.getLocations())
      if (StringRef name = getName(part); !name.empty())
        return name;
  return {};
}

StringRef mlir::amp::getInstanceName(Operation *op) {
  if (auto name = op->getAttrOfType<StringAttr>(AMPDialect::kNameAttrName))
    return name.getValue();
  return getName(op->getLoc());
}

StringRef mlir::amp::normalizeOpName(StringRef name) {
  StringRef bare = name;
  if (!bare.consume_front("torch.ops."))
    bare.consume_front("torch.");
  if (!bare.starts_with("aten."))
    return name;
  bare.consume_back(".default");
  return bare;
}

StringRef mlir::amp::getFactName(StringRef name) {
  name = normalizeOpName(name);
  if (!name.starts_with("aten."))
    return name;
  StringRef base =
      name.take_front(name.find('.', std::size("aten.") - 1)); // Or all of it.
  // "aten._softmax" begins with one, "aten.add_" ends with one.
  base.consume_back("_");
  return base;
}

FailureOr<NamePattern> NamePattern::get(StringRef text, std::string &error) {
  for (size_t i = 0; i + 1 < text.size(); ++i) {
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
