//===- AutocastOptions.cpp - how autocast is asked for --------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AutocastOptions.h"

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
      policyDevice("policy-device", cl::value_desc("cpu|cuda"),
                   cl::cat(category), cl::desc(policyDeviceText)),
      results("results", cl::value_desc("preserve|propagate"),
              cl::init("preserve"), cl::cat(category),
              cl::desc("Element types of the results under --autocast: those "
                       "of the program (default), or those that autocast "
                       "gives")) {}

llvm::Error AutocastOptions::read(CompileOptions &options) const {
  if (autocast.getNumOccurrences()) {
    std::optional<Autocast> kind = parseAutocast(autocast);
    if (!kind)
      return makeError("--autocast: expected bf16, f16 or off, found '" +
                       autocast + "'");
    options.autocast = *kind;
  }
  if (hasPolicyDevice()) {
    if (policyDevice != "cpu" && policyDevice != "cuda")
      return makeError("--policy-device: expected cpu or cuda, found '" +
                       policyDevice + "'");
    options.policyDevice = policyDevice;
  }
  if (results != "preserve" && results != "propagate")
    return makeError("--results: expected preserve or propagate, found '" +
                     results + "'");
  options.propagateResults = results == "propagate";
  return llvm::Error::success();
}
