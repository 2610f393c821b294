//===- Quotients.cpp - what cancels in a softmax --------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Without an instruction that scales by a power of two, the last of an
// exponential's instructions multiplies by 2^-24 what has been computed 2^24
// above it, so that small results round as subnormal numbers. A softmax divides
// by the sum of its exponentials, and any factor of all of them cancels: here
// they get the factor 2^24, with which they need no last instruction. Of what
// they become, the power of that factor is followed to where it is zero. Since
// the difference before has lost more, they are marked, too, as those of a
// softmax, which may be less precise. So are those of which the logarithm of
// such a sum is seen, but for the factor, which that does not lose.
//
// A NaN in a row makes its sum NaN, and so all of the row: the largest number,
// which is subtracted before, need not be NaN as well.
//
//===----------------------------------------------------------------------===//

#include "KnownValues.h"

#include "amp/Codegen/Floats/MathFunctions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

#include <set>

using namespace mlir;
using namespace mlir::amp;

namespace {
/// Follows a factor of one exponential.
class Factor {
public:
  /// `order`: of all ops of the function, as they stand in it.
  Factor(const DenseMap<Operation *, unsigned> &order) : order(order) {}

  /// Whether a factor of the result of `exp` cancels in all that is made of
  /// it but logarithms of sums (`isLogged`), and each sum that is divided by,
  /// or has a logarithm, has an exponential of zero, so that it is 1 at least.
  bool cancels(math::ExpOp exp) {
    op = dyn_cast<linalg::GenericOp>(exp->getParentOp());
    mapOfMaximum = cpu::getMaximum(exp).second;
    if (!op || !mapOfMaximum)
      return false;
    reach(exp, {1, /*isSum=*/false});
    while (!next.empty()) {
      Operation *user = next.begin()->second;
      next.erase(next.begin());
      if (!visit(user))
        return false;
    }
    return true;
  }

  bool isLogged() const { return logged; }

private:
  /// To what power, 1 or -1, a value has the factor (0: it has not), and
  /// whether it is the sum of a row.
  struct Power {
    int exponent = 0;
    bool isSum = false;
  };

  void reach(Value value, Power power) {
    powers[value] = power;
    for (Operation *user : value.getUsers())
      next.insert({order.lookup(user), user});
  }

  /// Whether what `user` makes of what has the factor is known.
  bool visit(Operation *user) {
    if (auto generic = dyn_cast<linalg::GenericOp>(user)) {
      for (OpOperand &operand : generic->getOpOperands()) {
        auto known = powers.find(operand.get());
        if (known == powers.end())
          continue;
        if (!generic.isDpsInput(&operand))
          return false;
        reach(generic.getMatchingBlockArgument(&operand), known->second);
      }
      return generic.hasPureTensorSemantics();
    }
    if (isa<linalg::YieldOp>(user)) {
      for (OpOperand &operand : user->getOpOperands())
        if (auto known = powers.find(operand.get()); known != powers.end())
          reach(user->getParentOp()->getResult(operand.getOperandNumber()),
                known->second);
      return true;
    }
    if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(user)) {
      reach(user->getResult(0), powers.lookup(user->getOperand(0)));
      return true;
    }
    if (isa<math::LogOp>(user)) {
      logged = true;
      return powers.lookup(user->getOperand(0)).isSum;
    }
    if (user->getNumOperands() != 2)
      return false;
    Power powerOfRhs = powers.lookup(user->getOperand(1));
    int lhs = powers.lookup(user->getOperand(0)).exponent;
    int rhs = powerOfRhs.exponent;
    if (isa<arith::MulFOp>(user))
      return lhs + rhs == 0;
    if (isa<arith::DivFOp>(user)) {
      if (!powerOfRhs.isSum)
        return false;
      bool isReciprocal =
          lhs == 0 && matchPattern(user->getOperand(0), m_OneFloat());
      if (isReciprocal)
        reach(user->getResult(0), {-1, /*isSum=*/false});
      return isReciprocal || lhs == rhs;
    }
    auto sum = dyn_cast<arith::AddFOp>(user);
    if (!sum || lhs + rhs != 1 || !isSumOfRow(sum, sum->getOperand(lhs)))
      return false;
    reach(sum, {1, /*isSum=*/true});
    return true;
  }

  /// Whether `sum` adds to `soFar`, the result of a reduction that starts from
  /// zero, and takes in the elements of the tensor of exponentials that the
  /// maximum was taken of.
  bool isSumOfRow(arith::AddFOp sum, Value soFar) {
    auto argument = dyn_cast<BlockArgument>(soFar);
    auto reduction = dyn_cast<linalg::GenericOp>(sum->getParentOp());
    if (!argument || !argument.hasOneUse() ||
        argument.getArgNumber() < reduction.getNumDpsInputs())
      return false;
    unsigned result = argument.getArgNumber() - reduction.getNumDpsInputs();
    auto fill = reduction.getDpsInits()[result].getDefiningOp<linalg::FillOp>();
    if (reduction.getBody()->getTerminator()->getOperand(result) != sum ||
        !fill || !matchPattern(fill.getInputs()[0], m_AnyZeroFloat()))
      return false;
    AffineMap row =
        reduction.getMatchingIndexingMap(reduction.getDpsInitOperand(result));
    if (reduction == op)
      return row == mapOfMaximum;
    return llvm::any_of(reduction.getDpsInputOperands(), [&](OpOperand *input) {
      auto made = dyn_cast<OpResult>(input->get());
      if (!made || made.getOwner() != op)
        return false;
      AffineMap here = reduction.getMatchingIndexingMap(input);
      AffineMap there = op.getIndexingMapMatchingResult(made);
      return powers.contains(made) && here.isPermutation() &&
             there.isPermutation() &&
             row.compose(inversePermutation(here)) ==
                 mapOfMaximum.compose(inversePermutation(there));
    });
  }

  const DenseMap<Operation *, unsigned> &order;
  /// What has the exponential in its body, and where it takes the maximum from.
  linalg::GenericOp op;
  AffineMap mapOfMaximum;
  DenseMap<Value, Power> powers;
  bool logged = false;
  std::set<std::pair<unsigned, Operation *>> next;
};
} // namespace

/// Whether of `maximum`, the result of a reduction, only `exp` sees anything,
/// of the difference that it takes.
static bool isSeenOnlyBy(math::ExpOp exp, Value maximum) {
  auto difference = exp.getOperand().getDefiningOp<arith::SubFOp>();
  auto argument = dyn_cast<BlockArgument>(difference.getRhs());
  while (maximum.hasOneUse() &&
         isa<tensor::ExpandShapeOp>(*maximum.user_begin()))
    maximum = maximum.user_begin()->getResult(0);
  return difference->hasOneUse() && argument && argument.hasOneUse() &&
         maximum.hasOneUse() &&
         *maximum.user_begin() == argument.getOwner()->getParentOp();
}

/// Makes `maximum`, the result of a reduction, ignore NaN.
static void ignoreNaN(OpResult maximum) {
  Operation *body =
      cast<linalg::LinalgOp>(maximum.getOwner()).getBlock()->getTerminator();
  auto largest = body->getOperand(maximum.getResultNumber())
                     .getDefiningOp<arith::MaximumFOp>();
  if (!largest || !largest->hasOneUse())
    return;
  IRRewriter rewriter(largest);
  rewriter.replaceOpWithNewOp<arith::MaxNumFOp>(
      largest, largest.getLhs(), largest.getRhs(), largest.getFastmath());
}

void cpu::simplifyQuotients(FunctionOpInterface function, bool raises) {
  DenseMap<Operation *, unsigned> order;
  SmallVector<math::ExpOp> exponentials;
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    order[op] = order.size();
    if (auto exp = dyn_cast<math::ExpOp>(op); exp && exp.getType().isF32())
      exponentials.push_back(exp);
  });
  OpBuilder b(function->getContext());
  for (math::ExpOp exp : exponentials) {
    Factor all(order);
    if (!exp->hasAttr(floats::kNeverPositiveAttrName) || !all.cancels(exp))
      continue;
    // NaN is in the row's sum, too.
    OpResult maximum = cpu::getMaximum(exp).first;
    if (isSeenOnlyBy(exp, maximum))
      ignoreNaN(maximum);
    exp->setDiscardableAttr(floats::kSoftmaxAttrName, b.getUnitAttr());
    if (!raises || all.isLogged())
      continue;
    b.setInsertionPointAfter(exp);
    Value factor = arith::ConstantOp::create(
        b, exp.getLoc(), b.getF32FloatAttr(floats::kRaisedExpFactor));
    auto raised = arith::MulFOp::create(b, exp.getLoc(), exp, factor);
    raised->setDiscardableAttr(floats::kCancelsAttrName, b.getUnitAttr());
    exp.getResult().replaceAllUsesExcept(raised, raised);
  }
}
