//===- NumpyDetail.h - shared by the .npy and .npz code ---------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_SUPPORT_NUMPYDETAIL_H
#define AMP_LIB_SUPPORT_NUMPYDETAIL_H

#include "amp/Support/Errors.h"
#include "amp/Support/NumpyFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::amp {

/// `text`, from a file, with everything but printable ASCII escaped.
inline std::string printable(llvm::StringRef text) {
  std::string result;
  llvm::raw_string_ostream os(result);
  llvm::printEscapedString(text, os);
  return result;
}

/// The contents of the file `path`.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readFileBytes(llvm::StringRef path);

/// What the header of a .npy file says.
struct NpyHeader {
  NumpyType type;
  bool fortranOrder;
  llvm::SmallVector<int64_t, 4> shape;
  /// Where the elements begin, and how many bytes they have.
  uint64_t dataBegin = 0, dataSize = 0;
};

/// The bytes of a .npy file that say how long its header is.
constexpr size_t npyPreamble = 12;

/// The size of the preamble and header of the .npy file that starts with
/// `bytes`: all of it, or at least its first npyPreamble bytes.
llvm::Expected<uint64_t> getNpyHeaderSize(llvm::StringRef bytes,
                                          const llvm::Twine &origin);

/// Parses the header of a .npy file of `size` bytes that starts with `bytes`,
/// which has the header; checks that the data has the size that it needs.
llvm::Expected<NpyHeader> parseNpyHeader(llvm::StringRef bytes, uint64_t size,
                                         const llvm::Twine &origin);

/// Copies `from`, elements of `width` bytes in Fortran order (first index
/// fastest), to `to` in C order.
void transposeToRowMajor(llvm::ArrayRef<int64_t> shape, unsigned width,
                         const char *from, char *to);

/// An entry of the central directory of a zip file, checked against the file.
struct ZipEntry {
  std::string name;
  uint16_t flags;
  /// 0 (stored) or 8 (deflate).
  uint16_t method;
  uint32_t crc;
  uint64_t compressedSize;
  uint64_t size;
  uint64_t offset;
  /// Where the data of the member lies in the file.
  uint64_t dataBegin = 0;
};

/// The members of the zip file `bytes`: see parseNpz for what is refused. Reads
/// the directory and the headers of members only.
llvm::Expected<std::vector<ZipEntry>>
readZipDirectory(llvm::StringRef bytes, const llvm::Twine &origin);

/// The bytes in front of the data of `array` in a .npy file.
std::string makeNpyHeader(const NumpyArray &array);

} // namespace mlir::amp

#endif // AMP_LIB_SUPPORT_NUMPYDETAIL_H
