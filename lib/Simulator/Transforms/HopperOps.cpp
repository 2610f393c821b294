//===- HopperOps.cpp - nvvm ops of sm_90 in the simulator -----------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CallBuilder.h"

#include "amp/Simulator/Runtime.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cstddef>

using namespace mlir;
using namespace mlir::amp::sim;

Value CallBuilder::spill(ValueRange values) {
  Value slot =
      emitter.slot(builder, loc, builder.getI32Type(), int64_t(values.size()));
  for (auto [i, value] : llvm::enumerate(values))
    LLVM::StoreOp::create(builder, loc, value,
                          emitter.advance(builder, loc, slot, int64_t(4 * i)));
  return slot;
}

SmallVector<Value> CallBuilder::reload(Value address, Type type,
                                       int64_t count) {
  SmallVector<Value> values;
  for (int64_t i = 0; i < count; ++i)
    values.push_back(LLVM::LoadOp::create(
        builder, loc, type, emitter.advance(builder, loc, address, 4 * i)));
  return values;
}

SmallVector<Value>
mlir::amp::sim::buildWgmma(CallBuilder &call, const WgmmaKind &kind,
                           Value descriptorA, ValueRange registersA,
                           Value descriptorB, ValueRange accumulators) {
  OpBuilder &builder = call.builder;
  Location loc = call.loc;
  SmallVector<Value> fields;
  // The fields of ampSimWgmmaShape.
  for (int64_t field :
       {int64_t(kind.n), int64_t(kind.k), int64_t(kind.typeA),
        int64_t(kind.typeB), int64_t(kind.typeD), int64_t(kind.isTransposedA),
        int64_t(kind.isTransposedB), int64_t(kind.accumulates),
        int64_t(kind.signA), int64_t(kind.signB), int64_t(kind.saturates)})
    fields.push_back(call.integer(field));
  static_assert(sizeof(ampSimWgmmaShape) == 11 * 4);
  Value shape = call.spill(fields);
  Value inRegisters =
      registersA.empty()
          ? Value(LLVM::ZeroOp::create(builder, loc, call.emitter.getPointer()))
          : call.spill(registersA);
  if (!descriptorA)
    descriptorA = call.integer(0, 64);
  // Without accumulation, what they hold is not looked at, and may be nothing.
  Value to = call.emitter.slot(builder, loc, builder.getI32Type(),
                               int64_t(accumulators.size()));
  Value from = kind.accumulates ? call.spill(accumulators) : to;
  call.call("ampSimWgmma",
            {shape, descriptorA, inRegisters, descriptorB, from, to});
  call.kernel.isCollective = true;
  return call.reload(to, accumulators.front().getType(),
                     int64_t(accumulators.size()));
}

static bool isWgmma(Operation *op) {
  if (auto text = dyn_cast<LLVM::InlineAsmOp>(op))
    return text.getAsmString().contains("wgmma.mma_async");
  return isa<NVVM::WgmmaMmaAsyncOp>(op);
}

LogicalResult mlir::amp::sim::checkAccumulators(Operation *wgmma) {
  // What is between the wgmma and the end of its group's wait.
  llvm::SmallPtrSet<Operation *, 8> early;
  int64_t committed = 0;
  for (Operation *next = wgmma->getNextNode(); next;
       next = next->getNextNode()) {
    committed += isa<NVVM::WgmmaGroupSyncAlignedOp>(next);
    if (auto wait = dyn_cast<NVVM::WgmmaWaitGroupSyncOp>(next))
      if (committed > int64_t(wait.getGroup()))
        break;
    early.insert(next);
  }
  SmallVector<Value> values(wgmma->getResults());
  while (!values.empty()) {
    for (OpOperand &use : values.pop_back_val().getUses()) {
      Operation *user = use.getOwner();
      if (isa<LLVM::ExtractValueOp, LLVM::InsertValueOp>(user)) {
        llvm::append_range(values, user->getResults());
        continue;
      }
      // A loop that goes on with them.
      if (auto loop = dyn_cast<LoopLikeOpInterface>(user))
        if (BlockArgument carried = loop.getTiedLoopRegionIterArg(&use)) {
          values.push_back(carried);
          values.push_back(loop.getTiedLoopResult(&use));
          continue;
        }
      Operation *place = wgmma->getBlock()->findAncestorOpInBlock(*user);
      // Loops and terminators only pass them on.
      if (!early.contains(place) || isWgmma(user) ||
          isa<LoopLikeOpInterface>(user) ||
          user->hasTrait<OpTrait::IsTerminator>())
        continue;
      return user->emitError() << "uses the accumulators of a wgmma that has "
                                  "not been waited for";
    }
  }
  return success();
}

/// The simulator's number of the type; nothing where it has none.
static std::optional<int32_t> getElement(NVVM::WGMMATypes type) {
  switch (type) {
  case NVVM::WGMMATypes::f16:
    return AMP_SIM_F16;
  case NVVM::WGMMATypes::bf16:
    return AMP_SIM_BF16;
  case NVVM::WGMMATypes::tf32:
    return AMP_SIM_TF32;
  case NVVM::WGMMATypes::f32:
    return AMP_SIM_F32;
  case NVVM::WGMMATypes::s8:
    return AMP_SIM_S8;
  case NVVM::WGMMATypes::u8:
    return AMP_SIM_U8;
  case NVVM::WGMMATypes::s32:
    return AMP_SIM_S32;
  case NVVM::WGMMATypes::e4m3:
    return AMP_SIM_E4M3;
  case NVVM::WGMMATypes::e5m2:
    return AMP_SIM_E5M2;
  default:
    return std::nullopt;
  }
}

static Rewritten rewriteWgmma(CallBuilder &call, NVVM::WgmmaMmaAsyncOp op) {
  auto typeA = getElement(op.getTypeA()), typeB = getElement(op.getTypeB()),
       typeD = getElement(op.getTypeD());
  if (!typeA || !typeB || !typeD)
    return call.fail("the simulator has no wgmma of these element types: "
                     "expected f16, bf16, tf32, s8, u8, e4m3 or e5m2");
  if (failed(checkAccumulators(op)))
    return Rewritten::Failed;
  NVVM::MMAShapeAttr shape = op.getShape();
  WgmmaKind kind;
  kind.n = int32_t(shape.getN());
  kind.k = int32_t(shape.getK());
  kind.typeA = *typeA;
  kind.typeB = *typeB;
  kind.typeD = *typeD;
  kind.isTransposedA = op.getLayoutA() == NVVM::MMALayout::col;
  kind.isTransposedB = op.getLayoutB() == NVVM::MMALayout::row;
  kind.accumulates = op.getScaleD() == NVVM::WGMMAScaleOut::one;
  kind.signA = static_cast<int32_t>(op.getScaleA());
  kind.signB = static_cast<int32_t>(op.getScaleB());
  kind.saturates = op.getSatfinite() == NVVM::MMAIntOverflow::satfinite;
  auto type = cast<LLVM::LLVMStructType>(op.getInouts().getType());
  SmallVector<Value> accumulators;
  for (int64_t i = 0, e = int64_t(type.getBody().size()); i < e; ++i)
    accumulators.push_back(LLVM::ExtractValueOp::create(call.builder, call.loc,
                                                        op.getInouts(), i));
  SmallVector<Value> results =
      buildWgmma(call, kind, op.getDescriptorA(), ValueRange(),
                 op.getDescriptorB(), accumulators);
  Value packed = LLVM::PoisonOp::create(call.builder, call.loc, type);
  for (auto [i, result] : llvm::enumerate(results))
    packed = LLVM::InsertValueOp::create(call.builder, call.loc, packed, result,
                                         int64_t(i));
  return call.replaceWith(packed);
}

static Rewritten
rewriteLoad(CallBuilder &call,
            NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp op) {
  NVVM::TMALoadMode mode = op.getMode();
  bool isIm2col = mode == NVVM::TMALoadMode::IM2COL;
  if ((!isIm2col && mode != NVVM::TMALoadMode::TILE) || op.getPredicate() ||
      op.getGroup())
    return call.fail("the simulator has no such load: expected the mode tile "
                     "or im2col, no group and no predicate");
  SmallVector<Value> numbers(op.getCoordinates());
  for (Value offset : op.getIm2colOffsets())
    numbers.push_back(LLVM::ZExtOp::create(call.builder, call.loc,
                                           call.builder.getI32Type(), offset));
  Value blocks = call.integer(0);
  if (Value mask = op.getMulticastMask())
    blocks = LLVM::ZExtOp::create(call.builder, call.loc,
                                  call.builder.getI32Type(), mask);
  return call.replace("ampSimTmaLoad",
                      {op.getDstMem(), op.getTmaDescriptor(), op.getMbar(),
                       blocks,
                       call.integer(int64_t(op.getCoordinates().size())),
                       call.integer(isIm2col)},
                      /*waits=*/false, ValueRange(numbers));
}

static Rewritten rewriteStore(CallBuilder &call, Value map, Value source,
                              ValueRange coordinates, bool isSum) {
  return call.replace("ampSimTmaStore",
                      {map, source, call.integer(isSum),
                       call.integer(int64_t(coordinates.size()))},
                      /*waits=*/false, coordinates);
}

/// Which built-in value of a thread the op reads.
static std::optional<unsigned> getRegister(StringRef name) {
  if (!name.consume_front("nvvm.read.ptx.sreg."))
    return std::nullopt;
  if (name == "laneid")
    return AMP_SIM_LANE_ID;
  if (name == "warpid")
    return AMP_SIM_WARP_ID;
  if (name == "nwarpid")
    return AMP_SIM_NUM_WARPS;
  static constexpr std::pair<StringLiteral, unsigned> kVectors[] = {
      {"tid", AMP_SIM_THREAD_ID},
      {"ctaid", AMP_SIM_BLOCK_ID},
      {"ntid", AMP_SIM_BLOCK_DIM},
      {"nctaid", AMP_SIM_GRID_DIM},
      {"clusterid", AMP_SIM_CLUSTER_ID},
      {"nclusterid", AMP_SIM_CLUSTER_COUNT},
      {"cluster.ctaid", AMP_SIM_BLOCK_IN_CLUSTER},
      {"cluster.nctaid", AMP_SIM_CLUSTER_DIM}};
  auto [vector, axis] = name.rsplit('.');
  for (auto [known, first] : kVectors)
    if (vector == known && axis.size() == 1 && axis[0] >= 'x' && axis[0] <= 'z')
      return first + unsigned(axis[0] - 'x');
  return std::nullopt;
}

static Value readRegister(CallBuilder &call, unsigned number) {
  Value address = call.emitter.advance(
      call.builder, call.loc, call.kernel.thread,
      offsetof(ampSimThread, registers) + 4 * int64_t(number));
  return LLVM::LoadOp::create(call.builder, call.loc, call.builder.getI32Type(),
                              address,
                              /*alignment=*/4, /*isVolatile=*/false,
                              /*isNonTemporal=*/false, /*isInvariant=*/true);
}

/// The number of the block in its cluster: x runs first.
static Value readRank(CallBuilder &call) {
  Value rank = readRegister(call, AMP_SIM_BLOCK_IN_CLUSTER + 2);
  for (unsigned axis : {1, 0}) {
    rank = LLVM::MulOp::create(call.builder, call.loc, rank,
                               readRegister(call, AMP_SIM_CLUSTER_DIM + axis));
    rank = LLVM::AddOp::create(
        call.builder, call.loc, rank,
        readRegister(call, AMP_SIM_BLOCK_IN_CLUSTER + axis));
  }
  return rank;
}

Rewritten mlir::amp::sim::rewriteHopperOp(Emitter &emitter, Kernel &kernel,
                                          Operation *op) {
  CallBuilder call(emitter, kernel, op);
  if (auto number = getRegister(op->getName().getStringRef()))
    return call.replaceWith(readRegister(call, *number));
  auto refuse = [&](StringRef what) {
    return call.fail("the simulator has no '" + op->getName().getStringRef() +
                     "' with " + what);
  };
  return llvm::TypeSwitch<Operation *, Rewritten>(op)
      .Case<NVVM::MBarrierInitOp>([&](NVVM::MBarrierInitOp init) {
        if (init.getPredicate())
          return refuse("a predicate");
        return call.replace("ampSimMbarrierInit",
                            {init.getAddr(), init.getCount()}, false);
      })
      .Case<NVVM::MBarrierInvalOp>([&](NVVM::MBarrierInvalOp end) {
        return call.replace("ampSimMbarrierInvalidate", {end.getAddr()}, false);
      })
      .Case<NVVM::MBarrierExpectTxOp>([&](NVVM::MBarrierExpectTxOp expect) {
        return call.replace(
            "ampSimMbarrierArrive",
            {expect.getAddr(), call.integer(0), expect.getTxcount()}, false);
      })
      .Case<NVVM::MBarrierArriveOp>([&](NVVM::MBarrierArriveOp arrive) {
        if (arrive->getNumResults())
          return refuse("a state");
        return call.replace(
            "ampSimMbarrierArrive",
            {arrive.getAddr(),
             arrive.getCount() ? arrive.getCount() : call.integer(1),
             call.integer(0)},
            false);
      })
      .Case<NVVM::MBarrierArriveExpectTxOp>(
          [&](NVVM::MBarrierArriveExpectTxOp arrive) {
            if (arrive->getNumResults() || arrive.getPredicate())
              return refuse("a state or a predicate");
            return call.replace(
                "ampSimMbarrierArrive",
                {arrive.getAddr(), call.integer(1), arrive.getTxcount()},
                false);
          })
      .Case<NVVM::MBarrierTryWaitParityOp>(
          [&](NVVM::MBarrierTryWaitParityOp wait) {
            return call.replace("ampSimMbarrierWait",
                                {wait.getAddr(), wait.getPhase()}, true);
          })
      .Case<NVVM::FenceMbarrierInitOp>([&](Operation *) {
        return call.replace("ampSimFenceProxy", {}, false);
      })
      .Case<NVVM::FenceProxyOp>([&](NVVM::FenceProxyOp fence) {
        if (fence.getKind() != NVVM::ProxyKind::async &&
            fence.getKind() != NVVM::ProxyKind::async_shared)
          return refuse("this kind: expected async or async.shared");
        return call.replace("ampSimFenceProxy", {}, false);
      })
      .Case<NVVM::BarrierArriveOp>([&](NVVM::BarrierArriveOp arrive) {
        return call.replace(
            "ampSimBarrierArrive",
            {arrive.getBarrierId() ? arrive.getBarrierId() : call.integer(0),
             arrive.getNumberOfThreads()},
            true);
      })
      .Case<NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp>(
          [&](auto load) { return rewriteLoad(call, load); })
      .Case<NVVM::CpAsyncBulkTensorSharedCTAToGlobalOp>([&](auto store) {
        if (store.getPredicate() || store.getMode() != NVVM::TMAStoreMode::TILE)
          return refuse("a predicate, or another mode than tile");
        return rewriteStore(call, store.getTmaDescriptor(), store.getSrcMem(),
                            store.getCoordinates(), /*isSum=*/false);
      })
      .Case<NVVM::CpAsyncBulkTensorReduceOp>([&](auto reduce) {
        if (reduce.getRedKind() != NVVM::TMAReduxKind::ADD ||
            reduce.getMode() != NVVM::TMAStoreMode::TILE)
          return refuse("another reduction than add, or another mode than "
                        "tile");
        return rewriteStore(call, reduce.getTmaDescriptor(), reduce.getSrcMem(),
                            reduce.getCoordinates(),
                            /*isSum=*/true);
      })
      .Case<NVVM::CpAsyncBulkCommitGroupOp>([&](Operation *) {
        return call.replace("ampSimBulkCommit", {}, false);
      })
      .Case<NVVM::CpAsyncBulkWaitGroupOp>(
          [&](NVVM::CpAsyncBulkWaitGroupOp wait) {
            return call.replace("ampSimBulkWait",
                                {call.integer(wait.getGroup())}, false);
          })
      .Case<NVVM::CpAsyncBulkTensorPrefetchOp>([&](Operation *prefetch) {
        prefetch->erase();
        return Rewritten::Done;
      })
      .Case<NVVM::WgmmaFenceAlignedOp>([&](Operation *) {
        return call.replace("ampSimWgmmaFence", {}, false);
      })
      .Case<NVVM::WgmmaGroupSyncAlignedOp>([&](Operation *) {
        return call.replace("ampSimWgmmaCommit", {}, false);
      })
      .Case<NVVM::WgmmaWaitGroupSyncOp>([&](NVVM::WgmmaWaitGroupSyncOp wait) {
        return call.replace("ampSimWgmmaWait",
                            {call.integer(int64_t(wait.getGroup()))}, false);
      })
      .Case<NVVM::WgmmaMmaAsyncOp>(
          [&](NVVM::WgmmaMmaAsyncOp mma) { return rewriteWgmma(call, mma); })
      .Case<NVVM::SetMaxRegisterOp>([&](NVVM::SetMaxRegisterOp set) {
        bool isIncrease =
            set.getAction() == NVVM::SetMaxRegisterAction::increase;
        return call.replace("ampSimSetRegisters",
                            {call.integer(set.getRegCount()),
                             call.integer(isIncrease),
                             call.integer(kernel.minBlocks)},
                            true);
      })
      .Case<NVVM::ClusterId>(
          [&](Operation *) { return call.replaceWith(readRank(call)); })
      .Case<NVVM::ClusterArriveOp>([&](Operation *) {
        return call.replace("ampSimClusterArrive", {call.integer(0)}, true);
      })
      .Case<NVVM::ClusterArriveRelaxedOp>([&](Operation *) {
        return call.replace("ampSimClusterArrive", {call.integer(1)}, true);
      })
      .Case<NVVM::ClusterWaitOp>([&](Operation *) {
        return call.replace("ampSimClusterWait", {}, true);
      })
      .Case<NVVM::MapaOp>([&](NVVM::MapaOp map) {
        return call.replaceWith(call.call(
            "ampSimMapShared", {map.getA(), map.getB()}, emitter.getPointer()));
      })
      .Case<NVVM::ElectSyncOp>([&](NVVM::ElectSyncOp elect) {
        // One lane of those that take part: the lowest of the mask.
        Value mask =
            elect.getMembermask() ? elect.getMembermask() : call.integer(-1);
        Value lowest = LLVM::CountTrailingZerosOp::create(
            call.builder, call.loc, mask.getType(), mask,
            /*is_zero_poison=*/false);
        Value lane = readRegister(call, AMP_SIM_LANE_ID);
        return call.replaceWith(LLVM::ICmpOp::create(
            call.builder, call.loc, LLVM::ICmpPredicate::eq, lane, lowest));
      })
      .Default([](Operation *) { return Rewritten::Unknown; });
}
