//===- ReportJSON.cpp - reports as JSON -----------------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Report/Report.h"

#include "amp/Support/Errors.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace mlir::amp;
namespace json = llvm::json;

static constexpr StringRef formatName = "amp-report";
static constexpr int64_t formatVersion = 1;

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static void write(json::OStream &os, StringRef key, const ByteCount &bytes) {
  os.attributeObject(key, [&] {
    os.attribute("fixed", bytes.fixed);
    os.attribute("per_dynamic", bytes.perDynamic);
  });
}

static void write(json::OStream &os, StringRef key,
                  const std::vector<std::string> &texts) {
  os.attributeArray(key, [&] {
    for (const std::string &text : texts)
      os.value(text);
  });
}

/// Where `isProfiled`, an op without a range says so.
static void write(json::OStream &os, const OpRecord &op, bool isProfiled) {
  os.attribute("id", op.id);
  os.attribute("op", op.op);
  os.attribute("function", op.function);
  os.attribute("name", op.name);
  os.attribute("location", op.location);
  os.attribute("policy", op.policy);
  os.attribute("reason", op.reason);
  os.attribute("policy_set", op.policySet);
  os.attribute("policy_location", op.policyLocation);
  write(os, "declared_operands", op.declaredOperands);
  write(os, "declared_results", op.declaredResults);
  write(os, "from", op.from);
  write(os, "to", op.to);
  write(os, "results", op.results);
  os.attribute("compute", op.compute);
  os.attribute("low", op.isLow);
  os.attributeArray("casts", [&] {
    for (const CastRecord &cast : op.casts)
      os.object([&] {
        os.attribute("from", cast.from);
        os.attribute("to", cast.to);
        write(os, "bytes", cast.bytes);
      });
  });
  write(os, "bytes_before", op.before);
  write(os, "bytes_after", op.after);
  if (!isProfiled)
    return;
  if (!op.range)
    return os.attribute("range", nullptr);
  os.attributeObject("range", [&] {
    const RangeRecord &range = *op.range;
    auto writeBound = [&](StringRef key, double bound) {
      os.attribute(key, range.hasFinite() ? json::Value(bound) : nullptr);
    };
    os.attribute("count", range.count);
    writeBound("min", range.min);
    writeBound("max", range.max);
    writeBound("absmax", range.absmax());
    os.attribute("nan", range.numNaN);
    os.attribute("inf", range.numInf);
    os.attribute("zero", range.numZero);
    os.attribute("subnormal", range.numSubnormal);
    os.attribute("subnormal_f16", range.numSubnormalF16);
  });
}

static void write(json::OStream &os, const ReportTotals &totals) {
  os.attribute("ops", totals.numOps);
  os.attribute("low", totals.numLow);
  os.attribute("casts", totals.numCasts);
  write(os, "cast_bytes", totals.castBytes);
  write(os, "weights_before", totals.weightsBefore);
  write(os, "weights_after", totals.weightsAfter);
  write(os, "results_before", totals.resultsBefore);
  write(os, "results_after", totals.resultsAfter);
}

void mlir::amp::printJSON(llvm::raw_ostream &stream, const Report &report) {
  json::OStream os(stream, /*IndentSize=*/1);
  os.object([&] {
    os.attribute("format", formatName);
    os.attribute("version", formatVersion);
    os.attribute("model", report.model);
    os.attributeObject("totals", [&] { write(os, report.getTotals()); });
    bool isProfiled = report.getNumProfiled() != 0;
    os.attributeArray("ops", [&] {
      for (const OpRecord &op : report.ops)
        os.object([&] { write(os, op, isProfiled); });
    });
    os.attributeArray("weights", [&] {
      for (const WeightRecord &weight : report.weights)
        os.object([&] {
          os.attribute("name", weight.name);
          os.attribute("function", weight.function);
          os.attribute("location", weight.location);
          os.attribute("type", weight.type);
          write(os, "read_as", weight.readAs);
          write(os, "bytes_before", weight.before);
          write(os, "bytes_after", weight.after);
        });
    });
  });
  os.flush();
  stream << "\n";
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace mlir::amp {
static bool fromJSON(const json::Value &value, ByteCount &bytes,
                     json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("fixed", bytes.fixed) &&
         map.map("per_dynamic", bytes.perDynamic);
}

static bool fromJSON(const json::Value &value, CastRecord &cast,
                     json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("from", cast.from) && map.map("to", cast.to) &&
         map.map("bytes", cast.bytes);
}

static bool fromJSON(const json::Value &value, RangeRecord &range,
                     json::Path path) {
  json::ObjectMapper map(value, path);
  // Without finite numbers there are no bounds; absmax follows from them.
  std::optional<double> min, max;
  if (!map || !map.map("count", range.count) || !map.map("nan", range.numNaN) ||
      !map.map("inf", range.numInf) || !map.map("zero", range.numZero) ||
      !map.map("subnormal", range.numSubnormal) ||
      !map.map("subnormal_f16", range.numSubnormalF16) ||
      !map.map("min", min) || !map.map("max", max))
    return false;
  range.min = min.value_or(0);
  range.max = max.value_or(0);
  return true;
}

static bool fromJSON(const json::Value &value, OpRecord &op, json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("id", op.id) && map.map("op", op.op) &&
         map.map("function", op.function) && map.map("name", op.name) &&
         map.map("location", op.location) && map.map("policy", op.policy) &&
         map.map("reason", op.reason) && map.map("policy_set", op.policySet) &&
         map.map("policy_location", op.policyLocation) &&
         map.map("declared_operands", op.declaredOperands) &&
         map.map("declared_results", op.declaredResults) &&
         map.map("from", op.from) && map.map("to", op.to) &&
         map.map("results", op.results) && map.map("compute", op.compute) &&
         map.map("low", op.isLow) && map.map("casts", op.casts) &&
         map.map("bytes_before", op.before) &&
         map.map("bytes_after", op.after) && map.map("range", op.range);
}

static bool fromJSON(const json::Value &value, WeightRecord &weight,
                     json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("name", weight.name) &&
         map.map("function", weight.function) &&
         map.map("location", weight.location) && map.map("type", weight.type) &&
         map.map("read_as", weight.readAs) &&
         map.map("bytes_before", weight.before) &&
         map.map("bytes_after", weight.after);
}

static bool fromJSON(const json::Value &value, Report &report,
                     json::Path path) {
  json::ObjectMapper map(value, path);
  std::string format;
  int64_t version;
  if (!map || !map.map("format", format))
    return false;
  if (format != formatName) {
    path.field("format").report("expected \"amp-report\"");
    return false;
  }
  if (!map.map("version", version))
    return false;
  if (version != formatVersion) {
    path.field("version").report("expected 1");
    return false;
  }
  // Totals follow from the rest.
  return map.map("model", report.model) && map.map("ops", report.ops) &&
         map.map("weights", report.weights);
}
} // namespace mlir::amp

llvm::Expected<Report> mlir::amp::parseReport(StringRef text,
                                              const Twine &origin) {
  llvm::Expected<json::Value> value = json::parse(text);
  if (!value)
    return inContext(origin + ": expected JSON", value.takeError());
  Report report;
  json::Path::Root root("report");
  if (!fromJSON(*value, report, root))
    return inContext(origin, root.getError());
  return report;
}
