//===- Normalize.h - one form of linalg for all schedules -------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_CODEGEN_COMMON_NORMALIZE_H
#define AMP_CODEGEN_COMMON_NORMALIZE_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::amp {

/// Applies `patterns` to what is in `op` until nothing changes: where values
/// have several readers, fusion takes more rounds the longer their chains are,
/// and upstream stops after ten; this does after a hundred. An error says that
/// it did not settle while `doing`.
LogicalResult applyUntilSettled(Operation *op,
                                const FrozenRewritePatternSet &patterns,
                                StringRef doing);

/// Whether `op` is an arith.select, by one i1, of whole tensors of dynamic
/// shape. The two may differ in size as the program runs, so that no loop over
/// both computes it: it is not elementwise.
bool isSelectOfSizes(Operation *op);

/// Replaces what isSelectOfSizes finds in `function` by scf.if, which no
/// conversion of elementwise ops takes for one.
void branchOnSelects(FunctionOpInterface function);

/// Replaces softmax, pack, unpack in `function` by simpler
/// ops, and selects of whole tensors by branches (branchOnSelects). With
/// `allowReciprocals` the divisions of softmax are marked `fastmath<arcp>`: a
/// backend may multiply by the reciprocal of a row's sum.
void decomposeAggregates(FunctionOpInterface function,
                         bool allowReciprocals = false);

/// Replaces named linalg ops on tensors in `function`, all but `linalg.fill`,
/// by `linalg.generic`. An attribute `amp.schedule` stays.
void generalizeNamedOps(FunctionOpInterface function);

/// Adds the canonicalizations of the linalg and the tensor dialect. They bring
/// sizes that are known into all types that they belong to, which must come
/// before fusion: it makes tensors of the sizes that it finds, and patterns
/// that know of different ones undo each other's work, forever. Adds a pattern
/// for linalg ops that index by more than dimensions, which those leave out.
void populateStaticShapePatterns(RewritePatternSet &patterns);

/// Adds a pattern that gives a `linalg.generic` that does not read its init a
/// fresh one. The conversion of elementwise ops reuses an operand there, which
/// hides that the operand has one reader.
void populateFreshInitPatterns(RewritePatternSet &patterns);

/// Adds patterns that make a generic that reads at computed places of
/// `tensor.gather`, a loop that inserts slices of `tensor.scatter`, and
/// `tensor.concat` of a generic that reads from one tensor after the other.
void populateComputedPlacesPatterns(RewritePatternSet &patterns);

/// Adds these, and patterns for other ops of tensor that have no form on
/// buffers, or hide what they are: `tensor.splat` (a fill, whose readers take
/// its value as a scalar), `tensor.bitcast` between types without sign, sizes
/// of `tensor.reshape` that are integers, `ub.poison` of known size, which is
/// empty, and linalg ops of no loops within others, whose ops are theirs.
void populateSimplerTensorOpPatterns(RewritePatternSet &patterns);

/// Adds a pattern that makes insertions of `tensor.concat`, into a tensor whose
/// sizes are those of the first operand.
void populateConcatPatterns(RewritePatternSet &patterns);

/// Adds patterns that give dimensions of slices that have one element a stride
/// of 1. MLIR 22.1 takes the strides of a source for those of a slice where it
/// looks which dimensions `memref.subview` drops, and crashes if they differ.
void populateUnitStridePatterns(RewritePatternSet &patterns);

/// Adds patterns that make of ops of math on scalars and vectors ops of arith,
/// and of math that all targets have: what they ask of floats (isnan, isinf,
/// isfinite, isnormal), powers by integers (of integers, by the bits of the
/// exponent; negative exponents give 0 but for 1 and -1), clampf, which is
/// min(max(value, min), max) and NaN of any NaN, and sincos.
void populateSimplerMathPatterns(RewritePatternSet &patterns);

/// Makes ops of arith, math and scf of those below `root` that compute complex
/// numbers (`complex.create`, `re` and `im` of parts stay), and of loops and
/// branches of affine. Says where one has no such form.
LogicalResult lowerOtherDialects(Operation *root);

/// Makes slices of all dimensions, and reshapes, of slices on tensors in
/// `function` that drop dimensions and whose strides as buffers do not tell
/// which: where others have strides, or keep one element of a dimension whose
/// stride is not known. MLIR 22.1 crashes, or takes another dimension. To be
/// called last before bufferization.
void splitRankReducingSlices(FunctionOpInterface function);

/// Cuts operands of `op`, on tensors, to what its loops reach, in dimensions
/// that are indexed by one loop when those of one iteration are 0 (`5 * u + x`,
/// with one u, is x). To be called before linalg::dropUnitDims, after which the
/// size of such a dimension would be taken for the size of the loop.
void sliceToLoops(RewriterBase &rewriter, linalg::GenericOp op);

} // namespace mlir::amp

#endif // AMP_CODEGEN_COMMON_NORMALIZE_H
