//===- Weights.h - arguments that become constants --------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_MODEL_WEIGHTS_H
#define AMP_MODEL_WEIGHTS_H

#include "amp/Execution/Program.h"
#include "amp/Support/NumpyFile.h"
#include <optional>
#include <vector>

namespace mlir::amp {

/// Makes the arguments of `function` that have a value constants of that value,
/// and takes them out of its signature. `values` has an entry per argument,
/// which fits the argument's type. Fails, with an error that names the caller,
/// where the module itself calls the function.
llvm::Error bindWeights(func::FuncOp function,
                        std::vector<std::optional<NumpyArray>> values);

} // namespace mlir::amp

#endif // AMP_MODEL_WEIGHTS_H
