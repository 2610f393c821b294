//===- Trials.h - a program with some ops kept in f32 -----------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TOOLS_AMP_RUN_TRIALS_H
#define AMP_TOOLS_AMP_RUN_TRIALS_H

#include "Execute.h"
#include "amp/Execution/Compare.h"
#include "amp/Execution/Program.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/BitVector.h"
#include <chrono>
#include <map>
#include <set>

namespace mlir::amp {

/// How far the results of a run are from those of f32: the worst result counts,
/// by the measure of --compare and --tolerance.
struct TrialError {
  /// The largest scaledError of a result.
  double scaled = 0;
  /// The numMismatches of all results.
  int64_t numMismatches = 0;

  bool isWithin(double tolerance) const {
    return numMismatches == 0 && scaled <= tolerance;
  }
  /// Whether this is the smaller error.
  bool operator<(const TrialError &other) const {
    return std::pair(numMismatches, scaled) <
           std::pair(other.numMismatches, other.scaled);
  }
};

/// Prints "0.00123", and after it the elements that differ by more than a
/// number: "0.00123+12mismatches".
llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const TrialError &error);

/// The ops in a lower precision that one rule of a policy set names: those that
/// have a name in common, or that one line has made.
struct OpUnit {
  /// The given name, or empty.
  std::string name;
  /// The op's name; of ops with a common name that of the first.
  std::string op;
  /// "file:line:column" of the first.
  std::string location;
  /// The devices of the scopes around them, sorted.
  std::vector<std::string> devices;
  /// The ops of the program, by their positions in a walk.
  std::vector<unsigned> positions;

  /// What a rule says to match them: `name("^conv1$")`.
  std::string getMatcher() const;
  /// "linalg.matmul "conv1" at cnn.mlir:3:4".
  std::string describe() const;
};

/// What a trial starts from.
struct TrialSetup {
  /// The program as it was written; its entry is called `entry`.
  ModuleOp module;
  std::string entry;
  CompileOptions compile;
  std::optional<Device> device;
  ArrayRef<const NumpyArray *> inputs;
  /// The program without autocast, after its run.
  const Execution *reference;
};

/// Compiles and runs a program again and again, each time with other ops kept
/// in f32.
class Trials {
public:
  /// Finds the units. The error says why nothing can be tried.
  static llvm::Expected<Trials> create(const TrialSetup &setup,
                                       unsigned maxTrials);

  /// In order of the program.
  ArrayRef<OpUnit> getUnits() const { return units; }

  /// The policy set that the scopes of `device` name, if all name the same;
  /// empty if one names none.
  llvm::StringRef getPolicySet(llvm::StringRef device) const;

  /// The ops in a lower precision that no rule can name, having neither a name
  /// nor a place in a file; they stay as autocast decides.
  unsigned getNumUnnamed() const { return numUnnamed; }

  /// The error with the units of `high` in f32, and the others as autocast
  /// decides then. Every cast rounds: what a decision does must not hang on
  /// what kernels make of its neighbours. A set that was tried before is not
  /// tried again.
  llvm::Expected<TrialError> run(const llvm::BitVector &high);

  /// From now on casts round only where they do without trials.
  void dropExactRounding() {
    isExact = false;
    known.clear();
  }

  /// The error of the program as it is under `compile`.
  llvm::Expected<TrialError> runWith(const CompileOptions &compile);

  unsigned getNumTrials() const { return numTrials; }
  /// How many more trials there may be.
  unsigned getNumLeft() const {
    return maxTrials - std::min(maxTrials, numTrials);
  }

private:
  Trials(const TrialSetup &setup, unsigned maxTrials)
      : setup(setup), maxTrials(maxTrials) {}

  llvm::Error findUnits();
  llvm::Expected<TrialError> execute(OwningOpRef<ModuleOp> module,
                                     const CompileOptions &compile);

  TrialSetup setup;
  unsigned maxTrials;
  unsigned numTrials = 0;
  unsigned numUnnamed = 0;
  bool isExact = true;
  /// When progress was last told of.
  std::chrono::steady_clock::time_point lastLine =
      std::chrono::steady_clock::now();
  std::vector<OpUnit> units;
  /// Of the scopes around units, by device.
  std::map<std::string, std::set<std::string>, std::less<>> policySets;
  std::map<std::vector<bool>, TrialError> known;
};

} // namespace mlir::amp

#endif // AMP_TOOLS_AMP_RUN_TRIALS_H
