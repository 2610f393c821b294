//===- FormKernels.cpp - groups of ops become kernel functions ------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/Kernels/Passes.h"

#include "AttentionGroups.h"
#include "KernelForm.h"
#include "KernelOps.h"
#include "OutlineKernel.h"
#include "StatisticGroups.h"
#include "amp/Codegen/Common/CheckTypes.h"
#include "amp/Codegen/Common/Signedness.h"
#include "amp/Codegen/Kernels/KernelFusionModel.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"

namespace mlir::amp {
#define GEN_PASS_DEF_AMPFORMKERNELSPASS
#include "amp/Codegen/Kernels/Passes.h.inc"
} // namespace mlir::amp

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::kernels;

namespace {
struct FormKernels : public amp::impl::AmpFormKernelsPassBase<FormKernels> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    formed.clear();
    counters.clear();
    dropSignedness(module, /*keepNotes=*/true);
    SmallVector<func::FuncOp> functions;
    for (auto function : module.getOps<func::FuncOp>())
      if (!function.isExternal() &&
          !function->hasAttr(AMPDialect::kKernelAttrName))
        functions.push_back(function);
    for (func::FuncOp function : functions) {
      if (failed(checkTensors(function)) || failed(checkTypes(function)) ||
          failed(normalizeHost(function)))
        return signalPassFailure();
      if (failed(formKernels(function)))
        return signalPassFailure();
      if (failed(cleanHost(function)) || failed(checkComplete(function)))
        return signalPassFailure();
    }
    // Host functions were cleaned since: a launch that took casts of tensors
    // was made anew, without them, and one that nothing needs is gone.
    llvm::DenseMap<StringAttr, LaunchOp> launches;
    module.walk([&](LaunchOp launch) {
      launches[launch.getKernel().getLeafReference()] = launch;
    });
    for (func::FuncOp kernel : formed) {
      LaunchOp launch = launches.lookup(kernel.getNameAttr());
      if (!launch)
        kernel.erase();
      else if (failed(simplifyKernel(kernel, launch)))
        return signalPassFailure();
    }
    for (func::FuncOp function : functions) {
      if (failed(cleanHost(function)))
        return signalPassFailure();
      separateDestinations(function);
    }
  }

private:
  LogicalResult checkTensors(func::FuncOp function) {
    WalkResult result = function->walk([&](linalg::LinalgOp op) {
      if (op.hasPureTensorSemantics())
        return WalkResult::advance();
      op->emitOpError("works on buffers, but '")
          << getArgument()
          << "' forms kernels of ops on tensors: run it before bufferization";
      return WalkResult::interrupt();
    });
    return failure(result.wasInterrupted());
  }

  /// Gives each destination an empty tensor of its own: each becomes a buffer.
  void separateDestinations(func::FuncOp function) {
    function.walk([&](LaunchOp launch) {
      OpBuilder b(launch);
      for (OpOperand &output : launch.getOutputsMutable())
        if (auto empty = output.get().getDefiningOp<tensor::EmptyOp>();
            empty && !empty->hasOneUse())
          output.set(b.clone(*empty)->getResult(0));
    });
  }

  /// All work on tensors must be in kernels afterwards.
  LogicalResult checkComplete(func::FuncOp function) {
    WalkResult result = function->walk([&](Operation *op) {
      if (isa<func::FuncOp, LaunchOp>(op) ||
          KernelFusionModel::getRole(op) != KernelRole::Work)
        return WalkResult::advance();
      op->emitOpError("is left in a host function: no kernel takes it");
      return WalkResult::interrupt();
    });
    return failure(result.wasInterrupted());
  }

  /// The module that holds the kernels, created when there is one.
  ModuleOp getKernels() {
    ModuleOp module = getOperation();
    for (auto nested : module.getOps<ModuleOp>())
      if (nested.getSymName() == StringRef("kernels"))
        return nested;
    OpBuilder b = OpBuilder::atBlockBegin(module.getBody());
    return ModuleOp::create(b, module.getLoc(), StringRef("kernels"));
  }

  /// `name` with "_" for each character that a name in PTX may not have.
  static std::string toIdentifier(StringRef name) {
    std::string result;
    if (name.empty() || !llvm::isAlpha(name.front()))
      result += "k_";
    for (char c : name)
      result += llvm::isAlnum(c) || c == '_' ? c : '_';
    return result;
  }

  /// A name for the kernel of `group` that no other has.
  std::string getFreeName(ModuleOp kernels, func::FuncOp function,
                          const KernelGroup &group) {
    std::string stem =
        toIdentifier(function.getName()) + "_" + describeGroup(group) + "_";
    std::string name;
    do
      name = stem + std::to_string(counters[function]++);
    while (kernels.lookupSymbol(name));
    return name;
  }

  LogicalResult formKernels(func::FuncOp function) {
    SmallVector<Block *> blocks;
    blocks.push_back(&function.front());
    function->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (op != function && KernelFusionModel::getRole(op) != KernelRole::Host)
        return WalkResult::skip();
      for (Region &region : op->getRegions())
        for (Block &block : region)
          if (&block != &function.front())
            blocks.push_back(&block);
      return WalkResult::advance();
    });
    for (Block *block : blocks)
      if (failed(formKernels(function, *block)))
        return failure();
    return success();
  }

  LogicalResult formKernels(func::FuncOp function, Block &block) {
    if (fuseAttention) {
      shareHeads(block);
      addRows(block);
      llvm::DenseSet<Operation *> combined = splitKeys(function, block);
      SmallVector<MissedFusion> missed;
      FailureOr<std::vector<KernelGroup>> groups =
          findAttentions(block, combined, missed);
      if (failed(groups))
        return failure();
      formKernels(function, block, *groups, missed);
    }
    if (rowStatistics)
      formKernels(function, block,
                  splitRowStatistics(function, block, separateCasts), {});
    KernelFusionModel model(block, separateCasts);
    formKernels(function, block, model.getGroups(), model.getMissedFusions());
    return success();
  }

  /// Makes kernels of `groups` of `block`, and reports `missed`.
  void formKernels(func::FuncOp function, Block &block,
                   ArrayRef<KernelGroup> groups,
                   ArrayRef<MissedFusion> missed) {
    if (groups.empty() && missed.empty())
      return;
    llvm::DenseMap<Operation *, SmallVector<const KernelGroup *, 1>> groupsOf;
    for (const KernelGroup &group : groups)
      for (Operation *op : group.ops)
        groupsOf[op].push_back(&group);
    for (const MissedFusion &miss : missed)
      remark::missed(miss.consumer->getLoc(),
                     remark::RemarkOpts::name("FusionMissed")
                         .category("amp")
                         .function(function.getName()))
          << remark::metric("Op", miss.consumer->getName().getStringRef())
          << remark::metric("Producer", miss.producer->getName().getStringRef())
          << remark::reason("{0}", miss.reason);
    if (groups.empty())
      return;

    ModuleOp kernels = getKernels();
    IRRewriter rewriter(&getContext());
    for (const KernelGroup &group : groups) {
      auto isOutside = [&](Operation *op, Operation *user) {
        auto it = groupsOf.find(user);
        if (it == groupsOf.end())
          return !KernelFusionModel::isFree(user) ||
                 !KernelFusionModel::isFree(op);
        // A kernel that reads a free op holds a copy.
        if (KernelFusionModel::isFree(op))
          return false;
        return llvm::any_of(it->second, [&](const KernelGroup *other) {
          return !llvm::is_contained(other->ops, op);
        });
      };
      std::string name = getFreeName(kernels, function, group);
      func::FuncOp kernel =
          outlineKernel(rewriter, group, kernels, name, isOutside);
      int64_t bytes = 0;
      for (Type type : kernel.getArgumentTypes())
        if (auto tensor = dyn_cast<RankedTensorType>(type);
            tensor && tensor.hasStaticShape())
          bytes += estimateBytes(tensor);
      remark::passed(group.root->getLoc(),
                     remark::RemarkOpts::name("KernelFormed")
                         .category("amp")
                         .function(function.getName()))
          << remark::metric("Kernel", name)
          << remark::metric("Kind", stringifyKernelKind(group.kind))
          << remark::metric("Root", group.root->getName().getStringRef())
          << remark::metric("Ops", static_cast<int64_t>(group.ops.size()))
          << remark::metric("Bytes", bytes);
      formed.push_back(kernel);
      ++numKernels;
      numOps += group.ops.size();
    }
    // The ops of the groups have no uses any more, but among themselves.
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
      if (isOpTriviallyDead(&op))
        op.erase();
    orderByUses(block);
  }

  SmallVector<func::FuncOp> formed;
  llvm::DenseMap<Operation *, unsigned> counters;
};
} // namespace
