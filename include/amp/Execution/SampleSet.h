//===- SampleSet.h - the samples of a calibration ---------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_EXECUTION_SAMPLESET_H
#define AMP_EXECUTION_SAMPLESET_H

#include "amp/Execution/Program.h"
#include "amp/Support/NumpyStream.h"
#include <functional>
#include <optional>

namespace mlir::amp {

/// How samples are cut out of files.
struct SampleOptions {
  /// Rows of an argument's leading dimension of unknown size that one sample
  /// takes; zero for all. Where nothing is given, that is 1 for a single file,
  /// and all for the files of a directory.
  std::optional<int64_t> batch;
  /// Converts elements of other types; see convertElements.
  bool convertInputs = false;
};

/// The inputs of a function, sample after sample, out of files. Only one sample
/// is in memory at a time. Every error names the file, and the member or the
/// argument, what was expected and what was found.
///
/// How an array becomes samples is a matter of shape. Let the argument have the
/// shape PxQ and the array the shape
/// - NxPxQ: N samples;
/// - PxQ: one sample, or, where other arrays of the file give several, an input
///   that all of these share;
/// - NxQ, N greater than P: N/P samples of P rows, and rows that are left over
///   are left out with a warning; where P is not known, SampleOptions::batch
///   says how many rows a sample takes, and the last one may take fewer.
/// All arrays of a file that give samples must give as many.
class SampleSet {
public:
  /// `warn` is called with a line of text for what is odd but not wrong.
  SampleSet(ArrayRef<Port> arguments, SampleOptions options,
            std::function<void(const Twine &)> warn);
  ~SampleSet();

  /// Adds what `spec` names: a directory, whose .npz files follow each other in
  /// the order of their names; "FILE.npz", whose members go to the arguments of
  /// their names; "NAME=FILE.npz:MEMBER" or "NAME=FILE.npy" for one argument.
  /// Looks at the headers of all files, and so finds what is wrong with names,
  /// types and shapes before anything runs.
  llvm::Error add(StringRef spec);

  /// How many samples there are. An error where specs disagree, or where there
  /// are none.
  llvm::Expected<uint64_t> getNumSamples() const;

  /// Whether samples give the argument of this index.
  bool binds(unsigned index) const;

  /// Where the argument of this index comes from, for messages.
  std::string getOrigin(unsigned index) const;

  /// Puts the next sample into `inputs`, which has one place per argument, and
  /// leaves those that it does not give.
  llvm::Error next(MutableArrayRef<std::optional<NumpyArray>> inputs);

private:
  struct Array;
  struct File;
  struct Source;

  llvm::Error addFile(Source &source, StringRef path, StringRef member,
                      const Port *port, bool isInDirectory);
  llvm::Error openFile(Source &source);
  llvm::Expected<Array> plan(std::unique_ptr<NpyStream> stream,
                             const Port &port, bool isInDirectory) const;
  llvm::Expected<NumpyArray> read(Array &array) const;

  SmallVector<Port> arguments;
  SampleOptions options;
  std::function<void(const Twine &)> warn;
  std::vector<std::unique_ptr<Source>> sources;
  std::vector<std::string> warnedMembers;
};

} // namespace mlir::amp

#endif // AMP_EXECUTION_SAMPLESET_H
