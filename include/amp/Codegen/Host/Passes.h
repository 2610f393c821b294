//===- Passes.h - host code generation passes -------------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_CODEGEN_HOST_PASSES_H
#define AMP_CODEGEN_HOST_PASSES_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/Pass.h"

namespace mlir::amp {

#define GEN_PASS_DECL
#include "amp/Codegen/Host/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "amp/Codegen/Host/Passes.h.inc"

} // namespace mlir::amp

#endif // AMP_CODEGEN_HOST_PASSES_H
