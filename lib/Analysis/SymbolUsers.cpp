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

SymbolUsers::SymbolUsers(SymbolTableCollection &symbols, Operation *root) {
  root->walk([&](Operation *op) {
    op->getAttrDictionary().walk<WalkOrder::PreOrder>(
        [&](SymbolRefAttr symbol) {
          Operation *found = symbols.lookupNearestSymbolFrom(op, symbol);
          if (!found)
            return WalkResult::skip();
          SmallVector<Operation *> &list = users[found];
          if (list.empty() || list.back() != op)
            list.push_back(op);
          // The path to the symbol is no use of its own.
          return WalkResult::skip();
        });
  });
}

ArrayRef<Operation *> SymbolUsers::getUsers(Operation *symbol) const {
  auto it = users.find(symbol);
  return it == users.end() ? ArrayRef<Operation *>() : it->second;
}
