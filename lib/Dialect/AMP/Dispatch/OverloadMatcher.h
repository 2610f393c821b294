//===- OverloadMatcher.h - which overload fits a dispatch -------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_DIALECT_AMP_DISPATCH_OVERLOADMATCHER_H
#define AMP_LIB_DIALECT_AMP_DISPATCH_OVERLOADMATCHER_H

#include "amp/Dialect/AMP/Dispatch/Passes.h"
#include "amp/Dialect/AMP/IR/AMPOverloadOps.h"

#include <array>

namespace mlir::amp {

/// How wide a conversion is; smaller is nearer, compared in this order: lost
/// range, lost precision (each in bits), steps between categories, and bits of
/// width. All zero where nothing is converted.
using ConversionRank = std::array<int64_t, 4>;

/// One operand of a match, in the order of the formals.
struct OverloadOperand {
  /// The operand; null if it is a number or absent.
  Value value;
  /// The parameter of the dispatch that stands for it.
  TypedAttr number;
  /// The element type that the operand has by torch's promotion.
  Type promoted;
  /// The element type that the implementation takes; null if it is absent.
  Type target;
  ConversionRank rank = {};

  bool isAbsent() const { return !target; }
};

/// An overload with what it takes to use it for one dispatch.
struct OverloadMatch {
  OverloadOp overload;
  OverloadSignature signature;
  SmallVector<OverloadOperand> operands;
  /// The values of the parameters of the overload, those that select included;
  /// null for one that is absent.
  SmallVector<Attribute> parameters;
  /// The element types of the implementation's results.
  SmallVector<Type> results;
};

/// Matches the overloads of `set` with `dispatch`.
class OverloadMatcher {
public:
  OverloadMatcher(DispatchOp dispatch, OverloadSetOp set,
                  SymbolTableCollection &symbols)
      : dispatch(dispatch), set(set), symbols(symbols) {}

  /// The match of `overload` at a distance of `distance` at most; nothing if
  /// there is none, with the reason in `reason`.
  std::optional<OverloadMatch>
  match(OverloadOp overload, OverloadDistance distance, std::string &reason);

private:
  LogicalResult collectOperands(OverloadMatch &match, std::string &reason);
  LogicalResult bindTypes(OverloadMatch &match, ArrayRef<unsigned> formals,
                          OverloadDistance distance, std::string &reason);
  LogicalResult bindParameters(OverloadMatch &match, OverloadDistance distance,
                               std::string &reason);
  LogicalResult bindResults(OverloadMatch &match, OverloadDistance distance,
                            std::string &reason);
  LogicalResult checkFunction(OverloadMatch &match, std::string &reason);

  DispatchOp dispatch;
  OverloadSetOp set;
  SymbolTableCollection &symbols;
};

/// Whether a value of type `from` becomes one of type `to`, of the same element
/// type, without a computation: by a change of what is known of its shape, or
/// from a scalar to a tensor without dimensions, or back.
bool canAdaptShape(Type from, Type to);

} // namespace mlir::amp

#endif // AMP_LIB_DIALECT_AMP_DISPATCH_OVERLOADMATCHER_H
