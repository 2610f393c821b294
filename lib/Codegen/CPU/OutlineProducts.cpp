//===- OutlineProducts.cpp - products become functions --------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/CPU/Passes.h"

#include "Outline.h"

#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
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

static bool isTensor(Value value) { return isa<TensorType>(value.getType()); }

static MemRefType getBufferType(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  return MemRefType::get(type.getShape(), type.getElementType());
}

/// What `op` uses of the code around it, but for the tensors that it writes to;
/// none if it cannot be a function: it is no loop and no branch without
/// results, or a tensor among that has to stay one.
static std::optional<SetVector<Value>> getCaptured(Operation *op) {
  auto loop = dyn_cast<scf::ForOp>(op);
  if (!loop && (!isa<scf::IfOp>(op) || op->getNumResults() != 0))
    return std::nullopt;
  SetVector<Value> captured;
  captured.insert_range(
      op->getOperands().drop_back(loop ? loop.getInitArgs().size() : 0));
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  bool mayBeBuffers = llvm::all_of(captured, [](Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    return !isTensor(value) ||
           (type && !type.getEncoding() && isContiguous(value));
  });
  if (loop)
    mayBeBuffers &= llvm::all_of(loop.getInitArgs(), [](Value init) {
      auto empty = init.getDefiningOp<tensor::EmptyOp>();
      return empty && !empty.getType().getEncoding();
    });
  if (!mayBeBuffers)
    return std::nullopt;
  return captured;
}

/// Moves `op` into a function of what it captures and of the buffers of its
/// results, unless `functions` has it, and calls that; false if there was one,
/// or it has to stay.
static bool outline(Operation *op, cpu::OutlinedFunctions &functions,
                    unsigned number) {
  op->removeAttr(cpu::kOutlineAttrName);
  std::optional<SetVector<Value>> captured = getCaptured(op);
  if (!captured)
    return false;
  Location loc = op->getLoc();
  OpBuilder b(op);
  SmallVector<Value> operands, kept;
  SetVector<Operation *> copied;
  for (size_t at = 0; at < captured->size(); ++at) {
    Value value = (*captured)[at];
    Operation *maker = value.getDefiningOp();
    if (maker && cpu::isOutlinedToo(maker) && !isTensor(value)) {
      copied.insert(maker);
      captured->insert_range(maker->getOperands());
      continue;
    }
    kept.push_back(value);
    operands.push_back(isTensor(value) ? bufferization::ToBufferOp::create(
                                             b, loc, getBufferType(value),
                                             value, /*read_only=*/true)
                                       : value);
  }
  // Where there are results, `op` is a loop.
  OperandRange inits = op->getOperands().take_back(op->getNumResults());
  for (Value init : inits)
    operands.push_back(bufferization::ToBufferOp::create(
        b, loc, getBufferType(init),
        bufferization::AllocTensorOp::create(
            b, loc, cast<RankedTensorType>(init.getType()),
            init.getDefiningOp<tensor::EmptyOp>().getDynamicSizes())));

  func::FuncOp function = functions.create(b, op, "product", number,
                                           ValueRange(operands).getTypes());
  if (!inits.empty())
    function->setAttr(cpu::kResultBuffersAttrName,
                      b.getI64IntegerAttr(inits.size()));
  auto call = func::CallOp::create(b, loc, function, operands);
  for (auto [result, buffer] : llvm::zip_equal(
           op->getResults(), ArrayRef(operands).take_back(inits.size())))
    result.replaceAllUsesWith(bufferization::ToTensorOp::create(
        b, loc, result.getType(), buffer, /*restrict=*/true,
        /*writable=*/true));

  Block *body = function.addEntryBlock();
  b.setInsertionPointToStart(body);
  IRMapping mapping;
  for (auto [value, argument] : llvm::zip(kept, body->getArguments()))
    mapping.map(value, isTensor(value) ? bufferization::ToTensorOp::create(
                                             b, loc, value.getType(), argument,
                                             /*restrict=*/true)
                                       : Value(argument));
  for (Operation *maker : topologicalSort(copied))
    b.clone(*maker, mapping);
  ArrayRef<BlockArgument> buffers =
      body->getArguments().take_back(inits.size());
  Operation *copy = b.clone(*op, mapping);
  for (auto [i, buffer] : llvm::enumerate(buffers)) {
    unsigned at = op->getNumOperands() - inits.size() + i;
    OpBuilder atCopy(copy);
    copy->setOperand(at, bufferization::ToTensorOp::create(
                             atCopy, loc, inits[i].getType(), buffer,
                             /*restrict=*/true, /*writable=*/true));
    bufferization::MaterializeInDestinationOp::create(
        b, loc, /*result=*/Type(), copy->getResult(i), buffer,
        /*restrict=*/true, /*writable=*/true);
  }
  func::ReturnOp::create(b, loc);
  op->erase();
  return functions.keep(function, call);
}

namespace {
struct OutlineProducts
    : public amp::impl::AmpCPUOutlineProductsPassBase<OutlineProducts> {
  using Base::Base;

  void runOnOperation() override {
    cpu::OutlinedFunctions functions(getOperation());
    for (auto function :
         llvm::to_vector(getOperation().getOps<func::FuncOp>())) {
      SmallVector<Operation *> products;
      function->walk([&](Operation *op) {
        if (op->hasAttr(cpu::kOutlineAttrName))
          products.push_back(op);
      });
      for (auto [number, op] : llvm::enumerate(products))
        if (outline(op, functions, number))
          ++numOutlined;
    }
  }
};
} // namespace
