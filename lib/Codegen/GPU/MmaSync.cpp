//===- MmaSync.cpp - the schedules of contractions ------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `mma-sync` runs on the tensor cores of sm_80 and later, which multiply f16,
// bf16, i8, and f32 as tf32 where that is allowed; `fma` is the same schedule
// for all other types, with scalar multiply-adds.
//
//===----------------------------------------------------------------------===//

#include "TiledContraction.h"

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::gpu;

namespace {

class ContractionSchedule final : public Schedule {
public:
  explicit ContractionSchedule(bool usesTensorCores)
      : usesTensorCores(usesTensorCores) {}

  StringRef getName() const override {
    return usesTensorCores ? "mma-sync" : "fma";
  }

  LogicalResult match(const Kernel &kernel,
                      std::string &reason) const override {
    FailureOr<Contraction> contraction = matchContraction(kernel, reason);
    if (failed(contraction))
      return failure();
    if (usesTensorCores && !contraction->mma) {
      reason = "no tensor core instruction multiplies these types";
      if (contraction->accType.isF32())
        reason += " exactly (allow-tf32 rounds them to ten bits of mantissa)";
      return failure();
    }
    if (!usesTensorCores && contraction->mma) {
      reason = "the tensor cores multiply these types";
      return failure();
    }
    return Evaluator::check(kernel, reason);
  }

  FailureOr<SmallVector<::mlir::gpu::GPUFuncOp>>
  emitDevice(const Kernel &kernel,
             ::mlir::gpu::GPUModuleOp module) const override {
    std::string reason;
    FailureOr<Contraction> contraction = matchContraction(kernel, reason);
    if (failed(contraction))
      return failure();
    WarpGrid grid = chooseTile(*contraction);
    func::FuncOp source = kernel.function;
    ::mlir::gpu::GPUFuncOp function =
        createDeviceFunction(module, source.getLoc(), source.getSymName(),
                             kernel.operandTypes, grid.getThreads());
    TiledContraction(kernel, *contraction, grid).emit(function);
    return SmallVector<::mlir::gpu::GPUFuncOp>{function};
  }

  LogicalResult emitHost(const Kernel &kernel,
                         ArrayRef<::mlir::gpu::GPUFuncOp> functions,
                         ValueRange operands, OpBuilder &b,
                         Location loc) const override {
    std::string reason;
    FailureOr<Contraction> contraction = matchContraction(kernel, reason);
    if (failed(contraction))
      return failure();
    WarpGrid tile = chooseTile(*contraction);
    Evaluator evaluator(kernel, operands);
    IndexBuilder at{b, loc};
    SmallVector<OpFoldResult> sizes = evaluator.getLoopSizes(
        b, cast<linalg::LinalgOp>(contraction->op.getOperation()));
    auto product = [&](ArrayRef<unsigned> loops) {
      IndexValue result = 1;
      for (unsigned loop : loops)
        result = result * IndexValue(at, sizes[loop]);
      return result;
    };
    auto tiles = [&](ArrayRef<unsigned> loops, int64_t size) {
      return (product(loops) + (size - 1)) / size;
    };
    IndexValue blocks = product(contraction->batch) *
                        tiles(contraction->m, tile.blockM) *
                        tiles(contraction->n, tile.blockN);
    createLaunch(b, loc, functions.front(), blocks.get(at), operands);
    return success();
  }

private:
  bool usesTensorCores;
};

} // namespace

const Schedule &amp::gpu::getMmaSyncSchedule() {
  static const ContractionSchedule schedule(/*usesTensorCores=*/true);
  return schedule;
}

const Schedule &amp::gpu::getFmaSchedule() {
  static const ContractionSchedule schedule(/*usesTensorCores=*/false);
  return schedule;
}
