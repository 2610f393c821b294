//===- ReportText.cpp - reports at the shell ------------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReportFormat.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Unicode.h"

using namespace mlir;
using namespace mlir::amp;

//===----------------------------------------------------------------------===//
// Pieces
//===----------------------------------------------------------------------===//

std::string mlir::amp::formatBytes(const ByteCount &bytes) {
  std::string text;
  if (bytes.fixed || !bytes.perDynamic)
    text = std::to_string(bytes.fixed);
  if (bytes.perDynamic)
    text += (text.empty() ? "" : "+") + std::to_string(bytes.perDynamic) + "/?";
  return text;
}

std::string mlir::amp::formatTypes(ArrayRef<std::string> types) {
  return llvm::join(llvm::map_range(types,
                                    [](const std::string &type) {
                                      return type.empty() ? "-" : type.c_str();
                                    }),
                    ",");
}

std::string mlir::amp::formatSource(const OpRecord &op) {
  std::string text = op.reason;
  if (!op.policySet.empty())
    text += " of @" + op.policySet;
  if (!op.policyLocation.empty())
    text += " at " + op.policyLocation;
  return text;
}

ArrayRef<StringRef> mlir::amp::getRangeTitles() {
  static constexpr StringRef titles[] = {"min",       "max",          "absmax",
                                         "nan",       "inf",          "zero",
                                         "subnormal", "subnormal-f16"};
  return titles;
}

std::vector<RangeCell> mlir::amp::getRangeCells(const OpRecord &op) {
  // Not an infinity: two of them have no order in the page's script.
  constexpr double least = std::numeric_limits<double>::lowest();
  if (!op.range)
    return std::vector<RangeCell>(getRangeTitles().size(), {"-", least});
  const RangeRecord &range = *op.range;
  std::vector<RangeCell> cells;
  for (double bound : {range.min, range.max, range.absmax()}) {
    RangeCell &cell = cells.emplace_back(RangeCell{"-", least});
    if (!range.hasFinite())
      continue;
    cell = {"", bound};
    llvm::raw_string_ostream(cell.text) << llvm::format("%.4g", bound);
  }
  for (uint64_t count : {range.numNaN, range.numInf, range.numZero,
                         range.numSubnormal, range.numSubnormalF16})
    cells.push_back({std::to_string(count), static_cast<double>(count)});
  cells[3].isBad = range.numNaN != 0;
  cells[4].isBad = range.numInf != 0;
  return cells;
}

std::string mlir::amp::formatNumProfiled(const Report &report) {
  return std::to_string(report.getNumProfiled()) + " of " +
         std::to_string(report.ops.size()) + " ops";
}

std::string mlir::amp::escapeControls(StringRef text) {
  std::string result;
  for (char c : text) {
    auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte != 0x7f) {
      result += c;
      continue;
    }
    result += "\\x";
    result += llvm::hexdigit(byte >> 4);
    result += llvm::hexdigit(byte & 15);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

/// How many columns of a terminal `text` takes.
static int getWidth(StringRef text) {
  int width = llvm::sys::unicode::columnWidthUTF8(text);
  return width < 0 ? static_cast<int>(text.size()) : width;
}

/// Prints lines of cells; columns are as wide as their widest cell.
static void printTable(llvm::raw_ostream &os,
                       ArrayRef<std::vector<std::string>> lines) {
  std::vector<int> widths;
  for (const std::vector<std::string> &line : lines) {
    widths.resize(std::max(widths.size(), line.size()));
    for (auto [cell, width] : llvm::zip(line, widths))
      width = std::max(width, getWidth(cell));
  }
  for (const std::vector<std::string> &line : lines) {
    std::string text;
    for (auto [cell, width] : llvm::zip(line, widths))
      text += cell + std::string(width - getWidth(cell) + 2, ' ');
    os << StringRef(text).rtrim(' ') << "\n";
  }
}

static std::string getTypesCell(const OpRecord &op) {
  std::string text = formatTypes(op.to);
  if (op.from != op.to)
    text = formatTypes(op.from) + "->" + text;
  return text.empty() ? "-" : text;
}

void mlir::amp::printText(llvm::raw_ostream &os, const Report &report) {
  os << "report of " << escapeControls(report.model) << "\n\n";
  bool isProfiled = report.getNumProfiled() != 0;
  std::vector<std::vector<std::string>> lines = {
      {"location", "op", "policy", "operands", "results", "compute", "casts",
       "bytes", "because"}};
  if (isProfiled)
    for (StringRef title : getRangeTitles())
      lines.front().push_back(title.str());
  for (const OpRecord &op : report.ops) {
    std::string name = escapeControls(op.op);
    if (!op.name.empty())
      name += " \"" + escapeControls(op.name) + "\"";
    std::string bytes = formatBytes(op.before);
    if (op.before != op.after)
      bytes += "->" + formatBytes(op.after);
    std::string results = formatTypes(op.results);
    lines.push_back(
        {op.location.empty() ? "-" : escapeControls(op.location), name,
         op.policy, getTypesCell(op), results.empty() ? "-" : results,
         op.compute.empty() ? "-" : op.compute, std::to_string(op.casts.size()),
         bytes, escapeControls(formatSource(op))});
    if (isProfiled)
      for (RangeCell &cell : getRangeCells(op))
        lines.back().push_back(std::move(cell.text));
  }
  printTable(os, lines);

  if (!report.weights.empty()) {
    os << "\n";
    lines = {{"location", "weight", "type", "read as", "bytes"}};
    for (const WeightRecord &weight : report.weights)
      lines.push_back(
          {weight.location.empty() ? "-" : escapeControls(weight.location),
           weight.name.empty() ? "-" : escapeControls(weight.name), weight.type,
           formatTypes(weight.readAs),
           formatBytes(weight.before) + "->" + formatBytes(weight.after)});
    printTable(os, lines);
  }

  os << "\n";
  for (const auto &[label, value] : describeTotals(report.getTotals()))
    os << label << ": " << value << "\n";
  if (isProfiled)
    os << "ranges in the profile: " << formatNumProfiled(report) << "\n";
}

std::vector<std::pair<std::string, std::string>>
mlir::amp::describeTotals(const ReportTotals &totals) {
  auto change = [](const ByteCount &before, const ByteCount &after) {
    return formatBytes(before) + " -> " + formatBytes(after);
  };
  return {
      {"ops", std::to_string(totals.numOps)},
      {"in a lower precision", std::to_string(totals.numLow)},
      {"casts", std::to_string(totals.numCasts)},
      {"bytes of casts", formatBytes(totals.castBytes)},
      {"bytes of weights", change(totals.weightsBefore, totals.weightsAfter)},
      {"bytes of results", change(totals.resultsBefore, totals.resultsAfter)}};
}
