//===- ResultPlaces.h - results in memory of the caller ---------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_MODEL_RESULTPLACES_H
#define AMP_LIB_MODEL_RESULTPLACES_H

#include "amp/Model/Manifest.h"

namespace llvm {
class Module;
} // namespace llvm

namespace mlir::amp {

/// Lets the code of `functions`, which compileToLLVM has made and nothing has
/// optimised yet, take the memory of its results from ampCpuAllocateResult
/// (amp/Runtime/CPU.h), so that a caller's memory is written to as they are
/// computed, and nothing is copied. That of a result stays as it is where
/// - it is not allocated once, for this result alone;
/// - other code of the module calls the function, whose results are not those
///   of the call of the runtime then;
/// - a check may fail once it is written to: a call that fails so leaves the
///   caller's memory as it was.
void placeResults(llvm::Module &module, ArrayRef<ModelFunction> functions);

} // namespace mlir::amp

#endif // AMP_LIB_MODEL_RESULTPLACES_H
