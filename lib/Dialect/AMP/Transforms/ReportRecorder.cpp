//===- ReportRecorder.cpp - notes what is done to each op -----------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReportRecorder.h"

#include "amp/Dialect/AMP/IR/RangeAttribute.h"
#include "amp/Policy/OpNames.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::amp;

/// A scope takes what arrives, and gives what the program says of its results
/// or, where it propagates, what its body gives.
static DecisionAttr getBorder(AutocastOp scope) {
  MLIRContext *context = scope.getContext();
  auto toElements = [&](TypeRange types) {
    return llvm::map_to_vector(types, [&](Type type) -> Type {
      Type element = getFloatElementType(type);
      return element ? element : NoneType::get(context);
    });
  };
  SmallVector<Type> captures = toElements(scope.getCaptures().getTypes());
  SmallVector<Type> results = toElements(scope.getResultTypes());
  return DecisionAttr::get(context, Policy::keep, captures, captures, results,
                           NoneType::get(context), Reason::boundary,
                           /*set=*/{}, /*entry=*/{});
}

void ReportRecorder::open(Operation *op, DecisionAttr decision,
                          DeclaredTypeFn declared) {
  if (!isEnabled)
    return;
  if (auto scope = dyn_cast<AutocastOp>(op))
    decision = getBorder(scope);
  if (!decision) {
    openEntries.push_back(std::nullopt);
    return;
  }
  MLIRContext *context = op->getContext();
  auto function = op->getParentOfType<FunctionOpInterface>();
  StringRef name = getInstanceName(op);
  SmallVector<Type> operands = llvm::map_to_vector(op->getOperands(), declared);
  openEntries.push_back(entries.size());
  entries.push_back(
      {op->getName().getIdentifier(),
       function ? function.getNameAttr() : StringAttr::get(context, ""),
       name.empty() ? StringAttr() : StringAttr::get(context, name),
       op->getLoc(),
       FunctionType::get(context, operands, op->getResultTypes()),
       decision,
       {},
       op->getAttrOfType<DictionaryAttr>(kRangeAttrName)});
}

void ReportRecorder::close() {
  if (isEnabled)
    openEntries.pop_back();
}

void ReportRecorder::addCast(Type from, Type to) {
  if (openEntries.empty() || !openEntries.back())
    return;
  entries[*openEntries.back()].casts.push_back(
      FunctionType::get(from.getContext(), from, to));
}

void ReportRecorder::attach(ModuleOp module) const {
  if (entries.empty())
    return;
  MLIRContext *context = module.getContext();
  SmallVector<Attribute> attrs, ranges;
  bool isProfiled = false;
  for (const Entry &entry : entries) {
    isProfiled |= entry.range != nullptr;
    ranges.push_back(entry.range ? entry.range : DictionaryAttr::get(context));
    attrs.push_back(OpReportAttr::get(context, entry.op, entry.function,
                                      entry.name, entry.location, entry.types,
                                      entry.decision, entry.casts));
  }
  if (isProfiled)
    module->setAttr(kReportRangesAttrName, ArrayAttr::get(context, ranges));
  else
    module->removeAttr(kReportRangesAttrName);
  module->setAttr(AMPDialect::kReportAttrName, ArrayAttr::get(context, attrs));
}
