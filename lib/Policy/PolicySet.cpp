//===- PolicySet.cpp - what is wanted of each op --------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Policy/PolicySet.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::amp;

//===----------------------------------------------------------------------===//
// Built-in sets
//===----------------------------------------------------------------------===//

/// A built-in set as data.
struct PolicySet::Builtin {
  StringRef name, device, base;
};

PolicySet::PolicySet(const Builtin &data)
    : name(data.name.str()), device(data.device.str()),
      base(data.base.empty() ? nullptr : getBuiltin(data.base, data.device)) {
#define AMP_POLICY_CLASS(NAME, DEVICE, CLASS, POLICY)                          \
  if (data.name == NAME && data.device == DEVICE)                              \
    classes[static_cast<size_t>(PrecisionClass::CLASS)] = {Policy::POLICY,     \
                                                           this};
#define AMP_POLICY_NAMES(NAME, DEVICE, POLICY, ...)                            \
  if (data.name == NAME && data.device == DEVICE)                              \
    for (StringRef opName : {__VA_ARGS__})                                     \
      names[opName] = {Policy::POLICY, this};
#include "TorchPolicies.inc"
}

ArrayRef<std::pair<StringRef, StringRef>> PolicySet::getBuiltinSets() {
  static const std::pair<StringRef, StringRef> sets[] = {
#define AMP_POLICY_SET(NAME, DEVICE, BASE) {NAME, DEVICE},
#include "TorchPolicies.inc"
  };
  return sets;
}

ArrayRef<StringRef> PolicySet::getBuiltinDevices() {
  static const StringRef devices[] = {"cuda", "cpu", "xpu", "mps"};
  return devices;
}

ArrayRef<StringRef> PolicySet::getBuiltinNames() {
  static const SmallVector<StringRef> names = [] {
    SmallVector<StringRef> result;
    for (auto [name, device] : getBuiltinSets())
      if (!llvm::is_contained(result, name))
        result.push_back(name);
    result.push_back(classifierSetName);
    return result;
  }();
  return names;
}

const PolicySet *PolicySet::getBuiltin(StringRef device) {
  return getBuiltin(("torch_" + device).str(), device);
}

const PolicySet *PolicySet::getBuiltin(StringRef name, StringRef device) {
  // All rules and no entries, for whatever device.
  if (name == classifierSetName) {
    static const auto sets = [] {
      llvm::StringMap<std::unique_ptr<PolicySet>> made;
      for (StringRef known : getBuiltinDevices())
        made[known].reset(
            new PolicySet(Builtin{classifierSetName, known, /*base=*/""}));
      return made;
    }();
    auto it = sets.find(device);
    return it == sets.end() ? nullptr : it->second.get();
  }
  // Made on first use; an initializer may ask for the base of its set.
#define AMP_POLICY_SET(NAME, DEVICE, BASE)                                     \
  if (name == NAME && device == DEVICE) {                                      \
    static const PolicySet set(Builtin{NAME, DEVICE, BASE});                   \
    return &set;                                                               \
  }
#include "TorchPolicies.inc"
  return nullptr;
}

Type mlir::amp::getDefaultLowerType(StringRef device, MLIRContext *context) {
  if (llvm::is_contained({"cpu", "hpu", "xla", "maia"}, device))
    return BFloat16Type::get(context);
  return Float16Type::get(context);
}

//===----------------------------------------------------------------------===//
// PolicySet
//===----------------------------------------------------------------------===//

PolicySet::PolicySet(PolicySetOp op, const PolicySet *base)
    : name(op.getSymName().str()), device(op.getDevice().str()), op(op),
      base(base), unknownOp(op.getUnknownOp()) {
  for (PolicyOp entry : op.getBody().front().getOps<PolicyOp>()) {
    PolicyEntry value = {entry.getPolicy(), this, entry};
    if (std::optional<StringRef> opName = entry.getOpName())
      names[normalizeOpName(*opName)] = value;
    else if (auto opClass = symbolizePrecisionClass(*entry.getOpClass()))
      classes[static_cast<size_t>(*opClass)] = value;
  }
}

std::string mlir::amp::getOverloadPattern(StringRef name) {
  if (!name.consume_front("aten."))
    return {};
  auto [stem, overload] = name.split('.');
  // In torch these are overloads with a mutable schema.
  if (stem.ends_with("_") || overload == "out" || overload.ends_with("_out"))
    return {};
  return ("aten." + stem + ".*").str();
}

const PolicyEntry *PolicySet::lookupName(StringRef name) const {
  StringRef key = normalizeOpName(name);
  std::string pattern = getOverloadPattern(key);
  for (const PolicySet *set = this; set; set = set->base) {
    auto it = set->names.find(key);
    if (it == set->names.end() && !pattern.empty())
      it = set->names.find(pattern);
    if (it != set->names.end())
      return &it->second;
  }
  return nullptr;
}

const PolicyEntry &PolicySet::lookupClass(PrecisionClass precisionClass) const {
  for (const PolicySet *set = this; set; set = set->base)
    if (const auto &entry = set->classes[static_cast<size_t>(precisionClass)])
      return *entry;
  static const PolicyEntry keep = {Policy::keep};
  static const PolicyEntry follow = {Policy::follow};
  static const PolicyEntry fallthrough = {Policy::fallthrough};
  switch (precisionClass) {
  case PrecisionClass::Generator:
  case PrecisionClass::Cast:
  case PrecisionClass::Pinned:
    return keep;
  case PrecisionClass::DataMovement:
    return follow;
  default:
    return fallthrough;
  }
}

bool PolicySet::isClassifier() const {
  for (const PolicySet *set = this; set; set = set->base)
    if (!set->op && set->name == classifierSetName)
      return true;
  return false;
}

UnknownOp PolicySet::getUnknownOp() const {
  for (const PolicySet *set = this; set; set = set->base)
    if (set->unknownOp)
      return *set->unknownOp;
  return UnknownOp::keep;
}

SmallVector<std::pair<StringRef, PolicyEntry>>
PolicySet::getOwnEntries() const {
  SmallVector<std::pair<StringRef, PolicyEntry>> entries;
  for (const auto &entry : names)
    entries.emplace_back(entry.getKey(), entry.getValue());
  llvm::sort(entries, llvm::less_first());
  return entries;
}

PolicySetOp PolicySet::materialize(OpBuilder &builder, StringRef symbol,
                                   Location loc) const {
  OpBuilder::InsertionGuard guard(builder);
  auto set = PolicySetOp::create(builder, loc, symbol, device);
  MLIRContext *context = builder.getContext();
  if (base)
    set.setExtendsAttr(FlatSymbolRefAttr::get(context, base->getName()));
  if (unknownOp)
    set.setUnknownOpAttr(UnknownOpAttr::get(context, *unknownOp));
  Block &body = set.getBody().front();
  builder.setInsertionPointToEnd(&body);
  for (const auto &[opClass, entry] : getOwnClasses())
    PolicyOp::create(builder, loc, /*op_name=*/StringAttr(),
                     builder.getStringAttr(stringifyPrecisionClass(opClass)),
                     entry.policy);
  for (const auto &[opName, entry] : getOwnEntries())
    PolicyOp::create(builder, loc, builder.getStringAttr(opName),
                     /*op_class=*/StringAttr(), entry.policy);
  return set;
}

StringRef mlir::amp::getDtypeOverload(StringRef name) {
  name = normalizeOpName(name);
#define AMP_APPEND_DTYPE(NAME, OVERLOAD)                                       \
  if (name == NAME)                                                            \
    return OVERLOAD;
#include "TorchPolicies.inc"
  return {};
}

StringRef mlir::amp::getBannedAdvice(StringRef name) {
  name = normalizeOpName(name);
#define AMP_BANNED_ADVICE(NAME, TEXT)                                          \
  if (name == NAME)                                                            \
    return TEXT;
#include "TorchPolicies.inc"
  return {};
}

SmallVector<std::pair<PrecisionClass, PolicyEntry>>
PolicySet::getOwnClasses() const {
  SmallVector<std::pair<PrecisionClass, PolicyEntry>> entries;
  for (const auto &[index, entry] : llvm::enumerate(classes))
    if (entry)
      entries.emplace_back(static_cast<PrecisionClass>(index), *entry);
  return entries;
}

bool mlir::amp::isATenOp(StringRef name) {
  return normalizeOpName(name).starts_with("aten.");
}
