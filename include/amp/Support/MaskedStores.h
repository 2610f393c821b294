//===- MaskedStores.h - masked stores that LLVM 22.1 gets wrong -*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_SUPPORT_MASKEDSTORES_H
#define AMP_SUPPORT_MASKEDSTORES_H

namespace llvm {
class Module;
} // namespace llvm

namespace mlir::amp {

/// Makes scalar stores of the masked stores of integers below 32 bits in
/// `module` whose mask is constant with one lane set. For AVX-512, LLVM 22.1
/// stores 32 bits where such integers are truncated from as many (llvm-project
/// issue 179489). For modules that are optimized, as masks become constant by
/// that; those that already are `amp-cpu-retype-vectors` sees to.
void storeLoneLanes(llvm::Module &module);

} // namespace mlir::amp

#endif // AMP_SUPPORT_MASKEDSTORES_H
