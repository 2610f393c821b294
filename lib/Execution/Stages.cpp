//===- Stages.cpp - from a module on tensors to LLVM ----------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Execution/Stages.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::amp;

static void buildBuffers(OpPassManager &pm, const CompileOptions &) {
  (void)parsePassPipeline(
      "one-shot-bufferize{bufferize-function-boundaries "
      "function-boundary-type-conversion=identity-layout-map},"
      "buffer-deallocation-pipeline,convert-linalg-to-loops,canonicalize",
      pm);
}

static void buildLLVM(OpPassManager &pm, const CompileOptions &) {
  (void)parsePassPipeline(
      "convert-scf-to-cf,expand-strided-metadata,lower-affine,"
      "func.func(convert-math-to-llvm),convert-math-to-libm,"
      "convert-to-llvm,canonicalize,reconcile-unrealized-casts",
      pm);
}

/// The stage after which no tensor changes its element type any more.
static constexpr StringRef lastTensorStage = "to-linalg";

static constexpr Stage stages[] = {
    {"decide", "every op in a scope has its decision", nullptr},
    {"apply", "the decided types, with casts; no scopes", nullptr},
    {"resolve", "no amp.promote, no amp.out_dtype", nullptr},
    {lastTensorStage, "only upstream dialects, on tensors", nullptr},
    {"cpu", "buffers, loops and vectors", buildBuffers},
    {"llvm", "the LLVM dialect", buildLLVM},
};

ArrayRef<Stage> mlir::amp::getStages() { return stages; }

const Stage *mlir::amp::findStage(StringRef name) {
  for (const Stage &stage : stages)
    if (stage.name == name)
      return &stage;
  return nullptr;
}

std::optional<Autocast> mlir::amp::parseAutocast(StringRef text) {
  return llvm::StringSwitch<std::optional<Autocast>>(text)
      .Case("off", Autocast::Off)
      .Case("f16", Autocast::F16)
      .Case("bf16", Autocast::BF16)
      .Default(std::nullopt);
}

/// An op that no registered dialect knows can be retyped by its name, but not
/// compiled.
static LogicalResult checkRegistered(ModuleOp module) {
  WalkResult result = module.walk([](Operation *op) {
    if (op->isRegistered())
      return WalkResult::advance();
    op->emitError("cannot be compiled: '")
        << op->getName()
        << "' is not a registered op; lower it to upstream dialects before "
           "running the module";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// Names and devices of arguments mean nothing to what follows, and LLVM's
/// translation warns of attributes that it does not know.
static void dropPortAttributes(ModuleOp module) {
  auto isOurs = [](NamedAttribute attr) {
    return attr.getName().getValue().starts_with("amp.");
  };
  module.walk([&](FunctionOpInterface function) {
    for (unsigned i = 0, e = function.getNumArguments(); i < e; ++i) {
      SmallVector<NamedAttribute> attrs(function.getArgAttrs(i));
      llvm::erase_if(attrs, isOurs);
      function.setArgAttrs(i, attrs);
    }
    for (unsigned i = 0, e = function.getNumResults(); i < e; ++i) {
      SmallVector<NamedAttribute> attrs(function.getResultAttrs(i));
      llvm::erase_if(attrs, isOurs);
      function.setResultAttrs(i, attrs);
    }
  });
}

/// Makes `entry` callable through its C interface, and its arguments read-only:
/// they are the caller's arrays, and may be used for several runs.
static void prepareEntry(func::FuncOp entry) {
  MLIRContext *context = entry.getContext();
  entry.setPublic();
  entry->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(),
                 UnitAttr::get(context));
  StringRef writable = bufferization::BufferizationDialect::kWritableAttrName;
  for (unsigned i = 0, e = entry.getNumArguments(); i < e; ++i)
    if (isa<TensorType>(entry.getArgument(i).getType()))
      entry.setArgAttr(i, writable, BoolAttr::get(context, false));
}

FailureOr<Signature> mlir::amp::compileToLLVM(func::FuncOp entry,
                                              const CompileOptions &options,
                                              StageObserver observer) {
  auto module = entry->getParentOfType<ModuleOp>();
  std::string name = entry.getName().str();
  Signature signature;
  for (const Stage &stage : stages) {
    if (stage.build) {
      PassManager pm(module->getContext(), ModuleOp::getOperationName());
      (void)applyPassManagerCLOptions(pm);
      stage.build(pm, options);
      if (failed(pm.run(module)))
        return module.emitError("the stage '")
               << stage.name << "' of the compilation failed";
    }
    if (!observer(stage, module))
      return signature;
    if (stage.name != lastTensorStage)
      continue;
    if (failed(checkRegistered(module)))
      return failure();
    // The stages may have replaced the function.
    auto function = module.lookupSymbol<func::FuncOp>(name);
    if (!function)
      return module.emitError("the function '")
             << name << "' is gone after the stage '" << stage.name << "'";
    llvm::append_range(signature.arguments, function.getArgumentTypes());
    llvm::append_range(signature.results, function.getResultTypes());
    dropPortAttributes(module);
    prepareEntry(function);
  }
  return signature;
}
