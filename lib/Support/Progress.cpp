//===- Progress.cpp - a line where something takes long -------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Support/Progress.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::amp;

static bool isQuiet = false;

void Progress::setQuiet(bool value) { isQuiet = value; }

Progress::Progress(const llvm::Twine &tool, const llvm::Twine &phase)
    : line((tool + ": " + phase).str()),
      begin(std::chrono::steady_clock::now()) {
  watcher = std::thread([this] {
    std::unique_lock<std::mutex> lock(mutex);
    if (condition.wait_for(lock, std::chrono::seconds(1),
                           [this] { return isDone; }))
      return;
    if (isQuiet)
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

//===----------------------------------------------------------------------===//
// ProgressBar
//===----------------------------------------------------------------------===//

ProgressBar::ProgressBar(const llvm::Twine &tool, const llvm::Twine &what,
                         const llvm::Twine &unit, uint64_t numSteps)
    : line((tool + ": " + what).str()), unit(unit.str()), numSteps(numSteps),
      isShown(!isQuiet && llvm::sys::Process::StandardErrIsDisplayed()),
      begin(std::chrono::steady_clock::now()) {}

ProgressBar::~ProgressBar() {
  // To the start of the line, and erase it.
  if (isShown)
    llvm::errs() << "\r\033[K";
}

void ProgressBar::update(uint64_t numDone) {
  auto now = std::chrono::steady_clock::now();
  if (!isShown ||
      (numDone != numSteps && now - last < std::chrono::milliseconds(100)))
    return;
  last = now;
  constexpr uint64_t width = 30;
  uint64_t filled = numSteps ? width * numDone / numSteps : width;
  llvm::errs() << "\r\033[K" << line << " [" << std::string(filled, '#')
               << std::string(width - filled, '.') << "] " << numDone << "/"
               << numSteps << " " << unit;
  double seconds = std::chrono::duration<double>(now - begin).count();
  if (numDone && numDone != numSteps)
    llvm::errs() << ", "
                 << llvm::format("%.0f", seconds * (numSteps - numDone) /
                                             static_cast<double>(numDone))
                 << " s left";
}
