//===- Manifest.cpp - what a compiled model says of itself ----------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Model/Manifest.h"

#include "amp/Runtime/CPU.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::amp;

/// The text of amp/Runtime/Model.h.
static constexpr const char runtimeHeader[] =
#include "ModelHeader.inc"
    ;

/// `text` with "_" for each character that an identifier may not have.
static std::string toIdentifier(StringRef text) {
  std::string result;
  for (char c : text)
    result += llvm::isAlnum(c) || c == '_' ? c : '_';
  return result;
}

std::string mlir::amp::getModelName(StringRef path) {
  StringRef stem = llvm::sys::path::stem(path);
  if (stem.size() > 3)
    stem.consume_front("lib");
  std::string name = toIdentifier(stem);
  if (name.empty() || llvm::isDigit(name.front()))
    name.insert(0, "_");
  return name;
}

std::string mlir::amp::getElementName(Type type) {
  std::string name;
  llvm::raw_string_ostream(name) << type;
  return name;
}

static void writePorts(llvm::json::OStream &json, StringRef name,
                       ArrayRef<Port> ports) {
  json.attributeArray(name, [&] {
    for (const Port &port : ports)
      json.object([&] {
        json.attribute("name", port.name);
        json.attribute("type", getElementName(port.getElementType()));
        json.attribute("scalar", !isa<RankedTensorType>(port.type));
        // On one line.
        json.attributeBegin("shape");
        json.rawValue([&](llvm::raw_ostream &os) {
          os << "[";
          llvm::interleaveComma(port.getShape(), os, [&](int64_t size) {
            if (ShapedType::isDynamic(size))
              os << "null";
            else
              os << size;
          });
          os << "]";
        });
        json.attributeEnd();
      });
  });
}

std::string mlir::amp::makeManifest(const ModelInfo &info) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::json::OStream json(os, /*IndentSize=*/2);
  json.object([&] {
    json.attribute("name", info.name);
    json.attribute("source", info.source);
    json.attribute("abi", AMP_CPU_ABI_VERSION);
    json.attribute("target", info.target);
    json.attribute("triple", info.triple);
    json.attribute("processor", info.levels.front().processor);
    json.attribute("features", info.levels.front().features);
    json.attributeArray("levels", [&] {
      for (const ModelLevel &level : info.levels)
        json.object([&] {
          json.attribute("name", level.name);
          json.attribute("processor", level.processor);
          json.attribute("features", level.features);
        });
    });
    json.attribute("autocast", info.autocast);
    json.attribute("allow_tf32", info.allowTF32);
    json.attributeArray("functions", [&] {
      for (const ModelFunction &function : info.functions)
        json.object([&] {
          json.attribute("name", function.name);
          writePorts(json, "arguments", function.arguments);
          writePorts(json, "results", function.results);
          writePorts(json, "weights", function.weights);
          if (function.workspaceBytes)
            json.attribute("workspace_bytes", *function.workspaceBytes);
          else
            json.attribute("workspace_bytes", nullptr);
        });
    });
    json.attributeArray("kernels", [&] {
      for (const ModelKernel &kernel : info.kernels)
        json.object([&] {
          json.attribute("name", kernel.name);
          json.attribute("source", kernel.source);
        });
    });
  });
  os << "\n";
  return text;
}

/// "images: i8 [?, 8, 8]".
static std::string describe(const Port &port) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << port.name << ": " << getElementName(port.getElementType());
  if (!isa<RankedTensorType>(port.type))
    return text;
  os << " [";
  llvm::interleaveComma(port.getShape(), os, [&](int64_t size) {
    if (ShapedType::isDynamic(size))
      os << "?";
    else
      os << size;
  });
  os << "]";
  return text;
}

/// A name from the program cannot end the comment that it stands in.
static std::string forComment(StringRef text) {
  std::string result;
  for (char c : text)
    result += c == '/' || c == '\\' || !llvm::isPrint(c) ? '_' : c;
  return result;
}

static void writeIndices(llvm::raw_ostream &os, StringRef prefix,
                         ArrayRef<Port> ports) {
  llvm::StringSet<> names;
  for (const Port &port : ports) {
    std::string name = toIdentifier(port.name);
    // Two names may be one in C.
    if (!names.insert(name).second)
      name += "_" + std::to_string(port.index);
    os << "  " << prefix << name << " = " << port.index << ", /* "
       << forComment(describe(port)) << " */\n";
  }
}

std::string mlir::amp::makeHeader(const ModelInfo &info) {
  std::string text;
  llvm::raw_string_ostream os(text);
  std::string guard = "AMP_MODEL_" + StringRef(info.name).upper() + "_H";
  os << "/* Model '" << info.name << "', made by amp-compile from '"
     << forComment(info.source) << "' for target " << info.target << ".\n"
     << " * Do not edit. */\n\n#ifndef " << guard << "\n#define " << guard
     << "\n\n"
     << runtimeHeader << "\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n"
     << "/* The description of the model: pass its address, " << "&"
     << info.name << "_model,\n * to ampModelLoad and the queries. dlsym finds "
     << "it as \"amp_model\" as well. */\n"
     << "extern const char " << info.name << "_model[];\n\n"
     << "#ifdef __cplusplus\n}\n#endif\n";
  llvm::StringSet<> names;
  for (auto [index, function] : llvm::enumerate(info.functions)) {
    std::string name = info.name + "_" + toIdentifier(function.name);
    if (!names.insert(name).second)
      name += "_" + std::to_string(index);
    os << "\n/* Function '" << forComment(function.name)
       << "', its arguments and its results. */\nenum {\n  " << name << " = "
       << index << ",\n";
    writeIndices(os, name + "_arg_", function.arguments);
    os << "  " << name << "_num_arguments = " << function.arguments.size()
       << ",\n";
    writeIndices(os, name + "_result_", function.results);
    os << "  " << name << "_num_results = " << function.results.size()
       << "\n};\n";
  }
  os << "\n#endif /* " << guard << " */\n";
  return text;
}
