//===- RowsInPlace.cpp - a few rows by rows of B where it is --------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where one register tile has all rows of A, B is read once, and packing it
// would cost as much as all else. A block has a few rows of B, which are as
// many streams from memory; what counts is that memory is never idle.
//
//===----------------------------------------------------------------------===//

#include "PackedNest.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::cpu;

/// Tiles and blocks for a B that no cache holds, where a first cache has twelve
/// ways but the processor does not ask for enough. On Zen 5, by 4096 x 4096 of
/// f32, 4 rows are 1.1, 6 rows 1.9, and 8 and 12 rows 1.3 times as fast as with
/// rows that are asked for in between the products.
static void planFarRows(Blocking &blk, int64_t m) {
  constexpr int64_t kFewRows = 4, kManyRows = 8;
  blk.nc = 1024;
  if (m <= 2) {
    blk.kc = 8;
  } else {
    blk.kc = m <= kFewRows ? 3 : m < kManyRows ? 6 : 8;
    blk.nc = m <= kFewRows ? 1024 : 512;
    blk.rowsAhead = blk.kc;
    blk.asksBehind = true;
  }
  // One line of each row of B at a time, but for one row.
  if (m > 1)
    blk.nv = blk.halvesWords || m >= kManyRows ? 2 : 1;
}

namespace {
/// What threads divide columns into: so many, or `parts` parts of fewer.
struct Share {
  int64_t part = 1024, parts = 4;
};
} // namespace

/// Tiles and blocks for what a cache holds, or for other processors.
static Share planNearRows(Blocking &blk, const Product &p, int64_t bitsOfB) {
  // As many rows of B at once as streams that processors prefetch: fewer where
  // little is computed meanwhile. More, with which sums would pass through the
  // first cache less often, are slower unless B is in the last one. Of words of
  // 32 bits 8 KiB of each row. Measured.
  const CPUTarget &target = p.target;
  int64_t m = p.m;
  bool isWide = bitsOfB >= 32, hasManyWays = target.hasManyWays();
  blk.kc = m < 4 ? 8 : isWide ? 12 : 16;
  blk.nc = isWide ? 8192 * 8 / bitsOfB : 4096;
  bool asks = target.hasMaskedMemory;
  constexpr int64_t kFewOfManyWays = 4, kFew = 5;
  Share share;
  if (!target.hasMaskedMemory) {
    // Before AVX-512, first caches have eight ways: more lines that are a power
    // of two apart, those asked for ahead among them, replace each other. On
    // Zen 3, 8 rows of f32 by 4096 x 4096 are 1.6 times as fast without, and
    // 1.25 times as fast with longer parts of rows.
    blk.kc = 8;
    share = {2048, 2};
  } else if (hasManyWays) {
    // Where a first cache has twelve, and few rows leave time for little else,
    // processors ask for more by themselves: on Emerald Rapids bf16 is 1.1 to
    // 1.3 times as fast without, and f32 1.1 times. So does Zen 5 for what its
    // last cache holds.
    if (m <= kFewOfManyWays) {
      asks = false;
      blk.kc = 16;
    }
  } else if (m <= kFew && p.n * p.k * bitsOfB / 8 > int64_t(target.l2Bytes)) {
    // On Zen 4 it is one line of each row of B at a time (up to 5 rows 1.1 to
    // 1.4 times as fast).
    blk.nv = blk.halvesWords ? 2 : 1;
    blk.kc = 8;
    share = {2048, 2};
  } else if (m > kFew && isWide) {
    // With more rows, the sums that leave a first cache of eight ways and come
    // back are what counts (8 rows 1.1 times).
    blk.kc = 32;
  }
  blk.rowsAhead = asks && blk.packsA ? blk.kc : 0;
  return share;
}

void cpu::planFewRows(Blocking &blk, const Product &p) {
  const auto &[roles, target, group, m, n, k, bytes] = p;
  blk.packsA = !readsRowsOfA(roles, target);
  blk.packsB = false;
  Share share;
  if (target.hasManyWays() && target.asksForRows &&
      exceedsCaches(roles, target, /*unknown=*/true, kMostNearly))
    planFarRows(blk, m);
  else
    share = planNearRows(
        blk, p, getElementTypeOrSelf(roles.b->get()).getIntOrFloatBitWidth());
  int64_t nr = blk.nr(), deepest = llvm::alignTo(k, blk.lanes);
  if (blk.kc > deepest) {
    blk.kc = deepest;
    blk.rowsAhead = blk.rowsAhead ? deepest : 0;
  }
  blk.mc = blk.mr;
  blk.nc = std::min<int64_t>(blk.nc / nr * nr, llvm::alignTo(n, nr));
  planColumns(blk, p, share.part, share.parts);
}

void PackedNest::prefetchNextRows(const Place &at, const Part &part) {
  AffineExpr s0 = b.getAffineSymbolExpr(0), s1 = b.getAffineSymbolExpr(1);
  // Past the end of B there is nothing to fetch, which does no harm.
  loop(b.getIndexAttr(0), part.kc, 1, {}, [&](Value i, ValueRange) {
    Value ahead = value(apply(s0 + s1 + blk.rowsAhead, {part.pc, i}));
    for (int64_t v = 0; v < rowVectors; ++v)
      prefetchRowOfB(column(at, v), ahead, v * blk.lanes);
    return Tensors();
  });
}
