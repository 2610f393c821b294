//===- NumpyStream.cpp - tensors in files, piece by piece -----------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Support/NumpyStream.h"

#include "NumpyDetail.h"
#include "llvm/Support/CRC.h"
#include "llvm/Support/FileSystem.h"
#include <array>
#include <zlib.h>

using namespace mlir::amp;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::MutableArrayRef;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

NpyStream::~NpyStream() = default;

Error NpyStream::readHeader(uint64_t size) {
  std::string bytes(std::min<uint64_t>(size, npyPreamble), '\0');
  if (Error error =
          readBytes(MutableArrayRef<char>(bytes.data(), bytes.size())))
    return error;
  Expected<uint64_t> headerSize = getNpyHeaderSize(bytes, origin);
  if (!headerSize)
    return headerSize.takeError();
  // NumPy's own limit is far below.
  constexpr uint64_t most = 1 << 20;
  if (*headerSize > most)
    return makeError(origin + ": expected a .npy header of at most " +
                     llvm::Twine(most) + " bytes, found " +
                     llvm::Twine(*headerSize));
  size_t begin = bytes.size();
  if (*headerSize < begin)
    return makeError(origin + ": the .npy header is too short");
  bytes.resize(std::min(*headerSize, size));
  if (Error error = readBytes(
          MutableArrayRef<char>(bytes.data(), bytes.size()).drop_front(begin)))
    return error;
  Expected<NpyHeader> header = parseNpyHeader(bytes, size, origin);
  if (!header)
    return header.takeError();
  type = header->type;
  shape = header->shape;
  fortranOrder = header->fortranOrder && shape.size() > 1;
  return Error::success();
}

Expected<NumpyArray> NpyStream::readNext(ArrayRef<int64_t> shape) {
  Expected<NumpyArray> array = NumpyArray::create(type, shape);
  if (!array)
    return makeError(origin + ": " + llvm::toString(array.takeError()));
  if (Error error = readBytes(array->getMutableData()))
    return std::move(error);
  return array;
}

Expected<NumpyArray> NpyStream::readAll() {
  Expected<NumpyArray> array = readNext(shape);
  if (!array || !fortranOrder || array->getNumElements() == 0)
    return array;
  Expected<NumpyArray> result = NumpyArray::create(type, shape);
  if (!result)
    return makeError(origin + ": " + llvm::toString(result.takeError()));
  transposeToRowMajor(shape, getByteWidth(type), array->getData().data(),
                      result->getMutableData().data());
  return result;
}

namespace {
/// A file, read at any place: not mapped, because pages of a map count as
/// memory of the process until somebody else wants them.
class File {
public:
  static Expected<std::shared_ptr<File>> open(StringRef path) {
    Expected<fs::file_t> file = fs::openNativeFileForRead(path);
    if (!file)
      return makeError("cannot read '" + path +
                       "': " + llvm::toString(file.takeError()));
    return std::shared_ptr<File>(new File(*file));
  }
  ~File() { (void)fs::closeFile(file); }

  /// Fills `to` with what lies from `offset` on.
  Error read(MutableArrayRef<char> to, uint64_t offset,
             const llvm::Twine &origin) {
    while (!to.empty()) {
      Expected<size_t> size = fs::readNativeFileSlice(file, to, offset);
      if (!size)
        return makeError(origin + ": " + llvm::toString(size.takeError()));
      if (*size == 0)
        return makeError(origin + ": truncated: the file ends at byte " +
                         llvm::Twine(offset));
      to = to.drop_front(*size);
      offset += *size;
    }
    return Error::success();
  }

private:
  explicit File(fs::file_t file) : file(file) {}
  fs::file_t file;
};

/// Bytes that lie in a file as they are: of a .npy file, or of a stored member.
class StoredStream : public NpyStream {
public:
  StoredStream(std::shared_ptr<File> file, std::string member,
               std::string origin, uint64_t begin, uint64_t size,
               std::optional<uint32_t> crc)
      : file(std::move(file)), offset(begin), left(size), expected(crc) {
    this->member = std::move(member);
    this->origin = std::move(origin);
  }
  Error open() { return readHeader(left); }

private:
  Error readBytes(MutableArrayRef<char> to) final {
    if (to.size() > left)
      return makeError(origin + ": truncated: expected " +
                       llvm::Twine(to.size()) + " more bytes, found " +
                       llvm::Twine(left));
    if (Error error = file->read(to, offset, origin))
      return error;
    offset += to.size();
    left -= to.size();
    if (!expected)
      return Error::success();
    crc = llvm::crc32(
        crc, ArrayRef(reinterpret_cast<uint8_t *>(to.data()), to.size()));
    if (left == 0 && crc != *expected)
      return makeError(origin + ": the data is damaged: expected checksum 0x" +
                       llvm::Twine::utohexstr(*expected) + ", found 0x" +
                       llvm::Twine::utohexstr(crc));
    return Error::success();
  }

  std::shared_ptr<File> file;
  uint64_t offset, left;
  std::optional<uint32_t> expected;
  uint32_t crc = 0;
};

/// A deflated member.
class DeflatedStream : public NpyStream {
public:
  DeflatedStream(std::shared_ptr<File> file, const ZipEntry &entry,
                 std::string member, std::string origin)
      : file(std::move(file)), offset(entry.dataBegin),
        compressedLeft(entry.compressedSize), left(entry.size),
        expected(entry.crc) {
    this->member = std::move(member);
    this->origin = std::move(origin);
  }
  ~DeflatedStream() override {
    if (isOpen)
      inflateEnd(&stream);
  }
  Error open() {
    // A negative window size is zlib's way to ask for no framing.
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK)
      return makeError(origin + ": zlib could not be initialised");
    isOpen = true;
    return readHeader(left);
  }

private:
  Error readBytes(MutableArrayRef<char> to) final {
    if (to.size() > left)
      return makeError(origin + ": truncated: expected " +
                       llvm::Twine(to.size()) + " more bytes, found " +
                       llvm::Twine(left));
    left -= to.size();
    MutableArrayRef<char> rest = to;
    while (!rest.empty()) {
      if (Error error = inflateSome(rest))
        return error;
    }
    crc = llvm::crc32(
        crc, ArrayRef(reinterpret_cast<uint8_t *>(to.data()), to.size()));
    if (left == 0 && crc != expected)
      return makeError(origin + ": the data is damaged: expected checksum 0x" +
                       llvm::Twine::utohexstr(expected) + ", found 0x" +
                       llvm::Twine::utohexstr(crc));
    return Error::success();
  }

  /// Fills a part of `rest`, and drops it.
  Error inflateSome(MutableArrayRef<char> &rest) {
    if (stream.avail_in == 0 && compressedLeft) {
      size_t size = std::min<uint64_t>(buffer.size(), compressedLeft);
      if (Error error =
              file->read(MutableArrayRef(buffer.data(), size), offset, origin))
        return error;
      offset += size;
      compressedLeft -= size;
      stream.next_in = reinterpret_cast<Bytef *>(buffer.data());
      stream.avail_in = size;
    }
    // zlib counts in 32 bits.
    size_t want = std::min<size_t>(rest.size(), 1u << 30);
    stream.next_out = reinterpret_cast<Bytef *>(rest.data());
    stream.avail_out = want;
    int status = inflate(&stream, Z_NO_FLUSH);
    size_t got = want - stream.avail_out;
    rest = rest.drop_front(got);
    if (status == Z_STREAM_END && !rest.empty())
      return makeError(origin + ": the deflated data ends " +
                       llvm::Twine(left + rest.size()) +
                       " bytes before the size that the directory promises");
    if (status != Z_OK && status != Z_STREAM_END)
      return makeError(
          origin + ": the deflated data is broken" +
          (stream.msg ? ": " + llvm::Twine(stream.msg) : llvm::Twine("")));
    return Error::success();
  }

  std::shared_ptr<File> file;
  z_stream stream = {};
  bool isOpen = false;
  std::array<char, 1 << 16> buffer;
  uint64_t offset, compressedLeft, left;
  uint32_t expected, crc = 0;
};
} // namespace

Expected<std::unique_ptr<NpyStream>> mlir::amp::openNpy(StringRef path) {
  Expected<std::shared_ptr<File>> file = File::open(path);
  if (!file)
    return file.takeError();
  uint64_t size;
  if (std::error_code code = fs::file_size(path, size))
    return makeError("cannot read '" + path + "': " + code.message());
  auto stream = std::make_unique<StoredStream>(
      std::move(*file), "", ("'" + path + "'").str(), 0, size, std::nullopt);
  if (Error error = stream->open())
    return std::move(error);
  return stream;
}

Expected<std::vector<std::unique_ptr<NpyStream>>>
mlir::amp::openNpz(StringRef path) {
  std::string origin = ("'" + path + "'").str();
  std::vector<ZipEntry> entries;
  {
    // Mapped where it is large; of the map only the directory is read.
    Expected<std::unique_ptr<llvm::MemoryBuffer>> bytes = readFileBytes(path);
    if (!bytes)
      return bytes.takeError();
    Expected<std::vector<ZipEntry>> read =
        readZipDirectory((*bytes)->getBuffer(), origin);
    if (!read)
      return read.takeError();
    entries = std::move(*read);
  }
  Expected<std::shared_ptr<File>> file = File::open(path);
  if (!file)
    return file.takeError();
  std::vector<std::unique_ptr<NpyStream>> streams;
  for (const ZipEntry &entry : entries) {
    std::string member = StringRef(entry.name).drop_back(4).str();
    std::string name = origin + ", member '" + printable(entry.name) + "'";
    Error error = Error::success();
    if (entry.method == 0) {
      auto stream = std::make_unique<StoredStream>(
          *file, member, name, entry.dataBegin, entry.size, entry.crc);
      error = stream->open();
      streams.push_back(std::move(stream));
    } else {
      auto stream =
          std::make_unique<DeflatedStream>(*file, entry, member, name);
      error = stream->open();
      streams.push_back(std::move(stream));
    }
    if (error)
      return std::move(error);
  }
  return streams;
}
