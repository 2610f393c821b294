//===- PartsInWords.cpp - parts of vectors of 8 and 16 bits ---------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// AVX2 masks words of 32 bits, and nothing smaller: where a vector of bf16 or
// i8 may reach past the end of a row, LLVM asks for each of its elements
// whether it is there. What is there are the first so many elements, whole
// words but for the last three bytes. The words are moved under a mask, and the
// rest alone. Where it is known how many elements there are, they are moved in
// vectors of powers of two, without masks: AMD's processors take long for
// masked stores.
//
//===----------------------------------------------------------------------===//

#include "SelectInstructions.h"

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::amp;

/// Whether `op` moves a vector of whole words, at least two of them, of
/// elements of 8 or 16 bits along the rows of a buffer, perhaps beyond a row's
/// end. What `vector.mask` is around is its own op, one alone.
static bool movesPart(VectorTransferOpInterface op) {
  auto type = dyn_cast<MemRefType>(op.getBase().getType());
  VectorType vector = op.getVectorType();
  if (!type || isa<vector::MaskOp>(op->getParentOp()) || op.getMask() ||
      !vector.getElementType().isIntOrFloat() || vector.isScalable() ||
      vector.getRank() != 1 || type.getMemorySpace() ||
      type.getElementType() != vector.getElementType() ||
      !op.getPermutationMap().isMinorIdentity() || op.isDimInBounds(0))
    return false;
  unsigned bits = vector.getElementTypeBitWidth();
  int64_t bytes = vector.getNumElements() * bits / 8;
  SmallVector<int64_t> strides;
  int64_t offset;
  return (bits == 8 || bits == 16) && bytes % 4 == 0 && bytes >= 8 &&
         succeeded(type.getStridesAndOffset(strides, offset)) &&
         strides.back() == 1;
}

namespace {
/// Writes what `op` becomes, in front of it.
class Part {
public:
  Part(RewriterBase &rewriter, VectorTransferOpInterface op)
      : b(op.getLoc(), rewriter), type(op.getVectorType()),
        perWord(32 / type.getElementTypeBitWidth()),
        integer(b.getIntegerType(type.getElementTypeBitWidth())),
        words(
            VectorType::get(type.getNumElements() / perWord, b.getI32Type())) {
    b.setInsertionPoint(op);
    Value last = op.getIndices().back();
    Value size = memref::DimOp::create(b, op.getBase(),
                                       op.getShapedType().getRank() - 1);
    // Elements that are there, as i64; so are all numbers of elements here.
    Value left = asI64(arith::SubIOp::create(b, size, last).getResult());
    count =
        arith::MinSIOp::create(b, arith::MaxSIOp::create(b, left, constant(0)),
                               constant(type.getNumElements()));
    Value wholeWords =
        arith::ShRUIOp::create(b, count, constant(llvm::Log2_64(perWord)));
    rest = arith::AndIOp::create(b, count, constant(perWord - 1));
    word = wholeWords;
    mask = vector::CreateMaskOp::create(
        b, words.clone(b.getI1Type()),
        arith::IndexCastOp::create(b, b.getIndexType(), wholeWords)
            .getResult());
    start = getAddress(op);
  }

  Value read(Value padding) {
    Value zero = arith::ConstantOp::create(b, b.getZeroAttr(words));
    Value whole = LLVM::MaskedLoadOp::create(
        b, words, start, mask, zero, b.getI32IntegerAttr(bytesPerElement()));
    auto withRest = scf::IfOp::create(
        b, hasRest(),
        [&](OpBuilder &, Location loc) {
          Value value = readRest();
          Value lanes = arith::ConstantOp::create(b, getLanes(words));
          Value at = arith::CmpIOp::create(
              b, arith::CmpIPredicate::eq, lanes,
              splat(arith::TruncIOp::create(b, b.getI32Type(), word), words));
          scf::YieldOp::create(
              b, arith::SelectOp::create(b, at, splat(value, words), whole)
                     .getResult());
        },
        [&](OpBuilder &, Location loc) { scf::YieldOp::create(b, whole); });
    VectorType integers = type.clone(integer);
    Value result =
        vector::BitCastOp::create(b, integers, withRest.getResult(0));
    if (!matchPattern(padding, m_Zero()) &&
        !matchPattern(padding, m_PosZeroFloat())) {
      Value isThere = vector::CreateMaskOp::create(
          b, type.clone(b.getI1Type()),
          arith::IndexCastOp::create(b, b.getIndexType(), count).getResult());
      if (padding.getType() != integer)
        padding = arith::BitcastOp::create(b, integer, padding);
      result =
          arith::SelectOp::create(b, isThere, result, splat(padding, integers));
    }
    return type == integers ? result : bitCast(result, type);
  }

  void write(Value value) {
    if (type.getElementType() != integer)
      value = bitCast(value, type.clone(integer));
    value = vector::BitCastOp::create(b, words, value);
    LLVM::MaskedStoreOp::create(b, value, start, mask,
                                b.getI32IntegerAttr(bytesPerElement()));
    scf::IfOp::create(b, hasRest(), [&](OpBuilder &, Location loc) {
      Value at = arith::IndexCastOp::create(b, b.getIndexType(), word);
      writeRest(vector::ExtractOp::create(b, value, OpFoldResult(at)));
      scf::YieldOp::create(b);
    });
  }

private:
  unsigned bytesPerElement() const { return 4 / perWord; }

  Value constant(int64_t value) {
    return arith::ConstantOp::create(b, b.getI64IntegerAttr(value));
  }

  Value asI64(Value index) {
    return arith::IndexCastOp::create(b, b.getI64Type(), index);
  }

  Value splat(Value value, VectorType as) {
    return vector::BroadcastOp::create(b, as, value);
  }

  Value bitCast(Value value, VectorType as) {
    return vector::BitCastOp::create(b, as, value);
  }

  static DenseIntElementsAttr getLanes(VectorType type) {
    return DenseIntElementsAttr::get(
        type, llvm::to_vector_of<int32_t>(llvm::seq(type.getNumElements())));
  }

  Value hasRest() {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::ne, rest,
                                 constant(0));
  }

  /// Whether the rest has `elements`, 1 or 2, in the order of a word: twos
  /// first.
  Value hasInRest(int64_t elements) {
    return arith::CmpIOp::create(
        b, arith::CmpIPredicate::ne,
        arith::AndIOp::create(b, rest, constant(elements)), constant(0));
  }

  /// Where element `index` is.
  Value getElement(Value index) {
    return LLVM::GEPOp::create(b, start.getType(), integer, start,
                               ArrayRef<LLVM::GEPArg>{index});
  }

  /// Where the rest begins.
  Value getRest() { return getElement(arith::SubIOp::create(b, count, rest)); }

  /// The last element, which is the first of the rest or, of three, its third.
  Value getLast() {
    return getElement(arith::SubIOp::create(b, count, constant(1)));
  }

  /// How far up in its word the last element of the rest is, in bits: of i8,
  /// behind two others or none.
  Value getShift() {
    Value two = arith::AndIOp::create(b, rest, constant(2));
    return arith::TruncIOp::create(b, b.getI32Type(),
                                   arith::ShLIOp::create(b, two, constant(3)));
  }

  Value loadAs32(Value from, IntegerType part) {
    Value value = LLVM::LoadOp::create(b, part, from, bytesPerElement());
    return arith::ExtUIOp::create(b, b.getI32Type(), value);
  }

  /// The rest as the lower part of a word.
  Value readRest() {
    if (perWord == 2)
      return loadAs32(getLast(), b.getI16Type());
    Value zero = arith::ConstantOp::create(b, b.getI32IntegerAttr(0));
    auto choose = [&](int64_t elements, function_ref<Value()> load) {
      return scf::IfOp::create(
                 b, hasInRest(elements),
                 [&](OpBuilder &, Location) {
                   scf::YieldOp::create(b, load());
                 },
                 [&](OpBuilder &, Location) { scf::YieldOp::create(b, zero); })
          .getResult(0);
    };
    Value two = choose(2, [&] { return loadAs32(getRest(), b.getI16Type()); });
    Value one = choose(1, [&]() -> Value {
      return arith::ShLIOp::create(b, loadAs32(getLast(), b.getI8Type()),
                                   getShift());
    });
    return arith::OrIOp::create(b, two, one);
  }

  void store(Value value, IntegerType part, Value to) {
    LLVM::StoreOp::create(b, arith::TruncIOp::create(b, part, value), to,
                          bytesPerElement());
  }

  void writeRest(Value value) {
    if (perWord == 2)
      return store(value, b.getI16Type(), getLast());
    scf::IfOp::create(b, hasInRest(2), [&](OpBuilder &, Location) {
      store(value, b.getI16Type(), getRest());
      scf::YieldOp::create(b);
    });
    scf::IfOp::create(b, hasInRest(1), [&](OpBuilder &, Location) {
      store(arith::ShRUIOp::create(b, value, getShift()), b.getI8Type(),
            getLast());
      scf::YieldOp::create(b);
    });
  }

  /// The address of what `op` moves first, by the descriptor that its buffer
  /// becomes.
  Value getAddress(VectorTransferOpInterface op) {
    Value buffer = op.getBase();
    LLVMTypeConverter converter(b.getContext());
    Value descriptor = UnrealizedConversionCastOp::create(
                           b, converter.convertType(buffer.getType()), buffer)
                           .getResult(0);
    Value base = LLVM::ExtractValueOp::create(b, descriptor, int64_t(1));
    auto metadata = memref::ExtractStridedMetadataOp::create(b, buffer);
    Value at = metadata.getOffset();
    for (auto [index, stride] :
         llvm::zip_equal(op.getIndices(), metadata.getStrides()))
      at =
          arith::AddIOp::create(b, at, arith::MulIOp::create(b, index, stride));
    return LLVM::GEPOp::create(b, base.getType(), integer, base,
                               ArrayRef<LLVM::GEPArg>{asI64(at)});
  }

  ImplicitLocOpBuilder b;
  VectorType type;
  /// Elements of a word.
  int64_t perWord;
  IntegerType integer;
  VectorType words;
  /// Elements to move, of which `rest` are behind whole words, in word `word`.
  Value count, rest, word, mask, start;
};
} // namespace

/// How many elements of what `op` moves are there, if that is known.
static std::optional<int64_t> getCount(VectorTransferOpInterface op) {
  std::optional<int64_t> first = getConstantIntValue(op.getIndices().back());
  int64_t size = op.getShapedType().getShape().back();
  if (!first || ShapedType::isDynamic(size))
    return std::nullopt;
  return std::clamp<int64_t>(size - *first, 0,
                             op.getVectorType().getNumElements());
}

/// Calls `move` for vectors of powers of two elements that are `count`
/// together: with the first of a vector, how many it has, and the indices of
/// its place.
static void
forPowersOfTwo(RewriterBase &rewriter, VectorTransferOpInterface op,
               int64_t count,
               function_ref<void(int64_t, VectorType, ValueRange)> move) {
  SmallVector<Value> indices(op.getIndices());
  int64_t start = *getConstantIntValue(indices.back());
  for (int64_t first = 0; first < count;) {
    int64_t size = llvm::bit_floor(uint64_t(count - first));
    indices.back() =
        arith::ConstantIndexOp::create(rewriter, op.getLoc(), start + first);
    move(first, VectorType::get(size, op.getVectorType().getElementType()),
         indices);
    first += size;
  }
}

static void moveKnown(RewriterBase &rewriter, vector::TransferReadOp op,
                      int64_t count) {
  Location loc = op.getLoc();
  Value result = vector::BroadcastOp::create(rewriter, loc, op.getVectorType(),
                                             op.getPadding());
  forPowersOfTwo(rewriter, op, count,
                 [&](int64_t first, VectorType type, ValueRange indices) {
                   Value part = vector::TransferReadOp::create(
                       rewriter, loc, type, op.getBase(), indices,
                       op.getPadding(), op.getPermutationMap(),
                       ArrayRef<bool>{true});
                   result = vector::InsertStridedSliceOp::create(
                       rewriter, loc, part, result, ArrayRef<int64_t>{first},
                       ArrayRef<int64_t>{1});
                 });
  rewriter.replaceOp(op, result);
}

static void moveKnown(RewriterBase &rewriter, vector::TransferWriteOp op,
                      int64_t count) {
  Location loc = op.getLoc();
  forPowersOfTwo(
      rewriter, op, count,
      [&](int64_t first, VectorType type, ValueRange indices) {
        Value part = vector::ExtractStridedSliceOp::create(
            rewriter, loc, op.getVector(), first, type.getNumElements(), 1);
        vector::TransferWriteOp::create(rewriter, loc, part, op.getBase(),
                                        indices, op.getPermutationMap(),
                                        ArrayRef<bool>{true});
      });
  rewriter.eraseOp(op);
}

unsigned cpu::movePartsInWords(FunctionOpInterface function,
                               const CPUTarget &target) {
  if (!target.hasMaskedWords || target.hasMaskedMemory)
    return 0;
  IRRewriter rewriter(function->getContext());
  SmallVector<VectorTransferOpInterface> transfers;
  function->walk([&](VectorTransferOpInterface op) {
    if (movesPart(op))
      transfers.push_back(op);
  });
  for (VectorTransferOpInterface op : transfers) {
    rewriter.setInsertionPoint(op);
    auto read = dyn_cast<vector::TransferReadOp>(op.getOperation());
    auto write = dyn_cast<vector::TransferWriteOp>(op.getOperation());
    if (std::optional<int64_t> count = getCount(op)) {
      if (read)
        moveKnown(rewriter, read, *count);
      else
        moveKnown(rewriter, write, *count);
      continue;
    }
    Part part(rewriter, op);
    if (read) {
      rewriter.replaceOp(read, part.read(read.getPadding()));
      continue;
    }
    part.write(write.getVector());
    rewriter.eraseOp(write);
  }
  return transfers.size();
}
