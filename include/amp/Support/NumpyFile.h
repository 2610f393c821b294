//===- NumpyFile.h - tensors in .npy and .npz files -------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads and writes NumPy's file formats without Python: .npy versions 1.0, 2.0
// and 3.0, and .npz (a zip of .npy members, stored or deflated, zip64 or not).
// Files may come from anywhere: every size in them is checked before it is
// used, and every failure is an llvm::Error that names the file, the member,
// what was expected and what was found.
//
// Format: numpy.lib.format's documentation; PKWARE's APPNOTE.TXT, sections 4.3
// to 4.5.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_SUPPORT_NUMPYFILE_H
#define AMP_SUPPORT_NUMPYFILE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace mlir::amp {

/// The element formats that a file can hold. NumPy has no name for bfloat16 and
/// the 8-bit floats; the ml_dtypes package, and so this library, stores the
/// former as `<V2` and the latter as `|V1` (`f1` is read as well). A `Raw8`
/// element is a bit pattern: the file does not say of which 8-bit format.
enum class NumpyType : uint8_t {
  Bool,
  I8,
  I16,
  I32,
  I64,
  U8,
  U16,
  U32,
  U64,
  F16,
  F32,
  F64,
  BF16,
  Raw8,
};

/// The size of one element in bytes: 1, 2, 4 or 8.
unsigned getByteWidth(NumpyType type);

/// A name for messages, for example "float32".
llvm::StringRef getName(NumpyType type);

/// The `descr` that a .npy header holds for `type`, for example "<f4".
llvm::StringRef getDescr(NumpyType type);

/// An array in memory: row-major (C order), dense, aligned to 64 bytes so that
/// vector code can use it in place. Movable; a copy must be asked for.
class NumpyArray {
public:
  /// An array of zeros. Fails when a dimension is negative, or when the size in
  /// bytes of the array, with sizes of zero counted as one, passes 2^63 - 1 or
  /// what the allocator gives.
  static llvm::Expected<NumpyArray> create(NumpyType type,
                                           llvm::ArrayRef<int64_t> shape);

  /// A deep copy.
  NumpyArray clone() const;

  NumpyType getType() const { return type; }

  /// One entry per dimension; empty for a single element (rank 0).
  llvm::ArrayRef<int64_t> getShape() const { return shape; }

  /// The product of the shape; 1 for rank 0.
  int64_t getNumElements() const { return numElements; }

  /// The elements, `getNumElements() * getByteWidth(getType())` bytes.
  llvm::ArrayRef<char> getData() const { return {data.get(), getNumBytes()}; }
  llvm::MutableArrayRef<char> getMutableData() {
    return {data.get(), getNumBytes()};
  }

  /// The size of the elements in bytes.
  size_t getNumBytes() const {
    return static_cast<size_t>(numElements) * getByteWidth(type);
  }

  /// For messages, for example "float32 2x3" or "int64 (a scalar)".
  std::string describe() const;

private:
  struct Free {
    void operator()(char *pointer) const;
  };

  NumpyArray() = default;

  NumpyType type = NumpyType::F32;
  llvm::SmallVector<int64_t, 4> shape;
  int64_t numElements = 0;
  std::unique_ptr<char, Free> data;
};

/// A member of a .npz file: its name without the suffix ".npy".
struct NamedArray {
  std::string name;
  NumpyArray array;
};

/// Prints "2x3", or "a scalar" when `shape` is empty.
std::string formatShape(llvm::ArrayRef<int64_t> shape);

/// Parses the bytes of a .npy file. `origin` names the file, and the member, in
/// messages. Arrays in Fortran order come out in C order. Refused: big-endian
/// elements, complex, string, object, date and record types, a header that is
/// not NumPy's, and data of any other length than the header says.
llvm::Expected<NumpyArray> parseNpy(llvm::StringRef bytes,
                                    const llvm::Twine &origin);

/// Reads one .npy file; see parseNpy.
llvm::Expected<NumpyArray> readNpy(llvm::StringRef path);

/// Parses the bytes of a .npz file, all members, in the order of the archive's
/// directory. The checksum of each member is verified. Refused besides what
/// parseNpy refuses: encryption, methods other than stored and deflate,
/// members that overlap or share a name, members that are not .npy.
llvm::Expected<std::vector<NamedArray>> parseNpz(llvm::StringRef bytes,
                                                 const llvm::Twine &origin);

/// Reads one .npz file; see parseNpz.
llvm::Expected<std::vector<NamedArray>> readNpz(llvm::StringRef path);

/// Appends `array` to `os` as a .npy file of version 1.0, C order.
void writeNpy(llvm::raw_ostream &os, const NumpyArray &array);

/// Writes `array` to a .npy file. The file appears whole or not at all.
llvm::Error writeNpy(llvm::StringRef path, const NumpyArray &array);

/// A member to write: a name without ".npy", and an array that the caller keeps
/// alive.
struct NamedArrayRef {
  llvm::StringRef name;
  const NumpyArray *array;
};

/// Writes a .npz file with stored (not deflated) members, as numpy.savez does.
/// The same arrays give the same bytes. Fails on two members of one name. The
/// file appears whole or not at all.
llvm::Error writeNpz(llvm::StringRef path,
                     llvm::ArrayRef<NamedArrayRef> members);

} // namespace mlir::amp

#endif // AMP_SUPPORT_NUMPYFILE_H
