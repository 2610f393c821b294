//===- ReportHTML.cpp - reports for a browser -----------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Rows are in the page as plain HTML, so that it can be read without scripts;
// the script of report.html sorts and hides them. Whatever comes from a program
// goes through `escape`.
//
//===----------------------------------------------------------------------===//

#include "ReportFormat.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Format.h"
#include <set>

using namespace mlir;
using namespace mlir::amp;

/// The file report.html, with {{names}} for what depends on the report.
static constexpr unsigned char pageBytes[] = {
#include "ReportPage.inc"
};

static StringRef getPage() {
  return StringRef(reinterpret_cast<const char *>(pageBytes),
                   sizeof(pageBytes));
}

/// `text` as HTML text or as the value of an attribute in double quotes.
static std::string escape(StringRef text) {
  std::string result;
  for (char c : escapeControls(text)) {
    switch (c) {
    case '&':
      result += "&amp;";
      break;
    case '<':
      result += "&lt;";
      break;
    case '>':
      result += "&gt;";
      break;
    case '"':
      result += "&quot;";
      break;
    case '\'':
      result += "&#39;";
      break;
    default:
      result += c;
    }
  }
  return result;
}

namespace {
/// A cell's text, and what its column is sorted by.
struct Cell {
  /// HTML.
  std::string content;
  std::string key;
  StringRef style = {};
};

struct Column {
  StringRef title;
  bool isNumber = false;
};
} // namespace

static Cell makeText(StringRef text, StringRef style = {}) {
  return {text.empty() ? "&#8211;" : escape(text), escape(text), style};
}

static Cell makeNumber(std::string content, double key) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.17g", key);
  return {std::move(content), std::move(text), "number"};
}

/// An order for sizes: a dynamic dimension counts as one element.
static double getSize(const ByteCount &bytes) {
  return static_cast<double>(bytes.fixed) +
         static_cast<double>(bytes.perDynamic);
}

static Cell makeCasts(const OpRecord &op) {
  double numCasts = static_cast<double>(op.casts.size());
  if (op.casts.empty())
    return makeNumber("0", 0);
  std::string html =
      "<details><summary>" + std::to_string(op.casts.size()) + "</summary><ul>";
  for (const CastRecord &cast : op.casts)
    html += "<li class=\"code\">" + escape(cast.from) + " &#8594; " +
            escape(cast.to) + ", " + formatBytes(cast.bytes) + " bytes</li>";
  return makeNumber(html + "</ul></details>", numCasts);
}

static Cell makeBytes(const OpRecord &op) {
  std::string text = formatBytes(op.before);
  if (op.before != op.after)
    text += " &#8594; " + formatBytes(op.after);
  return makeNumber(text, getSize(op.before));
}

static Cell makeRange(const RangeCell &cell) {
  std::string text = cell.text == "-" ? "&#8211;" : escape(cell.text);
  if (cell.isBad)
    text = "<span class=\"bad\">" + text + "</span>";
  return makeNumber(text, cell.key);
}

static void printCell(llvm::raw_ostream &os, const Cell &cell, bool isHeader) {
  StringRef tag = isHeader ? "th" : "td";
  os << "<" << tag;
  if (isHeader)
    os << " scope=\"row\"";
  if (!cell.style.empty())
    os << " class=\"" << cell.style << "\"";
  os << " data-key=\"" << cell.key << "\">" << cell.content << "</" << tag
     << ">\n";
}

static void printRow(llvm::raw_ostream &os, size_t index, const OpRecord &op,
                     bool isProfiled) {
  os << "<tr data-policy=\"" << escape(op.policy) << "\" data-casts=\""
     << op.casts.size() << "\"" << (op.isBorder() ? " data-border" : "")
     << (op.isLow ? " class=\"low\"" : "") << ">\n";
  std::string name = "<span class=\"code\">" + escape(op.op) + "</span>";
  if (!op.name.empty())
    name += "<span class=\"given\">" + escape(op.name) + "</span>";
  std::string types = formatTypes(op.from);
  if (op.from != op.to)
    types += " \xE2\x86\x92 " + formatTypes(op.to);
  printCell(os, makeNumber(std::to_string(index + 1), double(index)), false);
  printCell(os, {name, escape(op.op + " " + op.name)}, true);
  printCell(os, makeText(op.function, "code"), false);
  printCell(os, makeText(op.location, "place code"), false);
  printCell(os,
            {"<span class=\"tag\">" + escape(op.policy) + "</span>",
             escape(op.policy)},
            false);
  printCell(os, makeText(types, "types code"), false);
  printCell(os, makeText(formatTypes(op.results), "types code"), false);
  printCell(os, makeText(op.compute, "code"), false);
  printCell(os, makeText(formatSource(op)), false);
  printCell(os, makeCasts(op), false);
  printCell(os, makeBytes(op), false);
  if (isProfiled)
    for (const RangeCell &cell : getRangeCells(op))
      printCell(os, makeRange(cell), false);
  os << "</tr>\n";
}

static void printWeights(llvm::raw_ostream &os, const Report &report) {
  if (report.weights.empty())
    return;
  os << "<h2 id=\"weights-title\">Weights</h2>\n<div class=\"frame\" "
        "role=\"region\" aria-labelledby=\"weights-title\" tabindex=\"0\">\n"
        "<table>\n<caption>Constants, and arguments that are weights</caption>"
        "\n<thead>\n<tr>\n";
  for (StringRef title : {"Name", "Function", "Location", "Type", "Read as"})
    os << "<th scope=\"col\">" << title << "</th>\n";
  os << "<th scope=\"col\" class=\"number\">Bytes</th>\n</tr>\n</thead>\n"
        "<tbody>\n";
  for (const WeightRecord &weight : report.weights) {
    os << "<tr>\n";
    printCell(os, makeText(weight.name), true);
    printCell(os, makeText(weight.function, "code"), false);
    printCell(os, makeText(weight.location, "place code"), false);
    printCell(os, makeText(weight.type, "types code"), false);
    printCell(os, makeText(formatTypes(weight.readAs), "types code"), false);
    printCell(os,
              makeNumber(formatBytes(weight.before) + " &#8594; " +
                             formatBytes(weight.after),
                         getSize(weight.before)),
              false);
    os << "</tr>\n";
  }
  os << "</tbody>\n</table>\n</div>\n";
}

void mlir::amp::printHTML(llvm::raw_ostream &os, const Report &report) {
  bool isProfiled = report.getNumProfiled() != 0;
  SmallVector<Column> columns = {{"#", true},     {"Op"},         {"Function"},
                                 {"Location"},    {"Policy"},     {"Operands"},
                                 {"Results"},     {"Compute"},    {"Because"},
                                 {"Casts", true}, {"Bytes", true}};
  if (isProfiled)
    for (StringRef title : {"Min", "Max", "Absmax", "NaN", "Inf", "Zero",
                            "Subnormal", "Subnormal in f16"})
      columns.push_back({title, true});

  auto fill = [&](StringRef name) {
    if (name == "model") {
      os << escape(report.model);
    } else if (name == "totals") {
      for (const auto &[label, value] : describeTotals(report.getTotals()))
        os << "<div><dt>" << escape(label) << "</dt><dd>" << escape(value)
           << "</dd></div>\n";
      if (isProfiled)
        os << "<div><dt>ranges in the profile</dt><dd>"
           << formatNumProfiled(report) << "</dd></div>\n";
    } else if (name == "policies") {
      std::set<std::string> policies;
      for (const OpRecord &op : report.ops)
        policies.insert(op.policy);
      for (const std::string &policy : policies)
        os << "<option>" << escape(policy) << "</option>\n";
    } else if (name == "columns") {
      for (const Column &column : columns)
        os << "<th scope=\"col\""
           << (column.isNumber ? " class=\"number\"" : "")
           << "><button type=\"button\">" << column.title << "</button></th>\n";
    } else if (name == "rows") {
      for (auto [index, op] : llvm::enumerate(report.ops))
        printRow(os, index, op, isProfiled);
    } else {
      printWeights(os, report);
    }
  };
  StringRef rest = getPage();
  while (!rest.empty()) {
    auto [text, after] = rest.split("{{");
    os << text;
    auto [name, next] = after.split("}}");
    if (!name.empty())
      fill(name);
    rest = next;
  }
}
