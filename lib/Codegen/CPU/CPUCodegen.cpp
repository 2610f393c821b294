//===- CPUCodegen.cpp - schedule linalg for a CPU -------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/CPU/Passes.h"

#include "Emit.h"
#include "KnownValues.h"
#include "Normalize.h"
#include "Parallel.h"
#include "RowFusion.h"
#include "amp/Codegen/CPU/Target.h"
#include "amp/Codegen/Common/CheckTypes.h"
#include "amp/Codegen/Common/Normalize.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/X86Vector/X86VectorDialect.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"
#include "mlir/Transforms/RegionUtils.h"

namespace mlir::amp {
#define GEN_PASS_DEF_AMPCPUCODEGENPASS
#include "amp/Codegen/CPU/Passes.h.inc"
} // namespace mlir::amp

using namespace mlir;
using namespace mlir::amp;

/// Whether `op` makes an empty tensor, or another form of one.
static bool makesEmpty(Operation *op) {
  while (isa_and_nonnull<tensor::CollapseShapeOp, tensor::ExpandShapeOp,
                         tensor::CastOp, tensor::ExtractSliceOp>(op))
    op = op->getOperand(0).getDefiningOp();
  return isa_and_nonnull<tensor::EmptyOp>(op);
}

/// Gives each iteration of `loop`, which becomes a function, empty tensors of
/// its own: one from outside would become a buffer that all threads write. Also
/// vectors that are widened as operands of an instruction for groups, which is
/// found with them.
static void sinkIntoBody(scf::ForOp loop) {
  OpBuilder b(loop.getContext());
  for (bool changes = true; changes;) {
    changes = false;
    llvm::SetVector<Value> used;
    getUsedValuesDefinedAbove(loop->getRegions(), used);
    for (Value value : used) {
      Operation *maker = value.getDefiningOp();
      if (!maker ||
          !(makesEmpty(maker) || (isa<arith::ExtSIOp, arith::ExtUIOp>(maker) &&
                                  isa<VectorType>(value.getType()))))
        continue;
      // Before what was made of it.
      b.setInsertionPointToStart(loop.getBody());
      Value own = b.clone(*maker)->getResult(0);
      value.replaceUsesWithIf(own, [&](OpOperand &use) {
        return loop.getRegion().isAncestor(use.getOwner()->getParentRegion());
      });
      if (maker->use_empty())
        maker->erase();
      changes = true;
    }
  }
}

namespace {
struct CPUCodegen : public amp::impl::AmpCPUCodegenPassBase<CPUCodegen> {
  using Base::Base;

  void runOnOperation() override {
    FunctionOpInterface function = getOperation();
    if (function.isExternal())
      return;
    FailureOr<cpu::CPUTarget> target =
        cpu::CPUTarget::get(function, triple, processor, features, vectorBits);
    if (failed(target))
      return signalPassFailure();
    if (failed(checkTensors(function)) || failed(checkTypes(function)) ||
        failed(checkVectors(function)) ||
        failed(cpu::normalize(function, *target)))
      return signalPassFailure();
    checkLoops(function);
    checkInserts(function);
    reportNarrowSums(function);
    cpu::markNarrowResults(function);
    cpu::markExponentials(function);
    // Where an instruction scales by powers of two, no factor saves one.
    cpu::simplifyQuotients(function, /*raises=*/!target->hasScale);
    cpu::markRoundings(function);
    cpu::mergeWindows(function, *target);
    cpu::dropUnitDims(function, *target);
    cpu::turnOperands(function, *target);
    cpu::fuseRows(function, *target);
    cpu::mergeShortRows(function, *target);
    cpu::mergePixels(function, *target);
    cpu::collapseLoops(function, *target);
    cpu::splitReductions(function);
    cpu::decomposePadding(function, *target);
    cpu::dropUnitDims(function, *target);
    cpu::gatherWindows(function, *target);
    // What is inserted into a larger tensor is computed there. Found now, while
    // there are few ops, rather than among the loops.
    IRRewriter rewriter(&getContext());
    if (failed(bufferization::eliminateEmptyTensors(rewriter, function)))
      return signalPassFailure();
    cpu::expandIndices(function);
    lowerAll(function, *target);
    if (isTooSlow)
      return signalPassFailure();
    cleanUp(function);
    cpu::askForNextRows(function, *target);
    cpu::padRowBuffers(function);
    splitRankReducingSlices(function);
  }

private:
  LogicalResult checkTensors(FunctionOpInterface function) {
    WalkResult result = function->walk([&](linalg::LinalgOp op) {
      if (op.hasPureTensorSemantics())
        return WalkResult::advance();
      op->emitOpError("works on buffers, but '")
          << getArgument()
          << "' schedules linalg on tensors: run it before bufferization";
      return WalkResult::interrupt();
    });
    return failure(result.wasInterrupted());
  }

  /// That the program's own vectors are such as the target has.
  LogicalResult checkVectors(FunctionOpInterface function) {
    if (!cpu::CPUTarget::getTriple(triple).isX86())
      return success();
    WalkResult result = function->walk([](Operation *op) {
      bool isScalable = llvm::any_of(op->getResultTypes(), [](Type type) {
        auto vector = dyn_cast<VectorType>(type);
        return vector && vector.isScalable();
      });
      if (!isScalable && !isa<vector::VectorScaleOp>(op))
        return WalkResult::advance();
      op->emitOpError("is of scalable vectors, which x86 does not have; "
                      "expected vectors of a fixed size");
      return WalkResult::interrupt();
    });
    return failure(result.wasInterrupted());
  }

  /// Tells of work that goes element by element.
  void reportScalar(Location loc, StringRef remarkName, StringRef opName,
                    StringRef reason) {
    remark::missed(loc, remark::RemarkOpts::name(remarkName)
                            .category("amp")
                            .function(getOperation().getName()))
        << remark::metric("Op", opName) << remark::reason("{0}", reason);
    if (!noScalarFallback)
      return;
    emitError(loc) << "'" << opName
                   << "' is compiled to a loop that goes element by element, "
                      "which 'no-scalar-fallback' forbids: "
                   << reason;
    isTooSlow = true;
  }

  /// Tells of sums that the program itself rounds to a narrow type, at each
  /// step: they stop growing at a few hundred elements.
  void reportNarrowSums(FunctionOpInterface function) {
    function->walk([&](linalg::GenericOp op) {
      for (Value value : op.getBody()->getTerminator()->getOperands()) {
        auto type = dyn_cast<FloatType>(value.getType());
        if (op.getNumReductionLoops() == 0 || !type || type.getWidth() >= 32 ||
            !isa_and_nonnull<arith::AddFOp, arith::SubFOp, math::FmaOp>(
                value.getDefiningOp()))
          continue;
        remark::analysis(op.getLoc(), remark::RemarkOpts::name("NarrowSums")
                                          .category("amp")
                                          .function(function.getName()))
            << remark::metric("Type", type)
            << remark::reason("the program rounds its sum at every step; with "
                              "'outs' of f32 it would be rounded once");
        break;
      }
    });
  }

  /// Innermost loops of the program that take tensors apart.
  void checkLoops(FunctionOpInterface function) {
    function->walk([&](LoopLikeOpInterface loop) {
      bool isInnermost = true, takesElements = false;
      loop->walk([&](Operation *nested) {
        if (nested == loop)
          return;
        takesElements |= isa<tensor::ExtractOp, tensor::InsertOp>(nested);
        // Loops in linalg, and those that it becomes, are told of alone.
        isInnermost &= !isa<LoopLikeOpInterface, linalg::LinalgOp>(nested);
      });
      if (isInnermost && takesElements)
        reportScalar(loop.getLoc(), "ScalarLoop",
                     loop->getName().getStringRef(),
                     "it accesses elements of tensors; write it as linalg");
    });
  }

  /// Insertions that no linalg op does, but of a few elements beside whole
  /// rows.
  void checkInserts(FunctionOpInterface function) {
    function->walk([&](tensor::InsertSliceOp insert) {
      if (cpu::insertsApart(insert))
        reportScalar(insert.getLoc(), "ScalarAccess",
                     insert->getName().getStringRef(),
                     "what it inserts lies apart in its result; insert all "
                     "that goes between, or write it as linalg");
    });
  }

  void lowerAll(FunctionOpInterface function, const cpu::CPUTarget &target) {
    IRRewriter rewriter(&getContext());
    // Fills last: most start an accumulator and vanish with their one reader.
    SmallVector<linalg::LinalgOp> ops, fills, rest;
    function->walk([&](linalg::LinalgOp op) {
      (isa<linalg::FillOp>(op.getOperation()) ? fills : ops).push_back(op);
    });
    llvm::append_range(ops, fills);
    // Contractions first: what follows them works on their tiles, and what
    // only starts their sums vanishes.
    DenseSet<Operation *> done;
    for (linalg::LinalgOp op : ops) {
      if (done.contains(op.getOperation()) || isOpTriviallyDead(op) ||
          !cpu::isPackableContraction(op, target))
        continue;
      SmallVector<Operation *> lowered =
          cpu::lowerToPackedMatmul(rewriter, op, target, rest);
      done.insert_range(lowered);
      ++numPacked;
      numFused += lowered.size() - 1;
    }
    llvm::append_range(ops, rest);
    for (linalg::LinalgOp op : ops) {
      if (done.contains(op.getOperation()))
        continue;
      if (isOpTriviallyDead(op)) {
        rewriter.eraseOp(op);
        continue;
      }
      std::string reason;
      Location loc = op.getLoc();
      StringRef name = op->getName().getStringRef();
      SmallVector<Operation *> lowered =
          cpu::lowerToVectorLoops(rewriter, op, target, reason);
      if (!lowered.empty()) {
        done.insert_range(lowered);
        ++numVectorized;
        numFused += lowered.size() - 1;
        if (!reason.empty())
          reportScalar(loc, "ScalarAccess", name, reason);
        continue;
      }
      ++numScalar;
      // A computation of one element is none.
      if (llvm::any_of(op.getStaticLoopRanges(),
                       [](int64_t size) { return size != 1; }))
        reportScalar(loc, "ScalarFallback", name, reason);
    }
  }

  void cleanUp(FunctionOpInterface function) {
    RewritePatternSet patterns(&getContext());
    for (Dialect *dialect : getContext().getLoadedDialects())
      dialect->getCanonicalizationPatterns(patterns);
    for (RegisteredOperationName op : getContext().getRegisteredOperations())
      op.getCanonicalizationPatterns(patterns, &getContext());
    // Sizes of padding that is packed are those of what it pads.
    memref::populateResolveRankedShapedTypeResultDimsPatterns(patterns);
    // Not settling is no error: every step leaves valid IR.
    (void)applyPatternsGreedily(function, std::move(patterns));
    // What leaves a loop may be outside already.
    function->walk(
        [](LoopLikeOpInterface loop) { moveLoopInvariantCode(loop); });
    IRRewriter rewriter(&getContext());
    DominanceInfo dominance(function);
    eliminateCommonSubExpressions(rewriter, dominance, function);
    function->walk([](scf::ForOp loop) {
      if (loop->hasAttr(cpu::kParallelAttrName))
        sinkIntoBody(loop);
    });
  }

  bool isTooSlow = false;
};
} // namespace
