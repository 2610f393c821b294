//===- OutputFiles.cpp - files that appear together -----------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Model/OutputFiles.h"

#include "amp/Support/Errors.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"
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
  namespace fs = llvm::sys::fs;
  auto cannotWrite = [&](const llvm::Twine &why) {
    return makeError("cannot write '" + path + "': " + why);
  };
  fs::file_status status;
  std::error_code missing = fs::status(path, status);
  if (fs::is_directory(status))
    return cannotWrite("it is a directory");

  // Renaming onto a link would replace the link, and onto a device or a pipe
  // would make a plain file of it, for everybody who writes to /dev/null.
  bool inPlace = !missing && !fs::is_regular_file(status);
  SmallString<256> target(path);
  SmallString<256> model;
  if (inPlace) {
    llvm::sys::path::system_temp_directory(/*ErasedOnReboot=*/true, model);
    llvm::sys::path::append(model, "amp-output");
  } else {
    if (!missing)
      if (std::error_code error = fs::real_path(path, target))
        return cannotWrite(error.message());
    model = target;
    StringRef folder = llvm::sys::path::parent_path(target);
    if (!folder.empty() && !fs::exists(folder))
      return cannotWrite("there is no folder '" + folder +
                         "'; make it, or choose another with -o");
  }
  Expected<fs::TempFile> file = fs::TempFile::create(model + "-%%%%%%%%");
  if (!file)
    return cannotWrite(llvm::toString(file.takeError()));
  files.push_back({path.str(), target.str().str(), inPlace, std::move(*file)});
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
  for (File &file : files) {
    if (file.inPlace) {
      if (std::error_code error =
              llvm::sys::fs::copy_file(file.file.TmpName, file.target))
        return makeError("cannot write '" + file.path +
                         "': " + error.message());
      llvm::consumeError(file.file.discard());
    } else if (Error error = file.file.keep(file.target)) {
      return makeError("cannot write '" + file.path +
                       "': " + llvm::toString(std::move(error)));
    }
  }
  files.clear();
  return Error::success();
}
