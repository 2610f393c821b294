//===- DecideByRules.h - the classifier in amp-decide-precision -*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_DIALECT_AMP_TRANSFORMS_DECIDEBYRULES_H
#define AMP_LIB_DIALECT_AMP_TRANSFORMS_DECIDEBYRULES_H

#include "amp/Analysis/PrecisionAnalysis.h"
#include "amp/Policy/Classifier.h"
#include "amp/Policy/ProfileMap.h"

#include "mlir/IR/BuiltinOps.h"

namespace mlir::amp {

/// Looks up what `profile` (may be null) knows of values. It must outlive the
/// function that is returned.
RangeLookup makeRangeLookup(const ProfileMap *profile);

/// The rules of `policies` and of the sets that it extends, in this order.
SmallVector<ClassifierRule> makeRules(const PolicySet &policies);

/// `constant`, of floats, with each number replaced by `map`, which gives
/// numbers of `elementType`. Null for what holds no floats, or no numbers.
TypedAttr mapNumbers(Attribute constant, FloatType elementType,
                     function_ref<APFloat(const APFloat &)> map);

/// Brings the constants of ops that run in the lower type into its range, where
/// the options say so: `weight-overflow=saturate` by a saturating amp.cast, and
/// ModelOpt by other numbers. Emits an error for each under
/// `weight-overflow=error`. Types stay. True if anything changed, so that
/// precision is to be decided again.
FailureOr<bool> convertConstants(ArrayRef<const DecidedOp *> decisions,
                                 const ClassifierOptions &options);

/// Emits what the rules have to say of `op` beyond its decision: a warning for
/// NaN, remarks for what they overruled, what they could not judge, and for
/// constants that lose numbers.
void reportVerdict(Operation *op, const Verdict &verdict);

/// Warns of names in rules that no op of `module` has, at the rule, or at the
/// module for an option. Names of ops that exist elsewhere are remarks.
void reportUnmatchedRules(const Classifier &classifier, ModuleOp module);

} // namespace mlir::amp

#endif // AMP_LIB_DIALECT_AMP_TRANSFORMS_DECIDEBYRULES_H
