//===- NumpyFile.cpp - tensors in .npy files ------------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Support/NumpyFile.h"

#include "NumpyDetail.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>
#include <cstring>

using namespace mlir::amp;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Element types
//===----------------------------------------------------------------------===//

namespace {
struct TypeInfo {
  NumpyType type;
  unsigned byteWidth;
  StringRef name;
  StringRef descr;
};
} // namespace

/// In the order of the enumeration.
static constexpr TypeInfo typeInfos[] = {
    {NumpyType::Bool, 1, "bool", "|b1"},
    {NumpyType::I8, 1, "int8", "|i1"},
    {NumpyType::I16, 2, "int16", "<i2"},
    {NumpyType::I32, 4, "int32", "<i4"},
    {NumpyType::I64, 8, "int64", "<i8"},
    {NumpyType::U8, 1, "uint8", "|u1"},
    {NumpyType::U16, 2, "uint16", "<u2"},
    {NumpyType::U32, 4, "uint32", "<u4"},
    {NumpyType::U64, 8, "uint64", "<u8"},
    {NumpyType::F16, 2, "float16", "<f2"},
    {NumpyType::F32, 4, "float32", "<f4"},
    {NumpyType::F64, 8, "float64", "<f8"},
    {NumpyType::BF16, 2, "bfloat16", "<V2"},
    {NumpyType::Raw8, 1, "8-bit float", "|V1"},
};

unsigned mlir::amp::getByteWidth(NumpyType type) {
  return typeInfos[static_cast<unsigned>(type)].byteWidth;
}

StringRef mlir::amp::getName(NumpyType type) {
  return typeInfos[static_cast<unsigned>(type)].name;
}

StringRef mlir::amp::getDescr(NumpyType type) {
  return typeInfos[static_cast<unsigned>(type)].descr;
}

//===----------------------------------------------------------------------===//
// NumpyArray
//===----------------------------------------------------------------------===//

void NumpyArray::Free::operator()(char *pointer) const { std::free(pointer); }

Expected<NumpyArray> NumpyArray::create(NumpyType type,
                                        ArrayRef<int64_t> shape) {
  // Zeros count as ones in the bound, so that no stride computed from the shape
  // can overflow either.
  int64_t bound = getByteWidth(type);
  int64_t count = 1;
  for (int64_t size : shape) {
    if (size < 0)
      return makeError("a dimension of size " + Twine(size));
    std::optional<int64_t> next =
        llvm::checkedMul(bound, std::max<int64_t>(size, 1));
    if (!next)
      return makeError("an array of " + formatShape(shape) +
                       " elements has more bytes than 64 bits can count");
    bound = *next;
    count *= size;
  }
  NumpyArray array;
  array.type = type;
  array.shape.assign(shape.begin(), shape.end());
  array.numElements = count;
  constexpr size_t alignment = 64;
  size_t bytes = array.getNumBytes();
  if (bytes > SIZE_MAX - alignment)
    return makeError("an array of " + Twine(bytes) +
                     " bytes does not fit in memory");
  size_t rounded = std::max<size_t>(
      (bytes + alignment - 1) / alignment * alignment, alignment);
  array.data.reset(static_cast<char *>(std::aligned_alloc(alignment, rounded)));
  if (!array.data)
    return makeError("no memory for an array of " + Twine(bytes) + " bytes");
  std::memset(array.data.get(), 0, rounded);
  return array;
}

NumpyArray NumpyArray::clone() const {
  // The shape was checked when this array was made.
  NumpyArray copy = llvm::cantFail(create(type, shape));
  std::memcpy(copy.data.get(), data.get(), getNumBytes());
  return copy;
}

std::string mlir::amp::formatShape(ArrayRef<int64_t> shape) {
  if (shape.empty())
    return "a scalar";
  return llvm::join(
      llvm::map_range(shape, [](int64_t size) { return std::to_string(size); }),
      "x");
}

std::string NumpyArray::describe() const {
  if (shape.empty())
    return (getName(type) + " (a scalar)").str();
  return (getName(type) + " " + formatShape(shape)).str();
}

//===----------------------------------------------------------------------===//
// The header: a Python dictionary with the keys descr, fortran_order, shape
//===----------------------------------------------------------------------===//

namespace {
/// A parser for the few Python literals that the header may hold.
class HeaderParser {
public:
  HeaderParser(StringRef text, const Twine &origin)
      : rest(text), origin(origin.str()) {}

  Expected<NpyHeader> parse();

private:
  /// An error that quotes the place where parsing stopped.
  Error error(const Twine &expected) {
    StringRef found = rest.take_front(20);
    return makeError(origin + ": the .npy header is malformed: expected " +
                     expected + ", found " +
                     (found.empty() ? "the end of the header"
                                    : "'" + printable(found) + "'"));
  }

  void skipSpace() { rest = rest.ltrim(" \t\r\n"); }

  bool consume(StringRef token) {
    skipSpace();
    return rest.consume_front(token);
  }

  Expected<StringRef> parseString();
  Error parseDescr(NumpyType &type);
  Error parseBool(bool &value);
  Error parseShape(llvm::SmallVectorImpl<int64_t> &shape);

  StringRef rest;
  std::string origin;
};
} // namespace

Expected<StringRef> HeaderParser::parseString() {
  skipSpace();
  if (rest.empty() || (rest.front() != '\'' && rest.front() != '"'))
    return error("a quoted string");
  size_t end = rest.find(rest.front(), 1);
  if (end == StringRef::npos)
    return error("a closing quote");
  StringRef text = rest.slice(1, end);
  rest = rest.drop_front(end + 1);
  return text;
}

Error HeaderParser::parseDescr(NumpyType &type) {
  skipSpace();
  if (rest.starts_with("["))
    return makeError(origin + ": record (structured) types are not supported; "
                              "save each field as an array of its own");
  Expected<StringRef> descr = parseString();
  if (!descr)
    return descr.takeError();
  StringRef code = *descr;
  char order = code.empty() ? '\0' : code.front();
  if (order == '<' || order == '>' || order == '|' || order == '=')
    code = code.drop_front();
  // An order of one-byte elements says nothing.
  if (order == '>' && code.size() == 2 && code.back() != '1')
    return makeError(origin + ": the elements are big-endian ('" +
                     printable(*descr) +
                     "'), expected little-endian; convert with "
                     "a.astype(a.dtype.newbyteorder('<')) before saving");
  if (code == "f1")
    code = "V1";
  for (const TypeInfo &info : typeInfos) {
    if (code == info.descr.drop_front()) {
      type = info.type;
      return Error::success();
    }
  }
  return makeError(origin + ": element type '" + printable(*descr) +
                   "' is not supported; expected one of b1, i1, i2, i4, i8, "
                   "u1, u2, u4, u8, f2, f4, f8, V2 (bfloat16) and V1 (an 8-bit "
                   "float)");
}

Error HeaderParser::parseBool(bool &value) {
  value = consume("True");
  if (!value && !consume("False"))
    return error("True or False");
  return Error::success();
}

Error HeaderParser::parseShape(llvm::SmallVectorImpl<int64_t> &shape) {
  if (!consume("("))
    return error("a tuple of sizes");
  while (!consume(")")) {
    uint64_t size;
    if (rest.consumeInteger(10, size) ||
        size > static_cast<uint64_t>(INT64_MAX))
      return error("a size from 0 to 2^63 - 1");
    // Python 2 wrote long integers with a suffix.
    rest.consume_front("L");
    shape.push_back(static_cast<int64_t>(size));
    if (!consume(",")) {
      if (!consume(")"))
        return error("',' or ')'");
      break;
    }
  }
  return Error::success();
}

Expected<NpyHeader> HeaderParser::parse() {
  NpyHeader header{};
  bool hasDescr = false, hasOrder = false, hasShape = false;
  if (!consume("{"))
    return error("'{'");
  while (!consume("}")) {
    Expected<StringRef> key = parseString();
    if (!key)
      return key.takeError();
    if (!consume(":"))
      return error("':'");
    bool *seen = *key == "descr"           ? &hasDescr
                 : *key == "fortran_order" ? &hasOrder
                 : *key == "shape"         ? &hasShape
                                           : nullptr;
    if (!seen || *seen)
      return makeError(origin + ": the .npy header has " +
                       (seen ? "a second" : "the unknown") + " key '" +
                       printable(*key) +
                       "'; expected descr, fortran_order and shape");
    *seen = true;
    Error failure = seen == &hasDescr   ? parseDescr(header.type)
                    : seen == &hasOrder ? parseBool(header.fortranOrder)
                                        : parseShape(header.shape);
    if (failure)
      return std::move(failure);
    if (!consume(",")) {
      if (!consume("}"))
        return error("',' or '}'");
      break;
    }
  }
  skipSpace();
  if (!rest.empty())
    return error("the end of the header");
  if (!hasDescr || !hasOrder || !hasShape)
    return makeError(origin + ": the .npy header lacks the key '" +
                     (!hasDescr   ? "descr"
                      : !hasOrder ? "fortran_order"
                                  : "shape") +
                     "'");
  return header;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

void mlir::amp::transposeToRowMajor(ArrayRef<int64_t> shape, unsigned width,
                                    const char *from, char *to) {
  size_t rank = shape.size();
  llvm::SmallVector<int64_t, 4> strides(rank, 1), index(rank, 0);
  int64_t count = 1;
  for (size_t i = 0; i < rank; ++i) {
    strides[i] = count;
    count *= shape[i];
  }
  int64_t source = 0;
  for (int64_t n = 0; n < count; ++n) {
    std::memcpy(to + n * width, from + source * width, width);
    for (size_t i = rank; i-- > 0;) {
      source += strides[i];
      if (++index[i] < shape[i])
        break;
      source -= strides[i] * shape[i];
      index[i] = 0;
    }
  }
}

Expected<uint64_t> mlir::amp::getNpyHeaderSize(StringRef bytes,
                                               const Twine &origin) {
  constexpr StringRef magic("\x93NUMPY", 6);
  if (!bytes.starts_with(magic))
    return makeError(origin +
                     ": not a .npy file: expected it to start with "
                     "'\\x93NUMPY', found " +
                     (bytes.empty()
                          ? std::string("an empty file")
                          : "'" + printable(bytes.take_front(6)) + "'"));
  if (bytes.size() < 10)
    return makeError(origin +
                     ": truncated: the file ends in the .npy preamble "
                     "after " +
                     Twine(bytes.size()) + " bytes");
  unsigned major = static_cast<uint8_t>(bytes[6]);
  unsigned minor = static_cast<uint8_t>(bytes[7]);
  if (major < 1 || major > 3 || minor != 0)
    return makeError(origin + ": .npy format version " + Twine(major) + "." +
                     Twine(minor) + " is not known; expected 1.0, 2.0 or 3.0");
  size_t preamble = major == 1 ? 10 : npyPreamble;
  if (bytes.size() < preamble)
    return makeError(origin +
                     ": truncated: the file ends in the .npy preamble "
                     "after " +
                     Twine(bytes.size()) + " bytes");
  uint64_t length = major == 1
                        ? llvm::support::endian::read16le(bytes.data() + 8)
                        : llvm::support::endian::read32le(bytes.data() + 8);
  return preamble + length;
}

Expected<NpyHeader> mlir::amp::parseNpyHeader(StringRef bytes, uint64_t size,
                                              const Twine &origin) {
  Expected<uint64_t> dataBegin = getNpyHeaderSize(bytes, origin);
  if (!dataBegin)
    return dataBegin.takeError();
  size_t preamble = bytes[6] == 1 ? 10 : npyPreamble;
  if (*dataBegin > size || *dataBegin > bytes.size())
    return makeError(origin + ": truncated: expected a .npy header of " +
                     Twine(*dataBegin - preamble) + " bytes, found " +
                     Twine(size - preamble));
  Expected<NpyHeader> header =
      HeaderParser(bytes.slice(preamble, *dataBegin), origin).parse();
  if (!header)
    return header.takeError();

  // Compare sizes before anything of that size is allocated.
  uint64_t dataSize = size - *dataBegin;
  std::optional<uint64_t> expected = getByteWidth(header->type);
  bool isEmpty = llvm::is_contained(header->shape, 0);
  for (int64_t size : header->shape)
    if (expected && !isEmpty)
      expected =
          llvm::checkedMulUnsigned(*expected, static_cast<uint64_t>(size));
  if (isEmpty)
    expected = 0;
  if (!expected || *expected != dataSize)
    return makeError(
        origin + ": " +
        (!expected || *expected > dataSize ? "truncated" : "too long") + ": " +
        getName(header->type) + " " + formatShape(header->shape) + " needs " +
        (expected ? Twine(*expected).str() : "more than 2^64") +
        " bytes of data, found " + Twine(dataSize));
  header->dataBegin = *dataBegin;
  header->dataSize = dataSize;
  return header;
}

Expected<NumpyArray> mlir::amp::parseNpy(StringRef bytes, const Twine &origin) {
  Expected<NpyHeader> header = parseNpyHeader(bytes, bytes.size(), origin);
  if (!header)
    return header.takeError();
  StringRef data = bytes.drop_front(header->dataBegin);
  Expected<NumpyArray> array = NumpyArray::create(header->type, header->shape);
  if (!array)
    return makeError(origin + ": " + llvm::toString(array.takeError()));
  char *to = array->getMutableData().data();
  if (header->fortranOrder && header->shape.size() > 1 && !data.empty())
    transposeToRowMajor(header->shape, getByteWidth(header->type), data.data(),
                        to);
  else if (!data.empty())
    std::memcpy(to, data.data(), data.size());
  return array;
}

Expected<std::unique_ptr<llvm::MemoryBuffer>>
mlir::amp::readFileBytes(StringRef path) {
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> buffer =
      llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                  /*RequiresNullTerminator=*/false);
  if (!buffer)
    return makeError("cannot read '" + path +
                     "': " + buffer.getError().message());
  return std::move(*buffer);
}

Expected<NumpyArray> mlir::amp::readNpy(StringRef path) {
  Expected<std::unique_ptr<llvm::MemoryBuffer>> buffer = readFileBytes(path);
  if (!buffer)
    return buffer.takeError();
  return parseNpy((*buffer)->getBuffer(), "'" + path + "'");
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

std::string mlir::amp::makeNpyHeader(const NumpyArray &array) {
  std::string dictionary = ("{'descr': '" + getDescr(array.getType()) +
                            "', 'fortran_order': False, 'shape': (")
                               .str();
  for (int64_t size : array.getShape())
    dictionary += std::to_string(size) + ", ";
  dictionary += "), }";
  // The data starts at a multiple of 64 bytes; the header ends in a newline.
  size_t total = llvm::alignTo(10 + dictionary.size() + 1, 64);
  dictionary.resize(total - 10 - 1, ' ');
  dictionary += '\n';
  std::string header("\x93NUMPY\x01\x00", 8);
  char length[2];
  llvm::support::endian::write16le(length, dictionary.size());
  header.append(length, 2);
  return header + dictionary;
}

void mlir::amp::writeNpy(llvm::raw_ostream &os, const NumpyArray &array) {
  os << makeNpyHeader(array)
     << StringRef(array.getData().data(), array.getNumBytes());
}

Error mlir::amp::writeNpy(StringRef path, const NumpyArray &array) {
  return inContext("cannot write '" + path + "'",
                   llvm::writeToOutput(path, [&](llvm::raw_ostream &os) {
                     writeNpy(os, array);
                     return Error::success();
                   }));
}
