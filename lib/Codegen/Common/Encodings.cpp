//===- Encodings.cpp - tensors that are laid out in other ways ------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/Common/Encodings.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::amp;

static LogicalResult check(Location loc, Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.getEncoding())
    return success();
  return emitError(loc, "cannot be compiled: the type ")
         << type
         << " has an encoding; expected tensors without one, which are dense: "
            "convert it, or leave the encoding out where it says nothing of "
            "the elements";
}

LogicalResult mlir::amp::checkEncodings(Operation *root) {
  WalkResult found = root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto function = dyn_cast<FunctionOpInterface>(op)) {
      for (Type type : function.getArgumentTypes())
        if (function.isExternal() && failed(check(op->getLoc(), type)))
          return WalkResult::interrupt();
      for (Type type : function.getResultTypes())
        if (failed(check(op->getLoc(), type)))
          return WalkResult::interrupt();
    }
    for (Type type : op->getResultTypes())
      if (failed(check(op->getLoc(), type)))
        return WalkResult::interrupt();
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          if (failed(check(argument.getLoc(), argument.getType())))
            return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return failure(found.wasInterrupted());
}
