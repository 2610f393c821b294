//===- Tuning.cpp - schedules that were measured --------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/GPU/Tuning.h"

#include "Hopper/WgmmaPlan.h"
#include "amp/Codegen/GPU/Hopper/AttentionConfig.h"
#include "amp/Codegen/GPU/Hopper/WgmmaConfig.h"
#include "amp/Dialect/AMP/IR/AMP.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/YAMLTraits.h"
#include "llvm/Support/xxhash.h"

#include <cmath>

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::gpu;

LLVM_YAML_IS_SEQUENCE_VECTOR(mlir::amp::gpu::TuningEntry)

namespace llvm::yaml {
template <>
struct MappingTraits<TuningEntry> {
  static void mapping(IO &io, TuningEntry &entry) {
    io.mapRequired("device", entry.device);
    io.mapRequired("target", entry.target);
    io.mapRequired("compiler", entry.compiler);
    io.mapRequired("kernel", entry.kernel);
    io.mapRequired("schedule", entry.schedule);
    io.mapRequired("cost", entry.cost);
    io.mapRequired("unit", entry.unit);
  }
  static std::string validate(IO &, TuningEntry &entry) {
    StringRef name = StringRef(entry.schedule).split(':').first;
    SmallVector<StringRef> names;
    for (const Schedule *schedule : getSchedules())
      names.push_back(schedule->getName());
    if (!llvm::is_contained(names, name))
      return "expected a schedule of " + llvm::join(names, ", ") +
             ", but found '" + entry.schedule + "'";
    if (entry.unit != "microseconds" && entry.unit != "steps")
      return "expected the unit microseconds or steps, but found '" +
             entry.unit + "'";
    if (!(entry.cost >= 0) || std::isinf(entry.cost))
      return "expected a cost of at least 0";
    return "";
  }
};

template <>
struct MappingTraits<TuningFile> {
  static void mapping(IO &io, TuningFile &file) {
    // Says that there is a document at all.
    if (void *isThere = io.getContext())
      *static_cast<bool *>(isThere) = true;
    int version = kTuningVersion;
    io.mapRequired("amp-tuning", version);
    if (version != kTuningVersion) {
      io.setError("expected version " + Twine(kTuningVersion) +
                  " of the format, but found " + Twine(version));
      return;
    }
    io.mapRequired("entries", file.entries);
  }
};
} // namespace llvm::yaml

FailureOr<TuningFile>
TuningFile::read(StringRef path,
                 function_ref<void(unsigned, unsigned, const Twine &)> report) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!buffer) {
    report(0, 0, "cannot be read: " + buffer.getError().message());
    return failure();
  }
  // What follows a first mistake is mostly a consequence.
  std::optional<llvm::SMDiagnostic> first;
  bool isThere = false;
  llvm::yaml::Input input(
      (*buffer)->getMemBufferRef(), /*Ctxt=*/&isThere,
      [](const llvm::SMDiagnostic &diagnostic, void *context) {
        auto &first =
            *static_cast<std::optional<llvm::SMDiagnostic> *>(context);
        if (!first)
          first = diagnostic;
      },
      &first);
  TuningFile file;
  input >> file;
  if (input.error() || first) {
    report(first ? std::max(first->getLineNo(), 0) : 0,
           first ? std::max(first->getColumnNo(), 0) + 1 : 0,
           first ? first->getMessage() : "expected a tuning file");
    return failure();
  }
  if (!isThere) {
    report(0, 0,
           "expected 'amp-tuning: " + Twine(kTuningVersion) +
               "' and 'entries', but it is empty");
    return failure();
  }
  TuningFile merged;
  for (const TuningEntry &entry : file.entries)
    merged.add(entry);
  return merged;
}

void TuningFile::write(llvm::raw_ostream &os) const {
  TuningFile sorted = *this;
  llvm::sort(sorted.entries, [](const TuningEntry &l, const TuningEntry &r) {
    return std::tie(l.device, l.target, l.compiler, l.kernel) <
           std::tie(r.device, r.target, r.compiler, r.kernel);
  });
  llvm::yaml::Output output(os, /*Ctxt=*/nullptr, /*WrapColumn=*/0);
  output << sorted;
}

void TuningFile::add(const TuningEntry &entry) {
  for (TuningEntry &other : entries)
    if (other.isSameKey(entry)) {
      other = entry;
      return;
    }
  entries.push_back(entry);
}

std::string mlir::amp::gpu::getCompilerName() {
  return "amp " AMP_VERSION ", LLVM " LLVM_VERSION_STRING;
}

std::string mlir::amp::gpu::getTuningName(const Kernel &kernel) {
  std::string name;
  llvm::raw_string_ostream os(name);
  llvm::interleaveComma(kernel.operandTypes, os, [&](Type type) {
    auto memref = dyn_cast<MemRefType>(type);
    if (!memref) {
      os << type;
      return;
    }
    for (int64_t size : memref.getShape()) {
      if (ShapedType::isDynamic(size))
        os << '?';
      else
        os << size;
      os << 'x';
    }
    os << memref.getElementType();
    if (!memref.getLayout().isIdentity())
      os << ' ' << memref.getLayout();
  });
  func::FuncOp function = kernel.function;
  OwningOpRef<func::FuncOp> copy = function.clone();
  copy->setName("kernel");
  (*copy)->removeAttr(AMPDialect::kScheduleAttrName);
  std::string body;
  llvm::raw_string_ostream text(body);
  copy->print(text, OpPrintingFlags().useLocalScope());
  text << kernel.allowTF32;
  os << " #" << llvm::format_hex_no_prefix(llvm::xxh3_64bits(body), 16);
  return name;
}

SmallVector<std::string> mlir::amp::gpu::getCandidates(const Schedule &schedule,
                                                       const Kernel &kernel) {
  SmallVector<std::string> candidates;
  std::string name = schedule.getName().str();
  if (&schedule == &getWgmmaSchedule()) {
    std::vector<hopper::WgmmaConfig> configs = hopper::getWgmmaConfigs();
    // Skinny tiles have the rows of a problem, and shared ones its stages.
    std::string reason;
    if (auto plan = hopper::matchWgmma(kernel, reason); succeeded(plan))
      llvm::append_range(configs, hopper::getWgmmaConfigs(plan->problem));
    for (const hopper::WgmmaConfig &config : configs)
      if (std::string text = name + ":" + config.getName();
          !llvm::is_contained(candidates, text))
        candidates.push_back(std::move(text));
  } else if (&schedule == &getAttentionSchedule()) {
    for (const hopper::AttentionConfig &config : hopper::getAttentionConfigs())
      candidates.push_back(name + ":" + config.getName());
  } else if (&schedule == &getMmaSyncSchedule()) {
    candidates.push_back(name);
  }
  return candidates;
}

FailureOr<TuningTable> TuningTable::create(const TuningFile &file,
                                           StringRef target, StringRef device,
                                           std::string &message,
                                           std::string &warning) {
  TuningTable table;
  std::string compiler = getCompilerName();
  llvm::SetVector<StringRef> devices, compilers;
  for (const TuningEntry &entry : file.entries)
    if (entry.target == target)
      devices.insert(entry.device);
  auto join = [](const llvm::SetVector<StringRef> &names) {
    return "'" + llvm::join(names, "', '") + "'";
  };
  if (device.empty() && devices.size() > 1) {
    message = "has entries of several devices for " + target.str() +
              "; choose one with tuning-device: " + join(devices);
    return failure();
  }
  if (device.empty() && !devices.empty())
    device = devices.front();
  for (const TuningEntry &entry : file.entries) {
    if (entry.target != target || entry.device != device)
      continue;
    compilers.insert(entry.compiler);
    if (entry.compiler == compiler)
      table.entries[entry.kernel] = entry;
  }
  if (!table.entries.empty() || file.entries.empty())
    return table;
  llvm::raw_string_ostream os(warning);
  if (devices.empty())
    os << "has no entry for the target " << target;
  else if (!devices.contains(device))
    os << "has no entry of the device '" << device << "', but of "
       << join(devices);
  else
    os << "is of " << join(compilers) << ", and this is '" << compiler
       << "': run amp-tune again";
  return table;
}

const TuningEntry *TuningTable::find(StringRef kernel) const {
  auto it = entries.find(kernel);
  return it == entries.end() ? nullptr : &it->second;
}
