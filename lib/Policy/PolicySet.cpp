//===- PolicySet.cpp - what is wanted of each op --------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Policy/PolicySet.h"

using namespace mlir;
using namespace mlir::amp;

PolicySet::PolicySet(StringRef device) {
  classes.fill(Policy::keep);
#define AMP_CLASS(DEVICE, CLASS, POLICY)                                       \
  if (device == #DEVICE)                                                       \
    classes[static_cast<size_t>(PrecisionClass::CLASS)] = Policy::POLICY;
#define AMP_NAME(DEVICE, NAME, POLICY)                                         \
  if (device == #DEVICE)                                                       \
    names[NAME] = Policy::POLICY;
#include "BuiltinPolicies.def"
}

ArrayRef<StringRef> PolicySet::getBuiltinDevices() {
  static const StringRef devices[] = {"cuda", "cpu"};
  return devices;
}

const PolicySet *PolicySet::getBuiltin(StringRef device) {
  static const PolicySet cuda("cuda");
  static const PolicySet cpu("cpu");
  if (device == "cuda")
    return &cuda;
  return device == "cpu" ? &cpu : nullptr;
}

/// "torch.aten.mm.default" and "aten.mm" are one op.
static StringRef normalize(StringRef name) {
  if (name.starts_with("torch.aten."))
    name.consume_front("torch.");
  if (name.starts_with("aten."))
    name.consume_back(".default");
  return name;
}

std::optional<Policy> PolicySet::lookupName(StringRef name) const {
  auto it = names.find(normalize(name));
  return it == names.end() ? std::nullopt : std::optional(it->second);
}

Policy PolicySet::lookupClass(PrecisionClass precisionClass) const {
  return classes[static_cast<size_t>(precisionClass)];
}

Policy PolicySet::getUnknownOpPolicy(StringRef name) {
  return normalize(name).starts_with("aten.") ? Policy::fallthrough
                                              : Policy::keep;
}
