//===- InputSet.h - the inputs of a run -------------------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_EXECUTION_INPUTSET_H
#define AMP_EXECUTION_INPUTSET_H

#include "amp/Execution/Program.h"
#include "amp/Support/NumpyFile.h"
#include <functional>
#include <optional>

namespace mlir::amp {

/// The argument that `name` means: its name, or its position as "0", "arg0" or
/// "arr_0" (numpy.savez's own names). Null if there is none.
const Port *findArgument(ArrayRef<Port> arguments, StringRef name);

/// "the arguments are 'x', 'y'", for messages.
std::string listArguments(ArrayRef<Port> arguments);

/// Whether an array of shape `found` is of the shape `expected`, which may have
/// dynamic dimensions.
bool matchesShape(ArrayRef<int64_t> expected, ArrayRef<int64_t> found);

/// Collects the inputs of a function from files, random numbers and literals,
/// and checks each against its argument. Every error names the argument or the
/// file, what was expected and what was found.
class InputSet {
public:
  /// `warn` is called with a line of text for what is odd but not wrong.
  InputSet(ArrayRef<Port> arguments, std::function<void(const Twine &)> warn);

  /// Says that the argument of this index comes from `origin`: nothing here
  /// binds it, and to do so is an error.
  void setElsewhere(unsigned index, StringRef origin) {
    elsewhere[index] = origin.str();
  }

  /// Converts inputs whose element type is not that of the argument.
  void setConvertInputs(bool value) { convertInputs = value; }

  /// Binds what the option `--input` says. `spec` is "NAME=FILE.npy",
  /// "NAME=FILE.npz:MEMBER", "NAME=NUMBER" (for scalars), "FILE.npy" (for the
  /// first argument that is not bound), or "FILE.npz" (see addArchive). NAME is
  /// an argument's name or its position, "0" or "arg0".
  llvm::Error addInput(StringRef spec);

  /// Binds each member of the .npz file whose name is that of an argument, or
  /// its position as "0", "arg0" or "arr_0" (numpy.savez's own names). Other
  /// members are left out with a warning; an archive none of whose members is
  /// taken is an error.
  llvm::Error addArchive(StringRef path);

  /// Notes "NAME=2x3" as the shape of random inputs for an argument.
  llvm::Error addShape(StringRef spec);

  /// Fills what is not bound with random numbers; argument i takes its numbers
  /// from `seed` and i alone.
  llvm::Error fillRandom(uint64_t seed);

  /// The inputs in the order of the arguments; an error if one is missing.
  llvm::Expected<std::vector<NumpyArray>> take();

  /// The inputs in the order of the arguments; nothing where one is missing.
  std::vector<std::optional<NumpyArray>> takeBound();

private:
  const Port *find(StringRef name) const {
    return findArgument(arguments, name);
  }
  llvm::Expected<const Port *> require(StringRef name) const;
  llvm::Error bind(const Port &port, NumpyArray array, const Twine &origin);
  llvm::Error bindScalar(const Port &port, StringRef text);
  std::string listArguments() const { return amp::listArguments(arguments); }

  SmallVector<Port> arguments;
  std::function<void(const Twine &)> warn;
  bool convertInputs = false;
  SmallVector<std::optional<NumpyArray>> values;
  SmallVector<std::string> origins, elsewhere;
  SmallVector<std::optional<SmallVector<int64_t>>> shapes;
};

} // namespace mlir::amp

#endif // AMP_EXECUTION_INPUTSET_H
