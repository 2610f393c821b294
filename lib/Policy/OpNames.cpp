//===- OpNames.cpp - the names that policies know ops by ------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Policy/OpNames.h"

#include "amp/Dialect/AMP/IR/AMPPolicyOps.h"

#include "mlir/IR/Location.h"

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

std::string mlir::amp::getPlace(Operation *op) {
  auto file = op->getLoc()->findInstanceOf<FileLineColLoc>();
  if (!file)
    return {};
  return (file.getFilename().getValue() + ":" + Twine(file.getLine()) + ":" +
          Twine(file.getColumn()))
      .str();
}

bool mlir::amp::isAtPlace(Operation *op, StringRef place) {
  std::string own = getPlace(op);
  StringRef folder = own;
  return folder.consume_back(place) &&
         (folder.empty() || folder.ends_with("/"));
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
