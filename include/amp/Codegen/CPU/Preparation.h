//===- Preparation.h - work on weights ahead of calls -----------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_CODEGEN_CPU_PREPARATION_H
#define AMP_CODEGEN_CPU_PREPARATION_H

#include "llvm/ADT/StringRef.h"

namespace mlir::amp::cpu {

/// What `amp-cpu-prepare-abi` leaves on a function of which `amp-split-init`
/// has moved work to an init function: the numbers of the arguments that are
/// weights, and the types of what the init function gives.
inline constexpr llvm::StringLiteral kInitWeightsAttrName = "amp_init_weights";
inline constexpr llvm::StringLiteral kInitResultsAttrName = "amp_init_results";

} // namespace mlir::amp::cpu

#endif // AMP_CODEGEN_CPU_PREPARATION_H
