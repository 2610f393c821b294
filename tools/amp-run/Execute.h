//===- Execute.h - compiling and running a function -------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TOOLS_AMP_RUN_EXECUTE_H
#define AMP_TOOLS_AMP_RUN_EXECUTE_H

#include "amp/Execution/CompiledFunction.h"
#include "amp/Execution/DeviceFunction.h"
#include "amp/Execution/Stages.h"
#include "amp/Support/Errors.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mlir::amp {

/// A compiled function with what came out of its first run.
struct Execution {
  std::unique_ptr<CompiledFunction> function;
  /// The function, where it runs on a device; else null.
  DeviceFunction *onDevice = nullptr;
  std::vector<NumpyArray> results;
};

/// Compiles the module of `entry`, in place, for the device or, without one,
/// for the CPU. No function, with success, where `observer` ends the
/// compilation. The phase says `what` is compiled; without a text there is
/// none.
llvm::Expected<Execution> compile(func::FuncOp entry,
                                  const CompileOptions &options,
                                  const std::optional<Device> &device,
                                  StringRef what, StageObserver observer);

/// The error of `what`, the run of compiled code, that ended by the signal
/// `signal`.
llvm::Error makeFaultError(StringRef what, int signal);

/// Makes a full stack, of endless recursion, end the process with an error and
/// the exit code 1. Of use once the faults of this thread are handled.
void catchFullStack();

/// Calls `function`, which calls compiled code. A fault of that is the
/// program's, not this tool's: it becomes an error instead of a stack dump.
template <typename T>
llvm::Expected<T> guard(StringRef what,
                        llvm::function_ref<llvm::Expected<T>()> function) {
  std::optional<llvm::Expected<T>> result;
  llvm::CrashRecoveryContext recovery;
  llvm::CrashRecoveryContext::Enable();
  catchFullStack();
  bool isDone = recovery.RunSafely([&] { result.emplace(function()); });
  llvm::CrashRecoveryContext::Disable();
  if (!isDone)
    return makeFaultError(what, recovery.RetCode - 128);
  return std::move(*result);
}

/// Runs the function, and keeps its results in `execution`. `isPhase`: says so
/// where it takes time.
llvm::Error runOnce(Execution &execution, ArrayRef<const NumpyArray *> inputs,
                    StringRef what, bool isPhase = true);

} // namespace mlir::amp

#endif // AMP_TOOLS_AMP_RUN_EXECUTE_H
