//===- NVVMOps.cpp - the nvvm dialect in the simulator --------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernel.h"

#include "amp/Simulator/Runtime.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::amp::sim;

namespace {
class NVVMRewriter {
public:
  NVVMRewriter(Emitter &emitter, Kernel &kernel, Operation *op)
      : emitter(emitter), kernel(kernel), builder(op), loc(op->getLoc()) {}

  Rewritten barrier(Operation *op, Value id, Value count);
  Rewritten barrier(NVVM::BarrierOp op);
  Rewritten shuffle(NVVM::ShflOp op);
  Rewritten mma(NVVM::MmaOp op);
  Rewritten loadMatrix(NVVM::LdMatrixOp op);
  Rewritten storeMatrix(NVVM::StMatrixOp op);
  Rewritten copyAsync(NVVM::CpAsyncOp op);
  Rewritten roundToTF32(NVVM::ConvertFloatToTF32Op op);
  /// Calls `name`, with the thread, the site and `arguments`, in place of the
  /// op.
  Rewritten call(Operation *op, StringRef name, ValueRange arguments,
                 bool isCollective);

  Value integer(int64_t value) { return emitter.integer(builder, loc, value); }

private:
  /// Registers in memory, in order, without gaps.
  Value spill(ValueRange values);
  LogicalResult checkShape(Operation *op, NVVM::LdStMatrixShapeAttr shape,
                           NVVM::LdStMatrixEltType type);

  Emitter &emitter;
  Kernel &kernel;
  OpBuilder builder;
  Location loc;
};
} // namespace

Rewritten NVVMRewriter::call(Operation *op, StringRef name,
                             ValueRange arguments, bool isCollective) {
  SmallVector<Value> all = {kernel.thread, emitter.site(builder, op)};
  llvm::append_range(all, arguments);
  Value result = emitter.call(
      builder, loc, name,
      op->getNumResults() ? op->getResult(0).getType() : Type(), all);
  if (result)
    op->getResult(0).replaceAllUsesWith(result);
  op->erase();
  kernel.isCollective |= isCollective;
  return Rewritten::Done;
}

Rewritten NVVMRewriter::barrier(Operation *op, Value id, Value count) {
  return call(op, "ampSimBarrier",
              {id ? id : integer(0), count ? count : integer(0)},
              /*isCollective=*/true);
}

Rewritten NVVMRewriter::barrier(NVVM::BarrierOp op) {
  if (op.getReductionOp()) {
    op.emitError() << "the simulator has no barriers with a reduction";
    return Rewritten::Failed;
  }
  return barrier(op, op.getBarrierId(), op.getNumberOfThreads());
}

Rewritten NVVMRewriter::shuffle(NVVM::ShflOp op) {
  Type type = op.getVal().getType();
  Type narrow = builder.getI32Type(), wide = builder.getI64Type();
  Value value = op.getVal();
  if (type != narrow)
    value = LLVM::BitcastOp::create(builder, loc, narrow, value);
  value = LLVM::ZExtOp::create(builder, loc, wide, value);
  Value valid = emitter.slot(builder, loc, builder.getI8Type(), 1);
  int32_t kind = AMP_SIM_SHUFFLE_IDX;
  switch (op.getKind()) {
  case NVVM::ShflKind::bfly:
    kind = AMP_SIM_SHUFFLE_XOR;
    break;
  case NVVM::ShflKind::up:
    kind = AMP_SIM_SHUFFLE_UP;
    break;
  case NVVM::ShflKind::down:
    kind = AMP_SIM_SHUFFLE_DOWN;
    break;
  case NVVM::ShflKind::idx:
    break;
  }
  Value result = emitter.call(builder, loc, "ampSimShuffle", wide,
                              {kernel.thread, emitter.site(builder, op), value,
                               op.getThreadMask(), op.getOffset(),
                               op.getMaskAndClamp(), integer(kind), valid});
  result = LLVM::TruncOp::create(builder, loc, narrow, result);
  if (type != narrow)
    result = LLVM::BitcastOp::create(builder, loc, type, result);
  if (op.getReturnValueAndIsValid()) {
    Value isValid =
        LLVM::LoadOp::create(builder, loc, builder.getI8Type(), valid);
    isValid = LLVM::TruncOp::create(builder, loc, builder.getI1Type(), isValid);
    Value pair = LLVM::PoisonOp::create(builder, loc, op.getType());
    pair = LLVM::InsertValueOp::create(builder, loc, pair, result,
                                       ArrayRef<int64_t>{0});
    result = LLVM::InsertValueOp::create(builder, loc, pair, isValid,
                                         ArrayRef<int64_t>{1});
  }
  op.getRes().replaceAllUsesWith(result);
  op.erase();
  kernel.isCollective = true;
  return Rewritten::Done;
}

//===----------------------------------------------------------------------===//
// Matrices
//===----------------------------------------------------------------------===//

/// The bytes of a register: 4, or 8 for f64.
static int64_t getRegisterBytes(Type type) { return type.isF64() ? 8 : 4; }

Value NVVMRewriter::spill(ValueRange values) {
  int64_t bytes = 0;
  for (Value value : values)
    bytes += getRegisterBytes(value.getType());
  Value slot = emitter.slot(builder, loc, builder.getI8Type(), bytes);
  bytes = 0;
  for (Value value : values) {
    LLVM::StoreOp::create(builder, loc, value,
                          emitter.advance(builder, loc, slot, bytes));
    bytes += getRegisterBytes(value.getType());
  }
  return slot;
}

static std::optional<ampSimElement> getElement(NVVM::MMATypes type) {
  switch (type) {
  case NVVM::MMATypes::f16:
    return AMP_SIM_F16;
  case NVVM::MMATypes::bf16:
    return AMP_SIM_BF16;
  case NVVM::MMATypes::tf32:
    return AMP_SIM_TF32;
  case NVVM::MMATypes::f32:
    return AMP_SIM_F32;
  case NVVM::MMATypes::f64:
    return AMP_SIM_F64;
  case NVVM::MMATypes::s8:
    return AMP_SIM_S8;
  case NVVM::MMATypes::u8:
    return AMP_SIM_U8;
  case NVVM::MMATypes::s32:
    return AMP_SIM_S32;
  case NVVM::MMATypes::e4m3:
    return AMP_SIM_E4M3;
  case NVVM::MMATypes::e5m2:
    return AMP_SIM_E5M2;
  default:
    return std::nullopt;
  }
}

Rewritten NVVMRewriter::mma(NVVM::MmaOp op) {
  auto infer = [&](std::optional<NVVM::MMATypes> given,
                   ValueRange operands) -> std::optional<ampSimElement> {
    if (!given)
      given = NVVM::MmaOp::inferOperandMMAType(operands.front().getType(),
                                               /*isAccumulator=*/false);
    return given ? getElement(*given) : std::nullopt;
  };
  auto typeA = infer(op.getMultiplicandAPtxType(), op.getOperandA());
  auto typeB = infer(op.getMultiplicandBPtxType(), op.getOperandB());
  auto typeC = getElement(op.accumPtxType());
  auto typeD = getElement(op.resultPtxType());
  bool isRowCol = op.getLayoutA() == NVVM::MMALayout::row &&
                  op.getLayoutB() == NVVM::MMALayout::col;
  NVVM::MMAShapeAttr shape = op.getShape();
  if (!typeA || !typeB || !typeC || !typeD || !isRowCol ||
      (*typeA == AMP_SIM_F16 && shape.getM() != 16)) {
    op.emitError() << "the simulator has no mma.sync of these element types or "
                      "layouts: expected f16, bf16, tf32, f64, s8, u8, e4m3 or "
                      "e5m2, m = 16 (8 for f64 and integers), and the layouts "
                      "row and col";
    return Rewritten::Failed;
  }
  bool saturates =
      op.getIntOverflowBehavior() == NVVM::MMAIntOverflow::satfinite;
  auto results = cast<LLVM::LLVMStructType>(op.getRes().getType()).getBody();
  int64_t bytes = 0;
  for (Type type : results)
    bytes += getRegisterBytes(type);
  Value to = emitter.slot(builder, loc, builder.getI8Type(), bytes);
  emitter.call(builder, loc, "ampSimMma", Type(),
               {kernel.thread, emitter.site(builder, op), integer(shape.getM()),
                integer(shape.getN()), integer(shape.getK()), integer(*typeA),
                integer(*typeB), integer(*typeC), integer(*typeD),
                integer(saturates), spill(op.getOperandA()),
                spill(op.getOperandB()), spill(op.getOperandC()), to});
  Value packed = LLVM::PoisonOp::create(builder, loc, op.getRes().getType());
  bytes = 0;
  for (auto [i, type] : llvm::enumerate(results)) {
    Value value = LLVM::LoadOp::create(
        builder, loc, type, emitter.advance(builder, loc, to, bytes));
    packed = LLVM::InsertValueOp::create(builder, loc, packed, value, i);
    bytes += getRegisterBytes(type);
  }
  op.getRes().replaceAllUsesWith(packed);
  op.erase();
  kernel.isCollective = true;
  return Rewritten::Done;
}

LogicalResult NVVMRewriter::checkShape(Operation *op,
                                       NVVM::LdStMatrixShapeAttr shape,
                                       NVVM::LdStMatrixEltType type) {
  if (shape.getM() == 8 && shape.getN() == 8 &&
      type == NVVM::LdStMatrixEltType::B16)
    return success();
  return op->emitError() << "the simulator moves matrices of shape 8x8 and "
                            "type b16 only, but this one is "
                         << shape.getM() << "x" << shape.getN();
}

Rewritten NVVMRewriter::loadMatrix(NVVM::LdMatrixOp op) {
  if (failed(checkShape(op, op.getShape(), op.getEltType())))
    return Rewritten::Failed;
  uint32_t count = op.getNum();
  bool transposed = op.getLayout() == NVVM::MMALayout::col;
  Type word = builder.getI32Type();
  Value registers = emitter.slot(builder, loc, word, count);
  emitter.call(builder, loc, "ampSimLoadMatrix", Type(),
               {kernel.thread, emitter.site(builder, op), op.getPtr(),
                integer(count), integer(transposed), registers});
  Value result;
  if (count == 1) {
    result = LLVM::LoadOp::create(builder, loc, word, registers);
  } else {
    result = LLVM::PoisonOp::create(builder, loc, op.getRes().getType());
    for (uint32_t i = 0; i < count; ++i) {
      Value value = LLVM::LoadOp::create(
          builder, loc, word, emitter.advance(builder, loc, registers, 4 * i));
      result = LLVM::InsertValueOp::create(builder, loc, result, value, i);
    }
  }
  op.getRes().replaceAllUsesWith(result);
  op.erase();
  kernel.isCollective = true;
  return Rewritten::Done;
}

Rewritten NVVMRewriter::storeMatrix(NVVM::StMatrixOp op) {
  if (failed(checkShape(op, op.getShape(), op.getEltType())))
    return Rewritten::Failed;
  bool transposed = op.getLayout() == NVVM::MMALayout::col;
  return call(op, "ampSimStoreMatrix",
              {op.getPtr(), integer(int64_t(op.getSources().size())),
               integer(transposed), spill(op.getSources())},
              /*isCollective=*/true);
}

Rewritten NVVMRewriter::copyAsync(NVVM::CpAsyncOp op) {
  Value bytes = integer(op.getSize());
  return call(op, "ampSimCopyAsync",
              {op.getDst(), op.getSrc(), bytes,
               op.getCpSize() ? op.getCpSize() : bytes},
              /*isCollective=*/false);
}

Rewritten NVVMRewriter::roundToTF32(NVVM::ConvertFloatToTF32Op op) {
  if (op.getRnd() != NVVM::FPRoundingMode::RNA || op.getRelu() ||
      op.getSat() != NVVM::SaturationMode::NONE) {
    op.emitError() << "the simulator converts to tf32 with the rounding mode "
                      "rna only, without saturation and relu";
    return Rewritten::Failed;
  }
  // Half a unit of the last bit that stays goes to the magnitude; a number that
  // overflows becomes infinity by the carry.
  Value bits =
      LLVM::BitcastOp::create(builder, loc, builder.getI32Type(), op.getSrc());
  Value rounded = LLVM::AddOp::create(builder, loc, bits, integer(0x1000));
  rounded = LLVM::AndOp::create(builder, loc, rounded, integer(~0x1fff));
  Value isNaN = LLVM::FCmpOp::create(builder, loc, LLVM::FCmpPredicate::uno,
                                     op.getSrc(), op.getSrc());
  rounded =
      LLVM::SelectOp::create(builder, loc, isNaN, integer(0x7fffffff), rounded);
  op.getRes().replaceAllUsesWith(rounded);
  op.erase();
  return Rewritten::Done;
}

Rewritten mlir::amp::sim::rewriteNVVMOp(Emitter &emitter, Kernel &kernel,
                                        Operation *op) {
  if (!isa<NVVM::NVVMDialect>(op->getDialect()))
    return Rewritten::Unknown;
  NVVMRewriter rewriter(emitter, kernel, op);
  return llvm::TypeSwitch<Operation *, Rewritten>(op)
      .Case<NVVM::BarrierOp>(
          [&](NVVM::BarrierOp barrier) { return rewriter.barrier(barrier); })
      .Case<NVVM::Barrier0Op>([&](NVVM::Barrier0Op barrier) {
        return rewriter.barrier(barrier, Value(), Value());
      })
      .Case<NVVM::SyncWarpOp>([&](NVVM::SyncWarpOp sync) {
        return rewriter.call(sync, "ampSimWarpBarrier", {sync.getMask()},
                             /*isCollective=*/true);
      })
      .Case<NVVM::ShflOp>(
          [&](NVVM::ShflOp shuffle) { return rewriter.shuffle(shuffle); })
      .Case<NVVM::MmaOp>([&](NVVM::MmaOp mma) { return rewriter.mma(mma); })
      .Case<NVVM::LdMatrixOp>(
          [&](NVVM::LdMatrixOp load) { return rewriter.loadMatrix(load); })
      .Case<NVVM::StMatrixOp>(
          [&](NVVM::StMatrixOp store) { return rewriter.storeMatrix(store); })
      .Case<NVVM::CpAsyncOp>(
          [&](NVVM::CpAsyncOp copy) { return rewriter.copyAsync(copy); })
      .Case<NVVM::CpAsyncCommitGroupOp>([&](NVVM::CpAsyncCommitGroupOp commit) {
        return rewriter.call(commit, "ampSimCopyAsyncCommit", {},
                             /*isCollective=*/false);
      })
      .Case<NVVM::CpAsyncWaitGroupOp>([&](NVVM::CpAsyncWaitGroupOp wait) {
        return rewriter.call(wait, "ampSimCopyAsyncWait",
                             {rewriter.integer(wait.getN())},
                             /*isCollective=*/false);
      })
      .Case<NVVM::ConvertFloatToTF32Op>(
          [&](NVVM::ConvertFloatToTF32Op convert) {
            return rewriter.roundToTF32(convert);
          })
      .Case<NVVM::GriddepcontrolOp>([](NVVM::GriddepcontrolOp control) {
        // Grids run one after the other.
        control.erase();
        return Rewritten::Done;
      })
      .Default([&](Operation *other) {
        Rewritten result = rewriteHopperOp(emitter, kernel, other);
        if (result != Rewritten::Unknown)
          return result;
        other->emitError() << "the simulator does not know '"
                           << other->getName()
                           << "'; docs/simulator.md lists the ops that device "
                              "code may have";
        return Rewritten::Failed;
      });
}
