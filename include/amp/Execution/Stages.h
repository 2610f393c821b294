//===- Stages.h - from a module on tensors to LLVM --------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// The way of a program to machine code, as a list of named stages after each
// of which the IR verifies and can be looked at.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_EXECUTION_STAGES_H
#define AMP_EXECUTION_STAGES_H

#include "amp/Policy/Classifier.h"
#include "amp/Policy/Profile.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include <optional>
#include <string>
#include <vector>

namespace mlir::amp {

/// What autocast does to a program.
enum class Autocast {
  /// What its amp.autocast regions say.
  AsWritten,
  /// Nothing: the regions of the program are disabled.
  Off,
  /// Storage in f16 or bf16, in the regions of the program that are not
  /// disabled, or over whole functions where it has no region.
  F16,
  BF16,
};

/// The meaning of "off", "f16" or "bf16"; nothing for other texts.
std::optional<Autocast> parseAutocast(StringRef text);

/// Asks for the values of a program to be observed (amp.observe).
struct Instrumentation {
  ProfileSelection selection;
  /// What compileToLLVM leaves here: an entry per slot, without numbers.
  std::vector<ProfileEntry> entries;
};

/// What to make of the program.
struct CompileOptions {
  /// What it is to run on: "cpu", or what gpu::GPUTarget::get takes.
  std::string target = "cpu";
  Autocast autocast = Autocast::AsWritten;
  /// The device whose autocast policy functions without regions get: "cpu",
  /// "cuda", "xpu" or "mps".
  std::string policyDevice = "cpu";
  /// A file of policy sets, the names of those that scopes use that name none
  /// (one for each device), and what happens to ops that nobody knows; see
  /// amp-decide-precision. Empty: what that pass does without them.
  std::string policyFile;
  std::vector<std::string> policies;
  std::string unknownOp;
  /// Whether the rules of the classifier decide over functions without regions,
  /// and in regions whose policy set extends @classifier, and what they are.
  bool useClassifier = false;
  ClassifierOptions rules;
  /// Whether what torch has an error for is one.
  bool strict = false;
  /// Whether results of scopes take the element types that autocast gives,
  /// rather than keep those of the program.
  bool propagateResults = false;
  /// Whether every cast of autocast rounds, rather than only where no kernel
  /// keeps the wider value.
  bool exactRounding = false;
  /// What C identifiers of a program for a device start with: its description
  /// is the symbol "<modelName>_model".
  std::string modelName = "main";
  /// What becomes of its kernels: "cubin", "ptx", "fatbin", or "auto": a cubin,
  /// or PTX where there is no ptxas.
  std::string deviceCode = "auto";
  /// Whether contractions of f32 on a device may round their operands to tf32.
  bool allowTF32 = false;
  /// Whether contractions of 8-bit floats on a device add all products in the
  /// few bits of its tensor cores.
  bool fastF8 = false;
  /// The file of the schedules that were measured, and the device whose entries
  /// count; see amp-gpu-codegen. Empty: none, and the only one in the file.
  std::string tuningFile;
  std::string tuningDevice;
  /// Whether the stage `gpu` notes what could be measured.
  bool noteCandidates = false;
  /// The system to compile for; empty: this one. See cpu::CPUTarget::get.
  std::string triple;
  /// The processor to schedule for, and LLVM's "+avx2,-fma" on top of it; see
  /// cpu::CPUTarget::get.
  std::string processor = "host";
  std::string features;
  /// Whether a loop of code for the CPU that goes element by element is an
  /// error; see amp-cpu-codegen.
  bool noScalarFallback = false;
  /// Whether work on arguments that are marked amp.weight becomes a function of
  /// its own on the CPU, as it always does on devices.
  bool prepareWeights = false;

  /// The file of the program's ranges, which autocast looks at; empty for none.
  std::string profile;
  /// What becomes of one that is not of the program: "error" or "warn".
  std::string staleProfile = "error";
  /// If not null, the functions observe their values: on the CPU only.
  Instrumentation *instrumentation = nullptr;

  bool isDevice() const { return target != "cpu"; }
  /// Whether the code is for the simulator. Each access to memory is a call
  /// that checks it there: most programs take longer to optimise than to run.
  bool isSimulated() const { return StringRef(target).starts_with("sim"); }
};

/// One step of the compilation.
struct Stage {
  /// What `--dump-stage` calls it.
  StringRef name;
  /// A phrase for the help text.
  StringRef description;
  /// The stage ends where this pass of the pipelines would run next.
  StringRef endsBefore = {};
  /// Or it ends after this pass. Where both are empty it ends with a pipeline.
  StringRef endsAfter = {};
};

/// All stages in order, of programs for a device or for the CPU. The last one
/// leaves a module of the LLVM dialect.
ArrayRef<Stage> getStages(bool isDevice);

/// What follows a stage: called with the stage and the module. Returning false
/// ends the compilation there, with success.
using StageObserver = llvm::function_ref<bool(const Stage &, ModuleOp)>;

/// Runs `pm` over `module`. If it fails, a diagnostic has told why: where the
/// passes give none, that `what` failed.
LogicalResult runPasses(PassManager &pm, ModuleOp module, const Twine &what);

/// Does to `module`, in place, what the stages up to "resolve" do, and leaves
/// the attribute `amp.report` on it where autocast has anything to decide. With
/// `entries` the functions that none of them uses are removed first. Fails with
/// diagnostics.
LogicalResult applyAutocast(ModuleOp module, ArrayRef<func::FuncOp> entries,
                            const CompileOptions &options);

/// The types of the arguments and results of an entry once autocast is done
/// and before tensors become buffers: what the compiled function takes and
/// gives.
struct Signature {
  SmallVector<Type> arguments;
  SmallVector<Type> results;
  /// With `prepareWeights`, where there is a function `<entry>_init`: the
  /// numbers of the arguments that it takes, and what it gives, which the
  /// compiled function takes behind its arguments.
  SmallVector<int64_t> weights;
  SmallVector<Type> prepared;
};

/// Runs all stages over the module of `entries`, in place, until `observer`
/// says to stop. Functions that no entry uses are removed first. The result is
/// called as buildCPULoweringPipeline says; the signatures are in the order of
/// the entries. Fails with diagnostics. The entries are gone afterwards.
FailureOr<SmallVector<Signature>> compileToLLVM(ArrayRef<func::FuncOp> entries,
                                                const CompileOptions &options,
                                                StageObserver observer);

} // namespace mlir::amp

#endif // AMP_EXECUTION_STAGES_H
