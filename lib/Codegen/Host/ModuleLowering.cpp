//===- ModuleLowering.cpp - what host functions of a module share ---------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceOps.h"
#include "amp/Codegen/Host/Utils.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::host;

ModuleLowering::ModuleLowering(ModuleOp module)
    : module(module), types(module.getContext()) {
  MLIRContext *context = module.getContext();
  pointer = LLVM::LLVMPointerType::get(context);
  i32 = IntegerType::get(context, 32);
  i64 = IntegerType::get(context, 64);
}

Value ModuleLowering::call(OpBuilder &b, Location loc, StringRef name,
                           Type result, ValueRange arguments) {
  auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(name);
  if (!function) {
    OpBuilder atStart = OpBuilder::atBlockBegin(module.getBody());
    Type returned =
        result ? result : LLVM::LLVMVoidType::get(module.getContext());
    SmallVector<Type> argumentTypes(arguments.getTypes());
    function = LLVM::LLVMFuncOp::create(
        atStart, module.getLoc(), name,
        LLVM::LLVMFunctionType::get(returned, argumentTypes));
  }
  auto op = LLVM::CallOp::create(b, loc, function, arguments);
  return result ? op.getResult() : Value();
}

LogicalResult ModuleLowering::collectImages(StringRef target) {
  model.target = target.str();
  for (Operation &op : *module.getBody()) {
    if (auto device = dyn_cast<::mlir::gpu::GPUModuleOp>(op))
      return device.emitOpError()
             << "is not compiled; expected a gpu.binary: run "
                "amp-lower-gpu-to-nvvm or amp-gpu-simulate first";
    auto binary = dyn_cast<::mlir::gpu::BinaryOp>(op);
    if (!binary)
      continue;
    if (binary.getObjects().size() != 1)
      return binary.emitOpError("expected one object, but found ")
             << binary.getObjects().size();
    auto object = cast<::mlir::gpu::ObjectAttr>(binary.getObjects()[0]);
    ImageDesc image;
    // The name of a global: a string, so that nobody renames it.
    StringAttr table;
    if (DictionaryAttr properties = object.getProperties())
      table = properties.getAs<StringAttr>("simulator_image");
    if (table)
      image.symbol = table.str();
    else if (object.getFormat() == ::mlir::gpu::CompilationTarget::Offload)
      return binary.emitOpError(
          "holds code for no CUDA device: expected PTX, a "
          "cubin or a fatbin");
    else
      image.bytes = object.getObject();
    images[binary.getName()] = static_cast<int32_t>(model.images.size());
    model.images.push_back(image);
    taken.push_back(binary);
  }
  return success();
}

/// "file:line:column" of the innermost file location in `loc`, or its text.
static std::string toText(Location loc) {
  std::string text;
  llvm::raw_string_ostream os(text);
  WalkResult found = loc->walk([&](Location part) {
    auto file = dyn_cast<FileLineColLoc>(part);
    if (!file)
      return WalkResult::advance();
    os << file.getFilename().getValue() << ':' << file.getLine() << ':'
       << file.getColumn();
    return WalkResult::interrupt();
  });
  if (!found.wasInterrupted())
    os << "unknown location";
  return text;
}

FailureOr<int32_t> ModuleLowering::getKernel(::mlir::gpu::LaunchFuncOp launch,
                                             ArrayRef<uint32_t> paramBytes) {
  std::string device = launch.getKernelModuleName().str(),
              name = launch.getKernelName().str();
  auto image = images.find(device);
  if (image == images.end())
    return launch.emitOpError("expected a gpu.binary '")
           << device << "' with the kernel, but there is none";
  auto [known, isNew] = kernels.try_emplace(
      {device, name}, static_cast<int32_t>(model.kernels.size()));
  if (!isNew) {
    if (ArrayRef<uint32_t>(model.kernels[known->second].paramBytes) !=
        paramBytes)
      return launch.emitOpError("passes other parameters to '")
             << name << "' than the launch before";
    return known->second;
  }
  KernelDesc kernel;
  kernel.name = name;
  kernel.location = toText(launch.getLoc());
  kernel.image = image->second;
  kernel.paramBytes.assign(paramBytes.begin(), paramBytes.end());
  model.kernels.push_back(std::move(kernel));
  return known->second;
}

/// The elements as bits: what memory holds, also of types that LLVM lacks.
static FailureOr<DenseElementsAttr> toBits(memref::GlobalOp global) {
  auto value = dyn_cast_or_null<ElementsAttr>(
      global.getInitialValue().value_or(Attribute()));
  auto dense = dyn_cast_or_null<DenseElementsAttr>(value);
  if (auto resource = dyn_cast_or_null<DenseResourceElementsAttr>(value)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    if (!blob)
      return global.emitOpError("has no data: its resource is missing");
    dense = DenseElementsAttr::getFromRawBuffer(resource.getType(),
                                                blob->getData());
  }
  if (!dense)
    return global.emitOpError(
        "is in device memory, but has no constant elements");
  Type element = dense.getElementType();
  if (isa<FloatType>(element))
    dense = dense.bitcast(
        IntegerType::get(global.getContext(), element.getIntOrFloatBitWidth()));
  return dense;
}

FailureOr<int32_t> ModuleLowering::getConstant(memref::GlobalOp global) {
  auto [known, isNew] = constants.try_emplace(
      global, static_cast<int32_t>(model.constants.size()));
  if (!isNew)
    return known->second;
  FailureOr<DenseElementsAttr> bits = toBits(global);
  if (failed(bits))
    return failure();
  std::optional<int64_t> elementBytes = getElementBytes(bits->getElementType());
  if (!elementBytes || isa<ComplexType>(bits->getElementType()))
    return global.emitOpError("has elements that the runtime cannot copy: ")
           << bits->getElementType();
  Type element = bits->getElementType();
  if (isa<IndexType>(element))
    element = i64;
  // One array: nested ones make LLVM slow, and memory has no rank.
  int64_t count = bits->getNumElements();
  auto flatType = RankedTensorType::get({count}, bits->getElementType());
  OpBuilder b(global);
  std::string name = (global.getSymName() + ".data").str();
  auto data = LLVM::GlobalOp::create(
      b, global.getLoc(), LLVM::LLVMArrayType::get(element, count),
      /*isConstant=*/true, LLVM::Linkage::Internal, name,
      bits->reshape(flatType));
  data.setAlignment(64);
  model.constants.push_back(
      {name, static_cast<uint64_t>(count * *elementBytes)});
  taken.push_back(global);
  return known->second;
}

Value ModuleLowering::getText(OpBuilder &b, Location loc, StringRef text) {
  std::string name =
      model.name + "_model.message." + std::to_string(numTexts++);
  OpBuilder atEnd = OpBuilder::atBlockEnd(module.getBody());
  std::string value = text.str() + '\0';
  LLVM::GlobalOp::create(
      atEnd, loc,
      LLVM::LLVMArrayType::get(IntegerType::get(module.getContext(), 8),
                               value.size()),
      /*isConstant=*/true, LLVM::Linkage::Internal, name,
      b.getStringAttr(value));
  return LLVM::AddressOfOp::create(b, loc, pointer, name);
}

void ModuleLowering::eraseTaken() {
  for (Operation *op : taken)
    op->erase();
  taken.clear();
  module->removeAttr(::mlir::gpu::GPUDialect::getContainerModuleAttrName());
}
