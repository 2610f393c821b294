//===- InitAll.h - registration of everything in amp ------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_INITALL_H
#define AMP_INITALL_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace mlir::amp {

/// Adds the amp dialect, and the models of its interfaces for upstream
/// dialects, to `registry`.
void registerAllDialects(DialectRegistry &registry);

/// Registers amp's passes and pipelines with the global pass registry.
void registerAllPasses();

} // namespace mlir::amp

#endif // AMP_INITALL_H
