//===- LinalgModels.cpp - interface models for linalg ---------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Interfaces/Models.h"

#include "amp/Formats/Formats.h"

#include "ModelUtils.h"
#include "Payload.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::amp;
using linalg::LinalgOp;

//===----------------------------------------------------------------------===//
// Structured ops
//===----------------------------------------------------------------------===//

static bool isProduct(Operation &op) {
  return isa<arith::MulFOp, arith::MulIOp, arith::AndIOp>(op);
}

/// Ops that pick one of their operands.
static bool selects(Operation &op) {
  return isa<arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
             arith::MinNumFOp, arith::MaxSIOp, arith::MinSIOp, arith::MaxUIOp,
             arith::MinUIOp, arith::CmpFOp, arith::CmpIOp, arith::SelectOp,
             arith::OrIOp, arith::AndIOp, arith::IndexCastOp, linalg::IndexOp>(
      op);
}

static bool onlySelects(LinalgOp op) {
  return llvm::all_of(op.getBlock()->without_terminator(), selects);
}

static bool yieldsAnArgument(LinalgOp op) {
  return op.getBlock()->without_terminator().empty() &&
         llvm::all_of(op.getBlock()->getTerminator()->getOperands(),
                      llvm::IsaPred<BlockArgument>);
}

/// Whether the elements come from no operand at all.
static bool readsNoOperand(LinalgOp op) {
  return op.getNumDpsInputs() == 0 &&
         llvm::none_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
           return op.payloadUsesValueFromOperand(&init);
         });
}

static PrecisionClass classify(LinalgOp op) {
  if (isa<linalg::FillOp>(op) || readsNoOperand(op))
    return PrecisionClass::Generator;
  if (op.getNumDpsInputs() > 0 && yieldsAnArgument(op))
    return PrecisionClass::DataMovement;
  if (linalg::isaContractionOpInterface(op))
    return PrecisionClass::Contraction;
  if (linalg::isaConvolutionOpInterface(op))
    return llvm::any_of(*op.getBlock(), isProduct) ? PrecisionClass::Convolution
                                                   : PrecisionClass::Pooling;
  if (op.getNumReductionLoops() == 0)
    return PrecisionClass::Elementwise;
  return onlySelects(op) ? PrecisionClass::Selection
                         : PrecisionClass::Reduction;
}

/// The product of the extents of the loops of kind `kind`.
static std::optional<int64_t>
getExtent(LinalgOp op, std::optional<utils::IteratorType> kind) {
  int64_t product = 1;
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  for (auto [extent, iterator] :
       llvm::zip_equal(extents, op.getIteratorTypesArray())) {
    if (kind && iterator != *kind)
      continue;
    if (ShapedType::isDynamic(extent))
      return std::nullopt;
    product *= extent;
  }
  return product;
}

/// Named ops define their payload by their types; so it is built anew.
static void rebuildNamedPayload(RewriterBase &rewriter, LinalgOp op) {
  Block &payload = *op.getBlock();
  for (Operation &inner : llvm::make_early_inc_range(llvm::reverse(payload)))
    rewriter.eraseOp(&inner);
  for (OpOperand &operand : op->getOpOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(&operand);
    argument.setType(getElementTypeOrSelf(operand.get().getType()));
  }
  ImplicitLocOpBuilder builder(op.getLoc(), rewriter);
  builder.setInsertionPointToStart(&payload);
  op.getRegionBuilder()(builder, payload, op->getAttrs(),
                        [&] { return op->emitError(); });
}

namespace {
template <typename Op>
struct StructuredModel
    : PrecisionOpInterface::ExternalModel<StructuredModel<Op>, Op> {
  PrecisionClass getPrecisionClass(Operation *op) const {
    return classify(cast<LinalgOp>(op));
  }

  OperandRole getOperandRole(Operation *op, unsigned index) const {
    auto structured = cast<LinalgOp>(op);
    OpOperand &operand = op->getOpOperand(index);
    if (!getFloatElementType(operand.get().getType()))
      return OperandRole::Ignored;
    if (!structured.isDpsInit(&operand))
      return OperandRole::Input;
    return structured.payloadUsesValueFromOperand(&operand)
               ? OperandRole::Accumulator
               : OperandRole::Destination;
  }

  void getPayloadOperations(Operation *op,
                            SmallVectorImpl<Operation *> &payload) const {
    for (Operation &inner : cast<LinalgOp>(op).getBlock()->without_terminator())
      payload.push_back(&inner);
  }

  /// Only payloads that convert each argument on its own take mixed inputs.
  bool acceptsMixedOperands(Operation *op) const {
    PrecisionClass precisionClass = getPrecisionClass(op);
    return isa<linalg::GenericOp, linalg::MapOp, linalg::ReduceOp>(op) &&
           precisionClass != PrecisionClass::Contraction &&
           precisionClass != PrecisionClass::Convolution;
  }

  bool hasFreeResultType(Operation *op) const {
    auto structured = cast<LinalgOp>(op);
    return structured.getNumReductionLoops() != 0 &&
           llvm::all_of(structured.getDpsInitsMutable(), [&](OpOperand &init) {
             return structured.payloadUsesValueFromOperand(&init);
           });
  }

  Type getComputeType(Operation *op, Type storage) const {
    auto structured = cast<LinalgOp>(op);
    bool isExact =
        structured.getNumReductionLoops() != 0 && onlySelects(structured);
    return isExact ? storage : amp::detail::getDefaultComputeType(storage);
  }

  Type getRetypedResult(Operation *op, const PrecisionTypes &types,
                        unsigned result) const {
    auto structured = cast<LinalgOp>(op);
    return types
        .operands[structured.getDpsInitOperand(result)->getOperandNumber()];
  }

  LogicalResult retype(Operation *op, RewriterBase &rewriter,
                       const PrecisionTypes &types) const {
    auto structured = cast<LinalgOp>(op);
    SmallVector<Type> argumentTypes, yieldTypes;
    if (op->hasTrait<OpTrait::SingleBlock>() && !structured.getRegionBuilder())
      for (BlockArgument argument : structured.getBlock()->getArguments()) {
        OpOperand *operand = structured.getMatchingOpOperand(argument);
        argumentTypes.push_back(types.operands[operand->getOperandNumber()]);
      }
    for (OpResult result : op->getResults()) {
      Type type = getRetypedResult(op, types, result.getResultNumber());
      yieldTypes.push_back(type);
      if (type)
        result.setType(withElementType(result.getType(), type));
    }
    if (structured.getRegionBuilder())
      rebuildNamedPayload(rewriter, structured);
    else
      retypePayload(rewriter, *structured.getBlock(), argumentTypes, yieldTypes,
                    types.compute);
    return success();
  }

  std::optional<int64_t> getReductionDepth(Operation *op) const {
    auto structured = cast<LinalgOp>(op);
    if (structured.getNumReductionLoops() == 0)
      return std::nullopt;
    return getExtent(structured, utils::IteratorType::reduction);
  }

  std::optional<int64_t> getNumFlops(Operation *op) const {
    auto structured = cast<LinalgOp>(op);
    std::optional<int64_t> points = getExtent(structured, std::nullopt);
    if (!points)
      return std::nullopt;
    int64_t perPoint = llvm::count_if(
        structured.getBlock()->without_terminator(), [](Operation &inner) {
          return !isa<arith::ExtFOp, arith::TruncFOp, arith::ConstantOp>(
                     inner) &&
                 llvm::any_of(inner.getOperandTypes(),
                              llvm::IsaPred<FloatType>);
        });
    return *points * perPoint;
  }
};

//===----------------------------------------------------------------------===//
// Other ops
//===----------------------------------------------------------------------===//

/// An op that fully overwrites its destination.
template <typename Op, PrecisionClass Class>
struct OverwritingModel
    : PrecisionOpInterface::ExternalModel<OverwritingModel<Op, Class>, Op> {
  PrecisionClass getPrecisionClass(Operation *) const { return Class; }

  OperandRole getOperandRole(Operation *op, unsigned index) const {
    OpOperand &operand = op->getOpOperand(index);
    if (!getFloatElementType(operand.get().getType()))
      return OperandRole::Ignored;
    return cast<DestinationStyleOpInterface>(op).isDpsInit(&operand)
               ? OperandRole::Destination
               : OperandRole::Input;
  }
};

template <typename Op>
using NormalizationModel = OverwritingModel<Op, PrecisionClass::Normalization>;
template <typename Op>
using RelayoutModel = OverwritingModel<Op, PrecisionClass::DataMovement>;
} // namespace

void mlir::amp::registerLinalgModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, linalg::LinalgDialect *) {
    attach<StructuredModel,
#define GET_OP_LIST
#include "mlir/Dialect/Linalg/IR/LinalgStructuredOps.cpp.inc"
           >(context);
    attach<NormalizationModel, linalg::SoftmaxOp>(context);
    attach<RelayoutModel, linalg::PackOp, linalg::UnPackOp>(context);
    attach<PinnedModel, linalg::WinogradFilterTransformOp,
           linalg::WinogradInputTransformOp, linalg::WinogradOutputTransformOp>(
        context);
  });
}
