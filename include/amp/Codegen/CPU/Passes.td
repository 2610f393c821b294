//===- Passes.td - CPU code generation passes --------------*- tablegen -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_CODEGEN_CPU_PASSES_TD
#define AMP_CODEGEN_CPU_PASSES_TD

include "mlir/Pass/PassBase.td"

#endif // AMP_CODEGEN_CPU_PASSES_TD
