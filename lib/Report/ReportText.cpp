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

std::string mlir::amp::formatRange(const RangeRecord &range) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (range.count == range.numNaN + range.numInf)
    os << "none finite";
  else
    os << llvm::format("%.4g", range.min) << ".."
       << llvm::format("%.4g", range.max);
  if (range.numNaN)
    os << " nan=" << range.numNaN;
  if (range.numInf)
    os << " inf=" << range.numInf;
  return text;
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
  bool isProfiled = llvm::any_of(
      report.ops, [](const OpRecord &op) { return op.range.has_value(); });
  std::vector<std::vector<std::string>> lines = {
      {"location", "op", "policy", "operands", "results", "compute", "casts",
       "bytes", "because"}};
  if (isProfiled)
    lines.front().push_back("range");
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
      lines.back().push_back(op.range ? formatRange(*op.range) : "-");
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
