//===- Target.cpp - what a CPU can do -------------------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Codegen/CPU/Target.h"

#include "amp/Support/NearNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/TargetParser/AArch64TargetParser.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/X86TargetParser.h"

#include <unistd.h>

using namespace mlir;
using namespace mlir::amp::cpu;

/// Cache sizes of this machine, where the C library knows them.
static void detectCaches(CPUTarget &target) {
#ifdef _SC_LEVEL1_DCACHE_SIZE
  if (long size = sysconf(_SC_LEVEL1_DCACHE_SIZE); size >= 8 * 1024)
    target.l1Bytes = static_cast<unsigned>(size);
  if (long size = sysconf(_SC_LEVEL2_CACHE_SIZE); size >= 64 * 1024)
    target.l2Bytes = static_cast<unsigned>(size);
#endif
}

/// Sizes of the first two levels of data caches in KiB, of a core, for LLVM's
/// names of processors that have others than a `CPUTarget` starts with (from
/// the manufacturers' optimization manuals).
static void lookUpCaches(CPUTarget &target, StringRef cpu) {
  struct Caches {
    llvm::StringLiteral cpu;
    unsigned l1, l2;
  };
  constexpr Caches table[] = {
      {"haswell", 32, 256},         {"broadwell", 32, 256},
      {"skylake", 32, 256},         {"cannonlake", 32, 256},
      {"skylake-avx512", 32, 1024}, {"cascadelake", 32, 1024},
      {"cooperlake", 32, 1024},     {"icelake-client", 48, 512},
      {"rocketlake", 48, 512},      {"tigerlake", 48, 1280},
      {"icelake-server", 48, 1280}, {"znver4", 32, 1024},
      {"znver5", 48, 1024},
  };
  const auto *found = llvm::find_if(
      table, [&](const Caches &caches) { return caches.cpu == cpu; });
  if (found == std::end(table))
    return;
  target.l1Bytes = found->l1 * 1024;
  target.l2Bytes = found->l2 * 1024;
}

/// The names of the features that `cpu`, an LLVM name, has; failure where LLVM
/// does not know it.
static FailureOr<SmallVector<StringRef>>
getFeatures(const llvm::Triple &triple, StringRef cpu, std::string &error) {
  SmallVector<StringRef> known, names;
  if (triple.isX86())
    llvm::X86::fillValidCPUArchList(known, /*Only64Bit=*/true);
  else
    llvm::AArch64::fillValidCPUArchList(known);
  if (!llvm::is_contained(known, cpu)) {
    // The name that other compilers have for it.
    std::string meant = cpu == "native" ? "; that of this machine is 'host'"
                                        : mlir::amp::suggestNames(cpu, known);
    error = ("unknown CPU '" + cpu + "': expected 'host', 'generic' or an " +
             (triple.isX86() ? "x86-64 processor name of LLVM such as "
                               "'x86-64-v3' or 'znver4'"
                             : "AArch64 processor name of LLVM such as "
                               "'neoverse-n1' or 'apple-m1'") +
             meant)
                .str();
    return failure();
  }
  // What AArch64 processors add to the architecture decides nothing so far.
  if (triple.isX86())
    llvm::X86::getFeaturesForCPU(cpu, names);
  return names;
}

llvm::Triple CPUTarget::getTriple(StringRef triple) {
  return llvm::Triple(triple.empty() ? llvm::sys::getProcessTriple()
                                     : llvm::Triple::normalize(triple));
}

FailureOr<CPUTarget> CPUTarget::get(Operation *op, StringRef triple,
                                    StringRef cpu, StringRef features,
                                    unsigned vectorBits) {
  std::string error;
  FailureOr<CPUTarget> target = get(triple, cpu, features, vectorBits, error);
  if (failed(target))
    op->emitError(error);
  return target;
}

FailureOr<CPUTarget> CPUTarget::get(StringRef tripleName, StringRef cpu,
                                    StringRef features, unsigned vectorBits,
                                    std::string &error) {
  CPUTarget target;
  llvm::Triple triple = getTriple(tripleName);
  bool isX86 = triple.getArch() == llvm::Triple::x86_64;
  if (!isX86 && triple.getArch() != llvm::Triple::aarch64) {
    error = "unsupported architecture '" + triple.str() +
            "': expected the triple of an x86-64 or AArch64 system such as "
            "'x86_64-unknown-linux-gnu' or 'aarch64-unknown-linux-gnu'";
    return failure();
  }
  // Feature names with what they imply: avx512vl brings avx512f, avx2, fma.
  llvm::StringMap<bool> has;
  auto set = [&](StringRef feature, bool enabled) {
    has[feature] = enabled;
    if (isX86)
      llvm::X86::updateImpliedFeatures(feature, enabled, has);
  };
  bool isHost = cpu.empty() || cpu == "host";
  if (isHost) {
    llvm::Triple process = getTriple("");
    if (triple.getArch() != process.getArch()) {
      error = ("CPU 'host' is of " + process.getArchName() + ", not of " +
               triple.getArchName() +
               ": expected 'generic' or a processor name of LLVM")
                  .str();
      return failure();
    }
    for (const auto &feature : llvm::sys::getHostCPUFeatures())
      has[feature.first()] = feature.second;
    detectCaches(target);
  } else if (cpu != "generic") {
    FailureOr<SmallVector<StringRef>> names = getFeatures(triple, cpu, error);
    if (failed(names))
      return failure();
    for (StringRef name : *names)
      set(name, true);
    lookUpCaches(target, cpu);
  }

  SmallVector<StringRef> list;
  features.split(list, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef feature : list) {
    feature = feature.trim();
    if (feature.size() < 2 || (feature[0] != '+' && feature[0] != '-')) {
      error = ("bad CPU feature '" + feature +
               "': expected '+name' or '-name', separated by commas")
                  .str();
      return failure();
    }
    set(feature.drop_front(), feature[0] == '+');
  }

  // Names of other architectures say nothing.
  if (!isX86)
    has.clear();
  bool avx512 = has.lookup("avx512f") && has.lookup("avx512vl") &&
                has.lookup("avx512bw") && has.lookup("avx512dq");
  bool avx2 = avx512 || has.lookup("avx2");
  target.hasFMA = avx512 || has.lookup("fma") || !isX86;
  target.widensF16 = avx512 || has.lookup("f16c") || !isX86;
  target.hasMaskedMemory = avx512;
  target.hasMaskedWords = avx2;
  target.vectorBits = avx512 ? 512 : avx2 ? 256 : 128;
  target.vectorRegisters = avx512 || !isX86 ? 32 : 16;

  if (vectorBits != 0) {
    if (!llvm::isPowerOf2_32(vectorBits) || vectorBits < 64 ||
        vectorBits > 2048) {
      error = "bad vector width " + llvm::utostr(vectorBits) +
              ": expected 0 (detect) or a power of two from 64 to 2048 bits";
      return failure();
    }
    target.vectorBits = vectorBits;
  }
  unsigned width = target.vectorBits;
  // Cycles of a 512-bit instruction, which does two multiply-adds for each
  // lane, and of one of f32, by LLVM's schedules and measured on the last:
  //   Cooper Lake, Zen 4, Zen 5    as one of f32
  //   Sapphire Rapids and later    2 against 1/2: f32 is twice as fast
  // The last are those with arithmetic on f16.
  bool slowDot = has.lookup("avx512fp16");
  target.hasBF16Dot = has.lookup("avx512bf16") && !slowDot &&
                      (width == 512 || (width == 256 && avx512));
  target.hasI16Dot = isX86 && (width == 128 || (width == 256 && avx2) ||
                               (width == 512 && avx512));
  target.hasScale = avx512;
  target.hasTables = avx512 && width == 512;
  target.hasShortTables = avx2 && target.hasFMA && width == 256;
  target.hasBF16Rounding = target.hasTables && has.lookup("avx512bf16");
  target.hasStreamingStores = isX86;
  // No other manufacturer's have it.
  target.asksForRows = has.lookup("sse4a");
  bool vnni = has.lookup("avx512vnni") && avx512;
  target.hasI8Dot = (width == 512 && vnni) || ((width == 256 || width == 128) &&
                                               (vnni || has.lookup("avxvnni")));
  // What packs for tiles writes their rows as one vector.
  bool tiles = has.lookup("amx-tile") && width == 512;
  target.hasBF16Tiles = tiles && has.lookup("amx-bf16");
  target.hasI8Tiles = tiles && has.lookup("amx-int8");
  if ((tiles || has.lookup("avx512fp16")) && !isHost) {
    // Of every processor that has one of them so far.
    target.l1Bytes = 48 * 1024;
    target.l2Bytes = 2048 * 1024;
  }
  return target;
}
