//===- KernelCosts.cpp - what kernels must do at least --------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelCosts.h"

#include "amp/Interfaces/PrecisionOpInterface.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::amp;

/// Bytes of a tensor, or of nothing for a number.
static std::optional<int64_t> getNumBytes(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return 0;
  if (!tensor.hasStaticShape() || !tensor.getElementType().isIntOrFloat())
    return std::nullopt;
  int64_t width =
      llvm::divideCeil(tensor.getElementTypeBitWidth(), /*bits of a byte*/ 8u);
  return tensor.getNumElements() * width;
}

static bool hasStaticShapes(Operation *op) {
  return llvm::all_of(op->getOperandTypes(), [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return !tensor || tensor.hasStaticShape();
  });
}

static KernelCost getCost(func::FuncOp kernel) {
  KernelCost cost{0, 0};
  // Results are what the destinations, which are arguments, become.
  for (Type type : kernel.getArgumentTypes()) {
    std::optional<int64_t> numBytes = getNumBytes(type);
    if (!numBytes)
      cost.numBytes.reset();
    else if (cost.numBytes)
      *cost.numBytes += *numBytes;
  }
  for (Operation &op : kernel.getBody().front()) {
    auto precision = dyn_cast<PrecisionOpInterface>(op);
    if (!precision || !cost.numFlops)
      continue;
    if (std::optional<int64_t> numFlops = precision.getNumFlops())
      *cost.numFlops += *numFlops;
    else if (!hasStaticShapes(&op))
      cost.numFlops.reset();
  }
  return cost;
}

KernelCosts mlir::amp::getKernelCosts(ModuleOp module) {
  KernelCosts costs;
  module.walk([&](func::FuncOp function) {
    if (function->hasAttr("amp.kernel"))
      costs[function.getName().str()] = getCost(function);
  });
  return costs;
}

const KernelCost *mlir::amp::findKernelCost(const KernelCosts &costs,
                                            StringRef name) {
  const KernelCost *best = nullptr;
  // Sorted: of two prefixes the longer one comes later.
  for (const auto &[function, cost] : costs)
    if (name.starts_with(function))
      best = &cost;
  return best;
}
