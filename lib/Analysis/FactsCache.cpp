//===- FactsCache.cpp - what is true of a type or an op name --------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FactsCache.h"

#include "amp/Dialect/AMP/IR/AMP.h"
#include "amp/Interfaces/PrecisionOpInterface.h"

#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::amp;

TypeFacts FactsCache::find(Type type) {
  TypeFacts facts;
  facts.isBuffer = isa<BaseMemRefType>(type);
  facts.isUnranked = isa<UnrankedTensorType>(type);
  facts.floatElement = getFloatElementType(type);
  Type elementType = getElementTypeOrSelf(type);
  if (!facts.isBuffer && isa<IntegerType, FloatType, ComplexType>(elementType))
    facts.scalarElement = elementType;
  return facts;
}

NameFacts FactsCache::find(Operation *op) {
  NameFacts facts;
  facts.isScope = isa<AutocastOp>(op);
  facts.isYield = isa<YieldOp>(op);
  facts.isFunction = isa<FunctionOpInterface>(op);
  facts.isCall = isa<CallOpInterface>(op);
  facts.isReturn = op->hasTrait<OpTrait::ReturnLike>();
  facts.isRegionBranch = isa<RegionBranchOpInterface>(op);
  facts.mayForward =
      isa<RegionBranchOpInterface, RegionBranchTerminatorOpInterface,
          BranchOpInterface>(op);
  facts.hasPrecision = isa<PrecisionOpInterface>(op);
  facts.isATen = isATenOp(op->getName().getStringRef());
  return facts;
}
