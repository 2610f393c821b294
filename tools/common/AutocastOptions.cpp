//===- AutocastOptions.cpp - how autocast is asked for --------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AutocastOptions.h"

#include "amp/Policy/PolicySet.h"
#include "amp/Support/Errors.h"

using namespace mlir;
using namespace mlir::amp;
namespace cl = llvm::cl;

AutocastOptions::AutocastOptions(cl::OptionCategory &category,
                                 StringRef policyDefault)
    : policyDeviceText(("Policy of --autocast over functions (default: " +
                        policyDefault + ")")
                           .str()),
      autocast("autocast", cl::value_desc("bf16|f16|off"), cl::cat(category),
               cl::desc("Storage type of autocast over the functions, or over "
                        "their amp.autocast regions where there are any; off "
                        "disables these. Without the option the program is "
                        "taken as it is written")),
      policyDevice("policy-device", cl::value_desc("cpu|cuda|xpu|mps"),
                   cl::cat(category), cl::desc(policyDeviceText)),
      policyFile(
          "policy-file", cl::value_desc("FILE.mlir"), cl::cat(category),
          cl::desc("File of amp.policy_set ops, whose sets go before the "
                   "built-in ones")),
      policies("policy", cl::value_desc("@SET"), cl::CommaSeparated,
               cl::cat(category),
               cl::desc("Policy set of the scopes that name none, one for each "
                        "device (default: those of --policy-file that no other "
                        "set there extends, or else the built-in ones)")),
      unknownOp("unknown-op", cl::value_desc("keep|error|follow"),
                cl::cat(category),
                cl::desc("What happens to an op that nobody knows (default: "
                         "what the policy set says)")),
      results("results", cl::value_desc("preserve|propagate"),
              cl::init("preserve"), cl::cat(category),
              cl::desc("Element types of the results under --autocast: those "
                       "of the program (default), or those that autocast "
                       "gives")),
      profile("profile", cl::ValueOptional, cl::value_desc("FILE.json"),
              cl::cat(category),
              cl::desc("Ranges of the program's values for the rules of "
                       "autocast, as amp-run --calibrate writes them")),
      staleProfile("stale-profile", cl::value_desc("error|warn"),
                   cl::init("error"), cl::cat(category),
                   cl::desc("What becomes of a --profile that is not of this "
                            "program: an error (default), or a warning, and "
                            "what fits is used")),
      strict("strict", cl::cat(category),
             cl::desc("Raise an error where torch does, for operands that an "
                      "op or a promotion does not take")) {}

llvm::Error AutocastOptions::read(CompileOptions &options,
                                  bool takesBareProfile) const {
  if (autocast.getNumOccurrences()) {
    std::optional<Autocast> kind = parseAutocast(autocast);
    if (!kind)
      return makeError("--autocast: expected bf16, f16 or off, found '" +
                       autocast + "'");
    options.autocast = *kind;
  }
  if (hasPolicyDevice()) {
    if (!PolicySet::getBuiltin(policyDevice))
      return makeError("--policy-device: expected cpu, cuda, xpu or mps, found "
                       "'" +
                       policyDevice + "'");
    options.policyDevice = policyDevice;
  }
  if (policyFile.getNumOccurrences() && policyFile.empty())
    return makeError("--policy-file: expected the name of a file");
  options.policyFile = policyFile;
  options.policies.assign(policies.begin(), policies.end());
  if (unknownOp.getNumOccurrences() && unknownOp != "keep" &&
      unknownOp != "error" && unknownOp != "follow")
    return makeError("--unknown-op: expected keep, error or follow, found '" +
                     unknownOp + "'");
  options.unknownOp = unknownOp;
  if (results != "preserve" && results != "propagate")
    return makeError("--results: expected preserve or propagate, found '" +
                     results + "'");
  options.propagateResults = results == "propagate";
  if (hasBareProfile() && !takesBareProfile)
    return makeError("--profile: expected the name of a file, --profile=FILE");
  if (staleProfile != "error" && staleProfile != "warn")
    return makeError("--stale-profile: expected error or warn, found '" +
                     staleProfile + "'");
  if (staleProfile.getNumOccurrences() && !hasProfile())
    return makeError("--stale-profile: has a meaning only with --profile");
  options.profile = profile;
  options.staleProfile = staleProfile;
  options.strict = strict;
  return llvm::Error::success();
}
