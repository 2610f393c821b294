//===- WgmmaPlan.h - how sm_90a computes a contraction ----------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CODEGEN_GPU_HOPPER_WGMMAPLAN_H
#define AMP_LIB_CODEGEN_GPU_HOPPER_WGMMAPLAN_H

#include "../Contraction.h"
#include "Im2colView.h"
#include "Instructions.h"
#include "TmaView.h"
#include "amp/Codegen/GPU/Hopper/SharedLayout.h"
#include "amp/Codegen/GPU/Hopper/WgmmaConfig.h"

namespace mlir::amp::gpu::hopper {

/// A or B.
struct WgmmaOperand {
  TmaView view;
  /// Set if its rows are windows, which `view` does not describe.
  std::optional<Im2colView> windows;
  Major major = Major::K;
  /// A stage of it in shared memory.
  OperandTile tile{0, 0, 16, Major::K};
  /// The blocks of the cluster that bring it for each other.
  int64_t sharers = 1;
  /// The rows of A, or columns of B, of a stage that TMA brings to a block, and
  /// those that the block itself brings, to all sharers.
  int64_t loaded = 0;
  int64_t getBrought() const { return loaded / sharers; }

  unsigned getArgument() const {
    return windows ? windows->argument : view.argument;
  }

  /// Rows of a box.
  int64_t getBoxOuter() const {
    return major == Major::K ? getBrought() : tile.getBoxOuter();
  }
};

/// A result of the kernel, and how it gets to memory.
struct WgmmaOutput {
  Type element;
  /// How TMA stores it; without one, threads store what they hold.
  std::optional<TmaView> view;
  /// Whether the first dimension of `view` is that of the rows of a tile; of
  /// few columns only.
  bool isAlongRows = false;

  unsigned getBytes() const { return element.getIntOrFloatBitWidth() / 8; }
  /// Columns of a buffer, and buffers that 64 columns need, with TMA.
  int64_t getBufferColumns() const {
    return getBytes() == 1 ? 64 : 128 / getBytes();
  }
  int64_t getBuffers() const { return 64 / getBufferColumns(); }
  /// Bytes of a row of a buffer.
  int64_t getRowBytes() const { return getBufferColumns() * getBytes(); }
};

/// An operand of the epilogue that is indexed as the result is, and comes
/// through shared memory: chunks of 16 rows of 128 bytes for each warp.
struct WgmmaResidual {
  TmaView view;
  BlockArgument argument;
  Type element;

  int64_t getBytes() const { return element.getIntOrFloatBitWidth() / 8; }
  /// Columns of a chunk, and chunks of a warp in a tile.
  int64_t getColumns() const { return 128 / getBytes(); }
  int64_t getChunks(const WgmmaConfig &config) const {
    return config.getConsumerRows() / 64 * (config.blockN / getColumns());
  }
};

/// What a kernel becomes.
struct WgmmaPlan {
  /// Where the result has few rows, A and B, and M and N, are exchanged
  /// (`isSwapped`): the many columns are the side that wgmma has 64 of.
  Contraction c;
  bool isSwapped = false;
  WgmmaKind kind;
  WgmmaProblem problem;
  WgmmaConfig config;
  WgmmaOperand a, b;
  /// The loops of K, outermost first, whose iterations have stages of their
  /// own, and those that walk through a stage: with windows the taps of the
  /// filter, and the channels; else none, and all.
  SmallVector<unsigned> taps, inner;
  SmallVector<WgmmaOutput> outputs;
  /// Elements of results that are computed at once, along N: one or two.
  int64_t width = 1;
  std::optional<WgmmaResidual> residual;

  /// With stream-K, the elements of the workspace in front of the slots, of
  /// which the first is the number of blocks, as bits, and those of a slot: for
  /// each 64 rows of a tile, eight columns of them, and thread of a warpgroup,
  /// its four.
  static constexpr int64_t kWorkspaceHead = 32;
  int64_t getSlotElements() const {
    return config.getSharedRows() * config.blockN;
  }
  /// The type of the workspace; its size is static if those of all loops are.
  MemRefType getWorkspaceType() const;
  /// With few columns, what a warp stores of `output` at once.
  SkinnyBuffer getSkinnyBuffer(const WgmmaOutput &output) const {
    return {output.getBytes(), config.blockM % 16 == 0 ? 16 : 8,
            output.isAlongRows, config.blockN};
  }
  bool usesTmaStores() const {
    return llvm::any_of(
        outputs, [](const WgmmaOutput &o) { return o.view.has_value(); });
  }
};

/// How `kernel`, for sm_90a, becomes a warp-specialised contraction; or
/// `reason` says why it cannot.
FailureOr<WgmmaPlan> matchWgmma(const Kernel &kernel, std::string &reason);

/// Another plan of the same contraction, which `plan` is for, where tiles are
/// few: blocks share them. Nothing if all sizes are known, if `amp.schedule`
/// has chosen, or if it would not pay.
std::optional<WgmmaPlan> matchFewTiles(const Kernel &kernel,
                                       const WgmmaPlan &plan);

} // namespace mlir::amp::gpu::hopper

#endif // AMP_LIB_CODEGEN_GPU_HOPPER_WGMMAPLAN_H
