//===- OutputFiles.cpp - files that appear together -----------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Model/OutputFiles.h"

#include "amp/Support/Errors.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::amp;
using llvm::Error;
using llvm::Expected;

OutputFiles::~OutputFiles() {
  for (File &file : files)
    llvm::consumeError(file.file.discard());
}

Expected<std::string> OutputFiles::add(StringRef path) {
  if (llvm::sys::fs::is_directory(path))
    return makeError("cannot write '" + path + "': it is a directory");
  Expected<llvm::sys::fs::TempFile> file =
      llvm::sys::fs::TempFile::create(path + "-%%%%%%%%");
  if (!file)
    return makeError("cannot write '" + path +
                     "': " + llvm::toString(file.takeError()));
  files.push_back({path.str(), std::move(*file)});
  return files.back().file.TmpName;
}

Error OutputFiles::add(
    StringRef path,
    llvm::function_ref<Error(llvm::raw_pwrite_stream &)> write) {
  Expected<std::string> name = add(path);
  if (!name)
    return name.takeError();
  llvm::raw_fd_ostream os(files.back().file.FD, /*shouldClose=*/false);
  if (Error error = write(os))
    return error;
  os.flush();
  if (!os.has_error())
    return Error::success();
  std::string message = os.error().message();
  os.clear_error();
  return makeError("cannot write '" + path + "': " + message);
}

Error OutputFiles::commit() {
  for (File &file : files)
    if (Error error = file.file.keep(file.path))
      return makeError("cannot write '" + file.path +
                       "': " + llvm::toString(std::move(error)));
  files.clear();
  return Error::success();
}
