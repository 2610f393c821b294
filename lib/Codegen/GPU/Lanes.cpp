//===- Lanes.cpp - how indices move over a vector's lanes -----------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/GPU/Lanes.h"

#include <numeric>

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::gpu;

/// The largest divisor, up to `limit`, of `expr`.
static int64_t divisor(AffineExpr expr, int64_t limit) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return std::gcd(constant.getValue(), limit);
  return std::gcd(expr.getLargestKnownDivisor(), limit);
}

int64_t amp::gpu::getLaneMultiple(AffineExpr expr, unsigned dim,
                                  int64_t multiple) {
  if (!expr.isFunctionOfDim(dim))
    return divisor(expr, multiple);
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return multiple;
  int64_t lhs = getLaneMultiple(binary.getLHS(), dim, multiple);
  int64_t rhs = getLaneMultiple(binary.getRHS(), dim, multiple);
  auto size = dyn_cast<AffineConstantExpr>(binary.getRHS());
  switch (binary.getKind()) {
  case AffineExprKind::Add:
    return std::gcd(lhs, rhs);
  case AffineExprKind::Mul:
    return size ? std::gcd(lhs * size.getValue(), multiple)
                : std::gcd(lhs * rhs, multiple);
  case AffineExprKind::Mod:
    return size ? std::gcd(lhs, size.getValue()) : 1;
  case AffineExprKind::FloorDiv:
    return size && size.getValue() > 0 && lhs % size.getValue() == 0
               ? lhs / size.getValue()
               : 1;
  default:
    return 1;
  }
}

Lanes amp::gpu::classifyLanes(AffineExpr expr, unsigned dim, int64_t width,
                              int64_t multiple) {
  if (!expr.isFunctionOfDim(dim))
    return Lanes::Equal;
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return Lanes::Consecutive;
  Lanes lhs = classifyLanes(binary.getLHS(), dim, width, multiple);
  Lanes rhs = classifyLanes(binary.getRHS(), dim, width, multiple);
  switch (binary.getKind()) {
  case AffineExprKind::Add:
    if (lhs == Lanes::Equal)
      return rhs;
    return rhs == Lanes::Equal ? lhs : Lanes::Other;
  case AffineExprKind::Mod:
  case AffineExprKind::FloorDiv: {
    // Aligned blocks of lanes do not straddle a multiple of the block's size.
    auto size = dyn_cast<AffineConstantExpr>(binary.getRHS());
    bool keeps = lhs == Lanes::Consecutive && size && size.getValue() > 0 &&
                 size.getValue() % width == 0 &&
                 getLaneMultiple(binary.getLHS(), dim, multiple) == width;
    if (!keeps)
      return Lanes::Other;
    return binary.getKind() == AffineExprKind::Mod ? Lanes::Consecutive
                                                   : Lanes::Equal;
  }
  default:
    return lhs == Lanes::Equal && rhs == Lanes::Equal ? Lanes::Equal
                                                      : Lanes::Other;
  }
}
