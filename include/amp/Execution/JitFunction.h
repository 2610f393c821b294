//===- JitFunction.h - a compiled function ----------------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_EXECUTION_JITFUNCTION_H
#define AMP_EXECUTION_JITFUNCTION_H

#include "amp/Execution/Stages.h"
#include "amp/Support/NumpyFile.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <vector>

namespace mlir {
class ExecutionEngine;
} // namespace mlir

namespace mlir::amp {

/// A function in memory, compiled for this machine, that takes and gives
/// arrays.
class JitFunction {
public:
  /// Compiles the module that compileToLLVM has made of the entry `name`.
  static llvm::Expected<std::unique_ptr<JitFunction>>
  create(ModuleOp module, StringRef name, Signature signature);
  ~JitFunction();

  /// Calls the function. `inputs` are as many as the arguments, and of their
  /// element types, ranks and static sizes; they are not written to. The
  /// results are in memory of their own. `seconds`, if not null, gets the wall
  /// time of the call alone.
  llvm::Expected<std::vector<NumpyArray>>
  run(ArrayRef<const NumpyArray *> inputs, double *seconds = nullptr);

  ArrayRef<Type> getResultTypes() const { return signature.results; }

private:
  JitFunction() = default;

  std::unique_ptr<ExecutionEngine> engine;
  Signature signature;
  void (*function)(void **) = nullptr;
};

} // namespace mlir::amp

#endif // AMP_EXECUTION_JITFUNCTION_H
