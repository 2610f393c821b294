//===- CodegenOptions.cpp - how code is asked for -------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CodegenOptions.h"

#include "amp/Support/Errors.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace mlir::amp;
namespace cl = llvm::cl;

/// A library of LLVM's has an option of this name, which no tool of amp uses.
static StringRef takeOver(StringRef name) {
  if (cl::Option *other = cl::getRegisteredOptions().lookup(name))
    other->removeArgument();
  return name;
}

CodegenOptions::CodegenOptions(cl::OptionCategory &category,
                               StringRef threadsText)
    : allowTF32("allow-tf32", cl::cat(category),
                cl::desc("Let contractions of f32 round their operands to tf32 "
                         "(ten bits of mantissa) on a device, for its tensor "
                         "cores")),
      fastF8("fast-f8", cl::cat(category),
             cl::desc("Let contractions of 8-bit floats on a device add all "
                      "products with the 13 bits of its tensor cores, rather "
                      "than go on in f32 after each 128")),
      tuningFile("tuning-file", cl::value_desc("FILE.yaml"), cl::cat(category),
                 cl::desc("File of amp-tune: kernels on a device get the "
                          "schedules that were the fastest there")),
      tuningDevice("tuning-device", cl::value_desc("NAME"), cl::cat(category),
                   cl::desc("Whose entries of the tuning file count (default: "
                            "those of the device that the program runs on, or "
                            "of the only one that the file has)")),
      noScalarFallback("amp-no-scalar-fallback", cl::cat(category),
                       cl::desc("Fail where code for the CPU would go element "
                                "by element, rather than emit a remark")),
      threads(takeOver("threads"), cl::value_desc("N"), cl::init(1),
              cl::cat(category), cl::desc(threadsText)),
      remarks("remarks", cl::cat(category),
              cl::desc("Print what passes remark: which schedule and tiles a "
                       "kernel gets, what is fused, what stays scalar, and "
                       "why")) {}

llvm::Error CodegenOptions::read(CompileOptions &options, CodeFor machine,
                                 const Twine &chosenBy) const {
  auto check = [&](const cl::Option &option, CodeFor kind) -> llvm::Error {
    if (!option.getNumOccurrences() || machine == CodeFor::Either ||
        machine == kind)
      return llvm::Error::success();
    return makeError("--" + option.ArgStr + ": is for code of " +
                     (kind == CodeFor::CPU ? "the CPU" : "a device") +
                     ", found '" + chosenBy + "'");
  };
  for (auto [option, kind] :
       {std::pair<const cl::Option *, CodeFor>(&allowTF32, CodeFor::Device),
        {&fastF8, CodeFor::Device},
        {&tuningFile, CodeFor::Device},
        {&noScalarFallback, CodeFor::CPU},
        {&threads, CodeFor::CPU}})
    if (llvm::Error error = check(*option, kind))
      return error;
  if (threads < 0 || threads > 1024)
    return makeError("--threads: expected 0 to 1024, found " + Twine(threads));
  if (tuningDevice.getNumOccurrences() && tuningFile.empty())
    return makeError("--tuning-device: has a meaning only with --tuning-file");
  options.allowTF32 = allowTF32;
  options.fastF8 = fastF8;
  options.tuningFile = tuningFile;
  options.tuningDevice = tuningDevice;
  options.noScalarFallback = noScalarFallback;
  return llvm::Error::success();
}

std::optional<int> CodegenOptions::getThreads() const {
  if (!threads.getNumOccurrences())
    return std::nullopt;
  return threads;
}

void mlir::amp::enableRemarks(MLIRContext &context) {
  remark::RemarkCategories categories; // `all` alone enables none
  categories.passed = categories.missed = categories.analysis =
      categories.failed = "amp";
  // Fails only where a streamer cannot be set up.
  (void)remark::enableOptimizationRemarks(
      context, /*streamer=*/nullptr,
      std::make_unique<remark::RemarkEmittingPolicyAll>(), categories,
      /*printAsEmitRemarks=*/true);
}
