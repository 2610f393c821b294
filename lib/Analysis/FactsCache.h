//===- FactsCache.h - what is true of a type or an op name ------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program has many ops, but few types and op names. Asking a type or an op
// for an interface is a search; here it is made once for each.
//
//===----------------------------------------------------------------------===//

#ifndef LIB_ANALYSIS_FACTSCACHE_H
#define LIB_ANALYSIS_FACTSCACHE_H

#include "amp/Policy/PolicySet.h"

#include "mlir/IR/Operation.h"

namespace mlir::amp {

/// What the analysis asks of a type.
struct TypeFacts {
  /// The element type if that is one that can change: an integer, a float or a
  /// complex number; null otherwise. Null for memrefs.
  Type scalarElement;
  /// The same if it is a float that values are stored in; null otherwise.
  Type floatElement;
  bool isBuffer = false;
  bool isUnranked = false;
};

/// What the analysis asks of an op's name. Interfaces belong to names.
struct NameFacts {
  bool isScope = false;
  bool isYield = false;
  bool isFunction = false;
  bool isCall = false;
  bool isReturn = false;
  bool isRegionBranch = false;
  /// Whether it may hand operands on: a region-branch op, a terminator of one,
  /// or a branch.
  bool mayForward = false;
  bool hasPrecision = false;
  bool isATen = false;
};

class FactsCache {
public:
  TypeFacts get(Type type) {
    auto [it, inserted] = types.try_emplace(type);
    if (inserted)
      it->second = find(type);
    return it->second;
  }

  NameFacts get(Operation *op) {
    auto [it, inserted] = names.try_emplace(op->getName());
    if (inserted)
      it->second = find(op);
    return it->second;
  }

  /// PolicySet::lookupName.
  const PolicyEntry *lookupName(const PolicySet &policies, OperationName name) {
    auto [it, inserted] = entries.try_emplace({&policies, name});
    if (inserted)
      it->second = policies.lookupName(name.getStringRef());
    return it->second;
  }

private:
  static TypeFacts find(Type type);
  static NameFacts find(Operation *op);

  DenseMap<Type, TypeFacts> types;
  DenseMap<OperationName, NameFacts> names;
  DenseMap<std::pair<const PolicySet *, OperationName>, const PolicyEntry *>
      entries;
};

} // namespace mlir::amp

#endif // LIB_ANALYSIS_FACTSCACHE_H
