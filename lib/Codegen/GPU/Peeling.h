//===- Peeling.h - aligned vectors of rows that begin anywhere ---*- C++-*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rows of 1003 elements begin at every multiple of an element, so vectors along
// them, counted from a row's begin, are not aligned. They are where they are
// counted from the first address in the row that is: another column in each
// row. One buffer, the leader, says which; where others have the same alignment
// in every row, what is read and written there are aligned vectors, too. Other
// inputs, one of a single row say, are read as the aligned vectors that cover
// the elements, and moved into place.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CODEGEN_GPU_PEELING_H
#define AMP_LIB_CODEGEN_GPU_PEELING_H

#include "Index.h"

#include "amp/Codegen/GPU/Evaluator.h"
#include "amp/Codegen/GPU/PeeledRow.h"

#include "llvm/ADT/SmallBitVector.h"

namespace mlir::amp::gpu {

/// The tensor of the kernel's body that operand `operand` of a launch is read
/// as, or whose elements it gets.
Value getTensor(const Kernel &kernel, unsigned operand);

class Peeling {
public:
  /// How the rows of a kernel's operands of `operandTypes` are peeled. `full`
  /// are the numbers, in order, of those that have the shape of the whole
  /// iteration space and are indexed by it in order, so that their last
  /// dimension are the columns; `others` of the inputs that are read along the
  /// columns, too. Vectors have at most `width` elements. Nothing if no operand
  /// can lead.
  static std::optional<Peeling> get(const Kernel &kernel,
                                    ArrayRef<unsigned> full,
                                    ArrayRef<unsigned> others, unsigned width);

  unsigned getLeader() const { return leader; }
  unsigned getWidth() const { return width; }
  bool hasMargin() const { return margin; }
  /// The fewest columns of a row.
  int64_t getLeastColumns() const {
    return PeeledRow<int64_t>::getLeastColumns(width, margin);
  }

  /// The i1 value, the same in all threads, that rows of `columns` columns can
  /// be peeled so: that the leader and those of its alignment are aligned alike
  /// in every row. `operands` are the kernel's, on the device.
  Value emitCondition(OpBuilder &b, Location loc, ValueRange operands,
                      Value columns) const;

  /// The row at the indices `row`, one for each dimension but the last.
  PeeledRow<Index> emitRow(OpBuilder &b, Location loc, ValueRange operands,
                           ValueRange row, Value columns) const;

  /// The vector from `indices` on of operand `operand`, whose last dimension
  /// are the columns; the last index is that of a vector of the row with the
  /// indices `row`. Null if it cannot be read in aligned vectors.
  Value load(OpBuilder &b, Location loc, ValueRange operands, unsigned operand,
             ValueRange row, ValueRange indices) const;

  /// The alignment, in bytes, of vectors of operand `operand` at the indices of
  /// the leader's.
  int64_t getAlignment(unsigned operand) const;

private:
  /// The vector's elements in one aligned access to operand `operand`.
  int64_t getChunk(unsigned operand) const;

  SmallVector<Type> types;
  unsigned leader = 0, width = 1;
  bool margin = false;
  /// Which operands have the leader's alignment in every row, as far as their
  /// types say, and which others are read along the columns.
  llvm::SmallBitVector led, realigned;
};

} // namespace mlir::amp::gpu

#endif // AMP_LIB_CODEGEN_GPU_PEELING_H
