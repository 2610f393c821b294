//===- MmaOps.cpp - tensor core and copy instructions ---------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MmaOps.h"
#include "amp/Codegen/GPU/Schedule.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::amp;

void amp::gpu::registerInstructionDialects(DialectRegistry &registry) {
  registry.insert<LLVM::LLVMDialect, NVVM::NVVMDialect>();
}

Value amp::gpu::emitPointer(OpBuilder &b, Location loc, Value memref,
                            unsigned space) {
  Value address =
      memref::ExtractAlignedPointerAsIndexOp::create(b, loc, memref);
  address = arith::IndexCastOp::create(b, loc, b.getI64Type(), address);
  return LLVM::IntToPtrOp::create(
      b, loc, LLVM::LLVMPointerType::get(b.getContext(), space), address);
}

Value amp::gpu::emitPointerAdd(OpBuilder &b, Location loc, Value pointer,
                               Value bytes) {
  Value offset = arith::IndexCastOp::create(b, loc, b.getI64Type(), bytes);
  return LLVM::GEPOp::create(b, loc, pointer.getType(), b.getI8Type(), pointer,
                             ArrayRef<LLVM::GEPArg>{offset});
}

static SmallVector<Value> unpack(OpBuilder &b, Location loc, Value aggregate,
                                 unsigned count) {
  SmallVector<Value> parts;
  for (int64_t i = 0; i < count; ++i)
    parts.push_back(LLVM::ExtractValueOp::create(b, loc, aggregate, i));
  return parts;
}

static Type getStructOf(Type element, unsigned count) {
  return LLVM::LLVMStructType::getLiteral(element.getContext(),
                                          SmallVector<Type>(count, element));
}

SmallVector<Value> amp::gpu::emitLdMatrix(OpBuilder &b, Location loc,
                                          Value pointer, bool transposed) {
  MLIRContext *context = b.getContext();
  Value all = NVVM::LdMatrixOp::create(
      b, loc, getStructOf(b.getI32Type(), 4), pointer, /*num=*/4,
      transposed ? NVVM::MMALayout::col : NVVM::MMALayout::row,
      NVVM::LdStMatrixShapeAttr::get(context, 8, 8),
      NVVM::LdStMatrixEltType::B16);
  return unpack(b, loc, all, 4);
}

SmallVector<Value> amp::gpu::emitMma(OpBuilder &b, Location loc, MmaKind kind,
                                     ValueRange a, ValueRange bOperand,
                                     ValueRange c) {
  // Only f16 operands are typed; others are plain registers.
  auto prepare = [&](ValueRange registers) {
    SmallVector<Value> result(registers);
    if (kind.element == MmaKind::F16)
      for (Value &value : result)
        value = LLVM::BitcastOp::create(
            b, loc, VectorType::get({2}, b.getF16Type()), value);
    return result;
  };
  NVVM::MMATypes typeA, typeB;
  int64_t k;
  std::optional<NVVM::MMAIntOverflow> overflow;
  switch (kind.element) {
  case MmaKind::F16:
    typeA = typeB = NVVM::MMATypes::f16;
    k = 16;
    break;
  case MmaKind::BF16:
    typeA = typeB = NVVM::MMATypes::bf16;
    k = 16;
    break;
  case MmaKind::TF32:
    typeA = typeB = NVVM::MMATypes::tf32;
    k = 8;
    break;
  case MmaKind::I8:
    typeA = kind.isSignedA ? NVVM::MMATypes::s8 : NVVM::MMATypes::u8;
    typeB = kind.isSignedB ? NVVM::MMATypes::s8 : NVVM::MMATypes::u8;
    k = 32;
    // As linalg's addition does.
    overflow = NVVM::MMAIntOverflow::wrapped;
    break;
  }
  Value all =
      NVVM::MmaOp::create(b, loc, getStructOf(c[0].getType(), 4), prepare(a),
                          prepare(bOperand), c, {16, 8, k}, std::nullopt,
                          overflow, std::array<NVVM::MMATypes, 2>{typeA, typeB},
                          std::array<NVVM::MMALayout, 2>{NVVM::MMALayout::row,
                                                         NVVM::MMALayout::col});
  return unpack(b, loc, all, 4);
}

Value amp::gpu::emitRoundToTF32(OpBuilder &b, Location loc, Value value) {
  Value number = arith::BitcastOp::create(b, loc, b.getF32Type(), value);
  return NVVM::ConvertFloatToTF32Op::create(b, loc, b.getI32Type(), number,
                                            NVVM::FPRoundingMode::RNA);
}

void amp::gpu::emitCopyAsync(OpBuilder &b, Location loc, Value destination,
                             Value source, Value bytes) {
  NVVM::CpAsyncOp::create(b, loc, destination, source, 16,
                          NVVM::LoadCacheModifierKind::CG, bytes);
}

void amp::gpu::emitCopyCommit(OpBuilder &b, Location loc) {
  NVVM::CpAsyncCommitGroupOp::create(b, loc);
}

void amp::gpu::emitCopyWait(OpBuilder &b, Location loc, unsigned pending) {
  NVVM::CpAsyncWaitGroupOp::create(b, loc, pending);
}

void amp::gpu::emitWarpBarrier(OpBuilder &b, Location loc) {
  Value all = arith::ConstantIntOp::create(b, loc, b.getI32Type(), -1);
  NVVM::SyncWarpOp::create(b, loc, all);
}

void mlir::amp::gpu::emitGridWait(OpBuilder &b, Location loc) {
  NVVM::GriddepcontrolOp::create(b, loc, NVVM::GridDepActionKind::wait);
}

bool mlir::amp::gpu::hasGridWait(Operation *kernel) {
  return kernel
      ->walk([](NVVM::GriddepcontrolOp op) {
        return op.getKind() == NVVM::GridDepActionKind::wait
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

void mlir::amp::gpu::emitGridTrigger(OpBuilder &b, Location loc) {
  NVVM::GriddepcontrolOp::create(b, loc,
                                 NVVM::GridDepActionKind::launch_dependents);
}
