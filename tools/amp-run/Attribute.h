//===- Attribute.h - which ops make the error -------------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TOOLS_AMP_RUN_ATTRIBUTE_H
#define AMP_TOOLS_AMP_RUN_ATTRIBUTE_H

#include "Trials.h"

namespace mlir::amp {

/// Prints which ops contribute most to the error of the whole program, the
/// largest contribution first. For each op two trials: the error with this op
/// alone as autocast decides and all others in f32, which orders the list, and
/// the error with this op alone in f32. Where there are too many ops for the
/// trials that are left, neighbours are measured together, and the worst groups
/// are split as far as trials last.
llvm::Error attributeError(llvm::raw_ostream &os, Trials &trials);

} // namespace mlir::amp

#endif // AMP_TOOLS_AMP_RUN_ATTRIBUTE_H
