//===- ToBinary.cpp - device code to PTX and cubin ------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/NVVM/Passes.h"

#include "Ptxas.h"

#include "amp/Codegen/GPU/Target.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Target/LLVM/ModuleToObject.h"
#include "mlir/Target/LLVM/NVVM/Target.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Config/Targets.h"
#include "llvm/Support/TargetSelect.h"

namespace mlir::amp {
#define GEN_PASS_DEF_AMPGPUTOBINARYPASS
#include "amp/Codegen/NVVM/Passes.h.inc"
} // namespace mlir::amp

using namespace mlir;
namespace nvvm = mlir::amp::nvvm;

#ifndef LLVM_HAS_NVPTX_TARGET
#error "amp needs an LLVM with the NVPTX target"
#endif

extern "C" {
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}

static void initializeNVPTX() {
  static bool once = [] {
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    return true;
  }();
  (void)once;
}

namespace {
/// Translates a gpu.module in the LLVM dialect to PTX.
class ModuleToPtx : public LLVM::ModuleToObject {
public:
  ModuleToPtx(gpu::GPUModuleOp module, NVVM::NVVMTargetAttr target,
              StringRef libdevice)
      : ModuleToObject(*module, target.getTriple(), target.getChip(),
                       target.getFeatures(), target.getO()),
        libdevice(libdevice) {}

private:
  std::optional<SmallVector<std::unique_ptr<llvm::Module>>>
  loadBitcodeFiles(llvm::Module &module) override {
    SmallVector<std::unique_ptr<llvm::Module>> libraries;
    if (libdevice.empty())
      return libraries;
    std::unique_ptr<llvm::Module> library =
        loadBitcodeFile(module.getContext(), libdevice);
    if (!library)
      return std::nullopt;
    libraries.push_back(std::move(library));
    return libraries;
  }

  FailureOr<SmallVector<char, 0>>
  moduleToObject(llvm::Module &llvmModule) override {
    FailureOr<llvm::TargetMachine *> machine = getOrCreateTargetMachine();
    if (failed(machine))
      return emitError(getOperation().getLoc(),
                       "LLVM has no code generator for ")
             << triple << ", chip " << chip;
    FailureOr<SmallString<0>> text =
        translateModuleToISA(llvmModule, **machine, [&] {
          return emitError(getOperation().getLoc());
        });
    if (failed(text))
      return failure();
    return SmallVector<char, 0>(text->begin(), text->end());
  }

  StringRef libdevice;
};

enum class Format { Auto, Ptx, Cubin, Fatbin };

struct ToBinary : public amp::impl::AmpGPUToBinaryPassBase<ToBinary> {
  using Base::Base;

  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    NVVM::registerNVVMTargetInterfaceExternalModels(registry);
    registerBuiltinDialectTranslation(registry);
    registerGPUDialectTranslation(registry);
    registerLLVMDialectTranslation(registry);
    registerNVVMDialectTranslation(registry);
  }

  void runOnOperation() override {
    SmallVector<gpu::GPUModuleOp> modules;
    getOperation()->walk(
        [&](gpu::GPUModuleOp module) { modules.push_back(module); });
    if (modules.empty())
      return;
    Location loc = modules.front().getLoc();
    if (failed(readOptions(loc)))
      return signalPassFailure();
    initializeNVPTX();
    llvm::Expected<nvvm::Toolkit> found = nvvm::findToolkit(ptxas, toolkit);
    if (!found) {
      emitError(loc) << llvm::toString(found.takeError());
      return signalPassFailure();
    }
    for (gpu::GPUModuleOp module : modules)
      if (failed(convert(module, *found)))
        return signalPassFailure();
  }

private:
  LogicalResult readOptions(Location loc) {
    auto error = [&] { return emitError(loc, "amp-gpu-to-binary: "); };
    auto found = llvm::StringSwitch<std::optional<Format>>(format)
                     .Case("auto", Format::Auto)
                     .Case("ptx", Format::Ptx)
                     .Case("cubin", Format::Cubin)
                     .Case("fatbin", Format::Fatbin)
                     .Default(std::nullopt);
    if (!found)
      return error() << "expected format to be auto, ptx, cubin or fatbin, but "
                        "found '"
                     << format << "'";
    wanted = *found;
    if (optLevel > 3)
      return error() << "expected opt-level to be 0 to 3, but found "
                     << optLevel.getValue();
    std::string message;
    FailureOr<amp::gpu::GPUTarget> device =
        amp::gpu::GPUTarget::get(target, message);
    if (failed(device))
      return error() << message;
    if (device->isSimulated)
      return error() << "the simulator runs code of the host, not PTX; use "
                        "amp-gpu-simulate, or a target such as sm_80";
    chip = device->chip;
    return success();
  }

  /// The lowest version of PTX that LLVM assumes for a chip, or a higher one
  /// where instructions of the chip came later.
  static StringRef featuresOf(StringRef chip) {
    return llvm::StringSwitch<StringRef>(chip)
        .Case("sm_89", "+ptx81")
        // Bulk tensor copies to the shared memory of the block itself.
        .Case("sm_90a", "+ptx86")
        .Default("");
  }

  LogicalResult convert(gpu::GPUModuleOp module, const nvvm::Toolkit &tools) {
    auto attr = NVVM::NVVMTargetAttr::get(
        &getContext(), optLevel, "nvptx64-nvidia-cuda", chip, featuresOf(chip));
    // Ops that this target does not have are errors here, not of ptxas.
    if (failed(attr.verifyTarget(module)))
      return failure();
    StringRef libdevice;
    if (LLVM::LLVMFuncOp callee = firstLibraryFunction(module)) {
      if (tools.libdevice.empty())
        return reportMissingLibrary(module, callee);
      libdevice = tools.libdevice;
    }
    bool assemble = wanted != Format::Ptx && !tools.ptxas.empty();
    if (wanted != Format::Ptx && tools.ptxas.empty()) {
      if (wanted != Format::Auto)
        return emitError(module.getLoc(), "format=")
               << format
               << " needs ptxas, which is neither in the toolkit's folder nor "
                  "in that of $CUDA_HOME or on PATH; install CUDA's ptxas, or "
                  "use format=ptx";
      emitRemark(module.getLoc(),
                 "ptxas was not found: PTX is embedded, which the "
                 "driver compiles when the module is loaded");
    }

    std::optional<SmallVector<char, 0>> text =
        ModuleToPtx(module, attr, libdevice).run();
    if (!text)
      return failure();
    // The text ends in zeros of the translation's own buffer.
    auto trimmed = [&] {
      return StringRef(text->data(), text->size()).rtrim('\0');
    };
    std::optional<nvvm::PtxasResult> assembled;
    if (assemble) {
      if (failed(assembleText(module, trimmed(), tools, assembled)))
        return failure();
      if (assembled->succeeded && freeRegisters(module, *assembled)) {
        text = ModuleToPtx(module, attr, libdevice).run();
        if (!text || failed(assembleText(module, trimmed(), tools, assembled)))
          return failure();
      }
    }
    StringRef ptx = trimmed();
    if (verbose)
      llvm::errs() << ptx;
    ++numModules;

    SmallVector<char, 0> object(ptx.begin(), ptx.end());
    auto kind = gpu::CompilationTarget::Assembly;
    if (assemble) {
      kind = gpu::CompilationTarget::Binary;
      FailureOr<SmallVector<char, 0>> cubin =
          reportAssembly(module, std::move(*assembled), tools);
      if (failed(cubin))
        return failure();
      object = std::move(*cubin);
    }
    if (wanted == Format::Fatbin) {
      kind = gpu::CompilationTarget::Fatbin;
      if (tools.fatbinary.empty())
        return emitError(module.getLoc(),
                         "format=fatbin needs CUDA's program "
                         "'fatbinary' next to ptxas; use format=cubin");
      auto packed = nvvm::runFatbinary(tools.fatbinary, object, ptx, chip);
      if (!packed)
        return emitError(module.getLoc()) << llvm::toString(packed.takeError());
      object = std::move(*packed);
    }

    OpBuilder b(module);
    Attribute embedded = gpu::ObjectAttr::get(
        &getContext(), attr, kind,
        b.getStringAttr(StringRef(object.data(), object.size())),
        /*properties=*/DictionaryAttr(), /*kernels=*/nullptr);
    gpu::BinaryOp::create(b, module.getLoc(), module.getName(),
                          /*offloadingHandler=*/nullptr, ArrayRef(embedded));
    module.erase();
    return success();
  }

  static LLVM::LLVMFuncOp firstLibraryFunction(gpu::GPUModuleOp module) {
    for (auto function : module.getOps<LLVM::LLVMFuncOp>())
      if (function.isExternal() && function.getName().starts_with("__nv_"))
        return function;
    return nullptr;
  }

  static LogicalResult reportMissingLibrary(gpu::GPUModuleOp module,
                                            LLVM::LLVMFuncOp callee) {
    Location loc = callee.getLoc();
    module.walk([&](LLVM::CallOp call) {
      if (call.getCallee() != callee.getName())
        return WalkResult::advance();
      loc = call.getLoc();
      return WalkResult::interrupt();
    });
    return emitError(loc)
           << "this needs the function '" << callee.getName()
           << "' of CUDA's math library, and nvvm/libdevice/libdevice.10.bc is "
              "neither in the toolkit's folder, nor in that of $CUDA_HOME, nor "
              "beside ptxas; install CUDA's nvcc package and point $CUDA_HOME "
              "or the option 'toolkit' to it";
  }

  LogicalResult assembleText(gpu::GPUModuleOp module, StringRef ptx,
                             const nvvm::Toolkit &tools,
                             std::optional<nvvm::PtxasResult> &assembled) {
    // One function gains nothing.
    bool split = ptx.count(".entry ") > 1 && nvvm::canSplit(tools.ptxas);
    auto result = nvvm::runPtxas(tools.ptxas, ptx, chip, optLevel, split);
    if (!result)
      return emitError(module.getLoc()) << llvm::toString(result.takeError());
    assembled = std::move(*result);
    return success();
  }

  /// Where nothing limits a kernel's registers, ptxas limits them so that more
  /// blocks run at once, even if a few values then go through memory. Says that
  /// one block is enough for the kernels where it did; returns whether there
  /// are any.
  bool freeRegisters(gpu::GPUModuleOp module,
                     const nvvm::PtxasResult &assembled) {
    bool any = false;
    for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
      auto it = assembled.kernels.find(function.getName());
      if (it == assembled.kernels.end() ||
          (!it->second.spillStoreBytes && !it->second.spillLoadBytes) ||
          function->hasAttr(NVVM::NVVMDialect::getMinctasmAttrName()) ||
          function->hasAttr(NVVM::NVVMDialect::getMaxnregAttrName()))
        continue;
      function->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                        OpBuilder(function).getI32IntegerAttr(1));
      any = true;
    }
    return any;
  }

  FailureOr<SmallVector<char, 0>> reportAssembly(gpu::GPUModuleOp module,
                                                 nvvm::PtxasResult assembled,
                                                 const nvvm::Toolkit &tools) {
    nvvm::PtxasResult *result = &assembled;
    auto locationOf = [&](StringRef kernel) -> Location {
      if (auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(kernel))
        return function.getLoc();
      return module.getLoc();
    };
    bool bad = false;
    // What slows a kernel down is an error to tests, a warning to users.
    auto complain = [&](StringRef kernel) {
      bad |= strict;
      return strict ? emitError(locationOf(kernel))
                    : emitWarning(locationOf(kernel));
    };
    auto subject = [](StringRef kernel) {
      return kernel.empty() ? std::string("ptxas: ")
                            : ("ptxas, kernel '" + kernel + "': ").str();
    };
    for (const nvvm::PtxasMessage &message : result->messages) {
      if (message.isError) {
        emitError(locationOf(message.kernel))
            << subject(message.kernel) << message.text << " (target " << chip
            << ", " << tools.ptxas << ")";
        continue;
      }
      complain(message.kernel) << subject(message.kernel) << message.text;
    }
    if (!result->succeeded)
      return failure();
    for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
      auto it = result->kernels.find(function.getName());
      if (it == result->kernels.end())
        continue;
      ++numKernels;
      const nvvm::KernelReport &report = it->second;
      if (report.spillStoreBytes || report.spillLoadBytes)
        complain(function.getName())
            << "kernel '" << function.getName() << "' needs more than "
            << report.registers << " registers: " << report.spillStoreBytes
            << " bytes are spilled, " << report.spillLoadBytes
            << " bytes read back";
      if (verbose)
        emitRemark(function.getLoc(), "kernel '")
            << function.getName() << "': " << report.registers << " registers, "
            << report.sharedBytes << " bytes of shared "
            << "memory, " << report.stackBytes << " bytes of stack";
    }
    if (bad)
      return failure();
    return std::move(result->cubin);
  }

  Format wanted = Format::Auto;
  std::string chip;
};
} // namespace
