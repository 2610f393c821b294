//===- JitFunction.h - a compiled function ----------------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_EXECUTION_JITFUNCTION_H
#define AMP_EXECUTION_JITFUNCTION_H

#include "amp/Execution/CompiledFunction.h"
#include <memory>

namespace mlir {
class ExecutionEngine;
} // namespace mlir

namespace mlir::amp {

/// A function compiled for the CPU of this machine.
class JitFunction : public CompiledFunction {
public:
  /// Compiles the module that compileToLLVM has made of the entry `name`.
  static llvm::Expected<std::unique_ptr<JitFunction>>
  create(ModuleOp module, StringRef name, Signature signature);
  ~JitFunction() override;

  llvm::Expected<std::vector<NumpyArray>>
  run(ArrayRef<const NumpyArray *> inputs) override;
  llvm::Expected<std::vector<double>> time(ArrayRef<const NumpyArray *> inputs,
                                           unsigned numWarmUps,
                                           unsigned numRuns) override;

private:
  using CompiledFunction::CompiledFunction;

  /// `seconds`, if not null, gets the wall time of the call alone.
  llvm::Expected<std::vector<NumpyArray>>
  call(ArrayRef<const NumpyArray *> inputs, double *seconds);

  std::unique_ptr<ExecutionEngine> engine;
  void (*function)(void **) = nullptr;
};

} // namespace mlir::amp

#endif // AMP_EXECUTION_JITFUNCTION_H
