//===- SmallContraction.cpp - contractions that are not packed ------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Operands that the caches hold as they lie need no packing: register tiles
// read rows of B and elements of A where they are.
//
//===----------------------------------------------------------------------===//

#include "GroupDot.h"
#include "PackedNest.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::cpu;

bool cpu::readsInPlace(const Roles &roles, const CPUTarget &target,
                       int64_t group, int64_t columns) {
  // An element of A would be converted once for each tile of columns, and
  // groups are made by packing.
  if (group != 1 || !roles.body.lhsCasts.empty() ||
      !roles.body.rhsCasts.empty() || !roles.segments.empty() ||
      !roles.bRowsAreContiguous() ||
      llvm::any_of(roles.sizes, ShapedType::isDynamic) ||
      roles.a->get().getDefiningOp<tensor::PadOp>())
    return false;
  int64_t n = roles.sizes[roles.n], k = roles.sizes[roles.k];
  // Without masks in hardware a row of B that ends in a tile is read element by
  // element.
  if (!target.hasMaskedMemory && n % columns != 0)
    return false;
  int64_t bytes = roles.body.accType.getIntOrFloatBitWidth() / 8;
  int64_t m = roles.getSize(roles.rows, 1);
  return (m * k + k * n) * bytes <= target.l2Bytes / 8;
}

bool cpu::hasFewColumns(const Roles &roles, const CPUTarget &target) {
  constexpr int64_t kMostColumns = 512;
  int64_t n = roles.sizes[roles.n], k = roles.sizes[roles.k];
  int64_t bytes = roles.body.accType.getIntOrFloatBitWidth() / 8;
  return !ShapedType::isDynamic(n) && !ShapedType::isDynamic(k) &&
         n <= kMostColumns && readsRowsOfA(roles, target) &&
         roles.body.rhsCasts.empty() && k * n * bytes <= target.l2Bytes / 2;
}

/// Whether those are packed by whoever multiplies them, where rows of B as they
/// lie would leave some threads without work: 32 to 128 rows of f32 by 128 to
/// 512 columns are 1.0 to 1.07 times as fast (48 rows 0.94 to 1.0), on two
/// threads 1.0 to 1.9 times (Zen 5).
static bool packsFewColumns(const Roles &roles, const CPUTarget &target,
                            int64_t columns) {
  constexpr int64_t kLeastRows = 32, kManyRows = 96;
  int64_t m = roles.getSize(roles.rows, 1), n = roles.sizes[roles.n];
  // Two threads divide many rows more evenly than an odd number of tiles.
  return !roles.usualRows && m >= kLeastRows && hasFewColumns(roles, target) &&
         (m < kManyRows || 8 * int64_t(llvm::alignTo(n, 2 * columns)) <= 9 * n);
}

bool cpu::sharesStripsOfB(const CPUTarget &target) {
  return !target.hasMaskedMemory && target.vectorRegisters <= 16;
}

// Measured on Zen 3, by 512 x 512 to 4096 x 4096.
int64_t cpu::getMostRowsWithoutStrips(const Roles &roles) {
  return roles.body.rhsCasts.empty() ? 16 : 8;
}

int64_t cpu::getSharedVectors(const CPUTarget &target) {
  return target.vectorRegisters > 16 ? 4 : 2;
}

bool cpu::sharesRowsOfB(const Roles &roles, const CPUTarget &target,
                        int64_t group) {
  bool hasStrips = sharesStripsOfB(target);
  if (group != 1 || (!hasStrips && !target.hasMaskedMemory) ||
      !roles.segments.empty() || !roles.bRowsAreContiguous() ||
      !roles.rowsAreKnown())
    return false;
  // Rows begin anywhere in a line of the caches where their number of columns
  // is no multiple of a tile's, which Zen 5 does not mind: 64 and 128 rows of
  // f32 by 4000 x 4001 are 1.4 and 1.1 times as fast as with B packed.
  int64_t n = roles.sizes[roles.n];
  int64_t columns = getSharedVectors(target) *
                    target.lanes(roles.body.accType.getIntOrFloatBitWidth());
  bool isWhole = ShapedType::isDynamic(n) || n % columns == 0 ||
                 (target.asksForRows && target.hasManyWays());
  int64_t most = isWhole ? 128 : 48;
  bool isConverted = !roles.body.rhsCasts.empty();
  if (hasStrips) {
    // Measured on Zen 3, by 4096 x 4096: 16 rows of f32 and bf16 are 1.4 to 1.7
    // times as fast as with B packed, 64 rows 1.1 times, 128 rows of bf16 too.
    // What the second cache holds, or nearly, may as well be packed once.
    constexpr int64_t kFew = 16, kCaches = 2;
    bool isLarge = exceedsCaches(roles, target, /*unknown=*/true, kCaches);
    most = !isLarge ? kFew : isConverted ? 128 : 64;
  } else if (halvesWords(roles.body)) {
    // Each register tile converts all of them.
    most = isWhole ? 32 : 24;
  } else if (isConverted) {
    most = 16;
  }
  if (roles.getSize(roles.rows, 1) > most)
    return false;
  if (ShapedType::isDynamic(n))
    return true;
  if (packsFewColumns(roles, target, columns))
    return false;
  // A tile at the end computes all of its columns.
  int64_t computed = llvm::alignTo(n, columns);
  return 20 * computed <= 21 * n && !hasPackedB(roles, target, group);
}

/// Whether neighbouring rows of `roles.a` are apart by more than one element in
/// some index: a convolution with strides.
static bool hasStrides(const Roles &roles) {
  bool isApart = false;
  for (AffineExpr expr : roles.aMap.getResults())
    expr.walk([&](AffineExpr part) {
      auto product = dyn_cast<AffineBinaryOpExpr>(part);
      isApart |= product && product.getKind() == AffineExprKind::Mul &&
                 llvm::any_of(roles.rows, [&](unsigned d) {
                   return product.isFunctionOfDim(d);
                 });
    });
  return isApart;
}

bool cpu::readsRowsOfA(const Roles &roles, const CPUTarget &target) {
  constexpr int64_t kFewColumns = 512;
  auto isStatic = [&](unsigned d) {
    return !ShapedType::isDynamic(roles.sizes[d]);
  };
  // With strides, too few rows share an element for a padded copy.
  if (roles.a->get().getDefiningOp<tensor::PadOp>() && hasStrides(roles))
    return false;
  return roles.body.lhsCasts.empty() && !matchGroupDot(roles, target) &&
         llvm::all_of(roles.segments, isStatic) && isStatic(roles.k) &&
         roles.getSize(roles.n, kFewColumns + 1) <= kFewColumns;
}

/// The element of A for row `row` of a tile and step `k`, in every lane. Rows
/// past the end are the last one.
Value PackedNest::spreadElementOfA(const Place &at, int64_t row, Value k) {
  AffineExpr s0 = b.getAffineSymbolExpr(0), s1 = b.getAffineSymbolExpr(1);
  SmallVector<OpFoldResult> point = dims(Value(), Value(), k);
  if (rowsOfTile.empty())
    point = dims(
        clamp(rowCount, apply(s0 + s1 * blk.mr + row, {at.ic, at.i}), blk.mr),
        Value(), k);
  else
    point = setParts(std::move(point), rowsOfTile[row]);
  SmallVector<Value> indices;
  for (AffineExpr expr : mapOfA(point).getResults())
    indices.push_back(applyExpr(b, loc, expr, point));
  return convertA(tensor::ExtractOp::create(b, loc, r.a->get(), indices),
                  blk.lanes);
}
