//===- OutlineBufferOps.cpp - kernels of ops on buffers -------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OutlineBufferOps.h"

#include "amp/Dialect/AMP/IR/AMP.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::amp;

static bool isOnDevice(Type type) {
  auto buffer = dyn_cast<MemRefType>(type);
  if (!buffer)
    return false;
  auto space =
      dyn_cast_or_null<::mlir::gpu::AddressSpaceAttr>(buffer.getMemorySpace());
  return space && space.getValue() == ::mlir::gpu::AddressSpace::Global;
}

static LogicalResult outline(linalg::LinalgOp op, ModuleOp kernels,
                             SymbolTable &symbols) {
  for (OpOperand &init : op.getDpsInitsMutable())
    if (op.payloadUsesValueFromOperand(&init) && op.getNumReductionLoops() == 0)
      return op->emitOpError("on device buffers reads operand ")
             << init.getOperandNumber()
             << ", which it writes; expected another buffer for the result";
  // What the body takes from around it becomes an input, a scalar.
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  SmallVector<Value> inputs(op.getDpsInputs());
  SmallVector<Value> outputs(op.getDpsInits());
  for (Value value : captured) {
    if (isa<ShapedType>(value.getType()))
      return op->emitOpError("on device buffers has a body that reads a "
                             "buffer; expected it to be an operand");
    inputs.push_back(value);
  }
  auto asTensor = [](Value value) -> Type {
    if (auto buffer = dyn_cast<MemRefType>(value.getType()))
      return RankedTensorType::get(buffer.getShape(), buffer.getElementType());
    return value.getType();
  };
  // A reduction starts from what its buffer holds: one more input.
  SmallVector<Value> starts;
  for (OpOperand &init : op.getDpsInitsMutable())
    if (op.payloadUsesValueFromOperand(&init))
      starts.push_back(init.get());
  llvm::append_range(inputs, starts);
  SmallVector<Type> types, results;
  for (Value input : inputs)
    types.push_back(asTensor(input));
  for (Value output : outputs) {
    types.push_back(asTensor(output));
    results.push_back(asTensor(output));
  }
  OpBuilder b = OpBuilder::atBlockEnd(kernels.getBody());
  Location loc = op.getLoc();
  auto host = op->getParentOfType<func::FuncOp>();
  auto function = func::FuncOp::create(
      b, loc, (host ? host.getName() : "host").str() + "_buffer",
      b.getFunctionType(types, results));
  function->setAttr(AMPDialect::kKernelAttrName, b.getUnitAttr());
  symbols.insert(function);
  Block *block = function.addEntryBlock();
  for (size_t i = 0; i < outputs.size(); ++i)
    function.setArgAttr(inputs.size() + i, AMPDialect::kDestinationAttrName,
                        b.getI64IntegerAttr(i));
  b.setInsertionPointToStart(block);
  IRMapping mapping;
  SmallVector<Value> newOperands;
  size_t numInputs = op.getNumDpsInputs();
  for (size_t i = 0; i < numInputs; ++i)
    newOperands.push_back(block->getArgument(i));
  for (auto [i, value] : llvm::enumerate(captured))
    mapping.map(value, block->getArgument(numInputs + i));
  size_t nextStart = numInputs + captured.size();
  for (auto [i, init] : llvm::enumerate(op.getDpsInitsMutable()))
    newOperands.push_back(block->getArgument(
        op.payloadUsesValueFromOperand(&init) ? nextStart++
                                              : inputs.size() + i));
  Operation *copy = cloneWithoutRegions(b, op, results, newOperands);
  for (auto [from, to] : llvm::zip_equal(op->getRegions(), copy->getRegions()))
    from.cloneInto(&to, mapping);
  func::ReturnOp::create(b, loc, copy->getResults());

  b.setInsertionPoint(op);
  auto name =
      SymbolRefAttr::get(kernels.getSymNameAttr(),
                         {FlatSymbolRefAttr::get(function.getSymNameAttr())});
  LaunchOp::create(b, loc, TypeRange{}, name, inputs, outputs);
  op->erase();
  return success();
}

LogicalResult amp::gpu::outlineBufferOps(ModuleOp module) {
  SmallVector<linalg::LinalgOp> ops;
  module.walk([&](Operation *op) {
    if (op->hasAttr(AMPDialect::kKernelAttrName))
      return WalkResult::skip();
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
        linalgOp && llvm::any_of(op->getOperandTypes(), isOnDevice))
      ops.push_back(linalgOp);
    return WalkResult::advance();
  });
  if (ops.empty())
    return success();
  OpBuilder b = OpBuilder::atBlockEnd(module.getBody());
  SymbolTable moduleSymbols(module);
  auto kernels = ModuleOp::create(b, module.getLoc(), "buffer_kernels");
  moduleSymbols.insert(kernels);
  SymbolTable symbols(kernels);
  for (linalg::LinalgOp op : ops)
    if (failed(outline(op, kernels, symbols)))
      return failure();
  return success();
}
