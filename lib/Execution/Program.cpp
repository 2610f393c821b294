//===- Program.cpp - a module to run, and its entry -----------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Execution/Program.h"

#include "amp/Execution/Elements.h"
#include "amp/Support/Errors.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace mlir::amp;
using llvm::Expected;

Type Port::getElementType() const { return getElementTypeOrSelf(type); }

ArrayRef<int64_t> Port::getShape() const {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? tensor.getShape() : ArrayRef<int64_t>();
}

Expected<OwningOpRef<ModuleOp>>
mlir::amp::loadModule(StringRef path, llvm::SourceMgr &sourceMgr,
                      MLIRContext *context) {
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> file = openInputFile(path, &message);
  if (!file)
    return makeError(message);
  sourceMgr.AddNewSourceBuffer(std::move(file), llvm::SMLoc());
  context->allowUnregisteredDialects();
  OwningOpRef<ModuleOp> module =
      parseSourceFile<ModuleOp>(sourceMgr, ParserConfig(context));
  if (!module)
    return llvm::make_error<ToldError>();
  return module;
}

Expected<func::FuncOp> mlir::amp::findEntry(ModuleOp module, StringRef name) {
  SmallVector<func::FuncOp> candidates;
  std::string list;
  llvm::raw_string_ostream os(list);
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isDeclaration())
      continue;
    os << (list.empty() ? "" : ", ") << "'" << function.getName() << "'";
    if (function.isPublic())
      candidates.push_back(function);
    if (function.getName() == name)
      return function;
  }
  if (list.empty())
    return makeError("the module has no func.func with a body");
  if (!name.empty())
    return makeError("the module has no function '" + name +
                     "' with a body; it has " + list);
  if (candidates.size() == 1)
    return candidates.front();
  for (func::FuncOp function : candidates)
    if (function.getName() == "main")
      return function;
  return makeError("the module has " + Twine(candidates.size()) +
                   " public functions and none is called 'main'; choose one "
                   "with --entry: " +
                   list);
}

/// Checks that amp-run can pass values of `type`.
static llvm::Error checkType(StringRef kind, const Port &port) {
  if (isa<RankedTensorType>(port.type) || port.type.isIntOrIndexOrFloat()) {
    if (getNumpyType(port.getElementType()))
      return llvm::Error::success();
  }
  std::string text;
  llvm::raw_string_ostream(text) << port.type;
  return makeError(kind + " '" + port.name + "' has type " + text +
                   "; expected a ranked tensor, or a scalar, of f64, f32, f16, "
                   "bf16, an 8-bit float, i1, i8, i16, i32, i64 or index");
}

/// The ports of `types`; `getName` gives an empty string where there is none.
static Expected<SmallVector<Port>>
makePorts(StringRef kind, StringRef prefix, TypeRange types,
          llvm::function_ref<StringRef(unsigned)> getName) {
  SmallVector<Port> ports;
  llvm::StringSet<> names;
  for (auto [index, type] : llvm::enumerate(types)) {
    std::string name = getName(index).str();
    if (name.empty())
      name = (prefix + Twine(index)).str();
    if (!names.insert(name).second)
      return makeError("two " + kind + "s are called '" + name +
                       "'; give them distinct 'amp.name' attributes");
    ports.push_back({static_cast<unsigned>(index), name, type});
    if (llvm::Error error = checkType(kind, ports.back()))
      return std::move(error);
  }
  return ports;
}

Expected<SmallVector<Port>> mlir::amp::getArgumentPorts(func::FuncOp function) {
  return makePorts(
      "argument", "arg", function.getArgumentTypes(), [&](unsigned index) {
        if (auto name =
                function.getArgAttrOfType<StringAttr>(index, "amp.name"))
          return name.getValue();
        if (auto name = dyn_cast<NameLoc>(function.getArgument(index).getLoc()))
          return name.getName().getValue();
        return StringRef();
      });
}

Expected<SmallVector<Port>> mlir::amp::getResultPorts(func::FuncOp function) {
  return makePorts(
      "result", "result", function.getResultTypes(), [&](unsigned index) {
        auto name = function.getResultAttrOfType<StringAttr>(index, "amp.name");
        return name ? name.getValue() : StringRef();
      });
}
