//===- MergeMaps.cpp - elementwise ops of a kernel become one -------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelForm.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::kernels;

/// Whether `op` is elementwise, and no reduction reads what it gives: such a
/// value stays apart.
static bool isMergeable(linalg::GenericOp op) {
  return op.getNumReductionLoops() == 0 && op.hasPureTensorSemantics() &&
         llvm::all_of(op->getUsers(), [](Operation *user) {
           auto reader = dyn_cast<linalg::LinalgOp>(user);
           return !reader || reader.getNumReductionLoops() == 0;
         });
}

/// Whether the loops of both are the same, as a tensor shows that both read in
/// the same way.
static bool haveSameLoops(linalg::GenericOp first, linalg::GenericOp second) {
  if (first.getIteratorTypesArray() != second.getIteratorTypesArray() ||
      first.getStaticLoopRanges() != second.getStaticLoopRanges())
    return false;
  for (OpOperand *a : first.getDpsInputOperands())
    for (OpOperand *b : second.getDpsInputOperands()) {
      AffineMap map = first.getMatchingIndexingMap(a);
      if (a->get() == b->get() && map.isPermutation() &&
          map == second.getMatchingIndexingMap(b))
        return true;
    }
  return false;
}

/// One op that does what both do, in the place of `second`.
static void merge(RewriterBase &rewriter, linalg::GenericOp first,
                  linalg::GenericOp second) {
  SmallVector<Value> inputs, inits;
  SmallVector<AffineMap> maps;
  for (linalg::GenericOp op : {first, second})
    for (OpOperand *input : op.getDpsInputOperands()) {
      inputs.push_back(input->get());
      maps.push_back(op.getMatchingIndexingMap(input));
    }
  for (linalg::GenericOp op : {first, second})
    for (OpOperand &init : op.getDpsInitsMutable()) {
      inits.push_back(init.get());
      maps.push_back(op.getMatchingIndexingMap(&init));
    }
  rewriter.setInsertionPoint(second);
  auto merged = linalg::GenericOp::create(
      rewriter,
      FusedLoc::get(first.getContext(), {first.getLoc(), second.getLoc()}),
      ValueRange(inits).getTypes(), inputs, inits, maps,
      first.getIteratorTypesArray(),
      [&](OpBuilder &b, Location loc, ValueRange args) {
        SmallVector<Value> yields;
        unsigned input = 0, init = inputs.size();
        for (linalg::GenericOp op : {first, second}) {
          IRMapping mapping;
          for (BlockArgument argument : op.getBlock()->getArguments())
            mapping.map(argument, argument.getArgNumber() < op.getNumDpsInputs()
                                      ? args[input++]
                                      : args[init++]);
          for (Operation &nested : op.getBlock()->without_terminator())
            b.clone(nested, mapping);
          for (Value value : op.getBlock()->getTerminator()->getOperands())
            yields.push_back(mapping.lookupOrDefault(value));
        }
        linalg::YieldOp::create(b, loc, yields);
      });
  rewriter.replaceOp(first,
                     merged.getResults().take_front(first.getNumResults()));
  rewriter.replaceOp(second,
                     merged.getResults().take_back(second.getNumResults()));
}

bool kernels::mergeMaps(func::FuncOp kernel) {
  IRRewriter rewriter(kernel.getContext());
  bool changed = false;
  for (bool again = true; again;) {
    again = false;
    SmallVector<linalg::GenericOp> ops;
    for (auto op : kernel.front().getOps<linalg::GenericOp>())
      if (isMergeable(op))
        ops.push_back(op);
    for (unsigned i = 0; i < ops.size() && !again; ++i)
      for (unsigned j = i + 1; j < ops.size() && !again; ++j) {
        // Who reads the first must come after the second, which cannot depend
        // on it then.
        bool isFree = llvm::all_of(ops[i]->getUsers(), [&](Operation *user) {
          return user != ops[j] && ops[j]->isBeforeInBlock(user);
        });
        if (!isFree || !haveSameLoops(ops[i], ops[j]))
          continue;
        merge(rewriter, ops[i], ops[j]);
        again = changed = true;
      }
  }
  return changed;
}
