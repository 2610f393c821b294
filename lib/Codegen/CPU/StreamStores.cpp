//===- StreamStores.cpp - large results bypass the caches -----------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/CPU/Passes.h"

#include "amp/Codegen/CPU/Target.h"

#include "Emit.h"
#include "Outline.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

#include <numeric>

namespace mlir::amp {
#define GEN_PASS_DEF_AMPCPUSTREAMSTORESPASS
#include "amp/Codegen/CPU/Passes.h.inc"
} // namespace mlir::amp

using namespace mlir;
using namespace mlir::amp;

/// Bytes of a line of a cache, and of the smallest store that is faster around
/// it: of quarters of a line, norms of bf16 are slower (0.36 of a copy, not
/// 0.43).
static constexpr int64_t kLine = 64, kLeast = 32;
/// How much larger a buffer is that the function reads again: up to that, a
/// part of it is still in the last cache. Products of 512 x 1024 x 4096 in
/// bf16, whose packed operand has 8 MiB, are 1.1 to 1.15 times as fast (Xeon,
/// AMX).
static constexpr int64_t kReadAgain = 4;
/// Lines that a processor can be filling at once, with room for its loads.
static constexpr size_t kMostStreams = 4;

namespace {
/// What writes to a buffer in one loop at the top of a function.
struct Writes {
  SmallVector<vector::TransferWriteOp> ops;
  bool isRead = false;
};

/// A write in whole pieces of lines: `count` elements in pieces of `piece`.
struct Stream {
  vector::TransferWriteOp write;
  int64_t count, piece;
};
} // namespace

/// The op in the entry block of the function that `op` is in or is.
static Operation *getOutermost(Operation *op, Block *entry) {
  return entry->findAncestorOpInBlock(*op);
}

/// Whether `op` hands a buffer to the function's end, also with another shape,
/// or asks for its size: it reads nothing of what that holds.
static bool isReturned(Operation *op) {
  if (op->hasTrait<OpTrait::IsTerminator>() || isa<memref::DimOp>(op))
    return true;
  return isa<memref::ExpandShapeOp, memref::CollapseShapeOp>(op) &&
         llvm::all_of(op->getUsers(), isReturned);
}

/// Collects what accesses `buffer`, by the outermost op that it is in. False
/// where something keeps the buffer that this does not follow.
static bool collect(Value buffer, Block *entry,
                    llvm::MapVector<Operation *, Writes> &found) {
  for (Operation *user : buffer.getUsers()) {
    Operation *top = getOutermost(user, entry);
    if (isa<memref::SubViewOp, memref::CastOp>(user)) {
      if (!collect(user->getResult(0), entry, found))
        return false;
    } else if (auto write = dyn_cast<vector::TransferWriteOp>(user)) {
      found[top].ops.push_back(write);
    } else if (auto copy = dyn_cast<memref::CopyOp>(user);
               copy && copy.getSource() == copy.getTarget()) {
      continue;
    } else if (user == top && isReturned(user)) {
      continue;
    } else {
      found[top].isRead = true;
    }
  }
  return true;
}

/// The stores that `write` becomes: none where it is not known to begin and to
/// end with a piece of a line, one behind the other. `most`: bytes of the
/// largest piece.
static std::optional<Stream> match(vector::TransferWriteOp write, Value buffer,
                                   int64_t most) {
  VectorType vector = write.getVectorType();
  auto type = dyn_cast<MemRefType>(write.getBase().getType());
  Type element = vector.getElementType();
  if (!type || write.getMask() || vector.getRank() != 1 ||
      vector.isScalable() || !write.getPermutationMap().isMinorIdentity() ||
      type.getRank() == 0 || !element.isIntOrFloat() ||
      element != type.getElementType())
    return std::nullopt;
  unsigned bits = element.getIntOrFloatBitWidth();
  if (bits % 8 != 0)
    return std::nullopt;
  int64_t bytes = bits / 8;
  auto whole = cast<MemRefType>(buffer.getType());
  int64_t align = most;
  // Rows of unknown length are whole lines where this is chosen.
  if (whole.getRank() > 1 && !ShapedType::isDynamic(whole.getShape().back()))
    align = std::gcd(align, whole.getShape().back() * bytes);
  for (Value at = write.getBase(); at != buffer;) {
    if (auto cast = at.getDefiningOp<memref::CastOp>()) {
      at = cast.getSource();
      continue;
    }
    auto view = at.getDefiningOp<memref::SubViewOp>();
    std::optional<int64_t> offset =
        getConstantIntValue(view.getMixedOffsets().back());
    if (!offset || !view.hasUnitStride() ||
        view.getDroppedDims().test(view.getSourceType().getRank() - 1))
      return std::nullopt;
    align = std::gcd(align, *offset * bytes);
    at = view.getSource();
  }
  int64_t count = vector.getNumElements();
  Value last = write.getIndices().back();
  bool inBounds = write.isDimInBounds(0);
  if (std::optional<int64_t> start = getConstantIntValue(last)) {
    if (!inBounds && ShapedType::isDynamic(type.getShape().back()))
      return std::nullopt;
    if (!inBounds)
      count = std::min(count, type.getShape().back() - *start);
    align = std::gcd(align, *start * bytes);
  } else {
    auto loop = dyn_cast<scf::ForOp>(write->getParentOp());
    if (!inBounds || !loop || last != loop.getInductionVar() ||
        getConstantIntValue(loop.getStep()) != count)
      return std::nullopt;
    std::optional<int64_t> lower = getConstantIntValue(loop.getLowerBound());
    if (!lower)
      return std::nullopt;
    align = std::gcd(align, *lower * bytes);
  }
  align = std::gcd(align, count * bytes);
  if (count <= 0 || align < kLeast)
    return std::nullopt;
  return Stream{write, count, align / bytes};
}

static void emit(const Stream &stream) {
  vector::TransferWriteOp write = stream.write;
  OpBuilder b(write);
  Location loc = write.getLoc();
  int64_t bytes =
      write.getVectorType().getElementType().getIntOrFloatBitWidth() / 8;
  for (int64_t at = 0; at < stream.count; at += stream.piece) {
    Value part = write.getVector();
    if (stream.piece != write.getVectorType().getNumElements())
      part = vector::ExtractStridedSliceOp::create(b, loc, part, at,
                                                   stream.piece, 1);
    SmallVector<Value> indices = llvm::to_vector(write.getIndices());
    if (at != 0)
      indices.back() = arith::AddIOp::create(
          b, loc, indices.back(), arith::ConstantIndexOp::create(b, loc, at));
    vector::StoreOp::create(b, loc, part, write.getBase(), indices,
                            /*nontemporal=*/true,
                            llvm::MaybeAlign(stream.piece * bytes));
  }
  write.erase();
}

/// Whether `loop` has what is left of the vectors of another.
static bool isTail(scf::ForOp loop) {
  auto transfers = loop.getOps<VectorTransferOpInterface>();
  return !transfers.empty() &&
         llvm::all_of(transfers, [](VectorTransferOpInterface transfer) {
           return transfer.hasOutOfBoundsDim();
         });
}

/// Whether one loop in `top`, or `top` itself, has all whole vectors.
static bool isOneLoop(Operation *top) {
  unsigned innermost = 0;
  top->walk([&](scf::ForOp loop) {
    innermost += loop.getBody()->getOps<scf::ForOp>().empty() && !isTail(loop);
  });
  return innermost == 1;
}

/// Asks for what `loop` reads of the one large buffer that it reads, `ahead`
/// bytes before it does: a processor that has enough to compute with one step
/// reads too few lines of the next ones. With two such buffers a loop is
/// slower for it (1.1 times on Zen 5). `least`: bytes of the smallest; of
/// unknown size are those with as many dimensions as the result, `rank`.
static void askAhead(scf::ForOp loop, int64_t rank, int64_t least,
                     int64_t ahead) {
  vector::TransferReadOp found;
  for (auto read : loop.getOps<vector::TransferReadOp>()) {
    Value buffer = read.getBase();
    while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>())
      buffer = view.getViewSource();
    auto type = dyn_cast<MemRefType>(buffer.getType());
    if (!type || !type.getElementType().isIntOrFloat())
      continue;
    bool isLarge =
        type.hasStaticShape()
            ? type.getNumElements() * type.getElementTypeBitWidth() / 8 >= least
            : read.getShapedType().getRank() == rank;
    if (!isLarge)
      continue;
    if (found)
      return;
    found = read;
  }
  if (!found || !loop.getOps<memref::PrefetchOp>().empty() || found.getMask() ||
      found.getVectorType().getRank() != 1 ||
      found.getVectorType().getElementTypeBitWidth() < 8 ||
      !found.getPermutationMap().isMinorIdentity() ||
      found.getIndices().back() != loop.getInductionVar())
    return;
  OpBuilder b(found);
  Location loc = found.getLoc();
  VectorType vector = found.getVectorType();
  int64_t bytes = vector.getElementTypeBitWidth() / 8;
  SmallVector<Value> indices = llvm::to_vector(found.getIndices());
  for (int64_t at = 0; at < vector.getNumElements(); at += kLine / bytes) {
    indices.back() = arith::AddIOp::create(
        b, loc, loop.getInductionVar(),
        arith::ConstantIndexOp::create(b, loc, at + ahead / bytes));
    memref::PrefetchOp::create(b, loc, found.getBase(), indices,
                               /*isWrite=*/false, /*localityHint=*/3,
                               /*isDataCache=*/true);
  }
}

/// Whether elements that `loop` reads, or those of `write`, have less than 32
/// bits. On Zen 3 such loops are 1.05 to 1.6 times as fast where they ask
/// ahead, while adding f32 from memory takes up to 1.08 times as long.
static bool movesNarrow(scf::ForOp loop, vector::TransferWriteOp write) {
  auto isNarrow = [](VectorType type) {
    return cpu::getElementBits(type.getElementType()) < 32;
  };
  return isNarrow(write.getVectorType()) ||
         llvm::any_of(loop.getOps<vector::TransferReadOp>(),
                      [&](vector::TransferReadOp read) {
                        return isNarrow(read.getVectorType());
                      });
}

namespace {
struct StreamStores
    : public amp::impl::AmpCPUStreamStoresPassBase<StreamStores> {
  using Base::Base;

  void runOnOperation() override {
    FunctionOpInterface function = getOperation();
    if (function.isExternal())
      return;
    auto results = dyn_cast_or_null<IntegerAttr>(
        function->removeAttr(cpu::kResultBuffersAttrName));
    FailureOr<cpu::CPUTarget> target =
        cpu::CPUTarget::get(function, triple, processor, features, vectorBits);
    if (failed(target))
      return signalPassFailure();
    if (!target->hasStreamingStores)
      return;
    if (target->asksAlongRows())
      ahead = target->l1Bytes / (target->hasManyWays() ? 3 : 8);
    asksForNarrow = !target->hasManyWays();
    int64_t most = std::min<int64_t>(target->vectorBits / 8, kLine);
    Block *entry = &function.getFunctionBody().front();
    function->walk([&](memref::AllocOp alloc) {
      if (alloc->getBlock() == entry && stream(alloc, entry, most) &&
          alloc.getAlignment().value_or(0) < uint64_t(kLine))
        alloc.setAlignment(kLine);
    });
    if (results)
      for (Value buffer : function.getArguments().take_back(std::min<uint64_t>(
               results.getInt(), function.getNumArguments())))
        if (isa<MemRefType>(buffer.getType()))
          stream(buffer, entry, most);
    for (auto &[top, version] : versions)
      emitVersion(top, version);
    versions.clear();
  }

private:
  /// What becomes of a loop where buffers of unknown size turn out to be large.
  struct Version {
    /// And from how many bytes on each of them is.
    SmallVector<std::pair<Value, int64_t>> buffers;
    SmallVector<Stream> streams;
  };

  /// Whether there are such stores to `buffer`, which begins with a line.
  bool stream(Value buffer, Block *entry, int64_t most) {
    auto type = cast<MemRefType>(buffer.getType());
    Type element = type.getElementType();
    if (type.getRank() == 0 || !type.getLayout().isIdentity() ||
        !element.isIntOrFloat())
      return false;
    llvm::MapVector<Operation *, Writes> found;
    if (!collect(buffer, entry, found))
      return false;
    int64_t least = minBytes;
    if (llvm::any_of(found, [](auto &pair) { return pair.second.isRead; }))
      least *= kReadAgain;
    if (type.hasStaticShape() &&
        type.getNumElements() * element.getIntOrFloatBitWidth() / 8 < least)
      return false;
    bool isStreamed = false;
    for (auto &[top, writes] : found) {
      // What is read again at once is better in the cache.
      if (writes.isRead)
        continue;
      SmallVector<Stream> streams;
      DenseMap<Block *, size_t> perBlock;
      for (vector::TransferWriteOp write : writes.ops)
        if (std::optional<Stream> stream = match(write, buffer, most)) {
          streams.push_back(*stream);
          ++perBlock[write->getBlock()];
        }
      llvm::erase_if(streams, [&](const Stream &stream) {
        return perBlock.lookup(stream.write->getBlock()) > kMostStreams;
      });
      if (streams.empty() || (!type.hasStaticShape() && top->getNumResults()))
        continue;
      isStreamed = true;
      if (type.hasStaticShape()) {
        emitStreams(top, streams);
        continue;
      }
      Version &version = versions[top];
      version.buffers.push_back({buffer, least});
      llvm::append_range(version.streams, streams);
    }
    return isStreamed;
  }

  void emitStreams(Operation *top, ArrayRef<Stream> streams) {
    for (Stream stream : streams) {
      auto loop = dyn_cast<scf::ForOp>(stream.write->getParentOp());
      int64_t rank = stream.write.getShapedType().getRank();
      bool asks = loop && ahead > 0 &&
                  (!asksForNarrow || movesNarrow(loop, stream.write));
      emit(stream);
      if (asks && isOneLoop(top))
        askAhead(loop, rank, minBytes / 4, ahead);
      ++numStreamed;
    }
  }

  /// Whether `buffer`, of unknown size, has `least` bytes, and its rows are
  /// whole lines: tails of others are no streams, and would share lines with
  /// these (softmax of rows of 4000 bytes takes 1.5 times as long).
  static Value isLarge(OpBuilder &b, Location loc, Value buffer,
                       int64_t least) {
    auto type = cast<MemRefType>(buffer.getType());
    auto index = [&](int64_t x) -> Value {
      return arith::ConstantIndexOp::create(b, loc, x);
    };
    Value last;
    Value bytes = index(type.getElementTypeBitWidth() / 8);
    for (int64_t dim = type.getRank() - 1; dim >= 0; --dim) {
      bytes = arith::MulIOp::create(b, loc, bytes,
                                    memref::DimOp::create(b, loc, buffer, dim));
      last = last ? last : bytes;
    }
    Value isLarge = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::uge,
                                          bytes, index(least));
    if (type.getRank() == 1 || !ShapedType::isDynamic(type.getShape().back()))
      return isLarge;
    Value isWhole = arith::CmpIOp::create(
        b, loc, arith::CmpIPredicate::eq,
        arith::RemUIOp::create(b, loc, last, index(kLine)), index(0));
    return arith::AndIOp::create(b, loc, isLarge, isWhole);
  }

  /// Makes a copy of `top` with streams, which runs instead of it where all
  /// buffers of `version` are large.
  void emitVersion(Operation *top, const Version &version) {
    OpBuilder b(top);
    Location loc = top->getLoc();
    Value areLarge;
    for (auto [buffer, least] : version.buffers) {
      Value large = isLarge(b, loc, buffer, least);
      areLarge =
          areLarge ? arith::AndIOp::create(b, loc, areLarge, large) : large;
    }
    auto choice = scf::IfOp::create(b, loc, areLarge, /*withElseRegion=*/true);
    IRMapping mapping;
    b.setInsertionPointToStart(choice.thenBlock());
    Operation *copy = b.clone(*top, mapping);
    top->moveBefore(choice.elseBlock(), choice.elseBlock()->begin());
    SmallVector<Stream> streams = version.streams;
    for (Stream &stream : streams)
      stream.write = cast<vector::TransferWriteOp>(
          mapping.lookup(stream.write.getOperation()));
    emitStreams(copy, streams);
  }

  llvm::MapVector<Operation *, Version> versions;
  /// Bytes that a loop has to ask for ahead; 0 where that is not known to help.
  int64_t ahead = 0;
  /// Whether only loops that read or write less than 32 bits an element do.
  bool asksForNarrow = false;
};
} // namespace
