//===- MakeReport.cpp - from a module to its report -----------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Report/Report.h"

#include "amp/Dialect/AMP/IR/AMP.h"
#include "amp/Support/Errors.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace mlir::amp;

/// Names in a program are any bytes; those in a report are UTF-8.
static std::string toText(StringRef bytes) {
  return llvm::json::isUTF8(bytes) ? bytes.str() : llvm::json::fixUTF8(bytes);
}

static std::string printType(Type type) {
  std::string text;
  if (type && !isa<NoneType>(type))
    llvm::raw_string_ostream(text) << type;
  return text;
}

static std::vector<std::string> printTypes(ArrayRef<Type> types) {
  std::vector<std::string> texts;
  for (Type type : types)
    texts.push_back(printType(type));
  return texts;
}

/// "file:line:column"; nothing for a location that is unknown, or only a name.
static std::string printLocation(Location location) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (auto file = location->findInstanceOf<FileLineColLoc>())
    os << file.getFilename().getValue() << ":" << file.getLine() << ":"
       << file.getColumn();
  else if (!isa<UnknownLoc, NameLoc>(location))
    os << location;
  return toText(text);
}

ByteCount mlir::amp::countBytes(Type type, Type elementType) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!elementType && tensor)
    elementType = tensor.getElementType();
  if (!tensor || !elementType.isIntOrFloat())
    return {};
  int64_t numBytes =
      llvm::divideCeil(elementType.getIntOrFloatBitWidth(), /*a byte*/ 8u);
  for (int64_t size : tensor.getShape())
    if (!ShapedType::isDynamic(size) &&
        llvm::MulOverflow(numBytes, size, numBytes))
      numBytes = std::numeric_limits<int64_t>::max();
  ByteCount count;
  (tensor.hasStaticShape() ? count.fixed : count.perDynamic) = numBytes;
  return count;
}

/// Whether `decided` has fewer bits than the float elements of `declared`.
static bool isNarrower(Type decided, Type declared) {
  Type element = getFloatElementType(declared);
  auto type = dyn_cast<FloatType>(decided);
  return element && type &&
         type.getWidth() < cast<FloatType>(element).getWidth();
}

static OpRecord makeRecord(OpReportAttr attr) {
  OpRecord record;
  record.op = toText(attr.getOp());
  record.function = toText(attr.getFunction());
  if (attr.getName())
    record.name = toText(attr.getName().getValue());
  record.location = printLocation(attr.getLocation());
  DecisionAttr decision = attr.getDecision();
  record.policy = stringifyPolicy(decision.getPolicy());
  record.reason = stringifyReason(decision.getReason());
  if (decision.getSet())
    record.policySet = toText(decision.getSet().getValue());
  if (decision.getEntry())
    record.policyLocation = printLocation(decision.getEntry());
  record.from = printTypes(decision.getFrom());
  record.to = printTypes(decision.getTo());
  record.results = printTypes(decision.getResults());
  record.compute = printType(decision.getCompute());
  FunctionType types = attr.getTypes();
  for (auto [type, to] : llvm::zip_equal(types.getInputs(), decision.getTo())) {
    record.declaredOperands.push_back(printType(getFloatElementType(type)));
    record.isLow |= isNarrower(to, type);
  }
  for (auto [type, result] :
       llvm::zip_equal(types.getResults(), decision.getResults())) {
    record.declaredResults.push_back(printType(getFloatElementType(type)));
    record.isLow |= isNarrower(result, type);
    record.before += countBytes(type);
    record.after +=
        countBytes(type, isa<NoneType>(result) ? Type() : Type(result));
  }
  for (Type type : attr.getCasts()) {
    auto cast = llvm::cast<FunctionType>(type);
    ByteCount bytes = countBytes(cast.getInput(0));
    bytes += countBytes(cast.getResult(0));
    record.casts.push_back(
        {printType(cast.getInput(0)), printType(cast.getResult(0)), bytes});
  }
  return record;
}

/// Gives each record an id that no other one has.
static void assignIds(std::vector<OpRecord> &records) {
  llvm::StringMap<unsigned> numSeen;
  for (OpRecord &record : records) {
    record.id =
        record.function + "/" + (record.name.empty() ? record.op : record.name);
    if (unsigned number = ++numSeen[record.id]; number > 1)
      record.id += "#" + std::to_string(number);
  }
}

/// Notes `value`, which holds weights, in the types in which it is read.
static void addWeight(Value value, std::string name, Operation *scope,
                      std::vector<WeightRecord> &weights) {
  llvm::SetVector<Type> types;
  for (OpOperand &use : value.getUses()) {
    Type type = value.getType();
    if (auto cast = dyn_cast<CastOp>(use.getOwner()))
      type = cast.getType();
    else if (auto promotion = dyn_cast<PromoteOp>(use.getOwner()))
      type = promotion.getResult(use.getOperandNumber()).getType();
    types.insert(type);
  }
  if (types.empty())
    return;
  WeightRecord record;
  record.name = std::move(name);
  auto function = dyn_cast<FunctionOpInterface>(scope);
  if (!function)
    function = scope->getParentOfType<FunctionOpInterface>();
  if (function)
    record.function = toText(function.getName());
  record.location = printLocation(value.getLoc());
  record.type = printType(value.getType());
  record.before = countBytes(value.getType());
  for (Type type : types) {
    record.readAs.push_back(printType(getFloatElementType(type)));
    record.after += countBytes(type);
  }
  // The order of uses is no order of the program.
  llvm::sort(record.readAs);
  weights.push_back(std::move(record));
}

static bool isFloatTensor(Type type) {
  return isa<RankedTensorType>(type) && getFloatElementType(type);
}

static std::vector<WeightRecord> findWeights(ModuleOp module) {
  std::vector<WeightRecord> weights;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto function = dyn_cast<FunctionOpInterface>(op)) {
      if (function.isExternal())
        return;
      for (BlockArgument argument : function.getArguments()) {
        unsigned index = argument.getArgNumber();
        if (!function.getArgAttr(index, AMPDialect::kWeightAttrName) ||
            !isFloatTensor(argument.getType()))
          continue;
        auto name = function.getArgAttrOfType<StringAttr>(
            index, AMPDialect::kNameAttrName);
        addWeight(argument,
                  name ? toText(name.getValue())
                       : "arg" + std::to_string(index),
                  op, weights);
      }
      return;
    }
    // A splat takes no memory.
    Attribute value;
    if (op->getNumResults() == 1 && isFloatTensor(op->getResult(0).getType()) &&
        matchPattern(op, m_Constant(&value)) &&
        !isa<SplatElementsAttr>(value)) {
      std::string name;
      if (auto given = op->getLoc()->findInstanceOf<NameLoc>())
        name = toText(given.getName().getValue());
      addWeight(op->getResult(0), name, op, weights);
    }
  });
  return weights;
}

llvm::Expected<Report> mlir::amp::makeReport(ModuleOp module, StringRef model) {
  auto entries = module->getAttrOfType<ArrayAttr>(AMPDialect::kReportAttrName);
  if (!entries)
    return makeError("the module has no attribute '" +
                     AMPDialect::kReportAttrName +
                     "': run amp-apply-precision with report=true");
  Report report;
  report.model = toText(model);
  for (auto entry : entries.getAsRange<OpReportAttr>())
    report.ops.push_back(makeRecord(entry));
  if (auto ranges = module->getAttrOfType<ArrayAttr>(kReportRangesAttrName))
    // They verify, so that one which cannot be read is empty.
    for (auto [op, range] : llvm::zip_equal(report.ops, ranges))
      if (FailureOr<RangeRecord> record =
              parseRangeAttr(range, /*emitError=*/nullptr);
          succeeded(record))
        op.range = *record;
  assignIds(report.ops);
  report.weights = findWeights(module);
  return report;
}

size_t Report::getNumProfiled() const {
  return llvm::count_if(
      ops, [](const OpRecord &op) { return op.range.has_value(); });
}

ReportTotals Report::getTotals() const {
  ReportTotals totals;
  for (const OpRecord &op : ops) {
    totals.numCasts += static_cast<int64_t>(op.casts.size());
    for (const CastRecord &cast : op.casts)
      totals.castBytes += cast.bytes;
    if (op.isBorder())
      continue;
    ++totals.numOps;
    totals.numLow += op.isLow;
    totals.resultsBefore += op.before;
    totals.resultsAfter += op.after;
  }
  for (const WeightRecord &weight : weights) {
    totals.weightsBefore += weight.before;
    totals.weightsAfter += weight.after;
  }
  return totals;
}
