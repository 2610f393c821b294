//===- Im2colView.h - inputs of convolutions as TMA sees them ---*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CODEGEN_GPU_HOPPER_IM2COLVIEW_H
#define AMP_LIB_CODEGEN_GPU_HOPPER_IM2COLVIEW_H

#include "../Contraction.h"
#include "../IndexValue.h"
#include "amp/Codegen/GPU/Hopper/Im2col.h"

namespace mlir::amp::gpu::hopper {

/// The operand of a contraction whose rows are windows of an argument of the
/// kernel: M (or N) walks over windows, K over the taps of the filter and, in
/// each, over the channels.
struct Im2colView {
  /// A dimension of the tensor map but the channels.
  struct Dim {
    /// The dimension of the argument; -1: one more, of one element.
    int64_t source = -1;
    /// The loop over windows, one of M's (N's) or the batch's, and that over
    /// taps, one of K's; -1: none.
    int64_t loop = -1, tap = -1;
    /// Sizes that are not known are -1, and the upper corner is then `upper`.
    Im2colDim window;
    int64_t upper = 0;
  };

  unsigned argument = 0;
  /// The loop over channels, the dimension of the argument that it walks
  /// through, and the first channel.
  unsigned channels = 0;
  int64_t channelDim = 0, firstChannel = 0;
  /// Innermost first: spatial dimensions, and the last one, which has neither
  /// taps nor a padding.
  SmallVector<Dim> dims;
  /// What the tensor map is made of, outermost dimension first.
  MemRefType type;

  unsigned getRank() const { return dims.size() + 1; }
  ArrayRef<Dim> getSpatial() const { return ArrayRef(dims).drop_back(); }
};

/// Whether the operand `x` has windows: a dimension of its argument is padded,
/// walked over in strides, or indexed by two loops.
bool hasWindows(const Contraction &c, const ContractionOperand &x);

/// Sees the operand `x` of `c`, whose loops have the sizes `sizes` and of which
/// `own` are those of M (for A) or N (for B), as windows. Fails with `reason`
/// if what is known says that im2col cannot read them. What only run time tells
/// is left to `emitIm2colView`.
FailureOr<Im2colView>
matchIm2colView(const Kernel &kernel, const Contraction &c,
                const ContractionOperand &x, ArrayRef<int64_t> sizes,
                ArrayRef<unsigned> own, std::string &reason);

/// Emits `buffer`, seen over loops of `sizes`, as a buffer of `view.type`, in
/// the host function. Appends the conditions (i1) under which im2col gives the
/// windows, but for those that hold anyway, and for those of `addAlignment`.
Value emitIm2colView(const IndexBuilder &at, const Im2colView &view,
                     Value buffer, ArrayRef<IndexValue> sizes,
                     SmallVectorImpl<Value> &conditions);

} // namespace mlir::amp::gpu::hopper

#endif // AMP_LIB_CODEGEN_GPU_HOPPER_IM2COLVIEW_H
