//===- Engine.h - code in memory --------------------------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_EXECUTION_ENGINE_H
#define AMP_LIB_EXECUTION_ENGINE_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/CodeGen.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace mlir {
class ExecutionEngine;
} // namespace mlir

namespace mlir::amp {

/// The code of a module of the LLVM dialect for this machine, optimised as
/// `level` says, which stands for LLVM's -O3, or -O0, and loaded, with its
/// initialisers run.
llvm::Expected<std::unique_ptr<ExecutionEngine>>
createEngine(ModuleOp module,
             llvm::CodeGenOptLevel level = llvm::CodeGenOptLevel::Aggressive);

} // namespace mlir::amp

#endif // AMP_LIB_EXECUTION_ENGINE_H
