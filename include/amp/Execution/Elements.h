//===- Elements.h - elements of arrays, by MLIR type ------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// The bridge between MLIR's element types and those of NumPy's files: which
// file holds which type, and what number a bit pattern stands for.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_EXECUTION_ELEMENTS_H
#define AMP_EXECUTION_ELEMENTS_H

#include "amp/Support/NumpyFile.h"
#include "mlir/IR/BuiltinTypes.h"
#include <optional>
#include <random>

namespace mlir::amp {

/// The type of file that elements of `type` are written as: bf16 as bfloat16,
/// the 8-bit floats as 8-bit floats without a name, `i8` and `si8` as int8,
/// `ui8` as uint8, `i1` as bool, index as int64. Nothing for other types.
std::optional<NumpyType> getNumpyType(Type type);

/// The ampDtype (amp/Runtime/Model.h) of an element type that getNumpyType
/// knows.
int32_t getRuntimeDtype(Type type);

/// Whether the elements of a file of type `found` are elements of `type` bit by
/// bit: signless integers may come as signed or unsigned ones.
bool holdsElements(NumpyType found, Type type);

/// The numbers in `array`, whose elements are of `type` (as holdsElements
/// says). Exact, except that 64-bit integers round to nearest.
std::vector<double> toDoubles(const NumpyArray &array, Type type);

/// The elements of `array` as those of `type`: floats round to nearest even,
/// and pass the largest number as infinities do; a number that an integer or
/// boolean type does not hold exactly is an error that names the number and its
/// place. An array of unnamed 8-bit floats converts only to an 8-bit type.
llvm::Expected<NumpyArray> convertElements(const NumpyArray &array, Type type);

/// An array of elements of `type` with numbers that depend on `seed` and on
/// nothing else: floats are normal (mean 0, deviation 1), rounded to nearest
/// even; i1 is 0 or 1; wider integers are uniform from -8 to 7, unsigned ones
/// from 0 to 15.
llvm::Expected<NumpyArray> makeRandomArray(Type type, ArrayRef<int64_t> shape,
                                           uint64_t seed);

/// The distance between `value`, rounded toward zero to a number of `type`, and
/// the next number of larger magnitude: one unit in the last place. 1 for
/// integers. `value` must be finite.
double getUlp(double value, Type type);

} // namespace mlir::amp

#endif // AMP_EXECUTION_ELEMENTS_H
