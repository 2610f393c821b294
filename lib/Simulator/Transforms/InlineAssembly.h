//===- InlineAssembly.h - inline PTX in the simulator -----------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_SIMULATOR_TRANSFORMS_INLINEASSEMBLY_H
#define AMP_LIB_SIMULATOR_TRANSFORMS_INLINEASSEMBLY_H

#include "CallBuilder.h"

namespace mlir::amp::sim {

/// Replaces inline PTX, instruction by instruction. Fails, with an error that
/// quotes the instruction, at any that the simulator does not know.
Rewritten rewriteInlineAsm(CallBuilder &call, LLVM::InlineAsmOp op);

} // namespace mlir::amp::sim

#endif // AMP_LIB_SIMULATOR_TRANSFORMS_INLINEASSEMBLY_H
