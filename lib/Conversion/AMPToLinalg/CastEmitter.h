//===- CastEmitter.h - the arith ops of a cast ------------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_CONVERSION_AMPTOLINALG_CASTEMITTER_H
#define AMP_CONVERSION_AMPTOLINALG_CASTEMITTER_H

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace mlir::amp {

/// How a value is converted; the meaning is that of amp.cast.
struct CastOptions {
  /// Null is to nearest, ties to even.
  arith::RoundingModeAttr rounding;
  bool saturate = false;
};

/// The signless type of the same width as the integer type `type`; any other
/// type is returned as it is.
Type getSignlessType(Type type);

/// Emits arith (and math) ops that convert `input` from element type `from` to
/// element type `to`, as amp.cast does. `input` is a scalar or vector; where
/// `from` or `to` is a signed or unsigned integer type, `input` or the result
/// has the signless type of the same width. The result has the shape of
/// `input`. The value is rounded at most once.
Value emitCast(OpBuilder &builder, Location loc, Value input, Type from,
               Type to, const CastOptions &options);

} // namespace mlir::amp

#endif // AMP_CONVERSION_AMPTOLINALG_CASTEMITTER_H
