//===- Target.h - what a CPU can do -----------------------------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_CODEGEN_CPU_TARGET_H
#define AMP_CODEGEN_CPU_TARGET_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/TargetParser/Triple.h"

#include <string>

namespace mlir::amp::cpu {

/// The facts about a processor that schedules depend on. Nothing else in the
/// CPU path asks what the machine is.
struct CPUTarget {
  /// Width of the widest vector register worth using, in bits.
  unsigned vectorBits = 128;
  /// Number of architectural vector registers of that width.
  unsigned vectorRegisters = 16;
  /// Whether a fused multiply-add is one instruction. Where it is not, a
  /// contraction multiplies and adds: `fmaf` from libm is far slower.
  bool hasFMA = false;
  /// Whether out-of-bounds lanes can be masked in one load or store.
  bool hasMaskedMemory = false;
  /// The same for lanes of 32 bits and more.
  bool hasMaskedWords = false;
  /// Whether pairs of bf16 (of i16) multiply and add into f32 (i32) lanes in
  /// one instruction of the full vector width that is faster than widening both
  /// operands first.
  bool hasBF16Dot = false;
  bool hasI16Dot = false;
  /// Whether four unsigned i8 times four signed i8 add into each i32 lane in
  /// one instruction of the full vector width.
  bool hasI8Dot = false;
  /// Whether tile registers of 16 rows of 64 bytes (AMX) multiply pairs of bf16
  /// into f32, and fours of i8 of any signedness into i32.
  bool hasBF16Tiles = false;
  bool hasI8Tiles = false;
  /// Whether vectors of f32 can be multiplied by 2^n in one instruction, n a
  /// vector of f32.
  bool hasScale = false;
  /// Whether vectors of f32 can be looked up in a table of one register, tested
  /// for subnormal numbers, and have their larger or smaller numbers taken with
  /// NaN ignored, each in one instruction.
  bool hasTables = false;
  /// Whether vectors of 8 f32 can be looked up in a table of one register; not
  /// where `hasTables`.
  bool hasShortTables = false;
  /// Whether f32 rounds to bf16 in one instruction, subnormal numbers aside.
  bool hasBF16Rounding = false;
  /// Whether f16 widens to f32 in one instruction.
  bool widensF16 = false;
  /// Whether stores of whole vectors can bypass the caches.
  bool hasStreamingStores = false;
  /// Whether rows of a large matrix that are read side by side come sooner
  /// where code asks for them (prefetch), also where few are: processors of
  /// AMD.
  bool asksForRows = false;
  /// Data cache sizes of one core, in bytes.
  unsigned l1Bytes = 32 * 1024;
  unsigned l2Bytes = 512 * 1024;

  /// Whether the first data cache has twelve ways, as those of 48 KiB have: of
  /// eight, rows that are a power of two apart soon replace each other.
  bool hasManyWays() const { return l1Bytes > 32 * 1024; }

  /// Whether code that goes along a matrix asks for what it reads next:
  /// measured on Zen 3 and Zen 5. Where AVX-512 meets a first cache of eight
  /// ways, as in Zen 4, it is not.
  bool asksAlongRows() const {
    return asksForRows && (hasManyWays() || !hasMaskedMemory);
  }

  /// Lanes of a register for elements of `bits` bits; at least 1.
  unsigned lanes(unsigned bits) const {
    return std::max(1u, vectorBits / std::max(bits, 8u));
  }

  /// The target for `cpu` (an LLVM processor name, `host` for this machine,
  /// `generic` for what every processor of the architecture has) of the
  /// architecture of `triple` (x86-64 or AArch64; empty: that of this process)
  /// with `features` (LLVM's "+avx2,-fma" notation, empty for none) applied on
  /// top, and its vector width set to `vectorBits` where that is not 0.
  /// On bad input: failure, with the reason and the accepted values in `error`.
  static FailureOr<CPUTarget> get(StringRef triple, StringRef cpu,
                                  StringRef features, unsigned vectorBits,
                                  std::string &error);

  /// The same for a pass, of its options: the reason is an error at `op`.
  static FailureOr<CPUTarget> get(Operation *op, StringRef triple,
                                  StringRef cpu, StringRef features,
                                  unsigned vectorBits);

  /// `triple` as LLVM writes it; that of this process where it is empty.
  static llvm::Triple getTriple(StringRef triple);
};

} // namespace mlir::amp::cpu

#endif // AMP_CODEGEN_CPU_TARGET_H
