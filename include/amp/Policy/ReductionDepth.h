//===- ReductionDepth.h - how much goes into one result ---------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_POLICY_REDUCTIONDEPTH_H
#define AMP_POLICY_REDUCTIONDEPTH_H

#include "amp/Policy/Peers.h"

#include "mlir/IR/Operation.h"

#include <optional>

namespace mlir::amp {

/// How many products or elements go into one element of a result.
struct ReductionDepth {
  enum Kind {
    /// The op reduces nothing, or selects only (max, argmax), which is exact.
    None,
    /// It reduces `extent` elements.
    Known,
    /// It reduces, but over extents that nobody knows.
    Unknown
  };
  Kind kind = None;
  int64_t extent = 0;

  static ReductionDepth get(std::optional<int64_t> extent) {
    return extent ? ReductionDepth{Known, *extent} : ReductionDepth{Unknown, 0};
  }
};

/// The shape of a value as far as it is known, ShapedType::kDynamic where not.
/// Nothing if not even the rank is known.
using ShapeLookup =
    llvm::function_ref<std::optional<SmallVector<int64_t>>(Value)>;

/// The shape that the type of `value` gives; that of a scalar is empty.
std::optional<SmallVector<int64_t>> getStaticShape(Value value);

/// The reduction depth of `op`. Of the ops in lib/Policy/ReductionDepths.def it
/// is computed from the shapes of its operands and its attributes; of others by
/// PrecisionOpInterface, or from the indexing maps of structured ops, as the
/// product of the extents of all loops that reduce.
///
/// With a peer it is what that peer computes, mistakes included: see
/// docs/classifier.md.
ReductionDepth getReductionDepth(Operation *op,
                                 ShapeLookup getShape = getStaticShape,
                                 Peer peer = Peer::none);

} // namespace mlir::amp

#endif // AMP_POLICY_REDUCTIONDEPTH_H
