//===- TiledContraction.h - a contraction by tiles --------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block computes one tile of the result, in these parts:
//
//   staging    pieces of 16 bytes of A and B go to shared memory, a ring of
//              stages of 64 bytes of k, some steps ahead: by asynchronous
//              copies where the operand is aligned, else through registers
//   products   warps read fragments with ldmatrix, or word by word, and
//              multiply with mma.sync, f32 rounded to tf32 before;
//              or, without tensor cores, 8 x 8 elements in each thread
//   epilogue   accumulators go to shared memory sixteen rows at a time, and
//              come back as vectors along the rows of the result, where the
//              elementwise ops of the kernel are applied and stored
//
// The body is emitted twice if addresses of operands may turn out to be aligned
// or not: one with vectors, one with single elements, chosen at run time. So is
// the end of the epilogue for the addresses of results, within each body, so
// that rows of an odd length cost operands that are aligned nothing.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CODEGEN_GPU_TILEDCONTRACTION_H
#define AMP_LIB_CODEGEN_GPU_TILEDCONTRACTION_H

#include "Contraction.h"
#include "IndexValue.h"

#include "amp/Codegen/GPU/Evaluator.h"

namespace mlir::amp::gpu {

class TiledContraction {
public:
  TiledContraction(const Kernel &kernel, Contraction contraction,
                   const WarpGrid &grid);
  TiledContraction(const TiledContraction &) = delete;

  /// Emits the body of `function`.
  void emit(::mlir::gpu::GPUFuncOp function);

  /// The shared memory that a block may have without asking for more.
  static constexpr int64_t kMaxSharedBytes = 48 * 1024;
  static constexpr int64_t kMaxStages = 8;
  /// Rows of tiles that share columns of B in L2.
  static constexpr int64_t kGroup = 8;

private:
  enum class Mode { Async, Vector, Scalar };

  /// How one operand gets to shared memory.
  struct Staging {
    const ContractionOperand *x = nullptr;
    /// The loops of M or N, and the rows or columns in the tile.
    ArrayRef<unsigned> loops;
    int64_t extent = 0;
    /// Whether rows of shared memory run along k.
    bool rowsAlongK = true;
    /// The start of the ring in shared memory, and the size of a stage.
    int64_t base = 0, bytes = 0;
    Mode mode = Mode::Scalar;

    /// Set for Async: the address of the operand, and in elements the stride of
    /// every loop and the constant part.
    Value pointer;
    SmallVector<IndexValue> strides;

    /// What a thread moves: a piece for each entry.
    struct Piece {
      /// Null, or whether the piece exists.
      Value exists;
      IndexValue mn = 0, k = 0; // in the tile
      IndexValue globalMn = 0;  // clamped
      Value isInside;           // of M or N
      IndexValue offset = 0;    // Async: elements, but for k
    };
    SmallVector<Piece> pieces;
    /// The values between load and store.
    SmallVector<SmallVector<Value>> loaded;
  };

  /// Elements of a piece.
  int64_t getPiece() const { return 128 / c.getStagedBits(); }
  /// Elements of k in a stage.
  int64_t getStageK() const { return stageBytes * 8 / c.getStagedBits(); }
  /// Bytes of shared memory before which element (mn, k) of a stage lies.
  IndexValue getOffset(const Staging &s, IndexValue mn, IndexValue k) const;
  /// Without tensor cores, elements from one k to the next.
  int64_t getPitch(const Staging &s) const { return s.extent + getPiece(); }
  SwizzledTile getTile(const Staging &s) const;

  // Modes and conditions.
  Mode chooseMode(const Staging &s);
  int64_t chooseWidth();
  void addStagingConditions(const Staging &s, SmallVectorImpl<Value> &all);
  void addMultipleOf(IndexValue number, int64_t divisor,
                     SmallVectorImpl<Value> &all);
  bool isNeverMultiple(unsigned loop, int64_t divisor);

  void setUp(Block *block);
  /// Emits all parts; `beforeEpilogue` is called in front of the last.
  void emitBody(llvm::function_ref<void()> beforeEpilogue = {});
  SmallVector<Value> emitMainLoop();
  SmallVector<IndexValue> delinearize(IndexValue number,
                                      ArrayRef<unsigned> loops);
  IndexValue product(ArrayRef<unsigned> loops);
  Value both(Value l, Value r);

  // Staging.
  void setUpAddresses(Staging &s);
  void setUpPieces(Staging &s);
  void copyAsync(Staging &s, IndexValue step, IndexValue stage);
  void load(Staging &s, IndexValue step);
  void store(Staging &s, IndexValue stage);
  Value emitElement(Staging &s, ArrayRef<IndexValue> iteration, int64_t width);
  Value zeroOf(Type type);

  // Products.
  SmallVector<Value> getZeroAccumulators();
  SmallVector<Value> multiply(IndexValue stage, ValueRange accumulators);
  SmallVector<Value> multiplyMma(IndexValue stage, ValueRange accumulators);
  SmallVector<Value> multiplyFma(IndexValue stage, ValueRange accumulators);
  void setUpFragments();
  /// Whether registers of fragments are read from `s` one by one: elements of
  /// 32 bits in rows of shared memory that do not run along k.
  bool hasWords(const Staging &s) const {
    return c.mma && !s.rowsAlongK && c.getStagedBits() == 32;
  }

  // Epilogue.
  void emitEpilogue(ValueRange accumulators);
  void emitPieces(int64_t slab, int64_t slabBytes);
  void storeSlab(int64_t slab, ValueRange accumulators);
  void emitResults(int64_t slab, IndexValue number);
  Value readAccumulator(ValueRange indices, int64_t width);
  Value viewShared(Type element, int64_t byteOffset, int64_t bytes);

  const Kernel &kernel;
  Contraction c;
  WarpGrid grid;
  /// Bytes of k in a stage.
  int64_t stageBytes = 64;
  int64_t stages = 2, sharedBytes = 0;
  /// Elements of results that are stored at once.
  int64_t width = 1;

  OpBuilder builder;
  IndexBuilder at;
  Evaluator *evaluator = nullptr;
  SmallVector<Value> arguments;
  Value shared, sharedPointer;
  SmallVector<IndexValue> sizes;     // of the loops
  SmallVector<IndexValue> iteration; // those of the batch are set
  IndexValue sizeM = 0, sizeN = 0, sizeK = 0;
  IndexValue thread = 0, lane = 0;
  Coord<IndexValue> block{0, 0}, warp{0, 0};
  IndexValue warpNumber = 0;
  Staging a, b;
  /// Where in a stage lies what a lane reads for a fragment: a row of ldmatrix,
  /// in bytes, or each of four words, in words. A variable and a constant part.
  struct FragmentOffset {
    IndexValue variable;
    int64_t constant;
  };
  using Fragment = SmallVector<FragmentOffset>;
  SmallVector<Fragment> fragmentsA, fragmentsB;
  Value slabs;
  /// The accumulator that the epilogue is at, in elements of `slabs`, and its
  /// loops.
  IndexValue slabPosition = 0;
  SmallVector<IndexValue> resultIteration;
};

} // namespace mlir::amp::gpu

#endif // AMP_LIB_CODEGEN_GPU_TILEDCONTRACTION_H
