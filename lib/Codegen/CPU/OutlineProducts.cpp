//===- OutlineProducts.cpp - products of unknown rows become functions ----===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/CPU/Passes.h"

#include "Outline.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Transforms/RegionUtils.h"

namespace mlir::amp {
#define GEN_PASS_DEF_AMPCPUOUTLINEPRODUCTSPASS
#include "amp/Codegen/CPU/Passes.h.inc"
} // namespace mlir::amp

using namespace mlir;
using namespace mlir::amp;

/// Whether the buffer that `tensor` becomes has no gaps between its elements.
/// Where that cannot be seen the answer is no.
static bool isContiguous(Value tensor) {
  while (true) {
    Operation *op = tensor.getDefiningOp();
    if (!op) {
      auto argument = cast<BlockArgument>(tensor);
      Operation *parent = argument.getOwner()->getParentOp();
      // Functions take and return the identity layout.
      auto loop = dyn_cast<scf::ForOp>(parent);
      if (!loop)
        return isa<FunctionOpInterface>(parent) &&
               argument.getOwner()->isEntryBlock();
      tensor = loop.getTiedLoopInit(argument)->get();
      continue;
    }
    auto result = cast<OpResult>(tensor);
    if (auto loop = dyn_cast<scf::ForOp>(op))
      tensor = loop.getInitArgs()[result.getResultNumber()];
    else if (auto destination = dyn_cast<DestinationStyleOpInterface>(op))
      tensor = destination.getTiedOpOperand(result)->get();
    else if (isa<tensor::CastOp, tensor::CollapseShapeOp,
                 tensor::ExpandShapeOp>(op))
      tensor = op->getOperand(0);
    else if (auto read = dyn_cast<bufferization::ToTensorOp>(op))
      return cast<MemRefType>(read.getBuffer().getType())
          .getLayout()
          .isIdentity();
    else
      return isa<tensor::EmptyOp, bufferization::AllocTensorOp>(op) ||
             op->hasTrait<OpTrait::ConstantLike>();
  }
}

/// Moves `branch` into a function of what it captures, unless `functions` has
/// it, and calls that; false if there was one, or it has to stay.
static bool outline(scf::IfOp branch, SymbolTable &symbols,
                    cpu::OutlinedFunctions &functions, unsigned number) {
  branch->removeAttr(cpu::kOutlineAttrName);
  llvm::SetVector<Value> captured;
  captured.insert(branch.getCondition());
  getUsedValuesDefinedAbove(branch->getRegions(), captured);
  auto isTensor = [](Value value) { return isa<TensorType>(value.getType()); };
  if (llvm::any_of(captured, [&](Value value) {
        return isTensor(value) && (!isa<RankedTensorType>(value.getType()) ||
                                   !isContiguous(value));
      }))
    return false;

  Location loc = branch.getLoc();
  OpBuilder b(branch);
  SmallVector<Value> operands;
  SmallVector<Operation *> constants;
  SmallVector<Value> kept;
  for (Value value : captured) {
    Operation *op = value.getDefiningOp();
    if (op && op->hasTrait<OpTrait::ConstantLike>() && !isTensor(value)) {
      constants.push_back(op);
      continue;
    }
    kept.push_back(value);
    if (auto type = dyn_cast<RankedTensorType>(value.getType()))
      value = bufferization::ToBufferOp::create(
          b, loc, MemRefType::get(type.getShape(), type.getElementType()),
          value, /*read_only=*/true);
    operands.push_back(value);
  }
  auto parent = branch->getParentOfType<func::FuncOp>();
  auto function = func::FuncOp::create(
      b, loc, (parent.getName() + "_product_" + Twine(number)).str(),
      b.getFunctionType(llvm::to_vector(ValueRange(operands).getTypes()), {}));
  function->remove();
  function.setPrivate();
  symbols.insert(function, std::next(Block::iterator(parent)));
  auto call = func::CallOp::create(b, loc, function, operands);

  Block *body = function.addEntryBlock();
  b.setInsertionPointToStart(body);
  IRMapping mapping;
  for (Operation *op : constants)
    b.clone(*op, mapping);
  for (auto [value, argument] : llvm::zip_equal(kept, body->getArguments())) {
    Value inside = argument;
    if (isTensor(value))
      inside = bufferization::ToTensorOp::create(b, loc, value.getType(),
                                                 argument, /*restrict=*/true);
    mapping.map(value, inside);
  }
  b.clone(*branch, mapping);
  func::ReturnOp::create(b, loc);
  branch->erase();
  func::FuncOp other = functions.findOrAdd(function);
  if (!other)
    return true;
  call.setCallee(other.getName());
  symbols.erase(function);
  return false;
}

namespace {
struct OutlineProducts
    : public amp::impl::AmpCPUOutlineProductsPassBase<OutlineProducts> {
  using Base::Base;

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    cpu::OutlinedFunctions functions;
    for (auto function :
         llvm::to_vector(getOperation().getOps<func::FuncOp>())) {
      SmallVector<scf::IfOp> branches;
      function->walk([&](scf::IfOp branch) {
        if (branch->hasAttr(cpu::kOutlineAttrName))
          branches.push_back(branch);
      });
      for (auto [number, branch] : llvm::enumerate(branches))
        if (outline(branch, symbols, functions, number))
          ++numOutlined;
    }
  }
};
} // namespace
