//===- Execute.cpp - compiling and running a function ---------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Execute.h"

#include "amp/Execution/JitFunction.h"
#include "amp/Support/Progress.h"
#include <csignal>
#include <pthread.h>
#include <unistd.h>

using namespace mlir;
using namespace mlir::amp;
using llvm::Error;
using llvm::Expected;

Expected<Execution> mlir::amp::compile(func::FuncOp entry,
                                       const CompileOptions &options,
                                       const std::optional<Device> &device,
                                       StringRef what, StageObserver observer) {
  std::optional<Progress> progress;
  if (!what.empty())
    progress.emplace("amp-run", "compiling " + what);
  auto module = entry->getParentOfType<ModuleOp>();
  std::string name = entry.getName().str();
  bool isStopped = false;
  FailureOr<SmallVector<Signature>> signatures =
      compileToLLVM(entry, options, [&](const Stage &stage, ModuleOp module) {
        isStopped = !observer(stage, module);
        return !isStopped;
      });
  if (failed(signatures))
    return llvm::make_error<ToldError>();
  Execution execution;
  if (isStopped)
    return execution;
  Error error = Error::success();
  auto setFunction = [&](auto function) {
    error = function.takeError();
    if (!error)
      execution.function = std::move(*function);
  };
  if (device)
    setFunction(
        DeviceFunction::create(module, name, signatures->front(), *device));
  else
    setFunction(JitFunction::create(module, name, signatures->front()));
  if (error)
    return makeError("the code of '" + name + "' could not be loaded: " +
                     llvm::toString(std::move(error)));
  if (device)
    execution.onDevice =
        static_cast<DeviceFunction *>(execution.function.get());
  return execution;
}

/// What `signal` says of code that was compiled from tensors.
static StringRef describeSignal(int signal) {
  switch (signal) {
  case SIGFPE:
    return "an integer division by zero, or one that overflows";
  case SIGABRT:
    return "a check that failed, which standard output shows, or a lack of "
           "memory";
  case SIGSEGV:
  case SIGBUS:
    return "an access outside of its arrays";
  default:
    return "an illegal instruction";
  }
}

/// The lowest address of the stack of the thread that called it.
static uintptr_t getStackEnd() {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes))
    return 0;
  void *low = nullptr;
  size_t size = 0;
  pthread_attr_getstack(&attributes, &low, &size);
  pthread_attr_destroy(&attributes);
  return uintptr_t(low);
}

static uintptr_t stackEnd = 0;
static struct sigaction handledBefore;

/// Ends the process where the stack is full: it may be so in the middle of an
/// allocation, so there is no way back, and nothing but a text can be written.
static void handleFullStack(int signal, siginfo_t *info, void *context) {
  uintptr_t address = uintptr_t(info->si_addr);
  constexpr uintptr_t reach = 1 << 20;
  if (address + reach > stackEnd && address < stackEnd + reach) {
    constexpr StringLiteral text =
        "amp-run: error: the run was stopped by calls that are nested too "
        "deeply; check the values that end the recursion\n";
    ssize_t written = write(STDERR_FILENO, text.data(), text.size());
    (void)written;
    _exit(1);
  }
  handledBefore.sa_handler(signal);
}

void mlir::amp::catchFullStack() {
  stackEnd = getStackEnd();
  struct sigaction action = {};
  action.sa_sigaction = handleFullStack;
  // There is no room on that stack; LLVM has one for signals.
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  sigaction(SIGSEGV, &action, &handledBefore);
}

Error mlir::amp::makeFaultError(StringRef what, int signal) {
  return makeError("the run of " + what + " was stopped by " +
                   describeSignal(signal) +
                   "; check the shapes and the values of the inputs");
}

Error mlir::amp::runOnce(Execution &execution,
                         ArrayRef<const NumpyArray *> inputs, StringRef what,
                         bool isPhase) {
  std::optional<Progress> progress;
  if (isPhase)
    progress.emplace("amp-run", "running " + what);
  Expected<std::vector<NumpyArray>> results = guard<std::vector<NumpyArray>>(
      what, [&] { return execution.function->run(inputs); });
  if (!results)
    return results.takeError();
  execution.results = std::move(*results);
  return Error::success();
}
