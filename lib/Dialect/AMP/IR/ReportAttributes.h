//===- ReportAttributes.h - the report of a module --------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_DIALECT_AMP_IR_REPORTATTRIBUTES_H
#define AMP_LIB_DIALECT_AMP_IR_REPORTATTRIBUTES_H

#include "mlir/IR/Attributes.h"
#include "mlir/IR/Operation.h"

namespace mlir::amp {

/// Checks the attribute `amp.report` of `op`: a module, and an array of
/// OpReportAttr. Emits an error that says what is wrong.
LogicalResult verifyReport(Operation *op, Attribute report);

/// Checks the attribute `amp.range` of `op`: what makeRangeAttr makes. Emits an
/// error that says what is wrong.
LogicalResult verifyRange(Operation *op, Attribute range);

/// Checks the attribute `amp.report_ranges` of `op`: a module, and as many
/// ranges, or empty dictionaries, as its report has entries. Emits an error
/// that says what is wrong.
LogicalResult verifyReportRanges(Operation *op, Attribute ranges);

} // namespace mlir::amp

#endif // AMP_LIB_DIALECT_AMP_IR_REPORTATTRIBUTES_H
