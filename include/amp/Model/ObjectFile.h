//===- ObjectFile.h - machine code in files ---------------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_MODEL_OBJECTFILE_H
#define AMP_MODEL_OBJECTFILE_H

#include "amp/Model/Manifest.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/CodeGen.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace llvm {
class LLVMContext;
class Module;
class TargetMachine;
class raw_pwrite_stream;
} // namespace llvm

namespace mlir::amp {

/// Checks that LLVM knows `name` as a feature of the processors of `triple`
/// (empty: of this system's). The error names features and processors that it
/// may mean, or says that it is a processor.
llvm::Error checkFeature(StringRef triple, StringRef name);

/// A machine that makes position-independent code for processors of `triple`,
/// optimised as `level` says. `triple`, `processor` and `features` are those
/// that cpu::CPUTarget::get takes; an unknown one is an error, and a triple
/// that this LLVM has no code generator for.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>> createTargetMachine(
    StringRef triple, StringRef processor, StringRef features,
    llvm::CodeGenOptLevel level = llvm::CodeGenOptLevel::Aggressive);

/// What `machine` makes code for: LLVM's names, and its instruction sets.
/// `name` is what to call the level; empty: those names.
ModelLevel describeLevel(const llvm::TargetMachine &machine, StringRef name);

/// The module as LLVM IR with the data layout of `machine`, not optimised. The
/// error says that diagnostics have told the reason.
llvm::Expected<std::unique_ptr<llvm::Module>>
translateToLLVM(ModuleOp module, llvm::LLVMContext &context,
                llvm::TargetMachine &machine);

/// Optimises `module` as `machine` does, which stands for LLVM's -O3, or -O0.
llvm::Error optimize(llvm::Module &module, llvm::TargetMachine &machine);

/// Writes the object file of `module`, which is changed by that.
llvm::Error writeObject(llvm::Module &module, llvm::TargetMachine &machine,
                        llvm::raw_pwrite_stream &os);

} // namespace mlir::amp

#endif // AMP_MODEL_OBJECTFILE_H
