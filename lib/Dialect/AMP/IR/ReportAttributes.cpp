//===- ReportAttributes.cpp - the report of a module ----------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReportAttributes.h"

#include "amp/Dialect/AMP/IR/AMP.h"
#include "amp/Dialect/AMP/IR/RangeAttribute.h"
#include "mlir/IR/Builders.h"
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

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

DictionaryAttr mlir::amp::makeRangeAttr(MLIRContext *context,
                                        const RangeRecord &range) {
  Builder b(context);
  auto count = [&](StringRef name, uint64_t value) {
    return b.getNamedAttr(name,
                          b.getI64IntegerAttr(static_cast<int64_t>(value)));
  };
  return b.getDictionaryAttr(
      {count("count", range.count), count("nan", range.numNaN),
       count("inf", range.numInf), count("zero", range.numZero),
       count("subnormal", range.numSubnormal),
       count("subnormal_f16", range.numSubnormalF16),
       b.getNamedAttr("min", b.getF64FloatAttr(range.min)),
       b.getNamedAttr("max", b.getF64FloatAttr(range.max))});
}

FailureOr<RangeRecord>
mlir::amp::parseRangeAttr(Attribute attribute,
                          function_ref<InFlightDiagnostic()> emitError) {
  auto refuse = [&](const Twine &message) -> FailureOr<RangeRecord> {
    if (emitError)
      emitError() << message << ", but found " << attribute;
    return failure();
  };
  auto fields = dyn_cast_or_null<DictionaryAttr>(attribute);
  if (!fields)
    return refuse("a range must be a dictionary");
  RangeRecord range;
  const std::pair<StringRef, uint64_t *> counts[] = {
      {"count", &range.count},
      {"nan", &range.numNaN},
      {"inf", &range.numInf},
      {"zero", &range.numZero},
      {"subnormal", &range.numSubnormal},
      {"subnormal_f16", &range.numSubnormalF16}};
  const std::pair<StringRef, double *> bounds[] = {{"min", &range.min},
                                                   {"max", &range.max}};
  for (auto [name, value] : counts) {
    auto field = fields.getAs<IntegerAttr>(name);
    if (!field || !field.getType().isInteger(64) || field.getInt() < 0)
      return refuse("a range must have '" + name +
                    "', an i64 that is not negative");
    *value = static_cast<uint64_t>(field.getInt());
  }
  for (auto [name, value] : bounds) {
    auto field = fields.getAs<FloatAttr>(name);
    if (!field || !field.getType().isF64() || !field.getValue().isFinite())
      return refuse("a range must have '" + name + "', a finite f64");
    *value = field.getValueAsDouble();
  }
  if (fields.size() != std::size(counts) + std::size(bounds))
    return refuse("a range must have nothing but 'count', 'nan', 'inf', "
                  "'zero', 'subnormal', 'subnormal_f16', 'min' and 'max'");
  // None of the sums passes 64 bits: each count is below 2^63.
  uint64_t numOther = range.numNaN + range.numInf;
  bool agrees =
      numOther <= range.count && range.numZero <= range.count &&
      range.numSubnormal <= range.numSubnormalF16 &&
      range.numSubnormalF16 <= range.count &&
      range.numZero + range.numSubnormalF16 <= range.count - numOther &&
      range.min <= range.max;
  if (!agrees)
    return refuse("the numbers of a range must agree with each other");
  return range;
}

LogicalResult mlir::amp::verifyRange(Operation *op, Attribute range) {
  return parseRangeAttr(range, [&] {
    return op->emitOpError() << "attribute '" << kRangeAttrName << "': ";
  });
}

LogicalResult mlir::amp::verifyReportRanges(Operation *op, Attribute ranges) {
  auto emitError = [&] {
    return op->emitOpError() << "attribute '" << kReportRangesAttrName << "': ";
  };
  if (!isa<ModuleOp>(op))
    return emitError() << "is for modules only";
  auto report = op->getAttrOfType<ArrayAttr>(AMPDialect::kReportAttrName);
  auto entries = dyn_cast<ArrayAttr>(ranges);
  if (!report || !entries || entries.size() != report.size())
    return emitError() << "expected an array of as many ranges as '"
                       << AMPDialect::kReportAttrName << "' has entries, "
                       << (report ? report.size() : 0) << ", but found "
                       << ranges;
  for (Attribute entry : entries)
    if (auto fields = dyn_cast<DictionaryAttr>(entry);
        (!fields || !fields.empty()) &&
        failed(parseRangeAttr(entry, emitError)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

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
