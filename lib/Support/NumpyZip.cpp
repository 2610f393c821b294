//===- NumpyZip.cpp - tensors in .npz files -------------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The zip container. LLVM's wrapper of zlib expects zlib's own framing, which
// zip members do not have, so raw deflate goes through zlib directly.
//
//===----------------------------------------------------------------------===//

#include "NumpyDetail.h"
#include "amp/Support/NumpyFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/CRC.h"
#include "llvm/Support/Endian.h"
#include <zlib.h>

using namespace mlir::amp;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;
using namespace llvm::support::endian;

/// Signatures and fixed sizes of the records of the container (APPNOTE 4.3).
static constexpr StringRef localMagic("PK\x03\x04", 4);
static constexpr StringRef centralMagic("PK\x01\x02", 4);
static constexpr StringRef endMagic("PK\x05\x06", 4);
static constexpr StringRef end64Magic("PK\x06\x06", 4);
static constexpr StringRef locator64Magic("PK\x06\x07", 4);
static constexpr size_t localSize = 30;
static constexpr size_t centralSize = 46;
static constexpr size_t endSize = 22;
static constexpr size_t end64Size = 56;
static constexpr size_t locator64Size = 20;

static constexpr uint16_t methodStored = 0;
static constexpr uint16_t methodDeflate = 8;

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {
using Entry = ZipEntry;

class ZipReader {
public:
  ZipReader(StringRef bytes, const Twine &origin)
      : bytes(bytes), origin(origin.str()) {}

  Expected<std::vector<NamedArray>> read();
  Expected<std::vector<Entry>> takeEntries();

private:
  Error error(const Twine &message) {
    return makeError(origin + ": " + message);
  }
  Error error(const Entry &entry, const Twine &message) {
    return makeError(originOf(entry) + ": " + message);
  }
  std::string originOf(const Entry &entry) {
    return origin + ", member '" + printable(entry.name) + "'";
  }

  /// `size` bytes at `offset`, or nothing where the file has not that many.
  std::optional<StringRef> slice(uint64_t offset, uint64_t size) {
    if (offset > bytes.size() || size > bytes.size() - offset)
      return std::nullopt;
    return bytes.substr(offset, size);
  }

  Error findDirectory(uint64_t &offset, uint64_t &size, uint64_t &count);
  Error readDirectory();
  Error readZip64Extra(Entry &entry, StringRef extra);
  Error locate(Entry &entry);
  Error checkOverlap();
  Error checkNames();
  Expected<NumpyArray> extract(const Entry &entry);

  StringRef bytes;
  std::string origin;
  std::vector<Entry> entries;
};
} // namespace

Error ZipReader::findDirectory(uint64_t &offset, uint64_t &size,
                               uint64_t &count) {
  // The end record is followed by a comment of at most 65535 bytes.
  StringRef tail = bytes.take_back(endSize + 0xFFFF);
  size_t found = tail.rfind(endMagic);
  if (!bytes.starts_with("PK"))
    return error("not a .npz file: expected it to start with 'PK', found " +
                 (bytes.empty() ? std::string("an empty file")
                                : "'" + printable(bytes.take_front(4)) + "'"));
  if (found == StringRef::npos || tail.size() - found < endSize)
    return error("truncated: the archive has no directory at its end");
  const char *end = tail.data() + found;
  uint64_t endOffset = end - bytes.data();
  count = read16le(end + 10);
  size = read32le(end + 12);
  offset = read32le(end + 16);
  if (count != 0xFFFF && size != 0xFFFFFFFF && offset != 0xFFFFFFFF)
    return Error::success();

  // A zip64 archive: the locator in front of the end record names the place of
  // the record that holds the numbers.
  std::optional<StringRef> locator;
  if (endOffset >= locator64Size)
    locator = slice(endOffset - locator64Size, locator64Size);
  if (!locator || !locator->starts_with(locator64Magic))
    return error("the zip64 locator is missing");
  std::optional<StringRef> record =
      slice(read64le(locator->data() + 8), end64Size);
  if (!record || !record->starts_with(end64Magic))
    return error("the zip64 directory record is missing");
  count = read64le(record->data() + 32);
  size = read64le(record->data() + 40);
  offset = read64le(record->data() + 48);
  return Error::success();
}

/// Takes from the zip64 field those numbers that the entry itself does not
/// hold.
Error ZipReader::readZip64Extra(Entry &entry, StringRef extra) {
  bool needsSize = entry.size == 0xFFFFFFFF;
  bool needsCompressed = entry.compressedSize == 0xFFFFFFFF;
  bool needsOffset = entry.offset == 0xFFFFFFFF;
  if (!needsSize && !needsCompressed && !needsOffset)
    return Error::success();
  while (extra.size() >= 4) {
    uint16_t tag = read16le(extra.data());
    uint16_t length = read16le(extra.data() + 2);
    StringRef field = extra.drop_front(4).take_front(length);
    extra = extra.drop_front(4 + field.size());
    if (tag != 1 || field.size() != length)
      continue;
    for (auto [needed, value] :
         {std::pair(needsSize, &entry.size),
          std::pair(needsCompressed, &entry.compressedSize),
          std::pair(needsOffset, &entry.offset)}) {
      if (!needed)
        continue;
      if (field.size() < 8)
        return error(entry, "the zip64 field is too short");
      *value = read64le(field.data());
      field = field.drop_front(8);
    }
    return Error::success();
  }
  return error(entry, "the zip64 field is missing");
}

Error ZipReader::readDirectory() {
  uint64_t offset = 0, size = 0, count = 0;
  if (Error failure = findDirectory(offset, size, count))
    return failure;
  std::optional<StringRef> directory = slice(offset, size);
  if (!directory)
    return error("truncated: the directory should be " + Twine(size) +
                 " bytes at offset " + Twine(offset) + " of a file of " +
                 Twine(bytes.size()) + " bytes");
  StringRef rest = *directory;
  for (uint64_t i = 0; i < count; ++i) {
    if (rest.size() < centralSize || !rest.starts_with(centralMagic))
      return error("the directory should have " + Twine(count) +
                   " entries, found " + Twine(i));
    const char *record = rest.data();
    Entry entry;
    entry.flags = read16le(record + 8);
    entry.method = read16le(record + 10);
    entry.crc = read32le(record + 16);
    entry.compressedSize = read32le(record + 20);
    entry.size = read32le(record + 24);
    uint64_t nameSize = read16le(record + 28);
    uint64_t extraSize = read16le(record + 30);
    uint64_t commentSize = read16le(record + 32);
    entry.offset = read32le(record + 42);
    rest = rest.drop_front(centralSize);
    if (rest.size() < nameSize + extraSize + commentSize)
      return error("truncated: the directory ends in entry " + Twine(i));
    entry.name = rest.take_front(nameSize).str();
    if (Error failure = readZip64Extra(entry, rest.substr(nameSize, extraSize)))
      return failure;
    rest = rest.drop_front(nameSize + extraSize + commentSize);
    if (Error failure = locate(entry))
      return failure;
    entries.push_back(std::move(entry));
  }
  return Error::success();
}

/// Checks what the directory says of `entry` against the member itself.
Error ZipReader::locate(Entry &entry) {
  if (entry.flags & 1)
    return error(entry, "the member is encrypted, which is not supported");
  if (entry.method != methodStored && entry.method != methodDeflate)
    return error(entry, "compression method " + Twine(entry.method) +
                            " is not supported; expected 0 (stored) or 8 "
                            "(deflate)");
  std::optional<StringRef> local = slice(entry.offset, localSize);
  if (!local || !local->starts_with(localMagic))
    return error(entry,
                 "the archive has no member at offset " + Twine(entry.offset));
  uint64_t headerSize =
      localSize + read16le(local->data() + 26) + read16le(local->data() + 28);
  entry.dataBegin = entry.offset + headerSize;
  if (!slice(entry.dataBegin, entry.compressedSize))
    return error(entry, "truncated: expected " + Twine(entry.compressedSize) +
                            " bytes at offset " + Twine(entry.dataBegin) +
                            " of a file of " + Twine(bytes.size()) + " bytes");
  if (entry.method == methodStored && entry.size != entry.compressedSize)
    return error(entry, "a stored member of " + Twine(entry.size) +
                            " bytes takes " + Twine(entry.compressedSize) +
                            " bytes in the archive");
  // Deflate makes at most 1032 bytes of one: a size beyond that is a lie, which
  // must not be allocated.
  if (entry.method == methodDeflate && entry.size / 1032 > entry.compressedSize)
    return error(entry, Twine(entry.compressedSize) +
                            " deflated bytes cannot hold the " +
                            Twine(entry.size) +
                            " bytes that the directory "
                            "promises");
  return Error::success();
}

/// Members that share bytes are how a small archive unpacks to terabytes.
Error ZipReader::checkOverlap() {
  std::vector<const Entry *> sorted;
  for (const Entry &entry : entries)
    sorted.push_back(&entry);
  llvm::sort(sorted, [](const Entry *a, const Entry *b) {
    return a->offset < b->offset;
  });
  for (size_t i = 1; i < sorted.size(); ++i)
    if (sorted[i]->offset <
        sorted[i - 1]->dataBegin + sorted[i - 1]->compressedSize)
      return error(*sorted[i], "the member overlaps member '" +
                                   printable(sorted[i - 1]->name) + "'");
  return Error::success();
}

/// Inflates `from`, raw deflate data, into exactly `size` bytes. The text of
/// the error is a phrase for the caller to complete.
static Error inflateRaw(StringRef from, llvm::MutableArrayRef<char> to) {
  z_stream stream = {};
  // A negative window size is zlib's way to ask for no framing.
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK)
    return makeError("zlib could not be initialised");
  int status = Z_OK;
  size_t read = 0, written = 0;
  // zlib counts in 32 bits.
  constexpr size_t chunk = 1u << 30;
  while (status == Z_OK) {
    stream.next_in =
        reinterpret_cast<Bytef *>(const_cast<char *>(from.data())) + read;
    stream.avail_in = std::min(chunk, from.size() - read);
    stream.next_out = reinterpret_cast<Bytef *>(to.data()) + written;
    stream.avail_out = std::min(chunk, to.size() - written);
    size_t inBefore = stream.avail_in, outBefore = stream.avail_out;
    status = inflate(&stream, Z_NO_FLUSH);
    read += inBefore - stream.avail_in;
    written += outBefore - stream.avail_out;
  }
  std::string detail = stream.msg ? stream.msg : "";
  inflateEnd(&stream);
  if (status == Z_STREAM_END && written == to.size())
    return Error::success();
  if (!detail.empty())
    return makeError("the deflated data is broken: " + detail);
  return makeError("the deflated data should unpack to " + Twine(to.size()) +
                   " bytes, and " +
                   (written == to.size() ? Twine("does not end there")
                                         : "ends after " + Twine(written)));
}

Expected<NumpyArray> ZipReader::extract(const Entry &entry) {
  StringRef stored = bytes.substr(entry.dataBegin, entry.compressedSize);
  std::optional<NumpyArray> unpacked;
  if (entry.method == methodDeflate) {
    Expected<NumpyArray> buffer =
        NumpyArray::create(NumpyType::U8, {static_cast<int64_t>(entry.size)});
    if (!buffer)
      return error(entry, llvm::toString(buffer.takeError()));
    if (Error failure = inflateRaw(stored, buffer->getMutableData()))
      return error(entry, llvm::toString(std::move(failure)));
    unpacked = std::move(*buffer);
    stored = StringRef(unpacked->getData().data(), unpacked->getNumBytes());
  }
  uint32_t crc = llvm::crc32(llvm::arrayRefFromStringRef(stored));
  if (crc != entry.crc)
    return error(entry, "the data is damaged: expected checksum 0x" +
                            Twine::utohexstr(entry.crc) + ", found 0x" +
                            Twine::utohexstr(crc));
  return parseNpy(stored, originOf(entry));
}

Error ZipReader::checkNames() {
  llvm::StringSet<> names;
  for (const Entry &entry : entries) {
    if (!StringRef(entry.name).ends_with(".npy"))
      return error(entry, "expected a member with the suffix .npy");
    if (!names.insert(entry.name).second)
      return error(entry, "the archive has two members of this name");
  }
  return Error::success();
}

Expected<std::vector<ZipEntry>> ZipReader::takeEntries() {
  if (Error failure = readDirectory())
    return std::move(failure);
  if (Error failure = checkOverlap())
    return std::move(failure);
  if (Error failure = checkNames())
    return std::move(failure);
  return std::move(entries);
}

Expected<std::vector<NamedArray>> ZipReader::read() {
  Expected<std::vector<Entry>> checked = takeEntries();
  if (!checked)
    return checked.takeError();
  std::vector<NamedArray> members;
  for (const Entry &entry : *checked) {
    Expected<NumpyArray> array = extract(entry);
    if (!array)
      return array.takeError();
    members.push_back(
        {StringRef(entry.name).drop_back(4).str(), std::move(*array)});
  }
  return members;
}

Expected<std::vector<ZipEntry>>
mlir::amp::readZipDirectory(StringRef bytes, const Twine &origin) {
  return ZipReader(bytes, origin).takeEntries();
}

Expected<std::vector<NamedArray>> mlir::amp::parseNpz(StringRef bytes,
                                                      const Twine &origin) {
  return ZipReader(bytes, origin).read();
}

Expected<std::vector<NamedArray>> mlir::amp::readNpz(StringRef path) {
  Expected<std::unique_ptr<llvm::MemoryBuffer>> buffer = readFileBytes(path);
  if (!buffer)
    return buffer.takeError();
  return parseNpz((*buffer)->getBuffer(), "'" + path + "'");
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

namespace {
/// Little-endian numbers appended to a string.
class Record {
public:
  explicit Record(StringRef magic) : bytes(magic.str()) {}
  Record &u16(uint16_t value) { return number(value, 2); }
  Record &u32(uint32_t value) { return number(value, 4); }
  Record &u64(uint64_t value) { return number(value, 8); }
  Record &text(StringRef value) {
    bytes += value;
    return *this;
  }
  const std::string &str() const { return bytes; }

private:
  Record &number(uint64_t value, unsigned width) {
    for (unsigned i = 0; i < width; ++i)
      bytes += static_cast<char>(value >> (8 * i) & 0xFF);
    return *this;
  }
  std::string bytes;
};
} // namespace

/// Every number that has a 64-bit form is written in it, whatever its size: one
/// layout for all files, as numpy.savez does for its members.
static void writeArchive(llvm::raw_ostream &os,
                         ArrayRef<NamedArrayRef> members) {
  // 1980-01-01 00:00, the earliest date: the same arrays give the same bytes.
  constexpr uint16_t time = 0, date = (1 << 5) | 1;
  constexpr uint16_t version = 45, utf8Name = 1 << 11;
  uint64_t offset = 0;
  std::string directory;
  for (const NamedArrayRef &member : members) {
    std::string header = makeNpyHeader(*member.array);
    StringRef data(member.array->getData().data(), member.array->getNumBytes());
    uint32_t crc = llvm::crc32(llvm::arrayRefFromStringRef(header));
    crc = llvm::crc32(crc, llvm::arrayRefFromStringRef(data));
    uint64_t size = header.size() + data.size();
    std::string name = (member.name + ".npy").str();

    Record local(localMagic);
    local.u16(version).u16(utf8Name).u16(methodStored).u16(time).u16(date);
    local.u32(crc).u32(0xFFFFFFFF).u32(0xFFFFFFFF);
    local.u16(name.size()).u16(20).text(name);
    local.u16(1).u16(16).u64(size).u64(size);
    os << local.str() << header << data;

    Record central(centralMagic);
    central.u16(version).u16(version).u16(utf8Name).u16(methodStored);
    central.u16(time).u16(date).u32(crc).u32(0xFFFFFFFF).u32(0xFFFFFFFF);
    central.u16(name.size()).u16(28).u16(0).u16(0).u16(0);
    // The mode that unpackers for Unix give to the file.
    central.u32(0100644u << 16).u32(0xFFFFFFFF).text(name);
    central.u16(1).u16(24).u64(size).u64(size).u64(offset);
    directory += central.str();
    offset += local.str().size() + size;
  }
  Record end64(end64Magic);
  end64.u64(end64Size - 12).u16(version).u16(version).u32(0).u32(0);
  end64.u64(members.size()).u64(members.size());
  end64.u64(directory.size()).u64(offset);
  Record locator(locator64Magic);
  locator.u32(0).u64(offset + directory.size()).u32(1);
  Record end(endMagic);
  end.u16(0).u16(0).u16(0xFFFF).u16(0xFFFF).u32(0xFFFFFFFF).u32(0xFFFFFFFF);
  end.u16(0);
  os << directory << end64.str() << locator.str() << end.str();
}

Error mlir::amp::writeNpz(StringRef path, ArrayRef<NamedArrayRef> members) {
  llvm::StringSet<> names;
  for (const NamedArrayRef &member : members) {
    if (!names.insert(member.name).second)
      return makeError("cannot write '" + path + "': two members are named '" +
                       printable(member.name) + "'");
    if (member.name.size() > 0xFFFF - 4)
      return makeError(
          "cannot write '" + path + "': the name of a member has " +
          Twine(member.name.size()) + " bytes, expected at most 65531");
  }
  return inContext("cannot write '" + path + "'",
                   llvm::writeToOutput(path, [&](llvm::raw_ostream &os) {
                     writeArchive(os, members);
                     return Error::success();
                   }));
}
