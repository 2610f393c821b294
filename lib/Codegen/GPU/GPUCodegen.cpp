//===- GPUCodegen.cpp - turn kernel functions into device code ------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/GPU/Passes.h"

#include "OutlineBufferOps.h"
#include "amp/Codegen/GPU/Schedule.h"
#include "amp/Codegen/GPU/Tuning.h"
#include "amp/Dialect/AMP/IR/AMP.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

#include <deque>

namespace mlir::amp {
#define GEN_PASS_DEF_AMPGPUCODEGENPASS
#include "amp/Codegen/GPU/Passes.h.inc"
} // namespace mlir::amp

using namespace mlir;
using namespace mlir::amp;

/// The name of the module of device code.
static constexpr StringLiteral kModuleName = "kernels";
/// The attribute of a device function that names its schedule.
static constexpr StringLiteral kScheduleAttrName = "schedule";

namespace {
/// A kernel function that was compiled for the types of its operands.
struct Compiled {
  amp::gpu::Kernel kernel;
  const amp::gpu::Schedule *schedule = nullptr;
  /// What `amp.schedule`, or the tuning file, asks for; empty: nothing.
  std::string choice;
  bool isTuned = false;
  SmallVector<::mlir::gpu::GPUFuncOp> functions;
};

struct GPUCodegen : public amp::impl::AmpGPUCodegenPassBase<GPUCodegen> {
  using Base::Base;

  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    amp::gpu::registerInstructionDialects(registry);
    amp::gpu::registerLaunchEffects(registry);
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    std::string error;
    FailureOr<amp::gpu::GPUTarget> found =
        amp::gpu::GPUTarget::get(targetName, error);
    if (failed(found)) {
      // Not on the op: the message would carry the whole module.
      emitError(module->getLoc(), "amp-gpu-codegen: ") << error;
      return signalPassFailure();
    }
    target = *found;
    if (mapBlocks < 0 || mapBlocks > amp::gpu::kMaxGrid) {
      emitError(module->getLoc(),
                "amp-gpu-codegen: expected 'map-blocks' to be "
                "0 to ")
          << amp::gpu::kMaxGrid << ", but found " << mapBlocks.getValue();
      return signalPassFailure();
    }
    if (failed(readTuningFile(module)))
      return signalPassFailure();
    compiled.clear();
    if (failed(amp::gpu::outlineBufferOps(module)) || failed(collect(module)))
      return signalPassFailure();
    if (launches.empty())
      return removeKernels();
    createModule(module);
    llvm::SetVector<Operation *> hosts;
    for (auto [launch, function] : launches) {
      hosts.insert(launch->getParentOfType<FunctionOpInterface>());
      if (failed(lower(launch, function)))
        return signalPassFailure();
    }
    removeKernels();
    cleanUp();
    // Grids of static shapes are constants.
    FrozenRewritePatternSet onlyFolding;
    for (Operation *host : hosts)
      (void)applyPatternsGreedily(host, onlyFolding);
  }

private:
  LogicalResult collect(ModuleOp module) {
    launches.clear();
    kernels.clear();
    forcedChoices.clear();
    SymbolTableCollection symbols;
    WalkResult result = module.walk([&](Operation *op) {
      if (op->hasAttr(AMPDialect::kKernelAttrName) && isa<func::FuncOp>(op)) {
        kernels.insert(cast<func::FuncOp>(op));
        forcedChoices[op] =
            op->getAttrOfType<StringAttr>(AMPDialect::kScheduleAttrName);
        return WalkResult::skip();
      }
      auto launch = dyn_cast<LaunchOp>(op);
      if (!launch)
        return WalkResult::advance();
      for (Value operand : launch.getOperands())
        if (isa<TensorType>(operand.getType())) {
          launch->emitOpError("is on tensors, but '")
              << getArgument() << "' needs buffers: bufferize the host first";
          return WalkResult::interrupt();
        }
      auto function = symbols.lookupNearestSymbolFrom<func::FuncOp>(
          launch, launch.getKernel());
      if (!function || !function.getBody().hasOneBlock()) {
        launch->emitOpError("expected '")
            << launch.getKernel() << "' to be a func.func of one block";
        return WalkResult::interrupt();
      }
      launches.push_back({launch, function});
      return WalkResult::advance();
    });
    return failure(result.wasInterrupted());
  }

  /// Creates the module of device code; another symbol of its name makes way.
  void createModule(ModuleOp module) {
    SymbolTable symbols(module);
    if (Operation *other = symbols.lookup(kModuleName))
      // Its launches have been resolved.
      (void)symbols.renameToUnique(other, {});
    OpBuilder b = OpBuilder::atBlockBegin(module.getBody());
    deviceModule =
        ::mlir::gpu::GPUModuleOp::create(b, module.getLoc(), kModuleName);
    module->setAttr(::mlir::gpu::GPUDialect::getContainerModuleAttrName(),
                    b.getUnitAttr());
  }

  LogicalResult lower(LaunchOp launch, func::FuncOp function) {
    SmallVector<Type> types(launch.getOperandTypes());
    Compiled *entry = nullptr;
    for (Compiled &other : compiled)
      if (other.kernel.function == function &&
          other.kernel.operandTypes == types)
        entry = &other;
    if (!entry) {
      entry = &compiled.emplace_back();
      entry->kernel = {function, types, target, allowTF32, fastF8, mapBlocks};
      if (failed(compile(*entry)))
        return failure();
    }
    OpBuilder b(launch);
    // A function has one entry for each types that it is called with.
    setChoice(*entry);
    if (failed(entry->schedule->emitHost(entry->kernel, entry->functions,
                                         launch.getOperands(), b,
                                         launch.getLoc())))
      return failure();
    launch.erase();
    return success();
  }

  /// Tells schedules what is asked for.
  static void setChoice(const Compiled &entry) {
    func::FuncOp function = entry.kernel.function;
    if (entry.choice.empty())
      function->removeAttr(AMPDialect::kScheduleAttrName);
    else
      function->setAttr(AMPDialect::kScheduleAttrName,
                        StringAttr::get(function.getContext(), entry.choice));
  }

  /// Whether `schedule` may, and can, take the kernel of `entry`; else `reason`
  /// says why not.
  static LogicalResult match(const amp::gpu::Schedule &schedule,
                             const Compiled &entry, std::string &reason) {
    setChoice(entry);
    StringRef options = StringRef(entry.choice).split(':').second;
    if (!options.empty() && !schedule.takesOptions()) {
      reason = ("it has no option '" + options + "'").str();
      return failure();
    }
    return schedule.match(entry.kernel, reason);
  }

  static const amp::gpu::Schedule *findSchedule(StringRef choice) {
    for (const amp::gpu::Schedule *schedule : amp::gpu::getSchedules())
      if (schedule->getName() == choice.split(':').first)
        return schedule;
    return nullptr;
  }

  /// Takes the schedule that `amp.schedule` asks for.
  LogicalResult force(Compiled &entry, StringRef choice) {
    func::FuncOp function = entry.kernel.function;
    entry.choice = choice.str();
    entry.schedule = findSchedule(choice);
    if (!entry.schedule) {
      SmallVector<StringRef> names;
      for (const amp::gpu::Schedule *schedule : amp::gpu::getSchedules())
        names.push_back(schedule->getName());
      return function->emitError()
             << "expected '" << AMPDialect::kScheduleAttrName
             << "' to be one of " << llvm::join(names, ", ") << ", but found '"
             << choice << "'";
    }
    std::string reason;
    if (succeeded(match(*entry.schedule, entry, reason)))
      return success();
    return function->emitError()
           << "'" << AMPDialect::kScheduleAttrName << "' asks for '"
           << entry.schedule->getName()
           << "', which cannot take this kernel because " << reason
           << "; remove the attribute to have a schedule chosen";
  }

  /// Takes the schedule that the tuning file has for `name`, if it has one.
  void tune(Compiled &entry, StringRef name) {
    const amp::gpu::TuningEntry *tuned = tuning.find(name);
    if (!tuned)
      return;
    entry.choice = tuned->schedule;
    const amp::gpu::Schedule *schedule = findSchedule(tuned->schedule);
    std::string reason;
    if (!schedule)
      reason = "there is no such schedule";
    else if (!schedule->isFor(target))
      reason = "'" + target.chip + "' has not what it is made of";
    else if (succeeded(match(*schedule, entry, reason))) {
      entry.schedule = schedule;
      entry.isTuned = true;
      return;
    }
    entry.choice.clear();
    func::FuncOp function = entry.kernel.function;
    function->emitWarning()
        << "the tuning file '" << tuningFile.getValue() << "' has '"
        << tuned->schedule << "' for this kernel, which cannot take it because "
        << reason << "; chosen without it: run amp-tune again";
  }

  /// Takes the first schedule that can take the kernel. `reasons` says why the
  /// ones before it cannot.
  LogicalResult choose(Compiled &entry, std::string &reasons) {
    for (const amp::gpu::Schedule *schedule : amp::gpu::getSchedules()) {
      if (!schedule->isFor(target))
        continue;
      std::string reason;
      if (succeeded(match(*schedule, entry, reason))) {
        entry.schedule = schedule;
        return success();
      }
      // Nothing of the kind that the schedule is for.
      if (reason.empty())
        continue;
      reasons += (reasons.empty() ? "" : "; ") + schedule->getName().str() +
                 ": " + reason;
    }
    return func::FuncOp(entry.kernel.function)->emitError()
           << "no schedule can take this kernel (" << reasons << ")";
  }

  LogicalResult compile(Compiled &entry) {
    func::FuncOp function = entry.kernel.function;
    std::string reasons, name;
    if (noteCandidates || !tuningFile.empty())
      name = amp::gpu::getTuningName(entry.kernel);
    auto forced = forcedChoices.lookup(function);
    if (forced) {
      if (failed(force(entry, forced.getValue())))
        return failure();
    } else {
      tune(entry, name);
      if (!entry.schedule && failed(choose(entry, reasons)))
        return failure();
    }

    FailureOr<SmallVector<::mlir::gpu::GPUFuncOp>> functions =
        entry.schedule->emitDevice(entry.kernel, deviceModule);
    if (failed(functions))
      return failure();
    entry.functions = *functions;
    SymbolTable symbols(deviceModule);
    ++numKernels;
    for (::mlir::gpu::GPUFuncOp device : entry.functions) {
      ++numFunctions;
      // The same kernel for other types has functions of the same names.
      unique(device);
      OpBuilder b(device);
      device->setAttr(kScheduleAttrName,
                      b.getStringAttr(entry.schedule->getName()));
      if (noteCandidates && device == entry.functions.front())
        device->setAttr(amp::gpu::kTuningAttrName,
                        getNotes(entry, name, forced != nullptr));
      report(device, entry, reasons);
    }
    return success();
  }

  /// What can be measured for the kernel of `entry`: nothing if it `isForced`.
  DictionaryAttr getNotes(const Compiled &entry, StringRef name,
                          bool isForced) {
    Builder b(&getContext());
    SmallVector<Attribute> candidates;
    Compiled other = entry;
    for (const amp::gpu::Schedule *schedule : amp::gpu::getSchedules()) {
      // A choice says that small problems are to be tried as well.
      other.choice = schedule->getName().str();
      std::string reason;
      if (isForced || !schedule->isFor(target) ||
          failed(match(*schedule, other, reason)))
        continue;
      for (const std::string &text :
           amp::gpu::getCandidates(*schedule, entry.kernel)) {
        other.choice = text;
        if (succeeded(match(*schedule, other, reason)))
          candidates.push_back(b.getStringAttr(text));
      }
    }
    setChoice(entry);
    return b.getDictionaryAttr(
        {b.getNamedAttr("kernel", b.getStringAttr(name)),
         b.getNamedAttr("schedule",
                        b.getStringAttr(entry.choice.empty()
                                            ? entry.schedule->getName()
                                            : StringRef(entry.choice))),
         b.getNamedAttr("candidates", b.getArrayAttr(candidates))});
  }

  /// Reads the tuning file, if there is one.
  LogicalResult readTuningFile(ModuleOp module) {
    tuning = {};
    if (tuningFile.empty())
      return success();
    StringRef path = tuningFile.getValue();
    auto at = [&](unsigned line, unsigned column) -> Location {
      return FileLineColLoc::get(&getContext(), path, line, column);
    };
    FailureOr<amp::gpu::TuningFile> file = amp::gpu::TuningFile::read(
        path, [&](unsigned line, unsigned column, const Twine &message) {
          emitError(at(line, column), "tuning file: ") << message;
        });
    if (failed(file))
      return failure();
    std::string message, warning;
    FailureOr<amp::gpu::TuningTable> table = amp::gpu::TuningTable::create(
        *file, targetName, tuningDevice, message, warning);
    if (failed(table))
      return emitError(at(0, 0), "tuning file: ") << message;
    if (!warning.empty())
      emitWarning(at(0, 0), "tuning file: ") << warning;
    tuning = std::move(*table);
    return success();
  }

  void unique(::mlir::gpu::GPUFuncOp function) {
    std::string name = function.getName().str();
    auto isTaken = [&](StringRef candidate) {
      return llvm::any_of(deviceModule.getOps<::mlir::gpu::GPUFuncOp>(),
                          [&](::mlir::gpu::GPUFuncOp other) {
                            return other != function &&
                                   other.getName() == candidate;
                          });
    };
    std::string candidate = name;
    for (unsigned number = 0; isTaken(candidate); ++number)
      candidate = name + "_v" + std::to_string(number);
    function.setName(candidate);
  }

  void report(::mlir::gpu::GPUFuncOp device, const Compiled &entry,
              StringRef reasons) {
    int64_t width = 1;
    device.walk([&](Operation *op) {
      if (!isa<vector::LoadOp, vector::StoreOp>(op))
        return;
      for (Type type :
           llvm::concat<const Type>(SmallVector<Type>(op->getOperandTypes()),
                                    SmallVector<Type>(op->getResultTypes())))
        if (auto vector = dyn_cast<VectorType>(type))
          width = std::max(width, vector.getNumElements());
    });
    remark::passed(device.getLoc(), remark::RemarkOpts::name("Schedule")
                                        .category("amp")
                                        .function(device.getName()))
        << remark::metric("Schedule", entry.schedule->getName())
        << remark::metric("VectorWidth", width)
        << remark::metric("Threads", (*device.getKnownBlockSize())[0])
        << remark::reason("{0}", entry.isTuned     ? "tuning file"
                                 : reasons.empty() ? StringRef("preferred")
                                                   : reasons);
  }

  void removeKernels() {
    for (func::FuncOp kernel : kernels) {
      auto parent = dyn_cast<ModuleOp>(kernel->getParentOp());
      kernel.erase();
      if (parent && parent != getOperation() && parent.getBody()->empty())
        parent.erase();
    }
  }

  void cleanUp() {
    RewritePatternSet patterns(&getContext());
    for (Dialect *dialect : getContext().getLoadedDialects())
      dialect->getCanonicalizationPatterns(patterns);
    for (RegisteredOperationName op : getContext().getRegisteredOperations())
      op.getCanonicalizationPatterns(patterns, &getContext());
    FrozenRewritePatternSet frozen(std::move(patterns));
    for (auto function : deviceModule.getOps<::mlir::gpu::GPUFuncOp>()) {
      // Not settling is no error: every step leaves valid IR.
      (void)applyPatternsGreedily(function, frozen);
      IRRewriter rewriter(&getContext());
      DominanceInfo dominance(function);
      eliminateCommonSubExpressions(rewriter, dominance, function);
      function.walk(
          [](LoopLikeOpInterface loop) { moveLoopInvariantCode(loop); });
    }
  }

  amp::gpu::GPUTarget target;
  amp::gpu::TuningTable tuning;
  SmallVector<std::pair<LaunchOp, func::FuncOp>> launches;
  llvm::SetVector<func::FuncOp> kernels;
  /// What `amp.schedule` says of each.
  llvm::DenseMap<Operation *, StringAttr> forcedChoices;
  /// Entries stay where they are.
  std::deque<Compiled> compiled;
  ::mlir::gpu::GPUModuleOp deviceModule;
};
} // namespace
