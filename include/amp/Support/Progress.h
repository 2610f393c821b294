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

private:
  std::string line;
  std::chrono::steady_clock::time_point begin;
  std::mutex mutex;
  std::condition_variable condition;
  bool isDone = false;
  bool isAnnounced = false;
  std::thread watcher;
};

} // namespace mlir::amp

#endif // AMP_SUPPORT_PROGRESS_H
