//===- AutocastOptions.h - how autocast is asked for ------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TOOLS_COMMON_AUTOCASTOPTIONS_H
#define AMP_TOOLS_COMMON_AUTOCASTOPTIONS_H

#include "amp/Execution/Stages.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"

namespace mlir::amp {

/// The options of every tool that applies autocast to a program. Make one
/// before the command line is parsed, and keep it until it is read.
class AutocastOptions {
public:
  /// `policyDefault` ends the sentence "(default: ...)" of --policy-device.
  AutocastOptions(llvm::cl::OptionCategory &category, StringRef policyDefault);

  /// Sets in `options` what the command line says, and leaves the rest. The
  /// error says which option is wrong, what was expected and what was found.
  llvm::Error read(CompileOptions &options,
                   bool takesBareProfile = false) const;

  /// Whether the command line names a profile.
  bool hasProfile() const { return profile.getNumOccurrences() != 0; }

  /// Whether the command line has --profile without a file, which `read` takes
  /// for a mistake unless it is told otherwise.
  bool hasBareProfile() const { return hasProfile() && profile.empty(); }

  /// Whether the command line names the device of the policy.
  bool hasPolicyDevice() const { return policyDevice.getNumOccurrences() != 0; }

private:
  /// Reads the options of the classifier.
  llvm::Error readRules(CompileOptions &options) const;

  /// Reads --low-precision-type, which is --autocast by another name.
  llvm::Error readLowPrecisionType(CompileOptions &options) const;

  std::string policyDeviceText;
  llvm::cl::opt<std::string> autocast;
  llvm::cl::opt<std::string> policyDevice;
  llvm::cl::opt<std::string> policyFile;
  llvm::cl::list<std::string> policies;
  llvm::cl::opt<std::string> unknownOp;
  llvm::cl::opt<std::string> results;
  llvm::cl::opt<std::string> profile;
  llvm::cl::opt<std::string> staleProfile;
  llvm::cl::opt<bool> strict;
  // The rules of the classifier: all that amp-decide-precision has, by the same
  // names; a test compares the two.
  llvm::cl::opt<bool> classifier;
  llvm::cl::opt<std::string> lowPrecisionType;
  llvm::cl::list<std::string> nodesToExclude;
  llvm::cl::list<std::string> nodesToInclude;
  llvm::cl::list<std::string> targetsToExclude;
  llvm::cl::list<std::string> targetsToInclude;
  llvm::cl::opt<std::string> dataMax;
  llvm::cl::opt<std::string> dataULP;
  llvm::cl::opt<std::string> initMax;
  llvm::cl::opt<std::string> maxDepth;
  llvm::cl::opt<std::string> maxUnderflow;
  llvm::cl::opt<bool> sensitivity;
  llvm::cl::opt<bool> performance;
  llvm::cl::opt<std::string> weightOverflow;
  llvm::cl::opt<std::string> compat;
};

} // namespace mlir::amp

#endif // AMP_TOOLS_COMMON_AUTOCASTOPTIONS_H
