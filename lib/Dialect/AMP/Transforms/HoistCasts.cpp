//===- HoistCasts.cpp - casts of values from outside of loops -------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HoistCasts.h"

#include "amp/Dialect/AMP/IR/AMP.h"

#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::amp;

/// The outermost loop around `op` that `value` comes from outside of; null if
/// there is none.
static Operation *findLoop(Operation *op, Value value) {
  Operation *found = nullptr;
  Region *home = value.getParentRegion();
  for (Operation *parent = op->getParentOp(); parent;
       parent = parent->getParentOp()) {
    if (home->getParentOp() == parent ||
        parent->hasTrait<OpTrait::IsIsolatedFromAbove>())
      break;
    if (isa<LoopLikeOpInterface>(parent))
      found = parent;
  }
  return found;
}

int64_t mlir::amp::hoistCasts(Operation *root) {
  SmallVector<CastOp> casts;
  root->walk([&](CastOp cast) {
    // What the program wrote stays where it wrote it.
    if (cast.getOrigin() != CastOrigin::user)
      casts.push_back(cast);
  });
  int64_t numMoved = 0;
  DenseMap<std::pair<Operation *, Value>, SmallVector<CastOp>> moved;
  for (CastOp cast : casts) {
    // Only now: what it casts may have left the loop before it.
    Operation *loop = findLoop(cast, cast.getInput());
    if (!loop)
      continue;
    SmallVector<CastOp> &before = moved[{loop, cast.getInput()}];
    auto *same = llvm::find_if(before, [&](CastOp other) {
      return OperationEquivalence::isEquivalentTo(
          cast, other, OperationEquivalence::IgnoreLocations);
    });
    ++numMoved;
    if (same != before.end()) {
      cast.replaceAllUsesWith(same->getResult());
      cast.erase();
      continue;
    }
    cast->moveBefore(loop);
    before.push_back(cast);
  }
  return numMoved;
}
