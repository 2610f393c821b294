//===- InitAll.h - registration of everything in amp ------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_INITALL_H
#define AMP_INITALL_H

#include "amp/Dialect/AMP/IR/AMP.h"
#include "amp/Dialect/AMP/Transforms/Passes.h"
#include "amp/Interfaces/Models.h"

namespace mlir::amp {

/// Adds the amp dialect, and the models of its interfaces for upstream
/// dialects, to `registry`.
inline void registerAllDialects(DialectRegistry &registry) {
  registry.insert<AMPDialect>();
  registerAllModels(registry);
}

/// Registers amp's passes and pipelines with the global pass registry.
inline void registerAllPasses() { registerAMPTransformsPasses(); }

} // namespace mlir::amp

#endif // AMP_INITALL_H
