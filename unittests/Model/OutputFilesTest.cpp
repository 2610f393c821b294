//===- OutputFilesTest.cpp - files that appear together -------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Model/OutputFiles.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace mlir;
using namespace mlir::amp;
namespace fs = llvm::sys::fs;

namespace {
/// A folder that goes with the test.
class OutputFilesTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(fs::createUniqueDirectory("amp-output", folder));
  }
  void TearDown() override { fs::remove_directories(folder); }

  std::string path(StringRef name) const {
    SmallString<128> result(folder);
    llvm::sys::path::append(result, name);
    return result.str().str();
  }

  SmallString<128> folder;
};
} // namespace

/// Whether `error` is success; says on stderr what it is otherwise.
static bool succeeded(llvm::Error error) {
  bool ok = !error;
  llvm::logAllUnhandledErrors(std::move(error), llvm::errs());
  return ok;
}

static std::string contents(StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().str() : "(missing)";
}

/// Writes `text` to all of `paths`.
static void write(ArrayRef<std::string> paths, StringRef text) {
  OutputFiles files;
  for (const std::string &path : paths)
    ASSERT_TRUE(succeeded(files.add(path, [&](llvm::raw_pwrite_stream &os) {
      os << text;
      return llvm::Error::success();
    })));
  ASSERT_TRUE(succeeded(files.commit()));
}

TEST_F(OutputFilesTest, ReplacesFiles) {
  std::string one = path("one");
  std::string two = path("two");
  write({one}, "old");
  write({one, two}, "new");
  EXPECT_EQ(contents(one), "new");
  EXPECT_EQ(contents(two), "new");
}

TEST_F(OutputFilesTest, LeavesNothingWithoutCommit) {
  std::string one = path("one");
  write({one}, "old");
  {
    OutputFiles files;
    ASSERT_TRUE(succeeded(files.add(one).takeError()));
    ASSERT_TRUE(succeeded(files.add(path("two")).takeError()));
    EXPECT_FALSE(succeeded(files.add(folder).takeError()));
    EXPECT_FALSE(succeeded(files.add(path("none/three")).takeError()));
  }
  EXPECT_EQ(contents(one), "old");
  std::error_code error;
  unsigned count = 0;
  for (fs::directory_iterator it(folder, error), end; it != end;
       it.increment(error))
    ++count;
  EXPECT_EQ(count, 1u);
}

TEST_F(OutputFilesTest, FollowsSymbolicLinks) {
  std::string file = path("file");
  std::string link = path("link");
  write({file}, "old");
  ASSERT_EQ(symlink(file.c_str(), link.c_str()), 0);
  write({link}, "new");
  EXPECT_EQ(contents(file), "new");
  EXPECT_TRUE(fs::is_symlink_file(link));
}

/// As root, a rename onto /dev/null would make a plain file of it.
TEST_F(OutputFilesTest, WritesIntoPipes) {
  std::string pipe = path("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  int reader = open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  write({pipe}, "text");
  char text[8];
  EXPECT_EQ(read(reader, text, sizeof(text)), 4);
  EXPECT_EQ(StringRef(text, 4), "text");
  close(reader);
  fs::file_status status;
  ASSERT_FALSE(fs::status(pipe, status));
  EXPECT_EQ(status.type(), fs::file_type::fifo_file);
}
