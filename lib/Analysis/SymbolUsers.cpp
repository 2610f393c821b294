//===- SymbolUsers.cpp - the ops that use a symbol ------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Analysis/SymbolUsers.h"

using namespace mlir;
using namespace mlir::amp;

/// Appends the symbols that `attribute` names.
static void collectSymbols(Attribute attribute,
                           SmallVectorImpl<SymbolRefAttr> &symbols) {
  attribute.walk<WalkOrder::PreOrder>([&](SymbolRefAttr symbol) {
    symbols.push_back(symbol);
    // The path to the symbol is no use of its own.
    return WalkResult::skip();
  });
}

SymbolUsers::SymbolUsers(SymbolTableCollection &symbols, Operation *root,
                         function_ref<void(Operation *)> visitOp) {
  // Attributes are unique, and most ops share theirs with others.
  DenseMap<Attribute, SmallVector<SymbolRefAttr, 1>> named;
  auto visit = [&](Operation *op, Attribute attribute) {
    auto [it, inserted] = named.try_emplace(attribute);
    if (inserted)
      collectSymbols(attribute, it->second);
    for (SymbolRefAttr symbol : it->second) {
      Operation *found = symbols.lookupNearestSymbolFrom(op, symbol);
      if (!found)
        continue;
      SmallVector<Operation *> &list = users[found];
      if (list.empty() || list.back() != op)
        list.push_back(op);
    }
  };
  root->walk([&](Operation *op) {
    if (visitOp)
      visitOp(op);
    for (NamedAttribute attribute : op->getDiscardableAttrs())
      visit(op, attribute.getValue());
    if (op->getPropertiesStorageSize() == 0)
      return;
    if (!op->isRegistered()) {
      if (Attribute properties = op->getPropertiesAsAttribute())
        visit(op, properties);
      return;
    }
    // One by one: a dictionary of them would have to be made for each op.
    for (StringAttr name : op->getName().getAttributeNames()) {
      if (name.getValue().ends_with("SegmentSizes"))
        continue;
      std::optional<Attribute> attribute = op->getInherentAttr(name);
      if (attribute && *attribute)
        visit(op, *attribute);
    }
  });
}

ArrayRef<Operation *> SymbolUsers::getUsers(Operation *symbol) const {
  auto it = users.find(symbol);
  return it == users.end() ? ArrayRef<Operation *>() : it->second;
}
