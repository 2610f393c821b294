//===- Description.cpp - the description of a model, as data --------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Model/Description.h"
#include "ResultPlaces.h"

#include "amp/Execution/Elements.h"
#include "amp/Runtime/CPU.h"
#include "amp/Support/Errors.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Transforms/IPO/ConstantMerge.h"

using namespace mlir;
using namespace mlir::amp;
using llvm::Expected;

namespace {
/// Makes constants as C would lay them out.
class DataBuilder {
public:
  explicit DataBuilder(llvm::Module &module)
      : module(module), builder(module.getContext()) {}

  llvm::Constant *i32(int64_t value) {
    return builder.getInt32(static_cast<uint32_t>(value));
  }
  llvm::Constant *i64(int64_t value) {
    return builder.getInt64(static_cast<uint64_t>(value));
  }
  /// Up to eight characters, with zeros behind.
  llvm::Constant *magic(StringRef text) {
    std::string bytes = text.str();
    bytes.resize(8);
    return llvm::ConstantDataArray::getString(module.getContext(), bytes,
                                              /*AddNull=*/false);
  }
  llvm::Constant *text(StringRef value) {
    return global(
        llvm::ConstantDataArray::getString(module.getContext(), value));
  }
  llvm::Constant *sizes(ArrayRef<int64_t> shape) {
    SmallVector<uint64_t> values;
    for (int64_t size : shape)
      values.push_back(static_cast<uint64_t>(
          ShapedType::isDynamic(size) ? AMP_DYNAMIC : size));
    return global(llvm::ConstantDataArray::get(module.getContext(), values));
  }
  llvm::Constant *structure(ArrayRef<llvm::Constant *> fields) {
    return llvm::ConstantStruct::getAnon(module.getContext(), fields);
  }
  /// A pointer to the elements, which are of one type; null if there is none.
  llvm::Constant *array(ArrayRef<llvm::Constant *> elements) {
    if (elements.empty())
      return llvm::ConstantPointerNull::get(builder.getPtrTy());
    auto *type =
        llvm::ArrayType::get(elements.front()->getType(), elements.size());
    return global(llvm::ConstantArray::get(type, elements));
  }
  llvm::Constant *values(ArrayRef<Port> ports, ArrayRef<int64_t> weights = {}) {
    SmallVector<llvm::Constant *> infos;
    for (const Port &port : ports) {
      uint32_t flags = 0;
      if (!isa<RankedTensorType>(port.type))
        flags |= AMP_VALUE_SCALAR;
      if (llvm::is_contained(weights, port.index))
        flags |= AMP_VALUE_WEIGHT;
      infos.push_back(structure({text(port.name),
                                 i32(getRuntimeDtype(port.getElementType())),
                                 i32(port.getShape().size()),
                                 sizes(port.getShape()), i32(flags), i32(0)}));
    }
    return array(infos);
  }
  llvm::Constant *global(llvm::Constant *value) {
    auto *variable = new llvm::GlobalVariable(
        module, value->getType(), /*isConstant=*/true,
        llvm::GlobalValue::PrivateLinkage, value, "amp.data");
    variable->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
    return variable;
  }

private:
  llvm::Module &module;
  llvm::IRBuilder<> builder;
};
} // namespace

/// A function that calls `callee`, which takes pointers and scalars, with what
/// its argument, an array of pointers, holds: see ampCpuFunction.
static llvm::Function *makePackedFunction(llvm::Module &module,
                                          llvm::Function *callee,
                                          const Twine &name) {
  llvm::IRBuilder<> builder(module.getContext());
  auto *type =
      llvm::FunctionType::get(builder.getVoidTy(), {builder.getPtrTy()}, false);
  auto *packed = llvm::Function::Create(
      type, llvm::GlobalValue::ExternalLinkage, name, module);
  packed->addFnAttrs(llvm::AttrBuilder(module.getContext(),
                                       callee->getAttributes().getFnAttrs()));
  builder.SetInsertPoint(
      llvm::BasicBlock::Create(module.getContext(), "", packed));
  auto getValue = [&](unsigned index) {
    llvm::Value *slot = builder.CreateConstInBoundsGEP1_64(
        builder.getPtrTy(), packed->getArg(0), index);
    return builder.CreateLoad(builder.getPtrTy(), slot);
  };
  SmallVector<llvm::Value *> operands;
  for (llvm::Argument &argument : callee->args()) {
    llvm::Value *value = getValue(operands.size());
    if (!argument.getType()->isPointerTy())
      value =
          builder.CreateAlignedLoad(argument.getType(), value, llvm::Align(1));
    operands.push_back(value);
  }
  llvm::Value *result = builder.CreateCall(callee, operands);
  if (!callee->getReturnType()->isVoidTy())
    builder.CreateAlignedStore(result, getValue(operands.size()),
                               llvm::Align(1));
  builder.CreateRetVoid();
  return packed;
}

/// Lets what a failed check calls, which the lowering of cf.assert has chosen,
/// be a function of the runtime.
static void redirect(llvm::Module &module, StringRef from, StringRef to) {
  llvm::Function *function = module.getFunction(from);
  if (!function || !function->isDeclaration())
    return;
  function->setName(to);
}

void mlir::amp::makeLocal(llvm::Module &module,
                          ArrayRef<const llvm::GlobalObject *> exported,
                          StringRef suffix) {
  // A function of the program may be called as one of the C library is, or as
  // one of the runtime.
  for (llvm::GlobalObject &object : module.global_objects()) {
    if (object.isDeclaration() || llvm::is_contained(exported, &object))
      continue;
    // Private ones have no name that LLVM's own calls of a library could find.
    if (!object.hasPrivateLinkage())
      object.setName("amp.program." + object.getName() + suffix);
    if (!object.hasLocalLinkage())
      object.setLinkage(llvm::GlobalValue::InternalLinkage);
  }
}

/// The name of the ampCpuFunction of a function in the code of a level.
static std::string getEntryName(StringRef function, const ModelLevel &level,
                                const ModelInfo &info) {
  std::string name = ("amp.packed." + function).str();
  return info.levels.size() == 1 ? name : name + "." + level.name;
}

/// The function of a level that prepares the weights of function `name`.
static std::string getInitName(StringRef name) {
  return (name + "_init").str();
}

/// The functions of a level that the runtime calls.
static std::vector<std::string> getCodeNames(const ModelLevel &level,
                                             const ModelInfo &info) {
  std::vector<std::string> names;
  for (auto [function, init] : llvm::zip_equal(info.functions, level.inits)) {
    names.push_back(function.name);
    if (!init.prepared.empty())
      names.push_back(getInitName(function.name));
  }
  return names;
}

llvm::Error mlir::amp::addCPUEntries(llvm::Module &module,
                                     const ModelInfo &info,
                                     const ModelLevel &level) {
  redirect(module, "puts", "ampCpuCheckMessage");
  redirect(module, "abort", "ampCpuCheckFailed");
  placeResults(module, info.functions);
  SmallVector<const llvm::GlobalObject *> entries;
  for (const std::string &name : getCodeNames(level, info)) {
    llvm::Function *callee = module.getFunction("_mlir_ciface_" + name);
    if (!callee)
      return makeError("the code of '" + name + "' is not there");
    llvm::Function *packed =
        makePackedFunction(module, callee, getEntryName(name, level, info));
    // What is local and without a user would be gone once it is optimised.
    packed->setVisibility(llvm::GlobalValue::HiddenVisibility);
    entries.push_back(packed);
  }
  makeLocal(module, entries, info.levels.size() == 1 ? "" : "." + level.name);
  return llvm::Error::success();
}

/// Lets constants that are alike be one.
static void mergeConstants(llvm::Module &module) {
  // A program does not look where a constant is.
  for (llvm::GlobalVariable &variable : module.globals())
    if (variable.isConstant() && variable.hasLocalLinkage())
      variable.setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
  llvm::ModuleAnalysisManager analyses;
  llvm::ConstantMergePass().run(module, analyses);
}

/// The ampCpuInitDesc of a function in the code of a level.
static llvm::Constant *
describeInit(DataBuilder &data, const ModelFunction &function,
             const ModelInit &init,
             llvm::function_ref<llvm::Constant *(StringRef)> getCode) {
  std::string name = getInitName(function.name);
  SmallVector<llvm::Constant *> numbers;
  SmallVector<Port> weights, prepared;
  for (int64_t number : init.weights) {
    weights.push_back(function.arguments[number]);
    numbers.push_back(data.i32(number));
  }
  for (auto [i, type] : llvm::enumerate(init.prepared))
    prepared.push_back(
        {static_cast<unsigned>(i), "prepared" + std::to_string(i), type});
  bool isThere = !prepared.empty();
  llvm::Constant *entry = data.structure(
      {data.text(isThere ? name : ""), data.i32(weights.size()),
       data.i32(prepared.size()), data.values(weights), data.values(prepared)});
  return data.structure(
      {isThere ? getCode(name) : data.array({}), entry, data.array(numbers)});
}

Expected<std::unique_ptr<llvm::Module>>
mlir::amp::linkCPULevels(std::vector<std::unique_ptr<llvm::Module>> modules,
                         const ModelInfo &info) {
  std::unique_ptr<llvm::Module> result = std::move(modules.front());
  llvm::Module &module = *result;
  for (std::unique_ptr<llvm::Module> &more :
       MutableArrayRef(modules).drop_front())
    if (llvm::Linker::linkModules(module, std::move(more)))
      return makeError("the code of the levels could not be linked");
  if (info.levels.size() > 1)
    mergeConstants(module);

  DataBuilder data(module);
  SmallVector<llvm::Constant *> entries, levels;
  for (const ModelFunction &function : info.functions)
    entries.push_back(data.structure(
        {data.text(function.name), data.i32(function.arguments.size()),
         data.i32(function.results.size()),
         data.values(function.arguments, function.passedWeights),
         data.values(function.results)}));
  for (const ModelLevel &level : info.levels) {
    SmallVector<llvm::Constant *> functions, inits;
    auto getCode = [&](StringRef name) -> llvm::Constant * {
      llvm::Function *packed =
          module.getFunction(getEntryName(name, level, info));
      packed->setLinkage(llvm::GlobalValue::InternalLinkage);
      return packed;
    };
    for (auto [function, init] : llvm::zip_equal(info.functions, level.inits)) {
      functions.push_back(getCode(function.name));
      inits.push_back(describeInit(data, function, init, getCode));
    }
    levels.push_back(
        data.structure({data.text(level.name), data.i64(level.instructionSets),
                        data.array(functions), data.array(inits)}));
  }

  llvm::IRBuilder<> builder(module.getContext());
  auto getRuntime = [&](StringRef name) {
    auto *type = llvm::FunctionType::get(builder.getVoidTy(), false);
    auto *function = cast<llvm::Function>(
        module.getOrInsertFunction(name, type).getCallee());
    function->setVisibility(llvm::GlobalValue::HiddenVisibility);
    return function;
  };
  SmallVector<llvm::Constant *> fields = {data.magic(AMP_CPU_MAGIC),
                                          data.i32(AMP_CPU_ABI_VERSION),
                                          data.i32(sizeof(ampCpuModelDesc)),
                                          data.text(info.name),
                                          data.text(makeManifest(info)),
                                          data.i32(entries.size()),
                                          data.i32(levels.size()),
                                          data.array(entries),
                                          data.array(levels),
                                          getRuntime("ampCpuInvoke"),
                                          getRuntime("ampCpuAllocate"),
                                          getRuntime("amp_free"),
                                          getRuntime("amp_trim")};
  llvm::Constant *description = data.structure(fields);
  assert(module.getDataLayout().getTypeAllocSize(description->getType()) ==
             sizeof(ampCpuModelDesc) &&
         "the fields are not those of the structure");
  auto *variable = new llvm::GlobalVariable(
      module, description->getType(), /*isConstant=*/true,
      llvm::GlobalValue::ExternalLinkage, description, info.name + "_model");
  llvm::GlobalAlias::create("amp_model", variable);
  return result;
}
