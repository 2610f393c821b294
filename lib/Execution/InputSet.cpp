//===- InputSet.cpp - the inputs of a run ---------------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Execution/InputSet.h"

#include "amp/Execution/Elements.h"
#include "amp/Support/Errors.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mlir;
using namespace mlir::amp;
using llvm::Error;
using llvm::Expected;

static std::string toText(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

InputSet::InputSet(ArrayRef<Port> arguments,
                   std::function<void(const Twine &)> warn)
    : arguments(arguments), warn(std::move(warn)), values(arguments.size()),
      origins(arguments.size()), elsewhere(arguments.size()),
      shapes(arguments.size()) {}

const Port *mlir::amp::findArgument(ArrayRef<Port> arguments, StringRef name) {
  for (const Port &port : arguments)
    if (port.name == name)
      return &port;
  StringRef digits = name;
  if (!digits.consume_front("arg"))
    (void)digits.consume_front("arr_");
  unsigned index;
  if (digits.getAsInteger(10, index) || index >= arguments.size())
    return nullptr;
  return &arguments[index];
}

std::string mlir::amp::listArguments(ArrayRef<Port> arguments) {
  if (arguments.empty())
    return "the function has no arguments";
  return "the arguments are " +
         llvm::join(llvm::map_range(
                        arguments,
                        [](const Port &port) { return "'" + port.name + "'"; }),
                    ", ");
}

Expected<const Port *> InputSet::require(StringRef name) const {
  if (const Port *port = find(name))
    return port;
  return makeError("no argument is called '" + name + "'; " + listArguments());
}

bool mlir::amp::matchesShape(ArrayRef<int64_t> expected,
                             ArrayRef<int64_t> found) {
  return expected.size() == found.size() &&
         llvm::all_of(llvm::zip(expected, found), [](auto pair) {
           return ShapedType::isDynamic(std::get<0>(pair)) ||
                  std::get<0>(pair) == std::get<1>(pair);
         });
}

Error InputSet::bind(const Port &port, NumpyArray array, const Twine &origin) {
  std::string context =
      ("argument '" + Twine(port.name) + "' of type " + toText(port.type))
          .str();
  if (values[port.index])
    return makeError(context + " is bound twice: to " + origins[port.index] +
                     " and to " + origin);
  if (!elsewhere[port.index].empty())
    return makeError(context + " is bound twice: to '" + elsewhere[port.index] +
                     "' and to " + origin);
  ArrayRef<int64_t> expected = port.getShape(), found = array.getShape();
  if (expected.size() != found.size())
    return makeError(context + ": expected rank " + Twine(expected.size()) +
                     ", found rank " + Twine(found.size()) + " (" +
                     array.describe() + ") in " + origin);
  if (!matchesShape(expected, found))
    return makeError(context + ": found shape " + formatShape(found) + " in " +
                     origin);
  if (!holdsElements(array.getType(), port.getElementType())) {
    if (!convertInputs)
      return makeError(context + ": expected elements of type " +
                       getName(*getNumpyType(port.getElementType())) +
                       ", found " + getName(array.getType()) + " in " + origin +
                       "; --convert-inputs converts them");
    Expected<NumpyArray> converted =
        convertElements(array, port.getElementType());
    if (!converted)
      return makeError(context + ": " + origin + ": " +
                       llvm::toString(converted.takeError()));
    array = std::move(*converted);
  }
  int64_t nans = 0;
  if (isa<FloatType>(port.getElementType()))
    for (double value : toDoubles(array, port.getElementType()))
      nans += std::isnan(value);
  if (nans)
    warn("argument '" + Twine(port.name) + "': " + Twine(nans) + " of " +
         Twine(array.getNumElements()) + " elements are NaN in " + origin);
  values[port.index] = std::move(array);
  origins[port.index] = origin.str();
  return Error::success();
}

Error InputSet::bindScalar(const Port &port, StringRef text) {
  double number;
  int64_t integer;
  Type type = port.getElementType();
  // Integers do not go through a float: 64 bits do not fit.
  bool isInteger = !text.getAsInteger(0, integer);
  NumpyArray array = llvm::cantFail(
      NumpyArray::create(isInteger ? NumpyType::I64 : NumpyType::F64, {}));
  if (isInteger) {
    std::memcpy(array.getMutableData().data(), &integer, sizeof(integer));
  } else if (!text.getAsDouble(number)) {
    std::memcpy(array.getMutableData().data(), &number, sizeof(number));
  } else {
    return makeError("argument '" + Twine(port.name) + "' of type " +
                     toText(port.type) +
                     ": expected a number, a .npy file or FILE.npz:MEMBER, "
                     "found '" +
                     text + "', which is not the name of a file");
  }
  Expected<NumpyArray> converted = convertElements(array, type);
  if (!converted)
    return makeError("argument '" + Twine(port.name) + "': '" + text +
                     "': " + llvm::toString(converted.takeError()));
  return bind(port, std::move(*converted), "'" + text + "'");
}

Error InputSet::addInput(StringRef spec) {
  auto [name, value] = spec.split('=');
  bool isNamed = spec.contains('=') && !llvm::sys::fs::exists(spec);
  if (!isNamed && spec.ends_with(".npz"))
    return addArchive(spec);
  if (!isNamed) {
    Expected<NumpyArray> array = readNpy(spec);
    if (!array)
      return array.takeError();
    for (const Port &port : arguments)
      if (!values[port.index] && elsewhere[port.index].empty())
        return bind(port, std::move(*array), "'" + spec + "'");
    return makeError("'" + spec + "' is one input too many; " +
                     listArguments());
  }
  Expected<const Port *> port = require(name);
  if (!port)
    return port.takeError();
  auto [path, member] = value.rsplit(':');
  if (!member.empty() && path.ends_with(".npz")) {
    Expected<std::vector<NamedArray>> members = readNpz(path);
    if (!members)
      return members.takeError();
    std::string list;
    for (NamedArray &candidate : *members) {
      if (candidate.name == member)
        return bind(**port, std::move(candidate.array),
                    "'" + path + "', member '" + member + "'");
      list += (list.empty() ? "'" : ", '") + candidate.name + "'";
    }
    return makeError("'" + path + "' has no member '" + member + "'; it has " +
                     (list.empty() ? "none" : list));
  }
  if (value.ends_with(".npz"))
    return makeError("'" + value +
                     "' holds several arrays; name one for argument '" + name +
                     "' as --input " + name + "=" + value + ":MEMBER");
  if ((*port)->type.isIntOrIndexOrFloat() && !llvm::sys::fs::exists(value) &&
      !value.ends_with(".npy"))
    return bindScalar(**port, value);
  Expected<NumpyArray> array = readNpy(value);
  if (!array)
    return array.takeError();
  return bind(**port, std::move(*array), "'" + value + "'");
}

Error InputSet::addArchive(StringRef path) {
  Expected<std::vector<NamedArray>> members = readNpz(path);
  if (!members)
    return members.takeError();
  bool anyBound = false;
  std::string left;
  for (NamedArray &member : *members) {
    const Port *port = find(member.name);
    if (!port) {
      left += (left.empty() ? "'" : ", '") + member.name + "'";
      continue;
    }
    if (Error error = bind(*port, std::move(member.array),
                           "'" + path + "', member '" + member.name + "'"))
      return error;
    anyBound = true;
  }
  if (!anyBound)
    return makeError("'" + path +
                     "' has no member with the name of an "
                     "argument; it has " +
                     (left.empty() ? "none" : left) + "; " + listArguments());
  if (!left.empty())
    warn("'" + path + "': no argument takes the member" +
         (StringRef(left).contains(',') ? "s " : " ") + left);
  return Error::success();
}

Error InputSet::addShape(StringRef spec) {
  auto [name, text] = spec.rsplit('=');
  if (!spec.contains('='))
    return makeError("'" + spec + "': expected a shape as NAME=2x3");
  Expected<const Port *> port = require(name);
  if (!port)
    return port.takeError();
  SmallVector<int64_t> shape;
  SmallVector<StringRef> parts;
  if (!text.empty())
    text.split(parts, 'x');
  for (StringRef part : parts) {
    int64_t size;
    if (part.getAsInteger(10, size) || size < 0)
      return makeError("'" + spec +
                       "': expected sizes as in NAME=2x3, found '" + part +
                       "'");
    shape.push_back(size);
  }
  if (!matchesShape((*port)->getShape(), shape))
    return makeError("argument '" + name + "' of type " +
                     toText((*port)->type) + " cannot have shape " +
                     formatShape(shape));
  if (shapes[(*port)->index])
    return makeError("argument '" + name + "' is given two shapes: " +
                     formatShape(*shapes[(*port)->index]) + " and " +
                     formatShape(shape));
  shapes[(*port)->index] = shape;
  return Error::success();
}

Error InputSet::fillRandom(uint64_t seed) {
  for (const Port &port : arguments) {
    if (values[port.index] || !elsewhere[port.index].empty())
      continue;
    SmallVector<int64_t> shape(port.getShape());
    if (shapes[port.index])
      shape = *shapes[port.index];
    if (ShapedType::isDynamicShape(shape))
      return makeError(
          "argument '" + Twine(port.name) + "' of type " + toText(port.type) +
          " has a dynamic shape: give the shape of its random "
          "input, for example --shape " +
          port.name + "=" +
          llvm::join(llvm::map_range(shape,
                                     [](int64_t size) {
                                       return std::to_string(
                                           ShapedType::isDynamic(size) ? 8
                                                                       : size);
                                     }),
                     "x"));
    if (isa<IndexType>(port.type))
      return makeError("argument '" + Twine(port.name) +
                       "' of type index takes no random number: give it as "
                       "--input " +
                       port.name + "=NUMBER");
    Expected<NumpyArray> array =
        makeRandomArray(port.getElementType(), shape,
                        seed + 0x9E3779B97F4A7C15ull * (port.index + 1));
    if (!array)
      return makeError("argument '" + Twine(port.name) +
                       "': " + llvm::toString(array.takeError()));
    if (Error error = bind(port, std::move(*array), "random numbers"))
      return error;
  }
  return Error::success();
}

Expected<std::vector<NumpyArray>> InputSet::take() {
  std::vector<NumpyArray> result;
  for (const Port &port : arguments) {
    if (!values[port.index])
      return makeError("argument '" + Twine(port.name) + "' of type " +
                       toText(port.type) + " has no input; give --input " +
                       port.name +
                       "=FILE.npy, a .npz file with a member of that name, or "
                       "--random");
    result.push_back(std::move(*values[port.index]));
  }
  return result;
}

std::vector<std::optional<NumpyArray>> InputSet::takeBound() {
  std::vector<std::optional<NumpyArray>> result;
  for (std::optional<NumpyArray> &value : values)
    result.push_back(std::exchange(value, std::nullopt));
  return result;
}
