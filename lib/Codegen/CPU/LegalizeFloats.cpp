//===- LegalizeFloats.cpp - narrow floats on a CPU ------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/CPU/Passes.h"

#include "KnownValues.h"
#include "LanesInWords.h"
#include "X86Floats.h"
#include "amp/Codegen/CPU/Target.h"
#include "amp/Codegen/Floats/Atan2.h"
#include "amp/Codegen/Floats/MathFunctions.h"
#include "amp/Codegen/Floats/NarrowFloats.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::amp {
#define GEN_PASS_DEF_AMPCPULEGALIZEFLOATSPASS
#include "amp/Codegen/CPU/Passes.h.inc"
} // namespace mlir::amp

using namespace mlir;
using namespace mlir::amp;

namespace {
/// The larger or the smaller of two vectors, NaN if one is, in three
/// instructions of x86 of which one waits for the second operand: the sum of a
/// reduction. Of zeros of either sign it takes the second.
template <typename Op, arith::CmpFPredicate predicate>
struct ExpandExtremum : public OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    if (!isa<VectorType>(op.getType()))
      return failure();
    Value x = op.getLhs(), y = op.getRhs();
    // What a loop carries comes second.
    if (isa<BlockArgument>(x) && !isa<BlockArgument>(y))
      std::swap(x, y);
    Location loc = op.getLoc();
    auto compare = [&](arith::CmpFPredicate kind, Value a, Value b) {
      return arith::CmpFOp::create(rewriter, loc, kind, a, b);
    };
    // NaN of the second operand is the result of the comparison with it.
    Value best =
        arith::SelectOp::create(rewriter, loc, compare(predicate, x, y), x, y);
    rewriter.replaceOpWithNewOp<arith::SelectOp>(
        op, compare(arith::CmpFPredicate::UNO, x, x), x, best);
    return success();
  }
};

/// Whether no lane of `value` is NaN: it is a constant, the larger or smaller
/// number of such a value and another one, also as what a loop carries, by
/// induction, or of lanes of such values, one or the other. `assumed` are what
/// loops carry of which that is being shown, or was, from no more than these.
static bool isNumber(Value value, llvm::SmallPtrSet<Value, 4> &assumed) {
  DenseFPElementsAttr elements;
  if (matchPattern(value, m_Constant(&elements)))
    return llvm::none_of(elements, [](const APFloat &x) { return x.isNaN(); });
  if (auto loop = value.getDefiningOp<scf::ForOp>())
    return isNumber(loop.getTiedLoopRegionIterArg(cast<OpResult>(value)),
                    assumed);
  auto isAlso = [&](Value other) { return isNumber(other, assumed); };
  if (auto choice = value.getDefiningOp<scf::IfOp>()) {
    unsigned result = cast<OpResult>(value).getResultNumber();
    return isAlso(choice.thenYield().getOperand(result)) &&
           isAlso(choice.elseYield().getOperand(result));
  }
  if (auto select = value.getDefiningOp<arith::SelectOp>())
    return isAlso(select.getTrueValue()) && isAlso(select.getFalseValue());
  if (Operation *op = value.getDefiningOp()) {
    if (isa<vector::ExtractStridedSliceOp, vector::InsertStridedSliceOp>(op))
      return llvm::all_of(op->getOperands(), isAlso);
    return isa<arith::MaxNumFOp, arith::MinNumFOp>(op) &&
           llvm::any_of(op->getOperands(), isAlso);
  }
  auto argument = cast<BlockArgument>(value);
  auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
  if (!loop || argument == loop.getInductionVar())
    return false;
  llvm::SmallPtrSet<Value, 4> before = assumed;
  if (!assumed.insert(argument).second)
    return true;
  OpOperand *init = loop.getTiedLoopInit(argument);
  OpOperand *next = loop.getTiedLoopYieldedValue(argument);
  if (isNumber(init->get(), assumed) && isNumber(next->get(), assumed))
    return true;
  assumed = before;
  return false;
}

/// Whether `op` is the largest or smallest element of a vector of f32 that
/// `halve` takes.
static bool canHalve(vector::ReductionOp op) {
  using Kind = vector::CombiningKind;
  VectorType type = op.getSourceVectorType();
  return llvm::is_contained(
             {Kind::MAXNUMF, Kind::MINNUMF, Kind::MAXIMUMF, Kind::MINIMUMF},
             op.getKind()) &&
         !type.isScalable() && type.getRank() == 1 &&
         type.getElementType().isF32() &&
         llvm::isPowerOf2_64(type.getNumElements()) &&
         !isa<vector::MaskOp>(op->getParentOp());
}

/// The element of `op` by halves, by `combine` of two vectors: LLVM compares
/// one element after the other, each waiting for the last.
static Value halve(RewriterBase &rewriter, vector::ReductionOp op,
                   llvm::function_ref<Value(Value, Value)> combine) {
  Location loc = op.getLoc();
  Value best = op.getVector();
  for (int64_t half = op.getSourceVectorType().getNumElements() / 2; half >= 4;
       half /= 2) {
    auto slice = [&](int64_t at) -> Value {
      return vector::ExtractStridedSliceOp::create(rewriter, loc, best, at,
                                                   half, 1);
    };
    best = combine(slice(half), slice(0));
  }
  // What is left fits a register, of which any part may be the other half.
  int64_t lanes = cast<VectorType>(best.getType()).getNumElements();
  for (int64_t half = std::min<int64_t>(lanes, 4) / 2; half >= 1; half /= 2) {
    SmallVector<int64_t> other;
    for (int64_t lane = 0; lane < lanes; ++lane)
      other.push_back(lane ^ half);
    best = combine(vector::ShuffleOp::create(rewriter, loc, best, best, other),
                   best);
  }
  return vector::ExtractOp::create(rewriter, loc, best, int64_t(0));
}

struct HalveReduction : public OpRewritePattern<vector::ReductionOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(vector::ReductionOp op,
                                PatternRewriter &rewriter) const override {
    if (!canHalve(op))
      return failure();
    auto combine = [&](Value x, Value y) {
      return vector::makeArithReduction(rewriter, op.getLoc(), op.getKind(), x,
                                        y, op.getFastmathAttr());
    };
    Value result = halve(rewriter, op, combine);
    if (op.getAcc())
      result = combine(result, op.getAcc());
    rewriter.replaceOp(op, result);
    return success();
  }
};

/// The larger (`larger`) or smaller of `x` and `number`, vectors of which the
/// second has no NaN.
static Value selectNumber(RewriterBase &rewriter, Location loc, bool larger,
                          Value x, Value number) {
  auto predicate =
      larger ? arith::CmpFPredicate::OGT : arith::CmpFPredicate::OLT;
  Value isBetter = arith::CmpFOp::create(rewriter, loc, predicate, x, number);
  return arith::SelectOp::create(rewriter, loc, isBetter, x, number);
}

/// Replaces `maxnumf` and `minnumf` of vectors by one comparison where one of
/// the operands is a number, and such reductions of numbers: x86 has an
/// instruction for that. All are decided on before any is replaced.
static void selectNumbers(Operation *function) {
  SmallVector<std::pair<Operation *, bool>> found;
  SmallVector<vector::ReductionOp> reductions;
  function->walk([&](Operation *op) {
    llvm::SmallPtrSet<Value, 4> assumed;
    if (auto reduction = dyn_cast<vector::ReductionOp>(op);
        reduction && canHalve(reduction) && !reduction.getAcc()) {
      if (isNumber(reduction.getVector(), assumed))
        reductions.push_back(reduction);
      return;
    }
    if (!isa<arith::MaxNumFOp, arith::MinNumFOp>(op) ||
        !isa<VectorType>(op->getResult(0).getType()))
      return;
    for (bool first : {false, true}) {
      assumed.clear();
      if (!isNumber(op->getOperand(!first), assumed))
        continue;
      found.push_back({op, first});
      return;
    }
  });
  for (auto [op, first] : found) {
    IRRewriter rewriter(op);
    rewriter.replaceOp(
        op, selectNumber(rewriter, op->getLoc(), isa<arith::MaxNumFOp>(op),
                         op->getOperand(first), op->getOperand(!first)));
  }
  for (vector::ReductionOp op : reductions) {
    IRRewriter rewriter(op);
    using Kind = vector::CombiningKind;
    bool larger =
        op.getKind() == Kind::MAXNUMF || op.getKind() == Kind::MAXIMUMF;
    rewriter.replaceOp(op, halve(rewriter, op, [&](Value x, Value y) {
                         return selectNumber(rewriter, op.getLoc(), larger, x,
                                             y);
                       }));
  }
}

/// A vector of f32 as integers of less than 32 bits, by way of i32, which holds
/// all that these do. LLVM takes a conversion from f16 to f32 and on to such
/// for one, which it does lane by lane.
template <typename OpTy>
struct ConvertThroughI32 : public OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    auto type = dyn_cast<VectorType>(op.getType());
    if (!type || type.getElementType().getIntOrFloatBitWidth() >= 32 ||
        !getElementTypeOrSelf(op.getIn()).isF32())
      return failure();
    Value wide = arith::FPToSIOp::create(
        rewriter, op.getLoc(), type.clone(rewriter.getI32Type()), op.getIn());
    rewriter.replaceOpWithNewOp<arith::TruncIOp>(op, type, wide);
    return success();
  }
};

struct LegalizeFloats
    : public amp::impl::AmpCPULegalizeFloatsPassBase<LegalizeFloats> {
  using Base::Base;

  void runOnOperation() override {
    Operation *function = getOperation();
    FailureOr<cpu::CPUTarget> target =
        cpu::CPUTarget::get(function, triple, processor, features, vectorBits);
    if (failed(target))
      return signalPassFailure();
    MLIRContext *context = &getContext();
    FailureOr<unsigned> widened = widenNarrowFloats(function);
    if (failed(widened))
      return signalPassFailure();
    numEmulated += *widened;
    // Those of ops on bf16, which there were none of before.
    cpu::markRoundings(function);
    cpu::moveLanesToWords(function, *target);

    selectNumbers(function);
    if (approximate && target->hasTables)
      cpu::fuseDifferences(function);

    RewritePatternSet patterns(context);
    if (approximate) {
      splitSignOfAtan2(function);
      floats::populateFunctionPolynomialPatterns(patterns);
      // Upstream's, of f32 only.
      populateMathPolynomialApproximationPatterns(patterns, [](StringRef name) {
        return llvm::is_contained({math::TanhOp::getOperationName(),
                                   math::Atan2Op::getOperationName(),
                                   math::AsinOp::getOperationName(),
                                   math::AcosOp::getOperationName()},
                                  name);
      });
    }
    if (target->hasFMA)
      floats::populateRemainderPatterns(patterns);
    cpu::populateX86FloatPatterns(patterns, *target, approximate);
    patterns.add<HalveReduction, ConvertThroughI32<arith::FPToSIOp>,
                 ConvertThroughI32<arith::FPToUIOp>>(context);
    patterns.add<ExpandExtremum<arith::MaximumFOp, arith::CmpFPredicate::OGT>,
                 ExpandExtremum<arith::MinimumFOp, arith::CmpFPredicate::OLT>>(
        context);
    arith::populateExpandBFloat16Patterns(patterns);
    NarrowFloatTarget narrow;
    narrow.widensF16 = target->widensF16;
    populateNarrowFloatPatterns(patterns, narrow);
    (void)applyPatternsGreedily(function, std::move(patterns));
  }
};
} // namespace
