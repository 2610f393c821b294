//===- ProductForm.h - what the op in amp.out_dtype computes ----*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One form for the ops of linalg, tosa, arith and ATen that amp.out_dtype
// holds: a loop nest in which two operands meet in one product or quotient,
// summed or not. The lowering and the gradient start from it.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_CONVERSION_AMPTOLINALG_PRODUCTFORM_H
#define AMP_CONVERSION_AMPTOLINALG_PRODUCTFORM_H

#include "amp/Dialect/AMP/IR/AMP.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/AffineMap.h"

namespace mlir::amp {

/// How the loops see one dimension of an operand: backwards or not, then with
/// `stride - 1` elements between each two, then with elements in front of it
/// and behind it, or without some of its own (negative numbers).
struct DimensionView {
  bool isTurned = false;
  int64_t stride = 1;
  int64_t low = 0, high = 0;

  bool isIdentity() const {
    return !isTurned && stride == 1 && low == 0 && high == 0;
  }
};

/// One operand of a product.
struct ProductOperand {
  /// A ranked tensor, or a scalar with a map without results; of the element
  /// type that the program gives it, signed and unsigned integers included.
  Value value;
  /// From the loops to the elements of the tensor as `view` shows it.
  AffineMap map;
  /// Integers are zero-extended.
  bool isUnsigned = false;
  /// Subtracted from each (integer) element.
  int64_t zeroPoint = 0;
  /// By dimension; empty where the tensor is seen as it is. Elements that it
  /// adds have the value `zeroPoint`.
  SmallVector<DimensionView> view;
  /// The value is a Python scalar: its width does not count.
  bool isWeak = false;

  /// The element type, with the signedness that `isUnsigned` says.
  Type getElementType() const;
  /// Whether dimension `dim` is seen as it is.
  bool isIdentity(unsigned dim) const {
    return view.empty() || view[dim].isIdentity();
  }
  /// The size of dimension `dim` of the view; dynamic where it is.
  int64_t getSize(unsigned dim) const;
};

/// What a product is emitted as, where that needs no zero point: the named op
/// of linalg that means the same. `Generic` for `linalg.generic`.
enum class ProductOpName {
  Generic,
  Matmul,
  BatchMatmul,
  Contract,
  Conv1D,
  Conv2D,
  Conv3D,
  Conv2DNhwcFhwc
};

/// result[r(i)] (+)= lhs[l(i)] op rhs[r(i)] (+ bias[b(i)]) over the loops i.
struct ProductForm {
  enum class Kind { Sum, Multiply, Divide };

  explicit ProductForm(Location loc, Kind kind = Kind::Sum)
      : loc(loc), kind(kind) {}

  Location loc;
  Kind kind;
  ProductOperand lhs, rhs;
  /// What a sum starts from; without a value, zero.
  ProductOperand bias;
  /// From the loops to the result.
  AffineMap map;
  SmallVector<utils::IteratorType> iterators;
  /// The shape of the result, and the element type that the op inside has.
  RankedTensorType natural;
  /// Integers divide as real numbers do.
  bool isTrueDivision = false;
  ProductOpName name = ProductOpName::Generic;
  SmallVector<int64_t> strides, dilations;

  /// Whether operands or result are floats, Python scalars included.
  bool isFloat() const;
  /// The type in which it accumulates, for a result of element type
  /// `requested`: see amp.out_dtype.
  Type getAccumulator(Type requested) const;
};

/// What readers of one op in an amp.out_dtype share.
class ProductReader {
protected:
  explicit ProductReader(OutDtypeOp op)
      : outer(op), op(op.getInnerOp()), b(op.getContext()) {}

  InFlightDiagnostic error() {
    return op->emitOpError() << "in amp.out_dtype: ";
  }
  AffineExpr loop(unsigned number) { return b.getAffineDimExpr(number); }
  AffineMap map(unsigned numLoops, ArrayRef<AffineExpr> results) {
    return AffineMap::get(numLoops, 0, results, b.getContext());
  }
  RankedTensorType natural() {
    return cast<RankedTensorType>(op->getResult(0).getType());
  }

  OutDtypeOp outer;
  Operation *op;
  Builder b;
};

/// The form of the ATen op in `op`, whose operands are captures of `op`.
/// Emits an error on the op inside where its operands, attributes or shapes do
/// not fit together.
FailureOr<ProductForm> getATenForm(OutDtypeOp op);

/// The same for an op of tosa.
FailureOr<ProductForm> getTosaForm(OutDtypeOp op);

/// The form of a linalg or elementwise arith op. Emits an error where the
/// payload is no product of two operands.
FailureOr<ProductForm> getLinalgForm(OutDtypeOp op);

/// The form of whatever is inside.
FailureOr<ProductForm> getProductForm(OutDtypeOp op);

/// The value of `form` in `accumulator`, before the rounding to the type that
/// is asked for: a named linalg op or a `linalg.generic`, on operands that are
/// widened nowhere but in its payload.
Value emitProduct(OpBuilder &b, const ProductForm &form, Type accumulator);

/// `value` with the dimensions `dims` backwards.
Value emitReverse(OpBuilder &b, Location loc, Value value,
                  ArrayRef<unsigned> dims);

/// The sizes of the view of `operand`.
SmallVector<OpFoldResult> getViewSizes(OpBuilder &b, Location loc,
                                       const ProductOperand &operand);

/// The tensor `operand` as its view shows it, its integers signless.
Value emitOperand(OpBuilder &b, Location loc, const ProductOperand &operand);

/// `element`, a payload's block argument that stands for an element of
/// `operand`, in `type`, with the zero point subtracted.
Value emitElement(OpBuilder &b, Location loc, const ProductOperand &operand,
                  Value element, Type type);

/// The sizes of the result.
SmallVector<OpFoldResult> getResultSizes(OpBuilder &b, const ProductForm &form);

/// The sizes of the loops; dynamic where they are.
SmallVector<int64_t> getLoopSizes(const ProductForm &form);

/// Checks that the static sizes of the operands agree with each other and with
/// the result's shape; where not, an error on `op` that names them.
LogicalResult verifyProductShapes(Operation *op, const ProductForm &form);

} // namespace mlir::amp

#endif // AMP_CONVERSION_AMPTOLINALG_PRODUCTFORM_H
