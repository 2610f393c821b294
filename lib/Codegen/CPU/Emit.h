//===- Emit.h - helpers that build loops and vectors ------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CODEGEN_CPU_EMIT_H
#define AMP_LIB_CODEGEN_CPU_EMIT_H

#include "amp/Codegen/CPU/Target.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"

#include <string>

namespace mlir::amp::cpu {

/// Builds the body of one loop: gets the induction variable and the carried
/// values, returns the next carried values.
using LoopBody = llvm::function_ref<SmallVector<Value>(OpBuilder &, Location,
                                                       Value, ValueRange)>;

/// `scf.for` from `lower` to `upper` by `step` that carries `init`; no loop at
/// all where the trip count is statically 0 or 1. Where `grain` is not 0 the
/// iterations do not depend on each other, and so many of them are worth a
/// thread. What such a loop's body allocates must be `makeBuffer`'s.
SmallVector<Value> buildLoop(OpBuilder &b, Location loc, OpFoldResult lower,
                             OpFoldResult upper, OpFoldResult step,
                             ValueRange init, LoopBody body, int64_t grain = 0);

/// A loop over blocks of `size` elements, multiples of `step`, each of which is
/// worth a thread: `steps` of them, where one has so many iterations as `count`
/// counts when it runs. `body` gets where a block begins and where it ends.
/// Neighbours of single steps may become one (kJoinedAttrName).
SmallVector<Value>
buildBlocks(OpBuilder &b, Location loc, OpFoldResult size, int64_t step,
            int64_t steps, Value count, ValueRange init,
            llvm::function_ref<SmallVector<Value>(OpBuilder &, OpFoldResult,
                                                  OpFoldResult, ValueRange)>
                body);

/// Asks for the lines of `vector` in `buffer` at `indices` (prefetch), whose
/// last dimension is contiguous. `locality`: 3 for the first cache, 2 for the
/// second.
void askForLines(OpBuilder &b, Location loc, Value buffer,
                 SmallVector<Value> indices, VectorType vector,
                 int64_t locality);

/// Tells LLVM not to unroll `loop`.
void disableUnrolling(scf::ForOp loop);

/// An uninitialised tensor that has its buffer where it is made: unlike
/// `tensor.empty`, no pass moves it out of a loop.
Value makeBuffer(OpBuilder &b, Location loc, ArrayRef<int64_t> shape,
                 Type elementType);
Value makeBuffer(OpBuilder &b, Location loc, ArrayRef<OpFoldResult> sizes,
                 Type elementType);

/// `expr` of `operands`, folded where they are constants.
Value applyExpr(OpBuilder &b, Location loc, AffineExpr expr,
                ArrayRef<OpFoldResult> operands);

/// The constant in `value`, if it is one.
inline std::optional<int64_t> constant(OpFoldResult value) {
  return getConstantIntValue(value);
}

/// What has the sizes of `tensor` without being computed: what ops wrote to, so
/// that what only starts sums is not made for the sake of its sizes.
Value getWritten(Value tensor);

/// The sizes of the loops of `op`, none of which is asked of a tensor that is
/// computed.
SmallVector<OpFoldResult> getLoopSizes(OpBuilder &b, linalg::LinalgOp op);

/// A constant of index type.
Value indexConstant(OpBuilder &b, Location loc, int64_t value);

/// `value` as a vector of `lanes` lanes: itself, or broadcast from a scalar.
Value toVector(OpBuilder &b, Location loc, Value value, int64_t lanes);

/// The even and the odd elements of `vector`, of bf16, as f32: a word of two
/// has the bits of one in its upper half, which one instruction gets at.
std::pair<Value, Value> widenHalves(OpBuilder &b, Location loc, Value vector);

/// These in one vector of f32, the even ones first.
Value widenEvenFirst(OpBuilder &b, Location loc, Value vector);

/// Clones the elementwise `op` on `operands`: on scalars if all of them are,
/// else on vectors of `lanes` lanes (scalars are broadcast).
Value cloneElementwise(OpBuilder &b, Operation *op, ValueRange operands,
                       int64_t lanes);

/// Whether `type` can be a lane of a vector that is loaded and stored as one:
/// sub-byte elements are one per byte in a buffer, but packed in a vector.
bool isVectorElement(Type type);

/// Whether elements of `type`, i1, are a byte each in memory, and lanes of a
/// vector in between: `amp-cpu-select-instructions` converts them.
bool isByte(Type type);

/// Whether elements of `type` are lanes of vectors in either way.
bool isLane(Type type);

/// Bits of an element of such a type in memory.
unsigned getElementBits(Type type);

/// Bytes of `type`, if it is static.
std::optional<int64_t> getStaticBytes(ShapedType type);

/// The payload `acc + cast(a) * cast(b)` of a contraction: `lhs` and `rhs` are
/// operand numbers of the linalg op, the casts apply in the order given.
struct ContractionBody {
  unsigned lhs = 0, rhs = 1;
  SmallVector<Operation *> lhsCasts, rhsCasts;
  Operation *mul = nullptr, *add = nullptr;
  Type accType;
};

/// Matches the payload of `op`; nothing if it is not a contraction's.
std::optional<ContractionBody> matchContractionBody(linalg::LinalgOp op);

/// `acc + a * b` with the operations of `body`: fused where the target can,
/// and never for accumulators below 32 bits, which round every product.
Value multiplyAdd(OpBuilder &b, Location loc, const ContractionBody &body,
                  Value lhs, Value rhs, Value acc, const CPUTarget &target);

/// The element that `combiner` leaves every other one as it is with. Upstream
/// takes 0 for sums of floats, which makes 0 of -0, and which LLVM adds.
TypedAttr getNeutral(Operation *combiner);

/// `bits`, vectors of i1 that are to be shuffled, as vectors of i8; none if
/// they are of another type.
SmallVector<Value> toBytes(OpBuilder &b, Location loc, ArrayRef<Value> bits);

/// `bytes`, vectors of 0 and 1, as vectors of i1.
SmallVector<Value> toBits(OpBuilder &b, Location loc, ArrayRef<Value> bytes);

/// Transposes `rows`, a square of as many vectors as each has lanes (a power
/// of two): every round interleaves row i with row i + half.
SmallVector<Value> transposeSquare(OpBuilder &b, Location loc,
                                   SmallVector<Value> rows);

/// The scalar that fills `tensor`, if a `linalg.fill` does, and what the fill
/// writes to; else null.
struct FillInfo {
  Value scalar, destination;
};
FillInfo matchFill(Value tensor);

/// What is broadcast into `tensor` by an op that does nothing else, and how it
/// is indexed by the elements of that; null if there is no such op.
std::pair<Value, AffineMap> matchBroadcast(Value tensor);

/// Replaces `op`, and the elementwise ops that can work on its sums, by loops
/// over register tiles of 1-D vectors, without packing: elementwise maps,
/// reductions, pooling, convolutions, small contractions, of any
/// projected-permutation output and any input map, static or dynamic. Returns
/// the ops that are gone; none, with the reason, where there is no such nest.
/// Else the reason is empty, or tells what goes element by element all the
/// same.
SmallVector<Operation *> lowerToVectorLoops(RewriterBase &rewriter,
                                            linalg::LinalgOp op,
                                            const CPUTarget &target,
                                            std::string &reason);

/// The elementwise ops that lowerToVectorLoops would compute where the sums of
/// `op` are.
SmallVector<linalg::GenericOp> getVectorEpilogue(linalg::LinalgOp op,
                                                 const CPUTarget &target);

/// About how many instructions `op`, in the body of a linalg op, takes for a
/// vector: several for functions that are polynomials.
unsigned getCost(Operation &op);

/// Bodies that cost more are not unrolled for each row of a square in
/// registers, which turns operands that lie across the vectors.
constexpr unsigned kSquareCost = 8;

/// Whether loops around `op`, on tensors, would go element by element, or read
/// or write some operand so. Of one element there is no other way.
bool goesElementByElement(linalg::LinalgOp op, const CPUTarget &target);

/// Whether `op` is a contraction that gains from packing its operands.
bool isPackableContraction(linalg::LinalgOp op, const CPUTarget &target);

/// Replaces a contraction, and the elementwise ops that can work on its tiles,
/// by the packed, cache-blocked, register-tiled loop nest; returns the ops that
/// are gone. `rest` gets new ones that are left to be lowered. Precondition:
/// isPackableContraction.
SmallVector<Operation *>
lowerToPackedMatmul(RewriterBase &rewriter, linalg::LinalgOp op,
                    const CPUTarget &target,
                    SmallVectorImpl<linalg::LinalgOp> &rest);

} // namespace mlir::amp::cpu

#endif // AMP_LIB_CODEGEN_CPU_EMIT_H
