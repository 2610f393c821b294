//===- SelectInstructions.h - instructions LLVM does not find ---*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CODEGEN_CPU_SELECTINSTRUCTIONS_H
#define AMP_LIB_CODEGEN_CPU_SELECTINSTRUCTIONS_H

#include "amp/Codegen/CPU/Target.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::amp::cpu {

/// Moves vectors of elements of 8 and 16 bits that may reach past the end of a
/// row in masked words, where no instruction masks smaller elements. Returns
/// how many.
unsigned movePartsInWords(FunctionOpInterface function,
                          const CPUTarget &target);

} // namespace mlir::amp::cpu

#endif // AMP_LIB_CODEGEN_CPU_SELECTINSTRUCTIONS_H
