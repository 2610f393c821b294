//===- KnownOps.h - the names of ops that exist ------------------*- C++
//-*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_POLICY_KNOWNOPS_H
#define AMP_POLICY_KNOWNOPS_H

#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/SetVector.h"

#include <memory>

namespace mlir::amp {

/// Tells a name that is misspelled from that of an op which a program just does
/// not use. An op is known if its dialect is registered and has it, if torch's
/// lists name it, or if it is an overload of an ATen op that amp knows the
/// types of. Names are normalized (normalizeOpName). Not for several threads at
/// once.
class KnownOps {
public:
  explicit KnownOps(MLIRContext *context);
  ~KnownOps();

  /// Whether there is an op `name`; "aten.pow.*" is all overloads of one.
  bool contains(StringRef name);

  /// The known name that comes nearest to `name`; empty if none is near. It
  /// lives as long as this object.
  StringRef findNearest(StringRef name);

private:
  /// The context to ask about the ops of `dialect`; null if that is not
  /// registered.
  MLIRContext *getContextOf(StringRef dialect);

  MLIRContext *context;
  /// Where dialects are loaded that the module does not use: a pass must not
  /// load any into its own context.
  std::unique_ptr<MLIRContext> scratch;
};

} // namespace mlir::amp

#endif // AMP_POLICY_KNOWNOPS_H
