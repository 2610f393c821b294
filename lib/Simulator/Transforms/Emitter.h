//===- Emitter.h - calls of the simulation runtime --------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_SIMULATOR_TRANSFORMS_EMITTER_H
#define AMP_LIB_SIMULATOR_TRANSFORMS_EMITTER_H

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::amp::sim {

/// Writes what kernels and launches need of the LLVM dialect: strings, calls of
/// the runtime, descriptors of memrefs. Globals and declarations go to
/// `module`.
class Emitter {
public:
  /// `prefix` begins the names of globals.
  Emitter(ModuleOp module, StringRef prefix);

  ModuleOp getModule() { return module; }
  const LLVMTypeConverter &getTypeConverter() { return converter; }
  LLVM::LLVMPointerType getPointer() { return pointer; }

  /// The address of a constant zero-terminated string; equal strings share one.
  Value string(OpBuilder &builder, Location loc, StringRef text);
  /// The address of the text that names the op and its place in the source.
  Value site(OpBuilder &builder, Operation *op);
  /// An integer of `bits` bits.
  Value integer(OpBuilder &builder, Location loc, int64_t value,
                unsigned bits = 32);

  /// Calls a function of the runtime, declaring it on first use. `variadic` are
  /// the arguments behind the `...` of its prototype.
  Value call(OpBuilder &builder, Location loc, StringRef name, Type result,
             ValueRange arguments,
             std::optional<ValueRange> variadic = std::nullopt);

  /// `count` elements of `type` on the stack of the function that the builder
  /// is in, made at its entry.
  Value slot(OpBuilder &builder, Location loc, Type type, int64_t count);
  /// The address `bytes` bytes behind `base`.
  Value advance(OpBuilder &builder, Location loc, Value base, int64_t bytes);

  /// The descriptor struct of a memref value, and back.
  Value toDescriptor(OpBuilder &builder, Location loc, Value memref);
  Value fromDescriptor(OpBuilder &builder, Location loc, Value descriptor,
                       MemRefType type);
  /// A memref of static shape and identity layout at `address`.
  Value makeMemref(OpBuilder &builder, Location loc, MemRefType type,
                   Value address);
  /// An index as i64.
  Value toInteger(OpBuilder &builder, Location loc, Value index);

private:
  ModuleOp module;
  std::string prefix;
  LLVMTypeConverter converter;
  LLVM::LLVMPointerType pointer;
  llvm::StringMap<LLVM::GlobalOp> strings;
};

/// `'op' at file:line:column`.
std::string describe(Operation *op);

} // namespace mlir::amp::sim

#endif // AMP_LIB_SIMULATOR_TRANSFORMS_EMITTER_H
