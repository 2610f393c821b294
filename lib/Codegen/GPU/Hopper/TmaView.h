//===- TmaView.h - tensors as TMA sees them ---------------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CODEGEN_GPU_HOPPER_TMAVIEW_H
#define AMP_LIB_CODEGEN_GPU_HOPPER_TMAVIEW_H

#include "../IndexValue.h"
#include "amp/Codegen/GPU/Schedule.h"

#include "mlir/IR/BuiltinTypes.h"

namespace mlir::amp::gpu::hopper {

/// The most dimensions of a tensor map.
inline constexpr unsigned kMaxTmaRank = 5;

/// An argument of a kernel as a tensor map describes it: each dimension is a
/// number of loops that together walk through the memory in equal steps.
struct TmaView {
  unsigned argument = 0;
  /// For each dimension of the argument its index, as the coefficients of the
  /// loops and a constant.
  SmallVector<SmallVector<int64_t>> indices;
  /// The loops of each dimension of the map, outermost first; the dimensions
  /// innermost first.
  SmallVector<SmallVector<unsigned>> dims;
  /// What the tensor map is made of: the dimensions as those of a buffer,
  /// outermost first, with all that is known of them.
  MemRefType type;

  unsigned getRank() const { return dims.size(); }
};

/// Sees the argument `argument`, indexed by `indices` over loops of the sizes
/// `sizes`, as a tensor of the dimensions `dims` (loops, outermost first, for
/// each dimension, innermost first). A dimension may be made of several loops
/// if they follow each other without gaps. Fails with `reason` if what is
/// known of the argument's type says that a tensor map cannot describe it: the
/// first dimension is not contiguous, or a stride or the start is not a
/// multiple of 16 bytes. What only run time tells is left to `emitTmaView`.
FailureOr<TmaView> matchTmaView(const Kernel &kernel, unsigned argument,
                                ArrayRef<AffineExpr> indices,
                                ArrayRef<int64_t> sizes,
                                ArrayRef<SmallVector<unsigned>> dims,
                                std::string &reason);

/// Emits, in the host function, what `launch` emits where all `conditions` (i1)
/// hold, and what `otherwise` emits elsewhere; without conditions, the former
/// alone. Fails if `otherwise` does.
LogicalResult emitWhere(const IndexBuilder &at, ArrayRef<Value> conditions,
                        llvm::function_ref<void()> launch,
                        llvm::function_ref<LogicalResult()> otherwise);

/// Emits `buffer`, seen over loops of `sizes`, as a buffer of `view.type`, in
/// the host function. Appends the conditions (i1) under which a tensor map can
/// describe it, but for those that hold anyway.
Value emitTmaView(const IndexBuilder &at, const TmaView &view, Value buffer,
                  ArrayRef<IndexValue> sizes,
                  SmallVectorImpl<Value> &conditions);

/// Appends, in the host function, the conditions (i1) under which offsets and
/// strides of `operands` that types do not tell are multiples of 16 bytes, as
/// vectors of elements need it. Buffers themselves start at such multiples: the
/// program's own, and those that the runtime passes.
void addAlignment(const IndexBuilder &at, ValueRange operands,
                  SmallVectorImpl<Value> &conditions);

} // namespace mlir::amp::gpu::hopper

#endif // AMP_LIB_CODEGEN_GPU_HOPPER_TMAVIEW_H
