//===- NumpyFileTest.cpp - tests of the .npy and .npz code ----------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Files written by NumPy itself are read, and ours read by it, in
// test/amp-run/npy-files.mlir; here are the cases that no well-behaved writer
// makes.
//
//===----------------------------------------------------------------------===//

#include "amp/Support/NumpyFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CRC.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <cstring>
#include <zlib.h>

using namespace mlir::amp;
using llvm::Expected;
using llvm::StringRef;

namespace {

/// The bytes of a .npy file of version `major` with `dictionary` as its header.
std::string makeNpy(StringRef dictionary, StringRef data, unsigned major = 1) {
  std::string bytes("\x93NUMPY", 6);
  bytes += static_cast<char>(major);
  bytes += '\0';
  size_t length = dictionary.size() + 1;
  for (unsigned i = 0; i < (major == 1 ? 2u : 4u); ++i)
    bytes += static_cast<char>(length >> (8 * i) & 0xFF);
  return bytes + dictionary.str() + "\n" + data.str();
}

std::string makeNpyOf(StringRef descr, StringRef shape, StringRef data,
                      bool fortran = false) {
  return makeNpy(("{'descr': '" + descr + "', 'fortran_order': " +
                  (fortran ? "True" : "False") + ", 'shape': " + shape + ", }")
                     .str(),
                 data);
}

/// The message of the failure to read `bytes`, or "" where it can be read.
std::string npyError(StringRef bytes) {
  Expected<NumpyArray> array = parseNpy(bytes, "'f.npy'");
  return array ? "" : llvm::toString(array.takeError());
}

std::string npzError(StringRef bytes) {
  Expected<std::vector<NamedArray>> members = parseNpz(bytes, "'f.npz'");
  return members ? "" : llvm::toString(members.takeError());
}

template <typename T>
std::vector<T> values(const NumpyArray &array) {
  std::vector<T> result(array.getNumElements());
  EXPECT_EQ(array.getNumBytes(), result.size() * sizeof(T));
  std::memcpy(result.data(), array.getData().data(), array.getNumBytes());
  return result;
}

template <typename T>
std::string bytesOf(std::initializer_list<T> list) {
  return std::string(reinterpret_cast<const char *>(list.begin()),
                     list.size() * sizeof(T));
}

/// One member for makeZip. Fields that lie are set by the test.
struct Member {
  Member(std::string name, std::string data, unsigned method = 0)
      : name(std::move(name)), data(std::move(data)), method(method) {}

  std::string name;
  std::string data;
  unsigned method;
  unsigned flags = 0;
  std::optional<uint32_t> crc;
  std::optional<uint32_t> size;
  std::optional<uint32_t> compressedSize;
  std::optional<uint32_t> offset;
  std::string extra;
  /// The bytes in the archive, where they are not `data`.
  std::optional<std::string> stored;
};

void put(std::string &out, uint64_t value, unsigned width) {
  for (unsigned i = 0; i < width; ++i)
    out += static_cast<char>(value >> (8 * i) & 0xFF);
}

/// A zip file without zip64, built by hand so that any field can be wrong.
std::string makeZip(const std::vector<Member> &members) {
  std::string out, directory;
  for (const Member &m : members) {
    uint32_t offset = m.offset.value_or(out.size());
    uint32_t crc =
        m.crc.value_or(llvm::crc32(llvm::arrayRefFromStringRef(m.data)));
    std::string stored = m.stored.value_or(m.data);
    uint32_t compressed = m.compressedSize.value_or(stored.size());
    uint32_t size = m.size.value_or(m.data.size());
    out += "PK\x03\x04";
    put(out, 20, 2), put(out, m.flags, 2), put(out, m.method, 2);
    put(out, 0, 4), put(out, crc, 4), put(out, compressed, 4);
    put(out, size, 4), put(out, m.name.size(), 2), put(out, 0, 2);
    out += m.name + stored;
    directory += "PK\x01\x02";
    put(directory, 20, 2), put(directory, 20, 2), put(directory, m.flags, 2);
    put(directory, m.method, 2), put(directory, 0, 4), put(directory, crc, 4);
    put(directory, compressed, 4), put(directory, size, 4);
    put(directory, m.name.size(), 2), put(directory, m.extra.size(), 2);
    put(directory, 0, 2), put(directory, 0, 2), put(directory, 0, 2);
    put(directory, 0, 4), put(directory, offset, 4);
    directory += m.name + m.extra;
  }
  size_t start = out.size();
  out += directory;
  out += "PK\x05\x06";
  put(out, 0, 4), put(out, members.size(), 2), put(out, members.size(), 2);
  put(out, directory.size(), 4), put(out, start, 4), put(out, 0, 2);
  return out;
}

std::string deflateRaw(StringRef data) {
  z_stream stream = {};
  EXPECT_EQ(
      deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY),
      Z_OK);
  std::string out(deflateBound(&stream, data.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(data.data()));
  stream.avail_in = data.size();
  stream.next_out = reinterpret_cast<Bytef *>(out.data());
  stream.avail_out = out.size();
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

const std::string twoFloats = bytesOf<float>({1.5f, -2.0f});

//===----------------------------------------------------------------------===//
// .npy
//===----------------------------------------------------------------------===//

TEST(NumpyFile, ReadsEveryElementType) {
  struct Case {
    const char *descr;
    NumpyType type;
    unsigned width;
  };
  for (Case c :
       {Case{"|b1", NumpyType::Bool, 1}, Case{"|i1", NumpyType::I8, 1},
        Case{"<i2", NumpyType::I16, 2}, Case{"<i4", NumpyType::I32, 4},
        Case{"<i8", NumpyType::I64, 8}, Case{"|u1", NumpyType::U8, 1},
        Case{"<u2", NumpyType::U16, 2}, Case{"<u4", NumpyType::U32, 4},
        Case{"<u8", NumpyType::U64, 8}, Case{"<f2", NumpyType::F16, 2},
        Case{"<f4", NumpyType::F32, 4}, Case{"<f8", NumpyType::F64, 8},
        Case{"<V2", NumpyType::BF16, 2}, Case{"|V2", NumpyType::BF16, 2},
        Case{"|V1", NumpyType::Raw8, 1}, Case{"<f1", NumpyType::Raw8, 1}}) {
    std::string data(3 * c.width, '\x3C');
    Expected<NumpyArray> array =
        parseNpy(makeNpyOf(c.descr, "(3,)", data), "f");
    ASSERT_TRUE(!!array) << c.descr << ": "
                         << llvm::toString(array.takeError());
    EXPECT_EQ(array->getType(), c.type) << c.descr;
    EXPECT_EQ(getByteWidth(c.type), c.width);
    EXPECT_EQ(array->getShape(), llvm::ArrayRef<int64_t>({3}));
    EXPECT_EQ(StringRef(array->getData().data(), array->getNumBytes()), data);
  }
}

TEST(NumpyFile, WhatIsWrittenIsReadBack) {
  for (unsigned t = 0; t <= static_cast<unsigned>(NumpyType::Raw8); ++t) {
    auto type = static_cast<NumpyType>(t);
    llvm::SmallVector<llvm::SmallVector<int64_t>> shapes = {
        {}, {1}, {5}, {2, 3}, {0, 4}, {2, 1, 0, 3}};
    for (llvm::ArrayRef<int64_t> shape : shapes) {
      Expected<NumpyArray> array = NumpyArray::create(type, shape);
      ASSERT_TRUE(!!array);
      for (auto [i, byte] : llvm::enumerate(array->getMutableData()))
        byte = static_cast<char>(i * 37 + 1);
      std::string bytes;
      llvm::raw_string_ostream os(bytes);
      writeNpy(os, *array);
      EXPECT_EQ((bytes.size() - array->getNumBytes()) % 64, 0u);
      Expected<NumpyArray> again = parseNpy(bytes, "f");
      ASSERT_TRUE(!!again) << llvm::toString(again.takeError());
      EXPECT_EQ(again->getType(), type);
      EXPECT_EQ(again->getShape(), shape);
      EXPECT_EQ(again->getData(), array->getData());
    }
  }
}

TEST(NumpyFile, DataIsAligned) {
  Expected<NumpyArray> array = NumpyArray::create(NumpyType::F32, {3});
  ASSERT_TRUE(!!array);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(array->getData().data()) % 64, 0u);
}

TEST(NumpyFile, FortranOrderBecomesRowMajor) {
  // The array [[1, 2, 3], [4, 5, 6]], columns one after the other.
  std::string data = bytesOf<int16_t>({1, 4, 2, 5, 3, 6});
  Expected<NumpyArray> array =
      parseNpy(makeNpyOf("<i2", "(2, 3)", data, /*fortran=*/true), "f");
  ASSERT_TRUE(!!array);
  EXPECT_EQ(values<int16_t>(*array), (std::vector<int16_t>{1, 2, 3, 4, 5, 6}));

  // Element (i, j, k) of a 2x3x2 array holds 100 i + 10 j + k.
  std::string cube;
  for (int k = 0; k < 2; ++k)
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 2; ++i)
        cube += static_cast<char>(100 * i + 10 * j + k);
  array = parseNpy(makeNpyOf("|u1", "(2, 3, 2)", cube, /*fortran=*/true), "f");
  ASSERT_TRUE(!!array);
  EXPECT_EQ(values<uint8_t>(*array),
            (std::vector<uint8_t>{0, 1, 10, 11, 20, 21, 100, 101, 110, 111, 120,
                                  121}));
}

TEST(NumpyFile, ReadsVersions2And3AndOldHeaders) {
  for (unsigned major : {2u, 3u}) {
    Expected<NumpyArray> array =
        parseNpy(makeNpy("{'descr':'<f4','fortran_order':False,'shape':(2,)}",
                         twoFloats, major),
                 "f");
    ASSERT_TRUE(!!array) << llvm::toString(array.takeError());
    EXPECT_EQ(values<float>(*array), (std::vector<float>{1.5f, -2.0f}));
  }
  // Python 2's long integers, another order of keys, double quotes.
  Expected<NumpyArray> array = parseNpy(
      makeNpy(
          "{ \"shape\": (2L,), \"fortran_order\": False, \"descr\": \"<f4\"}  ",
          twoFloats),
      "f");
  ASSERT_TRUE(!!array) << llvm::toString(array.takeError());
  EXPECT_EQ(array->getShape(), llvm::ArrayRef<int64_t>({2}));
}

TEST(NumpyFile, EveryPrefixIsAnError) {
  std::string bytes = makeNpyOf("<f4", "(2,)", twoFloats);
  ASSERT_EQ(npyError(bytes), "");
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_NE(npyError(StringRef(bytes).take_front(size)), "") << size;
  EXPECT_EQ(npyError(StringRef(bytes).drop_back()),
            "'f.npy': truncated: float32 2 needs 8 bytes of data, found 7");
  EXPECT_EQ(npyError(bytes + "x"),
            "'f.npy': too long: float32 2 needs 8 bytes of data, found 9");
}

TEST(NumpyFile, SizesThatOverflowAreErrors) {
  const char *shapes[] = {"(9223372036854775807,)", "(4294967296, 4294967296)",
                          "(3037000500, 3037000500, 8)",
                          "(18446744073709551616,)",
                          // A product that is 2 bytes modulo 2^64.
                          "(9223372036854775807, 2)"};
  for (const char *shape : shapes)
    EXPECT_NE(npyError(makeNpyOf("<f4", shape, twoFloats)), "") << shape;
  // No data, but strides that overflow.
  EXPECT_NE(npyError(makeNpyOf("<f4", "(0, 4294967296, 4294967296)", "")), "");
  EXPECT_FALSE(!!llvm::expectedToOptional(
      NumpyArray::create(NumpyType::F64, {int64_t(1) << 60, 16})));
  EXPECT_FALSE(
      !!llvm::expectedToOptional(NumpyArray::create(NumpyType::F64, {-1})));
}

TEST(NumpyFile, MalformedHeadersAreErrors) {
  auto errorOf = [](StringRef dictionary) {
    return npyError(makeNpy(dictionary, twoFloats));
  };
  EXPECT_EQ(errorOf("{'descr': '<f4', 'shape': (2,)}"),
            "'f.npy': the .npy header lacks the key 'fortran_order'");
  EXPECT_EQ(errorOf("{'descr': '<f4', 'fortran_order': 0, 'shape': (2,)}"),
            "'f.npy': the .npy header is malformed: expected True or False, "
            "found '0, 'shape': (2,)}\\0A'");
  EXPECT_NE(errorOf("{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, "
                    "'shape': (2,)}")
                .find("a second key 'descr'"),
            std::string::npos);
  EXPECT_NE(errorOf("{'extra': '<f4'}").find("the unknown key 'extra'"),
            std::string::npos);
  for (const char *text :
       {"", "{", "{}", "{'descr", "{'descr': '<f4'", "[1]",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)} 1",
        "{'descr': '<f4', 'fortran_order': False, 'shape': 2}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (-2,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2 2)}",
        "{'descr': 4, 'fortran_order': False, 'shape': (2,)}"})
    EXPECT_NE(errorOf(text), "") << text;
  EXPECT_NE(npyError("PK\x03\x04 an archive").find("not a .npy file"),
            std::string::npos);
  EXPECT_EQ(npyError(makeNpy("{}", "", 4)),
            "'f.npy': .npy format version 4.0 is not known; expected 1.0, 2.0 "
            "or 3.0");
}

TEST(NumpyFile, UnsupportedTypesAreNamed) {
  EXPECT_EQ(npyError(makeNpyOf(">f4", "(2,)", twoFloats)),
            "'f.npy': the elements are big-endian ('>f4'), expected "
            "little-endian; convert with a.astype(a.dtype.newbyteorder('<')) "
            "before saving");
  EXPECT_NE(npyError(makeNpyOf("<c8", "(1,)", twoFloats))
                .find("element type '<c8' is not supported"),
            std::string::npos);
  for (const char *descr : {"|O", "<U4", "|S8", "<M8[ns]", "<f16", "<V4", ""})
    EXPECT_NE(npyError(makeNpyOf(descr, "(1,)", twoFloats)), "") << descr;
  EXPECT_NE(npyError(makeNpy("{'descr': [('a', '<f4')], 'fortran_order': "
                             "False, 'shape': (2,)}",
                             twoFloats))
                .find("record (structured) types"),
            std::string::npos);
}

//===----------------------------------------------------------------------===//
// .npz
//===----------------------------------------------------------------------===//

TEST(NumpyZip, ReadsStoredAndDeflated) {
  std::string npy = makeNpyOf("<f4", "(2,)", twoFloats);
  // Long enough that deflate makes a dictionary of its own.
  std::string big = makeNpyOf("|u1", "(100000,)", [] {
    std::string data;
    for (int i = 0; i < 100000; ++i)
      data += static_cast<char>((i * i) >> 7);
    return data;
  }());
  Member a{"a.npy", npy};
  Member b{"dir/b.npy", big, 8};
  b.stored = deflateRaw(big);
  Expected<std::vector<NamedArray>> members = parseNpz(makeZip({a, b}), "f");
  ASSERT_TRUE(!!members) << llvm::toString(members.takeError());
  ASSERT_EQ(members->size(), 2u);
  EXPECT_EQ((*members)[0].name, "a");
  EXPECT_EQ((*members)[1].name, "dir/b");
  EXPECT_EQ(values<float>((*members)[0].array),
            (std::vector<float>{1.5f, -2.0f}));
  EXPECT_EQ(StringRef((*members)[1].array.getData().data(), 100000),
            StringRef(big).take_back(100000));
}

TEST(NumpyZip, WhatIsWrittenIsReadBack) {
  llvm::SmallString<128> path;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("amp", "npz", path));
  NumpyArray a = llvm::cantFail(NumpyArray::create(NumpyType::F64, {2, 2}));
  NumpyArray b = llvm::cantFail(NumpyArray::create(NumpyType::BF16, {}));
  a.getMutableData()[9] = 42;
  ASSERT_FALSE(!!writeNpz(path, {{"a", &a}, {"b", &b}}));
  Expected<std::vector<NamedArray>> members = readNpz(path);
  ASSERT_TRUE(!!members) << llvm::toString(members.takeError());
  ASSERT_EQ(members->size(), 2u);
  EXPECT_EQ((*members)[0].name, "a");
  EXPECT_EQ((*members)[0].array.getData(), a.getData());
  EXPECT_EQ((*members)[1].array.getType(), NumpyType::BF16);

  // Every prefix of the archive, which is zip64 throughout, is refused.
  auto buffer = llvm::MemoryBuffer::getFile(path);
  ASSERT_TRUE(!!buffer);
  StringRef bytes = (*buffer)->getBuffer();
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_NE(npzError(bytes.take_front(size)), "") << size;

  EXPECT_NE(llvm::toString(writeNpz(path, {{"a", &a}, {"a", &b}}))
                .find("two members are named 'a'"),
            std::string::npos);
  llvm::sys::fs::remove(path);
}

TEST(NumpyZip, NoChangeOfOneByteCrashes) {
  // Whatever a byte becomes, the answer is an error or an array.
  std::string npy = makeNpyOf("<f4", "(2,)", twoFloats);
  Member a{"a.npy", npy, 8};
  a.stored = deflateRaw(npy);
  std::string bytes = makeZip({a, Member{"b.npy", npy}});
  ASSERT_EQ(npzError(bytes), "");
  unsigned refused = 0;
  for (size_t i = 0; i < bytes.size(); ++i) {
    for (unsigned char value : {0x00, 0x01, 0x7F, 0x80, 0xFF}) {
      std::string changed = bytes;
      changed[i] = static_cast<char>(value);
      refused += !npzError(changed).empty();
    }
  }
  EXPECT_GT(refused, bytes.size());
}

TEST(NumpyZip, LiesAreErrors) {
  std::string npy = makeNpyOf("<f4", "(2,)", twoFloats);
  auto errorOf = [&](auto change) {
    Member m{"a.npy", npy};
    change(m);
    return npzError(makeZip({m}));
  };
  auto expect = [](const std::string &message, const char *part) {
    EXPECT_NE(message.find(part), std::string::npos) << message;
  };
  expect(errorOf([](Member &m) { m.crc = 1; }), "expected checksum 0x1, found");
  expect(errorOf([](Member &m) { m.flags = 1; }), "encrypted");
  expect(errorOf([](Member &m) { m.method = 12; }), "compression method 12");
  expect(errorOf([](Member &m) { m.size = 5; }), "a stored member of 5 bytes");
  expect(errorOf([](Member &m) { m.size = m.compressedSize = 1 << 20; }),
         "truncated: expected 1048576 bytes at offset 35");
  expect(errorOf([](Member &m) { m.offset = 7; }), "no member at offset 7");
  expect(errorOf([](Member &m) { m.offset = 0xFFFFFFFF; }),
         "the zip64 field is missing");
  expect(errorOf([](Member &m) {
           m.offset = 0xFFFFFFFF;
           m.extra = std::string("\1\0\4\0\0\0\0\0", 8);
         }),
         "the zip64 field is too short");
  expect(errorOf([](Member &m) {
           m.size = m.compressedSize = 0xFFFFFFFF;
           m.extra = std::string("\1\0\x10\0", 4) + std::string(16, '\xFF');
         }),
         "truncated: expected 18446744073709551615 bytes");
  expect(errorOf([](Member &m) { m.name = "a.txt"; }), "the suffix .npy");
  expect(errorOf([](Member &m) { m.method = 8; }), "the deflated data");
  expect(errorOf([](Member &m) {
           m.method = 8;
           m.stored = deflateRaw(m.data);
           m.size = 1 << 30;
         }),
         "cannot hold the 1073741824 bytes");
  expect(errorOf([](Member &m) {
           m.method = 8;
           m.stored = deflateRaw(m.data);
           m.size = m.data.size() - 1;
         }),
         "does not end there");
  expect(errorOf([](Member &m) {
           m.method = 8;
           m.stored = deflateRaw(m.data);
           m.size = m.data.size() + 1;
         }),
         "should unpack to");
  expect(npzError(makeZip({{"a.npy", npy}, {"a.npy", npy}})),
         "two members of this name");
  Member second{"b.npy", npy};
  second.offset = 0;
  expect(npzError(makeZip({{"a.npy", npy}, second})),
         "the member overlaps member 'a.npy'");
  expect(npzError(npy), "not a .npz file");
  expect(npzError(""), "found an empty file");
}

TEST(NumpyZip, AnEmptyArchiveHasNoMembers) {
  Expected<std::vector<NamedArray>> members = parseNpz(makeZip({}), "f");
  ASSERT_TRUE(!!members) << llvm::toString(members.takeError());
  EXPECT_TRUE(members->empty());
}

TEST(NumpyFile, AMissingFileIsNamed) {
  Expected<NumpyArray> array = readNpy("no-such-file.npy");
  ASSERT_FALSE(!!array);
  EXPECT_EQ(llvm::toString(array.takeError()),
            "cannot read 'no-such-file.npy': No such file or directory");
}

} // namespace
