//===- FewRows.cpp - products whose number of rows is not known -----------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A model that is compiled for any batch is often called with one row, or with
// a few. To pack a large B costs many times what these compute, so that
// programs choose when they run between blocks for one row, for a few and for
// many.
//
//===----------------------------------------------------------------------===//

#include "PackedNest.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::cpu;

/// Rows that register tiles are chosen for, and as many as one may have.
static constexpr int64_t kUsual = 8;

/// Plans for up to `count` rows.
static void setRows(Roles &roles, int64_t count) {
  for (unsigned d : roles.rows)
    roles.sizes[d] = 1;
  roles.sizes[roles.rows.front()] = count;
  roles.usualRows = std::min(count, kUsual);
}

SmallVector<int64_t> cpu::getFewRows(const Roles &roles,
                                     const CPUTarget &target, int64_t group,
                                     bool isTile) {
  bool isKnown = llvm::none_of(roles.rows, [&](unsigned d) {
    return ShapedType::isDynamic(roles.sizes[d]);
  });
  if (isKnown || isTile || !roles.segments.empty() || roles.windows)
    return {};
  int64_t n = roles.sizes[roles.n], k = roles.sizes[roles.k];
  if (!ShapedType::isDynamic(n) && !ShapedType::isDynamic(k)) {
    int64_t bits = getElementTypeOrSelf(roles.b->get()).getIntOrFloatBitWidth();
    int64_t accBits = roles.body.accType.getIntOrFloatBitWidth();
    if (n * k * bits / 8 <= int64_t(target.l2Bytes) ||
        isPackedAhead(roles, n * k, accBits / group))
      return {};
  }
  // There are at least as many as the loops of known size have.
  int64_t least = roles.getSize(roles.rows, 1);
  auto readsB = [&](int64_t count) {
    if (count < least)
      return false;
    Roles few = roles;
    setRows(few, count);
    Blocking blk = chooseBlocking(few, target, group, isTile);
    return !blk.packsB && blk.mr <= kUsual;
  };
  SmallVector<int64_t> limits;
  if (readsB(1))
    limits.push_back(1);
  // In batches, as attention has them, a few rows are one row.
  if (!roles.others.empty())
    return limits;
  // What the plans know as limits.
  for (int64_t most : {128, 64, 48, 32, 24, 16, 12, 8})
    if (readsB(most)) {
      limits.push_back(most);
      break;
    }
  return limits;
}

PackedNest::Tensors PackedNest::emitForRows(ArrayRef<int64_t> limits,
                                            ValueRange results) {
  if (limits.empty())
    return emitBlocks(results);
  int64_t most = limits.front();
  // No rows are more than any limit then.
  Value one = indexConstant(b, loc, 1), limit = indexConstant(b, loc, most);
  Value isFew = arith::CmpIOp::create(
      b, loc, arith::CmpIPredicate::ult,
      arith::SubIOp::create(b, loc, value(rowCount), one), limit);
  return choose(
      isFew, results.getTypes(),
      [&]() {
        PackedNest few = *this;
        setRows(few.r, most);
        if (most == 1) {
          few.rowCount = b.getIndexAttr(1);
          for (unsigned d : few.r.rows)
            few.bounds[d] = few.rowCount;
        }
        few.chooseBlocks();
        return few.emitBlocks(results);
      },
      [&]() { return emitForRows(limits.drop_front(), results); });
}
