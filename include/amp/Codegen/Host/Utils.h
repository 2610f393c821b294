//===- Utils.h - sizes of device buffers ------------------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_CODEGEN_HOST_UTILS_H
#define AMP_CODEGEN_HOST_UTILS_H

#include "mlir/Dialect/MemRef/IR/MemRef.h"

#include <optional>

namespace mlir::amp::host {

/// Bytes that an element of `type` takes in memory: at least one, and a power
/// of two for integers; none for a type that has no such size.
std::optional<int64_t> getElementBytes(Type type);

/// Whether a buffer of `type` is in the memory of the device.
bool isDeviceMemory(BaseMemRefType type);

/// `a * b`, folded where both are constants.
OpFoldResult multiply(OpBuilder &b, Location loc, OpFoldResult lhs,
                      OpFoldResult rhs);

/// The number of elements between the first one and the end of the buffer of
/// `alloc`, whose layout is row-major, with or without padding of rows.
OpFoldResult getAllocatedElements(OpBuilder &b, memref::AllocOp alloc);

} // namespace mlir::amp::host

#endif // AMP_CODEGEN_HOST_UTILS_H
