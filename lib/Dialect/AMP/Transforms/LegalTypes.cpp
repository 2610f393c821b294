//===- LegalTypes.cpp - the element types of a target ---------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LegalTypes.h"

#include "amp/Formats/Formats.h"

#include "mlir/AsmParser/AsmParser.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::amp;

namespace {
struct Row {
  const char *target, *classes, *types;
};
} // namespace

static constexpr Row kRows[] = {
#define AMP_LEGAL(TARGET, CLASSES, TYPES) {TARGET, CLASSES, TYPES},
#include "LegalTypes.def"
};

/// Classes that a target may restrict, by name.
static constexpr PrecisionClass kClasses[] = {
    PrecisionClass::Contraction,  PrecisionClass::Convolution,
    PrecisionClass::Pooling,      PrecisionClass::Elementwise,
    PrecisionClass::Reduction,    PrecisionClass::Selection,
    PrecisionClass::Normalization};

/// The number in `sm_<number>`, with or without a letter behind it.
static std::optional<unsigned> getArchitecture(StringRef target) {
  unsigned number = 0;
  if (!target.consume_front("sm_") || target.consumeInteger(10, number) ||
      target.size() > 1 || (!target.empty() && !llvm::isAlpha(target.front())))
    return std::nullopt;
  return number;
}

LogicalResult LegalTypes::add(StringRef classes, StringRef types,
                              MLIRContext *context, std::string &error) {
  SmallVector<Type> parsed;
  for (StringRef name : llvm::split(types, ',')) {
    name = name.trim();
    size_t read = 0;
    Type type;
    if (!name.empty() && llvm::all_of(name, llvm::isAlnum)) {
      // An unknown name is our error to report.
      ScopedDiagnosticHandler silence(context,
                                      [](Diagnostic &) { return success(); });
      type = parseType(name, context, &read);
    }
    if (!type || read != name.size() || !isStorageFloat(type)) {
      error = ("expected float types such as 'f32', 'f16', 'bf16' or "
               "'f8E4M3FN', separated by commas, but found '" +
               name + "'")
                  .str();
      return failure();
    }
    // Narrowest first; of one width in the order that is given.
    auto *place = llvm::upper_bound(parsed, type, [](Type a, Type b) {
      return a.getIntOrFloatBitWidth() < b.getIntOrFloatBitWidth();
    });
    if (!llvm::is_contained(parsed, type))
      parsed.insert(place, type);
  }
  for (StringRef name : llvm::split(classes, ',')) {
    name = name.trim();
    const PrecisionClass *found =
        llvm::find_if(kClasses, [&](PrecisionClass precisionClass) {
          return stringifyPrecisionClass(precisionClass) == name;
        });
    if (found == std::end(kClasses)) {
      error = ("there is no class of ops '" + name + "': expected ").str();
      llvm::raw_string_ostream os(error);
      llvm::interleaveComma(kClasses, os, [&](PrecisionClass precisionClass) {
        os << stringifyPrecisionClass(precisionClass);
      });
      return failure();
    }
    if (!rows.try_emplace(*found, parsed).second) {
      error = ("the class '" + name + "' is listed twice").str();
      return failure();
    }
  }
  return success();
}

FailureOr<LegalTypes> LegalTypes::getTarget(StringRef target,
                                            MLIRContext *context,
                                            std::string &error) {
  // What the simulator runs for a device is what that device has.
  StringRef device = target;
  device.consume_front("sim:");
  std::optional<unsigned> wanted = getArchitecture(device);
  if (target == "sim")
    wanted = std::numeric_limits<unsigned>::max();
  std::string row = device.str();
  if (wanted) {
    std::optional<unsigned> best;
    for (const Row &candidate : kRows)
      if (std::optional<unsigned> number = getArchitecture(candidate.target);
          number && *number <= *wanted && (!best || *number > *best)) {
        best = number;
        row = candidate.target;
      }
  }
  LegalTypes types;
  bool isKnown = false;
  for (const Row &candidate : kRows) {
    if (row != candidate.target)
      continue;
    isKnown = true;
    if (failed(types.add(candidate.classes, candidate.types, context, error)))
      return failure();
  }
  if (!isKnown) {
    error = ("unknown target '" + target +
             "': expected 'cpu', 'sim' or a CUDA architecture from 'sm_70' on, "
             "such as 'sm_90a'")
                .str();
    return failure();
  }
  return types;
}

FailureOr<LegalTypes> LegalTypes::parse(StringRef text, MLIRContext *context,
                                        std::string &error) {
  LegalTypes types;
  for (StringRef entry : llvm::split(text, ';')) {
    auto [classes, list] = entry.split(':');
    if (list.empty()) {
      error = ("expected '<class>:<type>,...', such as 'contraction:f16,bf16', "
               "but found '" +
               entry + "'")
                  .str();
      return failure();
    }
    if (failed(types.add(classes, list, context, error)))
      return failure();
  }
  return types;
}

ArrayRef<Type> LegalTypes::getTypes(PrecisionClass precisionClass) const {
  auto row = rows.find(precisionClass);
  return row == rows.end() ? ArrayRef<Type>() : ArrayRef<Type>(row->second);
}

bool LegalTypes::isLegal(PrecisionClass precisionClass, Type type) const {
  auto row = rows.find(precisionClass);
  return row == rows.end() || llvm::is_contained(row->second, type);
}

Type LegalTypes::getHolder(PrecisionClass precisionClass, Type type,
                           unsigned precision) const {
  for (Type candidate : getTypes(precisionClass))
    if (isValuePreserving(type, candidate) &&
        FormatEnvelope::get(candidate)->precision >= precision)
      return candidate;
  return {};
}
