//===- TypeList.h - the element types that tests go over --------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_UNITTESTS_FORMATS_TYPELIST_H
#define AMP_UNITTESTS_FORMATS_TYPELIST_H

#include "mlir/IR/BuiltinTypes.h"

#include <vector>

namespace mlir::amp::test {

/// All float types that amp stores.
inline std::vector<FloatType> getFloatTypes(MLIRContext *context) {
  return {Float8E4M3FNType::get(context),   Float8E5M2Type::get(context),
          Float8E4M3Type::get(context),     Float8E4M3FNUZType::get(context),
          Float8E5M2FNUZType::get(context), Float8E4M3B11FNUZType::get(context),
          Float8E3M4Type::get(context),     Float8E8M0FNUType::get(context),
          Float16Type::get(context),        BFloat16Type::get(context),
          Float32Type::get(context),        Float64Type::get(context)};
}

/// Bit patterns of `type`: all of up to 16 bits; of wider types those around
/// the edges of the format, 0, 1 and both signs.
inline std::vector<uint64_t> getBitPatterns(FloatType type) {
  unsigned width = type.getWidth();
  std::vector<uint64_t> patterns;
  if (width <= 16) {
    for (uint64_t bits = 0; bits < (uint64_t(1) << width); ++bits)
      patterns.push_back(bits);
    return patterns;
  }
  const llvm::fltSemantics &sem = type.getFloatSemantics();
  for (bool negative : {false, true})
    for (const llvm::APFloat &edge :
         {llvm::APFloat::getZero(sem, negative),
          llvm::APFloat::getSmallest(sem, negative),
          llvm::APFloat::getSmallestNormalized(sem, negative),
          llvm::APFloat::getOne(sem, negative),
          llvm::APFloat::getLargest(sem, negative),
          llvm::APFloat::getInf(sem, negative)}) {
      uint64_t bits = edge.bitcastToAPInt().getZExtValue();
      uint64_t sign = bits & (uint64_t(1) << (width - 1));
      for (int64_t delta : {-2, -1, 0, 1, 2})
        if (int64_t(bits - sign) + delta >= 0)
          patterns.push_back(bits + delta);
    }
  return patterns;
}

} // namespace mlir::amp::test

#endif // AMP_UNITTESTS_FORMATS_TYPELIST_H
