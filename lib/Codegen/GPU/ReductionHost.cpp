//===- ReductionHost.cpp - launches of reductions -------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReductionHost.h"

#include "amp/Codegen/GPU/ReductionLayout.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::amp;

static Value constant(OpBuilder &b, Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(b, loc, value);
}

Value amp::gpu::emitSize(OpBuilder &b, Location loc,
                         ArrayRef<ReductionAxis> axes, ValueRange operands) {
  Value size;
  for (const ReductionAxis &axis : axes) {
    Value own = constant(b, loc, axis.size);
    if (ShapedType::isDynamic(axis.size))
      own = memref::DimOp::create(b, loc, operands[axis.argument], axis.dim);
    size = size ? b.createOrFold<arith::MulIOp>(loc, size, own) : own;
  }
  return size ? size : constant(b, loc, 1);
}

Value amp::gpu::emitParts(OpBuilder &b, Location loc, Value blocks, Value size,
                          int64_t unit) {
  Value one = constant(b, loc, 1);
  Value some = b.createOrFold<arith::MaxSIOp>(loc, blocks, one);
  Value wanted = b.createOrFold<arith::CeilDivUIOp>(
      loc, constant(b, loc, kBusyBlocks), some);
  Value useful =
      b.createOrFold<arith::DivUIOp>(loc, size, constant(b, loc, unit));
  useful = b.createOrFold<arith::MaxSIOp>(loc, useful, one);
  Value parts = b.createOrFold<arith::MinSIOp>(loc, wanted, useful);
  return b.createOrFold<arith::MinSIOp>(loc, parts,
                                        constant(b, loc, kMaxParts));
}

/// A buffer of two dimensions for partial results of `type`.
static MemRefType getBufferType(Type type) {
  auto space = ::mlir::gpu::AddressSpaceAttr::get(
      type.getContext(), ::mlir::gpu::AddressSpace::Global);
  if (type.isIntOrFloat() && type.getIntOrFloatBitWidth() < 8)
    type = IntegerType::get(type.getContext(), 8);
  return MemRefType::get({ShapedType::kDynamic, ShapedType::kDynamic}, type,
                         MemRefLayoutAttrInterface(), space);
}

SmallVector<Type> amp::gpu::getWorkspaceTypes(ReductionAnalysis &analysis) {
  SmallVector<Type> types;
  for (KernelReduction &reduction : analysis.reductions)
    for (Type type : reduction.getPartialTypes())
      types.push_back(getBufferType(type));
  return types;
}

void amp::gpu::launchParts(OpBuilder &b, Location loc, const Kernel &kernel,
                           ReductionAnalysis &analysis,
                           ArrayRef<::mlir::gpu::GPUFuncOp> steps, Value blocks,
                           Value parts, ValueRange operands, ValueRange sizes) {
  SmallVector<Value> all(operands);
  for (Type type : getWorkspaceTypes(analysis))
    all.push_back(
        memref::AllocOp::create(b, loc, cast<MemRefType>(type), sizes));
  for (::mlir::gpu::GPUFuncOp step : steps.drop_back())
    createLaunch(b, loc, step, {blocks, parts}, all);
  func::FuncOp function = kernel.function;
  bool hasFull =
      llvm::any_of(function.getBody().front().getTerminator()->getOperands(),
                   [&](Value result) { return analysis.isReduced(result); });
  createLaunch(b, loc, steps.back(),
               {blocks, hasFull ? parts : constant(b, loc, 1)}, all);
}
