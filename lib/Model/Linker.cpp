//===- Linker.cpp - shared libraries out of object files ------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Model/Linker.h"

#include "amp/Support/Errors.h"
#include "amp/Support/RuntimeFiles.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

using namespace mlir;
using namespace mlir::amp;
using llvm::Error;
using llvm::Expected;

/// Whether the program of that name takes the options of a linker.
static bool isPlainLinker(StringRef path) {
  StringRef name = llvm::sys::path::filename(path);
  return name == "ld" || name.starts_with("ld.") || name.starts_with("ld-") ||
         name == "lld" || name == "mold" || name == "wild";
}

Expected<Linker> mlir::amp::findLinker(StringRef name) {
  if (!name.empty()) {
    llvm::ErrorOr<std::string> path = llvm::sys::findProgramByName(name);
    if (!path)
      return makeError("there is no linker '" + name +
                       "': " + path.getError().message());
    return Linker{*path, !isPlainLinker(*path)};
  }
  // The tools of the LLVM that this program runs on may not be on PATH.
  std::string libraries = getFolderOfCode(
      reinterpret_cast<const void *>(&llvm::sys::getDefaultTargetTriple));
  SmallString<256> tools(llvm::sys::path::parent_path(libraries));
  llvm::sys::path::append(tools, "bin");
  std::string versioned = "ld.lld-" + llvm::utostr(LLVM_VERSION_MAJOR);
  SmallVector<StringRef> candidates = {versioned, "ld.lld", "cc", "gcc",
                                       "clang"};
  for (StringRef candidate : candidates) {
    llvm::ErrorOr<std::string> path = llvm::sys::findProgramByName(candidate);
    if (!path)
      path = llvm::sys::findProgramByName(candidate, {tools.str()});
    if (path)
      return Linker{*path, !isPlainLinker(*path)};
  }
  return makeError("found no linker: expected one of " +
                   llvm::join(candidates, ", ") + " on PATH or in '" + tools +
                   "'; install lld or a C compiler, or name one with "
                   "--linker=PATH");
}

/// The file of a library of the system, by its full path.
static Expected<std::string> findSystemLibrary(StringRef name) {
  llvm::Triple triple(llvm::sys::getProcessTriple());
  std::string multiarch =
      (triple.getArchName() + "-linux-" + triple.getEnvironmentName()).str();
  for (StringRef root : {"/lib/", "/usr/lib/"})
    for (StringRef folder : {StringRef(multiarch), StringRef("")}) {
      std::string path = (root + folder + "/" + name).str();
      if (llvm::sys::fs::exists(path))
        return path;
    }
  for (StringRef root : {"/lib64/", "/usr/lib64/"}) {
    std::string path = (root + name).str();
    if (llvm::sys::fs::exists(path))
      return path;
  }
  return makeError("cannot find the system's " + name +
                   "; a compiler driver finds it: --linker=cc");
}

/// The options that name the C library: shared objects, since linker scripts
/// and the files of the C compiler need not be installed.
static Error addSystemLibraries(const Linker &linker,
                                SmallVectorImpl<std::string> &arguments) {
  if (linker.isDriver) {
    arguments.push_back("-lm");
    return Error::success();
  }
  for (StringRef name : {"libm.so.6", "libc.so.6"}) {
    Expected<std::string> path = findSystemLibrary(name);
    if (!path)
      return path.takeError();
    arguments.push_back(*path);
  }
  // Thread-local variables: the dynamic loader is a part of the C library.
  for (StringRef name : {"ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}) {
    Expected<std::string> path = findSystemLibrary(name);
    if (path)
      arguments.push_back(*path);
    else
      llvm::consumeError(path.takeError());
  }
  return Error::success();
}

/// Runs the program; the error holds what it wrote to standard error.
static Error execute(StringRef program, ArrayRef<std::string> arguments) {
  SmallString<128> log;
  if (std::error_code error =
          llvm::sys::fs::createTemporaryFile("amp-link", "txt", log))
    return makeError("cannot make a temporary file: " + error.message());
  llvm::FileRemover remover(log);
  SmallVector<StringRef> command(1, program);
  llvm::append_range(command, arguments);
  std::optional<StringRef> redirects[] = {StringRef(""), log.str(), log.str()};
  std::string message;
  int code = llvm::sys::ExecuteAndWait(program, command, std::nullopt,
                                       redirects, 0, 0, &message);
  if (code == 0)
    return Error::success();
  if (auto buffer = llvm::MemoryBuffer::getFile(log))
    message += (*buffer)->getBuffer().trim();
  // LLVM's codes for a program that did not start, and one that a signal ended.
  std::string how = code == -1 ? "did not start"
                    : code == -2
                        ? "crashed"
                        : "ended with exit code " + std::to_string(code);
  return makeError("the linker '" + program + "' failed: it " + how +
                   (message.empty() ? ", and wrote nothing" : ": " + message) +
                   "; the command was '" + llvm::join(command, " ") +
                   "'; expected a linker of ELF files or a C compiler, of "
                   "which --linker=PATH names another one");
}

Error mlir::amp::link(const Linker &linker, const SharedLibrary &library,
                      StringRef output) {
  SmallString<128> script;
  int descriptor;
  if (std::error_code error = llvm::sys::fs::createTemporaryFile(
          "amp-exports", "map", descriptor, script))
    return makeError("cannot make a temporary file: " + error.message());
  llvm::FileRemover remover(script);
  {
    llvm::raw_fd_ostream os(descriptor, /*shouldClose=*/true);
    os << "{ global: " << llvm::join(library.exports, "; ")
       << "; local: *; };\n";
  }
  SmallVector<std::string> arguments = {"-shared", "-o", output.str()};
  // A thread that ends after the library is closed still calls into it to give
  // its memory back: the code stays.
  std::string flags[] = {"--version-script=" + script.str().str(),
                         "--soname=" + library.soname,
                         "--gc-sections",
                         "--no-undefined",
                         "--as-needed",
                         "--build-id=none",
                         "-zrelro",
                         "-znow",
                         "-znoexecstack",
                         "-znodelete"};
  auto addFlag = [&](std::string flag) {
    // Not -Wl, which would split a name at its commas.
    if (linker.isDriver)
      arguments.push_back("-Xlinker");
    arguments.push_back(std::move(flag));
  };
  for (const std::string &flag : flags)
    addFlag(flag);
  llvm::append_range(arguments, library.objects);
  addFlag("--whole-archive");
  llvm::append_range(arguments, library.archives);
  addFlag("--no-whole-archive");
  llvm::append_range(arguments, library.helpers);
  for (const std::string &path : library.libraries) {
    arguments.push_back(path);
    addFlag("-rpath=" + llvm::sys::path::parent_path(path).str());
  }
  if (Error error = addSystemLibraries(linker, arguments))
    return error;
  return execute(linker.path, arguments);
}
