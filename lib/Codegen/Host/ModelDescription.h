//===- ModelDescription.h - the constant that describes a model -*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CODEGEN_HOST_MODELDESCRIPTION_H
#define AMP_LIB_CODEGEN_HOST_MODELDESCRIPTION_H

#include "mlir/IR/BuiltinOps.h"

#include <optional>
#include <string>
#include <vector>

namespace mlir::amp::host {

/// An argument or result: ampValueInfo of amp/Runtime/Model.h.
struct ValueDesc {
  std::string name;
  int32_t dtype = 0;
  /// None for a number.
  std::optional<SmallVector<int64_t>> shape;
  bool isWeight = false;
};

/// A function that callers see: ampCudaEntryDesc of amp/Runtime/CUDA.h.
struct EntryDesc {
  std::string name;
  /// Symbols of the functions; `init` is empty where there is none.
  std::string function, init;
  bool isCapturable = false;
  SmallVector<ValueDesc> arguments, results, prepared;
  SmallVector<int32_t> initArguments;
  int64_t workspaceBytes = -1;
};

struct KernelDesc {
  std::string name, location;
  int32_t image = 0;
  SmallVector<uint32_t> paramBytes;
};

/// Device code: bytes, or the symbol of a table of the simulator.
struct ImageDesc {
  StringAttr bytes;
  std::string symbol;
};

/// Data for the device: the symbol of a global.
struct ConstantDesc {
  std::string symbol;
  uint64_t bytes = 0;
};

struct ModelDesc {
  std::string name, target;
  SmallVector<ImageDesc> images;
  SmallVector<KernelDesc> kernels;
  SmallVector<ConstantDesc> constants;
  std::vector<EntryDesc> entries;
};

/// The runtime's number of an element type; none where it has no such type.
std::optional<int32_t> getDtype(Type type);

/// Creates the global `<name>_model`, an ampCudaModelDesc, and what it refers
/// to, at the end of `module`.
void emitModelDescription(ModuleOp module, const ModelDesc &model);

} // namespace mlir::amp::host

#endif // AMP_LIB_CODEGEN_HOST_MODELDESCRIPTION_H
