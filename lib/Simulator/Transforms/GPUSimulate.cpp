//===- GPUSimulate.cpp - compile device code for the simulator ------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Simulator/Passes.h"

#include "Kernel.h"
#include "Lowering.h"

#include "amp/Simulator/Image.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::amp {
#define GEN_PASS_DEF_AMPGPUSIMULATEPASS
#include "amp/Simulator/Passes.h.inc"
} // namespace mlir::amp

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::sim;

/// Reductions of warps become shuffles; vector.mask becomes operands of what it
/// masks. Those of blocks have no such form: in upstream's, several lanes write
/// the same element.
static LogicalResult expandOps(gpu::GPUModuleOp module) {
  RewritePatternSet patterns(module.getContext());
  vector::populateVectorMaskLoweringPatternsForSideEffectingOps(patterns);
  populateGpuBreakDownSubgroupReducePatterns(patterns,
                                             /*maxShuffleBitwidth=*/32);
  populateGpuLowerSubgroupReduceToShufflePatterns(patterns, /*subgroupSize=*/32,
                                                  /*shuffleBitwidth=*/32);
  populateGpuLowerClusteredSubgroupReduceToShufflePatterns(
      patterns, /*subgroupSize=*/32, /*shuffleBitwidth=*/32);
  return applyPatternsGreedily(module, std::move(patterns));
}

/// Whether the op leaves memory alone, but for the thread's own stack.
static bool isHarmless(Operation *op) {
  if (isMemoryEffectFree(op) ||
      op->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
    return true;
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface)
    return false;
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  return llvm::all_of(effects, [](const MemoryEffects::EffectInstance &effect) {
    return isa<MemoryEffects::Allocate>(effect.getEffect()) &&
           isa<SideEffects::AutomaticAllocationScopeResource>(
               effect.getResource());
  });
}

/// A run gives the same bits, whatever the host's compiler makes of the flags.
static void dropFastMath(Operation *op) {
  auto math = dyn_cast<arith::ArithFastMathInterface>(op);
  if (!math || !math.getFastMathFlagsAttr())
    return;
  // The flags of casts are optional; others always have some.
  if (auto widening = dyn_cast<arith::ExtFOp>(op))
    widening.removeFastmathAttr();
  else if (auto narrowing = dyn_cast<arith::TruncFOp>(op))
    narrowing.removeFastmathAttr();
  else
    op->setAttr(math.getFastMathAttrName(),
                arith::FastMathFlagsAttr::get(op->getContext(),
                                              arith::FastMathFlags::none));
}

/// Rewrites the ops of the source in `kernel`.
static LogicalResult rewriteOps(Emitter &emitter, Kernel &kernel) {
  bool failed = false;
  for (Operation *op : kernel.ops) {
    dropFastMath(op);
    Rewritten result = rewriteGPUOp(emitter, kernel, op);
    if (result == Rewritten::Unknown)
      result = rewriteNVVMOp(emitter, kernel, op);
    if (result == Rewritten::Unknown)
      result = rewriteLLVMOp(emitter, kernel, op);
    if (result == Rewritten::Unknown)
      result = checkMemoryOp(emitter, kernel, op);
    if (result == Rewritten::Unknown && !isHarmless(op)) {
      op->emitError() << "the simulator cannot check what '" << op->getName()
                      << "' does to memory; docs/simulator.md lists the ops "
                         "that device code may have";
      result = Rewritten::Failed;
    }
    failed |= result == Rewritten::Failed;
  }
  return failure(failed);
}

namespace {
struct GPUSimulate : public amp::impl::AmpGPUSimulatePassBase<GPUSimulate> {
  using Base::Base;

  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    OpPassManager preparation(gpu::GPUModuleOp::getOperationName());
    buildPreparation(preparation);
    preparation.getDependentDialects(registry);
    OpPassManager lowering(ModuleOp::getOperationName());
    buildKernelLowering(lowering);
    lowering.getDependentDialects(registry);
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    for (auto source :
         llvm::make_early_inc_range(module.getOps<gpu::GPUModuleOp>()))
      if (failed(simulate(source)))
        return signalPassFailure();
    if (launches && failed(lowerLaunches()))
      return signalPassFailure();
  }

private:
  LogicalResult simulate(gpu::GPUModuleOp source);
  LogicalResult lowerLaunches();
};
} // namespace

/// Moves everything of `from` to the end of `to`; declarations that `to` has
/// already are left behind.
static LogicalResult moveContents(ModuleOp from, ModuleOp to) {
  SymbolTable symbols(to);
  for (Operation &op : llvm::make_early_inc_range(*from.getBody())) {
    auto symbol = cast<SymbolOpInterface>(op);
    if (Operation *other = symbols.lookup(symbol.getName())) {
      auto function = dyn_cast<LLVM::LLVMFuncOp>(op);
      if (function && function.isExternal() && isa<LLVM::LLVMFuncOp>(other))
        continue;
      return other->emitError()
             << "the simulator needs the name '" << symbol.getName()
             << "', which is taken; rename this symbol";
    }
    op.remove();
    symbols.insert(&op);
  }
  return success();
}

LogicalResult GPUSimulate::simulate(gpu::GPUModuleOp source) {
  ModuleOp host = getOperation();
  Location loc = source.getLoc();
  if (failed(expandOps(source)))
    return failure();
  OpPassManager preparation(gpu::GPUModuleOp::getOperationName());
  buildPreparation(preparation);
  if (failed(runPipeline(preparation, source)))
    return failure();

  OpBuilder builder(source);
  auto device = ModuleOp::create(builder, loc);
  std::string prefix = source.getName().str();
  Emitter emitter(device, prefix);
  SmallVector<Kernel> kernels;
  for (auto function : source.getOps<gpu::GPUFuncOp>()) {
    if (!function.isKernel())
      return function.emitError()
             << "the simulator runs kernels only: inline the function '"
             << function.getName() << "' into its callers";
    FailureOr<Kernel> kernel = createKernel(emitter, function);
    if (failed(kernel) || failed(rewriteOps(emitter, *kernel)))
      return failure();
    numChecked += kernel->numChecked;
    ++numKernels;
    kernels.push_back(std::move(*kernel));
  }
  StringAttr name = source.getNameAttr();
  SmallVector<NamedAttribute> properties;
  if (lower) {
    OpPassManager lowering(ModuleOp::getOperationName());
    buildKernelLowering(lowering);
    if (failed(runPipeline(lowering, device)))
      return failure();
    // The image needs addresses, which only functions of LLVM have.
    std::string image = createImage(emitter, prefix, loc, kernels);
    properties.push_back(
        builder.getNamedAttr("simulator_image", builder.getStringAttr(image)));
  }
  source.erase();
  builder.setInsertionPoint(device);
  // The target is of no use but that an object needs one.
  auto target = parseAttribute("#nvvm.target", builder.getContext());
  auto object = gpu::ObjectAttr::get(
      builder.getContext(), target, gpu::CompilationTarget::Offload,
      builder.getStringAttr(AMP_SIM_IMAGE_MAGIC),
      builder.getDictionaryAttr(properties), gpu::KernelTableAttr());
  gpu::BinaryOp::create(builder, loc, name, nullptr,
                        builder.getArrayAttr({object}));
  LogicalResult moved = moveContents(device, host);
  device.erase();
  return moved;
}

/// The launched kernel's entry in the table of its image.
static FailureOr<Value> findKernel(Emitter &emitter, gpu::LaunchFuncOp launch) {
  ModuleOp module = emitter.getModule();
  StringRef prefix = launch.getKernelModuleName().getValue();
  auto table = module.lookupSymbol<LLVM::GlobalOp>((prefix + ".kernels").str());
  if (table) {
    unsigned index = 0;
    std::string name = (prefix + "." + launch.getKernelName().getValue()).str();
    for (auto address : table.getInitializer().getOps<LLVM::AddressOfOp>()) {
      if (!address.getGlobalName().ends_with(".params"))
        continue;
      if (address.getGlobalName() == name + ".params") {
        OpBuilder builder(launch);
        Value base = LLVM::AddressOfOp::create(builder, launch.getLoc(), table);
        return emitter.advance(builder, launch.getLoc(), base,
                               int64_t(index * sizeof(ampSimKernel)));
      }
      ++index;
    }
  }
  launch.emitError() << "there is no kernel " << launch.getKernel()
                     << " in this module";
  return failure();
}

LogicalResult GPUSimulate::lowerLaunches() {
  ModuleOp module = getOperation();
  dropMemorySpaces(module);
  Emitter emitter(module, "launch");
  SmallVector<gpu::LaunchFuncOp> all;
  module.walk([&](gpu::LaunchFuncOp launch) { all.push_back(launch); });
  for (gpu::LaunchFuncOp launch : all) {
    FailureOr<Value> entry = findKernel(emitter, launch);
    if (failed(entry) || failed(lowerLaunch(emitter, launch, *entry)))
      return failure();
  }
  for (auto binary : llvm::make_early_inc_range(module.getOps<gpu::BinaryOp>()))
    binary.erase();
  module->removeAttr(gpu::GPUDialect::getContainerModuleAttrName());
  return success();
}
