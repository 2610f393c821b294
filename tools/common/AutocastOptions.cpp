//===- AutocastOptions.cpp - how autocast is asked for --------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AutocastOptions.h"

#include "amp/Policy/Peers.h"
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
                      "op or a promotion does not take")),
      classifier("classifier", cl::cat(category),
                 cl::desc("Let the rules of the classifier decide over the "
                          "functions, instead of torch's lists; each option of "
                          "the rules turns it on too")),
      lowPrecisionType(
          "low-precision-type", cl::value_desc("bf16|f16|fp16"),
          cl::cat(category),
          cl::desc("The same as --autocast, by the name that other "
                   "classifiers have for it")),
      nodesToExclude("nodes-to-exclude", cl::value_desc("REGEX,..."),
                     cl::cat(category),
                     cl::desc("Patterns of the names of ops that stay in f32; "
                              "may be repeated")),
      nodesToInclude("nodes-to-include", cl::value_desc("REGEX,..."),
                     cl::cat(category),
                     cl::desc("Patterns of the names of ops that run in the "
                              "lower type, whatever keeps them out")),
      targetsToExclude("targets-to-exclude", cl::value_desc("OP,..."),
                       cl::cat(category),
                       cl::desc("Names of ops, such as linalg.matmul, that "
                                "stay in f32; may be repeated")),
      targetsToInclude("targets-to-include", cl::value_desc("OP,..."),
                       cl::cat(category),
                       cl::desc("Names of ops that run in the lower type, "
                                "whatever keeps them out")),
      dataMax("data-max", cl::value_desc("X"), cl::cat(category),
              cl::desc("Keep ops in f32 that take or give a value of which the "
                       "--profile saw a larger magnitude (default: 512 for "
                       "f16, 64 for bf16; inf: no limit)")),
      dataULP("data-ulp", cl::value_desc("X"), cl::cat(category),
              cl::desc("Distance of neighbours in the lower type at which "
                       "--data-max lies by default (default: 0.5)")),
      initMax("init-max", cl::value_desc("X"), cl::cat(category),
              cl::desc("Keep ops in f32 that take a constant with a larger "
                       "magnitude (default: the largest of the lower type; "
                       "inf: no limit)")),
      maxDepth("max-depth-of-reduction", cl::value_desc("N"), cl::cat(category),
               cl::desc("Keep ops in f32 that reduce more elements (default: "
                        "no limit)")),
      maxUnderflow("max-underflow", cl::value_desc("0...1"), cl::cat(category),
                   cl::desc("Keep ops in f32 that take or give a value of "
                            "which the --profile saw a larger share, zeros "
                            "left out, below the normal numbers of the lower "
                            "type (default: 0.5; 1: no limit)")),
      sensitivity("sensitivity", cl::init(true), cl::cat(category),
                  cl::desc("Keep ops in f32 that are part of a pattern that "
                           "loses precision (default: true)")),
      performance("performance", cl::init(true), cl::cat(category),
                  cl::desc("Keep ops in f32 that are slower in 16 bits "
                           "(default: true)")),
      weightOverflow("weight-overflow",
                     cl::value_desc("keep-f32|error|saturate"),
                     cl::cat(category),
                     cl::desc("What becomes of constants beyond the range of "
                              "the lower type: their op stays in f32 "
                              "(default), an error, or a saturating cast")),
      compat("compat", cl::value_desc("none|modelopt|torch-trt"),
             cl::cat(category),
             cl::desc("Give the answers of another classifier, mistakes "
                      "included (default: none)")) {}

/// Adds the parts of `texts`, which commas outside of brackets separate, to
/// `out`. As in pass options, so that "a{1,2},b" is two patterns.
static llvm::Error readPatterns(const cl::list<std::string> &texts,
                                StringRef option,
                                std::vector<std::string> &out) {
  for (StringRef text : texts) {
    unsigned depth = 0;
    size_t begin = 0;
    for (size_t i = 0; i <= text.size(); ++i) {
      char c = i == text.size() ? ',' : text[i];
      if (StringRef("([{").contains(c))
        ++depth;
      else if (StringRef(")]}").contains(c) && depth != 0)
        --depth;
      if (i != text.size() && (c != ',' || depth != 0))
        continue;
      if (i == begin)
        return makeError("--" + option +
                         ": expected names, separated by "
                         "commas, found '" +
                         text + "'");
      out.push_back(text.slice(begin, i).str());
      begin = i + 1;
    }
  }
  return llvm::Error::success();
}

/// A number that is `fits`, if `option` is given.
static llvm::Error readNumber(const cl::opt<std::string> &option,
                              StringRef expected,
                              llvm::function_ref<bool(double)> fits,
                              llvm::function_ref<void(double)> set) {
  if (!option.getNumOccurrences())
    return llvm::Error::success();
  double value;
  if (StringRef(option).getAsDouble(value) || !fits(value))
    return makeError("--" + option.ArgStr + ": expected " + expected +
                     ", found '" + option + "'");
  set(value);
  return llvm::Error::success();
}

/// A magnitude, if `option` is given.
static llvm::Error readMagnitude(const cl::opt<std::string> &option,
                                 std::optional<double> &out) {
  return readNumber(
      option, "a number of at least 0, or inf",
      [](double value) { return value >= 0; },
      [&](double value) { out = value; });
}

llvm::Error
AutocastOptions::readLowPrecisionType(CompileOptions &options) const {
  if (!lowPrecisionType.getNumOccurrences())
    return llvm::Error::success();
  StringRef text = lowPrecisionType;
  std::optional<Autocast> kind =
      text == "off" ? std::nullopt
                    : parseAutocast(text == "fp16" ? "f16" : text);
  if (!kind)
    return makeError("--low-precision-type: expected bf16 or f16, found '" +
                     lowPrecisionType + "'");
  if (autocast.getNumOccurrences() && options.autocast != *kind)
    return makeError("--low-precision-type: expected what --autocast says, "
                     "which is '" +
                     autocast + "', found '" + lowPrecisionType + "'");
  options.autocast = *kind;
  return llvm::Error::success();
}

llvm::Error AutocastOptions::readRules(CompileOptions &options) const {
  ClassifierOptions &rules = options.rules;
  options.useClassifier = classifier;
  auto readList = [&](const cl::list<std::string> &texts,
                      std::vector<std::string> &out) {
    options.useClassifier |= texts.getNumOccurrences() != 0;
    return readPatterns(texts, texts.ArgStr, out);
  };
  if (llvm::Error error = readList(nodesToExclude, rules.nodesToExclude))
    return error;
  if (llvm::Error error = readList(nodesToInclude, rules.nodesToInclude))
    return error;
  if (llvm::Error error = readList(targetsToExclude, rules.targetsToExclude))
    return error;
  if (llvm::Error error = readList(targetsToInclude, rules.targetsToInclude))
    return error;
  for (const cl::Option *option : std::initializer_list<const cl::Option *>{
           &lowPrecisionType, &dataMax, &dataULP, &initMax, &maxDepth,
           &maxUnderflow, &sensitivity, &performance, &weightOverflow, &compat})
    options.useClassifier |= option->getNumOccurrences() != 0;
  if (llvm::Error error = readMagnitude(dataMax, rules.dataMax))
    return error;
  if (llvm::Error error = readMagnitude(initMax, rules.initMax))
    return error;
  if (maxDepth.getNumOccurrences()) {
    int64_t depth;
    if (StringRef(maxDepth).getAsInteger(10, depth) || depth < 0)
      return makeError("--max-depth-of-reduction: expected a number of "
                       "elements, found '" +
                       maxDepth + "'");
    rules.maxDepth = depth;
  }
  if (llvm::Error error = readNumber(
          dataULP, "a distance above 0", [](double value) { return value > 0; },
          [&](double value) { rules.spacing = value; }))
    return error;
  if (llvm::Error error = readNumber(
          maxUnderflow, "a share of 0 to 1",
          [](double value) { return value >= 0 && value <= 1; },
          [&](double value) { rules.maxUnderflow = value; }))
    return error;
  rules.sensitivity = sensitivity;
  rules.performance = performance;
  if (weightOverflow.getNumOccurrences()) {
    std::optional<WeightOverflow> mode =
        symbolizeWeightOverflow(weightOverflow);
    if (!mode)
      return makeError("--weight-overflow: expected keep-f32, error or "
                       "saturate, found '" +
                       weightOverflow + "'");
    rules.weightOverflow = *mode;
  }
  if (compat.getNumOccurrences()) {
    std::optional<Peer> peer = symbolizePeer(compat);
    if (!peer)
      return makeError("--compat: expected none, modelopt or torch-trt, found "
                       "'" +
                       compat + "'");
    rules.peer = *peer;
  }
  std::string error;
  if (failed(makeRules(rules, error)))
    return makeError("the rules of the classifier: " + error);
  for (const cl::Option *option : std::initializer_list<const cl::Option *>{
           &dataMax, &dataULP, &maxUnderflow})
    if (option->getNumOccurrences() && !hasProfile())
      return makeError("--" + option->ArgStr +
                       ": is about values that were seen: it needs "
                       "--profile=FILE.json, as --calibrate writes it");
  if (options.useClassifier && options.autocast == Autocast::Off)
    return makeError("--classifier and its options: have no meaning with "
                     "--autocast=off");
  return llvm::Error::success();
}

llvm::Error AutocastOptions::read(CompileOptions &options,
                                  bool takesBareProfile) const {
  if (autocast.getNumOccurrences()) {
    std::optional<Autocast> kind = parseAutocast(autocast);
    if (!kind)
      return makeError("--autocast: expected bf16, f16 or off, found '" +
                       autocast + "'");
    options.autocast = *kind;
  }
  if (llvm::Error error = readLowPrecisionType(options))
    return error;
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
  return readRules(options);
}
