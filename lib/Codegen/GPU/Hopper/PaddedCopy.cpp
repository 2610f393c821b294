//===- PaddedCopy.cpp - copies of operands that TMA can read --------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PaddedCopy.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::gpu;
using namespace mlir::amp::gpu::hopper;

static constexpr int64_t kThreads = 256;
/// Words of four bytes that a thread copies.
static constexpr int64_t kWords = 4;

static int64_t getBytes(MemRefType type) {
  return type.getElementTypeBitWidth() / 8;
}

/// Elements from row to row of the copy: whole lines of L2, but for rows that
/// are shorter than one.
static int64_t getPitch(MemRefType type) {
  int64_t size = type.getShape().back(), bytes = getBytes(type);
  return llvm::alignTo(size, (size * bytes >= 128 ? 128 : 16) / bytes);
}

/// Whether TMA cannot read `type` for what is known of it, and a copy can be
/// made.
static bool needsCopy(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset;
  if (type.getRank() < 2 || type.getElementTypeBitWidth() % 8 != 0 ||
      getBytes(type) > 4 || failed(type.getStridesAndOffset(strides, offset)) ||
      strides.back() != 1 || ShapedType::isDynamic(type.getShape().back()) ||
      type.getShape().back() == 0)
    return false;
  int64_t bytes = getBytes(type);
  auto fits = [&](int64_t elements) {
    return ShapedType::isDynamic(elements) || elements * bytes % 16 == 0;
  };
  return !fits(offset) ||
         !llvm::all_of(ArrayRef<int64_t>(strides).drop_back(), fits);
}

/// The buffer of the copy, whole rows of the pitch.
static MemRefType getBufferType(MemRefType type) {
  SmallVector<int64_t> shape(type.getShape());
  shape.back() = getPitch(type);
  return MemRefType::get(shape, type.getElementType(),
                         MemRefLayoutAttrInterface(), type.getMemorySpace());
}

/// The elements of the copy, without what the rows are padded with.
static MemRefType getCopyType(MemRefType type) {
  auto [strides, offset] = getBufferType(type).getStridesAndOffset();
  return MemRefType::get(
      type.getShape(), type.getElementType(),
      StridedLayoutAttr::get(type.getContext(), offset, strides),
      type.getMemorySpace());
}

std::optional<PaddedKernel> hopper::getPaddedKernel(const Kernel &kernel) {
  std::string reason;
  FailureOr<Contraction> c = matchContraction(kernel, reason, F8Operands::AsF16,
                                              RowStatistics::Allowed);
  if (failed(c))
    return std::nullopt;
  PaddedKernel padded{kernel, {}};
  for (const ContractionOperand *x : {&c->a, &c->b}) {
    if (!x->direct)
      continue;
    unsigned argument = x->direct->argument;
    if (llvm::is_contained(padded.arguments, argument) ||
        !needsCopy(kernel.getBufferType(argument)))
      continue;
    padded.arguments.push_back(argument);
    padded.kernel.operandTypes[argument] =
        getCopyType(kernel.getBufferType(argument));
  }
  if (padded.arguments.empty())
    return std::nullopt;
  return padded;
}

double hopper::estimateCopies(const PaddedKernel &padded) {
  double time = 0;
  for (unsigned argument : padded.arguments) {
    MemRefType type = padded.kernel.getBufferType(argument);
    double elements = 1;
    for (int64_t size : type.getShape())
      elements *= ShapedType::isDynamic(size) ? 4096 : double(size);
    // A launch behind another, and 3.3 TB/s, read and written.
    time += 1.0 + 2 * elements * double(getBytes(type)) / 3.3e6;
  }
  return time;
}

::mlir::gpu::GPUFuncOp hopper::emitPaddedCopy(const Kernel &kernel,
                                              const PaddedKernel &padded,
                                              unsigned number,
                                              ::mlir::gpu::GPUModuleOp module) {
  MemRefType source = kernel.getBufferType(number);
  MemRefType buffer = getBufferType(source);
  func::FuncOp original = kernel.function;
  ::mlir::gpu::GPUFuncOp function = createDeviceFunction(
      module, original.getLoc(),
      (original.getSymName() + "_pad" + Twine(number)).str(), {source, buffer},
      kThreads);
  OpBuilder b(function.getBody().front().getTerminator());
  IndexBuilder at{b, original.getLoc()};
  Value from = function.getArgument(0), to = function.getArgument(1);
  auto sizeOf = [&](int64_t dim) {
    return IndexValue(at, OpFoldResult(b.createOrFold<memref::DimOp>(
                              original.getLoc(), from, dim)));
  };
  int64_t last = source.getRank() - 1;
  int64_t columns = source.getDimSize(last);
  int64_t perWord = 4 / getBytes(source);
  int64_t words = buffer.getShape().back() / perWord;
  IndexValue total = words;
  for (int64_t dim = 0; dim < last; ++dim)
    total = total * sizeOf(dim);
  auto x = ::mlir::gpu::Dimension::x;
  IndexValue block(at,
                   ::mlir::gpu::BlockIdOp::create(b, at.loc, x).getResult());
  IndexValue thread(at,
                    ::mlir::gpu::ThreadIdOp::create(b, at.loc, x).getResult());
  Value zero = arith::ConstantOp::create(
      b, at.loc, b.getZeroAttr(source.getElementType()));
  // All loads come first.
  struct Word {
    Value isInside, value;
    SmallVector<Value> place;
  };
  SmallVector<Word> all;
  for (int64_t i = 0; i < kWords; ++i) {
    IndexValue index = block * (kThreads * kWords) + thread + i * kThreads;
    Word word;
    word.isInside = IndexValue::less(at, index, total);
    index = IndexValue::min(index, total - 1);
    IndexValue column = index % words * perWord;
    IndexValue row = index / words;
    SmallVector<Value> indices(last + 1);
    for (int64_t dim = last; dim-- > 1;) {
      IndexValue size = sizeOf(dim);
      indices[dim] = (row % size).get(at);
      row = row / size;
    }
    indices[0] = row.get(at);
    indices[last] = column.get(at);
    word.place = indices;
    SmallVector<Value> elements;
    for (int64_t element = 0; element < perWord; ++element) {
      indices[last] = IndexValue::min(column + element, columns - 1).get(at);
      Value loaded = memref::LoadOp::create(b, at.loc, from, indices);
      // Rows are padded with zeros.
      elements.push_back(arith::SelectOp::create(
          b, at.loc, IndexValue::less(at, column + element, columns), loaded,
          zero));
    }
    word.value = vector::FromElementsOp::create(
        b, at.loc, VectorType::get({perWord}, source.getElementType()),
        elements);
    all.push_back(word);
  }
  for (const Word &word : all) {
    auto branch = scf::IfOp::create(b, at.loc, word.isInside,
                                    /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(branch.thenBlock()->getTerminator());
    vector::StoreOp::create(b, at.loc, word.value, to, word.place,
                            /*nontemporal=*/false, llvm::MaybeAlign(4));
  }
  return function;
}

Value hopper::launchPaddedCopy(OpBuilder &b, Location loc,
                               const PaddedKernel &padded, unsigned number,
                               ::mlir::gpu::GPUFuncOp function, Value operand) {
  auto source = cast<MemRefType>(operand.getType());
  MemRefType type = getBufferType(source);
  IndexBuilder at{b, loc};
  int64_t last = source.getRank() - 1;
  SmallVector<Value> dynamic;
  SmallVector<OpFoldResult> sizes;
  IndexValue total = type.getShape().back() / (4 / getBytes(source));
  for (int64_t dim = 0; dim <= last; ++dim) {
    if (source.isDynamicDim(dim)) {
      dynamic.push_back(memref::DimOp::create(b, loc, operand, dim));
      sizes.push_back(dynamic.back());
    } else {
      sizes.push_back(b.getIndexAttr(source.getDimSize(dim)));
    }
    if (dim != last)
      total = total * IndexValue(at, sizes.back());
  }
  Value buffer =
      memref::AllocOp::create(b, loc, type, dynamic, b.getI64IntegerAttr(256));
  constexpr int64_t kPerBlock = kThreads * kWords;
  createLaunch(b, loc, function,
               ((total + (kPerBlock - 1)) / kPerBlock).get(at),
               {operand, buffer});
  SmallVector<OpFoldResult> zeros(last + 1, b.getIndexAttr(0)),
      ones(last + 1, b.getIndexAttr(1));
  return memref::SubViewOp::create(
      b, loc, cast<MemRefType>(padded.kernel.operandTypes[number]), buffer,
      zeros, sizes, ones);
}
