//===- Collapse.cpp - fewer dimensions for elementwise kernels ------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Collapse.h"

#include "Index.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::amp::gpu;

/// The loops of the dimensions of an operand with `map`; false if they are not
/// some of the loops in their order.
static bool getLoops(AffineMap map, SmallVectorImpl<unsigned> &loops) {
  for (AffineExpr expr : map.getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim || (!loops.empty() && dim.getPosition() <= loops.back()))
      return false;
    loops.push_back(dim.getPosition());
  }
  return true;
}

/// Whether the dimensions `dim` and `dim + 1` of a buffer are one.
static bool isContiguous(MemRefType type, unsigned dim) {
  if (type.getLayout().isIdentity())
    return true;
  auto [strides, offset] = type.getStridesAndOffset();
  return !ShapedType::isDynamic(strides[dim]) &&
         !ShapedType::isDynamic(strides[dim + 1]) &&
         !type.isDynamicDim(dim + 1) &&
         strides[dim] == strides[dim + 1] * type.getDimSize(dim + 1);
}

bool Collapsed::analyze(const Kernel &kernel) {
  func::FuncOp source = kernel.function;
  Block &body = source.getBody().front();
  unsigned rank =
      cast<RankedTensorType>(source.getResultTypes().front()).getRank();
  if (rank < 2)
    return false;
  llvm::MapVector<Value, SmallVector<unsigned>> loopsOf;
  auto note = [&](Value tensor, AffineMap map) {
    SmallVector<unsigned> loops;
    if (!getLoops(map, loops))
      return false;
    auto [it, isNew] = loopsOf.try_emplace(tensor, loops);
    return isNew || it->second == loops;
  };
  for (Operation &op : body.without_terminator()) {
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
      for (Operation &nested : *linalgOp.getBlock())
        if (isa<linalg::IndexOp, tensor::ExtractOp, tensor::DimOp>(nested))
          return false;
      for (OpOperand &init : linalgOp.getDpsInitsMutable())
        if (AffineMap map = linalgOp.getMatchingIndexingMap(&init);
            !map.isIdentity() || map.getNumDims() != rank)
          return false;
      for (OpOperand &operand : op.getOpOperands())
        if (isa<RankedTensorType>(operand.get().getType()) &&
            !note(operand.get(), linalgOp.getMatchingIndexingMap(&operand)))
          return false;
      continue;
    }
    bool onlyForSizes = isa<tensor::DimOp>(op) &&
                        llvm::all_of(op.getUsers(), [](Operation *user) {
                          return isa<tensor::EmptyOp>(user);
                        });
    auto isTensor = [](Type type) { return isa<TensorType>(type); };
    if (!isa<tensor::EmptyOp>(op) && !onlyForSizes &&
        (llvm::any_of(op.getResultTypes(), isTensor) ||
         llvm::any_of(op.getOperandTypes(), isTensor)))
      return false;
  }
  AffineMap identity =
      AffineMap::getMultiDimIdentityMap(rank, source.getContext());
  for (Value result : body.getTerminator()->getOperands())
    if (!note(result, identity))
      return false;
  for (unsigned i = kernel.getNumInputs(); i < source.getNumArguments(); ++i)
    if (!note(source.getArgument(i), identity))
      return false;

  llvm::SmallBitVector splits(rank, false);
  for (auto &[tensor, loops] : loopsOf) {
    llvm::SmallBitVector has(rank, false);
    for (unsigned loop : loops)
      has.set(loop);
    for (unsigned loop = 0; loop + 1 < rank; ++loop)
      if (has.test(loop) != has.test(loop + 1))
        splits.set(loop);
  }
  loopsOfOperand.resize(source.getNumArguments());
  for (BlockArgument argument : source.getArguments()) {
    auto it = loopsOf.find(argument);
    if (it == loopsOf.end())
      continue;
    unsigned number = argument.getArgNumber();
    loopsOfOperand[number] = it->second;
    for (unsigned dim = 0; dim + 1 < it->second.size(); ++dim)
      if (!isContiguous(kernel.getBufferType(number), dim))
        splits.set(it->second[dim]);
  }
  for (unsigned loop = 0; loop < rank; ++loop) {
    if (loop == 0 || splits.test(loop - 1))
      groups.emplace_back();
    groups.back().push_back(loop);
  }
  return groups.size() < rank;
}

/// Which of `groups` a tensor with the dimensions `loops` has, each as numbers
/// of its dimensions.
static SmallVector<std::pair<unsigned, ReassociationIndices>>
getGroups(ArrayRef<SmallVector<int64_t>> groups, ArrayRef<unsigned> loops) {
  SmallVector<std::pair<unsigned, ReassociationIndices>> result;
  for (auto [number, group] : llvm::enumerate(groups)) {
    ReassociationIndices dims;
    for (auto [dim, loop] : llvm::enumerate(loops))
      if (llvm::is_contained(group, loop))
        dims.push_back(dim);
    if (!dims.empty())
      result.push_back({static_cast<unsigned>(number), dims});
  }
  return result;
}

static SmallVector<ReassociationIndices>
getReassociation(ArrayRef<SmallVector<int64_t>> groups,
                 ArrayRef<unsigned> loops) {
  return llvm::map_to_vector(getGroups(groups, loops),
                             [](const auto &group) { return group.second; });
}

static RankedTensorType collapseType(RankedTensorType type,
                                     ArrayRef<ReassociationIndices> groups) {
  SmallVector<int64_t> shape;
  for (const ReassociationIndices &group : groups) {
    int64_t size = 1;
    for (int64_t dim : group)
      size = ShapedType::isDynamic(size) || type.isDynamicDim(dim)
                 ? ShapedType::kDynamic
                 : size * type.getDimSize(dim);
    shape.push_back(size);
  }
  return type.clone(shape);
}

void Collapsed::rebuild(const Kernel &kernel) {
  func::FuncOp source = kernel.function;
  MLIRContext *context = source.getContext();
  SmallVector<unsigned> all =
      llvm::to_vector(llvm::seq<unsigned>(0, groups.back().back() + 1));
  auto collapsed = [&](Type type, ArrayRef<unsigned> loops) -> Type {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || loops.empty())
      return type;
    return collapseType(tensor, getReassociation(groups, loops));
  };
  SmallVector<Type> argumentTypes, resultTypes;
  for (auto [number, type] : llvm::enumerate(source.getArgumentTypes())) {
    ArrayRef<unsigned> loops = loopsOfOperand[number];
    argumentTypes.push_back(collapsed(type, loops));
    if (loops.empty())
      continue;
    narrow.operandTypes[number] = memref::CollapseShapeOp::computeCollapsedType(
        kernel.getBufferType(number), getReassociation(groups, loops));
  }
  for (Type type : source.getResultTypes())
    resultTypes.push_back(collapsed(type, all));
  function = func::FuncOp::create(
      source.getLoc(), source.getName(),
      FunctionType::get(context, argumentTypes, resultTypes));
  narrow.function = function.get();

  Block *block = narrow.function.addEntryBlock();
  OpBuilder b = OpBuilder::atBlockBegin(block);
  IRMapping mapping;
  mapping.map(source.getArguments(), block->getArguments());
  auto convertMap = [&](AffineMap map) {
    SmallVector<unsigned> loops;
    getLoops(map, loops);
    SmallVector<AffineExpr> exprs;
    for (const auto &group : getGroups(groups, loops))
      exprs.push_back(b.getAffineDimExpr(group.first));
    return AffineMap::get(groups.size(), 0, exprs, context);
  };
  for (Operation &op : source.getBody().front().without_terminator()) {
    Location loc = op.getLoc();
    if (isa<tensor::DimOp>(op))
      continue;
    if (auto empty = dyn_cast<tensor::EmptyOp>(op)) {
      // Only its type matters.
      auto type = cast<RankedTensorType>(collapsed(empty.getType(), all));
      SmallVector<Value> sizes;
      for (size_t i = type.getNumDynamicDims(); i > 0; --i)
        sizes.push_back(arith::ConstantIndexOp::create(b, loc, 0));
      mapping.map(empty.getResult(),
                  tensor::EmptyOp::create(b, loc, type, sizes));
      continue;
    }
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    if (!linalgOp) {
      b.clone(op, mapping);
      continue;
    }
    SmallVector<Value> inputs, outputs;
    for (Value input : linalgOp.getDpsInputs())
      inputs.push_back(mapping.lookup(input));
    for (Value output : linalgOp.getDpsInits())
      outputs.push_back(mapping.lookup(output));
    SmallVector<utils::IteratorType> kinds(groups.size(),
                                           utils::IteratorType::parallel);
    auto generic = linalg::GenericOp::create(
        b, loc, TypeRange(outputs), inputs, outputs,
        llvm::map_to_vector(linalgOp.getIndexingMapsArray(), convertMap),
        kinds);
    IRMapping bodyMapping(mapping);
    op.getRegion(0).cloneInto(&generic.getRegion(), bodyMapping);
    mapping.map(op.getResults(), generic.getResults());
  }
  SmallVector<Value> results;
  Operation *terminator = source.getBody().front().getTerminator();
  for (Value result : terminator->getOperands())
    results.push_back(mapping.lookup(result));
  func::ReturnOp::create(b, terminator->getLoc(), results);
}

Collapsed::Collapsed(const Kernel &kernel) : narrow(kernel) {
  if (analyze(kernel))
    rebuild(kernel);
}

SmallVector<Value> Collapsed::collapse(OpBuilder &b, Location loc,
                                       ValueRange operands) const {
  SmallVector<Value> result(operands);
  if (!function)
    return result;
  for (auto [number, operand] : llvm::enumerate(result))
    if (!loopsOfOperand[number].empty() &&
        operand.getType() != narrow.operandTypes[number])
      operand = memref::CollapseShapeOp::create(
          b, loc, operand, getReassociation(groups, loopsOfOperand[number]));
  return result;
}

SmallVector<OpFoldResult>
Collapsed::collapseSizes(OpBuilder &b, Location loc,
                         ArrayRef<OpFoldResult> sizes) const {
  if (!function)
    return SmallVector<OpFoldResult>(sizes);
  SmallVector<OpFoldResult> result;
  for (const SmallVector<int64_t> &group : groups) {
    std::optional<int64_t> known = 1;
    Value size;
    for (int64_t loop : group) {
      std::optional<int64_t> factor = getConstantIntValue(sizes[loop]);
      known = known && factor ? std::optional<int64_t>(*known * *factor)
                              : std::nullopt;
      Value next = getValueOrCreateConstantIndexOp(b, loc, sizes[loop]);
      size = size ? b.createOrFold<arith::MulIOp>(loc, size, next) : next;
    }
    result.push_back(known ? OpFoldResult(b.getIndexAttr(*known))
                           : OpFoldResult(size));
  }
  return result;
}
