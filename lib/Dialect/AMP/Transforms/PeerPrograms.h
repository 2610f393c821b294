//===- PeerPrograms.h - programs as other classifiers take them -*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_DIALECT_AMP_TRANSFORMS_PEERPROGRAMS_H
#define AMP_LIB_DIALECT_AMP_TRANSFORMS_PEERPROGRAMS_H

#include "amp/Analysis/PrecisionAnalysis.h"

#include "mlir/IR/BuiltinOps.h"

namespace mlir::amp {

/// Does to `module` what ModelOpt does to a model before it looks at it: all
/// that is f64 becomes f32, arguments and results of functions too, with a
/// warning; then casts of the program between f32, f16 and bf16 go, where only
/// the options say what runs in which type: chains of casts that end in the
/// type that they start from, and those in front of another cast.
void prepareAsModelOpt(ModuleOp module);

/// An error for each op of several results that the rules judged: there
/// Torch-TensorRT fails.
LogicalResult checkAsTorchTRT(ArrayRef<const DecidedOp *> decisions);

} // namespace mlir::amp

#endif // AMP_LIB_DIALECT_AMP_TRANSFORMS_PEERPROGRAMS_H
