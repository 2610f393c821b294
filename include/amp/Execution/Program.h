//===- Program.h - a module to run, and its entry ---------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_EXECUTION_PROGRAM_H
#define AMP_EXECUTION_PROGRAM_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace llvm {
class SourceMgr;
} // namespace llvm

namespace mlir::amp {

/// An argument or a result of the function that runs: a ranked tensor or a
/// scalar.
struct Port {
  /// Its position among the arguments, or among the results.
  unsigned index;
  /// The attribute `amp.name`; else the name of the location, `loc("x")`, of an
  /// argument; else "arg<index>" or "result<index>". Distinct among the
  /// arguments, and among the results.
  std::string name;
  Type type;

  /// The element type of the tensor, or the type of the scalar.
  Type getElementType() const;
  /// The shape of the tensor, with ShapedType::kDynamic where it is not known;
  /// empty for a scalar.
  ArrayRef<int64_t> getShape() const;
};

/// Reads the module in the file `path`, text or bytecode ("-" is standard
/// input), into the context; `sourceMgr` gets the text, for diagnostics. Ops of
/// unregistered dialects are let through. Syntax errors and invalid IR are
/// diagnosed in place and give a ToldError.
llvm::Expected<OwningOpRef<ModuleOp>>
loadModule(StringRef path, llvm::SourceMgr &sourceMgr, MLIRContext *context);

/// The function to run: the one called `name`; without a name the only public
/// one with a body, else "main". The error lists the functions there are.
llvm::Expected<func::FuncOp> findEntry(ModuleOp module, StringRef name);

/// The arguments of `function`. The error names an argument that amp-run cannot
/// pass: a memref, an unranked tensor, or one of unsupported elements.
llvm::Expected<SmallVector<Port>> getArgumentPorts(func::FuncOp function);

/// The results of `function`; see getArgumentPorts.
llvm::Expected<SmallVector<Port>> getResultPorts(func::FuncOp function);

} // namespace mlir::amp

#endif // AMP_EXECUTION_PROGRAM_H
