//===- Processor.c - what the processor can do ----------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Processor.h"

#include "../Tiles.h"
#include "amp/Runtime/CPU.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

// By hand: __builtin_cpu_supports needs a part of the compiler's own library,
// and models are linked against the C library alone.
// Intel's manual, volume 2, "CPUID", tables 3-8 and following; AMD's, volume 3,
// appendix E, for leaf 0x80000001.

#ifdef __x86_64__
#include <cpuid.h>

enum {
  kLeaf1C,
  kLeaf7B,
  kLeaf7C,
  kLeaf7D,
  kLeaf71A,
  kLeaf71D,
  kLeafExtC,
  kVersions, // bit n: AVX10.n
  kWords
};

struct instructionSet {
  uint64_t flag;
  const char *name;
  /// The word and the bit in it that say that the processor has it.
  int word, bit;
  /// Bits of XCR0 that say that the system saves its registers.
  unsigned state;
};

enum {
  kNoState = 0,
  kAVXState = 0x6,
  kAVX512State = 0xe6,
  kTileState = 0x60000,
  kAPXState = 0x80000
};

static const struct instructionSet sets[] = {
    {AMP_CPU_SSE42, "sse4.2", kLeaf1C, 20, kNoState},
    {AMP_CPU_AVX, "avx", kLeaf1C, 28, kAVXState},
    {AMP_CPU_F16C, "f16c", kLeaf1C, 29, kAVXState},
    {AMP_CPU_FMA, "fma", kLeaf1C, 12, kAVXState},
    {AMP_CPU_BMI2, "bmi2", kLeaf7B, 8, kNoState},
    {AMP_CPU_AVX2, "avx2", kLeaf7B, 5, kAVXState},
    {AMP_CPU_AVX512F, "avx512f", kLeaf7B, 16, kAVX512State},
    {AMP_CPU_AVX512DQ, "avx512dq", kLeaf7B, 17, kAVX512State},
    {AMP_CPU_AVX512BW, "avx512bw", kLeaf7B, 30, kAVX512State},
    {AMP_CPU_AVX512VL, "avx512vl", kLeaf7B, 31, kAVX512State},
    {AMP_CPU_AVX512VBMI, "avx512vbmi", kLeaf7C, 1, kAVX512State},
    {AMP_CPU_AVX512VNNI, "avx512vnni", kLeaf7C, 11, kAVX512State},
    {AMP_CPU_AVX512BF16, "avx512bf16", kLeaf71A, 5, kAVX512State},
    {AMP_CPU_AVX512FP16, "avx512fp16", kLeaf7D, 23, kAVX512State},
    {AMP_CPU_AVXVNNI, "avxvnni", kLeaf71A, 4, kAVXState},
    {AMP_CPU_GFNI, "gfni", kLeaf7C, 8, kNoState},
    {AMP_CPU_AMX_TILE, "amx-tile", kLeaf7D, 24, kTileState},
    {AMP_CPU_AMX_BF16, "amx-bf16", kLeaf7D, 22, kTileState},
    {AMP_CPU_AMX_INT8, "amx-int8", kLeaf7D, 25, kTileState},
    {AMP_CPU_POPCNT, "popcnt", kLeaf1C, 23, kNoState},
    {AMP_CPU_MOVBE, "movbe", kLeaf1C, 22, kNoState},
    {AMP_CPU_BMI, "bmi", kLeaf7B, 3, kNoState},
    {AMP_CPU_LZCNT, "lzcnt", kLeafExtC, 5, kNoState},
    {AMP_CPU_SSE4A, "sse4a", kLeafExtC, 6, kNoState},
    {AMP_CPU_XOP, "xop", kLeafExtC, 11, kAVXState},
    {AMP_CPU_FMA4, "fma4", kLeafExtC, 16, kAVXState},
    {AMP_CPU_TBM, "tbm", kLeafExtC, 21, kNoState},
    {AMP_CPU_AVX512IFMA, "avx512ifma", kLeaf7B, 21, kAVX512State},
    {AMP_CPU_AVX512VBMI2, "avx512vbmi2", kLeaf7C, 6, kAVX512State},
    {AMP_CPU_AVX512BITALG, "avx512bitalg", kLeaf7C, 12, kAVX512State},
    {AMP_CPU_AVX512VPOPCNTDQ, "avx512vpopcntdq", kLeaf7C, 14, kAVX512State},
    {AMP_CPU_AVXIFMA, "avxifma", kLeaf71A, 23, kAVXState},
    {AMP_CPU_AVXVNNIINT8, "avxvnniint8", kLeaf71D, 4, kAVXState},
    {AMP_CPU_AVXNECONVERT, "avxneconvert", kLeaf71D, 5, kAVXState},
    {AMP_CPU_AVXVNNIINT16, "avxvnniint16", kLeaf71D, 10, kAVXState},
    {AMP_CPU_AVX10_2, "avx10.2", kVersions, 2, kAVX512State},
    {AMP_CPU_APX, "egpr", kLeaf71D, 21, kAPXState},
};

static void readWords(unsigned *words) {
  unsigned a, b, c, d;
  for (int i = 0; i < kWords; ++i)
    words[i] = 0;
  if (__get_cpuid(1, &a, &b, &c, &d))
    words[kLeaf1C] = c;
  if (__get_cpuid_count(7, 0, &a, &b, &c, &d)) {
    words[kLeaf7B] = b;
    words[kLeaf7C] = c;
    words[kLeaf7D] = d;
    if (a >= 1 && __get_cpuid_count(7, 1, &a, &b, &c, &d)) {
      words[kLeaf71A] = a;
      words[kLeaf71D] = d;
    }
  }
  if (words[kLeaf71D] >> 19 & 1 && __get_cpuid_count(0x24, 0, &a, &b, &c, &d))
    for (unsigned version = 1; version <= (b & 0xff) && version < 32; ++version)
      words[kVersions] |= 1u << version;
  if (__get_cpuid(0x80000001, &a, &b, &c, &d))
    words[kLeafExtC] = c;
}

static unsigned readState(const unsigned *words) {
  unsigned low = 0, high;
  if (words[kLeaf1C] >> 27 & 1) // OSXSAVE: the system lets programs ask
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

/// Whether the environment says to go without: `list` is names and commas, or
/// null.
static int isHidden(const char *name, const char *list) {
  size_t length = strlen(name);
  for (; list && *list; list += *list == ',') {
    size_t next = strcspn(list, ",");
    if (next == length && strncmp(list, name, length) == 0)
      return 1;
    list += next;
  }
  return 0;
}

const char *ampFindMissingInstructionSet(uint64_t needed) {
  const char *hidden = getenv("AMP_CPU_WITHOUT");
  unsigned words[kWords];
  readWords(words);
  unsigned state = readState(words);
  for (size_t i = 0; i < sizeof sets / sizeof *sets; ++i) {
    const struct instructionSet *set = &sets[i];
    int has = words[set->word] >> set->bit & 1;
    if ((needed & set->flag) &&
        (!has || (state & set->state) != set->state ||
         isHidden(set->name, hidden) ||
         (set->state == kTileState && ampRequestTiles())))
      return set->name;
  }
  return NULL;
}

#else

const char *ampFindMissingInstructionSet(uint64_t needed) {
  (void)needed;
  return NULL;
}

#endif
