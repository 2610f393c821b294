//===- Kernel.cpp - from gpu.func to a function of one thread -------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernel.h"

#include "amp/Dialect/AMP/IR/TensorMaps.h"
#include "amp/Simulator/Image.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/MathExtras.h"

#include <cstddef>

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::sim;

/// Reads the arguments from the launch's parameters.
namespace {
class ParameterReader {
public:
  ParameterReader(Emitter &emitter, OpBuilder &builder, Value params,
                  Kernel &kernel)
      : emitter(emitter), builder(builder), params(params), kernel(kernel) {}

  /// Null, with an error, for a type that no parameter can have.
  Value read(Location loc, Type type);
  /// The address of a tensor map in place of `argument`. Fails at uses other
  /// than casts.
  LogicalResult readTensorMap(BlockArgument argument);

private:
  Value readField(Location loc, Type type, uint32_t bytes);
  void registerMemref(Location loc, MemRefType type,
                      MemRefDescriptor &descriptor, unsigned number);

  Emitter &emitter;
  OpBuilder &builder;
  Value params;
  Kernel &kernel;
  unsigned numRead = 0;
};
} // namespace

/// The bytes that one element of a memref takes; 0 where it is not a number of
/// bytes.
static uint32_t getScalarBytes(Type type) {
  if (type.isIndex())
    return 8;
  unsigned bits = type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 0;
  return bits == 1 ? 1 : bits % 8 ? 0 : bits / 8;
}

Value ParameterReader::readField(Location loc, Type type, uint32_t bytes) {
  Value slot = emitter.advance(builder, loc, params,
                               int64_t(kernel.paramBytes.size()) * 8);
  kernel.paramBytes.push_back(bytes);
  Value address =
      LLVM::LoadOp::create(builder, loc, emitter.getPointer(), slot);
  return LLVM::LoadOp::create(builder, loc, type, address);
}

/// Tells the simulator where the argument lies.
void ParameterReader::registerMemref(Location loc, MemRefType type,
                                     MemRefDescriptor &descriptor,
                                     unsigned number) {
  SmallVector<Value> dimensions;
  for (int64_t d = 0; d < type.getRank(); ++d) {
    dimensions.push_back(descriptor.size(builder, loc, d));
    dimensions.push_back(descriptor.stride(builder, loc, d));
  }
  std::string text = "argument " + std::to_string(number);
  emitter.call(
      builder, loc, "ampSimMemrefArgument", Type(),
      {kernel.thread, emitter.string(builder, loc, text),
       emitter.integer(builder, loc, getScalarBytes(type.getElementType())),
       descriptor.alignedPtr(builder, loc), descriptor.offset(builder, loc),
       emitter.integer(builder, loc, type.getRank())},
      ValueRange(dimensions));
}

Value ParameterReader::read(Location loc, Type type) {
  unsigned number = numRead++;
  if (auto memref = dyn_cast<MemRefType>(type)) {
    Type converted = emitter.getTypeConverter().convertType(memref);
    if (!converted || !memref.isStrided() ||
        !getScalarBytes(memref.getElementType())) {
      emitError(loc) << "the simulator cannot pass an argument of type " << type
                     << ": expected a strided memref of elements of whole "
                        "bytes";
      return Value();
    }
    SmallVector<Value> fields;
    for (unsigned i = 0; i < 2; ++i)
      fields.push_back(readField(loc, emitter.getPointer(), 8));
    for (int64_t i = 0; i < 1 + 2 * memref.getRank(); ++i)
      fields.push_back(readField(loc, builder.getI64Type(), 8));
    Value packed = MemRefDescriptor::pack(
        builder, loc, emitter.getTypeConverter(), memref, fields);
    MemRefDescriptor descriptor(packed);
    registerMemref(loc, memref, descriptor, number);
    return emitter.fromDescriptor(builder, loc, packed, memref);
  }
  uint32_t bytes = getScalarBytes(type);
  if (type.isIndex()) {
    Value value = readField(loc, builder.getI64Type(), bytes);
    return arith::IndexCastOp::create(builder, loc, type, value);
  }
  if (type.isInteger(1)) {
    Value value = readField(loc, builder.getI8Type(), bytes);
    return arith::TruncIOp::create(builder, loc, type, value);
  }
  if (!bytes) {
    emitError(loc) << "the simulator cannot pass an argument of type " << type
                   << ": expected a memref, an integer, a float or an index";
    return Value();
  }
  // Narrow floats are no types of LLVM.
  Type integer = builder.getIntegerType(bytes * 8);
  Value value = readField(loc, integer, bytes);
  if (type == integer)
    return value;
  return arith::BitcastOp::create(builder, loc, type, value);
}

LogicalResult ParameterReader::readTensorMap(BlockArgument argument) {
  unsigned number = numRead++;
  Location loc = argument.getLoc();
  Value slot = emitter.advance(builder, loc, params,
                               int64_t(kernel.paramBytes.size()) * 8);
  kernel.paramBytes.push_back(128);
  Value address =
      LLVM::LoadOp::create(builder, loc, emitter.getPointer(), slot);
  emitter.call(
      builder, loc, "ampSimTensorMapArgument", Type(),
      {kernel.thread,
       emitter.string(builder, loc, "argument " + std::to_string(number)),
       address});
  for (Operation *user : llvm::make_early_inc_range(argument.getUsers())) {
    if (!isa<UnrealizedConversionCastOp>(user) || user->getNumResults() != 1 ||
        user->getResult(0).getType() != address.getType())
      return user->emitError()
             << "uses the tensor map that is argument " << number
             << "; expected only casts to " << address.getType();
    user->getResult(0).replaceAllUsesWith(address);
    llvm::erase(kernel.ops, user);
    user->erase();
  }
  return success();
}

void mlir::amp::sim::dropMemorySpaces(Operation *root) {
  AttrTypeReplacer replacer;
  replacer.addReplacement([](MemRefType type) -> std::optional<Type> {
    if (!type.getMemorySpace())
      return std::nullopt;
    return MemRefType::get(type.getShape(), type.getElementType(),
                           type.getLayout());
  });
  replacer.addReplacement([](LLVM::LLVMPointerType type) -> Type {
    return LLVM::LLVMPointerType::get(type.getContext());
  });
  replacer.recursivelyReplaceElementsIn(root, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
  // Casts between spaces are nothing now.
  SmallVector<Operation *> casts;
  root->walk([&](Operation *op) {
    if (isa<memref::MemorySpaceCastOp, LLVM::AddrSpaceCastOp>(op))
      casts.push_back(op);
  });
  for (Operation *op : casts) {
    op->replaceAllUsesWith(op->getOperands());
    op->erase();
  }
}

/// Where the launch-wide facts of the attribute lie: the most threads of a
/// block.
static uint32_t getMaxThreads(gpu::GPUFuncOp source) {
  auto size = source.getKnownBlockSize();
  if (!size)
    return 0;
  uint32_t threads = 1;
  for (int32_t extent : *size)
    threads *= uint32_t(extent);
  return threads;
}

/// A variable in shared memory, behind those that the kernel has already.
static FailureOr<Value> createShared(Emitter &emitter, OpBuilder &builder,
                                     Kernel &kernel, Location loc,
                                     MemRefType type, IntegerAttr align) {
  uint32_t elementBytes = getScalarBytes(type.getElementType());
  if (!type.hasStaticShape() || !type.getLayout().isIdentity() ||
      !elementBytes) {
    emitError(loc) << "the simulator cannot place a workgroup attribution of "
                      "type "
                   << type
                   << ": expected a static shape, the identity layout, and "
                      "elements of whole bytes";
    return failure();
  }
  uint32_t alignment =
      std::max<uint32_t>(16, align ? uint32_t(align.getInt()) : 1);
  uint32_t offset = llvm::alignTo(kernel.staticSharedBytes, alignment);
  kernel.staticSharedBytes =
      offset + uint32_t(type.getNumElements()) * elementBytes;
  Value field = emitter.advance(builder, loc, kernel.thread,
                                offsetof(ampSimThread, shared));
  Value base = LLVM::LoadOp::create(builder, loc, emitter.getPointer(), field);
  return emitter.makeMemref(builder, loc, type,
                            emitter.advance(builder, loc, base, offset));
}

FailureOr<Kernel> mlir::amp::sim::createKernel(Emitter &emitter,
                                               gpu::GPUFuncOp source) {
  Location loc = source.getLoc();
  Kernel kernel;
  kernel.name = source.getName().str();
  kernel.maxThreads = getMaxThreads(source);
  if (auto blocks = source->getAttrOfType<IntegerAttr>("nvvm.minctasm"))
    kernel.minBlocks = uint32_t(blocks.getInt());
  dropMemorySpaces(source);

  OpBuilder builder = OpBuilder::atBlockEnd(emitter.getModule().getBody());
  Type pointer = emitter.getPointer();
  auto parent = source->getParentOfType<gpu::GPUModuleOp>();
  kernel.function = func::FuncOp::create(
      builder, loc, (parent.getName() + "." + source.getName()).str(),
      builder.getFunctionType({pointer, pointer}, {}));
  kernel.symbol = kernel.function.getName().str();
  kernel.function->setAttr(
      "llvm.linkage",
      LLVM::LinkageAttr::get(builder.getContext(), LLVM::Linkage::Internal));

  unsigned numArguments = source.getFunctionType().getNumInputs();
  unsigned numShared = source.getNumWorkgroupAttributions();
  SmallVector<unsigned> tensorMaps;
  for (unsigned i = 0; i < numArguments; ++i)
    if (source.getArgAttr(i, kTensorMapAttrName))
      tensorMaps.push_back(i);
  kernel.function.getBody().takeBody(source.getBody());
  kernel.function.getBody().walk(
      [&](Operation *op) { kernel.ops.push_back(op); });
  Block &entry = kernel.function.getBody().front();
  entry.insertArgument(0u, pointer, loc);
  entry.insertArgument(1u, pointer, loc);
  kernel.thread = entry.getArgument(0);

  builder.setInsertionPointToStart(&entry);
  ParameterReader reader(emitter, builder, entry.getArgument(1), kernel);
  for (unsigned i = 2, e = entry.getNumArguments(); i < e; ++i) {
    BlockArgument argument = entry.getArgument(i);
    Value value;
    if (llvm::is_contained(tensorMaps, i - 2)) {
      if (failed(reader.readTensorMap(argument)))
        return failure();
      continue;
    }
    if (i - 2 < numArguments) {
      value = reader.read(argument.getLoc(), argument.getType());
    } else if (i - 2 < numArguments + numShared) {
      auto align =
          dyn_cast_or_null<IntegerAttr>(source.getWorkgroupAttributionAttr(
              int(i - 2 - numArguments),
              LLVM::LLVMDialect::getAlignAttrName()));
      FailureOr<Value> variable =
          createShared(emitter, builder, kernel, argument.getLoc(),
                       cast<MemRefType>(argument.getType()), align);
      if (succeeded(variable))
        value = *variable;
    } else {
      value = memref::AllocaOp::create(builder, argument.getLoc(),
                                       cast<MemRefType>(argument.getType()));
    }
    if (!value)
      return failure();
    argument.replaceAllUsesWith(value);
  }
  entry.eraseArguments(2, entry.getNumArguments() - 2);
  return kernel;
}
