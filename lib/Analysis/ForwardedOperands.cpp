//===- ForwardedOperands.cpp - operands that control flow hands on --------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Analysis/ForwardedOperands.h"

#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;
using namespace mlir::amp;

SmallVector<ForwardedOperand> mlir::amp::getForwardedOperands(Operation *op) {
  SmallVector<ForwardedOperand> result;
  auto add = [&](OperandRange operands, ValueRange inputs) {
    // An empty range has no place among the operands.
    if (operands.empty())
      return;
    unsigned index = operands.getBeginOperandIndex();
    for (Value input : inputs.take_front(operands.size()))
      result.push_back({&op->getOpOperand(index++), input});
  };
  if (auto branch = dyn_cast<RegionBranchOpInterface>(op)) {
    SmallVector<RegionSuccessor> successors;
    branch.getSuccessorRegions(RegionBranchPoint::parent(), successors);
    for (const RegionSuccessor &successor : successors)
      add(branch.getEntrySuccessorOperands(successor),
          successor.getSuccessorInputs());
  }
  auto terminator = dyn_cast<RegionBranchTerminatorOpInterface>(op);
  auto parent = dyn_cast_or_null<RegionBranchOpInterface>(op->getParentOp());
  if (terminator && parent) {
    SmallVector<RegionSuccessor> successors;
    parent.getSuccessorRegions(terminator, successors);
    for (const RegionSuccessor &successor : successors)
      add(terminator.getSuccessorOperands(successor),
          successor.getSuccessorInputs());
  }
  if (auto branch = dyn_cast<BranchOpInterface>(op))
    for (auto [index, block] : llvm::enumerate(op->getSuccessors())) {
      SuccessorOperands operands = branch.getSuccessorOperands(index);
      for (unsigned argument = operands.getProducedOperandCount(),
                    e = operands.size();
           argument != e; ++argument)
        result.push_back({&op->getOpOperand(operands.getOperandIndex(argument)),
                          block->getArgument(argument)});
    }
  return result;
}
