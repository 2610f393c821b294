//===- VectorWindows.cpp - windows of an image in vectors -----------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// The windows of a depthwise convolution or a pool with channels last are sums
// of a few vectors of each pixel. Their pixels are whole rows of channels
// apart, too far for processors to see which will be read next, and little is
// computed while those come: each tile asks for what the one below it reads.
// With channels first, lanes are pixels of a line, and tiles are some lines.
//
//===----------------------------------------------------------------------===//

#include "VectorNest.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::cpu;

/// The loop that moves `expr` and is, or is not, a reduction; -1 where
/// there is none.
int VectorNest::findLoop(AffineExpr expr, bool isReduction) {
  for (unsigned d = 0; d < numLoops; ++d)
    if (isReductionDim(d) == isReduction && expr.isFunctionOfDim(d))
      return d;
  return -1;
}

/// How far loop `d` moves `expr`; 0 where that is not known.
static int64_t getMove(AffineExpr expr, unsigned d, unsigned numLoops) {
  AffineExpr dim = getAffineDimExpr(d, expr.getContext());
  auto move = dyn_cast<AffineConstantExpr>(
      simplifyAffineExpr(expr.replace(dim, dim + 1) - expr, numLoops, 0));
  return move ? move.getValue() : 0;
}

std::optional<VectorNest::Window> VectorNest::findWindow() {
  if (rowDim < 0 || vecDim < 0 || vecIsReduction)
    return std::nullopt;
  for (OpOperand *in : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(in);
    if (!isa<RankedTensorType>(in->get().getType()) ||
        map.getNumResults() < 3 ||
        map.getResults().back() != getAffineDimExpr(vecDim, op.getContext()))
      continue;
    AffineExpr column = map.getResult(map.getNumResults() - 2);
    Window window{in, findLoop(column, /*isReduction=*/true),
                  getMove(column, rowDim, numLoops)};
    if (window.step >= 1 && window.across >= 0)
      return window;
  }
  return std::nullopt;
}

// What is converted is worth keeping for the next column of the window.
// Measured on Zen 4: windows of bf16 with 5 columns are 1.2 times as fast, with
// 7 1.5 times.
bool VectorNest::keepsColumns() {
  constexpr int64_t kWide = 8;
  std::optional<Window> window = findWindow();
  if (!window || !contraction || window->step != 1)
    return false;
  AffineMap map = op.getMatchingIndexingMap(window->image);
  unsigned across = window->across;
  bool isLast = llvm::none_of(llvm::seq(across + 1, numLoops),
                              [&](unsigned d) { return isReductionDim(d); });
  return isLast &&
         getMove(map.getResult(map.getNumResults() - 2), across, numLoops) ==
             1 &&
         !ShapedType::isDynamic(sizes[across]) && sizes[across] <= kWide &&
         getElementBits(getElementTypeOrSelf(window->image->get())) <
             contraction->accType.getIntOrFloatBitWidth();
}

/// The image whose lines the lanes go along, of whose windows the last loop
/// goes across; null if there is none.
OpOperand *VectorNest::findImageOfLines() {
  unsigned last = numLoops - 1;
  if (vecIsReduction || !isReductionDim(last))
    return nullptr;
  for (OpOperand *in : op.getDpsInputOperands())
    for (AffineExpr expr : op.getMatchingIndexingMap(in).getResults())
      if (expr.isFunctionOfDim(vecDim) && expr.isFunctionOfDim(last))
        return in;
  return nullptr;
}

/// The loop over the lines of an image whose windows have lines in common with
/// the next ones; -1 where there is none.
int VectorNest::findSharedLines() {
  for (OpOperand *in : op.getDpsInputOperands())
    for (AffineExpr expr : op.getMatchingIndexingMap(in).getResults()) {
      int line = findLoop(expr, /*isReduction=*/false),
          down = findLoop(expr, /*isReduction=*/true);
      if (line < 0 || down < 0 || line == vecDim || sizes[line] == 1 ||
          ShapedType::isDynamic(sizes[down]))
        continue;
      int64_t move = getMove(expr, line, numLoops);
      if (move > 0 && move < sizes[down] * getMove(expr, down, numLoops))
        return line;
    }
  return -1;
}

/// With few registers, tiles of windows along lines are two of the lines that
/// share some of the image, of two registers each; of wide windows, whose
/// columns are unrolled, more lines of one, but where pixels are picked, of
/// which narrow ones are many at a time. Windows that share no lines are so
/// short that LLVM unrolls them. Sets the loop over such lines, the number of
/// which becomes `rowSize`, and the most registers and lines of a tile; `cost`
/// is that of the body.
void VectorNest::planLines(unsigned cost, int64_t &rowSize,
                           int64_t &mostRegisters, int64_t &mostRows) {
  constexpr int64_t kUnrolled = 16, kWide = 5;
  OpOperand *image = findImageOfLines();
  int64_t across = sizes.back();
  if (!image || target.vectorRegisters != 16 || ShapedType::isDynamic(across) ||
      across > kUnrolled)
    return;
  bool isNarrow = getElementBits(getElementTypeOrSelf(image->get())) < 32;
  bool isPicked = stride(*image) == Stride::Few;
  int line = cost <= 8 ? findSharedLines() : -1;
  if (line >= 0) {
    bool isWide = contraction && across >= kWide;
    rowDim = line;
    rowSize = ShapedType::isDynamic(sizes[line]) ? kUsualPixels : sizes[line];
    mostRows = isWide && !isPicked ? 8 : 2;
    mostRegisters = mostRows == 8                         ? 1
                    : isNarrow && isPicked && contraction ? 4
                                                          : 2;
    if (isWide) {
      acrossDim = numLoops - 1;
      return;
    }
  } else if (isNarrow) {
    return;
  }
  while (mostRegisters > 1 && mostRegisters * across > kUnrolled)
    mostRegisters /= 2;
}

void VectorNest::planPrefetch() {
  std::optional<Window> window = findWindow();
  if (!window)
    return;
  OpOperand &image = *window->image;
  AffineMap map = op.getMatchingIndexingMap(&image);
  auto type = cast<RankedTensorType>(image.get().getType());
  // What the second level keeps of it is there.
  if (std::optional<int64_t> bytes = getStaticBytes(type);
      bytes && *bytes <= target.l2Bytes)
    return;
  AffineExpr line = map.getResult(map.getNumResults() - 3);
  RowBelow row;
  row.window = *window;
  row.next = findLoop(line, /*isReduction=*/false);
  row.down = findLoop(line, /*isReduction=*/true);
  if (row.next < 0 || row.down < 0 || row.next == rowDim ||
      ShapedType::isDynamic(sizes[row.down]))
    return;
  // Windows that share nothing with the next ones are read as streams.
  constexpr int64_t kMostLines = 2;
  row.lines = std::min(getMove(line, row.next, numLoops), sizes[row.down]);
  if (row.lines < 1 || row.lines > kMostLines || window->step > kMostLines)
    return;
  row.buffer = bufferization::ToBufferOp::create(
      b, loc, bufferization::getMemRefTypeWithFullyDynamicLayout(type),
      image.get(), /*read_only=*/true);
  below = row;
}

void VectorNest::prefetchRowBelow(Tile tile) {
  if (!below)
    return;
  AffineExpr s0 = b.getAffineSymbolExpr(0);
  AffineMap map = op.getMatchingIndexingMap(below->window.image);
  int64_t last = sizes[below->down] - 1;
  for (int64_t row = 0; row < tile.rows; ++row)
    for (int64_t column = 0; column < below->window.step; ++column)
      for (int64_t line = 0; line < below->lines; ++line) {
        SmallVector<OpFoldResult> at = dimValues(row, 0);
        at[below->next] = affine::makeComposedFoldedAffineApply(
            b, loc, s0 + 1, at[below->next]);
        at[below->down] = b.getIndexAttr(last - line);
        at[below->window.across] = b.getIndexAttr(column);
        SmallVector<Value> indices;
        for (AffineExpr expr : map.getResults())
          indices.push_back(applyExpr(b, loc, expr, at));
        memref::PrefetchOp::create(b, loc, below->buffer, indices,
                                   /*isWrite=*/false, /*localityHint=*/2,
                                   /*isDataCache=*/true);
      }
}
