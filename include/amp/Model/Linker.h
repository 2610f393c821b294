//===- Linker.h - shared libraries out of object files ----------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_MODEL_LINKER_H
#define AMP_MODEL_LINKER_H

#include "mlir/Support/LLVM.h"
#include "llvm/Support/Error.h"
#include <string>

namespace mlir::amp {

/// A program that links: a linker such as ld.lld, or a compiler driver such as
/// cc, which finds the C library by itself.
struct Linker {
  std::string path;
  bool isDriver;
};

/// The program `name` (a path, or a name to look up on PATH); without a name
/// the first of ld.lld of this LLVM version, ld.lld, cc, gcc and clang that
/// exists on PATH or beside LLVM's own tools.
llvm::Expected<Linker> findLinker(StringRef name);

/// What goes into a shared library.
struct SharedLibrary {
  /// Object files.
  SmallVector<std::string> objects;
  /// Archives, all of whose members are linked.
  SmallVector<std::string> archives;
  /// Archives of which only members that are referred to are linked.
  SmallVector<std::string> helpers;
  /// Shared libraries that it needs, by their paths, where it finds them.
  SmallVector<std::string> libraries;
  /// Patterns of the symbols that it exports if they are visible; all others
  /// are local to it.
  SmallVector<std::string> exports;
  /// Its DT_SONAME.
  std::string soname;
};

/// Links `library`, against the C library and libm only, to the file `output`.
/// Every symbol must be defined. The error holds what the linker said.
llvm::Error link(const Linker &linker, const SharedLibrary &library,
                 StringRef output);

} // namespace mlir::amp

#endif // AMP_MODEL_LINKER_H
