//===- KnownOps.cpp - the names of ops that exist -------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Policy/KnownOps.h"

#include "amp/Policy/OpNames.h"
#include "amp/Policy/PolicySet.h"
#include "amp/Types/AtenTypes.h"

#include "mlir/IR/Dialect.h"
#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace mlir::amp;

/// All op names that the built-in sets list.
static const llvm::SetVector<StringRef> &getListedNames() {
  static const llvm::SetVector<StringRef> names = [] {
    llvm::SetVector<StringRef> known;
    for (auto [name, device] : PolicySet::getBuiltinSets())
      for (const auto &entry :
           PolicySet::getBuiltin(name, device)->getOwnEntries())
        known.insert(entry.first);
    return known;
  }();
  return names;
}

/// The ops of the tables of facts; of ATen ops without overload.
static ArrayRef<StringRef> getFactNames() {
  static const StringRef names[] = {
#define AMP_FUNCTION(NAME, FUNCTION) NAME,
#include "OpFunctions.def"
#define AMP_DEPTH(NAME, KIND, OPERAND, PARAMETER) NAME,
#include "ReductionDepths.def"
#define AMP_SLOW(DEVICE, NAME, WHY) NAME,
#include "PerformanceRules.def"
#define AMP_UNSUPPORTED(NAME, WHY) NAME,
#include "UnsupportedOps.def"
  };
  return names;
}

/// What torch calls overloads. No table has those of all ops; these and the
/// ones of the lists tell "aten.add.Tensor" from "aten.add.Tensro".
static constexpr StringLiteral commonOverloads[] = {
    "Tensor",       "Scalar",        "Tensor_Scalar", "Tensor_Tensor",
    "Scalar_float", "Scalar_int",    "Tensor_mode",   "Scalar_Tensor",
    "int",          "dim",           "dim_int",       "dim_IntList",
    "IntList",      "Dimname",       "dim_Dimname",   "dim_DimnameList",
    "dimname",      "input",         "self",          "other",
    "src",          "value",         "reduce",        "bias",
    "padding",      "vec",           "dtype",         "using_ints",
    "ScalarOpt",    "ScalarOpt_dim", "correction",    "sizes",
    "start",        "step",          "device",        "scalar",
    "float",        "complex",       "Generator",     "ScalarSelf",
    "ScalarOther"};

static const llvm::StringSet<> &getOverloads() {
  static const llvm::StringSet<> overloads = [] {
    llvm::StringSet<> names;
    for (StringRef name : commonOverloads)
      names.insert(name);
    for (StringRef listed : getListedNames())
      if (std::optional<AtenName> name = AtenName::parse(listed))
        names.insert(name->overload);
    for (const AtenTypeRule &rule : getAtenTypeRules())
      names.insert(rule.name.split('.').second);
    return names;
  }();
  return overloads;
}

/// The ATen ops that are known with whatever overload, without "aten.".
static const llvm::SetVector<StringRef> &getAtenNames() {
  static const llvm::SetVector<StringRef> names = [] {
    llvm::SetVector<StringRef> known;
    for (const ElementwiseRule &rule : getElementwiseRules())
      if (!rule.name.ends_with("_"))
        known.insert(rule.name);
    for (const AtenTypeRule &rule : getAtenTypeRules())
      known.insert(rule.name.split('.').first);
    for (StringRef listed : getListedNames())
      if (std::optional<AtenName> name = AtenName::parse(listed))
        known.insert(name->base);
    for (StringRef fact : getFactNames())
      if (fact.consume_front("aten."))
        known.insert(fact);
    return known;
  }();
  return names;
}

/// All names of the tables, for suggestions.
static ArrayRef<std::string> getTableNames() {
  static const std::vector<std::string> names = [] {
    llvm::SetVector<StringRef> listed = getListedNames();
    for (StringRef fact : getFactNames())
      listed.insert(fact);
    std::vector<std::string> all(listed.begin(), listed.end());
    for (StringRef base : getAtenNames())
      all.push_back(("aten." + base).str());
    return all;
  }();
  return names;
}

KnownOps::KnownOps(MLIRContext *context) : context(context) {}

KnownOps::~KnownOps() = default;

MLIRContext *KnownOps::getContextOf(StringRef dialect) {
  if (context->getLoadedDialect(dialect))
    return context;
  if (!llvm::is_contained(context->getAvailableDialects(), dialect))
    return nullptr;
  if (!scratch)
    scratch = std::make_unique<MLIRContext>(context->getDialectRegistry(),
                                            MLIRContext::Threading::DISABLED);
  scratch->getOrLoadDialect(dialect);
  return scratch.get();
}

bool KnownOps::contains(StringRef name) {
  if (getListedNames().contains(name))
    return true;
  StringRef stem = name;
  bool isPattern = stem.consume_back(".*");
  if (std::optional<AtenName> aten = AtenName::parse(stem))
    return getAtenNames().contains(aten->base) &&
           (aten->overload.empty() || getOverloads().contains(aten->overload));
  if (isPattern)
    return false;
  if (llvm::is_contained(getFactNames(), name))
    return true;
  MLIRContext *asked = getContextOf(name.split('.').first);
  return asked && RegisteredOperationName::lookup(name, asked).has_value();
}

StringRef KnownOps::findNearest(StringRef name) {
  SmallVector<StringRef> candidates(getTableNames().begin(),
                                    getTableNames().end());
  StringRef dialect = name.split('.').first;
  if (MLIRContext *asked = getContextOf(dialect))
    for (RegisteredOperationName op : asked->getRegisteredOperations())
      if (op.getDialectNamespace() == dialect)
        candidates.push_back(op.getStringRef());
  return findNearestName(name, candidates);
}
