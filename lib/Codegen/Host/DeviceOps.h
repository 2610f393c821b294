//===- DeviceOps.h - runtime calls for what hosts do to devices -*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CODEGEN_HOST_DEVICEOPS_H
#define AMP_LIB_CODEGEN_HOST_DEVICEOPS_H

#include "ModelDescription.h"

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/MapVector.h"

#include <map>

namespace mlir::amp {
struct TensorMapSpec;
}

namespace mlir::amp::host {

/// What the lowering of a module shares: the runtime's functions, and the
/// tables of the model.
class ModuleLowering {
public:
  explicit ModuleLowering(ModuleOp module);

  /// A call of the runtime's function `name`; null where it returns nothing.
  Value call(OpBuilder &b, Location loc, StringRef name, Type result,
             ValueRange arguments);

  /// Notes the images of the module. Fails at device code that is not compiled.
  LogicalResult collectImages(StringRef target);
  /// The number of the kernel that `launch` runs; notes its parameters.
  FailureOr<int32_t> getKernel(::mlir::gpu::LaunchFuncOp launch,
                               ArrayRef<uint32_t> paramBytes);
  /// The number of the constant that `global` holds.
  FailureOr<int32_t> getConstant(memref::GlobalOp global);
  /// The text of a message, as a global: its address.
  Value getText(OpBuilder &b, Location loc, StringRef text);
  /// Erases what has been taken over into the model.
  void eraseTaken();

  ModuleOp module;
  LLVMTypeConverter types;
  Type pointer, i32, i64;
  ModelDesc model;

private:
  llvm::StringMap<int32_t> images;
  std::map<std::pair<std::string, std::string>, int32_t> kernels;
  DenseMap<Operation *, int32_t> constants;
  SmallVector<Operation *> taken;
  unsigned numTexts = 0;
};

/// The lowering of what one host function does. Which memory a buffer is in is
/// told by its type, which loses the memory space on the way: collect() looks
/// before, lower() works after.
class FunctionLowering {
public:
  FunctionLowering(ModuleLowering &module, func::FuncOp function)
      : module(module), function(function) {}

  /// Finds the ops to lower. Fails at ops that hosts cannot do.
  LogicalResult collect();
  /// Makes types lose the memory space of the device.
  void stripMemorySpaces();
  /// Gives the function the pointer to the call as its first argument.
  void addCall();
  /// Lowers what was found.
  LogicalResult lower();

  /// Makes an entry of the function: arguments and results through the runtime.
  /// After addCall().
  LogicalResult makeEntry();

  /// Whether the function needs the host as the device works.
  bool needsHost() const;
  /// Device memory that is neither a result nor freed with the call is of
  /// unknown size: the number of allocations that remain.
  unsigned getNumAllocations() const { return deviceAllocs.size(); }

  func::FuncOp getFunction() const { return function; }

private:
  struct Copy {
    memref::CopyOp op;
    int64_t flags;
  };

  Value getCall() { return function.getArgument(0); }
  /// A slot on the stack, at the start of the function.
  Value slot(Type type, int64_t count = 1);
  Value constant(OpBuilder &b, Location loc, Type type, int64_t value);
  /// `value` as i64.
  Value toWide(OpBuilder &b, Location loc, Value value);
  /// `value` as what LLVM stores for its type.
  Value toStored(OpBuilder &b, Location loc, Value value);
  /// The value of type `type` that `stored` is.
  Value fromStored(OpBuilder &b, Location loc, Type type, Value stored);
  /// The address of an element, or with no index of the first one.
  Value getAddress(OpBuilder &b, Location loc, Value memref, ValueRange indices,
                   bool isElement);
  /// A buffer at `address`. `sizes` and `strides` are i64.
  Value makeBuffer(OpBuilder &b, Location loc, MemRefType type, Value address,
                   ArrayRef<Value> sizes, ArrayRef<Value> strides);
  /// An array on the stack, of `type`, or i64.
  Value makeArray(OpBuilder &b, Location loc, ValueRange values,
                  Type type = Type());
  /// Sizes of a buffer as i64, and row-major strides without gaps.
  SmallVector<Value> getRowMajorStrides(OpBuilder &b, Location loc,
                                        ArrayRef<Value> sizes);

  void lowerAlloc(memref::AllocOp op, StringRef callee);
  void lowerResultAlloc(memref::AllocOp op, int32_t result);
  void lowerCopy(const Copy &copy);
  void lowerLoad(memref::LoadOp op);
  void lowerStore(memref::StoreOp op);
  void lowerAssert(cf::AssertOp op);
  LogicalResult lowerGlobal(memref::GetGlobalOp op);
  LogicalResult lowerLaunch(::mlir::gpu::LaunchFuncOp op);
  /// The tensor map of a kernel operand: the address of its 128 bytes.
  Value makeTensorMap(OpBuilder &b, Location loc, Value operand,
                      const TensorMapSpec &spec);
  void lowerReturn(func::ReturnOp op);

  ModuleLowering &module;
  func::FuncOp function;
  SmallVector<memref::AllocOp> deviceAllocs, hostAllocs;
  SmallVector<memref::DeallocOp> deviceDeallocs, hostDeallocs;
  SmallVector<memref::LoadOp> loads;
  SmallVector<memref::StoreOp> stores;
  SmallVector<Copy> copies;
  SmallVector<memref::GetGlobalOp> globals;
  SmallVector<::mlir::gpu::LaunchFuncOp> launches;
  SmallVector<cf::AssertOp> asserts;
  SmallVector<memref::MemorySpaceCastOp> spaceCasts;
};

} // namespace mlir::amp::host

#endif // AMP_LIB_CODEGEN_HOST_DEVICEOPS_H
