//===- ModelUtils.h - building blocks of interface models -------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the models of several dialects share. A model is a class template over
// the op, one per behaviour, that `attach` puts on a list of ops.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_INTERFACES_MODELS_MODELUTILS_H
#define AMP_LIB_INTERFACES_MODELS_MODELUTILS_H

#include "amp/Interfaces/PrecisionOpInterface.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"

namespace mlir::amp {

/// Bytes that `op` reads and writes if it reads no more elements than it gives
/// as its first result: 0 for a scalar, which stays in a register. Nothing
/// where an extent is dynamic.
std::optional<int64_t> getSubsetReadBytes(Operation *op);

/// Attaches `Model<Op>` to each of `Ops`, whose dialect must be loaded.
template <template <typename> class Model, typename... Ops>
void attach(MLIRContext *context) {
  (Ops::template attachInterface<Model<Ops>>(*context), ...);
}

/// Base of the models of one class; `Concrete` is the model itself.
template <typename Concrete, typename Op, PrecisionClass Class>
struct ModelBase : PrecisionOpInterface::ExternalModel<Concrete, Op> {
  PrecisionClass getPrecisionClass(Operation *) const { return Class; }
};

/// Ops of `Class` that the defaults of the interface describe.
template <PrecisionClass Class>
struct ClassModel {
  template <typename Op>
  struct Of : ModelBase<Of<Op>, Op, Class> {};
};

/// Ops that keep the types the program gives them: floats are pinned, and there
/// is nothing to retype.
template <typename Op>
struct PinnedModel : ModelBase<PinnedModel<Op>, Op, PrecisionClass::Pinned> {
  OperandRole getOperandRole(Operation *op, unsigned operand) const {
    return getFloatElementType(op->getOperand(operand).getType())
               ? OperandRole::Pinned
               : OperandRole::Ignored;
  }
  Type getRetypedResult(Operation *op, const PrecisionTypes &,
                        unsigned result) const {
    return getFloatElementType(op->getResult(result).getType());
  }
  LogicalResult retype(Operation *, RewriterBase &,
                       const PrecisionTypes &) const {
    return success();
  }
};

/// Ops that ask for the shapes of their operands only.
template <typename Op>
struct ShapeQueryModel
    : ModelBase<ShapeQueryModel<Op>, Op, PrecisionClass::Pinned> {
  OperandRole getOperandRole(Operation *, unsigned) const {
    return OperandRole::Ignored;
  }
  LogicalResult retype(Operation *, RewriterBase &,
                       const PrecisionTypes &) const {
    return success();
  }
  std::optional<int64_t> getNumBytes(Operation *) const { return 0; }
};

/// Elementwise ops that do `PerElement` floating-point operations for each
/// element of the result.
template <int64_t PerElement>
struct ArithmeticModel {
  template <typename Op>
  struct Of : ModelBase<Of<Op>, Op, PrecisionClass::Elementwise> {
    std::optional<int64_t> getNumFlops(Operation *op) const;
  };
};

/// Ops that move elements and read only those that they give.
template <typename Op>
struct SubsetReadModel
    : ModelBase<SubsetReadModel<Op>, Op, PrecisionClass::DataMovement> {
  std::optional<int64_t> getNumBytes(Operation *op) const {
    return getSubsetReadBytes(op);
  }
};

/// Ops whose first attribute is their value, with a result of the same type.
/// Float elements are rounded to nearest even. A value that is not in the IR
/// (a resource) stays as it is, and the caller casts the result.
template <typename Op>
struct ConstantModel
    : ModelBase<ConstantModel<Op>, Op, PrecisionClass::Generator> {
  Type getRetypedResult(Operation *op, const PrecisionTypes &types,
                        unsigned result) const;
  LogicalResult retype(Operation *op, RewriterBase &rewriter,
                       const PrecisionTypes &types) const;
};

/// The number of elements of `type`: 1 for a scalar. Nothing where an extent is
/// dynamic.
std::optional<int64_t> getNumElements(Type type);

/// Whether `convertFloatElements` can convert `value`: a float, or a dense
/// array of floats.
bool isConvertibleFloatValue(Attribute value);

/// `value` with its elements converted to `elementType`, rounded to nearest
/// even; beyond the range they become infinities, as with amp.cast. `value`
/// must satisfy `isConvertibleFloatValue`.
TypedAttr convertFloatElements(Attribute value, Type elementType);

/// `value` in element type `elementType`: itself, or an amp.cast (of origin
/// policy, and may_elide) at the insertion point of `rewriter`.
Value castToElementType(RewriterBase &rewriter, Location loc, Value value,
                        Type elementType);

/// Casts operand number `index` of the terminator of each block of `op` to
/// `elementType`, where it has another one.
void castYieldedValues(RewriterBase &rewriter, Operation *op, unsigned index,
                       Type elementType);

//===----------------------------------------------------------------------===//
// Implementation
//===----------------------------------------------------------------------===//

template <int64_t PerElement>
template <typename Op>
std::optional<int64_t>
ArithmeticModel<PerElement>::Of<Op>::getNumFlops(Operation *op) const {
  std::optional<int64_t> elements = getNumElements(op->getResult(0).getType());
  return elements ? std::optional(*elements * PerElement) : std::nullopt;
}

template <typename Op>
Type ConstantModel<Op>::getRetypedResult(Operation *op,
                                         const PrecisionTypes &types,
                                         unsigned result) const {
  if (isConvertibleFloatValue(op->getAttr(Op::getAttributeNames().front())))
    return types.results[result];
  return getFloatElementType(op->getResult(result).getType());
}

template <typename Op>
LogicalResult ConstantModel<Op>::retype(Operation *op, RewriterBase &rewriter,
                                        const PrecisionTypes &types) const {
  StringRef name = Op::getAttributeNames().front();
  Attribute value = op->getAttr(name);
  if (!types.results[0] || !isConvertibleFloatValue(value))
    return success();
  TypedAttr converted = convertFloatElements(value, types.results[0]);
  rewriter.modifyOpInPlace(op, [&] {
    op->setAttr(name, converted);
    op->getResult(0).setType(converted.getType());
  });
  return success();
}

} // namespace mlir::amp

#endif // AMP_LIB_INTERFACES_MODELS_MODELUTILS_H
