//===- RuntimeFiles.cpp - libraries that amp ships ------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Support/RuntimeFiles.h"

#include "amp/Support/Errors.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <dlfcn.h>

using namespace mlir::amp;
using llvm::Expected;
using llvm::SmallString;
using llvm::StringRef;

std::string mlir::amp::getFolderOfCode(const void *address) {
  Dl_info info;
  if (!dladdr(address, &info) || !info.dli_fname)
    return "";
  SmallString<256> path;
  if (llvm::sys::fs::real_path(info.dli_fname, path))
    return "";
  return llvm::sys::path::parent_path(path).str();
}

Expected<std::string> mlir::amp::findRuntimeFile(StringRef name) {
  static int anchor;
  std::string program = llvm::sys::fs::getMainExecutable(nullptr, &anchor);
  SmallString<256> folder(
      llvm::sys::path::parent_path(llvm::sys::path::parent_path(program)));
  llvm::sys::path::append(folder, "lib");
  std::string folders[] = {folder.str().str(), getFolderOfCode(&anchor)};
  for (StringRef candidate : folders) {
    SmallString<256> path(candidate);
    llvm::sys::path::append(path, name);
    if (llvm::sys::fs::exists(path))
      return path.str().str();
  }
  return makeError("cannot find '" + name + "' in '" + folders[0] + "' or '" +
                   folders[1] + "'; build or install it with this program");
}
