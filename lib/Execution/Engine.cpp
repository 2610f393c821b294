//===- Engine.cpp - code in memory ----------------------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Engine.h"

#include "amp/Support/AvoidedFeatures.h"
#include "amp/Support/MaskedStores.h"

#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace mlir::amp;
using llvm::Expected;

/// A target machine for this host with all its features but those that slow
/// code down.
static Expected<std::unique_ptr<llvm::TargetMachine>>
createHostMachine(llvm::CodeGenOptLevel level) {
  Expected<llvm::orc::JITTargetMachineBuilder> builder =
      llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!builder)
    return builder.takeError();
  builder->setCodeGenOptLevel(level);
  Expected<std::unique_ptr<llvm::TargetMachine>> machine =
      builder->createTargetMachine();
  if (!machine)
    return machine;
  builder->getFeatures().AddFeature(
      getAvoidedFeatures(*(*machine)->getMCSubtargetInfo()));
  return builder->createTargetMachine();
}

Expected<std::unique_ptr<ExecutionEngine>>
mlir::amp::createEngine(ModuleOp module, llvm::CodeGenOptLevel level) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  DialectRegistry registry;
  registerAllToLLVMIRTranslations(registry);
  module->getContext()->appendDialectRegistry(registry);

  Expected<std::unique_ptr<llvm::TargetMachine>> machine =
      createHostMachine(level);
  if (!machine)
    return machine.takeError();
  // The engine takes a machine of its own, which it hands to worker threads.
  Expected<std::unique_ptr<llvm::TargetMachine>> engineMachine =
      createHostMachine(level);
  if (!engineMachine)
    return engineMachine.takeError();
  ExecutionEngineOptions options;
  auto optimize = makeOptimizingTransformer(static_cast<unsigned>(level),
                                            /*sizeLevel=*/0, machine->get());
  auto transformer = [&](llvm::Module *module) -> llvm::Error {
    // A function of the program may be called as one of the C library is.
    for (llvm::Function &function : *module)
      if (function.hasLocalLinkage())
        function.setLinkage(llvm::GlobalValue::PrivateLinkage);
    if (llvm::Error error = optimize(module))
      return error;
    storeLoneLanes(*module);
    return llvm::Error::success();
  };
  options.transformer = transformer;
  options.jitCodeGenOptLevel = level;
  options.enableGDBNotificationListener = false;
  options.enablePerfNotificationListener = false;
  Expected<std::unique_ptr<ExecutionEngine>> engine =
      ExecutionEngine::create(module, options, std::move(*engineMachine));
  if (!engine)
    return engine.takeError();
  (*engine)->initialize();
  return engine;
}
