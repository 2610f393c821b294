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

namespace llvm {
class GlobalObject;
class Module;
} // namespace llvm

namespace mlir::amp {

/// Makes the module that compileToLLVM has made of the functions of `info` a
/// model for the CPU: adds the ampCpuModelDesc (amp/Runtime/CPU.h) under the
/// names "<info.name>_model" and "amp_model", makes everything else local, and
/// lets checks that fail end the call instead of the process.
llvm::Error addCPUDescription(llvm::Module &module, const ModelInfo &info);

/// Makes the module that compileToLLVM has made for a device, with the
/// ampCudaModelDesc "<info.name>_model" (amp/Runtime/CUDA.h), a model: notes
/// kernels and scratch memory in `info`, puts the manifest of `info` into the
/// description, which gets the name "amp_model" too, and makes everything else
/// local.
llvm::Error finishDeviceDescription(llvm::Module &module, ModelInfo &info);

/// Makes all that `module` defines local to it, but `exported`, under names
/// that neither the C library nor the runtime has.
void makeLocal(llvm::Module &module, const llvm::GlobalObject *exported);

} // namespace mlir::amp

#endif // AMP_MODEL_DESCRIPTION_H
