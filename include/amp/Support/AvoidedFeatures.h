//===- AvoidedFeatures.h - what slows code of LLVM down ---------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_SUPPORT_AVOIDEDFEATURES_H
#define AMP_SUPPORT_AVOIDEDFEATURES_H

#include "llvm/MC/MCSubtargetInfo.h"

namespace mlir::amp {

/// What `processor` has that code for it is faster without, as LLVM's target
/// features ("-sse4a"); empty if nothing. The instructions of SSE4a, which LLVM
/// 22.1 takes for some shuffles of narrow elements, have no VEX form: the first
/// one behind 256-bit ones takes some 100 ns (measured on Zen 3;
/// rust-lang/rust issue 120108).
inline llvm::StringRef
getAvoidedFeatures(const llvm::MCSubtargetInfo &processor) {
  return processor.getTargetTriple().isX86() &&
                 processor.checkFeatures("+avx,+sse4a")
             ? "-sse4a"
             : "";
}

} // namespace mlir::amp

#endif // AMP_SUPPORT_AVOIDEDFEATURES_H
