//===- CompareReports.cpp - what changed between two reports --------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReportFormat.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace mlir::amp;

static bool isSameOp(const OpRecord &a, const OpRecord &b) {
  return a.function == b.function && a.op == b.op && a.name == b.name;
}

static std::vector<std::string> getDifferences(const OpRecord &a,
                                               const OpRecord &b) {
  auto castsOf = [](const OpRecord &op) {
    std::vector<std::pair<StringRef, StringRef>> casts;
    for (const CastRecord &cast : op.casts)
      casts.emplace_back(cast.from, cast.to);
    return casts;
  };
  std::vector<std::string> fields;
  if (a.policy != b.policy)
    fields.push_back("policy");
  if (a.reason != b.reason || a.policySet != b.policySet)
    fields.push_back("reason");
  if (a.declaredOperands != b.declaredOperands ||
      a.declaredResults != b.declaredResults || a.from != b.from ||
      a.to != b.to || a.results != b.results || a.compute != b.compute)
    fields.push_back("types");
  if (castsOf(a) != castsOf(b))
    fields.push_back("casts");
  return fields;
}

namespace {
using Pair = std::pair<const OpRecord *, const OpRecord *>;
} // namespace

/// Pairs `a` and `b` up by their ids alone, for programs that are too large to
/// be aligned. Ops of `a` come in order, and then those of `b` alone.
static std::vector<Pair> pairById(ArrayRef<OpRecord> a, ArrayRef<OpRecord> b) {
  llvm::StringMap<const OpRecord *> byId;
  for (const OpRecord &op : b)
    byId[op.id] = &op;
  std::vector<Pair> pairs;
  for (const OpRecord &op : a) {
    auto it = byId.find(op.id);
    pairs.emplace_back(&op, it == byId.end() ? nullptr : it->second);
    if (it != byId.end())
      byId.erase(it);
  }
  for (const OpRecord &op : b)
    if (byId.contains(op.id))
      pairs.emplace_back(nullptr, &op);
  return pairs;
}

/// Aligns `a` and `b`, in order, so that as many ops as possible have a
/// partner, and of those as many as possible one that does not differ.
static std::vector<Pair> align(ArrayRef<OpRecord> a, ArrayRef<OpRecord> b) {
  constexpr size_t maxCells = size_t(1) << 24;
  if (a.size() && b.size() > maxCells / a.size())
    return pairById(a, b);
  // score[i][j]: the best of a[i...] and b[j...].
  size_t width = b.size() + 1;
  std::vector<uint32_t> score((a.size() + 1) * width);
  auto matchScore = [&](size_t i, size_t j) -> uint32_t {
    if (!isSameOp(a[i], b[j]))
      return 0;
    return getDifferences(a[i], b[j]).empty() ? 3 : 2;
  };
  for (size_t i = a.size(); i-- > 0;)
    for (size_t j = b.size(); j-- > 0;) {
      uint32_t best =
          std::max(score[(i + 1) * width + j], score[i * width + j + 1]);
      if (uint32_t match = matchScore(i, j))
        best = std::max(best, match + score[(i + 1) * width + j + 1]);
      score[i * width + j] = best;
    }
  std::vector<Pair> pairs;
  size_t i = 0, j = 0;
  while (i != a.size() && j != b.size()) {
    uint32_t here = score[i * width + j], match = matchScore(i, j);
    if (match && here == match + score[(i + 1) * width + j + 1])
      pairs.emplace_back(&a[i++], &b[j++]);
    else if (here == score[(i + 1) * width + j])
      pairs.emplace_back(&a[i++], nullptr);
    else
      pairs.emplace_back(nullptr, &b[j++]);
  }
  for (; i != a.size(); ++i)
    pairs.emplace_back(&a[i], nullptr);
  for (; j != b.size(); ++j)
    pairs.emplace_back(nullptr, &b[j]);
  return pairs;
}

std::vector<OpChange> mlir::amp::compareReports(const Report &before,
                                                const Report &after) {
  ArrayRef<OpRecord> a = before.ops, b = after.ops;
  // Most of two reports is the same.
  auto isEqual = [](const OpRecord &x, const OpRecord &y) {
    return isSameOp(x, y) && getDifferences(x, y).empty();
  };
  while (!a.empty() && !b.empty() && isEqual(a.front(), b.front())) {
    a = a.drop_front();
    b = b.drop_front();
  }
  while (!a.empty() && !b.empty() && isEqual(a.back(), b.back())) {
    a = a.drop_back();
    b = b.drop_back();
  }
  std::vector<OpChange> changes;
  for (auto [x, y] : align(a, b)) {
    OpChange change = {x, y, {}};
    if (x && y)
      change.fields = getDifferences(*x, *y);
    if (!x || !y || !change.fields.empty())
      changes.push_back(std::move(change));
  }
  return changes;
}

/// "1 (tensor<4xf32>->tensor<4xf16>)", as casts may differ that are as many.
static std::string describeCasts(ArrayRef<CastRecord> casts) {
  std::string text = std::to_string(casts.size());
  if (casts.empty())
    return text;
  llvm::raw_string_ostream os(text);
  os << " (";
  llvm::interleaveComma(casts, os, [&](const CastRecord &cast) {
    os << cast.from << "->" << cast.to;
  });
  os << ")";
  return text;
}

static std::string describe(const OpRecord &op) {
  return op.policy + " (" + formatTypes(op.from) + ")->(" + formatTypes(op.to) +
         ") results (" + formatTypes(op.results) + ") compute " +
         (op.compute.empty() ? "-" : op.compute) + " casts " +
         describeCasts(op.casts) + " because " +
         escapeControls(formatSource(op));
}

void mlir::amp::printChanges(llvm::raw_ostream &os, const Report &before,
                             const Report &after, ArrayRef<OpChange> changes) {
  for (const OpChange &change : changes) {
    const OpRecord &op = change.after ? *change.after : *change.before;
    os << (!change.before  ? "+ "
           : !change.after ? "- "
                           : "~ ")
       << escapeControls(op.id);
    if (!op.location.empty())
      os << " at " << escapeControls(op.location);
    if (change.before && change.after) {
      os << ": " << llvm::join(change.fields, ", ")
         << "\n    before: " << describe(*change.before)
         << "\n    after:  " << describe(*change.after) << "\n";
      continue;
    }
    os << ": " << describe(op) << "\n";
  }
  for (auto [a, b] : llvm::zip_equal(describeTotals(before.getTotals()),
                                     describeTotals(after.getTotals())))
    if (a.second != b.second)
      os << a.first << ": before " << a.second << ", after " << b.second
         << "\n";
}
