//===- ContractionRoles.cpp - loops and operands of a contraction ---------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ContractionPlan.h"

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::cpu;

static bool isPlain(AffineMap map) {
  return map.isProjectedPermutation() && map.getNumResults() > 0;
}

/// The windows that the last index of B has, which is to be a sum of terms with
/// either n or k; nothing where columns are in no such runs.
static std::optional<Windows> matchWindows(const Roles &r) {
  MLIRContext *context = r.bMap.getContext();
  unsigned numDims = r.bMap.getNumDims();
  for (AffineExpr expr : r.bMap.getResults().drop_back())
    if (!isa<AffineDimExpr>(expr) || expr.isFunctionOfDim(r.n) ||
        expr.isFunctionOfDim(r.k))
      return std::nullopt;
  if (!r.segments.empty() || ShapedType::isDynamic(r.sizes[r.k]) ||
      !r.aRowsAreContiguous())
    return std::nullopt;
  SmallVector<AffineExpr> terms, pending = {r.bMap.getResults().back()};
  while (!pending.empty()) {
    AffineExpr expr = pending.pop_back_val();
    if (expr.getKind() != AffineExprKind::Add) {
      terms.push_back(expr);
      continue;
    }
    pending.push_back(cast<AffineBinaryOpExpr>(expr).getLHS());
    pending.push_back(cast<AffineBinaryOpExpr>(expr).getRHS());
  }
  Windows windows;
  windows.start = windows.step = getAffineConstantExpr(0, context);
  AffineExpr n = getAffineDimExpr(r.n, context);
  for (AffineExpr term : terms) {
    for (unsigned d = 0; d < numDims; ++d)
      if (d != r.n && d != r.k && term.isFunctionOfDim(d))
        return std::nullopt;
    bool hasN = term.isFunctionOfDim(r.n), hasK = term.isFunctionOfDim(r.k);
    if (hasN && hasK)
      return std::nullopt;
    AffineExpr &sum = hasK ? windows.step : windows.start;
    sum = sum + term;
  }
  // All of a run has one quotient.
  bool isKnown = true;
  SmallVector<int64_t> divisors;
  windows.start.walk([&](AffineExpr expr) {
    auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
    if (!binary || binary.getKind() == AffineExprKind::Add ||
        binary.getKind() == AffineExprKind::Mul)
      return;
    auto by = dyn_cast<AffineConstantExpr>(binary.getRHS());
    bool isQuotient = expr.getKind() == AffineExprKind::FloorDiv;
    if (by && isQuotient && binary.getLHS() == n)
      divisors.push_back(by.getValue());
    else if (by && expr.getKind() == AffineExprKind::Mod &&
             binary.getLHS() == n) {
      isKnown &= windows.run == 0 || windows.run == by.getValue();
      windows.run = by.getValue();
    } else if (!by || expr.getKind() != AffineExprKind::Mod ||
               binary.getLHS().getKind() != AffineExprKind::FloorDiv)
      isKnown = false;
  });
  for (int64_t divisor : divisors)
    isKnown &= windows.run > 0 && divisor % windows.run == 0;
  auto startAt = [&](int64_t index) {
    return dyn_cast<AffineConstantExpr>(simplifyAffineExpr(
        windows.start.replace(n, getAffineConstantExpr(index, context)),
        numDims, 0));
  };
  AffineConstantExpr first = startAt(0), second = startAt(1);
  if (!isKnown || windows.run == 1 || !first || !second)
    return std::nullopt;
  windows.stride = second.getValue() - first.getValue();
  if (windows.stride < 1)
    return std::nullopt;
  return windows;
}

/// The windows that `gatherWindows` has B gathered from.
static std::optional<Windows> matchGather(const Roles &r) {
  auto op = r.b->get().getDefiningOp<linalg::GenericOp>();
  auto stride = op ? op->getAttrOfType<IntegerAttr>(kGatherAttrName) : nullptr;
  auto results = r.bMap.getResults();
  MLIRContext *context = r.bMap.getContext();
  if (!stride || !r.segments.empty() || !r.aRowsAreContiguous() ||
      results.back() != getAffineDimExpr(r.n, context) ||
      results.drop_back().back() != getAffineDimExpr(r.k, context))
    return std::nullopt;
  Windows windows;
  windows.stride = stride.getInt();
  Gather &gather = windows.gather.emplace();
  gather.steps = op.getDpsInputs()[0];
  auto extract = *op.getBody()->getOps<tensor::ExtractOp>().begin();
  gather.image = extract.getTensor();
  auto divide = *op.getBody()->getOps<arith::DivUIOp>().begin();
  gather.rowLength = divide.getRhs();
  auto move = cast<arith::MulIOp>(*divide->user_begin());
  gather.rowMove = move.getLhs() == divide ? move.getRhs() : move.getLhs();
  return windows;
}

std::optional<Roles> cpu::matchRoles(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics())
    return std::nullopt;
  std::optional<ContractionBody> body = matchContractionBody(op);
  if (!body)
    return std::nullopt;
  Roles r;
  r.body = *body;
  r.a = op.getDpsInputOperand(body->lhs);
  r.b = op.getDpsInputOperand(body->rhs);
  r.c = op.getDpsInitOperand(0);
  r.aMap = op.getMatchingIndexingMap(r.a);
  r.bMap = op.getMatchingIndexingMap(r.b);
  r.cMap = op.getMatchingIndexingMap(r.c);
  r.sizes = op.getStaticLoopRanges();
  if (!isPlain(r.cMap) || r.aMap.getNumResults() == 0 ||
      r.bMap.getNumResults() == 0)
    return std::nullopt;
  auto isTensor = [](OpOperand *operand) {
    auto type = dyn_cast<RankedTensorType>(operand->get().getType());
    return type && isVectorElement(type.getElementType());
  };
  if (!isTensor(r.a) || !isTensor(r.b) || !isTensor(r.c))
    return std::nullopt;
  for (Operation *cast :
       llvm::concat<Operation *>(r.body.lhsCasts, r.body.rhsCasts))
    if (!isVectorElement(cast->getResult(0).getType()))
      return std::nullopt;

  // The vector loop is C's innermost; it decides which operand is B.
  unsigned inner =
      cast<AffineDimExpr>(r.cMap.getResults().back()).getPosition();
  if (r.aMap.isFunctionOfDim(inner) && !r.bMap.isFunctionOfDim(inner)) {
    std::swap(r.a, r.b);
    std::swap(r.aMap, r.bMap);
    std::swap(r.body.lhsCasts, r.body.rhsCasts);
  }
  if (r.aMap.isFunctionOfDim(inner) || !r.bMap.isFunctionOfDim(inner))
    return std::nullopt;
  bool isMatrix = isPlain(r.bMap);
  r.n = inner;

  auto rank = [&](unsigned d) {
    return ShapedType::isDynamic(r.sizes[d])
               ? std::numeric_limits<int64_t>::max()
               : r.sizes[d];
  };
  int m = -1, k = -1;
  for (unsigned d = 0, e = op.getNumLoops(); d < e; ++d) {
    bool inA = r.aMap.isFunctionOfDim(d), inB = r.bMap.isFunctionOfDim(d),
         inC = r.cMap.isFunctionOfDim(d);
    if (!inA && !inB)
      return std::nullopt;
    if (inA && !inB && inC && (m < 0 || rank(d) >= rank(m)))
      m = d;
    // A loop over one input alone sums it: legal, but not a contraction.
    if (!inC && !(inA && inB))
      return std::nullopt;
    if (inA && inB && !inC && (k < 0 || rank(d) >= rank(k)))
      k = d;
  }
  // Without a loop over rows, there is one of them: a vector times a matrix.
  if (k < 0)
    return std::nullopt;
  // An innermost loop that could have been chosen should have been.
  auto kind = [&](unsigned d) {
    return r.aMap.isFunctionOfDim(d) * 4 + r.bMap.isFunctionOfDim(d) * 2 +
           r.cMap.isFunctionOfDim(d);
  };
  // The loop along the innermost index: of a sum of loops, a reduction that
  // moves it by one.
  auto last = [&](AffineMap map) -> unsigned {
    AffineExpr expr = map.getResults().back();
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      return dim.getPosition();
    for (unsigned d = 0, e = map.getNumDims(); d < e; ++d) {
      AffineExpr dim = getAffineDimExpr(d, map.getContext());
      AffineExpr move =
          simplifyAffineExpr(expr.replace(dim, dim + 1) - expr, e, 0);
      if (kind(d) == kind(k) &&
          move == getAffineConstantExpr(1, map.getContext()))
        return d;
    }
    return map.getNumDims();
  };
  if (last(r.aMap) == op.getNumLoops())
    return std::nullopt;
  for (unsigned d : {last(r.aMap), isMatrix ? last(r.bMap) : r.n}) {
    if (kind(d) == kind(k))
      k = d;
    else if (m >= 0 && kind(d) == kind(m))
      m = d;
  }
  r.k = k;
  auto isOneOf = [&](unsigned d) {
    return int(d) == m || d == r.n || d == r.k;
  };
  if (!isOneOf(last(r.aMap)) || (isMatrix && !isOneOf(last(r.bMap))))
    return std::nullopt;
  // Rows of a layout with k innermost are read one by one, wherever they are.
  for (unsigned d = 0, e = op.getNumLoops(); d < e; ++d) {
    if (d == r.n || d == r.k)
      continue;
    if (!r.cMap.isFunctionOfDim(d))
      r.segments.push_back(d);
    else if (int(d) == m ||
             (r.aRowsAreContiguous() && !r.bMap.isFunctionOfDim(d)))
      r.rows.push_back(d);
    else
      r.others.push_back(d);
  }
  r.windows = isMatrix ? matchGather(r) : matchWindows(r);
  if (!isMatrix && !r.windows)
    return std::nullopt;
  return r;
}

int64_t Roles::getSize(ArrayRef<unsigned> dims, int64_t unknown) const {
  int64_t size = 1;
  for (unsigned d : dims)
    size *= ShapedType::isDynamic(sizes[d]) ? unknown : sizes[d];
  return size;
}

bool Roles::rowsAreKnown() const {
  return llvm::none_of(
      rows, [&](unsigned d) { return ShapedType::isDynamic(sizes[d]); });
}
