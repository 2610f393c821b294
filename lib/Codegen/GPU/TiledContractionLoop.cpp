//===- TiledContractionLoop.cpp - staging and products --------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TiledContraction.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::gpu;

//===----------------------------------------------------------------------===//
// Staging
//===----------------------------------------------------------------------===//

void TiledContraction::setUpAddresses(Staging &s) {
  const DirectOperand &direct = *s.x->direct;
  Value buffer = arguments[direct.argument];
  auto type = cast<MemRefType>(buffer.getType());
  auto [strides, offset] = type.getStridesAndOffset();
  memref::ExtractStridedMetadataOp metadata;
  auto dynamic = [&] {
    if (!metadata)
      metadata = memref::ExtractStridedMetadataOp::create(at.b, at.loc, buffer);
    return metadata;
  };
  unsigned numLoops = c.op.getNumLoops();
  s.strides.assign(numLoops + 1, 0);
  s.strides.back() = ShapedType::isDynamic(offset)
                         ? IndexValue(at, Value(dynamic().getOffset()))
                         : IndexValue(offset);
  for (auto [dim, index] : llvm::enumerate(direct.indices)) {
    SmallVector<int64_t> form = *getLinearForm(index, numLoops);
    for (auto [stride, factor] : llvm::zip(s.strides, form)) {
      if (factor == 0)
        continue;
      IndexValue step = ShapedType::isDynamic(strides[dim])
                            ? IndexValue(at, Value(dynamic().getStrides()[dim]))
                            : IndexValue(strides[dim]);
      stride = stride + step * factor;
    }
  }
  s.pointer = emitPointer(at.b, at.loc, buffer, /*space=*/1);
}

void TiledContraction::setUpPieces(Staging &s) {
  int64_t piece = getPiece();
  bool alongK = s.x->isAlongK;
  int64_t chunks = (alongK ? getStageK() : s.extent) / piece;
  int64_t count = s.extent * getStageK() / piece;
  IndexValue size = &s == &a ? sizeM : sizeN;
  IndexValue origin = &s == &a ? block.row : block.col;
  s.pieces.clear();
  for (int64_t first = 0; first < count; first += grid.getThreads()) {
    Staging::Piece p;
    IndexValue number = thread + first;
    if (first + grid.getThreads() > count)
      p.exists = IndexValue::less(at, number, count);
    IndexValue row = number / chunks, col = (number % chunks) * piece;
    p.mn = alongK ? row : col;
    p.k = alongK ? col : row;
    IndexValue mn = origin + p.mn;
    p.isInside = IndexValue::less(at, mn, size);
    p.globalMn = IndexValue::select(at, p.isInside, mn, 0);
    if (s.mode == Mode::Async) {
      p.offset = s.strides.back();
      for (unsigned loop : c.batch)
        p.offset = p.offset + iteration[loop] * s.strides[loop];
      for (auto [loop, index] :
           llvm::zip(s.loops, delinearize(p.globalMn, s.loops)))
        p.offset = p.offset + index * s.strides[loop];
    }
    s.pieces.push_back(p);
  }
}

/// The linear form `form` of the loops `indices`.
static IndexValue evaluate(ArrayRef<int64_t> form,
                           ArrayRef<IndexValue> indices) {
  IndexValue result = form.back();
  for (auto [factor, index] : llvm::zip(form.drop_back(), indices))
    result = result + index * factor;
  return result;
}

void TiledContraction::copyAsync(Staging &s, IndexValue step,
                                 IndexValue stage) {
  int64_t bytes = c.getStagedBits() / 8;
  const DirectOperand &direct = *s.x->direct;
  for (Staging::Piece &p : s.pieces) {
    OpBuilder::InsertionGuard guard(builder);
    if (p.exists) {
      auto branch =
          scf::IfOp::create(at.b, at.loc, p.exists, /*withElse=*/false);
      builder.setInsertionPoint(branch.thenBlock()->getTerminator());
    }
    IndexValue k = step * getStageK() + p.k;
    Value inside = IndexValue::less(at, k, sizeK);
    k = IndexValue::select(at, inside, k, 0);
    inside = both(inside, p.isInside);
    SmallVector<IndexValue> indices = iteration;
    IndexValue offset = p.offset;
    for (auto [loop, index] : llvm::zip(c.k, delinearize(k, c.k))) {
      indices[loop] = index;
      offset = offset + index * s.strides[loop];
    }
    if (!direct.bounds.empty())
      for (auto [loop, index] :
           llvm::zip(s.loops, delinearize(p.globalMn, s.loops)))
        indices[loop] = index;
    for (const DirectOperand::Bound &bound : direct.bounds) {
      IndexValue index =
          evaluate(*getLinearForm(bound.index, c.op.getNumLoops()), indices);
      // A negative index is a large one without a sign.
      IndexValue size(at,
                      evaluator->getDim(at.b, at.loc, bound.tensor, bound.dim));
      inside = both(inside, IndexValue::less(at, index, size));
    }
    // The last piece may be a part of one.
    IndexValue rest = s.x->isAlongK ? sizeK - k
                      : &s == &a    ? sizeM - p.globalMn
                                    : sizeN - p.globalMn;
    IndexValue present = IndexValue::min(rest, getPiece()) * bytes;
    IndexValue count = IndexValue::select(at, inside, present, 0);
    offset = IndexValue::select(at, inside, offset, 0);
    Value source =
        emitPointerAdd(at.b, at.loc, s.pointer, (offset * bytes).get(at));
    IndexValue to = stage * s.bytes + s.base + getOffset(s, p.mn, p.k);
    emitCopyAsync(at.b, at.loc,
                  emitPointerAdd(at.b, at.loc, sharedPointer, to.get(at)),
                  source,
                  arith::IndexCastOp::create(at.b, at.loc, builder.getI32Type(),
                                             count.get(at)));
  }
}

Value TiledContraction::zeroOf(Type type) {
  return arith::ConstantOp::create(at.b, at.loc, builder.getZeroAttr(type));
}

/// Applies `cast` to `value`, a scalar or a vector.
static Value applyCast(const IndexBuilder &at, Operation *cast, Value value,
                       Type type) {
  if (auto vector = dyn_cast<VectorType>(value.getType()))
    type = vector.clone(type);
  OperationState state(at.loc, cast->getName(), value, type, cast->getAttrs());
  return at.b.create(state)->getResult(0);
}

Value TiledContraction::emitElement(Staging &s, ArrayRef<IndexValue> iteration,
                                    int64_t width) {
  SmallVector<Value> indices;
  for (const IndexValue &index : iteration)
    indices.push_back(index.get(at));
  Value value = evaluator->emitOperand(at.b, *s.x->operand, indices, width,
                                       width > 1 ? s.x->innerLoop : -1);
  if (width > 1)
    value = Evaluator::toVector(at.b, at.loc, value, width);
  // The last one gives what is staged, which may be narrower than what the
  // payload multiplies.
  for (Operation *cast : s.x->casts) {
    Type type =
        cast == s.x->casts.back() ? s.x->staged : cast->getResult(0).getType();
    value = applyCast(at, cast, value, type);
  }
  return value;
}

void TiledContraction::load(Staging &s, IndexValue step) {
  int64_t piece = getPiece();
  bool isVector = s.mode == Mode::Vector;
  IndexValue limit = &s == &a ? sizeM : sizeN;
  IndexValue origin = &s == &a ? block.row : block.col;
  s.loaded.clear();
  for (Staging::Piece &p : s.pieces) {
    SmallVector<Value> &values = s.loaded.emplace_back();
    // Whatever lies outside is read at zero, and becomes zero.
    for (int64_t i = 0; i < piece; i += isVector ? piece : 1) {
      IndexValue k = step * getStageK() + p.k, mn = p.globalMn;
      Value inside = p.isInside;
      if (s.x->isAlongK) {
        k = k + i;
      } else if (i > 0) {
        mn = origin + (p.mn + i);
        inside = IndexValue::less(at, mn, limit);
        mn = IndexValue::select(at, inside, mn, 0);
      }
      Value insideK = IndexValue::less(at, k, sizeK);
      k = IndexValue::select(at, insideK, k, 0);
      SmallVector<IndexValue> indices = iteration;
      for (auto [loop, index] : llvm::zip(s.loops, delinearize(mn, s.loops)))
        indices[loop] = index;
      for (auto [loop, index] : llvm::zip(c.k, delinearize(k, c.k)))
        indices[loop] = index;
      Value value = emitElement(s, indices, isVector ? piece : 1);
      values.push_back(arith::SelectOp::create(
          at.b, at.loc, both(inside, insideK), value, zeroOf(value.getType())));
    }
  }
}

void TiledContraction::store(Staging &s, IndexValue stage) {
  int64_t piece = getPiece(), bytes = c.getStagedBits() / 8;
  Value view = viewShared(s.x->staged, s.base, s.bytes * stages);
  bool isContiguous = s.x->isAlongK == s.rowsAlongK;
  for (auto [number, values] : llvm::enumerate(s.loaded)) {
    const Staging::Piece &p = s.pieces[number];
    OpBuilder::InsertionGuard guard(builder);
    if (p.exists) {
      auto branch =
          scf::IfOp::create(at.b, at.loc, p.exists, /*withElse=*/false);
      builder.setInsertionPoint(branch.thenBlock()->getTerminator());
    }
    IndexValue start = stage * (s.bytes / bytes);
    auto index = [&](int64_t i) -> Value {
      IndexValue mn = s.x->isAlongK ? p.mn : p.mn + i;
      IndexValue k = s.x->isAlongK ? p.k + i : p.k;
      return (start + getOffset(s, mn, k) / bytes).get(at);
    };
    if (isContiguous) {
      Value vector = values.front();
      if (values.size() > 1)
        vector = vector::FromElementsOp::create(
            at.b, at.loc, VectorType::get({piece}, s.x->staged), values);
      vector::StoreOp::create(at.b, at.loc, vector, view, index(0),
                              /*nontemporal=*/false, llvm::MaybeAlign(16));
      continue;
    }
    for (int64_t i = 0; i < piece; ++i) {
      Value element =
          values.size() > 1
              ? values[i]
              : vector::ExtractOp::create(at.b, at.loc, values.front(), i)
                    .getResult();
      memref::StoreOp::create(at.b, at.loc, element, view, index(i));
    }
  }
  s.loaded.clear();
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

SmallVector<Value> TiledContraction::getZeroAccumulators() {
  int64_t count = grid.getWarpM() * grid.getWarpN() / 32;
  if (c.mma)
    return SmallVector<Value>(count, zeroOf(c.accType));
  return SmallVector<Value>(count / 4, zeroOf(VectorType::get({4}, c.accType)));
}

SmallVector<Value> TiledContraction::multiply(IndexValue stage,
                                              ValueRange accumulators) {
  return c.mma ? multiplyMma(stage, accumulators)
               : multiplyFma(stage, accumulators);
}

/// The bytes of k that one mma takes.
static constexpr int64_t kMmaBytes = 32;

void TiledContraction::setUpFragments() {
  int64_t stepK = kMmaBytes * 8 / c.getStagedBits();
  // A row of chunks is shifted by whole multiples of eight rows without a
  // change of the permutation, so those shifts are constants.
  auto add = [&](const Staging &s, SmallVectorImpl<Fragment> &fragments,
                 ArrayRef<Coord<IndexValue>> laneAt, IndexValue origin,
                 int64_t extent) {
    SwizzledTile tile = getTile(s);
    // Columns of `laneAt` are elements for words, else chunks.
    bool isByWords = hasWords(s);
    int64_t chunkSize = SwizzledTile::kChunkBytes / (isByWords ? 4 : 1);
    int64_t rowSize = tile.chunks * chunkSize;
    int64_t base = s.base / (isByWords ? 4 : 1);
    fragments.clear();
    for (int64_t k = 0; k < getStageK(); k += stepK)
      for (int64_t mn = 0; mn < extent; mn += 16) {
        int64_t row = s.rowsAlongK ? mn : k, col = s.rowsAlongK ? k : mn;
        IndexValue rowOrigin = s.rowsAlongK ? origin : 0,
                   colOrigin = s.rowsAlongK ? 0 : origin;
        Fragment &fragment = fragments.emplace_back();
        for (const Coord<IndexValue> &place : laneAt) {
          IndexValue laneChunk = isByWords ? place.col / getPiece() : place.col;
          IndexValue chunk =
              colOrigin / getPiece() + laneChunk + col / getPiece();
          IndexValue offset = (rowOrigin + place.row) * rowSize +
                              (chunk ^ tile.mask(place.row)) * chunkSize;
          if (isByWords)
            offset = offset + place.col % getPiece();
          fragment.push_back({offset, base + row * rowSize});
        }
      }
  };
  using Places = SmallVector<Coord<IndexValue>>;
  auto words = [&](Coord<IndexValue> (*place)(IndexValue, unsigned)) {
    Places all;
    for (unsigned reg = 0; reg < 4; ++reg)
      all.push_back(place(lane, reg));
    return all;
  };
  add(a, fragmentsA,
      hasWords(a)    ? words(WordFragments::a<IndexValue>)
      : a.rowsAlongK ? Places{LdMatrix::aFromRows(lane)}
                     : Places{LdMatrix::aFromColumns(lane)},
      warp.row, grid.getWarpM());
  add(b, fragmentsB,
      hasWords(b)    ? words(WordFragments::b<IndexValue>)
      : b.rowsAlongK ? Places{LdMatrix::bFromColumns(lane)}
                     : Places{LdMatrix::bFromRows(lane)},
      warp.col, grid.getWarpN());
}

SmallVector<Value> TiledContraction::multiplyMma(IndexValue stage,
                                                 ValueRange accumulators) {
  SmallVector<Value> result(accumulators);
  int64_t tilesM = grid.getWarpM() / 16, pairsN = grid.getWarpN() / 16;
  auto loadMatrices = [&](const Staging &s, Value base,
                          const FragmentOffset &offset) {
    Value pointer = emitPointerAdd(at.b, at.loc, base, offset.variable.get(at));
    pointer = emitPointerAdd(at.b, at.loc, pointer,
                             IndexValue(offset.constant).get(at));
    return emitLdMatrix(at.b, at.loc, pointer, !s.rowsAlongK);
  };
  Value words;
  if (hasWords(a) || hasWords(b))
    words = viewShared(builder.getI32Type(), 0, b.base + b.bytes * stages);
  auto loadWords = [&](const Staging &s, const Fragment &offsets) {
    SmallVector<Value> registers;
    for (const FragmentOffset &offset : offsets) {
      IndexValue word = stage * (s.bytes / 4) + offset.variable;
      word = word + offset.constant;
      registers.push_back(
          memref::LoadOp::create(at.b, at.loc, words, word.get(at)));
    }
    return registers;
  };
  auto fragment = [&](const Staging &s, Value base, const Fragment &offsets) {
    SmallVector<Value> registers = hasWords(s)
                                       ? loadWords(s, offsets)
                                       : loadMatrices(s, base, offsets.front());
    if (c.mma->element == MmaKind::TF32)
      for (Value &value : registers)
        value = emitRoundToTF32(at.b, at.loc, value);
    return registers;
  };
  auto stageOf = [&](const Staging &s) {
    return emitPointerAdd(at.b, at.loc, sharedPointer,
                          (stage * s.bytes).get(at));
  };
  Value stageA = stageOf(a), stageB = stageOf(b);
  for (int64_t k = 0; k < stageBytes / kMmaBytes; ++k) {
    SmallVector<SmallVector<Value>> as, bs;
    for (int64_t i = 0; i < tilesM; ++i)
      as.push_back(fragment(a, stageA, fragmentsA[k * tilesM + i]));
    for (int64_t j = 0; j < pairsN; ++j)
      bs.push_back(fragment(b, stageB, fragmentsB[k * pairsN + j]));
    for (int64_t i = 0; i < tilesM; ++i)
      for (int64_t j = 0; j < 2 * pairsN; ++j) {
        int64_t first = (i * 2 * pairsN + j) * 4;
        SmallVector<Value> sums =
            emitMma(at.b, at.loc, *c.mma, as[i],
                    ArrayRef<Value>(bs[j / 2]).slice(j % 2 * 2, 2),
                    ArrayRef<Value>(result).slice(first, 4));
        llvm::copy(sums, result.begin() + first);
      }
  }
  return result;
}

SmallVector<Value> TiledContraction::multiplyFma(IndexValue stage,
                                                 ValueRange accumulators) {
  auto type = VectorType::get({4}, c.accType);
  int64_t bytes = c.getStagedBits() / 8;
  auto viewOf = [&](const Staging &s) {
    return viewShared(c.accType, s.base, s.bytes * stages);
  };
  Value viewA = viewOf(a), viewB = viewOf(b);
  auto read = [&](const Staging &s, Value view, IndexValue k, IndexValue mn) {
    IndexValue index = stage * (s.bytes / bytes) + mn + k * getPitch(s);
    return vector::LoadOp::create(at.b, at.loc, type, view, index.get(at),
                                  /*nontemporal=*/false, llvm::MaybeAlign(16))
        .getResult();
  };
  // A loop, for a compiler that sees a whole stage reads all of it first, and
  // runs out of registers.
  int64_t unroll = c.getStagedBits() == 64 ? 1 : 4;
  auto loop = scf::ForOp::create(at.b, at.loc, IndexValue(0).get(at),
                                 IndexValue(getStageK()).get(at),
                                 IndexValue(unroll).get(at), accumulators);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> sums(loop.getRegionIterArgs());
  bool isFloat = isa<FloatType>(c.accType);
  for (int64_t step = 0; step < unroll; ++step) {
    IndexValue k = IndexValue(at, loop.getInductionVar()) + step;
    SmallVector<Value> as, bs;
    for (int64_t i : {0, 4})
      as.push_back(read(a, viewA, k, warp.row + FmaLanes::row(lane, i)));
    for (int64_t j : {0, 4})
      bs.push_back(read(b, viewB, k, warp.col + FmaLanes::col(lane, j)));
    for (int64_t i = 0; i < 8; ++i) {
      Value factor = vector::ExtractOp::create(at.b, at.loc, as[i / 4], i % 4);
      factor = vector::BroadcastOp::create(at.b, at.loc, type, factor);
      for (int64_t j = 0; j < 2; ++j) {
        Value &sum = sums[i * 2 + j];
        if (isFloat)
          sum = math::FmaOp::create(at.b, at.loc, factor, bs[j], sum);
        else
          sum = arith::AddIOp::create(
              at.b, at.loc, sum,
              arith::MulIOp::create(at.b, at.loc, factor, bs[j]));
      }
    }
  }
  scf::YieldOp::create(at.b, at.loc, sums);
  return SmallVector<Value>(loop.getResults());
}
