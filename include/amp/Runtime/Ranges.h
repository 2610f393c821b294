//===- Ranges.h - statistics of the numbers in tensors ----------*- C++ -*-===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AMP_RUNTIME_RANGES_H
#define AMP_RUNTIME_RANGES_H

#include "amp/Runtime/Runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  /// The bins of the histogram: one for each exponent that a double has, from
  /// AMP_RANGE_FIRST_EXPONENT up.
  AMP_RANGE_BINS = 2098,
  AMP_RANGE_FIRST_EXPONENT = -1074,
  /// Dimensions of a tensor of which a record keeps the sizes.
  AMP_RANGE_MAX_RANK = 16
};

/// What is known of all numbers that code has handed to one slot. All zero is
/// the record of none. Fields hold exact counts and bounds; the record has the
/// same size however much it counts.
typedef struct ampRangeRecord {
  /// Tensors seen, and their rank.
  uint64_t observations;
  int64_t rank;
  /// The least and greatest size of each dimension, once a tensor was seen.
  int64_t minShape[AMP_RANGE_MAX_RANK], maxShape[AMP_RANGE_MAX_RANK];
  /// Numbers seen; of these NaN, infinities and zeros; and those that are not
  /// zero and below 2^-126 in magnitude.
  uint64_t count, nan, inf, zero, subnormal;
  /// Bounds of the finite numbers, and the least magnitude of those that are
  /// not zero; 0 where there are none. Minus zero counts as zero.
  double min, max, absmin;
  /// log2[e - AMP_RANGE_FIRST_EXPONENT] counts 2^e <= |x| < 2^(e+1).
  uint64_t log2[AMP_RANGE_BINS];
} ampRangeRecord;

/// Says where amp.observe counts: slot i in `records[i]`. Slots from `count`
/// on, and all of them where `records` is null, count nowhere. The records must
/// stay until others are set, and no code that observes may run meanwhile. For
/// the whole process: one calibration at a time.
void amp_set_range_records(ampRangeRecord *records, int64_t count);

/* What amp.observe becomes. Any thread may call these, also several at a time
 * for one slot: a call counts on its own stack, and adds that up under a lock.
 */
void _mlir_ciface_amp_observe_f64(int64_t slot,
                                  struct amp_unranked_memref *value);
void _mlir_ciface_amp_observe_f32(int64_t slot,
                                  struct amp_unranked_memref *value);
void _mlir_ciface_amp_observe_f16(int64_t slot,
                                  struct amp_unranked_memref *value);
void _mlir_ciface_amp_observe_bf16(int64_t slot,
                                   struct amp_unranked_memref *value);

#ifdef __cplusplus
}
#endif

#endif // AMP_RUNTIME_RANGES_H
