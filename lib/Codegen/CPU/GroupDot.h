//===- GroupDot.h - sums of products of neighbours --------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_LIB_CODEGEN_CPU_GROUPDOT_H
#define AMP_LIB_CODEGEN_CPU_GROUPDOT_H

#include "Emit.h"

namespace mlir::amp::cpu {

struct Roles;

/// An instruction that adds the products of a group of narrow elements to one
/// 32-bit lane of the accumulator: several times the work of a multiply-add.
/// Operands are packed in such groups along k, in their narrow type.
struct GroupDot {
  /// bf16 or i16, by two; i8, by four.
  Type element;
  int64_t size = 2;
  /// What is applied to A and B while packing, instead of the payload's casts.
  SmallVector<Operation *> lhsCasts, rhsCasts;
  /// For i8 operands of an instruction for i16, how the last cast goes to i16.
  std::optional<bool> lhsSigned, rhsSigned;
  /// The instruction for i8 multiplies unsigned by signed elements. A signed A
  /// is packed with 128 added, and what that adds to the sums is subtracted.
  bool biasesLhs = false;
  /// Or, where B is read where it is, 128 is added to a signed B, and A's rows
  /// are summed: they are few.
  bool biasesRhs = false;
  /// Which operands are unsigned.
  bool isLhsUnsigned = false, isRhsUnsigned = false;
  /// The instruction multiplies tiles of 16 rows of 16 groups: 16 rows of A by
  /// 16 groups of B's rows, of 16 columns each.
  bool isTile = false;

  /// An element vector of A or B, of `lanes` lanes, as it is packed.
  Value convertLhs(OpBuilder &b, Location loc, Value vector,
                   int64_t lanes) const;
  Value convertRhs(OpBuilder &b, Location loc, Value vector,
                   int64_t lanes) const;
  static Value convert(OpBuilder &b, Location loc, Value vector,
                       ArrayRef<Operation *> casts, int64_t lanes);

  /// The bias of A, or of B, for `lanes` groups, as an operand of `emit`.
  Value getBias(OpBuilder &b, Location loc, int64_t lanes) const;

  /// `old` plus the dot products of the groups of `lhs` and `rhs`.
  Value emit(OpBuilder &b, Location loc, Value lhs, Value rhs, Value old) const;

  /// The same of tiles: `lhs`, of up to 16 rows, and `rhs`, of 16, are vectors
  /// of rows of 64 bytes, `old` is one of 16 sums for each row of `lhs`. In the
  /// form that amp-cpu-select-tiles turns into tile registers.
  Value emitTile(OpBuilder &b, Location loc, Value lhs, Value rhs,
                 Value old) const;
};

/// Rows of a tile, groups in each, and columns of a tile of sums.
inline constexpr int64_t kTileRows = 16;

/// The instruction for a contraction with payload `body`, if `target` has one.
std::optional<GroupDot> matchGroupDot(const ContractionBody &body,
                                      const CPUTarget &target);

/// The same for a contraction with `roles`. A few rows take no tiles where
/// these would want B packed: they read it once, and where it is.
std::optional<GroupDot> matchGroupDot(const Roles &roles,
                                      const CPUTarget &target);

/// Two or four vectors, the elements of each lane next to each other.
Value interleaveRows(OpBuilder &b, Location loc, ArrayRef<Value> rows);

/// The same within each 128 bits, as one instruction interleaves two vectors:
/// as many vectors, each with the next columns of all of these.
SmallVector<Value> interleaveParts(OpBuilder &b, Location loc,
                                   ArrayRef<Value> rows);

} // namespace mlir::amp::cpu

#endif // AMP_LIB_CODEGEN_CPU_GROUPDOT_H
