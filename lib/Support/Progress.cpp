//===- Progress.cpp - a line where something takes long -------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Support/Progress.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::amp;

Progress::Progress(const llvm::Twine &tool, const llvm::Twine &phase)
    : line((tool + ": " + phase).str()),
      begin(std::chrono::steady_clock::now()) {
  watcher = std::thread([this] {
    std::unique_lock<std::mutex> lock(mutex);
    if (condition.wait_for(lock, std::chrono::seconds(1),
                           [this] { return isDone; }))
      return;
    isAnnounced = true;
    llvm::errs() << line << " ...\n";
  });
}

Progress::~Progress() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    isDone = true;
  }
  condition.notify_one();
  watcher.join();
  if (isAnnounced)
    llvm::errs() << line << ": done in " << llvm::format("%.1f", getSeconds())
                 << " s\n";
}

double Progress::getSeconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
      .count();
}
