//===- RangeAttribute.h - what the results of an op held --------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With a profile, amp-decide-precision leaves on each op that it decides what
// the profile holds of its results, and amp-apply-precision takes that over
// into the report. docs/report.md describes both attributes.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_DIALECT_AMP_IR_RANGEATTRIBUTE_H
#define AMP_DIALECT_AMP_IR_RANGEATTRIBUTE_H

#include "mlir/IR/BuiltinAttributes.h"
#include <algorithm>
#include <cstdint>

namespace mlir::amp {

/// Name of the attribute (a dictionary) of an op that has a decision.
inline constexpr StringLiteral kRangeAttrName = "amp.range";

/// Name of the module attribute beside `amp.report`: an array with a dictionary
/// for each entry there, empty where no range is known.
inline constexpr StringLiteral kReportRangesAttrName = "amp.report_ranges";

/// The numbers that the results of an op held in a profile.
struct RangeRecord {
  uint64_t count = 0;
  uint64_t numNaN = 0;
  uint64_t numInf = 0;
  uint64_t numZero = 0;
  /// Of the finite numbers that are not zero, those below 2^-126, which are
  /// subnormal in f32 and bf16, and those below 2^-14, which are subnormal in
  /// f16 or zero there.
  uint64_t numSubnormal = 0;
  uint64_t numSubnormalF16 = 0;
  /// Of the finite numbers; both 0 where there were none.
  double min = 0;
  double max = 0;

  bool hasFinite() const { return count != numNaN + numInf; }
  double absmax() const { return std::max(-min, max); }
};

/// `range` as an attribute; its counts are below 2^63.
DictionaryAttr makeRangeAttr(MLIRContext *context, const RangeRecord &range);

/// Reads what makeRangeAttr makes. Without a value `emitError` was called with
/// what was expected and found, unless it is null.
FailureOr<RangeRecord>
parseRangeAttr(Attribute attribute,
               function_ref<InFlightDiagnostic()> emitError);

} // namespace mlir::amp

#endif // AMP_DIALECT_AMP_IR_RANGEATTRIBUTE_H
