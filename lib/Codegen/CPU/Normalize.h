//===- Normalize.h - one form for the CPU schedules -------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CODEGEN_CPU_NORMALIZE_H
#define AMP_LIB_CODEGEN_CPU_NORMALIZE_H

#include "amp/Codegen/CPU/Target.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::amp::cpu {

/// Brings a function on tensors into the form that the schedules take: linalg
/// ops are `linalg.generic` or `linalg.fill`, elementwise chains are fused, and
/// loops that no operand tells apart are collapsed. Never fails on valid IR;
/// what has no such form stays as it is.
LogicalResult normalize(FunctionOpInterface function, const CPUTarget &target);

/// Makes ops of their own of what ops of parallel loops compute again for the
/// same elements of the innermost dimension, if it is more than to load it.
void computeRepeatedOnce(FunctionOpInterface function);

/// Drops dimensions of one element from the `linalg.generic` ops that go
/// element by element because of them: loops, and indices of operands. Others
/// keep them, with what follows on their tiles and what is packed ahead.
void dropUnitDims(FunctionOpInterface function, const CPUTarget &target);

/// Makes products with a few columns their transposed products, with a few
/// rows.
void turnFewColumns(FunctionOpInterface function, const CPUTarget &target);

/// Lets linalg ops read the slices whose rows are single elements, a few apart,
/// from slices without gaps.
void readStridedSlices(FunctionOpInterface function);

/// Leaves out products with the zeros that lie between the elements of an
/// operand: a convolution of such an image becomes one for every few elements
/// of its result, one with such a filter reads every few pixels. What an
/// infinity or NaN of the other operand would make of those zeros is left out,
/// too.
void skipSpreadZeros(FunctionOpInterface function);

/// Whether the payload of `op` only converts its one input.
bool isCastOnly(linalg::GenericOp op);

/// Lets one linalg op write what is inserted between each other's elements:
/// tensors that are stacked in a short last dimension, or every few elements.
/// Its steps in that dimension select one tensor each.
void weaveInserts(FunctionOpInterface function);

/// Whether `operand` is one of the tensors that such an op selects from: each
/// of its elements is used in one step.
bool isChannel(OpOperand *operand);

/// Whether elements that `insert` inserts lie apart in its result and are, with
/// those of other such insertions into it, more than an eighth of that.
bool insertsApart(tensor::InsertSliceOp insert);

/// How many elements of memory apart those of a row (the last dimension) of
/// `value` are, which may be a slice; 0 where that is unknown.
int64_t getStepOfRows(Value value);

/// Whether dimensions `dim` and `dim` + 1 of `value`, which may be a slice, lie
/// in its memory as one dimension would.
bool areOneInMemory(Value value, unsigned dim);

/// Divides long reductions to a few elements, and those of long columns, into
/// parts, one for a thread; reductions of rows within other loops into blocks
/// of a few rows.
void splitReductions(FunctionOpInterface function);

/// Keeps the largest and smallest numbers that reductions of f16 and narrower
/// floats have found so far in f32.
void widenExtrema(FunctionOpInterface function);

/// Marks the exponentials of which only products and sums are seen, rounded to
/// f16 or less (`floats::kNarrowResultAttrName`).
void markNarrowResults(FunctionOpInterface function);

/// Copies operands of ops that go element by element because of them, so that
/// they lie along the innermost loop of the result.
void turnOperands(FunctionOpInterface function, const CPUTarget &target);

/// Makes one reduction of the columns of a window and of the channels of each,
/// where these are few and the window's columns are neighbours in the image.
void mergeShortRows(FunctionOpInterface function, const CPUTarget &target);

/// Groups of `rank` dimensions (or loops), one of which has the `count` from
/// `first` on.
SmallVector<ReassociationIndices> groupDims(int64_t rank, int64_t first,
                                            int64_t count);

/// What makes ops see each other through the reshapes that merging loops has
/// put between them.
void populateReshapePatterns(RewritePatternSet &patterns);

/// Makes one of the loops over pixels of convolutions whose results have their
/// features last, where these are packed.
void mergePixels(FunctionOpInterface function, const CPUTarget &target);

/// Whether a result of `op` becomes a part of a larger tensor that is no
/// stretch of its memory. It can be computed there as long as it has the same
/// dimensions; short rows are better computed as one, and copied.
bool isInserted(linalg::GenericOp op);

/// Groups of neighbouring loops of one kind that every operand indexes either
/// with neighbouring dimensions in the same order or not at all. No group has
/// both a loop of no iterations and one of unknown number: whether the size of
/// both as one is 0 or unknown, tensors and buffers see differently. Slices
/// with long rows and gaps between them stay what they are, rather than be
/// copied.
SmallVector<ReassociationIndices> getCollapsibleLoops(linalg::GenericOp op);

/// Makes products of convolutions whose results have their pixels last: one
/// loop over pixels and one reduction, with an image of one dimension, where
/// those products are packed. The loops of what follows on their tiles become
/// one, too.
void mergeWindows(FunctionOpInterface function, const CPUTarget &target);

/// Gives the convolution `op` a copy of its filter whose reductions are its
/// last dimensions, where they are not and that is worth a copy once
/// `mergeWindows` takes it. Returns what undoes that; null, and nothing
/// changed, elsewhere.
std::function<void()> orderFilter(RewriterBase &rewriter, linalg::GenericOp op,
                                  const CPUTarget &target);

/// What `mergeWindows` does, for images whose sizes are not known. Nothing is
/// to change before those products are lowered.
void gatherWindows(FunctionOpInterface function, const CPUTarget &target);

/// Decomposes each `tensor.pad` that no packed contraction takes into fills and
/// an insertion of what is padded, before the op that computes that.
void decomposePadding(FunctionOpInterface function, const CPUTarget &target);

/// Collapses the loops of each `linalg.generic` in `function` that lie next to
/// each other in every operand. What is computed on the tiles of a contraction
/// keeps its loops, and so do that contraction's rows.
void collapseLoops(FunctionOpInterface function, const CPUTarget &target);

/// Writes the index arithmetic that bodies of linalg ops hold as ops that
/// vectors have, too.
void expandIndices(FunctionOpInterface function);

} // namespace mlir::amp::cpu

#endif // AMP_LIB_CODEGEN_CPU_NORMALIZE_H
