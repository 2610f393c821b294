//===- Models.h - interface models for upstream dialects --------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_INTERFACES_MODELS_H
#define AMP_INTERFACES_MODELS_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace mlir::amp {

/// Each adds the PrecisionOpInterface models for one upstream dialect to
/// `registry`; they are attached when that dialect is loaded.
void registerArithModels(DialectRegistry &registry);
void registerFuncModels(DialectRegistry &registry);
void registerLinalgModels(DialectRegistry &registry);
void registerMathModels(DialectRegistry &registry);
void registerSCFModels(DialectRegistry &registry);
void registerTensorModels(DialectRegistry &registry);
void registerTosaModels(DialectRegistry &registry);

/// All of the above.
void registerAllModels(DialectRegistry &registry);

} // namespace mlir::amp

#endif // AMP_INTERFACES_MODELS_H
