//===- Emitter.cpp - calls of the simulation runtime ----------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/FunctionCallUtils.h"

using namespace mlir;
using namespace mlir::amp::sim;

Emitter::Emitter(ModuleOp module, StringRef prefix)
    : module(module), prefix(prefix), converter(module.getContext()),
      pointer(LLVM::LLVMPointerType::get(module.getContext())) {}

std::string mlir::amp::sim::describe(Operation *op) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << "'" << op->getName() << "' at ";
  if (auto place = op->getLoc()->findInstanceOf<FileLineColLoc>())
    stream << place.getFilename().getValue() << ":" << place.getLine() << ":"
           << place.getColumn();
  else
    stream << op->getLoc();
  return text;
}

Value Emitter::string(OpBuilder &builder, Location loc, StringRef text) {
  LLVM::GlobalOp &global = strings[text];
  if (!global) {
    OpBuilder atEnd = OpBuilder::atBlockEnd(module.getBody());
    std::string value = text.str();
    value.push_back('\0');
    global = LLVM::GlobalOp::create(
        atEnd, loc, LLVM::LLVMArrayType::get(builder.getI8Type(), value.size()),
        /*isConstant=*/true, LLVM::Linkage::Internal,
        (prefix + ".text." + Twine(strings.size())).str(),
        builder.getStringAttr(value));
  }
  return LLVM::AddressOfOp::create(builder, loc, global);
}

Value Emitter::site(OpBuilder &builder, Operation *op) {
  return string(builder, op->getLoc(), describe(op));
}

Value Emitter::integer(OpBuilder &builder, Location loc, int64_t value,
                       unsigned bits) {
  Type type = builder.getIntegerType(bits);
  return LLVM::ConstantOp::create(builder, loc, type,
                                  builder.getIntegerAttr(type, value));
}

Value Emitter::call(OpBuilder &builder, Location loc, StringRef name,
                    Type result, ValueRange arguments,
                    std::optional<ValueRange> variadic) {
  if (!result)
    result = LLVM::LLVMVoidType::get(builder.getContext());
  auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(name);
  if (!function) {
    // Pointers into shared memory are plain pointers here.
    SmallVector<Type> types =
        llvm::map_to_vector(arguments.getTypes(), [&](Type type) -> Type {
          return isa<LLVM::LLVMPointerType>(type) ? pointer : type;
        });
    OpBuilder atEnd = OpBuilder::atBlockEnd(module.getBody());
    function = LLVM::LLVMFuncOp::create(
        atEnd, module.getLoc(), name,
        LLVM::LLVMFunctionType::get(result, types, variadic.has_value()));
  }
  SmallVector<Value> all(arguments);
  if (variadic)
    llvm::append_range(all, *variadic);
  auto call = LLVM::CallOp::create(builder, loc, function, all);
  return call.getNumResults() ? call.getResult() : Value();
}

Value Emitter::slot(OpBuilder &builder, Location loc, Type type,
                    int64_t count) {
  OpBuilder::InsertionGuard guard(builder);
  auto function = builder.getInsertionBlock()
                      ->getParentOp()
                      ->getParentOfType<FunctionOpInterface>();
  if (!function)
    function =
        cast<FunctionOpInterface>(builder.getInsertionBlock()->getParentOp());
  builder.setInsertionPointToStart(&function.getFunctionBody().front());
  Value size = integer(builder, loc, count);
  return LLVM::AllocaOp::create(builder, loc, pointer, type, size,
                                /*alignment=*/16);
}

Value Emitter::advance(OpBuilder &builder, Location loc, Value base,
                       int64_t bytes) {
  if (!bytes)
    return base;
  return LLVM::GEPOp::create(builder, loc, pointer, builder.getI8Type(), base,
                             ArrayRef<LLVM::GEPArg>{int32_t(bytes)});
}

Value Emitter::toDescriptor(OpBuilder &builder, Location loc, Value memref) {
  return UnrealizedConversionCastOp::create(
             builder, loc, converter.convertType(memref.getType()), memref)
      .getResult(0);
}

Value Emitter::fromDescriptor(OpBuilder &builder, Location loc,
                              Value descriptor, MemRefType type) {
  return UnrealizedConversionCastOp::create(builder, loc, type, descriptor)
      .getResult(0);
}

Value Emitter::makeMemref(OpBuilder &builder, Location loc, MemRefType type,
                          Value address) {
  Value descriptor =
      MemRefDescriptor::fromStaticShape(builder, loc, converter, type, address);
  return fromDescriptor(builder, loc, descriptor, type);
}

Value Emitter::toInteger(OpBuilder &builder, Location loc, Value index) {
  return arith::IndexCastOp::create(builder, loc, builder.getI64Type(), index);
}
