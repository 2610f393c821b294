//===- Ranges.c - statistics of the numbers in tensors --------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "amp/Runtime/Ranges.h"

#include <pthread.h>
#include <string.h>

static ampRangeRecord *ranges;
static int64_t numRanges;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void amp_set_range_records(ampRangeRecord *records, int64_t count) {
  pthread_mutex_lock(&lock);
  ranges = records;
  numRanges = records ? count : 0;
  pthread_mutex_unlock(&lock);
}

/// The bits of the double of the same value. Numbers of the narrower types are
/// all normal doubles.
static uint64_t fromBits(uint64_t sign, uint64_t exponent, uint64_t mantissa,
                         int bias, unsigned mantissaBits, uint64_t special) {
  uint64_t bits = sign << 63;
  if (exponent == special)
    return bits | 0x7ffull << 52 | mantissa << (52 - mantissaBits);
  if (exponent)
    return bits | (exponent + (uint64_t)(1023 - bias)) << 52 |
           mantissa << (52 - mantissaBits);
  if (!mantissa)
    return bits;
  unsigned shift = (unsigned)__builtin_clzll(mantissa) - (63 - mantissaBits);
  mantissa = mantissa << shift & ((1ull << mantissaBits) - 1);
  return bits | (uint64_t)(1023 - bias + 1 - (int)shift) << 52 |
         mantissa << (52 - mantissaBits);
}

static uint64_t loadF64(const char *from) {
  uint64_t bits;
  memcpy(&bits, from, sizeof bits);
  return bits;
}

static uint64_t loadF32(const char *from) {
  uint32_t bits;
  memcpy(&bits, from, sizeof bits);
  return fromBits(bits >> 31, bits >> 23 & 0xff, bits & 0x7fffff, 127, 23,
                  0xff);
}

static uint64_t loadF16(const char *from) {
  uint16_t bits;
  memcpy(&bits, from, sizeof bits);
  return fromBits(bits >> 15, bits >> 10 & 0x1f, bits & 0x3ff, 15, 10, 0x1f);
}

static uint64_t loadBF16(const char *from) {
  uint16_t bits;
  memcpy(&bits, from, sizeof bits);
  return fromBits(bits >> 15, bits >> 7 & 0xff, bits & 0x7f, 127, 7, 0xff);
}

static double toDouble(uint64_t bits) {
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/// The numbers of one call, before they become a record. Magnitudes compare as
/// integers; the sign of a bound is apart.
struct tally {
  uint64_t count, nan, inf, zero, subnormal;
  uint64_t leastPositive, greatestPositive, leastNegative, greatestNegative;
  uint64_t numPositive, numNegative;
  uint64_t *log2;
};

static const uint64_t kInfinity = 0x7ffull << 52;

static inline void tallyOne(struct tally *t, uint64_t bits) {
  uint64_t magnitude = bits & ~(1ull << 63);
  ++t->count;
  if (magnitude >= kInfinity) {
    if (magnitude == kInfinity)
      ++t->inf;
    else
      ++t->nan;
    return;
  }
  if (magnitude == 0) {
    ++t->zero;
    return;
  }
  if (bits >> 63) {
    ++t->numNegative;
    if (magnitude < t->leastNegative)
      t->leastNegative = magnitude;
    if (magnitude > t->greatestNegative)
      t->greatestNegative = magnitude;
  } else {
    ++t->numPositive;
    if (magnitude < t->leastPositive)
      t->leastPositive = magnitude;
    if (magnitude > t->greatestPositive)
      t->greatestPositive = magnitude;
  }
  unsigned exponent = (unsigned)(magnitude >> 52);
  t->subnormal += exponent < 1023 - 126;
  // Subnormal doubles have the 52 lowest bins, by their highest bit.
  unsigned bin =
      exponent ? exponent + 51 : 63 - (unsigned)__builtin_clzll(magnitude);
  ++t->log2[bin];
}

/// A ranked descriptor: allocated and aligned pointer, offset, then `rank`
/// sizes and `rank` strides, in elements.
struct ranked {
  char *allocated, *aligned;
  int64_t offset;
  int64_t sizesAndStrides[];
};

typedef uint64_t (*loader)(const char *);

static inline __attribute__((always_inline)) void
tallyDims(struct tally *t, int64_t rank, int64_t bytes, const int64_t *sizes,
          const int64_t *strides, const char *from, loader load) {
  // The dimensions but the last are counted like digits.
  int64_t index[AMP_RANGE_MAX_RANK] = {0};
  int64_t length = rank ? sizes[rank - 1] : 1;
  int64_t step = rank ? strides[rank - 1] * bytes : bytes;
  for (int64_t d = 0; d < rank; ++d)
    if (sizes[d] == 0)
      return;
  while (1) {
    for (int64_t i = 0; i < length; ++i)
      tallyOne(t, load(from + i * step));
    int64_t d = rank - 2;
    for (; d >= 0; --d) {
      from += strides[d] * bytes;
      if (++index[d] < sizes[d])
        break;
      from -= strides[d] * bytes * sizes[d];
      index[d] = 0;
    }
    if (d < 0)
      return;
  }
}

/// Adds a call's numbers, and the shape they came in, to a record.
static void commit(ampRangeRecord *range, const struct tally *t, int64_t rank,
                   const int64_t *sizes) {
  uint64_t numFinite = range->count - range->nan - range->inf;
  uint64_t nonzero = t->numPositive + t->numNegative;
  if (nonzero || t->zero) {
    double min = 0, max = 0;
    if (t->numNegative)
      min = -toDouble(t->greatestNegative);
    else if (!t->zero)
      min = toDouble(t->leastPositive);
    if (t->numPositive)
      max = toDouble(t->greatestPositive);
    else if (!t->zero)
      max = -toDouble(t->leastNegative);
    if (!numFinite || min < range->min)
      range->min = min;
    if (!numFinite || max > range->max)
      range->max = max;
  }
  if (nonzero) {
    double least =
        toDouble(t->leastPositive < t->leastNegative ? t->leastPositive
                                                     : t->leastNegative);
    if (numFinite == range->zero || least < range->absmin)
      range->absmin = least;
  }
  range->count += t->count;
  range->nan += t->nan;
  range->inf += t->inf;
  range->zero += t->zero;
  range->subnormal += t->subnormal;
  if (nonzero)
    for (int i = 0; i < AMP_RANGE_BINS; ++i)
      range->log2[i] += t->log2[i];

  for (int64_t d = 0; d < rank; ++d) {
    if (!range->observations || sizes[d] < range->minShape[d])
      range->minShape[d] = sizes[d];
    if (!range->observations || sizes[d] > range->maxShape[d])
      range->maxShape[d] = sizes[d];
  }
  range->rank = rank;
  ++range->observations;
}

static inline __attribute__((always_inline)) void
observe(int64_t slot, const struct amp_unranked_memref *value, int64_t bytes,
        loader load) {
  // Set before the code runs and not while it does.
  if (slot < 0 || slot >= numRanges || value->rank > AMP_RANGE_MAX_RANK)
    return;
  const struct ranked *memref = value->descriptor;
  const int64_t *sizes = memref->sizesAndStrides;
  uint64_t log2[AMP_RANGE_BINS];
  memset(log2, 0, sizeof log2);
  struct tally t = {
      .leastPositive = UINT64_MAX, .leastNegative = UINT64_MAX, .log2 = log2};
  tallyDims(&t, value->rank, bytes, sizes, sizes + value->rank,
            memref->aligned + memref->offset * bytes, load);
  pthread_mutex_lock(&lock);
  commit(&ranges[slot], &t, value->rank, sizes);
  pthread_mutex_unlock(&lock);
}

void _mlir_ciface_amp_observe_f64(int64_t slot,
                                  struct amp_unranked_memref *value) {
  observe(slot, value, 8, loadF64);
}

void _mlir_ciface_amp_observe_f32(int64_t slot,
                                  struct amp_unranked_memref *value) {
  observe(slot, value, 4, loadF32);
}

void _mlir_ciface_amp_observe_f16(int64_t slot,
                                  struct amp_unranked_memref *value) {
  observe(slot, value, 2, loadF16);
}

void _mlir_ciface_amp_observe_bf16(int64_t slot,
                                   struct amp_unranked_memref *value) {
  observe(slot, value, 2, loadBF16);
}
