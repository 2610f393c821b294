//===- RowStatistics.h - reductions of parts of rows ------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_CODEGEN_COMMON_ROWSTATISTICS_H
#define AMP_CODEGEN_COMMON_ROWSTATISTICS_H

#include <cstdint>

namespace mlir::amp {

/// Columns of which the kernel of a contraction gives one element of a
/// statistic of its rows: each tile for results that are not skinny has whole
/// parts of so many. What kernels are formed with, and schedules look for.
inline constexpr int64_t kStatisticColumns = 64;

} // namespace mlir::amp

#endif // AMP_CODEGEN_COMMON_ROWSTATISTICS_H
