//===- Tuning.h - schedules that were measured ------------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tuning file says which schedule of a kernel was the best of those that
// amp-tune measured. docs/tuning.md describes it.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_CODEGEN_GPU_TUNING_H
#define AMP_CODEGEN_GPU_TUNING_H

#include "amp/Codegen/GPU/Schedule.h"

#include "llvm/Support/raw_ostream.h"

namespace mlir::amp::gpu {

/// The format that this compiler reads and writes.
inline constexpr int kTuningVersion = 1;
/// The attribute (a dictionary of strings, `kernel` and `schedule`, and an
/// array of them, `candidates`) that `note-candidates` of amp-gpu-codegen gives
/// to the functions that it creates.
inline constexpr llvm::StringLiteral kTuningAttrName = "tuning";

/// The winner for one kernel.
struct TuningEntry {
  /// What it was measured on, such as "NVIDIA H200", compiled for which target,
  /// such as "sm_90a", by which compiler (`getCompilerName`).
  std::string device, target, compiler;
  /// What `getTuningName` says of the kernel.
  std::string kernel;
  /// What `amp.schedule` would say.
  std::string schedule;
  /// The cost of a launch, in the unit "microseconds" or "steps".
  double cost = 0;
  std::string unit;

  /// Whether two entries are for the same thing, so that one replaces the
  /// other.
  bool isSameKey(const TuningEntry &other) const {
    return device == other.device && target == other.target &&
           compiler == other.compiler && kernel == other.kernel;
  }
};

/// The text of a tuning file.
struct TuningFile {
  std::vector<TuningEntry> entries;

  /// Reads the file `path`. Fails after `report` was called once, with a line
  /// and a column (0: of the file as a whole) and what is wrong.
  static FailureOr<TuningFile>
  read(StringRef path,
       function_ref<void(unsigned line, unsigned column, const Twine &message)>
           report);
  /// Writes the entries, sorted by their keys.
  void write(llvm::raw_ostream &os) const;
  /// Adds `entry`; it replaces one of the same key.
  void add(const TuningEntry &entry);
};

/// The version of this compiler, and of LLVM.
std::string getCompilerName();

/// What names `kernel` in tuning files: the types of its operands, with their
/// layouts, and a hash of what it computes, epilogue included. Names of
/// functions and places in the source do not matter.
std::string getTuningName(const Kernel &kernel);

/// What can be measured of `schedule`, which matches `kernel`, as
/// `amp.schedule` would say it: each of its configurations, of which some may
/// not be for `kernel`, or just its name; nothing of schedules that are not
/// worth it.
SmallVector<std::string> getCandidates(const Schedule &schedule,
                                       const Kernel &kernel);

/// The entries that hold for a target.
class TuningTable {
public:
  /// Takes the entries of `file` for `target` on `device`; without a device for
  /// the only one that the file has for `target`. Fails with `message` if it
  /// has several. `warning` is set if there are entries, but none holds.
  static FailureOr<TuningTable> create(const TuningFile &file, StringRef target,
                                       StringRef device, std::string &message,
                                       std::string &warning);

  /// The entry of the kernel of that name; null: there is none.
  const TuningEntry *find(StringRef kernel) const;

private:
  llvm::StringMap<TuningEntry> entries;
};

} // namespace mlir::amp::gpu

#endif // AMP_CODEGEN_GPU_TUNING_H
