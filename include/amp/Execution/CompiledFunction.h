//===- CompiledFunction.h - a function that takes arrays --------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_EXECUTION_COMPILEDFUNCTION_H
#define AMP_EXECUTION_COMPILEDFUNCTION_H

#include "amp/Execution/Stages.h"
#include "amp/Support/NumpyFile.h"
#include "llvm/Support/Error.h"
#include <vector>

namespace mlir::amp {

/// A function in memory, compiled for this machine or for a device of it, that
/// takes and gives arrays. The inputs of a call are as many as the arguments,
/// and of their element types, ranks and static sizes; they are not written to.
class CompiledFunction {
public:
  virtual ~CompiledFunction() = default;

  /// Calls the function. The results are in memory of their own.
  virtual llvm::Expected<std::vector<NumpyArray>>
  run(ArrayRef<const NumpyArray *> inputs) = 0;

  /// The seconds that each of `numRuns` calls takes, without copying inputs and
  /// results, after `numWarmUps` calls.
  virtual llvm::Expected<std::vector<double>>
  time(ArrayRef<const NumpyArray *> inputs, unsigned numWarmUps,
       unsigned numRuns) = 0;

  ArrayRef<Type> getResultTypes() const { return signature.results; }

protected:
  explicit CompiledFunction(Signature signature)
      : signature(std::move(signature)) {}

  Signature signature;
};

} // namespace mlir::amp

#endif // AMP_EXECUTION_COMPILEDFUNCTION_H
