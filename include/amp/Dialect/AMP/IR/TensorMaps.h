//===- TensorMaps.h - tensor maps of launches -------------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How kernels get the tensor maps that TMA instructions need. A launch passes a
// strided memref of global memory, and the kernel has an argument of that type,
// as for any buffer, so that whatever looks at buffers before the lowering
// (aliases, lifetimes, memory plans) needs to know nothing. Two attributes say
// that what arrives is a tensor map, by value, of that buffer:
//
// - the argument of the gpu.func has the unit attribute `amp.tensor_map`. Its
//   only uses are builtin.unrealized_conversion_casts to !llvm.ptr, which give
//   the address of the map, and which the lowering of kernels replaces;
// - the gpu.launch_func has the attribute `amp.tensor_maps`: an array of
//   dictionaries, one for each such operand, which describe the boxes
//   (TensorMapSpec).
//
// The dimensions of the tensor map are those of the memref in reverse: TMA
// counts from the innermost one, whose stride must be 1. The other strides must
// be multiples of 16 bytes, and so must the address.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_DIALECT_AMP_IR_TENSORMAPS_H
#define AMP_DIALECT_AMP_IR_TENSORMAPS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir::amp {

/// The attribute (a unit) of a kernel's argument that is a tensor map.
inline constexpr llvm::StringLiteral kTensorMapAttrName = "amp.tensor_map";
/// The attribute of a launch that describes its tensor maps.
inline constexpr llvm::StringLiteral kTensorMapsAttrName = "amp.tensor_maps";

/// One entry of `amp.tensor_maps`, such as
///   {operand = 0 : i64, box = array<i64: 64, 128>, swizzle = 128 : i64}
struct TensorMapSpec {
  /// Which kernel operand of the launch.
  int64_t operand = 0;
  /// Elements of a box along each dimension, the innermost first. With im2col:
  /// channels, and pixels.
  SmallVector<int64_t, 5> box;
  /// The swizzle's span in bytes: 0 (none), 32, 64 or 128.
  int64_t swizzle = 0;
  /// Distances of neighbours in a box, for each dimension; empty: all 1. The
  /// attribute's `steps`, which may be absent.
  SmallVector<int64_t, 5> steps;
  /// Corners of the bounding box of im2col, for each spatial dimension, the
  /// innermost first; empty: tile mode. The attribute's `lower` and `upper`.
  SmallVector<int64_t, 3> lower, upper;
  /// Bytes that L2 fetches with a miss: 0 (no promotion), 64, 128 or 256. The
  /// attribute's `l2`, 256 where it is absent.
  int64_t l2 = 256;

  bool isIm2col() const { return !lower.empty(); }

  /// Reads an entry; fails, with an error, where it is not one.
  static FailureOr<TensorMapSpec>
  get(Attribute attribute, function_ref<InFlightDiagnostic()> emitError);
  /// The entry.
  DictionaryAttr getAttr(MLIRContext *context) const;

  /// Whether `type` can be the buffer of the map; fails, with an error, where
  /// it cannot.
  LogicalResult verify(Type type,
                       function_ref<InFlightDiagnostic()> emitError) const;

  /// The numbers of CUtensorMapSwizzle and CUtensorMapL2promotion.
  int64_t getSwizzleCode() const;
  int64_t getL2Code() const;
};

/// The number of the CUtensorMapDataType for elements of the type; nothing
/// where there is none. Floats of 8 bits are bytes to a tensor map.
std::optional<int64_t> getTensorMapType(Type element);

} // namespace mlir::amp

#endif // AMP_DIALECT_AMP_IR_TENSORMAPS_H
