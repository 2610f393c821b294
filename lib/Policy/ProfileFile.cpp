//===- ProfileFile.cpp - profiles as JSON ---------------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Policy/Profile.h"

#include "amp/Support/Errors.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace mlir;
using namespace mlir::amp;
using llvm::Error;
using llvm::Expected;
namespace json = llvm::json;

static constexpr StringLiteral formatName = "amp-profile";
static constexpr int64_t formatVersion = 1;

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// One line, where OStream would take one per number.
static void writeList(json::OStream &j, StringRef name,
                      ArrayRef<int64_t> values) {
  j.attributeBegin(name);
  j.rawValue([&](llvm::raw_ostream &os) {
    os << "[";
    llvm::interleaveComma(values, os);
    os << "]";
  });
  j.attributeEnd();
}

static void writeText(json::OStream &j, StringRef name, StringRef text) {
  // Names and locations come from anywhere; JSON is UTF-8.
  j.attribute(name, json::fixUTF8(text));
}

static void writeRange(json::OStream &j, const RangeStatistics &range) {
  j.attribute("count", range.count);
  j.attribute("nan", range.nan);
  j.attribute("inf", range.inf);
  j.attribute("zero", range.zero);
  j.attribute("subnormal", range.subnormal);
  if (range.hasFinite()) {
    j.attribute("min", range.min);
    j.attribute("max", range.max);
  }
  if (range.hasNonzero())
    j.attribute("absmin", range.absmin);
  j.attributeBegin("log2");
  j.rawValue([&](llvm::raw_ostream &os) {
    os << "{";
    llvm::interleaveComma(range.log2, os, [&](const auto &bin) {
      os << '"' << bin.first << "\": " << bin.second;
    });
    os << "}";
  });
  j.attributeEnd();
}

static void writeEntry(json::OStream &j, const ProfileEntry &entry) {
  j.object([&] {
    writeText(j, "key", entry.key);
    writeText(j, "name", entry.name);
    writeText(j, "op", entry.op);
    writeText(j, "location", entry.location);
    writeText(j, "type", entry.type);
    writeText(j, "element", entry.element);
    j.attribute("observations", entry.observations);
    writeList(j, "min_shape", entry.minShape);
    writeList(j, "max_shape", entry.maxShape);
    writeRange(j, entry.range);
  });
}

void Profile::print(llvm::raw_ostream &os) const {
  json::OStream j(os, /*IndentSize=*/1);
  j.object([&] {
    j.attribute("format", formatName);
    j.attribute("version", formatVersion);
    j.attribute("samples", numSamples);
    j.attributeObject("selection", [&] {
      j.attribute("arguments", selection.arguments);
      j.attribute("results", selection.results);
      j.attributeArray("ops", [&] {
        for (const std::string &op : selection.ops)
          j.value(json::fixUTF8(op));
      });
    });
    j.attributeArray("values", [&] {
      for (const auto &[key, entry] : entries)
        writeEntry(j, entry);
    });
  });
  os << "\n";
}

Error Profile::write(StringRef path) const {
  return inContext("cannot write '" + path + "'",
                   llvm::writeToOutput(path, [&](llvm::raw_ostream &os) {
                     print(os);
                     return Error::success();
                   }));
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// What a message says was found.
static std::string describe(const json::Value *value) {
  if (!value)
    return "nothing";
  switch (value->kind()) {
  case json::Value::Null:
    return "null";
  case json::Value::Object:
    return "an object";
  case json::Value::Array:
    return "an array";
  default: {
    std::string text;
    llvm::raw_string_ostream(text) << *value;
    return text.size() > 60 ? text.substr(0, 60) + "..." : text;
  }
  }
}

namespace {
/// A place in the file: its name, and the path from the root, "values[3].log2".
class Place {
public:
  explicit Place(const Twine &origin) : origin(origin.str()) {}

  Place field(StringRef name) const {
    return Place(origin, path.empty() ? name.str() : path + "." + name.str());
  }
  Place element(size_t index) const {
    return Place(origin, path + "[" + std::to_string(index) + "]");
  }
  Error error(const Twine &message) const {
    return makeError(origin + ": " + (path.empty() ? "the profile" : path) +
                     ": " + message);
  }
  Error expected(const Twine &what, const json::Value *found) const {
    return error("expected " + what + ", found " + describe(found));
  }

private:
  Place(std::string origin, std::string path)
      : origin(std::move(origin)), path(std::move(path)) {}
  std::string origin, path;
};

/// The fields of one object, each of which must be read.
class Fields {
public:
  static Expected<Fields> of(const json::Value *value, Place place) {
    if (!value || !value->getAsObject())
      return place.expected("an object", value);
    return Fields(*value->getAsObject(), std::move(place));
  }

  const Place &getPlace() const { return place; }
  Place at(StringRef name) const { return place.field(name); }

  const json::Value *take(StringRef name) {
    names.push_back(name.str());
    return object.get(name);
  }

  Error read(StringRef name, std::string &result) {
    const json::Value *value = take(name);
    if (!value || !value->getAsString())
      return at(name).expected("a text", value);
    result = value->getAsString()->str();
    return Error::success();
  }

  Error read(StringRef name, bool &result) {
    const json::Value *value = take(name);
    if (!value || !value->getAsBoolean())
      return at(name).expected("true or false", value);
    result = *value->getAsBoolean();
    return Error::success();
  }

  Error read(StringRef name, uint64_t &result) {
    const json::Value *value = take(name);
    if (!value || !value->getAsUINT64())
      return at(name).expected("a count from 0 to 2^64 - 1", value);
    result = *value->getAsUINT64();
    return Error::success();
  }

  Error read(StringRef name, double &result) {
    const json::Value *value = take(name);
    if (!value || !value->getAsNumber())
      return at(name).expected("a number", value);
    result = *value->getAsNumber() + 0.0;
    if (!std::isfinite(result))
      return at(name).expected("a finite number", value);
    return Error::success();
  }

  Error read(StringRef name, SmallVectorImpl<int64_t> &result) {
    const json::Value *value = take(name);
    if (!value || !value->getAsArray())
      return at(name).expected("an array of sizes", value);
    for (auto [i, size] : llvm::enumerate(*value->getAsArray())) {
      if (!size.getAsInteger() || *size.getAsInteger() < 0)
        return at(name).element(i).expected("a size of at least 0", &size);
      result.push_back(*size.getAsInteger());
    }
    return Error::success();
  }

  /// A field that is there but was not read is one of another format.
  Error finish() {
    for (const auto &field : object)
      if (!llvm::is_contained(names, StringRef(field.first).str()))
        return at(StringRef(field.first))
            .error("expected one of " + llvm::join(names, ", ") +
                   " here, found an unknown field");
    return Error::success();
  }

private:
  Fields(const json::Object &object, Place place)
      : object(object), place(std::move(place)) {}
  const json::Object &object;
  Place place;
  std::vector<std::string> names;
};
} // namespace

/// Runs the readers in turn until one fails.
template <typename... Names>
static Error readAll(Fields &fields, Names &&...pairs) {
  Error error = Error::success();
  auto step = [&](auto &&pair) {
    if (!error)
      error = fields.read(pair.first, pair.second.get());
  };
  (step(pairs), ...);
  return error;
}

template <typename T>
static auto field(StringRef name, T &result) {
  return std::pair(name, std::ref(result));
}

static Error readRange(Fields &fields, RangeStatistics &range) {
  if (Error error =
          readAll(fields, field("count", range.count), field("nan", range.nan),
                  field("inf", range.inf), field("zero", range.zero),
                  field("subnormal", range.subnormal)))
    return error;
  Place place = fields.at("log2");
  const json::Value *bins = fields.take("log2");
  if (!bins || !bins->getAsObject())
    return place.expected("an object of counts", bins);
  for (const auto &[name, number] : *bins->getAsObject()) {
    int exponent;
    if (StringRef(name).getAsInteger(10, exponent))
      return place.field(name).error(
          "expected an exponent of two as the name, found '" + StringRef(name) +
          "'");
    if (!number.getAsUINT64())
      return place.field(name).expected("a count", &number);
    if (!range.log2.emplace(exponent, *number.getAsUINT64()).second)
      return place.field(name).error("the exponent is there twice");
  }
  // These are there where they have a meaning, and only there.
  bool sane = range.nan <= range.count &&
              range.inf <= range.count - range.nan &&
              range.zero <= range.count - range.nan - range.inf;
  if (sane && range.hasFinite())
    if (Error error =
            readAll(fields, field("min", range.min), field("max", range.max)))
      return error;
  if (sane && range.hasNonzero())
    if (Error error = readAll(fields, field("absmin", range.absmin)))
      return error;
  if (Error error = range.check())
    return fields.getPlace().error(llvm::toString(std::move(error)));
  return Error::success();
}

static Error readEntry(const json::Value &value, const Place &place,
                       ProfileEntry &entry) {
  Expected<Fields> fields = Fields::of(&value, place);
  if (!fields)
    return fields.takeError();
  if (Error error = readAll(
          *fields, field("key", entry.key), field("name", entry.name),
          field("op", entry.op), field("location", entry.location),
          field("type", entry.type), field("element", entry.element),
          field("observations", entry.observations),
          field("min_shape",
                static_cast<SmallVectorImpl<int64_t> &>(entry.minShape)),
          field("max_shape",
                static_cast<SmallVectorImpl<int64_t> &>(entry.maxShape))))
    return error;
  if (entry.minShape.size() != entry.maxShape.size() ||
      llvm::any_of(llvm::zip(entry.minShape, entry.maxShape), [](auto sizes) {
        return std::get<0>(sizes) > std::get<1>(sizes);
      }))
    return place.error("'min_shape' is not at most 'max_shape'");
  if (Error error = readRange(*fields, entry.range))
    return error;
  return fields->finish();
}

static Error readSelection(const json::Value *value, const Place &place,
                           ProfileSelection &selection) {
  Expected<Fields> fields = Fields::of(value, place);
  if (!fields)
    return fields.takeError();
  if (Error error = readAll(*fields, field("arguments", selection.arguments),
                            field("results", selection.results)))
    return error;
  const json::Value *ops = fields->take("ops");
  if (!ops || !ops->getAsArray())
    return fields->at("ops").expected("an array of op names", ops);
  for (auto [i, op] : llvm::enumerate(*ops->getAsArray())) {
    if (!op.getAsString())
      return fields->at("ops").element(i).expected("the name of an op", &op);
    selection.ops.push_back(op.getAsString()->str());
  }
  if (!llvm::is_sorted(selection.ops))
    return fields->at("ops").error("expected names in order");
  return fields->finish();
}

/// The parser recurses: a file of a million brackets must not end the process.
static Error checkNesting(StringRef text, const Place &place) {
  constexpr unsigned most = 32;
  unsigned depth = 0, line = 1;
  bool isText = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    line += c == '\n';
    if (isText && c == '\\')
      ++i;
    else if (c == '"')
      isText = !isText;
    else if (!isText && (c == '[' || c == '{') && ++depth > most)
      return place.error("line " + Twine(line) + ": expected at most " +
                         Twine(most) + " brackets inside each other");
    else if (!isText && (c == ']' || c == '}') && depth)
      --depth;
  }
  return Error::success();
}

Expected<Profile> Profile::parse(StringRef text, const Twine &origin) {
  Place root(origin);
  if (Error error = checkNesting(text, root))
    return std::move(error);
  Expected<json::Value> value = json::parse(text);
  if (!value) {
    // LLVM's text is "[line:column, byte=N]: what is wrong".
    std::string message = llvm::toString(value.takeError());
    auto [position, what] = StringRef(message).split(", byte=");
    auto [line, column] = position.drop_front().split(':');
    return makeError(
        origin + ":" + line + ":" + column + ": expected a profile as JSON: " +
        what.drop_front(std::min(what.size(), what.find("]: ") + 3)));
  }
  Expected<Fields> fields = Fields::of(&*value, root);
  if (!fields)
    return fields.takeError();
  const json::Value *format = fields->take("format");
  if (!format || format->getAsString() != StringRef(formatName))
    return fields->at("format").expected(
        "\"" + formatName + "\", which amp-run --calibrate writes", format);
  const json::Value *version = fields->take("version");
  if (!version || version->getAsInteger() != formatVersion)
    return fields->at("version").expected(
        Twine(formatVersion) + ", the version that this amp reads (calibrate "
                               "again to have it)",
        version);
  Profile profile;
  if (Error error = readAll(*fields, field("samples", profile.numSamples)))
    return std::move(error);
  if (Error error = readSelection(fields->take("selection"),
                                  fields->at("selection"), profile.selection))
    return std::move(error);
  const json::Value *values = fields->take("values");
  if (!values || !values->getAsArray())
    return fields->at("values").expected("an array of entries", values);
  for (auto [i, element] : llvm::enumerate(*values->getAsArray())) {
    Place place = fields->at("values").element(i);
    ProfileEntry entry;
    if (Error error = readEntry(element, place, entry))
      return std::move(error);
    std::string key = entry.key;
    if (!profile.add(std::move(entry)))
      return place.field("key").error("a second entry for '" + Twine(key) +
                                      "'");
  }
  if (Error error = fields->finish())
    return std::move(error);
  return profile;
}

Expected<Profile> Profile::read(StringRef path) {
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> buffer =
      llvm::MemoryBuffer::getFileOrSTDIN(path, /*IsText=*/false,
                                         /*RequiresNullTerminator=*/false);
  if (!buffer)
    return makeError("cannot read the profile '" + path +
                     "': " + buffer.getError().message());
  return parse((*buffer)->getBuffer(), "'" + path + "'");
}
