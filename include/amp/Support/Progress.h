//===- Progress.h - a line where something takes long -----------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_SUPPORT_PROGRESS_H
#define AMP_SUPPORT_PROGRESS_H

#include "llvm/ADT/Twine.h"
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace mlir::amp {

/// While an object lives, a phase of the program runs. A phase of more than a
/// second is announced on standard error, and so is its end, with the time it
/// took; a short one is not heard of.
class Progress {
public:
  /// `tool` starts the line, for example "amp-run"; `phase` says what is being
  /// done, for example "compiling".
  Progress(const llvm::Twine &tool, const llvm::Twine &phase);
  ~Progress();

  /// The time since the start of the phase.
  double getSeconds() const;

  /// Lets no phase be heard of from now on.
  static void setQuiet(bool value);

private:
  std::string line;
  std::chrono::steady_clock::time_point begin;
  std::mutex mutex;
  std::condition_variable condition;
  bool isDone = false;
  bool isAnnounced = false;
  std::thread watcher;
};

/// A bar on standard error that grows while many steps of equal weight are
/// done, where that is a terminal and progress is not quiet; else nothing.
class ProgressBar {
public:
  /// `what` follows "<tool>: ", for example "calibrating"; `unit` the counts,
  /// for example "samples".
  ProgressBar(const llvm::Twine &tool, const llvm::Twine &what,
              const llvm::Twine &unit, uint64_t numSteps);
  /// Clears the line.
  ~ProgressBar();

  /// Says that so many steps are done. Draws ten times a second at most.
  void update(uint64_t numDone);

private:
  std::string line, unit;
  uint64_t numSteps;
  bool isShown;
  std::chrono::steady_clock::time_point begin, last;
};

} // namespace mlir::amp

#endif // AMP_SUPPORT_PROGRESS_H
