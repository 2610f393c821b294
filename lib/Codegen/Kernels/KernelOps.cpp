//===- KernelOps.cpp - what an op does to its tensors ---------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::kernels;

//===----------------------------------------------------------------------===//
// Roles
//===----------------------------------------------------------------------===//

static bool isTensor(Value value) {
  return isa<RankedTensorType>(value.getType());
}

/// Whether `constant` is a tensor that a kernel holds in its code.
static bool isSplatTensor(arith::ConstantOp constant) {
  auto elements = dyn_cast<DenseElementsAttr>(constant.getValue());
  return elements && elements.isSplat();
}

/// Whether `op` writes into what a loop carries: it is a copy in place.
static bool isLoopCarriedInsert(tensor::InsertSliceOp op) {
  auto argument = dyn_cast<BlockArgument>(op.getDest());
  return argument && argument.hasOneUse() &&
         isa<LoopLikeOpInterface>(argument.getOwner()->getParentOp()) &&
         op.getType().getRank() > 0 &&
         getConstantIntValue(op.getMixedStrides().back()) == 1;
}

bool KernelFusionModel::isView(Operation *op) {
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp,
          tensor::ReshapeOp>(op))
    return true;
  auto slice = dyn_cast<tensor::ExtractSliceOp>(op);
  if (!slice)
    return false;
  if (slice.getSourceType().getRank() == 0)
    return true;
  return getConstantIntValue(slice.getMixedStrides().back()) == 1 &&
         !slice.getDroppedDims().test(slice.getSourceType().getRank() - 1);
}

bool kernels::onlyMoves(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  return !linalgOp ||
         llvm::all_of(linalgOp.getBlock()->getTerminator()->getOperands(),
                      [](Value value) { return isa<BlockArgument>(value); });
}

/// Whether the windows of `contraction` have channels innermost, in rows that
/// TMA reads.
static bool hasWindows(linalg::LinalgOp contraction) {
  return llvm::any_of(contraction.getDpsInputOperands(), [&](OpOperand *input) {
    AffineMap map = contraction.getMatchingIndexingMap(input);
    if (map.isProjectedPermutation() || map.getNumResults() == 0)
      return false;
    auto channel = dyn_cast<AffineDimExpr>(map.getResults().back());
    auto type = dyn_cast<RankedTensorType>(input->get().getType());
    if (!channel || !type || type.isDynamicDim(type.getRank() - 1) ||
        !type.getElementType().isIntOrFloat())
      return false;
    return contraction.getIteratorTypesArray()[channel.getPosition()] ==
               utils::IteratorType::reduction &&
           type.getShape().back() * type.getElementTypeBitWidth() % 128 == 0;
  });
}

bool kernels::isReadNarrow(Type element) {
  if (!element.isIntOrFloat())
    return false;
  unsigned bits = element.getIntOrFloatBitWidth();
  return bits == 8 || (bits == 16 && isa<FloatType>(element));
}

/// Whether `op` gives elements of 8 bits with another dimension innermost.
static bool turnsBytes(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp || linalgOp.getNumDpsInputs() != 1 ||
      linalgOp.getNumDpsInits() != 1)
    return false;
  OpOperand *input = linalgOp.getDpsInputOperand(0);
  Type element = getElementTypeOrSelf(input->get());
  AffineMap from = linalgOp.getMatchingIndexingMap(input);
  AffineMap to = linalgOp.getMatchingIndexingMap(linalgOp.getDpsInitOperand(0));
  return element.isIntOrFloat() && element.getIntOrFloatBitWidth() == 8 &&
         from.isPermutation() && to.isPermutation() &&
         from.getNumResults() > 0 &&
         from.getResults().back() != to.getResults().back();
}

bool kernels::isReadAs(Operation *op, linalg::LinalgOp contraction) {
  return hasWindows(contraction) ? isa<tensor::PadOp>(op)
                                 : onlyMoves(op) && !turnsBytes(op);
}

KernelRole KernelFusionModel::getRole(Operation *op) {
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return isSplatTensor(constant) || !isTensor(constant.getResult())
               ? KernelRole::Free
               : KernelRole::Host;
  if (isa<linalg::FillOp>(op))
    return isTensor(op->getOperand(1)) ? KernelRole::Free : KernelRole::Host;
  if (isa<tensor::EmptyOp, tensor::SplatOp, tensor::FromElementsOp>(op))
    return KernelRole::Free;
  if (isView(op))
    return KernelRole::Host;
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
    return isLoopCarriedInsert(insert) ? KernelRole::Host : KernelRole::Work;
  if (isa<tensor::PadOp, tensor::ConcatOp, tensor::GenerateOp,
          tensor::ExtractSliceOp>(op))
    return KernelRole::Work;
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  return linalgOp && linalgOp.hasPureTensorSemantics() ? KernelRole::Work
                                                       : KernelRole::Host;
}

//===----------------------------------------------------------------------===//
// Descriptions
//===----------------------------------------------------------------------===//

/// The access of `value` by `map` from loops of `extents`.
static Access makeAccess(Value value, AffineMap map,
                         ArrayRef<int64_t> extents) {
  Access access{value, {}, true};
  for (AffineExpr expr : map.getResults()) {
    if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
      unsigned loop = dim.getPosition();
      access.dims.push_back(extents[loop] == 1 ? kUnit
                                               : static_cast<int>(loop));
    } else if (auto constant = dyn_cast<AffineConstantExpr>(expr);
               constant && constant.getValue() == 0 &&
               cast<ShapedType>(value.getType())
                       .getDimSize(access.dims.size()) == 1) {
      access.dims.push_back(kUnit);
    } else {
      access.isRegular = false;
      return access;
    }
  }
  return access;
}

/// Adds the tensors that the regions of `op` read from outside.
static void addCaptures(Operation *op, OpInfo &info) {
  llvm::SetVector<Value> captures;
  getUsedValuesDefinedAbove(op->getRegions(), captures);
  for (Value value : captures)
    if (auto type = dyn_cast<RankedTensorType>(value.getType()))
      info.reads.push_back({value, {}, type.getRank() == 0});
}

/// The kind of a reduction: that of an input which all loops index tells.
static KernelKind classifyReduction(const OpInfo &info) {
  for (const Access &read : info.reads) {
    if (!read.isRegular)
      continue;
    llvm::SmallBitVector seen(info.extents.size());
    for (int loop : read.dims)
      if (loop != kUnit)
        seen.set(loop);
    bool isFull = llvm::all_of(
        llvm::seq<unsigned>(0, info.extents.size()),
        [&](unsigned loop) { return info.extents[loop] == 1 || seen[loop]; });
    if (!isFull)
      continue;
    bool inReduced = false, isRow = true;
    for (int loop : read.dims) {
      if (loop == kUnit)
        continue;
      if (inReduced && !info.isReduced[loop])
        isRow = false;
      inReduced |= info.isReduced[loop];
    }
    return isRow ? KernelKind::RowReduction : KernelKind::ColumnReduction;
  }
  return KernelKind::Contraction;
}

/// Whether `op` of a payload costs as much as a memory access or more.
static bool isExpensivePayload(Operation *op) {
  if (isa<arith::DivFOp, arith::RemFOp, arith::DivSIOp, arith::DivUIOp,
          arith::RemSIOp, arith::RemUIOp, tensor::ExtractOp>(op))
    return true;
  return isa_and_present<math::MathDialect>(op->getDialect()) &&
         !isa<math::AbsFOp, math::AbsIOp, math::FmaOp, math::CopySignOp,
              math::FloorOp, math::CeilOp, math::RoundOp, math::RoundEvenOp,
              math::TruncOp>(op);
}

static OpInfo describeLinalg(linalg::LinalgOp op) {
  OpInfo info;
  info.extents = op.getStaticLoopRanges();
  for (utils::IteratorType type : op.getIteratorTypesArray())
    info.isReduced.push_back(type == utils::IteratorType::reduction);
  for (OpOperand *input : op.getDpsInputOperands())
    if (isTensor(input->get()))
      info.reads.push_back(makeAccess(
          input->get(), op.getMatchingIndexingMap(input), info.extents));
  bool isReduction = false;
  for (auto [reduced, extent] : llvm::zip_equal(info.isReduced, info.extents))
    isReduction |= reduced;
  if (isReduction)
    info.kind = classifyReduction(info);
  for (OpOperand &init : op.getDpsInitsMutable()) {
    Access access =
        makeAccess(init.get(), op.getMatchingIndexingMap(&init), info.extents);
    if (op.payloadUsesValueFromOperand(&init))
      info.reads.push_back(access);
    access.value = op.getTiedOpResult(&init);
    info.writes.push_back(access);
  }
  addCaptures(op, info);

  bool onlyConverts = true;
  op.getBlock()->walk([&](Operation *nested) {
    info.isExpensive |= isExpensivePayload(nested);
    if (!nested->hasTrait<OpTrait::IsTerminator>())
      onlyConverts &= isa<CastOpInterface, linalg::IndexOp>(nested);
  });
  if (info.kind == KernelKind::Map && !info.isExpensive &&
      info.writes.size() == 1) {
    if (info.reads.empty())
      info.isCheap = true;
    else if (info.reads.size() == 1 && onlyConverts &&
             info.reads[0].isRegular) {
      ArrayRef<int> dims = info.reads[0].dims;
      SmallVector<int> used =
          llvm::filter_to_vector(dims, [](int loop) { return loop != kUnit; });
      info.isCheap = llvm::is_sorted(used);
    }
  }
  return info;
}

OpInfo kernels::describe(Operation *op) {
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return describeLinalg(linalgOp);
  OpInfo info;
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  Access write{op->getResult(0), {}, true};
  for (auto [dim, size] : llvm::enumerate(type.getShape())) {
    info.extents.push_back(size);
    info.isReduced.push_back(false);
    write.dims.push_back(size == 1 ? kUnit : static_cast<int>(dim));
  }
  auto insert = dyn_cast<tensor::InsertSliceOp>(op);
  for (OpOperand &operand : op->getOpOperands()) {
    auto operandType = dyn_cast<RankedTensorType>(operand.get().getType());
    if (!operandType)
      continue;
    if (insert && operand.get() == insert.getDest())
      info.reads.push_back({operand.get(), write.dims, true});
    else
      info.reads.push_back({operand.get(), {}, operandType.getRank() == 0});
  }
  info.writes.push_back(write);
  addCaptures(op, info);
  return info;
}

int64_t kernels::estimateBytes(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return 0;
  int64_t bits = tensor.getElementType().isIntOrFloat()
                     ? tensor.getElementTypeBitWidth()
                     : 64;
  int64_t count = 1;
  for (int64_t size : tensor.getShape())
    count *= ShapedType::isDynamic(size) ? 1024 : size;
  return count * ((bits + 7) / 8);
}
