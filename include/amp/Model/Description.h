//===- Description.h - the description of a model, as data ------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_MODEL_DESCRIPTION_H
#define AMP_MODEL_DESCRIPTION_H

#include "amp/Model/Manifest.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <vector>

namespace llvm {
class GlobalObject;
class Module;
} // namespace llvm

namespace mlir::amp {

/// Makes the module that compileToLLVM has made of the functions of `info` the
/// code of `level`, one of the levels of `info`: adds the ampCpuFunction
/// (amp/Runtime/CPU.h) of each entry, makes everything else local, under names
/// that end with that of the level where there are several, and lets checks
/// that fail end the call instead of the process.
llvm::Error addCPUEntries(llvm::Module &module, const ModelInfo &info,
                          const ModelLevel &level);

/// Makes the modules of all levels of `info`, in their order and as
/// addCPUEntries has made them, one: a model for the CPU. Constants that
/// several have alike, such as weights, are there once; the ampCpuModelDesc
/// (amp/Runtime/CPU.h) has the names "<info.name>_model" and "amp_model". The
/// modules are of one context, and their functions may be optimised already.
llvm::Expected<std::unique_ptr<llvm::Module>>
linkCPULevels(std::vector<std::unique_ptr<llvm::Module>> modules,
              const ModelInfo &info);

/// Makes the module that compileToLLVM has made for a device, with the
/// ampCudaModelDesc "<info.name>_model" (amp/Runtime/CUDA.h), a model: notes
/// kernels and scratch memory in `info`, puts the manifest of `info` into the
/// description, which gets the name "amp_model" too, and makes everything else
/// local.
llvm::Error finishDeviceDescription(llvm::Module &module, ModelInfo &info);

/// Makes all that `module` defines local to it, but `exported`, under names
/// that neither the C library nor the runtime has and that end with `suffix`.
void makeLocal(llvm::Module &module,
               ArrayRef<const llvm::GlobalObject *> exported,
               StringRef suffix = "");

} // namespace mlir::amp

#endif // AMP_MODEL_DESCRIPTION_H
