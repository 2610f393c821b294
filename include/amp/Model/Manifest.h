//===- Manifest.h - what a compiled model says of itself --------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_MODEL_MANIFEST_H
#define AMP_MODEL_MANIFEST_H

#include "amp/Execution/Program.h"
#include "mlir/IR/Types.h"
#include <optional>
#include <string>
#include <vector>

namespace mlir::amp {

/// A function of a compiled model, as its caller sees it.
struct ModelFunction {
  std::string name;
  SmallVector<Port> arguments;
  SmallVector<Port> results;
  /// The numbers of the arguments that the caller passes as weights.
  SmallVector<int64_t> passedWeights;
  /// Arguments of the program that the model holds: they are not passed.
  SmallVector<Port> weights;
  /// Bytes of scratch memory of a call; nothing where they depend on the sizes
  /// of the inputs.
  std::optional<int64_t> workspaceBytes;
};

/// A kernel that runs on the device.
struct ModelKernel {
  std::string name;
  /// "file:line:column" of the op that it comes from.
  std::string source;
};

/// What the code of a level computes of a function's weights ahead of its
/// calls, by the function `<name>_init`.
struct ModelInit {
  /// The numbers of the arguments that it takes.
  SmallVector<int64_t> weights;
  /// Tensors of static shape or not; empty where there is no such function.
  SmallVector<Type> prepared;
};

/// What the code of a model for the CPU, or the host code of one for a device,
/// is compiled for; a model for the CPU may have code for several.
struct ModelLevel {
  /// Such as "x86-64-v3": what the runtime and its environment call it.
  std::string name;
  /// LLVM's name of the processor, and the features that are asked for beyond
  /// those of that processor, as "+a,+b".
  std::string processor, features;
  /// AMP_CPU_* (amp/Runtime/CPU.h) of all instruction sets that code may use.
  uint64_t instructionSets = 0;
  /// Of each function what it prepares of its weights.
  std::vector<ModelInit> inits;
};

/// A compiled model.
struct ModelInfo {
  /// What the C identifiers of the header start with.
  std::string name;
  /// File name of the module that it was compiled from.
  std::string source;
  /// "cpu", "sm_90a", "sim", ...
  std::string target;
  /// Of the machine that calls it.
  std::string triple;
  /// At least one, from the oldest to the newest.
  SmallVector<ModelLevel> levels;
  /// "f16", "bf16", "off", or "as-written".
  std::string autocast;
  /// Whether contractions of f32 may have rounded their operands to tf32.
  bool allowTF32 = false;
  std::vector<ModelFunction> functions;
  SmallVector<ModelKernel> kernels;
};

/// The C identifier that stands for the model in the file `path`: the stem of
/// its name, without "lib" in front, with "_" for what C does not allow.
std::string getModelName(StringRef path);

/// The name of an element type in manifests, such as "f32", "bf16", "f8E4M3FN",
/// "i8", "ui8", "i1" or "index".
std::string getElementName(Type type);

/// The manifest, as JSON with a final line break. Deterministic.
std::string makeManifest(const ModelInfo &info);

/// The C header: the declarations of amp/Runtime/Model.h, which include guards
/// keep apart from the file itself, the function that gives the model, and
/// constants for the positions of functions, arguments and results.
std::string makeHeader(const ModelInfo &info);

} // namespace mlir::amp

#endif // AMP_MODEL_MANIFEST_H
