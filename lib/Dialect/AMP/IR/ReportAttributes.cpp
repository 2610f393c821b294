//===- ReportAttributes.cpp - the report of a module ----------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReportAttributes.h"

#include "amp/Dialect/AMP/IR/AMP.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace mlir::amp;

LogicalResult mlir::amp::verifyReport(Operation *op, Attribute report) {
  if (!isa<ModuleOp>(op))
    return op->emitOpError() << "attribute '" << AMPDialect::kReportAttrName
                             << "' is for modules only";
  auto entries = dyn_cast<ArrayAttr>(report);
  if (!entries)
    return op->emitOpError()
           << "attribute '" << AMPDialect::kReportAttrName
           << "' must be an array of #amp.op_report, but found " << report;
  for (Attribute entry : entries)
    if (!isa<OpReportAttr>(entry))
      return op->emitOpError()
             << "attribute '" << AMPDialect::kReportAttrName
             << "' must hold #amp.op_report only, but found " << entry;
  return success();
}

LogicalResult OpReportAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                   StringRef op, StringRef function,
                                   StringAttr name, LocationAttr location,
                                   FunctionType types, DecisionAttr decision,
                                   ArrayRef<Type> casts) {
  if (op.empty())
    return emitError() << "expected the name of an op, but found \"\"";
  if (name && name.empty())
    return emitError() << "expected a name after 'named', but found \"\"";
  if (types.getNumInputs() != decision.getFrom().size())
    return emitError() << "the decision names " << decision.getFrom().size()
                       << " operand types, but 'types' has "
                       << types.getNumInputs();
  if (types.getNumResults() != decision.getResults().size())
    return emitError() << "the decision names " << decision.getResults().size()
                       << " result types, but 'types' has "
                       << types.getNumResults();
  for (Type cast : casts) {
    auto function = dyn_cast<FunctionType>(cast);
    if (!function || function.getNumInputs() != 1 ||
        function.getNumResults() != 1 ||
        !getFloatElementType(function.getInput(0)) ||
        !getFloatElementType(function.getResult(0)))
      return emitError() << "expected a cast as the type of a float scalar or "
                            "tensor -> another, but found "
                         << cast;
  }
  return success();
}
