//===- Target.cpp - what a GPU has ----------------------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/GPU/Target.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::amp::gpu;

static constexpr StringLiteral kChips[] = {
    "sm_80",  "sm_86",   "sm_87",  "sm_89",   "sm_90",  "sm_90a",
    "sm_100", "sm_100a", "sm_103", "sm_103a", "sm_120", "sm_120a"};

FailureOr<GPUTarget> GPUTarget::get(StringRef name, std::string &error) {
  GPUTarget target;
  StringRef chip = name;
  if (chip.consume_front("sim")) {
    target.isSimulated = true;
    if (chip.empty())
      chip = "sm_80";
    else if (!chip.consume_front(":"))
      chip = "";
  }
  if (!llvm::is_contained(kChips, chip)) {
    error = ("expected a target of " + llvm::join(ArrayRef(kChips), ", ") +
             ", sim, or sim:<one of them>, but found '" + name + "'")
                .str();
    return failure();
  }
  target.chip = chip.str();
  target.isArchSpecific = chip.consume_back("a");
  chip.consume_front("sm_");
  (void)chip.getAsInteger(10, target.capability);
  return target;
}

unsigned GPUTarget::getMaxSharedBytesPerBlock() const {
  switch (capability) {
  case 80:
  case 87:
    return 163 * 1024;
  case 86:
  case 89:
  case 120:
    return 99 * 1024;
  default:
    return 227 * 1024;
  }
}
