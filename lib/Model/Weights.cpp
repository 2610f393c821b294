//===- Weights.cpp - arguments that become constants ----------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Model/Weights.h"

#include "amp/Execution/Elements.h"
#include "amp/Support/Errors.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/BitVector.h"

using namespace mlir;
using namespace mlir::amp;

/// The elements of `array` as an attribute of `type`, a tensor.
static DenseElementsAttr makeElements(const NumpyArray &array,
                                      RankedTensorType type) {
  auto tensor = RankedTensorType::get(array.getShape(), type.getElementType());
  if (!type.getElementType().isInteger(1))
    return DenseElementsAttr::getFromRawBuffer(tensor, array.getData());
  // Bits, where the file has bytes.
  SmallVector<bool> bits;
  for (char byte : array.getData())
    bits.push_back(byte != 0);
  return DenseElementsAttr::get(tensor, bits);
}

/// The constant of `type` with the value of `array`.
static Value makeConstant(OpBuilder &b, Location loc, Type type,
                          const NumpyArray &array) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  DenseElementsAttr elements =
      makeElements(array, tensor ? tensor : RankedTensorType::get({}, type));
  if (!tensor)
    return arith::ConstantOp::create(
        b, loc, cast<TypedAttr>(elements.getValues<Attribute>()[0]));
  Value constant = arith::ConstantOp::create(b, loc, elements);
  if (constant.getType() == type)
    return constant;
  // The body may rely on the dynamic type.
  return tensor::CastOp::create(b, loc, type, constant);
}

llvm::Error
mlir::amp::bindWeights(func::FuncOp function,
                       std::vector<std::optional<NumpyArray>> values) {
  assert(values.size() == function.getNumArguments() && "one per argument");
  llvm::BitVector bound(values.size());
  for (auto [i, value] : llvm::enumerate(values))
    bound[i] = value.has_value();
  if (bound.none())
    return llvm::Error::success();

  auto module = function->getParentOfType<ModuleOp>();
  if (auto uses = SymbolTable::getSymbolUses(function, module);
      uses && !uses->empty()) {
    auto caller =
        uses->begin()->getUser()->getParentOfType<FunctionOpInterface>();
    return makeError("'" + function.getName() + "' cannot hold weights: " +
                     (caller ? "'" + caller.getName() + "' calls it"
                             : Twine("the module refers to it")) +
                     "; bind the weights of the caller instead");
  }
  OpBuilder b(&function.getBody().front(), function.getBody().front().begin());
  for (unsigned i : bound.set_bits()) {
    BlockArgument argument = function.getArgument(i);
    argument.replaceAllUsesWith(
        makeConstant(b, argument.getLoc(), argument.getType(), *values[i]));
    values[i].reset();
  }
  if (failed(function.eraseArguments(bound)))
    return makeError("the arguments of '" + function.getName() +
                     "' could not be removed");
  return llvm::Error::success();
}
