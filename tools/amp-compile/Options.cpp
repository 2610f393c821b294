//===- Options.cpp - the command line of amp-compile ----------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"

#include "../common/AutocastOptions.h"
#include "../common/CodegenOptions.h"
#include "amp/Codegen/CPU/Target.h"
#include "amp/Codegen/GPU/Target.h"
#include "amp/Model/ObjectFile.h"
#include "amp/Support/Errors.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::amp;
using llvm::Expected;
namespace cl = llvm::cl;

static constexpr const char *overview =
    R"(makes a library of the functions of an MLIR module

  amp-compile MODEL.mlir -o model.so --autocast=bf16 --weights=weights.npz

Writes model.so, which needs nothing but the C library, libm and, where it is
for a CUDA device, the driver of that; model.h, a C header with all declarations
that a caller needs; and model.json, which says what is in the library.

Exit codes: 0 success; 1 the compilation failed, or a file could not be written;
2 bad usage or bad input. On failure no file is written or changed.
)";

static std::optional<Emit> parseEmit(StringRef text) {
  return llvm::StringSwitch<std::optional<Emit>>(text)
      .Case("so", Emit::SharedLibrary)
      .Case("obj", Emit::Object)
      .Case("llvm", Emit::LLVM)
      .Case("mlir", Emit::MLIR)
      .Case("ptx", Emit::PTX)
      .Default(std::nullopt);
}

/// Checks the name of the output, and gives texts a place without one.
static llvm::Error checkOutput(CompilerOptions &options) {
  bool isText = options.emit == Emit::LLVM || options.emit == Emit::MLIR ||
                options.emit == Emit::PTX;
  if (options.output.empty() && !isText)
    return makeError("expected the name of the output: -o model.so");
  if (options.output.empty())
    options.output = "-";
  if (options.output == "-" && !isText)
    return makeError("-o: machine code goes to a file, found '-'");
  StringRef extension = llvm::sys::path::extension(options.output);
  if (!isText && (extension == ".h" || extension == ".json"))
    return makeError("-o: expected a name that does not end in .h or .json, "
                     "which the header and the manifest get, found '" +
                     options.output + "'");
  return llvm::Error::success();
}

/// Whether code can be linked with what this machine has, and run on it.
static bool isOfThisMachine(const CompilerOptions &options) {
  return cpu::CPUTarget::getTriple(options.compile.triple).getArch() ==
         cpu::CPUTarget::getTriple("").getArch();
}

static llvm::Error readTriple(StringRef text, CompilerOptions &options) {
  std::string message;
  if (failed(cpu::CPUTarget::get(text, "generic", "", 0, message)))
    return makeError("--mtriple: " + message);
  options.compile.triple = text.str();
  if (options.emit != Emit::SharedLibrary || isOfThisMachine(options))
    return llvm::Error::success();
  return makeError("--mtriple: libraries are linked for this machine's "
                   "architecture, found '" +
                   text +
                   "'; write --emit=obj and link it there, with the runtime");
}

/// Reads "x86-64-v3,x86-64-v4+avx512vnni": names, each with features.
static llvm::Error readLevels(StringRef text, StringRef features,
                              CompilerOptions &options) {
  SmallVector<StringRef> names;
  text.split(names, ',');
  for (StringRef name : names) {
    name = name.trim();
    auto [processor, more] = name.split('+');
    if (processor.empty() || name.ends_with("+") || name.contains("++"))
      return makeError("--mcpu: expected names of processors, separated by "
                       "commas, each with features such as '+avx512vnni' or "
                       "without, found '" +
                       text + "'");
    if (llvm::any_of(options.levels, [&](const ProcessorLevel &level) {
          return level.name == name;
        }))
      return makeError("--mcpu: '" + name + "' is given twice");
    ProcessorLevel level{name.str(), processor.str(), ""};
    for (StringRef feature : llvm::split(more, '+'))
      if (!feature.empty())
        level.features += (level.features.empty() ? "+" : ",+") + feature.str();
    if (!features.empty())
      level.features += (level.features.empty() ? "" : ",") + features.str();
    options.levels.push_back(std::move(level));
  }
  options.compile.processor = options.levels.front().processor;
  options.compile.features = options.levels.front().features;
  if (options.levels.size() == 1)
    return llvm::Error::success();
  if (options.compile.isDevice())
    return makeError("--mcpu: several processors are for code of the CPU, "
                     "found --target=" +
                     options.compile.target);
  if (!cpu::CPUTarget::getTriple(options.compile.triple).isX86())
    return makeError("--mcpu: several processors are for x86-64, found "
                     "--mtriple=" +
                     options.compile.triple);
  if (options.emit == Emit::MLIR)
    return makeError("--emit=mlir: expected one processor in --mcpu, found " +
                     llvm::Twine(options.levels.size()));
  return llvm::Error::success();
}

/// The oldest x86-64 level of processors that have `feature`, as a number: what
/// has AVX2 also has FMA, though LLVM's feature says nothing of it.
static int getLevel(StringRef feature) {
  if (feature.starts_with("avx512") || feature.starts_with("amx"))
    return 4;
  bool isLater = feature == "fma" || feature == "f16c" ||
                 (feature.starts_with("avx") && feature != "avx");
  return isLater ? 3 : 1;
}

/// Reads what follows "cpu," in --target: names of processors, which go to
/// `processor` (--mcpu), and features, which go to `features` (--mattr).
static llvm::Error readTarget(StringRef text, StringRef triple,
                              std::string &processor, std::string &features) {
  SmallVector<StringRef> names;
  SmallVector<StringRef> items;
  text.split(items, ',');
  int level = 0;
  for (StringRef item : items) {
    item = item.trim();
    if (item.ltrim("+-").empty())
      return makeError("--target: expected names of processors or features "
                       "after 'cpu,', such as 'cpu,x86-64-v3' or "
                       "'cpu,avx2,fma', found 'cpu," +
                       text + "'");
    std::string message;
    StringRef name = item.split('+').first;
    if (!name.empty() &&
        succeeded(cpu::CPUTarget::get(triple, name, "", 0, message))) {
      names.push_back(item);
      continue;
    }
    bool isRemoved = item.consume_front("-");
    if (!isRemoved) {
      item.consume_front("+");
      level = std::max(level, getLevel(item));
    }
    if (llvm::Error error = checkFeature(triple, item))
      return inContext("--target", std::move(error));
    if (!features.empty())
      features += ",";
    features += (isRemoved ? "-" : "+") + item.str();
  }
  if (!names.empty() && !processor.empty())
    return makeError("--target: '" + names.front() +
                     "' is a processor, and --mcpu names one, too");
  if (!names.empty())
    processor = llvm::join(names, ",");
  else if (processor.empty() && level > 0)
    processor = level > 1 && cpu::CPUTarget::getTriple(triple).isX86()
                    ? "x86-64-v" + std::to_string(level)
                    : "generic";
  return llvm::Error::success();
}

Expected<CompilerOptions> mlir::amp::parseOptions(int argc, char **argv) {
  cl::OptionCategory category("amp-compile options");
  cl::opt<std::string> model(cl::Positional, cl::desc("MODEL.mlir"),
                             cl::cat(category));
  cl::opt<std::string> output("o", cl::value_desc("FILE"), cl::cat(category),
                              cl::desc("The library, or what --emit says"));
  cl::opt<std::string> target(
      "target", cl::value_desc("NAME"), cl::init("cpu"), cl::cat(category),
      cl::desc("What the code runs on: cpu (default), or cpu,NAME,... with "
               "processors and features, in place of --mcpu and --mattr"));
  cl::list<std::string> entries(
      "entry", cl::value_desc("NAME"), cl::cat(category),
      cl::desc("Function of the library; may be repeated (default: all public "
               "ones)"));
  cl::list<std::string> weights(
      "weights", cl::value_desc("FILE.npz"), cl::cat(category),
      cl::desc("Put the members into the library, as the arguments of their "
               "names; callers do not pass these; may be repeated"));
  cl::opt<bool> convertWeights(
      "convert-inputs", cl::cat(category),
      cl::desc("Convert weights of other element types (nearest even)"));
  AutocastOptions autocast(category, "that of the target");
  CodegenOptions codegen(
      category, "Threads that the library runs on where neither its caller nor "
                "AMP_NUM_THREADS says (default 1); 0: as many as there are "
                "processors");
  cl::opt<std::string> emit(
      "emit", cl::value_desc("so|obj|llvm|mlir|ptx"), cl::init("so"),
      cl::cat(category),
      cl::desc("What to write: the shared library (default), its object file, "
               "its LLVM IR, its MLIR in the LLVM dialect, or the PTX of its "
               "kernels"));
  cl::opt<std::string> triple(
      "mtriple", cl::value_desc("TRIPLE"), cl::cat(category),
      cl::desc("The system to compile for, of x86-64 or AArch64, such as "
               "aarch64-linux-gnu (default: this one). Of another "
               "architecture, --emit=obj, llvm or mlir"));
  cl::opt<std::string> processor(
      "mcpu", cl::value_desc("NAME[+FEATURE...],..."), cl::cat(category),
      cl::desc("Processor of code for the CPU: host (default of the targets "
               "cpu and sim), generic (default of the others, whose kernels "
               "run elsewhere), or an LLVM name such as x86-64-v3. Several, "
               "from the oldest to the newest: the library has code for each, "
               "and runs the last one that its processor has"));
  cl::opt<std::string> features(
      "mattr", cl::value_desc("+a,-b"), cl::cat(category),
      cl::desc("Features of the processor, of each where --mcpu has several, "
               "to add or remove"));
  cl::opt<std::string> linker(
      "linker", cl::value_desc("PATH"), cl::cat(category),
      cl::desc("Linker or C compiler to link with (default: ld.lld, else cc)"));
  registerAsmPrinterCLOptions();
  registerMLIRContextCLOptions();
  registerPassManagerCLOptions();
  cl::HideUnrelatedOptions(category);
  if (!cl::ParseCommandLineOptions(argc, argv, overview, &llvm::errs()))
    return makeError("the command line is wrong; see amp-compile --help");

  CompilerOptions options;
  if (model.empty())
    return makeError("expected the name of a module: amp-compile MODEL.mlir "
                     "-o model.so");
  options.model = model;
  options.entries = entries;
  options.weights = weights;
  options.convertWeights = convertWeights;
  options.output = output;
  options.linker = linker;
  std::optional<Emit> kind = parseEmit(emit);
  if (!kind)
    return makeError("--emit: expected so, obj, llvm, mlir or ptx, found '" +
                     emit + "'");
  options.emit = *kind;
  if (llvm::Error error = readTriple(triple, options))
    return std::move(error);
  if (std::string text = target; StringRef(text).starts_with("cpu,")) {
    target = "cpu";
    if (llvm::Error error = readTarget(StringRef(text).drop_front(4), triple,
                                       processor, features))
      return std::move(error);
  }
  std::string message;
  if (target != "cpu" && failed(gpu::GPUTarget::get(target, message)))
    return makeError("--target: expected cpu, or else: " + message);
  options.compile.target = target;
  // What launches kernels has nothing to gain, and may run on any machine that
  // has the device.
  if (processor.empty())
    processor =
        isOfThisMachine(options) &&
                (target == "cpu" || StringRef(target).starts_with("sim"))
            ? "host"
            : "generic";
  if (llvm::Error error = readLevels(processor, features, options))
    return std::move(error);
  if (options.emit == Emit::PTX &&
      (target == "cpu" || StringRef(target).starts_with("sim")))
    return makeError("--emit=ptx: expected a CUDA device as --target, found '" +
                     target + "'");
  options.compile.policyDevice = options.compile.isDevice() ? "cuda" : "cpu";
  if (llvm::Error error = autocast.read(options.compile))
    return std::move(error);
  if (llvm::Error error = codegen.read(
          options.compile,
          options.compile.isDevice() ? CodeFor::Device : CodeFor::CPU,
          "--target=" + target))
    return std::move(error);
  options.threads = codegen.getThreads().value_or(1);
  options.remarks = codegen.hasRemarks();
  if (llvm::Error error = checkOutput(options))
    return std::move(error);
  return options;
}
