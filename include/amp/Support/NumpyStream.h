//===- NumpyStream.h - tensors in files, piece by piece ---------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads arrays that are larger than memory, or that should not take any: the
// rows of a data set one after the other. Everything that NumpyFile.h says of
// what is checked and refused holds here too.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_SUPPORT_NUMPYSTREAM_H
#define AMP_SUPPORT_NUMPYSTREAM_H

#include "amp/Support/NumpyFile.h"

namespace mlir::amp {

/// An array in a .npy file, or in a member of a .npz file, stored or deflated.
/// Holds the file open, and a buffer of fixed size if it is deflated.
class NpyStream {
public:
  virtual ~NpyStream();

  /// The name of the member without ".npy"; empty for a .npy file.
  llvm::StringRef getMember() const { return member; }
  /// What messages call the array.
  llvm::StringRef getOrigin() const { return origin; }
  NumpyType getType() const { return type; }
  llvm::ArrayRef<int64_t> getShape() const { return shape; }
  /// Whether the elements lie with the first index fastest, so that rows do not
  /// come one after the other.
  bool isFortranOrder() const { return fortranOrder; }

  /// The next elements, in the order of the file, as an array of `shape`. There
  /// must be as many left. After the last ones of a member, its checksum is
  /// verified. On failure the stream is of no more use.
  llvm::Expected<NumpyArray> readNext(llvm::ArrayRef<int64_t> shape);

  /// All elements, in C order. None may have been read before.
  llvm::Expected<NumpyArray> readAll();

protected:
  NpyStream() = default;

  /// Reads exactly so many bytes, which follow those read before.
  virtual llvm::Error readBytes(llvm::MutableArrayRef<char> to) = 0;

  /// Parses the header of `size` bytes of preamble, header and data.
  llvm::Error readHeader(uint64_t size);

  std::string member, origin;

private:
  NumpyType type = NumpyType::F32;
  llvm::SmallVector<int64_t, 4> shape;
  bool fortranOrder = false;
};

/// Opens one .npy file.
llvm::Expected<std::unique_ptr<NpyStream>> openNpy(llvm::StringRef path);

/// Opens the members of a .npz file, in the order of its directory. Only the
/// directory and the headers are read.
llvm::Expected<std::vector<std::unique_ptr<NpyStream>>>
openNpz(llvm::StringRef path);

} // namespace mlir::amp

#endif // AMP_SUPPORT_NUMPYSTREAM_H
