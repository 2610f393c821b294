//===- SampleSet.cpp - the samples of a calibration -----------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Execution/SampleSet.h"

#include "amp/Execution/Elements.h"
#include "amp/Execution/InputSet.h"
#include "amp/Support/Errors.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::amp;
using llvm::Error;
using llvm::Expected;

/// An array that is open, and how it is cut.
struct SampleSet::Array {
  const Port *port;
  std::unique_ptr<NpyStream> stream;
  /// Samples that it gives; none where one array serves all.
  std::optional<uint64_t> numSamples;
  /// The shape of a sample in the file. Where rows are cut off, its first size
  /// is how many; of the last sample it may be fewer.
  SmallVector<int64_t, 4> shape;
  /// Rows that are still to come, where rows are cut off.
  std::optional<int64_t> rowsLeft;
  /// What serves all samples of the file, once it is read.
  std::optional<NumpyArray> shared;
};

/// A file, whose headers have been looked at.
struct SampleSet::File {
  std::string path;
  /// Of an archive, if only one is wanted.
  std::string member;
  const Port *port = nullptr;
  uint64_t numSamples = 0;
};

/// Files that follow each other, and give the same arguments.
struct SampleSet::Source {
  std::string spec;
  bool isDirectory = false;
  std::vector<File> files;
  /// The indices of the arguments, sorted.
  SmallVector<unsigned> bound;
  uint64_t numSamples = 0;

  size_t nextFile = 0;
  uint64_t leftInFile = 0;
  std::vector<Array> open;
};

SampleSet::SampleSet(ArrayRef<Port> arguments, SampleOptions options,
                     std::function<void(const Twine &)> warn)
    : arguments(arguments), options(options), warn(std::move(warn)) {}

SampleSet::~SampleSet() = default;

static std::string toText(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

Expected<SampleSet::Array> SampleSet::plan(std::unique_ptr<NpyStream> stream,
                                           const Port &port,
                                           bool isInDirectory) const {
  std::string context = stream->getOrigin().str() + " for argument '" +
                        port.name + "' of type " + toText(port.type);
  if (!holdsElements(stream->getType(), port.getElementType()) &&
      !options.convertInputs)
    return makeError(context + ": expected elements of type " +
                     getName(*getNumpyType(port.getElementType())) +
                     ", found " + getName(stream->getType()) +
                     "; --convert-inputs converts them");
  ArrayRef<int64_t> expected = port.getShape(), found = stream->getShape();
  Array array;
  array.port = &port;
  auto refuse = [&](const Twine &why) {
    std::string shape = expected.empty() ? "a scalar" : "";
    for (auto [i, size] : llvm::enumerate(expected))
      shape +=
          (i ? "x" : "") + (ShapedType::isDynamic(size) ? std::string("?")
                                                        : std::to_string(size));
    return makeError(context + ": expected " + shape +
                     ", or that with a leading dimension for the samples, "
                     "found " +
                     formatShape(found) + why);
  };
  bool isCut = false;
  if (found.size() == expected.size() + 1 &&
      matchesShape(expected, found.drop_front())) {
    array.numSamples = found.front();
    array.shape.assign(found.drop_front().begin(), found.end());
    isCut = true;
  } else if (found.size() != expected.size() ||
             (!found.empty() &&
              !matchesShape(expected.drop_front(), found.drop_front()))) {
    return refuse("");
  } else {
    array.shape.assign(found.begin(), found.end());
    int64_t size = found.empty() ? 0 : found.front();
    int64_t rows = size;
    if (!found.empty() && !ShapedType::isDynamic(expected.front()))
      rows = expected.front();
    else if (!found.empty())
      rows = options.batch.value_or(isInDirectory ? 0 : 1);
    bool isDynamic = !found.empty() && ShapedType::isDynamic(expected.front());
    if (isDynamic && rows == 0) {
      // The file is one sample, of as many rows as it has.
      if (size)
        array.numSamples = 1;
    } else if (isDynamic) {
      array.numSamples = (size + rows - 1) / rows;
    } else if (size < rows) {
      return refuse(": fewer rows than one sample needs");
    } else if (size > rows) {
      array.numSamples = rows ? size / rows : 0;
    }
    if (array.numSamples && rows) {
      isCut = rows != size;
      array.rowsLeft = size;
      array.shape.front() = rows;
    }
  }
  if (isCut && stream->isFortranOrder())
    return makeError(context +
                     ": the array lies in Fortran order, in which samples do "
                     "not follow each other; save it with "
                     "numpy.ascontiguousarray");
  array.stream = std::move(stream);
  return array;
}

Error SampleSet::openFile(Source &source) {
  File &file = source.files[source.nextFile];
  source.open.clear();
  std::vector<std::unique_ptr<NpyStream>> streams;
  if (StringRef(file.path).ends_with(".npz")) {
    Expected<std::vector<std::unique_ptr<NpyStream>>> members =
        openNpz(file.path);
    if (!members)
      return members.takeError();
    streams = std::move(*members);
  } else {
    Expected<std::unique_ptr<NpyStream>> stream = openNpy(file.path);
    if (!stream)
      return stream.takeError();
    streams.push_back(std::move(*stream));
  }
  std::string left, all;
  for (std::unique_ptr<NpyStream> &stream : streams) {
    StringRef member = stream->getMember();
    all += (all.empty() ? "'" : ", '") + member.str() + "'";
    if (!file.member.empty() && member != file.member)
      continue;
    const Port *port = file.port ? file.port : findArgument(arguments, member);
    if (!port) {
      if (!llvm::is_contained(warnedMembers, member.str())) {
        warnedMembers.push_back(member.str());
        warn("'" + file.path + "': no argument takes the member '" + member +
             "'");
      }
      continue;
    }
    for (const Array &array : source.open)
      if (array.port == port)
        return makeError("'" + file.path + "': argument '" + port->name +
                         "' is bound twice: to " + array.stream->getOrigin() +
                         " and to " + stream->getOrigin());
    Expected<Array> array = plan(std::move(stream), *port, source.isDirectory);
    if (!array)
      return array.takeError();
    source.open.push_back(std::move(*array));
  }
  if (source.open.empty())
    return makeError(
        "'" + file.path + "' has no member " +
        (file.member.empty() ? Twine("with the name of an argument")
                             : "'" + Twine(file.member) + "'") +
        "; it has " + (all.empty() ? "none" : all) +
        (file.member.empty() ? "; " + listArguments(arguments) : ""));

  // All arrays that give samples give as many.
  const Array *first = nullptr;
  for (Array &array : source.open) {
    if (!array.numSamples)
      continue;
    if (first && *first->numSamples != *array.numSamples)
      return makeError("'" + file.path + "': argument '" + first->port->name +
                       "' has " + Twine(*first->numSamples) +
                       " samples, and argument '" + array.port->name +
                       "' has " + Twine(*array.numSamples) +
                       "; give inputs that all samples share with --input or "
                       "--weights");
    first = first ? first : &array;
  }
  source.leftInFile = first ? *first->numSamples : 1;
  ++source.nextFile;
  return Error::success();
}

Error SampleSet::addFile(Source &source, StringRef path, StringRef member,
                         const Port *port, bool isInDirectory) {
  source.files.push_back({path.str(), member.str(), port, 0});
  source.nextFile = source.files.size() - 1;
  if (Error error = openFile(source))
    return error;
  SmallVector<unsigned> bound;
  for (const Array &array : source.open) {
    bound.push_back(array.port->index);
    if (array.numSamples && array.rowsLeft &&
        *array.rowsLeft % array.shape.front() &&
        !ShapedType::isDynamic(array.port->getShape().front()))
      warn(array.stream->getOrigin() + ": the last " +
           Twine(*array.rowsLeft % array.shape.front()) + " of " +
           Twine(*array.rowsLeft) + " rows are left out: argument '" +
           array.port->name + "' takes " + Twine(array.shape.front()) +
           " at a time");
  }
  llvm::sort(bound);
  if (source.files.size() == 1)
    source.bound = bound;
  if (source.bound != bound) {
    auto getNames = [&](ArrayRef<unsigned> indices) {
      return llvm::join(llvm::map_range(indices,
                                        [&](unsigned index) {
                                          return "'" + arguments[index].name +
                                                 "'";
                                        }),
                        ", ");
    };
    return makeError("'" + path + "' gives the arguments " + getNames(bound) +
                     ", but '" + source.files.front().path + "' gives " +
                     getNames(source.bound) +
                     "; all samples must have the same members");
  }
  source.files.back().numSamples = source.leftInFile;
  source.numSamples += source.leftInFile;
  source.open.clear();
  return Error::success();
}

Error SampleSet::add(StringRef spec) {
  auto source = std::make_unique<Source>();
  source->spec = spec.str();
  namespace fs = llvm::sys::fs;
  if (fs::is_directory(spec)) {
    source->isDirectory = true;
    std::vector<std::string> paths;
    std::error_code code;
    for (fs::directory_iterator it(spec, code), end; it != end && !code;
         it.increment(code))
      if (llvm::sys::path::extension(it->path()) == ".npz")
        paths.push_back(it->path());
    if (code)
      return makeError("cannot read the directory '" + spec +
                       "': " + code.message());
    if (paths.empty())
      return makeError("the directory '" + spec +
                       "' has no .npz file; expected one for each sample");
    llvm::sort(paths);
    for (const std::string &path : paths)
      if (Error error = addFile(*source, path, "", nullptr, true))
        return error;
  } else {
    auto [name, value] = spec.split('=');
    bool isNamed = spec.contains('=') && !fs::exists(spec);
    StringRef path = isNamed ? value : spec, member;
    const Port *port = nullptr;
    if (isNamed) {
      port = findArgument(arguments, name);
      if (!port)
        return makeError("no argument is called '" + name + "'; " +
                         listArguments(arguments));
      auto [archive, inside] = value.rsplit(':');
      if (!inside.empty() && archive.ends_with(".npz")) {
        path = archive;
        member = inside;
      } else if (value.ends_with(".npz")) {
        return makeError("'" + value +
                         "' holds several arrays; name one for "
                         "argument '" +
                         name + "' as " + name + "=" + value + ":MEMBER");
      }
    }
    if (!path.ends_with(".npz") && !(isNamed && path.ends_with(".npy")))
      return makeError("'" + spec +
                       "': expected a directory of .npz files, FILE.npz, "
                       "NAME=FILE.npz:MEMBER or NAME=FILE.npy" +
                       (fs::exists(path) ? "" : ", and there is no such file"));
    if (Error error = addFile(*source, path, member, port, false))
      return error;
  }
  for (unsigned index : source->bound)
    if (binds(index))
      return makeError("argument '" + arguments[index].name +
                       "' is bound twice: by '" + getOrigin(index) +
                       "' and by '" + spec + "'");
  source->nextFile = 0;
  source->leftInFile = 0;
  sources.push_back(std::move(source));
  return Error::success();
}

Expected<uint64_t> SampleSet::getNumSamples() const {
  if (sources.empty())
    return makeError("no samples are given");
  for (const std::unique_ptr<Source> &source : sources)
    if (source->numSamples != sources.front()->numSamples)
      return makeError("'" + sources.front()->spec + "' has " +
                       Twine(sources.front()->numSamples) + " samples, and '" +
                       source->spec + "' has " + Twine(source->numSamples) +
                       "; each sample needs all of its inputs");
  if (sources.front()->numSamples == 0)
    return makeError("'" + sources.front()->spec + "' has no samples");
  return sources.front()->numSamples;
}

bool SampleSet::binds(unsigned index) const {
  return !getOrigin(index).empty();
}

std::string SampleSet::getOrigin(unsigned index) const {
  for (const std::unique_ptr<Source> &source : sources)
    if (llvm::is_contained(source->bound, index))
      return source->spec;
  return "";
}

Expected<NumpyArray> SampleSet::read(Array &array) const {
  Expected<NumpyArray> read = [&]() -> Expected<NumpyArray> {
    if (!array.numSamples ||
        (!array.rowsLeft && array.stream->getShape() == ArrayRef(array.shape)))
      return array.stream->readAll();
    SmallVector<int64_t, 4> shape = array.shape;
    if (array.rowsLeft) {
      shape.front() = std::min(shape.front(), *array.rowsLeft);
      *array.rowsLeft -= shape.front();
    }
    return array.stream->readNext(shape);
  }();
  Type type = array.port->getElementType();
  if (!read || holdsElements(read->getType(), type))
    return read;
  Expected<NumpyArray> converted = convertElements(*read, type);
  if (!converted)
    return makeError(array.stream->getOrigin() + ": " +
                     llvm::toString(converted.takeError()));
  return converted;
}

Error SampleSet::next(MutableArrayRef<std::optional<NumpyArray>> inputs) {
  for (std::unique_ptr<Source> &source : sources) {
    while (source->leftInFile == 0) {
      if (source->nextFile == source->files.size())
        return makeError("'" + source->spec + "' has no more samples");
      const File &file = source->files[source->nextFile];
      if (Error error = openFile(*source))
        return error;
      if (source->leftInFile != file.numSamples)
        return makeError("'" + file.path + "' has changed while it was read");
    }
    --source->leftInFile;
    for (Array &array : source->open) {
      std::optional<NumpyArray> &input = inputs[array.port->index];
      if (array.shared) {
        input = array.shared->clone();
        continue;
      }
      // What all samples share stays where it is after the first one.
      Expected<NumpyArray> value = read(array);
      if (!value)
        return value.takeError();
      if (!array.numSamples && source->leftInFile)
        array.shared = value->clone();
      input = std::move(*value);
    }
  }
  return Error::success();
}
