//===- OutputFiles.h - files that appear together ---------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_MODEL_OUTPUTFILES_H
#define AMP_MODEL_OUTPUTFILES_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include <string>
#include <vector>

namespace llvm {
class raw_pwrite_stream;
} // namespace llvm

namespace mlir::amp {

/// Files that appear under their names, complete, when all of them are written,
/// or not at all: until then they are temporary files beside their places.
/// What a symbolic link points to is replaced, not the link. Devices and pipes
/// stay what they are: they get the contents in the end.
class OutputFiles {
public:
  OutputFiles() = default;
  OutputFiles(const OutputFiles &) = delete;
  /// Removes what is not committed.
  ~OutputFiles();

  /// Makes the temporary file for `path` and returns its name. Fails where
  /// `path` cannot become a file.
  llvm::Expected<std::string> add(StringRef path);

  /// Adds `path` with what `write` writes.
  llvm::Error
  add(StringRef path,
      llvm::function_ref<llvm::Error(llvm::raw_pwrite_stream &)> write);

  /// Renames all files to their names, and copies them where there is a device
  /// or a pipe.
  llvm::Error commit();

private:
  struct File {
    /// As the user gave it.
    std::string path;
    /// Where it goes: `path` without symbolic links.
    std::string target;
    /// Written into what is there, which cannot be replaced.
    bool inPlace;
    llvm::sys::fs::TempFile file;
  };
  std::vector<File> files;
};

} // namespace mlir::amp

#endif // AMP_MODEL_OUTPUTFILES_H
