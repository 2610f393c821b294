//===- Image.cpp - the table of simulated kernels, and launches -----------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Simulator/Image.h"
#include "amp/Dialect/AMP/IR/HostAttributes.h"
#include "amp/Dialect/AMP/IR/TensorMaps.h"

#include "Kernel.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::sim;

namespace {
/// Builds a constant of struct or array type, field by field.
class ConstantBuilder {
public:
  ConstantBuilder(OpBuilder &builder, Location loc, Type type)
      : builder(builder), loc(loc),
        value(LLVM::PoisonOp::create(builder, loc, type)) {}

  void add(Value field) {
    value = LLVM::InsertValueOp::create(builder, loc, value, field, next++);
  }

  Value get() const { return value; }

private:
  OpBuilder &builder;
  Location loc;
  Value value;
  int64_t next = 0;
};
} // namespace

/// A constant whose value `body` builds.
static LLVM::GlobalOp createGlobal(Emitter &emitter, Location loc, Type type,
                                   StringRef name, LLVM::Linkage linkage,
                                   function_ref<Value(OpBuilder &)> body) {
  OpBuilder builder = OpBuilder::atBlockEnd(emitter.getModule().getBody());
  auto global = LLVM::GlobalOp::create(builder, loc, type, /*isConstant=*/true,
                                       linkage, name, Attribute());
  builder.createBlock(&global.getInitializer());
  LLVM::ReturnOp::create(builder, loc, body(builder));
  return global;
}

std::string mlir::amp::sim::createImage(Emitter &emitter, StringRef prefix,
                                        Location loc,
                                        MutableArrayRef<Kernel> kernels) {
  MLIRContext *context = loc.getContext();
  Type pointer = emitter.getPointer();
  Type word = IntegerType::get(context, 32),
       wide = IntegerType::get(context, 64),
       byte = IntegerType::get(context, 8);
  // The fields of ampSimKernel.
  auto kernelType = LLVM::LLVMStructType::getLiteral(
      context, {pointer, pointer, pointer, word, word, word, word});
  auto tableType = LLVM::LLVMArrayType::get(kernelType, kernels.size());

  SmallVector<LLVM::GlobalOp> sizes;
  for (Kernel &kernel : kernels) {
    // An empty array has no constant of its own.
    SmallVector<uint32_t> bytes = kernel.paramBytes;
    if (bytes.empty())
      bytes.push_back(0);
    auto type = LLVM::LLVMArrayType::get(word, bytes.size());
    sizes.push_back(createGlobal(
        emitter, loc, type, (prefix + "." + kernel.name + ".params").str(),
        LLVM::Linkage::Internal, [&](OpBuilder &builder) -> Value {
          return LLVM::ConstantOp::create(
              builder, loc, type,
              DenseElementsAttr::get(
                  RankedTensorType::get({int64_t(bytes.size())}, word),
                  llvm::ArrayRef(bytes)));
        }));
  }
  LLVM::GlobalOp table = createGlobal(
      emitter, loc, tableType, (prefix + ".kernels").str(),
      LLVM::Linkage::Internal, [&](OpBuilder &builder) -> Value {
        ConstantBuilder entries(builder, loc, tableType);
        for (auto [kernel, paramBytes] : llvm::zip_equal(kernels, sizes)) {
          ConstantBuilder entry(builder, loc, kernelType);
          entry.add(emitter.string(builder, loc, kernel.name));
          entry.add(
              LLVM::AddressOfOp::create(builder, loc, pointer, kernel.symbol));
          entry.add(LLVM::AddressOfOp::create(builder, loc, paramBytes));
          for (uint32_t field :
               {uint32_t(kernel.paramBytes.size()), kernel.staticSharedBytes,
                uint32_t(kernel.isCollective ? AMP_SIM_COLLECTIVE : 0),
                kernel.maxThreads})
            entry.add(emitter.integer(builder, loc, field));
          entries.add(entry.get());
        }
        return entries.get();
      });

  auto magicType = LLVM::LLVMArrayType::get(byte, 8);
  auto imageType =
      LLVM::LLVMStructType::getLiteral(context, {magicType, wide, pointer});
  std::string name = (prefix + ".image").str();
  createGlobal(
      emitter, loc, imageType, name, LLVM::Linkage::External,
      [&](OpBuilder &builder) -> Value {
        ConstantBuilder image(builder, loc, imageType);
        image.add(LLVM::ConstantOp::create(
            builder, loc, magicType,
            builder.getStringAttr(AMP_SIM_IMAGE_MAGIC)));
        image.add(emitter.integer(builder, loc, int64_t(kernels.size()), 64));
        image.add(LLVM::AddressOfOp::create(builder, loc, table));
        return image.get();
      });
  return name;
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// The tensor map of an operand: the address of its 128 bytes.
static Value makeTensorMap(Emitter &emitter, OpBuilder &builder,
                           gpu::LaunchFuncOp launch, Value operand,
                           const TensorMapSpec &spec) {
  Location loc = launch.getLoc();
  auto type = cast<MemRefType>(operand.getType());
  MemRefDescriptor descriptor(emitter.toDescriptor(builder, loc, operand));
  int64_t rank = type.getRank();
  Value bytes =
      emitter.integer(builder, loc, type.getElementTypeBitWidth() / 8, 64);
  auto inBytes = [&](Value elements) -> Value {
    return LLVM::MulOp::create(builder, loc, elements, bytes);
  };
  SmallVector<Value> numbers;
  auto add = [&](int64_t value) {
    numbers.push_back(emitter.integer(builder, loc, value, 64));
  };
  for (int64_t d = rank - 1; d >= 0; --d) {
    numbers.push_back(descriptor.size(builder, loc, d));
    numbers.push_back(inBytes(descriptor.stride(builder, loc, d)));
    add(spec.steps.empty() ? 1 : spec.steps[rank - 1 - d]);
  }
  for (int64_t size : spec.box)
    add(size);
  for (auto [lower, upper] : llvm::zip_equal(spec.lower, spec.upper)) {
    add(lower);
    add(upper);
  }
  Value base = LLVM::GEPOp::create(
      builder, loc, emitter.getPointer(), builder.getI8Type(),
      descriptor.alignedPtr(builder, loc),
      ValueRange{inBytes(descriptor.offset(builder, loc))});
  Value map = emitter.slot(builder, loc, builder.getI8Type(), 128);
  emitter.call(
      builder, loc, "ampSimTensorMapOf", Type(),
      {map, emitter.site(builder, launch),
       emitter.integer(builder, loc, *getTensorMapType(type.getElementType())),
       emitter.integer(builder, loc, rank),
       emitter.integer(builder, loc, spec.getSwizzleCode()),
       emitter.integer(builder, loc, spec.isIm2col()), base},
      ValueRange(numbers));
  return map;
}

LogicalResult mlir::amp::sim::lowerLaunch(Emitter &emitter,
                                          gpu::LaunchFuncOp launch,
                                          Value kernelEntry) {
  if (launch.getAsyncToken() || !launch.getAsyncDependencies().empty() ||
      launch.getAsyncObject())
    return launch.emitError()
           << "the simulator has no asynchronous launches: expected no token "
              "and no stream";
  OpBuilder builder(launch);
  Location loc = launch.getLoc();
  auto emitMapError = [&] {
    return launch.emitError() << "attribute '" << kTensorMapsAttrName << "' ";
  };
  DenseMap<int64_t, TensorMapSpec> maps;
  if (auto attribute = launch->getAttrOfType<ArrayAttr>(kTensorMapsAttrName))
    for (Attribute entry : attribute) {
      FailureOr<TensorMapSpec> spec = TensorMapSpec::get(entry, emitMapError);
      if (failed(spec))
        return failure();
      maps[spec->operand] = *spec;
    }
  // Where each parameter lies.
  SmallVector<Value> places;
  auto addParam = [&](Value param) {
    Value slot = emitter.slot(builder, loc, param.getType(), 1);
    LLVM::StoreOp::create(builder, loc, param, slot);
    places.push_back(slot);
  };
  for (auto [i, operand] : llvm::enumerate(launch.getKernelOperands())) {
    Type type = operand.getType();
    if (auto map = maps.find(int64_t(i)); map != maps.end()) {
      if (failed(map->second.verify(type, emitMapError)))
        return failure();
      places.push_back(
          makeTensorMap(emitter, builder, launch, operand, map->second));
    } else if (auto memref = dyn_cast<MemRefType>(type)) {
      SmallVector<Value> fields;
      MemRefDescriptor::unpack(builder, loc,
                               emitter.toDescriptor(builder, loc, operand),
                               memref, fields);
      llvm::for_each(fields, addParam);
    } else if (type.isIndex()) {
      addParam(emitter.toInteger(builder, loc, operand));
    } else if (type.isInteger(1)) {
      addParam(
          arith::ExtUIOp::create(builder, loc, builder.getI8Type(), operand));
    } else if (type.isIntOrFloat() && type.getIntOrFloatBitWidth() % 8 == 0) {
      // Narrow floats are no types of LLVM.
      Type integer = builder.getIntegerType(type.getIntOrFloatBitWidth());
      addParam(type == integer
                   ? operand
                   : arith::BitcastOp::create(builder, loc, integer, operand));
    } else {
      return launch.emitError()
             << "the simulator cannot pass an operand of type " << type;
    }
  }
  Value pointers = emitter.slot(builder, loc, emitter.getPointer(),
                                std::max<int64_t>(1, int64_t(places.size())));
  for (auto [i, place] : llvm::enumerate(places))
    LLVM::StoreOp::create(
        builder, loc, place,
        emitter.advance(builder, loc, pointers, int64_t(i) * 8));
  SmallVector<Value> arguments = {kernelEntry, emitter.site(builder, launch)};
  auto addDimensions = [&](gpu::KernelDim3 size) {
    for (Value extent : {size.x, size.y, size.z}) {
      if (extent.getType().isIndex())
        extent = emitter.toInteger(builder, loc, extent);
      else if (extent.getType().isInteger(32))
        extent =
            LLVM::SExtOp::create(builder, loc, builder.getI64Type(), extent);
      arguments.push_back(extent);
    }
  };
  addDimensions(launch.getGridSizeOperandValues());
  addDimensions(launch.getBlockSizeOperandValues());
  if (launch.hasClusterSize())
    addDimensions(launch.getClusterSizeOperandValues());
  else
    arguments.append(3, emitter.integer(builder, loc, 1, 64));
  if (auto blocks = launch->getAttrOfType<IntegerAttr>(kPersistentAttrName)) {
    Value &gridX = arguments[2];
    gridX =
        emitter.call(builder, loc, "ampSimPersistentGrid", builder.getI64Type(),
                     {gridX, arguments[8],
                      emitter.integer(builder, loc, blocks.getInt(), 64)});
  }
  arguments.push_back(launch.getDynamicSharedMemorySize()
                          ? Value(launch.getDynamicSharedMemorySize())
                          : emitter.integer(builder, loc, 0));
  arguments.push_back(pointers);
  emitter.call(builder, loc, "ampSimLaunch", Type(), arguments);
  launch.erase();
  return success();
}
