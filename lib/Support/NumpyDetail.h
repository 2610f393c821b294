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

/// The bytes in front of the data of `array` in a .npy file.
std::string makeNpyHeader(const NumpyArray &array);

} // namespace mlir::amp

#endif // AMP_LIB_SUPPORT_NUMPYDETAIL_H
