//===- Passes.h - passes that choose overloads ------------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_DIALECT_AMP_DISPATCH_PASSES_H
#define AMP_DIALECT_AMP_DISPATCH_PASSES_H

#include "amp/Dialect/AMP/IR/AMP.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::amp {

/// How far the types of the operands may be from what an overload takes. Each
/// case includes those before it.
enum class OverloadDistance {
  /// They are what it takes.
  Exact,
  /// They are after torch's promotion of the operands of one type variable.
  Promoted,
  /// They are after conversions that keep every value.
  Nearest,
  /// They are after conversions that round, or narrow the range.
  Lossy
};

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "amp/Dialect/AMP/Dispatch/Passes.h.inc"

} // namespace mlir::amp

#endif // AMP_DIALECT_AMP_DISPATCH_PASSES_H
