//===- Schedule.cpp - how a kernel function becomes device code -----------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/GPU/Schedule.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::amp;

::mlir::gpu::GPUFuncOp
amp::gpu::createDeviceFunction(::mlir::gpu::GPUModuleOp module, Location loc,
                               StringRef name, TypeRange types,
                               unsigned threads) {
  OpBuilder b = OpBuilder::atBlockEnd(module.getBody());
  auto type = b.getFunctionType(types, {});
  auto function = ::mlir::gpu::GPUFuncOp::create(b, loc, name, type);
  function->setAttr(::mlir::gpu::GPUDialect::getKernelFuncAttrName(),
                    b.getUnitAttr());
  function.setKnownBlockSizeAttr(
      b.getDenseI32ArrayAttr({static_cast<int32_t>(threads), 1, 1}));
  b.setInsertionPointToEnd(&function.getBody().front());
  ::mlir::gpu::ReturnOp::create(b, loc);
  return function;
}

::mlir::gpu::LaunchFuncOp
amp::gpu::createLaunch(OpBuilder &b, Location loc,
                       ::mlir::gpu::GPUFuncOp function, ValueRange grid,
                       ValueRange operands, unsigned sharedBytes) {
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  SmallVector<Value> sizes(grid);
  while (sizes.size() < 3)
    sizes.push_back(constant(1));
  ArrayRef<int32_t> block = *function.getKnownBlockSize();
  Value shared =
      sharedBytes
          ? arith::ConstantIntOp::create(b, loc, b.getI32Type(), sharedBytes)
          : Value();
  return ::mlir::gpu::LaunchFuncOp::create(
      b, loc, function, {sizes[0], sizes[1], sizes[2]},
      {constant(block[0]), constant(block[1]), constant(block[2])}, shared,
      operands);
}
