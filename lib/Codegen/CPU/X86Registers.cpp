//===- X86Registers.cpp - vectors in registers of x86 ---------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "X86Registers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::amp;
using cpu::kLanes, cpu::MapFunction;

bool cpu::isRegisters(Type type, int64_t lanes) {
  auto vector = dyn_cast<VectorType>(type);
  return vector && !vector.isScalable() && vector.getRank() > 0 &&
         vector.getElementType().isF32() &&
         vector.getShape().back() % lanes == 0;
}

Value cpu::callIntrinsic(ImplicitLocOpBuilder &b, StringRef name, Type result,
                         ValueRange operands) {
  return LLVM::CallIntrinsicOp::create(b, result, b.getStringAttr(name),
                                       operands)
      .getResults();
}

Value cpu::getI32(ImplicitLocOpBuilder &b, int32_t value) {
  return arith::ConstantOp::create(b, b.getI32IntegerAttr(value));
}

Value cpu::getAllLanes(ImplicitLocOpBuilder &b) {
  return arith::ConstantOp::create(
      b, b.getIntegerAttr(b.getIntegerType(kLanes), -1));
}

Value cpu::emitReduce(ImplicitLocOpBuilder &b, Value x, int32_t bits,
                      int32_t rounding) {
  Value zero =
      arith::ConstantOp::create(b, cast<TypedAttr>(b.getZeroAttr(x.getType())));
  return callIntrinsic(
      b, "llvm.x86.avx512.mask.reduce.ps.512", x.getType(),
      {x, getI32(b, bits << 4 | rounding), zero, getAllLanes(b), getI32(b, 4)});
}

/// `map` of each of `parts`, one operation of four of them after the other: the
/// order stays, and schedulers that hold less than one chain have several
/// chains to take from. More would not fit the registers.
static SmallVector<Value> mapInTurns(ImplicitLocOpBuilder &b,
                                     ArrayRef<SmallVector<Value>> parts,
                                     MapFunction map) {
  constexpr size_t kTurns = 4;
  SmallVector<Value> results;
  while (!parts.empty()) {
    SmallVector<SmallVector<Operation *>> chains;
    for (ArrayRef<Value> part : parts.take_front(kTurns)) {
      Block::iterator before = std::prev(b.getInsertionPoint());
      results.push_back(map(part));
      chains.emplace_back(llvm::make_pointer_range(
          llvm::make_range(std::next(before), b.getInsertionPoint())));
      assert(chains.back().size() == chains.front().size() && "parts differ");
    }
    for (size_t step = 0, e = chains.front().size(); step < e; ++step) {
      for (ArrayRef<Operation *> chain : chains) {
        chain[step]->remove();
        b.insert(chain[step]);
      }
    }
    parts = parts.drop_front(chains.size());
  }
  return results;
}

Value cpu::mapParts(ImplicitLocOpBuilder &b, VectorType result,
                    ValueRange operands, int64_t lanes, MapFunction map) {
  int64_t columns = result.getShape().back();
  if (result.getRank() == 1 && columns == lanes)
    return map(operands);
  Value whole =
      arith::ConstantOp::create(b, cast<TypedAttr>(b.getZeroAttr(result)));
  if (result.getRank() == 1) {
    SmallVector<SmallVector<Value>> parts;
    for (int64_t at = 0; at < columns; at += lanes) {
      parts.emplace_back();
      for (Value operand : operands)
        parts.back().push_back(
            vector::ExtractStridedSliceOp::create(b, operand, at, lanes, 1));
    }
    for (auto [i, part] : llvm::enumerate(mapInTurns(b, parts, map)))
      whole = vector::InsertStridedSliceOp::create(b, part, whole, i * lanes,
                                                   int64_t(1));
    return whole;
  }
  auto row = VectorType::get(columns, result.getElementType());
  ArrayRef<int64_t> outer = result.getShape().drop_back();
  SmallVector<int64_t> strides = computeStrides(outer);
  for (int64_t i = 0, e = computeProduct(outer); i < e; ++i) {
    SmallVector<int64_t> at = delinearize(i, strides);
    SmallVector<Value> rows;
    for (Value operand : operands)
      rows.push_back(vector::ExtractOp::create(b, operand, at));
    whole = vector::InsertOp::create(b, mapParts(b, row, rows, lanes, map),
                                     whole, at);
  }
  return whole;
}
