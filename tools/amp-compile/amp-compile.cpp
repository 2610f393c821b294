//===- amp-compile.cpp - makes a library of a module ----------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Reads a module, compiles functions of it ahead of time, and writes a shared
// library with a header and a manifest. docs/amp-compile.md is the manual.
//
//===----------------------------------------------------------------------===//

#include "Options.h"

#include "../common/CodegenOptions.h"
#include "amp/Codegen/CPU/Target.h"
#include "amp/Dialect/AMP/IR/AMP.h"
#include "amp/Execution/InputSet.h"
#include "amp/InitAll.h"
#include "amp/Model/Description.h"
#include "amp/Model/Linker.h"
#include "amp/Model/ObjectFile.h"
#include "amp/Model/OutputFiles.h"
#include "amp/Model/Weights.h"
#include "amp/Support/Errors.h"
#include "amp/Support/Progress.h"
#include "amp/Support/RuntimeFiles.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace mlir::amp;
using llvm::Error;
using llvm::Expected;

namespace {
/// The meaning of the exit codes, in order of their numbers.
enum ExitCode { exitOk, exitFailure, exitBadInput };
} // namespace

/// Prints `error`, unless diagnostics have said it all, and passes `code` on.
static int fail(Error error, ExitCode code) {
  reportError("amp-compile", std::move(error));
  return code;
}

static void warn(const Twine &message) {
  llvm::errs() << "amp-compile: warning: " << message << "\n";
}

/// The functions called `names`; without names all public ones with a body.
static Expected<SmallVector<func::FuncOp>>
findEntries(ModuleOp module, ArrayRef<std::string> names) {
  SmallVector<func::FuncOp> entries;
  for (StringRef name : names) {
    Expected<func::FuncOp> entry = findEntry(module, name);
    if (!entry)
      return entry.takeError();
    if (llvm::is_contained(entries, *entry))
      return makeError("--entry: '" + name + "' is given twice");
    entries.push_back(*entry);
  }
  if (!names.empty())
    return entries;
  bool hasBodies = false;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isDeclaration())
      continue;
    hasBodies = true;
    if (function.isPublic())
      entries.push_back(function);
  }
  if (!hasBodies)
    return makeError("the module has no func.func with a body: there is "
                     "nothing to compile");
  if (entries.empty())
    return makeError("the module has no public func.func with a body; choose "
                     "one with --entry");
  return entries;
}

/// What the archives hold of the arguments of `entry`; nothing for the others.
static Expected<std::vector<std::optional<NumpyArray>>>
readWeights(func::FuncOp entry, ArrayRef<Port> arguments,
            const CompilerOptions &options) {
  Progress progress("amp-compile", "reading weights");
  InputSet inputs(arguments, warn);
  inputs.setConvertInputs(options.convertWeights);
  for (const std::string &path : options.weights)
    if (Error error = inputs.addArchive(path))
      return inContext("--weights", std::move(error));
  std::vector<std::optional<NumpyArray>> values = inputs.takeBound();
  if (options.weights.empty())
    return values;
  for (const Port &port : arguments)
    if (!values[port.index] && entry.getArgAttr(port.index, "amp.weight"))
      return makeError("--weights: argument '" + Twine(port.name) + "' of '" +
                       entry.getName() +
                       "' is marked amp.weight, but no archive has a member "
                       "of that name");
  return values;
}

/// Notes the ports of `entry` in `function`, once its weights are bound.
static Error prepareEntry(func::FuncOp entry, const CompilerOptions &options,
                          ModelFunction &function) {
  Expected<SmallVector<Port>> arguments = getArgumentPorts(entry);
  if (!arguments)
    return arguments.takeError();
  Expected<SmallVector<Port>> results = getResultPorts(entry);
  if (!results)
    return results.takeError();
  Expected<std::vector<std::optional<NumpyArray>>> weights =
      readWeights(entry, *arguments, options);
  if (!weights)
    return weights.takeError();
  function.name = entry.getName().str();
  function.results = std::move(*results);
  for (Port &port : *arguments) {
    auto &ports =
        (*weights)[port.index] ? function.weights : function.arguments;
    ports.push_back(std::move(port));
    ports.back().index = ports.size() - 1;
  }
  if (Error error = bindWeights(entry, std::move(*weights)))
    return error;
  // What the library says of itself has the names of the header, wherever they
  // come from.
  Builder b(entry.getContext());
  for (const Port &port : function.arguments)
    entry.setArgAttr(port.index, AMPDialect::kNameAttrName,
                     b.getStringAttr(port.name));
  for (const Port &port : function.arguments)
    if (entry.getArgAttr(port.index, AMPDialect::kWeightAttrName))
      function.passedWeights.push_back(port.index);
  for (const Port &port : function.results)
    entry.setResultAttr(port.index, AMPDialect::kNameAttrName,
                        b.getStringAttr(port.name));
  return Error::success();
}

/// Autocast may have given the results other types (--results=propagate).
static void noteTypes(ModelInfo &info, ArrayRef<Signature> signatures) {
  for (auto [function, signature] :
       llvm::zip_equal(info.functions, signatures)) {
    for (auto [port, type] :
         llvm::zip_equal(function.arguments, signature.arguments))
      port.type = type;
    for (auto [port, type] :
         llvm::zip_equal(function.results, signature.results))
      port.type = type;
  }
}

static StringRef getAutocastName(Autocast autocast) {
  switch (autocast) {
  case Autocast::AsWritten:
    return "as-written";
  case Autocast::Off:
    return "off";
  case Autocast::F16:
    return "f16";
  case Autocast::BF16:
    return "bf16";
  }
  llvm_unreachable("a kind of autocast without a name");
}

/// `path` with another extension.
static std::string withExtension(StringRef path, StringRef extension) {
  SmallString<256> result(path);
  llvm::sys::path::replace_extension(result, extension);
  return result.str().str();
}

/// Writes a text to the file that the options name, or to standard output.
static Error writeText(const CompilerOptions &options,
                       llvm::function_ref<void(llvm::raw_ostream &)> write) {
  if (options.output == "-") {
    write(llvm::outs());
    return Error::success();
  }
  OutputFiles files;
  if (Error error = files.add(options.output, [&](llvm::raw_pwrite_stream &os) {
        write(os);
        return Error::success();
      }))
    return error;
  return files.commit();
}

/// Adds the library of the object file `object` to `files`.
static Error linkLibrary(const CompilerOptions &options, const ModelInfo &info,
                         StringRef object, OutputFiles &files) {
  Expected<Linker> linker = findLinker(options.linker);
  if (!linker)
    return linker.takeError();
  bool isDevice = options.compile.isDevice();
  Expected<std::string> helpers = findRuntimeFile("libamp_runtime_static.a");
  if (!helpers)
    return helpers.takeError();
  Expected<std::string> runtime = findRuntimeFile(
      isDevice ? "libamp_cuda_runtime_static.a" : "libamp_runtime_static.a");
  if (!runtime)
    return runtime.takeError();
  Expected<std::string> path = files.add(options.output);
  if (!path)
    return path.takeError();
  SharedLibrary library;
  library.objects = {object.str()};
  library.archives = {*runtime};
  if (isDevice)
    library.helpers = {*helpers};
  if (StringRef(options.compile.target).starts_with("sim")) {
    Expected<std::string> simulator =
        findRuntimeFile("libamp_cuda_simulator.so");
    if (!simulator)
      return simulator.takeError();
    library.libraries = {*simulator};
  }
  // The functions of amp/Runtime/Model.h, and the description.
  library.exports = {"amp[A-Z]*", "amp_model", info.name + "_model"};
  library.soname = llvm::sys::path::filename(options.output).str();
  return link(*linker, library, *path);
}

/// Writes the library or the object file, with header and manifest.
static Error writeModel(const CompilerOptions &options, const ModelInfo &info,
                        llvm::Module &module, llvm::TargetMachine &machine) {
  OutputFiles files;
  auto writeCode = [&](llvm::raw_pwrite_stream &os) {
    return writeObject(module, machine, os);
  };
  // A folder that cannot be written to is an error of the output, not of the
  // object file.
  auto writeString = [](std::string text) {
    return [text](llvm::raw_pwrite_stream &os) {
      os << text;
      return Error::success();
    };
  };
  if (Error error = files.add(withExtension(options.output, "h"),
                              writeString(makeHeader(info))))
    return error;
  if (Error error = files.add(withExtension(options.output, "json"),
                              writeString(makeManifest(info))))
    return error;
  if (options.emit == Emit::Object) {
    if (Error error = files.add(options.output, writeCode))
      return error;
    return files.commit();
  }
  OutputFiles objects;
  Expected<std::string> object = objects.add(options.output + ".o");
  if (!object)
    return object.takeError();
  std::error_code code;
  llvm::raw_fd_ostream os(*object, code);
  if (code)
    return makeError("cannot write '" + *object + "': " + code.message());
  if (Error error = writeCode(os))
    return error;
  os.close();
  if (os.has_error()) {
    std::string message = os.error().message();
    os.clear_error();
    return makeError("cannot write '" + *object + "': " + message);
  }
  Progress progress("amp-compile", "linking '" + options.output + "'");
  if (Error error = linkLibrary(options, info, *object, files))
    return error;
  return files.commit();
}

/// The code of all kernels of a module whose kernels are compiled.
static std::string getDeviceCode(ModuleOp module) {
  std::string code;
  for (auto binary : module.getOps<mlir::gpu::BinaryOp>())
    for (Attribute object : binary.getObjects())
      code += StringRef(cast<mlir::gpu::ObjectAttr>(object).getObject())
                  .rtrim('\0');
  return code;
}

/// Defines what amp/Runtime/Parallel.h takes for the number of threads by
/// default.
static void addDefaultThreads(llvm::Module &module, int threads) {
  auto *type = llvm::Type::getInt32Ty(module.getContext());
  auto *global = new llvm::GlobalVariable(
      module, type, /*isConstant=*/false, llvm::GlobalValue::ExternalLinkage,
      llvm::ConstantInt::get(type, threads), "amp_default_num_threads");
  global->setVisibility(llvm::GlobalValue::HiddenVisibility);
}

/// One for each level.
using Machines = std::vector<std::unique_ptr<llvm::TargetMachine>>;
using Modules = std::vector<OwningOpRef<ModuleOp>>;

/// From the modules of all levels in the LLVM dialect to the files.
static Error writeOutput(const CompilerOptions &options, ModelInfo &info,
                         Modules modules, const Machines &machines) {
  if (options.emit == Emit::MLIR)
    return writeText(options, [&](llvm::raw_ostream &os) {
      os << *modules.front() << "\n";
    });
  bool isDevice = options.compile.isDevice();
  llvm::LLVMContext context;
  std::vector<std::unique_ptr<llvm::Module>> parts;
  Progress progress("amp-compile", "generating machine code");
  for (auto [module, machine, level] :
       llvm::zip_equal(modules, machines, info.levels)) {
    Expected<std::unique_ptr<llvm::Module>> part =
        translateToLLVM(*module, context, *machine);
    if (!part)
      return part.takeError();
    module = nullptr;
    if (Error error = isDevice ? finishDeviceDescription(**part, info)
                               : addCPUEntries(**part, info, level))
      return error;
    if (Error error = optimize(**part, *machine))
      return error;
    parts.push_back(std::move(*part));
  }
  std::unique_ptr<llvm::Module> code;
  if (isDevice) {
    code = std::move(parts.front());
  } else {
    Expected<std::unique_ptr<llvm::Module>> linked =
        linkCPULevels(std::move(parts), info);
    if (!linked)
      return linked.takeError();
    code = std::move(*linked);
    if (options.threads != 1)
      addDefaultThreads(*code, options.threads);
  }
  if (options.emit == Emit::LLVM)
    return writeText(options, [&](llvm::raw_ostream &os) { os << *code; });
  // Each function says itself which instructions it may use.
  return writeModel(options, info, *code, *machines.front());
}

/// Machines for all levels of the options, noted in `info`.
static Expected<Machines> makeMachines(const CompilerOptions &options,
                                       ModelInfo &info) {
  Machines machines;
  for (const ProcessorLevel &level : options.levels) {
    std::string message;
    if (failed(cpu::CPUTarget::get(options.compile.triple, level.processor,
                                   level.features, 0, message)))
      return makeError("--mcpu, --mattr: " + message);
    Expected<std::unique_ptr<llvm::TargetMachine>> machine =
        createTargetMachine(
            options.compile.triple, level.processor, level.features,
            options.compile.isSimulated() ? llvm::CodeGenOptLevel::None
                                          : llvm::CodeGenOptLevel::Aggressive);
    if (!machine)
      return machine.takeError();
    bool isHost = level.processor == "host";
    ModelLevel described = describeLevel(**machine, isHost ? "" : level.name);
    for (const ModelLevel &other : info.levels)
      if ((described.instructionSets & other.instructionSets) ==
          described.instructionSets)
        return makeError("--mcpu: '" + other.name +
                         "' would never run: each processor that has it also "
                         "has '" +
                         described.name +
                         "', which comes after it; expected names from the "
                         "oldest processor to the newest");
    info.levels.push_back(std::move(described));
    machines.push_back(std::move(*machine));
  }
  info.triple = machines.front()->getTargetTriple().str();
  return machines;
}

/// Compiles the functions called `names` of `module` for `level`, in place;
/// their signatures.
static FailureOr<SmallVector<Signature>>
compileLevel(ModuleOp module, ArrayRef<std::string> names,
             const ProcessorLevel &level, CompileOptions compile,
             StageObserver observer) {
  compile.processor = level.processor;
  compile.features = level.features;
  SmallVector<func::FuncOp> entries;
  for (StringRef name : names)
    entries.push_back(module.lookupSymbol<func::FuncOp>(name));
  return compileToLLVM(entries, compile, observer);
}

/// Everything after the options are known to make sense.
static int run(const CompilerOptions &options) {
  ModelInfo info;
  Expected<Machines> machines = makeMachines(options, info);
  if (!machines)
    return fail(machines.takeError(), exitBadInput);

  DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::amp::registerAllDialects(registry);
  MLIRContext context(registry);
  // A failed stage would print the whole module as the op that failed.
  context.printOpOnDiagnostic(false);

  llvm::SourceMgr sourceMgr;
  SourceMgrDiagnosticHandler diagnostics(sourceMgr, &context);
  if (options.remarks)
    enableRemarks(context);
  Expected<OwningOpRef<ModuleOp>> module =
      loadModule(options.model, sourceMgr, &context);
  if (!module)
    return fail(module.takeError(), exitBadInput);
  Expected<SmallVector<func::FuncOp>> entries =
      findEntries(module->get(), options.entries);
  if (!entries)
    return fail(entries.takeError(), exitBadInput);

  info.name = getModelName(options.output);
  info.source = llvm::sys::path::filename(options.model).str();
  info.target = options.compile.target;
  info.autocast = getAutocastName(options.compile.autocast).str();
  info.allowTF32 = options.compile.allowTF32;
  info.functions.resize(entries->size());
  for (auto [entry, function] : llvm::zip_equal(*entries, info.functions))
    if (Error error = prepareEntry(entry, options, function))
      return fail(std::move(error), exitBadInput);

  FailureOr<SmallVector<Signature>> signatures;
  Modules modules;
  std::string ptx;
  {
    Progress progress("amp-compile", "compiling " + options.model);
    CompileOptions compile = options.compile;
    compile.modelName = info.name;
    compile.prepareWeights = !compile.isDevice();
    bool isPTX = options.emit == Emit::PTX;
    if (isPTX)
      compile.deviceCode = "ptx";
    auto observer = [&](const Stage &stage, ModuleOp current) {
      if (!isPTX || stage.name != "device")
        return true;
      ptx = getDeviceCode(current);
      return false;
    };
    SmallVector<std::string> names;
    for (func::FuncOp entry : *entries)
      names.push_back(entry.getName().str());
    for (const ProcessorLevel &level : options.levels) {
      bool isLast = &level == &options.levels.back();
      modules.push_back(
          isLast ? std::move(*module)
                 : OwningOpRef<ModuleOp>(cast<ModuleOp>((*module)->clone())));
      signatures =
          compileLevel(*modules.back(), names, level, compile, observer);
      if (failed(signatures))
        break;
      for (const Signature &signature : *signatures)
        info.levels[modules.size() - 1].inits.push_back(
            {signature.weights, signature.prepared});
    }
  }
  if (failed(signatures))
    return exitFailure;
  if (options.emit == Emit::PTX) {
    if (Error error =
            writeText(options, [&](llvm::raw_ostream &os) { os << ptx; }))
      return fail(std::move(error), exitFailure);
    return exitOk;
  }
  noteTypes(info, *signatures);
  if (Error error = writeOutput(options, info, std::move(modules), *machines))
    return fail(std::move(error), exitFailure);
  return exitOk;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  mlir::registerAllPasses();
  mlir::amp::registerAllPasses();
  Expected<CompilerOptions> options = parseOptions(argc, argv);
  if (!options)
    return fail(options.takeError(), exitBadInput);
  return run(*options);
}
