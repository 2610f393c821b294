//===- ObjectFile.cpp - machine code in files -----------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Model/ObjectFile.h"

#include "amp/Codegen/CPU/Target.h"
#include "amp/Runtime/CPU.h"
#include "amp/Support/AvoidedFeatures.h"
#include "amp/Support/Errors.h"
#include "amp/Support/MaskedStores.h"
#include "amp/Support/NearNames.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"

using namespace mlir;
using namespace mlir::amp;
using llvm::Expected;

/// LLVM's code generator for `triple`.
static Expected<const llvm::Target *> findTarget(const llvm::Triple &triple) {
  llvm::InitializeAllTargetInfos();
  llvm::InitializeAllTargets();
  llvm::InitializeAllTargetMCs();
  llvm::InitializeAllAsmPrinters();
  std::string message;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, message);
  if (!target)
    return makeError("this LLVM has no code generator for '" + triple.str() +
                     "': " + message);
  return target;
}

/// What LLVM knows of the processors of `triple`.
static Expected<std::unique_ptr<llvm::MCSubtargetInfo>>
describe(const llvm::Target &target, const llvm::Triple &triple) {
  std::unique_ptr<llvm::MCSubtargetInfo> info(
      target.createMCSubtargetInfo(triple, "", ""));
  if (!info)
    return makeError("LLVM cannot describe " + triple.getArchName() +
                     " processors");
  return info;
}

/// What to say of `name`, which is no feature: that it is a processor, or the
/// features and processors that it may mean.
static std::string explainName(const llvm::MCSubtargetInfo &info,
                               StringRef name) {
  SmallVector<StringRef> features, processors;
  for (const llvm::SubtargetFeatureKV &entry : info.getAllProcessorFeatures())
    features.push_back(entry.Key);
  for (const llvm::SubtargetSubTypeKV &entry :
       info.getAllProcessorDescriptions())
    processors.push_back(entry.Key);
  if (llvm::is_contained(processors, name))
    return ("; it is a processor, which --mcpu=" + name + " names").str();
  // LLVM's own names for what tunes code are features, too, and near to those
  // of processors.
  llvm::erase_if(features,
                 [](StringRef name) { return name.starts_with("tuning-"); });
  std::string text = suggestNames(name, features);
  return text.empty() ? suggestNames(name, processors) : text;
}

static bool isFeature(const llvm::MCSubtargetInfo &info, StringRef name) {
  return llvm::any_of(
      info.getAllProcessorFeatures(),
      [&](const llvm::SubtargetFeatureKV &entry) { return entry.Key == name; });
}

llvm::Error mlir::amp::checkFeature(StringRef tripleName, StringRef name) {
  llvm::Triple triple = cpu::CPUTarget::getTriple(tripleName);
  Expected<const llvm::Target *> target = findTarget(triple);
  if (!target)
    return target.takeError();
  Expected<std::unique_ptr<llvm::MCSubtargetInfo>> info =
      describe(**target, triple);
  if (!info)
    return info.takeError();
  if (isFeature(**info, name))
    return llvm::Error::success();
  return makeError("unknown processor or feature '" + name + "' of " +
                   triple.getArchName() + explainName(**info, name));
}

/// Checks the names, of which LLVM itself only warns.
static llvm::Error checkNames(const llvm::Target &target,
                              const llvm::Triple &triple, StringRef processor,
                              StringRef features) {
  Expected<std::unique_ptr<llvm::MCSubtargetInfo>> described =
      describe(target, triple);
  if (!described)
    return described.takeError();
  const llvm::MCSubtargetInfo *info = described->get();
  if (!info->isCPUStringValid(processor))
    return makeError("--mcpu: unknown processor '" + processor + "'");
  for (StringRef feature : llvm::split(features, ',')) {
    StringRef plain =
        feature.trim().drop_while([](char c) { return c == '+' || c == '-'; });
    if (!plain.empty() && !isFeature(*info, plain))
      return makeError("--mattr: unknown feature '" + plain + "' of " +
                       triple.getArchName() + " processors" +
                       explainName(*info, plain));
  }
  return llvm::Error::success();
}

Expected<std::unique_ptr<llvm::TargetMachine>>
mlir::amp::createTargetMachine(StringRef tripleName, StringRef processor,
                               StringRef features,
                               llvm::CodeGenOptLevel level) {
  llvm::Triple triple = cpu::CPUTarget::getTriple(tripleName);
  Expected<const llvm::Target *> found = findTarget(triple);
  if (!found)
    return found.takeError();
  const llvm::Target *target = *found;

  llvm::SubtargetFeatures all;
  std::string name = processor.str();
  if (processor.empty() || processor == "host") {
    name = llvm::sys::getHostCPUName().str();
    // The map has no order of its own.
    std::map<std::string, bool> sorted;
    for (const auto &feature : llvm::sys::getHostCPUFeatures())
      sorted[feature.first().str()] = feature.second;
    for (const auto &[feature, isEnabled] : sorted)
      all.AddFeature(feature, isEnabled);
  } else if (processor == "generic" && triple.getArch() == llvm::Triple::x86_64)
    name = "x86-64";
  if (llvm::Error error = checkNames(*target, triple, name, features))
    return std::move(error);
  llvm::SubtargetFeatures more(features), both = all;
  both.addFeaturesVector(more.getFeatures());
  std::unique_ptr<llvm::MCSubtargetInfo> info(
      target->createMCSubtargetInfo(triple, name, both.getString()));
  // Those that are asked for come last, and so are kept.
  all.AddFeature(getAvoidedFeatures(*info));
  all.addFeaturesVector(more.getFeatures());

  std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
      triple, name, all.getString(), llvm::TargetOptions(), llvm::Reloc::PIC_,
      std::nullopt, level));
  if (!machine)
    return makeError("no code generator for processor '" + name + "'");
  return machine;
}

/// An instruction set that a library asks the processor for.
struct InstructionSet {
  uint64_t flag;
  const char *name;
};
static constexpr InstructionSet instructionSets[] = {
    {AMP_CPU_SSE42, "sse4.2"},
    {AMP_CPU_AVX, "avx"},
    {AMP_CPU_F16C, "f16c"},
    {AMP_CPU_FMA, "fma"},
    {AMP_CPU_BMI2, "bmi2"},
    {AMP_CPU_AVX2, "avx2"},
    {AMP_CPU_AVX512F, "avx512f"},
    {AMP_CPU_AVX512DQ, "avx512dq"},
    {AMP_CPU_AVX512BW, "avx512bw"},
    {AMP_CPU_AVX512VL, "avx512vl"},
    {AMP_CPU_AVX512VBMI, "avx512vbmi"},
    {AMP_CPU_AVX512VNNI, "avx512vnni"},
    {AMP_CPU_AVX512BF16, "avx512bf16"},
    {AMP_CPU_AVX512FP16, "avx512fp16"},
    {AMP_CPU_AVXVNNI, "avxvnni"},
    {AMP_CPU_GFNI, "gfni"},
    {AMP_CPU_AMX_TILE, "amx-tile"},
    {AMP_CPU_AMX_BF16, "amx-bf16"},
    {AMP_CPU_AMX_INT8, "amx-int8"},
    {AMP_CPU_POPCNT, "popcnt"},
    {AMP_CPU_MOVBE, "movbe"},
    {AMP_CPU_BMI, "bmi"},
    {AMP_CPU_LZCNT, "lzcnt"},
    {AMP_CPU_SSE4A, "sse4a"},
    {AMP_CPU_XOP, "xop"},
    {AMP_CPU_FMA4, "fma4"},
    {AMP_CPU_TBM, "tbm"},
    {AMP_CPU_AVX512IFMA, "avx512ifma"},
    {AMP_CPU_AVX512VBMI2, "avx512vbmi2"},
    {AMP_CPU_AVX512BITALG, "avx512bitalg"},
    {AMP_CPU_AVX512VPOPCNTDQ, "avx512vpopcntdq"},
    {AMP_CPU_AVXIFMA, "avxifma"},
    {AMP_CPU_AVXVNNIINT8, "avxvnniint8"},
    {AMP_CPU_AVXNECONVERT, "avxneconvert"},
    {AMP_CPU_AVXVNNIINT16, "avxvnniint16"},
    {AMP_CPU_AVX10_2, "avx10.2"},
    {AMP_CPU_APX, "egpr"},
};

ModelLevel mlir::amp::describeLevel(const llvm::TargetMachine &machine,
                                    StringRef name) {
  ModelLevel level;
  level.processor = machine.getTargetCPU().str();
  // Those that the processor lacks say nothing.
  llvm::SubtargetFeatures features(machine.getTargetFeatureString());
  for (const std::string &feature : features.getFeatures())
    if (StringRef(feature).starts_with("+"))
      level.features += (level.features.empty() ? "" : ",") + feature;
  level.name = name.empty() ? level.processor : name.str();
  if (machine.getTargetTriple().getArch() != llvm::Triple::x86_64)
    return level;
  // A processor's name stands for features that the string does not have.
  const llvm::MCSubtargetInfo &info = *machine.getMCSubtargetInfo();
  for (const InstructionSet &set : instructionSets)
    if (info.checkFeatures(std::string("+") + set.name))
      level.instructionSets |= set.flag;
  return level;
}

/// Makes arrays of bytes of the constants of more than a page in `module`:
/// LLVM copies those, and looks at each element of others.
static void makeBytes(ModuleOp module) {
  constexpr size_t kPage = 4096;
  for (auto global : module.getOps<LLVM::GlobalOp>()) {
    auto elements = dyn_cast_or_null<DenseElementsAttr>(global.getValueAttr());
    if (!elements || elements.isSplat() ||
        elements.getRawData().size() <= kPage)
      continue;
    Type element = elements.getElementType();
    if (!element.isIntOrFloat() || element.getIntOrFloatBitWidth() % 8 != 0)
      continue;
    if (!global.getAlignment())
      global.setAlignment(
          llvm::PowerOf2Ceil(element.getIntOrFloatBitWidth() / 8));
    ArrayRef<char> data = elements.getRawData();
    Type byte = IntegerType::get(module.getContext(), 8);
    // The bytes are the attribute's, which lives as long as the context.
    global.setValueAttr(DenseResourceElementsAttr::get(
        RankedTensorType::get({int64_t(data.size())}, byte),
        global.getSymName(),
        UnmanagedAsmResourceBlob::allocateInferAlign(data)));
    global.setGlobalType(LLVM::LLVMArrayType::get(byte, data.size()));
  }
}

Expected<std::unique_ptr<llvm::Module>>
mlir::amp::translateToLLVM(ModuleOp module, llvm::LLVMContext &context,
                           llvm::TargetMachine &machine) {
  DialectRegistry registry;
  registerAllToLLVMIRTranslations(registry);
  module->getContext()->appendDialectRegistry(registry);
  makeBytes(module);
  std::unique_ptr<llvm::Module> result =
      translateModuleToLLVMIR(module, context);
  if (!result)
    return makeError("the module could not be translated to LLVM IR");
  result->setDataLayout(machine.createDataLayout());
  result->setTargetTriple(machine.getTargetTriple());
  // What the machine has, each function may use.
  for (llvm::Function &function : *result) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("target-cpu", machine.getTargetCPU());
    function.addFnAttr("target-features", machine.getTargetFeatureString());
  }
  return result;
}

llvm::Error mlir::amp::optimize(llvm::Module &module,
                                llvm::TargetMachine &machine) {
  if (llvm::Error error = makeOptimizingTransformer(
          static_cast<unsigned>(machine.getOptLevel()), /*sizeLevel=*/0,
          &machine)(&module))
    return error;
  storeLoneLanes(module);
  return llvm::Error::success();
}

llvm::Error mlir::amp::writeObject(llvm::Module &module,
                                   llvm::TargetMachine &machine,
                                   llvm::raw_pwrite_stream &os) {
  llvm::legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, os, nullptr,
                                  llvm::CodeGenFileType::ObjectFile))
    return makeError("no object files can be made for '" +
                     machine.getTargetTriple().str() + "'");
  passes.run(module);
  return llvm::Error::success();
}
