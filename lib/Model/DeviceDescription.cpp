//===- DeviceDescription.cpp - models whose kernels run on a device -------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Model/Description.h"

#include "amp/Support/Errors.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace mlir::amp;
using llvm::Error;

/// The position of the manifest among the fields of ampCudaModelDesc
/// (amp/Runtime/CUDA.h).
static constexpr unsigned kManifestField = 5;

/// The text that a constant points to.
static StringRef getText(llvm::Constant *pointer) {
  auto *variable = dyn_cast<llvm::GlobalVariable>(pointer);
  auto *data =
      variable && variable->hasInitializer()
          ? dyn_cast<llvm::ConstantDataArray>(variable->getInitializer())
          : nullptr;
  return data && data->isCString() ? data->getAsCString() : StringRef();
}

/// Notes what only the lowering of the host code knows: kernels and scratch
/// memory.
static Error readManifest(StringRef text, ModelInfo &info) {
  llvm::Expected<llvm::json::Value> manifest = llvm::json::parse(text);
  if (!manifest)
    return inContext("the manifest of the host code", manifest.takeError());
  const llvm::json::Object *object = manifest->getAsObject();
  const llvm::json::Array *functions =
      object ? object->getArray("functions") : nullptr;
  const llvm::json::Array *kernels =
      object ? object->getArray("kernels") : nullptr;
  if (!functions || !kernels)
    return makeError("the manifest of the host code has no functions or no "
                     "kernels");
  for (const llvm::json::Value &value : *kernels)
    if (const llvm::json::Object *kernel = value.getAsObject())
      info.kernels.push_back(
          {kernel->getString("name").value_or("").str(),
           kernel->getString("location").value_or("").str()});
  for (const llvm::json::Value &value : *functions) {
    const llvm::json::Object *function = value.getAsObject();
    std::optional<StringRef> name =
        function ? function->getString("name") : std::nullopt;
    for (ModelFunction &known : info.functions)
      if (name && known.name == *name)
        known.workspaceBytes = function->getInteger("workspace_bytes");
  }
  return Error::success();
}

Error mlir::amp::finishDeviceDescription(llvm::Module &module,
                                         ModelInfo &info) {
  llvm::GlobalVariable *description =
      module.getNamedGlobal(info.name + "_model");
  auto *fields =
      description && description->hasInitializer()
          ? dyn_cast<llvm::ConstantStruct>(description->getInitializer())
          : nullptr;
  if (!fields || fields->getNumOperands() <= kManifestField)
    return makeError("the host code has no description of the model");
  if (Error error =
          readManifest(getText(fields->getOperand(kManifestField)), info))
    return error;

  // The manifest of the whole model in the place of that of the host code.
  llvm::Constant *text = llvm::ConstantDataArray::getString(module.getContext(),
                                                            makeManifest(info));
  auto *manifest = new llvm::GlobalVariable(
      module, text->getType(), /*isConstant=*/true,
      llvm::GlobalValue::PrivateLinkage, text, "amp.manifest");
  SmallVector<llvm::Constant *> operands;
  for (llvm::Use &operand : fields->operands())
    operands.push_back(cast<llvm::Constant>(operand));
  operands[kManifestField] = manifest;
  description->setInitializer(
      llvm::ConstantStruct::get(fields->getType(), operands));

  makeLocal(module, {description});
  description->setLinkage(llvm::GlobalValue::ExternalLinkage);
  llvm::GlobalAlias::create("amp_model", description);
  return Error::success();
}
