//===- AttentionGroups.cpp - attentions as kernels ------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionGroups.h"

#include "KernelOps.h"
#include "amp/Codegen/Common/Attention.h"
#include "amp/Dialect/AMP/IR/AMP.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::kernels;

/// The largest head, and what all are multiples of: rows of 16 bytes.
static constexpr int64_t kMaxHead = 256, kHeadUnit = 8;

/// Whether `op` gives elements of one input, in another order.
static bool isPermutation(linalg::GenericOp op) {
  return op && op.getNumDpsInputs() == 1 && op->getNumResults() == 1 &&
         op.getNumParallelLoops() == op.getNumLoops() &&
         llvm::all_of(op.getIndexingMapsArray(),
                      [](AffineMap map) { return map.isPermutation(); }) &&
         op.hasPureTensorSemantics();
}

/// Whether TMA cannot read what `value` is a part of, in rows along its last
/// dimension.
static bool isOddSlice(Value value) {
  auto slice = value.getDefiningOp<tensor::ExtractSliceOp>();
  if (!slice)
    return false;
  int64_t offset = slice.getStaticOffsets().back(),
          size = slice.getSourceType().getShape().back();
  return ShapedType::isDynamic(offset) || offset % kHeadUnit != 0 ||
         slice.getStaticStrides().back() != 1 || ShapedType::isDynamic(size) ||
         size % kHeadUnit != 0;
}

/// Adds the ops that only permute what `operand` reads to `moves`; gives what
/// they read.
static Value skipMoves(Value value, SmallVectorImpl<Operation *> &moves) {
  for (;;) {
    auto op = value.getDefiningOp<linalg::GenericOp>();
    if (!isPermutation(op) || !onlyMoves(op))
      return value;
    moves.push_back(op);
    value = op.getDpsInputs()[0];
  }
}

bool kernels::hasOneRow(const Attention &attention) {
  linalg::GenericOp product = attention.product;
  return product.getMatchingIndexingMap(attention.k)
      .isFunctionOfDim(attention.row);
}

unsigned kernels::countHeadLoops(const Attention &attention,
                                 linalg::GenericOp op, OpOperand *operand) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  return llvm::count_if(
      op.getMatchingIndexingMap(operand).getResults(), [&](AffineExpr expr) {
        unsigned loop = cast<AffineDimExpr>(expr).getPosition();
        int original = loop;
        if (op == attention.values)
          original = attention.valueLoops[loop];
        return sizes[loop] != 1 &&
               llvm::any_of(attention.outer, [&](unsigned outer) {
                 return static_cast<int>(outer) == original;
               });
      });
}

std::string kernels::checkAttention(const Attention &attention) {
  if (hasOneRow(attention))
    return "there is one query for each set of keys, of a number of heads that "
           "is not known";
  for (Operation *op : attention.ops)
    if (auto name =
            op->getAttrOfType<StringAttr>(AMPDialect::kScheduleAttrName);
        name && name.getValue().split(':').first != "attention")
      return "its ops ask for the schedule '" + name.getValue().str() + "'";
  linalg::GenericOp product = attention.product, values = attention.values;
  int64_t depth = product.getStaticLoopRanges()[attention.depth],
          column = values.getStaticLoopRanges()[attention.column];
  for (int64_t size : {depth, column}) {
    if (ShapedType::isDynamic(size))
      return "the size of a head is not known";
    if (size < 16 || size > kMaxHead || size % kHeadUnit != 0)
      return "heads of " + std::to_string(size) +
             " elements are no multiple of 8 from 16 to 256";
  }
  for (auto [op, operand] :
       {std::pair(product, attention.q), std::pair(product, attention.k),
        std::pair(values, attention.v)})
    if (countHeadLoops(attention, op, operand) > kMaxHeadLoops)
      return "an operand has more than three loops over batches and heads";
  for (OpOperand *operand : {attention.q, attention.k, attention.v}) {
    SmallVector<Operation *> moves;
    Value source = skipMoves(operand->get(), moves);
    if (isOddSlice(source))
      return "an operand is a slice that does not start at a multiple of 16 "
             "bytes";
    // Heads along memory, or the other dimension of the matrix.
    ArrayRef<int64_t> shape =
        cast<RankedTensorType>(source.getType()).getShape();
    if (ShapedType::isDynamic(shape.back()) || shape.back() % kHeadUnit != 0)
      return "rows of an operand are no multiple of 16 bytes";
  }
  return "";
}

/// Adds to `group` what `attention` needs beside its own ops.
static KernelGroup makeGroup(const Attention &attention) {
  KernelGroup group;
  group.kind = KernelKind::Attention;
  group.root = attention.values;
  llvm::SetVector<Operation *> members(attention.ops.begin(),
                                       attention.ops.end());
  llvm::SetVector<Operation *> copies;
  for (OpOperand *operand : {attention.q, attention.k, attention.v}) {
    SmallVector<Operation *> moves;
    (void)skipMoves(operand->get(), moves);
    copies.insert_range(moves);
  }
  // What is computed from indices alone, such as causal masks.
  for (Operation *op : attention.ops)
    for (Value operand : op->getOperands()) {
      auto mask = operand.getDefiningOp<linalg::GenericOp>();
      if (mask && !members.contains(mask) && mask.getNumDpsInputs() == 0 &&
          mask.getNumParallelLoops() == mask.getNumLoops())
        copies.insert(mask);
    }
  // The casts and permutations of the result.
  Operation *last = group.root;
  while (last->getResult(0).hasOneUse()) {
    Operation *user = *last->getResult(0).user_begin();
    auto next = dyn_cast<linalg::GenericOp>(user);
    if (user->getBlock() != last->getBlock() || !isPermutation(next) ||
        next.getDpsInputs()[0] != last->getResult(0) ||
        next.payloadUsesValueFromOperand(next.getDpsInitOperand(0)))
      break;
    members.insert(next);
    last = next;
  }
  members.insert_range(copies);
  group.copies = copies.takeVector();
  group.ops = members.takeVector();
  llvm::sort(group.ops,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return group;
}

FailureOr<std::vector<KernelGroup>>
kernels::findAttentions(Block &block,
                        const llvm::DenseSet<Operation *> &combined,
                        SmallVectorImpl<MissedFusion> &missed) {
  std::vector<KernelGroup> groups;
  llvm::DenseSet<Operation *> taken;
  for (auto op : block.getOps<linalg::GenericOp>()) {
    if (combined.contains(op))
      continue;
    std::string reason;
    FailureOr<Attention> attention = matchAttention(op, reason);
    if (succeeded(attention)) {
      reason = checkAttention(*attention);
      if (reason.empty() && llvm::any_of(attention->ops, [&](Operation *op) {
            return taken.contains(op);
          }))
        reason = "its scores are those of another attention";
    }
    if (!reason.empty()) {
      auto name = op->getAttrOfType<StringAttr>(AMPDialect::kScheduleAttrName);
      if (name && name.getValue().split(':').first == "attention")
        return op.emitError()
               << "'" << AMPDialect::kScheduleAttrName
               << "' asks for 'attention', which cannot take this because "
               << reason << "; remove the attribute to have a schedule chosen";
      Operation *producer = op;
      for (Value input : op.getDpsInputs())
        if (Operation *def = input.getDefiningOp())
          producer = def;
      missed.push_back({producer, op, "no attention: " + reason});
      continue;
    }
    if (failed(attention))
      continue;
    taken.insert_range(attention->ops);
    groups.push_back(makeGroup(*attention));
  }
  return groups;
}
