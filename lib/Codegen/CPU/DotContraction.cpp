//===- DotContraction.cpp - a few rows by a transposed B ------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Where neighbours in k are neighbours in both A and B, as with the weights of
// a linear layer that PyTorch keeps as [N, K], vectors along k need no packing:
// each result is the sum of one accumulator's lanes. That reads B once and in
// order, and pays while all rows of A are in one register tile.
//
//===----------------------------------------------------------------------===//

#include "PackedNest.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::cpu;

int64_t cpu::getDotColumns(const Roles &roles, const CPUTarget &target) {
  // The sum over lanes costs as much as some ten steps. Measured.
  constexpr int64_t kLeastDepth = 512, kMostRows = 12;
  if (roles.bRowsAreContiguous() || !roles.aRowsAreContiguous() ||
      !roles.segments.empty() || roles.getSize(roles.k, 1024) < kLeastDepth ||
      llvm::any_of(
          roles.rows,
          [&](unsigned d) { return ShapedType::isDynamic(roles.sizes[d]); }) ||
      roles.a->get().getDefiningOp<tensor::PadOp>() ||
      // What is packed ahead is as good.
      matchPattern(roles.b->get(), m_Constant()))
    return 0;
  int64_t m = roles.getSize(roles.rows, 1);
  if (m < 2 || m > kMostRows)
    return 0;
  // Elements of A would be converted once for each row of B.
  std::optional<GroupDot> dot = matchGroupDot(roles.body, target);
  if (dot ? dot->isTile || dot->biasesLhs || dot->lhsSigned ||
                !dot->lhsCasts.empty()
          : !roles.body.lhsCasts.empty())
    return 0;
  for (int64_t columns : {8, 4, 2, 1})
    if (m * columns + columns + 1 <= int64_t(target.vectorRegisters))
      return columns;
  return 0;
}

Value PackedNest::addDots(const Place &at, const Part &part, Value sums) {
  AffineExpr s0 = b.getAffineSymbolExpr(0), s1 = b.getAffineSymbolExpr(1),
             s2 = b.getAffineSymbolExpr(2);
  int64_t nr = blk.nr(), width = blk.lanes * step;
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(vec));
  return loop1(
      b.getIndexAttr(0), b.getIndexAttr(nr), blk.dotColumns, sums,
      [&](Value first, Value tile) {
        // Columns past the end are the last one, and are not stored.
        SmallVector<Value> columns;
        for (int64_t c = 0; c < blk.dotColumns; ++c)
          columns.push_back(
              clamp(bounds[r.n],
                    apply(s0 + s1 * nr + s2 + c, {at.jc, at.j, first}), nr));
        auto multiply = [&](Value k, bool inBounds, ValueRange accs) {
          SmallVector<Value> bRows;
          for (Value n : columns)
            bRows.push_back(
                convertB(readRow(r.b->get(), r.bMap, dims(Value(), n, k), width,
                                 inBounds),
                         width));
          Tensors next;
          for (int64_t row = 0; row < blk.mr; ++row) {
            Value m = indexConstant(b, loc, row);
            Value a = convertA(readRow(r.a->get(), r.aMap, dims(m, Value(), k),
                                       width, inBounds),
                               width);
            for (Value bRow : bRows) {
              Value old = accs[next.size()];
              next.push_back(
                  dot ? dot->emit(b, loc, a, bRow, old)
                      : multiplyAdd(b, loc, r.body, a, bRow, old, target));
            }
          }
          return next;
        };
        OpFoldResult whole =
            apply(s0 + s1.floorDiv(width) * width, {part.pc, part.kc});
        Tensors accs = loop(part.pc, whole, width,
                            SmallVector<Value>(blk.mr * blk.dotColumns, zero),
                            [&](Value k, ValueRange args) {
                              return multiply(k, /*inBounds=*/true, args);
                            });
        // Blocks are whole vectors, but for the last one.
        if (!divides(bounds[r.k], width))
          accs = choose(
              part.isLast, ValueRange(accs).getTypes(),
              [&]() {
                return multiply(value(whole), /*inBounds=*/false, accs);
              },
              [&]() { return accs; });
        for (auto [i, lanes] : llvm::enumerate(accs)) {
          SmallVector<Value> indices = tileIndices(
              at, indexConstant(b, loc, i / blk.dotColumns), /*v=*/0);
          indices.back() = value(apply(s0 + i % blk.dotColumns, {first}));
          Value old = tensor::ExtractOp::create(b, loc, tile, indices);
          Value sum = vector::ReductionOp::create(
              b, loc, vector::CombiningKind::ADD, lanes, old);
          tile = tensor::InsertOp::create(b, loc, sum, tile, indices);
        }
        return tile;
      });
}
