//===- GPUOps.cpp - the gpu dialect in the simulator ----------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernel.h"

#include "amp/Simulator/Image.h"
#include "amp/Simulator/Runtime.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cstddef>

using namespace mlir;
using namespace mlir::amp::sim;

namespace {
class GPURewriter {
public:
  GPURewriter(Emitter &emitter, Kernel &kernel, Operation *op)
      : emitter(emitter), kernel(kernel), builder(op), loc(op->getLoc()) {}

  Rewritten replace(Operation *op, Value value) {
    op->getResult(0).replaceAllUsesWith(value);
    op->erase();
    return Rewritten::Done;
  }

  /// A built-in value of the thread, as an index.
  Value readRegister(unsigned number) {
    Value address = emitter.advance(builder, loc, kernel.thread,
                                    offsetof(ampSimThread, registers) +
                                        4 * int64_t(number));
    Value value =
        LLVM::LoadOp::create(builder, loc, builder.getI32Type(), address,
                             /*alignment=*/4, /*isVolatile=*/false,
                             /*isNonTemporal=*/false, /*isInvariant=*/true);
    return arith::IndexCastUIOp::create(builder, loc, builder.getIndexType(),
                                        value);
  }

  Value readRegister(unsigned first, gpu::Dimension dimension) {
    return readRegister(first + static_cast<unsigned>(dimension));
  }

  Rewritten shuffle(gpu::ShuffleOp op);
  Rewritten dynamicShared(gpu::DynamicSharedMemoryOp op);

  Emitter &emitter;
  Kernel &kernel;
  OpBuilder builder;
  Location loc;
};
} // namespace

Rewritten GPURewriter::shuffle(gpu::ShuffleOp op) {
  Type type = op.getValue().getType();
  Type element = getElementTypeOrSelf(type);
  auto vector = dyn_cast<VectorType>(type);
  int64_t bits = (vector ? vector.getNumElements() : 1) *
                 int64_t(element.getIntOrFloatBitWidth());
  if (bits > 64) {
    op.emitError() << "the simulator shuffles at most 64 bits, but " << type
                   << " has " << bits;
    return Rewritten::Failed;
  }
  // Bits are what moves.
  Value value = op.getValue();
  Type integer = builder.getIntegerType(unsigned(bits));
  if (vector) {
    Type packed = VectorType::get({1}, integer);
    value = LLVM::BitcastOp::create(builder, loc, packed, value);
    value = LLVM::ExtractElementOp::create(builder, loc, value,
                                           emitter.integer(builder, loc, 0));
  } else if (type != integer) {
    value = arith::BitcastOp::create(builder, loc, integer, value);
  }
  Type wide = builder.getI64Type();
  if (bits < 64)
    value = arith::ExtUIOp::create(builder, loc, wide, value);
  Value valid = emitter.slot(builder, loc, builder.getI8Type(), 1);
  int32_t kind = AMP_SIM_SHUFFLE_IDX;
  switch (op.getMode()) {
  case gpu::ShuffleMode::XOR:
    kind = AMP_SIM_SHUFFLE_XOR;
    break;
  case gpu::ShuffleMode::UP:
    kind = AMP_SIM_SHUFFLE_UP;
    break;
  case gpu::ShuffleMode::DOWN:
    kind = AMP_SIM_SHUFFLE_DOWN;
    break;
  case gpu::ShuffleMode::IDX:
    break;
  }
  Value result = emitter.call(builder, loc, "ampSimGpuShuffle", wide,
                              {kernel.thread, emitter.site(builder, op), value,
                               op.getOffset(), op.getWidth(),
                               emitter.integer(builder, loc, kind), valid});
  if (bits < 64)
    result = arith::TruncIOp::create(builder, loc, integer, result);
  if (vector) {
    Value packed =
        LLVM::PoisonOp::create(builder, loc, VectorType::get({1}, integer));
    packed = LLVM::InsertElementOp::create(builder, loc, packed, result,
                                           emitter.integer(builder, loc, 0));
    result = LLVM::BitcastOp::create(builder, loc, type, packed);
  } else if (type != integer) {
    result = arith::BitcastOp::create(builder, loc, type, result);
  }
  Value isValid =
      LLVM::LoadOp::create(builder, loc, builder.getI8Type(), valid);
  isValid = arith::TruncIOp::create(builder, loc, builder.getI1Type(), isValid);
  op.getShuffleResult().replaceAllUsesWith(result);
  op.getValid().replaceAllUsesWith(isValid);
  op.erase();
  kernel.isCollective = true;
  return Rewritten::Done;
}

Rewritten GPURewriter::dynamicShared(gpu::DynamicSharedMemoryOp op) {
  auto type = cast<MemRefType>(op.getType());
  auto load = [&](Type field, size_t offset) -> Value {
    Value address =
        emitter.advance(builder, loc, kernel.thread, int64_t(offset));
    return LLVM::LoadOp::create(builder, loc, field, address);
  };
  Type wide = builder.getI64Type();
  Value base = load(emitter.getPointer(), offsetof(ampSimThread, shared));
  Value offset = load(wide, offsetof(ampSimThread, dynamicOffset));
  Value bytes = load(wide, offsetof(ampSimThread, dynamicBytes));
  Value address =
      LLVM::GEPOp::create(builder, loc, emitter.getPointer(),
                          builder.getI8Type(), base, ValueRange{offset});
  Value packed = MemRefDescriptor::pack(
      builder, loc, emitter.getTypeConverter(), type,
      {address, address, emitter.integer(builder, loc, 0, 64), bytes,
       emitter.integer(builder, loc, 1, 64)});
  return replace(op, emitter.fromDescriptor(builder, loc, packed, type));
}

Rewritten mlir::amp::sim::rewriteGPUOp(Emitter &emitter, Kernel &kernel,
                                       Operation *op) {
  if (!isa<gpu::GPUDialect>(op->getDialect()))
    return Rewritten::Unknown;
  GPURewriter rewriter(emitter, kernel, op);
  auto dimension = [&](unsigned first) {
    return [&rewriter, first](auto id) {
      return rewriter.replace(id,
                              rewriter.readRegister(first, id.getDimension()));
    };
  };
  auto scalar = [&](unsigned number) {
    return [&rewriter, number](Operation *id) {
      return rewriter.replace(id, rewriter.readRegister(number));
    };
  };
  return llvm::TypeSwitch<Operation *, Rewritten>(op)
      .Case<gpu::ThreadIdOp>(dimension(AMP_SIM_THREAD_ID))
      .Case<gpu::BlockIdOp>(dimension(AMP_SIM_BLOCK_ID))
      .Case<gpu::BlockDimOp>(dimension(AMP_SIM_BLOCK_DIM))
      .Case<gpu::GridDimOp>(dimension(AMP_SIM_GRID_DIM))
      .Case<gpu::ClusterIdOp>(dimension(AMP_SIM_CLUSTER_ID))
      .Case<gpu::ClusterDimOp>(dimension(AMP_SIM_CLUSTER_COUNT))
      .Case<gpu::ClusterDimBlocksOp>(dimension(AMP_SIM_CLUSTER_DIM))
      .Case<gpu::ClusterBlockIdOp>(dimension(AMP_SIM_BLOCK_IN_CLUSTER))
      .Case<gpu::LaneIdOp>(scalar(AMP_SIM_LANE_ID))
      .Case<gpu::SubgroupIdOp>(scalar(AMP_SIM_WARP_ID))
      .Case<gpu::NumSubgroupsOp>(scalar(AMP_SIM_NUM_WARPS))
      .Case<gpu::SubgroupSizeOp>([&](gpu::SubgroupSizeOp size) {
        return rewriter.replace(size, arith::ConstantIndexOp::create(
                                          rewriter.builder, rewriter.loc, 32));
      })
      .Case<gpu::GlobalIdOp>([&](gpu::GlobalIdOp id) {
        gpu::Dimension axis = id.getDimension();
        Value block = rewriter.readRegister(AMP_SIM_BLOCK_ID, axis);
        Value size = rewriter.readRegister(AMP_SIM_BLOCK_DIM, axis);
        Value thread = rewriter.readRegister(AMP_SIM_THREAD_ID, axis);
        Value first =
            arith::MulIOp::create(rewriter.builder, rewriter.loc, block, size);
        return rewriter.replace(id, arith::AddIOp::create(rewriter.builder,
                                                          rewriter.loc, first,
                                                          thread));
      })
      .Case<gpu::BarrierOp>([&](gpu::BarrierOp barrier) {
        OpBuilder &builder = rewriter.builder;
        Value zero = emitter.integer(builder, rewriter.loc, 0);
        emitter.call(
            builder, rewriter.loc, "ampSimBarrier", Type(),
            {kernel.thread, emitter.site(builder, barrier), zero, zero});
        barrier.erase();
        kernel.isCollective = true;
        return Rewritten::Done;
      })
      .Case<gpu::ShuffleOp>(
          [&](gpu::ShuffleOp shuffle) { return rewriter.shuffle(shuffle); })
      .Case<gpu::DynamicSharedMemoryOp>([&](gpu::DynamicSharedMemoryOp memory) {
        return rewriter.dynamicShared(memory);
      })
      .Case<gpu::ReturnOp>([&](gpu::ReturnOp end) {
        func::ReturnOp::create(rewriter.builder, rewriter.loc);
        end.erase();
        return Rewritten::Done;
      })
      .Default([](Operation *other) {
        other->emitError() << "the simulator does not know '"
                           << other->getName()
                           << "'; docs/simulator.md lists the ops that device "
                              "code may have";
        return Rewritten::Failed;
      });
}
