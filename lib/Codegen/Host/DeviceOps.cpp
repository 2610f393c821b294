//===- DeviceOps.cpp - runtime calls for what hosts do to devices ---------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceOps.h"

#include "amp/Codegen/Host/Utils.h"
#include "amp/Dialect/AMP/IR/AMP.h"
#include "amp/Dialect/AMP/IR/HostAttributes.h"
#include "amp/Dialect/AMP/IR/TensorMaps.h"
#include "amp/Runtime/CUDA.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::amp;
using namespace mlir::amp::host;

//===----------------------------------------------------------------------===//
// What there is to lower
//===----------------------------------------------------------------------===//

static bool isOnDevice(Value value) {
  auto type = dyn_cast<BaseMemRefType>(value.getType());
  return type && isDeviceMemory(type);
}

LogicalResult FunctionLowering::collect() {
  auto sort = [](auto op, auto &onDevice, auto &onHost, Value memref) {
    if (isOnDevice(memref))
      onDevice.push_back(op);
    else
      onHost.push_back(op);
    return success();
  };
  WalkResult result = function.walk([&](Operation *op) -> WalkResult {
    return llvm::TypeSwitch<Operation *, LogicalResult>(op)
        .Case<memref::AllocOp>([&](auto alloc) {
          return sort(alloc, deviceAllocs, hostAllocs, alloc.getResult());
        })
        .Case<memref::DeallocOp>([&](auto dealloc) {
          return sort(dealloc, deviceDeallocs, hostDeallocs,
                      dealloc.getMemref());
        })
        .Case<memref::LoadOp>([&](auto load) {
          if (isOnDevice(load.getMemRef()))
            loads.push_back(load);
          return success();
        })
        .Case<memref::StoreOp>([&](auto store) {
          if (isOnDevice(store.getMemRef()))
            stores.push_back(store);
          return success();
        })
        .Case<memref::CopyOp>([&](auto copy) {
          bool fromHost = !isOnDevice(copy.getSource()),
               toHost = !isOnDevice(copy.getTarget());
          if (!fromHost || !toHost)
            copies.push_back({copy, (fromHost ? AMP_CUDA_COPY_FROM_HOST : 0) |
                                        (toHost ? AMP_CUDA_COPY_TO_HOST : 0)});
          return success();
        })
        .Case<memref::GetGlobalOp>([&](auto global) {
          if (isOnDevice(global.getResult()))
            globals.push_back(global);
          return success();
        })
        .Case<memref::MemorySpaceCastOp>([&](auto cast) {
          spaceCasts.push_back(cast);
          return success();
        })
        .Case<::mlir::gpu::LaunchFuncOp>([&](auto launch) {
          launches.push_back(launch);
          return success();
        })
        .Case<cf::AssertOp>([&](auto check) {
          asserts.push_back(check);
          return success();
        })
        .Case<LaunchOp>([](auto launch) {
          return launch.emitOpError(
              "is not compiled; run amp-gpu-codegen first");
        })
        .Default([](Operation *other) -> LogicalResult {
          if (isa<DestinationStyleOpInterface>(other) &&
              llvm::any_of(other->getOperands(), isOnDevice))
            return other->emitOpError("works on device memory, which the host "
                                      "cannot do; expected a kernel: run "
                                      "amp-form-kernels first");
          for (Type type : llvm::concat<const Type>(
                   SmallVector<Type>(other->getOperandTypes()),
                   SmallVector<Type>(other->getResultTypes())))
            if (isa<TensorType>(type))
              return other->emitOpError("is on tensors; expected buffers: run "
                                        "amp-bufferize-host first");
          return success();
        });
  });
  return failure(result.wasInterrupted());
}

bool FunctionLowering::needsHost() const {
  return !loads.empty() || !stores.empty() ||
         llvm::any_of(copies, [](const Copy &copy) { return copy.flags != 0; });
}

void FunctionLowering::stripMemorySpaces() {
  AttrTypeReplacer replacer;
  replacer.addReplacement([](MemRefType type) -> Type {
    if (!isDeviceMemory(type))
      return type;
    return MemRefType::get(type.getShape(), type.getElementType(),
                           type.getLayout());
  });
  replacer.addReplacement([](UnrankedMemRefType type) -> Type {
    if (!isDeviceMemory(type))
      return type;
    return UnrankedMemRefType::get(type.getElementType(), Attribute());
  });
  replacer.recursivelyReplaceElementsIn(function, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
  for (memref::MemorySpaceCastOp cast : spaceCasts) {
    cast.replaceAllUsesWith(cast.getSource());
    cast.erase();
  }
  spaceCasts.clear();
}

void FunctionLowering::addCall() {
  FunctionType type = function.getFunctionType();
  SmallVector<Type> inputs = {module.pointer};
  llvm::append_range(inputs, type.getInputs());
  function.setAllArgAttrs(ArrayRef<DictionaryAttr>());
  function.setAllResultAttrs(ArrayRef<DictionaryAttr>());
  function.setFunctionType(
      FunctionType::get(function.getContext(), inputs, type.getResults()));
  function.getFunctionBody().front().insertArgument(0u, module.pointer,
                                                    function.getLoc());
  function.walk([&](func::CallOp call) { call->insertOperands(0, getCall()); });
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Value FunctionLowering::constant(OpBuilder &b, Location loc, Type type,
                                 int64_t value) {
  return LLVM::ConstantOp::create(b, loc, type, b.getIntegerAttr(type, value));
}

Value FunctionLowering::slot(Type type, int64_t count) {
  OpBuilder b = OpBuilder::atBlockBegin(&function.getFunctionBody().front());
  Location loc = function.getLoc();
  return LLVM::AllocaOp::create(b, loc, module.pointer, type,
                                constant(b, loc, module.i64, count),
                                /*alignment=*/16);
}

Value FunctionLowering::toWide(OpBuilder &b, Location loc, Value value) {
  if (value.getType() == module.i64)
    return value;
  if (value.getType().isIndex())
    return arith::IndexCastOp::create(b, loc, module.i64, value);
  return arith::ExtSIOp::create(b, loc, module.i64, value);
}

Value FunctionLowering::toStored(OpBuilder &b, Location loc, Value value) {
  // A bit takes a byte of memory.
  if (value.getType().isInteger(1))
    return arith::ExtUIOp::create(b, loc, b.getI8Type(), value);
  Type stored = module.types.convertType(value.getType());
  if (stored == value.getType())
    return value;
  return UnrealizedConversionCastOp::create(b, loc, stored, value).getResult(0);
}

Value FunctionLowering::fromStored(OpBuilder &b, Location loc, Type type,
                                   Value stored) {
  if (type.isInteger(1))
    return arith::TruncIOp::create(b, loc, type, stored);
  if (stored.getType() == type)
    return stored;
  return UnrealizedConversionCastOp::create(b, loc, type, stored).getResult(0);
}

Value FunctionLowering::getAddress(OpBuilder &b, Location loc, Value memref,
                                   ValueRange indices, bool isElement) {
  auto data = memref::ExtractStridedMetadataOp::create(b, loc, memref);
  Value offset = data.getOffset();
  if (isElement)
    for (auto [index, stride] : llvm::zip_equal(indices, data.getStrides()))
      offset = arith::AddIOp::create(
          b, loc, offset, arith::MulIOp::create(b, loc, index, stride));
  int64_t bytes =
      *getElementBytes(cast<MemRefType>(memref.getType()).getElementType());
  Value base = memref::ExtractAlignedPointerAsIndexOp::create(b, loc, memref);
  Value address = arith::AddIOp::create(
      b, loc, base,
      arith::MulIOp::create(b, loc, offset,
                            arith::ConstantIndexOp::create(b, loc, bytes)));
  return LLVM::IntToPtrOp::create(b, loc, module.pointer,
                                  toWide(b, loc, address));
}

Value FunctionLowering::makeBuffer(OpBuilder &b, Location loc, MemRefType type,
                                   Value address, ArrayRef<Value> sizes,
                                   ArrayRef<Value> strides) {
  auto descriptor =
      MemRefDescriptor::poison(b, loc, module.types.convertType(type));
  descriptor.setAllocatedPtr(b, loc, address);
  descriptor.setAlignedPtr(b, loc, address);
  descriptor.setOffset(b, loc, constant(b, loc, module.i64, 0));
  for (auto [dim, size] : llvm::enumerate(sizes))
    descriptor.setSize(b, loc, dim, size);
  for (auto [dim, stride] : llvm::enumerate(strides))
    descriptor.setStride(b, loc, dim, stride);
  return UnrealizedConversionCastOp::create(b, loc, type, Value(descriptor))
      .getResult(0);
}

Value FunctionLowering::makeArray(OpBuilder &b, Location loc, ValueRange values,
                                  Type type) {
  if (!type)
    type = module.i64;
  Value array = slot(type, std::max<int64_t>(1, values.size()));
  for (auto [i, value] : llvm::enumerate(values)) {
    Value place = LLVM::GEPOp::create(b, loc, module.pointer, type, array,
                                      LLVM::GEPArg(static_cast<int32_t>(i)));
    LLVM::StoreOp::create(
        b, loc, type == module.i64 ? toWide(b, loc, value) : value, place);
  }
  return array;
}

SmallVector<Value> FunctionLowering::getRowMajorStrides(OpBuilder &b,
                                                        Location loc,
                                                        ArrayRef<Value> sizes) {
  SmallVector<Value> strides(sizes.size());
  Value stride = constant(b, loc, module.i64, 1);
  for (int64_t d = static_cast<int64_t>(sizes.size()) - 1; d >= 0; --d) {
    strides[d] = stride;
    stride = arith::MulIOp::create(b, loc, stride, sizes[d]);
  }
  return strides;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

void FunctionLowering::lowerAlloc(memref::AllocOp op, StringRef callee) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  MemRefType type = op.getType();
  SmallVector<Value> sizes, strides;
  for (OpFoldResult size : op.getMixedSizes()) {
    std::optional<int64_t> known = getConstantIntValue(size);
    sizes.push_back(known ? constant(b, loc, module.i64, *known)
                          : toWide(b, loc, cast<Value>(size)));
  }
  Value count;
  if (type.getLayout().isIdentity()) {
    strides = getRowMajorStrides(b, loc, sizes);
    count = constant(b, loc, module.i64, 1);
    for (Value size : sizes)
      count = arith::MulIOp::create(b, loc, count, size);
  } else {
    auto layout = cast<StridedLayoutAttr>(type.getLayout());
    for (OpFoldResult stride :
         getMixedValues(layout.getStrides(), op.getSymbolOperands(), b)) {
      std::optional<int64_t> known = getConstantIntValue(stride);
      strides.push_back(known ? constant(b, loc, module.i64, *known)
                              : toWide(b, loc, cast<Value>(stride)));
    }
    count = arith::MulIOp::create(b, loc, sizes.front(), strides.front());
  }
  Value bytes = arith::MulIOp::create(
      b, loc, count,
      constant(b, loc, module.i64, *getElementBytes(type.getElementType())));
  Value address =
      module.call(b, loc, callee, module.pointer, {getCall(), bytes});
  op.replaceAllUsesWith(makeBuffer(b, loc, type, address, sizes, strides));
  op.erase();
}

void FunctionLowering::lowerResultAlloc(memref::AllocOp op, int32_t result) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  SmallVector<Value> sizes;
  for (OpFoldResult size : op.getMixedSizes()) {
    std::optional<int64_t> known = getConstantIntValue(size);
    sizes.push_back(known ? constant(b, loc, module.i64, *known)
                          : toWide(b, loc, cast<Value>(size)));
  }
  Value address = module.call(b, loc, "ampCudaResultData", module.pointer,
                              {getCall(), constant(b, loc, module.i32, result),
                               makeArray(b, loc, sizes)});
  op.replaceAllUsesWith(makeBuffer(b, loc, op.getType(), address, sizes,
                                   getRowMajorStrides(b, loc, sizes)));
  op.erase();
}

void FunctionLowering::lowerCopy(const Copy &copy) {
  memref::CopyOp op = copy.op;
  OpBuilder b(op);
  Location loc = op.getLoc();
  auto type = cast<MemRefType>(op.getSource().getType());
  auto source =
      memref::ExtractStridedMetadataOp::create(b, loc, op.getSource());
  auto target =
      memref::ExtractStridedMetadataOp::create(b, loc, op.getTarget());
  Value sizes = makeArray(b, loc, source.getSizes());
  module.call(
      b, loc, "ampCudaCopy", Type(),
      {getCall(),
       constant(b, loc, module.i64, *getElementBytes(type.getElementType())),
       constant(b, loc, module.i32, type.getRank()), sizes,
       getAddress(b, loc, op.getTarget(), {}, /*isElement=*/false),
       makeArray(b, loc, target.getStrides()),
       getAddress(b, loc, op.getSource(), {}, /*isElement=*/false),
       makeArray(b, loc, source.getStrides()),
       constant(b, loc, module.i32, copy.flags)});
  op.erase();
}

void FunctionLowering::lowerLoad(memref::LoadOp op) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  Type type = op.getType();
  int64_t bytes = *getElementBytes(type);
  Type stored =
      type.isInteger(1) ? b.getI8Type() : module.types.convertType(type);
  Value place = slot(stored);
  module.call(b, loc, "ampCudaRead", Type(),
              {getCall(), place,
               getAddress(b, loc, op.getMemRef(), op.getIndices(), true),
               constant(b, loc, module.i64, bytes)});
  Value value = LLVM::LoadOp::create(b, loc, stored, place);
  op.replaceAllUsesWith(fromStored(b, loc, type, value));
  op.erase();
}

void FunctionLowering::lowerStore(memref::StoreOp op) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  Value stored = toStored(b, loc, op.getValueToStore());
  Value place = slot(stored.getType());
  LLVM::StoreOp::create(b, loc, stored, place);
  module.call(b, loc, "ampCudaWrite", Type(),
              {getCall(),
               getAddress(b, loc, op.getMemRef(), op.getIndices(), true), place,
               constant(b, loc, module.i64,
                        *getElementBytes(op.getValueToStore().getType()))});
  op.erase();
}

LogicalResult FunctionLowering::lowerGlobal(memref::GetGlobalOp op) {
  auto global = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
      op, op.getNameAttr());
  FailureOr<int32_t> index = module.getConstant(global);
  if (failed(index))
    return failure();
  OpBuilder b(op);
  Location loc = op.getLoc();
  Value address =
      module.call(b, loc, "ampCudaConstant", module.pointer,
                  {getCall(), constant(b, loc, module.i32, *index)});
  auto type = cast<MemRefType>(op.getType());
  SmallVector<Value> sizes;
  for (int64_t size : type.getShape())
    sizes.push_back(constant(b, loc, module.i64, size));
  op.replaceAllUsesWith(makeBuffer(b, loc, type, address, sizes,
                                   getRowMajorStrides(b, loc, sizes)));
  op.erase();
  return success();
}

//===----------------------------------------------------------------------===//
// Launches and checks
//===----------------------------------------------------------------------===//

Value FunctionLowering::makeTensorMap(OpBuilder &b, Location loc, Value operand,
                                      const TensorMapSpec &spec) {
  auto type = cast<MemRefType>(operand.getType());
  MemRefDescriptor descriptor(
      UnrealizedConversionCastOp::create(b, loc, module.types.convertType(type),
                                         operand)
          .getResult(0));
  int64_t rank = type.getRank();
  int64_t bytes = type.getElementTypeBitWidth() / 8;
  Value scale = constant(b, loc, module.i64, bytes);
  auto inBytes = [&](Value elements) -> Value {
    return LLVM::MulOp::create(b, loc, elements, scale);
  };
  auto numbers = [&](ArrayRef<int64_t> values) {
    return makeArray(b, loc,
                     llvm::map_to_vector(values,
                                         [&](int64_t value) {
                                           return constant(b, loc, module.i32,
                                                           value);
                                         }),
                     module.i32);
  };
  // The innermost dimension comes first, and its stride is not asked for.
  SmallVector<Value> sizes, strides;
  for (int64_t d = rank - 1; d >= 0; --d)
    sizes.push_back(descriptor.size(b, loc, d));
  for (int64_t d = rank - 2; d >= 0; --d)
    strides.push_back(inBytes(descriptor.stride(b, loc, d)));
  SmallVector<int64_t> steps(spec.steps.begin(), spec.steps.end());
  if (steps.empty())
    steps.assign(rank, 1);
  Value base = LLVM::GEPOp::create(
      b, loc, module.pointer, b.getI8Type(), descriptor.alignedPtr(b, loc),
      ValueRange{inBytes(descriptor.offset(b, loc))});
  Value map = slot(LLVM::LLVMArrayType::get(b.getI8Type(), 128));
  SmallVector<Value> arguments = {
      getCall(),
      map,
      constant(b, loc, module.i32, *getTensorMapType(type.getElementType())),
      constant(b, loc, module.i32, rank),
      base,
      makeArray(b, loc, sizes),
      makeArray(b, loc, strides)};
  if (spec.isIm2col()) {
    arguments.push_back(numbers(spec.lower));
    arguments.push_back(numbers(spec.upper));
    for (int64_t size : spec.box)
      arguments.push_back(constant(b, loc, module.i32, size));
  } else {
    arguments.push_back(numbers(spec.box));
  }
  arguments.push_back(numbers(steps));
  for (int64_t code :
       {int64_t(0), spec.getSwizzleCode(), spec.getL2Code(), int64_t(0)})
    arguments.push_back(constant(b, loc, module.i32, code));
  module.call(b, loc,
              spec.isIm2col() ? "ampCudaTensorMapIm2col"
                              : "ampCudaTensorMapTiled",
              Type(), arguments);
  return map;
}

LogicalResult FunctionLowering::lowerLaunch(::mlir::gpu::LaunchFuncOp op) {
  if (op.getAsyncToken() || !op.getAsyncDependencies().empty() ||
      op.getAsyncObject())
    return op.emitOpError("has a token or a stream, but the runtime launches "
                          "in the order of the caller's stream; expected a "
                          "launch without");
  OpBuilder b(op);
  Location loc = op.getLoc();
  auto emitMapError = [&] {
    return op.emitOpError("attribute '") << kTensorMapsAttrName << "' ";
  };
  DenseMap<int64_t, TensorMapSpec> maps;
  if (auto attribute = op->getAttrOfType<ArrayAttr>(kTensorMapsAttrName))
    for (Attribute entry : attribute) {
      FailureOr<TensorMapSpec> spec = TensorMapSpec::get(entry, emitMapError);
      if (failed(spec))
        return failure();
      if (spec->operand >= int64_t(op.getNumKernelOperands()))
        return emitMapError() << "describes operand " << spec->operand << " of "
                              << op.getNumKernelOperands();
      maps[spec->operand] = *spec;
    }
  // Where each parameter lies, and its bytes.
  SmallVector<Value> places;
  SmallVector<uint32_t> paramBytes;
  DataLayout layout = DataLayout::closest(op);
  auto addParam = [&](Value param) {
    Value place = slot(param.getType());
    LLVM::StoreOp::create(b, loc, param, place);
    places.push_back(place);
    paramBytes.push_back(
        static_cast<uint32_t>(layout.getTypeSize(param.getType())));
  };
  for (auto [i, operand] : llvm::enumerate(op.getKernelOperands())) {
    if (auto map = maps.find(int64_t(i)); map != maps.end()) {
      if (failed(map->second.verify(operand.getType(), emitMapError)))
        return failure();
      places.push_back(makeTensorMap(b, loc, operand, map->second));
      paramBytes.push_back(128);
      continue;
    }
    if (auto type = dyn_cast<MemRefType>(operand.getType())) {
      Value descriptor = UnrealizedConversionCastOp::create(
                             b, loc, module.types.convertType(type), operand)
                             .getResult(0);
      SmallVector<Value> fields;
      MemRefDescriptor::unpack(b, loc, descriptor, type, fields);
      llvm::for_each(fields, addParam);
      continue;
    }
    if (!module.types.convertType(operand.getType()))
      return op.emitOpError("cannot pass an operand of type ")
             << operand.getType() << " to a kernel";
    addParam(toStored(b, loc, operand));
  }
  FailureOr<int32_t> kernel = module.getKernel(op, paramBytes);
  if (failed(kernel))
    return failure();

  Value pointers = slot(module.pointer, std::max<int64_t>(1, places.size()));
  for (auto [i, place] : llvm::enumerate(places)) {
    Value entry =
        LLVM::GEPOp::create(b, loc, module.pointer, module.pointer, pointers,
                            LLVM::GEPArg(static_cast<int32_t>(i)));
    LLVM::StoreOp::create(b, loc, place, entry);
  }
  SmallVector<Value> arguments = {getCall(),
                                  constant(b, loc, module.i32, *kernel)};
  auto addSizes = [&](::mlir::gpu::KernelDim3 sizes) {
    for (Value size : {sizes.x, sizes.y, sizes.z})
      arguments.push_back(toWide(b, loc, size));
  };
  addSizes(op.getGridSizeOperandValues());
  addSizes(op.getBlockSizeOperandValues());
  if (op.hasClusterSize())
    addSizes(op.getClusterSizeOperandValues());
  else
    arguments.append(3, constant(b, loc, module.i64, 0));
  arguments.push_back(op.getDynamicSharedMemorySize()
                          ? toWide(b, loc, op.getDynamicSharedMemorySize())
                          : constant(b, loc, module.i64, 0));
  arguments.push_back(pointers);
  uint32_t flags =
      op->hasAttr(kDependentAttrName) ? AMP_CUDA_LAUNCH_DEPENDENT : 0;
  if (auto blocks = op->getAttrOfType<IntegerAttr>(kPersistentAttrName))
    flags |= static_cast<uint32_t>(blocks.getInt())
             << AMP_CUDA_LAUNCH_PERSISTENT_SHIFT;
  arguments.push_back(constant(b, loc, module.i32, flags));
  module.call(b, loc, "ampCudaLaunch", Type(), arguments);
  op.erase();
  return success();
}

void FunctionLowering::lowerAssert(cf::AssertOp op) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  Value isTrue = arith::ConstantIntOp::create(b, loc, 1, 1);
  Value fails = arith::XOrIOp::create(b, loc, op.getArg(), isTrue);
  auto branch = scf::IfOp::create(b, loc, fails, /*withElseRegion=*/false);
  OpBuilder inside = branch.getThenBodyBuilder();
  module.call(inside, loc, "ampCudaCheckFailed", Type(),
              {getCall(), module.getText(inside, loc, op.getMsg())});
  op.erase();
}

LogicalResult FunctionLowering::lower() {
  for (memref::AllocOp op : deviceAllocs)
    lowerAlloc(op, "ampCudaAlloc");
  for (memref::AllocOp op : hostAllocs)
    lowerAlloc(op, "ampCudaHostAlloc");
  auto lowerDealloc = [&](memref::DeallocOp op, StringRef callee) {
    OpBuilder b(op);
    Location loc = op.getLoc();
    // The aligned pointer is the allocated one: makeBuffer sees to it.
    Value base =
        memref::ExtractAlignedPointerAsIndexOp::create(b, loc, op.getMemref());
    module.call(b, loc, callee, Type(),
                {getCall(), LLVM::IntToPtrOp::create(b, loc, module.pointer,
                                                     toWide(b, loc, base))});
    op.erase();
  };
  for (memref::DeallocOp op : deviceDeallocs)
    lowerDealloc(op, "ampCudaFree");
  for (memref::DeallocOp op : hostDeallocs)
    lowerDealloc(op, "ampCudaHostFree");
  for (const Copy &copy : copies)
    lowerCopy(copy);
  for (memref::LoadOp op : loads)
    lowerLoad(op);
  for (memref::StoreOp op : stores)
    lowerStore(op);
  for (cf::AssertOp op : asserts)
    lowerAssert(op);
  for (memref::GetGlobalOp op : globals)
    if (failed(lowerGlobal(op)))
      return failure();
  for (::mlir::gpu::LaunchFuncOp op : launches)
    if (failed(lowerLaunch(op)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

void FunctionLowering::lowerReturn(func::ReturnOp op) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  for (auto [i, value] : llvm::enumerate(op.getOperands())) {
    auto index = static_cast<int32_t>(i);
    auto type = dyn_cast<MemRefType>(value.getType());
    if (!type) {
      Value stored = toStored(b, loc, value);
      Value place = slot(stored.getType());
      LLVM::StoreOp::create(b, loc, stored, place);
      module.call(b, loc, "ampCudaResultScalar", Type(),
                  {getCall(), constant(b, loc, module.i32, index), place});
      continue;
    }
    // A buffer that only this return sees as a result is the result's place.
    auto alloc = value.getDefiningOp<memref::AllocOp>();
    if (alloc && type.getLayout().isIdentity() &&
        llvm::count(op.getOperands(), value) == 1 &&
        alloc->getBlock() == op->getBlock() &&
        llvm::is_contained(deviceAllocs, alloc)) {
      llvm::erase(deviceAllocs, alloc);
      lowerResultAlloc(alloc, index);
      continue;
    }
    auto data = memref::ExtractStridedMetadataOp::create(b, loc, value);
    SmallVector<Value> sizes;
    for (Value size : data.getSizes())
      sizes.push_back(toWide(b, loc, size));
    Value address = module.call(b, loc, "ampCudaResultData", module.pointer,
                                {getCall(), constant(b, loc, module.i32, index),
                                 makeArray(b, loc, sizes)});
    auto result = MemRefType::get(type.getShape(), type.getElementType());
    Value target = makeBuffer(b, loc, result, address, sizes,
                              getRowMajorStrides(b, loc, sizes));
    copies.push_back({memref::CopyOp::create(b, loc, value, target), 0});
  }
  func::ReturnOp::create(b, loc);
  op.erase();
}

LogicalResult FunctionLowering::makeEntry() {
  Block &block = function.getFunctionBody().front();
  OpBuilder b = OpBuilder::atBlockBegin(&block);
  for (unsigned i = 1, n = block.getNumArguments(); i < n; ++i) {
    BlockArgument argument = block.getArgument(i);
    Location loc = argument.getLoc();
    Value index = constant(b, loc, module.i32, i - 1);
    auto type = dyn_cast<MemRefType>(argument.getType());
    if (!type) {
      Type stored = argument.getType().isInteger(1)
                        ? b.getI8Type()
                        : module.types.convertType(argument.getType());
      Value place = module.call(b, loc, "ampCudaArgScalar", module.pointer,
                                {getCall(), index});
      Value value = LLVM::LoadOp::create(b, loc, stored, place);
      argument.replaceAllUsesWith(
          fromStored(b, loc, argument.getType(), value));
      continue;
    }
    Value address = module.call(b, loc, "ampCudaArgData", module.pointer,
                                {getCall(), index});
    SmallVector<Value> sizes;
    for (auto [dim, size] : llvm::enumerate(type.getShape()))
      sizes.push_back(ShapedType::isDynamic(size)
                          ? module.call(b, loc, "ampCudaArgDim", module.i64,
                                        {getCall(), index,
                                         constant(b, loc, module.i32, dim)})
                          : constant(b, loc, module.i64, size));
    argument.replaceAllUsesWith(makeBuffer(b, loc, type, address, sizes,
                                           getRowMajorStrides(b, loc, sizes)));
  }
  block.eraseArguments(1, block.getNumArguments() - 1);
  SmallVector<func::ReturnOp> returns;
  function.walk([&](func::ReturnOp op) { returns.push_back(op); });
  for (func::ReturnOp op : returns)
    lowerReturn(op);
  function.setFunctionType(
      FunctionType::get(function.getContext(), {module.pointer}, {}));
  return success();
}
