//===- LegalTypes.h - the element types of a target -------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_DIALECT_AMP_TRANSFORMS_LEGALTYPES_H
#define AMP_LIB_DIALECT_AMP_TRANSFORMS_LEGALTYPES_H

#include "amp/Interfaces/PrecisionOpInterface.h"

#include "mlir/IR/BuiltinTypes.h"

#include <map>
#include <string>

namespace mlir::amp {

/// Which float types ops of each class may have.
class LegalTypes {
public:
  /// The types of a target: `cpu`, `sim` (as the newest device), or a CUDA
  /// architecture such as `sm_90a`. On failure `error` says what is expected.
  static FailureOr<LegalTypes> getTarget(StringRef target, MLIRContext *context,
                                         std::string &error);

  /// From text: `contraction:f16,bf16;elementwise:f32`.
  static FailureOr<LegalTypes> parse(StringRef text, MLIRContext *context,
                                     std::string &error);

  /// Whether ops of `precisionClass` may have element type `type`.
  bool isLegal(PrecisionClass precisionClass, Type type) const;

  /// The narrowest legal type that holds every value of `type` and has at
  /// least `precision` significant bits; null if there is none.
  Type getHolder(PrecisionClass precisionClass, Type type,
                 unsigned precision) const;

  /// The legal types of a class, narrowest first, for messages.
  ArrayRef<Type> getTypes(PrecisionClass precisionClass) const;

private:
  LogicalResult add(StringRef classes, StringRef types, MLIRContext *context,
                    std::string &error);

  /// Sorted by width. A class that is not here takes every type.
  std::map<PrecisionClass, SmallVector<Type>> rows;
};

} // namespace mlir::amp

#endif // AMP_LIB_DIALECT_AMP_TRANSFORMS_LEGALTYPES_H
