//===- Ptxas.cpp - the assembler of CUDA ----------------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ptxas.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::amp::nvvm;

namespace {
/// A file that goes away with this object.
struct TemporaryFile {
  SmallString<128> path;
  ~TemporaryFile() {
    if (!path.empty())
      llvm::sys::fs::remove(path);
  }
  llvm::Error create(StringRef suffix, StringRef contents = {}) {
    int descriptor;
    if (std::error_code code = llvm::sys::fs::createTemporaryFile(
            "amp-kernel", suffix, descriptor, path))
      return llvm::createStringError(code, "no temporary file can be made: " +
                                               code.message());
    llvm::raw_fd_ostream stream(descriptor, /*shouldClose=*/true);
    stream << contents;
    stream.close();
    if (std::error_code code = stream.error()) {
      stream.clear_error();
      return llvm::createStringError(code, "cannot write " + path + ": " +
                                               code.message());
    }
    return llvm::Error::success();
  }
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> read() const {
    auto buffer = llvm::MemoryBuffer::getFile(path);
    if (!buffer)
      return llvm::createStringError(buffer.getError(),
                                     "cannot read " + path + ": " +
                                         buffer.getError().message());
    return std::move(*buffer);
  }
};
} // namespace

static std::string joined(const Twine &a, const Twine &b, const Twine &c = {}) {
  SmallString<128> path;
  llvm::sys::path::append(path, a, b, c);
  return path.str().str();
}

static std::string existing(std::string path) {
  return llvm::sys::fs::exists(path) ? path : std::string();
}

/// The folder of a toolkit that `program` may be part of: .../bin/program, past
/// symbolic links.
static std::string toolkitOf(StringRef program) {
  SmallString<128> real;
  if (llvm::sys::fs::real_path(program, real))
    real = program;
  return llvm::sys::path::parent_path(llvm::sys::path::parent_path(real)).str();
}

llvm::Expected<Toolkit> mlir::amp::nvvm::findToolkit(StringRef ptxas,
                                                     StringRef toolkit) {
  SmallVector<std::string> roots;
  if (!toolkit.empty()) {
    if (!llvm::sys::fs::is_directory(toolkit))
      return llvm::createStringError("the CUDA toolkit '" + toolkit +
                                     "' is not a folder; give the one that "
                                     "holds bin/ptxas");
    roots.push_back(toolkit.str());
  }
  for (const char *name : {"CUDA_HOME", "CUDA_PATH", "CUDA_ROOT"})
    if (std::optional<std::string> root = llvm::sys::Process::GetEnv(name))
      roots.push_back(*root);

  Toolkit found;
  if (!ptxas.empty()) {
    if (!llvm::sys::fs::can_execute(ptxas))
      return llvm::createStringError("'" + ptxas +
                                     "' is not a program; give the path of "
                                     "ptxas, or leave it out to search PATH");
    found.ptxas = ptxas.str();
  }
  for (const std::string &root : roots)
    if (found.ptxas.empty())
      found.ptxas = existing(joined(root, "bin", "ptxas"));
  if (found.ptxas.empty())
    if (auto program = llvm::sys::findProgramByName("ptxas"))
      found.ptxas = *program;

  if (!found.ptxas.empty()) {
    roots.push_back(toolkitOf(found.ptxas));
    found.fatbinary = existing(
        joined(llvm::sys::path::parent_path(found.ptxas), "fatbinary"));
  }
  // ptxas may be a script that calls another one.
  if (toolkit.empty())
    roots.push_back("/usr/local/cuda");
  for (const std::string &root : roots) {
    if (found.fatbinary.empty())
      found.fatbinary = existing(joined(root, "bin", "fatbinary"));
    if (found.libdevice.empty())
      found.libdevice =
          existing(joined(root, "nvvm/libdevice", "libdevice.10.bc"));
  }
  return found;
}

/// The kernel whose text `line` (from 1) of `ptx` lies in.
static StringRef kernelAtLine(StringRef ptx, unsigned line) {
  StringRef kernel;
  for (unsigned i = 0; i < line && !ptx.empty(); ++i) {
    StringRef text;
    std::tie(text, ptx) = ptx.split('\n');
    size_t at = text.find(".entry ");
    if (at != StringRef::npos)
      kernel = text.substr(at + 7).split('(').first.trim();
  }
  return kernel;
}

/// The kernel of `ptx` that `message` names, or empty.
static StringRef kernelNamedIn(StringRef message, StringRef ptx) {
  auto isPart = [](char c) { return llvm::isAlnum(c) || c == '_' || c == '$'; };
  while (!message.empty()) {
    message = message.drop_until(isPart);
    StringRef word = message.take_while(isPart);
    if (!word.empty() && ptx.contains((".entry " + word + "(").str()))
      return word;
    message = message.drop_front(word.size());
  }
  return {};
}

static unsigned numberBefore(StringRef line, StringRef what) {
  llvm::Regex pattern("([0-9]+) (bytes )?" + what.str());
  SmallVector<StringRef> groups;
  unsigned number = 0;
  if (pattern.match(line, &groups))
    groups[1].getAsInteger(10, number);
  return number;
}

void mlir::amp::nvvm::parsePtxasLog(StringRef log, StringRef ptx,
                                    PtxasResult &result) {
  std::string kernel;
  llvm::Regex quoted("'([^']*)'");
  llvm::Regex location(
      "^ptxas [^,]*, line ([0-9]+); *(error|warning) *: *(.*)$");
  llvm::Regex plain("^ptxas *(error|warning|fatal) *: *(.*)$");
  // Notes with a code tell of slow code, such as serialised instructions.
  llvm::Regex note("^ptxas *(info) *: *(\\(C7[0-9]+\\).*)$");
  SmallVector<StringRef> lines;
  log.split(lines, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef line : lines) {
    SmallVector<StringRef> groups;
    if (location.match(line, &groups)) {
      unsigned number = 0;
      groups[1].getAsInteger(10, number);
      result.messages.push_back({groups[2] == "error",
                                 kernelAtLine(ptx, number).str(),
                                 groups[3].str()});
      continue;
    }
    if (plain.match(line, &groups) || note.match(line, &groups)) {
      // The closing line says nothing that the errors before it do not.
      if (groups[2].contains("aborted due to errors") &&
          !result.messages.empty())
        continue;
      std::string about = kernelNamedIn(groups[2], ptx).str();
      result.messages.push_back({groups[1] == "error" || groups[1] == "fatal",
                                 about, groups[2].str()});
      continue;
    }
    if (line.contains("Compiling entry function") &&
        quoted.match(line, &groups)) {
      kernel = groups[1].str();
      result.kernels[kernel];
      continue;
    }
    if (line.contains("Function properties for")) {
      // Of a function that is not a kernel: its numbers are in its callers'.
      StringRef name = line.rsplit(' ').second;
      kernel = result.kernels.contains(name) ? name.str() : std::string();
      continue;
    }
    if (kernel.empty())
      continue;
    KernelReport &report = result.kernels[kernel];
    if (line.contains("stack frame")) {
      report.stackBytes = numberBefore(line, "stack frame");
      report.spillStoreBytes = numberBefore(line, "spill stores");
      report.spillLoadBytes = numberBefore(line, "spill loads");
    } else if (line.contains("Used ")) {
      report.registers = numberBefore(line, "registers");
      report.barriers = numberBefore(line, "barriers");
      report.sharedBytes = numberBefore(line, "smem");
    }
  }
}

/// Runs a program and returns what it printed and its status.
static llvm::Expected<std::pair<std::string, int>>
run(ArrayRef<StringRef> command) {
  TemporaryFile log;
  if (llvm::Error error = log.create("log"))
    return error;
  std::optional<StringRef> redirects[] = {StringRef(), log.path.str(),
                                          log.path.str()};
  std::string message;
  int status = llvm::sys::ExecuteAndWait(command.front(), command,
                                         /*Env=*/std::nullopt, redirects,
                                         /*SecondsToWait=*/0,
                                         /*MemoryLimit=*/0, &message);
  if (status < 0)
    return llvm::createStringError("cannot run '" + command.front() +
                                   "': " + message);
  auto buffer = log.read();
  if (!buffer)
    return buffer.takeError();
  return std::make_pair((*buffer)->getBuffer().str(), status);
}

bool mlir::amp::nvvm::canSplit(StringRef ptxas) {
  auto help = run({ptxas, "--help"});
  if (!help) {
    // Assembling will fail in the same way, and say so.
    llvm::consumeError(help.takeError());
    return false;
  }
  return StringRef(help->first).contains("--split-compile");
}

llvm::Expected<PtxasResult>
mlir::amp::nvvm::runPtxas(StringRef program, StringRef ptx, StringRef chip,
                          unsigned optLevel, bool split) {
  TemporaryFile input, output;
  if (llvm::Error error = input.create("ptx", ptx))
    return error;
  if (llvm::Error error = output.create("cubin"))
    return error;
  std::string level = llvm::utostr(optLevel);
  SmallVector<StringRef> command = {program, "-arch",       chip,
                                    "-v",    "--opt-level", level};
  // As many threads as there are processors. The cubin notes the options, so a
  // number would make it differ between machines.
  if (split)
    command.append({"--split-compile", "0"});
  command.append({input.path, "-o", output.path});
  auto log = run(command);
  if (!log)
    return log.takeError();
  PtxasResult result;
  parsePtxasLog(log->first, ptx, result);
  result.succeeded = log->second == 0;
  if (!result.succeeded) {
    if (llvm::none_of(result.messages,
                      [](const PtxasMessage &m) { return m.isError; }))
      result.messages.push_back({true, "", StringRef(log->first).trim().str()});
    return result;
  }
  auto cubin = output.read();
  if (!cubin)
    return cubin.takeError();
  StringRef bytes = (*cubin)->getBuffer();
  result.cubin.assign(bytes.begin(), bytes.end());
  return result;
}

llvm::Expected<SmallVector<char, 0>>
mlir::amp::nvvm::runFatbinary(StringRef program, ArrayRef<char> cubin,
                              StringRef ptx, StringRef chip) {
  TemporaryFile elf, text, output;
  if (llvm::Error error =
          elf.create("cubin", StringRef(cubin.data(), cubin.size())))
    return error;
  if (llvm::Error error = text.create("ptx", ptx))
    return error;
  if (llvm::Error error = output.create("fatbin"))
    return error;
  chip.consume_front("sm_");
  std::string elfImage =
      ("--image3=kind=elf,sm=" + chip + ",file=" + elf.path).str();
  std::string textImage =
      ("--image3=kind=ptx,sm=" + chip + ",file=" + text.path).str();
  auto log =
      run({program, "-64", "--create", output.path, elfImage, textImage});
  if (!log)
    return log.takeError();
  if (log->second != 0)
    return llvm::createStringError("fatbinary failed: " +
                                   StringRef(log->first).trim());
  auto packed = output.read();
  if (!packed)
    return packed.takeError();
  StringRef bytes = (*packed)->getBuffer();
  return SmallVector<char, 0>(bytes.begin(), bytes.end());
}
