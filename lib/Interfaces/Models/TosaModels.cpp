//===- TosaModels.cpp - precision models for tosa -------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Retyped ops stay within the data types of the TOSA specification 1.0, with
// its extensions bf16, fp8e4m3 and fp8e5m2. Where it has a choice the
// accumulator is f32; for 8-bit floats the specification demands f16.
//
//===----------------------------------------------------------------------===//

#include "ModelUtils.h"

#include "amp/Dialect/AMP/IR/AMP.h"
#include "amp/Formats/Formats.h"
#include "amp/Interfaces/Models.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::amp;

//===----------------------------------------------------------------------===//
// Utilities
//===----------------------------------------------------------------------===//

/// Fails with an error if `op` cannot read the float types that `types` gives
/// to its operands and results.
static LogicalResult checkStorageTypes(Operation *op,
                                       const PrecisionTypes &types,
                                       bool takesFloat8) {
  auto check = [&](Type type) -> LogicalResult {
    if (!type || type.isF16() || type.isBF16() || type.isF32() || type.isF64())
      return success();
    if (takesFloat8 && isa<Float8E4M3FNType, Float8E5M2Type>(type))
      return success();
    return op->emitOpError("cannot be given element type ")
           << type << ": expected f16, bf16 or f32"
           << (takesFloat8 ? ", or f8E4M3FN or f8E5M2" : "");
  };
  for (Type type : types.operands)
    if (failed(check(type)))
      return failure();
  for (Type type : types.results)
    if (failed(check(type)))
      return failure();
  return success();
}

/// Makes constants of those operands of `op` that are casts of one-element
/// constants. Zero points and the value of a padding must be constants, and a
/// cast of one is none to tosa-validate.
static void foldScalarConstants(RewriterBase &rewriter, Operation *op) {
  for (OpOperand &operand : op->getOpOperands()) {
    auto castOp = operand.get().getDefiningOp<amp::CastOp>();
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    DenseFPElementsAttr value;
    if (!castOp || !type || !type.hasStaticShape() ||
        type.getNumElements() != 1 || !isa<FloatType>(type.getElementType()) ||
        !matchPattern(castOp.getInput(), m_Constant(&value)))
      continue;
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(op);
    Value constant = tosa::ConstOp::create(
        rewriter, castOp.getLoc(), type,
        cast<ElementsAttr>(convertFloatElements(value, type.getElementType())));
    rewriter.modifyOpInPlace(op, [&] { operand.set(constant); });
  }
}

/// The product of the extents `dims` of `value`; nothing if one is dynamic.
static std::optional<int64_t> getExtent(Value value, ArrayRef<int64_t> dims) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type)
    return std::nullopt;
  int64_t product = 1;
  for (int64_t dim : dims) {
    if (type.isDynamicDim(dim))
      return std::nullopt;
    product *= type.getDimSize(dim);
  }
  return product;
}

/// `a` * `b` * `factor`, if there are both.
static std::optional<int64_t> multiply(std::optional<int64_t> a,
                                       std::optional<int64_t> b,
                                       int64_t factor = 1) {
  if (!a || !b)
    return std::nullopt;
  return *a * *b * factor;
}

/// The accumulator of contractions, convolutions and poolings on `storage`.
static Type getAccumulatorType(Type storage) {
  if (storage.getIntOrFloatBitWidth() == 8)
    return Float16Type::get(storage.getContext());
  return amp::detail::getDefaultComputeType(storage);
}

//===----------------------------------------------------------------------===//
// Models
//===----------------------------------------------------------------------===//

namespace {

/// Ops of which all floats have one element type, results included. `Concrete`
/// may hide `retypeAttributes`, and `getRetypedResult` where a result's
/// differs.
template <typename Concrete, typename Op, PrecisionClass Class,
          bool TakesFloat8 = false>
struct TosaModel : ModelBase<Concrete, Op, Class> {
  LogicalResult retype(Operation *op, RewriterBase &rewriter,
                       const PrecisionTypes &types) const {
    if (failed(checkStorageTypes(op, types, TakesFloat8)))
      return failure();
    foldScalarConstants(rewriter, op);
    auto *model = static_cast<const Concrete *>(this);
    model->retypeAttributes(cast<Op>(op), rewriter, types);
    rewriter.modifyOpInPlace(op, [&] {
      for (OpResult result : op->getResults())
        if (types.results[result.getResultNumber()])
          result.setType(withElementType(
              result.getType(),
              model->getRetypedResult(op, types, result.getResultNumber())));
    });
    return success();
  }
  void retypeAttributes(Op, RewriterBase &, const PrecisionTypes &) const {}
};

/// Elementwise ops that do `PerElement` floating-point operations for each
/// element, or an unknown number if that is 0.
template <int64_t PerElement>
struct TosaElementwiseModel {
  template <typename Op>
  struct Of : TosaModel<Of<Op>, Op, PrecisionClass::Elementwise> {
    std::optional<int64_t> getNumFlops(Operation *op) const {
      std::optional<int64_t> elements =
          getNumElements(op->getResult(0).getType());
      if (!PerElement || !elements)
        return std::nullopt;
      return *elements * PerElement;
    }
  };
};

/// tosa.clamp: the bounds are rounded as the values are, which is monotone. One
/// beyond the range becomes an infinity, and so does every value beyond it when
/// it is cast.
template <typename Op>
struct ClampModel : TosaModel<ClampModel<Op>, Op, PrecisionClass::Elementwise> {
  void retypeAttributes(tosa::ClampOp op, RewriterBase &rewriter,
                        const PrecisionTypes &types) const {
    if (!types.results[0])
      return;
    rewriter.modifyOpInPlace(op, [&] {
      op.setMinValAttr(
          convertFloatElements(op.getMinValAttr(), types.results[0]));
      op.setMaxValAttr(
          convertFloatElements(op.getMaxValAttr(), types.results[0]));
    });
  }
  std::optional<int64_t> getNumFlops(Operation *op) const {
    return multiply(getNumElements(op->getResult(0).getType()), 2);
  }
};

/// Ops that move elements, 8-bit floats included.
template <typename Op>
struct TosaMovementModel
    : TosaModel<TosaMovementModel<Op>, Op, PrecisionClass::DataMovement,
                /*TakesFloat8=*/true> {};

/// Those of them that read only the elements that they give.
template <typename Op>
struct TosaSubsetReadModel
    : TosaModel<TosaSubsetReadModel<Op>, Op, PrecisionClass::DataMovement,
                /*TakesFloat8=*/true> {
  std::optional<int64_t> getNumBytes(Operation *op) const {
    return getSubsetReadBytes(op);
  }
};

/// tosa.matmul: the result is the accumulator.
template <typename Op>
struct MatMulModel : TosaModel<MatMulModel<Op>, Op, PrecisionClass::Contraction,
                               /*TakesFloat8=*/true> {
  bool hasFreeResultType(Operation *) const { return true; }
  Type getComputeType(Operation *, Type storage) const {
    return getAccumulatorType(storage);
  }
  Type getRetypedResult(Operation *, const PrecisionTypes &types,
                        unsigned) const {
    return types.results[0] ? getAccumulatorType(types.operands[0]) : Type();
  }
  std::optional<int64_t> getReductionDepth(Operation *op) const {
    return getExtent(cast<tosa::MatMulOp>(op).getA(), {2});
  }
  std::optional<int64_t> getNumFlops(Operation *op) const {
    return multiply(getNumElements(op->getResult(0).getType()),
                    getReductionDepth(op), 2);
  }
};

/// Convolutions: the result has the storage type (f16 for 8-bit floats), and so
/// has the bias; the accumulator is an attribute.
template <typename Op>
struct ConvModel : TosaModel<ConvModel<Op>, Op, PrecisionClass::Convolution,
                             /*TakesFloat8=*/true> {
  Type getComputeType(Operation *, Type storage) const {
    return getAccumulatorType(storage);
  }
  Type getRetypedResult(Operation *, const PrecisionTypes &types,
                        unsigned) const {
    Type storage = types.operands[0];
    if (!types.results[0] || storage.getIntOrFloatBitWidth() != 8)
      return types.results[0] ? storage : Type();
    return Float16Type::get(storage.getContext());
  }
  void retypeAttributes(Op op, RewriterBase &rewriter,
                        const PrecisionTypes &types) const {
    if (!types.results[0])
      return;
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(op);
    Value bias = castToElementType(rewriter, op.getLoc(), op.getBias(),
                                   getRetypedResult(op, types, 0));
    Type accumulator = getAccumulatorType(types.operands[0]);
    rewriter.modifyOpInPlace(op, [&] {
      op.getBiasMutable().assign(bias);
      op.setAccTypeAttr(TypeAttr::get(accumulator));
    });
  }
  std::optional<int64_t> getReductionDepth(Operation *op) const {
    return getDepth(cast<Op>(op));
  }
  std::optional<int64_t> getNumFlops(Operation *op) const {
    // A transposed convolution scatters each input element; the others gather
    // each output element.
    if (auto transposed = dyn_cast<tosa::TransposeConv2DOp>(op))
      return multiply(getNumElements(transposed.getInput().getType()),
                      getExtent(transposed.getWeight(), {0, 1, 2}), 2);
    return multiply(getNumElements(op->getResult(0).getType()),
                    getReductionDepth(op), 2);
  }

private:
  // Weights are OC, KH, KW, IC (conv3d: OC, KD, KH, KW, IC).
  static std::optional<int64_t> getDepth(tosa::Conv2DOp op) {
    return getExtent(op.getWeight(), {1, 2, 3});
  }
  static std::optional<int64_t> getDepth(tosa::Conv3DOp op) {
    return getExtent(op.getWeight(), {1, 2, 3, 4});
  }
  // Weights are KH, KW, C, M.
  static std::optional<int64_t> getDepth(tosa::DepthwiseConv2DOp op) {
    return getExtent(op.getWeight(), {0, 1});
  }
  // Only every stride-th element of the window meets an input element.
  static std::optional<int64_t> getDepth(tosa::TransposeConv2DOp op) {
    std::optional<int64_t> height = getExtent(op.getWeight(), {1});
    std::optional<int64_t> width = getExtent(op.getWeight(), {2});
    std::optional<int64_t> channels = getExtent(op.getWeight(), {3});
    if (!height || !width || !channels)
      return std::nullopt;
    ArrayRef<int64_t> stride = op.getStride();
    return llvm::divideCeil(*height, stride[0]) *
           llvm::divideCeil(*width, stride[1]) * *channels;
  }
};

/// Poolings: one type throughout; avg_pool2d names its accumulator too.
template <typename Op>
struct PoolModel : TosaModel<PoolModel<Op>, Op, PrecisionClass::Pooling,
                             /*TakesFloat8=*/true> {
  Type getComputeType(Operation *, Type storage) const {
    return getAccumulatorType(storage);
  }
  void retypeAttributes(Op op, RewriterBase &rewriter,
                        const PrecisionTypes &types) const {
    if constexpr (std::is_same_v<Op, tosa::AvgPool2dOp>)
      if (types.results[0])
        rewriter.modifyOpInPlace(op, [&] {
          op.setAccTypeAttr(
              TypeAttr::get(getAccumulatorType(types.operands[0])));
        });
  }
  std::optional<int64_t> getReductionDepth(Operation *op) const {
    ArrayRef<int64_t> kernel = cast<Op>(op).getKernel();
    return kernel[0] * kernel[1];
  }
  std::optional<int64_t> getNumFlops(Operation *op) const {
    return multiply(getNumElements(op->getResult(0).getType()),
                    getReductionDepth(op));
  }
};

/// Reductions along one axis, which take and give the same type (argmax gives
/// integers).
template <PrecisionClass Class, bool TakesFloat8 = false>
struct ReductionModel {
  template <typename Op>
  struct Of : TosaModel<Of<Op>, Op, Class, TakesFloat8> {
    std::optional<int64_t> getReductionDepth(Operation *op) const {
      auto reduction = cast<Op>(op);
      return getExtent(reduction.getInput(), {int64_t(reduction.getAxis())});
    }
    std::optional<int64_t> getNumFlops(Operation *op) const {
      return getNumElements(op->getOperand(0).getType());
    }
  };
};

/// tosa.cast: the program names the result's element type. Between floats of
/// equal width, and of equal type, there is no tosa.cast: an amp.cast takes its
/// place. To integers it rounds to nearest, as amp.cast does not, so it stays,
/// and takes an 8-bit float by way of f16, which is exact.
template <typename Op>
struct TosaCastModel : ModelBase<TosaCastModel<Op>, Op, PrecisionClass::Cast> {
  LogicalResult retype(Operation *op, RewriterBase &rewriter,
                       const PrecisionTypes &types) const {
    auto castOp = cast<tosa::CastOp>(op);
    auto from =
        dyn_cast<FloatType>(getElementTypeOrSelf(castOp.getInput().getType()));
    if (!from)
      return success();
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(op);
    if (!types.results[0]) {
      if (from.getWidth() != 8)
        return success();
      Value input = castToElementType(rewriter, op->getLoc(), castOp.getInput(),
                                      rewriter.getF16Type());
      rewriter.modifyOpInPlace(op,
                               [&] { castOp.getInputMutable().assign(input); });
      return success();
    }
    Type resultType = withElementType(castOp.getType(), types.results[0]);
    if (from.getWidth() == types.results[0].getIntOrFloatBitWidth())
      rewriter.replaceOpWithNewOp<amp::CastOp>(op, resultType,
                                               castOp.getInput());
    else
      rewriter.modifyOpInPlace(op,
                               [&] { op->getResult(0).setType(resultType); });
    return success();
  }
};

} // namespace

void mlir::amp::registerTosaModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, tosa::TosaDialect *) {
    attach<TosaElementwiseModel<1>::Of, tosa::AbsOp, tosa::AddOp, tosa::CeilOp,
           tosa::FloorOp, tosa::MaximumOp, tosa::MinimumOp, tosa::MulOp,
           tosa::NegateOp, tosa::ReciprocalOp, tosa::SubOp>(context);
    // Resize reads several elements for one of its result, but otherwise
    // behaves as the elementwise ops do.
    attach<TosaElementwiseModel<0>::Of, tosa::CosOp, tosa::EqualOp, tosa::ErfOp,
           tosa::ExpOp, tosa::GreaterEqualOp, tosa::GreaterOp, tosa::LogOp,
           tosa::PowOp, tosa::ResizeOp, tosa::RsqrtOp, tosa::SelectOp,
           tosa::SigmoidOp, tosa::SinOp, tosa::TanhOp>(context);
    attach<ClampModel, tosa::ClampOp>(context);
    attach<TosaMovementModel, tosa::ConcatOp, tosa::IdentityOp, tosa::PadOp,
           tosa::ReshapeOp, tosa::ReverseOp, tosa::ScatterOp, tosa::TileOp,
           tosa::TransposeOp>(context);
    attach<TosaSubsetReadModel, tosa::GatherOp, tosa::SliceOp>(context);
    attach<MatMulModel, tosa::MatMulOp>(context);
    attach<ConvModel, tosa::Conv2DOp, tosa::Conv3DOp, tosa::DepthwiseConv2DOp,
           tosa::TransposeConv2DOp>(context);
    attach<PoolModel, tosa::AvgPool2dOp, tosa::MaxPool2dOp>(context);
    attach<ReductionModel<PrecisionClass::Reduction>::Of, tosa::ReduceProductOp,
           tosa::ReduceSumOp>(context);
    attach<ReductionModel<PrecisionClass::Selection>::Of, tosa::ReduceMaxOp,
           tosa::ReduceMinOp>(context);
    attach<ReductionModel<PrecisionClass::Selection, /*TakesFloat8=*/true>::Of,
           tosa::ArgMaxOp>(context);
    attach<TosaCastModel, tosa::CastOp>(context);
    attach<ConstantModel, tosa::ConstOp>(context);
    attach<ShapeQueryModel, tosa::DimOp>(context);
    // Integer ops, ops that the specification has in one type only, and those
    // whose regions or states name their types.
    attach<PinnedModel, tosa::CastFromBlockScaledOp, tosa::CastToBlockScaledOp,
           tosa::CustomOp, tosa::FFT2dOp, tosa::IfOp,
           tosa::MatmulTBlockScaledOp, tosa::RFFT2dOp, tosa::RescaleOp,
           tosa::TableOp, tosa::VariableReadOp, tosa::VariableWriteOp,
           tosa::WhileOp, tosa::YieldOp>(context);
  });
}
