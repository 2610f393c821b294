//===- RuntimeFiles.h - libraries that amp ships ----------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_SUPPORT_RUNTIMEFILES_H
#define AMP_SUPPORT_RUNTIMEFILES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace mlir::amp {

/// The folder of the file that the code at `address` comes from; empty where
/// there is none.
std::string getFolderOfCode(const void *address);

/// The path of the library or archive `name` that amp ships: in the folder lib
/// beside the one of the program that runs, or beside this library.
llvm::Expected<std::string> findRuntimeFile(llvm::StringRef name);

} // namespace mlir::amp

#endif // AMP_SUPPORT_RUNTIMEFILES_H
