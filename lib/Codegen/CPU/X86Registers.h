//===- X86Registers.h - vectors in registers of x86 -------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CODEGEN_CPU_X86REGISTERS_H
#define AMP_LIB_CODEGEN_CPU_X86REGISTERS_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::amp::cpu {

/// f32 of a register of AVX-512, and of one of AVX2.
inline constexpr int64_t kLanes = 16, kShortLanes = 8;

/// Whether `type` is a vector of f32 whose rows are whole registers of `lanes`.
bool isRegisters(Type type, int64_t lanes = kLanes);

Value callIntrinsic(ImplicitLocOpBuilder &b, StringRef name, Type result,
                    ValueRange operands);

Value getI32(ImplicitLocOpBuilder &b, int32_t value);

/// The mask of all lanes of a register.
Value getAllLanes(ImplicitLocOpBuilder &b);

/// What is left of `x`, a register, above or beside a number with `bits` bits
/// after the point, zero of infinity: vreduceps. `rounding`: 0 takes the
/// nearest such number, 1 the next one below.
Value emitReduce(ImplicitLocOpBuilder &b, Value x, int32_t bits,
                 int32_t rounding);

using MapFunction = llvm::function_ref<Value(ValueRange)>;

/// The vector of type `result` whose parts of `lanes` elements along the last
/// dimension are `map` of those of `operands`, all of one shape.
Value mapParts(ImplicitLocOpBuilder &b, VectorType result, ValueRange operands,
               int64_t lanes, MapFunction map);

} // namespace mlir::amp::cpu

#endif // AMP_LIB_CODEGEN_CPU_X86REGISTERS_H
