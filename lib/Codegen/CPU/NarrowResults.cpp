//===- NarrowResults.cpp - functions whose results are rounded ------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A softmax between bf16 is computed in f32, and no one sees more of its
// exponentials than bf16 has: a third of their polynomial is for bits that no
// one reads. Here the uses of an exponential are followed through what keeps
// its relative error small, products and sums of nothing negative, to where all
// are rounded. An exponential that is rounded itself stays as precise as it is.
//
//===----------------------------------------------------------------------===//

#include "Normalize.h"

#include "amp/Codegen/Floats/MathFunctions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::amp;

/// How many products may lie between an exponential and where it is rounded:
/// each may double the error.
static constexpr unsigned kMostProducts = 2;

/// Whether `value` is a constant, all of whose elements are zero or more.
static bool isNonNegative(Value value) {
  FloatAttr number;
  if (auto fill = value.getDefiningOp<linalg::FillOp>())
    value = fill.getInputs()[0];
  auto hasNoSign = [](const APFloat &x) {
    return !x.isNaN() && !x.isNegative();
  };
  if (matchPattern(value, m_Constant(&number)))
    return hasNoSign(number.getValue());
  DenseFPElementsAttr elements;
  return matchPattern(value, m_Constant(&elements)) &&
         llvm::all_of(elements, hasNoSign);
}

/// Whether `sum` adds `value` to a constant, or to the sum of a reduction that
/// starts from one, of nothing negative.
static bool addsNonNegative(arith::AddFOp sum, Value value) {
  Value other = sum.getLhs() == value ? sum.getRhs() : sum.getLhs();
  if (other == value)
    return true;
  auto argument = dyn_cast<BlockArgument>(other);
  if (!argument)
    return isNonNegative(other);
  auto op = dyn_cast<linalg::GenericOp>(argument.getOwner()->getParentOp());
  if (!op || argument.getArgNumber() < op.getNumDpsInputs())
    return false;
  unsigned result = argument.getArgNumber() - op.getNumDpsInputs();
  Operation *yield = op.getBody()->getTerminator();
  return yield->getOperand(result) == sum &&
         isNonNegative(op.getDpsInits()[result]);
}

namespace {
/// What an exponential has become: itself, a sum with it of nothing negative,
/// or any product with one of these.
enum class Form { Function, Sum, Product };

/// Follows one exponential.
struct Uses {
  /// The type of most significant bits that they are rounded to.
  Type widest;

  /// Whether all uses of `value` keep no more than the precision of f16 of it,
  /// or hand it on to such uses, through no more than so many products.
  bool areRounded(Value value, Form form, unsigned products) {
    // Asked before, and no answer so far has been no.
    if (!asked.insert({value, {unsigned(form), products}}).second)
      return true;
    return llvm::all_of(value.getUses(), [&](OpOperand &use) {
      return isRounded(use, form, products);
    });
  }

private:
  bool isRounded(OpOperand &use, Form form, unsigned products) {
    Operation *user = use.getOwner();
    if (auto round = dyn_cast<arith::TruncFOp>(user)) {
      Type type = getElementTypeOrSelf(round.getType());
      if (form == Form::Function || !floats::isNarrow(type))
        return false;
      if (!widest || cast<FloatType>(widest).getFPMantissaWidth() <
                         cast<FloatType>(type).getFPMantissaWidth())
        widest = type;
      return true;
    }
    if (isa<arith::MulFOp, arith::DivFOp>(user))
      return products > 0 &&
             areRounded(user->getResult(0), Form::Product, products - 1);
    if (auto sum = dyn_cast<arith::AddFOp>(user))
      return form != Form::Product && addsNonNegative(sum, use.get()) &&
             areRounded(sum, Form::Sum, products);
    if (isa<linalg::YieldOp>(user)) {
      auto op = dyn_cast<linalg::GenericOp>(user->getParentOp());
      return op && op.hasPureTensorSemantics() &&
             areRounded(op.getResult(use.getOperandNumber()), form, products);
    }
    if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(user))
      return areRounded(user->getResult(0), form, products);
    auto op = dyn_cast<linalg::GenericOp>(user);
    return op && op.isDpsInput(&use) &&
           areRounded(op.getMatchingBlockArgument(&use), form, products);
  }

  DenseSet<std::pair<Value, std::pair<unsigned, unsigned>>> asked;
};
} // namespace

void cpu::markNarrowResults(FunctionOpInterface function) {
  function->walk([&](math::ExpOp op) {
    Uses uses;
    if (!isa<linalg::GenericOp>(op->getParentOp()) || !op.getType().isF32() ||
        !uses.areRounded(op, Form::Function, kMostProducts) || !uses.widest)
      return;
    op->setDiscardableAttr(floats::kNarrowResultAttrName,
                           TypeAttr::get(uses.widest));
    remark::passed(op.getLoc(), remark::RemarkOpts::name("NarrowResult")
                                    .category("amp")
                                    .function(function.getName()))
        << remark::metric("Op", op->getName().getStringRef())
        << remark::reason("what is made of it is rounded to {0}, which does "
                          "not show an error of 2^-{1}",
                          uses.widest, uses.widest.isF16() ? 17 : 13);
  });
}
