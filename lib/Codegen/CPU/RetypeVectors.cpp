//===- RetypeVectors.cpp - vectors that LLVM gets wrong -------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/CPU/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Iterators.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

namespace mlir::amp {
#define GEN_PASS_DEF_AMPCPURETYPEVECTORSPASS
#include "amp/Codegen/CPU/Passes.h.inc"
} // namespace mlir::amp

using namespace mlir;
using namespace mlir::amp;

/// The type with the same bits, if `type` is bf16 or a vector of it; else null.
static Type getRetyped(Type type) {
  if (!getElementTypeOrSelf(type).isBF16())
    return {};
  Type integer = IntegerType::get(type.getContext(), 16);
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector.clone(integer) : integer;
}

/// `value` as i16 or a vector of it, made before the op that `b` is at. No
/// pair of casts is left: LLVM would drop it by going back to bf16.
static Value asInteger(OpBuilder &b, Value value) {
  Type type = getRetyped(value.getType());
  if (auto cast = value.getDefiningOp<LLVM::BitcastOp>();
      cast && cast.getArg().getType() == type)
    return cast.getArg();
  return LLVM::BitcastOp::create(b, value.getLoc(), type, value);
}

/// The lane that alone is set in the constant `mask`; none where it is not
/// constant or another number of lanes is set.
static std::optional<int64_t> getLoneLane(Value mask) {
  DenseElementsAttr lanes;
  if (!matchPattern(mask, m_Constant(&lanes)))
    return std::nullopt;
  std::optional<int64_t> lone;
  for (auto [lane, isSet] : llvm::enumerate(lanes.getValues<bool>())) {
    if (isSet && lone)
      return std::nullopt;
    if (isSet)
      lone = lane;
  }
  return lone;
}

/// Stores the lane of `store` that alone is set as a scalar, where elements are
/// narrow: floats as the integers that they are, which LLVM goes back to.
static bool storeLoneLane(LLVM::MaskedStoreOp store) {
  auto type = cast<VectorType>(store.getValue().getType());
  std::optional<int64_t> lane = getLoneLane(store.getMask());
  if (!lane || !type.getElementType().isIntOrFloat() ||
      type.getElementTypeBitWidth() >= 32)
    return false;
  OpBuilder b(store);
  Location loc = store.getLoc();
  Value value = store.getValue();
  if (isa<FloatType>(type.getElementType())) {
    type = type.clone(b.getIntegerType(type.getElementTypeBitWidth()));
    value = LLVM::BitcastOp::create(b, loc, type, value);
  }
  Value index = LLVM::ConstantOp::create(b, loc, b.getI64IntegerAttr(*lane));
  Value element = LLVM::ExtractElementOp::create(b, loc, value, index);
  Value place = LLVM::GEPOp::create(b, loc, store.getData().getType(),
                                    type.getElementType(), store.getData(),
                                    ArrayRef<LLVM::GEPArg>{int32_t(*lane)});
  LLVM::StoreOp::create(b, loc, element, place,
                        *lane == 0 ? store.getAlignment() : 1);
  store.erase();
  return true;
}

/// Replaces what behind `b` takes `value`, which was of `type` and is of
/// integers now, by those as `type`.
static void castBack(OpBuilder &b, Value value, Type type) {
  auto back = LLVM::BitcastOp::create(b, value.getLoc(), type, value);
  value.replaceAllUsesExcept(back, back);
}

/// Makes the operands of `op` that are bf16, or vectors of it, integers, and
/// its result: those that move elements alone.
static bool retype(Operation *op) {
  OpBuilder b(op);
  if (auto cast = dyn_cast<LLVM::BitcastOp>(op)) {
    if (getRetyped(cast.getArg().getType()) != cast.getType())
      return false;
    auto inner = cast.getArg().getDefiningOp<LLVM::BitcastOp>();
    if (!inner || inner.getArg().getType() != cast.getType())
      return false;
    cast.replaceAllUsesWith(inner.getArg());
    return true;
  }
  if (!isa<LLVM::LoadOp, LLVM::StoreOp, LLVM::MaskedLoadOp, LLVM::MaskedStoreOp,
           LLVM::ShuffleVectorOp, LLVM::InsertElementOp, LLVM::ExtractElementOp,
           LLVM::SelectOp, LLVM::FreezeOp>(op))
    return false;
  Type type = op->getNumResults() ? op->getResult(0).getType() : Type();
  bool isRetyped = type && getRetyped(type);
  for (OpOperand &operand : op->getOpOperands())
    isRetyped |= bool(getRetyped(operand.get().getType()));
  if (!isRetyped)
    return false;
  for (OpOperand &operand : op->getOpOperands())
    if (getRetyped(operand.get().getType()))
      operand.set(asInteger(b, operand.get()));
  if (!type || !getRetyped(type))
    return true;
  op->getResult(0).setType(getRetyped(type));
  b.setInsertionPointAfter(op);
  castBack(b, op->getResult(0), type);
  return true;
}

/// Makes arguments of `block` that are bf16, or vectors of it, integers, where
/// all branches to it say what they pass. Returns how many.
static unsigned retypeArguments(Block &block) {
  SmallVector<std::pair<Operation *, MutableOperandRange>> branches;
  for (auto it = block.pred_begin(), e = block.pred_end(); it != e; ++it) {
    auto branch = dyn_cast<BranchOpInterface>((*it)->getTerminator());
    if (!branch)
      return 0;
    SuccessorOperands passed =
        branch.getSuccessorOperands(it.getSuccessorIndex());
    if (passed.getProducedOperandCount() != 0)
      return 0;
    branches.push_back({branch, passed.getMutableForwardedOperands()});
  }
  unsigned count = 0;
  for (BlockArgument argument : block.getArguments()) {
    Type type = argument.getType();
    if (!getRetyped(type) || block.isEntryBlock())
      continue;
    for (auto &[branch, passed] : branches) {
      OpBuilder b(branch);
      OpOperand &operand = passed[argument.getArgNumber()];
      operand.set(asInteger(b, operand.get()));
    }
    argument.setType(getRetyped(type));
    OpBuilder b = OpBuilder::atBlockBegin(&block);
    castBack(b, argument, type);
    ++count;
  }
  return count;
}

/// Takes `value`, bf16 that is an argument of the function or made by an op
/// which stays one of bf16, through memory to the blocks other than its own: as
/// an integer that no optimization takes for the cast that it is, which LLVM
/// would sink to those blocks.
static bool carryThroughMemory(Value value) {
  SmallVector<OpOperand *> uses;
  for (OpOperand &use : value.getUses())
    if (use.getOwner()->getBlock() != value.getParentBlock())
      uses.push_back(&use);
  if (uses.empty())
    return false;
  Location loc = value.getLoc();
  Block *block = value.getParentBlock();
  OpBuilder b = OpBuilder::atBlockBegin(&block->getParent()->front());
  Value one = LLVM::ConstantOp::create(b, loc, b.getI64IntegerAttr(1));
  Value place = LLVM::AllocaOp::create(
      b, loc, LLVM::LLVMPointerType::get(b.getContext()), b.getI16Type(), one);
  if (Operation *op = value.getDefiningOp())
    b.setInsertionPointAfter(op);
  else if (!block->isEntryBlock())
    b.setInsertionPointToStart(block);
  LLVM::StoreOp::create(b, loc, asInteger(b, value), place, /*alignment=*/2,
                        /*isVolatile=*/true);
  Value integer = LLVM::LoadOp::create(b, loc, b.getI16Type(), place,
                                       /*alignment=*/2, /*isVolatile=*/true);
  for (OpOperand *use : uses) {
    b.setInsertionPoint(use->getOwner());
    use->set(LLVM::BitcastOp::create(b, loc, value.getType(), integer));
  }
  return true;
}

/// Whether `shuffle` makes 64 bytes of those of one vector, some of them
/// several times in a row, but not the same everywhere.
static bool repeatsBytes(LLVM::ShuffleVectorOp shuffle) {
  auto type = cast<VectorType>(shuffle.getType());
  ArrayRef<int32_t> mask = shuffle.getMask();
  if (!type.getElementType().isInteger(8) || mask.size() != 64)
    return false;
  int64_t count = cast<VectorType>(shuffle.getV1().getType()).getNumElements();
  SmallVector<int64_t> lanes;
  for (int32_t lane : mask) {
    if (lane >= count && shuffle.getV1() != shuffle.getV2())
      return false;
    lanes.push_back(lane % count);
  }
  return !llvm::all_equal(lanes) &&
         std::adjacent_find(lanes.begin(), lanes.end()) != lanes.end();
}

static constexpr StringLiteral kFence = "llvm.arithmetic.fence";

/// `bytes` behind a fence, which takes nothing but floats; made before the op
/// that `b` is at.
static Value createFence(OpBuilder &b, Location loc, Value bytes) {
  auto type = cast<VectorType>(bytes.getType());
  auto floats = VectorType::get({type.getNumElements() / 4}, b.getF32Type());
  Value wide = LLVM::BitcastOp::create(b, loc, floats, bytes);
  auto fence = LLVM::CallIntrinsicOp::create(b, loc, floats,
                                             b.getStringAttr(kFence), wide);
  return LLVM::BitcastOp::create(b, loc, type, fence.getResults());
}

static bool isFence(Operation *op) {
  auto call = dyn_cast_or_null<LLVM::CallIntrinsicOp>(op);
  return call && call.getIntrin() == kFence;
}

/// Whether there is a fence between `value` and whatever makes it.
static bool isFenced(Value value) {
  auto cast = value.getDefiningOp<LLVM::BitcastOp>();
  return cast && isFence(cast.getArg().getDefiningOp());
}

/// Keeps ops on either side of a shuffle that repeats bytes where they are.
static bool fence(LLVM::ShuffleVectorOp shuffle) {
  if (!repeatsBytes(shuffle) ||
      llvm::any_of(shuffle->getUsers(), [](Operation *user) {
        auto cast = dyn_cast<LLVM::BitcastOp>(user);
        return cast && llvm::any_of(cast->getUsers(), isFence);
      }))
    return false;
  OpBuilder b(shuffle);
  Value source = shuffle.getV1();
  if (!isFenced(source) &&
      !isa_and_nonnull<LLVM::LoadOp, LLVM::MaskedLoadOp>(
          source.getDefiningOp()) &&
      cast<VectorType>(source.getType()).getNumElements() % 4 == 0) {
    Value behind = createFence(b, shuffle.getLoc(), source);
    bool isBoth = shuffle.getV2() == source;
    shuffle.getV1Mutable().assign(behind);
    if (isBoth)
      shuffle.getV2Mutable().assign(behind);
  }
  b.setInsertionPointAfter(shuffle);
  Value behind = createFence(b, shuffle.getLoc(), shuffle);
  // All but the fence, which starts with the cast behind the shuffle.
  shuffle.getRes().replaceAllUsesExcept(behind, shuffle->getNextNode());
  return true;
}

namespace {
struct RetypeVectors
    : public amp::impl::AmpCPURetypeVectorsPassBase<RetypeVectors> {
  using Base::Base;

  void runOnOperation() override {
    getOperation()->walk(
        [&](Block *block) { numRetyped += retypeArguments(*block); });
    SmallVector<Value> carried;
    getOperation()->walk([&](Block *block) {
      for (Value argument : block->getArguments())
        if (argument.getType().isBF16())
          carried.push_back(argument);
    });
    getOperation()->walk([&](LLVM::CallOp call) {
      if (call.getNumResults() && call.getResult().getType().isBF16())
        carried.push_back(call.getResult());
    });
    for (Value value : carried)
      numRetyped += carryThroughMemory(value);
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) { ops.push_back(op); });
    for (Operation *op : ops) {
      if (auto shuffle = dyn_cast<LLVM::ShuffleVectorOp>(op))
        numFenced += fence(shuffle);
      if (auto store = dyn_cast<LLVM::MaskedStoreOp>(op);
          store && storeLoneLane(store)) {
        ++numScalar;
        continue;
      }
      if (auto store = dyn_cast<LLVM::StoreOp>(op);
          store && store.getNontemporal()) {
        auto type = dyn_cast<VectorType>(store.getValue().getType());
        if (type && type.getElementType().isF16()) {
          OpBuilder b(store);
          store.getValueMutable().assign(LLVM::BitcastOp::create(
              b, store.getLoc(), type.clone(b.getI16Type()), store.getValue()));
          ++numRetyped;
          continue;
        }
      }
      numRetyped += retype(op);
    }
    // Casts that nothing takes any more.
    getOperation()->walk<WalkOrder::PostOrder, ReverseIterator>(
        [](LLVM::BitcastOp cast) {
          if (cast->use_empty())
            cast.erase();
        });
  }
};
} // namespace
